"""Scenes of runs in rounds say what the certificates say, step by step."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched import drawing
from exactsched.certificate import to_document, write_certificate
from exactsched.certificate.synchronous import SynchronousRun
from exactsched.check import check
from exactsched.drawing.layout.mesh import MeshShape, frames_in_a_row
from exactsched.drawing.palette import color
from exactsched.drawing.renderers import trace as trace_module
from exactsched.drawing.rounds import curves, frames, scenes
from exactsched.drawing.rounds.traffic import RoundTraffic
from exactsched.drawing.scene import Area, Curve, Frames, MeshView, Motion, Plot, Table
from exactsched.drawing.words.rounds import bound_in_words, headline
from exactsched.exact.errors import InvalidInput
from exactsched.platforms.built_in import complete, cubic_16, grid, ring, torus
from exactsched.synchronous.graph import synchronous_graph
from exactsched.synchronous.saturation import broadcast_in_rounds
from tests.check.refusals.broadcasts import files
from tests.check.test_rounds import runs
from tests.drawing.pictures import assert_page, assert_trace, of_kind, parsed, words
from tests.drawing.runs_in_rounds import (
    ALONE,
    NAMES,
    PAIR,
    corpus,
    have_after,
    ours,
    transfers,
    tree,
)

ROOT = Path(__file__).parents[2]


def shown_steps(run: SynchronousRun) -> dict[str, list[int]]:
    """The steps that are shown, by the titles of their groups."""
    groups = of_kind(scenes.rounds_scene(run), Frames).groups
    return {
        title: [int(frame.title.split(":")[0].split()[1].replace(",", "")) for frame in some]
        for title, some in groups
    }


def points_of(shape: Any) -> list[tuple[Any, Any]]:
    return list(shape.points if isinstance(shape, Curve) else shape.outline)


# --- all of it ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_words_of_the_corpus(name: str) -> None:
    run = corpus(name)
    svg, page = drawing.svg(run), drawing.html(to_document(run))
    title, result = headline(RoundTraffic(run))
    assert {title, result} <= set(words(svg))
    assert result.startswith(f"{run.steps} step{'' if run.steps == 1 else 's'} \u2014 ")
    assert ("optimal" in result) == run.optimal
    if not run.optimal:
        assert f"no run takes fewer than {run.bound}: at most {run.steps - run.bound} too" in result
    assert "".join(bound_in_words(RoundTraffic(run))) in page.replace("</p>\n<p>", "")
    assert_page(page)
    if run.steps:
        assert_trace(run)
    assert (svg, page) == (drawing.svg(run), drawing.html(run))


def test_one_node_and_nothing_to_send() -> None:
    check(ALONE)
    shown = words(drawing.svg(ALONE))
    assert "Nothing is sent." in shown
    assert "There is nothing to send: every node has everything from the start." in shown
    assert "<script" not in drawing.html(ALONE)
    assert [e for e in drawing.trace(ALONE)["traceEvents"] if e["ph"] != "M"] == []


@pytest.mark.parametrize("name", files("rejected/rounds"))
def test_what_is_refused_can_be_drawn(name: str) -> None:
    path = ROOT / "tests" / "corpus" / "rejected" / "rounds" / f"{name}.json"
    document = json.loads(path.read_text())
    parsed(drawing.svg(document))
    assert_page(drawing.html(document))
    json.dumps(drawing.trace(document))


def test_numbers_beyond_reason_are_drawn() -> None:
    """What the reader accepts and the checker has not seen: drawn without a list of all of it."""
    large = 10**18
    slow = replace(
        PAIR, size=3, arcs=((0, 1, large), (1, 2, 3)), origins=((0, 1),), ports="one-port"
    )
    slow = replace(slow, sends=(((0, 0),),), steps=10**40, bound=10**30, optimal=False)
    many = replace(PAIR, origins=((0, large),), steps=7)
    cut = replace(PAIR, size=4, arcs=((0, 1, 1), (2, 3, 1)))
    twice = replace(PAIR, sends=(((0, 0),), ((0, 0),), ((0, 0),), ((0, 1),)), steps=5)
    nothing = replace(PAIR, sends=(), arcs=())
    later = replace(PAIR, sends=((), (), ((0, 0),)), steps=9)
    for run in (slow, many, cut, twice, nothing, later):
        parsed(drawing.svg(run))
        page = drawing.html(run)
        assert_page(page)
        assert len(page) < 200_000
        json.dumps(drawing.trace(run), allow_nan=False)


def test_large_runs_make_small_pictures() -> None:
    for run in (tree(32, 32, packets=100), tree(4, 64, packets=1000), tree(2, 512, packets=60)):
        page = drawing.html(run)
        assert len(drawing.svg(run)) < 2_000_000
        assert len(page) < 5_000_000
        assert_page(page)
    # More nodes than are drawn: curves and words are left.
    long = tree(2, 2000, packets=1)
    assert len(drawing.html(long)) < 400_000
    assert sum(event["ph"] == "X" for event in drawing.trace(long)["traceEvents"]) == 2 * 3999


def test_strange_names() -> None:
    names = ("</svg><script>", "a" * 5000, "\u05d0\u202e", "", "\n", "]]>&amp;", "'\"", "\\", "x")
    run = replace(ours(3, 3, packets=4), names=names)
    svg, page = drawing.svg(run), drawing.html(run)
    assert len(svg) < 200_000
    assert "</svg><script> \u2192 " in "".join(parsed(svg).itertext())
    assert "\u202e" not in svg
    assert_page(page)
    assert "&lt;/svg&gt;&lt;script&gt; \u2192 " in page
    assert_trace(run)
    # No name reaches the script.
    scripts = [re.findall(r"<script>.*</script>", text, re.S) for text in (page, drawing.html(run))]
    plain = re.findall(r"<script>.*</script>", drawing.html(replace(run, names=())), re.S)
    assert scripts == [plain, plain]


# --- frames -------------------------------------------------------------------------------------


@settings(max_examples=35)
@given(runs())
def test_every_frame_shows_its_step(run: SynchronousRun) -> None:
    """Arrows with their packets, nodes with their numbers, of every step."""
    traffic = RoundTraffic(run)
    for moment in traffic.moments(range(run.steps)):
        frame = frames.frame_of(traffic, moment)
        colors = frames.palette(traffic)
        assert [(arrow.arc, arrow.label, arrow.dashed) for arrow in frame.arrows] == [
            (arc, str(packet), earlier) for arc, packet, _, earlier in moment.transfers
        ]
        for arrow, (arc, packet, copies, earlier) in zip(
            frame.arrows, moment.transfers, strict=True
        ):
            tail, head, _ = run.arcs[arc]
            told = f"{tail} \u2192 {head}: packet {packet}" + ", sent earlier" * earlier
            assert arrow.told == told
            assert arrow.color == colors[frames.color_class(traffic, packet, copies)]
        assert frame.labels == tuple(str(have) if have else "" for have in moment.have)
        assert frame.fills == tuple(frames.shade(h, traffic.packets) for h in moment.have)
        assert frame.told == tuple(
            f"{node}: {have} packet{'' if have == 1 else 's'}"
            for node, have in enumerate(moment.have)
        )


@given(st.integers(1, 10**6), st.data())
def test_the_darker_the_more_packets(packets: int, data: st.DataObject) -> None:
    """Shade k of 7 up to k sevenths; white is for none, and the darkest for all."""
    have = data.draw(st.integers(0, packets) | st.sampled_from([0, 1, packets - 1, packets]))
    shades = [*frames.SHADES, frames.FULL]
    assert len(set(shades)) == 9
    expected = 8
    if have < packets:
        expected = min(k for k in range(8) if Fraction(have, packets) <= Fraction(k, 7))
    assert frames.shade(have, packets) == shades[expected]


def test_colors_of_packets_and_of_how_widespread_they_are() -> None:
    many = RoundTraffic(ours(4, 4, packets=100))
    classes = [frames.color_class(many, 99, copies) for copies in range(1, 17)]
    assert classes == [0] + [1] * 3 + [2] * 4 + [3] * 8
    key = frames.color_key(many)
    assert tuple(entry.fill for entry in key) == frames.palette(many)
    assert [entry.words.split(" of ")[0] for entry in key] == [
        "a packet that one node has",
        "up to a quarter",
        "up to a half",
        "more",
    ]
    # One of two nodes is a half, but it is the only one.
    pair = RoundTraffic(replace(PAIR, origins=((0, 100),)))
    assert [frames.color_class(pair, 0, copies) for copies in (1, 2)] == [0, 3]
    few = RoundTraffic(ours(4, 4, packets=20))
    assert [frames.color_class(few, packet, 1) for packet in range(20)] == list(range(20))
    assert len(set(frames.palette(few))) == 20


def test_the_figure_of_the_graph() -> None:
    def view(run: SynchronousRun) -> MeshView:
        drawn = frames.graph_figure(RoundTraffic(run), frames.mesh_of(run)).drawing
        assert isinstance(drawn, MeshView)
        return drawn

    run = ours(3, 3, packets=4)
    drawn = view(run)
    assert drawn.frame.fills == (frames.FULL, *[frames.SHADES[0]] * 8)
    assert drawn.frame.labels == tuple(map(str, range(9)))
    assert drawn.frame.told[:2] == ("0: 4 packets at first", "1: 0 packets at first")
    # Without heads a link leads both ways.
    assert (drawn.heads, view(PAIR).heads) == ((), (0,))
    dark = "Dark: where packets are from the start."
    everybody = broadcast_in_rounds(synchronous_graph(ring(5), *range(5)), 2, "one-port", effort=0)
    assert dark in words(drawing.svg(run))
    assert dark not in words(drawing.svg(everybody))


def test_dashes_and_borders_are_explained_where_they_are() -> None:
    dashed, around = "Dashed: under way since an earlier step.", "Links around the border are cut"
    slow = " ".join(words(drawing.svg(corpus("rounds/occupancy-of-a-slow-arc"))))
    plain = " ".join(words(drawing.svg(ours(3, 3, packets=4))))
    wrapped = broadcast_in_rounds(synchronous_graph(torus(4, 5), 0), 1, effort=0)
    assert dashed in slow
    assert around in " ".join(words(drawing.svg(wrapped)))
    assert not {dashed, around} & {word for word in (dashed, around) if word in plain}


def test_all_steps_of_a_short_run_are_shown_and_some_of_a_long_one() -> None:
    short = ours(3, 3, packets=4)
    assert shown_steps(short) == {"Step by step": list(range(short.steps))}
    run = tree(4, 4, packets=400)
    assert run.steps == 1203
    shown = shown_steps(run)
    assert list(shown) == ["The first steps", "In between", "The last steps"]
    each = frames_in_a_row(frames.mesh_of(run))
    assert shown["The first steps"] == list(range(each))
    assert shown["The last steps"] == list(range(1203 - each, 1203))
    assert 100 < shown["In between"][0] < shown["In between"][-1] < 1100
    large = tree(8, 16, packets=100)
    informed, full = RoundTraffic(large).stages()
    stages = ["Until every node has a packet", "In between", "After the first node has all packets"]
    shown = shown_steps(large)
    assert list(shown) == stages
    steps = [step for some in shown.values() for step in some]
    assert {0, informed - 1, full, large.steps - 1} <= set(steps)


@given(st.integers(1, 4), st.integers(2, 8), st.data())
def test_chosen_steps_are_steps(groups: int, each: int, data: st.DataObject) -> None:
    end = data.draw(st.integers(0, 400) | st.integers(10**6, 10**20))
    first, second = (data.draw(st.integers(0, end)) for _ in range(2))
    stages = data.draw(st.none() | st.just((first, second)))
    chosen = frames.chosen_steps(end, each, 3 * each * groups, stages)
    steps = [step for _, some in chosen for step in some]
    assert steps == sorted(set(steps))
    assert all(0 <= step < end for step in steps)
    assert len(steps) == (end if end <= 3 * each * groups else 3 * each)
    if steps:
        assert (steps[0], steps[-1]) == (0, end - 1)


def test_grids_and_tori_stand_in_rows() -> None:
    def placed(platform: Any) -> Any:
        run = broadcast_in_rounds(synchronous_graph(platform, 0), 1, effort=0)
        return frames.mesh_of(run)

    for sides in ((2, 2), (3, 5), (8, 8), (16, 2)):
        mesh = placed(grid(*sides))
        assert [(place.x, place.y) for place in mesh.places] == [
            (k % sides[1], k // sides[1]) for k in range(len(mesh.places))
        ]
        assert not mesh.wraps
    mesh = placed(torus(4, 5))
    assert (mesh.places[7].x, mesh.places[7].y) == (2, 1)
    assert len(mesh.wraps) == 4 + 5
    shape = MeshShape(mesh, 54, 400)
    leaving, entering = shape.curves(mesh.arcs.index((0, 4)))
    assert 0 < leaving.end.x < leaving.start.x < shape.boxes.points[1].x
    assert shape.width > entering.start.x > entering.end.x > shape.boxes.points[4].x
    for other in (ring(9), complete(6), cubic_16(), grid(7)):
        assert not placed(other).wraps
    # Links of a grid may be missing, one in four: of 24 here 6, and then 7.
    across = [(k, k + 1) for k in range(16) if (k + 1) % 4]
    every = across + [(k, k + 4) for k in range(12)]
    assert frames.grid_columns(16, every[6:]) == 4
    assert frames.grid_columns(16, every[7:]) != 4
    assert frames.grid_columns(16, [*every, (0, 4 + 1)]) == 0


# --- curves -------------------------------------------------------------------------------------


def test_the_curve_is_the_number_under_way() -> None:
    traffic = RoundTraffic(ours(4, 4, packets=20))
    area, line, cap = curves.activity_figure(traffic).drawing.shapes  # type: ignore[union-attr]
    corners = points_of(line)
    assert isinstance(area, Area)
    assert cap.dashed
    levels = {}
    for (start, number), (stop, same) in zip(corners[::2], corners[1::2], strict=True):
        assert number == same
        levels.update(dict.fromkeys(range(start, stop), number))
    assert levels == {step: traffic.under_way(step) for step in range(traffic.end)}


def test_means_stand_in_the_middle_of_their_steps() -> None:
    traffic = RoundTraffic(tree(4, 4, packets=400))
    figure = curves.activity_figure(traffic)
    spacing = -(-traffic.end // curves.BINS)
    assert figure.legend[0].words == f"transfers under way, mean of {spacing} steps"
    expected = []
    for start in range(0, traffic.end, spacing):
        steps = range(start, min(start + spacing, traffic.end))
        mean = Fraction(sum(map(traffic.under_way, steps)), len(steps))
        expected.append((start + Fraction(len(steps), 2), mean))
    assert points_of(figure.drawing.shapes[1]) == expected  # type: ignore[union-attr]


def test_the_line_of_the_bound() -> None:
    run = ours(4, 4, packets=20)
    for bound in (1, run.steps - 1, run.steps, 0, run.steps + 1):
        figure = curves.activity_figure(RoundTraffic(replace(run, bound=bound)))
        assert isinstance(figure.drawing, Plot)
        inside = 0 < bound <= run.steps
        told = (bound, f"no run ends before step {bound}") if inside else None
        assert figure.drawing.mark == told
        assert any(entry.words.startswith("bound: ") for entry in figure.legend) == inside


@given(
    st.lists(st.tuples(st.integers(1, 9), st.integers(0, 9)), min_size=1, max_size=12),
    st.integers(1, 12),
)
def test_bins_are_those_of_the_definition(parts: list[tuple[int, int]], spacing: int) -> None:
    values = [number for length, number in parts for _ in range(length)]
    course, time = [], 0
    for length, number in parts:
        course.append((time, number))
        time += length
    expected = []
    for start in range(0, time, spacing):
        here = values[start : start + spacing]
        mean = Fraction(sum(here), len(here))
        expected.append((start, start + len(here), min(here), mean, max(here)))
    assert curves.binned([*course, (time, 0)], time, spacing) == expected


# --- tables and traces --------------------------------------------------------------------------


def test_the_table_lists_what_starts() -> None:
    run = ours(3, 3, packets=4)
    table = of_kind(scenes.rounds_scene(run), Table)
    assert len(table.rows) == len(run.sends)
    for step, (number, begin, busy, sent) in enumerate(table.rows):
        row = run.sends[step]
        assert (int(number), int(begin), int(busy)) == (step, len(row), len(row))
        assert sent.split(", ") == [
            f"{run.arcs[arc][0]} \u2192 {run.arcs[arc][1]}: {packet}" for arc, packet in row
        ]


@settings(max_examples=25)
@given(runs())
def test_traces_have_two_slices_for_each_transfer(run: SynchronousRun) -> None:
    trace = scenes.rounds_trace(run)
    half = run.ports == "half-duplex"
    found: Counter[tuple[int, int, int, int]] = Counter()
    for work in trace.works:
        sent, received = work.slices
        assert (sent.start, sent.end) == (received.start, received.end)
        assert (sent.track, received.track) == (1, 1 if half else 2)
        packet = work.args["packet"]
        assert sent.name == f"{packet} \u2192 {received.process}"
        assert received.name == f"{packet} \u2190 {sent.process}"
        [arc] = [
            number
            for number, (tail, head, lasts) in enumerate(run.arcs)
            if (tail, head, lasts) == (sent.process, received.process, sent.end - sent.start)
        ][:1]
        found[int(sent.start), int(sent.end), arc, packet] += 1
    ends = {arc: run.arcs.index(run.arcs[arc]) for arc in range(len(run.arcs))}
    assert found == Counter((s, e, ends[arc], packet) for s, e, arc, packet in transfers(run))
    names = {name for (_, track), name in trace.tracks.items()}
    assert names == ({"port"} if half else {"send", "receive"})
    if run.steps:
        assert_trace(run)


# --- limits -------------------------------------------------------------------------------------


def test_what_is_left_out_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    run = ours(4, 4, packets=20)
    motion = of_kind(scenes.rounds_scene(run), Motion)
    assert (motion.last, motion.end) == (run.steps, run.steps)
    assert drawing.trace(run)["otherData"]["left out"] == "nothing"
    monkeypatch.setattr(scenes, "MOST_TRANSFERS", 30)
    motion = of_kind(scenes.rounds_scene(run), Motion)
    count = len(motion.rows)
    assert sum(map(len, motion.rows)) // 2 <= 30 < sum(map(len, run.sends[: count + 1]))
    assert (motion.last, motion.end) == (count - 1, -1)
    assert f"The first {count} of {run.steps} steps can be played." in motion.notes
    monkeypatch.setattr(scenes, "MOST_TRANSFERS", 0)
    assert "The steps are not shown in motion: there are too many." in drawing.html(run)
    monkeypatch.setattr(scenes, "MOST_TABLE_ROWS", 9)
    monkeypatch.setattr(scenes, "MOST_LISTED", 3)
    table = of_kind(scenes.rounds_scene(run), Table)
    assert (len(table.rows), table.more) == (9, run.steps - 9)
    assert table.rows[8][-1].endswith(f", {len(run.sends[8]) - 3} more")
    monkeypatch.setattr(trace_module, "MOST_WORKS", 50)
    trace = drawing.trace(run)
    assert trace["otherData"]["left out"] == "all but the first 50 transfers"
    assert sum(event["ph"] == "X" for event in trace["traceEvents"]) == 100
    monkeypatch.setattr(frames, "MOST_LINKS", 5)
    assert "More than 5 links are not drawn, only those at work." in words(drawing.svg(run))
    monkeypatch.setattr(scenes, "MOST_NODES", 15)
    shown = words(drawing.svg(run))
    assert any(word.startswith("A graph of 16 nodes is not drawn") for word in shown)
    assert "Transfers under way" in shown
    assert "step 0: 1 transfer" not in shown
    assert "<script" not in drawing.html(run)


# --- files, and several runs --------------------------------------------------------------------


def test_several_runs_over_each_other(tmp_path: Path) -> None:
    first, second = ours(4, 4, packets=100), tree(4, 4, packets=100)
    write_certificate(to_document(second), tmp_path / "tree.json")
    labels: dict[str, Any] = {"<ours>\n": first, "tree": tmp_path / "tree.json"}
    shown = words(drawing.active_edges(labels))
    assert "Transfers under way: 16 nodes, half-duplex" in shown
    table = of_kind(curves.comparison_scene({"<ours>\n": first, "tree": second}), Table)
    assert [row[:3] for row in table.rows] == [
        (label, str(run.steps), str(run.bound))
        for label, run in (("<ours>\ufffd", first), ("tree", second))
    ]
    # 500 transfers in 101 steps, times 3: as in the table of the paper, 5.0 of 8.
    assert table.rows[1][3:] == ("~4.95", "~62%")
    assert {cell for row in table.rows for cell in row} <= set(shown)


@pytest.mark.parametrize("packets", [20, 300])
def test_lines_of_several_runs(packets: int) -> None:
    """A mean in the middle of its steps, for each run in its own color, up to its own end."""
    runs = {"ours": ours(4, 4, packets=packets), "tree": tree(4, 4, packets=packets)}
    plot = of_kind(curves.comparison_scene(runs), Plot)
    end = max(run.steps for run in runs.values())
    fine, coarse = -(-end // 380), -(-end // 95)
    pale, strong = plot.shapes[:2], plot.shapes[2:]
    assert [isinstance(shape, Area) for shape in pale] == [fine > 1] * 2
    for rank, (run, line) in enumerate(zip(runs.values(), strong, strict=True)):
        traffic = RoundTraffic(run)
        expected: list[tuple[Any, Any]] = [(0, 0)]
        for start in range(0, run.steps, coarse):
            steps = range(start, min(start + coarse, run.steps))
            mean = Fraction(sum(map(traffic.under_way, steps)), len(steps))
            expected.append((start + Fraction(len(steps), 2), mean))
        assert points_of(line) == [*expected, (run.steps, 0)]
        assert line.color == pale[rank].color == color(rank)
    assert of_kind(curves.comparison_scene({"alone": ALONE}), Plot).shapes == ()


def test_runs_that_cannot_be_compared() -> None:
    run = ours(4, 4, packets=20)
    one_port = ours(4, 4, packets=20, ports="one-port")
    with pytest.raises(InvalidInput, match="all runs are on 16 nodes, and 8 transfers fit"):
        drawing.active_edges({"one": run, "other": one_port})
    # As many pairs of nodes, but not as many nodes.
    five = broadcast_in_rounds(synchronous_graph(ring(5), 0), 1, effort=0)
    with pytest.raises(InvalidInput, match="all runs are on 4 nodes, and 2 transfers fit"):
        drawing.active_edges({"one": ours(2, 2, packets=1), "other": five})
    with pytest.raises(InvalidInput, match="at least one run"):
        drawing.active_edges({})
    with pytest.raises(InvalidInput, match="at most 24 runs"):
        drawing.active_edges({str(k): run for k in range(25)})
    star = json.loads((ROOT / "tests" / "corpus" / "accepted" / "run-star.json").read_text())
    with pytest.raises(InvalidInput, match="a run in rounds is needed"):
        drawing.active_edges({"star": star})


def test_the_figures_of_the_page_are_those_drawn_now() -> None:
    page = (ROOT / "proofs" / "rounds-published.md").read_text(encoding="utf-8")
    [code] = re.findall(r"^## A picture$.*?^```python\n(.*?)^```$", page, re.M | re.S)
    names: dict[str, Any] = {}
    exec(compile(code, "rounds-published.md", "exec"), names)
    assert set(names["figures"]) == {"steps-8x8.svg", "steps-4x4.svg"}
    for run in names["runs"].values():
        check(run)
    for name, svg in names["figures"].items():
        assert f"(figures/{name})" in page
        assert (ROOT / "proofs" / "figures" / name).read_text(encoding="utf-8") == svg


def test_have_after_is_what_the_curve_of_lacking_packets_says() -> None:
    run = ours(4, 4, packets=20)
    mean = curves.lack_figure(RoundTraffic(run)).drawing.shapes[1]  # type: ignore[union-attr]
    for time, lacking in points_of(mean):
        have = have_after(run, time)[1:]
        assert lacking == Fraction(sum(20 - one for one in have), 15)
