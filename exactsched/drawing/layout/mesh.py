"""The places and curves of a graph that is drawn in many frames."""

from __future__ import annotations

from exactsched.drawing.layout.boxes import NodeBoxes
from exactsched.drawing.layout.geometry import Bend, Point
from exactsched.drawing.layout.stress import closest
from exactsched.drawing.scene import Mesh

LETTERED_UP_TO = 40
"""Nodes of graphs of this size are so large that a number fits into each."""

ACROSS, GAP = 1240, 26
"""The width of a row of frames, and the room between two."""

SMALL = 100
_BENT_UP_TO = 64
_STUB = 0.46


class MeshShape:
    """A mesh in pixels: `boxes` around the nodes, and curves for its arcs."""

    def __init__(self, mesh: Mesh, apart: float, widest: float) -> None:
        """Neighbors are `apart` pixels from each other, or less, so that it is not too wide."""
        self.mesh = mesh
        size, near = len(mesh.places), closest(mesh.places)
        across, down = max(place.x for place in mesh.places), max(place.y for place in mesh.places)
        edge = 1.0 if mesh.wraps else 0.0  # of room for what goes around the border
        self.unit = min(apart / near, widest / (across + edge + 1), 2 * widest / (down + edge + 1))
        near *= self.unit
        wanted = 0.2 * near if size > LETTERED_UP_TO else max(0.3 * near, min(0.42 * near, 10))
        self.radius = max(1.0, min(12.0, wanted))
        pad = self.radius + 5 + edge * self.unit / 2
        points = [place * self.unit + Point(pad, pad) for place in mesh.places]
        self.boxes = NodeBoxes(points, [self.radius] * size, self.radius)
        self.width, self.height = across * self.unit + 2 * pad, down * self.unit + 2 * pad
        self.stroke_width = max(1.2, 0.17 * self.radius)
        self.lettered = size <= LETTERED_UP_TO
        self._curves: dict[tuple[int, int, float], tuple[Bend, ...]] = {}
        self._ways = set(mesh.arcs)

    def curves(self, arc: int) -> tuple[Bend, ...]:
        """How an arc is drawn: one curve, or around the border two, of which the last has the head.

        Where two opposite arcs can work at the same time each keeps to its right.
        """
        tail, head = self.mesh.arcs[arc]
        both = self.mesh.lanes and (head, tail) in self._ways
        return self._between(tail, head, 0.3 * self.radius if both else 0.0)

    def link(self, one: int, other: int) -> tuple[Bend, ...]:
        """How a link is drawn, without directions."""
        return self._between(one, other, 0.0)

    def _between(self, tail: int, head: int, aside: float) -> tuple[Bend, ...]:
        key = tail, head, aside
        if key not in self._curves:
            self._curves[key] = self._drawn(*key)
        return self._curves[key]

    def _drawn(self, tail: int, head: int, aside: float) -> tuple[Bend, ...]:
        p, q = self.boxes.points[tail], self.boxes.points[head]
        if (min(tail, head), max(tail, head)) in self.mesh.wraps:
            away = (p - q).unit
            leaving = Bend.straight(p + away * (self.radius + 1), p + away * (self.unit * _STUB))
            entering = Bend.straight(q - away * (self.unit * _STUB), q - away * (self.radius + 2))
            return leaving, entering
        if len(self.mesh.places) <= _BENT_UP_TO:
            return (self.boxes.curve(tail, head, aside),)
        along = (q - p).unit
        shift = along.right * aside
        start, end = p + along * self.radius + shift, q - along * self.radius + shift
        return (Bend.straight(start, end),)


def frames_in_a_row(mesh: Mesh) -> int:
    """How many frames stand side by side."""
    width = max(MeshShape(mesh, *frame_size(len(mesh.places))).width, 84.0)
    return max(1, min(8, int((ACROSS + GAP) // (width + GAP))))


def frame_size(size: int) -> tuple[float, float]:
    """How many pixels neighbors are apart in a frame, and how wide it may be."""
    if size <= LETTERED_UP_TO:
        return 54.0 if size <= 25 else 46.0, 290.0
    if size <= 400:
        return 30.0 if size <= SMALL else 16.0, 390.0
    return 12.0, 600.0
