"""Proofs that no schedule passes a value: prices of resources, and that no operation is cheaper.

Plain data that promises nothing: a solver fills it in, and `exactsched.check` believes none of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from exactsched.certificate import rules
from exactsched.certificate.limits import MAX_TARGETS
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
    is not named has no cuts.  In a combination where nodes only forward, the sets are
    sets of the group, and a path from node to node of the group pays.

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
    - `startup`: what one transfer into the set pays for its latency
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
