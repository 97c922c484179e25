"""Summation on LogP machines by definition: all trees of receptions, and the bound by prices."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import ceil, floor, lcm

from exactsched.model.machine import LogP

# What may follow a reception: additions, and from its start to what comes next.
Wait = tuple[int, Fraction]
Most = Callable[[Fraction, bool, int], int]


def tick_of(machine: LogP) -> Fraction:
    """All starts can be multiples of this."""
    numbers = (machine.L, machine.o, machine.g)
    return Fraction(1, lcm(*(number.denominator for number in numbers)))


def waits_of(machine: LogP, receives: bool) -> list[Wait]:
    """After the last reception one addition; after others as many as fit, or one more."""
    if not receives:
        return [(1, machine.o + 1)]
    gap = max(machine.g, machine.o + 1)
    room = gap - machine.o
    return [(floor(room), gap)] + [(ceil(room), machine.o + ceil(room))] * (room != floor(room))


def most_operands_of_trees(machine: LogP, time: Fraction) -> int:
    """The largest number of operands, over all trees of receptions and all ways to wait."""
    arrival = machine.L + machine.o

    @cache
    def most(free: Fraction, receives: bool, processors: int) -> int:
        best = floor(free)
        for additions, earlier in waits_of(machine, receives):
            sent = free - earlier - arrival
            for others in range(1, processors if sent >= 0 else 0):
                own = most(free - earlier, True, processors - others)
                best = max(best, additions + own + most(sent, False, others))
        return best

    return 1 + most(Fraction(time), False, machine.P)


def priced_bound(machine: LogP, time: Fraction) -> int:
    """The least over all prices of what a tree of any size is worth, and P - 1 prices."""
    arrival = machine.L + machine.o

    def worth(price: int) -> int:
        @cache
        def most(free: Fraction, receives: bool) -> int:
            best = floor(free)
            for additions, earlier in waits_of(machine, receives):
                sent = free - earlier - arrival
                if sent >= 0:
                    rest = most(free - earlier, True) + most(sent, False)
                    best = max(best, additions - price + rest)
            return best

        return most(Fraction(time), False)

    if time < 0:
        return 0
    return 1 + min(price * (machine.P - 1) + worth(price) for price in range(floor(time) + 2))
