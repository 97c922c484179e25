"""Cheapest structures of order-free reductions and messages: pairs of trees, trees and paths."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm

from exactsched.certificate.bounds import Bound, OddSet, TreeBound
from exactsched.exact.arguments import over_common_denominator
from exactsched.exact.patience import PATIENT, Patience
from exactsched.model.problem import Combination
from exactsched.model.tasks import WeightedStructure, calls
from exactsched.steady_state.arc_lengths import ArcLengths
from exactsched.steady_state.charges import Charges
from exactsched.steady_state.group_trees import GroupTrees, Pair


class TreePairs:
    """Cheapest pairs of trees under prices of the resources, in floats and exactly.

    Durations are integers in 1 / `unit` of a time unit; resources offer their `capacities`.
    """

    def __init__(self, problem: Combination) -> None:
        place, arcs = problem.platform.position, problem.platform.arcs
        charges = Charges.of(problem)
        self.exact = True  # whether what is said to be cheapest is so
        self.problem, self.names = problem, charges.names
        self.groups = {number: GroupTrees(problem, number) for number in problem.parts_of}
        self.ways = [self.groups[block.group].ways for block in problem.blocks]
        self.parts = len(problem.blocks)
        self.ends = [(place[arc.tail], place[arc.head]) for arc in arcs]
        self._costs, self._uses = charges.costs, charges.uses
        self.sizes, self.sized = over_common_denominator([one.size for one in problem.blocks])
        self.capacities = [capacity * self.sized for capacity in charges.capacities]
        self.unit = charges.unit * self.sized
        self.lengths = ArcLengths(self._costs, self._uses)

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
        return self.lengths.load(self.ways[part].arcs((*gathering, *spreading)), self.sizes[part])

    def structure(self, pair: Pair, weight: Fraction) -> WeightedStructure:
        """The pair as tasks."""
        part, gathering, spreading = pair
        paths = self.ways[part].paths
        return calls(self.problem, part, paths(gathering), paths(spreading), weight)

    def working(self, weights: Sequence[tuple[int, Pair, Fraction]]) -> dict[int, Fraction]:
        """How long every arc works."""
        times: dict[int, Fraction] = {}
        for part, (_, gathering, spreading), weight in weights:
            for arc in self.ways[part].arcs((*gathering, *spreading)):
                time = self._costs[arc] * self.sizes[part] * weight
                times[arc] = times.get(arc, Fraction(0)) + time
        return times

    def cheapest(self, prices: Sequence[float]) -> list[Pair]:
        lengths = self.lengths.floats(prices)
        return sorted(pair for trees in self.groups.values() for pair in trees.cheapest(lengths))

    def cheapest_exactly(
        self, prices: Mapping[int, int], patience: Patience = PATIENT
    ) -> tuple[list[Pair], list[int]]:
        lengths = self.lengths.exact(prices)
        found = sorted(
            one
            for trees in self.groups.values()
            for one in trees.cheapest_exactly(lengths, patience)
        )
        costs = [cost * size for (_, cost), size in zip(found, self.sizes, strict=True)]
        return [pair for pair, _ in found], costs

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
        weights = [number for trees in self.groups.values() for number in trees.numbers()]
        common = gcd(*charged.values(), *(weight * self.sized for weight in weights))
        named, odd_sets = self.priced(charged, common, odd)
        unit = Fraction(self.sized, common)
        rows = tuple(row for trees in self.groups.values() for row in trees.rows(unit))
        return TreeBound(named, rows, odd_sets)
