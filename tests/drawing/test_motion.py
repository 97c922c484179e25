"""The script of the page shows every step of a run as it is; arrows lead where they should."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from exactsched import drawing
from exactsched.certificate.synchronous import SynchronousRun
from exactsched.drawing.layout.geometry import Point
from exactsched.drawing.layout.mesh import MeshShape
from exactsched.drawing.renderers.svg.frames import arrow_paths
from exactsched.drawing.rounds import scenes
from exactsched.drawing.rounds.frames import color_class, mesh_of, palette, shade
from exactsched.drawing.rounds.traffic import RoundTraffic
from exactsched.model.platform import Platform
from exactsched.platforms.built_in import ring
from exactsched.synchronous.graph import synchronous_graph
from exactsched.synchronous.saturation import broadcast_in_rounds
from tests.check.test_rounds import runs
from tests.drawing.runs_in_rounds import PAIR, corpus, have_after, ours, transfers


def played(page: str) -> dict[str, Any]:
    """What the script knows."""
    found = re.search(r"^const D = (.*);$", page, re.M)
    assert found
    data = json.loads(found[1])
    assert isinstance(data, dict)
    return data


@settings(max_examples=25)
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
        assert frame["fills"] == [shade(one, traffic.packets) for one in have]
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
            hue = palette(traffic)[color_class(traffic, packet, copies)]
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


def test_what_is_too_long_to_be_played(monkeypatch: pytest.MonkeyPatch) -> None:
    # One transfer that is not over when the run can be played no more.
    long = 10**18
    slow = replace(PAIR, arcs=((0, 1, long),), origins=((0, 1),), sends=(((0, 0),),), steps=long)
    data = played(drawing.html(slow))
    assert (data["last"], data["end"], data["durations"]) == (0, -1, [1])
    many = drawing.html(replace(PAIR, origins=((0, 10**18),)))
    assert "The steps are not shown in motion: there are too many." in many
    run = ours(4, 4, packets=20)
    with monkeypatch.context() as patch:
        patch.setattr(scenes, "MOST_STEPS", 10)
        data = played(drawing.html(run))
        assert (len(data["rows"]), data["last"], data["end"]) == (10, 9, -1)
    with monkeypatch.context() as patch:
        patch.setattr(scenes, "MOST_ARCS", 12)
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
    shape = MeshShape(mesh_of(run), apart, 1000)
    used = sorted({arc for row in run.sends for arc, _ in row})
    assert len(data["lines"]) == len(used)
    for arc, line, tip in zip(used, data["lines"], data["tips"], strict=True):
        assert (line, tip) == arrow_paths(shape, arc)
        tail, head = (shape.boxes.points[node] for node in run.arcs[arc][:2])
        begin = Point(*map(float, re.findall(r"-?[\d.]+", line)[:2]))
        x, y, *wings = map(float, re.findall(r"-?[\d.]+", tip))
        point, along = Point(x, y), (head - tail).unit
        assert (begin - tail).length < shape.radius + 3
        assert (point - head).length < shape.radius + 3
        assert len(wings) == 4
        for wing in (Point(*wings[:2]), Point(*wings[2:])):
            assert (wing - tail).length < (point - tail).length
        right = along.right
        for away in (begin - tail, point - head):
            aside = away.x * right.x + away.y * right.y
            # In one-port there may be an arrow back, so both keep to their right.
            assert aside > 0.5 if ports == "one-port" else abs(aside) < 0.03


def test_small_nodes_are_under_the_arrows_and_large_ones_above() -> None:
    for run, first in ((ours(4, 4, packets=20), "arrows"), (ours(7, 7, packets=30), "nodes")):
        order = re.findall(r'<g class="(arrows|nodes)">', drawing.html(run))
        assert order == [first, *{"arrows", "nodes"} - {first}]
