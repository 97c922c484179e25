"""Pictures for papers: single panels, columns, sizes of letters, PDF and PNG, dark screens."""

from __future__ import annotations

import re
import shutil
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

from exactsched import drawing
from exactsched.check import check
from exactsched.drawing import palette, printing
from exactsched.drawing.layout.geometry import Point
from exactsched.drawing.lettering import printable, text_width
from exactsched.drawing.panels import panel_names
from exactsched.drawing.paper import BASE, paper
from exactsched.drawing.renderers.svg.canvas import FONT
from exactsched.drawing.renderers.svg.graph import graph_fragment
from exactsched.drawing.scene import Edge, Graph, Node
from exactsched.drawing.series.colors import key_of
from exactsched.exact.errors import InvalidInput
from exactsched.model.platform import Platform
from exactsched.model.problem import Alltoall
from exactsched.model.tasks import WeightedStructure
from exactsched.platforms.built_in import built_in
from exactsched.runs.pipelined import ratio_curve
from exactsched.steady_state import arborescence_packing
from exactsched.steady_state.advice import advise
from exactsched.steady_state.broadcast import broadcast
from tests.cli.command_line import Run
from tests.drawing.examples import BY_NAME, CORPUS, series_on, torus_alltoall
from tests.drawing.pictures import SVG, parsed, words
from tests.steady_state.planted_collectives import series_of

REDUCE = BY_NAME["reduce-toy"]
FIGURE = BY_NAME["figure-1-one-port"]
# Of every kind one, and its panels.
KINDS = {
    REDUCE: "graph gantt trees structures steps why",
    FIGURE: "graph gantt trees structures steps why",
    BY_NAME["run-star"]: "graph gantt trees transfers why",
    BY_NAME["combination-mix"]: "graph gantt trees structures steps why",
    BY_NAME["unreachable"]: "graph why",
    CORPUS / "accepted/overlay/exchange-on-given-arcs.json": "graph message nodes arcs why",
    CORPUS / "accepted/logp/figure-1.json": "trees gantt why",
    CORPUS / "accepted/logp/buffered-figure-5.json": "trees cycles receptions why",
    CORPUS / "accepted/rounds/durations.json": "graph activity lack steps transfers why",
    CORPUS / "accepted/min-max/coloring-of-many-colors.json": "graph why links",
}


def pixels(root: ElementTree.Element, side: str = "width") -> Fraction:
    """The width or height on paper."""
    found = re.fullmatch(r"([0-9.]+)(\w*)", root.get(side, ""))
    assert found
    return (
        Fraction(found[1])
        * {
            "": 1,
            "px": 1,
            "pt": Fraction(4, 3),
            "mm": Fraction(960, 254),
            "in": 96,
        }[found[2]]
    )


def units(root: ElementTree.Element) -> list[Fraction]:
    """Width and height in units of the picture."""
    return [Fraction(one) for one in root.get("viewBox", "").split()[2:]]


# --- panels -------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", KINDS, ids=lambda path: path.stem)
def test_each_panel_can_be_drawn_alone(path: Path) -> None:
    names = drawing.panels(path)
    assert names == tuple(KINDS[path].split())
    whole = drawing.svg(path)
    alone = {name: drawing.svg(path, panel=name) for name in names}
    assert len({*alone.values(), whole}) == len(names) + 1
    for name, svg in alone.items():
        width, height = units(parsed(svg))
        assert width < 1300, name
        assert height > 20, name
        # The title is that of the caption, not of the picture.
        assert words(whole)[0] not in words(svg)


def test_a_panel_holds_what_the_picture_says_there() -> None:
    gantt = words(drawing.svg(FIGURE, panel="gantt"))
    assert "One period: 2 time units" in words(drawing.svg(FIGURE))
    assert "One period: 2 time units" not in gantt
    # Alone it says what its colors mean, and no others.
    assert "tree 1: 1/2 per time unit, 1 message a period" in gantt
    assert "at rest" in gantt
    assert "Why nothing is better" not in words(drawing.svg(FIGURE, panel="gantt"))
    assert "Why nothing is better" in words(drawing.svg(FIGURE, panel="why"))
    assert "cons[1,1,2]" in words(drawing.svg(REDUCE, panel="trees"))
    graph = parsed(drawing.svg(FIGURE, panel="graph"))
    assert len(list(graph.iter(f"{SVG}polygon"))) == 6
    # Every tree alone has its own arcs in its color.
    lines = [path.get("stroke") for path in parsed(drawing.svg(FIGURE, panel="trees")).iter()]
    assert [lines.count(palette.color(rank)) for rank in range(2)] == [4, 4]


