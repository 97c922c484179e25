"""Packed branchings: the theorem by definition, brute force, planted packings, and its laws."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactsched.graphs.branching_packing
import exactsched.graphs.lovasz
from exactsched.certificate.minmax import (
    ArborescenceDecomposition,
    BranchingPacking,
    ConcurrentBranchingPacking,
    UnmetDemand,
)
from exactsched.check import check
from exactsched.exact.errors import InvalidInput
from exactsched.graphs.arborescence_decomposition import decompose_into_arborescences
from exactsched.graphs.branching_packing import (
    disjoint_arborescences,
    pack_branchings,
    pack_concurrently,
)
from exactsched.graphs.root_connectivity import unmet_set
from exactsched.platforms.built_in import built_in

Arcs = list[tuple[int, int]]
Roots = list[tuple[list[int], Any]]
Instance = tuple[int, Arcs, list[Any], Roots]


# The definition ---------------------------------------------------------------------------------


def node_sets(size: int) -> Iterator[set[int]]:
    for count in range(1, size + 1):
        yield from map(set, combinations(range(size), count))


def entering(nodes: set[int], arcs: Arcs, capacities: Sequence[Any]) -> Any:
    return sum(
        capacity
        for (tail, head), capacity in zip(arcs, capacities, strict=True)
        if head in nodes and tail not in nodes
    )


def needed(nodes: set[int], roots: Roots) -> Any:
    return sum(demand for root_set, demand in roots if not nodes & set(root_set))


def possible_by_definition(instance: Instance) -> bool:
    """No node set is entered by less than the demand of the root sets disjoint from it."""
    size, arcs, capacities, roots = instance
    return all(
        entering(nodes, arcs, capacities) >= needed(nodes, roots) for nodes in node_sets(size)
    )


def branchings_by_definition(size: int, arcs: Arcs, root_set: list[int]) -> list[tuple[int, ...]]:
    """All sets of arcs that enter every other node once, and reach all nodes from the roots."""
    others = [node for node in range(size) if node not in root_set]
    into = [[index for index, (_, head) in enumerate(arcs) if head == node] for node in others]
    found = []
    for chosen in product(*into):
        reached = set(root_set)
        for _ in chosen:
            reached |= {arcs[index][1] for index in chosen if arcs[index][0] in reached}
        if len(reached) == size:
            found.append(chosen)
    return found


def packs_by_exhaustion(instance: Instance) -> bool:
    """Whether branchings can be chosen one unit after the other (integers only)."""
    size, arcs, capacities, roots = instance
    units = [root_set for root_set, demand in roots for _ in range(demand)]
    choices = {
        tuple(root_set): branchings_by_definition(size, arcs, root_set) for root_set in units
    }

    def extend(place: int, left: tuple[int, ...]) -> bool:
        if place == len(units):
            return True
        return any(
            all(left[index] for index in chosen)
            and extend(
                place + 1,
                tuple(amount - (index in chosen) for index, amount in enumerate(left)),
            )
            for chosen in choices[tuple(units[place])]
        )

    return extend(0, tuple(capacities))


def usable_arcs(instance: Instance) -> int:
    """Arcs of positive capacity, without loops, into a node that a demanded root set misses."""
    _, arcs, capacities, roots = instance
    demanded = [root_set for root_set, demand in roots if demand]
    return sum(
        bool(capacity) and tail != head and any(head not in root_set for root_set in demanded)
        for (tail, head), capacity in zip(arcs, capacities, strict=True)
    )


def assert_proved(
    instance: Instance, outcome: BranchingPacking | UnmetDemand
) -> BranchingPacking | UnmetDemand:
    """The packing or the set, by the checker, and for packings the bound on their number."""
    size, arcs, capacities, roots = instance
    assert (outcome.size, outcome.arcs) == (size, tuple(arcs))
    assert outcome.capacities == tuple(capacities)
    assert outcome.roots == tuple((tuple(root_set), demand) for root_set, demand in roots)
    claim = check(outcome)
    if isinstance(outcome, UnmetDemand):
        return outcome
    assert claim.value == sum(demand for _, demand in roots)
    demanded = [root_set for root_set, demand in roots if demand]
    missed = sum(any(node not in root_set for root_set in demanded) for node in range(size))
    assert len(outcome.branchings) <= usable_arcs(instance) + len(demanded) - missed
    for _, weight, _ in outcome.branchings:
        if all(type(number) is int for number in (*capacities, *(demand for _, demand in roots))):
            assert type(weight) is int
    return outcome


def assert_multiple(
    instance: Instance, best: ConcurrentBranchingPacking
) -> ConcurrentBranchingPacking:
    """By the checker; and as a packing of demands that are `value` times as large."""
    size, arcs, capacities, roots = instance
    assert check(best).value == best.value
    assert best.roots == tuple((tuple(root_set), demand) for root_set, demand in roots)
    scaled = [(root_set, best.value * demand) for root_set, demand in roots]
    packing = BranchingPacking(
        best.size,
        best.arcs,
        best.capacities,
        tuple((tuple(root_set), demand) for root_set, demand in scaled),
        best.branchings,
    )
    assert_proved((size, arcs, capacities, scaled), packing)
    return best


def assert_decomposed(
    size: int, root: int, arcs: Arcs, capacities: list[Any], best: ArborescenceDecomposition
) -> None:
    """By the checker: trees and cut agree.  And there are few trees."""
    assert check(best).value == best.value
    assert best.capacities == tuple(capacities)
    usable = usable_arcs((size, arcs, capacities, [([root], 1)]))
    if best.value:
        assert len(best.trees) <= usable - size + 2
    else:
        assert not best.trees


# Instances --------------------------------------------------------------------------------------

PREFERENCES = st.sampled_from(["few", "shallow"])


@st.composite
def instances(draw: st.DrawFn, largest: int = 5, amount: int = 4) -> Instance:
    """Any arcs at all: parallel, loops, without capacity, into roots."""
    size = draw(st.integers(1, largest))
    node = st.integers(0, size - 1)
    arcs = draw(st.lists(st.tuples(node, node), max_size=3 * size))
    capacities = draw(st.lists(st.integers(0, amount), min_size=len(arcs), max_size=len(arcs)))
    root_set = st.lists(node, min_size=1, max_size=3, unique=True)
    roots = draw(st.lists(st.tuples(root_set, st.integers(0, 2)), max_size=3))
    return size, arcs, capacities, roots


@st.composite
def planted(
    draw: st.DrawFn, largest: int = 8, heaviest: int = 10**6, single: bool = False
) -> Instance:
    """Capacities that branchings of given weights fill exactly, so nothing is wasted."""
    size = draw(st.integers(2, largest))
    nodes = list(range(size))
    capacity: dict[tuple[int, int], int] = {}
    roots: Roots = []
    shared = [draw(st.sampled_from(nodes))]
    for _ in range(draw(st.integers(1, 6))):
        root_set = shared
        if not single:
            root_set = draw(st.lists(st.sampled_from(nodes), min_size=1, unique=True))
        weight = draw(st.integers(1, heaviest))
        reached = list(root_set)
        for node in draw(st.permutations([node for node in nodes if node not in root_set])):
            arc = draw(st.sampled_from(reached)), node
            capacity[arc] = capacity.get(arc, 0) + weight
            reached.append(node)
        roots.append((root_set, weight))
    arcs = draw(st.permutations(sorted(capacity)))
    return size, arcs, [capacity[arc] for arc in arcs], roots


# Against the definition -------------------------------------------------------------------------


@given(instances(), PREFERENCES)
def test_packed_exactly_if_no_set_lacks_capacity(instance, prefer):
    outcome = assert_proved(instance, pack_branchings(*instance, prefer=prefer))
    assert isinstance(outcome, BranchingPacking) == possible_by_definition(instance)


@given(instances(largest=4, amount=2))
def test_packed_exactly_if_exhaustion_finds_a_packing(instance):
    outcome = pack_branchings(*instance)
    assert isinstance(outcome, BranchingPacking) == packs_by_exhaustion(instance)


@given(instances(), st.data())
def test_the_decomposition_weighs_the_least_root_cut(instance, data):
    size, arcs, capacities, _ = instance
    if size == 1:
        return
    root = data.draw(st.integers(0, size - 1))
    best = decompose_into_arborescences(size, root, arcs, capacities, prefer=data.draw(PREFERENCES))
    assert_decomposed(size, root, arcs, capacities, best)
    assert best.value == min(
        entering(nodes, arcs, capacities) for nodes in node_sets(size) if root not in nodes
    )


@given(instances(), PREFERENCES)
def test_the_largest_multiple_is_the_least_ratio(instance, prefer):
    size, arcs, capacities, roots = instance
    ratios = [
        Fraction(entering(nodes, arcs, capacities), needed(nodes, roots))
        for nodes in node_sets(size)
        if needed(nodes, roots)
    ]
    if not ratios:
        with pytest.raises(InvalidInput, match="other than all nodes"):
            pack_concurrently(*instance)
        return
    best = assert_multiple(instance, pack_concurrently(*instance, prefer=prefer))
    assert best.value == min(ratios)


@given(planted(), st.integers(1, 10**6), st.integers(1, 10**6), PREFERENCES)
def test_a_planted_multiple_is_found(instance, over, under, prefer):
    """Where nothing is left over, demands that are smaller can be multiplied by just as much."""
    size, arcs, capacities, roots = instance
    factor = Fraction(over, under)
    less = size, arcs, capacities, [(root_set, demand / factor) for root_set, demand in roots]
    if arcs:
        best = assert_multiple(less, pack_concurrently(*less, prefer=prefer))
        assert best.value == factor


@given(instances(), st.data())
def test_an_unmet_set_is_found_among_nested_root_sets(instance, data):
    """Nests state the same demands as their root sets one by one; targets restrict the sets."""
    size, arcs, capacities, _ = instance
    order = data.draw(st.permutations(range(size)))
    ends = sorted(data.draw(st.lists(st.integers(1, size), max_size=3, unique=True)))
    demands = data.draw(st.lists(st.integers(0, 3), min_size=len(ends), max_size=len(ends)))
    starts = [0, *ends]
    nest = [
        (order[start:end], demand)
        for start, end, demand in zip(starts, ends, demands, strict=False)
    ]
    roots: Roots = [(order[:end], demand) for end, demand in zip(ends, demands, strict=True)]
    targets = data.draw(st.lists(st.integers(0, size - 1)))
    unmet = [
        nodes
        for nodes in node_sets(size)
        if nodes & set(targets) and entering(nodes, arcs, capacities) < needed(nodes, roots)
    ]
    found = unmet_set(size, arcs, capacities, [nest] if nest else [], targets)
    assert (found is None and not unmet) or set(found or ()) in unmet


# Planted packings -------------------------------------------------------------------------------


@given(planted(), PREFERENCES)
def test_a_planted_packing_is_found(instance, prefer):
    """Also where everything is tight; and one unit less of any arc that is full is noticed."""
    size, arcs, capacities, roots = instance
    outcome = assert_proved(instance, pack_branchings(*instance, prefer=prefer))
    assert isinstance(outcome, BranchingPacking)
    if not arcs:
        return
    less = [capacities[0] - 1, *capacities[1:]]
    unmet = assert_proved(
        (size, arcs, less, roots), pack_branchings(size, arcs, less, roots, prefer=prefer)
    )
    assert isinstance(unmet, UnmetDemand)


@pytest.mark.parametrize("prefer", ["few", "shallow"])
@pytest.mark.parametrize("seed", range(3))
def test_larger_planted_packings(seed, prefer):
    """Large enough for unmet sets of all kinds: many are found and undone, across root sets."""
    dice = random.Random(seed)
    size, roots = 24, []
    capacity: dict[tuple[int, int], int] = {}
    for _ in range(8):
        root_set = dice.sample(range(size), dice.randint(1, 4))
        weight = dice.randint(1, 10**6)
        reached = list(root_set)
        for node in dice.sample(range(size), size):
            if node not in root_set:
                arc = dice.choice(reached[-4:]), node
                capacity[arc] = capacity.get(arc, 0) + weight
                reached.append(node)
        roots.append((root_set, weight))
    arcs = sorted(capacity)
    instance = size, arcs, [capacity[arc] for arc in arcs], roots
    packing = assert_proved(instance, pack_branchings(*instance, prefer=prefer))
    assert isinstance(packing, BranchingPacking)


@given(planted(largest=12, heaviest=10**40, single=True), PREFERENCES)
def test_a_planted_decomposition_is_as_heavy(instance, prefer):
    size, arcs, capacities, roots = instance
    root = roots[0][0][0]
    best = decompose_into_arborescences(size, root, arcs, capacities, prefer=prefer)
    assert_decomposed(size, root, arcs, capacities, best)
    assert best.value == sum(weight for _, weight in roots)


@given(planted(single=True), st.data())
def test_rational_capacities_are_integers_divided(instance, data):
    size, arcs, capacities, roots = instance
    divisor = data.draw(st.integers(2, 10**6))
    best = decompose_into_arborescences(size, roots[0][0][0], arcs, capacities)
    divided = [Fraction(capacity, divisor) for capacity in capacities]
    again = decompose_into_arborescences(size, roots[0][0][0], arcs, divided)
    assert again.value == Fraction(best.value, divisor)
    assert again.trees == tuple((Fraction(w, divisor), chosen) for w, chosen in best.trees)


# Laws -------------------------------------------------------------------------------------------


@given(instances(), st.data())
def test_relabelling_nodes_changes_nothing(instance, data):
    size, arcs, capacities, roots = instance
    name = data.draw(st.permutations(range(size)))
    renamed = (
        size,
        [(name[tail], name[head]) for tail, head in arcs],
        capacities,
        [([name[node] for node in root_set], demand) for root_set, demand in roots],
    )
    outcome = assert_proved(renamed, pack_branchings(*renamed))
    assert type(outcome) is type(pack_branchings(*instance))


@given(instances(), st.data())
def test_twins_change_no_multiple(instance, data):
    """Every node as two that exchange a lot: no single node is tight any more."""
    size, arcs, capacities, roots = instance
    if all(not demand or len(nodes) == size for nodes, demand in roots):
        return
    best = pack_concurrently(*instance)
    a_lot = best.value * sum(demand for _, demand in roots)
    one_of = st.sampled_from([0, size])
    doubled = (
        2 * size,
        [(tail + data.draw(one_of), head + data.draw(one_of)) for tail, head in arcs]
        + [(node, node + size) for node in range(size)]
        + [(node + size, node) for node in range(size)],
        [*capacities, *[a_lot] * (2 * size)],
        [([*nodes, *(node + size for node in nodes)], demand) for nodes, demand in roots],
    )
    assert assert_multiple(doubled, pack_concurrently(*doubled)).value == best.value


@given(instances(), st.data())
def test_splitting_a_capacity_over_parallel_arcs_changes_nothing(instance, data):
    size, arcs, capacities, roots = instance
    parts = [data.draw(st.integers(0, capacity)) for capacity in capacities]
    halves = [*parts, *(whole - part for whole, part in zip(capacities, parts, strict=True))]
    split = (size, [*arcs, *arcs], halves, roots)
    outcome = assert_proved(split, pack_branchings(*split))
    assert type(outcome) is type(pack_branchings(*instance))


@given(instances(), st.data())
def test_another_arc_never_lowers_the_value(instance, data):
    size, arcs, capacities, _ = instance
    if size == 1:
        return
    node = st.integers(0, size - 1)
    more = data.draw(st.tuples(node, node))
    before = decompose_into_arborescences(size, 0, arcs, capacities)
    after = decompose_into_arborescences(size, 0, [*arcs, more], [*capacities, 3])
    assert before.value <= after.value <= before.value + 3


@given(instances(), st.integers(0, 3))
def test_a_root_set_of_all_nodes_needs_no_arc(instance, demand):
    size, arcs, capacities, roots = instance
    more = (size, arcs, capacities, [*roots, (list(range(size)), demand)])
    outcome = pack_branchings(*more)
    assert type(outcome) is type(pack_branchings(*instance))
    if isinstance(outcome, BranchingPacking):
        assert_proved(more, outcome)
        last = [(weight, chosen) for index, weight, chosen in outcome.branchings if index == 3]
        assert len(roots) < 3 or last == ([(demand, ())] if demand else [])


# Known answers ----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [2, 3, 5, 9])
def test_complete_digraphs(size):
    """K_n both ways has n - 1 disjoint arborescences: n - 1 arcs enter every node."""
    arcs = [(tail, head) for tail in range(size) for head in range(size) if tail != head]
    packing = disjoint_arborescences(size, 0, arcs, size - 1)
    assert isinstance(packing, BranchingPacking)
    assert check(packing).value == size - 1
    assert [weight for _, weight, _ in packing.branchings] == [1] * (size - 1)
    unmet = disjoint_arborescences(size, 0, arcs, size)
    assert isinstance(unmet, UnmetDemand)
    assert (check(unmet).value, unmet.entering, unmet.needed) == (None, size - 1, size)


@pytest.mark.parametrize(("name", "count"), [("torus:8x8", 4), ("hypercube:6", 6), ("ring:6", 2)])
def test_symmetric_machines(name, count):
    """Where d arcs enter every node of an edge-connected machine, there are d arborescences."""
    platform = built_in(name)
    place = {node: index for index, node in enumerate(platform.nodes)}
    arcs = [(place[arc.tail], place[arc.head]) for arc in platform.arcs]
    for root in (0, len(place) - 1):
        packing = disjoint_arborescences(len(place), root, arcs, count)
        assert isinstance(packing, BranchingPacking)
        assert check(packing).value == count
        assert len(packing.branchings) == count
        assert isinstance(disjoint_arborescences(len(place), root, arcs, count + 1), UnmetDemand)


def test_allgather_on_a_ring():
    """An all-gather: one branching from each node.  n - 1 of them enter each node."""
    size = 5
    ring = [(node, (node + step) % size) for node in range(size) for step in (1, -1)]
    roots: Roots = [([node], 1) for node in range(size)]
    instance = size, ring, [1] * 10, roots
    best = assert_multiple(instance, pack_concurrently(*instance))
    assert (best.value, best.nodes) == (Fraction(1, 2), (0,))


def test_a_tree_must_not_enter_a_tight_set_twice():
    """Greedy growth fails: from 0, 1 and 2 by their own arcs is a good start for one tree only."""
    arcs = [(0, 1), (0, 2), (1, 2), (2, 1)]
    packing = disjoint_arborescences(3, 0, arcs, 2)
    assert isinstance(packing, BranchingPacking)
    assert sorted(sorted(chosen) for _, _, chosen in packing.branchings) == [[0, 2], [1, 3]]


def test_the_bound_on_the_number_of_trees_is_reached():
    """Two nodes, m parallel arcs: m trees.  The star with a double arc: 2 trees."""
    best = decompose_into_arborescences(2, 0, [(0, 1)] * 4, [1, 2, 3, 4])
    assert sorted(best.trees) == [(1, (0,)), (2, (1,)), (3, (2,)), (4, (3,))]
    best = decompose_into_arborescences(3, 0, [(0, 1), (0, 1), (0, 2)], [1, 1, 2])
    assert len(best.trees) == 2


def test_an_unreachable_node():
    best = decompose_into_arborescences(3, 0, [(0, 1), (2, 1)], [5, 5])
    assert (best.value, best.trees, best.cut) == (0, (), (2,))
    assert check(best).value == 0


def test_one_node_and_no_demand():
    packing = pack_branchings(1, [(0, 0)], [1], [([0], "7/2"), ([0], 0)])
    assert isinstance(packing, BranchingPacking)
    assert packing.branchings == ((0, Fraction(7, 2), ()),)
    for roots in ([], [([1], 0)]):
        empty = pack_branchings(3, [], [], roots)
        assert isinstance(empty, BranchingPacking)
        assert empty.branchings == ()
        assert check(empty).value == 0


def test_equal_root_sets_are_told_apart():
    """Edmonds' k arborescences as k demands of one; the order of nodes does not matter."""
    arcs = [(0, 2), (1, 2), (0, 3), (1, 3)]
    roots: Roots = [([0, 1], 1), ([1, 0], 1)]
    packing = assert_proved((4, arcs, [1] * 4, roots), pack_branchings(4, arcs, [1] * 4, roots))
    assert isinstance(packing, BranchingPacking)
    assert sorted(index for index, _, _ in packing.branchings) == [0, 1]


