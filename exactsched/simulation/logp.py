"""A LogP machine that runs a schedule event by event, on real data.

Written from the records and the definition of the machine alone: it shares no code with the
solvers, and none with the checker, which compares sorted times where this plays time forwards.
Messages carry values, processors join them by an operator, and in the end everybody's values are
compared with what they should be by definition.
"""

from __future__ import annotations

import operator as arithmetic
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from math import lcm
from typing import Any, Protocol

from exactsched.certificate import parse
from exactsched.certificate.given import record_or_document
from exactsched.certificate.logp import LogPSchedule
from exactsched.certificate.logp_messages import MAX_MESSAGES, Listable, listed
from exactsched.certificate.result import Result
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.exact.rational import Rational, readable, text
from exactsched.model.machine import LogP
from exactsched.simulation.wording import shown

Operator = Callable[[Any, Any], Any]
Values = Callable[[int, int], Any]

# At equal times what ends makes room for what begins.
_LEAVE, _END, _BEGIN = 0, 1, 2


@readable
@dataclass(frozen=True)
class LogPReport:
    """What happened on the machine, in exact numbers.

    `results` holds what each processor knew in the end: of a broadcast and of alltoall a
    mapping of items to values, of combining the joined value, of a summation, only at processor 0,
    the sum.  `operands` lists the operands of a summation, (processor, number), in the order in
    which the result joins them.  `under_way` is how many messages from, or to, one processor were
    on their way at most.  `busy` is the time that each processor spent in overheads and additions.
    """

    machine: LogP
    collective: str
    time: Fraction
    messages: int
    events: int
    under_way: int
    busy: tuple[Rational, ...] = field(repr=False)
    results: Mapping[int, Any] = field(hash=False, repr=False)
    operands: tuple[tuple[int, int], ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        machine = self.machine
        parameters = f"L={shown(machine.L)}, o={shown(machine.o)}, g={shown(machine.g)}"
        return (
            f"simulated {self.collective} on {machine.P} processors ({parameters}): "
            f"{self.messages} messages, {self.events} events, "
            f"at most {self.under_way} of {shown(Fraction(machine.capacity))} under way, "
            f"done at {shown(self.time)}"
        )


def simulate_logp(
    certificate: object,
    *,
    items: int | None = None,
    values: Values | None = None,
    operator: Operator = arithmetic.add,
) -> LogPReport:
    """Simulates a LogP schedule, or `items` items of an endless series, and reports what happened.

    `certificate` is a `LogPSchedule`, `LogPRounds` or `LogPCycles`, as a record, a document or a
    path; it is played message by message, as `certificate.logp_messages.listed` says.  Of role
    cycles the source becomes processor 0, and processor q becomes q + 1; `items` are sent (by
    default DEFAULT_ITEMS) if the series is endless, and are not given otherwise.

    `values(p, i)` is what there is at the start: item i, of processor p; value 0 of processor p
    (combining); operand i of processor p, in the order in which p adds them (summation).
    `operator(left, right)` joins two values; it has to be associative, and commutative for
    combining.  By default values are texts; for combining they are numbers whose sum is
    right only if each of them was added once.

    At every event it is checked that the processor is free, that sends and receptions keep the
    gap, that no more than ceil(L / g) messages are under way from or to a processor, and that a
    processor has what it sends; in the end that everybody has everything that is promised, with
    the right values, at the time that is stated.  Raises `Rejected` with event, value and rule,
    `InvalidInput` for other arguments and more than MAX_MESSAGES messages or operands.  The bound
    of the certificate is not examined: that is `check`'s.

    With m messages O(m log m) steps and m operations on values.

    Reference: proofs/logp-certificates.md.

    >>> from exactsched.certificate.logp import LogPSchedule
    >>> machine, sends = LogP(1, 0, 1, 3), ((2, 1, 0, 0), (1, 0, 0, 2))
    >>> stated = LogPSchedule(machine, "summation", 4, 1, sends, ((0, 0, 1),), 4, 7, False)
    >>> report = simulate_logp(stated, values=lambda p, i: f"{'abc'[p]}{i} ")
    >>> report.results, report.operands
    ({0: 'a0 a1 b0 c0 '}, ((0, 0), (0, 1), (1, 0), (2, 0)))
    """
    schedule = listed(_stated(certificate), items)
    for name, function in (("values", values), ("operator", operator)):
        if function is not None and not callable(function):
            raise InvalidInput(name, function, "a function of two arguments")
    if len(schedule.messages) > MAX_MESSAGES:
        rule = f"at most {MAX_MESSAGES} messages are played"
        raise InvalidInput("messages", len(schedule.messages), rule)
    data: _Data
    if schedule.collective == "summation":
        if schedule.count > MAX_MESSAGES:
            raise InvalidInput(
                "count", schedule.count, f"at most {MAX_MESSAGES} operands are added"
            )
        data = _Sums(schedule, values or (lambda p, i: f"{p}.{i} "), operator)
    elif schedule.collective == "allreduce":
        size = schedule.machine.P
        base = size + 1
        # The leading digits count the summands; if these are P, no other digit overflows.
        data = _Combined(schedule, values or (lambda p, _: base**size + base**p), operator)
    else:
        data = _Items(schedule, values or (lambda p, i: f"item {i} of processor {p}"))
    return _Machine(schedule, data).play()


def _stated(certificate: object) -> Listable:
    given = record_or_document(certificate)
    stated = given if isinstance(given, Result) else parse(given)
    if not isinstance(stated, Listable):
        rule = "schedules of LogP machines are played here, and messages do not wait in them"
        raise InvalidInput("kind", type(stated).__name__, rule)
    return stated


class _Data(Protocol):
    """What processors know: messages take values along, additions join them."""

    def sent(self, message: int) -> None: ...

    def received(self, message: int) -> None: ...

    def added(self, processor: int, number: int) -> None: ...

    def finished(self) -> dict[int, Any]: ...

    def operands(self) -> tuple[tuple[int, int], ...]: ...


class _Unadded:
    def added(self, processor: int, number: int) -> None:
        raise Rejected(f"processor {processor}", number, "only a summation adds operands")

    def operands(self) -> tuple[tuple[int, int], ...]:
        return ()


class _Items(_Unadded):
    """Items that are handed on as they are."""

    def __init__(self, schedule: LogPSchedule, values: Values) -> None:
        size, count = schedule.machine.P, schedule.count
        self.messages = schedule.messages
        self.known: list[dict[int, Any]] = [{} for _ in range(size)]
        self.wanted: list[set[int]] = [set() for _ in range(size)]
        for owner in range(size if schedule.collective != "broadcast" else 1):
            for number in range(count):
                for item, targets in self._addressed(
                    schedule.collective, size, count, owner, number
                ):
                    self.known[owner][item] = values(owner, item)
                    for target in targets:
                        self.wanted[target].add(item)
        self.values = {item: value for known in self.known for item, value in known.items()}
        self.under_way: dict[int, Any] = {}

    @staticmethod
    def _addressed(
        collective: str, size: int, count: int, owner: int, number: int
    ) -> Iterator[tuple[int, Iterable[int]]]:
        if collective == "alltoall":
            for target in range(size):
                if target != owner:
                    yield (owner * size + target) * count + number, (target,)
        else:
            yield owner * count + number, range(size)

    def sent(self, message: int) -> None:
        sender, _, item, _ = self.messages[message]
        if item not in self.known[sender]:
            raise Rejected(f"messages[{message}]", item, f"processor {sender} has no such item yet")
        self.under_way[message] = self.known[sender][item]

    def received(self, message: int) -> None:
        _, receiver, item, _ = self.messages[message]
        self.known[receiver][item] = self.under_way.pop(message)

    def finished(self) -> dict[int, Any]:
        for processor, (known, wanted) in enumerate(zip(self.known, self.wanted, strict=True)):
            if not wanted <= known.keys():
                missing = min(wanted - known.keys())
                raise Rejected(f"processor {processor}", missing, "this item never arrives there")
            for item, value in known.items():
                if value != self.values[item]:
                    raise Rejected(f"processor {processor}", item, "this item has another value")
        return dict(enumerate(self.known))


class _Combined(_Unadded):
    """Sums of values, with and without the processor's own."""

    def __init__(self, schedule: LogPSchedule, values: Values, operator: Operator) -> None:
        self.messages, self.operator = schedule.messages, operator
        self.own = [values(processor, 0) for processor in range(schedule.machine.P)]
        self.others: list[tuple[Any, ...]] = [() for _ in self.own]  # one sum, or none
        self.under_way: dict[int, tuple[Any, ...]] = {}

    def sent(self, message: int) -> None:
        sender, _, item, _ = self.messages[message]
        own = () if item else (self.own[sender],)
        self.under_way[message] = self._joined((*self.others[sender], *own))

    def received(self, message: int) -> None:
        receiver = self.messages[message][1]
        brought = self.under_way.pop(message)
        self.others[receiver] = self._joined((*self.others[receiver], *brought))

    def _joined(self, sums: tuple[Any, ...]) -> tuple[Any, ...]:
        return (reduce(self.operator, sums),) if sums else ()

    def finished(self) -> dict[int, Any]:
        right = reduce(self.operator, self.own)
        results = {}
        for processor, others in enumerate(self.others):
            [results[processor]] = self._joined((*others, self.own[processor]))
            if results[processor] != right:
                rule = "in the end everybody has the sum of all values, each of them once"
                raise Rejected(f"processor {processor}", results[processor], rule)
        return results


class _Sums:
    """Partial sums, in which every processor starts from an operand of its own."""

    def __init__(self, schedule: LogPSchedule, values: Values, operator: Operator) -> None:
        self.messages, self.count = schedule.messages, schedule.count
        self.values, self.operator = values, operator
        self.sums: dict[int, Any] = {}
        self.joined: dict[int, list[tuple[int, int]]] = {}  # the operands of these sums
        self.taken: defaultdict[int, int] = defaultdict(int)
        self.under_way: dict[int, tuple[Any, list[tuple[int, int]]]] = {}
        self._start(0)
        for sender, *_ in schedule.messages:
            self._start(sender)

    def _start(self, processor: int) -> None:
        if processor not in self.sums:
            self.sums[processor] = self._next(processor)
            self.joined[processor] = [(processor, 0)]

    def _next(self, processor: int) -> Any:
        number = self.taken[processor]
        self.taken[processor] += 1
        return self.values(processor, number)

    def sent(self, message: int) -> None:
        sender = self.messages[message][0]
        if sender not in self.sums:
            raise Rejected(f"messages[{message}]", sender, "this sum has been sent already")
        self.under_way[message] = self.sums.pop(sender), self.joined.pop(sender)

    def received(self, message: int) -> None:
        receiver = self.messages[message][1]
        value, operands = self.under_way.pop(message)
        self._join(receiver, value, operands)

    def added(self, processor: int, number: int) -> None:
        for _ in range(number):
            operand = (processor, self.taken[processor])
            self._join(processor, self._next(processor), [operand])

    def _join(self, processor: int, value: Any, operands: list[tuple[int, int]]) -> None:
        if processor not in self.sums:
            rule = "there is no partial sum left to add to"
            raise Rejected(f"processor {processor}", operands[0], rule)
        self.sums[processor] = self.operator(self.sums[processor], value)
        self.joined[processor] += operands

    def finished(self) -> dict[int, Any]:
        for processor in self.sums:
            if processor:
                raise Rejected(f"processor {processor}", "a sum", "it never reaches processor 0")
        operands = self.operands()
        if len(operands) != self.count:
            raise Rejected("count", self.count, f"{len(operands)} operands are in the result")
        right = reduce(self.operator, [self.values(*operand) for operand in operands])
        if self.sums[0] != right:
            rule = "by definition it is another value, if the operator is associative"
            raise Rejected("processor 0", self.sums[0], rule)
        return self.sums

    def operands(self) -> tuple[tuple[int, int], ...]:
        return tuple(self.joined[0])


class _Machine:
    """The processors and the network: who is busy until when, and what is under way."""

    def __init__(self, schedule: LogPSchedule, data: _Data) -> None:
        self.schedule, self.data = schedule, data
        machine, tick = schedule.machine, Fraction(schedule.tick)
        numbers = (machine.L, machine.o, machine.g, tick)
        self.unit = lcm(*(number.denominator for number in numbers))
        self.latency, self.overhead, self.gap, self.tick = (
            int(number * self.unit) for number in numbers
        )
        # A summation adds what it has received, in one unit of time.
        self.addition = self.unit if schedule.collective == "summation" else 0
        size = machine.P
        self.busy_until, self.busy = [0] * size, [0] * size
        self.last: dict[str, list[int | None]] = {
            "sends": [None] * size,
            "receptions": [None] * size,
        }
        self.leaving, self.coming = [0] * size, [0] * size
        self.most = self.now = self.played = 0

    def play(self) -> LogPReport:
        for time, _, act, *arguments in sorted(self._events(), key=lambda event: event[:2]):
            self.now = time
            self.played += 1
            act(*arguments)
        time = Fraction(self.now, self.unit)
        if self.schedule.collective != "summation" and self.schedule.time != time:
            raise Rejected("time", text(self.schedule.time), f"all is done at {shown(time)}")
        if self.schedule.time < time:
            raise Rejected("time", text(self.schedule.time), f"the sum is there at {shown(time)}")
        return LogPReport(
            machine=self.schedule.machine,
            collective=self.schedule.collective,
            time=self.schedule.time,
            messages=len(self.schedule.messages),
            events=self.played,
            under_way=self.most,
            busy=tuple(Fraction(spent, self.unit) for spent in self.busy),
            results=self.data.finished(),
            operands=self.data.operands(),
        )

    def _events(self) -> Iterator[tuple[Any, ...]]:
        """(time, order at equal times, what happens, to what)."""
        for message, (sender, receiver, _, start) in enumerate(self.schedule.messages):
            begun = start * self.tick
            put = begun + self.overhead
            taken = put + self.latency
            yield begun, _BEGIN, self._send, message, sender
            yield put, _BEGIN, self._enter, message, sender, receiver
            yield taken, _LEAVE, self._leave, sender, receiver
            yield taken, _BEGIN, self._receive, message, receiver
            yield taken + self.overhead + self.addition, _END, self.data.received, message
        for processor, start, number in self.schedule.additions:
            begun, lasts = start * self.tick, number * self.unit
            yield begun, _BEGIN, self._work, processor, lasts, f"additions of processor {processor}"
            yield begun + lasts, _END, self.data.added, processor, number

    def _send(self, message: int, sender: int) -> None:
        self._apart("sends", message, sender)
        self._work(sender, self.overhead, f"messages[{message}] is sent")
        self.data.sent(message)

    def _receive(self, message: int, receiver: int) -> None:
        self._apart("receptions", message, receiver)
        self._work(receiver, self.overhead + self.addition, f"messages[{message}] is received")

    def _apart(self, kind: str, message: int, processor: int) -> None:
        before = self.last[kind][processor]
        if before is not None and self.now - before < self.gap:
            rule = f"{kind} of a processor start a gap apart"
            raise Rejected(f"messages[{message}]", self._shown(before), rule)
        self.last[kind][processor] = self.now

    def _work(self, processor: int, lasts: int, place: str) -> None:
        if self.busy_until[processor] > self.now:
            rule = f"processor {processor} is busy until then"
            raise Rejected(
                f"{place} at {self._shown(self.now)}",
                self._shown(self.busy_until[processor]),
                rule,
            )
        self.busy_until[processor] = max(self.busy_until[processor], self.now + lasts)
        self.busy[processor] += lasts

    def _enter(self, message: int, sender: int, receiver: int) -> None:
        self.leaving[sender] += 1
        self.coming[receiver] += 1
        under_way = max(self.leaving[sender], self.coming[receiver])
        self.most = max(self.most, under_way)
        if under_way > self.schedule.machine.capacity:
            rule = (
                f"at most {self.schedule.machine.capacity} are under way from, or to, a processor"
            )
            raise Rejected(f"messages[{message}]", under_way, rule)

    def _leave(self, sender: int, receiver: int) -> None:
        self.leaving[sender] -= 1
        self.coming[receiver] -= 1

    def _shown(self, time: int) -> str:
        return shown(Fraction(time, self.unit))
