"""Odd sets of nodes as resources of half-duplex ports: at most k arcs inside 2k + 1 nodes work.

Where every node talks to one other at a time, working arcs form a matching.  Times fit into a
period if and only if every node and every odd set has room for its own (Edmonds 1965); on
bipartite graphs the nodes say all.  There are 2^(n-1) odd sets, so they are found when needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from exactsched.certificate.bounds import CutBound
from exactsched.exact.arguments import over_common_denominator
from exactsched.graphs.reachability import bipartition
from exactsched.model.problem import Broadcast
from exactsched.model.resources import arc_resources


def overfull_odd_sets(
    size: int, edges: Sequence[tuple[int, int]], times: Sequence[int], period: int
) -> list[tuple[int, ...]]:
    """Odd sets with more working time inside than (|S| - 1) / 2 periods, or none if none has.

    The edges join different nodes among 0..size-1, the times are positive, and no node works for
    longer than the period; nothing is checked.  The fullest odd set is among the result.
    Complexity: at most `size` maximum flows.  Reference: Padberg and Rao 1982.

    >>> overfull_odd_sets(4, [(0, 1), (1, 2), (2, 0), (2, 3)], [2, 2, 1, 1], 4)
    [(0, 1, 2)]
    >>> overfull_odd_sets(4, [(0, 1), (1, 2), (2, 0), (2, 3)], [2, 1, 1, 1], 4)
    []
    """
    if bipartition(size, edges) is not None:
        return []
    idle = [period] * size
    for (one, other), time in zip(edges, times, strict=True):
        idle[one] -= time
        idle[other] -= time
    # Idle times lead to one more node.  Then what leaves an odd set is one period and twice the
    # room inside it.
    outwards = [(node, size) for node in range(size)]
    from exactsched.graphs.odd_cut import odd_cuts

    cuts = odd_cuts(size + 1, [*edges, *outwards], [*times, *idle], range(size + size % 2))
    everything = frozenset(range(size))
    found = {
        tuple(sorted(everything - side if size in side else side))
        for leaving, side in cuts
        if leaving < period
    }
    return sorted(found)


class OddSets:
    """The odd sets that some packing of structures on these arcs has overworked, as `found`.

    Nodes and arcs are numbers; in a period a node offers `unit`, and 2k + 1 nodes k times as much.
    """

    def __init__(self, ends: Sequence[tuple[int, int]], unit: int) -> None:
        self._ends, self._unit = ends, unit
        self._size = 1 + max(map(max, ends), default=0)
        self.found: list[tuple[int, ...]] = []

    def overworked(self, working: Mapping[int, Fraction]) -> list[tuple[list[int], int]]:
        """The arcs inside further odd sets, and what these offer; none if the times fit."""
        times: dict[tuple[int, int], Fraction] = {}
        for arc, time in working.items():
            one, other = sorted(self._ends[arc])
            times[one, other] = times.get((one, other), Fraction(0)) + time
        integers, unit = over_common_denominator(list(times.values()))
        further = overfull_odd_sets(self._size, list(times), integers, unit * self._unit)
        if not set(further).isdisjoint(self.found):
            raise ArithmeticError("a packing overworks an odd set that it knows")
        self.found += further
        return [(self._inside(nodes), self._unit * (len(nodes) // 2)) for nodes in further]

    def _inside(self, nodes: Sequence[int]) -> list[int]:
        members = frozenset(nodes)
        return [
            arc
            for arc, (tail, head) in enumerate(self._ends)
            if tail in members and head in members
        ]


def offered(leaf: CutBound) -> Fraction:
    """What all resources together can be charged per time unit, at the prices of the leaf.

    >>> one = Fraction(1)
    >>> offered(CutBound({"port:0": one}, (), (), odd_sets=(((0, 1, 2, 3, 4), one),)))
    Fraction(3, 1)
    """
    odd = (len(nodes) // 2 * price for nodes, price in leaf.odd_sets)
    return sum(leaf.prices.values(), start=Fraction(0)) + sum(odd)


def tolls(problem: Broadcast, leaf: CutBound) -> list[Fraction]:
    """What each arc is charged per time unit of work, at the prices of the leaf."""
    charged = [
        sum((leaf.prices.get(name, Fraction(0)) for name in names), start=Fraction(0))
        for names in arc_resources(problem)
    ]
    for nodes, price in leaf.odd_sets:
        members = set(nodes)
        for index, arc in enumerate(problem.platform.arcs):
            if arc.tail in members and arc.head in members:
                charged[index] += price
    return charged
