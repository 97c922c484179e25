"""Instances of scatters and alltoalls, and any schedules of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from exactsched.instances.choices import Choices, Replayed
from exactsched.instances.instance_type import Bounds, Instances
from exactsched.instances.platforms import alltoall
from exactsched.instances.series import any_order, first_possible
from exactsched.model.platform import Platform, both_ways
from exactsched.model.problem import Alltoall, Ports
from exactsched.oracles.series import Order
from exactsched.platforms.built_in import built_in


@dataclass(frozen=True)
class AlltoallSchedule:
    """Tasks in the `order` in which they begin, `prices` of resources, and a number of operations.

    A row of the order is (operation, arc, demand).
    """

    problem: Alltoall
    order: Order
    prices: tuple[int, ...]
    operations: int


# Problems ----------------------------------------------------------------------------------------


def _scatter(choices: Choices, bound: int) -> Alltoall:
    return alltoall(choices, max_nodes=bound, max_demands=bound, one_source=True)


def _alltoall(choices: Choices, bound: int) -> Alltoall:
    return alltoall(choices, max_nodes=bound, max_demands=bound)


def _served(choices: Choices, bound: int) -> Alltoall:
    """The first of a few whose targets can all be reached, which fails rarely."""
    return first_possible(_alltoall(choices, bound) for _ in range(6))


def _unit_scatter(choices: Choices, bound: int) -> Alltoall:
    made = alltoall(choices, ports="one-port", max_nodes=bound, max_demands=3, one_source=True)
    unit = tuple(one._replace(size=Fraction(1)) for one in made.demands)
    return replace(made, demands=unit)


def _allgather(choices: Choices, bound: int) -> Alltoall:
    """From every one of some nodes to every other one of some nodes."""
    made = alltoall(choices, ports="one-port", max_nodes=bound, max_demands=3)
    targets = dict.fromkeys(demand.target for demand in made.demands)
    pairs = ((source, target) for source in made.sources for target in targets)
    return _asked(made.platform, *(pair for pair in pairs if pair[0] != pair[1]))


def _asked(platform: Platform, *demands: tuple[Any, ...], ports: Ports = "one-port") -> Alltoall:
    listed: tuple[Any, ...] = demands
    return Alltoall(platform, listed, ports)


_CIRCLE = Platform("sta", both_ways([("t", "a", 1)]))
_PAIR = Platform("ab", both_ways([("a", "b", 1)]))
_TOY = built_in("scatter-toy")
_TOY_DEMANDS = (("Ps", "P0"), ("Ps", "P1"))
_BACK_AND_FORTH = Platform(_TOY.nodes, both_ways([(a.tail, a.head, a.cost) for a in _TOY.arcs]))
# Every node is one slow arc away, the optimum takes three fast ones.
_DETOUR = Platform(
    range(4), [(i, j, 1 if j == i + 1 else 100) for i in range(4) for j in range(4) if i != j]
)
_HUGE = Platform("sat", [("s", "a", 10**40), ("a", "t", 10**40 + 1), ("s", "t", "1/7")])

# Printed, nothing leaves the source of one arc; alltoall, m[a,a] and m[b,b] use the arcs.
ONE_ARC = _asked(Platform("st", [("s", "t", 1)]), ("s", "t"))
ONE_PAIR = _asked(_PAIR, ("a", "b"), ("b", "a"))
# The target receives, from the node it sends to, what never left the source.
ROUND_THE_TARGET = _asked(_CIRCLE, ("s", "t"))
_TOY_BACK_AND_FORTH = _asked(_BACK_AND_FORTH, *_TOY_DEMANDS)


def _scatters() -> tuple[Alltoall, ...]:
    return (
        ONE_ARC,
        _asked(_TOY, *_TOY_DEMANDS),
        _TOY_BACK_AND_FORTH,
        _asked(_DETOUR, (0, 3)),
        _asked(_HUGE, ("s", "a", 10**20), ("s", "t", "1/3")),
    )


def _alltoalls() -> tuple[Alltoall, ...]:
    ring = built_in("ring:4")
    everybody = tuple((one, two) for one in ring.nodes for two in ring.nodes if one != two)
    return (
        ONE_PAIR,
        _asked(_PAIR, ("a", "b"), ("b", "a"), ports="half-duplex"),
        _asked(ring, *everybody),
        _asked(_BACK_AND_FORTH, ("P0", "Ps"), ("P1", "P0"), ("Ps", "P1")),
    )


SCATTERS = Instances(Alltoall, _scatter, Bounds(4, 7, 20), _scatters)
UNIT_SCATTERS = Instances(
    Alltoall, _unit_scatter, Bounds(4, 7, 20), lambda: (ROUND_THE_TARGET, _TOY_BACK_AND_FORTH)
)
ALLTOALLS = Instances(Alltoall, _alltoall, Bounds(4, 6, 16), _alltoalls)
SERVED_ALLTOALLS = Instances(Alltoall, _served, Bounds(4, 6, 12), _alltoalls)
ALLGATHERS = Instances(Alltoall, _allgather, Bounds(4, 6, 12), lambda: (ROUND_THE_TARGET,))


# Schedules ---------------------------------------------------------------------------------------


def _schedule_of(problem: Alltoall, choices: Choices) -> AlltoallSchedule:
    order = any_order(problem, choices, choices.between(1, 3))
    prices = tuple(choices.below(4) for _ in range(5))
    return AlltoallSchedule(problem, order, prices, choices.between(1, 4))


def _simple_schedules(problems: Iterable[Alltoall]) -> tuple[AlltoallSchedule, ...]:
    return tuple(
        AlltoallSchedule(problem, any_order(problem, Replayed([]), 2), (1, 0, 2), 3)
        for problem in problems
    )


SCATTER_SCHEDULES = Instances(
    AlltoallSchedule,
    lambda choices, bound: _schedule_of(_scatter(choices, bound), choices),
    Bounds(4, 7, 16),
    lambda: _simple_schedules(_scatters()),
)
ALLTOALL_SCHEDULES = Instances(
    AlltoallSchedule,
    lambda choices, bound: _schedule_of(_alltoall(choices, bound), choices),
    Bounds(4, 6, 12),
    lambda: _simple_schedules(_alltoalls()),
)
