"""Graphs: boxes with names, strands as wide as what they carry, labels where there is room."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import cos, sin, sqrt

from exactsched.drawing.layout.boxes import LABELED_AT, NodeBoxes, Room, apart
from exactsched.drawing.layout.geometry import Bend, Point
from exactsched.drawing.layout.stress import closest
from exactsched.drawing.lettering import clipped, clipped_apart, counted, text_width
from exactsched.drawing.palette import ALARM, ALARM_PAPER, INK, PAPER, SOFT_INK, UNUSED, ink_on
from exactsched.drawing.renderers.svg.canvas import (
    Fragment,
    arrowhead,
    group,
    lettered,
    pair,
    path_of,
    plate,
    plate_size,
    stroked,
    tag,
)
from exactsched.drawing.scene import Graph, Hint, Node

ROOMY_UP_TO = 40
"""Boxes of a graph of this size are large enough for several lines."""

# A box smaller than this has no name.  Names are at most so wide, and letters of three sizes; a
# smaller one is taken where the box would be too small.
_SMALL = 7.5
_WIDEST_NAME = 130.0
_SIZES = (12.0, 10.5, 9.0)
# What is left of a name that is cut off.
_READABLE = 8
# Between two boxes in a row: there an arc is seen.
_BETWEEN = 30.0
_WIDE_UP_TO = 12
_THICK_UP_TO = 60
_APART = 15.0
_LOOP = 26.0
# How much larger a graph may be so that all names have room.
_LARGER = (1.15, 1.3, 1.5)
_TRIES = 8
# Labels keep off other edges as long as there are at most this many pairs of them.
_COMPARED = 6000
_CLOSE = 5.0


def graph_fragment(graph: Graph, room: float | None = None) -> tuple[Fragment, list[str | Hint]]:
    """The graph, and what has to be said of it because there is no room.

    A graph that is too wide is turned if it is less high than wide, and its nodes move together.
    They move apart where names have no room, as long as the picture is not too wide.
    """
    picture = _Picture(graph)
    if room is None or picture.width <= room:
        for larger in _LARGER if picture.nameless else ():
            other = _Picture(graph, larger=larger)
            if not other.nameless and (room is None or other.width <= room):
                return other.drawn()
        return picture.drawn()
    places = graph.places
    if max(place.x for place in places) > 1.2 * max(place.y for place in places):
        graph = replace(graph, places=tuple(Point(place.y, place.x) for place in places))
    most: float | None = None
    for roomy in (True, False):
        for _ in range(_TRIES if not roomy else 1):
            picture = _Picture(graph, most, roomy)
            if picture.width <= room:
                return picture.drawn()
            # Boxes are as wide as their names, so what is left for the ways between them decides.
            around = 2 * picture.corner.x
            most = picture.unit * max(0.3, (room - around) / (picture.width - around)) * 0.98
    fragment, notes = picture.drawn()
    return fragment.narrowed(room), notes


def _told_apart(names: Sequence[str], rooms: Sequence[float], sizes: Sequence[float]) -> list[str]:
    """Names cut off where they are too long; where two would read the same, none at all."""
    cut = clipped_apart(names, rooms, sizes)
    alike = Counter(dict(zip(names, cut, strict=True)).values())
    return [one if alike[one] == 1 else "" for one in cut]


def _no_room(what: str) -> Hint:
    return Hint(
        f"{what} not shown for lack of room; the pointer is told.",
        f"{what} not shown for lack of room.",
    )


class _Picture:
    """Places and sizes first, then the layers from back to front."""

    def __init__(
        self, graph: Graph, most: float | None = None, roomy: bool = True, larger: float = 1.0
    ) -> None:
        """Neighbors are at most `most` pixels apart; boxes have lines only if they are `roomy`.

        The nodes that are `nameless` would have a name if there were room for it.
        """
        self.graph, self.most, self.larger = graph, most, larger
        self.nameless = 0
        self.notes: list[str | Hint] = []
        lines = any(node.lines for node in graph.nodes)
        self.roomy = roomy and len(graph.nodes) <= ROOMY_UP_TO and lines
        if lines and not roomy:
            self.notes.append("For lack of room nodes have nothing but their names.")
        self.names = [node.name for node in graph.nodes]
        self.sizes = [_SIZES[0]] * len(graph.nodes)
        self.unit = 1.0
        boxes = self._roomy_boxes() if self.roomy else self._compact_boxes()
        edge = max(boxes.half_widths) + 8
        corner = Point(edge, boxes.half_height + 10)
        loops = any(one.tail == one.head for one in graph.edges)
        if loops:
            corner += Point(1.4 * _LOOP, 1.4 * _LOOP)
        self.corner = corner
        boxes.points = [point + corner for point in boxes.points]
        self.boxes = boxes
        self.small = boxes.half_height < _SMALL
        self.width = max(point.x for point in boxes.points) + corner.x
        self.height = max(point.y for point in boxes.points) + corner.y
        crowd = 0.6 if len(graph.nodes) <= 120 else 0.3
        self.full = min(graph.width, crowd * boxes.radius)
        self.curves = self._curves()
        self.start = self._grown()

    def _roomy_boxes(self) -> NodeBoxes:
        """Boxes with several lines, the graph so large that none covers another."""
        nodes, places = self.graph.nodes, self.graph.places
        half_height = 13.0 + 6.0 * max(len(node.lines) for node in nodes)
        self.names = _told_apart(self.names, [110.0] * len(nodes), self.sizes)
        half_widths = []
        for name, node in zip(self.names, nodes, strict=True):
            low = max((text_width(line, 10) for line in node.lines), default=0)
            middle = text_width(name, _SIZES[0]) * 1.08
            half_widths.append(max(half_height, low / 2 + 9, middle / 2 + 14))
        # Room for an arrow and its label between two boxes, but not at any price.
        room = 64 if len(nodes) <= _WIDE_UP_TO else 34
        unit = 130.0
        for one, here in enumerate(places):
            for other in range(one):
                apart = places[other] - here
                across = (half_widths[one] + half_widths[other] + room) / max(abs(apart.x), 1e-9)
                down = (2 * half_height + room / 2 + 10) / max(abs(apart.y), 1e-9)
                unit = max(unit, min(across, down))
        self.unit = unit
        points = [point * unit for point in places]
        return NodeBoxes(points, half_widths, half_height)

    def _compact_boxes(self) -> NodeBoxes:
        """Boxes with names, or dots, in a graph of limited size."""
        places = self.graph.places
        width, height = max(point.x for point in places), max(point.y for point in places)
        labels = [text_width(edge.label, 10.5) for edge in self.graph.edges if edge.label]
        widest = max(text_width(clipped(name, 96, 12), 12) for name in self.names) + 60
        widest += max(labels, default=0)
        spacious = (150 if labels else 118) * sqrt(len(places))
        side = self.larger * min(900.0, max(330.0, spacious, min(560.0, widest * width)))
        unit = min(max(140.0, widest), side / max(width, height, 1e-9))
        unit = self.unit = unit if self.most is None else min(unit, self.most)
        radius = max(2.5, min(17.0, 0.3 * closest(places) * unit))
        points = [point * unit for point in places]
        half_widths = [radius] * len(places)
        if radius >= _SMALL:
            half_widths = self._fitted_names(points, radius)
        else:
            self.names = [""] * len(places)
            told = "Names of nodes are shown when the pointer rests on them."
            self.notes.append(Hint(told, "Nodes have no names for lack of room."))
        return NodeBoxes(points, half_widths, radius)

    def _fitted_names(self, points: Sequence[Point], radius: float) -> list[float]:
        """Half widths of boxes around names: letters of one size, the largest that has room.

        Where even the smallest has none, long names are cut off, and short ones left out.
        """
        ends = 0.45 * radius
        between = min(_BETWEEN, 1.6 * radius)
        sizes = [size for size in _SIZES if size <= max(0.8 * radius, _SIZES[-1])]
        # Where nothing else helps, boxes come closer to each other.
        for size, gap in [*((one, between) for one in sizes), (sizes[-1], 0.4 * between)]:
            wide = [min(_WIDEST_NAME, text_width(name, size)) for name in self.names]
            wanted = [max(radius, one / 2 + ends) for one in wide]
            given = apart(points, wanted, radius, 2 * radius + 6, gap)
            rooms = [max(2 * radius - 4, 2 * (one - ends)) for one in given]
            fits = [one <= room + 1e-6 for one, room in zip(wide, rooms, strict=True)]
            if all(fits):
                break
        self.sizes = [size] * len(points)
        cut = _told_apart(self.names, rooms, self.sizes)
        self.names = [
            one if fit or len(one) >= _READABLE else "" for one, fit in zip(cut, fits, strict=True)
        ]
        self.nameless = self.names.count("")
        if self.nameless:
            self.notes.append(_no_room(counted(self.nameless, "name")))
        return [
            max(radius, text_width(name, size) / 2 + ends) if name else radius
            for name in self.names
        ]

    def _grown(self) -> Point:
        """Where the nodes' corner is, once there is room for arcs that run around the nodes."""
        left = top = 0.0
        for curve in self.curves:
            for point in (curve.at(step / 8) for step in range(1, 8)) if curve.bent else ():
                left, top = min(left, point.x - 3), min(top, point.y - 3)
                self.width = max(self.width, point.x + 3)
                self.height = max(self.height, point.y + 3)
        self.width, self.height = self.width - left, self.height - top
        return Point(-left, -top)

    def _curves(self) -> list[Bend]:
        """A curve for each edge; those between the same two nodes side by side."""
        edges = self.graph.edges
        alike: dict[tuple[int, int], list[int]] = {}
        for index, edge in enumerate(edges):
            alike.setdefault((min(edge.tail, edge.head), max(edge.tail, edge.head)), []).append(
                index
            )
        middle = Point(self.width / 2, self.height / 2)
        curves: dict[int, Bend] = {}
        for (low, high), some in alike.items():
            opposite = len(some) == 2 and edges[some[0]].tail == edges[some[1]].head
            for place, index in enumerate(some):
                tail, head = edges[index].tail, edges[index].head
                offset = (place - (len(some) - 1) / 2) * _APART
                if low == high:
                    out = self.boxes.points[low] - middle
                    out = out.unit if out.length > 1 else Point(0.0, -1.0)
                    angle = offset / _APART
                    out = out * cos(angle) + out.right * sin(angle)
                    curves[index] = self.boxes.loop(low, out, _LOOP)
                elif len(some) == 1 or opposite:
                    between = (self.boxes.points[head] - self.boxes.points[tail]).length
                    aside = max(0.04 * between, 0.6 * self.full + 3) if opposite else 0
                    curves[index] = self.boxes.curve(tail, head, aside)
                else:
                    curves[index] = self.boxes.fanned(tail, head, offset)
        return [curves[index] for index in range(len(edges))]

    def drawn(self) -> tuple[Fragment, list[str | Hint]]:
        edges = self.graph.edges
        # The widest first, so that narrow ones are seen where they cross.
        total = [sum(share for _, share in edge.strands) for edge in edges]
        order = sorted(range(len(edges)), key=lambda index: (bool(total[index]), -total[index]))
        body = [self._halo()]
        body += [group(self._edge(index), edges[index].told) for index in order]
        nodes = [self._node(index, node) for index, node in enumerate(self.graph.nodes)]
        labels = list(self._labels())
        # Where all labels are written some may stand on nodes.
        body += [*nodes, *labels] if self.graph.every_label else [*labels, *nodes]
        drawn = Fragment(self.width, self.height, "".join(body))
        if self.start.length:
            drawn = replace(drawn, body=drawn.at(self.start.x, self.start.y))
        return drawn, self.notes

    def _halo(self) -> str:
        """A red cloud around the nodes on red ground."""
        nodes, points = self.graph.nodes, self.boxes.points
        thick = 2 * self.boxes.half_height + 14
        dots = [
            self._outline(index, 7, fill=ALARM_PAPER)
            for index, node in enumerate(nodes)
            if node.alarm
        ]
        ties = [
            f"M{pair(points[edge.tail])}L{pair(points[edge.head])}"
            for edge in self.graph.edges
            if nodes[edge.tail].alarm and nodes[edge.head].alarm
        ]
        return "".join(dots) + (stroked("".join(ties), ALARM_PAPER, thick) if ties else "")

    def _edge(self, index: int) -> str:
        strands, curve = self.graph.edges[index].strands, self.curves[index]
        length = (curve.end - curve.start).length
        if not strands:
            width = 1 if len(self.graph.nodes) <= _THICK_UP_TO else 0.4
            tip = arrowhead(curve, min(6.0, self.boxes.radius * 0.6), UNUSED)
            return stroked(path_of(curve), UNUSED, width) + (tip if self.graph.directed else "")
        least = min(1.0 if not self.small else 0.4, self.full / len(strands))
        widths = [max(least, self.full * float(share)) for _, share in strands]
        total = sum(widths)
        loop = self.graph.edges[index].tail == self.graph.edges[index].head
        head = min(max(1.7 * total, 8.0), self.boxes.radius, _LOOP if loop else 0.45 * length)
        line = curve.shortened(head * 0.8) if self.graph.directed else curve
        offset = -total / 2
        parts = []
        for (fill, _), width in zip(strands, widths, strict=True):
            strand = line.beside(offset + width / 2) if len(strands) > 1 else line
            offset += width
            # A little wider than its share, so that no paper shines through between two.
            parts.append(stroked(path_of(strand), fill, width + (0.25 if len(strands) > 1 else 0)))
        if self.graph.directed:
            parts.append(arrowhead(curve, head, strands[0][0] if len(strands) == 1 else INK))
        return "".join(parts)

    def _labels(self) -> Iterator[str]:
        edges = self.graph.edges
        labeled = [index for index, edge in enumerate(edges) if edge.label]
        if not labeled:
            return
        if self.small and not self.graph.every_label:
            what = f"{self.graph.label_noun.capitalize()}s are"
            told = f"{what} shown when the pointer rests on an arc."
            self.notes.append(Hint(told, f"{what} left out for lack of room."))
            return
        size = 10.5 if len(labeled) <= 45 else 9.5
        room = Room(self.boxes)
        missing = 0
        done: set[int] = set()
        number = {(edge.tail, edge.head): index for index, edge in enumerate(edges)}
        lines = self._lines(labeled)
        for index in sorted(labeled, key=lambda index: (not edges[index].strands, index)):
            if index in done:
                continue
            edge, curve = edges[index], self.curves[index]
            back = number.get((edge.head, edge.tail), index)
            spots = [curve.at(share) for share in LABELED_AT]
            if back != index and edges[back].label == edge.label and not self.graph.every_label:
                # One label between two opposite edges that say the same.
                done.add(back)
                other = self.curves[back]
                spots = [(curve.at(t) + other.at(1 - t)) * 0.5 for t in LABELED_AT]
            own = {index, back} if back in done else {index}
            others = [point for k, some in lines.items() if k not in own for point in some]
            spot = room.spot(spots, *plate_size(edge.label, size), others)
            if spot is None and self.graph.every_label:
                spot = spots[1]
            if spot is None:
                missing += 1
            else:
                used = edge.strands or edges[back].strands
                yield plate(edge.label, spot, size, INK if used else SOFT_INK)
        if missing:
            self.notes.append(_no_room(counted(missing, self.graph.label_noun)))

    def _lines(self, labeled: Sequence[int]) -> dict[int, list[Point]]:
        """Points on the curves of graphs that are not too large, so close that labels meet them."""
        if len(labeled) * len(self.curves) > _COMPARED:
            return {}
        return {
            index: [curve.at(step / count) for step in range(1, count)]
            for index, curve in enumerate(self.curves)
            for count in [max(2, int((curve.end - curve.start).length / _CLOSE))]
        }

    def _outline(self, index: int, gap: float, **look: str | float | None) -> str:
        """The box of a node, or a line around it at some distance."""
        center, half = self.boxes.points[index], self.boxes.half_widths[index]
        tall = self.boxes.half_height
        return tag(
            "rect",
            x=center.x - half - gap,
            y=center.y - tall - gap,
            width=2 * (half + gap),
            height=2 * (tall + gap),
            rx=self.boxes.radius + gap,
            **look,
        )

    def _node(self, index: int, node: Node) -> str:
        fill = node.stroke if self.small and node.fill == PAPER else node.fill
        drawn = self._outline(
            index,
            0,
            fill=fill,
            stroke=ALARM if node.alarm else node.stroke,
            stroke_width=0.5 if self.small else 1.6,
            stroke_dasharray="4 3" if node.alarm else None,
        )
        if node.ring:
            gap, width = (0.8, 1.0) if self.small else (3.5, 1.4)
            drawn = (
                self._outline(index, gap, fill="none", stroke=node.ring, stroke_width=width) + drawn
            )
        ink = ALARM if node.alarm and node.fill == PAPER else ink_on(node.fill)
        x, y = self.boxes.points[index].x, self.boxes.points[index].y
        lines = node.lines if self.roomy else ()
        bold = self.roomy or node.fill == INK
        size = self.sizes[index]
        top = y + size * 0.36 - 6.2 * len(lines)
        if self.names[index]:
            name = self.names[index]
            drawn += lettered(name, x, top, size, fill=ink, anchor="middle", bold=bold)
        soft = SOFT_INK if ink == INK else ink
        for number, line in enumerate(lines, 1):
            drawn += lettered(line, x, top + 12.8 * number, 10, fill=soft, anchor="middle")
        return group(drawn, node.told)
