"""Rows that SoPlex sees when they are violated: the same optima, and few rows."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exactsched.linear_programs import master_program
from exactsched.linear_programs.master_program import PackingProgram
from exactsched.linear_programs.rows_on_demand import RowsOnDemand
from tests.linear_programs import test_master_program as with_all_rows
from tests.linear_programs.test_master_program import (
    Program,
    assert_optimal,
    optimum_by_oracle,
    planted,
    program_of,
    programs,
)


@pytest.fixture(autouse=True)
def _on_demand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(master_program, "MANY_ROWS", 1)
    monkeypatch.setattr(master_program, "ROWS_PER_COLUMN", 0)
    monkeypatch.setattr(master_program, "_TINY_ROWS", 0)


PATCHED = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)


@given(programs())
@PATCHED
def test_the_optimum_is_that_of_an_independent_simplex(instance: Program) -> None:
    with_all_rows.assert_solved(instance)


@given(planted(st.integers(0, 9)))
@PATCHED
def test_planted_optima_are_found(known: tuple[Program, Fraction]) -> None:
    instance, value = known
    best = program_of(instance).solve()
    assert_optimal(instance, best)
    assert best.value == value


@given(st.data())
@PATCHED
def test_rows_may_join(data: st.DataObject) -> None:
    with_all_rows.test_rows_may_join.hypothesis.inner_test(data)


def test_few_rows_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 2000 rows of which 40 are tight for some mixture; the basis is right without simplex."""
    dice = random.Random(1)
    loads = [{row: dice.randint(1, 1000) for row in range(2000)} for _ in range(20)]
    monkeypatch.setattr(master_program, "simplex", None)
    program, whole = PackingProgram([1000] * 2000), PackingProgram([1000] * 2000)
    for load in loads[:15]:
        program.add_column(1, load)
    assert program.propose() is not None
    for load in loads[15:]:
        program.add_column(1, load)
    for load in loads:
        whole.add_column(1, load)
    best = program.solve()
    shown = program._float._shown
    assert isinstance(program._float, RowsOnDemand)
    assert {*best.dual} <= {*shown}
    assert len(shown) == len({*shown}) < 400
    monkeypatch.setattr(master_program, "MANY_ROWS", 10**9)
    assert whole.solve().value == best.value
    assert not isinstance(whole._float, RowsOnDemand)


def test_a_right_side_of_zero() -> None:
    instance = [1, 0], [[3, -2], [0, 5]], [0, 10]
    best = program_of(instance).solve()
    assert_optimal(instance, best)
    assert best.value == optimum_by_oracle(instance) == Fraction(4, 3)
