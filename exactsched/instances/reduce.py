"""Instances of reductions and parallel prefixes, any schedules of them, and periods."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from exactsched.instances.choices import Choices, Replayed
from exactsched.instances.instance_type import Bounds, Instances
from exactsched.instances.platforms import cost, reduction
from exactsched.instances.series import any_order, first_possible
from exactsched.model.platform import Platform, both_ways
from exactsched.model.problem import Reduction
from exactsched.oracles.series import Order
from exactsched.platforms.built_in import built_in


@dataclass(frozen=True)
class ReductionSchedule:
    """Tasks in the `order` in which they begin, `prices` of resources, and a number of operations.

    A row of the order is (operation, arc, k, m) or (operation, processor, k, l, m).
    """

    problem: Reduction
    order: Order
    prices: tuple[int, ...]
    operations: int


@dataclass(frozen=True)
class ReductionPeriod:
    """A period of `operations` / TP, for the optimal throughput TP."""

    problem: Reduction
    operations: Fraction


# Reductions --------------------------------------------------------------------------------------


def _any_reduction(choices: Choices, bound: int) -> Reduction:
    """One in four may well have no reduction tree."""
    return _as_it_comes(choices, bound) if choices.flip(4) else possible_reduction(choices, bound)


def possible_reduction(choices: Choices, bound: int) -> Reduction:
    """One that has a reduction tree, of up to `bound` nodes."""
    return first_possible(_as_it_comes(choices, bound) for _ in range(8))


def _as_it_comes(choices: Choices, bound: int) -> Reduction:
    return reduction(choices, max_nodes=bound, max_values=max(3, bound - 1))


def _of_all_values(choices: Choices, bound: int) -> Reduction:
    """The result of all values is wanted, at a node that has not got it."""
    made = reduction(choices, ports="one-port", max_nodes=bound, max_values=3)
    _, target = made.goals[0]
    return replace(made, goals=(((0, len(made.owners) - 1), target),))


_TRIANGLE = built_in("reduce-toy")
_TOY = Reduction(
    Platform(_TRIANGLE.nodes, _TRIANGLE.arcs),
    ("P0", "P1", "P2"),
    (((0, 2), "P0"),),
    Fraction(1),
    (("P0", "1/2"), ("P1", 1), ("P2", 1)),
)
_PAIR = Platform("ta", both_ways([("t", "a", 1)]))
_LINE = Platform("abcd", both_ways([("a", "b", 1), ("b", "c", 1), ("c", "d", 1)]))
# Nobody computes; printed, v[0,1] leaves t and comes back all the same.
NOBODY_COMPUTES = Reduction(_PAIR, ("t", "a"), (((0, 1), "t"),), Fraction(1), ())
# The values pass through their owners and the target, are joined at the end, and come back.
_DETOUR = Reduction(_LINE, ("a", "b"), (((0, 1), "c"),), Fraction(1), (("d", "1/7"),))
_ALONE = Reduction(_LINE, ("a",), (((0, 0), "d"),), Fraction(3), ())
_TWICE = Reduction(
    _PAIR, ("t", "a", "t", "a"), (((0, 3), "t"),), Fraction(10**30), (("t", 1), ("a", 1))
)
_POSSIBLE = (_TOY, _DETOUR, _ALONE, _TWICE, replace(_TOY, ports="link"))

REDUCTIONS = Instances(
    Reduction, _any_reduction, Bounds(3, 4, 8), lambda: (NOBODY_COMPUTES, *_POSSIBLE)
)
POSSIBLE_REDUCTIONS = Instances(Reduction, possible_reduction, Bounds(3, 4, 8), lambda: _POSSIBLE)
REDUCTIONS_OF_ALL_VALUES = Instances(
    Reduction, _of_all_values, Bounds(3, 4, 8), lambda: (_TOY, _DETOUR)
)


# Prefixes ----------------------------------------------------------------------------------------


def _prefix(choices: Choices, bound: int) -> Reduction:
    """One in four may well have goals that cannot be made."""
    tries = 1 if choices.flip(4) else 6
    return first_possible(_any_prefix(choices, bound) for _ in range(tries))


def _any_prefix(choices: Choices, bound: int) -> Reduction:
    """The goals of a prefix; at times one more result is wanted."""
    made = reduction(choices, max_nodes=bound, max_values=3)
    owners = list(made.owners)
    while len(owners) < 3:
        owners.append(choices.one_of(made.platform.nodes))
    goals = [((0, index), owner) for index, owner in enumerate(owners) if index]
    if choices.flip(4):
        k = choices.below(len(owners) - 1)
        goals.append(((k, len(owners) - 1), choices.one_of(made.platform.nodes)))
    return replace(
        made, owners=tuple(owners), goals=tuple(dict.fromkeys(goals)), size=cost(choices)
    )


# Both goals want the same results over the arc 0 -> 1, as in a butterfly: flows may overlap there
# as they like, those of a scheme may not.
BUTTERFLY = Reduction(
    Platform(range(4), [(0, 1, "1/2"), (1, 2, "1/2"), (1, 3, "1/2"), (2, 0, "1/2"), (3, 0, "1/4")]),
    (2, 3, 0),
    (((0, 1), 3), ((0, 2), 0)),
    Fraction(1),
    ((1, 1), (2, 1), (3, 1)),
)
_CHAIN = Reduction(
    Platform("abc", [("a", "b", 1), ("b", "c", 1)]),
    ("a", "b", "c"),
    (((0, 1), "b"), ((0, 2), "c")),
    Fraction(1),
    (("b", "1/2"), ("c", "1/2")),
)

PREFIXES = Instances(Reduction, _prefix, Bounds(3, 4, 5), lambda: (_CHAIN,))


# Schedules and periods ---------------------------------------------------------------------------


def _schedule_of(problem: Reduction, choices: Choices) -> ReductionSchedule:
    """Random schemes of a few operations, mixed at random, and random prices."""
    order = any_order(problem, choices, choices.between(1, 3))
    prices = tuple(choices.below(4) for _ in range(7))
    return ReductionSchedule(problem, order, prices, choices.between(1, 3))


def _simple_schedules(*problems: Reduction) -> tuple[ReductionSchedule, ...]:
    return tuple(
        ReductionSchedule(problem, any_order(problem, Replayed([]), 2), (1, 0, 2), 3)
        for problem in problems
    )


REDUCTION_SCHEDULES = Instances(
    ReductionSchedule,
    lambda choices, bound: _schedule_of(_any_reduction(choices, bound), choices),
    Bounds(3, 4, 8),
    lambda: _simple_schedules(NOBODY_COMPUTES, *_POSSIBLE),
)
PREFIX_SCHEDULES = Instances(
    ReductionSchedule,
    lambda choices, bound: _schedule_of(_prefix(choices, bound), choices),
    Bounds(3, 4, 5),
    lambda: _simple_schedules(_CHAIN, BUTTERFLY, replace(BUTTERFLY, ports="link"), _TOY),
)


def _period(choices: Choices, bound: int) -> ReductionPeriod:
    return ReductionPeriod(possible_reduction(choices, bound), choices.fraction(40, (1, 2, 3, 7)))


PERIODS = Instances(
    ReductionPeriod,
    _period,
    Bounds(3, 4, 8),
    lambda: (
        ReductionPeriod(_TOY, Fraction(3)),
        ReductionPeriod(_TOY, Fraction(1, 2)),
        ReductionPeriod(_DETOUR, Fraction(7, 2)),
        ReductionPeriod(_TWICE, Fraction(10**40, 3)),
    ),
)
