"""What the processors of a LogP machine do when: the bars and flights of pictures and traces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from exactsched.certificate.logp import LogPSchedule, Message
from exactsched.drawing.lettering import counted, short
from exactsched.drawing.words import ARROW, BACK

_DIGITS = 24


@dataclass(frozen=True, slots=True)
class Activity:
    """A bar of a processor; of its `names` the first one that fits is written on it.

    `kind` is ``send``, ``receive`` or ``add``.
    """

    processor: int
    kind: str
    start: Fraction
    end: Fraction
    names: tuple[str, ...]
    told: str


@dataclass(frozen=True, slots=True)
class Flight:
    """A message with its two bars; in between it is under way for the latency."""

    send: Activity
    receive: Activity
    departure: Fraction
    arrival: Fraction


def has_lanes(schedule: LogPSchedule) -> bool:
    """Whether a processor can send and receive at the same time, because that takes no time."""
    return schedule.machine.o == 0


def bar_length(schedule: LogPSchedule) -> Fraction:
    """How long a send or a reception is drawn: the overhead, or without one the gap, or less.

    Without overhead the bar of a send begins when the message leaves, that of a reception ends when
    it arrives.  Bars of one kind do not overlap, for they are a gap apart.
    """
    machine = schedule.machine
    return machine.o or min(machine.g, machine.L)


def flight(schedule: LogPSchedule, message: Message) -> Flight:
    """A message as it is drawn."""
    machine, length = schedule.machine, bar_length(schedule)
    sender, receiver, item, ticks = message
    start = ticks * Fraction(schedule.tick)
    end = start + machine.delay
    departure, arrival = start + machine.o, end - machine.o
    item_name = _item_name(schedule, item)
    at = f"sent at {short(start, _DIGITS)}, received at {short(end, _DIGITS)}"
    told = f"{sender} {ARROW} {receiver}: {item_name[0]}, {at}"
    mark = item_name[1]
    away, back = f"{ARROW}{receiver}", f"{BACK}{sender}"
    to = (f"{mark}{away}", away, str(receiver)) if mark else (away, str(receiver))
    by = (f"{mark}{back}", back, str(sender)) if mark else (back, str(sender))
    return Flight(
        Activity(sender, "send", start, start + length, to, told),
        Activity(receiver, "receive", end - length, end, by, told),
        departure,
        arrival,
    )


def additions(schedule: LogPSchedule) -> Iterator[Activity]:
    """What is added in a summation: own operands, and what a message has brought."""
    tick = Fraction(schedule.tick)
    for processor, start, number in schedule.additions:
        told = f"processor {processor} adds {counted(number, 'own operand')}"
        begin = start * tick
        names = (f"+{short(number)}", "+")
        yield Activity(processor, "add", begin, begin + number, names, told)
    if schedule.collective == "summation":
        for sender, receiver, _, start in schedule.messages:
            end = start * tick + schedule.machine.delay
            told = f"processor {receiver} adds the sum of processor {sender}"
            yield Activity(receiver, "add", end, end + 1, ("+",), told)


def end_of(schedule: LogPSchedule) -> Fraction:
    """When the last activity ends; 0 if there is none."""
    delay, tick = schedule.machine.delay, Fraction(schedule.tick)
    if schedule.collective == "summation":
        return max((work.end for work in additions(schedule)), default=Fraction(0))
    last = max((start for *_, start in schedule.messages), default=None)
    return Fraction(0) if last is None else last * tick + delay


def _item_name(schedule: LogPSchedule, item: int) -> tuple[str, str]:
    """What a message carries, in words and on a bar (empty if it is clear)."""
    size, count = schedule.machine.P, schedule.count
    match schedule.collective:
        case "broadcast":
            return f"item {short(item)}", short(item) if count > 1 else ""
        case "allgather":
            return f"item {short(item)} of processor {item // count}", short(item)
        case "alltoall":
            source, target = divmod(item // count, size)
            number = f", number {short(item % count)}" if count > 1 else ""
            return (
                f"from {source} for {target}{number}",
                f"{short(item % count)}:" if count > 1 else "",
            )
        case "allreduce":
            if item:
                return "what it has combined without its own value", "\u2013"
            return "what it has combined", ""
        case _:
            return "its sum", ""
