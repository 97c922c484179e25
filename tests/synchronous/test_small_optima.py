"""The runs of 46 small questions, in both port models, are the shortest: optima by search."""

from __future__ import annotations

import pytest

from exactsched.check import check
from exactsched.oracles.synchronous import fewest_steps, two_ways
from exactsched.platforms.built_in import built_in
from exactsched.synchronous.best_occupancy import best_occupancy
from exactsched.synchronous.bounds import rounds_bound
from exactsched.synchronous.graph import SynchronousGraph
from exactsched.synchronous.saturation import broadcast_in_rounds

Links = list[tuple[int, int]]

LINKS: dict[str, Links] = {
    "tree 1": [(0, 3), (0, 4), (1, 2), (1, 4)],
    "tree 2": [(0, 1), (0, 3), (0, 4), (0, 2), (2, 5)],
    "tree 3": [(0, 1), (1, 4), (1, 5), (2, 4), (3, 4)],
    "tree 4": [(0, 2), (0, 5), (1, 3), (1, 2), (4, 5)],
    "tree 5": [(0, 4), (1, 2), (2, 4), (2, 5), (3, 5)],
    "tree 6": [(0, 2), (0, 3), (1, 4), (3, 4)],
    "tree 7": [(0, 2), (1, 2), (1, 3), (3, 5), (4, 5)],
    "tree 8": [(0, 1), (1, 2), (2, 3), (3, 4)],
    "bull": [(0, 1), (1, 2), (2, 0), (1, 3), (2, 4)],
    "kite": [(0, 1), (1, 2), (2, 0), (2, 3)],
    "tree 9": [(0, 3), (1, 4), (2, 3), (2, 4), (2, 5)],
    "tree 10": [(0, 2), (0, 3), (1, 4), (3, 4), (3, 5)],
}
ALL = ()
# Graph, sources, packets at each of them, and the least steps in half-duplex and in one-port, which
# a solver for satisfiability has found, too, where bound and steps do not meet.
ASKED = [
    ("star 3", (1, 2, 3), 1, 9, 7),
    ("star 4", (1, 2, 3, 4), 1, 16, 13),
    ("star 3", ALL, 1, 12, 9),
    ("star 3", ALL, 2, 24, 18),
    ("star 4", (0,), 2, 8, 8),
    ("star 4", (1,), 3, 12, 10),
    ("path 3", ALL, 1, 6, 4),
    ("path 3", ALL, 2, 12, 8),
    ("path 4", ALL, 1, 8, 5),
    ("path 5", ALL, 1, 11, 7),
    ("path 4", (1,), 3, 6, 6),
    ("path 4", (0, 3), 2, 8, 5),
    ("path 5", (0,), 3, 8, 6),
    ("path 5", (2,), 2, 5, 5),
    ("ring 4", ALL, 1, 6, 3),
    ("ring 5", ALL, 1, 10, 4),
    ("ring 5", (0,), 3, 7, 5),
    ("ring 6", (0, 3), 1, 4, 3),
    ("ring 5", (0, 2), 1, 4, 3),
    ("grid 2x2", ALL, 1, 6, 3),
    ("grid 2x2", (0, 3), 2, 6, 4),
    ("grid 2x3", ALL, 1, 10, 5),
    ("grid 2x3", (0,), 3, 6, 5),
    ("grid 2x3", (0, 5), 2, 7, 5),
    ("complete 3", ALL, 1, 6, 2),
    ("complete 3", (0,), 3, 6, 4),
    ("complete 4", ALL, 1, 6, 3),
    ("complete 4", (0,), 3, 5, 4),
    ("complete 5", (0,), 3, 7, 5),
    ("complete 5", ALL, 1, 10, 4),
    ("complete 4", (0, 1), 2, 6, 4),
    ("tree 1", ALL, 1, 11, 7),
    ("tree 2", (0,), 2, 8, 8),
    ("tree 3", (0,), 3, 10, 8),
    ("tree 4", (0, 5), 1, 5, 4),
    ("tree 5", (1, 2), 2, 12, 10),
    ("tree 6", (0,), 3, 7, 6),
    ("tree 7", ALL, 1, 13, 8),
    ("tree 8", ALL, 2, 21, 13),
    ("bull", (0,), 2, 5, 4),
    ("bull", ALL, 1, 11, 7),
    ("kite", ALL, 1, 8, 5),
    ("kite", (3,), 3, 7, 5),
    ("tree 9", ALL, 1, 18, 13),
    ("tree 10", (0,), 4, 12, 9),
    ("ring 6", ALL, 1, 10, 5),
]
CASES = [
    (name, sources, packets, ports, steps)
    for name, sources, packets, *both in ASKED
    for ports, steps in zip(("half-duplex", "one-port"), both, strict=True)
]
# The search looks at all states: it takes less than a second for this number of transfers.
MOST_SEARCHED = 9


def graph_of(name: str, sources: tuple[int, ...]) -> SynchronousGraph:
    if name in LINKS:
        arcs = two_ways(*LINKS[name])
        size = 1 + max(max(arc[:2]) for arc in arcs)
    else:
        platform = built_in(name.replace(" ", ":").replace("path", "grid"))
        size = len(platform.nodes)
        arcs = tuple((arc.tail, arc.head, 1) for arc in platform.arcs)
    return SynchronousGraph(size, arcs, sources or tuple(range(size)), ())


@pytest.mark.parametrize(("name", "sources", "packets", "ports", "fewest"), CASES)
def test_the_run_is_the_shortest(
    name: str, sources: tuple[int, ...], packets: int, ports: str, fewest: int
) -> None:
    graph = graph_of(name, sources)
    run = broadcast_in_rounds(graph, packets, ports)
    claim = check(run)
    assert (claim.steps, claim.bound, claim.optimal) == (fewest, fewest, True)
    if sum(map(len, run.sends)) <= MOST_SEARCHED:
        assert fewest_steps(graph.size, graph.arcs, ports, run.origins) == fewest


@pytest.mark.parametrize(
    ("ports", "without", "fewest"), [("half-duplex", 10, 11), ("one-port", 6, 7)]
)
def test_the_last_step_decides_on_a_triangle_with_leaves(
    ports: str, without: int, fewest: int
) -> None:
    """Two nodes with leaves have work in every step, but not for their triangle in the last."""
    graph = graph_of("bull", ALL)
    first, last = best_occupancy(graph, 1, ports)
    assert rounds_bound(graph, 1, ports).steps == without
    assert rounds_bound(graph, 1, ports, [first]).steps == without
    assert rounds_bound(graph, 1, ports, [first, last]).steps == fewest
    assert rounds_bound(graph, 1, ports, [first, first]).steps == without
    if ports == "one-port":  # in half-duplex the search takes minutes
        assert fewest_steps(graph.size, graph.arcs, ports, graph.origins(1), limit=without) is None
