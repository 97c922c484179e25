"""What fixed plans are made for: grids, trees with delays, and copies of arcs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import prod

from exactsched.instances.choices import Choices
from exactsched.instances.instance_type import Bounds, Instances
from exactsched.oracles.synchronous import Arcs, two_ways
from exactsched.platforms.built_in import grid
from exactsched.synchronous.graph import synchronous_graph

# Trees -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Grid:
    """This many packets on a grid from its corner; no sides stand for 16K3."""

    sides: tuple[int, ...]
    packets: int


@dataclass(frozen=True, slots=True)
class Delays:
    """Node k + 1 is served by node `parents[k]`, `delays[k]` steps after that one."""

    parents: tuple[int, ...]
    delays: tuple[int, ...]
    packets: int


def _grid(choices: Choices, bound: int) -> Grid:
    packets = choices.size(1, 2 * bound, 2)
    if choices.flip():
        a, b, c = (choices.between(least, max(least, bound // 2)) for least in (2, 2, 2))
        return Grid((a, b, max(c, 3) if a == 2 else c), packets)
    return Grid((choices.between(2, bound), choices.between(3, bound)), packets)


def _delays(choices: Choices, bound: int) -> Delays:
    """The children of a node have different delays."""
    size = choices.size(2, bound)
    parents = tuple(choices.below(v) for v in range(1, size))
    taken: list[set[int]] = [set() for _ in range(size)]
    delays = []
    for up in parents:
        free = [wait for wait in range(1, 2 * size) if wait not in taken[up]]
        delays.append(choices.one_of(free[: choices.between(1, 4)]))
        taken[up].add(delays[-1])
    return Delays(parents, tuple(delays), choices.size(1, 2 * bound, 2))


GRIDS = Instances(
    Grid,
    _grid,
    Bounds(5, 8, 16),
    lambda: (
        Grid((4, 4), 100),  # 303
        Grid((2, 2, 4), 100),  # 305
        Grid((4, 4, 4), 100),  # 414
        Grid((), 100),  # 302
        Grid((2, 3), 1),
        Grid((2, 2, 3), 2),
    ),
)
DELAYS = Instances(
    Delays,
    _delays,
    Bounds(7, 15, 60),
    lambda: (
        Delays((0,), (1,), 1),
        Delays((0, 0, 0), (1, 4, 7), 3),
        Delays((0, 1, 2), (2, 2, 2), 4),
        Delays((0, 1), (3, 1), 2),
    ),
)


# Arborescences in frames -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Copies:
    """This many copies of each arc, none into node 0, and packets that start there."""

    size: int
    arcs: Arcs
    copies: tuple[int, ...]
    packets: int


def _copies(choices: Choices, bound: int) -> Copies:
    """Arborescences, each once or twice, and arcs without a copy; in one of two cases bipartite."""
    size = choices.size(2, bound)
    two_sides = choices.flip()
    side = [0, 1, *(choices.below(2) for _ in range(size - 2))] if two_sides else [0] * size
    copies: Counter[tuple[int, int]] = Counter()
    for _ in range(choices.between(1, 3)):
        weight = choices.between(1, 2)
        reached, left = [0], set(range(1, size))
        while left:
            pairs = [
                (u, v) for u in reached for v in sorted(left) if not two_sides or side[u] != side[v]
            ]
            tail, head = choices.one_of(pairs)
            copies[tail, head] += weight
            reached.append(head)
            left.discard(head)
    for tail, head in list(copies):
        copies[head, tail] += 0
    arcs = tuple((*pair, 1) for pair in sorted(copies))
    counts = tuple(copies[pair] for pair in sorted(copies))
    return Copies(size, arcs, counts, choices.size(1, 4 * bound, 2))


def _bipartite(choices: Choices, bound: int) -> Copies:
    """A path through all nodes, mostly from the source, or a tree; and links between its sides."""
    size = choices.size(2, bound)
    any_tree = choices.flip(4)
    up = [choices.below(v) if any_tree else v - 1 for v in range(1, size)]
    side = [0]
    for parent in up:
        side.append(1 - side[parent])
    first = choices.below(size) if choices.flip(6) else 0  # node 0 is the source
    name = [0 if v == first else v + (v < first) for v in range(size)]
    links = {(name[parent], name[v]) for v, parent in enumerate(up, 1)}
    crossing = [(name[u], name[v]) for v in range(size) for u in range(v) if side[u] != side[v]]
    links |= set(choices.some_of(crossing, choices.one_of((size * size, 3))))
    arcs = two_ways(*sorted(links))
    return Copies(size, arcs, (0,) * len(arcs), choices.size(1, 4 * bound, 2))


def _of_grid(*sides: int) -> Copies:
    arcs = synchronous_graph(grid(*sides), 0).arcs
    return Copies(prod(sides), arcs, (0,) * len(arcs), 60)


COPIES = Instances(
    Copies,
    _copies,
    Bounds(6, 9, 30),
    lambda: (
        Copies(2, ((0, 1, 1),), (1,), 1),
        Copies(3, ((0, 1, 1), (1, 2, 1)), (2, 2), 7),
        # A triangle: three frames are needed for two copies.
        Copies(3, ((0, 1, 1), (0, 2, 1), (1, 2, 1), (2, 1, 1)), (1, 1, 1, 1), 5),
    ),
)
BIPARTITE_GRAPHS = Instances(
    Copies,
    _bipartite,
    Bounds(6, 8, 16),
    lambda: (
        Copies(2, ((0, 1, 1),), (0,), 3),
        _of_grid(3),
        _of_grid(2, 2, 2),
        _of_grid(4, 4),
        # A star from its center: 1/3.
        Copies(4, two_ways((0, 1), (0, 2), (0, 3)), (0,) * 6, 4),
    ),
)
