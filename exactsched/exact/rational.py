"""Exact numbers in and out: the one place where text and foreign types become `Fraction`.

Accepted are `int`, `Fraction`, `decimal.Decimal`, integers and rationals of other libraries (numpy,
flint, gmpy2), and text such as ``"3/7"``, ``"0.25"``, ``".25"`` or ``"1e-3"``.  `float` and `bool`
are refused: 0.1 is not one tenth.
"""

from __future__ import annotations

import numbers
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import fields
from decimal import Decimal
from fractions import Fraction
from functools import wraps
from inspect import signature
from itertools import chain
from math import isfinite
from numbers import Integral, Real
from typing import Any, TypeGuard, TypeVar, cast

from exactsched.exact.errors import InvalidInput

Rational = int | Fraction
T = TypeVar("T")

# Long numbers are legal (periods of hundreds of digits are ordinary), endless ones are not:
# the limit keeps hostile input from stalling a checker.
MAX_DIGITS = 100_000

_RATIO = re.compile(r"[+-]?[0-9]+(/[0-9]+)?")
_DECIMAL = re.compile(r"([+-]?)(?=\.?[0-9])([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,4}))?")
# A number as certificates write it.
CANONICAL = re.compile(r"-?(0|[1-9][0-9]*)(/[1-9][0-9]*)?")
# CPython converts at most 4300 digits at once (sys.set_int_max_str_digits); we work in
# pieces below that instead of changing a setting of the whole process.
_PIECE = 4000


def integer_from_digits(digits: str) -> int:
    """The integer written by decimal digits with an optional sign, of any length up to MAX_DIGITS.

    >>> integer_from_digits("-12")
    -12
    """
    if digits[:1] in ("-", "+"):
        magnitude = integer_from_digits(digits[1:])
        return -magnitude if digits[0] == "-" else magnitude
    if len(digits) <= _PIECE:
        return int(digits)
    low = len(digits) // 2
    shift: int = 10**low
    return integer_from_digits(digits[:-low]) * shift + integer_from_digits(digits[-low:])


def digits_of_integer(value: int) -> str:
    """The decimal digits of an integer of any length.

    >>> digits_of_integer(-10**5000)[:3], len(digits_of_integer(10**5000))
    ('-10', 5001)
    """
    if value < 0:
        return "-" + digits_of_integer(-value)
    if value.bit_length() < 3 * _PIECE:
        return str(value)
    low = value.bit_length() * 3 // 20
    high, rest = divmod(value, 10**low)
    return digits_of_integer(high) + digits_of_integer(rest).rjust(low, "0")


def exact(value: object, place: str) -> Fraction:
    """The rational number that a value stands for, exactly.

    `place` names the value in the error message.  Raises `InvalidInput` for `float` and `bool`,
    for text that is not a number, for a zero denominator, and beyond MAX_DIGITS digits.

    >>> exact("0.25", "cost of a->b")
    Fraction(1, 4)
    >>> exact("-.43", "cost of a->b") == exact(Decimal("-43e-2"), "cost of a->b")
    True
    """
    if is_fraction(value):
        return value
    if isinstance(value, bool):
        raise InvalidInput(place, value, "a truth value is not a number; write 0 or 1")
    if isinstance(value, float):
        raise InvalidInput(place, value, _what_to_write(value))
    if isinstance(value, int):
        return Fraction(value)
    if isinstance(value, str):
        return _from_text(value.strip(), place)
    if isinstance(value, Integral):  # as those of numpy are
        return Fraction(int(value))
    if isinstance(value, Decimal):
        return _from_text(str(value), place)
    if isinstance(value, numbers.Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, Real):  # as short floats of numpy are
        raise InvalidInput(place, value, _what_to_write(value))
    # By name, not by import: flint takes 45 ms to load.  A residue (nmod) is no number.
    kind = type(value)
    if kind.__module__.split(".")[0] == "flint" and kind.__name__ in ("fmpz", "fmpq"):
        numerator: Any = getattr(value, "p", value)
        denominator: Any = getattr(value, "q", 1)
        return Fraction(int(numerator), int(denominator))
    raise InvalidInput(place, value, 'not an exact number; write an integer or a string "p/q"')


