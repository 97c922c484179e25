"""The universal tree: the optimal broadcast of one item on a LogP machine, everybody sends at once.

The tree is that of Karp, Sahay, Santos and Schauser (1993), grown in the order of its labels.
Nodes are numbered in that order, so node 0 is the source.  Proofs: proofs/logp-broadcast.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import repeat

from exactsched.certificate.logp import LogPSchedule, Message
from exactsched.exact.arguments import over_common_denominator
from exactsched.exact.collection import without_collection
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import Rational, readable
from exactsched.logp.listing import refuse_long_times
from exactsched.model.machine import LogP

MAX_PROCESSORS = 10_000_000  # of a tree: more than a gigabyte


@readable
@dataclass(frozen=True, slots=True)
class BroadcastTree:
    """An optimal broadcast tree: node v has the item after `labels[v]` ticks, from `parents[v]`.

    Labels never decrease; `parents[0]` is -1.  The children of a node are in the order of sending.
    """

    machine: LogP
    tick: Rational
    labels: tuple[int, ...]
    parents: tuple[int, ...]


@without_collection()
def broadcast_tree(machine: LogP) -> BroadcastTree:
    """The P nodes with the smallest labels of the universal tree are an optimal broadcast tree.

    The root has the label 0, and a node with the label t has children t + L + 2 o + i max(g, o),
    i >= 0.  The tick is one over the least common denominator of L, o and g.

    Raises `InvalidInput` for more than `MAX_PROCESSORS` processors, fewer where their labels have
    hundreds of digits (`exactsched.logp.listing`); `exactsched.logp.counts` has
    no such limit.  Complexity: O(P) operations.
    Reference: Karp, Sahay, Santos and Schauser 1993, definitions 2.3 and 2.4, theorem 2.1.

    >>> tree = broadcast_tree(LogP(6, 2, 4, 8))
    >>> tree.labels
    (0, 10, 14, 18, 20, 22, 24, 24)
    >>> tree.parents
    (-1, 0, 0, 0, 1, 0, 1, 2)
    """
    tick, hop, rounds = _rounds(machine)
    labels, parents = [0], [-1]
    for start, senders in rounds:
        labels += repeat(start + hop, len(senders))
        parents += senders
    return BroadcastTree(machine, tick, tuple(labels), tuple(parents))


@without_collection()
def broadcast(machine: LogP) -> LogPSchedule:
    """The schedule of `broadcast_tree`: it takes B(P; L, o, g), and no schedule takes less.

    The messages are in the order of their starts, and the receivers are 1, 2, ..., P - 1.  As
    `bound` equals `time`, the schedule is optimal; whoever checks it counts the labels below it.

    Raises `InvalidInput` as `broadcast_tree`.  Complexity: O(P) operations.
    Reference: Karp, Sahay, Santos and Schauser 1993, theorem 2.1.

    >>> schedule = broadcast(LogP(6, 2, 4, 4))
    >>> [message.start for message in schedule.messages], schedule.time, schedule.optimal
    ([0, 4, 8], Fraction(18, 1), True)
    """
    tick, hop, rounds = _rounds(machine)
    messages: list[Message] = []
    last = -hop
    for start, senders in rounds:
        receivers = range(len(messages) + 1, machine.P)
        messages += map(Message, senders, receivers, repeat(0), repeat(start))
        last = start
    time = Fraction((last + hop) * tick.numerator, tick.denominator)
    return LogPSchedule(machine, "broadcast", 1, tick, tuple(messages), (), time, time, True)


def _rounds(machine: LogP) -> tuple[Rational, int, list[tuple[int, Sequence[int]]]]:
    """The tick, the ticks from a send to its label, and (start, senders) by increasing starts.

    Whoever sent a period ago sends again, and whoever has just received sends for the first time.
    Both kinds follow the rounds in their order: two places in the list replace a priority queue.
    """
    if machine.P > MAX_PROCESSORS:
        rule = f"a tree of more than {MAX_PROCESSORS} processors is not written out"
        raise InvalidInput("P", machine.P, rule)
    (*_, hop, wait), unit = over_common_denominator(
        [machine.L, machine.o, machine.g, machine.delay, machine.period]
    )
    tick = Fraction(1, unit) if unit > 1 else 1
    refuse_long_times(machine.P, hop, wait)
    if machine.P == 1:
        return tick, hop, []
    rounds: list[tuple[int, Sequence[int]]] = [(0, (0,))]
    informed = 2  # when the messages of the rounds so far have arrived
    again = new = 0  # the rounds that are followed next
    received = 1  # by whom the first message of the round `new` is received
    while informed < machine.P:
        next_again = rounds[again][0] + wait
        sent, senders = rounds[new]
        next_new = sent + hop
        start = min(next_again, next_new)
        ready: Sequence[int] = ()
        if next_again == start:
            ready = rounds[again][1]
            again += 1
        if next_new == start:
            ready = [*ready, *range(received, received + len(senders))]
            received += len(senders)
            new += 1
        if informed + len(ready) > machine.P:
            ready = ready[: machine.P - informed]
        rounds.append((start, ready))
        informed += len(ready)
    return tick, hop, rounds
