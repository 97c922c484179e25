"""Transfers as soon as possible: in a given order, or by a list with priorities (Graham 1969).

Both work on integers: durations in ticks, packets numbered from 0, arcs and trees by index.  The
caller chooses tick, packets and trees; what comes out are rows (arc, packet, start, end).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from heapq import heapify, heappop, heappush

from exactsched.certificate.nouns import arc_resources
from exactsched.problem import Broadcast

Row = tuple[int, int, int, int]


class Ports:
    """The platform by numbers: for every arc the resources that it uses and its two end nodes."""

    def __init__(self, problem: Broadcast) -> None:
        number: dict[str, int] = {}
        self.uses = [
            tuple(number.setdefault(name, len(number)) for name in names)
            for names in arc_resources(problem)
        ]
        self.resource_count = len(number)
        place = {node: index for index, node in enumerate(problem.platform.nodes)}
        self.node_count = len(place)
        self.source = place[problem.source]
        self.tail = [place[arc.tail] for arc in problem.platform.arcs]
        self.head = [place[arc.head] for arc in problem.platform.arcs]


def in_order(ports: Ports, pieces: Iterable[tuple[int, int, int]]) -> list[Row]:
    """Every piece (arc, packet, duration) as early as its ports and its packet allow, in order.

    The order is kept on every resource, nothing overtakes.  If the pieces stand in the order in
    which some valid schedule starts them, then no piece starts later than it does there
    (induction over the order), so idle time disappears and nothing gets worse.  A transfer in
    several pieces is complete with the last of them, and every piece that enters a node comes
    before those in which the node passes the packet on.  Adjoining pieces of one transfer become
    one row.

    O(1) additions and comparisons for each piece.

    >>> from exactsched.platform import Platform
    >>> chain = Broadcast(Platform("abc", [("a", "b", 2), ("b", "c", 1)]), "a")
    >>> in_order(Ports(chain), [(0, 0, 2), (0, 1, 2), (1, 0, 1), (1, 1, 1)])
    [(0, 0, 0, 2), (0, 1, 2, 4), (1, 0, 2, 3), (1, 1, 4, 5)]
    """
    free = [0] * ports.resource_count
    received: dict[tuple[int, int], int] = {}
    rows: list[Row] = []
    latest: dict[int, int] = {}  # arc -> its last row
    for arc, packet, duration in pieces:
        tail = ports.tail[arc]
        start = 0 if tail == ports.source else received[tail, packet]
        for resource in ports.uses[arc]:
            if free[resource] > start:
                start = free[resource]
        end = start + duration
        for resource in ports.uses[arc]:
            free[resource] = end
        received[ports.head[arc], packet] = end
        before = rows[latest[arc]] if arc in latest else None
        if before is not None and before[1] == packet and before[3] == start:
            rows[latest[arc]] = (arc, packet, before[2], end)
        else:
            latest[arc] = len(rows)
            rows.append((arc, packet, start, end))
    return rows


def by_priority(
    ports: Ports,
    trees: Sequence[Sequence[int]],
    tree_of: Sequence[int],
    duration: Callable[[int, int], int],
) -> list[Row]:
    """List scheduling: whenever ports are free, the oldest packet that is waiting for them starts.

    Packet p travels along the arborescence `trees[tree_of[p]]`, and takes `duration(arc, p)` > 0
    ticks on an arc, never interrupted.  Packets with lower numbers go first; for one
    packet, the arc with the longest way below it.  No port idles while something waits for it
    that could start; the makespan has no better guarantee than that.

    O(log N) for each of the N transfers and O(degree) arcs looked at.

    >>> from exactsched.platform import Platform
    >>> star = Broadcast(Platform("abc", [("a", "b", 2), ("a", "c", 1), ("b", "c", 1)]), "a")
    >>> by_priority(Ports(star), [(0, 2)], [0, 0], lambda arc, packet: 2 - (arc == 2))
    [(0, 0, 0, 2), (2, 0, 2, 3), (0, 1, 2, 4), (2, 1, 4, 5)]
    """
    leaving, height = _below(ports, trees, duration)
    at: list[list[int]] = [[] for _ in range(ports.resource_count)]
    for arc in sorted({arc for tree in trees for arc in tree}):
        for resource in ports.uses[arc]:
            at[resource].append(arc)
    waiting: dict[int, list[tuple[int, int]]] = {}
    for packet, tree in enumerate(tree_of):
        for arc in leaving[tree].get(ports.source, ()):
            waiting.setdefault(arc, []).append((packet, -height[tree][arc]))
    for heap in waiting.values():
        heapify(heap)
    busy = [False] * ports.resource_count
    events: list[tuple[int, int, int]] = []
    rows: list[Row] = []
    now, candidates = 0, set(waiting)
    while True:
        for _, _, arc in sorted((*waiting[arc][0], arc) for arc in candidates if waiting.get(arc)):
            if not any(busy[resource] for resource in ports.uses[arc]):
                packet, _ = heappop(waiting[arc])
                for resource in ports.uses[arc]:
                    busy[resource] = True
                end = now + duration(arc, packet)
                heappush(events, (end, arc, packet))
                rows.append((arc, packet, now, end))
        if not events:
            return rows
        now = events[0][0]
        candidates = set()
        while events and events[0][0] == now:
            _, arc, packet = heappop(events)
            for resource in ports.uses[arc]:
                busy[resource] = False
                candidates.update(at[resource])
            tree = tree_of[packet]
            for child in leaving[tree].get(ports.head[arc], ()):
                heappush(waiting.setdefault(child, []), (packet, -height[tree][child]))
                candidates.add(child)


def _below(
    ports: Ports, trees: Sequence[Sequence[int]], duration: Callable[[int, int], int]
) -> tuple[list[dict[int, list[int]]], list[dict[int, int]]]:
    """For every tree the arcs that leave each node, and for each arc the longest way from its tail.

    The ways are measured with the durations of packet 0: a priority, nothing more.
    """
    leaving: list[dict[int, list[int]]] = []
    height: list[dict[int, int]] = []
    for tree in trees:
        below: dict[int, list[int]] = {}
        for arc in tree:
            below.setdefault(ports.tail[arc], []).append(arc)
        order = list(below.get(ports.source, ()))
        for arc in order:  # grows while it is read
            order.extend(below.get(ports.head[arc], ()))
        longest: dict[int, int] = {}
        for arc in reversed(order):
            deeper = (longest[child] for child in below.get(ports.head[arc], ()))
            longest[arc] = duration(arc, 0) + max(deeper, default=0)
        leaving.append(below)
        height.append(longest)
    return leaving, height


def earliest_arrival_tree(ports: Ports, durations: Sequence[int]) -> tuple[int, ...] | None:
    """One packet for everybody, greedily: always the transfer that would be complete first.

    "Earliest completing edge first" (Bhat, Raghavendra, Prasanna 1999); a good start-up tree, not
    an optimal one (the optimum is NP-hard).  None if some node cannot be reached.  O(n m).
    """
    free = [0] * ports.resource_count
    arrival = {ports.source: 0}
    chosen: list[int] = []
    useful = [arc for arc in range(len(durations)) if ports.head[arc] != ports.source]
    while len(arrival) < ports.node_count:
        useful = [arc for arc in useful if ports.head[arc] not in arrival]
        ready = [
            (
                max(arrival[ports.tail[arc]], *(free[r] for r in ports.uses[arc])) + durations[arc],
                arc,
            )
            for arc in useful
            if ports.tail[arc] in arrival
        ]
        if not ready:
            return None
        end, arc = min(ready)
        for resource in ports.uses[arc]:
            free[resource] = end
        arrival[ports.head[arc]] = end
        chosen.append(arc)
    return tuple(chosen)
