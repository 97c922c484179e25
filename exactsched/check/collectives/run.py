"""The makespan of a finite schedule, from the definition of a collective and its port model."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, compress, groupby, repeat
from operator import lt
from typing import NamedTuple

from exactsched.certificate.budget import bits_of, products, spend
from exactsched.certificate.collectives import Run
from exactsched.certificate.rules import column
from exactsched.check.collectives.operation import Effect, Operation, equal_products
from exactsched.check.collectives.operations import operation_of
from exactsched.check.collectives.operations_of_sums import CombinationOperation
from exactsched.check.collectives.overlaps import arranged, by_start, refuse_overlaps
from exactsched.check.common_denominator import over_common_denominator
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import text, to_json
from exactsched.model.problem import Allgather, Combination

# How many times longer than the rows a list of times is, at most; beyond that it is a dictionary.
_SPARSE = 8


def achieved_makespan(run: Run) -> Fraction:
    """The time at which all operations are complete and the last task has ended.

    The rules are those of `proofs/certificate-format.md`, kind `run`, in its order.  With k rows:
    O(k log k) steps on integers.  Raises `Rejected`.
    """
    rows = _Rows(run)
    operation = operation_of(run.problem, run.tick)
    places = [task[0] for task in run.tasks]
    at = [places[task] for task in rows.tasks]
    refuse_overlaps(run.problem, "rows", at, rows.starts, rows.ends)
    rows.sort()
    done = _done(run, rows)
    _refuse_wrong_durations(run, operation, done)
    effects = list(map(operation.effect, run.tasks))
    made = _Made(run, effects, done)
    _refuse_early_starts(rows, operation, effects, made)
    _refuse_second_sends(run, rows, operation, effects)
    _refuse_missing_goals(operation, made)
    if isinstance(operation, CombinationOperation):
        _refuse_lost_values(run, operation)
    return max(rows.ends) * run.tick


class _Rows:
    """The columns of the rows: millions are looked at a column at a time, in half the time."""

    tasks: Sequence[int]
    numbers: Sequence[int]
    starts: Sequence[int]
    ends: Sequence[int]

    def __init__(self, run: Run) -> None:
        self.tasks, self.numbers, self.starts, self.ends = (column(run.rows, p) for p in range(4))
        self.places: Sequence[int] = range(len(run.rows))  # in the run
        if min(self.starts) < 0 or not all(map(lt, self.starts, self.ends)):
            for index, (start, end) in enumerate(zip(self.starts, self.ends, strict=True)):
                if not 0 <= start < end:
                    raise Rejected(
                        f"rows[{index}]",
                        [to_json(start), to_json(end)],
                        "a task starts at 0 or later and ends after its start",
                    )

    def sort(self) -> None:
        """By their starts: of what a resource does one after the other the last one ends last."""
        self.places = order = by_start(self.starts)
        for name in ("tasks", "numbers", "starts", "ends"):
            setattr(self, name, arranged(getattr(self, name), order))


class _Done(NamedTuple):
    """The tasks of operations, each once: how long they are worked on, and when they have ended.

    The key of a task and an operation is task * operations + operation.
    """

    tasks: Sequence[int]
    numbers: Sequence[int]
    lasted: Sequence[int]
    ends: Sequence[int]
    keys: Sequence[int]


def _done(run: Run, rows: _Rows) -> _Done:
    count = run.operations
    keys = [task * count + number for task, number in zip(rows.tasks, rows.numbers, strict=True)]
    lengths = [end - start for start, end in zip(rows.starts, rows.ends, strict=True)]
    if len(set(keys)) == len(keys):
        return _Done(rows.tasks, rows.numbers, lengths, rows.ends, keys)
    _refuse_interrupted(run, rows, keys)
    lasted: defaultdict[int, int] = defaultdict(int)
    for key, length in zip(keys, lengths, strict=True):
        lasted[key] += length
    ends = dict(zip(keys, rows.ends, strict=True))  # those of the last pieces
    tasks, numbers = [key // count for key in lasted], [key % count for key in lasted]
    return _Done(tasks, numbers, list(lasted.values()), list(ends.values()), list(lasted))


def _refuse_interrupted(run: Run, rows: _Rows, keys: Sequence[int]) -> None:
    arcs = run.problem.platform.arcs
    late = [task[0] < len(arcs) and arcs[task[0]].latency > 0 for task in run.tasks]
    if not any(late):
        return
    seen: set[int] = set()
    columns = rows.places, rows.tasks, rows.numbers, keys
    for index, task, number, key in zip(*columns, strict=True):
        if late[task] and key in seen:
            rule = "a task on an arc with a latency is not interrupted"
            raise Rejected(f"rows[{index}]", [run.tasks[task][0], number], rule)
        seen.add(key)


def _refuse_wrong_durations(run: Run, operation: Operation, done: _Done) -> None:
    # Few sizes and tasks, many operations: a duration is compared once for each task and size.
    kinds = done.tasks
    if run.sizes:
        size_of = _numbered(run.sizes)
        if any(size_of):  # there are several sizes
            count = max(size_of) + 1
            pairs = zip(done.tasks, done.numbers, strict=True)
            kinds = [task * count + size_of[number] for task, number in pairs]
    one_of = dict(zip(kinds, done.lasted, strict=True))
    alike = [one_of[kind] for kind in kinds] == done.lasted
    known: dict[int, int] = {}
    for kind, task, number, lasted in zip(kinds, *done[:3], strict=True):
        if known.get(kind) != lasted:
            size = run.sizes[number] if run.sizes else Fraction(1)
            _refuse_unless_lasting(run, operation, task, number, lasted, size)
            known[kind] = lasted
            if alike and len(known) == len(one_of):
                return


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


class _Made:
    """When a state of an operation is there, by the key of the operation and of a task.

    The task is `maker` of the state, the first of all tasks that make it; where it is not there the
    time is `never`, after all others.
    """

    def __init__(self, run: Run, effects: Sequence[Effect], done: _Done) -> None:
        self._count = run.operations
        self.maker: dict[int, int] = {}
        self.never = max(done.ends) + 1
        makers = [self.maker.setdefault(one.makes, task) for task, one in enumerate(effects)]
        keys = done.keys
        if len(self.maker) < len(effects):
            bases = [maker * self._count for maker in makers]
            pairs = zip(done.tasks, done.numbers, strict=True)
            keys = [bases[task] + number for task, number in pairs]
        # A list takes half of the time.  Keys of what nothing makes are negative: its last entries.
        length = (len(effects) + 1) * self._count
        self.at: list[int] | dict[int, int] = defaultdict(repeat(self.never).__next__)
        if length <= _SPARSE * len(keys):
            self.at = [self.never] * length
        at = self.at
        for key, end in zip(keys, done.ends, strict=True):
            if end < at[key]:  # several tasks may make the same: the first that ends counts
                at[key] = end

    def first_key(self, state: int) -> int:
        """The key of the state in operation 0; one that is not there if no task makes the state."""
        return self.maker.get(state, -1) * self._count

    def first_missing(self, state: int) -> int | None:
        """The first operation without the state."""
        first = self.first_key(state)
        times = map(self.at.__getitem__, range(first, first + self._count))
        return next(compress(range(self._count), map(self.never.__eq__, times)), None)


def _refuse_early_starts(
    rows: _Rows, operation: Operation, effects: Sequence[Effect], made: _Made
) -> None:
    given, at = operation.given, made.at
    needs = [[one for one in effect.needs if not given(one)] for effect in effects]
    keys = [list(map(made.first_key, states)) for states in needs]
    columns = rows.places, rows.tasks, rows.numbers, rows.starts
    for index, task, number, start in zip(*columns, strict=True):
        for key in keys[task]:
            if start < at[key + number]:
                state = needs[task][keys[task].index(key)]
                raise Rejected(
                    f"rows[{index}]",
                    [operation.named(state), number, to_json(start)],
                    "a task starts only after its inputs are there completely",
                )


def _refuse_second_sends(
    run: Run, rows: _Rows, operation: Operation, effects: Sequence[Effect]
) -> None:
    given = operation.given
    forwarded = [[one for one in effect.forwarded if not given(one)] for effect in effects]
    if not any(forwarded):
        return
    sent: dict[int, int] = {}
    for index, task, number in zip(rows.places, rows.tasks, rows.numbers, strict=True):
        for state in forwarded[task]:
            if sent.setdefault(state * run.operations + number, task) != task:
                rule = (
                    "a node that only forwards, such as a switch without the option multicast,"
                    " sends once what it has received"
                )
                raise Rejected(f"rows[{index}]", [operation.named(state), number], rule)


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


def _refuse_missing_goals(operation: Operation, made: _Made) -> None:
    # Stops at the first gap, and there are at most as many goals before it as were made.
    for state in chain.from_iterable(map(operation.wanted, range(operation.parts))):
        if operation.given(state):
            continue
        missing = made.first_missing(state)
        if missing is not None:
            rule = "every operation makes its goals"
            raise Rejected("rows", [operation.named(state), missing], rule)
