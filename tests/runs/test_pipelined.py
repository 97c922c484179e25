"""Pipelined broadcast: certified, within the theorem, and asymptotically optimal."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exactsched.check
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.model.platform import Platform
from exactsched.model.problem import PORTS, Broadcast
from exactsched.oracles.broadcast import shortest_run_by_search
from exactsched.oracles.collectives import simulate_run
from exactsched.platforms.built_in import built_in
from exactsched.platforms.papers import legrand_fig1, tiers_2003
from exactsched.runs.finite_run import FiniteRun
from exactsched.runs.frames import MAX_TRANSFERS, frame_patterns
from exactsched.runs.list_scheduling import Ports
from exactsched.runs.pipelined import pipelined_broadcast, pipelined_guarantee, ratio_curve
from exactsched.steady_state.broadcast import solve_series
from exactsched.strategies import broadcasts


def with_latencies(platform: Platform) -> Platform:
    """Start-ups of up to twice the cost, different from arc to arc, some of them 0."""
    return Platform(
        platform.nodes,
        [
            (arc.tail, arc.head, arc.cost, arc.cost * Fraction(index * 7 % 11, 5))
            for index, arc in enumerate(platform.arcs)
        ],
    )


def accepted(run: FiniteRun, size: Fraction | int) -> None:
    claim = exactsched.check(run.certificate())
    assert (claim.makespan, claim.bound) == (run.makespan, run.bound)
    assert sum(run.sizes) == size
    assert run.makespan >= run.bound


@pytest.mark.parametrize("ports", PORTS)
@settings(max_examples=8)
@given(data=st.data())
def test_every_schedule_is_accepted_and_keeps_the_theorem(ports: str, data: st.DataObject) -> None:
    bipartite = ports == "half-duplex"
    problem = data.draw(
        broadcasts(ports=ports, bipartite=bipartite, max_nodes=5, latencies=True)  # type: ignore[arg-type]
    )
    size = data.draw(st.sampled_from((Fraction(1, 3), Fraction(1), Fraction(40))))
    run = pipelined_broadcast(problem.platform, problem.source, size, ports=problem.ports)
    accepted(run, size)
    if len(run.rows) < 100:
        assert simulate_run(run.certificate()) == run.makespan
    guarantee = pipelined_guarantee(problem.platform, problem.source, size, ports=problem.ports)
    assert run.makespan <= guarantee


@settings(max_examples=12)
@given(
    broadcasts(max_nodes=3, latencies=True),
    st.lists(st.sampled_from((Fraction(1), Fraction(1, 2), Fraction(3))), min_size=1, max_size=2),
)
def test_no_schedule_of_any_packets_beats_the_bound(
    problem: Broadcast, sizes: list[Fraction]
) -> None:
    if problem.ports == "half-duplex":
        problem = Broadcast(problem.platform, problem.source)
    best = shortest_run_by_search(problem, sizes)
    run = pipelined_broadcast(problem.platform, problem.source, sum(sizes), ports=problem.ports)
    assert best is not None
    assert run.bound <= best


@pytest.mark.parametrize(
    ("platform", "source"),
    [(legrand_fig1(), "Ps"), (tiers_2003(), 6), (built_in("random:8,24,1"), 0)],
    ids=["legrand-fig1", "tiers-2003", "random"],
)
def test_the_ratio_falls_towards_one(platform: Platform, source: int | str) -> None:
    platform = with_latencies(platform)
    sizes = [10, 10**2, 10**4, 10**6]
    points = ratio_curve(platform, source, sizes)
    ratios = [point.ratio for point in points]
    assert ratios == sorted(ratios, reverse=True)
    assert ratios[-1] < Fraction(101, 100)
    throughput = solve_series(
        Broadcast(
            Platform(platform.nodes, [(a.tail, a.head, a.cost) for a in platform.arcs]), source
        )
    ).throughput
    for size, point in zip(sizes, points, strict=True):
        assert point.makespan <= pipelined_guarantee(platform, source, size)
        assert point.bound >= size / throughput


def test_beyond_the_cap_the_ratio_stops_above_one() -> None:
    """The chain has two transfers a frame, so 50,000 frames at most; sqrt(L) would be more."""
    chain = Platform("abc", [("a", "b", 1, 1), ("b", "c", 1, 1)])
    frames = MAX_TRANSFERS // 2
    for size, more in ((10**12, Fraction(1, 10**7)), (10**18, Fraction(1, 10**12))):
        [point] = ratio_curve(chain, "a", [size])
        assert point.packets == frames
        assert 0 < point.ratio - (1 + Fraction(1, frames)) < more
        assert point.makespan <= pipelined_guarantee(chain, "a", size)


@settings(max_examples=15)
@given(broadcasts(ports="one-port", max_nodes=5, latencies=True), st.sampled_from((1, 2, 5, 9)))
def test_frames_keep_their_limit_for_every_number_of_them(problem: Broadcast, frames: int) -> None:
    """Theorem 8 with its constants, for the frame schedule alone."""
    platform = problem.platform
    plain = Broadcast(
        Platform(platform.nodes, [(a.tail, a.head, a.cost) for a in platform.arcs]), problem.source
    )
    patterns = frame_patterns(problem, solve_series(plain))
    for pattern in patterns:
        played = pattern.played(Ports(problem), Fraction(7), frames)
        assert sum(played.packets) == 7
        assert played.makespan <= pattern.limit(Fraction(7), frames)
        assert pattern.least_limit(Fraction(7)) <= pattern.limit(Fraction(7), 1)


def test_a_small_message_goes_in_few_packets() -> None:
    """Frames alone are at 4.4 times the bound here."""
    run = pipelined_broadcast(with_latencies(built_in("random:8,24,1")), 0, 1)
    accepted(run, 1)
    assert run.operations <= 2
    assert run.makespan < Fraction(32, 10) * run.bound


def test_a_large_message_goes_in_frames() -> None:
    """Lists alone are at 1.23 times the bound here, on five trees that cross each other."""
    run = pipelined_broadcast(with_latencies(built_in("grid:4x4")), 0, 10**4)
    accepted(run, 10**4)
    assert run.makespan < Fraction(111, 100) * run.bound
    assert run.bound > 10**4  # the throughput without latencies is 1


def test_a_single_arc_sends_everything_at_once() -> None:
    run = pipelined_broadcast(Platform("ab", [("a", "b", 2, 5)]), "a", 10)
    assert (run.makespan, run.bound, run.operations) == (25, 25, 1)
    assert exactsched.check(run.certificate()).optimal


def test_a_chain_takes_the_best_number_of_equal_packets() -> None:
    """nu packets of size 9/nu on two arcs: (nu + 1)(1 + 9/nu), least for nu = 3."""
    chain = Platform("abc", [("a", "b", 1, 1), ("b", "c", 1, 1)])
    run = pipelined_broadcast(chain, "a", 9)
    assert run.sizes == (3, 3, 3)
    assert run.makespan == 16


def test_start_up_cuts_count_once_however_many_packets() -> None:
    """One arc of latency 5 into each end: no cutting of the message ends before 5 + L."""
    chain = Platform("abc", [("a", "b", 1, 5), ("b", "c", 1, 0)])
    run = pipelined_broadcast(chain, "a", 100)
    assert run.bound == 105
    assert exactsched.check(run.certificate()).bound == 105


def test_without_latencies_many_small_packets() -> None:
    chain = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    run = pipelined_broadcast(chain, "a", 1)
    accepted(run, 1)
    assert run.excess == Fraction(1, run.operations) < Fraction(1, 1000)


@pytest.mark.parametrize("size", [0, -1, "0", 0.5, True])
def test_sizes_are_positive_and_exact(size: object) -> None:
    with pytest.raises(InvalidInput, match="size"):
        pipelined_broadcast(legrand_fig1(), "Ps", size)  # type: ignore[arg-type]


def test_unreachable_nodes_are_refused() -> None:
    with pytest.raises(InvalidInput, match="no path leads from a to c"):
        pipelined_broadcast(Platform("abc", [("a", "b", 1)]), "a", 1)


def test_odd_cycles_under_half_duplex() -> None:
    pairs = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e"), ("e", "a"), ("a", "c")]
    odd = Platform("abcde", [(*ends, 1, 1) for u, v in pairs for ends in ((u, v), (v, u))])
    for size in (1, 50):
        run = pipelined_broadcast(odd, "a", size, ports="half-duplex")
        claim = exactsched.check(run.certificate())
        assert (
            claim.makespan
            == run.makespan
            <= pipelined_guarantee(odd, "a", size, ports="half-duplex")
        )
        assert claim.bound == run.bound > 2 * size  # at most two edges at a time, four needed


def test_a_larger_bound_is_rejected() -> None:
    document = pipelined_broadcast(with_latencies(legrand_fig1()), "Ps", 10).certificate()
    document["proof"]["startup_cuts"][0][2] = 100
    with pytest.raises(Rejected, match="priced time"):
        exactsched.check(document)


@settings(max_examples=2)
@given(broadcasts(max_nodes=3))
def test_without_latencies_other_sizes_are_multiples(problem: Broadcast) -> None:
    """The curve computes one size only; one by one they are the same."""
    platform, source, ports = problem.platform, problem.source, problem.ports
    if ports == "half-duplex":
        ports = "one-port"
    sizes = [Fraction(2, 7), Fraction(10**6)]
    one_by_one = [ratio_curve(platform, source, [size], ports=ports)[0] for size in sizes]
    assert ratio_curve(platform, source, sizes, ports=ports) == one_by_one
