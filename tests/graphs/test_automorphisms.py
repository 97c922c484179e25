"""Automorphisms: every one keeps every arc, and symmetric graphs have as many as nodes."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched.graphs.automorphisms import Permutation, Symmetries, after, symmetries
from exactsched.platforms.built_in import built_in

Arcs = list[tuple[int, int]]


def keeps_all(arcs: Arcs, colors: list[int], size: int, found: Permutation) -> bool:
    """From the definition: nodes to nodes, and every arc to one of its color between the images."""
    if sorted(found[:size]) != list(range(size)):
        return False
    for arc, (tail, head) in enumerate(arcs):
        image = found[size + arc] - size
        if arcs[image] != (found[tail], found[head]) or colors[image] != colors[arc]:
            return False
    return True


def assert_group(found: Symmetries) -> None:
    elements = set(found.elements)
    assert found.elements[0] == tuple(range(len(found.elements[0])))
    assert len(elements) == len(found.elements)
    if found.whole:
        assert all(after(one, other) in elements for one in found.generators for other in elements)


@given(st.data())
@settings(max_examples=60)
def test_all_that_is_found_keeps_arcs_and_moves_as_far_as_any(data: st.DataObject) -> None:
    size = data.draw(st.integers(2, 5))
    pairs = [(a, b) for a in range(size) for b in range(size) if a != b]
    arcs = data.draw(st.lists(st.sampled_from(pairs), min_size=1, unique=True))
    colors = data.draw(st.lists(st.integers(0, 1), min_size=len(arcs), max_size=len(arcs)))
    nodes = [0] * size
    found = symmetries(size, arcs, nodes, colors, range(size))
    assert all(keeps_all(arcs, colors, size, element) for element in found.elements)
    assert_group(found)
    color_of = dict(zip(arcs, colors, strict=True))
    every = [
        images
        for images in permutations(range(size))
        if all(color_of.get((images[a], images[b])) == color for (a, b), color in color_of.items())
    ]
    orbits = {frozenset(images[node] for images in every) for node in range(size)}
    orbit_of = found.orbits(size, lambda permutation, node: permutation[node])
    found_orbits = {frozenset(v for v in range(size) if orbit_of[v] == u) for u in orbit_of}
    for orbit in found_orbits:
        assert any(orbit <= other for other in orbits)
    if len(orbits) == 1:
        assert found_orbits == orbits


@pytest.mark.parametrize("seed", [None, 1, 2])
@pytest.mark.parametrize("name", ["torus:4x4", "torus:3x5", "hypercube:4", "complete:7", "ring:9"])
def test_symmetric_graphs_have_one_for_each_node(name: str, seed: int | None) -> None:
    platform = built_in(name)
    size = len(platform.nodes)
    relabeled = list(range(size))
    dice = Random(seed)
    if seed is not None:
        dice.shuffle(relabeled)
    place = platform.position
    arcs = [(relabeled[place[a.tail]], relabeled[place[a.head]]) for a in platform.arcs]
    if seed is not None:
        dice.shuffle(arcs)
    found = symmetries(size, arcs, [0] * size, [0] * len(arcs), range(size))
    assert found.whole
    assert len(found.elements) % size == 0
    assert {element[0] for element in found.elements} == set(range(size))
    assert all(keeps_all(arcs, [0] * len(arcs), size, element) for element in found.elements)


def test_a_graph_with_a_marked_arc_keeps_it() -> None:
    platform = built_in("torus:4x4")
    arcs = [(platform.position[arc.tail], platform.position[arc.head]) for arc in platform.arcs]
    colors = [int(arc == 5) for arc in range(len(arcs))]
    found = symmetries(16, arcs, [0] * 16, colors, range(16))
    assert all(element[16 + 5] == 16 + 5 for element in found.elements)


def test_a_symmetry_that_is_refused_is_no_element() -> None:
    ring = [(0, 1), (1, 2), (2, 3), (3, 0)]
    found = symmetries(4, ring, [0] * 4, [0] * 4, range(4), lambda moved: moved[0] % 2 == 0)
    assert {element[0] for element in found.elements} == {0, 2}


@pytest.mark.parametrize("effort", [0, 1, 3, 5, 8])
def test_little_effort_finds_less_and_nothing_wrong(effort: int) -> None:
    platform = built_in("torus:4x4")
    arcs = [(platform.position[arc.tail], platform.position[arc.head]) for arc in platform.arcs]
    found = symmetries(16, arcs, [0] * 16, [0] * 64, range(16), effort=effort)
    assert all(keeps_all(arcs, [0] * 64, 16, element) for element in found.elements)
    assert_group(found)
    assert effort > 0 or len(found.elements) == 1


def test_a_large_group_that_is_not_regular_is_cut_to_one_for_each_node() -> None:
    """The Petersen graph has no regular group."""
    pairs = [(a, b) for a in range(5) for b in range(a)]
    arcs = [
        (one, other)
        for one, first in enumerate(pairs)
        for other, second in enumerate(pairs)
        if not {*first} & {*second}
    ]
    found = symmetries(10, arcs, [0] * 10, [0] * len(arcs), range(10))
    assert {element[0] for element in found.elements} == set(range(10))
    assert found.whole or len(found.elements) == 10
    assert all(keeps_all(arcs, [0] * len(arcs), 10, element) for element in found.elements)
    assert len(symmetries(10, arcs, [0] * 10, [0] * len(arcs), range(10), most=9).elements) == 1
