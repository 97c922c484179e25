"""The kernels on networkx graphs: flows, cuts, trees, colorings, matchings, splitting off."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import exact
from exactsched.nx.answers import (
    Arborescence,
    Branching,
    Branchings,
    Coloring,
    Flow,
    Links,
    Matchings,
    RootCut,
    Trees,
    Unmet,
    Weighted,
)
from exactsched.nx.graph import Attribute, Numbered

if TYPE_CHECKING:
    from exactsched.certificate.graphs import UnmetDemand

RootSets = Sequence[tuple[Iterable[Hashable], object]]


def maximum_flow(
    graph: Any, source: Hashable, sink: Hashable, capacity: Attribute = "capacity"
) -> Flow:
    """A maximum flow and a minimum cut of the same value (Ford and Fulkerson 1956).

    `capacity` names the attribute; an edge without it, or with `inf`, is unlimited, as in networkx,
    and with None every edge has capacity 1.  No flow goes around in a circle.

    Raises `InvalidInput` for unknown nodes, inexact or negative numbers, and if no cut is finite.
    Reference and cost: `exactsched.maximum_flow`.

    >>> import networkx
    >>> graph = networkx.MultiDiGraph()
    >>> _ = graph.add_edge("s", (0, 1), capacity="1/3"), graph.add_edge("s", (0, 1), capacity=1)
    >>> _ = graph.add_edge((0, 1), "t")
    >>> best = maximum_flow(graph, "s", "t")
    >>> best.value, best.cut, best.cut_edges
    (Fraction(4, 3), ('s',), (('s', (0, 1), 0), ('s', (0, 1), 1)))
    """
    from exactsched.graphs import flow

    given = Numbered(graph)
    limits = given.capacities(capacity)
    ends = given.place(source, "source"), given.place(sink, "sink")
    found = flow.maximum_flow(given.size, *ends, given.arcs, limits.numbers)
    proof = flow.without_cycles(found)
    cut = given.entering(set(range(given.size)).difference(proof.cut))
    limits.refuse_infinite(cut)
    return Flow(
        proof,
        proof.value,
        given.amounts(proof.flow),
        given.nodes_at(proof.cut),
        given.edges_at(cut),
        names=given.names,
    )


def minimum_root_cut(graph: Any, root: Hashable, capacity: Attribute = "capacity") -> RootCut:
    """The least capacity that enters a set of nodes without the root, by Hao and Orlin's flows.

    With `capacity` None it is the number of arc-disjoint arborescences from the root, its
    connectivity.  Arguments and errors are those of `maximum_flow`.

    Reference and cost: `exactsched.minimum_root_cut`.

    >>> import networkx
    >>> best = minimum_root_cut(networkx.cycle_graph(5), 0, capacity=None)
    >>> best.value, best.cut, best.cut_edges
    (Fraction(2, 1), (1,), ((0, 1), (2, 1)))
    """
    from exactsched.graphs import root_cut

    given = Numbered(graph)
    limits = given.capacities(capacity)
    proof = root_cut.minimum_root_cut(
        given.size, given.place(root, "root"), given.arcs, limits.numbers
    )
    cut = given.entering(proof.cut)
    limits.refuse_infinite(cut)
    return RootCut(
        proof, proof.value, given.nodes_at(proof.cut), given.edges_at(cut), names=given.names
    )


def decompose_into_arborescences(
    graph: Any, root: Hashable, capacity: Attribute = "capacity"
) -> Trees:
    """Spanning arborescences within the capacities, as heavy as the least root cut (Edmonds 1973).

    Arguments and errors are those of `maximum_flow`; the weights are whole if the capacities are.
    Reference and cost: `exactsched.decompose_into_arborescences`.

    >>> import networkx
    >>> best = decompose_into_arborescences(networkx.complete_graph(3), 0, capacity=None)
    >>> best.value, [sorted(tree.edges) for tree in best.trees]
    (Fraction(2, 1), [[(0, 2), (2, 1)], [(0, 1), (1, 2)]])
    """
    from exactsched.graphs import arborescence_decomposition

    given = Numbered(graph)
    limits = given.capacities(capacity)
    proof = arborescence_decomposition.decompose_into_arborescences(
        given.size, given.place(root, "root"), given.arcs, limits.numbers
    )
    cut = given.entering(proof.cut)
    limits.refuse_infinite(cut)
    return Trees(
        proof,
        proof.value,
        _weighted(given, proof.trees),
        given.nodes_at(proof.cut),
        given.edges_at(cut),
        names=given.names,
    )


def disjoint_arborescences(graph: Any, root: Hashable, count: int) -> Branchings | Unmet:
    """`count` arc-disjoint spanning arborescences, or a set that fewer edges enter (Edmonds 1973).

    In an undirected graph an edge may be used once each way.  An `Unmet` is false in conditions.
    Errors: `InvalidInput`.  Reference and cost: `exactsched.disjoint_arborescences`.

    >>> import networkx
    >>> graph = networkx.complete_graph(3)
    >>> len(disjoint_arborescences(graph, 0, 2).branchings)
    2
    >>> disjoint_arborescences(graph, 0, 3).cut_edges
    ((0, 1), (2, 1))
    """
    return pack_branchings(graph, [([root], count)], capacity=None)


def pack_branchings(
    graph: Any, roots: RootSets, capacity: Attribute = "capacity"
) -> Branchings | Unmet:
    """Branchings that meet the demands of all root sets, or a set that shows there are none.

    `roots` are pairs (nodes, demand); a branching reaches every node from its root set.  The rest
    is as in `maximum_flow`.  Reference and cost: `exactsched.pack_branchings`.

    >>> import networkx
    >>> found = pack_branchings(networkx.path_graph(3), [([0], 1), ([2, 1], 1)], capacity=None)
    >>> [(one.roots, one.edges) for one in found.branchings]
    [((0,), ((0, 1), (1, 2))), ((2, 1), ((1, 0),))]
    """
    from exactsched.certificate.graphs import UnmetDemand
    from exactsched.graphs import branching_packing

    given = Numbered(graph)
    sets = _root_sets(given, roots)
    needed = sum((demand for _, demand in sets), start=Fraction(0))
    limits = given.capacities(capacity, max(needed, Fraction(1)))
    proof = branching_packing.pack_branchings(given.size, given.arcs, limits.numbers, sets)
    if isinstance(proof, UnmetDemand):
        return _unmet(given, proof)
    return Branchings(
        proof, Fraction(1), _branchings(given, sets, proof.branchings), names=given.names
    )


def pack_concurrently(graph: Any, roots: RootSets, capacity: Attribute = "capacity") -> Branchings:
    """Branchings for the largest common multiple of all demands, and the set that allows no more.

    With one root set {v} for every node v this is an allgather.  Arguments are those of
    `pack_branchings`.  Reference and cost: `exactsched.pack_concurrently`.

    >>> import networkx
    >>> ring = networkx.cycle_graph(3)
    >>> best = pack_concurrently(ring, [([node], 1) for node in ring], capacity=None)
    >>> best.value, best.cut
    (Fraction(1, 1), (0,))
    """
    from exactsched.graphs import branching_packing

    given = Numbered(graph)
    sets = _root_sets(given, roots)
    demands = [demand for _, demand in sets if demand > 0]
    # So that no set that an unlimited edge enters has the least ratio of capacity to demand.
    ratio = sum(demands, Fraction(0)) / min(demands, default=Fraction(1))
    limits = given.capacities(capacity, max(Fraction(1), ratio))
    proof = branching_packing.pack_concurrently(given.size, given.arcs, limits.numbers, sets)
    limits.refuse_infinite(given.entering(proof.nodes))
    cut = given.nodes_at(proof.nodes)
    return Branchings(
        proof, proof.value, _branchings(given, sets, proof.branchings), cut, names=given.names
    )


def minimum_cost_arborescence(
    graph: Any,
    root: Hashable | None = None,
    weight: Attribute = "weight",
    default: object = 1,
) -> Arborescence:
    """A cheapest arborescence of all nodes that the root reaches, and its proof (Edmonds 1967).

    `weight` names the attribute with the cost, which may be negative; an edge without it costs
    `default`, as in networkx, and with None every edge costs 1.  Nodes that the root does not
    reach are left out.  Without a root (None) it is a cheapest one of all nodes, from any root.

    Raises `InvalidInput` for an unknown root, for numbers that are not exact, and, where no root
    is given, if no node reaches all others.

    Reference and cost: `exactsched.minimum_cost_arborescence`.

    >>> import networkx
    >>> graph = networkx.DiGraph([("r", (0, 1)), ((0, 1), "c"), ("r", "c"), ("x", "r")])
    >>> graph.edges["r", "c"]["weight"] = -2
    >>> best = minimum_cost_arborescence(graph, "r")
    >>> best.edges, best.cost
    ((('r', (0, 1)), ('r', 'c')), Fraction(-1, 1))
    >>> minimum_cost_arborescence(graph).root
    'x'
    """
    from exactsched.graphs import minimum_cost_arborescence as kernel
    from exactsched.graphs.reachability import breadth_first

    if root is None:
        given = Numbered(graph)
        return _from_any_root(given, given.numbers(weight, default))
    if root not in graph:
        raise InvalidInput("root", root, "not a node of the graph")
    given = Numbered(graph, inside=breadth_first([root], graph.neighbors))
    costs = given.numbers(weight, default)
    shift = min([*costs, Fraction(0)])
    proof = kernel.minimum_cost_arborescence(
        given.size, given.number[root], given.arcs, [cost - shift for cost in costs]
    )
    total = sum((costs[arc] for arc in proof.tree), start=Fraction(0))
    return Arborescence(proof, given.edges_at(proof.tree), root, total, names=given.names)


def _from_any_root(given: Numbered, costs: list[Fraction]) -> Arborescence:
    """From a new node, with edges so dear that a cheapest arborescence has as few as it can."""
    from exactsched.graphs import minimum_cost_arborescence as kernel

    shift = min([*costs, Fraction(0)])
    raised = [cost - shift for cost in costs]
    start, dear = given.size, sum(raised, start=Fraction(1))
    proof = kernel.minimum_cost_arborescence(
        given.size + 1,
        start,
        [*given.arcs, *((start, node) for node in range(given.size))],
        [*raised, *[dear] * given.size],
    )
    roots = [arc - len(costs) for arc in proof.tree if arc >= len(costs)]
    if len(roots) != 1:
        rule = f"no node reaches all others: {len(roots)} roots would be needed; name one"
        raise InvalidInput("root", None, rule)
    tree = [arc for arc in proof.tree if arc < len(costs)]
    total = sum((costs[arc] for arc in tree), start=Fraction(0))
    return Arborescence(proof, given.edges_at(tree), given.nodes[roots[0]], total)


def color_edges(graph: Any, multiplicity: Attribute = None) -> Coloring:
    """The edges of a bipartite graph take as many colors as its largest degree (König 1916).

    In a directed graph the tails are one side and the heads the other, so every one is bipartite:
    a color has at most one edge out of a node, and one into it.  `multiplicity` names an attribute
    with the number of copies of an edge; an edge without it has one, with 0 none.

    Raises `InvalidInput` if an undirected graph has an odd cycle (`color_fractionally` takes it),
    and for numbers that are not whole.  Reference and cost: `exactsched.color_edges`.

    >>> import networkx
    >>> best = color_edges(networkx.path_graph(4))
    >>> best.colors, sorted(one.edges for one in best.classes)
    (2, [((0, 1), (2, 3)), ((1, 2),)])
    """
    from exactsched.graphs import edge_coloring

    given = Numbered(graph, ways=1)
    copies, kept = _positive(given, multiplicity, "multiplicity")
    for index, number in zip(kept, copies, strict=True):
        if number.denominator != 1:
            rule = "the number of copies is a whole one"
            raise InvalidInput(f"edge {given.edges[index]!r}, multiplicity", str(number), rule)
    pairs = _sides(given, kept, graph.is_directed())
    proof = edge_coloring.color_edges(pairs, [number.numerator for number in copies])
    return Coloring(proof, proof.colors, _weighted(given, proof.classes, kept))


def decompose_into_matchings(graph: Any, weight: Attribute = "weight") -> Matchings:
    """A weighted bipartite graph as matchings that last as long as its largest load (König).

    Sides are those of `color_edges`.  Edges of weight 0 are left out; one without a weight has 1.

    Raises `InvalidInput` as `color_edges` does, and for negative weights.
    Reference and cost: `exactsched.decompose_into_matchings`.

    >>> import networkx
    >>> graph = networkx.DiGraph([("a", "b"), ("a", "c"), ("b", "c")])
    >>> graph.edges["b", "c"]["weight"] = "3/2"
    >>> best = decompose_into_matchings(graph)
    >>> best.value, best.witness
    (Fraction(5, 2), ('c',))
    """
    from exactsched.graphs import matching_decomposition

    given = Numbered(graph, ways=1)
    weights, kept = _positive(given, weight)
    pairs = _sides(given, kept, graph.is_directed())
    proof = matching_decomposition.decompose_into_matchings(pairs, weights)
    loads: dict[tuple[int, int], Fraction] = {}
    for pair, number in zip(pairs, weights, strict=True):
        for end in enumerate(pair):
            loads[end] = loads.get(end, Fraction(0)) + number
    busiest = [node for (_, node), load in loads.items() if load == proof.value]
    matchings = _weighted(given, proof.matchings, kept)
    return Matchings(proof, proof.value, matchings, given.nodes_at(busiest[:1]))


def color_fractionally(graph: Any, weight: Attribute = "weight") -> Matchings:
    """Matchings of least total duration, of any weighted graph, and a witness (Edmonds 1965).

    The witness is a node with the largest load, or an odd set of nodes.  Directions are ignored.
    Weights are as in `decompose_into_matchings`.  Raises `InvalidInput`, also for loops.
    Reference and cost: `exactsched.color_fractionally`.

    >>> import networkx
    >>> best = color_fractionally(networkx.complete_graph(3))
    >>> best.value, best.witness
    (Fraction(3, 1), (0, 1, 2))
    """
    from exactsched.graphs import fractional_edge_coloring

    given = Numbered(graph, ways=1)
    weights, kept = _positive(given, weight)
    proof = fractional_edge_coloring.color_fractionally(
        given.size, [given.arcs[index] for index in kept], weights
    )
    matchings = _weighted(given, proof.matchings, kept)
    return Matchings(
        proof, proof.value, matchings, given.nodes_at(proof.witness), names=given.names
    )


def split_off(
    graph: Any,
    switches: Iterable[Hashable],
    demands: Mapping[Any, object] | None = None,
    capacity: Attribute = "capacity",
) -> Links | Unmet:
    """Links between the nodes that are no switches, which keep the capacity into every set of them.

    `demands` are those of nodes, 1 for each that is no switch without them.  If some set of nodes
    is entered by less than the demand outside, the answer is an `Unmet`.  Capacities are finite.

    Raises `InvalidInput` for what `exactsched.split_off` refuses; reference and cost are there.

    >>> import networkx
    >>> star = networkx.star_graph(["hub", "a", "b"])
    >>> [one.edges for one in split_off(star, ["hub"], capacity=None).links]
    [(('a', 'hub'), ('hub', 'b')), (('b', 'hub'), ('hub', 'a'))]
    """
    from exactsched.certificate.graphs import UnmetDemand
    from exactsched.graphs import splitting_off

    given = Numbered(graph)
    forwarding = [given.place(node, "switch") for node in given.listed(switches, "switches")]
    needs = [Fraction(0 if index in forwarding else 1) for index in range(given.size)]
    if demands is not None:
        needs = [exact(demands.get(node, 0), f"demand of {node!r}") for node in given.nodes]
        for node in demands:
            given.place(node, "demand")
    limits = given.capacities(capacity)
    if limits.endless:
        edge = given.edges[min(limits.endless)]
        raise InvalidInput(f"edge {edge!r}, capacity", None, "a finite capacity is needed here")
    proof = splitting_off.split_off(given.size, given.arcs, limits.numbers, forwarding, needs)
    if isinstance(proof, UnmetDemand):
        return _unmet(given, proof)
    links = (Weighted(Fraction(wide), given.edges_at(arcs)) for arcs, wide in proof.links)
    return Links(proof, tuple(links), names=given.names)


def _root_sets(given: Numbered, roots: RootSets) -> list[tuple[list[int], Fraction]]:
    listed = list(roots) if isinstance(roots, Iterable) else [roots]
    for pair in listed:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            rule = f"a list of pairs (nodes, demand), such as [([{pair!r}], 1)]"
            raise InvalidInput("roots", pair, rule)
    return [
        (
            [given.place(node, "root") for node in given.listed(nodes, "roots")],
            exact(many, "demand"),
        )
        for nodes, many in listed
    ]


def _branchings(
    given: Numbered, roots: list[tuple[list[int], Fraction]], found: Iterable[Any]
) -> tuple[Branching, ...]:
    return tuple(
        Branching(Fraction(weight), given.nodes_at(roots[root_set][0]), given.edges_at(arcs))
        for root_set, weight, arcs in found
    )


def _unmet(given: Numbered, proof: UnmetDemand) -> Unmet:
    cut = given.edges_at(given.entering(proof.nodes))
    return Unmet(
        proof, proof.entering, proof.needed, given.nodes_at(proof.nodes), cut, names=given.names
    )


def _weighted(
    given: Numbered, found: Iterable[Any], kept: Sequence[int] | None = None
) -> tuple[Weighted, ...]:
    """Pairs (weight, indices) in edges; the indices are positions in `kept`, if it is given."""
    return tuple(
        Weighted(
            Fraction(weight),
            given.edges_at(indices if kept is None else [kept[index] for index in indices]),
        )
        for weight, indices in found
    )


def _positive(
    given: Numbered, attribute: Attribute, noun: str = "weight"
) -> tuple[list[Fraction], list[int]]:
    """The numbers that are not 0, and whose edges they are; the kernels refuse negative ones."""
    numbers = given.numbers(attribute, noun=noun)
    kept = [index for index, number in enumerate(numbers) if number]
    return [numbers[index] for index in kept], kept


def _sides(given: Numbered, kept: Sequence[int], directed: bool) -> list[tuple[int, int]]:
    """Edges as pairs (left, right)."""
    arcs = [given.arcs[index] for index in kept]
    if directed:
        return arcs
    from exactsched.graphs.reachability import bipartition

    left = None if any(u == v for u, v in arcs) else bipartition(given.size, arcs)
    if left is None:
        rule = "an odd cycle: no graph with two sides; color_fractionally takes any graph"
        raise InvalidInput("graph", "undirected", rule)
    return [(u, v) if u in left else (v, u) for u, v in arcs]
