"""The three ways in which exactsched says no; each names the place, the value and the rule."""

from __future__ import annotations

from fractions import Fraction


def _shown(value: object) -> str:
    """The value as a reader wants to see it: short, on one line."""
    if isinstance(value, int) and value.bit_length() > 400:
        return f"a number of about {value.bit_length() * 30103 // 100_000} digits"
    try:
        shown = str(value) if isinstance(value, Fraction) else " ".join(repr(value).split())
    except ValueError:  # somewhere inside is an integer that CPython refuses to print
        return f"a {type(value).__name__} with very long numbers"
    return shown if len(shown) <= 80 else shown[:77] + "..."


class _Refusal(Exception):
    """Base of the refusals: what was wrong where, and the rule that it broke."""

    def __init__(self, place: str, value: object, rule: str) -> None:
        super().__init__(place, value, rule)
        self.place = place
        self.value = value
        self.rule = rule

    def __str__(self) -> str:
        return f"{self.place}: {_shown(self.value)}: {self.rule}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.place!r}, {_shown(self.value)}, {self.rule!r})"


class InvalidInput(_Refusal, ValueError):
    """A problem that cannot be posed: the input breaks a rule of its definition."""


class Malformed(InvalidInput):
    """A document that is not a certificate at all: a part is missing or of the wrong kind."""


class Rejected(_Refusal):
    """A well-formed certificate that does not prove its claim."""
