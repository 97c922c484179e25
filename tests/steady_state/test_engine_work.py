"""The work of the engine, in rounds and priced structures: the same on every machine.

A change to the engine that needs half as much again on one of these platforms fails here; one that
needs less may lower the figures.
"""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from exactsched.model.platform import Platform
from exactsched.model.problem import Ports
from exactsched.platforms.built_in import built_in
from exactsched.steady_state.broadcast import broadcast

COSTS = {
    "as built": None,
    "unit": lambda _dice: 1,
    "0.8..1.2": lambda dice: Fraction(dice.randint(800, 1200), 1000),
    "1..10^9": lambda dice: 10 ** dice.randint(0, 9),
}


def platform(name: str, costs: str) -> Platform:
    draw, dice = COSTS[costs], random.Random(1)
    built = built_in(name)
    if draw is None:
        return built
    return Platform(built.nodes, [(arc.tail, arc.head, draw(dice)) for arc in built.arcs])


# Linear programs and structures priced when these figures were last written down.
BROADCASTS: list[tuple[str, str, Ports, int, int]] = [
    ("random:30,120,1", "0.8..1.2", "one-port", 3, 75),
    ("random:30,120,3", "0.8..1.2", "one-port", 3, 75),
    ("random:30,120,4", "0.8..1.2", "one-port", 3, 75),
    ("random:30,120,3", "as built", "one-port", 2, 23),
    ("random:30,120,1", "unit", "one-port", 4, 140),
    ("random:100,400,1", "0.8..1.2", "one-port", 2, 23),
    ("random:100,400,1", "1..10^9", "one-port", 3, 75),
    ("random:100,500,1", "unit", "one-port", 3, 74),
    ("random:100,500,2", "unit", "one-port", 3, 74),
    ("random:60,240,5", "unit", "one-port", 5, 229),
    ("random:30,120,1", "0.8..1.2", "half-duplex", 22, 992),
    ("grid:6x6", "0.8..1.2", "half-duplex", 7, 306),
    ("grid:8x8", "as built", "half-duplex", 4, 140),
    ("torus:5x5", "as built", "half-duplex", 5, 92),
    ("hypercube:5", "as built", "half-duplex", 3, 74),
    ("torus:5x5", "0.8..1.2", "half-duplex", 23, 949),
    ("random-regular:16,4,1", "0.8..1.2", "half-duplex", 8, 195),
    ("random-regular:32,3,1", "0.8..1.2", "half-duplex", 16, 682),
    ("random:30,120,1", "0.8..1.2", "link", 2, 23),
    ("dragonfly:4,1", "0.8..1.2", "one-port", 4, 136),
    ("fat-tree-graph:4", "0.8..1.2", "one-port", 2, 23),
    ("butterfly:3", "0.8..1.2", "half-duplex", 8, 341),
    ("hypercube:6", "0.8..1.2", "one-port", 6, 350),
    ("grid:8x8", "0.8..1.2", "one-port", 4, 141),
]


@pytest.mark.parametrize(("name", "costs", "ports", "rounds", "priced"), BROADCASTS)
def test_work_of_a_broadcast(name: str, costs: str, ports: Ports, rounds: int, priced: int) -> None:
    built = platform(name, costs)
    solution = broadcast(built, built.nodes[0], ports=ports)
    assert 2 * solution.rounds < 3 * rounds
    assert 2 * solution.priced < 3 * priced
