"""What a series of reductions is, by definition: SSR(G), trees, schemes, and instances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from math import prod

from exactsched.instances.choices import Choices, Replayed
from exactsched.instances.platforms import reduction
from exactsched.model.platform import Node, Platform
from exactsched.model.problem import Interval, Reduction
from exactsched.model.tasks import State, Task, duration, given, makes, needs
from exactsched.platforms.built_in import built_in
from exactsched.theorems.legrand2003.series import (
    Order,
    ThroughputProgram,
    any_order,
    first_possible,
    paths,
    possible_tasks,
)


@dataclass(frozen=True)
class ReductionSchedule:
    """Tasks in the `order` in which they begin, `prices` of resources, and a number of operations.

    A row of the order is (operation, arc, k, m) or (operation, processor, k, l, m).
    """

    problem: Reduction
    order: Order
    prices: tuple[int, ...]
    operations: int


# The linear program, and trees -------------------------------------------------------------------


def flow_of_results(problem: Reduction, gross: bool = False) -> Fraction:
    """SSR(G): all states but given ones and the goal are conserved; TP is what the goal gains.

    It gains net of what leaves it, or, as printed, all that enters or is made (`gross`).  With
    several goals each has rates of its own, and tasks are done as often as the largest says.

    Nobody can compute here, but v[0,1] may leave t and come back:

    >>> pair = Platform("ta", [("t", "a", 1), ("a", "t", 1)])
    >>> asked = Reduction(pair, ("t", "a"), (((0, 1), "t"),), Fraction(1), ())
    >>> flow_of_results(asked), flow_of_results(asked, gross=True)
    (Fraction(0, 1), Fraction(1, 1))
    """
    program = ThroughputProgram(problem)
    there = given(problem)
    done: dict[Task, int] = {}
    for goal in problem.goals:
        balance: dict[State, dict[int, int]] = {goal: {0: -1}}
        for task in possible_tasks(problem):
            if task not in done:
                done[task] = program.rate(task[0], duration(problem, task))
            rate = done[task]
            if len(problem.goals) > 1:
                rate = program.rate()
                program.at_most({rate: 1, done[task]: -1}, 0)
            balance.setdefault(makes(problem, task), {})[rate] = 1
            for state in needs(problem, task):
                if state != goal or not gross:
                    balance.setdefault(state, {})[rate] = -1
        for state, row in balance.items():
            if state not in there:
                program.equation(row)
    return program.value()


def trees(problem: Reduction, interval: Interval, node: Node) -> Iterator[frozenset[Task]]:
    """All ways to have v[k,m] at the node: made or given somewhere, then sent along a path.

    In the triangle v[1,2] for P2 is made there in 2 ways, at P0 in 2 * 2 * 2, at P1 in 2 * 2:

    >>> len(list(trees(TOY, (1, 1), "P0"))), len(list(trees(TOY, (1, 2), "P2")))
    (2, 14)
    """
    (k, m), arcs = interval, len(problem.platform.arcs)
    for place, start in enumerate(problem.platform.nodes):
        for route in paths(problem, start, node, frozenset({start})):
            sent = frozenset((arc, k, m) for arc in route)
            if k == m and problem.owners[k] == start:
                yield sent
            for cut in range(k, m):
                if problem.time(start, (k, cut, m)) is not None:
                    made = (arcs + place, k, cut, m)
                    for left in trees(problem, (k, cut), start):
                        for right in trees(problem, (cut + 1, m), start):
                            yield sent | left | right | {made}


def schemes(problem: Reduction, most: int) -> list[frozenset[Task]] | None:
    """The unions of a tree for every goal, without those that contain others; None if many.

    >>> pair = Platform("ab", [("a", "b", 1)])
    >>> goals = ((0, 1), "b"), ((0, 0), "b")
    >>> asked = Reduction(pair, ("a", "b"), goals, Fraction(1), (("b", 1),))
    >>> [sorted(tasks) for tasks in schemes(asked, 9)]
    [[(0, 0, 0), (2, 0, 0, 1)]]
    """
    ways = [list(islice(trees(problem, *goal), most + 1)) for goal in problem.goals]
    if prod(len(listed) for listed in ways) > most:
        return None
    unions = {frozenset().union(*chosen) for chosen in product(*ways)}
    kept: list[frozenset[Task]] = []
    for union in sorted(unions, key=lambda tasks: (len(tasks), sorted(tasks))):
        if not any(less <= union for less in kept):
            kept.append(union)
    return kept


def no_tree(problem: Reduction, tasks: tuple[Task, ...]) -> str:
    """Definition 1, and lemma 0: N tasks T[k,l,m], 2N + 1 intervals, each on a simple path."""
    there, goal = given(problem), problem.goals[0]
    made: set[State] = set()
    used: Counter[State] = Counter()
    for task in tasks:
        for state in needs(problem, task):
            if state not in there and state not in made:
                return "a task of a tree has not what it needs"
            used[state] += 1
        if makes(problem, task) in there | made:
            return "a task of a tree makes what is there"
        made.add(makes(problem, task))
    if goal not in made or any(used[state] != (state != goal) for state in made):
        return "a result of a tree is not used once"
    merges = sum(len(task) == 4 for task in tasks)
    (k, m), _ = goal
    intervals = {interval for interval, _ in made | set(used)}
    if merges != m - k or len(intervals) != 2 * merges + 1:
        return "a tree has N tasks and 2 N + 1 intervals"
    return ""


# Instances ---------------------------------------------------------------------------------------


def any_reduction(choices: Choices, bound: int) -> Reduction:
    """Of up to `bound` nodes; one in four may well have no reduction tree."""
    return _as_it_comes(choices, bound) if choices.flip(4) else possible_reduction(choices, bound)


def possible_reduction(choices: Choices, bound: int) -> Reduction:
    """One that has a reduction tree, of up to `bound` nodes."""
    return first_possible(_as_it_comes(choices, bound) for _ in range(8))


def _as_it_comes(choices: Choices, bound: int) -> Reduction:
    return reduction(choices, max_nodes=bound, max_values=max(3, bound - 1))


def schedule_of(problem: Reduction, choices: Choices) -> ReductionSchedule:
    """Random schemes of a few operations, mixed at random, and random prices."""
    order = any_order(problem, choices, choices.between(1, 3))
    prices = tuple(choices.below(4) for _ in range(7))
    return ReductionSchedule(problem, order, prices, choices.between(1, 3))


def simple_schedule(problem: Reduction) -> ReductionSchedule:
    """The simplest one of `schedule_of`, with two operations."""
    return ReductionSchedule(problem, any_order(problem, Replayed([]), 2), (1, 0, 2), 3)


_TRIANGLE = built_in("reduce-toy")
TOY = Reduction(
    Platform(_TRIANGLE.nodes, _TRIANGLE.arcs),
    ("P0", "P1", "P2"),
    (((0, 2), "P0"),),
    Fraction(1),
    (("P0", "1/2"), ("P1", 1), ("P2", 1)),
)
