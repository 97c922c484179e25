"""networkx graphs: the answers are networkx's, in exact numbers, and proved."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched import InvalidInput, check, draw, nx

LINKS = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(-3, 9)), min_size=1, max_size=14
)
GRAPHS = [networkx.DiGraph, networkx.Graph, networkx.MultiDiGraph, networkx.MultiGraph]


@settings(max_examples=15, deadline=None)
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


@settings(max_examples=15, deadline=None)
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


def graph_of(links: list[tuple[int, int, int]], kind: type) -> networkx.Graph:
    """Nodes are tuples; capacities are not negative, some are missing or 0."""
    graph = kind()
    graph.add_nodes_from((node,) for node in range(4))
    for u, v, weight in links:
        graph.add_edge((u % 4,), (v % 4,), **({"capacity": weight} if weight >= 0 else {}))
    return graph


def directed(graph: networkx.Graph, large: int = 1000) -> networkx.DiGraph:
    """One arc for parallel ones, undirected edges both ways, no loops."""
    plain = networkx.DiGraph()
    plain.add_nodes_from(graph)
    for u, v, data in networkx.MultiDiGraph(graph).edges(data=True):
        if u != v:
            before = plain.edges[u, v]["capacity"] if plain.has_edge(u, v) else 0
            plain.add_edge(u, v, capacity=before + data.get("capacity", large))
    return plain


def capacity_of(graph: networkx.Graph, edges: Iterable[tuple]) -> int:
    return sum(graph.edges[edge]["capacity"] for edge in edges)


@settings(max_examples=25, deadline=None)
@given(LINKS, st.sampled_from(GRAPHS))
def test_flows_and_root_cuts(links: list[tuple[int, int, int]], kind: type) -> None:
    graph = graph_of(links, kind)
    plain = directed(graph)
    root, sink = (0,), (3,)
    theirs = networkx.maximum_flow_value(plain, root, sink)
    if theirs >= 1000:
        with pytest.raises(InvalidInput, match="has no limit"):
            nx.maximum_flow(graph, root, sink)
    else:
        best = nx.maximum_flow(graph, root, sink)
        assert check(best).value == best.value == theirs == capacity_of(graph, best.cut_edges)
        out = sum(amount for edge, amount in best.flow.items() if edge[0] == root)
        assert out == theirs
        assert root in best.cut
        assert sink not in best.cut
    least = min(networkx.maximum_flow_value(plain, root, node) for node in graph if node != root)
    for solve in (nx.minimum_root_cut, nx.decompose_into_arborescences):
        if least >= 1000:
            with pytest.raises(InvalidInput, match="has no limit"):
                solve(graph, root)
            continue
        found = solve(graph, root)
        assert check(found).value == found.value == least == capacity_of(graph, found.cut_edges)
        for tree in getattr(found, "trees", ()):
            assert networkx.is_arborescence(networkx.DiGraph([edge[:2] for edge in tree.edges]))


@settings(max_examples=20, deadline=None)
@given(LINKS, st.sampled_from(GRAPHS))
def test_packings_of_branchings(links: list[tuple[int, int, int]], kind: type) -> None:
    graph = graph_of(links, kind)
    plain = directed(
        networkx.MultiDiGraph([edge[:2] for edge in networkx.MultiDiGraph(graph).edges])
    )
    plain.add_nodes_from(graph)
    for _, _, data in plain.edges(data=True):
        data["capacity"] //= 1000
    count = min(networkx.maximum_flow_value(plain, (0,), node) for node in list(graph)[1:])
    if count:
        assert check(nx.disjoint_arborescences(graph, (0,), count))
    unmet = nx.disjoint_arborescences(graph, (0,), count + 1)
    check(unmet)
    assert not unmet
    assert len(unmet.cut_edges) == unmet.entering == count
    demands = [([node], 1) for node in graph]
    if not networkx.is_strongly_connected(plain):
        assert nx.pack_concurrently(graph, demands, capacity=None).value == 0
        return
    best = nx.pack_concurrently(graph, demands, capacity=None)
    assert check(best).value == best.value
    assert {one.roots for one in best.branchings} == {(node,) for node in graph}


@settings(max_examples=20, deadline=None)
@given(LINKS, st.sampled_from(GRAPHS))
def test_colorings_and_matchings(links: list[tuple[int, int, int]], kind: type) -> None:
    graph = graph_of(links, kind)
    graph.remove_edges_from(
        list(
            networkx.selfloop_edges(graph, keys=True)
            if graph.is_multigraph()
            else networkx.selfloop_edges(graph)
        )
    )
    keys = {"keys": True} if graph.is_multigraph() else {}
    edges = list(graph.edges(**keys))
    weight = "capacity" if networkx.get_edge_attributes(graph, "capacity") else None
    best = nx.color_fractionally(graph, weight)
    assert check(best).value == best.value
    for edge in edges:
        lasts = sum(one.weight for one in best.matchings if edge in one.edges)
        assert lasts == graph.edges[edge].get("capacity", 1)
    if not graph.is_directed() and not networkx.is_bipartite(graph):
        for refused in (nx.color_edges, nx.decompose_into_matchings):
            with pytest.raises(InvalidInput, match="odd cycle"):
                refused(graph)
        return
    colored = nx.color_edges(graph)
    check(colored)
    assert sorted(edge for one in colored.classes for edge in one.edges) == sorted(edges)
    ends = [graph.in_degree, graph.out_degree] if graph.is_directed() else [graph.degree]
    assert colored.colors == max(number for side in ends for _, number in side)
    timed = nx.decompose_into_matchings(graph, weight)
    assert check(timed).value == timed.value
    if not graph.is_directed():
        assert timed.value == best.value


def test_arborescences_from_any_root() -> None:
    graph = networkx.DiGraph()
    graph.add_weighted_edges_from([("a", "b", 5), ("b", "a", -1), ("b", "c", 2), ("c", "a", 1)])
    best = nx.minimum_cost_arborescence(graph)
    check(best)
    theirs = networkx.minimum_spanning_arborescence(graph)
    assert (best.root, best.cost, set(best.edges)) == ("b", 1, set(theirs.edges))
    graph.add_node("alone")
    with pytest.raises(InvalidInput, match="2 roots would be needed"):
        nx.minimum_cost_arborescence(graph)


def test_switches_that_are_split_off() -> None:
    graph = networkx.MultiGraph([("a", "hub"), ("a", "hub"), ("b", "hub")], name="star")
    networkx.set_edge_attributes(graph, 2, "capacity")
    links = nx.split_off(graph, ["hub"], {"a": 1, "b": 2})
    check(links)
    assert {(one.edges[0][0], one.edges[-1][1]) for one in links.links} == {("a", "b"), ("b", "a")}
    unmet = nx.split_off(graph, ["hub"], {"a": 1, "b": 5})
    assert (unmet.needed, unmet.entering, unmet.cut) == (5, 2, ("a", "hub"))
    assert unmet.cut_edges == (("b", "hub", 0),)
    del graph.edges["a", "hub", 1]["capacity"]
    with pytest.raises(InvalidInput, match="a finite capacity is needed here"):
        nx.split_off(graph, ["hub"])


def test_capacities_without_a_limit() -> None:
    """The least ratio of capacity to demand is not that of an unlimited edge."""
    graph = networkx.DiGraph()
    graph.add_edge("a", "b")
    graph.add_edge("b", "c", capacity=7)
    graph.add_edge("c", "a", capacity=float("inf"))
    best = nx.pack_concurrently(graph, [(["a"], 1), (["b"], 1000)])
    assert (best.value, best.cut) == (Fraction(7, 1001), ("c",))
    assert nx.maximum_flow(graph, "a", "c").value == 7
    with pytest.raises(InvalidInput, match="has no limit"):
        nx.maximum_flow(graph, "c", "b")


def test_refusals() -> None:
    graph = networkx.DiGraph()
    graph.add_edge("a", "b", weight=0.5)
    with pytest.raises(InvalidInput, match="a float is not exact"):
        nx.minimum_cost_arborescence(graph, "a")
    with pytest.raises(InvalidInput, match="not a node of the graph"):
        nx.minimum_cost_arborescence(graph, "c")
    with pytest.raises(InvalidInput, match="the number of copies is a whole one"):
        nx.color_edges(networkx.DiGraph([("a", "b", {"copies": "1/2"})]), "copies")
    with pytest.raises(InvalidInput, match="a finite float"):
        nx.exactly(float("inf"))


def weighted() -> networkx.Graph:
    graph = networkx.Graph()
    graph.add_weighted_edges_from([(1, 2, 1), (2, 3, 2), (3, 1, 1), (3, 4, 1)])
    return graph


@pytest.mark.parametrize("solve", [nx.minimum_cost_arborescence, nx.decompose_into_arborescences])
def test_an_attribute_is_a_name_that_edges_have_or_a_function(solve: Callable[..., Any]) -> None:
    noun = "capacity" if solve is nx.decompose_into_arborescences else "weight"
    graph = weighted()
    named = solve(graph, 1, **{noun: "weight"})
    called = solve(graph, 1, **{noun: lambda _u, _v, data: data["weight"]})
    assert named == called
    assert solve(graph, 1, **{noun: lambda *_: 5}) != solve(graph, 1, **{noun: None})
    with pytest.raises(InvalidInput, match=f"^{noun}: 3: type the name of an attribute"):
        solve(graph, 1, **{noun: 3})
    with pytest.raises(InvalidInput, match=r"wieght.*no edge has this attribute; edges have 'weig"):
        solve(graph, 1, **{noun: "wieght"})
    with pytest.raises(InvalidInput, match=rf"edge \(1, 2\), {noun}: 0.5: a float is not exact"):
        solve(graph, 1, **{noun: lambda *_: 0.5})


def test_a_default_name_that_no_edge_has_means_1_unless_edges_have_costs() -> None:
    graph = networkx.path_graph(3)
    assert nx.minimum_cost_arborescence(graph, 0).cost == 2
    networkx.set_edge_attributes(graph, 3, "cost")
    with pytest.raises(InvalidInput, match="edges have 'cost': type weight=\"cost\", or weight=N"):
        nx.minimum_cost_arborescence(graph, 0)
    assert nx.minimum_cost_arborescence(graph, 0, weight="cost").cost == 6
    assert nx.color_edges(graph).colors == 2
    with pytest.raises(InvalidInput, match="multiplicity: 'copies': no edge has"):
        nx.color_edges(graph, multiplicity="copies")


def test_pictures_have_the_names_of_nodes() -> None:
    graph = networkx.DiGraph([("s", (0, 1)), ((0, 1), "t")])
    drawn = draw(nx.maximum_flow(graph, "s", "t", capacity=None))
    assert drawn is not None
    for said in ("Maximum flow from s to t: 3 nodes", ">(0, 1)<", "has to leave the set {s}"):
        assert said in drawn
    packing = nx.disjoint_arborescences(networkx.complete_graph(["a", "b"]), "a", 1)
    assert ">b</text>" in (draw(packing) or "")


def test_answers_in_one_line() -> None:
    graph = weighted()
    tree = nx.minimum_cost_arborescence(graph, 1)
    assert str(tree) == "cost 3, optimal (arborescence from 1, 3 edges)"
    flow = nx.maximum_flow(graph, 1, 3, capacity="weight")
    assert str(flow) == "value 2, optimal (maximum flow, 4 nodes, 8 arcs)"
    packed = nx.disjoint_arborescences(networkx.path_graph(3), 0, 1)
    assert str(packed) == "value 1 (branchings: 1 edge set, 3 nodes)"
    unmet = nx.disjoint_arborescences(graph, 1, 2)
    assert str(unmet) == "unmet demand: 1 enters (4,), 2 needed"
