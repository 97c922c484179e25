"""Breadth-first search and bipartitions against their definitions."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from exactsched.graphs.reachability import bipartition, breadth_first

Arcs = list[tuple[int, int]]
SIZE = 6
arcs_of = st.lists(st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1)), max_size=12)


@given(arcs_of, st.sets(st.integers(0, SIZE - 1)))
def test_distances_by_definition(arcs: Arcs, starts: set[int]) -> None:
    """After k rounds of "and whoever is entered from there" the nodes at distance k are new."""
    found = breadth_first(starts, lambda node: [head for tail, head in arcs if tail == node])
    reached, layers = set(starts), [set(starts)]
    while layers[-1]:
        layers.append({head for tail, head in arcs if tail in reached} - reached)
        reached |= layers[-1]
    assert found == {node: k for k, layer in enumerate(layers) for node in layer}
    assert list(found.values()) == sorted(found.values())


@given(arcs_of)
def test_every_node_is_looked_at_once(arcs: Arcs) -> None:
    looked: list[int] = []

    def heads(node: int) -> list[int]:
        looked.append(node)
        return [head for tail, head in arcs if tail == node]

    assert list(breadth_first([0, 1], heads)) == looked


@given(arcs_of)
def test_bipartition_by_definition(edges: Arcs) -> None:
    side = bipartition(SIZE, edges)
    possible = any(
        all(sides[one] != sides[other] for one, other in edges)
        for sides in product((0, 1), repeat=SIZE)
    )
    assert (side is not None) == possible
    assert side is None or all((one in side) != (other in side) for one, other in edges)
