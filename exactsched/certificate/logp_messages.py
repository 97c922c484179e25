"""Schedules of LogP machines message by message: role cycles and rounds, written out."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from functools import partial
from typing import Final

from exactsched.certificate.logp import LogPCycles, LogPRounds, LogPSchedule, Message
from exactsched.exact.errors import InvalidInput, Rejected

Listable = LogPSchedule | LogPCycles | LogPRounds

DEFAULT_ITEMS: Final = 20
MAX_MESSAGES: Final = 2_000_000  # that are listed, and played, at most: about half a minute


def listed(stated: Listable, items: int | None = None) -> LogPSchedule:
    """The same schedule with all its messages; of an endless series, those of `items` items.

    `items` is for endless series only, DEFAULT_ITEMS if it is not given.  Raises `InvalidInput` for
    other arguments and for more than MAX_MESSAGES messages, `Rejected` as `unrolled`.

    >>> from exactsched.model.machine import LogP
    >>> machine, rounds = LogP(1, 0, 1, 3), ((0, 1, 0), (1, 2, 0))
    >>> listed(LogPRounds(machine, "allgather", 1, 1, (), rounds, 2, 2, True)).messages == (
    ...     (0, 1, 0, 0), (1, 2, 1, 0), (2, 0, 2, 0), (0, 2, 0, 1), (1, 0, 1, 1), (2, 1, 2, 1)
    ... )
    True
    """
    if isinstance(stated, LogPCycles):
        messages = unrolled(stated, items)
        count = stated.items or _number_of_items(items)
        ended = max(start for *_, start in messages) + stated.machine.L
        bound = Fraction(stated.bound)
        return LogPSchedule(
            stated.machine, "broadcast", count, 1, messages, (), ended, bound, stated.optimal
        )
    if items is not None:
        raise InvalidInput("items", items, "only an endless series has any number of items")
    if isinstance(stated, LogPSchedule):
        return stated
    return LogPSchedule(
        stated.machine,
        stated.collective,
        stated.count,
        stated.tick,
        messages_of_rounds(stated),
        (),
        stated.time,
        stated.bound,
        stated.optimal,
    )


def messages_of_rounds(stated: LogPRounds) -> tuple[Message, ...]:
    """All messages of the exchanges of halves and of the rounds, in the order of their starts, then
    of the senders.

    Raises `InvalidInput` if there are more than MAX_MESSAGES.
    """
    size, count = stated.machine.P, stated.count
    if size > MAX_MESSAGES:
        raise InvalidInput(
            "P", size, f"the messages of at most {MAX_MESSAGES} processors are listed"
        )
    groups = [range(size)]
    messages: list[Message] = []
    for begin, spacing, later in stated.halvings:
        halves = [(group[: len(group) // 2], group[len(group) // 2 :]) for group in groups]
        pairs = sum(len(ones) * len(others) for ones, others in halves)
        _refuse_many(len(messages) + 2 * count * pairs)
        for ones, others in halves:
            for step in range(len(others) * count if ones else 0):
                item, start = step // len(others), begin + step * spacing
                for index, one in enumerate(ones):
                    other = others[(index + step) % len(others)]
                    there = _numbered(stated, one, other, item)
                    back = _numbered(stated, other, one, item)
                    messages.append(Message(one, other, there, start))
                    messages.append(Message(other, one, back, start + later))
        groups = [half for both in halves for half in both if half]
    in_rounds = sum(
        size * number * sum(shift < size for _, shift, _ in stated.rounds)
        for size, number in Counter(map(len, groups)).items()
    )
    _refuse_many(len(messages) + in_rounds)
    for start, shift, item in stated.rounds:
        for group in groups:
            if shift >= len(group):
                continue
            for index, sender in enumerate(group):
                receiver = group[(index + shift) % len(group)]
                number = _numbered(stated, sender, receiver, item)
                messages.append(Message(sender, receiver, number, start))
    return tuple(sorted(messages, key=lambda message: (message[3], message[0])))


def _numbered(stated: LogPRounds, sender: int, receiver: int, item: int) -> int:
    """The number in `LogPSchedule` of the sender's item."""
    match stated.collective:
        case "allgather":
            return sender * stated.count + item
        case "alltoall":
            return (sender * stated.machine.P + receiver) * stated.count + item
        case _:
            return item


def _refuse_many(messages: int) -> None:
    if messages > MAX_MESSAGES:
        raise InvalidInput("messages", messages, f"at most {MAX_MESSAGES} messages are listed")


# Half of the time of `Message` itself; there may be millions.
_message = partial(tuple.__new__, Message)


def unrolled(cycles: LogPCycles, items: int | None = None) -> tuple[Message, ...]:
    """The messages of role cycles, one by one: the source is processor 0, processor q is q + 1.

    `items` as in `simulate_logp`.  Of the messages that a role demands at the same time any may be
    sent by any of those who have to send one then.  Raises `Rejected` if their numbers differ.

    >>> from exactsched.model.machine import LogP
    >>> chain = LogPCycles(LogP(1, 0, 1, 3), ((1, ((0, 1),)), (1, ((1, 0),))), 0, (), 2, 2, True)
    >>> unrolled(chain, 2) == ((0, 1, 0, 0), (1, 2, 0, 1), (0, 1, 1, 1), (1, 2, 1, 2))
    True
    """
    if cycles.items and items is not None:
        raise InvalidInput("items", items, "only an endless series has any number of items")
    count = cycles.items or _number_of_items(items)
    alone = count - len(set(cycles.endgame))
    sent = alone + len(cycles.endgame)
    last = cycles.time if cycles.items else count - 1 + cycles.time
    latency, size = cycles.machine.L.numerator, cycles.machine.P
    if sent * (size - 1) > MAX_MESSAGES:
        raise InvalidInput("items", count, f"at most {MAX_MESSAGES} messages are listed")
    copies = [*range(alone), *cycles.endgame]
    # Who receives a copy: (delay, processor, children).
    holders: list[list[tuple[int, int, int]]] = [[] for _ in copies]
    before = 1  # the source
    for shift, roles in cycles.cycles:
        length = len(roles)
        processors = range(before, before + length // shift)
        before = processors.stop
        for number, (delay, children) in enumerate(roles):
            if children > size:
                raise Rejected("cycles", children, "nobody sends to more than there are")
            first, end = number - latency - delay, min(sent, last - latency - delay + 1)
            for processor in processors:
                reception = delay, processor, children
                for copy in range(first % length, end, length):
                    holders[copy].append(reception)
                first += shift
    messages: list[Message] = []
    for copy, (item, received) in enumerate(zip(copies, holders, strict=True)):
        sends: defaultdict[int, list[int]] = defaultdict(list, {0: [0]})
        for delay, receiver, children in sorted(received):
            senders = sends[delay]
            if not senders:
                raise Rejected(f"item {item}, copy {copy}", delay, "nobody sends for this delay")
            messages.append(_message((senders.pop(), receiver, item, copy + delay)))
            for child in range(children):
                sends[delay + latency + child].append(receiver)
        for delay, senders in sends.items():
            if senders and copy + latency + delay <= last:
                rule = "a message for this delay that nobody receives"
                raise Rejected(f"item {item}, copy {copy}", delay, rule)
    return tuple(messages)


def _number_of_items(items: int | None) -> int:
    if items is None:
        return DEFAULT_ITEMS
    if type(items) is not int or items < 1:
        raise InvalidInput("items", items, "a whole number of items, at least 1")
    return items
