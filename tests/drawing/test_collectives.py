"""Pictures of all-to-alls and reductions: exact bars, every port and processor, reduction trees."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from exactsched import drawing
from exactsched.certificate import parse, read_certificate
from exactsched.certificate.collectives import DistanceBound, PotentialBound, Run, Series
from exactsched.drawing import gantt, perfetto, tree_picture
from exactsched.drawing.canvas import COLORS, INK, PAPER, color
from exactsched.drawing.key import key_of
from exactsched.drawing.lettering import text_width
from exactsched.drawing.names import short_names
from exactsched.drawing.roles import roles_of
from exactsched.drawing.timeline import arc_shares, bars, flows, principals, rows
from exactsched.drawing.tree_layout import Box, placed
from exactsched.drawing.wording import goal_charges, isolated
from exactsched.exact.errors import Rejected
from exactsched.model.platform import Platform, both_ways
from exactsched.model.problem import PORTS, Alltoall, Reduction
from exactsched.model.resources import place_resources
from exactsched.model.tasks import computes, duration, makes, needs, scheduled
from exactsched.platforms.built_in import built_in
from exactsched.steady_state.reduction_tree import tree_steps
from tests.drawing.pictures import SVG, assert_page, assert_trace, parsed, words
from tests.steady_state.planted_collectives import (
    alltoalls,
    reduce_toy,
    reductions,
    run_of,
    scatter_toy,
    series_of,
)

CORPUS = Path(__file__).parents[1] / "corpus"
ACCEPTED = sorted((CORPUS / "accepted" / "collectives").glob("*.json"))
collectives = st.sampled_from(PORTS).flatmap(lambda ports: alltoalls(ports) | reductions(ports))


def allgather(name: str = "torus:4x4") -> Series:
    """Every node to every other, by breadth-first search: 240 demands on a 4x4 torus."""
    platform = built_in(name)
    demands = [(u, v) for u in platform.nodes for v in platform.nodes if u != v]
    problem = Alltoall(platform, tuple(demands))  # type: ignore[arg-type]
    structures = []
    load: Counter[str] = Counter()
    for part, (source, target) in enumerate(demands):
        came = {source: -1}
        queue = [source]
        for node in queue:
            for arc, ends in enumerate(platform.arcs):
                if ends.tail == node and ends.head not in came:
                    came[ends.head] = arc
                    queue.append(ends.head)
        route: list[tuple[int, int]] = []
        while target != source:
            route.append((came[target], part))
            target = platform.arcs[came[target]].tail
        structures.append(WeightedStructure(part, tuple(reversed(route)), Fraction(1)))
        load.update(name for arc, _ in route for name in place_resources(problem)[arc])
    rate = Fraction(1, max(load.values()))
    return series_of(problem, [replace(one, weight=rate) for one in structures])


# --- what is drawn ------------------------------------------------------------------------------


@given(collectives)
@settings(max_examples=60)
def test_bars_of_a_task_last_its_operations_times_its_duration(series: Series) -> None:
    schedule = series.schedule
    assert schedule is not None
    lasted: dict[tuple[int, tuple[int, ...]], Fraction] = defaultdict(Fraction)
    for bar in bars(series):
        assert 0 <= bar.start < bar.end <= schedule.period
        time = duration(series.problem, bar.task)
        assert bar.sent * time == lasted[bar.stream, bar.task]
        lasted[bar.stream, bar.task] += bar.length
    assert lasted == {
        (stream, task): count * duration(series.problem, task)
        for stream, (_, count, tasks) in enumerate(scheduled(schedule))
        for task in tasks
    }


@given(collectives)
@settings(max_examples=60)
def test_bars_fill_the_slots_of_a_place_in_the_order_of_its_tasks(series: Series) -> None:
    schedule = series.schedule
    assert schedule is not None
    order: dict[int, list[tuple[int, tuple[int, ...]]]] = defaultdict(list)
    for stream, (_, _, tasks) in enumerate(scheduled(schedule)):
        for task in tasks:
            order[task[0]].append((stream, task))
    drawn = defaultdict(list)
    for bar in bars(series):
        drawn[bar.place].append(bar)
    for place, line in drawn.items():
        assert list(dict.fromkeys((bar.stream, bar.task) for bar in line)) == order[place]
        slots = [slot[1:] for slot in schedule.slots if slot[0] == place]
        total = sum((end - start) * schedule.tick for start, end in slots)
        assert sum(bar.length for bar in line) == total
        ends = {time for bar in line for time in (bar.start, bar.end)}
        assert {time * schedule.tick for slot in slots for time in slot} <= ends


@given(collectives)
@settings(max_examples=60)
def test_every_port_and_processor_that_works_has_one_row(series: Series) -> None:
    found = bars(series)
    uses = place_resources(series.problem)
    drawn = rows(series.problem, found)
    assert sorted(row.resource for row in drawn) == sorted(
        {name for bar in found for name in uses[bar.place]}
    )
    for row in drawn:
        side, _, which = row.resource.partition(":")
        assert row.side == side
        assert side == "link" or which == str(row.node)
        assert all(row.resource in uses[bar.place] for bar in row.bars)
        assert all(computes(series.problem, bar.task) == (side == "compute") for bar in row.bars)
        for bar, following in pairwise(row.bars):
            assert bar.end <= following.start
    assert sum(len(row.bars) for row in drawn) == sum(len(uses[bar.place]) for bar in found)
    working = {row.node for row in drawn}
    assert set(principals(series.problem)) & working <= {drawn[0].node}
    # The rows of a node stand together, that of its processor last.
    nodes = [row.node for row in drawn]
    assert len(list(dict.fromkeys(nodes))) == 1 + sum(a != b for a, b in pairwise(nodes))
    for row, following in pairwise(drawn):
        assert row.side != "compute" or row.node != following.node


@given(collectives)
@settings(max_examples=40)
def test_strands_are_as_wide_as_their_work(series: Series) -> None:
    shares = arc_shares(series.problem, flows(series))
    widths: dict[int, Fraction] = defaultdict(Fraction)
    for own in shares:
        for arc, share in own.items():
            widths[arc] += share
    schedule = series.schedule
    assert schedule is not None
    busy: dict[int, int] = defaultdict(int)
    for place, start, end in schedule.slots:
        if place < len(series.problem.platform.arcs):
            busy[place] += end - start
    assert widths == {arc: Fraction(time, max(busy.values())) for arc, time in busy.items()}


@given(collectives, st.integers(1, 3))
@settings(max_examples=30)
def test_bars_of_a_run_are_its_rows(series: Series, operations: int) -> None:
    run = run_of(series, operations)
    assert {(bar.task, bar.stream, bar.start, bar.end) for bar in bars(run)} == {
        (run.tasks[task], operation, start * run.tick, end * run.tick)
        for task, operation, start, end in run.rows
    }
    assert {flow.operations for flow in flows(run)} == {operations}
    if isinstance(run.problem, Alltoall):
        assert sorted(flow.part for flow in flows(run)) == list(range(len(run.problem.demands)))
    assert sorted(task for flow in flows(run) for task in flow.tasks) == sorted(run.tasks)


# --- pictures -----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ACCEPTED, ids=lambda path: path.stem)
def test_everything_accepted_can_be_drawn(path: Path) -> None:
    parsed(drawing.svg(path))
    assert_page(drawing.html(path))
    assert_trace(parse(read_certificate(path)))  # type: ignore[arg-type]


@given(collectives, st.integers(0, 3))
@settings(max_examples=25)
def test_everything_planted_can_be_drawn(series: Series, operations: int) -> None:
    certificate = run_of(series, operations) if operations else series
    parsed(drawing.svg(certificate))
    assert_page(drawing.html(certificate))
    assert_trace(certificate)


def test_the_reduce_example_shows_what_the_paper_draws() -> None:
    """Figure 7: both trees; and a chart with a row for each port and each processor."""
    svg = drawing.svg(reduce_toy())
    shown = words(svg)
    assert "Reduction of 3 values to P0: 3 nodes, 6 arcs, one-port" in shown
    assert "Throughput 1 per time unit \u2014 optimal: the bound is the same" in shown
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
    strips = [r for r in parsed(svg).iter(f"{SVG}rect") if r.get("fill") == "#eef1f5"]
    assert len(strips) == 8


def test_the_scatter_example_names_its_demands() -> None:
    shown = words(drawing.svg(scatter_toy()))
    assert "Scatter from Ps to 2 targets: 5 nodes, 5 arcs, one-port" in shown
    assert "(Ps \u21d2 P1) \u2192 Pb" in shown
    assert "route 3, Ps \u21d2 P1: 1/2 per time unit, 2 messages a period" in shown
    assert not any("transfer" in word for word in shown)


def test_runs_name_their_operations() -> None:
    shown = words(drawing.svg(run_of(reduce_toy(), 3)))
    assert "3 operations in 21/2 time units \u2014 optimal" in shown
    assert "#2 [1,2] \u2192 P0" in shown
    assert "#0 T[1,1,2]" in shown
    assert "tree 1: 3 operations" in shown
    page = drawing.html(run_of(scatter_toy(), 2))
    assert "<h2>Tasks</h2>" in page
    assert "Ps \u21d2 P1 on Pb \u2192 P1" in page


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


@pytest.mark.parametrize("stem", ["scatter-unreachable", "nothing-computes-there"])
def test_what_cannot_be_reached_is_marked(stem: str) -> None:
    path = next(path for path in ACCEPTED if path.stem == stem)
    certificate = parse(read_certificate(path))
    assert isinstance(certificate, Series)
    missing = isolated(certificate)
    assert missing
    svg = drawing.svg(certificate)
    [claimed] = [word for word in words(svg) if word.startswith("Throughput 0: ")]
    assert "no way leads from" in claimed or "can never be known" in claimed
    dashed = [r for r in parsed(svg).iter(f"{SVG}rect") if r.get("stroke-dasharray") == "4 3"]
    assert len(dashed) == len(missing)
    assert "Even if all work were free" in drawing.html(certificate)


def test_only_what_is_missing_is_named() -> None:
    platform = Platform("abc", [("a", "b", 1)])
    problem = Alltoall(platform, (("a", "b"), ("a", "c", 3)))  # type: ignore[arg-type]
    bound = DistanceBound({}, ((0, 0, 1),))
    certificate = replace(series_of(problem, []), bound=bound)
    assert goal_charges(problem, bound) == [0, 3]
    assert isolated(certificate) == ["c"]
    assert "Throughput 0: no way leads from a to c" in words(drawing.svg(certificate))


def test_bounds_are_explained_in_their_numbers() -> None:
    scatter = replace(
        scatter_toy(),
        bound=DistanceBound({"send:Ps": Fraction(1)}, ((0, 1, 1, 1, 1),)),
    )
    page = drawing.html(scatter)
    assert "Prices: 1 on send:Ps." in page
    assert "1 for Ps \u21d2 P0, 1 for Ps \u21d2 P1; in total W = 2" in page
    assert "at most Y = 1 per time unit, so the throughput is at most Y / W = 1/2" in page
    rows_of = tuple((0, 2, 2) if interval == 5 else (2, 2, 2) for interval in range(6))
    toy = reduce_toy()
    run = replace(
        run_of(toy, 4), bound=PotentialBound({"compute:P0": Fraction(3)}, (rows_of,)), optimal=False
    )
    page = drawing.html(run)
    assert "each transfer and each task" in page
    assert "2 for [0,2] at P0; in total W = 2" in page
    assert "Y = 3 per time unit: 4 operations take at least 4 * W / Y = 14 time units" in page


def test_the_tables_of_the_page() -> None:
    page = drawing.html(reduce_toy())
    for heading in ("Reduction trees", "Trees", "Steps of one period", "Why nothing is better"):
        assert f"<h2>{heading}</h2>" in page
    assert "operations per time unit" in page
    told = "transfer [2,2] P2 \u2192 P1; cons[1,1,2] on node P1; transfer [1,2] P1 \u2192 P0;"
    assert f"{told} cons[0,0,2] on node P0" in page
    assert "P1 computes" in page
    assert page.count("<svg") == 4
    page = drawing.html(scatter_toy())
    assert "<h2>Routes</h2>" in page
    ways = ["Ps \u2192 Pa \u2192 P0", "Ps \u2192 Pb \u2192 P0", "Ps \u2192 Pb \u2192 P1"]
    assert sorted(map(page.index, ways)) == [page.index(way) for way in ways]
    assert page.count("<svg") == 2


HOSTILE = ['<script>alert("x")</script>', "]]>&amp;", "\u202eevil\u0000\ud800\n", "long" * 5000, ""]


@pytest.mark.parametrize("ports", PORTS)
def test_hostile_names_are_only_text(ports: str) -> None:
    hub, *others = HOSTILE
    platform = Platform(HOSTILE, both_ways((hub, name, 1) for name in others))
    compute = ((hub, Fraction(1)),)
    problem = Reduction(platform, tuple(others), (((0, 3), hub),), Fraction(1), compute, ports)  # type: ignore[arg-type]
    arc = {one.tail: index for index, one in enumerate(platform.arcs) if one.head == hub}
    on = len(platform.arcs)
    tasks = [(arc[name], i, i) for i, name in enumerate(others)]
    tasks += [(on, 0, 0, 1), (on, 0, 1, 2), (on, 0, 2, 3)]
    reduction = series_of(problem, [WeightedStructure(0, tuple(tasks), Fraction(1, 8))])
    alltoall = Alltoall(platform, tuple((name, hub) for name in others), ports)  # type: ignore[arg-type]
    routes = [
        WeightedStructure(i, ((arc[name], i),), Fraction(1, 8)) for i, name in enumerate(others)
    ]
    for certificate in (reduction, series_of(alltoall, routes), run_of(reduction, 2)):
        for written in (drawing.svg(certificate), drawing.html(certificate)):
            assert "<script" not in written
            assert "\u202e" not in written
            assert len(written) < 100_000
            written.encode("utf-8")
        parsed(drawing.svg(certificate))
        assert_page(drawing.html(certificate))
        json.dumps(drawing.trace(certificate), ensure_ascii=False).encode("utf-8")


def test_a_structure_that_hangs_in_the_air_has_no_picture() -> None:
    toy = reduce_toy()
    assert toy.schedule is not None
    first, second = toy.schedule.structures
    for tasks, rule in (
        (first.tasks[1:], "made by a task before"),  # type: ignore[union-attr]
        ((), "does nothing"),
    ):
        broken = replace(first, tasks=tasks)  # type: ignore[arg-type]
        certificate = replace(toy, schedule=replace(toy.schedule, structures=(second, broken)))  # type: ignore[arg-type]
        for form in (drawing.svg, drawing.html, drawing.trace):
            with pytest.raises(Rejected, match=rule) as refusal:
                form(certificate)
            assert refusal.value.place.startswith("structure 1")
    slow = replace(toy, problem=replace(toy.problem, compute=(("P0", Fraction(1)),)))
    with pytest.raises(Rejected, match="this processor does no such task"):
        drawing.svg(slow)


# --- many of everything -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def torus() -> Series:
    return allgather()


def test_240_demands_have_the_colors_of_their_sources(torus: Series) -> None:
    assert isinstance(torus.problem, Alltoall)
    key = key_of(torus)
    assert [shown for _, shown in key.entries] == [f"from {n} (15 messages)" for n in range(16)]
    assert len({fill for fill, _ in key.entries}) == 16
    sources = dict(key.entries)
    for bar in bars(torus):
        source = torus.problem.demands[bar.task[1]].source
        assert sources[key.fill(bar)] == f"from {source} (15 messages)"
    svg = drawing.svg(torus)
    assert len(svg) < 1_500_000
    assert len(drawing.html(torus)) < 2_000_000
    assert "The first 60 of 240 routes." in drawing.html(torus)


def test_few_routes_have_colors_of_their_own_and_the_colors_of_many_repeat() -> None:
    key = key_of(scatter_toy())
    assert sorted(key.flow_colors) == sorted(color(rank) for rank in range(3))
    star = Platform(range(31), [(0, leaf, 1) for leaf in range(1, 31)])
    problem = Alltoall(star, tuple((0, leaf) for leaf in range(1, 31)))  # type: ignore[arg-type]
    routes = [WeightedStructure(part, ((part, part),), Fraction(1, 30)) for part in range(30)]
    key = key_of(series_of(problem, routes))
    assert key.flow_colors == [color(rank) for rank in range(30)]
    assert len(key.entries) == COLORS + 1
    assert key.entries[0] == (color(0), "0 \u21d2 1")
    assert key.entries[-1][1] == "6 more, in these colors again"


def test_a_run_has_the_colors_of_its_demands() -> None:
    pair = Platform("ab", both_ways([("a", "b", 1)]))
    problem = Alltoall(pair, (("a", "b"), ("b", "a")))  # type: ignore[arg-type]
    routes = [WeightedStructure(part, ((part, part),), Fraction(1)) for part in range(2)]
    key = key_of(run_of(series_of(problem, routes), 3))
    assert key.entries == [(color(0), "a \u21d2 b"), (color(1), "b \u21d2 a")]


def test_long_names_are_cut_where_they_agree() -> None:
    names = [f"worker-{index:02d}.cluster.example.org" for index in range(12)]
    shown, note = short_names(Platform(names, []))
    assert list(shown.values()) == [f"{index:02d}" for index in range(12)]
    assert "\u201cworker-\u201d before" in note
    assert "\u201c.cluster.example.org\u201d after" in note
    svg = drawing.svg(
        series_of(
            Alltoall(Platform(names, [(names[0], names[7], 1)]), ((names[0], names[7]),)),  # type: ignore[arg-type]
            [WeightedStructure(0, ((0, 0),), Fraction(1))],
        )
    )
    assert "(00 \u21d2 07) \u2192 07" in words(svg)
    assert f"{names[0][:23]}" in " ".join(words(svg))  # in the title it stands in full


@example(["xxxxabcdeyyyy", "xxxxyyyy"])
@example(["abcdeabcdyyyy", "yyyy"])
@example(["yyyyabcdeabcd", "yyyy"])
@given(st.lists(st.text(alphabet="ab.", max_size=30), min_size=1, max_size=8, unique=True))
def test_short_names_tell_nodes_apart(names: list[str]) -> None:
    shown, note = short_names(Platform(names, []))
    if max(map(len, names)) <= 24:
        assert len(set(shown.values())) == len(names)
    assert all(shown[name] != '""' for name in names if name.strip())
    assert bool(note) <= (max(map(len, names)) > 12)


def test_large_trees_are_left_out_and_counted() -> None:
    line = Platform("ab", both_ways([("a", "b", 1)]), {})
    goals = (((0, 199), "b"),)
    problem = Reduction(line, ("a",) * 200, goals, Fraction(1), (("a", Fraction(1)),))
    tasks = [(2, 0, cut, cut + 1) for cut in range(199)] + [(0, 0, 199)]
    svg = drawing.svg(series_of(problem, [WeightedStructure(0, tuple(tasks), Fraction(1, 199))]))
    assert "1 tree is too large to be drawn." in words(svg)
    assert len(svg) < 500_000


def test_schemes_of_too_many_long_arrows_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """v[0,1] is sent once and is joined with v[2], v[2,3], v[2,4], ... for the goals."""
    platform = Platform("ab", both_ways([("a", "b", 1)]), {})
    goals = tuple(((0, last), "b") for last in range(2, 42))
    compute = (("a", Fraction(1)), ("b", Fraction(1)))
    problem = Reduction(platform, ("a", "a", *"b" * 40), goals, Fraction(1), compute)
    tasks: list[tuple[int, ...]] = [(2, 0, 0, 1), (0, 0, 1)]
    for last in range(2, 42):
        tasks += [(3, 2, last - 1, last)] * (last > 2) + [(3, 0, 1, last)]
    scheme = series_of(problem, [WeightedStructure(0, tuple(tasks), Fraction(1, 100))])
    assert "scheme 1: weight 1/100" in words(drawing.svg(scheme))
    monkeypatch.setattr(tree_picture, "_MOST_PLACED", 500)
    assert "1 scheme is too large to be drawn." in words(drawing.svg(scheme))


def test_a_value_stands_at_each_of_its_uses() -> None:
    platform = Platform("ab", [("a", "b", 1)], {})
    compute = (("b", Fraction(1)),)
    goals = (((0, 1), "b"), ((1, 2), "b"))
    problem = Reduction(platform, ("a", "b", "b"), goals, Fraction(1), compute)
    tasks = ((0, 0, 0), (2, 0, 0, 1), (2, 1, 1, 2))
    shown = words(drawing.svg(series_of(problem, [WeightedStructure(0, tasks, Fraction(1, 2))])))
    assert [shown.count(f"v[{index}]") for index in range(3)] == [2, 2, 1]


def test_many_trees_are_cut_with_a_note() -> None:
    toy = reduce_toy()
    assert toy.schedule is not None
    first, second = toy.schedule.structures
    many = replace(toy, schedule=replace(toy.schedule, structures=(first, second) * 10))  # type: ignore[arg-type]
    assert "The 6 heaviest of 20 trees." in words(drawing.svg(many))
    page = drawing.html(many)
    assert page.count("<svg") == 2 + 12
    assert "The 12 heaviest of 20 trees." in page


# --- the layout of trees ------------------------------------------------------------------------


@given(reductions())
@settings(max_examples=80)
def test_boxes_keep_apart_and_arrows_go_down(series: Series) -> None:
    assert isinstance(series.problem, Reduction)
    for flow in flows(series):
        steps = tree_steps(series.problem, flow.tasks)
        boxes = [
            Box(60 + 10 * (i % 5), Fraction(step.item[0] + step.item[-1], 2), step.inputs)
            for i, step in enumerate(steps)
        ]
        every, threads = placed(boxes)
        assert every[: len(boxes)] == boxes
        layers = defaultdict(list)
        for box in every:
            layers[box.layer].append(box)
        for layer in layers.values():
            layer.sort(key=lambda box: box.x)
            for left, right in pairwise(layer):
                assert left.x + left.width / 2 < right.x - right.width / 2
        assert min(box.x - box.width / 2 for box in every) == pytest.approx(0)
        crossing = iter(threads)
        for box in boxes:
            for one in box.inputs:
                down = [boxes[one], *(every[i] for i in next(crossing)), box]
                assert all(a.layer == b.layer + 1 for a, b in pairwise(down))
        used = Counter(one for box in boxes for one in box.inputs)
        if len(series.problem.goals) == 1 and max(used.values(), default=1) == 1:
            # A tree: arrows between two layers do not cross.
            for layer in layers.values():
                ends = [one for box in layer for one in box.inputs]
                assert [boxes[one].x for one in ends] == sorted(boxes[one].x for one in ends)


def test_what_nobody_needs_stands_right_below_what_it_comes_from() -> None:
    boxes = [Box(9, Fraction(0), one) for one in ((), (0,), (1,), (0,))]
    placed(boxes)
    assert [box.layer for box in boxes] == [2, 1, 0, 1]


def test_a_shared_result_is_one_box_with_two_arrows() -> None:
    """A prefix: v[0,1] is a goal at b and goes on to c."""
    platform = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    goals = (((0, 1), "b"), ((0, 2), "c"))
    compute = (("b", Fraction(1)), ("c", Fraction(1)))
    problem = Reduction(platform, ("a", "b", "c"), goals, Fraction(1), compute)
    tasks = ((0, 0, 0), (3, 0, 0, 1), (1, 0, 1), (4, 0, 1, 2))
    shown = words(drawing.svg(series_of(problem, [WeightedStructure(0, tasks, Fraction(1))])))
    assert shown.count("cons[0,0,1]") == 1
    assert {"result [0,1]", "result [0,2]", "scheme 1: weight 1"} <= set(shown)
    assert "Prefix of 3 values: 3 nodes, 2 arcs, one-port" in shown


def test_long_routes_lose_their_middle_and_stay_narrow() -> None:
    names = [f"a rather long name {index}" for index in range(9)]
    platform = Platform(names, [(a, b, 1) for a, b in pairwise(names)])
    goals = (((0, 0), names[-1]),)
    problem = Reduction(platform, (names[0],), goals, Fraction(1), ())
    tasks = tuple((arc, 0, 0) for arc in range(8))
    svg = drawing.svg(series_of(problem, [WeightedStructure(0, tasks, Fraction(1))]))
    route = [word for word in words(svg) if "\u2192" in word and "\u2026" not in word]
    assert all(text_width(word, 10.5) < 400 for word in route)
    told = [title.text for title in parsed(svg).iter(f"{SVG}title")]
    assert "transfer [0,0] " + " \u2192 ".join(names) in told


# --- the trace ----------------------------------------------------------------------------------


@given(collectives)
@settings(max_examples=25)
def test_the_trace_starts_cold_and_does_nothing_before_its_inputs(series: Series) -> None:
    _, transfers = perfetto._unrolled(series)
    if len(transfers) == perfetto.MOST_TRANSFERS:
        return
    made: dict[object, Fraction] = {}
    for one in transfers:
        key = one.bar.stream, one.batch, makes(series.problem, one.bar.task)
        made[key] = max(one.end, made.get(key, one.end))
    for one in transfers:
        for state in needs(series.problem, one.bar.task):
            known = made.get((one.bar.stream, one.batch, state), Fraction(0))
            assert known <= one.start
    full = {one.batch for one in transfers}
    assert len(full) >= 4


def test_processors_have_tracks_of_their_own() -> None:
    trace = drawing.trace(reduce_toy())
    events = trace["traceEvents"]
    tracks = {
        (event["pid"], event["args"]["name"]): event["tid"]
        for event in events
        if event["name"] == "thread_name"
    }
    assert {name for _, name in tracks} == {"send", "receive", "compute"}
    slices = [event for event in events if event["ph"] == "X"]
    computing = [event for event in slices if event["name"].startswith("T[")]
    assert {event["tid"] for event in computing} == {3}
    assert computing[0]["args"]["task"].startswith("T[")
    assert (
        len([event for event in events if event["ph"] == "s"]) == (len(slices) - len(computing)) / 2
    )
    names = [e["args"]["name"] for e in events if e["name"] == "process_name"]
    assert names[0] == "P0 (has v[0], wants v[0,2], computes)"


def test_processors_and_links_do_not_share_a_track() -> None:
    platform = Platform("abc", [("a", "b", 1), ("b", "a", 1), ("c", "a", 1)])
    goals = (((0, 1), "a"),)
    problem = Reduction(platform, ("c", "c"), goals, Fraction(1), (("c", Fraction(1)),), "link")
    certificate = series_of(problem, [WeightedStructure(0, ((5, 0, 0, 1), (2, 0, 1)), Fraction(1))])
    events = drawing.trace(certificate)["traceEvents"]
    tracks = {
        (event["pid"], event["tid"]): event["args"]["name"]
        for event in events
        if event["name"] == "thread_name"
    }
    assert sorted(tracks.values()) == ["compute", "\u2190 c", "\u2192 a"]
    for event in events:
        if event["ph"] == "X" and event["name"].startswith("T["):
            assert tracks[event["pid"], event["tid"]] == "compute"


def test_the_trace_of_a_run_names_operations() -> None:
    run = run_of(scatter_toy(), 2)
    assert isinstance(run, Run)
    events = drawing.trace(run)["traceEvents"]
    slices = [event for event in events if event["ph"] == "X"]
    assert {event["args"]["operation"] for event in slices} == {0, 1}
    assert any(event["name"] == "Ps \u21d2 P1 \u2192 Pb, operation 0" for event in slices)


def test_labels_have_ink_that_can_be_read() -> None:
    root = parsed(drawing.svg(reduce_toy()))
    fills = {element.get("fill") for element in root.iter(f"{SVG}text")}
    assert {INK, PAPER} <= fills
    assert gantt.MOST_ROWS == 64
