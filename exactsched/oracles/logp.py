"""LogP machines by definition: labels, counts, and the least times, by listing and by searching.

Nothing here calls a solver or the checker; claims and tests compare both with it.
"""

# ruff: noqa: N803  (L and P are the names in all of the literature)

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from heapq import heappop, heappush
from itertools import product

from exactsched.certificate.logp import Message
from exactsched.exact.rational import Rational
from exactsched.model.machine import LogP

# Counting ----------------------------------------------------------------------------------------


def sequence(L: int, last: int) -> list[int]:
    """f_0, ..., f_last by definition 2.5: ones up to f_(L-1), then f_i = f_(i-1) + f_(i-L).

    >>> sequence(3, 8)
    [1, 1, 1, 2, 3, 4, 6, 9, 13]
    """
    listed = [1] * min(L, last + 1)
    while len(listed) <= last:
        listed.append(listed[-1] + listed[-L])
    return listed


def least_depth(L: int, processors: int) -> int:
    """B(`processors`) in the postal model: the least t for which f_t is at least `processors`.

    >>> least_depth(3, 9), least_depth(3, 10)
    (7, 8)
    """
    listed = [1]
    while listed[-1] < processors:
        listed.append(listed[-1] + (listed[-L] if len(listed) >= L else 0))
    return len(listed) - 1


def labels_by_definition(delay: Rational, gap: Rational) -> Iterator[Rational]:
    """The labels of the universal tree in ascending order.

    Each node offers its first child, each child offers its next sibling.

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


class ItemNumbers:
    """The numbers of the theorems of section 3: B(P-1), f, k* and R.

    >>> numbers = ItemNumbers(3, 10)
    >>> numbers.depth, numbers.most, numbers.over, numbers.receptions(8)
    (7, 2, 0, 36)
    """

    def __init__(self, L: int, P: int) -> None:
        self.others = P - 1
        self.depth = least_depth(L, P - 1)  # n + 1 = B(P-1)
        self.sequence = sequence(L, self.depth)
        # k* and R: quotient and rest of f_0 + ... + f_n.
        self.most, self.over = divmod(sum(self.sequence[: self.depth]), self.others)

    def receptions(self, last: int) -> int:
        """min(f_0, P-1) + ... + min(f_last, P-1).

        >>> ItemNumbers(4, 3).receptions(4)
        6
        """
        few = sum(self.sequence[: min(last + 1, self.depth)])
        return few + max(last + 1 - self.depth, 0) * self.others


# Broadcast of one item ---------------------------------------------------------------------------


def least_of_all_trees(delay: int, gap: int, processors: int) -> int:
    """The least time over all trees in which nobody waits.

    There are (P-1)! of them.

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


def least_broadcast_time(machine: LogP) -> int:
    """The least time in which whoever knows the item sends it, or waits, in any whole step.

    By exhaustion, for machines of whole numbers.

    >>> least_broadcast_time(LogP(6, 2, 4, 5))
    20
    """
    delay, gap = int(machine.delay), int(machine.period)

    @cache
    def can_be_done(now: int, ready: tuple[int, ...], missing: int, limit: int) -> bool:
        """Whether `missing` more can be reached; `ready` has when each may send next."""
        if missing == 0:
            return True
        if now + delay > limit:
            return False
        able = [index for index, time in enumerate(ready) if time <= now]
        for count in range(min(len(able), missing) + 1):
            after = list(ready)
            for index in able[:count]:
                after[index] = now + gap
            after += [now + delay] * count
            then = tuple(sorted(max(t, now + 1) for t in after))
            if can_be_done(now + 1, then, missing - count, limit):
                return True
        return False

    limit = 0
    while not can_be_done(0, (0,), machine.P - 1, limit):
        limit += 1
        can_be_done.cache_clear()
    return limit


def printed_tree(delay: int, gap: int, processors: int) -> tuple[Message, ...]:
    """The broadcast of definition 2.3 as printed, by the smallest labels.

    >>> printed_tree(10, 4, 4) == ((0, 1, 0, 0), (0, 2, 0, 4), (0, 3, 0, 8))
    True
    """
    offers = [(delay, 0)]  # (label, parent) of the next child of each node
    messages = []
    for node in range(1, processors):
        label, parent = heappop(offers)
        messages.append(Message(parent, node, 0, label - delay))
        heappush(offers, (label + gap, parent))
        heappush(offers, (label + delay, node))
    return tuple(messages)


# Broadcast of many items -------------------------------------------------------------------------


