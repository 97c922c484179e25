"""Pictures say what the certificate says: exact bars, every port, every name, bounded size."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from exactsched import drawing
from exactsched.certificate import parse, read_certificate, to_document
from exactsched.certificate.collectives import CutBound, PeriodicSchedule, Run, Series
from exactsched.drawing import gantt, perfetto
from exactsched.drawing.canvas import color, px, tag
from exactsched.drawing.layout import node_positions
from exactsched.drawing.lettering import clipped, percent, printable, short, text_width
from exactsched.drawing.timeline import Bar, Row, arc_shares, bars, flows, rows, run_routes
from exactsched.drawing.wording import isolated
from exactsched.exact.errors import InvalidInput, Malformed
from exactsched.model.platform import Platform, both_ways
from exactsched.model.problem import Broadcast
from exactsched.model.resources import arc_resources
from exactsched.platforms.built_in import built_in
from exactsched.steady_state.broadcast import broadcast, solve_series
from exactsched.strategies import broadcasts
from tests.drawing.pictures import SVG, assert_page, assert_trace, parsed, words
from tests.steady_state.planned import planned_tree

ACCEPTED = sorted((Path(__file__).parents[1] / "corpus" / "accepted").glob("*.json"))
HOSTILE = [
    '<script>alert("x")</script>',
    "]]>&amp;&#0;'\"",
    "\u202eevil\u0000\ud800\ufffe\n",
    "\u05e9\u05dc\u05d5\u05dd",
    "long" * 5000,
    "",
    " ",
]


def series(name: str, source: int | str = 0, ports: str = "one-port") -> Series:
    solved = broadcast(built_in(name), source, ports=ports)  # type: ignore[arg-type]
    certificate = parse(solved.certificate())
    assert isinstance(certificate, Series)
    return certificate


def run(packets: int, hops: int = 3) -> Run:
    """Packets down a chain of unit costs, one after the other."""
    platform = Platform(range(hops + 1), [(node, node + 1, 1) for node in range(hops)])
    transfers = tuple(
        (arc, packet, arc + packet, arc + packet + 1)
        for packet in range(packets)
        for arc in range(hops)
    )
    one, makespan = Fraction(1), Fraction(packets + hops - 1)
    leaf = CutBound({"send:0": one}, tuple(range(1, hops + 1)), ((0, hops, one),))
    return Run(
        Broadcast(platform, 0),
        (one,) * packets,
        makespan,
        Fraction(packets),
        hops == 1,
        one,
        transfers,
        leaf,
    )


@st.composite
def solved(draw: st.DrawFn) -> Series:
    ports = draw(st.sampled_from(["one-port", "link", "half-duplex"]))
    problem = draw(broadcasts(ports=ports, max_nodes=6, bipartite=ports == "half-duplex"))
    certificate = parse(solve_series(problem).certificate())
    assert isinstance(certificate, Series)
    return certificate


# --- what is drawn ------------------------------------------------------------------------------


@given(solved())
@settings(max_examples=60)
def test_bars_of_a_tree_last_its_messages_times_the_cost(certificate):
    schedule = certificate.schedule
    lasted: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for bar in bars(certificate):
        assert 0 <= bar.start < bar.end <= schedule.period
        cost = certificate.problem.platform.arcs[bar.place].cost
        assert bar.sent * cost == lasted[bar.stream, bar.place]
        lasted[bar.stream, bar.place] += bar.length
    assert lasted == {
        (stream, arc): tree.messages * certificate.problem.platform.arcs[arc].cost
        for stream, tree in enumerate(schedule.trees)
        for arc in tree.arcs
    }


@given(solved())
@settings(max_examples=60)
def test_bars_cover_exactly_the_slots(certificate):
    schedule = certificate.schedule
    expected = defaultdict(set)
    for arc, start, end in schedule.slots:
        expected[arc] |= {start * schedule.tick, end * schedule.tick}
    drawn = defaultdict(list)
    for bar in bars(certificate):
        drawn[bar.place].append(bar)
    total = sum((end - start) * schedule.tick for _, start, end in schedule.slots)
    assert sum(bar.length for line in drawn.values() for bar in line) == total
    for arc, line in drawn.items():
        ends = {time for bar in line for time in (bar.start, bar.end)}
        assert expected[arc] <= ends


@given(solved())
@settings(max_examples=60)
def test_every_port_that_works_has_one_row_without_overlaps(certificate):
    found = bars(certificate)
    uses = arc_resources(certificate.problem)
    drawn = rows(certificate.problem, found)
    assert sorted(row.resource for row in drawn) == sorted(
        {name for bar in found for name in uses[bar.place]}
    )
    for row in drawn:
        side, _, which = row.resource.partition(":")
        assert row.side == side
        assert side == "link" or which == str(row.node)
        assert all(row.resource in uses[bar.place] for bar in row.bars)
        for bar, following in pairwise(row.bars):
            assert bar.end <= following.start
    assert sum(len(row.bars) for row in drawn) == sum(len(uses[bar.place]) for bar in found)
    assert drawn[0].node == certificate.problem.source


def test_a_slot_is_cut_between_trees_in_their_order():
    problem = Broadcast(Platform("ab", [("a", "b", "1/2")]), "a")
    trees = (planned_tree(1, (0,)), planned_tree(2, (0,)))
    slots = ((0, 4, 6), (0, 0, 1))  # not in order of time
    schedule = PeriodicSchedule(Fraction(3), Fraction(1, 2), trees, slots, True)
    certificate = Series(
        problem, Fraction(1), Fraction(1), True, schedule, CutBound({}, ("b",), ())
    )
    half = Fraction(1, 2)
    assert bars(certificate) == [
        Bar((0,), 0, Fraction(0), half, Fraction(0)),
        Bar((0,), 1, Fraction(2), Fraction(3), Fraction(0)),
    ]
    interrupted = PeriodicSchedule(
        Fraction(3), Fraction(1, 4), trees, ((0, 0, 3), (0, 4, 7)), False
    )
    certificate = Series(
        problem, Fraction(1), Fraction(1), True, interrupted, CutBound({}, ("b",), ())
    )
    assert [(bar.stream, bar.start * 4, bar.end * 4, bar.sent) for bar in bars(certificate)] == [
        (0, 0, 2, 0),
        (1, 2, 3, 0),
        (1, 4, 7, half),
    ]


def test_slots_beyond_the_work_of_an_arc_are_no_bars():
    problem = Broadcast(Platform("ab", [("a", "b", 1)]), "a")
    schedule = PeriodicSchedule(
        Fraction(9), Fraction(1), (planned_tree(1, (0,)),), ((0, 0, 3), (0, 4, 9)), True
    )
    one = Fraction(1)
    certificate = Series(problem, one, one, True, schedule, CutBound({}, ("b",), ()))
    assert bars(certificate) == [Bar((0,), 0, Fraction(0), one)]


def test_bars_of_a_run_are_its_transfers():
    certificate = run(4)
    assert {(bar.place, bar.stream, bar.start, bar.end) for bar in bars(certificate)} == set(
        certificate.transfers
    )
    assert run_routes(certificate) == [(packet, 0, ((0,), (1,), (2,))) for packet in range(4)]
    assert [flow.operations for flow in flows(certificate)] == [4]
    assert arc_shares(certificate.problem, flows(certificate)) == [{0: 1, 1: 1, 2: 1}]


# --- pictures -----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ACCEPTED, ids=lambda path: path.stem)
def test_everything_accepted_can_be_drawn(path):
    parsed(drawing.svg(path))
    assert_page(drawing.html(path))
    assert_trace(parse(read_certificate(path)))


@given(solved())
@settings(max_examples=25)
def test_everything_solved_can_be_drawn(certificate):
    parsed(drawing.svg(certificate))
    assert_page(drawing.html(certificate))
    assert_trace(certificate)


def test_document_noun_and_path_draw_the_same():
    path = ACCEPTED[0]
    document = read_certificate(path)
    assert drawing.svg(path) == drawing.svg(document) == drawing.svg(parse(document))
    assert drawing.html(str(path)) == drawing.html(document)
    assert drawing.trace(path) == drawing.trace(document)


def test_the_chart_has_a_strip_for_each_row_and_bars_in_proportion():
    certificate = series("legrand-fig1", "Ps")
    root = parsed(drawing.svg(certificate))
    rects = [r for r in root.iter(f"{SVG}rect") if r.get("height") == str(gantt._ROW)]
    strips = [r for r in rects if r.get("fill") == "#eef1f5"]
    assert len(strips) == len(rows(certificate.problem, bars(certificate))) == 7
    drawn = [r for r in rects if r.get("fill") in (color(0), color(1))]
    assert len(drawn) == sum(len(row.bars) for row in rows(certificate.problem, bars(certificate)))
    # A bar of length 1 in a period of 2 takes half of the width, less the gap.
    assert {r.get("width") for r in drawn} == {px(Fraction(380) - Fraction(4, 5)), "189.2"}
    shown = words(drawing.svg(certificate))
    for word in ["Ps", "P1", "P2", "P3", "P4", "send", "receive", "100%", "50%", "1/2", "3/2"]:
        assert word in shown


def test_claims_are_stated_as_they_are():
    optimal = " ".join(words(drawing.svg(series("legrand-fig1", "Ps"))))
    assert "Throughput 1 per time unit" in optimal
    assert "optimal" in optimal
    not_optimal = next(path for path in ACCEPTED if path.stem == "crossing-cuts")
    stated = " ".join(words(drawing.svg(not_optimal)))
    assert "Throughput 1/3" in stated
    assert "no schedule reaches more than 8/5" in stated
    assert "optimal" not in stated
    finite = " ".join(words(drawing.svg(run(20))))
    assert "20 packets in 22 time units" in finite
    assert "no schedule takes less than 20" in finite
    assert "lower bound 20" in finite


def test_nodes_that_nothing_enters_are_marked():
    platform = Platform("sabc", [("s", "a", 1), ("b", "c", 1), ("c", "a", 1)])
    certificate = parse(broadcast(platform, "s").certificate())
    assert isolated(certificate) == ["b", "c"]
    svg = drawing.svg(certificate)
    assert "Throughput 0: no arc enters {b, c}" in words(svg)
    dashed = [r for r in parsed(svg).iter(f"{SVG}rect") if r.get("stroke-dasharray")]
    assert len(dashed) == 2
    assert "No arc enters {b, c}" in drawing.html(certificate)
    assert isolated(series("ring:6")) == []


def test_restricted_bounds_are_explained():
    by_name = {path.stem: path for path in ACCEPTED}
    assert "one of 3 cases" in drawing.html(by_name["figure-1-tree"])
    assert "misses at least one arc of the cycle" in drawing.html(by_name["figure-1-dag"])
    page = drawing.html(by_name["figure-1-one-port"])
    assert "1 on send:Ps" in page
    assert "Y / W = 1" in page


@pytest.mark.parametrize("ports", ["one-port", "link", "half-duplex"])
def test_hostile_names_are_only_text(ports):
    platform = Platform(HOSTILE, both_ways((HOSTILE[0], name, 1) for name in HOSTILE[1:]))
    certificate = broadcast(platform, HOSTILE[0], ports=ports).certificate()
    for written in (drawing.svg(certificate), drawing.html(certificate)):
        assert "<script" not in written
        assert "\u202e" not in written
        assert len(written) < 200_000
        written.encode("utf-8")
    root = parsed(drawing.svg(certificate))
    assert not [element for element in root.iter() if "script" in element.tag]
    assert '<script>alert("x")</script>' in "".join(root.itertext())
    assert_page(drawing.html(certificate))
    json.dumps(drawing.trace(certificate), ensure_ascii=False).encode("utf-8")


def test_the_same_picture_every_time():
    program = (
        "import hashlib, json; from exactsched import drawing;"
        "from exactsched.steady_state.broadcast import broadcast;"
        "from exactsched.platforms.built_in import built_in;"
        "c = broadcast(built_in('hypercube:3'), 0).certificate();"
        "print([hashlib.sha256(text.encode()).hexdigest() for text in"
        " (drawing.svg(c), drawing.html(c), json.dumps(drawing.trace(c)))])"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1
    assert printed.pop().strip()


def test_drawing_loads_no_solver():
    program = (
        "import sys, exactsched.drawing;"
        "print([name for name in ('flint', 'pyscipopt', 'networkx',"
        " 'exactsched.linear_programs.master_program',"
        " 'exactsched.steady_state.broadcast') if name in sys.modules])"
    )
    run_alone = [sys.executable, "-c", program]
    done = subprocess.run(run_alone, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# --- large certificates -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def large() -> Series:
    return series("grid:12x12", ports="half-duplex")


def test_large_certificates_make_files_of_bounded_size(large):
    svg = drawing.svg(large)
    assert len(svg) < 3_000_000
    note = " ".join(words(svg))
    total = len(rows(large.problem, bars(large)))
    assert f"{total - gantt.MOST_ROWS} rows of {total} left out" in note
    assert "are drawn together with their neighbors" in note
    strips = [r for r in parsed(svg).iter(f"{SVG}rect") if r.get("fill") == "#eef1f5"]
    assert len(strips) == gantt.MOST_ROWS


def test_large_traces_have_bounded_size(large, monkeypatch):
    monkeypatch.setattr(perfetto, "MOST_TRANSFERS", 3000)
    trace = drawing.trace(large)
    slices = [event for event in trace["traceEvents"] if event["ph"] == "X"]
    assert 0 < len(slices) <= 6000
    assert "only the first 3000 transfers" in trace["otherData"]["left out"]


def test_graphs_beyond_the_limit_are_not_drawn():
    platform = Platform(range(1600), [(0, node, 1) for node in range(1, 1600)])
    svg = drawing.svg(broadcast(platform, 0).certificate())
    assert "is not drawn" in " ".join(words(svg))
    assert len(svg) < 1_000_000


def test_the_rows_of_the_source_and_of_the_busiest_nodes_are_kept():
    certificate = series("star:100")
    every = rows(certificate.problem, bars(certificate))
    chosen = gantt.busiest(every, (0,))
    assert len(chosen) == gantt.MOST_ROWS < len(every)
    assert chosen[0].resource == "send:0"
    assert chosen == [row for row in every if row in chosen]
    # Under the link model all rows belong to the source: the busiest of them are taken.
    costs = Platform(range(100), [(0, node, node) for node in range(1, 100)])
    certificate = parse(broadcast(costs, 0, ports="link").certificate())
    every = rows(certificate.problem, bars(certificate))
    least = min(row.busy for row in gantt.busiest(every, (0,)))
    assert sorted((row.busy for row in every), reverse=True)[gantt.MOST_ROWS - 1] == least


def test_busy_nodes_come_with_all_their_rows_and_a_lazy_source_stays():
    def row(node: int, side: str, busy: int) -> Row:
        return Row(f"{side}:{node}", node, side, [Bar((0,), 0, Fraction(0), Fraction(busy))])

    # Node k sends for k and receives for 1 time unit; the source, last in this order, for 1.
    every = [
        row(node, side, busy)
        for node in range(50)
        for side, busy in (("send", node + 1), ("recv", 1))
    ] + [row(99, "send", 1)]
    chosen = gantt.busiest(every, (99,))
    assert [r.node for r in chosen if r.side == "send"] == [*range(18, 50), 99]
    # The last place is left for one row of node 18, its busier one.
    assert len(chosen) == gantt.MOST_ROWS
    assert {r.resource for r in chosen} == {"send:99", "send:18"} | {
        f"{side}:{node}" for node in range(19, 50) for side in ("send", "recv")
    }


@given(
    st.lists(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), max_size=60), max_size=8),
    st.integers(1, 200),
)
def test_bars_are_merged_only_if_short_and_pieces_cover_them(lines, most):
    line_of_bars = []
    span = 1
    for pairs in lines:
        now, line = 0, []
        for gap, length in pairs:
            line.append(Bar((0,), 0, Fraction(now + gap), Fraction(now + gap + length)))
            now += gap + length
        span = max(span, now)
        line_of_bars.append(line)
    assume(most >= 4 * len(lines))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gantt, "MOST_BARS", most)
        pieces, least = gantt.drawable(line_of_bars, Fraction(span))
    assert sum(map(len, pieces)) <= most
    for line, drawn in zip(line_of_bars, pieces, strict=True):
        remaining = list(line)
        for piece in drawn:
            within = [bar for bar in remaining if bar.end <= piece.end]
            assert within
            assert (piece.start, piece.end) == (within[0].start, within[-1].end)
            assert piece.several == (len(within) > 1)
            assert piece.bar in within
            assert len(within) == 1 or piece.end - piece.start <= least
            remaining = remaining[len(within) :]
        assert not remaining
    if least == 0:
        assert all(not piece.several for drawn in pieces for piece in drawn)


def test_long_numbers_are_approximated_with_a_tilde():
    path = next(path for path in ACCEPTED if path.stem == "long-numbers")
    svg = drawing.svg(path)
    assert len(svg) < 20_000
    assert any(word.startswith("One period: ~3.33e") for word in words(svg))


# --- the trace ----------------------------------------------------------------------------------


@given(solved())
@settings(max_examples=25)
def test_the_trace_starts_cold_and_sends_nothing_before_it_arrived(certificate):
    platform, source = certificate.problem.platform, certificate.problem.source
    _, transfers = perfetto._unrolled(certificate)
    assume(len(transfers) < perfetto.MOST_TRANSFERS)
    arrived: dict[tuple[int, int, object], Fraction] = {}
    sent = defaultdict(Fraction)
    for transfer in transfers:
        batch = transfer.bar.stream, transfer.batch
        head = platform.arcs[transfer.bar.place].head
        arrived[(*batch, head)] = max(transfer.end, arrived.get((*batch, head), transfer.end))
        sent[(*batch, transfer.bar.place)] += transfer.end - transfer.start
    for transfer in transfers:
        tail = platform.arcs[transfer.bar.place].tail
        if tail != source:
            assert arrived[transfer.bar.stream, transfer.batch, tail] <= transfer.start
    # Every tree completes at least three batches at its deepest arcs, each of them whole.
    for stream, tree in enumerate(certificate.schedule.trees):
        for arc in tree.arcs:
            whole = tree.messages * platform.arcs[arc].cost
            batches = [key for key in sent if key[0] == stream and key[2] == arc]
            assert len(batches) >= 4
            assert all(sent[key] == whole for key in batches)


def test_trace_of_the_paper_example():
    trace = drawing.trace(series("legrand-fig1", "Ps"))
    events = trace["traceEvents"]
    names = [e["args"]["name"] for e in events if e["name"] == "process_name"]
    assert names == ["Ps (source)", "P1", "P2", "P3", "P4"]
    assert trace["otherData"]["left out"] == "nothing"
    assert trace["otherData"]["microseconds per time unit"] == "1000000"
    first = next(event for event in events if event["ph"] == "X")
    assert (first["ts"], first["dur"]) == (0, 1_000_000)
    assert first["args"] == {
        "arc": "Ps \u2192 P1",
        "start": "0",
        "end": "1",
        "tree": 1,
        "batch": 0,
        "messages": "1",
    }


def test_trace_of_a_run_names_packets():
    events = drawing.trace(run(3))["traceEvents"]
    slices = [event for event in events if event["ph"] == "X"]
    assert len(slices) == 2 * 3 * 3
    assert {event["args"]["packet"] for event in slices} == {0, 1, 2}
    assert_trace(run(3))


def test_slices_of_no_length_are_left_out_and_counted():
    tiny = Fraction(1, 10**9)
    problem = Broadcast(Platform("ab", [("a", "b", 1)]), "a")
    transfers = ((0, 0, 0, 10**9), (0, 1, 10**9, 10**9 + 1))
    leaf = CutBound({"send:a": Fraction(1)}, ("b",), ((0, 1, Fraction(1)),))
    packets, end = (Fraction(1), tiny), 1 + tiny
    certificate = Run(problem, packets, end, end, True, tiny, transfers, leaf)
    trace = drawing.trace(certificate)
    assert [e["dur"] for e in trace["traceEvents"] if e["ph"] == "X"] == [1_000_000] * 2
    assert trace["otherData"]["left out"].startswith("1 transfer is shorter than a microsecond")
    assert_trace(certificate)


# --- the page -----------------------------------------------------------------------------------


def test_the_page_has_tables_of_trees_and_steps():
    page = drawing.html(series("legrand-fig1", "Ps"))
    for heading in ("Trees", "Steps of one period", "Why nothing is better", "How to check it"):
        assert f"<h2>{heading}</h2>" in page
    assert "Ps \u2192 P1, P1 \u2192 P2, P1 \u2192 P3, P2 \u2192 P4" in page
    assert page.count("<svg") == 2
    assert "<h2>Transfers</h2>" in drawing.html(run(3))


def test_long_tables_are_cut_with_a_note(large):
    page = drawing.html(large)
    assert len(page) < 3_000_000
    trees = len(large.schedule.trees)
    assert f"The first 60 of {trees} trees." in page
    moments = {time for _, start, end in large.schedule.slots for time in (start, end)}
    assert f"The first 60 of {len(moments) - 1:,} steps." in page
    assert "The first 200 of 300 transfers." in drawing.html(run(100))


# --- files --------------------------------------------------------------------------------------


@pytest.mark.parametrize("extension", [".svg", ".html", ".json", ".SVG"])
def test_draw_writes_one_file_by_extension(tmp_path, extension):
    target = tmp_path / f"picture{extension}"
    target.write_text("old")
    drawing.draw(ACCEPTED[0], target)
    assert os.listdir(tmp_path) == [target.name]
    written = target.read_text("utf-8")
    if extension == ".json":
        assert json.loads(written) == drawing.trace(ACCEPTED[0])
    else:
        form = drawing.html if extension == ".html" else drawing.svg
        assert written == form(ACCEPTED[0])


@pytest.mark.parametrize("name", ["picture.png", "picture", "picture.svg.gz", ".svg"])
def test_other_extensions_are_refused_before_anything_is_read(tmp_path, name):
    with pytest.raises(InvalidInput, match=r"\.svg, \.html or \.json"):
        drawing.draw("no such certificate", tmp_path / name)
    assert os.listdir(tmp_path) == []


def test_nothing_is_left_behind_when_writing_fails(tmp_path, monkeypatch):
    target = tmp_path / "picture.svg"
    target.write_text("old")

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        drawing.draw(ACCEPTED[0], target)
    assert os.listdir(tmp_path) == ["picture.svg"]
    assert target.read_text() == "old"


def test_what_is_not_a_certificate_is_malformed(tmp_path):
    for form in (drawing.svg, drawing.html, drawing.trace):
        with pytest.raises(Malformed):
            form({"format": "exactsched"})
    with pytest.raises(Malformed):
        drawing.draw({}, tmp_path / "picture.svg")
    assert os.listdir(tmp_path) == []


# --- layout, axis, text -------------------------------------------------------------------------


@given(st.data(), st.integers(1, 12))
def test_nodes_keep_apart(data, size):
    node = st.integers(0, size - 1)
    links = data.draw(st.lists(st.tuples(node, node).filter(lambda pair: pair[0] != pair[1])))
    points = node_positions(size, links, data.draw(node))
    assert min(point.real for point in points) == min(point.imag for point in points) == 0
    for index, one in enumerate(points):
        for other in points[:index]:
            assert abs(one - other) > 0.25


@pytest.mark.parametrize(("width", "height"), [(4, 4), (3, 6), (10, 10)])
def test_a_grid_is_drawn_as_a_grid(width, height):
    links = [(a * height + b, a * height + b + 1) for a in range(width) for b in range(height - 1)]
    links += [
        (a * height + b, (a + 1) * height + b) for a in range(width - 1) for b in range(height)
    ]
    points = node_positions(width * height, links, 0)
    assert points[0] == 0
    columns, lines = ({round(p.real, 6) for p in points}, {round(p.imag, 6) for p in points})
    assert {len(columns), len(lines)} == {width, height}


def test_a_path_is_straight_from_the_root_on():
    points = node_positions(6, [(node, node + 1) for node in range(5)], 0)
    assert [round(point.real) for point in points] == [0, 1, 2, 3, 4, 5]
    assert max(abs(point.imag) for point in points) < 0.01


@given(st.fractions(min_value=Fraction(1, 10**9), max_value=10**9).filter(bool))
def test_axis_runs_from_zero_to_the_span(span):
    times = gantt.ticks(span)
    assert times[0] == 0
    assert times[-1] == span
    assert times == sorted(set(times))
    assert 4 <= len(times) <= 13


def test_axis_of_enormous_spans():
    for span in (Fraction(7 * 10**400 + 1, 3), Fraction(3, 10**500 + 1)):
        times = gantt.ticks(span)
        assert times[-1] == span
        assert 4 <= len(times) <= 13


@given(st.fractions(), st.integers(3, 30))
def test_short_numbers_are_exact_or_marked(value, limit):
    shown = short(value, limit)
    if shown[0] == "~":
        assert abs(Fraction(shown[1:]) - value) <= abs(value) / 100
    else:
        assert Fraction(shown) == value


@given(st.integers(-400, 400), st.integers(1, 10**12))
def test_short_numbers_of_any_size(exponent, factor):
    value = Fraction(10) ** exponent * factor
    shown = short(value)
    assert len(shown) <= 12
    assert abs(Fraction(shown.removeprefix("~")) - value) <= value / 100
    assert shown[0] == "~" or Fraction(shown) == value


def test_attributes_are_escaped():
    assert ElementTree.fromstring(tag("g", stroke_width='<&">')).get("stroke-width") == '<&">'


@given(st.fractions(0, 1) | st.integers(2, 10**9).map(lambda n: Fraction(n - 1, n)))
@example(Fraction(9999, 10000))
def test_only_exact_percentages_come_without_a_tilde(share):
    shown = percent(share)
    if shown[0] not in "~<":
        assert Fraction(shown[:-1]) == share * 100
    if share < 1:
        assert shown not in ("100%", "~100%", "~100.0%")


@given(st.text(max_size=80), st.floats(0, 200))
def test_clipped_text_is_printable_and_fits(name, width):
    shown = printable(name, 40)
    assert shown
    assert all(letter.isprintable() or letter in "\u2068\u2069" for letter in shown)
    cut = clipped(shown, width, 11)
    assert cut == "" or text_width(cut, 11) <= width
    assert clipped(shown, 10_000, 11) == shown


# --- the plot of ratios -------------------------------------------------------------------------


def test_ratio_plot_has_a_point_for_each_row_and_falls_to_the_axis():
    rows_given = [(10**k, 1 + Fraction(3, 10**k)) for k in range(5)]
    root = parsed(drawing.ratio_plot(rows_given))
    points = [
        (float(circle.get("cx")), float(circle.get("cy"))) for circle in root.iter(f"{SVG}circle")
    ]
    assert len(points) == 5
    assert points == sorted(points)
    assert [y for _, y in points] == sorted(y for _, y in points)
    steps = {round(b[0] - a[0], 1) for a, b in pairwise(points)}
    assert len(steps) == 1
    assert drawing.ratio_plot(rows_given[::-1]) == drawing.ratio_plot(rows_given)


@given(
    st.lists(
        st.tuples(st.integers(1, 10**30), st.fractions(1, 10**6)),
        min_size=1,
        max_size=20,
    )
)
def test_any_ratios_can_be_plotted(rows_given):
    root = parsed(drawing.ratio_plot(rows_given))
    width = float(root.get("width"))
    height = float(root.get("height"))
    for circle in root.iter(f"{SVG}circle"):
        assert 0 < float(circle.get("cx")) < width
        assert 0 < float(circle.get("cy")) < height
    assert len(list(root.iter(f"{SVG}line"))) < 40


def value_told(label):
    """The number that a label writes, exact or with a tilde."""
    return sum(Fraction(part.lstrip("~")) for part in label.split(" + "))


@pytest.mark.parametrize(
    "top",
    [1 + Fraction(7, 5 * 10**k) for k in (1, 2, 4, 6, 9, 15, 40, 300, 5000)]
    + [Fraction(1), Fraction(5, 2), Fraction(301), Fraction(10**9)],
    ids=lambda top: f"{len(str(top.numerator.bit_length()))}-{top < 2}",
)
def test_grid_lines_of_a_ratio_plot_are_labeled_apart(top):
    root = parsed(drawing.ratio_plot([(1, top), (1000, 1 + (top - 1) / 3)]))
    axis = [
        (float(label.get("y")), label.text)
        for label in root.iter(f"{SVG}text")
        if float(label.get("x")) < 88 and label.get("text-anchor") == "end"
    ]
    told = [value_told(label) for _, label in sorted(axis, reverse=True)]
    assert len(told) >= 4
    assert told[0] == 1
    assert told == sorted(set(told))
    steps = {after - before for before, after in pairwise(told)}
    assert len(steps) == 1 or top > 10**6  # there the labels are rounded
    assert told[-2] < top <= told[-1] or top == 1 or top > 10**6
    for _, label in axis:
        assert text_width(label, 11) < 78
    [first, second] = [circle.find(f"{SVG}title").text for circle in root.iter(f"{SVG}circle")]
    assert (first.split("ratio ")[1] == second.split("ratio ")[1]) == (top == 1)


@pytest.mark.parametrize("row", [(1, Fraction(1, 10**5000)), (Fraction(-(10**5000)), 1)])
def test_refused_rows_are_told_whatever_their_length(row):
    with pytest.raises(InvalidInput, match="rows, ") as refusal:
        drawing.ratio_plot([row])
    assert len(str(refusal.value)) < 300


@pytest.mark.parametrize("bad", [[], [(0, Fraction(1))], [(1, Fraction(1, 2))]])
def test_ratio_plot_refuses_what_it_cannot_draw(bad):
    with pytest.raises(InvalidInput):
        drawing.ratio_plot(bad)


def test_the_corpus_is_there():
    assert len(ACCEPTED) > 10
    assert to_document(parse(read_certificate(ACCEPTED[0])))["format"] == "exactsched"
