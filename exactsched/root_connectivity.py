"""Whether enough capacity enters every set of nodes, for demands of root sets outside of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

RootSet = tuple[Sequence[int], int]  # nodes, demand


def unmet_set(
    size: int,
    arcs: Sequence[tuple[int, int]],
    capacities: Sequence[int],
    nests: Sequence[Sequence[RootSet]],
    targets: Iterable[int],
) -> list[int] | None:
    """A set that contains a target and is entered by less than the demand disjoint from it, if any.

    A nest is a growing family of root sets: each of its pairs adds nodes to those before, and
    has a demand of its own.  Arc capacities and demands are integers >= 0.

    One maximum flow for each target at most: a source sends the demand of every root set to it,
    and from there any amount to each of its nodes, so that a node set X costs an s-t cut the
    capacity that enters X plus the demand of the root sets that X meets.  All of the demand
    reaches a target if and only if no set with it is unmet.  Whatever is known about a target
    stays known, so it is a source for the targets after it (Hao and Orlin 1994), and the flows
    become short.  They are augmented along shortest paths, found backward from the target.

    >>> unmet_set(3, [(0, 1), (1, 2)], [2, 1], [[([0], 1)]], [1, 2]) is None
    True
    >>> unmet_set(3, [(0, 1), (1, 2)], [2, 1], [[([0], 2)]], [1, 2])
    [2]
    """
    heads: list[int] = []  # edge 2k and its reverse 2k + 1
    amounts: list[int] = []
    adjacent: list[list[int]] = [[] for _ in range(size)]

    def add_edge(tail: int, head: int, amount: int) -> None:
        adjacent[tail].append(len(heads))
        adjacent[head].append(len(heads) + 1)
        heads.extend((head, tail))
        amounts.extend((amount, 0))

    for (tail, head), capacity in zip(arcs, capacities, strict=True):
        if capacity:
            add_edge(tail, head, capacity)
    total = sum(demand for nest in nests for _, demand in nest)
    adjacent.append([])
    met = [0] * size + [total]  # the demand of the root sets around a node; all, at the source
    for nest in nests:
        outer = sum(demand for _, demand in nest)
        inner = -1
        for nodes, demand in nest:
            gate = len(adjacent)
            adjacent.append([])
            met.append(0)
            add_edge(size, gate, demand)
            if inner >= 0:
                add_edge(gate, inner, outer)
            for node in nodes:
                add_edge(gate, node, outer)
                met[node] += outer
            outer -= demand
            inner = gate
    # No set with a node of all root sets needs anything.
    is_source = [demand == total for demand in met]

    residual = amounts.copy()
    for target in targets:
        if is_source[target]:
            continue
        missing = total
        changed: list[int] = []
        while missing:
            path, reaching = _path_into(target, is_source, heads, adjacent, residual)
            if not path:
                return [node for node in reaching if node < size]
            amount = min(missing, min(residual[edge] for edge in path))
            for edge in path:
                residual[edge] -= amount
                residual[edge ^ 1] += amount
            changed += path
            missing -= amount
        for edge in changed:
            residual[edge] = amounts[edge]
            residual[edge ^ 1] = amounts[edge ^ 1]
        is_source[target] = True
    return None


def _path_into(
    target: int,
    is_source: Sequence[bool],
    heads: Sequence[int],
    adjacent: Sequence[Sequence[int]],
    residual: Sequence[int],
) -> tuple[list[int], list[int]]:
    """The edges of a shortest path from a source, none if there is none; the nodes looked at."""
    onward = {target: -1}  # the edge to take towards the target
    queue = [target]
    for node in queue:  # grows while it is read
        for edge in adjacent[node]:
            backward = edge ^ 1
            if residual[backward]:
                other = heads[edge]
                if is_source[other]:
                    path = [backward]
                    while node != target:
                        path.append(onward[node])
                        node = heads[onward[node]]
                    return path, queue
                if other not in onward:
                    onward[other] = backward
                    queue.append(other)
    return [], queue
