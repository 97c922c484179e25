"""The LogP machine by its definitions: counted, listed and searched through, slowly.

Nothing here calls a solver or the checker; the claims compare both with it.
"""

# ruff: noqa: N803, N806  (L is the name of the latency in all of the literature)

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from heapq import heappop, heappush
from itertools import combinations, product
from math import ceil, floor

from exactsched.certificate.logp import LogPCycles, Message
from exactsched.model.machine import LogP
from exactsched.simulation.logp_messages import unrolled

_ALL_STARTS = 12  # in which two processors exchange, in all ways


def sequence(L: int, last: int) -> list[int]:
    """f_0, ..., f_last by definition 2.5.

    >>> sequence(3, 8)
    [1, 1, 1, 2, 3, 4, 6, 9, 13]
    """
    listed = [1] * min(L, last + 1)
    while len(listed) <= last:
        listed.append(listed[-1] + listed[-L])
    return listed


def least_depth(L: int, processors: int) -> int:
    """B of so many processors in the postal model, by definition: the least t with enough f_t.

    >>> least_depth(3, 9), least_depth(3, 10)
    (7, 8)
    """
    listed = [1]
    while listed[-1] < processors:
        listed.append(listed[-1] + (listed[-L] if len(listed) >= L else 0))
    return len(listed) - 1


def labels_by_definition(delay: int, gap: int) -> Iterator[int]:
    """The labels of the universal tree in their order: each node offers its first child, each child
    its next sibling.

    >>> labels = labels_by_definition(10, 4)
    >>> [next(labels) for _ in range(8)]
    [0, 10, 14, 18, 20, 22, 24, 24]
    """
    yield 0
    offers = [delay]
    while True:
        label = heappop(offers)
        yield label
        heappush(offers, label + delay)
        heappush(offers, label + gap)


def least_of_all_trees(delay: int, gap: int, processors: int) -> int:
    """The least time over all who-tells-whom, each of them as soon as possible.

    >>> least_of_all_trees(10, 4, 5)
    20
    """
    least = None
    for parents in product(*(range(node) for node in range(1, processors))):
        labels, free = [0], [0]
        for parent in parents:
            labels.append(free[parent] + delay)
            free[parent] += gap
            free.append(labels[-1])
        least = max(labels) if least is None else min(least, max(labels))
    return least or 0


def trouble(stated: LogPCycles, items: int) -> str:
    """What is wrong with the first items of a series, or with all, message by message.

    The postal model by its definition, and that the source sends every item once, in its step.

    >>> cycles = ((1, ((0, 1),)), (1, ((1, 0),)))
    >>> trouble(LogPCycles(LogP(1, 0, 1, 3), cycles, 0, (), 3, 2, False), 5)
    'the delay of an item is another one'
    """
    L, others, source = int(stated.machine.L), stated.machine.P - 1, 0
    count = stated.items or items
    messages = unrolled(stated, None if stated.items else items)
    has = {(receiver, item): start + L for _, receiver, item, start in messages}
    if len({(sender, start) for sender, _, _, start in messages}) < len(messages):
        return "two sends in a step"
    if len({(receiver, start) for _, receiver, _, start in messages}) < len(messages):
        return "two receptions in a step"
    if len(has) < len(messages):
        return "an item is received twice"
    if set(has) != set(product(range(1, others + 1), range(count))):
        return "somebody lacks an item"
    last = [0] * count
    for sender, _, item, start in messages:
        if (item if sender == source else has[sender, item]) > start:
            return f"{sender} sends item {item} before it has it"
        if sender == source and start != item:
            return f"the source sends item {item} at {start}"
        last[item] = max(last[item], start + L)
    delay = stated.time - stated.items + 1 if stated.items else stated.time
    if any(end - item != delay for item, end in enumerate(last)):
        return "the delay of an item is another one"
    return ""


class ItemNumbers:
    """What the theorems of section 3 speak of, by definition.

    >>> numbers = ItemNumbers(3, 10)
    >>> numbers.depth, numbers.most, numbers.over, numbers.receptions(8)
    (7, 2, 0, 36)
    """

    def __init__(self, L: int, P: int) -> None:
        self.others = P - 1
        self.depth = least_depth(L, P - 1)  # n + 1 = B(P-1)
        self.sequence = sequence(L, self.depth)
        # k*; its sum is that of f_0, ..., f_n.
        self.most = sum(self.sequence[: self.depth]) // self.others
        self.over = sum(self.sequence[: self.depth]) % self.others  # R

    def receptions(self, last: int) -> int:
        """min(f_0, P-1) + ... + min(f_last, P-1).

        >>> ItemNumbers(4, 3).receptions(4)
        6
        """
        few = sum(self.sequence[: min(last + 1, self.depth)])
        return few + max(last + 1 - self.depth, 0) * self.others


