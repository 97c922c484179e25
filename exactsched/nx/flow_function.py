"""Exact maximum flows for `flow_func=` of networkx's functions."""

from __future__ import annotations

from collections.abc import Hashable
from math import inf
from typing import Any

from exactsched.exact.rational import exact
from exactsched.nx.graph import Numbered


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
    nothing else.  With a `cutoff` no more than that flows; `value_only` saves no work here.
    Capacities are exact numbers, or text; for floats it raises `InvalidInput`, and `NetworkXError`
    for ends that are no nodes of the graph, or one node.

    >>> import networkx
    >>> from fractions import Fraction
    >>> graph = networkx.DiGraph()
    >>> graph.add_edge("a", "b", capacity=Fraction(1, 3))
    >>> graph.add_edge("b", "c")
    >>> networkx.maximum_flow(graph, "a", "c", flow_func=flow_func)[0]
    Fraction(1, 3)
    """
    from networkx import NetworkXError
    from networkx.algorithms.flow.utils import build_residual_network, detect_unboundedness

    from exactsched.graphs import flow as flows

    del value_only
    network = residual
    if residual is None:
        network = build_residual_network(_exact_capacities(G, capacity), capacity)
    given = Numbered(network)
    for node in (s, t):
        if node not in network:
            raise NetworkXError(f"{node!r} is no node of the graph")
    if s == t:
        raise NetworkXError(f"{s!r} is source and sink")
    source, sink = given.place(s, "source"), given.place(t, "sink")
    detect_unboundedness(network, s, t)
    arcs = [(u, v) for u, v, data in network.edges(data=True) if data["capacity"]]
    limit = [] if cutoff is None else [cutoff]  # of an arc into the source, the last one
    pairs = [(given.number[u], given.number[v]) for u, v in arcs]
    best = flows.maximum_flow(
        given.size + len(limit),
        given.size if limit else source,
        sink,
        pairs + [(given.size, source) for _ in limit],
        [exact(network.edges[arc]["capacity"], f"edge {arc!r}, capacity") for arc in arcs] + limit,
    )
    carried = dict(zip(arcs, flows.without_cycles(best).flow, strict=False))
    for u, v, data in network.edges(data=True):
        data["flow"] = carried.get((u, v), 0) - carried.get((v, u), 0)
    value = best.value
    network.graph["flow_value"] = value.numerator if value.denominator == 1 else value
    network.graph["algorithm"] = "exactsched"
    return network


def _exact_capacities(graph: Any, capacity: str) -> Any:
    """A graph with the same nodes and edges, whose capacities are numbers that add up exactly."""
    if graph.is_multigraph():
        return graph  # which networkx refuses
    copied = graph.__class__()
    copied.add_nodes_from(graph)
    for u, v, data in graph.edges(data=True):
        given = data.get(capacity, inf)
        endless = type(given) is float and given == inf
        known = {} if endless else {capacity: exact(given, f"edge {(u, v)!r}, {capacity}")}
        copied.add_edge(u, v, **known)
    return copied
