"""Min-max theorems by definition: all cuts, all branchings, all odd sets, all vertices.

For graphs of a few nodes.  Nothing here knows a certificate or shares code with a checker.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, product
from math import lcm

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
    UnmetDemand,
)
from exactsched.certificate.linear_programs import (
    LinearInfeasibility,
    LinearOptimum,
    LinearOutcome,
    LinearProgram,
    LinearUnboundedness,
)

Pairs = Sequence[tuple[int, int]]
Numbers = Sequence[int | Fraction]


def refuse_lies(noun: GraphCertificate | LinearOutcome) -> None:
    """Fails unless what a certificate says of its instance is true."""
    match noun:
        case MaximumFlow():
            sets = [s for s in _sets(noun.size) if noun.source in s and noun.sink not in s]
            assert noun.value == min(_leaving(noun.arcs, noun.capacities, s) for s in sets)
            for node in range(noun.size):
                net = _net(noun.arcs, list(enumerate(noun.flow)), node)
                assert net == {noun.source: -noun.value, noun.sink: noun.value}.get(node, 0)
            for amount, capacity in zip(noun.flow, noun.capacities, strict=True):
                assert 0 <= amount <= capacity
        case MinimumRootCut():
            assert noun.value == least_root_cut(noun.size, noun.arcs, noun.capacities, noun.root)
            assert _entering(noun.arcs, noun.capacities, set(noun.cut)) == noun.value
        case BranchingPacking():
            _refuse_unless_packed(noun)
        case UnmetDemand():
            assert not packing_exists(noun.size, noun.arcs, noun.capacities, noun.roots)
        case ConcurrentBranchingPacking():
            assert noun.value == largest_factor(noun.size, noun.arcs, noun.capacities, noun.roots)
            roots = tuple((nodes, noun.value * demand) for nodes, demand in noun.roots)
            _refuse_unless_packed(
                BranchingPacking(noun.size, noun.arcs, noun.capacities, roots, noun.branchings)
            )
        case ArborescenceDecomposition():
            assert noun.value == least_root_cut(noun.size, noun.arcs, noun.capacities, noun.root)
            single = (((noun.root,), noun.value),)
            branchings = tuple((0, weight, arcs) for weight, arcs in noun.trees)
            packing = BranchingPacking(noun.size, noun.arcs, noun.capacities, single, branchings)
            _refuse_unless_packed(packing)
        case MinimumCostArborescence():
            trees = list(branchings_from(noun.size, noun.arcs, {noun.root}))
            assert frozenset(noun.tree) in trees
            cheapest = min(sum(noun.costs[arc] for arc in tree) for tree in trees)
            assert cheapest == sum(noun.costs[arc] for arc in noun.tree) == noun.value
        case EdgeColoring():
            ends = [(("left", one), ("right", other)) for one, other in noun.edges]
            _refuse_unless_matched(ends, noun.multiplicities, noun.classes, noun.colors)
            assert noun.colors == _largest_load(ends, noun.multiplicities)
        case MatchingDecomposition():
            ends = [(("left", one), ("right", other)) for one, other in noun.edges]
            _refuse_unless_matched(ends, noun.weights, noun.matchings, noun.value)
            assert noun.value == _largest_load(ends, noun.weights)
        case FractionalEdgeColoring():
            _refuse_unless_matched(noun.edges, noun.weights, noun.matchings, noun.value)
            assert noun.value == fractional_index(noun.size, noun.edges, noun.weights)
        case LinearOptimum():
            assert linear_outcome(noun.program) == noun.value
        case LinearInfeasibility():
            assert linear_outcome(noun.program) == "infeasible"
        case LinearUnboundedness():
            assert linear_outcome(noun.program) == "unbounded"


def least_root_cut(size: int, arcs: Pairs, capacities: Numbers, root: int) -> int | Fraction:
    return min(_entering(arcs, capacities, s) for s in _sets(size) if s and root not in s)


def branchings_from(size: int, arcs: Pairs, roots: set[int]) -> Iterator[frozenset[int]]:
    """All ways to give every other node one arc that enters it, if all hang on the roots."""
    others = [node for node in range(size) if node not in roots]
    into = [[k for k, (_, head) in enumerate(arcs) if head == node] for node in others]
    for chosen in product(*into):
        parent = {arcs[arc][1]: arcs[arc][0] for arc in chosen}
        hanging = set(roots)
        for _ in others:
            hanging |= {node for node in others if parent[node] in hanging}
        if len(hanging) == size:
            yield frozenset(chosen)


def packing_exists(
    size: int,
    arcs: Pairs,
    capacities: Numbers,
    roots: Sequence[tuple[Sequence[int], int | Fraction]],
) -> bool:
    """Whether branchings meet the demands: in whole units of the common denominator.

    That is enough by Edmonds' theorem, whose condition does not depend on the unit.
    """
    unit = lcm(*(x.denominator for x in (*capacities, *(demand for _, demand in roots))))
    room = tuple(int(capacity * unit) for capacity in capacities)
    choices = [list(branchings_from(size, arcs, set(nodes))) for nodes, _ in roots]
    needed = [int(demand * unit) for _, demand in roots]
    dead: set[tuple[object, ...]] = set()

    def packs(room: tuple[int, ...], which: int, left: int, first: int) -> bool:
        if left == 0:
            which += 1
            return which == len(roots) or packs(room, which, needed[which], 0)
        state = (room, which, left, first)
        if state in dead:
            return False
        for k in range(first, len(choices[which])):
            smaller = [have - (arc in choices[which][k]) for arc, have in enumerate(room)]
            if min(smaller, default=0) >= 0 and packs(tuple(smaller), which, left - 1, k):
                return True
        dead.add(state)
        return False

    return packs(room, -1, 0, 0)


def largest_factor(
    size: int,
    arcs: Pairs,
    capacities: Numbers,
    roots: Sequence[tuple[Sequence[int], int | Fraction]],
) -> Fraction:
    """Of all demands: the least ratio of what enters a set and what it needs (Edmonds 1973)."""
    return min(
        Fraction(_entering(arcs, capacities, nodes)) / needed
        for nodes in _sets(size)
        if nodes and (needed := sum(d for where, d in roots if nodes.isdisjoint(where)))
    )


def fractional_index(size: int, edges: Pairs, weights: Numbers) -> int | Fraction:
    """The largest load of a node or of an odd set (Edmonds 1965)."""
    loads = [Fraction(_largest_load(edges, weights))]
    for nodes in _sets(size):
        if len(nodes) >= 3 and len(nodes) % 2 == 1:
            inside = [w for e, w in zip(edges, weights, strict=True) if set(e) <= nodes]
            loads.append(Fraction(sum(inside)) / ((len(nodes) - 1) // 2))
    return max(loads)


@cache
def linear_outcome(program: LinearProgram) -> Fraction | str:
    """The optimum, or that there is none, from all vertices.

    Free variables are differences of two that are not negative, so that there is a vertex if
    there is any point; and a direction of growth can be scaled to the sum 1.
    """
    columns = []
    for variable in range(len(program.objective)):
        columns.append((variable, 1))
        if variable not in program.nonnegative:
            columns.append((variable, -1))
    objective = [sign * Fraction(program.objective[variable]) for variable, sign in columns]
    rows: list[tuple[list[Fraction], Fraction]] = []
    for index, entries in enumerate(program.rows):
        coefficient = dict(entries)
        row = [sign * Fraction(coefficient.get(variable, 0)) for variable, sign in columns]
        rows.append((row, Fraction(program.right_sides[index])))
        if index in program.equalities:
            rows.append(([-x for x in row], -rows[-1][1]))
    for k in range(len(columns)):
        rows.append(([Fraction(-(j == k)) for j in range(len(columns))], Fraction(0)))
    values = [_inner(objective, x) for x in _vertices(rows, len(columns))]
    if not values:
        return "infeasible"
    ones = [Fraction(1)] * len(columns)
    directions = [(row, Fraction(0)) for row, _ in rows]
    directions += [(ones, Fraction(1)), ([-x for x in ones], Fraction(-1))]
    if any(_inner(objective, x) > 0 for x in _vertices(directions, len(columns))):
        return "unbounded"
    return max(values)


def _vertices(rows: list[tuple[list[Fraction], Fraction]], size: int) -> Iterator[list[Fraction]]:
    """The points where `size` of the inequalities hold with equality, and all hold."""
    for tight in combinations(rows, size):
        point = _solution([[*row, right] for row, right in tight])
        if point is not None and all(_inner(row, point) <= right for row, right in rows):
            yield point


def _solution(matrix: list[list[Fraction]]) -> list[Fraction] | None:
    """Gauss and Jordan; None if the rows are dependent."""
    size = len(matrix)
    for k in range(size):
        pivot = next((i for i in range(k, size) if matrix[i][k]), None)
        if pivot is None:
            return None
        matrix[k], matrix[pivot] = matrix[pivot], matrix[k]
        matrix[k] = [x / matrix[k][k] for x in matrix[k]]
        for i in range(size):
            if i != k and matrix[i][k]:
                matrix[i] = [
                    x - matrix[i][k] * y for x, y in zip(matrix[i], matrix[k], strict=True)
                ]
    return [row[size] for row in matrix]


def _inner(row: Sequence[Fraction], point: Sequence[Fraction]) -> Fraction:
    return sum((x * y for x, y in zip(row, point, strict=True)), Fraction(0))


def _sets(size: int) -> Iterator[set[int]]:
    nodes = range(size)
    return map(set, chain.from_iterable(combinations(nodes, k) for k in range(size + 1)))


def _entering(arcs: Pairs, capacities: Numbers, nodes: set[int]) -> int | Fraction:
    crossing = zip(arcs, capacities, strict=True)
    return sum(c for (tail, head), c in crossing if head in nodes and tail not in nodes)


def _leaving(arcs: Pairs, capacities: Numbers, nodes: set[int]) -> int | Fraction:
    crossing = zip(arcs, capacities, strict=True)
    return sum(c for (tail, head), c in crossing if tail in nodes and head not in nodes)


def _net(arcs: Pairs, flow: Sequence[tuple[int, int | Fraction]], node: int) -> int | Fraction:
    into = sum(amount for arc, amount in flow if arcs[arc][1] == node)
    return into - sum(amount for arc, amount in flow if arcs[arc][0] == node)


def _refuse_unless_packed(noun: BranchingPacking) -> None:
    for index, (nodes, demand) in enumerate(noun.roots):
        listed = [(weight, arcs) for which, weight, arcs in noun.branchings if which == index]
        possible = set(branchings_from(noun.size, noun.arcs, set(nodes)))
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


def _largest_load(ends: Sequence[tuple[object, object]], weights: Numbers) -> int | Fraction:
    nodes = {end for pair in ends for end in pair}
    return max(
        (sum(w for pair, w in zip(ends, weights, strict=True) if node in pair) for node in nodes),
        default=0,
    )
