"""Maximum flows and root cuts.

Ours reads and checks the input, builds its network and returns flow and cut; networkx is given
its graph and returns the flow.  Its default is preflow-push; the best of its five algorithms is
another one for every family.  igraph is given the lists that ours is given, and builds its graph;
beyond 2^53 it is not asked.  *Proposed* is ours with `proposed_by="igraph"`: its flow, verified in
integers, and the same cut; *igraph to faster* is the ratio of igraph to the faster of both.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from importlib.util import find_spec
from itertools import pairwise

import networkx as nx
import pytest
from conftest import TIMER, best_of
from networkx.algorithms.flow import (
    boykov_kolmogorov,
    dinitz,
    edmonds_karp,
    preflow_push,
    shortest_augmenting_path,
)

from exactsched.graphs.flow import FlowNetwork, maximum_flow
from exactsched.graphs.root_cut import minimum_root_cut

pytestmark = pytest.mark.benchmark(timer=TIMER)

Arcs = list[tuple[int, int]]
Flow = tuple[int, int, int, Arcs, list[int]]
Rooted = tuple[int, int, Arcs, list[int]]


# Graphs -----------------------------------------------------------------------------------------


def random_arcs(size: int, count: int) -> Arcs:
    dice = random.Random(size)
    return [(dice.randrange(size), dice.randrange(size)) for _ in range(count)]


def regular_arcs(size: int, degree: int, first: int = 0) -> Arcs:
    """Random directed cycles through all nodes."""
    dice = random.Random(first + degree)
    arcs: Arcs = []
    for _ in range(degree):
        order = dice.sample(range(first, first + size), size)
        arcs += zip(order, order[1:] + order[:1], strict=True)
    return arcs


def grid_arcs(rows: int, columns: int) -> Arcs:
    """Both ways between neighbors."""
    nodes = range(rows * columns)
    right = [(node, node + 1) for node in nodes if (node + 1) % columns]
    pairs = right + [(node, node + columns) for node in nodes if node + columns in nodes]
    return [arc for one, other in pairs for arc in ((one, other), (other, one))]


def ladder_arcs(size: int) -> Arcs:
    """Steps of one and two, and steps back."""
    arcs = [(k, k + step) for k in range(size) for step in (1, 2) if k + step < size]
    return arcs + [(k + 1, k) for k in range(size - 1)]


def capacities(arcs: Arcs, least: int, largest: int) -> list[int]:
    dice = random.Random(1)
    return [dice.randint(least, largest) for _ in arcs]


def between(size: int, arcs: Arcs, least: int, largest: int) -> Flow:
    """From the first node to the last."""
    return size, 0, size - 1, arcs, capacities(arcs, least, largest)


def across(rows: int, columns: int) -> Flow:
    """Through a grid, from the left border to the right one."""
    arcs, size = grid_arcs(rows, columns), rows * columns
    amounts = capacities(arcs, 1, 100)
    borders = [(size, row * columns) for row in range(rows)]
    borders += [(row * columns + columns - 1, size + 1) for row in range(rows)]
    return size + 2, size, size + 1, arcs + borders, amounts + [200] * len(borders)


def matching(side: int, degree: int) -> Flow:
    """A largest matching of a random bipartite graph, all capacities one."""
    dice = random.Random(side)
    arcs = [(k, side + dice.randrange(side)) for k in range(side) for _ in range(degree)]
    arcs += [(2 * side, k) for k in range(side)] + [(side + k, 2 * side + 1) for k in range(side)]
    return 2 * side + 2, 2 * side, 2 * side + 1, arcs, [1] * len(arcs)


def levels(width: int, length: int) -> Flow:
    """Washington's random level graphs: three arcs from every node to the next level."""
    dice, size = random.Random(1), width * length
    arcs = [(k, k - k % width + width + dice.randrange(width)) for k in range(size - width)] * 3
    arcs = [(tail, head - head % width + dice.randrange(width)) for tail, head in arcs]
    amounts = capacities(arcs, 1, 1000)
    borders = [(size, k) for k in range(width)] + [(size - 1 - k, size + 1) for k in range(width)]
    return size + 2, size, size + 1, arcs + borders, amounts + [3000] * len(borders)


def phases(length: int) -> Flow:
    """Two paths and single units between them: each length of augmenting path occurs once."""
    top, bottom = range(length + 1), range(length + 1, 2 * length + 2)
    arcs = [*pairwise(top), *pairwise(bottom)]
    amounts = [10**6] * len(arcs)
    for index in top:
        for other in range(length - index, min(length - index + 3, length + 1)):
            arcs.append((index, bottom[other]))
            amounts.append(1)
    return 2 * length + 2, 0, bottom[-1], arcs, amounts


FLOWS: dict[str, Callable[[], Flow]] = {
    "random 1000, 5000": lambda: between(1000, random_arcs(1000, 5000), 1, 10**6),
    "random 1000, 5000, to 10^40": lambda: between(1000, random_arcs(1000, 5000), 1, 10**40),
    "random 5000, 50000": lambda: between(5000, random_arcs(5000, 50000), 1, 100),
    "dense 200, 20000": lambda: between(200, random_arcs(200, 20000), 1, 10**6),
    "grid 30x30": lambda: across(30, 30),
    "grid 10x100": lambda: across(10, 100),
    "ladder 2000": lambda: between(2000, ladder_arcs(2000), 500, 1000),
    "matching 1000, degree 2": lambda: matching(1000, 2),
    "matching 1000, degree 5": lambda: matching(1000, 5),
    "levels 16x32": lambda: levels(16, 32),
    "phases 100": lambda: phases(100),
}


