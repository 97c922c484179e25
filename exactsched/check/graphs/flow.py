"""Flows and cuts: what a set of nodes lets through is what passes, or more."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction

from exactsched.certificate.graphs import MaximumFlow, MinimumRootCut, Pairs
from exactsched.check.common_denominator import exact_sum, over_common_denominator, quotient
from exactsched.check.graphs.crossing import entering
from exactsched.check.proved import ProvedMinMax, graph_size, shown
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import Rational


def maximum_flow(stated: MaximumFlow) -> ProvedMinMax:
    """The value of the flow, which no flow exceeds, because the cut lets no more through.

    Linear in the number of arcs.  Raises `Rejected`.

    >>> maximum_flow(MaximumFlow(2, ((0, 1),), (3,), 0, 1, (3,), (0,), 3)).value
    Fraction(3, 1)
    """
    inside = set(stated.cut)
    if stated.source not in inside or stated.sink in inside:
        rule = "a cut contains the source and not the sink"
        raise Rejected("cut", list(stated.cut), rule)
    refuse_impossible_amounts(enumerate(stated.flow), stated.capacities, "flow")
    gained, unit = gained_by_node(stated.arcs, list(enumerate(stated.flow)), "flow")
    for node, gain in gained.items():
        if gain and node not in (stated.source, stated.sink):
            rule = "nothing stays in a node but the source and the sink"
            raise Rejected(f"flow at node {node}", shown(quotient(gain, unit)), rule)
    value = quotient(gained[stated.sink], unit)
    if stated.value != value:
        raise Rejected("value", shown(stated.value), f"the flow brings {shown(value)} to the sink")
    # Reversed, the arcs that leave the cut enter it.
    leaving = entering(inside, [(head, tail) for tail, head in stated.arcs])
    capacity = exact_sum([stated.capacities[index] for index in leaving], "capacities")
    if capacity != value:
        rule = f"the capacity that leaves the cut equals the value, {shown(value)}"
        raise Rejected("cut", shown(capacity), rule)
    proved = f"maximum flow {shown(value)} proved optimal: flow and cut agree"
    return ProvedMinMax(
        "maximum-flow", Fraction(value), proved, graph_size(stated.size, stated.arcs)
    )


def minimum_root_cut(stated: MinimumRootCut) -> ProvedMinMax:
    """The capacity that enters the cut, and at least which enters every set without the root.

    Linear in the number of arcs and of the entries of all flows.  Raises `Rejected`.

    >>> minimum_root_cut(MinimumRootCut(2, ((0, 1),), (3,), 0, (1,), (1,), (((0, 3),),), 3)).value
    Fraction(3, 1)
    """
    value = root_cut_capacity(stated.arcs, stated.capacities, stated.root, stated.cut)
    if stated.value != value:
        raise Rejected("value", shown(stated.value), f"the cut is entered by {shown(value)}")
    if len(stated.order) != stated.size - 1:
        rule = f"there is a flow into every node but the root: {stated.size - 1}"
        raise Rejected("order", len(stated.order), rule)
    rank = {node: index for index, node in enumerate(stated.order)}
    for index, (node, flow) in enumerate(zip(stated.order, stated.flows, strict=True)):
        place = f"flows[{index}]"
        refuse_impossible_amounts(flow, stated.capacities, place)
        gained, unit = gained_by_node(stated.arcs, flow, place)
        for other, gain in gained.items():
            if gain and rank.get(other, -1) > index:
                rule = "nothing stays in a node behind the one in the order, nor starts there"
                raise Rejected(f"{place} at node {other}", shown(quotient(gain, unit)), rule)
        brought = quotient(gained[node], unit)
        if brought < value:
            raise Rejected(place, shown(brought), f"a flow brings at least {shown(value)}")
    proved = f"minimum root cut {shown(value)} proved optimal: cut and flows agree"
    return ProvedMinMax(
        "minimum-root-cut", Fraction(value), proved, graph_size(stated.size, stated.arcs)
    )


def root_cut_capacity(
    arcs: Pairs, capacities: Sequence[Rational], root: int, cut: Sequence[int]
) -> Rational:
    """The capacity that enters a set of nodes without the root.  Raises `Rejected`.

    >>> root_cut_capacity([(0, 1), (1, 0)], [3, 7], 0, [1])
    3
    """
    if not cut or root in cut:
        raise Rejected("cut", list(cut), "a root cut is not empty, and without the root")
    return exact_sum([capacities[index] for index in entering(cut, arcs)], "capacities")


def refuse_impossible_amounts(
    flow: Iterable[tuple[int, Rational]], capacities: Sequence[Rational], place: str
) -> None:
    for arc, amount in flow:
        if not 0 <= amount <= capacities[arc]:
            rule = f"from 0 to the capacity of the arc, {shown(capacities[arc])}"
            raise Rejected(f"{place} on arc {arc}", shown(amount), rule)


def gained_by_node(
    arcs: Sequence[tuple[int, int]], flow: Sequence[tuple[int, Rational]], place: str
) -> tuple[defaultdict[int, int], int]:
    """For every node what enters it minus what leaves it, over a common denominator."""
    amounts, unit = over_common_denominator([amount for _, amount in flow], place)
    gained: defaultdict[int, int] = defaultdict(int)
    for (arc, _), amount in zip(flow, amounts, strict=True):
        tail, head = arcs[arc]
        gained[tail] -= amount
        gained[head] += amount
    return gained, unit
