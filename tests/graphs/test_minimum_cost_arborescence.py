"""Minimum-cost arborescences: all of them by hand, networkx, and the cuts that prove the cost."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.certificate.graphs import MinimumCostArborescence
from exactsched.check import check
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import Rational
from exactsched.graphs.arborescences_in_bulk import ArborescencesInBulk
from exactsched.graphs.minimum_cost_arborescence import (
    Arborescence,
    Arborescences,
    arborescence_and_cuts,
    cheapest_arborescence,
    minimum_cost_arborescence,
)
from exactsched.oracles.branchings import branchings, spans
from tests.graphs.digraphs import Arc, digraphs, entering, numbers

Instance = tuple[int, int, list[Arc], list[Rational]]


# The definition ---------------------------------------------------------------------------------


def least_cost_by_definition(
    size: int, root: int, arcs: list[Arc], costs: list[Rational]
) -> Rational | None:
    """Over all choices of one entering arc for every node."""
    trees = branchings(size, arcs, [root])
    return min((sum(costs[index] for index in tree) for tree in trees), default=None)


def proved(instance: Instance) -> MinimumCostArborescence:
    """The arcs form an arborescence of that cost, and the cuts show that none is cheaper."""
    size, root, arcs, costs = instance
    best = minimum_cost_arborescence(size, root, arcs, costs)
    assert (best.size, best.root) == (size, root)
    assert (best.arcs, best.costs) == (tuple(arcs), tuple(costs))
    assert spans(size, [root], [arcs[index] for index in best.tree])
    assert best.value == sum(costs[index] for index in best.tree)
    assert sorted(best.order) == [node for node in range(size) if node != root]
    sets = [frozenset(best.order[start:stop]) for start, stop, _ in best.cuts]
    assert len(set(sets)) == len(sets)
    assert all(sets)
    for first, second in product(sets, repeat=2):
        assert first <= second or second <= first or not first & second
    weights = [weight for _, _, weight in best.cuts]
    assert type(best.value) is Fraction
    for number in weights:
        assert type(number) is int or (type(number) is Fraction and number.denominator > 1)
    assert all(weight > 0 for weight in weights)
    assert sum(weights) == best.value
    for (tail, head), cost in zip(arcs, costs, strict=True):
        entered = [w for nodes, w in zip(sets, weights, strict=True) if head in nodes]
        left = [w for nodes, w in zip(sets, weights, strict=True) if {head, tail} <= nodes]
        assert sum(entered) - sum(left) <= cost
    assert check(best).value == best.value
    return best


def of_integers(instance: Instance) -> Arborescence[int]:
    size, root, arcs, costs = instance
    return arborescence_and_cuts(
        size, root, [tail for tail, _ in arcs], [head for _, head in arcs], costs
    )


# Instances --------------------------------------------------------------------------------------


def costs() -> st.SearchStrategy[Rational]:
    """Those of all kernels, and numbers of hundreds of digits that are nearly equal."""
    return numbers() | st.builds(lambda step: 10**300 + step, st.integers(0, 3))


@st.composite
def instances(
    draw: st.DrawFn, max_size: int = 6, cost: st.SearchStrategy[Rational] | None = None
) -> Instance:
    """Graphs in which the root reaches all nodes; parallel arcs, loops, and arcs into the root."""
    size = draw(st.integers(1, max_size))
    order = draw(st.permutations(range(size)))
    arcs = [(order[draw(st.integers(0, i - 1))], order[i]) for i in range(1, size)]
    node = st.integers(0, size - 1)
    arcs += draw(st.lists(st.tuples(node, node), max_size=14))
    arcs = draw(st.permutations(arcs))
    if cost is None:
        cost = costs()
    return size, order[0], arcs, [draw(cost) for _ in arcs]


@given(instances(max_size=5))
def test_no_arborescence_is_cheaper(instance: Instance) -> None:
    assert proved(instance).value == least_cost_by_definition(*instance)


@given(instances(max_size=12))
def test_networkx_finds_the_same_cost(instance: Instance) -> None:
    size, root, arcs, given_costs = instance
    best = proved(instance)
    graph = nx.DiGraph()
    graph.add_nodes_from(range(size))
    for (tail, head), cost in zip(arcs, given_costs, strict=True):
        known = graph.get_edge_data(tail, head, {"weight": cost})["weight"]
        if tail != head and head != root:
            graph.add_edge(tail, head, weight=min(cost, known))
    if size > 1:
        found = nx.minimum_spanning_arborescence(graph)
        assert sum(cost for _, _, cost in found.edges(data="weight")) == best.value


@given(instances(cost=st.integers(0, 9)))
def test_kernels_get_the_same_from_integers(instance: Instance) -> None:
    size, root, arcs, given_costs = instance
    best, kernel = minimum_cost_arborescence(*instance), of_integers(instance)
    assert [arcs[arc][1] for arc in kernel.arcs] == sorted(best.order)
    assert tuple(sorted(kernel.arcs)) == best.tree
    assert (kernel.cost, kernel.order, kernel.cuts) == (best.value, best.order, best.cuts)
    tails, heads = [tail for tail, _ in arcs], [head for _, head in arcs]
    assert cheapest_arborescence(size, root, tails, heads, given_costs) == kernel.arcs


# Laws -------------------------------------------------------------------------------------------


@given(instances(), st.builds(Fraction, st.integers(1, 10**40), st.integers(1, 60)))
def test_the_value_scales(instance: Instance, factor: Fraction) -> None:
    size, root, arcs, given_costs = instance
    best = minimum_cost_arborescence(*instance)
    scaled = minimum_cost_arborescence(size, root, arcs, [factor * cost for cost in given_costs])
    assert scaled.value == factor * best.value
    assert (scaled.tree, scaled.order) == (best.tree, best.order)


@given(instances(), numbers())
def test_a_constant_on_all_costs_counts_once_for_every_node(
    instance: Instance, constant: Rational
) -> None:
    size, root, arcs, given_costs = instance
    dearer = minimum_cost_arborescence(size, root, arcs, [cost + constant for cost in given_costs])
    assert dearer.value == minimum_cost_arborescence(*instance).value + (size - 1) * constant


@given(instances(max_size=9), st.randoms(use_true_random=False))
def test_names_do_not_matter(instance: Instance, dice: random.Random) -> None:
    size, root, arcs, given_costs = instance
    name = dice.sample(range(size), size)
    place = dice.sample(range(len(arcs)), len(arcs))
    renamed = [(name[arcs[k][0]], name[arcs[k][1]]) for k in place]
    other = minimum_cost_arborescence(size, name[root], renamed, [given_costs[k] for k in place])
    assert other.value == minimum_cost_arborescence(*instance).value


@given(instances(), st.data())
def test_another_arc_never_costs_more(instance: Instance, data: st.DataObject) -> None:
    size, root, arcs, given_costs = instance
    node = st.integers(0, size - 1)
    arc, cost = data.draw(st.tuples(node, node)), data.draw(costs())
    more = minimum_cost_arborescence(size, root, [*arcs, arc], [*given_costs, cost])
    assert more.value <= minimum_cost_arborescence(*instance).value


@given(instances(max_size=12, cost=st.integers(0, 9) | st.integers(0, 2**70)))
def test_in_bulk_it_costs_the_same(instance: Instance) -> None:
    size, root, arcs, costs = instance
    tails, heads = [tail for tail, _ in arcs], [head for _, head in arcs]
    best = of_integers(instance)
    bulk = ArborescencesInBulk(size, root, tails, heads).with_cuts(costs)
    assert bulk.cost == best.cost == sum(weight for _, _, weight in bulk.cuts)
    assert spans(size, [root], [arcs[index] for index in bulk.arcs])
    assert sorted(bulk.order) == sorted(best.order)
    sets = [(frozenset(bulk.order[start:stop]), weight) for start, stop, weight in bulk.cuts]
    for (tail, head), cost in zip(arcs, costs, strict=True):
        entered = sum(weight for nodes, weight in sets if head in nodes and tail not in nodes)
        assert entered <= cost or head == root


@given(instances(max_size=12), st.randoms(use_true_random=False))
def test_in_bulk_floats_propose_the_same(instance: Instance, dice: random.Random) -> None:
    size, root, arcs, _ = instance
    tails, heads = [tail for tail, _ in arcs], [head for _, head in arcs]
    floats = [dice.random() for _ in arcs]
    bulk = ArborescencesInBulk(size, root, tails, heads)
    assert bulk.cheapest(floats) == cheapest_arborescence(size, root, tails, heads, floats)


def test_in_bulk_the_same_is_refused() -> None:
    with pytest.raises(InvalidInput, match="no arc enters it, the root is 0"):
        ArborescencesInBulk(3, 0, [0, 2], [1, 1])
    with pytest.raises(InvalidInput, match="cost of arc 1: -1: costs are not negative"):
        ArborescencesInBulk(2, 0, [0, 0], [1, 1]).with_cuts([2, -1])
    with pytest.raises(InvalidInput, match="no arc enters these nodes"):
        ArborescencesInBulk(3, 0, [1, 2], [2, 1]).with_cuts([1, 1])


@given(instances(cost=st.integers(0, 50)))
def test_floats_propose_an_arborescence(instance: Instance) -> None:
    size, root, arcs, given_costs = instance
    tails, heads = [tail for tail, _ in arcs], [head for _, head in arcs]
    best = arborescence_and_cuts(size, root, tails, heads, [cost / 7 for cost in given_costs])
    assert spans(size, [root], [arcs[index] for index in best.arcs])
    assert abs(7 * best.cost - minimum_cost_arborescence(*instance).value) < 1e-6


# Exchanges of single arcs -------------------------------------------------------------------------


@given(instances(max_size=9, cost=st.integers(0, 9)), st.randoms(use_true_random=False))
def test_no_exchange_of_a_single_arc_improves_an_improved_arborescence(
    instance: Instance, dice: random.Random
) -> None:
    size, root, arcs, costs = instance
    graph = Arborescences(size, root, [tail for tail, _ in arcs], [head for _, head in arcs])
    given_tree = graph.cheapest([dice.random() for _ in arcs])
    better = graph.improved(given_tree, costs)
    assert [arcs[arc][1] for arc in better] == [node for node in range(size) if node != root]
    assert spans(size, [root], [arcs[index] for index in better])
    into = {arcs[index][1]: index for index in better}
    before = {arcs[index][1]: index for index in given_tree}
    assert all(costs[into[node]] <= costs[before[node]] for node in into)
    for index, (_, head) in enumerate(arcs):
        if head != root and costs[index] < costs[into[head]]:
            exchanged = {**into, head: index}.values()
            assert not spans(size, [root], [arcs[index] for index in exchanged])


def test_an_exchange_may_make_room_for_another() -> None:
    """0 -> 1 -> 2 -> 3; 1 can be entered from 3 only once 3 hangs no longer below it."""
    graph = Arborescences(4, 0, [0, 1, 2, 3, 0], [1, 2, 3, 1, 3])
    assert graph.improved((0, 1, 2), [9, 1, 9, 1, 1]) == (3, 1, 4)
    assert graph.improved((0, 1, 2), [9, 1, 9, 1, 9]) == (0, 1, 2)


# Larger ones --------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [3, 10, 300])
def test_a_chain_of_contractions_as_deep_as_the_graph(size: int) -> None:
    # Node k + 1 and the set {1..k} are joined both ways at cost 2^k: each contraction leads to
    # the next, and the root enters the last one.
    arcs = [pair for k in range(1, size - 1) for pair in ((1, k + 1), (k + 1, 1))]
    prices = [2**k for k in range(1, size - 1) for _ in range(2)]
    arcs.append((0, size - 1))
    prices.append(2**size)
    instance = size, 0, arcs, prices
    best = proved(instance) if size < 100 else minimum_cost_arborescence(*instance)
    # The root enters the last node, which enters node 1, which enters the others.
    assert best.value == 2**size + 2 ** (size - 2) + sum(2**k for k in range(1, size - 2))
    nested = sorted((stop - start for start, stop, _ in best.cuts), reverse=True)
    assert nested[: size - 2] == list(range(size - 1, 1, -1))


def cycle_with_chords(size: int) -> Instance:
    """A directed cycle of free arcs with dear entries, beside chords of all costs."""
    arcs = [(k, k % (size - 1) + 1) for k in range(1, size)]
    prices: list[Rational] = [0] * len(arcs)
    for k in range(1, size):
        arcs += [(0, k), (1 + k * k % (size - 1), k), (1 + k * 7 % (size - 1), k)]
        prices += [10**6 + k * 31 % 17, k % 5, k % 3]
    return size, 0, arcs, prices


def pairs_of_pairs(levels: int) -> Instance:
    """Neighbors are contracted, then neighboring pairs, and so on; all arcs else lie inside.

    The last contraction has the arcs of all nodes to look through for one that enters.
    """
    size, dice = 2**levels + 1, random.Random(levels)
    arcs: list[Arc] = []
    prices: list[Rational] = []
    for level in range(levels):
        for first in range(1, size, 2 ** (level + 1)):
            arcs += [(first, first + 2**level), (first + 2**level, first)]
            prices += [2 * level + 1, 2 * level + 1]
    for _ in range(8 * size):
        arcs.append((dice.randrange(1, size), dice.randrange(1, size)))
        prices.append(dice.randint(10**6, 2 * 10**6))
    return size, 0, [*arcs, (0, size // 2)], [*prices, 10**9]


def close_costs(size: int, degree: int) -> Instance:
    """Directed cycles through all nodes, all arcs nearly equal: contractions of all sizes."""
    dice = random.Random(size)
    arcs: list[Arc] = []
    for _ in range(degree):
        order = dice.sample(range(size), size)
        arcs += zip(order, order[1:] + order[:1], strict=True)
    return size, 0, arcs, [dice.randint(800, 1200) for _ in arcs]


@pytest.mark.parametrize(
    "instance",
    [cycle_with_chords(300), pairs_of_pairs(7), close_costs(300, 4)],
    ids=["cycle", "pairs", "close"],
)
def test_large_ones_are_proved_optimal(instance: Instance) -> None:
    assert any(stop - start > 1 for start, stop, _ in proved(instance).cuts)


# Refusals ---------------------------------------------------------------------------------------


def test_a_single_node_needs_nothing() -> None:
    for arcs, prices in (([], []), ([(0, 0)], [5])):
        assert proved((1, 0, arcs, prices)).value == 0
        assert of_integers((1, 0, arcs, prices)) == Arborescence((), 0, (), ())


@given(digraphs(min_size=2, max_size=7), st.data())
def test_a_set_that_no_arc_enters_is_named(
    graph: tuple[int, list[Arc], list[Rational]], data: st.DataObject
) -> None:
    size, arcs, given_costs = graph
    root = data.draw(st.integers(0, size - 1))
    reached = {root}
    for _ in range(size):
        reached |= {head for tail, head in arcs if tail in reached}
    if len(reached) == size:
        assert proved((size, root, arcs, given_costs)).value >= 0
        return
    with pytest.raises(InvalidInput, match="cannot be reached from the root") as refusal:
        minimum_cost_arborescence(size, root, arcs, given_costs)
    named = frozenset(refusal.value.value)
    assert refusal.value.place == f"node {min(named)}"
    assert not named & reached
    assert entering(arcs, [1] * len(arcs), named) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 0, [], []), "size: 0"),
        ((2, 2, [], []), "root: 2: a node is an integer from 0 to 1"),
        ((2, 0, [(0, 5)], [1]), r"arc 0: \(0, 5\)"),
        ((2, 0, [(0, 1)], [1.5]), "cost of arc 0: 1.5: a float is not exact"),
        ((2, 0, [(0, 1), (0, 1)], [1, "-1/2"]), r"cost of arc 1: -1/2: 0 or more"),
        ((2, 0, [(0, 1)], []), "cost of arc"),
    ],
)
def test_what_is_no_problem_is_refused(arguments: Instance, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        minimum_cost_arborescence(*arguments)


def test_kernels_are_told_of_negative_costs_too() -> None:
    with pytest.raises(InvalidInput, match=r"cost of arc 1: -1: costs are not negative"):
        arborescence_and_cuts(2, 0, [0, 0], [1, 1], [1, -1])
