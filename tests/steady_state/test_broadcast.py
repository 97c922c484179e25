"""The steady state of a series of broadcasts: optimum, certificate, and what really arrives."""

from __future__ import annotations

from fractions import Fraction
from math import prod

import networkx as nx
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import exactsched
from exactsched.certificate.bounds import CutBound
from exactsched.exact.errors import InvalidInput
from exactsched.model.platform import Node, Platform, both_ways
from exactsched.model.problem import PORTS, Broadcast
from exactsched.model.resources import resources
from exactsched.oracles.broadcast import (
    optimal_throughput_by_cuts,
    optimal_throughput_by_definition,
    ssb_corrected,
    ssb_printed,
)
from exactsched.oracles.collectives import simulate_series
from exactsched.platforms.built_in import built_in
from exactsched.steady_state.broadcast import Solution, broadcast
from exactsched.strategies import broadcasts, costs, platforms
from exactsched.theorems.optimum import optimum


@st.composite
def solvable(
    draw: st.DrawFn, max_nodes: int = 7, reachable: bool | None = True, ports: str | None = None
) -> Broadcast:
    """Broadcasts under each port model, bipartite for half-duplex."""
    chosen = draw(st.sampled_from(PORTS)) if ports is None else ports
    return draw(
        broadcasts(
            ports=chosen,  # type: ignore[arg-type]
            max_nodes=max_nodes,
            reachable=reachable,
            bipartite=chosen == "half-duplex",
        )
    )


def solve(problem: Broadcast) -> Solution:
    return broadcast(problem.platform, problem.source, ports=problem.ports)


# Oracles ----------------------------------------------------------------------------------------


def optimal_throughput(problem: Broadcast) -> Fraction:
    """By the definition where there are few arborescences, by cuts where there are many."""
    arcs = problem.platform.arcs
    choices = prod(
        sum(arc.head == node for arc in arcs)
        for node in problem.platform.nodes
        if node != problem.source
    )
    if choices <= 60 and len(arcs) <= 14:
        return optimal_throughput_by_definition(problem)
    return optimal_throughput_by_cuts(problem)


@given(solvable(max_nodes=4, reachable=None))
@settings(max_examples=35)
def test_the_oracles_agree(problem: Broadcast) -> None:
    assume(len(problem.platform.arcs) <= 8)
    assert optimal_throughput_by_cuts(problem) == optimal_throughput_by_definition(problem)


# The optimum ------------------------------------------------------------------------------------


@given(solvable(reachable=None))
@settings(max_examples=250)
def test_the_throughput_is_optimal_proved_and_delivered(problem: Broadcast) -> None:
    solution = solve(problem)
    document = solution.certificate()
    claim = exactsched.check(document)
    assert claim.problem == problem
    assert claim.optimal
    assert solution.optimal
    assert claim.throughput == solution.throughput == solution.bound == claim.bound
    assert claim.throughput == optimal_throughput(problem)
    # A basic optimal solution: no more arborescences than resources.
    assert len(solution.trees) <= len(resources(problem))
    if solution.schedule is None:
        assert claim.throughput == 0
        return
    assert exactsched.check(solution.whole().certificate()).throughput == claim.throughput
    batch = sum(tree.operations for tree in solution.schedule.structures)
    assert batch == solution.throughput * solution.schedule.period
    if batch <= 50:
        arrived = simulate_series(document, 3)
        assert arrived >= solution.operations_within(3 * solution.schedule.period)
        assert arrived == arrivals_by_depth(solution, periods=3)


def arrivals_by_depth(solution: Solution, periods: int) -> int:
    """A tree of depth d has delivered its first batch after d periods."""
    assert solution.schedule is not None
    arcs = solution.problem.platform.arcs
    total = 0
    for tree in solution.schedule.structures:
        parent = {arcs[index].head: arcs[index].tail for index in tree.arcs}
        deepest = 0
        for node in parent:
            depth = 0
            while node != solution.problem.source:
                node, depth = parent[node], depth + 1
            deepest = max(deepest, depth)
        total += max(0, periods - deepest + 1) * tree.operations
    return total


@given(solvable(max_nodes=5, reachable=None))
@settings(max_examples=35)
def test_the_corrected_linear_program_of_the_paper_has_the_same_optimum(problem: Broadcast) -> None:
    assert optimum(ssb_corrected(problem)[0]).value == solve(problem).throughput


