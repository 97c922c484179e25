"""Where the nodes of a run in steps are drawn, and how its arcs run between them."""

from __future__ import annotations

from collections.abc import Iterable

from exactsched.certificate.synchronous import SynchronousRun
from exactsched.drawing.curves import Curve, unit
from exactsched.drawing.layout import Point, node_positions
from exactsched.drawing.node_boxes import NodeBoxes, closest

LETTERED_UP_TO = 40
"""Nodes of graphs of this size are so large that a number fits into each."""

_BENT_UP_TO = 64
# Of the links of a grid so many may be missing: one in so many.
_MISSING = 4
_STUB = 0.46


class Places:
    """Points for the nodes, neighbors about 1 apart; `wraps` are links around the border.

    Nodes that are numbered row by row, as those of `grid` and `torus`, stand in rows.
    """

    def __init__(self, run: SynchronousRun) -> None:
        self.run = run
        self.links = sorted({(min(arc[:2]), max(arc[:2])) for arc in run.arcs})
        self.wraps: set[tuple[int, int]] = set()
        columns = grid_columns(run.size, self.links)
        if columns:
            self.points = [complex(k % columns, k // columns) for k in range(run.size)]
            self.wraps = {link for link in self.links if _apart(*link, columns) != 1}
        else:
            self.points = node_positions(run.size, self.links, run.origins[0][0])
        self.apart = closest(self.points)
        self.width = max(point.real for point in self.points)
        self.height = max(point.imag for point in self.points)


def grid_columns(size: int, links: Iterable[tuple[int, int]]) -> int:
    """How many columns a grid or torus of two sides has whose nodes are numbered row by row.

    0 if it is none, or if more than a quarter of the links are missing.

    >>> grid_columns(6, [(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)])
    3
    >>> grid_columns(6, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (0, 5)])
    0
    """
    every = list(links)
    for columns in range(2, size // 2 + 1):
        if size % columns:
            continue
        rows = size // columns
        whole = rows * (columns - 1) + columns * (rows - 1)
        inside = sum(_apart(*link, columns) == 1 for link in every)
        if inside * _MISSING < whole * (_MISSING - 1):
            continue
        if all(_neighbors(*link, columns, rows) for link in every):
            return columns
    return 0


def _apart(one: int, other: int, columns: int) -> int:
    across = abs(one % columns - other % columns)
    return across + abs(one // columns - other // columns)


def _neighbors(one: int, other: int, columns: int, rows: int) -> bool:
    across = abs(one % columns - other % columns)
    down = abs(one // columns - other // columns)
    return (not down and across in (1, columns - 1)) or (not across and down in (1, rows - 1))


class SynchronousGraphShape:
    """The graph in pixels: `boxes` around the nodes, and curves for its arcs."""

    def __init__(self, places: Places, apart: float, widest: float) -> None:
        """Neighbors are `apart` pixels from each other, or less, so that it is not too wide."""
        self.places, run = places, places.run
        scale = apart / places.apart
        edge = 1.0 if places.wraps else 0.0  # of room for what goes around the border
        scale = min(scale, widest / (places.width + edge + 1))
        scale = min(scale, 2 * widest / (places.height + edge + 1))
        self.unit = scale
        near = scale * places.apart
        wanted = 0.2 * near if run.size > LETTERED_UP_TO else max(0.3 * near, min(0.42 * near, 10))
        radius = max(1.0, min(12.0, wanted))
        pad = radius + 5 + edge * scale / 2
        points = [point * scale + complex(pad, pad) for point in places.points]
        self.boxes = NodeBoxes(points, [radius] * run.size, radius)
        self.radius = radius
        self.width = places.width * scale + 2 * pad
        self.height = places.height * scale + 2 * pad
        self.bent = run.size <= _BENT_UP_TO
        self._curves: dict[tuple[int, int, float], tuple[Curve, ...]] = {}
        self._ways = {(tail, head) for tail, head, _ in run.arcs}

    def curves(self, arc: int) -> tuple[Curve, ...]:
        """How an arc is drawn: one curve, or around the border two, of which the last has the head.

        Where two opposite arcs can work at the same time each keeps to its right.
        """
        tail, head, _ = self.places.run.arcs[arc]
        both = self.places.run.ports == "one-port" and (head, tail) in self._ways
        return self._between(tail, head, 0.3 * self.radius if both else 0.0)

    def link(self, one: int, other: int) -> tuple[Curve, ...]:
        """How a link is drawn, without directions."""
        return self._between(one, other, 0.0)

    def _between(self, tail: int, head: int, aside: float) -> tuple[Curve, ...]:
        key = tail, head, aside
        if key not in self._curves:
            self._curves[key] = self._drawn(*key)
        return self._curves[key]

    def _drawn(self, tail: int, head: int, aside: float) -> tuple[Curve, ...]:
        p, q = self.boxes.points[tail], self.boxes.points[head]
        if (min(tail, head), max(tail, head)) in self.places.wraps:
            away = (p - q) / abs(p - q)
            leaving = _straight(p + away * (self.radius + 1), p + away * self.unit * _STUB)
            entering = _straight(q - away * self.unit * _STUB, q - away * (self.radius + 2))
            return leaving, entering
        if self.bent:
            return (self.boxes.curve(tail, head, aside),)
        along = unit(q - p)
        shift = along * 1j * aside
        return (_straight(p + along * self.radius + shift, q - along * self.radius + shift),)


def _straight(start: Point, end: Point) -> Curve:
    return Curve(start, (start + end) / 2, end)
