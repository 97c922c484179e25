"""Overlays with one receiver too many at most: every part of every one is followed."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import ceil, lcm
from os import environ
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.certificate.overlay import Overlay
from exactsched.check import check
from exactsched.exact.errors import InvalidInput
from exactsched.instances.choices import Seeded
from exactsched.instances.overlays import tight_machine
from exactsched.model.machine import MultiPort
from exactsched.oracles.overlay import (
    best_throughput,
    has_no_cycle,
    overlay_fault,
    rates_of,
    receivers,
    sent_at,
)
from exactsched.oracles.overlay_diversions import diversions, greedy, proportional, rates_fault
from exactsched.overlay.augmented import augmented_overlay, unconstrained_overlay
from exactsched.overlay.bounds import acyclic_bound, throughput_bound
from exactsched.overlay.sequential import acyclic_overlay
from tests.overlay.machines import machines

DEPTH = int(environ.get("EXACTSCHED_EXAMPLES", "1"))
METHODS = [augmented_overlay, acyclic_overlay, unconstrained_overlay]


def acyclic(overlay: Overlay) -> bool:
    return has_no_cycle(rates_of(overlay))


def one_too_many(overlay: Overlay) -> list[int]:
    """Follows all parts; out-degrees are at most ceil(X / T) + 1, and nothing without X."""
    machine, rate = overlay.machine, Fraction(overlay.throughput)
    assert not overlay_fault(overlay)
    used = receivers(overlay)
    for count, degree, limit in zip(used, machine.degrees, sent_at(machine, rate), strict=True):
        assert count <= degree + 1
        assert count == 0 or count <= ceil(limit / rate) + 1
    within = all(count <= degree for count, degree in zip(used, machine.degrees, strict=True))
    assert overlay.optimal == within
    assert overlay.bound == overlay.throughput
    assert len(overlay.arcs) <= 2 * machine.size
    assert sum(len(pieces) > 1 for *_, pieces in overlay.arcs) <= 1
    claim = check(overlay)
    assert (claim.throughput, claim.bound, claim.optimal) == (rate, overlay.bound, within)
    return used


def claims_hold(machine: MultiPort) -> None:
    """All that the three methods promise."""
    best = augmented_overlay(machine)
    one_too_many(best)
    assert best.throughput == throughput_bound(machine)
    sequential = acyclic_overlay(machine)
    one_too_many(sequential)
    assert acyclic(sequential)
    assert sequential.throughput == acyclic_bound(machine)
    assert acyclic(best) or best.throughput > sequential.throughput
    free = unconstrained_overlay(machine)
    one_too_many(free)
    assert free.optimal
    shared = sum(machine.bandwidths) / (machine.size - 1)
    assert free.throughput == min(machine.bandwidths[0], shared, *machine.incoming[1:])


@given(machines())
def test_claims_hold(machine):
    claims_hold(machine)


def test_claims_hold_on_a_campaign():
    """Machines of which all have to send all they can, in circles: 300, more if asked for."""
    circles = 0
    for number in range(300 * DEPTH):
        machine = tight_machine(Seeded(str(number)), 13)
        claims_hold(machine)
        circles += not acyclic(augmented_overlay(machine))
    assert circles > 200 * DEPTH


@pytest.mark.parametrize("size", [2, 3, 4, 5, 10, 11, 400])
def test_long_circles(size):
    """Nodes that lack 1 of T = n each: all but the source and the first are on the path."""
    machine = MultiPort([size - 1, *[size - 2] * (size - 1)], [1] * size)
    overlay = augmented_overlay(machine)
    assert overlay.throughput == size - 1
    assert overlay.parts <= 2 * size
    one_too_many(overlay)


def test_nodes_on_the_path_that_lack_different_amounts():
    """Deficits 1, 2, 4, 8, 16, ..., 2^17 of T = 2^18 - 1 are met in pairs."""
    lacking = [2**power for power in range(18)]
    rate = sum(lacking)
    machine = MultiPort([rate, *(rate - less for less in reversed(lacking))], [1] * 19)
    overlay = augmented_overlay(machine)
    assert overlay.throughput == rate
    one_too_many(overlay)


def test_a_large_one_is_accepted():
    chance = Random(3)
    size = 3000
    bandwidths = [
        Fraction(chance.randint(10**3, 10**5), chance.randint(1, 12)) for _ in range(size)
    ]
    machine = MultiPort(bandwidths, [2, *(chance.randint(1, 4) for _ in range(size - 1))])
    for method in METHODS:
        overlay = method(machine)
        assert check(overlay).throughput == overlay.throughput > 0


@given(machines(), st.integers(1, 50), st.integers(1, 50))
def test_scaled_machines_have_the_same_overlay(machine, over, under):
    factor = Fraction(over, under)
    other = MultiPort(
        [factor * bandwidth for bandwidth in machine.bandwidths],
        machine.degrees,
        [factor * bandwidth for bandwidth in machine.incoming],
    )
    for method in METHODS:
        overlay, scaled = method(machine), method(other)
        assert scaled.throughput == factor * overlay.throughput
        assert (scaled.arcs, scaled.parts) == (overlay.arcs, overlay.parts)


@pytest.mark.parametrize("method", METHODS)
def test_given_arcs_are_refused_in_one_line(method):
    with pytest.raises(InvalidInput, match="--method exact") as refused:
        method(MultiPort([1, 1], [1, 1], arcs=[(0, 1)]))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("method", METHODS)
def test_one_receiver_and_no_throughput(method):
    pair = method(MultiPort([3, 0], [1, 0]))
    assert (pair.throughput, pair.parts, pair.arcs) == (3, 1, ((0, 1, ((0, 1),)),))
    for nothing in (
        MultiPort([0, 1], [1, 1]),
        MultiPort([1, 1, 1], [1, 1, 1], [1, 1, 0]),
    ):
        assert method(nothing) == Overlay(
            method(nothing).machine, method(nothing).structure, 1, (), 0, 0, (), True
        )


# Degrees cannot be kept, and one more is enough: proofs/overlay-augmentation.md.


def test_one_receiver_more_is_needed():
    circle = MultiPort([2, 1, 1], [1, 1, 1])
    assert best_throughput(circle, "any") == 1
    assert augmented_overlay(circle).throughput == 2
    assert one_too_many(augmented_overlay(circle)) == [2, 1, 1]
    line = MultiPort([2, 1, 1, 0], [2, 1, 1, 0])
    assert best_throughput(line, "acyclic") == 1
    assert acyclic_overlay(line).throughput == Fraction(4, 3)
    assert one_too_many(acyclic_overlay(line)) == [2, 2, 1, 0]


@pytest.mark.parametrize(
    ("bandwidths", "degrees", "throughput"),
    [([2, 2, 1, 1], [1, 2, 1, 1], 2), ([2, 1, 1, 1, 1], [2, 1, 1, 2, 2], Fraction(3, 2))],
)
def test_a_node_with_room_serves_the_end_of_the_path(bandwidths, degrees, throughput):
    """The source has no room.  Node 1 has; in the second machine it gives up an arc for it."""
    overlay = augmented_overlay(MultiPort(bandwidths, degrees))
    assert overlay.throughput == throughput
    assert not acyclic(overlay)
    assert one_too_many(overlay)[1] == degrees[1]
    assert overlay.optimal


def test_a_node_with_room_that_serves_too_little():
    """Node 2 has room, but on its arc to 3 there are 2 parts of the 4 that the end has to get."""
    overlay = augmented_overlay(MultiPort([4, 5, 3, 1, 1, 1], [1, 2, 3, 3, 1, 1]))
    assert (2, 3, ((9, 11),)) in overlay.arcs
    assert (0, 5, ((7, 11),)) in overlay.arcs
    assert one_too_many(overlay)[:3] == [2, 2, 2]


@pytest.mark.parametrize("degree", range(1, 9))
def test_for_each_degree_a_node_of_algorithm_1_has_one_more(degree):
    """Node 1 completes a node, serves d - 1 entirely, and begins with one."""
    machine = MultiPort([3, 2 * degree, 1, *[0] * degree], [2, degree, 1, *[0] * degree])
    overlay = acyclic_overlay(machine)
    assert overlay.throughput == 2
    assert one_too_many(overlay)[1] == degree + 1


# The paper's construction, and what is wrong as printed.


def first_on_the_path(limits: list[Fraction], rate: Fraction) -> int:
    return next(k for k in range(1, len(limits)) if sum(limits[:k]) < k * rate)


@pytest.mark.parametrize("share", [greedy, proportional])
def test_diversions(share):
    """They have at most max(d + 2, 4) receivers, and if greedy max(d + 1, 3); all are needed."""
    most = 0
    for number in range(150 * DEPTH):
        machine = tight_machine(Seeded(str(number)), 7)
        rate = throughput_bound(machine)
        sending = sent_at(machine, rate)
        order = [0, *sorted(range(1, machine.size), key=lambda i: -sending[i])]
        limits, degrees = [sending[i] for i in order], [machine.degrees[i] for i in order]
        if sum(limits[:-1]) >= (machine.size - 1) * rate:
            continue
        allowed = [max(d + 1, 3) if share is greedy else max(d + 2, 4) for d in degrees]
        rates = diversions(limits, rate, first_on_the_path(limits, rate), share)
        assert not rates_fault(limits, rate, rates, allowed)
        used = Counter(i for i, _ in rates)
        most = max(most, *(used[i] - degree for i, degree in enumerate(degrees)))
    assert most == (2 if share is greedy else 3)


def test_proportional_diversions_have_long_numbers():
    limits, rate = [Fraction(20), *[Fraction(19)] * 20], Fraction(20)
    first = first_on_the_path(limits, rate)
    shares = [
        lcm(*(amount.denominator for amount in diversions(limits, rate, first, share).values()))
        for share in (greedy, proportional)
    ]
    assert shares[0] == 1
    assert shares[1] > 10**15
    assert augmented_overlay(MultiPort(limits, [1] * 21)).parts == 20


def test_the_printed_place_where_bandwidth_gets_short():
    """As printed, k0 is the least k with S_k < (k + 1) T, where M is negative; right is k0 + 1."""
    limits, rate = [Fraction(3), Fraction(3, 2), Fraction(1), Fraction(1, 2)], 2
    sums = [sum(limits[: k + 1]) for k in range(4)]  # S_k
    printed = next(k for k in range(4) if sums[k] < (k + 1) * rate)
    assert printed * rate - sums[printed - 1] == Fraction(-1, 2)
    right = next(k for k in range(1, 4) if sums[k - 1] < k * rate)
    assert (right, right * rate - sums[right - 1]) == (3, Fraction(1, 2))
    overlay = augmented_overlay(MultiPort(limits, [3, 2, 1, 1]))
    assert overlay.throughput == rate
    one_too_many(overlay)
    assert (3, 1) in {row[:2] for row in overlay.arcs}


def test_an_arbitrary_arc_may_end_at_the_node_itself():
    """Of the machine of figure 1, the arc (1, 2) carries M = 1, and 2 would send to itself."""
    machine = MultiPort([2, 1, 1], [2, 1, 1])
    rates = {(0, 1): 2, (1, 2): 1}  # Algorithm 1, until bandwidth gets short at k0 = 2
    missing = 2 * 2 - sum(machine.bandwidths[:2])
    assert missing == 1
    assert [arc for arc, amount in rates.items() if amount >= missing] == [(0, 1), (1, 2)]
    assert augmented_overlay(machine).throughput == 2
