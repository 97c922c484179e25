"""Reductions.

From end to end, and against the compact linear program SSR(G) in floats.

Optimum, trees, schedule and certificate are in our seconds.  Columns: rounds
(linear programs), priced (cheapest trees), trees, tasks of all trees, digits of the period,
kilobytes of the certificate; and the seconds of the checker, which starts from the file.  The peers
get the program with its N^2 m + N^3 n variables and give a float; building it is not counted.

Cheapest trees for float prices come from arrays where these take less time.  Before and after, by
turns in one run on a machine half as fast, costs 0.8..1.2: 30 values on 60 nodes 7.8 s and 4.0 s;
60 values on 100 nodes over 114 s and 27 s, of which SoPlex takes 46 %, arrays 43 %, exact prices
5 %.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from conftest import TIMER, best_of, found_and_checked
from float_peers import solved_in_floats
from instances import Cost, near_one
from reductions import tiers

from exactsched.certificate.linear_programs import LinearProgram
from exactsched.linear_programs.column_generation import pack_structures
from exactsched.model.platform import Platform
from exactsched.model.problem import Reduction
from exactsched.oracles.reduce import reduction_program
from exactsched.platforms.built_in import built_in
from exactsched.steady_state.reduce import reduction_problem, solve_reduction
from exactsched.steady_state.reduction_arrays import PricedArrays
from exactsched.steady_state.reduction_pricing import ReductionTrees
from exactsched.steady_state.reduction_tree import PricedStates
from exactsched.steady_state.solution import Solution

pytestmark = pytest.mark.benchmark(timer=TIMER)


def towards_zero(name: str, values: int, cost: Cost | None = None) -> Reduction:
    """A random platform turned around, so that all nodes reach node 0, the target.

    Only the nodes with a value compute.  A task takes p/q, p uniform in 1..30 and q in 1, 1, 2, 3,
    as a message does; or half as long as a message, if there is a `cost`.
    """
    base, dice = built_in(name), random.Random(values)
    arcs = [(arc.head, arc.tail, cost(dice) if cost else arc.cost) for arc in base.arcs]
    owners = dice.sample(base.nodes, values)
    compute = {
        owner: Fraction(cost(dice)) / 2
        if cost
        else Fraction(dice.randint(1, 30), dice.choice((1, 1, 2, 3)))
        for owner in owners
    }
    platform = Platform(base.nodes, arcs)
    return reduction_problem(platform, owners, [((0, values - 1), 0)], 1, compute, "one-port")


PROBLEMS: dict[str, Callable[[], Reduction]] = {
    "tiers-2003, 8 values": tiers,
    "random:30,120,1, 15 values": lambda: towards_zero("random:30,120,1", 15),
    "random:30,120,2, 15 values": lambda: towards_zero("random:30,120,2", 15),
    # No link or processor decides: three digits for each of dozens of trees.
    "random:30,120,1, 15 values, costs 0.8..1.2": lambda: towards_zero(
        "random:30,120,1", 15, near_one
    ),
    "random:100,400,1, 15 values, costs 0.8..1.2": lambda: towards_zero(
        "random:100,400,1", 15, near_one
    ),
    "random:60,240,1, 30 values, costs 0.8..1.2": lambda: towards_zero(
        "random:60,240,1", 30, near_one
    ),
    "random:100,400,1, 60 values, costs 0.8..1.2": lambda: towards_zero(
        "random:100,400,1", 60, near_one
    ),
}


def solved(problem: Reduction) -> tuple[Solution, dict[str, Any]]:
    solution = solve_reduction(problem)
    return solution, solution.certificate()


# 60 values on 100 nodes take over a minute with their repetitions.
ROWS = [*list(PROBLEMS)[:-1], pytest.param(list(PROBLEMS)[-1], marks=pytest.mark.long)]


@pytest.mark.parametrize("name", ROWS)
def test_find_and_check(benchmark, name, tmp_path):
    problem = PROBLEMS[name]()
    path = tmp_path / "certificate.json"
    solution, certificate = found_and_checked(
        benchmark, lambda: solved(problem), path, rounds=3, checks=3
    )
    benchmark.extra_info.update(
        throughput=float(solution.throughput),
        rounds=solution.rounds,
        priced=solution.priced,
        trees=len(solution.structures),
        tasks=len({task for tree in solution.structures for task in tree.tasks}),
        **certificate,
    )


@pytest.mark.parametrize("name", list(PROBLEMS)[:4])
def test_trees_as_columns(benchmark, name):
    """The same optimum by whole trees in `structure_packing`: what mixing their parts saves."""
    problem = PROBLEMS[name]()

    def packed():
        trees = ReductionTrees(problem)
        return pack_structures(trees, [trees.unit] * trees.rows)

    packing = benchmark.pedantic(packed, rounds=1)
    ours = best_of(3, lambda: solved(problem))
    assert packing.value == solve_reduction(problem).throughput
    benchmark.extra_info.update(
        rounds=packing.rounds,
        priced=packing.priced,
        trees=len(packing.weights),
        times_ours=round(benchmark.stats.stats.min / ours, 1),
    )


@pytest.mark.parametrize("digits", [0, 60])
@pytest.mark.parametrize("processors", [15, 30])
def test_cheapest_tree(benchmark, processors, digits):
    """15 values on 30 nodes under random prices, in floats or integers of this many digits."""
    base, dice = towards_zero("random:30,120,1", 15), random.Random(1)
    able = base.owners if processors == 15 else base.platform.nodes
    compute = dict.fromkeys(able, 1)
    problem = reduction_problem(base.platform, base.owners, base.goals, 1, compute, "one-port")
    trees = ReductionTrees(problem)

    def tree(priced: PricedStates[Any] | PricedArrays):
        return priced.tree()

    if digits:
        whole = {row: dice.randrange(10**digits) for row in range(trees.rows)}
        benchmark(lambda: tree(trees.priced(whole)))
    else:
        prices = [dice.random() for _ in range(trees.rows)]
        benchmark(lambda: tree(trees.priced_in_floats(prices)))


def compact(problem: Reduction) -> LinearProgram:
    """SSR(G) as the oracle states it."""
    return reduction_program(problem).stated()


@pytest.mark.parametrize("name", list(PROBLEMS)[:4])
def test_against_the_compact_program(benchmark, name):
    problem = PROBLEMS[name]()
    solution, _ = benchmark.pedantic(solved, (problem,), rounds=3)
    program = compact(problem)
    benchmark.extra_info.update(
        variables=len(program.objective),
        rows=len(program.rows),
        peers=solved_in_floats(program, solution.throughput),
    )
