"""Node sets and the arcs that enter them."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from itertools import accumulate, compress, repeat
from operator import eq

from exactsched.certificate.budget import spend, sums
from exactsched.exact.rational import Rational

Cuts = Sequence[tuple[int, int, Rational]]


def entering(nodes: Collection[int], arcs: Sequence[tuple[int, int]]) -> list[int]:
    """The indices of the arcs whose head is among the nodes and whose tail is not.

    >>> entering([1, 2], [(0, 1), (1, 2), (2, 0)])
    [0]
    """
    inside = frozenset(nodes)
    return [k for k, (tail, head) in enumerate(arcs) if head in inside and tail not in inside]


def entered_weights(
    tails: Sequence[Hashable],
    heads: Sequence[Hashable],
    order: Sequence[Hashable],
    cuts: Cuts,
    weights: Sequence[int],
) -> list[int]:
    """For every arc (i, j) the weight of the sets that contain j and not i.

    A cut (start, stop, ...) is the set `order[start:stop]`; its weight is the one at its place
    in `weights`.  The weight for an arc is that of the sets with j in them, a prefix sum, minus
    that of those with both in them: intervals that start at or before the first and stop behind
    the last of the two positions.  The arcs are swept by their first position while intervals
    are added by their start to a Fenwick tree over their stops; nothing is supposed about how
    sets nest.  O((m + k) log n) additions for m arcs and k cuts.

    >>> entered_weights("sasb", "abbb", "ab", [(0, 2, 1), (1, 2, 5)], [1, 5])
    [1, 5, 6, 0]
    """
    spend_on_entered(len(tails), order, cuts, weights)
    change = [0] * (len(order) + 1)
    for (start, stop, _), weight in zip(cuts, weights, strict=True):
        change[start] += weight
        change[stop] -= weight
    # No set contains what is not in the order.
    containing = dict(zip(order, accumulate(change), strict=False))
    entered = list(map(containing.get, heads, repeat(0)))
    # No set contains the one end of a loop, and not the other.
    for index in compress(range(len(heads)), map(eq, tails, heads)):
        entered[index] = 0
    # And no set of a single node contains both ends of another arc.
    starts = [index for index, (start, stop, _) in enumerate(cuts) if stop > start + 1]
    if not starts:
        return entered
    position = {node: index for index, node in enumerate(order)}
    pairs: list[tuple[int, int, int]] = []
    for index in compress(range(len(heads)), entered):
        if tails[index] in position:
            first, last = position[tails[index]], position[heads[index]]
            pairs.append((first, last, index) if first < last else (last, first, index))
    starts.sort(key=lambda k: cuts[k][0])
    pairs.sort()
    stopped = [0] * (len(order) + 1)  # Fenwick tree: weight of the added intervals by stop
    added = waiting = 0
    for first, last, index in pairs:
        while waiting < len(starts) and cuts[starts[waiting]][0] <= first:
            weight = weights[starts[waiting]]
            stop = cuts[starts[waiting]][1]
            added += weight
            while stop <= len(order):
                stopped[stop] += weight
                stop += stop & -stop
            waiting += 1
        both, stop = added, last
        while stop > 0:
            both -= stopped[stop]
            stop -= stop & -stop
        entered[index] -= both
    return entered


def spend_on_entered(
    arcs: int, order: Sequence[Hashable], cuts: Cuts, weights: Sequence[int]
) -> None:
    """Takes from the budget what it costs to tell the weights of the sets that arcs enter."""
    additions = arcs + len(cuts)
    longest = max(map(int.bit_length, weights), default=0)
    spend(additions * (1 + len(order).bit_length()) * sums(longest), "cuts")


def count_of_segments(cuts: Cuts) -> int:
    """How many segments `between_segments` has: its square, and for each every cut, is its work."""
    return 1 + len({*[start for start, _, _ in cuts], *[stop for _, stop, _ in cuts]})


def between_segments(
    order: Sequence[Hashable], cuts: Cuts, weights: Sequence[int]
) -> tuple[dict[Hashable, int], list[list[int]]]:
    """The segments of the nodes, and from each to each the weight of the sets that are entered.

    Nodes between two neighboring ends of cuts are in the same sets.  Those of segment 0 are in
    none, and neither is a node outside of the order.

    >>> between_segments("abc", [(0, 2, 1), (1, 2, 5)], [1, 5])
    ({'a': 1, 'b': 2, 'c': 3}, [[0, 1, 6, 0], [0, 0, 5, 0], [0, 0, 0, 0], [0, 1, 6, 0]])
    """
    begins = [0] * (len(order) + 1)
    for start, stop, _ in cuts:
        begins[start] = begins[stop] = 1
    segments = list(accumulate(begins))
    between = []
    for tail in range(segments[-1] + 1):
        change = [0] * (segments[-1] + 1)
        for (start, stop, _), weight in zip(cuts, weights, strict=True):
            if not segments[start] <= tail < segments[stop]:
                change[segments[start]] += weight
                change[segments[stop]] -= weight
        between.append(list(accumulate(change)))
    return dict(zip(order, segments, strict=False)), between
