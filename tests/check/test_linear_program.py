"""The products of a matrix and vectors, with short numbers at once and with long ones in turn."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.certificate.budget import FREE_BITS, within
from exactsched.certificate.linear_programs import Entry, LinearProgram
from exactsched.check.linear_programs.linear_program import _Matrix, _vector
from exactsched.exact.errors import Rejected

# Coefficients that are whole, short, and long together; vectors that are short and long.
SCALES = st.sampled_from([Fraction(1), Fraction(1, 6), Fraction(1, 3**300)])
ROOMY = st.sampled_from([Fraction(1), Fraction(5, 7), Fraction(1, 3**900), Fraction(3**900)])
DIGITS = st.integers(-3, 3)


@st.composite
def sparse(draw: st.DrawFn, size: int, scales: st.SearchStrategy[Fraction]) -> tuple[Entry, ...]:
    """Some positions in any order, with numbers that are whole as `int`."""
    places = draw(st.lists(st.integers(0, size - 1), unique=True))
    scale = draw(scales)
    exact = [draw(DIGITS) * scale for _ in places]
    numbers = [value.numerator if value.denominator == 1 else value for value in exact]
    return tuple(map(Entry, places, numbers))


@st.composite
def asked(draw: st.DrawFn) -> tuple[LinearProgram, tuple[Entry, ...], tuple[Entry, ...]]:
    width, height = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    rows = tuple([draw(sparse(width, SCALES)) for _ in range(height)])
    program = LinearProgram((0,) * width, rows, (0,) * height)
    return program, draw(sparse(width, ROOMY)), draw(sparse(height, ROOMY))


@given(asked())
def test_products_are_those_of_the_definition(
    given: tuple[LinearProgram, tuple[Entry, ...], tuple[Entry, ...]],
) -> None:
    program, point, dual = given
    matrix, x, y = _Matrix(program), dict(point), dict(dual)
    rows = [sum(a * x.get(column, 0) for column, a in row) for row in program.rows]
    columns = [
        sum(dict(row).get(column, 0) * y.get(index, 0) for index, row in enumerate(program.rows))
        for column in range(len(program.objective))
    ]
    assert [Fraction(*pair) for pair in matrix.of_rows(_vector(point, "point"))] == rows
    assert [Fraction(*pair) for pair in matrix.of_columns(_vector(dual, "dual"))] == columns


def test_numbers_are_short_or_stay_apart() -> None:
    apart = [Fraction(1, 2**200 - 1), Fraction(1, 2**201 - 1)]
    together = LinearProgram((0, 0), (tuple(map(Entry, (0, 1), apart)),), (0,))
    assert _Matrix(together)._unit == 0
    alone = LinearProgram((0, 0), ((Entry(0, apart[0]),),), (0,))
    assert _Matrix(alone)._unit == 2**200 - 1


@pytest.mark.parametrize(("width", "height"), [(1 << 20, 1), (1, 1 << 20)])
def test_short_numbers_of_too_many_lines_are_not_held(width: int, height: int) -> None:
    matrix = _Matrix(LinearProgram((0,) * width, ((),) * height, (0,) * height))
    assert FREE_BITS < 600 << 20
    with within(lambda: 1), pytest.raises(Rejected, match=r"^point: .* may hold"):
        matrix.of_rows(_vector((Entry(0, 1 << 600),), "point"))
