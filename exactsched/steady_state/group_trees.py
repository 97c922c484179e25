"""Cheapest trees and paths of the blocks of a group: sums and messages.

Method: one cheapest arborescence for each root, and one search for shortest paths for each source.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import inf
from typing import Any

from exactsched.certificate.bounds import Cut, RootCuts
from exactsched.exact.patience import PATIENT, Patience
from exactsched.graphs.minimum_cost_arborescence import (
    Arborescence,
    arborescence_and_cuts,
    cheapest_arborescence,
)
from exactsched.graphs.shortest_paths import spread
from exactsched.model.platform import Node
from exactsched.model.problem import Combination
from exactsched.steady_state.call_paths import CallPaths, Calls

# The calls of the in-tree and those of the out-tree, by their numbers, for a block.
Pair = tuple[int, tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class _Trees:
    """The cheapest trees to a root and from it, and distances from it; each if it is needed."""

    inwards: Arborescence[int] | None
    outwards: Arborescence[int] | None
    distances: tuple[int, ...] = ()
    via: tuple[int, ...] = ()

    @property
    def cost(self) -> int:
        """Of both trees together."""
        return sum(tree.cost for tree in (self.inwards, self.outwards) if tree)


class GroupTrees:
    """Cheapest structures of the blocks of one group, under lengths of the arcs.

    `number` is that of the group; `ways` are the paths of its calls.

    >>> from exactsched.model.platform import Platform
    >>> line = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    >>> asked = Combination(line, ((1, ("c",), None, 0),), groups=(("a", "c"),))
    >>> trees = GroupTrees(asked, 0)
    >>> list(trees.cheapest([1.0, 2.0])), trees.ways.paths([0])
    ([(0, (0,), ())], [(0, 1)])
    """

    def __init__(self, problem: Combination, number: int | None) -> None:
        self.number = number
        self.ways = CallPaths(problem, number)
        self.members = self.ways.members
        self.size = len(self.members)
        member = {node: index for index, node in enumerate(self.members)}
        # Of every block the root of a tree to it, the source of a tree or path from it, and the
        # target of a path; None where there is none.  Where all are None, any root will do.
        self._ends: list[tuple[int, int | None, int | None, int | None]] = []
        for part in problem.parts_of[number]:
            _, targets, source, _ = problem.blocks[part]
            end = member[targets[0]] if len(targets) == 1 else None
            message = source is not None
            start = None if source is None else member[source]
            self._ends.append((part, None if message else end, start, end if message else None))
        self._shared = any(ends == [None] * 3 for _, *ends in self._ends)
        self._exactly: dict[int, _Trees] = {}  # of the last lengths

    def cheapest(self, lengths_of_arcs: Sequence[float]) -> Iterator[Pair]:
        """For every block of the group."""
        known = self.ways.shortest(lengths_of_arcs)
        tails, heads, lengths, _ = known
        best = _best_pair(self.size, known) if self._shared else ((), ())
        trees: dict[tuple[int, bool], tuple[int, ...]] = {}
        ways: dict[int, Sequence[int]] = {}

        def tree(root: int, inwards: bool) -> tuple[int, ...]:
            if (root, inwards) not in trees:
                ends = (heads, tails) if inwards else (tails, heads)
                found = cheapest_arborescence(self.size, root, *ends, lengths)
                trees[root, inwards] = numbers_of(known, found)
            return trees[root, inwards]

        for part, to, start, end in self._ends:
            if to is not None:
                yield part, tree(to, True), ()
            elif start is None:
                yield part, *best
            elif end is None:
                yield part, (), tree(start, False)
            else:
                if start not in ways:
                    labels = [inf] * self.size
                    labels[start] = 0.0
                    ways[start] = spread(labels, _leaving(self.size, known), lengths, inf)
                way = _path(known, ways[start], start, end)
                yield part, (), numbers_of(known, way)

    def cheapest_exactly(
        self, lengths_of_arcs: Sequence[int], patience: Patience = PATIENT
    ) -> Iterator[tuple[Pair, int]]:
        """For every block of the group, with the lengths of all calls together."""
        known = self.ways.shortest(lengths_of_arcs)
        tails, heads, lengths, _ = known
        every = set(range(self.size)) if self._shared else set[int]()
        inwards = every.union(to for _, to, _, _ in self._ends if to is not None)
        outwards = every.union(v for _, _, v, end in self._ends if v is not None and end is None)
        sources = {v for _, _, v, end in self._ends if v is not None and end is not None}
        self._exactly = {}
        for root in sorted(inwards | outwards | sources):
            patience.ask()
            self._exactly[root] = _Trees(
                arborescence_and_cuts(self.size, root, heads, tails, lengths)
                if root in inwards
                else None,
                arborescence_and_cuts(self.size, root, tails, heads, lengths)
                if root in outwards
                else None,
                *(self._distances(root, known) if root in sources else ()),
            )
        best = min(every, key=lambda root: self._exactly[root].cost, default=None)
        for part, to, start, end in self._ends:
            shared = to is None and start is None
            into, out = (best, best) if shared else (to, start)
            gathering: tuple[int, ...] = ()
            spreading: tuple[int, ...] = ()
            cost = 0
            if into is not None and (tree := self._exactly[into].inwards):
                gathering, cost = tree.arcs, tree.cost
            if out is not None and end is not None:
                trees = self._exactly[out]
                spreading, cost = _path(known, trees.via, out, end), trees.distances[end]
            elif out is not None and (tree := self._exactly[out].outwards):
                spreading, cost = tree.arcs, cost + tree.cost
            pair = part, numbers_of(known, gathering), numbers_of(known, spreading)
            yield pair, cost

    def _distances(self, start: int, known: Calls[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Distances from a node, up to that of its farthest target, and the last calls of paths."""
        far = sum(known.lengths) + 1
        labels = [far] * self.size
        labels[start] = 0
        via = spread(labels, _leaving(self.size, known), known.lengths, far)
        farthest = max(labels[end] for _, _, v, end in self._ends if v == start and end is not None)
        return tuple(min(label, farthest) for label in labels), tuple(via)

    def numbers(self) -> Iterator[int]:
        """The weights of the cuts that the last lengths give, and distances."""
        for trees in self._exactly.values():
            for tree in (trees.inwards, trees.outwards):
                if tree:
                    yield from (weight for _, _, weight in tree.cuts)
            yield from trees.distances

    def rows(self, unit: Fraction) -> Iterator[RootCuts]:
        """These cuts, with weights that are multiples of `unit`."""
        nodes = self.members

        def order(tree: Arborescence[int] | None) -> tuple[Node, ...]:
            return tuple(nodes[index] for index in tree.order) if tree else ()

        def cuts(tree: Arborescence[int] | None) -> tuple[Cut, ...]:
            return tuple(
                Cut(start, stop, weight * unit)
                for start, stop, weight in (tree.cuts if tree else ())
            )

        def levels(distances: Sequence[int]) -> tuple[tuple[Node, ...], tuple[Cut, ...]]:
            """The sets of nodes that are farther than each distance that occurs."""
            far = sorted(
                (node for node, distance in enumerate(distances) if distance),
                key=lambda node: -distances[node],
            )
            steps = sorted(set(distances), reverse=True)
            sets = [
                Cut(0, sum(distances[node] >= one for node in far), (one - other) * unit)
                for one, other in pairwise(steps)
            ]
            return tuple(nodes[node] for node in far), tuple(sets)

        for root, trees in self._exactly.items():
            yield RootCuts(
                nodes[root],
                order(trees.inwards),
                cuts(trees.inwards),
                order(trees.outwards),
                cuts(trees.outwards),
                *levels(trees.distances),
                self.number,
            )


