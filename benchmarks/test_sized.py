"""One operation of a given size.

`--size BYTES`: one allgather, and one broadcast, over fabrics with latencies.  The machines are
built-in: costs in seconds per GB, sizes in GB, a latency of 1 us on every arc. `ratio` is makespan
over lower bound, `segments` what was chosen, `rate` the size per time.  The platforms of the
broadcast are the graphs of the fabrics with nodes that are all alike: a pipelined broadcast refuses
switches.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from conftest import TIMER, checked, timed

from exactsched import Platform, built_in, pipelined_broadcast
from exactsched.runs.sized_allgather import sized_allgather

pytestmark = pytest.mark.benchmark(timer=TIMER)

LATENCY = Fraction(1, 10**6)
SIZES = {"1 MB": Fraction(1, 1000), "64 MB": Fraction(64, 1000), "1 GB": Fraction(1)}


def delayed(name: str) -> Platform:
    """The machine with the latency on every arc."""
    machine = built_in(name)
    return machine.with_arcs((arc.tail, arc.head, arc.cost, LATENCY) for arc in machine.arcs)


def told(benchmark, run, size):
    document, planned = timed(run.certificate)
    return {
        "segments": run.operations,
        "rows": len(run.rows),
        "makespan": f"{float(run.makespan):.6f}",
        "rate": f"{float(size / run.makespan):.1f}",
        "ratio": f"{float(run.makespan / run.bound):.4f}",
        **checked(benchmark, document, planned),
    }


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["dgx-a100:2", "dgx-h100:2", "mi250:2"])
def test_sized_allgather(benchmark, name, size):
    platform = delayed(name)
    run = benchmark.pedantic(sized_allgather, (platform, SIZES[size]), rounds=1)
    benchmark.extra_info.update(told(benchmark, run, SIZES[size]))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["fat-tree-graph:4", "torus:4x4x4"])
def test_sized_broadcast(benchmark, name, size):
    """Every link carries 50 GB/s here."""
    graph = built_in(name)
    arcs = [(arc.tail, arc.head, Fraction(1, 50), LATENCY) for arc in graph.arcs]
    platform = Platform(graph.nodes, arcs)
    asked = platform, graph.nodes[0], SIZES[size]
    run = benchmark.pedantic(pipelined_broadcast, asked, rounds=1)
    benchmark.extra_info.update(told(benchmark, run, SIZES[size]))
