"""One bad certificate of a run in steps for each way of being refused, with its rule.

They stand in the folders `rounds` of `tests/corpus/rejected` and `tests/corpus/malformed`, and were
made from accepted ones by a single change, or by as few as show a single fault.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from exactsched.certificate.synchronous import OccupancyProof, SynchronousRun
from exactsched.exact.errors import Malformed, Rejected

STEPS_REJECTED = {
    "bound-below-the-branches": "what is proved is 9",
    "bound-below-the-occupancy": "what is proved is 8",
    "bound-beyond-the-branches": "what is proved is 9",
    "bound-beyond-the-last-step": "what is proved is 7",
    "bound-overstated": "what is proved is 4",
    "bound-understated": "what is proved is 4",
    "bound-without-the-occupancy": "what is proved is 6",
    "cut-paid-by-the-wrong-port": "pay for the cuts that an arc enters",
    "cuts-too-heavy": "pay for the cuts that an arc enters",
    "last-step-unpaid": "pay for the cuts that an arc enters",
    "odd-set-too-small": "pay for the cuts that an arc enters",
    "optimal-overstated": "optimal means that the bound allows no fewer steps, and nothing else",
    "optimal-understated": "optimal means that the bound allows no fewer steps, and nothing else",
    "packet-not-there": "node 1 sends what it has received completely",
    "packet-not-there-yet": "node 1 sends what it has received completely",
    "packet-on-its-way-twice": "node 2 receives a packet once, and never one of its own",
    "packet-received-again": "node 1 receives a packet once, and never one of its own",
    "packet-sent-back-to-its-origin": "node 0 receives a packet once, and never one of its own",
    "prices-of-nothing": "some price is positive",
    "receiver-busy": "node 2 is busy and is sent to",
    "receives-while-it-still-sends": "node 1 is busy and is sent to",
    "sender-busy": "node 0 is busy and starts to send",
    "sends-while-it-receives": "node 1 is busy and starts to send",
    "steps-overstated": "all is done after 4 steps",
    "steps-understated": "all is done after 6 steps",
    "transfer-missing": "every packet is received once by all others: 4 transfers",
    "transfer-too-many": "every packet is received once by all others: 4 transfers",
}
STEPS_MALFORMED = {
    "arc-beyond-reason": "at most 1000000000000000000 steps",
    "arc-from-nowhere": "the ends are nodes, from 0 to 2",
    "arc-negative": "an index of the 4 arcs, from 0, is needed",
    "arc-of-half-a-step": "an integer is needed here",
    "arc-of-no-step": "a positive number is needed here",
    "arc-to-itself": "an arc joins two nodes",
    "arc-to-nowhere": "the ends are nodes, from 0 to 2",
    "arc-unknown": "an index of the 4 arcs, from 0, is needed",
    "arc-without-duration": "a row is [tail, head, duration]",
    "arc-without-packet": "a row is [arc, packet]",
    "bound-missing": "the member 'bound' is missing",
    "cut-empty": "nothing needs to be sent into no node",
    "cut-node-twice": "this node is named twice",
    "cut-of-nobody": "an index of the 4 nodes, from 0, is needed",
    "cut-weight-negative": "a number that is not negative is needed here",
    "last-step-of-slow-arcs": "every arc takes one step",
    "last-step-price-negative": "a number that is not negative is needed here",
    "last-step-with-a-cut": "the cuts of the last step are those of the first proof",
    "member-unknown": "unknown member: what is not checked may not be there",
    "name-a-number": "text is needed here",
    "name-missing": "one for each node is needed: 3",
    "names-alike": "two nodes may not have the same name",
    "occupancy-of-three-proofs": "one proof, and one of the last step",
    "occupancy-with-a-comment": "unknown member: what is not checked may not be there",
    "odd-set-even": "an odd set has an odd number of nodes",
    "odd-set-in-one-port": "odd sets are resources in half-duplex only",
    "odd-set-node-twice": "this node is named twice",
    "odd-set-of-nobody": "an index of the 3 nodes, from 0, is needed",
    "odd-set-price-negative": "a number that is not negative is needed here",
    "optimal-a-number": "true or false is needed here",
    "origin-nowhere": "an index of the 3 nodes, from 0, is needed",
    "origin-of-no-packet": "a positive number is needed here",
    "origins-none": "there is at least one packet",
    "packet-in-parts": "an integer is needed here",
    "packet-unknown": "an index of the 2 packets, from 0, is needed",
    "packets-beyond-reason": "at most 1000000000000000000 packets",
    "ports-link": "one of half-duplex, one-port is needed here",
    "price-for-one-side-only": "one for each port is needed: 8",
    "price-missing": "one for each port is needed: 4",
    "price-negative": "a number that is not negative is needed here",
    "rows-behind-the-last-step": "there is at most one row for each of the steps",
    "size-0": "a positive number is needed here",
    "size-beyond-reason": "at most 1000000 nodes",
    "steps-in-parts": "an integer is needed here",
}


def _coprime_prices(size: int = 6000) -> SynchronousRun:
    """A path; no two of the denominators, 1 + squares near 10^18, have much in common."""
    arcs = tuple((node, node + 1, 1) for node in range(size - 1))
    sends = tuple(((step, 0),) for step in range(size - 1))
    prices = tuple(Fraction(1, (10**9 + k) ** 2 + 1) for k in range(size))
    proof = OccupancyProof(prices, (), ())
    origins = ((0, 1),)
    return SynchronousRun(
        size, arcs, "half-duplex", origins, sends, size - 1, size - 1, (proof,), True, ()
    )


def _with_half_a_packet() -> SynchronousRun:
    sends: Any = (((0, Fraction(1, 2)),),)
    return SynchronousRun(2, ((0, 1, 1),), "half-duplex", ((0, 1),), sends, 1, 1, (), True, ())


# Too long, or not possible, as files.
STEPS_GENERATED: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "steps with coprime prices": (_coprime_prices, Rejected, "may hold"),
    "steps with a row of halves": (_with_half_a_packet, Malformed, "not an integer or a string"),
    "steps that are no tuple": (
        lambda: SynchronousRun(1, (), "half-duplex", ((0, 1),), None, 0, 0, (), True, ()),  # type: ignore[arg-type]
        Malformed,
        "a list is needed",
    ),
}
