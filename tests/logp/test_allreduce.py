"""Combining: everybody gets every value once, in the time of a broadcast."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.certificate.logp import LogPRounds, LogPSchedule
from exactsched.certificate.logp_messages import listed
from exactsched.check import check
from exactsched.exact.errors import InvalidInput
from exactsched.logp.allreduce import allreduce
from exactsched.logp.counts import broadcast_time, fibonacci
from exactsched.model.machine import LogP

numbers = st.builds(Fraction, st.integers(1, 30), st.integers(1, 4))
machines = st.builds(LogP, numbers, numbers | st.just(0), numbers, st.integers(1, 40))


# The definition ---------------------------------------------------------------------------------


def executed(rounds: LogPRounds, values: list[int]) -> list[int]:
    """What everybody has in the end, if p starts with values[p]."""
    schedule = listed(rounds)
    machine, tick = schedule.machine, schedule.tick
    received = [0] * machine.P
    events = defaultdict(list)
    for sender, receiver, item, start in schedule.messages:
        events[start * tick].append((sender, receiver, item))
    under_way: list[tuple[Fraction, int, int]] = []
    for time in sorted(events):
        waiting = []
        for end, receiver, value in under_way:
            if end <= time:
                received[receiver] += value
            else:
                waiting.append((end, receiver, value))
        under_way = waiting
        for sender, receiver, item in events[time]:
            carried = received[sender] + (0 if item else values[sender])
            assert carried
            under_way.append((time + machine.delay, receiver, carried))
    for end, receiver, value in under_way:
        assert end <= schedule.time
        received[receiver] += value
    return [own + more for own, more in zip(values, received, strict=True)]


def assert_combining(schedule: LogPRounds) -> None:
    size = schedule.machine.P
    # A digit for each value: what is missing, or counted twice, shows.
    values = [1 << (size.bit_length() + 1) * p for p in range(size)]
    assert executed(schedule, values) == [sum(values)] * size
    stated = (schedule.time, schedule.bound, schedule.optimal)
    for noun in (schedule, listed(schedule)):
        claim = check(noun)
        assert (claim.time, claim.bound, claim.optimal) == stated


@cache
def most_by_exhaustion(latency: int, time: int) -> int:
    """In the postal model, how many know a value at the most: whoever knows sends or does not."""

    @cache
    def most(left: int, knowing: int, under_way: tuple[int, ...]) -> int:
        # `under_way` holds those that will know one, two, ... steps from now.
        if left == 0:
            return knowing
        return max(
            most(left - 1, knowing + (*under_way, sending)[0], (*under_way, sending)[1:])
            for sending in range(knowing + 1)
        )

    return most(time, 1, (0,) * (latency - 1))


# Theorem 4.1 ------------------------------------------------------------------------------------


@pytest.mark.parametrize("latency", range(1, 13))
def test_every_number_of_processors_in_the_time_of_a_broadcast(latency: int) -> None:
    for size in range(1, 61):
        machine = LogP(latency, 0, 1, size)
        schedule = allreduce(machine)
        assert schedule.time == broadcast_time(machine)
        assert schedule.optimal
        assert_combining(schedule)


@given(st.integers(1, 12), st.integers(61, 300))
def test_more_processors(latency: int, size: int) -> None:
    machine = LogP(latency, 0, 1, size)
    schedule = allreduce(machine)
    assert schedule.optimal
    assert schedule.time == broadcast_time(machine)
    assert executed(schedule, [1] * size) == [size] * size


@pytest.mark.parametrize("latency", [1, 2, 3])
def test_nothing_is_faster(latency: int) -> None:
    for time in range(latency, latency + 5):
        most = most_by_exhaustion(latency, time)
        assert allreduce(LogP(latency, 0, 1, most)).time == time
        assert allreduce(LogP(latency, 0, 1, most + 1)).time > time


@pytest.mark.parametrize("latency", [1, 2, 3, 5])
def test_the_algorithm_of_the_paper_where_it_applies(latency: int) -> None:
    for time in range(latency, latency + 9):
        plan = allreduce(LogP(latency, 0, 1, fibonacci(latency, time)))
        shifts = [fibonacci(latency, j + latency - 1) for j in range(time - latency + 1)]
        assert plan.rounds == tuple((j, shift, 0) for j, shift in enumerate(shifts))


def test_five_processors_in_three_rounds() -> None:
    schedule = allreduce(LogP(1, 0, 1, 5))
    assert schedule.time == 3
    assert executed(schedule, [1, 10, 100, 1000, 10000]) == [11111] * 5


# Other machines ---------------------------------------------------------------------------------


@given(machines)
def test_any_machine(machine: LogP) -> None:
    schedule = allreduce(machine)
    assert schedule.bound == broadcast_time(machine) <= schedule.time
    assert schedule.optimal == (schedule.time == schedule.bound)
    assert_combining(schedule)


@given(st.integers(1, 6), numbers, st.fractions(0, "1/2"), st.integers(1, 100))
def test_overheads_and_gaps_that_fit(periods: int, gap: Fraction, o: Fraction, size: int) -> None:
    overhead = gap * o
    latency = periods * gap - 2 * overhead
    if latency <= 0:
        return
    schedule = allreduce(LogP(latency, overhead, gap, size))
    assert schedule.optimal
    assert schedule.time == gap * allreduce(LogP(periods, 0, 1, size)).time
    assert check(schedule).optimal


@given(machines, numbers)
def test_time_is_proportional(machine: LogP, factor: Fraction) -> None:
    scaled = LogP(machine.L * factor, machine.o * factor, machine.g * factor, machine.P)
    assert allreduce(scaled).time == factor * allreduce(machine).time
    assert allreduce(scaled).rounds == allreduce(machine).rounds


@given(machines)
def test_no_pace_is_faster(machine: LogP) -> None:
    # Rounds a period apart, a message taking several of them: all that fit (see the proof).
    if machine.P == 1:
        return
    times = []
    for periods in range(1, int(machine.delay / machine.period) + 3):
        period = max(machine.g, 2 * machine.o, machine.delay / periods)
        if (periods - 1) * period <= machine.L:
            last = next(k for k in range(99) if fibonacci(periods, periods + k) >= machine.P)
            times.append(last * period + machine.delay)
    assert allreduce(machine).time == min(times)


def test_figure_1_machine_is_not_settled() -> None:
    # Receptions have to get out of the way of sends: a period of 5 instead of the gap 4.
    schedule = allreduce(LogP(6, 2, 4, 8))
    assert (schedule.time, schedule.bound, schedule.optimal) == (25, 24, False)


def test_where_sending_only_own_values_is_faster() -> None:
    schedule = allreduce(LogP(1, 1, 1, 3))
    assert (schedule.time, schedule.bound, schedule.optimal) == (6, 4, False)
    direct = tuple((p, (p + shift) % 3, 0, shift - 1) for shift in (1, 2) for p in range(3))
    by_hand = LogPSchedule(schedule.machine, "allreduce", 1, 1, direct, (), 4, 4, True)
    assert check(by_hand).optimal
    rounds = ((0, 1, 0), (1, 2, 0))
    by_rounds = LogPRounds(schedule.machine, "allreduce", 1, 1, (), rounds, 4, 4, True)
    assert check(by_rounds).optimal


def test_rounds_for_any_number_of_processors() -> None:
    machine = LogP(5, 0, 1, 10**18)
    plan = allreduce(machine)
    assert check(plan).time == plan.time == broadcast_time(machine)
    window, windows = 1, [1] * 5
    for index, shift, item in plan.rounds:
        assert shift == windows[index + 4] - item
        window = windows[index + 4] + windows[index] - item
        windows.append(window)
    assert window == machine.P


def test_one_processor_has_nothing_to_do() -> None:
    schedule = allreduce(LogP(3, 1, 2, 1))
    assert (schedule.rounds, schedule.time, schedule.optimal) == ((), 0, True)
    assert check(schedule).optimal


def test_too_many_rounds_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"P: 10+: more than 1000000 rounds are not listed"):
        allreduce(LogP(10**9, 0, 1, 10**18))
