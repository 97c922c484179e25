"""An overlay as a graph: strands as wide as the rates on them, in the colors of their senders."""

from __future__ import annotations

from exactsched.drawing.canvas import (
    ALARM,
    ALARM_PAPER,
    INK,
    PAPER,
    SOFT_INK,
    UNUSED,
    Fragment,
    hint,
    ink_on,
    lettered,
    tag,
)
from exactsched.drawing.curves import Curve, arrowhead, shortened
from exactsched.drawing.key import notes
from exactsched.drawing.layout import Point, node_positions
from exactsched.drawing.lettering import clipped, short, text_width
from exactsched.drawing.node_boxes import LABELED_AT, SMALL, NodeBoxes, closest, placed_label
from exactsched.drawing.overlay_traffic import Traffic

MOST_NODES = 1500
MOST_ARCS = 3000
MOST_RATES = 80
_ROOMY_UP_TO = 12
_TOLD_UP_TO = 40
_NAMED_UP_TO = 200
_FULL = 9.0
_NAME, _LINE = 12.0, 10.0


def overlay_graph(traffic: Traffic) -> Fragment:
    """Nodes with name, used and allowed degree, sent rate and bandwidth; arcs with their rates.

    Nodes above their degree are on red ground.  With more than `_TOLD_UP_TO` nodes only names are
    written, with more than `_NAMED_UP_TO` nothing; the pointer is told all of it.  More than
    `MOST_NODES` nodes are not drawn; notes say what else was left out.
    """
    size = traffic.overlay.machine.size
    if size > MOST_NODES:
        arcs = f"{len(traffic.overlay.arcs):,} arcs"
        most = f"(at most {MOST_NODES:,} nodes)"
        return notes([f"A graph of {size:,} nodes and {arcs} is not drawn {most}."], 380)
    return _Picture(traffic).fragment()


