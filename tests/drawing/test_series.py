"""Scenes of series and runs say what the certificates say: claims, trees, colors, bounds."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched import drawing
from exactsched.certificate import parse, read_certificate
from exactsched.certificate.bounds import CutBound, DistanceBound, PotentialBound
from exactsched.certificate.collectives import Row, Run, Series
from exactsched.drawing.palette import FEW_COLORS, color
from exactsched.drawing.scene import Graph, Table, Timeline, Tree
from exactsched.drawing.series import trees
from exactsched.drawing.series.activity import stints
from exactsched.drawing.series.chart import MOST_ROWS
from exactsched.drawing.series.colors import key_of
from exactsched.drawing.series.names import short_names
from exactsched.drawing.series.roles import role_notes, roles_of
from exactsched.drawing.series.scenes import series_scene
from exactsched.drawing.words.series import goal_charges, isolated
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.model.platform import Platform, both_ways
from exactsched.model.problem import PORTS, Allgather, Alltoall, Broadcast, Reduction
from exactsched.model.tasks import WeightedStructure
from exactsched.steady_state import arborescence_packing
from exactsched.steady_state.allgather_any_ports import allgather
from exactsched.steady_state.broadcast import broadcast
from tests.drawing.examples import (
    ACCEPTED,
    BY_NAME,
    COLLECTIVES,
    HOSTILE,
    chain_run,
    series_on,
    torus_alltoall,
)
from tests.drawing.pictures import assert_page, assert_trace, of_kind, parsed, words
from tests.drawing.test_series_activity import every_series
from tests.steady_state.planted_collectives import reduce_toy, run_of, scatter_toy, series_of


def told_by(certificate: Series | Run) -> str:
    return " ".join(words(drawing.svg(certificate)))


# --- all of them --------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [*ACCEPTED, *COLLECTIVES], ids=lambda path: path.stem)
def test_everything_accepted_can_be_drawn(path: Path) -> None:
    parsed(drawing.svg(path))
    assert_page(drawing.html(path))
    assert_trace(parse(read_certificate(path)))


@given(every_series, st.integers(0, 2))
@settings(max_examples=25)
def test_everything_solved_or_planted_can_be_drawn(series: Series, operations: int) -> None:
    runs = operations and not isinstance(series.problem, Broadcast)
    certificate = run_of(series, operations) if runs else series
    parsed(drawing.svg(certificate))
    assert_page(drawing.html(certificate))
    assert_trace(certificate)


@given(every_series)
@settings(max_examples=20)
def test_bars_of_the_chart_are_the_stints(series: Series) -> None:
    timeline = of_kind(series_scene(series), Timeline)
    bars = [bar for row in timeline.rows for lane in row.lanes for bar in lane]
    if any(bar.told.startswith("several") for bar in bars) or len(timeline.rows) == MOST_ROWS:
        return
    key = key_of(series)
    found = {(one.start, one.end, key.fill(one)) for one in stints(series)}
    assert {(bar.start, bar.end, bar.fill) for bar in bars} == found
    assert timeline.span == series.schedule.period  # type: ignore[union-attr]
    for bar in bars:
        assert bar.cuts
        first, each = bar.cuts
        assert bar.start < first <= bar.start + each


@given(every_series)
@settings(max_examples=20)
def test_the_graph_has_all_nodes_and_arcs(series: Series) -> None:
    graph = of_kind(series_scene(series), Graph)
    platform = series.problem.platform
    assert len(graph.nodes) == len(platform.nodes)
    assert [(edge.tail, edge.head) for edge in graph.edges] == [
        (platform.position[arc.tail], platform.position[arc.head]) for arc in platform.arcs
    ]
    used = {one.place for one in stints(series)}
    assert {arc for arc, edge in enumerate(graph.edges) if edge.strands} == {
        place for place in used if place < len(platform.arcs)
    }
    costs = {edge.label for edge in graph.edges}
    assert costs == {""} or all(edge.label for edge in graph.edges)


# --- what is asked and claimed ------------------------------------------------------------------


def test_claims_are_stated_as_they_are() -> None:
    optimal = told_by(series_on("legrand-fig1", "Ps"))
    assert "Throughput 1 per time unit \u2014 optimal: the bound is the same" in optimal
    stated = told_by(parse(read_certificate(BY_NAME["crossing-cuts"])))
    assert "Throughput 1/3" in stated
    assert "no schedule reaches more than 8/5" in stated
    assert "optimal" not in stated
    finite = told_by(chain_run(20))
    assert "20 packets in 22 time units" in finite
    assert "no schedule takes less than 20" in finite
    assert "lower bound 20" in finite


def test_the_broadcast_example() -> None:
    scene = series_scene(series_on("legrand-fig1", "Ps"))
    timeline = of_kind(scene, Timeline)
    assert [(row.group, row.side, row.share) for row in timeline.rows] == [
        ("Ps", "send", "100%"),
        ("P1", "send", "100%"),
        ("P1", "receive", "100%"),
        ("P2", "send", "100%"),
        ("P2", "receive", "100%"),
        ("P3", "receive", "50%"),
        ("P4", "receive", "50%"),
    ]
    assert [row.marked for row in timeline.rows] == [True, *[False] * 6]
    page = drawing.html(series_on("legrand-fig1", "Ps"))
    for heading in ("Trees", "Steps of one period", "Why nothing is better", "How to check it"):
        assert f"<h2>{heading}</h2>" in page
    assert "Ps \u2192 P1, P1 \u2192 P2, P1 \u2192 P3, P2 \u2192 P4" in page
    assert page.count("<svg") == 4  # graph, chart, and either tree alone


def test_the_reduce_example_shows_what_the_paper_draws() -> None:
    """Figure 7: both trees; and a chart with a row for each port and each processor."""
    shown = words(drawing.svg(reduce_toy()))
    assert "Reduction of 3 values to P0 on reduce-toy: 3 nodes, 6 arcs, one-port" in shown
    assert {"tree 1: weight 1/3", "tree 2: weight 2/3"} <= set(shown)
    for text, times in {
        "v[0]": 3,  # at its node, and in both trees
        "transfer [1,1]": 1,
        "transfer [2,2]": 1,
        "transfer [1,2]": 2,
        "cons[1,1,2]": 2,
        "cons[0,0,2]": 2,
        "on node P0": 2,
        "result [0,2]": 2,
        "P1 \u2192 P0": 1,
        "compute": 3,
        "T[0,0,2]": 2,
        "[1,2] \u2190 P2": 1,
    }.items():
        assert shown.count(text) == times, text
    page = drawing.html(reduce_toy())
    told = "transfer [2,2] P2 \u2192 P1; cons[1,1,2] on node P1; transfer [1,2] P1 \u2192 P0;"
    assert f"{told} cons[0,0,2] on node P0" in page
    assert "P1 computes" in page
    assert page.count("<svg") == 4


def test_the_scatter_example_names_its_demands() -> None:
    shown = words(drawing.svg(scatter_toy()))
    assert "Scatter from Ps to 2 targets on scatter-toy: 5 nodes, 5 arcs, one-port" in shown
    assert "(Ps \u21d2 P1) \u2192 Pb" in shown
    assert "route 3, Ps \u21d2 P1: 1/2 per time unit, 2 messages a period" in shown
    page = drawing.html(scatter_toy())
    ways = ["Ps \u2192 Pa \u2192 P0", "Ps \u2192 Pb \u2192 P0", "Ps \u2192 Pb \u2192 P1"]
    assert sorted(map(page.index, ways)) == [page.index(way) for way in ways]


def test_runs_name_their_operations() -> None:
    shown = words(drawing.svg(run_of(reduce_toy(), 3)))
    assert "3 operations in 21/2 time units \u2014 optimal" in shown
    assert {"#2 [1,2]", "#0 T[1,1,2]", "tree 1: 3 operations"} <= set(shown)
    page = drawing.html(run_of(scatter_toy(), 2))
    assert "<h2>Tasks</h2>" in page
    assert "Ps \u21d2 P1 on Pb \u2192 P1" in page
    assert "<h2>Transfers</h2>" in drawing.html(chain_run(3))


def test_nodes_look_like_what_they_do() -> None:
    roles = roles_of(reduce_toy().problem)
    assert roles["P0"].filled
    assert roles["P0"].told == " (has v[0], wants v[0,2], computes)"
    assert roles["P1"].values == "v[1]"
    platform = Platform("abc", [*both_ways([("a", "b", 1), ("b", "c", 1)])])
    router = Reduction(platform, ("a", "a", "c"), (((0, 2), "a"),), Fraction(1), (("c", 1),))
    assert roles_of(router)["b"].told == " (does not compute)"
    assert roles_of(router)["a"].values == "v[0], v[1]"
    some = Alltoall(platform, (("a", "b"), ("b", "a")))  # type: ignore[arg-type]
    assert roles_of(some)["a"].told == " (source, target)"
    assert [roles_of(some)[node].filled for node in "abc"] == [True, True, False]
    every = Alltoall(platform, (("a", "b"), ("b", "a"), ("c", "a"), ("a", "c")))  # type: ignore[arg-type]
    assert not any(role.filled or role.ringed for role in roles_of(every).values())


# --- why nothing is better ----------------------------------------------------------------------


def test_what_cannot_be_reached_is_marked() -> None:
    platform = Platform("sabc", [("s", "a", 1), ("b", "c", 1), ("c", "a", 1)])
    certificates = [parse(broadcast(platform, "s").certificate())]
    for stem in ("scatter-unreachable", "nothing-computes-there"):
        certificates.append(parse(read_certificate(BY_NAME[stem])))
    claims = "no arc enters {b, c}", "no way leads from", "can never be known"
    for certificate, claim in zip(certificates, claims, strict=True):
        scene = series_scene(certificate)
        assert scene.result.startswith("Throughput 0: ")
        assert claim in scene.result
        nodes = of_kind(scene, Graph).nodes
        assert sum(node.alarm for node in nodes) == len(isolated(certificate)) > 0
    assert "No arc enters {b, c}" in drawing.html(certificates[0])
    assert "Even if all work were free" in drawing.html(certificates[1])
    assert isolated(series_on("ring:6")) == []


def test_only_what_is_missing_is_named() -> None:
    platform = Platform("abc", [("a", "b", 1)])
    problem = Alltoall(platform, (("a", "b"), ("a", "c", 3)))  # type: ignore[arg-type]
    bound = DistanceBound({}, ((0, 0, 1),))
    certificate = replace(series_of(problem, []), proof=bound)
    assert goal_charges(problem, bound) == [0, 3]
    assert isolated(certificate) == ["c"]
    assert series_scene(certificate).result == "Throughput 0: no way leads from a to c"


def test_bounds_are_explained_in_their_numbers() -> None:
    assert "one of 3 cases" in drawing.html(BY_NAME["figure-1-tree"])
    assert "misses at least one arc of the cycle" in drawing.html(BY_NAME["figure-1-dag"])
    page = drawing.html(BY_NAME["figure-1-one-port"])
    assert "1 on send:Ps" in page
    assert "Y / W = 1" in page
    distances = DistanceBound({"send:Ps": Fraction(1)}, ((0, 1, 1, 1, 1),))
    told = told_by(replace(scatter_toy(), proof=distances, bound=Fraction(1, 2)))
    assert "Prices of ports per time unit of work: 1 on send:Ps." in told
    assert "1 for Ps \u21d2 P0, 1 for Ps \u21d2 P1. In total it pays at least W = 2" in told
    assert "paid at most Y = 1 per time unit" in told
    assert "So the throughput is at most Y / W = 1/2 per time unit." in told
    rows = tuple((0, 2, 2) if interval == 5 else (2, 2, 2) for interval in range(6))
    potentials = PotentialBound({"compute:P0": Fraction(3)}, (rows,))
    told = told_by(replace(run_of(reduce_toy(), 4), proof=potentials, optimal=False))
    assert "Every transfer and every task pay for their time" in told
    assert "2 for [0,2] at P0. In total it pays at least W = 2" in told
    assert "paid at most Y = 3 per time unit" in told
    assert "So 4 operations take at least 4 * W / Y = 14 time units." in told


# --- what is no picture, and hostile names ------------------------------------------------------


def test_a_structure_that_hangs_in_the_air_has_no_picture() -> None:
    toy = reduce_toy()
    assert toy.schedule is not None
    first, second = toy.schedule.structures
    for tasks, rule in ((first.tasks[1:], "made by a task before"), ((), "does nothing")):
        broken = replace(first, tasks=tasks)
        certificate = replace(toy, schedule=replace(toy.schedule, structures=(second, broken)))
        for form in (drawing.svg, drawing.html, drawing.trace):
            with pytest.raises(Rejected, match=rule) as refusal:
                form(certificate)
            assert refusal.value.place.startswith("structure 1")
    slow = replace(toy, problem=replace(toy.problem, compute=(("P0", Fraction(1)),)))
    with pytest.raises(Rejected, match="this processor does no such task"):
        drawing.svg(slow)


@pytest.mark.parametrize("ports", PORTS)
def test_hostile_names_are_only_text(ports: str) -> None:
    hub, *others = HOSTILE
    platform = Platform(HOSTILE, both_ways((hub, name, 1) for name in others))
    last = len(others) - 1
    problem = Reduction(
        platform,
        tuple(others),
        (((0, last), hub),),
        Fraction(1),
        ((hub, Fraction(1)),),
        ports,  # type: ignore[arg-type]
    )
    arc = {one.tail: index for index, one in enumerate(platform.arcs) if one.head == hub}
    tasks = [(arc[name], i, i) for i, name in enumerate(others)]
    tasks += [(len(platform.arcs), 0, i, i + 1) for i in range(last)]
    reduction = series_of(problem, [WeightedStructure(0, tuple(tasks), Fraction(1, 8))])
    alltoall = Alltoall(platform, tuple((name, hub) for name in others), ports)  # type: ignore[arg-type]
    routes = [
        WeightedStructure(i, ((arc[name], i),), Fraction(1, 8)) for i, name in enumerate(others)
    ]
    solved = parse(broadcast(platform, hub, ports=ports).certificate())  # type: ignore[arg-type]
    for certificate in (solved, reduction, series_of(alltoall, routes), run_of(reduction, 2)):
        svg, page = drawing.svg(certificate), drawing.html(certificate)
        for written in (svg, page):
            assert "<script" not in written
            assert "\u202e" not in written
            assert len(written) < 200_000
            written.encode("utf-8")
        root = parsed(svg)
        assert not [element for element in root.iter() if "script" in element.tag]
        assert '<script>alert("x")</script>' in "".join(root.itertext())
        assert_page(page)
        json.dumps(drawing.trace(certificate), ensure_ascii=False).encode("utf-8")


def test_long_names_are_cut_where_they_agree() -> None:
    names = [f"worker-{index:02d}.cluster.example.org" for index in range(12)]
    shown, note = short_names(Platform(names, []))
    assert list(shown.values()) == [f"{index:02d}" for index in range(12)]
    assert "\u201cworker-\u201d before" in note
    assert "\u201c.cluster.example.org\u201d after" in note
    problem = Alltoall(Platform(names, [(names[0], names[7], 1)]), ((names[0], names[7]),))  # type: ignore[arg-type]
    told = words(drawing.svg(series_of(problem, [WeightedStructure(0, ((0, 0),), Fraction(1))])))
    assert "(00 \u21d2 07) \u2192 07" in told
    assert f"{names[0][:23]}" in " ".join(told)  # in the title it stands in full


# --- colors -------------------------------------------------------------------------------------


def test_240_demands_have_the_colors_of_their_sources() -> None:
    torus = torus_alltoall()
    assert isinstance(torus.problem, Alltoall)
    key = key_of(torus)
    assert [entry.words for entry in key.entries] == [f"from {n} (15 messages)" for n in range(16)]
    sources = {entry.fill: entry.words for entry in key.entries}
    assert len(sources) == 16
    for one in stints(torus):
        source = torus.problem.demands[one.task[1]].source
        assert sources[key.fill(one)] == f"from {source} (15 messages)"
    assert len(drawing.svg(torus)) < 1_500_000
    page = drawing.html(torus)
    assert len(page) < 2_000_000
    assert "and 180 more, which this page leaves out" in page
    assert "<summary>and 224 more</summary>" in page


def test_few_routes_have_colors_of_their_own_and_the_colors_of_many_repeat() -> None:
    key = key_of(scatter_toy())
    assert sorted(key.flow_colors) == sorted(color(rank) for rank in range(3))
    star = Platform(range(31), [(0, leaf, 1) for leaf in range(1, 31)])
    problem = Alltoall(star, tuple((0, leaf) for leaf in range(1, 31)))  # type: ignore[arg-type]
    routes = [WeightedStructure(part, ((part, part),), Fraction(1, 30)) for part in range(30)]
    key = key_of(series_of(problem, routes))
    assert key.flow_colors == [color(rank) for rank in range(30)]
    assert len(key.entries) == FEW_COLORS + 1
    assert (key.entries[0].fill, key.entries[0].words) == (color(0), "0 \u21d2 1")
    assert key.entries[-1].words == "and 22 more, in 24 colors that repeat"
    pair = Platform("ab", both_ways([("a", "b", 1)]))
    swap = Alltoall(pair, (("a", "b"), ("b", "a")))  # type: ignore[arg-type]
    routes = [WeightedStructure(part, ((part, part),), Fraction(1)) for part in range(2)]
    entries = key_of(run_of(series_of(swap, routes), 3)).entries
    assert [(entry.fill, entry.words) for entry in entries] == [
        (color(0), "a \u21d2 b"),
        (color(1), "b \u21d2 a"),
    ]


# --- reduction trees ----------------------------------------------------------------------------


def tree_of(problem: Reduction, tasks: tuple[tuple[int, ...], ...]) -> Tree:
    series = series_of(problem, [WeightedStructure(0, tasks, Fraction(1, 2))])
    tree = of_kind(series_scene(series), Tree)
    assert isinstance(tree, Tree)
    return tree


def test_a_value_stands_at_each_of_its_uses_and_a_shared_result_once() -> None:
    """v[0,1] is a goal at b, v[1,2] too; a prefix, where v[0,1] goes on to c."""
    platform = Platform("ab", [("a", "b", 1)], {})
    goals = (((0, 1), "b"), ((1, 2), "b"))
    problem = Reduction(platform, ("a", "b", "b"), goals, Fraction(1), (("b", Fraction(1)),))
    tree = tree_of(problem, ((0, 0, 0), (2, 0, 0, 1), (2, 1, 1, 2)))
    firsts = [box.lines[0] for box in tree.boxes]
    assert [firsts.count(f"v[{index}]") for index in range(3)] == [1, 2, 1]
    platform = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    goals = (((0, 1), "b"), ((0, 2), "c"))
    compute = (("b", Fraction(1)), ("c", Fraction(1)))
    problem = Reduction(platform, ("a", "b", "c"), goals, Fraction(1), compute)
    tree = tree_of(problem, ((0, 0, 0), (3, 0, 0, 1), (1, 0, 1), (4, 0, 1, 2)))
    firsts = [box.lines[0] for box in tree.boxes]
    assert firsts.count("cons[0,0,1]") == 1
    assert {"result [0,1]", "result [0,2]"} <= set(firsts)
    shared = firsts.index("cons[0,0,1]")
    assert sum(shared in box.inputs for box in tree.boxes) == 2


def test_trees_that_are_too_large_or_too_many_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    line = Platform("ab", both_ways([("a", "b", 1)]), {})
    goals = (((0, 199), "b"),)
    problem = Reduction(line, ("a",) * 200, goals, Fraction(1), (("a", Fraction(1)),))
    tasks = [*((2, 0, cut, cut + 1) for cut in range(199)), (0, 0, 199)]
    large = series_of(problem, [WeightedStructure(0, tuple(tasks), Fraction(1, 199))])
    assert "1 tree is too large to be drawn." in words(drawing.svg(large))
    toy = reduce_toy()
    assert toy.schedule is not None
    twenty = replace(toy, schedule=replace(toy.schedule, structures=toy.schedule.structures * 10))
    assert "The 12 heaviest of 20 trees." in words(drawing.svg(twenty))
    assert drawing.html(twenty).count("<svg") == 2 + 12
    # v[0,1] is sent once and is joined with v[2], v[2,3], v[2,4], ... for the goals.
    wide = tuple(((0, last), "b") for last in range(2, 42))
    both = (("a", Fraction(1)), ("b", Fraction(1)))
    problem = Reduction(line, ("a", "a", *"b" * 40), wide, Fraction(1), both)
    shared: list[tuple[int, ...]] = [(2, 0, 0, 1), (0, 0, 1)]
    for last in range(2, 42):
        shared += [(3, 2, last - 1, last)] * (last > 2) + [(3, 0, 1, last)]
    scheme = series_of(problem, [WeightedStructure(0, tuple(shared), Fraction(1, 100))])
    assert "scheme 1: weight 1/100" in words(drawing.svg(scheme))
    monkeypatch.setattr(trees, "MOST_PLACED", 500)
    assert "1 scheme is too large to be drawn." in words(drawing.svg(scheme))


def test_long_routes_lose_their_middle_and_stay_narrow() -> None:
    names = [f"a rather long name {index}" for index in range(9)]
    platform = Platform(names, [(a, b, 1) for a, b in pairwise(names)])
    problem = Reduction(platform, (names[0],), (((0, 0), names[-1]),), Fraction(1), ())
    tree = tree_of(problem, tuple((arc, 0, 0) for arc in range(8)))
    [sent] = [box for box in tree.boxes if box.lines[0] == "transfer [0,0]"]
    assert all(len(line) < 60 for line in sent.lines)
    assert sent.told == "transfer [0,0] " + " \u2192 ".join(names)


# --- many of everything -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def large() -> Series:
    """Trees as column generation mixes them: hundreds of slots, and a long period."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arborescence_packing, "PATIENCE_IF_HARD", 100)
        return series_on("grid:12x12", ports="half-duplex")