def is_fraction(value: object) -> TypeGuard[Fraction]:
    """Whether a value is of the type `Fraction`, and over Python's own integers.

    A fraction of two integers of numpy keeps them as they are, and then they wrap around: four
    times 2^62 is 0.
    """
    return type(value) is Fraction and type(value.numerator) is type(value.denominator) is int


def are_fractions(values: Collection[object]) -> bool:
    """The same of all values at once.

    >>> are_fractions([Fraction(1, 2), Fraction(3)]), are_fractions([Fraction(1, 2), 3])
    (True, False)
    """
    if not {Fraction}.issuperset(map(type, values)):
        return False
    pairs = map(Fraction.as_integer_ratio, cast("Collection[Fraction]", values))
    return {int}.issuperset(map(type, chain.from_iterable(pairs)))


class Fractions(tuple[Fraction, ...]):
    """Fractions in lowest terms, with their numerators and their positive denominators.

    Whoever makes one vouches for it: to take many fractions apart takes longer than to add them.
    """

    numerators: list[int]
    denominators: list[int]


def _what_to_write(value: Any) -> str:
    if not isfinite(value):
        return "a float is not exact, and this one is no number at all"
    return (
        f'a float is not exact; write a string such as "{value!s}" or "p/q", or exactly({value!s}),'
        " which takes arrays too"
    )


def exactly(values: Any, *, decimal: bool = False) -> Any:
    """The exact value of a float; with `decimal` that of the shortest text that means the float.

    Of a list, an array of numpy or a frame of pandas: those of all its elements, in a list, an
    array or a frame of objects; of a sparse matrix of scipy, those that are stored, in a matrix of
    coordinates.  Exact numbers, and text that means one, have the values that they have.

    Raises `InvalidInput` for infinities and for what is not a number, truth values among them.

    Two operations on integers of at most 1100 bits for each element. Reference: IEEE 754-2019; with
    `decimal`, the text of `str`.

    >>> exactly(0.25), exactly(0.1, decimal=True), exactly(0.1) == Fraction(1, 10)
    (Fraction(1, 4), Fraction(1, 10), False)
    >>> exactly([[1, 0.5], ["1/3", 2]])
    [[Fraction(1, 1), Fraction(1, 2)], [Fraction(1, 3), Fraction(2, 1)]]
    """
    if hasattr(values, "tocoo"):
        matrix = values.tocoo(copy=True)
        matrix.data = exactly(matrix.data, decimal=decimal)
        return matrix
    if hasattr(values, "to_numpy"):
        return values.map(lambda value: exactly(value, decimal=decimal))
    if isinstance(values, (list, tuple)):
        return [exactly(value, decimal=decimal) for value in values]
    if getattr(values, "shape", ()):
        made = values.astype(object).ravel()
        made[:] = [exactly(value, decimal=decimal) for value in values.ravel()]
        return made.reshape(values.shape)
    if not isinstance(values, Real) or isinstance(values, numbers.Rational):
        return exact(values, "number")
    if not isfinite(values):
        raise InvalidInput("number", values, "a finite float")
    return exact(str(values), "number") if decimal else Fraction(float(values))


def _from_text(written: str, place: str) -> Fraction:
    if len(written) > 2 * MAX_DIGITS:
        raise InvalidInput(place, written, f"numbers of more than {MAX_DIGITS} digits are refused")
    if _RATIO.fullmatch(written):
        over, _, under = written.partition("/")
        denominator = integer_from_digits(under) if under else 1
        if denominator == 0:
            raise InvalidInput(place, written, "the denominator is zero")
        return Fraction(integer_from_digits(over), denominator)
    decimal = _DECIMAL.fullmatch(written)
    if decimal is None:
        raise InvalidInput(place, written, 'not a number; write "p/q" or a decimal such as "0.25"')
    sign, whole, fraction, exponent = decimal.groups()
    fraction = fraction or ""
    magnitude = Fraction(integer_from_digits(whole + fraction), 10 ** len(fraction))
    return (-magnitude if sign == "-" else magnitude) * Fraction(10) ** int(exponent or 0)


