"""Exact linear programs: the optimum, or why there is none, each with its certificate.

Maximize c x over A x <= b in rational numbers, with equalities and nonnegative variables where
declared.  SoPlex (through PySCIPOpt) proposes bases in floating point, rational numbers decide
(`basis_refinement`), and where no proposal stands the test an exact simplex method goes on from
the last one and always ends (`simplex`).  Small programs with a feasible origin need no floats
(`tableau`).

Method: a tableau of integers, or float bases refined and the exact simplex method from the last.
Limits: all coefficients are kept: for a thousand columns and more, generate them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice
from math import gcd
from operator import itemgetter, lt
from typing import Any
from weakref import WeakValueDictionary

from exactsched.certificate.linear_programs import (
    Entries,
    Entry,
    LinearInfeasibility,
    LinearOptimum,
    LinearOutcome,
    LinearProgram,
    LinearUnboundedness,
)
from exactsched.exact.arguments import (
    are_all,
    divided,
    exact_numbers,
    over_common_denominator,
    whole,
)
from exactsched.exact.collection import without_collection
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import Rational, is_fraction
from exactsched.linear_programs.basis_refinement import refined
from exactsched.linear_programs.matrices import ends_of, indices, sparse_rows, vector
from exactsched.linear_programs.simplex import ComputationalForm, Ray, Vertex, relaxation, simplex
from exactsched.linear_programs.tableau import tableau_bases

_POSITION, _NUMBER = itemgetter(0), itemgetter(1)
# The programs that are as `linear_program` makes them, by their identity: looking at all that is in
# an easy one took an eighth of its time.
_PLAIN: WeakValueDictionary[int, LinearProgram] = WeakValueDictionary()


def linear_program(
    objective: Sequence[object],
    rows: Any,
    right_sides: Sequence[object],
    equalities: Iterable[int] = (),
    nonnegative: Iterable[int] = (),
    bounds: Any = None,
) -> LinearProgram:
    """Maximize the sum of objective[j] * x[j], every row being at most its right side.

    `rows` is a matrix, sparse (of scipy) or an array (of numpy) of integers or of exact objects, or
    a list of rows: mappings from columns to coefficients, or sequences of all coefficients.  Rows
    in `equalities` hold with equality.  Variables in `nonnegative` are at least 0, all others
    free; or `bounds` has a pair (low, high) for each variable, or one for all, with None or an
    infinity where there is no end.  Ends other than a low 0 become rows, behind the others.
    Vectors may be sparse, matrices data frames, and sets of indices masks of truth values.

    Raises `InvalidInput` for numbers that are not exact (floats, truth values), for indices out of
    range, for a sequence or matrix of the wrong size, and for bounds that cross.

    Linear in the number of coefficients. Reference: proofs/linear-programming-duality.md.

    >>> from fractions import Fraction
    >>> linear_program([1, 1], [{0: 2, 1: "1/2"}, [1, 0]], [4, 1], nonnegative=range(2)).rows == (
    ...     ((0, 2), (1, Fraction(1, 2))), ((0, 1),)
    ... )
    True
    >>> linear_program([1, 1], [[1, 1]], [4], bounds=[(0, 3), (None, None)]).rows[1]
    (Entry(position=0, number=1),)
    """
    costs = vector(objective, "objective")
    gains = exact_numbers(costs, "coefficient of the objective", len(costs))
    entries: list[dict[int, Rational]] = sparse_rows(rows, len(gains))
    rights = list(
        exact_numbers(vector(right_sides, "right sides"), "right side of row", len(entries))
    )
    equal = list(indices(equalities, len(entries), "equality", "a row"))
    at_least_0 = []
    for column, (low, high) in enumerate(ends_of(bounds, nonnegative, len(gains))):
        if low is not None and low == high:
            equal.append(len(entries))
        elif low == 0:
            at_least_0.append(column)
        elif low is not None:
            entries.append({column: -1})
            rights.append(-low)
        if high is not None:
            entries.append({column: 1})
            rights.append(high)
    program = LinearProgram(
        gains,
        tuple([tuple(map(Entry, row, row.values())) for row in entries]),
        tuple(rights),
        tuple(equal),
        tuple(at_least_0),
    )
    return _PLAIN.setdefault(id(program), program)


@without_collection()
def maximize(
    program: LinearProgram | Sequence[object],
    rows: Any = None,
    right_sides: Sequence[object] = (),
    equalities: Iterable[int] = (),
    nonnegative: Iterable[int] = (),
    bounds: Any = None,
) -> LinearOutcome:
    """The optimum, a proof that nothing is feasible, or a ray of unbounded gain (LP duality).

    Of a program, or of what `linear_program` makes of these arguments: `maximize(c, A, b)`.

    A `LinearOptimum` carries a primal and a dual solution of the same value, both of a basis: `x`
    and `y`, or sparse, `primal` and `dual`;
    `LinearInfeasibility` the multipliers of Farkas' lemma, by which the rows add up to a
    contradiction; `LinearUnboundedness` a feasible point and a ray.  Exactly one of the three
    exists (Schrijver 1986, corollary 7.1g); proofs/exact-linear-programs.md.

    Raises `InvalidInput` as `linear_program` does.  Where the first float basis is right, which
    is the rule, the work is one float program and two exact solutions of a square system; the
    exact method in the end takes exponential time at worst.  Numbers have at most as many digits
    as determinants of the program.

    >>> from fractions import Fraction
    >>> best = maximize([1, 1], [[2, 1], [1, 3]], [4, 6], nonnegative=range(2))
    >>> (best.value, best.primal) == (Fraction(14, 5), ((0, Fraction(6, 5)), (1, Fraction(8, 5))))
    True
    >>> best.dual
    (Entry(position=0, number=Fraction(2, 5)), Entry(position=1, number=Fraction(1, 5)))
    >>> maximize(linear_program([1], [[1], [-1]], [1, -2])).multipliers
    (Entry(position=0, number=1), Entry(position=1, number=1))
    >>> maximize(linear_program([1], [[-1]], [3])).ray
    (Entry(position=0, number=1),)
    """
    if not isinstance(program, LinearProgram):
        program = linear_program(program, rows, right_sides, equalities, nonnegative, bounds)
    elif rows is not None:
        raise InvalidInput("rows", type(rows).__name__, "a program has its rows already")
    scaled = _Scaled(_checked(program))
    best = refined(_start(scaled.form))
    if best.is_optimal:
        return scaled.optimum(best)
    feasible = _feasible(best)
    if isinstance(feasible, dict):
        return scaled.infeasibility(feasible)
    direction = _improving_direction(scaled.form)
    if direction is not None:
        return scaled.unboundedness(feasible, direction)
    end = simplex(feasible)
    if isinstance(end, Ray):
        return scaled.unboundedness(end.vertex, end.direction)
    return scaled.optimum(end)


def _checked(program: LinearProgram) -> LinearProgram:
    """The same program with everything in it looked at: a noun promises nothing."""
    if _PLAIN.get(id(program)) is program or _is_plain(program):
        return program
    for index, row in enumerate(program.rows):
        if len(dict(row)) < len(row):
            raise InvalidInput(f"row {index}", row, "every column has at most one coefficient")
    return linear_program(
        program.objective,
        [dict(row) for row in program.rows],
        program.right_sides,
        program.equalities,
        program.nonnegative,
    )


def _is_plain(program: LinearProgram) -> bool:
    """Whether it is as `linear_program` makes it: plain numbers, ascending indices, no zeros.

    All at once: making an easy program a second time took a fifth of its time.
    """
    vectors = (program.objective, program.right_sides, program.equalities, program.nonnegative)
    if not are_all(tuple, [*vectors, program.rows, *program.rows]):
        return False
    entries = list(chain.from_iterable(program.rows))
    if not are_all(Entry, entries):
        return False
    coefficients = list(map(_NUMBER, entries))
    width, height = len(program.objective), len(program.rows)
    return (
        len(program.right_sides) == height
        and all(map(_are_plain, (program.objective, program.right_sides, coefficients)))
        and all(coefficients)
        and _ascend(program.equalities, height)
        and _ascend(program.nonnegative, width)
        and all(_ascend(list(map(_POSITION, row)), width) for row in program.rows)
    )


def _are_plain(numbers: Sequence[Rational]) -> bool:
    return are_all(int, numbers) or all(
        type(number) is int or (is_fraction(number) and number.denominator > 1)
        for number in numbers
    )


def _ascend(positions: Sequence[int], count: int) -> bool:
    return are_all(int, positions) and (
        not positions
        or (
            (positions[0] >= 0 and positions[-1] < count)
            and all(map(lt, positions, islice(positions, 1, None)))
        )
    )


def _start(form: ComputationalForm) -> Vertex:
    """An optimal vertex where a tableau leads near one; else a vertex to start from."""
    vertex = None
    for basis in tableau_bases(form):
        vertex = form.proposed(basis)
        if vertex is not None and vertex.is_optimal:
            return vertex
    if vertex is None or vertex.violations:
        return form.origin()
    end = simplex(vertex)
    return end if isinstance(end, Vertex) else vertex


def _feasible(vertex: Vertex) -> Vertex | dict[int, int]:
    """A feasible vertex, or multipliers of the rows that show that nothing is feasible."""
    if not vertex.violations:
        return vertex
    start = relaxation(vertex)
    end = refined(start)
    if not end.is_optimal:
        last = simplex(start)
        if isinstance(last, Ray):
            raise ArithmeticError("a relaxation has an optimum")
        end = last
    if end.value():
        return dict(zip(end.basis.rows, end.dual, strict=True))
    added = len(vertex.form.columns)
    basis = end.without(added) if added in end.basis.columns else end.basis
    return vertex.form.vertex(basis)


def _improving_direction(form: ComputationalForm) -> dict[int, int] | None:
    """A ray of gain by column, if the floats propose the optimum of the program for rays.

    Maximize c r over A r <= 0 and c r <= 1: the optimum is 1 if there is a ray, otherwise 0.
    """
    height = len(form.right_sides)
    rays = ComputationalForm(
        [0] * height + [1],
        form.objective,
        [
            {**column, height: gain} if gain else column
            for column, gain in zip(form.columns, form.objective, strict=True)
        ],
        form.equalities,
        form.free,
    )
    end = refined(rays.origin())
    if end.is_optimal and end.value():
        return dict(zip(end.basis.columns, end.primal, strict=True))
    return None


class _Scaled:
    """A program in integers: row i times `factors[i]`, the objective times `gain_factor`."""

    def __init__(self, program: LinearProgram) -> None:
        width = len(program.objective)
        self.program = program
        objective, self._gain_factor = over_common_denominator(program.objective)
        columns: list[dict[int, int]] = [{} for _ in range(width)]
        right_sides: list[int] = []
        self._factors: list[Rational] = []
        for row, (entries, right) in enumerate(zip(program.rows, program.right_sides, strict=True)):
            numbers, denominator = over_common_denominator([*map(_NUMBER, entries), right])
            divisor = gcd(*numbers) or 1
            self._factors.append(divided(denominator, divisor))
            right_sides.append(numbers.pop() // divisor)
            if divisor > 1:
                numbers = [number // divisor for number in numbers]
            for column, number in zip(map(_POSITION, entries), numbers, strict=True):
                columns[column][row] = number
        self.form = ComputationalForm(
            right_sides,
            objective,
            columns,
            frozenset(program.equalities),
            frozenset(range(width)).difference(program.nonnegative),
        )

    def optimum(self, vertex: Vertex) -> LinearOptimum:
        unit, prices = vertex.dual_unit * self._gain_factor, {}
        for row, price in zip(vertex.basis.rows, vertex.dual, strict=True):
            over, under = self._factors[row].as_integer_ratio()
            prices[row] = divided(over * price, under * unit)
        value = vertex.value() / self._gain_factor
        return LinearOptimum(self.program, _point(vertex), _entries(prices), value)

    def infeasibility(self, multipliers: Mapping[int, int]) -> LinearInfeasibility:
        true = {row: self._factors[row] * value for row, value in multipliers.items()}
        return LinearInfeasibility(self.program, _primitive(true))

    def unboundedness(self, vertex: Vertex, direction: Mapping[int, int]) -> LinearUnboundedness:
        return LinearUnboundedness(self.program, _point(vertex), _primitive(direction))


def _point(vertex: Vertex) -> Entries:
    basic = zip(vertex.basis.columns, vertex.primal, strict=True)
    return _entries({column: divided(amount, vertex.unit) for column, amount in basic})


def _entries(values: Mapping[int, Rational]) -> Entries:
    return tuple([Entry(index, whole(value)) for index, value in sorted(values.items()) if value])


def _primitive(values: Mapping[int, Rational]) -> Entries:
    """A positive multiple of a vector, in integers without a common divisor."""
    numbers, _ = over_common_denominator(list(values.values()))
    divisor = gcd(*numbers) or 1
    pairs = sorted(zip(values, numbers, strict=True))
    return tuple(Entry(index, number // divisor) for index, number in pairs if number)
