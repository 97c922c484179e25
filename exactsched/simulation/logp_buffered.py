"""The messages of a buffered broadcast one by one, with the steps in which they are received."""

from __future__ import annotations

from collections import defaultdict
from typing import Final, NamedTuple

from exactsched.certificate.logp import LogPBuffered
from exactsched.exact.errors import InvalidInput, Rejected

MAX_RECEPTIONS: Final = 2_000_000  # that are listed at most: some seconds


class Reception(NamedTuple):
    """Sent in the step `start`, there L steps later, received in the step `step`, perhaps later."""

    sender: int
    receiver: int
    item: int
    start: int
    step: int


def receptions(stated: LogPBuffered) -> tuple[Reception, ...]:
    """All messages of a schedule in buffered role cycles; processors as in the record.

    The source is processor P - 1.  Of the messages that arrive at the same time any may be sent by
    any of those who send then.  Raises `Rejected` if an item has not as many messages of some delay
    as it has roles, `InvalidInput` for more than MAX_RECEPTIONS messages.

    >>> from exactsched.model.machine import LogP
    >>> cycles = ((1, ((0, 2, 0), (3, 0, 1))), (1, ((4, 0, 0),)))
    >>> for row in receptions(LogPBuffered(LogP(3, 0, 1, 4), cycles, 1, 7, 7, 1, True)):
    ...     print(*row)
    3 1 0 0 3
    1 0 0 3 7
    1 2 0 4 7
    """
    latency, source = stated.machine.L.numerator, stated.machine.P - 1
    if stated.items * source > MAX_RECEPTIONS:
        rule = f"at most {MAX_RECEPTIONS} messages are listed"
        raise InvalidInput("items", stated.items, rule)
    # Of each item: who receives it with which delay, how much later, and sends it how often.
    roles_of: list[list[tuple[int, int, int, int]]] = [[] for _ in range(stated.items)]
    processor = 0
    for shift, roles in stated.cycles:
        length = len(roles)
        for position in range(length // shift):
            for number, (delay, children, wait) in enumerate(roles):
                if children > source:
                    raise Rejected("cycles", children, "nobody sends to more than there are")
                first = (number + position * shift - latency - delay - wait) % length
                for item in range(first, stated.items, length):
                    roles_of[item].append((delay, processor, children, wait))
            processor += 1
    rows = []
    for item, taken in enumerate(roles_of):
        senders = defaultdict(list, {0: [source]})
        for delay, receiver, children, wait in sorted(taken):
            if not senders[delay]:
                raise Rejected(f"item {item}", delay, "nobody sends for this delay")
            start = item + delay
            step = start + latency + wait
            rows.append(Reception(senders[delay].pop(), receiver, item, start, step))
            for child in range(children):
                senders[delay + wait + latency + child].append(receiver)
        if any(senders.values()):
            delay = min(delay for delay, left in senders.items() if left)
            raise Rejected(f"item {item}", delay, "a message that nobody receives")
    return tuple(rows)
