"""All-to-all on a LogP machine, the same items for everybody or a different one for each.

In every round each processor sends to the one a fixed distance ahead, all at the same time; the
rounds come in clusters, so that no reception falls on a send.  The order printed by Karp, Sahay,
Santos and Schauser (1993), a round every max(g, o), is the case in which nothing collides.
Proofs: proofs/logp-all-to-all.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import repeat

from exactsched.certificate.logp import LogPSchedule, Message
from exactsched.errors import InvalidInput
from exactsched.inputs import divided, over_common_denominator
from exactsched.machine import LogP

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
    if o = 0 or |L + o - d G| >= o for all 0 < d < items (P - 1).  Otherwise it is the least that
    clusters of rounds give, and not marked as optimal: `bound` is the one that cannot be reached.
    (It may still be optimal, as in the example; then `all_to_all_bound` says so.)

    Raises `InvalidInput` unless `items` is a positive integer, and for more than `MAX_MESSAGES`
    messages.  Complexity: O(1) for each of items P (P - 1) messages and each of min(L / G + 1, m)
    sizes of clusters.  Reference: Karp, Sahay, Santos and Schauser 1993, section 4.1.

    >>> all_to_all(LogP(3, 0, 1, 3)).messages
    ((0, 1, 0, 0), (1, 2, 1, 0), (2, 0, 2, 0), (0, 2, 0, 1), (1, 0, 1, 1), (2, 1, 2, 1))
    >>> schedule = all_to_all(LogP(6, 2, 4, 4))
    >>> schedule.time, schedule.bound, all_to_all_bound(LogP(6, 2, 4, 4))
    (20, 18, Fraction(20, 1))
    """

    def own(sender: int, _: int, copy: int) -> int:
        return sender * items + copy

    return _in_rounds(machine, items, "all-to-all", own)


def personalized(machine: LogP, items: int = 1) -> LogPSchedule:
    """Every processor sends `items` items to each of the others, different ones to each.

    Item j of p for q has the number (p P + q) * items + j.  Starts, time, bound, errors and
    complexity are those of `all_to_all`.

    >>> personalized(LogP(3, 0, 1, 3)).messages[:4]
    ((0, 1, 1, 0), (1, 2, 5, 0), (2, 0, 6, 0), (0, 2, 2, 1))
    """

    def addressed(sender: int, receiver: int, copy: int) -> int:
        return (sender * machine.P + receiver) * items + copy

    return _in_rounds(machine, items, "personalized", addressed)


def _checked_items(items: object) -> int:
    if type(items) is not int or items < 1:
        raise InvalidInput("items", items, "the number of items is a positive integer")
    return items


def _in_rounds(
    machine: LogP, items: int, collective: str, item: Callable[[int, int, int], int]
) -> LogPSchedule:
    """Every copy goes to the next processor, then to the one after that; `item` numbers it."""
    number = _checked_items(items) * (machine.P - 1)
    if number * machine.P > MAX_MESSAGES:
        rule = f"a schedule of more than {MAX_MESSAGES} messages is not written out"
        raise InvalidInput("messages", number * machine.P, rule)
    (latency, overhead, gap), unit = over_common_denominator([machine.L, machine.o, machine.g])
    starts = _starts(latency, overhead, gap, number)
    messages: list[Message] = []
    senders = range(machine.P)
    for index, start in enumerate(starts):
        copy, ahead = divmod(index, machine.P - 1)
        receivers = [*range(ahead + 1, machine.P), *range(ahead + 1)]
        numbers: Iterable[int] = map(item, senders, receivers, repeat(copy))
        messages += zip(senders, receivers, numbers, repeat(start), strict=False)
    delay = latency + 2 * overhead
    time = divided(starts[-1] + delay, unit) if number else 0
    bound = divided(delay + (number - 1) * max(gap, overhead), unit) if number else 0
    tick = divided(1, unit)
    return LogPSchedule(
        machine, collective, items, tick, tuple(messages), (), time, bound, time == bound
    )


def _starts(latency: int, overhead: int, gap: int, number: int) -> list[int]:
    """When the rounds start: no two closer than max(g, o), or with a difference in (L, L + 2 o).

    Clusters of `size` rounds, a period apart each, leave room for the receptions of an equal
    cluster between each other; the last reception of the first cluster is followed by the first
    cluster of the next *turn*.  All sizes are tried that fit into the latency.
    """
    period = max(gap, overhead)

    def start(size: int, index: int) -> int:
        longer = (size - 1) * period  # than a cluster of one round
        apart = max(period, 2 * (longer + overhead))
        clusters = (latency - longer) // apart + 1
        turn = max(latency + 2 * overhead + longer, clusters * apart)
        turns, within = divmod(index, clusters * size)
        cluster, place = divmod(within, size)
        return turns * turn + cluster * apart + place * period

    sizes = range(1, max(1, min(latency // period + 1, number)) + 1)
    best = min(sizes, key=lambda size: start(size, number - 1))
    return [start(best, index) for index in range(number)]
