"""Gabow-Kariv edge coloring: the definition, the default method, planted answers, counted steps."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from itertools import count, product
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.certificate.graphs import EdgeColoring
from exactsched.graphs import gabow_kariv
from exactsched.graphs.edge_coloring import color_edges
from exactsched.graphs.gabow_kariv import Colored, color_by_recoloring
from tests.graphs.multigraphs import (
    FEW,
    HUGE,
    SINGLE,
    Edge,
    Multigraph,
    anything,
    assert_coloring,
    multigraphs,
    planted,
)


def recolored(edges: list[Edge], copies: list[int]) -> Colored:
    """A coloring that is right by definition."""
    found = color_by_recoloring([left for left, _ in edges], [right for _, right in edges], copies)
    colors = sum(number for number, _ in found.classes)
    assert_coloring(EdgeColoring(tuple(edges), tuple(copies), tuple(found.classes), colors))
    return found


def regular(nodes: int, degree: int) -> list[Edge]:
    """No color is spare: every node has the largest degree."""
    source = random.Random(1)
    edges = [edge for _ in range(degree) for edge in enumerate(source.sample(range(nodes), nodes))]
    source.shuffle(edges)
    return edges


@contextmanager
def many_at_once() -> Iterator[list[tuple[int, int]]]:
    """No edge is inserted alone; yields how many were to be inserted and how many remained."""
    counted: list[tuple[int, int]] = []

    def insert_all(table: gabow_kariv.Table, chosen: list[int], _patience: int) -> None:
        waiting = chosen
        while waiting:
            remaining = gabow_kariv.insert_together(table, waiting)
            counted.append((len(waiting), len(remaining)))
            waiting = remaining

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gabow_kariv, "insert_all", insert_all)
        yield counted
    assert all(1000 * remaining <= 765 * waiting for waiting, remaining in counted)


# The definition, and the other method -----------------------------------------------------------


@given(anything)
def test_as_many_colors_as_the_default_method(graph: Multigraph) -> None:
    edges, copies = graph
    coloring = color_edges(edges, copies, method="gabow-kariv")
    assert (coloring.edges, coloring.multiplicities) == (tuple(edges), tuple(copies))
    assert_coloring(coloring)
    assert coloring.colors == color_edges(edges, copies, method="matching").colors


@given(anything)
def test_copies_as_they_are_given(graph: Multigraph) -> None:
    recolored(*graph)


@pytest.mark.parametrize("copies", [SINGLE, FEW, HUGE])
@given(data=st.data())
def test_planted_permutations(copies: st.SearchStrategy[int], data: st.DataObject) -> None:
    edges, multiplicities, degree = data.draw(planted(copies))
    classes, _ = recolored(edges, multiplicities)
    assert sum(number for number, _ in classes) == degree
    nodes = 1 + max(left for left, _ in edges)
    assert all(len(matching) == nodes for _, matching in classes)


@pytest.mark.parametrize(
    ("left_nodes", "right_nodes", "edge_count"),
    [(5000, 5000, 5000), (1000, 1500, 5000), (60, 80, 5000), (3000, 2, 3000)],
)
def test_thousands_of_edges(left_nodes: int, right_nodes: int, edge_count: int) -> None:
    source = random.Random(1)
    edges = [
        (source.randrange(left_nodes), source.randrange(right_nodes)) for _ in range(edge_count)
    ]
    recolored(edges, [1] * len(edges))


@pytest.mark.parametrize("degree", [3, 5, 17, 64])
def test_thousands_of_edges_where_no_color_is_spare(degree: int) -> None:
    recolored(regular(5000 // degree, degree), [1] * (5000 // degree * degree))


def test_it_is_deterministic() -> None:
    edges = regular(30, 7)
    copies = [10**40 + edge for edge in range(len(edges))]
    assert recolored(edges, copies) == recolored(edges, copies)


# Many edges at once -----------------------------------------------------------------------------


@given(st.one_of(multigraphs(SINGLE), multigraphs(SINGLE, nodes=20, most_edges=60)))
def test_many_at_once(graph: Multigraph) -> None:
    with many_at_once():
        recolored(*graph)


def test_of_many_at_once_some_remain_at_odd_degrees_and_come_later() -> None:
    with many_at_once() as counted:
        for nodes, degree in product((2, 30, 200), (3, 5, 6, 7, 11, 13, 14, 23)):
            recolored(regular(nodes, degree), [1] * (nodes * degree))
    assert sum(remaining > 0 for _, remaining in counted) > 5


def test_many_at_once_where_paths_are_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last 47 edges of a cubic graph of 4,000 nodes are inserted together, all of them."""
    waiting: list[int] = []
    insert_together = gabow_kariv.insert_together

    def counting(table: gabow_kariv.Table, chosen: list[int]) -> list[int]:
        waiting.append(len(chosen))
        return insert_together(table, chosen)

    monkeypatch.setattr(gabow_kariv, "insert_together", counting)
    recolored(regular(2000, 3), [1] * 6000)
    assert waiting == [47]


