"""The simulator against the definition, against the checker, and against broken schedules."""

from __future__ import annotations

from copy import deepcopy
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exactsched.check
from exactsched.certificate import parse, write_certificate
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.exact.rational import to_json
from exactsched.model.platform import Platform
from exactsched.model.problem import PORTS, Broadcast
from exactsched.oracles.collectives import simulate_series
from exactsched.platforms.built_in import built_in
from exactsched.platforms.papers import legrand_fig1
from exactsched.runs.finite_run import run_operations
from exactsched.simulation import DEFAULT_OPERATIONS, simulate
from exactsched.steady_state import arborescence_packing
from exactsched.steady_state.broadcast import solve_series
from exactsched.steady_state.restricted.best_tree import broadcast_tree
from exactsched.strategies import broadcasts


def legrand(operations: int | None = None) -> dict[str, Any]:
    solution = solve_series(Broadcast(legrand_fig1(), "Ps"))
    return (
        solution.certificate()
        if operations is None
        else run_operations(solution, operations).certificate()
    )


@pytest.mark.parametrize("ports", PORTS)
@settings(max_examples=20)
@given(data=st.data())
def test_a_series_does_what_the_naive_expansion_does(ports: str, data: st.DataObject) -> None:
    bipartite = ports == "half-duplex"
    problem = data.draw(broadcasts(ports=ports, bipartite=bipartite, max_nodes=5))  # type: ignore[arg-type]
    solution = solve_series(problem)
    schedule = solution.schedule
    assert schedule is not None
    batch = sum(tree.operations for tree in schedule.structures)
    if batch > 60:
        return
    batches = data.draw(st.integers(1, 3))
    report = simulate(solution.certificate(), batches * batch)
    periods = ceil(report.makespan / schedule.period)
    # The deepest tree ends its last batch in the last period, where others may be ahead.
    assert periods == batches + solution.depth - 1
    assert simulate_series(solution.certificate(), periods) >= batches * batch
    costs = [arc.cost for arc in problem.platform.arcs]
    work = sum(
        tree.operations * sum(costs[arc] for arc in tree.arcs) for tree in schedule.structures
    )
    resources_per_arc = 1 if ports == "link" else 2
    assert sum(report.busy.values()) * report.makespan == resources_per_arc * batches * work


@settings(max_examples=35)
@given(broadcasts(max_nodes=6, ports="one-port"), st.integers(1, 200))
def test_any_number_of_operations_keeps_the_limit(problem: Broadcast, operations: int) -> None:
    solution = solve_series(problem)
    report = simulate(solution.certificate(), operations)
    assert report.limit == operations / solution.throughput + solution.makespan_constant
    assert operations / solution.bound <= report.makespan <= report.limit
    assert report.rate <= report.throughput == solution.throughput
    assert max(report.completion.values()) == report.makespan
    assert set(report.completion) == set(problem.platform.nodes) - {problem.source}
    assert all(part <= 1 for part in report.busy.values())


def test_the_paper_example_event_by_event() -> None:
    """Two operations in a period of 2, on trees of depths 2 and 3."""
    report = simulate(legrand(), 2)
    assert report.operations == 2
    assert report.events == 2 * 2 * 4
    assert report.completion["P1"] <= 4
    assert report.busy["send:Ps"] * report.makespan == 2
    assert report.makespan <= report.limit == 2 + 6


def test_a_period_of_many_digits_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """As column generation mixes trees; by rates of arcs the period is short."""
    monkeypatch.setattr(arborescence_packing, "PATIENCE_IF_HARD", 100)
    solution = solve_series(Broadcast(built_in("grid:8x8"), 0, "half-duplex"))
    report = simulate(solution.certificate(), 3)
    assert report.limit is not None
    assert 10**9 < report.makespan <= report.limit
    assert report.events < 10_000
    assert "~" in str(report)


def test_nouns_files_and_documents_are_alike(tmp_path: Path) -> None:
    document = legrand()
    write_certificate(document, tmp_path / "series.json")
    assert simulate(document, 5) == simulate(parse(document), 5)
    assert simulate(document, 5) == simulate(tmp_path / "series.json", 5)
    assert simulate(document).operations == DEFAULT_OPERATIONS


def test_a_report_is_a_short_table() -> None:
    shown = str(simulate(legrand(), 100))
    assert "makespan" in shown
    assert "100 of 100 everywhere" in shown
    assert all(len(line) <= 80 for line in shown.splitlines())
    assert str(simulate(legrand(4))).startswith("simulated")


def test_a_series_is_compared_with_its_schedule_only() -> None:
    """The best tree reaches 2/3; nothing is said about what other schedules reach."""
    report = simulate(broadcast_tree(legrand_fig1(), "Ps").certificate(), 100)
    lines = dict(line.split(maxsplit=1) for line in str(report).splitlines() if line[0] != " ")
    assert report.throughput == Fraction(2, 3)
    assert lines["throughput"] == "2/3"
    part = report.rate / report.throughput
    assert lines["rate"].endswith(f"({round(part * 1000) / 10}% of the schedule's rate)")
    assert not {"bound", "best"} & set(str(report).split())


