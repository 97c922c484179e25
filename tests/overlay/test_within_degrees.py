"""Overlays that keep the degrees, made quickly: valid, never worse than a tree or equal serving."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.check import check
from exactsched.model.machine import MultiPort
from exactsched.oracles.overlay import overlay_fault, receivers
from exactsched.overlay import exact
from exactsched.overlay.bounds import throughput_bound, tree_bound
from exactsched.overlay.exact import optimal_overlay
from exactsched.overlay.tree import best_tree
from exactsched.overlay.within_degrees import overlay_within_degrees
from tests.overlay.machines import machines


@given(machines())
def test_degrees_are_kept_and_no_tree_is_faster(machine: MultiPort) -> None:
    overlay = overlay_within_degrees(machine)
    assert not overlay_fault(overlay)
    used = receivers(overlay)
    assert all(count <= degree for count, degree in zip(used, machine.degrees, strict=True))
    claim = check(overlay)
    assert claim.optimal == (claim.throughput == throughput_bound(machine))
    assert claim.throughput >= best_tree(machine).throughput


def test_what_is_left_can_be_dropped() -> None:
    machine = MultiPort([2, 1, 0], [2, 1, 0])
    assert overlay_within_degrees(machine).throughput == throughput_bound(machine)
    # A tree has rate 1; served in turn, b sends a part to c and the rest to d, which c completes.
    machine = MultiPort(["5/2", "3/2", 1, "1/2", 0], [2, 1, 2, 1, 0])
    assert best_tree(machine).throughput == 1
    assert 1 < overlay_within_degrees(machine).throughput <= throughput_bound(machine)


def test_large_machines_are_not_searched() -> None:
    source = Random(5)
    bandwidths = [100] + [source.randint(1, 30) for _ in range(150)]
    machine = MultiPort(bandwidths, [2] + [source.randint(1, 2) for _ in range(150)])
    overlay = optimal_overlay(machine, time_limit=0.0)
    assert overlay == overlay_within_degrees(machine)
    claim = check(overlay)
    assert not claim.optimal
    assert claim.excess == 0
    assert claim.throughput * 5 > claim.bound * 4


@given(machines(), st.randoms(use_true_random=False))
def test_on_given_arcs_a_tree_within_the_degrees(machine: MultiPort, source: Random) -> None:
    nodes = range(machine.size)
    arcs = [(i, j) for i in nodes for j in nodes[1:] if i != j and source.random() < 0.7] or [
        (0, 1)
    ]
    given_arcs = MultiPort(machine.bandwidths, machine.degrees, machine.incoming, arcs)
    overlay = overlay_within_degrees(given_arcs)
    assert not overlay_fault(overlay)
    used = receivers(overlay)
    assert all(count <= degree for count, degree in zip(used, machine.degrees, strict=True))
    assert overlay.throughput <= tree_bound(given_arcs)
    assert len(overlay.arcs) in (0, machine.size - 1)
    assert check(overlay).bound == throughput_bound(given_arcs)


def test_a_tree_on_given_arcs() -> None:
    # Nobody but the source can serve 2, which can serve 1; 3 is served by the faster one.
    machine = MultiPort([5, 4, 3, 0], [1, 1, 1, 0], arcs=[(0, 1), (0, 2), (2, 1), (1, 3), (2, 3)])
    overlay = overlay_within_degrees(machine)
    assert [row[:2] for row in overlay.arcs] == [(0, 2), (1, 3), (2, 1)]
    assert (overlay.throughput, overlay.parts) == (3, 1)
    # One receiver each is as fast as the slower of two senders, and better than two of one.
    machine = MultiPort([4, 3, 0], [2, 1, 0], arcs=[(0, 1), (0, 2), (1, 2)])
    assert overlay_within_degrees(machine).throughput == 3
    machine = MultiPort([4, 3, 0], [1, 0, 0], arcs=[(0, 1), (0, 2), (1, 2)])
    assert overlay_within_degrees(machine).arcs == ()


def test_many_given_arcs_are_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = MultiPort([4, 3, 0], [2, 1, 0], arcs=[(0, 1), (0, 2), (1, 2)])
    assert optimal_overlay(machine).throughput == Fraction(7, 2)
    monkeypatch.setattr(exact, "MOST_ARCS", 2)
    assert optimal_overlay(machine) == overlay_within_degrees(machine)


def test_at_a_limit_there_is_at_least_the_tree() -> None:
    machine = MultiPort([4, 3, 0], [2, 1, 0], arcs=[(0, 1), (0, 2), (1, 2)])
    overlay = optimal_overlay(machine, time_limit=0.0)
    assert overlay.throughput >= overlay_within_degrees(machine).throughput == 3
