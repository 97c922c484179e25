"""Hao and Orlin (1994): maximum flows into one node after the other, from a source that grows.

Method: shortest augmenting paths, searched from the sink back to the set of sources.
Limits: for kernels: nothing is checked.  Many sinks, one at a time; for one flow use `graphs.flow`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush

from exactsched.graphs.flow import FlowNetwork


class GrowingSource(FlowNetwork):
    """Flows out of a set of nodes that grows, into one node at a time (Dinitz 1970).

    Nodes join the source one by one.  A flow between two of them is worth nothing any more: it
    may stay where it is, or be taken away.  Arguments are not checked.

    Every operation costs what it touches: searches go back from the sink and end at the source,
    marks are told apart by their size instead of being wiped, and only arcs that got flow are
    emptied.

    >>> network = GrowingSource(3, 0, [(0, 1), (0, 2), (1, 2)], [3, 1, 5], range(3))
    >>> network.nearest()
    1
    >>> network.join(1)
    >>> _ = network.search(2)
    >>> network.nearest(), network.distance, network.augment(2, 10), network.take_flow()
    (2, 1, 6, [(1, 1), (2, 5)])
    """

    def __init__(
        self,
        size: int,
        source: int,
        arcs: Sequence[tuple[int, int]],
        capacities: Sequence[int],
        targets: Iterable[int],
    ) -> None:
        super().__init__(size, arcs, capacities)
        self._joined = [False] * size
        self._heap = [(0, node) for node in sorted(targets)]
        self._waiting = [False] * size  # the targets that have not joined
        for _, node in self._heap:
            self._waiting[node] = True
        self._direct = [0] * size  # capacity from the source to a target
        self._touched: list[int] = []
        self._level = [0] * size  # distance to the sink, if at least `_base`: else not met
        self._toward = [0] * size  # the next node on a path to the sink
        self._base = 0
        self._last = 0  # a node next to the source
        self.distance = 0  # from the source to the sink, 0 if there is no path
        self.join(source)

    def join(self, node: int) -> None:
        """Make the node a part of the source."""
        self._joined[node], self._waiting[node] = True, False
        for arc in self._leaving[node]:
            head = self._heads[arc]
            if self._room[arc] and self._waiting[head]:
                self._direct[head] += self._room[arc]
                heappush(self._heap, (-self._direct[head], head))

    def nearest(self) -> int:
        """The target outside, if there is one, to which most capacity leads from the source."""
        while not self._waiting[self._heap[0][1]]:
            heappop(self._heap)
        return self._heap[0][1]

    def search(self, sink: int) -> list[int]:
        """Find the `distance` of the sink; returns the nodes met, all that reach it if it is 0."""
        heads, room, leaving, joined = self._heads, self._room, self._leaving, self._joined
        level, toward = self._level, self._toward
        self._base = base = self._base + len(leaving)
        level[sink] = base
        self.distance = 0
        met = [sink]
        for node in met:
            beyond = level[node] + 1
            for arc in leaving[node]:
                if room[arc ^ 1]:
                    tail = heads[arc]
                    if joined[tail]:
                        self.distance, self._last = beyond - base, node
                        return met
                    if level[tail] < base:
                        level[tail], toward[tail] = beyond, node
                        met.append(tail)
        return met

    def middle(self) -> int:
        """The node halfway on the path that the last search found."""
        node = self._last
        for _ in range(self.distance // 2):
            node = self._toward[node]
        return node

    def augment(self, sink: int, limit: int) -> int:
        """Send flow on paths of the length found until none is left, or `limit` is sent."""
        heads, room, leaving, joined = self._heads, self._room, self._leaving, self._joined
        level, border = self._level, self._base + self.distance
        current: dict[int, int] = {}  # how many arcs of a node have proved useless
        path: list[int] = []
        node, sent = sink, 0
        while True:
            arcs, beyond = leaving[node], level[node] + 1
            for place in range(current.get(node, 0), len(arcs)):
                tail = heads[arcs[place]]
                if room[arcs[place] ^ 1] and (
                    joined[tail] if beyond == border else level[tail] == beyond
                ):
                    break
            else:
                if not path:
                    return sent
                level[node] = 0
                node = heads[path.pop()]
                continue
            current[node] = place
            path.append(arcs[place] ^ 1)
            node = tail
            if beyond < border:
                continue
            amount = min(limit - sent, min([room[arc] for arc in path]))
            sent += amount
            for arc in path:
                room[arc] -= amount
                room[arc ^ 1] += amount
            self._touched += path
            if sent == limit:
                return sent
            full = next(index for index, arc in enumerate(path) if not room[arc])
            node = heads[path[full]]
            del path[full:]

    def take_flow(self) -> list[tuple[int, int]]:
        """The amounts on the arcs that have flow, which is set back to zero."""
        room, flow = self._room, []
        for arc in sorted({arc >> 1 for arc in self._touched}):
            amount = room[2 * arc + 1]
            if amount:
                flow.append((arc, amount))
                room[2 * arc] += amount
                room[2 * arc + 1] = 0
        self._touched.clear()
        return flow
