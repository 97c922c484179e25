"""Periods chosen by the user.

Operations in a period by rounding down, found, and at most; seconds to find.

`length` is the period in multiples of the time that one operation takes in the steady state.
A certificate also proves the bound that the steady state has been found with: *check to find* is to
*solve seconds*, in which that is found, and the seconds of the period together.
The instances have 15, 132 and 240 messages an operation, and one reduction of 15 values.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from math import ceil

import pytest
from conftest import TIMER, best_of, checked, timed

from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import text
from exactsched.model.platform import Node, Platform
from exactsched.platforms.built_in import built_in
from exactsched.steady_state.alltoall import alltoall
from exactsched.steady_state.fixed_period import most_operations, with_period, within_period
from exactsched.steady_state.reduce import reduce
from exactsched.steady_state.slots import common_measure
from exactsched.steady_state.solution import Solution
from exactsched.steady_state.structure_counts import StructureLoads

pytestmark = pytest.mark.benchmark(timer=TIMER)


def between(platform: Platform, sources: list[Node], targets: list[Node]) -> Solution:
    return alltoall(platform, [(s, t) for s in sources for t in targets if s != t])


def random_alltoall(name: str, sources: int, targets: int) -> Callable[[], Solution]:
    platform = built_in(name)
    nodes = list(platform.nodes)
    return lambda: between(platform, nodes[:sources], nodes[-targets:])


def random_reduction() -> Solution:
    platform, dice = built_in("random:30,90,7"), random.Random(3)
    compute = {node: Fraction(dice.randint(10, 90), dice.randint(1, 3)) for node in platform.nodes}
    owners = dice.sample(platform.nodes, 15)
    return reduce(platform, owners, platform.nodes[0], compute=compute)


SOLVED = {
    "alltoall 3x5, random:10,30,1": random_alltoall("random:10,30,1", 3, 5),
    "alltoall 12x12, random:12,50,3": random_alltoall("random:12,50,3", 12, 12),
    "alltoall 16x16, torus:4x4": random_alltoall("torus:4x4", 16, 16),
    "reduce 15, random:30,90,7": random_reduction,
}
LENGTHS = [Fraction(1), Fraction(5, 4), Fraction(5), Fraction(25, 2), Fraction(50)]


@pytest.mark.parametrize("length", LENGTHS, ids=str)
@pytest.mark.parametrize("name", SOLVED)
def test_with_period(benchmark, name, length):
    solution, solved = SOLVED[name](), best_of(3, SOLVED[name])
    period = length / solution.throughput
    loads = StructureLoads(solution.problem, solution.structures)
    down = loads.operations(loads.rounded_down(period))
    try:
        fixed = benchmark.pedantic(with_period, (solution, period), rounds=3, warmup_rounds=1)
    except InvalidInput:
        pytest.skip("not one operation fits")
    document, planned = timed(fixed.certificate)
    benchmark.extra_info.update(
        solve_seconds=float(f"{solved:.2g}"),
        structures=len(solution.structures),
        rounded_down=down,
        found=int(fixed.throughput * period),
        at_most=most_operations(solution, period),
        **checked(benchmark, document, solved + planned),
    )


@pytest.mark.parametrize("length", LENGTHS[1:], ids=str)
@pytest.mark.parametrize("name", SOLVED)
def test_within_period(benchmark, name, length):
    solution = SOLVED[name]()
    longest = length / solution.throughput
    try:
        best = benchmark.pedantic(within_period, (solution, longest), rounds=1, warmup_rounds=0)
    except InvalidInput:
        pytest.skip("not one operation fits")
    measure, _ = common_measure(one.weight for one in solution.structures)
    optimal_period = 1 / measure
    benchmark.extra_info.update(
        of_the_optimum=round(float(best.throughput / solution.bound), 4),
        operations=int(best.throughput * best.schedule.period),
        digits_of_the_optimal_period=len(text(ceil(optimal_period))),
    )
