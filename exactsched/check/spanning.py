"""Spanning branchings: every node hangs on a root."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from typing import TypeVar

from exactsched.errors import Rejected

_Node = TypeVar("_Node", bound=Hashable)


def refuse_unless_spanning(
    nodes: Collection[_Node],
    ends: Sequence[tuple[_Node, _Node]],
    roots: Collection[_Node],
    arcs: Sequence[int],
    place: str,
) -> None:
    """Raises `Rejected` unless the arcs are a branching from the roots that spans the nodes.

    That is: they enter every node but the roots exactly once, and no root; and the roots reach
    every node, so there is no directed cycle.  `ends` are those of all arcs, by index.  Linear
    time in the number of nodes.

    >>> refuse_unless_spanning(range(3), [(0, 1), (1, 2), (2, 1)], [0], [0, 1], "tree")
    """
    if len(arcs) != len(nodes) - len(roots):
        raise Rejected(place, len(arcs), "one arc is needed for every node that is not a root")
    children: dict[_Node, list[_Node]] = {}
    heads = set(roots)
    for index in arcs:
        tail, head = ends[index]
        if head in heads:
            raise Rejected(place, head, "every node but the roots is entered exactly once")
        heads.add(head)
        children.setdefault(tail, []).append(head)
    # Every node is a child once at most, so this list ends; what it misses hangs on a cycle.
    reached = [*roots]
    for node in reached:  # grows while it is read
        reached += children.get(node, ())
    if len(reached) < len(nodes):
        hanging = set(reached)
        missed = [node for node in nodes if node not in hanging]
        raise Rejected(place, missed, "every node is reached from a root")
