"""Links through switches: they fit the capacities, and bring every demand to every other node."""

from __future__ import annotations

from fractions import Fraction

from exactsched.certificate.graphs import SplittingOff
from exactsched.check.common_denominator import exact_sum, over_common_denominator, quotient
from exactsched.check.graphs.flow import gained_by_node, refuse_impossible_amounts
from exactsched.check.proved import ProvedMinMax, graph_size, shown
from exactsched.exact.errors import Rejected


def splitting_off(stated: SplittingOff) -> ProvedMinMax:
    """The total demand, which links bring into every set of nodes that are no switches.

    Linear in the number of arcs of all links and of the entries of all flows.  Raises `Rejected`.

    >>> from exactsched.certificate.graphs import Link
    >>> arcs, link = ((0, 1), (1, 2)), Link((0, 1), 3)
    >>> flows = (((1, 3),), ((0, 3),))
    >>> splitting_off(SplittingOff(3, arcs, (4, 3), (1,), (3, 0, 0), (link,), (0, 2), flows)).value
    Fraction(3, 1)
    """
    switches = frozenset(stated.switches)
    for switch in stated.switches:
        if stated.demands[switch]:
            rule = "a switch demands nothing"
            raise Rejected(f"demands[{switch}]", shown(stated.demands[switch]), rule)
    _refuse_unless_links(stated, switches)
    _refuse_unless_they_fit(stated)
    if len(stated.order) != stated.size - len(switches) or not switches.isdisjoint(stated.order):
        rule = "there is a flow into every node that is no switch, and into no switch"
        raise Rejected("order", len(stated.order), rule)
    value = exact_sum(stated.demands, "demands")
    ends = [(stated.arcs[path[0]][0], stated.arcs[path[-1]][1]) for path, _ in stated.links]
    # The demands come over arcs from a node of their own.
    ends += [(stated.size, node) for node in range(stated.size)]
    capacities = [*(capacity for _, capacity in stated.links), *stated.demands]
    rank = {node: index for index, node in enumerate(stated.order)}
    for index, (node, flow) in enumerate(zip(stated.order, stated.flows, strict=True)):
        place = f"flows[{index}]"
        refuse_impossible_amounts(flow, capacities, place)
        gained, unit = gained_by_node(ends, flow, place)
        for other, gain in gained.items():
            if gain and rank.get(other, -1) > index:
                rule = "nothing stays in a node behind the one in the order, nor starts there"
                raise Rejected(f"{place} at node {other}", shown(quotient(gain, unit)), rule)
        brought = quotient(gained[node], unit)
        if brought < value:
            raise Rejected(place, shown(brought), f"a flow brings at least {shown(value)}")
    proved = f"{len(stated.links)} links around {len(switches)} switches keep demand {shown(value)}"
    size = graph_size(stated.size, stated.arcs)
    return ProvedMinMax("splitting-off", Fraction(value), proved, size)


def _refuse_unless_links(stated: SplittingOff, switches: frozenset[int]) -> None:
    """Every link leads from a node to another one, and between them through switches only."""
    for index, (path, _) in enumerate(stated.links):
        nodes = [stated.arcs[path[0]][0]]
        for position, arc in enumerate(path):
            tail, head = stated.arcs[arc]
            if tail != nodes[-1]:
                rule = f"an arc of a link starts where the one before it ends, at {nodes[-1]}"
                raise Rejected(f"links[{index}][0][{position}]", [tail, head], rule)
            nodes.append(head)
        inner = nodes[1:-1]
        if not switches.issuperset(inner) or not switches.isdisjoint((nodes[0], nodes[-1])):
            rule = "a link starts and ends at nodes that are no switches, all others are switches"
            raise Rejected(f"links[{index}]", nodes, rule)
        if len(set(nodes)) < len(nodes):
            raise Rejected(f"links[{index}]", nodes, "a link visits no node twice")


def _refuse_unless_they_fit(stated: SplittingOff) -> None:
    amounts, unit = over_common_denominator(
        [capacity for _, capacity in stated.links], "links", len(stated.arcs)
    )
    taken = [0] * len(stated.arcs)
    for (path, _), amount in zip(stated.links, amounts, strict=True):
        for arc in path:
            taken[arc] += amount
    for index, (used, capacity) in enumerate(zip(taken, stated.capacities, strict=True)):
        if used * capacity.denominator > capacity.numerator * unit:
            rule = f"the links that contain an arc take at most its capacity, {shown(capacity)}"
            raise Rejected(f"links on arc {index}", shown(quotient(used, unit)), rule)