@pytest.mark.parametrize("name", FLOWS)
def test_against_networkx(benchmark, name):
    size, source, sink, arcs, amounts = FLOWS[name]()
    best = benchmark.pedantic(
        maximum_flow, (size, source, sink, arcs, amounts), rounds=10, warmup_rounds=1
    )
    graph = nx.DiGraph()
    graph.add_nodes_from(range(size))
    for (tail, head), amount in zip(arcs, amounts, strict=True):
        known = graph.get_edge_data(tail, head, {"capacity": 0})["capacity"]
        graph.add_edge(tail, head, capacity=known + amount)
    values = set()
    seconds = {}
    others = (boykov_kolmogorov, dinitz, edmonds_karp, shortest_augmenting_path)
    for algorithm, rounds in [(preflow_push, 3), *((other, 1) for other in others)]:

        def solve(algorithm=algorithm):
            values.add(nx.maximum_flow(graph, source, sink, flow_func=algorithm)[0])

        seconds[algorithm.__name__] = best_of(rounds, solve)
    proposed, compiled = None, None
    if max(amounts) <= 2**53 and find_spec("igraph"):
        import igraph

        def with_proposal():
            found = maximum_flow(size, source, sink, arcs, amounts, proposed_by="igraph")
            values.add(found.value)
            assert found.cut == best.cut

        def in_floats():
            given = igraph.Graph(size, arcs, directed=True)
            values.add(given.maxflow(source, sink, capacity=amounts).value)

        compiled, proposed = best_of(10, in_floats), best_of(10, with_proposal)
    assert values == {best.value}
    fastest = min(seconds, key=seconds.__getitem__)
    benchmark.extra_info.update(
        arcs=len(arcs),
        networkx_best=fastest,
        peers={
            "networkx": seconds["preflow_push"],
            "best of networkx": seconds[fastest],
            "igraph": compiled or ("beyond 2^53" if max(amounts) > 2**53 else "not installed"),
        },
        proposed_seconds=proposed and round(proposed, 5),
        igraph_to_faster=compiled
        and proposed
        and round(compiled / min(proposed, benchmark.stats.stats.min), 2),
    )


# Root cuts --------------------------------------------------------------------------------------


def rooted(size: int, arcs: Arcs, least: int, largest: int) -> Rooted:
    return size, 0, arcs, capacities(arcs, least, largest)


def reached(size: int, count: int) -> Arcs:
    """Random, with a path from the first node to every other."""
    dice = random.Random(size)
    tree = [(dice.randrange(node), node) for node in range(1, size)]
    return tree + random_arcs(size, count - len(tree))


def clusters(number: int, size: int) -> Rooted:
    """Regular graphs in a ring, thinly connected: the least cut is none of a single node."""
    dice = random.Random(1)
    arcs = [arc for first in range(number) for arc in regular_arcs(size, 5, first * size)]
    amounts = capacities(arcs, 50, 100)
    for first in range(number):
        for _ in range(3):
            here = first * size + dice.randrange(size)
            there = (first + 1) % number * size + dice.randrange(size)
            arcs += [(here, there), (there, here)]
            amounts += [dice.randint(1, 50), dice.randint(1, 50)]
    return number * size, 0, arcs, amounts


def complete(size: int) -> Arcs:
    return [(tail, head) for tail in range(size) for head in range(size) if tail != head]


ROOT_CUTS: dict[str, Callable[[], Rooted]] = {
    "random 100, 500": lambda: rooted(100, reached(100, 500), 1, 100),
    "random 1000, 5000": lambda: rooted(1000, reached(1000, 5000), 1, 100),
    "random 1000, 5000, to 10^40": lambda: rooted(1000, reached(1000, 5000), 1, 10**40),
    "regular 1000, degree 5, unit": lambda: rooted(1000, regular_arcs(1000, 5), 1, 1),
    "regular 1000, degree 5, close": lambda: rooted(1000, regular_arcs(1000, 5), 1000, 1100),
    "grid 30x30, close": lambda: rooted(900, grid_arcs(30, 30), 1000, 1100),
    "clusters 10x100": lambda: clusters(10, 100),
    "ring 1000": lambda: rooted(
        1000, [(k, (k + step) % 1000) for k in range(1000) for step in (1, -1)], 1, 1
    ),
    "complete 100, close": lambda: rooted(100, complete(100), 1000, 1100),
}


@pytest.mark.parametrize("name", ROOT_CUTS)
def test_root_cut_against_a_flow_for_every_sink(benchmark, name):
    size, root, arcs, amounts = ROOT_CUTS[name]()
    best = benchmark.pedantic(
        minimum_root_cut, (size, root, arcs, amounts), rounds=5, warmup_rounds=1
    )
    found = []

    def one_by_one():
        """Our own flows, in one network, none larger than the least one met."""
        network = FlowNetwork(size, arcs, amounts)
        least = sum(amounts)
        for sink in range(size):
            if sink != root:
                network.clear()
                least = network.push(root, sink, least)
        found.append(least)

    seconds = best_of(1, one_by_one)
    assert found == [best.value]
    benchmark.extra_info.update(
        arcs=len(arcs),
        value=str(best.value)[:12],
        nodes_in_cut=len(best.cut),
        numbers_in_flows=sum(map(len, best.flows)),
        peers={"a flow for each sink": seconds},
    )