def test_large_certificates_make_files_of_bounded_size(large: Series) -> None:
    svg, page = drawing.svg(large), drawing.html(large)
    assert len(svg) < 3_000_000
    assert len(page) < 4_000_000
    note = " ".join(words(svg))
    assert f"{144 - MOST_ROWS} rows of 144 left out" in note
    assert "are drawn together with their neighbors" in note
    assert len(of_kind(series_scene(large), Timeline).rows) == MOST_ROWS
    assert large.schedule is not None
    structures, slots = large.schedule.structures, large.schedule.slots
    moments = {time for _, start, end in slots for time in (start, end)}
    for total in (len(structures), len(moments) - 1):
        assert f"and {total - 60:,} more, which this page leaves out" in page
    table = of_kind(series_scene(chain_run(100)), Table)
    assert (len(table.rows), table.more) == (200, 100)


def test_graphs_beyond_the_limit_are_not_drawn() -> None:
    platform = Platform(range(1600), [(0, node, 1) for node in range(1, 1600)])
    svg = drawing.svg(broadcast(platform, 0).certificate())
    assert "is not drawn" in " ".join(words(svg))
    assert len(svg) < 1_000_000


def test_long_numbers_are_approximated_with_a_tilde() -> None:
    svg = drawing.svg(BY_NAME["long-numbers"])
    assert len(svg) < 20_000
    assert any(word.startswith("One period: ~3.33e") for word in words(svg))


