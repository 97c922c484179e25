"""What the tasks of a collective need, make and take: the one place where solvers read a `Task`.

A *state* is a pair (item, node): at that node the item is known, a message, or v[k,m].  A task
makes one state of others: a transfer of the same item at the tail, T[k,l,m] of v[k,l] and
v[l+1,m] at its own node.  A broadcast has a single item, the empty one, so its tasks are (arc,).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from exactsched.certificate.nouns import CollectiveSchedule, Task, WeightedRoute
from exactsched.model.platform import Node
from exactsched.model.problem import Alltoall, Broadcast, Collective

Item = tuple[int, ...]
State = tuple[Item, Node]


@dataclass(frozen=True, slots=True)
class Structure:
    """One way to carry out a part of an operation, `weight` times per time unit.

    `part` is the index of the demand of an all-to-all, and 0 otherwise: a route serves one demand,
    a tree or a scheme the whole operation.  Every operation needs one structure of each part.
    `tasks` are listed after their inputs.
    """

    part: int
    tasks: tuple[Task, ...]
    weight: Fraction


def computes(problem: Collective, task: Task) -> bool:
    """Whether the task is one of a processor."""
    return task[0] >= len(problem.platform.arcs)


def processor(problem: Collective, task: Task) -> Node:
    """The node that a computing task runs on."""
    return problem.platform.nodes[task[0] - len(problem.platform.arcs)]


def duration(problem: Collective, task: Task) -> Fraction:
    """How long the task keeps its place busy: size times cost, or the time to compute.

    >>> from exactsched.model.platform import Platform
    >>> asked = Alltoall(Platform("ab", [("a", "b", 2)]), (("a", "b", 3),))
    >>> duration(asked, (0, 0))
    Fraction(6, 1)
    """
    platform = problem.platform
    if isinstance(problem, Broadcast):
        return platform.arcs[task[0]].cost
    if isinstance(problem, Alltoall):
        return platform.arcs[task[0]].cost * problem.demands[task[1]].size
    if not computes(problem, task):
        return platform.arcs[task[0]].cost * problem.sizes[task[1], task[2]]
    time = problem.time(processor(problem, task), (task[1], task[2], task[3]))
    if time is None:
        raise ValueError(f"no processor does {task}")
    return time


def needs(problem: Collective, task: Task) -> tuple[State, ...]:
    """The states from which the task starts."""
    if computes(problem, task):
        node, (k, cut, m) = processor(problem, task), task[1:]
        return ((k, cut), node), ((cut + 1, m), node)
    return ((task[1:], problem.platform.arcs[task[0]].tail),)


def makes(problem: Collective, task: Task) -> State:
    """The state that the task brings about."""
    if computes(problem, task):
        return (task[1], task[3]), processor(problem, task)
    return task[1:], problem.platform.arcs[task[0]].head


def given(problem: Collective) -> set[State]:
    """The states that are there at the start of every operation."""
    if isinstance(problem, Broadcast):
        return {((), problem.source)}
    if isinstance(problem, Alltoall):
        return {((index,), demand.source) for index, demand in enumerate(problem.demands)}
    return {((index, index), owner) for index, owner in enumerate(problem.owners)}


def wanted(problem: Collective) -> list[State]:
    """The states that an operation has to bring about."""
    if isinstance(problem, Broadcast):
        return [((), node) for node in problem.platform.nodes if node != problem.source]
    if isinstance(problem, Alltoall):
        return [((index,), demand.target) for index, demand in enumerate(problem.demands)]
    return list(problem.goals)


def levels(problem: Collective, tasks: Iterable[Task]) -> list[int]:
    """How many tasks in a row each task ends, itself included: 1 where all inputs are given.

    >>> from exactsched.model.platform import Platform
    >>> asked = Alltoall(Platform("abc", [("a", "b", 1), ("b", "c", 1)]), (("a", "c"),))
    >>> levels(asked, [(0, 0), (1, 0)])
    [1, 2]
    """
    level = dict.fromkeys(given(problem), 0)
    found: list[int] = []
    for task in tasks:
        found.append(1 + max(level[state] for state in needs(problem, task)))
        level[makes(problem, task)] = found[-1]
    return found


def scheduled(schedule: CollectiveSchedule) -> list[tuple[int, int, tuple[Task, ...]]]:
    """The (part, operations, tasks) of each structure in a period."""
    return [
        (entry.demand, entry.messages, tuple((arc, entry.demand) for arc in entry.arcs))
        if isinstance(entry, WeightedRoute)
        else (0, entry.operations, entry.tasks)
        for entry in schedule.structures
    ]
