"""The fastest tree on a bounded multi-port machine where every node may send to every other."""

from __future__ import annotations

from exactsched.certificate.overlay import Overlay
from exactsched.model.machine import MultiPort
from exactsched.overlay.bounds import sending_limits, tree_bound
from exactsched.overlay.sequential import (
    by_limits,
    everybody_reachable,
    overlay_of_transfers,
    served_in_turn,
)


def best_tree(machine: MultiPort) -> Overlay:
    """A tree within the degrees with the throughput `tree_bound`, which no tree exceeds.

    Node i has at most min(d_i, floor(b_i / T)) children, and those that can have most are nearest
    to the source; so no other tree with these numbers is less deep.

    Raises `InvalidInput` if the machine has given arcs.  Complexity: O(n log n) operations on
    integers over the common denominator of the bandwidths.  Reference: Beaumont, Eyraud-Dubois and
    Agrawal 2010, V-A; proofs/overlay-bounds.md, theorem 3.

    >>> best_tree(MultiPort([2, 1, 1, 0], [2, 1, 1, 0])).arcs
    ((0, 1, ((0, 1),)), (0, 2, ((0, 1),)), (1, 3, ((0, 1),)))
    """
    everybody_reachable(machine)
    rate = tree_bound(machine)
    if rate == 0:
        return overlay_of_transfers(machine, "tree", rate, 1, ())
    limits, message = sending_limits(machine, rate)
    children = [limit // message for limit in limits]
    transfers = served_in_turn(by_limits(children), children, 1)
    return overlay_of_transfers(machine, "tree", rate, 1, transfers)
