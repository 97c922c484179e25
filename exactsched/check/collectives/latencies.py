"""The bound that no run of allgathers or sums passes: latencies, and what has to enter a set."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from exactsched.certificate.bounds import LatencyBound
from exactsched.certificate.budget import bits_of, products, spend
from exactsched.certificate.collectives import Run
from exactsched.check.common_denominator import exact_sum, over_common_denominator
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import Rational, text
from exactsched.model.platform import Arc, Node
from exactsched.model.problem import Allgather, Combination
from exactsched.model.resources import arc_resources


def least_makespan(run: Run, problem: Allgather | Combination, bound: LatencyBound) -> Fraction:
    """D + (S Z W + M N W') / Y for M operations of total size S: no schedule of them ends earlier.

    Z and N are the size and the number of the shards or blocks counted, W what a unit of size pays
    where it enters the set and W' what a transfer pays for its latency, Y the sum of the prices.
    Whatever enters the set is D after the start or before the end: the least `early` at the tail of
    an arc into the set, and the least `late` at the head of one.  O(m) additions for m arcs.
    Raises `Rejected`.
    """
    platform = problem.platform
    offered = exact_sum(list(bound.prices.values()), "proof.prices")
    if offered == 0:
        raise Rejected("proof.prices", 0, "without a positive price no time is bounded")
    inside = frozenset(bound.nodes)
    sizes = _gathered(problem, bound) if isinstance(problem, Allgather) else _summed(problem, bound)
    _refuse_steep(problem, bound)
    crossing = [
        (index, arc)
        for index, arc in enumerate(platform.arcs)
        if arc.head in inside and arc.tail not in inside
    ]
    # There are some: the run, which has been checked, brings something into the set.
    parts = run.sizes or (1,)
    ends = sorted({Fraction(part) * one for part in _ends(parts) for one in _ends(sizes)})
    _refuse_overpaid(problem, bound, crossing, _ends(ends))
    first = min(bound.early[platform.position[arc.tail]] for _, arc in crossing)
    last = min(bound.late[platform.position[arc.head]] for _, arc in crossing)
    size = exact_sum(run.sizes, "sizes") if run.sizes else run.operations
    shards = exact_sum(sizes, "proof.roots")
    numbers = bits_of(size, shards, bound.weight, bound.startup, offered, first, last)
    spend(8 * products(numbers, numbers), "proof")
    paid = size * shards * bound.weight + run.operations * len(bound.roots) * bound.startup
    return first + last + Fraction(paid) / offered


def _gathered(problem: Allgather, bound: LatencyBound) -> list[Fraction]:
    """The sizes of the shards that are counted.

    They are there at the start, and done wherever in the set the group has them.
    """
    roots = [problem.roots[root] for root in bound.roots]
    _refuse_late(problem, bound.early, [root.node for root in roots], "early")
    goals = [node for node in bound.nodes if node in problem.group]
    _refuse_late(problem, bound.late, goals, "late")
    return [root.size for root in roots]


def _summed(problem: Combination, bound: LatencyBound) -> list[Fraction]:
    """The sizes of the blocks that are counted.

    Of the values outside the set one is enough, and for each block one node inside that wants it.
    """
    inside = frozenset(bound.nodes)
    outside = [node for node in problem.members if node not in inside]
    first = min(outside, key=lambda node: bound.early[problem.platform.position[node]])
    _refuse_late(problem, bound.early, [first], "early")
    wanting = dict.fromkeys(problem.blocks[root].targets for root in bound.roots)
    for targets in wanting:  # in their order: what is refused is the same in every run
        goals = [node for node in targets if node in inside]
        last = min(goals, key=lambda node: bound.late[problem.platform.position[node]])
        _refuse_late(problem, bound.late, [last], "late")
    return [problem.blocks[root].size for root in bound.roots]


def _refuse_late(
    problem: Allgather | Combination, times: Sequence[Rational], nodes: Sequence[Node], name: str
) -> None:
    for node in map(problem.platform.position.__getitem__, nodes):
        if times[node] > 0:
            rule = "what is there at the start, or at its goal, takes no time"
            raise Rejected(f"proof.{name}[{node}]", text(times[node]), rule)


def _refuse_steep(problem: Allgather | Combination, bound: LatencyBound) -> None:
    """Along an arc `early` grows by at most its latency, against it `late` does."""
    position, arcs = problem.platform.position, problem.platform.arcs
    latencies = [arc.latency for arc in arcs]
    listed = [*latencies, *bound.early, *bound.late]
    # Both ways for every arc, and numbers that are as long as the common denominator.
    scaled, unit = over_common_denominator(listed, "proof.early", 2 * len(arcs))
    spend(2 * len(arcs) * (1 + max(map(int.bit_length, scaled), default=0) // 1024), "proof.early")
    early = scaled[len(arcs) : len(arcs) + len(position)]
    late = scaled[len(arcs) + len(position) :]
    for index, arc in enumerate(arcs):
        tail, head = position[arc.tail], position[arc.head]
        for name, gain in (("early", early[head] - early[tail]), ("late", late[tail] - late[head])):
            if gain > scaled[index]:
                place = f"proof.{name} at arc {index} ({arc})"
                rule = "over an arc a message goes in its latency at the least"
                raise Rejected(place, text(Fraction(gain, unit)), rule)


def _ends(numbers: Sequence[Rational]) -> tuple[Rational, Rational]:
    return min(numbers), max(numbers)


def _refuse_overpaid(
    problem: Allgather | Combination,
    bound: LatencyBound,
    crossing: Sequence[tuple[int, Arc]],
    sizes: Sequence[Rational],
) -> None:
    """What enters the set pays no more than its priced time.

    Both sides are linear in the size, so the least one and the largest one are enough.
    """
    used = arc_resources(problem)
    for index, arc in crossing:
        prices = [bound.prices.get(name, Fraction(0)) for name in used[index]]
        price = Fraction(exact_sum(prices, "proof.prices"))
        for size in sizes:
            numbers = bits_of(price, bound.weight, bound.startup, arc.cost, arc.latency, size)
            spend(8 * products(numbers, numbers), "proof.weight")
            paid = bound.weight * size + bound.startup
            time = price * (arc.cost * size + arc.latency)
            if paid > time:
                rule = "what enters the set pays no more than its priced time"
                place = f"proof.weight at arc {index} ({arc})"
                raise Rejected(place, [text(paid), text(time)], rule)
