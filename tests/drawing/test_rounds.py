"""Pictures of runs in steps say what the certificates say, step by step."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched import drawing
from exactsched.certificate import parse, to_document, write_certificate
from exactsched.certificate.synchronous import OccupancyProof, SynchronousRun
from exactsched.check import check
from exactsched.check.synchronous.bounds import least_steps
from exactsched.drawing import (
    perfetto,
    rounds_animation,
    rounds_colors,
    rounds_curves,
    rounds_frames,
    rounds_picture,
)
from exactsched.drawing.canvas import color
from exactsched.drawing.rounds_places import Places, SynchronousGraphShape, grid_columns
from exactsched.drawing.rounds_traffic import RoundTraffic
from exactsched.drawing.rounds_wording import bound_in_words, counted_until, headline
from exactsched.exact.errors import InvalidInput
from exactsched.model.platform import Platform
from exactsched.platforms.built_in import complete, cubic_16, grid, ring, torus
from exactsched.synchronous.baselines import grid_tree, tree_broadcast
from exactsched.synchronous.graph import synchronous_graph
from exactsched.synchronous.saturation import broadcast_in_rounds
from tests.check.refusals.broadcasts import accepted, files
from tests.check.test_rounds import runs
from tests.drawing.pictures import SVG, _Page, assert_trace, parsed, words

ROOT = Path(__file__).parents[2]
NAMES = [f"rounds/{name}" for name in files("accepted/rounds")]
PAIR = SynchronousRun(
    2, ((0, 1, 1),), "half-duplex", ((0, 2),), ((0, 0), (0, 1)), 2, 2, (), True, ()
)


@cache
def ours(*sides: int, packets: int, ports: str = "half-duplex") -> SynchronousRun:
    return broadcast_in_rounds(synchronous_graph(grid(*sides), 0), packets, ports, effort=0)


@cache
def tree(*sides: int, packets: int) -> SynchronousRun:
    return tree_broadcast(synchronous_graph(grid(*sides), 0), packets, grid_tree(*sides))


def ring_of_five() -> SynchronousRun:
    return broadcast_in_rounds(synchronous_graph(ring(5), 0), 1, effort=0)


def corpus(name: str) -> SynchronousRun:
    noun = parse(accepted(name))
    assert isinstance(noun, SynchronousRun)
    return noun


def transfers(run: SynchronousRun) -> list[tuple[int, int, int, int]]:
    """Start, end, arc and packet of every transfer."""
    return [
        (step, step + run.arcs[arc][2], arc, packet)
        for step, row in enumerate(run.sends)
        for arc, packet in row
    ]


def have_after(run: SynchronousRun, time: int) -> list[int]:
    """How many packets every node has, by definition."""
    have = [sum(number for node, number in run.origins if node == v) for v in range(run.size)]
    for _, end, arc, _ in transfers(run):
        have[run.arcs[arc][1]] += end <= time
    return have


def titles(element: ElementTree.Element) -> list[str]:
    return [title.text or "" for title in element.iter(f"{SVG}title")]


def words_of(element: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in element.iter(f"{SVG}text")]


def assert_page_with_its_script(page: str) -> None:
    """As other pages, but for one script that is in the page, and that no word can end."""
    reader = _Page()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    assert reader.loading == ["script"] * page.count("<script>")
    assert page.count("</script") == page.count("<script") == page.count("<script>") <= 1
    assert "url(" not in page
    assert "@import" not in page
    for script in re.findall(r"<script>(.*)</script>", page, re.S):
        assert "<" not in re.sub(r"< |<= |<!", "", script)


def played(page: str) -> dict[str, Any]:
    """What the script knows."""
    found = re.search(r"^const D = (.*);$", page, re.M)
    assert found
    data = json.loads(found[1])
    assert isinstance(data, dict)
    return data


# --- numbers ------------------------------------------------------------------------------------


@settings(max_examples=80)
@given(runs())
def test_numbers_over_time_are_those_of_the_definition(run: SynchronousRun) -> None:
    traffic = RoundTraffic(run)
    every = transfers(run)
    assert traffic.end == run.steps
    counts = [sum(start <= t < end for start, end, _, _ in every) for t in range(run.steps)]
    assert [traffic.under_way(t) for t in range(run.steps)] == counts
    assert traffic.mean() * run.steps == sum(counts)
    assert max(counts, default=0) <= traffic.ceiling
    lacks = {lack.time: lack for lack in traffic.lacks(10**6)}
    assert bool(lacks) == bool(traffic.receivers)
    known = min(lacks, default=0)
    for time in range(run.steps + 1 if lacks else 0):
        lacking = [traffic.packets - have_after(run, time)[node] for node in traffic.receivers]
        known = time if time in lacks else known
        lack = lacks[known]
        mean = Fraction(sum(lacking), len(lacking))
        assert (lack.fewest, lack.mean, lack.most) == (min(lacking), mean, max(lacking))
    informed = [time for time in range(run.steps + 1) if min(have_after(run, time))]
    assert traffic.stages()[0] == informed[0]
    full = [
        time
        for time in range(run.steps + 1)
        if any(have_after(run, time)[node] == traffic.packets for node in traffic.receivers)
    ]
    assert traffic.stages()[1] == (full[0] if full else traffic.end)


@settings(max_examples=80)
@given(runs())
def test_moments_are_those_of_the_definition(run: SynchronousRun) -> None:
    traffic = RoundTraffic(run)
    every = transfers(run)
    for moment in traffic.moments(range(run.steps)):
        assert list(moment.have) == have_after(run, moment.step)
        arrived = Counter(packet for _, end, _, packet in every if end <= moment.step)
        assert sorted(moment.transfers) == sorted(
            (arc, packet, 1 + arrived[packet], start < moment.step)
            for start, end, arc, packet in every
            if start <= moment.step < end
        )


@settings(max_examples=100)
@given(runs())
def test_no_run_exceeds_what_counting_allows(run: SynchronousRun) -> None:
    traffic = RoundTraffic(run)
    course = traffic.capacity()
    for step in range(run.steps):
        allowed = next(number for time, number in reversed(course) if time <= step)
        assert traffic.under_way(step) <= allowed <= traffic.ceiling
    assert counted_until(course, traffic.work) <= run.steps


@pytest.mark.parametrize("ports", ["half-duplex", "one-port"])
def test_what_counting_allows_on_a_grid(ports: str) -> None:
    """1, 2, 4, 7, 11, 14, 16 nodes may have a packet after 0, 1, ... steps, and not more.

    The diagonals have 1, 2, 3, 4, 3, 2, 1 nodes, and j of them C(j, k) at distance k after j steps,
    if there are so many.  In step 3 half-duplex pairs need the even diagonals: 1 + 3 + 1 nodes.
    """
    course = RoundTraffic(ours(4, 4, packets=5, ports=ports)).capacity()
    sides = {"half-duplex": [1, 2, 3, 5, 7, 8], "one-port": [1, 2, 4, 7, 11, 14, 15]}
    assert [number for _, number in course] == sides[ports]
    assert [time for time, _ in course] == list(range(len(course)))


def test_what_has_everything_is_no_receiver() -> None:
    """Node 2 is out of reach: of the two nodes that may have a packet one receives."""
    traffic = RoundTraffic(replace(PAIR, size=3, ports="one-port"))
    assert traffic.capacity() == [(0, 1)]
    assert traffic.ceiling == 2


def test_where_a_line_keeps_its_height_both_ends_are_known() -> None:
    """The transfers end at the times 3, 9 and 12, of 12."""
    arcs = ((0, 1, 3), (0, 2, 9), (1, 3, 9))
    run = SynchronousRun(
        4, arcs, "one-port", ((0, 1),), ((0, 0), (), (), (1, 0, 2, 0)), 12, 12, (), False, ()
    )
    lacks = [(lack.time, lack.mean) for lack in RoundTraffic(run).lacks(100)]
    assert lacks == [(0, 1), (2, 1), (3, Fraction(2, 3)), (11, Fraction(2, 3)), (12, 0)]


# --- words --------------------------------------------------------------------------------------


@settings(max_examples=100)
@given(runs())
def test_the_words_give_the_bound(run: SynchronousRun) -> None:
    check(run)
    for said in bound_in_words(RoundTraffic(run)):
        if said.startswith(("There is nothing", "The certificate states")):
            continue
        numbers = re.findall(r"([\d,]+) steps?(?: at least)?\.", said)
        numbers += re.findall(r"as well: ([\d,]+)\.", said)
        assert int(numbers[-1].replace(",", "")) == run.bound == least_steps(run), said


@pytest.mark.parametrize("name", NAMES)
def test_words_of_the_corpus(name: str) -> None:
    run = corpus(name)
    svg, page = drawing.svg(run), drawing.html(to_document(run))
    shown = words(svg)
    title, result = headline(RoundTraffic(run))
    assert title in shown
    assert result in shown
    assert result.startswith(f"{run.steps} step{'' if run.steps == 1 else 's'} \u2014 ")
    assert ("optimal" in result) == run.optimal
    if not run.optimal:
        assert f"no run takes fewer than {run.bound}: at most {run.steps - run.bound} too" in result
    assert "".join(bound_in_words(RoundTraffic(run))) in page.replace("</p>\n<p>", "")
    assert_page_with_its_script(page)
    if run.steps:
        assert_trace(run)
    assert svg == drawing.svg(run)
    assert page == drawing.html(run)


def test_which_bounds_are_told() -> None:
    rules = {
        "path": {"Counting"},
        "ring-one-port": {"Counting", "Distances"},
        "star-one-port": {"Occupancy"},
        "star-with-occupancy": {"Counting", "Occupancy"},
        "spider-with-occupancy": {"Occupancy"},
        "occupancy-of-a-slow-arc": {"Ports", "Counting", "Distances", "Occupancy"},
    }
    for name, expected in rules.items():
        said = bound_in_words(RoundTraffic(corpus(f"rounds/{name}")))
        assert {line.split(":")[0] for line in said} == expected, (name, said)


def test_few_nodes_have_packets_at_first_but_not_in_an_all_gather() -> None:
    needed = "Counting: the nodes lack so much that 75 transfers are needed"
    few = f"{needed}. At first few nodes can have a packet and send it, and no more than 8 "
    assert bound_in_words(RoundTraffic(ours(4, 4, packets=5)))[0].startswith(few)
    everybody = broadcast_in_rounds(synchronous_graph(ring(8), *range(8)), 3, "one-port", effort=0)
    assert (
        "Counting: the nodes lack so much that 168 transfers are needed, and no more than 8"
        " transfers can be under way together: this takes 21 steps."
    ) in bound_in_words(RoundTraffic(everybody))


def test_the_last_of_some_packets_goes_to_the_end_of_a_line() -> None:
    """Arcs of 1, 2, 3 and 1 steps: 7 in all, and the third packet leaves in step 2."""
    arcs = [(node, node + 1, duration) for node, duration in enumerate((1, 2, 3, 1))]
    run = broadcast_in_rounds(synchronous_graph(Platform(range(5), arcs), 0), 3, "one-port")
    said = bound_in_words(RoundTraffic(replace(run, bound=9)))
    told = "leaves node 0 after all others leaves it in step 2 or later, and the farthest node is 7"
    assert f"Distances: the packet that {told} steps away: this takes 9 steps." in said


def test_ports_receive_and_send() -> None:
    arcs = ((0, 1, 1), (1, 0, 2))
    sends = ((0, 0),), ((0, 1),), ((1, 2),), (), ((1, 3),), (), ((1, 4),)
    swap = SynchronousRun(
        2, arcs, "half-duplex", ((0, 2), (1, 3)), sends, 8, 8, (), True, ("a", "b")
    )
    check(swap)
    told = "Ports: node a has to receive 3 packets and to send 2 of its own"
    assert f"{told}, which keeps a port busy for 8 steps at least." in bound_in_words(
        RoundTraffic(swap)
    )
    sends = ((0, 0), (1, 2)), ((0, 1),), ((1, 3),), (), ((1, 4),)
    one_port = replace(swap, ports="one-port", sends=sends, steps=6, bound=6)
    check(one_port)
    told = "Ports: node a has to receive 3 packets, which keeps a port busy for 6 steps at least."
    assert told in bound_in_words(RoundTraffic(one_port))
    told = "Ports: node 0 has to send 2 packets of its own, which keeps a port busy for 2 steps"
    assert f"{told} at least." in bound_in_words(RoundTraffic(replace(PAIR, ports="one-port")))


def test_an_odd_set_pays_for_its_pairs() -> None:
    """Three nodes, one pair: price 1 in a step, and each of 4 packets enters two nodes."""
    proof = OccupancyProof(
        (Fraction(0),) * 3,
        (((0, 1, 2), Fraction(1)),),
        (((1,), Fraction(1)), ((2,), Fraction(1))),
    )
    run = broadcast_in_rounds(synchronous_graph(complete(3), 0), 4, effort=0)
    run = replace(run, occupancy=(proof,))
    check(run)
    assert (
        "Occupancy: prices of the ports and 1 odd set pay 1 in a step at most. All packets together"
        " cost 8, since they enter 2 cuts: this takes 8 steps."
    ) in bound_in_words(RoundTraffic(run))


def test_durations_with_a_common_divisor() -> None:
    """Two steps each: 1, 1, 2, 2, 2 transfers under way make 8 steps of them, but 5 is odd."""
    slow = Platform(range(5), [(i, j, 2) for i in range(5) for j in range(5) if i != j])
    run = broadcast_in_rounds(synchronous_graph(slow, 0), 1)
    check(run)
    [said] = bound_in_words(RoundTraffic(run))
    assert "that 8 steps of transfers are needed" in said
    assert "this takes 5 steps. Every duration is a multiple of 2, so" in said
    assert said.endswith("as well: 6.")
    assert run.bound == 6


def test_one_node_and_nothing_to_send() -> None:
    alone = SynchronousRun(1, (), "half-duplex", ((0, 7),), (), 0, 0, (), True, ())
    check(alone)
    svg, page = drawing.svg(alone), drawing.html(alone)
    assert "Nothing is sent." in words(svg)
    assert "There is nothing to send: every node has everything from the start." in words(svg)
    assert "<script" not in page
    assert_page_with_its_script(page)
    assert [e for e in drawing.trace(alone)["traceEvents"] if e["ph"] != "M"] == []


# --- the picture --------------------------------------------------------------------------------


@settings(max_examples=40)
@given(runs())
def test_every_frame_shows_its_step(run: SynchronousRun) -> None:
    """Arrows with their packets, nodes with their numbers, of every step that is shown."""
    traffic, places = RoundTraffic(run), Places(run)
    if not run.steps:
        return
    shape = SynchronousGraphShape(places, 54, 290)
    for moment in traffic.moments(range(run.steps)):
        frame = rounds_frames.frame(traffic, shape, moment, 290)
        drawn = parsed(frame.document("frame"))
        told = titles(drawn)
        arrows = sorted(text for text in told if ": packet " in text)
        assert arrows == sorted(
            f"{run.arcs[arc][0]} \u2192 {run.arcs[arc][1]}: packet {packet}"
            + (", sent earlier" if earlier else "")
            for arc, packet, _, earlier in moment.transfers
        )
        nodes = [text for text in told if re.fullmatch(r"\d+: \d+ packets?", text)]
        assert nodes == [
            f"{node}: {have} packet{'' if have == 1 else 's'}"
            for node, have in enumerate(moment.have)
        ]
        assert sum(bool(path.get("stroke-dasharray")) for path in drawn.iter(f"{SVG}path")) == sum(
            earlier for *_, earlier in moment.transfers
        )
        shades = [circle.get("fill") for circle in drawn.iter(f"{SVG}circle")]
        assert shades == [rounds_colors.shade(have, traffic.packets) for have in moment.have]


@given(st.integers(1, 10**6), st.data())
def test_the_darker_the_more_packets(packets: int, data: st.DataObject) -> None:
    """Shade k of 7 up to k sevenths; white is for none, and the darkest for all."""
    have = data.draw(st.integers(0, packets) | st.sampled_from([0, 1, packets - 1, packets]))
    shades = [*rounds_colors.SHADES, rounds_colors.FULL]
    assert len(set(shades)) == 9
    if have == packets:
        expected = 8
    else:
        expected = min(k for k in range(8) if Fraction(have, packets) <= Fraction(k, 7))
    assert rounds_colors.shade(have, packets) == shades[expected]


def test_colors_of_packets_and_of_how_widespread_they_are() -> None:
    many = RoundTraffic(ours(4, 4, packets=100))
    classes = [rounds_colors.color_class(many, 99, copies) for copies in range(1, 17)]
    assert classes == [0] + [1] * 3 + [2] * 4 + [3] * 8
    key = rounds_colors.color_key(many)
    assert [fill for fill, _ in key] == rounds_colors.palette(many)
    assert [said.split(" of ")[0] for _, said in key] == [
        "a packet that one node has",
        "up to a quarter",
        "up to a half",
        "more",
    ]
    # One of two nodes is a half, but it is the only one.
    pair = RoundTraffic(replace(PAIR, origins=((0, 100),)))
    assert [rounds_colors.color_class(pair, 0, copies) for copies in (1, 2)] == [0, 3]
    few = RoundTraffic(ours(4, 4, packets=20))
    assert [rounds_colors.color_class(few, packet, 1) for packet in range(20)] == list(range(20))
    assert len(set(rounds_colors.palette(few))) == 20


def test_arrows_have_the_colors_of_their_packets() -> None:
    """Of a small graph one by one, of a large one all of a color together."""
    for run in (ours(4, 4, packets=30), ours(7, 7, packets=30)):
        traffic, shape = RoundTraffic(run), SynchronousGraphShape(Places(run), 30, 390)
        for moment in traffic.moments([0, 1, 9, run.steps // 2, run.steps - 1]):
            drawn = parsed(rounds_frames.frame(traffic, shape, moment, 390).document("frame"))
            tips: Counter[str] = Counter()
            for path in drawn.iter(f"{SVG}path"):
                fill, d = path.get("fill", "none"), path.get("d", "")
                if d.endswith("Z"):
                    tips[fill] += d.count("Z")
            assert tips == Counter(
                rounds_colors.arrow_color(traffic, packet, copies)
                for _, packet, copies, _ in moment.transfers
            )


def test_dots_stand_where_the_nodes_are() -> None:
    run = ours(7, 7, packets=30)
    traffic, shape = RoundTraffic(run), SynchronousGraphShape(Places(run), 30, 390)
    [moment] = traffic.moments([run.steps // 2])
    fills = [rounds_colors.shade(have, traffic.packets) for have in moment.have]
    assert len(set(fills)) > 1
    rim, *drawn = (parsed(path) for path in rounds_frames.dots(shape, fills))
    pairs = [f"{float(x):.1f} {float(y):.1f}" for x, y in found_points(rim)]
    assert pairs == [f"{point.real:.1f} {point.imag:.1f}" for point in shape.boxes.points]
    for path in drawn:
        assert sorted(found_points(path)) == sorted(
            place
            for place, fill in zip(found_points(rim), fills, strict=True)
            if fill == path.get("stroke")
        )
    assert sorted({path.get("stroke") or "" for path in drawn}) == sorted(set(fills))


def found_points(path: ElementTree.Element) -> list[tuple[str, str]]:
    return re.findall(r"M(\S+) (\S+?)h0", path.get("d", ""))


def test_numbers_in_nodes_and_at_arrows() -> None:
    run = ours(4, 4, packets=20)
    traffic, shape = RoundTraffic(run), SynchronousGraphShape(Places(run), 54, 290)
    for moment in traffic.moments(range(run.steps)):
        drawn = parsed(rounds_frames.frame(traffic, shape, moment, 290).document("frame"))
        shown = Counter(words_of(drawn)[1:])
        assert shown == Counter(str(have) for have in moment.have if have) + Counter(
            str(packet) for _, packet, *_ in moment.transfers
        )


def test_the_panel_of_the_graph() -> None:
    def drawn(run: SynchronousRun) -> ElementTree.Element:
        return parsed(rounds_frames.graph_panel(RoundTraffic(run), Places(run)).document("graph"))

    dark = "Dark: where packets are from the start."
    run = ours(3, 3, packets=4)
    panel = drawn(run)
    fills = [circle.get("fill") for circle in panel.iter(f"{SVG}circle")]
    assert fills == [rounds_colors.FULL] + [rounds_colors.SHADES[0]] * 8
    assert words_of(panel) == ["The graph: 9 nodes, 24 arcs", *map(str, range(9)), dark]
    assert titles(panel)[1:] == ["0: 4 packets at first"] + [
        f"{node}: 0 packets at first" for node in range(1, 9)
    ]
    # Without tips a link leads both ways.
    assert not [path for path in panel.iter(f"{SVG}path") if path.get("d", "").endswith("Z")]
    [tip] = [path for path in drawn(PAIR).iter(f"{SVG}path") if path.get("d", "").endswith("Z")]
    assert tip.get("d", "").count("Z") == 1
    everybody = broadcast_in_rounds(synchronous_graph(ring(5), *range(5)), 2, "one-port", effort=0)
    assert dark not in words_of(drawn(everybody))


def test_dashes_are_explained_where_they_are() -> None:
    dashed = "Dashed: under way since an earlier step."
    assert dashed in " ".join(words(drawing.svg(corpus("rounds/occupancy-of-a-slow-arc"))))
    assert dashed not in " ".join(words(drawing.svg(ours(3, 3, packets=4))))


def test_a_large_graph_is_shown_in_its_stages() -> None:
    run = tree(8, 16, packets=100)
    shown = words(drawing.svg(run))
    stages = ["Until every node has a packet", "In between", "After the first node has all packets"]
    assert [word for word in shown if word in stages] == stages
    informed, full = RoundTraffic(run).stages()
    steps = [int(m[1]) for word in shown if (m := re.fullmatch(r"step (\d+): .*", word))]
    assert {0, informed - 1, full, run.steps - 1} <= set(steps)


def test_all_steps_of_a_short_run_are_shown_and_some_of_a_long_one() -> None:
    shown = [
        re.fullmatch(r"step ([\d,]+): .*", word)
        for word in words(drawing.svg(ours(3, 3, packets=4)))
    ]
    assert [int(found[1]) for found in shown if found] == list(range(ours(3, 3, packets=4).steps))
    run = tree(4, 4, packets=400)
    assert run.steps == 1203
    svg = words(drawing.svg(run))
    steps = [
        int(m[1].replace(",", "")) for w in svg if (m := re.fullmatch(r"step ([\d,]+): .*", w))
    ]
    # Five fit into a row.
    assert steps[:6] == [0, 1, 2, 3, 4, steps[5]]
    assert steps[5] > 100
    assert steps[-5:] == [1198, 1199, 1200, 1201, 1202]
    assert steps == sorted(set(steps))
    assert {"The first steps", "In between", "The last steps"} <= set(svg)
    traffic = RoundTraffic(run)
    for word in svg:
        if found := re.fullmatch(r"step ([\d,]+): ([\d,]+)(?: transfers?)?", word):
            step, number = (int(found[k].replace(",", "")) for k in (1, 2))
            assert number == traffic.under_way(step)


def test_one_step_more_than_are_shown() -> None:
    shown = rounds_frames.chosen_steps(7, 2, 6)
    assert [steps for _, steps in shown] == [[0, 1], [2, 3], [5, 6]]


@given(st.integers(1, 4), st.integers(2, 8), st.data())
def test_chosen_steps_are_steps(groups: int, each: int, data: st.DataObject) -> None:
    end = data.draw(st.integers(0, 400) | st.integers(10**6, 10**20))
    first, second = (data.draw(st.integers(0, end)) for _ in range(2))
    stages = data.draw(st.none() | st.just((first, second)))
    chosen = rounds_frames.chosen_steps(end, each, 3 * each * groups, stages)
    steps = [step for _, some in chosen for step in some]
    assert steps == sorted(set(steps))
    assert all(0 <= step < end for step in steps)
    assert len(steps) == (end if end <= 3 * each * groups else 3 * each)
    if steps:
        assert (steps[0], steps[-1]) == (0, end - 1)


def test_the_curve_is_the_number_under_way() -> None:
    """Every corner of the line stands where its step and its number belong."""
    run = ours(4, 4, packets=20)
    traffic = RoundTraffic(run)
    chart = rounds_curves.activity_chart(traffic, run.bound)
    lines = [
        path.get("d", "")
        for path in parsed(chart.document("chart")).iter(f"{SVG}path")
        if path.get("stroke") == "#0072b2"
    ]
    assert len(lines) == 1
    corners = [tuple(map(float, pair.split())) for pair in lines[0][1:].split("L")]
    axes = rounds_curves.Chart(traffic.end, traffic.ceiling, "")
    height = {step: axes.y(traffic.under_way(step)) for step in range(run.steps)}
    for (x, y), (right, level) in zip(corners[::2], corners[1::2], strict=True):
        assert y == level
        for step in range(run.steps):
            if x - 0.01 <= axes.x(step) and axes.x(step + 1) <= right + 0.01:
                assert abs(height.pop(step) - y) < 0.01
    assert not height


def test_means_stand_in_the_middle_of_their_steps() -> None:
    run = tree(4, 4, packets=400)
    traffic = RoundTraffic(run)
    chart = parsed(rounds_curves.activity_chart(traffic, run.bound).document("chart"))
    shown = words_of(chart)
    assert "transfers under way, mean of 4 steps" in shown
    [line] = [path for path in chart.iter(f"{SVG}path") if path.get("stroke") == "#0072b2"]
    points = [tuple(map(float, pair.split())) for pair in line.get("d", "")[1:].split("L")]
    axes = rounds_curves.Chart(traffic.end, traffic.ceiling, "")
    assert len(points) == -(-run.steps // 4)
    for (x, y), start in zip(points, range(0, run.steps, 4), strict=True):
        steps = range(start, min(start + 4, run.steps))
        mean = Fraction(sum(map(traffic.under_way, steps)), len(steps))
        assert abs(x - axes.x(start + Fraction(len(steps), 2))) < 0.01
        assert abs(y - axes.y(mean)) < 0.01


def test_the_line_of_the_bound() -> None:
    traffic = RoundTraffic(ours(4, 4, packets=20))
    end = traffic.end
    axes = rounds_curves.Chart(end, traffic.ceiling, "")
    for bound in (1, end - 1, end):
        chart = parsed(rounds_curves.activity_chart(traffic, bound).document("chart"))
        assert f"bound: {bound} step{'' if bound == 1 else 's'}" in words_of(chart)
        [group] = [g for g in chart.iter(f"{SVG}g") if g.find(f"{SVG}title") is not None]
        assert titles(group) == [f"no run ends before step {bound}"]
        [line] = group.iter(f"{SVG}line")
        assert line.get("x1") == line.get("x2")
        assert abs(float(line.get("x1", "")) - axes.x(bound)) < 0.01
    for bound in (0, end + 1):
        chart = parsed(rounds_curves.activity_chart(traffic, bound).document("chart"))
        assert not [word for word in words_of(chart) if word.startswith("bound")]
        assert titles(chart) == ["chart"]


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
    bins = rounds_curves.binned([*course, (time, 0)], time, spacing)
    starts = range(0, time, spacing)
    assert [(start, stop) for start, stop, *_ in bins] == [
        (s, min(s + spacing, time)) for s in starts
    ]
    for start, stop, fewest, mean, most in bins:
        here = values[start:stop]
        assert (fewest, mean, most) == (min(here), Fraction(sum(here), len(here)), max(here))


def test_grids_and_tori_stand_in_rows() -> None:
    def placed(platform: Any) -> Places:
        return Places(broadcast_in_rounds(synchronous_graph(platform, 0), 1, effort=0))

    for sides in ((2, 2), (3, 5), (8, 8), (16, 2)):
        places = placed(grid(*sides))
        assert places.points == [
            complex(k % sides[1], k // sides[1]) for k in range(len(places.points))
        ]
        assert not places.wraps
    places = placed(torus(4, 5))
    assert places.points[7] == 2 + 1j
    assert len(places.wraps) == 4 + 5
    shape = SynchronousGraphShape(places, 54, 400)
    around = next(k for k, arc in enumerate(places.run.arcs) if arc[:2] == (0, 4))
    leaving, entering = shape.curves(around)
    assert leaving.end.real < leaving.start.real < shape.boxes.points[1].real
    assert entering.start.real > entering.end.real > shape.boxes.points[4].real
    assert leaving.end.real > 0
    assert entering.start.real < shape.width
    for other in (ring(9), complete(6), cubic_16(), grid(7)):
        assert not placed(other).wraps
    # Links of a grid may be missing, one in four: of 24 here 6, and then 7.
    every = grid_links(4, 4)
    assert grid_columns(16, every[6:]) == 4
    assert grid_columns(16, every[7:]) != 4
    assert grid_columns(16, [*every, (0, 4 + 1)]) == 0


def grid_links(rows: int, columns: int) -> list[tuple[int, int]]:
    nodes = range(rows * columns)
    across = [(k, k + 1) for k in nodes if (k + 1) % columns]
    return across + [(k, k + columns) for k in nodes if k + columns in nodes]


def test_tall_graphs_are_drawn_smaller() -> None:
    shape = SynchronousGraphShape(Places(tree(100, 2, packets=1)), 54, 290)
    assert shape.height <= 2 * 290 + 30
    assert shape.width < 60


@pytest.mark.parametrize("ports", ["half-duplex", "one-port"])
@pytest.mark.parametrize(
    "platform", [grid(4, 4), torus(3, 4), cubic_16(), ring(5), grid(3, 3, 3)], ids=str
)
def test_everything_is_inside_the_picture(platform: Any, ports: str) -> None:
    run = broadcast_in_rounds(synchronous_graph(platform, 0), 3, ports, effort=0)
    shape = SynchronousGraphShape(Places(run), 54, 290)
    assert shape.width <= 291
    for center in shape.boxes.points:
        assert shape.radius < center.real < shape.width - shape.radius
        assert shape.radius < center.imag < shape.height - shape.radius
    for arc in range(len(run.arcs)):
        for curve in shape.curves(arc):
            for point in (curve.start, curve.at(0.5), curve.end):
                assert -30 <= point.real <= shape.width + 30
                assert -30 <= point.imag <= shape.height + 30


# --- in motion ----------------------------------------------------------------------------------


@settings(max_examples=40)
@given(runs())
def test_the_script_is_given_the_run(run: SynchronousRun) -> None:
    if not run.steps:
        return
    page = drawing.html(run)
    data = played(page)
    assert data["last"] == data["end"] == run.steps
    assert data["own"] == have_after(run, 0)
    assert f'max="{run.steps}"' in page
    told = [
        (step, step + data["durations"][arc], data["heads"][arc], packet)
        for step, row in enumerate(data["rows"])
        for arc, packet in zip(row[::2], row[1::2], strict=True)
    ]
    assert told == [
        (start, end, run.arcs[arc][1], packet) for start, end, arc, packet in transfers(run)
    ]
    assert len(data["lines"]) == len(data["tips"]) == len(data["heads"])
    assert page.count("<h2>Step by step</h2>") == 1


# As little of a page as the script asks for; then what is shown in each step, forwards and back.
_STUB_PAGE = """
const made = () => ({shown: {}, on: {}, children: [], value: "0", textContent: "",
  setAttribute(name, value) { this.shown[name] = value; },
  appendChild(child) { this.children.push(child); },
  addEventListener(name, then) { this.on[name] = then; }});
