"""What the proved checkers say about a document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.exact.rational import Rational, text


def trusted(reading: str) -> tuple[str, ...]:
    """What one has to believe if this Python says "proved", with the file that reads problems."""
    return (
        "the definitions: proofs/rocq, on the page that the theorem names",
        f"the reading of the problem: {reading}",
        "Rocq 8.16, its extraction to JSON, the printer in proofs/rocq/extraction",
        "exactsched/kernel/runtime.py, Python and its json module",
    )


TRUSTED: Final = trusted("exactsched/kernel/problems.py")
PYTHON: Final = "the proved checker, extracted and printed as Python"

_LONG = 60


class NotCovered(InvalidInput):
    """A document about which the proved checkers say nothing."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence that is proved.

    - `says`: in plain words
    - `formal`: in the words of the definitions in Rocq
    - `theorem`: the theorem that has been applied, below `Exactsched`
    """

    says: str
    formal: str
    theorem: str


@dataclass(frozen=True, slots=True)
class ProvedByKernel:
    """What has been proved about the problem in a document, and what it rests on.

    - `kind`: that of the document
    - `asked`: the problem in plain words
    - `claims`: what is proved
    - `values`: the numbers that are proved, by name
    - `optimal`: whether an optimum is proved: a value that is reached and never passed
    - `left_open`: what the document states besides, and no claim says
    - `by`: which of the proved checkers has run
    - `trusted`: what one has to believe
    """

    kind: str
    asked: str
    claims: tuple[Claim, ...]
    values: Mapping[str, Rational]
    optimal: bool
    left_open: tuple[str, ...] = ()
    by: str = PYTHON
    trusted: tuple[str, ...] = TRUSTED

    def __str__(self) -> str:
        said = "; ".join(claim.says for claim in self.claims)
        theorems = ", ".join(dict.fromkeys(claim.theorem for claim in self.claims))
        rest = f"; not proved: {', '.join(self.left_open)}" if self.left_open else ""
        return f"{said} ({self.asked}; {theorems}){rest}"


def not_accepted(place: str) -> Rejected:
    """The refusal of a proved checker, which names no row: `check` without the kernel may."""
    rule = "the proved checker does not accept it; `check` without the kernel may say where"
    return Rejected(place, "as it is", rule)


def shown(number: Rational) -> str:
    """A number for a sentence: its digits, or how many there are.

    >>> from fractions import Fraction
    >>> shown(Fraction(1, 3)), shown(10**100)
    ('1/3', 'a number of 101 digits')
    """
    digits = text(number)
    if len(digits) <= _LONG:
        return digits
    over, _, under = digits.lstrip("-").partition("/")
    return f"a number of {len(over)}{f'/{len(under)}' if under else ''} digits"
