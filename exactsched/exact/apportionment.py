"""Apportionment: whole numbers in proportion to weights, and how to mix them in time."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm


def shares(weights: Sequence[Fraction], total: int) -> list[int]:
    """`total` as whole numbers in proportion to the weights, each off by less than 1 (Hamilton).

    >>> shares([Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)], 5)
    [2, 2, 1]
    """
    scale = total / sum(weights)
    rounded = [int(weight * scale) for weight in weights]
    rest = [weight * scale - count for weight, count in zip(weights, rounded, strict=True)]
    largest = sorted(range(len(weights)), key=lambda index: -rest[index])
    for index in largest[: total - sum(rounded)]:
        rounded[index] += 1
    return rounded


def mixed(counts: Sequence[int]) -> list[int]:
    """The numbers 0, 1, ... each as often as its count, spread as evenly as possible (Webster).

    >>> mixed([4, 2])
    [0, 1, 0, 0, 1, 0]
    """
    unit = lcm(*(count for count in counts if count))
    turns = [
        ((2 * turn + 1) * (unit // count), index)
        for index, count in enumerate(counts)
        for turn in range(count)
    ]
    return [index for _, index in sorted(turns)]
