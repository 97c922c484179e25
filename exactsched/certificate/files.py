"""Certificates in files: read without losing anything, written whole or not at all.

A file may be packed with gzip (RFC 1952): the text is the same, a third as long or shorter.
"""

from __future__ import annotations

import json
import os
import zlib
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from exactsched.certificate.documents import parse
from exactsched.certificate.limits import MAX_BYTES, MAX_INTEGER_DIGITS
from exactsched.exact.arguments import are_all
from exactsched.exact.atomic_files import write_whole
from exactsched.exact.collection import without_collection
from exactsched.exact.errors import InvalidInput, Malformed
from exactsched.exact.exact_json import unreadable

_WIDTH: Final = 100
_DEEPEST: Final = 6
# What has no parts.
_PLAIN: Final = frozenset({int, str, bool, type(None)})
# The first two bytes of a gzip file, which no text in UTF-8 starts with.
_PACKED: Final = b"\x1f\x8b"
# Of 2.56 million transfers in 28.9 MB: 10.6 MB in 0.6 s; level 6 gives 10.1 MB in 2.5 s.
_LEVEL: Final = 3
# With this number of bits zlib reads and writes the frame of gzip, without a name and a time.
_GZIP: Final = 31
_PIECE: Final = 1 << 20
# What a packed file may become in memory: a mebibyte of brackets takes a gigabyte.
_FREE_MEMORY: Final = 1 << 26
_MEMORY_PER_BYTE: Final = 64

# Every digit becomes a zero, so that a long number is found as a text of zeros, and whatever a
# number outside of strings can stand behind becomes a blank.
_ZEROS: Final = bytes.maketrans(b"123456789", b"000000000")
_ZEROS_AND_BLANKS: Final = bytes.maketrans(b"123456789[,:\t\n\r", b"000000000      ")
_LONG: Final = b"0" * MAX_INTEGER_DIGITS
_LOOKED_AT: Final = 1 << 16  # at a time: a third of the time of looking at all of 30 MB

_flat = json.JSONEncoder(allow_nan=False).encode


