"""Linear programs: multipliers of the rows add up to an inequality that says it all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain, groupby, islice, repeat
from math import lcm
from operator import mul
from typing import Any, Final, NamedTuple

from exactsched.certificate.budget import hold, products, spend, sums
from exactsched.certificate.linear_programs import (
    Entries,
    LinearInfeasibility,
    LinearOptimum,
    LinearProgram,
    LinearUnboundedness,
)
from exactsched.check.common_denominator import over_common_denominator, quotient
from exactsched.check.proved import ProvedMinMax, shown
from exactsched.exact.arguments import are_all
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import Rational

# What it costs to multiply by shorter numbers need not be counted.
_SHORT: Final = 1 << 10
# A coefficient takes five bytes of the document, and for each may be held this much.
_SHORT_DENOMINATOR: Final = 1 << 8


def linear_optimum(stated: LinearOptimum) -> ProvedMinMax:
    """The value of the primal, which no feasible point exceeds, because the dual has it, too.

    Linear in the number of coefficients.  Raises `Rejected`.

    >>> program = LinearProgram((5,), (((0, 1),),), (3,))  # maximize 5x over x <= 3
    >>> linear_optimum(LinearOptimum(program, ((0, 3),), ((0, 5),), 15)).value
    Fraction(15, 1)
    """
    program = stated.program
    matrix, primal, dual = (
        _Matrix(program),
        _vector(stated.primal, "primal"),
        _vector(stated.dual, "dual"),
    )
    _refuse_unless_feasible(program, matrix, program.right_sides, primal)
    _refuse_unless_dual(program, matrix, program.objective, dual)
    value = _inner(program.objective, primal)
    if stated.value != value:
        raise Rejected("value", shown(stated.value), f"the primal reaches {shown(value)}")
    bound = _inner(program.right_sides, dual)
    if bound != value:
        raise Rejected("dual", shown(bound), f"the dual equals the value, {shown(value)}")
    proved = f"maximum {shown(value)} of a linear program proved optimal: primal and dual agree"
    return ProvedMinMax("linear-optimum", Fraction(value), proved, _size(program))


def linear_infeasibility(stated: LinearInfeasibility) -> ProvedMinMax:
    """That no point is feasible: the multiplied rows would add up to 0 < 0 (Farkas).

    Linear in the number of coefficients.  Raises `Rejected`.

    >>> program = LinearProgram((5,), (((0, 1),), ((0, -1),)), (3, -4))  # x <= 3, -x <= -4
    >>> linear_infeasibility(LinearInfeasibility(program, ((0, 1), (1, 1)))).proved
    'infeasible: a combination of the rows says 0 < 0'
    """
    program, multipliers = stated.program, _vector(stated.multipliers, "multipliers")
    nothing = (0,) * len(program.objective)
    _refuse_unless_dual(program, _Matrix(program), nothing, multipliers)
    bound = _inner(program.right_sides, multipliers)
    if bound >= 0:
        raise Rejected("multipliers", shown(bound), "the multiplied right sides are less than 0")
    proved = "infeasible: a combination of the rows says 0 < 0"
    return ProvedMinMax("linear-infeasibility", None, proved, _size(program))


def linear_unboundedness(stated: LinearUnboundedness) -> ProvedMinMax:
    """That the objective has no maximum: it grows for ever along the ray from the point.

    Linear in the number of coefficients.  Raises `Rejected`.

    >>> program = LinearProgram((5,), (((0, -1),),), (3,))  # maximize 5x over -x <= 3
    >>> linear_unboundedness(LinearUnboundedness(program, (), ((0, 1),))).proved
    'unbounded: the objective grows for ever along a ray'
    """
    program = stated.program
    nothing = (0,) * len(program.rows)
    matrix, ray = _Matrix(program), _vector(stated.ray, "ray")
    _refuse_unless_feasible(program, matrix, program.right_sides, _vector(stated.point, "point"))
    _refuse_unless_feasible(program, matrix, nothing, ray)
    growth = _inner(program.objective, ray)
    if growth <= 0:
        raise Rejected("ray", shown(growth), "the objective grows along the ray")
    proved = "unbounded: the objective grows for ever along a ray"
    return ProvedMinMax("linear-unboundedness", None, proved, _size(program))


def _refuse_unless_feasible(
    program: LinearProgram, matrix: _Matrix, right_sides: Sequence[Rational], point: _Vector
) -> None:
    """A x <= b, with = in the equalities, and x >= 0 for the nonnegative variables."""
    nonnegative = set(program.nonnegative)
    for column, number in point.entries:
        if number < 0 and column in nonnegative:
            rule = "a nonnegative variable is at least 0"
            raise Rejected(f"{point.place} at variable {column}", shown(number), rule)
    equalities = set(program.equalities)
    for index, ((left, unit), right) in enumerate(
        zip(matrix.of_rows(point), right_sides, strict=True)
    ):
        excess = left * right.denominator - right.numerator * unit
        if excess > 0 or (excess < 0 and index in equalities):
            rule = f"{'equal to' if index in equalities else 'at most'} {shown(right)}"
            raise Rejected(f"{point.place} in row {index}", shown(quotient(left, unit)), rule)


def _refuse_unless_dual(
    program: LinearProgram, matrix: _Matrix, objective: Sequence[Rational], dual: _Vector
) -> None:
    """y A >= c, with = for all but the nonnegative variables, and y >= 0 but in the equalities."""
    equalities = set(program.equalities)
    for row, number in dual.entries:
        if number < 0 and row not in equalities:
            rule = "the multiplier of an inequality is not negative"
            raise Rejected(f"{dual.place} at row {row}", shown(number), rule)
    nonnegative = set(program.nonnegative)
    for index, ((priced, unit), needed) in enumerate(
        zip(matrix.of_columns(dual), objective, strict=True)
    ):
        excess = priced * needed.denominator - needed.numerator * unit
        if excess < 0 or (excess > 0 and index not in nonnegative):
            rule = f"{'at least' if index in nonnegative else 'equal to'} {shown(needed)}"
            raise Rejected(f"{dual.place} in column {index}", shown(quotient(priced, unit)), rule)


# A numerator and a denominator, not in lowest terms: a greatest common divisor of long numbers for
# each short row is what a hostile document would ask for.
_Product = tuple[int, int]


class _Vector(NamedTuple):
    """A sparse vector: integers over one denominator, where it stands, and the longest number."""

    entries: Entries
    positions: list[int]
    integers: list[int]
    unit: int
    longest: int
    place: str

    def dense(self, size: int) -> list[int]:
        """The integers, and 0 where the vector names none."""
        values = [0] * size
        for position, value in zip(self.positions, self.integers, strict=True):
            values[position] = value
        return values


def _vector(entries: Entries, place: str) -> _Vector:
    integers, unit = over_common_denominator([number for _, number in entries], place)
    longest = max(map(int.bit_length, integers), default=0) + unit.bit_length()
    return _Vector(entries, [position for position, _ in entries], integers, unit, longest, place)


class _Matrix:
    """The products of the rows, and of the columns, of a program with vectors.

    All at once where the numbers are short, otherwise one after the other, so that no two long
    ones are held at a time.
    """

    def __init__(self, program: LinearProgram) -> None:
        self._rows, self._width = program.rows, len(program.objective)
        entries: list[Any] = list(chain.from_iterable(chain.from_iterable(program.rows)))
        self._lengths = list(map(len, program.rows))
        self._columns, numbers = entries[::2], entries[1::2]
        self._integers, self._unit = _over_short_denominator(numbers)

    def of_rows(self, point: _Vector) -> Iterator[_Product]:
        """A x, a row at a time."""
        if not self._are_short(point):
            return _line_by_line(self._rows, point)
        values = point.dense(self._width)
        terms = map(mul, self._integers, map(values.__getitem__, self._columns))
        totals = [sum(islice(terms, length)) for length in self._lengths]
        return zip(totals, repeat(point.unit * self._unit))

    def of_columns(self, dual: _Vector) -> Iterator[_Product]:
        """y A, a column at a time."""
        if not self._are_short(dual):
            columns: list[list[tuple[int, Rational]]] = [[] for _ in range(self._width)]
            for row, entries in enumerate(self._rows):
                for column, coefficient in entries:
                    columns[column].append((row, coefficient))
            return _line_by_line(columns, dual)
        factors = chain.from_iterable(map(repeat, dual.dense(len(self._rows)), self._lengths))
        totals = [0] * self._width
        for column, term in zip(self._columns, map(mul, self._integers, factors), strict=True):
            totals[column] += term
        return zip(totals, repeat(dual.unit * self._unit))

    def _are_short(self, vector: _Vector) -> bool:
        if not self._unit or vector.longest > _SHORT:
            return False
        held = vector.longest + self._unit.bit_length()
        hold(held * max(self._width, len(self._rows)), vector.place)
        return True


def _over_short_denominator(numbers: Sequence[Rational]) -> tuple[list[int], int]:
    """The numbers times their least common denominator, and that; [] and 0 if it is long."""
    if are_all(int, numbers):
        return [*numbers], 1  # type: ignore[list-item]
    ratios = [number.as_integer_ratio() for number in numbers]
    common = 1
    # Not a set: whoever writes the document can make the hashes of all denominators equal.
    for denominator, _ in groupby(sorted([under for _, under in ratios])):
        common = lcm(common, denominator)
        if common.bit_length() > _SHORT_DENOMINATOR:
            return [], 0
    return [over * (common // under) for over, under in ratios], common


def _line_by_line(
    lines: Sequence[Sequence[tuple[int, Rational]]], vector: _Vector
) -> Iterator[_Product]:
    """The products, each of its line alone."""
    value_of = dict(zip(vector.positions, vector.integers, strict=True))
    spend(sums(vector.longest) * sum(map(len, lines)), vector.place)
    for line in lines:
        met = [(value_of[index], number) for index, number in line if index in value_of]
        scaled, unit = over_common_denominator([number for _, number in met], "program")
        if vector.longest > _SHORT:
            bits = sum(map(int.bit_length, scaled)) + unit.bit_length()
            spend(products(vector.longest, bits), vector.place)
        total = sum(value * number for (value, _), number in zip(met, scaled, strict=True))
        yield total, vector.unit * unit


def _inner(line: Sequence[Rational], vector: _Vector) -> Rational:
    """The inner product of a line and the vector."""
    met = [line[position] for position in vector.positions]
    scaled, unit = over_common_denominator(met, "program")
    spend(
        products(vector.longest, sum(map(int.bit_length, scaled)) + unit.bit_length()), vector.place
    )
    return quotient(sum(map(mul, scaled, vector.integers)), vector.unit * unit)


def _size(program: LinearProgram) -> str:
    return f"{len(program.objective)} variables, {len(program.rows)} rows"
