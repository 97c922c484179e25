"""Reduction trees out of rates: theorem 1 of RR-4872, its failure as printed, its figures."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched import built_in
from exactsched.check import check
from exactsched.exact.errors import InvalidInput
from exactsched.model.platform import Platform
from exactsched.model.problem import Reduction
from exactsched.model.tasks import State, Task, makes, needs
from exactsched.model.tasks import given as there_at_first
from exactsched.steady_state.cheapest_states import CheapestStates
from exactsched.steady_state.extract_trees import Extraction, extract_trees
from exactsched.steady_state.reduce import reduction_problem
from exactsched.steady_state.reduction_program import optimal_rates, refuse_unless_feasible
from exactsched.steady_state.solution import Solution
from exactsched.steady_state.state_graph import StateGraph
from exactsched.strategies import reductions

Rates = dict[Task, Fraction]

TOY = reduction_problem(
    built_in("reduce-toy"), ["P0", "P1", "P2"], [((0, 2), "P0")], 1, None, "one-port"
)
TIERS = built_in("tiers-2003")
HOSTS = sorted(
    (node for node in TIERS.nodes if "index" in TIERS.node_data.get(node, {})),
    key=lambda node: TIERS.node_data[node]["index"],
)
ON_TIERS = reduction_problem(TIERS, HOSTS, [((0, 7), 6)], 1, None, "one-port")


def added(*parts: Mapping[Task, Fraction]) -> Rates:
    total: Rates = {}
    for part in parts:
        for task, rate in part.items():
            total[task] = total.get(task, Fraction(0)) + rate
    return total


def weighted(tasks: Iterable[Task], weight: Fraction) -> Rates:
    return dict.fromkeys(tasks, weight)


def makers(problem: Reduction, rates: Rates) -> Counter[State]:
    """How many tasks of positive rate make each state."""
    return Counter(makes(problem, task) for task, rate in rates.items() if rate)


def is_a_tree(problem: Reduction, tasks: tuple[Task, ...]) -> bool:
    """Definition 1: every task has its inputs; and each result but the goal is used once."""
    there = there_at_first(problem)
    made: set[State] = set()
    used: Counter[State] = Counter()
    for task in tasks:
        for state in needs(problem, task):
            if state not in there | made:
                return False
            used[state] += state not in there
        if makes(problem, task) in there | made:
            return False
        made.add(makes(problem, task))
    goal = problem.goals[0]
    return goal in made and all(used[state] == (state != goal) for state in made)


def assert_exact(problem: Reduction, rates: Rates, found: Extraction) -> None:
    """Theorem 1 as it is on the page."""
    assert found.rates() == {task: rate for task, rate in rates.items() if rate}
    assert all(rate > 0 for part in (found.circulation, found.waste) for rate in part.values())
    assert all(tree.weight > 0 and is_a_tree(problem, tree.tasks) for tree in found.trees)
    left = {task: rate - found.circulation.get(task, 0) for task, rate in rates.items()}
    choices = makers(problem, left)
    if found.trees:
        assert len(found.trees) <= 1 + sum(choices.values()) - len(choices)
    by_item = _arcs_by_item(problem, left)
    assert all(nx.is_directed_acyclic_graph(graph) for graph in by_item.values())
    for graph in _arcs_by_item(problem, found.circulation).values():
        assert all(
            graph.in_degree(node, weight="rate") == graph.out_degree(node, weight="rate")
            for node in graph
        )


def _arcs_by_item(problem: Reduction, rates: Rates) -> dict[tuple[int, ...], nx.DiGraph]:
    arcs = problem.platform.arcs
    graphs: dict[tuple[int, ...], nx.DiGraph] = {}
    for task, rate in rates.items():
        if rate and len(task) == 3:
            arc = arcs[task[0]]
            graphs.setdefault(task[1:], nx.DiGraph()).add_edge(arc.tail, arc.head, rate=rate)
    return graphs


@st.composite
def planted(draw: st.DrawFn, wasteful: bool) -> tuple[Reduction, Rates, Fraction]:
    """Any trees with any weights, and any circulations, mostly where the printed program errs.

    If `wasteful`, also the making of partial results that nobody uses.
    """
    problem = draw(reductions(ports="link", max_nodes=5, max_values=4))
    graph = StateGraph(problem)
    dice = draw(st.randoms(use_true_random=False))
    rates: Rates = {}
    throughput = Fraction(0)
    for _ in range(draw(st.integers(0, 6))):
        costs = [d * dice.randint(1, 50) for d in graph.durations]
        makings = CheapestStates(graph, costs).cheapest(graph.goals[0])
        if makings is None:
            break
        weight = Fraction(dice.randint(1, 9), dice.choice([1, 2, 7, 11]))
        rates = added(rates, weighted((graph.tasks[task] for task in makings.values()), weight))
        throughput += weight
    for state in draw(st.permutations(range(len(graph.named))))[:4] if wasteful else ():
        makings = CheapestStates(graph, graph.durations).cheapest(state)
        if makings:
            rate = Fraction(dice.randint(1, 9), 3)
            rates = added(rates, weighted((graph.tasks[t] for t in makings.values()), rate))
            throughput += rate * (state == graph.goals[0])
    index = {(arc.tail, arc.head): place for place, arc in enumerate(problem.platform.arcs)}
    cycles = list(nx.simple_cycles(nx.DiGraph(index.keys())))[:200]
    (goal, _), single = problem.goals[0], (0, 0)
    for _ in range(draw(st.integers(0, 4)) if cycles else 0):
        cycle = dice.choice(cycles)
        item = dice.choice([goal, single, dice.choice(problem.intervals)])
        arcs = (index[pair] for pair in zip(cycle, cycle[1:] + cycle[:1], strict=True))
        around = weighted(((arc, *item) for arc in arcs), Fraction(dice.randint(1, 9), 5))
        rates = added(rates, around)
    return problem, rates, throughput


@settings(max_examples=35)
@given(planted(wasteful=False))
def test_conserved_rates_are_trees_and_cycles(case: tuple[Reduction, Rates, Fraction]) -> None:
    problem, rates, throughput = case
    found = extract_trees(problem, rates)
    assert found.throughput == throughput
    assert not found.waste
    assert_exact(problem, rates, found)


@settings(max_examples=20)
@given(planted(wasteful=True))
def test_supplied_rates_are_trees_cycles_and_waste(case: tuple[Reduction, Rates, Fraction]) -> None:
    problem, rates, throughput = case
    found = extract_trees(problem, rates)
    assert found.throughput == throughput
    assert_exact(problem, rates, found)


@settings(max_examples=30)
@given(reductions(max_nodes=5, max_values=4))
def test_the_optimum_of_the_linear_program_becomes_a_schedule(problem: Reduction) -> None:
    best = optimal_rates(problem)
    found = extract_trees(problem, best.rates)
    assert_exact(problem, best.rates, found)
    solution = Solution(problem, found.trees, best.proof, best.throughput)
    assert check(solution.certificate()).throughput == best.throughput  # type: ignore[union-attr]


@pytest.mark.parametrize("item", [(0, 0), (1, 1), (0, 1)])
def test_cycles_through_owners_and_through_the_target(item: tuple[int, int]) -> None:
    """v[0,0] comes home, v[1,1] passes by, v[0,1] leaves the target and comes back."""
    pair = Platform("ab", [("a", "b", 1), ("b", "a", 1)])
    problem = Reduction(pair, ("a", "a"), (((0, 1), "b"),), Fraction(1), (("a", 1), ("b", 1)))
    tree = weighted([(2, 0, 0, 1), (0, 0, 1)], Fraction(1))
    around = weighted([(0, *item), (1, *item)], Fraction(1, 3))
    found = extract_trees(problem, added(tree, around))
    assert found.circulation == around
    assert [(set(tree.tasks), tree.weight) for tree in found.trees] == [(set(tree), 1)]


def test_the_goal_may_leave_for_good() -> None:
    """v[0,1] passes through the target to a node where nobody wants it: that is no cycle."""
    line = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    problem = Reduction(line, ("a", "a"), (((0, 1), "b"),), Fraction(1), (("a", 1), ("c", 1)))
    rates = weighted([(2, 0, 0, 1), (0, 0, 1)], Fraction(5)) | {(1, 0, 1): Fraction(2)}
    found = extract_trees(problem, rates)
    assert found.throughput == 3
    assert found.waste == weighted([(2, 0, 0, 1), (0, 0, 1), (1, 0, 1)], Fraction(2))


def test_what_is_not_there_cannot_be_sent() -> None:
    with pytest.raises(InvalidInput, match="has been made") as refused:
        extract_trees(TOY, {transfer(TOY, (0, 0), "P1", "P2"): Fraction(1)})
    assert refused.value.place == "v[0,0] at P1"


# The printed algorithm, as an oracle of its own failure.


class Endless(Exception):
    """FIND_TREE walks round a cycle."""


def printed_find_tree(problem: Reduction, rates: Rates, limit: int) -> list[Task]:
    """FIND_TREE of figure 8: it prefers what is computed in place, then the first link."""
    platform = problem.platform
    there = there_at_first(problem)
    inputs: list[State] = [problem.goals[0]]
    tasks: list[Task] = []
    while any(state not in there for state in inputs):
        state = next(state for state in inputs if state not in there)
        possible = [task for task in rates if rates[task] > 0 and makes(problem, task) == state]
        possible.sort(key=lambda task: (task[0] < len(platform.arcs), task))
        inputs.remove(state)
        inputs.extend(needs(problem, possible[0]))
        tasks.append(possible[0])
        if len(tasks) > limit:
            raise Endless
    return tasks


def printed_extract_trees(problem: Reduction, rates: Rates, throughput: Fraction) -> Rates:
    """EXTRACT_TREE of figure 8; returns what is left of the rates."""
    left = dict(rates)
    reached = Fraction(0)
    while reached < throughput:
        tree = printed_find_tree(problem, left, 4 * len(rates))
        weight = min(left[task] for task in tree)
        for task in tree:
            left[task] -= weight
        reached += weight
    return {task: rate for task, rate in left.items() if rate}


def solutions_with_a_cycle(count: int) -> Iterable[tuple[Reduction, Rates, Fraction]]:
    """Optimal rates on random platforms, and one cycle of some partial result in the idle time."""
    for seed in range(count):
        dice = random.Random(seed)
        size = dice.randint(3, 5)
        arcs = [
            (tail, head, dice.randint(1, 4))
            for tail in range(size)
            for head in range(size)
            if tail != head and dice.random() < 0.7
        ]
        owners = [dice.randrange(size) for _ in range(dice.randint(2, 4))]
        compute = {node: dice.randint(1, 3) for node in range(size)}
        goals = [((0, len(owners) - 1), dice.randrange(size))]
        platform = Platform(range(size), arcs)
        problem = reduction_problem(platform, owners, goals, 1, compute, "one-port")
        # Half of the optimum leaves every port half of its time.
        best = {task: rate / 2 for task, rate in optimal_rates(problem).rates.items()}
        moved = sorted({task[1:] for task in best if len(task) == 3})
        cycles = list(nx.simple_cycles(nx.DiGraph([arc[:2] for arc in arcs])))
        if not moved or not cycles:
            continue
        cycle, item = dice.choice(cycles), dice.choice(moved)
        index = {(arc[0], arc[1]): place for place, arc in enumerate(arcs)}
        around = [(index[pair], *item) for pair in zip(cycle, cycle[1:] + cycle[:1], strict=True)]
        rates = added(best, weighted(around, Fraction(1, 8)))
        yield problem, rates, refuse_unless_feasible(problem, rates)


def test_printed_extraction_fails_on_circulations() -> None:
    """It goes round for ever, or stops with a part of the rates left over; ours is exact."""
    outcomes: Counter[str] = Counter()
    for problem, rates, throughput in solutions_with_a_cycle(180):
        assert_exact(problem, rates, extract_trees(problem, rates))
        try:
            left = printed_extract_trees(problem, rates, throughput)
        except Endless:
            outcomes["endless"] += 1
        else:
            outcomes["residual" if left else "exact"] += 1
    assert outcomes == {"endless": 22, "residual": 140}


def test_printed_extraction_is_exact_without_circulations() -> None:
    for problem in (TOY, ON_TIERS):
        best = optimal_rates(problem)
        assert printed_extract_trees(problem, best.rates, best.throughput) == {}


# The figures of section 4. Arcs are told by their ends, as in the text.


def transfer(problem: Reduction, item: tuple[int, int], tail: object, head: object) -> Task:
    for index, arc in enumerate(problem.platform.arcs):
        if (arc.tail, arc.head) == (tail, head):
            return (index, *item)
    raise AssertionError(f"no arc {tail}->{head}")


def cons(problem: Reduction, merge: tuple[int, int, int], node: int | str) -> Task:
    return (len(problem.platform.arcs) + problem.platform.position[node], *merge)


def test_the_trees_of_figure_7() -> None:
    """Figure 6(b) within a period of 3; two trees, weights 1 and 2, are all that there is."""
    third = Fraction(1, 3)
    rates = {
        transfer(TOY, (1, 1), "P1", "P2"): 2 * third,
        transfer(TOY, (2, 2), "P2", "P1"): third,
        transfer(TOY, (1, 2), "P1", "P0"): third,
        transfer(TOY, (1, 2), "P2", "P0"): 2 * third,
        cons(TOY, (1, 1, 2), "P1"): third,
        cons(TOY, (1, 1, 2), "P2"): 2 * third,
        cons(TOY, (0, 0, 2), "P0"): 3 * third,
    }
    assert refuse_unless_feasible(TOY, rates) == 1
    found = extract_trees(TOY, rates)
    assert not found.circulation
    assert {frozenset(tree.tasks): tree.weight for tree in found.trees} == {
        frozenset(
            {
                transfer(TOY, (2, 2), "P2", "P1"),
                cons(TOY, (1, 1, 2), "P1"),
                transfer(TOY, (1, 2), "P1", "P0"),
                cons(TOY, (0, 0, 2), "P0"),
            }
        ): third,
        frozenset(
            {
                transfer(TOY, (1, 1), "P1", "P2"),
                cons(TOY, (1, 1, 2), "P2"),
                transfer(TOY, (1, 2), "P2", "P0"),
                cons(TOY, (0, 0, 2), "P0"),
            }
        ): 2 * third,
    }


FIGURE_11 = """
[3,3] 9 8 2 6 7; [4,4] 6 7; T 3,3,4 7; [3,4] 7 6 2 1 0 5 4 12; [6,6] 7 6 2 1 0 5 12;
T 3,4,5 12; T 3,5,6 12; [3,6] 12 13; T 2,2,6 13; [1,1] 8 2 1 0 5 12 13;
[0,0] 11 10 4 12 13; T 0,0,1 13; T 0,1,6 13; [0,6] 13 12 5 4 10; T 0,6,7 10;
[0,7] 10 4 12 5 0 1 2 6
"""
FIGURE_12 = """
[2,2] 13 12 4 5 0 1 2 6; [1,1] 8 3 6; T 1,1,2 6; [3,3] 9 8 2 6 7; [5,5] 12 5 0 1 2 6 7;
[1,2] 6 7; T 1,2,3 7; T 5,5,6 7; [4,4] 6 2 8; [5,6] 7 6 2 3 8; T 1,3,4 8; [1,3] 7 6 3 8;
T 1,4,6 8; [1,6] 8 2 1 0 5 10; [0,0] 11 10; T 0,0,6 10; T 0,6,7 10; [0,7] 10 4 12 5 0 1 2 6
"""
# The labels of figure 10, as many as the text has of each, links and tasks.
FIGURE_10 = """
7 [0,7] 2/9, 7 [2,2] 1/9, 6 [5,5] 1/9, 8 [1,1] 1/9, 5 [1,6] 1/9, 7 [3,4] 1/9, 6 [6,6] 1/9,
3 [4,4] 1/9, 4 [5,6] 1/9, 4 [3,3] 2/9, 3 [1,3] 1/9, 4 [0,6] 1/9, 3 [0,0] 1/9, 1 [3,6] 1/9,
1 [0,0] 2/9, 1 [1,2] 1/9, 1 cons[1,3,4] 1/9, 1 cons[1,4,6] 1/9, 1 cons[3,4,5] 1/9,
1 cons[3,5,6] 1/9, 1 cons[0,0,1] 1/9, 1 cons[0,1,6] 1/9, 1 cons[2,2,6] 1/9, 1 cons[0,0,6] 1/9,
1 cons[0,6,7] 2/9, 1 cons[1,1,2] 1/9, 1 cons[1,2,3] 1/9, 1 cons[3,3,4] 1/9, 1 cons[5,5,6] 1/9
"""


def tasks_of(figure: str) -> set[Task]:
    found: set[Task] = set()
    for line in figure.replace("\n", " ").split(";"):
        kind, *numbers = re.findall(r"\[|T|\d+", line)
        values = [int(number) for number in numbers]
        if kind == "T":
            k, cut, m, node = values
            found.add(cons(ON_TIERS, (k, cut, m), node))
        else:
            k, m, *route = values
            for tail, head in pairwise(route):
                found.add(transfer(ON_TIERS, (k, m), tail, head))
    return found


def test_the_trees_of_figures_11_and_12() -> None:
    """Together they are a feasible solution of throughput 2/9, and come out of it again."""
    ninth = Fraction(1, 9)
    first, second = tasks_of(FIGURE_11), tasks_of(FIGURE_12)
    rates = added(weighted(first, ninth), weighted(second, ninth))
    assert refuse_unless_feasible(ON_TIERS, rates) == Fraction(2, 9)
    found = extract_trees(ON_TIERS, rates)
    assert {frozenset(tree.tasks): tree.weight for tree in found.trees} == {
        frozenset(first): ninth,
        frozenset(second): ninth,
    }
    assert not found.circulation


def test_the_trees_have_the_labels_of_figure_10() -> None:
    ninth = Fraction(1, 9)
    rates = added(*(weighted(tasks_of(figure), ninth) for figure in (FIGURE_11, FIGURE_12)))
    labels = Counter(
        f"{'' if len(task) == 3 else 'cons'}[{','.join(map(str, task[1:]))}] {rate}"
        for task, rate in rates.items()
    )
    listed = [label.strip().split(" ", 1) for label in re.split(r", |,\n", FIGURE_10)]
    assert labels == {label: int(count) for count, label in listed}


def test_the_optimum_on_tiers_is_extracted() -> None:
    best = optimal_rates(ON_TIERS)
    assert best.throughput == Fraction(2, 9)
    assert_exact(ON_TIERS, best.rates, extract_trees(ON_TIERS, best.rates))
