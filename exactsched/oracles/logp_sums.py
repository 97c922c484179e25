"""Summation on LogP machines by definition: all trees of receptions, and the bound by prices."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import ceil, floor, lcm

from exactsched.model.machine import LogP


def tick_of(machine: LogP) -> Fraction:
    """The largest unit of which L, o and g are multiples.

    >>> print(tick_of(LogP(1, "1/2", "2/3", 4)))
    1/6
    """
    return Fraction(1, lcm(*(number.denominator for number in (machine.L, machine.o, machine.g))))


def waits_of(machine: LogP, receives: bool) -> list[tuple[int, Fraction]]:
    """What may follow a reception: additions, and the time from its start to what comes next.

    The last reception is followed by one addition; an earlier one by as many as fit before the
    next reception, or by one more.

    >>> [(n, str(time)) for n, time in waits_of(LogP(1, "1/2", 1, 4), receives=True)]
    [(1, '3/2')]
    """
    if not receives:
        return [(1, machine.o + 1)]
    gap = max(machine.g, machine.o + 1)
    room = gap - machine.o
    return [(floor(room), gap)] + [(ceil(room), machine.o + ceil(room))] * (room != floor(room))


def most_operands_of_trees(machine: LogP, time: Fraction | int) -> int:
    """The most operands that are added within `time`, over all trees of receptions and all waits.

    What is complete at y ends with y additions of its own, or has a reception before it: its last
    one and an addition, or one that is followed by others.

    >>> most_operands_of_trees(LogP(1, 0, 1, 3), 4)
    8
    >>> most_operands_of_trees(LogP(1, "1/2", 1, 4), 10)
    25
    """
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
    """The least, over all whole prices z, of 1 + z (P - 1) and what a tree of any size is worth.

    A tree is worth its additions less z for every message.

    >>> priced_bound(LogP(1, 0, 1, 3), Fraction(4))
    8
    """
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