def test_other_panels_are_refused_with_a_list() -> None:
    with pytest.raises(InvalidInput, match="the panels here are graph, gantt, trees, structures"):
        drawing.draw(FIGURE, panel="tree")
    with pytest.raises(InvalidInput, match=r"the panels here are graph$"):
        drawing.draw(built_in("grid:2x2"), panel="gantt")


@pytest.mark.parametrize("ending", ["html", "json"])
@pytest.mark.parametrize("given", [{"panel": "graph"}, {"width": "84mm"}, {"font_size": "8pt"}])
def test_pages_and_traces_are_whole(tmp_path: Path, ending: str, given: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="goes with pictures only"):
        drawing.draw(FIGURE, tmp_path / f"x.{ending}", **given)
    assert not list(tmp_path.iterdir())


# --- columns ------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", KINDS, ids=lambda path: path.stem)
@pytest.mark.parametrize(
    ("width", "font_size"), [("84mm", "8pt"), ("3.5in", None), ("2000px", "9pt")]
)
def test_pictures_have_the_width_and_letters_the_size(
    path: Path, width: str, font_size: str | None
) -> None:
    root = parsed(drawing.svg(path, width=width, font_size=font_size))
    assert root.get("width") == width
    scale = pixels(root) / units(root)[0]
    wanted = Fraction(font_size[:-2]) * Fraction(4, 3) if font_size else Fraction(BASE)
    assert float(scale * BASE) == pytest.approx(float(wanted), rel=1e-2)
    # The same number of pixels per unit both ways, so that nothing is stretched.
    assert float(pixels(root, "height") / units(root)[1]) == pytest.approx(float(scale), rel=1e-2)


@pytest.mark.parametrize("path", KINDS, ids=lambda path: path.stem)
def test_nothing_is_drawn_beyond_the_column(path: Path) -> None:
    """Text by its estimated width, boxes and lines by their numbers."""
    for panel in drawing.panels(path):
        svg = drawing.svg(path, width="84mm", font_size="8pt", panel=panel)
        room = units(parsed(svg))[0]
        assert farthest(parsed(svg)) <= float(room) + 12, panel


def farthest(root: ElementTree.Element) -> float:
    """The greatest x of a rectangle, where groups move and shrink what is in them."""

    def visit(element: ElementTree.Element, x: float, factor: float) -> float:
        moved = element.get("transform", "")
        if found := re.match(r"translate\(([-\d.]+)", moved):
            x += factor * float(found[1])
        if found := re.match(r"scale\(([\d.]+)", moved):
            factor *= float(found[1])
        most = 0.0
        if element.tag == f"{SVG}rect":
            most = x + factor * (float(element.get("x", 0)) + float(element.get("width", 0)))
        return max([most, *(visit(inner, x, factor) for inner in element)])

    return visit(root, 0.0, 1.0)


def test_panels_are_laid_out_again_and_letters_stay() -> None:
    def sizes(svg: str) -> set[str | None]:
        return {text.get("font-size") for text in parsed(svg).iter(f"{SVG}text")}

    narrow, wide = (drawing.svg(FIGURE, width=width, panel="gantt") for width in ("90mm", "180mm"))
    assert sizes(narrow) == sizes(wide)
    heights = [units(parsed(one))[1] for one in (narrow, wide)]
    assert heights[0] < heights[1] * Fraction(13, 10)
    # The bars of the wide one are more than twice as long.
    bars = [
        max(float(one.get("width", 0)) for one in parsed(svg).iter(f"{SVG}rect") if one.get("rx"))
        for svg in (narrow, wide)
    ]
    assert bars[1] > 2 * bars[0]
    # Side by side if there is room, else below each other.
    assert units(parsed(drawing.svg(FIGURE, width="90mm")))[1] > 1.4 * float(
        units(parsed(drawing.svg(FIGURE, width="300mm")))[1]
    )


