"""Matrices and vectors of numpy and scipy as rows of exact numbers, and bounds of variables.

Method: no library is imported. What has `tocoo` is sparse, what has `tolist` is an array, what has
`to_numpy` becomes one; their integers become Python's.
Limits: floats are refused. A matrix takes time linear in its entries, a sparse one in those that
are stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import inf
from numbers import Integral
from typing import Any

from exactsched.exact.arguments import are_all, exact_numbers, whole
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import Rational, exact
from exactsched.exact.words import counted

Row = Mapping[int, object] | Sequence[object]
# The ends of a range, None where there is no end.
Ends = tuple[Rational | None, Rational | None]


def listed(values: Any) -> Any:
    """An array or a data frame as a list of Python's numbers; anything else as it is.

    >>> listed(range(2))
    range(0, 2)
    """
    if hasattr(values, "to_numpy"):
        values = values.to_numpy()
    return values.tolist() if hasattr(values, "tolist") else values


def vector(values: Any, place: str) -> Sequence[Any]:
    """The numbers of a sequence, an array or a sparse vector, which may be a row or a column.

    >>> vector((1, "1/2"), "objective")
    (1, '1/2')
    """
    if hasattr(values, "tocoo"):
        shape = values.shape
        length = shape[-1] if len(shape) == 1 or shape[0] == 1 else shape[0]
        if len(shape) == 2 and 1 not in shape:
            raise InvalidInput(place, f"shape {tuple(map(int, shape))}", "one row or one column")
        matrix = values.reshape(1, length).tocoo()
        (entries,) = _of_coordinates(matrix, length)
        return [entries.get(column, 0) for column in range(length)]
    numbers = listed(values)
    if isinstance(numbers, (str, Mapping)) or not isinstance(numbers, Iterable):
        raise InvalidInput(place, type(values).__name__, "a list of numbers, or an array")
    return numbers if isinstance(numbers, Sequence) else tuple(numbers)


def sparse_rows(matrix: Any, width: int) -> list[dict[int, Rational]]:
    """The rows of a matrix with `width` columns: sparse, an array, or rows one by one.

    A row is a mapping from columns to coefficients, or the sequence of all coefficients.  Entries
    of a sparse matrix that stand at the same place are added up, exactly.

    >>> sparse_rows([[0, "1/2"], {0: 3}], 2)
    [{1: Fraction(1, 2)}, {0: 3}]
    """
    if hasattr(matrix, "tocoo"):
        return _of_coordinates(matrix.tocoo(), width)
    rows = listed(matrix)
    if not isinstance(rows, Iterable) or isinstance(rows, (str, Mapping)):
        raise InvalidInput("rows", type(matrix).__name__, "a list of rows, or a matrix")
    return [_row(index, listed(row), width) for index, row in enumerate(rows)]


def _of_coordinates(matrix: Any, width: int) -> list[dict[int, Rational]]:
    if len(matrix.shape) != 2 or matrix.shape[1] != width:
        rule = f"a matrix with {counted(width, 'column')}, one for each number of the objective"
        raise InvalidInput("rows", f"shape {tuple(map(int, matrix.shape))}", rule)
    rows: list[dict[int, Rational]] = [{} for _ in range(matrix.shape[0])]
    places = zip(matrix.row.tolist(), matrix.col.tolist(), matrix.data.tolist(), strict=True)
    for row, column, value in places:
        number = value if type(value) is int else exact(value, f"row {row}, column {column}")
        rows[row][column] = rows[row].get(column, 0) + number
    return [{j: whole(Fraction(a)) for j, a in sorted(row.items()) if a} for row in rows]


def _row(index: int, row: Any, width: int) -> dict[int, Rational]:
    """The entries of a row that are not zero, by column."""
    place = f"row {index}"
    if isinstance(row, Mapping):
        columns = indices(row, width, place, "a column")
        values = exact_numbers([row[column] for column in columns], place, len(columns))
    elif isinstance(row, Sequence) and not isinstance(row, str):
        columns = tuple(range(width))
        values = exact_numbers(row, f"{place}, column", width)
    else:
        raise InvalidInput(place, row, "a row is a mapping from columns, or a sequence")
    return {column: value for column, value in zip(columns, values, strict=True) if value}


def indices(given: Iterable[Any], count: int, place: str, noun: str) -> tuple[int, ...]:
    """Distinct indices in ascending order, given as such or by a truth value for each.

    >>> indices([1, 0, 1], 2, "equality", "a row"), indices([False, True], 2, "equality", "a row")
    ((0, 1), (1,))
    """
    found = listed(given)
    if not isinstance(found, Iterable) or isinstance(found, str):
        raise InvalidInput(place, given, "a list of indices, or of truth values")
    stated = tuple(found)
    if isinstance(found, list) and len(stated) == count and are_all(bool, stated):
        return tuple([index for index, chosen in enumerate(stated) if chosen])
    # All at once where nothing is wrong: one by one took a tenth of the time of an easy program.
    if are_all(int, stated) and (not stated or (min(stated) >= 0 and max(stated) < count)):
        return tuple(sorted(set(stated)))
    chosen = set()
    for index in stated:
        known = isinstance(index, Integral) and not isinstance(index, bool)
        if not known or not 0 <= index < count:
            raise InvalidInput(place, index, f"{noun} is an integer from 0 to {count - 1}")
        chosen.add(int(index))
    return tuple(sorted(chosen))


def ends_of(bounds: Any, nonnegative: Iterable[int], width: int) -> list[Ends]:
    """The range of every variable.

    `bounds` is a pair (low, high) for each variable, or one pair for all; an end that is None or
    infinite is none.  Without bounds (None) a variable in `nonnegative` is at least 0.

    >>> ends_of([(0, 1), (None, "1/2")], (), 2)
    [(0, 1), (None, Fraction(1, 2))]
    >>> ends_of(None, [1], 2)
    [(None, None), (0, None)]
    """
    at_least_0 = indices(nonnegative, width, "nonnegative variable", "a column")
    if bounds is None:
        lowest: list[Rational | None] = [None] * width
        for column in at_least_0:
            lowest[column] = 0
        return [(low, None) for low in lowest]
    if at_least_0:
        raise InvalidInput("nonnegative", at_least_0, "bounds say this as well: 0 at the low end")
    pairs = listed(bounds)
    if len(pairs) == 2 and not any(isinstance(pair, (tuple, list)) for pair in pairs):
        pairs = [pairs] * width
    if len(pairs) != width:
        raise InvalidInput("bounds", len(pairs), f"one pair for all, or {width}: one for each")
    return [_ends(column, pair) for column, pair in enumerate(pairs)]


def _ends(column: int, pair: Any) -> Ends:
    place = f"bounds of variable {column}"
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise InvalidInput(place, pair, "a pair (low, high), None where there is no end")
    low, high = (
        None
        if end is None or (isinstance(end, float) and end == none)
        else whole(exact(end, place))
        for end, none in zip(pair, (-inf, inf), strict=True)
    )
    if low is not None and high is not None and low > high:
        raise InvalidInput(place, f"({low}, {high})", "the low end is at most the high one")
    return low, high
