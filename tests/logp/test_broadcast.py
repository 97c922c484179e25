"""Broadcast of one item on a LogP machine: the tree, its schedule, and counting without it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import islice, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.check import check
from exactsched.exact.errors import InvalidInput
from exactsched.logp.broadcast import broadcast, broadcast_tree
from exactsched.logp.counts import broadcast_time, fibonacci, reached
from exactsched.model.machine import LogP
from exactsched.oracles.logp import labels_by_definition, least_broadcast_time, sequence
from exactsched.oracles.logp_schedules import broken_rule

FIGURE_1 = LogP(6, 2, 4, 8)

small = st.builds(
    LogP,
    st.integers(1, 12),
    st.integers(0, 6),
    st.integers(1, 12),
    st.integers(1, 300),
)
positive = st.fractions(min_value=Fraction(1, 20), max_value=20, max_denominator=20)
rational = st.builds(
    LogP,
    positive,
    st.one_of(st.just(Fraction(0)), positive),
    positive,
    st.integers(1, 60),
)


def test_figure_1_is_reproduced() -> None:
    tree = broadcast_tree(FIGURE_1)
    assert tree.labels == (0, 10, 14, 18, 20, 22, 24, 24)
    children = [[tree.labels[v] for v in range(8) if tree.parents[v] == u] for u in range(8)]
    assert children == [[10, 14, 18, 22], [20, 24], [24], [], [], [], [], []]
    schedule = broadcast(FIGURE_1)
    assert (schedule.time, schedule.bound, schedule.optimal) == (24, 24, True)
    assert [row[3] for row in schedule.messages] == [0, 4, 8, 10, 12, 14, 14]
    assert broadcast_time(FIGURE_1) == 24


@given(st.one_of(small, rational))
def test_the_schedule_is_legal_and_takes_the_last_label(machine: LogP) -> None:
    schedule = broadcast(machine)
    assert not broken_rule(schedule)
    assert schedule.time == schedule.bound == broadcast_time(machine)
    assert check(schedule).optimal


@given(st.one_of(small, rational))
def test_the_tree_has_the_smallest_labels_and_its_edges_are_of_the_universal_tree(
    machine: LogP,
) -> None:
    tree = broadcast_tree(machine)
    schedule = broadcast(machine)
    assert list(tree.parents[1:]) == [sender for sender, *_ in schedule.messages]
    children = [0] * machine.P
    for label, parent in list(zip(tree.labels, tree.parents, strict=True))[1:]:
        sent = label * tree.tick - tree.labels[parent] * tree.tick
        assert sent == machine.delay + children[parent] * machine.period
        children[parent] += 1
    labels = list(islice(labels_by_definition(machine.delay, machine.period), machine.P))
    assert [label * tree.tick for label in tree.labels] == labels


def test_no_broadcast_is_faster_by_exhaustion() -> None:
    for latency, overhead, gap in product((1, 2, 3, 5), (0, 1, 2), (1, 2, 3)):
        for size in range(1, 8):
            machine = LogP(latency, overhead, gap, size)
            assert least_broadcast_time(machine) == broadcast_time(machine)


@given(rational, st.integers(0, 400))
def test_counts_are_those_of_the_labels(machine: LogP, numerator: int) -> None:
    labels = list(islice(labels_by_definition(machine.delay, machine.period), machine.P))
    time = labels[-1] * Fraction(numerator, 401)
    assert reached(machine, time) == sum(label <= time for label in labels)
    assert broadcast_time(machine) == labels[-1]


@given(rational, positive)
def test_time_scales_with_the_parameters(machine: LogP, factor: Fraction) -> None:
    slower = LogP(machine.L * factor, machine.o * factor, machine.g * factor, machine.P)
    assert broadcast_time(slower) == broadcast_time(machine) * factor
    assert reached(slower, 5 * factor) == reached(machine, 5)


@given(st.integers(1, 12), st.integers(0, 6), st.integers(1, 12), st.integers(1, 10**18))
def test_the_least_time_of_large_machines(latency: int, overhead: int, gap: int, size: int) -> None:
    machine = LogP(latency, overhead, gap, size)
    time = broadcast_time(machine)
    assert reached(machine, time) >= size
    if size > 1:
        assert reached(machine, time - 1) < size


def test_counts_where_one_parameter_is_very_large() -> None:
    assert reached(LogP(1, 0, 10**12, 1), 10**12 - 1) == 10**12
    assert reached(LogP(10**12, 0, 1, 1), 2 * 10**12 - 1) == 10**12 + 1
    assert broadcast_time(LogP(1, 0, 10**30, 10**18)) == 10**18 - 1
    # Hops of 1 and waits of 3 reach as many as hops of 3 and waits of 1, two steps earlier.
    postal = broadcast_time(LogP(3, 0, 1, 10**18))
    assert broadcast_time(LogP(Fraction(1, 3), 0, 1, 10**18)) == (postal - 2) / 3


@pytest.mark.parametrize("latency", range(1, 13))
def test_the_fibonacci_numbers_of_definition_2_5(latency: int) -> None:
    f = sequence(latency, 399)
    assert [fibonacci(latency, i) for i in range(400)] == f
    for t in range(400 - latency):  # fact 2.1
        assert 1 + sum(f[: t + 1]) == f[t + latency]
    machine = LogP(latency, 0, 1, 1)
    assert [reached(machine, t) for t in range(0, 400, 7)] == f[::7]  # theorem 2.2


def test_long_fibonacci_numbers() -> None:
    assert fibonacci(1, 300_000) == 2**300_000
    i = 50_000  # F(2n) = F(n) (2 F(n+1) - F(n)), F(n) = f_(n-1)
    here, after = fibonacci(2, i - 1), fibonacci(2, i)
    assert fibonacci(2, 2 * i - 1) == here * (2 * after - here)
    latency = 10**16  # at most two hops: 1 + 2 L + C(L + 1, 2)
    assert fibonacci(latency, 3 * latency - 1) == 1 + 2 * latency + latency * (latency + 1) // 2
    index = 10**18
    steps = [fibonacci(latency, index - j) for j in (0, 1)]
    assert steps[0] - steps[1] == fibonacci(latency, index - latency)


def test_one_processor_knows_it() -> None:
    machine = LogP(3, 1, 2, 1)
    assert broadcast_tree(machine).labels == (0,)
    schedule = broadcast(machine)
    assert (schedule.messages, schedule.time, schedule.optimal) == ((), 0, True)
    assert broadcast_time(machine) == 0
    assert check(schedule).optimal


def test_the_order_of_the_messages_is_that_of_the_starts() -> None:
    starts = [row[3] for row in broadcast(LogP(7, 2, 3, 500)).messages]
    assert starts == sorted(starts)


def test_the_oracle_sees_a_schedule_that_is_too_early() -> None:
    schedule = broadcast(FIGURE_1)
    for index in range(1, 7):
        sender, receiver, item, start = schedule.messages[index]
        messages = list(schedule.messages)
        messages[index] = (sender, receiver, item, start - 1)
        assert broken_rule(replace(schedule, messages=tuple(messages)))


@pytest.mark.parametrize(
    ("asked", "rule"),
    [
        (lambda: fibonacci(0, 1), "L: 0: the latency of the postal model is a positive integer"),
        (lambda: fibonacci(True, 1), "L: True: the latency"),
        (lambda: fibonacci(2, -1), "i: -1: an index is an integer, 0 or more"),
        (lambda: fibonacci(2, 1.0), "i: 1.0: an index is an integer"),  # type: ignore[arg-type]
        (lambda: fibonacci(1, 10**18), "more than 332100 bits"),
        (lambda: fibonacci(2, 600_000), "i: 600000: the result has more than 332100 bits"),
        (lambda: reached(FIGURE_1, -1), ": a time is 0 or more"),
        (lambda: reached(FIGURE_1, 0.5), "t: 0.5: a float is not exact"),
        (lambda: reached(LogP(1, 0, 1, 1), 10**6), "t: 1000000: the result has more than"),
    ],
)
def test_refusals(asked: object, rule: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        asked()  # type: ignore[operator]
    assert rule in str(refusal.value)
