"""Certificates of the min-max theorems (proofs/min-max-certificates.md)."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from tests.independent.document import (
    Document,
    Values,
    any_rational,
    claim,
    each,
    index,
    integer,
    listing,
    members,
    nonnegative,
    positive,
    row,
    rule,
    structure,
)

Arc = tuple[int, int]


class _Graph:
    """The members `size`, `arcs` and the numbers of the arcs."""

    def __init__(self, document: Document, numbers: str, others: str) -> None:
        self.take = members(document, f"size arcs {numbers} {others}")
        self.size: int = self.take("size", integer(1, 1_000_000))
        self.node = index(self.size)
        self.nodes = listing(self.node, distinct=True)
        self.arcs: list[Arc] = self.take("arcs", listing(row(self.node, self.node)))
        self.numbers: list[Fraction] = self.take(numbers, each(nonnegative, len(self.arcs)))
        self.some_arcs = listing(index(len(self.arcs)))

    def enters(self, nodes: Iterable[int]) -> Fraction:
        """The numbers of the arcs that enter these nodes."""
        return sum(
            (n for (u, v), n in zip(self.arcs, self.numbers, strict=True) if crosses(u, v, nodes)),
            Fraction(0),
        )

    def outside(self, flow: Sequence[Fraction]) -> list[Fraction]:
        """For each node what enters it minus what leaves it."""
        net = [Fraction(0)] * self.size
        for (tail, head), amount in zip(self.arcs, flow, strict=True):
            net[head] += amount
            net[tail] -= amount
        return net

    def branching(self, roots: Sequence[int], chosen: Sequence[int]) -> None:
        """Rule 1 of `branching-packing`."""
        heads = [self.arcs[a][1] for a in chosen]
        rule(not set(heads) & set(roots), "a branching enters a root")
        rule(len(set(heads)) == len(heads), "a branching enters a node twice")
        after = defaultdict(list)
        for a in chosen:
            after[self.arcs[a][0]].append(self.arcs[a][1])
        reached, queue = set(roots), list(roots)
        while queue:
            for head in after[queue.pop()]:
                if head not in reached:
                    reached.add(head)
                    queue.append(head)
        rule(len(reached) == self.size, "a branching does not reach every node")

    def packed(self, branchings: Sequence[tuple[Any, Fraction, Sequence[int]]]) -> None:
        """Rules 2 and 3 of `branching-packing`."""
        load = [Fraction(0)] * len(self.arcs)
        for _, weight, chosen in branchings:
            for a in chosen:
                load[a] += weight
        rule(all(x <= n for x, n in zip(load, self.numbers, strict=True)), "above a capacity")
        sets = {(root, frozenset(chosen)) for root, _, chosen in branchings}
        rule(len(sets) == len(branchings), "a branching is there twice")


def crosses(tail: int, head: int, nodes: Iterable[int]) -> bool:
    """Whether an arc enters a set of nodes."""
    return head in nodes and tail not in nodes


def maximum_flow(document: Document) -> Values:
    graph = _Graph(document, "capacities", "source sink flow cut value")
    source, sink = graph.take("source", graph.node), graph.take("sink", graph.node)
    structure(source != sink, "the source is the sink")
    flow = graph.take("flow", each(any_rational, len(graph.arcs)))
    cut = set(graph.take("cut", graph.nodes))
    value = graph.take("value", any_rational)
    rule(source in cut and sink not in cut, "1")
    rule(all(0 <= x <= c for x, c in zip(flow, graph.numbers, strict=True)), "2")
    net = graph.outside(flow)
    rule(all(net[v] == 0 for v in range(graph.size) if v not in (source, sink)), "3")
    claim("value", value, net[sink])
    leaves = [n for (u, v), n in zip(graph.arcs, graph.numbers, strict=True) if crosses(v, u, cut)]
    rule(sum(leaves) == value, "5")
    return {"value": value}


def minimum_root_cut(document: Document) -> Values:
    graph = _Graph(document, "capacities", "root cut order flows value")
    root = graph.take("root", graph.node)
    cut = set(graph.take("cut", graph.nodes))
    order = graph.take("order", graph.nodes)
    structure(root not in order, "the root is in the order")
    amount = row(index(len(graph.arcs)), any_rational)
    flows = graph.take("flows", each(listing(amount), len(order)))
    for flow in flows:
        structure(len({a for a, _ in flow}) == len(flow), "a flow names an arc twice")
    value = graph.take("value", any_rational)
    rule(bool(cut) and root not in cut and graph.enters(cut) == value, "1")
    rule(len(order) == graph.size - 1, "2")
    for i, flow in enumerate(flows):
        amounts = [Fraction(0)] * len(graph.arcs)
        for a, x in flow:
            amounts[a] = x
            rule(0 <= x <= graph.numbers[a], "3")
        net = graph.outside(amounts)
        rule(all(net[v] == 0 for v in order[i + 1 :]) and net[order[i]] >= value, "3")
    return {"value": value}


def _roots(graph: _Graph) -> list[tuple[list[int], Fraction]]:
    nodes = listing(graph.node, least=1, distinct=True)
    return graph.take("roots", listing(row(nodes, nonnegative)))


def _branchings(graph: _Graph, roots: Sequence[Any]) -> list[tuple[int, Fraction, list[int]]]:
    return graph.take("branchings", listing(row(index(len(roots)), positive, graph.some_arcs)))


def _packs(graph: _Graph, roots: Any, branchings: Any, factor: Fraction) -> None:
    for i, _, chosen in branchings:
        graph.branching(roots[i][0], chosen)
    graph.packed(branchings)
    total = [Fraction(0)] * len(roots)
    for i, weight, _ in branchings:
        total[i] += weight
    rule(all(t == factor * d for t, (_, d) in zip(total, roots, strict=True)), "demand not met")


def branching_packing(document: Document) -> Values:
    graph = _Graph(document, "capacities", "roots branchings")
    roots = _roots(graph)
    _packs(graph, roots, _branchings(graph, roots), Fraction(1))
    return {"value": sum((demand for _, demand in roots), Fraction(0))}


def _disjoint(roots: Any, nodes: set[int]) -> Fraction:
    return sum((demand for s, demand in roots if not nodes & set(s)), Fraction(0))


def unmet_demand(document: Document) -> Values:
    graph = _Graph(document, "capacities", "roots nodes entering needed")
    roots = _roots(graph)
    nodes = set(graph.take("nodes", graph.nodes))
    entering, needed = graph.take("entering", any_rational), graph.take("needed", any_rational)
    rule(bool(nodes), "1")
    claim("entering", entering, graph.enters(nodes))
    claim("needed", needed, _disjoint(roots, nodes))
    rule(entering < needed, "4")
    return {"entering": entering, "needed": needed}


def splitting_off(document: Document) -> Values:
    graph = _Graph(document, "capacities", "switches demands links order flows")
    switches = set(graph.take("switches", graph.nodes))
    demands = graph.take("demands", each(nonnegative, graph.size))
    path = listing(index(len(graph.arcs)), least=1)
    links = graph.take("links", listing(row(path, positive)))
    order = graph.take("order", graph.nodes)
    entry = row(index(len(links) + graph.size), any_rational)
    flows = graph.take("flows", each(listing(entry), len(order)))
    for flow in flows:
        structure(len({j for j, _ in flow}) == len(flow), "a flow names an entry twice")
    total = sum(demands, Fraction(0))
    rule(all(demands[w] == 0 for w in switches), "1")
    load = [Fraction(0)] * len(graph.arcs)
    for arcs, capacity in links:
        steps = [graph.arcs[a] for a in arcs]
        rule(all(one[1] == two[0] for one, two in pairwise(steps)), "2")
        nodes = [steps[0][0], *(head for _, head in steps)]
        rule([v in switches for v in nodes] == [0 < i < len(steps) for i in range(len(nodes))], "2")
        rule(len(set(nodes)) == len(nodes), "2")
        for a in arcs:
            load[a] += capacity
    rule(all(x <= c for x, c in zip(load, graph.numbers, strict=True)), "3")
    rule(sorted(order) == [v for v in range(graph.size) if v not in switches], "4")
    for i, flow in enumerate(flows):
        net = [Fraction(0)] * graph.size
        for j, amount in flow:
            if j < len(links):
                arcs, most = links[j]
                net[graph.arcs[arcs[0]][0]] -= amount
                net[graph.arcs[arcs[-1]][1]] += amount
            else:
                most = demands[j - len(links)]
                net[j - len(links)] += amount
            rule(0 <= amount <= most, "5")
        rule(all(net[v] == 0 for v in order[i + 1 :]) and net[order[i]] >= total, "5")
    return {"value": total}


def concurrent_branching_packing(document: Document) -> Values:
    graph = _Graph(document, "capacities", "roots branchings nodes value")
    roots = _roots(graph)
    branchings = _branchings(graph, roots)
    nodes = set(graph.take("nodes", graph.nodes))
    value = graph.take("value", any_rational)
    demand = _disjoint(roots, nodes)
    rule(bool(nodes) and demand > 0, "1")
    claim("value", value, graph.enters(nodes) / demand)
    _packs(graph, roots, branchings, value)
    return {"value": value}


def arborescence_decomposition(document: Document) -> Values:
    graph = _Graph(document, "capacities", "root trees cut value")
    root = graph.take("root", graph.node)
    trees = graph.take("trees", listing(row(positive, graph.some_arcs)))
    cut = set(graph.take("cut", graph.nodes))
    value = graph.take("value", any_rational)
    for _, chosen in trees:
        graph.branching([root], chosen)
    graph.packed([(0, weight, chosen) for weight, chosen in trees])
    claim("value", value, sum((weight for weight, _ in trees), Fraction(0)))
    rule(bool(cut) and root not in cut and graph.enters(cut) == value, "3")
    return {"value": value}


def minimum_cost_arborescence(document: Document) -> Values:
    graph = _Graph(document, "costs", "root tree order cuts value")
    root = graph.take("root", graph.node)
    tree = graph.take("tree", graph.some_arcs)
    order = graph.take("order", graph.nodes)
    structure(root not in order, "the root is in the order")
    ends = integer(0, len(order))
    cuts = graph.take("cuts", listing(row(ends, ends, positive)))
    structure(all(start < stop for start, stop, _ in cuts), "a set is empty")
    value = graph.take("value", any_rational)
    graph.branching([root], tree)
    claim("value", value, sum((graph.numbers[a] for a in tree), Fraction(0)))
    sets = [(set(order[start:stop]), weight) for start, stop, weight in cuts]
    for (tail, head), cost in zip(graph.arcs, graph.numbers, strict=True):
        rule(sum(w for nodes, w in sets if crosses(tail, head, nodes)) <= cost, "3")
    rule(sum(weight for _, weight in sets) == value, "4")
    return {"value": value}


def _matchings(ends: list[list[Any]], numbers: Any, matchings: Any) -> None:
    """Rules 1 and 2 of colorings: matchings that cover each edge by its number exactly."""
    covered = [Fraction(0)] * len(ends)
    for duration, edges in matchings:
        used = [end for e in edges for end in ends[e]]
        rule(len(set(used)) == len(used), "two edges of a matching meet")
        for e in edges:
            covered[e] += duration
    rule(covered == numbers, "an edge is not covered by its number")


def _largest_load(ends: list[list[Any]], numbers: Any) -> Any:
    load: dict[Any, Any] = defaultdict(int)
    for pair, number in zip(ends, numbers, strict=True):
        for end in pair:
            load[end] += number
    return max(load.values(), default=0)


def _bipartite(edges: list[Arc]) -> list[list[Any]]:
    return [[("left", u), ("right", v)] for u, v in edges]


def edge_coloring(document: Document) -> Values:
    take = members(document, "edges multiplicities classes colors")
    ends = _bipartite(take("edges", listing(row(integer(0), integer(0)))))
    copies = take("multiplicities", each(integer(1), len(ends)))
    classes = take("classes", listing(row(integer(1), listing(index(len(ends))))))
    colors = take("colors", integer())
    _matchings(ends, copies, classes)
    claim("colors", colors, sum(number for number, _ in classes))
    rule(colors == _largest_load(ends, copies), "4")
    return {"value": colors}


def matching_decomposition(document: Document) -> Values:
    take = members(document, "edges weights matchings value")
    ends = _bipartite(take("edges", listing(row(integer(0), integer(0)))))
    weights = take("weights", each(positive, len(ends)))
    matchings = take("matchings", listing(row(positive, listing(index(len(ends))))))
    value = take("value", any_rational)
    _matchings(ends, weights, matchings)
    claim("value", value, sum((duration for duration, _ in matchings), Fraction(0)))
    rule(value == _largest_load(ends, weights), "4")
    return {"value": value}


def fractional_edge_coloring(document: Document) -> Values:
    take = members(document, "size edges weights matchings witness value")
    node = index(take("size", integer(1, 1_000_000)))
    edges = take("edges", listing(row(node, node)))
    structure(all(u != v for u, v in edges), "a loop")
    weights = take("weights", each(positive, len(edges)))
    matchings = take("matchings", listing(row(positive, listing(index(len(edges))))))
    witness = set(take("witness", listing(node, distinct=True)))
    value = take("value", any_rational)
    _matchings([list(edge) for edge in edges], weights, matchings)
    claim("value", value, sum((duration for duration, _ in matchings), Fraction(0)))
    rule(len(witness) % 2 == 1, "4")
    ends = 1 if len(witness) == 1 else 2
    weight = sum(
        w for edge, w in zip(edges, weights, strict=True) if len(witness & {*edge}) == ends
    )
    rule(weight == value * max(1, (len(witness) - 1) // 2), "5")
    return {"value": value}


# Linear programs

Vector = dict[int, Fraction]


def _sparse(length: int) -> Callable[[Any], Vector]:
    entries = listing(row(index(length), any_rational))

    def read(value: Any) -> Vector:
        pairs = entries(value)
        structure(len({i for i, _ in pairs}) == len(pairs), "an index is there twice")
        return dict(pairs)

    return read


def _product(x: Vector, y: Vector) -> Fraction:
    return sum((number * y.get(i, 0) for i, number in x.items()), Fraction(0))


class _Program:
    def __init__(self, value: Any) -> None:
        take = members(value, "objective rows right_sides equalities nonnegative")
        self.c = dict(enumerate(take("objective", listing(any_rational))))
        self.rows: list[Vector] = take("rows", listing(_sparse(len(self.c))))
        self.b = dict(enumerate(take("right_sides", each(any_rational, len(self.rows)))))
        row_index, variable = index(len(self.rows)), index(len(self.c))
        self.equalities = set(take("equalities", listing(row_index, distinct=True)))
        self.signed = set(take("nonnegative", listing(variable, distinct=True)))

    def feasible(self, x: Vector, b: Vector) -> None:
        rule(all(x.get(j, 0) >= 0 for j in self.signed), "a variable is negative")
        for i, vector in enumerate(self.rows):
            left, right = _product(vector, x), b.get(i, Fraction(0))
            rule(left == right if i in self.equalities else left <= right, "a row fails")

    def dual(self, y: Vector, c: Vector) -> None:
        rule(all(y[i] >= 0 for i in y if i not in self.equalities), "a multiplier is negative")
        total = [Fraction(0)] * len(self.c)
        for i, number in y.items():
            for j, entry in self.rows[i].items():
                total[j] += number * entry
        for j, left in enumerate(total):
            right = c.get(j, Fraction(0))
            rule(left >= right if j in self.signed else left == right, "a column fails")


def linear_optimum(document: Document) -> Values:
    take = members(document, "program primal dual value")
    program = take("program", _Program)
    primal = take("primal", _sparse(len(program.c)))
    dual = take("dual", _sparse(len(program.rows)))
    value = take("value", any_rational)
    program.feasible(primal, program.b)
    program.dual(dual, program.c)
    claim("value", value, _product(primal, program.c))
    rule(value == _product(dual, program.b), "2")
    return {"value": value}


def linear_infeasibility(document: Document) -> Values:
    take = members(document, "program multipliers")
    program = take("program", _Program)
    y = take("multipliers", _sparse(len(program.rows)))
    program.dual(y, {})
    rule(_product(y, program.b) < 0, "2")
    return {}


def linear_unboundedness(document: Document) -> Values:
    take = members(document, "program point ray")
    program = take("program", _Program)
    point, ray = (take(name, _sparse(len(program.c))) for name in ("point", "ray"))
    program.feasible(point, program.b)
    program.feasible(ray, {})
    rule(_product(ray, program.c) > 0, "2")
    return {}


CHECKS = {
    check.__name__.replace("_", "-"): check
    for check in (
        maximum_flow,
        minimum_root_cut,
        branching_packing,
        unmet_demand,
        splitting_off,
        concurrent_branching_packing,
        arborescence_decomposition,
        minimum_cost_arborescence,
        edge_coloring,
        matching_decomposition,
        fractional_edge_coloring,
        linear_optimum,
        linear_infeasibility,
        linear_unboundedness,
    )
}
