"""What happens to messages, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, repeat
from operator import gt, sub


def sends_and_receptions(starts: Sequence[int], delay: int) -> Iterator[tuple[int, bool]]:
    """The messages in the order of time, (index, False) when sent and (index, True) when received.

    At equal times receptions come first: what has just arrived can be sent on.

    >>> list(sends_and_receptions([3, 0], 3))
    [(1, False), (1, True), (0, False), (0, True)]
    """
    order = sorted(range(len(starts)), key=starts.__getitem__)
    arrived = 0
    for index in order:
        while starts[order[arrived]] + delay <= starts[index]:
            yield order[arrived], True
            arrived += 1
        yield index, False
    for index in order[arrived:]:
        yield index, True


def first_closer(times: Sequence[int], apart: int) -> int | None:
    """Which of these times, in order, is the first that the next one follows by less than `apart`.

    >>> first_closer([0, 3, 4, 4], 2), first_closer([0, 2, 4], 2)
    (1, None)
    """
    # All at once, a third of the time: there may be millions.
    if min(map(sub, islice(times, 1, None), times), default=apart) >= apart:
        return None
    return list(map(gt, repeat(apart), map(sub, islice(times, 1, None), times))).index(True)
