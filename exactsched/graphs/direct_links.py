"""Links from every terminal of a network to every other one, each as wide as its tail demands.

Method: one shortest path after the other, around what is busy already; pairs at equal distances
on a circle of the terminals take turns, so that all of them load the network alike.
Limits: for kernels: nothing is checked; None may be the answer although there are such links.
"""

from __future__ import annotations

from collections.abc import Sequence

from exactsched.exact.patience import PATIENT, Patience

Path = tuple[int, ...]  # indices of arcs
Steps = list[list[tuple[int, int]]]  # for every node its arcs, each with its other end


def direct_links(
    arcs: Sequence[tuple[int, int]],
    capacities: Sequence[int],
    terminals: Sequence[int],
    demands: Sequence[int],
    patience: Patience = PATIENT,
) -> dict[Path, int] | None:
    """Shortest paths from v to every other terminal that carry d(v) each, or None.

    Inner nodes are no terminals, and no arc carries more than its capacity.  Integers >= 0.  Such
    links keep all cuts: from each v outside a set, d(v) leads to each terminal inside.

    Two necessary conditions are looked at first: for each terminal the capacity of its arcs, and
    for the whole network the length of all paths together.  A breadth-first search for each
    terminal, and for each pair a step along every arc of a shortest path; before each path the
    patience is asked.

    >>> star = [(0, 2), (2, 0), (1, 2), (2, 1)]
    >>> direct_links(star, [1, 1, 1, 1], [0, 1], [1, 1, 0])
    {(0, 3): 1, (2, 1): 1}
    >>> direct_links(star, [1, 1, 1, 1], [0, 1], [1, 2, 0]) is None
    True
    """
    size = len(demands)
    entering: Steps = [[] for _ in range(size)]
    inside = [True] * size
    for node in terminals:
        inside[node] = False
    into, out = [0] * size, [0] * size
    for index, (tail, head) in enumerate(arcs):
        if capacities[index] and tail != head:
            entering[head].append((index, tail))
            into[head] += capacities[index]
            out[tail] += capacities[index]
    total, others = sum(demands), len(terminals) - 1
    if any(into[v] < total - demands[v] or out[v] < others * demands[v] for v in terminals):
        return None
    toward: dict[int, tuple[list[int], Steps]] = {}
    length = 0
    for node in terminals:
        toward[node] = far, _ = _shortest(entering, node, inside)
        for other in terminals:
            if demands[other] and far[other] < 0:
                return None
            length += demands[other] * far[other]
    if length > sum(capacities):
        return None
    room = list(capacities)
    links: dict[Path, int] = {}
    for step in range(1, len(terminals)):
        for place, tail in enumerate(terminals):
            head = terminals[(place + step) % len(terminals)]
            patience.ask()
            missing = demands[tail]
            while missing:
                path = _emptiest(*toward[head], room, tail, head)
                if path is None:
                    return None
                amount = min(missing, *(room[arc] for arc in path))
                for arc in path:
                    room[arc] -= amount
                links[path] = amount
                missing -= amount
    return links


def _shortest(entering: Steps, target: int, inside: Sequence[bool]) -> tuple[list[int], Steps]:
    """How many arcs a path to the target has at least, or -1; and the first ones of such paths.

    No inner node is a terminal.
    """
    far = [-1] * len(entering)
    nearer: Steps = [[] for _ in entering]
    far[target] = 0
    queue = [target]
    for node in queue:  # grows while it is read
        for arc, tail in entering[node]:
            if far[tail] < 0:
                far[tail] = far[node] + 1
                if inside[tail]:
                    queue.append(tail)
            if far[tail] > far[node]:
                nearer[tail].append((arc, node))
    return far, nearer


def _emptiest(
    far: Sequence[int], nearer: Steps, room: Sequence[int], tail: int, head: int
) -> Path | None:
    """A shortest path with room on all its arcs, those with much room first, or None.

    An arc costs the inverse of its room: floats choose among paths, all of which are right.
    """
    paid: dict[int, float] = {tail: 0.0}
    before: dict[int, tuple[int, int]] = {}
    for _ in range(far[tail]):
        reached: dict[int, float] = {}
        for node, cost in paid.items():
            for arc, other in nearer[node]:
                if room[arc]:
                    more = cost + 1 / room[arc]
                    if other not in reached or more < reached[other]:
                        reached[other] = more
                        before[other] = arc, node
        paid = reached
    if head not in paid:
        return None
    path: list[int] = []
    node = head
    while node != tail:
        arc, node = before[node]
        path.append(arc)
    return tuple(reversed(path))