const parts = {};
const box = {querySelector: name => parts[name] ||= made(),
  querySelectorAll: name => parts[name] ||= Array.from({length: SIZE}, made)};
globalThis.document = {querySelector: () => box, createElementNS: made};
let tick = null;
globalThis.setInterval = then => { tick = then; return 1; };
globalThis.clearInterval = () => { tick = null; };
"""
_STUB_WATCH = """
const arrows = parts[".arrows"].children, told = parts[".told"], slider = parts["input"];
const seen = () => ({told: told.textContent, slider: Number(slider.value),
  fills: parts[".nodes circle"].map(node => node.shown.fill),
  counts: parts[".nodes text"].map(node => String(node.textContent)),
  paths: arrows.map(path => [path.shown.fill, path.shown.stroke || "",
    path.shown["stroke-dasharray"] || "", path.shown.d])});
const frames = [seen()];
const click = name => { parts[name].on.click(); frames.push(seen()); };
for (let k = 0; k < LAST; k++) click(".on");
click(".on");
for (let k = 0; k < LAST; k++) click(".back");
click(".back");
for (const step of [LAST, 0]) {
  slider.value = step; slider.on.input(); frames.push(seen());
}
// Played twice: from the start to the end, and then from the start again, until the pause.
click(".play");
while (tick) {
  const before = slider.value;
  tick();
  if (slider.value !== before) frames.push(seen());
}
click(".play"); tick(); frames.push(seen()); click(".play");
if (tick || parts[".play"].textContent !== "play") throw new Error("it does not stop");
console.log(JSON.stringify(frames));
"""


def watched(run: SynchronousRun, tmp_path: Path) -> list[dict[str, Any]]:
    """What the script of the page shows, step by step."""
    [script] = re.findall(r"<script>(.*)</script>", drawing.html(run), re.S)
    head = _STUB_PAGE.replace("SIZE", str(run.size))
    source = tmp_path / "page.js"
    source.write_text(head + script + _STUB_WATCH.replace("LAST", str(run.steps)), encoding="utf-8")
    node = shutil.which("node")
    assert node
    done = subprocess.run([node, source], capture_output=True, check=True, timeout=60)
    frames = json.loads(done.stdout)
    assert isinstance(frames, list)
    return frames


@pytest.mark.skipif(shutil.which("node") is None, reason="scripts are played by Node")
@pytest.mark.parametrize(
    "run",
    [
        ours(4, 4, packets=20),
        ours(3, 3, packets=30),
        broadcast_in_rounds(synchronous_graph(ring(5), *range(5)), 2, "one-port", effort=0),
        broadcast_in_rounds(
            synchronous_graph(Platform(range(5), [(0, 1, 1), (1, 2, 2), (2, 3, 3), (3, 4, 1)]), 0),
            3,
        ),
        corpus("rounds/occupancy-of-a-slow-arc"),
    ],
    ids=["colors of packets", "colors of spread", "all-gather", "slow and quick arcs", "slow arc"],
)
def test_the_script_shows_every_step(run: SynchronousRun, tmp_path: Path) -> None:
    frames = watched(run, tmp_path)
    last = run.steps
    steps = [*range(last + 1), last, *range(last)[::-1], 0, last, 0]
    steps += [*range(last + 1), 0, 1, 1]
    assert len(frames) == len(steps)
    traffic = RoundTraffic(run)
    data = played(drawing.html(run))
    arc_of = {step: [arc for arc, _ in row] for step, row in enumerate(run.sends)}
    numbers: dict[int, int] = {}  # of arcs, as the page numbers them
    for step, row in enumerate(data["rows"]):
        numbers.update(zip(arc_of[step], row[::2], strict=True))
    moments = {moment.step: moment for moment in traffic.moments(range(last))}
    for step, frame in zip(steps, frames, strict=True):
        have = have_after(run, step)
        assert frame["fills"] == [rounds_colors.shade(one, traffic.packets) for one in have]
        assert frame["counts"] == [str(one or "") for one in have]
        assert frame["slider"] == step
        under_way = moments[step].transfers if step < last else ()
        if step == last:
            where = "after the last step "
        else:
            what = f"{len(under_way)} transfer{'' if len(under_way) == 1 else 's'}"
            where = f"step {step}: {what}; at its start "
        held = r"the nodes have about (\d+\.\d) % of all packets"
        found_share = re.fullmatch(re.escape(where) + held, frame["told"])
        assert found_share, frame["told"]
        share = Fraction(100 * sum(have), traffic.packets * run.size)
        assert abs(Fraction(found_share[1]) - share) <= Fraction(1, 20)
        lines: Counter[tuple[str, ...]] = Counter()
        tips: Counter[tuple[str, ...]] = Counter()
        for arc, packet, copies, earlier in under_way:
            hue = rounds_colors.arrow_color(traffic, packet, copies)
            lines[hue, "3 2" if earlier else "none", data["lines"][numbers[arc]]] += 1
            tips[hue, data["tips"][numbers[arc]]] += 1
        for fill, stroke, dashes, d in frame["paths"]:
            found = tips if stroke == "" else lines
            for key in list(found):
                if key[:-1] == ((fill,) if stroke == "" else (stroke, dashes)):
                    assert d.count(key[-1]) >= found[key]
                    d = d.replace(key[-1], "", found.pop(key))
            assert d == ""
        assert not lines
        assert not tips


def test_small_nodes_are_under_the_arrows_and_large_ones_above() -> None:
    for run, first, what in (
        (ours(4, 4, packets=20), "arrows", "packets"),
        (ours(7, 7, packets=30), "nodes", "transfers"),
    ):
        page = drawing.html(run)
        order = re.findall(r'<g class="(arrows|nodes)">', page)
        assert order == [first, *{"arrows", "nodes"} - {first}]
        assert f"Steps are numbered from 0; colors are those of {what}, and the darker" in page


def test_what_is_too_long_to_be_played(monkeypatch: pytest.MonkeyPatch) -> None:
    # One transfer that is not over when the run can be played no more.
    slow = replace(
        PAIR, arcs=((0, 1, 10**18),), origins=((0, 1),), sends=(((0, 0),),), steps=10**18
    )
    data = played(drawing.html(slow))
    assert (data["last"], data["end"], data["durations"]) == (0, -1, [1])
    many = drawing.html(replace(PAIR, origins=((0, 10**18),)))
    assert "The steps are not shown in motion: there are too many." in many
    run = ours(4, 4, packets=20)
    with monkeypatch.context() as patch:
        patch.setattr(rounds_animation, "MOST_STEPS", 10)
        data = played(drawing.html(run))
        assert (len(data["rows"]), data["last"], data["end"]) == (10, 9, -1)
    with monkeypatch.context() as patch:
        patch.setattr(rounds_animation, "MOST_ARCS", 12)
        data = played(drawing.html(run))
        used = [len({arc for row in run.sends[:k] for arc, _ in row}) for k in range(run.steps)]
        assert len(data["rows"]) == max(k for k, number in enumerate(used) if number <= 12)
        assert len(data["heads"]) == used[len(data["rows"])]


@pytest.mark.parametrize("ports", ["half-duplex", "one-port"])
@pytest.mark.parametrize(("side", "apart"), [(4, 76.0), (9, 44.0)])
def test_arrows_lead_from_tail_to_head(side: int, apart: float, ports: str) -> None:
    """The lines start at the tail, the tips point to the head, in frames and in motion."""
    run = ours(side, side, packets=20, ports=ports)
    data = played(drawing.html(run))
    shape = SynchronousGraphShape(Places(run), apart, 1000)
    used = sorted({arc for row in run.sends for arc, _ in row})
    assert len(data["lines"]) == len(used)
    for arc, line, tip in zip(used, data["lines"], data["tips"], strict=True):
        assert (line, tip) == rounds_frames.arrow_paths(shape, arc)
        tail, head = (shape.boxes.points[node] for node in run.arcs[arc][:2])
        start = complex(*map(float, re.findall(r"-?[\d.]+", line)[:2]))
        point = complex(*map(float, re.findall(r"-?[\d.]+", tip)[:2]))
        assert abs(start - tail) < shape.radius + 3
        assert abs(point - head) < shape.radius + 3
        corners = list(map(float, re.findall(r"-?[\d.]+", tip)))
        assert len(corners) == 6
        for wing in (complex(*corners[2:4]), complex(*corners[4:])):
            assert abs(wing - tail) < abs(point - tail)
        along = (head - tail) / abs(head - tail)
        aside = [((start - tail) / along).imag, ((point - head) / along).imag]
        if ports == "one-port":  # there may be one back, so both keep to their right
            assert min(aside) > 0.5
        else:
            assert max(map(abs, aside)) < 0.02


def test_arrows_around_the_border_leave_and_come_in() -> None:
    run = broadcast_in_rounds(synchronous_graph(torus(4, 5), 0), 1, effort=0)
    places = Places(run)
    shape = SynchronousGraphShape(places, 54, 400)
    for arc, (tail, head, _) in enumerate(run.arcs):
        line, tip = rounds_frames.arrow_paths(shape, arc)
        assert line.count("M") == 1 + ((min(tail, head), max(tail, head)) in places.wraps)
        assert tip.count("M") == 1
    around = "Links around the border are cut in two: they leave it and come in again."
    assert around in " ".join(words(drawing.svg(run)))
    assert around not in " ".join(words(drawing.svg(ours(4, 4, packets=20))))


def test_the_table_lists_what_starts() -> None:
    run = ours(3, 3, packets=4)
    page = drawing.html(run)
    cells = re.findall(
        r"<tr>" + r'<td class="n">(\d+)</td>' * 3 + "<td>(.*?)</td>",
        page,
    )
    assert len(cells) == len(run.sends)
    for step, (number, begin, busy, sent) in enumerate(cells):
        row = run.sends[step]
        assert (int(number), int(begin), int(busy)) == (step, len(row), len(row))
        assert sent.split(", ") == [
            f"{run.arcs[arc][0]} \u2192 {run.arcs[arc][1]}: {packet}" for arc, packet in row
        ]


# --- traces -------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(runs())
def test_traces_have_two_slices_for_each_transfer(run: SynchronousRun) -> None:
    if not run.steps:
        return
    assert_trace(run)
    events = drawing.trace(run)["traceEvents"]
    sends: Counter[tuple[str, int, int]] = Counter()
    receives: Counter[tuple[str, int, int]] = Counter()
    for event in events:
        if event["ph"] == "X":
            args = event["args"]
            sender, receiver = map(int, args["arc"].split(" \u2192 "))
            entry = args["arc"], args["packet"], int(args["start"])
            (sends if event["pid"] == sender + 1 else receives)[entry] += 1
            assert event["pid"] in (sender + 1, receiver + 1)
    expected = Counter(
        (f"{run.arcs[arc][0]} \u2192 {run.arcs[arc][1]}", packet, start)
        for start, _, arc, packet in transfers(run)
    )
    assert sends == receives == expected
    threads = {
        (event["pid"], event["tid"]): event["args"]["name"]
        for event in events
        if event["name"] == "thread_name"
    }
    half = run.ports == "half-duplex"
    assert all(
        name == ("port" if half else ("send", "receive")[k - 1]) for (_, k), name in threads.items()
    )
    assert not half or {track for _, track in threads} == {1}
    scale = Fraction(drawing.trace(run)["otherData"]["microseconds per step"])
    for event in events:
        if event["ph"] == "X":
            args = event["args"]
            tail, head = map(int, args["arc"].split(" \u2192 "))
            start, end = int(args["start"]), int(args["end"])
            assert (start, end, tail, head, args["packet"]) in {
                (begun, over, *run.arcs[arc][:2], packet)
                for begun, over, arc, packet in transfers(run)
            }
            assert event["ts"] == start * scale
            assert event["ts"] + event["dur"] == end * scale
            sending = event["name"] == f"{args['packet']} \u2192 {head}"
            assert event["pid"] == (tail if sending else head) + 1
            assert sending or event["name"] == f"{args['packet']} \u2190 {tail}"
            assert half or event["tid"] == (1 if sending else 2)


def test_what_is_too_short_for_a_trace() -> None:
    arcs = ((0, 1, 1), (1, 2, 10**9))
    run = SynchronousRun(
        3, arcs, "one-port", ((0, 1),), ((0, 0), (1, 0)), 10**9 + 1, 10**9 + 1, (), True, ()
    )
    check(run)
    trace = drawing.trace(run)
    assert trace["otherData"]["left out"] == "1 transfer shorter than a microsecond"
    slices = [event for event in trace["traceEvents"] if event["ph"] == "X"]
    assert [event["pid"] for event in slices] == [2, 3]
    assert {event["dur"] for event in slices} == {10**6}


# --- limits -------------------------------------------------------------------------------------


def test_what_is_left_out_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    run = ours(4, 4, packets=20)
    page = drawing.html(run)
    assert played(page)["last"] == run.steps
    assert "can be played" not in page
    assert drawing.trace(run)["otherData"]["left out"] == "nothing"
    monkeypatch.setattr(rounds_animation, "MOST_TRANSFERS", 30)
    page = drawing.html(run)
    data = played(page)
    assert (
        sum(map(len, data["rows"])) // 2 <= 30 < sum(map(len, run.sends[: len(data["rows"]) + 1]))
    )
    assert data["last"] == len(data["rows"]) - 1
    assert data["end"] == -1
    assert f"The first {len(data['rows'])} of {run.steps} steps can be played." in page
    monkeypatch.setattr(rounds_animation, "MOST_TRANSFERS", 0)
    assert "The steps are not shown in motion: there are too many." in drawing.html(run)
    monkeypatch.setattr(rounds_picture, "MOST_TABLE_ROWS", 9)
    monkeypatch.setattr(rounds_picture, "MOST_LISTED", 3)
    page = drawing.html(run)
    assert f"The first 9 of {run.steps} steps." in page
    assert f"{len(run.sends[8]) - 3} more</td>" in page
    trace_module = import_module("exactsched.drawing.rounds_trace")  # not the function
    monkeypatch.setattr(trace_module, "MOST_TRANSFERS", 50)
    trace = drawing.trace(run)
    assert trace["otherData"]["left out"] == "all but the first 50 transfers"
    assert sum(event["ph"] == "X" for event in trace["traceEvents"]) == 100
    monkeypatch.setattr(rounds_frames, "MOST_LINKS", 5)
    assert "24 links are not drawn, only those at work." in words(drawing.svg(run))
    monkeypatch.setattr(rounds_picture, "MOST_NODES", 15)
    svg = drawing.svg(run)
    assert any(word.startswith("A graph of 16 nodes is not drawn") for word in words(svg))
    assert "Transfers under way" in words(svg)
    assert "step 0: 1 transfer" not in words(svg)
    assert "<script" not in drawing.html(run)


def test_large_runs_make_small_pictures() -> None:
    for run in (tree(32, 32, packets=100), tree(4, 64, packets=1000), tree(2, 512, packets=60)):
        svg, page = drawing.svg(run), drawing.html(run)
        assert len(svg) < 2_000_000
        assert len(page) < 5_000_000
        assert_page_with_its_script(page)
    assert "mean of 4 steps" in " ".join(words(drawing.svg(tree(4, 4, packets=400))))
    # More nodes than are drawn: curves and words are left.
    long = tree(2, 2000, packets=1)
    assert len(drawing.html(long)) < 400_000
    assert sum(event["ph"] == "X" for event in drawing.trace(long)["traceEvents"]) == 2 * 3999
    assert perfetto.MOST_TRANSFERS > 3999


def test_numbers_beyond_reason_are_drawn() -> None:
    """What the reader accepts and the checker has not seen: drawn without a list of all of it."""
    large = 10**18
    slow = SynchronousRun(
        3,
        ((0, 1, large), (1, 2, 3)),
        "one-port",
        ((0, 1),),
        ((0, 0),),
        10**40,
        10**30,
        (),
        False,
        (),
    )
    many = replace(PAIR, origins=((0, large),), steps=7)
    cut = replace(PAIR, size=4, arcs=((0, 1, 1), (2, 3, 1)))
    twice = replace(PAIR, sends=(((0, 0),), ((0, 0),), ((0, 0),), ((0, 1),)), steps=5)
    nothing = replace(PAIR, sends=(), arcs=())
    later = replace(PAIR, sends=((), (), ((0, 0),)), steps=9)
    for run in (slow, many, cut, twice, nothing, later):
        svg, page = drawing.svg(run), drawing.html(run)
        parsed(svg)
        assert_page_with_its_script(page)
        assert len(page) < 200_000
        json.dumps(drawing.trace(run), allow_nan=False)


@pytest.mark.parametrize("name", files("rejected/rounds"))
def test_what_is_refused_can_be_drawn(name: str) -> None:
    document = json.loads(
        (ROOT / "tests" / "corpus" / "rejected" / "rounds" / f"{name}.json").read_text()
    )
    parsed(drawing.svg(document))
    assert_page_with_its_script(drawing.html(document))
    json.dumps(drawing.trace(document))


def test_strange_names() -> None:
    names = ("</svg><script>", "a" * 5000, "\u05d0\u202e", "", "\n", "]]>&amp;", "'\"", "\\", "x")
    run = replace(ours(3, 3, packets=4), names=names)
    svg, page = drawing.svg(run), drawing.html(run)
    assert len(svg) < 200_000
    told = " ".join(titles(parsed(svg)))
    assert "</svg><script> \u2192 " in told
    assert "\u202e" not in told
    assert_page_with_its_script(page)
    assert "&lt;/svg&gt;&lt;script&gt; \u2192 " in page
    assert_trace(run)
    nothing = replace(run, names=())
    assert played(page) == played(drawing.html(nothing))  # no name reaches the script


# --- files, and several runs --------------------------------------------------------------------


def test_files(tmp_path: Path) -> None:
    run = ours(2, 3, packets=4)
    write_certificate(to_document(run), tmp_path / "run.json")
    for suffix, form in ((".svg", drawing.svg), (".html", drawing.html)):
        drawing.draw(tmp_path / "run.json", tmp_path / f"drawn{suffix}")
        assert (tmp_path / f"drawn{suffix}").read_text(encoding="utf-8") == form(run)
    drawing.draw(run, tmp_path / "trace.json")
    assert json.loads((tmp_path / "trace.json").read_text()) == drawing.trace(run)


def test_several_runs_over_each_other(tmp_path: Path) -> None:
    first, second = ours(4, 4, packets=100), tree(4, 4, packets=100)
    write_certificate(to_document(second), tmp_path / "tree.json")
    labels: dict[str, Any] = {"<ours>\n": first, "tree": tmp_path / "tree.json"}
    svg = drawing.active_edges(labels)
    shown = words(svg)
    assert "<ours>\ufffd" in shown
    assert "Transfers under way: 16 nodes, half-duplex" in shown
    rows = list(zip(*[iter(shown[shown.index("<ours>\ufffd") :][:10])] * 5, strict=True))
    assert [row[1:3] for row in rows] == [
        (str(run.steps), str(run.bound)) for run in (first, second)
    ]
    # 500 transfers in 101 steps, times 3: as in the table of the paper, 5.0 of 8.
    assert rows[1][3:] == ("~4.95", "~62%")
    assert drawing.active_edges({"tree": second, "again": second}).count(">303<") == 3
    assert svg == drawing.active_edges(labels)
    long = drawing.active_edges({"tree": tree(4, 4, packets=1000)})
    assert any("the fewest and the most of" in word for word in words(long))


@pytest.mark.parametrize("packets", [20, 300])
def test_lines_of_several_runs(packets: int) -> None:
    """A mean in the middle of its steps, for each run in its own color, up to its own end."""
    runs = {"ours": ours(4, 4, packets=packets), "tree": tree(4, 4, packets=packets)}
    drawn = parsed(drawing.active_edges(runs))
    end = max(run.steps for run in runs.values())
    fine, coarse = -(-end // 380), -(-end // 95)
    pale = "every step" if fine == 1 else f"the fewest and the most of {fine} steps"
    note = f"Strong lines: means of {coarse} steps; pale: {pale}. At most 8 transfers fit into a"
    assert f"{note} step." in " ".join(words_of(drawn))
    axes = rounds_curves.Chart(end, 8, "", 760)
    for rank, run in enumerate(runs.values()):
        traffic = RoundTraffic(run)
        mine = [path for path in drawn.iter(f"{SVG}path") if path.get("stroke") == color(rank)]
        strong = [path.get("d", "") for path in mine if path.get("stroke-width") == "2.2"]
        assert len(mine) - len(strong) == (fine == 1)
        assert sum(path.get("fill") == color(rank) for path in drawn.iter(f"{SVG}path")) == (
            fine > 1
        )
        points = [tuple(map(float, pair.split())) for pair in strong[0][1:].split("L")]
        expected = [(Fraction(0), Fraction(0))]
        for start in range(0, run.steps, coarse):
            steps = range(start, min(start + coarse, run.steps))
            mean = Fraction(sum(map(traffic.under_way, steps)), len(steps))
            expected.append((start + Fraction(len(steps), 2), mean))
        expected.append((Fraction(run.steps), Fraction(0)))
        for (x, y), (step, number) in zip(points, expected, strict=True):
            assert abs(x - axes.x(step)) < 0.01
            assert abs(y - axes.y(number)) < 0.01
        marks = [mark for mark in drawn.iter(f"{SVG}rect") if mark.get("fill") == color(rank)]
        assert len(marks) == 1


def test_a_run_without_steps_has_no_line() -> None:
    alone = SynchronousRun(1, (), "half-duplex", ((0, 7),), (), 0, 0, (), True, ())
    drawn = parsed(drawing.active_edges({"alone": alone}))
    assert not list(drawn.iter(f"{SVG}path"))


def test_runs_that_cannot_be_compared() -> None:
    run = ours(4, 4, packets=20)
    one_port = ours(4, 4, packets=20, ports="one-port")
    with pytest.raises(InvalidInput, match="all runs are on 16 nodes, and 8 transfers fit"):
        drawing.active_edges({"one": run, "other": one_port})
    # As many pairs of nodes, but not as many nodes.
    with pytest.raises(InvalidInput, match="all runs are on 4 nodes, and 2 transfers fit"):
        drawing.active_edges({"one": ours(2, 2, packets=1), "other": ring_of_five()})
    with pytest.raises(InvalidInput, match="at least one run"):
        drawing.active_edges({})
    with pytest.raises(InvalidInput, match="at most 24 runs"):
        drawing.active_edges({str(k): run for k in range(25)})
    star = json.loads((ROOT / "tests" / "corpus" / "accepted" / "run-star.json").read_text())
    with pytest.raises(InvalidInput, match="a run in steps is needed"):
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
