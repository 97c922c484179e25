"""Minimum-cost spanning arborescences with the cuts that prove them (Edmonds, Fulkerson)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import Generic, TypeVar

from exactsched.errors import InvalidInput

Number = TypeVar("Number", int, float)


@dataclass(frozen=True, slots=True)
class Arborescence(Generic[Number]):
    """A spanning arborescence of least cost and the cut packing of the same value.

    `arcs` holds the n-1 arc indices.  The dual is a laminar family written compactly: `order` lists
    all nodes but the root, and each (start, stop, weight) of `cuts` is the node set
    `order[start:stop]` with a positive weight.  On every arc, the weights of the sets that it
    enters add up to at most its cost; all weights together equal `cost`.
    """

    arcs: tuple[int, ...]
    cost: Number
    order: tuple[int, ...]
    cuts: tuple[tuple[int, int, Number], ...]


def minimum_cost_arborescence(
    size: int,
    root: int,
    tails: Sequence[int],
    heads: Sequence[int],
    costs: Sequence[Number],
) -> Arborescence[Number]:
    """A spanning arborescence of least cost equals a largest packing of root cuts (Fulkerson 1974).

    Nodes are 0..size-1; arc k goes from `tails[k]` to `heads[k]` and costs `costs[k]` >= 0, an
    integer of any size (floats are accepted for callers who only want a proposal).  Arcs into the
    root are ignored.  Raises `InvalidInput` for a negative cost and if a node cannot be reached.

    O(m log^2 n) comparisons and additions: the entering arcs of a contracted set are kept in a
    binary heap with an offset, and the smaller heap is poured into the larger.

    Reference: Edmonds 1967; Fulkerson 1974; Tarjan 1977; Schrijver, section 52.4.

    >>> best = minimum_cost_arborescence(3, 0, [0, 0, 1, 2], [1, 2, 2, 1], [5, 5, 1, 1])
    >>> best.arcs, best.cost
    ((0, 2), 6)
    >>> [(best.order[start:stop], weight) for start, stop, weight in best.cuts]
    [((1,), 1), ((2,), 1), ((1, 2), 4)]
    """
    entering, parents, children, duals = _contracted(size, root, tails, heads, costs)
    order, cuts = _laminar(parents, children, duals, root)
    chosen = _chosen(entering, parents, heads, size, root)
    zero = costs[0] - costs[0] if costs else 0
    return Arborescence(chosen, sum((costs[arc] for arc in chosen), start=zero), order, cuts)


def cheapest_arborescence(
    size: int,
    root: int,
    tails: Sequence[int],
    heads: Sequence[int],
    costs: Sequence[Number],
) -> tuple[int, ...]:
    """The arcs of `minimum_cost_arborescence`, for callers who have no use for the proof.

    >>> cheapest_arborescence(3, 0, [0, 0, 1, 2], [1, 2, 2, 1], [5, 5, 1, 1])
    (0, 2)
    """
    entering, parents, _, _ = _contracted(size, root, tails, heads, costs)
    return _chosen(entering, parents, heads, size, root)


def _contracted(
    size: int,
    root: int,
    tails: Sequence[int],
    heads: Sequence[int],
    costs: Sequence[Number],
) -> tuple[list[int], list[int], list[tuple[int, ...]], list[Number]]:
    """Edmonds' contractions: for every set its entering arc, the set around it, members, dual."""
    heaps: list[list[tuple[Number, int]]] = [[] for _ in range(size)]
    for arc, cost in enumerate(costs):
        if cost < 0:
            raise InvalidInput(f"cost of arc {arc}", cost, "costs are not negative")
        if heads[arc] != root:
            heaps[heads[arc]].append((cost, arc))
    for heap in heaps:
        heapify(heap)
    zero = costs[0] - costs[0] if costs else 0
    # Sets of the laminar family are numbered: the nodes first, then each contracted cycle.
    offsets = [zero] * size  # what a heap's keys have to be increased by
    parents = list(range(size))  # the set that a set was contracted into, itself if none
    children: list[tuple[int, ...]] = [()] * size
    duals = [zero] * size
    entering = [-1] * size
    top = list(range(size))  # union-find with path halving: node -> its outermost set
    member = list(range(size))  # outermost set's union-find root -> number of the set
    reached = [False] * size
    reached[root] = True
    position = [-1] * size  # place on the current path

    def outermost(node: int) -> int:
        while top[node] != node:
            top[node] = top[top[node]]
            node = top[node]
        return node

    for start in range(size):
        if reached[outermost(start)]:
            continue
        # Grow a path backwards along cheapest entering arcs until it meets a reached set.
        path = [outermost(start)]
        position[path[0]] = 0
        while True:
            here = path[-1]
            heap = heaps[here]
            while heap and outermost(tails[heap[0][1]]) == here:
                heappop(heap)
            if not heap:
                raise InvalidInput("arborescence", start, f"cannot be reached from the root {root}")
            key, arc = heap[0]
            current = member[here]
            duals[current] = key + offsets[here]
            offsets[here] = -key
            entering[current] = arc
            before = outermost(tails[arc])
            if reached[before]:
                for node in path:
                    reached[node] = True
                break
            if position[before] < 0:
                position[before] = len(path)
                path.append(before)
                continue
            cycle = path[position[before] :]
            del path[position[before] :]
            largest = max(cycle, key=lambda node: len(heaps[node]))
            merged, offset = heaps[largest], offsets[largest]
            contracted = len(parents)
            parents.append(contracted)
            children.append(tuple(member[node] for node in cycle))
            duals.append(zero)
            entering.append(-1)
            for node in cycle:
                parents[member[node]] = contracted
                position[node] = -1
                if node != largest:
                    shift = offsets[node] - offset
                    for key, arc in heaps[node]:
                        heappush(merged, (key + shift, arc))
                    heaps[node] = []
                    top[node] = largest
            member[largest] = contracted
            position[largest] = len(path)
            path.append(largest)

    return entering, parents, children, duals


def _chosen(
    entering: list[int], parents: Sequence[int], heads: Sequence[int], size: int, root: int
) -> tuple[int, ...]:
    """Push the entering arc of every contracted set down to the member that it enters."""
    final = [False] * len(parents)
    for outer in range(len(parents) - 1, size - 1, -1):
        inner = heads[entering[outer]]
        while inner != outer and not final[inner]:
            entering[inner] = entering[outer]
            final[inner] = True
            inner = parents[inner]
    return tuple(sorted(entering[node] for node in range(size) if node != root))


def _laminar(
    parents: Sequence[int],
    children: Sequence[tuple[int, ...]],
    duals: Sequence[Number],
    root: int,
) -> tuple[tuple[int, ...], tuple[tuple[int, int, Number], ...]]:
    """Order the nodes so that every set of the family is an interval, innermost sets first."""
    order: list[int] = []
    cuts: list[tuple[int, int, Number]] = []
    stack = [(node, -1) for node in range(len(parents) - 1, -1, -1) if parents[node] == node]
    while stack:
        outer, start = stack.pop()
        if start < 0 and children[outer]:
            stack.append((outer, len(order)))
            stack.extend((inner, -1) for inner in reversed(children[outer]))
            continue
        if outer == root:
            continue
        if start < 0:
            start = len(order)
            order.append(outer)
        if duals[outer] > 0:
            cuts.append((start, len(order), duals[outer]))
    return tuple(order), tuple(cuts)