class _Picture:
    """Places and sizes first, then the layers from back to front."""

    def __init__(self, traffic: Traffic) -> None:
        self.traffic = traffic
        self.machine = traffic.overlay.machine
        self.notes: list[str] = []
        self.told = self.machine.size <= _TOLD_UP_TO
        self.lines = [self._lines(node) for node in range(self.machine.size)]
        arcs = traffic.overlay.arcs
        points = node_positions(self.machine.size, [(i, j) for i, j, _ in arcs], 0)
        if self.told:
            self._place_large(points)
        else:
            self._place_small(points)
        wide = self.boxes.half_widths
        edge = max(wide) + 8
        corner = complex(edge, self.boxes.radius + 10)
        self.boxes.points = [point + corner for point in self.boxes.points]
        self.width = max(point.real for point in self.boxes.points) + edge
        self.height = max(point.imag for point in self.boxes.points) + self.boxes.radius + 10
        self._place_arcs()
        if traffic.above:
            self.notes.append("In red: nodes that send to more others than their degree allows.")

    def _lines(self, node: int) -> list[str]:
        used, allowed = self.traffic.degrees[node], self.machine.degrees[node]
        sent = short(self.traffic.rate(self.traffic.sent[node]), 12)
        bandwidth = short(self.machine.bandwidths[node], 12)
        return [f"degree {used}/{allowed}", f"sends {sent} of {bandwidth}"]

    def _place_large(self, points: list[Point]) -> None:
        """Boxes with three lines, the graph so large that none covers another."""
        radius = 25.0
        half_widths = []
        for node, lines in enumerate(self.lines):
            middle = text_width(clipped(self.traffic.name(node), 110, _NAME), _NAME) * 1.08
            low = max(text_width(line, _LINE) for line in lines)
            half_widths.append(max(radius, low / 2 + 9, middle / 2 + 14))
        unit = 130.0
        # For an arrow and its rate between two boxes, but not at any price.
        room = 64 if len(points) <= _ROOMY_UP_TO else 34
        for one, here in enumerate(points):
            for other in range(one):
                apart = points[other] - here
                across = (half_widths[one] + half_widths[other] + room) / max(abs(apart.real), 1e-9)
                down = (2 * radius + room / 2 + 10) / max(abs(apart.imag), 1e-9)
                unit = max(unit, min(across, down))
        self.boxes = NodeBoxes([point * unit for point in points], half_widths, radius)

    def _place_small(self, points: list[Point]) -> None:
        """Boxes with names, or dots."""
        named = self.machine.size <= _NAMED_UP_TO
        side = 900.0 if named else 1000.0
        width, height = (max(getattr(p, part) for p in points) for part in ("real", "imag"))
        unit = min(140.0, side / max(width, height, 1e-9))
        apart = closest(points) * unit
        radius = max(2.5, min(15.0, 0.3 * apart))
        half_widths = [radius] * len(points)
        if radius >= SMALL:
            for node in range(len(points)):
                name = clipped(self.traffic.name(node), 0.62 * apart, 10)
                half_widths[node] = max(radius, text_width(name, 10) / 2 + 0.45 * radius)
        else:
            self.notes.append("Names of nodes are shown when the pointer rests on them.")
        self.boxes = NodeBoxes([point * unit for point in points], half_widths, radius)

    def _place_arcs(self) -> None:
        self.full = min(_FULL, 0.55 * self.boxes.radius)
        arcs = self.traffic.overlay.arcs
        widest = sorted(range(len(arcs)), key=lambda arc: -self.traffic.amounts[arc])[:MOST_ARCS]
        if len(widest) < len(arcs):
            self.notes.append(
                f"{len(arcs) - len(widest):,} of {len(arcs):,} arcs, those with the least rates,"
                " are not drawn."
            )
        present = {arcs[arc][:2] for arc in widest}
        self.curves: dict[int, Curve] = {}
        for arc in sorted(widest):
            tail, head, _ = arcs[arc]
            between = abs(self.boxes.points[head] - self.boxes.points[tail])
            aside = max(0.05 * between, self.full + 2) if (head, tail) in present else 0
            self.curves[arc] = self.boxes.curve(tail, head, aside)

    def fragment(self) -> Fragment:
        nodes = [self._node(node) for node in range(self.machine.size)]
        body = "".join([*self._strands(), *self._rates(), *nodes])
        graph = Fragment(self.width, self.height, body)
        if not self.notes:
            return graph
        small = notes(self.notes, max(self.width, 380))
        body = graph.body + small.at(0, graph.height + 8)
        return Fragment(max(graph.width, small.width), graph.height + small.height + 8, body)

    def _strands(self) -> list[str]:
        parts = self.traffic.overlay.parts
        drawn = []
        # The widest first, so that narrow ones are seen where they cross.
        for arc in sorted(self.curves, key=lambda arc: -self.traffic.amounts[arc]):
            curve, fill = self.curves[arc], self.traffic.color(self.traffic.overlay.arcs[arc][0])
            amount = self.traffic.amounts[arc]
            # Divided as integers: both may be too large for a float.
            width = max(1.0 if self.told else 0.4, self.full * (amount * 1000 // parts) / 1000)
            length = abs(curve.end - curve.start)
            head = min(max(1.9 * width, 8.0), self.boxes.radius, 0.45 * length)
            line = shortened(curve, 0.8 * head)
            strand = tag("path", d=line.path, stroke=fill, stroke_width=width, fill="none")
            drawn.append(_group(strand + arrowhead(curve, head, fill), hint(self._told_of(arc))))
        return drawn

    def _told_of(self, arc: int) -> str:
        sender, receiver, _ = self.traffic.overlay.arcs[arc]
        rate = short(self.traffic.rate(self.traffic.amounts[arc]), 30)
        return f"{self.traffic.name(sender)} \u2192 {self.traffic.name(receiver)}: rate {rate}"

    def _rates(self) -> list[str]:
        if not self.curves:
            return []
        if not self.told or len(self.curves) > MOST_RATES:
            self.notes.append("Rates are shown when the pointer rests on an arc.")
            return []
        covered = self.boxes.covered()
        drawn = []
        missing = 0
        for arc, curve in self.curves.items():
            rate = short(self.traffic.rate(self.traffic.amounts[arc]), 9)
            plate = placed_label(rate, map(curve.at, LABELED_AT), 10.5, INK, covered)
            if plate is None:
                missing += 1
            else:
                drawn.append(plate)
        if missing:
            rates = "rate is" if missing == 1 else "rates are"
            self.notes.append(f"{missing} {rates} shown when the pointer rests on the arc only.")
        return drawn

    def _node(self, node: int) -> str:
        above = self.traffic.degrees[node] > self.machine.degrees[node]
        own = self.traffic.color(node) if self.traffic.degrees[node] else UNUSED
        small = self.boxes.radius < SMALL
        fill = own if node == 0 else ALARM_PAPER if above else own if small else PAPER
        drawn = self.boxes.outline(
            node, 0, fill=fill, stroke=own, stroke_width=0.8 if small else 2.2
        )
        if above:
            gap, width = (0.8, 1.0) if small else (2.0, 1.2)
            ring = self.boxes.outline(node, gap, fill="none", stroke=ALARM, stroke_width=width)
            drawn = ring + drawn
        name = self.traffic.name(node)
        told = f"{name}: {', '.join(self.lines[node])}"
        if self.machine.incoming and node:
            told += f", receives at most {short(self.machine.incoming[node], 12)}"
        if above:
            told += " (above its degree)"
        if small:
            return _group(drawn, hint(told))
        ink = ink_on(own) if node == 0 else INK
        center = self.boxes.points[node]
        if not self.told:
            room = 2 * self.boxes.half_widths[node] - 0.5 * self.boxes.radius
            shown = clipped(name, room, 10)
            drawn += lettered(shown, center.real, center.imag + 3.6, 10, fill=ink, anchor="middle")
            return _group(drawn, hint(told))
        x, y = center.real, center.imag
        shown = clipped(name, 110, _NAME)
        drawn += lettered(shown, x, y - 8, _NAME, fill=ink, anchor="middle", bold=True)
        soft = ink if node == 0 else SOFT_INK
        red = ALARM if above and node else soft
        degree, sends = self.lines[node]
        drawn += lettered(degree, x, y + 5.5, _LINE, fill=red, anchor="middle", bold=above)
        drawn += lettered(sends, x, y + 18, _LINE, fill=soft, anchor="middle")
        return _group(drawn, hint(told))


def _group(markup: str, title: str) -> str:
    return f"<g>{title}{markup}</g>"
