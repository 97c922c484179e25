"""The largest rate of broadcasts, as a linear program of how often each arc carries a message.

Method: one variable for each arc, a row for each resource and for each set of nodes that was found
to be entered by too little; floats find nearly all of these sets, exact numbers the rest.
Limits: for kernels: nothing is checked.  Costs over many decades are hard for the floats.

The proofs are in `proofs/arborescence-packing.md`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from statistics import median_low

from exactsched.exact.arguments import over_common_denominator
from exactsched.exact.dice import Dice
from exactsched.graphs.reachability import breadth_first
from exactsched.graphs.root_connectivity import unmet_from_root
from exactsched.linear_programs.column_generation import Progress, quotient
from exactsched.linear_programs.master_program import Optimum, PackingProgram

# What floats carry is counted in this part of the rate, and may be that much too low.
GRID, NEAR = 2**40, 2**14
# Of all optima those are preferred that lead away from the root, by this much of the optimum:
# without, vertices are met that need many more sets.  A random platform with n=1000, m=5000 and
# costs 1..100: 134 rounds without, 3 with; and trees from such rates are fewer.
LEAN, CHANCE = 1e-3, 0.2


@dataclass(frozen=True, slots=True)
class Rates:
    """`total` enters every set without the root, arc k carries `carried[k]`: over `unit`, all.

    `prices` are those of the resources: what they offer costs `total / unit`, and an arborescence
    at least 1.  `rounds` counts the linear programs, `sets` the rows of sets.
    """

    total: int
    carried: list[int]
    unit: int
    prices: dict[int, Fraction]
    rounds: int
    sets: int

    @property
    def value(self) -> Fraction:
        """The rate of the broadcasts."""
        return Fraction(self.total, self.unit)


class ArcRates:
    """How often each arc may carry a message, such that most of them enter every set.

    Arc k keeps each resource in `uses[k]` busy for `costs[k]`; resource r offers `capacities[r]`,
    all of them positive integers.

    >>> rates = ArcRates(
    ...     3, 0, [(0, 1), (0, 2), (1, 2), (2, 1)], [1, 1, 1, 1],
    ...     [(0, 3), (0, 4), (1, 4), (2, 3)], [1] * 5)
    >>> rates.solve(None).value
    Fraction(1, 1)
    """

    def __init__(
        self,
        size: int,
        root: int,
        arcs: Sequence[tuple[int, int]],
        costs: Sequence[int],
        uses: Sequence[tuple[int, ...]],
        capacities: Sequence[int],
    ) -> None:
        self._size, self._root, self._arcs, self._costs = size, root, arcs, costs
        self._into: list[list[int]] = [[] for _ in range(size)]
        for arc, (tail, head) in enumerate(arcs):
            if tail != head != root:
                self._into[head].append(arc)
        # Column 0 is the rate, column k + 1 what arc k carries.  The entries of sets are about as
        # large as those of costs.
        self._program = PackingProgram(capacities)
        self._row_of = list(range(len(capacities)))
        self._middle = median_low(costs)
        self._known: set[frozenset[int]] = set()
        self._columns = range(len(arcs) + 1)
        self._program.add_column(1, {})
        for cost, rows in zip(costs, uses, strict=True):
            self._program.add_column(0, dict.fromkeys(rows, cost))
        others = frozenset(range(size)).difference([root])
        for nodes in (*(frozenset([node]) for node in sorted(others)), others):
            self._learn(nodes)
        self._leaning = self._away_from_the_root()

    def _away_from_the_root(self) -> dict[int, float]:
        heads: list[list[int]] = [[] for _ in range(self._size)]
        for tail, head in self._arcs:
            heads[tail].append(head)
        level = breadth_first([self._root], heads.__getitem__)
        dice, leaning = Dice(0), {}
        for arc, (tail, head) in enumerate(self._arcs):
            further = (level[head] > level[tail]) - (level[head] < level[tail])
            cost, share = self._costs[arc], LEAN / self._size * (further + CHANCE * dice.random())
            leaning[arc + 1] = share * quotient(cost, 1 << max(cost, self._middle).bit_length() - 1)
        return leaning

    def join(self, resources: Sequence[tuple[Collection[int], int]]) -> None:
        """Append resources: the arcs that use each, and what it offers."""
        for arcs, capacity in resources:
            entries = {arc + 1: self._costs[arc] for arc in arcs}
            self._row_of.append(self._program.add_row(capacity, entries))

    def _learn(self, nodes: frozenset[int]) -> bool:
        """A row for a set: the rate enters it.  False if there is one."""
        if nodes in self._known:
            return False
        self._known.add(nodes)
        entries = {0: self._middle}
        for node in nodes:
            for arc in self._into[node]:
                if self._arcs[arc][0] not in nodes:
                    entries[arc + 1] = -self._middle
        self._program.add_row(0, entries)
        return True

    def solve(self, progress: Progress | None, rounds: int = 0) -> Rates | None:
        """The optimum, after the rounds made before, or None if the progress ends the search.

        Each exact optimum but the last one teaches a set that is new, so there is a last one.
        """
        while True:
            self._program.lean(self._leaning)
            while (values := self._program.proposed_values()) is not None:
                rounds += 1
                rate = values[0]
                if _ended(progress, rounds, rate * quotient(self._program.largest, 1)):
                    return None
                if not 0 < rate < inf:
                    break
                carried = [int(min(1.0, value / rate) * GRID) for value in values[1:]]
                if not self._separate(carried, GRID - NEAR):
                    break
            self._program.lean({})
            optimum = self._program.solve()
            rounds += 1
            if _ended(progress, rounds, quotient(*optimum.value.as_integer_ratio())):
                return None
            exact = [optimum.primal.get(column, Fraction(0)) for column in self._columns]
            (total, *carried), unit = over_common_denominator(exact)
            if not self._separate(carried, total):
                return Rates(total, carried, unit, self._prices(optimum), rounds, len(self._known))

    def _separate(self, carried: Sequence[int], total: int) -> bool:
        """Learns sets that are entered by less than that, if any are new."""
        unmet = unmet_from_root(self._size, self._root, self._arcs, carried, total)
        return sum(self._learn(frozenset(nodes)) for nodes in unmet) > 0

    def _prices(self, optimum: Optimum) -> dict[int, Fraction]:
        dual = optimum.dual
        return {place: dual[row] for place, row in enumerate(self._row_of) if row in dual}


def _ended(progress: Progress | None, rounds: int, upper: float) -> bool:
    return progress is not None and progress(rounds, 0.0, upper) is True
