"""Pictures of LogP schedules and role cycles say what the certificates say, at the right places."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched import drawing
from exactsched.certificate import parse, read_certificate
from exactsched.certificate.logp import LogPCycles, LogPSchedule
from exactsched.certificate.logp_messages import listed
from exactsched.check import check
from exactsched.drawing.logp import receptions as receptions_module
from exactsched.drawing.logp import scenes, trees
from exactsched.drawing.logp.activity import additions, end_of, flight, has_lanes
from exactsched.drawing.logp.automaton import automaton_scene
from exactsched.drawing.logp.scenes import logp_scene, logp_trace
from exactsched.drawing.palette import PAPER
from exactsched.drawing.renderers.svg import scene_svg
from exactsched.drawing.scene import Cells, Graph, Scene, Timeline, Tree
from exactsched.exact.errors import InvalidInput
from exactsched.logp.allgather_and_alltoall import allgather, alltoall
from exactsched.logp.allreduce import allreduce
from exactsched.logp.broadcast import broadcast
from exactsched.logp.summation import summation_within
from exactsched.logp.word_automaton import WordAutomaton, juggling_automaton, word_automaton
from exactsched.model.machine import LogP
from tests.cli.command_line import Run, files, refused
from tests.drawing.pictures import (
    SVG,
    assert_page,
    assert_trace,
    figures_of,
    of_kind,
    parsed,
    words,
)

CORPUS = Path(__file__).parents[1] / "corpus"
ACCEPTED = sorted((CORPUS / "accepted" / "logp").glob("*.json"))
CYCLES = [path for path in ACCEPTED if "logp-cycles" in path.read_text()]
SCHEDULES = [path for path in ACCEPTED if "logp-schedule" in path.read_text()]
REJECTED = sorted((CORPUS / "rejected" / "logp").glob("*.json"))

parameters = st.builds(Fraction, st.integers(1, 12), st.integers(1, 4))


@st.composite
def machines(draw: st.DrawFn) -> LogP:
    overhead = draw(st.one_of(st.just(Fraction(0)), parameters))
    return LogP(draw(parameters), overhead, draw(parameters), draw(st.integers(1, 9)))


@st.composite
def schedules(draw: st.DrawFn) -> LogPSchedule:
    machine = draw(machines())
    match draw(st.sampled_from(["broadcast", "allgather", "alltoall", "postal"])):
        case "broadcast":
            return broadcast(machine)
        case "allgather":
            return listed(allgather(machine, draw(st.integers(1, 2))))
        case "alltoall":
            return listed(alltoall(machine, draw(st.integers(1, 2))))
        case _:
            latency = draw(st.integers(1, 4))
            if draw(st.booleans()):
                return listed(allreduce(LogP(latency, 0, 1, machine.P)))
            overhead = draw(st.integers(0, 2))
            gap = draw(st.integers(1, 4))
            postal = LogP(latency, overhead, gap, machine.P)
            return summation_within(postal, draw(st.integers(1, 20)))


def noun(name: str) -> LogPSchedule | LogPCycles:
    stated = parse(read_certificate(CORPUS / "accepted" / "logp" / f"{name}.json"))
    assert isinstance(stated, (LogPSchedule, LogPCycles))
    return stated


def works(schedule: LogPSchedule) -> list[tuple[Fraction, Fraction]]:
    """When processors are busy, by the definition of the machine."""
    machine, tick = schedule.machine, Fraction(schedule.tick)
    length = machine.o or min(machine.g, machine.L)
    found = []
    for _, _, _, ticks in schedule.messages:
        start = tick * ticks
        end = start + machine.L + 2 * machine.o
        found += [(start, start + length), (end - length, end)]
        if schedule.collective == "summation":
            found.append((end, end + 1))
    return found + [(tick * t, tick * t + number) for _, t, number in schedule.additions]


@settings(max_examples=20)
@given(schedules())
def test_bars_stand_where_the_machine_is_busy(schedule: LogPSchedule) -> None:
    scene = logp_scene(schedule)
    timeline = of_kind(scene, Timeline)
    bars = [bar for row in timeline.rows for lane in row.lanes for bar in lane]
    early = sorted((start, end) for start, end in works(schedule) if start < timeline.span)
    assert sorted((bar.start, bar.end) for bar in bars) == early
    assert timeline.span >= min(end_of(schedule), 2 * schedule.machine.delay)
    left_out = len(early) < len(works(schedule))
    assert any("The beginning, up to" in word for word in words(scene_svg(scene))) >= left_out
    assert 760 <= timeline.width <= 1500
    for row in timeline.rows:
        for lane in row.lanes:
            ordered = sorted((bar.start, bar.end) for bar in lane)
            assert all(end <= start for (_, end), (start, _) in pairwise(ordered))
    assert all(link.end - link.start == schedule.machine.L for link in timeline.links)


@pytest.mark.parametrize("path", SCHEDULES, ids=lambda path: path.stem)
def test_bars_of_a_lane_do_not_overlap(path: Path) -> None:
    schedule = noun(path.stem)
    assert isinstance(schedule, LogPSchedule)
    lanes: defaultdict[tuple[int, bool], list[tuple[Fraction, Fraction]]] = defaultdict(list)
    flights = [flight(schedule, message) for message in schedule.messages]
    ends = [work for one in flights for work in (one.send, one.receive)]
    for work in [*ends, *additions(schedule)]:
        below = has_lanes(schedule) and work.kind == "receive"
        lanes[work.processor, below].append((work.start, work.end))
    for lane in lanes.values():
        for (_, end), (start, _) in pairwise(sorted(lane)):
            assert end <= start
    for one in flights:
        assert one.arrival - one.departure == schedule.machine.L


def times(scene: Scene) -> list[int]:
    """The times of the nodes of the tree."""
    return sorted(int(box.lines[0]) for box in of_kind(scene, Tree).boxes)


def children(scene: Scene) -> dict[str, list[str]]:
    """The times below each time in a tree."""
    boxes = of_kind(scene, Tree).boxes
    below = {box.lines[0]: sorted(boxes[one].lines[0] for one in box.inputs) for box in boxes}
    return {time: some for time, some in below.items() if some}


def test_figure_1() -> None:
    scene = logp_scene(broadcast(LogP(6, 2, 4, 8)))
    assert times(scene) == [0, 10, 14, 18, 20, 22, 24, 24]
    tree = {"0": ["10", "14", "18", "22"], "10": ["20", "24"], "14": ["24"]}
    assert children(scene) == tree
    assert scene.title == "Broadcast to 8 processors: L = 6, o = 2, g = 4"
    assert scene.result == "Time 24 \u2014 optimal: no schedule takes less"
    # A line for each message.
    links = of_kind(scene, Timeline).links
    assert [link.end - link.start for link in links] == [6] * 7
    assert sorted(link.start for link in links) == [2, 6, 10, 12, 14, 16, 16]
    assert "sends to (overhead 2)" in words(scene_svg(scene))


def test_figure_6() -> None:
    scene = logp_scene(noun("figure-6"))
    assert times(scene) == [4, 4, 6, 8, 10, 14, 18, 28]
    assert children(scene) == {"28": ["10", "14", "18", "6"], "18": ["4", "8"], "14": ["4"]}
    shown = words(scene_svg(scene))
    own = [int(word[1:]) for word in shown if re.fullmatch(r"\+\d+", word)]
    # Each bar adds; a processor needs one operand to begin with.
    assert shown.count("+") == 7
    assert sum(own) + 8 == 79
    assert scene.result == "79 operands in time 28 \u2014 optimal: less time is not enough"


def cells(scene: Scene) -> list[dict[int, tuple[str, str]]]:
    """Row by row: step -> (item, fill) of the table of receptions."""
    drawn = [figure.drawing for part in scene.parts[:-3] for figure in part.figures]  # type: ignore[union-attr]
    [table] = [one for one in drawn if isinstance(one, Cells) and one.header]
    steps = list(map(int, table.header[1:]))
    return [
        {
            step: (cell.text, cell.fill)
            for step, cell in zip(steps, row.cells, strict=True)
            if cell.text
        }
        for row in table.rows
    ]


def receptions(cycles: LogPCycles, until: int) -> list[dict[int, tuple[int, int]]]:
    """By the definition: processor by processor, step -> (item, children) of its role."""
    copies: Sequence[int] = range(until + 1)
    if cycles.items and not cycles.endgame:
        copies = range(cycles.items)
    elif cycles.items:
        once = cycles.items - len(set(cycles.endgame))
        copies = [*range(once), *cycles.endgame]
    found = []
    for shift, roles in cycles.cycles:
        for j in range(len(roles) // shift):
            row = {}
            for tau in range(until + 1):
                delay, children = roles[(tau - j * shift) % len(roles)]
                copy = tau - int(cycles.machine.L) - delay
                if 0 <= copy < len(copies):
                    row[tau] = (copies[copy], children)
            found.append(row)
    return found


@pytest.mark.parametrize("path", CYCLES, ids=lambda path: path.stem)
def test_the_table_shows_what_the_roles_say(path: Path) -> None:
    cycles = noun(path.stem)
    assert isinstance(cycles, LogPCycles)
    sources, *rows = cells(logp_scene(cycles))
    last = max(step for row in (sources, *rows) for step in row)
    assert all(not cycles.items or step <= cycles.time for row in rows for step in row)
    whole = cycles.items > 0 and cycles.time < receptions_module.MOST_STEPS
    expected = receptions(cycles, cycles.time if whole else last)
    assert whole or last > cycles.time or last + 1 == receptions_module.MOST_STEPS
    assert len(rows) == len(expected) == cycles.machine.P - 1
    for row, wanted in zip(rows, expected, strict=True):
        assert {step: int(item) for step, (item, _) in row.items()} == {
            step: item for step, (item, _) in wanted.items()
        }
        for step, (_, children) in wanted.items():
            assert (row[step][1] != PAPER) == (children > 0)
    # What the picture is for: everybody has everything in time.
    for row in rows:
        first: dict[int, int] = {}
        for step, (item, _) in sorted(row.items()):
            assert cycles.endgame or int(item) not in first
            first.setdefault(int(item), step)
        if whole:
            assert set(first) == set(range(cycles.items))
        else:
            delay = cycles.time if not cycles.items else cycles.time - cycles.items + 1
            assert all(first[item] <= item + delay for item in range(last - delay))


def test_words_of_figure_2() -> None:
    svg = drawing.svg(noun("figure-2"))
    shown = " ".join(words(svg))
    for written in (
        "H\u2085 a c a b 5 processors",
        "E\u2082 a 2 processors",
        "D\u2081 1 processor",
    ):
        assert written in shown
    # The tree of the nine processors: delays of its nodes.
    assert times(logp_scene(noun("figure-2"))) == [0, 3, 4, 5, 6, 6, 7, 7, 7]
    assert "Everybody has an item 10 steps after it was sent" in shown


def test_a_further_copy_of_an_item_is_pale() -> None:
    cycles = LogPCycles(LogP(2, 0, 1, 2), ((1, ((0, 0),)),), 2, (1, 1), 4, 3, False)
    note = "Pale: a further copy of an item that the processor has received before."
    for drawn, copies in ((cycles, 1), (noun("nine-cycle"), 0), (noun("figure-2"), 0)):
        svg = drawing.svg(drawn)
        boxes = parsed(svg).iter(f"{SVG}rect")
        assert sum(box.get("fill-opacity") is not None for box in boxes) == copies
        assert (note in " ".join(words(svg))) == bool(copies)


def test_large_machines_are_drawn_in_part() -> None:
    svg = drawing.svg(broadcast(LogP(6, 2, 4, 1000)))
    assert len(svg) < 200_000
    hidden = 1000 - scenes.MOST_ROWS
    assert f"The first {scenes.MOST_ROWS} processors; {hidden} processors and the flights to" in (
        " ".join(words(svg))
    )
    assert f"The first {trees.MOST_NODES} of 1,000 processors." in words(svg)
    scene = logp_scene(broadcast(LogP(6, 2, 4, 1000)))
    assert len(of_kind(scene, Tree).boxes) == trees.MOST_NODES
    long = drawing.svg(broadcast(LogP(3, "1/1000", "1/1000", 5000)))
    assert any("The beginning, up to" in word for word in words(long))
    crowd = drawing.svg(allgather(LogP(3, 0, 1, 70)))
    assert any(f"the first {scenes.MOST_MESSAGES} activities" in word for word in words(crowd))
    assert len(crowd) < 1_500_000


def test_rounds_are_drawn_message_by_message() -> None:
    rounds = allreduce(LogP(1, 0, 1, 6))
    assert drawing.svg(rounds) == drawing.svg(listed(rounds))
    assert drawing.html(rounds) == drawing.html(listed(rounds))
    assert drawing.trace(rounds) == drawing.trace(listed(rounds))
    with pytest.raises(InvalidInput, match="the messages of at most"):
        drawing.svg(allreduce(LogP(1, 0, 1, 10**18)))


def test_long_cycles_are_drawn_in_part() -> None:
    size = 400
    roles = tuple((0, 0) for _ in range(size))
    cycles = LogPCycles(LogP(2, 0, 1, size + 1), ((1, roles),), 0, (), 2, 2, True)
    svg = drawing.svg(cycles)
    _, *rows = cells(logp_scene(cycles))
    assert len(rows) == receptions_module.MOST_ROWS
    assert f"The first {receptions_module.MOST_ROWS} of 400 processors beside the source." in words(
        svg
    )
    assert {len(row) for row in rows} == {receptions_module.MOST_STEPS}
    assert "\u2026 400 letters; 400 processors, each 1 step after the one before" in words(svg)
    # Many roles of delay 0 are no tree: there is no picture of it.
    assert not any(isinstance(figure.drawing, Tree) for figure in figures_of(logp_scene(cycles)))


@pytest.mark.parametrize("path", [*ACCEPTED, *REJECTED], ids=lambda path: path.stem)
def test_whatever_is_well_formed_can_be_drawn(path: Path) -> None:
    if "10-to-the-18" in path.stem:
        with pytest.raises(InvalidInput, match="the messages of at most"):
            drawing.svg(path)
        return
    svg = drawing.svg(path)
    parsed(svg)
    assert_page(drawing.html(path))


def test_numbers_of_any_size_can_be_drawn() -> None:
    huge = 10**5000
    schedule = LogPSchedule(
        LogP(huge, 1, Fraction(1, huge), 3),
        "broadcast",
        huge,
        Fraction(1, 3),
        ((0, 1, huge - 1, huge), (2, 0, 5, 0)),
        (),
        -huge,
        huge,
        False,
    )
    for one in (schedule, replace(schedule, collective="allgather")):
        parsed(drawing.svg(one))
        drawing.trace(one)
    adding = replace(schedule, collective="summation", additions=((1, huge, huge),))
    parsed(drawing.svg(adding))
    cycles = LogPCycles(
        LogP(3, 0, 1, 3), ((1, ((huge, huge), (0, 1))),), huge, (), -huge, huge, False
    )
    for cycle in (cycles, replace(cycles, items=0), replace(cycles, items=2, endgame=(1, 1))):
        parsed(drawing.svg(cycle))


@settings(max_examples=15)
@given(schedules())
def test_traces(schedule: LogPSchedule) -> None:
    if schedule.messages or schedule.additions:
        assert_trace(schedule)  # type: ignore[arg-type]
    works_of_trace = list(logp_trace(schedule).works)
    slices = [one for work in works_of_trace for one in work.slices]
    assert sorted((one.start, one.end) for one in slices) == sorted(works(schedule))
    assert sum(len(work.slices) == 2 for work in works_of_trace) == len(schedule.messages)


def test_cycles_have_no_trace(run: Run) -> None:
    with pytest.raises(InvalidInput, match="role cycles are drawn as"):
        drawing.trace(noun("figure-2"))
    path = CORPUS / "accepted" / "logp" / "figure-2.json"
    before = files()
    assert "role cycles" in refused(run("draw", str(path), "-o", "x.json"))
    assert files() == before


def test_the_command_prints_what_is_proved(run: Run) -> None:
    run("logp broadcast --L 6 --o 2 --g 4 --P 8 -o found.json")
    for suffix in (".svg", ".html", ".json"):
        said = run("draw", "found.json", "-o", f"drawn{suffix}")
        assert said == (0, f"drawn{suffix}: {check('found.json')}\n", "")
    assert Path("drawn.svg").read_text() == drawing.svg("found.json")
    bad = CORPUS / "rejected" / "logp" / "broadcast-bound-overstated.json"
    before = files()
    assert "what is proved is 4" in refused(run("draw", str(bad), "-o", "bad.svg"), 1)
    assert files() == before


@pytest.mark.parametrize(
    "automaton", [word_automaton(3), word_automaton(4), juggling_automaton(3), word_automaton(1)]
)
def test_automata(automaton: WordAutomaton[Any]) -> None:
    scene = automaton_scene(automaton)
    graph = of_kind(scene, Graph)
    number = {state: index for index, state in enumerate(automaton.states)}
    assert [bool(node.ring) for node in graph.nodes] == [
        state in automaton.starts for state in automaton.states
    ]
    assert [(edge.tail, edge.head, edge.label) for edge in graph.edges] == [
        (number[state], number[head], "abcd"[letter])
        for state, row in automaton.transitions.items()
        for letter, head in row.items()
    ]
    root = parsed(scene_svg(scene))
    assert len(list(root.iter(f"{SVG}polygon"))) == len(graph.edges)
    letters = Counter(element.text for element in root.iter(f"{SVG}text"))
    assert all(letters[edge.label] >= 1 for edge in graph.edges)


def test_large_automata_are_not_drawn() -> None:
    with pytest.raises(InvalidInput, match="at most 40 are drawn"):
        automaton_scene(word_automaton(5))


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("logp-word-automaton", lambda: scene_svg(automaton_scene(word_automaton(3)))),
        ("logp-figure-1", lambda: drawing.svg(broadcast(LogP(6, 2, 4, 8)))),
        ("logp-figure-2", lambda: drawing.svg(noun("figure-2"))),
        ("logp-figure-6", lambda: drawing.svg(noun("figure-6"))),
    ],
)
def test_the_figures_of_the_proofs_are_those_drawn_now(
    name: str, written: Callable[[], str]
) -> None:
    figures = Path(__file__).parents[2] / "proofs" / "figures"
    assert (figures / f"{name}.svg").read_text(encoding="utf-8") == written()
