"""Contraction of a bipartite multigraph: nodes of one side that have room together become one.

Method: first-fit with the largest node that fits.  A matching of the bins is a matching of the
nodes, so a coloring of the bins is one of the nodes, and the largest degree stays.
Limits: nodes of one bin must not be told apart afterwards; the edges keep their indices.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence


def degrees(nodes: Sequence[int], copies: Sequence[int]) -> dict[int, int]:
    """The degree of every node of a side: the copies of the edges that end there.

    >>> degrees([4, 5, 4], [1, 1, 7]) == {4: 8, 5: 1}
    True
    """
    if max(copies, default=1) == 1:
        return Counter(nodes)
    degree: defaultdict[int, int] = defaultdict(int)
    for node, number in zip(nodes, copies, strict=True):
        degree[node] += number
    return degree


def packed(degrees: dict[int, int], capacity: int) -> dict[int, int]:
    """Node -> bin, such that no bin has more than the capacity: the largest node that fits, always.

    The bins are numbered from 0.  Any two bins together have more than the capacity, so there are
    at most 2 N / capacity of them, N the sum of the degrees, or one.

    Complexity: O(|V| log |V|).
    Reference: Alon, *A simple algorithm for edge-coloring bipartite multigraphs* (2003).

    >>> packed({7: 2, 8: 1, 9: 2}, 3) == {9: 0, 8: 0, 7: 1}
    True
    """
    of_degree: dict[int, list[int]] = {}
    for node, degree in degrees.items():
        of_degree.setdefault(degree, []).append(node)
    sizes = sorted(of_degree)
    bin_of: dict[int, int] = {}
    bin_count = 0
    while sizes:
        room = capacity
        while fitting := bisect_right(sizes, room):
            size = sizes[fitting - 1]
            nodes = of_degree[size]
            while nodes and size <= room:
                bin_of[nodes.pop()] = bin_count
                room -= size
            if not nodes:
                del sizes[fitting - 1]
        bin_count += 1
    return bin_of
