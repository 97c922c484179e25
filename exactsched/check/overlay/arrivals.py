"""What every node of an overlay receives: each part once, and all of them from the source."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, compress, groupby
from typing import NamedTuple

from exactsched.certificate.overlay import Overlay
from exactsched.certificate.rules import column
from exactsched.exact.errors import Rejected

# (start, stop, sender, receiver, receiver as it is called in the certificate)
_Sent = tuple[int, int, int, int, int]


class Pieces(NamedTuple):
    """All pieces of all arcs, as columns: millions of rows take a third of the time in these."""

    senders: Sequence[int]
    receivers: Sequence[int]
    starts: Sequence[int]
    stops: Sequence[int]


class Received(NamedTuple):
    """The first piece of each node, and where it stops; the last one, and where it starts.

    If the first piece is everything there is no last one, which then starts at the end.  Of the
    pieces between those the receivers, the starts, the stops, and which pieces they are.
    """

    first: list[int]
    begun: list[int]
    last: list[int]
    ended: list[int]
    between: list[tuple[int, int, int, int]]


def received_once(size: int, parts: int, sent: Pieces) -> Received:
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
            return Received(first, begun, last, ended, between)
    raise next(_faults(size, parts, sent))


def _faults(size: int, parts: int, sent: Pieces) -> Iterator[Rejected]:
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


def refuse_unless_from_the_source(
    stated: Overlay, pieces: Pieces, received: Received, heads: Sequence[int], used: Sequence[int]
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
    pieces: Pieces, received: Received, heads: Sequence[int], used: Sequence[int]
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
