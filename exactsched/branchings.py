"""Packing branchings from given root sets into arc capacities (Edmonds 1973).

The proofs, and why there are few branchings however large the capacities, are in
`proofs/edmonds-branchings.md` and `proofs/arborescence-decomposition.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from heapq import heappop, heappush
from typing import Literal, NamedTuple

from exactsched.certificate.minmax import (
    BranchingPacking,
    ConcurrentBranchingPacking,
    Pairs,
    UnmetDemand,
)
from exactsched.errors import InvalidInput
from exactsched.inputs import (
    checked_arcs,
    checked_node,
    checked_size,
    divided,
    exact_numbers,
    not_negative,
    over_common_denominator,
    whole,
)
from exactsched.rational import Rational
from exactsched.root_connectivity import RootSet, unmet_set

Preference = Literal["few", "shallow"]
Branching = tuple[int, int, tuple[int, ...]]  # index of a root set, weight, arcs


def pack_branchings(
    size: int,
    arcs: Sequence[tuple[int, int]],
    capacities: Sequence[object],
    roots: Sequence[tuple[Sequence[int], object]],
    *,
    prefer: Preference = "few",
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
    practice.  Errors: `InvalidInput`.

    >>> pack_branchings(2, [(0, 1), (1, 0)], [1, 2], [([0], 1), ([1], "3/2")]).branchings
    ((0, 1, (0,)), (1, Fraction(3, 2), (1,)))
    >>> pack_branchings(2, [(0, 1), (1, 0)], [1, 2], [([0], 2)]).nodes
    (1,)
    """
    graph = _checked(size, arcs, capacities, roots, prefer)
    unmet = graph.unmet_set()
    if unmet is not None:
        return UnmetDemand(
            size,
            graph.arcs,
            graph.given,
            graph.roots,
            tuple(sorted(unmet)),
            divided(graph.entering(unmet), graph.denominator),
            divided(graph.needed(unmet), graph.denominator),
        )
    return BranchingPacking(size, graph.arcs, graph.given, graph.roots, _packed(graph, prefer))


