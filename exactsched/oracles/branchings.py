"""Branchings by definition: all sets of nodes, all choices of entering arcs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Any

from exactsched.exact.rational import Rational
from exactsched.oracles.flows_and_cuts import Arcs, bits, entered

Roots = Sequence[tuple[Sequence[int], Rational]]  # (nodes of a root set, demand)


def spans(size: int, start: Iterable[int], arcs: Iterable[tuple[int, int]]) -> bool:
    """Whether the arcs enter every node outside `start` once, no other, and reach all.

    >>> spans(3, [0], [(0, 1), (1, 2)]), spans(3, [0], [(2, 1), (1, 2)])
    (True, False)
    """
    pairs, reached = list(arcs), list(start)
    if sorted(head for _, head in pairs) != [v for v in range(size) if v not in set(reached)]:
        return False
    heads = defaultdict(list)
    for tail, head in pairs:
        heads[tail].append(head)
    for node in reached:
        reached += heads[node]
    return len(reached) == size


def entering_arcs(size: int, arcs: Arcs, roots: Iterable[int]) -> list[list[int]]:
    """For every node that is no root the arcs that enter it."""
    start = set(roots)
    return [
        [index for index, (_, head) in enumerate(arcs) if head == node]
        for node in range(size)
        if node not in start
    ]


def branchings(size: int, arcs: Arcs, roots: Iterable[int]) -> Iterator[frozenset[int]]:
    """All branchings from the roots, as sets of indices of arcs; arborescences from one root.

    >>> [sorted(tree) for tree in branchings(3, [(0, 1), (1, 2), (2, 1), (0, 2)], [0])]
    [[0, 1], [0, 3], [2, 3]]
    """
    start = list(roots)
    for chosen in product(*entering_arcs(size, arcs, start)):
        if spans(size, start, [arcs[index] for index in chosen]):
            yield frozenset(chosen)


def packing_exists(size: int, arcs: Arcs, capacities: Sequence[Rational], roots: Roots) -> bool:
    """Whether branchings meet the demands: in whole units of the common denominator.

    That is enough by Edmonds' theorem, whose condition does not depend on the unit.

    >>> packing_exists(2, [(0, 1)], [2], [([0], 1), ([0], 1)])
    True
    """
    unit = lcm(*(x.denominator for x in (*capacities, *(demand for _, demand in roots))))
    room = tuple(int(capacity * unit) for capacity in capacities)
    choices = [list(branchings(size, arcs, nodes)) for nodes, _ in roots]
    needed = [int(demand * unit) for _, demand in roots]
    dead: set[tuple[object, ...]] = set()

    def packs(room: tuple[int, ...], which: int, left: int, first: int) -> bool:
        if left == 0:
            which += 1
            return which == len(roots) or packs(room, which, needed[which], 0)
        state = (room, which, left, first)
        if state in dead:
            return False
        for k in range(first, len(choices[which])):
            smaller = [have - (arc in choices[which][k]) for arc, have in enumerate(room)]
            if min(smaller, default=0) >= 0 and packs(tuple(smaller), which, left - 1, k):
                return True
        dead.add(state)
        return False

    return packs(room, -1, 0, 0)


def demanded(size: int, roots: Roots) -> list[Any]:
    """For every set of nodes, as bits, the demands of the root sets outside of it.

    >>> demanded(2, [([0], 3), ([0, 1], 5)])
    [8, 0, 3, 0]
    """
    sets = [(bits(nodes), demand) for nodes, demand in roots]
    return [sum(demand for mask, demand in sets if not mask & x) for x in range(1 << size)]


def largest_factor(size: int, arcs: Arcs, capacities: Iterable[Rational], roots: Roots) -> Fraction:
    """Of all demands: the least ratio of what enters a set and what it needs (Edmonds 1973).

    >>> largest_factor(2, [(0, 1)], [5], [([0], 2)])
    Fraction(5, 2)
    """
    amounts, needs = entered(size, arcs, capacities), demanded(size, roots)
    ratios: list[Fraction] = [
        Fraction(amounts[x]) / needs[x] for x in range(1, 1 << size) if needs[x]
    ]
    return min(ratios)
