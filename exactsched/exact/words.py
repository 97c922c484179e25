"""A number as messages say it, alone or with its noun."""

from __future__ import annotations

from fractions import Fraction

from exactsched.exact.rational import digits_of_integer, text

_LONG = 60
# Powers of ten that are written out.
_PLAIN = 4


def counted(number: int, noun: str) -> str:
    """A number with its noun, in the plural if need be.

    >>> counted(1, "tree"), counted(2, "tree")
    ('1 tree', '2 trees')
    """
    # Not str: CPython refuses to write integers of more than 4,300 digits.
    digits = digits_of_integer(number)
    return f"{digits} {noun}" if number == 1 else f"{digits} {noun}s"


def shown(number: Fraction | int) -> str:
    """A rational for a message: its digits, or "~" and its size when nobody would read them.

    >>> shown(Fraction(2, 3)), shown(Fraction(10**99, 7)), shown(Fraction(10**99, 10**99 + 1))
    ('2/3', '~1.4286e98', '~1.0000')
    >>> shown(Fraction(10**42, 10**40 + 1)), shown(Fraction(10**40 + 1, 10**43))
    ('~100.00', '~0.0010000')
    """
    digits = text(number)
    if len(digits) <= _LONG:
        return digits
    over, _, under = digits.lstrip("-").partition("/")
    exponent = len(over) - len(under or "1")
    mantissa = round(Fraction(number) / Fraction(10) ** exponent, 5)
    # Rounded to five digits it may be 1 or 10.
    if abs(mantissa) < 1:
        mantissa, exponent = mantissa * 10, exponent - 1
    if abs(round(mantissa, 4)) >= 10:
        mantissa, exponent = mantissa / 10, exponent + 1
    if abs(exponent) <= _PLAIN:
        return f"~{float(number):.{max(0, 4 - exponent)}f}"
    return f"~{float(mantissa):.4f}e{exponent}"
