"""Edge coloring of bipartite multigraphs: the definition, Konig, planted answers."""

from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.certificate.graphs import EdgeColoring
from exactsched.exact.errors import InvalidInput
from exactsched.graphs import edge_coloring
from exactsched.graphs.edge_coloring import color_edges
from tests.graphs.multigraphs import (
    FEW,
    HUGE,
    SINGLE,
    Edge,
    Multigraph,
    anything,
    assert_coloring,
    largest_degree,
    multigraphs,
    planted,
)


def assert_colored(edges: list[Edge], multiplicities: list[int]) -> EdgeColoring:
    coloring = color_edges(edges, multiplicities)
    assert coloring.edges == tuple(edges)
    assert coloring.multiplicities == tuple(multiplicities)
    assert_coloring(coloring)
    assert len(coloring.classes) <= len(edges)
    return coloring


def colored_by_alternating_paths(edges: list[Edge]) -> list[int]:
    """Konig's own proof: give an edge a color free at one end, and swap two colors on the path
    that starts with it at the other end, which does not come back to the first end."""
    color_of = [-1] * len(edges)
    degree = largest_degree(edges, [1] * len(edges))
    edge_at: dict[tuple[str, int, int], int] = {}  # side, node, color
    for edge, (left, right) in enumerate(edges):
        free_left = next(c for c in range(degree) if ("left", left, c) not in edge_at)
        free_right = next(c for c in range(degree) if ("right", right, c) not in edge_at)
        path = []
        side, node, color = "right", right, free_left
        while (side, node, color) in edge_at:
            path.append(edge_at[side, node, color])
            side = "left" if side == "right" else "right"
            node = edges[path[-1]][0 if side == "left" else 1]
            color = free_left + free_right - color
        for other in path:
            for side, node in zip(("left", "right"), edges[other], strict=True):
                if edge_at.get((side, node, color_of[other])) == other:
                    del edge_at[side, node, color_of[other]]
            color_of[other] = free_left + free_right - color_of[other]
            for side, node in zip(("left", "right"), edges[other], strict=True):
                edge_at[side, node, color_of[other]] = other
        color_of[edge] = free_left
        edge_at["left", left, free_left] = edge_at["right", right, free_left] = edge
    return color_of


# Laws -------------------------------------------------------------------------------------------


@given(anything)
def test_a_coloring_with_as_many_colors_as_the_largest_degree(graph: Multigraph) -> None:
    assert_colored(*graph)


@pytest.mark.parametrize("few", [0, 10**6])
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=60))
def test_both_ways_to_match_single_copies(few: int, edges: list[Edge]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edge_coloring, "_FEW", few)
        patch.setattr(edge_coloring, "_mostly_single", lambda *_: True)
        assert_colored(edges, [1] * len(edges))


@pytest.mark.parametrize("few", [0, 10**6])
@pytest.mark.parametrize(("nodes", "degree"), [(9, 2), (40, 3), (30, 6), (60, 17)])
def test_both_ways_to_match_regular_graphs(
    few: int, nodes: int, degree: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edge_coloring, "_FEW", few)
    source = random.Random(nodes)
    edges = [edge for _ in range(degree) for edge in enumerate(source.sample(range(nodes), nodes))]
    assert assert_colored(edges, [1] * len(edges)).colors == degree


@given(st.one_of(multigraphs(SINGLE), multigraphs(SINGLE, nodes=20, most_edges=60)))
def test_konig_finds_no_fewer_colors(graph: Multigraph) -> None:
    edges, _ = graph
    classes: dict[int, list[int]] = {}
    for edge, color in enumerate(colored_by_alternating_paths(edges)):
        classes.setdefault(color, []).append(edge)
    matchings = tuple((1, tuple(matching)) for matching in classes.values())
    konig = EdgeColoring(tuple(edges), (1,) * len(edges), matchings, len(classes))
    assert_coloring(konig)  # held to the same definition
    assert assert_colored(edges, [1] * len(edges)).colors == konig.colors


