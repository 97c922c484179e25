"""Optimal summation on a LogP machine: a broadcast run backwards.

Section 5 of Karp, Sahay, Santos and Schauser (1993), with lemma 5.1 corrected.  Time is counted in
additions, and L, o, g are whole numbers of them.  Proofs: proofs/logp-summation.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from operator import itemgetter

from exactsched.certificate.logp import LogPSchedule, Message
from exactsched.errors import InvalidInput
from exactsched.logp.broadcast import BroadcastTree, broadcast_tree
from exactsched.logp.counts import broadcast_time, reached
from exactsched.machine import LogP
from exactsched.rational import exact

# A longer schedule would take more than a gigabyte.
MOST_PROCESSORS = 2**23


def summation_within(machine: LogP, time: object) -> LogPSchedule:
    """The largest number n of operands that can be added up within a time, and how.

    n = sum S_i - o (p - 1) + 1, where S_1 = floor(time) and processor i sends its partial sum at
    S_i = S_1 - l_i.  The l_i are the labels of the universal broadcast tree for the latency L + 1
    and the gap max(g, o + 1); p of the P processors, those with S_i > o, take part.  As `bound`
    equals `count`, no algorithm adds more operands in this time, for any associative addition.

    `time` is an exact number, 0 or more, in additions.  Raises `InvalidInput` for another one,
    unless L, o and g are whole numbers, and where more than `MOST_PROCESSORS` would take part.

    Complexity: O(p) operations.
    Reference: Karp, Sahay, Santos and Schauser 1993, lemma 5.1 (which has o P for o (P - 1), wrong
    by o); proofs/logp-summation.md.

    >>> schedule = summation_within(LogP(5, 2, 4, 8), 28)
    >>> schedule.count, [start for *_, start in schedule.messages]
    (79, [4, 4, 6, 8, 10, 14, 18])
    """
    end = exact(time, "time")
    if end < 0:
        raise InvalidInput("time", end, "a time is 0 or more")
    reverse, overhead = _reverse(machine)
    steps = end.numerator // end.denominator
    tree = _late_enough(reverse, steps, overhead)
    most = _operands(tree.labels, steps, overhead)
    return _schedule(machine, tree, len(tree.labels), steps, most)


def summation_of(machine: LogP, operands: int) -> LogPSchedule:
    """The least time in which a number of operands can be added up, and how.

    It is the least t for which `summation_within` adds as many.  As few processors as that allows
    take part, and the one that sends first has less to add if there is time to spare.  `bound` is
    the largest number of operands for this time, and `optimal` says that less time is not enough.

    Raises `InvalidInput` unless `operands` is a positive integer and L, o and g are whole numbers,
    and where more than `MOST_PROCESSORS` would take part.

    Complexity: O(p) operations, p the number of processors worth using in this time.
    Reference: as `summation_within`.

    >>> schedule = summation_of(LogP(5, 2, 4, 8), 77)
    >>> schedule.time, schedule.count, schedule.bound
    (28, 77, 79)
    """
    if type(operands) is not int or operands < 1:
        raise InvalidInput("operands", operands, "a positive integer")
    reverse, overhead = _reverse(machine)
    size, steps = _least_time(reverse, operands, overhead)
    tree = _late_enough(reverse, steps, overhead)
    return _schedule(machine, tree, size, steps, operands)


def operand_numbers(schedule: LogPSchedule) -> dict[int, tuple[range, ...]]:
    """Which operands each processor has, so that a sum that is not commutative comes out in order.

    A processor adds up the operands of its first range, then the partial sum that it receives
    first, then those of its second range, and so on, always on the right.  Every partial sum is
    then that of consecutive operands, and the result is that of 0, 1, ..., count - 1, in order.

    `schedule` is a result of `summation_within` or `summation_of`; processors without operands are
    left out.  Complexity: O(p log p) operations.
    Reference: Karp, Sahay, Santos and Schauser 1993, footnote 2; proofs/logp-summation.md.

    >>> operand_numbers(summation_within(LogP(1, 0, 1, 3), 4))
    {0: (range(0, 3), range(5, 5), range(8, 8)), 1: (range(5, 8),), 2: (range(3, 5),)}
    """
    delay = schedule.machine.delay.numerator
    # (when it is added, by whom, how many own operands, or from whom the partial sum is)
    steps = [(start, adder, number, -1) for adder, start, number in schedule.additions]
    steps += [(start + delay, to, 0, sender) for sender, to, _, start in schedule.messages]
    # The first operand of a processor needs no addition.
    own = {0: [1]} | {sender: [1] for sender, *_ in schedule.messages}
    senders: dict[int, list[int]] = {processor: [] for processor in own}
    for _, processor, number, sender in sorted(steps, key=itemgetter(0)):
        if sender < 0:
            own[processor][-1] += number
        else:
            own[processor].append(0)
            senders[processor].append(sender)

    ranges: dict[int, list[range]] = {processor: [] for processor in sorted(own)}
    numbered = 0
    left = [(0, 0)]
    while left:
        processor, position = left.pop()
        end = numbered + own[processor][position]
        ranges[processor].append(range(numbered, end))
        numbered = end
        if position < len(senders[processor]):
            left += [(processor, position + 1), (senders[processor][position], 0)]
    return {processor: tuple(several) for processor, several in ranges.items()}


def _reverse(machine: LogP) -> tuple[LogP, int]:
    """The machine on which broadcasts are sums of `machine` run backwards, and the overhead o.

    An addition lengthens every reception, and so the way of a message and the least gap.
    """
    for name, value in (("L", machine.L), ("o", machine.o), ("g", machine.g)):
        if value.denominator != 1:
            raise InvalidInput(name, str(value), "summation needs a whole number of additions")
    gap = max(machine.g, machine.o + 1)
    return LogP(machine.L + 1, machine.o, gap, machine.P), machine.o.numerator


def _tree(reverse: LogP, size: int) -> BroadcastTree:
    if size > MOST_PROCESSORS:
        rule = f"more than {MOST_PROCESSORS} of the processors would take part"
        raise InvalidInput("P", reverse.P, rule)
    return broadcast_tree(LogP(reverse.L, reverse.o, reverse.g, size))


def _late_enough(reverse: LogP, steps: int, overhead: int) -> BroadcastTree:
    """The processors that send later than at time o; the others would cost what they add."""
    latest = steps - overhead - 1
    if latest < 0:
        return _tree(reverse, 1)
    if broadcast_time(reverse) <= latest:
        return _tree(reverse, reverse.P)
    return _tree(reverse, reached(reverse, latest))


def _least_time(reverse: LogP, operands: int, overhead: int) -> tuple[int, int]:
    """How many processors are needed, and the least time.

    p processors add up 1 + p t - (the labels) - o (p - 1) operands in time t.  The next one makes
    this more as long as its label is below t - o.
    """
    known = 16
    while True:
        labels = _tree(reverse, min(known, reverse.P)).labels
        size, steps, lost = 1, operands - 1, 0
        for number, label in enumerate(labels[1:], 2):
            if label >= steps - overhead:
                return size, steps
            lost += label + overhead
            needed = -((1 - operands - lost) // number)
            if needed < steps:
                size, steps = number, needed
        if len(labels) == reverse.P:
            return size, steps
        known *= 2


def _operands(labels: Sequence[int], steps: int, overhead: int) -> int:
    """Lemma 5.1, corrected."""
    return 1 + len(labels) * steps - sum(labels) - overhead * (len(labels) - 1)


def _schedule(
    machine: LogP, tree: BroadcastTree, size: int, steps: int, count: int
) -> LogPSchedule:
    """The first `size` processors of a tree add `count` operands; the last one has the fewest."""
    overhead, gap = machine.o.numerator, tree.machine.g.numerator
    labels, parents = tree.labels[:size], tree.parents[:size]
    children = Counter(parents)
    additions: list[tuple[int, int, int]] = []
    for processor, label in enumerate(labels):
        first = steps - label
        if children[processor]:
            first -= overhead + 1 + (children[processor] - 1) * gap
        additions.append((processor, 0, first))
        between = gap - overhead - 1
        for earlier in range(children[processor] - 1):
            additions.append((processor, first + overhead + 1 + earlier * gap, between))
    surplus = _operands(labels, steps, overhead) - count
    processor, _, number = additions.pop()
    additions.append((processor, surplus, number - surplus))
    messages: list[Message] = [
        (processor, parents[processor], 0, steps - labels[processor])
        for processor in range(size - 1, 0, -1)
    ]
    return LogPSchedule(
        machine,
        "summation",
        count,
        1,
        tuple(messages),
        tuple(several for several in additions if several[2]),
        steps,
        _operands(tree.labels, steps, overhead),
        True,
    )
