"""Nodes as boxes with round ends, the curves between them, and room for labels beside curves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt

from exactsched.drawing.layout.geometry import Bend, Point

LABELED_AT = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74)
"""Where a curve may have its label, the best place first."""

_BENDS = (0.0, 0.18, -0.18, 0.34, -0.34)
_MOST_BENT = 150
# Boxes of a smaller height are dots: curves may run through them.
_SMALL = 7.5


class NodeBoxes:
    """Boxes around points, all of the same height, each as wide as its label needs."""

    def __init__(
        self,
        points: Sequence[Point],
        half_widths: Sequence[float],
        radius: float,
        half_height: float = 0.0,
    ) -> None:
        self.points, self.half_widths, self.radius = points, half_widths, radius
        self.half_height = half_height or radius

    def curve(self, tail: int, head: int, aside: float = 0) -> Bend:
        """The least bent curve that does not run through a third node.

        It keeps `aside` pixels to its right, where there is an opposite one.
        """
        p, q = self.points[tail], self.points[head]
        along = q - p
        across = along.unit.right
        if self.half_height < _SMALL and not aside:
            return self._between(tail, head, p + along * 0.5)
        curves = []
        for bend in _BENDS if len(self.points) <= _MOST_BENT else _BENDS[:1]:
            middle = p + along * 0.5 + across * ((aside + bend * along.length) * 2)
            curves.append(self._between(tail, head, middle))
            if self._free(curves[-1], tail, head):
                return curves[-1]
        return curves[0]

    def fanned(self, tail: int, head: int, offset: float) -> Bend:
        """A curve beside the straight line, for one of several parallel edges.

        The offset is to the right of the way from the lower number to the higher one.
        """
        p, q = self.points[tail], self.points[head]
        across = (q - p).unit.right * (offset if tail < head else -offset)
        return self._between(tail, head, (p + q) * 0.5 + across * 2)

    def loop(self, node: int, out: Point, size: float) -> Bend:
        """From a node back to itself, in this direction."""
        center = self.points[node]
        aside = out.right * 0.95
        control = center + out * (self.half_height + 2.6 * size)
        start, end = center + (out - aside).unit * 1.0, center + (out + aside).unit * 1.0
        return Bend(
            center + self._border(node, start - center, 0.5),
            control,
            center + self._border(node, end - center, 0.5),
        )

    def _free(self, curve: Bend, tail: int, head: int) -> bool:
        samples = [curve.at(step / 8) for step in range(1, 8)]
        return not any(
            abs(sample.x - center.x) < half + 5 and abs(sample.y - center.y) < self.half_height + 5
            for node, (center, half) in enumerate(zip(self.points, self.half_widths, strict=True))
            if node not in (tail, head)
            for sample in samples
        )

    def _between(self, tail: int, head: int, control: Point) -> Bend:
        p, q = self.points[tail], self.points[head]
        return Bend(
            p + self._border(tail, control - p, 1.5),
            control,
            q + self._border(head, control - q, 2.5),
        )

    def _border(self, node: int, toward: Point, gap: float) -> Point:
        """From the center of a node in some direction to its outline, and a little further."""
        direction = toward.unit
        flat = self.half_widths[node] - self.radius
        reach = self.half_height / abs(direction.y) if abs(direction.y) > 1e-6 else 1e9
        if reach * abs(direction.x) > flat:
            # On the round end: the circle around (flat, 0), mirrored to the right side.
            along = abs(direction.x) * flat
            reach = min(reach, along + sqrt(max(0.0, along * along + self.radius**2 - flat * flat)))
        return direction * (reach + gap)


def apart(
    points: Sequence[Point], wanted: Sequence[float], least: float, tall: float, gap: float
) -> list[float]:
    """Half widths of boxes, as wanted, or less where two in one row would meet, at least `least`.

    Of two such boxes the wider one yields first.  Rows are as high as `tall`; `gap` is between.

    >>> apart([Point(0, 0), Point(50, 0), Point(50, 90)], [30, 12, 40], 9, 20, 4)
    [30, 12, 40]
    >>> apart([Point(0, 0), Point(40, 0), Point(40, 90)], [30, 12, 40], 9, 20, 4)
    [24, 12, 40]
    """
    given = list(wanted)
    for one, here in enumerate(points):
        for other in range(one):
            there = points[other]
            free = abs(there.x - here.x) - gap
            if abs(there.y - here.y) < tall and given[one] + given[other] > free:
                narrow, wide = sorted((one, other), key=given.__getitem__)
                given[narrow] = max(least, min(given[narrow], free / 2))
                given[wide] = max(least, free - given[narrow])
    return given


class Room:
    """What is covered already; labels go where they cover nothing."""

    def __init__(self, boxes: NodeBoxes) -> None:
        # The middle of what is covered, half its width and half its height.
        self._covered = [
            (point.x, point.y, half + 2, boxes.half_height + 2)
            for point, half in zip(boxes.points, boxes.half_widths, strict=True)
        ]

    def spot(
        self, spots: Iterable[Point], half: float, tall: float, lines: Sequence[Point] = ()
    ) -> Point | None:
        """The spot for a label of this half width and half height, which takes it.

        It is the first one with room where no `lines`, points on other curves, are hidden; else
        that where the fewest are.
        """
        best: Point | None = None
        fewest = len(lines) + 1
        for spot in spots:
            if any(
                abs(spot.x - x) < half + w and abs(spot.y - y) < tall + h
                for x, y, w, h in self._covered
            ):
                continue
            hidden = sum(abs(spot.x - p.x) < half and abs(spot.y - p.y) < tall for p in lines)
            if hidden < fewest:
                best, fewest = spot, hidden
            if not hidden:
                break
        if best is not None:
            self._covered.append((best.x, best.y, half, tall))
        return best
