"""Sections 4.3 and 4.4, EXTRACT_TREES: rates are weighted trees; lemma 2 and theorem 1."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import Rational, to_json
from exactsched.instances.task_rates import (
    CONSERVED_WHOLE_RATES,
    SOLUTIONS_OF_SSR,
    SUPPLIED_RATES,
    TaskRates,
    around,
)
from exactsched.model.tasks import State, Task, given, makes, needs
from exactsched.oracles.reduce import balances, goes_round, no_tree
from exactsched.steady_state.extract_trees import Extraction, extract_trees
from exactsched.steady_state.reduction_program import refuse_unless_feasible
from exactsched.theorems.claim import Say, claim

_EXTRACTION = ("exactsched/steady_state/extract_trees.py",)


@claim(
    "legrand2003.lemma2",
    number="lemma 2; as printed there is no circulation",
    status="corrected",
    instances=CONSERVED_WHOLE_RATES,
    page="tree-extraction",
    implements=_EXTRACTION,
    judged="parts added up again; definition 1 of a tree; balances of states",
)
def lemma_2(instance: TaskRates, say: Say) -> None:
    """Conserved rates of tasks in whole numbers (every state but the given ones and the goal gains
    what it loses), with TP >= 0 arriving net at the goal, are a circulation of partial results and
    a sum of reduction trees with whole weights, which add up to TP. There are at most 1 + the sum
    of a - 1 trees, a the number of tasks that make a state, over all states made, once the
    circulation is taken out.
    """
    _, others = _excesses(instance)
    if any(others) or any(rate.denominator > 1 for rate in instance.rates):
        say.not_applicable("the rates are not conserved whole numbers")
    found = _extracted(instance, say)
    whole = all(tree.weight.denominator == 1 for tree in found.trees)
    say.require(whole, "a weight is not whole")


@claim(
    "legrand2003.thm1",
    number="theorem 1",
    status="corrected",
    corrects="legrand2003.thm1.printed",
    instances=SUPPLIED_RATES,
    page="tree-extraction",
    implements=_EXTRACTION,
    judged="parts added up again; definition 1 of a tree; balances of states",
)
def theorem_1(instance: TaskRates, say: Say) -> None:
    """Rates A of tasks of which no state that is not given loses more than it gains, and of which
    TP >= 0 arrives net at the goal, are C + W + the sum of w(T) times T: a circulation C, waste W
    of TP 0 without directed cycles, and reduction trees with weights w(T) > 0 that add up to TP. If
    A is conserved, W = 0. There are at most 1 + the sum of a - 1 trees, a the number of tasks in
    A - C that make a state.
    """
    _extracted(instance, say)


@claim(
    "legrand2003.trees",
    number="section 4.4, at most 2 n^4 trees",
    status="sharpened",
    instances=SUPPLIED_RATES,
    page="tree-extraction",
    implements=_EXTRACTION,
    judged="parts added up again; definition 1 of a tree; tasks counted",
)
def few_trees(instance: TaskRates, say: Say) -> None:
    """Let N values be reduced on n >= N nodes. There are at most N^3 n + N^2 n^2 <= 2 n^4 tasks,
    each tree that is extracted uses one up, and so there are at most 2 n^4 trees. In fact there are
    at most 1 + the sum of a - 1, as in theorem 1, and never more than there are tasks in the trees.
    """
    problem = instance.problem
    values, nodes = len(problem.owners), len(problem.platform.nodes)
    if values > nodes:
        say.not_applicable("more values than nodes")
    trees = _extracted(instance, say).trees
    tasks = {task for tree in trees for task in tree.tasks}
    say(values=values, nodes=nodes, tasks=len(tasks))
    say.require(len(trees) <= len(tasks), "more trees than tasks")
    most = values**3 * nodes + values**2 * nodes**2
    say.require(len(tasks) <= most <= 2 * nodes**4, "more tasks than N^3 n + N^2 n^2")
    spare = len(tasks) - len({makes(problem, task) for task in tasks})
    say.require(len(trees) <= 1 + spare, "more trees than spare ways to make a state, and one")


def _excesses(instance: TaskRates) -> tuple[Rational, list[Rational]]:
    """What arrives at the goal, net, and what is left over in every other state not given."""
    problem, there = instance.problem, given(instance.problem)
    found = balances(problem, instance.by_task())
    arriving = found.pop(problem.goals[0], 0)
    return arriving, [excess for state, excess in found.items() if state not in there]


def _extracted(instance: TaskRates, say: Say) -> Extraction:
    """A is C + W + the sum of weighted trees, as many as arrives and few enough."""
    problem, rates = instance.problem, instance.by_task()
    arriving, others = _excesses(instance)
    if min(others, default=0) < 0 or arriving < 0:
        say.not_applicable("something is used that is not there")
    found = extract_trees(problem, rates)
    circulation, waste = found.circulation, found.waste
    say(
        throughput=to_json(arriving),
        trees=len(found.trees),
        circulation=len(circulation),
        waste=len(waste),
    )
    total: dict[Task, Rational] = {}
    weighted = [(tree.tasks, tree.weight) for tree in found.trees]
    parts = [((task,), rate) for task, rate in (*circulation.items(), *waste.items())]
    for tasks, weight in (*weighted, *parts):
        say.require(weight > 0, "a part is not positive")
        for task in tasks:
            total[task] = total.get(task, 0) + weight
    for tasks, _ in weighted:
        reason = no_tree(problem, tasks)
        say.require(not reason, reason)
    whole = total == {task: rate for task, rate in rates.items() if rate}
    say.require(whole, "the parts do not add up to the rates")
    arrived = sum(weight for _, weight in weighted) == arriving
    say.require(arrived, "the weights are not what arrives")
    conserved = not any(balances(problem, circulation).values())
    sent_only = all(len(task) == 3 for task in circulation)
    say.require(conserved and sent_only, "the circulation is not a circulation")
    say.require(not goes_round(problem, waste), "the waste goes round")
    acyclic = {task for task, rate in rates.items() if rate > circulation.get(task, 0)}
    say.require(not goes_round(problem, dict.fromkeys(acyclic, 1)), "a cycle is left")
    spare = len(acyclic) - len({makes(problem, task) for task in acyclic})
    say.require(
        len(found.trees) <= 1 + spare, "more trees than spare ways to make a state, and one"
    )
    say.require(not waste or any(others), "conserved rates leave waste")
    return found


@claim(
    "legrand2003.thm1.printed",
    number="theorem 1, figure 8",
    counterexample=lambda: around(Fraction(1, 2), ((0, 1), Fraction(1, 6))),
    instances=SOLUTIONS_OF_SSR,
    corners=SOLUTIONS_OF_SSR.corners,
    page="tree-extraction",
    implements=_EXTRACTION,
    judged="the algorithm as printed",
)
def theorem_1_as_printed(instance: TaskRates, say: Say) -> None:
    """EXTRACT_TREE(A), which prefers what is made in place, ends for every solution A of SSR(G),
    and A is the sum of w(T) times T over its trees.
    """
    problem, left = instance.problem, instance.by_task()
    try:
        throughput = refuse_unless_feasible(problem, left)
    except InvalidInput as error:
        say.not_applicable(f"no solution of SSR(G): {error}")
    reached, trees = Fraction(0), 0
    while reached < throughput:
        tree = _found_tree(instance, left)
        if isinstance(tree, str):
            say(trees=trees, tasks=len(left))
            say.refute(tree)
        weight = min(left[task] for task in tree)
        for task in tree:
            left[task] -= weight
        reached, trees = reached + weight, trees + 1
    say(trees=trees)
    if rest := sum(1 for rate in left.values() if rate):
        say(rest=rest)
        say.refute("the trees reach TP, and a part of A is left over")
    say(throughput=to_json(throughput))


def _found_tree(instance: TaskRates, left: Mapping[Task, Rational]) -> list[Task] | str:
    """FIND_TREE of figure 8, which takes what is made in place, then the first link; or why not."""
    problem, there = instance.problem, given(instance.problem)
    arcs = len(problem.platform.arcs)
    inputs: list[State] = [problem.goals[0]]
    tree: list[Task] = []
    while inputs:
        state = inputs.pop()
        if state in there:
            continue
        makers = [task for task, rate in left.items() if rate and makes(problem, task) == state]
        if not makers:
            return "FIND_TREE is stuck"
        if len(tree) >= len(left):  # A state is wanted again: this goes on for ever.
            return "FIND_TREE goes round for ever"
        tree.append(min(makers, key=lambda task: (task[0] < arcs, task)))
        inputs += needs(problem, tree[-1])
    return tree
