"""Sums of rationals as sums of integers, within the budget for what hostile denominators cost."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby
from math import lcm
from operator import sub
from typing import cast

from exactsched.certificate.budget import SHORT, hold, products, spend, sums
from exactsched.exact.arguments import are_all
from exactsched.exact.rational import Fractions, Rational


def over_common_denominator(
    numbers: Sequence[Rational], place: str, held: int = 0
) -> tuple[list[int], int]:
    """Integers and a positive denominator: the numbers are their quotients.  Raises `Rejected`.

    Numbers over a common denominator are as long as that denominator, each of them, and thousands
    of different prime denominators make it as long as the document itself.  `held` says how many
    sums of them will be held at a time, if these are more than the numbers.

    >>> over_common_denominator([Fraction(1, 2), 3, Fraction(2, 3)], "weights")
    ([3, 18, 4], 6)
    """
    spend(len(numbers), place)
    count = max(len(numbers), held)
    if type(numbers) is Fractions:
        numerators, denominators = numbers.numerators, numbers.denominators
    elif are_all(int, numbers):  # as those of large documents are
        numerators, denominators = cast("list[int]", numbers), []
    else:
        numerators = [number.numerator for number in numbers]
        denominators = [number.denominator for number in numbers]
    if denominators.count(1) == len(denominators):
        hold(max(map(int.bit_length, numerators), default=0) * count, place)
        return list(numerators), 1
    lengths = map(int.bit_length, numerators), map(int.bit_length, denominators)
    # How many more bits than the common denominator the integers may have.
    above = max(0, max(map(sub, *lengths), default=0))
    common = 1
    # Not a set: whoever writes the document can make the hashes of all denominators equal.
    for denominator, _ in groupby(sorted(denominators)):
        spend(products(common.bit_length(), denominator.bit_length()), place)
        common = lcm(common, denominator)
        hold((common.bit_length() + above) * count, place)
    if common.bit_length() > SHORT:
        spend(_steps_over(common.bit_length(), numbers), place)
    hold((common.bit_length() + above) * count, place)
    pairs = zip(numerators, denominators, strict=True)
    return [over * (common // under) for over, under in pairs], common


def _steps_over(bits: int, numbers: Sequence[Rational]) -> int:
    """What it takes to bring the numbers over a denominator of this many bits."""
    steps = 0
    for number in numbers:
        over, under = number.numerator.bit_length(), number.denominator.bit_length()
        steps += products(bits - under + 1, under) + products(bits - under + 1, over) + sums(bits)
    return steps


def exact_sum(numbers: Sequence[Rational], place: str) -> Rational:
    """The sum of the numbers.  Raises `Rejected` as above.

    >>> exact_sum([Fraction(1, 2), 3, Fraction(2, 3)], "weights")
    Fraction(25, 6)
    """
    integers, denominator = over_common_denominator(numbers, place)
    return quotient(sum(integers), denominator)


def quotient(numerator: int, denominator: int) -> Rational:
    """The rational number, an `int` if it is whole.

    To reduce it takes quadratic time: some seconds for 2^20 bits.  Raises `Rejected`.

    >>> quotient(6, 3), quotient(6, 4)
    (2, Fraction(3, 2))
    """
    spend(products(numerator.bit_length(), denominator.bit_length()), "sum")
    value = Fraction(numerator, denominator)
    return value.numerator if value.denominator == 1 else value
