"""Short trees for the shards of an allgather: few hops, and no arc much busier than others.

Method: Prim's and Dijkstra's algorithms mixed (Alpert and others 1995), on the least paths between
nodes of the group, at prices that grow with the load of the arcs.  A heuristic: floats decide which
trees are tried, and whoever uses the trees measures them.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf

from exactsched.graphs.shortest_paths import spread
from exactsched.model.problem import Allgather
from exactsched.model.tasks import Task

# How much more a path weighs in a tree that is as balanced as possible.
_CROWDED = 8
# How often each tree is chosen: with 5 instead of 2 an allgather of 100 KB on mi250:2, 2 us for
# each arc, takes 28.5 us instead of 37.3.
_TURNS = 5
# A load that is none, in units of the longest time.
_TRACE = 1e-9


class ShortTrees:
    """Trees of paths for every root, for packets of a given size.

    A path leads from a node of the group to another one through nodes that only forward; between
    two nodes the quickest one is used.
    """

    def __init__(self, problem: Allgather, size: Fraction) -> None:
        platform = problem.platform
        self.problem = problem
        self._group = [platform.position[node] for node, _ in problem.shards]
        number = {node: index for index, node in enumerate(self._group)}
        self._roots = [number[platform.position[root.node]] for root in problem.roots]
        # In units of the longest time and of the largest shard, which may be too long for floats.
        largest = max(root.size for root in problem.roots)
        times = [arc.latency + size * largest * arc.cost for arc in platform.arcs]
        unit = max(times)
        self._shards = [float(root.size / largest) for root in problem.roots]
        self._latencies = [float(arc.latency / unit) for arc in platform.arcs]
        self._times = [float(time / unit) for time in times]
        self._costs = [float(size * largest * arc.cost / unit) for arc in platform.arcs]
        tails = [platform.position[arc.tail] for arc in platform.arcs]
        heads = [platform.position[arc.head] for arc in platform.arcs]
        leaving: list[list[tuple[int, int]]] = [[] for _ in platform.nodes]
        for arc, (tail, head) in enumerate(zip(tails, heads, strict=True)):
            leaving[tail].append((arc, head))
        inside = frozenset(self._group)
        behind = [[] if node in inside else row for node, row in enumerate(leaving)]
        # The path from node to node of the group by its arcs; nothing where there is none.
        self._paths: list[list[tuple[int, ...]]] = []
        for start in self._group:
            labels = [inf] * len(platform.nodes)
            labels[start] = 0.0
            behind[start] = leaving[start]
            via = spread(labels, behind, self._times, inf)
            behind[start] = []
            row: list[tuple[int, ...]] = []
            for node in self._group:
                path: list[int] = []
                while node != start and via[node] >= 0:
                    path.append(via[node])
                    node = tails[via[node]]
                row.append(tuple(reversed(path)) if node == start else ())
            self._paths.append(row)

    def chosen(self, hops: int, pull: float, number: int) -> list[list[tuple[Task, ...]]] | None:
        """For every root a number of trees with at most `hops` paths in a row; None without any.

        With a `pull` of 1 every node is reached as early as possible, with 0 at the least price.
        All trees are chosen one after the other, and then each some times more, beside all others.
        """
        load = [0.0] * len(self._latencies)
        trees: list[list[list[tuple[int, int]]]] = [[[]] * number for _ in self._roots]
        for turn in range(_TURNS * number):
            for part, root in enumerate(self._roots):
                self._carry(load, part, trees[part][turn % number], -1.0)
                links = self._tree(root, hops, pull, load)
                if links is None:
                    return None
                trees[part][turn % number] = links
                self._carry(load, part, links, 1.0)
        return [[self._tasks(part, links) for links in row] for part, row in enumerate(trees)]

    def _carry(
        self, load: list[float], part: int, links: Sequence[tuple[int, int]], sign: float
    ) -> None:
        size = sign * self._shards[part]
        for tail, head in links:
            for arc in self._paths[tail][head]:
                load[arc] += sign * self._latencies[arc] + size * self._costs[arc]

    def _tasks(self, part: int, links: Sequence[tuple[int, int]]) -> tuple[Task, ...]:
        return tuple(
            (arc, part, copy)
            for copy, (tail, head) in enumerate(links)
            for arc in self._paths[tail][head]
        )

    def _tree(
        self, root: int, hops: int, pull: float, load: Sequence[float]
    ) -> list[tuple[int, int]] | None:
        # What has been taken away again may leave a trace, of either sign.
        most = max(max(load), _TRACE)
        prices = [
            time * (1 + _CROWDED * (busy / most) ** 2)
            for time, busy in zip(self._times, load, strict=True)
        ]
        count = len(self._group)
        # For every node outside of the tree the best known path into it.
        best, parent = [inf] * count, [-1] * count
        arrival, depth = [inf] * count, [0] * count
        arrival[root] = 0.0
        links: list[tuple[int, int]] = []
        outside = set(range(count)) - {root}
        newest = root
        while outside:
            if depth[newest] < hops:
                row, reached = self._paths[newest], pull * arrival[newest]
                for node in outside:
                    if row[node]:
                        key = reached + sum([prices[arc] for arc in row[node]])
                        if key < best[node]:
                            best[node], parent[node] = key, newest
            newest = min(outside, key=lambda node: (best[node], node))
            if best[newest] == inf:
                return None
            outside.remove(newest)
            above = parent[newest]
            times = [self._times[arc] for arc in self._paths[above][newest]]
            arrival[newest] = arrival[above] + sum(times)
            depth[newest] = depth[above] + 1
            links.append((above, newest))
        return links
