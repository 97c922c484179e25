"""Costs beyond floats: floats may propose nothing then, and the exact methods still end."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

from exactsched.check import check
from exactsched.exact.errors import InvalidInput
from exactsched.model.machine import MultiPort
from exactsched.model.platform import Platform
from exactsched.overlay.exact import optimal_overlay
from exactsched.steady_state.alltoall import alltoall, scatter
from exactsched.steady_state.broadcast import broadcast
from exactsched.steady_state.prefix import allreduce, prefix
from exactsched.steady_state.reduce import reduce
from exactsched.steady_state.restricted.best_dag import broadcast_dag
from exactsched.steady_state.restricted.best_tree import broadcast_tree
from exactsched.synchronous.graph import synchronous_graph
from exactsched.synchronous.saturation import broadcast_in_rounds

HUGE = 10**5000
TINY = Fraction(1, HUGE)
PAIRS = list(permutations(range(3), 2))
ASKED: dict[str, Callable[[Platform, Any], Any]] = {
    "broadcast": lambda platform, ports: broadcast(platform, 0, ports=ports),
    "scatter": lambda platform, ports: scatter(platform, 0, [1, 2], ports=ports),
    "alltoall": lambda platform, ports: alltoall(platform, PAIRS, ports=ports),
    "reduce": lambda platform, ports: reduce(platform, [0, 1, 2], 0, compute=1, ports=ports),
    "allreduce": lambda platform, ports: allreduce(platform, [0, 1, 2], compute=1, ports=ports),
    "prefix": lambda platform, ports: prefix(platform, [0, 1, 2], compute=1, ports=ports),
}


def path(*costs: object) -> Platform:
    """A path 0, 1, 2, ... there and back."""
    links = [(node, node + 1, cost) for node, cost in enumerate(costs)]
    arcs = [*links, *((head, tail, cost) for tail, head, cost in links)]
    return Platform(range(len(costs) + 1), arcs)


@pytest.mark.parametrize("ports", ["one-port", "half-duplex", "link"])
@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED.keys())
def test_the_slowest_link_decides(asked: Callable[[Platform, Any], Any], ports: str) -> None:
    for costs in ((HUGE, HUGE), (10**400 + 7, 1), (TINY, 10**400)):
        solution = asked(path(*costs), ports)
        claim = check(solution.certificate())
        assert claim.throughput == solution.throughput
        assert Fraction(1, 8) <= claim.throughput * max(costs) <= claim.bound * max(costs) <= 1


@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED.keys())
def test_everything_is_tiny_but_for_additions(asked: Callable[[Platform, Any], Any]) -> None:
    solution = asked(path(TINY, TINY), "one-port")
    claim = check(solution.certificate())
    assert claim.throughput == solution.throughput >= Fraction(1, 3)


@pytest.mark.parametrize("restricted", [broadcast_tree, broadcast_dag])
def test_trees_and_acyclic_graphs(restricted: Callable[..., Any]) -> None:
    arcs = [(0, 1, HUGE), (0, 2, 1), (1, 2, TINY), (2, 1, HUGE + 7), (1, 3, 2), (2, 3, HUGE)]
    best = restricted(Platform(range(4), arcs), 0)
    assert check(best.certificate()).throughput == best.throughput > 0


@pytest.mark.parametrize("numbers", [(HUGE + 7, HUGE), (TINY, 1, TINY, TINY), (HUGE + 7, 1, 2)])
def test_overlays(numbers: tuple[Any, ...]) -> None:
    overlay = optimal_overlay(MultiPort(numbers, [2, 1, 1, 1][: len(numbers)]))
    assert check(overlay).throughput == overlay.throughput > 0


def test_rounds_have_too_many_steps() -> None:
    graph = synchronous_graph(path(HUGE, 1), 0)
    with pytest.raises(InvalidInput, match="at most 10000000 steps are listed"):
        broadcast_in_rounds(graph, 1)
