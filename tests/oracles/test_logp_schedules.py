"""One schedule for each rule that it breaks: what the oracles of LogP schedules say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from exactsched.certificate.logp import LogPBuffered, LogPCycles, LogPRounds, LogPSchedule
from exactsched.model.machine import LogP
from exactsched.oracles.logp_schedules import (
    broken_rule,
    buffered_fault,
    cycles_fault,
    postal_fault,
    uncombined,
)

# The source sends two items to 1, who passes both on.
LINE = ((0, 1, 0, 0, 1), (1, 2, 0, 1, 2), (0, 1, 1, 1, 2), (1, 2, 1, 2, 3))


def test_right_receptions():
    assert postal_fault(1, range(3), 0, 2, LINE) == ""


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({3: (1, 2, 1, 1, 3)}, "two sends in a step"),
        ({1: (1, 2, 0, 1, 3)}, "two receptions in a step"),
        ({3: (1, 2, 0, 2, 3)}, "an item is received twice"),
        ({3: (1, 3, 1, 2, 3)}, "somebody lacks an item"),
        ({3: (1, 2, 1, 0, 3)}, "1 sends item 1 before it has it"),
        ({2: (0, 1, 1, 3, 4), 3: (1, 2, 1, 4, 5)}, "the source sends item 1 at 3"),
        ({3: (1, 2, 1, 3, 3)}, "2 receives item 1 before it arrives"),
    ],
)
def test_broken_rules_of_the_postal_model(changed, fault):
    rows = [changed.get(number, row) for number, row in enumerate(LINE)]
    assert postal_fault(1, range(3), 0, 2, rows) == fault


def test_delays_of_cycles():
    cycles = ((1, ((0, 1),)), (1, ((1, 0),)))
    messages = [row[:4] for row in LINE]
    endless = LogPCycles(LogP(1, 0, 1, 3), cycles, 0, (), 2, 2, True)
    assert cycles_fault(endless, messages, 2) == ""
    assert cycles_fault(replace(endless, items=2, time=3), messages, 2) == ""
    for wrong in (replace(endless, time=3), replace(endless, items=2, time=4)):
        assert cycles_fault(wrong, messages, 2) == "the delay of an item is another one"
    assert cycles_fault(endless, messages[:3], 2) == "somebody lacks an item"


def test_certificates_of_buffered_broadcasts():
    rows = ((2, 0, 0, 0, 1), (0, 1, 0, 1, 3))
    stated = LogPBuffered(LogP(1, 0, 1, 3), (), 1, 3, 2, 1, False)
    assert buffered_fault(stated, rows, 1) == ""
    for wrong, fault in (
        (replace(stated, buffer=0), "1 messages wait"),
        (replace(stated, time=2), "the last reception is at 3"),
        (replace(stated, bound=3), "the bound is another one"),
        (replace(stated, optimal=True), "optimal, or not"),
    ):
        assert buffered_fault(wrong, rows, 1) == fault
    assert buffered_fault(stated, rows[:1], 1) == "somebody lacks an item"


@pytest.mark.parametrize(
    ("machine", "messages", "rule"),
    [
        (LogP(1, 0, 2, 3), ((0, 1, 0, 0), (0, 2, 0, 1)), "0: send at 0, send at 1"),
        (LogP(1, 2, 1, 3), ((0, 1, 0, 0), (0, 2, 0, 1)), "0: send at 0, send at 1"),
        (LogP(1, 0, 1, 3), ((0, 1, 0, 0), (1, 2, 0, 0)), "1 sends 0 at 0"),
        (LogP(1, 0, 1, 3), ((0, 1, 0, 0), (0, 0, 0, 1)), "0 sends 0 at 1"),
        (LogP(1, 0, 1, 3), ((0, 1, 0, 0),), "2 lacks {0}"),
        (LogP(1, 0, 1, 3), ((0, 1, 0, 0), (0, 2, 0, 1)), "ends at 2"),
    ],
)
def test_broken_rules_of_any_machine(machine, messages, rule):
    stated = LogPSchedule(machine, "broadcast", 1, 1, messages, (), 9, 1, False)
    assert broken_rule(stated) == rule


@pytest.mark.parametrize(("collective", "count"), [("allgather", 4), ("alltoall", 2)])
def test_what_everybody_has_to_learn(collective, count):
    """In an alltoall the items of 0 for 1 have the numbers 1 x `count`, those of 1 for 0, 2 x."""
    items = range(count)
    there = items if collective == "allgather" else [count + item for item in items]
    back = [count + item if collective == "allgather" else 2 * count + item for item in items]
    messages = [(0, 1, item, start) for start, item in enumerate(there)]
    messages += [(1, 0, item, start) for start, item in enumerate(back)]
    stated = LogPSchedule(
        LogP(1, 0, 1, 2), collective, count, 1, tuple(messages), (), count, count, True
    )
    assert broken_rule(stated) == ""
    assert broken_rule(replace(stated, messages=tuple(messages[1:]))).startswith("1 lacks")


def test_allreduce_in_rounds():
    rounds = LogPRounds(LogP(1, 0, 1, 2), "allreduce", 1, 1, (), ((0, 1, 0),), 1, 1, True)
    assert uncombined(rounds, 1) == ""
    assert uncombined(replace(rounds, rounds=()), 1) == "0 has combined [0]"
    twice = replace(rounds, rounds=((0, 1, 0), (1, 1, 0)))
    assert uncombined(twice, 1) == "0 has combined [0, 0, 1, 1]"
    # Three processors: in the second round everybody leaves its own value out.
    three = LogPRounds(LogP(1, 0, 1, 3), "allreduce", 1, 1, (), ((0, 1, 0), (1, 2, 1)), 2, 2, True)
    assert uncombined(three, 1) == "0 has combined [0, 0, 2]"
