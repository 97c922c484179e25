"""The structures met so far, in an exact program that packs them, and bursts of further ones.

Method: columns of a `PackingProgram`, with a row for each part if an operation has several; bursts
of cheapest structures, in which resources that work much get dearer.
Limits: for `linear_programs.column_generation`, which decides what enters.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from math import exp, inf
from operator import mul
from typing import Generic, NamedTuple, Protocol, TypeVar, runtime_checkable

from exactsched.exact.patience import PATIENT, EnoughError, Patience
from exactsched.linear_programs.master_program import Optimum, PackingProgram, Proposal

S = TypeVar("S", bound=Hashable)

# Structures generated from each price vector of the linear program, and in the first burst of
# the walk that goes on from round to round and gets longer each time.
# Measured, in rounds and seconds, on broadcasts on grid 16x16 and on a random platform with n=300,
# m=1500, both with unit costs: bursts from the program's prices alone 20, 3.3 s, and 49, 29 s; the
# walk alone 5, 0.8 s, and 8, 5.4 s; both 4, 0.8 s, and 6, 3.5 s.  With one arborescence a round the
# grid takes 522 rounds and 40 s.  On costs in 0.8..1.2 (n=1000) the walk alone takes 8.4 s, both
# 1.9 s.
BATCH = 20
# An operation of many parts brings many structures at once.  Alltoall on 60 nodes with costs in
# 0.8..1.2: 20 operations a burst 15 s, 10 take 11 s, 5 take 7 s, 3 take 9 s.
SHORTEST_BURST = 5
# How far a walk goes: what is always busy gets dearer by e to this power, in a burst of any length.
# In rounds and priced structures, 177 broadcasts on random and regular platforms with n = 30, 60,
# 100, 300, degree 4 and costs in 0.8..1.2 take 653 and 11,813 with steps of 0.4 in bursts of any
# length, 599 and 10,646 with 16 here, 595 and 10,404 with 18, 607 and 10,701 with 20.  Short bursts
# gain most: the problems of benchmarks/test_alltoall.py, but for the tori of 8x8, 16x16 and 8x8x8,
# take 57 and 262,000 with steps of 0.4, 34 and 71,000 with 18, and more with 16 or 20.
WALK = 18.0
# One in this number of operations of a burst is a cheapest one, and the others are improved ones,
# where the pricing has these.  330 broadcasts with n = 10..60 and costs in 0.8..1.2 take 1,193
# rounds and 5.8 s with cheapest ones alone, 1,168 and 4.8 s with every second one, 1,157 and 4.3 s
# with every fifth, 1,209 and 5.1 s with every tenth.
CHEAPEST_OF = 5
# Shares of a mixture are counted in such parts.
GRID = 1 << 20


def quotient(over: int, under: int) -> float:
    """Infinite where it leaves the range of floats: what is proposed with it is of no use.

    >>> quotient(1, 4), quotient(10**400, 3)
    (0.25, inf)
    """
    try:
        return over / under
    except OverflowError:
        return inf


class Pricing(Protocol[S]):
    """The structures of an operation, as the cheapest ones under prices of the resources.

    Part i of an operation needs one of its structures, of which there are finitely many and at
    least one.  Prices are not negative; only their ratios matter, and resources are numbered from
    0, as the capacities are.
    """

    @property
    def parts(self) -> int:
        """How many structures one operation needs."""

    def cheapest(self, prices: Sequence[float]) -> Sequence[S]:
        """For every part a structure that is cheapest or nearly so."""

    def cheapest_exactly(self, prices: Mapping[int, int]) -> tuple[Sequence[S], Sequence[int]]:
        """For every part a cheapest structure, and its cost; prices not given are 0."""

    def load(self, structure: S) -> Mapping[int, int]:
        """How long one use of the structure keeps each resource busy."""


@runtime_checkable
class Improving(Protocol[S]):
    """A pricing that makes cheap structures from others, faster than cheapest ones."""

    def improved(self, prices: Sequence[float], last: Sequence[S]) -> Sequence[S]:
        """For every part a cheap structure, from the last ones."""


class Operation(NamedTuple, Generic[S]):
    """One structure of every part, and the load of each."""

    structures: Sequence[S]
    loads: Sequence[Mapping[int, int]]


class StructureProgram(Generic[S]):
    """The structures met so far, in a linear program that packs them.

    Where an operation has several parts, the program has a variable TP besides the weights, and a
    row for every part: TP is at most the sum of its weights.  The entries of these rows are about
    as large as loads, so that the float solver sees numbers near 1.
    """

    def __init__(
        self, pricing: Pricing[S], capacities: Sequence[int], patience: Patience = PATIENT
    ) -> None:
        self.pricing, self.patience = pricing, patience
        self._improve = pricing.improved if isinstance(pricing, Improving) else None
        count = len(capacities)
        self.part_rows = range(count, count + pricing.parts if pricing.parts > 1 else count)
        self.capacities = list(capacities)
        self.program = PackingProgram([*capacities, *(0 for _ in self.part_rows)])
        self.program.patience = patience
        self.burst_length = max(SHORTEST_BURST, BATCH // pricing.parts)
        self.priced = 0
        self.ended = False
        self.hurried = False  # there was no time for an optimum over all structures met
        self.open = False  # the bounds are apart
        self.center: list[float] = []  # the best prices met in floats
        self._column: dict[tuple[int, S], int] = {}
        self._likely: list[float] = []  # the last optimum in floats
        self._units: list[int] = []  # the entries of the rows of the parts

    def join(self, capacities: Sequence[int]) -> None:
        """Append resources that the pricing knows by now."""
        fresh = range(len(self.capacities), len(self.capacities) + len(capacities))
        entries: list[dict[int, int]] = [{} for _ in fresh]
        for (_, structure), column in self._column.items():
            load = self.pricing.load(structure)
            for resource, entry in zip(fresh, entries, strict=True):
                if resource in load:
                    entry[column] = load[resource]
        for capacity, entry in zip(capacities, entries, strict=True):
            self.program.add_row(capacity, entry)
        self.capacities += capacities

    def prices(self, duals: Sequence[float]) -> list[float]:
        """The prices of the resources; the rows of the parts have none."""
        return [*duals[: self.part_rows.start], *duals[self.part_rows.stop :]]

    def exact_prices(self, optimum: Optimum) -> dict[int, Fraction]:
        """The same of an exact optimum."""
        parts = self.part_rows
        return {
            row if row < parts.start else row - len(parts): price
            for row, price in optimum.dual.items()
            if row not in parts
        }

    def cheapest(self, prices: Sequence[float]) -> Operation[S]:
        return self._loaded(self.pricing.cheapest(prices))

    def _loaded(self, structures: Sequence[S]) -> Operation[S]:
        self.priced += self.pricing.parts
        return Operation(structures, list(map(self.pricing.load, structures)))

    def cheapest_exactly(self, prices: Mapping[int, int]) -> tuple[Operation[S], int]:
        """The cheapest operation and its cost."""
        structures, costs = self.pricing.cheapest_exactly(prices)
        return self._loaded(structures), sum(costs)

    def burst(self, prices: list[float], length: int, haste: float = inf) -> list[Operation[S]]:
        """Operations that avoid each other: after each, what it keeps busy gets dearer.

        Multiplicative weights (Plotkin, Shmoys and Tardos 1995; Young 1995): a uniform mixture of
        a long burst is nearly optimal, and the linear program finds the best mixture.  The first
        operation and every `CHEAPEST_OF`-th from there are cheapest ones; the others are the ones
        before them improved, where the pricing can.  Changes `prices` in place, for those who want
        to go on from there.  The resource that an operation keeps busy longest gets dearer by e to
        the `haste`, at most by e to `WALK` / `length`.  If the patience ends, there are fewer
        operations, but one.
        """
        found: list[Operation[S]] = []
        haste = min(haste, WALK / length)
        while len(found) < length:
            if found and self.patience.ended():
                self.ended = self.hurried = True
                break
            if self._improve is None or len(found) % CHEAPEST_OF == 0:
                operation = self.cheapest(prices)
            else:
                operation = self._loaded(self._improve(prices, operation.structures))
            found.append(operation)
            busy = dict(operation.loads[0])
            for load in islice(operation.loads, 1, None):
                for row, amount in load.items():
                    busy[row] = busy.get(row, 0) + amount
            peak = max(busy.values(), default=0) or 1
            for row, amount in busy.items():
                prices[row] *= exp(haste * (amount / peak))
        largest = max(prices, default=1.0)
        prices[:] = [price / largest for price in prices]
        return found

    def enter(self, operations: Sequence[Operation[S]]) -> bool:
        """Append the structures that are new; false if there are none."""
        before = len(self._column)
        for operation in operations:
            if self.pricing.parts > 1 and not self._units:
                self._units = [max(load.values(), default=0) or 1 for load in operation.loads]
                self.program.add_column(1, dict(zip(self.part_rows, self._units, strict=True)))
            for part, structure in enumerate(operation.structures):
                if (part, structure) not in self._column:
                    load = operation.loads[part]
                    self._column[part, structure] = self._add(part, load)
        return len(self._column) > before

    def _add(self, part: int, load: Mapping[int, int]) -> int:
        if not self._units:
            return self.program.add_column(1, load)
        parts = self.part_rows
        entries = {parts[part]: -self._units[part]}
        for resource, amount in load.items():
            entries[resource if resource < parts.start else resource + len(parts)] = amount
        return self.program.add_column(0, entries)

    def propose(self) -> Proposal | None:
        """The optimum in floats; None where the float solver or the patience gives up."""
        try:
            proposal = self.program.propose()
        except EnoughError:
            self.ended = self.hurried = True
            return None
        if proposal is not None and self.patience is not PATIENT:
            self._likely = self.program.last_values()
        return proposal

    def optimum(self) -> Optimum:
        """The exact optimum over the structures met, or `mixture` if the patience ends first."""
        try:
            return self.mixture() if self.hurried else self.program.solve()
        except EnoughError:
            self.ended = self.hurried = True
            return self.mixture()

    def mixture(self) -> Optimum:
        """The structures in the shares of the last optimum in floats, as often as there is room.

        Evenly, where there has been no such optimum.  It takes no linear program, and no prices.
        """
        met: list[list[tuple[S, int]]] = [[] for _ in range(self.pricing.parts)]
        for (part, structure), column in self._column.items():
            met[part].append((structure, column))
        shares: dict[int, int] = {}
        busy = dict.fromkeys(range(len(self.capacities)), 0)
        for structures in met:
            known = [self._likely[k] if k < len(self._likely) else 0.0 for _, k in structures]
            total = sum(known)
            if not 0 < total < inf:
                known, total = [1.0] * len(structures), len(structures)
            rounded = [int(value / total * GRID) for value in known]
            rounded[known.index(max(known))] += GRID - sum(rounded)
            for (structure, column), share in zip(structures, rounded, strict=True):
                if share:
                    shares[column] = share
                    for resource, amount in self.pricing.load(structure).items():
                        busy[resource] += amount * share
        pairs = zip(self.capacities, busy.values(), strict=True)
        unit = min(Fraction(capacity, amount) for capacity, amount in pairs if amount)
        return Optimum(unit * GRID, {column: unit * share for column, share in shares.items()}, {})

    def costs(self, operation: Operation[S], prices: Sequence[float]) -> list[float]:
        """What each structure costs, in the measure of the program."""
        scale, price_of = self.program.scale, prices.__getitem__
        try:
            return [
                sum(map(mul, (amount / scale for amount in load.values()), map(price_of, load)))
                for load in operation.loads
            ]
        except OverflowError:  # loads too far apart for floats: no bound, and the exact rounds
            return [inf] * len(operation.loads)

    def rewards(self, duals: Sequence[float]) -> list[float]:
        """What a structure of each part may cost without being dearer than the program pays."""
        if not self._units:
            return [1.0]
        scale = self.program.scale
        return [
            duals[row] * quotient(unit, scale)
            for row, unit in zip(self.part_rows, self._units, strict=True)
        ]

    def weights(self, optimum: Optimum) -> tuple[tuple[int, S, Fraction], ...]:
        """The weights by part; what a part has beyond the value is taken off."""
        by_part: list[list[tuple[S, Fraction]]] = [[] for _ in range(self.pricing.parts)]
        for (part, structure), column in self._column.items():
            if column in optimum.primal:
                by_part[part].append((structure, optimum.primal[column]))
        kept: list[tuple[int, S, Fraction]] = []
        for part, weighted in enumerate(by_part):
            total = sum([weight for _, weight in weighted])
            if total == optimum.value:  # as it mostly is; a difference takes three times as long
                kept += [(part, structure, weight) for structure, weight in weighted]
                continue
            excess = total - optimum.value
            for structure, weight in weighted:
                off = min(weight, excess)
                excess -= off
                if weight > off:
                    kept.append((part, structure, weight - off))
        return tuple(kept)
