"""Runs in steps are possible, near the bound, the same for a seed, and checked by others."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.check.synchronous.rounds import steps as checked
from exactsched.exact.errors import InvalidInput
from exactsched.model.platform import Platform, both_ways
from exactsched.oracles.synchronous import fewest_steps, last_step
from exactsched.platforms.built_in import built_in
from exactsched.synchronous.graph import synchronous_graph
from exactsched.synchronous.round_matching import LinkMatching
from exactsched.synchronous.saturation import broadcast_in_rounds


@pytest.mark.parametrize(
    ("name", "packets", "published", "reached"),
    [
        ("grid:4x4", 100, 212, 191),
        ("grid:4x4", 2500, 5012, 4691),
        ("grid:2x2x4", 500, 1009, 940),
        ("grid:4x16", 100, 250, 208),
        ("grid:8x8", 100, 231, 206),
        ("grid:4x4x4", 100, 224, 202),
        ("grid:4x6x8", 100, 242, 208),
    ],
)
def test_published_steps_are_beaten(name, packets, published, reached):
    run = broadcast_in_rounds(synchronous_graph(built_in(name), 0), packets)
    assert checked(run).steps == run.steps <= reached < published
    assert 1000 * run.steps <= 1035 * run.bound


@st.composite
def platforms(draw: st.DrawFn, least: int = 1, longest: int = 1) -> Platform:
    """Connected: a random tree and further links, some of them in one direction only."""
    nodes = draw(st.integers(least, 9))
    costs = st.integers(1, longest)
    pairs = {(draw(st.integers(0, node - 1)), node) for node in range(1, nodes)}
    if nodes > 1:
        ends = st.integers(0, nodes - 1)
        pairs |= draw(st.sets(st.tuples(ends, ends), max_size=12))
    links = {(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]}
    arcs = []
    for low, high in sorted(links):
        arcs.append((low, high, draw(costs)))
        if draw(st.booleans()):
            arcs.append((high, low, draw(costs)))
    return Platform(range(nodes), arcs)


ports = st.sampled_from(["half-duplex", "one-port"])


@given(platforms(longest=3), st.integers(1, 12), ports, st.integers(0, 5), st.integers(0, 3))
def test_runs_are_possible_and_the_same_for_a_seed(platform, packets, model, seed, effort):
    graph = synchronous_graph(platform, 0)
    run = broadcast_in_rounds(graph, packets, model, seed=seed, effort=effort)
    assert last_step(run) == run.steps
    assert checked(run).steps == run.steps
    again = broadcast_in_rounds(graph, packets, model, seed=seed, effort=effort, time_limit=10**6)
    assert again == run


@given(platforms(least=3), st.data(), st.integers(1, 5), ports)
def test_packets_from_several_nodes(platform, data, packets, model):
    arcs = both_ways((a.tail, a.head, 1) for a in platform.arcs if a.tail < a.head)
    platform = Platform(platform.nodes, arcs)
    sources = data.draw(st.lists(st.sampled_from(platform.nodes), min_size=1, unique=True))
    run = broadcast_in_rounds(synchronous_graph(platform, *sources), packets, model, effort=1)
    assert last_step(run) == checked(run).steps == run.steps


@pytest.mark.parametrize(
    ("name", "most"), [("grid:2x2", 4), ("grid:2x3", 3), ("complete:4", 3), ("ring:5", 3)]
)
def test_small_runs_are_shortest(name, most):
    graph = synchronous_graph(built_in(name), 0)
    for packets in range(1, most + 1):
        run = broadcast_in_rounds(graph, packets)
        assert run.steps == fewest_steps(graph.size, graph.arcs, "half-duplex", run.origins)


def test_a_limit_in_time_ends_retries_only():
    graph = synchronous_graph(built_in("grid:8x8"), 0)
    hurried = broadcast_in_rounds(graph, 20, time_limit=0)
    assert hurried == broadcast_in_rounds(graph, 20, effort=0)
    assert hurried.steps > broadcast_in_rounds(graph, 20).steps
    assert hurried != broadcast_in_rounds(graph, 20, time_limit=0, seed=1)


def test_progress_is_reported_block_by_block():
    seen = []
    graph = synchronous_graph(built_in("grid:4x4"), 0)
    run = broadcast_in_rounds(graph, 10, effort=0, progress=lambda *told: seen.append(told))
    sent = [sum(len(row) // 2 for row in run.sends[:step]) for step, _ in seen]
    assert [transfers for _, transfers in seen] == sent
    assert seen[-1] == (run.steps, 150)


@pytest.mark.parametrize(
    ("place", "arguments"),
    [
        ("packets", {"packets": 0}),
        ("packets", {"packets": True}),
        ("packets", {"packets": 10**8}),
        ("ports", {"ports": "link"}),
        ("seed", {"seed": -1}),
        ("effort", {"effort": 1.5}),
        ("time_limit", {"time_limit": "soon"}),
    ],
)
def test_arguments_are_checked(place, arguments):
    graph = synchronous_graph(built_in("grid:2x2"), 0)
    with pytest.raises(InvalidInput, match=place):
        broadcast_in_rounds(graph, **{"packets": 1} | arguments)


def test_one_node_has_everything():
    run = broadcast_in_rounds(synchronous_graph(Platform(["a"], []), "a"), 3)
    assert (run.steps, run.sends, run.optimal) == (0, (), True)


@given(st.sets(st.tuples(st.integers(0, 6), st.integers(7, 12)), max_size=30), st.randoms())
def test_matchings_between_two_sides_are_maximum(links, dice):
    ends = sorted(links)
    usable = [dice.random() < 0.8 for _ in ends]
    order = dice.sample(range(len(ends)), len(ends))
    matching = LinkMatching(13, ends)
    matching.take(order, usable, ())
    first = next((link for link in order if usable[link]), -1)
    assert first < 0 or matching.taken[ends[first][0]] == first
    matching.take((), usable, range(7))
    taken = {link for link in matching.taken if link >= 0}
    assert all(usable[link] for link in taken)
    assert all(matching.taken[port] == link for link in taken for port in ends[link])
    graph = nx.Graph(pair for link, pair in enumerate(ends) if usable[link])
    assert len(taken) == len(nx.max_weight_matching(graph, maxcardinality=True))


@pytest.mark.parametrize(("nodes", "packets"), [(4, 5), (5, 5), (7, 5), (12, 40)])
def test_on_a_path_the_tree_is_taken(nodes: int, packets: int) -> None:
    run = broadcast_in_rounds(synchronous_graph(built_in(f"grid:{nodes}"), 0), packets)
    assert checked(run).steps == 2 * packets + nodes - 3
    assert run.optimal
