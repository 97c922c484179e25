"""Linear programs: multipliers of the rows add up to an inequality that says it all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, groupby, islice, repeat
from math import lcm
from operator import mul, sub
from typing import Final, NamedTuple

from exactsched.certificate.budget import SHORT, hold, products, spend, sums
from exactsched.certificate.linear_programs import (
    Entries,
    LinearInfeasibility,
    LinearOptimum,
    LinearProgram,
    LinearUnboundedness,
)
from exactsched.certificate.rules import column, rows_in
from exactsched.check.common_denominator import over_common_denominator, quotient
from exactsched.check.proved import ProvedMinMax, shown
from exactsched.exact.arguments import are_all
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import Rational

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
    for variable, number in point.entries:
        if number < 0 and variable in nonnegative:
            rule = "a nonnegative variable is at least 0"
            raise Rejected(f"{point.place} at variable {variable}", shown(number), rule)
    equalities = set(program.equalities)
    for index, excess in enumerate(matrix.rows_less(right_sides, point)):
        if excess > 0 or (excess < 0 and index in equalities):
            rule = f"{'equal to' if index in equalities else 'at most'} {shown(right_sides[index])}"
            left = quotient(*_product(program.rows[index], point))
            raise Rejected(f"{point.place} in row {index}", shown(left), rule)


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
    for index, excess in enumerate(matrix.columns_less(objective, dual)):
        if excess < 0 or (excess > 0 and index not in nonnegative):
            needed = shown(objective[index])
            rule = f"{'at least' if index in nonnegative else 'equal to'} {needed}"
            priced = quotient(*_product(_columns(program)[index], dual))
            raise Rejected(f"{dual.place} in column {index}", shown(priced), rule)


class _Vector(NamedTuple):
    """A sparse vector: integers over one denominator, by position, and how long they are."""

    entries: Entries
    values: dict[int, int]
    unit: int
    longest: int
    place: str

    def dense(self, size: int) -> list[int]:
        """The integers, and 0 where the vector names none."""
        values = [0] * size
        for position, value in self.values.items():
            values[position] = value
        return values


def _vector(entries: Entries, place: str) -> _Vector:
    integers, unit = over_common_denominator([number for _, number in entries], place)
    longest = max(map(int.bit_length, integers), default=0) + unit.bit_length()
    values = dict(zip([position for position, _ in entries], integers, strict=True))
    return _Vector(entries, values, unit, longest, place)


_Line = Sequence[tuple[int, Rational]]


class _Matrix:
    """The products of the rows, and of the columns, of a program with vectors, less other numbers.

    Only the signs of these integers say something.  They are made all at once where the numbers are
    short, otherwise one after the other, so that no two long ones are held at a time.
    """

    def __init__(self, program: LinearProgram) -> None:
        self._program, self._width = program, len(program.objective)
        self._lengths = list(map(len, program.rows))
        entries = rows_in(program.rows)
        self._columns: Sequence[int] = column(entries, 0)
        self._integers, self._unit = _over_short_denominator(column(entries, 1))

    def rows_less(self, right_sides: Sequence[Rational], point: _Vector) -> Iterator[int]:
        """A x - b, a row at a time."""
        scaled, unit = _over_short_denominator(right_sides)
        if not unit or not self._are_short(point):
            return _line_by_line(self._program.rows, right_sides, point)
        values = point.dense(self._width)
        pairs = zip(self._columns, self._integers, strict=True)
        terms = iter([number * values[position] for position, number in pairs])
        totals = [sum(islice(terms, length)) for length in self._lengths]
        return map(sub, _times(unit, totals), _times(point.unit * self._unit, scaled))

    def columns_less(self, objective: Sequence[Rational], dual: _Vector) -> Iterator[int]:
        """y A - c, a column at a time."""
        scaled, unit = _over_short_denominator(objective)
        if not unit or not self._are_short(dual):
            return _line_by_line(_columns(self._program), objective, dual)
        factors = chain.from_iterable(map(repeat, dual.dense(len(self._lengths)), self._lengths))
        totals = [0] * self._width
        for position, number, factor in zip(self._columns, self._integers, factors, strict=True):
            totals[position] += number * factor
        return map(sub, _times(unit, totals), _times(dual.unit * self._unit, scaled))

    def _are_short(self, vector: _Vector) -> bool:
        if not self._unit or vector.longest > SHORT:
            return False
        held = vector.longest + self._unit.bit_length()
        hold(held * max(self._width, len(self._lengths)), vector.place)
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


def _times(factor: int, numbers: Iterable[int]) -> Iterable[int]:
    return numbers if factor == 1 else map(mul, numbers, repeat(factor))


def _columns(program: LinearProgram) -> list[list[tuple[int, Rational]]]:
    columns: list[list[tuple[int, Rational]]] = [[] for _ in program.objective]
    for row, entries in enumerate(program.rows):
        for position, coefficient in entries:
            columns[position].append((row, coefficient))
    return columns


def _line_by_line(
    lines: Sequence[_Line], others: Sequence[Rational], vector: _Vector
) -> Iterator[int]:
    """The products less the others, each of its line alone."""
    spend(sums(vector.longest) * sum(map(len, lines)), vector.place)
    for line, other in zip(lines, others, strict=True):
        total, unit = _product(line, vector)
        yield total * other.denominator - other.numerator * unit


def _product(line: _Line, vector: _Vector) -> tuple[int, int]:
    """A numerator and a denominator, not in lowest terms.

    A greatest common divisor of long numbers for each short row is what a hostile document would
    ask for.
    """
    values = vector.values
    met = [(values[index], number) for index, number in line if index in values]
    scaled, unit = over_common_denominator([number for _, number in met], "program")
    if vector.longest > SHORT:
        bits = sum(map(int.bit_length, scaled)) + unit.bit_length()
        spend(products(vector.longest, bits), vector.place)
    total = sum(value * number for (value, _), number in zip(met, scaled, strict=True))
    return total, vector.unit * unit


def _inner(line: Sequence[Rational], vector: _Vector) -> Rational:
    """The inner product of a line and the vector."""
    met = [line[position] for position in vector.values]
    scaled, unit = over_common_denominator(met, "program")
    spend(
        products(vector.longest, sum(map(int.bit_length, scaled)) + unit.bit_length()), vector.place
    )
    return quotient(sum(map(mul, scaled, vector.values.values())), vector.unit * unit)


def _size(program: LinearProgram) -> str:
    return f"{len(program.objective)} variables, {len(program.rows)} rows"
