"""Random series of items and numbers of processors, for the claims on k items in the LogP model."""

# ruff: noqa: N803, N806  (L and P are the names in all of the literature)

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from exactsched.instances.choices import Choices
from exactsched.instances.instance_type import Bounds, Instances
from exactsched.oracles.logp import ItemNumbers, sequence


@dataclass(frozen=True, slots=True)
class Series:
    """An endless series of items, one a step, for P processors with the source."""

    L: int
    P: int


@dataclass(frozen=True, slots=True)
class Items:
    """k items for P processors with the source."""

    L: int
    P: int
    k: int


@dataclass(frozen=True, slots=True)
class Attempt:
    """k items for P processors, sent by any rule: that of `oracles.logp.any_schedule`."""

    L: int
    P: int
    k: int
    picks: tuple[int, ...]


def processors_of(choices: Choices, L: int, most: int) -> int:
    """P: any, one or two more than a full tree, or the exception L + 4.

    >>> from exactsched.instances.choices import Replayed
    >>> processors_of(Replayed([1]), 4, 20), processors_of(Replayed([2, 3]), 3, 20)
    (8, 7)
    >>> processors_of(Replayed([2, 6]), 3, 20)  # the largest full tree has 19
    20
    """
    kind = choices.below(5)
    if kind == 0:
        return choices.size(2, most + 1)
    if kind == 1:
        return min(L + 4, most + 1)
    # L steps at least double the number of processors.
    full = [number for number in sequence(L, L * most.bit_length()) if number <= most]
    return min(most, choices.one_of(full[L:] or full[L - 1 :]) + choices.below(2)) + 1


def series(choices: Choices, bound: int) -> Series:
    """Latencies from 3; some with enough processors that the tree is put together from others."""
    L = choices.between(3, bound)
    return Series(L, processors_of(choices, L, (30 if choices.flip(6) else 5) * bound))


def items_of(choices: Choices, least: int, bound: int, most: int) -> Items:
    """Latencies from `least` to the bound, `most` processors, some items or very many.

    >>> from exactsched.instances.choices import Replayed
    >>> items_of(Replayed([]), 3, 6, 18)
    Items(L=3, P=2, k=1)
    """
    L = choices.between(least, bound)
    k = 10**18 - choices.below(3) if choices.flip(10) else choices.size(1, 3 * bound, 2)
    return Items(L, processors_of(choices, L, most), k)


def items(least: int, times: int) -> Callable[[Choices, int], Items]:
    """The generator of `items_of` with `times` as many processors as the bound."""
    return lambda choices, bound: items_of(choices, least, bound, times * bound)


def any_attempt(choices: Choices, bound: int) -> Attempt:
    """Some are so small that all schedules can be examined, some have very many items."""
    L = choices.between(1, bound)
    if choices.flip(8):
        P, k = choices.one_of(((2, 1), (3, 1), (3, 2), (2, 3), (5, 1)))
        return Attempt(min(L, 3), P, k, ())
    P = processors_of(choices, L, 2 * bound)
    if choices.flip(10):
        return Attempt(L, P, 10**18 - choices.below(3), ())
    k = choices.size(1, bound, 2)
    picks = [choices.below(12) for _ in range(choices.below(4) * P)]
    return Attempt(L, P, k, tuple(picks))


def many_items(choices: Choices, bound: int) -> Items:
    """At least k* items; in one case of three all schedules can be examined."""
    if choices.flip(3):
        P, k = choices.one_of(((3, 3), (4, 2), (3, 2), (2, 6)))
        return Items(choices.between(1, 4), P, k)
    L = choices.between(1, 3)
    P = choices.between(3, bound)
    return Items(L, P, ItemNumbers(L, P).most + choices.between(0, bound))


def full_trees_of_latency_two(choices: Choices, bound: int) -> Items:
    """P - 1 = f_t, t from 7 to the bound: 21, 34, 55, 89, 144, ..., as theorem 3.4 has it."""
    full = sequence(2, bound)[7:]
    return Items(2, choices.one_of(full) + 1, choices.between(2, 100 * bound))