# --- the trace ----------------------------------------------------------------------------------


def test_trace_of_the_paper_example() -> None:
    trace = drawing.trace(series_on("legrand-fig1", "Ps"))
    events = trace["traceEvents"]
    names = [e["args"]["name"] for e in events if e["name"] == "process_name"]
    assert names == ["Ps (source)", "P1", "P2", "P3", "P4"]
    assert trace["otherData"]["left out"] == "nothing"
    assert trace["otherData"]["microseconds per time unit"] == "1000000"
    first = next(event for event in events if event["ph"] == "X")
    assert (first["ts"], first["dur"]) == (0, 1_000_000)
    told = {"arc": "Ps \u2192 P1", "start": "0", "end": "1"}
    assert first["args"] == told | {"tree": 1, "batch": 0, "messages": "1"}


def test_traces_of_runs_name_packets_and_operations() -> None:
    slices = [e for e in drawing.trace(chain_run(3))["traceEvents"] if e["ph"] == "X"]
    assert len(slices) == 2 * 3 * 3
    assert {event["args"]["packet"] for event in slices} == {0, 1, 2}
    slices = [e for e in drawing.trace(run_of(scatter_toy(), 2))["traceEvents"] if e["ph"] == "X"]
    assert {event["args"]["operation"] for event in slices} == {0, 1}
    assert any(event["name"] == "Ps \u21d2 P1 \u2192 Pb, operation 0" for event in slices)


