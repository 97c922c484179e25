"""Finite runs of broadcasts: accepted, never below the bound, never above the guarantee."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exactsched.check
from exactsched.certificate.collectives import CutBound
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.model.platform import Platform
from exactsched.model.problem import PORTS, Broadcast
from exactsched.oracles.collectives import simulate_run
from exactsched.platforms.built_in import built_in
from exactsched.platforms.papers import legrand_fig1
from exactsched.runs.finite_run import (
    FiniteRun,
    _steady,
    finished_run,
    makespan_guarantee,
    run_operations,
    run_within,
)
from exactsched.runs.time_scaling import plans, played
from exactsched.steady_state.broadcast import solve_series
from exactsched.steady_state.restricted.best_dag import broadcast_dag
from exactsched.steady_state.restricted.best_tree import broadcast_tree
from exactsched.steady_state.solution import Solution
from exactsched.strategies import broadcasts


def any_broadcast(ports: str) -> st.SearchStrategy[Broadcast]:
    return broadcasts(ports=ports, bipartite=ports == "half-duplex", max_nodes=6)  # type: ignore[arg-type]


def accepted(run: FiniteRun) -> None:
    claim = exactsched.check(run.certificate())
    assert (claim.makespan, claim.bound) == (run.makespan, run.bound)
    assert run.excess == run.makespan - run.bound >= 0


@pytest.mark.parametrize("ports", PORTS)
@settings(max_examples=40)
@given(data=st.data())
def test_runs_are_schedules_and_keep_their_guarantee(ports: str, data: st.DataObject) -> None:
    solution = solve_series(data.draw(any_broadcast(ports)))
    messages = data.draw(st.sampled_from((1, 2, 3, 7, 20, 61)))
    run = run_operations(solution, messages)
    accepted(run)
    if messages <= 7:
        assert simulate_run(run.certificate()) == run.makespan
    assert run.operations == messages
    # Optimal steady state: the bound is M / throughput exactly.
    assert run.bound == messages / solution.throughput
    guarantee = makespan_guarantee(solution, messages)
    assert run.makespan <= guarantee
    assert guarantee <= messages / solution.throughput + solution.makespan_constant


@settings(max_examples=40)
@given(any_broadcast("one-port"), st.sampled_from((2, 5, 12)))
def test_every_plan_is_a_schedule_within_its_limit(problem: Broadcast, messages: int) -> None:
    """Theorem B for all numbers of slices, also where they do not divide the messages."""
    solution = solve_series(problem)
    best = run_operations(solution, messages)
    steady = _steady(solution)
    for plan in plans(steady, messages)[:8]:
        tick, rows = played(steady, plan)
        run = finished_run(problem, messages, (), tick, best.tasks, rows, best.bound, best.proof)
        accepted(run)
        assert run.makespan <= plan.limit


def test_the_excess_does_not_grow_with_the_messages() -> None:
    solution = solve_series(Broadcast(legrand_fig1(), "Ps"))
    excess = [run_operations(solution, messages).excess for messages in (30, 300, 3000)]
    assert excess[0] == excess[1] == excess[2] <= solution.makespan_constant


def test_a_run_does_not_wait_for_a_period_longer_than_the_run() -> None:
    """Costs with coprime denominators: a period is far longer than the runs, whatever the trees."""
    solution = solve_series(Broadcast(built_in("random:20,60,5"), 0))
    assert solution.makespan_constant > 10**9
    run = run_operations(solution, 100)
    accepted(run)
    assert run.excess < 1_000
    run = run_operations(solution, 4_000)  # laid out, not listed
    assert run.excess < 6_000 < run.bound / 10


def test_a_single_message_takes_a_quick_tree() -> None:
    """On a 4x4 grid it needs 6 hops from corner to corner, and 6 time units are enough."""
    run = run_operations(solve_series(Broadcast(built_in("grid:4x4"), 0)), 1)
    accepted(run)
    assert run.makespan == 6


def test_astronomic_periods_are_no_obstacle() -> None:
    solution = solve_series(Broadcast(built_in("grid:8x8"), 0, "half-duplex"))
    assert solution.makespan_constant > 10**9
    run = run_operations(solution, 60)
    accepted(run)
    assert run.makespan < 200
    assert max(end for *_, end in run.rows) < 10**12


@settings(max_examples=30)
@given(broadcasts(ports="one-port", max_nodes=5), st.integers(1, 200))
def test_within_a_horizon_one_more_message_is_late(problem: Broadcast, half_units: int) -> None:
    solution = solve_series(problem)
    horizon = Fraction(half_units, 2)
    least = max(0, int(solution.throughput * (horizon - solution.makespan_constant)))
    if run_operations(solution, 1).makespan > horizon:
        assert least == 0
        with pytest.raises(InvalidInput, match="horizon"):
            run_within(solution, horizon)
        return
    run = run_within(solution, horizon)
    accepted(run)
    assert run.makespan <= horizon
    messages = run.operations
    assert least <= messages <= solution.bound * horizon
    if messages + 1 <= solution.bound * horizon:
        assert run_operations(solution, messages + 1).makespan > horizon


def test_the_search_for_a_horizon_does_not_stop_short() -> None:
    """4 messages are late at time 5, 2 end at 4, and 3 end at 5 exactly."""
    run = run_within(solve_series(Broadcast(legrand_fig1(), "Ps")), 5)
    assert (run.operations, run.makespan) == (3, 5)


@pytest.mark.parametrize("horizon", [0, -3, "1/1000"])
def test_a_horizon_before_the_first_arrival_is_refused(horizon: int | str) -> None:
    solution = solve_series(Broadcast(legrand_fig1(), "Ps"))
    with pytest.raises(InvalidInput, match="no operation is complete by then") as refusal:
        run_within(solution, Fraction(horizon))
    assert refusal.value.value == str(horizon)
    alone = run_operations(solution, 1).makespan
    assert refusal.value.rule.endswith(f"schedule of a single one takes {alone}")
    assert run_within(solution, alone).operations >= 1


def test_refused_horizons_of_any_length_are_told() -> None:
    """CPython does not print integers of more than 4300 digits."""
    long = Fraction(10**6000 + 1, 10**6000)
    solution = solve_series(Broadcast(Platform("ab", [("a", "b", long)]), "a"))
    with pytest.raises(InvalidInput, match=r"schedule of a single one takes 10{5999}1/10{6000}$"):
        run_within(solution, 1)


@pytest.mark.parametrize("horizon", [3, "9/2", 20])
@pytest.mark.parametrize("solve", [broadcast_tree, broadcast_dag])
def test_within_a_horizon_a_restriction_keeps_its_own_limit(
    solve: Callable[..., Solution], horizon: int | str
) -> None:
    """Their trees deliver 2/3 and 4/5 per time unit; all schedules together would deliver 1."""
    solution = solve(legrand_fig1(), "Ps")
    run = run_within(solution, horizon)
    accepted(run)
    messages, end = run.operations, Fraction(horizon)
    assert run.makespan <= end
    assert messages <= solution.bound * end < end
    assert run_operations(solution, messages + 1).makespan > end


@pytest.mark.parametrize("solve", [broadcast_tree, broadcast_dag])
def test_restricted_solutions_run_with_an_unrestricted_bound(
    solve: Callable[..., Solution],
) -> None:
    """Their own bound is a branching, which proves nothing about all schedules."""
    solution = solve(legrand_fig1(), "Ps")
    assert not isinstance(solution.proof, CutBound)
    run = run_operations(solution, 12)
    accepted(run)
    assert run.problem.restrict == "none"
    assert run.bound == 12
    assert run.makespan <= makespan_guarantee(solution, 12)
    assert makespan_guarantee(solution, 12) <= 12 / solution.throughput + solution.makespan_constant
    used = {arc for tree in solution.structures for arc in tree.arcs}
    assert {run.tasks[task][0] for task, _, _, _ in run.rows} <= used


@settings(max_examples=30)
@given(broadcasts(ports="one-port", max_nodes=5), st.data())
def test_a_run_that_is_tampered_with_is_rejected(problem: Broadcast, data: st.DataObject) -> None:
    run = run_operations(solve_series(problem), 3)
    document = run.certificate()
    row = data.draw(st.sampled_from(document["rows"]))
    row[data.draw(st.sampled_from((2, 3)))] += 1
    with pytest.raises(Rejected):
        exactsched.check(document)
