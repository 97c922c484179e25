"""A graph from frame to frame: nodes in shades, arrows in colors, in as few bytes as possible."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from exactsched.drawing.layout.boxes import Room
from exactsched.drawing.layout.mesh import ACROSS, GAP, LETTERED_UP_TO, SMALL, MeshShape, frame_size
from exactsched.drawing.lettering import clipped, text_width
from exactsched.drawing.palette import INK, RULE, SHADES, SOFT_INK, UNUSED, ink_on
from exactsched.drawing.renderers.svg.canvas import (
    Fragment,
    group,
    in_rows,
    lettered,
    pair,
    path_of,
    plate,
    plate_size,
    stacked,
    stroked,
    tag,
)
from exactsched.drawing.scene import Frame, Frames, MeshView

STROKE = SHADES[-1]
_NAMED_UP_TO = 200
_SIZE = 9.5
# A longer arrow has its label on itself.
_LONG = 42


def arrow_paths(shape: MeshShape, arc: int) -> tuple[str, str]:
    """The paths of the line of an arrow and of its head."""
    *before, last = shape.curves(arc)
    size = min(max(4.2, 0.62 * shape.radius), 0.75 * (last.end - last.start).length)
    line = "".join(map(path_of, [*before, last.shortened(0.7 * size)]))
    tip, left, right = last.head(size)
    return line, f"M{pair(tip)}L{pair(left)} {pair(right)}Z"


def mesh_links(shape: MeshShape) -> str:
    """All links as one path."""
    d = "".join(path_of(curve) for link in shape.mesh.links for curve in shape.link(*link))
    return stroked(d, RULE, 1.4 if shape.lettered else 0.8) if d else ""


def frames_fragment(frames: Frames, room: float | None = None) -> Fragment:
    """Small multiples: groups below each other, the frames of a group side by side."""
    across = ACROSS if room is None else room
    apart, widest = frame_size(len(frames.mesh.places))
    shape = MeshShape(frames.mesh, apart, min(widest, across))
    width = max(shape.width, 84.0)
    parts = []
    for title, some in frames.groups:
        parts.append(Fragment(width, 16, lettered(title, 0, 12, 13, bold=True)))
        panels = [frame_fragment(shape, frame, width) for frame in some]
        parts.append(in_rows(panels, across, GAP))
    return stacked(parts, 14)


def frame_fragment(shape: MeshShape, frame: Frame, width: float) -> Fragment:
    """A frame below its title: links, nodes and arrows, small nodes below the arrows."""
    title = frame.title
    if text_width(title, 11) * 1.05 > width:
        title = frame.short_title
    body = [mesh_links(shape)]
    if shape.lettered:
        body += [_arrow(shape, frame, k) for k in range(len(frame.arrows))]
        body += [_node(shape, frame, k, 2 * shape.radius - 1) for k in range(len(frame.fills))]
        body += _arrow_labels(shape, frame)
    else:
        body += _dots(shape, frame.fills)
        body += _arrows_by_color(shape, frame)
    head = lettered(title, 0, 11, 11, fill=SOFT_INK)
    inside = f'<g transform="translate(0 18)">{"".join(body)}</g>'
    return Fragment(width, shape.height + 18, head + inside)


def mesh_fragment(view: MeshView, room: float | None = None) -> Fragment:
    """A frame alone, larger, with as much of the labels as fits into the nodes."""
    size = len(view.mesh.places)
    apart = 54.0 if size <= LETTERED_UP_TO else 40.0 if size <= SMALL else 18.0
    shape = MeshShape(view.mesh, apart, 460 if room is None else min(460, room))
    body = [mesh_links(shape)]
    if view.heads:
        tips = "".join(arrow_paths(shape, arc)[1] for arc in view.heads)
        body.append(tag("path", d=tips, fill=UNUSED))
    if shape.radius >= 7 and size <= _NAMED_UP_TO:
        body += [_node(shape, view.frame, node, 0) for node in range(size)]
    else:
        body += _dots(shape, view.frame.fills)
    return Fragment(shape.width, shape.height, "".join(body))


def _node(shape: MeshShape, frame: Frame, node: int, room: float) -> str:
    """A circle with its label, if there is room; without a limit the label is cut."""
    center, fill, shown = shape.boxes.points[node], frame.fills[node], frame.labels[node]
    drawn = tag("circle", cx=center.x, cy=center.y, r=shape.radius, fill=fill, stroke=STROKE)
    if not room:
        shown = clipped(shown, 2 * shape.radius + 2, _SIZE)
    elif text_width(shown, _SIZE) > room:
        shown = ""
    if shown:
        ink = ink_on(fill)
        drawn += lettered(shown, center.x, center.y + 3.4, _SIZE, fill=ink, anchor="middle")
    return group(drawn, frame.told[node])


def _dots(shape: MeshShape, fills: Sequence[str]) -> list[str]:
    """All nodes as dots; those of one color are one path, of strokes of no length."""
    nodes: dict[str, list[int]] = defaultdict(list)
    for node, fill in enumerate(fills):
        nodes[fill].append(node)
    points = [pair(point) for point in shape.boxes.points]

    def drawn(some: Sequence[int], stroke: str, width: float) -> str:
        d = "".join(f"M{points[node]}h0" for node in some)
        return tag("path", d=d, stroke=stroke, stroke_width=width, stroke_linecap="round")

    rim = drawn(range(len(points)), UNUSED, 2 * shape.radius + 1)
    return [rim, *(drawn(some, fill, 2 * shape.radius) for fill, some in sorted(nodes.items()))]


def _arrow(shape: MeshShape, frame: Frame, index: int) -> str:
    arrow = frame.arrows[index]
    line, tip = arrow_paths(shape, arrow.arc)
    stroke = stroked(line, arrow.color, shape.stroke_width, "3 2" if arrow.dashed else None)
    return group(stroke + tag("path", d=tip, fill=arrow.color), arrow.told)


def _arrow_labels(shape: MeshShape, frame: Frame) -> list[str]:
    """The label of each arrow beside it, where there is room."""
    room = Room(shape.boxes)
    drawn = []
    for arrow in frame.arrows:
        curve = shape.curves(arrow.arc)[-1]
        along = curve.end - curve.start
        right = along.unit.right
        # Wide labels go further to the side of upright arrows.
        away = abs(right.x) * (text_width(arrow.label, 9) / 2 + 3) + abs(right.y) * 8.0
        spots = [curve.at(0.5)] * (along.length > _LONG)
        # An arrow keeps to its right if there is one back, so its label stands there as well.
        for side in (right * away, right * -away):
            spots += [curve.at(share) + side for share in (0.45, 0.3, 0.6)]
        spot = room.spot(spots, *plate_size(arrow.label, 9))
        if spot is not None:
            drawn.append(plate(arrow.label, spot, 9, INK))
    return drawn


def _arrows_by_color(shape: MeshShape, frame: Frame) -> list[str]:
    """Three paths for each color: lines, dashed lines, and heads."""
    lines: dict[tuple[str, bool], list[str]] = defaultdict(list)
    tips: dict[str, list[str]] = defaultdict(list)
    for arrow in frame.arrows:
        line, tip = arrow_paths(shape, arrow.arc)
        lines[arrow.color, arrow.dashed].append(line)
        tips[arrow.color].append(tip)
    drawn = []
    for fill, heads in sorted(tips.items()):
        for dashed in (False, True):
            if lines[fill, dashed]:
                d = "".join(lines[fill, dashed])
                drawn.append(stroked(d, fill, shape.stroke_width, "3 2" if dashed else None))
        drawn.append(tag("path", d="".join(heads), fill=fill))
    return drawn
