"""Random directed multigraphs with exact numbers on the arcs, for the kernels of graphs."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

from exactsched import strategies
from exactsched.exact.rational import Rational
from exactsched.instances.choices import Choices
from exactsched.instances.graphs import number as random_number

Arc = tuple[int, int]
Weighted = tuple[int, list[Arc], list[Rational]]


def numbers() -> st.SearchStrategy[Rational]:
    """Zeros and ties, fractions with coprime denominators, and long numbers that nearly agree."""
    return strategies.generated(random_number)


def digraphs(
    *,
    min_size: int = 1,
    max_size: int = 6,
    max_arcs: int = 16,
    number: Callable[[Choices], Rational] = random_number,
) -> st.SearchStrategy[Weighted]:
    """The digraphs of `exactsched.strategies`, taken apart."""
    drawn = strategies.digraphs(
        min_size=min_size, max_size=max_size, max_arcs=max_arcs, number=number
    )
    return drawn.map(lambda graph: (graph.size, list(graph.arcs), list(graph.numbers)))


def one_digit(choices: Choices) -> Rational:
    """0..9."""
    return choices.below(10)


def entering(arcs: list[Arc], weights: list[Rational], nodes: frozenset[int]) -> Rational:
    """The weight of the arcs from outside into the set."""
    pairs = zip(arcs, weights, strict=True)
    return sum(weight for (tail, head), weight in pairs if head in nodes and tail not in nodes)


def subsets(nodes: list[int]) -> list[frozenset[int]]:
    """All subsets, the empty one included."""
    found = [frozenset[int]()]
    for node in nodes:
        found += [chosen | {node} for chosen in found]
    return found


def excesses(size: int, arcs: list[Arc], flow: list[tuple[int, Rational]]) -> list[Rational]:
    """What arrives at every node minus what leaves it; `flow` are pairs (arc, amount)."""
    net: list[Rational] = [0] * size
    for arc, amount in flow:
        tail, head = arcs[arc]
        net[tail] -= amount
        net[head] += amount
    return net
