"""Any schedule of a series of alltoalls or reductions: random tasks in a random order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from exactsched.graphs.reachability import breadth_first
from exactsched.instances.choices import Choices
from exactsched.model.problem import Alltoall, Reduction
from exactsched.model.tasks import State, Task, given, makes, needs, wanted
from exactsched.oracles.series import Order, Series, least_costs, possible_tasks

_Series = TypeVar("_Series", Alltoall, Reduction)


def first_possible(made: Iterable[_Series]) -> _Series:
    """The first problem in which all that is wanted can be had, else the last one."""
    for problem in made:
        if set(wanted(problem)) <= set(least_costs(problem, {})):
            break
    return problem


def any_scheme(
    problem: Series, goals: Sequence[State], choices: Choices, tasks: Sequence[Task], waste: int = 0
) -> list[Task] | None:
    """Random tasks after each other that make the goals, `waste` of them in vain; None if none do.

    >>> from exactsched.instances.choices import Replayed
    >>> from exactsched.model.platform import Platform
    >>> line = Alltoall(Platform("abc", [("a", "b", 1), ("b", "c", 1)]), (("a", "c"),))
    >>> any_scheme(line, wanted(line), Replayed([]), possible_tasks(line))
    [(0, 0), (1, 0)]
    """
    made_of = {task: (needs(problem, task), makes(problem, task)) for task in tasks}
    known = set(given(problem))
    maker: dict[State, Task] = {}
    while not known.issuperset(goals):
        ready = [
            task
            for task, (inputs, made) in made_of.items()
            if made not in known and known.issuperset(inputs)
        ]
        if not ready:
            return None
        chosen = choices.one_of(ready)
        maker[made_of[chosen][1]] = chosen
        known.add(made_of[chosen][1])
    made = breadth_first(
        (goal for goal in goals if goal in maker),
        lambda state: [needed for needed in made_of[maker[state]][0] if needed in maker],
    )
    kept = {maker[state] for state in made}
    spare = [task for task in maker.values() if task not in kept]
    kept.update(choices.several_of(spare, min(waste, len(spare))))
    # What is done in vain may lack its inputs then: a schedule leaves such tasks out.
    there = set(given(problem))
    listed = []
    for task in maker.values():
        if task in kept and there.issuperset(made_of[task][0]):
            listed.append(task)
            there.add(made_of[task][1])
    return listed


def any_order(problem: Series, choices: Choices, operations: int) -> Order:
    """Random schemes for this many operations, mixed at random; empty if there is no scheme."""
    tasks, goals = possible_tasks(problem), wanted(problem)
    listed = []
    for operation in range(operations):
        scheme = any_scheme(problem, goals, choices, tasks, choices.below(3))
        if scheme is None:
            return ()
        listed.append([(operation, *task) for task in scheme])
    order = []
    while listed:
        one = choices.one_of(listed)
        order.append(one.pop(0))
        if not one:
            listed.remove(one)
    return tuple(order)
