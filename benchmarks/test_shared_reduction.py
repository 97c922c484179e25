"""Prefix and all-reduce.

The bound of shared flows by divided prices, against the whole program.

Columns: restricted programs, the (goal, task) pairs that the whole program would have for
variables, schemes computed; throughput and bound; and, where the whole program is small enough, the
seconds that it takes exactly.  A gap of 0 is a proof of optimality.  On the largest instance the
bound is that of a walk, and neither it nor the schedules are sought to the end; the optimum of the
whole program, which HiGHS finds in 240 s by its interior point method in floats, is 0.07461 for the
prefix.
"""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from conftest import TIMER, checked, timed

from exactsched.model.problem import Reduction
from exactsched.platforms.built_in import built_in
from exactsched.steady_state.prefix import solve_shared_reduction
from exactsched.steady_state.reduce import reduction_problem
from exactsched.steady_state.reduction_program import optimal_rates
from exactsched.steady_state.scheme_search import SchemeSearch
from exactsched.steady_state.shared_flow_bound import shared_flow_bound
from exactsched.steady_state.state_graph import StateGraph

pytestmark = pytest.mark.benchmark(timer=TIMER)

# Name, values, and whether the whole program is solved as well.
CASES = [
    ("tiers-2003", 8, True),
    ("random:10,40,1", 6, True),
    ("random:15,60,1", 8, True),
    ("random:20,90,1", 10, True),
]
# Here neither the bound nor the schedules are sought to the end.
LARGE = ("random:30,120,1", 15, False)


def random_reduction(name: str, values: int, collective: str = "prefix") -> Reduction:
    """A built-in platform; times to compute of 1/10 to 2 where it has none of its own."""
    base, dice = built_in(name), random.Random(1)
    data = base.node_data
    if name == "tiers-2003":
        hosts = (node for node in data if "index" in data[node])
        owners = sorted(hosts, key=lambda node: data[node]["index"])
        compute = {node: data[node]["compute"] for node in owners}
    else:
        compute = {node: Fraction(dice.randint(1, 20), 10) for node in base.nodes}
        owners = dice.sample(base.nodes, values)
    if collective == "prefix":
        goals = [((0, index), owner) for index, owner in enumerate(owners) if index]
    else:
        goals = [((0, len(owners) - 1), owner) for owner in owners]
    return reduction_problem(base, owners, goals, 1, compute, "one-port")


@pytest.mark.parametrize(("name", "values", "whole"), CASES)
def test_bound(benchmark, name, values, whole):
    problem = random_reduction(name, values)
    graph = StateGraph(problem)
    search = SchemeSearch(graph)
    scheme = search.scheme(graph.durations, graph.goals)
    assert scheme is not None
    flows = [search.needed(scheme, [goal]).values() for goal in graph.goals]
    found = benchmark.pedantic(shared_flow_bound, (problem, graph, flows, Fraction(1)), rounds=1)
    pairs = sum(
        graph.inside(task, goal) for goal in graph.goals for task in range(len(graph.tasks))
    )
    benchmark.extra_info.update(programs=found.rounds, pairs=pairs, bound=str(found.value))
    if whole:
        start = TIMER()
        assert optimal_rates(problem).throughput == found.value
        benchmark.extra_info["peers"] = {"whole program": TIMER() - start}


@pytest.mark.parametrize("collective", ["prefix", "all-reduce"])
@pytest.mark.parametrize(
    ("name", "values"),
    [case[:2] for case in (*CASES, LARGE)],
)
def test_schedules(benchmark, name, values, collective):
    problem = random_reduction(name, values, collective)
    solution = benchmark.pedantic(solve_shared_reduction, (problem,), rounds=1)
    document, planned = timed(solution.certificate)
    benchmark.extra_info.update(
        rounds=solution.rounds,
        schemes=solution.priced,
        used=len(solution.structures),
        gap=f"{float(1 - solution.throughput / solution.bound):.3f}",
        throughput=str(solution.throughput),
        bound=str(solution.bound),
        **checked(benchmark, document, planned),
    )
