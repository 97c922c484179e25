"""Nodes as boxes with round ends, and what runs between them: curves, and labels beside curves."""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt

from exactsched.drawing.canvas import PAPER, lettered, tag
from exactsched.drawing.curves import Curve, unit
from exactsched.drawing.layout import Point
from exactsched.drawing.lettering import text_width

LABELED_AT = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74)
"""Where a curve may have its label, the best place first."""

SMALL = 7.5
"""Boxes of a smaller radius have no room for names."""

_BENDS = (0.0, 0.18, -0.18, 0.34, -0.34)
_MOST_BENT = 150

# The middle of what is covered already, half its width and half its height.
Cover = tuple[float, float, float, float]


class NodeBoxes:
    """Boxes of the same height around points, each as wide as its label needs."""

    def __init__(self, points: list[Point], half_widths: list[float], radius: float) -> None:
        self.points, self.half_widths, self.radius = points, half_widths, radius

    def curve(self, tail: int, head: int, aside: float = 0) -> Curve:
        """The least bent curve that does not run through a third node.

        It keeps `aside` pixels to its right, where there is an opposite one.
        """
        p, q = self.points[tail], self.points[head]
        along = q - p
        across = unit(along) * 1j
        if self.radius < SMALL and not aside:
            return self._between(tail, head, p + along / 2)
        fallback = None
        for bend in _BENDS if len(self.points) <= _MOST_BENT else (0.0,):
            middle = p + along / 2 + across * (aside + bend * abs(along)) * 2
            curve = self._between(tail, head, middle)
            fallback = fallback or curve
            samples = [curve.at(step / 8) for step in range(1, 8)]
            if not any(
                self._touches(node, samples)
                for node in range(len(self.points))
                if node not in (tail, head)
            ):
                return curve
        assert fallback is not None
        return fallback

    def _touches(self, node: int, samples: list[Point]) -> bool:
        center, reach = self.points[node], self.half_widths[node] + 5
        return any(
            abs(sample.real - center.real) < reach
            and abs(sample.imag - center.imag) < self.radius + 5
            for sample in samples
        )

    def _between(self, tail: int, head: int, control: Point) -> Curve:
        p, q = self.points[tail], self.points[head]
        return Curve(
            p + self._border(tail, control - p, 1.5),
            control,
            q + self._border(head, control - q, 2.5),
        )

    def _border(self, node: int, toward: Point, gap: float) -> Point:
        """From the center of a node in some direction to its outline, and a little further."""
        direction = unit(toward)
        flat = self.half_widths[node] - self.radius
        reach = self.radius / abs(direction.imag) if abs(direction.imag) > 1e-6 else 1e9
        if reach * abs(direction.real) > flat:
            # On the round end: the circle around (flat, 0), mirrored to the right side.
            along = abs(direction.real) * flat
            reach = along + sqrt(max(0.0, along * along + self.radius**2 - flat * flat))
        return direction * (reach + gap)

    def outline(self, node: int, gap: float, **look: str | float | None) -> str:
        """The box, or a line around it at some distance."""
        center, half = self.points[node], self.half_widths[node]
        return tag(
            "rect",
            x=center.real - half - gap,
            y=center.imag - self.radius - gap,
            width=2 * (half + gap),
            height=2 * (self.radius + gap),
            rx=self.radius + gap,
            **look,
        )

    def covered(self) -> list[Cover]:
        """What the boxes cover."""
        return [
            (point.real, point.imag, half + 2, self.radius + 2)
            for point, half in zip(self.points, self.half_widths, strict=True)
        ]


def placed_label(
    shown: str, spots: Iterable[Point], size: float, fill: str, covered: list[Cover]
) -> str | None:
    """Text at the first of the spots where it covers nothing, on paper that hides the line below.

    Adds what it covers; None if there is no such spot.
    """
    half, tall = text_width(shown, size) / 2 + 1, size / 2
    for spot in spots:
        if not any(
            abs(spot.real - x) < half + w and abs(spot.imag - y) < tall + h
            for x, y, w, h in covered
        ):
            covered.append((spot.real, spot.imag, half, tall))
            return _plate(shown, spot, half, tall, size, fill)
    return None


def _plate(shown: str, spot: Point, half: float, tall: float, size: float, fill: str) -> str:
    x, y = spot.real - half, spot.imag - tall - 0.5
    paper = tag("rect", x=x, y=y, width=2 * half, height=2 * tall + 1, rx=3, fill=PAPER)
    baseline = spot.imag + size * 0.36
    return paper + lettered(shown, spot.real, baseline, size, fill=fill, anchor="middle")


def closest(points: list[Point]) -> float:
    """The distance of the two nearest points (of each and its next ones from left to right)."""
    ordered = sorted(points, key=lambda point: (point.real, point.imag))
    least = 1.0
    for index, point in enumerate(ordered):
        for other in ordered[index + 1 :]:
            if other.real - point.real >= least:
                break
            least = min(least, abs(other - point))
    return least
