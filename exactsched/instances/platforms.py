"""Random platforms, broadcasts, alltoalls and reductions, biased to the corners."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from typing import Any

from exactsched.instances.choices import Choices
from exactsched.model.platform import Node, Platform
from exactsched.model.problem import Alltoall, Broadcast, Ports, Reduction, Restriction

_PORTS: tuple[Ports, ...] = ("one-port", "half-duplex", "link")

# Pairwise coprime denominators make the common denominator, hence the period, large.
_DENOMINATORS = (1, 2, 3, 5, 7, 11, 4, 9, 13)
# Names that print, sort or look alike in awkward ways.
_AWKWARD: tuple[Node, ...] = (-1, "", "0", "a:0", "->", 'é"', "b c", "\\", "a,b", 99, "a")

Cost = Callable[[Choices], Fraction]


def cost(choices: Choices) -> Fraction:
    """A positive rational; every other one is 1, so that ties and symmetries are common.

    >>> from exactsched.instances.choices import Replayed
    >>> cost(Replayed([0])), cost(Replayed([1, 6, 2]))
    (Fraction(1, 1), Fraction(7, 3))
    """
    return choices.fraction(12, _DENOMINATORS) if choices.flip() else Fraction(1)


def unit_cost(choices: Choices) -> Fraction:  # noqa: ARG001
    """1."""
    return Fraction(1)


def node_names(choices: Choices, size: int) -> list[Node]:
    """Names 0..size-1, or in one case of four a mixture of integers and awkward strings."""
    if size <= len(_AWKWARD) and choices.flip(4):
        return choices.several_of(_AWKWARD, size)
    return list(range(size))


def platform(
    choices: Choices,
    *,
    min_nodes: int = 2,
    max_nodes: int = 7,
    reachable: bool | None = True,
    bipartite: bool = False,
    latencies: bool = False,
    compute: bool = False,
    cost: Cost = cost,
) -> Platform:
    """A platform with cycles, opposite arcs of different costs, sparse or nearly complete.

    `reachable` speaks of paths from the first node: to every node (True), not to every node
    (False, at least two nodes), or either (None).  `bipartite` leaves no odd undirected cycle.
    With `latencies` every other arc has one, with `compute` every other node has that attribute.
    The simplest one is a star with unit costs (reachable), or has no arcs.
    """
    size = choices.size(max(min_nodes, 2) if reachable is False else min_nodes, max_nodes)
    parents = [choices.below(node) for node in range(1, size)] if reachable or bipartite else []
    side = [0]
    for parent in parents:
        side.append(1 - side[parent])
    cut = choices.between(1, size - 1) if reachable is False else 0

    def allowed(tail: int, head: int) -> bool:
        if tail == head or tail < cut <= head:
            return False
        return not bipartite or side[tail] != side[head]

    # The cost of an arc is chosen together with it: so an arc is one piece of the choices, which
    # can be left out as a whole.
    times: dict[tuple[int, int], tuple[Fraction, Fraction]] = {}

    def link(tail: int, head: int) -> None:
        took = cost(choices)
        latency = _DEFAULT_COST(choices) if latencies and choices.flip() else Fraction(0)
        times[tail, head] = took, latency

    if reachable:
        for node, parent in enumerate(parents, start=1):
            link(parent, node)
    if choices.flip():  # nearly complete
        for tail, head in permutations(range(size), 2):
            if allowed(tail, head) and (tail, head) not in times and choices.below(3):
                link(tail, head)
    else:
        while choices.below(2 * size + 1):
            tail, head = choices.below(size), choices.below(size)
            if allowed(tail, head) and (tail, head) not in times:
                link(tail, head)
    names = node_names(choices, size)
    arcs = [
        (names[tail], names[head], *times[tail, head])
        for tail, head in choices.shuffled(list(times))
    ]
    able = choices.some_of(names) if compute else []
    return Platform(names, arcs, {name: {"compute": _DEFAULT_COST(choices)} for name in able})


_DEFAULT_COST = cost


def broadcast(
    choices: Choices,
    *,
    ports: Ports | None = None,
    restrict: Restriction = "none",
    min_nodes: int = 2,
    max_nodes: int = 7,
    reachable: bool | None = True,
    bipartite: bool = False,
    latencies: bool = False,
    cost: Cost = cost,
) -> Broadcast:
    """A broadcast under the given port model, or any; the source is anywhere in the order.

    `reachable` speaks of paths from the source, as in `platform`.
    """
    made = platform(
        choices,
        min_nodes=min_nodes,
        max_nodes=max_nodes,
        reachable=reachable,
        bipartite=bipartite,
        latencies=latencies,
        cost=cost,
    )
    source = made.nodes[0]
    mixed = Platform(choices.shuffled(made.nodes), made.arcs, made.node_data)
    return Broadcast(mixed, source, choices.one_of(_PORTS) if ports is None else ports, restrict)


def alltoall(
    choices: Choices,
    *,
    ports: Ports | None = None,
    max_nodes: int = 5,
    max_demands: int = 6,
    one_source: bool = False,
) -> Alltoall:
    """Demands between any nodes, mostly of size 1; from the first node only if `one_source`.

    Paths lead from the first node to all others, and in one case of two back as well; so a demand
    of another source may be out of reach.
    """
    chosen = choices.one_of(_PORTS) if ports is None else ports
    there = platform(choices, max_nodes=max_nodes, bipartite=chosen == "half-duplex")
    if choices.flip():
        known = {(arc.tail, arc.head) for arc in there.arcs}
        back = [
            (arc.head, arc.tail, arc.cost)
            for arc in there.arcs
            if (arc.head, arc.tail) not in known
        ]
        there = Platform(there.nodes, [*there.arcs, *back])
    sources = there.nodes[:1] if one_source else there.nodes
    pairs = [(one, other) for one in sources for other in there.nodes if one != other]
    count = choices.between(1, min(max_demands, len(pairs)))
    demands = tuple((*pair, cost(choices)) for pair in choices.several_of(pairs, count))
    return Alltoall(there, demands, chosen)  # type: ignore[arg-type]


def reduction(
    choices: Choices,
    *,
    ports: Ports | None = None,
    min_nodes: int = 2,
    max_nodes: int = 4,
    max_values: int = 3,
    same_tasks: bool = False,
) -> Reduction:
    """Some result is wanted somewhere: mostly the whole one, and mostly it can be had.

    A node owns any number of values.  It computes nothing, any task in the same time, or, unless
    `same_tasks`, some tasks in times of their own.  Sizes are equal or depend on the interval.
    """
    chosen = choices.one_of(_PORTS) if ports is None else ports
    reachable = choices.one_of((True, True, True, None))
    made = platform(
        choices,
        min_nodes=min_nodes,
        max_nodes=max_nodes,
        reachable=reachable,
        bipartite=chosen == "half-duplex",
    )
    if choices.flip():  # then paths lead from the leaves of the tree to its root
        turned = [(arc.head, arc.tail, arc.cost) for arc in made.arcs]
        made = Platform(made.nodes, turned)
    count = choices.between(2, max_values)
    owners = tuple(choices.one_of(made.nodes) for _ in range(count))
    intervals = [(k, m) for k in range(count) for m in range(k, count)]
    part = choices.one_of(intervals) if choices.flip(4) else (0, count - 1)
    there = owners[part[0]] if part[0] == part[1] else None
    target = choices.one_of([node for node in made.nodes if node != there] or made.nodes)
    if target == there:  # a single node
        part = (0, count - 1)
    size: Any = cost(choices)
    if choices.flip(3):
        size = tuple((k, m, cost(choices)) for k, m in intervals)
    kinds = ("any", "any", "none") if same_tasks else ("any", "any", "none", "some")
    compute: list[tuple[Any, ...]] = []
    for node in made.nodes:
        kind = choices.one_of(kinds)
        if kind == "any":
            compute.append((node, cost(choices)))
        elif kind == "some":
            merges = [(k, cut, m) for k, m in intervals for cut in range(k, m)]
            compute += [(node, *merge, cost(choices)) for merge in choices.some_of(merges)]
    return Reduction(made, owners, ((part, target),), size, tuple(compute), chosen)
