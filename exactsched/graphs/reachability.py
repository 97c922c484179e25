"""Breadth-first search: which nodes can be reached, by how few arcs; whether a graph is bipartite.

Method: a queue; a node is looked at once.
Limits: arcs have no lengths; `exactsched.graphs.shortest_paths` is for those.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def breadth_first(
    starts: Iterable[Node], heads: Callable[[Node], Iterable[Node]]
) -> dict[Node, int]:
    """The least number of arcs from a start to every node that can be reached, nearest first.

    `heads(node)` are the nodes to which an arc leads from this one; it is called once for every
    node that is reached, in the order of the result, so it may have the graph, or make it.

    Complexity: linear in the arcs that leave the nodes reached.
    Reference: Moore 1959.

    >>> breadth_first([0], [[1, 2], [3], [3], [], [0]].__getitem__)
    {0: 0, 1: 1, 2: 1, 3: 2}
    >>> breadth_first([1], lambda n: [2 * n, n + 3] if n < 4 else [])
    {1: 0, 2: 1, 4: 1, 5: 2}
    """
    found = dict.fromkeys(starts, 0)
    queue = list(found)
    for node in queue:  # grows while it is read
        beyond = found[node] + 1
        for head in heads(node):
            if head not in found:
                found[head] = beyond
                queue.append(head)
    return found


def bipartition(size: int, ends: Sequence[tuple[int, int]]) -> set[int] | None:
    """The nodes of one side of a bipartite graph; None if the graph has an odd cycle.

    Complexity: linear.
    Reference: Konig 1916.

    >>> bipartition(3, [(0, 1), (1, 2)]), bipartition(3, [(0, 1), (1, 2), (2, 0)])
    ({1}, None)
    """
    adjacent: list[list[int]] = [[] for _ in range(size)]
    for one, other in ends:
        adjacent[one].append(other)
        adjacent[other].append(one)
    distance: dict[int, int] = {}
    for start in range(size):
        if start not in distance:
            distance |= breadth_first([start], adjacent.__getitem__)
    if any((distance[one] - distance[other]) % 2 == 0 for one, other in ends):
        return None
    return {node for node in range(size) if distance[node] % 2}
