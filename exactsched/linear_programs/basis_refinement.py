"""Bases of linear programs proposed in floating point, and refined until one is exactly optimal.

Iterative refinement (Gleixner, Steffy and Wolter 2016; of bases: Gleixner and Steffy 2020).  The
exact solution of a basis becomes the origin of the next float program, whose right sides and
objective are magnified until what is still violated is about 1: each round sees what was below
the tolerance of the round before.  Nothing here is believed: whoever calls asks `is_optimal`.

SoPlex or HiGHS?  On the families of benchmarks/test_lp.py the bases of both were exactly optimal
in the same cases (all but those with numbers over ten decades and more, and Hilbert matrices).
HiGHS took 0.14 to 4.3 times as long: 0.13 s and 0.94 s on SSB with 60 nodes, where its presolve
leaves nothing; 1.5 s and 0.35 s where costs are near 1.  Not worth another dependency.

Method: SoPlex on float programs around the exact solution of the last basis.
Limits: a proposal: not always an optimal basis, and none where the float solver fails.
"""

from __future__ import annotations

from itertools import chain
from math import inf, ldexp
from typing import Any

from exactsched.linear_programs.simplex import Basis, ComputationalForm, Vertex

ROUNDS = 8
_TOLERANCE = 1e-9
# SCIP_PRICING_STEEP, which PySCIPOpt does not name.  SSB with 30 nodes and costs near 1: 0.35 s
# and 2,800 iterations; the default 0.65 s and 7,900.
STEEPEST_EDGE = 4
_ITERATIONS = 1_000_000  # a float solver may go on for ever; the exact method does not
_FAR = 1e20  # where a bound is this far away, it does not matter in this round
# Numerator, denominator, exponent of 2.
_Number = tuple[int, int, int]
# Entries below this are left out, and a program with rates above _FAR is not solved: SoPlex writes
# outside of its memory where numbers of 1e-300 and infinities meet.
TINY = 1e-60


def refined(start: Vertex) -> Vertex:
    """The last of the vertices proposed one from the other; nearly always an optimal one.

    A float program and two exact solutions of a square system in each of at most ROUNDS rounds.
    """
    vertex, program = start, FloatProgram(start)
    for turn in range(ROUNDS):
        if vertex.is_optimal():
            break
        basis = program.propose(vertex)
        following = None if basis is None else start.form.proposed(basis)
        if following is None or (turn and following.basis == vertex.basis):
            break
        vertex = following
    return vertex


