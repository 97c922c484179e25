"""One codec for all certificates: the type of a record says how its document reads.

| type | in the document |
|---|---|
| `int` | an integer, as text from 2^53 on |
| `Fraction` | an integer or a string "p/q" |
| `Rational` | the same, read as an `int` where it is whole |
| `str`, `bool`, `Literal` of texts | text, true or false, one of the texts |
| `Node` | text, or an integer below 2^53 |
| a number of `rules`, such as `Natural` | the same number; another sign is refused |
| `tuple[X, ...]` | a list |
| `tuple[X, Y]`, `NamedTuple` | a row, a list of this length; fields with a default may end early |
| `X \\| None` | null for None |
| `Mapping[str, X]` | an object |
| a record (frozen dataclass) | an object with a member for each field, without a default None |
| a union of records | an object whose tag tells which record it is |

A record of a union has a tag, `TAG: ClassVar[tuple[str, str]]`, such as ("proof", "cuts"): the
member `proof` comes first and is "cuts".  What a record demands of its fields stands in its method
`validate(self) -> None`, which raises `InvalidInput` with a place relative to the record, such as
"arcs[3]".  The codec calls it after it has read the record.  `DOCUMENTS` names the classes that
are no records of their own documents, and the records that they are written as.

A reader takes a value, and raises `Malformed` with a place relative to this value: "" or a path
that begins with its separator (".arcs[3]").  Every reader that looks into a part puts the path of
this part before it, so that places cost nothing where nothing is wrong.  A writer leaves whatever
is not what the type says as it is, for the reader to refuse.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache, partial, reduce
from operator import or_
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from exactsched.certificate.elements import (
    integer_document,
    number_document,
    read_choice,
    read_integer,
    read_list,
    read_members,
    read_name,
    read_number,
    read_object,
    read_rational,
    read_row,
    read_text,
    read_truth,
    sketch,
)
from exactsched.certificate.in_bulk import many
from exactsched.certificate.model_documents import DOCUMENTS, Document
from exactsched.certificate.repeated import read_once, remembering
from exactsched.certificate.rules import Rows, Sign
from exactsched.certificate.shapes import (
    columns,
    is_row,
    member_names,
    optional_names,
    tags,
)
from exactsched.exact.errors import InvalidInput, Malformed
from exactsched.exact.rational import Rational
from exactsched.model.platform import Node

Reader = Callable[[Any], Any]
Writer = Callable[[Any], Any]


def read(kind: Any, value: object, place: str) -> Any:
    """The value of this type that a part of a document states; `place` is where the part stands.

    Raises `Malformed` with the whole place.

    >>> read(tuple[str, ...], ["a", 1], "names")
    Traceback (most recent call last):
    exactsched.exact.errors.Malformed: names[1]: 1: text is needed here
    """
    return _placed(place, codec(kind)[0], value)


def write(kind: Any, value: Any) -> Any:
    """The part of a document that states a value of this type; `read` is its inverse.

    >>> write(tuple[Rational, ...], (2**60, Fraction(1, 3)))
    ['1152921504606846976', '1/3']
    """
    return _placed("", codec(kind)[1], value)


def read_record(record: type, members: Mapping[str, Any], place: str = "") -> Any:
    """The record whose fields are the members of that name; other members are not looked at."""
    return _placed(place, partial(_made, record), members)


# A proof by cases may be nested a hundred deep (MAX_DEPTH), at ten calls a level; Python stops at
# a thousand calls.  Its own calls take no space on the stack of the machine.
_CALLS: Final = 5_000


def _placed(place: str, reader: Reader, value: object) -> Any:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _CALLS))
    try:
        with remembering():
            return reader(value)
    except Malformed as error:
        raise _at((place + error.place).lstrip(".: ") or "document", error) from None
    except RecursionError:
        raise Malformed(place or "document", "parts in parts", "nested too deeply") from None
    finally:
        sys.setrecursionlimit(before)


def _within(path: str, error: InvalidInput) -> Malformed:
    return _at(path + error.place, error)


def _at(place: str, error: InvalidInput) -> Malformed:
    return Malformed(place, error.value, error.rule).with_traceback(error.__traceback__)


@cache
def codec(kind: Any) -> tuple[Reader, Writer]:
    """How a value of this type is read, and how it is written."""
    if kind in _ELEMENTS:
        return _ELEMENTS[kind]
    if kind in DOCUMENTS:
        return _of_class(DOCUMENTS[kind], kind)
    if is_dataclass(kind):
        return _of_record(kind)
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _of_number(*parts)
    if origin is Literal:
        return partial(read_choice, place="", allowed=parts), _as_it_is
    if origin in (Union, types.UnionType):
        return _of_union(kind)
    if isinstance(origin, type) and issubclass(origin, Mapping) and parts[0] is str:
        return _of_mapping(parts[1])
    if parts[1:] == (...,):
        return _of_list(parts[0])
    if is_row(kind):
        return _of_row(kind)
    raise TypeError(f"no part of a document is of the type {kind}")


def _as_it_is(value: Any) -> Any:
    return value


_ELEMENTS: Final[dict[Any, tuple[Reader, Writer]]] = {
    int: (partial(read_integer, place=""), integer_document),
    Fraction: (partial(read_rational, place=""), number_document),
    Rational: (partial(read_number, place=""), number_document),
    str: (partial(read_text, place=""), _as_it_is),
    bool: (partial(read_truth, place=""), _as_it_is),
    Node: (partial(read_name, place=""), _as_it_is),
}


def _of_number(kind: Any, says: object) -> tuple[Reader, Writer]:
    read_number_of_kind, write_number = codec(kind)
    if not isinstance(says, Sign):
        return read_number_of_kind, write_number
    sign = says

    def read_signed(value: object) -> Any:
        number = read_number_of_kind(value)
        if number.numerator < sign.positive:
            raise Malformed("", sketch(value), sign.rule)
        return number

    return read_signed, write_number


# Records, and what tells them apart.


@cache
def _members_of(record: type) -> tuple[tuple[str, Reader, Writer], ...]:
    hints = get_type_hints(record, include_extras=True)
    return tuple((field.name, *codec(hints[field.name])) for field in fields(record))


def _made(record: Any, members: Mapping[str, Any]) -> Any:
    """The record of these members; it may refuse itself, as it is made or in `validate`."""
    values = {}
    for name, reader, _ in _members_of(record):
        if name not in members:  # it may be missing: the record has a default
            continue
        try:
            values[name] = reader(members[name])
        except Malformed as error:
            raise _within(f".{name}", error) from None
    try:
        made = record(**values)
    except InvalidInput as error:  # by a class of the model, which may name the place in words
        raise _within(": " if " " in error.place else ".", error) from None
    if hasattr(record, "validate"):
        try:
            made.validate()
        except InvalidInput as error:
            raise _within("." if error.place else "", error) from None
    return made


def _of_record(record: Any) -> tuple[Reader, Writer]:
    optional = optional_names(record)
    names = tuple(name for name in member_names(record) if name not in optional)
    tag = getattr(record, "TAG", None)
    full = frozenset(names)

    def read_members_of_record(value: Any) -> Any:
        members = value
        if type(value) is not dict or value.keys() != full:
            members = read_members(value, "", names, optional)
        if tag is not None:
            read_choice(members[tag[0]], f".{tag[0]}", (tag[1],))
        return _made(record, members)

    def write_members(value: Any) -> Any:
        if value.__class__ is not record:
            return value
        members = {} if tag is None else {tag[0]: tag[1]}
        for name, _, writer in _members_of(record):
            member = getattr(value, name)
            if member is not None or name not in optional:
                members[name] = writer(member)
        return members

    if getattr(record, "REPEATED", False):
        return read_once(read_members_of_record), write_members
    return read_members_of_record, write_members


def _of_union(union: Any) -> tuple[Reader, Writer]:
    parts = [part for part in get_args(union) if part is not types.NoneType]
    if len(parts) < len(get_args(union)):
        some: Any = reduce(or_, parts)
        return _optional(*codec(some))
    name, records = tags(union)
    readers = {tag: codec(record)[0] for tag, record in records.items()}
    writers = {record: codec(record)[1] for record in records.values()}

    def read_tagged(value: object) -> Any:
        if type(value) is not dict or name not in value:
            read_members(value, "", (name,))  # says what is missing
        tag = read_choice(value[name], f".{name}", tuple(readers))  # type: ignore[index]
        return readers[tag](value)

    def write_tagged(value: Any) -> Any:
        return writers.get(type(value), _as_it_is)(value)

    return read_tagged, write_tagged


def _optional(read_part: Reader, write_part: Writer) -> tuple[Reader, Writer]:
    def read_if_any(value: object) -> Any:
        return None if value is None else read_part(value)

    def write_if_any(value: Any) -> Any:
        return None if value is None else write_part(value)

    return read_if_any, write_if_any


def _of_mapping(kind: Any) -> tuple[Reader, Writer]:
    read_part, write_part = codec(kind)

    read_at_once, _ = many(kind)

    def read_all(value: object) -> dict[str, Any]:
        members = read_object(value, "")
        if (all_values := read_at_once(list(members.values()))) is not None:
            return dict(zip(members, all_values, strict=True))
        values = {}
        for name, part in members.items():
            try:
                values[name] = read_part(part)
            except Malformed as error:
                raise _within(f".{name}", error) from None
        return values

    def write_all(value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value
        return {name: write_part(part) for name, part in value.items()}

    return read_all, write_all


# Lists and rows.


def _of_row(row: Any) -> tuple[Reader, Writer]:
    kinds, names, needed = columns(row)
    pairs = [codec(kind) for kind in kinds]
    readers, writers = [reader for reader, _ in pairs], [writer for _, writer in pairs]
    lengths = range(needed, len(names) + 1)
    shape = f"[{', '.join(names)}]" + "".join(f" or without {name}" for name in names[needed:])
    make: Callable[[list[Any]], Any] = tuple
    if get_origin(row) is not tuple:
        make = row._make if needed == len(names) else lambda parts: row(*parts)
    defaults = getattr(row, "_field_defaults", {})
    optional = [(position, defaults[names[position]]) for position in lengths[:-1]][::-1]

    def read_columns(value: object) -> Any:
        listed = read_row(value, "", shape, *lengths)
        parts: list[Any] = []
        try:
            for reader, part in zip(readers, listed, strict=False):
                parts.append(reader(part))
        except Malformed as error:
            raise _within(f"[{len(parts)}]", error) from None
        return make(parts)

    def write_columns(value: Any) -> Any:
        if not isinstance(value, (tuple, list)) or len(value) not in lengths:
            return value
        written = [writer(part) for writer, part in zip(writers, value, strict=False)]
        for position, default in optional:
            if len(written) == position + 1 and value[position] == default:
                written.pop()
        return written

    return read_columns, write_columns


def _of_list(kind: Any) -> tuple[Reader, Writer]:
    read_slowly, write_slowly = _by_one(kind)
    read_at_once, write_at_once = many(kind)

    def read_all(value: object) -> tuple[Any, ...]:
        values = read_at_once(value) if type(value) is list else None
        if type(values) is Rows:
            return values
        return tuple(read_slowly(value) if values is None else values)

    def write_all(value: Any) -> Any:
        written = write_at_once(value) if isinstance(value, tuple) else None
        return write_slowly(value) if written is None else list(written)

    return read_all, write_all


def _by_one(kind: Any) -> tuple[Reader, Writer]:
    read_part, write_part = codec(kind)

    def read_all(value: object) -> tuple[Any, ...]:
        parts: list[Any] = []
        try:
            for part in read_list(value, ""):
                parts.append(read_part(part))
        except Malformed as error:
            # The list itself is refused before anything is read of it.
            path = f"[{len(parts)}]" if type(value) is list else ""
            raise _within(path, error) from None
        return tuple(parts)

    def write_all(value: Any) -> Any:
        return [write_part(part) for part in value] if isinstance(value, (tuple, list)) else value

    return read_all, write_all


def _of_class(document: Document, kind: type) -> tuple[Reader, Writer]:
    read_document, write_document = codec(document.record)

    def read_value(value: object) -> Any:
        make = document.at_once(value) or partial(document.value, read_document(value))
        try:
            return make()
        except InvalidInput as error:  # in the words of the class, not of the document
            raise _within(": ", error) from None

    def write_value(value: Any) -> Any:
        return write_document(document.of(value)) if type(value) is kind else value

    return read_value, write_value
