"""Trees that are taken off one by one: they fit, they are enough, and whatever sets are met."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.graphs import arborescence_peeling
from exactsched.graphs.arborescence_peeling import peel_arborescences
from exactsched.graphs.root_connectivity import unmet_from_root

Arcs = list[tuple[int, int]]


def entering(arcs: Arcs, capacities: list[int], nodes: set[int]) -> int:
    pairs = zip(arcs, capacities, strict=True)
    return sum(c for (tail, head), c in pairs if head in nodes and tail not in nodes)


def root_cuts(size: int) -> list[set[int]]:
    """All sets without node 0."""
    return [{node for node in range(1, size) if bits >> node & 1} for bits in range(2, 2**size, 2)]


def assert_peeled(size: int, arcs: Arcs, capacities: list[int], total: int) -> int:
    trees = peel_arborescences(size, 0, arcs, capacities, total)
    left = list(capacities)
    assert sum(weight for weight, _ in trees) == total
    assert len({tree for _, tree in trees}) == len(trees)
    for weight, tree in trees:
        assert weight > 0
        assert sorted(arcs[arc][1] for arc in tree) == list(range(1, size))
        reached = {0}
        for _ in range(size):
            reached |= {arcs[arc][1] for arc in tree if arcs[arc][0] in reached}
        assert len(reached) == size
        for arc in tree:
            left[arc] -= weight
    assert min(left, default=0) >= 0
    return len(trees)


@st.composite
def digraphs(draw: st.DrawFn) -> tuple[int, Arcs, list[int]]:
    """Loops, parallel arcs, arcs into the root and arcs of no capacity are among them."""
    size = draw(st.integers(2, 6))
    node = st.integers(0, size - 1)
    arcs = [(draw(st.integers(0, head - 1)), head) for head in range(1, size)]
    arcs += draw(st.lists(st.tuples(node, node), max_size=16))
    most = draw(st.sampled_from([1, 3, 10**40]))
    capacities = [draw(st.integers(0 if k >= size - 1 else 1, most)) for k in range(len(arcs))]
    return size, arcs, capacities


@given(digraphs())
def test_the_least_root_cut_is_peeled(graph: tuple[int, Arcs, list[int]]) -> None:
    size, arcs, capacities = graph
    least = min(entering(arcs, capacities, nodes) for nodes in root_cuts(size))
    assert_peeled(size, arcs, capacities, least)
    assert_peeled(size, arcs, capacities, least // 2)


@given(digraphs(), st.integers(1, 9))
def test_unmet_sets_are_found_if_there_are_any(
    graph: tuple[int, Arcs, list[int]], total: int
) -> None:
    size, arcs, capacities = graph
    unmet = [s for s in root_cuts(size) if entering(arcs, capacities, s) < total]
    found = unmet_from_root(size, 0, arcs, capacities, total)
    assert all(nodes in unmet for nodes in found)
    assert bool(found) == bool(unmet)


def planted(size: int, count: int, seed: int) -> tuple[Arcs, list[int], int]:
    """The sum of random trees, some of them paths, with weights to 10^12."""
    dice, carried, total = random.Random(seed), {}, 0
    for _ in range(count):
        weight = dice.randint(1, 10**12)
        total += weight
        order = [0, *dice.sample(range(1, size), size - 1)]
        for place, head in enumerate(order[1:]):
            tail = order[place] if dice.random() < 0.7 else dice.choice(order[: place + 1])
            carried[tail, head] = carried.get((tail, head), 0) + weight
    return list(carried), list(carried.values()), total


@pytest.mark.parametrize("seed", range(6))
def test_planted_trees(seed: int) -> None:
    arcs, capacities, total = planted(40, 12, seed)
    assert assert_peeled(40, arcs, capacities, total) <= len(arcs)


@pytest.mark.parametrize("patience", [1, 100])
def test_blind_trees_are_given_back(patience: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trees that are chosen without regard to sets and arcs: so much is taken that a node is out
    of reach, sets are entered too often, and Lovász's method does the rest."""
    found = [planted(12, 5, seed) for seed in range(30)]
    monkeypatch.setattr(arborescence_peeling, "PATIENCE", patience)
    for name in ("FARTHEST", "DEAREST", "TIGHT"):
        monkeypatch.setattr(arborescence_peeling, name, 0.0)
    for arcs, capacities, total in found:
        assert_peeled(12, arcs, capacities, total)
