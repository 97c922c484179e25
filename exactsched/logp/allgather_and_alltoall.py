"""Allgather and alltoall on a LogP machine: the same items for all others, or different ones.

The order printed by Karp, Sahay, Santos and Schauser (1993) is a round every max(g, o), in which
each processor sends to the one a fixed distance ahead.  Where a reception would fall on a send,
either the rounds come in clusters that leave room for the receptions, or the processors are
halved: members of one half send a little later than those of the other, so that they can exchange
messages faster; then each half is treated likewise.  Proofs: proofs/logp-alltoall.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import gcd

from exactsched.certificate.logp import Halving, LogPRounds, Round, RoundsCollective
from exactsched.exact.arguments import checked_integer, divided, over_common_denominator, whole
from exactsched.logp.listing import most_rounds
from exactsched.model.machine import LogP


def allgather_bound(machine: LogP, items: int = 1) -> Fraction:
    """No schedule in which everybody has `items` items for everybody takes less time than this.

    With m = items (P - 1) > 0, D = L + 2 o and G = max(g, o), the time is at least
    D + (m - 1) G: so long do m receptions take.  If o > 0, receptions and sends exclude each other,
    and the time is also at least each of

    - D + (m - 1) G + min(G, o - |L + o - d G|), for 0 < d < m;
    - 2 D, unless (m - 1) G <= L;
    - 2 m o and twice what is idle in the first L + o, unless (m - 1) G <= L.

    It holds for the same items to everybody and for personalized ones, passed on or not.
    Raises `InvalidInput` unless `items` is a positive integer.  Complexity: O(1) operations.
    Reference: proofs/logp-alltoall.md; the first bound is that of the paper.

    >>> allgather_bound(LogP(6, 2, 4, 4)), allgather_bound(LogP(6, 1, 4, 4))
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


def allgather(machine: LogP, items: int = 1) -> LogPRounds:
    """Every processor sends each of its `items` items to all the others, without collisions.

    With D = L + 2 o and G = max(g, o) the time is D + (items (P - 1) - 1) G, which is optimal,
    whenever that can be reached at all: if and only if o = 0 or |L + o - d G| >= o for
    0 < d < m = items (P - 1).  Otherwise it is the least that clusters of rounds and halving give;
    `bound` is `allgather_bound`, and `optimal` says whether it is reached.  It always is for
    m <= 2.  At most `MOST_ROUNDS` rounds are listed, fewer if their times have hundreds of digits.
    If there would be more, the processors are halved first, down to groups that are small enough;
    this takes more time than common rounds if there are no collisions.

    Raises `InvalidInput` unless `items` is a positive integer.  Complexity: O(1) for each of the
    rounds, m at most, and, log P times, for each of min(L / G + 1, m) sizes of clusters.
    Reference: Karp, Sahay, Santos and Schauser 1993, section 4.1; proofs/logp-alltoall.md.

    >>> allgather(LogP(3, 0, 1, 3)).rounds
    (Round(start=0, shift=1, item=0), Round(start=1, shift=2, item=0))
    >>> schedule = allgather(LogP(6, 2, 4, 4))
    >>> schedule.time, schedule.bound, schedule.optimal
    (Fraction(20, 1), Fraction(20, 1), True)
    """
    return _schedule(machine, items, "allgather")


def alltoall(machine: LogP, items: int = 1) -> LogPRounds:
    """Every processor sends `items` items to each of the others, different ones to each.

    Starts, time, bound, errors and complexity are those of `allgather`.

    >>> alltoall(LogP(3, 0, 1, 2), 2).rounds
    (Round(start=0, shift=1, item=0), Round(start=1, shift=1, item=1))
    """
    return _schedule(machine, items, "alltoall")


def _checked_items(items: object) -> int:
    return checked_integer(items, 1, "items", "the number of items is a positive integer")


def _schedule(machine: LogP, items: int, collective: RoundsCollective) -> LogPRounds:
    bound = whole(allgather_bound(machine, items))
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
    halvings: list[Halving] = []
    begin, group = 0, machine.P
    while not (plan := _plan(pace, group)).cluster:
        halvings.append(Halving(begin, pace.spacing, pace.shift))
        begin += _exchanged(pace, group) + pace.pause
        group -= group // 2
    rounds: list[Round] = []
    for index in range(items * (group - 1)):
        item, ahead = divmod(index, group - 1)
        rounds.append(Round(begin + pace.common_start(plan.cluster, index), ahead + 1, item))
    tick = gcd(finer, *(time for row in halvings for time in row), *(row[0] for row in rounds))
    last = _plan(pace, machine.P).last if machine.P > 1 else -pace.delay
    time = divided(last + pace.delay, unit * finer)
    return LogPRounds(
        machine,
        collective,
        items,
        divided(tick, unit * finer),
        tuple(Halving(*[time // tick for time in row]) for row in halvings),
        tuple(Round(start // tick, ahead, item) for start, ahead, item in rounds),
        Fraction(time),
        Fraction(bound),
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


@dataclass(frozen=True, slots=True)
class _Plan:
    """The start of the last round, and the size of clusters, or 0 if halves exchange first."""

    last: int
    cluster: int


@lru_cache(maxsize=1000)
def _plan(pace: _Pace, processors: int) -> _Plan:
    """The best plan: common rounds, or an exchange and then the plan of the larger half."""
    number = pace.items * (processors - 1)
    if number == 0:
        return _Plan(0, 1)
    halved = _exchanged(pace, processors)
    if processors > 2:
        halved += pace.pause + _plan(pace, processors - processors // 2).last
    if number > most_rounds(pace.latency, pace.period, pace.spacing):
        return _Plan(halved, 0)
    last, cluster = halved + 1, 0
    for size in range(1, max(1, min(pace.latency // pace.period + 1, number)) + 1):
        start = pace.common_start(size, number - 1)
        if start < last:
            last, cluster = start, size
        if last == (number - 1) * pace.period:  # nothing is faster
            break
    return _Plan(last, cluster) if cluster else _Plan(halved, 0)


def _exchanged(pace: _Pace, processors: int) -> int:
    """When the two halves start their last round."""
    rounds = pace.items * (processors - processors // 2)
    return (rounds - 1) * pace.spacing + pace.shift


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
