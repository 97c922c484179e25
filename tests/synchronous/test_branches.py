"""What ports have to do for the branches of a node: solver, checker, page and optima agree."""

from __future__ import annotations

from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched.check.synchronous.branches import time_at_ports
from exactsched.oracles.synchronous import Arcs, fewest_steps, two_ways
from exactsched.synchronous.branches import by_ports
from exactsched.synchronous.graph import SynchronousGraph

PORTS = st.sampled_from(["half-duplex", "one-port"])


@st.composite
def joined(draw: st.DrawFn, most: int) -> tuple[int, Arcs]:
    """A tree, mostly, with some further links, arcs of some steps, and a few in one direction."""
    size = draw(st.integers(2, most))
    node = st.integers(0, size - 1)
    links = [(draw(st.integers(0, later - 1)), later) for later in range(1, size)]
    links += draw(st.lists(st.tuples(node, node), max_size=draw(st.sampled_from([0, 1, 6]))))
    steps = st.integers(1, draw(st.sampled_from([1, 3])))
    arcs = [(tail, head, draw(steps)) for tail, head in links if tail != head]
    one_way = draw(st.sampled_from([0, 0, 4]))
    back = [
        (head, tail, draw(steps)) for tail, head, _ in arcs if draw(st.integers(0, 9)) >= one_way
    ]
    return size, tuple(draw(st.permutations(arcs + back)))


def sources_of(size: int, arcs: Arcs) -> list[int]:
    """The nodes from which all are reached: node 0 by construction."""
    whole = nx.DiGraph([arc[:2] for arc in arcs])
    return [node for node in range(size) if len(nx.descendants(whole, node)) == size - 1]


def by_definition(size: int, arcs: Arcs, own: list[int], ports: str) -> int:
    """The bound of the page, word for word: branches by searches without a node, no passes."""
    whole = nx.Graph()
    whole.add_nodes_from(range(size))
    whole.add_edges_from(arc[:2] for arc in arcs)
    parts = [frozenset(part) for part in nx.biconnected_components(whole)]

    def behind(node: int, part: frozenset[int]) -> set[int]:
        rest = whole.subgraph(set(whole) - {node})
        return set().union(*(nx.node_connected_component(rest, w) for w in part - {node}))

    def least(steps: list[int]) -> int:
        return min(steps, default=0)

    def into(node: int, part: frozenset[int]) -> int:
        return least([d for tail, head, d in arcs if tail == node and head in behind(node, part)])

    def back(node: int, part: frozenset[int]) -> int:
        return least([d for tail, head, d in arcs if head == node and tail in behind(node, part)])

    def spread(node: int, part: frozenset[int]) -> int:
        inside = nx.DiGraph()
        inside.add_nodes_from(part)
        for tail, head, steps in sorted(arcs, key=lambda arc: -arc[2]):
            if {tail, head} <= part:
                inside.add_edge(tail, head, weight=steps)
        far = nx.single_source_dijkstra_path_length(inside, node)
        return max(far.get(w, 0) + onward(w, part) for w in part - {node})

    def onward(node: int, part: frozenset[int]) -> int:
        others = [one for one in parts if node in one and one != part]
        return time([(spread(node, one) - into(node, one), into(node, one)) for one in others])

    def time(jobs: list[tuple[int, int]]) -> int:
        jobs = sorted((job for job in jobs if job[1]), reverse=True)
        return max(
            (sum(w for _, w in jobs[: j + 1]) + jobs[j][0] for j in range(len(jobs))), default=0
        )

    directed = nx.DiGraph()
    directed.add_nodes_from(range(size))
    for tail, head, steps in sorted(arcs, key=lambda arc: -arc[2]):
        directed.add_edge(tail, head, weight=steps)
    first = nx.multi_source_dijkstra_path_length(directed, {v for v in range(size) if own[v]})
    bound = 0
    for node in range(size):
        before = least([first[tail] for tail, head, _ in arcs if head == node])
        sends, receipts = [], []
        for part in parts:
            if node in part:
                there = sum(own[w] for w in behind(node, part))
                outside = (sum(own) - there) * into(node, part)
                sends += [(spread(node, part) - into(node, part), outside)]
                receipts += [(onward(node, part), there * back(node, part))]
        if ports == "half-duplex":
            bound = max(bound, time(sends + receipts) + (0 if own[node] else before))
        else:
            lacks = own[node] < sum(own)
            bound = max(bound, time(sends) + first[node], lacks * (time(receipts) + before))
    return bound


@given(joined(most=9), PORTS, st.data())
@settings(max_examples=50)
def test_solver_checker_and_definition_agree(
    drawn: tuple[int, Arcs], ports: str, data: st.DataObject
) -> None:
    size, arcs = drawn
    sources = data.draw(st.sets(st.sampled_from(sources_of(size, arcs)), min_size=1))
    packets = data.draw(st.integers(1, 4))
    own = [packets * (node in sources) for node in range(size)]
    graph = SynchronousGraph(size, arcs, tuple(sources), ())
    expected = by_definition(size, arcs, own, ports)
    assert by_ports(graph, own, ports) == time_at_ports(size, arcs, own, ports) == expected


