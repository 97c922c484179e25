"""What a file would say of a record, without the file.

A record is checked as its document says it: with numbers, rows and records of exactly the types
that are read, made again and validated.  To write a document of millions of rows and to read it
takes longer than to look whether that would change any of them, a list at a time.

A function here takes a list of values of a type and returns what they would be read as, or None
where one of them is unusual: then the document is written and read.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache, partial, reduce
from itertools import chain, islice, repeat
from math import gcd
from operator import is_, or_
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from exactsched.certificate.budget import SHORT
from exactsched.certificate.codec import codec
from exactsched.certificate.in_bulk import are_in_range, are_integers
from exactsched.certificate.kinds import kind_of, record_of
from exactsched.certificate.model_documents import DOCUMENTS
from exactsched.certificate.rules import Column, Lists, Rows, Sign, columns_of, in_pieces
from exactsched.certificate.shapes import columns, is_row
from exactsched.exact.arguments import are_all
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.exact.rational import Fractions, Rational
from exactsched.model.platform import Node

Many = Callable[[Sequence[Any]], Sequence[Any] | None]
Whole = Callable[[Sequence[Any]], tuple[Any, ...] | None]

_LARGEST: Final = 1 << SHORT
# What was kept with a list is not believed, but found again.
_LISTS: Final = frozenset([tuple, Fractions, Rows, Lists])


def restated(record: Any) -> Any:
    """The record as its document would be read; None if only the document can tell.

    >>> from dataclasses import replace
    >>> from exactsched.certificate.overlay import Overlay
    >>> from exactsched.model.machine import MultiPort
    >>> line = Overlay(MultiPort([2, 1], [1, 0]), "any", 1, (), Fraction(0), Fraction(2), (), False)
    >>> again = restated(line)
    >>> again == line, again is line, restated(replace(line, arcs=[]))
    (True, False, None)
    """
    kind: Any = type(record)
    if kind is not record_of(kind_of(kind)):  # another class of this name has its own `validate`
        return None
    try:
        made = _many(kind)([record])
    except (InvalidInput, Rejected, RecursionError):  # the document tells where
        return None
    return None if made is None else made[0]


@cache
def _many(kind: Any) -> Many:
    if kind in DOCUMENTS:
        return partial(_through_document, *codec(kind))
    if kind is str or kind is bool:
        return partial(_of_type, kind)
    if kind == Node:
        return _names
    if isinstance(kind, type) and is_dataclass(kind):
        return _of_records(kind)
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Literal:
        return partial(_of_choices, parts)
    base, says = parts[:2] if origin is Annotated else (kind, None)
    if base is int or base is Fraction or base == Rational:
        kinds = {base} if isinstance(base, type) else {int, Fraction}
        return partial(_numbers, kinds, int(says.positive) if isinstance(says, Sign) else -_LARGEST)
    if origin in (Union, types.UnionType) and types.NoneType in parts:
        some: Any = reduce(or_, [part for part in parts if part is not types.NoneType])
        return partial(_optional, _many(some))
    if origin in (Union, types.UnionType):
        return partial(_of_union, parts)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return partial(_of_mappings, _many(parts[1]))
    if parts[1:] == (...,):
        (part, _), of_parts = parts, _many(parts[0])
        long: Whole = partial(_of_long_list, of_parts)
        if part is Fraction:
            long = _of_long_fractions
        if _has_columns(part):
            row = get_origin(part) or part
            stated = columns(part).types
            lists = [place for place, column in enumerate(stated) if _are_lists(column)]
            long = partial(_of_long_rows, row, list(map(_many, stated)), lists)
            if _is_kept(part):
                of_parts = long
        elif get_args(part)[1:] == (...,) and _is_kept(get_args(part)[0]):
            long = partial(_of_long_lists, of_parts)
        return partial(_of_lists, of_parts, long)
    if is_row(kind):
        return partial(_of_rows, origin or kind, [_many(column) for column in columns(kind).types])
    return lambda _listed: None


def _has_columns(kind: Any) -> bool:
    """Whether it is a row that is not a list."""
    return is_row(kind) and get_args(kind)[1:] != (...,)


def _is_whole(kind: Any) -> bool:
    """Whether a column is of integers, or of lists of rows of whole columns."""
    return _are_lists(kind) or _number_of(kind) is int


def _are_lists(kind: Any) -> bool:
    """Whether a column is of lists of rows of whole columns."""
    if get_origin(kind) is not tuple or get_args(kind)[1:] != (...,):
        return False
    row = get_args(kind)[0]
    return _has_columns(row) and all(map(_is_whole, columns(row).types))


def _number_of(kind: Any) -> Any:
    """The type of numbers, of whatever sign."""
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def _is_kept(row: Any) -> bool:
    """Whether it is a row of which no column is made anew."""
    return _has_columns(row) and all(
        _is_whole(column) or _is_rational(column) for column in columns(row).types
    )


def _is_rational(kind: Any) -> bool:
    return _number_of(kind) in (Fraction, Rational)


def _of_type(kind: type, listed: Sequence[Any]) -> Sequence[Any] | None:
    return listed if are_all(kind, listed) else None


def _of_choices(choices: tuple[str, ...], listed: Sequence[Any]) -> Sequence[Any] | None:
    return _of_type(str, listed) if all(map(choices.__contains__, listed)) else None


def _names(listed: Sequence[Any]) -> Sequence[Any] | None:
    return listed if are_integers(listed) else _of_type(str, listed)


def _numbers(kinds: set[type], least: int, listed: Sequence[Any]) -> Sequence[Any] | None:
    """Integers, and fractions in lowest terms; among integers, a whole one would be read as one."""
    if len(listed) == 1:  # a third of the time
        return listed if _is_number(kinds, least, listed[0]) else None
    if int in kinds and are_all(int, listed):
        return listed if are_in_range(listed, least, _LARGEST) else None
    if not {*map(type, listed)} <= kinds:
        return None
    apart = _apart(least, listed)
    if apart is None:
        return None
    pairs = zip(listed, apart[1], strict=True) if int in kinds else ()
    if any(below == 1 and type(number) is Fraction for number, below in pairs):
        return None
    return listed


def _is_number(kinds: set[type], least: int, stated: Any) -> bool:
    if type(stated) is int:
        return int in kinds and least <= stated <= _LARGEST
    if type(stated) is not Fraction or (stated.denominator == 1 and int in kinds):
        return False
    return Fraction in kinds and _is_fit(least, stated.numerator, stated.denominator)


def _apart(least: int, listed: Sequence[Rational]) -> tuple[list[int], list[int]] | None:
    """The numerators and the denominators, if they are in range and in lowest terms."""
    if listed and all(map(is_, listed, repeat(listed[0]))):  # many are one and the same object
        pair = listed[0].numerator, listed[0].denominator
        return ([pair[0]] * len(listed), [pair[1]] * len(listed)) if _is_fit(least, *pair) else None
    over, under = [one.numerator for one in listed], [one.denominator for one in listed]
    if not (are_all(int, over) and are_all(int, under)):  # those of numpy overflow
        return None
    if not (are_in_range(over, least, _LARGEST) and are_in_range(under, 1, _LARGEST)):
        return None
    return (over, under) if list(map(gcd, over, under)).count(1) == len(over) else None


def _is_fit(least: int, over: object, under: object) -> bool:
    """Whether a fraction is over Python's own integers, in range, and in lowest terms."""
    if type(over) is not int or type(under) is not int:
        return False
    return least <= over <= _LARGEST and 1 <= under <= _LARGEST and gcd(over, under) == 1


