"""Schedules on LogP machines, message by message, by the rules of the model.

A function that looks for a fault says what is wrong, or returns "".
"""

# ruff: noqa: N803, N806  (L and P are the names in all of the literature)

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import ceil, lcm

from exactsched.certificate.logp import (
    LogPBuffered,
    LogPCycles,
    LogPRounds,
    LogPSchedule,
    Message,
)
from exactsched.oracles.logp import least_depth

# (sender, receiver, item, start, step): sent in the step `start`, received in the step `step`.
Reception = tuple[int, int, int, int, int]

# Items of a buffered series after which nothing new happens, in the tests and claims.
ENOUGH_ITEMS = 40

# Any machine -------------------------------------------------------------------------------------


def broken_rule(schedule: LogPSchedule) -> str:
    """The first rule of the model that a schedule of items breaks.

    Times are integers: the parameters of the machine and the ticks are brought over one
    denominator.

    >>> from exactsched.model.machine import LogP
    >>> early = ((0, 1, 0, 0), (1, 2, 0, 2))
    >>> broken_rule(LogPSchedule(LogP(3, 0, 1, 3), "broadcast", 1, 1, early, (), 5, 4, False))
    '1 sends 0 at 2'
    """
    machine = schedule.machine
    unit = lcm(*(Fraction(x).denominator for x in (machine.L, machine.o, machine.g, schedule.tick)))
    latency, overhead, gap = (int(x * unit) for x in (machine.L, machine.o, machine.g))
    tick = int(schedule.tick * unit)
    delay = latency + 2 * overhead
    doings: defaultdict[int, list[tuple[int, str]]] = defaultdict(list)
    has = _initially(schedule)
    under_way: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    pending: list[tuple[int, int, int]] = []
    for sender, receiver, item, start in sorted(schedule.messages, key=lambda row: row[3]):
        time = start * tick
        for arrived in [row for row in pending if row[0] <= time]:
            has[arrived[1]].add(arrived[2])
            pending.remove(arrived)
        if sender == receiver or item not in has[sender]:
            return f"{sender} sends {item} at {start}"
        pending.append((time + delay, receiver, item))
        doings[sender].append((time, "send"))
        doings[receiver].append((time + overhead + latency, "receive"))
        under_way["from", sender].append(time + overhead)
        under_way["to", receiver].append(time + overhead)
    for processor, done in doings.items():
        for (first, one), (second, other) in combinations(sorted(done), 2):
            apart = second - first
            if apart < overhead or (one == other and apart < gap):
                return f"{processor}: {one} at {first}, {other} at {second}"
    for place, departures in under_way.items():
        for moment in departures:
            if sum(t <= moment < t + latency for t in departures) > ceil(Fraction(latency, gap)):
                return f"{place}: too many messages under way at {moment}"
    for _, receiver, item in pending:
        has[receiver].add(item)
    for processor, wanted in enumerate(_finally(schedule)):
        if not wanted <= has[processor]:
            return f"{processor} lacks {wanted - has[processor]}"
    ended = max((row[3] * tick + delay for row in schedule.messages), default=0)
    return "" if schedule.time * unit == ended else f"ends at {ended}"


def _initially(schedule: LogPSchedule) -> list[set[int]]:
    size, count = schedule.machine.P, schedule.count
    if schedule.collective == "broadcast":
        return [set(range(count)), *(set() for _ in range(size - 1))]
    share = count if schedule.collective == "allgather" else size * count
    return [set(range(p * share, (p + 1) * share)) for p in range(size)]


def _finally(schedule: LogPSchedule) -> list[set[int]]:
    size, count = schedule.machine.P, schedule.count
    if schedule.collective == "broadcast":
        return [set(range(count))] * size
    if schedule.collective == "allgather":
        return [set(range(size * count))] * size
    return [
        {(p * size + q) * count + copy for p in range(size) for copy in range(count) if p != q}
        for q in range(size)
    ]


def uncombined(stated: LogPRounds, d: int) -> str:
    """Who has not every value once after rounds of an allreduce that arrive d rounds later.

    The windows of all processors are lists of the values in them.
    """
    P = stated.machine.P
    known = [[p] for p in range(P)]
    arriving: defaultdict[int, list[tuple[int, list[int]]]] = defaultdict(list)
    rounds = {number: (shift, item) for number, shift, item in stated.rounds}
    for number in range(max(rounds, default=0) + d + 1):
        for receiver, values in arriving[number]:
            known[receiver] = known[receiver] + values
        if number in rounds:
            shift, item = rounds[number]
            for p in range(P):
                values = [x for x in known[p] if not (item and x == p)]
                arriving[number + d].append(((p + shift) % P, values))
    for p, values in enumerate(known):
        if sorted(values) != list(range(P)):
            return f"{p} has combined {sorted(values)}"
    return ""


