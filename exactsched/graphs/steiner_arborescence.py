"""Cheapest arborescences from every node to every set of a few targets.

Method: Dreyfus and Wagner's dynamic program over sets of targets, on directed graphs.
Limits: 3^k steps for each node, for k targets.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from math import inf
from operator import add
from typing import Generic, TypeVar

N = TypeVar("N", int, float)

# What the best way from a node to a set begins with: an arc (its number), the division into a part
# and the rest (-1 - part), or nothing, where the node serves the set itself or cannot reach it.
_Begin = int | None


@dataclass(frozen=True, slots=True)
class SteinerTable(Generic[N]):
    """`costs[set][node]`: the least length of an arborescence from the node to the set of targets.

    A set is a sum of 2^i, for the i-th target.  Where none leads there, the cost is `far`.
    """

    targets: tuple[int, ...]
    ends: Sequence[tuple[int, int]]
    costs: list[list[N]]
    _begins: list[list[_Begin]]

    def arcs(self, node: int, number: int) -> list[int]:
        """The arcs of a cheapest arborescence, in the order from the node on."""
        found: set[int] = set()
        pending = [(node, number)]
        while pending:
            at, rest = pending.pop()
            for index, target in enumerate(self.targets):
                if target == at:
                    rest &= ~(1 << index)
            begin = self._begins[rest][at]
            if not rest or begin is None:
                continue
            if begin >= 0:
                found.add(begin)
                pending.append((self.ends[begin][1], rest))
            else:
                part = -1 - begin
                pending += [(at, part), (at, rest ^ part)]
        wanted = [self.targets[index] for index in range(len(self.targets)) if number >> index & 1]
        return _trimmed(node, wanted, self.ends, found)


def _trimmed(
    root: int, targets: Sequence[int], ends: Sequence[tuple[int, int]], chosen: Collection[int]
) -> list[int]:
    """An arborescence to the targets in the chosen arcs: arcs of length 0 may close circles."""
    leaving: dict[int, list[int]] = {}
    for index in sorted(chosen):
        leaving.setdefault(ends[index][0], []).append(index)
    enters: dict[int, int] = {}
    reached = [root]
    for node in reached:  # grows while it is read
        for index in leaving.get(node, ()):
            head = ends[index][1]
            if head != root and head not in enters:
                enters[head] = index
                reached.append(head)
    needed: set[int] = set()
    for node in targets:
        while node != root and node not in needed:
            needed.add(node)
            node = ends[enters[node]][0]
    return [enters[node] for node in reached if node in needed]


def steiner_table(
    size: int,
    arcs: Sequence[tuple[int, int]],
    lengths: Sequence[N],
    targets: Sequence[int],
    far: N,
) -> SteinerTable[N]:
    """The cheapest arborescence to a set of targets begins with an arc, or divides the set.

    Nodes are numbered below `size`; arcs (tail, head) have lengths >= 0.  `far`, the cost where no
    arborescence leads there, is finite and more than the sum of all lengths.

    O(3^k n + 2^k m log m) operations for k targets.

    Reference: Dreyfus and Wagner, Networks 1 (1971).

    >>> arcs = [(0, 1), (1, 2), (1, 3), (0, 3)]
    >>> table = steiner_table(4, arcs, [5, 1, 1, 5], [2, 3], 100)
    >>> table.costs[3][0], table.arcs(0, 3)
    (7, [0, 1, 2])
    """
    entering: list[list[tuple[int, int]]] = [[] for _ in range(size)]
    for index, (tail, head) in enumerate(arcs):
        entering[head].append((index, tail))
    costs: list[list[N]] = [[far - far] * size]
    begins: list[list[_Begin]] = [[None] * size]
    index_of = {target: index for index, target in enumerate(targets)}
    for number in range(1, 1 << len(targets)):
        labels = [far] * size
        begin: list[_Begin] = [None] * size
        _divide(number, costs, labels, begin)
        for target, index in index_of.items():
            if number >> index & 1:
                labels[target] = costs[number ^ (1 << index)][target]
                begin[target] = None
        _lead_back(labels, begin, entering, lengths)
        costs.append(labels)
        begins.append(begin)
    return SteinerTable(tuple(targets), arcs, costs, begins)


def _divide(
    number: int,
    costs: list[list[N]],
    labels: list[N],
    begin: list[_Begin],
) -> None:
    part = number & (number - 1)
    while part:
        if part > number ^ part:  # every division once
            sums = map(add, costs[part], costs[number ^ part])
            for node, both in enumerate(sums):
                if both < labels[node]:
                    labels[node], begin[node] = both, -1 - part
        part = (part - 1) & number


def _lead_back(
    labels: list[N],
    begin: list[_Begin],
    entering: Sequence[Sequence[tuple[int, int]]],
    lengths: Sequence[N],
) -> None:
    """Dijkstra's algorithm, backwards: lower the labels to those of paths to other nodes."""
    heap = [(label, node) for node, label in enumerate(labels)]
    heapify(heap)
    while heap:
        label, node = heappop(heap)
        if label > labels[node]:
            continue
        for index, tail in entering[node]:
            more = label + lengths[index]
            if more < labels[tail]:
                labels[tail], begin[tail] = more, index
                heappush(heap, (more, tail))


