"""A search that is told to end gives an interval: a schedule and a bound, both proved."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched.check import check
from exactsched.exact.patience import Patience
from exactsched.linear_programs import column_generation, master_program
from exactsched.linear_programs.column_generation import Progress
from exactsched.linear_programs.structure_program import GRID, Operation, StructureProgram
from exactsched.model.platform import Platform, both_ways
from exactsched.model.problem import Allgather, Combination
from exactsched.steady_state.allgather import depth_curve, solve_allgather
from exactsched.steady_state.alltoall import alltoall, solve_alltoall
from exactsched.steady_state.broadcast import solve_series
from exactsched.steady_state.chunks import chunks_per_shard
from exactsched.steady_state.combination import solve_combination, two_phase_throughput
from exactsched.steady_state.prefix import solve_shared_reduction
from exactsched.steady_state.reduce import solve_reduction
from exactsched.steady_state.restricted.best_tree import broadcast_tree
from exactsched.steady_state.solution import Solution
from exactsched.strategies import alltoalls, broadcasts, reductions

# Links of costs that no two routes share, so that one round is not enough.
COSTS = [81, 97, 104, 89, 118, 93, 112, 86, 101, 109, 95, 84, 107, 99, 115]
WEB = Platform(
    range(8),
    both_ways(
        (u, v, Fraction(cost, 100))
        for (u, v), cost in zip(
            [(u, v) for u in range(8) for v in range(u + 1, 8) if (u + v) % 2 or v - u == 2],
            COSTS * 2,
            strict=False,
        )
    ),
)


def after(rounds: int) -> Progress:
    """Ends the search at a given number of rounds."""
    return lambda round_, *_: round_ >= rounds


def refuse_no_interval(ended: Solution, optimum: Fraction) -> None:
    """The checker proves both ends, and the optimum lies between them."""
    claim = check(ended.certificate())
    assert (claim.throughput, claim.bound) == (ended.throughput, ended.bound)
    assert ended.throughput <= optimum <= ended.bound


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_an_alltoall_that_ends_early(rounds: int) -> None:
    pairs = [(u, v, 1) for u in WEB.nodes for v in WEB.nodes if u != v]
    ended = alltoall(WEB, pairs, progress=after(rounds))
    refuse_no_interval(ended, alltoall(WEB, pairs).throughput)
    if rounds == 1:
        assert not ended.optimal
        assert ended.throughput > 0


@pytest.mark.parametrize("times", [1, 4, 5, 6, 8, 12, 20, 40])
def test_an_alltoall_that_ends_within_a_round(times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a burst, or in a float optimum that pauses after every second iteration."""
    monkeypatch.setattr(column_generation, "LONG_ROUNDS", 0)
    monkeypatch.setattr(master_program, "PAUSE", 2)
    pairs = [(u, v, 1) for u in WEB.nodes for v in WEB.nodes if u != v]
    asked = 0

    def ends(*_: object) -> bool:
        nonlocal asked
        asked += 1
        return asked >= times

    ended = alltoall(WEB, pairs, progress=ends)
    monkeypatch.undo()
    refuse_no_interval(ended, alltoall(WEB, pairs).throughput)
    assert ended.throughput > 0


