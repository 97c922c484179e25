"""Shortest paths from several starts at once (Dijkstra 1959).

Method: Dijkstra's algorithm with a binary heap.
Limits: lengths are not negative, and all integers or all floats.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from typing import TypeVar

Number = TypeVar("Number", int, float)


def spread(
    labels: list[Number],
    leaving: Sequence[Sequence[tuple[int, int]]],
    lengths: Sequence[Number],
    far: Number,
) -> list[int]:
    """Lower the labels of the nodes, in place, to the least sums of a label and a path.

    `leaving[node]` holds pairs (arc, head); lengths of arcs are >= 0, all integers or all floats.
    A label of `far` or more is that of a node that nothing has reached, and `far` is more than
    every sum.  Returns for each node the last arc of its path, -1 where the label stays as it was.

    Little is checked.  O(m log n) comparisons for n nodes and m arcs.

    >>> labels = [0, 9, 9, 1]
    >>> spread(labels, [[(0, 1)], [(1, 2)], [], [(2, 2)]], [1, 1, 4], 9), labels
    ([-1, 0, 1, -1], [0, 1, 2, 1])
    """
    via = [-1] * len(labels)
    heap = [(label, node) for node, label in enumerate(labels) if label < far]
    heapify(heap)
    while heap:
        label, node = heappop(heap)
        if label > labels[node]:
            continue
        for arc, head in leaving[node]:
            reached = label + lengths[arc]
            if reached < labels[head]:
                labels[head] = reached
                via[head] = arc
                heappush(heap, (reached, head))
    return via
