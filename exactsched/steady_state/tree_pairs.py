"""Cheapest structures of order-free reductions and messages: pairs of trees, trees and paths."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import gcd, inf, lcm
from typing import Any

from exactsched.certificate.bounds import Bound, Cut, OddSet, RootCuts, TreeBound
from exactsched.exact.arguments import over_common_denominator
from exactsched.graphs.minimum_cost_arborescence import (
    Arborescence,
    arborescence_and_cuts,
    cheapest_arborescence,
)
from exactsched.graphs.shortest_paths import spread
from exactsched.model.platform import Node
from exactsched.model.problem import Combination
from exactsched.model.tasks import WeightedStructure, calls
from exactsched.steady_state.arc_lengths import ArcLengths
from exactsched.steady_state.call_paths import CallPaths, Calls
from exactsched.steady_state.charges import Charges

# The calls of the in-tree and those of the out-tree, by their numbers, for a block.
Pair = tuple[int, tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class _Trees:
    """The cheapest trees to a root and from it, and distances from it; each if it is needed."""

    inwards: Arborescence[int] | None
    outwards: Arborescence[int] | None
    distances: tuple[int, ...] = ()
    via: tuple[int, ...] = ()

    @property
    def cost(self) -> int:
        """Of both trees together."""
        return sum(tree.cost for tree in (self.inwards, self.outwards) if tree)


class TreePairs:
    """Cheapest pairs of trees under prices of the resources, in floats and exactly.

    Durations are integers in 1 / `unit` of a time unit; resources offer their `capacities`.
    """

    def __init__(self, problem: Combination) -> None:
        place, arcs = problem.platform.position, problem.platform.arcs
        charges = Charges.of(problem)
        member = {node: index for index, node in enumerate(problem.members)}
        self.exact = True  # whether what is said to be cheapest is so
        self.problem, self.names = problem, charges.names
        self.ways = CallPaths(problem)
        self.size = len(member)
        self.parts = len(problem.blocks)
        self.ends = [(place[arc.tail], place[arc.head]) for arc in arcs]
        self._costs, self._uses = charges.costs, charges.uses
        self.sizes, self.sized = over_common_denominator([one.size for one in problem.blocks])
        self.capacities = [capacity * self.sized for capacity in charges.capacities]
        self.unit = charges.unit * self.sized
        self.lengths = ArcLengths(self._costs, self._uses)
        # Of every block the root of a tree to it, the source of a tree or path from it, and the
        # target of a path; None where there is none.  Where all are None, any root will do.
        self._ends: list[tuple[int | None, int | None, int | None]] = []
        for _, targets, source in problem.blocks:
            end = member[targets[0]] if len(targets) == 1 else None
            message = source is not None
            start = None if source is None else member[source]
            self._ends.append((None if message else end, start, end if message else None))
        self._shared = (None, None, None) in self._ends
        self._exactly: dict[int, _Trees] = {}  # of the last prices

    def join(self, users: Sequence[Collection[int]], first: int) -> None:
        """Resources from number `first` on join, each used by some arcs."""
        further: list[tuple[int, ...]] = [()] * len(self._uses)
        for row, arcs in enumerate(users, first):
            for arc in arcs:
                further[arc] += (row,)
        self._uses = [uses + more for uses, more in zip(self._uses, further, strict=True)]
        self.lengths = ArcLengths(self._costs, self._uses)

    def load(self, structure: Pair) -> dict[int, int]:
        part, gathering, spreading = structure
        return self.lengths.load(self.ways.arcs((*gathering, *spreading)), self.sizes[part])

    def structure(self, pair: Pair, weight: Fraction) -> WeightedStructure:
        """The pair as tasks."""
        part, gathering, spreading = pair
        paths = self.ways.paths
        return calls(self.problem, part, paths(gathering), paths(spreading), weight)

    def working(self, weights: Sequence[tuple[int, Pair, Fraction]]) -> dict[int, Fraction]:
        """How long every arc works."""
        times: dict[int, Fraction] = {}
        for part, (_, gathering, spreading), weight in weights:
            for arc in self.ways.arcs((*gathering, *spreading)):
                time = self._costs[arc] * self.sizes[part] * weight
                times[arc] = times.get(arc, Fraction(0)) + time
        return times

    def cheapest(self, prices: Sequence[float]) -> list[Pair]:
        known = self.ways.shortest(self.lengths.floats(prices))
        tails, heads, lengths, _ = known
        best = _best_pair(self.size, known) if self._shared else ((), ())
        trees: dict[tuple[int, bool], tuple[int, ...]] = {}
        ways: dict[int, Sequence[int]] = {}

        def tree(root: int, inwards: bool) -> tuple[int, ...]:
            if (root, inwards) not in trees:
                ends = (heads, tails) if inwards else (tails, heads)
                found = cheapest_arborescence(self.size, root, *ends, lengths)
                trees[root, inwards] = numbers_of(known, found)
            return trees[root, inwards]

        found: list[Pair] = []
        for part, (to, start, end) in enumerate(self._ends):
            if to is not None:
                found.append((part, tree(to, True), ()))
            elif start is None:
                found.append((part, *best))
            elif end is None:
                found.append((part, (), tree(start, False)))
            else:
                if start not in ways:
                    labels = [inf] * self.size
                    labels[start] = 0.0
                    ways[start] = spread(labels, _leaving(self.size, known), lengths, inf)
                way = _path(known, ways[start], start, end)
                found.append((part, (), numbers_of(known, way)))
        return found

    def cheapest_exactly(self, prices: Mapping[int, int]) -> tuple[list[Pair], list[int]]:
        known = self.ways.shortest(self.lengths.exact(prices))
        tails, heads, lengths, _ = known
        every = set(range(self.size)) if self._shared else set[int]()
        inwards = every.union(to for to, _, _ in self._ends if to is not None)
        outwards = every.union(v for _, v, end in self._ends if v is not None and end is None)
        sources = {v for _, v, end in self._ends if v is not None and end is not None}
        self._exactly = {
            root: _Trees(
                arborescence_and_cuts(self.size, root, heads, tails, lengths)
                if root in inwards
                else None,
                arborescence_and_cuts(self.size, root, tails, heads, lengths)
                if root in outwards
                else None,
                *(self._distances(root, known) if root in sources else ()),
            )
            for root in sorted(inwards | outwards | sources)
        }
        best = min(every, key=lambda root: self._exactly[root].cost, default=None)
        found: list[Pair] = []
        costs: list[int] = []
        for part, (to, start, end) in enumerate(self._ends):
            shared = to is None and start is None
            into, out = (best, best) if shared else (to, start)
            gathering: tuple[int, ...] = ()
            spreading: tuple[int, ...] = ()
            cost = 0
            if into is not None and (tree := self._exactly[into].inwards):
                gathering, cost = tree.arcs, tree.cost
            if out is not None and end is not None:
                trees = self._exactly[out]
                spreading, cost = _path(known, trees.via, out, end), trees.distances[end]
            elif out is not None and (tree := self._exactly[out].outwards):
                spreading, cost = tree.arcs, cost + tree.cost
            found.append((part, numbers_of(known, gathering), numbers_of(known, spreading)))
            costs.append(cost * self.sizes[part])
        return found, costs

    def _distances(self, start: int, known: Calls[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Distances from a node, up to that of its farthest target, and the last calls of paths."""
        far = sum(known.lengths) + 1
        labels = [far] * self.size
        labels[start] = 0
        via = spread(labels, _leaving(self.size, known), known.lengths, far)
        farthest = max(labels[end] for _, v, end in self._ends if v == start and end is not None)
        return tuple(min(label, farthest) for label in labels), tuple(via)

    def charged(self, prices: Mapping[int, Fraction]) -> dict[int, int]:
        """What resources charge per time unit, in integers; the last ones are odd sets."""
        whole = lcm(*(price.denominator for price in prices.values()))
        count = len(self.names)
        return {
            row: int(price * whole) * (self.capacities[row] if row < count else self.unit)
            for row, price in prices.items()
        }

    def priced(
        self, charged: Mapping[int, int], common: int, odd: Sequence[Sequence[int]]
    ) -> tuple[dict[str, Fraction], tuple[OddSet, ...]]:
        """The same by names, and by odd sets, over a common divisor."""
        count, nodes = len(self.names), self.problem.platform.nodes
        rows = [(row, Fraction(price, common)) for row, price in charged.items()]
        return {self.names[row]: price for row, price in rows if row < count}, tuple(
            OddSet(tuple(nodes[node] for node in odd[row - count]), price)
            for row, price in rows
            if row >= count
        )

    def bound(self, prices: Mapping[int, Fraction], odd: Sequence[Sequence[int]]) -> Bound:
        """The cuts that the last prices give, all in integers without a common divisor."""
        charged = self.charged(prices)
        weights = [
            weight
            for trees in self._exactly.values()
            for tree in (trees.inwards, trees.outwards)
            if tree
            for _, _, weight in tree.cuts
        ]
        weights += [number for trees in self._exactly.values() for number in trees.distances]
        common = gcd(*charged.values(), *(weight * self.sized for weight in weights))
        nodes = self.problem.members

        def order(tree: Arborescence[int] | None) -> tuple[Node, ...]:
            return tuple(nodes[index] for index in tree.order) if tree else ()

        def cuts(tree: Arborescence[int] | None) -> tuple[Cut, ...]:
            return tuple(
                Cut(start, stop, Fraction(weight * self.sized, common))
                for start, stop, weight in (tree.cuts if tree else ())
            )

        def levels(distances: Sequence[int]) -> tuple[tuple[Node, ...], tuple[Cut, ...]]:
            """The sets of nodes that are farther than each distance that occurs."""
            far = sorted(
                (node for node, distance in enumerate(distances) if distance),
                key=lambda node: -distances[node],
            )
            steps = sorted(set(distances), reverse=True)
            sets = [
                Cut(
                    0,
                    sum(distances[node] >= one for node in far),
                    Fraction((one - other) * self.sized, common),
                )
                for one, other in pairwise(steps)
            ]
            return tuple(nodes[node] for node in far), tuple(sets)

        named, odd_sets = self.priced(charged, common, odd)
        return TreeBound(
            named,
            tuple(
                RootCuts(
                    nodes[root],
                    order(trees.inwards),
                    cuts(trees.inwards),
                    order(trees.outwards),
                    cuts(trees.outwards),
                    *levels(trees.distances),
                )
                for root, trees in self._exactly.items()
            ),
            odd_sets,
        )