def test_slices_of_no_length_are_left_out_and_counted() -> None:
    tiny = Fraction(1, 10**9)
    problem = Broadcast(Platform("ab", [("a", "b", 1)]), "a")
    rows = Row(0, 0, 0, 10**9), Row(0, 1, 10**9, 10**9 + 1)
    proof = CutBound({"send:a": Fraction(1)}, ("b",), ((0, 1, Fraction(1)),))  # type: ignore[arg-type]
    end = 1 + tiny
    run = Run(problem, 2, (Fraction(1), tiny), end, end, True, tiny, ((0,),), rows, proof)
    trace = drawing.trace(run)
    assert [e["dur"] for e in trace["traceEvents"] if e["ph"] == "X"] == [1_000_000] * 2
    assert trace["otherData"]["left out"] == "2 slices shorter than a microsecond"
    assert_trace(run)


@pytest.mark.parametrize("ports", PORTS)
def test_processors_have_tracks_of_their_own(ports: str) -> None:
    platform = Platform("abc", [("a", "b", 1), ("b", "a", 1), ("c", "a", 1)])
    compute = (("c", Fraction(1)),)
    problem = Reduction(platform, ("c", "c"), (((0, 1), "a"),), Fraction(1), compute, ports)  # type: ignore[arg-type]
    tasks = ((5, 0, 0, 1), (2, 0, 1))
    series = series_of(problem, [WeightedStructure(0, tasks, Fraction(1))])
    events = drawing.trace(series)["traceEvents"]
    tracks = {
        (event["pid"], event["tid"]): event["args"]["name"]
        for event in events
        if event["name"] == "thread_name"
    }
    ends = {
        "one-port": ["compute", "receive", "send"],
        "half-duplex": ["compute", "port", "port"],
        "link": ["compute", "\u2190 c", "\u2192 a"],
    }
    assert sorted(tracks.values()) == ends[ports]
    for event in events:
        if event["ph"] == "X":
            computing = event["name"].startswith("T[")
            assert (tracks[event["pid"], event["tid"]] == "compute") == computing
    names = [event["args"]["name"] for event in events if event["name"] == "process_name"]
    assert names[0] == "a (wants v[0,1], does not compute)"