@pytest.mark.parametrize("bound", [0, -1, "1/7", 10**6])
def test_a_run_says_nothing_about_its_unexamined_bound(bound: int | str) -> None:
    document = legrand(4)
    honest = simulate(document)
    document["bound"] = bound
    document["optimal"] = False
    assert simulate(document) == honest
    assert honest.throughput == honest.rate == 4 / honest.makespan
    assert "bound" not in str(honest)
    assert "throughput" not in str(honest)
    assert f"\nrate         {honest.rate}\n" in str(honest)


def test_names_stay_on_their_lines() -> None:
    names = ["a\nrate 7", "b\r\x1b[2J", "c\u2028\ud800"]
    platform = Platform(names, [(names[0], names[1], 1), (names[1], names[2], 1)])
    solution = solve_series(Broadcast(platform, names[0]))
    plain = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    shown = str(simulate(solution.certificate(), 2))
    expected = str(simulate(solve_series(Broadcast(plain, "a")).certificate(), 2))
    assert len(shown.splitlines()) == len(expected.splitlines())
    assert all(line.isprintable() for line in shown.split("\n"))
    assert r"broadcast from a\nrate 7" in shown
    assert r"  b\r\x1b[2J" in shown
    document = run_operations(solution, 1).certificate()
    document["rows"] = document["rows"][:1]
    with pytest.raises(Rejected, match="never arrives") as refusal:
        simulate(document)
    assert str(refusal.value).isprintable()


@pytest.mark.parametrize("exponent", [0, 6000, -6000])
def test_refusals_survive_numbers_of_any_length(exponent: int) -> None:
    """CPython does not print integers of more than 4300 digits; events and times may have more."""
    cost = 2 * Fraction(10) ** exponent
    platform = Platform("abc", [("a", "b", cost), ("a", "c", cost)])
    honest = run_operations(solve_series(Broadcast(platform, "a")), 1).certificate()
    assert honest["rows"] == [[0, 0, 0, 1], [1, 0, 1, 2]]
    assert "makespan" in str(simulate(honest))
    for tick, rows, rule in (
        (cost, [[0, 0, 0, 1]], "never arrives"),
        (cost, [[0, 0, 0, 1], [0, 0, 1, 2]], "has completely received|exactly as long"),
        (cost, [[0, 0, 0, 1], [1, 0, 2, 3]], "the last piece of work ends at"),
        (1, [[0, 0, 10**6000, 10**6000 + 2], [1, 0, 10**6000 + 1, 10**6000 + 4]], "one thing"),
        (1, [[0, 0, 10**6000, 10**6000]], "ends after it starts"),
    ):
        document = deepcopy(honest)
        document["tick"] = to_json(tick)
        document["rows"] = [[*map(to_json, row)] for row in rows]
        with pytest.raises(Rejected, match=rule) as refusal:
            simulate(document)
        assert len(str(refusal.value)) < 300


@pytest.mark.parametrize("operations", [0, -2, True, 1.5, 10**9])
def test_wrong_numbers_of_operations_are_refused(operations: Any) -> None:
    with pytest.raises(InvalidInput):
        simulate(legrand(), operations)


def test_a_run_brings_its_own_operations() -> None:
    with pytest.raises(InvalidInput, match="its own operations"):
        simulate(legrand(3), 3)


def _tampered(document: dict[str, Any], data: st.DataObject) -> dict[str, Any]:
    changed = deepcopy(document)
    rows = changed["rows"]
    index = data.draw(st.integers(0, len(rows) - 1))
    what = data.draw(
        st.sampled_from(("start", "end", "shift", "drop", "twice", "task", "operation"))
    )
    if what in ("start", "end"):
        rows[index][2 if what == "start" else 3] += data.draw(st.sampled_from((-1, 1)))
    elif what == "shift":
        by = data.draw(st.integers(-3, 3))
        rows[index][2] += by
        rows[index][3] += by
    elif what == "drop":
        del rows[index]
    elif what == "twice":
        task, operation, start, end = rows[index]
        later = data.draw(st.integers(0, 30))
        rows.append([task, operation, start + later, end + later])
    elif what == "task":
        rows[index][0] = data.draw(st.integers(0, len(changed["tasks"]) - 1))
    else:
        rows[index][1] = data.draw(st.integers(0, changed["operations"] - 1))
    return changed


def _verdict(judge: Any, document: dict[str, Any]) -> bool:
    try:
        judge(document)
    except Rejected:
        return False
    return True


