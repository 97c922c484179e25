"""Decentralized broadcasts: what every run keeps, by definition, and the runs of fixed seeds."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from exactsched.certificate.overlay import Overlay
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.model.machine import MultiPort
from exactsched.overlay.augmented import augmented_overlay
from exactsched.overlay.partition import overlay_of_partition
from exactsched.overlay.sequential import acyclic_overlay
from exactsched.overlay.tree import best_tree
from exactsched.simulation.peers import MOMENTS, PeersReport, Transfer, decentralized, transfers

CYCLE = augmented_overlay(MultiPort([2, 1, 1], [2, 1, 1]))
PARTITION = overlay_of_partition([6, 7, 7, 6, 6, 8], [(0, 1, 2), (3, 4, 5)])

paces = st.fractions(Fraction(1, 3), 2, max_denominator=7)


@st.composite
def overlays(draw: st.DrawFn) -> Overlay:
    bandwidths = st.fractions(0, 9, max_denominator=4)
    size = draw(st.integers(2, 8))
    machine = MultiPort(
        [draw(st.integers(4, 20)), *draw(st.lists(bandwidths, min_size=size, max_size=size))],
        [2, *draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))],
    )
    method = draw(st.sampled_from([augmented_overlay, acyclic_overlay, best_tree]))
    overlay = method(machine)
    assume(overlay.throughput)
    return overlay


def share(overlay: Overlay, arc: tuple[int, int]) -> Fraction:
    (ranges,) = [pieces for sender, receiver, pieces in overlay.arcs if (sender, receiver) == arc]
    return Fraction(sum(stop - start for start, stop in ranges), overlay.parts)


def assert_possible(
    overlay: Overlay, packets: int, pace: Fraction, sent: list[Transfer]
) -> dict[tuple[int, int], int]:
    """Nobody sends what it has not, all receive all just once, arcs keep to their rates."""
    # When a node has a packet, and from when on it is being sent to the node.
    has: dict[tuple[int, int], int] = {}
    claimed: dict[tuple[int, int], int] = {}
    for packet in range(packets):
        tick = 0
        while tick * pace < packet:
            tick += 1
        has[0, packet] = tick
    on_arc: defaultdict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    assert [transfer[1] for transfer in sent] == sorted(transfer[1] for transfer in sent)
    for start, end, sender, receiver, packet in sent:
        assert (receiver, packet) not in has
        assert has[sender, packet] <= start < end
        has[receiver, packet], claimed[receiver, packet] = end, start
        on_arc[sender, receiver].append((start, end))
    everything = {
        (node, packet) for node in range(overlay.machine.size) for packet in range(packets)
    }
    assert set(has) == everything
    for arc, times in on_arc.items():
        rate = share(overlay, arc)
        for i, j in combinations_with_replacement(range(len(times)), 2):
            assert j - i + 1 < (times[j][1] - times[i][0] + 1) * rate
        # An arc that waits has nothing to send, and one that does not loses no time.
        for (_, end), (start, _) in pairwise([(0, 0), *times]):
            assert start >= end
            for tick in range(end, start):
                assert not any(
                    has[arc[0], packet] <= tick < claimed[arc[1], packet]
                    for packet in range(packets)
                )
    return has


@settings(max_examples=20)
@given(overlays(), paces, st.integers(10, 25), st.integers(0, 5))
def test_every_run_is_possible(overlay: Overlay, pace: Fraction, packets: int, seed: int) -> None:
    sent = list(transfers(overlay, packets, seed, pace))
    has = assert_possible(overlay, packets, pace, sent)
    report = decentralized(overlay, packets, seed=seed, rate=pace * overlay.throughput)
    assert report.rate == pace * overlay.throughput
    assert report.finished == tuple(
        max(has[node, packet] for packet in range(packets)) for node in range(overlay.machine.size)
    )
    last = has[0, packets - 1]
    assert [tick for tick, _ in report.history] == [last * k // MOMENTS for k in range(MOMENTS + 1)]
    for tick, received in report.history:
        for node, count in enumerate(received):
            assert count == sum(has[node, packet] <= tick for packet in range(packets))
    assert report.backlogs[-1] == packets - min(report.history[-1][1])
    (middle, before), (end, after) = report.history[5], report.history[-1]
    assert report.rates == tuple(
        (b - a) * Fraction(overlay.throughput) / (end - middle)
        for a, b in zip(before, after, strict=True)
    )
    assert report.makespan == max(report.finished) / Fraction(overlay.throughput)


@given(st.integers(1, 8), st.integers(0, 3))
def test_a_chain_delivers_in_order_and_at_once(length: int, seed: int) -> None:
    chain = best_tree(MultiPort([1] * length + [0], [1] * length + [0]))
    sent = sorted(transfers(chain, 12, seed, Fraction(1)))
    assert sent == sorted(
        (packet + node, packet + node + 1, node, node + 1, packet)
        for packet in range(12)
        for node in range(length)
    )


def test_a_slow_arc_works_without_a_break() -> None:
    """Arcs of 3/5 and 2/5 into one receiver: the k-th packet since they waited takes k / share."""
    machine = MultiPort([5, 0, 2], [2, 0, 1])
    arcs = ((0, 1, ((0, 3),)), (0, 2, ((0, 5),)), (2, 1, ((3, 5),)))
    overlay = Overlay(machine, "any", 5, arcs, 5, 5, (), True)
    ends = defaultdict(list)
    for _, end, sender, receiver, _ in transfers(overlay, 60, 0, Fraction(50)):
        ends[sender, receiver].append(end)
    # Packet 0 is at the source at tick 0, all others at 1.  At 1 node 2 has packet 0 only, which
    # is being sent to node 1, so it begins at 2.
    assert ends[0, 2] == list(range(1, 61))
    assert ends[0, 1][:6] == [2, 4, 5, 7, 9, 10]
    assert ends[2, 1][:6] == [5, 7, 10, 12, 15, 17]
    assert abs(len(ends[0, 1]) - 36) <= 1


def test_runs_are_reproducible_and_random() -> None:
    runs = [tuple(transfers(PARTITION, 40, seed, Fraction(1))) for seed in (0, 0, 1, 2)]
    assert runs[0] == runs[1]
    assert len(set(runs)) == 3


def test_only_shares_matter() -> None:
    """Not which parts an arc carries, nor the unit of bandwidths."""
    moved = []
    for sender, receiver, pieces in PARTITION.arcs:
        turned = [
            (PARTITION.parts - stop, PARTITION.parts - start) for start, stop in reversed(pieces)
        ]
        moved.append((sender, receiver, tuple(turned)))
    other = replace(PARTITION, arcs=tuple(moved))
    one, two = (list(transfers(overlay, 40, 3, Fraction(1))) for overlay in (PARTITION, other))
    assert one == two
    scaled = MultiPort([7 * b for b in CYCLE.machine.bandwidths], CYCLE.machine.degrees)
    fast, slow = decentralized(augmented_overlay(scaled), 99), decentralized(CYCLE, 99)
    assert (fast.history, fast.finished) == (slow.history, slow.finished)
    assert fast.rates == tuple(7 * rate for rate in slow.rates)
    assert 7 * fast.makespan == slow.makespan


def test_draws_are_uniform() -> None:
    """The second packet that node 1 gets of 11 that are there, over 600 seeds."""
    chain = best_tree(MultiPort([1, 1, 0], [1, 1, 0]))
    counts = [0] * 12
    for seed in range(600):
        first = next(iter(transfers(chain, 12, seed, Fraction(100))))
        second = next(t for t in transfers(chain, 12, seed, Fraction(100)) if t[0] == 1)
        assert first[4] == 0
        counts[second[4]] += 1
    assert counts[0] == 0
    assert min(counts[1:]) > 30
    assert max(counts[1:]) < 85


def test_a_fixed_run() -> None:
    report = decentralized(PARTITION, 400, seed=1, rate=19)
    assert str(report) == (
        "400 packets at rate 19, 95.0% of the throughput; all nodes received at 99.7% of that rate "
        "or more, were 12 packets behind at most when the last was injected, and had everything at "
        "108/5"
    )


def test_history_of_a_hand_made_report() -> None:
    history = tuple((10 * k, (10 * k, 9 * k)) for k in range(MOMENTS + 1))
    report = PeersReport(2, 1, 101, 0, history, (100, 120))
    assert report.rates == (2, Fraction(9, 5))
    assert report.backlogs == tuple(range(MOMENTS + 1))
    assert report.makespan == 60


# Refused ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("packets", "options", "reason"),
    [
        (9, {}, "packets: 9: .*at least 10"),
        (True, {}, "packets: True"),
        (10.0, {}, r"packets: 10\.0"),
        (10**7, {}, "packets: 10000000: at most 5000000 transfers"),
        (10, {"seed": "1"}, "seed: '1': a seed is an integer"),
        (10, {"seed": True}, "seed: True"),
        (10, {"rate": 0.5}, r"rate: 0\.5: a float is not exact"),
        (10, {"rate": 0}, "rate: '0': packets are injected at a positive rate"),
        (10, {"rate": "-1/2"}, "rate: '-1/2'"),
    ],
)
def test_numbers_are_refused(packets: int, options: dict[str, int], reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        decentralized(CYCLE, packets, **options)


def test_overlays_that_would_never_end_are_rejected() -> None:
    silent = augmented_overlay(MultiPort([0, 1, 1], [2, 1, 1]))
    with pytest.raises(Rejected, match="throughput: '0': nothing is sent"):
        decentralized(silent, 10)
    with pytest.raises(Rejected, match="received by node 1: 1: it receives 2 parts"):
        decentralized(replace(CYCLE, arcs=CYCLE.arcs[:-1]), 10)
    whole = ((0, 2),)
    apart = ((1, 2, whole), (2, 1, whole))
    with pytest.raises(Rejected, match="arcs: 1: no way leads from the source"):
        decentralized(replace(CYCLE, arcs=apart), 10)
    with pytest.raises(Rejected, match=r"arc \(0, 1\): 0: an arc carries a part"):
        decentralized(replace(CYCLE, arcs=((0, 1, ()), *CYCLE.arcs[1:])), 10)