# The postal model --------------------------------------------------------------------------------


def postal_fault(
    L: int, processors: Iterable[int], source: int, items: int, rows: Sequence[Reception]
) -> str:
    """What is wrong with a broadcast of items in which the source sends item i in step i only.

    Messages may wait at their receivers.

    >>> postal_fault(1, (0, 1, 2), 0, 1, [(0, 1, 0, 0, 1), (1, 2, 0, 0, 1)])
    '1 sends item 0 before it has it'
    """
    has = {(receiver, item): step for _, receiver, item, _, step in rows}
    if len({(sender, start) for sender, _, _, start, _ in rows}) < len(rows):
        return "two sends in a step"
    if len({(receiver, step) for _, receiver, _, _, step in rows}) < len(rows):
        return "two receptions in a step"
    if len(has) < len(rows):
        return "an item is received twice"
    others = [processor for processor in processors if processor != source]
    if has.keys() != set(product(others, range(items))):
        return "somebody lacks an item"
    for sender, receiver, item, start, step in rows:
        if (item if sender == source else has[sender, item]) > start:
            return f"{sender} sends item {item} before it has it"
        if sender == source and start != item:
            return f"the source sends item {item} at {start}"
        if step < start + L:
            return f"{receiver} receives item {item} before it arrives"
    return ""


def cycles_fault(stated: LogPCycles, messages: Sequence[Message], items: int) -> str:
    """What is wrong with the messages of the first items of an endless series, or of all.

    They are played by the rules of the postal model; the source is processor 0.  Each item has the
    stated delay, or the delay that the stated time leaves.

    >>> from exactsched.model.machine import LogP
    >>> cycles = ((1, ((0, 1),)), (1, ((1, 0),)))
    >>> stated = LogPCycles(LogP(1, 0, 1, 3), cycles, 0, (), 3, 2, False)
    >>> cycles_fault(stated, [(0, 1, 0, 0), (1, 2, 0, 1)], 1)
    'the delay of an item is another one'
    """
    L = int(stated.machine.L)
    rows = [(sender, to, item, start, start + L) for sender, to, item, start in messages]
    if fault := postal_fault(L, range(stated.machine.P), 0, items, rows):
        return fault
    delay = stated.time - stated.items + 1 if stated.items else stated.time
    last: dict[int, int] = {}
    for _, _, item, _, step in rows:
        if last.get(item, -1) < step:
            last[item] = step
    if any(end - item != delay for item, end in last.items()):
        return "the delay of an item is another one"
    return ""


def waiting(L: int, rows: Iterable[Reception]) -> Counter[tuple[int, int]]:
    """How many messages wait at a processor from a step to the next: by (processor, step).

    >>> waiting(1, [(0, 1, 0, 0, 3), (0, 1, 1, 1, 2)])
    Counter({(1, 1): 1, (1, 2): 1})
    """
    return Counter(
        (receiver, moment)
        for _, receiver, _, start, step in rows
        for moment in range(start + L, step)
    )


def buffered_bound(stated: LogPBuffered) -> int:
    """L + B(P-1) + k - 1: nobody can send the last item sooner than in step k - 1."""
    L = int(stated.machine.L)
    return L + least_depth(L, stated.machine.P - 1) + stated.items - 1


def buffered_fault(stated: LogPBuffered, rows: Sequence[Reception], items: int) -> str:
    """What is wrong with a certificate, as the receptions of its first items show.

    ENOUGH_ITEMS fill the buffer; of a longer series these have to be played.
    """
    L, P = int(stated.machine.L), stated.machine.P
    if fault := postal_fault(L, range(P), P - 1, items, rows):
        return fault
    most = max(waiting(L, rows).values(), default=0)
    if most > stated.buffer or (items >= ENOUGH_ITEMS and most < stated.buffer):
        return f"{most} messages wait"
    if (time := max(step for *_, step in rows) + stated.items - items) != stated.time:
        return f"the last reception is at {time}"
    if stated.bound != buffered_bound(stated):
        return "the bound is another one"
    return "" if stated.optimal == (stated.time == stated.bound) else "optimal, or not"