def from_canonical(value: object) -> Fraction | None:
    """The number that a certificate writes: an integer, or "p/q" in canonical digits; else None.

    >>> from_canonical("3/2"), from_canonical(1.5), from_canonical("1.5")
    (Fraction(3, 2), None, None)
    """
    if type(value) is int:
        return Fraction(value)
    if type(value) is not str or len(value) > 2 * MAX_DIGITS or not CANONICAL.fullmatch(value):
        return None
    over, _, under = value.partition("/")
    return Fraction(integer_from_digits(over), integer_from_digits(under) if under else 1)


def text(value: Fraction | int) -> str:
    """A rational in canonical digits: "p" or "p/q".

    >>> text(Fraction(6, 4)), text(2)
    ('3/2', '2')
    """
    if type(value) is not Fraction:
        value = Fraction(value)
    over = digits_of_integer(value.numerator)
    return over if value.denominator == 1 else f"{over}/{digits_of_integer(value.denominator)}"


def to_json(value: Fraction | int) -> int | str:
    """A rational as a JSON value: a small integer as itself, anything else as text.

    Integers of 2^53 and more are text, because readers in other languages would round them.
    """
    if type(value) is not Fraction and type(value) is not int:
        value = Fraction(value)
    if value.denominator > 1:
        return text(value)
    number = value.numerator
    return number if -(2**53) < number < 2**53 else digits_of_integer(number)


# Records that can be shown whatever numbers are in them.


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


class OneLine:
    """A record whose `repr` is its name and `str`: what it says, and not all of its members.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Best(OneLine):
    ...     rows: tuple[int, ...]
    ...     def __str__(self):
    ...         return f"best of {len(self.rows)}"
    >>> Best((1, 2))
    Best(best of 2)
    """

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        # `dataclass` writes a `repr` of all members, unless the class has one.
        if "__repr__" not in cls.__dict__:
            cls.__repr__ = OneLine.__repr__  # type: ignore[method-assign]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self})"


def pasteable(record: type[T]) -> type[T]:
    """The dataclass with a `repr` that can be typed: rationals as 1 or '1/2', no defaults.

    It needs no name but those of the package.  It goes above `dataclass`, and the constructor takes
    numbers as text and rows as plain tuples.

    >>> from dataclasses import dataclass
    >>> @pasteable
    ... @dataclass(frozen=True)
    ... class Asked:
    ...     sizes: tuple[Fraction, ...]
    ...     ports: str = "link"
    >>> Asked((Fraction(1, 2), Fraction(3)))
    Asked(sizes=('1/2', 3))
    >>> Asked((Fraction(10**5000),), "routes")
    Asked(sizes=(Fraction(<5001 digits>, 1),), ports='routes')
    """
    parameters = signature(record).parameters

    def shown(self: Any) -> str:
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        members = [
            f"{name}={abbreviated(_typed(value))}"
            for name, value in values.items()
            if value != parameters[name].default
        ]
        return f"{type(self).__qualname__}({', '.join(members)})"

    record.__repr__ = shown  # type: ignore[method-assign]
    return record


def _typed(value: Any) -> Any:
    """What may be given for a value: text for a rational, a plain tuple for a row."""
    if isinstance(value, Fraction):
        return to_json(value) if _digits(abs(value.numerator) + value.denominator) < 4000 else value
    if isinstance(value, tuple):
        return tuple(map(_typed, value))
    if isinstance(value, Mapping):
        return {key: _typed(part) for key, part in value.items()}
    return value


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
