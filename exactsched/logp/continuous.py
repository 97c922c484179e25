"""Continuous broadcast: an item every step, everybody has it L + B(P-1) steps later.

Section 3.1-3.3 of Karp, Sahay, Santos and Schauser, for any number of processors.
"""

# ruff: noqa: N803  (L is the name of the latency in all of the literature)

from __future__ import annotations

import random

from exactsched.certificate.logp import LogPCycles, Role
from exactsched.errors import InvalidInput
from exactsched.logp.block_partition import Block, Partition
from exactsched.logp.counts import fibonacci
from exactsched.logp.partition_series import minimal_partition
from exactsched.logp.two_letters import early_partition, stored_cycles
from exactsched.logp.words import arrange
from exactsched.machine import LogP

Cycle = tuple[int, tuple[Role, ...]]


def continuous_broadcast(L: int, P: int) -> LogPCycles:
    """A schedule of the delay L + B(P-1), which none beats; for L = 2 it may be one step more.

    In the postal model (o = 0, g = 1) the source, processor P-1, sends an item in every step; B(p)
    is the least time of a broadcast among p processors.  The schedule is block-cyclic: a node with
    r children of the broadcast tree belongs to r processors that take turns.  For even L and
    P = L + 4, where no block-cyclic schedule is that fast, two blocks are merged.

    That there is such a schedule is proved for L = 1 and 3 <= L <= 64, by a finite computation for
    each L >= 3.  Raises `InvalidInput` unless L >= 1 and P >= 2 are integers, and where L > 64 and
    none is found.  Time O(L P), and tenths of a second for a few partitions.

    Reference: theorem 3.3; proofs/logp-continuous.md.

    >>> broadcast = continuous_broadcast(3, 10)
    >>> broadcast.time, broadcast.bound, [len(roles) for _, roles in broadcast.cycles]
    (10, 10, [1, 2, 5, 1])
    """
    if type(P) is not int or P < 2:
        raise InvalidInput("P", P, "an integer >= 2: a source, and somebody to send to")
    machine = LogP(L, 0, 1, P)
    least = 0
    while fibonacci(L, least) < P - 1:
        least += 1
    partition: Partition | None
    if L == 1:
        partition = _doubling(least, 2**least - (P - 1))
    elif L == 2:
        stored = stored_cycles(P - 1)
        if stored is not None:
            return LogPCycles(machine, stored, 0, (), L + least, L + least, True)
        partition = early_partition(P - 1)
    else:
        try:
            partition = minimal_partition(L, P - 1)
        except LookupError as unknown:
            rule = "for every L up to 64 the least delay is reached; here no schedule is known"
            raise InvalidInput("L", L, rule) from unknown
    depth = least if partition is None else partition.depth
    cycles = _merged(L) if partition is None else _cycles(partition)
    return LogPCycles(machine, cycles, 0, (), L + depth, L + least, depth == least)


def _cycles(partition: Partition) -> tuple[Cycle, ...]:
    """The blocks with their letters in a legal order, and the processor of the spare letter."""
    roles: dict[Block, tuple[Role, ...]] = {}
    for block in partition.blocks:
        if block not in roles:
            indices = arrange((block.index, *block.letters), block.children)
            delays = [partition.depth - index for index in indices]
            roles[block] = ((delays[0], block.children), *[(delay, 0) for delay in delays[1:]])
    spare = ((partition.depth - partition.spare, 0),)
    return (*[(1, roles[block]) for block in partition.blocks], (1, spare))


def _doubling(depth: int, dropped: int) -> Partition:
    """For L = 1, where f_t = 2^t and the only letters are 0 and 1.

    A full block takes zeros, one that lacks a child takes ones, and ones are nodes with no child
    instead of one.  Of the nodes with r >= 3 children (r = t: the root) so many lack the last one
    that what is left to be dropped can be taken from nodes with r = 2, where nobody minds.
    """
    if depth == 0:
        return Partition(1, 0, (), 0)
    nodes = {size: 2 ** (depth - 1 - size) for size in range(1, depth)} | {depth: 1}
    lost = dict.fromkeys(nodes, 0)
    left = dropped
    for size in range(3, depth + 1):
        # A block without a child needs size - 2 ones, each of them another dropped node.
        lost[size] = min(nodes[size], left // (size - 1))
        left -= lost[size] * (size - 1)
        lost[1] += lost[size] * (size - 2)
    if depth > 1:
        lost[2] = left
    blocks = []
    for size, count in nodes.items():
        for node in range(count):
            if node >= lost[size]:
                blocks.append(Block(size, size, (0,) * (size - 1)))
            elif size > 1:
                blocks.append(Block(size, size - 1, (1,) * (size - 2)))
    return Partition(1, depth, tuple(blocks), 0)


def _merged(L: int) -> tuple[Cycle, ...]:
    """For even L and P - 1 = L + 3: the root and the node with one child in one cycle.

    The root with its L + 1 children, L letters and the other node make L + 2 processors; one more
    letter is spare.  Letters are arranged in different orders until the two nodes are neighbors.
    """
    depth, spare = 2 * L, L // 2 - 2
    letters = [0, *range(L)]
    letters.remove(spare)
    source = random.Random(1)
    while True:
        source.shuffle(letters)
        indices = arrange((depth, *letters, L), L + 2)
        if indices[-1] == L:
            break
    delays = [depth - index for index in indices]
    roles = ((0, L + 1), *[(delay, 0) for delay in delays[1:-1]], (L, 1))
    return ((1, roles), (1, ((depth - spare, 0),)))
