"""Partitions for any number of processors, by induction on the depth of the tree.

The tree of depth t is that of depth t - 1 with one more first child of the root, which heads a tree
of depth t - L.  If the letter that is spare in the latter is the number of balls of the root less
one, the blocks of the two together are those of the whole (section 3.3, there with the letter b).
So L consecutive depths, the *window*, are enough to begin with; proofs/logp-continuous.md.
"""

# ruff: noqa: N803  (L is the name of the latency in all of the literature)

from __future__ import annotations

from collections.abc import Iterator

from exactsched.logp.base_partitions import base_partition
from exactsched.logp.block_partition import Partition, joined, raised
from exactsched.logp.counts import fibonacci
from exactsched.logp.letter_exchange import partition_by_exchange

# First depth of the window, and the letter that is spare in it, where the general rule of `window`
# does not do.
_WINDOWS = {
    3: (12, 1), 4: (13, 2), 5: (13, 2), 6: (15, 2), 7: (18, 2), 8: (21, 2), 9: (25, 2),
    10: (28, 2), 16: (36, 4), 17: (39, 4),
}  # fmt: skip


def window(L: int) -> tuple[int, int]:
    """The first of L consecutive depths with which the induction begins, and its spare letter.

    >>> window(3), window(20)
    ((12, 1), (46, 6))
    """
    return _WINDOWS.get(L) or (2 * L + 6, (L - 2) // 3)


def minimal_partition(L: int, processors: int) -> Partition | None:
    """A partition for the least depth in which so many processors can be reached, L >= 3.

    None for even L and L + 3 processors, where there is none.  `LookupError` if the search fails,
    which it does not for L <= 64.  Linear time in the number of processors, and a search for each
    of some depths below 3 L + 6.

    >>> partition = minimal_partition(3, 9)
    >>> partition.is_valid(), partition.depth
    (True, 7)
    """
    depth = 0
    while fibonacci(L, depth) < processors:
        depth += 1
    if depth == 0:
        return Partition(L, 0, (), 0)
    first, letter = window(L)
    dropped = fibonacci(L, depth) - processors
    if L % 2 == 0 and processors == L + 3:
        return None
    if depth < first:
        return _base_or_error(L, depth, dropped, None)
    return _grown(L, depth, dropped, letter)


def _grown(L: int, depth: int, dropped: int, spare: int) -> Partition:
    """From the window on: a root of window(L)[1] + 1 balls, and the prescribed spare letter.

    `dropped` of the nodes of full depth are missing; there is one for each node with children.
    """
    first, letter = window(L)
    branches = []
    while depth >= first + L or (trunk := _base(L, depth, dropped, spare, letter + 1)) is None:
        branch, missing = _branch(L, depth, dropped)
        branches.append(branch)
        dropped -= missing
        depth -= 1
    return joined(trunk, branches[::-1])


def _branch(L: int, depth: int, dropped: int) -> tuple[Partition, int]:
    """The tree of the root's first child, and how many of its deepest nodes are missing."""
    first, letter = window(L)
    last = fibonacci(L, depth - 2 * L)
    if dropped == fibonacci(L, depth - L) - 1:
        # All but one are missing: of the branch all, so its depth is one less.
        return raised(_grown_or_before(L, depth - L - 1, letter - 1)), last
    most = min(dropped, last - 1)
    if depth >= first + L:
        return _grown(L, depth - L, most, letter), most
    for missing in range(most, max(0, dropped - fibonacci(L, depth - 1 - L) + 1) - 1, -1):
        branch = _base(L, depth - L, missing, letter, None)
        if branch is not None:
            return branch, missing
    raise LookupError(f"L = {L}, depth {depth}, {dropped} dropped: no partition is known")


def _grown_or_before(L: int, depth: int, spare: int) -> Partition:
    """As `_grown`, also for the depth before the window, where the balls do not matter."""
    if depth >= window(L)[0]:
        return _grown(L, depth, 0, spare)
    return _base_or_error(L, depth, 0, spare)


def _base_or_error(L: int, depth: int, dropped: int, spare: int | None) -> Partition:
    partition = _base(L, depth, dropped, spare, None)
    if partition is None:
        raise LookupError(f"L = {L}, depth {depth}, {dropped} dropped: no partition is known")
    return partition


def _base(
    L: int, depth: int, dropped: int, spare: int | None, balls: int | None
) -> Partition | None:
    key = (L, depth, fibonacci(L, depth) - dropped, spare, balls)
    return base_partition(key) or partition_by_exchange(L, depth, dropped, spare, balls)


def base_cases(L: int) -> Iterator[tuple[int, int, int | None, int | None]]:
    """All (depth, dropped, spare, balls) with which `minimal_partition` can begin.

    That each has a partition, but for even L depth 2 L without drops, proves that every number of
    processors has one: theorems A and B of proofs/logp-continuous.md.

    >>> list(base_cases(3))[:4]
    [(3, 0, None, None), (4, 0, None, None), (5, 0, None, None), (6, 0, None, None)]
    """
    first, letter = window(L)
    for depth in range(L, first):
        for dropped in range(fibonacci(L, depth - L)):
            yield depth, dropped, None, None
    yield first - 1, 0, letter - 1, None
    for depth in range(first, first + L):
        yield depth, 0, letter - 1, letter + 1
        for dropped in range(fibonacci(L, depth - L)):
            yield depth, dropped, letter, letter + 1


def series_case(
    L: int, depth: int, dropped: int, spare: int | None, balls: int | None
) -> Partition | None:
    """The partition that the induction takes for a base case; None if it has none.

    >>> series_case(4, 8, 0, None, None) is None
    True
    """
    if balls is None:
        return _base(L, depth, dropped, spare, balls)
    try:
        return _grown(L, depth, dropped, spare or 0)
    except LookupError:
        return None
