"""Overlays: every part of the message comes from the source, at a rate that all nodes can send.

The rules, and why they are enough, are those of `proofs/overlay-certificates.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import partial
from itertools import chain, islice, repeat
from operator import eq, lt

from exactsched.certificate.budget import products, spend
from exactsched.certificate.overlay import Overlay, OverlayArc
from exactsched.certificate.rules import column, rows_in
from exactsched.check.common_denominator import over_common_denominator
from exactsched.check.overlay.arrivals import (
    Pieces,
    received_once,
    refuse_unless_from_the_source,
)
from exactsched.check.overlay.case_proof import bound_of
from exactsched.check.overlay.counting import Scaled, bound_by_counting
from exactsched.check.proved import ProvedOverlay, shown
from exactsched.exact.errors import Rejected
from exactsched.model.machine import MultiPort


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
        received = received_once(machine.size, stated.parts, sent)
        refuse_unless_from_the_source(stated, sent, received, heads, used)
    elif stated.arcs:
        raise Rejected("arcs", len(stated.arcs), "a throughput of 0 needs no arcs")
    sending = over_common_denominator(machine.bandwidths, "machine.bandwidths")
    receiving = over_common_denominator(machine.incoming, "machine.incoming")
    if stated.throughput:
        _refuse_haste(stated, sent, sending, receiving)
    if stated.proof:
        bound = bound_of(machine, stated.proof[0])
    else:
        bound = bound_by_counting(stated, sending, receiving)
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


def _columns(arcs: Sequence[OverlayArc]) -> tuple[Sequence[int], Sequence[int], Pieces]:
    """The senders and receivers of the arcs, and all pieces."""
    senders, receivers, listed = [column(arcs, position) for position in range(3)]
    pieces = rows_in(listed)
    starts, stops = column(pieces, 0), column(pieces, 1)
    if len(pieces) == len(arcs):  # one on every arc
        return senders, receivers, Pieces(senders, receivers, starts, stops)
    counts = list(map(len, listed))
    tails, heads = [
        list(chain.from_iterable(map(repeat, ends, counts))) for ends in (senders, receivers)
    ]
    return senders, receivers, Pieces(tails, heads, starts, stops)


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


def _refuse_haste(stated: Overlay, pieces: Pieces, sending: Scaled, receiving: Scaled) -> None:
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
