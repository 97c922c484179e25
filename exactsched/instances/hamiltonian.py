"""Graphs with Hamiltonian cycles or paths of cheapest arcs, and graphs that may have none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from exactsched.instances.choices import Choices
from exactsched.instances.graphs import Multigraph
from exactsched.instances.instance_type import Bounds, Instances
from exactsched.instances.platforms import cost
from exactsched.model.platform import Platform, both_ways
from exactsched.model.problem import Broadcast
from exactsched.platforms.built_in import complete, grid, ring
from exactsched.steady_state.hamiltonian import grid_cycle

# What the other arcs cost, as multiples of the least cost.
_FACTORS = (Fraction(1), Fraction(1), Fraction(3, 2), Fraction(2))


@dataclass(frozen=True, slots=True)
class Line:
    """Nodes, as their positions, along a cycle or a path of cheapest arcs."""

    problem: Broadcast
    line: tuple[int, ...]


def _line(choices: Choices, bound: int) -> Line:
    size = choices.size(2, bound)
    line = choices.shuffled(range(size))
    least = cost(choices)
    links = list(pairwise(line))
    if size % 2 == 0:
        links += [(head, tail) for tail, head in [*links, (line[-1], line[0])]]
        links.append((line[-1], line[0]))
    costs: dict[tuple[int, int], Fraction] = {}
    for _ in range(choices.below(3 * size)):
        tail = choices.below(size)
        pair = tail, (tail + 1 + choices.below(size - 1)) % size
        costs[pair] = least * choices.one_of(_FACTORS)
    costs.update(dict.fromkeys(links, least))
    if size % 2:  # The search follows links that are cheapest both ways.
        costs.update({(head, tail): least for tail, head in links})
    platform = Platform(range(size), [(*pair, price) for pair, price in costs.items()])
    source = choices.below(size) if size % 2 == 0 else line[0]
    return Line(Broadcast(platform, source, "half-duplex"), tuple(line))


def _lines() -> tuple[Line, ...]:
    def along(platform: Platform, line: Sequence[int]) -> Line:
        return Line(Broadcast(platform, platform.nodes[line[0]], "half-duplex"), tuple(line))

    pair = Platform("ab", both_ways([("a", "b", Fraction(7, 3))]))
    return (
        along(pair, (0, 1)),
        along(grid(3), (0, 1, 2)),
        along(grid(4, 4), grid_cycle(4, 4)),
        along(complete(5), range(5)),
        along(ring(6), range(6)),
        along(
            Platform(range(4), both_ways([(i, (i + 1) % 4, 10**30) for i in range(4)])), range(4)
        ),
    )


def _graph(choices: Choices, bound: int) -> Multigraph:
    size = choices.size(2, bound)
    line = choices.shuffled(range(size))
    edges = list(pairwise(line)) if choices.flip(3) else []
    one_in = choices.one_of((2, 3))
    edges += choices.some_of([(u, v) for v in range(size) for u in range(v)], one_in)
    return Multigraph(size, tuple(edges), (1,) * len(edges))


_MISSED = ((0, 3), (2, 3), (1, 4), (2, 4), (3, 5), (0, 6), (1, 6), (2, 6), (4, 6))

LINES = Instances(Line, _line, Bounds(6, 12, 80), _lines)
LINKS = Instances(
    Multigraph,
    _graph,
    Bounds(6, 7, 8),
    lambda: (
        Multigraph(2, (), ()),
        Multigraph(2, ((0, 1),), (1,)),
        Multigraph(3, ((0, 1), (0, 2)), (1, 1)),
        Multigraph(6, ((0, 1), (0, 2), (1, 3), (2, 3), (2, 4), (3, 5), (4, 5)), (1,) * 7),
        # The path 0, 6, 1, 4, 2, 3, 5 is not found: 3 is tried first, again and again.
        Multigraph(7, _MISSED, (1,) * 9),
    ),
)
