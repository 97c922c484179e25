"""Exact linear programs whose columns arrive over time: floats propose a basis, rationals decide.

The program is: maximize c x subject to A x <= b and x >= 0, with b >= 0, so that x = 0 is
feasible.  SoPlex (through PySCIPOpt) proposes an optimal basis in floating point; python-flint
solves that basis exactly, and an exact test of primal and dual feasibility accepts it.  Where
the test fails, an exact simplex method goes on from the last exact optimum, and always ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from exactsched.errors import InvalidInput

_TIGHTEST = 1e-10  # what SoPlex accepts
_STEEPEST_EDGE = 4  # SCIP_PRICING_STEEP, which PySCIPOpt does not name


@dataclass(frozen=True, slots=True)
class Optimum:
    """An optimal primal and dual solution; entries that are zero are left out.

    `value` = sum of gain * primal = sum of capacity * dual.
    """

    value: Fraction
    primal: dict[int, Fraction]
    dual: dict[int, Fraction]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A float guess at the optimum; `duals` and `value` are meant for the scaled program.

    There the duals are those of entries a / `PackingProgram.scale`: a column looks profitable
    when its gain exceeds the sum of duals * entry / scale.  The value is the true one times scale
    over the largest capacity.
    """

    value: float
    duals: list[float]


