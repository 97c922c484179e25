"""Exact linear programs whose columns arrive over time: floats propose a basis, rationals decide.

The program is: maximize c x subject to A x <= b and x >= 0, with b >= 0, so that x = 0 is
feasible.  SoPlex (through PySCIPOpt) proposes an optimal basis in floating point; python-flint
solves that basis exactly, and an exact test of primal and dual feasibility accepts it.  Where
the test fails, the basis is refined, and where that fails too, an exact simplex method goes on
from the last exact optimum, and always ends.

Method: one float program to which columns are added; its bases are solved exactly and tested.
Limits: rows are <= with right sides >= 0, so that 0 is feasible.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ldexp
from types import MappingProxyType
from typing import Any

from exactsched.exact.errors import InvalidInput
from exactsched.exact.patience import PATIENT, EnoughError
from exactsched.linear_programs.basis_refinement import STEEPEST_EDGE, TINY, refined
from exactsched.linear_programs.simplex import Basis, ComputationalForm, Ray, simplex
from exactsched.linear_programs.tiny_program import TinyProgram

_TIGHTEST = 1e-10  # what SoPlex accepts
# Such programs are solved in a millisecond without it.  More columns have more optima, and those of
# SoPlex lead to fewer rounds.
_TINY_ROWS = 12
_TINY_COLUMNS = 3
_LARGEST_TINY = 1 << 40
# An integer over less than this is above TINY.
_COARSEST = int(1 / TINY)
# What SoPlex does without: the largest entry of every column is about 1 already, and whole
# structures leave little to presolve.  Two programs of 20 and 46 columns and 60 rows take 1.45 ms
# with these, and 1.00 without.
_WITHOUT = ("TIMING", "SCALING", "PRESOLVING")
# SoPlex pauses after each PAUSE iterations, and whoever waits may say that it is enough.
PAUSE = 1_000
# From this many rows on, and for each column as many, SoPlex sees those only that matter.
MANY_ROWS = 20_000
ROWS_PER_COLUMN = 10


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
    over the largest capacity of the first rows.
    """

    value: float
    duals: list[float]


