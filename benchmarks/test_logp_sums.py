"""Summation and combining on LogP machines: seconds, and the size of the schedules.

Why these instances: 100,000 processors, with the machine of figure 6, with the postal model of one
step, where trees are bushy, and with a latency that makes them thin; the least time for so many
operands that the search for it does not stop before the last processor; the order of operands for
sums that do not commute; combining at 100,000 processors in the three postal models whose schedules
can be listed, and in rounds alone at 10^18.
"""

from __future__ import annotations

import pytest
from conftest import TIMER

from exactsched.logp.combining import combining, combining_rounds
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


@pytest.mark.parametrize("latency", [1, 3, 10])
def test_combining(benchmark, latency):
    schedule = benchmark.pedantic(combining, (LogP(latency, 0, 1, SIZE),), rounds=3)
    benchmark.extra_info.update(time=schedule.time, messages=len(schedule.messages))


@pytest.mark.parametrize("latency", [1, 64, 10**4])
def test_combining_rounds(benchmark, latency):
    plan = benchmark.pedantic(combining_rounds, (LogP(latency, 0, 1, 10**18),), rounds=3)
    benchmark.extra_info.update(time=plan.time, rounds=len(plan.rounds))