def any_schedule(L: int, P: int, k: int, picks: Sequence[int]) -> Iterator[Message]:
    """k items sent by any rule in the postal model: the messages of a schedule, step by step.

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


# For every item when it arrives where (-1: not yet sent), and whether the source has sent it.
_Sent = tuple[tuple[tuple[int, ...], bool], ...]


def possible(L: int, P: int, k: int, time: int, different: int | None = None) -> bool:
    """Whether k items can be broadcast in this time in the postal model, by exhaustion.

    With `different`, only schedules count in which the source sends fewer than `different`
    different items in its first `different` steps.

    >>> possible(3, 3, 1, 4), possible(3, 3, 1, 3), possible(2, 3, 3, 5, different=2)
    (True, False, False)
    """
    states: set[_Sent] = {(((-1,) * (P - 1), False),) * k}
    for step in range(time - L + 1):
        early = different is not None and step < different
        left = (time - L - step) * (P - 1)
        following = set()
        for state in states:
            for arrivals, first in _sends_of_a_step(L, P, step, state):
                if sum(row.count(-1) for row in arrivals) <= left:
                    flags = [old or (early and i == first) for i, (_, old) in enumerate(state)]
                    following.add(tuple(sorted(zip(arrivals, flags, strict=True))))
        states = following
        if different is not None and step == different - 1:
            states = {state for state in states if sum(flag for _, flag in state) < different}
    return any(all(min(row) >= 0 for row, _ in state) for state in states)


def _sends_of_a_step(
    L: int, P: int, step: int, state: _Sent
) -> list[tuple[tuple[tuple[int, ...], ...], int]]:
    """The arrivals after any sends of this step, and the item that the source sends, or -1."""
    # (the arrivals, who receives, what the source sends): one sender after the other
    partial = [(tuple(arrivals for arrivals, _ in state), frozenset[int](), -1)]
    for sender in range(-1, P - 1):
        more = []
        for arrivals, busy, first in partial:
            for item, receiver in product(range(len(state)), range(P - 1)):
                known = sender < 0 or 0 <= state[item][0][sender] <= step
                if known and receiver not in busy and arrivals[item][receiver] < 0:
                    row = list(arrivals[item])
                    row[receiver] = step + L
                    changed = (*arrivals[:item], tuple(row), *arrivals[item + 1 :])
                    more.append((changed, busy | {receiver}, item if sender < 0 else first))
        partial += more
    return [(arrivals, first) for arrivals, _, first in partial]


# Messages between all ----------------------------------------------------------------------------


def rounds_in_order(P: int, items: int, gap: int, *, personal: bool) -> tuple[Message, ...]:
    """The order of section 4.1: in round r everybody sends to the processor r + 1 places on.

    There are `items` times P - 1 rounds, one every `gap` ticks.  The items are those of
    `LogPSchedule`, of an alltoall if `personal`, else of an allgather.

    >>> [message.item for message in rounds_in_order(2, 2, 3, personal=False)]
    [0, 2, 1, 3]
    """
    messages = []
    for number in range(items * (P - 1)):
        item, ahead = divmod(number, P - 1)
        for p in range(P):
            to = (p + ahead + 1) % P
            name = (p * P + to if personal else p) * items + item
            messages.append(Message(p, to, name, number * gap))
    return tuple(messages)


def least_direct_time(machine: LogP, items: int, below: int) -> int:
    """The least time of an alltoall exchange in which no message is passed on; or `below`.

    By exhaustion over all whole starts, for machines of whole numbers; `below` is returned if
    nothing takes less.

    >>> least_direct_time(LogP(1, 1, 2, 2), 1, 20), least_direct_time(LogP(1, 1, 2, 2), 2, 20)
    (3, 6)
    """
    overhead, gap, delay = int(machine.o), int(machine.period), int(machine.delay)
    arrival = delay - overhead
    pairs = [(p, q) for p in range(machine.P) for q in range(machine.P) if p != q]
    messages = [pair for pair in pairs for _ in range(items)]

    def compatible(one: tuple[int, int], s: int, other: tuple[int, int], t: int) -> bool:
        if (one[0] == other[0] or one[1] == other[1]) and abs(s - t) < gap:
            return False
        if one[0] == other[1] and abs(s - t - arrival) < overhead:
            return False
        return one[1] != other[0] or abs(s + arrival - t) >= overhead

    def can_be_done(starts: dict[int, list[int]]) -> bool:
        if not starts:
            return True
        index = min(starts, key=lambda index: len(starts[index]))
        for start in starts[index]:
            left = {
                other: [
                    t
                    for t in times
                    if compatible(messages[index], start, messages[other], t)
                    and (messages[index] != messages[other] or (t > start) == (other > index))
                ]
                for other, times in starts.items()
                if other != index
            }
            if all(left.values()) and can_be_done(left):
                return True
        return False

    for last in range(below - delay):
        if can_be_done({index: list(range(last + 1)) for index in range(len(messages))}):
            return last + delay
    return below