def disjoint_arborescences(
    size: int, root: int, arcs: Sequence[tuple[int, int]], count: int
) -> BranchingPacking | UnmetDemand:
    """Arc-disjoint spanning arborescences from a root, or a set that fewer than `count` arcs enter.

    They exist if and only if at least `count` arcs enter every nonempty set without the root
    (Edmonds 1973).  For at least two nodes each branching is one arborescence, of weight 1.
    Errors: `InvalidInput`.

    >>> complete = [(tail, head) for tail in range(3) for head in range(3) if tail != head]
    >>> len(disjoint_arborescences(3, 0, complete, 2).branchings)
    2
    >>> disjoint_arborescences(3, 0, complete, 3).entering
    2
    """
    checked_node(root, checked_size(size), "root")
    if type(count) is not int or count < 0:
        raise InvalidInput("count", count, "the number of arborescences is an integer >= 0")
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

    >>> best = pack_concurrently(3, [(0, 1), (1, 2), (2, 1)], [3, 1, 1], [([0], 2)])
    >>> best.value, best.nodes, best.branchings
    (Fraction(1, 2), (2,), ((0, 1, (0, 1)),))
    """
    graph = _checked(size, arcs, capacities, roots, prefer)
    entering = [0] * size
    for (tail, head), capacity in zip(graph.arcs, graph.capacities, strict=True):
        if tail != head:
            entering[head] += capacity
    needed = [sum(graph.demands)] * size
    for (root_set, _), demand in zip(graph.roots, graph.demands, strict=True):
        for node in root_set:
            needed[node] -= demand
    factors = {node: Fraction(entering[node], needed[node]) for node in range(size) if needed[node]}
    if not factors:
        rule = "a positive demand of root nodes other than all nodes is needed"
        raise InvalidInput("roots", graph.roots, rule)
    unmet: list[int] | None = [min(factors, key=factors.__getitem__)]
    while unmet is not None:
        nodes = unmet
        factor = Fraction(graph.entering(nodes), graph.needed(nodes))
        scaled = graph.times(factor)
        unmet = scaled.unmet_set()
    return ConcurrentBranchingPacking(
        size,
        graph.arcs,
        graph.given,
        graph.roots,
        _packed(scaled, prefer),
        tuple(sorted(nodes)),
        whole(factor),
    )


@dataclass(frozen=True, slots=True)
class _Demands:
    """A checked instance, beside it capacities and demands over their common denominator."""

    size: int
    arcs: Pairs
    given: tuple[Rational, ...]
    roots: tuple[tuple[tuple[int, ...], Rational], ...]
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

    def distinct(self) -> list[RootSet]:
        """The root sets that need arcs, equal ones taken together."""
        demanded: dict[frozenset[int], int] = {}
        for (nodes, _), demand in zip(self.roots, self.demands, strict=True):
            if demand and len(nodes) < self.size:
                demanded[frozenset(nodes)] = demanded.get(frozenset(nodes), 0) + demand
        return [(sorted(nodes), demand) for nodes, demand in demanded.items()]

    def unmet_set(self) -> list[int] | None:
        nests = [[root_set] for root_set in self.distinct()]
        return unmet_set(self.size, self.arcs, self.capacities, nests, range(self.size))

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
        tuple(zip(root_sets, demands, strict=True)),
        integers[: len(pairs)],
        integers[len(pairs) :],
        denominator,
    )


def _packed(
    graph: _Demands, prefer: Preference
) -> tuple[tuple[int, Rational, tuple[int, ...]], ...]:
    """Branchings that meet the demands, where no set is unmet."""
    distinct = graph.distinct()
    packing = _Packing(graph.size, graph.arcs, graph.capacities, distinct, prefer)
    packing.finish()
    return tuple(
        (index, divided(weight, graph.denominator), arcs)
        for index, weight, arcs in _shared_out(packing.done, distinct, graph)
    )


def _shared_out(
    packed: Sequence[Branching], distinct: Sequence[RootSet], graph: _Demands
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


class _Step(NamedTuple):
    """One arc was added to the innermost prefix, for part of its demand or all of it."""

    arc: int
    amount: int
    present: int  # the root set
    finished: list[int]  # arcs that left the prefix, last first, because nothing needs them more


class _Packing:
    """A packing in the making: branchings that are done, prefixes of others, and what is left.

    The root sets take their turns.  The present one has a list of arcs, `_prefix`, along which
    nodes were added to it, and for each l the first l of them are the beginning of branchings of
    total weight `_demands[l]`.  A step adds an arc to the longest prefix, for as much of its
    demand as the arc and the known sets allow; the rest stays behind with the shorter prefix.
    What spans all nodes is done.

    The *slack* of a node set is the capacity left that enters it, minus the demand of the
    prefixes and the waiting root sets that do not meet it.  By the theorem the packing can be
    finished if and only if no slack is negative.  A step takes its amount from the slacks of the
    sets that its arc enters and that the prefix meets already.  Steps respect only the *known*
    sets; once in a while the others are looked at, and if a slack is negative, the set becomes
    known and the steps since it was still met are undone.
    """

    def __init__(
        self,
        size: int,
        arcs: Pairs,
        capacities: Sequence[int],
        roots: Sequence[RootSet],
        prefer: Preference,
    ) -> None:
        self.done: list[Branching] = []
        self._size = size
        self._arcs = arcs
        self._capacities = list(capacities)  # what is left of them
        self._roots = roots
        self._shallow = prefer == "shallow"
        self._leaving: list[list[int]] = [[] for _ in range(size)]
        for arc, (tail, _) in enumerate(arcs):
            self._leaving[tail].append(arc)
        # Known sets are numbered; sets of them are the bits of an integer.
        self._around = [0] * size  # the known sets with this node
        self._slacks: list[int] = []
        self._log: list[_Step] = []  # since the last time when no slack was negative
        self._begin(0)

    def finish(self) -> None:
        """Meets all demands, which must be possible.

        It looks for unmet sets when it is stuck, and after a number of steps that doubles when
        none was found and halves otherwise.  So there are few looks where there is room, and yet
        their number is polynomial.  At first it only looks when stuck: most packings of random
        digraphs are finished before that.
        """
        patience = self._size * len(self._arcs)
        taken = 0
        while self._present < len(self._roots):
            choice = self._next_arc()
            if choice is not None:
                self._step(*choice)
                taken += 1
                if taken < patience or self._present == len(self._roots):
                    continue
            unmet = self._unmet_set()
            if unmet is None:
                assert choice is not None  # theorem: where no slack is negative, there is an arc
                self._log.clear()
                patience *= 2
            else:
                self._learn(unmet)
                while self._slacks[-1] < 0:
                    self._undo()
                patience = max(1, patience // 2)
            taken = 0

    def _begin(self, present: int) -> None:
        self._present = present
        self._prefix: list[int] = []
        if present < len(self._roots):
            nodes, demand = self._roots[present]
            self._demands = [demand]
            self._depth = [-1] * self._size  # number of arcs from the root set; -1 outside
            for node in nodes:
                self._depth[node] = 0
            self._met = [self._sets_around(nodes)]  # by every prefix
            self._outside = self._size - len(nodes)
            self._candidates: list[tuple[int, int, int]] | None = None

    def _sets_around(self, nodes: Iterable[int]) -> int:
        sets = 0
        for node in nodes:
            sets |= self._around[node]
        return sets

    def _next_arc(self) -> tuple[int, int] | None:
        """An arc that leaves the nodes of the longest prefix, with its amount, by preference.

        Few branchings: of the arcs that suffice for the whole demand one with the least capacity
        left, so that it is likely to be used up at no cost; if there is none, the nearest to the
        root, widest first.  (Against widest first throughout, this gives 12 trees instead of 23 on
        random digraphs, 20 instead of 58 on sums of cycles, and 114 instead of 139 on sums of
        random trees; 32 to 40 nodes, capacities to 10^6.)  Shallow branchings: the nearest, widest
        first, even if it suffices for a small part of the demand only.
        """
        demand = self._demands[-1]
        if self._candidates is None:
            self._candidates = []
            self._narrow: list[int] = []
            for node in range(self._size):
                if self._depth[node] >= 0:
                    self._add_candidates(node)
        while self._candidates:
            _, _, arc = heappop(self._candidates)
            limit = self._limit(arc)
            if limit >= demand or (limit and self._shallow):
                return arc, min(limit, demand)
            self._narrow.append(arc)
        limits = [(self._depth[self._arcs[arc][0]], -self._limit(arc), arc) for arc in self._narrow]
        self._candidates = None  # with a smaller demand, more arcs suffice
        _, limit, arc = min((entry for entry in limits if entry[1]), default=(0, 0, 0))
        return (arc, -limit) if limit else None

    def _add_candidates(self, node: int) -> None:
        """Keys do not change while the prefix grows: only arcs inside of it lose capacity."""
        assert self._candidates is not None
        for arc in self._leaving[node]:
            capacity = self._capacities[arc]
            if capacity and self._depth[self._arcs[arc][1]] < 0:
                key = (self._depth[node], -capacity) if self._shallow else (capacity, 0)
                heappush(self._candidates, (*key, arc))

    def _limit(self, arc: int) -> int:
        """How much the arc can be used for next, as far as known sets tell."""
        tail, head = self._arcs[arc]
        if self._depth[head] >= 0:
            return 0
        limit = self._capacities[arc]
        entered = self._entered_again(tail, head)
        while entered and limit:
            lowest = entered & -entered
            limit = min(limit, self._slacks[lowest.bit_length() - 1])
            entered ^= lowest
        return limit

    def _entered_again(self, tail: int, head: int) -> int:
        return self._around[head] & ~self._around[tail] & self._met[-1]

    def _use(self, arc: int, amount: int) -> None:
        """Takes the amount from the arc and from the slacks; a negative one gives it back."""
        self._capacities[arc] -= amount
        entered = self._entered_again(*self._arcs[arc])
        while entered:
            lowest = entered & -entered
            self._slacks[lowest.bit_length() - 1] -= amount
            entered ^= lowest

    def _step(self, arc: int, amount: int) -> None:
        self._use(arc, amount)
        self._demands[-1] -= amount
        self._push(arc, amount)
        step = _Step(arc, amount, self._present, [])
        self._log.append(step)
        if self._outside:
            if self._candidates is not None:
                self._add_candidates(self._arcs[arc][1])
            return
        self.done.append((self._present, amount, tuple(self._prefix)))
        self._demands[-1] = 0
        while self._prefix and not self._demands[-1]:
            step.finished.append(self._pop())
        self._candidates = None
        if not self._demands[-1]:
            self._begin(self._present + 1)

    def _undo(self) -> None:
        arc, amount, present, finished = self._log.pop()
        if self._present != present:
            self._begin(present)
            self._demands[0] = 0
        for other in reversed(finished):
            self._push(other, 0)
        if not self._outside:
            self.done.pop()
        self._pop()
        self._demands[-1] += amount
        self._use(arc, -amount)
        self._candidates = None

    def _push(self, arc: int, demand: int) -> None:
        tail, head = self._arcs[arc]
        self._prefix.append(arc)
        self._demands.append(demand)
        self._depth[head] = self._depth[tail] + 1
        self._met.append(self._met[-1] | self._around[head])
        self._outside -= 1

    def _pop(self) -> int:
        arc = self._prefix.pop()
        self._demands.pop()
        self._depth[self._arcs[arc][1]] = -1
        self._met.pop()
        self._outside += 1
        return arc

    def _unmet_set(self) -> list[int] | None:
        """A set of negative slack, if there is one.

        It contains the head of an arc of the log, because no slack was negative before.
        """
        heads = dict.fromkeys(self._arcs[step.arc][1] for step in reversed(self._log))
        nest: list[RootSet] = []
        added = list(self._roots[self._present][0])
        for arc, demand in zip([*self._prefix, None], self._demands, strict=True):
            if demand:
                nest.append((added, demand))
                added = []
            if arc is not None:
                added.append(self._arcs[arc][1])
        waiting = [[root_set] for root_set in self._roots[self._present + 1 :]]
        return unmet_set(self._size, self._arcs, self._capacities, [nest, *waiting], heads)

    def _learn(self, nodes: Sequence[int]) -> None:
        known = 1 << len(self._slacks)
        inside = set(nodes)
        for node in inside:
            self._around[node] |= known
        slack = sum(
            capacity
            for (tail, head), capacity in zip(self._arcs, self._capacities, strict=True)
            if head in inside and tail not in inside
        )
        slack -= sum(
            demand
            for root_set, demand in self._roots[self._present + 1 :]
            if inside.isdisjoint(root_set)
        )
        self._met = [self._sets_around(self._roots[self._present][0])]
        for arc in self._prefix:
            self._met.append(self._met[-1] | self._around[self._arcs[arc][1]])
        for met, demand in zip(self._met, self._demands, strict=True):
            if not met & known:
                slack -= demand
        self._slacks.append(slack)
