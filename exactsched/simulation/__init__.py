"""Event by event: what a certificate's schedule really does with a given number of operations.

Written from the format page (`proofs/certificate-format.md`, "How it is executed") and the records
alone: it shares no code with the solvers, and none with the checker, which reasons about
intervals where this plays time forwards and looks at the state of every resource.  It really
computes: operations have data of their own, which are sent and joined and compared in the end.
"""

from __future__ import annotations

import operator as arithmetic
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import islice
from typing import Any, NamedTuple

from exactsched.certificate import parse, parse_schedule
from exactsched.certificate.collectives import Certificate, Run, Series
from exactsched.certificate.compact_series import CompactSeries
from exactsched.certificate.given import record_or_document
from exactsched.certificate.kinds import is_record, kind_of
from exactsched.certificate.result import Result
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.exact.rational import text
from exactsched.model.platform import one_line
from exactsched.model.problem import Allgather, Broadcast, Collective, Combination, Reduction
from exactsched.model.resources import resources
from exactsched.model.unreachable import unreachable_in_words
from exactsched.simulation.collectives import (
    collective_line,
    collective_task,
    slowness,
    task_durations,
)
from exactsched.simulation.limits import MAX_TRANSFERS
from exactsched.simulation.line import Line
from exactsched.simulation.machine import Machine, Operator, Piece, Task
from exactsched.simulation.report import SimulationReport
from exactsched.simulation.wording import shown

__all__ = [
    "DEFAULT_OPERATIONS",
    "MAX_TRANSFERS",
    "SimulationReport",
    "Timetable",
    "Values",
    "Work",
    "simulate",
    "timetable",
]

DEFAULT_OPERATIONS = 100
DEFAULT_PACKETS = 1000

Values = Callable[[int, int], Any]


class Work(NamedTuple):
    """A place, an arc or a processor, works on an operation from `start` to `end`."""

    place: int
    operation: int
    start: Fraction
    end: Fraction


class Timetable(NamedTuple):
    """When which place works: pieces of tasks, in order of their starts."""

    problem: Collective
    works: tuple[Work, ...]


def simulate(
    certificate: object,
    operations: int | None = None,
    *,
    values: Values | None = None,
    operator: Operator | None = None,
) -> Any:
    """Plays a schedule event by event and reports what arrived where and when.

    `certificate` is a path, a document, or any result.  On platforms the report is a
    `SimulationReport`.  Schedules of other machines are given to those who play them:
    `simulation.logp.simulate_logp` (`operations` are its items), `synchronous.simulate_rounds`, and
    `peers.decentralized`, where `operations` are packets, by default DEFAULT_PACKETS.

    Of a series the first `operations` (by default DEFAULT_OPERATIONS) are done by the execution
    rule of the format page, whatever the period: whole batches, and of the last one the first
    operations of every structure in proportion.  Of a run all operations are played, and the
    argument `operations` stays None.

    `values(i, t)` is v[i] of operation t of a reduction, the message of demand i of an alltoall,
    and the message of a broadcast (i = 0); by default a text of its own.  `operator(left, right)`
    joins two values of a reduction, by default ``+``, which of texts is associative and not
    commutative.  It returns a new value; values are compared by ``==``.

    At each event it is checked that a resource that starts to work was free, that a node has
    completely received or made what it works on, that all work lasts exactly as long as it
    needs, and at the end that every operation has reached all its goals, with the values that the
    definition says: v[k] v[k+1] ... v[m] of the same operation, in this order.  `Rejected` names
    the event, the value and the rule; `Malformed` a document that is no certificate;
    `InvalidInput` a wrong number of operations, and any number of them where the throughput is 0.
    The bound of the certificate is not examined: that is `check`'s.

    The cost is O(e log e) for the e pieces of work of these operations; the length of the
    period only makes the numbers longer.

    Raises no other errors. Reference: proofs/periodic-schedule.md.

    >>> from exactsched import Platform, broadcast
    >>> chain = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    >>> report = simulate(broadcast(chain, "a").certificate(), 10)
    >>> report.makespan, report.limit, report.busy["send:a"]
    (Fraction(11, 1), Fraction(12, 1), Fraction(10, 11))
    >>> from exactsched.steady_state.reduce import reduce
    >>> pair = Platform("ab", [("a", "b", 1)], {"b": {"compute": 1}})
    >>> simulate(reduce(pair, ["a", "b"], "b").certificate(), 2).results
    {((0, 1), 'b'): ('v0(0)v1(0)', 'v0(1)v1(1)')}
    """
    given = record_or_document(certificate)
    played = _played_elsewhere(given, operations, values, operator)
    if played is not None:
        return played
    stated = _stated(given)
    if values is not None and not callable(values):
        raise InvalidInput("values", values, "a function of an index and an operation")
    if operator is None:
        operator = arithmetic.add
    elif not isinstance(stated.problem, (Reduction, Combination)):
        raise InvalidInput("operator", operator, "only reductions and combinations join values")
    elif not callable(operator):
        raise InvalidInput("operator", operator, "a function of two values")
    if isinstance(stated, Series):
        operations = DEFAULT_OPERATIONS if operations is None else operations
        return _series(stated, operations, values, operator)
    if operations is not None:
        raise InvalidInput("operations", operations, "a run has its own operations; leave this out")
    return _run(stated, values, operator)


