"""How many operands can be added up on a LogP machine, at most, from the shapes of the receptions.

Times are integers, and an addition takes `unit` of them.  The bound prices processors and
maximizes what the others leave; it and its proof are on the page `proofs/logp-summation.md`.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Final

from exactsched.certificate.budget import hold, spend, sums
from exactsched.check.logp.universal_tree import labels_in_order

# What a time at which something may be received takes: steps, and bits in memory.
_STEPS: Final = 16
_BITS: Final = 1 << 10


@dataclass(frozen=True, slots=True)
class _Shapes:
    """What a processor may do before the time y, as numbers 2 * y + (something comes after it).

    After a reception that starts at y comes one addition, or as many as the gap has room for, or
    one more than these, for which the reception that is next backwards starts earlier.
    """

    unit: int
    first: tuple[tuple[int, int, int], ...]
    next: tuple[tuple[int, int, int], ...]  # (additions, how much earlier, and the sender's send)
    least: tuple[int, int]  # what a reception before y has to leave at a price of 0

    def most(self, time: int, price: int) -> int:
        """The largest number of additions, less the price for every message."""
        unit, charge = self.unit, price * self.unit
        order, waiting, seen = [], [-2 * time], {2 * time}
        while waiting:
            state = -heappop(waiting)
            before, later = state >> 1, state & 1
            if before <= charge + self.least[later]:
                continue
            order.append(state)
            spend(_STEPS * sums(state.bit_length()), "machine")
            hold((_BITS + 4 * state.bit_length()) * len(order), "machine")
            for _, earlier, sent in self.next if later else self.first:
                for follows in (2 * (before - earlier) + 1, 2 * (before - sent)):
                    if follows not in seen:
                        seen.add(follows)
                        heappush(waiting, -follows)
        most = {state: (state >> 1) // unit for state in seen}
        for state in reversed(order):
            before, later = state >> 1, state & 1
            best = most[state]
            for additions, earlier, sent in self.next if later else self.first:
                rest = most[2 * (before - earlier) + 1] + most[2 * (before - sent)]
                best = max(best, additions - price + rest)
            most[state] = best
        return most[2 * time]


def most_operands(
    latency: int, overhead: int, gap: int, unit: int, processors: int, time: int
) -> int:
    """A number of operands that no algorithm exceeds within the time; 0 before the start.

    It is 1 + the least price * (processors - 1) + `most(price)` over all whole prices.  This is
    convex, and near the least price a processor more brings as much as it costs.

    >>> most_operands(5, 2, 4, 1, 8, 28), most_operands(2, 1, 2, 2, 4, 20)
    (79, 25)
    """
    if time < 0:
        return 0
    period = max(gap, overhead + unit)
    least = (latency + 3 * overhead + unit, latency + 2 * overhead + period)
    whole = (period - overhead) // unit
    waits = [(whole, period)]
    if (period - overhead) % unit:
        waits.append((whole + 1, overhead + (whole + 1) * unit))
    arrival = latency + overhead
    after = tuple((additions, wait, wait + arrival) for additions, wait in waits)
    first = ((1, overhead + unit, overhead + unit + arrival),)
    shapes = _Shapes(unit, first, after, least)
    last = 0
    for label, _ in labels_in_order(latency + 2 * overhead + unit, period, processors):
        last = label
        if label >= time:  # the price that the search begins with is 0
            break

    def bound(price: int) -> int:
        return price * (processors - 1) + shapes.most(time, price)

    price = max((time - last - overhead) // unit, 0)
    best = bound(price)
    while (dearer := bound(price + 1)) < best:
        price, best = price + 1, dearer
    while price and (cheaper := bound(price - 1)) < best:
        price, best = price - 1, cheaper
    return 1 + best
