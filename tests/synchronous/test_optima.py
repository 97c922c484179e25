"""Fewest steps of small cases, decided by an integer program that knows no bound and no method."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest
from hypothesis import given, settings

from exactsched.certificate.synchronous import SynchronousRun
from exactsched.check import check
from exactsched.check.synchronous.bounds import least_steps
from exactsched.model.platform import Platform, both_ways
from exactsched.oracles.synchronous import fewest_steps, last_step
from exactsched.oracles.synchronous_program import run_within
from exactsched.platforms.built_in import built_in
from exactsched.synchronous.bounds import rounds_bound
from exactsched.synchronous.graph import SynchronousGraph, synchronous_graph
from exactsched.synchronous.saturation import broadcast_in_rounds
from tests.check.test_rounds import runs
from tests.synchronous.test_bounds import OPTIMA, stated


def enough(asked: SynchronousRun, steps: int) -> bool:
    """Whether `steps` are enough, by the program; a run it finds is checked."""
    sends = run_within(steps, asked.size, asked.arcs, asked.ports, asked.origins)
    if sends is None:
        return False
    ends = [step + asked.arcs[arc][2] for step, row in enumerate(sends) for arc, _ in row]
    last, bound = max(ends, default=0), least_steps(asked)
    found = replace(asked, sends=sends[:last], steps=last, bound=bound, optimal=last == bound)
    assert check(found).steps == last_step(found) == last <= steps
    return True


# Without the longest: grid:3x3 with 6 packets takes the program as long as all others together.
CASES = [
    (name, packets)
    for name, steps in OPTIMA.items()
    for packets in range(1, len(steps) + 1)
    if (name, packets) != ("grid:3x3", 6)
]


@pytest.mark.parametrize(("name", "packets"), CASES)
def test_the_bound_and_the_schedule_are_optima(name: str, packets: int) -> None:
    """A bound and a schedule that meet prove an optimum; here it is also found without them."""
    graph = synchronous_graph(built_in(name), 0)
    optimum = OPTIMA[name][packets - 1]
    claim = check(broadcast_in_rounds(graph, packets))
    assert (claim.steps, claim.bound) == (optimum, optimum)
    asked = stated(graph, packets, "half-duplex")
    assert enough(asked, optimum)
    assert not enough(asked, optimum - 1)


def edges(*ends: tuple[int, int, int], sources: tuple[int, ...] = (0,)) -> SynchronousGraph:
    nodes = {node for tail, head, _ in ends for node in (tail, head)}
    return synchronous_graph(Platform(sorted(nodes), both_ways(ends)), *sources)


def named(name: str, *sources: int) -> SynchronousGraph:
    return synchronous_graph(built_in(name), *sources or (0,))


SLOW_RING = edges((0, 1, 1), (1, 2, 2), (2, 3, 1), (3, 4, 2), (4, 0, 1))
SLOW_SQUARE = edges((0, 1, 1), (0, 2, 3), (1, 3, 2), (2, 3, 1), sources=(0, 3))

# For 1, 2, ... packets of each source: the bound and the optimum.
OTHERS = {
    "odd ring": (named("ring:7"), "half-duplex", [(4, 4), (5, 6), (7, 7)]),
    "longer odd ring": (named("ring:9"), "half-duplex", [(5, 5), (6, 7), (8, 8)]),
    "odd ring, one-port": (named("ring:7"), "one-port", [(4, 4), (5, 5), (6, 6)]),
    "complete, one-port": (named("complete:5"), "one-port", [(3, 3), (4, 4), (5, 5)]),
    "grid, one-port": (named("grid:2x3"), "one-port", [(3, 3), (4, 4), (5, 5)]),
    # A center that sends everything to one leaf after the other.
    "star, one-port": (named("star:4"), "one-port", [(4, 4), (8, 8), (12, 12)]),
    "slow ring": (SLOW_RING, "half-duplex", [(3, 4), (5, 6), (7, 8)]),
    "slow ring, one-port": (SLOW_RING, "one-port", [(3, 4), (4, 5), (5, 6)]),
    "two sources": (named("ring:5", 0, 1), "half-duplex", [(4, 4), (8, 8)]),
    "two sources, one-port": (named("grid:2x3", 0, 5), "one-port", [(3, 3), (5, 5)]),
    "two sources, slow": (SLOW_SQUARE, "half-duplex", [(3, 5), (6, 10)]),
    "two sources, slow, one-port": (SLOW_SQUARE, "one-port", [(3, 4), (4, 6)]),
}


@pytest.mark.parametrize("name", OTHERS)
def test_what_lies_between_bound_and_optimum(name: str) -> None:
    """Also where our schedule takes longer, as of 3 packets on the ring of 7."""
    graph, ports, expected = OTHERS[name]
    for packets, (bound, optimum) in enumerate(expected, 1):
        asked = stated(graph, packets, ports)
        assert rounds_bound(graph, packets, ports).steps == least_steps(asked) == bound
        assert enough(asked, optimum)
        assert not enough(asked, optimum - 1)
        assert check(broadcast_in_rounds(graph, packets, ports)).steps >= optimum


@given(runs(most=4, packets=2))
@settings(max_examples=20)
def test_program_and_search_find_the_same_optimum(run: SynchronousRun) -> None:
    """Several origins, arcs of several steps, in one direction, or two alike."""
    if sum(number for _, number in run.origins) > 4:
        return
    fewest = fewest_steps(run.size, run.arcs, run.ports, run.origins)
    assert next(steps for steps in count() if enough(run, steps)) == fewest


@given(runs(most=7, packets=3))
def test_nothing_is_done_before_the_bound(run: SynchronousRun) -> None:
    """Graphs that are too large for the search, a few packets."""
    if sum(number for _, number in run.origins) > 5:
        return
    assert not enough(run, run.bound - 1)