@given(solvable(ports="link", reachable=None))
@settings(max_examples=35)
def test_under_links_the_throughput_is_the_least_maximum_flow(problem: Broadcast) -> None:
    # Edmonds 1973 with capacities 1/cost; networkx knows fractions.
    graph = nx.DiGraph()
    graph.add_nodes_from(problem.platform.nodes)
    for arc in problem.platform.arcs:
        graph.add_edge(arc.tail, arc.head, capacity=1 / arc.cost)
    flows = [
        nx.maximum_flow_value(graph, problem.source, node)
        for node in problem.platform.nodes
        if node != problem.source
    ]
    assert solve(problem).throughput == min(flows)


# What the printed program gets wrong ------------------------------------------------------------


def islands(bridge: int | None) -> Broadcast:
    links = [("s", "a", 1), ("a", "s", 1), ("b", "c", 1), ("c", "b", 1)]
    bridges = [("a", "b", bridge)] if bridge else []
    return Broadcast(Platform("sabc", links + bridges), "s")


def test_the_printed_program_delivers_over_no_bridge() -> None:
    # A cycle through the source and a cycle through the target count as delivery.
    assert optimum(ssb_printed(islands(bridge=None))).value == 1
    assert optimum(ssb_corrected(islands(bridge=None))[0]).value == 0
    assert solve(islands(bridge=None)).throughput == 0


def test_the_printed_program_does_not_feel_a_slow_bridge() -> None:
    assert optimum(ssb_printed(islands(bridge=1000))).value == 1
    assert optimum(ssb_corrected(islands(bridge=1000))[0]).value == Fraction(1, 1000)
    assert solve(islands(bridge=1000)).throughput == Fraction(1, 1000)


def test_the_printed_program_wants_the_source_to_receive_its_own_messages() -> None:
    # (7) for i = s: what leaves the source must come back, here it cannot.
    single = Broadcast(Platform("sa", [("s", "a", 1)]), "s")
    assert optimum(ssb_printed(single)).value == 0
    assert optimum(ssb_corrected(single)[0]).value == solve(single).throughput == 1


# Laws -------------------------------------------------------------------------------------------


def renamed(problem: Broadcast, dice: st.DataObject) -> Broadcast:
    nodes = problem.platform.nodes
    order = dice.draw(st.permutations(range(len(nodes))))
    name: dict[Node, Node] = {node: f"n{order[index]}" for index, node in enumerate(nodes)}
    arcs = [(name[arc.tail], name[arc.head], arc.cost) for arc in problem.platform.arcs]
    platform = Platform(
        dice.draw(st.permutations(list(name.values()))), dice.draw(st.permutations(arcs))
    )
    return Broadcast(platform, name[problem.source], problem.ports)


@given(solvable(), st.data())
@settings(max_examples=35)
def test_names_and_orders_do_not_matter(problem: Broadcast, data: st.DataObject) -> None:
    assert solve(renamed(problem, data)).throughput == solve(problem).throughput


@given(solvable(), st.builds(Fraction, st.integers(1, 10**30), st.integers(1, 10**30)))
@settings(max_examples=35)
def test_slower_arcs_scale_the_throughput(problem: Broadcast, factor: Fraction) -> None:
    arcs = [(arc.tail, arc.head, factor * arc.cost) for arc in problem.platform.arcs]
    scaled = Broadcast(Platform(problem.platform.nodes, arcs), problem.source, problem.ports)
    solution, before = solve(scaled), solve(problem)
    assert solution.throughput * factor == before.throughput
    assert exactsched.check(solution.certificate()).optimal


@given(solvable(max_nodes=6), st.data())
@settings(max_examples=35)
def test_another_arc_never_lowers_the_throughput(problem: Broadcast, data: st.DataObject) -> None:
    taken = {(arc.tail, arc.head) for arc in problem.platform.arcs}
    nodes = problem.platform.nodes
    free = [(u, v) for u in nodes for v in nodes if u != v and (u, v) not in taken]
    # Under half-duplex an arc may not close an odd cycle: reverse an existing one.
    if problem.ports == "half-duplex":
        free = [(v, u) for u, v in taken if (v, u) not in taken]
    assume(free)
    tail, head = data.draw(st.sampled_from(free))
    more = Platform(nodes, [*problem.platform.arcs, (tail, head, data.draw(costs()))])
    grown = solve(Broadcast(more, problem.source, problem.ports)).throughput
    if head == problem.source:
        assert grown == solve(problem).throughput
    assert grown >= solve(problem).throughput


@given(solvable(max_nodes=6), st.data())
@settings(max_examples=35)
def test_a_leaf_more_never_raises_the_throughput(problem: Broadcast, data: st.DataObject) -> None:
    nodes = problem.platform.nodes
    cost = data.draw(costs())
    grown = Platform(
        [*nodes, "leaf"],
        [*problem.platform.arcs, (data.draw(st.sampled_from(nodes)), "leaf", cost)],
    )
    with_leaf = solve(Broadcast(grown, problem.source, problem.ports)).throughput
    assert with_leaf <= min(solve(problem).throughput, 1 / cost)
    if problem.ports == "link":
        assert with_leaf == min(solve(problem).throughput, 1 / cost)


