"""Files from outside, read without losing anything: JSON numbers are taken as they are written."""

from __future__ import annotations

import json
import os
from io import BytesIO
from typing import Final

from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import MAX_DIGITS, integer_from_digits

# The first two bytes of a gzip file, which no text in UTF-8 starts with.
_PACKED: Final = b"\x1f\x8b"


class Decimal(str):
    """A JSON number with a point or an exponent, as it is written; a string is a plain `str`."""

    __slots__ = ()


def shown_path(path: str | os.PathLike[str]) -> str:
    """A path for a message of one line.

    >>> shown_path("ring.json"), shown_path("")
    ('ring.json', "''")
    """
    shown = os.fspath(path)
    return shown if shown.isprintable() and shown else repr(shown)


def unreadable(error: OSError | ValueError, place: str, noun: str) -> InvalidInput:
    """The refusal of a file that cannot be opened: it is missing, or what the system says of it.

    >>> str(unreadable(FileNotFoundError(2, "No such file"), "ring.json", "platform"))
    "ring.json: 'no such file': a platform is a file that can be read"
    """
    reason = getattr(error, "strerror", None) or str(error)
    if isinstance(error, FileNotFoundError):
        reason = "no such file"
    return InvalidInput(place, reason, f"a {noun} is a file that can be read")


def file_text(path: str | os.PathLike[str], noun: str, most_bytes: int) -> str:
    """The text of a file in UTF-8, with or without a byte order mark, packed with gzip or not.

    `noun` is what the file should hold, for the messages.  Raises `InvalidInput` where it cannot be
    read, has more than `most_bytes`, packed or unpacked, is packed and damaged, or is not UTF-8.
    """
    try:
        with open(path, "rb") as file:
            written = file.read(most_bytes + 1)
    except (OSError, ValueError) as error:
        raise unreadable(error, "file", noun) from error
    if written.startswith(_PACKED):
        written = _unpacked(written, most_bytes)
    if len(written) > most_bytes:
        raise InvalidInput("file", "too large", f"at most {most_bytes} bytes are read")
    try:
        return written.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        rule = f"a {noun} is text in UTF-8"
        raise InvalidInput(f"byte {error.start}", error.reason, rule) from error


def _unpacked(packed: bytes, most_bytes: int) -> bytes:
    """What a gzip file holds, or one byte more than is read."""
    import gzip
    import zlib

    try:
        with gzip.open(BytesIO(packed)) as unpacked:
            return unpacked.read(most_bytes + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidInput("file", str(error), "a packed file is a whole file of gzip") from error


def parsed_json(written: str, noun: str) -> object:
    """The JSON document that a text holds, with every number exact.

    Integers are `int`, other numbers `Decimal`.  Raises `InvalidInput` for what is not JSON or
    nested too deeply, members given twice, NaN and infinities, and numbers of too many digits.

    >>> parsed_json('{"cost": 0.1, "size": 10}', "platform")
    {'cost': '0.1', 'size': 10}
    """

    def integer(digits: str) -> int:
        if len(digits) > MAX_DIGITS:
            raise InvalidInput(
                "document", digits, f"numbers of more than {MAX_DIGITS} digits are refused"
            )
        return integer_from_digits(digits)

    def refuse(literal: str) -> object:
        raise InvalidInput("document", literal, "this is not a number")

    def distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
        members: dict[str, object] = {}
        for name, value in pairs:
            if name in members:
                raise InvalidInput("document", name, "this member is given twice in one object")
            members[name] = value
        return members

    try:
        return json.loads(
            written,
            parse_int=integer,
            parse_float=Decimal,
            parse_constant=refuse,
            object_pairs_hook=distinct,
        )
    except json.JSONDecodeError as error:
        at = f"line {error.lineno}, column {error.colno}"
        raise InvalidInput(at, error.msg, "this is not JSON, or only a part of it") from error
    except RecursionError as error:
        raise InvalidInput("document", "brackets", f"nested too deeply for a {noun}") from error
