"""What may change in an answer: counts may become smaller, values may not change."""

from __future__ import annotations

from fractions import Fraction

from .table import Entry


def differences(before: Entry, now: Entry) -> list[str]:
    """A line for every value that has changed, and for every count that has grown or is missing.

    >>> before = {"answer": {"throughput": "1/2"}, "counts": {"trees": 3, "period": "5/2"}}
    >>> differences(before, {"answer": {"throughput": "1/2"}, "counts": {"trees": 2}})
    ['period: 5/2 before, missing now']
    >>> differences(before, {"answer": {"throughput": "1"}, "counts": {"trees": 4, "period": 2}})
    ['throughput: 1/2 before, 1 now', 'trees: 3 before, 4 now']
    """
    found = []
    for name, value in before["answer"].items():
        other = now["answer"].get(name, "missing")
        if other != value:
            found.append(f"{name}: {value} before, {other} now")
    for name, count in before["counts"].items():
        other = now["counts"].get(name)
        if other is None or Fraction(other) > Fraction(count):
            found.append(f"{name}: {count} before, {'missing' if other is None else other} now")
    return found
