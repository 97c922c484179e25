"""Random bipartite multigraphs, and what a coloring of their edges is by definition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hypothesis import strategies as st

from exactsched.certificate.minmax import EdgeColoring
from exactsched.check import check

Edge = tuple[int, int]


# The definition ---------------------------------------------------------------------------------


def largest_degree(edges: Sequence[Edge], multiplicities: Sequence[int]) -> int:
    degree: Counter[tuple[str, int]] = Counter()
    for (left, right), copies in zip(edges, multiplicities, strict=True):
        degree["left", left] += copies
        degree["right", right] += copies
    return max(degree.values(), default=0)


def assert_coloring(coloring: EdgeColoring) -> None:
    edges = coloring.edges
    colored = [0] * len(edges)
    for number, matching in coloring.classes:
        assert type(number) is int
        assert number > 0
        assert matching
        assert list(matching) == sorted(set(matching))
        assert len({edges[edge][0] for edge in matching}) == len(matching)
        assert len({edges[edge][1] for edge in matching}) == len(matching)
        for edge in matching:
            colored[edge] += number
    assert colored == list(coloring.multiplicities)
    assert coloring.colors == sum(number for number, _ in coloring.classes)
    assert coloring.colors == largest_degree(edges, coloring.multiplicities)
    assert len(coloring.classes) <= coloring.colors
    assert check(coloring).value == coloring.colors


# Strategies -------------------------------------------------------------------------------------

SINGLE = st.just(1)
FEW = st.integers(1, 4)
HUGE = st.integers(1, 10**300)
Multigraph = tuple[list[Edge], list[int]]


def multigraphs(
    copies: st.SearchStrategy[int], nodes: int = 6, most_edges: int = 30
) -> st.SearchStrategy[Multigraph]:
    ends = st.integers(0, nodes - 1)
    weighted = st.lists(st.tuples(st.tuples(ends, ends), copies), max_size=most_edges)
    return weighted.map(lambda both: ([edge for edge, _ in both], [copies for _, copies in both]))


anything = st.one_of(
    multigraphs(SINGLE),
    multigraphs(SINGLE, nodes=30, most_edges=80),
    multigraphs(st.sampled_from([1, 1, 1, 2])),
    multigraphs(FEW),
    multigraphs(HUGE),
    multigraphs(st.one_of(SINGLE, HUGE), nodes=3),
)


@st.composite
def planted(draw: st.DrawFn, copies: st.SearchStrategy[int]) -> tuple[list[Edge], list[int], int]:
    """A sum of permutations: a regular multigraph, and its degree."""
    nodes = draw(st.integers(1, 8))
    terms = draw(
        st.lists(st.tuples(st.permutations(range(nodes)), copies), min_size=1, max_size=12)
    )
    number: Counter[Edge] = Counter()
    for permutation, times in terms:
        for edge in enumerate(permutation):
            number[edge] += times
    return list(number), list(number.values()), sum(times for _, times in terms)
