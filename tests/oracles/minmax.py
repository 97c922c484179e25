"""Whether certificates of min-max theorems are true: by all cuts, branchings and odd sets.

For graphs of a few nodes.  Nothing here shares code with a checker.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

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
    SplittingOff,
    UnmetDemand,
)
from exactsched.certificate.linear_programs import (
    LinearInfeasibility,
    LinearOptimum,
    LinearOutcome,
    LinearUnboundedness,
)
from exactsched.oracles.branchings import branchings, largest_factor, packing_exists
from exactsched.oracles.flows_and_cuts import bits, entered, least_root_cut
from exactsched.oracles.linear_programs import outcome_by_elimination
from exactsched.oracles.matchings import fractional_index, largest_load, two_sided
from exactsched.oracles.switches import fault_of_links

Pairs = Sequence[tuple[int, int]]
Numbers = Sequence[int | Fraction]


def refuse_lies(noun: GraphCertificate | LinearOutcome) -> None:
    """Fails unless what a certificate says of its instance is true."""
    match noun:
        case MaximumFlow():
            amounts = entered(noun.size, noun.arcs, noun.capacities)
            cuts = [s for s in range(1 << noun.size) if s >> noun.sink & 1 > s >> noun.source & 1]
            assert noun.value == min(amounts[nodes] for nodes in cuts)
            for node in range(noun.size):
                net = _net(noun.arcs, list(enumerate(noun.flow)), node)
                assert net == {noun.source: -noun.value, noun.sink: noun.value}.get(node, 0)
            for amount, capacity in zip(noun.flow, noun.capacities, strict=True):
                assert 0 <= amount <= capacity
        case MinimumRootCut():
            assert noun.value == least_root_cut(noun.size, noun.arcs, noun.capacities, noun.root)
            amounts = entered(noun.size, noun.arcs, noun.capacities)
            assert amounts[bits(noun.cut)] == noun.value
        case BranchingPacking():
            _refuse_unless_packed(noun)
        case UnmetDemand():
            assert not packing_exists(noun.size, noun.arcs, noun.capacities, noun.roots)
        case SplittingOff():
            asked = noun.size, noun.arcs, noun.capacities, noun.switches, noun.demands
            assert not fault_of_links(*asked, noun.links)
        case ConcurrentBranchingPacking():
            assert noun.value == largest_factor(noun.size, noun.arcs, noun.capacities, noun.roots)
            roots = tuple((nodes, noun.value * demand) for nodes, demand in noun.roots)
            _refuse_unless_packed(
                BranchingPacking(noun.size, noun.arcs, noun.capacities, roots, noun.branchings)
            )
        case ArborescenceDecomposition():
            assert noun.value == least_root_cut(noun.size, noun.arcs, noun.capacities, noun.root)
            single = (((noun.root,), noun.value),)
            trees = tuple((0, weight, arcs) for weight, arcs in noun.trees)
            packing = BranchingPacking(noun.size, noun.arcs, noun.capacities, single, trees)
            _refuse_unless_packed(packing)
        case MinimumCostArborescence():
            every = list(branchings(noun.size, noun.arcs, [noun.root]))
            assert frozenset(noun.tree) in every
            cheapest = min(sum(noun.costs[arc] for arc in tree) for tree in every)
            assert cheapest == sum(noun.costs[arc] for arc in noun.tree) == noun.value
        case EdgeColoring():
            ends = two_sided(noun.edges)
            _refuse_unless_matched(ends, noun.multiplicities, noun.classes, noun.colors)
            assert noun.colors == largest_load(ends, noun.multiplicities)
        case MatchingDecomposition():
            ends = two_sided(noun.edges)
            _refuse_unless_matched(ends, noun.weights, noun.matchings, noun.value)
            assert noun.value == largest_load(ends, noun.weights)
        case FractionalEdgeColoring():
            _refuse_unless_matched(noun.edges, noun.weights, noun.matchings, noun.value)
            assert noun.value == fractional_index(noun.size, noun.edges, noun.weights)
        case LinearOptimum():
            assert outcome_by_elimination(noun.program) == noun.value
        case LinearInfeasibility():
            assert outcome_by_elimination(noun.program) == "infeasible"
        case LinearUnboundedness():
            assert outcome_by_elimination(noun.program) == "unbounded"


def _net(arcs: Pairs, flow: Sequence[tuple[int, int | Fraction]], node: int) -> int | Fraction:
    into = sum(amount for arc, amount in flow if arcs[arc][1] == node)
    return into - sum(amount for arc, amount in flow if arcs[arc][0] == node)


def _refuse_unless_packed(noun: BranchingPacking) -> None:
    for index, (nodes, demand) in enumerate(noun.roots):
        listed = [(weight, arcs) for which, weight, arcs in noun.branchings if which == index]
        possible = set(branchings(noun.size, noun.arcs, nodes))
        assert {frozenset(arcs) for _, arcs in listed} <= possible
        assert all(len(arcs) == len(set(arcs)) and weight > 0 for weight, arcs in listed)
        assert sum(weight for weight, _ in listed) == demand
        assert len({frozenset(arcs) for _, arcs in listed}) == len(listed)
    for arc, capacity in enumerate(noun.capacities):
        assert sum(weight for _, weight, arcs in noun.branchings if arc in arcs) <= capacity


def _refuse_unless_matched(
    ends: Sequence[tuple[object, object]],
    weights: Numbers,
    matchings: Sequence[tuple[int | Fraction, Sequence[int]]],
    total: int | Fraction,
) -> None:
    assert sum(duration for duration, _ in matchings) == total
    for duration, edges in matchings:
        assert duration > 0
        for one, other in combinations(edges, 2):
            assert set(ends[one]).isdisjoint(ends[other])
    for edge, weight in enumerate(weights):
        assert sum(duration for duration, edges in matchings if edge in edges) == weight
