"""What no schedule of packets in steps beats: at ports, by distances, counting or occupancy.

The proofs are those of `proofs/rounds-certificates.md`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import accumulate
from math import comb, gcd, inf
from typing import Final, NamedTuple

from exactsched.certificate.budget import spend, sums
from exactsched.certificate.synchronous import OccupancyProof, SynchronousRun
from exactsched.check.common_denominator import over_common_denominator
from exactsched.check.graphs.search import reached
from exactsched.check.synchronous.branches import time_at_ports
from exactsched.exact.errors import Rejected

# The far nodes are those from any distance on; from some of them only in a very long graph.
LEVELS_TIMES_ROUNDS: Final = 1 << 18

# The lengths of the shortest even and the shortest odd walk to a node, in arcs.
_Walks = tuple[float, float]


def least_steps(stated: SynchronousRun) -> int:
    """The largest of the bounds; every node can be reached from every origin.

    >>> two_ways = ((0, 1, 1), (1, 2, 1), (1, 0, 1), (2, 1, 1))
    >>> least_steps(SynchronousRun(3, two_ways, "half-duplex", ((0, 2),), (), 0, 0, (), True, ()))
    4
    """
    if stated.size == 1:
        return 0
    graph = _Graph(stated)
    at_ports = time_at_ports(graph.size, graph.arcs, graph.own, graph.ports)
    informed = _informed(graph, graph.origins)
    bounds = [at_ports, _by_distances(graph, informed), _by_counting(graph, informed)]
    best = max(bounds + ([_by_occupancy(graph, stated.occupancy)] if stated.occupancy else []))
    # Nobody is late who starts at multiples of what divides all durations.
    divisor = gcd(*(steps for _, _, steps in graph.arcs))
    return -(-best // divisor) * divisor


class _Graph:
    """The graph by nodes: leaving arcs (head, steps), the fastest arcs, and the own packets.

    The side of a node is 0 or 1 in a bipartite graph, 0 in others.
    """

    def __init__(self, stated: SynchronousRun) -> None:
        self.size, self.ports = stated.size, stated.ports
        # Plain tuples: to unpack a named one takes three times as long.
        self.arcs: list[tuple[int, int, int]] = [(*arc,) for arc in stated.arcs]
        self.leaving: list[list[tuple[int, int]]] = [[] for _ in range(stated.size)]
        self.fastest_in: list[int] = [0] * stated.size
        self.fastest_out: list[int] = [0] * stated.size
        for tail, head, steps in self.arcs:
            self.leaving[tail].append((head, steps))
            self.fastest_in[head] = min(self.fastest_in[head] or steps, steps)
            self.fastest_out[tail] = min(self.fastest_out[tail] or steps, steps)
        self.fastest = min(steps for _, _, steps in self.arcs)
        self.slowest = max(steps for _, _, steps in self.arcs)
        self.own = [0] * stated.size
        for node, number in stated.origins:
            self.own[node] += number
        self.origins = [node for node, number in enumerate(self.own) if number]
        self.packets = sum(self.own)
        self.sides, self.bipartite = _two_coloring(stated.size, self.arcs)


def _two_coloring(size: int, arcs: Sequence[tuple[int, int, int]]) -> tuple[list[int], bool]:
    near: list[list[int]] = [[] for _ in range(size)]
    for tail, head, _ in arcs:
        near[tail].append(head)
        near[head].append(tail)
    sides = [0] * size
    for node, distance in reached([0], near.__getitem__).items():
        sides[node] = distance % 2
    if any(sides[tail] == sides[head] for tail, head, _ in arcs):
        return [0] * size, False
    return sides, True


def _by_distances(graph: _Graph, by_all: _Informed) -> int:
    """The packet that leaves its origin last still has to go everywhere."""
    bound = 0
    for origin in graph.origins:
        waiting = (graph.own[origin] - 1) * graph.fastest_out[origin]
        informed = by_all if len(graph.origins) == 1 else _informed(graph, [origin])
        rounds = max(rounds for gains in informed.gains for rounds, _, _ in gains)
        # With equal arcs the rounds are no fewer than the arcs to the farthest node.
        apart = 0 if graph.fastest == graph.slowest else _eccentricity(graph, origin)
        bound = max(bound, waiting + max(rounds * graph.fastest, apart))
    return bound


def _eccentricity(graph: _Graph, origin: int) -> int:
    """Steps to the farthest node (Dijkstra 1959)."""
    spend(graph.size + 2 * len(graph.arcs), "origins")
    settled = [False] * graph.size
    queue, last = [(0, origin)], 0
    while queue:
        distance, node = heappop(queue)
        if settled[node]:
            continue
        settled[node], last = True, distance
        for head, steps in graph.leaving[node]:
            if not settled[head]:
                heappush(queue, (distance + steps, head))
    return last


def _by_counting(graph: _Graph, informed: _Informed) -> int:
    """What the nodes from some distance on receive, by the few transfers that can be under way."""
    walks, levels = informed
    last = max(rounds for gains in levels for rounds, _, _ in gains)
    work = [0] * len(levels)
    for node, lengths in enumerate(walks):
        work[int(min(lengths))] += (graph.packets - graph.own[node]) * graph.fastest_in[node]
    spacing = -(-(len(levels) ** 2) // LEVELS_TIMES_ROUNDS)
    # In each round how many more nodes may be informed: at this distance or farther, and one less.
    far, near = [0] * (last + 1), ([0] * (last + 1), [0] * (last + 1))
    for rounds, side, number in levels[-1]:
        near[side][rounds] += number
    missing = best = 0
    for distance in reversed(range(len(levels))):
        missing += work[distance]
        for rounds, _, number in levels[distance]:
            far[rounds] += number
        if distance:
            for rounds, side, number in levels[distance - 1]:
                near[side][rounds] += number
        if distance % spacing == 0:
            best = max(best, _when_received(graph, missing, far, near))
    return best


def _when_received(
    graph: _Graph, missing: int, far: Sequence[int], near: tuple[Sequence[int], Sequence[int]]
) -> int:
    """The first time at which this many steps of transfers from near to far nodes may be over."""
    receivers, sides = [*accumulate(far)], [[*accumulate(side)] for side in near]
    last = len(receivers) - 1
    delay = -(-graph.slowest // graph.fastest)
    now = 0
    while True:
        then = min(now + delay, last)
        most = min(sides[0][now] + sides[1][now], receivers[then])
        if graph.ports == "half-duplex":
            one, other = sides[0][then], sides[1][then]
            most = min(most, min(one, other) if graph.bipartite else (one + other) // 2)
        if now == last or missing <= most * graph.fastest:
            return now * graph.fastest - (-missing // most if missing else 0)
        missing -= most * graph.fastest
        now += 1


class _Informed(NamedTuple):
    """The walks to every node from the nearest seed, and how fast nodes can be informed by seeds.

    For each distance rows (round, side, how many more nodes may have a packet after it).
    """

    walks: Sequence[_Walks]
    gains: Sequence[Sequence[tuple[int, int, int]]]


def _informed(graph: _Graph, seeds: Sequence[int]) -> _Informed:
    walks = _walks(graph, seeds)
    return _Informed(walks, _gains(graph, walks, len(seeds)))


@dataclass(slots=True)
class _Level:
    """Nodes of one side at one distance, and the lengths of their shortest walks of other parity.

    Lengths and distances are in arcs, and `detours` is sorted.
    """

    distance: int
    side: int
    size: int = 0
    detours: list[float] = field(default_factory=list)

    def most_informed(self, seeds: int, rounds: int) -> int:
        """How many may have a packet, if `seeds` nodes had one at first: chains are different."""
        total = 0
        for length in range(self.distance, rounds + 1):
            walks = self.size
            if (length - self.distance) % 2:
                walks = bisect_right(self.detours, length)
            total += min(seeds * comb(rounds, length), walks)
            if total >= self.size:
                return self.size
        return total


def _gains(graph: _Graph, walks: Sequence[_Walks], seeds: int) -> list[list[tuple[int, int, int]]]:
    """The rows for each distance.

    A round is as long as the fastest arc.  A level of n nodes is complete at most log2 n rounds
    after it may be reached, so that this takes near-linear time.
    """
    rows: dict[int, list[tuple[int, int, int]]] = {}
    for level in _levels(graph, walks):
        rounds, before = level.distance, 0
        while before < level.size:
            number = level.most_informed(seeds, rounds)
            rows.setdefault(level.distance, []).append((rounds, level.side, number - before))
            rounds, before = rounds + 1, number
    return [rows[distance] for distance in range(len(rows))]


def _levels(graph: _Graph, walks: Sequence[_Walks]) -> list[_Level]:
    levels: dict[tuple[int, int], _Level] = {}
    for side, lengths in zip(graph.sides, walks, strict=True):
        distance = int(min(lengths))
        level = levels.setdefault((distance, side), _Level(distance, side))
        level.size += 1
        level.detours.append(max(lengths))
    for level in levels.values():
        level.detours.sort()
    return list(levels.values())


def _walks(graph: _Graph, seeds: Sequence[int]) -> list[_Walks]:
    """To every node from the nearest of the seeds, by a search of (node, parity), breadth first."""

    def heads(end: tuple[int, int]) -> list[tuple[int, int]]:
        leaving = graph.leaving[end[0]]
        spend(1 + len(leaving), "origins")
        return [(head, 1 - end[1]) for head, _ in leaving]

    walks = reached([(seed, 0) for seed in seeds], heads, 2 * graph.size)
    return [(walks.get((node, 0), inf), walks.get((node, 1), inf)) for node in range(graph.size)]


def _by_occupancy(graph: _Graph, proofs: Sequence[OccupancyProof]) -> int:
    """Nothing is sent faster than the prices of ports and odd sets pay for the cuts.

    A second proof has the prices of the last step.  In that one a packet enters a set of nodes for
    the first time only if all of its nodes receive it from outside.
    """
    entering: list[list[int]] = [[] for _ in range(graph.size)]
    for index, (_, head, _) in enumerate(graph.arcs):
        entering[head].append(index)
    weighted = [number for proof in proofs for _, number in (*proof.odd_sets, *proof.cuts)]
    listed = [*weighted, *(price for proof in proofs for price in proof.prices)]
    numbers, _ = over_common_denominator(listed, "occupancy", len(proofs) * len(graph.arcs))
    longest = 1 + sums(max(map(int.bit_length, numbers)))
    number = iter(numbers)
    paid = [[0] * len(graph.arcs) for _ in proofs]
    entered = [[0] * len(graph.arcs) for _ in proofs]
    spent, needed = [0] * len(proofs), 0
    for step, proof in enumerate(proofs):
        for position, (nodes, _) in enumerate((*proof.odd_sets, *proof.cuts)):
            weight = next(number)
            if not weight:
                continue
            spend(sum([len(entering[node]) for node in nodes]) * longest, "occupancy")
            from_inside, from_outside = _into(graph, nodes, entering)
            if position < len(proof.odd_sets):
                spent[step] += weight * (len(nodes) // 2)
                for index in from_inside:
                    paid[step][index] += weight
                continue
            needed += weight * (graph.packets - sum(graph.own[node] for node in nodes))
            at_once = len({graph.arcs[index][1] for index in from_outside}) == len(nodes)
            for row in entered if at_once else entered[:1]:
                for index in from_outside:
                    row[index] += weight
    for step, proof in enumerate(proofs):
        prices = [next(number) for _ in proof.prices]
        spent[step] += sum(prices)
        _refuse_unpaid(graph, prices, paid[step], entered[step])
    if not spent[0]:
        raise Rejected("occupancy", 0, "some price is positive")
    last = spent[1:]
    return len(last) - (sum(last) - needed) // spent[0]


def _refuse_unpaid(
    graph: _Graph, prices: Sequence[int], inside: Sequence[int], entered: Sequence[int]
) -> None:
    """Each arc costs as much as the cuts weigh that it enters; `inside` is paid by odd sets."""
    receivers = prices if graph.ports == "half-duplex" else prices[graph.size :]
    for index, (tail, head, steps) in enumerate(graph.arcs):
        paid = steps * (prices[tail] + receivers[head] + inside[index])
        if paid < entered[index]:
            rule = "the prices of its ports and odd sets pay for the cuts that an arc enters"
            raise Rejected(f"arcs[{index}]", [paid, entered[index]], rule)


def _into(
    graph: _Graph, nodes: Sequence[int], entering: Sequence[Sequence[int]]
) -> tuple[list[int], list[int]]:
    """The arcs whose head is among the nodes: those whose tail is as well, and the others."""
    members = set(nodes)
    inside: list[int] = []
    outside: list[int] = []
    for node in nodes:
        for index in entering[node]:
            (inside if graph.arcs[index][0] in members else outside).append(index)
    return inside, outside
