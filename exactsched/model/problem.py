"""What is asked: a collective on a platform under a port model."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Literal, get_args

from exactsched.exact.arguments import plain
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import pasteable
from exactsched.model.parts import (
    SWITCHES,
    Block,
    Demand,
    Shard,
    checked_block,
    checked_group,
    checked_groups,
    checked_shard,
    demands_one_by_one,
    plain_demands,
    positive,
    refuse_latencies,
    refuse_switches,
    refuse_unknown,
    row_of,
)
from exactsched.model.platform import Node, Platform, one_line, refuse_no_platform

Ports = Literal["one-port", "half-duplex", "link", "routes"]
Restriction = Literal["none", "tree", "dag"]
# All port models, and those that any platform has: routes need links.
ALL_PORTS: tuple[str, ...] = get_args(Ports)
PORTS: tuple[str, ...] = ALL_PORTS[:3]
RESTRICTIONS: tuple[str, ...] = get_args(Restriction)

# Loops over all tasks T[k,l,m] stay finite whatever a document asks: this many values, and this
# many partial results v[k,m] on nodes.
MOST_VALUES = 400
MOST_STATES = 5_000_000

_NO_OPTIONS = (
    "here switches only forward, and the bound would not hold otherwise: take the option from the"
    " node; allgather has bounds for"
    " switches that copy, allreduce (in_network_allreduce) for those that copy and combine"
)


@pasteable
@dataclass(frozen=True, slots=True)
class Broadcast:
    """A series of broadcasts of unit-size messages from `source` to all other nodes.

    - `platform`: at least two nodes
    - `source`: the node that has every message at the start
    - `ports`: which transfers exclude each other in time: in "one-port" two that leave the same
      node, and two that enter the same node; in "half-duplex" two that share a node, whichever way
      they go; in "link" two on the same arc; in "routes" none, but the transfers on a shared link
      have its bandwidth together, and no arc is without a route
    - `restrict`: which arcs may be used together: any ("none"), only those of one arborescence
      ("tree"), or only a set without a directed cycle ("dag")

    Raises `InvalidInput` for an unknown source, model or restriction, for a platform with a single
    node, where there is nothing to send, and for one with switches.
    """

    TAG: ClassVar = ("collective", "broadcast")

    platform: Platform
    source: Node
    ports: Ports = "one-port"
    restrict: Restriction = "none"

    def __post_init__(self) -> None:
        refuse_no_platform(self.platform)
        object.__setattr__(self, "source", plain(self.source))
        refuse_unknown(self.platform, self.source, "source")
        _refuse_unfit_ports(self.platform, self.ports)
        if self.restrict not in RESTRICTIONS:
            raise InvalidInput(
                "restrict", self.restrict, f"a restriction is one of {', '.join(RESTRICTIONS)}"
            )
        if self.restrict != "none" and self.ports == "routes":
            rule = "under routes a broadcast may use any arcs together"
            raise InvalidInput("restrict", self.restrict, rule)
        if len(self.platform.nodes) < 2:
            raise InvalidInput(
                "platform", self.platform.nodes[0], "a broadcast needs at least two nodes"
            )
        refuse_switches(self.platform, "an allgather with one shard sends through switches")


@pasteable
@dataclass(frozen=True)
class Alltoall:
    """A series of alltoalls: every operation sends one message for each demand.

    With a single source it is a series of scatters, with a single target of gathers.  A demand is a
    `Demand` or a tuple (source, target) or (source, target, size).

    - `platform`: no arc has a latency
    - `demands`: not empty, no two with the same source and target
    - `ports`: which transfers exclude each other, as for a broadcast

    Raises `InvalidInput` for no demand, unknown nodes, a source that is its own target, two
    demands with the same ends, switches, sizes that are not positive, and arcs with a latency.
    """

    TAG: ClassVar = ("collective", "alltoall")

    platform: Platform
    demands: tuple[Demand, ...]
    ports: Ports = "one-port"

    def __post_init__(self) -> None:
        refuse_no_platform(self.platform)
        listed = plain_demands(self.platform, self.demands)
        if listed is None:
            listed = demands_one_by_one(self.platform, self.demands)
        object.__setattr__(self, "demands", listed)
        _refuse_unfit_ports(self.platform, self.ports)
        refuse_latencies(self.platform)

    @cached_property
    def sources(self) -> tuple[Node, ...]:
        """The sources, each once, in the order of the demands."""
        return tuple(dict.fromkeys(demand.source for demand in self.demands))


@pasteable
@dataclass(frozen=True)
class Allgather:
    """A series of allgathers: in every operation all nodes of a group get the shards of the others.

    The nodes of the group are those with a shard, possibly of size 0.  All other nodes only
    forward: what such a node has received on one arc it sends on over one arc.  A shard is a
    `Shard` or a tuple (node, size).

    - `platform`: only in a run arcs have latencies
    - `shards`: of at least two nodes, each once; not all sizes 0
    - `ports`: which transfers exclude each other, as for a broadcast

    With a single size that is not 0 it is a broadcast to the group.  Raises `InvalidInput` for
    unknown nodes, switches of the platform, a node given twice, sizes below 0, fewer than two
    nodes, and no size above 0.
    """

    TAG: ClassVar = ("collective", "allgather")

    platform: Platform
    shards: tuple[Shard, ...]
    ports: Ports = "link"

    def __post_init__(self) -> None:
        refuse_no_platform(self.platform)
        listed = tuple(
            checked_shard(self.platform, index, given) for index, given in enumerate(self.shards)
        )
        if len(listed) < 2:
            raise InvalidInput("shards", len(listed), "a group has at least two nodes")
        seen = set()
        for index, (node, _) in enumerate(listed):
            if node in seen:
                raise InvalidInput(f"shard {index}", node, "this node is given twice")
            if node in self.platform.switches:
                raise InvalidInput(f"shard {index}", node, f"{SWITCHES}: leave it out of the group")
            seen.add(node)
        if not any(size for _, size in listed):
            raise InvalidInput("shards", [], "a shard that is not empty is needed")
        object.__setattr__(self, "shards", listed)
        _refuse_unfit_ports(self.platform, self.ports)

    @cached_property
    def group(self) -> frozenset[Node]:
        """The nodes with a shard."""
        return frozenset(node for node, _ in self.shards)

    @cached_property
    def roots(self) -> tuple[Shard, ...]:
        """The shards that are not empty, in their order: a part of an operation for each."""
        return tuple(shard for shard in self.shards if shard.size)


@pasteable
@dataclass(frozen=True)
class Combination:
    """A series of reductions in any order: in every operation a group combines each block.

    The operator is associative and commutative.  A node of the group that knows two partial results
    combines them in no time, and forgets nothing.  An all-reduce has one block, wanted by the
    group; a reduce one, wanted at a node; a reduce-scatter a block for every node.

    The nodes `among` which this is done are the group: they alone have values, and all other nodes
    only forward: what such a node has received on one arc it sends on over one arc.  Without
    `among`, the group are the targets of a block that several nodes want, or all nodes if there is
    no such block.

    Blocks with a source are messages, to one node of the group or to all: together with others they
    are a mix of collectives.  A single block may be a message to any nodes of the group, from node
    to node of which it is sent on and copied: a broadcast to some nodes.

    A block may have a group of its own, one of `groups`: what is said of the group holds for this
    block and these nodes, and all other nodes only forward it.

    - `platform`: at least two nodes; only in a run arcs have latencies
    - `blocks`: not empty; each is wanted by a single node of its group, or by its whole group, or,
      if it has a source and is the only block, by any nodes of the group; a source is in the group
      of the block, and not the single target
    - `ports`: which transfers exclude each other, as for a broadcast
    - `among`: the group, at least two nodes, each once
    - `groups`: those of single blocks, which give their index; at least two nodes, each once

    A block is a `Block` or a tuple (size, targets), (size, targets, source) or (size, targets,
    source, group).  Raises `InvalidInput`, also for switches in a group.
    """

    TAG: ClassVar = ("collective", "combination")

    platform: Platform
    blocks: tuple[Block, ...]
    ports: Ports = "one-port"
    among: tuple[Node, ...] | None = None
    groups: tuple[tuple[Node, ...], ...] | None = None

    def __post_init__(self) -> None:
        refuse_no_platform(self.platform)
        if len(self.platform.nodes) < 2:
            raise InvalidInput(
                "platform", self.platform.nodes[0], "to combine values takes at least two nodes"
            )
        if self.groups is not None:
            object.__setattr__(self, "groups", checked_groups(self.platform, self.groups))
        listed = tuple(
            checked_block(self.platform, index, given, len(self.groups or ()))
            for index, given in enumerate(self.blocks)
        )
        if not listed:
            raise InvalidInput("blocks", [], "some block is wanted somewhere")
        object.__setattr__(self, "blocks", listed)
        if self.among is not None:
            object.__setattr__(self, "among", checked_group(self.platform, self.among, "among"))
        for index, (_, targets, source, number) in enumerate(listed):
            for node in (source, *targets):
                if node in self.platform.switches - self.group:
                    raise InvalidInput(f"block {index}", node, f"{SWITCHES}: name other nodes")
            group = self.group_of(index)
            if source is not None and source not in group:
                rule = "a message starts at a node of the group"
                raise InvalidInput(f"block {index}, source", source, rule)
            known = group.issuperset(targets)
            several = len(targets) not in (1, len(group))
            multicast = source is not None and number is None and len(listed) == 1
            if not known or (several and not multicast):
                rule = "the sum is wanted at a single node of the group, or by the whole group"
                raise InvalidInput(f"block {index}, targets", list(targets[:8]), rule)
        for node in self.platform.nodes:
            if node in self.platform.switches and node in self.combining:
                rule = (
                    f"{SWITCHES}: leave it out of the group, which is given where only single"
                    ' nodes want blocks: --participants, in Python "among"'
                )
                raise InvalidInput("platform, switch", node, rule)
        _refuse_unfit_ports(self.platform, self.ports)
        self.platform.refuse_options(_NO_OPTIONS)

    def everywhere(self, part: int) -> bool:
        """Whether the whole group of the block wants it."""
        return len(self.blocks[part].targets) == len(self.group_of(part))

    @cached_property
    def group(self) -> frozenset[Node]:
        """The nodes that have values of the blocks without a group of their own."""
        if self.among is not None:
            return frozenset(self.among)
        several = (
            block.targets for block in self.blocks if len(block.targets) > 1 and block.group is None
        )
        return frozenset(next(several, self.platform.nodes))

    @cached_property
    def members(self) -> tuple[Node, ...]:
        """The nodes of this group, in the order of the platform."""
        return self.members_of(None)

    def group_of(self, part: int) -> frozenset[Node]:
        """The nodes that have values of a block: all others only forward it."""
        return self.numbered(self.blocks[part].group)

    def numbered(self, number: int | None) -> frozenset[Node]:
        """One of `groups`, or the group of all other blocks.

        >>> line = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
        >>> asked = Combination(line, ((1, ("c",)), (2, ("b",), "a", 0)), groups=(("b", "a"),))
        >>> sorted(asked.numbered(None)), sorted(asked.numbered(0)), asked.members_of(0)
        (['a', 'b', 'c'], ['a', 'b'], ('a', 'b'))
        """
        return self.group if number is None else self._groups[number]

    def members_of(self, number: int | None) -> tuple[Node, ...]:
        """The nodes of such a group, in the order of the platform."""
        group = self.numbered(number)
        return tuple(node for node in self.platform.nodes if node in group)

    @cached_property
    def parts_of(self) -> dict[int | None, list[int]]:
        """The numbers of the groups of all blocks, with their blocks."""
        found: dict[int | None, list[int]] = {}
        for part, block in enumerate(self.blocks):
            found.setdefault(block.group, []).append(part)
        return found

    @cached_property
    def combining(self) -> frozenset[Node]:
        """The nodes that have values of some block."""
        return frozenset().union(*map(self.numbered, self.parts_of))

    @cached_property
    def _groups(self) -> tuple[frozenset[Node], ...]:
        return tuple(map(frozenset, self.groups or ()))

    @property
    def multicast(self) -> bool:
        """Whether it is a message to several nodes, but not to the whole group."""
        return len(self.blocks) == 1 and 1 < len(self.blocks[0].targets) < len(self.group_of(0))

    @property
    def mixed(self) -> bool:
        """Whether some block has a source, or a group of its own."""
        return any((block.source, block.group) != (None, None) for block in self.blocks)


# v[k,m], the partial result of the values with logical indices k..m.
Interval = tuple[int, int]
# T[k,l,m], the task that makes v[k,m] of v[k,l] and v[l+1,m].
Merge = tuple[int, int, int]


@pasteable
@dataclass(frozen=True)
class Reduction:
    """A series of reductions v[0,N] = v[0] + ... + v[N] by an associative operator, in this order.

    `owners[i]` is the node that has v[i] = v[i,i] at the start of every operation.  A node may own
    several values or none.  `goals` holds pairs ((k, m), node): v[k,m] has to be known at that
    node in the end; a reduce has the single goal ((0, N), target), a parallel prefix the goals
    ((0, i), owners[i]).

    `size` is the size of every v[k,m], or rows (k, m, size), one for each interval.  `compute`
    holds rows (node, time), the time of any task on that node, or (node, k, l, m, time) for
    single tasks T[k,l,m]; a node computes nothing else.  A node computes one task at a time, and
    sends and receives meanwhile (full overlap).  `ports` is as in `Broadcast`.

    Raises `InvalidInput` for unknown nodes, no owners or goals, goals that are no interval, given
    twice or there from the start, sizes or times that are missing, given twice or not positive,
    more than MOST_VALUES owners or MOST_STATES pairs of an interval and a node, and arcs with a
    latency.
    """

    TAG: ClassVar = ("collective", "reduction")

    platform: Platform
    owners: tuple[Node, ...]
    goals: tuple[tuple[Interval, Node], ...]
    size: Fraction | tuple[tuple[int, int, Fraction], ...]
    compute: tuple[tuple[Any, ...], ...]
    ports: Ports = "one-port"

    def __post_init__(self) -> None:
        refuse_no_platform(self.platform)
        owners = tuple(self.owners)
        if not owners:
            raise InvalidInput("owners", [], "a reduction has at least one value")
        if len(owners) > MOST_VALUES:
            rule = f"at most {MOST_VALUES} values are reduced"
            raise InvalidInput("owners", len(owners), rule)
        states = len(owners) * (len(owners) + 1) // 2 * len(self.platform.nodes)
        if states > MOST_STATES:
            raise InvalidInput("owners", states, f"at most {MOST_STATES} intervals times nodes")
        for index, owner in enumerate(owners):
            refuse_unknown(self.platform, owner, f"owner of v[{index}]")
        object.__setattr__(self, "owners", owners)
        object.__setattr__(self, "goals", self._checked_goals())
        if len(self.goals) > 1:
            refuse_switches(self.platform, "only a reduction with a single goal needs no copies")
        self.platform.refuse_options(_NO_OPTIONS)
        object.__setattr__(self, "size", self._checked_size())
        object.__setattr__(self, "compute", self._checked_compute())
        _refuse_unfit_ports(self.platform, self.ports)
        if self.ports == "routes":
            rule = "no reduction in a given order is defined under routes; combine in any order"
            raise InvalidInput("ports", self.ports, rule)
        refuse_latencies(self.platform)

    @cached_property
    def intervals(self) -> tuple[Interval, ...]:
        """All (k, m) with k <= m, by k and then m."""
        count = len(self.owners)
        return tuple((k, m) for k in range(count) for m in range(k, count))

    @cached_property
    def sizes(self) -> dict[Interval, Fraction]:
        """The size of every v[k,m]."""
        if isinstance(self.size, Fraction):
            return dict.fromkeys(self.intervals, self.size)
        return {(k, m): size for k, m, size in self.size}

    def time(self, node: Node, merge: Merge) -> Fraction | None:
        """How long the node takes for T[k,l,m]; None if it cannot do it."""
        whole, single = self._times
        return whole.get(node) or single.get((node, *merge))

    @cached_property
    def processors(self) -> tuple[Node, ...]:
        """The nodes that can compute something, in the order of the platform."""
        named = {row[0] for row in self.compute}
        return tuple(node for node in self.platform.nodes if node in named)

    @cached_property
    def _times(self) -> tuple[dict[Node, Fraction], dict[tuple[Any, ...], Fraction]]:
        whole = {row[0]: row[1] for row in self.compute if len(row) == 2}
        return whole, {row[:4]: row[4] for row in self.compute if len(row) == 5}

    def _checked_goals(self) -> tuple[tuple[Interval, Node], ...]:
        checked: dict[tuple[Interval, Node], None] = {}
        for index, given in enumerate(self.goals):
            place = f"goal {index}"
            interval, node = row_of(given, place, "a goal is ((k, m), node)", 2)
            k, m = row_of(interval, place, "a goal is ((k, m), node)", 2)
            self._refuse_misplaced(place, "0 <= k <= m", k, m)
            refuse_unknown(self.platform, node, place)
            if k == m and self.owners[k] == node:
                raise InvalidInput(place, [k, m, node], "this value is there from the start")
            if ((k, m), node) in checked:
                raise InvalidInput(place, [k, m, node], "this goal is given twice")
            checked[(k, m), node] = None
        if not checked:
            raise InvalidInput("goals", [], "some result is wanted somewhere")
        return tuple(checked)

    def _checked_size(self) -> Fraction | tuple[tuple[int, int, Fraction], ...]:
        if not isinstance(self.size, (tuple, list)):
            return positive(self.size, "size")
        known: dict[Interval, Fraction] = {}
        for index, given in enumerate(self.size):
            place = f"size, row {index}"
            k, m, size = row_of(given, place, "a row is (k, m, size)", 3)
            self._refuse_misplaced(place, "0 <= k <= m", k, m)
            if (k, m) in known:
                raise InvalidInput(place, [k, m], "this size is given twice")
            known[k, m] = positive(size, f"size of v[{k},{m}]")
        for k, m in self.intervals:
            if (k, m) not in known:
                raise InvalidInput("size", [k, m], "every interval has a size")
        return tuple((k, m, known[k, m]) for k, m in self.intervals)

    def _checked_compute(self) -> tuple[tuple[Any, ...], ...]:
        known: dict[tuple[Any, ...], Fraction] = {}
        # Times of all tasks of a node come first.
        for index, given in sorted(enumerate(self.compute), key=lambda row: _length(row[1])):
            place = f"compute, row {index}"
            row = row_of(given, place, "a row is (node, time) or (node, k, l, m, time)", 2, 5)
            task, time = row[:-1], row[-1]
            refuse_unknown(self.platform, row[0], place)
            if len(task) == 4:
                k, cut, m = task[1:]
                # T[k,l,m] joins v[k,l] and v[l+1,m].
                self._refuse_misplaced(place, "0 <= k <= l < m", k, cut)
                self._refuse_misplaced(place, "0 <= k <= l < m", cut + 1, m)
            if task in known or task[:1] in known:
                raise InvalidInput(place, list(task), "this time is given twice")
            known[task] = positive(time, f"{place} ({row[0]})")
        return tuple((*task, time) for task, time in known.items())

    def _refuse_misplaced(self, place: str, rule: str, first: object, last: object) -> None:
        if type(first) is int and type(last) is int and 0 <= first <= last < len(self.owners):
            return
        whole = f"logical indices are integers {rule} <= {len(self.owners) - 1}"
        raise InvalidInput(place, [first, last], whole)


Collective = Broadcast | Alltoall | Allgather | Combination | Reduction


def _refuse_unfit_ports(platform: Platform, ports: object) -> None:
    if ports not in ALL_PORTS:
        raise InvalidInput("ports", ports, f"a port model is one of {', '.join(ALL_PORTS)}")
    if ports == "routes":
        for index, arc in enumerate(platform.arcs):
            if not arc.route:
                rule = (
                    "under routes every arc has a route, a list of shared links; others have"
                    " --ports link"
                )
                raise InvalidInput(f"arc {index} ({one_line(arc)}), route", [], rule)


def _length(row: object) -> int:
    return len(row) if isinstance(row, (tuple, list)) else 0
