"""What no schedule of a collective beats on a LogP machine, in integers of any unit.

The proofs are those of `proofs/logp-certificates.md`.
"""

from __future__ import annotations

from fractions import Fraction

from exactsched.certificate.logp import LogPRounds, LogPSchedule
from exactsched.check.logp.universal_tree import (
    is_last_label,
    labels_in_order,
    least_broadcast_time,
)
from exactsched.check.proved import ProvedLogP, shown
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import Rational


def least_time(
    stated: LogPSchedule | LogPRounds, latency: int, overhead: int, gap: int, unit: int
) -> int:
    """That of one source, or of as many sends and receptions as everybody needs.

    >>> from exactsched.model.machine import LogP
    >>> stated = LogPRounds(LogP(1, 0, 1, 5), "allreduce", 1, 1, (), (), 3, 3, True)
    >>> least_time(stated, 1, 0, 1, 1)
    3
    """
    size, count = stated.machine.P, stated.count
    delay, period = latency + 2 * overhead, max(gap, overhead)
    if stated.collective == "allreduce" or (stated.collective, count) == ("broadcast", 1):
        return _last_label(stated, delay, period, unit)
    if stated.collective == "broadcast":
        return least_broadcast_time(delay, period, size, count)
    return _least_allgather_time(latency, overhead, period, count * (size - 1))


def _last_label(stated: LogPSchedule | LogPRounds, delay: int, period: int, unit: int) -> int:
    """B(P), the time of a broadcast of one item: the label of the last processor.

    The number of processors is a short number, but may stand for many different labels: they are
    listed only if the label is not the bound that is stated.
    """
    size, label = stated.machine.P, stated.bound * unit
    whole = size > 1 and label.denominator == 1
    if whole and is_last_label(delay, period, size, label.numerator):
        return label.numerator
    latest = 0
    for listed, _ in labels_in_order(delay, period, size):
        latest = listed
    return latest


def _least_allgather_time(latency: int, overhead: int, period: int, needed: int) -> int:
    """What nobody beats if everybody sends and receives this many messages on average, at least.

    The receptions are a period apart.  Unless all sends can be over before the first of them, an
    overhead excludes the others: see bounds (a), (b), (c) of the page on alltoall.
    """
    if needed == 0:
        return 0
    delay, arrival = latency + 2 * overhead, latency + overhead
    simple = delay + (needed - 1) * period
    if overhead == 0 or (needed - 1) * period <= latency:
        return simple
    shifted = [
        overhead - abs(arrival - distance * period)
        for distance in (arrival // period, arrival // period + 1)
        if 0 < distance < needed
    ]
    sends = latency // period + 1  # that can be over before the first reception
    busy = sends * overhead + max(0, arrival - sends * period)
    return max(
        simple + min(period, max([0, *shifted])),
        2 * delay,
        2 * needed * overhead + 2 * (arrival - busy),
    )


def proved_claim(
    kind: str, stated: LogPSchedule | LogPRounds, bound: Rational, optimal: bool
) -> ProvedLogP:
    """The claim of a schedule whose time, or count, has been confirmed.  Raises `Rejected`."""
    if stated.bound != bound:
        raise Rejected("bound", shown(stated.bound), f"what is proved is {shown(bound)}")
    if stated.optimal != optimal:
        rule = "optimal means that the bound allows no less time, and nothing else"
        raise Rejected("optimal", stated.optimal, rule)
    return ProvedLogP(
        kind=kind,
        machine=stated.machine,
        collective=stated.collective,
        count=stated.count,
        time=stated.time,
        bound=Fraction(bound),
        optimal=optimal,
    )
