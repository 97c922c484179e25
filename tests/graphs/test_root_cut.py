"""Minimum root cuts: all node sets, a flow for every sink, laws, and the size of certificates."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.certificate.graphs import MinimumRootCut
from exactsched.check import check
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import Rational
from exactsched.graphs.flow import maximum_flow
from exactsched.graphs.root_cut import minimum_root_cut
from tests.graphs.digraphs import Arc, digraphs, entering, excesses, numbers, subsets

Instance = tuple[int, int, list[Arc], list[Rational]]


@st.composite
def instances(draw: st.DrawFn, max_size: int = 6, max_arcs: int = 20) -> Instance:
    """Every other graph has a directed cycle through all nodes, so that all are reached."""
    size, arcs, capacities = draw(digraphs(min_size=2, max_size=max_size, max_arcs=max_arcs))
    if draw(st.booleans()):
        arcs = arcs + [(node, (node + 1) % size) for node in range(size)]
        capacities = capacities + [draw(numbers()) for _ in range(size)]
    return size, draw(st.integers(0, size - 1)), arcs, capacities


def proved(instance: Instance) -> MinimumRootCut:
    """The cut and the flows, after both have been looked at by definition and by the checker."""
    size, root, arcs, capacities = instance
    best = minimum_root_cut(*instance)
    assert (best.size, best.root) == (size, root)
    assert (best.arcs, best.capacities) == (tuple(arcs), tuple(capacities))
    assert best.cut
    assert root not in best.cut
    assert list(best.cut) == sorted(set(best.cut))
    assert entering(arcs, capacities, frozenset(best.cut)) == best.value
    assert sorted([root, *best.order]) == list(range(size))
    before = {root}
    for node, flow in zip(best.order, best.flows, strict=True):
        assert [arc for arc, _ in flow] == sorted({arc for arc, _ in flow})
        for arc, amount in flow:
            assert type(amount) is int or (type(amount) is Fraction and amount.denominator > 1)
            assert 0 < amount <= capacities[arc]
        net = excesses(size, arcs, list(flow))
        assert net[node] >= best.value
        assert not any(net[other] for other in range(size) if other not in before | {node})
        before.add(node)
    assert check(best).value == best.value
    return best


@given(instances())
def test_no_set_is_entered_by_less(instance: Instance) -> None:
    size, root, arcs, capacities = instance
    sets = subsets([node for node in range(size) if node != root])
    assert proved(instance).value == min(
        entering(arcs, capacities, nodes) for nodes in sets if nodes
    )


@given(instances(max_size=10, max_arcs=40))
def test_it_is_the_least_maximum_flow_from_the_root(instance: Instance) -> None:
    size, root, arcs, capacities = instance
    assert proved(instance).value == min(
        maximum_flow(size, root, sink, arcs, capacities).value
        for sink in range(size)
        if sink != root
    )


# Laws -------------------------------------------------------------------------------------------


@given(instances(max_size=9), st.randoms(use_true_random=False))
def test_names_do_not_matter(instance: Instance, dice: random.Random) -> None:
    size, root, arcs, capacities = instance
    name = dice.sample(range(size), size)
    place = dice.sample(range(len(arcs)), len(arcs))
    renamed = [(name[arcs[k][0]], name[arcs[k][1]]) for k in place]
    other = minimum_root_cut(size, name[root], renamed, [capacities[k] for k in place])
    assert other.value == minimum_root_cut(*instance).value


@given(instances(), st.builds(Fraction, st.integers(1, 10**40), st.integers(1, 60)))
def test_the_value_scales(instance: Instance, factor: Fraction) -> None:
    size, root, arcs, capacities = instance
    scaled = minimum_root_cut(size, root, arcs, [factor * capacity for capacity in capacities])
    best = minimum_root_cut(*instance)
    assert scaled.value == factor * best.value
    assert (scaled.cut, scaled.order) == (best.cut, best.order)


@given(instances(max_size=9), st.data())
def test_an_arc_is_as_good_as_parallel_parts(instance: Instance, data: st.DataObject) -> None:
    size, root, arcs, capacities = instance
    thirds = [Fraction(capacity) * data.draw(st.integers(0, 3)) / 3 for capacity in capacities]
    rests = [capacity - third for capacity, third in zip(capacities, thirds, strict=True)]
    split = minimum_root_cut(size, root, arcs + arcs, thirds + rests)
    assert split.value == minimum_root_cut(*instance).value


@given(instances(max_size=9), st.lists(numbers(), min_size=3, max_size=3), st.data())
def test_loops_and_arcs_into_the_root_do_not_matter(
    instance: Instance, more: list[Rational], data: st.DataObject
) -> None:
    size, root, arcs, capacities = instance
    node = data.draw(st.integers(0, size - 1))
    looped = [(node, root), (node, node), *arcs, (root, root)]
    extended = minimum_root_cut(size, root, looped, more[:2] + capacities + more[2:])
    assert extended.value == minimum_root_cut(*instance).value


@given(instances(max_size=8), st.data())
def test_nodes_beyond_reach_make_it_zero(instance: Instance, data: st.DataObject) -> None:
    size, root, arcs, capacities = instance
    inside = data.draw(st.integers(0, size - 1))
    two = [(size, inside), (size, size + 1), (size + 1, size)]
    best = minimum_root_cut(size + 2, root, arcs + two, [*capacities, 1, 2, 3])
    assert best.value == 0


@given(instances(max_size=6), numbers())
def test_a_root_above_the_root_adds_one_more_set(instance: Instance, capacity: Rational) -> None:
    size, root, arcs, capacities = instance
    above = minimum_root_cut(size + 1, size, [*arcs, (size, root)], [*capacities, capacity])
    # Sets with the old root are entered by the new arc at least.
    assert above.value == min(capacity, minimum_root_cut(*instance).value)


# Larger ones --------------------------------------------------------------------------------------


def regular(size: int, degree: int, least: int, largest: int) -> Instance:
    """`degree` random directed cycles through all nodes."""
    dice = random.Random(degree)
    arcs: list[Arc] = []
    for _ in range(degree):
        order = dice.sample(range(size), size)
        arcs += zip(order, order[1:] + order[:1], strict=True)
    return size, 0, arcs, [dice.randint(least, largest) for _ in arcs]


def clusters(count: int, size: int) -> Instance:
    """Regular graphs in a ring, with thin connections: the least cut is none of a single node."""
    dice = random.Random(count)
    arcs: list[Arc] = []
    capacities: list[Rational] = []
    for first in range(0, count * size, size):
        _, _, inner, thick = regular(size, 4, 50, 100)
        arcs += [(first + tail, first + head) for tail, head in inner]
        capacities += thick
        for _ in range(3):
            here, there = (dice.randrange(start, start + size) for start in (first, first + size))
            arcs += [(here, there % (count * size)), (there % (count * size), here)]
            capacities += [dice.randint(1, 20), dice.randint(1, 20)]
    return count * size, 0, arcs, capacities


def ring(size: int) -> Instance:
    """Both ways around: whichever node comes next, one of its two units comes all the way round."""
    arcs = [(node, (node + step) % size) for node in range(size) for step in (1, -1)]
    return size, 0, arcs, [1] * len(arcs)


def one_way_torus(side: int) -> Instance:
    arcs = [
        (row * side + column, head)
        for row in range(side)
        for column in range(side)
        for head in (row * side + (column + 1) % side, (row + 1) % side * side + column)
    ]
    return side * side, 0, arcs, [1] * len(arcs)


@pytest.mark.parametrize(
    ("build", "value", "single"),
    [
        (lambda: regular(300, 5, 1, 1), 5, True),
        (lambda: regular(100, 4, 10**40, 10**40 + 100), None, True),
        (lambda: clusters(6, 40), None, False),
        (lambda: ring(200), 2, True),
        (lambda: one_way_torus(14), 2, True),
    ],
    ids=["regular", "long numbers", "clusters", "ring", "torus"],
)
def test_large_cuts_are_proved(
    build: Callable[[], Instance], value: Rational | None, single: bool
) -> None:
    instance = build()
    best = proved(instance)
    if value is not None:
        assert best.value == value
    assert (len(best.cut) == 1) == single
    # Certificates stay small: on the ring without waiting for the middle there are n^2 / 2.
    assert sum(map(len, best.flows)) <= 12 * instance[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1, 0, [], []), "size: 1: a cut needs a node besides the root"),
        ((2, 2, [], []), "root: 2: a node is an integer from 0 to 1"),
        ((2, 0, [(0, 5)], [1]), r"arc 0: \(0, 5\)"),
        ((2, 0, [(0, 1)], [1.5]), "capacity of arc 0: 1.5: a float is not exact"),
        ((2, 0, [(0, 1)], [-1]), "capacity of arc 0: -1: 0 or more"),
        ((2, 0, [(0, 1)], [1, 1]), "capacity of arc"),
    ],
)
def test_what_is_no_problem_is_refused(arguments: Instance, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        minimum_root_cut(*arguments)
