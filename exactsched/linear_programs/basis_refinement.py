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

from collections.abc import Collection, Iterable
from math import inf, ldexp
from typing import Any

from exactsched.linear_programs.simplex import Basis, Vertex

ROUNDS = 8
_TOLERANCE = 1e-9
# SCIP_PRICING_STEEP and _DEVEX, which PySCIPOpt does not name.  SSB with 30 nodes and costs near 1:
# 0.35 s and 2,800 iterations with the first; 0.65 s and 7,900 with the second, the default.
STEEPEST_EDGE = 4
DEVEX = 6
_ITERATIONS = 1_000_000  # a float solver may go on for ever; the exact method does not
_WIDE = 10  # columns for every row
_FAR = 1e20  # where a bound is this far away, it does not matter in this round
# Entries below this are left out, and a program with rates above _FAR is not solved: SoPlex writes
# outside of its memory where numbers of 1e-300 and infinities meet.
TINY = 1e-60


def refined(start: Vertex) -> Vertex:
    """The last of the vertices proposed one from the other; nearly always an optimal one.

    A float program and two exact solutions of a square system in each of at most ROUNDS rounds.
    """
    if start.is_optimal:
        return start
    vertex, program = start, FloatProgram(start)
    for turn in range(ROUNDS):
        basis = program.propose(vertex)
        following = None if basis is None else start.form.proposed(basis)
        if following is None or (turn and following.basis == vertex.basis):
            break
        vertex = following
        if vertex.is_optimal:
            break
    return vertex


class FloatProgram:
    """A program in SoPlex, its rows and columns measured in powers of two.

    A x + s = b is loaded with explicit slacks, as columns that follow those of x.  (With rows
    in their place refinement went round in circles.)  The variables of SoPlex are differences to
    the exact solution of a vertex, so that all right sides are 0.
    """

    def __init__(self, start: Vertex) -> None:
        form = self._form = start.form
        rows, columns = form.units()
        # The unit of every variable, and of its reduced objective, as the exponent of 2.
        self._units = [*columns, *(-row for row in rows)]
        self._rate_units = [-unit for unit in self._units]
        self._rows = rows
        self._solver: Any = None
        # The first round sees the program as it is, its largest numbers about 1.
        distances, rates = self._distances(start), self._rates(start)
        self._primal_zoom = -_largest_bits(distances, start.unit, self._units, 0)
        self._dual_zoom = -_largest_bits(rates, start.dual_unit, self._rate_units, 0)

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
            tuple([column for column in range(width) if columns[column] == 1]),
            tuple(
                [row for row, status in enumerate(rows) if 1 not in (status, columns[width + row])]
            ),
        )

    def _distances(self, vertex: Vertex) -> list[int]:
        """The value of every variable, over the unit of the vertex."""
        values = [0] * len(self._form.columns)
        for column, amount in zip(vertex.basis.columns, vertex.primal, strict=True):
            values[column] = amount
        return values + vertex.slacks

    def _rates(self, vertex: Vertex) -> list[int]:
        """The reduced objective of every variable, over the dual unit of the vertex."""
        prices = [0] * len(self._form.right_sides)
        for row, price in zip(vertex.basis.rows, vertex.dual, strict=True):
            prices[row] = -price
        return vertex.reduced + prices

    def _load(self, vertex: Vertex) -> None:
        """Makes the vertex the origin and, from the second on, what it violates about 1."""
        from pyscipopt import SCIP_LPPARAM  # type: ignore[attr-defined]

        width = len(self._form.columns)
        distances, rates = self._distances(vertex), self._rates(vertex)
        first = self._solver is None
        if first:
            self._solver = self._fresh_solver()
        else:
            # It would lose the basis to start from.
            self._solver.setIntParam(SCIP_LPPARAM.PRESOLVING, 0)
            wrong = [_place(variable, width) for variable in vertex.violations]
            self._primal_zoom = -_largest_bits(
                distances, vertex.unit, self._units, -self._primal_zoom, wrong
            )
            wrong = [_place(variable, width) for variable in vertex.improving]
            self._dual_zoom = -_largest_bits(
                rates, vertex.dual_unit, self._rate_units, -self._dual_zoom, wrong
            )
        lower, upper = self._bounds(distances, vertex.unit)
        gains = self._gains(rates, vertex.dual_unit)
        if first:
            self._solver.addCols(self._entries(), objs=gains, lbs=lower, ubs=upper)
            return
        for place, gain in enumerate(gains):
            self._solver.chgBound(place, lower[place], upper[place])
            self._solver.chgObj(place, gain)

    def _bounds(self, distances: list[int], unit: int) -> tuple[list[float], list[float]]:
        """Between which floats every variable may move away from the vertex."""
        form, infinity = self._form, self._solver.infinity()
        away = _floats(distances, unit, self._units, self._primal_zoom)
        lower = [-infinity if abs(low) > _FAR else -low for low in away]
        upper = [infinity] * len(lower)
        for row in form.equalities:
            upper[len(form.columns) + row] = lower[len(form.columns) + row]
        for column in form.free:
            lower[column] = -infinity
        return lower, upper

    def _gains(self, rates: list[int], unit: int) -> list[float]:
        gains = _floats(rates, unit, self._rate_units, self._dual_zoom)
        if max(map(abs, gains), default=0) > _FAR:
            raise OverflowError("rates too far apart for floats")
        return [gain if abs(gain) > TINY else 0.0 for gain in gains]

    def _fresh_solver(self) -> Any:
        from pyscipopt import LP, SCIP_LPPARAM  # type: ignore[attr-defined]

        width, height = len(self._form.columns), len(self._form.right_sides)
        solver = LP(sense="maximize")
        # Presolving pays (SSB with 60 nodes: 1.6 s with it, 74 s without) but where rows are few:
        # covers, assignments and transports take SoPlex 1 to 3 times as long with it, and up to
        # half as long again with its scaling.
        if width >= _WIDE * height:
            solver.setIntParam(SCIP_LPPARAM.PRESOLVING, 0)
            solver.setIntParam(SCIP_LPPARAM.SCALING, 0)
        # From how many rows for each column on a basis is one of rows.  The multi-commodity program
        # of 60 nodes has 1.24: 2.0 s with SoPlex' own 1.2, 0.7 s with this; of 30 nodes 0.16 and
        # 0.11 s, but 0.40 and 0.51 s with costs in 0.8..1.2.
        solver.setRealParam(SCIP_LPPARAM.ROWREPSWITCH, 2.0)
        solver.setIntParam(SCIP_LPPARAM.TIMING, 0)  # looking at the clock: up to a fifth of a run
        solver.setRealParam(SCIP_LPPARAM.FEASTOL, _TOLERANCE)
        solver.setRealParam(SCIP_LPPARAM.DUALFEASTOL, _TOLERANCE)
        solver.setIntParam(SCIP_LPPARAM.LPITLIM, _ITERATIONS)
        solver.setIntParam(SCIP_LPPARAM.PRICING, STEEPEST_EDGE)
        solver.addRows([[] for _ in range(height)], [0.0] * height, [0.0] * height)
        return solver

    def _entries(self) -> list[Collection[tuple[int, float]]]:
        """The entries of every variable as floats, by row; at last the slacks.

        Without units they are taken as they are: an assignment of 50 takes 5.8 ms, and 6.7 with.
        """
        rows, known = self._rows, _Floats()
        slacks: list[Any] = [[(row, 1.0)] for row in range(len(rows))]
        if not any(rows) and not any(self._units):  # 1 and -1, as they are
            return [column.items() for column in self._form.columns] + slacks
        found = [
            [
                (row, value)
                for row, entry in column.items()
                if (value := known[entry, -rows[row] - unit])
            ]
            for column, unit in zip(self._form.columns, self._units, strict=False)
        ]
        return found + slacks


