"""The largest fractional packing of spanning arborescences into resources, with its dual prices.

This is the engine of every steady state: a resource can work one unit of time per unit of time,
each arborescence keeps some of them busy, and the question is how many fit.  Column generation
finds it: a linear program over the arborescences met so far prices the resources, and a
minimum-cost arborescence under these prices is the next to enter or the proof that none can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import repeat
from math import exp, lcm
from operator import add, mul

from exactsched.arborescence import (
    Arborescence,
    arborescence_and_cuts,
    cheapest_arborescence,
)
from exactsched.errors import InvalidInput
from exactsched.packing_program import PackingProgram

Progress = Callable[[int, float, float], None]

# Arborescences generated from each price vector of the linear program, and in the first burst
# of the walk that goes on from round to round and gets GROWTH times longer each time.
# Measured, in rounds and seconds, on grid 16x16 and on a random platform with n=300, m=1500, both
# with unit costs: bursts from the program's prices alone 20, 3.3 s, and 49, 29 s; the walk alone
# 5, 0.8 s, and 8, 5.4 s; both 4, 0.8 s, and 6, 3.5 s.  With one arborescence a round the grid
# takes 522 rounds and 40 s.  On costs in 0.8..1.2 (n=1000) the walk alone takes 8.4 s, both 1.9 s.
BURST = 20
GROWTH = 1.5
# How fast the price of a busy resource rises within a burst; 0.02, 0.05 and 0.1 work alike.
HASTE = 0.1
# Where the float rounds stop; the exact rounds that follow decide, whatever is left.
FLOAT_GAP = 2.0**-36
# The length of rounded exact prices; costs over sixty decades need more than a float has.
PRICE_BITS = 256
# Costs farther apart than this leave the range of floats; then all rounds are exact.
FLOAT_RANGE = 2**900
# How many float rounds in a row may go by without bringing the bounds closer.
PATIENCE = 3


@dataclass(frozen=True, slots=True)
class ArborescencePacking:
    """Arborescences with weights, and prices with cuts, of the same value.

    `trees` holds pairs (arc indices, weight).  No resource works more than its capacity; `value`
    is the sum of the weights.  Under lengths (cost times prices of the resources that the arc
    uses) the cuts, written as in `Arborescence`, pack into the arcs with total weight 1, and
    `value` is the sum of capacity times price.  `rounds` and `priced` count the linear programs
    and the arborescences computed.
    """

    value: Fraction
    trees: tuple[tuple[tuple[int, ...], Fraction], ...]
    prices: dict[int, Fraction]
    order: tuple[int, ...]
    cuts: tuple[tuple[int, int, Fraction], ...]
    rounds: int
    priced: int


def pack_arborescences(
    size: int,
    root: int,
    arcs: Sequence[tuple[int, int]],
    costs: Sequence[int],
    uses: Sequence[tuple[int, ...]],
    capacities: Sequence[int],
    progress: Progress | None = None,
) -> ArborescencePacking:
    """The most arborescences per time unit equals the cheapest pricing of them (LP duality).

    An arborescence that contains arc k keeps each resource in `uses[k]` busy for `costs[k]`
    (positive integers); resource r offers `capacities[r]` (positive integers).  At most as many
    arborescences get a weight as there are resources: it is a basic solution.

    Raises `InvalidInput` for other numbers, if a node cannot be reached from the root, and if some
    arborescence keeps nothing busy, so that any number of it fits.

    Every round costs one linear program with a row per resource and BURST arborescences of
    O(m log m); numbers in the result have at most as many digits as a determinant of the
    basis.

    >>> both_ways = pack_arborescences(
    ...     3, 0, [(0, 1), (0, 2), (1, 2), (2, 1)], [1, 1, 1, 1],
    ...     [(0, 3), (0, 4), (1, 4), (2, 3)], [1] * 5)
    >>> both_ways.value, both_ways.rounds > 0
    (Fraction(1, 1), True)
    """
    for place, values in (("cost of arc", costs), ("capacity of resource", capacities)):
        for index, value in enumerate(values):
            if value <= 0:
                raise InvalidInput(f"{place} {index}", value, "a positive integer")
    pricing = _Pricing(size, root, arcs, costs, uses)
    program = PackingProgram(capacities)
    known: set[tuple[int, ...]] = set()

    def enter(trees: Sequence[tuple[int, ...]]) -> bool:
        """Append the arborescences that are new; false if there are none."""
        fresh = [tree for tree in dict.fromkeys(trees) if tree not in known]
        for tree in fresh:
            known.add(tree)
            program.add_column(1, pricing.load(tree))
        return bool(fresh)

    rounds = _float_rounds(pricing, program, enter, capacities, progress)
    center: dict[int, int] = {}
    floor_of_cost = Fraction(0)  # the best bound met: cost of the cheapest tree per unit of price
    while True:
        rounds += 1
        optimum = program.solve()
        best, denominator = pricing.exact(optimum.dual)
        if best.cost >= denominator:
            break
        # The float prices were not good enough.  As in the float rounds, look halfway to the
        # best prices met as well: any prices give a valid bound, so they may be rounded.
        near = _rounded(optimum.dual)
        halfway = {row: near.get(row, 0) + center.get(row, 0) for row in near | center}
        for prices in (near, halfway):
            tree = pricing.cheapest_exactly(prices)
            bound = Fraction(tree.cost, sum(capacities[row] * prices[row] for row in prices))
            if bound > floor_of_cost:
                floor_of_cost, center = bound, prices
            enter([tree.arcs])
        enter([best.arcs])
        floats = [near.get(row, 0) / 2.0**PRICE_BITS for row in range(len(capacities))]
        enter(pricing.burst(_mixed(floats), BURST))
    unit = Fraction(1, best.cost)
    return ArborescencePacking(
        optimum.value,
        tuple((pricing.trees[column], weight) for column, weight in optimum.primal.items()),
        optimum.dual,
        best.order,
        tuple((start, stop, weight * unit) for start, stop, weight in best.cuts),
        rounds,
        pricing.count,
    )


def _float_rounds(
    pricing: _Pricing,
    program: PackingProgram,
    enter: Callable[[Sequence[tuple[int, ...]]], bool],
    capacities: Sequence[int],
    progress: Progress | None,
) -> int:
    """Generate columns with float prices until the float bounds meet; returns the rounds made.

    Prices are taken halfway between those of the linear program and the best ones met (Wentges
    1997): without, the prices jump about.  With one arborescence a round, a random platform with
    n=1000 took 27 rounds, and was far from done after 324 rounds and 40 s without.
    """
    largest = max(capacities, default=1)
    offers = [capacity / largest for capacity in capacities]
    center = [1.0 / max(offer, 1e-300) for offer in offers]
    floor, ceiling, idle = 0.0, float("inf"), 0
    walk, length = _mixed(center), BURST
    enter(pricing.burst(walk, length))
    rounds = 0
    if pricing.largest > FLOAT_RANGE * pricing.least:
        return rounds
    for rounds in range(1, 100 * len(capacities)):
        proposal = program.propose()
        if proposal is None or not any(proposal.duals):
            return rounds
        gap = ceiling - floor
        floor = max(floor, proposal.value)
        for mix in (0.5, 0.0):
            prices = [
                mix * good + (1 - mix) * new
                for good, new in zip(center, proposal.duals, strict=True)
            ]
            tree = pricing.cheapest(prices)
            price = pricing.price(tree, prices, program.scale)
            bound = sum(map(float.__mul__, prices, offers)) / price if price > 0 else ceiling
            if bound < ceiling:
                ceiling, center = bound, prices
            if pricing.price(tree, proposal.duals, program.scale) < 1 - FLOAT_GAP:
                break
        if progress is not None:
            ratio = largest / program.scale
            progress(rounds, proposal.value * ratio, ceiling * ratio)
        # Rounding errors may keep the bounds apart for ever (costs over nine decades do).
        idle = idle + 1 if ceiling - floor >= gap * (1 - FLOAT_GAP) else 0
        if ceiling - floor <= FLOAT_GAP * ceiling or idle == PATIENCE:
            return rounds
        length = min(int(length * GROWTH), len(capacities))
        burst = pricing.burst(_mixed(prices), BURST) + pricing.burst(walk, length)
        if not enter([tree, *burst]):
            return rounds
    return rounds


def _rounded(prices: dict[int, Fraction]) -> dict[int, int]:
    """Prices of total about 2^PRICE_BITS, in integers."""
    total = sum(prices.values())
    return {row: int(price * 2**PRICE_BITS / total) for row, price in prices.items()}


def _mixed(prices: Sequence[float]) -> list[float]:
    """Prices of total 1 of which a tenth is spread evenly, so that none is zero."""
    total = sum(prices) or 1.0
    return [0.9 * price / total + 0.1 / len(prices) for price in prices]


class _Pricing:
    """Cheapest arborescences under prices of the resources, in floats and exactly."""

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
        self.largest, self.least = max(costs, default=1), min(costs, default=1)
        self._float_costs = [cost / self.largest for cost in costs]
        # The k-th resource of every arc, for each k; -1, where it has fewer, is a free one.
        most = max(map(len, uses), default=0)
        self._ranks = [[rows[k] if k < len(rows) else -1 for rows in uses] for k in range(most)]
        self.trees: list[tuple[int, ...]] = []
        self.count = 0

    def load(self, tree: tuple[int, ...]) -> dict[int, int]:
        """How long one use of the arborescence keeps each resource busy; remembers the tree."""
        self.trees.append(tree)
        busy: dict[int, int] = {}
        for arc in tree:
            for row in self._uses[arc]:
                busy[row] = busy.get(row, 0) + self._costs[arc]
        return busy

    def price(self, tree: tuple[int, ...], prices: Sequence[float], scale: int) -> float:
        return sum(
            self._costs[arc] / scale * sum(prices[row] for row in self._uses[arc]) for arc in tree
        )

    def cheapest(self, prices: Sequence[float]) -> tuple[int, ...]:
        # By map and not by comprehension: these lengths were a sixth of the running time.
        priced = [*prices, 0.0].__getitem__
        totals: Iterable[float] = repeat(0.0, len(self._costs))
        for rank in self._ranks:
            totals = map(add, totals, map(priced, rank))
        self.count += 1
        return cheapest_arborescence(
            self._size,
            self._root,
            self._tails,
            self._heads,
            list(map(mul, self._float_costs, totals)),
        )

    def exact(self, prices: dict[int, Fraction]) -> tuple[Arborescence[int], int]:
        """The cheapest arborescence with its cuts; costs are over the returned denominator."""
        denominator = lcm(*(price.denominator for price in prices.values()))
        whole = {row: int(price * denominator) for row, price in prices.items()}
        return self.cheapest_exactly(whole), denominator

    def cheapest_exactly(self, prices: dict[int, int]) -> Arborescence[int]:
        """The cheapest arborescence under integer prices, those not given being zero."""
        lengths = [
            cost * sum(prices.get(row, 0) for row in rows)
            for cost, rows in zip(self._costs, self._uses, strict=True)
        ]
        self.count += 1
        return arborescence_and_cuts(self._size, self._root, self._tails, self._heads, lengths)

    def burst(self, prices: list[float], length: int) -> list[tuple[int, ...]]:
        """Arborescences that avoid each other: after each, what it keeps busy gets dearer.

        Multiplicative weights (Plotkin, Shmoys and Tardos 1995; Young 1995): a uniform mixture of
        a long burst is nearly optimal, and the linear program finds the best mixture.  Changes
        `prices` in place, for those who want to go on from there.
        """
        found: list[tuple[int, ...]] = []
        for _ in range(length):
            tree = self.cheapest(prices)
            found.append(tree)
            busy: dict[int, float] = {}
            for arc in tree:
                for row in self._uses[arc]:
                    busy[row] = busy.get(row, 0.0) + self._float_costs[arc]
            peak = max(busy.values(), default=0.0)
            if peak == 0.0:  # too cheap for a float beside the dearest arc
                break
            for row, amount in busy.items():
                prices[row] *= exp(HASTE * amount / peak)
        largest = max(prices, default=1.0)
        prices[:] = [price / largest for price in prices]
        return found
