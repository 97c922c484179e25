"""Allreduce on a LogP machine: every processor gets the sum of all values as fast as a broadcast.

Section 4.2 of Karp, Sahay, Santos and Schauser (1993), for every number of processors.  All
processors do the same in rounds: they send what they have combined to the processor some places
further on.  Proofs: proofs/logp-allreduce.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil

from exactsched.certificate.logp import LogPRounds, Round
from exactsched.exact.arguments import over_common_denominator, whole
from exactsched.exact.errors import InvalidInput
from exactsched.logp.counts import broadcast_time
from exactsched.logp.listing import most_rounds
from exactsched.model.machine import LogP


def allreduce(machine: LogP) -> LogPRounds:
    """All P values are combined everywhere in T - d rounds of a period and one message more.

    Here d is the number of periods that a message takes, rounded up, and T the least index with
    f_T >= P for f_i = f_(i-1) + f_(i-d).  The period, which is the `tick` of the schedule, is
    max(g, 2 o), or a little more if a message would otherwise be received while the next one is
    sent.  The bound is B(P; L, o, g), since every value has to reach everybody, as in a broadcast.
    If the delay L + 2 o is a multiple of g and 2 o <= g, which includes the postal model, the time
    is the bound.  Addition is associative and commutative, and costs nothing.

    P may be 10^18.  Raises `InvalidInput` where there would be more than `MOST_ROUNDS` rounds, or
    fewer whose times have hundreds of digits.
    Complexity: O(T - d) operations beside the bound; T - d < P, and it is O(d log P / log d).
    Reference: Karp, Sahay, Santos and Schauser 1993, theorem 4.1, for P = f_T; for the postal model
    and every P, Bar-Noy, Kipnis and Schieber 1995; proofs/logp-allreduce.md.

    >>> schedule = allreduce(LogP(1, 0, 1, 6))
    >>> (schedule.rounds, schedule.time, schedule.optimal) == (
    ...     ((0, 1, 0), (1, 1, 1), (2, 3, 0)), 3, True
    ... )
    True
    """
    time, period = Fraction(0), machine.period  # of one processor
    rounds: tuple[Round, ...] = ()
    if machine.P > 1:
        numbers, _ = over_common_denominator([machine.delay, machine.g, machine.o])
        most = most_rounds(*numbers)
        last, period, periods = min(
            ((len(_reached(machine.P, periods, most)) - 1) * period, period, periods)
            for periods, period in _paces(machine)
        )
        time, rounds = last + machine.delay, tuple(_rounds(machine.P, periods, most))
    bound = broadcast_time(machine)
    return LogPRounds(
        machine,
        "allreduce",
        1,
        whole(period),
        (),
        rounds,
        Fraction(time),
        Fraction(bound),
        time == bound,
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


def _reached(size: int, periods: int, most: int) -> list[int]:
    """f_d, f_(d+1), ... up to the first one that is at least `size` > 1: rounds 0, 1, ..."""
    reached = [2]
    while reached[-1] < size:
        k = len(reached)
        if k == most:
            raise InvalidInput("P", size, f"more than {most} rounds are not listed")
        reached.append(reached[-1] + (1 if k < periods else reached[k - periods]))
    return reached


def _rounds(size: int, periods: int, most: int) -> Iterator[Round]:
    """Windows grow as w_(j+d) = w_(j+d-1) + w_j - b_j, from w_0 = ... = w_(d-1) = 1 to `size`.

    With all b_j = 0 they would be the f_i, and one b_j = 1 costs f_(T-d-j) of them in the end; so
    the b_j write the surplus in the numbers f_0, ..., f_(T-d), largest first.
    """
    reached = _reached(size, periods, most)
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
            yield Round(index, before - item, item)
        windows.append(before + sent)
