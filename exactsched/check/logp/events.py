"""What happens to messages, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


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
