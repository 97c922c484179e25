"""Alltoalls and reductions played: against the definition, broken schedules."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exactsched.check
from exactsched import simulation
from exactsched.certificate import read_certificate
from exactsched.certificate.collectives import Series
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.exact.rational import exact, to_json
from exactsched.model.parts import Demand
from exactsched.model.platform import Platform
from exactsched.model.problem import PORTS, Allgather, Alltoall, Combination, Reduction
from exactsched.model.resources import place_resources
from exactsched.model.tasks import WeightedStructure, duration, makes, needs, wanted
from exactsched.model.tasks import given as given_states
from exactsched.simulation import simulate
from exactsched.steady_state.alltoall import solve_alltoall
from exactsched.steady_state.reduce import solve_reduction
from tests.steady_state.planted_collectives import (
    alltoalls,
    reduce_toy,
    reductions,
    run_of,
    scatter_toy,
    series_of,
)

collectives = st.sampled_from(PORTS).flatmap(lambda ports: alltoalls(ports) | reductions(ports))


def complete_batches(series: Series, periods: int) -> int:
    """How many batches the rule has completed after this many periods, one after the other.

    What a structure has of each state is counted at the ends of periods, as RR-4872 argues: in
    each period a task is done for as many operations as its inputs were there for before.
    """
    assert series.schedule is not None
    done = []
    for structure in series.schedule.structures:
        part, count, tasks = structure.part, structure.operations, structure.tasks
        have = dict.fromkeys(given_states(series.problem), 10**9)
        for _ in range(periods):
            before = dict(have)
            for task in tasks:
                ready = min(before.get(state, 0) for state in needs(series.problem, task))
                made = makes(series.problem, task)
                have[made] = min(before.get(made, 0) + count, ready)
        ours = [state for state in wanted(series.problem) if state[0] == (part,)]
        goals = ours if isinstance(series.problem, Alltoall) else wanted(series.problem)
        done.append(min(have.get(state, 0) for state in goals) // count)
    return min(done)


@settings(max_examples=35)
@given(collectives, st.data())
def test_any_number_of_operations_keeps_the_limit_and_is_right(
    series: Series, data: st.DataObject
) -> None:
    problem, schedule = series.problem, series.schedule
    assert schedule is not None
    batch = series.throughput * schedule.period
    operations = data.draw(st.integers(1, min(40, 2 * int(batch) + 1)))
    report = simulate(series, operations)
    assert report.limit is not None
    assert operations / series.throughput <= report.limit
    assert report.makespan <= report.limit
    assert report.throughput == series.throughput
    assert max(report.completion.values()) == report.makespan
    assert set(report.completion) == {node for _, node in wanted(problem)}
    assert all(0 <= part <= 1 for part in report.busy.values())
    assert report.results == expected(problem, operations)


def expected(
    problem: Alltoall | Allgather | Combination | Reduction, operations: int
) -> dict[Any, tuple[Any, ...]]:
    """The texts that the definition wants at every goal, or which are in a sum how often."""
    if isinstance(problem, Combination):
        return {
            (block, target): tuple(
                Counter(
                    f"{block} of {node} ({t})"
                    for node in (problem.members_of(group) if source is None else [source])
                )
                for t in range(operations)
            )
            for block, (_, targets, source, group) in enumerate(problem.blocks)
            for target in targets
            if target != source
        }
    if isinstance(problem, Alltoall):
        return {
            demand: tuple(f"{simulation.one_line(demand)} ({t})" for t in range(operations))
            for demand in problem.demands
        }
    if isinstance(problem, Allgather):
        return {
            (root.node, node): tuple(f"the shard of {root.node} ({t})" for t in range(operations))
            for root in problem.roots
            for node in problem.group - {root.node}
        }
    return {
        ((k, m), node): tuple(
            "".join(f"v{i}({t})" for i in range(k, m + 1)) for t in range(operations)
        )
        for (k, m), node in problem.goals
    }


@settings(max_examples=20)
@given(collectives, st.integers(1, 3))
def test_whole_batches_do_what_the_naive_expansion_does(series: Series, batches: int) -> None:
    schedule = series.schedule
    assert schedule is not None
    batch = int(series.throughput * schedule.period)
    if batch > 60:
        return
    report = simulate(series, batches * batch)
    periods = ceil(report.makespan / schedule.period)
    assert complete_batches(series, periods) >= batches > complete_batches(series, periods - 1)
    # All of the work, and nothing else, was done in this time.
    busy: dict[str, Fraction] = defaultdict(Fraction)
    names = place_resources(series.problem)
    for structure in schedule.structures:
        for task in structure.tasks:
            for name in names[task[0]]:
                busy[name] += batches * structure.operations * duration(series.problem, task)
    work = {name: part * report.makespan for name, part in report.busy.items() if part}
    assert work == busy


@settings(max_examples=20)
@given(collectives, st.integers(1, 4))
def test_runs_are_played_row_by_row(series: Series, operations: int) -> None:
    run = run_of(series, operations)
    report = simulate(run)
    assert report.makespan == run.makespan
    assert report.results == expected(run.problem, operations)
    assert report.constant is None
    assert report.operations == operations


def test_the_reduce_example_event_by_event() -> None:
    """Figure 6: trees of weights 1/3 and 2/3, four tasks in a row, a period of 3."""
    report = simulate(reduce_toy(), 3)
    assert report.events == 2 * 3 * 4
    assert report.constant == 4 * 3
    assert report.throughput == 1
    assert report.results[(0, 2), "P0"] == tuple(f"v0({t})v1({t})v2({t})" for t in range(3))
    # Of tree 1 one operation, of tree 2 two: P1 computes once, P2 twice, P0 thrice for 1/2.
    work = {name: part * report.makespan for name, part in report.busy.items()}
    assert (work["compute:P0"], work["compute:P1"], work["compute:P2"]) == (Fraction(3, 2), 1, 2)
    assert work["recv:P0"] == 3


def test_the_scatter_example_deals_operations_to_routes() -> None:
    report = simulate(scatter_toy(), 400)
    assert report.throughput == Fraction(1, 2)
    assert report.busy["recv:Pa"] == report.busy["send:Pa"] * Fraction(3, 2)
    assert report.results[Demand("Ps", "P1")][399] == "Ps=>P1 (399)"


def test_values_and_operators_of_the_user() -> None:
    """Sums of fractions, products of matrices, and texts joined with a mark between them."""
    toy = reduce_toy()
    sums = simulate(toy, 5, values=lambda i, t: Fraction(i, t + 1))
    assert sums.results[(0, 2), "P0"] == tuple(Fraction(3, t + 1) for t in range(5))

    def product(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
        return (
            a[0] * b[0] + a[1] * b[2],
            a[0] * b[1] + a[1] * b[3],
            a[2] * b[0] + a[3] * b[2],
            a[2] * b[1] + a[3] * b[3],
        )

    powers = simulate(toy, 4, values=lambda i, t: (1, i + t, 0, 2), operator=product)
    assert powers.results[(0, 2), "P0"][1] == product(
        product((1, 1, 0, 2), (1, 2, 0, 2)), (1, 3, 0, 2)
    )
    marked = simulate(toy, 1, operator=lambda left, right: f"{left}+{right}")
    assert marked.results[(0, 2), "P0"] == ("v0(0)+v1(0)+v2(0)",)
    sent = simulate(scatter_toy(), 2, values=lambda demand, t: (demand, t))
    assert sent.results[Demand("Ps", "P1")] == ((1, 0), (1, 1))


@pytest.mark.parametrize("operator", ["+", 0, [], {}, True])
def test_an_operator_is_a_function(operator: Any) -> None:
    """Also where it is false, and could be taken for none."""
    with pytest.raises(InvalidInput, match="a function of two values") as refusal:
        simulate(reduce_toy(), 2, operator=operator)
    assert refusal.value.place == "operator"


def test_an_operator_that_is_not_associative_is_found_out() -> None:
    """(v0 - (v1 - v2)) is not ((v0 - v1) - v2)."""
    with pytest.raises(Rejected, match="if the operator is associative") as refusal:
        simulate(reduce_toy(), 2, values=lambda i, _: i + 1, operator=lambda a, b: a - b)
    assert refusal.value.place == "v[0,2] at node P0, operation 0"
    assert refusal.value.value == 1 - (2 - 3)


def test_values_are_made_once_and_may_be_anything() -> None:
    calls: list[tuple[int, int]] = []

    def values(index: int, operation: int) -> str:
        calls.append((index, operation))
        return str(len(calls))

    report = simulate(reduce_toy(), 4, values=values)
    assert sorted(calls) == [(index, operation) for index in range(3) for operation in range(4)]
    assert report.results[(0, 2), "P0"][1] == "456"
    assert (
        simulate(scatter_toy(), 2, values=lambda *_: None).results[Demand("Ps", "P0")]
        == (None,) * 2
    )


@pytest.mark.parametrize(
    ("series", "changes"),
    [
        (scatter_toy(), {"operator": max}),
        (reduce_toy(), {"values": [1, 2, 3]}),
        (reduce_toy(), {"operations": 0}),
        (reduce_toy(), {"operations": True}),
        (reduce_toy(), {"operations": 10**7}),
        (reduce_toy(), {"operations": 2 * 10**6}),
        (run_of(reduce_toy(), 2), {"operations": 2}),
        (series_of(reduce_toy().problem, []), {}),
    ],
)
def test_what_cannot_be_played_is_refused(series: Any, changes: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        simulate(series, **changes)


def test_a_schedule_in_crumbs_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """One task cut into more pieces than are played."""
    monkeypatch.setattr(simulation, "MAX_TRANSFERS", 50)
    problem = Alltoall(Platform("ab", [("a", "b", 100)]), (("a", "b"),))  # type: ignore[arg-type]
    whole = series_of(problem, [WeightedStructure(0, ((0, 0),), Fraction(1, 100))])
    assert whole.schedule is not None
    crumbs = tuple((0, start, start + 1) for start in range(100))
    cut = replace(whole, schedule=replace(whole.schedule, tick=Fraction(1), slots=crumbs))
    with pytest.raises(InvalidInput, match="at most 50"):
        simulate(cut, 1)
    monkeypatch.undo()
    assert simulate(cut, 1).makespan == 100


def _changed(series: Series, **changes: Any) -> Series:
    assert series.schedule is not None
    return replace(series, schedule=replace(series.schedule, **changes))


def _line() -> Series:
    """v[0] at a, v[1] at b: a -> b of cost 1, the task on b takes 1, and b -> c of cost 1."""
    platform = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    goals = (((0, 1), "c"),)
    problem = Reduction(platform, ("a", "b"), goals, Fraction(1), (("b", Fraction(1)),))
    tasks = ((0, 0, 0), (3, 0, 0, 1), (1, 0, 1))
    return series_of(problem, [WeightedStructure(0, tasks, Fraction(1))])


def test_levels_run_one_period_after_the_other() -> None:
    report = simulate(_line(), 5)
    assert (report.makespan, report.constant) == (7, 3)
    assert report.busy == {
        "send:a": Fraction(5, 7),
        "recv:a": 0,
        "send:b": Fraction(5, 7),
        "recv:b": Fraction(5, 7),
        "send:c": 0,
        "recv:c": Fraction(5, 7),
        "compute:b": Fraction(5, 7),
    }


def _scheme(*tasks: tuple[int, ...]) -> Series:
    series = _line()
    assert series.schedule is not None
    [scheme] = series.schedule.structures
    return _changed(series, structures=(replace(scheme, tasks=tasks),))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("series", "rule"),
    [
        (_changed(_line(), slots=((0, 0, 1), (3, 0, 1))), "shorter than the work"),
        (_changed(_line(), slots=((0, 0, 1), (3, 0, 1), (1, 0, 0))), "has a length"),
        (_changed(_line(), slots=((0, 0, 1), (3, 0, 1), (1, 0, 2))), "lies in the period"),
        (_changed(_line(), slots=((0, 0, 1), (3, 0, 1), (4, 0, 1))), "belongs to a place"),
        (_changed(_line(), period=Fraction(2)), "it is 1/2"),
        (_scheme((3, 0, 0, 1), (1, 0, 1)), "given, or made by a task before"),
        (_scheme((0, 0, 0), (3, 0, 0, 1)), "never arrives there"),
        (_scheme((0, 0, 0), (1, 1, 1), (4, 0, 0, 1)), "a task needs what is given"),
        (replace(_line(), schedule=None), "there is no schedule"),
        (replace(_line(), throughput=Fraction(1, 2)), "it is 1"),
    ],
)
def test_broken_series_are_rejected(series: Series, rule: str) -> None:
    if "never arrives" in rule:
        series = _changed(series, slots=((0, 0, 1), (3, 0, 1)))
    with pytest.raises(Rejected, match=rule):
        simulate(series, 2)


def test_a_node_that_cannot_compute_does_not() -> None:
    series = _scheme((0, 0, 0), (0, 1, 1), (2, 0, 0, 1))
    platform = Platform("abc", [("b", "a", 1), ("a", "c", 1)])
    goals = (((0, 1), "c"),)
    problem = Reduction(platform, ("a", "b"), goals, Fraction(1), (("b", Fraction(1)),))
    tasks = ((0, 1, 1), (2, 0, 0, 1), (1, 0, 1))
    assert series.schedule is not None
    [scheme] = series.schedule.structures
    broken = replace(
        series,
        problem=problem,
        schedule=replace(series.schedule, structures=(replace(scheme, tasks=tasks),)),  # type: ignore[arg-type]
    )
    with pytest.raises(Rejected, match="no such task can be done on a"):
        simulate(broken, 1)


def test_demands_are_served_equally() -> None:
    series = scatter_toy()
    assert series.schedule is not None
    more = tuple(
        replace(route, operations=route.operations + route.part)  # type: ignore[union-attr]
        for route in series.schedule.structures
    )
    with pytest.raises(Rejected, match="same number of operations"):
        simulate(_changed(series, structures=more), 1)
    without = tuple(route for route in series.schedule.structures if route.part == 0)
    with pytest.raises(Rejected, match="at least one"):
        simulate(_changed(series, structures=without), 1)


def test_two_tasks_on_one_processor_collide() -> None:
    """Two schemes on one processor, whose slots overlap."""
    series = _line()
    assert series.schedule is not None
    slots = ((0, 0, 2), (3, 0, 1), (3, 0, 1), (1, 0, 2))
    [scheme] = series.schedule.structures
    twice = (scheme, scheme)
    with pytest.raises(Rejected, match="one thing at a time") as refusal:
        simulate(_changed(series, period=Fraction(2), slots=slots, structures=twice), 2)
    assert refusal.value.place == "event at 2, operation 1 doing T[0,0,1] on b"
    assert refusal.value.value == ["compute:b", "doing T[0,0,1] on b", 0]


@settings(max_examples=50)
@given(collectives, st.data())
def test_a_run_that_was_tampered_with_is_judged_by_definition(
    series: Series, data: st.DataObject
) -> None:
    run = run_of(series, data.draw(st.integers(1, 2)))
    rows = [list(row) for row in run.rows]
    index = data.draw(st.integers(0, len(rows) - 1))
    what = data.draw(st.sampled_from(("start", "end", "shift", "drop", "twice", "operation")))
    if what in ("start", "end"):
        rows[index][2 if what == "start" else 3] += data.draw(st.sampled_from((-1, 1)))
    elif what == "shift":
        by = data.draw(st.integers(-3, 3))
        rows[index][2] += by
        rows[index][3] += by
    elif what == "drop":
        del rows[index]
    elif what == "twice":
        rows.append([*rows[index][:2], *(time + rows[-1][3] for time in rows[index][2:])])
    else:
        rows[index][1] = data.draw(st.integers(0, run.operations - 1))
    if not rows:
        return
    end = max(row[3] for row in rows)
    told = replace(run, rows=tuple(map(tuple, rows)), makespan=end * run.tick)  # type: ignore[arg-type]
    try:
        simulate(told)
        played = True
    except Rejected:
        played = False
    assert played == _right(told)


def _right(run: Any) -> bool:
    """The rules of a run by definition, one after the other over all rows."""
    problem, names = run.problem, place_resources(run.problem)
    made: dict[Any, int] = {
        (state, t): 0 for state in given_states(problem) for t in range(run.operations)
    }
    total: dict[tuple[int, int], int] = defaultdict(int)
    starts: dict[tuple[int, int], int] = {}
    ends: dict[tuple[int, int], int] = {}
    for task, operation, start, end in run.rows:
        if not 0 <= start < end:
            return False
        total[task, operation] += end - start
        starts[task, operation] = min(start, starts.get((task, operation), start))
        ends[task, operation] = max(end, ends.get((task, operation), end))
    for (task, operation), lasted in total.items():
        if lasted * run.tick != duration(problem, run.tasks[task]):
            return False
        key = makes(problem, run.tasks[task]), operation
        made[key] = min(made.get(key, ends[task, operation]), ends[task, operation])
    for (task, operation), start in starts.items():
        for state in needs(problem, run.tasks[task]):
            if made.get((state, operation), start + 1) > start:
                return False
    for index, one in enumerate(run.rows):
        for other in run.rows[:index]:
            shared = set(names[run.tasks[one[0]][0]]) & set(names[run.tasks[other[0]][0]])
            if shared and one[2] < other[3] and other[2] < one[3]:
                return False
    return all((state, t) in made for state in wanted(problem) for t in range(run.operations))


def test_the_makespan_of_a_run_is_the_end_of_its_last_row() -> None:
    run = run_of(reduce_toy(), 2)
    with pytest.raises(Rejected, match="the last piece of work ends at"):
        simulate(replace(run, makespan=run.makespan + 1))


def test_reports_are_short_tables() -> None:
    for certificate in (reduce_toy(), scatter_toy(), run_of(reduce_toy(), 3)):
        shown = str(simulate(certificate))
        assert all(len(line) <= 80 for line in shown.splitlines())
        assert "of the schedule's rate" in shown or "rate" in shown
    shown = str(simulate(reduce_toy()))
    assert "reduction of 3 values to P0, one-port" in shown
    assert "100 of 100 complete, every value as defined" in shown
    assert "compute:P2" in shown
    assert "at most      112 = operations / throughput + 12" in shown
    assert "every message at its target" in str(simulate(scatter_toy()))


# --- together with solvers and checker ----------------------------------------------------------

CORPUS = Path(__file__).parents[1] / "corpus"
ACCEPTED = sorted((CORPUS / "accepted" / "collectives").glob("*.json"))
RUNS = [path for path in ACCEPTED if path.stem.startswith("run-")]


@pytest.mark.parametrize("path", ACCEPTED, ids=lambda path: path.stem)
def test_everything_accepted_can_be_played(path: Path) -> None:
    document = read_certificate(path)
    if document["kind"] == "run":
        operations = document["operations"]
    elif document["schedule"] is None:
        with pytest.raises(InvalidInput, match="the throughput is 0"):
            simulate(path)
        return
    else:
        operations = 7
    report = simulate(path, None if document["kind"] == "run" else operations)
    assert report.operations == operations
    assert report.results == expected(report.problem, operations)  # type: ignore[arg-type]
    bound = exact(document["bound"], "bound")
    assert report.makespan >= (bound if document["kind"] == "run" else operations / bound)


@settings(max_examples=15)
@given(collectives, st.integers(1, 60))
def test_optimal_schedules_do_what_their_solutions_promise(series: Series, operations: int) -> None:
    """RR-4872, propositions 1 to 3: M operations take M / TP + C, and nothing beats M / TP."""
    problem = series.problem
    if isinstance(problem, Reduction) and len(problem.goals) > 1:
        return
    solution = (
        solve_alltoall(problem) if isinstance(problem, Alltoall) else solve_reduction(problem)
    )
    assert solution.throughput >= series.throughput
    report = simulate(solution.certificate(), operations)
    assert report.throughput == solution.throughput
    assert report.constant == solution.makespan_constant
    assert report.limit is not None
    assert operations / solution.bound <= report.makespan <= report.limit
    assert solution.operations_within(report.limit + solution.schedule.period) >= operations  # type: ignore[union-attr]


@settings(max_examples=80)
@given(st.sampled_from(RUNS), st.data())
def test_simulator_and_checker_judge_tampered_runs_alike(path: Path, data: st.DataObject) -> None:
    """Two readings of one page: intervals there, events here."""
    document = read_certificate(path)
    rows = document["rows"]
    index = data.draw(st.integers(0, len(rows) - 1))
    what = data.draw(st.sampled_from(("start", "end", "shift", "drop", "task", "operation")))
    if what in ("start", "end"):
        rows[index][2 if what == "start" else 3] += data.draw(st.sampled_from((-1, 1)))
    elif what == "shift":
        by = data.draw(st.integers(-3, 3))
        rows[index][2] += by
        rows[index][3] += by
    elif what == "drop":
        del rows[index]
    elif what == "task":
        rows[index][0] = data.draw(st.integers(0, len(document["tasks"]) - 1))
    else:
        rows[index][1] = data.draw(st.integers(0, document["operations"] - 1))
    if not rows:
        return
    end = max(row[3] for row in rows) * exact(document["tick"], "tick")
    document["makespan"] = to_json(end)
    document["optimal"] = end == exact(document["bound"], "bound")
    verdicts = []
    for judge in (simulate, exactsched.check):
        try:
            judge(document)
            verdicts.append(True)
        except Rejected:
            verdicts.append(False)
    assert verdicts[0] == verdicts[1]


def test_a_part_of_a_batch_is_dealt_in_proportion() -> None:
    """Two of three operations: a third of two, rounded down, is none for the first tree."""
    report = simulate(reduce_toy(), 2)
    assert report.busy["compute:P1"] == 0
    assert report.busy["compute:P2"] * report.makespan == 2


def test_what_arrives_twice_is_complete_when_it_first_arrives() -> None:
    platform = Platform("abc", [("a", "b", 1), ("a", "c", 1), ("c", "b", 1)])
    problem = Alltoall(platform, (("a", "b"),))  # type: ignore[arg-type]
    base = run_of(series_of(problem, [WeightedStructure(0, ((0, 0),), Fraction(1))]), 1)
    tasks = ((0, 0), (1, 0), (2, 0))
    rows = ((0, 0, 0, 1), (1, 0, 1, 2), (2, 0, 2, 3))
    report = simulate(replace(base, tasks=tasks, rows=rows, makespan=Fraction(3)))
    assert report.completion == {"b": 1}
    assert report.makespan == 3


def test_the_simulator_reads_nouns_only() -> None:
    """No solver and no checker is imported: what they agree on was written down twice."""
    nouns = {"certificate", "exact", "model", "simulation"}
    for path in Path(simulation.__file__).parent.glob("*.py"):
        for line in path.read_text().splitlines():
            if line.startswith(("from exactsched", "import exactsched")):
                assert line.split()[1].split(".")[1] in nouns, (path.name, line)


# Allgathers.


def test_shards_arrive_as_they_were_sent() -> None:
    path = Path(__file__).parents[1] / "corpus" / "accepted" / "collectives" / "allgather.json"
    report = simulate(read_certificate(path), 3)
    assert isinstance(report.problem, Allgather)
    assert report.results["b", "c"] == tuple(f"the shard of b ({m})" for m in range(3))
    assert set(report.results) == {("a", "b"), ("a", "c"), ("b", "a"), ("b", "c")}
    assert "every shard everywhere in the group" in str(report)


@pytest.mark.parametrize("name", ["shard-copied-in-a-switch", "run-shard-copied-in-a-switch"])
def test_what_only_forwards_does_not_copy(name: str) -> None:
    path = Path(__file__).parents[1] / "corpus" / "rejected" / "collectives" / f"{name}.json"
    with pytest.raises(Rejected, match="sends once what it has received"):
        simulate(read_certificate(path))


def test_a_forgotten_shard_is_missed() -> None:
    path = Path(__file__).parents[1] / "corpus" / "rejected" / "collectives"
    for name in ("shard-forgotten", "shard-missing-at-a-node", "shard-of-another-root-forwarded"):
        with pytest.raises(Rejected):
            simulate(read_certificate(path / f"{name}.json"))
