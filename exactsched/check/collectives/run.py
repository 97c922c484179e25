"""The makespan of a finite schedule, from the definition of a collective and its port model."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, groupby

from exactsched.certificate.budget import bits_of, products, spend
from exactsched.certificate.collectives import Run
from exactsched.check.collectives.operation import Operation, equal_products
from exactsched.check.collectives.operations import operation_of
from exactsched.check.collectives.operations_of_sums import CombinationOperation
from exactsched.check.collectives.overlaps import refuse_overlaps
from exactsched.check.common_denominator import over_common_denominator
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import text, to_json
from exactsched.model.problem import Allgather, Combination


def achieved_makespan(run: Run) -> Fraction:
    """The time at which all operations are complete and the last task has ended.

    The rules are those of `proofs/certificate-format.md`, kind `run`, in its order.  With k rows:
    O(k log k) steps on integers.  Raises `Rejected`.
    """
    for index, (_, _, start, end) in enumerate(run.rows):
        if not 0 <= start < end:
            raise Rejected(
                f"rows[{index}]",
                [to_json(start), to_json(end)],
                "a task starts at 0 or later and ends after its start",
            )
    operation = operation_of(run.problem, run.tick)
    intervals = [(run.tasks[task][0], start, end) for task, _, start, end in run.rows]
    refuse_overlaps(run.problem, intervals, "rows")
    _refuse_wrong_durations(run, operation)
    made = _made(run, operation)
    _refuse_early_starts(run, operation, made)
    _refuse_missing_goals(run, operation, made)
    if isinstance(operation, CombinationOperation):
        _refuse_lost_values(run, operation)
    return max(end for _, _, _, end in run.rows) * run.tick


def _refuse_wrong_durations(run: Run, operation: Operation) -> None:
    arcs = run.problem.platform.arcs
    late = [task[0] < len(arcs) and arcs[task[0]].latency > 0 for task in run.tasks]
    ticks: dict[tuple[int, int], int] = {}
    for index, (task, number, start, end) in enumerate(run.rows):
        if late[task] and (task, number) in ticks:
            raise Rejected(
                f"rows[{index}]",
                [run.tasks[task][0], number],
                "a task on an arc with a latency is not interrupted",
            )
        ticks[task, number] = ticks.get((task, number), 0) + end - start
    # Few sizes and tasks, many operations: the duration of a task is compared once for each size.
    size_of = _numbered(run.sizes) or [0] * run.operations
    known: dict[tuple[int, int], int] = {}
    for (task, number), lasted in ticks.items():
        key = task, size_of[number]
        if known.get(key) != lasted:
            size = run.sizes[number] if run.sizes else Fraction(1)
            _refuse_unless_lasting(run, operation, task, number, lasted, size)
            known[key] = lasted


def _numbered(sizes: Sequence[Fraction]) -> list[int]:
    """The same number for equal sizes, and different ones for others.

    Sorted, not in a dict: whoever writes the document can make the hashes of all sizes equal.
    """
    scaled, _ = over_common_denominator(sizes, "sizes")
    order = sorted(range(len(sizes)), key=scaled.__getitem__)
    numbers = [0] * len(sizes)
    for number, (_, equal) in enumerate(groupby(order, scaled.__getitem__)):
        for index in equal:
            numbers[index] = number
    return numbers


def _refuse_unless_lasting(
    run: Run, operation: Operation, task: int, number: int, lasted: int, size: Fraction
) -> None:
    """A task of an operation lasts its latency, and its size times the cost, or its time."""
    place, work = run.tasks[task][0], operation.effect(run.tasks[task]).work
    if work is None:
        raise Rejected(f"tasks[{task}]", list(run.tasks[task]), "this node cannot do this task")
    arcs = run.problem.platform.arcs
    latency = arcs[place].latency if place < len(arcs) else Fraction(0)
    factor = size
    if size == 1 and not latency:
        fits = operation.lasts(place, lasted, work)
    else:  # the message of a broadcast, a shard or a block, on an arc
        cost, tick = arcs[place].cost, run.tick
        if isinstance(run.problem, (Allgather, Combination)):
            listed = run.problem.roots if isinstance(run.problem, Allgather) else run.problem.blocks
            shard = listed[run.tasks[task][1]].size
            spend(products(bits_of(shard), bits_of(size, cost)), "sizes")
            size *= shard
        needed = latency + size * cost
        fits = equal_products(
            (lasted, tick.numerator, needed.denominator), (needed.numerator, tick.denominator)
        )
    if not fits:
        whole, units = operation.exchange(place)
        time = latency + factor * Fraction(work * whole, units) * run.tick
        raise Rejected(
            f"rows of task {task} and operation {number}",
            [text(lasted * run.tick), text(time)],
            "the pieces of a task last as long as the task, exactly",
        )


# When a state of an operation is there, for all that tasks make; by state * operations + operation.
_Made = dict[int, int]


def _made(run: Run, operation: Operation) -> _Made:
    ends: dict[tuple[int, int], int] = {}
    for task, number, _, end in run.rows:
        ends[task, number] = max(end, ends.get((task, number), end))
    makes = [operation.effect(task).makes * run.operations for task in run.tasks]
    made: _Made = {}
    for (task, number), end in ends.items():
        state = makes[task] + number
        made[state] = min(end, made.get(state, end))
    return made


def _refuse_early_starts(run: Run, operation: Operation, made: _Made) -> None:
    needs = [
        [state for state in operation.effect(task).needs if not operation.given(state)]
        for task in run.tasks
    ]
    forwarded = [operation.effect(task).forwarded for task in run.tasks]
    sent: dict[int, int] = {}
    for index, (task, number, start, _) in enumerate(run.rows):
        for state in needs[task]:
            forwards = state in forwarded[task]
            if forwards and sent.setdefault(state * run.operations + number, task) != task:
                rule = (
                    "a node that only forwards, such as a switch without the option multicast,"
                    " sends once what it has received"
                )
                raise Rejected(f"rows[{index}]", [operation.named(state), number], rule)
            ready = made.get(state * run.operations + number)
            if ready is None or start < ready:
                raise Rejected(
                    f"rows[{index}]",
                    [operation.named(state), number, to_json(start)],
                    "a task starts only after its inputs are there completely",
                )


def _refuse_lost_values(run: Run, operation: CombinationOperation) -> None:
    """In every operation every value of a block comes to its whole, and comes once."""
    done: dict[int, set[int]] = {}  # by operation * parts + part
    for task, number, _, _ in run.rows:
        done.setdefault(number * operation.parts + run.tasks[task][1], set()).add(task)
    for index, tasks in sorted(done.items()):
        calls = [run.tasks[task] for task in sorted(tasks)]
        spend(sum(map(len, calls)), "rows")
        number, part = divmod(index, operation.parts)
        place = f"rows of operation {number}, block {part}"
        operation.refuse_no_in_tree(part, calls, place)


def _refuse_missing_goals(run: Run, operation: Operation, made: _Made) -> None:
    # Stops at the first gap, and there are at most as many goals before it as were made.
    for number in range(run.operations):
        for state in chain.from_iterable(map(operation.wanted, range(operation.parts))):
            if operation.given(state):
                continue
            if state * run.operations + number not in made:
                rule = "every operation makes its goals"
                raise Rejected("rows", [operation.named(state), number], rule)
