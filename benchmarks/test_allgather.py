"""Allgathers over switches.

Machines and fat trees: the exact rate, trees and a certificate.  The machines are built-in, with
nominal bandwidths; a group is all nodes that are no switches. `seconds` are those of `allgather`,
from the platform to weighted trees; `schedule` adds the period and the document.  `links` and
`depth` count paths from node to node of the group and arcs: an arc into a switch and one out of it
are two.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from conftest import TIMER, checked, timed

from exactsched import allgather, built_in
from exactsched.model.platform import Node, Platform
from exactsched.steady_state.chunks import chunks_per_shard, loss

pytestmark = pytest.mark.benchmark(timer=TIMER)

RATES = {
    "dgx-a100:1": Fraction(300, 7),
    "dgx-a100:2": Fraction(65, 3),
    "dgx-h100:2": Fraction(100, 3),
    "mi250:2": Fraction(166, 15),
    "mi250:4": Fraction(16, 3),
    "dgx-a100:4": Fraction(25, 3),
    "dgx-h100:4": Fraction(500, 31),
    "dgx-h100:8": Fraction(50, 7),
    "dgx-h100:16": Fraction(10, 3),
    "fat-tree:6": Fraction(1, 53),
}


def group(platform: Platform) -> list[Node]:
    """All nodes that are no switches."""
    return [node for node in platform.nodes if node not in platform.switches]


@pytest.mark.parametrize("prefer", ["shallow", "few"])
@pytest.mark.parametrize("name", RATES)
def test_allgather(benchmark, name, prefer):
    platform = built_in(name)
    nodes = group(platform)
    solution = benchmark.pedantic(allgather, (platform, nodes), {"prefer": prefer}, rounds=2)
    assert solution.throughput == solution.bound == RATES[name]
    # A schedule is made once.
    _, once = timed(allgather(platform, nodes, prefer=prefer).certificate)
    document, again = timed(solution.certificate)
    planned = min(once, again)
    benchmark.extra_info.update(
        group=len(nodes),
        arcs=len(platform.arcs),
        trees=len(solution.structures),
        depth=solution.depth,
        operations=int(solution.throughput * solution.schedule.period),
        schedule=round(planned, 3),
        **checked(benchmark, document, planned),
    )


@pytest.mark.parametrize(
    ("name", "prefer"),
    [
        ("dgx-h100:64", "shallow"),
        ("fat-tree:8", "shallow"),
        ("fat-tree:8", "few"),
        ("fat-tree:10", "shallow"),
    ],
)
def test_large(benchmark, name, prefer):
    """512 accelerators; 128 hosts behind 80 switches, 250 hosts behind 125."""
    platform = built_in(name)
    solution = benchmark.pedantic(allgather, (platform,), {"prefer": prefer}, rounds=1)
    assert solution.throughput == solution.bound
    document, planned = timed(solution.certificate)
    benchmark.extra_info.update(
        schedule=round(planned, 3),
        **checked(benchmark, document, planned),
        group=len(group(platform)),
        arcs=len(platform.arcs),
        trees=len(solution.structures),
        depth=solution.depth,
    )


@pytest.mark.parametrize("chunks", [1, 8, 64])
@pytest.mark.parametrize(
    "name", ["dgx-a100:2", "dgx-h100:4", "mi250:2", "fat-tree:6", "fat-tree:8"]
)
def test_chunks(benchmark, name, chunks):
    solution = benchmark.pedantic(allgather, (built_in(name),), {"chunks": chunks}, rounds=1)
    benchmark.extra_info.update(
        used=chunks_per_shard(solution.structures),
        loss=f"{float(100 * loss(solution.throughput, solution.bound)):.3f} %",
        trees=len(solution.structures),
        depth=solution.depth,
    )


@pytest.mark.parametrize(
    ("name", "depth"),
    [("dgx-a100:2", 6), ("dgx-h100:2", 4), ("dgx-h100:4", 4), ("mi250:2", 12), ("mi250:2", 8)],
)
def test_depth(benchmark, name, depth):
    solution = benchmark.pedantic(allgather, (built_in(name),), {"depth": depth}, rounds=1)
    assert solution.optimal
    assert solution.depth <= depth
    benchmark.extra_info.update(trees=len(solution.structures), found=solution.depth)
