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
    from pyscipopt import Model, quicksum

    model = Model()
    model.hideOutput()
    letters = [index for index in range(depth) if index - L + 1 <= lost]
    # By index: the nodes there, less the children of nodes that would be there.
    balance: dict[int, list[Any]] = {index: [] for index in range(depth)}
    columns = [
        (Block(index, size, word), model.addVar(vtype="I"))
        for index in range(L, depth - L + 1)
        for size in range(max(1, index - L + 1 - lost), index - L + 2)
        for word in _words(letters, size, index)
    ]
    for block, count in columns:
        balance[block.index].append(count)
        for letter, times in Counter(block.letters).items():
            balance[letter].append(times * count)
        for child in range(block.children):
            balance[block.index - L - child].append(-count)
    for child in range(children):
        balance[depth - L - child].append(-1)
    # The letters of the root's block are numbers of their own: its contents would be too many.
    roots = {letter: model.addVar(vtype="I") for letter in letters}
    spares = {letter: model.addVar(vtype="B") for letter in letters if spare in (None, letter)}
    for variables in (roots, spares):
        for letter, count in variables.items():
            balance[letter].append(count)
    mean = model.addVar(vtype="I") if balls is None else balls
    model.addCons(quicksum(roots.values()) == children - 1)
    root_sum = quicksum(letter * count for letter, count in roots.items())
    model.addCons(root_sum + depth == mean * children)
    model.addCons(quicksum(spares.values()) == 1)
    model.addCons(
        quicksum(block.children * count for block, count in columns) == processors - 1 - children
    )
    for terms in balance.values():
        model.addCons(quicksum(terms) == 0)
    model.optimize()
    if model.getNSols() == 0:
        return None

    def taken(count: Any) -> range:
        return range(round(model.getVal(count)))

    root = tuple(letter for letter, count in roots.items() for _ in taken(count))
    blocks = [block for block, count in columns for _ in taken(count)]
    spare = next(letter for letter, count in spares.items() if taken(count))
    partition = Partition(L, depth, (*blocks, Block(depth, children, root)), spare)
    return partition if partition.is_valid() and partition.processors == processors else None


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
