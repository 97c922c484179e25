"""Plans by the definition: ranks with buffers, and transfers in any order that they allow."""

from __future__ import annotations

import random

from exactsched.export.plan import Plan


def played(plan: Plan, given: list[list[list[int] | None]], seed: int) -> list[list[list[int]]]:
    """What every rank has of every part in the end; what it never had is -1.

    `given[rank][part]` is what the rank starts with.  A transfer is made at any time after those
    that it waits for, as its sender and its receiver know them: of a transfer between other ranks
    neither knows anything.
    """
    lengths = [max(len(start[part] or ()) for start in given) for part in range(len(plan.parts))]
    has = [
        [list(start[part] or [-1] * lengths[part]) for part in range(len(plan.parts))]
        for start in given
    ]
    ranges = plan.ranges(lengths)
    drawn = random.Random(seed)
    left = set(range(len(plan.transfers)))
    while left:
        ready = [index for index in sorted(left) if not left.intersection(known(plan, index))]
        one = drawn.choice(ready)
        left.remove(one)
        transfer = plan.transfers[one]
        part, (low, high) = plan.chunks[transfer.chunk].part, ranges[transfer.chunk]
        source, target = has[transfer.sender][part], has[transfer.receiver][part]
        for place in range(low, high):
            assert source[place] >= 0, f"transfer {one} sends what its sender does not have"
            added = target[place] if transfer.adds else 0
            target[place] = added + source[place]
    return has


def known(plan: Plan, index: int) -> list[int]:
    """The transfers it waits for in which its sender or its receiver takes part."""
    transfer = plan.transfers[index]
    ends = {transfer.sender, transfer.receiver}
    return [
        other
        for other in transfer.after
        if ends & {plan.transfers[other].sender, plan.transfers[other].receiver}
    ]


def starts(plan: Plan, lengths: list[int], seed: int) -> list[list[list[int] | None]]:
    """Values for every source of every part."""
    drawn = random.Random(seed)
    return [
        [
            [drawn.randrange(1 << 20) for _ in range(length)] if rank in part.sources else None
            for part, length in zip(plan.parts, lengths, strict=True)
        ]
        for rank in range(len(plan.ranks))
    ]


def refuse_wrong_ends(
    plan: Plan, given: list[list[list[int] | None]], has: list[list[list[int]]]
) -> None:
    """Every target of a part has what its source had, or the sum of all."""
    for index, part in enumerate(plan.parts):
        vectors = [given[rank][index] for rank in part.sources]
        expected = [sum(values) for values in zip(*vectors, strict=True)]
        for rank in part.targets:
            assert has[rank][index] == expected, f"part {index} on rank {rank}"