def _of_long_fractions(listed: Sequence[Any]) -> Fractions | None:
    """With what they consist of: to take them apart again took a tenth of a check."""
    apart = _apart(-_LARGEST, listed) if are_all(Fraction, listed) else None
    if apart is None:
        return None
    made = Fractions(listed)
    made.numerators, made.denominators = apart
    return made


def _of_union(records: Sequence[Any], listed: Sequence[Any]) -> Sequence[Any] | None:
    """Of records, of which each has its own type."""
    values: list[Any] = []
    for one in listed:
        kind: Any = type(one)
        value = _many(kind)([one]) if kind in records else None
        if value is None:
            return None
        values += value
    return values


def _optional(of_some: Many, listed: Sequence[Any]) -> Sequence[Any] | None:
    given = [one for one in listed if one is not None]
    values = of_some(given)
    if values is None or len(given) == len(listed):
        return values
    rest = iter(values)
    return [None if one is None else next(rest) for one in listed]


def _of_mappings(of_values: Many, listed: Sequence[Any]) -> Sequence[Any] | None:
    made = []
    for one in listed:
        if type(one) is not dict or not are_all(str, one):
            return None
        values = of_values(list(one.values()))
        if values is None:
            return None
        made.append(dict(zip(one, values, strict=True)))
    return made


