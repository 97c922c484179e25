"""Records that can be shown whatever numbers are in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from fractions import Fraction
from functools import wraps
from typing import Any, TypeVar

T = TypeVar("T")


def readable(record: type[T]) -> type[T]:
    """The dataclass with a `repr` that never fails: numbers of too many digits are abbreviated.

    CPython refuses to write integers of more than 4,300 digits (`sys.set_int_max_str_digits`), and
    a period of that length is a correct answer.  All other numbers are shown as before, and
    documents hold all digits.  It goes above `dataclass`.

    >>> from dataclasses import dataclass
    >>> @readable
    ... @dataclass(frozen=True)
    ... class Best:
    ...     value: Fraction
    ...     flow: tuple[int, ...]
    >>> Best(Fraction(1, 2), (1, 2))
    Best(value=Fraction(1, 2), flow=(1, 2))
    >>> Best(Fraction(1, 10**5000), (1, -(10**5000)))
    Best(value=Fraction(1, <5001 digits>), flow=(1, -<5001 digits>))
    """
    generated: Callable[[Any], str] = record.__repr__

    @wraps(generated)
    def shown(self: Any) -> str:
        try:
            return generated(self)
        except ValueError:  # some integer in it is too long
            shown_fields = [field.name for field in fields(self) if field.repr]
            members = [f"{name}={abbreviated(getattr(self, name))}" for name in shown_fields]
            return f"{type(self).__qualname__}({', '.join(members)})"

    record.__repr__ = shown  # type: ignore[method-assign]
    return record


def abbreviated(value: object) -> str:
    """The `repr` of a value, with the number of digits in the place of integers that are too long.

    >>> abbreviated([10**5000, {"a": Fraction(10**5000, 3)}, "b"])
    "[<5001 digits>, {'a': Fraction(<5001 digits>, 3)}, 'b']"
    """
    try:
        return repr(value)
    except ValueError:
        pass
    if isinstance(value, int):
        return f"{'-' if value < 0 else ''}<{_digits(abs(value))} digits>"
    if isinstance(value, Fraction):
        return f"Fraction({abbreviated(value.numerator)}, {abbreviated(value.denominator)})"
    if isinstance(value, Mapping):
        pairs = [f"{abbreviated(key)}: {abbreviated(part)}" for key, part in value.items()]
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, (tuple, list)):
        return _listed(value)
    return f"<{type(value).__qualname__} with very long numbers>"


def _listed(value: tuple[Any, ...] | list[Any]) -> str:
    parts = [abbreviated(part) for part in value]
    names = getattr(value, "_fields", None)
    if names is not None:
        members = [f"{name}={part}" for name, part in zip(names, parts, strict=True)]
        return f"{type(value).__qualname__}({', '.join(members)})"
    if isinstance(value, list):
        return f"[{', '.join(parts)}]"
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"


def _digits(value: int) -> int:
    """How many decimal digits a positive integer has."""
    # 30103 / 100000 is just above the logarithm of 2.
    guess = max(0, (value.bit_length() - 1) * 30102 // 100_000)
    while value >= 10 ** (guess + 1):
        guess += 1
    return guess + 1
