"""Broadcasts in synchronous rounds.

Rows of the tables of the balanced saturation paper, half-duplex, from a corner.

Why these instances: the smallest graphs of tables 2-6 and the largest with most packets (speed and
memory), the longest grid (the row that is hardest to bring near its bound), and one pass without
retries on the largest graph.  All 48 rows: `python benchmarks/test_rounds.py [EFFORT]` prints them
with their bounds, the best published entry, and seconds.  The published algorithms as they run here
beside the printed figures: `python benchmarks/test_rounds.py published [TOPOLOGY ...]`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from fractions import Fraction
from itertools import product

import pytest
from conftest import TIMER, checked

from exactsched.check.synchronous.rounds import steps as checked_steps
from exactsched.synchronous.published import (
    ALGORITHMS,
    PACKETS,
    decimals,
    printed_entries,
    printed_graph,
    printed_plan,
    table_row,
)
from exactsched.synchronous.saturation import broadcast_in_rounds

pytestmark = pytest.mark.benchmark(timer=TIMER)

TOPOLOGIES = tuple(dict.fromkeys(topology for topology, _, _ in printed_entries()))


def best_published(topology: str, packets: int) -> int:
    """The best entry of the paper's four algorithms."""
    return min(
        entry.steps
        for (row, _, number), entry in printed_entries().items()
        if (row, number) == (topology, packets)
    )


@pytest.mark.parametrize(
    ("name", "packets", "effort"),
    [
        ("4x4", 2500, 16),
        ("16K3", 2500, 16),
        ("8x8", 2500, 16),
        ("16x64", 100, 16),
        ("32x32", 100, 0),
        ("32x32", 2500, 0),
    ],
)
def test_broadcast_in_steps(benchmark, name, packets, effort):
    """Steps, their proved bound, and the best published entry."""
    graph = printed_graph(name)
    run = benchmark.pedantic(broadcast_in_rounds, (graph, packets), {"effort": effort}, rounds=1)
    published = best_published(name, packets)
    assert checked_steps(run).steps <= published
    benchmark.extra_info.update(
        steps=run.steps,
        bound=run.bound,
        published=published,
        transfers=sum(map(len, run.sends)),
        **checked(benchmark, run),
    )


def print_rows(effort: int) -> None:
    """All rows, checked; a row that does not beat the published entry ends it."""
    print("| graph | packets | published | steps | bound | active arcs | seconds |")
    for packets, name in product(PACKETS, TOPOLOGIES):
        graph = printed_graph(name)
        start = TIMER()
        run = broadcast_in_rounds(graph, packets, effort=effort)
        seconds = TIMER() - start
        before = best_published(name, packets)
        if checked_steps(run).steps > before:
            raise SystemExit(f"{name}, {packets} packets: {run.steps} steps")
        active = packets * (graph.size - 1) / run.steps
        cells = (name, packets, before, run.steps, run.bound, f"{active:.1f}", f"{seconds:.1f}")
        print("|", " | ".join(map(str, cells)), "|", flush=True)


def print_published(names: Iterable[str]) -> None:
    """Tables 2 to 6 run again and checked: T, average active edges and T / T_BBS, ours (printed).

    BBS also with what its pipelines guarantee; its plan is found once for each topology.
    """
    print("| graph | packets | algorithm | steps | active edges | ratio | pipelined | seconds |")
    for name in names:
        start = TIMER()
        plan = printed_plan(name)
        print(f"| {name} | | plan of BBS | | | | | {TIMER() - start:.1f} |", flush=True)
        for packets in PACKETS:
            balanced = 0
            for algorithm in ALGORITHMS:
                start = TIMER()
                row = table_row(name, algorithm, packets)
                seconds = TIMER() - start
                steps = checked(row.run).steps
                balanced = balanced or steps
                printed = row.printed
                cells = (
                    name,
                    packets,
                    algorithm,
                    f"{steps} ({printed.steps})",
                    f"{decimals(row.active(), 1)} ({printed.active})",
                    f"{decimals(Fraction(steps, balanced), 2)} ({printed.ratio})",
                    plan.pipelined_steps(packets) if algorithm == "BBS" else "",
                    f"{seconds:.1f}",
                )
                print("|", " | ".join(map(str, cells)), "|", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["published"]:
        print_published(sys.argv[2:] or TOPOLOGIES)
    else:
        print_rows(int(sys.argv[1]) if len(sys.argv) > 1 else 16)