def _of_lists(of_parts: Many, long: Whole, listed: Sequence[Any]) -> Sequence[Any] | None:
    if not are_all(tuple, listed):
        if not _LISTS.issuperset(map(type, listed)):
            return None
        listed = list(map(tuple, listed))
    if len(listed) == 1:
        made = long(listed[0])
        return None if made is None else [made]
    parts = list(chain.from_iterable(listed))
    values = of_parts(parts)
    if values is None:
        return None
    if type(values) is Rows:  # of numbers, none of which is made anew
        lists = Lists(listed)
        lists.rows = values
        return lists
    if not (values is parts or all(map(is_, parts, values))):
        rest = iter(values)
        listed = [tuple(islice(rest, length)) for length in map(len, listed)]
    return listed


def _of_long_list(of_parts: Many, listed: tuple[Any, ...]) -> tuple[Any, ...] | None:
    values: list[Any] = []
    for parts in in_pieces(listed):
        made = of_parts(parts)
        if made is None:
            return None
        values += made
    return tuple(values)


def _of_long_lists(of_lists: Many, listed: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """All lists at once, as their rows are cut into pieces and are kept with them."""
    made = of_lists(listed)
    return made if made is None or type(made) is Lists else tuple(made)


def _of_long_rows(
    row: Any, of_columns: Sequence[Many], lists: Sequence[int], listed: Sequence[Any]
) -> Rows | None:
    """With their columns: to take these out of the rows again and again took half of a check.

    The extremes of integers are kept for whoever asks again.  Columns of lists are looked at as a
    whole, as the rows in these are kept with their columns, too.
    """
    width, same = len(of_columns), True
    values: list[Any] = [Column() for _ in of_columns]
    for piece in in_pieces(listed):
        if not are_all(row, piece) or list(map(len, piece)).count(width) < len(piece):
            return None
        for position, stated in enumerate(columns_of(piece)):
            made = stated if position in lists else of_columns[position](stated)
            if made is None:
                return None
            same = same and (made is stated or all(map(is_, stated, made)))
            values[position].join(made)
    for position in lists:
        values[position] = of_columns[position](values[position])
        if values[position] is None:
            return None
    again = map(partial(tuple.__new__, row), zip(*values, strict=True))
    return Rows.of(listed if same else again, values)


def _of_rows(row: Any, of_columns: Sequence[Many], listed: Sequence[Any]) -> Sequence[Any] | None:
    full = are_all(row, listed) and {len(of_columns)}.issuperset(map(len, listed))
    if not full or not listed:
        return listed if full else None
    elements = list(chain.from_iterable(listed))  # half of the time of column by column
    stated = [elements[position :: len(of_columns)] for position in range(len(of_columns))]
    pairs = zip(of_columns, stated, strict=True)
    values: list[Any] = [of_column(column) for of_column, column in pairs]
    if None in values:
        return None
    both = zip(stated, values, strict=True)
    if all(value is column or all(map(is_, column, value)) for column, value in both):
        return listed
    return list(map(partial(tuple.__new__, row), zip(*values, strict=True)))


def _of_records(record: Any) -> Many:
    """Each is made again, as by the reader: what they demand is asked of each."""
    hints = get_type_hints(record, include_extras=True)
    names = [field.name for field in fields(record)]
    of_members = [_many(hints[name]) for name in names]
    validate = getattr(record, "validate", None)

    def of_records(listed: Sequence[Any]) -> Sequence[Any] | None:
        if not are_all(record, listed):
            return None
        values: list[Any] = [
            of_member([getattr(one, name) for one in listed])
            for name, of_member in zip(names, of_members, strict=True)
        ]
        if None in values:
            return None
        made = list(map(record, *values))
        if validate is not None:
            for one in made:
                validate(one)
        return made

    return of_records


def _through_document(
    read: Callable[[Any], Any], write: Callable[[Any], Any], listed: Sequence[Any]
) -> Sequence[Any]:
    return [read(write(one)) for one in listed]
