"""True certificates of the min-max theorems, planted: both sides first, then the instance."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

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
    LinearProgram,
    LinearUnboundedness,
)

MinMax = GraphCertificate | LinearOutcome

small = st.builds(Fraction, st.integers(0, 4), st.integers(1, 3))
positive = st.builds(Fraction, st.integers(1, 4), st.integers(1, 3))
signed = st.builds(Fraction, st.integers(-3, 3), st.integers(1, 2))


@st.composite
def maximum_flows(draw: st.DrawFn) -> MaximumFlow:
    """Paths that leave a set once each, on arcs that are full where they leave it."""
    size = draw(st.integers(2, 4))
    order = draw(st.permutations(range(size)))
    border = draw(st.integers(1, size - 1))
    cut, others = list(order[:border]), list(order[border:])
    source, sink = cut[0], others[0]
    arcs = [(tail, head) for tail in range(size) for head in range(size)]
    amount = dict.fromkeys(arcs, Fraction(0))
    value = Fraction(0)
    for _ in range(draw(st.integers(0, 3))):
        inside = draw(st.lists(st.sampled_from(cut[1:] or [source]), unique=True))
        outside = draw(st.lists(st.sampled_from(others[1:] or [sink]), unique=True))
        stops = [n for n in inside if n != source] + [n for n in outside if n != sink]
        carried = draw(positive)
        value += carried
        for arc in zip([source, *stops], [*stops, sink], strict=True):
            amount[arc] += carried
    kept = [arc for arc in arcs if amount[arc] or draw(st.booleans())]
    full = [tail in cut and head not in cut for tail, head in kept]
    return MaximumFlow(
        size=size,
        arcs=tuple(kept),
        capacities=tuple(
            amount[arc] + (0 if tight else draw(small))
            for arc, tight in zip(kept, full, strict=True)
        ),
        source=source,
        sink=sink,
        flow=tuple(amount[arc] for arc in kept),
        cut=tuple(cut),
        value=value,
    )


@st.composite
def _packed(draw: st.DrawFn, roots: tuple[int, ...], size: int, arcs: list[tuple[int, int]]) -> Any:
    """Weighted branchings on a growing list of arcs: (weight, arcs), each set of arcs once."""
    packed = {}
    for _ in range(draw(st.integers(0, 3))):
        hanging, chosen = list(roots), []
        for node in draw(st.permutations([node for node in range(size) if node not in roots])):
            arc = (draw(st.sampled_from(hanging)), node)
            if arc not in arcs or draw(st.integers(0, 4)) == 0:
                arcs.append(arc)  # a parallel one, sometimes
            chosen.append(draw(st.sampled_from([k for k, pair in enumerate(arcs) if pair == arc])))
            hanging.append(node)
        packed[frozenset(chosen)] = (draw(positive), tuple(chosen))
    return list(packed.values())


@st.composite
def branching_packings(draw: st.DrawFn) -> BranchingPacking:
    size = draw(st.integers(1, 4))
    arcs: list[tuple[int, int]] = []
    roots, branchings = [], []
    for index in range(draw(st.integers(0, 2))):
        nodes = tuple(draw(st.lists(st.integers(0, size - 1), min_size=1, unique=True)))
        packed = draw(_packed(nodes, size, arcs))
        roots.append((nodes, sum((weight for weight, _ in packed), Fraction(0))))
        branchings += [(index, weight, chosen) for weight, chosen in packed]
    capacities = tuple(
        sum((weight for _, weight, chosen in branchings if arc in chosen), draw(small))
        for arc in range(len(arcs))
    )
    return BranchingPacking(size, tuple(arcs), capacities, tuple(roots), tuple(branchings))


@st.composite
def decompositions(draw: st.DrawFn) -> ArborescenceDecomposition:
    """The arcs of the root are full, so all other nodes together are a least cut.

    A tree that uses several of these arcs would make the cut larger than the trees.
    """
    size = draw(st.integers(2, 4))
    root = draw(st.integers(0, size - 1))
    arcs: list[tuple[int, int]] = []
    packed = [
        (weight, chosen)
        for weight, chosen in draw(_packed((root,), size, arcs))
        if sum(arcs[arc][0] == root for arc in chosen) == 1
    ]
    capacities = tuple(
        sum((weight for weight, chosen in packed if arc in chosen), Fraction(0))
        + (0 if tail == root else draw(small))
        for arc, (tail, _) in enumerate(arcs)
    )
    cut = tuple(node for node in range(size) if node != root)
    value = sum((weight for weight, _ in packed), Fraction(0))
    return ArborescenceDecomposition(size, tuple(arcs), capacities, root, tuple(packed), cut, value)


@st.composite
def root_cuts(draw: st.DrawFn) -> MinimumRootCut:
    """Every tree of a decomposition contains a path from the root to each node."""
    stated = draw(decompositions())
    order = draw(st.permutations(stated.cut))
    flows = []
    for node in order:
        amounts: dict[int, Fraction] = {}
        for weight, tree in stated.trees:
            entered = {stated.arcs[arc][1]: arc for arc in tree}
            reached = node
            while reached != stated.root:
                arc = entered[reached]
                amounts[arc] = amounts.get(arc, Fraction(0)) + weight
                reached = stated.arcs[arc][0]
        flows.append(tuple(amounts.items()))
    return MinimumRootCut(
        stated.size,
        stated.arcs,
        stated.capacities,
        stated.root,
        stated.cut,
        tuple(order),
        tuple(flows),
        stated.value,
    )


@st.composite
def unmet_demands(draw: st.DrawFn) -> UnmetDemand:
    size = draw(st.integers(1, 4))
    node = st.integers(0, size - 1)
    arcs = tuple(draw(st.lists(st.tuples(node, node), max_size=6)))
    capacities = tuple(draw(small) for _ in arcs)
    nodes = tuple(draw(st.lists(node, min_size=1, max_size=max(1, size - 1), unique=True)))
    sets = st.lists(node, min_size=1, unique=True).map(tuple)
    roots = draw(st.lists(st.tuples(sets, positive), max_size=2))
    entering = sum(
        (
            capacity
            for (tail, head), capacity in zip(arcs, capacities, strict=True)
            if head in nodes and tail not in nodes
        ),
        Fraction(0),
    )
    needed = sum((d for where, d in roots if set(nodes).isdisjoint(where)), Fraction(0))
    outside = [n for n in range(size) if n not in nodes]
    if needed <= entering and outside:
        roots.append(((outside[0],), entering - needed + draw(positive)))
        needed += roots[-1][1]
    elif needed <= entering:  # all nodes: nothing enters them, and every root set meets them
        size, outside = size + 1, [size]
        roots.append(((size - 1,), entering - needed + draw(positive)))
        needed += roots[-1][1]
    return UnmetDemand(size, arcs, capacities, tuple(roots), nodes, entering, needed)


@st.composite
def splittings_off(draw: st.DrawFn) -> SplittingOff:
    """Branchings of links from each demand: their paths into a node are the flow into it."""
    terminals, forwarding = draw(st.integers(1, 3)), draw(st.integers(0, 2))
    size = terminals + forwarding
    names = draw(st.permutations(range(size)))
    pairs: list[tuple[int, int]] = []
    packed = [
        (root, *one)
        for root in range(terminals)
        for one in draw(_packed((root,), terminals, pairs))
    ]
    arcs: list[tuple[int, int]] = []
    room: list[Fraction] = []
    links: list[tuple[tuple[int, ...], Fraction]] = []
    carried = [
        sum((w for _, w, chosen in packed if k in chosen), Fraction(0)) for k in range(len(pairs))
    ]
    used = {k: place for place, k in enumerate(k for k, amount in enumerate(carried) if amount)}
    for k in used:
        through = draw(st.lists(st.sampled_from(names[terminals:] or [0]), unique=True))
        stops = [names[pairs[k][0]], *(through if forwarding else []), names[pairs[k][1]]]
        path = []
        for arc in pairwise(stops):
            if arc not in arcs or draw(st.integers(0, 4)) == 0:
                arcs.append(arc)
                room.append(draw(small))
            path.append(max(place for place, pair in enumerate(arcs) if pair == arc))
            room[path[-1]] += carried[k]
        links.append((tuple(path), carried[k]))
    demands = [Fraction(0)] * size
    for root, weight, _ in packed:
        demands[names[root]] += weight
    order = draw(st.permutations(range(terminals)))
    flows = []
    for node in order:
        amounts: dict[int, Fraction] = {}
        for root, weight, chosen in packed:
            entered = {pairs[k][1]: k for k in chosen}
            reached = node
            while reached != root:
                k = entered[reached]
                amounts[used[k]] = amounts.get(used[k], Fraction(0)) + weight
                reached = pairs[k][0]
            start = len(links) + names[root]
            amounts[start] = amounts.get(start, Fraction(0)) + weight
        flows.append(tuple(amounts.items()))
    return SplittingOff(
        size,
        tuple(arcs),
        tuple(room),
        tuple(names[terminals:]),
        tuple(demands),
        tuple(links),
        tuple(names[node] for node in order),
        tuple(flows),
    )


@st.composite
def concurrent_branching_packings(draw: st.DrawFn) -> ConcurrentBranchingPacking:
    """The arcs into some nodes are full, and no branching enters them more often than it must."""
    size = draw(st.integers(2, 4))
    order = draw(st.permutations(range(size)))
    border = draw(st.integers(1, size - 1))
    nodes, outside = tuple(order[:border]), order[border:]
    arcs: list[tuple[int, int]] = []
    root_sets = [tuple(draw(st.lists(st.sampled_from(outside), min_size=1, unique=True)))]
    for _ in range(draw(st.integers(0, 2))):
        more = st.lists(st.integers(0, size - 1), min_size=1, unique=True)
        root_sets.append(tuple(draw(more)))
    branchings = []
    for index, roots in enumerate(root_sets):
        for weight, chosen in draw(_packed(roots, size, arcs)):
            crossing = sum(arcs[arc][1] in nodes and arcs[arc][0] not in nodes for arc in chosen)
            if crossing == set(roots).isdisjoint(nodes):
                branchings.append((index, weight, chosen))
    value = draw(positive)
    if not any(index == 0 for index, _, _ in branchings):
        branchings, value = [], Fraction(0)
    demands = [
        sum((weight for which, weight, _ in branchings if which == index), Fraction(0)) / value
        if value
        else draw(positive)
        for index in range(len(root_sets))
    ]
    capacities = tuple(
        sum((weight for _, weight, chosen in branchings if arc in chosen), Fraction(0))
        + (0 if head in nodes and tail not in nodes else draw(small))
        for arc, (tail, head) in enumerate(arcs)
    )
    return ConcurrentBranchingPacking(
        size,
        tuple(arcs),
        capacities,
        tuple(zip(root_sets, demands, strict=True)),
        tuple(branchings),
        nodes,
        value,
    )


@st.composite
def minimum_cost_arborescences(draw: st.DrawFn) -> MinimumCostArborescence:
    """Subtrees in preorder are intervals, and the tree enters each of them exactly once."""
    size = draw(st.integers(1, 4))
    names = draw(st.permutations(range(size)))
    parent = {0: -1}
    for k in range(1, size):
        ancestors = [k - 1]
        while ancestors[-1]:
            ancestors.append(parent[ancestors[-1]])
        parent[k] = draw(st.sampled_from(ancestors))
    stops = {k: k + 1 for k in range(size)}
    for k in range(size - 1, 0, -1):
        stops[parent[k]] = max(stops[parent[k]], stops[k])
    cuts = [(k - 1, stops[k] - 1, draw(positive)) for k in range(1, size) if draw(st.booleans())]
    tree = [(parent[k], k) for k in range(1, size)]
    node = st.integers(0, size - 1)
    pairs = tree + draw(st.lists(st.tuples(node, node), max_size=4))
    costs = tuple(
        sum((w for a, b, w in cuts if a < head <= b and not a < tail <= b), Fraction(0))
        + (0 if index < len(tree) else draw(small))
        for index, (tail, head) in enumerate(pairs)
    )
    return MinimumCostArborescence(
        size=size,
        arcs=tuple((names[tail], names[head]) for tail, head in pairs),
        costs=costs,
        root=names[0],
        tree=tuple(range(len(tree))),
        order=tuple(names[1:]),
        cuts=tuple(cuts),
        value=sum((weight for _, _, weight in cuts), Fraction(0)),
    )


@st.composite
def _matched(
    draw: st.DrawFn, edges: list[tuple[int, int]], needed: list[int], count: int, bipartite: bool
) -> Any:
    """Positive weights of matchings, each with `count` of the needed edges and some others."""
    matchings = []
    for _ in range(draw(st.integers(0, 3))):
        chosen: list[int] = []
        covered: set[int] = set()
        for edge in [*draw(st.permutations(needed)), *draw(st.permutations(range(len(edges))))]:
            ends = {edges[edge][0], ~edges[edge][1] if bipartite else edges[edge][1]}
            free = covered.isdisjoint(ends)
            if free and (len(chosen) < count or (edge not in needed and draw(st.booleans()))):
                chosen.append(edge)
                covered |= ends
        if len([edge for edge in chosen if edge in needed]) == count:
            matchings.append((draw(positive), tuple(chosen)))
    kept = sorted({edge for _, chosen in matchings for edge in chosen})
    index = {edge: k for k, edge in enumerate(kept)}
    listed = tuple((w, tuple(index[edge] for edge in chosen)) for w, chosen in matchings)
    weights = tuple(
        sum((w for w, chosen in matchings if edge in chosen), Fraction(0)) for edge in kept
    )
    return tuple(edges[edge] for edge in kept), weights, listed


@st.composite
def matching_decompositions(draw: st.DrawFn) -> MatchingDecomposition:
    """Every matching covers left node 0, whose load is therefore their duration."""
    edges = [(left, right) for left in range(3) for right in range(3)] + [(0, 1), (2, 2)]
    needed = [k for k, (left, _) in enumerate(edges) if left == 0]
    kept, weights, matchings = draw(_matched(edges, needed, 1, True))
    value = sum((duration for duration, _ in matchings), Fraction(0))
    return MatchingDecomposition(kept, weights, matchings, value)


@st.composite
def edge_colorings(draw: st.DrawFn) -> EdgeColoring:
    stated = draw(matching_decompositions())
    scaled = [[int(x * 6) for x in row] for row in (stated.weights, [stated.value])]
    classes = tuple((int(duration * 6), edges) for duration, edges in stated.matchings)
    return EdgeColoring(stated.edges, tuple(scaled[0]), classes, scaled[1][0])


@st.composite
def fractional_edge_colorings(draw: st.DrawFn) -> FractionalEdgeColoring:
    """Every matching covers node 0, or has as many edges inside an odd set as it can."""
    size = 5
    edges = [(a, b) for a in range(size) for b in range(size) if a < b] + [(1, 0), (3, 4)]
    witness = draw(st.sampled_from([(0,), (2, 0, 1), (0, 1, 2, 3, 4)]))
    if len(witness) == 1:
        needed = [k for k, edge in enumerate(edges) if 0 in edge]
    else:
        needed = [k for k, edge in enumerate(edges) if set(edge) <= set(witness)]
    count = max(1, (len(witness) - 1) // 2)
    kept, weights, matchings = draw(_matched(edges, needed, count, False))
    value = sum((duration for duration, _ in matchings), Fraction(0))
    return FractionalEdgeColoring(size, kept, weights, matchings, witness, value)


def _sparse(numbers: list[Fraction]) -> tuple[tuple[int, Fraction], ...]:
    return tuple((index, number) for index, number in enumerate(numbers) if number)


def _dot(one: list[Fraction], other: list[Fraction]) -> Fraction:
    return sum((x * y for x, y in zip(one, other, strict=True)), Fraction(0))


@st.composite
def _matrices(draw: st.DrawFn) -> tuple[list[list[Fraction]], list[int], list[int]]:
    columns, rows = draw(st.integers(1, 2)), draw(st.integers(1, 3))
    matrix = [[draw(signed) for _ in range(columns)] for _ in range(rows)]
    equalities = [k for k in range(rows) if draw(st.integers(0, 3)) == 0]
    nonnegative = [k for k in range(columns) if draw(st.booleans())]
    return matrix, equalities, nonnegative


@st.composite
def linear_optima(draw: st.DrawFn) -> LinearOptimum:
    """Complementary slackness: slack where the multiplier is 0, and the other way round."""
    matrix, equalities, nonnegative = draw(_matrices())
    dual = [draw(signed if k in equalities else small) for k in range(len(matrix))]
    primal = [draw(small if k in nonnegative else signed) for k in range(len(matrix[0]))]
    right = [
        _dot(row, primal) + (0 if k in equalities or dual[k] else draw(small))
        for k, row in enumerate(matrix)
    ]
    objective = [
        _dot(list(column), dual) - (draw(small) if k in nonnegative and not primal[k] else 0)
        for k, column in enumerate(zip(*matrix, strict=True))
    ]
    program = LinearProgram(
        tuple(objective),
        tuple(map(_sparse, matrix)),
        tuple(right),
        tuple(equalities),
        tuple(nonnegative),
    )
    return LinearOptimum(program, _sparse(primal), _sparse(dual), _dot(objective, primal))


@st.composite
def linear_infeasibilities(draw: st.DrawFn) -> LinearInfeasibility:
    """The last row contradicts a combination of the others."""
    matrix, equalities, nonnegative = draw(_matrices())
    multipliers = [draw(signed if k in equalities else small) for k in range(len(matrix))]
    right = [draw(signed) for _ in matrix]
    last = [
        (draw(small) if k in nonnegative else 0) - _dot(list(column), multipliers)
        for k, column in enumerate(zip(*matrix, strict=True))
    ]
    right.append(-_dot(right, multipliers) - draw(positive))
    program = LinearProgram(
        tuple(draw(signed) for _ in last),
        tuple(map(_sparse, [*matrix, last])),
        tuple(right),
        tuple(equalities),
        tuple(nonnegative),
    )
    return LinearInfeasibility(program, _sparse([*multipliers, Fraction(1)]))


@st.composite
def linear_unboundednesses(draw: st.DrawFn) -> LinearUnboundedness:
    """Rows are turned until the ray stays within them."""
    matrix, equalities, nonnegative = draw(_matrices())
    ray = [draw(small if k in nonnegative else signed) for k in range(len(matrix[0]))]
    if not any(ray):
        ray[0] = Fraction(1)
    length = _dot(ray, ray)
    for k, row in enumerate(matrix):
        growth = _dot(row, ray)
        if growth > 0 or k in equalities:
            matrix[k] = [x - growth / length * y for x, y in zip(row, ray, strict=True)]
    point = [draw(small if k in nonnegative else signed) for k in range(len(ray))]
    right = [
        _dot(row, point) + (0 if k in equalities else draw(small)) for k, row in enumerate(matrix)
    ]
    objective = [draw(signed) for _ in ray]
    growth = _dot(objective, ray)
    if growth <= 0:
        objective = [x + (1 - growth) / length * y for x, y in zip(objective, ray, strict=True)]
    program = LinearProgram(
        tuple(objective),
        tuple(map(_sparse, matrix)),
        tuple(right),
        tuple(equalities),
        tuple(nonnegative),
    )
    return LinearUnboundedness(program, _sparse(point), _sparse(ray))


PLANTED: dict[str, st.SearchStrategy[MinMax]] = {
    "maximum-flow": maximum_flows(),
    "minimum-root-cut": root_cuts(),
    "branching-packing": branching_packings(),
    "unmet-demand": unmet_demands(),
    "splitting-off": splittings_off(),
    "concurrent-branching-packing": concurrent_branching_packings(),
    "arborescence-decomposition": decompositions(),
    "minimum-cost-arborescence": minimum_cost_arborescences(),
    "edge-coloring": edge_colorings(),
    "matching-decomposition": matching_decompositions(),
    "fractional-edge-coloring": fractional_edge_colorings(),
    "linear-optimum": linear_optima(),
    "linear-infeasibility": linear_infeasibilities(),
    "linear-unboundedness": linear_unboundednesses(),
}


def min_max_certificates() -> st.SearchStrategy[MinMax]:
    return st.one_of(*PLANTED.values())
