"""Whether certificates of min-max theorems are true: by all cuts, branchings and odd sets.

For graphs of a few nodes.  Nothing here shares code with a checker.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Final

from exactsched.certificate.graphs import (
    ArborescenceDecomposition,
    BranchingPacking,
    ConcurrentBranchingPacking,
    EdgeColoring,
    FractionalEdgeColoring,
    GraphCertificate,
    MatchingDecomposition,
    MaximumFlow,
    MinimumCostArborescence,
    MinimumRootCut,
    RootSet,
    SplittingOff,
    UnmetDemand,
    WeightedBranching,
)
from exactsched.certificate.linear_programs import (
    LinearInfeasibility,
    LinearOptimum,
    LinearOutcome,
    LinearUnboundedness,
)
from exactsched.exact.rational import Rational
from exactsched.oracles.branchings import branchings, demanded, largest_factor, spans
from exactsched.oracles.flows_and_cuts import bits, entered, least_root_cut, minimum_cuts
from exactsched.oracles.linear_programs import outcome_by_elimination
from exactsched.oracles.matchings import fractional_index, largest_load, two_sided
from exactsched.oracles.switches import fault_of_links

MOST_NODES: Final = 12  # all sets of more take too long

Pairs = Sequence[tuple[int, int]]


def min_max_fault(stated: GraphCertificate | LinearOutcome) -> str:
    """What is false of all that a certificate says of its instance; empty if nothing is.

    For at most MOST_NODES nodes.

    >>> arcs, pair = ((0, 1), (0, 1)), (Fraction(1), Fraction(2))
    >>> min_max_fault(MaximumFlow(2, arcs, (1, 2), 0, 1, (1, 1), (0,), Fraction(2)))
    'the least cut is 3'
    """
    return next(_faults(stated), "")


def _faults(stated: GraphCertificate | LinearOutcome) -> Iterator[str]:
    match stated:
        case MaximumFlow():
            yield from _of_flow(stated)
        case MinimumRootCut():
            least = least_root_cut(stated.size, stated.arcs, stated.capacities, stated.root)
            if stated.value != least:
                yield f"the least root cut is {least}"
            yield from _of_set(stated, stated.cut, stated.value)
        case BranchingPacking():
            yield from _of_packing(stated)
        case UnmetDemand():
            amounts = entered(stated.size, stated.arcs, stated.capacities)
            needed = demanded(stated.size, stated.roots)
            stated_set = amounts[bits(stated.nodes)], needed[bits(stated.nodes)]
            if stated_set != (stated.entering, stated.needed):
                yield "{} enters the set, {} is needed".format(*stated_set)
            if not stated.nodes or stated.entering >= stated.needed:
                yield "the set is entered by enough"
        case SplittingOff():
            asked = stated.size, stated.arcs, stated.capacities, stated.switches, stated.demands
            if fault := fault_of_links(*asked, stated.links):
                yield fault
        case ConcurrentBranchingPacking():
            factor = largest_factor(stated.size, stated.arcs, stated.capacities, stated.roots)
            if stated.value != factor:
                yield f"the largest multiple is {factor}"
            roots = tuple(RootSet(nodes, stated.value * demand) for nodes, demand in stated.roots)
            yield from _of_packing(
                BranchingPacking(
                    stated.size, stated.arcs, stated.capacities, roots, stated.branchings
                )
            )
        case ArborescenceDecomposition():
            least = least_root_cut(stated.size, stated.arcs, stated.capacities, stated.root)
            if stated.value != least:
                yield f"the least root cut is {least}"
            single = (RootSet((stated.root,), stated.value),)
            trees = tuple(WeightedBranching(0, weight, arcs) for weight, arcs in stated.trees)
            yield from _of_packing(
                BranchingPacking(stated.size, stated.arcs, stated.capacities, single, trees)
            )
        case MinimumCostArborescence():
            every = list(branchings(stated.size, stated.arcs, [stated.root]))
            if frozenset(stated.tree) not in every or len(set(stated.tree)) < len(stated.tree):
                yield "the tree is no spanning arborescence"
            elif stated.value != sum(stated.costs[arc] for arc in stated.tree):
                yield "the tree costs something else"
            elif stated.value != min(sum(stated.costs[arc] for arc in tree) for tree in every):
                yield "another tree costs less"
        case EdgeColoring():
            ends = two_sided(stated.edges)
            yield from _of_matchings(ends, stated.multiplicities, stated.classes, stated.colors)
            if stated.colors != largest_load(ends, stated.multiplicities):
                yield "the colors are not as many as the largest degree"
        case MatchingDecomposition():
            ends = two_sided(stated.edges)
            yield from _of_matchings(ends, stated.weights, stated.matchings, stated.value)
            if stated.value != largest_load(ends, stated.weights):
                yield "the matchings do not last as long as the largest load"
        case FractionalEdgeColoring():
            yield from _of_matchings(stated.edges, stated.weights, stated.matchings, stated.value)
            if stated.value != fractional_index(stated.size, stated.edges, stated.weights):
                yield "neither a load nor the density of an odd set is the value"
        case LinearOptimum() | LinearInfeasibility() | LinearUnboundedness():
            claimed: Fraction | str = "infeasible"
            if not isinstance(stated, LinearInfeasibility):
                claimed = stated.value if isinstance(stated, LinearOptimum) else "unbounded"
            found = outcome_by_elimination(stated.program)
            if found != claimed:
                yield f"by elimination it is {found}"


def _of_flow(stated: MaximumFlow) -> Iterator[str]:
    least, _ = minimum_cuts(stated.size, stated.arcs, stated.capacities, stated.source, stated.sink)
    if stated.value != least:
        yield f"the least cut is {least}"
    net: list[Rational] = [0] * stated.size
    for (tail, head), amount, capacity in zip(
        stated.arcs, stated.flow, stated.capacities, strict=True
    ):
        net[tail] -= amount
        net[head] += amount
        if not 0 <= amount <= capacity:
            yield f"{amount} flows where the capacity is {capacity}"
    for node, amount in enumerate(net):
        if amount != {stated.source: -stated.value, stated.sink: stated.value}.get(node, 0):
            yield f"the flow into {node} is {amount}"


def _of_set(stated: MinimumRootCut, nodes: Sequence[int], value: Fraction) -> Iterator[str]:
    amount = entered(stated.size, stated.arcs, stated.capacities)[bits(nodes)]
    if amount != value or not nodes or stated.root in nodes:
        yield f"{amount} enters the set"


def _of_packing(stated: BranchingPacking) -> Iterator[str]:
    for index, (nodes, demand) in enumerate(stated.roots):
        listed = [(weight, arcs) for which, weight, arcs in stated.branchings if which == index]
        for weight, arcs in listed:
            ends = [stated.arcs[arc] for arc in arcs]
            if weight <= 0 or not spans(stated.size, nodes, ends):
                yield f"{list(arcs)} is no branching"
        if sum(weight for weight, _ in listed) != demand:
            yield "the branchings do not meet the demand"
        if len({frozenset(arcs) for _, arcs in listed}) != len(listed):
            yield "a branching is listed twice"
    for arc, capacity in enumerate(stated.capacities):
        if sum(weight for _, weight, arcs in stated.branchings if arc in arcs) > capacity:
            yield f"arc {arc} carries more than its capacity"


def _of_matchings(
    ends: Sequence[tuple[object, object]],
    weights: Sequence[Rational],
    matchings: Sequence[tuple[Rational, Sequence[int]]],
    total: Rational,
) -> Iterator[str]:
    if sum(duration for duration, _ in matchings) != total:
        yield "the durations add up to something else"
    for duration, edges in matchings:
        meeting = [
            (one, other)
            for one, other in combinations(edges, 2)
            if not set(ends[one]).isdisjoint(ends[other])
        ]
        if duration <= 0 or meeting:
            yield f"{list(edges)} is no matching"
    for edge, weight in enumerate(weights):
        if sum(duration for duration, edges in matchings if edge in edges) != weight:
            yield f"edge {edge} is not in matchings for as long as its weight"
