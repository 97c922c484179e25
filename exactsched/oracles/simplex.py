"""The textbook simplex method, in integers.

Nothing is taken from `exactsched.linear_programs`.  On the programs of the claims it is about as
fast up to 100 variables; one with 2,300 variables and 360 rows takes it 7 s.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm

from exactsched.certificate.minmax import LinearProgram
from exactsched.exact.rational import Rational

# Pivots in a row without gain before Bland's rule takes over: it excludes cycles, but on the tiers
# platform (1,900 variables) it takes four times as long when it takes over at once.
_IDLE = 1000


def simplex_optimum(program: LinearProgram) -> Fraction:
    """The optimum of a bounded program for which x = 0 is feasible.

    `simplex_solution` has its hypotheses and method.

    >>> rows = ((0, 2), (1, 1)), ((0, 1), (1, 3))
    >>> simplex_optimum(LinearProgram((1, 1), rows, (4, 6), (), (0, 1)))
    Fraction(14, 5)
    >>> rows = ((0, 1), (1, -2)), ((1, 3),)
    >>> simplex_optimum(LinearProgram((1, 0), rows, (0, 1), (0,), (0, 1)))
    Fraction(2, 3)
    """
    best = simplex_solution(program)
    return sum((program.objective[column] * value for column, value in best.items()), Fraction(0))


def simplex_solution(program: LinearProgram) -> dict[int, Fraction]:
    """The variables of an optimal x that are not 0.

    All variables are at least 0; a right side is at least 0, that of an equation 0.  The method
    starts at x = 0 and pivots on the column of the largest gain, or by Bland's rule after many
    pivots without gain; so it ends.  Raises `ValueError` for a program of another kind.

    >>> rows = ((0, 2), (1, 1)), ((0, 1), (1, 3))
    >>> simplex_solution(LinearProgram((1, 1), rows, (4, 6), (), (0, 1)))
    {0: Fraction(6, 5), 1: Fraction(8, 5)}
    """
    if len(program.nonnegative) < len(program.objective):
        raise ValueError("a variable may be negative")
    table = _Table(program.objective)
    for place, (entries, limit) in enumerate(zip(program.rows, program.right_sides, strict=True)):
        if limit < 0 or (limit and place in program.equalities):
            raise ValueError(f"row {place}: the right side {limit} excludes x = 0")
        table.add(dict(entries), limit)
        if place in program.equalities:
            table.add({column: -entry for column, entry in entries}, 0)
    idle = 0  # pivots without gain, in a row
    while (entering := table.entering(largest=idle < _IDLE)) is not None:
        idle = 0 if table.pivot(entering) else idle + 1
    return table.point()


# Columns of a table beside those of the program: right sides, the objective, then the slacks.
_RIGHT, _VALUE, _FIRST_SLACK = -1, -2, -3


class _Table:
    """Rows that say: a multiple of the basic variable + the other columns = the right side.

    Each is kept in integers without a common divisor.
    """

    def __init__(self, objective: Sequence[Rational]) -> None:
        negated = {column: -entry for column, entry in enumerate(objective)}
        self._top = _primitive({**negated, _VALUE: 1})
        self._rows: list[dict[int, int]] = []
        self._basis: list[int] = []

    def add(self, row: Mapping[int, Rational], limit: Rational) -> None:
        """A row with a slack variable of its own, which is basic."""
        slack = _FIRST_SLACK - len(self._rows)
        self._rows.append(_primitive({**row, slack: 1, _RIGHT: limit}))
        self._basis.append(slack)

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


def _primitive(row: Mapping[int, Rational]) -> dict[int, int]:
    """A positive multiple of the row in integers without a common divisor."""
    unit = lcm(*(entry.denominator for entry in row.values()))
    return _divided({column: int(entry * unit) for column, entry in row.items() if entry})


def _divided(row: dict[int, int]) -> dict[int, int]:
    divisor = gcd(*row.values())
    return {column: entry // divisor for column, entry in row.items()}
