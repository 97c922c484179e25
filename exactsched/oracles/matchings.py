"""Loads, odd sets and components of graphs with weighted edges, by definition."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from exactsched.exact.rational import Rational

Edges = Sequence[tuple[int, int]]


def two_sided(edges: Edges) -> list[tuple[tuple[str, int], tuple[str, int]]]:
    """The ends of the edges (left, right) of a bipartite graph, each side being numbered from 0."""
    return [(("left", left), ("right", right)) for left, right in edges]


def loads(
    ends: Sequence[tuple[Hashable, Hashable]], weights: Sequence[Rational]
) -> dict[Hashable, Rational]:
    """The total weight of the edges at every node that has an edge.

    >>> loads([(0, 1), (1, 2)], [3, 4])
    {0: 3, 1: 7, 2: 4}
    """
    load: dict[Hashable, Rational] = {}
    for pair, weight in zip(ends, weights, strict=True):
        for node in pair:
            load[node] = load.get(node, 0) + weight
    return load


def largest_load(
    ends: Sequence[tuple[Hashable, Hashable]], weights: Sequence[Rational]
) -> Rational:
    """The largest total weight of the edges at a node; 0 without edges."""
    return max(loads(ends, weights).values(), default=0)


def fractional_index(size: int, edges: Edges, weights: Sequence[Rational]) -> Rational:
    """The largest load of a node or density of an odd set (Edmonds 1965).

    The density of S is the weight of the edges inside, divided by (|S| - 1) / 2.

    >>> fractional_index(3, [(0, 1), (1, 2), (2, 0)], [1, 1, 1])
    Fraction(3, 1)
    """
    densities: list[Rational] = [
        Fraction(2 * sum(w for e, w in zip(edges, weights, strict=True) if odd.issuperset(e)))
        / (len(odd) - 1)
        for count in range(3, size + 1, 2)
        for odd in map(frozenset, combinations(range(size), count))
    ]
    return max([largest_load(edges, weights), *densities])


def components(edges: Sequence[tuple[Hashable, Hashable]]) -> Iterator[tuple[set[Hashable], bool]]:
    """The connected components that have edges, and whether each is bipartite.

    >>> [(sorted(nodes), two) for nodes, two in components([(0, 1), (2, 3), (3, 4), (4, 2)])]
    [([0, 1], True), ([2, 3, 4], False)]
    """
    neighbors: dict[Hashable, list[Hashable]] = {}
    for one, other in edges:
        neighbors.setdefault(one, []).append(other)
        neighbors.setdefault(other, []).append(one)
    side: dict[Hashable, int] = {}
    for start in neighbors:
        if start in side:
            continue
        part, side[start] = [start], 0
        for node in part:
            for other in neighbors[node]:
                if other not in side:
                    side[other] = 1 - side[node]
                    part.append(other)
        yield set(part), all(side[v] != side[w] for v in part for w in neighbors[v])


def tight_nodes(
    ends: Sequence[tuple[Hashable, Hashable]], weights: Sequence[Rational], value: Rational
) -> tuple[int, int]:
    """How many nodes have this load, and how many bipartite components have no other node.

    With t and c for these numbers, t > 0, at most |E| - t + c + 1 matchings are linearly
    independent on the face of the matching polytope that the tight nodes span.

    >>> tight_nodes([(0, 1), (2, 3), (3, 4)], [2, 1, 1], 2)
    (3, 1)
    """
    tight = {node for node, load in loads(ends, weights).items() if load == value}
    return len(tight), sum(two and part <= tight for part, two in components(ends))
