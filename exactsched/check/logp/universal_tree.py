"""Lower bounds on a LogP machine, counted on the nodes of the universal broadcast tree.

Times are integers, in any unit.  The root of the tree has the label 0, and a node with the label t
has children t + delay + i * period, i >= 0: nobody is told anything before L + 2 o, or sends at
intervals of less than max(g, o).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from math import comb
from typing import Final

from exactsched.certificate.budget import hold, spend, sums

# How many labels are paid for at a time.
_LABELS: Final = 1 << 10


def smallest_labels(delay: int, period: int, count: int) -> list[tuple[int, int]]:
    """The `count` smallest labels of the tree as pairs (label, number of nodes), increasing.

    A node sends first at its label, then once a period: whoever sent a period ago sends
    again, whoever was reached just now sends for the first time.  O(1) additions for each pair.

    >>> smallest_labels(10, 4, 8)
    [(0, 1), (10, 1), (14, 1), (18, 1), (20, 1), (22, 1), (24, 2)]
    """
    return list(labels_in_order(delay, period, count))


def labels_in_order(delay: int, period: int, count: int) -> Iterator[tuple[int, int]]:
    """One by one, as there may be as many as nodes.  Raises `Rejected` beyond the budget."""
    yield 0, 1
    left = count - 1
    times, senders = [0], [1]  # when nodes send, and how many of them
    again = first = 0
    bits = 64 + delay.bit_length()
    steps = 8 * sums(bits)
    while left > 0:
        if len(times) % _LABELS == 0:
            spend(_LABELS * steps, "machine")
            hold(len(times) * 4 * bits, "machine")
        reached = min(senders[-1], left)
        yield times[-1] + delay, reached
        left -= reached
        repeated, begun = times[again] + period, times[first] + delay
        time, number = min(repeated, begun), 0
        if repeated == time:
            number += senders[again]
            again += 1
        if begun == time:
            number += senders[first]
            first += 1
        times.append(time)
        senders.append(number)


def is_last_label(delay: int, period: int, count: int, label: int) -> bool:
    """Whether this is the label of the last of the `count` first nodes, count > 1.

    Then that many nodes are labeled so or less, and fewer are labeled less.  They are counted, not
    listed: O(log count) binomials of numbers of about the length of the count.

    >>> [label for label in range(30) if is_last_label(10, 4, 8, label)]
    [24]
    """
    return not _reaches(delay, period, count, label - 1) and _reaches(delay, period, count, label)


def _reaches(delay: int, period: int, count: int, time: int) -> bool:
    """Whether `count` nodes, at least 2, are labeled `time` or less.

    The nodes with i hops, each to the first child of a node, and with any waits of a period for the
    next child after them, are C(floor((time - i delay) / period) + i, i); those with i waits, each
    after one of the hops, are C(floor((time - i period) / delay) + i, i + 1).  In whichever of the
    two is longer the nodes double, so few of its numbers i come before the count.
    """
    nodes, longer, shorter, more = 0, delay, period, 0
    if delay < period:
        nodes, longer, shorter, more = 1, period, delay, 1
    for number in range(time // longer + 1):
        nodes += comb((time - number * longer) // shorter + number, number + more)
        if nodes >= count:
            return True
    return False


def least_broadcast_time(delay: int, period: int, processors: int, items: int) -> int:
    """What no schedule beats in which the items of one processor reach all the others.

    Of the sends that start in a period of time, at most one is by each of those who knew something
    at its end, and at most one to each of those who are to receive.  So the sends that start at
    s or before, s - i * period being the ends of the periods, serve at most the sum over i of
    min(nodes labeled s - i * period or less, processors - 1) receptions, where items *
    (processors - 1) are needed.  With one item this is B(P), in the postal model theorem 3.1.

    O(d log(items * processors)) for the d different ones of the `processors` smallest labels.

    >>> least_broadcast_time(10, 4, 8, 1), least_broadcast_time(3, 1, 10, 8)
    (24, 15)
    """
    others = processors - 1
    if others == 0:
        return 0
    needed = items * others
    labels = smallest_labels(delay, period, others)
    spend(len(labels) * needed.bit_length() * sums(labels[-1][0].bit_length()), "machine")

    def served(periods: int) -> int:
        last = periods * period
        return sum(
            nodes * ((last - label) // period + 1) for label, nodes in labels if label <= last
        )

    few, enough = -1, needed  # the root alone serves one more in every period
    while enough - few > 1:
        middle = (few + enough) // 2
        if served(middle) < needed:
            few = middle
        else:
            enough = middle
    # In the period that ends at `enough` each label so far adds its nodes once.
    begin, end, before = few * period, enough * period, served(few)
    steps = sorted(
        ((label - begin - 1) % period + 1, nodes) for label, nodes in labels if label <= end
    )
    totals = accumulate(nodes for _, nodes in steps)
    return delay + next(
        begin + offset
        for (offset, _), total in zip(steps, totals, strict=True)
        if before + total >= needed
    )
