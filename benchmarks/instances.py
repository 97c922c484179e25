"""The platforms that are measured, each with the reason why it is among them.

A list short enough to be run often.  Left out are stars and complete graphs, with nothing to solve.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from exactsched.model.platform import Platform
from exactsched.model.problem import Ports
from exactsched.platforms.built_in import built_in

Cost = Callable[[random.Random], Fraction | int]


class Instance(NamedTuple):
    """A platform (its source is node 0) and why it is measured."""

    build: Callable[[], Platform]
    reason: str
    ports: Ports = "one-port"


def near_one(dice: random.Random) -> Fraction:
    return Fraction(dice.randint(800, 1200), 1000)


def nine_decades(dice: random.Random) -> int:
    return 10 ** dice.randint(0, 9)


def to_hundred(dice: random.Random) -> int:
    return dice.randint(1, 100)


def one(_dice: random.Random) -> int:
    return 1


def recosted(name: str, cost: Cost) -> Platform:
    """A built-in platform with other costs."""
    platform, dice = built_in(name), random.Random(1)
    arcs = [(arc.tail, arc.head, cost(dice)) for arc in platform.arcs]
    return Platform(platform.nodes, arcs)


def regular(nodes: int, degree: int, cost: Cost) -> Platform:
    """`degree` random directed cycles through all nodes, without a common arc."""
    dice = random.Random(1)
    pairs: dict[tuple[int, int], None] = {}
    while len(pairs) < nodes * degree:
        order = dice.sample(range(nodes), nodes)
        cycle = dict.fromkeys(zip(order, order[1:] + order[:1], strict=True))
        if not pairs.keys() & cycle.keys():
            pairs |= cycle
    return Platform(range(nodes), [(*pair, cost(dice)) for pair in pairs])


INSTANCES = {
    "random:100,400,1": Instance(
        lambda: built_in("random:100,400,1"), "the size of most platforms people have"
    ),
    "random:1000,5000,1": Instance(
        lambda: built_in("random:1000,5000,1"), "large and sparse, n*m = 5 million"
    ),
    "random:1000,5000,1, costs 0.8..1.2": Instance(
        lambda: recosted("random:1000,5000,1", near_one),
        "costs so close that no cut stands out: hard for the generation of cuts",
    ),
    "random:1000,5000,1, costs 1..10^9": Instance(
        lambda: recosted("random:1000,5000,1", nine_decades),
        "powers of ten over nine decades: the edge of what floats can propose",
    ),
    "regular 1000, degree 5, costs 0.8..1.2": Instance(
        lambda: regular(1000, 5, near_one),
        "the same without any bottleneck: hundreds of tight ports, the hardest of this size",
    ),
    "random:300,1500,1, unit costs": Instance(
        lambda: recosted("random:300,1500,1", one),
        "throughput just below 1 and hundreds of trees: the linear program is degenerate",
    ),
    "random:1000,5000,3, unit costs": Instance(
        lambda: recosted("random:1000,5000,3", one), "the same, out of reach of columns"
    ),
    "grid:16x16": Instance(
        lambda: built_in("grid:16x16"), "unit costs, symmetric: one tree is optimal, if it is seen"
    ),
    "hypercube:7": Instance(lambda: built_in("hypercube:7"), "the same, vertex-transitive"),
    "torus:6x6x6": Instance(lambda: built_in("torus:6x6x6"), "the same, in three dimensions"),
    "grid:16x16, half-duplex": Instance(
        lambda: built_in("grid:16x16"), "symmetric, and hundreds of trees are needed", "half-duplex"
    ),
    "hypercube:7, half-duplex": Instance(
        lambda: built_in("hypercube:7"), "the same, vertex-transitive", "half-duplex"
    ),
    "torus:6x6x6, half-duplex": Instance(
        lambda: built_in("torus:6x6x6"), "the same, in three dimensions", "half-duplex"
    ),
}
