"""Sums of matchings in bipartite graphs: the definition, planted answers, numbers of matchings."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise, product

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.certificate.graphs import MatchingDecomposition
from exactsched.check import check
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import Rational
from exactsched.graphs.matching_decomposition import (
    busy_intervals,
    decompose_into_few_matchings,
    decompose_into_matchings,
)

Edge = tuple[int, int]
Decompose = Callable[..., MatchingDecomposition]
both_ways = pytest.mark.parametrize(
    "decompose", [decompose_into_matchings, decompose_into_few_matchings]
)


# The definition ---------------------------------------------------------------------------------


def loads(edges: list[Edge], weights: Sequence[Rational]) -> dict[tuple[str, int], Rational]:
    load: dict[tuple[str, int], Rational] = {}
    for (left, right), weight in zip(edges, weights, strict=True):
        load["left", left] = load.get(("left", left), 0) + weight
        load["right", right] = load.get(("right", right), 0) + weight
    return load


def is_matching(edges: list[Edge], chosen: Iterable[int]) -> bool:
    ends = [node for edge in chosen for node in (("l", edges[edge][0]), ("r", edges[edge][1]))]
    return len(ends) == len(set(ends))


def most_matchings(edges: list[Edge], weights: Sequence[Rational]) -> int:
    """|E| - t + c + 1 (t tight nodes, c components with tight nodes only); 0 without edges."""
    load = loads(edges, weights)
    tight = {node for node in load if load[node] == max(load.values())}
    graph = nx.Graph((("left", left), ("right", right)) for left, right in edges)
    all_tight = sum(component <= tight for component in nx.connected_components(graph))
    return len(edges) - len(tight) + all_tight + 1 if edges else 0


def assert_decomposition(decomposition: MatchingDecomposition) -> None:
    edges, weights = list(decomposition.edges), decomposition.weights
    matchings = decomposition.matchings
    for duration, matching in matchings:
        assert type(duration) is int or (type(duration) is Fraction and duration.denominator > 1)
        assert duration > 0
        assert matching
        assert list(matching) == sorted(set(matching))
        assert is_matching(edges, matching)
    for (_, before), (_, after) in pairwise(matchings):
        assert before != after
    carried: list[Rational] = [0] * len(edges)
    for duration, matching in matchings:
        for edge in matching:
            carried[edge] += duration
    assert carried == list(weights)
    assert decomposition.value == max(loads(edges, weights).values(), default=0)
    assert decomposition.value == sum(duration for duration, _ in matchings)
    assert len(matchings) <= most_matchings(edges, weights) <= len(edges)
    assert check(decomposition).value == decomposition.value


def assert_each_lasts_as_long_as_possible(decomposition: MatchingDecomposition) -> None:
    """Every duration against all matchings of what is left, by definition."""
    edges, left = list(decomposition.edges), list(decomposition.weights)
    time_left = decomposition.value
    for duration, matching in decomposition.matchings:
        load = loads(edges, left)
        longest = max(
            min(
                *(left[edge] for edge in chosen),
                *(time_left - load[node] for node in load.keys() - ends_of(edges, chosen)),
                time_left,
            )
            for size in range(1, len(edges) + 1)
            for chosen in itertools.combinations(range(len(edges)), size)
            if is_matching(edges, chosen)
        )
        assert duration == longest
        assert duration * (len(edges) + len(load)) >= time_left
        for edge in matching:
            left[edge] -= duration
        time_left -= duration


def ends_of(edges: list[Edge], chosen: Iterable[int]) -> set[tuple[str, int]]:
    return {
        node for edge in chosen for node in (("left", edges[edge][0]), ("right", edges[edge][1]))
    }


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


def assert_all(edges: list[Edge], weights: list[int]) -> tuple[MatchingDecomposition, int]:
    """Check all three functions and the agreement of two: the matchings, and how many intervals."""
    decomposition = decompose_into_matchings(edges, weights)
    busy = busy_intervals(edges, weights)
    assert_decomposition(decomposition)
    assert_intervals(edges, weights, busy)
    assert all(type(duration) is int for duration, _ in decomposition.matchings)
    now: Rational = 0
    for duration, matching in decomposition.matchings:
        for edge, intervals in enumerate(busy):
            working = any(start <= now and now + duration <= end for start, end in intervals)
            assert working == (edge in matching)
        now += duration
    assert_decomposition(decompose_into_few_matchings(edges, weights))
    return decomposition, sum(map(len, busy))


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
Graph = tuple[list[Edge], list[int]]


def graphs(
    weights: st.SearchStrategy[int], nodes: int = 6, most_edges: int = 24
) -> st.SearchStrategy[Graph]:
    """Parallel edges are rare with many nodes and common with few."""
    ends = st.integers(0, nodes - 1)
    weighted = st.lists(st.tuples(st.tuples(ends, ends), weights), max_size=most_edges)
    return weighted.map(
        lambda edges: ([edge for edge, _ in edges], [weight for _, weight in edges])
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
def test_small_weights_with_many_ties(graph: Graph) -> None:
    assert_all(*graph)


@given(graphs(HUGE, nodes=9, most_edges=40))
def test_huge_weights(graph: Graph) -> None:
    assert_all(*graph)


@given(graphs(st.integers(1, 3), nodes=3, most_edges=6))
def test_total_is_the_least_by_exhaustion(graph: Graph) -> None:
    assert decompose_into_matchings(*graph).value == least_total_by_definition(*graph)


@given(st.one_of(graphs(SMALL, nodes=4, most_edges=8), graphs(HUGE, nodes=4, most_edges=8)))
def test_the_duration_is_the_longest_possible_every_time(graph: Graph) -> None:
    assert_each_lasts_as_long_as_possible(decompose_into_few_matchings(*graph))


@given(planted(perfect=False))
def test_planted_matchings(instance: tuple[list[Edge], list[int], int]) -> None:
    edges, weights, total = instance
    decomposition, _ = assert_all(edges, weights)
    assert decomposition.value <= total


@both_ways
@given(instance=planted(perfect=True))
def test_birkhoff_von_neumann(
    decompose: Decompose, instance: tuple[list[Edge], list[int], int]
) -> None:
    """Doubly stochastic: at most (n - 1)^2 + 1 permutations (Marcus and Ree), a convex sum."""
    edges, weights, total = instance
    decomposition = decompose(edges, [Fraction(weight, total) for weight in weights])
    assert_decomposition(decomposition)
    assert decomposition.value == 1
    nodes = 1 + max(left for left, _ in edges)
    assert all(len(matching) == nodes for _, matching in decomposition.matchings)
    assert len(decomposition.matchings) <= (nodes - 1) ** 2 + 1


@given(planted(perfect=True), st.randoms(use_true_random=False))
def test_nearly_all_nodes_tight(
    instance: tuple[list[Edge], list[int], int], source: random.Random
) -> None:
    edges, weights, _ = instance
    assert_all(edges, [source.randint(weight - weight // 10, weight) for weight in weights])


@given(graphs(SMALL), graphs(HUGE))
def test_disconnected_graphs(one: Graph, other: Graph) -> None:
    edges = one[0] + [(left + 1000, right + 10**30) for left, right in other[0]]
    assert_all(edges, one[1] + other[1])


@given(graphs(SMALL), st.randoms(use_true_random=False))
def test_order_names_and_sides_do_not_matter(graph: Graph, source: random.Random) -> None:
    weighted = list(zip(*graph, strict=True))
    source.shuffle(weighted)
    names = source.sample(range(10**6), 6)
    edges = [(names[right], left) for (left, right), _ in weighted]
    decomposition, _ = assert_all(edges, [weight for _, weight in weighted])
    assert decomposition.value == decompose_into_matchings(*graph).value


@both_ways
@given(graph=graphs(SMALL), factor=st.fractions(min_value=Fraction(1, 10**9), max_value=10**100))
def test_scaling_the_weights_scales_the_durations(
    decompose: Decompose, graph: Graph, factor: Fraction
) -> None:
    edges, weights = graph
    if factor:
        scaled = decompose(edges, [factor * weight for weight in weights])
        assert_decomposition(scaled)
        assert scaled.matchings == tuple(
            (factor * duration, matching)
            for duration, matching in decompose(edges, weights).matchings
        )


@both_ways
@given(graph=graphs(SMALL), data=st.data())
def test_splitting_a_weight_among_parallel_edges_changes_no_total(
    decompose: Decompose, graph: Graph, data: st.DataObject
) -> None:
    edges, weights = graph
    parts = [data.draw(st.fractions(min_value=0, max_value=weight)) for weight in weights]
    split = [
        (edge, share)
        for edge, weight, part in zip(edges, weights, parts, strict=True)
        for share in (part, weight - part)
        if share
    ]
    decomposition = decompose([edge for edge, _ in split], [share for _, share in split])
    assert_decomposition(decomposition)
    assert decomposition.value == decompose(edges, weights).value


# Known answers ----------------------------------------------------------------------------------


def test_nothing() -> None:
    nothing = MatchingDecomposition((), (), (), 0)
    assert decompose_into_matchings([], []) == decompose_into_few_matchings([], []) == nothing
    assert busy_intervals([], []) == []


def test_one_edge() -> None:
    weight = 10**1000
    assert busy_intervals([(7, 10**40)], [weight]) == [[(0, weight)]]
    for decompose in (decompose_into_matchings, decompose_into_few_matchings):
        assert decompose([(7, 10**40)], [weight]).matchings == ((weight, (0,)),)


def test_a_matching_is_busy_from_the_start() -> None:
    weights = [5, 1, 3, 5]
    edges = [(node, 9 - node) for node in range(4)]
    assert busy_intervals(edges, weights) == [[(0, weight)] for weight in weights]
    assert decompose_into_matchings(edges, weights).matchings == (
        (1, (0, 1, 2, 3)),
        (2, (0, 2, 3)),
        (2, (0, 3)),
    )


@pytest.mark.parametrize("at_left", [True, False])
def test_a_star_needs_one_matching_per_edge(at_left: bool) -> None:
    edges = [(0, leaf) if at_left else (leaf, 0) for leaf in range(40)]
    decomposition, intervals = assert_all(edges, [leaf**3 + 1 for leaf in range(40)])
    assert len(decomposition.matchings) == intervals == len(edges)
    assert most_matchings(edges, [1] * 40) == len(edges)


@pytest.mark.parametrize("nodes", [1, 2, 5, 16])
@both_ways
def test_unit_complete_graph_is_a_latin_square(decompose: Decompose, nodes: int) -> None:
    edges = list(product(range(nodes), range(nodes)))
    decomposition = decompose(edges, [1] * len(edges))
    assert_decomposition(decomposition)
    assert [duration for duration, _ in decomposition.matchings] == [1] * nodes
    assert all(len(matching) == nodes for _, matching in decomposition.matchings)


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
    decomposition, _ = assert_all(edges, weights)
    assert len(decomposition.matchings) == 5


def test_scatter_example_of_rr_4872() -> None:
    """s->a, s->b, a->0, b->0, b->1 in period 12: the loads allow it, so 12 is reached."""
    edges = [(0, 1), (0, 2), (1, 10), (2, 10), (2, 11)]
    decomposition, _ = assert_all(edges, [3, 9, 2, 4, 8])
    assert decomposition.value == 12


def test_a_slack_that_is_used_up_cuts_the_step() -> None:
    """Right node 1 (load 2 of 3) is tight at time 1, before an edge is used up: 0-0 makes way."""
    edges = [(0, 0), (0, 1), (1, 2), (1, 1)]
    decomposition, intervals = assert_all(edges, [2, 1, 2, 1])
    assert decomposition.matchings == ((1, (0, 2)), (1, (1, 2)), (1, (0, 3)))
    assert intervals == 5


def test_few_edges_are_interrupted_when_loads_are_uneven() -> None:
    source = random.Random(1)
    edges = source.sample(list(product(range(100), range(100))), 500)
    weights = [source.randint(1, 10**50) for _ in edges]
    _, intervals = assert_all(edges, weights)
    assert intervals <= len(edges) + 5


def test_few_matchings_are_far_fewer() -> None:
    """900 edges with weights of two digits: each node has 30 edges, so 30 is a lower bound."""
    source = random.Random(1)
    edges = list(product(range(30), range(30)))
    weights = [source.randint(1, 100) for _ in edges]
    assert len(decompose_into_matchings(edges, weights).matchings) > 600
    assert len(decompose_into_few_matchings(edges, weights).matchings) < 100


def test_few_matchings_interrupt_few_edges_where_loads_are_uneven() -> None:
    """Exposed nodes are matched where they can be, and edges with least left are preferred."""
    source = random.Random(1)
    edges = source.sample(list(product(range(200), range(200))), 4000)
    weights = [source.randint(1, 1000) for _ in edges]
    decomposition = decompose_into_few_matchings(edges, weights)
    assert_decomposition(decomposition)
    assert len(decomposition.matchings) <= 100
    assert sum(len(matching) for _, matching in decomposition.matchings) < 13_500


def test_planted_permutations_are_found_again() -> None:
    """Five permutations of 50 with weights 1, 2, 4, 8, 16: few matchings are those, no more."""
    source = random.Random(3)
    weight: Counter[Edge] = Counter()
    for power in range(5):
        for edge in enumerate(source.sample(range(50), 50)):
            weight[edge] += 2**power
    decomposition = decompose_into_few_matchings(list(weight), list(weight.values()))
    assert_decomposition(decomposition)
    assert [duration for duration, _ in decomposition.matchings] == [16, 8, 4, 2, 1]


def test_a_shorter_duration_is_not_taken_for_a_node_that_may_rest() -> None:
    """Right 0 is tight with load 9; left 1 has slack 8, which lasts longer than its edge."""
    decomposition = decompose_into_few_matchings([(0, 0), (1, 0)], [8, 1])
    assert decomposition.matchings == ((8, (0,)), (1, (1,)))


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
    decomposition, _ = assert_all(edges, weights)
    assert len(decomposition.matchings) <= 5


def test_integer_durations_need_integer_weights() -> None:
    """The paper allows rational c: one edge of weight 1/2 is no sum of integer durations."""
    assert decompose_into_matchings([(0, 0)], ["1/2"]).matchings == ((Fraction(1, 2), (0,)),)
    with pytest.raises(InvalidInput, match=r"weight 0: 1/2: .*positive integer"):
        busy_intervals([(0, 0)], [Fraction(1, 2)])  # type: ignore[list-item]


# Refusals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edges", "weights", "message"),
    [
        ([(0, -1)], [1], r"edge 0: -1: .*non-negative integer"),
        ([(-2, 1)], [1], r"edge 0: -2: .*non-negative integer"),
        ([(0, 1), (0.0, 1)], [1, 1], r"edge 1: 0.0: .*non-negative integer"),
        ([(False, 1)], [1], r"edge 0: False: .*non-negative integer"),
        ([(0, "b")], [1], r"edge 0: 'b': .*non-negative integer"),
        ([(0, 1, 2)], [1], r"edge 0: \(0, 1, 2\): an edge is a pair"),
        ([5], [1], r"edge 0: 5: an edge is a pair"),
        (["ab"], [1], r"edge 0: 'ab': an edge is a pair"),
    ],
)
@pytest.mark.parametrize(
    "function", [decompose_into_matchings, decompose_into_few_matchings, busy_intervals]
)
def test_bad_edges_are_refused_with_their_place(function, edges, weights, message) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InvalidInput, match=message):
        function(edges, weights)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([], r"weights: 0: 2 edges need as many weights"),
        ([1, 2, 3], r"weights: 3: 2 edges need as many weights"),
        ([1, 0], r"weight 1: 0: .*positive integer"),
        ([-3, 1], r"weight 0: -3: .*positive integer"),
        ([2.0, 1], r"weight 0: 2.0: .*positive integer"),
        ([True, 1], r"weight 0: True: .*positive integer"),
        (["1", 1], r"weight 0: '1': .*positive integer"),
    ],
)
def test_bad_integer_weights_are_refused(weights, message) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InvalidInput, match=message):
        busy_intervals([(0, 0), (0, 1)], weights)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([], r"\(weight of edge\): 0: 2 are needed"),
        ([1, 2, 3], r"\(weight of edge\): 3: 2 are needed"),
        ([1, 0], r"weight of edge 1: 0: a weight is positive"),
        (["-1/3", 1], r"weight of edge 0: -1/3: a weight is positive"),
        ([2.0, 1], r"weight of edge 0: 2.0: a float is not exact"),
        ([1, True], r"weight of edge 1: True: a truth value"),
        (["x", 1], r"weight of edge 0: 'x': not a number"),
    ],
)
@both_ways
def test_bad_weights_are_refused(decompose, weights, message) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InvalidInput, match=message):
        decompose([(0, 0), (0, 1)], weights)


def test_the_input_is_left_as_it_was() -> None:
    edges, weights = [(0, 0), (0, 1), (1, 0)], [2, 1, 1]
    busy_intervals(edges, weights)
    decompose_into_matchings(edges, weights)
    decompose_into_few_matchings(edges, weights)
    assert (edges, weights) == ([(0, 0), (0, 1), (1, 0)], [2, 1, 1])
