"""Runs in steps: rows of the tables of the balanced saturation paper, half-duplex, from a corner.

Why these instances: the smallest graphs of tables 2-6 and the largest with most packets (speed and
memory), the longest grid (the row that is hardest to bring near its bound), and one pass without
retries on the largest graph.  All 48 rows: `python benchmarks/test_steps.py [EFFORT]` prints them
with their bounds, the best published entry, and seconds.
"""

from __future__ import annotations

import sys

import pytest
from conftest import TIMER

from exactsched.check.steps import steps as checked
from exactsched.steps.graph import step_graph
from exactsched.steps.saturation import broadcast_in_steps
from exactsched.topologies import built_in

pytestmark = pytest.mark.benchmark(timer=TIMER)

# Tables 2-6: the best entry of the paper's four algorithms for 100, 500 and 2500 packets.
PUBLISHED = {
    "grid:4x4": (212, 1012, 5012),
    "grid:2x2x4": (209, 1009, 5009),
    "cubic-16": (206, 1006, 5006),
    "grid:4x16": (250, 1050, 5050),
    "grid:8x8": (231, 1031, 5031),
    "grid:4x4x4": (224, 1026, 5024),
    "grid:6x32": (317, 1114, 5114),
    "grid:12x16": (273, 1073, 5073),
    "grid:4x6x8": (242, 1042, 5042),
    "grid:8x64": (367, 1245, 5245),
    "grid:16x32": (328, 1128, 5128),
    "grid:4x8x16": (275, 1073, 5075),
    "grid:8x8x8": (259, 1062, 5059),
    "grid:16x64": (375, 1247, 5247),
    "grid:32x32": (343, 1182, 5182),
    "grid:8x8x16": (284, 1084, 5113),
}
PACKETS = (100, 500, 2500)


@pytest.mark.parametrize(
    ("name", "packets", "effort"),
    [
        ("grid:4x4", 2500, 16),
        ("cubic-16", 2500, 16),
        ("grid:8x8", 2500, 16),
        ("grid:16x64", 100, 16),
        ("grid:32x32", 100, 0),
        ("grid:32x32", 2500, 0),
    ],
)
def test_broadcast_in_steps(benchmark, name, packets, effort):
    """Steps, their proved bound, and the best published entry are in `extra_info`."""
    graph = step_graph(built_in(name), 0)
    run = benchmark.pedantic(broadcast_in_steps, (graph, packets), {"effort": effort}, rounds=1)
    published = PUBLISHED[name][PACKETS.index(packets)]
    assert checked(run).steps <= published
    benchmark.extra_info.update(
        steps=run.steps,
        bound=run.bound,
        published=published,
        transfers=sum(map(len, run.sends)) // 2,
    )


def print_rows(effort: int) -> None:
    """All rows, checked; a row that does not beat the published entry ends it."""
    print("| graph | packets | published | steps | bound | active arcs | seconds |")
    for packets, (name, published) in (
        (packets, row) for packets in PACKETS for row in PUBLISHED.items()
    ):
        graph = step_graph(built_in(name), 0)
        start = TIMER()
        run = broadcast_in_steps(graph, packets, effort=effort)
        seconds = TIMER() - start
        before = published[PACKETS.index(packets)]
        if checked(run).steps > before:
            raise SystemExit(f"{name}, {packets} packets: {run.steps} steps")
        active = packets * (graph.size - 1) / run.steps
        cells = (name, packets, before, run.steps, run.bound, f"{active:.1f}", f"{seconds:.1f}")
        print("|", " | ".join(map(str, cells)), "|", flush=True)


if __name__ == "__main__":
    print_rows(int(sys.argv[1]) if len(sys.argv) > 1 else 16)