SERIES = Instances(
    Series,
    series,
    Bounds(6, 20, 60),
    lambda: (
        Series(3, 10),  # figure 2
        Series(3, 2),
        Series(4, 8),  # the exception
        Series(12, 16),
        Series(4, 2000),
        Series(40, 900),
    ),
)
SERIES_OF_LATENCY_TWO = Instances(
    Series,
    lambda choices, bound: Series(2, processors_of(choices, 2, bound)),
    Bounds(60, 250, 10_000),
    lambda: (Series(2, 2), Series(2, 22), Series(2, 35), Series(2, 56), Series(2, 988)),
)
ATTEMPTS = Instances(
    Attempt,
    any_attempt,
    Bounds(5, 12, 30),
    lambda: (
        Attempt(4, 3, 1, ()),
        Attempt(5, 3, 2, ()),
        Attempt(1, 2, 1, ()),
        Attempt(1, 8, 5, (1, 2, 3)),
        Attempt(3, 10, 8, (5, 4, 3, 2, 1) * 9),  # figure 2
        Attempt(6, 1000, 10**18, ()),
    ),
)
FEW_ITEMS = Instances(Items, items(1, 2), Bounds(5, 8, 20))
MANY_ITEMS = Instances(
    Items,
    many_items,
    Bounds(7, 9, 14),
    lambda: (
        Items(3, 10, 8),
        Items(1, 2, 5),
        Items(2, 3, 3),
        Items(1, 4, 2),
        Items(2, 9, 10**6),
    ),
)
ITEMS_FROM_LATENCY_THREE = Instances(
    Items,
    items(3, 3),
    Bounds(6, 14, 60),
    lambda: (
        Items(3, 10, 8),
        Items(3, 2, 1),
        Items(4, 8, 20),
        Items(7, 100, 10**18),
    ),
)
ITEMS_IN_FULL_TREES = Instances(Items, full_trees_of_latency_two, Bounds(11, 13, 14))
ITEMS_OF_LATENCY_TWO = Instances(
    Items,
    lambda choices, bound: Items(2, choices.size(2, bound), choices.size(1, 2 * bound, 2)),
    Bounds(16, 24, 35),
    lambda: (Items(2, 2, 1), Items(2, 22, 3), Items(2, 14, 10**18)),
)
ITEMS = Instances(
    Items,
    items(1, 3),
    Bounds(6, 20, 60),
    lambda: (
        Items(1, 2, 1),
        Items(1, 64, 5),
        Items(2, 22, 20),
        Items(5, 14, 20),
        Items(3, 42, 10**18),  # P - 1 = P(11) of figure 3
    ),
)
BUFFERED_ITEMS = Instances(
    Items,
    items(1, 5),
    Bounds(6, 20, 60),
    lambda: (
        Items(3, 14, 14),  # figure 5
        Items(1, 2, 1),
        Items(4, 8, 9),
        Items(2, 22, 9),
        Items(7, 500, 10**18),
    ),
)

# Latency 2 ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Walk:
    """For the latency 2, what one of the processors beside the source may receive in turn.

    Bit x of `received` says that the item due in step x has been received before.  Of the roles
    that are possible in a step, in the order of their indices, the one with the number
    `picks`[step], modulo their number, is taken.  `program`: the linear program is solved as well.
    """

    processors: int
    received: int
    picks: tuple[int, ...]
    program: bool


@dataclass(frozen=True, slots=True)
class Processors:
    """How many there are beside the source; `program`: the linear program is solved as well."""

    count: int
    program: bool


_PROGRAMS = (1, 2, 3, 5, 8, 13, 7, 12, 20, 19, 21, 33, 34, 54, 55)  # their programs are fast


def walk(choices: Choices, bound: int) -> Walk:
    """Processors for which counting excludes the least delay, f_7 = 21 or more.

    >>> from exactsched.instances.choices import Replayed
    >>> walk(Replayed([]), 9).processors
    21
    """
    depth = choices.between(7, bound)
    full = sequence(2, depth)
    most = (full[depth - 2] - depth) // (2 * depth - 2)
    m = full[depth] - choices.between(0, most)
    received = choices.below(2**depth)
    return Walk(m, received, tuple(choices.below(6) for _ in range(10 * depth)), choices.flip(40))


def processors(choices: Choices, bound: int) -> Processors:
    """Any number, or in one case of 25 one whose linear program is solved.

    >>> from exactsched.instances.choices import Replayed
    >>> processors(Replayed([24, 10]), 89)
    Processors(count=21, program=True)
    """
    if choices.flip(25):
        return Processors(choices.one_of(_PROGRAMS), program=True)
    return Processors(choices.between(1, bound), program=False)


WALKS = Instances(
    Walk,
    walk,
    Bounds(10, 12, 15),
    lambda: (
        Walk(21, 0b1111111, (5, 4, 3, 2, 1, 0) * 10, program=True),
        Walk(34, 0, (), program=True),
        Walk(55, 0, (), program=True),
        Walk(88, 0b1010101010, (1, 2, 3) * 20, program=False),
    ),
)
PROCESSORS = Instances(
    Processors,
    processors,
    Bounds(89, 89, 89),
    lambda: (
        Processors(1, program=True),
        Processors(20, program=True),
        Processors(33, program=True),
        Processors(76, program=False),
        Processors(77, program=False),
    ),
)
