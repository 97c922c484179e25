"""Breadth-first search, written apart from that of the solvers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from math import inf
from typing import TypeVar

_Node = TypeVar("_Node", bound=Hashable)


def reached(
    starts: Iterable[_Node],
    heads: Callable[[_Node], Iterable[_Node]],
    most: float = inf,
) -> dict[_Node, int]:
    """The least number of arcs from a start, for every node that can be reached, nearest first.

    `heads(node)` are the heads of the arcs that leave a node; it is called at most once for each.
    The search ends when it has reached `most` nodes, if that is how many there are.

    >>> reached(["a"], {"a": "bc", "b": "a", "c": "d", "d": "", "e": "a"}.__getitem__)
    {'a': 0, 'b': 1, 'c': 1, 'd': 2}
    """
    arcs = dict.fromkeys(starts, 0)
    waiting = list(arcs)
    for node in waiting:  # grows while it is read, by every node once
        if len(arcs) >= most:
            break
        for head in heads(node):
            if head not in arcs:
                arcs[head] = arcs[node] + 1
                waiting.append(head)
    return arcs
