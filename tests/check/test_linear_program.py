"""The products of a matrix and vectors against other numbers, at once or one after the other."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.certificate.budget import FREE_BITS, within
from exactsched.certificate.linear_programs import Entry, LinearOptimum, LinearProgram
from exactsched.check.linear_programs.linear_program import _Matrix, _vector, linear_optimum
from exactsched.exact.arguments import whole
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import Rational

# Coefficients that are whole, short, and long together; vectors that are short and long.
SCALES = st.sampled_from([Fraction(1), Fraction(1, 6), Fraction(1, 3**300)])
ROOMY = st.sampled_from([Fraction(1), Fraction(5, 7), Fraction(1, 3**900), Fraction(3**900)])
DIGITS = st.integers(-3, 3)


@st.composite
def sparse(draw: st.DrawFn, size: int, scales: st.SearchStrategy[Fraction]) -> tuple[Entry, ...]:
    """Some positions in any order, with numbers that are whole as `int`."""
    places = draw(st.lists(st.integers(0, size - 1), unique=True))
    scale = draw(scales)
    return tuple([Entry(place, whole(draw(DIGITS) * scale)) for place in places])


@st.composite
def full(draw: st.DrawFn, size: int) -> tuple[Rational, ...]:
    """Numbers that are whole as `int`, with one denominator or one numerator, mostly."""
    scale = draw(ROOMY)
    return tuple([whole(draw(DIGITS) * scale) for _ in range(size)])


@st.composite
def asked(draw: st.DrawFn) -> tuple[LinearProgram, tuple[Entry, ...], tuple[Entry, ...]]:
    width, height = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    rows = tuple([draw(sparse(width, SCALES)) for _ in range(height)])
    program = LinearProgram(draw(full(width)), rows, draw(full(height)))
    return program, draw(sparse(width, ROOMY)), draw(sparse(height, ROOMY))


@given(asked())
def test_signs_are_those_of_the_definition(
    given: tuple[LinearProgram, tuple[Entry, ...], tuple[Entry, ...]],
) -> None:
    program, point, dual = given
    matrix, x, y = _Matrix(program), dict(point), dict(dual)
    rows = [
        sum(a * x.get(column, 0) for column, a in row) - right
        for row, right in zip(program.rows, program.right_sides, strict=True)
    ]
    columns = [
        sum(dict(row).get(column, 0) * y.get(index, 0) for index, row in enumerate(program.rows))
        - needed
        for column, needed in enumerate(program.objective)
    ]
    of_rows = matrix.rows_less(program.right_sides, _vector(point, "point"))
    assert [*map(sign, of_rows)] == [*map(sign, rows)]
    of_columns = matrix.columns_less(program.objective, _vector(dual, "dual"))
    assert [*map(sign, of_columns)] == [*map(sign, columns)]


def sign(number: Rational) -> int:
    return (number > 0) - (number < 0)


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
        matrix.rows_less((0,) * height, _vector((Entry(0, 1 << 600),), "point"))


@pytest.mark.parametrize(
    ("primal", "dual", "refused"),
    [
        ((3, 5), (5, 7), "^primal in row 1: '5': at most 4"),
        ((3, 4), (5, 6), "^dual in column 1: '6': equal to 7"),
    ],
)
def test_the_line_that_is_broken_is_told(
    primal: tuple[int, int], dual: tuple[int, int], refused: str
) -> None:
    program = LinearProgram((5, 7), ((Entry(0, 1),), (Entry(1, 1),)), (3, 4))
    stated = [tuple(map(Entry, (0, 1), numbers)) for numbers in (primal, dual)]
    with pytest.raises(Rejected, match=refused):
        linear_optimum(LinearOptimum(program, *stated, Fraction(43)))
