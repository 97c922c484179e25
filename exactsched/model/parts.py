"""What problems consist of: demands, shards, blocks and groups of nodes, each with its validity."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import are_fractions, exact
from exactsched.model.platform import Node, Platform

# Why a switch can be none of those that send or want something.
SWITCHES = "a switch only forwards what others send and want"


class Demand(NamedTuple):
    """In every operation one message goes from `source` to another node, `target`; size > 0."""

    source: Node
    target: Node
    size: Fraction = Fraction(1)

    def __str__(self) -> str:
        return f"{self.source}=>{self.target}"


class Shard(NamedTuple):
    """What a node of a group has at the start and all others of the group want; size >= 0."""

    node: Node
    size: Fraction = Fraction(1)

    def __str__(self) -> str:
        return f"the shard of {self.node}"


class Block(NamedTuple):
    """The group has vectors of this size, and the targets want their sum; size > 0.

    With a `source`, only that node has something: a message, which the targets want.  With a
    `group`, it is among the nodes of the group with this number, and all others only forward it.
    """

    size: Fraction
    targets: tuple[Node, ...]
    source: Node | None = None
    group: int | None = None

    def __str__(self) -> str:
        one = len(self.targets) == 1
        among = "" if self.group is None else f" in group {self.group}"
        if self.source is not None:
            to = self.targets[0] if one else "its targets"
            return f"the message of {self.source} to {to}{among}"
        whose = self.targets[0] if one else "all nodes"
        return f"the block of {whose}{among}"


def plain_demands(
    platform: Platform, given: tuple[Demand | tuple[Any, ...], ...]
) -> tuple[Demand, ...] | None:
    """All at once, where sizes are fractions already, and nothing is wrong: five times as fast."""
    if not isinstance(given, tuple) or not {tuple, Demand}.issuperset(map(type, given)):
        return None
    lengths = {*map(len, given)}
    if lengths not in ({2}, {3}):
        return None
    sources, targets, *sizes = zip(*given, strict=True)
    position = platform.position
    if not {int, str}.issuperset(map(type, sources + targets)):
        return None
    if not (position.keys() - platform.switches).issuperset(sources + targets):
        return None
    if sizes and not are_fractions(sizes[0]):
        return None
    if sizes and min([size.numerator for size in sizes[0]]) <= 0:
        return None
    # Not pairs: whoever writes a document can make the hashes of all pairs of integers equal.
    pairs = {
        position[source] * len(position) + position[target]
        for source, target in zip(sources, targets, strict=True)
        if source != target
    }
    return tuple(map(Demand, sources, targets, *sizes)) if len(pairs) == len(given) else None


def demands_one_by_one(platform: Platform, given: tuple[Any, ...]) -> tuple[Demand, ...]:
    listed = tuple(_checked_demand(platform, index, demand) for index, demand in enumerate(given))
    if not listed:
        raise InvalidInput("demands", [], "at least one message is to be sent")
    position = platform.position
    # Not pairs: whoever writes a document can make the hashes of all pairs of integers equal.
    seen: set[int] = set()
    for index, demand in enumerate(listed):
        for node in (demand.source, demand.target):
            if node in platform.switches:
                raise InvalidInput(f"demand {index}", node, f"{SWITCHES}: name other nodes")
        pair = position[demand.source] * len(position) + position[demand.target]
        if pair in seen:
            ends = [demand.source, demand.target]
            raise InvalidInput(f"demand {index}", ends, "this demand is given twice")
        seen.add(pair)
    return listed


def _checked_demand(platform: Platform, index: int, given: object) -> Demand:
    place = f"demand {index}"
    rule = "a demand is (source, target) or (source, target, size)"
    source, target, *sizes = row_of(given, place, rule, 2, 3)
    refuse_unknown(platform, source, f"{place}, source")
    refuse_unknown(platform, target, f"{place}, target")
    if source == target:
        raise InvalidInput(place, [source, target], "what a node sends to itself is there already")
    return Demand(source, target, positive(sizes[0] if sizes else 1, f"{place}, size"))


def checked_shard(platform: Platform, index: int, given: object) -> Shard:
    place = f"shard {index}"
    node, size = row_of(given, place, "a shard is (node, size)", 2)
    refuse_unknown(platform, node, place)
    value = exact(size, f"{place}, size")
    if value < 0:
        raise InvalidInput(f"{place}, size", size, "a size is not negative")
    return Shard(node, value)


def checked_block(platform: Platform, index: int, given: object, groups: int) -> Block:
    place = f"block {index}"
    rule = "a block is (size, targets), with a source or without, and a group or without"
    size, targets, *further = row_of(given, place, rule, 2, 3, 4)
    wanted = tuple(targets) if isinstance(targets, (tuple, list)) else ()
    for node in wanted:
        refuse_unknown(platform, node, f"{place}, target")
    if not wanted:
        rule = "the sum is wanted at a single node of the group, or by the whole group"
        raise InvalidInput(f"{place}, targets", [], rule)
    if len(set(wanted)) < len(wanted):
        raise InvalidInput(f"{place}, targets", len(wanted), "a node is named once")
    source, group = (*further, None, None)[:2]
    if source is not None:
        refuse_unknown(platform, source, f"{place}, source")
        if wanted == (source,):
            rule = "what a node sends to itself is there already"
            raise InvalidInput(f"{place}, source", source, rule)
    if group is not None and not (type(group) is int and 0 <= group < groups):
        raise InvalidInput(f"{place}, group", group, f"the index of one of {groups} groups")
    return Block(positive(size, f"{place}, size"), wanted, source, group)


def checked_groups(platform: Platform, given: object) -> tuple[tuple[Node, ...], ...]:
    listed = given if isinstance(given, (tuple, list)) else (given,)
    return tuple(
        checked_group(platform, group, f"groups[{number}]") for number, group in enumerate(listed)
    )


def checked_group(platform: Platform, given: object, place: str) -> tuple[Node, ...]:
    listed = tuple(given) if isinstance(given, (tuple, list)) else ()
    for node in listed:
        refuse_unknown(platform, node, place)
    if len(set(listed)) < max(2, len(listed)):
        raise InvalidInput(place, len(listed), "a group has at least two nodes, each once")
    return listed


def row_of(given: object, place: str, rule: str, *lengths: int) -> tuple[Any, ...]:
    if not isinstance(given, (tuple, list)) or len(given) not in lengths:
        raise InvalidInput(place, given, rule)
    return tuple(given)


def positive(given: object, place: str) -> Fraction:
    value = exact(given, place)
    if value.numerator <= 0:
        raise InvalidInput(place, given, "a positive number is needed here")
    return value


def refuse_unknown(platform: Platform, node: object, place: str) -> None:
    # 0.0 and True would be found among integers.
    is_name = isinstance(node, (int, str)) and not isinstance(node, bool)
    if not is_name or node not in platform.position:
        some = ", ".join(map(str, platform.nodes[:8]))
        raise InvalidInput(place, node, f"not a node of the platform ({some} ...)")


def refuse_switches(platform: Platform, instead: str) -> None:
    for node in platform.nodes:
        if node in platform.switches:
            rule = f"here every node may copy what it has, which a switch does not; {instead}"
            raise InvalidInput("platform, switch", node, rule)


def refuse_latencies(platform: Platform) -> None:
    arc = platform.first_late
    if arc is not None:
        rule = "a series of scatters or reductions has no start-up times; add them to the cost"
        raise InvalidInput(f"arc {arc}, latency", str(arc.latency), rule)
