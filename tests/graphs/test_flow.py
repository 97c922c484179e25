"""Maximum flows: cuts one by one, networkx, laws, and networks whose flow grows step by step."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.certificate.graphs import MaximumFlow
from exactsched.check import check
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import Rational
from exactsched.graphs.flow import FlowNetwork, maximum_flow
from tests.graphs.digraphs import (
    Arc,
    Weighted,
    digraphs,
    entering,
    excesses,
    numbers,
    one_digit,
    subsets,
)

Instance = tuple[int, int, int, list[Arc], list[Rational]]


@st.composite
def instances(draw: st.DrawFn, max_size: int = 6, max_arcs: int = 16) -> Instance:
    size, arcs, capacities = draw(digraphs(min_size=2, max_size=max_size, max_arcs=max_arcs))
    # The path of the strategy leads from node 0 to the last.
    source = draw(st.just(0) | st.integers(0, size - 1))
    sink = draw(st.just(size - 1) | st.integers(0, size - 1))
    if source == sink:
        sink = (source + 1) % size
    return size, source, sink, arcs, capacities


def proved(instance: Instance) -> MaximumFlow:
    """The flow and the cut, after both have been looked at by definition and by the checker."""
    size, source, sink, arcs, capacities = instance
    best = maximum_flow(*instance)
    assert (best.size, best.source, best.sink) == (size, source, sink)
    assert (best.arcs, best.capacities) == (tuple(arcs), tuple(capacities))
    for amount, capacity in zip(best.flow, capacities, strict=True):
        assert type(amount) is int or (type(amount) is Fraction and amount.denominator > 1)
        assert 0 <= amount <= capacity
    net = excesses(size, arcs, list(enumerate(best.flow)))
    assert net[sink] == best.value == -net[source]
    assert not any(net[node] for node in range(size) if node not in (source, sink))
    assert source in best.cut
    assert sink not in best.cut
    assert list(best.cut) == sorted(set(best.cut))
    beyond = frozenset(range(size)) - frozenset(best.cut)
    assert entering(arcs, capacities, beyond) == best.value
    assert check(best).value == best.value
    return best


def minimum_cuts_by_definition(instance: Instance) -> tuple[Rational, list[frozenset[int]]]:
    """The least capacity of a cut, and all cuts that have it."""
    size, source, sink, arcs, capacities = instance
    free = [node for node in range(size) if node not in (source, sink)]
    everything = frozenset(range(size))
    cuts = [chosen | {source} for chosen in subsets(free)]
    sizes = [entering(arcs, capacities, everything - cut) for cut in cuts]
    return min(sizes), [cut for cut, size in zip(cuts, sizes, strict=True) if size == min(sizes)]


@given(instances())
def test_no_cut_is_smaller_and_the_extreme_ones_are_found(instance: Instance) -> None:
    size, source, sink, arcs, capacities = instance
    least, cuts = minimum_cuts_by_definition(instance)
    best = proved(instance)
    assert best.value == least
    assert frozenset(best.cut) == frozenset.intersection(*cuts)
    scale = 2 * 3 * 5 * 7 * 11
    network = FlowNetwork(size, arcs, [int(scale * capacity) for capacity in capacities])
    assert network.push(source, sink) == scale * least
    assert network.reachable(source) == frozenset.intersection(*cuts)
    assert network.reaching(sink) == frozenset(range(size)) - frozenset.union(*cuts)


@given(instances(max_size=12, max_arcs=50))
def test_networkx_finds_the_same_value(instance: Instance) -> None:
    size, source, sink, arcs, capacities = instance
    graph = nx.DiGraph()
    graph.add_nodes_from(range(size))
    for (tail, head), capacity in zip(arcs, capacities, strict=True):
        known = graph.get_edge_data(tail, head, {"capacity": 0})["capacity"]
        graph.add_edge(tail, head, capacity=known + capacity)
    assert proved(instance).value == nx.maximum_flow_value(graph, source, sink)


# Laws -------------------------------------------------------------------------------------------


@given(instances(max_size=9, max_arcs=30), st.randoms(use_true_random=False))
def test_names_do_not_matter(instance: Instance, dice: random.Random) -> None:
    size, source, sink, arcs, capacities = instance
    name = dice.sample(range(size), size)
    place = dice.sample(range(len(arcs)), len(arcs))
    best = maximum_flow(*instance)
    renamed = maximum_flow(
        size,
        name[source],
        name[sink],
        [(name[arcs[k][0]], name[arcs[k][1]]) for k in place],
        [capacities[k] for k in place],
    )
    assert renamed.value == best.value
    assert set(renamed.cut) == {name[node] for node in best.cut}


@given(instances(), st.builds(Fraction, st.integers(1, 10**40), st.integers(1, 60)))
def test_the_value_scales(instance: Instance, factor: Fraction) -> None:
    size, source, sink, arcs, capacities = instance
    scaled = size, source, sink, arcs, [factor * capacity for capacity in capacities]
    assert maximum_flow(*scaled).value == factor * maximum_flow(*instance).value
    assert maximum_flow(*scaled).cut == maximum_flow(*instance).cut


@given(instances(max_size=9, max_arcs=30))
def test_reversed_arcs_have_the_complements_as_cuts(instance: Instance) -> None:
    size, source, sink, arcs, capacities = instance
    reverse = size, sink, source, [(head, tail) for tail, head in arcs], capacities
    best, back = maximum_flow(*instance), maximum_flow(*reverse)
    assert back.value == best.value
    # Both cuts are the smallest around their source.
    assert not set(best.cut) & set(back.cut)


@given(instances(max_size=9, max_arcs=30), st.data())
def test_an_arc_is_as_good_as_parallel_parts(instance: Instance, data: st.DataObject) -> None:
    size, source, sink, arcs, capacities = instance
    parts = [data.draw(st.integers(0, 3)) for _ in arcs]
    halves = [
        Fraction(capacity) * part / 3 for capacity, part in zip(capacities, parts, strict=True)
    ]
    rests = [capacity - half for capacity, half in zip(capacities, halves, strict=True)]
    split = maximum_flow(size, source, sink, arcs + arcs, halves + rests)
    assert split.value == maximum_flow(*instance).value
    assert split.cut == maximum_flow(*instance).cut


@given(instances(max_size=9, max_arcs=30), numbers(), st.data())
def test_another_arc_adds_at_most_its_capacity(
    instance: Instance, capacity: Rational, data: st.DataObject
) -> None:
    size, source, sink, arcs, capacities = instance
    node = st.integers(0, size - 1)
    arc = data.draw(st.tuples(node, node))
    value = maximum_flow(*instance).value
    more = maximum_flow(size, source, sink, [*arcs, arc], [*capacities, capacity]).value
    assert value <= more <= value + capacity
    if arc == (source, sink):
        assert more == value + capacity


# Networks ---------------------------------------------------------------------------------------


def assert_flow(network: FlowNetwork, size: int, arcs: list[Arc], net: list[int]) -> None:
    amounts = [network.flow(arc) for arc in range(len(arcs))]
    assert amounts == network.flows()
    assert all(0 <= amounts[arc] <= network.capacity(arc) for arc in range(len(arcs)))
    assert excesses(size, arcs, list(enumerate(amounts))) == net


@given(digraphs(min_size=2, max_size=8, max_arcs=24, number=one_digit), st.data())
def test_pushes_add_up_whatever_happens_in_between(graph: Weighted, data: st.DataObject) -> None:
    size, arcs, capacities = graph
    network = FlowNetwork(size)
    assert [network.add_arc(*arc, 0) for arc in arcs] == list(range(len(arcs)))
    source, sink = data.draw(st.permutations(range(size)))[:2]
    total = 0
    for index, capacity in enumerate(capacities):
        network.grow(index, int(capacity))
        if data.draw(st.booleans()):
            limit = data.draw(st.integers(0, 9))
            sent = network.push(source, sink, limit)
            total += sent
            assert sent <= limit
            assert sent == limit or sink not in network.reachable(source)
    total += network.push(source, sink)
    assert total == maximum_flow(size, source, sink, arcs, capacities).value
    net = [0] * size
    net[source] -= total
    net[sink] += total
    assert_flow(network, size, arcs, net)
    assert [network.capacity(arc) for arc in range(len(arcs))] == capacities
    # What is not used can be taken away again.
    for arc in range(len(arcs)):
        network.grow(arc, network.flow(arc) - network.capacity(arc))
    assert network.push(source, sink) == 0
    assert network.push(sink, source) == total
    for _ in range(2):
        network.clear()
        assert network.flows() == [0] * len(arcs)
        assert network.push(source, sink) == total


@given(digraphs(min_size=3, max_size=8, max_arcs=24, number=one_digit), st.data())
def test_pushes_between_several_pairs_share_the_capacities(
    graph: Weighted, data: st.DataObject
) -> None:
    size, arcs, capacities = graph
    network = FlowNetwork(size, arcs, [int(capacity) for capacity in capacities])
    net = [0] * size
    for _ in range(4):
        source, sink = data.draw(st.permutations(range(size)))[:2]
        sent = network.push(source, sink, data.draw(st.none() | st.integers(0, 4)))
        net[source] -= sent
        net[sink] += sent
        assert_flow(network, size, arcs, net)


# Proposals --------------------------------------------------------------------------------------


class Lies:
    """A library that proposes what the test says."""

    def __init__(self, amounts: list[float]) -> None:
        self.flow = amounts

    def Graph(self, *_: object, **__: object) -> Lies:  # noqa: N802
        return self

    def maxflow(self, *_: object, **__: object) -> Lies:
        return self


PATHS_OF_FOUR: Instance = (4, 0, 3, [(0, 1), (1, 3), (0, 2), (2, 3), (3, 0)], [3, 2, 4, 5, 1])


@pytest.mark.parametrize(
    ("proposed", "flow"),
    [
        ([2.0, 2.0, 4.0, 4.0, 0.0], (2, 2, 4, 4, 0)),
        ([3.0, 3.0, 4.0, 4.0, 1.0], None),  # more than fits
        ([2.0, 2.0, 4.0, 3.0, 0.0], None),  # something stays in node 2
        ([2.0, 2.0, 3.5, 3.5, 0.0], None),  # not whole
        ([0.0, 0.0, 0.0, 0.0, -1.0], None),
        ([0.0, 0.0, 0.0, 0.0, 1.0], None),  # backwards
        ([float("nan")] * 5, None),
        ([2.0], None),
        ([1.0, 1.0, 4.0, 4.0, 0.0], (2, 2, 4, 4, 0)),  # a flow, and no largest one
        ([2.0, 2.0, 4.0, 4.0, 1.0], None),  # a largest one would be six; this is five
    ],
)
def test_whatever_is_proposed_the_flow_is_a_largest_one(
    proposed: list[float], flow: tuple[int, ...] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    best = proved(PATHS_OF_FOUR)
    monkeypatch.setitem(sys.modules, "igraph", Lies(proposed))
    again = maximum_flow(*PATHS_OF_FOUR, proposed_by="igraph")
    assert check(again).value == again.value == best.value == 6
    assert again.cut == best.cut
    if flow is not None:
        assert again.flow == flow


def test_what_is_proposed_is_where_the_search_begins() -> None:
    size, source, sink, arcs, capacities = PATHS_OF_FOUR
    network = FlowNetwork(size, arcs, [int(capacity) for capacity in capacities])
    nothing = {
        "node 2 sends more than it has": [2, 2, 3, 4, 0],
        "more than fits": [3, 3, 4, 4, 1],
        "less than nothing": [0, 0, 0, 0, -1],
        "backwards": [0, 0, 0, 0, 1],
        "too few": [2, 2],
    }
    for amounts in nothing.values():
        assert network.adopt(amounts, source, sink) == 0
        assert network.flows() == [0] * 5
    assert network.adopt([2, 2, 3, 3, 1], source, sink) == 4
    assert network.flows() == [2, 2, 3, 3, 1]
    assert network.push(source, sink) == 2


@given(instances(max_size=9, max_arcs=30))
def test_igraph_proposes_and_the_answer_is_the_same(instance: Instance) -> None:
    pytest.importorskip("igraph")
    best, again = maximum_flow(*instance), maximum_flow(*instance, proposed_by="igraph")
    assert check(again).value == again.value == best.value
    assert again.cut == best.cut


def test_floats_do_not_hold_the_numbers() -> None:
    pytest.importorskip("igraph")
    arcs, long = [(0, 1), (1, 2)], 2**53 + 1
    assert maximum_flow(3, 0, 2, arcs, [long, 10**400], proposed_by="igraph").value == long


def test_without_igraph(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "igraph", None)
    with pytest.raises(InvalidInput, match=r"'no igraph': type pip install 'exactsched\[flow\]'"):
        maximum_flow(2, 0, 1, [(0, 1)], [1], proposed_by="igraph")
    with pytest.raises(InvalidInput, match="proposed_by: 'somebody': write"):
        maximum_flow(2, 0, 1, [(0, 1)], [1], proposed_by="somebody")  # type: ignore[arg-type]


@pytest.mark.parametrize("against", [False, True])
def test_a_search_looks_back_where_few_are_missing(against: bool) -> None:
    """A hub, its many neighbors, and a path behind the last of them: all but the last node."""
    around, behind = range(1, 40), range(39, 45)
    arcs = [(0, node) for node in around] + list(pairwise(behind)) + [(45, 0)]
    arcs = [(head, tail) for tail, head in arcs] if against else arcs
    network = FlowNetwork(46, arcs, [1] * len(arcs))
    assert (network.reaching(0) if against else network.reachable(0)) == set(range(45))


def test_two_long_paths_need_few_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Single arcs between the paths: each length of augmenting path occurs once."""
    searches: list[int] = []
    known = FlowNetwork._raise_bounds

    def counted(self: FlowNetwork, bound: list[int], excess: list[int], sink: int) -> list[int]:
        searches.append(sink)
        return known(self, bound, excess, sink)

    monkeypatch.setattr(FlowNetwork, "_raise_bounds", counted)
    top, bottom = range(101), range(101, 202)
    arcs = [*pairwise(top), *pairwise(bottom)]
    capacities = [10**6] * len(arcs)
    arcs += [(index, bottom[100 - index]) for index in top]
    assert maximum_flow(202, 0, 201, arcs, capacities + [1] * 101).value == 101
    assert len(searches) <= 4  # 7 where relabelings of any kind ask for a search


