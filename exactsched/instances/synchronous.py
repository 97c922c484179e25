"""Packets that spread in steps over random graphs, and frames of a tree."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise, permutations

from exactsched.instances.choices import Choices
from exactsched.instances.instance_type import Bounds, Instances
from exactsched.oracles.synchronous import Spread, two_ways


def _spread(
    choices: Choices,
    bound: int,
    *,
    packets: int,
    half_duplex: bool = False,
    one_source: bool = False,
    unit: bool = False,
) -> Spread:
    """Unit steps in two of three cases; long paths, rings, trees, and anything else."""
    size = choices.size(2, bound)
    parents = [choices.below(v) if choices.flip(3) else v - 1 for v in range(1, size)]
    pairs = {pair for v, up in enumerate(parents, 1) for pair in ((up, v), (v, up))}
    if not choices.flip():
        pairs |= set(choices.some_of(permutations(range(size), 2), choices.one_of((size, 3))))
    if choices.flip(4):  # In one direction only, all from node 0.
        pairs = {(tail, head) for tail, head in pairs if tail < head}
    most = 1 if unit else choices.one_of((1, 1, 3))
    arcs = tuple((*pair, choices.between(1, most)) for pair in sorted(pairs))
    heads = {v: [h for t, h in pairs if t == v] for v in range(size)}
    able = [v for v in range(size) if len(_reached(heads, v)) == size]
    count = 1 if one_source or choices.flip() else choices.between(1, len(able))
    ports = "half-duplex" if half_duplex else choices.one_of(("half-duplex", "one-port"))
    number = choices.size(1, packets, 2)
    picks = tuple(choices.below(600) for _ in range(choices.below(4 * size * number)))
    return Spread(size, arcs, tuple(choices.several_of(able, count)), number, ports, picks)


def _reached(heads: dict[int, list[int]], start: int) -> set[int]:
    reached, stack = {start}, [start]
    while stack:
        for head in heads[stack.pop()]:
            if head not in reached:
                reached.add(head)
                stack.append(head)
    return reached


def _first(choices: Choices, bound: int) -> Spread:
    return _spread(choices, bound, packets=3, one_source=True)


def _whole(choices: Choices, bound: int) -> Spread:
    return _spread(choices, bound, packets=4)


def _broadcasts(choices: Choices, bound: int) -> Spread:
    return _spread(choices, bound, packets=4, half_duplex=True, one_source=True, unit=True)


def _long(choices: Choices, bound: int) -> Spread:
    return _spread(choices, bound, packets=choices.one_of((2, 3, 2 * bound)))


_K4 = two_ways(*((u, v) for v in range(4) for u in range(v)))
_RING = two_ways(*((v, (v + 1) % 7) for v in range(7)))


def _spreads() -> tuple[Spread, ...]:
    """A slow arc; K4, where walks that are no paths count; a ring, where the bound is not reached;
    paths; two sources and slow arcs; an all-gather."""
    path = two_ways(*pairwise(range(6)))
    slow = ((0, 1, 1), (1, 2, 3), (2, 0, 2), (1, 0, 2), (2, 1, 1))
    return (
        Spread(2, ((0, 1, 3),), (0,), 4, "half-duplex", ()),
        Spread(4, _K4, (0,), 3, "half-duplex", ()),
        Spread(7, _RING, (0,), 1, "half-duplex", ()),
        Spread(6, path, (0,), 2, "one-port", (1, 3, 4)),
        Spread(3, slow, (0, 1), 1, "half-duplex", (2, 9)),
        Spread(4, _K4, (0, 1, 2, 3), 1, "one-port", ()),
    )


def _broadcasts_only() -> tuple[Spread, ...]:
    return tuple(one for one in _spreads() if len(one.sources) == 1)


SPREADS = Instances(Spread, _whole, Bounds(5, 9, 30), _spreads)
LONG_SPREADS = Instances(Spread, _long, Bounds(5, 9, 20), _spreads)
FIRST_PACKETS = Instances(Spread, _first, Bounds(5, 9, 40), _broadcasts_only)
UNIT_BROADCASTS = Instances(Spread, _broadcasts, Bounds(5, 9, 30))
# The first node with all packets is the one that has a packet last: there is no stable stage.
ONE_PACKET_OVER_ONE_ARC = Spread(2, ((0, 1, 1),), (0,), 1, "half-duplex", ())


# Runs of the package -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Saturated:
    """What `broadcast_in_rounds` is asked for."""

    spread: Spread
    seed: int
    effort: int


def _saturated(choices: Choices, bound: int) -> Saturated:
    given = replace(_spread(choices, bound, packets=2 * bound), picks=())
    return Saturated(given, choices.below(3), choices.below(3))


SATURATED = Instances(
    Saturated,
    _saturated,
    Bounds(5, 8, 24),
    lambda: tuple(Saturated(replace(one, picks=()), 0, 1) for one in _spreads()),
)


# Frames ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Frames:
    """On a tree `parents[k]` sends to node k + 1 in the frame `turns[k]`, around and around."""

    parents: tuple[int, ...]
    turns: tuple[int, ...]


def _frames(choices: Choices, bound: int) -> Frames:
    """Colors of the edges of a tree, at each node different ones, in any order."""
    size = choices.size(2, bound)
    parents = tuple(choices.below(v) if choices.flip(4) else v - 1 for v in range(1, size))
    used: list[set[int]] = [set() for _ in range(size)]
    turns = []
    for node, up in enumerate(parents, 1):
        free = [turn for turn in range(size) if turn not in used[up]]
        turns.append(choices.one_of(free[: choices.between(1, 3)]))
        used[up].add(turns[-1])
        used[node].add(turns[-1])
    names = choices.shuffled(sorted(set(turns)))
    return Frames(parents, tuple(names.index(turn) for turn in turns))


FRAMES = Instances(Frames, _frames, Bounds(6, 12, 40))
# A path whose edges have the colors 1, 3, 2, used in the order 1, 2, 3.
PATH_IN_FRAMES = Frames((0, 1, 2), (0, 2, 1))
