"""Links around switches.

Switches of GPU machines and fat trees are split off at the largest rate of an allgather, and
branchings are packed into the links.  The machines are built-in, with nominal bandwidths; every
GPU, die or host has one shard.  `spread` is the argument of `split_off`: links to all nodes behind
a switch make the trees shallow; with 0, one pair after the other, the nodes of a box form a ring.

`searches` are those for an unmet set; `packing` are the seconds of `pack_branchings` afterwards,
`depth` is that of the trees, in links.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from conftest import TIMER, best_of, checked

import exactsched.graphs.switch_pairing
from exactsched.certificate.graphs import BranchingPacking, SplittingOff, UnmetDemand
from exactsched.graphs.branching_packing import pack_branchings
from exactsched.graphs.splitting_off import split_off
from exactsched.platforms.built_in import built_in

pytestmark = pytest.mark.benchmark(timer=TIMER)

# With the largest rate of an allgather; just above it there are no links.
RATES = {
    "dgx-a100:2": Fraction(65, 3),
    "dgx-a100:4": Fraction(25, 3),
    "dgx-h100:2": Fraction(100, 3),
    "dgx-h100:4": Fraction(500, 31),
    "dgx-h100:16": Fraction(10, 3),
    "mi250:2": Fraction(166, 15),
    "fat-tree:6": Fraction(1, 53),
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
@pytest.mark.parametrize("name", RATES)
def test_links(benchmark, searches, name, spread):
    machine, rate = built_in(name), RATES[name]
    # Nodes that are no switches come first: links and trees are packed among these alone.
    terminals = [node for node in machine.nodes if node not in machine.switches]
    place = {node: index for index, node in enumerate([*terminals, *machine.switches])}
    arcs = [(place[arc.tail], place[arc.head]) for arc in machine.arcs]
    capacities = [1 / arc.cost for arc in machine.arcs]
    size, count = len(place), len(terminals)
    rest = [0] * (size - count)
    asked: list[Any] = [size, arcs, capacities, range(count, size), [rate] * count + rest]
    stated = benchmark.pedantic(split_off, asked, {"spread": spread}, rounds=1)
    assert isinstance(stated, SplittingOff)
    counted = searches[0]
    above = [rate + Fraction(1, 10**9)] * count + rest
    assert isinstance(split_off(*asked[:4], above), UnmetDemand)
    ends = [(arcs[path[0]][0], arcs[path[-1]][1]) for path, _ in stated.links]
    roots = [([v], rate) for v in range(count)]
    widths = [capacity for _, capacity in stated.links]
    packed: list[Any] = []
    packing = best_of(
        1,
        lambda: packed.append(pack_branchings(count, ends, widths, roots, prefer="shallow")),
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
        **checked(benchmark, stated),
        packing=round(packing, 3),
        trees=len(trees.branchings),
        depth=max(depths),
        mean_depth=round(float(mean), 1),
    )
