"""The largest fractional packing of spanning arborescences into resources, with its dual prices.

The structures of a broadcast: one arborescence carries one operation, and the cheapest one under
prices is Edmonds' (`exactsched.graphs.minimum_cost_arborescence`).  The packing itself is
`pack_structures`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

from exactsched.exact.errors import InvalidInput
from exactsched.linear_programs.column_generation import Progress as Progress
from exactsched.linear_programs.column_generation import StructurePacking, pack_structures
from exactsched.steady_state.arborescence_pricing import Tree, arborescence_pricing

if TYPE_CHECKING:
    from exactsched.steady_state.arc_rates import Rates

# Given how long every arc works: further resources, which do not have so much time, as pairs (arcs
# that use it, capacity).
SeparationOracle = Callable[[Mapping[int, Fraction]], Sequence[tuple[Collection[int], int]]]


# Rounds of columns before rates of arcs are tried.  Where costs differ few columns suffice, and the
# trees are fewer and their weights shorter: a broadcast with n=300, m=1500 and costs in 100..200
# takes 2 rounds and 10 trees, by rates 87.  Where all costs are equal many trees are equally good:
# n=1000, m=5000 takes over 98 s by columns, 3 s by rates.  Half-duplex rates take fewer rounds,
# most of all if there are odd cycles: a 5x5 torus with costs in 0.8..1.2 8 and not 23.
PATIENCE = 4
PATIENCE_IF_HARD = 1


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
    _check(costs)
    return _Search(size, root, arcs, costs, uses, capacities, progress, separation).by_trees()


def pack_broadcasts(
    size: int,
    root: int,
    arcs: Sequence[tuple[int, int]],
    costs: Sequence[int],
    uses: Sequence[tuple[int, ...]],
    capacities: Sequence[int],
    progress: Progress | None = None,
    separation: SeparationOracle | None = None,
) -> ArborescencePacking:
    """The same optimum as `pack_arborescences`, faster, and maybe with more arborescences.

    By rates of arcs (`ArcRates`) where columns take long (proofs/arborescence-packing.md).

    Arguments and errors are those of `pack_arborescences`.

    >>> pack_broadcasts(
    ...     3, 0, [(0, 1), (0, 2), (1, 2), (2, 1)], [1, 1, 1, 1],
    ...     [(0, 3), (0, 4), (1, 4), (2, 3)], [1] * 5).value
    Fraction(1, 1)
    """
    _check(costs)
    search = _Search(size, root, arcs, costs, uses, capacities, progress, separation)
    hard = separation is not None or len(set(costs)) == 1
    return search.by_trees(search.by_rates, PATIENCE_IF_HARD if hard else PATIENCE)


def _check(costs: Sequence[int]) -> None:
    for index, cost in enumerate(costs):
        if cost <= 0:
            raise InvalidInput(f"cost of arc {index}", cost, "a positive integer")


class _Search:
    """A packing in the making, by trees or by rates of arcs; what ends one ends the other."""

    def __init__(
        self,
        size: int,
        root: int,
        arcs: Sequence[tuple[int, int]],
        costs: Sequence[int],
        uses: Sequence[tuple[int, ...]],
        capacities: Sequence[int],
        progress: Progress | None,
        separation: SeparationOracle | None,
    ) -> None:
        self._size, self._root, self._arcs = size, root, arcs
        self._costs, self._uses = costs, uses
        self._capacities = list(capacities)
        self._progress, self._separation = progress, separation
        self._ended, self._lower = False, 0.0
        self._pricing = arborescence_pricing(size, root, arcs, costs, uses)

    def by_trees(
        self,
        otherwise: Callable[[int, int], StructurePacking[Tree] | None] | None = None,
        patience: int | None = None,
    ) -> ArborescencePacking:
        """By columns, and after some rounds otherwise."""
        watched = self._watched if self._progress else None
        packing = pack_structures(
            self._pricing, self._capacities, watched, self._overworked, otherwise, patience
        )
        return self.result(packing)

    def result(self, packing: StructurePacking[Tree]) -> ArborescencePacking:
        """With the cuts of the last exact pricing."""
        best = self._pricing.last
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

    def _watched(self, rounds: int, lower: float, upper: float) -> bool:
        """The progress, which ends everything once it has ended anything.

        Rates tell nothing about the lower bound.  That of columns holds if no resource joins.
        """
        if not self._ended and self._progress is not None:
            if self._separation is None:
                self._lower = max(self._lower, lower)
            self._ended = self._progress(rounds, max(self._lower, lower), upper) is True
        return self._ended

    def _further(
        self, loads: Iterable[tuple[Iterable[int], Fraction]]
    ) -> Sequence[tuple[Collection[int], int]]:
        """Resources that arcs with these rates overwork, which the pricing knows from now on."""
        if self._separation is None:
            return ()
        working: dict[int, Fraction] = {}
        for arcs, rate in loads:
            for arc in arcs:
                working[arc] = working.get(arc, Fraction(0)) + self._costs[arc] * rate
        found = self._separation(working)
        self._pricing.join([arcs for arcs, _ in found], len(self._capacities))
        self._capacities += [capacity for _, capacity in found]
        return found

    def _overworked(self, weights: Sequence[tuple[int, Tree, Fraction]], _first: int) -> list[int]:
        further = self._further((tree, weight) for _, tree, weight in weights)
        return [capacity for _, capacity in further]

    def by_rates(self, rounds: int, priced: int) -> StructurePacking[Tree] | None:
        """The packing by rates of arcs, after so much work; None if the search is ended."""
        from exactsched.steady_state.arc_rates import ArcRates

        program = ArcRates(
            self._size, self._root, self._arcs, self._costs, self._uses, self._capacities
        )
        watched = self._watched if self._progress else None
        while (rates := program.solve(watched, rounds)) is not None:
            rounds = rates.rounds
            further = self._further(
                ((arc,), Fraction(number, rates.unit))
                for arc, number in enumerate(rates.carried)
                if number
            )
            if not further:
                return self._peeled(rates, priced)
            program.join(further)
        return None

    def _peeled(self, rates: Rates, priced: int) -> StructurePacking[Tree]:
        """Trees within the rates, and the prices of the resources alone.

        These are all that the proof needs: a cheapest arborescence costs 1 under them, by duality.
        """
        from exactsched.graphs.arborescence_peeling import peel_arborescences

        unit = lcm(*(price.denominator for price in rates.prices.values()))
        _, (cost,) = self._pricing.cheapest_exactly(
            {resource: int(price * unit) for resource, price in rates.prices.items()}
        )
        if cost < unit:
            raise ArithmeticError("rates of arcs disagree with their prices")
        trees = peel_arborescences(self._size, self._root, self._arcs, rates.carried, rates.total)
        return StructurePacking(
            rates.value,
            tuple((0, tree, Fraction(weight, rates.unit)) for weight, tree in trees),
            rates.prices,
            rates.rounds,
            priced + 1 + len(trees),
            rates.value,
        )
