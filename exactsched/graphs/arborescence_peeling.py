"""Trees from one root within what arcs carry: taken off one by one, each as heavy as possible.

A tree that enters every tight set once can be taken off, as long as no further set gets tight.
Which sets are in danger is learned: a look finds sets that too little is left for.

Method: steps of Caratheodory on the polytope of arborescences; the trees are cheapest ones under
lengths that keep off what is nearly used up; looks contract what only one node sends to.
Limits: for kernels: nothing is checked.  The trees are few, not the fewest.

The proofs are in `proofs/arborescence-decomposition.md`.
"""

from __future__ import annotations

from collections.abc import Sequence

from exactsched.exact.errors import InvalidInput
from exactsched.graphs.lovasz import GrowingPacking
from exactsched.graphs.minimum_cost_arborescence import cheapest_arborescence
from exactsched.graphs.root_connectivity import unmet_from_root

WeightedArcs = tuple[int, tuple[int, ...]]  # how many times a tree is taken, its arcs

# Lengths: an arc of which the fraction x of all that is missing is left is 1 / x long, at most
# FARTHEST; to enter a set costs NEAR_SET times the same of its slack, at most DEAREST; and TIGHT if
# nothing may be lost.
FARTHEST, NEAR_SET, DEAREST, TIGHT = 1e4, 4.0, 1e5, 1e9
# Trees between looks, at first.
PATIENCE = 1


def peel_arborescences(
    size: int, root: int, arcs: Sequence[tuple[int, int]], capacities: Sequence[int], total: int
) -> list[WeightedArcs]:
    """Spanning arborescences of total weight `total`, in integers, within integer capacities.

    There are some if at least `total` enters every nonempty set of nodes without the root (Edmonds
    1973), and only then.

    A step costs a cheapest arborescence, a look one flow into each node that more than one sends
    to.  Looks get rarer while they find nothing.  Where trees cannot go on, Lovász's method does
    the rest.

    >>> peel_arborescences(3, 0, [(0, 1), (0, 2), (1, 2), (2, 1)], [3, 2, 1, 2], 3)
    [(2, (1, 3)), (1, (0, 2))]
    """
    return _Peeling(size, root, arcs, capacities, total).trees()


class _Peeling:
    """Trees that are taken, and what is left of the arcs and of the total.

    The *slack* of a set is what enters it beyond what is left of the total.  After the first
    `_looked` trees no slack was negative; later ones only respect the sets that are known.
    """

    def __init__(
        self,
        size: int,
        root: int,
        arcs: Sequence[tuple[int, int]],
        capacities: Sequence[int],
        total: int,
    ) -> None:
        self._size, self._root, self._left = size, root, total
        # The arcs that can be of use, and their indices.
        self._indices = [
            arc
            for arc, ((tail, head), capacity) in enumerate(zip(arcs, capacities, strict=True))
            if capacity and head != root and head != tail
        ]
        self._arcs = [arcs[arc] for arc in self._indices]
        self._rates = [capacities[arc] for arc in self._indices]
        self._into: list[list[int]] = [[] for _ in range(size)]
        for arc, (_, head) in enumerate(self._arcs):
            self._into[head].append(arc)
        self._taken: list[WeightedArcs] = []
        self._looked = 0
        self._slacks: list[int] = []
        self._crossing: list[list[int]] = []  # the arcs into each known set
        self._learn(set(range(size)).difference([root]))

    def trees(self) -> list[WeightedArcs]:
        """All trees, by the indices of the arcs as they were given."""
        if not self._peeled():
            rest = GrowingPacking(
                self._size, self._arcs, self._rates, [([self._root], self._left)], "few"
            )
            rest.finish()
            self._taken += [(weight, tree) for _, weight, tree in rest.done]
        weights: dict[tuple[int, ...], int] = {}
        for weight, tree in self._taken:
            arcs = tuple(sorted(self._indices[arc] for arc in tree))
            weights[arcs] = weights.get(arcs, 0) + weight
        return [(weight, arcs) for arcs, weight in weights.items()]

    def _peeled(self) -> bool:
        """Takes trees until nothing is missing; false if it gets stuck, where no slack is < 0.

        Looks get rarer when they find nothing, as in `GrowingPacking`.  Every other look learns a
        set.
        """
        patience = PATIENCE
        while self._left or len(self._taken) > self._looked:
            fresh = len(self._taken) - self._looked
            if self._left and fresh < patience:
                try:
                    taken = self._take(self._cheapest())
                except InvalidInput:  # so much is taken that some node cannot be reached
                    taken = False
                if taken:
                    continue
                if not fresh:
                    return False
            if self._look():
                patience *= 2
            else:
                patience = max(1, patience // 2)
        return True

    def _cheapest(self) -> list[int]:
        """A tree that avoids arcs and sets that would soon end it."""
        # The numbers may be long; their leading bits will do.
        shift = max(0, self._left.bit_length() - 60)
        left = self._left >> shift
        lengths: dict[int, float] = {}
        for arc, rate in enumerate(self._rates):
            if rate:
                leading = rate >> shift
                lengths[arc] = min(FARTHEST, left / leading) if leading else FARTHEST
        for slack, crossing in zip(self._slacks, self._crossing, strict=True):
            leading = slack >> shift
            toll = min(DEAREST, NEAR_SET * (left / leading)) if leading else DEAREST
            for arc in crossing:
                if arc in lengths:
                    lengths[arc] += toll if slack else TIGHT
        live = list(lengths)
        tails = [self._arcs[arc][0] for arc in live]
        heads = [self._arcs[arc][1] for arc in live]
        chosen = cheapest_arborescence(self._size, self._root, tails, heads, list(lengths.values()))
        return [live[arc] for arc in chosen]

    def _take(self, tree: Sequence[int]) -> bool:
        """Takes the tree as often as arcs and known sets allow; false if that is not at all."""
        excess = self._excess(tree)
        amount = min(self._left, min([self._rates[arc] for arc in tree]))
        for slack, times in zip(self._slacks, excess, strict=True):
            if slack < amount * times:
                amount = slack // times
        if amount <= 0:
            return False
        self._use(tree, excess, amount)
        self._taken.append((amount, tuple(tree)))
        return True

    def _excess(self, tree: Sequence[int]) -> list[int]:
        """How often the tree enters each known set, beyond once."""
        used = bytearray(len(self._arcs))
        for arc in tree:
            used[arc] = 1
        return [sum([used[arc] for arc in crossing]) - 1 for crossing in self._crossing]

    def _use(self, tree: Sequence[int], excess: Sequence[int], amount: int) -> None:
        for arc in tree:
            self._rates[arc] -= amount
        self._slacks = [s - amount * times for s, times in zip(self._slacks, excess, strict=True)]
        self._left -= amount

    def _look(self) -> bool:
        """Whether no slack is negative; if one is, trees are given back until none is."""
        unmet = unmet_from_root(self._size, self._root, self._arcs, self._rates, self._left)
        for nodes in unmet:
            self._learn(nodes)
        if not unmet:
            self._looked = len(self._taken)
            return True
        while min(self._slacks) < 0:
            amount, tree = self._taken.pop()
            self._use(tree, self._excess(tree), -amount)
        self._take(tree)
        return False

    def _learn(self, nodes: set[int]) -> None:
        crossing = [
            arc for node in nodes for arc in self._into[node] if self._arcs[arc][0] not in nodes
        ]
        self._crossing.append(crossing)
        self._slacks.append(sum([self._rates[arc] for arc in crossing]) - self._left)
