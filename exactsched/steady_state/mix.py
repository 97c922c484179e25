"""The steady state of several collectives at once, in given ratios, on one platform.

Method: every collective is a list of blocks, of which an operation of the mix takes all; each has
the group of its collective; the packing is that of `exactsched.steady_state.combination`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import exact
from exactsched.exact.search_limits import until
from exactsched.linear_programs.column_generation import Progress
from exactsched.model.parts import Block
from exactsched.model.platform import Node, Platform, refuse_no_platform
from exactsched.model.problem import Combination, Ports
from exactsched.steady_state.allgather import shard_size
from exactsched.steady_state.combination import solve_combination
from exactsched.steady_state.solution import Solution

# What an entry has besides its collective, weight and size: needed, and possible.
_MEMBERS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "broadcast": (("source",), ("targets",)),
    "scatter": (("source",), ("targets",)),
    "gather": (("target",), ("sources",)),
    "alltoall": ((), ("sources", "targets", "participants", "within")),
    "allgather": ((), ("participants", "within")),
    "reduce": (("target",), ("participants",)),
    "reduce-scatter": ((), ("participants", "within")),
    "allreduce": ((), ("participants", "within")),
}
_SINGLE = ("source", "target")


class MixPart(NamedTuple):
    """A collective of a mix, `weight` times in every operation, and the blocks of them together.

    The blocks give the indices of their `groups`; those without are among all nodes.
    """

    collective: str
    weight: Fraction
    blocks: tuple[Block, ...]
    groups: tuple[tuple[Node, ...], ...] = ()


def mix(
    platform: Platform,
    collectives: Iterable[Mapping[str, Any]],
    *,
    ports: Ports = "one-port",
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Solution:
    """The largest throughput of a mix of collectives is a packing of the structures of all.

    An operation of the mix is `weight` operations (default: 1) of each of the `collectives`: in the
    long run so much data of each.  A collective is a mapping with the members

    - `collective`: broadcast (with `source`, `targets`), scatter (`source`, `targets`), gather
      (`target`, `sources`), alltoall (`sources`, `targets`), allgather, reduce (`target`),
      reduce-scatter, allreduce; sources and targets that are not given are all nodes; reductions
      are order-free
    - `participants`: the group of an alltoall, allgather, reduce, reduce-scatter or allreduce; by
      default all nodes; that of a broadcast are its source and targets.  All nodes outside a group
      only forward what is about its blocks; switches always do
    - `within`: a list of such groups instead, each with an operation of its own
    - `weight`, and `size`: of each message or vector (default: 1), and how many times as large as
      `shard_size` says each shard is

    `ports`, `time_limit` and `progress` are as in `broadcast`.  The solution is of one problem, a
    `Combination` with a block for each message, shard and vector, in the order of the collectives;
    a weight is in the size of the blocks.  Throughput 0 if some block cannot reach its targets.

    Raises `InvalidInput` for other members, unknown nodes, numbers that are not positive, no
    collective, groups of one node, switches in a group, and arcs with a latency.

    Reference: proofs/mix.md.

    >>> pair = Platform("ab", [("a", "b", 1), ("b", "a", 1)])
    >>> both = [{"collective": "broadcast", "source": "a"},
    ...     {"collective": "scatter", "source": "a", "size": 2, "weight": "1/2"}]
    >>> mix(pair, both).throughput
    Fraction(1, 2)
    >>> line = Platform("abc", [(u, v, 1) for u, v in ("ab", "ba", "bc", "cb")])
    >>> within = {"collective": "allreduce", "within": [["a", "b"], ["b", "c"]]}
    >>> mix(line, [within], ports="link").throughput
    Fraction(1, 1)
    """
    progress = until(time_limit, progress)
    refuse_no_platform(platform)
    parts = [
        mix_part(platform, given, f"collective {index}") for index, given in enumerate(collectives)
    ]
    return solve_mix(platform, parts, ports, progress)


def solve_mix(
    platform: Platform,
    parts: Sequence[MixPart],
    ports: Ports = "one-port",
    progress: Progress | None = None,
) -> Solution:
    """The optimum of a mix of parts that have been read; see `mix`."""
    if not parts:
        raise InvalidInput("collectives", [], "at least one collective")
    # Collectives among the same nodes have one group.
    number: dict[frozenset[Node], int] = {}
    blocks: list[Block] = []
    for part in parts:
        own = [number.setdefault(frozenset(group), len(number)) for group in part.groups]
        blocks += (
            block if block.group is None else block._replace(group=own[block.group])
            for block in part.blocks
        )
    groups = tuple(tuple(node for node in platform.nodes if node in group) for group in number)
    numbers = {block.group for block in blocks}
    among = None
    if numbers == {0}:  # one group for all
        (among,), groups, blocks = groups, (), [block._replace(group=None) for block in blocks]
    elif None in numbers and platform.switches:
        among = _all_nodes(platform)
    return solve_combination(
        Combination(platform, tuple(blocks), ports, among, groups or None), progress
    )


def mix_part(platform: Platform, given: Mapping[str, Any], place: str) -> MixPart:
    """A collective with its weight, as blocks; see `mix`.

    >>> line = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    >>> mix_part(line, {"collective": "broadcast", "source": "a", "weight": 3}, "here").blocks
    (Block(size=Fraction(3, 1), targets=('a', 'b', 'c'), source='a', group=None),)
    >>> mix_part(line, {"collective": "allreduce", "within": ["ab", "cb"]}, "here").groups
    Traceback (most recent call last):
    exactsched.exact.errors.InvalidInput: here, within, group 0: 'ab': a list of nodes
    """
    if not isinstance(given, Mapping):
        raise InvalidInput(place, given, 'an object such as {"collective": "allreduce"}')
    name = given.get("collective")
    if not isinstance(name, str) or name not in _MEMBERS:
        raise InvalidInput(f"{place}, collective", name, f"one of {', '.join(_MEMBERS)}")
    needed, possible = _MEMBERS[name]
    for member in given:
        if member not in ("collective", "weight", "size", *needed, *possible):
            known = ", ".join(("weight", "size", *needed, *possible))
            raise InvalidInput(f"{place}, {member}", given[member], f"{name} has {known}")
    for member in needed:
        if member not in given:
            raise InvalidInput(f"{place}, {member}", "missing", f"{name} needs it")
    weight = _positive(given.get("weight", 1), f"{place}, weight")
    size = weight * _positive(given.get("size", 1), f"{place}, size")
    ends = {
        member: (_node if member in _SINGLE else _nodes)(
            platform, given[member], f"{place}, {member}"
        )
        for member in (*needed, *possible)
        if member in given and member != "within"
    }
    if name in ("scatter", "gather", "alltoall"):
        pairs = tuple(_pairs(platform, given, ends, place))
        return MixPart(name, weight, tuple(Block(size, (to,), one) for one, to in pairs))
    groups = _groups(platform, given, ends, place)
    if groups == [_all_nodes(platform)]:
        return MixPart(name, weight, tuple(_blocks(platform, name, size, ends, groups[0], None)))
    blocks = [
        block
        for number, group in enumerate(groups)
        for block in _blocks(platform, name, size, ends, group, number)
    ]
    return MixPart(name, weight, tuple(blocks), tuple(groups))


def _all_nodes(platform: Platform) -> tuple[Node, ...]:
    return tuple(node for node in platform.nodes if node not in platform.switches)


def _groups(
    platform: Platform, given: Mapping[str, Any], ends: Mapping[str, Sequence[Node]], place: str
) -> list[tuple[Node, ...]]:
    """Who takes part: one group, or those of `within`; their nodes in the order of the platform."""
    everybody = _all_nodes(platform)
    listed: list[Sequence[Node]] = [ends.get("participants", everybody)]
    if "within" in given:
        within = given["within"]
        if "participants" in given:
            raise InvalidInput(f"{place}, within", within, "participants or within, not both")
        if not isinstance(within, (list, tuple)) or not within:
            raise InvalidInput(f"{place}, within", within, "a list of lists of nodes")
        listed = [
            _nodes(platform, group, f"{place}, within, group {number}")
            for number, group in enumerate(within)
        ]
    elif "targets" in ends:
        listed = [[*ends["source"], *ends["targets"]]]
    found = [tuple(node for node in everybody if node in group) for group in map(set, listed)]
    for group in found:
        if len(group) < 2:
            raise InvalidInput(place, list(group), "at least two nodes take part")
        if not set(ends.get("target", ())).issubset(group):
            raise InvalidInput(f"{place}, target", ends["target"][0], "one of the participants")
    return found


def _blocks(
    platform: Platform,
    name: str,
    size: Fraction,
    ends: Mapping[str, Sequence[Node]],
    group: tuple[Node, ...],
    number: int | None,
) -> Iterator[Block]:
    """The blocks of a collective in which a group takes part.

    Shards, and the blocks of a reduce-scatter, are those of `shard_size`, `size` times.
    """
    if name == "broadcast":
        yield Block(size, group, ends["source"][0], number)
    elif name == "allreduce":
        yield Block(size, group, None, number)
    elif name == "reduce":
        yield Block(size, (ends["target"][0],), None, number)
    else:
        for node in group:
            if own := size * shard_size(platform, node):
                gathered = name == "allgather"
                yield Block(own, group if gathered else (node,), node if gathered else None, number)


def _pairs(
    platform: Platform, given: Mapping[str, Any], ends: Mapping[str, Sequence[Node]], place: str
) -> Iterator[tuple[Node, Node]]:
    """Who sends a message of its own to whom: the path may lead through any nodes."""
    several = {"participants", "within"} & given.keys()
    if several and ends.keys() - {"participants"}:
        rule = "sources and targets, or participants, or within"
        raise InvalidInput(f"{place}, {min(several)}", given[min(several)], rule)
    groups: list[Sequence[Node]] = [ends.get("participants", _all_nodes(platform))]
    if "within" in given:
        groups = [*_groups(platform, given, ends, place)]
    for group in groups:
        sources = ends.get("source") or ends.get("sources", group)
        targets = ends.get("target") or ends.get("targets", group)
        pairs = [(one, other) for one in sources for other in targets if one != other]
        if not pairs:
            raise InvalidInput(place, "no pair", "a source and another node as target are needed")
        yield from pairs


def _node(platform: Platform, given: object, place: str) -> list[Node]:
    if isinstance(given, (list, tuple)):
        raise InvalidInput(place, given, "one node")
    return _nodes(platform, [given], place)


def _nodes(platform: Platform, given: object, place: str) -> list[Node]:
    if not isinstance(given, (list, tuple)):
        raise InvalidInput(place, given, "a list of nodes")
    if not given:
        raise InvalidInput(place, given, "at least one node")
    found = [platform.node_named(str(name), place) for name in given]
    if len(set(found)) < len(found):
        raise InvalidInput(place, given, "a node is named once")
    for node in found:
        if node in platform.switches:
            raise InvalidInput(place, node, "a switch only forwards: it takes no part")
    return found


def _positive(given: object, place: str) -> Fraction:
    number = exact(given, place)
    if number <= 0:
        raise InvalidInput(place, given, "a positive number")
    return number
