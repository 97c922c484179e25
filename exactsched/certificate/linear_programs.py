"""Linear programs, and the witnesses of what they are: optimal, infeasible, unbounded.

Vectors are sparse: what they do not name is 0.  Numbers are `int` where they are whole, otherwise
`Fraction`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Annotated, NamedTuple

from exactsched.certificate import rules
from exactsched.certificate.result import Result
from exactsched.certificate.rules import Index
from exactsched.exact.rational import Rational, readable

RowIndex = Annotated[int, Index("row")]
VariableIndex = Annotated[int, Index("variable")]


class Entry(NamedTuple):
    """A number of a sparse vector, and its position there, from 0."""

    position: Annotated[int, Index("position")]
    number: Rational


Entries = tuple[Entry, ...]


@readable
@dataclass(frozen=True, slots=True, weakref_slot=True)
class LinearProgram:
    """Maximize the sum of objective[j] * x[j] over A x <= b.

    - `objective`: one number for each variable
    - `rows`: the rows of A, sparse vectors over the variables
    - `right_sides`: b, one number for each row
    - `equalities`: the rows that hold with =
    - `nonnegative`: the variables that are at least 0; all others are free
    """

    objective: tuple[Rational, ...]
    rows: tuple[Entries, ...]
    right_sides: tuple[Rational, ...]
    equalities: tuple[RowIndex, ...] = ()
    nonnegative: tuple[VariableIndex, ...] = ()

    def validate(self) -> None:
        variables, rows = len(self.objective), len(self.rows)
        _rows(self.rows, variables)
        rules.one_each(self.right_sides, self.rows, "right_sides", "row")
        rules.distinct(self.equalities, rows, "equalities", "row")
        rules.distinct(self.nonnegative, variables, "nonnegative", "variable")


@dataclass(frozen=True, slots=True)
class LinearOptimum(Result):
    """A feasible `primal` and a feasible `dual` of the same value.

    A dual y is feasible if y[i] >= 0 unless row i is an equality, and y A = objective, where
    for nonnegative variables y A >= objective is enough.

    - `program`: the linear program
    - `primal`: a sparse vector over the variables
    - `dual`: a sparse vector over the rows
    - `value`: that of both
    """

    program: LinearProgram
    primal: Entries
    dual: Entries
    value: Fraction

    @property
    def optimal(self) -> bool:
        """True: this is an optimum."""
        return True

    @property
    def x(self) -> tuple[Rational, ...]:
        """The value of every variable: the primal with its zeros."""
        return _dense(self.primal, len(self.program.objective))

    @property
    def y(self) -> tuple[Rational, ...]:
        """The price of every row: the dual with its zeros."""
        return _dense(self.dual, len(self.program.rows))

    def validate(self) -> None:
        _entries(self.primal, len(self.program.objective), "primal", "variable")
        _entries(self.dual, len(self.program.rows), "dual", "row")


@dataclass(frozen=True, slots=True)
class LinearInfeasibility(Result):
    """Farkas' witness that no x is feasible: multipliers of the rows that add up to 0 <= -1 or so.

    - `program`: the linear program
    - `multipliers`: a sparse vector y over the rows: y[i] >= 0 unless row i is an equality;
      y A = 0, where for nonnegative variables y A >= 0 is enough; and y b < 0
    """

    program: LinearProgram
    multipliers: Entries

    @property
    def optimal(self) -> bool:
        """False: there is no optimum."""
        return False

    @property
    def value(self) -> None:
        """None: there is no optimum."""
        return

    def validate(self) -> None:
        _entries(self.multipliers, len(self.program.rows), "multipliers", "row")


@dataclass(frozen=True, slots=True)
class LinearUnboundedness(Result):
    """A feasible `point` and a `ray` along which the objective grows without leaving the rows.

    - `program`: the linear program
    - `point`: a sparse vector over the variables, feasible
    - `ray`: a sparse vector over the variables: A ray <= 0, = 0 in equalities, ray >= 0 on
      nonnegative variables, objective * ray > 0
    """

    program: LinearProgram
    point: Entries
    ray: Entries

    @property
    def optimal(self) -> bool:
        """False: there is no optimum."""
        return False

    @property
    def value(self) -> None:
        """None: there is no optimum."""
        return

    def validate(self) -> None:
        _entries(self.point, len(self.program.objective), "point", "variable")
        _entries(self.ray, len(self.program.objective), "ray", "variable")


LinearOutcome = LinearOptimum | LinearInfeasibility | LinearUnboundedness


def _dense(entries: Entries, count: int) -> tuple[Rational, ...]:
    known = dict(entries)
    return tuple([known.get(position, 0) for position in range(count)])


def _rows(rows: Sequence[Entries], count: int) -> None:
    """As `_entries`, of all rows at once."""
    columns = rules.column(rules.rows_in(rows), 0)
    least, largest = rules.extremes(columns) if columns else (0, 0)
    rest = iter(columns)
    distinct = sum([len(set(islice(rest, length))) for length in map(len, rows)])
    if distinct < len(columns) or least < 0 or largest >= count:
        for position, row in enumerate(rows):
            _entries(row, count, f"rows[{position}]", "variable")


def _entries(entries: Entries, count: int, place: str, noun: str) -> None:
    rules.distinct(rules.column(entries, 0), count, place, noun, "[0]")