class PackingProgram:
    """Maximize c x over A x <= b, x >= 0 for integers A, c and b >= 0, one column at a time.

    Rows are 0..len(capacities)-1, and those that join later.  `propose` is the float optimum of
    the columns so far, for column generation; `solve` is the exact one.  `pricing` is the rule by
    which SoPlex takes columns: steepest edge where columns are whole structures (the degenerate
    program of 640 arborescences and 1200 resources takes 1,687 iterations and 3.7 s, with devex
    10,981 and 7.5 s), `DEVEX` where they are parts that rows of conservation join.

    >>> program = PackingProgram([4, 6])
    >>> _ = program.add_column(1, {0: 2, 1: 1})
    >>> _ = program.add_column(1, {0: 1, 1: 3})
    >>> best = program.solve()
    >>> best.value, best.primal
    (Fraction(14, 5), {0: Fraction(6, 5), 1: Fraction(8, 5)})
    >>> best.dual
    {0: Fraction(2, 5), 1: Fraction(1, 5)}
    """

    def __init__(self, capacities: Sequence[int], pricing: int = STEEPEST_EDGE) -> None:
        for row, capacity in enumerate(capacities):
            if capacity < 0:
                raise InvalidInput(f"capacity of row {row}", capacity, "capacities are >= 0")
        self._pricing = pricing
        self._form = ComputationalForm(list(capacities))
        self.largest = max(capacities, default=1) or 1
        self._float: Any = None
        self._on_demand = False  # SoPlex sees some of the rows
        # Rows that the float solver has not seen, with their entries in columns that it has.
        self._fresh_rows: list[Mapping[int, int]] = []
        self._units: list[int] = []
        self._leaning: Mapping[int, float] = MappingProxyType({})
        self._leaned = True  # as the float program knows
        # The basis of the last exact optimum: it stays primal feasible where columns join.
        self._basis = Basis()
        self.scale = 1
        # Asked during long float optimizations.
        self.patience = PATIENT

    def add_column(self, gain: int, entries: Mapping[int, int]) -> int:
        """Append a variable with its gain and its entries by row; returns its index."""
        column = dict(entries)
        if not all(column.values()):
            column = {row: entry for row, entry in entries.items() if entry}
        self._form.objective.append(gain)
        self._form.columns.append(column)
        return len(self._form.columns) - 1

    def add_row(self, capacity: int, entries: Mapping[int, int] = MappingProxyType({})) -> int:
        """Append a row, with its entries in columns that are there already; returns its index."""
        if capacity < 0:
            raise InvalidInput("capacity of a row", capacity, "capacities are >= 0")
        row = len(self._form.right_sides)
        self._form.right_sides.append(capacity)
        for column, entry in entries.items():
            self._form.columns[column][row] = entry
        self._fresh_rows.append(entries)
        if entries:
            # The last optimum may be too much for the row; 0 never is.
            self._basis = Basis()
        return row

    def lean(self, gains: Mapping[int, float]) -> None:
        """Among the optima in floats prefer some: small gains of columns, besides their own.

        They are those of the scaled program, of as much as makes the largest entry about 1.  They
        also change what `solve` starts from, so take them back before: ``lean({})``.

        >>> program = PackingProgram([1])
        >>> _ = program.add_column(1, {0: 1}), program.add_column(1, {0: 1})
        >>> program.lean({1: 1e-3})
        >>> program.proposed_values()
        [0.0, 1.0]
        """
        self._leaning, self._leaned = gains, False

    def propose(self) -> Proposal | None:
        """The optimum in floating point, or None where the float solver gives up.

        Raises `EnoughError` where `patience` ends the search for it.
        """
        try:
            program = self._float_program()
            value = program.solve(dual=False)
            while self._at_a_pause(program):
                self.patience.ask()
                value = program.solve(dual=False)
            if not program.isOptimal():
                return None
            return Proposal(value, [max(0.0, dual) for dual in program.getDual()])
        except EnoughError:
            raise
        except Exception:  # numbers beyond floats; SCIP's numerical trouble is a bare Exception
            self._float = None
            return None

    def proposed_values(self) -> list[float] | None:
        """The variables at the optimum in floats, over `largest`; None where `propose` gives up.

        >>> program = PackingProgram([4, 6])
        >>> _ = program.add_column(1, {0: 2}), program.add_column(1, {1: 1})
        >>> program.proposed_values()
        [0.3333333333333333, 1.0]
        """
        return None if self.propose() is None else self.last_values()

    def last_values(self) -> list[float]:
        """The same of the last optimum in floats, for the columns that it had.

        >>> program = PackingProgram([4])
        >>> _ = program.add_column(1, {0: 2})
        >>> _ = program.propose()
        >>> program.last_values()
        [0.5]
        """
        values = zip(self._float.getPrimal(), self._units, strict=True)
        # Units are powers of two.
        return [ldexp(max(0.0, value), 1 - unit.bit_length()) for value, unit in values]

    @staticmethod
    def _at_a_pause(program: Any) -> bool:
        if isinstance(program, TinyProgram) or program.isOptimal():
            return False
        paused: bool = program.getNIterations() >= PAUSE
        return paused

    def _is_tiny(self) -> bool:
        """Whether it takes longer to load SoPlex than to do without it."""
        form = self._form
        if len(form.right_sides) > _TINY_ROWS or len(form.columns) > _TINY_COLUMNS:
            return False
        numbers = [*form.right_sides, *form.objective]
        numbers += [entry for column in form.columns for entry in column.values()]
        return max(map(abs, numbers), default=0) <= _LARGEST_TINY

    def _float_program(self) -> Any:
        form = self._form
        if self._is_tiny():
            self._float = TinyProgram(form.right_sides, form.objective, form.columns, self.largest)
            self._units = [1] * len(form.columns)
            return self._float
        if self._float is None or isinstance(self._float, TinyProgram):
            self._float, self._units = self._empty_program(), []
            self._fresh_rows.clear()
        if self._fresh_rows:
            self._load_rows()
        if not self._leaned:
            for j, unit in enumerate(self._units):
                self._float.chgObj(j, self._gain(j, unit))
            self._leaned = True
        if len(self._units) < len(form.columns):
            self._load_columns()
        return self._float

    def _empty_program(self) -> Any:
        """All rows, and no column."""
        from pyscipopt import LP, SCIP_LPPARAM  # type: ignore[attr-defined]

        program: Any = LP(sense="maximize")
        program.setIntParam(SCIP_LPPARAM.PRICING, self._pricing)
        program.setIntParam(SCIP_LPPARAM.LPITLIM, PAUSE)
        # As tight as they get: where entries are wide, the default 1e-6 stops too early.
        program.setRealParam(SCIP_LPPARAM.FEASTOL, _TIGHTEST)
        program.setRealParam(SCIP_LPPARAM.DUALFEASTOL, _TIGHTEST)
        for name in _WITHOUT:
            program.setIntParam(getattr(SCIP_LPPARAM, name), 0)
        right_sides = [capacity / self.largest for capacity in self._form.right_sides]
        rows = len(right_sides)
        self._on_demand = rows >= max(MANY_ROWS, ROWS_PER_COLUMN * len(self._form.columns))
        if self._on_demand:
            from exactsched.linear_programs.rows_on_demand import RowsOnDemand

            return RowsOnDemand(program, right_sides)
        program.addRows([[] for _ in range(rows)], [-program.infinity()] * rows, right_sides)
        return program

    def _load_rows(self) -> None:
        """Those that joined, with their entries in the columns that are loaded."""
        units, count = self._units, len(self._fresh_rows)
        self._float.addRows(
            [
                [
                    (j, entry / units[j])
                    for j, entry in entries.items()
                    if j < len(units) and abs(entry / units[j]) > TINY
                ]
                for entries in self._fresh_rows
            ],
            [-self._float.infinity()] * count,
            [capacity / self.largest for capacity in self._form.right_sides[-count:]],
        )
        self._fresh_rows.clear()

    def _load_columns(self) -> None:
        """Those that joined.

        A variable is counted in units that make its largest entry about 1: entries below the
        tolerances of the float solver would be taken for zero.
        """
        program, form, first = self._float, self._form, len(self._units)
        fresh = form.columns[first:]
        units = [_power_below(column) for column in fresh]
        if first == 0:
            gainful = (unit for unit, gain in zip(units, form.objective, strict=True) if gain)
            self.scale = min(gainful, default=1)
        self._units += units
        columns = (_in_units(column, unit) for column, unit in zip(fresh, units, strict=True))
        program.addCols(
            columns if self._on_demand else list(columns),
            objs=[self._gain(j, unit) for j, unit in enumerate(units, first)],
            lbs=[0.0] * len(fresh),
            ubs=[program.infinity()] * len(fresh),
        )

    def _gain(self, column: int, unit: int) -> float:
        own = self._form.objective[column] * self.scale / unit
        return own + self._leaning.get(column, 0.0)

    def solve(self) -> Optimum:
        """The exact optimum over the columns so far (LP duality; Schrijver 1986, chapter 7).

        Raises `InvalidInput` if the gain is unbounded, and `EnoughError` as `propose` does.
        Two exact solutions of a square system of as many rows as there are tight constraints where
        the float basis is right, which is the rule; some more with iterative refinement where it
        is not; and at last an exact simplex method with Bland's rule in its end game.
        """
        proposed = self._float_basis()
        vertex = None if proposed is None else self._form.proposed(proposed)
        if vertex is None or not vertex.is_optimal:
            start = self._form.vertex(self._basis)
            # An alltoall on a 4x4 torus, costs over nine decades: 0.4 s; 660 turns and 3.8 s
            # without.
            vertex = refined(start)
            if not vertex.is_optimal:
                end = simplex(start)
                if isinstance(end, Ray):
                    raise InvalidInput("linear program", end.direction, "the gain is unbounded")
                vertex = end
        self._basis = vertex.basis
        return Optimum(
            vertex.value(),
            _fractions(vertex.basis.columns, vertex.primal, vertex.unit),
            _fractions(vertex.basis.rows, vertex.dual, vertex.dual_unit),
        )

    def _float_basis(self) -> Basis | None:
        """The basic columns and the tight rows that the float solver ends with."""
        if self.propose() is None:
            return None
        try:
            columns, rows = self._float.getBase()
        except Exception:  # no basis, no suggestion
            return None
        return Basis(
            tuple(j for j, status in enumerate(columns) if status == 1),
            tuple(i for i, status in enumerate(rows) if status != 1),
        )


def _power_below(column: Mapping[int, int]) -> int:
    """The largest power of two that is at most the largest entry of a column, or 1."""
    return 1 << max(0, max(map(abs, column.values()), default=1).bit_length() - 1)


def _in_units(column: Mapping[int, int], unit: int) -> list[tuple[int, float]]:
    """The entries over the unit, without those that floats would take for zero.

    >>> _in_units({0: 3, 1: 4}, 4), _in_units({0: 1, 1: 1 << 400}, 1 << 400)
    ([(0, 0.75), (1, 1.0)], [(1, 1.0)])
    """
    found = [(row, entry / unit) for row, entry in column.items()]
    if unit < _COARSEST:
        return found
    return [(row, value) for row, value in found if abs(value) > TINY]


def _fractions(places: Sequence[int], values: Sequence[int], unit: int) -> dict[int, Fraction]:
    """The values that are not zero, by place."""
    return {
        place: Fraction(value, unit)
        for place, value in sorted(zip(places, values, strict=True))
        if value
    }
