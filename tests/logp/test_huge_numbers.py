"""Machines with numbers of thousands of digits: the right answer at once, or a refusal."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from exactsched.check import check
from exactsched.exact.errors import InvalidInput
from exactsched.logp.allgather_and_alltoall import allgather, alltoall
from exactsched.logp.allreduce import allreduce
from exactsched.logp.broadcast import broadcast
from exactsched.logp.continuous import continuous_broadcast
from exactsched.logp.counts import broadcast_time
from exactsched.logp.items import broadcast_items
from exactsched.logp.summation import summation_of, summation_within
from exactsched.model.machine import LogP

HUGE = 10**5000
TINY = Fraction(1, HUGE)
ASKED: dict[str, Callable[[LogP], Any]] = {
    "broadcast": broadcast,
    "allreduce": allreduce,
    "allgather": lambda machine: allgather(machine, 2),
    "alltoall": alltoall,
    "summation": lambda machine: summation_within(machine, 30),
    "summation of": lambda machine: summation_of(machine, 30),
}


@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED.keys())
@pytest.mark.parametrize("number", [10**400, HUGE + 7, TINY], ids=["1e400", "1e5000+7", "1e-5000"])
def test_one_number_is_huge_or_tiny(asked: Callable[[LogP], Any], number: Any) -> None:
    for machine in (LogP(number, 2, 4, 8), LogP(6, number, 4, 8), LogP(6, 2, number, 8)):
        found = asked(machine)
        assert check(found).time == found.time


def test_times_of_huge_and_tiny_numbers() -> None:
    assert broadcast_time(LogP(HUGE, 2, 4, 8)) == HUGE + 4 + 6 * 4
    assert broadcast_time(LogP(6, 2, HUGE, 8)) == 7 * 10
    assert broadcast_time(LogP(6, 2, HUGE, 10**18)) == 10 * (10**18 - 1)
    assert broadcast_time(LogP(HUGE, 0, HUGE, 1000)) == 10 * HUGE
    # A hop takes two gaps, more or less: 1, 1, 2, 3, 5, 8 processors are reached.
    assert broadcast_time(LogP(2 * HUGE, 0, HUGE, 8)) == 5 * HUGE
    assert broadcast_time(LogP(2 * HUGE + 1, 0, HUGE, 8)) == 5 * HUGE + 2
    assert broadcast_time(LogP(2 * HUGE - 1, 0, HUGE, 8)) == 5 * HUGE - 1


@pytest.mark.parametrize("operands", [20, 41, 60])
def test_sums_take_a_tiny_part_longer(operands: int) -> None:
    """For a small overhead the least time is a + b o, and two overheads tell a and b."""
    first, second, third = (
        summation_of(LogP(1, overhead, Fraction(3, 2), 5), operands).time
        for overhead in (Fraction(1, 1000), Fraction(1, 3000), TINY)
    )
    slope = (first - second) / (Fraction(1, 1000) - Fraction(1, 3000))
    assert third == second + (TINY - Fraction(1, 3000)) * slope
    assert third.denominator > HUGE // 10 or slope == 0


def test_items_with_a_huge_latency() -> None:
    assert broadcast_items(HUGE, 10, 2).time == HUGE + 17
    # The root tells everybody, and the last is told one item after the other.
    assert continuous_broadcast(HUGE, 10).time == 2 * HUGE + 7


@pytest.mark.parametrize(
    ("asked", "limit"),
    [
        (lambda: broadcast(LogP(TINY, 2, 4, 10**6)), "at most 16159 of 16612 bits"),
        (lambda: continuous_broadcast(HUGE, 10**6), "at most 16161 of 16610 bits"),
        (lambda: broadcast_items(HUGE, 10**6, 2), "at most 16161 of 16610 bits"),
        (lambda: allreduce(LogP(HUGE, 2, 4, 10**6)), "more than 16161 rounds"),
        (lambda: summation_within(LogP(TINY, 0, 1, 10**6), HUGE), "at most 8080 of"),
        (lambda: summation_of(LogP(6, 2, 4, 10**6), HUGE), "at most 16161 of 16610 bits"),
    ],
)
def test_long_schedules_of_long_times_are_refused(asked: Callable[[], object], limit: str) -> None:
    with pytest.raises(InvalidInput, match=limit):
        asked()
