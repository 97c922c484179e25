"""Sets of processors as disjoint ranges [start, stop), increasing, that do not touch."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from exactsched.certificate.budget import hold, spend

Ranges = tuple[tuple[int, int], ...]

# Bytes of a range in memory, in bits.
_BITS: Final = 1 << 10


class Combining:
    """Spends what it takes to hand on sets of values, and to join them, and to keep them.

    In the schedules of the paper a set of values is one range, or two where it goes past the last
    processor.
    """

    def __init__(self) -> None:
        self._kept = 0

    def keep(self, ranges: int, place: str) -> None:
        """That many ranges are looked at and kept."""
        self._kept += ranges
        spend(ranges, place)
        hold(self._kept * _BITS, place)


def without(ranges: Ranges, value: int) -> Ranges:
    """
    >>> without(((0, 3), (5, 6)), 1), without(((0, 3), (5, 6)), 5)
    (((0, 1), (2, 3), (5, 6)), ((0, 3),))
    """
    parts: list[tuple[int, int]] = []
    for start, stop in ranges:
        inside = start <= value < stop
        pieces = ((start, value), (value + 1, stop)) if inside else ((start, stop),)
        parts += [piece for piece in pieces if piece[0] < piece[1]]
    return tuple(parts)


def union(one: Iterable[tuple[int, int]], other: Iterable[tuple[int, int]]) -> Ranges | None:
    """None if the two sets are not disjoint.

    >>> union(((0, 2), (5, 6)), ((2, 3),)), union(((0, 2),), ((1, 3),))
    (((0, 3), (5, 6)), None)
    """
    joined: list[tuple[int, int]] = []
    for start, stop in sorted([*one, *other]):
        if joined and start < joined[-1][1]:
            return None
        if joined and start == joined[-1][1]:
            joined[-1] = (joined[-1][0], stop)
        else:
            joined.append((start, stop))
    return tuple(joined)


def turned(ranges: Ranges, shift: int, size: int) -> list[tuple[int, int]]:
    """The values plus the shift, modulo the size.

    >>> turned(((0, 1), (2, 5)), 3, 6)
    [(3, 4), (5, 6), (0, 2)]
    """
    parts: list[tuple[int, int]] = []
    for start, stop in ranges:
        first = (start + shift) % size
        last = first + stop - start
        parts.append((first, min(last, size)))
        if last > size:
            parts.append((0, last - size))
    return parts