def test_work_does_not_grow_with_capacities(monkeypatch):
    """The same planted sum of trees, times 10^40: the same trees and looks at all sets."""
    looks = []

    def counted(*arguments):
        looks.append(arguments[0])
        return unmet_set(*arguments)

    for module in (exactsched.graphs.branching_packing, exactsched.graphs.lovasz):
        monkeypatch.setattr(module, "unmet_set", counted)
    size = 12
    arcs = [(tail, head) for tail in range(size) for head in range(1, size) if tail != head]
    capacities = [(37 * tail + 101 * head) % 89 + 1 for tail, head in arcs]
    small = decompose_into_arborescences(size, 0, arcs, capacities)
    done = len(looks)
    huge = decompose_into_arborescences(size, 0, arcs, [10**40 * each for each in capacities])
    assert len(looks) == 2 * done
    assert huge.trees == tuple((10**40 * weight, chosen) for weight, chosen in small.trees)


def depth(arcs: Arcs, chosen: tuple[int, ...]) -> int:
    """Of an arborescence whose arcs are listed from the root on."""
    level: dict[int, int] = {}
    for index in chosen:
        tail, head = arcs[index]
        level[head] = level.get(tail, 0) + 1
    return max(level.values())


def test_shallow_trees_are_shallow():
    """On average, against few trees, on a circulant with unequal capacities."""
    arcs = [(tail, (tail + step) % 16) for tail in range(16) for step in (1, 2, 5, 7)]
    capacities = [7 * tail % 11 + 3 * head % 5 + 9 for tail, head in arcs]
    few = decompose_into_arborescences(16, 0, arcs, capacities)
    shallow = decompose_into_arborescences(16, 0, arcs, capacities, prefer="shallow")
    assert shallow.value == few.value
    assert len(shallow.trees) > len(few.trees)
    assert 3 * sum(weight * depth(arcs, chosen) for weight, chosen in shallow.trees) < 2 * sum(
        weight * depth(arcs, chosen) for weight, chosen in few.trees
    )