def test_letters_alone_make_the_picture_larger() -> None:
    plain, large = parsed(drawing.svg(FIGURE)), parsed(drawing.svg(FIGURE, font_size="22px"))
    assert units(plain) == units(large)
    assert pixels(large) == 2 * pixels(plain)


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        ({"width": "84"}, "a number with its unit, px, pt, mm, cm or in, such as 84mm"),
        ({"width": "wide"}, "such as 84mm"),
        ({"width": 84}, "such as 84mm"),
        ({"width": "-3cm"}, "such as 84mm"),
        ({"width": "1mm"}, "with letters of 11px at least 48mm"),
        ({"width": "50mm", "font_size": "24pt"}, "with letters of 24pt at least 139mm"),
        ({"width": "999999px"}, "at most 20000px"),
        ({"font_size": "1pt"}, "letters have a size from 4pt to 48pt"),
        ({"font_size": "large"}, "such as 8pt"),
    ],
)
def test_what_is_no_length_is_refused(given: dict[str, Any], rule: str) -> None:
    with pytest.raises(InvalidInput, match=rule):
        drawing.svg(FIGURE, **given)


def test_units_are_those_of_css() -> None:
    inch = paper("960px", "11px")
    for written in ("10in", "720pt", "254mm", "25.4cm"):
        assert paper(written, "11px").width == inch.width


# --- PDF and PNG --------------------------------------------------------------------------------

needs_printer = pytest.mark.skipif(
    shutil.which("rsvg-convert") is None and find_spec("cairosvg") is None,
    reason="neither rsvg-convert nor cairosvg is installed",
)


def png_size(data: bytes) -> tuple[int, int]:
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


@needs_printer
@pytest.mark.parametrize("only_library", [False, True])
def test_pdf_and_png_have_the_size_of_the_column(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, only_library: bool
) -> None:
    if only_library:
        try:
            import_module("cairosvg")
        except (ImportError, OSError) as missing:  # OSError: there is no Cairo
            pytest.skip(f"cairosvg: {missing}")
        monkeypatch.setattr(shutil, "which", lambda _: None)
    for ending in ("pdf", "png"):
        drawing.draw(FIGURE, tmp_path / f"x.{ending}", panel="gantt", width="3in", font_size="8pt")
    assert png_size((tmp_path / "x.png").read_bytes())[0] == pytest.approx(900, abs=1)
    pdf = (tmp_path / "x.pdf").read_bytes()
    assert pdf[:5] == b"%PDF-"
    found = re.search(rb"/MediaBox \[ ?0 0 ([\d.]+)", pdf)
    # Newer files pack the objects that say so.
    assert found is None or float(found[1]) == pytest.approx(216, abs=1)


@needs_printer
def test_large_pictures_have_fewer_dots() -> None:
    svg = drawing.svg(FIGURE, width="20000px", panel="why")
    assert max(png_size(printing.printed(svg, ".png"))) <= 16_001


@needs_printer
def test_print_is_light() -> None:
    """What is given to the printer has no rules for dark screens."""
    svg = drawing.svg(FIGURE)
    light = re.sub("<style>.*</style>", "", svg)
    assert "prefers-color-scheme" in svg
    assert printing.printed(svg, ".png") == printing.printed(light, ".png")


def test_without_a_printer_the_error_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.setattr(printing, "find_spec", lambda _: None)
    with pytest.raises(InvalidInput, match=r"pip install 'exactsched\[pictures\]'"):
        drawing.draw("no such certificate", tmp_path / "x.pdf")


def test_cairosvg_is_not_asked_for_letters_that_it_has_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.setattr(printing, "find_spec", lambda _: object())
    with pytest.raises(InvalidInput, match="no letters of this script: install rsvg-convert"):
        printing.printed("<svg><text>\u5317\u4eac</text></svg>", ".pdf")


def test_a_printer_that_fails_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: "/bin/false")
    with pytest.raises(InvalidInput, match="rsvg-convert failed"):
        printing.printed(drawing.svg(FIGURE), ".pdf")


