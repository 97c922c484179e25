"""Linear programs from matrices of numpy and scipy are those of the same lists."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched import (
    InvalidInput,
    check,
    linear_program,
    maximize,
    solve_stated,
    stated_program,
)

ROWS = st.lists(st.lists(st.integers(-3, 3), min_size=3, max_size=3), min_size=1, max_size=5)
END = st.one_of(st.none(), st.integers(-3, 3))
BOUNDS = st.lists(
    st.tuples(END, END).map(
        lambda pair: pair if None in pair else (min(pair), max(pair))  # type: ignore[type-var]
    ),
    min_size=3,
    max_size=3,
)


def sparse(kind: str, rows: Any, dtype: Any = numpy.int64) -> Any:
    scipy_sparse = pytest.importorskip("scipy.sparse")
    return getattr(scipy_sparse, kind)(numpy.array(rows, dtype=dtype))


@settings(max_examples=20, deadline=None)
@given(ROWS)
def test_arrays_are_lists(rows: list[list[int]]) -> None:
    gains, rights = [1, 2, -1], [5] * len(rows)
    wanted = linear_program(gains, rows, rights)
    for dtype in (numpy.int64, numpy.int8, object):
        vectors = numpy.array(gains, dtype=dtype), numpy.array(rights, dtype=dtype)
        found = linear_program(vectors[0], numpy.array(rows, dtype=dtype), vectors[1])
        assert found == wanted
        assert {type(number) for row in found.rows for _, number in row} <= {int}


@pytest.mark.parametrize("kind", ["csr_array", "csc_matrix", "coo_array", "lil_array", "dok_array"])
def test_sparse_matrices_are_lists(kind: str) -> None:
    rows = [[0, 2, 0], [0, 0, 0], [-1, 0, 7]]
    assert linear_program([1, 1, 1], sparse(kind, rows), [1, 2, 3]) == linear_program(
        [1, 1, 1], rows, [1, 2, 3]
    )


def test_entries_at_the_same_place_are_added_exactly() -> None:
    scipy_sparse = pytest.importorskip("scipy.sparse")
    large = 2**62
    places = ([0, 0, 0], [1, 1, 0])
    matrix = scipy_sparse.coo_array((numpy.array([large, large, 1]), places), shape=(1, 2))
    assert linear_program([1, 1], matrix, [1]).rows == (((0, 1), (1, 2 * large)),)


@settings(max_examples=25, deadline=None)
@given(ROWS, BOUNDS, st.booleans())
def test_bounds_are_rows_and_ranges(rows: Any, bounds: Any, minimize: bool) -> None:
    """The program with bounds and the stated one have the same outcome."""
    gains, rights = [1, -2, 1], [4] * len(rows)
    sign = -1 if minimize else 1
    plain = maximize([sign * gain for gain in gains], rows, rights, bounds=bounds)
    named = solve_stated(
        stated_program(gains, rows, rights, bounds=bounds, minimize=minimize, names="abc")
    )
    check(plain)
    check(named)
    assert type(plain) is type(named.outcome)
    if named.value is None:
        return
    assert named.value == sign * plain.value
    for name, (low, high) in zip("abc", bounds, strict=True):
        value = named.point.get(name, 0)
        assert low is None or low <= value
        assert high is None or value <= high


def test_one_pair_stands_for_all() -> None:
    infinity = float("inf")
    wanted = linear_program([1, 1], [[1, 1]], [3], nonnegative=[0, 1])
    assert linear_program([1, 1], [[1, 1]], [3], bounds=(0, None)) == wanted
    assert linear_program([1, 1], [[1, 1]], [3], bounds=[(0, infinity), [0, None]]) == wanted
    assert linear_program([1, 1], [[1, 1]], [3], nonnegative=numpy.arange(2)) == wanted
    free = linear_program([1, 1], [[1, 1]], [3])
    assert linear_program([1, 1], [[1, 1]], [3], bounds=(-infinity, infinity)) == free
    fixed = linear_program([1, 1], [[1, 1]], [3], bounds=[(2, 2), (None, None)])
    assert (fixed.rows[1], fixed.right_sides, fixed.equalities) == (((0, 1),), (3, 2), (1,))


def test_equations_and_names() -> None:
    answer = solve_stated(
        stated_program(
            numpy.array([3, 5]),
            numpy.array([[1, 1], [1, -1]]),
            [10, 2],
            equalities=[0],
            nonnegative=[0, 1],
            minimize=True,
            names=["oats", "rye"],
            row_names=["weight", "taste"],
        )
    )
    assert answer.value == 38
    assert answer.point == {"oats": 6, "rye": 4}
    assert answer.prices == {"weight": 4, "taste": -1}


def test_zeros_are_there() -> None:
    rows, options = [[2, 1], [1, 3]], {"equalities": [1], "bounds": (0, None)}
    program = stated_program([3, 2], rows, [4, 6], **options, minimize=True, names=["x", "y"])
    answer = solve_stated(program)
    assert answer.point == {"x": 0, "y": 2}
    assert list(answer.prices) == ["r0", "r1"]
    assert answer.prices["r0"] == 0
    assert answer.tables()["variables"][0] == {"variable": "x", "value": 0}
    best = maximize([-3, -2], rows, [4, 6], **options)
    assert (best.x, best.y) == ((0, 2), (0, Fraction(-2, 3)))
    assert best.primal == ((1, 2),)


def test_a_minimum_says_what_is_checked() -> None:
    answer = solve_stated(stated_program([3, 2], [[-1, -1]], [-2], bounds=(0, 9), minimize=True))
    assert str(answer) == "minimum 4 (checked as a program whose maximum is -4)"
    assert str(check(answer)).startswith("maximum -4 of a linear program proved optimal")
    assert str(answer.outcome).startswith("maximum -4, optimal (linear optimum")


def test_no_optimum_has_no_value() -> None:
    assert maximize([1], [[1]], [1]).optimal
    for right_sides, outcome in (([1, -2], "infeasible"), ([], "unbounded")):
        rows = [[1], [-1]][: len(right_sides)]
        found = maximize([1], rows, right_sides)
        assert (found.optimal, found.value) == (False, None)
        answer = solve_stated(stated_program([1], rows, right_sides))
        assert (answer.optimal, answer.point, str(answer)) == (False, {}, outcome)
        assert not check(answer).optimal


@pytest.mark.parametrize("shape", [(3,), (1, 3), (3, 1)])
def test_vectors_may_be_sparse(shape: tuple[int, ...]) -> None:
    scipy_sparse = pytest.importorskip("scipy.sparse")
    values = scipy_sparse.coo_array(numpy.array([0, 2, 5]).reshape(shape))
    rows = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    found = linear_program(values, rows, values)
    assert found == linear_program([0, 2, 5], rows, [0, 2, 5])


def test_rows_may_be_chosen_by_truth_values() -> None:
    rows = [[1, 1], [1, -1], [0, 1]]
    wanted = linear_program([1, 1], rows, [3, 1, 1], equalities=[0, 2], nonnegative=[1])
    mask = numpy.array([True, False, True])
    assert linear_program([1, 1], rows, [3, 1, 1], mask, [False, True]) == wanted


def test_data_frames_are_matrices() -> None:
    pandas = pytest.importorskip("pandas")
    rows = [[2, 1], [1, 3]]
    frame = pandas.DataFrame(rows, columns=["bread", "milk"], index=["a", "b"])
    gains = pandas.Series([3, 2], index=["bread", "milk"])
    mask = pandas.Series([False, True], index=["a", "b"])
    wanted = linear_program([3, 2], rows, [4, 6], equalities=[1])
    assert linear_program(gains, frame, pandas.Series([4, 6]), mask) == wanted


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rows": [[0.5, 1]]}, "a float is not exact"),
        ({"rows": numpy.array([[0.5, 1]])}, "a float is not exact"),
        ({"rows": numpy.array([[True, False]])}, "a truth value is not a number"),
        ({"rows": [[1]]}, "2 are needed"),
        ({"rows": "ab"}, "a list of rows, or a matrix"),
        ({"rows": 3}, "a list of rows, or a matrix"),
        ({"bounds": [(0, 1)]}, "one pair for all, or 2: one for each"),
        ({"bounds": [(0, 1), 3]}, "variable 1: 3: a pair"),
        ({"bounds": [(0, 1), (3, 2)]}, "the low end is at most the high one"),
        ({"bounds": (float("inf"), None)}, "a float is not exact"),
        ({"bounds": (0, None), "nonnegative": [1]}, "bounds say this as well"),
        ({"nonnegative": [2]}, "a column is an integer from 0 to 1"),
        ({"objective": 3}, "objective: 'int': a list of numbers, or an array"),
        ({"right_sides": {0: 1}}, "right sides: 'dict': a list of numbers"),
        ({"equalities": 0}, "equality: 0: a list of indices, or of truth values"),
        ({"equalities": [True, False]}, "a row is an integer from 0 to 0"),
        ({"nonnegative": [True]}, "a column is an integer from 0 to 1"),
    ],
)
def test_refusals(options: dict[str, Any], message: str) -> None:
    given = {"objective": [1, 1], "rows": [[1, 1]], "right_sides": [1]} | options
    with pytest.raises(InvalidInput, match=message):
        linear_program(**given)


def test_refusals_of_names_and_shapes() -> None:
    with pytest.raises(InvalidInput, match="one for each is needed: 2"):
        stated_program([1, 1], [[1, 1]], [1], names=["a"])
    with pytest.raises(InvalidInput, match="this name is given twice"):
        stated_program([1, 1], [[1, 1]], [1], names=["a", "a"])
    with pytest.raises(InvalidInput, match="a program has its rows already"):
        maximize(linear_program([1], [[1]], [1]), [[1]])
    with pytest.raises(InvalidInput, match="a matrix with 3 columns"):
        linear_program([1, 1, 1], sparse("csr_array", [[1, 1]]), [1])
    with pytest.raises(InvalidInput, match="one row or one column"):
        linear_program(sparse("csr_array", [[1, 1], [1, 1]]), [[1, 1]], [1])
    with pytest.raises(InvalidInput, match="a float is not exact"):
        linear_program([1, 1], sparse("csr_array", [[1, 1]], float), [1])
