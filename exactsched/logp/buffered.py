"""Broadcast of k items where messages may wait at their receiver: optimal single-sending schedules.

In the modified model of Karp, Sahay, Santos and Schauser (1993), section 3.5, any number of
messages may arrive at a processor at once, and it receives one in a step.  A leaf of the broadcast
tree that is received one step late has an index one less, so the sum of a block is made divisible
by its size, as M. Hall's theorem wants it, by letting some of its letters wait.  Proofs:
proofs/logp-buffered.md.
"""

# ruff: noqa: N803  (L is the name of the latency in all of the literature)

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from exactsched.certificate.limits import MAX_ITEMS
from exactsched.certificate.logp import BufferedCycle, BufferedRole, LogPBuffered
from exactsched.exact.errors import InvalidInput
from exactsched.logp.continuous import continuous_broadcast
from exactsched.logp.counts import broadcast_time, fibonacci
from exactsched.logp.items import single_sending_bound
from exactsched.logp.word_automaton import arrange
from exactsched.model.machine import LogP


def buffered_items(L: int, P: int, k: int) -> LogPBuffered:
    """k items in L + B(P-1) + k - 1 steps, each sent once; no more than one waits at a processor.

    Postal model (o = 0, g = 1) in which a message may wait at its receiver; B(p) is the least time
    of a broadcast among p processors.  No single-sending schedule takes less.  For every L >= 3
    no message waits longer than one step.  For L = 1 and L = 2 none waits: the schedule is that of
    `continuous_broadcast`, which for L = 2 may take one step more.

    L, k are positive integers up to 10^18, P >= 2.  Raises `InvalidInput` for others.
    Complexity: O(L + P) letters and an order for each different block, whatever k is.
    Reference: Karp, Sahay, Santos and Schauser 1993, theorem 3.8; proofs/logp-buffered.md.

    >>> schedule = buffered_items(3, 14, 14)
    >>> schedule.time, schedule.bound, schedule.optimal, schedule.buffer
    (24, 24, True, 1)
    >>> schedule.cycles[2].roles[2]  # what arrives with the delay 6 waits for a step
    BufferedRole(delay=6, children=0, wait=1)
    """
    bound = single_sending_bound(L, P, k)
    if P == 1:
        raise InvalidInput("P", P, "at least one processor besides the source")
    if L > MAX_ITEMS:
        raise InvalidInput("L", L, f"a latency of at most {MAX_ITEMS}")
    machine = LogP(L, 0, 1, P)
    if L <= 2:
        endless = continuous_broadcast(L, P)
        waitless = {
            cycle: BufferedCycle(
                cycle.shift, tuple([BufferedRole(*role, 0) for role in cycle.roles])
            )
            for cycle in {*endless.cycles}
        }
        cycles = tuple(map(waitless.__getitem__, endless.cycles))
    else:
        cycles = tuple(_cycles(L, P - 1))
    last = max(delay + wait for _, roles in cycles for delay, _, wait in roles)
    waiting = max(wait for _, roles in cycles for _, _, wait in roles)
    time = L + last + k - 1
    return LogPBuffered(machine, cycles, k, time, bound, waiting, time == bound)


class _Block(NamedTuple):
    """The header's index, the letters that the others receive, and how many of them are late.

    There is one letter for each child; the one that the block does not keep is `spare`.
    """

    header: int
    letters: tuple[int, ...]
    late: int
    spare: int


def _cycles(L: int, processors: int) -> Iterator[BufferedCycle]:
    """The blocks with their letters in a legal order, and the processor of the spare letter."""
    depth = broadcast_time(LogP(L, 0, 1, processors)).numerator
    spare = 0
    cycle_of = cache(lambda block: BufferedCycle(1, _ordered(block, depth)))
    for block in _dealt(L, depth, fibonacci(L, depth) - processors):
        yield cycle_of(block)
        spare = block.spare
    yield BufferedCycle(1, (BufferedRole(depth - spare, 0, 0),))


def _dealt(L: int, depth: int, dropped: int) -> Iterator[_Block]:
    """The nodes of the tree of f_depth - `dropped` nodes in blocks, the root's last.

    A node with r children has leaves 0, ..., min(r, L) - 1, without 0 if that child is dropped, and
    of each child with children the letter that is spare in its block.  From nodes with few children
    the last is dropped first.
    """
    if depth == 0:
        return
    nodes = {size: fibonacci(L, depth - 2 * L + 1 - size) for size in range(1, depth - 2 * L + 2)}
    nodes[depth - L + 1] = 1
    given: defaultdict[int, list[int]] = defaultdict(list)
    lost = {}
    for size, count in nodes.items():
        lost[size] = min(count, dropped)
        dropped -= lost[size]
    settled = cache(_settled)
    middle = lost.get(L, 0)  # of the nodes with L children, which are settled with their parents
    for size, count in nodes.items():
        for node in range(count):
            gap = int(node < lost[size])
            own = tuple(range(gap, min(size, L)))
            branches = range(1, size - L + 1)
            letters = (*own, *[given[child].pop() for child in branches if child != L])
            child_gap = 0
            if L in branches:
                child_gap = int(middle > 0)
                middle -= child_gap
            if size == gap:
                given[size].append(L)
            elif size != L or size == depth - L + 1:
                blocks = settled(L, size, letters, child_gap)
                yield from blocks
                given[size].append(blocks[-1].spare)


def _settled(L: int, size: int, letters: tuple[int, ...], child_gap: int) -> tuple[_Block, ...]:
    """The block of a node that would have `size` children, after that of its child with L of them.

    Letters other than 0 are given up rather than 0; then as few as possible are late.
    """
    index = L - 1 + size
    if size < 2 * L:
        return (min(_choices(index, letters), key=_preference),)
    pairs = [
        (child, block)
        for child in sorted(_choices(2 * L - 1, tuple(range(child_gap, L))), key=_preference)[:2]
        for block in _choices(index, (*letters, child.spare))
    ]
    return min(pairs, key=lambda pair: (*_preference(pair[1]), pair[0].late))


def _preference(block: _Block) -> tuple[bool, int, int]:
    return block.spare == 0, block.late, block.spare


def _choices(index: int, letters: tuple[int, ...]) -> Iterator[_Block]:
    """The blocks in which no letter is late by more than a step, one for each spare letter."""
    size, total = len(letters), index + sum(letters)
    positive = sum(1 for letter in letters if letter)
    for spare in set(letters):
        late = (total - spare) % size
        if late <= positive - (spare > 0):
            kept = list(letters)
            kept.remove(spare)
            yield _Block(index, tuple(sorted(kept)), late, spare)


def _ordered(block: _Block, depth: int) -> tuple[BufferedRole, ...]:
    """The roles of a block in turn; the largest letters are the late ones."""
    prompt = len(block.letters) - block.late
    indices = [x - (place >= prompt) for place, x in enumerate(block.letters)]
    size = len(indices) + 1
    waits = Counter(indices[prompt:])
    roles = [BufferedRole(depth - block.header, size, 0)]
    for index in arrange((block.header, *indices), size)[1:]:
        late = int(waits[index] > 0)
        waits[index] -= late
        roles.append(BufferedRole(depth - index - late, 0, late))
    return tuple(roles)