def test_the_command_line_has_the_same_names(run: Run, tmp_path: Path) -> None:
    said = run(f"draw {FIGURE} -o {tmp_path}/x.svg --panel gantt --width 84mm --font-size 8pt")
    assert said.code == 0
    wanted = drawing.svg(FIGURE, panel="gantt", width="84mm", font_size="8pt")
    assert (tmp_path / "x.svg").read_text("utf-8") == wanted
    refused = run(f"draw {FIGURE} -o {tmp_path}/y.svg --panel none")
    assert refused.code == 2
    assert "the panels here are graph, gantt, trees, structures, steps, why" in refused.err


# --- dark screens -------------------------------------------------------------------------------

_RULE = re.compile(r'svg \[(fill|stroke)="(#[0-9a-f]{6})"\]\{\1:(#[0-9a-f]{6})\}')


def luminance(fill: str) -> float:
    def linear(channel: int) -> float:
        share = channel / 255
        return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(int(fill[k : k + 2], 16)) for k in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("path", KINDS, ids=lambda path: path.stem)
def test_pictures_are_dark_on_dark_screens_only(path: Path) -> None:
    svg = drawing.svg(path)
    [style] = re.findall("<style>(.*)</style>", svg)
    assert style.startswith("@media screen and (prefers-color-scheme:dark){")
    rules = {(name, light): dark for name, light, dark in _RULE.findall(style)}
    assert rules["fill", palette.PAPER] == palette.dark(palette.PAPER)
    # Every color of the document is one of the palette: it changes, or is meant to stay.
    stay = {palette.color(rank) for rank in range(palette.COLORS)}
    stay |= {palette.OTHER, palette.ink_on(palette.color(1)), palette.ink_on(palette.color(0))}
    used = {light for _, light in re.findall(r' (fill|stroke)="(#[0-9a-f]{6})"', svg)}
    assert used <= stay | {light for _, light in rules}


def test_letters_and_lines_can_be_read_on_both() -> None:
    for seen in (lambda fill: fill, palette.dark):
        ground = seen(palette.PAPER)
        assert contrast(seen(palette.INK), ground) > 10
        assert contrast(seen(palette.SOFT_INK), ground) > 4.5
        assert contrast(seen(palette.ALARM), ground) > 4.5
        for rank in range(palette.COLORS):
            assert contrast(seen(palette.color(rank)), ground) > 1.3, rank
        for fill in (
            *{one for _, one in palette.KNOWN},
            *(palette.color(rank) for rank in range(palette.COLORS)),
        ):
            assert contrast(seen(palette.ink_on(fill)), seen(fill)) > 2.4, fill
    dark = palette.dark(palette.PAPER)
    assert min(contrast(palette.dark(palette.color(k)), dark) for k in range(24)) > 2
    # 24 colors are 24 colors on both.
    assert len({palette.dark(palette.color(rank)) for rank in range(palette.COLORS)}) == 24


def test_pages_have_the_rules_once() -> None:
    page = drawing.html(FIGURE)
    assert page.count("<style>") == 1
    assert 'svg [fill="#ffffff"]{fill:#161b22}' in page


# --- large ones ---------------------------------------------------------------------------------


def test_long_tables_are_collapsed_to_their_first_rows() -> None:
    torus = torus_alltoall()
    page = drawing.html(torus)
    assert page.count("<details>") == 2
    assert "<summary>and 224 more</summary>" in page
    shown = words(drawing.svg(torus, panel="structures"))
    assert "and 216 more" in shown
    assert len(panel_names_of(torus)) == 6
    short = drawing.html(series_on("legrand-fig1", "Ps"))
    assert "<details>" not in short
    assert "more" not in " ".join(words(drawing.svg(FIGURE, panel="steps")))


def panel_names_of(certificate: Any) -> tuple[str, ...]:
    return panel_names(drawing._scene(certificate))


