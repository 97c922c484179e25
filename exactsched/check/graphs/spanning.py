"""Spanning branchings: every node hangs on a root."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from typing import TypeVar

from exactsched.check.graphs.search import reached
from exactsched.exact.errors import Rejected

_Node = TypeVar("_Node", bound=Hashable)


def refuse_unless_spanning(
    nodes: Collection[_Node],
    ends: Sequence[tuple[_Node, _Node]],
    roots: frozenset[_Node],
    arcs: Sequence[int],
    place: str,
) -> None:
    """Raises `Rejected` unless the arcs are a branching from the roots that spans the nodes.

    They enter no root, no other node twice, and reach every node from the roots: so they enter
    every node but the roots exactly once and contain no directed cycle.  `ends` are those of all
    arcs, by index; the roots are among the nodes.  Linear time in the number of chosen arcs, and
    a fifth of it where they are listed from the roots on.

    >>> refuse_unless_spanning(range(3), [(0, 1), (1, 2), (2, 1)], frozenset([0]), [0, 1], "tree")
    """
    if _reached_in_order(ends, roots, arcs) == len(nodes):
        return
    children: dict[_Node, list[_Node]] = {}
    heads: set[_Node] = set()
    for index in arcs:
        tail, head = ends[index]
        if head in heads or head in roots:
            rule = "every node but the roots is entered exactly once, and no root is"
            raise Rejected(place, head, rule)
        heads.add(head)
        children.setdefault(tail, []).append(head)
    # What is not found hangs on a cycle.
    found = reached(roots, lambda node: children.get(node, ()))
    if len(found) < len(nodes):
        missed = next(node for node in nodes if node not in found)
        raise Rejected(place, missed, "every node is reached from a root")


def _reached_in_order(
    ends: Sequence[tuple[_Node, _Node]], roots: frozenset[_Node], arcs: Sequence[int]
) -> int:
    """How many nodes there are on arcs that go from a node reached before to a new one; or 0.

    >>> [_reached_in_order([(0, 1), (1, 2)], frozenset([0]), arcs) for arcs in ([0, 1], [1, 0])]
    [3, 0]
    """
    known = {*roots}
    for index in arcs:
        tail, head = ends[index]
        if tail not in known or head in known:
            return 0
        known.add(head)
    return len(known)