def _leaving(size: int, known: Calls[Any]) -> list[list[tuple[int, int]]]:
    """The calls of every node of the group, with their heads."""
    found: list[list[tuple[int, int]]] = [[] for _ in range(size)]
    for call, (tail, head) in enumerate(zip(known.tails, known.heads, strict=True)):
        found[tail].append((call, head))
    return found


def _path(known: Calls[Any], via: Sequence[int], start: int, end: int) -> tuple[int, ...]:
    """The calls of a shortest path, from its start on."""
    path: list[int] = []
    while end != start:
        path.append(via[end])
        end = known.tails[via[end]]
    return tuple(reversed(path))


def numbers_of(known: Calls[Any], chosen: Iterable[int]) -> tuple[int, ...]:
    return tuple(known.numbers[index] for index in chosen)


def _best_pair(size: int, known: Calls[float]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The cheapest trees to a root and from it.

    Every node but the root pays at least its shortest call on either side.  Roots are tried in
    the order of these bounds, until a bound is no better than what has been found: on a
    complete graph of 16 nodes, link ports, that takes 6.9 s instead of 9.8 s in all.
    """
    tails, heads, lengths, _ = known
    out, into = [inf] * size, [inf] * size
    for tail, head, length in zip(tails, heads, lengths, strict=True):
        out[tail] = min(out[tail], length)
        into[head] = min(into[head], length)
    saved = [one + other for one, other in zip(out, into, strict=True)]
    total = sum(saved)
    least = inf
    best: tuple[tuple[int, ...], tuple[int, ...]] = (), ()
    for root in sorted(range(size), key=saved.__getitem__, reverse=True):
        if total - saved[root] >= least:
            break
        gathering = cheapest_arborescence(size, root, heads, tails, lengths)
        spreading = cheapest_arborescence(size, root, tails, heads, lengths)
        cost = sum([lengths[call] for call in (*gathering, *spreading)])
        if cost < least:
            least, best = cost, (gathering, spreading)
    return numbers_of(known, best[0]), numbers_of(known, best[1])
