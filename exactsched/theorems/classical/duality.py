"""The classical theorems that the papers lean on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import prod
from typing import Any

from exactsched.certificate.minmax import (
    BranchingPacking,
    LinearInfeasibility,
    LinearOptimum,
    LinearProgram,
    LinearUnboundedness,
    UnmetDemand,
)
from exactsched.check import check
from exactsched.exact.rational import Rational, to_json
from exactsched.graphs.branching_packing import (
    disjoint_arborescences,
    pack_branchings,
    pack_concurrently,
)
from exactsched.graphs.flow import maximum_flow
from exactsched.graphs.minimum_cost_arborescence import minimum_cost_arborescence
from exactsched.graphs.root_cut import minimum_root_cut
from exactsched.instances.choices import Choices
from exactsched.instances.graphs import Digraph, digraph, number
from exactsched.linear_programs.linear_program import linear_program, maximize
from exactsched.theorems.claim import Bounds, Verdict, held, refuted
from exactsched.theorems.classical.matchings import ALL_SETS, MATCHING_CLAIMS, classical_claim

# Up to so many choices of entering arcs all trees are looked at.
ALL_TREES = 300


def entered(size: int, arcs: Sequence[tuple[int, int]], numbers: Iterable[Rational]) -> list[Any]:
    """For every set of nodes, given as the bits of an integer, the capacity that enters it.

    >>> entered(2, [(0, 1), (0, 1)], [3, 4])
    [0, 0, 7, 0]
    """
    amounts: list[Rational] = [0] * (1 << size)
    for (tail, head), amount in zip(arcs, numbers, strict=True):
        for nodes in range(1 << size):
            if nodes >> head & 1 and not nodes >> tail & 1:
                amounts[nodes] += amount
    return amounts


def spans(size: int, start: Iterable[int], arcs: Iterable[tuple[int, int]]) -> bool:
    """Whether the arcs enter every node outside `start` once, no other, and reach all.

    >>> spans(3, [0], [(0, 1), (1, 2)]), spans(3, [0], [(2, 1), (1, 2)])
    (True, False)
    """
    pairs, reached = list(arcs), set(start)
    if sorted(head for _, head in pairs) != [v for v in range(size) if v not in reached]:
        return False
    for _ in range(size):
        reached |= {head for tail, head in pairs if tail in reached}
    return len(reached) == size


# --- Ford and Fulkerson


def _flow(graph: Digraph) -> Verdict:
    source, sink, everything = 0, graph.size - 1, (1 << graph.size) - 1
    stated = maximum_flow(graph.size, source, sink, graph.arcs, graph.numbers)
    facts: dict[str, Any] = {
        "nodes": graph.size,
        "arcs": len(graph.arcs),
        "value": to_json(stated.value),
    }
    if check(stated).value != stated.value:
        return refuted("the checker proves another value", **facts)
    whole = all(type(capacity) is int for capacity in graph.numbers)
    if whole and not all(type(amount) is int for amount in stated.flow):
        return refuted("integer capacities, but no flow of integers", **facts)
    if graph.size > ALL_SETS:
        return held(**facts)
    amounts = entered(graph.size, graph.arcs, graph.numbers)
    leaving = {
        nodes: amounts[everything ^ nodes]
        for nodes in range(1, everything, 2)
        if not nodes >> sink & 1
    }
    smallest = everything
    for nodes, amount in leaving.items():
        smallest &= nodes if amount == min(leaving.values()) else everything
    facts["cut"] = list(stated.cut)
    if min(leaving.values()) != stated.value:
        return refuted("some cut has another capacity than the flow", **facts)
    if smallest != sum(1 << node for node in stated.cut):
        return refuted("the cut is not the intersection of all minimum cuts", **facts)
    return held(**facts)


def _network(choices: Choices, bound: int) -> Digraph:
    return digraph(choices, min_size=2, max_size=bound)


# --- Edmonds' branchings


def _unit_arcs(choices: Choices, bound: int) -> Digraph:
    """Parallel arcs are common, so that several arborescences fit."""
    made = digraph(
        choices,
        min_size=2,
        max_size=bound,
        max_arcs=5 * bound,
        connected=not choices.flip(8),
        number=lambda _: 1,
    )
    if choices.flip():  # every node can be entered twice
        twice = made.arcs + tuple(arc for arc in made.arcs if arc[1])
        return Digraph(made.size, twice, (1,) * len(twice))
    return made


def _disjoint(graph: Digraph) -> Verdict:
    size, arcs = graph.size, graph.arcs
    cut = minimum_root_cut(size, 0, arcs, graph.numbers)
    count = int(cut.value)
    facts = {"nodes": size, "arcs": len(arcs), "least cut": count}
    check(cut)
    if size <= ALL_SETS and count != min(entered(size, arcs, graph.numbers)[2::2]):
        return refuted("some set is entered by fewer arcs", **facts)
    packed = disjoint_arborescences(size, 0, arcs, count)
    check(packed)
    if not isinstance(packed, BranchingPacking):
        return refuted("not so many disjoint arborescences", **facts)
    trees = [tree for _, weight, tree in packed.branchings for _ in range(int(weight))]
    used = [arc for tree in trees for arc in tree]
    if len(trees) != count or len(used) != len(set(used)):
        return refuted("the arborescences are too few, or share an arc", **facts)
    if not all(spans(size, [0], [arcs[arc] for arc in tree]) for tree in trees):
        return refuted("one of them is no arborescence", **facts)
    more = disjoint_arborescences(size, 0, arcs, count + 1)
    check(more)
    if not isinstance(more, UnmetDemand):
        return refuted("more arborescences than the least cut has arcs", **facts)
    return held(**facts, unmet=list(more.nodes))


@dataclass(frozen=True, slots=True)
class Demands:
    """A digraph with capacities, and root sets with the number of branchings wanted from each."""

    size: int
    arcs: tuple[tuple[int, int], ...]
    capacities: tuple[int, ...]
    roots: tuple[tuple[tuple[int, ...], int], ...]


def _demands(choices: Choices, bound: int) -> Demands:
    """Mostly planted: branchings that fit, with or without something to spare; or anything."""
    size = choices.between(1, bound)
    roots, arcs = [], []
    planted = not choices.flip(4)
    for _ in range(choices.between(1, 3)):
        nodes = tuple(choices.several_of(range(size), choices.between(1, size)))
        demand = 10**20 + choices.below(3) if choices.flip(12) else choices.below(5)
        roots.append((nodes, demand))
        grown, parts = list(nodes), choices.between(1, 2)
        for part in range(parts if planted and demand else 0):
            reached = list(grown)
            for head in choices.shuffled([v for v in range(size) if v not in grown]):
                amount = demand // parts if part else demand - demand // parts * (parts - 1)
                arcs.append((choices.one_of(reached), head, amount))
                reached.append(head)
    for _ in range(choices.below(2 if planted else 4 * size)):
        arcs.append((choices.below(size), choices.below(size), choices.below(5)))
    if planted and arcs and choices.flip(4):
        tail, head, amount = arcs.pop(choices.below(len(arcs)))
        arcs.append((tail, head, max(0, amount - 1)))
    mixed = choices.shuffled(arcs)
    ends = tuple((tail, head) for tail, head, _ in mixed)
    return Demands(size, ends, tuple(amount for _, _, amount in mixed), tuple(roots))


def _several(asked: Demands) -> Verdict:
    size, arcs, roots = asked.size, asked.arcs, asked.roots
    stated = pack_branchings(size, arcs, asked.capacities, roots)
    packed = isinstance(stated, BranchingPacking)
    check(stated)
    missing = {v for nodes, demand in roots if demand for v in range(size) if v not in nodes}
    useful = sum(
        capacity > 0 and u != v and any(demand and v not in nodes for nodes, demand in roots)
        for (u, v), capacity in zip(arcs, asked.capacities, strict=True)
    )
    most = useful + sum(demand > 0 for _, demand in roots) - len(missing)
    facts: dict[str, Any] = {"nodes": size, "packed": packed}
    if isinstance(stated, BranchingPacking):
        facts["branchings"] = len(stated.branchings)
        if len(stated.branchings) > most:
            return refuted(f"more than m + h - n = {most} branchings", **facts)
        for index, weight, chosen in stated.branchings:
            if type(weight) is not int or not spans(
                size, roots[index][0], [arcs[a] for a in chosen]
            ):
                return refuted("no branching, or of no integer weight", **facts)
    if size > ALL_SETS:
        return held(**facts)
    amounts = entered(size, arcs, asked.capacities)
    masks = [(sum(1 << v for v in nodes), demand) for nodes, demand in roots]
    needs = [sum(demand for mask, demand in masks if not mask & x) for x in range(1 << size)]
    if packed != all(amounts[x] >= needs[x] for x in range(1, 1 << size)):
        return refuted("packed although a set lacks capacity, or not although none does", **facts)
    if any(needs[1:]):
        factor = min(Fraction(amounts[x], needs[x]) for x in range(1, 1 << size) if needs[x])
        largest = pack_concurrently(size, arcs, asked.capacities, roots)
        facts["multiple"] = to_json(largest.value)
        if check(largest).value != factor:
            return refuted(f"the largest multiple of all demands is {factor}", **facts)
    return held(**facts)


# --- Fulkerson


def _reachable(choices: Choices, bound: int) -> Digraph:
    return digraph(choices, max_size=bound, connected=True)


def _cheapest(graph: Digraph) -> Verdict:
    size, arcs, costs = graph.size, graph.arcs, graph.numbers
    stated = minimum_cost_arborescence(size, 0, arcs, costs)
    sets = [frozenset(stated.order[start:stop]) for start, stop, _ in stated.cuts]
    facts = {"nodes": size, "cost": to_json(stated.value), "cuts": len(sets)}
    if check(stated).value != stated.value:
        return refuted("the checker proves another cost", **facts)
    if not spans(size, [0], [arcs[arc] for arc in stated.tree]):
        return refuted("no arborescence", **facts)
    if any(one & two and not (one <= two or two <= one) for one, two in combinations(sets, 2)):
        return refuted("the cuts are not laminar", **facts)
    if len(sets) > max(0, 2 * size - 3):
        return refuted("more than 2|V| - 3 cuts", **facts)
    whole = all(type(cost) is int for cost in costs)
    if whole and not all(type(weight) is int for _, _, weight in stated.cuts):
        return refuted("integer costs, but no integer weights of the cuts", **facts)
    ways = [[k for k, (_, head) in enumerate(arcs) if head == v] for v in range(1, size)]
    if prod(map(len, ways)) <= ALL_TREES:
        trees = (t for t in product(*ways) if spans(size, [0], [arcs[arc] for arc in t]))
        if stated.value != min(sum(costs[arc] for arc in tree) for tree in trees):
            return refuted("not the least cost of all arborescences", **facts)
    return held(**facts)


# --- Farkas


def _program(choices: Choices, bound: int) -> LinearProgram:
    """Small coefficients, so that all three outcomes are common; long and broken ones as well."""
    width, height = choices.between(1, bound), choices.below(bound + 1)

    def entry() -> Rational:
        size = number(choices) if choices.flip(8) else choices.below(4)
        return -size if choices.flip() else size

    return linear_program(
        [entry() for _ in range(width)],
        [[entry() for _ in range(width)] for _ in range(height)],
        [entry() for _ in range(height)],
        choices.some_of(range(height), 4),
        choices.some_of(range(width)),
    )


def dual(program: LinearProgram) -> LinearProgram:
    """Maximize -y b over the y that prove upper bounds (`LinearOptimum`).

    >>> maximize(dual(linear_program([1], [[2]], [6]))).value
    -3
    """
    columns: list[dict[int, Rational]] = [{} for _ in program.objective]
    for index, row in enumerate(program.rows):
        for column, coefficient in row:
            columns[column][index] = -coefficient
    free = [j for j in range(len(columns)) if j not in program.nonnegative]
    signed = [i for i in range(len(program.rows)) if i not in program.equalities]
    goal, limits = [-b for b in program.right_sides], [-c for c in program.objective]
    return linear_program(goal, columns, limits, free, signed)


def feasible_by_elimination(program: LinearProgram) -> bool:
    """Whether some x satisfies all rows: one variable after the other is eliminated (Fourier).

    >>> feasible_by_elimination(linear_program([0], [[1], [-1]], [1, -2]))
    False
    """
    width = len(program.objective)
    rows: set[tuple[Rational, ...]] = {
        (*[0] * j, -1, *[0] * (width - j)) for j in program.nonnegative
    }
    for index, (entries, limit) in enumerate(zip(program.rows, program.right_sides, strict=True)):
        row = (*(dict(entries).get(j, 0) for j in range(width)), limit)
        rows |= {row, tuple(-a for a in row)} if index in program.equalities else {row}
    for j in range(width):
        above = [[Fraction(a) / row[j] for a in row] for row in rows if row[j] > 0]
        below = [[Fraction(a) / -row[j] for a in row] for row in rows if row[j] < 0]
        rows = {row for row in rows if not row[j]}
        rows |= {tuple(a + b for a, b in zip(u, v, strict=True)) for u in above for v in below}
    return all(row[-1] >= 0 for row in rows)


def _outcome(program: LinearProgram) -> Verdict:
    stated = maximize(program)
    value = check(stated).value
    kind, height = type(stated).__name__, len(program.rows)
    facts: dict[str, Any] = {"outcome": kind}
    other = maximize(dual(program))
    check(other)
    match stated:
        case LinearOptimum():
            facts["value"] = to_json(stated.value)
            short = max(len(stated.primal), len(stated.dual)) <= height
            fits = isinstance(other, LinearOptimum) and other.value == -stated.value == -(
                value or 0
            )
        case LinearInfeasibility():
            short, fits = True, not isinstance(other, LinearOptimum)
        case LinearUnboundedness():
            short = len(stated.point) <= height and len(stated.ray) <= height + 1
            fits = isinstance(other, LinearInfeasibility)
    if not fits:
        return refuted(f"the dual has the outcome {type(other).__name__}", **facts)
    if not short:
        return refuted("a solution with more entries than rows", **facts)
    if len(program.objective) <= 3 and height <= 3:
        primal, bounded = (feasible_by_elimination(one) for one in (program, dual(program)))
        right = LinearOptimum if bounded else LinearUnboundedness
        if kind != (right if primal else LinearInfeasibility).__name__:
            return refuted(f"feasible: {primal}, and its dual: {bounded}", **facts)
    return held(**facts)


CLAIMS = (
    classical_claim(
        "ford-fulkerson.max-flow-min-cut",
        statement=(
            "The largest value of a flow from s to t within rational capacities >= 0 is the least"
            " capacity of a cut. Integer capacities have a largest flow of integers. The nodes that"
            " still can be reached from s are the intersection of all minimum cuts."
        ),
        reference="Ford and Fulkerson, Canad. J. Math. 8 (1956)",
        page="max-flow-min-cut",
        implemented=("exactsched/graphs/flow.py",),
        checked_by=f"`check`; all cuts, up to {ALL_SETS} nodes",
        instance_type=Digraph,
        instance=_network,
        check=_flow,
        bounds=Bounds(6, 16, 200),
        corners=lambda: (
            Digraph(2, (), ()),
            Digraph(2, ((0, 0), (1, 0), (0, 1), (0, 1)), (5, 7, 0, Fraction(1, 3))),
            # The trap of arbitrary augmenting paths.
            Digraph(
                4, ((0, 1), (0, 2), (1, 2), (1, 3), (2, 3)), (10**40, 10**40, 1, *[10**40] * 2)
            ),
        ),
    ),
    classical_claim(
        "edmonds.branching",
        statement=(
            "A directed multigraph has k arc-disjoint spanning arborescences from a root if and"
            " only if at least k arcs enter every nonempty set of nodes without it."
        ),
        reference="Edmonds, Edge-disjoint branchings (1973)",
        page="edmonds-branchings",
        implemented=("exactsched/graphs/branching_packing.py", "exactsched/graphs/root_cut.py"),
        checked_by=f"`check`; trees and arcs by definition; all sets, up to {ALL_SETS} nodes",
        instance_type=Digraph,
        instance=_unit_arcs,
        check=_disjoint,
        bounds=Bounds(5, 10, 40),
        corners=lambda: (
            Digraph(2, (), ()),
            Digraph(2, ((0, 1),) * 3 + ((1, 0), (1, 1)), (1,) * 5),
            Digraph(3, ((0, 1), (0, 2), (1, 2), (2, 1)), (1,) * 4),
            Digraph(4, tuple((u, v) for u in range(4) for v in range(4) if u != v), (1,) * 12),
        ),
    ),
    classical_claim(
        "edmonds.branchings",
        statement=(
            "Within integer capacities there are d_i branchings from each root set R_i if and only"
            " if for every nonempty X the capacity c(X) that enters X is at least d(X), the sum of"
            " the d_i with R_i disjoint from X; then at most m + h - n different ones suffice. The"
            " largest multiple of all demands that can be met is the least c(X) / d(X)."
        ),
        reference="Edmonds 1973; Lovász, J. Combin. Theory B 21 (1976); Gabow and Manu 1998",
        page="edmonds-branchings",
        implemented=("exactsched/graphs/branching_packing.py", "exactsched/graphs/lovasz.py"),
        checked_by=f"`check`; branchings by definition; all sets, up to {ALL_SETS} nodes",
        instance_type=Demands,
        instance=_demands,
        check=_several,
        bounds=Bounds(4, 9, 30),
        corners=lambda: (
            Demands(1, ((0, 0),), (3,), (((0,), 2),)),
            Demands(2, ((0, 1), (1, 0)), (1, 2), (((0,), 1), ((1,), 2))),
            Demands(2, ((0, 1),), (2,), (((0,), 1), ((0,), 1))),
            Demands(
                3, ((0, 1), (1, 2), (2, 0)), (10**40,) * 3, tuple(((v,), 10**40) for v in (0, 1))
            ),
            Demands(3, ((0, 1), (1, 2), (2, 0)), (1,) * 3, tuple(((v,), 1) for v in range(3))),
        ),
    ),
    classical_claim(
        "fulkerson.arborescence",
        statement=(
            "Where every node can be reached from the root, the least cost (>= 0) of a spanning"
            " arborescence is the largest total weight of a packing of root cuts into the costs;"
            " at most 2|V| - 3 laminar cuts do, with integer weights if the costs are integers."
        ),
        reference="Fulkerson, Math. Programming 6 (1974), theorem 1; Edmonds 1967",
        page="minimum-cost-arborescence",
        implemented=("exactsched/graphs/minimum_cost_arborescence.py",),
        checked_by=f"`check`; all arborescences, up to {ALL_TREES} choices of entering arcs",
        instance_type=Digraph,
        instance=_reachable,
        check=_cheapest,
        bounds=Bounds(5, 16, 100),
        corners=lambda: (
            Digraph(1, ((0, 0),), (4,)),
            Digraph(2, ((0, 1), (0, 1)), (10**40 + 1, 10**40)),
            Digraph(3, ((0, 1), (0, 2), (1, 2), (2, 1)), (5, 5, 1, Fraction(1, 2))),
            Digraph(4, ((0, 1), (1, 2), (2, 3), (3, 1), (0, 3)), (0,) * 5),
        ),
    ),
    classical_claim(
        "farkas.trichotomy",
        statement=(
            "A linear program with rational numbers has exactly one of: an optimum with a dual"
            " solution of the same value; multipliers of its m rows that add up to a contradiction;"
            " a feasible point and a ray of gain. At most m entries of x and y, and m + 1 of a ray,"
            " need not be 0. The dual has the same optimum, or none."
        ),
        reference="Farkas 1902; Gale, Kuhn and Tucker 1951; Schrijver 1986, corollary 7.1g",
        page="linear-programming-duality",
        implemented=(
            "exactsched/linear_programs/linear_program.py",
            "exactsched/linear_programs/simplex.py",
        ),
        checked_by="`check`; the outcome of the dual; Fourier's elimination up to 3 x 3",
        instance_type=LinearProgram,
        instance=_program,
        check=_outcome,
        bounds=Bounds(3, 8, 24),
        corners=lambda: (
            linear_program([0], [], []),
            linear_program([1], [[0]], [-1], nonnegative=[0]),  # both infeasible
            linear_program([1], [[-1]], [3]),
            linear_program([1, 1], [[2, 1], [1, 3]], [4, 6], nonnegative=range(2)),
            linear_program([1], [[1], [-1]], [10**40, -(10**40) - 1]),
        ),
    ),
    *MATCHING_CLAIMS,
)