@pytest.mark.parametrize("copies", [SINGLE, FEW, HUGE])
@given(data=st.data())
def test_planted_permutations(copies: st.SearchStrategy[int], data: st.DataObject) -> None:
    edges, multiplicities, degree = data.draw(planted(copies))
    coloring = assert_colored(edges, multiplicities)
    assert coloring.colors == degree
    nodes = 1 + max(left for left, _ in edges)
    assert all(len(matching) == nodes for _, matching in coloring.classes)


@given(multigraphs(FEW))
def test_no_multiplicities_are_ones(graph: Multigraph) -> None:
    edges, _ = graph
    assert color_edges(edges) == color_edges(edges, [1] * len(edges))


@given(anything, st.randoms(use_true_random=False))
def test_order_names_and_sides_do_not_matter(graph: Multigraph, source: random.Random) -> None:
    weighted = list(zip(*graph, strict=True))
    source.shuffle(weighted)
    names = source.sample(range(10**15), 30)
    edges = [(names[right], left) for (left, right), _ in weighted]
    coloring = assert_colored(edges, [copies for _, copies in weighted])
    assert coloring.colors == color_edges(*graph).colors


@given(anything, st.integers(1, 10**100))
def test_scaling_the_multiplicities_scales_the_colors(graph: Multigraph, factor: int) -> None:
    edges, multiplicities = graph
    scaled = assert_colored(edges, [factor * copies for copies in multiplicities])
    assert scaled.colors == factor * color_edges(edges, multiplicities).colors


@given(anything, st.data())
def test_a_multiplicity_is_as_good_as_parallel_edges(
    graph: Multigraph, data: st.DataObject
) -> None:
    edges, multiplicities = graph
    split_edges, split_multiplicities = [], []
    for edge, copies in zip(edges, multiplicities, strict=True):
        first = data.draw(st.integers(1, copies))
        for share in (first, copies - first):
            if share:
                split_edges.append(edge)
                split_multiplicities.append(share)
    coloring = assert_colored(split_edges, split_multiplicities)
    assert coloring.colors == color_edges(edges, multiplicities).colors


@given(multigraphs(FEW, nodes=4), multigraphs(HUGE, nodes=4))
def test_beside_each_other_only_the_larger_degree_counts(
    one: Multigraph, other: Multigraph
) -> None:
    edges = one[0] + [(left + 10, right + 10) for left, right in other[0]]
    coloring = assert_colored(edges, one[1] + other[1])
    assert coloring.colors == max(color_edges(*one).colors, color_edges(*other).colors)


# Known answers ----------------------------------------------------------------------------------


def test_nothing() -> None:
    assert color_edges([]) == color_edges([], []) == EdgeColoring((), (), (), 0)


def test_one_edge() -> None:
    assert color_edges([(7, 10**40)]).classes == ((1, (0,)),)
    assert color_edges([(7, 10**40)], [10**5000]).classes == ((10**5000, (0,)),)


def test_parallel_edges() -> None:
    assert color_edges([(1, 2)] * 3).classes == ((1, (0,)), (1, (1,)), (1, (2,)))
    assert color_edges([(1, 2)] * 3, [5, 10**9, 7]).classes == ((5, (0,)), (10**9, (1,)), (7, (2,)))


@pytest.mark.parametrize("degree", [1, 2, 3, 7, 8, 31, 33, 100])
@pytest.mark.parametrize("nodes", [1, 2, 13])
def test_regular_simple_and_with_parallel_edges(nodes: int, degree: int) -> None:
    """Circulants: simple if the degree is at most the number of nodes, else with parallel edges."""
    edges = [(node, (node + shift) % nodes) for node in range(nodes) for shift in range(degree)]
    assert_colored(edges, [1] * len(edges))


