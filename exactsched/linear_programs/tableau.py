"""Small linear programs with a feasible origin, solved in a tableau of integers.

Loading SoPlex takes a seventh of a second, loading a program of 20 rows and columns into it a
millisecond, and where coefficients are as in Hilbert's matrix its answer is no use.  Here every
row of the tableau is in integers, and loses its common divisor when they get long.

Method: the simplex method; the variable enters that gains most, as floats tell it.  Where most
coefficients are not 0, a slack that has become 0 stays 0, and its column goes: half of the cells,
and few would come back.  (Dense random programs of 20 rows and columns: 1.1 ms with all slacks,
0.7 ms so.  Sparse covers: 0.9 ms and 1.5 ms.)
Limits: a proposal: whoever calls asks `is_optimal`.  Dense: every step changes all cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import gcd, inf

from exactsched.linear_programs.simplex import Basis, ComputationalForm

# Dense random programs of 20 rows and columns take as long here as with SoPlex.
_MOST_CELLS = 400
# From this number of bits on.  All 11 and 22 steps for Hilbert's matrices of 10 and 20 rows: 0.36
# and 1.5 ms where every row loses its common divisor in every step, 0.19 and 1.2 ms so.  Floats end
# at 1024 bits.
_LONG = 256


def tableau_bases(form: ComputationalForm) -> Iterator[Basis]:
    """Bases to try, the last one feasible and mostly optimal; none if this is not for a tableau.

    That is: it is large, the origin is not feasible, a row is an equality, a variable is free, the
    gain is unbounded, or 2 (rows + columns) steps do not suffice.  Unless rounding misled, the last
    basis is optimal among those with the same tight rows, and optimal if at most half
    of the coefficients are not 0.

    Where all rows are nearly tight while there is still a gain, all of them are tried once, with as
    many columns: Hilbert's matrices take one step instead of as many as rows.

    >>> [*tableau_bases(ComputationalForm([4, 6], [1, 1], [{0: 2, 1: 1}, {0: 1, 1: 3}]))][-1]
    Basis(columns=(0, 1), rows=(0, 1))
    """
    height, width = len(form.right_sides), len(form.columns)
    if height * width > _MOST_CELLS or form.equalities or form.free:
        return
    if min(form.right_sides, default=0) < 0:
        return
    tableau, untried = _Tableau(form), height == width
    try:
        for _ in range(2 * (height + width)):
            if not tableau.gains():
                yield tableau.basis()
                return
            if untried and tableau.is_nearly_tight(form.right_sides):
                yield Basis(tuple(range(width)), tuple(range(height)))
                untried = False
            best = tableau.best_exchange()
            if best is None:
                return
            tableau.exchange(*best)
    except OverflowError:  # quotients beyond floats
        pass


class _Tableau:
    """Row i says: units[i] x[basic[i]] + the sum of rows[i][k] x[others[k]], k > 0, = rows[i][0].

    The last row is the objective: units[-1] times it is the sum of rows[-1][k] x[others[k]], less
    rows[-1][0].  Variables are numbered as in `Basis.exchanged`; others[0] is none.
    """

    def __init__(self, form: ComputationalForm) -> None:
        width = len(form.columns)
        self.basic = list(range(len(form.right_sides)))
        self.others = [0, *(~column for column in range(width))]
        self.rows = [[right, *[0] * width] for right in form.right_sides]
        for place, column in enumerate(form.columns, 1):
            for row, entry in column.items():
                self.rows[row][place] = entry
        self.rows.append([0, *form.objective])
        self.units = [1] * len(self.rows)
        self.dense = 2 * sum(map(len, form.columns)) > len(form.right_sides) * width
        self.tight: list[int] = []

    def gains(self) -> bool:
        """Whether the objective grows with one of the other variables."""
        return max(self.rows[-1]) > 0  # the value, at its left, is there with the sign turned

    def is_nearly_tight(self, right_sides: list[int]) -> bool:
        """Whether every slack is at most a quarter of what it was at the origin."""
        return all(
            4 * row[0] <= unit * right_sides[variable]
            for variable, unit, row in zip(self.basic, self.units, self.rows, strict=False)
            if variable >= 0
        )

    def best_exchange(self) -> tuple[int, int] | None:
        """The row and the place whose exchange gains most; None if a gain has no end."""
        *rows, rates = self.rows
        most, best = -1.0, None
        for place in range(1, len(self.others)):
            rate, least, first = rates[place], inf, None
            if rate <= 0:
                continue
            for index, row in enumerate(rows):
                if row[place] > 0 and (step := row[0] / row[place]) < least:
                    least, first = step, index
                    if least * rate <= most:  # the others can only make it less
                        break
            if first is None:
                return None
            if least * rate > most:
                most, best = least * rate, (first, place)
        return best

    def exchange(self, index: int, place: int) -> None:
        """Solves a row for one of the other variables, and puts it into all rows."""
        rows, units = self.rows, self.units
        chosen, unit, leaving = rows[index], units[index], self.basic[index]
        pivot, goes = chosen.pop(place), leaving >= 0 and self.dense
        for other, row in enumerate(rows):
            if other == index:
                continue
            if less := row.pop(place):
                common = gcd(less, pivot)
                by, less = pivot // common, less // common
                row = [entry * by - less * one for entry, one in zip(row, chosen, strict=True)]
                rows[other] = row
                units[other] *= by
            if not goes:
                row.append(-less * unit)
        if not goes:
            chosen.append(unit)
        self.basic[index], units[index] = self.others.pop(place), pivot
        for other, unit in enumerate(units):
            if unit.bit_length() > _LONG:
                common = gcd(unit, *rows[other])
                rows[other] = [entry // common for entry in rows[other]]
                units[other] //= common
        (self.tight if goes else self.others).append(leaving)

    def basis(self) -> Basis:
        """The basic columns, and the rows that are tight."""
        nonbasic = islice(self.others, 1, None)
        return Basis(
            tuple(sorted(~variable for variable in self.basic if variable < 0)),
            tuple(sorted([*self.tight, *(variable for variable in nonbasic if variable >= 0)])),
        )
