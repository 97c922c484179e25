"""Sums of matchings: none of them covers a node twice, or an odd set by more than half."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import chain

from exactsched.certificate.graphs import (
    EdgeColoring,
    FractionalEdgeColoring,
    MatchingDecomposition,
    Pairs,
)
from exactsched.certificate.rules import column
from exactsched.check.common_denominator import exact_sum, over_common_denominator, quotient
from exactsched.check.proved import ProvedMinMax, graph_size, shown
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import Rational


def edge_coloring(stated: EdgeColoring) -> ProvedMinMax:
    """The number of colors, which is the largest degree: its edges need as many.

    Linear in the number of edges of all classes.  Raises `Rejected`.

    >>> edge_coloring(EdgeColoring(((0, 0), (0, 1)), (1, 2), ((1, (0,)), (2, (1,))), 3)).value
    Fraction(3, 1)
    """
    ends = _sides(stated.edges)
    _refuse_unless_decomposed(*ends, stated.multiplicities, stated.classes, "classes")
    used = exact_sum([colors for colors, _ in stated.classes], "classes")
    if stated.colors != used:
        raise Rejected("colors", shown(stated.colors), f"the classes have {shown(used)} colors")
    load = _largest_load(ends, stated.multiplicities)
    if load != used:
        raise Rejected("colors", shown(used), f"the largest degree is {shown(load)}")
    proved = f"{shown(used)} colors proved optimal: coloring and largest degree agree"
    return ProvedMinMax("edge-coloring", Fraction(used), proved, f"{len(stated.edges)} edges")


def matching_decomposition(stated: MatchingDecomposition) -> ProvedMinMax:
    """The total duration, which is the largest load of a node: its edges last as long.

    Linear in the number of edges of all matchings.  Raises `Rejected`.

    >>> half = Fraction(1, 2)
    >>> stated = MatchingDecomposition(((0, 0),), (half,), ((half, (0,)),), half)
    >>> matching_decomposition(stated).value
    Fraction(1, 2)
    """
    ends = _sides(stated.edges)
    _refuse_unless_decomposed(*ends, stated.weights, stated.matchings, "matchings")
    lasted = exact_sum([duration for duration, _ in stated.matchings], "matchings")
    if stated.value != lasted:
        raise Rejected("value", shown(stated.value), f"the matchings last {shown(lasted)}")
    load = _largest_load(ends, stated.weights)
    if load != lasted:
        raise Rejected("value", shown(lasted), f"the largest load is {shown(load)}")
    proved = f"duration {shown(lasted)} proved optimal: matchings and largest load agree"
    return ProvedMinMax(
        "matching-decomposition", Fraction(lasted), proved, f"{len(stated.edges)} edges"
    )


def fractional_edge_coloring(stated: FractionalEdgeColoring) -> ProvedMinMax:
    """The total duration, which the witness demands: the load of a node, or an odd set.

    A matching has at most (|S| - 1) / 2 edges inside an odd set S.  Linear in the number of
    edges of all matchings.  Raises `Rejected`.

    >>> triangle, each = ((0, 1), (1, 2), (2, 0)), ((1, (0,)), (1, (1,)), (1, (2,)))
    >>> stated = FractionalEdgeColoring(3, triangle, (1, 1, 1), each, (0, 1, 2), 3)
    >>> fractional_edge_coloring(stated).value
    Fraction(3, 1)
    """
    ones, others = column(stated.edges, 0), column(stated.edges, 1)
    _refuse_unless_decomposed(ones, others, stated.weights, stated.matchings, "matchings")
    lasted = exact_sum([duration for duration, _ in stated.matchings], "matchings")
    if stated.value != lasted:
        raise Rejected("value", shown(stated.value), f"the matchings last {shown(lasted)}")
    size = len(stated.witness)
    if size % 2 == 0:
        raise Rejected("witness", size, "an odd number of nodes bounds the matchings")
    inside = frozenset(stated.witness)
    # One node: the edges at it.  A set: the edges inside, of which a matching has this many.
    ends_inside, at_once = (1, 1) if size == 1 else (2, (size - 1) // 2)
    weight = exact_sum(
        [
            weight
            for (one, other), weight in zip(stated.edges, stated.weights, strict=True)
            if (one in inside) + (other in inside) == ends_inside
        ],
        "weights",
    )
    if weight != lasted * at_once:
        rule = f"the witness demands the value, {shown(lasted)}"
        raise Rejected("witness", shown(weight / Fraction(at_once)), rule)
    reason = "load of a node" if size == 1 else "odd set"
    proved = f"duration {shown(lasted)} proved optimal: matchings and {reason} agree"
    graph = graph_size(stated.size, stated.edges, "edge")
    return ProvedMinMax("fractional-edge-coloring", Fraction(lasted), proved, graph)


def _sides(edges: Pairs) -> tuple[Sequence[int], Sequence[int]]:
    """The ends of bipartite edges, numbered from 0, with different numbers on the two sides.

    The nodes are numbered by their names as text, whose hashes Python makes unforeseeable: node
    numbers with equal hashes are easily found, and a dictionary of them takes quadratic time.
    """
    lefts, rights = column(edges, 0), column(edges, 1)
    if max(lefts, default=0) + max(rights, default=0) < 4 * len(edges):
        first = max(lefts) + 1  # short numbers need no others
        return lefts, [first + right for right in rights]
    names = [f"{left:x}" for left in lefts] + [f"{~right:x}" for right in rights]
    number = {name: index for index, name in enumerate(dict.fromkeys(names))}
    ends = list(map(number.__getitem__, names))
    return ends[: len(edges)], ends[len(edges) :]


def _largest_load(
    sides: tuple[Sequence[int], Sequence[int]], weights: Sequence[Rational]
) -> Rational:
    if list(weights) == [1] * len(weights):  # half the time
        return max(Counter(chain(*sides)).values(), default=0)
    scaled, unit = over_common_denominator(weights, "weights")
    loads = [0] * (1 + max(chain(*sides), default=0))
    for side in sides:
        for node, weight in zip(side, scaled, strict=True):
            loads[node] += weight
    return quotient(max(loads), unit)


def _refuse_unless_decomposed(
    ones: Sequence[int],
    others: Sequence[int],
    weights: Sequence[Rational],
    matchings: Sequence[tuple[Rational, tuple[int, ...]]],
    place: str,
) -> None:
    """The parts (duration, edges) are matchings, and every edge is in them for its weight."""
    durations, unit = over_common_denominator(
        [duration for duration, _ in matchings], place, len(ones)
    )
    lasted = [0] * len(ones)
    one_of, other_of = ones.__getitem__, others.__getitem__
    for index, ((_, edges), duration) in enumerate(zip(matchings, durations, strict=True)):
        if len(edges) > 1:
            covered = [*map(one_of, edges), *map(other_of, edges)]
            if len(set(covered)) < len(covered):
                ((busiest, _),) = Counter(covered).most_common(1)
                shared = [edge for edge in edges if busiest in (ones[edge], others[edge])]
                rule = "no two edges of a matching share a node"
                raise Rejected(f"{place}[{index}]", shared, rule)
        for edge in edges:
            lasted[edge] += duration
    if unit == 1 and lasted == list(weights):
        return
    for index, (total, weight) in enumerate(zip(lasted, weights, strict=True)):
        if total * weight.denominator != weight.numerator * unit:
            rule = f"what contains an edge makes up its weight, {shown(weight)}"
            raise Rejected(f"{place} on edge {index}", shown(quotient(total, unit)), rule)
