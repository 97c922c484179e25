"""Partitions for any number of processors, by induction on the depth of the tree.

The tree of depth t is that of depth t - 1 with one more first child of the root, which heads a tree
of depth t - L.  If the letter that is spare in the latter is the number of balls of the root less
one, the blocks of the two together are those of the whole (section 3.3, there with the letter b).
So L consecutive depths, the *window*, are enough to begin with, if any letter can be the spare one
in them; proofs/logp-continuous.md.
"""

# ruff: noqa: N803  (L is the name of the latency in all of the literature)

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from exactsched.logp.block_partition import Partition, joined, raised
from exactsched.logp.counts import broadcast_time, fibonacci
from exactsched.logp.letter_exchange import partition_by_exchange
from exactsched.logp.letter_search import partition_by_search
from exactsched.model.machine import LogP

# Up to this latency there are base cases that only the search solves.
_SEARCHED = 10


def window(L: int) -> int:
    """The first of L consecutive depths with which the induction begins.

    >>> window(3), window(20)
    (12, 43)
    """
    return 12 if L == 3 else 2 * L + 3


def minimal_partition(L: int, processors: int) -> Partition | None:
    """A partition for the least depth that reaches `processors` processors, L >= 3.

    None for even L and L + 3 processors, where there is none.  Time O(L processors), and a search
    for each of some depths below 3 L + 3.

    >>> partition = minimal_partition(3, 9)
    >>> partition.is_valid(), partition.depth
    (True, 7)
    """
    if processors == 1:
        return Partition(L, 0, (), 0)
    depth = int(broadcast_time(LogP(L, 0, 1, processors)))
    dropped = fibonacci(L, depth) - processors
    if depth < window(L):
        return direct_partition(L, depth, dropped, None)
    return _grown(L, depth, dropped, 1)


def _grown(L: int, depth: int, dropped: int, spare: int) -> Partition:
    """From the window on: any spare letter 1 <= spare < L, and 0 if nothing is dropped.

    `dropped` of the nodes of full depth are missing; there is one for each node with children.
    """
    missing: list[int] = []  # in the branches, the first child of the root first
    trunk = None
    while trunk is None and depth >= window(L) + L:
        missing.append(min(dropped, fibonacci(L, depth - 2 * L) - 1))
        dropped -= missing[-1]
        depth -= 1
        if dropped == fibonacci(L, depth - L):
            trunk = raised(_grown(L, depth - 1, 0, spare - 1))
    trunk = trunk or direct_partition(L, depth, dropped, spare)
    assert trunk is not None  # theorem B
    letter = trunk.blocks[-1].balls - 1
    branches = [
        _grown(L, depth - L + more, lost, letter)
        for more, lost in enumerate(reversed(missing), start=1)
    ]
    return joined(trunk, branches)


@lru_cache(maxsize=4096)
def direct_partition(L: int, depth: int, dropped: int, spare: int | None) -> Partition | None:
    """A partition for a tree in the window, or before it; None if there is none.

    >>> direct_partition(4, 8, 0, None) is None
    True
    """
    partition = None
    if depth <= 3 * L + 2:
        partition = partition_by_exchange(L, depth, dropped, spare)
    if partition is None and L <= _SEARCHED:
        partition = partition_by_search(L, depth, dropped, spare)
    return partition


def base_cases(L: int) -> Iterator[tuple[int, int, int | None]]:
    """All (depth, dropped, spare) with which `minimal_partition` can begin.

    That each has a partition, but for even L depth 2 L without drops, and that the root's block has
    from 2 to L balls in it, and less than L if nothing is dropped, proves that every number of
    processors has one: proofs/logp-continuous.md.

    >>> list(base_cases(3))[:4], len(list(base_cases(3)))
    ([(3, 0, None), (4, 0, None), (5, 0, None), (6, 0, None)], 219)
    """
    first = window(L)
    for depth in range(L, first + L):
        for dropped in range(fibonacci(L, depth - L)):
            if depth < first:
                yield depth, dropped, None
            else:
                for spare in range(dropped > 0, L):
                    yield depth, dropped, spare
