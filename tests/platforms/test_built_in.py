"""Families have the sizes and degrees of their definitions; the papers' platforms their numbers."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import pairwise, product
from math import comb, prod

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.exact.errors import InvalidInput
from exactsched.model.platform import Platform
from exactsched.platforms import (
    built_in as topologies,
)
from exactsched.platforms import (
    random_platforms as random_networks,
)
from exactsched.platforms import (
    switch_networks,
    unit_links,
)
from exactsched.platforms.built_in import built_in, catalog


def digraph(platform: Platform) -> nx.DiGraph:
    graph = nx.DiGraph()
    graph.add_nodes_from(platform.nodes)
    graph.add_edges_from((arc.tail, arc.head, {"cost": arc.cost}) for arc in platform.arcs)
    return graph


def links(platform: Platform) -> nx.Graph:
    """The undirected graph, after checking that each arc has a twin of the same cost."""
    cost = {(arc.tail, arc.head): arc.cost for arc in platform.arcs}
    assert all(cost.get((head, tail)) == value for (tail, head), value in cost.items())
    return digraph(platform).to_undirected()


sides = st.lists(st.integers(1, 5), min_size=1, max_size=4).filter(lambda s: 2 <= prod(s) <= 60)


@given(sides)
def test_a_grid_links_the_points_at_distance_one(lengths):
    platform = topologies.grid(*lengths)
    points = [()]
    for length in lengths:
        points = [(*point, x) for point in points for x in range(length)]
    assert platform.nodes == tuple(range(len(points)))
    assert {(arc.tail, arc.head) for arc in platform.arcs} == {
        (u, v)
        for u, p in enumerate(points)
        for v, q in enumerate(points)
        if sum(abs(x - y) for x, y in zip(p, q, strict=True)) == 1
    }
    assert platform == built_in("grid:" + "x".join(map(str, lengths)))


@given(sides)
def test_a_torus_links_the_points_at_cyclic_distance_one(lengths):
    platform = topologies.torus(*lengths)
    points = [()]
    for length in lengths:
        points = [(*point, x) for point in points for x in range(length)]

    def distance(p: tuple[int, ...], q: tuple[int, ...]) -> int:
        gaps = [abs(x - y) for x, y in zip(p, q, strict=True)]
        return sum(min(gap, length - gap) for gap, length in zip(gaps, lengths, strict=True))

    assert {(arc.tail, arc.head) for arc in platform.arcs} == {
        (u, v) for u, p in enumerate(points) for v, q in enumerate(points) if distance(p, q) == 1
    }


@pytest.mark.parametrize(
    ("name", "graph"),
    [
        ("grid:4x4", nx.grid_2d_graph(4, 4)),
        ("grid:5", nx.path_graph(5)),
        ("torus:3x3x3", nx.grid_graph([3, 3, 3], periodic=True)),
        ("torus:5", nx.cycle_graph(5)),
        ("torus:4x4", nx.hypercube_graph(4)),
        ("hypercube:5", nx.hypercube_graph(5)),
        ("complete:8", nx.complete_graph(8)),
        ("ring:6", nx.cycle_graph(6)),
        ("star:9", nx.star_graph(9)),
        ("dragonfly:1,3", nx.complete_graph(4)),
        ("dragonfly:2,1", nx.cycle_graph(6)),
        ("fat-tree-graph:2", nx.path_graph(7)),
        ("butterfly:1", nx.cycle_graph(4)),
        ("random-regular:2,1,0", nx.path_graph(2)),
        ("random-regular:9,2,5", nx.cycle_graph(9)),
        ("random-regular:7,6,5", nx.complete_graph(7)),
    ],
)
def test_regular_families_are_the_graphs_of_their_names(name, graph):
    platform = built_in(name)
    assert nx.is_isomorphic(links(platform), graph)
    assert platform.nodes == tuple(range(len(graph)))
    assert {arc.cost for arc in platform.arcs} == {1}
    assert {arc.latency for arc in platform.arcs} == {0}


def test_node_0_is_a_corner_a_hub_and_a_host():
    assert links(built_in("grid:4x4")).degree[0] == 2
    assert links(built_in("star:9")).degree[0] == 9
    assert links(built_in("fat-tree:4")).degree[0] == 1
    assert [arc.head for arc in built_in("grid:2x3").arcs if arc.tail == 0] == [1, 3]


@pytest.mark.parametrize("d", range(1, 7))
def test_hypercube_neighbors_differ_in_one_bit(d):
    pairs = {(arc.tail, arc.head) for arc in topologies.hypercube(d).arcs}
    assert pairs == {(v, v ^ 1 << bit) for v in range(2**d) for bit in range(d)}


def test_the_cubic_graph_on_16_nodes_has_the_least_mean_distance():
    graph = links(topologies.cubic_16())
    assert {degree for _, degree in graph.degree} == {3}
    # Within 16 nodes of degree 3 the sum from a node is at least 3 + 2 * 6 + 3 * 6.
    assert nx.wiener_index(graph) == Fraction(11, 5) * comb(16, 2)
    symmetries = nx.isomorphism.GraphMatcher(graph, graph).isomorphisms_iter()
    assert sum(1 for _ in symmetries) == 6
    assert all((node, (node + 1) % 16) in graph.edges for node in range(16))


@pytest.mark.parametrize("k", [2, 4, 6, 8])
def test_fat_tree_graph(k):
    graph = links(topologies.fat_tree_graph(k))
    hosts = range(k**3 // 4)
    assert len(graph) == k**3 // 4 + 5 * k**2 // 4
    assert graph.number_of_edges() == 3 * k**3 // 4
    assert {graph.degree[host] for host in hosts} == {1}
    assert {degree for node, degree in graph.degree if node not in hosts} == {k}
    assert nx.is_bipartite(graph)
    assert all(list(graph[host]) == [len(hosts) + host // (k // 2)] for host in hosts)
    distances = Counter(nx.single_source_shortest_path_length(graph, 0)[host] for host in hosts)
    half = k // 2
    assert distances == Counter({0: 1, 2: half - 1, 4: half * (half - 1), 6: (k - 1) * half**2})
    # Between hosts of different pods there is one shortest path over every core switch.
    paths = list(nx.all_shortest_paths(graph, 0, hosts[-1]))
    assert len(paths) == half**2
    assert {path[3] for path in paths} == set(range(len(graph) - half**2, len(graph)))


@pytest.mark.parametrize(("a", "h"), [(1, 1), (4, 1), (2, 2), (4, 2), (3, 3), (1, 4), (5, 1)])
def test_dragonfly(a, h):
    graph = links(topologies.dragonfly(a, h))
    groups = a * h + 1
    assert len(graph) == a * groups
    assert {degree for _, degree in graph.degree} == {a - 1 + h}
    between = Counter(frozenset((u // a, v // a)) for u, v in graph.edges if u // a != v // a)
    assert len(between) == comb(groups, 2)
    assert set(between.values()) == {1}
    assert nx.diameter(graph) <= 3
    for u, v in graph.edges:
        if u // a != v // a:
            assert u % a == (v // a - u // a - 1) % groups // h


@pytest.mark.parametrize("d", range(1, 6))
def test_butterfly(d):
    """Leighton 1992, section 3.2: pairs of a row and a level, and the properties he lists."""
    graph = links(topologies.butterfly(d))
    rows = 2**d
    assert {frozenset(pair) for pair in graph.edges} == {
        frozenset((level * rows + row, (level + 1) * rows + other))
        for level in range(d)
        for row in range(rows)
        for other in range(rows)
        if row ^ other in (0, 1 << level)
    }
    assert (len(graph), graph.number_of_edges()) == ((d + 1) * rows, d * 2 * rows)
    assert Counter(dict(graph.degree).values()) == Counter(
        {2: 2 * rows} | {4: (d - 1) * rows} if d > 1 else {2: 4}
    )
    # One path of D links leads from every node of level 0 to every node of level D.
    for low, high in product(range(rows), range(d * rows, (d + 1) * rows)):
        assert len(list(nx.all_shortest_paths(graph, low, high))) == 1
        assert nx.shortest_path_length(graph, low, high) == d


@pytest.mark.parametrize("d", range(3, 6))
def test_wrapped_butterfly(d):
    whole, graph = links(topologies.butterfly(d)), links(topologies.wrapped_butterfly(d))
    size = d * 2**d
    merged = nx.relabel_nodes(whole, lambda node: node % size)
    assert set(map(frozenset, graph.edges)) == set(map(frozenset, merged.edges))
    assert graph.number_of_edges() == 2 * size
    assert {degree for _, degree in graph.degree} == {4}


@st.composite
def regular_sizes(draw: st.DrawFn) -> tuple[int, int, int]:
    nodes = draw(st.integers(3, 14))
    degree = draw(st.integers(2, nodes - 1).filter(lambda degree: nodes * degree % 2 == 0))
    return nodes, degree, draw(st.integers(0, 10**6))


@given(regular_sizes())
def test_random_regular_graphs_are_regular_simple_and_connected(size):
    nodes, degree, seed = size
    platform = topologies.random_regular(nodes, degree, seed)
    graph = links(platform)
    assert platform.nodes == tuple(range(nodes))
    assert {arc.cost for arc in platform.arcs} == {1}
    assert len(platform.arcs) == nodes * degree
    assert {d for _, d in graph.degree} == {degree}
    assert nx.is_connected(graph)
    assert platform == built_in(f"random-regular:{nodes},{degree},{seed}")


def test_random_regular_graphs_are_near_uniform():
    """The five connected cubic graphs on 8 nodes appear as often as they have names."""
    known: list[nx.Graph] = []
    seen: Counter[int] = Counter()
    for seed in range(600):
        graph = links(topologies.random_regular(8, 3, seed))
        place = next((k for k, one in enumerate(known) if nx.is_isomorphic(one, graph)), len(known))
        if place == len(known):
            known.append(graph)
        seen[place] += 1
    symmetries = [
        sum(1 for _ in nx.isomorphism.GraphMatcher(graph, graph).isomorphisms_iter())
        for graph in known
    ]
    assert sorted(symmetries) == [4, 12, 16, 16, 48]
    total = sum(Fraction(1, number) for number in symmetries)
    expected = {k: 600 / (number * total) for k, number in enumerate(symmetries)}
    # Chi-square with 4 degrees of freedom passes 13.3 once in a hundred times.
    assert sum((seen[k] - e) ** 2 / e for k, e in expected.items()) < Fraction(133, 10)


def test_random_regular_graphs_forget_the_circulant_graph_they_come_from():
    # On 200 nodes of degree 4 the circulant graph has 200 triangles, a random one 4.5 on average.
    graphs = [links(topologies.random_regular(200, 4, seed)) for seed in range(40)]
    triangles = [sum(nx.triangles(graph).values()) // 3 for graph in graphs]
    assert 3 * 40 <= sum(triangles) <= 6 * 40
    assert max(map(nx.diameter, graphs)) <= 8


def test_components_are_joined():
    """Six triangles: links of cycles are switched, and only those."""
    edges = [(3 * k + i, 3 * k + (i + 1) % 3) for k in range(6) for i in range(3)]
    for seed in range(20):
        joined = list(edges)
        random_networks._connect(joined, random_networks.Dice(seed))
        graph = nx.Graph(joined)
        assert nx.is_connected(graph)
        assert {degree for _, degree in graph.degree} == {2}
        assert len(graph) == len(joined) == 18


@st.composite
def random_sizes(draw: st.DrawFn) -> tuple[int, int, int]:
    nodes = draw(st.integers(2, 12))
    return nodes, draw(st.integers(nodes - 1, nodes * (nodes - 1))), draw(st.integers(0, 10**6))


@given(random_sizes())
def test_random_platforms_have_the_size_asked_and_are_reached_from_node_0(size):
    nodes, arcs, seed = size
    platform = topologies.random_platform(nodes, arcs, seed)
    assert (len(platform.nodes), len(platform.arcs)) == (nodes, arcs)
    assert len(nx.descendants(digraph(platform), 0)) == nodes - 1
    assert platform == built_in(f"random:{nodes},{arcs},{seed}")
    for arc in platform.arcs:
        assert arc.cost.denominator in (1, 2, 3)
        assert Fraction(1, 3) <= arc.cost <= 30


def test_random_costs_are_heterogeneous_and_seeds_matter():
    platforms = [topologies.random_platform(50, 400, seed) for seed in range(5)]
    assert len(set(platforms)) == 5
    for platform in platforms:
        costs = Counter(arc.cost for arc in platform.arcs)
        assert len(costs) > 30
        assert {cost.denominator for cost in costs} == {1, 2, 3}


def fingerprint(name: str) -> str:
    platform = built_in(name)
    data = {node: dict(values) for node, values in platform.node_data.items()}
    written = repr((platform.nodes, [(a.tail, a.head, a.cost) for a in platform.arcs], data))
    return hashlib.sha256(written.encode()).hexdigest()[:16]


def test_random_platforms_are_the_same_in_every_version():
    # Published instances are named by their seeds: these values may never change.
    assert [(str(arc), str(arc.cost)) for arc in built_in("random:4,5,7").arcs] == [
        ("0->1", "14"),
        ("0->2", "3"),
        ("1->3", "25"),
        ("1->0", "7/2"),
        ("2->0", "29/2"),
    ]
    assert fingerprint("random:50,200,1") == "fd49393e933d110e"
    assert fingerprint("random:20,300,1") == "084ce001512b0af7"
    assert fingerprint("random-regular:32,3,1") == "a36ba0bfb7f63a8b"
    assert fingerprint("random-regular:20,9,1") == "087f58f5402e9a79"
    assert fingerprint("tiers:4,3,2,3,1") == "33a50cb5d4f818c5"


@given(
    st.tuples(st.integers(1, 6), st.integers(1, 4), st.integers(1, 6), st.integers(1, 3)),
    st.integers(0, 10**6),
)
def test_tiers_levels(parameters, seed):
    wan, mans, lans, hosts = parameters
    platform = topologies.tiers(*parameters, seed)
    graph = links(platform)
    routers = wan + mans * lans
    assert platform.nodes == tuple(range(routers + mans * lans * hosts))
    assert nx.is_connected(graph)

    def man(node: int) -> int:
        return (node - wan) // lans

    ranges = {"wan": (8, 14), "up": (8, 14), "man": (125, 295), "lan": (1000, 1000)}
    uplinks = Counter()
    for u, v, cost in graph.edges(data="cost"):
        low, high = sorted((u, v))
        if high < wan:
            level = "wan"
        elif high >= routers:
            level = "lan"
            assert low == wan + (high - routers) // hosts
        elif low < wan:
            level = "up"
            assert (high - wan) % lans == 0
            uplinks[man(high)] += 1
        else:
            level = "man"
            assert man(low) == man(high)
        least, most = ranges[level]
        assert (1000 / cost).denominator == 1
        assert least <= 1000 / cost <= most
    assert uplinks == Counter(dict.fromkeys(range(mans), 1))
    networks = [range(wan)] + [range(wan + m * lans, wan + (m + 1) * lans) for m in range(mans)]
    for network in networks:
        inside = graph.subgraph(network)
        assert nx.is_connected(inside)
        if len(network) > 2:
            assert min(degree for _, degree in inside.degree) >= 2
    assert set(platform.node_data) == set(range(routers, len(platform.nodes)))
    for data in platform.node_data.values():
        assert set(data) == {"compute"}
        assert 15 <= 1000 / data["compute"] <= 92
    assert platform == built_in(f"tiers:{wan},{mans},{lans},{hosts},{seed}")


def test_tiers_has_three_hosts_by_default():
    assert built_in("tiers:4,3,2,9") == topologies.tiers(4, 3, 2, 3, seed=9)
    assert built_in("tiers:4,3,2,9") != built_in("tiers:4,3,2,8")


def costs_by_arc(platform: Platform) -> dict[str, Fraction]:
    return {str(arc): arc.cost for arc in platform.arcs}


def test_legrand_fig1():
    platform = built_in("legrand-fig1")
    assert platform.nodes == ("Ps", "P1", "P2", "P3", "P4")
    assert costs_by_arc(platform) == {
        **dict.fromkeys(("Ps->P1", "Ps->P2", "P1->P2", "P2->P1"), Fraction(1)),
        **dict.fromkeys(("P1->P3", "P2->P4"), Fraction(1, 2)),
    }


def test_scatter_toy():
    assert costs_by_arc(built_in("scatter-toy")) == {
        "Ps->Pa": 1,
        "Ps->Pb": 1,
        "Pa->P0": Fraction(2, 3),
        "Pb->P0": Fraction(4, 3),
        "Pb->P1": Fraction(4, 3),
    }


def test_reduce_toy():
    platform = built_in("reduce-toy")
    assert nx.is_isomorphic(links(platform), nx.complete_graph(3))
    assert {arc.cost for arc in platform.arcs} == {1}
    compute = {node: data["compute"] for node, data in platform.node_data.items()}
    assert compute == {"P0": Fraction(1, 2), "P1": 1, "P2": 1}


# RR-4872, Figures 11 and 12: the transfers of each tree (interval: route) and its tasks
# ([k,l] + [l+1,m] at a node), both trees with throughput 1/9.
FIGURE_11 = (
    {
        (3, 3): "9 8 2 6 7",
        (4, 4): "6 7",
        (3, 4): "7 6 2 1 0 5 4 12",
        (6, 6): "7 6 2 1 0 5 12",
        (3, 6): "12 13",
        (1, 1): "8 2 1 0 5 12 13",
        (0, 0): "11 10 4 12 13",
        (0, 6): "13 12 5 4 10",
        (0, 7): "10 4 12 5 0 1 2 6",
    },
    [
        (7, 3, 3, 4),
        (12, 3, 4, 5),
        (12, 3, 5, 6),
        (13, 2, 2, 6),
        (13, 0, 0, 1),
        (13, 0, 1, 6),
        (10, 0, 6, 7),
    ],
)
FIGURE_12 = (
    {
        (2, 2): "13 12 4 5 0 1 2 6",
        (1, 1): "8 3 6",
        (3, 3): "9 8 2 6 7",
        (5, 5): "12 5 0 1 2 6 7",
        (1, 2): "6 7",
        (4, 4): "6 2 8",
        (5, 6): "7 6 2 3 8",
        (1, 3): "7 6 3 8",
        (1, 6): "8 2 1 0 5 10",
        (0, 0): "11 10",
        (0, 7): "10 4 12 5 0 1 2 6",
    },
    [
        (6, 1, 1, 2),
        (7, 1, 2, 3),
        (7, 5, 5, 6),
        (8, 1, 3, 4),
        (8, 1, 4, 6),
        (10, 0, 0, 6),
        (10, 0, 6, 7),
    ],
)


def test_the_reduction_trees_of_the_paper_fit_the_reconstructed_platform():
    platform = built_in("tiers-2003")
    cost = {(arc.tail, arc.head): arc.cost for arc in platform.arcs}
    load: defaultdict[tuple[str, int], Fraction] = defaultdict(Fraction)
    used = set()
    for transfers, tasks in (FIGURE_11, FIGURE_12):
        for route in transfers.values():
            nodes = [int(node) for node in route.split()]
            for arc in pairwise(nodes):
                load["send", arc[0]] += cost[arc] / 9
                load["receive", arc[1]] += cost[arc] / 9
                used.add(frozenset(arc))
        for node, *_ in tasks:
            load["compute", node] += platform.node_data[node]["compute"] / 9
    assert max(load.values()) == 1
    assert {port for port, value in load.items() if value == 1} == {("send", 0), ("receive", 0)}
    # The routes use every link: this is where the links come from.
    assert used == {frozenset(arc) for arc in cost}


@pytest.mark.parametrize("figure", [FIGURE_11, FIGURE_12])
def test_the_transcribed_trees_are_reductions(figure):
    transfers, tasks = figure
    platform = built_in("tiers-2003")
    owner = {int(data["index"]): node for node, data in platform.node_data.items()}
    assert sorted(owner) == list(range(8))
    at = {(index, index): node for index, node in owner.items()}
    ends = {interval: (int(r.split()[0]), int(r.split()[-1])) for interval, r in transfers.items()}
    made = {(k, m): (node, (k, cut), (cut + 1, m)) for node, k, cut, m in tasks}
    for interval, (node, *_) in made.items():
        at[interval] = node
    for interval, (start, end) in ends.items():
        assert at[interval] == start
        at[interval] = end
    assert at[0, 7] == 6
    needed = Counter(part for node, *parts in made.values() for part in parts)
    assert set(needed.values()) == {1}
    assert set(needed) == (set(at) - {(0, 7)})
    for node, *parts in made.values():
        assert all(at[part] == node for part in parts)


def test_tiers_2003_has_the_printed_numbers():
    platform = built_in("tiers-2003")
    bandwidths = sorted(10 / arc.cost for arc in platform.arcs if arc.tail < arc.head)
    printed = "8 10 14 125 144 146 182 187 208 240 266 286 295 1000 1000 1000 1000"
    assert bandwidths == [int(number) for number in printed.split()]
    links(platform)
    assert {node: 10 / data["compute"] for node, data in platform.node_data.items()} == dict(
        zip(range(6, 14), (92, 64, 55, 75, 17, 15, 38, 79), strict=True)
    )


@pytest.mark.parametrize("family", catalog(), ids=lambda family: family.pattern)
def test_every_family_of_the_catalog_has_a_working_example(family):
    platform = built_in(family.example)
    assert len(platform.nodes) >= 2
    assert nx.is_weakly_connected(digraph(platform))
    assert len(family.description) <= 80
    name = family.example.partition(":")[0]
    assert family.pattern.partition(":")[0] == name
    with pytest.raises(InvalidInput) as refusal:
        built_in(name + ":,")
    assert f"type {family.pattern}, " in refusal.value.rule
    assert family.example in refusal.value.rule


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("gird:4x4", "grid:AxB"),
        ("GRID:4x4", "grid:AxB"),
        ("Hypercube:3", "hypercube:D"),
        ("fattree:4", "fat-tree:K"),
        ("butterflies:3", "butterfly:D"),
        ("legrand", "legrand-fig1"),
        ("tiers2003", "tiers-2003"),
    ],
)
def test_unknown_names_meet_the_nearest_known_one(name, nearest):
    with pytest.raises(InvalidInput, match=f"did you mean {nearest}"):
        built_in(name)


@pytest.mark.parametrize("name", ["", "zzz", ":4", "\n", "x" * 10_000])
def test_names_near_to_nothing_meet_the_list(name):
    with pytest.raises(InvalidInput, match=r"there are grid, torus, .*, tiers-2003") as refusal:
        built_in(name)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    "name",
    [
        *("grid", "grid:", "grid:x", "grid:4x", "grid:x4", "grid:4,4", "grid:4X4", "grid:4x4\n"),
        *("grid: 4x4", "grid:-4x4", "grid:4.5", "grid:\u0663x3", "star:9,9", "ring:6x6"),
        *("random:5,4", "random:5,4,1,1", "tiers:1,1,1", "tiers:1,1,1,1,1,1", "tiers-2003:1"),
        "ring:" + "9" * 5000,
    ],
)
def test_parameters_of_another_shape_meet_the_pattern(name):
    with pytest.raises(InvalidInput, match=r"type [a-z]+.*, (for example [a-z]+|without)"):
        built_in(name)


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("grid:1", "two nodes"),
        ("grid:0x4", "at least 1"),
        ("torus:1x1", "two nodes"),
        ("hypercube:0", "at least 1"),
        ("complete:1", "at least 2"),
        ("ring:2", "at least 3"),
        ("star:0", "at least 1"),
        ("fat-tree:0", "at least 2"),
        ("fat-tree:5", "even"),
        ("leaf-spine:1,0,1", "at least 1"),
        ("dragonfly:0,1", "at least 1"),
        ("dragonfly:1,0", "at least 1"),
        ("butterfly:0", "at least 1"),
        ("wrapped-butterfly:2", "at least 3"),
        ("random-regular:1,1,0", "at least 2"),
        ("random-regular:4,0,0", "at least 1"),
        ("random-regular:4,4,0", "at most 3"),
        ("random-regular:5,3,0", "even"),
        ("random-regular:4,1,0", "not connected"),
        ("random:1,0,0", "at least 2"),
        ("random:5,3,0", "at least 4"),
        ("random:5,21,0", "have 20 arcs"),
        ("tiers:0,1,1,1", "at least 1"),
        ("tiers:1,1,1,0,1", "at least 1"),
    ],
)
def test_parameters_out_of_range_are_refused(name, rule):
    with pytest.raises(InvalidInput) as refusal:
        built_in(name)
    assert rule in refusal.value.rule


@pytest.mark.parametrize(
    "name",
    [
        *("grid:1001x1000", "grid:600x500", "torus:500x501", "grid:" + "x".join(["9" * 18] * 20)),
        *("grid:" + "x".join("2" * 21), "torus:" + "x".join("1" * 3000), "hypercube:16"),
        *("hypercube:999999999999999999", "complete:1001", "ring:500001", "star:500001"),
        *(
            "fat-tree:88",
            "leaf-spine:1000,500,1",
            "leaf-spine:2,1,999999999999999999",
            "dragonfly:100,100",
            "random:1000000,1000001,1",
            "random:1000001,1000000,1",
        ),
        *("tiers:250001,1,1,1", "tiers:1,1000,1000,1", "tiers:1,1,1,500000,1"),
        "dragonfly:999999999999999999,999999999999999999",
        *("butterfly:15", "butterfly:999999999999999999", "wrapped-butterfly:15"),
        *("wrapped-butterfly:999999999999999999", "random-regular:500002,2,1"),
        "random-regular:999999999999999999,2,1",
    ],
)
def test_absurd_sizes_are_refused_before_anything_is_built(name, monkeypatch):
    def build(*_: object, **__: object) -> None:
        raise AssertionError("this starts to build")

    for builder in ("grid_graph", "complete_graph", "cycle_graph", "star_graph"):
        monkeypatch.setattr(nx, builder, build)
    for module in (topologies, random_networks, switch_networks, unit_links):
        for builder in ("Platform", "from_links", "Dice"):
            monkeypatch.setattr(module, builder, build, raising=False)
    with pytest.raises(InvalidInput, match="at most"):
        built_in(name)


@pytest.mark.parametrize("value", [3.0, True, "3", None])
@pytest.mark.parametrize(
    "family",
    [
        topologies.grid,
        topologies.torus,
        topologies.hypercube,
        topologies.complete,
        topologies.ring,
        topologies.star,
        topologies.fat_tree,
        topologies.fat_tree_graph,
        topologies.butterfly,
        topologies.wrapped_butterfly,
    ],
)
def test_families_take_integers_only(family, value):
    with pytest.raises(InvalidInput, match="whole number"):
        family(value)


def test_importing_the_module_loads_no_networkx():
    code = "import sys, exactsched.platforms.built_in; sys.exit('networkx' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# Machines of vendors.


@pytest.mark.parametrize(
    ("name", "computing", "switches", "bandwidths"),
    [
        # Per box 8 links of 300; with two boxes 16 network cards, each with two links of 25.
        ("fat-tree:4", 16, 8 + 8 + 4, {1: 96}),
        ("leaf-spine:4,2,3", 12, 4 + 2, {1: 2 * (12 + 8)}),
        ("dgx-a100:1", 8, 1, {300: 16}),
        ("dgx-a100:2", 16, 2 + 16 + 2, {300: 32, 25: 64}),
        ("dgx-h100:1", 8, 1, {450: 16}),
        ("dgx-h100:2", 16, 2 + 8, {450: 32, 50: 32}),
        ("mi250:1", 16, 0, {200: 16, 100: 8, 50: 32}),
        ("mi250:2", 32, 1, {200: 32, 100: 16, 50: 64, 16: 64}),
    ],
)
def test_machines_have_the_links_of_their_data_sheets(name, computing, switches, bandwidths):
    machine = built_in(name)
    assert len(machine.switches) == switches
    assert len(machine.nodes) == computing + switches
    assert Counter(1 / arc.cost for arc in machine.arcs) == bandwidths
    back = {(arc.head, arc.tail, arc.cost) for arc in machine.arcs}
    assert {(arc.tail, arc.head, arc.cost) for arc in machine.arcs} == back


def test_cards_and_rails_hang_on_their_switches():
    ends = {(arc.tail, arc.head) for arc in built_in("dgx-a100:2").arcs}
    assert {
        ("gpu9", "nvswitch1"),
        ("gpu9", "nic9"),
        ("nic9", "switch1"),
        ("nic8", "switch0"),
    } < ends
    rails = {(arc.tail, arc.head) for arc in built_in("dgx-h100:2").arcs}
    assert {("gpu1", "rail1"), ("gpu9", "rail1"), ("gpu9", "nvswitch1")} < rails


@pytest.mark.parametrize("name", ["dgx-a100:0", "dgx-h100:x", "mi250", "dgx-a100:1000000"])
def test_machines_of_no_size_are_refused(name):
    with pytest.raises(InvalidInput):
        built_in(name)
