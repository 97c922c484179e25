"""What the kernels demand of their arguments, said once: nodes, arcs, and exact numbers.

A kernel works on integers.  Rational capacities, costs and weights are brought over one common
denominator at the door and divided by it again in the result.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from itertools import chain
from math import lcm
from numbers import Integral
from typing import TypeVar

from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import Rational, exact

T = TypeVar("T")


def are_all(kind: type, values: Collection[object]) -> bool:
    """Whether all have this type, and no subclass of it.

    >>> are_all(int, [1, 2]), are_all(int, [1, True])
    (True, False)
    """
    # To count takes three fifths of the time of a set of all types.
    return list(map(type, values)).count(kind) == len(values)


def checked_size(size: object) -> int:
    """The number of nodes, a positive integer.

    >>> checked_size(3)
    3
    """
    return checked_integer(size, 1, "size", "the number of nodes is a positive integer")


def checked_node(node: object, size: int, place: str) -> int:
    """A node of a graph with `size` nodes: an integer from 0 to size - 1.

    >>> checked_node(2, 3, "root")
    2
    """
    number = plain(node)
    if type(number) is not int or not 0 <= number < size:
        raise InvalidInput(place, node, f"a node is an integer from 0 to {size - 1}")
    return number


def refuse_one_node(nodes: object, place: str) -> None:
    """Raises `InvalidInput` for a node in the place of a list of nodes.

    >>> refuse_one_node([5], "targets")
    """
    if not isinstance(nodes, Iterable):
        raise InvalidInput(place, nodes, f"a list of nodes, such as [{nodes!r}]")


def checked_integer(value: object, least: int, place: str, rule: str) -> int:
    """An integer from `least` on, of Python or of another library, as an `int`; no truth value.

    >>> checked_integer(3, 1, "items", "a positive integer")
    3
    """
    number = plain(value)
    if type(number) is not int or number < least:
        raise InvalidInput(place, value, rule)
    return number


def plain(value: T) -> T | int:
    """An integer of another library, such as numpy, as an `int`; whatever else as it is.

    >>> plain(True), plain("a"), plain(3)
    (True, 'a', 3)
    """
    if isinstance(value, (int, str)) or not isinstance(value, Integral):
        return value
    return int(value)


def rows_of(given: Iterable[T]) -> tuple[T, ...]:
    """The rows of a list, or of an array of numpy, whose numbers are then those of Python.

    >>> rows_of([(0, 1), (1, 2)])
    ((0, 1), (1, 2))
    """
    return tuple(given.tolist() if hasattr(given, "tolist") else given)


def checked_arcs(
    size: int, arcs: Sequence[tuple[int, int]], noun: str = "arc"
) -> tuple[tuple[int, int], ...]:
    """Pairs of nodes; parallel arcs are allowed, and whether loops are is the caller's affair.

    An array of numpy with two columns is a list of pairs.

    >>> checked_arcs(2, [(0, 1), [0, 1]])
    ((0, 1), (0, 1))
    """
    pairs = rows_of(arcs)
    # All at once where nothing is wrong: arc by arc took a third of the time of an easy flow.
    if are_all(tuple, pairs) and list(map(len, pairs)).count(2) == len(pairs):
        ends = list(chain.from_iterable(pairs))
        if are_all(int, ends) and min(ends, default=0) >= 0 and max(ends, default=-1) < size:
            return pairs
    return tuple([_checked_arc(index, arc, size, noun) for index, arc in enumerate(pairs)])


def _checked_arc(index: int, arc: object, size: int, noun: str) -> tuple[int, int]:
    if not isinstance(arc, (tuple, list)) or len(arc) != 2:
        raise InvalidInput(f"{noun} {index}", arc, f"an {noun} is a pair of nodes")
    tail, head = map(plain, arc)
    if not (type(tail) is int and type(head) is int and 0 <= tail < size and 0 <= head < size):
        rule = f"the ends of an {noun} are integers from 0 to {size - 1}"
        raise InvalidInput(f"{noun} {index}", arc, rule)
    return tail, head


def exact_numbers(values: Sequence[object], place: str, count: int) -> tuple[Rational, ...]:
    """`count` exact numbers, integers as `int` and the others as `Fraction`.

    `place` names one of them in messages ("capacity of arc").  What is exact is decided by
    `rational.exact`: floats and truth values are refused.

    >>> exact_numbers([1, "1/2", "0.5", Fraction(4, 2)], "weight", 4)
    (1, Fraction(1, 2), Fraction(1, 2), 2)
    """
    if len(values) != count:
        raise InvalidInput(f"number of values ({place})", len(values), f"{count} are needed")
    if are_all(int, values):
        return tuple(values)  # type: ignore[arg-type]
    numbers: list[Rational] = []
    for index, value in enumerate(values):
        if type(value) is int:
            numbers.append(value)
        else:
            numbers.append(whole(exact(value, f"{place} {index}")))
    return tuple(numbers)


def not_negative(values: Sequence[Rational], place: str) -> None:
    """Raises `InvalidInput` for the first value below zero.

    >>> not_negative([0, 1], "capacity of arc")
    """
    if min(values, default=0) < 0:
        index, value = next(pair for pair in enumerate(values) if pair[1] < 0)
        raise InvalidInput(f"{place} {index}", value, "0 or more is needed")


def over_common_denominator(values: Sequence[Rational]) -> tuple[list[int], int]:
    """Integers and a positive denominator: the values are their quotients.

    >>> over_common_denominator([Fraction(1, 2), 3, Fraction(2, 3)])
    ([3, 18, 4], 6)
    """
    if are_all(int, values):
        return list(values), 1  # type: ignore[arg-type]
    pairs = [value.as_integer_ratio() for value in values]
    unders = {under for _, under in pairs}
    denominator = lcm(*unders)
    factors = {under: denominator // under for under in unders}
    return [over * factors[under] for over, under in pairs], denominator


def divided(value: int, denominator: int) -> Rational:
    """The quotient, as an `int` if it is whole.

    >>> divided(6, 4), divided(6, 3)
    (Fraction(3, 2), 2)
    """
    return value if denominator == 1 else whole(Fraction(value, denominator))


def whole(value: Rational) -> Rational:
    """The number as an `int` if it is one.

    >>> whole(Fraction(4, 2)), whole(Fraction(1, 2))
    (2, Fraction(1, 2))
    """
    return value.numerator if value.denominator == 1 else value
