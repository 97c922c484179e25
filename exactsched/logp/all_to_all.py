"""All-to-all on a LogP machine, the same items for everybody or a different one for each.

The order printed by Karp, Sahay, Santos and Schauser (1993) is a round every max(g, o), in which
each processor sends to the one a fixed distance ahead.  Where a reception would fall on a send,
either the rounds come in clusters that leave room for the receptions, or the processors are
halved: members of one half send a little later than those of the other, so that they can exchange
messages faster; then each half is treated likewise.  Proofs: proofs/logp-all-to-all.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import repeat
from math import gcd

from exactsched.certificate.logp import LogPSchedule, Message
from exactsched.errors import InvalidInput
from exactsched.inputs import divided, over_common_denominator, whole
from exactsched.machine import LogP

# (start, senders, receivers, copy): all these pairs at the same time
_Round = tuple[int, Sequence[int], Sequence[int], int]

MAX_MESSAGES = 10_000_000  # of a schedule: about a gigabyte


def all_to_all_bound(machine: LogP, items: int = 1) -> Fraction:
    """No schedule in which everybody has `items` items for everybody takes less time than this.

    With m = items (P - 1) > 0, D = L + 2 o and G = max(g, o), the time is at least
    D + (m - 1) G: so long do m receptions take.  If o > 0, receptions and sends exclude each other,
    and the time is also at least each of

    - D + (m - 1) G + min(G, o - |L + o - d G|), for 0 < d < m;
    - 2 D, unless (m - 1) G <= L;
    - 2 m o and twice what is idle in the first L + o, unless (m - 1) G <= L.

    It holds for the same items to everybody and for personalized ones, passed on or not.
    Raises `InvalidInput` unless `items` is a positive integer.  Complexity: O(1) operations.
    Reference: proofs/logp-all-to-all.md; the first bound is that of the paper.

    >>> all_to_all_bound(LogP(6, 2, 4, 4)), all_to_all_bound(LogP(6, 1, 4, 4))
    (Fraction(20, 1), Fraction(16, 1))
    """
    number = _checked_items(items) * (machine.P - 1)
    if number == 0:
        return Fraction(0)
    latency, overhead, gap, delay = machine.L, machine.o, machine.period, machine.delay
    simple = delay + (number - 1) * gap
    if overhead == 0 or (number - 1) * gap <= latency:
        return simple
    arrival = latency + overhead
    sends = latency // gap + 1  # that are done before the first reception can start
    busy = sends * overhead + max(Fraction(0), arrival - sends * gap)
    bounds = [simple, 2 * delay, 2 * number * overhead + 2 * (arrival - busy)]
    for apart in (arrival // gap, arrival // gap + 1):
        if 0 < apart < number:
            bounds.append(simple + min(gap, overhead - abs(arrival - apart * gap)))
    return max(bounds)


def all_to_all(machine: LogP, items: int = 1) -> LogPSchedule:
    """Every processor sends each of its `items` items to all the others, without collisions.

    Item j of processor p has the number p * items + j.  With D = L + 2 o and G = max(g, o) the time
    is D + (items (P - 1) - 1) G, which is optimal, whenever that can be reached at all: if and only
    if o = 0 or |L + o - d G| >= o for 0 < d < m = items (P - 1).  Otherwise it is the least that
    clusters of rounds and halving give; `bound` is `all_to_all_bound`, and `optimal` says whether
    it is reached.  It always is for m <= 2.

    Raises `InvalidInput` unless `items` is a positive integer, and for more than `MAX_MESSAGES`
    messages.  Complexity: O(1) for each of the m P messages and, log P times, for each of
    min(L / G + 1, m) sizes of clusters.
    Reference: Karp, Sahay, Santos and Schauser 1993, section 4.1; proofs/logp-all-to-all.md.

    >>> all_to_all(LogP(3, 0, 1, 3)).messages
    ((0, 1, 0, 0), (1, 2, 1, 0), (2, 0, 2, 0), (0, 2, 0, 1), (1, 0, 1, 1), (2, 1, 2, 1))
    >>> schedule = all_to_all(LogP(6, 2, 4, 4))
    >>> schedule.time, schedule.bound, schedule.optimal
    (20, 20, True)
    """

    def own(sender: int, _: int, copy: int) -> int:
        return sender * items + copy

    return _schedule(machine, items, "all-to-all", own)


def personalized(machine: LogP, items: int = 1) -> LogPSchedule:
    """Every processor sends `items` items to each of the others, different ones to each.

    Item j of p for q has the number (p P + q) * items + j.  Starts, time, bound, errors and
    complexity are those of `all_to_all`.

    >>> personalized(LogP(3, 0, 1, 3)).messages[:4]
    ((0, 1, 1, 0), (1, 2, 5, 0), (2, 0, 6, 0), (0, 2, 2, 1))
    """

    def addressed(sender: int, receiver: int, copy: int) -> int:
        return (sender * machine.P + receiver) * items + copy

    return _schedule(machine, items, "personalized", addressed)


def _checked_items(items: object) -> int:
    if type(items) is not int or items < 1:
        raise InvalidInput("items", items, "the number of items is a positive integer")
    return items


def _schedule(
    machine: LogP, items: int, collective: str, item: Callable[[int, int, int], int]
) -> LogPSchedule:
    """The rounds for all processors; `item` numbers an item by sender, receiver and copy."""
    number = _checked_items(items) * (machine.P - 1)
    if number * machine.P > MAX_MESSAGES:
        rule = f"a schedule of more than {MAX_MESSAGES} messages is not written out"
        raise InvalidInput("messages", number * machine.P, rule)
    (latency, overhead, gap), unit = over_common_denominator([machine.L, machine.o, machine.g])
    spacing, shift = _exchange(latency, overhead, max(gap, overhead))
    finer = spacing.denominator
    pace = _Pace(
        latency * finer,
        overhead * finer,
        max(gap, overhead) * finer,
        int(spacing * finer),
        int(shift * finer),
        items,
    )
    rounds = sorted(_rounds(pace, range(machine.P), 0), key=lambda row: row[0])
    tick = gcd(finer, *(start for start, *_ in rounds))
    messages: list[Message] = []
    for start, senders, receivers, copy in rounds:
        numbers = map(item, senders, receivers, repeat(copy))
        messages += zip(senders, receivers, numbers, repeat(start // tick), strict=False)
    last = rounds[-1][0] if rounds else -pace.delay
    time, bound = divided(last + pace.delay, unit * finer), whole(all_to_all_bound(machine, items))
    return LogPSchedule(
        machine,
        collective,
        items,
        divided(tick, unit * finer),
        tuple(messages),
        (),
        time,
        bound,
        time == bound,
    )


@dataclass(frozen=True, slots=True)
class _Pace:
    """The machine in ticks, how often two halves exchange messages, and how many items there are.

    `period` is max(g, o).  Members of the first half send every `spacing`, those of the second
    half `shift` later.
    """

    latency: int
    overhead: int
    period: int
    spacing: int
    shift: int
    items: int

    @property
    def delay(self) -> int:
        return self.latency + 2 * self.overhead

    @property
    def pause(self) -> int:
        """From the last send to the first one that can meet none of the receptions before it."""
        return max(self.delay, self.period)

    def common_start(self, size: int, index: int) -> int:
        """When round `index` starts if they come in clusters of this size.

        Each cluster leaves room for the receptions of one before the next cluster; the last
        reception of the first cluster is followed by the first cluster of the next *turn*.
        """
        longer = (size - 1) * self.period  # than a cluster of one round
        apart = max(self.period, 2 * (longer + self.overhead))
        clusters = (self.latency - longer) // apart + 1
        turn = max(self.delay + longer, clusters * apart)
        turns, within = divmod(index, clusters * size)
        cluster, place = divmod(within, size)
        return turns * turn + cluster * apart + place * self.period


@lru_cache(maxsize=1000)
def _last(pace: _Pace, processors: int) -> tuple[int, int]:
    """The start of the last round among so many processors, and the size of clusters.

    The size is 0 where it is better that two halves exchange all their messages, and then those
    of either half among themselves.
    """
    number = pace.items * (processors - 1)
    if number == 0:
        return 0, 1
    sizes = range(1, max(1, min(pace.latency // pace.period + 1, number)) + 1)
    common = min((pace.common_start(size, number - 1), size) for size in sizes)
    smaller = processors // 2
    exchanged = _exchanged(pace, processors)
    inside = max(_last(pace, half)[0] for half in (smaller, processors - smaller))
    halved = exchanged + (inside + pace.pause if processors > 2 else 0)
    return min(common, (halved, 0), key=lambda plan: plan[0])


def _exchanged(pace: _Pace, processors: int) -> int:
    """When the two halves start their last round."""
    rounds = pace.items * (processors - processors // 2)
    return (rounds - 1) * pace.spacing + pace.shift


def _rounds(pace: _Pace, group: range, begin: int) -> Iterator[_Round]:
    size = len(group)
    _, cluster = _last(pace, size)
    if cluster:
        for index in range(pace.items * (size - 1)):
            copy, ahead = divmod(index, size - 1)
            receivers = [*group[ahead + 1 :], *group[: ahead + 1]]
            yield begin + pace.common_start(cluster, index), group, receivers, copy
        return
    ones, others = group[: size // 2], group[size // 2 :]
    start = begin
    for copy in range(pace.items):
        for ahead in range(len(others)):
            partners = [*others[ahead:], *others[:ahead]][: len(ones)]
            yield start, ones, partners, copy
            yield start + pace.shift, partners, ones, copy
            start += pace.spacing
    after = begin + _exchanged(pace, size) + pace.pause
    yield from _rounds(pace, ones, after)
    yield from _rounds(pace, others, after)


def _exchange(latency: int, overhead: int, period: int) -> tuple[Fraction, Fraction]:
    """The least spacing, and a shift, with which two halves can exchange messages without end.

    No reception is less than an overhead from a send, that is: L + o + shift and L + o - shift
    are that far from all multiples of the spacing.
    """
    least = Fraction(max(period, 2 * overhead))
    arrival, delay = latency + overhead, latency + 2 * overhead
    near = arrival // least
    if min(arrival - near * least, (near + 1) * least - arrival) >= overhead:
        return least, Fraction(0)
    possible = []
    for multiple in (near, near + 1):
        spacing = max(least, Fraction(2 * delay, 2 * multiple + 1))
        if (2 * multiple - 1) * spacing <= 2 * latency:
            possible.append((spacing, overhead + abs(arrival - multiple * spacing)))
    return min(possible)