# Larger ones, proved optimal by their cuts --------------------------------------------------------


def random_graph(size: int, count: int, largest: int) -> Instance:
    dice = random.Random(size)
    arcs = [(dice.randrange(size), dice.randrange(size)) for _ in range(count)]
    return size, 0, size - 1, arcs, [dice.randint(1, largest) for _ in arcs]


def ladder(size: int) -> Instance:
    """Steps of one and two, and steps back: the longest augmenting paths have size - 1 arcs."""
    dice = random.Random(size)
    arcs = [(k, k + step) for k in range(size) for step in (1, 2) if k + step < size]
    arcs += [(k + 1, k) for k in range(size - 1)]
    return size, 0, size - 1, arcs, [dice.randint(500, 1000) for _ in arcs]


def grid(side: int) -> Instance:
    """Both ways between neighbors, from the left border to the right one."""
    dice = random.Random(side)
    arcs = []
    for row in range(side):
        for column in range(side):
            node = row * side + column
            if column + 1 < side:
                arcs += [(node, node + 1), (node + 1, node)]
            if row + 1 < side:
                arcs += [(node, node + side), (node + side, node)]
    capacities = [dice.randint(1, 100) for _ in arcs]
    for row in range(side):
        arcs += [(side * side, row * side), (row * side + side - 1, side * side + 1)]
        capacities += [200, 200]
    return side * side + 2, side * side, side * side + 1, arcs, capacities