@settings(max_examples=60)
@given(broadcasts(min_nodes=3, max_nodes=5, ports="one-port"), st.data())
def test_simulator_and_checker_judge_tampered_runs_alike(
    problem: Broadcast, data: st.DataObject
) -> None:
    """Two readings of one page: intervals there, events here."""
    run = run_operations(solve_series(problem), data.draw(st.integers(1, 4)))
    assert simulate(run.certificate()).makespan == run.makespan
    document = _tampered(run.certificate(), data)
    if document["rows"]:
        assert _verdict(simulate, document) == _verdict(exactsched.check, document)


def _tree(*tasks: list[int]) -> dict[str, Any]:
    return {"operations": 1, "part": 0, "tasks": list(tasks)}


def _series(slots: list[list[int]], **changes: Any) -> dict[str, Any]:
    """A chain a -> b -> c of costs 2 and 1, one operation per period of 3 in ticks of 1."""
    platform = Platform("abc", [("a", "b", 2), ("b", "c", 1)])
    document = solve_series(Broadcast(platform, "a")).certificate()
    structures = [_tree([0], [1])]
    schedule = {"period": 3, "tick": 1, "structures": structures, "slots": slots, "whole": False}
    document["schedule"] = schedule | changes
    document["throughput"] = "1/3"
    return document


@pytest.mark.parametrize(
    ("document", "rule"),
    [
        (_series([[0, 0, 2], [1, 0, 0]]), "a slot has a length"),
        (_series([[0, 2, 4], [1, 0, 1]]), "lies in the period"),
        (_series([[0, 0, 1], [1, 0, 1]]), "shorter than the work"),
        (_series([[0, 0, 2], [0, 1, 2], [1, 0, 1]]), None),
        (_series([[0, 0, 2]]), "shorter than the work"),
        (_series([[0, 0, 2], [1, 0, 1]], structures=[_tree([0])]), "leads from"),
        (_series([[0, 0, 2], [1, 0, 1]], structures=[_tree([0], [0])]), "leads from"),
        (_series([[0, 0, 2], [1, 0, 1]], structures=[_tree([1], [0])]), "made by a task before"),
        (_series([[0, 0, 2], [1, 0, 1]], period=4), "it is 1/4"),
    ],
)
def test_broken_series_are_rejected(document: dict[str, Any], rule: str | None) -> None:
    if rule is None:
        # More slots than operations is the checker's affair: what is sent is still right.
        assert simulate(document, 3).makespan == 10
        return
    with pytest.raises(Rejected, match=rule):
        simulate(document, 3)


def test_slots_that_collide_are_rejected_where_they_do() -> None:
    platform = Platform("abc", [("a", "b", 1), ("a", "c", 1)])
    document = solve_series(Broadcast(platform, "a")).certificate()
    document["schedule"]["slots"] = [[0, 0, 1], [1, 0, 1]]
    with pytest.raises(Rejected, match="a resource does one thing at a time") as refusal:
        simulate(document, 1)
    assert refusal.value.place == "event at 0, operation 0 on a->c"


def test_no_schedule_plays_nothing() -> None:
    document = solve_series(Broadcast(Platform("ab", []), "a")).certificate()
    with pytest.raises(InvalidInput, match="no operation is ever complete"):
        simulate(document, 1)
    assert exactsched.check(document).throughput == 0
    document["throughput"] = 1
    with pytest.raises(Rejected, match="there is no schedule"):
        simulate(document, 1)


@pytest.mark.parametrize(
    ("rows", "rule"),
    [
        ([[0, 0, 0, 2], [1, 0, 1, 2]], "completely received"),
        ([[0, 0, 0, 2], [1, 0, 2, 3], [1, 0, 3, 4]], "exactly as long"),
        ([[0, 0, 0, 2]], "never arrives"),
        ([[0, 0, 0, 1], [1, 0, 1, 2]], "completely received"),
        ([[0, 0, 2, 2], [1, 0, 2, 3]], "ends after it starts"),
        ([[0, 0, 0, 2], [1, 0, 3, 4]], "the last piece of work ends at 4"),
    ],
)
def test_broken_runs_are_rejected(rows: list[list[int]], rule: str) -> None:
    platform = Platform("abc", [("a", "b", 2), ("b", "c", 1)])
    document = run_operations(solve_series(Broadcast(platform, "a")), 1).certificate()
    assert document["rows"] == [[0, 0, 0, 2], [1, 0, 2, 3]]
    document["rows"] = rows
    with pytest.raises(Rejected, match=rule):
        simulate(document)


def test_a_start_up_is_not_interrupted() -> None:
    platform = Platform("ab", [("a", "b", 1)])
    document = run_operations(solve_series(Broadcast(platform, "a")), 1).certificate()
    document["problem"]["platform"]["arcs"] = [["a", "b", 1, 1]]
    document["rows"] = [[0, 0, 0, 1], [0, 0, 2, 3]]
    document["makespan"] = 3
    with pytest.raises(Rejected, match="not interrupted"):
        simulate(document)
    document["rows"] = [[0, 0, 1, 3]]
    assert simulate(document).makespan == 3
    assert simulate(document).completion == {"b": Fraction(3)}
