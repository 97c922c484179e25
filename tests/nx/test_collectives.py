"""Collectives on networkx graphs are those of the platform, in the edges of the graph."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exactsched
from exactsched import InvalidInput, Platform, check, nx

LINKS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(1, 4)), min_size=4, max_size=10
)
GRAPHS = [networkx.DiGraph, networkx.Graph, networkx.MultiDiGraph, networkx.MultiGraph]
COLLECTIVES = {
    "broadcast": lambda graph, ports: nx.broadcast(graph, (0,), ports=ports),
    "scatter": lambda graph, ports: nx.scatter(graph, (0,), ports=ports),
    "gather": lambda graph, ports: nx.gather(graph, (0,), {(1,): 2, (2,): "1/2"}, ports=ports),
    "alltoall": lambda graph, ports: nx.alltoall(graph, ports=ports),
    "allgather": lambda graph, ports: nx.allgather(graph, ports=ports),
    "reduce": lambda graph, ports: nx.reduce(graph, (0,), ports=ports),
    "reduce_scatter": lambda graph, ports: nx.reduce_scatter(graph, ports=ports),
    "allreduce": lambda graph, ports: nx.allreduce(graph, ports=ports),
}


def merged(graph: Any, ports: str) -> Platform:
    """Parallel edges as one arc: the cheapest, or under link ports all bandwidths together."""
    costs: dict[tuple[Any, Any], Fraction] = {}
    for u, v, data in networkx.MultiDiGraph(graph).edges(data=True):
        cost = Fraction(data["weight"])
        if u != v:
            old = costs.get((u, v))
            if old is None:
                costs[u, v] = cost
            else:
                costs[u, v] = 1 / (1 / old + 1 / cost) if ports == "link" else min(old, cost)
    arcs = [(u[0], v[0], cost) for (u, v), cost in costs.items()]
    return Platform([node[0] for node in graph], arcs)


def on_platform(name: str, platform: Platform, ports: Any) -> Any:
    if name == "gather":
        return exactsched.alltoall(platform, [(1, 0, 2), (2, 0, "1/2")], ports=ports)
    if name == "alltoall":
        pairs = [(u, v) for u in platform.nodes for v in platform.nodes if u != v]
        return exactsched.alltoall(platform, pairs, ports=ports)
    if name == "scatter":
        return exactsched.scatter(platform, 0, [1, 2, 3], ports=ports)
    if name in ("broadcast", "reduce"):
        solve = {"broadcast": exactsched.broadcast, "reduce": exactsched.order_free_reduce}[name]
        return solve(platform, 0, ports=ports)
    solve = {
        "allgather": exactsched.allgather,
        "reduce_scatter": exactsched.reduce_scatter,
        "allreduce": exactsched.order_free_allreduce,
    }[name]
    return solve(platform, ports=ports)


@pytest.mark.parametrize("name", sorted(COLLECTIVES))
@settings(max_examples=8, deadline=None)
@given(LINKS, st.sampled_from(GRAPHS), st.sampled_from(["one-port", "link"]))
def test_a_graph_is_a_platform(
    name: str, links: list[tuple[int, int, int]], kind: type, ports: str
) -> None:
    graph = kind()
    graph.add_nodes_from((node,) for node in range(4))
    for u, v, weight in links:
        graph.add_edge((u,), (v,), weight=weight)
    best = COLLECTIVES[name](graph, ports)
    assert check(best).throughput == best.throughput
    assert best.throughput == on_platform(name, merged(graph, ports), ports).throughput
    known = set(graph.edges(keys=True) if graph.is_multigraph() else graph.edges)
    if not graph.is_directed():
        known |= {(v, u, *key) for u, v, *key in known}
    for one in best.structures:
        assert one.edges
        assert set(one.edges) <= known


def test_both_of_two_parallel_links_work() -> None:
    graph = networkx.MultiDiGraph()
    graph.add_edge("a", "b", "thick", bandwidth=3)
    graph.add_edge("a", "b", "thin", bandwidth="1/2")
    best = nx.broadcast(graph, "a", bandwidth="bandwidth", ports="link")
    assert (best.throughput, best.optimal) == (Fraction(7, 2), True)
    assert {one.edges: one.weight for one in best.structures} == {
        (("a", "b", "thick"),): 3,
        (("a", "b", "thin"),): Fraction(1, 2),
    }
    assert {one.part for one in best.structures} == {None}
    slots = best.tables()["schedule"]
    assert {row["edge"] for row in slots} == set(graph.edges(keys=True))
    period = best.solution.schedule.period
    for edge, bandwidth in (("thick", 3), ("thin", Fraction(1, 2))):
        times = [row["end"] - row["start"] for row in slots if row["edge"][2] == edge]
        assert sum(times) <= period
        assert sum(times) * bandwidth == period * bandwidth  # both are used all the time
    assert nx.broadcast(graph, "a", bandwidth="bandwidth").throughput == 3
    assert nx.broadcast(graph, "a", weight=None).throughput == 1


def test_switches_only_forward() -> None:
    graph = networkx.star_graph(["hub", "a", "b", "c"])
    graph.nodes["hub"]["role"] = "switch"
    best = nx.allgather(graph)
    assert best.throughput == Fraction(1, 2)
    assert {one.part for one in best.structures} == {"a", "b", "c"}
    assert {one.part for one in nx.scatter(graph, "a").structures} == {("a", "b"), ("a", "c")}
    graph.nodes["hub"]["role"] = "relay"
    with pytest.raises(InvalidInput, match='"compute" or "switch"'):
        nx.allgather(graph)


def test_names_that_a_platform_does_not_take() -> None:
    graph = networkx.DiGraph([((0, 1), 2), (2, "2"), ("2", "x")])
    best = nx.broadcast(graph, (0, 1), weight=None)
    assert best.structures[0].edges == (((0, 1), 2), (2, "2"), ("2", "x"))


def test_refusals() -> None:
    graph = networkx.DiGraph([("a", "b", {"weight": 0.5})])
    with pytest.raises(InvalidInput, match="a float is not exact"):
        nx.broadcast(graph, "a")
    with pytest.raises(InvalidInput, match="not a node of the graph"):
        nx.broadcast(graph, "z", weight=None)
    with pytest.raises(InvalidInput, match="a bandwidth is positive"):
        nx.broadcast(networkx.DiGraph([("a", "b", {"width": 0})]), "a", bandwidth="width")
    with pytest.raises(InvalidInput, match=r"take exactsched\.from_networkx"):
        nx.broadcast(graph, "a", ports="routes")


def test_weights_are_names_or_functions() -> None:
    graph = networkx.path_graph(3)
    assert nx.broadcast(graph, 0, weight=lambda *_: 2).throughput == Fraction(1, 2)
    ways = nx.broadcast(graph, 0, weight=lambda u, v, _: 1 if u < v else 5)
    assert (ways.throughput, ways.structures[0].edges) == (1, ((0, 1), (1, 2)))
    assert nx.broadcast(graph, 0, bandwidth=lambda *_: 3).throughput == 3
    with pytest.raises(InvalidInput, match="weight: 3: type the name of an attribute"):
        nx.broadcast(graph, 0, weight=3)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="bandwidth: 'width': no edge has this attribute"):
        nx.broadcast(graph, 0, bandwidth="width")
    graph.edges[0, 1]["width"] = 1
    with pytest.raises(InvalidInput, match=r"edge \(1, 2\), bandwidth: .*of an edge without one"):
        nx.broadcast(graph, 0, bandwidth="width")
    graph.edges[0, 1]["bandwidth"] = 1
    with pytest.raises(InvalidInput, match='type bandwidth="bandwidth", or weight=None'):
        nx.scatter(graph, 0)


def test_a_single_node_is_no_list_of_nodes() -> None:
    graph = networkx.path_graph(3)
    calls: list[Any] = [
        lambda: nx.broadcast(graph, 1, targets=2),  # type: ignore[arg-type]
        lambda: nx.scatter(graph, 0, targets=2),  # type: ignore[arg-type]
        lambda: nx.allgather(graph, 2),  # type: ignore[arg-type]
        lambda: nx.reduce(graph, 0, 2),  # type: ignore[arg-type]
        lambda: nx.split_off(graph, 2),  # type: ignore[arg-type]
    ]
    for call in calls:
        with pytest.raises(InvalidInput, match=r"2: a list of nodes, such as \[2\]"):
            call()
    pairs = networkx.grid_2d_graph(2, 2)
    with pytest.raises(InvalidInput, match=r"a list of nodes, such as \[\(0, 1\)\]"):
        nx.broadcast(pairs, (0, 0), (0, 1))
    with pytest.raises(InvalidInput, match=r"source: \[0\]: not a node of the graph"):
        nx.broadcast(graph, [0])  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match=r"pairs: 0: a list of tuples \(source, target\)"):
        nx.alltoall(graph, [0])  # type: ignore[list-item]
    with pytest.raises(InvalidInput, match=r"such as \[\(\[0\], 1\)\]"):
        nx.pack_branchings(graph, [0])  # type: ignore[list-item]


def test_a_platform_is_no_graph() -> None:
    platform = Platform("ab", [("a", "b", 1)])
    with pytest.raises(InvalidInput, match=r"type networkx\.DiGraph\(edges\)"):
        nx.broadcast(platform, "a")
    with pytest.raises(InvalidInput, match=r"type networkx\.DiGraph\(edges\)"):
        nx.maximum_flow([(0, 1)], 0, 1)


def test_what_takes_a_solution_takes_the_answer() -> None:
    best = nx.broadcast(networkx.path_graph(3), 0, ports="link")
    given: Any = best
    assert exactsched.run_operations(given, 5) == exactsched.run_operations(best.solution, 5)
    assert exactsched.run_within(given, 5).operations == 4
    assert exactsched.makespan_guarantee(given, 5) == 6
    assert exactsched.advise(given).rows == exactsched.advise(best.solution).rows
    assert exactsched.with_period(given, 3).throughput == 1
    assert exactsched.within_period(given, 3).throughput == 1
    assert exactsched.most_operations(given, 3) == 3
    with pytest.raises(
        InvalidInput, match=r"solution: 'ring:6': type broadcast\(platform, source\)"
    ):
        exactsched.run_operations("ring:6", 5)  # type: ignore[arg-type]


def test_tables_and_lines_have_nodes_and_edges_of_the_graph() -> None:
    best = nx.broadcast(networkx.path_graph(["x", (0, 1), "y"]), (0, 1))
    assert (
        str(best) == "throughput 1/2, optimal (broadcast from (0, 1), 3 nodes, 2 edges, one-port)"
    )
    slots = best.tables()["schedule"]
    assert [row["edge"] for row in slots] == [((0, 1), "x"), ((0, 1), "y")]
    assert sum(row["end"] - row["start"] for row in slots) == best.solution.schedule.period
    assert len(best.tables()["structures"]) == len(best.structures)


def test_a_throughput_of_0_has_a_reason() -> None:
    graph = networkx.DiGraph([(1, 2), (2, "2")])
    best = nx.broadcast(graph, 2)
    assert str(best).endswith("one-port): no path leads from 2 to 1")
    assert best.tables() == {"schedule": [], "structures": []}
    assert str(nx.scatter(graph, "2", [1])).endswith("no path leads from '2' to 1")
    line = Platform("ab", [("a", "b", 1)])
    for solution in (exactsched.broadcast(line, "b"), exactsched.allgather(line)):
        assert str(solution).endswith("): no path leads from b to a")
    assert str(exactsched.broadcast(line, "a")).endswith("one-port)")
