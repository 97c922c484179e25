"""A run in steps in motion: the graph, a slider and a button, in a page of HTML.

The script is part of the page and loads nothing.  It is given numbers and paths only, no names:
nothing that a certificate says becomes a part of it.
"""

from __future__ import annotations

import json
from itertools import chain
from typing import Any

from exactsched.drawing.canvas import Fragment, hint, lettered, tag
from exactsched.drawing.lettering import counted
from exactsched.drawing.page import figure
from exactsched.drawing.rounds_colors import FULL, SHADES, by_packet, color_key, palette, shade
from exactsched.drawing.rounds_curves import legend_row
from exactsched.drawing.rounds_frames import arrow_paths, arrow_width, links
from exactsched.drawing.rounds_places import LETTERED_UP_TO, Places, SynchronousGraphShape
from exactsched.drawing.rounds_traffic import RoundTraffic

MOST_TRANSFERS = 300_000
MOST_STEPS = 20_000
MOST_ARCS = 8000
_MOST_PACKETS = 1_000_000
_ACROSS = 1000


def animation(traffic: RoundTraffic, places: Places) -> list[str]:
    """Elements of a page: the graph with a slider over the first steps, as many as fit.

    The page stays below some 5 MB: at most `MOST_STEPS` steps and `MOST_TRANSFERS` transfers.
    """
    rows, used = _first_rows(traffic)
    if not rows or traffic.packets > _MOST_PACKETS:
        return ['<p class="soft">The steps are not shown in motion: there are too many.</p>']
    whole = len(rows) == len(traffic.run.sends) and traffic.end <= MOST_STEPS
    # The picture after the last step is one more.
    last = traffic.end if whole else len(rows) - 1
    size = traffic.run.size
    apart = 76.0 if size <= LETTERED_UP_TO else 44.0 if size <= 100 else 24.0
    shape = SynchronousGraphShape(places, apart, _ACROSS)
    data = _data(traffic, shape, rows, used, last)
    what = "packets" if by_packet(traffic) else "transfers"
    key = legend_row(color_key(traffic), max(shape.width, 420))
    drawn = Fragment(
        max(shape.width, key.width),
        shape.height + 24 + key.height,
        _stage(traffic, shape) + key.at(0, shape.height + 24),
    )
    lines = [
        "<h2>Step by step</h2>",
        '<div class="steps">',
        '<p><button type="button" class="play">play</button> ',
        '<button type="button" class="back" aria-label="one step back">&#8722;1</button> ',
        '<button type="button" class="on" aria-label="one step on">+1</button> ',
        f'<input type="range" min="0" max="{last}" value="0" step="1" aria-label="step"',
        ' style="width:min(34rem,60%);vertical-align:middle"/></p>',
        '<p class="soft told" aria-live="polite">Playing needs a script.</p>',
        figure(drawn.document("The steps in motion", 16)),
        "</div>",
        f'<p class="soft">Steps are numbered from 0; colors are those of {what}, and the darker a'
        " node, the more packets it has.</p>",
    ]
    if not whole:
        shown = f"The first {len(rows):,} of {counted(traffic.end, 'step')} can be played."
        lines.append(f'<p class="soft">{shown}</p>')
    script = _SCRIPT.replace("DATA", json.dumps(data, separators=(",", ":")), 1)
    return [*lines, f"<script>{script}</script>"]


def _first_rows(traffic: RoundTraffic) -> tuple[list[tuple[int, ...]], list[int]]:
    """As many rows as may be shown, and the arcs in them."""
    rows: list[tuple[int, ...]] = []
    used: set[int] = set()
    transfers = 0
    for row in traffic.run.sends[:MOST_STEPS]:
        used.update(send.arc for send in row)
        transfers += len(row)
        if transfers > MOST_TRANSFERS or len(used) > MOST_ARCS:
            break
        rows.append(tuple(chain.from_iterable(row)))
    return rows, sorted({arc for row in rows for arc in row[::2]})


def _data(
    traffic: RoundTraffic,
    shape: SynchronousGraphShape,
    rows: list[tuple[int, ...]],
    used: list[int],
    last: int,
) -> dict[str, Any]:
    """All that the script knows; arcs are numbered anew, and the shortest keys save little."""
    place = {arc: index for index, arc in enumerate(used)}
    short_rows = [list(row) for row in rows]
    for row in short_rows:
        row[::2] = [place[arc] for arc in row[::2]]
    paths = [arrow_paths(shape, arc) for arc in used]
    return {
        "last": last,
        "end": traffic.end if traffic.end == last else -1,
        "packets": traffic.packets,
        "byPacket": by_packet(traffic),
        "colors": palette(traffic),
        "shades": [*SHADES, FULL],
        "width": arrow_width(shape),
        "own": traffic.own,
        "heads": [traffic.run.arcs[arc][1] for arc in used],
        # What lasts longer than all that is shown need not be told exactly.
        "durations": [min(traffic.durations[arc], last + 1) for arc in used],
        "lines": [line for line, _ in paths],
        "tips": [tip for _, tip in paths],
        "rows": short_rows,
    }


