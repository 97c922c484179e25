"""Overlays that keep the degrees, made quickly: valid, never worse than a tree or equal serving."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from oracles_overlay import machines, proved_overlay

from exactsched.check import check
from exactsched.errors import InvalidInput
from exactsched.machine import MultiPort
from exactsched.overlay.bounds import throughput_bound
from exactsched.overlay.exact import optimal_overlay
from exactsched.overlay.tree import best_tree
from exactsched.overlay.within_degrees import overlay_within_degrees


@given(machines())
def test_degrees_are_kept_and_no_tree_is_faster(machine: MultiPort) -> None:
    overlay = overlay_within_degrees(machine)
    used = proved_overlay(overlay)
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
    overlay = optimal_overlay(machine, seconds=0.0)
    assert overlay == overlay_within_degrees(machine)
    claim = check(overlay)
    assert not claim.optimal
    assert claim.excess == 0
    assert claim.throughput * 5 > claim.bound * 4


def test_given_arcs_are_refused() -> None:
    with pytest.raises(InvalidInput, match="--method exact"):
        overlay_within_degrees(MultiPort([1, 1], [1, 1], arcs=[(0, 1)]))
