"""A budget of work: a document may cost what its size allows, whatever it says.

One rule for all kinds.  A document of n bytes may take FREE_STEPS + STEPS_PER_BYTE * n steps, and
no list of numbers made for it may hold more than FREE_BITS + BITS_PER_BYTE * n bits.  A step is
about what one pass of a simple loop takes.  Every loop whose work is not linear in the document
spends its steps before it begins, all at once where it can.

`within` opens the budget of a document; outside of it nothing is limited.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextvars import ContextVar, Token
from typing import Final

from exactsched.exact.errors import Rejected
from exactsched.exact.rational import Rational

# 2^25 steps take 3 to 10 seconds.
FREE_STEPS: Final = 1 << 25
STEPS_PER_BYTE: Final = 32
# 64 MiB: the numbers of a basic solution, 2,000 of them with 6,000 digits each, take 5 MiB.
FREE_BITS: Final = 1 << 29
BITS_PER_BYTE: Final = 64
# What is done with numbers of no more bits, or digits, takes about a step, and is not counted.
SHORT: Final = 1 << 10


class _Budget:
    """What has been spent on a document; its size is worked out when it first matters."""

    __slots__ = ("_size", "_size_of", "_token", "spent")
    _token: Token[_Budget | None]

    def __init__(self, size_of: Callable[[], int]) -> None:
        self._size_of = size_of
        self._size: int | None = None
        self.spent = 0

    @property
    def size(self) -> int:
        if self._size is None:
            self._size = self._size_of()
        return self._size

    def __enter__(self) -> None:
        self._token = _open.set(self)

    def __exit__(self, *_raised: object) -> None:
        _open.reset(self._token)


_open: ContextVar[_Budget | None] = ContextVar("budget", default=None)


def within(size_of: Callable[[], int]) -> _Budget:
    """The budget of a document with this number of bytes, in a block of statements."""
    return _Budget(size_of)


def spend(steps: int, place: str) -> None:
    """Takes the steps from the budget; raises `Rejected` if there are not that many left.

    >>> with within(lambda: 1):
    ...     spend(FREE_STEPS + STEPS_PER_BYTE, "arcs")
    ...     spend(1, "arcs")
    Traceback (most recent call last):
    exactsched.exact.errors.Rejected: arcs: 33554465: a document of 1 bytes may take 33554464 steps
    """
    budget = _open.get()
    if budget is None:
        return
    budget.spent += steps
    if budget.spent > FREE_STEPS:
        limit = FREE_STEPS + STEPS_PER_BYTE * budget.size
        if budget.spent > limit:
            rule = f"a document of {budget.size} bytes may take {limit} steps"
            raise Rejected(place, budget.spent, rule)


def hold(bits: int, place: str) -> None:
    """Raises `Rejected` if numbers that are held at a time have more bits than the budget allows.

    >>> with within(lambda: 1):
    ...     hold(FREE_BITS + BITS_PER_BYTE, "cuts")
    ...     hold(FREE_BITS + BITS_PER_BYTE + 1, "cuts")
    Traceback (most recent call last):
    exactsched.exact.errors.Rejected: cuts: 536870977: a document of 1 bytes may hold 536870976 bits
    """
    budget = _open.get()
    if budget is not None and bits > FREE_BITS:
        limit = FREE_BITS + BITS_PER_BYTE * budget.size
        if bits > limit:
            rule = f"a document of {budget.size} bytes may hold {limit} bits"
            raise Rejected(place, bits, rule)


def sums(bits: int) -> int:
    """The steps of an addition of numbers of this many bits.

    >>> sums(64), sums(1 << 20)
    (1, 1025)
    """
    return 1 + (bits >> 10)


def products(bits: int, others: int) -> int:
    """The steps of a product, a quotient or a common divisor of numbers of this many bits.

    Python takes about as long, 1 to 4 s, for two numbers of 2^20 bits.

    >>> products(64, 64), products(1 << 20, 1 << 20)
    (1, 16777217)
    """
    return 1 + (bits * others >> 16)


def bits_of(*numbers: Rational) -> int:
    """The bits of the numerators and denominators.

    >>> from fractions import Fraction
    >>> bits_of(3, Fraction(1, 4))
    7
    """
    return sum(n.numerator.bit_length() + n.denominator.bit_length() for n in numbers)


def written_size(document: object) -> int:
    """The bytes of a document as JSON without blanks; 0 for what is no JSON document.

    >>> written_size({"kind": "overlay"})
    18
    """
    try:
        return len(json.dumps(document, separators=(",", ":")))
    except (TypeError, ValueError, RecursionError):
        return 0
