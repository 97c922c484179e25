"""Random numbers of 3-PARTITION, their groupings, and overlays of their machines."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from exactsched.instances.choices import Choices
from exactsched.instances.instance_type import Bounds, Instances
from exactsched.oracles.three_partition import partitions


@dataclass(frozen=True, slots=True)
class Numbers:
    """An instance of 3-PARTITION."""

    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Grouping:
    """Numbers of 3-PARTITION, and their indices in triples of any sums."""

    numbers: tuple[int, ...]
    groups: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class Wiring:
    """Arcs between the nodes of a machine of 3-PARTITION, and what is given away of T."""

    numbers: tuple[int, ...]
    arcs: tuple[tuple[int, int], ...]
    loss: Fraction


def planted(choices: Choices, groups: int) -> Grouping:
    """Numbers with a partition, long ones in one case of eight."""
    target = 10**18 + choices.below(9) if choices.flip(8) else choices.one_of([6, 7, *range(9, 41)])
    low, high = target // 4 + 1, (target - 1) // 2
    triples = []
    for _ in range(groups):
        a = choices.between(max(low, target - 2 * high), min(high, target - 2 * low))
        b = choices.between(max(low, target - a - high), min(high, target - a - low))
        triples.append((a, b, target - a - b))
    places = choices.shuffled(range(3 * groups))
    numbers = [0] * (3 * groups)
    listed = []
    for number, triple in enumerate(triples):
        one, two, three = places[3 * number : 3 * number + 3]
        numbers[one], numbers[two], numbers[three] = triple
        listed.append((one, two, three))
    return Grouping(tuple(numbers), tuple(listed))


def grouping(choices: Choices, bound: int) -> Grouping:
    """A partition, or in one case of three any grouping."""
    made = planted(choices, choices.between(1, bound))
    if not choices.flip(3):
        return made
    order = choices.shuffled(range(len(made.numbers)))
    rows = [order[k : k + 3] for k in range(0, len(order), 3)]
    return Grouping(made.numbers, tuple((a, b, c) for a, b, c in rows))


def wiring(choices: Choices, bound: int) -> Wiring:
    """Nodes in a chain, a relay anywhere after the server of its triple; or relays in a ring."""
    made = planted(choices, choices.between(1, bound))
    p = len(made.groups)
    server_of = {p + k: server for server, group in enumerate(made.groups) for k in group}
    order, waiting = [0], list(range(1, 4 * p))
    while waiting:
        ready = [node for node in waiting if node < p or server_of[node] in order]
        order.append(choices.one_of(ready))
        waiting.remove(order[-1])
    chain = [*zip(order, [*order[1:], 4 * p], strict=True)]
    if choices.flip(4):  # the relays after the last server, and node 4 p before them, in a ring
        last = max(order.index(server) for server in range(p)) + 1
        ring = order[last:]
        if ring:
            closed = zip(ring, [*ring[1:], ring[0]], strict=True)
            chain = [*chain[: last - 1], (order[last - 1], 4 * p), *closed]
    arcs = [*chain, *((server_of[i], j) for i, j in chain if i >= p)]
    if choices.flip(10):  # one arc ends somewhere else
        i, j = arcs.pop(choices.below(len(arcs)))
        others = [k for k in range(1, 4 * p + 1) if k not in (i, j) and (i, k) not in arcs]
        if others:
            arcs.append((i, choices.one_of(others)))
    loss = Fraction(choices.one_of((0, 0, 1, 2, 3)), 12 * p)
    return Wiring(made.numbers, tuple(sorted(arcs)), loss)


def numbers_of_any_kind(choices: Choices, bound: int) -> Numbers:
    """Numbers with a partition, or in one case of four, six or nine of which nothing is known.

    Of nine numbers mostly each is in some triple of the right sum, and still there is no partition;
    of six there is one then, because a triple leaves a triple.
    """
    if bound < 2 or not choices.flip(4):
        return Numbers(planted(choices, choices.between(1, bound)).numbers)
    if bound < 3 or not choices.flip():
        return _of_the_sum(choices, 2)
    for _ in range(100):  # about one of 60 is such a case
        made = _of_the_sum(choices, 3)
        if not _has_partition(made) and _all_in_triples(made):
            break
    return made


def _of_the_sum(choices: Choices, groups: int) -> Numbers:
    """3 p integers between T/4 and T/2 of the sum p T."""
    target = choices.between(18, 24)
    low, high = target // 4 + 1, (target - 1) // 2
    numbers: list[int] = []
    left = groups * target
    for others in range(3 * groups - 1, -1, -1):
        least, most = max(low, left - others * high), min(high, left - others * low)
        numbers.append(choices.between(least, most))
        left -= numbers[-1]
    return Numbers(tuple(numbers))


def _has_partition(made: Numbers) -> bool:
    numbers, places = made.numbers, tuple(range(len(made.numbers)))
    return any(partitions(numbers, 3 * sum(numbers) // len(numbers), places))


def _all_in_triples(made: Numbers) -> bool:
    """Each number is in a triple of the sum T."""
    numbers, places = made.numbers, range(len(made.numbers))
    target = 3 * sum(numbers) // len(numbers)
    fitting = (t for t in combinations(places, 3) if sum(numbers[k] for k in t) == target)
    return set(places) == {place for triple in fitting for place in triple}


_NO_PARTITION = (6, 6, 6, 6, 7, 9)
_LONG = (6 * 10**30 + 1, 7 * 10**30, 7 * 10**30 - 1)
_RING = ((0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (2, 3), (3, 1))
_CHAIN = ((0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (2, 3), (3, 4))

GROUPINGS = Instances(
    Grouping,
    grouping,
    Bounds(3, 6, 40),
    lambda: (
        Grouping((1, 1, 1), ((0, 1, 2),)),
        Grouping((6, 7, 7), ((2, 0, 1),)),
        Grouping(_NO_PARTITION, ((0, 1, 5), (2, 3, 4))),
        Grouping(_NO_PARTITION, ((0, 4, 5), (1, 2, 3))),
        Grouping((*_LONG, *_LONG), ((0, 1, 2), (3, 4, 5))),
        Grouping((*_LONG, *_LONG), ((0, 1, 3), (2, 4, 5))),
    ),
)
WIRINGS = Instances(
    Wiring,
    wiring,
    Bounds(2, 3, 8),
    lambda: (
        Wiring((6, 7, 7), _CHAIN, Fraction(0)),
        Wiring((6, 7, 7), _CHAIN, Fraction(24, 100)),
        Wiring((6, 7, 7), _CHAIN, Fraction(1, 4)),
        Wiring((6, 7, 7), _RING, Fraction(0)),
        Wiring((1, 1, 1), _CHAIN, Fraction(0)),
        Wiring(_LONG, _CHAIN, Fraction(1, 5)),
        Wiring((6, 7, 7), (), Fraction(0)),
    ),
)
NUMBERS = Instances(
    Numbers,
    numbers_of_any_kind,
    Bounds(3, 4, 5),
    lambda: (
        Numbers((1, 1, 1)),
        Numbers((6, 7, 7)),
        Numbers(_NO_PARTITION),
        Numbers(_LONG),
        Numbers((6, 7, 7, 6, 6, 8)),
    ),
)