def test_more_trees_than_colors_are_summed_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """On 50 nodes: the eight heaviest trees have colors, the others share one and a sum."""
    platform = Platform(range(50), [(0, node, 1) for node in range(1, 50)])
    problem = Alltoall(platform, tuple((0, node) for node in range(1, 50)))  # type: ignore[arg-type]
    routes = [WeightedStructure(part, ((part, part),), Fraction(1, 49)) for part in range(49)]
    key = key_of(series_of(problem, routes))
    assert [entry.words for entry in key.entries][-1] == "and 41 more, in 24 colors that repeat"
    # By columns, which mix more trees.
    monkeypatch.setattr(arborescence_packing, "PATIENCE_IF_HARD", 100)
    solved = series_on("grid:12x12", ports="half-duplex")
    key = key_of(solved)
    many = len(key.flows) - palette.FEW_COLORS
    assert many > palette.COLORS
    assert len(key.entries) == palette.FEW_COLORS + 1
    assert key.flow_colors.count(palette.OTHER) == many
    assert key.entries[-1].words.startswith(f"and {many} more: ")
    assert len(drawing.svg(solved)) < 3_000_000


# --- letters ------------------------------------------------------------------------------------


def test_labels_keep_off_other_arcs() -> None:
    nodes = tuple(Node(name) for name in "abcd")
    places = Point(0, 0), Point(2, 2), Point(0, 2), Point(2, 0)
    strands = ((palette.color(0), Fraction(1)),)
    edges = Edge(0, 1, "77", strands=strands), Edge(2, 3, "88", strands=strands)
    root = parsed(graph_fragment(Graph(nodes, edges, places))[0].document("crossing"))
    # The arcs cross in the middle of both: no label stands there.
    middle = [float(one) / 2 for one in units(root)]
    for text in root.iter(f"{SVG}text"):
        if text.text in ("77", "88"):
            x, y = float(text.get("x", 0)), float(text.get("y", 0)) - 3.8
            assert abs(x - middle[0]) > 7 or abs(y - middle[1]) > 5


def test_names_of_any_script_have_room() -> None:
    assert text_width("\u5317\u4eac", 10) == 20
    assert text_width("\U0001f680", 10) == 13
    assert text_width("e\u0301", 10) == text_width("e", 10)
    family = "\U0001f469\u200d\U0001f4bb"
    assert printable(family) == family
    assert "'Noto Sans CJK SC'" in FONT
    assert "Emoji" not in FONT


def test_nodes_of_the_animation_have_their_names() -> None:
    run = CORPUS / "accepted/rounds/durations.json"
    page = drawing.html(run)
    [named] = re.findall('<g class="names">(.*?)</g>', page)
    assert re.findall(">([^<]+)</text>", named) == ["0", "1", "2"]
    assert "button{" in page
    assert "@media(max-width:40rem)" in page


# --- no pointer on paper, and names that are whole ---------------------------------------------


@pytest.mark.parametrize("name", ["dgx-a100:2", "torus:16x16", "fat-tree:4", "tiers-2003"])
def test_printed_files_speak_of_no_pointer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    written: list[str] = []
    monkeypatch.setattr(drawing, "write_picture", lambda _, svg: written.append(svg))
    monkeypatch.setattr(drawing, "able_to_write", lambda *_: None)
    for ending in ("svg", "pdf", "png"):
        drawing.draw(built_in(name), tmp_path / f"x.{ending}", width="84mm")
    screen, *printed = (" ".join(words(svg)) for svg in written)
    assert "pointer" in screen
    assert "unused" not in screen  # nothing is used on a platform alone
    assert not any("pointer" in one for one in printed)
    assert "for lack of room" in printed[0] or "Costs of arcs are from " in printed[0]


def test_names_are_whole_and_of_one_size() -> None:
    """Two nodes never read the same; a graph grows until its names have room."""
    platform = built_in("dgx-a100:2")
    wide = parsed(drawing.svg(platform, width="176mm", panel="graph"))
    texts = list(wide.iter(f"{SVG}text"))
    named = {text.text: text.get("font-size") for text in texts if text.get("text-anchor")}
    assert set(named) == {str(node) for node in platform.nodes}
    assert len(set(named.values())) == 1
    narrow = words(drawing.svg(platform, width="84mm", panel="graph"))
    assert not any("\u2026" in word for word in narrow)


# --- advice and curves --------------------------------------------------------------------------


