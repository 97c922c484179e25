"""Minimum odd cuts: the least capacity between an odd number of terminals and all other nodes.

Method: minimum cuts between two terminals, and contraction (Padberg and Rao 1982).
Limits: for kernels: nothing is checked; a maximum flow for each terminal.
"""

from __future__ import annotations

from collections.abc import Sequence

from exactsched.graphs.flow import FlowNetwork


def minimum_odd_cut(
    size: int,
    edges: Sequence[tuple[int, int]],
    capacities: Sequence[int],
    terminals: Sequence[int],
) -> tuple[int, frozenset[int]]:
    """The least capacity of the edges that leave a node set with an odd number of terminals.

    An even number of distinct terminals, at least two; nodes 0..size-1; capacities are
    non-negative integers.  Nothing is checked.  Returns the capacity and such a set.

    A minimum cut between two terminals either is odd, and the other odd cuts that matter do not
    separate the two; or it is even, and some minimum odd cut does not cross it.  So graphs with
    contracted nodes and fewer terminals are left.

    Complexity: at most `len(terminals) - 1` maximum flows.
    References: Padberg and Rao 1982; proofs/matching-polytope.md, step 7.

    >>> minimum_odd_cut(4, [(0, 1), (1, 2), (2, 3)], [5, 1, 5], [0, 1, 2, 3])
    (5, frozenset({0}))
    """
    cuts = odd_cuts(size, edges, capacities, terminals)
    return min(cuts, key=lambda cut: cut[0])


def odd_cuts(
    size: int,
    edges: Sequence[tuple[int, int]],
    capacities: Sequence[int],
    terminals: Sequence[int],
) -> list[tuple[int, frozenset[int]]]:
    """The odd cuts met on the way to the least: others of small capacity are often among them.

    Input, complexity and references are those of `minimum_odd_cut`.
    """
    cuts: list[tuple[int, frozenset[int]]] = []
    # Node -> the node into which it has been contracted; the terminals that are left.
    pending = [(list(range(size)), list(terminals))]
    while pending:
        merged, left = pending.pop()
        source, sink = left[:2]
        network = FlowNetwork(size)
        for (one, other), capacity in zip(edges, capacities, strict=True):
            if merged[one] != merged[other]:
                network.add_arc(merged[one], merged[other], capacity)
                network.add_arc(merged[other], merged[one], capacity)
        value = network.push(source, sink)
        side = network.reachable(source)
        near = [node for node in left if node in side]
        if len(near) % 2:
            cuts.append((value, frozenset(v for v in range(size) if merged[v] in side)))
            if len(left) > 2:
                together = [source if node == sink else node for node in merged]
                pending.append((together, left[2:]))
        else:
            far = [node for node in left if node not in side]
            pending.append(([source if node in side else node for node in merged], far))
            pending.append(([node if node in side else sink for node in merged], near))
    return cuts
