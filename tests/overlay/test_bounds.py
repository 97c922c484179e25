"""Bounds by counting against definitions, and against all overlays of small machines."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched.check import check
from exactsched.exact.errors import InvalidInput
from exactsched.model.machine import MultiPort
from exactsched.oracles.overlay import (
    best_throughput,
    bound_by_counting,
    depth_of_tree,
    largest_root,
    least_entrance,
    overlay_fault,
    receivers,
)
from exactsched.overlay.bounds import acyclic_bound, throughput_bound, tree_bound
from exactsched.overlay.tree import best_tree
from tests.overlay.machines import machines

BOUNDS = [throughput_bound, acyclic_bound, tree_bound]


@given(machines())
def test_bounds_by_definition(machine):
    """The largest root; that of the best choice of who is silent; and the n-th rate of a tree."""
    assert throughput_bound(machine) == bound_by_counting(machine, "any")
    assert acyclic_bound(machine) == bound_by_counting(machine, "acyclic")
    assert tree_bound(machine) == bound_by_counting(machine, "tree")


@given(machines(4))
def test_the_tree_bound_is_the_best_of_all_trees(machine):
    assert tree_bound(machine) == best_throughput(machine, "tree")


@given(machines(40))
def test_the_tree_bound_is_where_children_become_too_few(machine):
    rate = tree_bound(machine)
    candidates = sorted(
        {b / j for b in machine.bandwidths for j in range(1, machine.size + 1)}
        | {least_entrance(machine)}
    )
    possible = [
        value
        for value in candidates
        if 0 < value <= least_entrance(machine)
        and sum(
            min(d, b // value) for b, d in zip(machine.bandwidths, machine.degrees, strict=True)
        )
        >= machine.size - 1
    ]
    assert rate == max(possible, default=0)


@settings(max_examples=35)
@given(machines(3))
def test_no_overlay_of_a_small_machine_exceeds_its_bound(machine):
    best = best_throughput(machine, "any")
    assert best <= throughput_bound(machine)
    acyclic = best_throughput(machine, "acyclic")
    assert acyclic <= acyclic_bound(machine)
    assert tree_bound(machine) <= acyclic <= best


@pytest.mark.parametrize(
    ("bandwidths", "degrees", "structure", "best"),
    [
        ([4, 2, 2, 1, 1], [2, 1, 1, 1, 1], "any", 2),
        ([4, 3, 3, 3, 2], [1, 1, 1, 1, 1], "any", 3),
        ([4, 3, 2, 2, 1], [2, 2, 1, 1, 1], "acyclic", Fraction(5, 2)),
    ],
)
def test_bounds_of_machines_with_four_receivers(bandwidths, degrees, structure, best):
    machine = MultiPort(bandwidths, degrees)
    assert best_throughput(machine, structure) == best
    bound = throughput_bound if structure == "any" else acyclic_bound
    assert best <= bound(machine)


@given(machines(), st.fractions(Fraction(1, 30), 30), st.randoms(use_true_random=False))
def test_bounds_scale_and_do_not_depend_on_the_order_of_nodes(machine, factor, chance):
    order = list(range(1, machine.size))
    chance.shuffle(order)
    order = [0, *order]
    other = MultiPort(
        [machine.bandwidths[node] * factor for node in order],
        [machine.degrees[node] for node in order],
        [machine.incoming[node] * factor for node in order] if machine.incoming else (),
    )
    for bound in BOUNDS:
        assert bound(other) == factor * bound(machine)


@given(machines(), st.data())
def test_more_receivers_do_no_harm(machine, data):
    node = data.draw(st.integers(0, machine.size - 1))
    degrees = list(machine.degrees)
    degrees[node] += 1
    more = MultiPort(machine.bandwidths, degrees, machine.incoming)
    for bound in BOUNDS:
        assert bound(more) >= bound(machine)
    assert tree_bound(machine) <= acyclic_bound(machine) <= throughput_bound(machine)


@given(machines())
def test_what_more_than_n_receivers_would_get_does_not_count(machine):
    most = machine.size - 1
    capped = MultiPort(
        machine.bandwidths, [min(most, degree) for degree in machine.degrees], machine.incoming
    )
    for bound in BOUNDS:
        assert bound(capped) == bound(machine)


@given(machines(), st.data())
def test_arcs_bound_degrees(machine, data):
    pairs = [(i, j) for i in range(machine.size) for j in range(1, machine.size) if i != j]
    arcs = data.draw(st.lists(st.sampled_from(pairs), min_size=1, unique=True))
    given_arcs = MultiPort(machine.bandwidths, machine.degrees, machine.incoming, arcs)
    degrees = [
        min(degree, sum(1 for sender, _ in arcs if sender == node))
        for node, degree in enumerate(machine.degrees)
    ]
    by_degrees = MultiPort(machine.bandwidths, degrees, machine.incoming)
    for bound in BOUNDS:
        assert bound(given_arcs) == bound(by_degrees)


# What is wrong as printed: proofs/overlay-bounds.md.


def test_the_function_may_vanish_on_an_interval():
    """The degrees add up to n, and every T <= 1 is a root."""
    assert throughput_bound(MultiPort([1, 5], [1, 0])) == 1
    assert throughput_bound(MultiPort([4, 4, 4], [1, 1, 0])) == 4


def test_degrees_of_nodes_without_bandwidth_do_not_count():
    """The degrees add up to more than n, but at no rate above 0 can two nodes be served."""
    assert throughput_bound(MultiPort([1, 0, 0], [1, 1, 1])) == 0


def test_a_source_without_degree():
    """The root is 1, and nothing leaves the source."""
    machine = MultiPort([1, 1, 1], [0, 2, 2])
    assert largest_root(machine) == 1
    assert [bound(machine) for bound in BOUNDS] == [0, 0, 0]


def test_who_is_silent_depends_on_the_rate():
    """Neither the node with the least bandwidth nor the one with the least degree."""
    by_bandwidth = MultiPort([2, 1, 2], [1, 2, 1])
    assert [largest_root(by_bandwidth, silent) for silent in (1, 2)] == [2, 1]
    assert acyclic_bound(by_bandwidth) == 2
    by_degree = MultiPort([1, 1, 2], [1, 1, 0])
    assert [largest_root(by_degree, silent) for silent in (1, 2)] == [0, 1]
    assert acyclic_bound(by_degree) == 1


def test_the_acyclic_bound_may_be_missed():
    machine = MultiPort([2, 1, 1, 0], [2, 1, 1, 0])
    assert acyclic_bound(machine) == Fraction(4, 3)
    assert best_throughput(machine, "acyclic") == 1


def test_a_tree_begins_at_the_source():
    """At the rate 4 the two others could have a child each, but they do not get it."""
    machine = MultiPort([1, 4, 4], [1, 1, 1])
    assert sum(min(1, b // 4) for b in machine.bandwidths) == 2
    assert tree_bound(machine) == best_throughput(machine, "tree") == 1


def test_bends_closer_than_floats_can_tell():
    """Of two bends that differ by about 10^-24 only the smaller one is below the root."""
    big = 10**12
    machine = MultiPort([2 * big, big, big + 1, 0], [2, big, big + 1, 0])
    assert throughput_bound(machine) == largest_root(machine)
    near = MultiPort([Fraction(7), Fraction(big, big + 1), Fraction(big - 1, big)], [1, 1, 1])
    assert throughput_bound(near) == largest_root(near)
    assert acyclic_bound(near) == max(largest_root(near, 1), largest_root(near, 2))


@given(machines(12))
def test_the_best_tree(machine):
    tree = best_tree(machine)
    assert not overlay_fault(tree)
    used = receivers(tree)
    assert all(count <= degree for count, degree in zip(used, machine.degrees, strict=True))
    assert tree.optimal
    assert tree.throughput == tree.bound == tree_bound(machine)
    assert len(tree.arcs) == (machine.size - 1 if tree.throughput else 0)
    claim = check(tree)
    assert (claim.throughput, claim.bound, claim.optimal) == (tree.throughput, tree.bound, True)


def test_the_best_tree_is_not_deeper_than_it_must_be():
    """12 nodes, of which the strong ones are last: a level has as many children as possible."""
    machine = MultiPort([6, *[0] * 5, *[1] * 4, 2, 3, 4], [2, *[9] * 12])
    tree = best_tree(machine)
    assert tree.throughput == 1
    assert depth_of_tree([row[:2] for row in tree.arcs]) == 3


def test_a_tree_is_for_machines_where_everybody_is_reachable():
    with pytest.raises(InvalidInput, match="--method exact") as refused:
        best_tree(MultiPort([1, 1], [1, 1], arcs=[(0, 1)]))
    assert "\n" not in str(refused.value)


def test_wrong_trees_are_rejected():
    tree = best_tree(MultiPort([2, 1, 1, 0], [2, 1, 1, 0]))
    assert receivers(tree) == [2, 1, 0, 0]
    circle = ((1, 2, ((0, 1),)), (2, 1, ((0, 1),)), *tree.arcs[2:])
    assert overlay_fault(replace(tree, arcs=tree.arcs[:-1])) == "part 0 does not come to all"
    assert overlay_fault(replace(tree, arcs=circle)) == "node 1 sends too much"
    slow = replace(tree, arcs=circle, throughput=Fraction(1, 2))
    assert overlay_fault(slow) == "part 0 does not come to all"
