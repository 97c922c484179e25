"""Nodes around a circle, in an order in which few edges cross."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from math import cos, pi, sin

from exactsched.drawing.layout.geometry import Point

# A round of exchanges takes n^2 counts of crossings; 0.1 s for twelve nodes.
_MOST_SORTED = 12


def circle_places(size: int, arcs: Iterable[tuple[int, int]]) -> tuple[Point, ...]:
    """Nodes clockwise from the top, neighbors on the circle 1 apart."""
    radius = max(size / (2 * pi), 0.9) if size > 1 else 0.0
    places = [Point(0.0, 0.0)] * size
    for position, node in enumerate(_few_crossings(size, arcs)):
        angle = 2 * pi * position / size
        places[node] = Point(radius + radius * sin(angle), radius - radius * cos(angle))
    return tuple(places)


def _few_crossings(size: int, arcs: Iterable[tuple[int, int]]) -> list[int]:
    """An order around a circle: two nodes change places as long as fewer chords cross then."""
    chords = sorted({(min(ends), max(ends)) for ends in arcs if ends[0] != ends[1]})
    order = list(range(size))

    def crossings() -> int:
        position = {node: index for index, node in enumerate(order)}
        spans = [tuple(sorted((position[one], position[other]))) for one, other in chords]
        return sum(a < c < b < d or c < a < d < b for (a, b), (c, d) in combinations(spans, 2))

    fewest = crossings()
    improved = size <= _MOST_SORTED
    while improved:
        improved = False
        for one, other in combinations(range(size), 2):
            order[one], order[other] = order[other], order[one]
            now = crossings()
            if now < fewest:
                fewest, improved = now, True
            else:
                order[one], order[other] = order[other], order[one]
    return order
