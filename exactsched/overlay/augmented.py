"""Overlays with the throughput that no overlay within the degrees exceeds, and degrees above them.

Section IV-B of Beaumont, Eyraud-Dubois and Agrawal (2010), corrected, with fewer receivers than
the paper needs.  Proofs: proofs/overlay-augmentation.md.
"""

from __future__ import annotations

from collections.abc import Sequence

from exactsched.certificate.overlay import Overlay
from exactsched.machine import MultiPort
from exactsched.overlay.bounds import sending_limits, throughput_bound
from exactsched.overlay.sequential import (
    Transfer,
    by_limits,
    everybody_reachable,
    overlay_of_transfers,
    served_in_turn,
)


def augmented_overlay(machine: MultiPort) -> Overlay:
    """An overlay with the throughput `throughput_bound`, where i has max(d_i + 1, 3) receivers.

    That is at most, and only nodes with d_i = 1 have d_i + 2; the paper allows max(d_i + 2, 4).
    No overlay within the degrees is faster.  Where the nodes without the least of them can send
    enough, the overlay is that of Algorithm 1, acyclic and with at most d_i + 1 receivers.

    Raises `InvalidInput` if the machine has given arcs.  Complexity: O(n log n) operations on
    integers over the common denominator of the bandwidths and the throughput, the parts of the
    message included; 4n arcs at most, with one range of parts each, but for one arc with two.
    Reference: Beaumont, Eyraud-Dubois and Agrawal 2010, IV-B2; proofs/overlay-augmentation.md,
    theorem 2.

    >>> augmented_overlay(MultiPort([2, 1, 1], [2, 1, 1])).arcs
    ((0, 1, ((0, 1),)), (0, 2, ((1, 2),)), (1, 2, ((0, 1),)), (2, 1, ((1, 2),)))
    """
    everybody_reachable(machine)
    rate = throughput_bound(machine)
    limits, message = sending_limits(machine, rate)
    order = by_limits(limits)
    first, missing = _first_short(order, limits, message)
    transfers = served_in_turn(order[: first + 1], limits, message)
    if first < len(order):
        transfers = _with_cycles(transfers, order, first, missing, limits, message)
    return overlay_of_transfers(machine, "any", rate, message, transfers)


def unconstrained_overlay(machine: MultiPort) -> Overlay:
    """The fastest overlay of all, min(b_0, the least incoming bandwidth, sum_i b_i / n).

    Its machine is the given one with the degrees n, which nobody can exceed.  Errors, complexity
    and reference as for `augmented_overlay`; proofs/overlay-augmentation.md, theorem 3.

    >>> overlay = unconstrained_overlay(MultiPort([2, 1, 1], [1, 0, 0]))
    >>> overlay.throughput, overlay.machine.degrees, overlay.optimal
    (2, (2, 2, 2), True)
    """
    everybody_reachable(machine)
    degrees = [machine.size - 1] * machine.size
    free = MultiPort(machine.bandwidths, degrees, machine.incoming, (), machine.names)
    return augmented_overlay(free)


def _first_short(order: Sequence[int], limits: Sequence[int], message: int) -> tuple[int, int]:
    """The first k such that the k nodes before it cannot serve k, and how much is missing.

    The length of the order, and nothing, if there is none.
    """
    spare = 0
    for place, node in enumerate(order[:-1]):
        spare += limits[node] - message
        if spare < 0:
            return place + 1, -spare
    return len(order), 0


def _with_cycles(
    transfers: Sequence[Transfer],
    order: Sequence[int],
    first: int,
    missing: int,
    limits: Sequence[int],
    message: int,
) -> list[Transfer]:
    """All are served, the nodes from `first` on with the help of those that come after them.

    Node `first` lacks an end of the message.  It gets that from the source, and sends it to the
    node that the source serves first, which goes without.  From then on the last node k has the
    message from earlier ones, but for what it has to send, M_k; the parts that come (`coming`) and
    those that it sends (`back`) are a beginning and an end of the message or the reverse.  The next
    node is put into arcs that carry M_(k+1), into those to k as far as possible, and has the rest
    from k.  It sends to k what it was put in between, so that is `back`, and `coming` is the rest.
    """
    last, receiver = order[first], order[1]
    cut = message - missing
    finished = [transfer for transfer in transfers[1:] if transfer[1] != last]
    finished += [(0, receiver, 0, cut), (0, last, cut, message)]
    coming = [transfer for transfer in transfers if transfer[1] == last]
    back = (cut, message)
    for following in order[first + 1 :]:
        missing += message - limits[last]
        moved = min(message - (back[1] - back[0]), missing)
        diverted = (0, moved) if back[0] else (message - moved, message)
        for sender, _, start, stop in coming:
            within = max(start, diverted[0]), min(stop, diverted[1])
            if within[0] >= within[1]:
                finished.append((sender, last, start, stop))
                continue
            finished.append((sender, following, *within))
            if start < within[0]:
                finished.append((sender, last, start, within[0]))
            if within[1] < stop:
                finished.append((sender, last, within[1], stop))
        # Only where all that comes is diverted: then the rest is a part of what goes back.
        returned = back[0] + missing - moved
        if back[0] < returned:
            finished.append((following, receiver, back[0], returned))
        if returned < back[1]:
            finished.append((last, receiver, returned, back[1]))
        rest = (moved, message) if back[0] else (0, message - moved)
        coming = [(last, following, *rest)]
        back, receiver, last = diverted, last, following
    return [*finished, *coming, (last, receiver, *back)]
