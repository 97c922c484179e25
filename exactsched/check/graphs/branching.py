"""Branchings that share capacities: each of them enters every set without its roots."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from exactsched.certificate.graphs import (
    ArborescenceDecomposition,
    BranchingPacking,
    ConcurrentBranchingPacking,
    MinimumCostArborescence,
    Pairs,
    UnmetDemand,
)
from exactsched.certificate.rules import column
from exactsched.check.common_denominator import exact_sum, over_common_denominator, quotient
from exactsched.check.graphs.crossing import entered_weights, entering
from exactsched.check.graphs.flow import root_cut_capacity
from exactsched.check.graphs.spanning import refuse_unless_spanning
from exactsched.check.proved import ProvedMinMax, graph_size, shown
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import Rational


def branching_packing(stated: BranchingPacking) -> ProvedMinMax:
    """The total demand, which the branchings meet within the capacities.

    Linear in the number of nodes of all branchings.  Raises `Rejected`.

    >>> stated = BranchingPacking(2, ((0, 1),), (3,), (((0,), 2),), ((0, 2, (0,)),))
    >>> branching_packing(stated).value
    Fraction(2, 1)
    """
    _refuse_unless_met(stated, 1)
    value = exact_sum([demand for _, demand in stated.roots], "roots")
    proved = f"demand {shown(value)} met by {len(stated.branchings)} branchings that fit"
    return ProvedMinMax(
        "branching-packing", Fraction(value), proved, graph_size(stated.size, stated.arcs)
    )


def unmet_demand(stated: UnmetDemand) -> ProvedMinMax:
    """That no branchings meet the demands, because too little capacity enters the nodes.

    Linear in the number of arcs and root nodes.  Raises `Rejected`.

    >>> unmet_demand(UnmetDemand(2, ((0, 1),), (3,), (((0,), 4),), (1,), 3, 4)).proved
    'no such branchings exist: 3 enters the set, 4 is needed'
    """
    capacity, needed = _entering_and_needed(stated)
    if stated.entering != capacity:
        raise Rejected("entering", shown(stated.entering), f"{shown(capacity)} enters the nodes")
    if stated.needed != needed:
        rule = f"the root sets without any of the nodes demand {shown(needed)}"
        raise Rejected("needed", shown(stated.needed), rule)
    if capacity >= needed:
        rule = f"less than what is needed, {shown(needed)}, enters the nodes"
        raise Rejected("entering", shown(capacity), rule)
    proved = (
        f"no such branchings exist: {shown(capacity)} enters the set, {shown(needed)} is needed"
    )
    return ProvedMinMax("unmet-demand", None, proved, graph_size(stated.size, stated.arcs))


def concurrent_branching_packing(stated: ConcurrentBranchingPacking) -> ProvedMinMax:
    """How many times all demands can be met at once, which the node set limits.

    Linear in the number of nodes of all branchings.  Raises `Rejected`.

    >>> stated = ConcurrentBranchingPacking(
    ...     2, ((0, 1),), (3,), (((0,), 2),), ((0, 3, (0,)),), (1,), Fraction(3, 2)
    ... )
    >>> concurrent_branching_packing(stated).value
    Fraction(3, 2)
    """
    capacity, needed = _entering_and_needed(stated)
    if not needed:
        raise Rejected(
            "nodes", shown(needed), "root sets without any of the nodes demand something"
        )
    value = Fraction(capacity) / needed
    if stated.value != value:
        rule = f"{shown(capacity)} enters the nodes, which is {shown(value)} times what they need"
        raise Rejected("value", shown(stated.value), rule)
    _refuse_unless_met(stated, stated.value)
    proved = f"{shown(value)} times all demands proved optimal: branchings and node set agree"
    size = graph_size(stated.size, stated.arcs)
    return ProvedMinMax("concurrent-branching-packing", stated.value, proved, size)


def arborescence_decomposition(stated: ArborescenceDecomposition) -> ProvedMinMax:
    """The weight of the trees, which no packing exceeds, because of the root cut.

    Linear in the number of nodes of all trees.  Raises `Rejected`.

    >>> stated = ArborescenceDecomposition(2, ((0, 1),), (3,), 0, ((3, (0,)),), (1,), 3)
    >>> arborescence_decomposition(stated).value
    Fraction(3, 1)
    """
    root = frozenset([stated.root])
    _refuse_unless_packed(
        stated.size,
        stated.arcs,
        stated.capacities,
        [(root, weight, arcs) for weight, arcs in stated.trees],
        "trees",
    )
    _refuse_repetition([(0, arcs) for _, arcs in stated.trees], "trees")
    value = exact_sum([weight for weight, _ in stated.trees], "trees")
    if stated.value != value:
        raise Rejected("value", shown(stated.value), f"the trees weigh {shown(value)}")
    capacity = root_cut_capacity(stated.arcs, stated.capacities, stated.root, stated.cut)
    if capacity != value:
        rule = f"the capacity that enters the cut equals the value, {shown(value)}"
        raise Rejected("cut", shown(capacity), rule)
    proved = f"arborescences of weight {shown(value)} proved optimal: trees and root cut agree"
    size = graph_size(stated.size, stated.arcs)
    return ProvedMinMax("arborescence-decomposition", Fraction(value), proved, size)


def minimum_cost_arborescence(stated: MinimumCostArborescence) -> ProvedMinMax:
    """The cost of the tree, which no arborescence undercuts, because it pays for every cut.

    O((m + k) log n) additions for m arcs and k cuts.  Raises `Rejected`.

    >>> stated = MinimumCostArborescence(2, ((0, 1),), (3,), 0, (0,), (1,), ((0, 1, 3),), 3)
    >>> minimum_cost_arborescence(stated).value
    Fraction(3, 1)
    """
    refuse_unless_spanning(
        range(stated.size), stated.arcs, frozenset([stated.root]), stated.tree, "tree"
    )
    value = exact_sum([stated.costs[index] for index in stated.tree], "costs")
    if stated.value != value:
        raise Rejected("value", shown(stated.value), f"the tree costs {shown(value)}")
    sums = len(stated.order) + len(stated.arcs)
    weights, unit = over_common_denominator([weight for _, _, weight in stated.cuts], "cuts", sums)
    tails, heads = column(stated.arcs, 0), column(stated.arcs, 1)
    entered = entered_weights(tails, heads, stated.order, stated.cuts, weights)
    for index, (weight, cost) in enumerate(zip(entered, stated.costs, strict=True)):
        if weight * cost.denominator > cost.numerator * unit:
            rule = f"the sets that an arc enters weigh at most its cost, {shown(cost)}"
            raise Rejected(f"cuts at arc {index}", shown(quotient(weight, unit)), rule)
    packed = quotient(sum(weights), unit)
    if packed != value:
        raise Rejected("cuts", shown(packed), f"the cuts weigh the value, {shown(value)}")
    proved = f"minimum-cost arborescence {shown(value)} proved optimal: tree and cuts agree"
    size = graph_size(stated.size, stated.arcs)
    return ProvedMinMax("minimum-cost-arborescence", Fraction(value), proved, size)


def _refuse_unless_met(
    stated: BranchingPacking | ConcurrentBranchingPacking, factor: Rational
) -> None:
    """The branchings are different, fit the capacities, and weigh `factor` times the demands."""
    root_sets = [frozenset(nodes) for nodes, _ in stated.roots]
    _refuse_unless_packed(
        stated.size,
        stated.arcs,
        stated.capacities,
        [(root_sets[index], weight, arcs) for index, weight, arcs in stated.branchings],
        "branchings",
    )
    _refuse_repetition([(index, arcs) for index, _, arcs in stated.branchings], "branchings")
    weights: list[list[Rational]] = [[] for _ in stated.roots]
    for index, weight, _ in stated.branchings:
        weights[index].append(weight)
    for index, (_, demand) in enumerate(stated.roots):
        packed = exact_sum(weights[index], "branchings")
        if packed != factor * demand:
            rule = f"the branchings of a root set weigh its demand, {shown(factor * demand)}"
            raise Rejected(f"branchings of root set {index}", shown(packed), rule)


def _entering_and_needed(
    stated: UnmetDemand | ConcurrentBranchingPacking,
) -> tuple[Rational, Rational]:
    """The capacity that enters the nodes, and the demand of the root sets disjoint from them."""
    if not stated.nodes:
        raise Rejected("nodes", [], "no branching has to enter the empty set")
    capacity = exact_sum(
        [stated.capacities[index] for index in entering(stated.nodes, stated.arcs)], "capacities"
    )
    inside = frozenset(stated.nodes)
    needed = exact_sum(
        [demand for roots, demand in stated.roots if inside.isdisjoint(roots)], "roots"
    )
    return capacity, needed


def _refuse_unless_packed(
    size: int,
    arcs: Pairs,
    capacities: Sequence[Rational],
    branchings: Sequence[tuple[frozenset[int], Rational, tuple[int, ...]]],
    place: str,
) -> None:
    """Each (roots, weight, arcs) is a spanning branching, and together they fit the capacities."""
    weights, unit = over_common_denominator(
        [weight for _, weight, _ in branchings], place, len(arcs)
    )
    load = [0] * len(arcs)
    for index, ((roots, _, chosen), weight) in enumerate(zip(branchings, weights, strict=True)):
        refuse_unless_spanning(range(size), arcs, roots, chosen, f"{place}[{index}]")
        for arc in chosen:
            load[arc] += weight
    for index, (used, capacity) in enumerate(zip(load, capacities, strict=True)):
        if used * capacity.denominator > capacity.numerator * unit:
            rule = f"what contains an arc weighs at most its capacity, {shown(capacity)}"
            raise Rejected(f"{place} on arc {index}", shown(quotient(used, unit)), rule)


def _refuse_repetition(branchings: Sequence[tuple[int, tuple[int, ...]]], place: str) -> None:
    # Sorted, as the hashes of different arc sets can be made equal by whoever writes the document.
    listed = sorted((roots, sorted(arcs), index) for index, (roots, arcs) in enumerate(branchings))
    for (*one, _), (*other, index) in pairwise(listed):
        if one == other:
            raise Rejected(f"{place}[{index}]", other[1], "each is listed once, with its weight")
