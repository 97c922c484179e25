"""Edge coloring of bipartite graphs: weighted graphs cut into matchings with durations.

An edge (left, right) joins node `left` of one side to node `right` of the other; the two sides
are numbered separately.  The load of a node is the sum of the weights of its edges.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Sequence
from heapq import heappop, heappush
from itertools import pairwise

from exactsched.errors import InvalidInput


def decompose_into_matchings(
    edges: Sequence[tuple[int, int]], weights: Sequence[int]
) -> list[tuple[int, tuple[int, ...]]]:
    """A weighted bipartite graph is a sum of matchings whose durations add up to its maximum load.

    The edges are distinct pairs of non-negative integers, the weights positive integers of any
    length.  The result is a list of (duration, indices of the edges of a matching in increasing
    order), durations positive integers; the durations of the matchings that contain an edge add
    up to exactly its weight.  With t tight nodes (of maximum load) and c connected components in
    which every node is tight, there are at most |E| - t + c + 1 <= |E| matchings.

    Raises `InvalidInput` for lists of different lengths, ends that are not non-negative integers,
    an edge given twice, and weights that are not positive integers.

    Complexity: that of `busy_intervals`, and O(|V|) for every matching in the result.
    References: Gonzalez and Sahni 1976 (preemptive open shop); Schrijver, *Combinatorial
    Optimization*, chapter 20; RR-4871, theorem 6; proofs/weighted-edge-coloring.md.

    >>> decompose_into_matchings([(0, 0), (0, 1), (1, 0)], [2, 1, 1])
    [(2, (0,)), (1, (1, 2))]
    """
    starting: defaultdict[int, list[int]] = defaultdict(list)
    stopping: defaultdict[int, list[int]] = defaultdict(list)
    for edge, intervals in enumerate(busy_intervals(edges, weights)):
        for start, end in intervals:
            starting[start].append(edge)
            stopping[end].append(edge)
    matching: list[int] = []
    steps: list[tuple[int, tuple[int, ...]]] = []
    # No gap has an empty matching: a tight node is busy from time 0 to the end.
    for now, then in pairwise(sorted(starting.keys() | stopping.keys())):
        for edge in stopping[now]:
            del matching[bisect_left(matching, edge)]
        for edge in starting[now]:
            insort(matching, edge)
        steps.append((then - now, tuple(matching)))
    return steps


def busy_intervals(
    edges: Sequence[tuple[int, int]], weights: Sequence[int]
) -> list[list[tuple[int, int]]]:
    """For every edge, disjoint intervals in [0, maximum load) as long together as its weight,
    such that the edges that are busy at the same time form a matching.

    This is `decompose_into_matchings` laid out in time and written compactly: intervals are
    half-open, in order of time, and maximal (an edge that stays from one matching to the next
    has one interval).  Between two matchings only alternating paths are exchanged, so few edges
    are interrupted: none or very few where loads are uneven, 2 to 5 intervals per edge measured
    where all nodes are tight.  Input and errors are those of `decompose_into_matchings`.

    Complexity: at most 2|E| + |V| searches for an alternating path, O(|E|) elementary steps each;
    additions and comparisons of numbers of the length of the maximum load happen only for edges
    and nodes that a path changes, so O(|V|) at most, but in practice a few, per search.

    >>> busy_intervals([(0, 0), (0, 1), (1, 0)], [2, 1, 1])
    [[(0, 2)], [(2, 3)], [(2, 3)]]
    """
    ends = _checked_ends(edges)
    _check_weights(weights, len(ends))
    return _Sweep(ends, weights).busy_until_end()


_EXPOSED = -1


class _Sweep:
    """A matching that changes in time from 0 to the maximum load D, while weights are used up.

    *Items* are the edges, 0 .. |E|-1, and one slack for every node v, item |E| + v, of weight D
    minus the load of v.  At any time exactly one item works at every node: its edge in the
    matching or, if the node is exposed, its slack.  So the items left at a node always add up to
    the time left.  A node whose slack is used up is *tight*: it must be covered until the end.
    """

    def __init__(self, ends: list[tuple[int, int]], weights: Sequence[int]) -> None:
        node_count = 1 + max((right for _, right in ends), default=-1)
        load = [0] * node_count
        # Node -> {edge with weight left: its other end}.
        self.adjacent: list[dict[int, int]] = [{} for _ in range(node_count)]
        for edge, (left, right) in enumerate(ends):
            load[left] += weights[edge]
            load[right] += weights[edge]
            self.adjacent[left][edge] = right
            self.adjacent[right][edge] = left
        self.total = max(load, default=0)
        self.ends = ends
        self.tight = [at_node == self.total for at_node in load]
        self.matched = [_EXPOSED] * node_count  # node -> its edge in the matching
        self.exposed = list(range(node_count))  # nodes that lost what covered them, or became tight
        # An item out of use knows the weight left, an item in use the time at which it is used
        # up: neither changes while the item stays as it is, so a step costs no work for it.
        self.left = [*weights, *(self.total - at_node for at_node in load)]
        self.until: list[int | None] = [None] * len(self.left)
        self.since = [0] * len(self.left)
        self.changed: set[int] = set()  # items that may have come into or gone out of use
        self.events: list[tuple[int, int]] = []  # heap of (until, item); some are out of date
        self.busy: list[list[tuple[int, int]]] = [[] for _ in ends]

    def busy_until_end(self) -> list[list[tuple[int, int]]]:
        time = 0
        while time < self.total:
            self._repair()
            self._settle(time)
            time = self._use_up()
        return self.busy

    def _repair(self) -> None:
        """Cover the tight nodes, and the other exposed ones where an exposed neighbor is at hand.

        A larger matching between nodes that are not tight is not sought: augmenting there made
        two and a half times as many intervals and saved no steps (5,000 edges, random weights).
        """
        for node in self.exposed:  # grows while paths evict nodes
            self.changed.add(len(self.ends) + node)
            if self.matched[node] != _EXPOSED:
                continue
            for edge, other in self.adjacent[node].items():
                if self.matched[other] == _EXPOSED:
                    self._match(edge, node, other)
                    break
            else:
                if self.tight[node]:
                    self._cover(node)
        self.exposed = []

    def _cover(self, start: int) -> None:
        """Exchange an alternating path, found breadth first, from an exposed tight node to a node
        of the other side that is exposed, or of its own side that is not tight and is evicted.

        Neither end leaves a tight node exposed.  Proof that there is such a path:
        proofs/weighted-edge-coloring.md, step 2.
        """
        reached: dict[int, tuple[int, int]] = {}  # node of the other side -> edge and node before
        own_side = [start]
        for near in own_side:
            for edge, far in self.adjacent[near].items():
                if far in reached:
                    continue
                reached[far] = edge, near
                if self.matched[far] != _EXPOSED:
                    mate = self.adjacent[far][self.matched[far]]
                    if self.tight[mate]:
                        own_side.append(mate)
                        continue
                    self.matched[mate] = _EXPOSED
                    self.exposed.append(mate)
                self._exchange(start, far, reached)
                return
        raise AssertionError("the tight nodes of one side have too few neighbors, against Hall")

    def _exchange(self, start: int, far: int, reached: dict[int, tuple[int, int]]) -> None:
        while True:
            edge, near = reached[far]
            displaced = self.matched[near]
            self._match(edge, near, far)
            if near == start:
                return
            far = self.adjacent[near][displaced]

    def _match(self, edge: int, one: int, other: int) -> None:
        for node in (one, other):
            self.changed.add(len(self.ends) + node)
            if self.matched[node] != _EXPOSED:
                self.changed.add(self.matched[node])
            self.matched[node] = edge
        self.changed.add(edge)

    def _settle(self, time: int) -> None:
        """Note what changed.  An edge that left and came back at this time was not interrupted."""
        for item in self.changed:
            used_up_at = self.until[item]
            if self._in_use(item):
                if used_up_at is None:
                    self.since[item] = time
                    self.until[item] = time + self.left[item]
                    heappush(self.events, (time + self.left[item], item))
            elif used_up_at is not None:
                self.left[item] = used_up_at - time
                self._stop(item, time)
        self.changed.clear()

    def _in_use(self, item: int) -> bool:
        if item < len(self.ends):
            return self.matched[self.ends[item][0]] == item
        return self.matched[item - len(self.ends)] == _EXPOSED

    def _stop(self, item: int, time: int) -> None:
        self.until[item] = None
        if item < len(self.ends):
            self.busy[item].append((self.since[item], time))

    def _use_up(self) -> int:
        """Go to the next time at which an item in use is used up; use up all that end there."""
        # Some item works at every node, so before the end there is always an event to come.
        while self.until[self.events[0][1]] != self.events[0][0]:
            heappop(self.events)
        time = self.events[0][0]
        while self.events and self.events[0][0] == time:
            _, item = heappop(self.events)
            if self.until[item] != time:
                continue
            self._stop(item, time)
            if item < len(self.ends):
                for node in self.ends[item]:
                    del self.adjacent[node][item]
                    self.matched[node] = _EXPOSED
                    self.exposed.append(node)
            else:
                self.tight[item - len(self.ends)] = True
                self.exposed.append(item - len(self.ends))
        return time


def _checked_ends(edges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The edges with their nodes renumbered from 0, the left side first, then the right side."""
    lefts: dict[int, int] = {}
    rights: dict[int, int] = {}
    first_index: dict[tuple[int, int], int] = {}
    for index, edge in enumerate(edges):
        place = f"edge {index}"
        if not isinstance(edge, (tuple, list)) or len(edge) != 2:
            raise InvalidInput(place, edge, "an edge is a pair (left, right)")
        for end in edge:
            if not _is_integer(end) or end < 0:
                raise InvalidInput(place, end, "an end of an edge is a non-negative integer")
        left, right = edge
        if first_index.setdefault((left, right), index) != index:
            rule = f"edges are distinct, and edge {first_index[left, right]} is the same"
            raise InvalidInput(place, (left, right), rule)
        lefts.setdefault(left, len(lefts))
        rights.setdefault(right, len(rights))
    return [(lefts[left], len(lefts) + rights[right]) for left, right in first_index]


def _check_weights(weights: Sequence[int], edge_count: int) -> None:
    if len(weights) != edge_count:
        raise InvalidInput("weights", len(weights), f"{edge_count} edges need as many weights")
    for index, weight in enumerate(weights):
        if not _is_integer(weight) or weight <= 0:
            raise InvalidInput(f"weight {index}", weight, "a weight is a positive integer")


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
