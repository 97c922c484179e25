"""Renderers draw any scene: bars in proportion, labels apart, markup escaped, slices in order."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched import drawing
from exactsched.drawing import printing
from exactsched.drawing.layout.geometry import Bend, Point
from exactsched.drawing.layout.mesh import MeshShape
from exactsched.drawing.lettering import text_width
from exactsched.drawing.palette import ALARM, IDLE, color
from exactsched.drawing.renderers.html import scene_html
from exactsched.drawing.renderers.svg import figure_fragment, scene_svg
from exactsched.drawing.renderers.svg.canvas import px, tag
from exactsched.drawing.renderers.svg.graph import graph_fragment
from exactsched.drawing.renderers.svg.plot import PlotPicture
from exactsched.drawing.renderers.trace import trace_document
from exactsched.drawing.scene import (
    Axis,
    Bar,
    Box,
    Cell,
    CellRow,
    Cells,
    Curve,
    Edge,
    Entry,
    Figure,
    Frame,
    Graph,
    Link,
    Mesh,
    MeshView,
    Node,
    Panels,
    Plot,
    Row,
    Scene,
    Slice,
    Table,
    Timeline,
    Trace,
    Tree,
    Words,
    Work,
)
from exactsched.drawing.series.graph import platform_scene
from exactsched.exact.errors import InvalidInput
from exactsched.model.platform import Platform
from exactsched.platforms.built_in import built_in
from tests.drawing.pictures import SVG, assert_page, figures_of, parsed, words

EVIL = "</text><script>alert(1)</script>&\u05d0"


def drawn(drawing_of: object) -> ElementTree.Element:
    return parsed(figure_fragment(Figure("figure", drawing_of)).document("figure"))  # type: ignore[arg-type]


def rects(root: ElementTree.Element, **look: str) -> list[dict[str, float]]:
    """The numbers of the rectangles that look like this."""
    found = [
        one
        for one in root.iter(f"{SVG}rect")
        if all(one.get(name) == value for name, value in look.items())
    ]
    return [{name: float(one.get(name, "0")) for name in ("x", "y", "width")} for one in found]


def square(places: int) -> tuple[Point, ...]:
    return tuple(Point(float(k % 2), float(k // 2)) for k in range(places))


# --- the canvas ---------------------------------------------------------------------------------


@given(st.fractions(-(10**6), 10**6))
def test_coordinates_are_rounded_to_hundredths(value: Fraction) -> None:
    assert abs(Fraction(px(value)) - value) <= Fraction(1, 200)
    assert px(value) not in ("-0", "")


def test_attributes_are_escaped() -> None:
    assert ElementTree.fromstring(tag("g", stroke_width='<&">')).get("stroke-width") == '<&">'


def test_whatever_a_scene_says_is_only_text() -> None:
    node = Node(EVIL, (EVIL,), EVIL)
    third = Fraction(1, 3)
    figures = (
        Figure(EVIL, None, EVIL, (Entry(color(0), EVIL),), (EVIL,), EVIL),
        Figure(EVIL, Graph((node, node), (Edge(0, 1, EVIL, EVIL),), square(2))),
        Figure(EVIL, Tree((Box((EVIL, EVIL), third, (), EVIL),))),
        Figure(EVIL, Cells((CellRow(EVIL, (Cell(EVIL, told=EVIL),), EVIL),), (EVIL, EVIL))),
        Figure(
            EVIL,
            Timeline(
                Fraction(1),
                (
                    Row(
                        EVIL, ((Bar(third, Fraction(1), color(0), EVIL, (EVIL, "x")),),), EVIL, EVIL
                    ),
                ),
                (Fraction(0), Fraction(1)),
                400,
                mark=(third, EVIL),
                shares=EVIL,
            ),
        ),
        Figure(
            EVIL,
            Plot(
                Axis(0, 1, ((0, EVIL), (1, EVIL)), EVIL),
                Axis(0, 1, ((0, EVIL), (1, EVIL))),
                (Curve(((0, 0), (1, 1)), color(0), dots=(EVIL, EVIL)),),
                (0, EVIL),
            ),
        ),
    )
    table = Table(EVIL, (EVIL, EVIL), ((EVIL, EVIL),), notes=(EVIL,), where="everywhere")
    scene = Scene(EVIL, EVIL, (Panels(EVIL, figures, (EVIL,)), table, Words(EVIL, (EVIL,))))
    svg = scene_svg(scene)
    assert not [one for one in parsed(svg).iter() if "script" in one.tag]
    assert "".join(parsed(svg).itertext()).count("</script>") > 20
    assert "<script" not in scene_html(scene)
    assert_page(scene_html(scene))


def test_pages_and_pictures_have_what_is_meant_for_them() -> None:
    both, page, picture = (Words("", (f"for {w}",), w) for w in ("everywhere", "page", "picture"))  # type: ignore[arg-type]
    table = Table("A table", ("one", "two"), (("1", "2"),), (color(0),))
    scene = Scene("title", "result", (both, page, picture, table))
    shown, written = " ".join(words(scene_svg(scene))), scene_html(scene)
    assert ("for everywhere" in shown, "for page" in shown, "for picture" in shown) == (
        True,
        False,
        True,
    )
    assert ("for page" in written, "for picture" in written) == (True, False)
    assert "A table" not in shown
    assert f'<span class="swatch" style="background:{color(0)}"></span>1</td><td>2</td>' in written


# --- timelines ----------------------------------------------------------------------------------


def timeline(*bars: Bar, span: int = 10, **more: object) -> Timeline:
    rows = (Row("P0", (bars,), "send"), Row("P0", ((),), "receive"), Row("P1", ((), ())))
    ticks = tuple(map(Fraction, range(span + 1)))
    return Timeline(Fraction(span), rows, ticks, 500, **more)  # type: ignore[arg-type]


def test_bars_stand_in_proportion_to_their_times() -> None:
    bars = Bar(Fraction(0), Fraction(3), "#111111"), Bar(Fraction(4), Fraction(99), "#222222")
    root = drawn(timeline(*bars))
    strips = rects(root, fill=IDLE)
    assert [strip["width"] for strip in strips] == [500] * 3
    left = strips[0]["x"]
    [first], [second] = rects(root, fill="#111111"), rects(root, fill="#222222")
    assert (first["x"] - left, second["x"] - left) == (0, 200)
    # A little is left free between bars; what is beyond the axis is cut off.
    assert (first["width"], second["width"]) == (149.2, 299.2)
    assert first["y"] == strips[0]["y"]


def test_the_longest_name_that_fits_is_written_and_lines_stand_where_tasks_end() -> None:
    names = "a name that is much too long for it", "short one", "x"
    bar = Bar(Fraction(1), Fraction(3), color(0), "told", names, (Fraction(2), Fraction(1, 2)))
    root = drawn(timeline(bar))
    assert "short one" in [text.text for text in root.iter(f"{SVG}text")]
    [cuts] = [path.get("d", "") for path in root.iter(f"{SVG}path")]
    left = rects(root, fill=IDLE)[0]["x"]
    assert [float(part.split()[0]) - left for part in cuts.split("M")[1:]] == pytest.approx(
        [100, 125]
    )
    narrow = drawn(timeline(Bar(Fraction(1), Fraction(11, 10), color(0), "told", names)))
    assert not set(names) & {text.text for text in narrow.iter(f"{SVG}text")}


def test_links_end_where_the_axis_ends_and_the_mark_stands_at_its_time() -> None:
    link = Link(Fraction(5), Fraction(15), (0, 0), (2, 1))
    root = drawn(timeline(links=(link,), mark=(Fraction(8), "bound 8")))
    left = rects(root, fill=IDLE)[0]["x"]
    [line] = [one for one in root.iter(f"{SVG}line") if one.get("stroke-opacity")]
    ends = [float(line.get(name, "")) for name in ("x1", "x2", "y1", "y2")]
    assert [ends[0] - left, ends[1] - left] == pytest.approx([250, 500])
    tops = [strip["y"] for strip in rects(root, fill=IDLE)]
    assert ends[3] - ends[2] == pytest.approx((tops[2] + 17 - tops[0]) / 2)
    [mark] = [one for one in root.iter(f"{SVG}line") if one.get("stroke") == ALARM]
    assert float(mark.get("x1", "")) - left == pytest.approx(400)


# --- graphs -------------------------------------------------------------------------------------


def test_strands_are_as_wide_as_their_shares_and_nodes_apart() -> None:
    nodes = tuple(Node(f"node {k}", ("a line",), f"told {k}") for k in range(4))
    edges = [
        Edge(0, 1, strands=((color(0), Fraction(1, 2)), (color(1), Fraction(1, 4)))),
        Edge(1, 0, strands=((color(2), Fraction(1)),)),
        Edge(2, 3),
    ]
    root = drawn(Graph(nodes, tuple(edges), square(4)))
    widths = {
        path.get("stroke"): float(path.get("stroke-width", "")) for path in root.iter(f"{SVG}path")
    }
    assert widths[color(2)] == pytest.approx(9)
    # Two strands side by side leave no paper between them.
    assert widths[color(0)] == pytest.approx(4.5 + 0.25)
    assert len(list(root.iter(f"{SVG}polygon"))) == 3
    boxes = rects(root, stroke="#1d2733")
    for one, other in combinations(boxes, 2):
        apart = abs(one["x"] - other["x"]) > one["width"] or abs(one["y"] - other["y"]) > 30
        assert apart


def test_parallel_edges_and_loops_are_apart() -> None:
    ends = [(0, 1), (0, 1), (1, 0), (1, 1), (1, 1)]
    edges = tuple(Edge(tail, head, str(k)) for k, (tail, head) in enumerate(ends))
    root = drawn(Graph((Node("a"), Node("b")), edges, square(2), label_noun="number"))
    paths = [path.get("d") for path in root.iter(f"{SVG}path")]
    assert len(set(paths)) == len(paths) == 5
    assert {str(k) for k in range(5)} <= {text.text for text in root.iter(f"{SVG}text")}


def test_labels_without_room_are_counted_and_opposite_ones_shared() -> None:
    nodes = tuple(Node(str(k)) for k in range(2))
    twins = Graph(nodes, (Edge(0, 1, "7"), Edge(1, 0, "7")), square(2))
    assert [text.text for text in drawn(twins).iter(f"{SVG}text")].count("7") == 1
    long = Graph(nodes, (Edge(0, 1, "7" * 200),), square(2), label_noun="cost")
    assert "1 cost not shown for lack of room" in " ".join(
        text.text or "" for text in drawn(long).iter(f"{SVG}text")
    )
    # Small nodes are dots, and the pointer is told what has no room.
    side = 40
    many = tuple(Edge(k, k + 1, "7") for k in range(side * side - 1))
    places = tuple(Point(float(k % side), float(k // side)) for k in range(side * side))
    dots = drawn(Graph((Node("x"),) * side**2, many, places, label_noun="cost"))
    assert [text.text for text in dots.iter(f"{SVG}text")] == [
        "Names of nodes are shown when the pointer rests on them.",
        "Costs are shown when the pointer rests on an arc.",
    ]


@given(st.data())
def test_curves_keep_to_their_right(data: st.DataObject) -> None:
    number = st.floats(-100, 100)
    start, end = Point(data.draw(number), 0.0), Point(data.draw(number) + 300, 100.0)
    curve = Bend.straight(start, end)
    aside = curve.beside(5).at(0.5) - curve.at(0.5)
    assert aside.length == pytest.approx(5)
    assert (end - start).right.unit.x * aside.x + (end - start).right.unit.y * aside.y > 0
    tip, left, right = curve.head(6)
    assert tip == end
    assert (left - right).length == pytest.approx(6)
    assert (curve.shortened(10).end - end).length == pytest.approx(10, abs=0.1)


# --- meshes -------------------------------------------------------------------------------------


@pytest.mark.parametrize("wraps", [frozenset(), frozenset({(0, 2)})])
@pytest.mark.parametrize("size", [9, 121])
def test_everything_is_inside_the_frame(size: int, wraps: frozenset[tuple[int, int]]) -> None:
    side = 3 if size == 9 else 11
    places = tuple(Point(float(k % side), float(k // side)) for k in range(size))
    links = tuple((k, k + 1) for k in range(size) if (k + 1) % side) + tuple(wraps)
    arcs = links + tuple((head, tail) for tail, head in links)
    shape = MeshShape(Mesh(places, arcs, links, wraps, True), 54, 290)
    assert shape.width <= 291
    for center in shape.boxes.points:
        assert shape.radius < center.x < shape.width - shape.radius
        assert shape.radius < center.y < shape.height - shape.radius
    for arc in range(len(arcs)):
        for curve in shape.curves(arc):
            for point in (curve.start, curve.at(0.5), curve.end):
                assert -30 <= point.x <= shape.width + 30
                assert -30 <= point.y <= shape.height + 30
    fills = tuple(color(k % 3) for k in range(size))
    frame = Frame(fills, ("7",) * size, tuple(f"node {k}" for k in range(size)))
    root = drawn(MeshView(Mesh(places, arcs, links, wraps, True), frame))
    circles = [one.get("fill") for one in root.iter(f"{SVG}circle")]
    dots = {one.get("stroke"): one.get("d", "").count("h0") for one in root.iter(f"{SVG}path")}
    shown = {fill: circles.count(fill) + dots.get(fill, 0) for fill in set(fills)}
    assert shown == {fill: fills.count(fill) for fill in set(fills)}


def test_tall_graphs_are_drawn_smaller() -> None:
    places = tuple(Point(float(k % 2), float(k // 2)) for k in range(200))
    shape = MeshShape(Mesh(places, (), (), frozenset(), False), 54, 290)
    assert shape.height <= 2 * 290 + 30
    assert shape.width < 60


# --- cells, trees, plots ------------------------------------------------------------------------


def test_marks_are_lines_around_cells() -> None:
    cells = Cell("1", mark="box"), Cell("2", mark="circle"), Cell("3", pale=True), Cell("")
    root = drawn(Cells((CellRow("P0", cells),)))
    corners = [
        float(one.get("rx", "-1")) for one in root.iter(f"{SVG}rect") if one.get("fill") == "none"
    ]
    assert (corners[0], corners[1] > 0) == (0, True)
    assert len([one for one in root.iter(f"{SVG}rect") if one.get("fill-opacity")]) == 1


@pytest.mark.parametrize("on_top", [True, False])
def test_a_tree_has_its_root_on_top_or_at_the_bottom(on_top: bool) -> None:
    boxes = (
        Box(("root",), Fraction(1, 2), (1, 2)),
        *(Box((s,), Fraction(k), ()) for k, s in enumerate("ab")),
    )
    root = drawn(Tree(boxes, on_top))
    at = {text.text: float(text.get("y", "")) for text in root.iter(f"{SVG}text")}
    assert (at["root"] < at["a"]) == on_top
    assert at["a"] == at["b"]
    assert len(list(root.iter(f"{SVG}polygon"))) == (0 if on_top else 2)


def test_points_of_a_plot_stand_between_its_axes() -> None:
    x = Axis(1, 100, ((1, "1"), (100, "100")), logarithmic=True)
    plot = Plot(x, Axis(0, 4, ((0, "0"), (4, "4"))), (Curve(((1, 0), (10, 2)), color(0)),))
    picture = PlotPicture(plot)
    assert picture.x(10) - picture.left == pytest.approx(plot.width / 2)
    assert picture.bottom - picture.y(2) == plot.height / 2
    [line] = list(drawn(plot).iter(f"{SVG}path"))
    assert (
        line.get("d")
        == f"M{px(picture.x(1))} {px(picture.y(0))}L{px(picture.x(10))} {px(picture.y(2))}"
    )


@given(st.lists(st.tuples(st.integers(1, 10**30), st.fractions(1, 10**6)), min_size=1, max_size=20))
def test_any_ratios_can_be_plotted(rows: list[tuple[int, Fraction]]) -> None:
    root = parsed(drawing.ratio_plot(rows))
    assert drawing.ratio_plot(rows[::-1]) == drawing.ratio_plot(rows)
    width, height = float(root.get("width", "")), float(root.get("height", ""))
    points = [(float(c.get("cx", "")), float(c.get("cy", ""))) for c in root.iter(f"{SVG}circle")]
    assert len(points) == len(rows)
    assert points == sorted(points, key=lambda point: point[0])
    assert all(0 < x < width and 0 < y < height for x, y in points)
    assert len(list(root.iter(f"{SVG}line"))) < 40


@pytest.mark.parametrize(
    "top",
    [1 + Fraction(7, 5 * 10**k) for k in (1, 2, 4, 6, 9, 15, 40, 300, 5000)]
    + [Fraction(1), Fraction(5, 2), Fraction(301), Fraction(10**9)],
    ids=lambda top: f"{len(str(top.numerator.bit_length()))}-{top < 2}",
)
def test_grid_lines_of_a_ratio_plot_are_labeled_apart(top: Fraction) -> None:
    def value_told(label: str) -> Fraction:
        return sum((Fraction(part.lstrip("~")) for part in label.split(" + ")), Fraction(0))

    root = parsed(drawing.ratio_plot([(1, top), (1000, 1 + (top - 1) / 3)]))
    axis = [
        (float(label.get("y", "")), label.text or "")
        for label in root.iter(f"{SVG}text")
        if label.get("text-anchor") == "end" and label.text != "size (logarithmic)"
    ]
    told = [value_told(label) for _, label in sorted(axis, reverse=True)]
    assert len(told) >= 4
    assert told[0] == 1
    assert told == sorted(set(told))
    steps = {after - before for before, after in pairwise(told)}
    assert len(steps) == 1 or top > 10**6  # there the labels are rounded
    assert told[-2] < top <= told[-1] or top == 1 or top > 10**6
    assert all(text_width(label, 11) < 90 for _, label in axis)
    dots = [
        title.text or "" for title in root.iter(f"{SVG}title") if "ratio " in (title.text or "")
    ]
    assert (dots[0].split("ratio ")[1] == dots[1].split("ratio ")[1]) == (top == 1)


def test_names_of_nodes_are_whole_where_their_neighbors_leave_room() -> None:
    """Each box has the room around itself; it is not the closest two that decide for all."""
    boxes = drawing.svg(built_in("dgx-a100:2"))
    assert all(f">{name}</text>" in boxes for name in ("nvswitch0", "switch1", "nic12", "gpu7"))
    grid = built_in("grid:6x6")
    name = {node: f"rack-{node:02}.compute-node-{node:03}.example" for node in grid.nodes}
    arcs = [(name[arc.tail], name[arc.head], arc.cost) for arc in grid.arcs]
    drawn = drawing.svg(Platform(list(name.values()), arcs))
    assert all(f">{node:02}.compute-node-{node:03}</text>" in drawn for node in grid.nodes)


def test_names_and_heads_of_rows_fit_into_a_column() -> None:
    rows = [("gpu0<->nvswitch0", Fraction(0), Fraction(3))]
    root = parsed(drawing.advice_chart("x", Fraction(2), rows, width="84mm", font_size="8pt"))
    assert "gpu0<->nvswitch0" in [one.text for one in root.iter(f"{SVG}text")]
    (head,) = (one for one in root.iter(f"{SVG}text") if one.text == "one more")
    right = float(head.attrib["x"]) + text_width("one more", 10.5)
    assert right <= float(root.attrib["viewBox"].split()[2]) - 2


def test_names_that_are_cut_off_stay_different() -> None:
    names = [f"{'a' * 30}{number:02}{'b' * 2}" for number in range(9)] + ["z"]
    arcs = [(one, other, 1) for one, other in combinations(names, 2)]
    drawn = words(drawing.svg(Platform(names, arcs)))
    shown = [word for word in drawn if "\u2026" in word]
    assert len(shown) == len(set(shown)) == 9


def test_arcs_around_nodes_stay_in_the_picture() -> None:
    scene = platform_scene(built_in("random:30,120,1"))
    (graph,) = (figure.drawing for figure in figures_of(scene) if isinstance(figure.drawing, Graph))
    fragment, _ = graph_fragment(graph)
    root = parsed(fragment.document("graph"))
    (moved,) = root.iterfind(f"{SVG}g/{SVG}g[@transform]")
    start = Point(*map(float, moved.attrib["transform"][10:-1].split()))
    assert start.y > 0
    for path in moved.iter(f"{SVG}path"):
        ends = [float(number) for number in re.findall(r"-?[0-9.]+", path.attrib["d"])]
        if len(ends) == 6:
            bend = Bend(Point(*ends[:2]), Point(*ends[2:4]), Point(*ends[4:]))
            for at in (start + bend.at(step / 8) for step in range(9)):
                assert 0 <= at.x <= fragment.width
                assert 0 <= at.y <= fragment.height


@pytest.mark.parametrize("ending", [".svg", ".pdf", ".png"])
def test_curves_and_bars_are_written_like_other_pictures(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As wide as a column, in its letters; a program that prints is asked for PDF and PNG."""
    monkeypatch.setattr(printing, "_able_to_print", lambda _: None)
    monkeypatch.setattr(printing, "printed", lambda svg, form: f"{form} {svg}".encode())
    curve = drawing.ratio_plot([(1, Fraction(3))], width="84mm", font_size="8pt")
    bars = drawing.advice_chart(
        "an allgather", Fraction(2), [("a", Fraction(1), Fraction(3))], width="84mm"
    )
    for number, drawn in enumerate((curve, bars)):
        assert '<svg xmlns="http://www.w3.org/2000/svg" width="84mm"' in drawn
        assert "prefers-color-scheme:dark" in drawn
        path = tmp_path / f"{number}{ending}"
        printing.able_to_write(path)
        printing.write_picture(path, drawn)
        assert path.read_text() == (drawn if ending == ".svg" else f"{ending} {drawn}")
    with pytest.raises(InvalidInput, match=r"write a \.svg, \.pdf or \.png file"):
        printing.able_to_write("x.html")


