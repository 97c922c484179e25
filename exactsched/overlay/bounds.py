"""Upper bounds for overlays within the degrees of a machine, by counting what nodes can send.

A node that sends to d others, to each at most at the throughput T, sends at most
min(b, T d); n nodes receive n T.  Equation (5) of Beaumont, Eyraud-Dubois and Agrawal (2010).
Proofs, and what is wrong as printed: proofs/overlay-bounds.md.
"""

from __future__ import annotations

from fractions import Fraction
from heapq import heapify, heappop, heapreplace
from math import lcm

from exactsched.exact.arguments import over_common_denominator
from exactsched.model.machine import MultiPort


def throughput_bound(machine: MultiPort) -> Fraction:
    """min(b_0, the least incoming bandwidth, T*): no overlay within the degrees is faster.

    T* is the largest root of sum_i min(b_i, T d_i) = n T, and 0 if the source may send to nobody.
    Where arcs are given, d_i is at most the number of arcs on which i may send.  Rates are in the
    unit of the bandwidths.

    Complexity: O(n log n) operations on integers over the common denominator of the bandwidths.
    Reference: Beaumont, Eyraud-Dubois and Agrawal 2010, (5); proofs/overlay-bounds.md, theorem 1.

    >>> throughput_bound(MultiPort([3, "3/2", 1, "1/2"], [3, 2, 1, 1]))
    Fraction(2, 1)
    """
    return _throughput_bound(machine, *over_common_denominator(machine.bandwidths))


def _throughput_bound(machine: MultiPort, bandwidths: list[int], denominator: int) -> Fraction:
    pairs = list(zip(bandwidths, allowed_degrees(machine), strict=True))
    return min(_largest_root(pairs, machine.size - 1) / denominator, _cap(machine))


def acyclic_bound(machine: MultiPort) -> Fraction:
    """No acyclic overlay within the degrees is faster: somebody, at best the least, sends nothing.

    It is min(b_0, the least incoming bandwidth, the largest T with
    sum_i min(b_i, T d_i) - min_{i > 0} min(b_i, T d_i) >= n T), and 0 if the source may send to
    nobody.  Who is the least depends on T.  Degrees, complexity and reference as for
    `throughput_bound`; proofs/overlay-bounds.md, theorem 2.

    >>> acyclic_bound(MultiPort([2, 1, 1], [2, 1, 1]))
    Fraction(3, 2)
    """
    bandwidths, denominator = over_common_denominator(machine.bandwidths)
    degrees = allowed_degrees(machine)
    pairs = list(zip(bandwidths, degrees, strict=True))
    # The least of all min(b_i, T d_i) is min(least b, T least d): one more node, which takes away.
    pairs.append((-min(bandwidths[1:]), -min(degrees[1:])))
    return min(_largest_root(pairs, machine.size - 1) / denominator, _cap(machine))


