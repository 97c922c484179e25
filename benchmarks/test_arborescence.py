"""Minimum-cost arborescences.

Ours also returns the cuts that prove the cost.  The random platform is the everyday case, with
few contractions; the regular one has no bottleneck and costs close to each other, as under the
prices of a steady state; on the chain every node is entered most cheaply from behind, so that
contractions nest a thousand deep (networkx finds no arborescence there and is left out).  Pairs
of pairs are ten contractions deep, and in the end all arcs but one lie inside: the worst case for
heaps that are poured into each other.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import networkx as nx
import pytest
from conftest import TIMER, best_of
from instances import near_one, regular

from exactsched.graphs.minimum_cost_arborescence import arborescence_and_cuts
from exactsched.model.platform import Platform
from exactsched.platforms.built_in import built_in

pytestmark = pytest.mark.benchmark(timer=TIMER)

PLATFORMS: dict[str, Callable[[], Platform]] = {
    "random:1000,5000,1": lambda: built_in("random:1000,5000,1"),
    "regular 1000, degree 5, costs 0.8..1.2": lambda: regular(1000, 5, near_one),
}


def arguments(platform: Platform) -> tuple[int, int, list[int], list[int], list[int]]:
    """Costs in integers: 3000 is a multiple of all denominators."""
    arcs = platform.arcs
    tails, heads = [int(arc.tail) for arc in arcs], [int(arc.head) for arc in arcs]
    return len(platform.nodes), 0, tails, heads, [int(3000 * arc.cost) for arc in arcs]


@pytest.mark.parametrize("name", PLATFORMS)
def test_against_networkx(benchmark, name):
    size, root, tails, heads, costs = arguments(PLATFORMS[name]())
    best = benchmark.pedantic(
        arborescence_and_cuts, (size, root, tails, heads, costs), rounds=20, warmup_rounds=1
    )
    graph = nx.DiGraph()
    graph.add_weighted_edges_from(
        arc for arc in zip(tails, heads, costs, strict=True) if arc[1] != root
    )
    found: list[nx.DiGraph] = []
    peer = best_of(1, lambda: found.append(nx.minimum_spanning_arborescence(graph)))
    assert best.cost == found[0].size(weight="weight")
    benchmark.extra_info.update(arcs=len(costs), cuts=len(best.cuts), peers={"networkx": peer})


def test_a_deep_chain(benchmark):
    forth, back = range(1, 1000), range(2, 1000)
    tails, heads = [*(node - 1 for node in forth), *back], [*forth, *(node - 1 for node in back)]
    costs = [2] * len(forth) + [1] * len(back)
    best = benchmark.pedantic(
        arborescence_and_cuts, (1000, 0, tails, heads, costs), rounds=20, warmup_rounds=1
    )
    assert best.cost == 2 * len(forth)
    benchmark.extra_info.update(arcs=len(costs), cuts=len(best.cuts))


def test_pairs_of_pairs(benchmark):
    levels, dice = 10, random.Random(1)
    size = 2**levels + 1
    arcs = [(0, 1, 10**9)]
    for level in range(levels):
        for first in range(1, size, 2 ** (level + 1)):
            other = first + 2**level
            arcs += [(first, other, 2 * level + 1), (other, first, 2 * level + 1)]
    for head in range(1, size):
        arcs += [(dice.randrange(1, size), head, dice.randint(10**6, 10**7)) for _ in range(20)]
    tails, heads, costs = map(list, zip(*arcs, strict=True))
    best = benchmark.pedantic(
        arborescence_and_cuts, (size, 0, tails, heads, costs), rounds=20, warmup_rounds=1
    )
    benchmark.extra_info.update(arcs=len(costs), cuts=len(best.cuts))
