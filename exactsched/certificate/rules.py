"""Types of numbers that say their sign, and the rules that records share for their own validity.

A rule takes numbers and the place of theirs in the record, and raises `Malformed` for the first
one that breaks it.  Places are relative to the record; `column` is where the number stands in a
row.  All take linear time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Annotated, Any, Final, TypeVar

from exactsched.certificate.limits import MAX_NODES
from exactsched.exact.errors import Malformed
from exactsched.exact.rational import Rational, to_json

T = TypeVar("T")

_PIECE: Final = 1 << 12


@dataclass(frozen=True, slots=True)
class Sign:
    """What the type of a number says of its sign; the codec refuses other numbers."""

    words: str
    positive: bool
    rule: str


@dataclass(frozen=True, slots=True)
class Index:
    """What an integer is the index of, from 0; that it is below their number is for a rule."""

    noun: str


_NOT_NEGATIVE: Final = Sign(">= 0", False, "a number that is not negative is needed here")
_POSITIVE: Final = Sign("> 0", True, "a positive number is needed here")

Natural = Annotated[int, _NOT_NEGATIVE]
Count = Annotated[int, _POSITIVE]
NotNegative = Annotated[Rational, _NOT_NEGATIVE]
Positive = Annotated[Rational, _POSITIVE]
NotNegativeFraction = Annotated[Fraction, _NOT_NEGATIVE]
PositiveFraction = Annotated[Fraction, _POSITIVE]

NodeIndex = Annotated[int, Index("node")]
ArcIndex = Annotated[int, Index("arc")]
EdgeIndex = Annotated[int, Index("edge")]
PlaceIndex = Annotated[int, Index("place")]
Processor = Annotated[int, Index("processor")]
Item = Annotated[int, Index("item")]
RootIndex = Annotated[int, Index("root")]


def ends(pairs: Sequence[tuple[int, int]], size: int, place: str) -> None:
    """The ends of arcs or edges are nodes."""
    for position, (one, other) in enumerate(pairs):
        if not (0 <= one < size and 0 <= other < size):
            rule = f"the ends are nodes, from 0 to {size - 1}"
            raise Malformed(f"{place}[{position}]", [to_json(one), to_json(other)], rule)


def one_each(values: Sized, things: Sized, place: str, noun: str) -> None:
    """There are as many values as things."""
    if len(values) != len(things):
        rule = f"one for each {noun} is needed: {len(things)}"
        raise Malformed(place, len(values), rule)


def not_empty(listed: Sized, place: str) -> None:
    """There is something in the list."""
    if not listed:
        raise Malformed(place, [], "this list may not be empty")


def at_most(limit: int, value: int, place: str, noun: str) -> None:
    """What stands for a long list, or a long loop, has a limit."""
    if value > limit:
        raise Malformed(place, to_json(value), f"at most {limit} {noun}")


def graph_size(size: int) -> None:
    """A short number may not stand for more nodes than that."""
    at_most(MAX_NODES, size, "size", "nodes")


def index(value: int, count: int, place: str, noun: str) -> None:
    """An index refers to one of `count` things."""
    if not 0 <= value < count:
        rule = f"an index of the {count} {noun}s, from 0, is needed"
        raise Malformed(place, to_json(value), rule)


def indices(values: Sequence[int], count: int, place: str, noun: str, column: str = "") -> None:
    """All refer to one of `count` things."""
    # All at once: the matchings and trees of a large certificate hold millions of indices.
    if not values:
        return
    least, largest = extremes(values)
    if least < 0 or largest >= count:
        for position, value in enumerate(values):
            index(value, count, f"{place}[{position}]{column}", noun)


def indices_of_lists(lists: Sequence[Sequence[int]], count: int, place: str, noun: str) -> None:
    """As `indices`, of many lists; in `place` their positions stand in the place of {}."""
    every = list(chain.from_iterable(lists))
    if every and not (min(every) >= 0 and max(every) < count):
        for position, values in enumerate(lists):
            indices(values, count, place.format(position), noun)


def indices_of_rows(
    lists: Sequence[Sequence[tuple[Any, ...]]], position: int, count: int, place: str, noun: str
) -> None:
    """As `indices`, of a column of rows in many lists, whose positions stand in the place of {}."""
    every = column(rows_in(lists), position)
    if not every:
        return
    least, largest = extremes(every)
    if least < 0 or largest >= count:
        for number, rows in enumerate(lists):
            indices(column(rows, position), count, place.format(number), noun, f"[{position}]")


def distinct(values: Sequence[int], count: int, place: str, noun: str, column: str = "") -> None:
    """All refer to one of `count` things, and no two to the same."""
    indices(values, count, place, noun, column)
    if len(set(values)) < len(values):
        seen: set[int] = set()
        for position, value in enumerate(values):
            if value in seen:
                raise Malformed(
                    f"{place}[{position}]{column}", value, f"this {noun} is named twice"
                )
            seen.add(value)


def order_without(root: int, order: Sequence[int], size: int) -> None:
    """Distinct nodes, and not the root."""
    distinct(order, size, "order", "node")
    if root in order:
        raise Malformed("order", root, "the order is one of nodes without the root")


class Column(list[Any]):
    """A column of rows; the least and the largest of its numbers are found once."""

    _extremes: tuple[int, int] | None = None  # `cached_property` takes a lock, for a microsecond

    @property
    def extremes(self) -> tuple[int, int]:
        if self._extremes is None:
            self._extremes = (self[0], self[0]) if are_one(self) else (min(self), max(self))
        return self._extremes

    def join(self, others: Sequence[Any]) -> None:
        """Append others; if the extremes of both are known, those of all are."""
        more = others._extremes if type(others) is Column else None
        if self and more:
            known = self._extremes
            more = known and (min(known[0], more[0]), max(known[1], more[1]))
        self += others
        self._extremes = more


def extremes(values: Sequence[int]) -> tuple[int, int]:
    """The least and the largest of some numbers.

    >>> extremes([2, 3, 1]), extremes(Column([2, 3, 1]))
    ((1, 3), (1, 3))
    """
    return values.extremes if type(values) is Column else (min(values), max(values))


def are_one(values: Sequence[int]) -> bool:
    """Whether all are the same number, as in many a column: a twentieth of the time of extremes.

    >>> are_one([2, 2, 2]), are_one([2, 1, 2])
    (True, False)
    """
    return values[0] == values[-1] and values.count(values[0]) == len(values)


class Rows(tuple[Any, ...]):
    """Rows with their columns."""

    columns: Sequence[Sequence[Any]]

    @classmethod
    def of(cls, rows: Iterable[Any], columns: Sequence[Sequence[Any]]) -> Rows:
        made = cls(rows)
        made.columns = columns
        return made


class Lists(tuple[Any, ...]):
    """Lists of rows; all these rows, one after the other, stand there too."""

    rows: Rows


def rows_in(lists: Sequence[Sequence[tuple[Any, ...]]]) -> Sequence[tuple[Any, ...]]:
    """The rows of all lists, one after the other.

    >>> rows_in([[(1, 2), (3, 4)], [(5, 6)]])
    [(1, 2), (3, 4), (5, 6)]
    """
    return lists.rows if type(lists) is Lists else list(chain.from_iterable(lists))


def column(rows: Sequence[tuple[Any, ...]], position: int) -> Sequence[Any]:
    """A column of rows.

    >>> column([(1, 2), (3, 4)], 1)
    [2, 4]
    """
    if type(rows) is Rows:
        return rows.columns[position]
    # Two thirds of the time of `itemgetter`; `zip(*rows)` makes an iterator for each row.
    return [row[position] for row in rows]


def columns_of(piece: Sequence[tuple[Any, ...]]) -> Iterator[Column]:
    """The columns of some rows of one length, as many as `in_pieces` hands out.

    512,000 rows of a run are read in 230 ms with these, in 331 with columns of all at once.

    >>> list(columns_of([(1, 2), (3, 4)]))
    [[1, 3], [2, 4]]
    """
    return map(Column, zip(*piece, strict=True))


def in_pieces(rows: Sequence[T]) -> Iterator[Sequence[T]]:
    """The rows, as many at a time as a processor has in its cache.

    To look at a million rows five times, all of them each time, takes twice as long.

    >>> [len(piece) for piece in in_pieces(range(10_000))]
    [4096, 4096, 1808]
    """
    if type(rows) is Rows and rows:
        return iter([rows])  # their columns are there, and nothing is gained by cutting these
    return (rows[start : start + _PIECE] for start in range(0, len(rows), _PIECE))
