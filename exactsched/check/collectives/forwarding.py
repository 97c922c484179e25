"""The bound on allgathers through nodes that forward each copy once: prices, and potentials there.

Charge every transfer its priced time.  A node outside the group sends no more than it receives, so
what all transfers gain in potential, from tail to head, adds up to nothing or more.  Hence all
transfers together pay at least the weights of the sets that they enter; and of every operation the
shards outside enter each set.
"""

from __future__ import annotations

from fractions import Fraction

from exactsched.certificate.bounds import ForwardingBound
from exactsched.certificate.budget import bits_of, products, spend
from exactsched.check.collectives.arc_prices import Arcs, offered_by, tolls_of
from exactsched.check.common_denominator import exact_sum, over_common_denominator
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import text
from exactsched.model.problem import Allgather


def forwarded_shards(problem: Allgather, bound: ForwardingBound) -> tuple[Fraction, Fraction]:
    """What an operation pays, and what all resources can be charged per time unit.

    O(k m) additions for k sets and m arcs.  Raises `Rejected`.
    """
    arcs = Arcs(problem)
    tolls, unit = tolls_of(arcs, bound, "proof")
    weights = [weight for _, weight in bound.sets]
    heights = [height for _, height in bound.potentials]
    scaled, common = over_common_denominator([*weights, *heights], "proof.sets", len(arcs.tails))
    height = dict(zip((node for node, _ in bound.potentials), scaled[len(weights) :], strict=True))
    longest = max(map(int.bit_length, [*scaled, *tolls, unit, common]))
    spend(len(bound.sets) * (len(arcs.tails) + len(problem.shards)), "proof.sets")
    entered = [0] * len(arcs.tails)
    worth = []
    for (nodes, weight), whole in zip(bound.sets, scaled, strict=False):
        inside = frozenset(nodes)
        for index, (tail, head) in enumerate(zip(arcs.tails, arcs.heads, strict=True)):
            if head in inside and tail not in inside:
                entered[index] += whole
        if not inside.isdisjoint(problem.group):
            outside = [size for node, size in problem.shards if node not in inside]
            worth.append(weight * Fraction(exact_sum(outside, "problem.shards")))
    each = zip(arcs.tails, arcs.heads, arcs.costs, strict=True)
    for index, (tail, head, time) in enumerate(each):
        spend(3 * products(longest, bits_of(time) + longest), "proof.sets")
        owed = entered[index] + height.get(head, 0) - height.get(tail, 0)
        if owed * unit * time.denominator > common * tolls[index] * time.numerator:
            raise Rejected(
                f"proof.sets at arc {index} ({problem.platform.arcs[index]})",
                [text(Fraction(owed, common)), text(time * Fraction(tolls[index], unit))],
                "the sets that an arc crosses, and what it gains in potential, weigh no more than"
                " its priced time",
            )
    paid = Fraction(exact_sum(worth, "proof.sets"))
    if not paid:
        raise Rejected("proof.sets", 0, "nothing has to enter these sets, so nothing is bounded")
    return paid, Fraction(offered_by(bound, "proof"))
