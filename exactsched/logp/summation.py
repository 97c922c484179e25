"""Optimal summation on a LogP machine: a broadcast run backwards.

Section 5 of Karp, Sahay, Santos and Schauser (1993), with lemma 5.1 corrected, and for any rational
L, o and g.  Time is counted in additions.  Proofs: proofs/logp-summation.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from operator import itemgetter

from exactsched.certificate.logp import Addition, LogPSchedule, Message
from exactsched.exact.arguments import checked_integer, over_common_denominator
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import Rational, exact
from exactsched.logp.broadcast import BroadcastTree, broadcast_tree
from exactsched.logp.counts import broadcast_time, reached
from exactsched.logp.lagrangian_receptions import (
    Adder,
    Adding,
    Priced,
    adders_for,
    least_priced,
    operands_of,
    shorten,
)
from exactsched.logp.listing import refuse_long_times
from exactsched.model.machine import LogP

# A longer schedule would take more than a gigabyte.
MOST_PROCESSORS = 2**23


def summation_within(machine: LogP, time: object) -> LogPSchedule:
    """The largest number n of operands that can be added up within a time, and how.

    If L, o and g are whole, n = sum S_i - o (p - 1) + 1, where S_1 = floor(time) and processor i
    sends its partial sum at S_i = S_1 - l_i.  The l_i are the labels of the universal broadcast
    tree for the latency L + 1 and the gap max(g, o + 1); p of the P processors, those with S_i > o,
    take part.  Otherwise additions have to fit between receptions, and n is the largest number of
    them in a tree of receptions, and one more.  The `time` of the schedule is the least for `count`
    operands; where `bound` equals `count`, no algorithm adds more operands in that time.  That is
    so in nearly all cases, and if g <= o + 1 or g - o is whole always, and for the time given.

    `time` is an exact number, 0 or more, in additions.  Raises `InvalidInput` for another one,
    where more than `MOST_PROCESSORS` would take part, and where more than `MOST_STATES` different
    times of receptions have to be compared.

    Complexity: O(p) operations, or O(s log s), s the number of these times, for fractions.
    Reference: Karp, Sahay, Santos and Schauser 1993, lemma 5.1 (which has o P for o (P - 1), wrong
    by o); proofs/logp-summation.md.

    >>> schedule = summation_within(LogP(5, 2, 4, 8), 28)
    >>> schedule.count, [start for *_, start in schedule.messages]
    (79, [4, 4, 6, 8, 10, 14, 18])
    """
    end = exact(time, "time")
    if end < 0:
        raise InvalidInput("time", end, "a time is 0 or more")
    reverse, adding = _reverse(machine)
    ticks = end.numerator * adding.unit // end.denominator
    if adding.unit > 1:
        return _within(machine, reverse, adding, ticks)
    tree = _tree(reverse, _late_enough(reverse, ticks, adding.overhead))
    most = _operands(tree.labels, ticks, adding.overhead)
    return _schedule(machine, tree, len(tree.labels), ticks, most)


def summation_of(machine: LogP, operands: int) -> LogPSchedule:
    """The least time in which a number of operands can be added up, and how.

    It is the least t for which `summation_within` adds as many.  If L, o and g are whole, as few
    processors as that allows take part.  The one that sends first has less to add if there is time
    to spare.  `bound` is an upper bound on the number of operands for this time, and `optimal` says
    that less time is not enough: always so if g <= o + 1 or g - o is whole.

    Raises `InvalidInput` unless `operands` is a positive integer, and as `summation_within`.

    Complexity: O(p) operations, p the number of processors worth using in this time; for fractions
    as `summation_within` for a number of times that is logarithmic in the common denominator.
    Reference: as `summation_within`.

    >>> schedule = summation_of(LogP(5, 2, 4, 8), 77)
    >>> schedule.time, schedule.count, schedule.bound
    (Fraction(28, 1), 77, Fraction(79, 1))
    """
    operands = checked_integer(operands, 1, "operands", "a positive integer")
    reverse, adding = _reverse(machine)
    size, ticks = _least_time(reverse, (operands - 1) * adding.unit, adding.overhead)
    if adding.unit > 1:
        return _of(machine, reverse, adding, operands, ticks)
    tree = _tree(reverse, _late_enough(reverse, ticks, adding.overhead))
    return _schedule(machine, tree, size, ticks, operands)


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
    delay = schedule.machine.delay / schedule.tick
    # (when it is added, by whom, how many own operands, or from whom the partial sum is)
    steps: list[tuple[Rational, int, int, int]]
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


def _reverse(machine: LogP) -> tuple[LogP, Adding]:
    """The machine on which broadcasts are sums of `machine` run backwards, in ticks.

    An addition lengthens every reception, and so the way of a message and the least gap.
    """
    gap = max(machine.g, machine.o + 1)
    (latency, overhead, period), unit = over_common_denominator([machine.L, machine.o, gap])
    reverse = LogP(latency + unit, overhead, period, machine.P)
    return reverse, Adding(latency, overhead, period, unit)


def _tree(reverse: LogP, size: int) -> BroadcastTree:
    return broadcast_tree(LogP(reverse.L, reverse.o, reverse.g, size))


def _late_enough(reverse: LogP, ticks: int, overhead: int) -> int:
    """How many processors send later than at time o; the others would cost what they add."""
    latest = ticks - overhead - 1
    if latest < 0:
        return 1
    size = reverse.P if broadcast_time(reverse) <= latest else reached(reverse, latest)
    if size > MOST_PROCESSORS:
        raise _too_many(reverse)
    refuse_long_times(size, ticks)
    return size


def _too_many(reverse: LogP) -> InvalidInput:
    rule = f"more than {MOST_PROCESSORS} of the processors would take part"
    return InvalidInput("P", reverse.P, rule)


def _least_time(reverse: LogP, work: int, overhead: int) -> tuple[int, int]:
    """How many processors are needed, and the least time, for additions that take `work` in all.

    In the time t there is room for p t - (the labels) - o (p - 1) on p processors.  The next one
    makes this more as long as its label is below t - o.
    """
    known = 16
    while True:
        if known > 2 * MOST_PROCESSORS:
            raise _too_many(reverse)
        refuse_long_times(known // 2, work)  # more than half of them are needed
        labels = _tree(reverse, min(known, reverse.P)).labels
        size, ticks, lost = 1, work, 0
        for number, label in enumerate(labels[1:], 2):
            if label >= ticks - overhead:
                return size, ticks
            lost += label + overhead
            needed = -((-work - lost) // number)
            if needed < ticks:
                size, ticks = number, needed
        if len(labels) == reverse.P:
            return size, ticks
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
    additions: list[Addition] = []
    for processor, label in enumerate(labels):
        first = steps - label
        if children[processor]:
            first -= overhead + 1 + (children[processor] - 1) * gap
        additions.append(Addition(processor, 0, first))
        between = gap - overhead - 1
        for earlier in range(children[processor] - 1):
            additions.append(Addition(processor, first + overhead + 1 + earlier * gap, between))
    surplus = _operands(labels, steps, overhead) - count
    processor, _, number = additions.pop()
    additions.append(Addition(processor, surplus, number - surplus))
    messages: list[Message] = [
        Message(processor, parents[processor], 0, steps - labels[processor])
        for processor in range(size - 1, 0, -1)
    ]
    return LogPSchedule(
        machine,
        "summation",
        count,
        1,
        tuple(messages),
        tuple(several for several in additions if several.number),
        Fraction(steps),
        Fraction(_operands(tree.labels, steps, overhead)),
        True,
    )


# Fractions ---------------------------------------------------------------------------------------


def _within(machine: LogP, reverse: LogP, adding: Adding, ticks: int) -> LogPSchedule:
    """As many operands as are found in this time, in the least time that is enough for them."""
    found = _most(reverse, adding, ticks)
    adders = adders_for(found, found.operands)
    count = operands_of(adding, adders)
    sooner = _first(reverse, adding, count, max(ticks - adding.unit, -1), ticks)
    if sooner.time < ticks:
        earlier = adders_for(sooner, count)
        if operands_of(adding, earlier) >= count:
            found, adders = sooner, earlier
    return _fractional(machine, reverse, found, adders, count)


def _of(machine: LogP, reverse: LogP, adding: Adding, operands: int, least: int) -> LogPSchedule:
    """Searches from the time that the intervals need if no time is lost between them."""
    # Times differ by few ticks, or by many where an addition takes many.
    few = least - 1
    shortest = step = max(1, adding.unit >> 10)
    while _most(reverse, adding, few + step).operands < operands:
        few, step = few + step, 2 * step
    found = _first(reverse, adding, operands, few, few + step)
    adders, step = adders_for(found, operands), shortest
    while operands_of(adding, adders) < operands:
        found = _most(reverse, adding, found.time + step)
        adders, step = adders_for(found, operands), 2 * step
    return _fractional(machine, reverse, found, adders, operands)


def _most(reverse: LogP, adding: Adding, ticks: int) -> Priced:
    """No more operands in this time."""
    size = _late_enough(reverse, ticks, adding.overhead)
    last = broadcast_time(LogP(reverse.L, reverse.o, reverse.g, size)).numerator
    return least_priced(adding, ticks, size - 1, (ticks - last - adding.overhead) // adding.unit)


def _first(reverse: LogP, adding: Adding, operands: int, few: int, enough: int) -> Priced:
    """The first time after `few`, and until `enough`, for which the bound is `operands`.

    A tick may be a tiny part of an addition: only times are tried at which the bound may change.
    """
    best = _most(reverse, adding, enough)
    rises: set[int] = set()  # after `few`
    while best.time - few > 1:
        times = sorted(time for time in rises | best.falls() if few < time < best.time)
        tried = _most(reverse, adding, times[len(times) // 2] if times else few + 1)
        if tried.operands < operands:
            rises = tried.rises() | _next_processor(reverse, tried)
            few = min(rises) - 1
        else:
            best = tried
    return best


def _next_processor(reverse: LogP, found: Priced) -> set[int]:
    """The time at which another processor may take part, if there is another one."""
    size = found.allowed + 2
    if size > reverse.P:
        return set()
    label = broadcast_time(LogP(reverse.L, reverse.o, reverse.g, size)).numerator
    return {label + found.adding.overhead + 1}


def _fractional(
    machine: LogP, reverse: LogP, found: Priced, adders: list[Adder], count: int
) -> LogPSchedule:
    """Own operands are added as late as possible before the first reception, and between others."""
    adding, unit, end = found.adding, found.adding.unit, found.time
    optimal = end == 0 or _most(reverse, adding, end - 1).operands < count
    kept, surplus = shorten(adding, adders, operands_of(adding, adders) - count)
    additions: list[Addition] = []
    for number, adder in enumerate(kept):
        own = adder.free // unit
        additions.append(Addition(number, adder.free - own * unit, own))
        start = adder.free
        for between, earlier, _ in reversed(adder.waits):
            additions.append(Addition(number, start + adding.overhead + unit, between - 1))
            start += earlier
    number, start, own = additions[-1]
    additions[-1] = Addition(number, start + surplus * unit, own - surplus)
    messages: list[Message] = [
        Message(number, kept[number].parent, 0, kept[number].send)
        for number in range(len(kept) - 1, 0, -1)
    ]
    return LogPSchedule(
        machine,
        "summation",
        count,
        Fraction(1, unit),
        tuple(messages),
        tuple(several for several in additions if several.number),
        Fraction(end, unit),
        Fraction(found.operands),
        optimal,
    )
