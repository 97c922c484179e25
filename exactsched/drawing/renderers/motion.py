"""A graph in motion, with a slider and a button, as elements of a page of HTML.

The script is part of the page and loads nothing.  It is given numbers and paths only, no names:
nothing that a certificate says becomes a part of it.
"""

from __future__ import annotations

import json
from html import escape
from typing import Any

from exactsched.drawing.layout.geometry import Point
from exactsched.drawing.layout.mesh import LETTERED_UP_TO, SMALL, MeshShape
from exactsched.drawing.lettering import clipped
from exactsched.drawing.palette import PAPER, SOFT_INK
from exactsched.drawing.renderers.svg import legend
from exactsched.drawing.renderers.svg.canvas import Fragment, group, lettered, plate, tag
from exactsched.drawing.renderers.svg.frames import STROKE, arrow_paths, mesh_links
from exactsched.drawing.scene import Motion

_ACROSS = 1000
# How far lettered nodes are apart, and the size of their names.
_APART, _NAME = 76.0, 9.5


def motion_markup(motion: Motion) -> list[str]:
    """The graph with its slider, and the script that moves it; if no step can be shown, a note."""
    notes = [f'<p class="soft">{escape(note)}</p>' for note in motion.notes]
    if not motion.rows:
        return notes
    size = len(motion.own)
    apart = _APART if size <= LETTERED_UP_TO else 44.0 if size <= SMALL else 24.0
    shape = MeshShape(motion.mesh, apart, _ACROSS)
    key = legend(motion.legend, max(shape.width, 420))
    drawn = Fragment(
        max(shape.width, key.width),
        shape.height + 30 + key.height,
        _stage(motion, shape) + key.at(0, shape.height + 30),
    )
    data = json.dumps(_data(motion, shape), separators=(",", ":"))
    return [
        "<h2>Step by step</h2>",
        '<div class="steps">',
        '<p class="controls"><button type="button" class="play">play</button> ',
        '<button type="button" class="back" aria-label="one step back">&#8722;1</button> ',
        '<button type="button" class="on" aria-label="one step on">+1</button> ',
        f'<input type="range" min="0" max="{motion.last}" value="0" step="1" aria-label="step"/>',
        "</p>",
        '<p class="soft told" aria-live="polite">Playing needs a script.</p>',
        f'<figure class="scroll">{drawn.element("The steps in motion", 16)}</figure>',
        "</div>",
        *notes,
        f"<script>{_SCRIPT.replace('DATA', data, 1)}</script>",
    ]


def _data(motion: Motion, shape: MeshShape) -> dict[str, Any]:
    """All that the script knows; the arcs at work are numbered anew."""
    used = sorted({arc for row in motion.rows for arc in row[::2]})
    place = {arc: index for index, arc in enumerate(used)}
    rows = [list(row) for row in motion.rows]
    for row in rows:
        row[::2] = [place[arc] for arc in row[::2]]
    paths = [arrow_paths(shape, arc) for arc in used]
    return {
        "last": motion.last,
        "end": motion.end,
        "packets": motion.packets,
        "byPacket": motion.by_packet,
        "colors": motion.colors,
        "shades": motion.shades,
        "width": shape.stroke_width,
        "own": motion.own,
        "heads": [motion.mesh.arcs[arc][1] for arc in used],
        # What lasts longer than all that is shown need not be told exactly.
        "durations": [min(motion.durations[arc], motion.last + 1) for arc in used],
        "lines": [line for line, _ in paths],
        "tips": [tip for _, tip in paths],
        "rows": rows,
    }


def _stage(motion: Motion, shape: MeshShape) -> str:
    """Links, the arrows (empty at first), and a circle for each node; number and name if they fit.

    The script gives the circles their shades and the numbers their texts.
    """
    numbers = shape.lettered
    nodes: list[str] = []
    names: list[str] = []
    for name, center in zip(motion.names, shape.boxes.points, strict=True):
        thin, x, y = 1.0 if numbers else 0.4, center.x, center.y
        drawn = tag(
            "circle", cx=x, cy=y, r=shape.radius, fill=PAPER, stroke=STROKE, stroke_width=thin
        )
        if numbers:
            drawn += lettered("\u00a0", x, y + 3.4, 9.5, anchor="middle")
            below = clipped(name, _APART - 6, _NAME)
            names.append(plate(below, Point(x, y + shape.radius + 8), _NAME, SOFT_INK))
        nodes.append(group(drawn, name))
    # Large nodes hide the ends of arrows, small ones are hidden by them.
    layers = [f'<g class="nodes">{"".join(nodes)}</g>', '<g class="arrows"></g>']
    drawn = mesh_links(shape) + "".join(layers[::-1] if numbers else layers)
    return drawn + f'<g class="names">{"".join(names)}</g>'


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
