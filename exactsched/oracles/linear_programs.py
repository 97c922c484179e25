"""Linear programs by definition: how a paper states one, and its outcome by elimination."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from exactsched.certificate.linear_programs import Entries, Entry, LinearProgram
from exactsched.exact.rational import Rational
from exactsched.oracles.simplex import simplex_optimum

THROUGHPUT = 0  # the variable that a `ThroughputProgram` maximizes
ONE = Fraction(1)

Row = Mapping[int, Rational]  # variable -> coefficient


class ThroughputProgram:
    """Maximize the throughput over the rows, all variables being at least 0.

    >>> program = ThroughputProgram()
    >>> messages = program.variable()
    >>> program.equation({messages: 1, THROUGHPUT: -1})
    >>> program.at_most({messages: 3}, 1)
    >>> program.value()
    Fraction(1, 3)
    """

    def __init__(self) -> None:
        self._variables = 1
        self._rows: list[tuple[Row, Rational]] = []
        self._equations: list[int] = []

    def variable(self) -> int:
        """A new variable."""
        self._variables += 1
        return self._variables - 1

    def equation(self, row: Row) -> None:
        """The row is 0."""
        self._equations.append(len(self._rows))
        self._rows.append((row, 0))

    def at_most(self, row: Row, limit: Rational) -> None:
        """The row is no more than the limit."""
        self._rows.append((row, limit))

    def stated(self) -> LinearProgram:
        """The program; `LinearProgram.primal` of its optimum is indexed by the variables."""
        return LinearProgram(
            (1, *[0] * (self._variables - 1)),
            tuple(_entries(row) for row, _ in self._rows),
            tuple(limit for _, limit in self._rows),
            tuple(self._equations),
            tuple(range(self._variables)),
        )

    def value(self) -> Fraction:
        """The optimum, if the program is bounded."""
        return simplex_optimum(self.stated())


def _entries(row: Row) -> Entries:
    return tuple(sorted(Entry(column, entry) for column, entry in row.items() if entry))


def dual(program: LinearProgram) -> LinearProgram:
    """Maximize -y b over the y that prove upper bounds (`LinearOptimum`).

    >>> program = LinearProgram((1,), ((Entry(0, 2),),), (6,))
    >>> dual(program) == LinearProgram((-6,), ((Entry(0, -2),),), (-1,), (0,), (0,))
    True
    """
    columns: list[dict[int, Rational]] = [{} for _ in program.objective]
    for index, row in enumerate(program.rows):
        for column, coefficient in row:
            columns[column][index] = -coefficient
    return LinearProgram(
        tuple(-b for b in program.right_sides),
        tuple(map(_entries, columns)),
        tuple(-c for c in program.objective),
        tuple(j for j in range(len(columns)) if j not in program.nonnegative),
        tuple(i for i in range(len(program.rows)) if i not in program.equalities),
    )


def outcome_by_elimination(program: LinearProgram) -> Fraction | str:
    """The optimum, ``infeasible`` or ``unbounded``: Fourier eliminates one variable at a time.

    The value joins the variables and is what remains.  Exponential: for three or four variables.

    >>> outcome_by_elimination(LinearProgram((1, 1), (((0, 2),), ((0, 1), (1, 1))), (4, 3)))
    Fraction(3, 1)
    >>> outcome_by_elimination(LinearProgram((1,), (((0, 1),), ((0, -1),)), (1, -2)))
    'infeasible'
    >>> outcome_by_elimination(LinearProgram((1,), (((0, -1),),), (3,)))
    'unbounded'
    """
    width = len(program.objective)
    # A row is: coefficients of the variables, coefficient of the value, limit.
    rows = {_scaled([*(-gain for gain in program.objective), 1, 0])}
    for j in program.nonnegative:
        rows.add(_scaled([*(-int(k == j) for k in range(width)), 0, 0]))
    for index, (entries, limit) in enumerate(zip(program.rows, program.right_sides, strict=True)):
        row = [*(dict(entries).get(j, 0) for j in range(width)), 0, limit]
        rows.add(_scaled(row))
        if index in program.equalities:
            rows.add(_scaled([-entry for entry in row]))
    for j in range(width):
        above = [row for row in rows if row[j] > 0]
        below = [row for row in rows if row[j] < 0]
        rows = {row for row in rows if not row[j]}
        rows |= {
            _scaled([a * -v[j] + b * u[j] for a, b in zip(u, v, strict=True)])
            for u in above
            for v in below
        }
    if any(not row[width] and row[-1] < 0 for row in rows):
        return "infeasible"
    limits = [row[-1] / row[width] for row in rows if row[width]]
    return min(limits) if limits else "unbounded"


def _scaled(row: Sequence[Rational]) -> tuple[Fraction, ...]:
    """A positive multiple, the same one for all multiples of a row."""
    exact = [Fraction(entry) for entry in row]
    first = next((abs(entry) for entry in exact if entry), ONE)
    return tuple(entry / first for entry in exact)


def maximum(
    objective: Sequence[Fraction], rows: Sequence[Sequence[Fraction]], limits: Sequence[Fraction]
) -> Fraction:
    """max objective x subject to rows x <= limits, x >= 0, for limits >= 0.

    >>> maximum([ONE, ONE], [[ONE * 2, ONE], [ONE, ONE * 3]], [ONE * 4, ONE * 6])
    Fraction(14, 5)
    """
    every = range(len(objective))
    listed = tuple(_entries(dict(enumerate(row))) for row in rows)
    return simplex_optimum(LinearProgram(tuple(objective), listed, tuple(limits), (), tuple(every)))


def rank(vectors: Iterable[Sequence[Rational]]) -> int:
    """The number of linearly independent vectors among these, by elimination.

    >>> rank([(1, 1, 0), (0, 1, 1), (1, 2, 1)])
    2
    """
    kept: list[tuple[int, list[Fraction]]] = []
    for vector in vectors:
        rest = [Fraction(entry) for entry in vector]
        for place, row in kept:
            if rest[place]:
                factor = rest[place]
                rest = [a - factor * b for a, b in zip(rest, row, strict=True)]
        place = next((k for k, entry in enumerate(rest) if entry), -1)
        if place >= 0:
            kept.append((place, [entry / rest[place] for entry in rest]))
    return len(kept)
