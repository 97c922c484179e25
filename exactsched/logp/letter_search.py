"""Partitions of letters into blocks by exhaustion: for small latencies, or to show there are none.

The blocks are filled one after the other, in all ways that have the right sum.  The remaining
letters are those of the root and the spare letter.
"""

# ruff: noqa: N803  (L is the name of the latency in all of the literature)

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from exactsched.logp.block_partition import Block, Partition, Word
from exactsched.logp.counts import fibonacci

# Index and number of children of a block.
_Header = tuple[int, int]


def partition_by_search(
    L: int, depth: int, dropped: int, spare: int | None = None
) -> Partition | None:
    """A partition for the tree of f_depth - `dropped` nodes, or None: then there is none.

    dropped < f_(depth-L), and depth >= L.  The spare letter may be prescribed.  Exponential time.

    >>> partition = partition_by_search(3, 12, 2, spare=1)
    >>> partition.is_valid(), partition.processors, partition.spare
    (True, 58, 1)
    >>> partition_by_search(4, 8, 0) is None
    True
    """
    most = [(size, fibonacci(L, depth - 2 * L + 1 - size)) for size in range(1, depth - 2 * L + 2)]
    leaves = {letter: fibonacci(L, depth - letter - L) for letter in range(min(L, depth - L + 1))}
    for cut in _cuts([*most, (depth - L + 1, 1)], dropped):
        headers = [
            (L - 1 + size, size - (node < cut[size]))
            for size, count in most
            for node in range(count)
            if (size, node < cut[size]) != (1, True)
        ]
        pool = Counter(leaves)
        pool[0] -= dropped
        pool[L] += cut[1]
        root = (depth, depth - L + 1 - cut[depth - L + 1])
        for letter in sorted(+pool) if spare is None else [spare]:
            blocks = _filled([*headers, root], pool - Counter([letter]), set())
            if pool[letter] > 0 and blocks is not None:
                return Partition(L, depth, tuple(blocks), letter)
    return None


def _cuts(classes: list[tuple[int, int]], dropped: int) -> Iterator[Counter[int]]:
    """How many nodes of each size lack a child, those of few children first."""
    if not classes:
        if dropped == 0:
            yield Counter()
        return
    *others, (size, count) = classes
    for cut in range(min(count, dropped), -1, -1):
        for rest in _cuts(others, dropped - cut):
            yield rest + Counter({size: cut})


def _filled(
    headers: list[_Header], pool: Counter[int], failed: set[tuple[tuple[int, int], ...]]
) -> list[Block] | None:
    """Blocks for the headers, the last of which takes what is left of the letters of the pool.

    `failed` holds letters with which it has failed: how many there are says which headers are left,
    but for those of blocks without letters, which fit always.
    """
    (index, size), *others = headers
    letters = [(letter, pool[letter]) for letter in sorted(+pool)]
    if not others:
        word = tuple(pool.elements())
        return None if (index + sum(word)) % size else [Block(index, size, word)]
    state = tuple(letters)
    if state in failed:
        return None
    for word in _words(letters, size - 1, -index % size, size):
        blocks = _filled(others, pool - Counter(word), failed)
        if blocks is not None:
            return [Block(index, size, word), *blocks]
    failed.add(state)
    return None


def _words(pool: list[tuple[int, int]], length: int, total: int, modulus: int) -> Iterator[Word]:
    """Multisets of `length` letters of the pool whose sum is `total` modulo `modulus`."""
    if not pool or length == 0:
        if length == 0 and total % modulus == 0:
            yield ()
        return
    (letter, count), *others = pool
    for times in range(min(count, length) + 1):
        for word in _words(others, length - times, total - letter * times, modulus):
            yield (letter,) * times + word
