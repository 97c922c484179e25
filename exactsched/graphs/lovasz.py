"""Branchings that grow arc by arc, while enough capacity is left for all of them (Lovász 1976).

The proofs are in `proofs/edmonds-branchings.md` and `proofs/arborescence-decomposition.md`.

Method: Lovász's proof of Edmonds' theorem, with whole numbers of equal branchings at once.
Limits: for kernels: `graphs.branching_packing` checks the input and asks whether a packing exists.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from typing import Literal, NamedTuple

from exactsched.exact.patience import PATIENT, Patience
from exactsched.graphs.root_connectivity import RootSet, unmet_set

Preference = Literal["few", "shallow"]
Branching = tuple[int, int, tuple[int, ...]]  # index of a root set, weight, arcs


class _Step(NamedTuple):
    """One arc was added to the innermost prefix, for part of its demand or all of it."""

    arc: int
    amount: int
    present: int  # the root set
    finished: list[int]  # arcs that left the prefix, last first, because nothing needs them more


class GrowingPacking:
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
        arcs: Sequence[tuple[int, int]],
        capacities: Sequence[int],
        roots: Sequence[RootSet],
        prefer: Preference,
        patience: Patience = PATIENT,
    ) -> None:
        self._patience = patience
        self.done: list[Branching] = []
        self._size = size
        self._arcs = arcs
        self._capacities = list(capacities)  # what is left of them
        self._roots = roots
        self._shallow = prefer == "shallow"
        self._leaving: list[list[int]] = [[] for _ in range(size)]
        self._entering: list[list[int]] = [[] for _ in range(size)]
        for arc, (tail, head) in enumerate(arcs):
            self._leaving[tail].append(arc)
            self._entering[head].append(arc)
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
        most = self._size * len(self._arcs)
        taken = 0
        while self._present < len(self._roots):
            self._patience.ask()
            choice = self._next_arc()
            if choice is not None:
                self._step(*choice)
                taken += 1
                if taken < most or self._present == len(self._roots):
                    continue
            unmet = self._unmet_set()
            if unmet is None:
                assert choice is not None  # theorem: where no slack is negative, there is an arc
                self._log.clear()
                most *= 2
            else:
                self._learn(unmet)
                while self._slacks[-1] < 0:
                    self._undo()
                most = max(1, most // 2)
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
            self._later: list[tuple[int, int]] = []
            for node in range(self._size):
                if self._depth[node] >= 0:
                    self._add_candidates(node)
        while self._candidates or self._later:
            if not self._candidates:
                self._look_deeper()
                continue
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
        """Of shallow branchings, for when all nodes nearer to the root have no more candidates.

        Where a root reaches all nodes directly, the arcs that leave those are never looked at.
        """
        if self._shallow:
            heappush(self._later, (self._depth[node], node))
        else:
            self._add_leaving(node)

    def _look_deeper(self) -> None:
        """The candidates of the nodes that are nearest to the root, of those that wait."""
        depth = self._later[0][0]
        while self._later and self._later[0][0] == depth:
            self._add_leaving(heappop(self._later)[1])

    def _add_leaving(self, node: int) -> None:
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
        nests = [nest, *waiting]
        return unmet_set(self._size, self._arcs, self._capacities, nests, heads, self._patience)

    def _learn(self, nodes: Sequence[int]) -> None:
        known = 1 << len(self._slacks)
        inside = set(nodes)
        for node in inside:
            self._around[node] |= known
        slack = sum(
            self._capacities[arc]
            for node in inside
            for arc in self._entering[node]
            if self._arcs[arc][0] not in inside
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
