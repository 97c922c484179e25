"""Overlays: every part of the message comes from the source, at a rate that all nodes can send.

The rules, and why they are enough, are those of `proofs/overlay-certificates.md`.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Container, Iterable, Sequence
from fractions import Fraction
from heapq import heapify, heappop, heapreplace
from itertools import accumulate, chain, compress, groupby, islice, repeat
from operator import add, eq, floordiv, itemgetter, mul, sub
from typing import Final, NamedTuple

from exactsched.certificate.budget import bits_of, products, spend, sums
from exactsched.certificate.overlay import Overlay, OverlayArc
from exactsched.certificate.rules import column, rows_in
from exactsched.check.common_denominator import over_common_denominator, quotient
from exactsched.check.overlay.case_proof import bound_of
from exactsched.check.proved import ProvedOverlay, shown
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import Rational
from exactsched.model.machine import MultiPort

# (start, stop, sender, receiver, receiver as it is called in the certificate)
_Sent = tuple[int, int, int, int, int]
# What shorter numbers cost is not counted.
_SHORT: Final = 1 << 10
# Integers, and what divides them.
_Scaled = tuple[list[int], int]


class _Pieces(NamedTuple):
    """All pieces of all arcs, as columns: millions of rows take a third of the time in these."""

    senders: Sequence[int]
    receivers: Sequence[int]
    starts: Sequence[int]
    stops: Sequence[int]


def overlay(stated: Overlay) -> ProvedOverlay:
    """The rate of an overlay, and the bound on those of its structure.  Raises `Rejected`.

    O(p log n) steps for p pieces if the arcs have no cycle, O(p log^2 p) otherwise, and
    O(n log n) for a bound by counting.

    >>> whole = ((0, 1),)
    >>> line = Overlay(MultiPort([2, 1, 0], [1, 1, 0]), "any", 1, ((0, 1, whole), (1, 2, whole)),
    ...     1, 1, (), True)
    >>> print(overlay(line))
    overlay to 2 nodes at rate 1 proved optimal (2 arcs, degrees kept)
    """
    machine = stated.machine
    senders, receivers, sent = _columns(stated.arcs)
    used = [0] * machine.size
    for sender in senders:
        used[sender] += 1
    heads = _refuse_forbidden_arcs(machine, senders, receivers)
    if stated.throughput:
        _refuse_unless_each_part_is_received_once(machine.size, stated.parts, sent)
        _refuse_unless_from_the_source(stated, sent, heads, used)
    elif stated.arcs:
        raise Rejected("arcs", len(stated.arcs), "a throughput of 0 needs no arcs")
    sending = over_common_denominator(machine.bandwidths, "machine.bandwidths")
    receiving = over_common_denominator(machine.incoming, "machine.incoming")
    if stated.throughput:
        _refuse_haste(stated, sent, sending, receiving)
    if stated.proof:
        bound = bound_of(machine, stated.proof[0])
    else:
        bound = _bound_by_counting(stated, sending, receiving)
    if stated.bound != bound:
        raise Rejected("bound", shown(stated.bound), f"what is proved is {shown(bound)}")
    above = [
        count - degree
        for count, degree in zip(used, machine.degrees, strict=True)
        if count > degree
    ]
    if stated.optimal != (not above and stated.throughput == bound):
        rule = "optimal means that degrees are kept and the bound is reached, and nothing else"
        raise Rejected("optimal", stated.optimal, rule)
    return ProvedOverlay(
        kind="overlay",
        machine=machine,
        structure=stated.structure,
        throughput=stated.throughput,
        bound=Fraction(bound),
        optimal=stated.optimal,
        excess=max(above, default=0),
        above=len(above),
        arcs=len(stated.arcs),
    )


def _columns(arcs: Sequence[OverlayArc]) -> tuple[Sequence[int], Sequence[int], _Pieces]:
    """The senders and receivers of the arcs, and all pieces."""
    senders, receivers, listed = [column(arcs, position) for position in range(3)]
    pieces = rows_in(listed)
    starts, stops = column(pieces, 0), column(pieces, 1)
    if len(pieces) == len(arcs):  # one on every arc
        return senders, receivers, _Pieces(senders, receivers, starts, stops)
    counts = list(map(len, listed))
    tails, heads = [
        list(chain.from_iterable(map(repeat, ends, counts))) for ends in (senders, receivers)
    ]
    return senders, receivers, _Pieces(tails, heads, starts, stops)


def _refuse_forbidden_arcs(
    machine: MultiPort, senders: Sequence[int], receivers: Sequence[int]
) -> array[int]:
    """The receivers, in the order of the senders, if all arcs are different and allowed."""
    size = machine.size
    numbers = list(map(add, map(mul, senders, repeat(size)), receivers))
    # Not a set: whoever writes the document can make the hashes of all numbers equal.
    ordered = sorted(numbers)
    if machine.arcs or any(map(eq, ordered, islice(ordered, 1, None))):
        _refuse_first_forbidden_arc(machine, senders, receivers)
    # In an array: removed one by one below, nodes are far from each other.
    return array("q", receivers if ordered == numbers else [number % size for number in ordered])


def _refuse_first_forbidden_arc(
    machine: MultiPort, senders: Sequence[int], receivers: Sequence[int]
) -> None:
    allowed = set(machine.arcs)
    seen: set[tuple[int, int]] = set()
    for index, arc in enumerate(zip(senders, receivers, strict=True)):
        if allowed and arc not in allowed:
            raise Rejected(f"arcs[{index}]", list(arc), "the machine does not have this arc")
        if arc in seen:
            raise Rejected(f"arcs[{index}]", list(arc), "this arc is there already")
        seen.add(arc)


def _refuse_unless_each_part_is_received_once(size: int, parts: int, sent: _Pieces) -> None:
    _, *columns = sent
    ends = [0] * size
    # Forwards, and backwards, which is half of the time of sorting all that are left at first.
    waiting = _without_next(zip(*columns, strict=True), ends)
    waiting = _without_next(reversed(waiting), ends)
    waiting.sort()
    for receiver, start, stop in waiting:
        if start != ends[receiver]:
            break
        ends[receiver] = stop
    else:
        if ends.count(parts) == size - 1:
            return
    received: list[list[tuple[int, int]]] = [[] for _ in range(size)]
    for receiver, start, stop in zip(*columns, strict=True):
        received[receiver].append((start, stop))
    for node in range(1, size):
        end = 0
        for start, stop in sorted(received[node]):
            if start < end:
                rule = "these parts are received twice"
                raise Rejected(f"node {node}", [start, min(stop, end)], rule)
            if start > end:
                raise Rejected(f"node {node}", [end, start], "nobody sends these parts")
            end = stop
        if end < parts:
            raise Rejected(f"node {node}", [end, parts], "nobody sends these parts")


def _without_next(
    rows: Iterable[tuple[int, int, int]], ends: list[int]
) -> list[tuple[int, int, int]]:
    """Moves ends to the stops of pieces that start there; the rows of the others."""
    waiting = []
    for receiver, start, stop in rows:
        if start == ends[receiver]:
            ends[receiver] = stop
        else:
            waiting.append((receiver, start, stop))
    return waiting


def _refuse_unless_from_the_source(
    stated: Overlay, pieces: _Pieces, heads: Sequence[int], used: Sequence[int]
) -> None:
    """Where the arcs have no cycle, each part can be followed back to the source."""
    if stated.structure == "tree" and len(stated.arcs) >= stated.machine.size:
        rule = "in a tree every node receives from one other"
        raise Rejected("arcs", len(stated.arcs), rule)
    size, is_acyclic = stated.machine.size, stated.structure == "acyclic"
    inside = _without_beginnings(heads, used)
    if not inside or (not is_acyclic and _all_arrive(pieces, inside, size)):
        return
    inside &= _without_ends(inside, heads, used)
    if is_acyclic:
        rule = "no node sends to one from which it gets anything, directly or not"
        raise Rejected("arcs", sorted(inside)[:8], rule)
    sent = [
        (start, stop, sender, receiver)
        for sender, receiver, start, stop in compress(
            zip(*pieces, strict=True), map(inside.__contains__, pieces.senders)
        )
        if receiver in inside
    ]
    # Not a dictionary: whoever writes the document can make the hashes of all numbers equal.
    ends = [end for end, _ in groupby(sorted([end for piece in sent for end in piece[:2]]))]
    numbered = [
        (bisect_left(ends, start), bisect_left(ends, stop), sender, receiver, receiver)
        for start, stop, sender, receiver in sent
    ]
    _refuse_circles(numbered, 0, len(ends) - 1, ends)


def _all_arrive(pieces: _Pieces, late: Container[int], size: int) -> bool:
    """Whether all pieces are sent if each is as soon as its sender has all of its parts.

    Then all parts come from the source, as in usual overlays.  At the beginning all nodes but the
    late ones have everything.  Also False where it would take long to say.
    """
    sent = [row for row in zip(*pieces, strict=True) if row[1] in late]
    sent.sort(key=itemgetter(0))
    counts = [0] * size
    for row in sent:
        counts[row[0]] += 1
    # More than the other way to find out takes, in about as many steps.
    if sum([counts[row[1]] for row in sent]) > len(sent) * len(sent).bit_length():
        return False
    ends = [0, *accumulate(counts)]
    missing: dict[int, int] = {}
    arrived = [row for row in sent if row[0] not in late]
    for _, node, start, stop in arrived:  # grows while it is read
        for index in range(ends[node], ends[node + 1]):
            _, _, first, last = row = sent[index]
            if start <= first and last <= stop:
                arrived.append(row)
            elif first < stop and start < last:
                # No part comes twice: those that are counted here are still missing.
                common = min(stop, last) - max(start, first)
                missing[index] = missing.get(index, last - first) - common
                if not missing[index]:
                    arrived.append(row)
    return len(arrived) == len(sent)


def _without_ends(nodes: Iterable[int], heads: Sequence[int], used: Sequence[int]) -> set[int]:
    """The nodes that are left of these if one after the other is removed which no arc leaves."""
    ends = [0, *accumulate(used)]
    upwards = sorted(
        [(head, tail) for tail in nodes for head in heads[ends[tail] : ends[tail + 1]]]
    )
    leaving = [0] * len(used)
    for head, _ in upwards:
        leaving[head] += 1
    return _without_beginnings(column(upwards, 1), leaving)


def _without_beginnings(heads: Sequence[int], leaving: Sequence[int]) -> set[int]:
    """The nodes that are left if one after the other is removed which no arc enters.

    The first `leaving[0]` heads are those of the arcs of node 0, then follow those of node 1.
    """
    size = len(leaving)
    entering = [0] * size
    for head in heads:
        entering[head] += 1
    ends = [0, *accumulate(leaving)]
    removed = [node for node in range(size) if not entering[node]]
    for node in removed:  # grows while it is read
        for head in heads[ends[node] : ends[node + 1]]:
            entering[head] = left = entering[head] - 1
            if not left:
                removed.append(head)
    return set(compress(range(size), entering))


def _refuse_circles(sent: Sequence[_Sent], first: int, last: int, ends: Sequence[int]) -> None:
    """For each part in [first, last), what is sent of it makes no circle; all rows are about some.

    A node gets a part from one other at most, so without directions there is no circle either, and
    nodes can be merged along what is sent of all these parts.  Then the range is cut into halves:
    what is sent of a part of the range is handed down along its two ends at most.
    """
    merged: dict[int, int] = {}
    partly = []
    for row in sent:
        start, stop, sender, receiver, node = row
        if start <= first and last <= stop:
            # Most nodes stand for themselves: looked up here, that takes a third of a call.
            one = _merged_into(merged, sender) if sender in merged else sender
            other = _merged_into(merged, receiver) if receiver in merged else receiver
            if one == other:
                rule = "these parts go round in a circle and do not come from the source"
                raise Rejected(f"node {node}", [ends[first], ends[last]], rule)
            merged[one] = other
        else:
            partly.append(row)
    if partly:
        partly = [
            (
                start,
                stop,
                _merged_into(merged, sender) if sender in merged else sender,
                _merged_into(merged, receiver) if receiver in merged else receiver,
                node,
            )
            for start, stop, sender, receiver, node in partly
        ]
        middle = (first + last) // 2
        before = [row for row in partly if row[0] < middle]
        _refuse_circles(before, first, middle, ends)
        after = [row for row in partly if row[1] > middle]
        _refuse_circles(after, middle, last, ends)


def _merged_into(merged: dict[int, int], node: int) -> int:
    """The node that stands for this one; ways are shortened, so that they stay short."""
    while (above := merged.get(node, node)) != node:
        merged[node] = node = merged.get(above, above)
    return node


def _refuse_haste(stated: Overlay, pieces: _Pieces, sending: _Scaled, receiving: _Scaled) -> None:
    machine, throughput, (limits, unit) = stated.machine, stated.throughput, sending
    rate, parts = throughput.numerator * unit, throughput.denominator * stated.parts
    sent = [0] * machine.size
    for sender, start, stop in zip(pieces.senders, pieces.starts, pieces.stops, strict=True):
        sent[sender] += stop - start
    longest = max(map(int.bit_length, (rate, *limits, *receiving[0])))
    spend(2 * machine.size * products(longest, max(rate, parts).bit_length()), "machine")
    for node in range(machine.size):
        if rate * sent[node] > limits[node] * parts:
            rate_of_node = shown(Fraction(rate * sent[node], parts * unit))
            rule = f"it sends at most at the rate {shown(machine.bandwidths[node])}"
            raise Rejected(f"node {node}", rate_of_node, rule)
    rate, parts = throughput.numerator * receiving[1], throughput.denominator
    for node, limit in enumerate(receiving[0]):
        if node and rate > limit * parts:
            rule = f"it receives at most at the rate {shown(machine.incoming[node])}"
            raise Rejected(f"node {node}", shown(stated.throughput), rule)


def _bound_by_counting(stated: Overlay, sending: _Scaled, receiving: _Scaled) -> Rational:
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
    senders = list(zip(bandwidths, degrees, strict=True))
    needed = machine.size - 1
    match stated.structure:
        case "tree":
            spend(products(bits_of(stated.bound), unit.bit_length()), "machine")
            most = _largest_shares(senders, needed, Fraction(stated.bound * unit))
        case "acyclic":
            others = senders[1:]
            # Whoever sends the least at some rate has the least bandwidth or the least degree.
            silent = {min(others), min(others, key=itemgetter(1, 0))}
            most = max(
                _largest_root([senders[0], *_without(others, sender)], needed) for sender in silent
            )
        case _:
            most = _largest_root(senders, needed)
    spend(products(bits_of(most), unit.bit_length()), "machine")
    least = min(most / unit, machine.bandwidths[0])
    if machine.incoming:
        least = min(least, Fraction(min(receiving[0][1:]), receiving[1]))
    return quotient(least.numerator, least.denominator)


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


def _largest_shares(senders: Sequence[tuple[int, int]], needed: int, guess: Fraction) -> Fraction:
    """The `needed`-th largest of all b / 1, b / 2, ..., b / d for the senders (b, d), or 0.

    Two different shares differ by 1 / needed^2 at least: rounded multiples keep the order.
    """
    fine = needed * needed
    longest = max([bandwidth.bit_length() for bandwidth, _ in senders])
    spend(needed * needed.bit_length() * sums(longest), "machine")
    if _is_largest_share(senders, needed, guess):
        return guess
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


def _is_largest_share(senders: Sequence[tuple[int, int]], needed: int, guess: Fraction) -> bool:
    """Whether fewer than `needed` shares are larger than the guess, and as many are not smaller.

    To ask this of the stated bound takes a third of the time of finding the share.
    """
    over, under = guess.as_integer_ratio()
    longest = max([over, under, *column(senders, 0)]).bit_length()
    if guess <= 0 or longest > _SHORT:
        return False
    sending = [sender for sender in senders if sender[0]]
    degrees = column(sending, 1)
    multiples = list(map(mul, column(sending, 0), repeat(under)))
    not_smaller = sum(map(min, degrees, map(floordiv, multiples, repeat(over))))
    below = map(sub, multiples, repeat(1))
    larger = sum(map(min, degrees, map(floordiv, below, repeat(over))))
    return bool(larger < needed <= not_smaller)
