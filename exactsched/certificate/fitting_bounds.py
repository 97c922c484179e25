"""Whether a proof fits its problem: its resources, nodes, parts and arcs, and its kind.

Nothing here says that it is right: `exactsched.check` does.
"""

from __future__ import annotations

from typing import cast

from exactsched.certificate import rules
from exactsched.certificate.bounds import (
    Bound,
    CutBound,
    DistanceBound,
    ForwardingBound,
    LatencyBound,
    OddSet,
    PotentialBound,
    SplitOnCycle,
    SplitOnNode,
    TargetBound,
    TreeBound,
)
from exactsched.certificate.limits import MAX_BOUNDS, MAX_DEPTH
from exactsched.exact.errors import Malformed
from exactsched.exact.rational import Rational
from exactsched.model.platform import Node
from exactsched.model.problem import (
    Allgather,
    Alltoall,
    Broadcast,
    Collective,
    Combination,
    Reduction,
)
from exactsched.model.resources import resources


def refuse_unfit_bound(problem: Collective, proof: Bound, run: bool) -> None:
    """Raises `Malformed` unless the proof is one for this problem; without recursion."""
    names = set(resources(problem))
    pending: list[tuple[Bound, str, int]] = [(proof, "proof", 0)]
    bounds = 1
    while pending:
        stated, place, depth = pending.pop()
        if isinstance(stated, (SplitOnNode, SplitOnCycle)):
            _refuse_unfit_split(problem, stated, place)
            if depth == MAX_DEPTH:
                raise Malformed(place, depth, f"splits are nested at most {MAX_DEPTH} deep")
            bounds += len(stated.cases)
            if bounds > MAX_BOUNDS:
                raise Malformed(place, bounds, f"a bound has at most {MAX_BOUNDS} cases in all")
            for index, case in enumerate(stated.cases):
                at = f"{place}.cases[{index}]"
                rules.not_empty(case.without, f"{at}.without")
                for number, arc in enumerate(case.without):
                    arcs = len(problem.platform.arcs)
                    rules.index(arc, arcs, f"{at}.without[{number}]", "arc")
                pending.append((case.proof, f"{at}.proof", depth + 1))
            continue
        for name in stated.prices:
            if name not in names:
                rule = "not a resource of this problem under its port model"
                raise Malformed(f"{place}.prices.{name}", name, rule)
        if isinstance(stated, CutBound):
            _refuse_unfit_cuts(problem, stated, place, run)
        elif isinstance(stated, TreeBound):
            _refuse_unfit_trees(problem, stated, place)
        elif isinstance(stated, LatencyBound):
            _refuse_unfit_latencies(problem, stated, place, run)
        elif isinstance(stated, TargetBound):
            _refuse_unfit_targets(problem, stated, place)
        elif isinstance(stated, ForwardingBound):
            _refuse_unfit_forwarding(problem, stated, place)
        elif isinstance(stated, DistanceBound):
            _refuse_unfit_distances(problem, stated, place)
        else:
            _refuse_unfit_potentials(problem, stated, place)


def _refuse_unfit_split(problem: Collective, split: SplitOnNode | SplitOnCycle, place: str) -> None:
    needed = "tree" if isinstance(split, SplitOnNode) else "dag"
    if not isinstance(problem, Broadcast) or problem.restrict != needed:
        rule = f"this split is for broadcasts with the restriction {needed} only"
        raise Malformed(place, split.TAG[1], rule)
    if isinstance(split, SplitOnNode):
        _refuse_unknown_node(problem, split.node, f"{place}.node")
        if split.node == problem.source:
            raise Malformed(f"{place}.node", split.node, "no tree enters the source")
    else:
        for index, arc in enumerate(split.cycle):
            arcs = len(problem.platform.arcs)
            rules.index(arc, arcs, f"{place}.cycle[{index}]", "arc")