class PackingProgram:
    """Maximize c x over A x <= b, x >= 0 for integers A, c and b >= 0, one column at a time.

    Rows are 0..len(capacities)-1.  `propose` is the float optimum of the columns so far, for
    column generation; `solve` is the exact one.

    >>> program = PackingProgram([4, 6])
    >>> _ = program.add_column(1, {0: 2, 1: 1})
    >>> _ = program.add_column(1, {0: 1, 1: 3})
    >>> best = program.solve()
    >>> best.value, best.primal
    (Fraction(14, 5), {0: Fraction(6, 5), 1: Fraction(8, 5)})
    >>> best.dual
    {0: Fraction(2, 5), 1: Fraction(1, 5)}
    """

    def __init__(self, capacities: Sequence[int]) -> None:
        for row, capacity in enumerate(capacities):
            if capacity < 0:
                raise InvalidInput(f"capacity of row {row}", capacity, "capacities are >= 0")
        self._capacities = list(capacities)
        self._largest = max(self._capacities, default=1) or 1
        self._gains: list[int] = []
        self._columns: list[dict[int, int]] = []
        self._float: Any = None
        # The basis of the last exact optimum: columns only join, so it stays primal feasible.
        self._basis: tuple[list[int], list[int]] = ([], [])
        self.scale = 1

    def add_column(self, gain: int, entries: Mapping[int, int]) -> int:
        """Append a variable with its gain and its entries by row; returns its index."""
        column = {row: entry for row, entry in entries.items() if entry}
        self._gains.append(gain)
        self._columns.append(column)
        return len(self._columns) - 1

    def propose(self) -> Proposal | None:
        """The optimum in floating point, or None where the float solver gives up."""
        try:
            program = self._float_program()
            value = program.solve(dual=False)
            if not program.isOptimal():
                return None
            return Proposal(value, [max(0.0, dual) for dual in program.getDual()])
        except Exception:  # numbers beyond floats; SCIP's numerical trouble is a bare Exception
            self._float = None
            return None

    def _float_program(self) -> Any:
        from pyscipopt import LP, SCIP_LPPARAM  # type: ignore[attr-defined]

        if self._float is None:
            program = LP(sense="maximize")
            # Steepest edge: on the degenerate program of 640 arborescences and 1200 resources
            # 1,687 iterations and 3.7 s, where the default takes 10,981 and 7.5 s.
            program.setIntParam(SCIP_LPPARAM.PRICING, _STEEPEST_EDGE)
            # As tight as they get: where entries are wide, the default 1e-6 stops too early.
            program.setRealParam(SCIP_LPPARAM.FEASTOL, _TIGHTEST)
            program.setRealParam(SCIP_LPPARAM.DUALFEASTOL, _TIGHTEST)
            infinity = program.infinity()
            rows = len(self._capacities)
            program.addRows(
                [[] for _ in range(rows)],
                [-infinity] * rows,
                [capacity / self._largest for capacity in self._capacities],
            )
            self._float, self._loaded = program, 0
        program = self._float
        fresh = range(self._loaded, len(self._columns))
        if fresh:
            infinity = program.infinity()
            # A variable is counted in units that make its largest entry about 1: entries below
            # the tolerances of the float solver would be taken for zero.
            units = [_power_below(self._columns[j]) for j in fresh]
            if self._loaded == 0:
                self.scale = min(units)
            program.addCols(
                [
                    [(row, entry / unit) for row, entry in sorted(self._columns[j].items())]
                    for j, unit in zip(fresh, units, strict=True)
                ],
                objs=[self._gains[j] * self.scale / u for j, u in zip(fresh, units, strict=True)],
                lbs=[0.0] * len(fresh),
                ubs=[infinity] * len(fresh),
            )
            self._loaded = len(self._columns)
        return program

    def solve(self) -> Optimum:
        """The exact optimum over the columns so far (LP duality; Schrijver 1986, chapter 7).

        Raises `InvalidInput` if the gain is unbounded.  One exact solution of a square system of
        as many rows as there are tight constraints where the float basis is right, which is the
        rule; an exact simplex method with Bland's rule in its end game where it is not.
        """
        basis = self._float_basis()
        if basis is not None:
            vertex = self._vertex(*basis)
            if vertex is not None and self._primal_feasible(vertex) and self._dual_feasible(vertex):
                self._basis = basis
                return self._optimum(vertex)
        return self._simplex(*self._basis)

    def _float_basis(self) -> tuple[list[int], list[int]] | None:
        """The basic columns and the tight rows that the float solver ends with."""
        if self.propose() is None:
            return None
        try:
            columns, rows = self._float.getBase()
        except Exception:  # no basis, no suggestion
            return None
        basic = [j for j, status in enumerate(columns) if status == 1]
        tight = [i for i, status in enumerate(rows) if status != 1]
        return (basic, tight) if len(basic) == len(tight) else None

    def _system(self, basic: list[int], tight: list[int]) -> Any:
        from flint import fmpz_mat

        matrix = fmpz_mat(len(tight), len(basic))
        place = {row: index for index, row in enumerate(tight)}
        for j, column in enumerate(basic):
            for row, entry in self._columns[column].items():
                if row in place:
                    matrix[place[row], j] = entry
        return matrix

    def _vertex(self, basic: list[int], tight: list[int]) -> _Vertex | None:
        """The exact basic solution and its duals; None if the basis is singular."""
        matrix = self._system(basic, tight)
        try:
            primal = _solve(matrix, [self._capacities[row] for row in tight])
            dual = _solve(matrix.transpose(), [self._gains[column] for column in basic])
        except ZeroDivisionError:
            return None
        return _Vertex(basic, tight, matrix, *_common(primal), *_common(dual))

    def _slacks(self, vertex: _Vertex) -> list[int]:
        """The unused capacity of every row, times the common denominator of the primal."""
        slacks = [capacity * vertex.primal_denominator for capacity in self._capacities]
        for column, amount in zip(vertex.basic, vertex.primal, strict=True):
            if amount:
                for row, entry in self._columns[column].items():
                    slacks[row] -= entry * amount
        return slacks

    def _reduced_gains(self, vertex: _Vertex) -> list[int]:
        """Gain minus priced entries of every column, times the common denominator of the dual."""
        prices = dict(zip(vertex.tight, vertex.dual, strict=True))
        return [
            gain * vertex.dual_denominator
            - sum(entry * prices[row] for row, entry in column.items() if row in prices)
            for gain, column in zip(self._gains, self._columns, strict=True)
        ]

    def _primal_feasible(self, vertex: _Vertex) -> bool:
        return min(vertex.primal, default=0) >= 0 and min(self._slacks(vertex), default=0) >= 0

    def _dual_feasible(self, vertex: _Vertex) -> bool:
        return min(vertex.dual, default=0) >= 0 and max(self._reduced_gains(vertex), default=0) <= 0

    def _optimum(self, vertex: _Vertex) -> Optimum:
        primal = {
            column: Fraction(amount, vertex.primal_denominator)
            for column, amount in sorted(zip(vertex.basic, vertex.primal, strict=True))
            if amount
        }
        dual = {
            row: Fraction(price, vertex.dual_denominator)
            for row, price in sorted(zip(vertex.tight, vertex.dual, strict=True))
            if price
        }
        value = sum((self._gains[j] * amount for j, amount in primal.items()), start=Fraction(0))
        return Optimum(value, primal, dual)

    def _simplex(self, basic: list[int], tight: list[int]) -> Optimum:
        """The exact simplex method from a primal feasible basis.

        Variables are numbered: column j is j, the slack of row i is -1 - i.  The largest
        coefficient enters at first, then the smallest number (Bland 1977), which cannot cycle.
        """
        patience = 2 * (len(self._capacities) + len(self._columns))
        for turn in range(10**9):
            vertex = self._vertex(basic, tight)
            if vertex is None:
                raise ArithmeticError("the exact simplex method met a singular basis")
            basics = set(basic)
            gains = [
                (gain, j)
                for j, gain in enumerate(self._reduced_gains(vertex))
                if gain > 0 and j not in basics
            ]
            gains += [
                (-price, -1 - row)
                for row, price in zip(tight, vertex.dual, strict=True)
                if price < 0
            ]
            if not gains:
                self._basis = basic, tight
                return self._optimum(vertex)
            entering = max(gains)[1] if turn < patience else min(j for _, j in gains)
            leaving = self._leaving(vertex, entering)
            basic = [j for j in basic if j != leaving] + ([entering] if entering >= 0 else [])
            tight = [i for i in tight if -1 - i != entering] + (
                [-1 - leaving] if leaving < 0 else []
            )
        raise ArithmeticError("the exact simplex method did not end")

    def _leaving(self, vertex: _Vertex, entering: int) -> int:
        """The basic variable that reaches zero first when `entering` grows; ties by number."""
        entries = self._columns[entering] if entering >= 0 else {-1 - entering: 1}
        # In integers over common denominators: fractions made this the whole of the running time.
        moves, unit = _common(_solve(vertex.matrix, [entries.get(row, 0) for row in vertex.tight]))
        tight = set(vertex.tight)
        rates = {row: entry * unit for row, entry in entries.items() if row not in tight}
        for column, move in zip(vertex.basic, moves, strict=True):
            if move:
                for row, entry in self._columns[column].items():
                    if row not in tight:
                        rates[row] = rates.get(row, 0) - entry * move
        slacks = self._slacks(vertex)
        steps = [
            (Fraction(amount, move), column)
            for column, amount, move in zip(vertex.basic, vertex.primal, moves, strict=True)
            if move > 0
        ]
        steps += [
            (Fraction(slacks[row], rate), -1 - row) for row, rate in rates.items() if rate > 0
        ]
        if not steps:
            raise InvalidInput("linear program", f"variable {entering}", "the gain is unbounded")
        return min(steps)[1]


def _power_below(column: Mapping[int, int]) -> int:
    """The largest power of two that is at most the largest entry of a column, or 1."""
    return 1 << max(0, max(map(abs, column.values()), default=1).bit_length() - 1)


@dataclass(frozen=True, slots=True)
class _Vertex:
    """A basic solution: amounts of the basic columns, prices of the tight rows, as integers."""

    basic: list[int]
    tight: list[int]
    matrix: Any
    primal: list[int]
    primal_denominator: int
    dual: list[int]
    dual_denominator: int


def _solve(matrix: Any, right: list[int]) -> list[Fraction]:
    """The exact solution of a square system; raises ZeroDivisionError if it is singular."""
    from flint import fmpz_mat

    if not right:
        return []
    solution = matrix.solve(fmpz_mat(len(right), 1, right))
    return [Fraction(int(value.p), int(value.q)) for value in solution.entries()]


def _common(values: list[Fraction]) -> tuple[list[int], int]:
    """Numerators over the least common denominator."""
    denominator = lcm(*(value.denominator for value in values))
    return [value.numerator * (denominator // value.denominator) for value in values], denominator
