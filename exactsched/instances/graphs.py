"""Random directed multigraphs and (bipartite) multigraphs with exact numbers, for the kernels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from exactsched.exact.rational import Rational
from exactsched.instances.choices import Choices
from exactsched.instances.instance_type import Bounds, Instances
from exactsched.instances.platforms import cost

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
    size = choices.size(min_size, max_size)
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
    size = choices.size(min_size, max_size)
    count = choices.size(0, 2 * size if max_edges is None else max_edges)
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
    size = choices.size(1, max_side)
    count = choices.size(0, 4 * size if max_edges is None else max_edges)
    edges = tuple([(choices.below(size), choices.below(size)) for _ in range(count)])
    return Multigraph(size, edges, tuple([number(choices) for _ in edges]))


# --- Instance types


def _network(choices: Choices, bound: int) -> Digraph:
    return digraph(choices, min_size=2, max_size=bound)


NETWORKS = Instances(  # from node 0 to the last one
    Digraph,
    _network,
    Bounds(6, 16, 200),
    lambda: (
        Digraph(2, (), ()),
        Digraph(2, ((0, 0), (1, 0), (0, 1), (0, 1)), (5, 7, 0, Fraction(1, 3))),
        # The trap of arbitrary augmenting paths.
        Digraph(4, ((0, 1), (0, 2), (1, 2), (1, 3), (2, 3)), (10**40, 10**40, 1, *[10**40] * 2)),
    ),
)


def _unit_arcs(choices: Choices, bound: int) -> Digraph:
    """Parallel arcs are common, so that several arborescences fit."""
    made = digraph(
        choices,
        min_size=2,
        max_size=bound,
        max_arcs=5 * bound,
        connected=not choices.flip(8),
        number=lambda _: 1,
    )
    if choices.flip():  # every node can be entered twice
        twice = made.arcs + tuple(arc for arc in made.arcs if arc[1])
        return Digraph(made.size, twice, (1,) * len(twice))
    return made


UNIT_ARCS = Instances(
    Digraph,
    _unit_arcs,
    Bounds(5, 10, 40),
    lambda: (
        Digraph(2, (), ()),
        Digraph(2, ((0, 1),) * 3 + ((1, 0), (1, 1)), (1,) * 5),
        Digraph(3, ((0, 1), (0, 2), (1, 2), (2, 1)), (1,) * 4),
        Digraph(4, tuple((u, v) for u in range(4) for v in range(4) if u != v), (1,) * 12),
    ),
)


def _multiplicities(choices: Choices, bound: int) -> Digraph:
    """Some node cannot be reached in one case of eight."""
    return digraph(
        choices,
        min_size=2,
        max_size=bound,
        max_arcs=5 * bound,
        connected=not choices.flip(8),
        number=multiplicity,
    )


MULTIPLICITIES = Instances(
    Digraph,
    _multiplicities,
    Bounds(5, 12, 60),
    lambda: (
        Digraph(2, (), ()),
        Digraph(2, ((0, 1), (0, 1), (1, 0), (1, 1)), (1, 10**20, 3, 4)),
        Digraph(3, ((0, 1), (0, 2), (1, 2), (2, 1)), (3, 2, 1, 9)),
        Digraph(3, ((0, 1), (1, 2), (2, 1)), (10**40, 1, 1)),
    ),
)


def _reachable(choices: Choices, bound: int) -> Digraph:
    return digraph(choices, max_size=bound, connected=True)


REACHABLE = Instances(
    Digraph,
    _reachable,
    Bounds(5, 16, 100),
    lambda: (
        Digraph(1, ((0, 0),), (4,)),
        Digraph(2, ((0, 1), (0, 1)), (10**40 + 1, 10**40)),
        Digraph(3, ((0, 1), (0, 2), (1, 2), (2, 1)), (5, 5, 1, Fraction(1, 2))),
        Digraph(4, ((0, 1), (1, 2), (2, 3), (3, 1), (0, 3)), (0,) * 5),
    ),
)


@dataclass(frozen=True, slots=True)
class Demands:
    """A digraph with capacities, and root sets with the number of branchings wanted from each."""

    size: int
    arcs: tuple[tuple[int, int], ...]
    capacities: tuple[int, ...]
    roots: tuple[tuple[tuple[int, ...], int], ...]


def _demands(choices: Choices, bound: int) -> Demands:
    """Mostly planted: branchings that fit, with or without something to spare; or anything."""
    size = choices.size(1, bound)
    roots, arcs = [], []
    planted = not choices.flip(4)
    for _ in range(choices.between(1, 3)):
        nodes = tuple(choices.several_of(range(size), choices.between(1, size)))
        demand = 10**20 + choices.below(3) if choices.flip(12) else choices.below(5)
        roots.append((nodes, demand))
        grown, parts = list(nodes), choices.between(1, 2)
        for part in range(parts if planted and demand else 0):
            reached = list(grown)
            for head in choices.shuffled([v for v in range(size) if v not in grown]):
                amount = demand // parts if part else demand - demand // parts * (parts - 1)
                arcs.append((choices.one_of(reached), head, amount))
                reached.append(head)
    for _ in range(choices.below(2 if planted else 4 * size)):
        arcs.append((choices.below(size), choices.below(size), choices.below(5)))
    if planted and arcs and choices.flip(4):
        tail, head, amount = arcs.pop(choices.below(len(arcs)))
        arcs.append((tail, head, max(0, amount - 1)))
    mixed = choices.shuffled(arcs)
    ends = tuple((tail, head) for tail, head, _ in mixed)
    return Demands(size, ends, tuple(amount for _, _, amount in mixed), tuple(roots))


DEMANDS = Instances(
    Demands,
    _demands,
    Bounds(4, 9, 30),
    lambda: (
        Demands(1, ((0, 0),), (3,), (((0,), 2),)),
        Demands(2, ((0, 1), (1, 0)), (1, 2), (((0,), 1), ((1,), 2))),
        Demands(2, ((0, 1),), (2,), (((0,), 1), ((0,), 1))),
        Demands(3, ((0, 1), (1, 2), (2, 0)), (10**40,) * 3, tuple(((v,), 10**40) for v in (0, 1))),
        Demands(3, ((0, 1), (1, 2), (2, 0)), (1,) * 3, tuple(((v,), 1) for v in range(3))),
    ),
)


def _weighted(choices: Choices, bound: int) -> Multigraph:
    return multigraph(choices, max_size=bound)


WEIGHTED = Instances(
    Multigraph,
    _weighted,
    Bounds(6, 12, 30),
    lambda: (
        Multigraph(2, (), ()),
        Multigraph(3, ((0, 1), (1, 2), (0, 2)), (1, 1, 1)),
        Multigraph(5, tuple((v, (v + 1) % 5) for v in range(5)), (1,) * 5),
        Multigraph(4, ((0, 1), (0, 1), (1, 2), (2, 0), (2, 3)), (10**40, 1, 10**40, 1, 3)),
    ),
)


def _bipartite(choices: Choices, bound: int) -> Multigraph:
    return bipartite_multigraph(choices, max_side=bound)


BIPARTITE = Instances(
    Multigraph,
    _bipartite,
    Bounds(5, 10, 40),
    lambda: (
        Multigraph(1, (), ()),
        Multigraph(1, ((0, 0),), (1,)),
        Multigraph(2, ((0, 0), (0, 1), (1, 0)), (10**20, 1, 1)),
    ),
)
INTEGER_WEIGHTS = Instances(  # bipartite as well, with other corners
    Multigraph,
    _bipartite,
    Bounds(5, 16, 80),
    lambda: (
        Multigraph(1, (), ()),
        Multigraph(1, ((0, 0), (0, 0)), (1, 10**40)),
        Multigraph(3, tuple((0, v) for v in range(3)), (5, 5, 7)),
        Multigraph(3, ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1)), (2, 2, 2, 2, 1)),
    ),
)


def _rational_weights(choices: Choices, bound: int) -> Multigraph:
    return bipartite_multigraph(choices, max_side=bound, number=cost)


RATIONAL_WEIGHTS = Instances(Multigraph, _rational_weights, Bounds(5, 12, 60))


@dataclass(frozen=True, slots=True)
class DoublyStochastic:
    """A square matrix of numbers >= 0 whose rows and columns add up to 1."""

    rows: tuple[tuple[Rational, ...], ...]


def _doubly_stochastic(choices: Choices, bound: int) -> DoublyStochastic:
    """Permutation matrices with weights; long weights and repeated ones among them."""
    size = choices.size(1, bound)
    weights = [
        10**30 + choices.below(3) if choices.flip(8) else choices.between(1, 6)
        for _ in range(choices.between(1, choices.one_of((size, 2 * size, size * size))))
    ]
    rows = [[0] * size for _ in range(size)]
    for weight in weights:
        for row, column in enumerate(choices.shuffled(range(size))):
            rows[row][column] += weight
    total = sum(weights)
    return DoublyStochastic(tuple(tuple(Fraction(a, total) for a in row) for row in rows))


_FIVE_PERMUTATIONS = ((8, 5, 3), (1, 9, 6), (7, 2, 7))  # as many as 3 x 3 can need
DOUBLY_STOCHASTIC = Instances(
    DoublyStochastic,
    _doubly_stochastic,
    Bounds(4, 10, 30),
    lambda: (
        DoublyStochastic(((1,),)),
        DoublyStochastic(((Fraction(1, 2),) * 2,) * 2),
        DoublyStochastic(((0, 1), (1, 0))),
        DoublyStochastic(((Fraction(1, 3),) * 3,) * 3),
        DoublyStochastic(tuple(tuple(Fraction(a, 16) for a in row) for row in _FIVE_PERMUTATIONS)),
    ),
    lambda matrix: len(matrix.rows) <= 2,
)
