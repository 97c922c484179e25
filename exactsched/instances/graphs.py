"""Random directed multigraphs and (bipartite) multigraphs with exact numbers, for the kernels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from exactsched.exact.rational import Rational
from exactsched.instances.choices import Choices
from exactsched.instances.instance_type import Bounds, Instances

Number = Callable[[Choices], Rational]


@dataclass(frozen=True, slots=True)
class Digraph:
    """Nodes 0..size-1, arcs (tail, head) with a capacity or cost each; node 0 is the root."""

    size: int
    arcs: tuple[tuple[int, int], ...]
    numbers: tuple[Rational, ...]


@dataclass(frozen=True, slots=True)
class Multigraph:
    """Edges with a multiplicity or weight: between 0..size-1, or (left, right) if bipartite."""

    size: int
    edges: tuple[tuple[int, int], ...]
    numbers: tuple[Rational, ...]


def number(choices: Choices) -> Rational:
    """Zeros and ties, fractions with coprime denominators, and long numbers that nearly agree."""
    kind = choices.below(4)
    if kind == 0:
        return choices.below(3)
    if kind == 1:
        return choices.below(21)
    if kind == 2:
        part = choices.fraction(12, (2, 3, 5, 7, 11))
        return part if part.denominator > 1 else part.numerator
    return 10**40 + choices.below(4)


def multiplicity(choices: Choices) -> Rational:
    """Mostly 1, else up to 5, and once in a while a long number."""
    kind = choices.below(20)
    if kind < 10:
        return 1
    return choices.between(1, 5) if kind < 19 else 10**20 + choices.below(3)


def positive_fraction(choices: Choices) -> Rational:
    """p/q with p up to 12 and q up to 4."""
    return choices.fraction(12, (1, 2, 3, 4))


def digraph(
    choices: Choices,
    *,
    min_size: int = 1,
    max_size: int = 6,
    max_arcs: int | None = None,
    connected: bool = False,
    number: Number = number,
) -> Digraph:
    """Parallel and opposite arcs and loops included; in one case of two a path visits all nodes.

    `connected`: node 0 reaches every node.  At most `max_arcs` (default: 3 for each node) arcs
    beside those of the path or the tree.
    """
    size = choices.between(min_size, max_size)
    count = choices.between(0, 3 * size if max_arcs is None else max_arcs)
    arcs = [(choices.below(size), choices.below(size)) for _ in range(count)]
    if connected:
        arcs += [(choices.below(node), node) for node in range(1, size)]
        arcs = choices.shuffled(arcs)
    elif choices.flip():
        arcs += [(place, place + 1) for place in range(size - 1)]
        arcs = choices.shuffled(arcs)
    return Digraph(size, tuple(arcs), tuple([number(choices) for _ in arcs]))


def multigraph(
    choices: Choices,
    *,
    min_size: int = 2,
    max_size: int = 7,
    max_edges: int | None = None,
    number: Number = positive_fraction,
) -> Multigraph:
    """Edges join two different nodes; parallel ones are common."""
    size = choices.between(min_size, max_size)
    count = choices.between(0, 2 * size if max_edges is None else max_edges)
    edges = []
    for _ in range(count):
        one = choices.below(size)
        edges.append((one, (one + 1 + choices.below(size - 1)) % size))
    return Multigraph(size, tuple(edges), tuple([number(choices) for _ in edges]))


def bipartite_multigraph(
    choices: Choices,
    *,
    max_side: int = 6,
    max_edges: int | None = None,
    number: Number = multiplicity,
) -> Multigraph:
    """Edges (left, right), each numbered from 0, often parallel; `size` is that of one side."""
    size = choices.between(1, max_side)
    count = choices.between(0, 4 * size if max_edges is None else max_edges)
    edges = tuple([(choices.below(size), choices.below(size)) for _ in range(count)])
    return Multigraph(size, edges, tuple([number(choices) for _ in edges]))


def _bipartite(choices: Choices, bound: int) -> Multigraph:
    return bipartite_multigraph(choices, max_side=bound)


BIPARTITE = Instances(
    Multigraph,
    _bipartite,
    Bounds(4, 10, 40),
    lambda: (
        Multigraph(1, (), ()),
        Multigraph(1, ((0, 0),), (1,)),
        Multigraph(2, ((0, 0), (0, 1), (1, 0)), (10**20, 1, 1)),
    ),
)
