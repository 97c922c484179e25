"""What the types of records say: members, tags, the columns of rows, the least numbers."""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction
from typing import Annotated, Any, Final, NamedTuple, get_args, get_origin, get_type_hints

from exactsched.certificate.limits import LARGEST_JSON_INTEGER
from exactsched.certificate.rules import Sign
from exactsched.exact.rational import Rational

# What the columns of a row without names are called.
_WORDS: Final = {int: "integer", Rational: "rational", Fraction: "rational", str: "text"}


def member_names(record: type) -> tuple[str, ...]:
    """The members of the document of a record, in their order, its tag first.

    >>> from exactsched.model.machine import LogP
    >>> member_names(LogP)
    ('L', 'o', 'g', 'P')
    """
    tag = getattr(record, "TAG", None)
    names = tuple(field.name for field in fields(record))
    return names if tag is None else (tag[0], *names)


def optional_names(record: type) -> tuple[str, ...]:
    """The members that a document may do without: the fields whose default is None.

    >>> from exactsched.model.problem import Combination
    >>> optional_names(Combination)
    ('among', 'groups')
    """
    return tuple(field.name for field in fields(record) if field.default is None)


def tags(union: Any) -> tuple[str, dict[str, Any]]:
    """The member that tells the records of a union apart, and the record for each of its values."""
    records = {getattr(record, "TAG", None): record for record in get_args(union)}
    names = {tag[0] for tag in records if tag is not None}
    if len(names) > 1 or None in records or len(records) < len(get_args(union)):
        raise TypeError(f"the records of a union have different TAGs of one name: {union}")
    return names.pop(), {tag[1]: record for tag, record in records.items() if tag is not None}


def is_row(kind: Any) -> bool:
    """Whether a type is that of rows, or of lists: a tuple of any kind."""
    return get_origin(kind) is tuple or (isinstance(kind, type) and issubclass(kind, tuple))


class Columns(NamedTuple):
    """The columns of a row: their types, their names, and how many a row has at least."""

    types: tuple[Any, ...]
    names: tuple[str, ...]
    least: int


def columns(row: Any) -> Columns:
    """The columns of a fixed tuple or a `NamedTuple`.

    >>> columns(tuple[int, str]).names
    ('integer', 'text')
    """
    if get_origin(row) is tuple:
        parts = get_args(row)
        return Columns(parts, tuple(map(_word, parts)), len(parts))
    hints = get_type_hints(row, include_extras=True)
    names = row._fields
    return Columns(
        tuple([hints[name] for name in names]), names, len(names) - len(row._field_defaults)
    )


def _word(kind: Any) -> str:
    if get_origin(kind) is Annotated:
        return _word(get_args(kind)[0])
    return _WORDS.get(kind, "list")


def least(kind: Any) -> int | None:
    """The least integer that a type of numbers allows; None if it is no such type.

    >>> from exactsched.certificate.rules import Count
    >>> least(Count), least(int), least(str)
    (1, -9007199254740991, None)
    """
    if kind is int or kind == Rational:
        return -LARGEST_JSON_INTEGER
    if get_origin(kind) is not Annotated:
        return None
    base, says = get_args(kind)
    smallest = least(base)
    return int(says.positive) if isinstance(says, Sign) and smallest is not None else smallest
