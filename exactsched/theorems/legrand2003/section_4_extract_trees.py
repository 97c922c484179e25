"""EXTRACT_TREES: rates of tasks are weighted reduction trees (RR-4872, section 4.4)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeVar

from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import Rational, to_json
from exactsched.instances.choices import Choices
from exactsched.model.platform import Node, Platform, both_ways
from exactsched.model.problem import Reduction
from exactsched.model.resources import place_resources
from exactsched.model.tasks import State, Task, duration, given, makes, needs
from exactsched.oracles.reductions import no_tree, possible_reduction
from exactsched.steady_state.extract_trees import Extraction, extract_trees
from exactsched.steady_state.reduction_program import refuse_unless_feasible
from exactsched.theorems.claim import Bounds, Claim, Verdict, held, not_applicable, refuted
from exactsched.theorems.legrand2003.series import any_scheme, least_costs, possible_tasks

_Key = TypeVar("_Key", bound=Hashable)

_PAPER = "Legrand, Marchal, Robert, RR-4872 (2003)"


@dataclass(frozen=True)
class TaskRates:
    """How often each of the `tasks` is done, per time unit or in a period."""

    problem: Reduction
    tasks: tuple[tuple[int, ...], ...]
    rates: tuple[Rational, ...]


# Checks ------------------------------------------------------------------------------------------


def _add(total: dict[_Key, Rational], keys: Iterable[_Key], amount: Rational) -> None:
    for key in keys:
        total[key] = total.get(key, 0) + amount


def _balances(problem: Reduction, rates: Mapping[Task, Rational]) -> dict[State, Rational]:
    """What each state gains minus what it loses."""
    found: dict[State, Rational] = {}
    for task, rate in rates.items():
        _add(found, [makes(problem, task)], rate)
        _add(found, needs(problem, task), -rate)
    return found


def _excesses(instance: TaskRates) -> tuple[Rational, list[Rational]]:
    """What arrives at the goal, net, and what is left over in every other state not given."""
    problem = instance.problem
    rates = dict(zip(instance.tasks, instance.rates, strict=True))
    balances = _balances(problem, rates)
    arriving = balances.pop(problem.goals[0], 0)
    there = given(problem)
    return arriving, [excess for state, excess in balances.items() if state not in there]


def _has_cycle(problem: Reduction, rates: Mapping[Task, Rational]) -> bool:
    """Whether some v[k,m] may go round: arcs that lead to no other go first."""
    left = {task for task, rate in rates.items() if rate and len(task) == 3}
    while True:
        leave = {needs(problem, task)[0] for task in left}
        dead = {task for task in left if makes(problem, task) not in leave}
        if not dead:
            return bool(left)
        left -= dead


def _extracted(instance: TaskRates) -> Verdict:
    problem = instance.problem
    rates = dict(zip(instance.tasks, instance.rates, strict=True))
    arriving, others = _excesses(instance)
    if min(others, default=0) < 0 or arriving < 0:
        return not_applicable("something is used that is not there")
    found = extract_trees(problem, rates)
    facts = {
        "throughput": to_json(arriving),
        "trees": len(found.trees),
        "circulation": len(found.circulation),
        "waste": len(found.waste),
    }
    reason = _not_a_sum(found, rates, arriving)
    if not reason and found.waste and not any(others):
        reason = "conserved rates leave waste"
    return refuted(reason, **facts) if reason else held(**facts)


def _not_a_sum(found: Extraction, rates: Mapping[Task, Rational], arriving: Rational) -> str:
    """Why A is not C + W + the sum of weighted trees, as many as arrives and few enough."""
    problem = found.problem
    total: dict[Task, Rational] = {}
    for task, rate in (*found.circulation.items(), *found.waste.items()):
        _add(total, [task], rate)
    for tree in found.trees:
        _add(total, tree.tasks, tree.weight)
        if reason := no_tree(problem, tree.tasks):
            return reason
    if total != {task: rate for task, rate in rates.items() if rate}:
        return "the parts do not add up to the rates"
    parts = [*found.circulation.values(), *found.waste.values()]
    if min([*parts, *(tree.weight for tree in found.trees)], default=1) <= 0:
        return "a part is not positive"
    if sum(tree.weight for tree in found.trees) != arriving:
        return "the weights are not what arrives"
    around = _balances(problem, found.circulation)
    if any(len(task) == 4 for task in found.circulation) or any(around.values()):
        return "the circulation is none"
    if _has_cycle(problem, found.waste):
        return "the waste goes round"
    acyclic = {task for task, rate in rates.items() if rate > found.circulation.get(task, 0)}
    if _has_cycle(problem, dict.fromkeys(acyclic, 1)):
        return "a cycle is left"
    spare = len(acyclic) - len({makes(problem, task) for task in acyclic})
    if len(found.trees) > 1 + spare:
        return "more trees than spare ways to make a state, and one"
    return ""


def _extracted_whole(instance: TaskRates) -> Verdict:
    _, others = _excesses(instance)
    if any(others) or any(Fraction(rate).denominator > 1 for rate in instance.rates):
        return not_applicable("the rates are not conserved whole numbers")
    verdict = _extracted(instance)
    rates = dict(zip(instance.tasks, instance.rates, strict=True))
    trees = extract_trees(instance.problem, rates).trees
    if any(tree.weight.denominator > 1 for tree in trees):
        return refuted("a weight is not whole", **verdict.facts)
    return verdict


def _literal_extraction(instance: TaskRates) -> Verdict:
    """EXTRACT_TREE and FIND_TREE of figure 8: what is made in place first, then the first link."""
    problem = instance.problem
    left: dict[Task, Rational] = dict(zip(instance.tasks, instance.rates, strict=True))
    try:
        throughput = refuse_unless_feasible(problem, left)
    except InvalidInput as error:
        return not_applicable(f"no solution of SSR(G): {error}")
    arcs, there = len(problem.platform.arcs), given(problem)
    reached, trees = Fraction(0), 0
    while reached < throughput:
        inputs: list[State] = [problem.goals[0]]
        tree: list[Task] = []
        while inputs:
            state = inputs.pop()
            if state in there:
                continue
            makers = [task for task, rate in left.items() if rate and makes(problem, task) == state]
            if not makers or len(tree) >= len(left):
                reason = "FIND_TREE goes round for ever" if makers else "FIND_TREE is stuck"
                return refuted(reason, trees=trees, tasks=len(left))
            # A state is wanted again, so this goes on for ever, if the tree has all tasks already.
            tree.append(min(makers, key=lambda task: (task[0] < arcs, task)))
            inputs += needs(problem, tree[-1])
        weight = min(left[task] for task in tree)
        for task in tree:
            left[task] -= weight
        reached, trees = reached + weight, trees + 1
    rest = sum(1 for rate in left.values() if rate)
    if rest:
        return refuted("the trees reach TP, and a part of A is left over", trees=trees, rest=rest)
    return held(trees=trees, throughput=to_json(throughput))


# Instances ---------------------------------------------------------------------------------------


def _planted(choices: Choices, bound: int, wasteful: bool, whole: bool) -> TaskRates:
    """Some trees, partial results that nobody uses, and some that go round."""
    problem = possible_reduction(choices, bound)
    tasks, goal = possible_tasks(problem), problem.goals[0]
    wants: list[State] = [goal] * choices.below(5)
    if wasteful:
        states = sorted(set(least_costs(problem, {})) - given(problem) - {goal}, key=str)
        wants += [choices.one_of(states) for _ in range(choices.below(4)) if states]
    rates: dict[Task, Rational] = {}
    for state in wants:
        weight = _weight(choices, whole)
        _add(rates, any_scheme(problem, [state], choices, tasks) or (), weight)
    for _ in range(choices.below(4)):
        weight, item = _weight(choices, whole), choices.one_of(problem.intervals)
        around: list[Task] = [(arc, *item) for arc in _cycle(problem.platform, choices)]
        _add(rates, around, weight)
    return TaskRates(problem, tuple(rates), tuple(rates.values()))


def _weight(choices: Choices, whole: bool) -> Rational:
    if choices.flip(20):
        return 10**30 + choices.below(3)
    return choices.between(1, 9) if whole else choices.fraction(9, (1, 2, 5, 7, 11))


def _cycle(platform: Platform, choices: Choices) -> list[int]:
    """The arcs of a directed cycle that a random walk runs into, or none."""
    node = choices.one_of(platform.nodes)
    route: list[int] = []
    passed: list[Node] = []
    while node not in passed:
        leaving = [place for place, arc in enumerate(platform.arcs) if arc.tail == node]
        if not leaving:
            return []
        passed.append(node)
        route.append(choices.one_of(leaving))
        node = platform.arcs[route[-1]].head
    return route[passed.index(node) :]


def _supplied(choices: Choices, bound: int) -> TaskRates:
    return _planted(choices, bound, wasteful=True, whole=False)


def _conserved(choices: Choices, bound: int) -> TaskRates:
    return _planted(choices, bound, wasteful=False, whole=True)


def _solution(choices: Choices, bound: int) -> TaskRates:
    """Conserved rates that keep no resource busy for more than all the time."""
    made = _planted(choices, bound, wasteful=False, whole=False)
    used = place_resources(made.problem)
    busy: dict[str, Rational] = {}
    for task, rate in zip(made.tasks, made.rates, strict=True):
        _add(busy, used[task[0]], rate * duration(made.problem, task))
    most = Fraction(max(busy.values(), default=1))
    return replace(made, rates=tuple(rate / most for rate in made.rates))


# v[0,1] is made at a, and wanted at b.
_MADE_AT_A = Reduction(
    Platform("ab", both_ways([("a", "b", 1)])),
    ("a", "a"),
    (((0, 1), "b"),),
    Fraction(1),
    (("a", 1), ("b", 1)),
)
# The same at the end of an arc; v[0,1] may go on to c.
_MADE_AT_B = Reduction(
    Platform("abc", [("a", "b", 1), ("b", "c", 1)]),
    ("a", "b"),
    (((0, 1), "b"),),
    Fraction(1),
    (("b", 1),),
)


def _around(weight: Rational, *cycles: tuple[tuple[int, int], Rational]) -> TaskRates:
    """v[0,1] is made at a and sent to b; the items of cycles go round a -> b -> a."""
    rates: dict[Task, Rational] = {(2, 0, 0, 1): weight, (0, 0, 1): weight}
    for item, rate in cycles:
        around: list[Task] = [(0, *item), (1, *item)]
        _add(rates, around, rate)
    return TaskRates(_MADE_AT_A, tuple(rates), tuple(rates.values()))


CLAIMS = (
    Claim(
        id="legrand2003.lemma2",
        statement=(
            "Conserved rates of tasks in whole numbers (every state but the given ones and the goal"
            " gains what it loses), with TP >= 0 arriving net at the goal, are a circulation of"
            " partial results and a sum of reduction trees with whole weights, which add up to TP."
            " There are at most 1 + the sum of a - 1 trees, a the number of tasks that make a"
            " state, over all states made, once the circulation is taken out."
        ),
        reference=f"{_PAPER}, lemma 2; as printed there is no circulation",
        status="corrected",
        page="tree-extraction",
        implemented=("exactsched/steady_state/extract_trees.py",),
        checked_by="parts added up again; definition 1 of a tree; balances of states",
        instance_type=TaskRates,
        instance=_conserved,
        check=_extracted_whole,
        bounds=Bounds(4, 6, 8),
        corners=lambda: (
            TaskRates(_MADE_AT_A, (), ()),
            _around(0, ((0, 1), 2)),
            _around(3, ((0, 1), 1), ((0, 0), 2)),
            _around(10**30, ((1, 1), 1)),
        ),
    ),
    Claim(
        id="legrand2003.thm1",
        statement=(
            "Rates A of tasks of which no state that is not given loses more than it gains, and of"
            " which TP >= 0 arrives net at the goal, are C + W + the sum of w(T) times T: a"
            " circulation C, waste W of TP 0 without directed cycles, and reduction trees with"
            " weights w(T) > 0 that add up to TP. If A is conserved, W = 0. There are at most 1 +"
            " the sum of a - 1 trees, a the number of tasks in A - C that make a state."
        ),
        reference=f"{_PAPER}, theorem 1",
        status="corrected",
        page="tree-extraction",
        implemented=("exactsched/steady_state/extract_trees.py",),
        checked_by="parts added up again; definition 1 of a tree; balances of states",
        instance_type=TaskRates,
        instance=_supplied,
        check=_extracted,
        bounds=Bounds(4, 6, 8),
        corners=lambda: (
            _around(Fraction(1), ((0, 1), Fraction(1, 3))),
            # Of what arrives a part leaves the target for good.
            TaskRates(_MADE_AT_B, ((0, 0, 0), (3, 0, 0, 1), (1, 0, 1)), (5, 5, 2)),
            TaskRates(_MADE_AT_A, ((2, 0, 0, 1), (0, 0, 0), (0, 1, 1)), (1, 2, 1)),
        ),
        corrects="legrand2003.thm1.printed",
    ),
    Claim(
        id="legrand2003.thm1.printed",
        statement=(
            "EXTRACT_TREE(A), which prefers what is made in place, ends for every solution A of"
            " SSR(G), and A is the sum of w(T) times T over its trees."
        ),
        reference=f"{_PAPER}, theorem 1 and figure 8",
        status="wrong as printed",
        page="tree-extraction",
        implemented=("exactsched/steady_state/extract_trees.py",),
        checked_by="the algorithm as printed",
        instance_type=TaskRates,
        instance=_solution,
        check=_literal_extraction,
        bounds=Bounds(4, 6, 8),
        corners=lambda: (_around(Fraction(1, 2)),),
        counterexample=lambda: _around(Fraction(1, 2), ((0, 1), Fraction(1, 6))),
    ),
)
