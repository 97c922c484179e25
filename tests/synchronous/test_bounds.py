"""No bound on runs in steps exceeds an optimum found by search; those of the tables are known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import ceil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched.certificate import parse
from exactsched.certificate.collectives import Series
from exactsched.certificate.synchronous import OccupancyProof, SynchronousRun
from exactsched.check import check
from exactsched.check.synchronous import bounds as checked
from exactsched.check.synchronous.bounds import least_steps
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.model.platform import Platform, both_ways
from exactsched.model.problem import Ports
from exactsched.oracles.synchronous import Arcs, fewest_steps
from exactsched.platforms.built_in import built_in, complete, grid, ring, star
from exactsched.steady_state.broadcast import broadcast
from exactsched.synchronous import bounds
from exactsched.synchronous.bounds import RoundsBound, occupancy_proof, rounds_bound
from exactsched.synchronous.graph import SynchronousGraph, synchronous_graph
from tests.check.test_rounds import graphs, runs

BOTH = pytest.mark.parametrize("ports", ["half-duplex", "one-port"])


def stated(graph: SynchronousGraph, packets: int, ports: str) -> SynchronousRun:
    origins, names = graph.origins(packets), graph.names
    return SynchronousRun(graph.size, graph.arcs, ports, origins, (), 0, 0, (), False, names)


def optimum(graph: SynchronousGraph, packets: int, ports: str = "half-duplex") -> int:
    steps = fewest_steps(graph.size, graph.arcs, ports, graph.origins(packets))
    assert steps is not None
    return steps


# Steps for 1, 2, ... packets that no run beats, from another search (constraint programming).
OPTIMA = {
    "grid:2x2": [2, 4, 5, 7, 8, 10],
    "grid:2x3": [3, 5, 6, 8, 10, 11],
    "grid:3x3": [4, 6, 8, 10, 12, 14],
    "complete:4": [2, 4, 5, 7, 8, 10],
    "ring:5": [3, 5, 7, 9, 11, 13],
}


@pytest.mark.parametrize("name", OPTIMA)
def test_optima_of_small_graphs(name: str) -> None:
    """Here the bounds are optima, which is also found by our own search where that is quick."""
    graph = synchronous_graph(built_in(name), 0)
    assert [rounds_bound(graph, n).steps for n in range(1, 7)] == OPTIMA[name]
    quick = {"grid:2x2": 5, "complete:4": 4, "ring:5": 3, "grid:2x3": 3, "grid:3x3": 1}[name]
    assert [optimum(graph, n) for n in range(1, quick + 1)] == OPTIMA[name][:quick]


def test_a_bound_that_is_not_reached() -> None:
    graph = synchronous_graph(ring(7), 0)
    assert rounds_bound(graph, 2).steps == 5
    assert optimum(graph, 2) == 6


# Steps for 100, 500 and 2500 packets from a corner.
COUNTED = {
    "grid:4x4": (191, 941, 4691),
    "grid:2x2x4": (190, 940, 4690),
    "grid:4x16": (206, 994, 4931),
    "grid:8x8": (204, 992, 4929),
    "grid:4x4x4": (202, 990, 4927),
    "grid:6x32": (220, 1013, 4993),
    "grid:12x16": (213, 1009, 4988),
    "grid:8x64": (253, 1036, 5026),
    "grid:16x32": (226, 1022, 5014),
    "grid:4x8x16": (213, 1012, 5004),
    "grid:8x8x8": (211, 1010, 5002),
    "grid:16x64": (258, 1040, 5035),
    "grid:4x6x8": (208, 1003, 4983),
    "grid:32x32": (241, 1031, 5027),
    "grid:8x8x16": (216, 1015, 5011),
}


@pytest.mark.parametrize("name", COUNTED)
def test_bounds_for_the_grids_of_the_tables(name: str) -> None:
    graph = synchronous_graph(built_in(name), 0)
    found = [rounds_bound(graph, packets) for packets in (100, 500, 2500)]
    assert found == [RoundsBound(steps, "counting") for steps in COUNTED[name]]
    checked = [least_steps(stated(graph, packets, "half-duplex")) for packets in (100, 500, 2500)]
    assert tuple(checked) == COUNTED[name]


@BOTH
def test_slow_arcs(ports: str) -> None:
    """A transfer that is under way ends later, when more nodes are informed."""
    links = [(arc.tail, arc.head, 2 + index % 3) for index, arc in enumerate(grid(5, 5).arcs)]
    graph = synchronous_graph(Platform(range(25), links), 0)
    found = [rounds_bound(graph, packets, ports).steps for packets in range(1, 30)]
    assert found == [least_steps(stated(graph, packets, ports)) for packets in range(1, 30)]
    assert all(
        steps <= rounds_bound(synchronous_graph(grid(5, 5), 0), packets, ports).steps * 4
        for packets, steps in enumerate(found, 1)
    )


@given(runs(most=4, packets=2))
@settings(max_examples=35)
def test_no_bound_exceeds_an_optimum(run: SynchronousRun) -> None:
    """Several origins, arcs of several steps, in one direction: as the search finds."""
    if sum(number for _, number in run.origins) > 4:
        return
    fewest = fewest_steps(run.size, run.arcs, run.ports, run.origins)
    assert fewest is not None
    assert run.bound <= fewest <= run.steps


@BOTH
@given(graphs(most=5), st.data())
@settings(max_examples=25)
def test_no_bound_on_broadcasts_exceeds_an_optimum(
    ports: str, drawn: tuple[int, Arcs], data: st.DataObject
) -> None:
    size, arcs = drawn
    if any(duration > 1 for _, _, duration in arcs):
        arcs = tuple((tail, head, 1) for tail, head, _ in arcs)
    graph = SynchronousGraph(size, arcs, (data.draw(st.integers(0, size - 1)),), ())
    packets = data.draw(st.integers(1, 3))
    best = optimum(graph, packets, ports)
    assert rounds_bound(graph, packets, ports).steps <= best


@BOTH
@given(graphs(most=12), st.integers(1, 50), st.data())
def test_solver_and_checker_bound_alike(
    ports: str, drawn: tuple[int, Arcs], packets: int, data: st.DataObject
) -> None:
    size, arcs = drawn
    sources = data.draw(st.sets(st.integers(0, size - 1), min_size=1))
    graph = SynchronousGraph(size, arcs, tuple(sources), ())
    assert rounds_bound(graph, packets, ports).steps == least_steps(stated(graph, packets, ports))


def informed_sets(arcs: Arcs, sources: frozenset[int]) -> Iterator[set[frozenset[int]]]:
    """After 0, 1, ... steps all sets of nodes that can have a packet, with unit durations.

    Ports do not exclude here that a node sends and receives, which only adds to the sets.
    """
    now = {sources}
    while True:
        yield now
        later = set()
        for informed in now:
            senders = sorted(informed)
            heads = [[None, *(h for t, h, _ in arcs if t == sender)] for sender in senders]
            for chosen in product(*heads):
                later.add(informed | {head for head in chosen if head is not None})
        now = later


@given(graphs(most=6), st.data())
@settings(max_examples=35)
def test_no_more_nodes_are_informed_than_counted(
    drawn: tuple[int, Arcs], data: st.DataObject
) -> None:
    size, arcs = drawn
    arcs = tuple((tail, head, 1) for tail, head, _ in arcs)
    sources = data.draw(st.sets(st.integers(0, size - 1), min_size=1, max_size=2))
    graph = SynchronousGraph(size, arcs, tuple(sources), ())
    sides = bounds._sides(graph) or [0] * size
    distances = [min(walks) for walks in bounds._walks(graph, graph.sources)]
    gains = bounds._gains(graph, graph.sources)
    last = max(rounds for _, _, rounds in gains)
    for now, sets in zip(range(last + 1), informed_sets(arcs, frozenset(sources)), strict=False):
        for level in zip(distances, sides, strict=True):
            cap = sum(
                number
                for (*of, rounds), number in gains.items()
                if (*of,) == level and rounds <= now
            )
            members = {node for node in range(size) if (distances[node], sides[node]) == level}
            assert max(len(members & informed) for informed in sets) <= cap
    assert sum(gains.values()) == size


def test_a_walk_that_is_no_path_counts() -> None:
    """With chains of length k only, at distance k, K4 would need 6 steps for 3 packets."""
    graph = synchronous_graph(complete(4), 0)
    assert optimum(graph, 3) == rounds_bound(graph, 3).steps == 5


@pytest.mark.parametrize("name", ["grid:2x3", "ring:5", "complete:4", "star:4"])
@BOTH
def test_occupancy_of_a_steady_broadcast(name: str, ports: Ports) -> None:
    platform = built_in(name)
    steady = broadcast(platform, 0, ports=ports)
    certificate = parse(steady.certificate())
    assert isinstance(certificate, Series)
    proof = occupancy_proof(certificate)
    graph = synchronous_graph(platform, 0)
    for packets in (1, 10, 99):
        found = rounds_bound(graph, packets, ports, (proof,))
        occupied = ceil(packets / steady.throughput)
        assert found.steps == max(occupied, rounds_bound(graph, packets, ports).steps)
        assert (found.rule == "occupancy") == (
            found.steps > rounds_bound(graph, packets, ports).steps
        )


def spider(packets: int) -> SynchronousRun:
    """Two legs and the source: all packets pass one node three times, and then the end of a leg."""
    arcs = both_ways([(0, 1, 1), (1, 2, 1), (2, 3, 1), (1, 4, 1), (4, 5, 1)])
    graph = synchronous_graph(Platform(range(6), arcs), 0)
    rows: list[tuple[tuple[int, int], ...]] = []
    first, left, further, right, last = 0, 2, 4, 6, 8
    for packet in range(packets):
        before = ((last, packet - 1),) if packet else ()
        rows += [
            ((first, packet), *before),
            ((left, packet),),
            ((right, packet), (further, packet)),
        ]
    rows.append(((last, packets - 1),))
    prices = tuple(Fraction(int(node == 1)) for node in range(6))
    cuts = (((1,), Fraction(1)), ((2, 3), Fraction(1)), ((4, 5), Fraction(1)))
    proof = OccupancyProof(prices, (), cuts)
    bound = rounds_bound(graph, packets, occupancy=(proof,))
    assert bound == RoundsBound(3 * packets + 1, "ports")
    origins, count = graph.origins(packets), len(rows)
    return SynchronousRun(
        6, graph.arcs, "half-duplex", origins, tuple(rows), count, bound.steps, (proof,), True, ()
    )


def test_occupancy_in_a_certificate() -> None:
    claim = check(spider(20))
    assert (claim.steps, claim.bound, claim.optimal) == (61, 61, True)


@given(st.lists(st.integers(1, 30), min_size=2, max_size=8, unique=True), st.data())
def test_more_packets_take_no_fewer_steps(numbers: list[int], data: st.DataObject) -> None:
    size, arcs = data.draw(graphs(most=8))
    graph = SynchronousGraph(size, arcs, (0,), ())
    for ports in ("half-duplex", "one-port"):
        found = [rounds_bound(graph, packets, ports).steps for packets in sorted(numbers)]
        assert found == sorted(found)
        half = rounds_bound(graph, numbers[0], "half-duplex").steps
        assert half >= rounds_bound(graph, numbers[0], "one-port").steps


@given(graphs(most=8), st.integers(1, 4), st.data())
def test_the_two_bounds_by_walks_are_the_same_twice(
    graph: tuple[int, Arcs], packets: int, data: st.DataObject
) -> None:
    """Each of the checker's is the solver's, from one node and from several."""
    size, arcs = graph
    sources = data.draw(st.sets(st.integers(0, size - 1), min_size=1).map(sorted))
    asked = SynchronousGraph(size, arcs, tuple(sources), ())
    seen = checked._Graph(stated(asked, packets, "one-port"))
    informed = checked._informed(seen, seen.origins)
    own = [packets * (node in sources) for node in range(size)]
    assert checked._by_distances(seen, informed) == bounds._by_distances(asked, packets)
    assert checked._by_counting(seen, informed) == bounds._by_counting(asked, own, "one-port")


def test_rules() -> None:
    assert rounds_bound(synchronous_graph(complete(4), 0), 1) == RoundsBound(2, "distances")
    # A path: every node but the last receives and sends, so the last packet is two steps later.
    assert rounds_bound(synchronous_graph(grid(500), 0), 100) == RoundsBound(697, "ports")
    assert rounds_bound(synchronous_graph(grid(8, 8), 0), 100).rule == "counting"
    # The hub has the first packet after a step, and sends each of them three times.
    hub = synchronous_graph(star(4), 1)
    assert rounds_bound(hub, 100, "one-port") == RoundsBound(301, "ports")
    # In long graphs only even distances are counted from: here those from 598 and 599 matter.
    for size in (600, 601):
        path = synchronous_graph(grid(size), 0)
        assert bounds._by_counting(path, [2] + [0] * (size - 1), "half-duplex") == 601
        graph = checked._Graph(stated(path, 2, "half-duplex"))
        assert checked._by_counting(graph, checked._informed(graph, graph.origins)) == 601
        assert rounds_bound(path, 2).steps == size + 1
    everybody = synchronous_graph(ring(5), *range(5))
    assert rounds_bound(everybody, 3, "one-port") == RoundsBound(12, "ports")
    assert rounds_bound(synchronous_graph(Platform([7], []), 7), 5) == RoundsBound(0, "ports")


def test_refusals() -> None:
    graph = synchronous_graph(ring(4), 0)
    with pytest.raises(InvalidInput, match="positive whole number of packets"):
        rounds_bound(graph, 0)
    with pytest.raises(InvalidInput, match="one of half-duplex, one-port"):
        rounds_bound(graph, 1, "link")
    with pytest.raises(InvalidInput, match="some price is positive"):
        rounds_bound(graph, 1, occupancy=(OccupancyProof((0,) * 4, (), ()),))
    with pytest.raises(InvalidInput, match="at least one node"):
        synchronous_graph(ring(4))
    with pytest.raises(InvalidInput, match="not a node"):
        synchronous_graph(ring(4), 4)
    with pytest.raises(InvalidInput, match="twice"):
        synchronous_graph(ring(4), 1, 1)
    with pytest.raises(InvalidInput, match="whole number of steps"):
        synchronous_graph(Platform("ab", [("a", "b", "3/2")]), "a")
    with pytest.raises(InvalidInput, match="can be reached"):
        synchronous_graph(Platform("abc", [("a", "b", 1), ("c", "b", 1)]), "a")
    linked = parse(broadcast(ring(4), 0, ports="link").certificate())
    assert isinstance(linked, Series)
    with pytest.raises(InvalidInput, match="ports are one of"):
        occupancy_proof(linked)
    wrong = OccupancyProof((1, 0, 0, 0, 0, 0), (), (((3,), 1),))
    with pytest.raises(Rejected, match="pay for the cuts"):
        check(replace(spider(3), occupancy=(wrong,)))
