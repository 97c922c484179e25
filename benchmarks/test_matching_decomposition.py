"""Weighted bipartite graphs as sums of matchings.

Why these instances: random sparse graphs are what schedules of large platforms look like (few
nodes tight); long weights are what exact periods look like; near-trees are basic optimal solutions;
complete and star graphs are the two extremes of degree; sums of permutations have only tight nodes,
the hard case, where every step needs an alternating path.  `lower_bound` is the largest number of
edges at a node, which no decomposition beats.  The peer is the textbook way, on an all-tight
instance where it needs no padding: find a perfect matching from scratch, with networkx, subtract.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import networkx as nx
import pytest
from conftest import TIMER, best_of

from exactsched.graphs.matching_decomposition import (
    busy_intervals,
    decompose_into_few_matchings,
    decompose_into_matchings,
)

pytestmark = pytest.mark.benchmark(timer=TIMER)

Instance = tuple[list[tuple[int, int]], list[int]]
LONG = 10**500


def weighted(edges: list[tuple[int, int]], most: int) -> Instance:
    source = random.Random(2)
    return edges, [source.randint(1, most) for _ in edges]


def sparse(most: int) -> Instance:
    cells = random.Random(1).sample(range(1000 * 1000), 5000)
    return weighted([divmod(cell, 1000) for cell in cells], most)


def near_tree() -> Instance:
    source = random.Random(1)
    chosen = {
        (source.randrange(1000), node) for node in range(1000) for _ in range(source.randint(1, 3))
    }
    return weighted(sorted(chosen), LONG)


def permutations(nodes: int, count: int, most: int = LONG) -> Instance:
    source = random.Random(1)
    weight: Counter[tuple[int, int]] = Counter()
    for _ in range(count):
        duration = source.randint(1, most)
        for edge in enumerate(source.sample(range(nodes), nodes)):
            weight[edge] += duration
    edges = sorted(weight)
    return edges, [weight[edge] for edge in edges]


INSTANCES = {
    "sparse 1000+1000, 5000 edges, weights to 100": lambda: sparse(100),
    "sparse 1000+1000, 5000 edges, 500 digits": lambda: sparse(LONG),
    "near-tree 1000+1000, 500 digits": near_tree,
    "complete 60x60, weights to 100": lambda: weighted(list(product(range(60), range(60))), 100),
    "complete 60x60, 6 digits": lambda: weighted(list(product(range(60), range(60))), 10**6),
    "complete 60x60, 500 digits": lambda: weighted(list(product(range(60), range(60))), LONG),
    "complete 60x60, unit": lambda: weighted(list(product(range(60), range(60))), 1),
    "star 5000, 500 digits": lambda: weighted([(0, leaf) for leaf in range(5000)], LONG),
    "all tight 1000+1000, 5 permutations, 500 digits": lambda: permutations(1000, 5),
    "all tight 40+40, 200 permutations, 500 digits": lambda: permutations(40, 200),
    "all tight 100+100, 30 permutations, 6 digits": lambda: permutations(100, 30, 10**6),
}


def lower_bound(edges: list[tuple[int, int]]) -> int:
    return max(max(Counter(edge[side] for edge in edges).values()) for side in (0, 1))


@pytest.mark.parametrize("name", INSTANCES)
def test_decompositions(benchmark, name):
    """As matchings; as busy intervals, which schedules use; as few matchings."""
    edges, weights = INSTANCES[name]()
    ours = benchmark.pedantic(decompose_into_matchings, (edges, weights), rounds=3)
    busy = busy_intervals(edges, weights)
    few = decompose_into_few_matchings(edges, weights)
    benchmark.extra_info.update(
        edges=len(edges),
        matchings=len(ours.matchings),
        intervals=sum(map(len, busy)),
        interval_seconds=round(best_of(3, lambda: busy_intervals(edges, weights)), 4),
        few=len(few.matchings),
        few_seconds=round(best_of(1, lambda: decompose_into_few_matchings(edges, weights)), 4),
        lower_bound=lower_bound(edges),
    )


def matchings_from_scratch(edges: list[tuple[int, int]], weights: list[int]) -> int:
    """The number of matchings of the textbook way, for a graph whose nodes are all tight."""
    left = {(("l", i), ("r", j)): w for (i, j), w in zip(edges, weights, strict=True)}
    graph = nx.Graph(list(left))
    top = {tail for tail, _ in left}
    steps = 0
    while left:
        mate = nx.bipartite.hopcroft_karp_matching(graph, top)
        matching = [(tail, mate[tail]) for tail in top]
        duration = min(left[edge] for edge in matching)
        for edge in matching:
            left[edge] -= duration
            if not left[edge]:
                del left[edge]
                graph.remove_edge(*edge)
        steps += 1
    return steps


def test_against_matchings_from_scratch(benchmark):
    """On 100 + 100 nodes with 5 permutations."""
    edges, weights = permutations(100, 5)
    ours = benchmark.pedantic(decompose_into_matchings, (edges, weights), rounds=3)
    counts: list[int] = []
    seconds = best_of(1, lambda: counts.append(matchings_from_scratch(edges, weights)))
    benchmark.extra_info.update(
        edges=len(edges),
        matchings=len(ours.matchings),
        from_scratch=counts[0],
        peers={"from scratch": seconds},
    )
