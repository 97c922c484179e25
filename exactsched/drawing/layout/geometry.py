"""Points, and curves between boxes."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot


@dataclass(frozen=True, slots=True, order=True)
class Point:
    """A place, or the way from one to another."""

    x: float
    y: float

    def __add__(self, other: Point) -> Point:
        return Point(self.x + other.x, self.y + other.y)

    def __sub__(self, other: Point) -> Point:
        return Point(self.x - other.x, self.y - other.y)

    def __mul__(self, factor: float) -> Point:
        return Point(self.x * factor, self.y * factor)

    @property
    def length(self) -> float:
        return hypot(self.x, self.y)

    @property
    def unit(self) -> Point:
        """This direction, of length 1; to the right if there is none."""
        length = self.length
        return self * (1 / length) if length > 1e-9 else Point(1.0, 0.0)

    @property
    def right(self) -> Point:
        """This direction turned to its right (the y axis points down)."""
        return Point(-self.y, self.x)


@dataclass(frozen=True, slots=True)
class Bend:
    """A quadratic Bezier curve from the border of one node to that of another."""

    start: Point
    control: Point
    end: Point

    @classmethod
    def straight(cls, start: Point, end: Point) -> Bend:
        return cls(start, (start + end) * 0.5, end)

    def at(self, share: float) -> Point:
        rest = 1 - share
        return (
            self.start * (rest * rest)
            + self.control * (2 * share * rest)
            + self.end * (share * share)
        )

    def beside(self, offset: float) -> Bend:
        """The curve moved to the right by `offset` pixels."""
        first, last = (self.control - self.start).unit, (self.end - self.control).unit
        middle = (self.end - self.start).unit
        return Bend(
            self.start + first.right * offset,
            self.control + middle.right * offset,
            self.end + last.right * offset,
        )

    def shortened(self, length: float) -> Bend:
        """The curve without about `length` pixels at its end."""
        whole = (self.end - self.control).length + (self.control - self.start).length
        share = max(0.3, 1 - length / max(whole, 1.0))
        control = self.start + (self.control - self.start) * share
        return Bend(self.start, control, self.at(share))

    def head(self, length: float) -> tuple[Point, Point, Point]:
        """The corners of an arrowhead at the end, its tip first."""
        back = (self.end - self.control).unit * length
        base, wing = self.end - back, back.right * 0.5
        return self.end, base + wing, base - wing

    @property
    def bent(self) -> bool:
        return (self.control - (self.start + self.end) * 0.5).length >= 0.05
