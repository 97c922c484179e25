"""Overlays on random machines, and broadcasts without a plan.

Section V of Beaumont, Eyraud-Dubois and Agrawal (2010).

Why these instances: a row of the experiments at the largest size of the paper, for a small and a
large degree; decentralized broadcasts on the augmented overlays of random machines, below the
throughput, at it and above it, and on many machines of all lists of bandwidths.  All tables and
figures of the experiments: `python benchmarks/overlay_experiments.py`.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from conftest import TIMER
from overlay_experiments import experiment

from exactsched.certificate.overlay import Overlay
from exactsched.model.machine import MultiPort
from exactsched.overlay.augmented import augmented_overlay
from exactsched.platforms.random_machines import SHAPES, bandwidth_trace, sample_machine
from exactsched.simulation.peers import decentralized

pytestmark = pytest.mark.benchmark(timer=TIMER)


@pytest.mark.parametrize("degree", [2, 10])
@pytest.mark.parametrize("shape", SHAPES)
def test_experiment(benchmark, shape, degree):
    """30 machines with n = 1000."""
    values = bandwidth_trace(shape)
    row = benchmark.pedantic(experiment, (1000, degree, values, "fastest"), rounds=1)
    benchmark.extra_info.update(
        tree=row.tree, acyclic=row.acyclic, acyclic_equal=row.equal, without_degrees=row.free
    )


@pytest.mark.parametrize("share", ["1/2", "9/10", "19/20", "99/100", "1", "11/10"])
@pytest.mark.parametrize(("count", "packets"), [(10, 10_000), (100, 4000), (1000, 2000)])
def test_decentralized(benchmark, count, packets, share):
    """Random useful packets, degree 4, the fastest node as the source: rates and backlogs."""
    overlay = overlay_with_a_fast_source(sample_machine(count, 4, 1))
    rate = Fraction(share) * overlay.throughput
    options = {"seed": 1, "rate": rate}
    report = benchmark.pedantic(decentralized, (overlay, packets), options, rounds=1)
    benchmark.extra_info.update(
        least_rate=float(min(report.rates) / overlay.throughput),
        behind_halfway=report.backlogs[len(report.backlogs) // 2],
        behind=report.backlogs[-1],
        ticks_after_the_last=max(report.finished) - report.finished[0],
        slowest_arc=float(
            min(sum(b - a for a, b in pieces) for _, _, pieces in overlay.arcs) / overlay.parts
        ),
    )


@pytest.mark.parametrize("share", ["9/10", "19/20", "1"])
def test_decentralized_on_many_machines(benchmark, share):
    """40 machines with n = 50: all lists of bandwidths, d = 2 and 4, five seeds; 2000 packets."""
    runs = [
        (overlay_with_a_fast_source(sample_machine(50, degree, seed, bandwidth_trace(shape))), seed)
        for shape in SHAPES
        for degree in (2, 4)
        for seed in range(5)
    ]

    def play():
        return [
            decentralized(overlay, 2000, seed=seed, rate=Fraction(share) * overlay.throughput)
            for overlay, seed in runs
        ]

    reports = benchmark.pedantic(play, rounds=1)
    benchmark.extra_info.update(
        least_rate=float(min(min(report.rates) / report.rate for report in reports)),
        behind_halfway=max(report.backlogs[len(report.backlogs) // 2] for report in reports),
        behind=max(report.backlogs[-1] for report in reports),
    )


def overlay_with_a_fast_source(machine: MultiPort) -> Overlay:
    return augmented_overlay(MultiPort(sorted(machine.bandwidths, reverse=True), machine.degrees))
