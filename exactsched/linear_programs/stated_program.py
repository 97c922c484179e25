"""Linear programs as people state them: minimize or maximize, ranges of rows and of variables.

`maximize` knows one form, A x <= b with equalities and nonnegative variables.  A stated program
is brought into it by shifting and turning variables around and by writing a range as two rows; the
optimum, the point and the prices are given back in the words of the statement.

Method: x = low + y or x = high - y with y >= 0; a fixed variable is a constant.
Limits: variables are real: programs with integer variables are refused where they are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from exactsched.certificate.linear_programs import (
    LinearInfeasibility,
    LinearOptimum,
    LinearOutcome,
    LinearProgram,
)
from exactsched.certificate.result import Result
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import Rational, readable, text
from exactsched.exact.words import counted, shown
from exactsched.linear_programs.linear_program import linear_program, maximize
from exactsched.linear_programs.matrices import ends_of


@readable
@dataclass(frozen=True, slots=True)
class Range:
    """From `low` to `high`; None where there is no end."""

    low: Rational | None = None
    high: Rational | None = None


@readable
@dataclass(frozen=True, slots=True)
class StatedRow:
    """A linear form, by the names of variables, and the range in which its value has to be."""

    coefficients: Mapping[str, Rational]
    within: Range


NOT_NEGATIVE = Range(0)


@readable
@dataclass(frozen=True, slots=True)
class StatedProgram:
    """The least or greatest `constant` + objective, every row and variable within its range.

    `variables` has the range of every variable, in the order of the columns.
    """

    minimize: bool
    objective: Mapping[str, Rational]
    rows: Mapping[str, StatedRow]
    variables: Mapping[str, Range]
    constant: Rational = 0


@dataclass(frozen=True, slots=True)
class Answer(Result):
    """What is true of a stated program, with the certificate of the program in one form.

    `value` is None where nothing is feasible or nothing bounds the objective: `outcome` says which,
    and `point` and `prices` are empty.  Otherwise `point` has all variables, and `prices` has, for
    all rows, the change of the value per unit of the row's end that is reached.
    """

    stated: StatedProgram
    outcome: LinearOutcome
    value: Fraction | None
    point: dict[str, Fraction]
    prices: dict[str, Fraction]

    @property
    def optimal(self) -> bool:
        """Whether there is an optimum."""
        return self.value is not None

    def record(self) -> LinearOutcome:
        """What `check` verifies: the outcome of the program in one form."""
        return self.outcome

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """The values of all variables and the prices of all rows, by name."""
        if self.value is None:
            return {}
        variables = [{"variable": name, "value": value} for name, value in self.point.items()]
        rows = [{"row": name, "price": price} for name, price in self.prices.items()]
        return {"variables": variables, "rows": rows}

    def __str__(self) -> str:
        if self.value is None:
            infeasible = isinstance(self.outcome, LinearInfeasibility)
            return "infeasible" if infeasible else "unbounded"
        told = f"{'minimum' if self.stated.minimize else 'maximum'} {text(self.value)}"
        checked = self.outcome.value if isinstance(self.outcome, LinearOptimum) else self.value
        if checked == self.value:
            return told
        return f"{told} (checked as a program whose maximum is {text(checked)})"

    def __repr__(self) -> str:
        told = str(self)
        if self.value is not None:
            told = f"{'minimum' if self.stated.minimize else 'maximum'} {shown(self.value)}"
        size = counted(len(self.stated.variables), "variable")
        return f"Answer({told}, {size}, {counted(len(self.stated.rows), 'row')})"


def stated_program(
    objective: Sequence[object],
    rows: Any,
    right_sides: Sequence[object],
    equalities: Iterable[int] = (),
    nonnegative: Iterable[int] = (),
    bounds: Any = None,
    *,
    minimize: bool = False,
    names: Sequence[str] | None = None,
    row_names: Sequence[str] | None = None,
) -> StatedProgram:
    """The program of `linear_program`, with names; `solve_stated` answers in them.

    Variables without names are x0, x1, ..., rows r0, r1, ....  Bounds are ranges here, no rows.

    Raises `InvalidInput` as `linear_program` does, and unless there is one name for each.

    Linear in the number of coefficients. Reference: proofs/exact-linear-programs.md.

    >>> bread = stated_program([1, 2], [[1, 1]], [3], bounds=(0, 2), names=["bread", "milk"])
    >>> answer = solve_stated(bread)
    >>> print(answer, answer.point["milk"], answer.prices["r0"])
    maximum 5 2 1
    """
    program = linear_program(objective, rows, right_sides, equalities)
    ends = ends_of(bounds, nonnegative, len(program.objective))
    variables = _named(names, len(ends), "x", "names")
    listed_rows = _named(row_names, len(program.rows), "r", "row_names")
    stated_rows, equal = {}, set(program.equalities)
    for index, name in enumerate(listed_rows):
        high = program.right_sides[index]
        within = Range(high if index in equal else None, high)
        form = {variables[column]: number for column, number in program.rows[index]}
        stated_rows[name] = StatedRow(form, within)
    return StatedProgram(
        minimize,
        {name: gain for name, gain in zip(variables, program.objective, strict=True) if gain},
        stated_rows,
        {name: Range(*pair) for name, pair in zip(variables, ends, strict=True)},
    )


def _named(names: Sequence[str] | None, count: int, letter: str, place: str) -> list[str]:
    if names is None:
        return [f"{letter}{index}" for index in range(count)]
    given = [str(name) for name in names]
    if len(given) != count:
        raise InvalidInput(place, len(given), f"one for each is needed: {count}")
    if len(set(given)) < count:
        again = next(name for name in given if given.count(name) > 1)
        raise InvalidInput(place, again, "this name is given twice")
    return given


def solve_stated(stated: StatedProgram) -> Answer:
    """The optimum of a stated linear program, or why there is none (LP duality).

    Raises `InvalidInput` for a row or an objective with a variable that has no range.

    As many operations as `maximize`. Reference: proofs/linear-programming-duality.md.

    >>> eat = StatedProgram(
    ...     minimize=True,
    ...     objective={"bread": 2, "milk": 3},
    ...     rows={"energy": StatedRow({"bread": 1, "milk": 1}, Range(4))},
    ...     variables={"bread": Range(0, 3), "milk": NOT_NEGATIVE},
    ... )
    >>> answer = solve_stated(eat)
    >>> print(answer.value, answer.point["bread"], answer.point["milk"], answer.prices["energy"])
    9 3 1 3
    >>> print(answer)
    minimum 9 (checked as a program whose maximum is -9)
    """
    form = _Form(stated)
    outcome = maximize(form.program)
    if not isinstance(outcome, LinearOptimum):
        return Answer(stated, outcome, None, {}, {})
    value = form.sign * (outcome.value + form.gained)
    return Answer(stated, outcome, value, form.point(outcome), form.prices(outcome))


class _Form:
    """A stated program as one to maximize, and the way back."""

    def __init__(self, stated: StatedProgram) -> None:
        self.sign = -1 if stated.minimize else 1
        # Of every variable: x = offset + turn * y, where y has a column unless x is fixed.
        self._offset: dict[str, Rational] = {}
        self._turn: dict[str, int] = {}
        self._column: dict[str, int] = {}
        self._nonnegative: list[int] = []
        self._rows: list[dict[int, Rational]] = []
        self._right_sides: list[Rational] = []
        self._equalities: list[int] = []
        self._stated_rows = tuple(stated.rows)
        # Of every row of the program: the row of the statement, if it is one, and its sign there.
        self._origin: list[tuple[str | None, int]] = []
        for name, within in stated.variables.items():
            self._add_variable(name, within)
        for name, row in stated.rows.items():
            self._add_row(name, row)
        gains, constant = self._columns(stated.objective, "the objective")
        self.gained: Rational = self.sign * (stated.constant + constant)
        objective: list[Rational] = [0] * len(self._column)
        for column, gain in gains.items():
            objective[column] = self.sign * gain
        self.program: LinearProgram = linear_program(
            objective, self._rows, self._right_sides, self._equalities, self._nonnegative
        )

    def _add_variable(self, name: str, within: Range) -> None:
        low, high = within.low, within.high
        self._turn[name] = -1 if low is None and high is not None else 1
        self._offset[name] = low if low is not None else high if high is not None else 0
        if low is not None and low == high:
            return
        column = self._column[name] = len(self._column)
        if low is None and high is None:
            return
        self._nonnegative.append(column)
        if low is not None and high is not None:
            self._append({column: 1}, high - low, None, 1)

    def _add_row(self, name: str, row: StatedRow) -> None:
        entries, constant = self._columns(row.coefficients, f"row {name}")
        low, high = row.within.low, row.within.high
        if low is not None and low == high:
            self._equalities.append(len(self._rows))
            self._append(entries, low - constant, name, 1)
            return
        if high is not None:
            self._append(entries, high - constant, name, 1)
        if low is not None:
            negated = {column: -number for column, number in entries.items()}
            self._append(negated, constant - low, name, -1)

    def _append(
        self, entries: dict[int, Rational], right_side: Rational, name: str | None, sign: int
    ) -> None:
        self._rows.append(entries)
        self._right_sides.append(right_side)
        self._origin.append((name, sign))

    def _columns(
        self, coefficients: Mapping[str, Rational], place: str
    ) -> tuple[dict[int, Rational], Rational]:
        """A linear form over the columns, and its constant."""
        entries: dict[int, Rational] = {}
        constant: Rational = 0
        for name, number in coefficients.items():
            if name not in self._offset:
                raise InvalidInput(place, name, "every variable has a range")
            constant += number * self._offset[name]
            if name in self._column:
                entries[self._column[name]] = number * self._turn[name]
        return entries, constant

    def point(self, outcome: LinearOptimum) -> dict[str, Fraction]:
        primal = dict(outcome.primal)
        found = {}
        for name, offset in self._offset.items():
            there = primal.get(self._column[name], 0) if name in self._column else 0
            found[name] = Fraction(offset + self._turn[name] * there)
        return found

    def prices(self, outcome: LinearOptimum) -> dict[str, Fraction]:
        found = dict.fromkeys(self._stated_rows, Fraction(0))
        for row, price in outcome.dual:
            name, sign = self._origin[row]
            if name is not None:
                found[name] += self.sign * sign * price
        return found
