"""Cheapest ways to make the states of a reduction, while some of them are free.

Method: Knuth's generalization of Dijkstra's algorithm (1977), by the length of the intervals.
Where other states become free, an interval is labeled anew if it has such states, or if parts
of it cost something else at processors.
Limits: costs are not negative, and all integers or all floats.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import chain
from math import inf
from operator import add
from typing import NamedTuple

from exactsched.graphs.shortest_paths import spread
from exactsched.steady_state.state_graph import StateGraph

# How every state that is made is made: state -> task, both as indices.
Makers = dict[int, int]
# Costs by task: integers (then all is exact) or floats, infinite for what is impossible.
Costs = Sequence[float]
# By interval, the nodes where it is free.
_Free = Mapping[int, set[int]]


class _Row(NamedTuple):
    """An interval by node: what it costs to make it there, and to have it there.

    And the last arcs of the ways to the nodes, or -1; and the labels at processors.
    """

    made: list[float]
    label: list[float]
    arcs: list[int]
    at_work: list[float]


class CheapestStates:
    """What every state inside a goal, or any goal, costs at least, and how it is made for that.

    Some states are free, beside those that are there anyway.  `far` is more than anything costs,
    and the label of what cannot be made.  O(N^2 m log n + N^3 n) for N values, n nodes, m arcs.
    """

    def __init__(
        self,
        graph: StateGraph,
        costs: Costs,
        goal: int | None = None,
        far: float = inf,
        free: Iterable[int] = (),
    ) -> None:
        self._graph, self._costs, self._far = graph, costs, far
        whole = 0, len(graph.owners) - 1
        self._inside = whole if goal is None else graph.intervals[goal // graph.size]
        self._free: _Free = self._by_interval(free)
        self._rows: dict[int, _Row] = {}
        indices = [
            index
            for index, interval in enumerate(graph.intervals)
            if _contains(self._inside, interval)
        ]
        self._rows = self._relabeled(indices, self._free, self._inside)

    def labels(self) -> list[float]:
        """What every state costs at least."""
        nothing = [self._far] * self._graph.size
        rows = map(self._rows.get, range(len(self._graph.intervals)))
        return list(chain.from_iterable(row.label if row else nothing for row in rows))

    def set_free(self, states: Iterable[int]) -> None:
        """From now on these states cost nothing, and no others."""
        free = self._by_interval(states)
        touched = [
            index for index in free.keys() | self._free if free.get(index) != self._free.get(index)
        ]
        self._rows = self._relabeled(touched, free, self._inside)
        self._free = free

    def cheapest(self, goal: int, limit: float = inf, missing: Iterable[int] = ()) -> Makers | None:
        """How to make a state at least cost, where free states are not free that are missing.

        None if it is impossible for less than the limit.
        """
        graph = self._graph
        inside = graph.intervals[goal // graph.size]
        absent = {
            index: nodes
            for index, nodes in self._by_interval(missing).items()
            if _contains(inside, graph.intervals[index])
        }
        free = dict(self._free)
        for index, nodes in absent.items():
            free[index] = free.get(index, set()) - nodes
        rows = self._relabeled(absent, free, inside)
        if rows[goal // graph.size].label[goal % graph.size] >= min(limit, self._far):
            return None
        makers: Makers = {}
        waiting = [goal]
        while waiting:
            state = waiting.pop()
            index, node = divmod(state, graph.size)
            if state in makers or state in graph.there or node in free.get(index, ()):
                continue
            arc = rows[index].arcs[node]
            makers[state] = self._merge(rows, state) if arc < 0 else index * graph.arcs + arc
            waiting.extend(graph.needs[makers[state]])
        return makers

    def _by_interval(self, states: Iterable[int]) -> dict[int, set[int]]:
        found: dict[int, set[int]] = {}
        for state in states:
            index, node = divmod(state, self._graph.size)
            found.setdefault(index, set()).add(node)
        return found

    def _relabeled(
        self, touched: Iterable[int], free: _Free, inside: tuple[int, int]
    ) -> dict[int, _Row]:
        """The rows where others are free in these intervals; right inside of one interval only."""
        graph, rows = self._graph, self._rows.copy()
        waiting = sorted(touched)
        remade: set[int] = set()
        while waiting:
            index = heappop(waiting)
            if index in waiting[:1]:
                continue
            known = rows.get(index)
            made = self._made(rows, index) if known is None or index in remade else known.made
            label = made.copy()
            for node in free.get(index, ()):
                label[node] = 0
            sent = self._costs[index * graph.arcs : (index + 1) * graph.arcs]
            arcs = spread(label, graph.leaving, sent, self._far)
            rows[index] = _Row(made, label, arcs, [label[node] for node in graph.able])
            if known is not None and known.at_work != rows[index].at_work:
                for larger in self._larger(index, inside):
                    remade.add(larger)
                    heappush(waiting, larger)
        return rows

    def _larger(self, index: int, inside: tuple[int, int]) -> Iterator[int]:
        """The intervals that are merged of this one and another, inside of some interval."""
        graph = self._graph
        (k, m), (first, last) = graph.intervals[index], inside
        more = [(k, end) for end in range(m + 1, last + 1)]
        more += [(start, m) for start in range(first, k)]
        return (graph.index[interval] for interval in more if interval in graph.index)

    def _made(self, rows: Mapping[int, _Row], index: int) -> list[float]:
        """What an interval costs at every node where nothing of it is sent."""
        graph, (k, m) = self._graph, self._graph.intervals[index]
        made = [self._far] * graph.size
        if k == m:
            made[graph.owners[k]] = 0
            return made
        width = len(graph.able)
        start = graph.first_merge[index]
        sums = [
            map(
                add,
                map(add, rows[graph.index[k, cut]].at_work, rows[graph.index[cut + 1, m]].at_work),
                self._costs[start + (cut - k) * width : start + (cut - k + 1) * width],
            )
            for cut in range(k, m)
        ]
        for node, cost in zip(graph.able, map(min, *sums) if m - k > 1 else sums[0], strict=True):
            if cost < made[node]:
                made[node] = cost
        return made

    def _merge(self, rows: Mapping[int, _Row], state: int) -> int:
        """The task that merges a state at least cost."""
        graph = self._graph
        index, node = divmod(state, graph.size)
        k, m = graph.intervals[index]
        width = len(graph.able)
        start = graph.first_merge[index] + graph.able.index(node)

        def cost(task: int) -> float:
            parts = [divmod(other, graph.size) for other in graph.needs[task]]
            return sum(rows[part].label[at] for part, at in parts) + self._costs[task]

        return min(range(start, start + (m - k) * width, width), key=cost)


def _contains(outer: tuple[int, int], inner: tuple[int, int]) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]