@pytest.mark.parametrize("nodes", [5, 16, 31])
def test_a_complete_graph_is_a_latin_square(nodes: int) -> None:
    coloring = assert_colored(list(product(range(nodes), range(nodes))), [1] * nodes**2)
    assert all(len(matching) == nodes for _, matching in coloring.classes)


@pytest.mark.parametrize("copies", [1, 3, 10**50])
def test_star(copies: int) -> None:
    leaves = 300
    coloring = assert_colored([(0, leaf) for leaf in range(leaves)], [copies] * leaves)
    assert [number for number, _ in coloring.classes] == [copies] * leaves


def test_larger_random_multigraphs() -> None:
    """Every way through the module: sparse, dense, skewed, and many copies with uneven degrees."""
    source = random.Random(1)
    for left_nodes, right_nodes, edge_count, most in [
        (3000, 2000, 3000, 1),
        (50, 60, 2500, 1),
        (50, 60, 2500, 1000),
        (50, 60, 2500, 10**40),
        (1000, 3, 1500, 7),
    ]:
        edges = [
            (int(left_nodes * source.random() ** 2), source.randrange(right_nodes))
            for _ in range(edge_count)
        ]
        assert_colored(edges, [source.randint(1, most) for _ in edges])


def test_counted_matchings_are_few() -> None:
    """100 copies on average of 400 edges: 2,000 colors and more, but few classes."""
    source = random.Random(1)
    edges = list(product(range(20), range(20)))
    coloring = assert_colored(edges, [source.randint(1, 200) for _ in edges])
    assert coloring.colors > 2000
    assert len(coloring.classes) < 100


def test_large_matchings_are_few_even_if_multiplicities_are_long() -> None:
    """One matching for each of the 2,000 edges of a path would have a million entries together."""
    source = random.Random(1)
    edges = [((step + 1) // 2, step // 2) for step in range(2000)]
    coloring = assert_colored(edges, [source.randint(1, 10**40) for _ in edges])
    assert len(coloring.classes) < 500


def test_edges_may_be_lists_and_come_from_an_iterator() -> None:
    edges: list[Edge] = [(0, 1), (0, 2)]
    assert color_edges(map(list, edges)) == color_edges(edges)  # type: ignore[arg-type]


# Refusals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edges", "multiplicities", "message"),
    [
        ([(0, -1)], None, r"edge 0: -1: .*non-negative integer"),
        ([(0, 1), (0.0, 1)], None, r"edge 1: 0.0: .*non-negative integer"),
        ([(0, True)], None, r"edge 0: True: .*non-negative integer"),
        ([(0, 1, 2)], None, r"edge 0: \(0, 1, 2\): an edge is a pair"),
        ([(0, 1)], [], r"\(multiplicity of edge\): 0: 1 are needed"),
        ([], [1], r"\(multiplicity of edge\): 1: 0 are needed"),
        ([(0, 1), (0, 2)], [1, 0], r"multiplicity of edge 1: 0: .*positive integer"),
        ([(0, 1)], [-4], r"multiplicity of edge 0: -4: .*positive integer"),
        ([(0, 1)], ["1/2"], r"multiplicity of edge 0: 1/2: .*positive integer"),
        ([(0, 1)], [2.0], r"multiplicity of edge 0: 2.0: a float is not exact"),
        ([(0, 1)], [True], r"multiplicity of edge 0: True: a truth value"),
    ],
)
def test_bad_input_is_refused_with_its_place(edges, multiplicities, message) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InvalidInput, match=message):
        color_edges(edges, multiplicities)


def test_the_input_is_left_as_it_was() -> None:
    edges, multiplicities = [(0, 0), (0, 1), (1, 0), (0, 0)], [2, 1, 1, 1]
    color_edges(edges, multiplicities)
    assert (edges, multiplicities) == ([(0, 0), (0, 1), (1, 0), (0, 0)], [2, 1, 1, 1])


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"method: .?konig.?: .* matching, gabow-kariv"):
        color_edges([(0, 1)], method="konig")  # type: ignore[arg-type]
