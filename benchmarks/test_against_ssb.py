"""Broadcast against the linear program of the paper.

SSB(G) of RR-4871, corrected, has n*m variables: built in full by the oracle of the tests and solved
in floating point by SoPlex and by HiGHS, one thread each, with their default settings.  They give a
number; we give the exact number, trees, a schedule, a certificate, and its check, all of which is
in our seconds.  Building the program is not counted.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from conftest import TIMER, best_of
from float_peers import solved_in_floats
from instances import near_one, recosted, regular

import exactsched
from exactsched.model.platform import Platform
from exactsched.model.problem import Broadcast
from exactsched.oracles.broadcast import ssb_corrected
from exactsched.theorems.optimum import optimum

pytestmark = pytest.mark.benchmark(timer=TIMER)

# Where a single slow link decides (random costs), presolve sees it, and a program of any size is
# easy; costs near 1 and regular graphs leave something to solve.
PLATFORMS: dict[str, Callable[[], Platform]] = {
    "random:30,120,1": lambda: exactsched.built_in("random:30,120,1"),
    "random:30,120,1, costs 0.8..1.2": lambda: recosted("random:30,120,1", near_one),
    "regular 30, degree 4, costs 0.8..1.2": lambda: regular(30, 4, near_one),
    "random:60,240,1": lambda: exactsched.built_in("random:60,240,1"),
    "random:60,240,1, costs 0.8..1.2": lambda: recosted("random:60,240,1", near_one),
    "regular 60, degree 4, costs 0.8..1.2": lambda: regular(60, 4, near_one),
}
LONG = {"regular 60, degree 4, costs 0.8..1.2"}  # two minutes for HiGHS


def certified(platform: Platform) -> exactsched.Solution:
    solution = exactsched.broadcast(platform, 0)
    assert exactsched.check(solution.certificate()).optimal
    return solution


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * (name in LONG)) for name in PLATFORMS]
)
def test_in_floats(benchmark, name):
    """Ours the best of fifteen; peers of three, or of as many as there are in a second."""
    platform = PLATFORMS[name]()
    program = ssb_corrected(Broadcast(platform, 0))[0]
    solution = benchmark.pedantic(certified, (platform,), rounds=15)
    benchmark.extra_info.update(
        variables=len(program.objective),
        rows=len(program.rows),
        peers=solved_in_floats(program, solution.throughput),
    )


@pytest.mark.parametrize("name", ["random:8,24,1", "random:10,30,1", "grid:3x3", "legrand-fig1"])
def test_exactly(benchmark, name):
    """The peer is the package's own exact linear program, without its check; values are equal."""
    platform = exactsched.built_in(name)
    source = platform.nodes[0]
    program = ssb_corrected(Broadcast(platform, source))[0]
    values = [exactsched.broadcast(platform, source).throughput]
    benchmark.pedantic(lambda: exactsched.broadcast(platform, source).certificate(), rounds=5)
    seconds = best_of(3, lambda: values.append(optimum(program).value))
    assert len(set(values)) == 1
    benchmark.extra_info.update(
        variables=len(program.objective), peers={"exact linear program": seconds}
    )
