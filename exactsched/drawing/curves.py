"""Curves between two points of a picture, and the arrowheads at their ends."""

from __future__ import annotations

from dataclasses import dataclass

from exactsched.drawing.canvas import px, tag
from exactsched.drawing.layout import Point


@dataclass(frozen=True, slots=True)
class Curve:
    """A quadratic Bezier curve from the border of one node to that of another."""

    start: Point
    control: Point
    end: Point

    def at(self, share: float) -> Point:
        rest = 1 - share
        return rest * rest * self.start + 2 * share * rest * self.control + share * share * self.end

    def beside(self, offset: float) -> Curve:
        """The curve moved to the right by `offset` pixels."""
        first, last = unit(self.control - self.start), unit(self.end - self.control)
        middle = unit(self.end - self.start)
        return Curve(
            self.start + first * 1j * offset,
            self.control + middle * 1j * offset,
            self.end + last * 1j * offset,
        )

    @property
    def path(self) -> str:
        control = f"Q{pair(self.control)} {pair(self.end)}"
        return f"M{pair(self.start)}{control}"


def shortened(curve: Curve, length: float) -> Curve:
    """The curve without about `length` pixels at its end."""
    share = 1 - length / max(abs(curve.end - curve.control) + abs(curve.control - curve.start), 1.0)
    share = max(0.3, share)
    control = curve.start + (curve.control - curve.start) * share
    return Curve(curve.start, control, curve.at(share))


def arrowhead(curve: Curve, length: float, fill: str) -> str:
    back = unit(curve.end - curve.control) * length
    base = curve.end - back
    wing = back * 0.5j
    points = " ".join(pair(point) for point in (curve.end, base + wing, base - wing))
    return tag("polygon", points=points, fill=fill)


def unit(vector: Point) -> Point:
    length = abs(vector)
    return vector / length if length > 1e-9 else 1 + 0j


def pair(point: Point) -> str:
    return f"{px(round(point.real, 1))} {px(round(point.imag, 1))}"