def bipartite(side: int, degree: int) -> Instance:
    """A largest matching as a flow of ones."""
    dice = random.Random(side)
    arcs = [(k, side + dice.randrange(side)) for k in range(side) for _ in range(degree)]
    arcs += [(2 * side, k) for k in range(side)] + [(side + k, 2 * side + 1) for k in range(side)]
    return 2 * side + 2, 2 * side, 2 * side + 1, arcs, [1] * len(arcs)


@pytest.mark.parametrize(
    "build",
    [
        lambda: random_graph(300, 1500, 10**6),
        lambda: random_graph(60, 2000, 10**40),
        lambda: ladder(1500),
        lambda: grid(15),
        lambda: bipartite(150, 2),
    ],
    ids=["sparse", "dense, long numbers", "ladder", "grid", "matching"],
)
def test_large_flows_are_proved(build: Callable[[], Instance]) -> None:
    assert proved(build()).value > 0


def test_the_trap_of_arbitrary_augmenting_paths() -> None:
    # Ford and Fulkerson's own labeling may alternate over the middle arc 2 * 10^40 times.
    long = 10**40
    arcs = [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]
    best = proved((4, 0, 3, arcs, [long, long, 1, long, long]))
    assert best.value == 2 * long


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 0, 1, [], []), "size: 0: the number of nodes is a positive integer"),
        ((2, 0, 0, [], []), "sink: 0: source and sink are different nodes"),
        ((2, 2, 0, [], []), "source: 2: a node is an integer from 0 to 1"),
        ((2, 0, -1, [], []), "sink: -1: a node is an integer from 0 to 1"),
        ((2, 0, 1, [(0, 2)], [1]), r"arc 0: \(0, 2\)"),
        ((2, 0, 1, [(0, 1)], []), "capacity of arc"),
        ((2, 0, 1, [(0, 1), (0, 1)], [1, 0.5]), "capacity of arc 1: 0.5: a float is not exact"),
        ((2, 0, 1, [(0, 1)], [True]), "capacity of arc 0: True"),
        ((2, 0, 1, [(0, 1)], ["-1/2"]), r"capacity of arc 0: -1/2: 0 or more"),
    ],
)
def test_what_is_no_problem_is_refused(arguments: Instance, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        maximum_flow(*arguments)
