"""What a schedule on a LogP machine does, from the definition, and what no schedule beats.

The rules, and the proofs of the bounds, are those of `proofs/logp-certificates.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice, repeat
from math import gcd
from operator import add, gt

from exactsched.certificate.logp import LogPSchedule
from exactsched.certificate.rules import column, extremes
from exactsched.check.common_denominator import over_common_denominator, quotient
from exactsched.check.logp.bounds import least_time, proved_claim
from exactsched.check.logp.events import first_closer, sends_and_receptions
from exactsched.check.logp.ranges import Combining, Ranges, union, without
from exactsched.check.logp.summation_bound import most_operands
from exactsched.check.proved import ProvedLogP, shown
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import Rational


@dataclass(frozen=True, slots=True)
class _Clock:
    """The machine and the schedule in integers: this many of these units are one unit of time."""

    unit: int
    latency: int
    overhead: int
    gap: int
    senders: Sequence[int]  # of the messages, their receivers, and when they start
    receivers: Sequence[int]
    starts: Sequence[int]
    last: int  # of the starts; one that arrives at time 0 where there are none
    added_at: Sequence[int]  # the processors that add own operands, from when on, and how long
    added_from: Sequence[int]
    adding: Sequence[int]
    operands: int  # how many these are
    added: int  # how long a reception is followed by an addition
    deadline: int  # of a summation

    @property
    def delay(self) -> int:
        return self.latency + 2 * self.overhead

    def shown(self, *times: int) -> list[str]:
        return [shown(quotient(time, self.unit)) for time in times]


def logp_schedule(stated: LogPSchedule) -> ProvedLogP:
    """The time of a schedule, or the number of operands that it adds, and the bound on all others.

    With m messages O(m log m) steps on integers, with P processors O(P) for the bound.  Raises
    `Rejected`.

    >>> from exactsched.model.machine import LogP
    >>> machine = LogP(6, 2, 4, 3)
    >>> messages = ((0, 1, 0, 0), (0, 2, 0, 4))
    >>> print(logp_schedule(LogPSchedule(machine, "broadcast", 1, 1, messages, (), 14, 14, True)))
    broadcast to 3 processors in time 14 proved optimal (L=6, o=2, g=4)
    """
    _refuse_too_few(stated)
    clock = _clock(stated)
    if not _is_tree_in_order(stated, clock):
        _refuse_haste(clock)
        if stated.collective == "summation":
            return _summation(stated, clock)
        if stated.collective == "allreduce":
            _refuse_uncombined(stated, clock)
        else:
            _refuse_undelivered(stated, clock)
    least = least_time(stated, clock.latency, clock.overhead, clock.gap, clock.unit)
    time, bound = quotient(clock.last + clock.delay, clock.unit), quotient(least, clock.unit)
    if stated.time != time:
        raise Rejected("time", shown(stated.time), f"the last message is received at {shown(time)}")
    return proved_claim("logp-schedule", stated, bound, time == bound)


def _refuse_too_few(stated: LogPSchedule) -> None:
    """So that numbers of processors and of items cost no more than the messages of the document."""
    size = stated.machine.P
    needed = {
        "broadcast": (size - 1) * stated.count,
        "allgather": size * (size - 1) * stated.count,
        "alltoall": size * (size - 1) * stated.count,
        "allreduce": size if size > 1 else 0,
        "summation": 0,
    }[stated.collective]
    if len(stated.messages) < needed:
        rule = f"at least {needed} are received by those who need them"
        raise Rejected("messages", len(stated.messages), rule)


def _clock(stated: LogPSchedule) -> _Clock:
    machine, tick = stated.machine, stated.tick
    started, added_from, numbers_added = (
        column(stated.messages, 3),
        column(stated.additions, 1),
        column(stated.additions, 2),
    )
    last = extremes(started)[1] if started else 0
    summing = stated.collective == "summation"
    lasting = max(numbers_added, default=0)
    numbers: list[Rational] = [
        machine.L,
        machine.o,
        machine.g,
        1,
        tick,
        tick * max(last, max(added_from, default=0)),
        lasting,
        stated.time if summing else 0,
    ]
    (latency, overhead, gap, unit, tick_units, _, _, deadline), _ = over_common_denominator(
        numbers, "machine", 10 * (len(started) + len(added_from))
    )

    def times_of(ticks: Sequence[int], factor: int) -> Sequence[int]:
        return [number * factor for number in ticks] if factor > 1 else ticks

    return _Clock(
        unit=unit,
        latency=latency,
        overhead=overhead,
        gap=gap,
        senders=column(stated.messages, 0),
        receivers=column(stated.messages, 1),
        starts=times_of(started, tick_units),
        last=last * tick_units if started else -latency - 2 * overhead,
        added_at=column(stated.additions, 0),
        added_from=times_of(added_from, tick_units),
        adding=times_of(numbers_added, unit),
        operands=sum(numbers_added),
        added=unit if summing else 0,
        deadline=deadline,
    )


def _is_tree_in_order(stated: LogPSchedule, clock: _Clock) -> bool:
    """Whether one item goes down a tree, so that the messages can be taken as they stand.

    Then nothing is to be refused: all receive once, and only then send, a gap and an overhead after
    their last send.  That takes a fifth of the time of the rules for any messages, which sort them.
    """
    size, starts, delay = stated.machine.P, clock.starts, clock.delay
    if stated.collective != "broadcast" or stated.count > 1:
        return False
    period = max(clock.gap, clock.overhead)
    never = clock.last + delay + period + 1
    free = [never] * size  # from when on a processor that has the item can send it
    free[0] = 0
    for sender, receiver, start in zip(clock.senders, clock.receivers, starts, strict=True):
        if start < free[sender]:
            return False
        free[sender] = start + period
        free[receiver] = start + delay
    # Otherwise one of them received twice, or the source did.
    return free.count(never) == size - 1 - len(starts)


def _refuse_haste(clock: _Clock) -> None:
    """A processor does one thing at a time, and leaves the gap between two sends or receptions.

    The limit on the messages under way follows from the gaps, as the page shows.
    """
    arrival = clock.latency + clock.overhead
    receiving = clock.overhead + clock.added
    lasts = max(receiving, max(clock.adding, default=0))
    latest = max(clock.last + arrival, max(clock.added_from, default=0))
    # No less than a gap between the times of one processor and of the next, in one row of numbers.
    span = latest + lasts + clock.gap
    sends = _in_rows(span, clock.senders, clock.starts)
    receptions = [row + arrival for row in _in_rows(span, clock.receivers, clock.starts)]
    additions = _in_rows(span, clock.added_at, clock.added_from)
    begun, ended = additions, list(map(add, additions, clock.adding))
    for starts, lasting, rule in (
        (sends, clock.overhead, "two sends start at least a gap apart"),
        (receptions, receiving, "two receptions start at least a gap apart"),
    ):
        starts.sort()
        _refuse_pair(first_closer(starts, clock.gap), starts, span, clock, rule)
        if lasting:
            begun += starts
            ended += [start + lasting for start in starts]
    begun.sort()
    ended.sort()
    # Intervals do not overlap if and only if each but the first starts when all before have ended.
    # Up to the first fault the ends are those of the starts.
    overlap = list(map(gt, ended, islice(begun, 1, None)))
    index = overlap.index(True) if any(overlap) else None
    _refuse_pair(index, begun, span, clock, "a processor does one overhead or addition at a time")


def _refuse_pair(index: int | None, starts: list[int], span: int, clock: _Clock, rule: str) -> None:
    """Raises `Rejected` for the start with this index and the next one."""
    if index is not None:
        processor, first = divmod(starts[index], span)
        raise Rejected(f"processor {processor}", clock.shown(first, starts[index + 1] % span), rule)


def _in_rows(span: int, processors: Sequence[int], times: Sequence[int]) -> list[int]:
    """All times of all processors in one row of numbers, those of one after those of another."""
    pairs = zip(processors, times, strict=True)
    return [processor * span + time for processor, time in pairs]


def _refuse_undelivered(stated: LogPSchedule, clock: _Clock) -> None:
    """Whoever sends an item has it, and in the end everybody has all that is meant for him."""
    size, count = stated.machine.P, stated.count
    if size == 1:
        return
    items, owned = {
        "broadcast": (count, count),
        "allgather": (size * count, count),
        "alltoall": (size * size * count, size * count),
    }[stated.collective]
    # When the message started with which an item was first received: it comes last.
    order = sorted(range(len(clock.starts)), key=clock.starts.__getitem__, reverse=True)
    carried = column(stated.messages, 2)
    brought = [
        receiver * items + item for receiver, item in zip(clock.receivers, carried, strict=True)
    ]
    has = dict(
        zip(map(brought.__getitem__, order), map(clock.starts.__getitem__, order), strict=True)
    )
    # Owners have their items from the start: of a message no later than the delay before it.
    has.update((item // owned * items + item, -clock.delay) for item in range(items))
    sent = [sender * items + item for sender, item in zip(clock.senders, carried, strict=True)]
    delay = clock.delay
    latest = [start - delay for start in clock.starts]
    never = max(latest) + 1
    if any(map(gt, map(has.get, sent, repeat(never)), latest)):
        index = list(map(gt, map(has.get, sent, repeat(never)), latest)).index(True)
        sender, _, item, _ = stated.messages[index]
        rule = (
            f"processor {sender} does not have this item at {clock.shown(clock.starts[index])[0]}"
        )
        raise Rejected(f"messages[{index}]", item, rule)
    if stated.collective == "alltoall":
        wanted: Iterable[int] = (item // count % size * items + item for item in range(items))
    else:
        wanted = range(size * items)
    if not all(map(has.__contains__, wanted)):
        for item in range(items):
            addressee = item // count % size
            targets = (addressee,) if stated.collective == "alltoall" else range(size)
            for target in targets:
                if target * items + item not in has and target != item // owned:
                    rule = f"processor {target} never receives this item"
                    raise Rejected("messages", item, rule)


def _refuse_uncombined(stated: LogPSchedule, clock: _Clock) -> None:
    """Whatever is combined contains each value once, and in the end everybody has all of them.

    What a processor has combined is a set of values, as its ranges [start, stop), increasing.
    """
    size = stated.machine.P
    combined: list[Ranges] = [((processor, processor + 1),) for processor in range(size)]
    under_way: dict[int, Ranges] = {}
    combining = Combining()
    for index, arrives in sends_and_receptions(clock.starts, clock.delay):
        sender, receiver, item, _ = stated.messages[index]
        if not arrives:
            known = combined[sender]
            under_way[index] = without(known, sender) if item else known
            combining.keep(1 + len(known) * item, f"messages[{index}]")
            continue
        brought = under_way.pop(index)
        joined = union(combined[receiver], brought)
        if joined is None:
            rule = f"processor {receiver} has combined some of these values already"
            raise Rejected(f"messages[{index}]", list(brought[:4]), rule)
        combining.keep(len(joined) + len(brought), f"messages[{index}]")
        combined[receiver] = joined
    for processor, known in enumerate(combined):
        if known != ((0, size),):
            rule = "in the end everybody has combined all values"
            raise Rejected(f"processor {processor}", list(known[:4]), rule)


def _summation(stated: LogPSchedule, clock: _Clock) -> ProvedLogP:
    """Every operand reaches processor 0: who adds or receives sends once, when all is done."""
    deadline, senders = clock.deadline, clock.senders
    complete = {0: deadline}  # when the sum of a processor has to be complete
    complete.update(zip(senders, clock.starts, strict=True))
    if len(complete) <= len(senders):
        seen = {0}
        for index, sender in enumerate(senders):
            if sender in seen:
                rule = "processor 0 sends nothing, every other one its sum once"
                raise Rejected(f"messages[{index}]", sender, rule)
            seen.add(sender)
    adding = [*clock.receivers, *clock.added_at]
    lasts = clock.delay + clock.added
    ended = [start + lasts for start in clock.starts]
    ended += map(add, clock.added_from, clock.adding)
    never = -1
    late = list(map(gt, ended, map(complete.get, adding, repeat(never))))
    if any(late):
        index = late.index(True)
        processor, end = adding[index], clock.shown(ended[index])[0]
        if processor not in complete:
            rule = "whoever adds anything sends his sum, or is processor 0"
            raise Rejected(f"processor {processor}", end, rule)
        rule = f"its sum is complete at {clock.shown(complete[processor])[0]}"
        raise Rejected(f"processor {processor}", end, rule)
    operands = len(complete) + clock.operands
    if stated.count != operands:
        raise Rejected("count", stated.count, f"{operands} operands are added")
    machine = (clock.latency, clock.overhead, clock.gap, clock.unit, stated.machine.P)
    # Any schedule can start everything at multiples of the largest number of which these are.
    step = gcd(*machine[:4])
    less = most_operands(*machine, (deadline - 1) // step * step)
    bound = most_operands(*machine, deadline)
    return proved_claim("logp-schedule", stated, bound, less < operands)
