"""LogP machines: one item, allgather and alltoall.

The tree of a million processors, and counts for 10^18 without a tree.

Why these machines: figure 1 of Karp, Sahay, Santos and Schauser (1993); the postal model; a long
latency, where every round of sends has a different time and only one sender, so that nothing can
be done in bulk; rational parameters.  Alltoall: a machine that meets the simple bound, and one
where receptions and sends collide, with 10,000 processors, 10^8 messages, built and checked; the
latter also with 10^18 processors.

The checker is given the schedule as it is, without a file, and its seconds are divided by ours.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from conftest import TIMER, checked

from exactsched.logp.allgather_and_alltoall import allgather
from exactsched.logp.broadcast import broadcast, broadcast_tree
from exactsched.logp.counts import broadcast_time, fibonacci, reached
from exactsched.model.machine import LogP

pytestmark = pytest.mark.benchmark(timer=TIMER)

MACHINES: dict[str, tuple[object, object, object]] = {
    "figure 1": (6, 2, 4),
    "postal, L = 3": (3, 0, 1),
    "long latency": (10**9, 0, 1),
    "rational": (Fraction(22, 7), Fraction(1, 3), Fraction(5, 11)),
}


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("make", [broadcast_tree, broadcast])
def test_broadcast_to_a_million(benchmark, name, make) -> None:  # type: ignore[no-untyped-def]
    machine = LogP(*MACHINES[name], 10**6)
    made = benchmark.pedantic(make, (machine,), rounds=3)
    benchmark.extra_info["time"] = str(broadcast_time(machine))
    assert made.machine.P == 10**6
    if make is broadcast:
        benchmark.extra_info.update(checked(benchmark, made))


@pytest.mark.parametrize("name", MACHINES)
def test_broadcast_time_of_10_to_the_18(benchmark, name) -> None:  # type: ignore[no-untyped-def]
    machine = LogP(*MACHINES[name], 10**18)
    time = benchmark(broadcast_time, machine)
    assert reached(machine, time) >= 10**18
    benchmark.extra_info["time"] = str(time)


FIBONACCI: dict[str, Callable[[], int]] = {
    "L = 2, i = 400,000": lambda: fibonacci(2, 400_000),
    "L = 1,000, i = 10^7": lambda: fibonacci(1000, 10**7),
    "L = 10^15, i = 10^18": lambda: fibonacci(10**15, 10**18),
}


@pytest.mark.parametrize("name", FIBONACCI)
def test_long_fibonacci_numbers(benchmark, name) -> None:  # type: ignore[no-untyped-def]
    number = benchmark.pedantic(FIBONACCI[name], rounds=3)
    benchmark.extra_info["bits"] = number.bit_length()


ALLGATHER = {
    "no collisions, 10^4": (LogP(6, 1, 4, 10**4), 1),
    "no collisions, 10^4, 10 items": (LogP(6, 1, 4, 10**4), 10),
    "halves, 10^4": (LogP(6, 2, 4, 10**4), 1),
    "clusters, 10^4": (LogP(1000, 1, 1, 10**4), 1),
    "halves, 10^18": (LogP(6, 2, 4, 10**18), 1),
}


@pytest.mark.parametrize("name", ALLGATHER)
def test_allgather(benchmark, name) -> None:  # type: ignore[no-untyped-def]
    schedule = benchmark.pedantic(allgather, ALLGATHER[name], rounds=20)
    benchmark.extra_info.update(
        time=str(schedule.time),
        bound=str(schedule.bound),
        rows=len(schedule.halvings) + len(schedule.rounds),
        **checked(benchmark, schedule),
    )