def _stage(traffic: RoundTraffic, shape: SynchronousGraphShape) -> str:
    """Links, the arrows (empty at first), and a circle for each node, with a number if it fits."""
    size = traffic.run.size
    numbers = size <= LETTERED_UP_TO
    stroke = "#486178"
    nodes = []
    for node, center in enumerate(shape.boxes.points):
        fill = shade(traffic.own[node], traffic.packets)
        look = {"fill": fill, "stroke": stroke}
        thin = 1.0 if numbers else 0.4
        x, y = center.real, center.imag
        drawn = tag("circle", cx=x, cy=y, r=shape.radius, stroke_width=thin, **look)
        if numbers:
            drawn += lettered("\u00a0", x, y + 3.4, 9.5, anchor="middle")
        nodes.append(f"<g>{hint(traffic.name(node))}{drawn}</g>")
    # Large nodes hide the ends of arrows, small ones are hidden by them.
    layers = [f'<g class="nodes">{"".join(nodes)}</g>', '<g class="arrows"></g>']
    return links(shape, thin=not numbers) + "".join(layers[::-1] if numbers else layers)


_SCRIPT = """
(() => {
const D = DATA;
const box = document.querySelector(".steps"), find = name => box.querySelector(name);
const slider = find("input"), told = find(".told"), play = find(".play");
const circles = box.querySelectorAll(".nodes circle"), texts = box.querySelectorAll(".nodes text");
const most = D.durations.reduce((a, b) => Math.max(a, b), 1);
const made = (look) => {
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  for (const name in look) path.setAttribute(name, look[name]);
  find(".arrows").appendChild(path);
  return path;
};
const line = (color, dashes) => made({fill: "none", stroke: color, "stroke-width": D.width,
  "stroke-dasharray": dashes});
const paths = D.colors.map(color => [line(color, "none"), line(color, "3 2"), made({fill: color})]);
const arriving = Array.from({length: D.last + 1}, () => []);
D.rows.forEach((row, step) => {
  for (let k = 0; k < row.length; k += 2) {
    const end = step + D.durations[row[k]];
    if (end <= D.last) arriving[end].push(row[k], row[k + 1]);
  }
});
const have = D.own.slice(), copies = new Map();
let now = 0, total = have.reduce((a, b) => a + b, 0), timer = 0;
const copiesOf = packet => 1 + (copies.get(packet) || 0);
const apply = (time, sign) => {
  const row = arriving[time];
  for (let k = 0; k < row.length; k += 2) {
    have[D.heads[row[k]]] += sign;
    copies.set(row[k + 1], (copies.get(row[k + 1]) || 0) + sign);
  }
  total += sign * row.length / 2;
};
const colorOf = packet => {
  if (D.byPacket) return packet;
  const copied = copiesOf(packet);
  if (copied === 1) return 0;
  const quarters = Math.ceil(4 * copied / have.length);
  return quarters <= 1 ? 1 : quarters <= 2 ? 2 : 3;
};
const shadeOf = count => count >= D.packets ? D.shades.length - 1
  : Math.ceil(count * (D.shades.length - 2) / D.packets);
const show = step => {
  while (now < step) apply(++now, 1);
  while (now > step) apply(now--, -1);
  const drawn = D.colors.map(() => [[], [], []]);
  let count = 0;
  for (let start = Math.max(0, step - most + 1); start <= step && start < D.rows.length; start++) {
    const row = D.rows[start];
    for (let k = 0; k < row.length; k += 2) {
      if (start + D.durations[row[k]] <= step) continue;
      const group = drawn[colorOf(row[k + 1])];
      group[start < step ? 1 : 0].push(D.lines[row[k]]);
      group[2].push(D.tips[row[k]]);
      count++;
    }
  }
  drawn.forEach((group, color) => group.forEach((list, kind) =>
    paths[color][kind].setAttribute("d", list.join(""))));
  have.forEach((count, node) => {
    const level = shadeOf(count);
    circles[node].setAttribute("fill", D.shades[level]);
    if (texts.length) {
      texts[node].textContent = count && String(count).length < 4 ? count : "";
      texts[node].setAttribute("fill", level > 4 ? "#ffffff" : "#1d2733");
    }
  });
  const share = (100 * total / (D.packets * have.length)).toFixed(1);
  const where = step === D.end ? "after the last step" : "step " + step;
  const held = "the nodes have about " + share + " % of all packets";
  told.textContent = step === D.end ? where + " " + held : where + ": " + count
    + (count === 1 ? " transfer; " : " transfers; ") + "at its start " + held;
  slider.value = step;
};
const stop = () => { clearInterval(timer); timer = 0; play.textContent = "play"; };
const go = step => { stop(); show(Math.max(0, Math.min(D.last, step))); };
play.addEventListener("click", () => {
  if (timer) return stop();
  if (now === D.last) show(0);
  play.textContent = "pause";
  const pause = Math.max(40, Math.min(700, 30000 / (D.last + 1)));
  timer = setInterval(() => { if (now < D.last) show(now + 1); else stop(); }, pause);
});
find(".back").addEventListener("click", () => go(now - 1));
find(".on").addEventListener("click", () => go(now + 1));
slider.addEventListener("input", () => go(Number(slider.value)));
show(0);
})();
"""
