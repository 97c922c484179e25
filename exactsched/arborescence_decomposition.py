"""Capacities as weighted arborescences from one root, as heavy as the least root cut."""

from __future__ import annotations

from collections.abc import Sequence

from exactsched.branching_growth import Preference
from exactsched.branchings import pack_branchings
from exactsched.certificate.minmax import ArborescenceDecomposition, BranchingPacking
from exactsched.root_cut import minimum_root_cut


def decompose_into_arborescences(
    size: int,
    root: int,
    arcs: Sequence[tuple[int, int]],
    capacities: Sequence[object],
    *,
    prefer: Preference = "few",
) -> ArborescenceDecomposition:
    """Weighted spanning arborescences of the largest total weight, and a root cut of that value.

    The weight equals the least capacity that enters a nonempty set without the root (Edmonds
    1973, with capacities); integer capacities give integer weights.  There are at most
    m - size + 2 different trees, for m arcs of positive capacity that do not enter the root;
    `proofs/arborescence-decomposition.md` has the proof.  If a node cannot be reached, the value
    is 0 and there are no trees.

    `prefer` and the cost are those of `exactsched.branchings.pack_branchings`.  At least two
    nodes; errors: `InvalidInput`.

    >>> best = decompose_into_arborescences(3, 0, [(0, 1), (0, 2), (1, 2), (2, 1)], [3, 2, 1, 9])
    >>> best.value, best.cut, sorted(best.trees)
    (3, (2,), [(1, (0, 2)), (2, (0, 1))])
    """
    least = minimum_root_cut(size, root, arcs, capacities)
    packing = pack_branchings(size, arcs, capacities, [((root,), least.value)], prefer=prefer)
    assert isinstance(packing, BranchingPacking)
    return ArborescenceDecomposition(
        size,
        packing.arcs,
        packing.capacities,
        root,
        tuple((weight, chosen) for _, weight, chosen in packing.branchings),
        least.cut,
        least.value,
    )
