"""Shortest paths from node to node of a group, through nodes that only forward.

Method: Dijkstra's algorithm from every node of the group; where all nodes belong to it, the arcs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import heapify, heappop, heappush
from typing import Generic, NamedTuple, TypeVar

from exactsched.model.problem import Combination
from exactsched.model.tasks import Path

N = TypeVar("N", int, float)


class Calls(NamedTuple, Generic[N]):
    """From whom to whom calls lead, by positions in the group; their lengths, and their numbers."""

    tails: Sequence[int]
    heads: Sequence[int]
    lengths: Sequence[N]
    numbers: Sequence[int]


class CallPaths:
    """The ways on which a node of a group can call another one.

    The group is one of those of the problem, or that of the blocks that have none of their own.
    Every way has a number, which it keeps; without nodes that only forward it is that of its arc.

    >>> from exactsched.model.platform import Platform
    >>> fork = Platform("asb", [("a", "s", 1), ("s", "b", 1), ("a", "b", 1)])
    >>> ways = CallPaths(Combination(fork, ((1, ("a", "b")),)))
    >>> ways.shortest([1, 1, 3])
    Calls(tails=[0], heads=[1], lengths=[2], numbers=[0])
    >>> ways.shortest([1, 1, 1]).numbers, ways.paths([1, 0]), ways.arcs([1, 0])
    ([1], [(2,), (0, 1)], [2, 0, 1])
    """

    def __init__(self, problem: Combination, group: int | None = None) -> None:
        arcs = problem.platform.arcs
        self.members = problem.members_of(group)
        self.direct = len(self.members) == len(problem.platform.nodes)
        # The nodes of the group come first.
        inside = problem.numbered(group)
        others = [node for node in problem.platform.nodes if node not in inside]
        place = {node: index for index, node in enumerate((*self.members, *others))}
        self._tails = [place[arc.tail] for arc in arcs]
        self._heads = [place[arc.head] for arc in arcs]
        self._known: list[Path] = [(arc,) for arc in range(len(arcs))] if self.direct else []
        self._number: dict[Path, int] = {}
        self._leaving: list[list[tuple[int, int]]] = [[] for _ in place]
        for arc, (tail, head) in enumerate(zip(self._tails, self._heads, strict=True)):
            self._leaving[tail].append((arc, head))

    def paths(self, numbers: Iterable[int]) -> list[Path]:
        """The arcs of every way."""
        return [self._known[number] for number in numbers]

    def arcs(self, numbers: Iterable[int]) -> Iterable[int]:
        """The arcs of all these ways together."""
        if self.direct:
            return numbers
        return [arc for number in numbers for arc in self._known[number]]

    def shortest(self, lengths: Sequence[N]) -> Calls[N]:
        """For every pair of nodes of the group a shortest path, where there is one."""
        if self.direct:
            return Calls(self._tails, self._heads, lengths, range(len(lengths)))
        tails: list[int] = []
        heads: list[int] = []
        totals: list[N] = []
        numbers: list[int] = []
        for start in range(len(self.members)):
            for head, length, path in self._reached(start, lengths):
                tails.append(start)
                heads.append(head)
                totals.append(length)
                numbers.append(self._numbered(path))
        return Calls(tails, heads, totals, numbers)

    def _reached(self, start: int, lengths: Sequence[N]) -> Iterator[tuple[int, N, Path]]:
        """The other nodes of the group, with the lengths of shortest paths and their arcs."""
        size = len(self.members)
        done = {start}
        heap: list[tuple[N, int, Path]] = [
            (lengths[arc], head, (arc,)) for arc, head in self._leaving[start]
        ]
        heapify(heap)
        while heap:
            least, node, _ = entry = heappop(heap)
            path: Path = entry[2]
            if node in done:
                continue
            done.add(node)
            if node < size:
                yield node, least, path
                continue
            for arc, head in self._leaving[node]:
                if head not in done:
                    heappush(heap, (least + lengths[arc], head, (*path, arc)))

    def _numbered(self, path: Path) -> int:
        number = self._number.setdefault(path, len(self._known))
        if number == len(self._known):
            self._known.append(path)
        return number
