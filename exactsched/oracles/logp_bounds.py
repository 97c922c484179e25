"""Bounds of LogP certificates by definition: labels, distances and sends, one by one."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice

from exactsched.certificate.logp import LogPBuffered, LogPCertificate, LogPCycles
from exactsched.model.machine import LogP
from exactsched.oracles.logp import labels_by_definition
from exactsched.oracles.logp_schedules import buffered_bound
from exactsched.oracles.logp_sums import priced_bound


def broadcast_bound_by_definition(machine: LogP, items: int) -> Fraction:
    """The least D + s with enough of min(N, P - 1), tried at all sums of delays and gaps.

    >>> broadcast_bound_by_definition(LogP(6, 2, 4, 8), 1)
    Fraction(24, 1)
    """
    delay, period, others = machine.delay, machine.period, machine.P - 1
    if others == 0:
        return Fraction(0)
    labels = [Fraction(label) for label in islice(labels_by_definition(delay, period), others)]

    def served(last: Fraction) -> int:
        total, at = 0, last
        while at >= 0:
            total += min(sum(label <= at for label in labels), others)
            at -= period
        return total

    ends = {label + wait * period for label in labels for wait in range(items * others + 1)}
    return delay + next(s for s in sorted(ends) if served(s) >= items * others)


def exchange_bound_by_definition(machine: LogP, needed: int) -> Fraction:
    """The largest of the bounds of proofs/logp-alltoall.md, every distance and send by itself.

    `needed` messages leave every processor.

    >>> exchange_bound_by_definition(LogP(6, 2, 4, 8), 7)
    Fraction(36, 1)
    """
    if not needed:
        return Fraction(0)
    overhead, gap, arrival = machine.o, machine.period, machine.L + machine.o
    simple = machine.delay + (needed - 1) * gap
    if not overhead or (needed - 1) * gap <= machine.L:
        return simple
    shifted = [overhead - abs(arrival - distance * gap) for distance in range(1, needed)]
    none = Fraction(0)
    busy = sum((min(overhead, max(arrival - i * gap, none)) for i in range(needed)), none)
    crowded = 2 * needed * overhead + 2 * (arrival - busy)
    return max(simple + min(gap, max(none, *shifted)), 2 * machine.delay, crowded)


def logp_bound(stated: LogPCertificate) -> Fraction:
    """The bound that a certificate has to state."""
    machine = stated.machine
    if isinstance(stated, LogPCycles):
        if stated.items:
            return broadcast_bound_by_definition(machine, stated.items)
        rest = LogP(machine.L, 0, 1, machine.P - 1)
        return machine.L + broadcast_bound_by_definition(rest, 1)
    if isinstance(stated, LogPBuffered):
        return Fraction(buffered_bound(stated))
    match stated.collective:
        case "broadcast":
            return broadcast_bound_by_definition(machine, stated.count)
        case "allreduce":
            return broadcast_bound_by_definition(machine, 1)
        case "summation":
            return Fraction(priced_bound(machine, Fraction(stated.time)))
    return exchange_bound_by_definition(machine, stated.count * (machine.P - 1))
