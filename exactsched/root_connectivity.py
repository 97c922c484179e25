"""Whether enough capacity enters every set of nodes, for demands of root sets outside of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush

RootSet = tuple[Sequence[int], int]  # nodes, demand

# For every node the edges into it, as (edge, tail).  Edges come in pairs 2k and 2k + 1, each the
# way back of the other.
_Entering = list[list[tuple[int, int]]]


def unmet_set(
    size: int,
    arcs: Sequence[tuple[int, int]],
    capacities: Sequence[int],
    nests: Sequence[Sequence[RootSet]],
    targets: Iterable[int],
) -> list[int] | None:
    """A set that contains a target and is entered by less than the demand disjoint from it, if any.

    A nest is a growing family of root sets: each of its pairs adds nodes to those before, and
    has a demand of its own.  Capacities and demands are integers >= 0.

    At most one maximum flow for each target.  A source sends the demand of every root set to a
    gate, from where it may go to each node of the root set; then a cut around a node set X costs
    the capacity that enters X plus the demand of the root sets that X meets.  So all demand
    reaches a target if and only if no set that contains it is unmet.  A target about which this
    is known is a source for the targets after it (the idea of Hao and Orlin 1994); the next one
    is always the one that sources can send most over one arc, so that flows are short.

    >>> unmet_set(3, [(0, 1), (1, 2)], [2, 1], [[([0], 1)]], [1, 2]) is None
    True
    >>> unmet_set(3, [(0, 1), (1, 2)], [2, 1], [[([0], 2)]], [1, 2])
    [2]
    """
    residual: list[int] = []
    entering: _Entering = [[] for _ in range(size + 1)]
    is_source = [False] * size + [True]

    def add_edge(tail: int, head: int, amount: int) -> None:
        entering[head].append((len(residual), tail))
        entering[tail].append((len(residual) + 1, head))
        residual.extend((amount, 0))

    for (tail, head), capacity in zip(arcs, capacities, strict=True):
        if capacity:
            add_edge(tail, head, capacity)
    total = sum(demand for nest in nests for _, demand in nest)
    around = [0] * size  # the demand of the root sets that contain a node
    for nest in nests:
        outer = sum(demand for _, demand in nest)
        inner_gate = -1
        for nodes, demand in nest:
            gate = len(entering)
            entering.append([])
            is_source.append(False)
            add_edge(size, gate, demand)
            if inner_gate >= 0:
                add_edge(gate, inner_gate, outer)
            for node in nodes:
                add_edge(gate, node, outer)
                around[node] += outer
            outer -= demand
            inner_gate = gate

    waiting = set(targets)
    direct = [0] * size  # how much sources can send to a node over one arc
    queue = [(0, target) for target in sorted(waiting)]

    def merge(node: int) -> None:
        is_source[node] = True
        for edge, other in entering[node]:
            if other in waiting and residual[edge ^ 1]:
                direct[other] += residual[edge ^ 1]
                heappush(queue, (-direct[other], other))

    for node in range(size):
        if around[node] == total:  # sets that contain it need nothing
            merge(node)
    while queue:
        _, target = heappop(queue)
        if is_source[target]:
            continue
        reaching = _send(total, target, is_source, entering, residual)
        if reaching:
            return [node for node in reaching if node < size]
        merge(target)  # the flow that now ends in a source is as good as none
    return None


def _send(
    amount: int,
    target: int,
    is_source: Sequence[bool],
    entering: _Entering,
    residual: list[int],
) -> list[int]:
    """Sends so much from sources to the target, or returns all nodes that can still send to it.

    Blocking flows along shortest paths (Dinitz 1970), searched backward from the target.
    """
    while amount:
        distance = {target: 0}
        reaching = [target]
        nearest = -1
        for node in reaching:  # grows while it is read
            if nearest >= 0 and distance[node] > nearest:
                break
            for edge, tail in entering[node]:
                if residual[edge] and tail not in distance:
                    if is_source[tail]:
                        nearest = distance[node]
                        break
                    distance[tail] = distance[node] + 1
                    reaching.append(tail)
        if nearest < 0:
            return reaching

        tried = dict.fromkeys(reaching, 0)  # so many edges into a node lead to no source any more
        path: list[int] = []
        nodes = [target]  # path[i] enters nodes[i]
        while nodes and amount:
            node = nodes[-1]
            edges = entering[node]
            further = distance[node] + 1
            place = tried[node]
            while place < len(edges):
                edge, tail = edges[place]
                if residual[edge] and (is_source[tail] or distance.get(tail) == further):
                    break
                place += 1
            tried[node] = place
            if place == len(edges):
                nodes.pop()
                if path:
                    path.pop()
                    tried[nodes[-1]] += 1
                continue
            path.append(edge)
            if not is_source[tail]:
                nodes.append(tail)
                continue
            sent = min(amount, min([residual[edge] for edge in path]))
            amount -= sent
            full = len(path)
            for place, edge in enumerate(path):
                residual[edge] -= sent
                residual[edge ^ 1] += sent
                if not residual[edge]:
                    full = min(full, place)
            del path[full:], nodes[full + 1 :]
    return []
