"""Weighted arborescence decomposition: trees from one root, as heavy as the least root cut.

Method: Edmonds branching packing with one root, whose demand is enlarged as far as it can be met.
Limits: the trees are few, not the fewest.
"""

from __future__ import annotations

from collections.abc import Sequence

from exactsched.certificate.graphs import ArborescenceDecomposition, WeightedTree
from exactsched.exact.arguments import checked_node, checked_size
from exactsched.exact.errors import InvalidInput
from exactsched.graphs.branching_packing import pack_concurrently
from exactsched.graphs.lovasz import Preference


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

    `prefer` and the cost are those of `pack_concurrently`, for one root
    of demand 1.  At least two nodes; errors: `InvalidInput`.

    Raises `InvalidInput` for capacities that are negative or no exact numbers, and for nodes that
    are not there. As many operations as `pack_branchings`, polynomial.

    >>> best = decompose_into_arborescences(3, 0, [(0, 1), (0, 2), (1, 2), (2, 1)], [3, 2, 1, 9])
    >>> best.value, best.cut, [tuple(tree) for tree in sorted(best.trees)]
    (Fraction(3, 1), (2,), [(1, (0, 2)), (2, (0, 1))])
    """
    checked_node(root, checked_size(size), "root")
    if size == 1:
        raise InvalidInput("size", size, "a cut needs a node besides the root")
    packing = pack_concurrently(size, arcs, capacities, [((root,), 1)], prefer=prefer)
    return ArborescenceDecomposition(
        size,
        packing.arcs,
        packing.capacities,
        root,
        tuple(WeightedTree(weight, chosen) for _, weight, chosen in packing.branchings),
        packing.nodes,
        packing.value,
    )
