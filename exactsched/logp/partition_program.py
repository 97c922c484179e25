"""Partitions of letters into blocks by integer programming, for small trees.

    python -m exactsched.logp.partition_program > two_partitions.txt

finds the stored partitions for the latency 2 again, in a minute or two.
"""

# ruff: noqa: N803  (L is the name of the latency in all of the literature)

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Any

from exactsched.logp.block_partition import Block, Partition, Word
from exactsched.logp.latency_two.automaton import least_depth
from exactsched.logp.latency_two.partitions import Key, line_of


def partition_by_program(
    L: int,
    depth: int,
    processors: int,
    *,
    lost: int = 1,
    spare: int | None = None,
    balls: int | None = None,
) -> Partition | None:
    """A partition for a tree with this number of nodes and depth, or None if SCIP finds none.

    Every node may lack up to `lost` of the children for which there is time, the latest ones.
    The spare letter and the number of balls of the root may be prescribed.  What SCIP proposes is
    verified in integers; that there is none is believed, not proved, and no claim rests on it.

    The program has a variable for every possible content of every possible block, and an equation
    for every delay: as many nodes as parents' children.

    >>> partition_by_program(3, 7, 9, spare=1).is_valid()
    True
    >>> partition_by_program(4, 8, 7) is None
    True
    """
    full = depth - L + 1
    for children in range(full, max(full - lost, 1) - 1, -1):
        found = _with_root(L, depth, processors, children, lost, spare, balls)
        if found is not None:
            return found
    return None


def _with_root(
    L: int,
    depth: int,
    processors: int,
    children: int,
    lost: int,
    spare: int | None,
    balls: int | None,
) -> Partition | None:
    """A partition in which the root has this number of children."""
    program = _Program(L, depth, children, lost, spare)
    program.divide_root(balls)
    program.count_processors(processors)
    program.balance_delays()
    partition = program.partition()
    if partition and partition.is_valid() and partition.processors == processors:
        return partition
    return None


class _Program:
    """The integer program for one number of children of the root.

    Its variables say how often every possible block is used, how often every letter is in the block
    of the root, and which letter is spare.  The letters of the root are numbers of their own: its
    possible contents would be too many.
    """

    def __init__(self, L: int, depth: int, children: int, lost: int, spare: int | None) -> None:
        from pyscipopt import Model

        self._model = Model()
        self._model.hideOutput()
        self._L, self._depth, self._children = L, depth, children
        letters = [index for index in range(depth) if index - L + 1 <= lost]
        self._columns = [
            (Block(index, size, word), self._whole())
            for index in range(L, depth - L + 1)
            for size in range(max(1, index - L + 1 - lost), index - L + 2)
            for word in _words(letters, size, index)
        ]
        self._roots = {letter: self._whole() for letter in letters}
        self._spares = {
            letter: self._model.addVar(vtype="B") for letter in letters if spare in (None, letter)
        }

    def _whole(self) -> Any:
        return self._model.addVar(vtype="I")

    def balance_delays(self) -> None:
        """At every index there are as many nodes as children of nodes that would be there."""
        from pyscipopt import quicksum

        balance: dict[int, list[Any]] = {index: [] for index in range(self._depth)}
        for block, count in self._columns:
            balance[block.index].append(count)
            for letter, times in Counter(block.letters).items():
                balance[letter].append(times * count)
            for child in range(block.children):
                balance[block.index - self._L - child].append(-count)
        for child in range(self._children):
            balance[self._depth - self._L - child].append(-1)
        for variables in (self._roots, self._spares):
            for letter, count in variables.items():
                balance[letter].append(count)
        for terms in balance.values():
            self._model.addCons(quicksum(terms) == 0)

    def divide_root(self, balls: int | None) -> None:
        """The root's block is a block of its size, with this mean if one is prescribed."""
        from pyscipopt import quicksum

        roots, children = self._roots, self._children
        mean = self._whole() if balls is None else balls
        root_sum = quicksum(letter * count for letter, count in roots.items())
        self._model.addCons(quicksum(roots.values()) == children - 1)
        self._model.addCons(root_sum + self._depth == mean * children)

    def count_processors(self, processors: int) -> None:
        """One letter is spare, and the blocks have as many nodes as there are processors left."""
        from pyscipopt import quicksum

        nodes = quicksum(block.children * count for block, count in self._columns)
        self._model.addCons(quicksum(self._spares.values()) == 1)
        self._model.addCons(nodes == processors - 1 - self._children)

    def partition(self) -> Partition | None:
        """What SCIP proposes, not verified; None if it finds nothing."""
        self._model.optimize()
        if self._model.getNSols() == 0:
            return None
        root = tuple(letter for letter, n in self._roots.items() for _ in self._taken(n))
        blocks = [block for block, n in self._columns for _ in self._taken(n)]
        spare = next(letter for letter, n in self._spares.items() if self._taken(n))
        blocks.append(Block(self._depth, self._children, root))
        return Partition(self._L, self._depth, tuple(blocks), spare)

    def _taken(self, count: Any) -> range:
        return range(round(self._model.getVal(count)))


def _words(letters: list[int], size: int, index: int) -> Iterator[Word]:
    """Multisets of size - 1 letters whose sum and the header's index are 0 modulo the size."""
    for word in combinations_with_replacement(letters, size - 1):
        if (index + sum(word)) % size == 0:
            yield word


def main() -> None:
    """A line for every base case that the program solves."""
    for key in _stored():
        latency, depth, processors, spare, balls = key
        for lost in range(1, 7):
            found = partition_by_program(
                latency, depth, processors, lost=lost, spare=spare, balls=balls
            )
            if found is not None:
                print(line_of(key, found), flush=True)
            if found is not None or balls is None:
                break


def _stored() -> Iterator[Key]:
    """The least depths, and those on which the induction of `two_letters` rests."""
    for processors in range(2, 46):
        yield 2, least_depth(processors), processors, None, None
    for depth, least, most in ((8, 13, 27), (9, 21, 44), (10, 72, 72)):
        for processors in range(least, most + 1):
            yield 2, depth, processors, 1, 2


if __name__ == "__main__":
    main()
