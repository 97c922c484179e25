"""A number with its noun, as messages say it."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """A number with its noun, in the plural if need be.

    >>> counted(1, "tree"), counted(2, "tree")
    ('1 tree', '2 trees')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
