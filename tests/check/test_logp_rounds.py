"""Rounds: what the checker accepts for one processor is right for all, and nearly all of it is.

Accepted and rejected files are tested by test_check_logp.py and test_check.py.
"""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exactsched
from exactsched.certificate import parse, to_document
from exactsched.certificate.logp import LogPRounds
from exactsched.certificate.logp_messages import MAX_MESSAGES, listed
from exactsched.check import check
from exactsched.check.logp.ranges import turned, union, without
from exactsched.check.logp.universal_tree import smallest_labels
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.logp.allgather_and_alltoall import allgather, alltoall
from exactsched.logp.allreduce import allreduce
from exactsched.model.machine import LogP
from exactsched.simulation.logp import simulate_logp
from tests.check.refusals.broadcasts import path_of

SCHEMA = json.loads((Path(str(exactsched.__file__)).parent / "certificate.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

numbers = st.fractions(min_value=Fraction(1, 3), max_value=7, max_denominator=3)
machines = st.builds(LogP, numbers, numbers | st.just(0), numbers, st.integers(2, 7))


def plays(stated: LogPRounds) -> bool:
    """Message by message, whatever the bound says."""
    try:
        simulate_logp(stated)
    except Rejected:
        return False
    return True


def accepted(stated: LogPRounds) -> bool:
    """Without regard to the bound, which comes last."""
    try:
        check(stated)
    except Rejected as error:
        return error.place in ("bound", "optimal")
    return True


@st.composite
def allgather_rounds(draw: st.DrawFn) -> LogPRounds:
    """Rounds for every shift and item at about the least distances, in any order, some twice."""
    machine = draw(machines)
    count = draw(st.integers(1, 2))
    pairs = [(shift, item) for shift in range(1, machine.P) for item in range(count)]
    pairs = draw(st.permutations([*pairs, *draw(st.lists(st.sampled_from(pairs), max_size=1))]))
    if draw(st.integers(0, 5)) == 0:
        pairs.pop()
    tick = Fraction(1, 3)
    shortest = int(machine.period / tick)
    start, rounds = draw(st.integers(0, 3)), []
    for shift, item in pairs:
        rounds.append((start, shift, item))
        start += shortest + draw(st.sampled_from([0, 0, 0, 1, 5, 30, -1]))
    last = max((row[0] for row in rounds), default=0)
    time = tick * last + machine.delay if rounds else Fraction(0)
    kind = draw(st.sampled_from(["allgather", "alltoall"]))
    return LogPRounds(machine, kind, count, tick, (), tuple(rounds), time, 0, False)


@given(allgather_rounds())
def test_rounds_are_accepted_if_and_only_if_they_can_be_played(stated: LogPRounds) -> None:
    assert accepted(stated) == plays(stated)


@st.composite
def allreduce_rounds(draw: st.DrawFn) -> LogPRounds:
    """Those of the solver, or almost; or any other rounds of few processors."""
    if draw(st.booleans()):
        stated = allreduce(draw(machines))
        rounds = [list(row) for row in stated.rounds]
        changed = draw(st.integers(0, len(rounds) - 1))
        column = draw(st.integers(0, 2))
        rounds[changed][column] += draw(st.sampled_from([-1, 0, 1]))
        start, shift, item = rounds[changed]
        rounds[changed] = [max(start, 0), shift % stated.machine.P or 1, item % 2]
        rows = tuple((row[0], row[1], row[2]) for row in rounds)
    else:
        machine = LogP(draw(st.integers(1, 2)), draw(st.integers(0, 1)), 1, draw(st.integers(2, 5)))
        row = st.tuples(st.integers(0, 6), st.integers(1, machine.P - 1), st.integers(0, 1))
        rows = tuple(draw(st.lists(row, min_size=1, max_size=4)))
        stated = LogPRounds(machine, "allreduce", 1, 1, (), (), 0, 0, False)
    time = stated.tick * max(start for start, *_ in rows) + stated.machine.delay
    return replace(stated, rounds=rows, time=time)


@given(allreduce_rounds())
def test_sums_are_accepted_if_and_only_if_they_can_be_played(stated: LogPRounds) -> None:
    assert accepted(stated) == plays(stated)


@st.composite
def rounds_of_windows(draw: st.DrawFn) -> LogPRounds:
    """What is brought comes next to what is combined; now and then as much too little or too much
    as if one message more or fewer had arrived, one's own value were left in, or rounds that are
    not in the order of time were.
    """
    latency = draw(st.integers(1, 3))
    starts = draw(st.lists(st.integers(0, 8), min_size=2, max_size=6, unique=True))
    if draw(st.sampled_from([True, True, True, False])):
        starts.sort()
    windows, received, rows = [1], 0, list[tuple[int, int, int]]()
    for start in starts:
        while starts[received] + latency <= start:
            received += 1
        off = draw(st.sampled_from([0, 0, 0, 0, -1, 1]))
        known = windows[max(0, min(received + off, len(windows) - 1))]
        item = draw(st.integers(0, 1)) if known > 1 else 0
        rows.append((start, windows[-1] - item, item))
        windows.append(windows[-1] + known - item * draw(st.sampled_from([1, 1, 1, 0])))
    machine, time = LogP(latency, 0, 1, windows[-1]), max(starts) + latency
    return LogPRounds(machine, "allreduce", 1, 1, (), tuple(rows), time, 0, False)


@settings(max_examples=300)
@given(rounds_of_windows())
def test_sums_of_windows_are_accepted_if_and_only_if_they_can_be_played(stated: LogPRounds) -> None:
    assert accepted(stated) == plays(stated)


@st.composite
def halves(draw: st.DrawFn) -> LogPRounds:
    """Exchanges of halves with any spacings, then the rounds, about as soon as possible."""
    machine = LogP(
        draw(st.integers(1, 9)),
        draw(st.integers(0, 3)),
        draw(st.integers(1, 9)),
        draw(st.integers(2, 9)),
    )
    count = draw(st.integers(1, 2))
    halvings, begin, size = [], 0, machine.P
    for _ in range(draw(st.integers(1, (size - 1).bit_length()))):
        spacing = draw(st.integers(int(machine.g), int(machine.period) + 8))
        later = draw(st.integers(0, 6))
        halvings.append((begin, spacing, later))
        size -= size // 2
        begin += (size * count - 1) * spacing + later
        begin += max(int(machine.delay), int(machine.period)) - draw(st.sampled_from([0, 0, 0, 1]))
    pause = int(machine.delay + machine.period)
    rounds = tuple(
        (begin + (shift - 1 + (size - 1) * item) * pause, shift, item)
        for item in range(count)
        for shift in range(1, size)
    )
    last = (
        rounds[-1][0]
        if rounds
        else sum(halvings[-1][::2])
        + (((-(-machine.P >> (len(halvings) - 1)) + 1) // 2) * count - 1) * halvings[-1][1]
    )
    return LogPRounds(
        machine, "alltoall", count, 1, tuple(halvings), rounds, last + machine.delay, 0, False
    )


@given(halves())
def test_accepted_halves_can_be_played(stated: LogPRounds) -> None:
    if accepted(stated):
        assert plays(stated)
    elif not plays(stated):
        return
    elif stated.halvings[1:] or stated.rounds:
        return  # to begin when all is over is more than need be
    else:
        # With halves of two sizes nobody in the larger one has something to do all the time.
        assert stated.machine.P % 2


@settings(max_examples=15)
@given(machines, st.integers(1, 3))
def test_documents_are_faithful_and_fit_the_schema(machine: LogP, items: int) -> None:
    for noun in (allgather(machine, items), alltoall(machine, items), allreduce(machine)):
        document = to_document(noun)
        VALIDATOR.validate(document)
        assert parse(json.loads(json.dumps(document))) == noun
        assert check(document) == check(noun) == replace(check(listed(noun)), kind="logp-rounds")


def test_what_is_printed_of_rounds() -> None:
    claim = check(path_of("accepted", "logp/rounds-of-allreduce-at-10-to-the-18"))
    assert str(claim) == (
        "allreduce among 1000000000000000000 processors in time 110 proved optimal (L=3, o=0, g=1)"
    )


def test_all_messages_in_the_order_of_their_starts() -> None:
    stated: Any = parse(json.loads(path_of("accepted", "logp/rounds-after-halves").read_text()))
    messages = listed(stated).messages
    assert len({row[:2] for row in messages}) == len(messages) == 5 * 4
    assert [row[3] for row in messages] == sorted(row[3] for row in messages)
    # {0, 1} and {2, 3, 4}; {0}, {1} and {2}, {3, 4}; and 3 with 4.
    assert messages[:4] == ((0, 2, 0, 0), (1, 3, 1, 0), (2, 0, 2, 1), (3, 1, 3, 1))
    assert [row[:2] for row in messages if row[3] == 10] == [(0, 1), (2, 3)]
    assert [row[:2] for row in messages if row[3] >= 18] == [(3, 4), (4, 3)]


def test_schedules_too_long_to_be_listed_are_refused_in_one_line() -> None:
    crowd = allreduce(LogP(1, 0, 1, 200_000))
    for stated, rule in (
        (crowd, "at most 2000000 messages are listed"),
        (allgather(LogP(6, 2, 4, 3000)), "at most 2000000 messages are listed"),
        (allreduce(LogP(1, 0, 1, 10**18)), "of at most 2000000 processors"),
    ):
        with pytest.raises(InvalidInput, match=rule):
            simulate_logp(stated)
    assert crowd.machine.P * len(crowd.rounds) > MAX_MESSAGES
    with pytest.raises(InvalidInput, match="only an endless series"):
        listed(crowd, 3)


def test_values_in_separate_ranges_are_refused() -> None:
    rounds = tuple((index, 3 * 2**index, 0) for index in range(40))
    stated = LogPRounds(LogP(1, 0, 1, 10**18), "allreduce", 1, 1, (), rounds, 40, 60, False)
    with pytest.raises(Rejected, match="may hold"):
        check(stated)


@given(st.integers(1, 9), st.integers(0, 4), st.integers(1, 9), st.integers(2, 10**6))
def test_no_schedule_of_the_paper_has_too_many_times(
    latency: int, overhead: int, gap: int, size: int
) -> None:
    stated = allreduce(LogP(latency * 17, overhead, gap, size))
    machine = stated.machine
    labels = smallest_labels(int(machine.delay), int(machine.period), size)
    # Few labels for each round: their steps are far below the budget.
    assert len(labels) <= 256 * len(stated.rounds)
    assert check(stated).bound == labels[-1][0]


small = st.sets(st.integers(0, 4)).map(sorted)


def ranges(members: list[int]) -> tuple[tuple[int, int], ...]:
    joined = union([(value, value + 1) for value in members], [])
    assert joined is not None
    return joined


@given(small, small, st.integers(0, 4))
def test_ranges_are_sets(one: list[int], other: list[int], value: int) -> None:
    assert {x for start, stop in ranges(one) for x in range(start, stop)} == set(one)
    assert all(a[1] < b[0] for a, b in zip(ranges(one), ranges(one)[1:], strict=False))
    joined = None if set(one) & set(other) else ranges(sorted({*one, *other}))
    assert union(ranges(one), ranges(other)) == joined
    assert without(ranges(one), value) == ranges([x for x in one if x != value])
    moved = sorted((x + value) % 5 for x in one)
    assert union(turned(ranges(one), value, 5), []) == ranges(moved)
