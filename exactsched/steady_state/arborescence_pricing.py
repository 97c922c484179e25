"""The cheapest arborescences under prices of the resources that their arcs use."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from exactsched.graphs.arborescences_in_bulk import ArborescencesInBulk
from exactsched.graphs.minimum_cost_arborescence import Arborescence, Arborescences
from exactsched.steady_state.arc_lengths import LARGEST_SUM, ArcLengths, LengthsInBulk

Tree = tuple[int, ...]

# From this many arcs on arrays pay.
ARCS_IN_BULK = 20_000
# Up to this number of nodes most trees of a burst are improved ones.  Where nodes are more these
# lead astray: 31 broadcasts with 100 to 1000 nodes and costs in 0.8..1.2 take 138 rounds with them,
# 111 without.
FEW_NODES = 64


def arborescence_pricing(
    size: int,
    root: int,
    arcs: Sequence[tuple[int, int]],
    costs: Sequence[int],
    uses: Sequence[tuple[int, ...]],
) -> ArborescencePricing:
    """As the size of the graph demands; arguments as in `pack_arborescences`."""
    if len(arcs) >= ARCS_IN_BULK and sum(costs) < LARGEST_SUM:
        return PricingInBulk(size, root, arcs, costs, uses)
    kind = PricingOfFew if size <= FEW_NODES else ArborescencePricing
    return kind(size, root, arcs, costs, uses)


class ArborescencePricing:
    """Cheapest arborescences under prices of the resources, in floats and exactly."""

    parts = 1
    lengths: type[ArcLengths] = ArcLengths
    graph: type[Arborescences | ArborescencesInBulk] = Arborescences
    last: Arborescence[int]  # the last one computed exactly

    def __init__(
        self,
        size: int,
        root: int,
        arcs: Sequence[tuple[int, int]],
        costs: Sequence[int],
        uses: Sequence[tuple[int, ...]],
    ) -> None:
        self._graph = self.graph(size, root, [tail for tail, _ in arcs], [head for _, head in arcs])
        self._costs, self._uses = costs, uses
        self._lengths = self.lengths(costs, uses)

    def join(self, users: Sequence[Collection[int]], first: int) -> None:
        """Resources from number `first` on join, each used by some arcs."""
        further: list[tuple[int, ...]] = [()] * len(self._uses)
        for row, arcs in enumerate(users, first):
            for arc in arcs:
                further[arc] += (row,)
        self._uses = [uses + more for uses, more in zip(self._uses, further, strict=True)]
        self._lengths = self.lengths(self._costs, self._uses)

    def load(self, structure: Tree) -> dict[int, int]:
        return self._lengths.load(structure)

    def cheapest(self, prices: Sequence[float]) -> tuple[Tree]:
        return (self._graph.cheapest(self._lengths.floats(prices)),)

    def cheapest_exactly(self, prices: Mapping[int, int]) -> tuple[tuple[Tree], tuple[int]]:
        self.last = self._graph.with_cuts(self._lengths.exact(prices))
        return (self.last.arcs,), (self.last.cost,)


class PricingOfFew(ArborescencePricing):
    """The same of few nodes, where exchanges of single arcs soon improve a tree.

    >>> graph = 3, 0, [(0, 1), (0, 2), (1, 2)], [4, 2, 1], [(0,), (0,), (1,)]
    >>> PricingOfFew(*graph).improved([1.0, 1.0], [(0, 1)])
    ((0, 2),)
    """

    _graph: Arborescences

    def improved(self, prices: Sequence[float], last: Sequence[Tree]) -> tuple[Tree]:
        """The last tree, after all exchanges of an arc for a cheaper one."""
        (tree,) = last
        return (self._graph.improved(tree, self._lengths.floats(prices)),)


class PricingInBulk(ArborescencePricing):
    """The same with arrays of numpy.

    >>> graph = 3, 0, [(0, 1), (0, 2), (1, 2)], [4, 2, 1], [(0,), (0,), (1,)]
    >>> bulk = PricingInBulk(*graph)
    >>> bulk.cheapest([1.0, 5.0]), bulk.load((0, 1))
    (((0, 1),), {0: 6})
    """

    lengths = LengthsInBulk
    graph = ArborescencesInBulk
