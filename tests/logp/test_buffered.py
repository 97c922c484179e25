"""Broadcast of k items with buffers: every event of it, the rule of the blocks, and the picture."""

# ruff: noqa: N803, N806  (L and P are the names in all of the literature)

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exactsched
from exactsched import drawing
from exactsched.certificate import parse, to_document
from exactsched.certificate.logp import LogPBuffered
from exactsched.check import ProvedLogP, check
from exactsched.check.logp.buffered import logp_buffered
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.logp.buffered import buffered_items
from exactsched.logp.counts import broadcast_time, fibonacci
from exactsched.logp.items import single_sending_bound
from exactsched.model.machine import LogP
from exactsched.oracles.logp_schedules import ENOUGH_ITEMS, postal_fault
from exactsched.simulation.logp_buffered import MAX_RECEPTIONS, receptions
from tests.logp.lies import refuse_buffered_lies

SCHEMA = json.loads((Path(str(exactsched.__file__)).parent / "certificate.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
FIGURES = Path(__file__).parents[2] / "proofs" / "figures"


@given(st.integers(1, 10), st.integers(2, 121), st.integers(1, 20))
@settings(max_examples=35)
def test_every_event(L: int, P: int, k: int) -> None:
    schedule = buffered_items(L, P, k)
    refuse_buffered_lies(schedule)
    assert schedule.buffer <= 1
    assert schedule.bound == single_sending_bound(L, P, k)
    assert schedule.time <= schedule.bound + (L == 2)
    assert schedule.optimal == (schedule.time == schedule.bound)
    assert check(schedule).optimal == schedule.optimal


@given(st.integers(3, 80), st.integers(2, 1500))
@settings(max_examples=20)
def test_theorem_3_8(L: int, P: int) -> None:
    schedule = buffered_items(L, P, 10**18)
    claim = check(parse(to_document(schedule)))
    assert isinstance(claim, ProvedLogP)
    assert claim.optimal
    assert claim.time == L + broadcast_time(LogP(L, 0, 1, P - 1)) + 10**18 - 1
    assert schedule.buffer <= 1
    assert {wait for _, roles in schedule.cycles for _, _, wait in roles} <= {0, 1}
    refuse_buffered_lies(
        replace(
            schedule,
            items=1,
            time=schedule.time - 10**18 + 1,
            bound=schedule.bound - 10**18 + 1,
            buffer=1,
        )
    )


def test_every_small_latency_and_number_of_processors() -> None:
    """All cases in which the proof looks at letters: blocks up to the size 3 L, pruned and not."""
    for L in (3, 4, 5, 6, 7):
        for P in range(2, fibonacci(L, 4 * L) + 2):
            assert buffered_items(L, P, 1).optimal, (L, P)


def test_a_latency_for_which_no_continuous_broadcast_is_known() -> None:
    assert check(buffered_items(65, 3000, 10**18)).optimal
    assert check(buffered_items(10**18, 5, 10**18)).optimal


def test_one_latency_needs_no_buffer() -> None:
    for P in range(2, 130):
        schedule = buffered_items(1, P, 7)
        assert schedule.optimal
        assert schedule.buffer == 0


def test_a_late_letter_is_needed() -> None:
    """L = 4, P - 1 = 7: no block-cyclic broadcast of the least delay is without late letters."""
    schedule = buffered_items(4, 8, 100)
    assert schedule.optimal
    assert schedule.buffer == 1
    refuse_buffered_lies(schedule)


def test_the_schedule_does_not_depend_on_the_number_of_items() -> None:
    one, many = buffered_items(5, 100, 1), buffered_items(5, 100, 10**18)
    assert one.cycles == many.cycles
    assert many.time - one.time == 10**18 - 1


@pytest.mark.parametrize(
    ("L", "P", "k", "rule"),
    [
        (0, 4, 1, "a positive integer"),
        (3, 0, 1, "a positive integer"),
        (3, 4, 0, "a positive integer"),
        (3.0, 4, 1, "a positive integer"),
        (True, 4, 1, "a positive integer"),
        (3, 4, 10**18 + 1, "at most 1000000000000000000 items"),
        (10**18 + 1, 4, 1, "a latency of at most"),
        (3, 1, 1, "at least one processor besides the source"),
    ],
)
def test_what_is_refused(L: int, P: int, k: int, rule: str) -> None:
    with pytest.raises(InvalidInput, match=rule):
        buffered_items(L, P, k)


# The checker ------------------------------------------------------------------------------------


@st.composite
def buffered_cycles(draw: st.DrawFn) -> LogPBuffered:
    """Any blocks that may or may not be a schedule; time, bound and buffer are still to be found.

    Often an item's tree is right: then only the order, or the waits, may be wrong.
    """
    latency = draw(st.integers(1, 4))
    base = buffered_items(latency, draw(st.integers(2, 9)), 1)
    cycles = []
    for shift, roles in base.cycles:
        order = draw(st.permutations(roles)) if len(roles) < 6 else roles
        waits = draw(st.lists(st.integers(0, 5), min_size=len(roles), max_size=len(roles)))
        late = draw(st.booleans())
        turned = tuple(
            (delay, children, wait if late and not children else old)
            for (delay, children, old), wait in zip(order, waits, strict=True)
        )
        cycles.append((shift, turned))
    items = draw(st.integers(1, 12))
    return LogPBuffered(base.machine, tuple(cycles), items, 0, 0, 0, False)


def _found(stated: LogPBuffered) -> LogPBuffered | None:
    """With the numbers that the checker asks for, one after the other; None if it refuses more."""
    for _ in range(5):
        try:
            logp_buffered(stated)
        except Rejected as error:
            number = re.search(r"(?:is at|at most|proved is) (\d+)", error.rule)
            if error.place == "time" and number:
                stated = replace(stated, time=int(number[1]))
            elif error.place == "buffer" and number:
                stated = replace(stated, buffer=int(number[1]))
            elif error.place == "bound" and number:
                stated = replace(stated, bound=int(number[1]))
            elif error.place == "optimal":
                stated = replace(stated, optimal=not stated.optimal)
            else:
                return None
        else:
            return stated
    raise AssertionError(stated)


@given(buffered_cycles(), st.integers(1, 10**18), st.integers())
def test_documents_are_faithful_and_fit_the_schema(
    stated: LogPBuffered, items: int, number: int
) -> None:
    noun = replace(stated, items=items, time=number, bound=-number, buffer=number)
    document = to_document(noun)
    assert parse(json.loads(json.dumps(document))) == noun
    VALIDATOR.validate(document)


def cannot_be_played(stated: LogPBuffered) -> str:
    """Why the messages of all items break the rules of the model, or ""."""
    try:
        rows = receptions(stated)
    except Rejected as error:
        return str(error)
    P = stated.machine.P
    return postal_fault(int(stated.machine.L), range(P), P - 1, stated.items, rows)


@given(buffered_cycles())
@settings(max_examples=50)
def test_what_is_accepted_can_be_played(stated: LogPBuffered) -> None:
    accepted = _found(stated)
    long = replace(stated, items=ENOUGH_ITEMS)  # a clash may be between items far apart
    if accepted is None:
        assert cannot_be_played(long)
    else:
        refuse_buffered_lies(accepted)
        found = _found(long)
        assert found is not None
        refuse_buffered_lies(found)


def test_messages_that_wait_longer_than_a_round() -> None:
    """A star whose leaves are late by 0, 1, ... rounds: the buffers are as full as one can say."""
    cycles = ((1, ((0, 1, 0),)), (1, ((1, 0, 4),)))
    machine = LogP(1, 0, 1, 3)
    accepted = _found(LogPBuffered(machine, cycles, 40, 0, 0, 0, False))
    assert accepted is not None
    assert (accepted.buffer, accepted.time) == (4, 1 + 1 + 4 + 39)
    refuse_buffered_lies(accepted)


def test_trees_in_turn() -> None:
    """Odd items are later than even ones: the last to be received is not always the last item."""
    cycles = ((1, ((0, 1, 0),)), (2, ((1, 0, 0), (1, 0, 2))))
    for items, time in ((1, 2), (2, 5), (3, 5), (4, 7), (5, 7), (40, 43)):
        accepted = _found(LogPBuffered(LogP(1, 0, 1, 3), cycles, items, 0, 0, 0, False))
        assert accepted is not None
        assert (accepted.time, accepted.buffer) == (time, 1)
        refuse_buffered_lies(accepted)


# The expander -----------------------------------------------------------------------------------


def test_the_messages_of_figure_5() -> None:
    rows = receptions(buffered_items(3, 14, 14))
    assert len(rows) == 13 * 14
    assert Counter(row.receiver for row in rows) == Counter(dict.fromkeys(range(13), 14))
    assert max(row.step for row in rows) == 24
    late = [row for row in rows if row.step > row.start + 3]
    assert {row.step - row.start - 3 for row in late} == {1}


def test_too_many_messages_are_refused() -> None:
    with pytest.raises(InvalidInput, match=f"at most {MAX_RECEPTIONS}"):
        receptions(buffered_items(3, 14, 10**18))


@pytest.mark.parametrize(
    ("roles", "rule"),
    [
        (((0, 1, 0), (2, 0, 0)), "nobody sends for this delay"),
        (((0, 2, 0), (1, 0, 0)), "a message that nobody receives"),
        (((0, 3, 0), (1, 0, 0)), "nobody sends to more than there are"),
    ],
)
def test_messages_without_a_tree(roles: tuple[tuple[int, int, int], ...], rule: str) -> None:
    with pytest.raises(Rejected, match=rule):
        receptions(LogPBuffered(LogP(1, 0, 1, 3), ((1, roles),), 2, 3, 3, 0, True))


# The picture ------------------------------------------------------------------------------------


def test_figure_5_is_the_one_drawn_now() -> None:
    drawn = drawing.svg(buffered_items(3, 14, 14))
    assert (FIGURES / "logp-figure-5.svg").read_text(encoding="utf-8") == drawn


@pytest.mark.parametrize(("L", "P"), [(3, 12), (4, 8), (6, 10)])
def test_late_receptions_are_in_boxes_and_what_they_wait_for_in_circles(L: int, P: int) -> None:
    """The table against the messages: counted, as a line around an item does not name it."""
    schedule = buffered_items(L, P, 9)
    rows = receptions(schedule)
    late = {(row.receiver, row.step) for row in rows if row.step > row.start + L}
    meanwhile = {(receiver, step - 1) for receiver, step in late}
    received = {(row.receiver, row.step) for row in rows}
    svg = drawing.svg(schedule)
    corners = [float(found) for found in re.findall(r'rx="([0-9.]+)" fill="none"', svg)]
    assert late
    assert sum(corner == 0 for corner in corners) == len(late)
    assert sum(corner > 0 for corner in corners) == len(meanwhile & received - late)


def test_the_page_and_the_trace() -> None:
    schedule = buffered_items(4, 8, 5)
    page = drawing.html(schedule)
    assert "Single-sending broadcast of 5 items to 8 processors with buffers" in page
    assert "A source that sends every item once" in page
    with pytest.raises(InvalidInput, match="role cycles"):
        drawing.trace(schedule)
