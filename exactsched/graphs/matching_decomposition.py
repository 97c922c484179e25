"""Weighted bipartite graphs cut into matchings with durations.

An edge (left, right) joins node `left` of one side to node `right` of the other; the two sides
are numbered separately.  The load of a node is the sum of the weights of its edges.

Method: a matching of all tight nodes is repaired along alternating paths while time passes; or, for
few matchings, bottleneck matchings one after the other.
Limits: bipartite graphs; `graphs.fractional_edge_coloring` is for all.  The least number of
matchings is NP-hard and not promised.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from heapq import heapify, heappop, heappush
from itertools import pairwise

from exactsched.certificate.graphs import MatchingDecomposition, TimedMatching
from exactsched.exact.arguments import (
    are_all,
    checked_integer,
    divided,
    exact_numbers,
    over_common_denominator,
    rows_of,
)
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import Rational


def decompose_into_matchings(
    edges: Sequence[tuple[int, int]], weights: Sequence[object]
) -> MatchingDecomposition:
    """A weighted bipartite graph is a sum of matchings whose durations add up to its maximum load.

    The edges are pairs of non-negative integers, a pair may be given several times, and the
    weights are positive exact numbers.  The matchings of the result are pairs (duration, indices
    of edges in increasing order); the durations of those that contain an edge add up to exactly
    its weight, and all of them to `value`.  Integer weights give integer durations.  With t tight
    nodes (of maximum load) and c connected components in which every node is tight, there are at
    most |E| - t + c + 1 <= |E| matchings.  A doubly stochastic matrix is so written as a convex
    combination of at most (n - 1)^2 + 1 permutation matrices (Birkhoff and von Neumann).

    Raises `InvalidInput` for lists of different lengths, ends that are not non-negative integers,
    and weights that are not positive exact numbers.

    Complexity: that of `busy_intervals`, and O(|V|) for every matching in the result.
    References: Gonzalez and Sahni 1976 (preemptive open shop); Schrijver, *Combinatorial
    Optimization*, chapter 20; RR-4871, theorem 6; proofs/weighted-edge-coloring.md.

    >>> decompose_into_matchings([(0, 0), (0, 1), (1, 0)], [2, 1, 1]).matchings
    (TimedMatching(duration=2, edges=(0,)), TimedMatching(duration=1, edges=(1, 2)))
    """
    pairs, lefts, rights = checked_edges(edges)
    numbers = _checked_weights(weights, len(pairs))
    integers, denominator = over_common_denominator(numbers)
    starting: defaultdict[int, list[int]] = defaultdict(list)
    stopping: defaultdict[int, list[int]] = defaultdict(list)
    sweep = _Sweep(_numbered(lefts, rights), integers)
    for edge, intervals in enumerate(sweep.busy_until_end()):
        for start, end in intervals:
            starting[start].append(edge)
            stopping[end].append(edge)
    matching: list[int] = []
    matchings: list[TimedMatching] = []
    # No gap has an empty matching: a tight node is busy from time 0 to the end.
    for now, then in pairwise(sorted(starting.keys() | stopping.keys())):
        for edge in stopping[now]:
            del matching[bisect_left(matching, edge)]
        for edge in starting[now]:
            insort(matching, edge)
        matchings.append(TimedMatching(divided(then - now, denominator), tuple(matching)))
    value = Fraction(sweep.total, denominator)
    return MatchingDecomposition(pairs, numbers, tuple(matchings), value)


def decompose_into_few_matchings(
    edges: Sequence[tuple[int, int]], weights: Sequence[object]
) -> MatchingDecomposition:
    """A weighted bipartite graph is a sum of few matchings that last as long as its maximum load.

    Every matching covers all tight nodes and lasts as long as any such matching can: the greedy
    heuristic with bottleneck matchings.  Their number is at most |E| - t + c + 1 <= |E| as in
    `decompose_into_matchings`, and at most 1 + (|E| + |V|) ln D for integer weights with maximum
    load D; the least number is NP-hard.  Often it is a tenth of what `decompose_into_matchings`
    needs; for independent weights of hundreds of digits it is not, and takes far more time.

    Input, result and errors are those of `decompose_into_matchings`.

    Complexity: O(|E| (|E| + |V|)) elementary steps, additions and comparisons for every matching
    at most; measured, about |V| short searches and one or two that look at all edges.
    References: Dufossé and Uçar 2016 (bottleneck matchings); proofs/weighted-edge-coloring.md.

    Raises `InvalidInput` as `decompose_into_matchings` does.

    >>> few = decompose_into_few_matchings([(0, 0), (0, 1), (1, 0), (1, 1)], [1, 3, 3, 1])
    >>> few.matchings
    (TimedMatching(duration=3, edges=(1, 2)), TimedMatching(duration=1, edges=(0, 3)))
    """
    pairs, lefts, rights = checked_edges(edges)
    numbers = _checked_weights(weights, len(pairs))
    integers, denominator = over_common_denominator(numbers)
    bottleneck = _Bottleneck(_numbered(lefts, rights), integers)
    matchings = tuple(
        TimedMatching(divided(duration, denominator), matching)
        for duration, matching in bottleneck.matchings()
    )
    value = Fraction(bottleneck.total, denominator)
    return MatchingDecomposition(pairs, numbers, matchings, value)


def busy_intervals(
    edges: Sequence[tuple[int, int]], weights: Sequence[int]
) -> list[list[tuple[int, int]]]:
    """For every edge, disjoint intervals in [0, maximum load) as long together as its weight,
    such that the edges that are busy at the same time form a matching.

    This is `decompose_into_matchings` laid out in time and written compactly: intervals are
    half-open, in order of time, and maximal (an edge that stays from one matching to the next
    has one interval).  Between two matchings only alternating paths are exchanged, so few edges
    are interrupted: none or very few where loads are uneven, 2 to 5 intervals per edge measured
    where all nodes are tight.  Input and errors are those of `decompose_into_matchings`, but for
    the weights, which are positive `int`s.

    Complexity: at most 2|E| + |V| searches for an alternating path, O(|E|) elementary steps each;
    additions and comparisons of numbers of the length of the maximum load happen only for edges
    and nodes that a path changes, so O(|V|) at most, but in practice a few, per search.

    >>> busy_intervals([(0, 0), (0, 1), (1, 0)], [2, 1, 1])
    [[(0, 2)], [(2, 3)], [(2, 3)]]
    """
    pairs, lefts, rights = checked_edges(edges)
    if len(weights) != len(pairs):
        raise InvalidInput("weights", len(weights), f"{len(pairs)} edges need as many weights")
    rule = "a weight is a positive integer"
    lengths = list(weights)  # all at once, as the edges
    if not are_all(int, lengths) or min(lengths, default=1) < 1:
        lengths = [checked_integer(one, 1, f"weight {i}", rule) for i, one in enumerate(weights)]
    return _Sweep(_numbered(lefts, rights), lengths).busy_until_end()


_EXPOSED = -1


class _Matching:
    """A matching in what is left of a weighted graph, changed along alternating paths."""

    def __init__(self, ends: list[tuple[int, int]], weights: Sequence[int]) -> None:
        node_count = 1 + max((right for _, right in ends), default=-1)
        load = [0] * node_count
        # Node -> {edge with weight left: its other end}, in reverse: `_Sweep` looks from the end.
        self.adjacent: list[dict[int, int]] = [{} for _ in range(node_count)]
        for edge in reversed(range(len(ends))):
            left, right = ends[edge]
            load[left] += weights[edge]
            load[right] += weights[edge]
            self.adjacent[left][edge] = right
            self.adjacent[right][edge] = left
        self.total = max(load, default=0)
        self.slack = [self.total - at_node for at_node in load]
        self.matched = [_EXPOSED] * node_count  # node -> its edge in the matching

    def _exchange(self, start: int, far: int, reached: dict[int, tuple[int, int]]) -> None:
        """Match `far` to the node before it, that one's former mate to the node before, and so on.

        `reached` knows for a node of the other side than `start` the edge and the node before it.
        """
        while True:
            edge, near = reached[far]
            displaced = self.matched[near]
            self._match(edge, near, far)
            if near == start:
                return
            far = self.adjacent[near][displaced]

    def _match(self, edge: int, one: int, other: int) -> None:
        self.matched[one] = self.matched[other] = edge


class _Sweep(_Matching):
    """A matching that changes in time from 0 to the maximum load D, while weights are used up.

    *Items* are the edges, 0 .. |E|-1, and one slack for every node v, item |E| + v, of weight D
    minus the load of v.  At any time exactly one item works at every node: its edge in the
    matching or, if the node is exposed, its slack.  So the items left at a node always add up to
    the time left.  A node whose slack is used up is *tight*: it must be covered until the end.
    """

    def __init__(self, ends: list[tuple[int, int]], weights: Sequence[int]) -> None:
        super().__init__(ends, weights)
        self.ends = ends
        self.tight = [not slack for slack in self.slack]
        self.exposed = list(range(len(self.slack)))
        # An item out of use knows the weight left, an item in use the time at which it is used
        # up: neither changes while the item stays as it is, so a step costs no work for it.
        self.left = [*weights, *self.slack]
        self.until: list[int | None] = [None] * len(self.left)
        self.since = [0] * len(self.left)
        self.changed: set[int] = set()  # items that may have come into or gone out of use
        # The items that may be used up at a time, some of them out of date; a heap of these times.
        self.ending: dict[int, list[int]] = {}
        self.times: list[int] = []
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
            for edge, other in reversed(self.adjacent[node].items()):
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
            for edge, far in reversed(self.adjacent[near].items()):
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

    def _match(self, edge: int, one: int, other: int) -> None:
        for node in (one, other):
            self.changed.add(len(self.ends) + node)
            if self.matched[node] != _EXPOSED:
                self.changed.add(self.matched[node])
            self.matched[node] = edge
        self.changed.add(edge)

    def _settle(self, time: int) -> None:
        """Note what changed.  An edge that left and came back at this time was not interrupted."""
        ends, matched, until, left = self.ends, self.matched, self.until, self.left
        for item in self.changed:
            edge = item < len(ends)
            node = ends[item][0] if edge else item - len(ends)
            used_up_at = until[item]
            if matched[node] == (item if edge else _EXPOSED):  # it is in use
                if used_up_at is None:
                    self.since[item] = time
                    until[item] = end = time + left[item]
                    if end in self.ending:
                        self.ending[end].append(item)
                    else:
                        self.ending[end] = [item]
                        heappush(self.times, end)
            elif used_up_at is not None:
                left[item] = used_up_at - time
                self._stop(item, time)
        self.changed.clear()

    def _stop(self, item: int, time: int) -> None:
        self.until[item] = None
        if item < len(self.ends):
            self.busy[item].append((self.since[item], time))

    def _use_up(self) -> int:
        """Go to the next time at which an item in use is used up; use up all that end there."""
        # Some item works at every node, so before the end there is always one to be used up.
        ended: list[int] = []
        while not ended:
            time = heappop(self.times)
            ended = [item for item in self.ending.pop(time) if self.until[item] == time]
        for item in sorted(ended):
            self._stop(item, time)
            if item < len(self.ends):
                for node in self.ends[item]:
                    adjacent = self.adjacent[node]
                    del adjacent[item]
                    if adjacent:
                        # Put the entry at the end back: this drops deleted ones behind it, which
                        # every search would pass (a star of 65,535 edges took twice the time).
                        edge, other = adjacent.popitem()
                        adjacent[edge] = other
                    self.matched[node] = _EXPOSED
                    self.exposed.append(node)
            else:
                self.tight[item - len(self.ends)] = True
                self.exposed.append(item - len(self.ends))
        return time


class _Bottleneck(_Matching):
    """A matching that covers all tight nodes and lasts as long as any such can, again and again.

    Items are those of `_Sweep`: the edges, and one slack for every node.  A matching lasts for a
    `duration` if so much is left of its edges and of the slacks of the nodes that it exposes.
    Whatever lasts so long later would have done so before: the duration never grows.

    Only edges that last are `adjacent`; the others are `waiting` for shorter durations.  Those
    with least left, the last to be admitted, are preferred, because they are used up sooner: 319
    matchings instead of 449 for 95,071 edges with weights to 1,000 (1,000 + 1,000 nodes).
    """

    def __init__(self, ends: list[tuple[int, int]], weights: Sequence[int]) -> None:
        super().__init__(ends, weights)
        self.ends = ends
        self.left = list(weights)
        self.all_adjacent = self.adjacent
        self.adjacent = [{} for _ in self.matched]
        self.waiting = [(-weight, edge) for edge, weight in enumerate(weights)]  # heap
        heapify(self.waiting)
        self.duration = self.total
        self._admit()

    def matchings(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        time = 0
        while time < self.total:
            for node, edge in enumerate(self.matched):
                if edge == _EXPOSED and self.slack[node] < self.duration:
                    self._cover(node)
            for node, edge in enumerate(self.matched):
                if edge == _EXPOSED and self.adjacent[node]:
                    self._match_to_exposed(node)
            matching = sorted(set(self.matched) - {_EXPOSED})
            yield self.duration, tuple(matching)
            time += self.duration
            self._use_up(matching)

    def _admit(self) -> None:
        while self.waiting and -self.waiting[0][0] >= self.duration:
            _, edge = heappop(self.waiting)
            left, right = self.ends[edge]
            self.adjacent[left][edge] = right
            self.adjacent[right][edge] = left

    def _cover(self, start: int) -> None:
        """Cover a node, or shorten the duration as little as it takes to do so or to do without."""
        reached: dict[int, tuple[int, int]] = {}  # as in `_Sweep._cover`
        while own_side := self._reach(start, reached):
            leaving = [
                self.left[edge]
                for near in own_side
                for edge, far in self.all_adjacent[near].items()
                if far not in reached
            ]
            self.duration = max([*leaving, *(self.slack[near] for near in own_side)])
            self._admit()
            reached.clear()

    def _reach(self, start: int, reached: dict[int, tuple[int, int]]) -> list[int]:
        """Exchange an alternating path as `_Sweep._cover` does, over edges that last for the
        duration; if there is none, the nodes of the side of `start` that can be reached."""
        adjacent, matched, slack, duration = self.adjacent, self.matched, self.slack, self.duration
        if slack[start] >= duration:
            return []
        own_side = [start]
        for near in own_side:
            for edge, far in reversed(adjacent[near].items()):
                if far in reached:
                    continue
                reached[far] = edge, near
                if matched[far] != _EXPOSED:
                    mate = adjacent[far][matched[far]]
                    if slack[mate] < duration:
                        own_side.append(mate)
                        continue
                    matched[mate] = _EXPOSED
                self._exchange(start, far, reached)
                return []
        return own_side

    def _match_to_exposed(self, node: int) -> None:
        """Match a node that may stay exposed to one that may, over the edge with least left."""
        exposed = [
            (self.left[edge], edge)
            for edge, far in self.adjacent[node].items()
            if self.matched[far] == _EXPOSED
        ]
        if exposed:
            _, edge = min(exposed)
            self._match(edge, *self.ends[edge])

    def _use_up(self, matching: Sequence[int]) -> None:
        """Let the matching last, then take out the edges that could not do so again."""
        for node, edge in enumerate(self.matched):
            if edge == _EXPOSED:
                self.slack[node] -= self.duration
        for edge in matching:
            left = self.left[edge] = self.left[edge] - self.duration
            if left < self.duration:
                for node in self.ends[edge]:
                    self.matched[node] = _EXPOSED
                    del self.adjacent[node][edge]
                    if not left:
                        del self.all_adjacent[node][edge]
                if left:
                    heappush(self.waiting, (-left, edge))


def checked_edges(
    edges: Sequence[tuple[int, int]],
) -> tuple[tuple[tuple[int, int], ...], list[int], list[int]]:
    """Pairs (left, right) of non-negative integers, their left ends, and their right ends.

    A pair may be given several times.

    >>> checked_edges([(0, 7), [3, 7], (0, 7)])
    (((0, 7), (3, 7), (0, 7)), [0, 3, 0], [7, 7, 7])
    """
    pairs = rows_of(edges)
    # All at once: a loop over the edges took a quarter of the time of their coloring.
    if are_all(tuple, pairs) and {2}.issuperset(map(len, pairs)):
        lefts, rights = [left for left, _ in pairs], [right for _, right in pairs]
        plain = are_all(int, lefts) and are_all(int, rights)
        if plain and min(lefts, default=0) >= 0 and min(rights, default=0) >= 0:
            return pairs, lefts, rights
    pairs = tuple([_checked_edge(index, edge) for index, edge in enumerate(pairs)])
    return pairs, [left for left, _ in pairs], [right for _, right in pairs]


def _checked_edge(index: int, edge: object) -> tuple[int, int]:
    if not isinstance(edge, (tuple, list)) or len(edge) != 2:
        raise InvalidInput(f"edge {index}", edge, "an edge is a pair (left, right)")
    rule = "an end of an edge is a non-negative integer"
    left, right = (checked_integer(end, 0, f"edge {index}", rule) for end in edge)
    return left, right


def _checked_weights(weights: Sequence[object], edge_count: int) -> tuple[Rational, ...]:
    numbers = exact_numbers(weights, "weight of edge", edge_count)
    for index, number in enumerate(numbers):
        if number <= 0:
            raise InvalidInput(f"weight of edge {index}", number, "a weight is positive")
    return numbers


def _numbered(lefts: list[int], rights: list[int]) -> list[tuple[int, int]]:
    """The edges with their nodes renumbered from 0, the left side first, then the right side."""
    left_of = {node: index for index, node in enumerate(dict.fromkeys(lefts))}
    right_of = {node: index for index, node in enumerate(dict.fromkeys(rights), start=len(left_of))}
    return [(left_of[left], right_of[right]) for left, right in zip(lefts, rights, strict=True)]