def _refuse_unfit_cuts(problem: Collective, bound: CutBound, place: str, run: bool) -> None:
    if not isinstance(problem, (Broadcast, Allgather, Combination)):
        rule = "cuts bound broadcasts, allgathers and combinations only"
        raise Malformed(place, bound.TAG[1], rule)
    if isinstance(problem, Combination) and problem.mixed:
        raise Malformed(place, bound.TAG[1], "a mix is bounded by trees")
    restricted = isinstance(problem, Broadcast) and problem.restrict != "none"
    source = problem.source if isinstance(problem, Broadcast) else None
    _refuse_no_order(problem, bound.order, source, f"{place}.order", "source")
    if bound.startup_cuts and not (run and isinstance(problem, Broadcast)):
        rule = "only in a run of broadcasts there are latencies to pay for cuts"
        raise Malformed(f"{place}.startup_cuts", len(bound.startup_cuts), rule)
    if bound.odd_sets and (problem.ports != "half-duplex" or restricted):
        rule = "odd sets have prices under half-duplex ports and without a restriction only"
        raise Malformed(f"{place}.odd_sets", problem.ports, rule)
    _refuse_unknown_odd_sets(problem, bound.odd_sets, place)


def _refuse_unfit_trees(problem: Collective, bound: TreeBound, place: str) -> None:
    if not isinstance(problem, (Allgather, Combination)):
        raise Malformed(place, bound.TAG[1], "trees bound allgathers and combinations only")
    if isinstance(problem, Combination) and problem.multicast:
        raise Malformed(place, bound.TAG[1], "a message to some nodes is bounded by targets")
    seen: dict[int | None, set[Node]] = {}
    for index, row in enumerate(bound.roots):
        at = f"{place}.roots[{index}]"
        known = problem.group
        if row.group is not None:
            asked = problem if isinstance(problem, Combination) else None
            groups = asked.groups or () if asked else ()
            rules.index(row.group, len(groups), f"{at}.group", "group")
            known = cast(Combination, asked).numbered(row.group)
        _refuse_unknown_node(problem, row.root, f"{at}.root")
        named = seen.setdefault(row.group, set())
        if row.root in named:
            raise Malformed(f"{at}.root", row.root, "a root is named once")
        named.add(row.root)
        if isinstance(problem, Allgather) and (row.left or row.passed):
            rule = "the trees of an allgather lead from their root only"
            raise Malformed(f"{at}.left", len(row.left or row.passed), rule)
        _refuse_no_order(problem, row.outwards, row.root, f"{at}.outwards", "root")
        _refuse_no_order(problem, row.inwards, row.root, f"{at}.inwards", "root")
        _refuse_no_order(problem, row.beyond, row.root, f"{at}.beyond", "root")
        for name, order in (
            ("outwards", row.outwards),
            ("inwards", row.inwards),
            ("beyond", row.beyond),
        ):
            if not known.issuperset((row.root, *order)):
                rule = "the root and its sets are nodes of the group"
                raise Malformed(f"{at}.{name}", list(order[:8]), rule)
    _refuse_odd_sets_of_others(problem, bound.odd_sets, place)


def _refuse_unfit_latencies(
    problem: Collective, bound: LatencyBound, place: str, run: bool
) -> None:
    if not (run and isinstance(problem, (Allgather, Combination))):
        rule = "latencies bound runs of allgathers and combinations only"
        raise Malformed(place, bound.TAG[1], rule)
    for index, node in enumerate(bound.nodes):
        _refuse_unknown_node(problem, node, f"{place}.nodes[{index}]")
    inside = frozenset(bound.nodes)
    if inside.isdisjoint(problem.group):
        rule = "a node of the group is in the set"
        raise Malformed(f"{place}.nodes", list(bound.nodes[:8]), rule)
    if isinstance(problem, Combination) and any(one.group is not None for one in problem.blocks):
        rule = "latencies bound combinations without groups of single blocks"
        raise Malformed(place, bound.TAG[1], rule)
    if isinstance(problem, Combination) and inside.issuperset(problem.group):
        raise Malformed(f"{place}.nodes", list(bound.nodes[:8]), "a node of the group is outside")
    for index, root in enumerate(bound.roots):
        at = f"{place}.roots[{index}]"
        if isinstance(problem, Combination):
            rules.index(root, len(problem.blocks), at, "block")
            block = problem.blocks[root]
            if block.source is not None or inside.isdisjoint(block.targets):
                raise Malformed(at, root, "a sum that is wanted in the set")
            continue
        rules.index(root, len(problem.roots), at, "root")
        if problem.roots[root].node in inside:
            raise Malformed(at, root, "a root outside the set")
    rules.one_each(bound.early, problem.platform.nodes, f"{place}.early", "node")
    rules.one_each(bound.late, problem.platform.nodes, f"{place}.late", "node")


