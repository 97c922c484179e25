"""Letters in blocks with the right sums: by Hall's theorem a block-cyclic broadcast is no more.

A tree of the depth t has nodes of *index* t - delay; a node with children heads a *block* of as
many processors, the others are letters.  A block is legal in some order if and only if the sum of
its indices is divisible by its size (proofs/logp-words.md).  So the task is to distribute the
letters of one tree to its blocks with prescribed sums modulo their sizes; one letter is spare.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

Word = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """The header's index and number of children, which is the size, and size - 1 letters."""

    index: int
    children: int
    letters: Word

    @property
    def balls(self) -> int:
        """The mean of the indices, rounded down: how many balls the pattern juggles.

        >>> Block(7, 5, (0, 2, 0, 1)).balls
        2
        """
        return (self.index + sum(self.letters)) // self.children


@dataclass(frozen=True, slots=True)
class Partition:
    """The nodes of one tree of depth `depth` as blocks, the block of the root last, and a letter.

    The letter `spare` is received all the time by a processor that sends nothing.
    """

    L: int
    depth: int
    blocks: tuple[Block, ...]
    spare: int

    @property
    def processors(self) -> int:
        """How many processors the broadcast reaches: the nodes of the tree.

        >>> Partition(3, 7, FIGURE_2, 1).processors
        9
        """
        return 1 + sum(block.children for block in self.blocks)

    def is_valid(self) -> bool:
        """Whether the indices are those of the nodes of one tree, and all blocks can be arranged.

        Linear time.

        >>> Partition(3, 7, FIGURE_2, 1).is_valid(), Partition(3, 7, FIGURE_2, 0).is_valid()
        (True, False)
        """
        nodes = Counter([self.spare])
        # What begins and ends with a child: the numbers of children by delay, as differences.
        changes = Counter({0: 1, 1: -1})
        for block in self.blocks:
            nodes[block.index] += 1
            nodes.update(block.letters)
            delay = self.depth - block.index + self.L
            changes[delay] += 1
            changes[delay + block.children] -= 1
            sizes = block.children >= 1 and len(block.letters) == block.children - 1
            if not sizes or (block.index + sum(block.letters)) % block.children:
                return False
        expected = 0
        for delay in range(self.depth + 1):
            expected += changes.pop(delay, 0)
            if nodes.pop(self.depth - delay, 0) != expected:
                return False
        # A child may end at depth + 1, and no later: nothing is left.
        return not nodes and expected + changes.pop(self.depth + 1, 0) == 0 and not changes


FIGURE_2 = (Block(3, 1, ()), Block(4, 2, (0,)), Block(7, 5, (0, 2, 0, 1)))


def joined(trunk: Partition, branches: Sequence[Partition]) -> Partition:
    """Trees in one: each branch in turn becomes the first child of the root, later ones earlier.

    If a branch has depth t - L, the tree gets depth t, from t - 1, and the root one child more.
    The spare letter of every branch is to be the number of balls of the root less one: then it
    makes the root's pattern longer, with as many balls.

    >>> small = Partition(3, 3, (Block(3, 1, ()),), 0)
    >>> trunk = Partition(3, 5, (Block(5, 3, (0, 1)),), 2)
    >>> joined(trunk, [small]).blocks
    (Block(index=3, children=1, letters=()), Block(index=6, children=4, letters=(0, 1, 0)))
    """
    *blocks, root = trunk.blocks
    for branch in branches:
        blocks += branch.blocks
    more = len(branches)
    letters = (*root.letters, *[branch.spare for branch in branches])
    blocks.append(Block(root.index + more, root.children + more, letters))
    return Partition(trunk.L, trunk.depth + more, tuple(blocks), trunk.spare)


def raised(partition: Partition) -> Partition:
    """The same tree, in a schedule one step longer: all indices are one larger.

    Sums of r indices grow by r, so what is divisible by r stays so.

    >>> raised(Partition(3, 7, FIGURE_2, 1)).is_valid()
    True
    """
    blocks = [
        Block(block.index + 1, block.children, tuple([x + 1 for x in block.letters]))
        for block in partition.blocks
    ]
    return Partition(partition.L, partition.depth + 1, tuple(blocks), partition.spare + 1)
