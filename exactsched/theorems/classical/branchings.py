"""Edmonds and Fulkerson: packings of arborescences, and the cheapest one."""

from __future__ import annotations

from itertools import combinations
from math import prod

from exactsched.certificate.graphs import BranchingPacking, UnmetDemand
from exactsched.graphs.branching_packing import (
    disjoint_arborescences,
    pack_branchings,
    pack_concurrently,
)
from exactsched.graphs.minimum_cost_arborescence import minimum_cost_arborescence
from exactsched.graphs.root_cut import minimum_root_cut
from exactsched.instances.graphs import DEMANDS, REACHABLE, UNIT_ARCS, Demands, Digraph
from exactsched.oracles.branchings import branchings, demanded, entering_arcs, largest_factor, spans
from exactsched.oracles.flows_and_cuts import ALL_SETS, entered, least_root_cut
from exactsched.theorems.claim import Say, claim

# Up to this many choices of entering arcs all trees are looked at.
ALL_TREES = 300


@claim(
    "edmonds.branching",
    number="Edmonds, Edge-disjoint branchings (1973)",
    instances=UNIT_ARCS,
    page="edmonds-branchings",
    implements=("exactsched/graphs/branching_packing.py", "exactsched/graphs/root_cut.py"),
    judged=f"`check`; trees and arcs by definition; all sets, up to {ALL_SETS} nodes",
)
def disjoint_branchings(graph: Digraph, say: Say) -> None:
    """A directed multigraph has k arc-disjoint spanning arborescences from a root if and only if
    at least k arcs enter every nonempty set of nodes without it.
    """
    size, arcs = graph.size, graph.arcs
    cut = minimum_root_cut(size, 0, arcs, graph.numbers)
    count = int(cut.value)
    say({"least cut": count}, nodes=size, arcs=len(arcs))
    say.accepts(cut)
    if size <= ALL_SETS:
        least = least_root_cut(size, arcs, graph.numbers, 0)
        say.require(count == least, "some set is entered by fewer arcs")
    packed = disjoint_arborescences(size, 0, arcs, count)
    say.accepts(packed)
    if not isinstance(packed, BranchingPacking):
        say.refute("fewer disjoint arborescences than arcs enter every set")
    trees = [tree for _, weight, tree in packed.branchings for _ in range(int(weight))]
    used = [arc for tree in trees for arc in tree]
    disjoint = len(trees) == count and len(used) == len(set(used))
    say.require(disjoint, "the arborescences are too few, or share an arc")
    spanning = all(spans(size, [0], [arcs[arc] for arc in tree]) for tree in trees)
    say.require(spanning, "one of them is no arborescence")
    more = disjoint_arborescences(size, 0, arcs, count + 1)
    say.accepts(more)
    if not isinstance(more, UnmetDemand):
        say.refute("more arborescences than the least cut has arcs")
    say(unmet=list(more.nodes))


@claim(
    "edmonds.branchings",
    number="Edmonds 1973; Lovász, J. Combin. Theory B 21 (1976); Gabow and Manu 1998",
    instances=DEMANDS,
    page="edmonds-branchings",
    implements=("exactsched/graphs/branching_packing.py", "exactsched/graphs/lovasz.py"),
    judged=f"`check`; branchings by definition; all sets, up to {ALL_SETS} nodes",
)
def branchings_from_root_sets(asked: Demands, say: Say) -> None:
    """Within integer capacities there are d_i branchings from each root set R_i if and only if for
    every nonempty X the capacity c(X) that enters X is at least d(X), the sum of the d_i with R_i
    disjoint from X; then at most m + h - n different ones suffice. The largest multiple of all
    demands that can be met is the least c(X) / d(X).
    """
    size, arcs, capacities, roots = asked.size, asked.arcs, asked.capacities, asked.roots
    stated = pack_branchings(size, arcs, capacities, roots)
    packed = isinstance(stated, BranchingPacking)
    say.accepts(stated)
    say(nodes=size, packed=packed)
    if isinstance(stated, BranchingPacking):
        say(branchings=len(stated.branchings))
        most = _most_branchings(asked)
        say.require(len(stated.branchings) <= most, f"more than m + h - n = {most} branchings")
        for index, weight, chosen in stated.branchings:
            fits = spans(size, roots[index][0], [arcs[a] for a in chosen])
            say.require(type(weight) is int and fits, "no branching, or of no integer weight")
    if size > ALL_SETS:
        return
    enough = zip(entered(size, arcs, capacities)[1:], demanded(size, roots)[1:], strict=True)
    say.require(
        packed == all(amount >= needed for amount, needed in enough),
        "packed although a set lacks capacity, or not although none does",
    )
    if any(demanded(size, roots)[1:]):
        factor = largest_factor(size, arcs, capacities, roots)
        largest = pack_concurrently(size, arcs, capacities, roots)
        say(multiple=largest.value)
        proved = say.accepts(largest).value
        say.require(proved == factor, f"the largest multiple of all demands is {factor}")


def _most_branchings(asked: Demands) -> int:
    """m + h - n, counting useful arcs, root sets with a demand, and nodes that must be reached."""
    wanted = [nodes for nodes, demand in asked.roots if demand]
    missing = {v for nodes in wanted for v in range(asked.size) if v not in nodes}
    useful = sum(
        capacity > 0 and u != v and any(v not in nodes for nodes in wanted)
        for (u, v), capacity in zip(asked.arcs, asked.capacities, strict=True)
    )
    return useful + len(wanted) - len(missing)


@claim(
    "fulkerson.arborescence",
    number="Fulkerson, Math. Programming 6 (1974), theorem 1; Edmonds 1967",
    instances=REACHABLE,
    page="minimum-cost-arborescence",
    implements=("exactsched/graphs/minimum_cost_arborescence.py",),
    judged=f"`check`; all arborescences, up to {ALL_TREES} choices of entering arcs",
)
def cheapest_arborescence(graph: Digraph, say: Say) -> None:
    """Where every node can be reached from the root, the least cost (>= 0) of a spanning
    arborescence is the largest total weight of a packing of root cuts into the costs; at most
    2|V| - 3 laminar cuts do, with integer weights if the costs are integers.
    """
    size, arcs, costs = graph.size, graph.arcs, graph.numbers
    stated = minimum_cost_arborescence(size, 0, arcs, costs)
    sets = [frozenset(stated.order[start:stop]) for start, stop, _ in stated.cuts]
    say(nodes=size, cost=stated.value, cuts=len(sets))
    say.accepts(stated)
    say.require(spans(size, [0], [arcs[arc] for arc in stated.tree]), "no arborescence")
    laminar = all(a <= b or b <= a for a, b in combinations(sets, 2) if a & b)
    say.require(laminar, "the cuts are not laminar")
    say.require(len(sets) <= max(0, 2 * size - 3), "more than 2|V| - 3 cuts")
    if all(type(cost) is int for cost in costs):
        whole = all(type(weight) is int for _, _, weight in stated.cuts)
        say.require(whole, "integer costs, but no integer weights of the cuts")
    if prod(map(len, entering_arcs(size, arcs, [0]))) <= ALL_TREES:
        least = min(sum(costs[arc] for arc in tree) for tree in branchings(size, arcs, [0]))
        say.require(stated.value == least, "not the least cost of all arborescences")
