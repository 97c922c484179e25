"""The makespan of a finite schedule of all-to-alls or reductions, from the definition."""

from __future__ import annotations

from fractions import Fraction

from exactsched.certificate import CollectiveRun
from exactsched.check.collectives.operation import Operation
from exactsched.check.collectives.ports import refuse_overlaps
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import text, to_json


def achieved_makespan(run: CollectiveRun) -> Fraction:
    """The time at which all operations are complete and the last task has ended.

    The rules are those of `proofs/certificate-format.md`, kind `run` of the collective, in its
    order.  With k rows: O(k log k) steps on integers.  Raises `Rejected`.
    """
    for index, (_, _, start, end) in enumerate(run.rows):
        if not 0 <= start < end:
            raise Rejected(
                f"run.rows[{index}]",
                [to_json(start), to_json(end)],
                "a task starts at 0 or later and ends after its start",
            )
    operation = Operation(run.problem, run.tick)
    intervals = [(run.tasks[task][0], start, end) for task, _, start, end in run.rows]
    refuse_overlaps(run.problem, intervals, "run.rows")
    _refuse_wrong_durations(run, operation)
    made = _made(run, operation)
    _refuse_early_starts(run, operation, made)
    _refuse_missing_goals(run, operation, made)
    return max(end for _, _, _, end in run.rows) * run.tick


def _refuse_wrong_durations(run: CollectiveRun, operation: Operation) -> None:
    ticks: dict[tuple[int, int], int] = {}
    for task, number, start, end in run.rows:
        ticks[task, number] = ticks.get((task, number), 0) + end - start
    # Few tasks, many operations: the duration of a task is compared once.
    known: dict[int, int] = {}
    for (task, number), lasted in ticks.items():
        if known.get(task) == lasted:
            continue
        place, work = run.tasks[task][0], operation.work(run.tasks[task])
        if work is None:
            at = f"run.tasks[{task}]"
            raise Rejected(at, list(run.tasks[task]), "this node cannot do this task")
        if not operation.lasts(place, lasted, work):
            whole, units = operation.exchange(place)
            raise Rejected(
                f"run.rows of task {task} and operation {number}",
                [text(lasted * run.tick), text(Fraction(work * whole, units) * run.tick)],
                "the pieces of a task last as long as the task, exactly",
            )
        known[task] = lasted


# When a state of an operation is there, for all that tasks make; by state * operations + operation.
_Made = dict[int, int]


def _made(run: CollectiveRun, operation: Operation) -> _Made:
    ends: dict[tuple[int, int], int] = {}
    for task, number, _, end in run.rows:
        ends[task, number] = max(end, ends.get((task, number), end))
    makes = [operation.makes(task) * run.operations for task in run.tasks]
    made: _Made = {}
    for (task, number), end in ends.items():
        state = makes[task] + number
        made[state] = min(end, made.get(state, end))
    return made


def _refuse_early_starts(run: CollectiveRun, operation: Operation, made: _Made) -> None:
    needs = [
        [state for state in operation.needs(task) if state not in operation.given]
        for task in run.tasks
    ]
    for index, (task, number, start, _) in enumerate(run.rows):
        for state in needs[task]:
            ready = made.get(state * run.operations + number)
            if ready is None or start < ready:
                raise Rejected(
                    f"run.rows[{index}]",
                    [operation.named(state), number, to_json(start)],
                    "a task starts only after its inputs are there completely",
                )


def _refuse_missing_goals(run: CollectiveRun, operation: Operation, made: _Made) -> None:
    # Stops at the first gap, and there are at most as many goals before it as were made.
    for number in range(run.operations):
        for state in operation.wanted:
            if state not in operation.given and state * run.operations + number not in made:
                raise Rejected(
                    "run.rows", [operation.named(state), number], "every operation makes its goals"
                )
