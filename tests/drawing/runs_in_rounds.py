"""Runs in rounds to be drawn, and what happens in them by definition."""

from __future__ import annotations

from functools import cache

from exactsched.certificate import parse
from exactsched.certificate.synchronous import SynchronousRun
from exactsched.platforms.built_in import grid
from exactsched.synchronous.baselines import grid_tree, tree_broadcast
from exactsched.synchronous.graph import synchronous_graph
from exactsched.synchronous.saturation import broadcast_in_rounds
from tests.check.refusals.broadcasts import accepted, files

NAMES = [f"rounds/{name}" for name in files("accepted/rounds")]
PAIR = SynchronousRun(
    2, ((0, 1, 1),), "half-duplex", ((0, 2),), (((0, 0),), ((0, 1),)), 2, 2, (), True, ()
)
ALONE = SynchronousRun(1, (), "half-duplex", ((0, 7),), (), 0, 0, (), True, ())


@cache
def ours(*sides: int, packets: int, ports: str = "half-duplex") -> SynchronousRun:
    return broadcast_in_rounds(synchronous_graph(grid(*sides), 0), packets, ports, effort=0)


@cache
def tree(*sides: int, packets: int) -> SynchronousRun:
    return tree_broadcast(synchronous_graph(grid(*sides), 0), packets, grid_tree(*sides))


def corpus(name: str) -> SynchronousRun:
    record = parse(accepted(name))
    assert isinstance(record, SynchronousRun)
    return record


def transfers(run: SynchronousRun) -> list[tuple[int, int, int, int]]:
    """Start, end, arc and packet of every transfer."""
    return [
        (step, step + run.arcs[arc][2], arc, packet)
        for step, row in enumerate(run.sends)
        for arc, packet in row
    ]


def have_after(run: SynchronousRun, time: int) -> list[int]:
    """How many packets every node has, by definition."""
    have = [sum(number for node, number in run.origins if node == v) for v in range(run.size)]
    for _, end, arc, _ in transfers(run):
        have[run.arcs[arc][1]] += end <= time
    return have
