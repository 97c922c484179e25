"""Flows and cuts by definition: all sets of nodes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from exactsched.exact.rational import Rational

ALL_SETS = 8
"""Claims look at all sets of nodes of graphs up to this size."""

Arcs = Sequence[tuple[int, int]]


def entered(size: int, arcs: Arcs, numbers: Iterable[Rational]) -> list[Any]:
    """For every set of nodes, given as the bits of an integer, the capacity that enters it.

    >>> entered(2, [(0, 1), (0, 1)], [3, 4])
    [0, 0, 7, 0]
    """
    amounts: list[Rational] = [0] * (1 << size)
    for (tail, head), amount in zip(arcs, numbers, strict=True):
        for nodes in range(1 << size):
            if nodes >> head & 1 and not nodes >> tail & 1:
                amounts[nodes] += amount
    return amounts


def bits(nodes: Iterable[int]) -> int:
    """A set of nodes as the bits of an integer."""
    return sum(1 << node for node in nodes)


def minimum_cuts(
    size: int, arcs: Arcs, capacities: Iterable[Rational], source: int, sink: int
) -> tuple[Any, list[int]]:
    """The least capacity of a cut, which is the largest value of a flow, and all cuts that have it.

    A cut is a set of nodes, as bits, with the source and without the sink.

    >>> minimum_cuts(3, [(0, 1), (1, 2)], [2, 2], 0, 2)
    (2, [1, 3])
    """
    amounts = entered(size, arcs, capacities)
    everything = (1 << size) - 1
    left = {
        nodes: amounts[everything ^ nodes]
        for nodes in range(1 << size)
        if nodes >> source & 1 and not nodes >> sink & 1
    }
    least = min(left.values())
    return least, [nodes for nodes, capacity in left.items() if capacity == least]


def least_root_cut(size: int, arcs: Arcs, numbers: Iterable[Rational], root: int) -> Any:
    """The least capacity that enters a nonempty set without the root.

    >>> least_root_cut(3, [(0, 1), (1, 2), (0, 2)], [3, 1, 1], 0)
    2
    """
    amounts = entered(size, arcs, numbers)
    return min(amounts[nodes] for nodes in range(1, 1 << size) if not nodes >> root & 1)
