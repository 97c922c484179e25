"""The steps of a reduction tree or scheme, as RR-4872 draws them (figures 5 and 11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from exactsched.model.platform import Node
from exactsched.model.problem import Reduction
from exactsched.model.tasks import State, Task, computes, given, makes, needs


@dataclass(frozen=True, slots=True)
class Step:
    """A value at its owner, a transfer along the route `nodes`, or a task on the node `nodes[0]`.

    `item` is (k, m) for v[k,m], where k = m for a value, and (k, l, m) for the task T[k,l,m].
    `inputs` are the indices of the steps that bring what this one starts from; of a task first
    the one that brings v[k,l].
    """

    kind: Literal["value", "transfer", "task"]
    item: tuple[int, ...]
    nodes: tuple[Node, ...]
    inputs: tuple[int, ...]


def reduction_steps(problem: Reduction, tasks: Sequence[Task]) -> list[Step]:
    """The steps of a reduction tree, or of any scheme, as RR-4872 draws them in figures 5 and 11.

    `tasks` are listed after their inputs.  Transfers that follow each other are one step, unless
    what they carry is a goal, or is used once more, on the way.  Steps are in the order of their
    first tasks, each after its inputs; a value stands before the first step that uses it.

    >>> from exactsched.model.platform import Platform
    >>> line = Platform("abc", [("a", "b", 1), ("b", "c", 1)], {"c": {"compute": 1}})
    >>> asked = Reduction(line, ("a", "c"), (((0, 1), "c"),), 1, (("c", 1),))
    >>> for step in reduction_steps(asked, [(0, 0, 0), (1, 0, 0), (4, 0, 0, 1)]):
    ...     print(step.kind, step.item, step.nodes, step.inputs)
    value (0, 0) ('a',) ()
    transfer (0, 0) ('a', 'b', 'c') (0,)
    value (1, 1) ('c',) ()
    task (0, 0, 1) ('c',) (1, 2)
    """
    uses = Counter(state for task in tasks for state in needs(problem, task))
    uses.update(problem.goals)
    known: dict[State, int] = {}
    values = given(problem)
    steps: list[Step] = []
    for task in tasks:
        inputs = needs(problem, task)
        for item, node in inputs:
            if (item, node) not in known and (item, node) in values:
                known[item, node] = len(steps)
                steps.append(Step("value", item, (node,), ()))
        made = makes(problem, task)
        came = tuple(known[state] for state in inputs)
        before = steps[came[0]]
        if computes(problem, task):
            steps.append(Step("task", task[1:], (made[1],), came))
        elif before.kind == "transfer" and uses[inputs[0]] == 1:
            steps[came[0]] = replace(before, nodes=(*before.nodes, made[1]))
            known[made] = came[0]
            continue
        else:
            steps.append(Step("transfer", task[1:], (inputs[0][1], made[1]), came))
        known[made] = len(steps) - 1
    return steps
