"""The broadcasts with which Balanced Saturation (2025) is compared: trees, and a greedy one.

`proofs/rounds-published.md` lists what the paper leaves open, and the choices made here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from random import Random

from exactsched.certificate.synchronous import SynchronousRun, TimedArc
from exactsched.exact.errors import InvalidInput
from exactsched.graphs.reachability import breadth_first
from exactsched.synchronous.bounds import rounds_bound
from exactsched.synchronous.graph import SynchronousGraph, paired


@dataclass(frozen=True, slots=True)
class DelayTree:
    """A spanning tree: `parent` of every node (-1: the root), and `delay` after the parent.

    A node receives the first packet this many steps later than its parent, which sends it then.
    """

    parent: tuple[int, ...]
    delay: tuple[int, ...]

    def arrivals(self) -> list[int]:
        """When every node has the first packet."""
        arrival = [-1] * len(self.parent)
        arrival[self.parent.index(-1)] = 0
        for start in range(len(arrival)):
            path = []
            node = start
            while arrival[node] < 0:
                path.append(node)
                node = self.parent[node]
            for node in reversed(path):
                arrival[node] = arrival[self.parent[node]] + self.delay[node]
        return arrival

    def period(self) -> int:
        """The least number of steps after which every node can do the same with the next packet."""
        busy = [set[int]() if up < 0 else {0} for up in self.parent]
        for up, delay in zip(self.parent, self.delay, strict=True):
            if up >= 0:
                busy[up].add(delay)
        period = max(map(len, busy))
        while any(len({step % period for step in steps}) < len(steps) for steps in busy):
            period += 1
        return period


def grid_tree(*sides: int) -> DelayTree:
    """The binary tree on a grid of two or three sides, all at least 2, rooted at node 0.

    Two sides a x b: along the first row, and from each of its nodes down its column.  A node
    serves the row first, one step after it has received, so all is done in a + b - 2 steps.
    Three sides a x b x c: along the first side, from there along the third, and from there along
    the second; each direction has its own delay, 3, 1 and 2.

    >>> tree = grid_tree(4, 4)
    >>> tree.period(), max(tree.arrivals())
    (3, 6)
    >>> [(tree.period(), max(tree.arrivals())) for tree in (grid_tree(4, 4, 4), grid_tree(2, 2, 4))]
    [(4, 18), (3, 8)]
    """
    if len(sides) not in (2, 3) or any(type(side) is not int or side < 2 for side in sides):
        raise InvalidInput("sides", sides, "two or three whole numbers >= 2")
    parent: list[int] = []
    delay: list[int] = []
    for place in product(*map(range, sides)):
        node = len(parent)
        if len(sides) == 2:
            row, column = place
            if row:
                parent.append(node - sides[1])
                delay.append(2 if row == 1 and column < sides[1] - 1 else 1)
            else:
                parent.append(node - 1)
                delay.append(1)
        else:
            steps = ((1, 2), (2, 1), (0, 3))  # the direction of the last move, and its delay
            axis, wait = next((pair for pair in steps if place[pair[0]]), (2, 1))
            parent.append(node - prod(sides[axis + 1 :]))
            delay.append(wait)
    parent[0] = -1
    return DelayTree(tuple(parent), tuple(delay))


def early_tree(graph: SynchronousGraph) -> DelayTree:
    """A spanning tree on which one packet spreads quickly: in each step as far as a matching goes.

    In every step a largest matching of nodes that have the packet with nodes that lack it, as far
    as augmenting paths find one; then every node serves the child first whose subtree takes the
    longest.  For arcs that take one step.

    >>> from exactsched.synchronous.graph import synchronous_graph
    >>> from exactsched.platforms.built_in import cubic_16
    >>> tree = early_tree(synchronous_graph(cubic_16(), 0))
    >>> tree.period(), max(tree.arrivals())
    (3, 5)
    """
    root = root_of(graph)
    parent = [-1] * graph.size
    order = [root]
    informed = [node == root for node in range(graph.size)]
    leaving = arcs_from(graph)
    while len(order) < graph.size:
        server: dict[int, int] = {}
        for node in order:
            _serve(leaving, informed, server, node, set())
        for child, up in sorted(server.items()):
            parent[child] = up
            informed[child] = True
            order.append(child)
    children: list[list[int]] = [[] for _ in range(graph.size)]
    for node in order[1:]:
        children[parent[node]].append(node)
    below, delay = [0] * graph.size, [0] * graph.size
    for node in reversed(order):
        children[node].sort(key=lambda child: -below[child])
        for wait, child in enumerate(children[node], 1):
            delay[child] = wait
            below[node] = max(below[node], wait + below[child])
    return DelayTree(tuple(parent), tuple(delay))


def tree_broadcast(graph: SynchronousGraph, packets: int, tree: DelayTree) -> SynchronousRun:
    """All packets down one tree, one after the other: (packets - 1) * period + last arrival steps.

    Half-duplex, for arcs that take one step; no schedule on the tree has a shorter period than its
    largest degree.  Raises `InvalidInput` for a tree that is no spanning tree of the graph from its
    source.  Linear time in the number of transfers.

    >>> from exactsched.synchronous.graph import synchronous_graph
    >>> from exactsched.platforms.built_in import grid
    >>> tree_broadcast(synchronous_graph(grid(4, 4), 0), 100, grid_tree(4, 4)).steps
    303
    """
    root = root_of(graph)
    arc_of = {(tail, head): arc for arc, (tail, head, _) in enumerate(graph.arcs)}
    refuse_no_tree(graph, tree, root, arc_of)
    graph.origins(packets)
    arrival, period = tree.arrivals(), tree.period()
    rows: list[list[int]] = [[] for _ in range((packets - 1) * period + max(arrival))]
    for node, up in enumerate(tree.parent):
        if up >= 0:
            arc = arc_of[up, node]
            for packet in range(packets):
                rows[arrival[node] - 1 + packet * period] += arc, packet
    return stated(graph, packets, rows)


def greedy_broadcast(graph: SynchronousGraph, packets: int, *, seed: int = 0) -> SynchronousRun:
    """Every node that has a packet tries to send one to a neighbor that lacks it.

    Half-duplex, for arcs that take one step.  Nodes choose one after another, in an order drawn
    anew in each step: any idle neighbor that lacks something, and the lowest packet that it lacks.
    The paper leaves order, neighbor and packet open; these are ours.

    Raises `InvalidInput` for more than one source, arcs that take more than one step, a number of
    packets that is not positive, and a seed that is no whole number >= 0.

    >>> from exactsched.synchronous.graph import synchronous_graph
    >>> from exactsched.platforms.built_in import grid
    >>> greedy_broadcast(synchronous_graph(grid(2, 2), 0), 1).steps
    2
    """
    if type(seed) is not int or seed < 0:
        raise InvalidInput("seed", seed, "a whole number >= 0")
    root_of(graph)
    rows = greedy_steps(graph, holdings(graph, packets), packets, Random(seed))
    return stated(graph, packets, rows)


def greedy_steps(
    graph: SynchronousGraph, have: list[int], packets: int, random: Random
) -> list[list[int]]:
    """What `greedy_broadcast` sends from here on, until every node has everything.

    The bits of `have` are the packets of the nodes; they are all set in the end.
    """
    order = nearest_first(graph, root_of(graph))
    leaving = arcs_from(graph)
    everything = (1 << packets) - 1
    rows: list[list[int]] = []
    while any(held != everything for held in have):
        random.shuffle(order)
        busy = [False] * graph.size
        row: list[int] = []
        received = []
        for tail in order:
            if busy[tail]:
                continue
            useful = [pair for pair in leaving[tail] if have[tail] & ~have[pair[1]]]
            idle = [pair for pair in useful if not busy[pair[1]]]
            if idle:
                arc, head = idle[int(random.random() * len(idle))]
                busy[tail] = busy[head] = True
                lacked = have[tail] & ~have[head]
                bit = lacked & -lacked
                row += arc, bit.bit_length() - 1
                received.append((head, bit))
        for head, bit in received:
            have[head] |= bit
        rows.append(row)
    return rows


def holdings(graph: SynchronousGraph, packets: int) -> list[int]:
    """The packets of every node at the start, as the bits of integers."""
    have = [0] * graph.size
    for source, number in graph.origins(packets):
        have[source] = (1 << number) - 1
    return have


def stated(graph: SynchronousGraph, packets: int, rows: Sequence[Sequence[int]]) -> SynchronousRun:
    """The half-duplex run with these sends, with arcs of one step, and its bound."""
    bound = rounds_bound(graph, packets).steps
    return SynchronousRun(
        size=graph.size,
        arcs=tuple(map(TimedArc._make, graph.arcs)),
        ports="half-duplex",
        origins=graph.origins(packets),
        sends=tuple(map(paired, rows)),
        steps=len(rows),
        bound=bound,
        occupancy=(),
        optimal=len(rows) == bound,
        names=graph.names,
    )


def arcs_from(graph: SynchronousGraph) -> list[list[tuple[int, int]]]:
    """For each node its outgoing arcs: (arc, head)."""
    leaving: list[list[tuple[int, int]]] = [[] for _ in range(graph.size)]
    for arc, (tail, head, _) in enumerate(graph.arcs):
        leaving[tail].append((arc, head))
    return leaving


def _serve(
    leaving: Sequence[Sequence[tuple[int, int]]],
    informed: Sequence[bool],
    server: dict[int, int],
    node: int,
    tried: set[int],
) -> bool:
    """Match a node with one that lacks the packet, others with other ones if need be (Kuhn)."""
    for _, head in leaving[node]:
        if not informed[head] and head not in tried:
            tried.add(head)
            if head not in server or _serve(leaving, informed, server, server[head], tried):
                server[head] = node
                return True
    return False


def root_of(graph: SynchronousGraph) -> int:
    """The one source of a broadcast over arcs that take one step."""
    if len(graph.sources) != 1:
        raise InvalidInput("sources", list(graph.sources), "a broadcast has one source")
    for tail, head, steps in graph.arcs:
        if steps != 1:
            raise InvalidInput(f"arc {tail}->{head}", steps, "every arc takes one step")
    return graph.sources[0]


def nearest_first(graph: SynchronousGraph, root: int) -> list[int]:
    """The nodes in the order of a breadth-first search from the root."""
    leaving = arcs_from(graph)
    return list(breadth_first([root], lambda node: [head for _, head in leaving[node]]))


def refuse_no_tree(
    graph: SynchronousGraph, tree: DelayTree, root: int, arc_of: dict[tuple[int, int], int]
) -> None:
    if len(tree.parent) != graph.size or len(tree.delay) != graph.size:
        raise InvalidInput("tree", len(tree.parent), f"a tree on {graph.size} nodes")
    reached = {root}
    for start, up in enumerate(tree.parent):
        if start == root:
            if up != -1:
                raise InvalidInput(f"parent of {start}", up, "the source is the root, -1")
            continue
        if (up, start) not in arc_of:
            raise InvalidInput(f"parent of {start}", up, "a node with an arc to it")
        if tree.delay[start] < 1:
            raise InvalidInput(f"delay of {start}", tree.delay[start], "at least one step")
        path, node = set[int](), start
        while node not in reached:
            if node in path:
                raise InvalidInput(f"parent of {start}", up, "no cycle of parents")
            path.add(node)
            node = tree.parent[node]
        reached |= path
