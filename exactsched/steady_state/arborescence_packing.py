"""The largest fractional packing of spanning arborescences into resources, with its dual prices.

The structures of a broadcast: one arborescence carries one operation, and the cheapest one under
prices is Edmonds' (`exactsched.graphs.minimum_cost_arborescence`).  The packing itself is
`pack_structures`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from exactsched.exact.errors import InvalidInput
from exactsched.graphs.minimum_cost_arborescence import (
    Arborescence,
    arborescence_and_cuts,
    cheapest_arborescence,
)
from exactsched.linear_programs.column_generation import Progress as Progress
from exactsched.linear_programs.column_generation import pack_structures
from exactsched.steady_state.arc_lengths import ArcLengths

Tree = tuple[int, ...]
# Given how long every arc works: further resources, which do not have so much time, as pairs (arcs
# that use it, capacity).
SeparationOracle = Callable[[Mapping[int, Fraction]], Sequence[tuple[Collection[int], int]]]


@dataclass(frozen=True, slots=True)
class ArborescencePacking:
    """Arborescences with weights, and prices with cuts, of the same value (see `pack_structures`).

    `trees` holds pairs (arc indices, weight).  No resource works more than its capacity; `value`
    is the sum of the weights.  Under lengths (cost times prices of the resources that the arc
    uses) the cuts, written as in `Arborescence`, pack into the arcs with total weight 1, and
    `bound` is the sum of capacity times price.  `rounds` and `priced` count the linear programs
    and the arborescences computed.
    """

    value: Fraction
    trees: tuple[tuple[Tree, Fraction], ...]
    prices: dict[int, Fraction]
    order: tuple[int, ...]
    cuts: tuple[tuple[int, int, Fraction], ...]
    rounds: int
    priced: int
    bound: Fraction


def pack_arborescences(
    size: int,
    root: int,
    arcs: Sequence[tuple[int, int]],
    costs: Sequence[int],
    uses: Sequence[tuple[int, ...]],
    capacities: Sequence[int],
    progress: Progress | None = None,
    separation: SeparationOracle | None = None,
) -> ArborescencePacking:
    """The most arborescences per time unit equals the cheapest pricing of them (LP duality).

    An arborescence that contains arc k keeps each resource in `uses[k]` busy for `costs[k]`
    (positive integers); resource r offers `capacities[r]` (positive integers).  Resources that
    `separation` names while the packing overworks them are numbered on from there.  At most as many
    arborescences get a weight as there are resources: it is a basic solution.

    Raises `InvalidInput` for other numbers, if a node cannot be reached from the root, and if some
    arborescence keeps nothing busy, whose number is unbounded.

    Every round costs one linear program with a row per resource and some tens of arborescences of
    O(m log m); numbers in the result have at most as many digits as a determinant of the
    basis.

    >>> both_ways = pack_arborescences(
    ...     3, 0, [(0, 1), (0, 2), (1, 2), (2, 1)], [1, 1, 1, 1],
    ...     [(0, 3), (0, 4), (1, 4), (2, 3)], [1] * 5)
    >>> both_ways.value, both_ways.rounds > 0
    (Fraction(1, 1), True)
    """
    for index, cost in enumerate(costs):
        if cost <= 0:
            raise InvalidInput(f"cost of arc {index}", cost, "a positive integer")
    pricing = _Pricing(size, root, arcs, costs, uses)

    def overworked(weights: Sequence[tuple[int, Tree, Fraction]], first: int) -> list[int]:
        working: dict[int, Fraction] = {}
        for _, tree, weight in weights:
            for arc in tree:
                working[arc] = working.get(arc, Fraction(0)) + costs[arc] * weight
        found = separation(working) if separation else ()
        pricing.join([arcs for arcs, _ in found], first)
        return [capacity for _, capacity in found]

    packing = pack_structures(pricing, capacities, progress, overworked)
    best = pricing.last
    unit = Fraction(1, best.cost)
    return ArborescencePacking(
        packing.value,
        tuple((tree, weight) for _, tree, weight in packing.weights),
        packing.prices,
        best.order,
        tuple((start, stop, weight * unit) for start, stop, weight in best.cuts),
        packing.rounds,
        packing.priced,
        packing.bound,
    )


class _Pricing:
    """Cheapest arborescences under prices of the resources, in floats and exactly."""

    parts = 1
    last: Arborescence[int]  # the last one computed exactly

    def __init__(
        self,
        size: int,
        root: int,
        arcs: Sequence[tuple[int, int]],
        costs: Sequence[int],
        uses: Sequence[tuple[int, ...]],
    ) -> None:
        self._size, self._root = size, root
        self._tails = [tail for tail, _ in arcs]
        self._heads = [head for _, head in arcs]
        self._costs, self._uses = costs, uses
        self._lengths = ArcLengths(costs, uses)

    def join(self, users: Sequence[Collection[int]], first: int) -> None:
        """Resources from number `first` on join, each used by some arcs."""
        further: list[tuple[int, ...]] = [()] * len(self._uses)
        for row, arcs in enumerate(users, first):
            for arc in arcs:
                further[arc] += (row,)
        self._uses = [uses + more for uses, more in zip(self._uses, further, strict=True)]
        self._lengths = ArcLengths(self._costs, self._uses)

    def load(self, structure: Tree) -> dict[int, int]:
        return self._lengths.load(structure)

    def cheapest(self, prices: Sequence[float]) -> tuple[Tree]:
        lengths = self._lengths.floats(prices)
        return (cheapest_arborescence(self._size, self._root, self._tails, self._heads, lengths),)

    def cheapest_exactly(self, prices: Mapping[int, int]) -> tuple[tuple[Tree], tuple[int]]:
        lengths = self._lengths.exact(prices)
        self.last = arborescence_and_cuts(self._size, self._root, self._tails, self._heads, lengths)
        return (self.last.arcs,), (self.last.cost,)
