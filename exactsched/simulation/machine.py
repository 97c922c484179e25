"""The machine that plays jobs while time passes: who works on what, what is known where."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any

from exactsched.exact.errors import Rejected
from exactsched.model.platform import Node, one_line
from exactsched.simulation.wording import shown

# What is known at a node: a message, or v[k,m].  The item of a broadcast is empty.
State = tuple[tuple[int, ...], Node]
# A part of the work of a job on an operation, without a break: job, operation, start, end.
Piece = tuple[int, int, int, int]
Operator = Callable[[Any, Any], Any]


@dataclass(frozen=True, slots=True)
class Job:
    """Work that is done in many operations: it needs `inputs`, and in the end there is `output`.

    With one input it carries what is there to another node, with more it joins them.  `busy` are
    the resources that it occupies, `interruptible` whether it may be done in pieces, `forwards`
    whether the node that does it only forwards: then no other job sends the same.  `shares` says
    which part of each resource it takes; without it, it takes all of them.
    """

    name: str
    busy: tuple[str, ...]
    inputs: tuple[State, ...]
    output: State
    interruptible: bool = True
    forwards: bool = False
    shares: tuple[Fraction, ...] = ()


@dataclass(frozen=True, slots=True)
class Goal:
    """A state that every operation has to reach; `key` is its name in the report."""

    key: Any
    state: State
    name: str


@dataclass(frozen=True, slots=True)
class Task:
    """What a collective is, in the words of the machine: the same for all kinds.

    Value i of an operation is known in the state `given[i]` when it starts.  `definition` says
    of the values of an operation what has to be known at the goals in the end, if the operator has
    the property `law`.
    """

    jobs: Sequence[Job]
    given: Sequence[State]
    goals: Sequence[Goal]
    definition: Callable[[Sequence[Any]], Sequence[Any]]
    law: str = "associative"


class Machine:
    """Resources, and what is known of each of this many operations; times are whole `unit`s."""

    def __init__(
        self,
        task: Task,
        names: Sequence[str],
        data: Sequence[Sequence[Any]],
        unit: Fraction,
        operator: Operator,
    ) -> None:
        self.task, self.data, self.unit, self.operator = task, data, unit, operator
        self.jobs = task.jobs
        self.working: dict[str, tuple[int, int]] = {}
        self.shared: dict[str, Fraction] = {}
        self.busy: dict[str, int | Fraction] = dict.fromkeys(names, 0)
        self.done: dict[tuple[int, int], int] = {}
        # State by state, the value of each operation of which it is known.
        self.known: dict[State, dict[int, Any]] = {}
        for index, state in enumerate(task.given):
            self.known[state] = {operation: row[index] for operation, row in enumerate(data)}
        self.sources = [
            tuple(self.known.setdefault(state, {}) for state in job.inputs) for job in self.jobs
        ]
        self.targets = [self.known.setdefault(job.output, {}) for job in self.jobs]
        self.latest: dict[State, int] = {}
        self.sent: dict[tuple[State, int], int] = {}  # by whom, where nothing is sent twice
        self.events = 0
        self.now = 0

    @property
    def time(self) -> Fraction:
        return self.now * self.unit

    def play(self, pieces: Sequence[Piece], lasts: Callable[[int, int], int | None]) -> None:
        """All starts and ends in order of time, at each moment the ends first.

        `lasts` is the duration of a job in an operation, None if no number of units is right.
        """
        for index, (job, operation, start, end) in enumerate(pieces):
            if not 0 <= start < end:
                row = [job, operation, start, end]
                raise Rejected(f"piece of work {index}", row, "ends after it starts")
        moments = [(end, 0, index) for index, (_, _, _, end) in enumerate(pieces)]
        moments += [(start, 1, index) for index, (_, _, start, _) in enumerate(pieces)]
        moments.sort()
        self.events = len(moments)
        for self.now, starts, index in moments:
            job, operation, start, end = pieces[index]
            if starts:
                self._start(job, operation)
            else:
                self._end(job, operation, end - start, lasts(job, operation))
        for (job, operation), done in self.done.items():
            if done != lasts(job, operation):
                self._refuse(job, operation, done, "work lasts exactly as long as it takes")
        self._refuse_unreached()
        self._refuse_wrong()

    def completion(self) -> Mapping[Node, Fraction]:
        """When every node that waits for something had all of it, of all operations."""
        last: dict[Node, int] = {}
        for goal in self.task.goals:
            node = goal.state[1]
            last[node] = max(last.get(node, 0), self.latest[goal.state])
        return {node: end * self.unit for node, end in last.items()}

    def results(self) -> Mapping[Any, tuple[Any, ...]]:
        """What is known at every goal, operation by operation."""
        operations = range(len(self.data))
        return {
            goal.key: tuple(self.known[goal.state][operation] for operation in operations)
            for goal in self.task.goals
        }

    def _start(self, job: int, operation: int) -> None:
        for name, share in zip(self.jobs[job].busy, self.jobs[job].shares, strict=False):
            taken = self.shared[name] = self.shared.get(name, Fraction(0)) + share
            if taken > 1:
                self._refuse(job, operation, [name, taken], "a link has its bandwidth, not more")
        for name in () if self.jobs[job].shares else self.jobs[job].busy:
            if name in self.working:
                other, number = self.working[name]
                value = [name, self.jobs[other].name, number]
                self._refuse(job, operation, value, "a resource does one thing at a time")
            self.working[name] = (job, operation)
        for place, source in enumerate(self.sources[job]):
            if operation not in source:
                node = self.jobs[job].inputs[place][1]
                rule = "a node works on what it has completely received or made"
                self._refuse(job, operation, node, rule)
        if self.jobs[job].forwards:
            state = self.jobs[job].inputs[0]
            if self.sent.setdefault((state, operation), job) != job:
                rule = (
                    "a node that only forwards, such as a switch without the option multicast,"
                    " sends once what it has received"
                )
                self._refuse(job, operation, state[1], rule)
        if (job, operation) in self.done and not self.jobs[job].interruptible:
            self._refuse(job, operation, operation, "a start-up is not interrupted")

    def _end(self, job: int, operation: int, lasted: int, needed: int | None) -> None:
        for name, share in zip(self.jobs[job].busy, self.jobs[job].shares, strict=False):
            self.shared[name] -= share
            self.busy[name] += lasted * share
        for name in () if self.jobs[job].shares else self.jobs[job].busy:
            del self.working[name]
            self.busy[name] += lasted
        done = self.done[job, operation] = self.done.get((job, operation), 0) + lasted
        target = self.targets[job]
        if done == needed and operation not in target:
            inputs = (source[operation] for source in self.sources[job])
            target[operation] = reduce(self.operator, inputs)
            self.latest[self.jobs[job].output] = self.now

    def _refuse_unreached(self) -> None:
        for goal in self.task.goals:
            known = self.known.get(goal.state, {})
            if len(known) < len(self.data):
                missing = next(t for t in range(len(self.data)) if t not in known)
                rule = "the result of this operation never arrives there"
                raise Rejected(goal.name, missing, rule)

    def _refuse_wrong(self) -> None:
        for operation, values in enumerate(self.data):
            right = self.task.definition(values)
            for goal, value in zip(self.task.goals, right, strict=True):
                found = self.known[goal.state][operation]
                if found is not value and found != value:
                    place = f"{goal.name}, operation {operation}"
                    rule = f"by definition it is another value, if the operator is {self.task.law}"
                    raise Rejected(place, found, rule)

    def _refuse(self, job: int, operation: int, value: object, rule: str) -> None:
        where = f"operation {operation} {self.jobs[job].name}"
        raise Rejected(f"event at {shown(self.time)}, {where}", value, rule)


def on_arc(tail: Node, head: Node) -> str:
    """An arc in a message of one line.

    >>> on_arc("a", 7)
    'on a->7'
    """
    return f"on {one_line(tail)}->{one_line(head)}"
