"""When an allgather in segments can end at the earliest, by trying all orders of its transfers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from exactsched.model.problem import Allgather


def shortest_allgather_by_search(problem: Allgather, sizes: Sequence[Fraction]) -> Fraction:
    """The least makespan under link ports, for segments of these sizes; all nodes are in the group.

    Every schedule may be changed so that each transfer starts as soon as its arc is free and its
    shard there, and no node gets a shard twice; such a schedule is given by the order of starts.
    """
    arcs = problem.platform.arcs
    assert problem.ports == "link"
    assert problem.group == frozenset(problem.platform.nodes)
    roots = problem.roots
    first = {
        (root, number, roots[root].node): Fraction(0)
        for root in range(len(roots))
        for number in range(len(sizes))
    }
    count = len(first) * len(problem.shards)
    best: list[Fraction] = []

    def extended(
        there: dict[tuple[int, int, object], Fraction], free: list[Fraction], latest: Fraction
    ) -> None:
        if len(there) == count:
            best[:] = [min([*best, max(there.values())])]
            return
        for index, arc in enumerate(arcs):
            for (root, number, node), ready in list(there.items()):
                made = (root, number, arc.head)
                start = max(free[index], ready)
                if node != arc.tail or made in there or start < latest:
                    continue
                end = start + arc.latency + sizes[number] * roots[root].size * arc.cost
                if best and end >= best[0]:
                    continue
                before = free[index]
                free[index], there[made] = end, end
                extended(there, free, start)
                free[index] = before
                del there[made]

    extended(first, [Fraction(0)] * len(arcs), Fraction(0))
    return best[0]