@given(joined(most=6), PORTS, st.data())
@settings(max_examples=100)
def test_no_run_is_faster(drawn: tuple[int, Arcs], ports: str, data: st.DataObject) -> None:
    size, arcs = drawn
    sources = data.draw(st.sets(st.sampled_from(sources_of(size, arcs)), min_size=1))
    packets = data.draw(st.integers(1, 3))
    if packets * len(sources) * (size - 1) > 10:
        return
    own = [packets * (node in sources) for node in range(size)]
    bound = time_at_ports(size, arcs, own, ports)
    origins = tuple((node, packets) for node in sorted(sources))
    # The search is given the bound as its limit: with one step less it finds nothing.
    assert fewest_steps(size, arcs, ports, origins, limit=bound - 1) is None


@given(st.integers(2, 7), st.randoms(use_true_random=False), PORTS, st.integers(1, 3))
@settings(max_examples=35)
def test_one_packet_on_a_tree(size: int, dice, ports: str, longest: int) -> None:
    """The optimum, also with arcs of several steps that are as fast in both directions."""
    links = [(dice.randrange(node), node, dice.randint(1, longest)) for node in range(1, size)]
    arcs = tuple(arc for u, v, d in links for arc in ((u, v, d), (v, u, d)))
    origins = ((dice.randrange(size), 1),)
    own = [int(node == origins[0][0]) for node in range(size)]
    assert time_at_ports(size, arcs, own, ports) == fewest_steps(size, arcs, ports, origins)


def hub(leaves: int) -> Arcs:
    return two_ways(*((0, leaf) for leaf in range(1, leaves + 1)))


@pytest.mark.parametrize(
    ("size", "arcs", "own", "ports", "bound"),
    [
        # The hub sends 4 packets to 3 leaves each, after the first one has arrived.
        (5, hub(4), [0, 1, 1, 1, 1], "one-port", 13),
        # 32 packets to 7 leaves each.
        (9, hub(8), [0] + [4] * 8, "one-port", 225),
        # 2 packets of its own to 3 leaves, and 6 packets to 2.
        (4, hub(3), [2] * 4, "one-port", 18),
        (4, hub(3), [2] * 4, "half-duplex", 24),
        # The node in the middle sends its own packet twice, and two others once.
        (3, two_ways((0, 1), (1, 2)), [1, 1, 1], "one-port", 4),
        # Behind node 1 a path of three nodes, to which the last packet still has to go.
        (5, two_ways((0, 1), (1, 2), (2, 3), (3, 4)), [5, 0, 0, 0, 0], "one-port", 8),
        # The hub receives 3 packets in 2 steps each, and sends them to 2 leaves in 3 steps each.
        (4, ((1, 0, 2), (0, 2, 3), (0, 3, 3)), [0, 3, 0, 0], "half-duplex", 24),
        (4, ((1, 0, 2), (0, 2, 3), (0, 3, 3)), [0, 3, 0, 0], "one-port", 20),
    ],
)
def test_values_by_hand(size: int, arcs: Arcs, own: list[int], ports: str, bound: int) -> None:
    assert time_at_ports(size, arcs, own, ports) == bound
    sources = tuple(node for node in range(size) if own[node])
    assert by_ports(SynchronousGraph(size, arcs, sources, ()), own, ports) == bound


@pytest.mark.parametrize(("length", "bound"), [(45, 41), (46, 32)])
def test_distances_inside_large_parts_are_not_searched(length: int, bound: int) -> None:
    """Two rings share a node that sends 10 packets into both; the last one still goes around.

    Rings of 45 nodes have 45 * 90 pairs, at most 2^12.  In longer ones the last packet counts as
    everywhere; still a node at the other end receives 10 packets, the first of them after 23 steps.
    """
    size = 2 * length - 1
    one = [*range(length), 0]
    other = [0, *range(length, size), 0]
    arcs = two_ways(*pairwise(one), *pairwise(other))
    own = [10] + [0] * (size - 1)
    assert time_at_ports(size, arcs, own, "one-port") == bound
    assert by_ports(SynchronousGraph(size, arcs, (0,), ()), own, "one-port") == bound


def test_large_trees_are_quick() -> None:
    """A star, a path and a comb of 5,000 nodes, all with packets: one pass over the parts."""
    size = 5_000
    half = size // 2
    comb = [(node, node + 1) for node in range(half - 1)] + [(n, n + half) for n in range(half)]
    for links, expected in (
        ([(0, node) for node in range(1, size)], (size - 1) ** 2),
        ([(node, node + 1) for node in range(size - 1)], None),
        (comb, None),
    ):
        arcs, own = two_ways(*links), [1] * size
        graph = SynchronousGraph(size, arcs, tuple(range(size)), ())
        found = by_ports(graph, own, "one-port")
        assert found == time_at_ports(size, arcs, own, "one-port")
        assert expected in (None, found)
