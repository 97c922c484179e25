"""Series of broadcasts around a Hamiltonian cycle: what they reach, from the cycle alone.

No tree and no slot is looked at.  That the trees around the cycle reach what is claimed here is
theorem C of `proofs/half-duplex.md`, and that receptions bound it is a part of theorem B; their
hypotheses are decided here, exactly.
"""

from __future__ import annotations

from fractions import Fraction

from exactsched.certificate.around_cycle import ReceptionBound, SeriesAroundCycle
from exactsched.certificate.budget import bits_of, products, spend
from exactsched.check.collectives.certificates import proved_series, proved_throughput_bound
from exactsched.check.proved import ProvedSeries, shown
from exactsched.exact.errors import Rejected


def series_around_cycle(stated: SeriesAroundCycle) -> ProvedSeries:
    """What the trees around a cycle reach, and what the proof shows.  Raises `Rejected`.

    The cycle, and a proof by receptions, take O(n + m) steps for n nodes and m arcs, a proof by
    cuts as many as that of a series.

    >>> from exactsched.model.platform import Platform
    >>> from exactsched.model.problem import Broadcast
    >>> asked = Broadcast(Platform("ab", [("a", "b", 2), ("b", "a", 2)]), "a", "half-duplex")
    >>> half = Fraction(1, 2)
    >>> proof = ReceptionBound(Fraction(2))
    >>> stated = SeriesAroundCycle(asked, ("a", "b"), half, half, True, proof)
    >>> series_around_cycle(stated).throughput
    Fraction(1, 2)
    """
    throughput = _rate(stated, _common_cost(stated))
    if isinstance(stated.proof, ReceptionBound):
        _refuse_cheaper_arcs(stated, stated.proof.cost)
        return proved_series(stated, throughput, _rate(stated, stated.proof.cost))
    return proved_series(stated, throughput, proved_throughput_bound(stated.problem, stated.proof))


def _rate(stated: SeriesAroundCycle, cost: Fraction) -> Fraction:
    """The throughput if all P - 1 receptions take this cost, P / 2 of them at a time."""
    size = len(stated.cycle)
    return Fraction(size // 2) / ((size - 1) * cost)


def _refuse_cheaper_arcs(stated: SeriesAroundCycle, least: Fraction) -> None:
    platform = stated.problem.platform
    # Most are one and the same object, which takes no comparison.
    for cost in {id(cost): cost for cost in platform.costs}.values():
        spend(products(bits_of(cost), bits_of(least)), "proof.cost")
        if cost < least:
            arc = platform.arcs[platform.costs.index(cost)]
            raise Rejected("proof.cost", shown(least), f"the arc {arc} costs {shown(cost)}")


def _common_cost(stated: SeriesAroundCycle) -> Fraction:
    """The cost of all arcs from a node of the cycle to its neighbors on it, in both directions."""
    platform, size = stated.problem.platform, len(stated.cycle)
    place = {node: index for index, node in enumerate(stated.cycle)}
    tails, heads = (map(place.__getitem__, ends) for ends in (platform.tails, platform.heads))
    onwards = (1, 1 - size)  # to the next place, and from the last one to the first
    # For every place the cost of the arc to the next one, and then that of the arc back.
    costs: list[Fraction | None] = [None] * (2 * size)
    for tail, head, cost in zip(tails, heads, platform.costs, strict=True):
        if head - tail in onwards:
            costs[2 * tail] = cost
        if tail - head in onwards:
            costs[2 * head + 1] = cost
    found: list[Fraction] = []
    for index, known in enumerate(costs):
        if known is None:
            rule = "each node has an arc to the next one of the cycle, and one back"
            raise Rejected("cycle", _ends(stated, index), rule)
        found.append(known)
        # Most are one and the same object, which takes no comparison.
        if known is not found[0] and known != found[0]:
            rule = f"all arcs around the cycle have the same cost, {shown(found[0])}"
            raise Rejected("cycle", f"{_ends(stated, index)} ({shown(known)})", rule)
    return found[0]


def _ends(stated: SeriesAroundCycle, index: int) -> str:
    """The arc whose cost has this index."""
    place, turned = divmod(index, 2)
    ends = [stated.cycle[place], stated.cycle[(place + 1) % len(stated.cycle)]]
    return "->".join(map(str, reversed(ends) if turned else ends))
