"""Minimum-cost arborescences: all of them by hand, networkx, and the cuts that prove the cost."""

from __future__ import annotations

from itertools import product

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.arborescence import Arborescence, arborescence_and_cuts
from exactsched.errors import InvalidInput

Arc = tuple[int, int]
Instance = tuple[int, int, list[Arc], list[int]]


# The definition ---------------------------------------------------------------------------------


def spans(size: int, root: int, arcs: list[Arc]) -> bool:
    """One arc into every node but the root, and a path from the root to every node."""
    if sorted(head for _, head in arcs) != [node for node in range(size) if node != root]:
        return False
    reached = {root}
    for _ in arcs:
        reached |= {head for tail, head in arcs if tail in reached}
    return len(reached) == size


def least_cost_by_definition(size: int, root: int, arcs: list[Arc], costs: list[int]) -> int | None:
    """Over all choices of one entering arc for every node."""
    entering = [
        [index for index, (_, head) in enumerate(arcs) if head == node]
        for node in range(size)
        if node != root
    ]
    return min(
        (
            sum(costs[index] for index in chosen)
            for chosen in product(*entering)
            if spans(size, root, [arcs[index] for index in chosen])
        ),
        default=None,
    )


def assert_proved(instance: Instance, best: Arborescence[int]) -> None:
    """The arcs form an arborescence of that cost, and the cuts show that none is cheaper."""
    size, root, arcs, costs = instance
    assert spans(size, root, [arcs[index] for index in best.arcs])
    assert best.cost == sum(costs[index] for index in best.arcs)
    assert sorted(best.order) == [node for node in range(size) if node != root]
    sets = [frozenset(best.order[start:stop]) for start, stop, _ in best.cuts]
    assert len(set(sets)) == len(sets)
    assert all(sets)
    for first, second in product(sets, repeat=2):
        assert first <= second or second <= first or not first & second
    assert all(type(weight) is int and weight > 0 for _, _, weight in best.cuts)
    assert sum(weight for _, _, weight in best.cuts) == best.cost
    for (tail, head), cost in zip(arcs, costs, strict=True):
        if head == root:
            continue
        entered = [
            weight
            for nodes, (_, _, weight) in zip(sets, best.cuts, strict=True)
            if head in nodes and tail not in nodes
        ]
        assert sum(entered) <= cost


def solve(instance: Instance) -> Arborescence[int]:
    size, root, arcs, costs = instance
    return arborescence_and_cuts(
        size, root, [tail for tail, _ in arcs], [head for _, head in arcs], costs
    )


# Instances --------------------------------------------------------------------------------------


def costs() -> st.SearchStrategy[int]:
    """Zeros and ties, ordinary numbers, and numbers of hundreds of digits that are nearly equal."""
    huge = st.builds(lambda step: 10**300 + step, st.integers(0, 3))
    return st.integers(0, 2) | st.integers(0, 50) | huge


@st.composite
def instances(draw: st.DrawFn, max_size: int = 6) -> Instance:
    """Graphs in which the root reaches all nodes; parallel arcs, loops, and arcs into the root."""
    size = draw(st.integers(1, max_size))
    order = draw(st.permutations(range(size)))
    arcs = [(order[draw(st.integers(0, i - 1))], order[i]) for i in range(1, size)]
    node = st.integers(0, size - 1)
    arcs += draw(st.lists(st.tuples(node, node), max_size=14))
    arcs = draw(st.permutations(arcs))
    return size, order[0], arcs, [draw(costs()) for _ in arcs]


@given(instances(max_size=5))
def test_no_arborescence_is_cheaper(instance: Instance) -> None:
    best = solve(instance)
    assert_proved(instance, best)
    assert best.cost == least_cost_by_definition(*instance)


@given(instances(max_size=12))
def test_networkx_finds_the_same_cost(instance: Instance) -> None:
    size, root, arcs, given_costs = instance
    best = solve(instance)
    assert_proved(instance, best)
    graph = nx.DiGraph()
    graph.add_nodes_from(range(size))
    for (tail, head), cost in zip(arcs, given_costs, strict=True):
        known = graph.get_edge_data(tail, head, {"weight": cost})["weight"]
        if tail != head and head != root:
            graph.add_edge(tail, head, weight=min(cost, known))
    if size > 1:
        found = nx.minimum_spanning_arborescence(graph)
        assert sum(cost for _, _, cost in found.edges(data="weight")) == best.cost


