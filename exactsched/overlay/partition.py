"""3-PARTITION as a question about overlays: why the best within the degrees is hard to find.

The reduction of Beaumont, Eyraud-Dubois and Agrawal (2010), theorem 3.6, both directions of it
(`proofs/overlay-partition.md`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import gcd

from exactsched.certificate.overlay import Overlay, OverlayArc, Piece
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import text
from exactsched.model.machine import MultiPort

# Indices of three of the numbers.
Triple = tuple[int, int, int]


def partition_machine(numbers: Iterable[int]) -> MultiPort:
    """A machine with an overlay of throughput T if and only if the numbers split into triples of T.

    There are 3p numbers, p >= 1, all larger than T/4 and smaller than T/2, where T is their sum
    divided by p.  The machine has 4p + 1 nodes: *servers* 0..p-1 of bandwidth 2T and degree 4; for
    each number a *relay* p + k of bandwidth T - numbers[k] and degree 1; and a node that sends
    nothing.  T is also the counting bound of the machine.

    Raises `InvalidInput` unless the numbers are as said.  Reference: Beaumont, Eyraud-Dubois and
    Agrawal (2010), lemmas 3.4 and 3.5; 3-PARTITION is problem SP15 of Garey and Johnson (1979).

    >>> machine = partition_machine([6, 7, 7])
    >>> [str(bandwidth) for bandwidth in machine.bandwidths], machine.degrees
    (['40', '14', '13', '13', '0'], (4, 1, 1, 1, 0))
    """
    listed, target = _checked(numbers)
    count = len(listed) // 3
    return MultiPort(
        [2 * target] * count + [target - number for number in listed] + [0],
        [4] * count + [1] * len(listed) + [0],
    )


def overlay_of_partition(numbers: Iterable[int], groups: Iterable[Iterable[int]]) -> Overlay:
    """The overlay of a grouping into triples: throughput T - (s - T) / 4, s the largest sum.

    So it has the throughput T, and is optimal, if all triples have the sum T (lemma 3.4); it is
    acyclic and within the degrees for all groupings.  `groups` are p triples of indices of
    `numbers`, one for each server.  The nodes are a chain in which servers send everything and
    relays what they can; server i sends what is missing to the three nodes after the relays of
    its group.

    Raises `InvalidInput` if the numbers are not those of `partition_machine`, or if the groups are
    not p triples with every index once.  Takes O(p) operations.

    >>> overlay = overlay_of_partition([6, 7, 7], [(0, 1, 2)])
    >>> overlay.throughput, overlay.parts, overlay.optimal
    (Fraction(20, 1), 20, True)
    >>> for sender, receiver, ((start, stop),) in overlay.arcs:
    ...     print(sender, receiver, start, stop)
    0 1 0 20
    0 2 14 20
    0 3 13 20
    0 4 13 20
    1 2 0 14
    2 3 0 13
    3 4 0 13
    """
    listed, target = _checked(numbers)
    triples = _checked_groups(groups, len(listed))
    count = len(triples)
    largest = max(sum(listed[index] for index in triple) for triple in triples)
    # In quarters: a server sends T' to its successor and a - (T - T') for each a of its group, in
    # all 4 T' - 3 T + s <= 2 T.  As s < 3T/2, no share is negative.
    parts = 5 * target - largest
    sent = [4 * (target - number) for number in listed]
    unit = gcd(parts, *sent)
    parts, sent = parts // unit, [size // unit for size in sent]
    arcs: list[OverlayArc] = []
    for server, triple in enumerate(triples):
        arcs.append(OverlayArc(server, server + 1, (Piece(0, parts),)))
        arcs += [
            OverlayArc(server, count + index + 1, (Piece(sent[index], parts),)) for index in triple
        ]
    for index, size in enumerate(sent):
        arcs.append(OverlayArc(count + index, count + index + 1, (Piece(0, size),)))
    return Overlay(
        machine=partition_machine(listed),
        structure="any",
        parts=parts,
        arcs=tuple(sorted(arcs)),
        throughput=Fraction(5 * target - largest, 4),
        bound=Fraction(target),
        proof=(),
        optimal=largest == target,
    )


def partition_of(overlay: Overlay) -> tuple[Triple, ...]:
    """The triples of sum T that every overlay within the degrees contains, if it is fast enough.

    Fast enough is a throughput above T - 1 / (4p); so no throughput is between that and T.  Hardly
    any bandwidth and no degree can be spared then: each server sends everything to one node, and
    to three others what is missing after one relay each, and these relays are a group (lemma
    3.5).  What is returned is a solution of 3-PARTITION whatever the overlay was.

    Raises `InvalidInput` if the machine is not one of `partition_machine`, the throughput is too
    low, or no partition can be read off, which an overlay that keeps to its machine rules out.
    Takes O(p) operations.

    >>> partition_of(overlay_of_partition([6, 7, 7], [(2, 0, 1)]))
    ((0, 1, 2),)
    """
    numbers = _numbers_of(overlay.machine)
    count, target = len(numbers) // 3, sum(numbers) * 3 // len(numbers)
    if 4 * count * (target - overlay.throughput) >= 1:
        rule = f"partitions are read off overlays of throughput above {target} - 1/{4 * count}"
        raise InvalidInput("throughput", text(overlay.throughput), rule)
    relays: dict[int, int] = {}
    for sender, receiver, _ in overlay.arcs:
        if sender >= count:
            relays[receiver] = sender - count
    helped: list[list[int]] = [[] for _ in range(count)]
    for sender, receiver, _ in overlay.arcs:
        if sender < count and receiver in relays:
            helped[sender].append(relays[receiver])
    for server, group in enumerate(helped):
        group.sort()
        # Three, then: two are less than T together, and four more.
        if sum(numbers[index] for index in group) != target:
            rule = f"a server helps three relays whose numbers have the sum {target}"
            raise InvalidInput(f"arcs of node {server}", group, rule)
    return _checked_groups(helped, len(numbers))


def _checked(numbers: Iterable[int]) -> tuple[tuple[int, ...], int]:
    listed = tuple(numbers)
    for index, number in enumerate(listed):
        if type(number) is not int:
            raise InvalidInput(f"numbers[{index}]", number, "3-PARTITION is about integers")
    if not listed or len(listed) % 3:
        raise InvalidInput(
            "numbers", len(listed), "three numbers for each group, one group or more"
        )
    target, rest = divmod(sum(listed), len(listed) // 3)
    if rest:
        rule = f"the sum is a multiple of the number of groups, {len(listed) // 3}"
        raise InvalidInput("numbers", sum(listed), rule)
    for index, number in enumerate(listed):
        if not target < 4 * number < 2 * target:
            rule = f"a number is larger than T/4 and smaller than T/2, where T = {target}"
            raise InvalidInput(f"numbers[{index}]", number, rule)
    return listed, target


def _checked_groups(groups: Iterable[Iterable[int]], size: int) -> tuple[Triple, ...]:
    listed = tuple([tuple(group) for group in groups])
    if len(listed) != size // 3:
        raise InvalidInput("groups", len(listed), f"{size // 3} groups of three")
    triples: list[Triple] = []
    known: set[int] = set()
    for place, group in enumerate(listed):
        if len(group) != 3:
            raise InvalidInput(f"groups[{place}]", list(group), "a group has three members")
        for index in group:
            if type(index) is not int or not 0 <= index < size or index in known:
                rule = f"every index of 0..{size - 1} is in one group"
                raise InvalidInput(f"groups[{place}]", index, rule)
            known.add(index)
        triples.append((group[0], group[1], group[2]))
    return tuple(triples)


def _numbers_of(machine: MultiPort) -> Sequence[int]:
    count = (machine.size - 1) // 4
    target = machine.bandwidths[0] / 2
    relays = machine.bandwidths[count : 4 * count]
    numbers = [(target - bandwidth).numerator for bandwidth in relays]
    rule = "the machine is not one of partition_machine"
    try:
        expected = partition_machine(numbers)
    except InvalidInput as refusal:
        raise InvalidInput("machine", numbers, f"{rule}; {refusal.rule}") from None
    if replace(machine, names=()) != expected:
        raise InvalidInput("machine", machine.size, rule)
    return numbers