def test_advice_and_curves_are_drawn_as_they_are() -> None:
    advice = advise(broadcast(Platform("abc", [("a", "b", 1), ("b", "c", 2)]), "a", ports="link"))
    drawn = words(str(drawing.draw(advice)))
    assert drawn[0] == "What to buy: Broadcast from a"
    alone = words(str(drawing.draw(advice, panel="bars", width="84mm")))
    assert "Throughput" not in alone
    assert "lost if it fails" in alone
    line = Platform("abc", [("a", "b", 1, 1), ("b", "c", 1, 1)])
    curve = ratio_curve(line, "a", [1, 10])
    assert "Makespan divided by its lower bound" in words(str(drawing.draw(curve)))
    assert "Makespan divided by its lower bound" not in words(
        str(drawing.draw(curve, panel="curve"))
    )
    for result in (advice, curve):
        with pytest.raises(InvalidInput, match="bars and curves are drawn as"):
            drawing.trace(result)


def test_what_cannot_be_drawn_says_what_to_type() -> None:
    graph = SimpleNamespace(nodes=[1], edges=[])
    with pytest.raises(InvalidInput, match=r"draw\(exactsched.from_networkx\(graph\)\)"):
        drawing.draw(graph)
    with pytest.raises(InvalidInput, match=r"draw\(solution\)"):
        drawing.draw(check(FIGURE))


def test_names_of_bars_are_broken_and_the_legend_is_of_what_is_seen() -> None:
    now, more = Fraction(65, 3), Fraction(326, 15)
    rows = [(f"all cables of bandwidth {width}", Fraction(0), more) for width in (25, 300)]
    drawn = words(drawing.advice_chart("x", now, rows, panel="bars", width="84mm"))
    assert {"all cables of", "bandwidth 25", "bandwidth 300", "+1/15"} <= set(drawn)
    assert not any("\u2026" in word for word in drawn)
    assert "lost if it fails" in drawn
    assert not {"left without it", "gained by one more"} & set(drawn)
    seen = words(drawing.advice_chart("x", now, [("a", now, 2 * now)]))
    assert "gained by one more" in seen
    assert "lost if it fails" not in seen


def test_the_command_line_draws_without_title(run: Run) -> None:
    asked = "ratio ring:4 --source 0 --sizes 1,10 --latency 1"
    assert run(f"{asked} -o r.svg --no-title").code == 0
    assert "Makespan divided by its lower bound" not in words(Path("r.svg").read_text("utf-8"))
    assert "goes with a picture" in run(f"{asked} --no-title").err


def test_panels_are_no_higher_than_a_page() -> None:
    """Of many rows of bars and of many trees the first are drawn, which a note says."""
    torus = torus_alltoall()
    gantt = drawing.svg(torus, panel="gantt", width="84mm", font_size="8pt")
    assert pixels(parsed(gantt), "height") < 1000  # 265 mm
    assert any("rows are left out: they do not fit" in one for one in words(gantt)), words(gantt)
    assert not any("do not fit" in one for one in words(drawing.svg(torus, panel="gantt")))
    routes = drawing.svg(torus, panel="trees", width="84mm", font_size="8pt")
    assert pixels(parsed(routes), "height") < 1000
    assert any("others do not fit on a page" in one for one in words(routes))


# Titles -------------------------------------------------------------------------------------------


def test_titles_name_the_platform_or_are_given(run: Run) -> None:
    solution = broadcast(built_in("ring:4"), 0)
    about = "4 nodes, 8 arcs, one-port"
    assert words(drawing.draw(solution))[0] == f"Broadcast from 0 on ring:4: {about}"
    assert words(drawing.draw(solution.certificate()))[0] == f"Broadcast from 0: {about}"
    assert words(drawing.draw(built_in("ring:4")))[0] == "Platform ring:4"
    assert words(drawing.draw(advise(solution)))[0] == "What to buy: Broadcast from 0 on ring:4"
    assert words(drawing.draw(solution, title="A ring"))[0] == "A ring"
    with pytest.raises(InvalidInput, match="a panel alone has no title"):
        drawing.draw(solution, panel="graph", title="A ring")
    assert run("draw ring:4 -o ring.svg --title Mine").code == 0
    assert words(Path("ring.svg").read_text())[0] == "Mine"
    refused = run("draw ring:4 -o ring.html --title Mine")
    assert (refused.code, "goes with pictures only" in refused.err) == (2, True)
