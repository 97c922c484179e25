"""Documents: files, numbers, members, and the budget of work (proofs/certificate-format.md)."""

import json
import re
import zlib
from collections.abc import Callable
from fractions import Fraction
from typing import Any

LARGEST_FILE = 2**30
PIECE = 2**22  # of a file that is unpacked
HUGE = 10**18
Document = dict[str, Any]
Values = dict[str, Any]  # what an accepted document proves
NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(/[1-9][0-9]*)?")
Shape = Callable[[Any], Any]


class Malformed(Exception):
    """The structure is wrong."""


class Rejected(Exception):
    """The structure is right, and a rule fails."""


class WrongClaim(Rejected):
    """A stated number is not the computed one; the fuzzer states that one and goes on."""

    def __init__(self, member: str, computed: Any) -> None:
        super().__init__(f"{member} is not {computed}")
        self.member, self.computed = member, computed


def structure(holds: bool, what: str) -> None:
    """Refuse a document whose structure is wrong."""
    if not holds:
        raise Malformed(what)


def rule(holds: bool, what: str) -> None:
    """Refuse a document that breaks a rule."""
    if not holds:
        raise Rejected(what)


def claim(member: str, stated: Any, computed: Any) -> None:
    """Refuse a document that states another number than the computed one."""
    if stated != computed:
        raise WrongClaim(member, computed)


# Files


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    structure(len({name for name, _ in pairs}) == len(pairs), "a member is given twice")
    return dict(pairs)


def _no_number(text: str) -> None:
    raise Malformed(f"{text} is neither an integer nor a string")


def _unpacked(content: bytes) -> bytes:
    """The text of a gzip file of one member; piece by piece, to stop where it takes too much."""
    unpack, pieces, memory, rest = zlib.decompressobj(31), [], 0, content
    while rest:
        piece = unpack.decompress(rest, PIECE)
        memory += 2 * len(piece) + 32 * sum(map(piece.count, (b",", b":")))
        memory += 80 * sum(map(piece.count, (b"[", b"{")))
        structure(memory <= max(2**26, 64 * len(content)), "too much memory")
        pieces.append(piece)
        rest = unpack.unconsumed_tail
    structure(unpack.eof and not unpack.unused_data, "not one gzip member")
    return b"".join(pieces)


def parse(content: bytes | str) -> dict[str, Any]:
    """The JSON object of a file, or of its text."""
    Budget.left = 2**25 + 32 * len(content)
    try:
        if isinstance(content, bytes):
            if content[:2] == b"\x1f\x8b":
                content = _unpacked(content)
            structure(len(content) <= LARGEST_FILE, "the file is too large")
            content = content.decode("utf-8")
        document = json.loads(
            content, object_pairs_hook=_object, parse_float=_no_number, parse_constant=_no_number
        )
    except (ValueError, zlib.error, RecursionError) as error:
        raise Malformed(str(error)) from None
    structure(isinstance(document, dict), "a document is an object")
    return document


# Numbers. A shape is a function that takes a value of JSON and returns what it means.


def any_rational(value: Any) -> Fraction:
    """A JSON integer below 2^53, or a string p or p/q."""
    if type(value) is int:
        structure(abs(value) < 2**53, "a large integer that is not a string")
        return Fraction(value)
    structure(isinstance(value, str) and len(value) <= 200_000, "a number is expected")
    structure(NUMBER.fullmatch(value) is not None, "not a number")
    return Fraction(value)


def positive(value: Any) -> Fraction:
    number = any_rational(value)
    structure(number > 0, "a number is not positive")
    return number


def nonnegative(value: Any) -> Fraction:
    number = any_rational(value)
    structure(number >= 0, "a number is negative")
    return number


def integer(low: int | None = None, high: int | None = None) -> Shape:
    """An integer from low to high."""

    def read(value: Any) -> int:
        structure(not isinstance(value, str) or "/" not in value, "an integer has a denominator")
        number = any_rational(value).numerator
        structure(low is None or number >= low, "an integer is too small")
        structure(high is None or number <= high, "an integer is too large")
        return number

    return read


def index(length: int) -> Shape:
    """The index of an entry of a list."""
    return integer(0, length - 1)


# Other values


def text(value: Any) -> str:
    structure(isinstance(value, str), "a text is expected")
    return value


def truth(value: Any) -> bool:
    structure(isinstance(value, bool), "true or false is expected")
    return value


def choice(*words: str) -> Shape:
    """One of some words."""

    def read(value: Any) -> str:
        structure(isinstance(value, str) and value in words, f"not one of {words}")
        return value

    return read


def listing(shape: Shape, least: int = 0, most: int | None = None, distinct: bool = False) -> Shape:
    """A list of values of one shape."""

    def read(value: Any) -> list[Any]:
        structure(isinstance(value, list), "a list is expected")
        structure(len(value) >= least, "a list is too short")
        structure(most is None or len(value) <= most, "a list is too long")
        values = [shape(entry) for entry in value]
        structure(not distinct or len(set(values)) == len(values), "an entry is there twice")
        return values

    return read


def each(shape: Shape, length: int) -> Shape:
    """A list of this length."""
    return listing(shape, length, length)


def row(*shapes: Shape) -> Shape:
    """A list with one value of each shape."""

    def read(value: Any) -> tuple[Any, ...]:
        structure(
            isinstance(value, list) and len(value) == len(shapes), "a row is too long or short"
        )
        return tuple(shape(entry) for shape, entry in zip(shapes, value, strict=True))

    return read


def maybe(shape: Shape) -> Shape:
    """The same or null."""
    return lambda value: None if value is None else shape(value)


def members(value: Any, names: str) -> Callable[[str, Shape], Any]:
    """A function that reads a member of an object; the object has these members and no others."""
    structure(isinstance(value, dict), "an object is expected")
    structure(set(value) == set(names.split()), "members are missing or unknown")
    return lambda name, shape: shape(value[name])


# The budget of work


class Budget:
    """Steps of loops that may be far longer than the document. They are counted roughly."""

    left = 0

    @classmethod
    def spend(cls, steps: int) -> None:
        cls.left -= steps
        rule(cls.left >= 0, "the budget of work is spent")
