"""What the oracles of overlays say of wrong ones, and where two of them have to agree."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.certificate.overlay import Overlay
from exactsched.model.machine import MultiPort
from exactsched.oracles import overlay as oracle
from exactsched.oracles.overlay import (
    acyclic_supports,
    best_on,
    best_throughput,
    bound_by_counting,
    has_no_cycle,
    least_cut,
    overlay_fault,
    supports,
)
from exactsched.oracles.overlay_diversions import rates_fault
from exactsched.oracles.three_partition import groupings, partitions, target_of

# Figure 1: two trees, each with half of the message.
FIGURE_1 = Overlay(
    MultiPort([2, 1, 1], [2, 1, 1]),
    "any",
    2,
    ((0, 1, ((0, 1),)), (1, 2, ((0, 1),)), (0, 2, ((1, 2),)), (2, 1, ((1, 2),))),
    2,
    2,
    (),
    True,
)


def changed(**arcs: tuple[tuple[int, int], ...]) -> Overlay:
    """Figure 1 with other parts on some arcs, such as `a01`."""
    pieces = {(i, j): row for i, j, row in FIGURE_1.arcs}
    pieces |= {(int(name[1]), int(name[2])): row for name, row in arcs.items()}
    return replace(FIGURE_1, arcs=tuple((i, j, row) for (i, j), row in pieces.items()))


@pytest.mark.parametrize(
    ("overlay", "fault"),
    [
        (FIGURE_1, ""),
        (replace(FIGURE_1, arcs=FIGURE_1.arcs[:1] * 2), "an arc is there twice, or not possible"),
        (changed(a10=((0, 1),)), "an arc is there twice, or not possible"),
        (changed(a12=((0, 2),)), "node 1 sends too much"),
        (
            replace(FIGURE_1, machine=MultiPort([2, 1, 1], [2, 1, 1], [0, 2, 1])),
            "somebody receives too much",
        ),
        (replace(FIGURE_1, throughput=0), "arcs for nothing"),
        (replace(FIGURE_1, throughput=0, arcs=()), ""),
        (changed(a12=()), "no parts of the message from 1 to 2"),
        (changed(a21=((2, 3),)), "no parts of the message from 2 to 1"),
        (changed(a21=((2, 2),)), "the parts from 2 to 1 are not in order"),
        (
            replace(changed(a01=((1, 2), (0, 1)), a02=((0, 2),)), throughput=1),
            "the parts from 0 to 1 are not in order",
        ),
        (changed(a21=((0, 1),)), "part 0 does not come to all"),
        (changed(a02=((0, 1),)), "part 0 does not come to all"),
    ],
)
def test_faults(overlay, fault):
    assert overlay_fault(overlay) == fault


def test_only_as_many_parts_as_asked_are_followed():
    late = changed(a12=((1, 2),), a02=((0, 1),), a21=((1, 2),))
    assert overlay_fault(late, most=1) == ""
    assert overlay_fault(late) == "part 1 does not come to all"


def test_acyclic_by_all_orders():
    arcs = [(i, j) for i in range(4) for j in range(1, 4) if i != j]
    for count in range(len(arcs)):
        for some in combinations(arcs, count):
            reach = set(some)
            for k in range(4):
                reach |= {(i, j) for i in range(4) for j in range(4) if {(i, k), (k, j)} <= reach}
            assert has_no_cycle(some) == all((node, node) not in reach for node in range(4))


pairs = st.tuples(st.integers(0, 4), st.integers(1, 4)).filter(lambda pair: pair[0] != pair[1])


@given(st.dictionaries(pairs, st.fractions(0, 5, max_denominator=4), min_size=1))
def test_cuts_of_all_sets_and_of_all_nodes_agree(rates):
    few = least_cut(5, rates)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(oracle, "_ALL_SETS", 1)
        assert least_cut(5, rates) == few


@given(
    st.lists(st.integers(0, 6), min_size=4, max_size=4),
    st.lists(st.integers(0, 2), min_size=4, max_size=4),
    st.lists(st.integers(0, 6), min_size=4, max_size=4) | st.just([]),
)
def test_the_best_rates_carry_what_they_say(bandwidths, degrees, incoming):
    """The largest weight of arborescences is the least cut; trees < acyclic < any < counting."""
    machine = MultiPort(bandwidths, degrees, incoming)
    for arcs in (*supports(machine), *acyclic_supports(machine)):
        value, rates = best_on(machine, arcs)
        assert least_cut(4, rates or {(0, 1): 0}) == value
        for node, bandwidth in enumerate(machine.bandwidths):
            assert sum(rate for (i, _), rate in rates.items() if i == node) <= bandwidth
        assert all(value <= limit for limit in machine.incoming[1:])
    best = [best_throughput(machine, structure) for structure in ("tree", "acyclic", "any")]
    assert best == sorted(best)
    for structure, value in zip(("tree", "acyclic", "any"), best, strict=True):
        assert value <= bound_by_counting(machine, structure)
    assert best[0] == bound_by_counting(machine, "tree")


@pytest.mark.parametrize(
    ("rates", "fault"),
    [
        ({(0, 1): 1, (1, 2): 1}, ""),
        ({(0, 1): 1, (1, 2): 1, (0, 2): -1}, "the rate -1 from 0 to 2"),
        ({(1, 1): 1}, "the rate 1 from 1 to 1"),
        ({(0, 1): 3}, "node 0 sends too much"),
        ({(0, 1): 1, (0, 2): 1}, "node 0 has 2 receivers"),
        ({(0, 1): 1}, "into some set only 0 is sent"),
    ],
)
def test_faults_of_rates(rates, fault):
    limits = [Fraction(2), Fraction(1), Fraction(1)]
    assert rates_fault(limits, Fraction(1), rates, [1, 1, 1]) == fault


def test_partitions_are_groupings_of_equal_sums():
    for numbers in ((6, 6, 6, 6, 7, 9), (6, 7, 7, 6, 6, 8), (7, 7, 6, 6, 7, 7)):
        assert target_of(numbers) == 20
        equal = [
            groups
            for groups in groupings(tuple(range(6)))
            if all(sum(numbers[k] for k in group) == 20 for group in groups)
        ]
        assert list(partitions(numbers, 20, tuple(range(6)))) == equal
    assert [target_of(numbers) for numbers in ((), (6, 7), (5, 7, 8), (1, 1, 2))] == [None] * 4
