"""Series and runs of collectives, read as jobs of the machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from typing import Any

from exactsched.certificate.collectives import PeriodicSchedule, Run
from exactsched.exact.errors import Rejected
from exactsched.model.platform import one_line
from exactsched.model.problem import (
    Allgather,
    Alltoall,
    Broadcast,
    Collective,
    Combination,
    Reduction,
)
from exactsched.model.resources import place_resources
from exactsched.model.tasks import COMPLETE, FORWARD, GATHER, SPREAD
from exactsched.simulation.line import Line, Structure
from exactsched.simulation.machine import Goal, Job, Operator, State, Task, on_arc

# (place, item...), as the certificate writes it.
_Written = tuple[int, ...]


def collective_task(
    problem: Collective,
    written: Sequence[_Written],
    operator: Operator,
    slowed: Mapping[int, Fraction] | None = None,
) -> Task:
    """The jobs are those of the tasks `written`, in this order; `slowed` as in `slowness`."""
    names = place_resources(problem)
    jobs = [_job(problem, task, names[task[0]]) for task in written]
    if slowed:
        arcs = [problem.platform.arcs[place] for place, *_ in written]
        jobs = [
            replace(job, shares=tuple(link.cost / (arc.cost * slowed[place]) for link in arc.route))
            for job, arc, (place, *_) in zip(jobs, arcs, written, strict=True)
        ]
    if isinstance(problem, Broadcast):
        return _broadcast_task(problem, jobs)
    if isinstance(problem, Alltoall):
        return _alltoall_task(problem, jobs)
    if isinstance(problem, Allgather):
        return _allgather_task(problem, jobs)
    if isinstance(problem, Combination):
        return _combination_task(problem, jobs, operator)
    return _reduction_task(problem, jobs, operator)


def slowness(problem: Collective, schedule: PeriodicSchedule) -> Mapping[int, Fraction]:
    """Under routes, how many times as long as alone all work of an arc takes in its slots."""
    if problem.ports != "routes":
        return {}
    alone: dict[int, Fraction] = {}
    for structure in schedule.structures:
        for task in structure.tasks:
            time = structure.operations * _duration(problem, task)
            alone[task[0]] = alone.get(task[0], Fraction(0)) + time
    lasting = dict.fromkeys(alone, Fraction(0))
    for index, (place, start, end) in enumerate(schedule.slots):
        if place not in lasting or not start < end:
            rule = "a slot has a length and belongs to an arc that has work"
            raise Rejected(f"schedule.slots[{index}]", [place, start, end], rule)
        lasting[place] += (end - start) * schedule.tick
    for place, time in lasting.items():
        if not time:
            raise Rejected("schedule.slots", place, "an arc with work has a slot")
    return {place: time / alone[place] for place, time in lasting.items()}


def collective_line(problem: Collective, schedule: PeriodicSchedule) -> tuple[Line, list[_Written]]:
    """The line of a schedule, and the tasks that its jobs stand for.

    Raises `Rejected` if a task starts from what is not there, if a tree does not reach all nodes
    on exactly one way, and if the parts of an operation are not served equally.
    """
    number: dict[_Written, int] = {}
    structures: list[Structure] = []
    for index, stated in enumerate(schedule.structures):
        place = f"schedule.structures[{index}]"
        levels = _levels(problem, stated.tasks, place)
        if isinstance(problem, Broadcast):
            _refuse_no_tree(problem, stated.tasks, place)
        jobs = ((number.setdefault(task, len(number)), level) for task, level in levels)
        structures.append(Structure(stated.part, stated.operations, tuple(jobs)))
    _refuse_unequal(problem, structures)
    written = list(number)
    slowed = slowness(problem, schedule)
    line = Line(
        schedule.period,
        schedule.tick,
        schedule.slots,
        structures,
        {job: task[0] for task, job in number.items()},
        {job: _duration(problem, task) * slowed.get(task[0], 1) for task, job in number.items()},
        lambda place: _place_name(problem, place),
    )
    return line, written


def task_durations(stated: Run) -> Callable[[int, int], int | None]:
    """How many ticks a task of an operation takes; None if that is not a whole number."""
    arcs = stated.problem.platform.arcs

    def ticks(size: Fraction) -> list[int | None]:
        found: list[int | None] = []
        for task in stated.tasks:
            latency = arcs[task[0]].latency if task[0] < len(arcs) else Fraction(0)
            count = (latency + size * _duration(stated.problem, task)) / stated.tick
            found.append(count.numerator if count.denominator == 1 else None)
        return found

    if not stated.sizes:
        same = ticks(Fraction(1))
        return lambda task, _: same[task]
    by_size = {size: ticks(size) for size in set(stated.sizes)}
    return lambda task, operation: by_size[stated.sizes[operation]][task]


def _job(problem: Collective, task: _Written, busy: tuple[str, ...]) -> Job:
    inputs, output = _states(problem, task)
    where = _place_name(problem, task[0])
    if isinstance(problem, Broadcast):
        # In a series a latency belongs to the cost: the reader refuses it there.
        return Job(where, busy, inputs, output, not problem.platform.arcs[task[0]].latency)
    if isinstance(problem, Alltoall):
        name = f"sending {one_line(problem.demands[task[1]])} {where}"
    elif isinstance(problem, Allgather):
        name = f"sending {one_line(problem.roots[task[1]])}, copy {task[2]}, {where}"
        forwards = problem.platform.arcs[task[0]].tail not in problem.group
        whole = bool(problem.platform.arcs[task[0]].latency)
        return Job(name, busy, inputs, output, not whole, forwards=forwards)
    elif isinstance(problem, Combination):
        what = "the sum" if task[2] == SPREAD else "a partial sum"
        name = f"sending {what} of {one_line(problem.blocks[task[1]])} {where}"
        forwards = problem.platform.arcs[task[0]].tail not in problem.group_of(task[1])
        whole = bool(problem.platform.arcs[task[0]].latency)
        return Job(name, busy, inputs, output, not whole, forwards=forwards)
    else:
        doing = "sending v" if len(inputs) == 1 else "doing T"
        name = f"{doing}[{','.join(map(str, task[1:]))}] {where}"
    return Job(name, busy, inputs, output)


def _states(problem: Collective, task: _Written) -> tuple[tuple[State, ...], State]:
    """Where a task finds what it needs, and what is known where after it."""
    arcs, nodes = problem.platform.arcs, problem.platform.nodes
    place, item = task[0], task[1:]
    if isinstance(problem, Allgather):
        # In the group a shard is a shard; elsewhere every copy is another one.
        ends = arcs[place].tail, arcs[place].head
        one, other = ((item[:1] if end in problem.group else item, end) for end in ends)
        return (one,), other
    if isinstance(problem, Combination):
        return _states_of_call(problem, task)
    if place < len(arcs):
        return ((item, arcs[place].tail),), (item, arcs[place].head)
    node = nodes[place - len(arcs)]
    first, cut, last = item
    return (((first, cut), node), ((cut + 1, last), node)), ((first, last), node)


def _states_of_call(problem: Combination, call: _Written) -> tuple[tuple[State, ...], State]:
    """Own values are (block, -1), what a call tells (block, its first arc), and a sum is (block,).

    At nodes that only forward every copy of a sum is another one, (block, -2, copy).
    """
    arcs, (place, block, does, *told) = problem.platform.arcs, call
    tail, head, group = arcs[place].tail, arcs[place].head, problem.group_of(block)
    if does == SPREAD:
        passing: State = (block, -2, *told), tail
        one = ((block,), tail) if tail in group else passing
        return (one,), ((block,) if head in group else (block, -2, *told), head)
    if does == FORWARD:
        return (((block, told[0]), tail),), ((block, told[0]), head)
    # Who has been told: the sender, but of the calls that the last one meets at the root.
    if does == GATHER:
        who = [tail] * len(told)
    elif tail in group:
        who = [arcs[arc].head if arcs[arc].head in group else tail for arc in told]
    else:
        who = [tail] + [head] * (len(told) - 1)
    own = [tail] if tail in group or does == GATHER else []
    if does == COMPLETE:
        own.append(head)
    values: list[State] = [((block, -1), node) for node in own]
    heard: list[State] = [((block, arc), node) for arc, node in zip(told, who, strict=True)]
    # What is forwarded comes first.
    inputs = values + heard if tail in group else heard + values
    return tuple(inputs), ((block, place) if does == GATHER else (block,), head)


def _duration(problem: Collective, task: _Written) -> Fraction:
    arcs, place = problem.platform.arcs, task[0]
    if isinstance(problem, Broadcast):
        return arcs[place].cost
    if isinstance(problem, Alltoall):
        return problem.demands[task[1]].size * arcs[place].cost
    if isinstance(problem, Allgather):
        return problem.roots[task[1]].size * arcs[place].cost
    if isinstance(problem, Combination):
        return problem.blocks[task[1]].size * arcs[place].cost
    if place < len(arcs):
        return problem.sizes[task[1], task[2]] * arcs[place].cost
    assert isinstance(problem, Reduction)
    time = problem.time(problem.platform.nodes[place - len(arcs)], (task[1], task[2], task[3]))
    if time is None:
        rule = f"no such task can be done {_place_name(problem, place)}"
        raise Rejected("task", list(task), rule)
    return time


def _levels(
    problem: Collective, tasks: Sequence[_Written], place: str
) -> list[tuple[_Written, int]]:
    """Every task with the largest number of tasks in a row that end with it."""
    level = dict.fromkeys(_given(problem), 0)
    found: list[tuple[_Written, int]] = []
    for index, task in enumerate(tasks):
        inputs, output = _states(problem, task)
        if not all(state in level for state in inputs):
            rule = "a task needs what is given, or made by a task before it"
            raise Rejected(f"{place}, task {index}", list(task), rule)
        level[output] = 1 + max(level[state] for state in inputs)
        found.append((task, level[output]))
    return found


def _given(problem: Collective) -> list[State]:
    if isinstance(problem, Broadcast):
        return [((), problem.source)]
    if isinstance(problem, Alltoall):
        return [((index,), demand.source) for index, demand in enumerate(problem.demands)]
    if isinstance(problem, Allgather):
        return [((index,), root.node) for index, root in enumerate(problem.roots)]
    if isinstance(problem, Combination):
        return [
            state
            for index, block in enumerate(problem.blocks)
            for state in (
                [((index,), block.source)]
                if block.source is not None
                else [((index, -1), node) for node in problem.members_of(block.group)]
            )
        ]
    return [((index, index), owner) for index, owner in enumerate(problem.owners)]


def _refuse_no_tree(problem: Broadcast, tasks: Sequence[_Written], place: str) -> None:
    arcs = problem.platform.arcs
    heads = {arcs[task[0]].head for task in tasks} | {problem.source}
    count = len(problem.platform.nodes)
    if len(tasks) != count - 1 or len(heads) < count:
        rule = "a tree leads from the source to every node on exactly one way"
        raise Rejected(f"{place}.tasks", [task[0] for task in tasks], rule)


def _refuse_unequal(problem: Collective, structures: Sequence[Structure]) -> None:
    parts = 1
    if isinstance(problem, Alltoall):
        parts = len(problem.demands)
    elif isinstance(problem, Allgather):
        parts = len(problem.roots)
    elif isinstance(problem, Combination):
        parts = len(problem.blocks)
    sums = [0] * parts
    for structure in structures:
        sums[structure.part] += structure.count
    if not all(sums) or len(set(sums)) > 1:
        different = next((count for count in sums if count != sums[0]), sums[0])
        rule = "every part has the same number of operations in a period, at least one"
        raise Rejected("schedule", [sums[0], different], rule)


def _place_name(problem: Collective, place: int) -> str:
    arcs = problem.platform.arcs
    if place < len(arcs):
        return on_arc(arcs[place].tail, arcs[place].head)
    return f"on {one_line(problem.platform.nodes[place - len(arcs)])}"


def _broadcast_task(problem: Broadcast, jobs: Sequence[Job]) -> Task:
    goals = [
        Goal(node, ((), node), f"node {one_line(node)}")
        for node in problem.platform.nodes
        if node != problem.source
    ]
    return Task(
        jobs=jobs,
        given=_given(problem),
        goals=goals,
        definition=lambda values: [values[0]] * len(goals),
    )


def _alltoall_task(problem: Alltoall, jobs: Sequence[Job]) -> Task:
    goals = [
        Goal(demand, ((index,), demand.target), f"demand {one_line(demand)}")
        for index, demand in enumerate(problem.demands)
    ]
    return Task(
        jobs=jobs,
        given=_given(problem),
        goals=goals,
        definition=lambda values: values,
    )


def _allgather_task(problem: Allgather, jobs: Sequence[Job]) -> Task:
    wanted = [
        (index, node)
        for index, root in enumerate(problem.roots)
        for node, _ in problem.shards
        if node != root.node
    ]
    goals = [
        Goal(
            (problem.roots[index].node, node),
            ((index,), node),
            f"{one_line(problem.roots[index])} at node {one_line(node)}",
        )
        for index, node in wanted
    ]
    return Task(
        jobs=jobs,
        given=_given(problem),
        goals=goals,
        definition=lambda values: [values[index] for index, _ in wanted],
    )


def _combination_task(problem: Combination, jobs: Sequence[Job], operator: Operator) -> Task:
    goals = [
        Goal(
            (block, node),
            ((block,), node),
            f"{one_line(problem.blocks[block])} at node {one_line(node)}",
        )
        for block, (_, targets, source, _) in enumerate(problem.blocks)
        for node in targets
        if node != source
    ]
    given = _given(problem)

    def definition(values: Sequence[Any]) -> list[Any]:
        """The sum of the values of each block, for all goals."""
        own: dict[int, list[Any]] = {}
        for ((block, *_), _), value in zip(given, values, strict=True):
            own.setdefault(block, []).append(value)
        sums = {block: reduce(operator, listed) for block, listed in own.items()}
        return [sums[goal.key[0]] for goal in goals]

    return Task(
        jobs=jobs,
        given=given,
        goals=goals,
        definition=definition,
        law="associative and commutative",
    )


def _reduction_task(problem: Reduction, jobs: Sequence[Job], operator: Operator) -> Task:
    goals = [
        Goal(((k, m), node), ((k, m), node), f"v[{k},{m}] at node {one_line(node)}")
        for (k, m), node in problem.goals
    ]
    until: dict[int, int] = {}
    for (k, m), _ in problem.goals:
        until[k] = max(until.get(k, k), m)

    def definition(values: Sequence[Any]) -> list[Any]:
        """v[k] v[k+1] ... v[m], joined from the left, for all goals."""
        joined: dict[tuple[int, int], Any] = {}
        for k, last in until.items():
            joined[k, k] = values[k]
            for m in range(k + 1, last + 1):
                joined[k, m] = operator(joined[k, m - 1], values[m])
        return [joined[interval] for interval, _ in problem.goals]

    return Task(
        jobs=jobs,
        given=_given(problem),
        goals=goals,
        definition=definition,
    )
