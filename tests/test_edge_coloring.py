"""Weighted edge coloring of bipartite graphs: the definition, planted answers, step counts."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import pairwise, product

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.edge_coloring import busy_intervals, decompose_into_matchings
from exactsched.errors import InvalidInput

Edge = tuple[int, int]
Steps = list[tuple[int, tuple[int, ...]]]


# The definition ---------------------------------------------------------------------------------


def loads(edges: list[Edge], weights: Iterable[int]) -> Counter[tuple[str, int]]:
    load: Counter[tuple[str, int]] = Counter()
    for (left, right), weight in zip(edges, weights, strict=True):
        load["left", left] += weight
        load["right", right] += weight
    return load


def is_matching(edges: list[Edge], chosen: Iterable[int]) -> bool:
    ends = [node for edge in chosen for node in (("l", edges[edge][0]), ("r", edges[edge][1]))]
    return len(ends) == len(set(ends))


def most_matchings(edges: list[Edge], weights: list[int]) -> int:
    """|E| - t + c + 1 (t tight nodes, c components with tight nodes only); 0 without edges."""
    load = loads(edges, weights)
    tight = {node for node in load if load[node] == max(load.values())}
    graph = nx.Graph((("left", left), ("right", right)) for left, right in edges)
    all_tight = sum(component <= tight for component in nx.connected_components(graph))
    return len(edges) - len(tight) + all_tight + 1 if edges else 0


def assert_decomposition(edges: list[Edge], weights: list[int], steps: Steps) -> None:
    for duration, matching in steps:
        assert type(duration) is int
        assert duration > 0
        assert matching
        assert list(matching) == sorted(set(matching))
        assert is_matching(edges, matching)
    for (_, before), (_, after) in pairwise(steps):
        assert before != after
    carried = [0] * len(edges)
    for duration, matching in steps:
        for edge in matching:
            carried[edge] += duration
    assert carried == weights
    assert sum(duration for duration, _ in steps) == max(loads(edges, weights).values(), default=0)
    assert len(steps) <= most_matchings(edges, weights) <= len(edges)


def assert_intervals(
    edges: list[Edge], weights: list[int], busy: list[list[tuple[int, int]]]
) -> None:
    assert len(busy) == len(edges)
    assert [sum(end - start for start, end in at_edge) for at_edge in busy] == weights
    total = max(loads(edges, weights).values(), default=0)
    at_node: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for (left, right), intervals in zip(edges, busy, strict=True):
        for start, end in intervals:
            assert 0 <= start < end <= total
        for (_, end), (start, _) in pairwise(intervals):
            assert end < start, "in order, and not two intervals where one would do"
        for node in (("left", left), ("right", right)):
            at_node.setdefault(node, []).extend(intervals)
    for intervals in at_node.values():
        for (_, end), (start, _) in pairwise(sorted(intervals)):
            assert end <= start


def assert_both(edges: list[Edge], weights: list[int]) -> tuple[Steps, int]:
    """Check both functions and their agreement; the steps and the number of intervals."""
    steps = decompose_into_matchings(edges, weights)
    busy = busy_intervals(edges, weights)
    assert_decomposition(edges, weights, steps)
    assert_intervals(edges, weights, busy)
    now = 0
    for duration, matching in steps:
        for edge, intervals in enumerate(busy):
            working = any(start <= now and now + duration <= end for start, end in intervals)
            assert working == (edge in matching)
        now += duration
    return steps, sum(map(len, busy))


def least_total_by_definition(edges: list[Edge], weights: list[int]) -> int:
    """The least total duration of any decomposition with integer durations, by exhaustion."""
    matchings = [
        chosen
        for size in range(1, len(edges) + 1)
        for chosen in itertools.combinations(range(len(edges)), size)
        if is_matching(edges, chosen)
    ]

    @cache
    def least(remaining: tuple[int, ...]) -> int:
        if not any(remaining):
            return 0
        first = next(edge for edge, weight in enumerate(remaining) if weight)
        return 1 + min(
            least(tuple(weight - (edge in chosen) for edge, weight in enumerate(remaining)))
            for chosen in matchings
            if first in chosen and all(remaining[edge] for edge in chosen)
        )

    return least(tuple(weights))


# Strategies -------------------------------------------------------------------------------------

SMALL = st.integers(1, 9)
HUGE = st.integers(1, 10**300)


def graphs(
    weights: st.SearchStrategy[int], nodes: int = 6, most_edges: int = 24
) -> st.SearchStrategy[tuple[list[Edge], list[int]]]:
    ends = st.integers(0, nodes - 1)
    return st.dictionaries(st.tuples(ends, ends), weights, max_size=most_edges).map(
        lambda weighted: (list(weighted), list(weighted.values()))
    )


@st.composite
def planted(draw: st.DrawFn, perfect: bool) -> tuple[list[Edge], list[int], int]:
    """A sum of random matchings with durations, and the total duration.

    The maximum load is at most the total, and equal to it if the matchings are perfect; all
    nodes are then tight.
    """
    nodes = draw(st.integers(1, 7))
    terms = draw(
        st.lists(
            st.tuples(st.permutations(range(nodes)), st.one_of(SMALL, HUGE)), min_size=1, max_size=9
        )
    )
    weight: Counter[Edge] = Counter()
    for permutation, duration in terms:
        for edge in enumerate(permutation):
            if perfect or draw(st.booleans()):
                weight[edge] += duration
    return list(weight), list(weight.values()), sum(duration for _, duration in terms)


# Laws -------------------------------------------------------------------------------------------


@given(graphs(SMALL))
def test_small_weights_with_many_ties(graph: tuple[list[Edge], list[int]]) -> None:
    assert_both(*graph)


@given(graphs(HUGE, nodes=9, most_edges=40))
def test_huge_weights(graph: tuple[list[Edge], list[int]]) -> None:
    assert_both(*graph)


@given(graphs(st.integers(1, 3), nodes=3, most_edges=6))
def test_total_is_the_least_by_exhaustion(graph: tuple[list[Edge], list[int]]) -> None:
    steps = decompose_into_matchings(*graph)
    assert sum(duration for duration, _ in steps) == least_total_by_definition(*graph)


@given(planted(perfect=False))
def test_planted_matchings(instance: tuple[list[Edge], list[int], int]) -> None:
    edges, weights, total = instance
    steps, _ = assert_both(edges, weights)
    assert sum(duration for duration, _ in steps) <= total


@given(planted(perfect=True))
def test_birkhoff_von_neumann(instance: tuple[list[Edge], list[int], int]) -> None:
    edges, weights, total = instance
    steps, _ = assert_both(edges, weights)
    nodes = 1 + max(left for left, _ in edges)
    assert sum(duration for duration, _ in steps) == total
    assert all(len(matching) == nodes for _, matching in steps)


@given(planted(perfect=True), st.randoms(use_true_random=False))
def test_nearly_all_nodes_tight(
    instance: tuple[list[Edge], list[int], int], source: random.Random
) -> None:
    edges, weights, _ = instance
    assert_both(edges, [source.randint(weight - weight // 10, weight) for weight in weights])


@given(graphs(SMALL), graphs(HUGE))
def test_disconnected_graphs(
    one: tuple[list[Edge], list[int]], other: tuple[list[Edge], list[int]]
) -> None:
    edges = one[0] + [(left + 1000, right + 10**30) for left, right in other[0]]
    assert_both(edges, one[1] + other[1])


@given(graphs(SMALL), st.randoms(use_true_random=False))
def test_order_names_and_sides_do_not_matter(
    graph: tuple[list[Edge], list[int]], source: random.Random
) -> None:
    weighted = list(zip(*graph, strict=True))
    source.shuffle(weighted)
    names = source.sample(range(10**6), 6)
    edges = [(names[right], left) for (left, right), _ in weighted]
    steps, _ = assert_both(edges, [weight for _, weight in weighted])
    original = decompose_into_matchings(*graph)
    assert sum(duration for duration, _ in steps) == sum(duration for duration, _ in original)


@given(graphs(SMALL), st.integers(1, 10**100))
def test_scaling_the_weights_scales_the_durations(
    graph: tuple[list[Edge], list[int]], factor: int
) -> None:
    edges, weights = graph
    scaled = decompose_into_matchings(edges, [factor * weight for weight in weights])
    plain = decompose_into_matchings(edges, weights)
    assert scaled == [(factor * duration, matching) for duration, matching in plain]


# Known answers ----------------------------------------------------------------------------------


def test_nothing() -> None:
    assert decompose_into_matchings([], []) == []
    assert busy_intervals([], []) == []


def test_one_edge() -> None:
    weight = 10**1000
    assert decompose_into_matchings([(7, 10**40)], [weight]) == [(weight, (0,))]
    assert busy_intervals([(7, 10**40)], [weight]) == [[(0, weight)]]


def test_a_matching_is_busy_from_the_start() -> None:
    weights = [5, 1, 3, 5]
    edges = [(node, 9 - node) for node in range(4)]
    assert busy_intervals(edges, weights) == [[(0, weight)] for weight in weights]
    assert decompose_into_matchings(edges, weights) == [
        (1, (0, 1, 2, 3)),
        (2, (0, 2, 3)),
        (2, (0, 3)),
    ]


@pytest.mark.parametrize("at_left", [True, False])
def test_a_star_needs_one_matching_per_edge(at_left: bool) -> None:
    edges = [(0, leaf) if at_left else (leaf, 0) for leaf in range(40)]
    steps, intervals = assert_both(edges, [leaf**3 + 1 for leaf in range(40)])
    assert len(steps) == intervals == len(edges) == most_matchings(edges, [1] * 40)


@pytest.mark.parametrize("nodes", [1, 2, 5, 16])
def test_unit_complete_graph_is_a_latin_square(nodes: int) -> None:
    edges = list(product(range(nodes), range(nodes)))
    steps, intervals = assert_both(edges, [1] * len(edges))
    assert [duration for duration, _ in steps] == [1] * nodes
    assert all(len(matching) == nodes for _, matching in steps)
    assert intervals == nodes**2


def test_marcus_ree_bound_is_reached() -> None:
    """(n-1)^2 + 1 matchings where all nodes are tight; a generic 3x3 sum of permutations has 5."""
    permutations = list(itertools.permutations(range(3)))[:5]
    weight: Counter[Edge] = Counter()
    for power, permutation in enumerate(permutations):
        for edge in enumerate(permutation):
            weight[edge] += 10**power
    edges = sorted(weight)
    weights = [weight[edge] for edge in edges]
    assert most_matchings(edges, weights) == 5
    steps, _ = assert_both(edges, weights)
    assert len(steps) == 5


def test_scatter_example_of_rr_4872() -> None:
    """s->a, s->b, a->0, b->0, b->1 in period 12: the loads allow it, so 12 is reached."""
    edges = [(0, 1), (0, 2), (1, 10), (2, 10), (2, 11)]
    steps, _ = assert_both(edges, [3, 9, 2, 4, 8])
    assert sum(duration for duration, _ in steps) == 12


def test_a_slack_that_is_used_up_cuts_the_step() -> None:
    """Right node 1 (load 2 of 3) is tight at time 1, before an edge is used up: 0-0 makes way."""
    edges = [(0, 0), (0, 1), (1, 2), (1, 1)]
    steps, intervals = assert_both(edges, [2, 1, 2, 1])
    assert steps == [(1, (0, 2)), (1, (1, 2)), (1, (0, 3))]
    assert intervals == 5


def test_few_edges_are_interrupted_when_loads_are_uneven() -> None:
    source = random.Random(1)
    edges = source.sample(list(product(range(100), range(100))), 500)
    weights = [source.randint(1, 10**50) for _ in edges]
    _, intervals = assert_both(edges, weights)
    assert intervals <= len(edges) + 5


# RR-4871, theorem 6: what was wrong --------------------------------------------------------------


def first_decomposition_of_padded(matrix: list[list[int]]) -> list[tuple[int, frozenset[Edge]]]:
    """The textbook way: pad W to [[W, slack], [slack, W^T]], whose row and column sums are equal,
    and subtract perfect matchings; each one without its padding, with its duration."""
    rows, columns = len(matrix), len(matrix[0])
    total = max(*map(sum, matrix), *map(sum, zip(*matrix, strict=True)))
    padded = [[0] * (rows + columns) for _ in range(rows + columns)]
    for i, j in product(range(rows), range(columns)):
        padded[i][j] = padded[rows + j][columns + i] = matrix[i][j]
    for i in range(rows):
        padded[i][columns + i] = total - sum(matrix[i])
    for j in range(columns):
        padded[rows + j][j] = total - sum(matrix[i][j] for i in range(rows))
    steps = []
    while any(padded[0]):
        row_of: dict[int, int] = {}

        def augment(i: int, seen: set[int], row_of: dict[int, int] = row_of) -> bool:
            for j, weight in enumerate(padded[i]):
                if weight and j not in seen:
                    seen.add(j)
                    if j not in row_of or augment(row_of[j], seen):
                        row_of[j] = i
                        return True
            return False

        assert all(augment(i, set()) for i in range(rows + columns))
        duration = min(padded[i][j] for j, i in row_of.items())
        for j, i in row_of.items():
            padded[i][j] -= duration
        inside = frozenset((i, j) for j, i in row_of.items() if i < rows and j < columns)
        steps.append((duration, inside))
    return steps


def test_padding_breaks_the_bound_on_the_number_of_matchings() -> None:
    matrix = [[2, 2, 2], [2, 1, 0]]
    edges = [(i, j) for i, j in product(range(2), range(3)) if matrix[i][j]]
    weights = [matrix[i][j] for i, j in edges]
    padded = first_decomposition_of_padded(matrix)
    carried: Counter[Edge] = Counter()
    for duration, matching in padded:
        for edge in matching:
            carried[edge] += duration
    assert [carried[edge] for edge in edges] == weights
    assert sum(duration for duration, _ in padded) == 6
    assert len({matching for _, matching in padded}) == 6 > len(edges)
    steps, _ = assert_both(edges, weights)
    assert len(steps) <= 5


def test_the_theorem_needs_integer_weights() -> None:
    """The paper allows rational c: one edge of weight 1/2 is no sum of integer durations."""
    with pytest.raises(InvalidInput, match=r"weight 0: Fraction\(1, 2\): .*positive integer"):
        decompose_into_matchings([(0, 0)], [Fraction(1, 2)])  # type: ignore[list-item]


# Refusals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edges", "weights", "message"),
    [
        ([(0, 0)], [], r"weights: 0: 1 edges need as many weights"),
        ([(0, 0)], [1, 2], r"weights: 2: 1 edges need as many weights"),
        ([], [1], r"weights: 1: 0 edges need as many weights"),
        ([(0, 0), (0, 1)], [1, 0], r"weight 1: 0: .*positive integer"),
        ([(0, 0)], [-3], r"weight 0: -3: .*positive integer"),
        ([(0, 0)], [2.0], r"weight 0: 2.0: .*positive integer"),
        ([(0, 0)], [True], r"weight 0: True: .*positive integer"),
        ([(0, 0)], ["1"], r"weight 0: '1': .*positive integer"),
        ([(0, 0), (1, 0), (0, 0)], [1, 1, 1], r"edge 2: \(0, 0\): .*edge 0 is the same"),
        ([(0, -1)], [1], r"edge 0: -1: .*non-negative integer"),
        ([(0, 1), (0.0, 1)], [1, 1], r"edge 1: 0.0: .*non-negative integer"),
        ([(False, 1)], [1], r"edge 0: False: .*non-negative integer"),
        ([(0, "b")], [1], r"edge 0: 'b': .*non-negative integer"),
        ([(0, 1, 2)], [1], r"edge 0: \(0, 1, 2\): an edge is a pair"),
        ([5], [1], r"edge 0: 5: an edge is a pair"),
    ],
)
@pytest.mark.parametrize("function", [decompose_into_matchings, busy_intervals])
def test_bad_input_is_refused_with_its_place(function, edges, weights, message) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InvalidInput, match=message):
        function(edges, weights)


def test_the_input_is_left_as_it_was() -> None:
    edges, weights = [(0, 0), (0, 1), (1, 0)], [2, 1, 1]
    busy_intervals(edges, weights)
    decompose_into_matchings(edges, weights)
    assert (edges, weights) == ([(0, 0), (0, 1), (1, 0)], [2, 1, 1])