# Elementary steps -------------------------------------------------------------------------------


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("degree", [3, 7, 17, 33, 65])
def test_steps_on_regular_graphs(degree: int, together: bool) -> None:
    """At most half of N log2 D log2 |V|, N the copies, also if none is inserted alone."""
    for nodes in (25, 100, 400):
        edges = regular(nodes, degree)
        with many_at_once() if together else nullcontext():
            steps = recolored(edges, [1] * len(edges)).steps
        assert steps <= 0.5 * len(edges) * log2(degree) * log2(nodes)


def test_steps_grow_with_the_digits_not_with_the_numbers() -> None:
    """Twice the digits, less than 2.5 times the steps; at most |V| / 4 for a bit of an edge."""
    nodes = 12
    edges = list(product(range(nodes), range(nodes)))
    before = 0
    for digits in (10, 20, 40, 80):
        source = random.Random(1)
        copies = [source.randint(10 ** (digits - 1), 10**digits) for _ in edges]
        steps = recolored(edges, copies).steps
        assert steps <= nodes / 4 * len(edges) * (10**digits).bit_length()
        assert not before or steps <= 2.5 * before
        before = steps


def test_classes_are_bounded_by_the_inserted_copies() -> None:
    source = random.Random(1)
    edges = list(product(range(8), range(8)))
    copies = [source.randint(1, 10**40) for _ in edges]
    low = next(low for low in count() if sum(number >> low for number in copies) <= len(edges))
    heads = sum(number >> low for number in copies)
    inserted = sum((number & ((1 << low) - 1)).bit_count() for number in copies)
    classes, _ = recolored(edges, copies)
    assert len(edges) < len(classes) <= heads + 2 * inserted + low


# Known answers ----------------------------------------------------------------------------------


def test_nothing_and_one_edge() -> None:
    assert recolored([], []) == Colored([], 0)
    assert recolored([(7, 10**40)], [1]).classes == [(1, (0,))]
    assert recolored([(7, 10**40)], [10**40]).classes == [(10**40, (0,))]


@pytest.mark.parametrize("degree", range(2, 14))
def test_stars(degree: int) -> None:
    """Halves of odd degrees have fewer classes than half, and then none moves to the other."""
    assert len(recolored([(0, leaf) for leaf in range(degree)], [1] * degree).classes) == degree


def test_parallel_edges_have_classes_of_their_own() -> None:
    coloring = color_edges([(1, 2)] * 3, [5, 10**9, 7], method="gabow-kariv")
    assert coloring.classes == ((5, (0,)), (10**9, (1,)), (7, (2,)))


def test_a_power_of_two_is_split_only() -> None:
    """2^4 * 10 edges at degree 2^4: each of four splits looks at every edge."""
    assert recolored(regular(10, 16), [1] * 160).steps == 4 * 160


def test_a_path_of_two_colors_is_exchanged() -> None:
    """The path 0-0, 1-0, 1-1 has the colors 0, 1, 0; then 2-1 takes 0 where 1-1 has it."""
    table = gabow_kariv.Table(([0, 1, 1, 2], [0, 0, 1, 1]), [[0, 2], [1]])
    assert (table.free_color(0, 3), table.free_color(1, 3)) == (0, 1)
    assert table.insert(3, 0, 1) == (0, 0)  # the path ends at the left end of edge 0
    assert [sorted(matching) for matching in table.matchings()] == [[1, 3], [0, 2]]
    assert table.steps == 4