@given(broadcasts(ports="link", max_nodes=6, min_nodes=3), st.data())
@settings(max_examples=35)
def test_merging_a_node_into_the_source_never_lowers_the_throughput(
    problem: Broadcast, data: st.DataObject
) -> None:
    # Every cut of the merged platform is a cut of the other; parallel links add their bandwidths.
    source, nodes = problem.source, problem.platform.nodes
    gone = data.draw(st.sampled_from([node for node in nodes if node != source]))
    bandwidth: dict[tuple[Node, Node], Fraction] = {}
    for arc in problem.platform.arcs:
        tail = source if arc.tail == gone else arc.tail
        head = source if arc.head == gone else arc.head
        if tail != head:
            bandwidth[tail, head] = bandwidth.get((tail, head), Fraction(0)) + 1 / arc.cost
    merged = Platform(
        [node for node in nodes if node != gone],
        [(tail, head, 1 / bandwidth[tail, head]) for tail, head in bandwidth],
    )
    assert broadcast(merged, source, ports="link").throughput >= solve(problem).throughput


@given(platforms(bipartite=True, reachable=True))
@settings(max_examples=35)
def test_the_port_models_are_ordered(platform: Platform) -> None:
    source = platform.nodes[0]
    half, one, link = (
        broadcast(platform, source, ports=ports).throughput
        for ports in ("half-duplex", "one-port", "link")
    )
    assert one / 2 <= half <= one <= link


@given(solvable(reachable=False))
@settings(max_examples=25)
def test_what_cannot_be_reached_has_throughput_0_and_a_cut_that_nothing_enters(
    problem: Broadcast,
) -> None:
    solution = solve(problem)
    assert (solution.throughput, solution.schedule, solution.whole().schedule) == (0, None, None)
    assert (solution.depth, solution.makespan_constant, solution.operations_within(9)) == (0, 0, 0)
    assert exactsched.check(solution.certificate()).throughput == 0
    assert isinstance(solution.proof, CutBound)
    cut = set(solution.proof.order)
    assert cut
    assert problem.source not in cut
    assert not any(a.head in cut and a.tail not in cut for a in problem.platform.arcs)


# The end of a series ----------------------------------------------------------------------------


@given(solvable(max_nodes=5), st.lists(st.builds(Fraction, st.integers(0, 10**9), costs())))
@settings(max_examples=35)
def test_the_loss_does_not_grow_with_the_horizon(
    problem: Broadcast, horizons: list[Fraction]
) -> None:
    # RR-4871, theorem 7, with the constant: throughput * depth * period messages.
    solution = solve(problem)
    assert solution.schedule is not None
    constant = solution.makespan_constant
    assert constant == solution.depth * solution.schedule.period
    for horizon in [*horizons, constant, constant * 10**6]:
        loss = solution.bound * horizon - solution.operations_within(horizon)
        assert 0 <= loss <= solution.throughput * constant
    for messages in (1, 2, 7, 10**12):
        assert solution.operations_within(messages / solution.throughput + constant) >= messages


@given(solvable(max_nodes=5))
@settings(max_examples=20)
def test_as_many_messages_arrive_within_a_horizon_as_said(problem: Broadcast) -> None:
    solution = solve(problem)
    assert solution.schedule is not None
    batch = sum(tree.operations for tree in solution.schedule.structures)
    assume(batch <= 20)
    document = solution.certificate()
    for periods in range(solution.depth, solution.depth + 3):
        said = solution.operations_within(periods * solution.schedule.period)
        assert said == (periods - solution.depth + 1) * batch
        assert simulate_series(document, periods) >= said
    assert solution.operations_within(solution.depth * solution.schedule.period) == batch
    early = solution.depth * solution.schedule.period - Fraction(1, 10**9)
    assert solution.operations_within(early) == 0


def test_a_chain_by_hand() -> None:
    # s -> a takes 1, a -> b takes 1/2: one message per time unit, two periods deep.
    solution = broadcast(Platform("sab", [("s", "a", 1), ("a", "b", "1/2")]), "s")
    assert solution.throughput == 1
    assert solution.depth == 2
    assert solution.makespan_constant == 2
    arrived = [solution.operations_within(time) for time in (0, 1, "3/2", 2, 3, "7/2", 10, -5)]
    assert arrived == [0, 0, 0, 1, 2, 2, 9, 0]