@pytest.mark.parametrize("folder", ["proofs", "benchmarks"])
def test_stored_figures_are_dark_on_a_dark_screen(folder: str) -> None:
    figures = sorted((Path(__file__).parents[2] / folder / "figures").glob("*.svg"))
    assert figures
    for figure in figures:
        assert "prefers-color-scheme:dark" in figure.read_text(encoding="utf-8"), figure.name


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [(0, Fraction(1))],
        [(1, Fraction(1, 2))],
        [(1, Fraction(1, 10**5000))],
        [(Fraction(-(10**5000)), Fraction(1))],
    ],
    ids=["none", "no size", "below 1", "a long ratio", "a long size"],
)
def test_ratio_plot_refuses_what_it_cannot_draw(rows: list[tuple[Fraction, Fraction]]) -> None:
    with pytest.raises(InvalidInput, match="rows") as refusal:
        drawing.ratio_plot(rows)
    assert len(str(refusal.value)) < 300


# --- traces -------------------------------------------------------------------------------------


def test_a_trace_rounds_to_microseconds_and_joins_two_slices() -> None:
    third = Fraction(1, 3)
    both = Slice(0, 1, "to b", Fraction(0), third), Slice(1, 2, "from a", third, 2 * third)
    tiny = Slice(1, 1, "nothing", Fraction(2), 2 + Fraction(1, 10**9))
    works = Work("sent", both, {"packet": 7}), Work("done", (tiny,))
    tracks = {(0, 1): "send", (1, 2): "receive", (1, 1): "compute"}
    trace = Trace("asked", "claimed", "step", Fraction(20), {0: "a", 1: "b"}, tracks, works)
    document = trace_document(trace)
    assert document["otherData"]["microseconds per step"] == "100000"
    assert document["otherData"]["left out"] == "1 slice shorter than a microsecond"
    slices = [event for event in document["traceEvents"] if event["ph"] == "X"]
    assert [(one["pid"], one["tid"], one["ts"], one["dur"]) for one in slices] == [
        (1, 1, 0, 33_333),
        (2, 2, 33_333, 33_334),
    ]
    assert slices[0]["args"] == {"packet": 7, "start": "0", "end": "1/3"}
    arrows = [(e["ph"], e["pid"], e["ts"]) for e in document["traceEvents"] if e["ph"] in "sf"]
    assert arrows == [("s", 1, 0), ("f", 2, 33_333)]
    names = [e["args"]["name"] for e in document["traceEvents"] if e["name"] == "thread_name"]
    assert names == ["send", "receive"]


def test_advice_is_drawn_in_bars() -> None:
    rows = [(f"cable {index}", Fraction(index, 50), Fraction(3)) for index in range(50)]
    drawn = drawing.advice_chart("an allgather", Fraction(2), rows)
    parsed(drawn)
    assert "10 more are not drawn" in drawn
    assert "0 without, 3 with one more" in drawn


@pytest.mark.parametrize(
    "rows",
    [[], [("x", Fraction(3), Fraction(3))], [("x", Fraction(0), Fraction(1))]],
    ids=["none", "more without", "less with more"],
)
def test_advice_refuses_what_it_cannot_draw(rows: list[tuple[str, Fraction, Fraction]]) -> None:
    with pytest.raises(InvalidInput):
        drawing.advice_chart("a broadcast", Fraction(2), rows)