def test_an_exact_optimum_that_ends_at_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Evenly as long as no optimum is known: two routes that are disjoint."""
    monkeypatch.setattr(master_program, "PAUSE", 1)

    class Machines:
        parts = 1

        def load(self, machine: int) -> dict[int, int]:
            return {machine: 1 + machine}

    program: Any = StructureProgram(Machines(), [1] * 20, Patience(lambda: True))  # type: ignore[arg-type]
    program.enter([Operation([k], [{k: 1 + k}]) for k in range(20)])
    found = program.optimum()
    assert (program.hurried, program.ended) == (True, True)
    assert found.value == Fraction(GRID, max(20 * (GRID // 20), GRID - 19 * (GRID // 20)))


SEARCHES: dict[str, tuple[st.SearchStrategy, Callable[..., Solution]]] = {
    "broadcasts": (broadcasts(), solve_series),
    "alltoalls": (alltoalls(), solve_alltoall),
    "reductions": (reductions(), solve_reduction),
}


@pytest.mark.parametrize("name", SEARCHES)
@given(st.data())
@settings(max_examples=35)
def test_every_interval_contains_the_optimum(name: str, data: st.DataObject) -> None:
    problems, solve = SEARCHES[name]
    problem = data.draw(problems)
    rounds = data.draw(st.integers(1, 3))
    refuse_no_interval(solve(problem, after(rounds)), solve(problem).throughput)


@pytest.mark.parametrize("ports", ["one-port", "half-duplex", "link"])
def test_an_allreduce_that_ends_early(ports: str) -> None:
    problem = Combination(WEB, ((Fraction(1), WEB.nodes),), ports)  # type: ignore[arg-type]
    refuse_no_interval(solve_combination(problem, after(1)), solve_combination(problem).throughput)


def test_a_tree_that_is_searched_for_in_vain() -> None:
    ended = broadcast_tree(WEB, 0, progress=after(1))
    best = broadcast_tree(WEB, 0)
    assert best.optimal
    refuse_no_interval(ended, best.throughput)


def test_a_prefix_that_ends_early() -> None:
    from exactsched.steady_state.reduce import reduction_problem

    goals = [((0, m), m) for m in range(1, 4)]
    problem = reduction_problem(WEB, (0, 1, 2, 3), goals, 1, 1, "one-port")
    ended = solve_shared_reduction(problem, after(1))
    claim = check(ended.certificate())
    assert claim.throughput <= solve_shared_reduction(problem).bound
    assert solve_shared_reduction(problem).throughput <= claim.bound


def asked(times: int) -> Progress:
    """Asked so often by anybody, it ends every search."""
    left = [times]

    def progress(*_: object) -> bool:
        left[0] -= 1
        return left[0] <= 0

    return progress


def network(dice: Random) -> Allgather:
    """Links both ways, some nodes behind switches, shards of several sizes."""
    switches = dice.randint(0, 3)
    nodes = [*range(dice.randint(2, 6)), *(f"s{k}" for k in range(switches))]
    pairs = [(u, v) for k, v in enumerate(nodes) for u in nodes[:k] if dice.random() < 0.6]
    links = [(u, v, Fraction(dice.randint(1, 9), dice.randint(1, 3))) for u, v in pairs]
    hosts = [node for node in nodes if isinstance(node, int)]
    shards = tuple((node, dice.choice([1, 1, 2, "1/3"])) for node in hosts)
    return Allgather(Platform(nodes, both_ways(links), switches=nodes[len(hosts) :]), shards)


@pytest.mark.parametrize("limit", [{}, {"chunks": 3}, {"depth": 8}, {"prefer": "few"}])
def test_an_allgather_that_ends_whenever_it_asks(limit: dict[str, Any]) -> None:
    """Whatever is not proved by then: trees are trees, and the bound is one."""
    dice = Random(18)
    intervals = 0
    for _ in range(25):
        problem = network(dice)
        best = solve_allgather(problem)
        for times in (1, 2, 3, 5, dice.randint(6, 60), dice.randint(60, 600)):
            ended = solve_allgather(problem, progress=asked(times), **limit)
            refuse_no_interval(ended, best.throughput)
            assert (ended.throughput > 0) == (best.throughput > 0)
            assert ended.depth <= limit.get("depth", ended.depth)
            assert chunks_per_shard(ended.structures) <= limit.get("chunks", 10**9)
            intervals += not ended.optimal
    assert intervals > 20


def test_where_switches_send_more_the_same_holds() -> None:
    arcs = [
        ("a", "s", 3),
        ("s", "b", 1),
        ("s", "c", 2),
        ("b", "a", 1),
        ("c", "a", 2),
        ("b", "c", 3),
    ]
    problem = Allgather(Platform("asbc", arcs, switches="s"), (("a", 1), ("b", 1), ("c", 2)))
    best = solve_allgather(problem)
    for times in range(1, 30):
        refuse_no_interval(solve_allgather(problem, progress=asked(times)), best.throughput)


def test_a_curve_that_ends_early() -> None:
    problem = network(Random(3))
    best = solve_allgather(problem).throughput
    for times in (1, 4, 9, 40):
        curve = depth_curve(problem, asked(times))
        assert [one.throughput for one in curve] == sorted({one.throughput for one in curve})
        for ended in curve:
            refuse_no_interval(ended, best)


def test_an_allreduce_through_switches_that_ends_whenever_it_asks() -> None:
    dice = Random(81)
    intervals = 0
    for _ in range(25):
        platform = network(dice).platform
        hosts = tuple(node for node in platform.nodes if node not in platform.switches)
        problem = Combination(platform, ((Fraction(2), hosts),), "link")
        best = solve_combination(problem)
        for times in (1, 2, 3, 5, dice.randint(6, 60), dice.randint(60, 600)):
            ended = solve_combination(problem, asked(times))
            refuse_no_interval(ended, best.throughput)
            assert (ended.throughput > 0) == (best.throughput > 0)
            intervals += not ended.optimal
            assert two_phase_throughput(problem, asked(times)) in (
                0,
                two_phase_throughput(problem),
            )
    assert intervals > 20