@given(instances(), st.integers(1, 10**40))
def test_cost_scales_and_forgets_names(instance: Instance, factor: int) -> None:
    size, root, arcs, given_costs = instance
    cost = solve(instance).cost
    scaled = size, root, arcs, [factor * given for given in given_costs]
    assert solve(scaled).cost == factor * cost
    mirrored = [(size - 1 - tail, size - 1 - head) for tail, head in reversed(arcs)]
    assert solve((size, size - 1 - root, mirrored, given_costs[::-1])).cost == cost


@given(instances(), st.data())
def test_another_arc_never_costs_more(instance: Instance, data: st.DataObject) -> None:
    size, root, arcs, given_costs = instance
    node = st.integers(0, size - 1)
    arc, cost = data.draw(st.tuples(node, node)), data.draw(costs())
    assert solve((size, root, [*arcs, arc], [*given_costs, cost])).cost <= solve(instance).cost


@given(instances())
def test_floats_propose_an_arborescence(instance: Instance) -> None:
    size, root, arcs, given_costs = instance
    best = arborescence_and_cuts(
        size, root, [t for t, _ in arcs], [h for _, h in arcs], [float(c) for c in given_costs]
    )
    assert spans(size, root, [arcs[index] for index in best.arcs])


@pytest.mark.parametrize("size", [3, 10, 300])
def test_a_chain_of_contractions_as_deep_as_the_graph(size: int) -> None:
    # Node k + 1 and the set {1..k} are joined both ways at cost 2^k: each contraction leads to
    # the next, and the root enters the last one.
    arcs = [pair for k in range(1, size - 1) for pair in ((1, k + 1), (k + 1, 1))]
    prices = [2**k for k in range(1, size - 1) for _ in range(2)]
    arcs.append((0, size - 1))
    prices.append(2**size)
    instance = size, 0, arcs, prices
    best = solve(instance)
    if size < 100:
        assert_proved(instance, best)
    # The root enters the last node, which enters node 1, which enters the others.
    assert best.cost == 2**size + 2 ** (size - 2) + sum(2**k for k in range(1, size - 2))
    nested = sorted((stop - start for start, stop, _ in best.cuts), reverse=True)
    assert nested[: size - 2] == list(range(size - 1, 1, -1))


def test_a_large_contracted_graph_is_proved_optimal() -> None:
    # A directed cycle of free arcs with expensive entries, beside chords of random cost.
    size = 400
    arcs = [(k, k % (size - 1) + 1) for k in range(1, size)]
    prices = [0] * len(arcs)
    for k in range(1, size):
        arcs += [(0, k), (k * k % size, k), (k * 7 % size, k)]
        prices += [10**6 + k * 31 % 17, k % 5, k % 3]
    best = arborescence_and_cuts(size, 0, [t for t, _ in arcs], [h for _, h in arcs], prices)
    assert spans(size, 0, [arcs[index] for index in best.arcs])
    place = {node: index for index, node in enumerate(best.order)}
    for (tail, head), cost in zip(arcs, prices, strict=True):
        if head != 0:
            at, beyond = place[head], place.get(tail, -1)
            crossed = [w for a, b, w in best.cuts if a <= at < b and not a <= beyond < b]
            assert sum(crossed) <= cost
    assert sum(weight for _, _, weight in best.cuts) == best.cost


def test_a_single_node_needs_nothing() -> None:
    assert arborescence_and_cuts(1, 0, [], [], []) == Arborescence((), 0, (), ())
    assert arborescence_and_cuts(1, 0, [0], [0], [5]) == Arborescence((), 0, (), ())


@given(instances(), st.data())
def test_nodes_that_cannot_be_reached_are_refused(instance: Instance, data: st.DataObject) -> None:
    size, root, arcs, given_costs = instance
    inside = data.draw(st.integers(0, size - 1))
    # A node that only reaches itself and the others, entered from nowhere.
    with pytest.raises(InvalidInput, match="cannot be reached"):
        solve((size + 1, root, [*arcs, (size, inside), (size, size)], [*given_costs, 0, 0]))


def test_a_negative_cost_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"cost of arc 1: -1: costs are not negative"):
        arborescence_and_cuts(2, 0, [0, 0], [1, 1], [1, -1])
