"""Lists of a document read and written all at once, where every part is in its plainest form.

Large certificates hold millions of integers, rationals and rows: one by one they take most of the
time of a check.  A function here takes the parts of a list and returns what they are read or
written as, or None where one of them is wrong or unusual: then `codec` takes them one by one, and
says which it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import is_dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import chain, islice
from operator import is_
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from exactsched.certificate.budget import SHORT
from exactsched.certificate.elements import integer_document, number_document
from exactsched.certificate.limits import LARGEST_JSON_INTEGER
from exactsched.certificate.rules import Column, Rows, Sign, are_one, columns_of, in_pieces
from exactsched.certificate.shapes import columns, is_row, member_names, optional_names
from exactsched.exact.arguments import are_all, whole
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import CANONICAL, Rational
from exactsched.model.platform import Node

Many = Callable[[Sequence[Any]], Sequence[Any] | None]


@cache
def many(kind: Any) -> tuple[Many, Many]:
    """How a list of values of this type is read, and how it is written.

    >>> read, write = many(tuple[Rational, ...])
    >>> read([[1, "1/2"], []]), read([[1, "01"]])
    ([(1, Fraction(1, 2)), ()], None)
    >>> write([(1, Fraction(1, 2)), ()])
    [[1, '1/2'], []]
    """
    if kind == Node:
        return _names, _names
    if kind is str:
        return _texts, _texts
    base, says = get_args(kind)[:2] if get_origin(kind) is Annotated else (kind, None)
    if base is int or base is Fraction or base == Rational:
        return _reader_of_numbers(base, says), _write_integers if base is int else _write_numbers
    if isinstance(kind, type) and is_dataclass(kind):
        return _of_records(kind)
    if not is_row(kind):
        return _none, _none
    if get_args(kind)[1:] == (...,):
        read, write = many(get_args(kind)[0])
        return _of_lists(read, list, tuple), _of_lists(write, tuple, list)
    pairs = [many(column) for column in columns(kind).types]
    make = tuple if get_origin(kind) is tuple else partial(tuple.__new__, kind)
    write = _of_rows(kind, [write for _, write in pairs], {tuple, kind}, list)
    read = _of_rows(kind, [read for read, _ in pairs], {list}, make)
    smallest = [least for column in columns(kind).types if (least := _smallest(column)) is not None]
    if len(smallest) == len(pairs):
        write = _writer_of_integers(len(pairs), {tuple, kind}, write)
        read = _reader_of_integers(smallest, make, read)
    defaults = list(getattr(kind, "_field_defaults", {}).values())
    if defaults:
        write = _ending_early([write for _, write in pairs], {tuple, kind}, defaults)
    return read, write


def _of_records(record: type) -> tuple[Many, Many]:
    """Of records without a tag and optional members; what they demand is asked of each."""
    names = member_names(record)
    if hasattr(record, "TAG") or optional_names(record) or not names:
        return _none, _none
    hints = get_type_hints(record, include_extras=True)
    pairs = [many(hints[name]) for name in names]
    if any(read is _none for read, _ in pairs):  # nothing is read in vain
        return _none, _none
    members, validate = set(names), getattr(record, "validate", None)

    def read_records(listed: Sequence[Any]) -> Sequence[Any] | None:
        if not are_all(dict, listed) or any(one.keys() != members for one in listed):
            return None
        values: list[Any] = [
            read([one[name] for one in listed])
            for name, (read, _) in zip(names, pairs, strict=True)
        ]
        if None in values:
            return None
        try:
            made = list(map(record, *values))
            if validate is not None:
                for one in made:
                    validate(one)
        except InvalidInput:
            return None
        return made

    def write_records(listed: Sequence[Any]) -> Sequence[Any] | None:
        if not are_all(record, listed):
            return None
        values: list[Any] = [
            write([getattr(one, name) for one in listed])
            for name, (_, write) in zip(names, pairs, strict=True)
        ]
        if None in values:
            return None
        return [dict(zip(names, row, strict=True)) for row in zip(*values, strict=True)]

    return read_records, write_records


def _ending_early(of_columns: Sequence[Many], given: set[Any], defaults: Sequence[object]) -> Many:
    """Rows that end before their last columns, as all of them have the defaults there."""
    kept = len(of_columns) - len(defaults)

    def write_rows(listed: Sequence[Any]) -> Sequence[Any] | None:
        if not listed or not given.issuperset(map(type, listed)):
            return None
        if {*map(len, listed)} != {len(of_columns)}:
            return None
        stated = list(map(list, zip(*listed, strict=True)))
        for column, default in zip(stated[kept:], defaults, strict=True):
            if column.count(default) < len(column):
                return None
        written = [write(column) for write, column in zip(of_columns, stated[:kept], strict=False)]
        return None if None in written else list(map(list, zip(*written, strict=True)))

    return write_rows


def _smallest(kind: Any) -> int | None:
    """The least integer that a document may state for this type; None if it is not one of these."""
    base, says = get_args(kind)[:2] if get_origin(kind) is Annotated else (kind, None)
    if base is not int:
        return None
    return int(says.positive) if isinstance(says, Sign) else -LARGEST_JSON_INTEGER


def _none(_listed: Sequence[Any]) -> None:
    """There is no way but one by one."""


def are_integers(listed: Sequence[Any], smallest: int = -LARGEST_JSON_INTEGER) -> bool:
    """Whether all are integers that a document states as such, none below the smallest.

    >>> are_integers([1, 2], 1), are_integers([1, 2**53]), are_integers([True])
    (True, False, False)
    """
    return are_all(int, listed) and are_in_range(listed, smallest)


def are_in_range(
    listed: Sequence[int],
    smallest: int = -LARGEST_JSON_INTEGER,
    largest: int = LARGEST_JSON_INTEGER,
) -> bool:
    """Whether integers are from the smallest to the largest, by default those of a document.

    >>> are_in_range([], 1), are_in_range([2**52, 2**52, 2**52]), are_in_range([0], 1)
    (True, True, False)
    """
    if len(listed) < 2:
        return not listed or smallest <= listed[0] <= largest
    if type(listed) is Column:
        least, most = listed.extremes
        return smallest <= least and most <= largest
    if are_one(listed):
        return smallest <= listed[0] <= largest
    least = min(listed)
    # A sum takes a third of the time of a maximum, and is no less where nothing is below 0.
    small = least >= 0 and sum(listed) <= largest
    return least >= smallest and (small or max(listed) <= largest)


def _texts(listed: Sequence[Any]) -> Sequence[Any] | None:
    return listed if are_all(str, listed) else None


def _names(listed: Sequence[Any]) -> Sequence[Any] | None:
    return listed if are_integers(listed) else _texts(listed)


def _reader_of_numbers(base: Any, says: object) -> Many:
    """Integers, and short rationals in canonical text."""
    sign = says if isinstance(says, Sign) else None
    smallest = -LARGEST_JSON_INTEGER if sign is None else int(sign.positive)
    of_digits: Callable[[Any], Rational] = _fraction if base is Fraction else int
    number = _rational if base == Rational else of_digits

    def read_each(listed: Collection[Any]) -> Sequence[Any] | None:
        written = [part for part in listed if type(part) is str]
        digits = _are_digits(written)
        if not digits and not all(map(CANONICAL.fullmatch, written)):
            return None
        if max(map(len, written), default=0) > SHORT:
            return None
        if base is int and not digits and "/" in ",".join(written):
            return None
        values = list(map(of_digits if digits else number, listed))
        if sign is not None and min([value.numerator for value in values]) < smallest:
            return None
        return values

    def read(listed: Sequence[Any]) -> Sequence[Any] | None:
        types = list(map(type, listed))
        integers = types.count(int)
        if integers == len(listed):
            if not are_in_range(listed, smallest):
                return None
            if base is not Fraction:
                return listed
            fractions = {number: Fraction(number) for number in {*listed}}
            return list(map(fractions.__getitem__, listed))
        if integers + types.count(str) < len(listed):
            return None
        if integers and not are_in_range([part for part in listed if type(part) is int]):
            return None
        # Costs are often the same, and a fraction takes ten times as long as to look one up.
        # Integers here are below 2^53, and texts have hashes that nobody foresees.
        given = {*listed}
        if 2 * len(given) > len(listed):
            return read_each(listed)
        values = read_each(given)
        return values and list(map(dict(zip(given, values, strict=True)).__getitem__, listed))

    return read


def _fraction(stated: int | str) -> Fraction:
    if type(stated) is int:
        return Fraction(stated)
    over, _, under = str(stated).partition("/")
    return Fraction(int(over), int(under or 1))


def _rational(stated: int | str) -> Rational:
    return whole(_fraction(stated)) if "/" in str(stated) else int(stated)


def _are_digits(written: Sequence[str]) -> bool:
    """Whether all are digits without a zero in front: a fifth of the time of a pattern for each.

    >>> _are_digits(["12", "3"]), _are_digits(["12", "03"]), _are_digits(["12", ""])
    (True, False, False)
    """
    # In bytes, where no other digits than those of ASCII are digits.
    for piece in in_pieces(written):
        if not "".join(piece).encode("ascii", "replace").isdigit():
            return False
    return min(written, default="") >= "1"


def _write_integers(listed: Sequence[Any]) -> Sequence[Any]:
    return listed if are_integers(listed) else list(map(integer_document, listed))


def _write_numbers(listed: Sequence[Any]) -> Sequence[Any]:
    if are_integers(listed):
        return listed
    if {int, Fraction}.issuperset(map(type, listed)):
        pairs = [number.as_integer_ratio() for number in listed]
        if are_integers(list(chain.from_iterable(pairs))):  # a quarter of the time of one by one
            return [over if under == 1 else f"{over}/{under}" for over, under in pairs]
    return list(map(number_document, listed))


def _of_lists(of_parts: Many, given: type, make: type) -> Many:
    def of_lists(listed: Sequence[Any]) -> Sequence[Any] | None:
        if not are_all(given, listed):
            return None
        # The first one tells of most that they are longer.
        single = make is tuple and listed and len(listed[0]) == 1
        if single and list(map(len, listed)).count(1) == len(listed):
            values = of_parts([one for (one,) in listed])
            return values and list(zip(values))
        parts = list(chain.from_iterable(listed))
        values = of_parts(parts)
        if values is None or values is parts:  # as integers are
            return None if values is None else list(map(make, listed))
        rest = iter(values)
        return [make(islice(rest, length)) for length in map(len, listed)]

    return of_lists


def column_reader(row: Any) -> Many:
    """How rows are read as a list of their columns, all of them; not where there are none.

    >>> column_reader(tuple[int, Rational])([[1, 2], [3, "1/2"]])
    [[1, 3], [2, Fraction(1, 2)]]
    """
    read = _of_columns(row, [many(column)[0] for column in columns(row).types], {list})
    defaults = _defaults(row)

    def read_columns(listed: Sequence[Any]) -> Sequence[Any] | None:
        both = read(listed)
        if both is None:
            return None
        _, values = both
        return [*values, *([default] * len(listed) for default in defaults[len(values) :])]

    return read_columns


def _defaults(row: Any) -> list[Any]:
    return [getattr(row, "_field_defaults", {}).get(name) for name in columns(row).names]


def _of_columns(
    row: Any, of_columns: Sequence[Many], given: set[Any]
) -> Callable[[Sequence[Any]], tuple[list[Any], list[Any]] | None]:
    """The columns of rows of one length as they are, and what they are read or written as."""
    _, names, least = columns(row)

    def of_rows(listed: Sequence[Any]) -> tuple[list[Any], list[Any]] | None:
        if not listed or not any(are_all(kind, listed) for kind in given):
            return None
        length = len(listed[0])
        if not least <= length <= len(names) or list(map(len, listed)).count(length) < len(listed):
            return None
        stated = [[one[position] for one in listed] for position in range(length)]
        values = [of_column(column) for of_column, column in zip(of_columns, stated, strict=False)]
        return None if None in values else (stated, values)

    return of_rows


def _of_rows(
    row: Any, of_columns: Sequence[Many], given: set[Any], make: Callable[[Any], Any]
) -> Many:
    columns_of, defaults = _of_columns(row, of_columns, given), _defaults(row)

    def of_rows(listed: Sequence[Any]) -> Sequence[Any] | None:
        both = columns_of(listed)
        if both is None:
            return None if listed else listed
        stated, values = both
        values += [[default] * len(listed) for default in defaults[len(values) :]]
        same = all(map(is_, stated, values)) and len(stated) == len(values)
        made = map(make, listed if same else zip(*values, strict=True))
        return list(made) if make is list else Rows.of(made, values)

    return of_rows


def _reader_of_integers(
    smallest: Sequence[int], make: Callable[[Any], Any], otherwise: Many
) -> Many:
    """Rows of integers alone, as slots and messages are, with their columns.

    It takes half the time of column by column, and a check looks at columns.
    """
    width = len(smallest)

    def read_rows(listed: Sequence[Any]) -> Sequence[Any] | None:
        stated = [Column() for _ in smallest]
        for piece in in_pieces(listed):
            if not are_all(list, piece) or list(map(len, piece)).count(width) < len(piece):
                return otherwise(listed)
            for column, least, numbers in zip(stated, smallest, columns_of(piece), strict=True):
                if not are_integers(numbers, least):
                    return otherwise(listed)
                column.join(numbers)
        return Rows.of(map(make, listed), stated)

    return read_rows


def _writer_of_integers(width: int, given: set[Any], otherwise: Many) -> Many:
    def write_rows(listed: Sequence[Any]) -> Sequence[Any] | None:
        full = given.issuperset(map(type, listed)) and {width}.issuperset(map(len, listed))
        if full and are_integers(list(chain.from_iterable(listed))):
            return list(map(list, listed))
        return otherwise(listed)

    return write_rows
