"""The throughput that a periodic schedule reaches, from the definition of a collective."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from itertools import chain, repeat

from exactsched.certificate.budget import hold, products, spend, sums
from exactsched.certificate.collectives import PeriodicSchedule, Slot, Structure
from exactsched.certificate.rules import column
from exactsched.check.collectives.operation import Operation
from exactsched.check.collectives.operations import operation_of
from exactsched.check.collectives.operations_of_sums import CombinationOperation
from exactsched.check.collectives.overlaps import refuse_overlaps
from exactsched.check.collectives.shared_links import refuse_overfull_links
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import text, to_json
from exactsched.model.platform import Node
from exactsched.model.problem import Broadcast, Collective


def achieved_throughput(problem: Collective, schedule: PeriodicSchedule | None) -> Fraction:
    """The number of operations per time unit which the schedule performs; 0 for no schedule.

    The rules are those of `proofs/certificate-format.md`, kind `series`, in its order.  With t
    tasks in all structures and k slots: O(t + k log k) steps on integers.  Raises `Rejected`.
    """
    if schedule is None:
        return Fraction(0)
    operation = operation_of(problem, schedule.tick)
    works = operation.works_at_once(schedule.structures)
    if works is None:
        works = []
        for index, structure in enumerate(schedule.structures):
            works += _works_of_complete(operation, structure, f"schedule.structures[{index}]")
    operations = _operations(operation, schedule)
    refuse_misplaced_slots(schedule.period, schedule.tick, schedule.slots, "schedule.slots")
    if problem.ports == "routes":
        tasks = _Tasks(schedule, works, operation.places)
        work = {place: tasks.work[place] for place in tasks.places}
        refuse_overfull_links(operation, schedule.slots, work)
        return operations / schedule.period
    refuse_overlaps(problem, "schedule.slots", *(column(schedule.slots, k) for k in range(3)))
    tasks = _Tasks(schedule, works, operation.places)
    _refuse_wrong_amounts(operation, schedule, tasks)
    if schedule.whole:
        _refuse_parts_of_tasks(operation, schedule, tasks)
    if isinstance(problem, Broadcast):
        _refuse_broken_restriction(problem, schedule)
    return operations / schedule.period


def _works_of_complete(operation: Operation, structure: Structure, place: str) -> list[int]:
    """How much work every task is.

    Every task has its inputs and makes something new; in the end the part is done.  What a node
    only forwards it sends once.
    """
    works: list[int] = []
    known: set[int] = set()  # besides what is given
    sent: set[int] = set()
    given = operation.given
    for index, (needs, made, work, forwarded) in enumerate(map(operation.effect, structure.tasks)):
        for state in needs:
            if state in sent:
                rule = (
                    "a node that only forwards, such as a switch without the option multicast,"
                    " sends once what it has received"
                )
                raise Rejected(f"{place}.tasks[{index}]", operation.named(state), rule)
            if state not in known and not given(state):
                rule = "a task has its inputs from the start, or from a task before it"
                raise Rejected(f"{place}.tasks[{index}]", operation.named(state), rule)
        if work is None:
            rule = "this node cannot do this task"
            raise Rejected(f"{place}.tasks[{index}]", list(structure.tasks[index]), rule)
        if made in known or given(made):
            rule = "a task makes what is not there already"
            raise Rejected(f"{place}.tasks[{index}]", operation.named(made), rule)
        works.append(work)
        known.add(made)
        if forwarded:
            sent.update(forwarded)
    if isinstance(operation, CombinationOperation):
        for index, task in enumerate(structure.tasks):
            if task[1] != structure.part:
                rule = "all calls are about the block of the part"
                raise Rejected(f"{place}.tasks[{index}]", to_json(task[1]), rule)
        operation.refuse_no_in_tree(structure.part, structure.tasks, place)
    if known.issuperset(operation.wanted(structure.part)):
        return works
    for state in operation.wanted(structure.part):
        if state not in known and not given(state):
            rule = "every goal of its part is there in the end"
            raise Rejected(place, operation.named(state), rule)
    return works


def _operations(operation: Operation, schedule: PeriodicSchedule) -> int:
    """How many operations a period completes: every part says the same number."""
    counts = [0] * operation.parts
    for structure in schedule.structures:
        counts[structure.part] += structure.operations
    for index, count in enumerate(counts):
        if count != counts[0]:
            raise Rejected(
                f"schedule.structures of part {index}",
                [to_json(count), to_json(counts[0])],
                "the structures of every part have as many operations as those of part 0",
            )
    return counts[0]


def refuse_misplaced_slots(
    period: Fraction, tick: Fraction, slots: Sequence[Slot], place: str
) -> None:
    """Raises `Rejected` unless all slots lie in the period, and none is empty."""
    last = period // tick
    for index, (start, end) in enumerate(zip(column(slots, 1), column(slots, 2), strict=True)):
        if not 0 <= start < end:
            raise Rejected(
                f"{place}[{index}]",
                [to_json(start), to_json(end)],
                "a slot starts at 0 or later and ends after its start",
            )
        if end > last:
            raise Rejected(f"{place}[{index}]", text(end * tick), "a slot ends in its period")


# The batches of a line of time, in order: how many tasks of how much work, not twice in a row of
# the same.
_Line = list[list[int]]


class _Tasks:
    """The tasks of all structures in order, and how much work each place has in a period."""

    def __init__(self, schedule: PeriodicSchedule, works: list[int], places: int) -> None:
        self._structures = schedule.structures
        counts = [structure.operations for structure in schedule.structures]
        self._units, self._lines = works[0], dict[int, _Line]()
        alike = works.count(self._units) == len(works)
        # Long numbers are multiplied and added up, four times, once for each task.
        most = max(counts).bit_length()
        longest = (self._units if alike else max(works)).bit_length()
        spend(4 * len(works) * (products(most, longest) + sums(most + longest)), "schedule")
        hold(min(len(works), places) * (most + longest), "schedule")
        # In a list, by place: half the time of a dictionary.
        self.work = busy = [0] * places
        if alike:
            for structure in schedule.structures:
                amount = structure.operations * self._units
                for task in structure.tasks:
                    busy[task[0]] += amount
            return
        lengths = [len(structure.tasks) for structure in schedule.structures]
        each = chain.from_iterable(map(repeat, counts, lengths))
        for place, count, work in zip(self.places, each, works, strict=True):
            line = self._lines.get(place)
            if line is None:
                self._lines[place] = [[count, work]]
            elif line[-1][1] == work:
                line[-1][0] += count
            else:
                line.append([count, work])
        for place, line in self._lines.items():
            self.work[place] = sum([count * units for count, units in line])

    @cached_property
    def places(self) -> Sequence[int]:
        """Where every task is done."""
        return column([task for one in self._structures for task in one.tasks], 0)

    def line(self, place: int) -> _Line:
        """The line of time of a place; where all tasks are the same work it is one batch."""
        return self._lines.get(place) or [[self.work[place] // self._units, self._units]]


def _refuse_wrong_amounts(operation: Operation, schedule: PeriodicSchedule, tasks: _Tasks) -> None:
    ticks = [0] * operation.places
    for place, start, end in zip(*(column(schedule.slots, k) for k in range(3)), strict=True):
        ticks[place] += end - start
    if operation.all_last(ticks, tasks.work):
        return
    for place in dict.fromkeys(chain(tasks.places, column(schedule.slots, 0))):
        if not operation.lasts(place, ticks[place], tasks.work[place]):
            whole, units = operation.exchange(place)
            time = Fraction(tasks.work[place] * whole, units)
            raise Rejected(
                f"schedule.slots on place {place}",
                [text(ticks[place] * schedule.tick), text(time * schedule.tick)],
                "the slots of a place last as long as the tasks of its structures, exactly",
            )


def _refuse_parts_of_tasks(operation: Operation, schedule: PeriodicSchedule, tasks: _Tasks) -> None:
    # At the end of the last slot of a place all its tasks are done, by the rule before.
    counted = Counter(column(schedule.slots, 0))
    divided = [index for index, slot in enumerate(schedule.slots) if counted[slot[0]] > 1]
    slots = sorted(divided, key=lambda index: schedule.slots[index][:2])
    place, position, batch, begun = -1, 0, 0, 0
    for index in slots:
        at, start, end = schedule.slots[index]
        if at != place:
            place, position, batch, begun = at, 0, 0, 0
            whole, units = operation.exchange(place)
            line = tasks.line(place)
        position += end - start  # on the line of time of the place
        spend(products(position.bit_length(), whole.bit_length() + units.bit_length()), "schedule")
        count, work = line[batch]
        multiple, rest = divmod(position, whole)
        reached = multiple * units
        while begun + count * work < reached:
            begun += count * work
            batch += 1
            count, work = line[batch]
        if rest or (reached - begun) % work:
            raise Rejected(
                f"schedule.slots[{index}]",
                text(position * schedule.tick),
                "in a schedule of whole tasks no slot ends inside one",
            )


def _refuse_broken_restriction(problem: Broadcast, schedule: PeriodicSchedule) -> None:
    if problem.restrict == "tree" and len(schedule.structures) != 1:
        raise Rejected("schedule.structures", len(schedule.structures), "restricted to one tree")
    if problem.restrict == "dag":
        used = {arc for structure in schedule.structures for arc in structure.arcs}
        _refuse_cycles(problem, used)


def _refuse_cycles(problem: Broadcast, used: set[int]) -> None:
    """Kahn's order: nodes that nothing unplaced leads to are placed until none is left."""
    platform = problem.platform
    leaving: dict[Node, list[Node]] = {node: [] for node in platform.nodes}
    entering = dict.fromkeys(platform.nodes, 0)
    for arc in sorted(used):
        leaving[platform.arcs[arc].tail].append(platform.arcs[arc].head)
        entering[platform.arcs[arc].head] += 1
    ready = [node for node in platform.nodes if entering[node] == 0]
    for node in ready:  # grows while it is read
        for head in leaving[node]:
            entering[head] -= 1
            if entering[head] == 0:
                ready.append(head)
    if len(ready) < len(platform.nodes):
        left = [node for node in platform.nodes if entering[node] > 0]
        rule = "restricted to arcs without a directed cycle"
        raise Rejected("schedule.structures", left, rule)
