"""Summation: figure 6, the definition, exhaustive search, execution on sums and on text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.certificate.logp import LogPSchedule
from exactsched.check import check
from exactsched.exact.errors import InvalidInput
from exactsched.logp.summation import operand_numbers, summation_of, summation_within
from exactsched.model.machine import LogP
from exactsched.oracles.logp_sums import most_operands_of_trees, priced_bound, tick_of
from exactsched.simulation.logp import simulate_logp

FIGURE_6 = LogP(5, 2, 4, 8)

machines = st.builds(
    LogP, st.integers(1, 12), st.integers(0, 5), st.integers(1, 9), st.integers(1, 300)
)


@st.composite
def fractional(draw: st.DrawFn, largest: int = 12) -> LogP:
    unit = draw(st.sampled_from([2, 3, 4, 5, 7, 10]))
    latency, overhead = draw(st.integers(1, 3 * unit)), draw(st.integers(0, 2 * unit))
    gap = draw(st.integers(1, 5 * unit))
    numbers = (Fraction(number, unit) for number in (latency, overhead, gap))
    return LogP(*numbers, draw(st.integers(1, largest)))


def fills_gaps(machine: LogP) -> bool:
    """Whether additions leave no time between receptions that are as close as possible."""
    return machine.g <= machine.o + 1 or (machine.g - machine.o).denominator == 1


# The definition ---------------------------------------------------------------------------------


def assert_summation(schedule: LogPSchedule) -> None:
    """Processors do one thing at a time, gaps are kept, and all that is sent is complete."""
    machine = schedule.machine
    overhead, latency, gap = machine.o, machine.L, machine.g
    busy: dict[int, list[tuple[Fraction, Fraction]]] = defaultdict(list)
    sends: dict[int, list[int]] = defaultdict(list)
    receptions: dict[int, list[Fraction]] = defaultdict(list)
    for processor, start, number in schedule.additions:
        assert number > 0
        busy[processor].append((Fraction(start), Fraction(start + number)))
    for sender, receiver, item, start in schedule.messages:
        assert item == 0
        assert sender != receiver
        received = start + overhead + latency
        sends[sender].append(start)
        receptions[receiver].append(received)
        busy[sender].append((Fraction(start), start + overhead))
        busy[receiver].append((received, received + overhead + 1))
    for processor, intervals in busy.items():
        assert 0 <= processor < machine.P
        intervals.sort()
        assert intervals[0][0] >= 0
        for (_, end), (start, _) in pairwise(intervals):
            assert end <= start
        if processor:
            [last] = sends[processor]
            assert max(intervals) == (last, last + overhead)
        else:
            assert not sends[processor]
            assert intervals[-1][1] <= schedule.time
        arrivals = sorted(receptions[processor])
        assert all(b - a >= gap for a, b in pairwise(arrivals))
        for one in arrivals:
            under_way = sum(one - latency < other <= one for other in arrivals)
            assert under_way <= machine.capacity
    takes_part = {0} | {sender for sender, *_ in schedule.messages}
    assert set(busy) <= takes_part
    assert schedule.count == len(takes_part) + sum(number for *_, number in schedule.additions)
    claim = check(schedule)
    assert (claim.count, claim.time) == (schedule.count, schedule.time)
    assert (claim.bound, claim.optimal) == (schedule.bound, True)


def executed(schedule: LogPSchedule, operands: list[str]) -> str:
    """The concatenation that processor 0 ends with, where the operands are `operand_numbers`."""
    numbers = operand_numbers(schedule)
    delay, tick = schedule.machine.delay, Fraction(schedule.tick)
    events = [(one[1] * tick, 1, one) for one in schedule.additions]
    events += [(one[3] * tick, 0, one) for one in schedule.messages]
    events += [(one[3] * tick + delay, 2, one) for one in schedule.messages]
    own = {p: [operands[i] for part in parts for i in part] for p, parts in numbers.items()}
    value = {processor: one.pop(0) for processor, one in own.items()}
    sent: dict[int, str] = {}
    # A message carries what is complete when it starts; an addition takes its own time.
    for _, kind, what in sorted(events, key=lambda event: (event[0], event[1] != 0)):
        if kind == 0:
            sent[what[0]] = value.pop(what[0])
        elif kind == 1:
            for _ in range(what[2]):
                value[what[0]] += own[what[0]].pop(0)
        else:
            value[what[1]] += sent.pop(what[0])
    assert not sent
    assert not any(own.values())
    assert list(value) == [0]
    return value[0]


Debtor = tuple[int, int, int, int, int]
Search = Callable[[int, tuple[Debtor, ...], tuple[int, ...]], int]


def most_by_exhaustion(machine: LogP, time: int | Fraction) -> int:
    """The most operands over *all* algorithms: a search backwards from the result.

    Going back, a processor owes sums: an addition turns one into none, one or two (an operand that
    it has itself is no debt), a reception hands it to whoever sends it, and a send takes it over.
    Any order of additions, several sends of a processor and relays are among the possibilities.
    The capacity is not asked for, so this is at least the optimum.
    """
    unit = int(1 / tick_of(machine))
    search = backwards(*(int(number * unit) for number in (machine.L, machine.o, machine.g)), unit)
    others = [(0, 0, 0, 0, 0)] * (machine.P - 1)
    return 1 + search(int(time * unit), (*others, (1, 0, 0, 0, 0)), ())


@cache
def backwards(L: int, o: int, g: int, unit: int) -> Search:  # noqa: N803
    """The most additions in a time, from what processors owe now and what is under way.

    A processor is (debts, busy for, still to take over, no reception for, no send for).
    """

    @cache
    def best(left: int, processors: tuple[Debtor, ...], flights: tuple[int, ...]) -> int:
        if flights and flights[0] == 0:
            outcomes = []
            for index, (debts, busy, _, no_reception, no_send) in enumerate(processors):
                if busy or no_send or processors[index] in processors[:index]:
                    continue
                now = (debts + (o == 0), o, int(o > 0), no_reception, g)
                changed = (*processors[:index], now, *processors[index + 1 :])
                outcomes.append(best(left, tuple(sorted(changed)), flights[1:]))
            return max(outcomes, default=-1)
        most = -1
        for index, (debts, busy, _, no_reception, no_send) in enumerate(processors):
            if busy or no_reception or not debts or processors[index] in processors[:index]:
                continue
            now = (debts - 1, o, 0, g, no_send)
            changed = (*processors[:index], now, *processors[index + 1 :])
            most = max(most, best(left, tuple(sorted(changed)), (*flights, L + o)))
        return max(most, stepped(left, processors, flights))

    @cache
    def stepped(left: int, processors: tuple[Debtor, ...], flights: tuple[int, ...]) -> int:
        if left == 0:
            complete = not flights and not any(busy for _, busy, *_ in processors)
            return 0 if complete else -1
        choices = []
        for debts, busy, taking, no_reception, no_send in processors:
            waits = (max(no_reception - 1, 0), max(no_send - 1, 0))
            if busy:
                done = taking if busy == 1 else 0
                choices.append([(0, (debts + done, busy - 1, taking - done, *waits))])
            else:
                # Three debts at a time are as good as more in the cases that are searched.
                after = [(d, debts + d) for d in (-1, 0, 1) if debts and debts + d <= 3]
                waiting = [(0, (debts, 0, 0, *waits))]
                if unit == 1:
                    adding = [(1, (owed, 0, 0, *waits)) for _, owed in after]
                else:
                    adding = [(1, (debts - 1, unit - 1, 1 + d, *waits)) for d, _ in after]
                choices.append(waiting + adding)
        nearer = tuple(sorted(flight - 1 for flight in flights))
        most = -1
        for chosen in {tuple(sorted(several)) for several in product(*choices)}:
            rest = best(left - 1, tuple(sorted(state for _, state in chosen)), nearer)
            if rest >= 0:
                most = max(most, rest + sum(number for number, _ in chosen))
        return most

    return best


# Figures and small cases -------------------------------------------------------------------------


def test_figure_6() -> None:
    schedule = summation_within(FIGURE_6, 28)
    sent = {sender: start for sender, _, _, start in schedule.messages}
    assert [28, *(sent[processor] for processor in range(1, 8))] == [28, 18, 14, 10, 8, 6, 4, 4]
    # Lemma 5.1 as printed has o P for o (P - 1): two operands fewer.
    assert schedule.count == schedule.bound == 79
    assert schedule.additions[:4] == ((0, 0, 13), (0, 16, 1), (0, 20, 1), (0, 24, 1))
    assert schedule.optimal
    assert_summation(schedule)


def test_an_early_sender_is_left_out() -> None:
    # Labels 0, 10, 14: at time 16 processor 2 could send at 2, after 2 additions, which the
    # overhead of its reception would cost the root; at 17 it brings one operand.
    assert [len(summation_within(FIGURE_6, t).messages) for t in (12, 13, 16, 17)] == [0, 1, 1, 2]
    assert [summation_within(FIGURE_6, t).count for t in (12, 13, 16, 17)] == [13, 15, 21, 24]


def test_the_gap_that_counts_is_that_of_receptions_with_their_additions() -> None:
    # g = 1 < o + 1 = 3: the root cannot add what arrives every time unit.
    schedule = summation_within(LogP(1, 2, 1, 3), 20)
    assert [start for *_, start in schedule.messages] == [11, 14]
    assert_summation(schedule)


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("gap", [1, 2, 4])
@pytest.mark.parametrize("overhead", [0, 1, 2])
@pytest.mark.parametrize("latency", [1, 2])
def test_no_algorithm_adds_more(latency: int, overhead: int, gap: int, size: int) -> None:
    machine = LogP(latency, overhead, gap, size)
    for time in range(9 if size == 3 else 12):
        most = most_by_exhaustion(machine, time)
        assert summation_within(machine, time).count == most


def test_four_processors_that_receive_faster_than_they_add() -> None:
    machine = LogP(1, 1, 1, 4)
    assert summation_within(machine, 9).count == most_by_exhaustion(machine, 9)


@pytest.mark.parametrize("gap", [1, 3, 4, 5])
@pytest.mark.parametrize("overhead", [0, 1, 2])
@pytest.mark.parametrize("latency", [1, 2])
def test_no_algorithm_adds_more_in_halves(latency: int, overhead: int, gap: int) -> None:
    machine = LogP(Fraction(latency, 2), Fraction(overhead, 2), Fraction(gap, 2), 2)
    for ticks in range(0, 13, 2 if tick_of(machine) == 1 else 1):
        most = most_by_exhaustion(machine, Fraction(ticks, 2))
        assert summation_within(machine, Fraction(ticks, 2)).count == most


@pytest.mark.parametrize(
    ("machine", "time"),
    [
        (LogP("1/2", 0, "3/2", 3), "9/2"),
        (LogP(1, "1/2", "1/2", 3), 5),
        (LogP("2/3", "1/3", "5/3", 2), "13/3"),
    ],
)
def test_no_algorithm_adds_more_in_parts(machine: LogP, time: object) -> None:
    end = Fraction(str(time))
    schedule = summation_within(machine, end)
    assert schedule.count == most_by_exhaustion(machine, end) == schedule.bound
    assert schedule.messages


# Laws -------------------------------------------------------------------------------------------


@given(machines, st.fractions(0, 120))
def test_within(machine: LogP, time: Fraction) -> None:
    schedule = summation_within(machine, time)
    assert schedule.time == time // 1
    assert schedule.optimal
    assert schedule.count == schedule.bound
    assert_summation(schedule)
    assert schedule.count == 1 + schedule.time + sum(
        start - machine.o for *_, start in schedule.messages
    )
    letters = [chr(0x100 + i) for i in range(schedule.count)]
    assert executed(schedule, letters) == "".join(letters)


@given(machines, st.integers(1, 3000))
def test_of(machine: LogP, operands: int) -> None:
    schedule = summation_of(machine, operands)
    assert schedule.optimal
    assert schedule.count == operands
    assert schedule.bound == summation_within(machine, schedule.time).count >= operands
    if operands > 1:
        assert summation_within(machine, schedule.time - 1).count < operands
    assert_summation(schedule)
    fewer = len(schedule.messages)
    if fewer:
        # Whoever sends first starts to add as late as he can.
        (first, start, number), sent = schedule.additions[-1], schedule.messages[0]
        assert (first, start + number) == (sent[0], sent[3])
        without = LogP(machine.L, machine.o, machine.g, fewer)
        assert summation_within(without, schedule.time).count < operands
    letters = [chr(0x100 + i) for i in range(operands)]
    assert executed(schedule, letters) == "".join(letters)


@given(machines, st.integers(0, 200))
def test_time_processors_and_speed_never_harm(machine: LogP, time: int) -> None:
    L, o, g, P = machine.L, machine.o, machine.g, machine.P  # noqa: N806
    count = summation_within(machine, time).count
    assert summation_within(machine, time + 1).count > count
    for faster in (
        LogP(L, o, g, P + 1),
        LogP(max(L - 1, 1), o, g, P),
        LogP(L, o, max(g - 1, 1), P),
    ):
        assert summation_within(faster, time).count >= count
    if o:
        assert summation_within(LogP(L, o - 1, g, P), time).count >= count


@given(fractional(8), st.fractions(0, 15, max_denominator=30))
def test_within_for_fractions(machine: LogP, time: Fraction) -> None:
    schedule = summation_within(machine, time)
    assert 0 <= time - schedule.time < 1
    assert check(schedule).count == schedule.count
    assert schedule.bound == priced_bound(machine, Fraction(schedule.time))
    most = most_operands_of_trees(machine, time)
    assert schedule.count <= most <= priced_bound(machine, time)
    if fills_gaps(machine):
        assert schedule.count == most == schedule.bound
        assert schedule.optimal
    report = simulate_logp(schedule)
    assert report.time == schedule.time
    letters = [chr(0x100 + i) for i in range(schedule.count)]
    assert executed(schedule, letters) == "".join(letters)


@given(fractional(300), st.integers(1, 2000))
def test_of_for_fractions(machine: LogP, operands: int) -> None:
    schedule = summation_of(machine, operands)
    assert schedule.count == operands <= schedule.bound
    assert check(schedule).optimal == schedule.optimal
    if fills_gaps(machine):
        assert schedule.optimal
        sooner = schedule.time - tick_of(machine)
        assert sooner < 0 or summation_within(machine, sooner).count < operands
    numbers = operand_numbers(schedule)
    own = {p: [n for part in parts for n in part] for p, parts in numbers.items()}
    report = simulate_logp(schedule, values=lambda p, i: f"{own[p][i]} ")
    assert report.results == {0: "".join(f"{n} " for n in range(operands))}


def test_large_machines_with_gaps_that_are_not_filled() -> None:
    for size in (50, 100, 300):
        schedule = summation_within(LogP("22/7", "1/3", "12/5", size), 200)
        assert schedule.count == schedule.bound
        assert schedule.optimal


def test_the_bound_of_prices_can_be_out_of_reach() -> None:
    # 31, 33 and 36 operands with 4, 5 and 6 processors: the sixth brings more than the fifth.
    machine = LogP("6/7", "6/7", "17/7", 5)
    assert most_operands_of_trees(machine, Fraction(90, 7)) == 33
    schedule = summation_within(machine, Fraction(90, 7))
    assert (schedule.count, schedule.bound, schedule.optimal) == (33, 34, False)


def test_half_an_addition() -> None:
    # In real numbers of additions 26; the processors can add 8, 7, 5 and 4.
    schedule = summation_within(LogP(1, "1/2", 1, 4), 10)
    assert (schedule.count, schedule.bound, schedule.time) == (25, 25, 10)
    assert [start for *_, start in schedule.messages] == [8, 11, 14]
    # A gap of 9/4 has room for one addition, and 3/4 are lost, or for two, and it is 5/2.
    schedule = summation_within(LogP("1/2", "1/2", "9/4", 4), 13)
    assert (schedule.count, schedule.bound) == (39, 39)


def test_sums() -> None:
    schedule = summation_within(LogP(3, 1, 2, 50), 60)
    numbers = operand_numbers(schedule)
    assert sorted(i for parts in numbers.values() for part in parts for i in part) == list(
        range(schedule.count)
    )
    digits = executed(schedule, [f"{i};" for i in range(schedule.count)])
    assert sum(map(int, digits.split(";")[:-1])) == schedule.count * (schedule.count - 1) // 2


def test_only_as_many_processors_as_are_worth_it() -> None:
    many = LogP(5, 2, 4, 10**18)
    assert summation_of(many, 79).time == 28
    assert summation_within(many, 28).count >= 79
    assert summation_within(LogP(5, 2, 4, 8), 10**30).count == 8 * 10**30 - 132 - 14 + 1
    assert summation_of(LogP(5, 2, 4, 8), 10**30).time == 125 * 10**27 + 19


def test_one_processor_adds_alone() -> None:
    assert summation_within(LogP(1, 0, 1, 1), 5).additions == ((0, 0, 5),)
    assert summation_of(LogP(1, 0, 1, 1), 1).time == 0


@pytest.mark.parametrize(
    ("machine", "time", "place"),
    [
        (FIGURE_6, -1, "time"),
        (FIGURE_6, 0.5, "time"),
        (LogP(1, 0, 1, 2**24), 100, "P"),
        (LogP("1/2", 0, 1, 2**24), 100, "P"),
        (LogP(10**9, "5003/10007", "24001/10007", 1000), 10**10, "time"),
    ],
)
def test_refused_times(machine: LogP, time: object, place: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        summation_within(machine, time)
    assert refusal.value.place == place


@pytest.mark.parametrize("operands", [0, -1, True, 2.0, "3"])
def test_refused_operands(operands: object) -> None:
    with pytest.raises(InvalidInput, match=r"operands.*positive integer"):
        summation_of(FIGURE_6, operands)  # type: ignore[arg-type]
