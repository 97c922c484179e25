"""3-PARTITION by definition, and the overlay problem to which the paper reduces it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from exactsched.model.machine import MultiPort

Triple = tuple[int, int, int]


def target_of(numbers: Sequence[int]) -> int | None:
    """T, if these are 3 p integers of the sum p T, all between T/4 and T/2.

    >>> target_of((6, 7, 7)), target_of((5, 7, 8))
    (20, None)
    """
    target, rest = divmod(3 * sum(numbers), len(numbers) or 1)
    fits = numbers and len(numbers) % 3 == 0 and not rest
    return target if fits and all(target < 4 * a < 2 * target for a in numbers) else None


def machine_of(numbers: Sequence[int], target: int) -> MultiPort:
    """The machine of the reduction: p servers, of which one is the source, 3 p relays, and a sink.

    >>> machine_of((6, 7, 7), 20).bandwidths == (40, 14, 13, 13, 0)
    True
    """
    p = len(numbers) // 3
    relays = [target - a for a in numbers]
    return MultiPort([2 * target] * p + relays + [0], [4] * p + [1] * (3 * p) + [0])


def groupings(left: tuple[int, ...]) -> Iterator[tuple[Triple, ...]]:
    """All ways to put indices into triples.

    >>> len(list(groupings(tuple(range(6)))))
    10
    """
    if not left:
        yield ()
    for j, k in combinations(left[1:], 2):
        for others in groupings(tuple(i for i in left[1:] if i not in (j, k))):
            yield ((left[0], j, k), *others)


def partitions(
    numbers: Sequence[int], target: int, left: tuple[int, ...]
) -> Iterator[tuple[Triple, ...]]:
    """All ways to put indices into triples of this sum.

    >>> list(partitions([6, 7, 7], 20, (0, 1, 2)))
    [((0, 1, 2),)]
    """
    if not left:
        yield ()
    for j, k in combinations(left[1:], 2):
        if numbers[left[0]] + numbers[j] + numbers[k] == target:
            rest = tuple(i for i in left[1:] if i not in (j, k))
            for others in partitions(numbers, target, rest):
                yield ((left[0], j, k), *others)
