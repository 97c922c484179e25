"""Half-duplex optima.

From the platform to the certificate; and closed forms on Hamiltonian cycles.

Why these instances: the graphs of the literature with known optima (grids, tori, hypercubes, the
Petersen graph, a dragonfly), those without a Hamiltonian cycle (a fat tree, a butterfly), random
regular graphs, the same with costs so close together that all ports are tight and odd sets
matter, and random graphs with such costs, sparse and dense: these are the hardest of their size.
The closed forms are for sizes at which nothing is packed, and the certificate of a cycle states no
trees.

Columns: rounds (linear programs), trees, odd sets with a price, digits of the period.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import combinations

import networkx
import pytest
from conftest import TIMER, checked, timed
from instances import near_one, recosted

import exactsched
from exactsched.model.platform import Platform, both_ways
from exactsched.platforms.built_in import built_in
from exactsched.platforms.files import from_networkx
from exactsched.steady_state.around_cycle import SolutionAroundCycle
from exactsched.steady_state.hamiltonian_search import hamiltonian_line

pytestmark = pytest.mark.benchmark(timer=TIMER)


def petersen() -> Platform:
    graph = networkx.petersen_graph()
    networkx.set_edge_attributes(graph, 1, "cost")
    return from_networkx(graph)


def random_graph(nodes: int, share: float) -> Platform:
    """So large a share of all links, drawn at random; costs in 0.8..1.2, equal in both ways."""
    dice = random.Random(2)
    links = [pair for pair in combinations(range(nodes), 2) if dice.random() < share]
    return Platform(range(nodes), both_ways((*pair, near_one(dice)) for pair in links))


NAMES = (
    *("grid:4x4", "grid:5x5", "grid:8x8", "torus:3x4", "torus:5x5", "torus:8x8"),
    *("hypercube:5", "hypercube:6", "dragonfly:4,1", "fat-tree-graph:4", "butterfly:3"),
    *("random-regular:32,3,1", "random-regular:64,3,1"),
)
# Random regular graphs with costs near one, on which odd sets have a price.
RECOSTED = ("random-regular:16,4,1", "random-regular:32,3,1", "random-regular:64,3,1")
OPTIMA: dict[str, Callable[[], Platform]] = {
    "petersen": petersen,
    **{name: lambda name=name: built_in(name) for name in NAMES},
    **{f"{name}, costs 0.8..1.2": lambda name=name: recosted(name, near_one) for name in RECOSTED},
    "64 nodes, a tenth of all links, costs 0.8..1.2": lambda: random_graph(64, 0.1),
    "64 nodes, half of all links, costs 0.8..1.2": lambda: random_graph(64, 0.5),
}


@pytest.mark.parametrize("name", OPTIMA)
def test_optimum(benchmark, name, tmp_path):
    platform = OPTIMA[name]()
    solution = benchmark.pedantic(
        exactsched.broadcast, (platform, platform.nodes[0]), {"ports": "half-duplex"}, rounds=1
    )
    described(benchmark, solution, tmp_path)


@pytest.mark.parametrize("name", ["grid:20x20", "random-regular:1000,3,1", "grid:60x60"])
def test_trees_around_a_cycle(benchmark, name, tmp_path):
    """Cycles whose trees are written down for those who ask; the search for them is counted."""
    platform = built_in(name)
    solution = benchmark.pedantic(
        exactsched.broadcast, (platform, 0), {"ports": "half-duplex"}, rounds=1
    )
    assert solution.rounds == 0
    described(benchmark, solution, tmp_path)


@pytest.mark.parametrize(
    "name", ["grid:100x100", "grid:300x300", "hypercube:14", "random-regular:5000,4,1"]
)
def test_cycles_instead_of_trees(benchmark, name, tmp_path):
    """Cycles of more than 4096 nodes, too many for the trees; the search for them is counted."""
    platform = built_in(name)
    solution = benchmark.pedantic(
        exactsched.broadcast, (platform, 0), {"ports": "half-duplex"}, rounds=1
    )
    assert isinstance(solution, SolutionAroundCycle)
    document, planned = timed(solution.certificate)
    path = tmp_path / "certificate.json"
    exactsched.write_certificate(document, path)
    assert exactsched.check(path).optimal
    benchmark.extra_info.update(
        throughput=str(solution.throughput),
        nodes=len(platform.nodes),
        arcs=len(platform.arcs),
        kilobytes=path.stat().st_size // 1000,
        **checked(benchmark, path, planned),
    )


def described(benchmark, solution, tmp_path) -> None:
    document, planned = timed(solution.certificate)
    path = tmp_path / "certificate.json"
    exactsched.write_certificate(document, path)
    assert exactsched.check(str(path)).optimal
    benchmark.extra_info.update(
        throughput=str(solution.throughput) if len(str(solution.throughput)) < 12 else "",
        rounds=solution.rounds,
        trees=len(solution.structures),
        odd_sets=len(solution.proof.odd_sets),
        digits=len(str(solution.period.numerator)),
        kilobytes=path.stat().st_size // 1000,
        **checked(benchmark, path, planned),
    )


@pytest.mark.parametrize(
    "name", ["torus:20x20", "random-regular:1500,3,1", "wrapped-butterfly:6", "dragonfly:6,3"]
)
def test_search(benchmark, name):
    """A Hamiltonian cycle or path in a graph that is given without one."""
    platform = built_in(name)
    assert benchmark.pedantic(hamiltonian_line, (platform, 0), rounds=3) is not None
