"""Packets that spread step by step: who sends has the packet, and no port does two things at once.

The rules, and the bounds, are those of `proofs/rounds-certificates.md`.
"""

from __future__ import annotations

from array import array
from typing import Final

from exactsched.certificate.synchronous import SynchronousRun
from exactsched.check.proved import ProvedRounds, shown
from exactsched.check.synchronous.bounds import least_steps
from exactsched.exact.errors import Rejected

# Later than the end of any transfer.
_NEVER: Final = 2**63 - 1


def steps(stated: SynchronousRun) -> ProvedRounds:
    """The steps that a schedule takes, and how many every other takes.  Raises `Rejected`.

    O(1) for each transfer, and near-linear time in the graph, for each origin, for the bound.

    >>> two_ways = ((0, 1, 1), (1, 2, 1), (1, 0, 1), (2, 1, 1))
    >>> sends = ((0, 0),), ((1, 0),), ((0, 1),), ((1, 1),)
    >>> origins = ((0, 2),)
    >>> print(steps(SynchronousRun(3, two_ways, "half-duplex", origins, sends, 4, 4, (), True, ())))
    2 packets to all nodes in 4 steps proved optimal (3 nodes, 4 arcs, half-duplex)
    """
    last = _last_step(stated)
    if stated.steps != last:
        raise Rejected("steps", shown(stated.steps), f"all is done after {shown(last)} steps")
    bound = least_steps(stated)
    if stated.bound != bound:
        raise Rejected("bound", shown(stated.bound), f"what is proved is {shown(bound)}")
    if stated.optimal != (last == bound):
        rule = "optimal means that the bound allows no fewer steps, and nothing else"
        raise Rejected("optimal", stated.optimal, rule)
    return ProvedRounds(
        kind="rounds",
        size=stated.size,
        arcs=len(stated.arcs),
        ports=stated.ports,
        packets=sum(number for _, number in stated.origins),
        steps=last,
        bound=bound,
        optimal=stated.optimal,
    )


def _last_step(stated: SynchronousRun) -> int:
    """After which all nodes have all packets, if every transfer is possible and of use."""
    packets = sum(number for _, number in stated.origins)
    needed = packets * (stated.size - 1)
    listed = sum(map(len, stated.sends))
    if listed != needed:
        rule = f"every packet is received once by all others: {shown(needed)} transfers"
        raise Rejected("sends", listed, rule)
    if not needed:
        return 0
    # When a node has, or will have, a packet; no larger than the list of transfers.  A packet's
    # nodes are next to each other, since few packets are on their way in a step.
    size = stated.size
    arrival = array("q", [_NEVER]) * (packets * size)
    first = 0
    for node, number in stated.origins:
        mine = slice(first * size + node, (first + number) * size, size)
        arrival[mine] = array("q", [0]) * number
        first += number
    sending = [0] * size  # until when a port is busy
    receiving = sending if stated.ports == "half-duplex" else [0] * size
    # Plain tuples: to unpack a named one takes three times as long.
    arcs = list(map(tuple, stated.arcs))
    for start, row in enumerate(stated.sends):
        for arc, packet in row:
            tail, head, duration = arcs[arc]
            target = packet * size + head
            if arrival[packet * size + tail] > start:
                rule = f"node {tail} sends what it has received completely"
                raise Rejected(f"sends[{start}]", [arc, packet], rule)
            if arrival[target] != _NEVER:
                rule = f"node {head} receives a packet once, and never one of its own"
                raise Rejected(f"sends[{start}]", [arc, packet], rule)
            if sending[tail] > start:
                rule = f"node {tail} is busy and starts to send: a port has one transfer at a time"
                raise Rejected(f"sends[{start}]", [arc, packet], rule)
            if receiving[head] > start:
                rule = f"node {head} is busy and is sent to: a port has one transfer at a time"
                raise Rejected(f"sends[{start}]", [arc, packet], rule)
            arrival[target] = sending[tail] = receiving[head] = start + duration
    return max(sending)
