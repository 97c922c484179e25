"""Alltoall on a LogP machine: always legal, optimal where the bound of the paper can be met."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.certificate.logp import LogPRounds
from exactsched.certificate.logp_messages import listed
from exactsched.check import check
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import Rational
from exactsched.logp.allgather_and_alltoall import allgather, allgather_bound, alltoall
from exactsched.model.machine import LogP
from exactsched.oracles.logp import least_direct_time
from exactsched.oracles.logp_schedules import broken_rule

machines = st.builds(
    LogP, st.integers(1, 12), st.integers(0, 6), st.integers(1, 12), st.integers(1, 9)
)
positive = st.fractions(min_value=Fraction(1, 6), max_value=8, max_denominator=6)
rational_machines = st.builds(
    LogP, positive, st.one_of(st.just(Fraction(0)), positive), positive, st.integers(1, 7)
)


def printed_order_is_legal(machine: LogP, number: int) -> bool:
    """Whether rounds every max(g, o) put no overhead of a reception on one of a send."""
    arrival = machine.L + machine.o
    return all(
        abs(arrival + (received - sent) * machine.period) >= machine.o
        for received in range(number)
        for sent in range(number)
    )


def rounds(schedule: LogPRounds) -> list[int]:
    return sorted({start for *_, start in listed(schedule).messages})


@given(st.one_of(machines, rational_machines), st.integers(1, 3))
def test_every_schedule_is_legal_and_proved(machine: LogP, items: int) -> None:
    for schedule in (allgather(machine, items), alltoall(machine, items)):
        assert not broken_rule(listed(schedule))
        assert check(schedule).bound == check(listed(schedule)).bound == schedule.bound
        assert schedule.bound == allgather_bound(machine, items) <= schedule.time


@given(st.one_of(machines, rational_machines), st.integers(1, 3))
def test_the_simple_bound_is_reached_if_and_only_if_the_printed_order_is_legal(
    machine: LogP, items: int
) -> None:
    number = items * (machine.P - 1)
    schedule = allgather(machine, items)
    simple = machine.delay + (number - 1) * machine.period if number else 0
    assert (schedule.time == simple) == printed_order_is_legal(machine, number)
    if schedule.time == simple or number <= 2:
        assert schedule.optimal
    assert alltoall(machine, items).time == schedule.time


@pytest.mark.parametrize("size", [47, 300])
def test_many_processors(size: int) -> None:
    for machine in (LogP(3, 0, 1, size), LogP(6, 2, 4, size)):
        schedule = allgather(machine)
        number = size - 1
        assert len(listed(schedule).messages) == size * number
        assert check(schedule).optimal == schedule.optimal == (machine.o == 0)
    # Halves exchange a message every 4 time units; clusters would be two rounds every 10.
    assert schedule.time <= 10 + 4 * number + size.bit_length() * (4 - 4 + 2 + 10)
    assert schedule.time < number * 5


@pytest.mark.parametrize("size", [2, 3, 4, 5, 8, 11, 16])
def test_halves_exchange_without_pause_where_the_gap_allows_it(size: int) -> None:
    """Within the bound of the page if G >= 2 (o + the distance of L + o from a multiple of G)."""
    for latency, overhead, gap in product(range(1, 10), (1, 2), range(2, 10)):
        machine = LogP(latency, overhead, gap, size)
        off = min((latency + overhead) % gap, -(latency + overhead) % gap)
        if off < overhead and gap >= 2 * (overhead + off):
            levels = (size - 1).bit_length()
            delay = latency + 2 * overhead
            for items in (1, 5):
                in_levels = items * (size - 1 + levels) * gap
                idle = levels * (overhead + off + max(delay, gap) - gap)
                schedule = allgather(machine, items)
                assert schedule.time <= in_levels + idle + delay - max(delay, gap)
                assert not broken_rule(listed(schedule))


def test_every_small_machine() -> None:
    for latency, overhead, gap in product(range(1, 8), (1, 2, 3), (1, 2, 3)):
        for size, items in ((2, 5), (3, 3), (4, 2)):
            machine = LogP(latency, overhead, gap, size)
            assert not broken_rule(listed(allgather(machine, items)))


def test_two_processors_exchange_many_items() -> None:
    """Sends at 0, 6, ... and 3, 9, ..., receptions at 8, 14, ... and 5, 11, ...."""
    schedule = allgather(LogP(3, 2, 6, 2), 12)
    assert listed(schedule).messages[:3] == ((0, 1, 0, 0), (1, 0, 12, 3), (0, 1, 1, 6))
    assert schedule.time == 3 + 11 * 6 + 7


def test_the_four_bounds() -> None:
    assert allgather_bound(LogP(3, 0, 1, 9)) == 3 + 7  # receptions one after the other
    assert allgather_bound(LogP(2, 1, 3, 2), 3) == 4 + 2 * 3 + 1  # L + o = 1 * 3
    assert allgather_bound(LogP(1, 2, 1, 3)) == 2 * 5  # twice the delay
    # Sixteen overheads of 2; of the first 5, and of the last 5, at least 1 is idle.
    assert allgather_bound(LogP(3, 2, 3, 2), 8) == 16 * 2 + 2 * 1


def test_the_counterexample_to_the_printed_order() -> None:
    machine = LogP(6, 2, 4, 4)
    assert not printed_order_is_legal(machine, 3)
    schedule = allgather(machine)
    assert rounds(schedule) == [0, 4, 10]
    assert (schedule.time, schedule.bound, schedule.optimal) == (20, 20, True)
    assert least_direct_time(LogP(6, 2, 4, 3), 1, 100) == 14
    assert least_direct_time(machine, 1, 100) == 20


def test_bounds_and_times_against_exhaustion() -> None:
    """The least time of direct schedules; it is ours wherever there are at most two rounds."""
    for latency, overhead, gap in product((1, 2, 3, 4), (0, 1, 2), (1, 2, 3, 4)):
        for size, items in ((2, 1), (2, 2), (2, 3), (3, 1)):
            machine = LogP(latency, overhead, gap, size)
            ours = allgather(machine, items).time
            least = least_direct_time(machine, items, int(ours))
            assert allgather_bound(machine, items) <= least <= ours
            if items * (size - 1) <= 2:
                assert allgather_bound(machine, items) == ours


def last_round(machine: LogP) -> Rational:
    return allgather(machine).time - machine.delay


def least_last_round(machine: LogP, number: int) -> int:
    """By exhaustion over rounds that all processors start together, at whole times."""
    latency, overhead, period = int(machine.L), int(machine.o), int(machine.period)
    delay = latency + 2 * overhead
    best = number * (delay + period)

    def extend(starts: list[int]) -> None:
        nonlocal best
        if starts[-1] + (number - len(starts)) * period >= best:
            return
        if len(starts) == number:
            best = starts[-1]
            return
        for start in range(starts[-1] + period, best):
            if not overhead or all(not latency < start - other < delay for other in starts):
                extend([*starts, start])

    extend([0])
    return best


def test_no_common_rounds_are_faster_if_the_gap_is_two_overheads() -> None:
    for latency, overhead, gap in product(range(1, 10), (0, 1, 2), range(1, 7)):
        if gap >= 2 * overhead:
            machine = LogP(latency, overhead, gap, 7)
            assert last_round(machine) <= least_last_round(machine, 6)


def test_common_rounds_are_nearly_as_good_for_smaller_gaps() -> None:
    """They are the best but for a few mixed sizes of clusters, as the page says."""
    machine = LogP(7, 2, 3, 5)
    assert rounds(allgather(machine)) == [0, 4, 11, 15]
    assert least_last_round(machine, 4) == 11
    for latency, overhead, gap in product(range(1, 8), (1, 2, 3), range(1, 6)):
        machine = LogP(latency, overhead, gap, 4)
        if gap < 2 * overhead:
            assert last_round(machine) <= least_last_round(machine, 3)


@given(rational_machines, st.integers(1, 2), positive)
def test_time_scales_with_the_parameters(machine: LogP, items: int, factor: Fraction) -> None:
    slower = LogP(machine.L * factor, machine.o * factor, machine.g * factor, machine.P)
    assert allgather(slower, items).time == allgather(machine, items).time * factor
    assert allgather_bound(slower, items) == allgather_bound(machine, items) * factor


def test_one_processor_sends_nothing() -> None:
    for schedule in (allgather(LogP(1, 1, 1, 1)), alltoall(LogP(1, 1, 1, 1), 3)):
        assert (schedule.rounds, schedule.time, schedule.optimal) == ((), 0, True)
        assert check(schedule).optimal
    assert allgather_bound(LogP(1, 1, 1, 1)) == 0


@pytest.mark.parametrize("items", [0, -1, True, 1.0, "2"])
@pytest.mark.parametrize("collective", [allgather, alltoall, allgather_bound])
def test_items_are_a_positive_integer(collective: object, items: object) -> None:
    with pytest.raises(InvalidInput, match=r"items: .*: the number of items is a positive integer"):
        collective(LogP(1, 1, 1, 3), items)  # type: ignore[operator]


def test_any_number_of_processors_and_items() -> None:
    for machine, items in ((LogP(6, 2, 4, 10**18), 1), (LogP(6, 2, 4, 2), 10**18)):
        schedule = allgather(machine, items)
        assert check(schedule).time == schedule.time
        assert len(schedule.rounds) < 20
    many = LogP(6, 2, 4, 10**18)
    simple = many.delay + (many.P - 2) * 4
    assert allgather(many).time <= simple + 60 * (4 + 10 + 2)


def test_halves_exchange_items_where_too_many_rounds_would_be_listed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("exactsched.logp.listing.MOST_ROUNDS", 100)
    machine = LogP("7/3", 0, "2/3", 1000)  # of no other test: plans are kept
    for items in (1, 7, 1000):
        schedule = allgather(machine, items)
        assert 0 < len(schedule.rounds) <= 100 or items == 1000
        assert schedule.halvings
        over = 10 * (machine.delay + items * machine.g)  # ten times halved
        assert check(schedule).time == schedule.time <= schedule.bound + over