def test_strands_side_by_side_have_the_colors_of_their_trees() -> None:
    graph = of_kind(series_scene(series_on("legrand-fig1", "Ps")), Graph)
    shares: dict[str, set[Fraction]] = defaultdict(set)
    for edge in graph.edges:
        for fill, share in edge.strands:
            shares[fill].add(share)
    assert shares == {color(0): {Fraction(1, 2)}, color(1): {Fraction(1, 2)}}


# --- allgathers ---------------------------------------------------------------------------------


def _gathered(sizes: dict[str, int]) -> Series:
    star = Platform("abcs", both_ways([(node, "s", 1) for node in "abc"]), None, "s")
    return parse(allgather(star, sizes).certificate())  # type: ignore[no-any-return]


def test_an_allgather_shows_who_forwards_and_whose_shard_it_is() -> None:
    series = _gathered({"a": 1, "b": 2, "c": 0})
    roles = roles_of(series.problem)
    assert [node for node, role in roles.items() if role.shaded] == ["s"]
    assert roles["s"].told == " (only forwards)"
    told = told_by(series)
    assert "Shaded nodes only forward." in told
    assert "shard of a" in told
    assert "shard of b" in told
    assert "shard of c" not in told
    page = drawing.html(series)
    assert "<th>shard</th>" in page or ">shard<" in page
    assert_trace(series)


