"""A lower bound on the time of one allgather: latencies, and then what has to enter a set.

Method: the sets that are tight for large messages and for whole shards, and all single nodes of the
group; shortest paths by latency; prices of the arcs into a set.
Limits: the port model "link".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import lcm

from exactsched.certificate.bounds import LatencyBound
from exactsched.graphs.shortest_paths import spread
from exactsched.graphs.splitting_off import largest_multiple
from exactsched.model.problem import Allgather


def best_bound(problem: Allgather, size: Fraction) -> tuple[Fraction, LatencyBound]:
    """The best bound found on the time of an allgather of shards `size` times as large as stated.

    For every way to cut shards into segments; a transfer carries a part of one shard.  The proof is
    that for a run of one operation: with M of them, `startup` is to be divided by M.  Some arc has
    to enter every set without all of the group.  A shortest path search for each set that is tried.

    >>> from exactsched.model.platform import Platform
    >>> pair = Platform("ab", [("a", "b", 1, 3), ("b", "a", 1, 3)])
    >>> best_bound(Allgather(pair, (("a", 1), ("b", 1))), Fraction(5))[0]
    Fraction(8, 1)
    """
    ways = _Ways(problem)
    tried = {frozenset([node]): None for node in ways.group}
    tried |= dict.fromkeys(_tight(problem, size))
    found = [
        ways.bound(size, inside, roots) for inside in tried for roots in ways.root_sets(inside)
    ]
    return max(found, key=lambda item: item[0])


def for_operations(bound: LatencyBound, operations: int) -> LatencyBound:
    """The same proof for a message in some segments: each pays its part of the start-ups."""
    return replace(bound, startup=bound.startup / operations)


def _tight(problem: Allgather, size: Fraction) -> Iterator[frozenset[int]]:
    """The sets that are entered by least for their shards: for large messages, and for one packet.

    At latency + size * cost for a transfer of the largest shard, as in a run that cuts nothing.
    """
    platform = problem.platform
    ends = [(platform.position[arc.tail], platform.position[arc.head]) for arc in platform.arcs]
    demands = [Fraction(0)] * len(platform.nodes)
    for node, part in problem.shards:
        demands[platform.position[node]] = part
    others = [platform.position[node] for node in platform.nodes if node not in problem.group]
    largest = size * max(demands)
    for times in (
        [arc.cost for arc in platform.arcs],
        [arc.latency + largest * arc.cost for arc in platform.arcs],
    ):
        capacities = [1 / time for time in times]
        yield frozenset(largest_multiple(len(demands), ends, capacities, others, demands)[1])


class _Ways:
    """The arcs by their ends, with latencies as integers in units of 1 / `unit`."""

    def __init__(self, problem: Allgather) -> None:
        platform = problem.platform
        self.problem = problem
        self.group = frozenset(platform.position[node] for node, _ in problem.shards)
        self.roots = [platform.position[root.node] for root in problem.roots]
        self.unit = lcm(*(arc.latency.denominator for arc in platform.arcs))
        self.latencies = [int(arc.latency * self.unit) for arc in platform.arcs]
        self.far = sum(self.latencies) + 1
        self.tails = [platform.position[arc.tail] for arc in platform.arcs]
        self.heads = [platform.position[arc.head] for arc in platform.arcs]
        self.forwards = self._leaving(self.tails, self.heads)
        self.backwards = self._leaving(self.heads, self.tails)

    def _leaving(self, tails: list[int], heads: list[int]) -> list[list[tuple[int, int]]]:
        leaving: list[list[tuple[int, int]]] = [[] for _ in self.problem.platform.nodes]
        for arc, (tail, head) in enumerate(zip(tails, heads, strict=True)):
            leaving[tail].append((arc, head))
        return leaving

    def _distances(
        self, starts: Iterable[int], leaving: Sequence[Sequence[tuple[int, int]]]
    ) -> list[int]:
        """By latency; where nothing comes, as far as anywhere else."""
        labels = [self.far] * len(leaving)
        for node in starts:
            labels[node] = 0
        spread(labels, leaving, self.latencies, self.far)
        longest = max(label for label in labels if label < self.far)
        return [min(label, longest) for label in labels]

    def root_sets(self, inside: frozenset[int]) -> list[tuple[int, ...]]:
        """The roots outside a set, and the one that is farthest; nothing if all are inside."""
        outside = [index for index, node in enumerate(self.roots) if node not in inside]
        if len(outside) < 2:
            return [tuple(outside)] if outside else []
        late = self._distances(inside & self.group, self.backwards)
        farthest = max(outside, key=lambda index: late[self.roots[index]])
        return [tuple(outside), (farthest,)]

    def bound(
        self, size: Fraction, inside: frozenset[int], roots: tuple[int, ...]
    ) -> tuple[Fraction, LatencyBound]:
        """The bound for this set and these roots, at the best prices of the arcs into the set.

        A transfer carries at most a shard, of size z say, so an arc with the price 1 / (c + l / z)
        is paid for each unit of size at least 1: latencies are paid in proportion.  Where shards
        differ, each pays t on top; the bound is a quotient of functions of t that are linear
        between the points l / c, so it is largest at one of them, at 0, or if only t is paid.
        """
        platform = self.problem.platform
        early = self._distances([self.roots[index] for index in roots], self.forwards)
        late = self._distances(inside & self.group, self.backwards)
        crossing = [
            arc
            for arc, (tail, head) in enumerate(zip(self.tails, self.heads, strict=True))
            if head in inside and tail not in inside
        ]
        arcs = {arc: platform.arcs[arc] for arc in crossing}
        needed = size * sum((self.problem.roots[index].size for index in roots), start=Fraction(0))
        sizes = {size * self.problem.roots[index].size for index in roots}
        ends = min(sizes), max(sizes)
        asked = {(Fraction(1), Fraction(0))}
        if len(sizes) > 1:
            asked |= {(Fraction(1), arc.latency / arc.cost) for arc in arcs.values()}
            asked.add((Fraction(0), Fraction(1)))
        best: tuple[Fraction, Fraction, Fraction, dict[str, Fraction]] | None = None
        for weight, startup in sorted(asked):
            prices = {
                f"link:{index}": max(
                    (weight * part + startup) / (arc.cost * part + arc.latency) for part in ends
                )
                for index, arc in arcs.items()
            }
            paid = (needed * weight + len(roots) * startup) / sum(prices.values())
            if best is None or paid > best[0]:
                best = paid, weight, startup, prices
        assert best is not None
        paid, weight, startup, prices = best
        first = min(early[self.tails[arc]] for arc in crossing)
        last = min(late[self.heads[arc]] for arc in crossing)
        proof = LatencyBound(
            prices,
            tuple(platform.nodes[node] for node in sorted(inside)),
            roots,
            tuple(Fraction(time, self.unit) for time in early),
            tuple(Fraction(time, self.unit) for time in late),
            weight,
            startup,
        )
        return Fraction(first + last, self.unit) + paid, proof
