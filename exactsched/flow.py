"""Maximum flows and minimum cuts on integers and rationals of any size (Ford and Fulkerson)."""

from __future__ import annotations

from collections.abc import Sequence

from exactsched.certificate.minmax import MaximumFlow
from exactsched.errors import InvalidInput
from exactsched.inputs import (
    checked_arcs,
    checked_node,
    checked_size,
    divided,
    exact_numbers,
    not_negative,
    over_common_denominator,
)


def maximum_flow(
    size: int,
    source: int,
    sink: int,
    arcs: Sequence[tuple[int, int]],
    capacities: Sequence[object],
) -> MaximumFlow:
    """The largest value of a flow equals the least capacity of a cut (Ford and Fulkerson 1956).

    Nodes are 0..size-1; parallel arcs, opposite arcs and loops are allowed.  Capacities are exact
    numbers >= 0 of any size.  The flow has the denominators of the capacities and the cut is the
    smallest minimum cut: the nodes that every minimum cut contains.

    Raises `InvalidInput` for other numbers, and if source and sink are one node.

    O(n^2 m) additions and comparisons in the worst case, whatever the capacities; on ordinary
    graphs a few times m.

    Reference: Ford and Fulkerson 1956; Dinitz 1970; Schrijver, theorems 10.3 and 10.6.

    >>> both = maximum_flow(4, 0, 3, [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)], [4, 1, 1, "1/2", 5])
    >>> both.value, both.flow, both.cut
    (Fraction(5, 2), (Fraction(3, 2), 1, 1, Fraction(1, 2), 2), (0, 1))
    """
    size = checked_size(size)
    source = checked_node(source, size, "source")
    sink = checked_node(sink, size, "sink")
    if source == sink:
        raise InvalidInput("sink", sink, "source and sink are different nodes")
    pairs = checked_arcs(size, arcs)
    numbers = exact_numbers(capacities, "capacity of arc", len(pairs))
    not_negative(numbers, "capacity of arc")
    whole, denominator = over_common_denominator(numbers)
    network = FlowNetwork(size)
    for (tail, head), capacity in zip(pairs, whole, strict=True):
        network.add_arc(tail, head, capacity)
    value = network.push(source, sink)
    flow = tuple(divided(network.flow(arc), denominator) for arc in range(len(pairs)))
    cut = tuple(sorted(network.reachable(source)))
    return MaximumFlow(size, pairs, numbers, source, sink, flow, cut, divided(value, denominator))


class FlowNetwork:
    """A directed graph with integer capacities and a flow in it, for kernels: nothing is checked.

    The flow starts at zero, and every `push` adds to it.  Pushes may have different sources and
    sinks, capacities and arcs may be added in between.  Several sources are one new
    node with an arc to each.

    >>> network = FlowNetwork(3)
    >>> first, second = network.add_arc(0, 1, 7), network.add_arc(1, 2, 5)
    >>> network.push(0, 2, limit=3), network.push(0, 2), network.flow(first)
    (3, 2, 5)
    >>> sorted(network.reachable(0)), sorted(network.reaching(2))
    ([0, 1], [2])
    """

    __slots__ = ("_heads", "_leaving", "_room")

    # Arc k is stored as the opposite residual arcs 2k and 2k + 1; what one has left, its room,
    # shrinks as the other's grows.

    def __init__(self, size: int) -> None:
        self._heads: list[int] = []
        self._room: list[int] = []
        self._leaving: list[list[int]] = [[] for _ in range(size)]

    def add_arc(self, tail: int, head: int, capacity: int) -> int:
        """A new arc; arcs are numbered from 0."""
        forth = len(self._heads)
        self._heads += (head, tail)
        self._room += (capacity, 0)
        self._leaving[tail].append(forth)
        self._leaving[head].append(forth + 1)
        return forth >> 1

    def grow(self, arc: int, amount: int) -> None:
        """Add to the capacity of an arc; less than zero if that much is unused."""
        self._room[2 * arc] += amount

    def flow(self, arc: int) -> int:
        """The amount on an arc."""
        return self._room[2 * arc + 1]

    def capacity(self, arc: int) -> int:
        """The largest amount on an arc."""
        return self._room[2 * arc] + self._room[2 * arc + 1]

    def clear(self) -> None:
        """Take back all flow."""
        room = self._room
        for back in range(1, len(room), 2):
            room[back - 1] += room[back]
            room[back] = 0

    def reachable(self, source: int) -> set[int]:
        """The nodes that more flow could reach: the smallest minimum cut around the source."""
        heads, room, leaving = self._heads, self._room, self._leaving
        found, queue = {source}, [source]
        for node in queue:
            for arc in leaving[node]:
                if room[arc] and heads[arc] not in found:
                    found.add(heads[arc])
                    queue.append(heads[arc])
        return found

    def reaching(self, sink: int) -> set[int]:
        """The nodes from which more flow could reach the sink: the other extreme minimum cut."""
        heads, room, leaving = self._heads, self._room, self._leaving
        found, queue = {sink}, [sink]
        for node in queue:
            for arc in leaving[node]:
                if room[arc ^ 1] and heads[arc] not in found:
                    found.add(heads[arc])
                    queue.append(heads[arc])
        return found

    def push(self, source: int, sink: int, limit: int | None = None) -> int:
        """Send as much more flow as possible, at most `limit`; returns the amount sent.

        Dinitz' algorithm: shortest augmenting paths, all those of one length in a sweep.
        """
        heads, room, leaving = self._heads, self._room, self._leaving
        size, sent = len(leaving), 0
        while limit is None or sent < limit:
            # Distances to the sink, as far as the source.
            distance = [size] * size
            distance[sink] = 0
            queue = [sink]
            for node in queue:
                if distance[source] < size:
                    break
                beyond = distance[node] + 1
                for arc in leaving[node]:
                    if room[arc ^ 1] and distance[heads[arc]] == size:
                        distance[heads[arc]] = beyond
                        queue.append(heads[arc])
            if distance[source] == size:
                break
            # The arcs that lead closer and have room, those that turned out useless popped.
            closer: list[list[int] | None] = [None] * size
            path: list[int] = []
            node = source
            while True:
                arcs = closer[node]
                if arcs is None:
                    goal = distance[node] - 1
                    arcs = closer[node] = [
                        arc for arc in leaving[node] if distance[heads[arc]] == goal and room[arc]
                    ]
                if not arcs:
                    if not path:
                        break
                    node = heads[path.pop() ^ 1]
                    closer[node].pop()  # type: ignore[union-attr]
                    continue
                path.append(arcs[-1])
                node = heads[arcs[-1]]
                if node != sink:
                    continue
                amount = min([room[arc] for arc in path])
                if limit is not None and amount > limit - sent:
                    amount = limit - sent
                sent += amount
                full = len(path)
                for index in range(len(path) - 1, -1, -1):
                    arc = path[index]
                    room[arc] -= amount
                    room[arc ^ 1] += amount
                    if not room[arc]:
                        full = index
                        closer[heads[arc ^ 1]].pop()  # type: ignore[union-attr]
                if sent == limit:
                    break
                node = heads[path[full] ^ 1]
                del path[full:]
        return sent
