"""Overlays: every part of the message comes from the source, at a rate that all nodes can send.

The rules, and why they are enough, are those of `proofs/overlay-certificates.md`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from heapq import heapify, heappop, heapreplace
from itertools import accumulate, chain, compress, groupby, islice, repeat
from operator import eq, itemgetter, lt, mul
from typing import NamedTuple

from exactsched.certificate.budget import SHORT, bits_of, products, spend, sums
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
# Integers, and what divides them.
_Scaled = tuple[list[int], int]


class _Pieces(NamedTuple):
    """All pieces of all arcs, as columns: millions of rows take a third of the time in these."""

    senders: Sequence[int]
    receivers: Sequence[int]
    starts: Sequence[int]
    stops: Sequence[int]


class _Received(NamedTuple):
    """The first piece of each node, and where it stops; the last one, and where it starts.

    If the first piece is everything there is no last one, which then starts at the end.  Of the
    pieces between those the receivers, the starts, the stops, and which pieces they are.
    """

    first: list[int]
    begun: list[int]
    last: list[int]
    ended: list[int]
    between: list[tuple[int, int, int, int]]


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
        received = _received_once(machine.size, stated.parts, sent)
        _refuse_unless_from_the_source(stated, sent, received, heads, used)
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
) -> Sequence[int]:
    """The receivers, in the order of the senders, if all arcs are different and allowed."""
    arcs = partial(zip, senders, receivers, strict=True)
    if machine.arcs:
        _refuse_first_forbidden_arc(machine, arcs())
    if all(map(lt, arcs(), islice(arcs(), 1, None))):  # in order, as solvers leave them
        return receivers
    # Not a set: whoever writes the document can make the hashes of all pairs equal.
    ordered = sorted(arcs())
    if any(map(eq, ordered, islice(ordered, 1, None))):
        _refuse_first_forbidden_arc(machine, arcs())
    return column(ordered, 1)


def _refuse_first_forbidden_arc(machine: MultiPort, arcs: Iterable[tuple[int, int]]) -> None:
    allowed = set(machine.arcs)
    seen: set[tuple[int, int]] = set()
    for index, arc in enumerate(arcs):
        if allowed and arc not in allowed:
            raise Rejected(f"arcs[{index}]", list(arc), "the machine does not have this arc")
        if arc in seen:
            raise Rejected(f"arcs[{index}]", list(arc), "this arc is there already")
        seen.add(arc)


def _received_once(size: int, parts: int, sent: _Pieces) -> _Received:
    """Where pieces arrive, if every node but the source receives each part once."""
    # The source has everything before the first piece is sent.
    first, begun = [len(sent.starts)] * size, [parts, *[0] * (size - 1)]
    last, ended = first.copy(), [parts] * size
    between = []
    rows = zip(sent.receivers, sent.starts, sent.stops, strict=True)
    for index, (receiver, start, stop) in enumerate(rows):
        if not start:
            first[receiver], begun[receiver] = index, stop
        elif stop == parts:
            last[receiver], ended[receiver] = index, start
        else:
            between.append((receiver, start, stop, index))
    between.sort()
    reached = begun.copy()
    for receiver, start, stop, _ in between:
        if start != reached[receiver]:
            break
        reached[receiver] = stop
    else:
        # Then nobody is without a first piece, nor without a last one who needs it: if there are
        # no others, all have one of each.
        needed = size - 1 + len(between) + size - ended.count(parts)
        if reached == ended and len(sent.starts) == needed:
            return _Received(first, begun, last, ended, between)
    raise next(_faults(size, parts, sent))


def _faults(size: int, parts: int, sent: _Pieces) -> Iterator[Rejected]:
    """Parts that are received twice, or not at all, node by node."""
    pieces: list[list[tuple[int, int]]] = [[] for _ in range(size)]
    for receiver, start, stop in zip(sent.receivers, sent.starts, sent.stops, strict=True):
        pieces[receiver].append((start, stop))
    for node in range(1, size):
        end = 0
        for start, stop in sorted(pieces[node]):
            if start < end:
                rule = "these parts are received twice"
                yield Rejected(f"node {node}", [start, min(stop, end)], rule)
            if start > end:
                yield Rejected(f"node {node}", [end, start], "nobody sends these parts")
            end = stop
        if end < parts:
            yield Rejected(f"node {node}", [end, parts], "nobody sends these parts")


def _refuse_unless_from_the_source(
    stated: Overlay, pieces: _Pieces, received: _Received, heads: Sequence[int], used: Sequence[int]
) -> None:
    """Where the arcs have no cycle, each part can be followed back to the source."""
    size, structure = stated.machine.size, stated.structure
    if structure == "tree" and len(stated.arcs) >= size:
        rule = "in a tree every node receives from one other"
        raise Rejected("arcs", len(stated.arcs), rule)
    # Where everybody receives from one other, the arcs have no cycle if everything arrives.
    is_enough = structure == "any" or len(stated.arcs) < size
    if is_enough and _all_arrive(pieces, received, heads, used):
        return
    early = _without_cycles(heads, used)
    if len(early) == size:
        return
    inside = set(range(size)).difference(early)
    inside.difference_update(_without_cycles_below(inside, heads, used))
    if structure == "acyclic":
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


def _all_arrive(
    pieces: _Pieces, received: _Received, heads: Sequence[int], used: Sequence[int]
) -> bool:
    """Whether all pieces are sent if each is as soon as its sender has all of its parts.

    Then all parts come from the source, as in usual overlays.  Also False where it would take long
    to say.
    """
    senders, receivers, starts, stops = pieces
    (first, begun, last, ended), between = map(list, received[:4]), received.between
    count = len(senders)
    # Where many pieces are neither first nor last many would wait, but not for a cycle.
    if len(between) > count >> 5:
        for node in _without_cycles(heads, used):
            first[node], begun[node] = count, begun[0]
    # The first or the last piece of its sender, if that has all parts of it, otherwise itself.
    rows = zip(range(count), senders, starts, stops, strict=True)
    above = [
        first[node] if stop <= begun[node] else last[node] if start >= ended[node] else index
        for index, node, start, stop in rows
    ]
    above.append(count)
    waiting = _ends_of_ways(above)
    if waiting is None:
        return False
    waiting.sort(key=senders.__getitem__)
    counts = [0] * len(used)
    for index in waiting:
        counts[senders[index]] += 1
    nodes = list(compress(range(len(used)), counts))
    come = [index for node in nodes for index in (first[node], last[node]) if index < count]
    come += [index for node, _, _, index in between if counts[node]]
    # More than the other way to find out takes, in about as many steps.
    if sum([counts[receivers[index]] for index in come]) > count * count.bit_length():
        return False
    arrive_with: dict[int, list[int]] = {}
    for index in come:
        piece = index
        while above[piece] != piece:  # ways are shortened, so that they stay short
            above[piece] = piece = above[above[piece]]
        arrive_with.setdefault(piece, []).append(index)
    ends = [0, *accumulate(counts)]
    missing: dict[int, int] = {}
    arrived = [count]
    for piece in arrived:  # grows while it is read
        for index in arrive_with.get(piece, ()):
            node, start, stop = receivers[index], starts[index], stops[index]
            for other in waiting[ends[node] : ends[node + 1]]:
                # No part comes twice: those that are counted here are still missing.
                common = min(stop, stops[other]) - max(start, starts[other])
                if common > 0:
                    missing[other] = missing.get(other, stops[other] - starts[other]) - common
                    if not missing[other]:
                        arrived.append(other)
    return len(arrived) == len(waiting) + 1


def _ends_of_ways(above: Sequence[int]) -> list[int] | None:
    """All that have nothing but themselves above them, without the last; None if ways go round."""
    passed = [-1] * len(above)  # from where one came here first
    passed[-1] = len(above)
    found = []
    for start in range(len(above) - 1):
        index = start
        while passed[index] < 0:
            passed[index] = start
            index = above[index]
        if passed[index] == start:
            if above[index] != index:
                return None
            found.append(index)
    return found


def _without_cycles_below(
    nodes: Iterable[int], heads: Sequence[int], used: Sequence[int]
) -> list[int]:
    """The nodes among these that are removed if one after the other is which no arc leaves."""
    ends = [0, *accumulate(used)]
    upwards = sorted(
        [(head, tail) for tail in nodes for head in heads[ends[tail] : ends[tail + 1]]]
    )
    leaving = [0] * len(used)
    for head, _ in upwards:
        leaving[head] += 1
    return _without_cycles(column(upwards, 1), leaving)


def _without_cycles(heads: Sequence[int], leaving: Sequence[int]) -> list[int]:
    """The nodes that are removed if one after the other is which no arc enters.

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
    return removed


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
    longest = max(rate, max(limits), max(receiving[0], default=0)).bit_length()
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


def _is_bound(stated: Overlay, degrees: Sequence[int], sending: _Scaled, most: Fraction) -> bool:
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
