"""A search that is told to end gives an interval: a schedule and a bound, both proved."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched.check import check
from exactsched.linear_programs.column_generation import Progress
from exactsched.model.platform import Platform, both_ways
from exactsched.model.problem import Combination
from exactsched.steady_state.alltoall import alltoall, solve_alltoall
from exactsched.steady_state.broadcast import solve_series
from exactsched.steady_state.combination import solve_combination
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
    """Told of so many rounds, it ends the search."""
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


SEARCHES: dict[str, tuple[st.SearchStrategy, Callable[..., Solution]]] = {
    "broadcasts": (broadcasts(), solve_series),
    "alltoalls": (alltoalls(), solve_alltoall),
    "reductions": (reductions(), solve_reduction),
}


@pytest.mark.parametrize("name", SEARCHES)
@given(st.data())
@settings(max_examples=60)
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