def _leaving(size: int, known: Calls[Any]) -> list[list[tuple[int, int]]]:
    """The calls of every node of the group, with their heads."""
    found: list[list[tuple[int, int]]] = [[] for _ in range(size)]
    for call, (tail, head) in enumerate(zip(known.tails, known.heads, strict=True)):
        found[tail].append((call, head))
    return found


def _path(known: Calls[Any], via: Sequence[int], start: int, end: int) -> tuple[int, ...]:
    """The calls of a shortest path, from its start on."""
    path: list[int] = []
    while end != start:
        path.append(via[end])
        end = known.tails[via[end]]
    return tuple(reversed(path))


def numbers_of(known: Calls[Any], chosen: Iterable[int]) -> tuple[int, ...]:
    return tuple(known.numbers[index] for index in chosen)


def _best_pair(size: int, known: Calls[float]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The cheapest trees to a root and from it.

    Every node but the root pays at least its shortest call on either side.  Roots are tried in
    the order of these bounds, until a bound is no better than what has been found: on a
    complete graph of 16 nodes, link ports, that takes 6.9 s instead of 9.8 s in all.
    """
    tails, heads, lengths, _ = known
    out, into = [inf] * size, [inf] * size
    for tail, head, length in zip(tails, heads, lengths, strict=True):
        out[tail] = min(out[tail], length)
        into[head] = min(into[head], length)
    saved = [one + other for one, other in zip(out, into, strict=True)]
    total = sum(saved)
    least = inf
    best: tuple[tuple[int, ...], tuple[int, ...]] = (), ()
    for root in sorted(range(size), key=saved.__getitem__, reverse=True):
        if total - saved[root] >= least:
            break
        gathering = cheapest_arborescence(size, root, heads, tails, lengths)
        spreading = cheapest_arborescence(size, root, tails, heads, lengths)
        cost = sum([lengths[call] for call in (*gathering, *spreading)])
        if cost < least:
            least, best = cost, (gathering, spreading)
    return numbers_of(known, best[0]), numbers_of(known, best[1])
