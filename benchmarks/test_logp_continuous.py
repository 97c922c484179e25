"""LogP machines: continuous broadcast.

Why these instances: P = 10^4 for small, middle and large L, where the induction, the search and the
exchanges have most to do; the number of processors for which all but one of the deepest leaves are
missing; 10^6 processors, which only the induction reaches, and with L = 1000 many large blocks.
The checker is given the schedule as it is.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from conftest import TIMER, checked

from exactsched.logp.continuous import continuous_broadcast
from exactsched.logp.counts import fibonacci
from exactsched.logp.partition_series import direct_partition
from exactsched.logp.word_automaton import arrange, is_juggling_pattern

pytestmark = pytest.mark.benchmark(timer=TIMER)

INSTANCES = {
    "L = 1, P = 10^4": (1, 10_000),
    "L = 2, P = 10^4": (2, 10_000),
    "L = 3, P = 10^4": (3, 10_000),
    "L = 7, P = 10^4": (7, 10_000),
    "L = 16, P = 10^4": (16, 10_000),
    "L = 32, P = 10^4": (32, 10_000),
    "L = 64, P = 10^4": (64, 10_000),
    "L = 101, P = 10^4": (101, 10_000),
    "L = 5, one deepest leaf": (5, fibonacci(5, 36) + 2),
    "L = 3, P = 10^6": (3, 1_000_000),
    "L = 1000, P = 10^6": (1000, 1_000_000),
}


@pytest.mark.parametrize("instance", INSTANCES)
def test_continuous_broadcast(benchmark: Any, instance: str) -> None:
    latency, processors = INSTANCES[instance]
    broadcast = benchmark.pedantic(
        continuous_broadcast,
        args=(latency, processors),
        setup=direct_partition.cache_clear,
        rounds=3,
        iterations=1,
    )
    benchmark.extra_info["delay"] = broadcast.time
    benchmark.extra_info["bound"] = broadcast.bound
    benchmark.extra_info["blocks"] = len(broadcast.cycles)
    benchmark.extra_info.update(checked(benchmark, broadcast))


@pytest.mark.parametrize("size", [100, 1000, 4000])
def test_arrange(benchmark: Any, size: int) -> None:
    source = random.Random(1)
    numbers = [source.randrange(size) for _ in range(size)]
    numbers[-1] -= sum(numbers)
    pattern = benchmark.pedantic(arrange, args=(numbers, size), rounds=3, iterations=1)
    assert is_juggling_pattern(pattern)
