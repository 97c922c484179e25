"""Linear programs as papers state them, row by row, and their optima by the simplex method.

Nothing is taken from `exactsched.linear_programs`.  On the programs of the claims it is about as
fast up to 100 variables; one with 2,300 variables and 360 rows takes it 8 s.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm

from exactsched.exact.rational import Rational

Row = Mapping[int, Rational]  # column -> coefficient
THROUGHPUT = 0  # the variable that a `ThroughputProgram` maximizes


class ThroughputProgram:
    """Maximize the variable THROUGHPUT over the rows; all variables are at least 0.

    >>> program = ThroughputProgram()
    >>> rate = program.variable()
    >>> program.equation({THROUGHPUT: -2, rate: 1})
    >>> program.at_most({rate: 3}, 1)
    >>> program.value()
    Fraction(1, 6)
    """

    def __init__(self) -> None:
        self.width = 1
        self.rows: list[Row] = []
        self.limits: list[Rational] = []
        self.equations: list[int] = []

    def variable(self) -> int:
        """A new variable."""
        self.width += 1
        return self.width - 1

    def equation(self, row: Row) -> None:
        """The row is 0."""
        self.equations.append(len(self.rows))
        self.at_most(row, 0)

    def at_most(self, row: Row, limit: Rational) -> None:
        """The row is at most the limit."""
        self.rows.append(row)
        self.limits.append(limit)

    def value(self) -> Fraction:
        """The optimum."""
        return maximum({THROUGHPUT: 1}, self.rows, self.limits, self.equations)


def maximum(
    objective: Row, rows: Sequence[Row], limits: Sequence[Rational], equations: Collection[int] = ()
) -> Fraction:
    """max c x over A x <= b and x >= 0, for b >= 0; the rows in `equations` hold with equality.

    The limit of an equation is 0, so x = 0 is feasible, and the simplex method starts there.  It
    pivots on the column of the largest gain, but by Bland's rule after a pivot that gains nothing;
    so it ends.  Raises `ValueError` for an unbounded program, and for a limit that excludes x = 0.

    >>> maximum({0: 1, 1: 1}, [{0: 2, 1: 1}, {0: 1, 1: 3}], [4, 6])
    Fraction(14, 5)
    >>> maximum({0: 1}, [{0: 1, 1: -2}, {1: 3}], [0, 1], equations=[0])
    Fraction(2, 3)
    """
    return _solved(objective, rows, limits, equations).value()


def maximizer(
    objective: Row, rows: Sequence[Row], limits: Sequence[Rational]
) -> dict[int, Fraction]:
    """The variables of an optimal x that are not 0, of a program as in `maximum`.

    >>> best = maximizer({0: 1, 1: 1}, [{0: 2, 1: 1}, {0: 1, 1: 3}], [4, 6])
    >>> {column: str(value) for column, value in best.items()}
    {0: '6/5', 1: '8/5'}
    """
    return _solved(objective, rows, limits, ()).point()


def _solved(
    objective: Row, rows: Sequence[Row], limits: Sequence[Rational], equations: Collection[int]
) -> _Table:
    table = _Table(objective)
    for place, (row, limit) in enumerate(zip(rows, limits, strict=True)):
        if limit < 0 or (limit and place in equations):
            raise ValueError(f"row {place}: the limit {limit} excludes x = 0")
        table.add(row, limit)
        if place in equations:
            table.add({column: -entry for column, entry in row.items()}, 0)
    gained = True
    while (entering := table.entering(largest=gained)) is not None:
        gained = table.pivot(entering)
    return table


# Columns of a table beside those of the program: right sides, the objective, then the slacks.
_RIGHT, _VALUE, _FIRST_SLACK = -1, -2, -3


class _Table:
    """Rows that say: a multiple of the basic variable + the other columns = the right side.

    Each is kept in integers without a common divisor.
    """

    def __init__(self, objective: Row) -> None:
        negated = {column: -entry for column, entry in objective.items()}
        self._top = _primitive({**negated, _VALUE: 1})
        self._rows: list[dict[int, int]] = []
        self._basis: list[int] = []

    def add(self, row: Row, limit: Rational) -> None:
        """A row with a slack variable of its own, which is basic."""
        slack = _FIRST_SLACK - len(self._rows)
        self._rows.append(_primitive({**row, slack: 1, _RIGHT: limit}))
        self._basis.append(slack)

    def value(self) -> Fraction:
        return Fraction(self._top.get(_RIGHT, 0), self._top[_VALUE])

    def point(self) -> dict[int, Fraction]:
        """The basic variables of the program that are not 0."""
        rows = zip(self._basis, self._rows, strict=True)
        values = {place: Fraction(row.get(_RIGHT, 0), row[place]) for place, row in rows}
        return {place: values[place] for place in sorted(values) if place >= 0 and values[place]}

    def entering(self, largest: bool) -> int | None:
        """The column of the largest gain, or the last one with a gain; None at an optimum."""
        gains = {c: entry for c, entry in self._top.items() if entry < 0 and c != _RIGHT}
        if not gains:
            return None
        return min(gains, key=lambda column: (gains[column], column)) if largest else max(gains)

    def pivot(self, entering: int) -> bool:
        """Exchanges a basic variable for the entering one; says whether the objective grows."""
        ratios = [
            (Fraction(row.get(_RIGHT, 0), row[entering]), -self._basis[place], place)
            for place, row in enumerate(self._rows)
            if row.get(entering, 0) > 0
        ]
        if not ratios:
            raise ValueError("the program is unbounded")
        growth, _, place = min(ratios)
        chosen = self._rows[place]
        self._basis[place] = entering
        for other, row in enumerate(self._rows):
            if other != place and entering in row:
                self._rows[other] = _eliminated(row, chosen, entering)
        self._top = _eliminated(self._top, chosen, entering)
        return growth > 0


def _eliminated(row: dict[int, int], by: dict[int, int], column: int) -> dict[int, int]:
    """A positive multiple of the row plus a multiple of the other, 0 in the column."""
    common = gcd(row[column], by[column])
    keep, take = by[column] // common, row[column] // common
    found = {place: keep * entry for place, entry in row.items()}
    for place, entry in by.items():
        rest = found.pop(place, 0) - take * entry
        if rest:
            found[place] = rest
    return _divided(found)


def _primitive(row: Row) -> dict[int, int]:
    """A positive multiple of the row in integers without a common divisor."""
    unit = lcm(*(entry.denominator for entry in row.values()))
    return _divided({column: int(entry * unit) for column, entry in row.items() if entry})


def _divided(row: dict[int, int]) -> dict[int, int]:
    divisor = gcd(*row.values())
    return {column: entry // divisor for column, entry in row.items()}
