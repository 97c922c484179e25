"""Random directed multigraphs with exact numbers on the arcs, for the kernels of graphs."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from exactsched.rational import Rational

Arc = tuple[int, int]
Weighted = tuple[int, list[Arc], list[Rational]]


def numbers() -> st.SearchStrategy[Rational]:
    """Zeros and ties, fractions with coprime denominators, and long numbers that nearly agree."""
    huge = st.builds(lambda step: 10**40 + step, st.integers(0, 3))
    parts = st.builds(Fraction, st.integers(1, 12), st.sampled_from((2, 3, 5, 7, 11)))
    whole = parts.filter(lambda part: part.denominator > 1)
    return st.integers(0, 2) | st.integers(0, 20) | whole | huge


@st.composite
def digraphs(
    draw: st.DrawFn,
    *,
    min_size: int = 1,
    max_size: int = 6,
    max_arcs: int = 16,
    number: st.SearchStrategy[Rational] | None = None,
) -> Weighted:
    """Parallel and opposite arcs and loops included; often a path visits all nodes in order."""
    size = draw(st.integers(min_size, max_size))
    node = st.integers(0, size - 1)
    arcs = draw(st.lists(st.tuples(node, node), max_size=max_arcs))
    if number is None:
        number = numbers()
    if draw(st.booleans()):
        arcs += [(place, place + 1) for place in range(size - 1)]
        arcs = draw(st.permutations(arcs))
    return size, arcs, [draw(number) for _ in arcs]


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
