"""A number with its noun, as messages say it."""

from __future__ import annotations

from exactsched.exact.rational import digits_of_integer


def counted(number: int, noun: str) -> str:
    """A number with its noun, in the plural if need be.

    >>> counted(1, "tree"), counted(2, "tree")
    ('1 tree', '2 trees')
    """
    # Not str: CPython refuses to write integers of more than 4,300 digits.
    digits = digits_of_integer(number)
    return f"{digits} {noun}" if number == 1 else f"{digits} {noun}s"