class FloatProgram:
    """A program in SoPlex, its rows and columns measured in powers of two.

    A x + s = b is loaded with explicit slacks, as columns that follow those of x.  (With rows
    in their place refinement went round in circles.)  The variables of SoPlex are differences to
    the exact solution of a vertex, so that all right sides are 0.
    """

    def __init__(self, start: Vertex) -> None:
        form = self._form = start.form
        rows, columns = _units(form)
        # The unit of every variable, and of its reduced objective, as the exponent of 2.
        self._units = [*columns, *(-row for row in rows)]
        self._rows = rows
        self._solver: Any = None
        # The first round sees the program as it is, its largest numbers about 1.
        self._primal_zoom = -_largest_bits(self._distances(start), 0)
        self._dual_zoom = -_largest_bits(self._rates(start), 0)

    def propose(self, vertex: Vertex) -> Basis | None:
        """The basis of a float optimum, seen from a vertex; None if the solver gives up."""
        try:
            self._load(vertex)
            self._solver.solve(dual=False)
            if not self._solver.isOptimal():
                return None
            columns, rows = self._solver.getBase()
        except Exception:  # SCIP's numerical trouble is a bare Exception
            return None
        width = len(self._form.columns)
        if len(columns) != width + len(rows):  # no basis, but no complaint either
            return None
        return Basis(
            tuple(column for column in range(width) if columns[column] == 1),
            tuple(
                row for row, status in enumerate(rows) if 1 not in (status, columns[width + row])
            ),
        )

    def _distances(self, vertex: Vertex) -> list[_Number]:
        """The value of every variable: numerator, denominator, exponent of 2."""
        values = [0] * len(self._form.columns)
        for column, amount in zip(vertex.basis.columns, vertex.primal, strict=True):
            values[column] = amount
        return [
            (value, vertex.unit, unit)
            for value, unit in zip([*values, *vertex.slacks], self._units, strict=True)
        ]

    def _rates(self, vertex: Vertex) -> list[_Number]:
        """The reduced objective of every variable: numerator, denominator, exponent of 2."""
        prices = [0] * len(self._form.right_sides)
        for row, price in zip(vertex.basis.rows, vertex.dual, strict=True):
            prices[row] = -price
        return [
            (rate, vertex.dual_unit, -unit)
            for rate, unit in zip([*vertex.reduced, *prices], self._units, strict=True)
        ]

    def _load(self, vertex: Vertex) -> None:
        """Makes the vertex the origin and, from the second on, what it violates about 1."""
        from pyscipopt import SCIP_LPPARAM  # type: ignore[attr-defined]

        width = len(self._form.columns)
        distances, rates = self._distances(vertex), self._rates(vertex)
        first = self._solver is None
        if first:
            self._solver = self._fresh_solver()
        else:
            # At first presolving pays (SSB with 60 nodes: 1.6 s with it, 74 s without); later it
            # would lose the basis to start from.
            self._solver.setIntParam(SCIP_LPPARAM.PRESOLVING, 0)
            wrong = [distances[_place(variable, width)] for variable in vertex.violations]
            self._primal_zoom = -_largest_bits(wrong, -self._primal_zoom)
            wrong = [rates[_place(variable, width)] for variable in vertex.improving]
            self._dual_zoom = -_largest_bits(wrong, -self._dual_zoom)
        lower, upper = self._bounds(distances)
        gains = self._gains(rates)
        if first:
            self._solver.addCols(self._entries(), objs=gains, lbs=lower, ubs=upper)
            return
        for place, gain in enumerate(gains):
            self._solver.chgBound(place, lower[place], upper[place])
            self._solver.chgObj(place, gain)

    def _bounds(self, distances: list[_Number]) -> tuple[list[float], list[float]]:
        """Between which floats every variable may move away from the vertex."""
        form, infinity = self._form, self._solver.infinity()
        lower = [-_float(distance, self._primal_zoom) for distance in distances]
        lower = [-infinity if abs(low) > _FAR else low for low in lower]
        upper = [infinity] * len(lower)
        for row in form.equalities:
            upper[len(form.columns) + row] = lower[len(form.columns) + row]
        for column in form.free:
            lower[column] = -infinity
        return lower, upper

    def _gains(self, rates: list[_Number]) -> list[float]:
        gains = [_float(rate, self._dual_zoom) for rate in rates]
        if max(map(abs, gains), default=0) > _FAR:
            raise OverflowError("rates too far apart for floats")
        return [gain if abs(gain) > TINY else 0.0 for gain in gains]

    def _fresh_solver(self) -> Any:
        from pyscipopt import LP, SCIP_LPPARAM  # type: ignore[attr-defined]

        height = len(self._form.right_sides)
        solver = LP(sense="maximize")
        solver.setRealParam(SCIP_LPPARAM.FEASTOL, _TOLERANCE)
        solver.setRealParam(SCIP_LPPARAM.DUALFEASTOL, _TOLERANCE)
        solver.setIntParam(SCIP_LPPARAM.LPITLIM, _ITERATIONS)
        solver.setIntParam(SCIP_LPPARAM.PRICING, STEEPEST_EDGE)
        solver.addRows([[] for _ in range(height)], [0.0] * height, [0.0] * height)
        return solver

    def _entries(self) -> list[list[tuple[int, float]]]:
        """The entries of every variable as floats, by increasing rows; at last the slacks."""
        floats: dict[tuple[int, int], float] = {}  # few are different in most programs
        found = []
        for column, unit in zip(self._form.columns, self._units, strict=False):
            entries = []
            for row, entry in sorted(column.items()):
                stated = entry, -self._rows[row] - unit
                if stated not in floats:
                    floats[stated] = _float((entry, 1, 0), stated[1])
                if abs(floats[stated]) > TINY:
                    entries.append((row, floats[stated]))
            found.append(entries)
        return found + [[(row, 1.0)] for row in range(len(self._form.right_sides))]


def _place(variable: int, width: int) -> int:
    """Where a variable stands: first the columns, then the slacks."""
    return ~variable if variable < 0 else width + variable


def _largest_bits(numbers: list[_Number], otherwise: int) -> int:
    """The exponent of 2 of the largest of numbers (numerator, denominator, exponent of 2)."""
    return max(
        (
            numerator.bit_length() - denominator.bit_length() + exponent
            for numerator, denominator, exponent in numbers
            if numerator
        ),
        default=otherwise,
    )


def _float(number: _Number, zoom: int) -> float:
    """The float nearest to a number of any size, or almost, times 2^zoom."""
    numerator, denominator, exponent = number
    if not numerator:
        return 0.0
    over = max(0, numerator.bit_length() - 64)
    under = max(0, denominator.bit_length() - 64)
    try:
        return ldexp((numerator >> over) / (denominator >> under), over - under + exponent + zoom)
    except OverflowError:
        return inf if numerator > 0 else -inf


def _units(form: ComputationalForm) -> tuple[list[int], list[int]]:
    """Exponents of 2 by which rows and columns are divided, so that all entries come near 1.

    First a row's, then a column's is the middle of the exponents of its entries, twice; at last
    the largest entry of every column becomes about 1.
    """
    sizes = [
        [(row, entry.bit_length()) for row, entry in column.items()] for column in form.columns
    ]
    rows, columns = [0] * len(form.right_sides), [0] * len(form.columns)
    if len({size for entries in sizes for _, size in entries}) == 1:  # as in a network
        for row, size in chain.from_iterable(sizes):
            rows[row] = size
        return rows, columns
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
