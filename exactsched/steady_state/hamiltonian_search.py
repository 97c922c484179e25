"""Hamiltonian cycles and paths of cheapest links: excluded, known in grids, or searched for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from math import prod

from exactsched.exact.dice import Dice
from exactsched.exact.errors import InvalidInput
from exactsched.graphs.reachability import bipartition
from exactsched.model.platform import Node, Platform
from exactsched.steady_state.hamiltonian import grid_cycle, grid_path

# This many nodes change their places in the path before the search gives up: about two seconds.
MAX_MOVED = 20_000_000
# A change of the path takes as long as this number of nodes that change their places.
_MOVE = 100
# After this many changes per pair of nodes a search begins again.  Of ten random cubic graphs with
# 300 to 3000 nodes, a cycle was found in 3 with 1, in 8 with 2, in all with 5 and with 20.
_MOVED_PER_PAIR = 5
# Lists of sides that are tried; node 0 of a torus allows few, of a dense graph many.
_MOST_SIDES = 64


def hamiltonian_line(platform: Platform, source: Node, *, seed: int = 0) -> list[Node] | None:
    """A `line` for `hamiltonian_optimum`, or None if none is found: there may be one all the same.

    For evenly many nodes it is a Hamiltonian cycle, for oddly many a Hamiltonian path from the
    source, of links that cost the least in both directions.  Links that cannot have one, by
    `no_line`, get None at once.  Grids, tori, hypercubes and rings, with nodes in the order of
    `topologies`, have a known one; elsewhere paths grow by rotations (Posa 1976), up to a fixed
    amount of work, so the time is at most some seconds.  Equal arguments give equal answers.

    Raises `InvalidInput` for an unknown source, and a seed that is no whole number from 0 on.

    Reference: Posa, *Hamiltonian circuits in random graphs*, 1976.

    >>> from exactsched.platforms.built_in import built_in
    >>> hamiltonian_line(built_in("grid:3x2"), 4)
    [0, 2, 4, 5, 3, 1]
    >>> hamiltonian_line(built_in("star:3"), 0) is None
    True
    """
    if source not in platform.position:
        raise InvalidInput("source", source, "not a node of the platform")
    if type(seed) is not int or seed < 0:
        raise InvalidInput("seed", seed, "a whole number >= 0")
    neighbors, start = cheapest_links(platform), platform.position[source]
    if no_line(neighbors, start):
        return None
    found = _line(neighbors, start, Dice(seed))
    return None if found is None else [platform.nodes[index] for index in found]


def cheapest_links(platform: Platform) -> list[list[int]]:
    """For every node, as its index, those to which a cheapest arc leads and another one back.

    >>> cheapest_links(Platform("abc", [("a", "b", 1), ("b", "a", 1), ("b", "c", 1)]))
    [[1], [0], []]
    """
    position = platform.position
    least = min((arc.cost for arc in platform.arcs), default=0)
    pairs = {(position[a.tail], position[a.head]) for a in platform.arcs if a.cost == least}
    neighbors: list[list[int]] = [[] for _ in platform.nodes]
    for tail, head in sorted(pairs):
        if (head, tail) in pairs:
            neighbors[tail].append(head)
    return neighbors


def no_line(neighbors: Sequence[Sequence[int]], start: int) -> str | None:
    """A reason why there is no Hamiltonian cycle, or path from the start; None proves nothing.

    The cycle is one through evenly many nodes, the path one through oddly many.  Linear time.
    A graph is refused if it is not connected; if its blocks (parts without a cut node) do
    not follow each other in a row from the start, or, for a cycle, are several; if it is
    bipartite with sides that do not alternate; and, for a cycle, if the links of nodes of degree 2
    meet three at a node, or close a smaller cycle.

    >>> no_line([[1, 2, 3], [0], [0], [0]], 0)
    'a cut node'
    >>> no_line([[1], [0, 2], [1]], 1)
    'a cut node'
    """
    import networkx

    size = len(neighbors)
    edges = [(one, two) for one, near in enumerate(neighbors) for two in near if one < two]
    graph = networkx.Graph(edges)
    if size < 2 or len(graph) < size or not networkx.is_connected(graph):
        return "not connected"
    blocks = list(networkx.biconnected_components(graph))
    if size % 2 == 0:
        if size > 2 and (len(blocks) > 1 or min(map(len, neighbors)) < 2):
            return "a cut node"
    else:
        within = Counter(node for block in blocks for node in block)
        # The start is where the first block is entered, so it counts as one node of its border.
        within[start] += 1
        if max(within.values()) > 2:
            return "a cut node"
        if any(sum(within[node] > 1 for node in block) > 2 for block in blocks):
            return "a cut node"
    left = bipartition(size, edges)
    if (
        left is not None
        and len(left if start in left else set(range(size)) - left) != (size + 1) // 2
    ):
        return "bipartite with other sides"
    if size > 2 and size % 2 == 0 and _too_much_is_forced(neighbors):
        return "nodes of degree 2"
    return None


def _too_much_is_forced(neighbors: Sequence[Sequence[int]]) -> bool:
    """Whether the links of nodes of degree 2 fit into no cycle through all nodes."""
    from networkx.utils import UnionFind

    forced = {
        (min(node, other), max(node, other))
        for node, near in enumerate(neighbors)
        if len(near) == 2
        for other in near
    }
    if max(Counter(node for link in forced for node in link).values(), default=0) > 2:
        return True
    joined, closing = UnionFind(), 0
    for one, other in forced:
        closing += joined[one] == joined[other]
        joined.union(one, other)
    return closing > (len(forced) == len(neighbors))


# Searches after the first one leave the nodes with few free neighbors once in this many times: with
# seven nodes there are graphs where those always lead into the same dead end.
_STRAY = 4


def _line(neighbors: Sequence[Sequence[int]], start: int, dice: Dice) -> list[int] | None:
    sets = [frozenset(near) for near in neighbors]
    closed = len(neighbors) % 2 == 0
    for line in _lines_of_grids(neighbors, start):
        around = [*line, line[0]] if closed else line
        if all(two in sets[one] for one, two in pairwise(around)):
            return line
    moved, stray = 0, 0
    while moved < MAX_MOVED:
        found, work = _rotated(neighbors, sets, start, dice, stray)
        stray = _STRAY
        if found:
            return found
        moved += work
    return None


def _lines_of_grids(neighbors: Sequence[Sequence[int]], start: int) -> Iterator[list[int]]:
    """Lines of the grids and tori that have the neighbors of node 0; nothing is verified."""
    size = len(neighbors)
    for sides in islice(_possible_sides(neighbors[0], 1, size), _MOST_SIDES):
        if size % 2 == 0:
            yield list(range(size)) if len(sides) == 1 else grid_cycle(*sides)
            continue
        strides = [prod(sides[axis + 1 :]) for axis in range(len(sides))]
        axes = list(zip(sides, strides, strict=True))
        first = [start // stride % side for side, stride in axes]
        points = [[node // stride % side for side, stride in axes] for node in grid_path(*sides)]
        # A torus looks alike from everywhere, and a grid from its corners.
        yield [
            sum(
                (x + at) % side * stride
                for x, at, (side, stride) in zip(point, first, axes, strict=True)
            )
            for point in points
        ]
        if all(at in (0, side - 1) for at, side in zip(first, sides, strict=True)):
            yield [
                sum(
                    abs(x - at) * stride
                    for x, at, (_, stride) in zip(point, first, axes, strict=True)
                )
                for point in points
            ]


def _possible_sides(strides: Sequence[int], inner: int, size: int) -> Iterator[tuple[int, ...]]:
    """Sides of grids of this size, such that the strides of all axes are among those given."""
    if inner in strides:
        yield (size // inner,)
        for stride in strides:
            if stride > inner and stride % inner == 0 and size % stride == 0:
                for outer in _possible_sides(strides, stride, size):
                    yield (*outer, stride // inner)


def _rotated(
    neighbors: Sequence[Sequence[int]],
    sets: Sequence[frozenset[int]],
    start: int,
    dice: Dice,
    stray: int,
) -> tuple[list[int] | None, int]:
    """One search from the start: a line, if found, and how many nodes changed their places.

    The path goes on to a free node, one with few free neighbors (Pohl 1967), if its end has any;
    once in this many times (`stray`, if not 0) to any of them.  If not, a link from the end to a
    node of the path reverses what comes after that node, which gives another end.  For a cycle,
    a path whose ends are linked is opened anew where a free node is near, and sometimes read from
    the other end.
    """
    size = len(neighbors)
    closed = size % 2 == 0
    path = _Path(neighbors, dice)
    path.go_on(dice.below(size) if closed else start)
    nodes = path.nodes
    while path.moved <= _MOVED_PER_PAIR * size * (size + _MOVE):
        path.moved += _MOVE
        if path.has_gone_on(stray):
            continue
        cycle = len(nodes) > 2 and nodes[0] in sets[nodes[-1]]
        if len(nodes) == size and (not closed or cycle or size == 2):
            return nodes, path.moved
        if closed and cycle:
            path.open_near_a_free_node()
        elif closed and dice.below(4) == 0:
            path.arrange(0, nodes[::-1])
        elif not path.has_rotated():
            break
    return None, path.moved


class _Path:
    """A path whose nodes change their places; `moved` counts how many did."""

    def __init__(self, neighbors: Sequence[Sequence[int]], dice: Dice) -> None:
        self._neighbors, self._dice = neighbors, dice
        self._free = [len(near) for near in neighbors]  # neighbors that are not on the path
        self._place = [-1] * len(neighbors)
        self.nodes: list[int] = []
        self.moved = 0

    def go_on(self, node: int) -> None:
        """The path goes on to a free node."""
        self._place[node] = len(self.nodes)
        self.nodes.append(node)
        free = self._free
        for other in self._neighbors[node]:
            free[other] -= 1

    def has_gone_on(self, stray: int) -> bool:
        """The path goes on to a free neighbor of its end, if there is one."""
        place, free = self._place, self._free
        ahead = [node for node in self._neighbors[self.nodes[-1]] if place[node] < 0]
        if not ahead:
            return False
        if not stray or self._dice.below(stray):
            fewest = min([free[node] for node in ahead])
            ahead = [node for node in ahead if free[node] == fewest]
        self.go_on(_one_of(ahead, self._dice))
        return True

    def open_near_a_free_node(self) -> None:
        """The ends are linked: the path ends from now on beside a node that is not on it."""
        nodes, free = self.nodes, self._free
        near = [index for index, node in enumerate(nodes) if free[node]]
        opened = 1 + _one_of(near, self._dice)
        self.arrange(0, nodes[opened:] + nodes[:opened])

    def has_rotated(self) -> bool:
        """A link from the end to the path reverses what comes after; False if there is none."""
        nodes, place, free = self.nodes, self._place, self._free
        pivots = [
            place[node] for node in self._neighbors[nodes[-1]] if place[node] < len(nodes) - 2
        ]
        if not pivots:
            return False
        better = [pivot for pivot in pivots if free[nodes[pivot + 1]]]
        pivot = _one_of(better or pivots, self._dice)
        self.arrange(pivot + 1, nodes[:pivot:-1])
        return True

    def arrange(self, first: int, nodes: list[int]) -> None:
        """These nodes stand on the path from the place `first` on."""
        self.nodes[first:] = nodes
        place = self._place
        for index, node in enumerate(nodes, first):
            place[node] = index
        self.moved += len(nodes)


def _one_of(values: Sequence[int], dice: Dice) -> int:
    return values[dice.below(len(values))]
