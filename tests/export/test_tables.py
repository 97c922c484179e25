"""Tables of results: names of nodes, exact times, and data frames that keep them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import exactsched
from exactsched import InvalidInput, LogP, MultiPort, Platform, nx, to_networkx
from exactsched.export.tables import tables_of
from exactsched.logp.broadcast import broadcast as logp_broadcast
from tests.package.test_results import RESULTS

LINE = Platform("abc", [("a", "b", "1/2"), ("b", "c", 1), ("c", "b", 2)])


def test_the_schedule_of_a_series() -> None:
    best = exactsched.broadcast(LINE, "a")
    tables = best.tables()
    assert list(tables) == ["schedule", "structures"]
    busy: dict[Any, Fraction] = {}
    for row in tables["schedule"]:
        ends = row["tail"], row["head"]
        busy[ends] = busy.get(ends, Fraction(0)) + row["end"] - row["start"]
    assert best.schedule is not None
    operations = best.throughput * best.schedule.period
    assert busy == {("a", "b"): operations / 2, ("b", "c"): operations}
    assert tables["structures"] == [{"part": 0, "weight": 1, "edges": (("a", "b"), ("b", "c"))}]
    assert exactsched.broadcast(LINE, "c").tables() == {"schedule": [], "structures": []}


def test_a_run_and_a_reduction() -> None:
    run = exactsched.run_operations(exactsched.broadcast(LINE, "a"), 2)
    rows = run.tables()["schedule"]
    assert {(row["tail"], row["head"], row["operation"]) for row in rows} == {
        (*ends, number) for ends in (("a", "b"), ("b", "c")) for number in (0, 1)
    }
    assert max(row["end"] for row in rows) == run.makespan
    reduction = exactsched.reduce(Platform("bc", [("c", "b", 1)]), "cb", "b", compute=1)
    assert {(row["tail"], row["head"]) for row in reduction.tables()["schedule"]} == {
        ("c", "b"),
        ("b", "b"),
    }
    assert reduction.trees[0].edges == (("c", "b"),)


def test_other_kinds() -> None:
    overlay = exactsched.acyclic_overlay(MultiPort([4, 2, 1], [2, 2, 2]))
    into = [row["rate"] for row in overlay.tables()["arcs"] if row["receiver"] == 1]
    assert sum(into) == overlay.throughput
    messages = logp_broadcast(LogP("3/2", "1/2", 1, 3)).tables()["messages"]
    assert {row["receiver"] for row in messages} == {1, 2}
    assert {type(row["start"]) for row in messages} <= {int, Fraction}
    best = exactsched.maximize([1, 1], [[1, 0], [0, 2]], [1, 1]).tables()
    assert [row["value"] for row in best["variables"]] == [1, Fraction(1, 2)]
    assert [row["price"] for row in best["rows"]] == [1, Fraction(1, 2)]
    colors = exactsched.color_edges([(0, 0), (0, 1)]).tables()["classes"]
    assert sorted(row["edges"] for row in colors) == [((0, 0),), ((0, 1),)]


@pytest.mark.parametrize("name", sorted(RESULTS))
def test_every_result_has_tables(name: str) -> None:
    result = RESULTS[name](2)
    if hasattr(result, "tables"):
        for rows in result.tables().values():
            assert len({tuple(row) for row in rows}) <= 1


def test_trees_and_graphs() -> None:
    best = exactsched.broadcast(Platform("abs", [("s", "a", 1), ("s", "b", 2), ("a", "b", 1)]), "s")
    assert best.trees == tuple(exactsched.certificate.parse(best.certificate()).trees)
    assert sum(tree.weight for tree in best.trees) == best.throughput
    for tree in best.trees:
        graph = to_networkx(tree)
        assert set(graph.edges) == set(tree.edges)
        assert graph.graph["weight"] == str(tree.weight)
    assert to_networkx(best.trees[0]).edges["s", "a"]["cost"] == "1"


def test_nodes_of_networkx() -> None:
    import networkx

    best = nx.broadcast(networkx.path_graph(["x", (0, 1)]), (0, 1))
    assert best.tables()["structures"] == [{"weight": 1, "part": None, "edges": (((0, 1), "x"),)}]
    flow = nx.maximum_flow(networkx.path_graph(3), 0, 2, capacity=None)
    assert flow.tables()["flow"][0] == {"edge": (0, 1), "amount": 1}


def test_data_frames() -> None:
    pandas = pytest.importorskip("pandas")
    frame = exactsched.broadcast(LINE, "a").to_pandas("structures")
    assert isinstance(frame, pandas.DataFrame)
    assert frame["weight"].tolist() == [Fraction(1)]
    assert set(frame.dtypes.astype(str)) == {"object"}
    schedule = exactsched.broadcast(LINE, "a").to_pandas()
    assert list(schedule.columns) == ["tail", "head", "start", "end"]
    with pytest.raises(InvalidInput, match="'trees': the tables of this result: schedule, struct"):
        exactsched.broadcast(LINE, "a").to_pandas("trees")


def test_without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(InvalidInput, match=r"type pip install 'exactsched\[pandas\]'"):
        exactsched.broadcast(LINE, "a").to_pandas()


def test_tables_of_a_record() -> None:
    found = exactsched.decompose_into_arborescences(3, 0, [(0, 1), (1, 2)], [1, 1])
    assert tables_of(found) == {"trees": [{"weight": 1, "edges": ((0, 1), (1, 2))}]}
