"""What a schedule on a LogP machine has to obey, from the definition, and searches for the best.

Times are integers: the parameters of the machine and the ticks are brought over one denominator.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import ceil, lcm

from exactsched.certificate.logp import LogPSchedule
from exactsched.model.machine import LogP


def broken_rule(schedule: LogPSchedule) -> str | None:
    """The first rule that a schedule of the items of some processors breaks, or None."""
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
    return None if schedule.time * unit == ended else f"ends at {ended}"


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


def smallest_labels(machine: LogP) -> list[Fraction]:
    """The P smallest labels of the universal tree, its nodes taken out one after the other."""
    labels: list[Fraction] = []
    open_nodes = [Fraction(0)]
    children: list[tuple[Fraction, int]] = []  # (label of the parent, number of the child)
    while len(labels) < machine.P:
        offers = [(p + machine.delay + i * machine.period, p, i) for p, i in children]
        label, parent, number = min([*offers, *((t, t, -1) for t in open_nodes)])
        if number < 0:
            open_nodes.remove(label)
        else:
            children.remove((parent, number))
            children.append((parent, number + 1))
        labels.append(label)
        children.append((label, 0))
    return labels


def least_broadcast_time(machine: LogP) -> int:
    """By exhaustion: anybody who knows the item sends it, or waits, at any whole time."""
    latency, overhead, gap = (int(x) for x in (machine.L, machine.o, machine.g))

    @cache
    def possible(now: int, ready: tuple[int, ...], missing: int) -> bool:
        """Whether `missing` more can be reached; `ready` has when each may send next."""
        if missing == 0:
            return True
        if now + delay > limit:
            return False
        able = [index for index, time in enumerate(ready) if time <= now]
        for count in range(min(len(able), missing) + 1):
            after = list(ready)
            for index in able[:count]:
                after[index] = now + max(gap, overhead)
            after += [now + delay] * count
            if possible(now + 1, tuple(sorted(max(t, now + 1) for t in after)), missing - count):
                return True
        return False

    delay = latency + 2 * overhead
    limit = 0
    while not possible(0, (0,), machine.P - 1):
        limit += 1
        possible.cache_clear()
    return limit


def least_direct_time(machine: LogP, items: int, below: int) -> int:
    """Of all-to-all schedules in which no message is passed on, the least time; or `below`."""
    latency, overhead, gap = (int(x) for x in (machine.L, machine.o, machine.g))
    delay, arrival = latency + 2 * overhead, latency + overhead
    pairs = [(p, q) for p in range(machine.P) for q in range(machine.P) if p != q]
    messages = [pair for pair in pairs for _ in range(items)]

    def compatible(one: tuple[int, int], s: int, other: tuple[int, int], t: int) -> bool:
        if (one[0] == other[0] or one[1] == other[1]) and abs(s - t) < max(gap, overhead):
            return False
        if one[0] == other[1] and abs(s - t - arrival) < overhead:
            return False
        return one[1] != other[0] or abs(s + arrival - t) >= overhead

    def possible(choices: dict[int, list[int]]) -> bool:
        if not choices:
            return True
        index = min(choices, key=lambda index: len(choices[index]))
        for start in choices[index]:
            left = {
                other: [
                    t
                    for t in times
                    if compatible(messages[index], start, messages[other], t)
                    and (messages[index] != messages[other] or (t > start) == (other > index))
                ]
                for other, times in choices.items()
                if other != index
            }
            if all(left.values()) and possible(left):
                return True
        return False

    for last in range(below - delay):
        if possible({index: list(range(last + 1)) for index in range(len(messages))}):
            return last + delay
    return below
