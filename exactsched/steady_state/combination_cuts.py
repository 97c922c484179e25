"""Bounds on sums and messages by cuts: blocks that are wanted in a set of nodes have to enter it.

Method: maximum flows under link ports; under other ports a node, and all others.
Limits: not tight in general, where nodes combine or copy that do not take part.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction

from exactsched.certificate.bounds import Cut, CutBound, TargetBound, TargetShare
from exactsched.certificate.graphs import MaximumFlow
from exactsched.graphs.flow import maximum_flow
from exactsched.graphs.splitting_off import largest_multiple
from exactsched.model.platform import Node
from exactsched.model.problem import Combination
from exactsched.model.resources import arc_resources, size_costs
from exactsched.steady_state.solution import Solution


def whatever_others_do(solution: Solution) -> Solution:
    """The same structures, with a bound on schedules in which nodes outside the group combine.

    With such helpers trees are not optimal, and the bound by trees does not hold
    (proofs/steady-state-order-free.md).  What holds is that of cuts: blocks that are wanted in a
    set enter it in every operation, if some node of the group is outside.  Under link ports the
    set is the tightest one, by maximum flows; under other ports it is a node, or all others.

    `solution` is that of sums: an all-reduce, a reduce, or a reduce-scatter.

    >>> from exactsched import Platform, order_free_allreduce, order_free_reduce
    >>> arcs = [arc for node in "abc" for arc in ((node, "h", 1), ("h", node, 1))]
    >>> star = order_free_allreduce(Platform("abch", arcs), "abc", ports="link")
    >>> found = whatever_others_do(star)
    >>> found.throughput, found.bound, found.optimal
    (Fraction(3, 4), Fraction(1, 1), False)
    >>> one = order_free_reduce(Platform("abch", arcs), "a", "abc")
    >>> one.throughput, whatever_others_do(one).bound
    (Fraction(1, 2), Fraction(1, 1))
    """
    problem = solution.problem
    assert isinstance(problem, Combination)
    if not solution.structures or isinstance(solution.proof, CutBound):
        return solution  # some node cannot be reached, or the bound is one of cuts already
    if problem.ports != "link":
        proof, rate = _slowest_port(problem)
    else:
        proof, rate = (_least_cut if problem.everywhere(0) else _tightest_cut)(problem)
    return replace(solution, proof=proof, bound=rate)


def emptiest_node(problem: Combination) -> tuple[CutBound, Fraction]:
    """The node of the group that least capacity enters: a block has to."""
    place = problem.platform.position
    rows = [(_speeds_into(problem, [place[node]]), node) for node in problem.members]
    speeds, node = min(rows, key=lambda row: sum(row[0].values()))
    rate = sum(speeds.values(), Fraction(0)) / problem.blocks[0].size
    return CutBound(speeds, (node,), (Cut(0, 1, Fraction(1)),)), rate


def _least_cut(problem: Combination) -> tuple[CutBound, Fraction]:
    """Of sets that divide the group, by two maximum flows for every node of it."""
    first, *others = problem.members
    pairs = [pair for other in others for pair in ((first, other), (other, first))]
    least = min(_flows(problem, pairs), key=lambda flow: flow.value)
    inside = set(range(len(problem.platform.nodes))).difference(least.cut)
    return _entered(problem, inside), least.value / problem.blocks[0].size


def _tightest_cut(problem: Combination) -> tuple[CutBound, Fraction]:
    """Of sets without all of the group, for what is wanted inside: a rate on the turned platform.

    There the sums are shards that spread.
    """
    place = problem.platform.position
    turned = [(place[arc.head], place[arc.tail]) for arc in problem.platform.arcs]
    speeds = [1 / arc.cost for arc in problem.platform.arcs]
    others = [place[node] for node in problem.platform.nodes if node not in problem.group]
    wanted = [Fraction(0)] * len(place)
    for block in problem.blocks:
        wanted[place[block.targets[0]]] += block.size
    rate, outside = largest_multiple(len(place), turned, speeds, others, wanted)
    return _entered(problem, set(range(len(place))).difference(outside)), rate


def _entered(problem: Combination, inside: Collection[int]) -> CutBound:
    """The bound by a set that blocks enter under link ports."""
    order = tuple(problem.platform.nodes[index] for index in sorted(inside))
    return CutBound(_speeds_into(problem, inside), order, (Cut(0, len(order), Fraction(1)),))


def _flows(problem: Combination, pairs: Iterable[tuple[Node, Node]]) -> list[MaximumFlow]:
    """Maximum flows from node to node."""
    place, arcs = problem.platform.position, problem.platform.arcs
    ends = [(place[arc.tail], place[arc.head]) for arc in arcs]
    speeds = [1 / arc.cost for arc in arcs]
    return [
        maximum_flow(len(place), place[source], place[sink], ends, speeds) for source, sink in pairs
    ]


def _speeds_into(problem: Combination, inside: Collection[int]) -> dict[str, Fraction]:
    """The prices of links with which a unit of size pays 1 where it enters a set."""
    place = problem.platform.position
    return {
        f"link:{index}": 1 / arc.cost
        for index, arc in enumerate(problem.platform.arcs)
        if place[arc.head] in inside and place[arc.tail] not in inside
    }


def _slowest_port(problem: Combination) -> tuple[CutBound, Fraction]:
    """In every operation blocks enter a node of the group that wants them, and others leave it.

    The time of a resource, or of several, is then at least what the quickest arcs into the node
    take, and what those out of it take.
    """
    factors, speeds = size_costs(problem)
    charged = [
        {name: cost * speeds.get(name, Fraction(1)) for name in names}
        for names, cost in zip(arc_resources(problem), factors, strict=True)
    ]
    found: list[tuple[CutBound, Fraction]] = []
    for node in problem.members:
        order = (node, *(other for other in problem.platform.nodes if other != node))
        sides: list[tuple[int, int, Fraction, list[dict[str, Fraction]]]] = []
        for start, stop, wanted in ((0, 1, {node}), (1, len(order), {*order[1:]})):
            size = sum((b.size for b in problem.blocks if wanted & {*b.targets}), Fraction(0))
            ends = [arc.tail if start else arc.head for arc in problem.platform.arcs]
            crossing = [row for row, end in zip(charged, ends, strict=True) if end == node]
            if size:
                sides.append((start, stop, size, crossing))
        for names in _resources_of(*(crossing for *_, crossing in sides)):
            cuts, time = [], Fraction(0)
            for start, stop, size, crossing in sides:
                paid = min(
                    sum((row.get(n, Fraction(0)) for n in names), Fraction(0)) for row in crossing
                )
                if paid:
                    cuts.append(Cut(start, stop, paid))
                    time += size * paid
            prices = dict.fromkeys(names, Fraction(1))
            if time:
                found.append((CutBound(prices, order, tuple(cuts)), len(names) / time))
    return min(found, key=lambda one: one[1])


def _resources_of(*sides: list[dict[str, Fraction]]) -> Iterator[tuple[str, ...]]:
    """Of the arcs on each side: each resource that all of them use, and all resources together."""
    for rows in sides:
        names = dict.fromkeys(name for row in rows for name in row)
        yield from ((name,) for name in names if all(name in row for row in rows))
        yield tuple(names)


def farthest_target(problem: Combination) -> tuple[TargetBound, Fraction]:
    """What comes to the target with the least maximum flow, under link ports."""
    place, block = problem.platform.position, problem.blocks[0]
    source = block.source
    assert source is not None
    targets = [node for node in block.targets if node != source]
    flows = _flows(problem, [(source, node) for node in targets])
    target, flow = min(zip(targets, flows, strict=True), key=lambda one: one[1].value)
    inside = set(range(len(place))).difference(flow.cut)
    costs = tuple(int(place[node] not in inside) for node in problem.members)
    share = TargetShare((target,), (costs,))
    return TargetBound(_speeds_into(problem, inside), (share,)), flow.value / block.size


def slowest_end(problem: Combination) -> tuple[TargetBound, Fraction]:
    """Every message leaves the port of its source and enters that of each target, under ports."""
    (size, targets, source, _), *_ = problem.blocks
    assert source is not None
    arcs, members = problem.platform.arcs, problem.members
    prefix = ("port", "port") if problem.ports == "half-duplex" else ("send", "recv")
    others = [node for node in targets if node != source]
    least = min(arc.cost for arc in arcs if arc.tail == source)
    ends = [(f"{prefix[0]}:{source}", others[0], least, {source})]
    for node in others:
        least = min(arc.cost for arc in arcs if arc.head == node)
        ends.append((f"{prefix[1]}:{node}", node, least, {*members} - {node}))
    port, target, least, paying = max(ends, key=lambda end: end[2])
    costs = tuple(least if node in paying else 0 for node in members)
    one = Fraction(1)
    return TargetBound({port: one}, (TargetShare((target,), (costs,)),)), one / (least * size)
