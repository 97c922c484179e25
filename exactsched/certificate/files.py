"""Certificates in files: read without losing anything, written whole or not at all."""

from __future__ import annotations

import json
import os
from collections import Counter
from typing import Any, Final

from exactsched.atomic import write_whole
from exactsched.certificate.limits import MAX_BYTES, MAX_INTEGER_DIGITS
from exactsched.certificate.logp import LogPCertificate
from exactsched.certificate.minmax import MinMax
from exactsched.certificate.nouns import Certificate
from exactsched.certificate.overlay import Overlay
from exactsched.certificate.reading import parse
from exactsched.certificate.steps import StepBroadcast
from exactsched.certificate.writing import to_document
from exactsched.errors import InvalidInput, Malformed

_WIDTH: Final = 100


def read_certificate(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The JSON object in a file, read without losing anything.

    Raises `Malformed` for a member given twice, a number with a decimal point or an exponent,
    NaN and infinities, integers of more than 100 digits that are not strings, text that is not
    JSON in UTF-8, nesting beyond what Python's reader follows, anything but an object, and more
    than MAX_BYTES; `InvalidInput` for a file that cannot be read.  The structure is `parse`'s.
    """
    place = os.fspath(path)

    def integer(digits: str) -> int:
        if len(digits) > MAX_INTEGER_DIGITS:
            raise Malformed(place, digits, "integers from 2^53 are strings")
        return int(digits)

    def refuse(literal: str) -> object:
        raise Malformed(place, literal, 'numbers are integers or strings "p/q"')

    def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) < len(pairs):
            twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
            raise Malformed(place, twice, "this member is given twice")
        return members

    try:
        with open(path, "rb") as file:
            written = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidInput(place, reason, "a certificate is a file that can be read") from error
    if len(written) > MAX_BYTES:
        raise Malformed(place, "a larger file", f"a certificate has at most {MAX_BYTES} bytes")
    try:
        document = json.loads(
            written.decode("utf-8"),
            parse_int=integer,
            parse_float=refuse,
            parse_constant=refuse,
            object_pairs_hook=distinct,
        )
    except Malformed:
        raise
    except UnicodeDecodeError as error:
        raise Malformed(place, error.reason, "a certificate is text in UTF-8") from error
    except json.JSONDecodeError as error:
        at = f"{place}, line {error.lineno}, column {error.colno}"
        raise Malformed(at, error.msg, "a certificate is a JSON document") from error
    except RecursionError as error:
        raise Malformed(place, "brackets", "nested too deeply for a certificate") from error
    if not isinstance(document, dict):
        raise Malformed(place, type(document).__name__, "a certificate is a JSON object")
    return document


def write_certificate(
    certificate: dict[str, Any] | Certificate | MinMax | LogPCertificate | Overlay | StepBroadcast,
    path: str | os.PathLike[str],
) -> None:
    """Writes a document or a noun so that a reader finds the old file or the new one, whole.

    One member, slot or tree a line, so that two certificates can be compared by a line tool.
    Raises `Malformed` for a document that `parse` would refuse, and `OSError`.
    """
    document = certificate if isinstance(certificate, dict) else to_document(certificate)
    parse(document)
    lines = "\n".join(_lines(document, 0)) + "\n"
    if len(lines) > MAX_BYTES:
        raise Malformed(os.fspath(path), len(lines), f"a certificate has at most {MAX_BYTES} bytes")
    write_whole(path, lines)


def _lines(value: object, depth: int) -> list[str]:
    """JSON on one line if that is short, flat, or six levels deep; else a line for each part."""
    flat = json.dumps(value, allow_nan=False)
    parts: list[tuple[str, object]]
    if isinstance(value, dict):
        parts = [(f"{json.dumps(name)}: ", part) for name, part in value.items()]
    elif isinstance(value, list) and any(isinstance(part, (dict, list)) for part in value):
        parts = [("", part) for part in value]
    else:
        return [flat]
    if depth > 0 and (len(flat) + depth <= _WIDTH or depth == 6):
        return [flat]
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    lines = [opening]
    for position, (label, part) in enumerate(parts):
        inner = _lines(part, depth + 1)
        inner[0] = label + inner[0]
        inner[-1] += "," if position < len(parts) - 1 else ""
        lines += [" " + line for line in inner]
    return [*lines, closing]
