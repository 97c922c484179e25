"""The throughput that a periodic schedule of all-to-alls or reductions reaches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from exactsched.certificate import CollectiveSchedule, Task, WeightedRoute, WeightedScheme
from exactsched.check.collectives.broadcast_schedule import refuse_misplaced_slots
from exactsched.check.collectives.operation import Operation
from exactsched.check.collectives.ports import refuse_overlaps
from exactsched.check.common_denominator import over_common_denominator
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import text, to_json
from exactsched.model.problem import Alltoall, Reduction


def achieved_throughput(
    problem: Alltoall | Reduction, schedule: CollectiveSchedule | None
) -> Fraction:
    """The number of operations per time unit which the schedule performs; 0 for no schedule.

    The rules are those of `proofs/certificate-format.md`, kind `series` of the collective, in
    its order.  With t tasks in all structures and k slots: O(t + k log k) steps on integers.
    Raises `Rejected`.
    """
    if schedule is None:
        return Fraction(0)
    operation = Operation(problem, schedule.tick)
    structures: Sequence[WeightedRoute | WeightedScheme] = schedule.structures
    for index, structure in enumerate(structures):
        if isinstance(structure, WeightedRoute):
            _refuse_unless_route(operation, structure, f"schedule.routes[{index}].arcs")
        else:
            _refuse_unless_scheme(operation, structure, f"schedule.schemes[{index}].tasks")
    operations = _operations(problem, schedule)
    refuse_misplaced_slots(schedule)
    refuse_overlaps(problem, schedule.slots, "schedule.slots")
    lines = _lines(operation, schedule)
    _refuse_wrong_amounts(operation, schedule, lines)
    if schedule.whole:
        _refuse_parts_of_tasks(operation, schedule, lines)
    return operations / schedule.period


def _refuse_unless_route(operation: Operation, route: WeightedRoute, place: str) -> None:
    """A walk from the source of the demand to its target that uses no arc twice."""
    known = operation.given
    used: set[int] = set()
    state = None
    for arc in route.arcs:
        task = arc, route.demand
        (start,) = operation.needs(task)
        if start != state and (state is not None or start not in known):
            rule = "the first arc starts at the source, every other where the one before it ends"
            raise Rejected(place, operation.named(start), rule)
        if arc in used:
            raise Rejected(place, arc, "a route uses no arc twice")
        used.add(arc)
        state = operation.makes(task)
    if state != operation.wanted[route.demand]:
        ends = None if state is None else operation.named(state)
        raise Rejected(place, ends, "a route ends at the target of its demand")


def _refuse_unless_scheme(operation: Operation, scheme: WeightedScheme, place: str) -> None:
    """Every task has its inputs and makes something new; in the end all that is wanted is made."""
    known = set(operation.given)
    for index, task in enumerate(scheme.tasks):
        for state in operation.needs(task):
            if state not in known:
                rule = "a task has its inputs from the start, or from a task before it"
                raise Rejected(f"{place}[{index}]", operation.named(state), rule)
        if operation.work(task) is None:
            rule = "this node cannot do this task"
            raise Rejected(f"{place}[{index}]", list(task), rule)
        made = operation.makes(task)
        if made in known:
            rule = "a task makes what is not there already"
            raise Rejected(f"{place}[{index}]", operation.named(made), rule)
        known.add(made)
    for state in operation.wanted:
        if state not in known:
            raise Rejected(place, operation.named(state), "every goal is there in the end")


def _operations(problem: Alltoall | Reduction, schedule: CollectiveSchedule) -> int:
    """How many operations a period completes; every demand says the same."""
    counts = [0] * (len(problem.demands) if isinstance(problem, Alltoall) else 1)
    for structure in schedule.structures:
        if isinstance(structure, WeightedRoute):
            counts[structure.demand] += structure.messages
        else:
            counts[0] += structure.operations
    for index, count in enumerate(counts):
        if count != counts[0]:
            raise Rejected(
                f"schedule.routes of demand {index}",
                [to_json(count), to_json(counts[0])],
                "the routes of every demand have as many messages as those of demand 0",
            )
    return counts[0]


# For each place the batches of its line of time, in order: how many tasks of how much work.
_Lines = dict[int, list[tuple[int, int]]]


def _lines(operation: Operation, schedule: CollectiveSchedule) -> _Lines:
    batches = [
        (count, task[0], operation.work(task) or 0)
        for count, tasks in _batches(schedule)
        for task in tasks
    ]
    # Long numbers are multiplied and added up once for each task.
    longest = max(count for count, _, _ in batches) * max(work for _, _, work in batches)
    over_common_denominator([longest], "schedule", len(batches))
    lines: _Lines = {}
    for count, place, work in batches:
        lines.setdefault(place, []).append((count, work))
    return lines


def _batches(schedule: CollectiveSchedule) -> Iterator[tuple[int, Iterator[Task]]]:
    for structure in schedule.structures:
        if isinstance(structure, WeightedRoute):
            demand = structure.demand
            yield structure.messages, ((arc, demand) for arc in structure.arcs)
        else:
            yield structure.operations, iter(structure.tasks)


def _refuse_wrong_amounts(
    operation: Operation, schedule: CollectiveSchedule, lines: _Lines
) -> None:
    ticks = dict.fromkeys(lines, 0)
    for place, start, end in schedule.slots:
        ticks[place] = ticks.get(place, 0) + end - start
    for place, lasted in ticks.items():
        work = sum(count * units for count, units in lines.get(place, ()))
        if not operation.lasts(place, lasted, work):
            whole, units = operation.exchange(place)
            raise Rejected(
                f"schedule.slots on place {place}",
                [text(lasted * schedule.tick), text(Fraction(work * whole, units) * schedule.tick)],
                "the slots of a place last as long as the tasks of its structures, exactly",
            )


def _refuse_parts_of_tasks(
    operation: Operation, schedule: CollectiveSchedule, lines: _Lines
) -> None:
    slots = sorted(range(len(schedule.slots)), key=lambda index: schedule.slots[index][:2])
    place, position, batch, begun = -1, 0, 0, 0
    for index in slots:
        at, start, end = schedule.slots[index]
        if at != place:
            place, position, batch, begun = at, 0, 0, 0
            whole, units = operation.exchange(place)
        position += end - start  # on the line of time of the place
        count, work = lines[place][batch]
        multiple, rest = divmod(position, whole)
        reached = multiple * units
        while begun + count * work < reached:
            begun += count * work
            batch += 1
            count, work = lines[place][batch]
        if rest or (reached - begun) % work:
            raise Rejected(
                f"schedule.slots[{index}]",
                text(position * schedule.tick),
                "in a schedule of whole tasks no slot ends inside one",
            )
