"""Steps as small pictures of the graph, side by side: who sends what, and who has how much."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from exactsched.drawing.canvas import (
    INK,
    RULE,
    SOFT_INK,
    UNUSED,
    Fragment,
    hint,
    in_rows,
    ink_on,
    lettered,
    stacked,
    tag,
)
from exactsched.drawing.curves import Curve, pair, shortened, unit
from exactsched.drawing.key import notes
from exactsched.drawing.layout import Point
from exactsched.drawing.lettering import clipped, counted, short, text_width
from exactsched.drawing.node_boxes import Cover, placed_label
from exactsched.drawing.rounds_colors import (
    FULL,
    SHADES,
    by_packet,
    color_class,
    color_key,
    palette,
)
from exactsched.drawing.rounds_colors import shade as shade_of
from exactsched.drawing.rounds_curves import legend_row
from exactsched.drawing.rounds_places import LETTERED_UP_TO, Places, SynchronousGraphShape
from exactsched.drawing.rounds_traffic import Moment, RoundTraffic
from exactsched.drawing.wording import ARROW

MOST_NODES = 1500
MOST_LINKS = 4000
_NAMED_UP_TO = 200
ACROSS = 1240
_SMALL = 100
_GAP = 26
_MOST_IN_A_ROW = 8
# A longer arrow has its number on itself.
_LONG = 42
_ALL_UP_TO = 24


def frames(traffic: RoundTraffic, places: Places) -> Fragment:
    """Small multiples: all steps if they are few, else the first, some between, and the last."""
    shape = SynchronousGraphShape(places, *_frame_sizes(traffic.run.size))
    panel = max(shape.width, 84.0)
    in_a_row = max(1, min(_MOST_IN_A_ROW, int((ACROSS + _GAP) // (panel + _GAP))))
    each = max(in_a_row, 2)
    stages = traffic.stages() if traffic.run.size > _SMALL else None
    groups = chosen_steps(
        traffic.end, each, max(_ALL_UP_TO // in_a_row * in_a_row, 3 * each), stages
    )
    moments = iter(traffic.moments([step for _, steps in groups for step in steps]))
    parts = []
    for title, steps in groups:
        panels = [frame(traffic, shape, next(moments), panel) for _ in steps]
        head = Fragment(panel, 16, lettered(title, 0, 12, 13, bold=True))
        parts += [head, in_rows(panels, ACROSS, _GAP)]
    return stacked([*parts, frame_key(traffic, shape)], 14)


def _frame_sizes(size: int) -> tuple[float, float]:
    """How many pixels neighbors are apart in a frame, and how wide it may be."""
    if size <= LETTERED_UP_TO:
        return 54.0 if size <= 25 else 46.0, 290.0
    if size <= 400:
        return 30.0 if size <= _SMALL else 16.0, 390.0
    return 12.0, 600.0


def chosen_steps(
    end: int, each: int, all_up_to: int, stages: tuple[int, int] | None = None
) -> list[tuple[str, list[int]]]:
    """Which steps are shown, under which title: all, or the first, some between, and the last.

    Of a large graph nothing is seen in the first steps: given its `stages`, some steps of each.

    >>> chosen_steps(5, 2, 6)
    [('Step by step', [0, 1, 2, 3, 4])]
    >>> chosen_steps(100, 3, 9)
    [('The first steps', [0, 1, 2]), ('In between', [26, 50, 73]), ('The last steps', [97, 98, 99])]
    >>> [steps for _, steps in chosen_steps(100, 3, 9, (20, 80))]
    [[0, 10, 19], [35, 50, 64], [80, 90, 99]]
    """
    if end <= all_up_to:
        return [("Step by step", list(range(end)))]
    if stages is None:
        first, last = list(range(each)), list(range(end - each, end))
        between = list(range(each, 2 * each))
        if end > 3 * each + 1:  # else two of them would be the same
            between = _spread(each, end - each - 1, each + 2)[1:-1]
        return [("The first steps", first), ("In between", between), ("The last steps", last)]
    informed, full = stages
    if informed < each or full > end - each or full - informed <= each + 1:
        return [("Some of the steps", _spread(0, end - 1, 3 * each))]
    return [
        ("Until every node has a packet", _spread(0, informed - 1, each)),
        ("In between", _spread(informed, full - 1, each + 2)[1:-1]),
        ("After the first node has all packets", _spread(full, end - 1, each)),
    ]


def _spread(first: int, last: int, count: int) -> list[int]:
    """So many numbers at equal distances, up to rounding, from the first to the last."""
    return [first + (2 * k * (last - first) + count - 1) // (2 * (count - 1)) for k in range(count)]


def frame(
    traffic: RoundTraffic, shape: SynchronousGraphShape, moment: Moment, width: float
) -> Fragment:
    """A step with its number, its transfers as arrows, and the nodes as dark as they are full."""
    head = f"step {moment.step:,}"
    what = counted(len(moment.transfers), "transfer")
    if text_width(f"{head}: {what}", 11) * 1.05 > width:
        what = f"{len(moment.transfers):,}"
    title = lettered(f"{head}: {what}", 0, 11, 11, fill=SOFT_INK)
    lettered_too = traffic.run.size <= LETTERED_UP_TO
    body = [links(shape, thin=not lettered_too)]
    if lettered_too:
        body += _arrows_one_by_one(traffic, shape, moment)
        body += [_node(traffic, shape, node, moment.have[node]) for node in range(traffic.run.size)]
        body += _numbers(shape, moment)
    else:
        body += dots(shape, [shade_of(have, traffic.packets) for have in moment.have])
        body += _arrows_by_color(traffic, shape, moment)
    return Fragment(
        width, shape.height + 18, title + f'<g transform="translate(0 18)">{"".join(body)}</g>'
    )


def links(shape: SynchronousGraphShape, *, thin: bool) -> str:
    """All links as one path."""
    every = shape.places.links
    if len(every) > MOST_LINKS:
        return ""
    d = "".join(path_of(curve) for link in every for curve in shape.link(*link))
    return (
        tag("path", d=d, fill="none", stroke=RULE, stroke_width=0.8 if thin else 1.4) if d else ""
    )


def dots(shape: SynchronousGraphShape, fills: Sequence[str]) -> list[str]:
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


def arrow_paths(shape: SynchronousGraphShape, arc: int) -> tuple[str, str]:
    """The line of an arrow and its head."""
    *before, last = shape.curves(arc)
    length = abs(last.end - last.start)
    size = min(max(4.2, 0.62 * shape.radius), 0.75 * length)
    line = "".join(path_of(curve) for curve in before) + path_of(shortened(last, 0.7 * size))
    back = unit(last.end - last.control) * size
    base, wing = last.end - back, back * 0.5j
    return line, f"M{pair(last.end)}L{pair(base + wing)} {pair(base - wing)}Z"


def arrow_width(shape: SynchronousGraphShape) -> float:
    return max(1.2, 0.17 * shape.radius)


def path_of(curve: Curve) -> str:
    """A curve, or in fewer letters a straight line."""
    if abs(curve.control - (curve.start + curve.end) / 2) < 0.05:
        return f"M{pair(curve.start)}L{pair(curve.end)}"
    return curve.path


def _arrows_one_by_one(
    traffic: RoundTraffic, shape: SynchronousGraphShape, moment: Moment
) -> list[str]:
    colors = palette(traffic)
    drawn = []
    for arc, packet, copies, earlier in moment.transfers:
        tail, head, _ = traffic.run.arcs[arc]
        fill = colors[color_class(traffic, packet, copies)]
        line, tip = arrow_paths(shape, arc)
        stroke = _stroked(line, fill, arrow_width(shape), "3 2" if earlier else None)
        told = f"{traffic.name(tail)} {ARROW} {traffic.name(head)}: packet {packet:,}"
        if earlier:
            told += ", sent earlier"
        drawn.append(f"<g>{hint(told)}{stroke}{tag('path', d=tip, fill=fill)}</g>")
    return drawn


def _stroked(d: str, stroke: str, width: float, dashes: str | None) -> str:
    return tag("path", d=d, fill="none", stroke=stroke, stroke_width=width, stroke_dasharray=dashes)


def _arrows_by_color(
    traffic: RoundTraffic, shape: SynchronousGraphShape, moment: Moment
) -> list[str]:
    """Two paths for each color: lines and heads; a third for what began earlier."""
    whole: dict[int, list[str]] = defaultdict(list)
    dashed: dict[int, list[str]] = defaultdict(list)
    tips: dict[int, list[str]] = defaultdict(list)
    for arc, packet, copies, earlier in moment.transfers:
        group = color_class(traffic, packet, copies)
        line, tip = arrow_paths(shape, arc)
        (dashed if earlier else whole)[group].append(line)
        tips[group].append(tip)
    drawn = []
    for group, fill in enumerate(palette(traffic)):
        for lines, dashes in ((whole[group], None), (dashed[group], "3 2")):
            if lines:
                drawn.append(_stroked("".join(lines), fill, arrow_width(shape), dashes))
        if tips[group]:
            drawn.append(tag("path", d="".join(tips[group]), fill=fill))
    return drawn


def _node(traffic: RoundTraffic, shape: SynchronousGraphShape, node: int, have: int) -> str:
    fill = shade_of(have, traffic.packets)
    center = shape.boxes.points[node]
    told = f"{traffic.name(node)}: {counted(have, 'packet')}"
    circle = tag(
        "circle", cx=center.real, cy=center.imag, r=shape.radius, fill=fill, stroke="#486178"
    )
    shown = short(have, 4)
    size = 9.5
    if text_width(shown, size) <= 2 * shape.radius - 1 and have:
        ink = ink_on(fill)
        circle += lettered(shown, center.real, center.imag + 3.4, size, fill=ink, anchor="middle")
    return f"<g>{hint(told)}{circle}</g>"


def _numbers(shape: SynchronousGraphShape, moment: Moment) -> list[str]:
    """The number of the packet beside each arrow, where there is room."""
    covered: list[Cover] = shape.boxes.covered()
    drawn = []
    for arc, packet, _, _ in moment.transfers:
        curve = shape.curves(arc)[-1]
        shown = short(packet, 6)
        right = unit(curve.end - curve.start) * 1j
        # Wide numbers go further to the side of upright arrows.
        away = abs(right.real) * (text_width(shown, 9) / 2 + 3) + abs(right.imag) * 8.0
        spots: list[Point] = [curve.at(0.5)] * (abs(curve.end - curve.start) > _LONG)
        # An arrow keeps to its right if there is one back, so its number stands there as well.
        for side in (right, -right):
            spots += [curve.at(share) + side * away for share in (0.45, 0.3, 0.6)]
        plate = placed_label(shown, spots, 9, INK, covered)
        if plate is not None:
            drawn.append(plate)
    return drawn


def frame_key(traffic: RoundTraffic, shape: SynchronousGraphShape) -> Fragment:
    """What shades and colors mean."""
    shades = [
        tag("rect", x=13 * k, y=2, width=13, height=10, fill=fill, stroke=UNUSED)
        for k, fill in enumerate([*SHADES, FULL])
    ]
    wide = 13 * (len(SHADES) + 1)
    said = "a node has no packet ... all of them at the start of the step"
    dark = Fragment(ACROSS, 15, "".join(shades) + lettered(said, wide + 8, 11, 11))
    arrows = legend_row(color_key(traffic), ACROSS)
    if by_packet(traffic):
        lead = "packets:"
        left = text_width(lead, 11) + 8
        row = legend_row(color_key(traffic), ACROSS - left)
        arrows = Fragment(ACROSS, row.height, lettered(lead, 0, 11, 11) + row.at(left, 0))
    told = ["Steps are numbered from 0. An arrow is a transfer in this step."]
    if traffic.run.size <= LETTERED_UP_TO:
        told[0] += " Numbers in nodes count packets, those at arrows say which one is sent."
    if not traffic.unit:
        told[0] += " Dashed: under way since an earlier step."
    if len(shape.places.links) > MOST_LINKS:
        told.append(
            f"{counted(len(shape.places.links), 'link')} are not drawn, only those at work."
        )
    if shape.places.wraps:
        told.append("Links around the border are cut in two: they leave it and come in again.")
    return stacked([dark, arrows, notes(told, ACROSS)], 6)


def graph_panel(traffic: RoundTraffic, places: Places) -> Fragment:
    """The graph with the names of its nodes; those that have packets from the start are dark."""
    size = traffic.run.size
    apart = 54.0 if size <= LETTERED_UP_TO else 40.0 if size <= _SMALL else 18.0
    shape = SynchronousGraphShape(places, apart, 460)
    fills = [shade_of(own, traffic.packets) for own in traffic.own]
    ways = {arc[:2] for arc in traffic.run.arcs}
    one_way = any((head, tail) not in ways for tail, head in ways)
    body = [links(shape, thin=size > LETTERED_UP_TO)]
    if one_way and len(traffic.run.arcs) <= MOST_LINKS:
        tips = "".join(arrow_paths(shape, arc)[1] for arc in range(len(traffic.run.arcs)))
        body.append(tag("path", d=tips, fill=UNUSED))
    told = []
    roomy = shape.radius >= 7 and size <= _NAMED_UP_TO
    if roomy:
        for node, fill in enumerate(fills):
            center = shape.boxes.points[node]
            circle = tag(
                "circle",
                cx=center.real,
                cy=center.imag,
                r=shape.radius,
                fill=fill,
                stroke="#486178",
            )
            shown = clipped(traffic.name(node), 2 * shape.radius + 2, 9.5)
            ink = ink_on(fill)
            name = lettered(shown, center.real, center.imag + 3.4, 9.5, fill=ink, anchor="middle")
            about = f"{traffic.name(node)}: {counted(traffic.own[node], 'packet')} at first"
            body.append(f"<g>{hint(about)}{circle}{name}</g>")
    else:
        body += dots(shape, fills)
    if len(traffic.origins) < size:
        told.append("Dark: where packets are from the start.")
    arcs = counted(len(traffic.run.arcs), "arc")
    title = lettered(f"The graph: {counted(size, 'node')}, {arcs}", 0, 12, 13, bold=True)
    width = max(shape.width, 230)
    graph = Fragment(width, shape.height, "".join(body))
    return stacked([Fragment(width, 16, title), graph, notes(told, width)], 8)


def too_large(traffic: RoundTraffic) -> Fragment:
    """Said instead of a graph that nobody could read."""
    what = f"A graph of {traffic.run.size:,} nodes is not drawn"
    return notes([f"{what} (at most {MOST_NODES:,} nodes), and neither are its steps."], 420)
