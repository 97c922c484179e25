"""The platform as a picture: nodes, arcs with their costs, and the structures on them."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

from exactsched.certificate.collectives import Certificate
from exactsched.drawing.canvas import (
    ALARM,
    ALARM_PAPER,
    INK,
    PAPER,
    SOFT_INK,
    UNUSED,
    Fragment,
    hint,
    lettered,
    tag,
)
from exactsched.drawing.curves import Curve, arrowhead, pair, shortened
from exactsched.drawing.key import Key, notes
from exactsched.drawing.layout import node_positions
from exactsched.drawing.lettering import clipped, counted, printable, short, text_width
from exactsched.drawing.names import short_names
from exactsched.drawing.node_boxes import LABELED_AT, SMALL, NodeBoxes, closest, placed_label
from exactsched.drawing.roles import role_notes, roles_of
from exactsched.drawing.timeline import arc_shares, principals
from exactsched.drawing.wording import arc_name, isolated
from exactsched.model.platform import Arc

_MOST_NODES = 1500
_MOST_ARCS = 3000
_MOST_STRANDS = 8000
_COSTS_UP_TO = 90
_TREES_FIRST = 60
# A node of this radius has room for the values that it owns below its name.
_TWO_LINES = 12
_SHADED = "#dfe7f0"


def platform_graph(certificate: Certificate, key: Key) -> Fragment:
    """The graph with its structures as strands, as wide as `arc_shares` says.

    Unused arcs are thin and gray.  Throughput 0 marks the nodes that cannot be served.  Graphs of
    more than `_MOST_NODES` nodes are not drawn; a note says so, and what else was left out.
    """
    platform = certificate.problem.platform
    if len(platform.nodes) > _MOST_NODES:
        size = f"{len(platform.nodes):,} nodes and {len(platform.arcs):,} arcs"
        return notes([f"A graph of {size} is not drawn (at most {_MOST_NODES:,} nodes)."], 380)
    return _GraphPicture(certificate, key).fragment()


class _GraphPicture:
    """One drawing in progress: places and sizes first, then the layers from back to front."""

    def __init__(self, certificate: Certificate, key: Key) -> None:
        self.problem = certificate.problem
        self.arcs = certificate.problem.platform.arcs
        self.nodes = certificate.problem.platform.nodes
        self.alarming = set(isolated(certificate))
        self.place = {node: index for index, node in enumerate(self.nodes)}
        self.ends = [(self.place[arc.tail], self.place[arc.head]) for arc in self.arcs]
        self.names, note = short_names(certificate.problem.platform)
        self.notes: list[str] = [note] if note else []
        self.roles = roles_of(certificate.problem)
        # By arc, color by color in the order of weight: how wide the strand is.
        self.strands: dict[int, dict[str, Fraction]] = {}
        shares = arc_shares(certificate.problem, key.flows)
        for index in key.ranks:
            fill = key.flow_colors[index]
            for arc, share in shares[index].items():
                strands = self.strands.setdefault(arc, {})
                strands[fill] = strands.get(fill, Fraction(0)) + share
        self._place_nodes()
        self._place_arcs(len(set(key.flow_colors)))

    def _place_nodes(self) -> None:
        size = len(self.nodes)
        links = self.ends
        if size > _TREES_FIRST and self.strands:
            # All links of a large graph make a ball of wool: those in use decide.
            links = [self.ends[arc] for arc in sorted(self.strands)]
        roots = principals(self.problem)
        points = node_positions(size, links, self.place[roots[0]] if roots else 0)
        width = max(point.real for point in points)
        height = max(point.imag for point in points)
        widest = max(text_width(clipped(self.names[n], 96, 12), 12) for n in self.nodes) + 60
        if not self._uniform():
            widest += max(text_width(cost_label(arc), 10.5) for arc in self.arcs[:_MOST_ARCS])
        spacious = 118 if self._uniform() else 150
        side = min(900.0, max(330.0, spacious * sqrt(size), min(560.0, widest * width)))
        unit = min(max(140.0, widest), side / max(width, height, 1e-9))
        apart = closest(points) * unit
        self.radius = max(2.5, min(17.0, 0.3 * apart))
        self.size = 12 if self.radius >= 15 else 10.5 if self.radius >= 11 else 9
        self.labels = [""] * size
        self.values = [""] * size
        self.half_widths = [self.radius] * size
        if self.radius >= SMALL:
            room = max(2 * self.radius - 6, min(96.0, 0.62 * apart))
            for index, node in enumerate(self.nodes):
                name = clipped(self.names[node], room, self.size)
                self.labels[index] = name
                widest = text_width(name, self.size)
                if self.radius >= _TWO_LINES:
                    self.values[index] = clipped(self.roles[node].values, room, self.size * 0.8)
                    widest = max(widest, text_width(self.values[index], self.size * 0.8))
                self.half_widths[index] = max(self.radius, widest / 2 + self.radius * 0.45)
        else:
            self.notes.append("Names of nodes are shown when the pointer rests on them.")
        edge = max(self.half_widths) + 6
        self.points = [point * unit + complex(edge, self.radius + 8) for point in points]
        self.boxes = NodeBoxes(self.points, self.half_widths, self.radius)
        self.width = max(point.real for point in self.points) + edge
        self.height = max(point.imag for point in self.points) + self.radius + 8

    def _uniform(self) -> bool:
        return len({(arc.cost, arc.latency) for arc in self.arcs}) <= 1

    def _place_arcs(self, colors: int) -> None:
        crowd = 0.6 if len(self.nodes) <= 120 else 0.3
        self.full = min(9.0, 1.2 + 2.4 * colors, crowd * self.radius)
        present = set(self.ends)
        drawn = range(len(self.arcs))
        if len(self.arcs) > _MOST_ARCS:
            drawn_arcs = [arc for arc in drawn if arc in self.strands][:_MOST_ARCS]
            self.notes.append(
                f"{len(self.arcs) - len(drawn_arcs):,} of {len(self.arcs):,} arcs are not drawn."
            )
        else:
            drawn_arcs = list(drawn)
        self.curves: dict[int, Curve] = {}
        for arc in drawn_arcs:
            tail, head = self.ends[arc]
            # Opposite arcs each keep to their right.
            between = abs(self.points[head] - self.points[tail])
            aside = max(0.04 * between, 0.6 * self.full + 3) if (head, tail) in present else 0
            self.curves[arc] = self.boxes.curve(tail, head, aside)

    def fragment(self) -> Fragment:
        layers = [self._halo(), *self._unused(), *self._used(), *self._costs(), *self._nodes()]
        graph = Fragment(self.width, self.height, "".join(layers))
        if not self.notes:
            return graph
        small = notes(self.notes, max(self.width, 380))
        body = graph.body + small.at(0, graph.height + 8)
        width = max(graph.width, small.width)
        return Fragment(width, graph.height + small.height + 8, body)

    def _halo(self) -> str:
        """A red cloud around the nodes that nothing enters."""
        within = [index for index, node in enumerate(self.nodes) if node in self.alarming]
        thick = 2 * self.radius + 14
        ties = [
            f"M{pair(self.points[tail])}L{pair(self.points[head])}"
            for tail, head in self.ends
            if self.nodes[tail] in self.alarming and self.nodes[head] in self.alarming
        ]
        dots = [
            tag(
                "rect",
                x=self.points[index].real - self.half_widths[index] - 7,
                y=self.points[index].imag - self.radius - 7,
                width=2 * self.half_widths[index] + 14,
                height=thick,
                rx=thick / 2,
                fill=ALARM_PAPER,
            )
            for index in within
        ]
        tied = tag("path", d="".join(ties), stroke=ALARM_PAPER, stroke_width=thick, fill="none")
        return "".join(dots) + (tied if ties else "")

    def _unused(self) -> list[str]:
        width = 1 if len(self.nodes) <= _TREES_FIRST else 0.4
        return [
            _group(
                tag("path", d=curve.path, stroke=UNUSED, stroke_width=width, fill="none")
                + arrowhead(curve, min(6.0, self.radius * 0.6), UNUSED),
                self._arc_hint(arc),
            )
            for arc, curve in self.curves.items()
            if arc not in self.strands
        ]

    def _used(self) -> list[str]:
        drawn: list[str] = []
        budget = _MOST_STRANDS
        for arc, curve in self.curves.items():
            if arc not in self.strands:
                continue
            strands = list(self.strands[arc].items())
            if len(strands) > budget:
                strands = [(strands[0][0], sum((share for _, share in strands), Fraction(0)))]
            budget -= len(strands)
            least = min(1.1, self.full / len(strands))
            widths = [max(least, self.full * float(share)) for _, share in strands]
            total = sum(widths)
            head = min(max(1.7 * total, 8.0), self.radius, 0.45 * abs(curve.end - curve.start))
            short_of_head = shortened(curve, head * 0.8)
            offset = -total / 2
            parts = []
            for (fill, _), width in zip(strands, widths, strict=True):
                strand = short_of_head.beside(offset + width / 2)
                offset += width
                # A little wider than its share, so that no paper shines through between two.
                stroke = width + (0.25 if len(strands) > 1 else 0)
                parts.append(
                    tag("path", d=strand.path, stroke=fill, stroke_width=stroke, fill="none")
                )
            parts.append(arrowhead(curve, head, strands[0][0] if len(strands) == 1 else INK))
            drawn.append(_group("".join(parts), self._arc_hint(arc)))
        return drawn

    def _arc_hint(self, arc: int) -> str:
        return hint(f"{arc_name(self.arcs[arc])}: cost {short(self.arcs[arc].cost, 24)}")

    def _costs(self) -> list[str]:
        """Costs beside their arcs, those in use first, where there is room for them."""
        if not self.arcs:
            return []
        if self._uniform():
            extra = f" and latency {short(self.arcs[0].latency)}" if self.arcs[0].latency else ""
            self.notes.append(f"Every arc has cost {short(self.arcs[0].cost)}{extra}.")
            return []
        if self.radius < SMALL or len(self.strands) > _COSTS_UP_TO:
            self.notes.append("Costs are shown when the pointer rests on an arc.")
            return []
        size = 10.5 if len(self.arcs) <= 45 else 9.5
        labeled = list(self.curves)
        if len(self.arcs) > 45:
            labeled = [arc for arc in self.curves if arc in self.strands]
            self.notes.append("Costs of unused arcs are shown when the pointer rests on them.")
        covered = self.boxes.covered()
        drawn = []
        missing = 0
        done: set[tuple[int, int]] = set()
        number = {ends: arc for arc, ends in enumerate(self.ends)}
        for arc in sorted(labeled, key=lambda arc: (arc not in self.strands, arc)):
            tail, head = self.ends[arc]
            back = number.get((head, tail))
            shown = cost_label(self.arcs[arc])
            if back is not None and cost_label(self.arcs[back]) == shown:
                # One label between two opposite arcs of the same cost.
                if (head, tail) in done:
                    continue
                ends = self.curves[arc], self.curves.get(back, self.curves[arc])
                spots = [(ends[0].at(t) + ends[1].at(1 - t)) / 2 for t in LABELED_AT]
            else:
                spots = [self.curves[arc].at(share) for share in LABELED_AT]
            done.add((tail, head))
            fill = INK if arc in self.strands or back in self.strands else SOFT_INK
            plate = placed_label(shown, spots, size, fill, covered)
            if plate is None:
                missing += 1
            else:
                drawn.append(plate)
        if missing:
            self.notes.append(f"{counted(missing, 'cost')} not shown for lack of room.")
        return drawn

    def _nodes(self) -> list[str]:
        self.notes += role_notes(self.problem)
        return [self._node(index) for index in range(len(self.nodes))]

    def _node(self, index: int) -> str:
        node = self.nodes[index]
        role, alarming = self.roles[node], node in self.alarming
        label, below = self.labels[index], self.values[index]
        bare = SOFT_INK if not label else _SHADED if role.shaded else PAPER
        drawn = self.boxes.outline(
            index,
            0,
            fill=INK if role.filled else bare,
            stroke=ALARM if alarming else INK,
            stroke_width=1.6 if label else 0.5,
            stroke_dasharray="4 3" if alarming else None,
        )
        if role.ringed:
            drawn = (
                self.boxes.outline(index, 3.5, fill="none", stroke=INK, stroke_width=1.4) + drawn
            )
        if label:
            ink = PAPER if role.filled else ALARM if alarming else INK
            y = self.points[index].imag + self.size * 0.36 - (self.size * 0.42 if below else 0)
            x = self.points[index].real
            drawn += lettered(label, x, y, self.size, fill=ink, anchor="middle", bold=role.filled)
            if below:
                soft = PAPER if role.filled else SOFT_INK
                y += self.size * 0.95
                drawn += lettered(below, x, y, self.size * 0.8, fill=soft, anchor="middle")
        told = role.told + (" (never reached)" if alarming else "")
        return _group(drawn, hint(printable(node, 200) + told))


def cost_label(arc: Arc) -> str:
    """The time for a message of unit size; with a latency, the latency first."""
    cost = short(arc.cost, 7)
    return f"{short(arc.latency, 7)} + {cost}" if arc.latency else cost


def _group(markup: str, title: str) -> str:
    return f"<g>{title}{markup}</g>"
