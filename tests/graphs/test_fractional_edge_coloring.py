"""Fractional edge coloring: the definition, known chromatic indices, planted sets, laws."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import log2

import networkx as nx
import pytest
from flint import fmpz_mat
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exactsched.certificate.graphs import FractionalEdgeColoring
from exactsched.check import check
from exactsched.exact.errors import InvalidInput
from exactsched.graphs import fractional_edge_coloring
from exactsched.graphs.fractional_edge_coloring import color_fractionally
from exactsched.graphs.odd_cut import minimum_odd_cut

Edge = tuple[int, int]
Graph = tuple[int, list[Edge], list[int | Fraction]]


# The definition ----------------------------------------------------------------------------------


def loads(size: int, edges: list[Edge], weights: list[int | Fraction]) -> list[int | Fraction]:
    load: list[int | Fraction] = [0] * size
    for (one, other), weight in zip(edges, weights, strict=True):
        load[one] += weight
        load[other] += weight
    return load


def bound_by(
    nodes: tuple[int, ...], size: int, edges: list[Edge], weights: list[int | Fraction]
) -> int | Fraction:
    """What a single node or an odd set of at least three nodes says about the total duration."""
    assert len(nodes) % 2 == 1
    if len(nodes) == 1:
        return loads(size, edges, weights)[nodes[0]]
    pairs = zip(edges, weights, strict=True)
    return Fraction(sum(w for edge, w in pairs if set(edge) <= set(nodes)), len(nodes) // 2)


def value_by_definition(size: int, edges: list[Edge], weights: list[int | Fraction]) -> Fraction:
    """The largest bound over all nodes and all odd sets."""
    return max(
        Fraction(bound_by(nodes, size, edges, weights))
        for count in range(1, size + 1, 2)
        for nodes in combinations(range(size), count)
    )


def most_matchings(size: int, edges: list[Edge], weights: list[int | Fraction]) -> int:
    """|E| - t + c + 1 by t nodes whose load is the value, c bipartite components of such nodes.

    Without such nodes |E|.
    """
    load = loads(size, edges, weights)
    value = color_fractionally(size, edges, weights).value
    tight = {node for node in range(size) if load[node] == value}
    graph = nx.Graph(edges)
    components = [graph.subgraph(nodes) for nodes in nx.connected_components(graph)]
    closed = sum(part.nodes <= tight and nx.is_bipartite(part) for part in components)
    return len(edges) - len(tight) + closed + 1 if tight else len(edges)


def assert_coloring(
    noun: FractionalEdgeColoring, size: int, edges: list[Edge], weights: list[int | Fraction]
) -> None:
    assert (noun.size, noun.edges) == (size, tuple(map(tuple, edges)))
    assert list(noun.weights) == list(weights)
    carried: list[int | Fraction] = [0] * len(edges)
    for duration, matching in noun.matchings:
        assert duration > 0
        assert list(matching) == sorted(set(matching))
        ends = [node for edge in matching for node in edges[edge]]
        assert len(ends) == len(set(ends))
        for edge in matching:
            carried[edge] += duration
    assert carried == list(weights)
    assert sum(duration for duration, _ in noun.matchings) == noun.value
    assert list(noun.witness) == sorted(set(noun.witness))
    assert bound_by(noun.witness, size, edges, weights) == noun.value
    assert type(noun.value) is Fraction
    for number in (*noun.weights, *(duration for duration, _ in noun.matchings)):
        assert type(number) is int or number.denominator > 1
    if edges:
        rows = [[int(e in m) for e in range(len(edges))] for _, m in noun.matchings]
        assert fmpz_mat(rows).rank() == len(rows) <= len(edges)
        assert len(rows) <= most_matchings(size, edges, weights)


def colored(
    size: int, edges: list[Edge], weights: list[int | Fraction] | None = None
) -> FractionalEdgeColoring:
    """The coloring, after it has been checked against the definition; weights are 1 by default."""
    if weights is None:
        weights = [1] * len(edges)
    noun = color_fractionally(size, edges, weights)
    assert_coloring(noun, size, edges, weights)
    assert check(noun).value == noun.value
    return noun


def of_graph(graph: nx.Graph) -> tuple[int, list[Edge]]:
    graph = nx.convert_node_labels_to_integers(graph)
    return len(graph), list(graph.edges)


# Random graphs -----------------------------------------------------------------------------------

NUMBERS = st.one_of(
    st.integers(1, 3),
    st.integers(1, 10**40),
    st.builds(Fraction, st.integers(1, 50), st.integers(1, 50)),
    st.builds(Fraction, st.integers(1, 10**40), st.sampled_from([2**90, 3**70, 5**50])),
)


@st.composite
def graphs(draw: st.DrawFn, most_nodes: int = 8, numbers: st.SearchStrategy = NUMBERS) -> Graph:
    size = draw(st.integers(2, most_nodes))
    pairs = st.tuples(st.integers(0, size - 1), st.integers(0, size - 1))
    edges = draw(st.lists(pairs.filter(lambda pair: pair[0] != pair[1]), max_size=3 * size))
    return size, edges, [draw(numbers) for _ in edges]


@st.composite
def nested_triangles(draw: st.DrawFn) -> Graph:
    """A sum of perfect matchings that leave each of many nested odd sets by exactly one edge.

    It starts as a single edge; again and again a node becomes a triangle, whose nodes share the
    edges of the node.  Every matching goes on with one edge of the triangle.
    """
    dice = draw(st.randoms(use_true_random=False))
    count = draw(st.integers(0, 8))
    matchings = [(dice.randint(1, 9), {(0, 1)}) for _ in range(draw(st.integers(1, 6)))]
    size = 2
    for _ in range(count):
        node = dice.randrange(size)
        grown = []
        for duration, matching in matchings:
            port = dice.choice([node, size, size + 1])
            moved = {tuple(sorted(port if end == node else end for end in e)) for e in matching}
            rest = sorted({node, size, size + 1} - {port})
            grown.append((duration, moved | {(rest[0], rest[1])}))
        matchings, size = grown, size + 2
    weight: Counter[Edge] = Counter()
    for duration, matching in matchings:
        for edge in matching:
            weight[edge] += duration
    edges = sorted(weight)
    return size, edges, [weight[edge] for edge in edges]


def sum_of_matchings(size: int, count: int, seed: int) -> Graph:
    """Random largest matchings with random durations, added up: at odd sizes tight as a whole."""
    dice = random.Random(seed)
    weight: Counter[Edge] = Counter()
    for _ in range(count):
        order, duration = dice.sample(range(size), size), dice.randint(1, 10**6)
        for one, other in zip(order[::2], order[1::2], strict=False):
            weight[min(one, other), max(one, other)] += duration
    edges = sorted(weight)
    return size, edges, [weight[edge] for edge in edges]


# The value and both its proofs -------------------------------------------------------------------


@given(graphs())
def test_value_is_the_largest_bound(graph):
    assert colored(*graph).value == value_by_definition(*graph)


@given(graphs(6, st.integers(1, 2)))
def test_small_weights_have_many_ties(graph):
    assert colored(*graph).value == value_by_definition(*graph)


@given(nested_triangles())
def test_nested_tight_sets(graph):
    assert set(loads(*graph)) == {colored(*graph).value}


@given(st.integers(5, 25), st.integers(2, 6), st.integers(0, 10**6))
def test_sums_of_largest_matchings(size, count, seed):
    graph = sum_of_matchings(size, count, seed)
    _, _, weights = graph
    assert colored(*graph).value == Fraction(sum(weights), size // 2)


@pytest.mark.parametrize("side", [5, 7, 9])
def test_odd_tori(side):
    """Many overlooked odd sets, one inside the other: splits are undone and done again."""
    assert colored(*odd_torus(side)).value == Fraction(4 * side**2, side**2 - 1)


def odd_torus(side: int) -> tuple[int, list[Edge]]:
    return of_graph(nx.grid_graph((side, side), periodic=True))


def test_mistakes_come_to_an_end_without_minimum_odd_cuts(monkeypatch):
    def never(*_: object) -> None:
        raise AssertionError("too many mistakes")

    monkeypatch.setattr(fractional_edge_coloring, "minimum_odd_cut", never)
    colored(*odd_torus(7))
    colored(*odd_torus(9))


def test_mistakes_are_counted():
    """Of a triangle every node has time in 2 units, and all three together have not."""
    part = fractional_edge_coloring._whole(3, [(0, 1), (1, 2), (0, 2)], [1, 1, 1], Fraction(2))
    decomposer = fractional_edge_coloring._Decomposer(5)
    assert decomposer.decompose(part) == {0, 1, 2}
    assert decomposer.mistakes_left == 4


def test_recursion_is_logarithmic(monkeypatch):
    depth = deepest = 0
    decompose = fractional_edge_coloring._Decomposer.decompose

    def counted(*arguments: object) -> object:
        nonlocal depth, deepest
        depth += 1
        deepest = max(deepest, depth)
        outcome = decompose(*arguments)
        depth -= 1
        return outcome

    monkeypatch.setattr(fractional_edge_coloring._Decomposer, "decompose", counted)
    color_fractionally(*odd_torus(15), [1] * 450)
    assert 1 < deepest <= log2(225)


def test_blossoms_with_room_are_not_to_blame():
    """Where no path is left, one blossom among several is tight, not overfull."""
    colored(*sum_of_matchings(21, 4, 21))


@given(graphs(), st.data())
def test_minimum_odd_cut(graph, data):
    size, edges, _ = graph
    capacities = [data.draw(st.integers(0, 4)) for _ in edges]
    count = 2 * data.draw(st.integers(1, size // 2))
    terminals = data.draw(st.permutations(range(size)))[:count]

    def leaving(nodes: frozenset[int]) -> int:
        pairs = zip(edges, capacities, strict=True)
        return sum(c for (one, other), c in pairs if (one in nodes) != (other in nodes))

    least, side = minimum_odd_cut(size, edges, capacities, terminals)
    assert len(side.intersection(terminals)) % 2 == 1
    assert leaving(side) == least
    assert least == min(
        leaving(frozenset(nodes))
        for number in range(1, size)
        for nodes in combinations(range(size), number)
        if len(set(nodes).intersection(terminals)) % 2 == 1
    )


@pytest.fixture
def no_mistakes(monkeypatch):
    """Every odd set is the right one from the start, because minimum odd cuts are asked."""
    monkeypatch.setattr(fractional_edge_coloring, "MISTAKES_PER_EDGE", 0)

    def never(*_: object) -> None:
        raise AssertionError("a split was undone")

    monkeypatch.setattr(fractional_edge_coloring._Side, "lifted", never)


@pytest.mark.usefixtures("no_mistakes")
class TestWithMinimumOddCuts:
    @given(graphs(6))
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_value_is_the_largest_bound(self, graph):
        assert colored(*graph).value == value_by_definition(*graph)

    @pytest.mark.parametrize("side", [5, 7])
    def test_odd_tori(self, side):
        test_odd_tori(side)

    @pytest.mark.parametrize("size", [24, 25])
    def test_sums_of_largest_matchings(self, size):
        graph = sum_of_matchings(size, 5, size)
        assert colored(*graph).value == Fraction(sum(graph[2]), size // 2)

    def test_petersen_graph(self):
        assert colored(*of_graph(nx.petersen_graph())).value == 3


# Known answers -----------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 2, 3, 10])
def test_odd_cycle(k):
    size = 2 * k + 1
    noun = colored(size, [(node, (node + 1) % size) for node in range(size)])
    assert noun.value == Fraction(size, k)
    assert noun.witness == tuple(range(size))


def test_petersen_graph_has_fractional_index_3_and_chromatic_index_4():
    noun = colored(*of_graph(nx.petersen_graph()))
    assert noun.value == 3
    assert any(duration != 1 for duration, _ in noun.matchings), "three matchings do not exist"


@pytest.mark.parametrize("k", [5, 7, 9])
def test_flower_snarks_have_fractional_index_3(k):
    graph = nx.Graph((("a", i), (letter, i)) for i in range(k) for letter in "bcd")
    graph.add_edges_from((("b", i), ("b", (i + 1) % k)) for i in range(k))
    ring = [("c", i) for i in range(k)] + [("d", i) for i in range(k)]
    graph.add_edges_from(zip(ring, ring[1:] + ring[:1], strict=True))
    assert colored(*of_graph(graph)).value == 3


@pytest.mark.parametrize("size", range(2, 11))
def test_complete_graph(size):
    noun = colored(*of_graph(nx.complete_graph(size)))
    assert noun.value == (size if size % 2 else size - 1)


@given(st.tuples(NUMBERS, NUMBERS, NUMBERS))
def test_fat_triangle(weights):
    noun = colored(3, [(0, 1), (1, 2), (2, 0)], list(weights))
    assert noun.value == sum(weights)
    assert noun.witness == (0, 1, 2)


@given(st.integers(2, 6), st.integers(2, 6), st.data())
def test_bipartite_graph_needs_its_largest_load(left, right, data):
    edges = [(i, left + j) for i in range(left) for j in range(right)]
    weights = [data.draw(NUMBERS) for _ in edges]
    noun = colored(left + right, edges, weights)
    assert noun.value == max(loads(left + right, edges, weights))
    assert len(noun.witness) == 1


def test_triangle_with_a_pendant_edge_of_any_weight():
    """Node or odd set: what is larger, and at 2 both."""
    edges = [(0, 1), (1, 2), (2, 0), (0, 3)]
    for weight in (Fraction(1, 2), 1, Fraction(3, 2)):
        noun = colored(4, edges, [1, 1, 1, weight])
        assert noun.value == max(3, 2 + weight)
    assert colored(4, edges, [1, 1, 1, 10**50]).witness == (0,)


def test_a_star_needs_one_matching_per_edge():
    noun = colored(9, [(0, leaf) for leaf in range(1, 9)], list(range(1, 9)))
    assert len(noun.matchings) == 8


def test_durations_may_be_finer_than_weights():
    """The five-cycle with unit weights takes 5/2; its matchings last halves."""
    noun = colored(5, [(i, (i + 1) % 5) for i in range(5)])
    assert {duration for duration, _ in noun.matchings} == {Fraction(1, 2)}


def test_hundreds_of_digits():
    size, edges = of_graph(nx.petersen_graph())
    dice = random.Random(1)
    weights = [Fraction(dice.randint(1, 10**300), dice.randint(1, 10**20)) for _ in edges]
    assert colored(size, edges, weights).value >= max(loads(size, edges, weights))


@pytest.mark.parametrize("size", [1, 4])
def test_without_edges_the_value_is_0(size):
    noun = colored(size, [])
    assert (noun.value, noun.matchings, noun.witness) == (0, (), (0,))


def test_isolated_nodes_change_nothing():
    edges = [(2, 4), (4, 7), (7, 2)]
    assert colored(9, edges).value == 3
    assert colored(9, edges).witness == (2, 4, 7)


# Laws --------------------------------------------------------------------------------------------


@given(graphs(), st.randoms(use_true_random=False))
def test_relabelling_changes_nothing(graph, dice):
    size, edges, weights = graph
    name = dice.sample(range(size), size)
    order = dice.sample(range(len(edges)), len(edges))
    renamed = [(name[edges[i][1]], name[edges[i][0]]) for i in order]
    value = color_fractionally(*graph).value
    assert color_fractionally(size, renamed, [weights[i] for i in order]).value == value


@given(graphs(), NUMBERS)
def test_scaling_scales(graph, factor):
    size, edges, weights = graph
    scaled = color_fractionally(size, edges, [weight * factor for weight in weights])
    assert scaled.value == color_fractionally(*graph).value * factor


@given(graphs(), st.integers(0, 100))
def test_splitting_an_edge_into_parallel_ones_changes_nothing(graph, index):
    size, edges, weights = graph
    if edges:
        index %= len(edges)
        third = Fraction(weights[index]) / 3
        halves = [*weights[:index], third, *weights[index + 1 :], 2 * third]
        halves = [int(weight) if weight.denominator == 1 else weight for weight in halves]
        noun = colored(size, [*edges, edges[index]], halves)
        assert noun.value == color_fractionally(*graph).value


@given(graphs(), NUMBERS)
def test_another_edge_never_lowers_the_value(graph, weight):
    size, edges, weights = graph
    value = color_fractionally(*graph).value
    more = color_fractionally(size, [*edges, (0, 1)], [*weights, weight]).value
    assert value <= more <= value + weight


# Bad input ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "edges", "weights", "reason"),
    [
        (0, [], [], "size: 0: "),
        (2, [(0, 0)], [1], r"edge 0: \(0, 0\): a loop"),
        (2, [(0, 2)], [1], r"edge 0: \(0, 2\): the ends"),
        (2, [(0, 1), 7], [1, 1], "edge 1: 7: "),
        (2, [(0, 1)], [0], "weight of edge 0: 0: a weight is positive"),
        (3, [(0, 1), (1, 2)], [1, "-1/2"], r"weight of edge 1: .*1/2.*: a weight is positive"),
        (2, [(0, 1)], [0.5], "weight of edge 0: 0.5"),
        (2, [(0, 1)], [True], "weight of edge 0: True"),
        (2, [(0, 1)], [1, 1], "weight of edge"),
        (2, [(False, True)], [1], "edge 0"),
    ],
)
def test_refused(size, edges, weights, reason):
    with pytest.raises(InvalidInput, match=reason):
        color_fractionally(size, edges, weights)


def test_text_is_exact():
    assert color_fractionally(2, [[0, 1]], ["0.5"]).value == Fraction(1, 2)
