"""Numbers as the short text of a report."""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction

from exactsched.exact.rational import text

_FIVE_DIGITS = Context(prec=5, Emax=MAX_EMAX, Emin=MIN_EMIN)


def shown(number: Fraction) -> str:
    """A rational as a reader wants it: exact if short, else five digits after a tilde.

    >>> shown(Fraction(22, 7)), shown(Fraction(10**30, 7)), shown(Fraction(1, 3 * 10**40))
    ('22/7', '~1.4286e+29', '~3.3333e-41')
    """
    exactly = text(number)
    if len(exactly) <= 20:
        return exactly
    quotient = _FIVE_DIGITS.divide(Decimal(number.numerator), Decimal(number.denominator))
    return f"~{quotient}".lower()


def percent(part: Fraction) -> str:
    """A ratio in percent, rounded to tenths.

    >>> percent(Fraction(2, 3))
    '66.7%'
    """
    tenths = round(part * 1000)
    return f"{tenths // 10}.{tenths % 10}%"
