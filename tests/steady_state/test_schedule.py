"""From weights to slots of routes and schemes: on time, without overlaps, whole if wanted."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import gcd, lcm

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exactsched.check
from exactsched.certificate.collectives import PeriodicSchedule, Series
from exactsched.check.collectives.schedule import achieved_throughput
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.model.platform import Platform
from exactsched.model.problem import PORTS, Alltoall, Reduction
from exactsched.model.resources import place_resources
from exactsched.model.tasks import WeightedStructure
from exactsched.platforms.built_in import built_in
from exactsched.steady_state.reduce import reduce
from exactsched.steady_state.schedule import (
    periodic_schedule,
    schedule_of,
    whole_tasks,
    working_times,
)
from tests.steady_state.planned import planned_route
from tests.steady_state.planted_collectives import alltoalls, reduce_toy, reductions, scatter_toy

Problem = Alltoall | Reduction

collectives = st.sampled_from(PORTS).flatmap(
    lambda ports: alltoalls(ports) | reductions(ports)  # type: ignore[arg-type]
)
dices = st.builds(random.Random, st.integers(0, 2**32))


def planned(series: Series) -> PeriodicSchedule:
    assert series.schedule is not None
    return series.schedule


def structures_of(schedule: PeriodicSchedule) -> list[WeightedStructure]:
    return [
        WeightedStructure(part, tasks, count / schedule.period)
        for part, count, tasks in [
            (one.part, one.operations, one.tasks) for one in schedule.structures
        ]
    ]


def largest_load(problem: Problem, busy: dict[int, Fraction]) -> Fraction:
    loads: Counter[str] = Counter()
    for place, time in busy.items():
        for name in place_resources(problem)[place]:
            loads[name] += time  # type: ignore[assignment]
    return Fraction(max(loads.values()))


def cut_up(schedule: PeriodicSchedule, dice: random.Random) -> PeriodicSchedule:
    """The same with slots cut at random points and spread over a longer period."""
    finer = dice.randint(1, 6)
    pieces = []
    for place, start, end in schedule.slots:
        inner = [dice.randrange(start * finer, end * finer) for _ in range(dice.randint(0, 3))]
        marks = sorted({start * finer, *inner, end * finer})
        pieces += [(place, *piece) for piece in pairwise(marks)]
    tick, slots = schedule.tick / finer, tuple(sorted(pieces, key=lambda piece: piece[1:]))
    return replace(schedule, tick=tick, slots=slots, whole=False)


def grown(schedule: PeriodicSchedule, factor: Fraction) -> PeriodicSchedule:
    """As much longer, with more operations, and said to interrupt nothing."""
    structures = tuple(
        replace(entry, operations=int(entry.operations * factor)) for entry in schedule.structures
    )
    return PeriodicSchedule(
        schedule.period * factor,
        schedule.tick * factor,
        structures,  # type: ignore[arg-type]
        schedule.slots,
        True,
    )


@settings(max_examples=35)
@given(collectives)
def test_a_periodic_schedule_carries_its_structures(series: Series) -> None:
    problem, structures = series.problem, structures_of(planned(series))
    schedule = periodic_schedule(problem, structures)
    assert structures_of(schedule) == structures
    # The shortest period with whole numbers: their greatest common divisor is 1.
    assert gcd(*(structure.operations for structure in schedule.structures)) == 1
    assert achieved_throughput(problem, schedule) == series.throughput


@settings(max_examples=50)
@given(collectives, st.integers(1, 9) | st.integers(10**30, 10**31))
def test_tasks_take_as_long_as_the_busiest_resource(series: Series, times: int) -> None:
    """For any whole numbers, however large; where the last slot ends is the shortest period."""
    problem, structures = series.problem, structures_of(planned(series))
    counts = [times] * len(structures)
    shortest = largest_load(problem, working_times(problem, structures, counts))
    schedule = schedule_of(problem, shortest, structures, counts)
    assert schedule.period == max(end for _, _, end in schedule.slots) * schedule.tick
    with pytest.raises(InvalidInput, match="more than full time"):
        schedule_of(problem, shortest * Fraction(10**40 - 1, 10**40), structures, counts)


@settings(max_examples=20)
@given(collectives)
def test_few_slots(series: Series) -> None:
    """No two slots of a place adjoin, a processor has one, and an arc a few."""
    schedule = planned(series)
    arcs = len(series.problem.platform.arcs)
    per_place = Counter(place for place, _, _ in schedule.slots)
    assert all(count == 1 for place, count in per_place.items() if place >= arcs)
    ends = {(place, end) for place, _, end in schedule.slots}
    assert not any((place, start) in ends for place, start, _ in schedule.slots)
    assert len(schedule.slots) <= 3 * len(per_place)


@settings(max_examples=50)
@given(collectives, dices)
def test_whole_tasks_grow_the_period_by_the_least_factor(
    series: Series, dice: random.Random
) -> None:
    problem, split = series.problem, cut_up(planned(series), dice)
    whole = whole_tasks(problem, split)
    assert whole.whole
    assert whole.slots == split.slots
    assert achieved_throughput(problem, whole) == achieved_throughput(problem, split)
    factor = whole.period / split.period
    assert factor.denominator == 1
    assert whole == grown(split, factor)
    for prime in (2, 3, 5, 7, 11, 13):
        if factor % prime == 0:
            with pytest.raises(Rejected, match="slot"):
                achieved_throughput(problem, grown(split, factor / prime))


@settings(max_examples=25)
@given(collectives)
def test_schedules_say_themselves_whether_they_are_whole(series: Series) -> None:
    schedule = planned(series)
    if schedule.whole:
        assert whole_tasks(series.problem, schedule) == schedule
    else:
        with pytest.raises(Rejected, match="slot"):
            achieved_throughput(series.problem, replace(schedule, whole=True))


def test_a_slot_may_end_between_two_tasks_of_different_length() -> None:
    """An arc of cost 1 sends messages of sizes 2 and 3 in slots of 2, 1 and 2 time units."""
    asked = Alltoall(
        Platform("abc", [("a", "b", 1), ("b", "c", 1)]), (("a", "b", 2), ("a", "c", 3))
    )  # type: ignore[arg-type]
    routes = (planned_route(1, 0, (0,)), planned_route(1, 1, (0, 1)))
    slots = ((0, 0, 2), (1, 0, 3), (0, 3, 6))
    whole = PeriodicSchedule(Fraction(7), Fraction(1), routes, slots, False)
    assert whole_tasks(asked, whole).period == 7
    # After the first slot of 1 half of the first message is missing, after 3 a third is there.
    for first, factor in ((1, 2), (3, 3), (4, 3)):
        slots = ((0, 0, first), (1, 0, 3), (0, 10, 15 - first))
        split = PeriodicSchedule(Fraction(15), Fraction(1), routes, slots, False)
        assert whole_tasks(asked, split).period == 15 * factor
    cut_twice = ((0, 0, 1), (1, 0, 3), (0, 5, 7), (0, 10, 12))
    split = PeriodicSchedule(Fraction(12), Fraction(1), routes, cut_twice, False)
    assert whole_tasks(asked, split).period == 12 * lcm(2, 3)


def test_several_tasks_of_a_structure_on_one_processor() -> None:
    """b joins v[0] with v[1] in 1 time unit, and the result with v[2] in 2."""
    pair = Platform("ab", [("a", "b", 1)])
    rows = (("b", 0, 0, 1, 1), ("b", 0, 1, 2, 2))
    asked = Reduction(pair, ("a", "b", "b"), (((0, 2), "b"),), Fraction(1), rows)
    scheme = ((0, 0, 0), (2, 0, 0, 1), (2, 0, 1, 2))
    schedule = periodic_schedule(asked, [WeightedStructure(0, scheme, Fraction(1, 3))])
    assert schedule.slots == ((0, 0, 1), (2, 0, 3))
    assert schedule.whole
    with pytest.raises(InvalidInput, match="more than full time") as refusal:
        periodic_schedule(asked, [WeightedStructure(0, scheme, Fraction(1, 2))])
    assert refusal.value.value == "3/2"


def test_the_toys_as_the_paper_schedules_them() -> None:
    """RR-4872: weights 1/4, 1/4, 1/2 have period 4, the trees with 1/3 and 2/3 have 3."""
    scatter = planned(scatter_toy())
    assert scatter.period == 4
    whole = whole_tasks(scatter_toy().problem, scatter)
    assert achieved_throughput(scatter_toy().problem, whole) == Fraction(1, 2)
    reduction = planned(reduce_toy())
    assert (reduction.period, reduction.whole) == (3, True)


def test_a_whole_solution_has_an_accepted_certificate() -> None:
    platform = built_in("random:7,20,2")
    compute = {node: Fraction(2 + index, 3) for index, node in enumerate(platform.nodes)}
    solution = reduce(platform, platform.nodes[:4], platform.nodes[-1], compute=compute)
    whole = solution.whole()
    assert whole.schedule is not None
    assert whole.schedule.whole
    assert exactsched.check(whole.certificate()).throughput == solution.throughput
