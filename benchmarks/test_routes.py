"""Fixed routes.

Collectives over the fixed routes of SimGrid files: clusters that are a torus or a fat tree.  Links
of 100 bytes per second in both directions at once; every host has a speed, and no latency matters.
A pair of hosts is an arc over all links of its route, so 16 hosts have 240 arcs. `seconds` are
those of the solver, `read` of the reader, `schedule` of the period and the document.  Rates are in
operations per second on messages of one byte.
"""

from __future__ import annotations

from itertools import permutations

import pytest
from conftest import TIMER, best_of, checked, timed

from exactsched import allgather, alltoall, order_free_allreduce
from exactsched.platforms.simgrid_files.reader import read_simgrid

pytestmark = pytest.mark.benchmark(timer=TIMER)

CLUSTERS = {
    "torus 3x3": ("TORUS", "3,3", 9),
    "torus 4x4": ("TORUS", "4,4", 16),
    "fat tree 2;2,4;1,2;1,1": ("FAT_TREE", "2;2,4;1,2;1,1", 8),
    "fat tree 2;4,4;1,2;1,2": ("FAT_TREE", "2;4,4;1,2;1,2", 16),
}
COLLECTIVES = {
    "allgather": lambda platform: allgather(platform, ports="routes"),
    "allreduce": lambda platform: order_free_allreduce(platform, ports="routes"),
    "alltoall": lambda platform: alltoall(
        platform, list(permutations(platform.nodes, 2)), ports="routes"
    ),
}


def file_of(kind: str, parameters: str, count: int) -> str:
    return (
        '<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">'
        f'<platform version="4"><cluster id="C" prefix="" suffix="" radical="0-{count - 1}"'
        f' speed="1Gf" bw="100Bps" lat="1us" topology="{kind}" topo_parameters="{parameters}"/>'
        "</platform>"
    )


@pytest.mark.parametrize("name", CLUSTERS)
@pytest.mark.parametrize("collective", COLLECTIVES)
def test_routes(benchmark, collective, name):
    written = file_of(*CLUSTERS[name])
    platform = read_simgrid(written)
    reading = best_of(1, lambda: read_simgrid(written))
    solution = benchmark.pedantic(COLLECTIVES[collective], (platform,), rounds=1)
    assert solution.optimal
    document, planned = timed(solution.certificate)
    benchmark.extra_info.update(
        arcs=len(platform.arcs),
        links=len(platform.links),
        throughput=str(solution.throughput),
        rounds=solution.rounds,
        structures=len(solution.structures),
        read=round(reading, 4),
        schedule=round(planned, 3),
        **checked(benchmark, document, planned),
    )
