"""What the ports of each node have to do for the nodes behind it, and how long that takes.

A node sends into each of its branches every packet that starts elsewhere.  The proofs are those of
`proofs/rounds-certificates.md`, bound 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush, nlargest
from itertools import accumulate
from math import inf
from typing import Final

# In a part with more pairs of a node and an arc distances are not searched.
MAX_PAIRS: Final = 1 << 12

_Arc = tuple[int, int, int]  # tail, head, steps
_Job = tuple[int, int]  # the steps from its end until all is done, and its own


def time_at_ports(size: int, arcs: Sequence[_Arc], own: Sequence[int], ports: str) -> int:
    """The largest bound of those by the ports of one node; `own` packets start at each node.

    Every node can be reached from every node with packets, and there are two nodes or more.

    >>> star = [arc for leaf in (1, 2, 3) for arc in ((0, leaf, 1), (leaf, 0, 1))]
    >>> time_at_ports(4, star, [0, 1, 1, 1], "one-port")
    7
    >>> time_at_ports(4, star, [0, 1, 1, 1], "half-duplex")
    9
    """
    branches = _branches(size, arcs, own)
    informed = _distances(_leaving(arcs), [node for node in range(size) if own[node]])
    packets = sum(own)
    entered: list[float] = [inf] * size
    for tail, head, _ in arcs:
        entered[head] = min(entered[head], informed.get(tail, inf))
    bound = 0
    for node in range(size):
        sending = [branch.job(packets - branch.packets) for branch in branches[node]]
        receiving = [
            (tail, branch.packets * branch.back)
            for tail, branch in zip(_elsewhere(branches[node]), branches[node], strict=True)
        ]
        first = 0 if own[node] else int(entered[node])
        if ports == "half-duplex":
            bound = max(bound, first + _time(sending + receiving))
        else:
            first_send = informed[node]
            first_receipt = int(entered[node]) if packets > own[node] else 0
            bound = max(bound, first_send + _time(sending), first_receipt + _time(receiving))
    return bound


@dataclass(slots=True)
class _Branch:
    """One of the branches of a node, in which `packets` packets start.

    `into` and `back` are the steps of the fastest arcs from the node and to it.  After the node
    starts to send a packet into it, all of it has the packet no sooner than `spread` steps later.
    """

    packets: int = 0
    into: int = 0
    back: int = 0
    spread: int = 0

    def job(self, packets: int) -> _Job:
        """To send this many packets into it, the last of which then spreads."""
        return self.spread - self.into, packets * self.into


def _time(jobs: Iterable[_Job]) -> int:
    """Of jobs one after the other: first those after which most is to be done (Jackson 1955)."""
    ordered = sorted((job for job in jobs if job[1]), reverse=True)
    ends = accumulate(work for _, work in ordered)
    return max((end + tail for end, (tail, _) in zip(ends, ordered, strict=True)), default=0)


def _elsewhere(branches: Sequence[_Branch]) -> list[int]:
    """For each branch how long it takes to send one packet into all others, and there to all."""
    order = sorted(range(len(branches)), key=lambda place: branches[place].job(1), reverse=True)
    jobs = [branches[place].job(1) for place in order]
    ends = [end + tail for end, (tail, _) in zip(accumulate(w for _, w in jobs), jobs, strict=True)]
    before = [0, *accumulate(ends, max)]
    behind = [*accumulate(reversed(ends), max, initial=0)][::-1]
    times = [0] * len(branches)
    for rank, place in enumerate(order):
        # Those behind are earlier by the work that is left out.
        later = behind[rank + 1] - jobs[rank][1] if rank + 1 < len(order) else 0
        times[place] = max(before[rank], later)
    return times


def _branches(size: int, arcs: Sequence[_Arc], own: Sequence[int]) -> list[list[_Branch]]:
    """Of every node: one branch in each of the parts that it belongs to."""
    parts = _parts(size, arcs)
    found: list[dict[int, _Branch]] = [{} for _ in range(size)]  # of a node by part
    for index, members in enumerate(parts):
        for node in members:
            found[node][index] = _Branch()
    inside = _arcs_of_parts(size, arcs, parts)
    for index, some in enumerate(inside):
        for tail, head, steps in some:
            one, other = found[tail][index], found[head][index]
            one.into = min(one.into or steps, steps)
            other.back = min(other.back or steps, steps)
    _count_packets(parts, own, found)
    _spread(parts, inside, own, found)
    return [list(of_node.values()) for of_node in found]


def _parts(size: int, arcs: Sequence[_Arc]) -> list[list[int]]:
    """The sets of nodes that no node separates, the last ones first; each from its top on.

    Two parts share one node at most; all nodes but the first are below the top of one part
    (Hopcroft and Tarjan 1973).
    """
    near: list[list[int]] = [[] for _ in range(size)]
    for tail, head, _ in arcs:
        near[tail].append(head)
        near[head].append(tail)
    number = [-1] * size  # in the order of a search, depth first
    lowest = [0] * size  # the first node next to those that were found from this one on
    number[0], count = 0, 1
    parts: list[list[int]] = []
    path, below = [(0, iter(near[0]))], list[int]()
    while path:
        node, others = path[-1]
        for other in others:
            if number[other] < 0:
                number[other] = lowest[other] = count
                count += 1
                below.append(other)
                path.append((other, iter(near[other])))
                break
            lowest[node] = min(lowest[node], number[other])
        else:
            path.pop()
            if path:
                top = path[-1][0]
                lowest[top] = min(lowest[top], lowest[node])
                if lowest[node] >= number[top]:
                    part = [top]
                    while part[-1] != node:
                        part.append(below.pop())
                    parts.append(part)
    return parts


def _arcs_of_parts(
    size: int, arcs: Sequence[_Arc], parts: Sequence[Sequence[int]]
) -> list[list[_Arc]]:
    below = [-1] * size  # the part in which a node is not the top
    for index, (_, *others) in enumerate(parts):
        for node in others:
            below[node] = index
    inside: list[list[_Arc]] = [[] for _ in parts]
    for arc in arcs:
        tail, head, _ = arc
        among = below[head]
        if below[tail] != among and parts[among][0] != tail:
            among = below[tail]
        inside[among].append(arc)
    return inside


def _count_packets(
    parts: Sequence[Sequence[int]], own: Sequence[int], found: Sequence[dict[int, _Branch]]
) -> None:
    within = list(own)  # at a node and below it
    for index, (top, *others) in enumerate(parts):
        below = sum(within[node] for node in others)
        found[top][index].packets = below
        within[top] += below
    for index, (_, *others) in enumerate(parts):
        for node in others:
            found[node][index].packets = within[0] - within[node]


def _spread(
    parts: Sequence[Sequence[int]],
    inside: Sequence[Sequence[_Arc]],
    own: Sequence[int],
    found: Sequence[dict[int, _Branch]],
) -> None:
    """How long a packet takes into each branch: for tops from those below, then for the others."""
    onward = [0] * len(own)  # from a node into all branches below it
    for index, (top, *others) in enumerate(parts):
        for node in others:
            below = (branch for part, branch in found[node].items() if part < index)
            onward[node] = _time(branch.job(1) for branch in below)
        _spread_within(parts[index], inside[index], onward, {top: found[top][index]})
    elsewhere: dict[int, dict[int, int]] = {}  # from a top into all branches but one
    for index, (top, *others) in reversed([*enumerate(parts)]):
        if top not in elsewhere:
            times = _elsewhere([*found[top].values()])
            elsewhere[top] = dict(zip(found[top], times, strict=True))
        before, onward[top] = onward[top], elsewhere[top][index]
        # Into its only branch a node sends nothing but what starts at it.
        senders = [node for node in others if own[node] or len(found[node]) > 1]
        branches = {node: found[node][index] for node in senders}
        _spread_within(parts[index], inside[index], onward, branches)
        onward[top] = before


def _spread_within(
    members: Sequence[int],
    inside: Sequence[_Arc],
    onward: Sequence[int],
    branches: Mapping[int, _Branch],
) -> None:
    """How long a packet of a node needs to the other members, and then onward, for some nodes."""
    if len(members) * len(inside) > MAX_PAIRS:
        last, other = nlargest(2, members, key=onward.__getitem__)
        for node, branch in branches.items():
            branch.spread = branch.into + onward[other if node == last else last]
        return
    leaving = _leaving(inside)
    for node, branch in branches.items():
        distances = _distances(leaving, [node])
        branch.spread = max(
            distances.get(other, 0) + onward[other] for other in members if other != node
        )


def _leaving(arcs: Iterable[_Arc]) -> dict[int, list[tuple[int, int]]]:
    leaving: dict[int, list[tuple[int, int]]] = {}
    for tail, head, steps in arcs:
        leaving.setdefault(tail, []).append((head, steps))
    return leaving


def _distances(
    leaving: Mapping[int, Sequence[tuple[int, int]]], starts: Iterable[int]
) -> dict[int, int]:
    """The steps from the nearest start to each node that can be reached (Dijkstra 1959)."""
    waiting = [(0, start) for start in starts]
    settled: dict[int, int] = {}
    while waiting:
        distance, node = heappop(waiting)
        if node in settled:
            continue
        settled[node] = distance
        for head, steps in leaving.get(node, ()):
            if head not in settled:
                heappush(waiting, (distance + steps, head))
    return settled
