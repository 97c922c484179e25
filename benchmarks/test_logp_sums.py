"""LogP machines: summation and combining.

Why these instances: 100,000 processors, with the machine of figure 6, with the postal model of one
step, where trees are bushy, and with a latency that makes them thin; the least time for this many
operands that the search for it does not stop before the last processor; the order of operands for
sums that do not commute; rational machines, where additions fill the gaps between receptions or do
not; combining, built and checked, at 100,000 and at 10^18 processors, in
postal models of short and of long latency and on the machine of figure 1, where it may not be
optimal.  The checker is given the schedule as it is.
"""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from conftest import TIMER, checked

from exactsched.check import check
from exactsched.logp.allreduce import allreduce
from exactsched.logp.summation import operand_numbers, summation_of, summation_within
from exactsched.model.machine import LogP

pytestmark = pytest.mark.benchmark(timer=TIMER)

SIZE = 100_000
MACHINES = {
    "figure 6": LogP(5, 2, 4, SIZE),
    "postal, L = 1": LogP(1, 0, 1, SIZE),
    "L = 1000": LogP(1000, 2, 4, SIZE),
    "thirds, gaps filled": LogP("22/7", "1/3", "5/11", SIZE),
    "halves, gaps not filled": LogP("11/2", "3/2", "17/4", SIZE),
    "thirds, gaps not filled": LogP("22/7", "1/3", "12/5", SIZE),
    "L = 2001/2, gaps not filled": LogP("2001/2", "1/3", "12/5", SIZE),
}


@pytest.mark.parametrize("name", MACHINES)
def test_summation_of(benchmark, name):
    schedule = benchmark.pedantic(summation_of, (MACHINES[name], 10**9), rounds=3)
    benchmark.extra_info.update(
        time=str(schedule.time),
        messages=len(schedule.messages),
        additions=len(schedule.additions),
        optimal=schedule.optimal,
        **checked(benchmark, schedule),
    )
    assert check(schedule).optimal == schedule.optimal


@pytest.mark.parametrize("largest", [14, 300])
def test_bounds_that_are_missed(benchmark, largest):
    """How often, on random machines with gaps that are not filled, less is found than the bound."""
    source = random.Random(1)

    def search():
        found = [0, 0, 0]
        while found[0] < 1000:
            unit = source.choice([2, 3, 4, 5, 7, 10, 20])
            overhead = source.randint(0, 2 * unit)
            gap = overhead + unit + source.randint(1, 3 * unit)
            if (gap - overhead) % unit == 0:
                continue
            numbers = (Fraction(n, unit) for n in (source.randint(1, 3 * unit), overhead, gap))
            machine = LogP(*numbers, source.randint(2, largest))
            time = Fraction(source.randint(0, 25 * unit), unit)
            schedule = summation_within(machine, time)
            missed = int(schedule.bound - schedule.count)
            found[0] += 1
            found[1] += missed > 0
            found[2] = max(found[2], missed)
        return found

    machines, missed, most = benchmark.pedantic(search, rounds=1)
    benchmark.extra_info.update(machines=machines, missed=missed, most=most)


@pytest.mark.parametrize("name", MACHINES)
def test_summation_within(benchmark, name):
    schedule = benchmark.pedantic(summation_within, (MACHINES[name], 20_000), rounds=3)
    benchmark.extra_info.update(operands=schedule.count, messages=len(schedule.messages))


def test_operand_numbers(benchmark):
    schedule = summation_of(MACHINES["figure 6"], 10**9)
    numbers = benchmark.pedantic(operand_numbers, (schedule,), rounds=3)
    benchmark.extra_info.update(ranges=sum(map(len, numbers.values())))


ALLREDUCE = {
    "L = 1, 10^5": LogP(1, 0, 1, 10**5),
    "L = 3, 10^5": LogP(3, 0, 1, 10**5),
    "figure 1, 10^5": LogP(6, 2, 4, 10**5),
    "L = 1, 10^18": LogP(1, 0, 1, 10**18),
    "L = 64, 10^18": LogP(64, 0, 1, 10**18),
    "L = 10^4, 10^18": LogP(10**4, 0, 1, 10**18),
}


@pytest.mark.parametrize("name", ALLREDUCE)
def test_allreduce(benchmark, name):
    schedule = benchmark.pedantic(allreduce, (ALLREDUCE[name],), rounds=20)
    benchmark.extra_info.update(
        rounds=len(schedule.rounds),
        time=str(schedule.time),
        bound=str(check(schedule).bound),
        **checked(benchmark, schedule),
    )
