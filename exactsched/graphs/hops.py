"""Distances in a directed graph, and how many terminals are behind a node.

Method: a breadth-first search from every node; sets of terminals are the bits of numbers.
Limits: for kernels: nothing is checked.  As many numbers as pairs of nodes are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class Hops:
    """How many arcs lie between nodes, and which terminals are behind a node.

    >>> star = [(0, 2), (2, 0), (1, 2), (2, 1)]
    >>> Hops(3, star, {0, 1}).behind(0, 2, [0, 1], 9)
    {1: 1}
    """

    def __init__(self, size: int, arcs: Sequence[tuple[int, int]], terminals: set[int]) -> None:
        after: list[list[int]] = [[] for _ in range(size)]
        for tail, head in arcs:
            after[tail].append(head)
        self.between = [_distances(after, node) for node in range(size)]
        self.terminals = sorted(terminals)
        # For each node and each distance a number whose bits are the terminals.
        self.around: list[dict[int, int]] = []
        for distances in self.between:
            around: dict[int, int] = {}
            for place, terminal in enumerate(self.terminals):
                if terminal in distances:
                    distance = distances[terminal]
                    around[distance] = around.get(distance, 0) | 1 << place
            self.around.append(around)

    def behind(self, tail: int, switch: int, out: Iterable[int], most: int) -> dict[int, int]:
        """How many terminals have a shortest path from the tail through the switch and a head.

        For some of the heads only if there are more than `most` of them: at equal distances in a
        circle that starts behind the tail, so that all heads are chosen about equally often.
        """
        counts = {}
        for head in out:
            before = self.between[tail][switch] + self.between[switch][head]
            count = sum(
                (near & self.around[tail].get(before + distance, 0)).bit_count()
                for distance, near in self.around[head].items()
            )
            if count:
                counts[head] = count
        if len(counts) <= most:
            return counts
        circle = sorted(counts, key=lambda head: (head < tail, head))
        return {
            head: counts[head] for head in (circle[k * len(circle) // most] for k in range(most))
        }

    def to_a_terminal(self, node: int) -> int:
        return min(self.around[node], default=0)


def _distances(after: list[list[int]], start: int) -> dict[int, int]:
    distances, queue = {start: 0}, [start]
    for node in queue:
        for head in after[node]:
            if head not in distances:
                distances[head] = distances[node] + 1
                queue.append(head)
    return distances
