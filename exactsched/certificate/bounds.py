"""Proofs that no schedule passes a value: prices of resources, and that no operation is cheaper.

Plain data that promises nothing: a solver fills it in, and `exactsched.check` believes none of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple, cast

from exactsched.certificate import rules
from exactsched.certificate.limits import MAX_BOUNDS, MAX_DEPTH, MAX_TARGETS
from exactsched.certificate.rules import (
    ArcIndex,
    NotNegative,
    NotNegativeFraction,
    PositiveFraction,
    RootIndex,
)
from exactsched.exact.errors import Malformed
from exactsched.exact.rational import Rational, readable, to_json
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


class Cut(NamedTuple):
    """The set of the nodes order[start], ..., order[stop - 1], with a weight.

    0 <= start < stop <= the length of `order`; sets may overlap in any way.
    """

    start: int
    stop: int
    weight: PositiveFraction


class OddSet(NamedTuple):
    """2k + 1 distinct nodes, k >= 1, inside which at most k arcs work at a time, with a price.

    Sets may overlap and repeat.
    """

    nodes: tuple[Node, ...]
    price: PositiveFraction


def _refuse_no_parts(cuts: tuple[Cut, ...], order: tuple[Node, ...], place: str) -> None:
    for index, (start, stop, _) in enumerate(cuts):
        if not 0 <= start < stop <= len(order):
            rule = "a cut is a part of the order that is not empty"
            raise Malformed(f"{place}[{index}]", [to_json(start), to_json(stop)], rule)


def _refuse_no_odd_sets(listed: tuple[OddSet, ...]) -> None:
    for index, (nodes, _) in enumerate(listed):
        if len(set(nodes)) < len(nodes) or len(nodes) < 3 or len(nodes) % 2 == 0:
            rule = "distinct nodes, an odd number from 3 on"
            raise Malformed(f"odd_sets[{index}][0]", list(nodes[:8]), rule)


@readable
@dataclass(frozen=True, slots=True)
class CutBound:
    """Prices of resources, and weights on node sets that the priced arcs can pay.

    For broadcasts, where every message has to enter a set without the source, and for allgathers,
    where the shards of all nodes outside have to enter a set with a node of the group.  For
    combinations, where what a target wants has to enter a set from each node of the group outside;
    that holds whatever nodes outside the group do.

    - `prices`: the price of each resource by its name; a resource that is not named has price 0
    - `order`: distinct nodes, without the source of a broadcast; a node that is not listed is in
      no cut
    - `cuts`: sets that messages have to enter
    - `startup_cuts`: the same for the latencies; empty except in a run of broadcasts
    - `odd_sets`: empty unless `ports` is "half-duplex" and `restrict` is "none"
    """

    TAG: ClassVar = ("by", "cuts")
    # Many cases of a proof have the same.
    REPEATED: ClassVar = True

    prices: Mapping[str, NotNegativeFraction] = field(hash=False)
    order: tuple[Node, ...]
    cuts: tuple[Cut, ...]
    startup_cuts: tuple[Cut, ...] = ()
    odd_sets: tuple[OddSet, ...] = ()

    def validate(self) -> None:
        _refuse_no_parts(self.cuts, self.order, "cuts")
        _refuse_no_parts(self.startup_cuts, self.order, "startup_cuts")
        _refuse_no_odd_sets(self.odd_sets)


class RootCuts(NamedTuple):
    """Cuts without a root, which trees to it leave and trees from it enter.

    - `root`: a node
    - `outwards`: the order of the sets that trees to the root leave: distinct nodes, not the root
    - `left`: these sets, as parts of `outwards`
    - `inwards`: the order of the sets that trees from the root enter: distinct nodes, not the root
    - `entered`: these sets, as parts of `inwards`
    - `beyond`: the order of sets that single paths from the root enter, to a node in them: distinct
      nodes, not the root
    - `passed`: these sets, as parts of `beyond`
    - `group`: for blocks of the group with this index; without it for those without a group of
      their own
    """

    root: Node
    outwards: tuple[Node, ...]
    left: tuple[Cut, ...]
    inwards: tuple[Node, ...]
    entered: tuple[Cut, ...]
    beyond: tuple[Node, ...] = ()
    passed: tuple[Cut, ...] = ()
    group: int | None = None


@readable
@dataclass(frozen=True, slots=True)
class TreeBound:
    """Prices of resources, and for every root cuts that the priced arcs can pay.

    For combinations and allgathers, whose trees lead from their roots.  A sum at a root takes an
    arc out of every set without it, a sum everywhere takes a tree to some root and another from it.
    A message takes an arc into every set without its source that contains a target.  A root that
    is not named has no cuts.  Where nodes only forward, the sets are sets of the group, and a path
    from node to node of the group pays.

    - `prices`: the price of each resource by its name; a resource that is not named has price 0
    - `roots`: rows with different roots, or of different groups
    - `odd_sets`: empty unless `ports` is "half-duplex"
    """

    TAG: ClassVar = ("by", "trees")

    prices: Mapping[str, NotNegativeFraction] = field(hash=False)
    roots: tuple[RootCuts, ...]
    odd_sets: tuple[OddSet, ...] = ()

    def validate(self) -> None:
        for number, row in enumerate(self.roots):
            for name, order, cuts in (
                ("left", row.outwards, row.left),
                ("entered", row.inwards, row.entered),
                ("passed", row.beyond, row.passed),
            ):
                _refuse_no_parts(cuts, order, f"roots[{number}].{name}")
        _refuse_no_odd_sets(self.odd_sets)


@readable
@dataclass(frozen=True, slots=True)
class LatencyBound:
    """Prices, a set of nodes, and when at the earliest something can enter it.

    For runs of allgathers: what some roots have has to enter the set, after it came to an arc into
    the set, and early enough to go on to a node of the group inside.  For runs of combinations:
    values of the group outside have to enter it, for the sums of some blocks inside.

    - `prices`: the price of each resource by its name; a resource that is not named has price 0
    - `nodes`: the set, with a node of the group; distinct nodes
    - `roots`: the roots whose shards are counted, outside the set, or the blocks that are counted,
      with a target in the set; not empty, distinct
    - `early`: for every node a number; what is counted is not there before
    - `late`: for every node a number; from there to where it goes in the set takes as long
    - `weight`: what one unit of size pays where it enters the set
    - `startup`: what one transfer into the set pays besides
    """

    TAG: ClassVar = ("by", "latencies")

    prices: Mapping[str, NotNegativeFraction] = field(hash=False)
    nodes: tuple[Node, ...]
    roots: tuple[RootIndex, ...]
    early: tuple[Rational, ...]
    late: tuple[Rational, ...]
    weight: NotNegativeFraction
    startup: NotNegativeFraction

    def validate(self) -> None:
        for name, listed in (("nodes", self.nodes), ("roots", self.roots)):
            rules.not_empty(listed, name)
            if len(set(listed)) < len(listed):
                raise Malformed(name, list(listed[:8]), "each is named once")


class NodePotential(NamedTuple):
    """What a unit of size is worth at a node outside the group, which only forwards."""

    node: Node
    potential: PositiveFraction


class EnteredSet(NamedTuple):
    """A set of distinct nodes, not empty, with a weight."""

    nodes: tuple[Node, ...]
    weight: PositiveFraction


@readable
@dataclass(frozen=True, slots=True)
class ForwardingBound:
    """Prices, potentials of nodes that only forward, and weights on sets (allgathers).

    Each of these nodes sends once what it has received.  So this bounds allgathers in which none of
    them copies, where cuts alone bound others as well.

    - `prices`: the price of each resource by its name; a resource that is not named has price 0
    - `potentials`: of distinct nodes outside the group; 0 at all others
    - `sets`: which shards have to enter
    """

    TAG: ClassVar = ("by", "forwarding")

    prices: Mapping[str, NotNegativeFraction] = field(hash=False)
    potentials: tuple[NodePotential, ...]
    sets: tuple[EnteredSet, ...]

    def validate(self) -> None:
        named = [node for node, _ in self.potentials]
        if len(set(named)) < len(named):
            raise Malformed("potentials", named[:8], "each node is named once")
        for index, (nodes, _) in enumerate(self.sets):
            rules.not_empty(nodes, f"sets[{index}][0]")
            if len(set(nodes)) < len(nodes):
                raise Malformed(f"sets[{index}][0]", list(nodes[:8]), "each node is named once")

    @property
    def odd_sets(self) -> tuple[OddSet, ...]:
        """None has a price."""
        return ()


class TargetShare(NamedTuple):
    """Some targets of a message, and what it costs at least to send it on to each set of them.

    From 1 to 10 targets, each once.  Their sets are numbered by sums of 2^i, for the i-th of them.
    `costs` has a row for each set that is not empty, by its number, from 1; in each row a number
    for every node of the group, in the order of the platform: what such a node that has the message
    pays.
    """

    targets: tuple[Node, ...]
    costs: tuple[tuple[Rational, ...], ...]


@readable
@dataclass(frozen=True, slots=True)
class TargetBound:
    """Prices, and what it costs at least to send a message on to sets of targets.

    For a combination whose only block is a message.  From node to node of the group the costs fall,
    over all shares together, by no more than a path pays.

    - `prices`: the price of each resource by its name; a resource that is not named has price 0
    - `shares`: of different targets of the message, not of its source; not empty
    - `odd_sets`: empty unless `ports` is "half-duplex"
    """

    TAG: ClassVar = ("by", "targets")

    prices: Mapping[str, NotNegativeFraction] = field(hash=False)
    shares: tuple[TargetShare, ...]
    odd_sets: tuple[OddSet, ...] = ()

    def validate(self) -> None:
        rules.not_empty(self.shares, "shares")
        listed = [node for share in self.shares for node in share.targets]
        if len(set(listed)) < len(listed):
            raise Malformed("shares", len(listed), "each target is in one share, once")
        for number, share in enumerate(self.shares):
            if not 1 <= len(share.targets) <= MAX_TARGETS:
                rule = f"a share has from 1 to {MAX_TARGETS} targets"
                raise Malformed(f"shares[{number}].targets", len(share.targets), rule)
        _refuse_no_odd_sets(self.odd_sets)


@readable
@dataclass(frozen=True, slots=True)
class DistanceBound:
    """Prices, and for each source how far its messages have to go to every node (alltoalls).

    Along an arc a distance grows by at most the cost times the prices of the resources.

    - `prices`: the price of each resource by its name; a resource that is not named has price 0
    - `distances`: a row for every node that is the source of a demand, in the order in which
      `demands` names them first; in each a number for every node, in the order of `nodes`
    """

    TAG: ClassVar = ("by", "distances")

    prices: Mapping[str, NotNegative] = field(hash=False)
    distances: tuple[tuple[Rational, ...], ...]


@readable
@dataclass(frozen=True, slots=True)
class PotentialBound:
    """Prices, and for each goal a potential of every state (reductions).

    What is given has no positive potential; what a task adds to the potentials of its inputs,
    summed over the goals, is at most its priced time.

    - `prices`: the price of each resource by its name; a resource that is not named has price 0
    - `potentials`: for each goal, in the order of `goals`, a table with a row for every v[k,m],
      0 <= k <= m <= N, ordered by k and then by m; in each row a number for every node, in the
      order of `nodes`
    """

    TAG: ClassVar = ("by", "potentials")

    prices: Mapping[str, NotNegative] = field(hash=False)
    potentials: tuple[tuple[tuple[Rational, ...], ...], ...]


@readable
@dataclass(frozen=True, slots=True)
class Case:
    """One case of a split: what holds for schedules that do not use some arcs.

    - `without`: the arcs that these schedules do not use; not empty, all of them remaining arcs
      (no split above has removed them), each once
    - `proof`: by cuts or again by cases
    """

    without: tuple[ArcIndex, ...]
    proof: Bound


@readable
@dataclass(frozen=True, slots=True)
class SplitOnNode:
    """A tree enters `node` by exactly one arc: every arc into it is kept by a case.

    - `node`: not the source
    - `cases`: not empty
    """

    TAG: ClassVar = ("by", "split-on-node")

    node: Node
    cases: tuple[Case, ...]

    def validate(self) -> None:
        rules.not_empty(self.cases, "cases")


@readable
@dataclass(frozen=True, slots=True)
class SplitOnCycle:
    """An acyclic set misses an arc of the directed `cycle`: every arc of it is missed by a case.

    - `cycle`: remaining arcs in order, each once: each starts where the one before it ends, and the
      first where the last ends; not empty
    - `cases`: not empty
    """

    TAG: ClassVar = ("by", "split-on-cycle")

    cycle: tuple[ArcIndex, ...]
    cases: tuple[Case, ...]

    def validate(self) -> None:
        rules.not_empty(self.cycle, "cycle")
        rules.not_empty(self.cases, "cases")


Bound = (
    CutBound
    | TreeBound
    | LatencyBound
    | TargetBound
    | ForwardingBound
    | DistanceBound
    | PotentialBound
    | SplitOnNode
    | SplitOnCycle
)


def refuse_unfit_bound(problem: Collective, proof: Bound, run: bool) -> None:
    """Raises `Malformed` unless the proof is one for this problem; without recursion."""
    names = set(resources(problem))
    pending: list[tuple[Bound, str, int]] = [(proof, "proof", 0)]
    bounds, fit = 1, set[int]()
    while pending:
        stated, place, depth = pending.pop()
        if id(stated) in fit:  # many cases have the same record
            continue
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
                rules.indices(case.without, len(problem.platform.arcs), f"{at}.without", "arc")
                pending.append((case.proof, f"{at}.proof", depth + 1))
            continue
        for name in stated.prices:
            if name not in names:
                rule = "not a resource of this problem under its port model"
                raise Malformed(f"{place}.prices.{name}", name, rule)
        if isinstance(stated, CutBound):
            _refuse_unfit_cuts(problem, stated, place, run)
            fit.add(id(stated))
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
        rules.indices(split.cycle, len(problem.platform.arcs), f"{place}.cycle", "arc")


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
    given = set(order)
    if not given <= problem.platform.position.keys():
        for index, node in enumerate(order):
            _refuse_unknown_node(problem, node, f"{place}[{index}]")
    if len(given) < len(order) or without in given:
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
