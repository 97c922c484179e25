"""The largest fractional packing of structures into resources, with its dual prices.

This is the engine of every steady state: a resource can work one unit of time per unit of time,
each structure (an arborescence, a route, a reduction tree) keeps some of them busy, an operation
takes one structure of each of its parts, and the question is how many operations fit.  Column
generation finds it: a linear program over the structures met so far prices the resources, and the
cheapest structures under these prices are the next to enter or the proof that none can.

Method: an exact master program prices the resources; from its prices a burst of cheapest structures
is generated, in which resources that work much get dearer.
Limits: slow on large symmetric platforms with unit costs, where many optima compete.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, inf, lcm
from operator import mul
from typing import Generic, Protocol

from exactsched.exact.errors import InvalidInput
from exactsched.exact.patience import PATIENT, Patience
from exactsched.linear_programs.master_program import Optimum
from exactsched.linear_programs.structure_program import (
    SHORTEST_BURST,
    S,
    StructureProgram,
)
from exactsched.linear_programs.structure_program import Pricing as Pricing
from exactsched.linear_programs.structure_program import quotient as quotient

# Given (part, structure, weight) and a number: the capacities of resources, of finitely many, that
# these keep busy for longer than they can work.  From then on the pricing knows these resources,
# by that number and the following.  There are none if the weights respect everything.
SeparationOracle = Callable[[Sequence[tuple[int, S, Fraction]], int], Sequence[int]]


class Progress(Protocol):
    """Called after every linear program; what it answers may end the search."""

    def __call__(self, rounds: int, lower: float, upper: float, /) -> object:
        """`lower` and `upper` are bounds on the value, as good as floats are.

        If it returns True, the search ends with the best that it has, an interval.
        """


class Listener:
    """A progress that a search without rounds asks whether it is to end.

    It is told how often it was asked, and what the value is known to be at most.

    >>> told = []
    >>> listener = Listener(lambda *bounds: told.append(bounds) or len(told) == 2)
    >>> listener.upper = Fraction(1, 2)
    >>> [listener.asked(), listener.asked(), told]
    [False, True, [(1, 0.0, 0.5), (2, 0.0, 0.5)]]
    """

    def __init__(self, progress: Progress | None, upper: Fraction | None = None) -> None:
        self.upper = upper
        self._progress, self._times = progress, 0
        self.patience = PATIENT if progress is None else Patience(self.asked)

    def asked(self) -> bool:
        """Whether it is enough; once it is, that does not change."""
        self._times += 1
        upper = inf if self.upper is None else quotient(*self.upper.as_integer_ratio())
        return self._progress is not None and self._progress(self._times, 0.0, upper) is True


# How much longer the walk gets that goes on from round to round (see `WALK` and `BATCH`).
# After a whole burst it goes on with a shortest one.  Broadcasts with costs in 0.8..1.2, when steps
# were 0.4: if that is a burst and a half, eight platforms with n=30 have 614 structures priced
# instead of 402, one with n=1000, degree 5, 229 instead of 112; all in the same rounds.
GROWTH = 1.5
# Bursts get finer as the bounds come closer: no haste, and no share of prices spread evenly, is
# larger than this many times the relative gap.  Half-duplex broadcasts on 64 nodes with costs in
# 0.8..1.2, half of all links: 541 rounds and 159 s without, 19 rounds and 1.8 s with; a tenth of
# all links: 173 rounds and 17 s without, 61 rounds and 3.0 s with.  The first rounds are better off
# without: a one-port broadcast with n=30, m=120 and costs in 0.8..1.2 prices 50 structures in 3
# rounds, and 127 in 9 rounds if bursts get finer from the start.
HASTE_PER_GAP = 10.0
SHARE_PER_GAP = 1.0
FINER_FROM = 4
# The share of the prices that is spread evenly at the start of a burst, at most.
SMOOTHING = 0.1
# Resources times parts, from which on a burst or a float optimum may take more than a second.
LONG_ROUNDS = 500
# Where the float rounds stop; the exact rounds that follow decide, whatever is left.
FLOAT_GAP = 2.0**-36
# The length of rounded exact prices; costs over sixty decades need more than a float has.
PRICE_BITS = 256
# How many float rounds in a row may go by without bringing the bounds closer.
STALL_LIMIT = 3


@dataclass(frozen=True, slots=True)
class StructurePacking(Generic[S]):
    """Structures with weights, and prices, of the same value, unless the search was ended.

    `weights` holds (part, structure, weight), by part; in every part the weights add up to `value`,
    and no resource works more than its capacity.  Under `prices` one operation costs at least 1,
    and `bound` is the sum of capacity times price: the value, or more if the search was ended.
    `rounds` and `priced` count the linear programs and the structures computed.
    """

    value: Fraction
    weights: tuple[tuple[int, S, Fraction], ...]
    prices: dict[int, Fraction]
    rounds: int
    priced: int
    bound: Fraction


def pack_structures(
    pricing: Pricing[S],
    capacities: Sequence[int],
    progress: Progress | None = None,
    overworked: SeparationOracle[S] | None = None,
    otherwise: Callable[[int, int], StructurePacking[S] | None] | None = None,
    patience: int | None = None,
) -> StructurePacking[S]:
    """The most operations per time unit equal the cheapest prices of one operation (LP duality).

    Resource r offers `capacities[r]` (positive integers).  Where there are too many resources to
    list them, `overworked` names further ones when they are needed (cutting planes).  At most as
    many structures get a weight as there are resources and, if there are several parts, parts: it
    is a basic solution.  The last call of `pricing.cheapest_exactly` is the one with the prices of
    the result, times their common denominator.

    If `progress` returns True, the packing of the structures met so far and the best prices met
    are returned.  It is asked between rounds.  Where the bounds are still apart after `patience`
    rounds, `otherwise` is asked for the packing, with the rounds made and the structures priced; if
    it has none, it may have appended resources to `capacities`.

    Raises `InvalidInput` for other capacities, and if some operation keeps nothing busy, which
    makes the optimum infinite.

    Every round costs one linear program with a row per resource and part, and some tens of calls of
    `pricing.cheapest`; numbers in the result have at most as many digits as a determinant of the
    basis.

    Reference: proofs/arborescence-packing.md; Gilmore and Gomory 1961; Wentges 1997.

    >>> class TwoMachines:  # either does part 0, in 2 and in 1; only machine 1 does part 1
    ...     parts = 2
    ...     def cheapest(self, prices):
    ...         return int(prices[1] < 2 * prices[0]), 1
    ...     def cheapest_exactly(self, prices):
    ...         first, second = 2 * prices.get(0, 0), prices.get(1, 0)
    ...         return (int(second < first), 1), (min(first, second), second)
    ...     def load(self, machine):
    ...         return {machine: 2 - machine}
    >>> packing = pack_structures(TwoMachines(), [1, 1])
    >>> packing.value, packing.prices
    (Fraction(3, 4), {0: Fraction(1, 4), 1: Fraction(1, 2)})
    >>> sorted((part, machine, str(weight)) for part, machine, weight in packing.weights)
    [(0, 0, '1/2'), (0, 1, '1/4'), (1, 1, '3/4')]
    """
    for row, capacity in enumerate(capacities):
        if capacity <= 0:
            raise InvalidInput(f"capacity of resource {row}", capacity, "a positive integer")
    search = StructureProgram(pricing, capacities, _patience(pricing, capacities, progress))
    rounds = _float_rounds(search, 0, progress, patience)
    if otherwise and search.open:
        packing = otherwise(rounds, search.priced)
        if packing is not None:
            return packing
        search.join(capacities[len(search.capacities) :])
        rounds = _float_rounds(search, rounds, progress)
    while True:
        packing = _exact_rounds(search, rounds, progress)
        found = overworked(packing.weights, len(search.capacities)) if overworked else ()
        if not found:
            return packing
        search.join(found)
        rounds = _float_rounds(search, packing.rounds, progress)


def pack_nearly(
    pricing: Pricing[S],
    capacities: Sequence[int],
    progress: Progress | None = None,
    overworked: SeparationOracle[S] | None = None,
) -> StructurePacking[S]:
    """The packing of the structures met, and a bound: where no cheapest structures are known.

    As `pack_structures`, but `pricing.cheapest_exactly` may return any structures, with lower
    bounds on what a cheapest one costs; the bound is the best one that it gives for prices met.

    >>> class Guess:  # one machine does it in 1, the other one in 3; it guesses that it takes 1/2
    ...     parts = 1
    ...     def cheapest(self, prices):
    ...         return (1,)
    ...     def cheapest_exactly(self, prices):
    ...         return (1,), (prices.get(1, 0),)
    ...     def load(self, machine):
    ...         return {1: 2}
    >>> packing = pack_nearly(Guess(), [1, 1])
    >>> packing.value, packing.bound
    (Fraction(1, 2), Fraction(1, 1))
    """
    search = StructureProgram(pricing, capacities, _patience(pricing, capacities, progress))
    rounds = 0
    while True:
        rounds = _float_rounds(search, rounds, progress)
        packing = _interval(search, search.optimum(), {}, rounds)
        found = overworked(packing.weights, len(search.capacities)) if overworked else ()
        if not found:
            return packing
        search.join(found)


def _patience(
    pricing: Pricing[S], capacities: Sequence[int], progress: Progress | None
) -> Patience:
    """Asks within rounds, too, where these may be long."""
    if progress is None or len(capacities) * pricing.parts < LONG_ROUNDS:
        return PATIENT
    return Listener(progress).patience


def _float_rounds(
    search: StructureProgram[S], before: int, progress: Progress | None, most: int | None = None
) -> int:
    """Generate columns with float prices until the float bounds meet; returns the rounds made.

    That is, together with those made `before`.  After `most` rounds the search may be left open.

    Prices are taken halfway between those of the linear program and the best ones met (Wentges
    1997): without, the prices jump about.  With one arborescence a round, a random platform with
    n=1000 took 27 rounds, and was far from done after 324 rounds and 40 s without.
    """
    count, program = len(search.capacities), search.program
    # Rows that joined may offer more, but the program measures by the largest of the first ones.
    largest = program.largest
    offers = [capacity / largest for capacity in search.capacities]
    center = [1.0 / max(offer, 1e-300) for offer in offers]
    floor, ceiling, idle = 0.0, inf, 0
    walk, length = _mixed(center), search.burst_length
    search.center, search.open = center, False
    if search.ended:
        return before
    search.enter(search.burst(walk, length))
    if search.hurried:
        search.center = walk
        return before
    length = SHORTEST_BURST
    rounds = before
    while rounds < before + 100 * count:
        proposal = search.propose()
        rounds += 1
        if proposal is None or not 0 < sum(proposal.duals) < inf:
            break
        gap = ceiling - floor
        floor = max(floor, proposal.value)
        rewards = search.rewards(proposal.duals)
        for mix in (0.5, 0.0):
            prices = [
                mix * good + (1 - mix) * new
                for good, new in zip(center, search.prices(proposal.duals), strict=True)
            ]
            operation = search.cheapest(prices)
            price = sum(search.costs(operation, prices))
            bound = sum(map(mul, prices, offers)) / price if price > 0 else ceiling
            if bound < ceiling:
                ceiling, center = bound, prices
                search.center = center
            costs = search.costs(operation, proposal.duals)
            if any(c < r * (1 - FLOAT_GAP) for c, r in zip(costs, rewards, strict=True)):
                break
        if progress is not None:
            ratio = quotient(largest, program.scale)
            if progress(rounds, proposal.value * ratio, ceiling * ratio) is True:
                search.ended = True
                break
        # Rounding errors may keep the bounds apart for ever (costs over nine decades do).
        idle = idle + 1 if ceiling - floor >= gap * (1 - FLOAT_GAP) else 0
        if ceiling - floor <= FLOAT_GAP * ceiling or idle == STALL_LIMIT:
            break
        search.open = rounds - before == most
        if search.open:
            break
        relative = 1 - floor / ceiling
        haste, share = inf, SMOOTHING
        if rounds >= FINER_FROM:
            haste = HASTE_PER_GAP * relative
            share = min(share, SHARE_PER_GAP * relative)
        near = _mixed(prices, share)
        found = search.burst(near, search.burst_length, haste)
        if not search.enter([operation, *found, *search.burst(walk, length, haste)]):
            break
        length = min(ceil(length * GROWTH), count)
    return rounds


def _exact_rounds(
    search: StructureProgram[S], rounds: int, progress: Progress | None
) -> StructurePacking[S]:
    """Generate columns with exact prices until these prove the optimum, or the search is ended."""
    count = len(search.capacities)
    center: dict[int, int] = {}
    floor_of_cost = Fraction(0)  # the best bound met: cost of the cheapest per unit of price
    while True:
        rounds += 1
        optimum = search.optimum()
        if search.ended:
            return _interval(search, optimum, center, rounds)
        exact_prices = search.exact_prices(optimum)
        denominator = lcm(*(price.denominator for price in exact_prices.values()))
        best, cost = search.cheapest_exactly(
            {row: int(price * denominator) for row, price in exact_prices.items()}
        )
        if cost >= denominator:
            weights = search.weights(optimum)
            value = optimum.value
            return StructurePacking(value, weights, exact_prices, rounds, search.priced, value)
        if not search.enter([best]):
            raise ArithmeticError("a pricing disagrees with its own loads")
        # The float prices were not good enough.  As in the float rounds, look halfway to the
        # best prices met as well: any prices give a valid bound, so they may be rounded.
        near = _rounded(exact_prices)
        halfway = {row: near.get(row, 0) + center.get(row, 0) for row in near | center}
        for prices in (near, halfway):
            operation, cost = search.cheapest_exactly(prices)
            offered = sum(search.capacities[row] * price for row, price in prices.items())
            if Fraction(cost, offered) > floor_of_cost:
                floor_of_cost, center = Fraction(cost, offered), prices
            search.enter([operation])
        floats = [near.get(row, 0) / 2.0**PRICE_BITS for row in range(count)]
        search.enter(search.burst(_mixed(floats), search.burst_length))
        if progress is not None:
            lower = quotient(*optimum.value.as_integer_ratio())
            upper = quotient(floor_of_cost.denominator, floor_of_cost.numerator or 1)
            search.ended = progress(rounds, lower, upper) is True


def _interval(
    search: StructureProgram[S], optimum: Optimum, center: dict[int, int], rounds: int
) -> StructurePacking[S]:
    """The packing of the structures met, and the best bound of the prices met."""
    floats = {row: Fraction(price) for row, price in enumerate(search.center) if price > 0}
    evenly = dict.fromkeys(range(len(search.capacities)), 1)
    # A mixture has no prices.
    own = (_in_integers(search.exact_prices(optimum)), center) if optimum.dual else ()
    found: list[tuple[Fraction, dict[int, Fraction]]] = []
    for prices in (*own, _rounded(floats), evenly):
        _, cost = search.cheapest_exactly(prices)
        if cost:
            offered = sum(search.capacities[row] * price for row, price in prices.items())
            unit = {row: Fraction(price, cost) for row, price in prices.items() if price}
            found.append((Fraction(offered, cost), unit))
    bound, best = min(found, key=lambda item: item[0])
    denominator = lcm(*(price.denominator for price in best.values()))
    search.cheapest_exactly({row: int(price * denominator) for row, price in best.items()})
    weights = search.weights(optimum)
    return StructurePacking(optimum.value, weights, best, rounds, search.priced, bound)


def _in_integers(prices: dict[int, Fraction]) -> dict[int, int]:
    """The same prices if they are short: the optimum may have been met, and they prove it."""
    denominator = lcm(*(price.denominator for price in prices.values()))
    if denominator.bit_length() > PRICE_BITS:
        return _rounded(prices)
    return {row: int(price * denominator) for row, price in prices.items()}


def _rounded(prices: dict[int, Fraction]) -> dict[int, int]:
    """Prices of total about 2^PRICE_BITS, in integers."""
    total = sum(prices.values())
    return {row: int(price * 2**PRICE_BITS / total) for row, price in prices.items()}


def _mixed(prices: Sequence[float], share: float = SMOOTHING) -> list[float]:
    """Prices of total 1 of which a share is spread evenly, so that none is zero."""
    total = sum(prices) or 1.0
    return [(1 - share) * price / total + share / len(prices) for price in prices]