def nearest_targets(
    size: int,
    arcs: Sequence[tuple[int, int]],
    lengths: Sequence[N],
    source: int,
    targets: Collection[int],
) -> list[int]:
    """The arcs of an arborescence to the targets: the next one is always the nearest to the tree.

    A heuristic: at most as many times as long as the cheapest one as there are targets.  Targets
    that cannot be reached are left out.

    O(k m log m) operations for k targets.

    >>> arcs = [(0, 1), (1, 2), (1, 3), (0, 3)]
    >>> nearest_targets(4, arcs, [5.0, 1.0, 1.0, 5.0], 0, [2, 3])
    [3, 0, 1]
    """
    leaving: list[list[int]] = [[] for _ in range(size)]
    for index, (tail, _) in enumerate(arcs):
        leaving[tail].append(index)
    tree, missing = {source}, set(targets) - {source}
    found: list[int] = []
    while missing:
        labels: list[N | float] = [inf] * size
        begin = [-1] * size
        for node in tree:
            labels[node] = 0
        heap: list[tuple[N | float, int]] = [(0, node) for node in tree]
        end = -1
        while heap:
            label, node = heappop(heap)
            if label > labels[node]:
                continue
            if node in missing:
                end = node
                break
            for index in leaving[node]:
                head = arcs[index][1]
                if label + lengths[index] < labels[head]:
                    labels[head], begin[head] = label + lengths[index], index
                    heappush(heap, (labels[head], head))
        if end < 0:
            break
        path = []
        while begin[end] >= 0:
            path.append(begin[end])
            tree.add(end)
            end = arcs[begin[end]][0]
        missing -= tree
        found += reversed(path)
    return found


def ascending_cuts(
    size: int,
    arcs: Sequence[tuple[int, int]],
    lengths: Sequence[int],
    source: int,
    targets: Sequence[int],
) -> list[list[int]]:
    """For every target a potential of each node; their sums at the source bound arborescences.

    Cuts around the targets rise until each is reached over arcs that are paid for (Wong's dual
    ascent): over an arc the potentials fall by no more than its length, all together, and each is 0
    at its target.  So every arborescence from the source to the targets is at least as long as the
    potentials of the source together; it may be longer.  All targets can be reached.

    At most m cuts, O(m) operations for each and for each target.

    Reference: Wong, Mathematical Programming 28 (1984).

    >>> arcs = [(0, 1), (1, 2), (1, 3), (0, 3)]
    >>> ascending_cuts(4, arcs, [5, 1, 1, 5], 0, [2, 3])
    [[6, 1, 0, 6], [1, 1, 1, 0]]
    """
    left = list(lengths)
    entering: list[list[int]] = [[] for _ in range(size)]
    for index, (_, head) in enumerate(arcs):
        entering[head].append(index)
    potentials = [[0] * size for _ in targets]
    # By the number of arcs into its cut: where there are few, none is paid for in vain.
    heap = [(0, number) for number in range(len(targets))]
    while heap:
        _, number = heappop(heap)
        inside, crossing = _paid_for(targets[number], arcs, left, entering)
        if source in inside:
            continue
        if heap and len(crossing) > heap[0][0] > 0:
            heappush(heap, (len(crossing), number))
            continue
        least = min(left[index] for index in crossing)
        for index in crossing:
            left[index] -= least
        potential = potentials[number]
        for node in range(size):
            if node not in inside:
                potential[node] += least
        heappush(heap, (len(crossing), number))
    return potentials


def _paid_for(
    target: int, arcs: Sequence[tuple[int, int]], left: Sequence[int], entering: list[list[int]]
) -> tuple[set[int], list[int]]:
    """The nodes from which arcs that are paid for lead to the target, and the arcs into them."""
    inside, found = {target}, [target]
    crossing: list[int] = []
    for node in found:  # grows while it is read
        for index in entering[node]:
            tail = arcs[index][0]
            if left[index]:
                crossing.append(index)
            elif tail not in inside:
                inside.add(tail)
                found.append(tail)
    return inside, [index for index in crossing if arcs[index][0] not in inside]
