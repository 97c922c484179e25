"""Sums of rationals as sums of integers, with a limit on what hostile denominators may cost."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby
from math import lcm
from typing import Final

from exactsched.exact.errors import Rejected
from exactsched.exact.rational import Rational

# Numbers over a common denominator are as long as that denominator, each of them, and thousands
# of different prime denominators would make it as long as the document itself.  A basic
# solution has one denominator: 2,000 prices of 6,000 digits take 4 * 10^7 bits.  Sums of long
# numbers cost as much: a document says in 20 MB that a tree with a million arcs weighs 10^200000.
MAX_SCALED_BITS: Final = 1 << 30
# To reduce a sum takes quadratic time: 1.3 s with this many bits, a quarter of an hour with 2^25.
# The longest number that a document can write is shorter.
MAX_DENOMINATOR_BITS: Final = 1 << 20


def over_common_denominator(
    numbers: Sequence[Rational], place: str, sums: int = 0
) -> tuple[list[int], int]:
    """Integers and a positive denominator: the numbers are their quotients.  Raises `Rejected`.

    `sums` says how many sums of them will be held at a time, if these are more than the numbers.

    >>> over_common_denominator([Fraction(1, 2), 3, Fraction(2, 3)], "weights")
    ([3, 18, 4], 6)
    """
    count = max(len(numbers), sums)
    above = 0  # how many more bits than the common denominator the integers may have
    for number in numbers:
        above = max(above, number.numerator.bit_length() - number.denominator.bit_length())
    common = 1
    # Not a set: whoever writes the document can make the hashes of all denominators equal.
    for denominator, _ in groupby(sorted([number.denominator for number in numbers])):
        common = lcm(common, denominator)
        if common.bit_length() > MAX_DENOMINATOR_BITS:
            rule = "too many bits in the common denominator to be checked"
            raise Rejected(place, common.bit_length(), rule)
        bits = (common.bit_length() + above) * count
        if bits > MAX_SCALED_BITS:
            raise Rejected(place, bits, "too many bits over the common denominator to be checked")
    return [number.numerator * (common // number.denominator) for number in numbers], common


def exact_sum(numbers: Sequence[Rational], place: str) -> Rational:
    """The sum of the numbers.  Raises `Rejected` as above.

    >>> exact_sum([Fraction(1, 2), 3, Fraction(2, 3)], "weights")
    Fraction(25, 6)
    """
    integers, denominator = over_common_denominator(numbers, place)
    return quotient(sum(integers), denominator)


def quotient(numerator: int, denominator: int) -> Rational:
    """The rational number, an `int` if it is whole.

    >>> quotient(6, 3), quotient(6, 4)
    (2, Fraction(3, 2))
    """
    value = Fraction(numerator, denominator)
    return value.numerator if value.denominator == 1 else value
