"""Packings of arborescences: equal to the definition, proved by prices, whatever the floats do."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from exactsched.exact.errors import InvalidInput
from exactsched.linear_programs import master_program
from exactsched.linear_programs.master_program import PackingProgram
from exactsched.oracles.branchings import branchings
from exactsched.oracles.linear_programs import maximum
from exactsched.steady_state import arborescence_pricing
from exactsched.steady_state.arborescence_packing import ArborescencePacking, pack_arborescences
from tests.linear_programs.wrong_floats import saboteurs, silent

Instance = tuple[
    int, int, list[tuple[int, int]], list[int], list[tuple[int, ...]], list[int]
]  # size, root, arcs, costs, uses, capacities


def all_arborescences(size: int, root: int, arcs: list[tuple[int, int]]) -> list[tuple[int, ...]]:
    return [tuple(sorted(tree)) for tree in branchings(size, arcs, [root])]


def busy(instance: Instance, tree: tuple[int, ...]) -> list[int]:
    _, _, _, costs, uses, capacities = instance
    return [sum(costs[arc] for arc in tree if row in uses[arc]) for row in range(len(capacities))]


def optimum_by_definition(instance: Instance) -> Fraction:
    """The linear program over all arborescences."""
    size, root, arcs, _, _, capacities = instance
    trees = all_arborescences(size, root, arcs)
    loads = [busy(instance, tree) for tree in trees]
    rows = [[Fraction(load[row]) for load in loads] for row in range(len(capacities))]
    return maximum([Fraction(1)] * len(trees), rows, [Fraction(b) for b in capacities])


def assert_proved(instance: Instance, packing: ArborescencePacking, *, basic: bool = True) -> None:
    """The weights fit, and the prices with their cuts show that no weights of larger sum do.

    A basic solution has at most as many trees as there are resources.
    """
    size, root, arcs, costs, uses, capacities = instance
    trees = set(all_arborescences(size, root, arcs))
    assert all(tuple(sorted(tree)) in trees and weight > 0 for tree, weight in packing.trees)
    assert len({frozenset(tree) for tree, _ in packing.trees}) == len(packing.trees)
    assert not basic or len(packing.trees) <= len(capacities)
    loads = [busy(instance, tree) for tree, _ in packing.trees]
    for row, capacity in enumerate(capacities):
        used = zip(loads, packing.trees, strict=True)
        assert sum(load[row] * weight for load, (_, weight) in used) <= capacity
    assert packing.value == sum(weight for _, weight in packing.trees)
    assert all(price > 0 for price in packing.prices.values())
    assert packing.value == sum(capacities[row] * price for row, price in packing.prices.items())
    assert sorted(packing.order) == [node for node in range(size) if node != root]
    assert sum(weight for _, _, weight in packing.cuts) == 1
    for arc, (tail, head) in enumerate(arcs):
        length = costs[arc] * sum(packing.prices.get(row, Fraction(0)) for row in uses[arc])
        crossed = [
            weight
            for start, stop, weight in packing.cuts
            if head in packing.order[start:stop] and tail not in packing.order[start:stop]
        ]
        assert sum(crossed) <= length or head == root
        assert all(weight > 0 for weight in crossed)


@st.composite
def instances(draw: st.DrawFn, costs: st.SearchStrategy[int] | None = None) -> Instance:
    """Up to five nodes; every arc uses one, two or three of up to six resources."""
    size = draw(st.integers(2, 5))
    arcs = [(draw(st.integers(0, node - 1)), node) for node in range(1, size)]
    node = st.integers(0, size - 1)
    arcs += draw(st.lists(st.tuples(node, node).filter(lambda arc: arc[0] != arc[1]), max_size=8))
    rows = draw(st.integers(1, 6))
    one = st.integers(1, 12) | st.just(1) if costs is None else costs
    subset = st.lists(st.integers(0, rows - 1), min_size=1, max_size=3, unique=True).map(tuple)
    capacities = [draw(st.integers(1, 5)) for _ in range(rows)]
    return size, 0, arcs, [draw(one) for _ in arcs], [draw(subset) for _ in arcs], capacities


@given(instances())
def test_the_packing_is_the_largest_of_all(instance: Instance) -> None:
    packing = pack_arborescences(*instance)
    assert_proved(instance, packing)
    assert packing.value == optimum_by_definition(instance)


@pytest.mark.parametrize(
    "limits",
    [
        [(arborescence_pricing, "ARCS_IN_BULK", 1), (master_program, "MANY_ROWS", 1)],
        [(arborescence_pricing, "FEW_NODES", 0)],
    ],
    ids=["by arrays", "by cheapest trees"],
)
@given(instances())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
def test_graphs_of_other_sizes_are_packed_otherwise(
    monkeypatch: pytest.MonkeyPatch, limits: list[tuple[Any, str, int]], instance: Instance
) -> None:
    for limit in limits:
        monkeypatch.setattr(*limit)
    packing = pack_arborescences(*instance)
    assert_proved(instance, packing)
    assert packing.value == optimum_by_definition(instance)


@pytest.mark.parametrize(("size", "kind"), [(64, "PricingOfFew"), (65, "ArborescencePricing")])
def test_trees_are_improved_where_nodes_are_few(size: int, kind: str) -> None:
    arcs = [(node, node + 1) for node in range(size - 1)]
    pricing = arborescence_pricing.arborescence_pricing(
        size, 0, arcs, [1] * (size - 1), [(0,)] * (size - 1)
    )
    assert type(pricing).__name__ == kind


@given(instances(), st.data())
def test_arrays_say_the_same(instance: Instance, data: st.DataObject) -> None:
    size, root, arcs, costs, uses, capacities = instance
    few = arborescence_pricing.ArborescencePricing(size, root, arcs, costs, uses)
    bulk = arborescence_pricing.PricingInBulk(size, root, arcs, costs, uses)
    joining = data.draw(st.lists(st.sampled_from(range(len(arcs))), unique=True))
    for pricing in (few, bulk):
        pricing.join([joining], len(capacities))
    prices = [data.draw(st.integers(0, 2**70)) for _ in range(len(capacities) + 1)]
    exact = dict(enumerate(prices))
    assert few.cheapest_exactly(exact)[1] == bulk.cheapest_exactly(exact)[1] == (bulk.last.cost,)
    (tree,) = bulk.cheapest(list(map(float, prices)))
    assert few.load(tree) == bulk.load(tree)


def test_sums_beyond_floats_are_priced_without_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arborescence_pricing, "ARCS_IN_BULK", 1)
    for cost, kind in ((2**52, "PricingInBulk"), (2**53, "PricingOfFew")):
        pricing = arborescence_pricing.arborescence_pricing(2, 0, [(0, 1)], [cost], [(0,)])
        assert type(pricing).__name__ == kind
        assert pricing.load((0,)) == {0: cost}


@given(instances(st.builds(lambda k, more: 10**k + more, st.integers(0, 60), st.integers(0, 9))))
@settings(max_examples=30)
def test_costs_over_sixty_decades(instance: Instance) -> None:
    packing = pack_arborescences(*instance)
    assert_proved(instance, packing)
    assert packing.value == optimum_by_definition(instance)


@given(instances(st.sampled_from([1, 2, 10**300, 10**310, 10**700, 10**700 + 1])))
@settings(max_examples=30)
def test_costs_beyond_floats(instance: Instance) -> None:
    packing = pack_arborescences(*instance)
    assert_proved(instance, packing)
    assert packing.value == optimum_by_definition(instance)


def test_capacities_beyond_floats() -> None:
    instance = 3, 0, [(0, 1), (1, 2), (0, 2)], [1, 1, 1], [(0,), (1,), (0,)], [10**400, 1]
    packing = pack_arborescences(*instance)
    assert_proved(instance, packing)
    assert packing.value == optimum_by_definition(instance)


# Sabotage ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(saboteurs(random.Random(0))))
@given(instances(), st.randoms(use_true_random=False))
@settings(max_examples=20)
def test_wrong_float_prices_change_nothing(
    name: str, instance: Instance, dice: random.Random
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PackingProgram, "propose", saboteurs(dice)[name])
        # The basis comes with the proposal: none means that the exact simplex method solves all.
        patch.setattr(PackingProgram, "_float_basis", silent)
        packing = pack_arborescences(*instance)
    assert_proved(instance, packing)
    assert packing.value == optimum_by_definition(instance)


# Laws -------------------------------------------------------------------------------------------


@given(instances(), st.integers(1, 10**20), st.randoms(use_true_random=False))
@settings(max_examples=35)
def test_scaling_and_order(instance: Instance, factor: int, dice: random.Random) -> None:
    size, root, arcs, costs, uses, capacities = instance
    value = pack_arborescences(*instance).value
    slower = [cost * factor for cost in costs]
    assert pack_arborescences(size, root, arcs, slower, uses, capacities).value * factor == value
    wider = [capacity * factor for capacity in capacities]
    assert pack_arborescences(size, root, arcs, costs, uses, wider).value == value * factor
    order = list(range(len(arcs)))
    dice.shuffle(order)
    shuffled = [[row[k] for k in order] for row in (arcs, costs, uses)]
    assert pack_arborescences(size, root, *shuffled, capacities).value == value  # type: ignore[arg-type]


@given(instances(), instances())
@settings(max_examples=35)
def test_another_arc_never_packs_less(instance: Instance, other: Instance) -> None:
    size, root, arcs, costs, uses, capacities = instance
    arc, cost, use = other[2][-1], other[3][-1], other[4][-1]
    assume(max(arc) < size and max(use) < len(capacities))
    more = pack_arborescences(size, root, [*arcs, arc], [*costs, cost], [*uses, use], capacities)
    assert more.value >= pack_arborescences(*instance).value


def test_progress_reports_bounds_that_hold() -> None:
    # The complete graph of 5 nodes under one port each way has throughput 1.
    arcs = [(i, j) for i in range(5) for j in range(5) if i != j]
    uses = [(i, 5 + j) for i, j in arcs]
    seen: list[tuple[int, float, float]] = []
    packing = pack_arborescences(
        5, 0, arcs, [7] * len(arcs), uses, [7] * 10, lambda *row: seen.append(row)
    )
    assert packing.value == 1
    assert seen
    assert [number for number, _, _ in seen] == list(range(1, len(seen) + 1))
    for _, lower, upper in seen:
        assert lower <= 1 + 1e-9
        assert upper >= 1 - 1e-9
    assert seen[-1][1:] == pytest.approx((1, 1))
    assert packing.rounds > len(seen) - 1
    assert packing.priced > packing.rounds


# Refusals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({3: [1, 0]}, "cost of arc 1: 0: a positive integer"),
        ({3: [-2, 1]}, "cost of arc 0: -2: a positive integer"),
        ({5: [1, 0]}, "capacity of resource 1: 0: a positive integer"),
        ({2: [(0, 1), (0, 1)]}, "cannot be reached from the root 0"),
        ({4: [(), ()]}, "the gain is unbounded"),
    ],
)
def test_refusals(change: dict[int, object], rule: str) -> None:
    given_parts = [3, 0, [(0, 1), (1, 2)], [1, 1], [(0,), (1,)], [1, 1]]
    for place, part in change.items():
        given_parts[place] = part
    with pytest.raises(InvalidInput, match=rule):
        pack_arborescences(*given_parts)  # type: ignore[arg-type]


def test_a_single_node_is_refused_because_nothing_limits_it() -> None:
    with pytest.raises(InvalidInput, match="the gain is unbounded"):
        pack_arborescences(1, 0, [], [], [], [])
