"""Which transfers may run at once, by definition, and work that is done in slots of time."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from exactsched.model.platform import Arc, Platform


class ImpossibleError(Exception):
    """A schedule breaks the definition: a port is used twice, or a message is not there yet."""


def exclude_each_other(ports: str, first: Arc, second: Arc) -> bool:
    """Whether two transfers may not run at the same time.

    >>> one, other = Arc("a", "b", 1), Arc("b", "c", 1)
    >>> [exclude_each_other(ports, one, other) for ports in ("one-port", "half-duplex")]
    [False, True]
    """
    same_arc = (first.tail, first.head) == (second.tail, second.head)
    if ports == "link":
        return same_arc
    if ports == "one-port":
        return first.tail == second.tail or first.head == second.head
    return bool({first.tail, first.head} & {second.tail, second.head})


def refuse_collisions(
    platform: Platform, ports: str, busy: Sequence[tuple[Fraction, Fraction, int]]
) -> None:
    """Raises `ImpossibleError` if transfers (start, end, arc) that exclude each other overlap."""
    arcs = platform.arcs
    for (a, b, k), (c, d, other) in combinations(busy, 2):
        if max(a, c) < min(b, d) and exclude_each_other(ports, arcs[k], arcs[other]):
            raise ImpossibleError(f"{arcs[k]} and {arcs[other]} at {max(a, c)}")


def compatible_sets(platform: Platform, ports: str, useful: list[int]) -> list[frozenset[int]]:
    """The maximal sets of transfers of which no two exclude each other.

    >>> line = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    >>> [sorted(chosen) for chosen in compatible_sets(line, "half-duplex", [0, 1])]
    [[0], [1]]
    """
    excluded = {
        index: {k for k in useful if k != index and _exclude(platform, ports, index, k)}
        for index in useful
    }
    free = frozenset(index for index in useful if not excluded[index])
    rest = [index for index in useful if index not in free]
    sets: list[frozenset[int]] = [frozenset()]
    for index in rest:
        sets += [chosen | {index} for chosen in sets if chosen.isdisjoint(excluded[index])]
    known = set(sets)
    return [
        chosen | free
        for chosen in sets
        if not any(k not in chosen and chosen | {k} in known for k in rest)
    ]


def _exclude(platform: Platform, ports: str, one: int, other: int) -> bool:
    return exclude_each_other(ports, platform.arcs[one], platform.arcs[other])


def moment(line: list[tuple[Fraction, Fraction]], spent: Fraction, after: bool) -> Fraction:
    """When a line of slots has worked for `spent`: the earliest moment, or the latest (`after`)."""
    for start, end in line:
        if spent < end - start or (spent == end - start and not after):
            return start + spent
        spent -= end - start
    raise ImpossibleError("the slots of an arc are too short for its messages")
