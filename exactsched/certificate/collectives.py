"""Series and runs of collectives: a schedule that reaches a value, and a proof that none passes it.

Plain data that promises nothing: a solver fills it in, and `exactsched.check` believes none of it.
All collectives share these records; what a task is says `exactsched.model.tasks`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import chain, pairwise
from typing import Annotated, NamedTuple

from exactsched.certificate import rules
from exactsched.certificate.bounds import Bound, refuse_unfit_bound
from exactsched.certificate.limits import MAX_PACKETS
from exactsched.certificate.result import Result
from exactsched.certificate.rules import Count, Index, PlaceIndex, PositiveFraction
from exactsched.exact.errors import Malformed
from exactsched.exact.rational import readable, to_json
from exactsched.model.problem import (
    Allgather,
    Alltoall,
    Broadcast,
    Collective,
    Combination,
    Reduction,
)
from exactsched.model.tasks import COMPLETE, FORWARD, SPREAD, Task, Tree, part_count


class Slot(NamedTuple):
    """The place works from `start` to `end`, in ticks from the start of the period."""

    place: PlaceIndex
    start: int
    end: int


class Row(NamedTuple):
    """The task, an index of `tasks`, works from `start` to `end`, in ticks, for one operation.

    Several rows of one task and operation are the pieces of a task that was interrupted.
    """

    task: Annotated[int, Index("task")]
    operation: Annotated[int, Index("operation")]
    start: int
    end: int


@readable
@dataclass(frozen=True, slots=True)
class Structure:
    """Tasks that carry out one part of an operation.

    They form an arborescence, a path, a reduction tree, or a scheme that shares results.

    - `operations`: of how many operations of every period the structure carries out its part
    - `part`: the demand of an alltoall, the root of an allgather, the block of a combination, 0 for
      others
    - `tasks`: each is `[place, item...]`; not empty, each after the tasks that make what it needs
    """

    operations: Count
    part: Annotated[int, Index("part")]
    tasks: tuple[Task, ...]

    @property
    def arcs(self) -> tuple[int, ...]:
        """The places of the tasks: the arcs, where nothing is computed."""
        return tuple(task[0] for task in self.tasks)

    def validate(self) -> None:
        rules.not_empty(self.tasks, "tasks")


@readable
@dataclass(frozen=True, slots=True)
class PeriodicSchedule:
    """What every period of length `period` looks like: which tasks belong to it, and when.

    The tasks of a place use the time of its slots one after the other: in the order of the
    structures, and in each in the order of its tasks, every task as often as its structure has
    operations.

    - `period`: the time after which the schedule repeats
    - `tick`: the unit of time of the slots
    - `structures`: not empty
    - `slots`: when the places work; under `ports` "routes" the same time for all, at a constant
      speed
    - `whole`: true if no single task is ever interrupted; false says nothing
    """

    period: PositiveFraction
    tick: PositiveFraction
    structures: tuple[Structure, ...]
    slots: tuple[Slot, ...]
    whole: bool

    def steps(self) -> list[tuple[Fraction, tuple[int, ...]]]:
        """The period as a list of (duration, places that work at the same time), in order of time.

        The durations add up to the end of the last slot; a step without a place is an idle time.
        """
        starting: dict[int, list[int]] = {}
        ending: dict[int, list[int]] = {}
        for place, start, end in self.slots:
            starting.setdefault(start, []).append(place)
            ending.setdefault(end, []).append(place)
        moments = sorted(starting.keys() | ending.keys())
        active: set[int] = set()
        found: list[tuple[Fraction, tuple[int, ...]]] = []
        for now, then in pairwise(moments):
            active.difference_update(ending.get(now, ()))
            active.update(starting.get(now, ()))
            found.append(((then - now) * self.tick, tuple(sorted(active))))
        return found

    def validate(self) -> None:
        rules.not_empty(self.structures, "structures")


@dataclass(frozen=True, slots=True)
class Series(Result):
    """A periodic schedule of a series of operations.

    - `problem`: what is asked; its arcs have no latencies
    - `throughput`: what the schedule reaches, in operations per time unit
    - `bound`: no schedule has a larger throughput
    - `optimal`: whether `throughput` is `bound`
    - `schedule`: null for throughput 0
    - `proof`: why the bound holds; it proves exactly this number
    """

    problem: Collective
    throughput: Fraction
    bound: Fraction
    optimal: bool
    schedule: PeriodicSchedule | None
    proof: Bound

    @property
    def trees(self) -> tuple[Tree, ...]:
        """The structures with their names and weights, in operations per time unit."""
        if self.schedule is None:
            return ()
        return tuple(
            Tree(
                one.part,
                one.tasks,
                one.operations / self.schedule.period,
                self.problem.platform,
            )
            for one in self.schedule.structures
        )

    def validate(self) -> None:
        refuse_latencies(self.problem)
        if self.schedule is not None:
            refuse_unfit_schedule(self.problem, self.schedule)
        refuse_unfit_bound(self.problem, self.proof, run=False)


@dataclass(frozen=True, slots=True)
class Run(Result):
    """A finite schedule of `operations` operations that ends at `makespan`.

    - `problem`: what is asked; a broadcast has `restrict` "none" here, and only broadcasts,
      allgathers and combinations may have arcs with latencies
    - `operations`: M, how many operations are carried out, from 1 to 1,000,000
    - `sizes`: empty if all operations have size 1; otherwise, for broadcasts, allgathers and
      combinations only, the size of each of the M operations: that of its message, or a factor of
      all its shards or blocks
    - `makespan`: the time at which the schedule ends
    - `bound`: no schedule has a smaller makespan
    - `optimal`: whether `makespan` is `bound`
    - `tick`: the unit of time of the rows
    - `tasks`: each is `[place, item...]`; none twice, the rows refer to them
    - `rows`: when the tasks work; not empty, in any order
    - `proof`: why the bound holds; it proves exactly this number
    """

    problem: Collective
    operations: int
    sizes: tuple[PositiveFraction, ...]
    makespan: Fraction
    bound: Fraction
    optimal: bool
    tick: PositiveFraction
    tasks: tuple[Task, ...]
    rows: tuple[Row, ...]
    proof: Bound

    @property
    def volume(self) -> Fraction:
        """The sizes of all operations together."""
        return sum(self.sizes, start=Fraction(0)) if self.sizes else Fraction(self.operations)

    def validate(self) -> None:
        if not 1 <= self.operations <= MAX_PACKETS:
            rule = f"a run has from 1 to {MAX_PACKETS} operations"
            raise Malformed("operations", to_json(self.operations), rule)
        if self.sizes and not isinstance(self.problem, (Broadcast, Allgather, Combination)):
            rule = "only broadcasts, allgathers and combinations differ in size"
            raise Malformed("sizes", len(self.sizes), rule)
        if self.sizes and len(self.sizes) != self.operations:
            rule = f"one for each operation is needed: {self.operations}"
            raise Malformed("sizes", len(self.sizes), rule)
        if isinstance(self.problem, Broadcast) and self.problem.restrict != "none":
            raise Malformed("problem.restrict", self.problem.restrict, "a run is not restricted")
        _refuse_no_tasks(self.problem, self.tasks, "tasks")
        if len(set(self.tasks)) < len(self.tasks):
            again = len(self.tasks) - len(set(self.tasks))
            raise Malformed("tasks", again, "a task is listed once")
        rules.not_empty(self.rows, "rows")
        rules.indices(rules.column(self.rows, 0), len(self.tasks), "rows", "task", "[0]")
        rules.indices(rules.column(self.rows, 1), self.operations, "rows", "operation", "[1]")
        if self.problem.ports == "routes":
            rule = "a run has transfers one after the other; under routes there are series only"
            raise Malformed("problem.ports", self.problem.ports, rule)
        refuse_unfit_bound(self.problem, self.proof, run=True)


Certificate = Series | Run


def refuse_latencies(problem: Collective) -> None:
    """Raises `Malformed` for a problem that no series can have."""
    arc = problem.platform.first_late
    if arc is not None:
        place = f"problem.platform.arcs[{problem.platform.arcs.index(arc)}]"
        raise Malformed(place, str(arc), "in a series a latency belongs to the cost")


def refuse_unfit_schedule(problem: Collective, schedule: PeriodicSchedule) -> None:
    """Raises `Malformed` unless parts, tasks and places are those of the problem."""
    structures = schedule.structures
    parts = [structure.part for structure in structures]
    rules.indices(parts, part_count(problem), "schedule.structures", "part", ".part")
    if not _are_tasks(problem, list(chain.from_iterable([one.tasks for one in structures]))):
        for index, structure in enumerate(structures):
            _refuse_no_tasks(problem, structure.tasks, f"schedule.structures[{index}].tasks")
    places = rules.column(schedule.slots, 0)
    rules.indices(places, _places(problem), "schedule.slots", "place", "[0]")


def _are_tasks(problem: Collective, tasks: Sequence[Task]) -> bool:
    """Whether the problem has these tasks, all at once: they may be millions."""
    if isinstance(problem, Combination):
        return all(map(partial(_is_call, problem), tasks))
    if isinstance(problem, Reduction):
        return _are_sums(problem, tasks)
    limits = [len(problem.platform.tails)]
    if isinstance(problem, Alltoall):
        limits.append(len(problem.demands))
    elif isinstance(problem, Allgather):
        limits += len(problem.roots), len(problem.shards) - 1
    if not tasks:
        return True
    if list(map(len, tasks)).count(len(limits)) < len(tasks):
        return False
    elements = list(chain.from_iterable(tasks))
    # The numbers of a column are few: to sort them out takes half the time of looking at all.
    columns = [{*elements[position :: len(limits)]} for position in range(len(limits))]
    return all(
        min(column) >= 0 and max(column) < limit
        for column, limit in zip(columns, limits, strict=True)
    )


def _are_sums(problem: Reduction, tasks: Sequence[Task]) -> bool:
    """Whether arcs carry v[k,m], and processors combine v[k,l] and v[l+1,m] of the reduction."""
    arcs, places, count = len(problem.platform.tails), _places(problem), len(problem.owners)
    sent = [task for task in tasks if len(task) == 3]
    combined = [task for task in tasks if len(task) == 4]
    return (
        len(sent) + len(combined) == len(tasks)
        and all(0 <= place < arcs and 0 <= low <= high < count for place, low, high in sent)
        and all(
            arcs <= place < places and 0 <= low <= middle < high < count
            for place, low, middle, high in combined
        )
    )


def _refuse_no_tasks(problem: Collective, tasks: Sequence[Task], place: str) -> None:
    if _are_tasks(problem, tasks):
        return
    for index, task in enumerate(tasks):
        _refuse_no_task(problem, task, f"{place}[{index}]")


def _refuse_no_task(problem: Collective, task: Task, place: str) -> None:
    if not task:
        raise Malformed(place, [], "a task is [place, item...]")
    rules.index(task[0], _places(problem), f"{place}[0]", "place")
    if not _are_tasks(problem, [task]):
        raise Malformed(place, [to_json(number) for number in task[:8]], _what_a_task_is(problem))


def _what_a_task_is(problem: Collective) -> str:
    if isinstance(problem, Broadcast):
        return "an arc carries the message of a broadcast: [arc]"
    if isinstance(problem, Alltoall):
        return f"an arc carries the message of one of the {len(problem.demands)} demands, from 0"
    if isinstance(problem, Allgather):
        roots, copies = len(problem.roots), len(problem.shards) - 1
        return f"an arc carries one of {copies} copies of the shard of one of {roots} roots, from 0"
    if isinstance(problem, Reduction):
        return (
            "an arc carries v[k,m] with k <= m, a processor does T[k,l,m] with k <= l < m,"
            f" of {len(problem.owners)} values, from 0"
        )
    rule = (
        "a call is [arc, block, 2], or [arc, block, 0 or 1, arcs...] with other arcs,"
        " increasing, into its tail, or, after a 1, into its tail or its head"
    )
    count = len(problem.platform.nodes)
    if any(len(problem.numbered(number)) < count for number in problem.parts_of):
        rule += (
            "; around nodes that only forward [arc, block, 2, copy], [arc, block, 3, call] or"
            " [arc, block, 1, call, arcs...]; a call is named by an arc from the group to them"
        )
    return rule


def _is_call(problem: Combination, task: Task) -> bool:
    tails, heads = problem.platform.tails, problem.platform.heads
    if len(task) < 3 or not 0 <= task[0] < len(tails):
        return False
    place, block, does, *told = task
    if not 0 <= block < len(problem.blocks) or not 0 <= does <= FORWARD:
        return False
    group = problem.group_of(block)
    tail, head = tails[place] in group, heads[place] in group
    if does == SPREAD:
        if tail and head:
            return not told
        return len(told) == 1 and 0 <= told[0] < len(group) - 1
    if told and (min(told) < 0 or max(told) >= len(tails) or place in told):
        return False
    if does == FORWARD or not tail:
        # A node that only forwards sends on what the call has told over its first arc.
        if tail or not told or tails[told[0]] not in group or heads[told[0]] in group:
            return False
        if does == FORWARD:
            return len(told) == 1
        del told[0]
    if not (head if does == COMPLETE else tail):
        return False
    if len(told) > 1 and sorted({*told}) != told:
        return False
    ends = [heads[place]] if does == COMPLETE else []
    if tail:
        ends.append(tails[place])
    for arc in told:
        if tails[arc] not in group or (heads[arc] in group and heads[arc] not in ends):
            return False
    return True


def _places(problem: Collective) -> int:
    """Arcs work, and processors where something is computed."""
    arcs = len(problem.platform.tails)
    return arcs + len(problem.platform.nodes) if isinstance(problem, Reduction) else arcs
