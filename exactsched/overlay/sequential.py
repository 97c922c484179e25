"""Acyclic overlays: nodes serve one after the other, those that can send most first.

Algorithm 1 of Beaumont, Eyraud-Dubois and Agrawal (2010).  Proofs: proofs/overlay-augmentation.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import gcd

from exactsched.certificate.overlay import Overlay, OverlayArc, Piece, Structure
from exactsched.exact.collection import without_collection
from exactsched.exact.errors import InvalidInput
from exactsched.model.machine import MultiPort
from exactsched.overlay.bounds import acyclic_bound, sending_limits

# (sender, receiver, start, stop): the message is [0, T), for the throughput T in some unit.
Transfer = tuple[int, int, int, int]


@without_collection()
def acyclic_overlay(machine: MultiPort) -> Overlay:
    """An acyclic overlay with the throughput `acyclic_bound`, and one receiver too many at most.

    Nodes are in the order of X_i = min(b_i, T d_i), largest first, after the source; the last one
    stays silent.  Each sends X_i to those that are next in this order and have not got everything,
    which makes d_i + 1 of them at most.  No acyclic overlay within the degrees is faster.

    Raises `InvalidInput` if the machine has given arcs.  Complexity: O(n log n) operations on
    integers over the common denominator of the bandwidths and the throughput; 2n arcs at most.
    Reference: Beaumont, Eyraud-Dubois and Agrawal 2010, IV-B1; proofs/overlay-augmentation.md,
    theorem 1.

    >>> acyclic_overlay(MultiPort([2, 1, 1], [2, 1, 1])).arcs == (
    ...     (0, 1, ((0, 3),)), (0, 2, ((0, 1),)), (1, 2, ((1, 3),))
    ... )
    True
    """
    everybody_reachable(machine)
    rate = acyclic_bound(machine)
    limits, message = sending_limits(machine, rate)
    transfers = served_in_turn(by_limits(limits), limits, message)
    return overlay_of_transfers(machine, "acyclic", rate, message, transfers)


def everybody_reachable(machine: MultiPort) -> None:
    """Raises `InvalidInput` where only some arcs may be used.

    >>> everybody_reachable(MultiPort([1, 1], [1, 1]))
    """
    if machine.arcs:
        rule = "this method is for machines where everybody may send to all; use --method exact"
        raise InvalidInput("arcs", f"{len(machine.arcs)} given", rule)


def by_limits(limits: Sequence[int]) -> list[int]:
    """The source and then the others, those that can send most first.

    >>> by_limits([1, 2, 3, 2])
    [0, 2, 1, 3]
    """
    return [0, *sorted(range(1, len(limits)), key=limits.__getitem__, reverse=True)]


def served_in_turn(order: Sequence[int], limits: Sequence[int], message: int) -> list[Transfer]:
    """Nodes after the first get [0, `message`) in this order, from nodes in the same order.

    Each of them sends as much as its limit, but the last one sends nothing.  They serve only
    later ones if the first k of them can send `message` k times, for each k; if they cannot for the
    last k, the last node gets a beginning of the message.

    >>> served_in_turn([0, 1, 2], [3, 2, 1], 2)
    [(0, 1, 0, 2), (0, 2, 0, 1), (1, 2, 1, 2)]
    """
    transfers: list[Transfer] = []
    served, start = 1, 0
    for sender in order[:-1]:
        left = limits[sender]
        while left > 0 and served < len(order):
            stop = start + left
            if stop > message:
                stop = message
            transfers.append((sender, order[served], start, stop))
            left -= stop - start
            start = stop
            if stop == message:
                served, start = served + 1, 0
    return transfers


def overlay_of_transfers(
    machine: MultiPort,
    structure: Structure,
    rate: Fraction,
    message: int,
    transfers: Iterable[Transfer],
) -> Overlay:
    """The overlay of transfers of [0, `message`) that reaches its bound, the rate.

    No transfer continues another one between the same nodes.  The overlay is in the largest parts
    of which all transfers consist.

    >>> overlay = overlay_of_transfers(
    ...     MultiPort([1, 1, 1], [1, 1, 1]), "any", Fraction(1), 6, [(0, 2, 0, 6), (2, 1, 0, 6)]
    ... )
    >>> (overlay.parts, overlay.arcs, overlay.optimal) == (
    ...     1, ((0, 2, ((0, 1),)), (2, 1, ((0, 1),))), True
    ... )
    True
    """
    if rate == 0:
        return Overlay(machine, structure, 1, (), Fraction(0), Fraction(0), (), True)
    rows = sorted(transfers)
    unit = message
    for _, _, start, stop in rows:
        unit = gcd(unit, start, stop)
        if unit == 1:
            break
    arcs: list[OverlayArc] = []
    used = [0] * machine.size
    sender, receiver, made = -1, -1, tuple.__new__  # a million calls of the classes take a second
    for row in rows:
        before, last = sender, receiver
        sender, receiver, start, stop = row
        # Also where the unit is 1: integers beside their arc in memory are read in half the time.
        piece = made(Piece, (start // unit, stop // unit))
        if receiver == last and sender == before:
            arcs[-1] = OverlayArc(sender, receiver, (*arcs[-1].pieces, piece))
        else:
            arcs.append(made(OverlayArc, (sender, receiver, (piece,))))
            used[sender] += 1
    within = all(count <= degree for count, degree in zip(used, machine.degrees, strict=True))
    throughput, parts = Fraction(rate), message // unit
    return Overlay(
        machine, structure, parts, tuple(arcs), throughput, throughput, (), optimal=within
    )