def any_schedule(L: int, P: int, k: int, picks: Sequence[int]) -> Iterator[Message]:
    """k items sent by any rule: the messages of a schedule, step by step.

    In its turn each processor makes that one of its possible sends which `picks` names, one after
    the other, modulo their number and one more for waiting.  When the picks are used up nobody
    waits who can send.

    >>> list(any_schedule(2, 3, 1, ()))
    [Message(sender=0, receiver=1, item=0, start=0), Message(sender=0, receiver=2, item=0, start=1)]
    """
    others = range(1, P)
    has = {(0, item): 0 for item in range(k)}
    left = iter(picks)
    step = 0
    while len(has) < P * k:
        receiving: set[int] = set()
        for sender in range(P):
            able = [
                (receiver, item)
                for item in range(k)
                if has.get((sender, item), step + 1) <= step
                for receiver in others
                if receiver not in receiving and (receiver, item) not in has
            ]
            pick = next(left, 0) % (len(able) + 1)
            if pick < len(able):
                receiver, item = able[pick]
                receiving.add(receiver)
                has[receiver, item] = step + L
                yield Message(sender, receiver, item, step)
        step += 1


def possible(L: int, P: int, k: int, time: int, different: int | None = None) -> bool:
    """Whether k items can be broadcast in this time, by exhaustion.

    `different`: so that the source sends fewer than so many different items in as many first steps.

    >>> possible(3, 3, 1, 4), possible(3, 3, 1, 3), possible(2, 3, 3, 5, different=2)
    (True, False, False)
    """
    others = range(P - 1)
    # For every item when it arrives where, and whether it has been sent by the source; sorted.
    states = {((((-1,) * (P - 1)), False),) * k}
    for step in range(time - L + 1):
        early = different is not None and step < different
        following = set()
        for state in states:
            # (the arrivals, who receives, who has sent): one sender after the other
            partial = [(tuple(arrivals for arrivals, _ in state), frozenset[int](), -1)]
            for sender in range(-1, P - 1):
                more = []
                for arrivals, busy, first in partial:
                    for item, receiver in product(range(k), others):
                        known = sender < 0 or 0 <= state[item][0][sender] <= step
                        if known and receiver not in busy and arrivals[item][receiver] < 0:
                            row = list(arrivals[item])
                            row[receiver] = step + L
                            changed = (*arrivals[:item], tuple(row), *arrivals[item + 1 :])
                            sent = item if sender < 0 else first
                            more.append((changed, busy | {receiver}, sent))
                partial += more
            left = (time - L - step) * (P - 1)
            for arrivals, _, first in partial:
                if sum(row.count(-1) for row in arrivals) <= left:
                    flags = [old or (early and i == first) for i, (_, old) in enumerate(state)]
                    following.add(tuple(sorted(zip(arrivals, flags, strict=True))))
        states = following
        if different is not None and step == different - 1:
            states = {state for state in states if sum(flag for _, flag in state) < different}
    return any(all(min(row) >= 0 for row, _ in state) for state in states)


def operands_of_all_trees(machine: LogP, steps: int) -> int:
    """The most operands, over all trees of receptions in which additions follow at once.

    What is complete at y ends with y additions of its own, or has a reception before it: its last
    one and an addition, or one that is followed by others a gap later.

    >>> operands_of_all_trees(LogP(1, 0, 1, 3), 4)
    8
    """
    gap = int(max(machine.g, machine.o + 1))
    o, arrival = int(machine.o), int(machine.L + machine.o)

    @cache
    def most(free: int, receives: bool, processors: int) -> int:
        best = free
        additions, earlier = (gap - o, gap) if receives else (1, o + 1)
        sent = free - earlier - arrival
        for others in range(1, processors if sent >= 0 else 0):
            own = most(free - earlier, True, processors - others)
            best = max(best, additions + own + most(sent, False, others))
        return best

    return 1 + most(steps, False, machine.P)


def operands_of_all_fractional_trees(machine: LogP, time: Fraction) -> int:
    """As `operands_of_all_trees`; between two receptions as many additions as fit, or one more.

    >>> operands_of_all_fractional_trees(LogP(1, "1/2", 1, 4), Fraction(10))
    25
    """
    gap, o = max(machine.g, machine.o + 1), machine.o
    room = gap - o

    @cache
    def most(free: Fraction, receives: bool, processors: int) -> int:
        best = floor(free)
        waits = [(1, o + 1)]
        if receives:
            waits = [(floor(room), gap), (ceil(room), o + ceil(room))]
        for additions, earlier in waits:
            sent = free - earlier - machine.L - o
            for others in range(1, processors if sent >= 0 else 0):
                own = most(free - earlier, True, processors - others)
                best = max(best, additions + own + most(sent, False, others))
        return best

    return 1 + most(time, False, machine.P)


def least_of_two(machine: LogP, messages: int) -> int | None:
    """The least time in which two processors exchange one or two messages, by all whole starts.

    None for a machine that is not whole, or if it takes long.

    >>> least_of_two(LogP(1, 1, 2, 2), 1), least_of_two(LogP(1, 1, 2, 2), 2)
    (3, 6)
    """
    numbers = (machine.L, machine.o, machine.g)
    if any(x.denominator > 1 for x in numbers):
        return None
    latency, o, g = (int(x) for x in numbers)
    for last in range(_ALL_STARTS):
        starts = range(last + 1)
        sends = [
            one
            for one in combinations(starts, messages)
            if messages == 1 or one[1] - one[0] >= max(g, o)
        ]
        for mine, yours in product(sends, repeat=2):
            meetings = [(s, t + o + latency) for s, t in product(mine, yours)]
            meetings += [(s, t + o + latency) for s, t in product(yours, mine)]
            if all(abs(s - reception) >= o for s, reception in meetings):
                return last + latency + 2 * o
    return None
