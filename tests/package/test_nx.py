"""networkx graphs: the answers are networkx's, in exact numbers, and proved."""

from __future__ import annotations

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched import InvalidInput, check, nx

LINKS = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(-3, 9)), min_size=1, max_size=14
)
GRAPHS = [networkx.DiGraph, networkx.Graph, networkx.MultiDiGraph, networkx.MultiGraph]


@settings(max_examples=25, deadline=None)
@given(LINKS, st.sampled_from(GRAPHS))
def test_arborescences_of_the_reached_nodes(links: list[tuple[int, int, int]], kind: type) -> None:
    graph = kind()
    for u, v, weight in links:
        graph.add_edge((u,), (v,), weight=weight)
    root = (links[0][0],)
    best = nx.minimum_cost_arborescence(graph, root)
    check(best.proof)
    reached = networkx.descendants(graph, root) | {root}
    if len(reached) > 1:
        tree = networkx.DiGraph([edge[:2] for edge in best.edges])
        assert networkx.is_arborescence(tree)
        assert set(tree) == reached
        assert not list(tree.predecessors(root))
    assert best.cost == sum(graph.edges[edge]["weight"] for edge in best.edges)
    inside = networkx.MultiDiGraph(graph.subgraph(reached))
    inside.remove_edges_from([edge for edge in inside.edges(keys=True) if edge[1] == root])
    if len(reached) > 1:
        theirs = networkx.minimum_spanning_arborescence(inside)
        assert best.cost == theirs.size("weight")
    assert len(nx.minimum_cost_arborescence(graph, root, weight=None).edges) == len(reached) - 1


@settings(max_examples=25, deadline=None)
@given(LINKS, st.booleans())
def test_our_flow_for_networkx(links: list[tuple[int, int, int]], directed: bool) -> None:
    graph = networkx.DiGraph() if directed else networkx.Graph()
    graph.add_nodes_from([0, 5])
    for u, v, capacity in links:
        graph.add_edge(u, v, **({"capacity": capacity} if capacity >= 0 else {}))
    try:
        theirs = networkx.maximum_flow_value(graph, 0, 5)
    except networkx.NetworkXUnbounded:
        with pytest.raises(networkx.NetworkXUnbounded):
            networkx.maximum_flow(graph, 0, 5, flow_func=nx.flow_func)
        return
    value, flow = networkx.maximum_flow(graph, 0, 5, flow_func=nx.flow_func)
    assert value == theirs == networkx.minimum_cut(graph, 0, 5, flow_func=nx.flow_func)[0]
    assert sum(flow[0].values()) - sum(row.get(0, 0) for row in flow.values()) == value


def test_refusals() -> None:
    graph = networkx.DiGraph()
    graph.add_edge("a", "b", weight=0.5)
    with pytest.raises(InvalidInput, match="a float is not exact"):
        nx.minimum_cost_arborescence(graph, "a")
    with pytest.raises(InvalidInput, match="not a node of the graph"):
        nx.minimum_cost_arborescence(graph, "c")
    with pytest.raises(InvalidInput, match="a finite float"):
        nx.exactly(float("inf"))
