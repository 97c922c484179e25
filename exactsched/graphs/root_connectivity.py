"""Whether enough capacity enters every set of nodes, for demands of root sets outside of it.

Method: one flow into each target, from sources that grow (Hao and Orlin 1994).
Limits: for kernels: nothing is checked; one unmet set is found, not the most violated one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import compress

from exactsched.exact.patience import PATIENT, Patience
from exactsched.graphs.hao_orlin import GrowingSource

RootSet = tuple[Sequence[int], int]  # nodes, demand


def unmet_set(
    size: int,
    arcs: Sequence[tuple[int, int]],
    capacities: Sequence[int],
    nests: Sequence[Sequence[RootSet]],
    targets: Iterable[int],
    patience: Patience = PATIENT,
) -> list[int] | None:
    """A set that contains a target and is entered by less than the demand disjoint from it, if any.

    A nest is a growing family of root sets: each of its pairs adds nodes to those before, and
    has a demand of its own.  Capacities and demands are integers >= 0.

    At most one maximum flow for each target.  A source sends the demand of every root set to a
    gate, from where it may go to each node of the root set; then a cut around a node set X costs
    the capacity that enters X plus the demand of the root sets that X meets.  So all demand
    reaches a target if and only if no set that contains it is unmet.  A target about which this
    is known is a source for the targets after it (the idea of Hao and Orlin 1994); the next one
    is always the one that sources can send most over one arc, so that flows are short.  Before
    every flow, the patience is asked.

    >>> unmet_set(3, [(0, 1), (1, 2)], [2, 1], [[([0], 1)]], [1, 2]) is None
    True
    >>> unmet_set(3, [(0, 1), (1, 2)], [2, 1], [[([0], 2)]], [1, 2])
    [2]
    """
    return next(unmet_sets(size, arcs, capacities, nests, targets, patience), None)


def unmet_sets(
    size: int,
    arcs: Sequence[tuple[int, int]],
    capacities: Sequence[int],
    nests: Sequence[Sequence[RootSet]],
    targets: Iterable[int],
    patience: Patience = PATIENT,
) -> Iterator[list[int]]:
    """Sets as `unmet_set` finds them, each of them without the targets of those before.

    At most one for each target; what the targets of those before send counts as enough.

    >>> list(unmet_sets(3, [(0, 1), (1, 2)], [1, 1], [[([0], 2)]], [1, 2]))
    [[1], [2]]
    """
    total = sum(demand for nest in nests for _, demand in nest)
    around = [0] * size  # the demand of the root sets that contain a node
    links = list(compress(arcs, capacities))
    room = [capacity for capacity in capacities if capacity]
    source, gate = size, size
    for nest in nests:
        demand_around = sum(demand for _, demand in nest)
        for place, (nodes, demand) in enumerate(nest):
            gate += 1
            links.append((source, gate))
            room.append(demand)
            inner = nodes if place == 0 else [gate - 1, *nodes]
            links += [(gate, node) for node in inner]
            room += [demand_around] * len(inner)
            for node in nodes:
                around[node] += demand_around
            demand_around -= demand
    # Sets with one of the others need nothing.
    waiting = {target for target in targets if around[target] < total}
    network = GrowingSource(gate + 1, source, links, room, waiting)
    for node in range(size):
        if around[node] == total:
            network.join(node)
    for _ in waiting:
        patience.ask()
        target = network.nearest()
        reaching = _send(network, total, target)
        if reaching:
            yield [node for node in reaching if node < size]
        network.join(target)


def unmet_from_root(
    size: int,
    root: int,
    arcs: Sequence[tuple[int, int]],
    capacities: Sequence[int],
    total: int,
) -> list[set[int]]:
    """Sets without the root that are entered by less than `total`, as `unmet_sets` finds them.

    None if and only if there is no such set.  A node that gets enough from one other node, and
    nothing from a third one, joins it: where a set with only one of both is unmet, so is the set
    with both, or with none.  Where arcs carry few trees, about half of all nodes join another.

    >>> unmet_from_root(4, 0, [(0, 1), (1, 2), (2, 1), (2, 3), (0, 3)], [2, 2, 1, 1, 0], 2)
    [{3}]
    """
    into: list[dict[int, int]] = [{} for _ in range(size)]
    heads: list[set[int]] = [set() for _ in range(size)]
    for (tail, head), capacity in zip(arcs, capacities, strict=True):
        if capacity and head != root and head != tail:
            into[head][tail] = into[head].get(tail, 0) + capacity
            heads[tail].add(head)
    members: list[list[int]] = [[node] for node in range(size)]
    waiting = [node for node in range(size) if len(into[node]) == 1]
    while waiting:
        node = waiting.pop()
        if len(into[node]) != 1:
            continue
        ((other, capacity),) = into[node].items()
        if capacity < total:
            continue
        into[node] = {}
        into[other].pop(node, None)
        members[other] += members[node]
        members[node] = []
        for head in heads[node] - {other}:
            into[head][other] = into[head].get(other, 0) + into[head].pop(node)
            heads[other].add(head)
            if len(into[head]) == 1:
                waiting.append(head)
        heads[other].discard(node)
        if len(into[other]) == 1:
            waiting.append(other)
    kept = [node for node in range(size) if members[node]]
    place = {node: index for index, node in enumerate(kept)}
    joined = [((place[t], place[h]), c) for h in kept for t, c in into[h].items()]
    ends, amounts = [pair for pair, _ in joined], [amount for _, amount in joined]
    source = [[([place[root]], total)]]
    found = unmet_sets(len(kept), ends, amounts, source, range(len(kept)))
    return [{node for index in nodes for node in members[kept[index]]} for nodes in found]


def _send(network: GrowingSource, amount: int, target: int) -> list[int]:
    """Sends so much from the source to the target, or returns all nodes that can still send."""
    while amount:
        reaching = network.search(target)
        if not network.distance:
            return reaching
        amount -= network.augment(target, amount)
    return []


def least_ratio(
    size: int,
    arcs: Sequence[tuple[int, int]],
    capacities: Sequence[int],
    roots: Sequence[RootSet],
    targets: Collection[int],
) -> tuple[Fraction, list[int]] | None:
    """The least c(X) / d(X) over the sets X with a target, and a set that attains it.

    c(X) is the capacity that enters X, d(X) the demand of the root sets disjoint from X; sets with
    d(X) = 0 do not count, and None is the answer if there are no others.

    >>> least_ratio(3, [(0, 1), (1, 2), (2, 1)], [3, 1, 1], [([0], 2)], range(3))
    (Fraction(1, 2), [2])
    """
    found = deque(falling_ratios(size, arcs, capacities, roots, targets), maxlen=1)
    return found.pop() if found else None


def falling_ratios(
    size: int,
    arcs: Sequence[tuple[int, int]],
    capacities: Sequence[int],
    roots: Sequence[RootSet],
    targets: Collection[int],
    patience: Patience = PATIENT,
) -> Iterator[tuple[Fraction, list[int]]]:
    """Ratios of sets, each less than the one before; the last one is that of `least_ratio`.

    Newton's method, from the best single target: each unmet set has the next ratio; mostly two or
    three are tried.

    >>> rows = [(0, 1), (1, 2), (2, 1)], [3, 1, 1], [([0], 2)], range(3)
    >>> list(falling_ratios(3, *rows))
    [(Fraction(1, 2), [2])]
    """
    entering = [0] * size
    for (tail, head), capacity in zip(arcs, capacities, strict=True):
        if tail != head:
            entering[head] += capacity
    needed = [sum(demand for _, demand in roots)] * size
    for nodes, demand in roots:
        for node in nodes:
            needed[node] -= demand
    alone = {node: Fraction(entering[node], needed[node]) for node in targets if needed[node]}
    unmet = [min(alone, key=alone.__getitem__)] if alone else None
    while unmet is not None:
        inside = set(unmet)
        capacity = sum(
            capacity
            for (tail, head), capacity in zip(arcs, capacities, strict=True)
            if head in inside and tail not in inside
        )
        ratio = Fraction(capacity, sum(d for nodes, d in roots if inside.isdisjoint(nodes)))
        yield ratio, unmet
        scaled = [ratio.denominator * capacity for capacity in capacities]
        nests = [[(nodes, ratio.numerator * demand)] for nodes, demand in roots]
        unmet = unmet_set(size, arcs, scaled, nests, targets, patience)
