"""Overlays within the degrees, found quickly: the search for the fastest one starts from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from heapq import heappop, heappush

from exactsched.certificate.overlay import Overlay, OverlayArc, Piece
from exactsched.model.machine import MultiPort
from exactsched.overlay.bounds import sending_limits, throughput_bound
from exactsched.overlay.sequential import Transfer, by_limits, overlay_of_transfers
from exactsched.overlay.tree import best_tree

# The throughput is within 1/2^12 of the bound of what this way of serving can do.
HALVINGS = 12


def overlay_within_degrees(machine: MultiPort) -> Overlay:
    """An acyclic overlay that keeps the degrees, as fast as serving in turn can be, or a tree.

    As Algorithm 1, but a node that has no receiver left keeps the rest of its bandwidth.  The
    throughput is found by bisection below the counting bound; `optimal` if it is the bound.
    If arcs are given, a tree that is grown greedily; nothing is sent if it does not reach all.

    Complexity: O(n log n) operations on integers, a dozen times; O(m log m) for m given arcs.
    Reference: Beaumont, Eyraud-Dubois and Agrawal 2010, IV-B1, with the degrees kept.

    >>> overlay = overlay_within_degrees(MultiPort([4, 4, 2, 0], [2, 1, 1, 0]))
    >>> (overlay.throughput, overlay.bound, overlay.arcs) == (
    ...     2, 3, ((0, 1, ((0, 1),)), (0, 2, ((0, 1),)), (1, 3, ((0, 1),)))
    ... )
    True
    """
    bound = throughput_bound(machine)
    if machine.arcs:
        return _grown_tree(machine, bound)
    best = best_tree(machine)
    low, high = Fraction(best.throughput), bound
    for turn in range(HALVINGS):
        rate = (low + high) / 2 if turn else bound
        limits, message = sending_limits(machine, rate)
        transfers = _served(by_limits(limits), limits, message, machine.degrees)
        if transfers is None:
            high = rate
        else:
            low = rate
            best = overlay_of_transfers(machine, "any", rate, message, transfers)
        if low == high:
            break
    optimal = best.throughput == bound
    return replace(best, structure="any", bound=Fraction(bound), optimal=optimal)


def _served(
    order: Sequence[int], limits: Sequence[int], message: int, degrees: Sequence[int]
) -> list[Transfer] | None:
    """Nodes get the message in this order, from nodes that have it; None if some cannot."""
    transfers: list[Transfer] = []
    served, start = 1, 0
    for turn, sender in enumerate(order):
        if served == len(order) or turn == served:
            break
        left = limits[sender]
        for _ in range(degrees[sender]):
            if served == len(order) or left == 0:
                break
            stop = min(start + left, message)
            transfers.append((sender, order[served], start, stop))
            left, start = left - (stop - start), stop
            if stop == message:
                served, start = served + 1, 0
    return transfers if served == len(order) else None


def _grown_tree(machine: MultiPort, bound: Fraction) -> Overlay:
    """Whoever can send most to one more is next, and takes one whom few others could serve."""
    senders = [0] * machine.size
    reachable: list[list[int]] = [[] for _ in senders]
    for sender, receiver in machine.arcs:
        senders[receiver] += 1
        reachable[sender].append(receiver)
    for others in reachable:
        others.sort(key=lambda node: (-senders[node], machine.degrees[node]))  # the last is next
    served = [0] * machine.size
    arcs: list[tuple[int, int]] = []
    reached, waiting = {0}, [(-machine.bandwidths[0], 0)]
    while waiting:
        _, sender = heappop(waiting)
        others = reachable[sender]
        while others and others[-1] in reached:
            others.pop()
        if not others or served[sender] == machine.degrees[sender]:
            continue
        receiver = others.pop()
        arcs.append((sender, receiver))
        reached.add(receiver)
        served[sender] += 1
        heappush(waiting, (-machine.bandwidths[sender] / (served[sender] + 1), sender))
        heappush(waiting, (-machine.bandwidths[receiver], receiver))
    rate = Fraction(0)
    if len(reached) == machine.size:
        shares = [machine.bandwidths[node] / count for node, count in enumerate(served) if count]
        rate = min([*shares, *machine.incoming[1:]])
    rows = tuple([OverlayArc(i, j, (Piece(0, 1),)) for i, j in sorted(arcs)]) if rate else ()
    return Overlay(
        machine, "any", 1, rows, Fraction(rate), Fraction(bound), (), optimal=rate == bound
    )
