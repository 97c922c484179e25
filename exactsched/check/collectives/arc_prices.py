"""What the arcs of a problem pay under the prices of a proof, and what all resources offer."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from heapq import heappop, heappush
from itertools import compress, repeat
from operator import add, gt
from typing import Final

from exactsched.certificate.bounds import (
    Cut,
    CutBound,
    ForwardingBound,
    TargetBound,
    TreeBound,
)
from exactsched.certificate.budget import SHORT, bits_of, products, spend, sums
from exactsched.check.common_denominator import exact_sum, over_common_denominator
from exactsched.check.graphs.crossing import (
    between_segments,
    count_of_segments,
    entered_weights,
    spend_on_entered,
)
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import Rational, text
from exactsched.model.platform import Node
from exactsched.model.problem import Allgather, Broadcast, Collective, Combination
from exactsched.model.resources import SIDES, arc_resources, size_costs

Priced = CutBound | TreeBound | TargetBound | ForwardingBound

# What an arc or a path pays for, in the messages of errors.
_SETS: Final = "the sets that {} crosses weigh"


class Arcs:
    """What every case needs to know of the arcs, read from the problem once.

    `gone` says which arcs are removed in the case that is looked at.
    """

    def __init__(self, problem: Broadcast | Allgather | Combination) -> None:
        self.problem = problem
        self.tails, self.heads = problem.platform.tails, problem.platform.heads
        self.costs, self.factors = size_costs(problem)
        # Only the rounding under a restriction to a tree needs them over a common denominator.
        to_a_tree = isinstance(problem, Broadcast) and problem.restrict == "tree"
        scaled = self.costs if to_a_tree else []
        self.scaled_costs, self.unit = over_common_denominator(scaled, "problem.platform.arcs")
        self.gone = bytearray(len(self.tails))

    @cached_property
    def into(self) -> dict[Node, list[int]]:
        """The arcs into every node."""
        return self._by_end(self.heads)

    @cached_property
    def at(self) -> dict[Node, list[int]]:
        """The arcs out of every node."""
        return self._by_end(self.tails)

    def _by_end(self, ends: Sequence[Node]) -> dict[Node, list[int]]:
        arcs: dict[Node, list[int]] = {node: [] for node in self.problem.platform.nodes}
        for index, end in enumerate(ends):
            arcs[end].append(index)
        return arcs


def offered_by(bound: Priced, place: str) -> Rational:
    """What all resources together can be charged per time unit.

    At most k arcs inside 2k + 1 nodes work at a time, as no two of them share a node.
    """
    odd = [len(nodes) // 2 * price for nodes, price in bound.odd_sets]
    return exact_sum([*bound.prices.values(), *odd], f"{place}.prices")


def charged_on(
    problem: Collective, prices: Mapping[str, int], arcs: Sequence[int]
) -> Iterator[int]:
    """For each of the arcs what its resources charge together, one at a time."""
    if sides := SIDES.get(problem.ports):
        platform = problem.platform
        tails = list(map(platform.tails.__getitem__, arcs))
        heads = list(map(platform.heads.__getitem__, arcs))
        out, into = (
            {node: prices.get(f"{side}:{node}", 0) for node in {*ends}}
            for side, ends in zip(sides, (tails, heads), strict=True)
        )
        return map(add, map(out.__getitem__, tails), map(into.__getitem__, heads))
    used = arc_resources(problem, arcs)
    return (sum([prices.get(name, 0) for name in names]) for names in used)


def tolls_of(
    arcs: Arcs, bound: Priced, place: str, entered: Iterable[int] = repeat(1)
) -> tuple[list[int], int]:
    """What a time unit of work on each arc pays, over a common denominator.

    Of those that enter no set it may be 0: who tells what is `entered` does not ask for theirs.
    On a route it is what a unit of size pays: the prices times the costs of the links.  Others are
    the prices of the resources that it uses and of the odd sets with both its ends.
    """
    charged = list(bound.prices.values())
    if arcs.factors:  # shared links: the price of a unit of size
        factors = [arcs.factors[name] for name in bound.prices]
        numbers = bits_of(*charged, *factors) if charged else 0
        spend(len(charged) * products(numbers, numbers), place)
        charged = [price * factor for price, factor in zip(charged, factors, strict=True)]
    tolls = [0] * len(arcs.tails)
    paying = list(compress(range(len(tolls)), entered))
    prices = [*charged, *(price for _, price in bound.odd_sets)]
    # A toll is about as long as the common denominator of all prices, as they are; odd sets charge
    # all arcs inside them.
    held = len(tolls) if bound.odd_sets else len(paying)
    scaled, unit = over_common_denominator(prices, place, held)
    charges = charged_on(arcs.problem, dict(zip(bound.prices, scaled, strict=False)), paying)
    for index, charge in zip(paying, charges, strict=True):
        tolls[index] = charge
    if bound.odd_sets:
        inside = _paid_inside(arcs, bound, scaled[len(bound.prices) :])
        tolls = list(map(add, tolls, inside))
    return tolls, unit


def _paid_inside(arcs: Arcs, bound: Priced, prices: list[int]) -> list[int]:
    """For every arc the sum of the prices of the odd sets with both its ends."""
    paid = [0] * len(arcs.tails)
    longest = sums(max(map(int.bit_length, prices), default=0))
    for (nodes, _), price in zip(bound.odd_sets, prices, strict=True):
        spend(sum([len(arcs.at[node]) for node in nodes]) * longest, "proof.odd_sets")
        members = frozenset(nodes)
        for node in nodes:
            for index in arcs.at[node]:
                if arcs.heads[index] in members:
                    paid[index] += price
    return paid


def refuse_overpaid(
    arcs: Arcs,
    entered: list[int],
    weight_unit: int,
    tolls: list[int],
    price_unit: int,
    times: list[Fraction],
    place: str,
    what: str = _SETS,
) -> list[int]:
    """Raises `Rejected` where an arc that is not removed pays less than what is `entered`.

    Of the arcs that are removed those that pay less are returned.
    """
    unpaid, last, over, under = [], None, 0, 1
    for index in compress(range(len(times)), entered):
        time, toll = times[index], tolls[index]
        if time is not last:  # most are one and the same object
            last, over, under = time, weight_unit * time.numerator, price_unit * time.denominator
        if entered[index] * under > toll * over:
            if arcs.gone[index]:
                unpaid.append(index)
                continue
            arc = arcs.problem.platform.arcs[index]
            raise Rejected(
                f"{place} at arc {index} ({arc})",
                [text(Fraction(entered[index], weight_unit)), text(time * toll / price_unit)],
                f"{what.format('an arc')} no more than its priced time",
            )
    return unpaid


class Links:
    """What a call pays at least, from node to node of a group: over an arc, or along a path."""

    def __init__(self, arcs: Arcs, bound: Priced, members: Collection[Node]) -> None:
        self.arcs, self.members = arcs, members
        self.tails: Sequence[Node] = arcs.tails
        self.heads: Sequence[Node] = arcs.heads
        self.tolls, self.unit = tolls_of(arcs, bound, "proof")
        platform = arcs.problem.platform
        self.paths = len(members) < len(platform.nodes)
        self._reached: list[list[int]] = []
        if self.paths:
            self._shorten(platform.nodes)
        self._longest = max(map(int.bit_length, [*self.tolls, self.unit]))
        # The last unit of weights, and the most of them that each call can pay.
        self._most: tuple[int, list[int]] = (0, [])

    def entered(
        self, order: Sequence[Node], cuts: Sequence[Cut], weights: Sequence[int], turned: bool
    ) -> list[int]:
        """For every call the weight of the sets that it enters, or leaves, if it is turned."""
        count = count_of_segments(cuts)
        if not self.paths or count * (count + len(cuts) + len(self.members)) > len(self.tails):
            ends = (self.heads, self.tails) if turned else (self.tails, self.heads)
            return entered_weights(*ends, order, cuts, weights)
        spend_on_entered(len(self.tails), order, cuts, weights)
        segment_of, between = between_segments(order, cuts, weights)
        if turned:
            between = list(map(list, zip(*between, strict=True)))
        # All paths from one node at a time: a fifth of the time of path by path.
        segments = [segment_of.get(node, 0) for node in self.members]
        rows = [[row[segment] for segment in segments] for row in between]
        entered: list[int] = []
        for segment, reached in zip(segments, self._reached, strict=True):
            entered += map(rows[segment].__getitem__, reached)
        return entered

    def refuse_overpaid(
        self, entered: list[int], weight_unit: int, place: str, what: str = _SETS
    ) -> None:
        """Raises `Rejected` where a call pays less than what is `entered`."""
        extremes = max(entered, default=0), min(entered, default=0), weight_unit
        longest = max(self._longest, *map(int.bit_length, extremes))
        spend(2 * len(entered) * products(longest, longest), place)
        if not self.paths:
            costs = self.arcs.costs
            tolls = self.tolls, self.unit
            refuse_overpaid(self.arcs, entered, weight_unit, *tolls, costs, place, what)
            return
        # Longer ones are compared one by one, not to hold the products of all.
        if longest <= SHORT and not any(map(gt, entered, self._most_over(weight_unit))):
            return
        each = zip(entered, self.tolls, self.tails, self.heads, strict=True)
        for weight, paid, tail, head in each:
            if weight * self.unit > weight_unit * paid:
                raise Rejected(
                    f"{place} from {tail} to {head}",
                    [text(Fraction(weight, weight_unit)), text(Fraction(paid, self.unit))],
                    f"{what.format('a path')} no more than its priced time",
                )

    def _most_over(self, weight_unit: int) -> list[int]:
        """The most that every path can pay, in whole parts of a unit of weight."""
        if self._most[0] != weight_unit:
            self._most = weight_unit, [weight_unit * paid // self.unit for paid in self.tolls]
        return self._most[1]

    def _shorten(self, nodes: Collection[Node]) -> None:
        """The least that a path pays through nodes outside the group: Dijkstra from every node."""
        costs = self.arcs.costs
        scaled, cost_unit = over_common_denominator(costs, "problem.platform.arcs", len(costs))
        longest = max(map(int.bit_length, [*scaled, *self.tolls, cost_unit, self.unit]))
        count = len(self.tolls) + len(nodes)
        spend(len(self.members) * count * count.bit_length() * products(longest, longest), "proof")
        paid = [cost * toll for cost, toll in zip(scaled, self.tolls, strict=True)]
        leaving: dict[Node, list[tuple[Node, int]]] = {node: [] for node in nodes}
        for tail, head, toll in zip(self.tails, self.heads, paid, strict=True):
            leaving[tail].append((head, toll))
        group = frozenset(self.members)
        found = [_distances(member, leaving, group) for member in self.members]
        place_of = {member: place for place, member in enumerate(self.members)}
        # For every member the places of those that its paths lead to.
        self._reached = [list(map(place_of.__getitem__, far)) for far in found]
        self.tails = [member for member, far in zip(self.members, found, strict=True) for _ in far]
        self.heads = [node for far in found for node in far]
        self.tolls = [least for far in found for least in far.values()]
        self.unit *= cost_unit


def _distances(
    start: Node, leaving: dict[Node, list[tuple[Node, int]]], group: frozenset[Node]
) -> dict[Node, int]:
    """How far it is to the other nodes of the group, if inner nodes are outside the group."""
    position = {node: index for index, node in enumerate(leaving)}
    found: dict[Node, int] = {}
    heap = [(0, position[start], start)]
    while heap:
        least, _, node = heappop(heap)
        if node in found:
            continue
        found[node] = least
        if node == start or node not in group:
            for head, more in leaving[node]:
                if head not in found:
                    heappush(heap, (least + more, position[head], head))
    return {node: least for node, least in found.items() if node in group and node != start}
