"""Partitions of letters into blocks by an explicit rule: natural blocks, then exchanges.

The root of a tree of depth t has L leaves as children, the letters 0, ..., L - 1, and trees of the
depths L, ..., t - L.  Each of these is dealt out to blocks of its own and leaves one letter; the
root takes all of them but the spare one.  Then letters are *exchanged* until its sum is right: a
letter x of a block of size p for a letter x + k p of the root.  That this succeeds for every
L >= 3, up to depth 3 L + 2, is theorem B of proofs/logp-continuous.md, with some exceptions for
L <= 10.
"""

# ruff: noqa: N803  (L is the name of the latency in all of the literature)

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from exactsched.logp.block_partition import Block, Partition
from exactsched.logp.counts import fibonacci

# Letters of one block of each size up to this may be exchanged: for L >= 32 a block of size 2 and
# one of size 3 are enough.
_LARGEST = 5


def partition_by_exchange(
    L: int, depth: int, dropped: int, spare: int | None = None
) -> Partition | None:
    """A partition for the tree of f_depth - `dropped` nodes, or None where the rule finds none.

    L <= depth <= 3 L + 2, and dropped < f_(depth-L).  The spare letter may be prescribed from depth
    2 L + 3 on.  Linear time in the number of processors, and some thousand exchanges are tried.

    >>> partition = partition_by_exchange(9, 22, 2, spare=3)
    >>> partition.is_valid(), partition.processors == fibonacci(9, 22) - 2, partition.spare
    (True, True, 3)
    >>> partition_by_exchange(4, 8, 0) is None
    True
    """
    if depth < 2 * L:
        branch = _natural(L, depth)
        return Partition(L, depth, branch.blocks, *branch.letters)
    for cut in _cuts(L, depth, dropped):
        partition = _rooted(L, depth, cut, spare)
        if partition is not None:
            return partition
    return None


@dataclass(frozen=True, slots=True)
class _Branch:
    """A subtree in blocks, and its letters that are for the root; a negative count asks for one."""

    blocks: tuple[Block, ...]
    letters: Counter[int]

    def raised(self) -> _Branch:
        """The same a step later: the subtree without all of the leaves that come last."""
        blocks = [
            Block(block.index + 1, block.children, tuple([x + 1 for x in block.letters]))
            for block in self.blocks
        ]
        return _Branch(tuple(blocks), Counter({x + 1: n for x, n in self.letters.items()}))


def _cuts(L: int, depth: int, dropped: int) -> Iterator[Counter[int]]:
    """How many leaves are dropped in the subtree of each depth; at `depth` itself, of the root.

    From 2 L + 3 on only one way, which leaves the root whole and ends with the blocks that may be
    exchanged: a block of size 3 that lacks a child is one of size 2, and one of 4 is one of 3.
    """
    if depth < 2 * L + 3:
        for nodes in combinations([*range(L, depth - L + 1), depth], dropped):
            yield Counter(nodes)
        return
    natural = [L, *range(L + 3, 2 * L)]
    order = [2 * L, *natural, 2 * L, *[2 * L + 2] * 4, L + 2, L + 1, *[2 * L + 1] * 3]
    yield Counter([below for below in order if below <= depth - L][:dropped])


def _rooted(L: int, depth: int, cut: Counter[int], spare: int | None) -> Partition | None:
    """The subtrees of the root in blocks, and the rest for the root's block."""
    blocks: list[Block] = []
    pool = Counter(range(cut[depth], L))
    for below in range(L, depth - L + 1):
        branch = _branch(L, below, cut[below], spare)
        if branch is None:
            return None
        blocks += branch.blocks
        for letter, count in branch.letters.items():
            pool[letter] += count
    size = depth - L + 1 - cut[depth]
    for letter in sorted(+pool) if spare is None else [spare]:
        table = _Table(L, blocks.copy(), pool - Counter([letter]), size)
        gap = -(depth + sum(x * count for x, count in table.pool.items())) % size
        if pool[letter] > 0 and table.settled(gap, table.places()):
            root = Block(depth, size, tuple(sorted(table.pool.elements())))
            return Partition(L, depth, (*table.blocks, root), letter)
    return None


def _branch(L: int, depth: int, dropped: int, spare: int | None) -> _Branch | None:
    """A subtree of the root with any letter for the root, which is to have `spare` as well."""
    if dropped > 0 and dropped == fibonacci(L, depth - L):
        earlier = _branch(L, depth - 1, 0, None if spare is None else spare - 1)
        return None if earlier is None else earlier.raised()
    if depth < 2 * L:
        return _natural(L, depth)
    partition = partition_by_exchange(L, depth, dropped)
    if partition is not None:
        return _Branch(partition.blocks, Counter([partition.spare]))
    if depth > 2 * L or spare is None:
        return None
    # Even L, no leaf dropped: there is no partition.  But with j + 1 instead of 0 and j there is.
    given = 1 if spare != 2 else 2
    letters = (0, *[x for x in range(1, L) if x != given], given + 1)
    blocks = (Block(L, 1, ()), Block(2 * L, L + 1, letters))
    return _Branch(blocks, Counter({0: 1, given: 1, given + 1: -1}))


@cache
def _natural(L: int, depth: int) -> _Branch:
    """A node all of whose children are leaves keeps all but one, which the sum prescribes."""
    size = depth - L + 1
    if size == 0:
        return _Branch((), Counter([depth]))
    left = (depth + size * (size - 1) // 2) % size
    letters = tuple([x for x in range(size) if x != left])
    return _Branch((Block(depth, size, letters),), Counter([left]))


@dataclass(slots=True)
class _Table:
    """Blocks, and the letters of the root's block: those that no other block has."""

    L: int
    blocks: list[Block]
    pool: Counter[int]
    size: int

    def places(self) -> list[tuple[int, int]]:
        """Letters that may be exchanged, as block and position, of one block of each size."""
        first = {block.children: i for i, block in reversed(list(enumerate(self.blocks)))}
        return [
            (first[size], position)
            for size in range(2, _LARGEST + 1)
            if size in first
            for position in range(size - 1)
        ]

    def settled(self, gap: int, places: list[tuple[int, int]]) -> bool:
        """Exchange letters at some of the places so that the root's sum grows by `gap`.

        All modulo the root's size.  Each place is tried with no exchange first.
        """
        if gap == 0:
            return True
        if not places:
            return False
        *others, (i, position) = places
        if self.settled(gap, others):
            return True
        block = self.blocks[i]
        before, letter, after = (
            block.letters[:position],
            block.letters[position],
            block.letters[position + 1 :],
        )
        # The last exchange has to close the gap.
        first, step = (letter, block.children) if others else (letter - gap, self.size)
        for other in range(first % step, self.L + 1, step):
            fits = (other - letter) % block.children == 0
            if fits and other != letter and self.pool[other] > 0:
                self.pool[letter] += 1
                self.pool[other] -= 1
                self.blocks[i] = Block(block.index, block.children, (*before, other, *after))
                if self.settled((gap - letter + other) % self.size, others):
                    return True
                self.pool[letter] -= 1
                self.pool[other] += 1
        self.blocks[i] = block
        return False
