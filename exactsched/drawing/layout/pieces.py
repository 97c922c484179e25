"""What is drawn as one bar: work that is too short to be seen apart is drawn together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, lcm
from typing import Generic, Protocol, TypeVar


class Timed(Protocol):
    """Whatever lasts from a time to another."""

    @property
    def start(self) -> Fraction: ...

    @property
    def end(self) -> Fraction: ...


Some = TypeVar("Some", bound=Timed)


@dataclass(frozen=True, slots=True)
class Piece(Generic[Some]):
    """What is drawn as one bar: one stint of work, or `several`, of which this is the longest."""

    start: Fraction
    end: Fraction
    longest: Some
    several: bool = False


def drawable(
    lines: Sequence[Sequence[Some]], span: Fraction, width: int, most: int
) -> tuple[list[list[Piece[Some]]], Fraction]:
    """At most `most` pieces, and the length below which work was drawn with its neighbors.

    A piece that stands for several stints reaches from the start of the first to the end of the
    last and is drawn like the longest of them.  The length is 0 if everything is drawn by itself;
    otherwise the least of span / 2 width, span / width, 2 span / width, ... with which the pieces
    are few enough.
    """
    # In integers: a run has hundreds of thousands of stints, and each is looked at several times.
    unit = lcm(
        *{time.denominator for line in lines for one in line for time in (one.start, one.end)}
    )
    timed = [
        [(_units(one.start, unit), _units(one.end, unit), one) for one in line] for line in lines
    ]
    least = Fraction(0)
    shortest = min((end - start for line in timed for start, end, _ in line), default=span * unit)
    if shortest < span * unit / (2 * width) or sum(map(len, lines)) > most:
        least = span / (2 * width)
    while True:
        pieces = [list(_merged(line, least * unit)) for line in timed]
        if sum(map(len, pieces)) <= most:
            return pieces, least
        least *= 2


def _units(time: Fraction, unit: int) -> int:
    return time.numerator * (unit // time.denominator)


def _merged(line: Sequence[tuple[int, int, Some]], least: Fraction) -> Iterator[Piece[Some]]:
    """Merged are short stints that end within `least` of the first one's start."""
    shortest, longest = ceil(least), floor(least)
    waiting: list[tuple[int, int, Some]] = []
    for one in line:
        start, end, stint = one
        if waiting and end - waiting[0][0] > longest:
            yield _piece(waiting)
            waiting = []
        if end - start >= shortest:
            if waiting:
                yield _piece(waiting)
                waiting = []
            yield Piece(stint.start, stint.end, stint)
        else:
            waiting.append(one)
    if waiting:
        yield _piece(waiting)


def _piece(together: list[tuple[int, int, Some]]) -> Piece[Some]:
    longest = max(together, key=lambda one: one[1] - one[0])[2]
    return Piece(together[0][2].start, together[-1][2].end, longest, len(together) > 1)
