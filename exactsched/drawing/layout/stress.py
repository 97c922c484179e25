"""Where to put the nodes of a graph: in columns by distance, then moved to agree with all hops.

Reference: Gansner, Koren, North, *Graph drawing by stress majorization*, 2004; distances to a few
pivots for large graphs after Brandes and Pich, *Eigensolver methods for progressive
multidimensional scaling*, 2006.  No random numbers: the same graph is drawn the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import atan2, cos, hypot, pi, sin

from exactsched.drawing.layout.geometry import Point

_WORK = 3_000_000
_NEAR = 0.45
# Between these sizes nodes stand on a circle if most of them are neighbors.
_ROUND = 6, 24

Neighbors = Sequence[Sequence[int]]


def node_places(size: int, links: Iterable[tuple[int, int]], root: int) -> tuple[Point, ...]:
    """A point for each of the nodes 0..size-1, neighbors about 1 apart and no two nodes close.

    The root is put at the left, or in the upper left corner if most links can be horizontal
    and vertical, as those of a grid.  About `_WORK` elementary steps at most, and O(size) more.

    >>> [round(point.x) for point in node_places(3, [(0, 1), (1, 2)], 0)]
    [0, 1, 2]
    """
    near: list[set[int]] = [set() for _ in range(size)]
    for one, two in links:
        if one != two:
            near[one].add(two)
            near[two].add(one)
    neighbors = [sorted(some) for some in near]
    if _ROUND[0] <= size <= _ROUND[1] and 4 * sum(map(len, near)) >= 3 * size * (size - 1):
        points = _around(size, root)
    else:
        points = _in_columns(neighbors, root)
        points = _low_stress(neighbors, points, root)
        points = _turned(neighbors, points, root)
        points = _apart(points)
    corner = Point(min(point.x for point in points), min(point.y for point in points))
    return tuple(point - corner for point in points)


def _around(size: int, root: int) -> list[Point]:
    """All nodes on a circle, the root at the left: no arc runs through a third node."""
    radius = max(1.0, size / 10)
    angles = (2 * pi * (node - root) / size for node in range(size))
    return [Point(-radius * cos(angle), -radius * sin(angle)) for angle in angles]


def _hops(neighbors: Neighbors, root: int) -> list[int]:
    """The number of links from the root; for what cannot be reached, one more than the largest."""
    distance = [-1] * len(neighbors)
    distance[root] = 0
    queue = [root]
    for node in queue:  # grows while it is read
        for other in neighbors[node]:
            if distance[other] < 0:
                distance[other] = distance[node] + 1
                queue.append(other)
    beyond = distance[queue[-1]] + 1
    return [beyond if far < 0 else far for far in distance]


def _in_columns(neighbors: Neighbors, root: int) -> list[Point]:
    """Nodes in columns by their distance from the root, each near the mean of its neighbors."""
    distance = _hops(neighbors, root)
    columns: list[list[int]] = [[] for _ in range(max(distance) + 1)]
    for node, far in enumerate(distance):
        columns[far].append(node)
    height = [0.0] * len(neighbors)

    def arrange(column: list[int]) -> None:
        for position, node in enumerate(column):
            height[node] = position - (len(column) - 1) / 2

    def mean(node: int, beside: int) -> float:
        near = [height[other] for other in neighbors[node] if distance[other] == beside]
        return sum(near) / len(near) if near else height[node]

    for column in columns:
        arrange(column)
    for sweep in range(6):
        step = 1 if sweep % 2 else -1
        for column in columns[::step]:
            if column:
                beside = distance[column[0]] + step
                wanted = {node: mean(node, beside) for node in column}
                column.sort(key=lambda node: (wanted[node], node))
                arrange(column)
    return [Point(float(far), y) for far, y in zip(distance, height, strict=True)]


def _low_stress(neighbors: Neighbors, start: list[Point], root: int) -> list[Point]:
    """Points moved, one after the other, to where their distances best agree with the hops."""
    size = len(neighbors)
    pivots = min(size, max(4, _WORK // (60 * size)))
    rounds = min(120, _WORK // (size * pivots))
    away: list[dict[int, int]] = [dict.fromkeys(near, 1) for near in neighbors]
    nearest = [size] * size
    pivot = root
    for _ in range(pivots if rounds else 0):
        for node, far in enumerate(_hops(neighbors, pivot)):
            if node != pivot:
                away[node][pivot] = far
            nearest[node] = min(nearest[node], far)
        pivot = max(range(size), key=nearest.__getitem__)
    terms = [[(other, float(far)) for other, far in near.items()] for near in away]
    # Plain floats: this loop is nearly all of the time that a drawing takes.
    across, down = [point.x for point in start], [point.y for point in start]
    for _ in range(rounds):
        moved = 0.0
        for node, near in enumerate(terms):
            here_x, here_y = across[node], down[node]
            sum_x = sum_y = weights = 0.0
            for other, length in near:
                apart_x, apart_y = here_x - across[other], here_y - down[other]
                now = hypot(apart_x, apart_y)
                weight = 1 / (length * length)
                if now > 1e-9:
                    apart_x, apart_y = apart_x * length / now, apart_y * length / now
                else:
                    apart_x, apart_y = length, 0.0
                sum_x += weight * (across[other] + apart_x)
                sum_y += weight * (down[other] + apart_y)
                weights += weight
            if weights:
                across[node], down[node] = sum_x / weights, sum_y / weights
                moved = max(moved, hypot(across[node] - here_x, down[node] - here_y))
        if moved < 0.002:
            break
    return [Point(x, y) for x, y in zip(across, down, strict=True)]


def _turned(neighbors: Neighbors, points: list[Point], root: int) -> list[Point]:
    """The drawing turned so that links run along the axes, if they can, and the root is first."""
    center = Point(
        sum(point.x for point in points) / len(points),
        sum(point.y for point in points) / len(points),
    )
    points = [point - center for point in points]
    fourth, count = Point(0.0, 0.0), 0
    for node, near in enumerate(neighbors):
        for other in near:
            along = points[other] - points[node]
            if other > node and along.length:
                angle = 4 * atan2(along.y, along.x)
                fourth += Point(cos(angle), sin(angle))
                count += 1
    if count > 1 and fourth.length > 0.6 * count:
        # Directions times four agree: the links form a cross, which is turned upright.
        upright = _rotated(points, -atan2(fourth.y, fourth.x) / 4)
        choices = [upright]
        for _ in range(3):
            choices.append([point.right for point in choices[-1]])
        choices += [[Point(point.x, -point.y) for point in choice] for choice in choices]
        return _snapped(min(choices, key=lambda one: round(2 * one[root].x + one[root].y, 6)))
    if points[root].length > 0.2:
        away = points[root] * -1
        points = _rotated(points, -atan2(away.y, away.x))
    return points


def _rotated(points: list[Point], angle: float) -> list[Point]:
    c, s = cos(angle), sin(angle)
    return [Point(point.x * c - point.y * s, point.x * s + point.y * c) for point in points]


def _snapped(points: list[Point]) -> list[Point]:
    """Rows and columns straightened, where they are rows and columns already up to a little."""
    across = _grouped([point.x for point in points])
    down = _grouped([point.y for point in points])
    snapped = [Point(x, y) for x, y in zip(across, down, strict=True)]
    return snapped if len(set(snapped)) == len(points) else points


def _grouped(values: list[float]) -> list[float]:
    """Every value replaced by the mean of those that are connected to it by small steps."""
    order = sorted(range(len(values)), key=values.__getitem__)
    groups = [[order[0]]]
    for before, index in pairwise(order):
        if values[index] - values[before] > 0.4:
            groups.append([])
        groups[-1].append(index)
    grouped = values.copy()
    for group in groups:
        if values[group[-1]] - values[group[0]] < 0.9:
            mean = sum(values[index] for index in group) / len(group)
            for index in group:
                grouped[index] = mean
    return grouped


def _apart(points: list[Point]) -> list[Point]:
    """Nodes that fell on each other pushed apart, a little at a time."""
    points = points.copy()
    for _ in range(30):
        crowded = False
        for one, two in _close_pairs(points):
            between = points[two] - points[one]
            if between.length < _NEAR:
                crowded = True
                toward = between.unit if between.length > 1e-6 else Point(0.6, 0.8)
                push = toward * ((_NEAR - between.length + 0.01) / 2)
                points[one] -= push
                points[two] += push
        if not crowded:
            break
    return points


def _close_pairs(points: list[Point]) -> Iterable[tuple[int, int]]:
    """Pairs of nodes in the same cell of a grid or in neighboring ones."""
    cells: dict[tuple[int, int], list[int]] = {}
    for node, point in enumerate(points):
        cells.setdefault((int(point.x // _NEAR), int(point.y // _NEAR)), []).append(node)
    for (column, line), here in sorted(cells.items()):
        around = [
            node
            for dx in (0, 1, -1)
            for dy in (0, 1, -1)
            for node in cells.get((column + dx, line + dy), ())
        ]
        for one in here:
            for two in around:
                if two > one:
                    yield one, two


def closest(points: Sequence[Point]) -> float:
    """The distance of the two nearest points (of each and its next ones from left to right)."""
    ordered = sorted(points)
    least = 1.0
    for index, point in enumerate(ordered):
        for other in ordered[index + 1 :]:
            if other.x - point.x >= least:
                break
            least = min(least, (other - point).length)
    return least


def side_places(size: int) -> tuple[Point, ...]:
    """Nodes in two columns, as those of a bipartite graph: `size` at the left, then the others."""
    left = [Point(0.0, 0.62 * node) for node in range(size)]
    return (*left, *(point + Point(2.4, 0.0) for point in left))


def grid_places(size: int, columns: int) -> tuple[Point, ...]:
    """Nodes that are numbered row by row."""
    return tuple(Point(float(node % columns), float(node // columns)) for node in range(size))
