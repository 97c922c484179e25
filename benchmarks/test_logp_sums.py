"""Summation and combining on LogP machines: seconds, and the size of the schedules.

Why these instances: 100,000 processors, with the machine of figure 6, with the postal model of one
step, where trees are bushy, and with a latency that makes them thin; the least time for so many
operands that the search for it does not stop before the last processor; the order of operands for
sums that do not commute; combining, built and checked, at 100,000 and at 10^18 processors, in
postal models of short and of long latency and on the machine of figure 1, where it may not be
optimal.
"""

from __future__ import annotations

import pytest
from conftest import TIMER

from exactsched.check import check
from exactsched.logp.combining import combining
from exactsched.logp.summation import operand_numbers, summation_of, summation_within
from exactsched.machine import LogP

pytestmark = pytest.mark.benchmark(timer=TIMER)

SIZE = 100_000
MACHINES = {
    "figure 6": LogP(5, 2, 4, SIZE),
    "postal, L = 1": LogP(1, 0, 1, SIZE),
    "L = 1000": LogP(1000, 2, 4, SIZE),
}


@pytest.mark.parametrize("name", MACHINES)
def test_summation_of(benchmark, name):
    schedule = benchmark.pedantic(summation_of, (MACHINES[name], 10**9), rounds=3)
    benchmark.extra_info.update(
        time=schedule.time, messages=len(schedule.messages), additions=len(schedule.additions)
    )


@pytest.mark.parametrize("name", MACHINES)
def test_summation_within(benchmark, name):
    schedule = benchmark.pedantic(summation_within, (MACHINES[name], 20_000), rounds=3)
    benchmark.extra_info.update(operands=schedule.count, messages=len(schedule.messages))


def test_operand_numbers(benchmark):
    schedule = summation_of(MACHINES["figure 6"], 10**9)
    numbers = benchmark.pedantic(operand_numbers, (schedule,), rounds=3)
    benchmark.extra_info.update(ranges=sum(map(len, numbers.values())))


COMBINING = {
    "L = 1, 10^5": LogP(1, 0, 1, 10**5),
    "L = 3, 10^5": LogP(3, 0, 1, 10**5),
    "figure 1, 10^5": LogP(6, 2, 4, 10**5),
    "L = 1, 10^18": LogP(1, 0, 1, 10**18),
    "L = 64, 10^18": LogP(64, 0, 1, 10**18),
    "L = 10^4, 10^18": LogP(10**4, 0, 1, 10**18),
}


@pytest.mark.parametrize("name", COMBINING)
def test_combining(benchmark, name):
    schedule = benchmark.pedantic(combining, (COMBINING[name],), rounds=3)
    benchmark.extra_info.update(time=str(schedule.time), rounds=len(schedule.rounds))


@pytest.mark.parametrize("name", COMBINING)
def test_check_combining(benchmark, name):
    schedule = combining(COMBINING[name])
    claim = benchmark.pedantic(check, (schedule,), rounds=3)
    benchmark.extra_info.update(rounds=len(schedule.rounds), bound=str(claim.bound))