def tree_bound(machine: MultiPort) -> Fraction:
    """No tree within the degrees is faster: the largest T for which nodes have n children.

    Node i can have min(d_i, floor(b_i / T)) children, the source at least one; nobody receives
    more than its incoming bandwidth.  Where arcs are given, d_i is at most the number of arcs on
    which i may send; where they are not, `best_tree` reaches this bound.

    Complexity: O(n log n) operations on integers over the common denominator of the bandwidths.
    Reference: Beaumont, Eyraud-Dubois and Agrawal 2010, V-A; proofs/overlay-bounds.md, theorem 3.

    >>> tree_bound(MultiPort([2, 1, 1], [2, 1, 1]))
    Fraction(1, 1)
    """
    bandwidths, denominator = over_common_denominator(machine.bandwidths)
    count = machine.size - 1
    # The n-th largest b_i / j with j <= d_i.  Two of them differ by 1/n^2 or not at all, because no
    # j above n is needed; so n^2 times them, rounded down, are in the same order.
    scale = count * count
    heap = [
        (-bandwidth * scale, bandwidth, 1, degree)
        for bandwidth, degree in zip(bandwidths, allowed_degrees(machine), strict=True)
        if degree
    ]
    heapify(heap)
    rate = Fraction(0)
    for found in range(1, count + 1):
        if not heap:
            return Fraction(0)
        _, bandwidth, child, degree = heap[0]
        if found == count:
            rate = Fraction(bandwidth, child * denominator)
        if child < degree:
            child += 1
            heapreplace(heap, (-(bandwidth * scale // child), bandwidth, child, degree))
        else:
            heappop(heap)
    return min(rate, _cap(machine))


def allowed_degrees(machine: MultiPort) -> list[int]:
    """To how many others a node may send at once, by degree and by the arcs there are.

    >>> allowed_degrees(MultiPort([2, 1, 1], [2, 1, 1], arcs=[(0, 1), (1, 2)]))
    [1, 1, 0]
    """
    if not machine.arcs:
        return list(machine.degrees)
    sending = [0] * machine.size
    for sender, _ in machine.arcs:
        sending[sender] += 1
    return [min(pair) for pair in zip(machine.degrees, sending, strict=True)]


def sending_limits(machine: MultiPort, rate: Fraction) -> tuple[list[int], int]:
    """X_i = min(b_i, T d_i) for all nodes, and T = `rate`, as integers over a common denominator.

    >>> sending_limits(MultiPort([3, "3/2", 1], [3, 2, 1]), Fraction(1, 3))
    ([6, 4, 2], 2)
    """
    return _sending_limits(machine, rate, *over_common_denominator(machine.bandwidths))


def fastest(machine: MultiPort) -> tuple[Fraction, list[int], int]:
    """T = `throughput_bound`, and `sending_limits` for it: X_i and T as integers.

    >>> fastest(MultiPort([2, 1, 1], [2, 1, 1]))
    (Fraction(2, 1), [2, 1, 1], 2)
    """
    scaled = over_common_denominator(machine.bandwidths)
    rate = _throughput_bound(machine, *scaled)
    return rate, *_sending_limits(machine, rate, *scaled)


def _sending_limits(
    machine: MultiPort, rate: Fraction, bandwidths: list[int], denominator: int
) -> tuple[list[int], int]:
    common = lcm(denominator, rate.denominator)
    scale, whole = common // denominator, rate.numerator * (common // rate.denominator)
    pairs = zip(bandwidths, machine.degrees, strict=True)
    return [min(bandwidth * scale, whole * degree) for bandwidth, degree in pairs], whole


def _cap(machine: MultiPort) -> Fraction:
    """All has to leave the source, and to enter each of the others."""
    if allowed_degrees(machine)[0] == 0:
        return Fraction(0)
    return min((machine.bandwidths[0], *machine.incoming[1:]))


def _largest_root(pairs: list[tuple[int, int]], count: int) -> Fraction:
    """The largest T >= 0 with sum min(b, T d) >= n T over the pairs (b, d), n = `count`.

    At most one pair, the last, is negative and stands for -min(-b, -T d); then no -b and no -d is
    larger than those of some other pair.  The T with this property are an interval from 0, so the
    breakpoints b / d are taken from the largest down to the first that has it.
    """
    pairs = [(bandwidth, degree) for bandwidth, degree in pairs if degree]
    largest = max([abs(degree) for _, degree in pairs], default=0)
    # Breakpoints differ by 1/largest^2 or not at all: their order as integers, not as fractions.
    scale = largest * largest
    pairs.sort(key=lambda pair: pair[0] * scale // pair[1], reverse=True)
    sent, falling = sum([bandwidth for bandwidth, _ in pairs]), count
    for bandwidth, degree in pairs:
        # At T = b / d: sent is what nodes with smaller breakpoints send, which need no more.
        if sent * abs(degree) >= falling * abs(bandwidth):
            return Fraction(sent, falling)
        sent -= bandwidth
        falling -= degree
    return Fraction(0)
