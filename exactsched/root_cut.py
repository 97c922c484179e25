"""The minimum root cut: how little capacity enters a set of nodes without the root."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush

from exactsched.certificate.minmax import MinimumRootCut
from exactsched.errors import InvalidInput
from exactsched.flow import FlowNetwork
from exactsched.inputs import (
    checked_arcs,
    checked_node,
    checked_size,
    divided,
    exact_numbers,
    not_negative,
    over_common_denominator,
)

# A node to which the shortest augmenting path is longer than this has to wait until the middle of
# the path has become a source.  Measured: with 4, 8 and 12 alike a ring of 300 nodes takes 6 ms
# and 3,000 entries of the certificate, without the rule 65 ms and 45,000; other graphs gain less,
# or nothing.
FAR = 8


def minimum_root_cut(
    size: int, root: int, arcs: Sequence[tuple[int, int]], capacities: Sequence[object]
) -> MinimumRootCut:
    """The least capacity that enters a node set without the root, by flows into node after node.

    Nodes are 0..size-1; parallel arcs, loops and arcs into the root are allowed.  Capacities are
    exact numbers >= 0 of any size.  The value is 0 if a node cannot be reached from the root.

    In any order of the nodes, the least of the maximum flows into each of them from the root and
    all nodes before it is the value.  Taken in an order in which most of a node's capacity comes
    from the nodes before it, these flows are short, and one that reaches the least value met so
    far need not go on.

    Raises `InvalidInput` for other numbers, and if there is no node but the root.

    At most 2 n maximum flows, each O(n^2 m); on ordinary graphs it touches each arc a few times.

    Reference: Nagamochi and Ibaraki 1992 (the order); Hao and Orlin 1994 (the growing source).

    >>> ring = minimum_root_cut(3, 0, [(0, 1), (1, 2), (2, 0), (1, 0), (2, 1)], [4, 1, 9, 9, "3/2"])
    >>> ring.value, ring.cut, ring.order, ring.flows
    (1, (2,), (1, 2), (((0, 1),), ((1, 1),)))
    """
    size = checked_size(size)
    root = checked_node(root, size, "root")
    if size == 1:
        raise InvalidInput("size", size, "a cut needs a node besides the root")
    pairs = checked_arcs(size, arcs)
    numbers = exact_numbers(capacities, "capacity of arc", len(pairs))
    not_negative(numbers, "capacity of arc")
    whole, denominator = over_common_denominator(numbers)

    entering = [0] * size
    for (tail, head), capacity in zip(pairs, whole, strict=True):
        if tail != head:
            entering[head] += capacity
    cut = [min((node for node in range(size) if node != root), key=entering.__getitem__)]
    least = entering[cut[0]]
    order, flows = [], []
    network = _GrowingSource(size, root, pairs, whole)
    for _ in range(size - 1):
        node, sent, halved = network.nearest(), 0, False
        while sent < least:
            reaching = network.search(node)
            if not network.distance:
                least, cut = sent, reaching
            elif network.distance > FAR and not halved:
                network.take_flow()
                node, sent, halved = network.middle(), 0, True
            else:
                sent += network.augment(node, least - sent)
        order.append(node)
        flow = network.take_flow()
        flows.append(tuple((arc, divided(amount, denominator)) for arc, amount in flow))
        network.join(node)
    return MinimumRootCut(
        size,
        pairs,
        numbers,
        root,
        tuple(sorted(cut)),
        tuple(order),
        tuple(flows),
        divided(least, denominator),
    )


class _GrowingSource(FlowNetwork):
    """Flows out of a set of nodes that grows, into one node at a time, by Dinitz' algorithm.

    Every operation costs what it touches: searches go back from the sink and end at the source,
    marks are told apart by their size instead of being wiped, and only arcs that got flow are
    emptied.
    """

    def __init__(
        self, size: int, root: int, arcs: Sequence[tuple[int, int]], capacities: Sequence[int]
    ) -> None:
        super().__init__(size, arcs, capacities)
        self._joined = [False] * size
        self._direct = [0] * size  # capacity from the source to the node
        self._heap = [(0, node) for node in range(size)]
        self._touched: list[int] = []
        self._level = [0] * size  # distance to the sink, if at least `_base`: else not met
        self._toward = [0] * size  # the next node on a path to the sink
        self._base = 0
        self._last = 0  # a node next to the source
        self.distance = 0  # from the source to the sink, 0 if there is no path
        self.join(root)

    def join(self, node: int) -> None:
        """Make the node a part of the source."""
        self._joined[node] = True
        for arc in self._leaving[node]:
            head = self._heads[arc]
            if self._room[arc] and not self._joined[head]:
                self._direct[head] += self._room[arc]
                heappush(self._heap, (-self._direct[head], head))

    def nearest(self) -> int:
        """The node outside to which most capacity leads from the source."""
        while self._joined[self._heap[0][1]]:
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
