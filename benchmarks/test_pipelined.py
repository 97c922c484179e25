"""Pipelined broadcasts.

*Ratio* is the makespan over its lower bound. The platforms of `proofs/pipelined-broadcast.md`,
latencies random up to twice the costs.
"""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from conftest import TIMER, checked, timed

from exactsched import Platform, pipelined_broadcast
from exactsched.platforms.built_in import built_in

pytestmark = pytest.mark.benchmark(timer=TIMER)

NAMES = ["legrand-fig1", "random:20,60,1", "grid:4x4", "grid:6x6"]


@pytest.mark.parametrize("size", [10**2, 10**4, 10**6])
@pytest.mark.parametrize("name", NAMES)
def test_ratio(benchmark, name, size):
    plain, dice = built_in(name), random.Random(1)
    platform = Platform(
        plain.nodes,
        [(a.tail, a.head, a.cost, a.cost * Fraction(dice.randint(0, 20), 10)) for a in plain.arcs],
    )
    run = benchmark.pedantic(
        pipelined_broadcast, (platform, plain.nodes[0], size), rounds=1, warmup_rounds=0
    )
    document, planned = timed(run.certificate)
    benchmark.extra_info.update(
        packets=run.operations,
        transfers=len(run.rows),
        ratio=round(float(run.makespan / run.bound), 4),
        **checked(benchmark, document, planned),
    )
