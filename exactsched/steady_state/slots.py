"""When places work, if they work for given times: slots that never overlap on a resource.

A weighted edge coloring lays out the times of the arcs (RR-4871, lemma 1 and theorem 6; Gonzalez
and Sahni 1976); half-duplex with odd cycles it is a fractional one, and odd sets are resources too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm

from exactsched.certificate.collectives import Slot
from exactsched.certificate.graphs import FractionalEdgeColoring
from exactsched.exact.errors import InvalidInput
from exactsched.graphs.matching_decomposition import busy_intervals
from exactsched.graphs.reachability import bipartition
from exactsched.model.platform import Node, Platform
from exactsched.model.problem import Collective
from exactsched.model.resources import place_shares


def place_slots(
    problem: Collective, busy: Mapping[int, Fraction]
) -> tuple[Fraction, tuple[Slot, ...]]:
    """Slots (place, start, end), in units of the returned tick, for the working times `busy`.

    Where every resource works at most until T, so do the slots: the last one ends with the largest
    load of a resource, odd sets included, and no schedule of these times is shorter.  There are
    those of `busy_intervals`, a few per arc; nothing costs time proportional to a period.
    Under `routes` every arc has one slot of that length: its work is done at a constant speed.

    A place is an arc, or a processor (the number of arcs + the index of its node), which works
    from the beginning on: nothing excludes it.
    """
    if problem.ports == "routes":
        return least_time(problem, busy), tuple(Slot(place, 0, 1) for place in sorted(busy))
    tick, ticks = common_measure(busy.values())
    lengths = dict(zip(busy, ticks, strict=True))
    count = len(problem.platform.arcs)
    arcs = sorted(place for place in lengths if place < count)
    unit, groups = _intervals(problem, arcs, [lengths[arc] for arc in arcs])
    lengths = {place: length * unit for place, length in lengths.items()}
    rows = [(0, length, place) for place, length in lengths.items() if place >= count]
    for together, intervals in groups:
        rows.extend(_shared_out(together, lengths, intervals))
    return tick / unit, tuple([Slot(place, start, end) for start, end, place in sorted(rows)])


def least_time(problem: Collective, busy: Mapping[int, Fraction]) -> Fraction:
    """When the last slot of `place_slots` ends: the largest load of a resource, odd sets included.

    >>> from exactsched.model.problem import Broadcast
    >>> triangle = Platform("abc", [("a", "b", 1), ("b", "c", 1), ("a", "c", 1)])
    >>> asked = Broadcast(triangle, "a", "half-duplex")
    >>> least_time(asked, dict.fromkeys(range(3), Fraction(1)))
    Fraction(3, 1)
    """
    load: dict[str, Fraction] = {}
    shares = place_shares(problem)
    for place, time in busy.items():
        for name, share in shares[place]:
            load[name] = load.get(name, Fraction(0)) + time * share
    largest = max(load.values())
    if problem.ports != "half-duplex":
        return largest
    position, arcs = problem.platform.position, problem.platform.arcs
    inside = {place: time for place, time in busy.items() if place < len(arcs)}
    edges = [(position[arcs[arc].tail], position[arcs[arc].head]) for arc in inside]
    if bipartition(len(position), edges) is not None:
        return largest
    return max(largest, Fraction(_colored(len(position), edges, list(inside.values())).value))


def common_measure(values: Iterable[Fraction]) -> tuple[Fraction, list[int]]:
    """The largest rational that measures all the given positive ones, and how often in each.

    >>> common_measure([Fraction(1, 2), Fraction(1, 3)])
    (Fraction(1, 6), [3, 2])
    """
    pairs = [value.as_integer_ratio() for value in values]
    # Hundreds of thousands of routes have a few weights.
    unit = lcm(*{under for _, under in pairs})
    parts = [over * (unit // under) for over, under in pairs]
    often = gcd(*parts)
    return Fraction(often, unit), [part // often for part in parts]


def sides(problem: Collective) -> dict[Node, int]:
    """For half-duplex ports a side, 0 or 1, of every node, such that all arcs join both sides.

    No node has one under the other port models.  Raises `InvalidInput` with an odd cycle if the
    graph is not bipartite.
    """
    if problem.ports != "half-duplex":
        return {}
    coloring = two_coloring(problem.platform)
    if isinstance(coloring, list):
        shown = " - ".join(map(str, [*coloring, coloring[0]]))
        raise InvalidInput("half-duplex", shown, "an odd cycle: the graph must be bipartite")
    return coloring


def two_coloring(platform: Platform) -> dict[Node, int] | list[Node]:
    """A side for every node such that arcs join different sides, or an odd cycle."""
    neighbors: dict[Node, list[Node]] = {node: [] for node in platform.nodes}
    for arc in platform.arcs:
        neighbors[arc.tail].append(arc.head)
        neighbors[arc.head].append(arc.tail)
    parent: dict[Node, Node | None] = {}
    side: dict[Node, int] = {}

    def ancestors(node: Node | None) -> list[Node]:
        line: list[Node] = []
        while node is not None:
            line.append(node)
            node = parent[node]
        return line

    for start in platform.nodes:
        if start in side:
            continue
        parent[start], side[start] = None, 0
        queue = [start]
        for node in queue:
            for other in neighbors[node]:
                if other not in side:
                    parent[other], side[other] = node, 1 - side[node]
                    queue.append(other)
                elif side[other] == side[node]:
                    one, two = ancestors(node), ancestors(other)
                    while len(one) > 1 and len(two) > 1 and one[-2] == two[-2]:
                        one.pop()
                        two.pop()
                    return one + two[-2::-1]
    return side


def _intervals(
    problem: Collective, arcs: Sequence[int], lengths: Sequence[int]
) -> tuple[int, list[tuple[list[int], list[tuple[int, int]]]]]:
    """Groups of arcs that exclude each other anyway, each with the intervals it may use.

    The intervals are in units of 1 / the integer that comes first.
    """
    if problem.ports == "link":
        return 1, [([arc], [(0, length)]) for arc, length in zip(arcs, lengths, strict=True)]
    platform, place = problem.platform, problem.platform.position
    weights: dict[tuple[int, int], int] = {}
    groups: dict[tuple[int, int], list[int]] = {}
    for arc, length in zip(arcs, lengths, strict=True):
        edge = place[platform.tails[arc]], place[platform.heads[arc]]
        if problem.ports == "half-duplex" and edge[0] > edge[1]:
            edge = edge[1], edge[0]
        weights[edge] = weights.get(edge, 0) + length
        groups.setdefault(edge, []).append(arc)
    edges, unit = list(weights), 1
    left = bipartition(len(place), edges) if problem.ports == "half-duplex" else set[int]()
    if left is None:
        unit, colored = _matched_intervals(len(place), edges, list(weights.values()))
    else:
        pairs = [(b, a) if b in left else (a, b) for a, b in edges]
        colored = busy_intervals(pairs, list(weights.values()))
    return unit, [(groups[edge], times) for edge, times in zip(edges, colored, strict=True)]


def _colored(
    size: int, edges: Sequence[tuple[int, int]], weights: Sequence[Fraction | int]
) -> FractionalEdgeColoring:
    from exactsched.graphs.fractional_edge_coloring import color_fractionally

    return color_fractionally(size, edges, weights)


def _matched_intervals(
    size: int, edges: Sequence[tuple[int, int]], weights: Sequence[int]
) -> tuple[int, list[list[tuple[int, int]]]]:
    """The matchings of a fractional edge coloring one after the other, as `busy_intervals`."""
    matchings = _colored(size, edges, weights).matchings
    unit = lcm(*(time.denominator for time, _ in matchings))
    busy: list[list[tuple[int, int]]] = [[] for _ in edges]
    now = 0
    for time, matching in matchings:
        end = now + int(time * unit)
        for edge in matching:
            before = busy[edge].pop() if busy[edge] and busy[edge][-1][1] == now else (now, now)
            busy[edge].append((before[0], end))
        now = end
    return unit, busy


def _shared_out(
    arcs: Sequence[int], lengths: dict[int, int], intervals: Iterable[tuple[int, int]]
) -> Iterable[tuple[int, int, int]]:
    """Give the intervals to the arcs one after the other, each as long as it needs.

    Rows (start, end, arc).
    """
    waiting = list(reversed(arcs))
    left = lengths[waiting[-1]]
    for start, end in intervals:
        while start < end:
            part = min(left, end - start)
            yield start, start + part, waiting[-1]
            start += part
            left -= part
            if left == 0:
                waiting.pop()
                left = lengths[waiting[-1]] if waiting else 0
