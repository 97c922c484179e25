"""Partitions for the latency 2: of the least depth where one is stored, else one step deeper.

With two letters blocks of the least depth do not always exist (theorem 3.4).  One step more always
suffices (theorem 3.5, for any number of processors), by the induction of `partition_series`.
"""

from __future__ import annotations

from exactsched.logp.base_partitions import base_partition
from exactsched.logp.block_partition import Partition, joined
from exactsched.logp.counts import fibonacci


def early_partition(processors: int) -> Partition:
    """A partition whose depth is the least in which so many processors are reached, or one more.

    >>> partition = early_partition(21)
    >>> partition.is_valid(), partition.processors, partition.depth
    (True, 21, 8)
    """
    depth = 0
    while fibonacci(2, depth) < processors:
        depth += 1
    if depth == 0:
        return Partition(2, 0, (), 0)
    key = (processors, None, None)
    return (
        base_partition((2, depth, *key))
        or base_partition((2, depth + 1, *key))
        or _late(depth + 1, processors)
    )


def _late(depth: int, processors: int) -> Partition:
    """From f_(depth-2) to f_(depth-1) processors; the root has 2 balls, the spare letter is b.

    The intervals of depth - 1 and depth - 2 add up to that of depth; 8 and 9 are stored.
    """
    stored = base_partition((2, depth, processors, 1, 2))
    if stored is not None:
        return stored
    branch = max(fibonacci(2, depth - 4), processors - fibonacci(2, depth - 2))
    return joined(_late(depth - 1, processors - branch), [_late(depth - 2, branch)])
