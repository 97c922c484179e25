"""Edmonds branching packing: branchings from given root sets within arc capacities (1973).

Method: Lovász's proof of 1976 with whole numbers of branchings at once (`graphs.lovasz`), and
Newton's method for the largest multiple of all demands.
Limits: the branchings are few, not the fewest; the flows grow with the tight sets that are met.

The proofs, and why there are few branchings however large the capacities, are in
`proofs/edmonds-branchings.md` and `proofs/arborescence-decomposition.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from exactsched.certificate.graphs import (
    BranchingPacking,
    ConcurrentBranchingPacking,
    Pairs,
    RootSet,
    UnmetDemand,
    WeightedBranching,
)
from exactsched.exact.arguments import (
    checked_arcs,
    checked_integer,
    checked_node,
    checked_size,
    divided,
    exact_numbers,
    not_negative,
    over_common_denominator,
)
from exactsched.exact.errors import InvalidInput
from exactsched.exact.patience import PATIENT, Patience
from exactsched.exact.rational import Rational
from exactsched.graphs.lovasz import Branching, GrowingPacking, Preference
from exactsched.graphs.root_connectivity import RootSet as Rooted
from exactsched.graphs.root_connectivity import least_ratio, unmet_set


def pack_branchings(
    size: int,
    arcs: Sequence[tuple[int, int]],
    capacities: Sequence[object],
    roots: Sequence[tuple[Sequence[int], object]],
    *,
    prefer: Preference = "few",
    patience: Patience = PATIENT,
) -> BranchingPacking | UnmetDemand:
    """Branchings that meet the demands of all root sets, or a node set that shows there are none.

    They exist if and only if every node set is entered by at least the total demand of the root
    sets disjoint from it (Edmonds 1973; Schrijver, *Combinatorial Optimization*, chapter 53).

    `roots` are pairs (nodes, demand); capacities and demands are rational and not negative.
    Integers give integer weights.  Arcs may be parallel, loops, of capacity zero, or enter a root.
    No branching is listed twice.  There are at most m + h - n branchings, for m arcs of positive
    capacity, h root sets of positive demand and n nodes missing from one of these root sets at
    least; with one root and no arcs into it, that is m - size + 2.  With `prefer="few"` arcs are
    chosen so that there tend to be few, with "shallow" so that nodes tend to be close to a root.

    The number of maximum flows is polynomial in the size of the graph, whatever the numbers; it
    grows with the number of tight sets that the choice of arcs runs into, which is small in
    practice.  Before every flow, and every arc, the `patience` is asked.  Errors: `InvalidInput`.

    >>> packing = pack_branchings(2, [(0, 1), (1, 0)], [1, 2], [([0], 1), ([1], "3/2")])
    >>> packing.branchings == ((0, 1, (0,)), (1, Fraction(3, 2), (1,)))
    True
    >>> pack_branchings(2, [(0, 1), (1, 0)], [1, 2], [([0], 2)]).nodes
    (1,)
    """
    graph = _checked(size, arcs, capacities, roots, prefer)
    unmet = graph.unmet_set(patience)
    if unmet is not None:
        return UnmetDemand(
            size,
            graph.arcs,
            graph.given,
            graph.roots,
            tuple(sorted(unmet)),
            Fraction(graph.entering(unmet), graph.denominator),
            Fraction(graph.needed(unmet), graph.denominator),
        )
    packed = _packed(graph, prefer, patience)
    return BranchingPacking(size, graph.arcs, graph.given, graph.roots, packed)


def disjoint_arborescences(
    size: int, root: int, arcs: Sequence[tuple[int, int]], count: int
) -> BranchingPacking | UnmetDemand:
    """Arc-disjoint spanning arborescences from a root, or a set that fewer than `count` arcs enter.

    They exist if and only if at least `count` arcs enter every nonempty set without the root
    (Edmonds 1973).  For at least two nodes each branching is one arborescence, of weight 1.
    Errors: `InvalidInput`.

    Polynomial: the maximum flows of `pack_branchings`. Reference: proofs/edmonds-branchings.md.

    >>> complete = [(tail, head) for tail in range(3) for head in range(3) if tail != head]
    >>> len(disjoint_arborescences(3, 0, complete, 2).branchings)
    2
    >>> disjoint_arborescences(3, 0, complete, 3).entering
    Fraction(2, 1)
    """
    checked_node(root, checked_size(size), "root")
    count = checked_integer(count, 0, "count", "the number of arborescences is an integer >= 0")
    return pack_branchings(size, arcs, [1] * len(arcs), [((root,), count)])


def pack_concurrently(
    size: int,
    arcs: Sequence[tuple[int, int]],
    capacities: Sequence[object],
    roots: Sequence[tuple[Sequence[int], object]],
    *,
    prefer: Preference = "few",
) -> ConcurrentBranchingPacking:
    """Branchings that meet the same multiple of all demands, the largest, and a set that shows it.

    By the theorem of `pack_branchings` the largest factor is the least of c(X) / d(X) over the
    node sets X with d(X) > 0, where c(X) is the capacity that enters X and d(X) the demand of the
    root sets disjoint from it.  An all-gather asks for this: one root set {v} of demand 1 for
    every node v.  (As in maximum concurrent flow, Shahrokhi and Matula 1990.)

    Arguments, number of branchings and cost are those of `pack_branchings`, after searches for an
    unmet set by Newton's method: each set found gives the next factor; mostly two or three are
    tried.  Errors: `InvalidInput`, also if no set has d(X) > 0, when there is no largest factor.

    Polynomial, as `pack_branchings` is. Reference: proofs/arborescence-decomposition.md.

    >>> best = pack_concurrently(3, [(0, 1), (1, 2), (2, 1)], [3, 1, 1], [([0], 2)])
    >>> best.value, best.nodes, best.branchings
    (Fraction(1, 2), (2,), (WeightedBranching(root_set=0, weight=1, arcs=(0, 1)),))
    """
    graph = _checked(size, arcs, capacities, roots, prefer)
    found = least_ratio(size, graph.arcs, graph.capacities, graph.distinct(), range(size))
    if found is None:
        rule = "a positive demand of root nodes other than all nodes is needed"
        raise InvalidInput("roots", graph.roots, rule)
    factor, nodes = found
    return ConcurrentBranchingPacking(
        size,
        graph.arcs,
        graph.given,
        graph.roots,
        _packed(graph.times(factor), prefer),
        tuple(sorted(nodes)),
        factor,
    )


@dataclass(frozen=True, slots=True)
class _Demands:
    """A checked instance, beside it capacities and demands over their common denominator."""

    size: int
    arcs: Pairs
    given: tuple[Rational, ...]
    roots: tuple[RootSet, ...]
    capacities: list[int]
    demands: list[int]
    denominator: int

    def times(self, factor: Fraction) -> _Demands:
        """The same instance with demands multiplied by the factor."""
        return replace(
            self,
            capacities=[factor.denominator * capacity for capacity in self.capacities],
            demands=[factor.numerator * demand for demand in self.demands],
            denominator=factor.denominator * self.denominator,
        )

    def distinct(self) -> list[Rooted]:
        """The root sets that need arcs, equal ones taken together."""
        demanded: dict[frozenset[int], int] = {}
        for (nodes, _), demand in zip(self.roots, self.demands, strict=True):
            if demand and len(nodes) < self.size:
                demanded[frozenset(nodes)] = demanded.get(frozenset(nodes), 0) + demand
        return [(sorted(nodes), demand) for nodes, demand in demanded.items()]

    def unmet_set(self, patience: Patience) -> list[int] | None:
        nests = [[root_set] for root_set in self.distinct()]
        nodes = range(self.size)
        return unmet_set(self.size, self.arcs, self.capacities, nests, nodes, patience)

    def entering(self, nodes: Iterable[int]) -> int:
        inside = set(nodes)
        return sum(
            capacity
            for (tail, head), capacity in zip(self.arcs, self.capacities, strict=True)
            if head in inside and tail not in inside
        )

    def needed(self, nodes: Iterable[int]) -> int:
        inside = set(nodes)
        return sum(
            demand
            for (root_set, _), demand in zip(self.roots, self.demands, strict=True)
            if inside.isdisjoint(root_set)
        )


def _checked(
    size: int,
    arcs: Sequence[tuple[int, int]],
    capacities: Sequence[object],
    roots: Sequence[tuple[Sequence[int], object]],
    prefer: Preference,
) -> _Demands:
    checked_size(size)
    if prefer not in ("few", "shallow"):
        raise InvalidInput("prefer", prefer, 'is "few" or "shallow"')
    pairs = checked_arcs(size, arcs)
    given = exact_numbers(capacities, "capacity of arc", len(pairs))
    not_negative(given, "capacity of arc")
    root_sets = []
    for index, root_set in enumerate(roots):
        pair = isinstance(root_set, (tuple, list)) and len(root_set) == 2
        if not pair or not isinstance(root_set[0], (tuple, list)):
            raise InvalidInput(f"root set {index}", root_set, "is a pair: list of nodes, demand")
        nodes = tuple(checked_node(node, size, f"root set {index}") for node in root_set[0])
        if not nodes or len(set(nodes)) < len(nodes):
            raise InvalidInput(f"root set {index}", nodes, "its nodes are distinct, at least one")
        root_sets.append(nodes)
    demands = exact_numbers([demand for _, demand in roots], "demand of root set", len(roots))
    not_negative(demands, "demand of root set")
    integers, denominator = over_common_denominator([*given, *demands])
    return _Demands(
        size,
        pairs,
        given,
        tuple(map(RootSet, root_sets, demands)),
        integers[: len(pairs)],
        integers[len(pairs) :],
        denominator,
    )


def _packed(
    graph: _Demands, prefer: Preference, patience: Patience = PATIENT
) -> tuple[WeightedBranching, ...]:
    """Branchings that meet the demands, where no set is unmet."""
    distinct = graph.distinct()
    packing = GrowingPacking(graph.size, graph.arcs, graph.capacities, distinct, prefer, patience)
    packing.finish()
    return tuple(
        WeightedBranching(index, divided(weight, graph.denominator), arcs)
        for index, weight, arcs in _shared_out(packing.done, distinct, graph)
    )


def _shared_out(
    packed: Sequence[Branching], distinct: Sequence[Rooted], graph: _Demands
) -> Iterator[Branching]:
    """Branchings of distinct root sets for the root sets as they were given, with repetitions."""
    supply: dict[frozenset[int], list[tuple[int, tuple[int, ...]]]] = {}
    for index, weight, arcs in packed:
        supply.setdefault(frozenset(distinct[index][0]), []).append((weight, arcs))
    for index, ((nodes, _), missing) in enumerate(zip(graph.roots, graph.demands, strict=True)):
        if missing and len(nodes) == graph.size:
            yield index, missing, ()
            continue
        while missing:
            offered = supply[frozenset(nodes)]
            weight, arcs = offered.pop()
            taken = min(weight, missing)
            if taken < weight:
                offered.append((weight - taken, arcs))
            missing -= taken
            yield index, taken, arcs
