"""Where to put the nodes of a graph on paper: layers from a root, then stress majorization.

Reference: Gansner, Koren, North, *Graph drawing by stress majorization*, 2004; distances to a few
pivots for large graphs after Brandes and Pich, *Eigensolver methods for progressive
multidimensional scaling*, 2006.  No random numbers: the same graph is drawn the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

Point = complex

_WORK = 3_000_000
_NEAR = 0.45


def node_positions(size: int, links: Iterable[tuple[int, int]], root: int) -> list[Point]:
    """A point for each of the nodes 0..size-1, neighbors about 1 apart and no two nodes close.

    The root is put at the left, or in the upper left corner if most links can be horizontal
    and vertical, as those of a grid.  About `_WORK` elementary steps at most, and O(size) more.

    >>> [round(point.real) for point in node_positions(3, [(0, 1), (1, 2)], 0)]
    [0, 1, 2]
    """
    neighbors: list[set[int]] = [set() for _ in range(size)]
    for one, two in links:
        neighbors[one].add(two)
        neighbors[two].add(one)
    ordered = [sorted(near) for near in neighbors]
    points = _layers(ordered, root)
    points = _low_stress(ordered, points, root)
    points = _turned(ordered, points, root)
    points = _apart(points)
    left = min(point.real for point in points)
    top = min(point.imag for point in points)
    return [point - complex(left, top) for point in points]


def hops(neighbors: Sequence[Sequence[int]], root: int) -> list[int]:
    """The number of links from the root; for what cannot be reached, one more than the largest."""
    distance = [-1] * len(neighbors)
    distance[root] = 0
    queue = [root]
    for node in queue:
        for other in neighbors[node]:
            if distance[other] < 0:
                distance[other] = distance[node] + 1
                queue.append(other)
    beyond = distance[queue[-1]] + 1
    return [beyond if far < 0 else far for far in distance]


def _layers(neighbors: Sequence[Sequence[int]], root: int) -> list[Point]:
    """Nodes in columns by their distance from the root, each near the mean of its neighbors."""
    distance = hops(neighbors, root)
    columns: list[list[int]] = [[] for _ in range(max(distance) + 1)]
    for node, far in enumerate(distance):
        columns[far].append(node)
    height = [0.0] * len(neighbors)

    def arrange(column: list[int]) -> None:
        for position, node in enumerate(column):
            height[node] = position - (len(column) - 1) / 2

    for column in columns:
        arrange(column)
    for sweep in range(6):
        step = 1 if sweep % 2 else -1
        for column in columns[::step]:
            beside = distance[column[0]] + step if column else 0
            mean = {
                node: sum(near) / len(near) if near else height[node]
                for node in column
                for near in [[height[n] for n in neighbors[node] if distance[n] == beside]]
            }
            column.sort(key=lambda node: (mean[node], node))
            arrange(column)
    return [complex(far, y) for far, y in zip(distance, height, strict=True)]


def _low_stress(neighbors: Sequence[Sequence[int]], start: list[Point], root: int) -> list[Point]:
    """Points moved, one after the other, to where their distances best agree with the hops."""
    size = len(neighbors)
    points = start.copy()
    pivots = min(size, max(4, _WORK // (60 * size)))
    rounds = min(120, _WORK // (size * pivots))
    away: list[dict[int, int]] = [dict.fromkeys(near, 1) for near in neighbors]
    nearest = [size] * size
    pivot = root
    for _ in range(pivots if rounds else 0):
        distance = hops(neighbors, pivot)
        for node, far in enumerate(distance):
            if node != pivot:
                away[node][pivot] = far
            nearest[node] = min(nearest[node], far)
        pivot = max(range(size), key=nearest.__getitem__)
    terms = [[(other, float(far)) for other, far in near.items()] for near in away]
    for _ in range(rounds):
        moved = 0.0
        for node, near in enumerate(terms):
            here = points[node]
            target, weights = 0j, 0.0
            for other, length in near:
                there = points[other]
                apart = here - there
                now = abs(apart)
                weight = 1 / (length * length)
                wanted = apart * (length / now) if now > 1e-9 else complex(length)
                target += weight * (there + wanted)
                weights += weight
            if weights:
                points[node] = target / weights
                moved = max(moved, abs(points[node] - here))
        if moved < 0.002:
            break
    return points


def _turned(neighbors: Sequence[Sequence[int]], points: list[Point], root: int) -> list[Point]:
    """The drawing turned so that links run along the axes, if they can, and the root is first."""
    center = sum(points) / len(points)
    points = [point - center for point in points]
    fourth = 0j
    count = 0
    for node, near in enumerate(neighbors):
        for other in near:
            along = points[other] - points[node]
            if other > node and along:
                fourth += (along / abs(along)) ** 4
                count += 1
    if count > 1 and abs(fourth) > 0.6 * count:
        # Directions times four agree: the links form a cross, which is turned upright.
        turn = (fourth / abs(fourth)).conjugate() ** 0.25
        points = [point * turn for point in points]
        turned = [[point * quarter for point in points] for quarter in (1, 1j, -1, -1j)]
        choices = turned + [[point.conjugate() for point in choice] for choice in turned]
        first = min(choices, key=lambda choice: round(2 * choice[root].real + choice[root].imag, 6))
        return _snapped(first)
    if abs(points[root]) > 0.2:
        points = [point * -points[root].conjugate() / abs(points[root]) for point in points]
    return points


def _snapped(points: list[Point]) -> list[Point]:
    """Rows and columns straightened, where they are rows and columns already up to a little."""
    across = _grouped([point.real for point in points])
    down = _grouped([point.imag for point in points])
    snapped = [complex(x, y) for x, y in zip(across, down, strict=True)]
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
        cells: dict[tuple[int, int], list[int]] = {}
        for node, point in enumerate(points):
            cells.setdefault((int(point.real // _NEAR), int(point.imag // _NEAR)), []).append(node)
        crowded = False
        for (column, line), here in sorted(cells.items()):
            around = [
                node
                for dx in (0, 1, -1)
                for dy in (0, 1, -1)
                for node in cells.get((column + dx, line + dy), ())
            ]
            for one in here:
                for two in around:
                    if two <= one:
                        continue
                    between = points[two] - points[one]
                    if abs(between) < _NEAR:
                        crowded = True
                        toward = between / abs(between) if abs(between) > 1e-6 else 0.6 + 0.8j
                        push = toward * (_NEAR - abs(between) + 0.01) / 2
                        points[one] -= push
                        points[two] += push
        if not crowded:
            break
    return points
