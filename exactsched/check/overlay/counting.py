"""Bounds on overlays by counting: what the nodes can send at a rate, within their degrees.

Why they hold is said in `proofs/overlay-certificates.md`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from heapq import heapify, heappop, heapreplace
from itertools import repeat
from operator import itemgetter, mul

from exactsched.certificate.budget import SHORT, bits_of, products, spend, sums
from exactsched.certificate.overlay import Overlay
from exactsched.check.common_denominator import quotient
from exactsched.exact.rational import Rational

Scaled = tuple[list[int], int]
"""Integers, and what divides them."""


def bound_by_counting(stated: Overlay, sending: Scaled, receiving: Scaled) -> Rational:
    """What no overlay of the structure that keeps to the degrees exceeds."""
    machine, (bandwidths, unit) = stated.machine, sending
    degrees = list(machine.degrees)
    if machine.arcs:
        allowed = [0] * machine.size
        for sender, _ in machine.arcs:
            allowed[sender] += 1
        degrees = [min(pair) for pair in zip(degrees, allowed, strict=True)]
    if not degrees[0]:
        return 0
    most = machine.bandwidths[0]
    if machine.incoming:
        most = min(most, Fraction(min(receiving[0][1:]), receiving[1]))
    if _is_bound(stated, degrees, sending, most):
        return stated.bound
    senders = list(zip(bandwidths, degrees, strict=True))
    needed = machine.size - 1
    match stated.structure:
        case "tree":
            root = _largest_share(senders, needed)
        case "acyclic":
            others = senders[1:]
            # Whoever sends the least at some rate has the least bandwidth or the least degree.
            silent = {min(others), min(others, key=itemgetter(1, 0))}
            root = max(
                _largest_root([senders[0], *_without(others, sender)], needed) for sender in silent
            )
        case _:
            root = _largest_root(senders, needed)
    spend(products(bits_of(root), unit.bit_length()), "machine")
    least = min(root / unit, most)
    return quotient(least.numerator, least.denominator)


def _is_bound(stated: Overlay, degrees: Sequence[int], sending: Scaled, most: Fraction) -> bool:
    """Whether nodes can send enough for the stated bound, and for nothing between it and `most`.

    Also False where numbers are long.  To ask this takes a third of the time of finding the bound.
    """
    (bandwidths, unit), rate, needed = sending, stated.bound, len(degrees) - 1
    longest = max(bits_of(rate, unit), max(bandwidths).bit_length(), max(degrees).bit_length())
    if longest > SHORT or not 0 < rate <= most:
        return False
    over, under = rate.numerator * unit, rate.denominator
    if stated.structure == "tree":
        senders = list(zip(map(mul, bandwidths, repeat(under)), degrees, strict=True))
        enough = sum([d if over * d <= b else b // over for b, d in senders])
        for_more = sum([d if over * d < b else (b - 1) // over for b, d in senders if b])
        return enough >= needed and (rate == most or for_more < needed)
    # Those that could send more at a higher rate.
    rising = [(b, d) for b, d in zip(bandwidths, degrees, strict=True) if over * d < b * under]
    slope = sum([d for _, d in rising])
    sent = (sum(bandwidths) - sum([b for b, _ in rising])) * under + over * slope
    if stated.structure == "acyclic":
        least = min(bandwidths[1:]) * under, over * min(degrees[1:])
        sent -= min(least)
        slope -= min(degrees[1:]) if least[0] > least[1] else 0
    needs = over * needed
    return sent >= needs and (rate == most or (sent == needs and slope < needed))


def _without(senders: Sequence[tuple[int, int]], one: tuple[int, int]) -> list[tuple[int, int]]:
    position = senders.index(one)
    return [*senders[:position], *senders[position + 1 :]]


def _largest_root(senders: Sequence[tuple[int, int]], needed: int) -> Fraction:
    """The largest T for which the sum of min(b, T d) over the senders (b, d) is T times `needed`.

    The least B / (needed - D) over all sets of senders, B the bandwidths of the set and D the
    degrees of the others; senders with small b / d come first in the best.
    """
    longest = max([bandwidth.bit_length() + degree.bit_length() for bandwidth, degree in senders])
    spend(3 * len(senders) * products(longest, longest), "machine")
    # Outside of the best set b / d is above T, and both have denominators of at most `needed`: by
    # 1 / needed^2 at least, so rounded quotients are a good enough order.
    fine = needed * needed
    ordered = [sender for sender in senders if sender[1]]
    over, under = sum([bandwidth for bandwidth, _ in ordered]), needed
    sent, multiple = 0, needed - sum([degree for _, degree in ordered])
    ordered.sort(key=lambda sender: sender[0] * fine // sender[1])
    for bandwidth, degree in ordered:
        # Never if the multiple is not positive: then it is no bound.
        if sent * under < over * multiple:
            over, under = sent, multiple
        sent += bandwidth
        multiple += degree
    return Fraction(over, under)


def _largest_share(senders: Sequence[tuple[int, int]], needed: int) -> Fraction:
    """The `needed`-th largest of all b / 1, b / 2, ..., b / d for the senders (b, d), or 0.

    Two different shares differ by 1 / needed^2 at least: rounded multiples keep the order.
    """
    fine = needed * needed
    longest = max([bandwidth.bit_length() for bandwidth, _ in senders])
    spend(needed * needed.bit_length() * sums(longest), "machine")
    heap = [
        (-(bandwidth * fine), index, 1)
        for index, (bandwidth, degree) in enumerate(senders)
        if degree
    ]
    heapify(heap)
    for _ in range(needed - 1):
        if not heap:
            return Fraction(0)
        _, index, count = heap[0]
        bandwidth, degree = senders[index]
        if count < degree:
            count += 1
            heapreplace(heap, (-(bandwidth * fine // count), index, count))
        else:
            heappop(heap)
    return Fraction(senders[heap[0][1]][0], heap[0][2]) if heap else Fraction(0)
