"""Scatter and allgather (SRDA), as far as Balanced Saturation (2025) describes it."""

from __future__ import annotations

from collections import deque
from random import Random

from exactsched.certificate.synchronous import SynchronousRun
from exactsched.exact.errors import InvalidInput
from exactsched.synchronous.baselines import (
    DelayTree,
    greedy_steps,
    holdings,
    refuse_no_tree,
    root_of,
    stated,
)
from exactsched.synchronous.graph import SynchronousGraph


def scatter_allgather(
    graph: SynchronousGraph, packets: int, tree: DelayTree, *, seed: int = 0
) -> SynchronousRun:
    """Every node gets its share of the packets down the tree; then neighbors share what they have.

    Half-duplex, for arcs that take one step.  The shares differ by a packet at most; those of the
    nodes farthest down the tree are sent first, and of the links that could work those whose next
    packet has the longest way to go.  The second phase is that of `greedy_broadcast`: the paper
    says no more of it than that nodes share their data with their neighbors.

    Raises `InvalidInput` as `greedy_broadcast` and `tree_broadcast` do.  O(P log P) operations for
    a step of the first phase on P nodes.

    >>> from exactsched.synchronous.baselines import early_tree
    >>> from exactsched.synchronous.graph import synchronous_graph
    >>> from exactsched.platforms.built_in import grid
    >>> path = synchronous_graph(grid(3), 0)  # packets 0, 1 and 2 are for nodes 2, 1 and 0
    >>> scatter_allgather(path, 3, early_tree(path)).steps
    6
    """
    if type(seed) is not int or seed < 0:
        raise InvalidInput("seed", seed, "a whole number >= 0")
    root = root_of(graph)
    arc_of = {(tail, head): arc for arc, (tail, head, _) in enumerate(graph.arcs)}
    refuse_no_tree(graph, tree, root, arc_of)
    have = holdings(graph, packets)
    ways = _ways(tree)
    farthest = sorted(range(graph.size), key=lambda node: -len(ways[node]))
    # A packet, and the nodes that it still has to pass, the next one last.
    waiting: list[deque[tuple[int, list[int]]]] = [deque() for _ in ways]
    for packet in range(packets):
        way = ways[farthest[packet * graph.size // packets]]
        if way:
            waiting[way[-1]].append((packet, way[:]))
    rows: list[list[int]] = []
    while any(waiting):
        heads = [node for node, queue in enumerate(waiting) if queue]
        heads.sort(key=lambda node: -len(waiting[node][0][1]))
        busy = [False] * graph.size
        row: list[int] = []
        moved = []
        for node in heads:
            up = tree.parent[node]
            if not busy[node] and not busy[up]:
                busy[node] = busy[up] = True
                packet, way = waiting[node].popleft()
                row += arc_of[up, node], packet
                moved.append((node, packet, way))
        for node, packet, way in moved:
            have[node] |= 1 << packet
            way.pop()
            if way:
                waiting[way[-1]].append((packet, way))
        rows.append(row)
    return stated(graph, packets, rows + greedy_steps(graph, have, packets, Random(seed)))


def _ways(tree: DelayTree) -> list[list[int]]:
    """For each node the nodes on its path from the root, without the root, itself first."""
    ways = []
    for node in range(len(tree.parent)):
        way = []
        at = node
        while tree.parent[at] >= 0:
            way.append(at)
            at = tree.parent[at]
        ways.append(way)
    return ways
