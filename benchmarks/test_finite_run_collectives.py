"""Finite runs of alltoalls and reductions.

`excess` is the makespan less the lower bound; `constant` is depth times period, the excess that
whole periods would need; `guarantee` is the excess proved before anything is laid out.
A certificate also proves the bound that the steady state has been found with: *check to find* is to
*solve seconds*, in which that is found, and the seconds of the run together.
"""

from __future__ import annotations

import pytest
from conftest import TIMER, best_of, checked, timed
from test_fixed_period import SOLVED

from exactsched.runs.finite_run import makespan_guarantee, run_operations

pytestmark = pytest.mark.benchmark(timer=TIMER)


@pytest.mark.parametrize("operations", [1, 10, 100, 1_000])
@pytest.mark.parametrize("name", SOLVED)
def test_run(benchmark, name, operations):
    solution, solved = SOLVED[name](), best_of(3, SOLVED[name])
    run = benchmark.pedantic(run_operations, (solution, operations), rounds=1, warmup_rounds=0)
    document, planned = timed(run.certificate)
    benchmark.extra_info.update(
        solve_seconds=float(f"{solved:.2g}"),
        bound=round(float(run.bound), 1),
        excess=round(float(run.excess), 1),
        guarantee=round(float(makespan_guarantee(solution, operations) - run.bound), 1),
        constant=f"{float(solution.makespan_constant):.3g}",
        rows=len(run.rows),
        **checked(benchmark, document, solved + planned),
    )
