"""Role cycles, with waits or without: no processor does two things at once, every item has a tree.

The rules, and why they are enough for series of any length, are those of
`proofs/logp-certificates.md`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import lcm
from typing import TypeVar

from exactsched.certificate.budget import spend
from exactsched.exact.errors import Rejected

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Alike:
    """Cycles that are one object, which are looked at once.

    A solver lists a few cycles many times; in a file every one stands alone.
    """

    first: int  # the index of one of them
    count: int
    shift: int
    # Delay, until when a message is received after its send, less the latency, and children.
    roles: list[tuple[int, int, int]]


def alike(
    cycles: Sequence[tuple[int, tuple[R, ...]]],
    read: Callable[[tuple[R, ...]], list[tuple[int, int, int]]],
) -> list[Alike]:
    """The cycles, those that are one object together; `read` makes their roles.

    >>> both = (1, ((0, 2), (3, 0)))
    >>> kinds = alike([both, both, (1, ((4, 0),))], lambda roles: [(d, d, c) for d, c in roles])
    >>> [(kind.count, kind.roles) for kind in kinds]
    [(2, [(0, 0, 2), (3, 3, 0)]), (1, [(4, 4, 0)])]
    """
    count_of = Counter(map(id, cycles))
    first_of = dict(zip(map(id, reversed(cycles)), range(len(cycles) - 1, -1, -1), strict=True))
    kinds = []
    for key, count in count_of.items():
        first = first_of[key]
        shift, roles = cycles[first]
        kinds.append(Alike(first, count, shift, read(roles)))
    return kinds


def refuse_two_at_once(kinds: Sequence[Alike], rule: str) -> None:
    """In the steps of one round a processor receives different items, and its sends fit."""
    for kind in kinds:
        place, length = f"cycles[{kind.first}]", len(kind.roles)
        received = [(number - at) % length for number, (_, at, _) in enumerate(kind.roles)]
        if len({*received}) < length:
            taken: dict[int, int] = {}
            for number, step in enumerate(received):
                other = taken.setdefault(step, number)
                if other != number:
                    raise Rejected(place, [other, number], rule)
        senders = [number for number, (*_, children) in enumerate(kind.roles) if children]
        for number, following in zip(senders, [*senders[1:], *senders[:1]], strict=True):
            if kind.roles[number][2] > (following - number - 1) % length + 1:
                rule = "sends are done when the next role with children begins"
                raise Rejected(place, [number, following], rule)


def refuse_unless_trees(kinds: Sequence[Alike], latency: int) -> None:
    """The item sent in step i meets the roles received in step i + L, modulo the shift.

    One of them has the delay 0, and the sends of all of them provide the delays of the others.
    """
    period = lcm(*[kind.shift for kind in kinds])
    steps = sum(
        kind.count
        * (
            period
            + period // kind.shift * (len(kind.roles) + sum([role[2] for role in kind.roles]))
        )
        for kind in kinds
    )
    spend(steps, "cycles")
    # Of every kind the delays of the roles that meet an item, and of what is sent in these roles,
    # by the step of its send modulo the shift.
    meeting = []
    for kind in kinds:
        delays: list[list[int]] = [[] for _ in range(kind.shift)]
        sends: list[list[int]] = [[] for _ in range(kind.shift)]
        for number, (delay, at, children) in enumerate(kind.roles):
            step = (number - at - latency) % kind.shift
            delays[step].append(delay)
            if children:
                sends[step] += range(at + latency, at + latency + children)
        meeting.append((kind, delays, sends))
    for item in range(period):
        received, sent = list[int](), [0]  # 0 is from the source
        for kind, delays, sends in meeting:
            step = item % kind.shift
            received += delays[step] * kind.count
            sent += sends[step] * kind.count
        received.sort()
        sent.sort()
        if received != sent:
            rule = "the delays of the roles are 0 and those of the messages sent in these roles"
            raise Rejected(f"the item sent at step {item}", received[:8], rule)
