"""The corrected linear program of reductions, and feasibility by definition."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched.check import check
from exactsched.exact.errors import InvalidInput
from exactsched.model.platform import Platform
from exactsched.model.problem import Reduction
from exactsched.oracles.collectives import optimal_throughput_by_definition
from exactsched.oracles.reduce import flow_of_results
from exactsched.steady_state.extract_trees import extract_trees
from exactsched.steady_state.reduce import solve_reduction
from exactsched.steady_state.reduction_program import (
    optimal_rates,
    possible_tasks,
    refuse_unless_feasible,
    refuse_unless_supplied,
)
from exactsched.steady_state.solution import Solution
from exactsched.strategies import reductions

# Two values that live at a; b merges them, and a wants the sum. v[0,1] may go round a, b.
PAIR = Reduction(
    Platform("ab", [("a", "b", 1), ("b", "a", 2)]),
    ("a", "a"),
    (((0, 1), "a"),),
    ((0, 0, Fraction(1)), (0, 1, Fraction(3)), (1, 1, Fraction(1))),
    (("b", 0, 0, 1, Fraction(5)),),
)
SEND_0, SEND_1, MERGE, RETURN = (0, 0, 0), (0, 1, 1), (3, 0, 0, 1), (1, 0, 1)


def rates_of(value: Any) -> dict[tuple[int, ...], Any]:
    return dict.fromkeys((SEND_0, SEND_1, MERGE, RETURN), value)


@given(reductions())
def test_the_program_the_trees_and_their_proof_have_one_value(problem: Reduction) -> None:
    """Routes: the linear program, and the packing of reduction trees; checked by the checker."""
    best = optimal_rates(problem)
    assert best.throughput == solve_reduction(problem).throughput
    assert refuse_unless_feasible(problem, best.rates) == best.throughput
    trees = extract_trees(problem, best.rates).trees
    solution = Solution(problem, trees, best.proof, best.throughput)
    assert solution.optimal
    claim = check(solution.certificate())
    assert claim.throughput == claim.bound == best.throughput  # type: ignore[union-attr]
    assert check(best.optimum).value == best.throughput


@settings(max_examples=25)
@given(reductions(ports="one-port", same_tasks=True))
def test_it_is_the_program_of_the_oracle(problem: Reduction) -> None:
    assert optimal_rates(problem).throughput == flow_of_results(problem)


@settings(max_examples=20)
@given(reductions(ports="link", max_nodes=3), st.data())
def test_with_several_goals_the_value_is_a_bound(problem: Reduction, data: st.DataObject) -> None:
    """One more result is wanted somewhere."""
    node = data.draw(st.sampled_from(problem.platform.nodes))
    more = ((0, len(problem.owners) - 1), node)
    if more in problem.goals or (more[0] == (0, 0) and problem.owners[0] == node):
        return
    several = Reduction(
        problem.platform,
        problem.owners,
        (*problem.goals, more),
        problem.size,
        problem.compute,
        problem.ports,
    )
    best = optimal_rates(several)
    assert best.throughput >= optimal_throughput_by_definition(several)
    unsolved = Solution(several, (), best.proof, best.throughput)
    assert check(unsolved.certificate()).bound == best.throughput  # type: ignore[union-attr]


def test_a_pair_by_hand() -> None:
    """Sending takes 1 + 1 of a, the task 5 of b, the way back 3 * 2."""
    best = optimal_rates(PAIR)
    assert best.throughput == Fraction(1, 6)
    assert best.rates == rates_of(Fraction(1, 6))
    assert best.proof.prices == {"send:b": 1} or best.proof.prices == {"recv:a": 1}


def test_what_a_reduction_can_do() -> None:
    """v[2,2] and what is made of it is of no use for v[0,1]; a node may do single tasks only."""
    platform = Platform("ab", [("a", "b", 1)])
    compute = (("a", 2), ("b", 0, 0, 2, 1), ("b", 0, 0, 1, 1))
    asked = Reduction(platform, tuple("aab"), (((0, 1), "b"),), Fraction(1), compute)
    transfers = [(0, 0, 0), (0, 0, 1), (0, 1, 1)]
    assert list(possible_tasks(asked, (0, 1))) == [*transfers, (1, 0, 0, 1), (2, 0, 0, 1)]


def test_feasible_rates_deliver_what_arrives_net() -> None:
    assert refuse_unless_feasible(PAIR, rates_of("1/7")) == Fraction(1, 7)
    around = rates_of(Fraction(1, 20)) | {RETURN: Fraction(1, 10), (0, 0, 1): Fraction(1, 20)}
    assert refuse_unless_feasible(PAIR, around) == Fraction(1, 20)
    assert refuse_unless_feasible(PAIR, {}) == 0
    # v[0,0] comes home to its owner: there nothing is counted.
    home = {SEND_0: Fraction(1, 2), (1, 0, 0): Fraction(1, 2)}
    assert refuse_unless_feasible(PAIR, home) == 0


@pytest.mark.parametrize(
    ("rates", "place", "rule"),
    [
        (rates_of(Fraction(1, 6)) | {RETURN: Fraction(1, 7)}, "v[0,1] at b", "made and received"),
        (rates_of(Fraction(1, 6)) | {SEND_0: 0}, "v[0,0] at b", "has been made"),
        ({(1, 0, 1): 1}, "v[0,1] at b", "has been made"),
        (rates_of(Fraction(1, 9)) | {(0, 0, 1): Fraction(1, 8)}, "v[0,1] at a", "has been made"),
        (rates_of(Fraction(1, 5)), "send:b", "full time"),
        (rates_of(-1), "rate of v[0,0] on a->b", "0 or more"),
        (rates_of(0.5), "rate of v[0,0] on a->b", "a float is not exact"),
        ({(2, 0, 0, 1): 1}, "rates", "cannot do it"),
        ({(2, 0, 0): 1}, "rates", "a task is"),
        ({(0, 1, 0): 1}, "rates", "a task is"),
        ({(0, 0, 2): 1}, "rates", "a task is"),
        ({(4, 0, 0, 1): 1}, "rates", "a task is"),
        ({(1, 0, 0, 1): 1}, "rates", "a task is"),
        ({(3, 0, 1, 1): 1}, "rates", "a task is"),
        ({(3, -1, 0, 1): 1}, "rates", "a task is"),
        ({(3, 0, 0, 2): 1}, "rates", "a task is"),
        ({(0, -1, 0): 1}, "rates", "a task is"),
        ({(-1, 0, 0): 1}, "rates", "a task is"),
        ({(True, 0, 0): 1}, "rates", "a task is"),
        ({"task": 1}, "rates", "a task is"),
    ],
)
def test_rates_that_are_not_feasible(rates: Any, place: str, rule: str) -> None:
    with pytest.raises(InvalidInput, match=rule) as refused:
        refuse_unless_feasible(PAIR, rates)
    assert refused.value.place == place


def test_supply_says_nothing_of_loads_and_waste_and_knows_one_goal() -> None:
    assert refuse_unless_supplied(PAIR, rates_of(1000)) == rates_of(1000)
    assert refuse_unless_supplied(PAIR, {SEND_0: 1, RETURN: 0}) == {SEND_0: 1}
    goals = (((0, 1), "a"), ((0, 1), "b"))
    two = Reduction(PAIR.platform, PAIR.owners, goals, PAIR.size, PAIR.compute)
    with pytest.raises(InvalidInput, match="one goal"):
        refuse_unless_supplied(two, {})