# Large and long ---------------------------------------------------------------------------------


def test_numbers_of_hundreds_of_digits() -> None:
    exponents = [0, 40, 300, 310, 700]
    arcs = [(f"{i}", f"{j}", 10 ** exponents[(i * j) % 5] + i) for i in range(5) for j in range(5)]
    platform = Platform("01234", [arc for arc in arcs if arc[0] != arc[1]])
    for ports in ("one-port", "link"):
        solution = broadcast(platform, "0", ports=ports)
        claim = exactsched.check(solution.certificate())
        assert claim.optimal
        assert claim.throughput == optimal_throughput_by_cuts(Broadcast(platform, "0", ports))


@pytest.mark.parametrize(
    "name", ["random:60,300,1", "grid:6x6", "fat-tree-graph:4", "tiers:4,2,2,2,5"]
)
def test_larger_platforms_are_solved_to_proof(name: str) -> None:
    platform = built_in(name)
    solution = broadcast(platform, platform.nodes[0])
    assert solution.optimal
    # The schedule's period may be astronomical, its slots are not.
    assert exactsched.check(solution.certificate()).optimal


def test_progress_sees_bounds_on_the_optimum_in_broadcasts_per_time_unit() -> None:
    seen: list[tuple[int, float, float]] = []
    # Figure 1, where no single tree is optimal, seven times as fast.
    figure = built_in("legrand-fig1")
    arcs = [(arc.tail, arc.head, arc.cost / 7) for arc in figure.arcs]
    fast = Platform(figure.nodes, arcs)
    solution = broadcast(fast, "Ps", progress=lambda *row: seen.append(row))
    assert solution.throughput == 7
    assert seen
    for _, lower, upper in seen:
        assert lower <= float(solution.throughput) * (1 + 1e-9)
        assert upper >= float(solution.throughput) * (1 - 1e-9)


def test_a_bound_by_one_port_and_one_cut_is_preferred() -> None:
    fast_leaf = Platform("sab", both_ways([("s", "a", 3), ("a", "b", 1)]))
    solution = broadcast(fast_leaf, "s")
    assert solution.throughput == Fraction(1, 3)
    assert isinstance(solution.proof, CutBound)
    assert len(solution.proof.prices) == 1
    assert len(solution.proof.cuts) == 1


# Refusals ---------------------------------------------------------------------------------------

PAIR = Platform([0, 1], [(0, 1, 1)])


@pytest.mark.parametrize("source", [2, "0", 0.0, False, True, Fraction(0), None, [0], -1], ids=repr)
def test_a_source_that_is_no_node_is_refused(source: object) -> None:
    with pytest.raises(InvalidInput, match=r"source: .*not a node of the platform") as refusal:
        broadcast(PAIR, source)  # type: ignore[arg-type]
    assert refusal.value.place == "source"


@pytest.mark.parametrize("ports", ["two-port", "", None, 1, ["link"], "One-Port"], ids=repr)
def test_an_unknown_port_model_is_refused(ports: object) -> None:
    with pytest.raises(InvalidInput, match="a port model is one of one-port, half-duplex, link"):
        broadcast(PAIR, 0, ports=ports)  # type: ignore[arg-type]


def test_one_node_is_refused() -> None:
    with pytest.raises(InvalidInput, match="at least two nodes"):
        broadcast(Platform([0], []), 0)


def test_a_latency_is_refused_by_arc() -> None:
    slow = Platform("ab", [("a", "b", 1), ("b", "a", 2, "1/3")])
    with pytest.raises(InvalidInput, match=r"arc b->a, latency: '1/3': .* belongs to the cost"):
        broadcast(slow, "a")


def test_an_odd_cycle_costs_throughput_under_half_duplex_only() -> None:
    triangle = built_in("complete:3")
    assert broadcast(triangle, 0, ports="half-duplex").throughput == Fraction(1, 2)
    assert broadcast(triangle, 0).throughput == 1


@pytest.mark.parametrize("horizon", [0.5, True, "soon"])
def test_a_horizon_is_an_exact_number(horizon: object) -> None:
    with pytest.raises(InvalidInput, match="horizon"):
        broadcast(PAIR, 0).operations_within(horizon)  # type: ignore[arg-type]


def test_of_links_that_all_messages_share_the_slowest_one_bounds() -> None:
    """Then one tree meets the bound, and no program is solved."""
    links = [("up", 1), ("down", 2)]
    platform = Platform("ab", [("a", "b", 2, 0, links)])
    solution = broadcast(platform, "a", ports="routes")
    assert (solution.throughput, solution.rounds) == (Fraction(1, 2), 0)