class _Floats(dict[tuple[int, int], float]):
    """The floats nearest to integers times powers of 2, 0 below `TINY`.

    Few are different in most programs, and known ones are found in half of the time.
    """

    def __missing__(self, key: tuple[int, int]) -> float:
        number, exponent = key
        value = _float(number, 1, exponent)
        self[key] = value if abs(value) > TINY else 0.0
        return self[key]


def _place(variable: int, width: int) -> int:
    """Where a variable stands: first the columns, then the slacks."""
    return ~variable if variable < 0 else width + variable


def _largest_bits(
    numerators: list[int],
    denominator: int,
    exponents: list[int],
    otherwise: int,
    places: Iterable[int] | None = None,
) -> int:
    """The exponent of 2 of the largest of numerators over a denominator, times powers of 2.

    Of those at some places, or of all; `otherwise` if they are 0.
    """
    sizes = [
        numerators[place].bit_length() + exponents[place]
        for place in (range(len(numerators)) if places is None else places)
        if numerators[place]
    ]
    return max(sizes) - denominator.bit_length() if sizes else otherwise


def _floats(
    numerators: list[int], denominator: int, exponents: list[int], zoom: int
) -> list[float]:
    """The floats nearest to numerators over a denominator, times powers of 2, all times 2^zoom."""
    under = max(0, denominator.bit_length() - 64)
    denominator >>= under
    zoom -= under
    pairs = list(zip(numerators, exponents, strict=True))
    try:
        return [
            ldexp(numerator / denominator, exponent + zoom) if numerator else 0.0
            for numerator, exponent in pairs
        ]
    except OverflowError:  # one of them is beyond floats, or its quotient
        return [_float(numerator, denominator, exponent + zoom) for numerator, exponent in pairs]


def _float(numerator: int, denominator: int, exponent: int) -> float:
    """The float nearest to a number of any size, or almost."""
    over = max(0, numerator.bit_length() - 64)
    try:
        return ldexp((numerator >> over) / denominator, over + exponent)
    except OverflowError:
        return inf if numerator > 0 else -inf