def read_certificate(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The JSON object in a file, read without losing anything; a packed one is unpacked.

    Raises `Malformed` for a member given twice, a number with a decimal point or an exponent,
    NaN and infinities, integers of more than 100 digits that are not strings, text that is not
    JSON in UTF-8, nesting beyond what Python's reader follows, anything but an object, more than
    MAX_BYTES, packed or unpacked, and a packed file that is damaged, cut off, goes on after its
    end, or unpacks to more than its size allows; `InvalidInput` for a file that cannot be read.
    The structure is `parse`'s.

    Linear in the size of the file. Reference: proofs/certificate-format.md.

    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = os.path.join(folder, "flow.json")
    ...     with open(file, "w") as written:
    ...         _ = written.write('{"value": "1/2"}')
    ...     print(read_certificate(file))
    {'value': '1/2'}
    """
    return read_with_size(path)[0]


def read(path: str | os.PathLike[str]) -> Any:
    """The result in a file, as itself: the record that its document states.

    It can be drawn, simulated, checked and written like every result.  A solution comes back as the
    record of its series, a finite run as the record of its run.  Nothing in it is proved: `check`
    does that.  Raises what `read_certificate` and `parse` raise.

    Linear in the size of the file. Reference: proofs/certificate-format.md.

    >>> import os, tempfile
    >>> from exactsched import maximum_flow, write_certificate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = os.path.join(folder, "flow.json")
    ...     write_certificate(maximum_flow(2, 0, 1, [(0, 1)], ["1/2"]), file)
    ...     print(read(file))
    value 1/2, optimal (maximum flow, 2 nodes, 1 arc)
    """
    return parse(read_certificate(path))


@without_collection()
def read_with_size(path: str | os.PathLike[str]) -> tuple[dict[str, Any], int]:
    """As `read_certificate`, and the bytes of the file as it is stored, packed or not."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        rule = "the name of a file; check and draw take a document or a result as it is"
        raise InvalidInput("path", type(path).__name__, rule)
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
        raise unreadable(error, place, "certificate") from error
    size = len(written)
    if written.startswith(_PACKED):
        written = _unpacked(written, place)
    if len(written) > MAX_BYTES:
        raise Malformed(place, "a larger file", f"a certificate has at most {MAX_BYTES} bytes")
    try:
        document = json.loads(
            written.decode("utf-8"),
            parse_int=integer if _may_hold_long_integers(written) else None,
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
    return document, size


def _may_hold_long_integers(written: bytes) -> bool:
    """Whether MAX_INTEGER_DIGITS digits in a row stand where a number outside of strings starts.

    Otherwise Python's reader makes the integers by itself, in a quarter of the time.

    >>> long = b"7" * 100
    >>> texts = b'{"":-%b}', b'{"":"1/%b"}', b'{"":["",%b]}'
    >>> [_may_hold_long_integers(text % long) for text in texts]
    [True, False, True]
    """
    # Then every fifth byte is a digit, twenty times: in nearly all files it is not.
    if _LONG[::5] not in written[::5].translate(_ZEROS):
        return False
    if not written.startswith(b"{"):  # no object, or a blank before it
        return True
    for start in range(0, len(written), _LOOKED_AT):
        piece = written[start : start + _LOOKED_AT + len(b" -" + _LONG)]
        # From the end, where a blank decides before zeros are compared: half of the time of `in`.
        if piece.translate(_ZEROS_AND_BLANKS, b"-").rfind(b" " + _LONG) >= 0:
            return True
    return False


def _unpacked(packed: bytes, place: str) -> bytes:
    """The text in a gzip file, or its first bytes if these are more than MAX_BYTES.

    Raises `Malformed` as soon as the text would take too much memory: a bomb is not unpacked.
    """
    unpacking = zlib.decompressobj(_GZIP)
    written, memory, waiting, fault = bytearray(), 0, packed, ""
    try:
        while not unpacking.eof and len(written) <= MAX_BYTES:
            piece = unpacking.decompress(waiting, _PIECE)
            if not piece and not unpacking.eof:
                fault = "the end is missing"
                break
            waiting = unpacking.unconsumed_tail
            written += piece
            memory += _memory_of(piece)
            _refuse_bomb(memory, len(packed), place)
    except zlib.error as error:
        fault = str(error)
    if unpacking.unused_data:
        fault = f"bytes behind the end: {len(unpacking.unused_data)}"
    if fault:
        rule = "a packed certificate is one gzip member, and nothing behind it"
        raise Malformed(place, fault, rule)
    return bytes(written)


def _memory_of(text: bytes) -> int:
    """About how many bytes a text takes as the parts of a document.

    >>> _memory_of(b"[[12,345],[6,7]]")
    368
    """
    parts, lists = text.count(b",") + text.count(b":"), text.count(b"[") + text.count(b"{")
    return 2 * len(text) + 32 * parts + 80 * lists


def _refuse_bomb(memory: int, packed: int, place: str) -> None:
    most = max(_FREE_MEMORY, _MEMORY_PER_BYTE * packed)
    if memory > most:
        rule = f"a packed file of {packed} bytes takes at most {most} in memory; unpack it yourself"
        raise Malformed(place, memory, rule)


@without_collection()
def write_certificate(
    certificate: Any,
    path: str | os.PathLike[str],
) -> None:
    """Writes the document of a result so that a reader finds the old file or the new one, whole.

    One member, slot or tree a line, so that two certificates can be compared by a line tool.
    A file whose name ends with .gz is packed: the same bytes for the same document.
    Raises `Malformed` for a document that `parse` would refuse or `read_certificate` would not
    unpack, `InvalidInput` for a path in the place of the result, and `OSError`.

    Linear in the size of the document. Reference: proofs/certificate-format.md.

    >>> import os, tempfile
    >>> from exactsched import maximum_flow
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = os.path.join(folder, "flow.json")
    ...     write_certificate(maximum_flow(2, 0, 1, [(0, 1)], ["1/2"]), file)
    ...     print(read_certificate(file)["value"])
    1/2
    """
    if isinstance(certificate, (str, bytes, os.PathLike)):
        rule = "the result comes first, then the path: write_certificate(result, path)"
        raise InvalidInput("certificate", os.fsdecode(certificate), rule)
    document = certificate if isinstance(certificate, dict) else certificate.certificate()
    parse(document)
    text = text_of(document)
    if len(text) > MAX_BYTES:
        raise Malformed(os.fspath(path), len(text), f"a certificate has at most {MAX_BYTES} bytes")
    if not os.fspath(path).lower().endswith(".gz"):
        write_whole(path, text)
        return
    packed = list(_packed(text))
    _refuse_bomb(_memory_of(text.encode("utf-8")), sum(map(len, packed)), os.fspath(path))
    write_whole(path, packed)


def text_of(document: Any) -> str:
    """A document as the text of its file.

    >>> text_of({"kind": "overlay"}).splitlines()
    ['{', ' "kind": "overlay"', '}']
    """
    return "\n".join(_lines(document, 0)) + "\n"


def _packed(text: str) -> Iterator[bytes]:
    """The text as gzip, piece by piece."""
    packing = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
    for start in range(0, len(text), _PIECE):
        yield packing.compress(text[start : start + _PIECE].encode("utf-8"))
    yield packing.flush()


def _lines(value: object, depth: int) -> list[str]:
    """JSON on one line if that is short, flat, or six levels deep; else a line for each part.

    Flat is also a list of lists of one number: the tasks of a tree, millions in some certificates.
    """
    if isinstance(value, dict):
        parts = list(value.values())
        opening, closing = "{", "}"
    elif isinstance(value, list) and not _PLAIN.issuperset(map(type, value)):
        parts = value
        opening, closing = "[", "]"
    else:
        return [str(value)] if type(value) is int else [_flat(value)]
    if depth == _DEEPEST or _are_single(value):
        return [_flat(value)]
    # Every number is turned into text once: what is short is put together of short parts.
    inner = _alike(value, depth + 1) if isinstance(value, list) else None
    inner = inner or [_lines(part, depth + 1) for part in parts]
    if isinstance(value, dict):
        for name, lines in zip(value, inner, strict=True):
            lines[0] = f"{_flat(name)}: {lines[0]}"
    if depth > 0 and {1}.issuperset(map(len, inner)):
        flat = ", ".join([line for (line,) in inner])
        if depth + len(flat) + 2 <= _WIDTH:  # two for the brackets
            return [opening + flat + closing]
    for lines in inner[:-1]:
        lines[-1] += ","
    return [opening, *[" " + line for lines in inner for line in lines], closing]


def _are_single(value: object) -> bool:
    if not isinstance(value, list) or not are_all(list, value):
        return False
    return {1}.issuperset(map(len, value)) and are_all(int, [one for (one,) in value])


def _alike(value: list[Any], depth: int) -> list[list[str]] | None:
    """The lines of parts that are all lists or all objects, most of them on one line.

    It is as `_lines`, and takes a fifth of the time: the text of all is made at once and divided.
    """
    kinds = {*map(type, value)}
    if kinds not in ({dict}, {list}):
        return None
    text = _flat(value)
    opening, closing = "{}" if kinds == {dict} else "[]"
    parts = text[2:-2].split(f"{closing}, {opening}")
    if len(parts) != len(value):  # there are such parts within parts
        return None
    longest = _WIDTH - depth - 2
    return [
        [f"{opening}{part}{closing}"]
        if len(part) <= longest or (opening == "[" and "[" not in part and "{" not in part)
        else _lines(one, depth)
        for part, one in zip(parts, value, strict=True)
    ]
