"""Combining on a LogP machine: everybody gets the sum of all values in the time of a broadcast.

Section 4.2 of Karp, Sahay, Santos and Schauser (1993), for every number of processors.  All
processors do the same in rounds: they send what they have combined to the processor some places
further on.  Proofs: proofs/logp-combining.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import repeat
from math import ceil, lcm

from exactsched.certificate.logp import LogPSchedule, Message
from exactsched.errors import InvalidInput
from exactsched.inputs import whole
from exactsched.logp.counts import broadcast_time
from exactsched.machine import LogP
from exactsched.rational import Rational

# A longer schedule would take more than a gigabyte.
MOST_MESSAGES = 10**7


@dataclass(frozen=True, slots=True)
class CombiningRounds:
    """What every processor p does: in round (index, shift, item) it sends to p + shift modulo P.

    Round `index` starts at the time index * `period`.  The message carries the sum of all that its
    sender has combined so far (item 0), or of that without the sender's own value (item 1).
    Everybody has the sum of all values at `time`.
    """

    machine: LogP
    period: Rational
    rounds: tuple[tuple[int, int, int], ...]
    time: Rational


def combining_rounds(machine: LogP) -> CombiningRounds:
    """All P values are combined everywhere in T - d rounds of a period and one message more.

    Here d is the number of periods that a message takes, rounded up, and T the least index with
    f_T >= P for f_i = f_(i-1) + f_(i-d).  The period is max(g, 2 o), or a little more if a message
    would otherwise be received while the next one is sent.  If the delay L + 2 o is a multiple of g
    and 2 o <= g, which includes the postal model, the time is B(P; L, o, g), and no schedule takes
    less.  Addition is associative and commutative, and costs nothing.

    P may be 10^18.  Complexity: O(T - d) operations; T - d < P, and it is O(d log P / log d).
    Reference: Karp, Sahay, Santos and Schauser 1993, theorem 4.1, for P = f_T; for the postal model
    and every P, Bar-Noy, Kipnis and Schieber 1995; proofs/logp-combining.md.

    >>> plan = combining_rounds(LogP(1, 0, 1, 6))
    >>> plan.rounds, plan.time
    (((0, 1, 0), (1, 1, 1), (2, 3, 0)), 3)
    """
    if machine.P == 1:
        return CombiningRounds(machine, whole(machine.period), (), 0)
    time, period, periods = min(
        ((_last_round(machine.P, periods) * period + machine.delay), period, periods)
        for periods, period in _paces(machine)
    )
    rounds = tuple(_rounds(machine.P, periods))
    return CombiningRounds(machine, whole(period), rounds, whole(time))


def combining(machine: LogP) -> LogPSchedule:
    """The schedule of `combining_rounds`, message by message, with the bound B(P; L, o, g).

    The bound holds because every value has to reach everybody, as in a broadcast.

    Raises `InvalidInput` where there would be more than `MOST_MESSAGES` messages.

    Complexity: O(P (T - d)) operations, the number of messages.
    Reference: as `combining_rounds`.

    >>> schedule = combining(LogP(2, 0, 1, 3))
    >>> schedule.messages[:3], schedule.messages[3:]
    (((0, 1, 0, 0), (1, 2, 0, 0), (2, 0, 0, 0)), ((0, 2, 0, 1), (1, 0, 0, 1), (2, 1, 0, 1)))
    >>> schedule.time, schedule.bound, schedule.optimal
    (3, 3, True)
    """
    plan = combining_rounds(machine)
    number = machine.P * len(plan.rounds)
    if number > MOST_MESSAGES:
        rule = f"{number} messages are too many to be listed; combining_rounds has them all"
        raise InvalidInput("P", machine.P, rule)
    numbers = (machine.L, machine.o, machine.g, plan.period)
    unit = lcm(*(number.denominator for number in numbers))
    period = (plan.period * unit).__floor__()
    everybody = list(range(machine.P)) if plan.rounds else []
    messages: list[Message] = []
    for index, shift, item in plan.rounds:
        receivers = everybody[shift:] + everybody[:shift]
        messages += zip(everybody, receivers, repeat(item), repeat(index * period))
    bound = whole(broadcast_time(machine))
    return LogPSchedule(
        machine,
        "combining",
        1,
        whole(Fraction(1, unit)),
        tuple(messages),
        (),
        plan.time,
        bound,
        plan.time == bound,
    )


def _paces(machine: LogP) -> Iterator[tuple[int, Fraction]]:
    """(d, p) such that rounds of the period p work if a message counts as d periods.

    A reception has to end by the end of the d-th period, and to begin after the send with which
    that period begins: L + 2 o <= d p and L >= (d - 1) p.
    """
    shortest = max(machine.g, 2 * machine.o)
    periods = ceil(machine.delay / shortest)
    if (periods - 1) * shortest <= machine.L:
        yield periods, shortest
    fitting = machine.delay // shortest
    if fitting >= 1:
        yield fitting, machine.delay / fitting


def _last_round(size: int, periods: int) -> int:
    """The least k with f_(d+k) >= size: rounds 0..k are needed, d = `periods`."""
    return len(_reached(size, periods)) - 1


def _reached(size: int, periods: int) -> list[int]:
    """f_d, f_(d+1), ... up to the first one that is at least `size` > 1."""
    reached = [2]
    while reached[-1] < size:
        k = len(reached)
        reached.append(reached[-1] + (1 if k < periods else reached[k - periods]))
    return reached


def _rounds(size: int, periods: int) -> Iterator[tuple[int, int, int]]:
    """Windows grow as w_(j+d) = w_(j+d-1) + w_j - b_j, from w_0 = ... = w_(d-1) = 1 to `size`.

    With all b_j = 0 they would be the f_i, and one b_j = 1 costs f_(T-d-j) of them in the end; so
    the b_j write the surplus in the numbers f_0, ..., f_(T-d), largest first.
    """
    reached = _reached(size, periods)
    last = len(reached) - 1
    surplus = reached[-1] - size
    windows: list[int] = []  # w_d, w_(d+1), ...
    for index in range(last + 1):
        left = last - index
        cost = 1 if left < periods else reached[left - periods]
        item = 1 if cost <= surplus else 0
        surplus -= item * cost
        sent = (1 if index < periods else windows[index - periods]) - item
        before = windows[-1] if windows else 1
        if sent:  # a window of one without its own value is nothing
            yield index, before - item, item
        windows.append(before + sent)