def test_an_allgather_among_all_nodes_shades_none() -> None:
    pair = Platform("ab", both_ways([("a", "b", 1)]))
    roles = roles_of(Allgather(pair, (("a", 1), ("b", 1))))  # type: ignore[arg-type]
    assert not any(role.shaded for role in roles.values())
    assert "only forward" not in told_by(parse(allgather(pair).certificate()))


# --- switches -----------------------------------------------------------------------------------

STAR = Platform("abcs", both_ways([(node, "s", 1) for node in "abc"]), None, "s", "s", "s")


def test_a_platform_alone_shows_its_switches_and_what_they_can_do() -> None:
    shown = words(drawing.svg(STAR))
    assert {"Shaded nodes are switches.", "can copy and combine"} <= set(shown)
    assert "4 nodes (switches: 1), 6 arcs" in shown
    plain = drawing.svg(STAR.with_switches("s"))
    assert "(switch)" in plain
    assert "can copy" not in plain
    assert "switch" not in drawing.svg(Platform("ab", [("a", "b", 1)]))
    assert_page(drawing.html(STAR))
    with pytest.raises(InvalidInput, match="a platform is drawn as"):
        drawing.trace(STAR)


def test_a_platform_alone_says_its_bandwidths_and_shared_links() -> None:
    told = words(drawing.svg(Platform("ab", [("a", "b", "1/25"), ("b", "a", "2/3")])))
    assert "Bandwidths, 1 / cost: 25 on 1 arc, 3/2 on 1 arc." in told
    wire = [("wire", 2)]
    routed = Platform("ab", [("a", "b", 2, 0, wire), ("b", "a", 2, 0, wire)])
    assert "2 arcs share 1 link." in words(drawing.svg(routed))
    assert "share" not in " ".join(told)


