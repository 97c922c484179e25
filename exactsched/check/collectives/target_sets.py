"""The bound on messages to some nodes, from what each set of targets costs at every node.

For one share of the targets, by induction on the tree: the cheapest tree from a node to a set of
targets begins with a call, or it divides the set; a target serves itself.  No cost in the table is
more than what these ways say, if calls are as long as its costs fall along them: so none is more
than what a tree pays.  Of all calls of a tree to all targets every share takes a tree to its own;
together the costs fall along a call by no more than it pays.
"""

from __future__ import annotations

from fractions import Fraction
from typing import cast

from exactsched.certificate.bounds import TargetBound, TargetShare
from exactsched.certificate.budget import bits_of, products, spend, sums
from exactsched.check.collectives.arc_prices import Arcs, Links, offered_by
from exactsched.check.common_denominator import over_common_denominator
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import text
from exactsched.model.platform import Node
from exactsched.model.problem import Combination

_Table = list[list[int]]


def cheapest_to_targets(problem: Combination, bound: TargetBound) -> tuple[Fraction, Fraction]:
    """What an operation pays, and what all resources can be charged per time unit.

    For a share of k targets, in a group of n nodes with m links from node to node, O(3^k n + 2^k m)
    operations.  Raises `Rejected`.
    """
    listed = [cost for share in bound.shares for row in share.costs for cost in row]
    place_of = {node: place for place, node in enumerate(problem.members)}
    links = Links(Arcs(problem), bound, problem.members)
    pairs = zip(links.tails, links.heads, strict=True)
    ends = [(place_of[tail], place_of[head]) for tail, head in pairs]
    scaled, unit = over_common_denominator(listed, "proof.shares", len(ends))
    block = problem.blocks[0]
    source = place_of[cast(Node, block.source)]
    numbers = sums(max(map(int.bit_length, scaled), default=0))
    fallen = [0] * len(ends)
    paid = first = 0
    for index, share in enumerate(bound.shares):
        count, nodes = len(share.targets), len(place_of)
        spend((3**count * nodes + 2**count * len(ends)) * numbers, "proof.shares")
        # What is sent on to nobody costs nothing.
        table = [[0] * nodes]
        for _ in share.costs:
            table.append(scaled[first : first + nodes])
            first += nodes
        place = f"proof.shares[{index}].costs"
        _refuse_costly_targets(share, table, place_of, place)
        _refuse_costly_divisions(table, place)
        for link, (tail, head) in enumerate(ends):
            fallen[link] += max(row[tail] - row[head] for row in table)
        paid += table[-1][source]
    links.refuse_overpaid(fallen, unit, "proof.shares", "the costs of targets fall along {} by")
    if paid <= 0:
        rule = "no operation has to pay, so nothing is bounded"
        raise Rejected("proof.shares", text(Fraction(paid, unit)), rule)
    spend(2 * products(bits_of(block.size), bits_of(paid, unit)), "proof.shares")
    return block.size * Fraction(paid, unit), Fraction(offered_by(bound, "proof"))


def _refuse_costly_targets(
    share: TargetShare, table: _Table, place_of: dict[Node, int], place: str
) -> None:
    for number, row in enumerate(table):
        for index, target in enumerate(share.targets):
            node = place_of[target]
            if number >> index & 1 and row[node] > table[number ^ (1 << index)][node]:
                rule = "a target that has the message pays for the others only"
                raise Rejected(
                    f"{place}[{number - 1}][{node}]", text(share.costs[number - 1][node]), rule
                )


def _refuse_costly_divisions(table: _Table, place: str) -> None:
    for number in range(1, len(table)):
        part = number & (number - 1)
        while part:
            if part > number ^ part:  # every division once
                rows = zip(table[number], table[part], table[number ^ part], strict=True)
                for node, (whole, one, other) in enumerate(rows):
                    if whole > one + other:
                        rule = "a set costs no more than two parts of it together"
                        raise Rejected(
                            f"{place}[{number - 1}][{node}]", [part, number ^ part], rule
                        )
            part = (part - 1) & number