def _refuse_unfit_forwarding(problem: Collective, bound: ForwardingBound, place: str) -> None:
    if not isinstance(problem, Allgather):
        raise Malformed(place, bound.TAG[1], "potentials of forwarding bound allgathers only")
    for index, (node, _) in enumerate(bound.potentials):
        _refuse_unknown_node(problem, node, f"{place}.potentials[{index}][0]")
        if node in problem.group:
            rule = "a node outside the group has a potential"
            raise Malformed(f"{place}.potentials[{index}][0]", node, rule)
    for index, (nodes, _) in enumerate(bound.sets):
        for number, node in enumerate(nodes):
            _refuse_unknown_node(problem, node, f"{place}.sets[{index}][0][{number}]")


def _refuse_unfit_targets(problem: Collective, bound: TargetBound, place: str) -> None:
    block, *others = problem.blocks if isinstance(problem, Combination) else [None]
    if block is None or block.source is None or others:
        rule = "sets of targets bound combinations whose only block is a message"
        raise Malformed(place, bound.TAG[1], rule)
    members = cast(Combination, problem).members
    wanting = {*block.targets} - {block.source}
    for number, share in enumerate(bound.shares):
        at = f"{place}.shares[{number}]"
        for index, node in enumerate(share.targets):
            if node not in wanting:
                rule = "a target of the message, other than its source"
                raise Malformed(f"{at}.targets[{index}]", node, rule)
        rules.one_each(share.costs, range(2 ** len(share.targets) - 1), f"{at}.costs", "set")
        for index, row in enumerate(share.costs):
            rules.one_each(row, members, f"{at}.costs[{index}]", "node of the group")
    _refuse_odd_sets_of_others(problem, bound.odd_sets, place)


def _refuse_odd_sets_of_others(problem: Collective, listed: tuple[OddSet, ...], place: str) -> None:
    if listed and problem.ports != "half-duplex":
        rule = "odd sets have prices under half-duplex ports only"
        raise Malformed(f"{place}.odd_sets", problem.ports, rule)
    _refuse_unknown_odd_sets(problem, listed, place)


def _refuse_no_order(
    problem: Collective, order: tuple[Node, ...], without: Node | None, place: str, name: str
) -> None:
    for index, node in enumerate(order):
        _refuse_unknown_node(problem, node, f"{place}[{index}]")
    if len(set(order)) < len(order) or without in order:
        raise Malformed(place, list(order[:8]), f"distinct nodes, not the {name}")


def _refuse_unknown_odd_sets(problem: Collective, listed: tuple[OddSet, ...], place: str) -> None:
    for index, (nodes, _) in enumerate(listed):
        for number, node in enumerate(nodes):
            _refuse_unknown_node(problem, node, f"{place}.odd_sets[{index}][0][{number}]")


def _refuse_unfit_distances(problem: Collective, bound: DistanceBound, place: str) -> None:
    if not isinstance(problem, Alltoall):
        raise Malformed(place, bound.TAG[1], "distances bound alltoalls only")
    rules.one_each(bound.distances, problem.sources, f"{place}.distances", "source")
    _refuse_short_rows(problem, bound.distances, f"{place}.distances")


def _refuse_unfit_potentials(problem: Collective, bound: PotentialBound, place: str) -> None:
    if not isinstance(problem, Reduction):
        raise Malformed(place, bound.TAG[1], "potentials bound reductions only")
    rules.one_each(bound.potentials, problem.goals, f"{place}.potentials", "goal")
    intervals = range(len(problem.owners) * (len(problem.owners) + 1) // 2)
    for index, table in enumerate(bound.potentials):
        rules.one_each(table, intervals, f"{place}.potentials[{index}]", "interval")
        _refuse_short_rows(problem, table, f"{place}.potentials[{index}]")


def _refuse_short_rows(
    problem: Collective, table: tuple[tuple[Rational, ...], ...], place: str
) -> None:
    for index, row in enumerate(table):
        rules.one_each(row, problem.platform.nodes, f"{place}[{index}]", "node")


def _refuse_unknown_node(problem: Collective, node: Node, place: str) -> None:
    if node not in problem.platform.position:
        raise Malformed(place, node, "not a node of the platform")
