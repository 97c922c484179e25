"""Fixed routes over shared links: optima by definition, laws, what is refused."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Any

import pytest

from exactsched.certificate import to_document
from exactsched.certificate.collectives import Row, Run
from exactsched.check import check
from exactsched.exact.errors import InvalidInput
from exactsched.model.platform import Arc, Platform
from exactsched.model.problem import Allgather, Broadcast, Combination, Reduction
from exactsched.oracles import broadcast as broadcasts
from exactsched.oracles.collectives import collective_fault, optimal_throughput_by_definition
from exactsched.platforms.files import from_networkx, read_platform, to_networkx, write_platform
from exactsched.runs.finite_run import makespan_guarantee, run_operations, run_within
from exactsched.runs.pipelined import pipelined_broadcast
from exactsched.simulation import simulate
from exactsched.steady_state.allgather_any_ports import allgather
from exactsched.steady_state.alltoall import alltoall, scatter
from exactsched.steady_state.broadcast import broadcast
from exactsched.steady_state.combination import (
    order_free_allreduce,
    order_free_reduce,
    reduce_scatter,
    two_phase_throughput,
)
from exactsched.steady_state.combination_cuts import whatever_others_do
from exactsched.steady_state.fixed_period import with_period
from exactsched.steady_state.solution import Solution

Solve = Callable[..., Solution]


def routed(nodes: str, routes: dict[str, list[tuple[str, Fraction]]]) -> Platform:
    """The arcs "uv" with their routes."""
    arcs = [(uv[0], uv[1], max(cost for _, cost in way), 0, way) for uv, way in routes.items()]
    return Platform(nodes, arcs)


def drawn(dice: Random, nodes: str) -> Platform:
    """A ring and some more arcs, each over one to three of five links."""
    costs = {f"l{k}": Fraction(dice.randint(1, 6), dice.randint(1, 4)) for k in range(5)}
    ring = [one + other for one, other in zip(nodes, nodes[1:] + nodes[0], strict=True)]
    more = [u + v for u, v in permutations(nodes, 2) if dice.random() < 0.5]
    return routed(
        nodes,
        {
            uv: [(name, costs[name]) for name in dice.sample(sorted(costs), dice.randint(1, 3))]
            for uv in dict.fromkeys(ring + more)
        },
    )


def star(up: dict[str, Fraction], down: dict[str, Fraction]) -> Platform:
    """Every host has a link up and a link down, and all pairs are arcs over one of each."""
    return routed(
        "".join(up),
        {u + v: [(f"up {u}", up[u]), (f"down {v}", down[v])] for u, v in permutations(up, 2)},
    )


ASKED: dict[str, Solve] = {
    "broadcast": lambda platform, ports: broadcast(platform, "a", ports=ports),
    "scatter": lambda platform, ports: scatter(platform, "a", {"b": 1, "c": "1/2"}, ports=ports),
    "alltoall": lambda platform, ports: alltoall(
        platform, list(permutations(platform.nodes, 2)), ports=ports
    ),
    "allgather": lambda platform, ports: allgather(
        platform, {"a": 1, "b": "3/2"} | dict.fromkeys(platform.nodes[2:], 0), ports=ports
    ),
    "reduce": lambda platform, ports: order_free_reduce(platform, "b", ports=ports),
    "reduce-scatter": lambda platform, ports: reduce_scatter(
        platform, {"a": 2, "c": 1}, ports=ports
    ),
    "allreduce": lambda platform, ports: order_free_allreduce(platform, ports=ports),
}


def by_definition(solution: Solution) -> Fraction:
    if isinstance(solution.problem, Broadcast):
        return broadcasts.optimal_throughput_by_definition(solution.problem)
    problem: Any = solution.problem
    return optimal_throughput_by_definition(problem)


@pytest.mark.parametrize("name", ASKED)
def test_no_structures_reach_more(name: str) -> None:
    dice = Random(1)
    for _ in range(12):
        solution = ASKED[name](drawn(dice, "abc"), "routes")
        document = solution.certificate()
        proved: Any = check(document)
        assert proved.optimal
        assert proved.throughput == solution.throughput == by_definition(solution)
        assert not collective_fault(document, solution.throughput)


@pytest.mark.parametrize("name", ["broadcast", "alltoall", "allgather"])
def test_no_structures_among_four_nodes_reach_more(name: str) -> None:
    solution = ASKED[name](drawn(Random(2), "abcd"), "routes")
    assert solution.optimal
    assert solution.throughput == by_definition(solution)


@pytest.mark.parametrize("name", ASKED)
def test_messages_arrive(name: str) -> None:
    """The player moves them: no link is overfull, and nothing starts before it is there."""
    dice = Random(3)
    for _ in range(4):
        solution = ASKED[name](drawn(dice, "abcd"), "routes")
        report = simulate(solution.certificate(), operations=7)
        assert report.throughput == solution.throughput
        assert report.limit is not None
        assert report.makespan <= report.limit
        assert max(report.busy.values()) <= 1


@pytest.mark.parametrize("name", ASKED)
def test_own_links_are_the_model_link(name: str) -> None:
    dice = Random(4)
    for _ in range(5):
        platform = drawn(dice, "abcd")
        own = [
            (
                arc.tail,
                arc.head,
                arc.cost,
                0,
                [(str(arc), arc.cost), (f"{arc}, fast", arc.cost / 2)],
            )
            for arc in platform.arcs
        ]
        alone = ASKED[name](Platform(platform.nodes, own), "routes")
        assert alone.throughput == ASKED[name](platform, "link").throughput


@pytest.mark.parametrize("name", ASKED)
def test_links_of_hosts_are_ports(name: str) -> None:
    ones = dict.fromkeys("abcd", Fraction(1))
    platform = star(ones, ones)
    assert (
        ASKED[name](platform, "routes").throughput == ASKED[name](platform, "one-port").throughput
    )


@pytest.mark.parametrize("name", ASKED)
def test_faster_links_scale_the_throughput(name: str) -> None:
    platform = drawn(Random(5), "abcd")
    faster = [
        Arc(arc.tail, arc.head, arc.cost / 7, arc.latency, tuple((n, c / 7) for n, c in arc.route))
        for arc in platform.arcs
    ]
    assert (
        ASKED[name](Platform(platform.nodes, faster), "routes").throughput
        == 7 * ASKED[name](platform, "routes").throughput
    )


def test_a_star_by_hand() -> None:
    """Bandwidths up 2, 3, 1 and down 1, 2, 2."""
    platform = star(
        {"a": Fraction(1, 2), "b": Fraction(1, 3), "c": Fraction(1)},
        {"a": Fraction(1), "b": Fraction(1, 2), "c": Fraction(1, 2)},
    )
    # Node c sends to both others over bandwidth 1.
    assert alltoall(platform, list(permutations("abc", 2)), ports="routes").throughput == Fraction(
        1, 2
    )
    # Two shards come down to a over bandwidth 1.
    assert allgather(platform, ports="routes").throughput == Fraction(1, 2)
    # The links up of b, 3, and down to b and c, 2 each: c gets all from b, or half.
    assert broadcast(platform, "b", ports="routes").throughput == 1
    assert order_free_allreduce(platform, ports="routes").throughput == 1


def test_two_phases_turn_the_routes() -> None:
    platform = star(
        {"a": Fraction(1), "b": Fraction(1, 2), "c": Fraction(1)},
        {"a": Fraction(1), "b": Fraction(1), "c": Fraction(1, 4)},
    )
    scattered = reduce_scatter(platform, dict.fromkeys("abc", "1/3"), ports="routes").throughput
    gathered = allgather(platform, dict.fromkeys("abc", "1/3"), ports="routes").throughput
    blocks: Any = ((1, platform.nodes),)
    both = two_phase_throughput(Combination(platform, blocks, "routes"))
    assert both == 1 / (1 / scattered + 1 / gathered)
    assert both <= order_free_allreduce(platform, ports="routes").throughput


@pytest.mark.parametrize("ports", ["one-port", "half-duplex"])
def test_allgathers_among_all_nodes_under_ports(ports: Any) -> None:
    dice = Random(6)
    for _ in range(6):
        solution = ASKED["allgather"](drawn(dice, "abc"), ports)
        proved: Any = check(solution.certificate())
        assert proved.optimal
        assert proved.throughput == by_definition(solution)


def test_a_period_of_ones_choice() -> None:
    solution = with_period(ASKED["broadcast"](drawn(Random(7), "abcd"), "routes"), Fraction(20))
    proved: Any = check(solution.certificate())
    assert 0 < proved.throughput <= proved.bound


def test_files_keep_routes(tmp_path: Any) -> None:
    platform = drawn(Random(8), "abcd")
    for name in ("routed.json", "routed.graphml"):
        write_platform(platform, tmp_path / name)
        assert read_platform(tmp_path / name) == platform
    assert set(from_networkx(to_networkx(platform)).arcs) == set(platform.arcs)
    text = '{"directed": true, "nodes": [{"id": 1}, {"id": 2}], "edges": [%s]}'
    bad = tmp_path / "bad.json"
    bad.write_text(text % '{"source": 1, "target": 2, "cost": 1, "route": 5}')
    with pytest.raises(InvalidInput, match=r"route: 5: a route is a list of links"):
        read_platform(bad)


def test_what_is_refused() -> None:
    platform = drawn(Random(9), "abc")
    solution = broadcast(platform, "a", ports="routes")
    for refused in (
        lambda: run_operations(solution, 2),
        lambda: run_within(solution, 100),
        lambda: makespan_guarantee(solution, 2),
        lambda: pipelined_broadcast(platform, "a", 5, ports="routes"),
    ):
        with pytest.raises(InvalidInput, match="needs another port model"):
            refused()
    with pytest.raises(InvalidInput, match="any arcs together"):
        Broadcast(platform, "a", "routes", "tree")
    with pytest.raises(InvalidInput, match="no reduction in a given order"):
        Reduction(platform, ("a", "b"), (((0, 1), "a"),), Fraction(1), (("a", 1),), "routes")
    with pytest.raises(InvalidInput, match=r"arc 0 \(a->b\), route.*every arc has a route"):
        broadcast(Platform("ab", [("a", "b", 1)]), "a", ports="routes")


def test_a_run_of_an_allgather_is_bounded_by_trees() -> None:
    """Sizes count: twice the size takes twice as long."""
    platform = Platform("ab", [("a", "b", 1), ("b", "a", 2)])
    proof = allgather(platform, ports="one-port").proof
    group = Allgather(platform, (("a", 1), ("b", 1)), "one-port")
    tasks = ((0, 0, 0), (1, 1, 0))
    for size in (1, 3):
        rows = (Row(0, 0, 0, size), Row(1, 0, 0, 2 * size))
        end = Fraction(2 * size)
        sizes = () if size == 1 else (Fraction(size),)
        run = Run(group, 1, sizes, end, end, True, Fraction(1), tasks, rows, proof)
        proved: Any = check(to_document(run))
        assert proved.bound == proved.makespan == 2 * size


def test_whatever_others_do_links_are_busy() -> None:
    """Both hosts send over links of their own, and into the helper over a shared one."""
    up = [("a", 2), ("b", 3)]
    ways = {one + "h": [(f"{one}-up", cost), ("in", 1)] for one, cost in up}
    ways |= {"h" + one: [("out", 1), (f"{one}-down", cost)] for one, cost in up}
    found = order_free_allreduce(routed("abh", ways), "ab", ports="routes")
    known = whatever_others_do(found)
    assert (known.bound, check(known.certificate()).bound) == (Fraction(1, 3), Fraction(1, 3))
    assert set(known.proof.prices) <= {"link:b-up", "link:b-down"}


def test_whatever_others_do_no_bound_on_links_is_passed() -> None:
    """Helpers that take part, with values of their own, reach no more."""
    dice = Random(18)
    for _ in range(40):
        platform = drawn(dice, "abcd")
        wanted = {node: dice.randint(1, 3) for node in "abc"[: dice.randint(1, 3)]}
        known = whatever_others_do(reduce_scatter(platform, wanted, "abc", ports="routes"))
        assert check(known.certificate()).bound == known.bound >= known.throughput
        assert reduce_scatter(platform, wanted, ports="routes").throughput <= known.bound
        known = whatever_others_do(order_free_allreduce(platform, "abc", ports="routes"))
        assert check(known.certificate()).bound == known.bound
        assert order_free_allreduce(platform, ports="routes").throughput <= known.bound
