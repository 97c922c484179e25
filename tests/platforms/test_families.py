"""A small member of every family: the half-duplex optimum is certified, and runs in steps keep up.

The optimum says that M packets take at least M / throughput steps; runs found step by step are
valid, never below their bound, and not far above it.
"""

from __future__ import annotations

from fractions import Fraction

import networkx as nx
import pytest

import exactsched
from exactsched.check.synchronous.rounds import steps as checked
from exactsched.model.platform import Node, Platform
from exactsched.platforms.built_in import built_in, catalog
from exactsched.platforms.files import from_networkx
from exactsched.steady_state.broadcast import broadcast
from exactsched.steady_state.hamiltonian_search import hamiltonian_line
from exactsched.synchronous.graph import synchronous_graph
from exactsched.synchronous.saturation import broadcast_in_rounds

# Half-duplex optima from the first node that reaches all, as far as they are known by hand; every
# family of the catalog is among them.
OPTIMA = {
    "grid:3x4": "6/11",
    "grid:2x3x4": "12/23",
    "grid:3x3x3": "1/2",
    "torus:4x4": "8/15",
    "torus:3x3x3": "1/2",
    "torus:3x4x2": "12/23",
    "hypercube:4": "8/15",
    "complete:7": "1/2",
    "complete:8": "4/7",
    "ring:9": "1/2",
    "ring:10": "5/9",
    "star:4": "1/4",
    "cubic-16": "8/15",
    "fat-tree-graph:2": "1/2",
    # At prices 1 on the 8 edge switches an arborescence costs 25: proofs/half-duplex.md.
    "fat-tree-graph:4": "8/25",
    "dragonfly:3,1": "6/11",
    "dragonfly:2,2": "5/9",
    # Every arc has an end in the middle level, of 4 nodes.
    "butterfly:2": "4/11",
    # At prices 1 on the 16 inner nodes an arborescence costs 38: proofs/half-duplex.md.
    "butterfly:3": "8/19",
    "wrapped-butterfly:3": "12/23",
    "random-regular:12,3,1": "6/11",
    "random-regular:15,4,1": "1/2",
    "random:8,30,1": None,
    "tiers:3,1,2,1,1": None,
    # Ps, P1 and P2 form a triangle, in which a message needs two arcs of time 1.
    "legrand-fig1": "1/2",
    # Pb receives in 1, and P1 from it alone, in 4/3.
    "scatter-toy": "3/7",
    "reduce-toy": "1/2",
    "tiers-2003": None,
}
GRAPHS = {
    "petersen": (nx.petersen_graph(), "5/9"),
    "heawood": (nx.heawood_graph(), "7/13"),
    "wheel": (nx.wheel_graph(8), "4/7"),
    "bipartite 3, 5": (nx.complete_bipartite_graph(3, 5), "3/7"),
    "karate club": (nx.karate_club_graph(), None),
    # The last node of the tail that has two neighbors receives and sends.
    "lollipop": (nx.lollipop_graph(4, 3), "1/2"),
}


def plain(graph: nx.Graph) -> Platform:
    """A networkx graph as users hand it over, with costs of 1 and no other data."""
    bare = nx.Graph(graph.edges)
    nx.set_edge_attributes(bare, 1, "cost")
    return from_networkx(bare)


MEMBERS = [(name, built_in(name), best) for name, best in OPTIMA.items()]
MEMBERS += [(name, plain(graph), best) for name, (graph, best) in GRAPHS.items()]


def source_of(platform: Platform) -> Node:
    """The first node that reaches all."""
    graph = nx.DiGraph([(arc.tail, arc.head) for arc in platform.arcs])
    size = len(platform.nodes)
    return next(node for node in platform.nodes if len(nx.descendants(graph, node)) == size - 1)


def test_every_family_is_here() -> None:
    # Machines have switches, to which nobody broadcasts.
    machines = {"dgx-a100", "dgx-h100", "mi250", "fat-tree", "leaf-spine"}
    families = {family.pattern.partition(":")[0] for family in catalog()} - machines
    assert families == {name.partition(":")[0] for name in OPTIMA}


@pytest.mark.parametrize(
    ("platform", "best"), [m[1:] for m in MEMBERS], ids=[m[0] for m in MEMBERS]
)
def test_the_optimum_is_certified(platform: Platform, best: str | None) -> None:
    source = source_of(platform)
    solution = broadcast(platform, source, ports="half-duplex")
    claim = exactsched.check(solution.certificate())
    assert claim.optimal
    assert claim.throughput > 0
    if best is not None:
        assert claim.throughput == Fraction(best)
    # Pairs of nodes: at most floor(P/2) cheapest arcs work at a time, and P - 1 are needed.
    size, least = len(platform.nodes), min(arc.cost for arc in platform.arcs)
    by_pairs = Fraction(size // 2, size - 1) / least
    assert claim.throughput <= by_pairs
    line = hamiltonian_line(platform, source)
    if line is not None:
        assert claim.throughput == by_pairs
        assert exactsched.hamiltonian_optimum(platform, source, line).throughput == by_pairs


WHOLE = [member for member in MEMBERS if all(arc.cost == 1 for arc in member[1].arcs)]


@pytest.mark.parametrize("platform", [m[1] for m in WHOLE], ids=[m[0] for m in WHOLE])
def test_runs_in_steps_keep_up_with_the_optimum(platform: Platform) -> None:
    source = source_of(platform)
    throughput = broadcast(platform, source, ports="half-duplex").throughput
    graph = synchronous_graph(platform, source)
    for packets in (1, 30):
        run = broadcast_in_rounds(graph, packets, effort=4)
        claim = checked(run)
        assert claim.steps >= claim.bound >= packets
        # Runs in steps are schedules, so they respect the optimum; they come near to it.
        assert packets / throughput <= claim.steps <= packets / throughput + graph.size
