"""Role cycles of the postal model: no processor sends or receives two things at once, all arrives.

The rules, and why they are enough for schedules of any length, are those of
`proofs/logp-certificates.md`.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Final

from exactsched.certificate.logp import LogPCycles, Role
from exactsched.check.logp.universal_tree import least_broadcast_time
from exactsched.check.proved import ProvedLogP, shown
from exactsched.exact.errors import Rejected

# Roles of all trees, and receptions at the end: some seconds.
MAX_STEPS: Final = 4_000_000


def logp_cycles(stated: LogPCycles) -> ProvedLogP:
    """The time in which everybody has an item, or all items, and the bound on all other schedules.

    Linear in the roles of all cycles times the number of different trees, and in the number of
    processors of different cycles times the part of the endgame that some do not receive.
    Raises `Rejected`.

    >>> from exactsched.model.machine import LogP
    >>> cycles = ((1, ((0, 1), (2, 0))), (1, ((3, 0),)))
    >>> stated = LogPCycles(LogP(3, 0, 1, 4), cycles, 0, (), 6, 5, False)
    """
    for index, (_, roles) in enumerate(stated.cycles):
        _refuse_two_at_once(roles, f"cycles[{index}]")
    _refuse_unless_trees(stated)
    latency, size = stated.machine.L.numerator, stated.machine.P
    depth = max(delay for _, roles in stated.cycles for delay, _ in roles)
    if stated.items:
        _refuse_incomplete(stated, latency, depth)
    elif stated.time != latency + depth:
        rule = f"everybody has an item {shown(latency + depth)} steps after it was sent"
        raise Rejected("time", shown(stated.time), rule)
    if len(set(stated.endgame)) < len(stated.endgame):
        collective = "broadcast"
        bound = least_broadcast_time(latency, 1, size, stated.items)
    else:
        collective = "single-sending broadcast" if stated.items else "continuous broadcast"
        after_the_source = least_broadcast_time(latency, 1, size - 1, 1)
        bound = latency + after_the_source + max(stated.items - 1, 0)
    if stated.bound != bound:
        raise Rejected("bound", shown(stated.bound), f"what is proved is {shown(bound)}")
    if stated.optimal != (stated.time == bound):
        rule = "optimal means that the bound allows no less time, and nothing else"
        raise Rejected("optimal", stated.optimal, rule)
    return ProvedLogP(
        kind="logp-cycles",
        machine=stated.machine,
        collective=collective,
        count=stated.items,
        time=Fraction(stated.time),
        bound=Fraction(bound),
        optimal=stated.optimal,
    )


def _refuse_two_at_once(roles: tuple[Role, ...], place: str) -> None:
    """In the steps of one round a processor receives different items, and its sends fit."""
    length = len(roles)
    taken: dict[int, int] = {}
    for number, (delay, _) in enumerate(roles):
        other = taken.setdefault((number - delay) % length, number)
        if other != number:
            rule = "number - delay is different for all roles, modulo their number"
            raise Rejected(place, [other, number], rule)
    senders = [number for number, (_, children) in enumerate(roles) if children]
    for number, following in zip(senders, [*senders[1:], *senders[:1]], strict=True):
        if roles[number][1] > ((following - number - 1) % length) + 1:
            rule = "sends are done when the next role with children begins"
            raise Rejected(place, [number, following], rule)


def _refuse_unless_trees(stated: LogPCycles) -> None:
    """For the item sent at step i the roles with number - delay = i + L modulo the shift are taken.

    One of them has the delay 0, and the sends of all of them provide the delays of the others.
    """
    latency = stated.machine.L.numerator
    period = lcm(*[shift for shift, _ in stated.cycles])
    steps = sum(
        (period // shift) * (len(roles) + sum(children for _, children in roles))
        for shift, roles in stated.cycles
    )
    if steps > MAX_STEPS:
        raise Rejected("cycles", steps, "too many different trees to be checked")
    taken: list[list[int]] = [[] for _ in range(period)]
    provided: list[list[int]] = [[0] for _ in range(period)]  # by the source
    for shift, roles in stated.cycles:
        for number, (delay, children) in enumerate(roles):
            slots = range(delay + latency, delay + latency + children)
            for item in range((number - delay - latency) % shift, period, shift):
                taken[item].append(delay)
                provided[item].extend(slots)
    for item, (delays, sends) in enumerate(zip(taken, provided, strict=True)):
        if sorted(delays) != sorted(sends):
            rule = "the delays of the roles are 0 and those of the messages sent in these roles"
            raise Rejected(f"the item sent at step {item}", sorted(delays)[:8], rule)


def _refuse_incomplete(stated: LogPCycles, latency: int, depth: int) -> None:
    """Everybody receives every item, in some copy, at `time` or before.

    Copy v is sent at step v.  Those sent at time - L - depth or before reach everybody; of the
    others it is worked out who receives them in time.
    """
    sent = stated.items - len(set(stated.endgame))  # the copies before the endgame
    safe = stated.time - latency - depth  # copies up to this one reach everybody
    if sent + len(stated.endgame) - 1 + latency > stated.time:
        rule = "what the source sends is received in time"
        raise Rejected("time", shown(stated.time), rule)
    for index, (shift, roles) in enumerate(stated.cycles):
        for number, (delay, _) in enumerate(roles):
            # The last copy before the endgame that is received in this role.
            last = sent - 1 - (sent - 1 - number + delay + latency) % shift
            if last >= 0 and last + latency + delay > stated.time:
                rule = f"role {number} of cycle {index} receives it later"
                raise Rejected(f"item {last}", shown(stated.time), rule)
    everywhere = {item for v, item in enumerate(stated.endgame, sent) if v <= safe}
    late = [
        (v, item)
        for v, item in enumerate(stated.endgame, sent)
        if v > safe and item not in everywhere
    ]
    open_items = {item for _, item in late}
    if not open_items:
        return
    # Processors in equal cycles receive the same.
    different = sum(len(roles) // shift for shift, roles in set(stated.cycles))
    if len(late) * different > MAX_STEPS:
        rule = "too many receptions at the end to be checked"
        raise Rejected("endgame", len(late), rule)
    first = 0
    seen: set[tuple[int, tuple[Role, ...]]] = set()
    for shift, roles in stated.cycles:
        length = len(roles)
        if (shift, roles) in seen:
            first += length // shift
            continue
        seen.add((shift, roles))
        delays = {(number - delay) % length: delay for number, (delay, _) in enumerate(roles)}
        for position in range(length // shift):
            received = {
                item
                for v, item in late
                if v + latency + delays[(v + latency - position * shift) % length] <= stated.time
            }
            if received != open_items:
                missing = min(open_items - received)
                rule = f"processor {first + position} does not receive it in time"
                raise Rejected(f"item {missing}", shown(stated.time), rule)
        first += length // shift
