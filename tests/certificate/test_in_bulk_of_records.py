"""Lists of records, and the lines of files, all at once: as one by one."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy import int64

from exactsched.certificate import files, rules
from exactsched.certificate.codec import codec
from exactsched.certificate.collectives import Structure, _are_tasks, _refuse_no_task
from exactsched.certificate.files import text_of
from exactsched.certificate.in_bulk import many
from exactsched.certificate.restated import _many
from exactsched.certificate.rules import Column, Natural, extremes
from exactsched.check import check
from exactsched.exact.errors import Malformed, Rejected
from exactsched.exact.rational import Rational
from exactsched.model.parts import Demand
from exactsched.model.platform import Platform
from exactsched.model.problem import Reduction
from exactsched.steady_state.alltoall import alltoall

ACCEPTED = Path(__file__).parents[1] / "corpus" / "accepted" / "collectives"
LEAVES = st.one_of(
    st.integers(-99, 10**6), st.sampled_from(["1/2", "], [", "}, {", "[", '"', "x" * 60]), st.none()
)
VALUES = st.recursive(
    LEAVES,
    lambda part: st.one_of(
        st.lists(part, max_size=6),
        st.dictionaries(st.sampled_from(["a", "b", "}, {"]), part, max_size=3),
        st.lists(st.lists(st.integers(0, 10**9), max_size=4), max_size=20),
    ),
    max_leaves=60,
)


@given(VALUES)
@settings(max_examples=300)
def test_lines_at_once_are_those_one_by_one(value: Any) -> None:
    document = {"kind": value}
    text = text_of(document)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "_alike", lambda *_: None)
        assert text == text_of(document)
    assert json.loads(text) == document


NUMBERS = st.one_of(
    st.integers(-5, 5),
    st.fractions(max_denominator=9),
    st.sampled_from([2**53 - 1, 2**53, Fraction(2**53), Fraction(-(2**53)), Fraction(1, 2**60)]),
    st.sampled_from([True, 0.5, "1/2", None, Fraction(int64(3), int64(4))]),  # no numbers of ours
)


@pytest.mark.parametrize("kind", [int, Fraction, Rational])
@given(st.lists(NUMBERS, max_size=4))
def test_numbers_at_once_are_those_one_by_one(kind: Any, listed: list[Any]) -> None:
    write_all, write = many(kind)[1], codec(kind)[1]
    written = write_all(listed)
    assert [(type(one), one) for one in written] == [(type(one), one) for one in map(write, listed)]


INTEGERS = st.one_of(
    *(st.integers(0, 9) for _ in range(9)),
    st.sampled_from([-1, 2**53 - 1, 2**53, 1 - 2**53, str(2**53), str(2**1024 + 1), True, "1"]),
)
PAIRS = st.lists(INTEGERS, min_size=2, max_size=2)


@given(st.lists(st.one_of(PAIRS, PAIRS, st.sampled_from([[0], (0, 1)])), max_size=9))
@settings(max_examples=300)
def test_rows_of_integers_are_read_a_piece_at_a_time(rows: list[list[Any]]) -> None:
    """As one by one, with their columns and the extremes of these; not at all what is refused."""
    kind: Any = tuple[Natural, int]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rules, "_PIECE", 2)
        at_once = many(kind)[0](rows)
    try:
        one_by_one = list(map(codec(kind)[0], rows))
    except Malformed:
        assert at_once is None
        return
    plain = [*map(tuple, rows)]
    assert at_once is not None or one_by_one != plain
    if at_once is not None and rows:
        assert [*at_once] == one_by_one
        assert [*map(tuple, at_once.columns)] == [*zip(*one_by_one, strict=True)]
        assert [*map(extremes, at_once.columns)] == [(min(c), max(c)) for c in at_once.columns]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rules, "_PIECE", 2)
        restated = _many(tuple[kind, ...])([tuple(plain)])
    assert (restated is None) == (one_by_one != plain)
    if restated is not None and rows:
        columns = restated[0].columns
        assert [*map(tuple, columns)] == [*zip(*plain, strict=True)]
        assert [*map(extremes, columns)] == [(min(column), max(column)) for column in columns]


@pytest.mark.parametrize("parts", list(product([[], [3], [1, 5], [7, -1]], repeat=3)))
def test_joined_columns_have_the_extremes_of_all(parts: tuple[list[int], ...]) -> None:
    """Whichever are known; what is known of all is not found again."""
    numbers = [number for part in parts for number in part]
    for known in product([False, True], repeat=3):
        joined = Column()
        for part, looked_at in zip(map(Column, parts), known, strict=True):
            assert not part or not looked_at or part.extremes == (min(part), max(part))
            joined.join(part)
        assert joined == numbers
        if all(parts) and all(known):
            assert joined._extremes == (min(numbers), max(numbers))
        assert not numbers or joined.extremes == (min(numbers), max(numbers))


def test_structures_at_once() -> None:
    read, write = many(Structure)
    listed = (Structure(2, 0, ((0, 1), (2, 1))), Structure(1, 3, ((4, 3),)))
    written = write(listed)
    assert written == [codec(Structure)[1](one) for one in listed]
    assert read(written) == list(listed)
    assert read([*written, {"operations": 1, "part": 0, "tasks": []}]) is None  # not empty
    assert read([*written, {"operations": 1, "part": 0}]) is None
    assert read([*written, {"operations": 0, "part": 0, "tasks": [[1]]}]) is None
    assert write((*listed, 3)) is None


def test_demands_end_early_together() -> None:
    _, write = many(Demand)
    pair = Demand("a", "b")
    assert write([pair, pair]) == [["a", "b"], ["a", "b"]]
    assert write([pair, Demand("b", "a", Fraction(2))]) is None
    assert write([]) is None


LINE = Platform("abcd", [("a", "b", 1), ("b", "c", 1), ("c", "d", 1), ("b", "d", 2), ("d", "a", 1)])


@pytest.mark.parametrize(
    "tasks",
    [
        [[0, 0], [2, 0]],  # not connected
        [[1, 0], [2, 0]],  # not from the source
        [[0, 0], [1, 0]],  # not to the target
        [[0, 0], [1, 0], [2, 0], [3, 0]],  # to a node again
        [[2, 0], [1, 0], [0, 0]],  # in no order
        [[0, 0], [1, 1], [2, 0]],  # another message on the way
    ],
)
def test_what_is_no_path_is_refused(tasks: list[list[int]]) -> None:
    document = alltoall(LINE, [("a", "d"), ("b", "c")]).certificate()
    check(document)
    structures = document["schedule"]["structures"]
    next(one for one in structures if one["part"] == 0)["tasks"] = tasks
    with pytest.raises(Rejected, match=r"tasks|structures"):
        check(document)


def test_tasks_of_no_demand_are_named() -> None:
    document = alltoall(LINE, [("a", "d"), ("b", "c")]).certificate()
    document["schedule"]["structures"][-1]["tasks"][0][1] = 2
    with pytest.raises(Malformed, match=r"tasks\[0\]"):
        check(document)


def test_the_tasks_of_a_reduction() -> None:
    """Of all with up to five small numbers those of the definition, at once and one by one."""
    line = Platform("ab", [("a", "b", 1), ("b", "a", 1)])
    problem = Reduction(line, ("a", "b", "b"), (((0, 2), "a"),), Fraction(1), ())
    sums = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]
    combinations = [(0, 0, 1), (0, 0, 2), (0, 1, 2), (1, 1, 2)]
    right = [(arc, *item) for arc in (0, 1) for item in sums]
    right += [(processor, *item) for processor in (2, 3) for item in combinations]
    for length in range(6):
        for task in product(range(-1, 5 if length < 5 else 1), repeat=length):
            assert _are_tasks(problem, [task]) == (task in right), task
            if task not in right:
                with pytest.raises(Malformed, match=r"^tasks\[0\]"):
                    _refuse_no_task(problem, task, "tasks[0]")
    assert _are_tasks(problem, right)
    assert not _are_tasks(problem, [*right, (0, 0)])
    for task in right:
        _refuse_no_task(problem, task, "tasks[0]")


@pytest.mark.parametrize("name", ["allreduce-over-a-switch", "combination-allreduce"])
def test_calls_around_switches_are_told_where_there_are_switches(name: str) -> None:
    document = json.loads((ACCEPTED / f"{name}.json").read_text())
    document["schedule"]["structures"][0]["tasks"][0][2] = 9
    with pytest.raises(Malformed) as caught:
        check(document)
    assert caught.value.rule.startswith("a call is [arc, block, 2]")
    assert ("only forward" in caught.value.rule) == ("switch" in name)


@pytest.mark.parametrize("kind", [int, Fraction, Rational])
@pytest.mark.parametrize("digits", ["٣", "²", "03", "", "1_0", " 1", "+1"])
def test_only_plain_digits_are_read_at_once(kind: Any, digits: str) -> None:
    read, _ = many(kind)
    assert read(["12", "3"]) == [12, 3]
    assert read(["12", digits]) is None
