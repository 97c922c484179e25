"""Small linear programs with a feasible origin, solved in a tableau of integers.

Loading SoPlex takes a seventh of a second, loading a program of 20 rows and columns into it a
millisecond, and where coefficients are as in Hilbert's matrix its answer is no use.  Here every
row of the tableau is brought to integers without a common divisor, so that numbers stay short.

Method: the simplex method; the variable enters that gains most, as floats tell it.  Where most
coefficients are not 0, a slack that has become 0 stays 0, and its column goes: half of the cells,
and few would come back.  (Dense random programs of 20 rows and columns: 1.1 ms with all slacks,
0.7 ms so.  Sparse covers: 0.9 ms and 1.5 ms.)
Limits: a proposal: whoever calls asks `is_optimal`.  Dense: every step changes all cells.
"""

from __future__ import annotations

from math import gcd, inf

from exactsched.linear_programs.simplex import Basis, ComputationalForm

# Dense random programs of 20 rows and columns take as long here as with SoPlex.
_MOST_CELLS = 400


def tableau_basis(form: ComputationalForm) -> Basis | None:
    """A feasible basis, mostly an optimal one; None if the program is not for a tableau.

    That is: it is large, the origin is not feasible, a row is an equality, a variable is free, the
    gain is unbounded, or 2 (rows + columns) steps do not suffice.  Unless rounding misled, the
    basis is optimal among those with the same tight rows, and optimal if at most half
    of the coefficients are not 0.

    >>> tableau_basis(ComputationalForm([4, 6], [1, 1], [{0: 2, 1: 1}, {0: 1, 1: 3}]))
    Basis(columns=(0, 1), rows=(0, 1))
    """
    height, width = len(form.right_sides), len(form.columns)
    if height * width > _MOST_CELLS or form.equalities or form.free:
        return None
    if min(form.right_sides, default=0) < 0:
        return None
    tableau = _Tableau(form)
    try:
        for _ in range(2 * (height + width)):
            if max(tableau.rows[height][:-1], default=0) <= 0:
                return tableau.basis()
            best = tableau.best_exchange()
            if best is None:
                return None
            tableau.exchange(*best)
    except OverflowError:  # quotients beyond floats
        pass
    return None


class _Tableau:
    """Row i says: units[i] x[basic[i]] + the sum of rows[i][k] x[others[k]] = rows[i][-1].

    The last row is the objective: units[-1] times it is the sum of rows[-1][k] x[others[k]], less
    rows[-1][-1].  Variables are numbered as in `Basis.exchanged`.
    """

    def __init__(self, form: ComputationalForm) -> None:
        width = len(form.columns)
        self.basic = list(range(len(form.right_sides)))
        self.others = [~column for column in range(width)]
        self.rows = [[0] * width + [right] for right in form.right_sides]
        for place, column in enumerate(form.columns):
            for row, entry in column.items():
                self.rows[row][place] = entry
        self.rows.append([*form.objective, 0])
        self.units = [1] * len(self.rows)
        self.dense = 2 * sum(map(len, form.columns)) > len(form.right_sides) * width
        self.tight: list[int] = []

    def best_exchange(self) -> tuple[int, int] | None:
        """The row and the place whose exchange gains most; None if a gain has no end."""
        *rows, rates = self.rows
        most, best = -1.0, None
        for place in range(len(self.others)):
            rate, least, first = rates[place], inf, None
            if rate <= 0:
                continue
            for index, row in enumerate(rows):
                if row[place] > 0 and (step := row[-1] / row[place]) < least:
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
        chosen, unit, leaving = self.rows[index], self.units[index], self.basic[index]
        pivot, goes = chosen[place], leaving >= 0 and self.dense
        for other, row in enumerate(self.rows):
            if other == index or not row[place]:
                continue
            common = gcd(row[place], pivot)
            by, less = pivot // common, row[place] // common
            changed = [entry * by - less * one for entry, one in zip(row, chosen, strict=True)]
            changed[place] = 0 if goes else -less * unit
            under = self.units[other] * by
            common = gcd(under, *changed)
            if common > 1:
                changed = [entry // common for entry in changed]
            self.rows[other], self.units[other] = changed, under // common
        chosen[place], self.units[index] = unit, pivot
        self.basic[index], self.others[place] = self.others[place], leaving
        if goes:
            self.tight.append(self.others.pop(place))
            for row in self.rows:
                del row[place]

    def basis(self) -> Basis:
        """The basic columns, and the rows that are tight."""
        return Basis(
            tuple(sorted(~variable for variable in self.basic if variable < 0)),
            tuple(sorted([*self.tight, *(variable for variable in self.others if variable >= 0)])),
        )