def timetable(certificate: object, operations: int | None = None) -> Timetable:
    """When the tasks of these operations are done; `simulate` says whether they can be.

    The arguments are those of `simulate`.

    >>> from exactsched import Platform, broadcast
    >>> chain = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    >>> [work[:2] for work in timetable(broadcast(chain, "a").certificate(), 2).works]
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    """
    stated = _stated(certificate)
    simulate(stated, operations)
    if isinstance(stated, Run):
        rows = [(stated.tasks[task][0], *row) for task, *row in stated.rows]
        unit = stated.tick
    else:
        assert stated.schedule is not None
        line, written = collective_line(stated.problem, stated.schedule)
        count = DEFAULT_OPERATIONS if operations is None else operations
        rows = [(written[job][0], *row) for job, *row in _bounded(line, count)]
        unit = line.unit
    rows.sort(key=lambda row: (row[2], row))
    works = (Work(place, of, start * unit, end * unit) for place, of, start, end in rows)
    return Timetable(stated.problem, tuple(works))


def _played_elsewhere(
    given: Any, operations: int | None, values: Values | None, operator: Operator | None
) -> object | None:
    """The report on a schedule of another machine; None for a series or a run."""
    listed = is_record(given)
    kind = kind_of(type(given)) if listed else given.get("kind") if type(given) is dict else ""
    others = ("rounds", "overlay", "logp-schedule", "logp-rounds", "logp-cycles", "logp-buffered")
    if kind not in others:
        return None
    if kind in ("rounds", "overlay"):
        for name, function in (("values", values), ("operator", operator)):
            if function is not None:
                raise InvalidInput(name, function, "packets have texts of their own here")
    if kind == "rounds":
        from exactsched.simulation.synchronous import simulate_rounds

        if operations is not None:
            raise InvalidInput("operations", operations, "a run in steps has its own packets")
        return simulate_rounds(given)
    if kind == "overlay":
        from exactsched.simulation.peers import decentralized

        packets = DEFAULT_PACKETS if operations is None else operations
        return decentralized(given if listed else parse(given), packets)
    from exactsched.simulation.logp import simulate_logp

    return simulate_logp(
        given, items=operations, values=values, operator=operator or arithmetic.add
    )


def _stated(certificate: object) -> Certificate:
    stated = record_or_document(certificate)
    if not isinstance(stated, (Series, CompactSeries, Run)):
        stated = parse_schedule(stated.certificate() if isinstance(stated, Result) else stated)
    return stated.written_out() if isinstance(stated, CompactSeries) else stated