def test_a_large_platform_alone_is_drawn_in_part() -> None:
    arcs = [(a, b, 1) for a in range(60) for b in range(60) if a != b]
    assert "540 of 3,540 arcs are not drawn." in words(drawing.svg(Platform(range(60), arcs)))


def test_a_solution_knows_switches_that_its_document_does_not_tell() -> None:
    solution = allgather(STAR, "abc")
    assert {"can copy and combine"} <= set(words(drawing.svg(solution)))
    told = drawing.svg(solution.certificate())
    assert "can copy" not in told
    assert "only forwards" in told
    assert "Shaded nodes only forward." in words(told)


def test_of_an_alltoall_the_nodes_without_messages_are_shaded() -> None:
    asked = Alltoall(STAR.with_switches("s"), (("a", "b"),))  # type: ignore[arg-type]
    roles = roles_of(asked)
    assert [node for node, role in roles.items() if role.shaded] == ["c", "s"]
    assert (roles["c"].told, roles["s"].told) == (" (only forwards)", " (switch)")
    assert role_notes(asked)[0].endswith("ringed ones.")
    assert role_notes(asked)[1:] == ["Shaded nodes only forward."]


def test_in_a_reduction_switches_are_named_and_only_those_who_compute_are_shaded() -> None:
    asked = Reduction(
        STAR.with_switches("s"), ("a", "b"), (((0, 1), "a"),), Fraction(1), (("c", 1),)
    )
    roles = roles_of(asked)
    assert [node for node, role in roles.items() if role.shaded] == ["c"]
    assert roles["s"].told == " (does not compute) (switch)"
