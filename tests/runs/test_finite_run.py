"""Finite runs of all collectives: accepted, never below the bound or above the guarantee."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exactsched.check
from exactsched.certificate.bounds import CutBound, DistanceBound, PotentialBound
from exactsched.certificate.collectives import Run, Series
from exactsched.check.collectives.run import achieved_makespan
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.model.platform import Platform
from exactsched.model.problem import PORTS, Alltoall, Broadcast, Ports, Reduction
from exactsched.model.tasks import WeightedStructure, duration
from exactsched.oracles.collectives import simulate_run
from exactsched.platforms.built_in import built_in
from exactsched.platforms.papers import legrand_fig1
from exactsched.runs.finite_run import (
    FiniteRun,
    can_be_listed,
    finished_run,
    makespan_guarantee,
    run_operations,
    run_within,
)
from exactsched.runs.list_scheduling import TaskTable, by_priority, in_order
from exactsched.runs.time_scaling import Steady, plans, played
from exactsched.steady_state import arborescence_packing
from exactsched.steady_state.alltoall import scatter
from exactsched.steady_state.broadcast import solve_series
from exactsched.steady_state.prefix import prefix
from exactsched.steady_state.reduce import reduce, solve_reduction
from exactsched.steady_state.restricted.best_dag import broadcast_dag
from exactsched.steady_state.restricted.best_tree import broadcast_tree
from exactsched.steady_state.solution import Solution
from exactsched.strategies import broadcasts
from exactsched.strategies import reductions as problems
from tests.steady_state.planted_collectives import alltoalls, reduce_toy, reductions, scatter_toy


def any_broadcast(ports: Ports) -> st.SearchStrategy[Broadcast]:
    return broadcasts(ports=ports, bipartite=ports == "half-duplex", max_nodes=6)


def solutions(ports: Ports) -> st.SearchStrategy[Solution]:
    """Optimal broadcasts, and planted alltoalls and reductions."""
    planted = alltoalls(ports) | reductions(ports)
    return planted.map(solution_of) | any_broadcast(ports).map(solve_series)


def optima(ports: Ports) -> st.SearchStrategy[Solution]:
    """Optimal broadcasts and reductions."""
    reduced = problems(ports=ports).map(solve_reduction).filter(lambda found: found.structures)
    return reduced | any_broadcast(ports).map(solve_series)


def solution_of(series: Series) -> Solution:
    """The planted structures, as if nothing were better; `bound` says nothing."""
    assert series.schedule is not None
    nothing = Solution(series.problem, (), series.proof, series.throughput)
    return nothing.scheduled(series.schedule)


def refuse_unless_run(run: FiniteRun) -> None:
    noun = Run(
        run.problem,
        run.operations,
        run.sizes,
        run.makespan,
        run.bound,
        False,
        run.tick,
        run.tasks,
        run.rows,
        run.proof,
    )
    assert achieved_makespan(noun) == run.makespan


def accepted(run: FiniteRun) -> None:
    claim = exactsched.check(run.certificate())
    assert (claim.makespan, claim.bound) == (run.makespan, run.bound)
    assert run.excess == run.makespan - run.bound >= 0


@pytest.mark.parametrize("ports", PORTS)
@settings(max_examples=25)
@given(data=st.data())
def test_runs_are_schedules_and_keep_their_guarantee(ports: Ports, data: st.DataObject) -> None:
    solution = data.draw(solutions(ports))
    operations = data.draw(st.sampled_from((1, 2, 3, 7, 20, 61)))
    run = run_operations(solution, operations)
    refuse_unless_run(run)
    assert run.operations == operations
    assert run.bound == operations / solution.bound
    assert run.excess == run.makespan - run.bound
    guarantee = makespan_guarantee(solution, operations)
    assert run.makespan <= guarantee
    assert guarantee <= operations / solution.throughput + solution.makespan_constant


@settings(max_examples=30)
@given(solutions("one-port"), st.sampled_from((2, 5, 12)))
def test_every_plan_is_a_schedule_within_its_limit(solution: Solution, operations: int) -> None:
    """Theorem B for all numbers of slices, whether they divide the operations or not."""
    best = run_operations(solution, operations)
    tasks = tuple(sorted({task for one in solution.structures for task in one.tasks}))
    steady = Steady(solution.problem, solution.structures, tasks)
    for plan in plans(steady, operations)[:8]:
        tick, rows = played(steady, plan)
        run = finished_run(
            solution.problem, operations, (), tick, tasks, rows, best.bound, best.proof
        )
        refuse_unless_run(run)
        assert run.makespan <= plan.limit


@settings(max_examples=35)
@given(solutions("one-port"), st.integers(1, 9))
def test_list_schedules_do_every_task_once_and_start_after_their_inputs(
    solution: Solution, operations: int
) -> None:
    problem = solution.problem
    tasks = tuple(sorted({task for one in solution.structures for task in one.tasks}))
    number = {task: index for index, task in enumerate(tasks)}
    table = TaskTable(problem, tasks)
    unit = Fraction(1)
    for task in tasks:
        unit /= (duration(problem, task) / unit).denominator
    lasts = [int(duration(problem, task) / unit) for task in tasks]
    structures = [[number[task] for task in one.tasks] for one in solution.structures]
    by_part: dict[int, list[int]] = {}
    for index, one in enumerate(solution.structures):
        by_part.setdefault(one.part, []).append(index)
    chosen = [
        [part[operation % len(part)] for part in by_part.values()]
        for operation in range(operations)
    ]
    rows = by_priority(table, structures, chosen, lambda task, _: lasts[task])
    done = sorted((task, operation) for task, operation, _, _ in rows)
    assert done == sorted(
        (task, operation)
        for operation in range(operations)
        for structure in chosen[operation]
        for task in structures[structure]
    )
    end = max(row[3] for row in rows)
    refuse_unless_run(
        FiniteRun(
            problem,
            operations,
            (),
            unit,
            tasks,
            tuple(rows),
            end * unit,
            Fraction(0),
            solution.proof,
        )
    )
    # In its own order nothing can start earlier.
    pieces = [(task, operation, stop - start) for task, operation, start, stop in rows]
    assert max(row[3] for row in in_order(table, pieces)) == end


def test_the_toys_take_an_operation_per_unit_and_a_constant() -> None:
    """RR-4872: throughput 1/2 of the scatter, 1 of the reduction with its two trees."""
    for series, throughput in ((scatter_toy(), Fraction(1, 2)), (reduce_toy(), Fraction(1))):
        solution = solution_of(series)
        assert solution.throughput == throughput
        excess = [run_operations(solution, number).excess for number in (30, 300, 3000)]
        assert excess[0] == excess[1] == excess[2] <= solution.makespan_constant


def test_a_single_reduction_takes_its_longest_way() -> None:
    """v[2] to P1, joined there, the result to P0, joined there: 1 + 1 + 1 + 1/2."""
    run = run_operations(solution_of(reduce_toy()), 1)
    refuse_unless_run(run)
    assert run.makespan == Fraction(7, 2)


def test_a_solved_reduction_runs_with_its_certificate() -> None:
    platform = built_in("tiers-2003")
    index = {node: data["index"] for node, data in platform.node_data.items() if "index" in data}
    solution = reduce(platform, sorted(index, key=index.__getitem__), 6)
    run = run_operations(solution, 50)
    claim = exactsched.check(run.certificate())
    assert (claim.makespan, claim.bound) == (run.makespan, 50 / solution.throughput)
    assert run.excess < 15


def test_a_run_takes_no_detours() -> None:
    """A route may pass a node twice, and a scheme may make what nobody needs."""
    platform = Platform("sabt", [("s", "a", 1), ("a", "b", 1), ("b", "a", 1), ("a", "t", 1)])
    asked = Alltoall(platform, (("s", "t"),))  # type: ignore[arg-type]
    around = WeightedStructure(0, ((0, 0), (1, 0), (2, 0), (3, 0)), Fraction(1, 2))
    solution = Solution(asked, (around,), DistanceBound({}, ()), Fraction(1))
    assert solution.depth == 4
    run = run_operations(solution, 5)
    refuse_unless_run(run)
    assert run.tasks == ((0, 0), (3, 0))
    assert run.makespan == 6


def test_prefixes_run_without_a_task_for_what_is_there() -> None:
    """The first prefix is the first value itself; the second takes 1, and then 2."""
    solution = prefix(Platform("ab", [("a", "b", 1)]), "ab", compute={"b": 2})
    run = run_operations(solution, 4)
    accepted(run)
    assert run.tasks == ((0, 0, 0), (2, 0, 0, 1))
    assert run.makespan == 1 + 4 * 2


def test_periods_longer_than_the_run_are_no_obstacle() -> None:
    """Weights with large coprime denominators: 100 operations do not wait for a period of 10^12."""
    pair = Platform("abc", [("a", "c", 1), ("a", "b", 1), ("b", "c", 1)])
    asked = Alltoall(pair, (("a", "c"),))  # type: ignore[arg-type]
    first = Fraction(123_456_789, 246_913_579)
    second = Fraction(1, 999_983)
    structures = (
        WeightedStructure(0, ((0, 0),), first),
        WeightedStructure(0, ((1, 0), (2, 0)), second),
    )
    solution = Solution(asked, structures, DistanceBound({}, ()), first + second)
    assert solution.makespan_constant > 10**9
    run = run_operations(solution, 100)
    refuse_unless_run(run)
    assert run.excess < 3


@pytest.mark.parametrize("ports", PORTS)
@settings(max_examples=20)
@given(data=st.data())
def test_runs_of_an_optimum_are_proved_to_be_near_the_best(
    ports: Ports, data: st.DataObject
) -> None:
    solution = data.draw(optima(ports))
    run = run_operations(solution, data.draw(st.integers(1, 9)))
    accepted(run)
    assert simulate_run(run.certificate()) == run.makespan
    assert run.bound == run.operations / solution.throughput


@settings(max_examples=20)
@given(optima("one-port"), st.integers(1, 200))
def test_within_a_horizon_one_more_operation_is_late(solution: Solution, half_units: int) -> None:
    horizon = Fraction(half_units, 2)
    least = max(0, int(solution.throughput * (horizon - solution.makespan_constant)))
    if run_operations(solution, 1).makespan > horizon:
        assert least == 0
        with pytest.raises(InvalidInput, match="no operation is complete by then"):
            run_within(solution, horizon)
        return
    run = run_within(solution, horizon)
    accepted(run)
    assert run.makespan <= horizon
    assert least <= run.operations <= solution.bound * horizon
    if run.operations + 1 <= solution.bound * horizon:
        assert run_operations(solution, run.operations + 1).makespan > horizon


@pytest.mark.parametrize("operations", [0, -1, True, 2.0, "3"])
def test_only_whole_numbers_of_operations(operations: object) -> None:
    with pytest.raises(InvalidInput, match="whole number of operations"):
        run_operations(solution_of(scatter_toy()), operations)  # type: ignore[arg-type]


def test_absurd_numbers_are_refused_with_advice() -> None:
    for operations in (1_000_001, 10**30):
        with pytest.raises(InvalidInput, match="the periodic schedule describes any number"):
            run_operations(solution_of(scatter_toy()), operations)
        with pytest.raises(InvalidInput, match="the periodic schedule describes any number"):
            makespan_guarantee(solution_of(scatter_toy()), operations)


def test_what_can_be_listed_is_limited_by_operations_and_by_tasks() -> None:
    short, chain = (
        scatter(Platform(range(size), [(i, i + 1, 1) for i in range(size - 1)]), 0, [size - 1])
        for size in (2, 11)
    )
    assert [can_be_listed(short, number) for number in (0, 1, 10**6, 10**6 + 1)] == [
        False,
        True,
        True,
        False,
    ]
    assert can_be_listed(chain, 500_000)
    assert not can_be_listed(chain, 500_001)


def test_nothing_runs_where_nothing_is_complete() -> None:
    asked = Reduction(Platform("ab", []), ("a", "b"), (((0, 1), "a"),), Fraction(1), ())
    solution = Solution(asked, (), PotentialBound({}, ()), Fraction(0))
    for refused in (run_operations, run_within):
        with pytest.raises(InvalidInput, match="throughput is 0"):
            refused(solution, 3)


@pytest.mark.parametrize(
    "solve",
    [
        lambda: solve_series(Broadcast(legrand_fig1(), "Ps")),
        lambda: reduce(built_in("reduce-toy"), ["P0", "P1", "P2"], "P0"),
    ],
)
@settings(max_examples=20)
@given(data=st.data())
def test_a_run_that_is_tampered_with_is_rejected(
    solve: Callable[[], Solution], data: st.DataObject
) -> None:
    document = run_operations(solve(), 3).certificate()
    exactsched.check(document)
    row = data.draw(st.sampled_from(document["rows"]))
    row[data.draw(st.sampled_from((2, 3)))] += 1
    with pytest.raises(Rejected):
        exactsched.check(document)


# Broadcasts -------------------------------------------------------------------------------------


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


def test_astronomic_periods_are_no_obstacle(monkeypatch: pytest.MonkeyPatch) -> None:
    """As column generation mixes trees; by rates of arcs the period is short."""
    monkeypatch.setattr(arborescence_packing, "PATIENCE_IF_HARD", 100)
    solution = solve_series(Broadcast(built_in("grid:8x8"), 0, "half-duplex"))
    assert solution.makespan_constant > 10**9
    run = run_operations(solution, 60)
    accepted(run)
    assert run.makespan < 200
    assert max(end for *_, end in run.rows) < 10**12


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
