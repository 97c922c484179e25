"""What the generated checkers take from Python: finite maps, and functions on integers.

Trusted, as the printer of `proofs/rocq/extraction` is.  Rocq's library defines each function by
structural recursion; here it is a dictionary or an operation on Python's integers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import gcd as gcd
from math import lcm as lcm
from typing import Any, Final

_ABSENT: Final = object()


class Map:
    """A version of a map from integers: `PositiveMap` of Rocq's library.

    Nothing that can be seen ever changes: `add` returns a new version.  The versions of a map share
    one dictionary, which has the entries of the newest; each older one says how it differs from the
    next: `key` has another value there (Baker 1991, Shallow binding makes functional arrays fast).
    """

    __slots__ = ("key", "newer", "table", "value")

    table: dict[int, Any] | None
    newer: Map
    key: int
    value: Any


def _version(table: dict[int, Any]) -> Map:
    made = Map()
    made.table = table
    return made


# Shared by all maps: whatever is added to it goes to a dictionary of its own.
empty: Final = _version({})


def _table(m: Map) -> dict[int, Any]:
    """The entries of this version.  An old one gets a dictionary of its own when it is read."""
    if m.table is not None:
        return m.table
    path = [m]
    while path[-1].newer.table is None:
        path.append(path[-1].newer)
    table = dict(path[-1].newer.table or {})
    for version in reversed(path):
        _set(table, version.key, version.value)
    m.table = table
    return table


def _set(table: dict[int, Any], key: int, value: Any) -> None:
    if value is _ABSENT:
        table.pop(key, None)
    else:
        table[key] = value


def _changed(m: Map, key: int, value: Any) -> Map:
    table = {} if m is empty else _table(m)
    made = Map()
    made.table = table
    if m is not empty:
        m.table, m.newer, m.key, m.value = None, made, key, table.get(key, _ABSENT)
    _set(table, key, value)
    return made


def add(key: int, value: Any, m: Map) -> Map:
    """The map with another value at the key.

    >>> old = add(1, "a", empty)
    >>> new = add(1, "b", old)
    >>> find(1, old), find(1, new), find(1, empty)
    (('a',), ('b',), None)
    """
    table = m.table
    if table is None or m is empty:
        return _changed(m, key, value)
    made = Map()
    made.table = table
    m.table, m.newer, m.key, m.value = None, made, key, table.get(key, _ABSENT)
    table[key] = value
    return made


def remove(key: int, m: Map) -> Map:
    """The map without the key."""
    return _changed(m, key, _ABSENT)


def find(key: int, m: Map) -> tuple[Any] | None:
    """The value at the key, in a tuple; None if there is none."""
    table = m.table
    if table is None:
        table = _table(m)
    return (table[key],) if key in table else None


def mem(key: int, m: Map) -> bool:
    """Whether the map has the key."""
    return key in _table(m)


def compare(a: int, b: int) -> str:
    """Which of the numbers is larger.

    >>> compare(1, 2), compare(2, 2), compare(3, 2)
    ('Lt', 'Eq', 'Gt')
    """
    return "Lt" if a < b else "Eq" if a == b else "Gt"


def quotient(a: int, b: int) -> int:
    """The largest integer below a / b; by definition 0 if b is 0.

    >>> quotient(-7, 2), quotient(7, -2), quotient(7, 0)
    (-4, -4, 0)
    """
    return a // b if b else 0


def remainder(a: int, b: int) -> int:
    """a minus b times the quotient.

    >>> remainder(-7, 2), remainder(7, -2), remainder(7, 0)
    (1, -1, 7)
    """
    return a % b if b else a


def iterate(count: int, function: Callable[[Any], Any], value: Any) -> Any:
    """The function applied this many times: `Z.iter`, which does nothing if the count is negative.

    >>> iterate(3, lambda n: 2 * n, 1)
    8
    """
    for _ in range(count):
        value = function(value)
    return value


def repeated(function: Callable[[Any], Any], value: Any, count: int) -> Any:
    """The same with the arguments in the order of `Pos.iter`."""
    return iterate(count, function, value)


def listed(items: Iterable[Any]) -> tuple[Any, ...]:
    """A list as the checkers take it.

    >>> listed([1, 2])
    (1, (2, ()))
    """
    made: tuple[Any, ...] = ()
    for item in reversed(tuple(items)):
        made = (item, made)
    return made
