"""Linear programs: multipliers of the rows add up to an inequality that says it all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from exactsched.certificate.budget import products, spend, sums
from exactsched.certificate.linear_programs import (
    Entries,
    LinearInfeasibility,
    LinearOptimum,
    LinearProgram,
    LinearUnboundedness,
)
from exactsched.check.common_denominator import over_common_denominator, quotient
from exactsched.check.proved import ProvedMinMax, shown
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import Rational

# What it costs to multiply by shorter numbers need not be counted.
_SHORT: Final = 1 << 10


def linear_optimum(stated: LinearOptimum) -> ProvedMinMax:
    """The value of the primal, which no feasible point exceeds, because the dual has it, too.

    Linear in the number of coefficients.  Raises `Rejected`.

    >>> program = LinearProgram((5,), (((0, 1),),), (3,))  # maximize 5x over x <= 3
    >>> linear_optimum(LinearOptimum(program, ((0, 3),), ((0, 5),), 15)).value
    Fraction(15, 1)
    """
    program = stated.program
    _refuse_unless_feasible(program, program.right_sides, stated.primal, "primal")
    _refuse_unless_dual(program, program.objective, stated.dual, "dual")
    value = _product(program.objective, stated.primal, "primal")
    if stated.value != value:
        raise Rejected("value", shown(stated.value), f"the primal reaches {shown(value)}")
    bound = _product(program.right_sides, stated.dual, "dual")
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
    program = stated.program
    nothing = (0,) * len(program.objective)
    _refuse_unless_dual(program, nothing, stated.multipliers, "multipliers")
    bound = _product(program.right_sides, stated.multipliers, "multipliers")
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
    _refuse_unless_feasible(program, program.right_sides, stated.point, "point")
    _refuse_unless_feasible(program, nothing, stated.ray, "ray")
    growth = _product(program.objective, stated.ray, "ray")
    if growth <= 0:
        raise Rejected("ray", shown(growth), "the objective grows along the ray")
    proved = "unbounded: the objective grows for ever along a ray"
    return ProvedMinMax("linear-unboundedness", None, proved, _size(program))


def _refuse_unless_feasible(
    program: LinearProgram, right_sides: Sequence[Rational], point: Entries, place: str
) -> None:
    """A x <= b, with = in the equalities, and x >= 0 for the nonnegative variables."""
    nonnegative = set(program.nonnegative)
    for column, number in point:
        if number < 0 and column in nonnegative:
            rule = "a nonnegative variable is at least 0"
            raise Rejected(f"{place} at variable {column}", shown(number), rule)
    equalities = set(program.equalities)
    for index, ((left, unit), right) in enumerate(
        zip(_products(program.rows, point, place), right_sides, strict=True)
    ):
        excess = left * right.denominator - right.numerator * unit
        if excess > 0 or (excess < 0 and index in equalities):
            rule = f"{'equal to' if index in equalities else 'at most'} {shown(right)}"
            raise Rejected(f"{place} in row {index}", shown(quotient(left, unit)), rule)


def _refuse_unless_dual(
    program: LinearProgram, objective: Sequence[Rational], dual: Entries, place: str
) -> None:
    """y A >= c, with = for all but the nonnegative variables, and y >= 0 but in the equalities."""
    equalities = set(program.equalities)
    for row, number in dual:
        if number < 0 and row not in equalities:
            rule = "the multiplier of an inequality is not negative"
            raise Rejected(f"{place} at row {row}", shown(number), rule)
    nonnegative = set(program.nonnegative)
    columns: list[list[tuple[int, Rational]]] = [[] for _ in objective]
    for row, entries in enumerate(program.rows):
        for column, coefficient in entries:
            columns[column].append((row, coefficient))
    for index, ((priced, unit), needed) in enumerate(
        zip(_products(columns, dual, place), objective, strict=True)
    ):
        excess = priced * needed.denominator - needed.numerator * unit
        if excess < 0 or (excess > 0 and index not in nonnegative):
            rule = f"{'at least' if index in nonnegative else 'equal to'} {shown(needed)}"
            raise Rejected(f"{place} in column {index}", shown(quotient(priced, unit)), rule)


def _products(
    lines: Sequence[Sequence[tuple[int, Rational]]], vector: Entries, place: str
) -> Iterator[tuple[int, int]]:
    """The inner product of every sparse line with the vector, as numerator and denominator.

    Not in lowest terms: a greatest common divisor of long numbers for each short row is what a
    hostile document would ask for.
    """
    integers, unit = over_common_denominator([number for _, number in vector], place)
    value_of = {index: value for (index, _), value in zip(vector, integers, strict=True)}
    longest = max(map(int.bit_length, integers), default=0) + unit.bit_length()
    spend(sums(longest) * sum(map(len, lines)), place)
    for line in lines:
        met = [(value_of[index], number) for index, number in line if index in value_of]
        scaled, line_unit = over_common_denominator([number for _, number in met], "program")
        if longest > _SHORT:
            spend(
                products(longest, sum(map(int.bit_length, scaled)) + line_unit.bit_length()), place
            )
        total = sum(value * number for (value, _), number in zip(met, scaled, strict=True))
        yield total, unit * line_unit


def _product(line: Sequence[Rational], vector: Entries, place: str) -> Rational:
    ((total, unit),) = _products([list(enumerate(line))], vector, place)
    return quotient(total, unit)


def _size(program: LinearProgram) -> str:
    return f"{len(program.objective)} variables, {len(program.rows)} rows"
