"""Balanced solutions of rate 1/2 whose occupancies are quarters: four frames, two arborescences.

An integer program chooses how many quarters of the time every arc works.  SCIP proposes, in
floating point; integer arithmetic then verifies the solution.  Why these solutions:
`proofs/rounds-published.md`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from exactsched.graphs.hao_orlin import GrowingSource
from exactsched.synchronous.balanced import BalancedSolution, distances
from exactsched.synchronous.baselines import root_of
from exactsched.synchronous.graph import SynchronousGraph

# Quarters of the time in which a node receives, and in which it sends at most.
_RECEIVED = 2
# An arc toward the root costs so much more than another one.
_INWARD = 100
# Every arc has a random cost below this, which tells solutions apart.
_NOISE = 50
# What it costs if a node receives nothing from nodes nearer to the root: more than anything else.
_NOTHING_OUTWARD = 10 * _INWARD
# A solution within this share of the optimum of the program is as good as the optimum.
_GAP = 0.01
# Branch and bound of one program is cut off here; on the grids of the paper it ends at the root.
_MAX_NODES = 1000


def quarter_solutions(graph: SynchronousGraph, tries: int) -> Iterator[BalancedSolution]:
    """Balanced solutions of rate 1/2 with occupancies 0, 1/4 and 1/2, at most `tries` of them.

    Every set of nodes without the root is entered at the rate 1/2.  As many nodes as possible
    receive half of that from nodes nearer to the root, and few arcs toward the root work; costs
    drawn for every try decide between such solutions.  There may be none, also where occupancies
    with other denominators exist.  One integer program with m + n variables for each round, in
    which sets that are entered by too little are added.

    >>> from exactsched.synchronous.graph import synchronous_graph
    >>> from exactsched.platforms.built_in import grid
    >>> square = next(quarter_solutions(synchronous_graph(grid(4, 4), 0), 1))
    >>> square.rate, sorted(set(square.occupancy)), sum(square.occupancy)
    (Fraction(1, 2), [Fraction(0, 1), Fraction(1, 4), Fraction(1, 2)], Fraction(15, 2))
    """
    root = root_of(graph)
    if graph.size == 1:
        return
    ends = [(tail, head) for tail, head, _ in graph.arcs]
    # Two nodes that send to each other must receive from others: most sets needed are such pairs.
    cuts = dict.fromkeys(frozenset(pair) for pair in ends if root not in pair)
    for seed in range(tries):
        quarters = _quarters(graph, root, seed, cuts)
        if quarters is None:
            return
        occupancy = tuple(Fraction(number, 2 * _RECEIVED) for number in quarters)
        yield BalancedSolution(graph, occupancy, Fraction(1, 2))


def _quarters(
    graph: SynchronousGraph, root: int, seed: int, cuts: dict[frozenset[int], None]
) -> list[int] | None:
    """How many quarters of the time every arc works; sets that have to be added join the cuts."""
    from pyscipopt import Model, quicksum

    ends = [(tail, head) for tail, head, _ in graph.arcs]
    distance = distances(graph)
    random = Random(seed)
    model = Model()
    model.hideOutput()
    model.setParam("limits/nodes", _MAX_NODES)
    model.setParam("limits/gap", _GAP)
    into: list[list[tuple[int, Any]]] = [[] for _ in range(graph.size)]
    out_of: list[list[Any]] = [[] for _ in range(graph.size)]
    outward: list[list[Any]] = [[] for _ in range(graph.size)]
    working = []
    for tail, head in ends:
        cost = random.randrange(_NOISE)
        if distance[head] < distance[tail]:
            cost += _INWARD
        most = 0 if head == root else _RECEIVED
        count = model.addVar(vtype="I", ub=most, obj=cost)
        working.append(count)
        into[head].append((tail, count))
        out_of[tail].append(count)
        if distance[head] > distance[tail]:
            outward[head].append(count)
    for node in range(graph.size):
        if node == root:
            model.addCons(quicksum(out_of[node]) <= 2 * _RECEIVED)  # (7)
            continue
        model.addCons(quicksum(out_of[node]) <= _RECEIVED)  # (7), given (14)
        model.addCons(quicksum(count for _, count in into[node]) == _RECEIVED)  # (14)
        nothing = model.addVar(ub=1, obj=_NOTHING_OUTWARD)
        model.addCons(quicksum(outward[node]) + nothing >= 1)

    def require(sets: Iterable[Collection[int]]) -> None:
        for inside in sets:
            entering = [
                count for node in inside for tail, count in into[node] if tail not in inside
            ]
            model.addCons(quicksum(entering) >= _RECEIVED)

    require(cuts)
    while True:
        model.optimize()
        if not model.getNSols():
            return None
        quarters = [round(model.getVal(count)) for count in working]
        if not _keeps_the_rules(graph, root, quarters):
            return None
        unmet = _unmet_sets(graph, root, quarters)
        if not unmet:
            return quarters
        if all(inside in cuts for inside in unmet):
            return None  # the program says that these are met: its numbers are wrong
        model.freeTransform()
        require(unmet)
        cuts.update(dict.fromkeys(unmet))


def _keeps_the_rules(graph: SynchronousGraph, root: int, quarters: Sequence[int]) -> bool:
    """Whether (7) and (14) hold; with an even number of nodes (6) follows, else it is looked at."""
    into, load = [0] * graph.size, [0] * graph.size
    for (tail, head, _), number in zip(graph.arcs, quarters, strict=True):
        into[head] += number
        load[tail] += number
        load[head] += number
    into[root] += _RECEIVED
    return (
        min(quarters) >= 0
        and set(into) == {_RECEIVED}
        and max(load) <= 2 * _RECEIVED
        and sum(quarters) <= 2 * _RECEIVED * (graph.size // 2)
    )


def _unmet_sets(
    graph: SynchronousGraph, root: int, quarters: Sequence[int]
) -> list[frozenset[int]]:
    """Disjoint sets of nodes without the root that are entered by too little; none: there is none.

    A node into which enough flows joins the source: no set with it is unmet.  So do the nodes of a
    set that is found, only to find sets elsewhere.
    """
    ends = [(tail, head) for tail, head, _ in graph.arcs]
    network = GrowingSource(graph.size, root, ends, quarters, range(graph.size))
    waiting = set(range(graph.size)) - {root}
    unmet = []
    while waiting:
        node, sent, joining = network.nearest(), 0, frozenset[int]()
        while sent < _RECEIVED and not joining:
            met = network.search(node)
            if network.distance:
                sent += network.augment(node, _RECEIVED - sent)
            else:
                joining = frozenset(met)
                unmet.append(joining)
        network.take_flow()
        for other in joining or {node}:
            network.join(other)
            waiting.discard(other)
    return unmet