# Refusals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((0, [], [], []), "positive integer"),
        ((2, [(0, 2)], [1], []), "integers from 0 to 1"),
        ((2, [(0, 1)], [0.5], []), "float is not exact"),
        ((2, [(0, 1)], [-1], []), "capacity of arc 0: -1: 0 or more"),
        ((2, [(0, 1)], [1, 1], []), "1 are needed"),
        ((2, [(0, 1)], [1], [([0], -1)]), "demand of root set 0: -1: 0 or more"),
        ((2, [(0, 1)], [1], [([0], True)]), "truth value"),
        ((2, [(0, 1)], [1], [([2], 1)]), "root set 0"),
        ((2, [(0, 1)], [1], [([], 1)]), "at least one"),
        ((2, [(0, 1)], [1], [([0, 0], 1)]), "distinct"),
        ((2, [(0, 1)], [1], [([0],)]), "is a pair"),
        ((2, [(0, 1)], [1], [(0, 1)]), "is a pair"),
    ],
)
def test_refused(arguments, reason):
    with pytest.raises(InvalidInput, match=reason):
        pack_branchings(*arguments)


def test_refused_by_the_others():
    with pytest.raises(InvalidInput, match="root: 2"):
        disjoint_arborescences(2, 2, [(0, 1)], 1)
    with pytest.raises(InvalidInput, match="count: -1"):
        disjoint_arborescences(2, 0, [(0, 1)], -1)
    with pytest.raises(InvalidInput, match="prefer: 'deep'"):
        pack_concurrently(2, [(0, 1)], [1], [([0], 1)], prefer="deep")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="besides the root"):
        decompose_into_arborescences(1, 0, [], [])
    with pytest.raises(InvalidInput, match="prefer: 'deep'"):
        decompose_into_arborescences(2, 0, [(0, 1)], [1], prefer="deep")  # type: ignore[arg-type]
