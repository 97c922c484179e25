"""Links around switches.

Switches of GPU machines and fat trees are split off, and allgathers packed into the links.  The
machines are models with nominal bandwidths, in GB/s each way.  A `dgx-a100` box has 8 GPUs with 300
to its NVSwitch, and for each GPU a network card with 25, which hangs on one of two InfiniBand
switches.  `dgx-h100`: 450 to the NVSwitch, and GPU i of every box has 50 to rail switch i. `mi250`:
16 dies with links of 50 between them, several of them parallel, and 16 to one InfiniBand switch.
`fat-tree:k`: k pods of k/2 edge and k/2 aggregation switches, k^2/4 cores and k^3/4 hosts, all
links 1.  Every GPU, die or host has one shard, at the largest rate there is.

`searches` are those for an unmet set; `packing` are the seconds of `pack_branchings` afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from conftest import TIMER, best_of

import exactsched.graphs.switch_pairing
from exactsched.certificate.graphs import BranchingPacking, SplittingOff, UnmetDemand
from exactsched.check import check
from exactsched.graphs.branching_packing import pack_branchings
from exactsched.graphs.splitting_off import split_off

pytestmark = pytest.mark.benchmark(timer=TIMER)

_MI250 = {
    4: "0-1 2-3 4-5 6-7 8-9 10-11 12-13 14-15",
    2: "0-4 3-7 8-12 11-15",
    1: "0-8 1-5 1-9 1-10 2-6 2-9 2-10 3-11 4-6 5-6 5-7 9-13 10-14 12-14 13-14 13-15",
}


class Fabric:
    """Nodes are numbered as they come, those that are no switches first."""

    def __init__(self, terminals: int) -> None:
        self.terminals = self.size = terminals
        self.arcs: list[tuple[int, int]] = []
        self.capacities: list[int] = []

    def switches(self, count: int) -> range:
        self.size += count
        return range(self.size - count, self.size)

    def join(self, one: int, other: int, bandwidth: int) -> None:
        self.arcs += [(one, other), (other, one)]
        self.capacities += [bandwidth, bandwidth]

    def off(self) -> range:
        return range(self.terminals, self.size)


def dgx_a100(boxes: int) -> Fabric:
    made = Fabric(8 * boxes)
    inside, cards, rails = (made.switches(count) for count in (boxes, 8 * boxes, 2))
    for gpu in range(8 * boxes):
        made.join(gpu, inside[gpu // 8], 300)
        made.join(gpu, cards[gpu], 25)
        made.join(cards[gpu], rails[gpu % 2], 25)
    return made


def dgx_h100(boxes: int) -> Fabric:
    made = Fabric(8 * boxes)
    inside, rails = made.switches(boxes), made.switches(8)
    for gpu in range(8 * boxes):
        made.join(gpu, inside[gpu // 8], 450)
        made.join(gpu, rails[gpu % 8], 50)
    return made


def mi250(boxes: int) -> Fabric:
    made = Fabric(16 * boxes)
    [switch] = made.switches(1)
    for first in range(0, 16 * boxes, 16):
        for parallel, pairs in _MI250.items():
            for pair in pairs.split():
                one, other = pair.split("-")
                made.join(first + int(one), first + int(other), 50 * parallel)
    for die in range(16 * boxes):
        made.join(die, switch, 16)
    return made


def fat_tree(pods: int) -> Fabric:
    half = pods // 2
    made = Fabric(pods * half * half)
    edges, middles = made.switches(pods * half), made.switches(pods * half)
    cores = made.switches(half * half)
    for host in range(made.terminals):
        made.join(host, edges[host // half], 1)
    for pod in range(pods):
        for middle in range(half):
            number = pod * half + middle
            for other in range(half):
                made.join(edges[pod * half + other], middles[number], 1)
                made.join(middles[number], cores[middle * half + other], 1)
    return made


# With the largest rate of an allgather; just above it there are no links.
FABRICS: dict[str, tuple[Callable[[], Fabric], Fraction]] = {
    "dgx-a100:2": (lambda: dgx_a100(2), Fraction(65, 3)),
    "dgx-a100:4": (lambda: dgx_a100(4), Fraction(25, 3)),
    "dgx-h100:2": (lambda: dgx_h100(2), Fraction(100, 3)),
    "dgx-h100:4": (lambda: dgx_h100(4), Fraction(500, 31)),
    "dgx-h100:16": (lambda: dgx_h100(16), Fraction(10, 3)),
    "mi250:2": (lambda: mi250(2), Fraction(166, 15)),
    "fat-tree:6": (lambda: fat_tree(6), Fraction(1, 53)),
}


def depth(arcs: list[tuple[int, int]], chosen: tuple[int, ...]) -> int:
    """Of a branching whose arcs are listed from the root on."""
    level: dict[int, int] = {}
    for index in chosen:
        tail, head = arcs[index]
        level[head] = level.get(tail, 0) + 1
    return max(level.values())


@pytest.fixture
def searches(monkeypatch) -> list[int]:
    """How often an unmet set is looked for."""
    counted = [0]
    original = exactsched.graphs.switch_pairing.unmet_set

    def counting(*arguments):
        counted[0] += 1
        return original(*arguments)

    monkeypatch.setattr(exactsched.graphs.switch_pairing, "unmet_set", counting)
    return counted


@pytest.mark.parametrize("spread", [64, 4, 0])
@pytest.mark.parametrize("name", FABRICS)
def test_links(benchmark, searches, name, spread):
    make, rate = FABRICS[name]
    fabric = make()
    size, arcs, capacities = fabric.size, fabric.arcs, fabric.capacities
    rest = [0] * (size - fabric.terminals)
    asked: list[Any] = [size, arcs, capacities, fabric.off(), [rate] * fabric.terminals + rest]
    stated = benchmark.pedantic(split_off, asked, {"spread": spread}, rounds=1)
    assert isinstance(stated, SplittingOff)
    counted = searches[0]
    above = [rate + Fraction(1, 10**9)] * fabric.terminals + rest
    assert isinstance(split_off(*asked[:4], above), UnmetDemand)
    ends = [(arcs[path[0]][0], arcs[path[-1]][1]) for path, _ in stated.links]
    roots = [([v], rate) for v in range(fabric.terminals)]
    widths = [capacity for _, capacity in stated.links]
    packed: list[Any] = []
    packing = best_of(
        1,
        lambda: packed.append(
            pack_branchings(fabric.terminals, ends, widths, roots, prefer="shallow")
        ),
    )
    [trees] = packed
    assert isinstance(trees, BranchingPacking)
    depths = [depth(ends, chosen) for _, _, chosen in trees.branchings]
    weighed = zip(trees.branchings, depths, strict=True)
    mean = sum(weight * level for (_, weight, _), level in weighed) / sum(
        weight for _, weight, _ in trees.branchings
    )
    benchmark.extra_info.update(
        arcs=len(arcs),
        links=len(stated.links),
        searches=counted,
        check_seconds=round(best_of(1, lambda: check(stated)), 3),
        packing=round(packing, 3),
        trees=len(trees.branchings),
        depth=max(depths),
        mean_depth=round(float(mean), 1),
    )
