"""When a reduce-scatter of whole blocks can end at the earliest, by trying all orders of calls."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from exactsched.model.platform import Node, Platform


def shortest_reduce_scatter_by_search(
    platform: Platform, blocks: Mapping[Node, Fraction]
) -> Fraction:
    """The least makespan under link ports; all nodes have values, `blocks` are those of targets.

    Of every block each node but the target sends one partial sum, once, and afterwards gets none.
    A schedule is given by the order of starts; every call starts as soon as its arc is free and
    what its tail was told has arrived.
    """
    arcs = platform.arcs
    ready = {(target, node): Fraction(0) for target in blocks for node in platform.nodes}
    best: list[Fraction] = []

    def extended(sent: set[tuple[Node, Node]], free: list[Fraction], latest: Fraction) -> None:
        if len(sent) == len(blocks) * (len(platform.nodes) - 1):
            best[:] = [min([*best, max(ready[target, target] for target in blocks)])]
            return
        for index, arc in enumerate(arcs):
            for target, size in blocks.items():
                tells, told = (target, arc.tail), (target, arc.head)
                start = max(free[index], ready[tells])
                if arc.tail == target or tells in sent or told in sent or start < latest:
                    continue
                end = start + arc.latency + size * arc.cost
                if best and end >= best[0]:
                    continue
                before = free[index], ready[told]
                free[index], ready[told] = end, max(end, ready[told])
                extended(sent | {tells}, free, start)
                free[index], ready[told] = before

    extended(set(), [Fraction(0)] * len(arcs), Fraction(0))
    return best[0]
