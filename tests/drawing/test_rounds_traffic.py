"""Runs in rounds as numbers over time, and the words that prove their bounds."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings

from exactsched.certificate.synchronous import OccupancyProof, SynchronousRun
from exactsched.check import check
from exactsched.check.synchronous.bounds import least_steps
from exactsched.drawing.rounds.traffic import RoundTraffic
from exactsched.drawing.words.rounds import bound_in_words, counted_until
from exactsched.model.platform import Platform
from exactsched.platforms.built_in import complete, ring
from exactsched.synchronous.graph import synchronous_graph
from exactsched.synchronous.saturation import broadcast_in_rounds
from tests.check.test_rounds import runs
from tests.drawing.runs_in_rounds import PAIR, corpus, have_after, ours, transfers


@settings(max_examples=50)
@given(runs())
def test_numbers_over_time_are_those_of_the_definition(run: SynchronousRun) -> None:
    traffic = RoundTraffic(run)
    every = transfers(run)
    assert traffic.end == run.steps
    counts = [sum(start <= t < end for start, end, _, _ in every) for t in range(run.steps)]
    assert [traffic.under_way(t) for t in range(run.steps)] == counts
    assert traffic.mean() * run.steps == sum(counts)
    assert max(counts, default=0) <= traffic.ceiling
    lacks = {lack.time: lack for lack in traffic.lacks(10**6)}
    assert bool(lacks) == bool(traffic.receivers)
    known = min(lacks, default=0)
    for time in range(run.steps + 1 if lacks else 0):
        lacking = [traffic.packets - have_after(run, time)[node] for node in traffic.receivers]
        known = time if time in lacks else known
        lack = lacks[known]
        mean = Fraction(sum(lacking), len(lacking))
        assert (lack.fewest, lack.mean, lack.most) == (min(lacking), mean, max(lacking))
    informed = [time for time in range(run.steps + 1) if min(have_after(run, time))]
    assert traffic.stages()[0] == informed[0]
    full = [
        time
        for time in range(run.steps + 1)
        if any(have_after(run, time)[node] == traffic.packets for node in traffic.receivers)
    ]
    assert traffic.stages()[1] == (full[0] if full else traffic.end)


@settings(max_examples=50)
@given(runs())
def test_moments_are_those_of_the_definition(run: SynchronousRun) -> None:
    traffic = RoundTraffic(run)
    every = transfers(run)
    for moment in traffic.moments(range(run.steps)):
        assert list(moment.have) == have_after(run, moment.step)
        arrived = Counter(packet for _, end, _, packet in every if end <= moment.step)
        assert sorted(moment.transfers) == sorted(
            (arc, packet, 1 + arrived[packet], start < moment.step)
            for start, end, arc, packet in every
            if start <= moment.step < end
        )


@settings(max_examples=60)
@given(runs())
def test_no_run_exceeds_what_counting_allows(run: SynchronousRun) -> None:
    traffic = RoundTraffic(run)
    course = traffic.capacity()
    for step in range(run.steps):
        allowed = next(number for time, number in reversed(course) if time <= step)
        assert traffic.under_way(step) <= allowed <= traffic.ceiling
    assert counted_until(course, traffic.work) <= run.steps


@pytest.mark.parametrize("ports", ["half-duplex", "one-port"])
def test_what_counting_allows_on_a_grid(ports: str) -> None:
    """1, 2, 4, 7, 11, 14, 16 nodes may have a packet after 0, 1, ... steps, and not more.

    The diagonals have 1, 2, 3, 4, 3, 2, 1 nodes, and j of them C(j, k) at distance k after j steps,
    if there are that many.  In step 3 half-duplex pairs need the even diagonals: 1 + 3 + 1 nodes.
    """
    course = RoundTraffic(ours(4, 4, packets=5, ports=ports)).capacity()
    sides = {"half-duplex": [1, 2, 3, 5, 7, 8], "one-port": [1, 2, 4, 7, 11, 14, 15]}
    assert [number for _, number in course] == sides[ports]
    assert [time for time, _ in course] == list(range(len(course)))


def test_what_has_everything_is_no_receiver() -> None:
    """Node 2 is out of reach: of the two nodes that may have a packet one receives."""
    traffic = RoundTraffic(replace(PAIR, size=3, ports="one-port"))
    assert traffic.capacity() == [(0, 1)]
    assert traffic.ceiling == 2


def test_where_a_line_keeps_its_height_both_ends_are_known() -> None:
    """The transfers end at the times 3, 9 and 12, of 12."""
    arcs = ((0, 1, 3), (0, 2, 9), (1, 3, 9))
    run = SynchronousRun(
        4, arcs, "one-port", ((0, 1),), (((0, 0),), (), (), ((1, 0), (2, 0))), 12, 12, (), False, ()
    )
    lacks = [(lack.time, lack.mean) for lack in RoundTraffic(run).lacks(100)]
    assert lacks == [(0, 1), (2, 1), (3, Fraction(2, 3)), (11, Fraction(2, 3)), (12, 0)]


@settings(max_examples=60)
@given(runs())
def test_the_words_give_the_bound(run: SynchronousRun) -> None:
    check(run)
    for said in bound_in_words(RoundTraffic(run)):
        if said.startswith(("There is nothing", "The certificate states")):
            continue
        numbers = re.findall(r"([\d,]+) steps?(?: at least)?\.", said)
        numbers += re.findall(r"as well: ([\d,]+)\.", said)
        assert int(numbers[-1].replace(",", "")) == run.bound == least_steps(run), said


def test_which_bounds_are_told() -> None:
    rules = {
        "path": {"Counting"},
        "ring-one-port": {"Counting", "Distances"},
        "star-with-occupancy": {"Counting", "Occupancy"},
        "slow-arcs-with-occupancy": {"Occupancy"},
        "occupancy-of-a-slow-arc": {"Ports", "Counting", "Distances", "Occupancy"},
    }
    for name, expected in rules.items():
        said = bound_in_words(RoundTraffic(corpus(f"rounds/{name}")))
        assert {line.split(":")[0] for line in said} == expected, (name, said)


def test_few_nodes_have_packets_at_first_but_not_in_an_all_gather() -> None:
    needed = "Counting: what the nodes lack takes 75 transfers"
    few = f"{needed}. At first few nodes can have a packet and send it, and no more than 8 "
    assert bound_in_words(RoundTraffic(ours(4, 4, packets=5)))[0].startswith(few)
    everybody = broadcast_in_rounds(synchronous_graph(ring(8), *range(8)), 3, "one-port", effort=0)
    assert (
        "Counting: what the nodes lack takes 168 transfers, and no more than 8"
        " transfers can be under way together: this takes 21 steps."
    ) in bound_in_words(RoundTraffic(everybody))


def test_the_last_of_some_packets_goes_to_the_end_of_a_line() -> None:
    """Arcs of 1, 2, 3 and 1 steps: 7 in all, and the third packet leaves in step 2."""
    arcs = [(node, node + 1, duration) for node, duration in enumerate((1, 2, 3, 1))]
    run = broadcast_in_rounds(synchronous_graph(Platform(range(5), arcs), 0), 3, "one-port")
    said = bound_in_words(RoundTraffic(replace(run, bound=9)))
    told = "leaves node 0 after all others leaves it in step 2 or later, and the farthest node is 7"
    assert f"Distances: the packet that {told} steps away: this takes 9 steps." in said


def test_ports_receive_and_send() -> None:
    arcs = ((0, 1, 1), (1, 0, 2))
    sends = ((0, 0),), ((0, 1),), ((1, 2),), (), ((1, 3),), (), ((1, 4),)
    swap = SynchronousRun(
        2, arcs, "half-duplex", ((0, 2), (1, 3)), sends, 8, 8, (), True, ("a", "b")
    )
    check(swap)
    told = "Ports: node a has to receive 3 packets and to send 2 of its own"
    assert f"{told}, which keeps a port busy for 8 steps at least." in bound_in_words(
        RoundTraffic(swap)
    )
    sends = ((0, 0), (1, 2)), ((0, 1),), ((1, 3),), (), ((1, 4),)
    one_port = replace(swap, ports="one-port", sends=sends, steps=6, bound=6)
    check(one_port)
    told = "Ports: node a has to receive 3 packets, which keeps a port busy for 6 steps at least."
    assert told in bound_in_words(RoundTraffic(one_port))
    told = "Ports: node 0 has to send 2 packets of its own, which keeps a port busy for 2 steps"
    assert f"{told} at least." in bound_in_words(RoundTraffic(replace(PAIR, ports="one-port")))


def test_an_odd_set_pays_for_its_pairs() -> None:
    """Three nodes, one pair: price 1 in a step, and each of 4 packets enters two nodes."""
    proof = OccupancyProof(
        (Fraction(0),) * 3, (((0, 1, 2), Fraction(1)),), (((1,), Fraction(1)), ((2,), Fraction(1)))
    )
    run = broadcast_in_rounds(synchronous_graph(complete(3), 0), 4, effort=0)
    run = replace(run, occupancy=(proof,))
    check(run)
    assert (
        "Occupancy: prices of the ports and 1 odd set pay 1 in a step at most. All packets together"
        " cost 8, since they enter 2 cuts: this takes 8 steps."
    ) in bound_in_words(RoundTraffic(run))


def test_durations_with_a_common_divisor() -> None:
    """Two steps each: 1, 1, 2, 2, 2 transfers under way make 8 steps of them, but 5 is odd."""
    slow = Platform(range(5), [(i, j, 2) for i in range(5) for j in range(5) if i != j])
    run = broadcast_in_rounds(synchronous_graph(slow, 0), 1)
    check(run)
    [said] = bound_in_words(RoundTraffic(run))
    assert "what the nodes lack takes 8 steps of transfers" in said
    assert "this takes 5 steps. Every duration is a multiple of 2, so" in said
    assert said.endswith("as well: 6.")
    assert run.bound == 6
