"""Packings of arborescences.

Capacities of any size, tight ones, fabrics, and unit capacities.

There is no other exact packing of arborescences to compare with; networkx is asked for the value
alone, the least root cut, by one maximum flow for each node.

`random` digraphs are unions of Hamiltonian cycles with independent capacities.  In the `planted`
ones, sums of random trees, and the `cycles`, sums of Hamiltonian cycles, every node is tight, and
in the fabrics switches and hosts have links of unequal bandwidth.  `bound` is the proved number
of trees, `looks` are searches for an unmet set, `flows` the maximum flows in them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import networkx as nx
import pytest
from conftest import TIMER, best_of, checked

import exactsched.graphs.branching_packing
import exactsched.graphs.lovasz
import exactsched.graphs.root_connectivity
from exactsched.certificate.graphs import BranchingPacking
from exactsched.check import check
from exactsched.graphs.arborescence_decomposition import decompose_into_arborescences
from exactsched.graphs.branching_packing import disjoint_arborescences, pack_concurrently
from exactsched.platforms.built_in import built_in

pytestmark = pytest.mark.benchmark(timer=TIMER)

Graph = tuple[int, list[tuple[int, int]], list[Any]]


def regular(size: int, degree: int, seed: int) -> list[tuple[int, int]]:
    """The union of random Hamiltonian cycles, in random order."""
    dice = random.Random(seed)
    arcs = []
    for _ in range(degree):
        cycle = dice.sample(range(size), size)
        arcs += [(cycle[place - 1], cycle[place]) for place in range(size)]
    dice.shuffle(arcs)
    return arcs


def random_digraph(size: int, degree: int, amount: Callable[[random.Random], Any]) -> Graph:
    arcs = regular(size, degree, 1)
    dice = random.Random(2)
    return size, arcs, [amount(dice) for _ in arcs]


def million(dice: random.Random) -> int:
    return dice.randint(1, 10**6)


def coprime(dice: random.Random) -> Fraction:
    return Fraction(dice.randint(1, 1000), dice.choice([2, 3, 5, 7, 11, 13, 17, 19, 23]))


def forty_digits(dice: random.Random) -> int:
    return dice.randint(1, 10**40)


def merged(size: int, parts: list[tuple[tuple[int, int], int]], dice: random.Random) -> Graph:
    total: Counter[tuple[int, int]] = Counter()
    for arc, amount in parts:
        total[arc] += amount
    arcs = sorted(total)
    dice.shuffle(arcs)
    return size, arcs, [total[arc] for arc in arcs]


def planted(size: int, trees: int) -> Graph:
    dice = random.Random(3)
    parts = []
    for _ in range(trees):
        weight = million(dice)
        reached = [0]
        for node in dice.sample(range(1, size), size - 1):
            parts.append(((dice.choice(reached), node), weight))
            reached.append(node)
    return merged(size, parts, dice)


def cycles(size: int, count: int) -> Graph:
    dice = random.Random(4)
    parts = []
    for _ in range(count):
        weight = million(dice)
        cycle = dice.sample(range(size), size)
        parts += [((cycle[place - 1], cycle[place]), weight) for place in range(size)]
    return merged(size, parts, dice)


def fabric(name: str) -> Graph:
    """A built-in machine whose links have one of four bandwidths, the same both ways."""
    platform = built_in(name)
    place = {node: index for index, node in enumerate(platform.nodes)}
    arcs = [(place[arc.tail], place[arc.head]) for arc in platform.arcs]
    dice = random.Random(5)
    bandwidth = {tuple(sorted(arc)): dice.choice([25, 40, 100, 400]) for arc in sorted(arcs)}
    return len(place), arcs, [bandwidth[tuple(sorted(arc))] for arc in arcs]


GRAPHS: dict[str, Callable[[], Graph]] = {
    "random, 64 nodes, degree 8, to 10^6": lambda: random_digraph(64, 8, million),
    "random, 64 nodes, degree 8, to 10^40": lambda: random_digraph(64, 8, forty_digits),
    "random, 64 nodes, degree 8, coprime": lambda: random_digraph(64, 8, coprime),
    "random, 200 nodes, degree 5, to 10^6": lambda: random_digraph(200, 5, million),
    "planted, 64 nodes, 10 trees": lambda: planted(64, 10),
    "planted, 200 nodes, 6 trees": lambda: planted(200, 6),
    "cycles, 64 nodes, 8 cycles": lambda: cycles(64, 8),
    "cycles, 200 nodes, 5 cycles": lambda: cycles(200, 5),
    "fat-tree:8": lambda: fabric("fat-tree:8"),
    "dragonfly:6,3": lambda: fabric("dragonfly:6,3"),
}


@pytest.fixture
def counts(monkeypatch) -> Counter[str]:
    """How often sets are looked for, and with how many maximum flows."""
    counted: Counter[str] = Counter()
    for module, name, noun in (
        (exactsched.graphs.branching_packing, "unmet_set", "looks"),
        (exactsched.graphs.lovasz, "unmet_set", "looks"),
        (exactsched.graphs.root_connectivity, "_send", "flows"),
    ):
        original = getattr(module, name)

        def counting(*arguments, original=original, noun=noun):
            counted[noun] += 1
            return original(*arguments)

        monkeypatch.setattr(module, name, counting)
    return counted


def depths(trees, arcs) -> list[int]:
    """Of trees whose arcs are listed from the root on."""
    found = []
    for chosen in trees:
        level: dict[int, int] = {}
        for index in chosen:
            tail, head = arcs[index]
            level[head] = level.get(tail, 0) + 1
        found.append(max(level.values()))
    return found


def least_depth(size, arcs) -> int:
    graph = nx.DiGraph(arcs)
    assert len(graph) == size
    return nx.eccentricity(graph, 0)


@pytest.mark.parametrize("prefer", ["few", "shallow"])
@pytest.mark.parametrize("name", GRAPHS)
def test_decomposition(benchmark, counts, name, prefer):
    size, arcs, capacities = GRAPHS[name]()
    best = benchmark.pedantic(
        decompose_into_arborescences,
        (size, 0, arcs, capacities),
        {"prefer": prefer},
        rounds=1,
    )
    levels = depths([chosen for _, chosen in best.trees], arcs)
    mean = sum(w * level for (w, _), level in zip(best.trees, levels, strict=True)) / best.value
    usable = sum(head != 0 for _, head in arcs)
    assert len(best.trees) <= usable - size + 2
    benchmark.extra_info.update(
        arcs=usable,
        trees=len(best.trees),
        bound=usable - size + 2,
        depth=max(levels),
        mean_depth=round(float(mean), 1),
        least_depth=least_depth(size, arcs),
        **checked(benchmark, best),
        **counts,
    )


@pytest.mark.parametrize(
    ("size", "degree", "count"), [(1000, 20, 16), (1000, 16, 16)], ids=["loose", "tight"]
)
def test_disjoint_arborescences(benchmark, counts, size, degree, count):
    arcs = regular(size, degree, 6)
    packing = benchmark.pedantic(disjoint_arborescences, (size, 0, arcs, count), rounds=1)
    assert isinstance(packing, BranchingPacking)
    assert check(packing).value == len(packing.branchings) == count
    levels = depths([chosen for _, _, chosen in packing.branchings], arcs)
    benchmark.extra_info.update(
        arcs=len(arcs), depth=max(levels), **counts, **checked(benchmark, packing)
    )


def units(name: str) -> Graph:
    size, arcs, _ = fabric(name)
    return size, arcs, [1] * len(arcs)


@pytest.mark.parametrize("prefer", ["few", "shallow"])
@pytest.mark.parametrize("name", ["torus:8x8", "hypercube:6"])
def test_all_gather(benchmark, counts, name, prefer):
    """As much as possible from every node at once, on a machine with equal links."""
    size, arcs, capacities = units(name)
    once = [([node], 1) for node in range(size)]
    packing = benchmark.pedantic(
        pack_concurrently, (size, arcs, capacities, once), {"prefer": prefer}, rounds=1
    )
    levels = depths([chosen for _, _, chosen in packing.branchings], arcs)
    benchmark.extra_info.update(
        arcs=len(arcs),
        each=str(packing.value),
        branchings=len(packing.branchings),
        bound=len(arcs),
        depth=max(levels),
        **checked(benchmark, packing),
        **counts,
    )


def test_against_networkx(benchmark):
    """The whole decomposition against the value alone."""
    size, arcs, capacities = random_digraph(64, 8, million)
    best = benchmark.pedantic(decompose_into_arborescences, (size, 0, arcs, capacities), rounds=3)
    graph = nx.DiGraph()
    for (tail, head), capacity in zip(arcs, capacities, strict=True):
        known = graph.get_edge_data(tail, head, {"capacity": 0})["capacity"]
        graph.add_edge(tail, head, capacity=known + capacity)
    values: list[int] = []
    peer = best_of(
        1, lambda: values.extend(nx.maximum_flow_value(graph, 0, node) for node in range(1, size))
    )
    assert min(values) == best.value
    benchmark.extra_info.update(
        trees=len(best.trees),
        peers={"networkx": peer},
    )