def _run(stated: Run, values: Values | None, operator: Operator) -> SimulationReport:
    problem = stated.problem
    task = collective_task(problem, stated.tasks, operator)
    data = _data(problem, task, stated.operations, values)
    machine = Machine(task, resources(problem), data, stated.tick, operator)
    machine.play(stated.rows, task_durations(stated))
    if stated.makespan != machine.time:
        rule = f"the last piece of work ends at {shown(machine.time)}"
        raise Rejected("makespan", text(stated.makespan), rule)
    return _report(problem, machine, stated.volume, stated.volume / machine.time, None)


def _series(
    stated: Series,
    operations: int,
    values: Values | None,
    operator: Operator,
) -> SimulationReport:
    problem = stated.problem
    if isinstance(operations, bool) or not isinstance(operations, int) or operations < 1:
        raise InvalidInput("operations", operations, "a whole number of operations, at least 1")
    if operations > MAX_TRANSFERS:
        raise InvalidInput("operations", operations, _TOO_MANY)
    if stated.schedule is None:
        if stated.throughput:
            raise Rejected("throughput", text(stated.throughput), "there is no schedule")
        why = unreachable_in_words(problem)
        rule = f"no operation is ever complete, the throughput is 0: {why}"
        raise InvalidInput("operations", operations, rule)
    period = stated.schedule.period
    line, written = collective_line(problem, stated.schedule)
    task = collective_task(problem, written, operator, slowness(problem, stated.schedule))
    pieces = _bounded(line, operations)
    data = _data(problem, task, operations, values)
    machine = Machine(task, resources(problem), data, line.unit, operator)
    machine.play(pieces, lambda job, _: line.lasts[job])
    rate = line.batch / period
    if stated.throughput != rate:
        raise Rejected("throughput", text(stated.throughput), f"it is {shown(rate)}")
    constant = line.depth * period
    report = _report(problem, machine, Fraction(operations), rate, constant)
    if report.limit is not None and report.makespan > report.limit:
        rule = "M operations take at most M / throughput + depth * period"
        raise Rejected("makespan", text(report.makespan), rule)
    return report


_TOO_MANY = f"at most {MAX_TRANSFERS} tasks are played; ask for fewer operations"


def _bounded(line: Line, operations: int) -> list[Piece]:
    if operations * line.tasks > MAX_TRANSFERS:
        raise InvalidInput("operations", operations, _TOO_MANY)
    # Slots may cut single tasks into many pieces.
    pieces = list(islice(line.pieces(operations), MAX_TRANSFERS + 1))
    if len(pieces) > MAX_TRANSFERS:
        raise InvalidInput("operations", operations, _TOO_MANY)
    return pieces


def _data(
    problem: Collective, task: Task, operations: int, values: Values | None
) -> list[list[Any]]:
    """The values of every operation, each made once."""
    made = values or _texts(problem)
    indices = range(len(task.given))
    return [[made(index, operation) for index in indices] for operation in range(operations)]


def _texts(problem: Collective) -> Values:
    """Texts that tell what they are: no two are the same, whatever is joined."""
    if isinstance(problem, Reduction):
        return lambda index, operation: f"v{index}({operation})"
    if isinstance(problem, Broadcast):
        return lambda _, operation: f"message {operation}"
    if isinstance(problem, Combination):
        # Counters, whose sum tells how often each value is in it, and not in which order.
        owned = [
            f"{index} of {one_line(node)}"
            for index, block in enumerate(problem.blocks)
            for node in (
                problem.members_of(block.group) if block.source is None else [block.source]
            )
        ]
        return lambda index, operation: Counter([f"{owned[index]} ({operation})"])
    listed = problem.roots if isinstance(problem, Allgather) else problem.demands
    names = [one_line(one) for one in listed]
    return lambda index, operation: f"{names[index]} ({operation})"


def _report(
    problem: Collective,
    machine: Machine,
    volume: Fraction,
    throughput: Fraction,
    constant: Fraction | None,
) -> SimulationReport:
    return SimulationReport(
        problem=problem,
        operations=len(machine.data),
        volume=volume,
        makespan=machine.time,
        completion=machine.completion(),
        busy={name: Fraction(time, machine.now) for name, time in machine.busy.items()},
        throughput=throughput,
        constant=constant,
        events=machine.events,
        results=machine.results(),
    )
