"""Continuous broadcast: an item in every step, at every processor L + B(P-1) steps later.

Sections 3.1 to 3.3 of Karp, Sahay, Santos and Schauser, for any number of processors.
"""

# ruff: noqa: N803  (L is the name of the latency in all of the literature)

from __future__ import annotations

from exactsched.certificate.logp import Cycle, LogPCycles, Role
from exactsched.exact.arguments import checked_integer
from exactsched.logp.block_partition import Block, Partition
from exactsched.logp.counts import broadcast_time
from exactsched.logp.latency_two.continuous import early_partition, stored_cycles
from exactsched.logp.listing import refuse_long_times
from exactsched.logp.partition_series import minimal_partition
from exactsched.logp.word_automaton import arrange
from exactsched.model.machine import LogP


def continuous_broadcast(L: int, P: int) -> LogPCycles:
    """A schedule of the delay L + B(P-1), which none beats; for L = 2 it may be one step more.

    In the postal model (o = 0, g = 1) the source, processor P-1, sends an item in every step; B(p)
    is the least time of a broadcast among p processors.  The schedule is block-cyclic: a node with
    r children of the broadcast tree belongs to r processors that take turns.  For even L and
    P = L + 4, where no block-cyclic schedule is that fast, two blocks are merged.

    Raises `InvalidInput` unless L >= 1 and P >= 2 are integers, and for more and longer delays than
    are listed.  Time O(P), and O(t^2) for some of
    the blocks of the first depths t < 3 L + 3.

    Reference: theorem 3.3; theorem B of proofs/logp-continuous.md.

    >>> broadcast = continuous_broadcast(3, 10)
    >>> broadcast.time, broadcast.bound, [len(roles) for _, roles in broadcast.cycles]
    (10, 10, [1, 2, 5, 1])
    """
    size = checked_integer(P, 2, "P", "an integer >= 2: a source, and somebody to send to")
    machine = LogP(L, 0, 1, size)
    refuse_long_times(size, machine.L.numerator)
    least = int(broadcast_time(LogP(L, 0, 1, size - 1)))
    partition: Partition | None
    if L == 1:
        partition = _doubling(least, 2**least - (size - 1))
    elif L == 2:
        stored = stored_cycles(size - 1)
        if stored is not None:
            return LogPCycles(machine, stored, 0, (), L + least, L + least, True)
        partition = early_partition(size - 1)
    else:
        partition = minimal_partition(L, size - 1)
    depth = least if partition is None else partition.depth
    cycles = _merged(L) if partition is None else _cycles(partition)
    return LogPCycles(machine, cycles, 0, (), L + depth, L + least, depth == least)


def _cycles(partition: Partition) -> tuple[Cycle, ...]:
    """The blocks with their letters in a legal order, and the processor of the spare letter."""
    cycles: dict[Block, Cycle] = {}
    for block in partition.blocks:
        if block not in cycles:
            indices = _ordered(block)
            delays = [partition.depth - index for index in indices]
            children = [Role(delay, 0) for delay in delays[1:]]
            cycles[block] = Cycle(1, (Role(delays[0], block.children), *children))
    spare = Cycle(1, (Role(partition.depth - partition.spare, 0),))
    return (*map(cycles.__getitem__, partition.blocks), spare)


def _ordered(block: Block) -> tuple[int, ...]:
    """The indices of a block in a legal order, the header's first.

    A block with all of its leaves but one has residues w, w + 1, ..., which land two places apart:
    for even size all even places, and with w + size/2 left out and w again all odd ones.  Others
    are left to `arrange`, which takes quadratic time.
    """
    size = block.children
    odd = size % 2
    residues = [
        (block.index + place + (not odd and place >= size // 2)) % size for place in range(1, size)
    ]
    letters = {letter % size: letter for letter in block.letters}
    if len(letters) == size - 1 and letters.keys() == set(residues):
        return (block.index, *[letters[residue] for residue in residues])
    return arrange((block.index, *block.letters), size)


def _doubling(depth: int, dropped: int) -> Partition:
    """For L = 1, where f_t = 2^t and the only letters are 0 and 1.

    A full block takes zeros, and a block that lacks a child takes ones.  A one is a node that has
    no child instead of one.  Enough nodes with r >= 3 children (r = t: the root) lack the last
    child that nodes with r = 2 can lose the rest, which changes no sum.
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
    """For even L >= 4 and P - 1 = L + 3: the root and the node with one child in one cycle.

    The root with its L + 1 children, L letters and the other node, just before the root, make L + 2
    processors; one more letter is spare.
    """
    depth, half = 2 * L, L // 2
    letters = (0, L - 1, *range(half - 2), *range(half - 1, L - 1))
    roles = (Role(0, L + 1), *[Role(depth - letter, 0) for letter in letters], Role(L, 1))
    return (Cycle(1, roles), Cycle(1, (Role(depth - (half - 2), 0),)))
