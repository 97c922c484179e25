"""Kernels on networkx graphs, with edges and nodes in the answers; all numbers are exact.

An undirected edge goes both ways, parallel edges are told apart by their keys, nodes are whatever
networkx takes.  Floats are refused: `exactly` says which number a float is.
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from math import isfinite
from typing import Any, NamedTuple

from exactsched.certificate.graphs import MaximumFlow, MinimumCostArborescence
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import exact
from exactsched.graphs import flow as flows
from exactsched.graphs import minimum_cost_arborescence as arborescences
from exactsched.graphs.reachability import breadth_first

Edge = tuple[Any, ...]


class Arborescence(NamedTuple):
    """The edges (tail, head), with a key in multigraphs, their cost, and the proof.

    Where costs are negative, the `proof` is about all costs plus a constant.
    """

    edges: tuple[Edge, ...]
    cost: Fraction
    proof: MinimumCostArborescence


def exactly(number: float, *, decimal: bool = False) -> Fraction:
    """The exact value of a float; with `decimal` that of the shortest text that means the float.

    Raises `InvalidInput` for infinities and for what is not a number.

    >>> exactly(0.25), exactly(0.1, decimal=True), exactly(0.1) == Fraction(1, 10)
    (Fraction(1, 4), Fraction(1, 10), False)
    """
    if not isinstance(number, float) or not isfinite(number):
        raise InvalidInput("number", number, "a finite float")
    return exact(repr(float(number)), "number") if decimal else Fraction(number)


def minimum_cost_arborescence(
    graph: Any, root: Hashable, weight: str | None = "weight"
) -> Arborescence:
    """A cheapest arborescence of all nodes that the root reaches, and its proof (Edmonds 1967).

    `weight` names the attribute with the cost, which may be negative; an edge without it costs 1,
    as in networkx, and with None every edge does.  Nodes that the root does not reach are left out.
    Raises `InvalidInput` for an unknown root and for numbers that are not exact.

    Reference and cost: `exactsched.graphs.minimum_cost_arborescence`.

    >>> import networkx
    >>> graph = networkx.DiGraph([("r", (0, 1)), ((0, 1), "c"), ("r", "c"), ("x", "r")])
    >>> graph.edges["r", "c"]["weight"] = -2
    >>> best = minimum_cost_arborescence(graph, "r")
    >>> best.edges, best.cost
    ((('r', (0, 1)), ('r', 'c')), Fraction(-1, 1))
    """
    place = _place_of(graph, root, "root")
    reached = breadth_first([root], graph.neighbors)
    nodes = [node for node in place if node in reached]
    number = {node: index for index, node in enumerate(nodes)}
    edges, costs = [], []
    for edge, data in _edges(graph):
        if edge[0] in reached:
            edges.append(edge)
            given = 1 if weight is None else data.get(weight, 1)
            costs.append(exact(given, f"edge {edge!r}, {weight}"))
    shift = min([*costs, Fraction(0)])
    proof = arborescences.minimum_cost_arborescence(
        len(nodes),
        number[root],
        [(number[edge[0]], number[edge[1]]) for edge in edges],
        [cost - shift for cost in costs],
    )
    chosen = proof.tree
    total = sum((costs[arc] for arc in chosen), start=Fraction(0))
    return Arborescence(tuple(edges[arc] for arc in chosen), total, proof)


def flow_func(
    G: Any,  # noqa: N803 (the names are networkx's)
    s: Hashable,
    t: Hashable,
    capacity: str = "capacity",
    residual: Any = None,
    value_only: bool = False,
    cutoff: object = None,
) -> Any:
    """The residual network of a maximum flow, for `flow_func=` of networkx's functions.

    A missing capacity is infinite, as in networkx, which raises `NetworkXUnbounded` if a path has
    nothing else.  With a `cutoff` no more
    than that flows; `value_only` saves no work here.  Capacities are exact numbers.

    >>> import networkx
    >>> graph = networkx.DiGraph()
    >>> graph.add_edge("a", "b", capacity=Fraction(1, 3))
    >>> graph.add_edge("b", "c")
    >>> networkx.maximum_flow(graph, "a", "c", flow_func=flow_func)[0]
    Fraction(1, 3)
    """
    from networkx.algorithms.flow.utils import build_residual_network, detect_unboundedness

    del value_only
    network = build_residual_network(G, capacity) if residual is None else residual
    place = _place_of(network, s, "source")
    _place_of(network, t, "sink")
    detect_unboundedness(network, s, t)
    arcs = [(u, v) for u, v, data in network.edges(data=True) if data["capacity"]]
    limit = [] if cutoff is None else [cutoff]  # of an arc into the source, the last one
    best: MaximumFlow = flows.maximum_flow(
        len(place) + len(limit),
        len(place) if limit else place[s],
        place[t],
        [(place[u], place[v]) for u, v in arcs] + [(len(place), place[s]) for _ in limit],
        [network.edges[arc]["capacity"] for arc in arcs] + limit,
    )
    carried = dict(zip(arcs, flows.without_cycles(best).flow, strict=False))
    for u, v, data in network.edges(data=True):
        data["flow"] = carried.get((u, v), 0) - carried.get((v, u), 0)
    value = best.value
    network.graph["flow_value"] = value.numerator if value.denominator == 1 else value
    network.graph["algorithm"] = "exactsched"
    return network


def _place_of(graph: Any, node: Hashable, noun: str) -> dict[Any, int]:
    """The number of every node; raises `InvalidInput` if the node is none of them."""
    if node not in graph:
        raise InvalidInput(noun, node, "not a node of the graph")
    return {node: index for index, node in enumerate(graph)}


def _edges(graph: Any) -> list[tuple[Edge, Any]]:
    """All edges with their keys, if they have any, and data; undirected ones both ways."""
    listed: list[tuple[Edge, Any]]
    if graph.is_multigraph():
        listed = [((u, v, key), data) for u, v, key, data in graph.edges(keys=True, data=True)]
    else:
        listed = [((u, v), data) for u, v, data in graph.edges(data=True)]
    if graph.is_directed():
        return listed
    return [
        way for (u, v, *key), data in listed for way in (((u, v, *key), data), ((v, u, *key), data))
    ]
