"""Reduction trees out of rates.

The trees, and the linear program that the rates come from.

Columns: tasks of positive rate, those on cycles, trees, the bound on their
number, the tasks of the largest tree; for the linear program its variables and rows.  SoPlex and
HiGHS solve it with their default settings.
"""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import networkx as nx
import pytest
from conftest import TIMER
from float_peers import solved_in_floats
from reductions import tiers

from exactsched.model.platform import Platform
from exactsched.model.problem import Reduction
from exactsched.model.tasks import Task, makes
from exactsched.platforms.built_in import built_in
from exactsched.steady_state.cheapest_states import CheapestStates
from exactsched.steady_state.extract_trees import extract_trees
from exactsched.steady_state.reduce import reduction_problem
from exactsched.steady_state.reduction_program import optimal_rates
from exactsched.steady_state.state_graph import StateGraph

pytestmark = pytest.mark.benchmark(timer=TIMER)


def random_reduction(name: str, values: int) -> Reduction:
    """A built-in random platform with times to compute of 1/10 to 2; distinct owners."""
    base, dice = built_in(name), random.Random(values)
    compute = {node: Fraction(dice.randint(1, 20), 10) for node in base.nodes}
    owners = dice.sample(base.nodes, values)
    target = dice.choice(base.nodes)
    return reduction_problem(base, owners, [((0, values - 1), target)], 1, compute, "one-port")


def mixture(problem: Reduction, trees: int, cycles: int) -> dict[Task, Fraction]:
    """Cheapest trees under random prices, with random weights, and random circulations."""
    dice, graph = random.Random(0), StateGraph(problem)
    rates: dict[Task, Fraction] = {}
    for _ in range(trees):
        costs = [time * dice.random() for time in graph.durations]
        weight = Fraction(dice.randint(1, 99), dice.randint(1, 99))
        for task in (CheapestStates(graph, costs).cheapest(graph.goals[0]) or {}).values():
            rates[graph.tasks[task]] = rates.get(graph.tasks[task], Fraction(0)) + weight
    arcs = {(arc.tail, arc.head): index for index, arc in enumerate(problem.platform.arcs)}
    rounds = _cycles(problem.platform, dice, cycles)
    for cycle in rounds:
        item, weight = dice.choice(problem.intervals), Fraction(dice.randint(1, 99), 10)
        for pair in cycle:
            task = (arcs[pair], *item)
            rates[task] = rates.get(task, Fraction(0)) + weight
    return rates


def _cycles(
    platform: Platform, dice: random.Random, count: int
) -> list[list[tuple[object, object]]]:
    """Cycles that consist of an arc and a shortest path back."""
    graph = nx.DiGraph([(arc.tail, arc.head) for arc in platform.arcs])
    found = []
    while len(found) < count:
        arc = dice.choice(platform.arcs)
        if nx.has_path(graph, arc.head, arc.tail):
            path = [arc.tail, *nx.shortest_path(graph, arc.head, arc.tail)]
            found.append(list(nx.utils.pairwise(path)))
    return found


@pytest.mark.parametrize(
    ("name", "values", "trees", "cycles"),
    [
        ("random:20,100,1", 8, 50, 50),
        ("random:20,100,1", 8, 500, 500),
        ("random:50,250,1", 10, 500, 500),
    ],
)
def test_extraction(benchmark, name, values, trees, cycles):
    problem = random_reduction(name, values)
    rates = mixture(problem, trees, cycles)
    found = benchmark.pedantic(extract_trees, (problem, rates), rounds=1)
    assert found.rates() == rates
    makers = Counter(
        makes(problem, task)
        for task, rate in rates.items()
        if rate != found.circulation.get(task, 0)
    )
    benchmark.extra_info.update(
        tasks=len(rates),
        canceled=len(found.circulation),
        found=len(found.trees),
        bound=1 + sum(makers.values()) - len(makers),
        largest=max(len(tree.tasks) for tree in found.trees),
    )


@pytest.mark.parametrize("case", ["tiers-2003", "random:10,40,1", "random:20,80,1"])
def test_linear_program(benchmark, case):
    problem = tiers() if case == "tiers-2003" else random_reduction(case, 8)
    best = benchmark.pedantic(optimal_rates, (problem,), rounds=1)
    program = best.optimum.program
    benchmark.extra_info.update(
        variables=len(program.objective),
        rows=len(program.rows),
        trees=len(extract_trees(problem, best.rates).trees),
        peers=solved_in_floats(program, best.optimum.value),
    )
