"""The steady state of several collectives at once, in given ratios, on one platform.

Method: every collective is a list of blocks, of which an operation of the mix takes all; the
packing is that of `exactsched.steady_state.combination`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import exact
from exactsched.linear_programs.column_generation import Progress
from exactsched.model.platform import Node, Platform
from exactsched.model.problem import Block, Combination, Ports
from exactsched.steady_state.combination import solve_combination
from exactsched.steady_state.solution import Solution

# What an entry has besides its collective, weight and size: needed, and possible.
_MEMBERS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "broadcast": (("source",), ()),
    "scatter": (("source",), ("targets",)),
    "gather": (("target",), ("sources",)),
    "alltoall": ((), ("sources", "targets")),
    "allgather": ((), ()),
    "reduce": (("target",), ()),
    "reduce-scatter": ((), ()),
    "allreduce": ((), ()),
}


class MixPart(NamedTuple):
    """A collective of a mix, `weight` times in every operation, and the blocks of them together."""

    collective: str
    weight: Fraction
    blocks: tuple[Block, ...]


def mix(
    platform: Platform,
    collectives: Iterable[Mapping[str, Any]],
    *,
    ports: Ports = "one-port",
    progress: Progress | None = None,
) -> Solution:
    """The largest throughput of a mix of collectives is a packing of the structures of all.

    An operation of the mix is `weight` operations (default: 1) of each of the `collectives`: in the
    long run so much data of each.  A collective is a mapping with the members

    - `collective`: broadcast (with `source`), scatter (`source`, `targets`), gather (`target`,
      `sources`), alltoall (`sources`, `targets`), allgather, reduce (`target`), reduce-scatter,
      allreduce; sources and targets that are not given are all nodes; reductions are order-free,
      and all nodes take part in broadcasts, allgathers and reductions; switches only forward
    - `weight`, and `size`: of each message, shard or vector (default: 1)

    `ports` and `progress` are as in `broadcast`.  The solution is of one problem, a `Combination`
    with a block for each message, shard and vector, in the order of the collectives; a weight is
    in the size of the blocks.  Throughput 0 if some block cannot reach its targets.

    Raises `InvalidInput` for other members, unknown nodes, numbers that are not positive, no
    collective, arcs with a latency, and switches if only single nodes want something.

    Reference: proofs/mix.md.

    >>> pair = Platform("ab", [("a", "b", 1), ("b", "a", 1)])
    >>> both = [{"collective": "broadcast", "source": "a"},
    ...     {"collective": "scatter", "source": "a", "size": 2, "weight": "1/2"}]
    >>> mix(pair, both).throughput
    Fraction(1, 2)
    """
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
    blocks = tuple(block for part in parts for block in part.blocks)
    return solve_combination(Combination(platform, blocks, ports), progress)


def mix_part(platform: Platform, given: Mapping[str, Any], place: str) -> MixPart:
    """A collective with its weight, as blocks; see `mix`.

    >>> line = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    >>> mix_part(line, {"collective": "broadcast", "source": "a", "weight": 3}, "here").blocks
    (Block(size=Fraction(3, 1), targets=('a', 'b', 'c'), source='a'),)
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
        member: _nodes(platform, given[member], f"{place}, {member}")
        for member in (*needed, *possible)
        if member in given
    }
    return MixPart(name, weight, tuple(_blocks(platform, name, size, ends, place)))


def _blocks(
    platform: Platform, name: str, size: Fraction, ends: Mapping[str, Sequence[Node]], place: str
) -> Iterator[Block]:
    nodes = tuple(node for node in platform.nodes if node not in platform.switches)
    if name in ("broadcast", "allgather"):
        yield from (Block(size, nodes, node) for node in ends.get("source", nodes))
    elif name == "allreduce":
        yield Block(size, nodes)
    elif name in ("reduce", "reduce-scatter"):
        yield from (Block(size, (node,)) for node in ends.get("target", nodes))
    else:
        sources = ends.get("source") or ends.get("sources", nodes)
        targets = ends.get("target") or ends.get("targets", nodes)
        pairs = [(one, other) for one in sources for other in targets if one != other]
        if not pairs:
            raise InvalidInput(place, name, "a source and another node as target are needed")
        yield from (Block(size, (target,), source) for source, target in pairs)


def _nodes(platform: Platform, given: object, place: str) -> list[Node]:
    """The nodes of a list, or a single one."""
    single = place.endswith(("source", "target"))
    if single == isinstance(given, (list, tuple)):
        raise InvalidInput(place, given, "one node" if single else "a list of nodes")
    listed = [given] if not isinstance(given, (list, tuple)) else list(given)
    if not listed:
        raise InvalidInput(place, given, "at least one node")
    found = [platform.node_named(str(name), place) for name in listed]
    if len(set(found)) < len(found):
        raise InvalidInput(place, given, "a node is named once")
    return found


def _positive(given: object, place: str) -> Fraction:
    number = exact(given, place)
    if number <= 0:
        raise InvalidInput(place, given, "a positive number")
    return number
