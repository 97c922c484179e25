"""Bases of linear programs with integer data, solved exactly, and the simplex method over them.

The program is: maximize c x over A x + s = b, where the slack s[i] of every row is at least 0, or
0 if the row is an equality, and every x[j] is at least 0 or free.  A basis is a choice of columns
and of as many tight rows whose square matrix is nonsingular; the other x and the slacks of the
tight rows are 0.

Method: largest rates first, whatever the units, then Bland's rule, which always ends; every basis
is solved exactly.
Limits: exact, and slow alone: it is meant to go on from a nearly optimal basis.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, cmp_to_key
from math import gcd, inf, log2
from operator import mul

from exactsched.linear_programs.sparse_solve import Factorization, factorize


@dataclass(frozen=True, slots=True)
class Basis:
    """The basic columns and the tight rows, equally many of both."""

    columns: tuple[int, ...] = ()
    rows: tuple[int, ...] = ()

    def exchanged(self, entering: int, leaving: int) -> Basis:
        """Variables are numbered: the slack of row i is i, column j is ~j = -1 - j."""
        columns = [column for column in self.columns if ~column != leaving]
        rows = [row for row in self.rows if row != entering]
        if entering < 0:
            columns.append(~entering)
        if leaving >= 0:
            rows.append(leaving)
        return Basis(tuple(columns), tuple(rows))


@dataclass(slots=True)
class ComputationalForm:
    """Maximize c x over A x + s = b, all integers; every column is given by row, zeros left out.

    >>> form = ComputationalForm([4, 6], [1, 1], [{0: 2, 1: 1}, {0: 1, 1: 3}])
    >>> best = simplex(form.origin())
    >>> best.basis.columns, best.primal, best.unit, best.value()
    ((1, 0), [8, 6], 5, Fraction(14, 5))
    """

    right_sides: list[int]
    objective: list[int] = field(default_factory=list)
    columns: list[dict[int, int]] = field(default_factory=list)
    equalities: frozenset[int] = frozenset()
    free: frozenset[int] = frozenset()

    def vertex(self, basis: Basis, primal: tuple[list[int], int] | None = None) -> Vertex:
        """The exact solution of a basis, feasible or not; its primal part may be known."""
        vertex = self.proposed(basis, primal)
        if vertex is None:
            raise ArithmeticError("a basis is singular")
        return vertex

    def proposed(self, basis: Basis, primal: tuple[list[int], int] | None = None) -> Vertex | None:
        """The exact solution of what may be a basis; None if it is not."""
        if len(basis.columns) != len(basis.rows):
            return None
        place = {row: index for index, row in enumerate(basis.rows)}
        columns = [self.columns[column] for column in basis.columns]
        if basis.rows != tuple(range(len(self.right_sides))):
            columns = [
                {place[row]: entry for row, entry in column.items() if row in place}
                for column in columns
            ]
        factorization = factorize(columns)
        return None if factorization is None else Vertex(self, basis, place, factorization, primal)

    def origin(self) -> Vertex:
        """The vertex where all x are 0."""
        return self.vertex(Basis())

    def units(self) -> tuple[list[int], list[int]]:
        """Exponents of 2 by which rows and columns are divided, so that all entries come near 1.

        First a row's, then a column's is the middle of the exponents of its entries, twice; at last
        the largest entry of every column becomes about 1.
        """
        rows, columns = [0] * len(self.right_sides), [0] * len(self.columns)
        numbers = set().union(*map(dict.values, self.columns))
        lengths = {entry.bit_length() for entry in numbers}
        if lengths == {1}:  # as in a network
            return rows, columns
        sizes = [
            [(row, entry.bit_length()) for row, entry in column.items()] for column in self.columns
        ]
        for _ in range(2):
            lowest, highest = [inf] * len(rows), [-inf] * len(rows)
            for entries, unit in zip(sizes, columns, strict=True):
                for row, size in entries:
                    exponent = size - unit
                    if exponent < lowest[row]:
                        lowest[row] = exponent
                    if exponent > highest[row]:
                        highest[row] = exponent
            rows = [
                int((low + high) // 2) if low <= high else 0
                for low, high in zip(lowest, highest, strict=True)
            ]
            for column, entries in enumerate(sizes):
                exponents = [size - rows[row] for row, size in entries]
                columns[column] = (min(exponents) + max(exponents)) // 2 if exponents else 0
        for column, entries in enumerate(sizes):
            columns[column] = max([size - rows[row] for row, size in entries], default=0)
        return rows, columns


class Vertex:
    """The primal and the dual solution of a basis, in integers over two common denominators.

    Basic column `basis.columns[k]` has the value `primal[k] / unit`, tight row `basis.rows[k]`
    the price `dual[k] / dual_unit`.
    """

    def __init__(
        self,
        form: ComputationalForm,
        basis: Basis,
        place: dict[int, int],
        factorization: Factorization,
        primal: tuple[list[int], int] | None = None,
    ) -> None:
        self.form, self.basis = form, basis
        self._place, self._factorization = place, factorization
        self.primal, self.unit = primal or factorization.solve(
            [form.right_sides[i] for i in basis.rows]
        )

    @cached_property
    def _prices(self) -> tuple[list[int], int]:
        gains = [self.form.objective[column] for column in self.basis.columns]
        return self._factorization.solve_transposed(gains)

    @property
    def dual(self) -> list[int]:
        """The prices of the tight rows, over `dual_unit`."""
        return self._prices[0]

    @property
    def dual_unit(self) -> int:
        """What the prices are over."""
        return self._prices[1]

    @cached_property
    def slacks(self) -> list[int]:
        """b - A x of every row, over `unit`."""
        slacks = [self.unit * right for right in self.form.right_sides]
        for column, amount in zip(self.basis.columns, self.primal, strict=True):
            if amount:
                for row, entry in self.form.columns[column].items():
                    slacks[row] -= entry * amount
        return slacks

    @cached_property
    def amounts(self) -> dict[int, int]:
        """The basic variables and all slacks, over `unit`."""
        basic = zip(self.basis.columns, self.primal, strict=True)
        return {~column: amount for column, amount in basic} | dict(enumerate(self.slacks))

    @cached_property
    def reduced(self) -> list[int]:
        """c - y A of every column, over `dual_unit`."""
        if not any(self.dual):
            return [self.dual_unit * gain for gain in self.form.objective]
        prices = [0] * len(self.form.right_sides)
        for row, price in zip(self.basis.rows, self.dual, strict=True):
            prices[row] = price
        rates = []
        for gain, column in zip(self.form.objective, self.form.columns, strict=True):
            rate = self.dual_unit * gain
            for row, entry in column.items():  # most are short: a sum of each takes longer
                rate -= entry * prices[row]
            rates.append(rate)
        return rates

    def value(self) -> Fraction:
        """The objective at the primal solution."""
        gains = (self.form.objective[column] for column in self.basis.columns)
        return Fraction(sum(map(mul, gains, self.primal)), self.unit)

    @cached_property
    def violations(self) -> dict[int, int]:
        """What keeps the primal solution from being feasible: variables with values over `unit`."""
        free, equalities = self.form.free, self.form.equalities
        wrong = {
            ~column: amount
            for column, amount in zip(self.basis.columns, self.primal, strict=True)
            if amount < 0 and column not in free
        }
        for row, slack in enumerate(self.slacks):
            if slack and (slack < 0 or row in equalities):
                wrong[row] = slack
        return wrong

    @cached_property
    def improving(self) -> dict[int, int]:
        """What keeps the dual solution from being feasible: rates of variables over `dual_unit`.

        The objective grows with a variable of positive rate, and falls with the others, which
        are free.
        """
        free, equalities = self.form.free, self.form.equalities
        rates = {
            ~column: gain
            for column, gain in enumerate(self.reduced)
            if gain and (gain > 0 or column in free)
        }
        for row, price in zip(self.basis.rows, self.dual, strict=True):
            if price < 0 and row not in equalities:
                rates[row] = -price
        return rates

    @cached_property
    def is_optimal(self) -> bool:
        """Primal and dual solution are feasible and of the same value, whoever computed them."""
        prices = zip(self.basis.rows, self.dual, strict=True)
        bound = sum(self.form.right_sides[row] * price for row, price in prices)
        return (
            not self.violations
            and not self.improving
            and self.value() == Fraction(bound, self.dual_unit)
        )

    def falls(self, entering: int, sign: int) -> dict[int, int]:
        """How fast the variables fall when `entering` moves by `sign`, times a positive number.

        Those that do not move are left out.
        """
        columns = self.form.columns
        entries = columns[~entering] if entering < 0 else {entering: 1}
        right = [0] * len(self.basis.rows)
        rest: dict[int, int] = {}
        for row, entry in entries.items():
            if row in self._place:
                right[self._place[row]] = sign * entry
            else:
                rest[row] = sign * entry
        moves, unit = self._factorization.solve(right)
        falls = {row: entry * unit for row, entry in rest.items()}
        for column, move in zip(self.basis.columns, moves, strict=True):
            if move:
                for row, entry in columns[column].items():
                    if row not in self._place:
                        falls[row] = falls.get(row, 0) - entry * move
                falls[~column] = move
        falls[entering] = -sign * unit
        return falls

    def moved(self, falls: Mapping[int, int], entering: int, leaving: int) -> Vertex:
        """The vertex where all variables have fallen until `leaving` is 0.

        So its primal solution is known: one square system less, a quarter of the time of a turn.
        """
        amounts, basis = self.amounts, self.basis.exchanged(entering, leaving)
        common = gcd(amounts[leaving], falls[leaving])
        amount, fall = amounts[leaving] // common, falls[leaving] // common
        values = [
            amounts.get(~column, 0) * fall - amount * falls.get(~column, 0)
            for column in basis.columns
        ]
        unit = self.unit * fall
        common = gcd(unit, *values) if fall > 0 else -gcd(unit, *values)
        primal = [value // common for value in values], unit // common
        return self.form.vertex(basis, primal)

    def without(self, column: int) -> Basis:
        """A basis with the slack of a tight row in the place of a basic column.

        If the value of the column is 0, primal solution and feasibility stay.
        """
        unit_vector = [int(column == basic) for basic in self.basis.columns]
        entries, _ = self._factorization.solve_transposed(unit_vector)
        row = next(row for row, entry in zip(self.basis.rows, entries, strict=True) if entry)
        return self.basis.exchanged(row, ~column)


@dataclass(frozen=True, slots=True)
class Ray:
    """From `vertex`, `direction` (by column) stays feasible and improves the objective for ever."""

    vertex: Vertex
    direction: dict[int, int]


def simplex(start: Vertex) -> Vertex | Ray:
    """An optimal vertex, or a ray of unbounded gain, from a vertex that is primal feasible.

    The variable with the largest rate, measured in its unit, enters for the first
    2 (rows + columns) turns, then the one with the least number (Bland 1977), which cannot cycle.
    Every turn factorizes its basis.  (Sparse programs of 50 rows, coefficients from 10^-30 to
    10^30: up to three times as many turns without units.)
    """
    form, vertex = start.form, start
    rows, columns = form.units()

    def size(variable: int) -> float:
        unit = rows[variable] if variable >= 0 else -columns[~variable]
        return log2(abs(rates[variable])) + unit

    patience = 2 * (len(form.right_sides) + len(form.columns))
    while rates := vertex.improving:
        if patience > 0:
            entering = max(rates, key=lambda variable: (size(variable), -variable))
        else:
            entering = min(rates)
        patience -= 1
        sign = 1 if rates[entering] > 0 else -1
        falls = vertex.falls(entering, sign)
        leaving = _leaving(vertex, falls)
        if leaving is None:
            return Ray(vertex, {~moved: -fall for moved, fall in falls.items() if moved < 0})
        vertex = vertex.moved(falls, entering, leaving)
    return vertex


def _leaving(vertex: Vertex, falls: Mapping[int, int]) -> int | None:
    """The variable that is the first to reach its bound, ties by number; None if none does."""
    form, amounts = vertex.form, vertex.amounts
    steps = [
        (amounts[variable], abs(fall), variable)
        for variable, fall in falls.items()
        if (fall > 0 and ~variable not in form.free) or (fall and variable in form.equalities)
    ]
    # Crosswise: numbers are long, and making fractions of them took a seventh of a turn.
    return min(steps, key=cmp_to_key(_sooner))[-1] if steps else None


def _sooner(one: tuple[int, int, int], other: tuple[int, int, int]) -> int:
    """Negative if one step, a quotient of two numbers, is shorter; or of a smaller variable."""
    return one[0] * other[1] - other[0] * one[1] or one[2] - other[2]


def relaxation(vertex: Vertex) -> Vertex:
    """A feasible vertex of the program with one more column, whose least value is asked for.

    The new column t >= 0 is the last one, and the objective is -t.  The optimum is 0 if and only
    if the program itself is feasible.  Otherwise the dual solution y of an optimal vertex has
    y b < 0, while y A = 0 (y A >= 0 where x >= 0) and y >= 0 but in equalities: Farkas' lemma.

    The column is the sum of those basic columns that violate their bounds, times their values: as
    t grows they all reach 0 together, and no other variable moves.
    """
    form = vertex.form
    shift: dict[int, int] = {}
    for variable, amount in vertex.violations.items():
        entries = form.columns[~variable] if variable < 0 else {variable: 1}
        for row, entry in entries.items():
            shift[row] = shift.get(row, 0) + entry * amount
    common = gcd(*shift.values())
    relaxed = ComputationalForm(
        form.right_sides,
        [0] * len(form.columns) + [-1],
        [*form.columns, {row: entry // common for row, entry in shift.items() if entry}],
        form.equalities,
        form.free,
    )
    leaving = next(iter(vertex.violations))
    return relaxed.vertex(vertex.basis.exchanged(~len(form.columns), leaving))
