"""Continuous broadcast for the latency 2: of the least delay where one is known, or one step more.

With two letters blocks of the least depth t do not always exist, and schedules neither (theorem
3.4).  There are blocks for all numbers of processors from f_(t-1) + 1 to about 0.807 f_t, by the
induction of `partition_series`, and stored cycles for some more; one step more always suffices
(theorem 3.5).  Proofs: proofs/logp-two-steps.md.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from exactsched.certificate.logp import Role
from exactsched.logp.block_partition import Partition, joined
from exactsched.logp.counts import fibonacci
from exactsched.logp.latency_two.automaton import least_depth
from exactsched.logp.latency_two.partitions import stored_partition

Cycle = tuple[int, tuple[Role, ...]]


def early_partition(processors: int) -> Partition:
    """A partition of the least depth that reaches `processors` processors, or of one more.

    For numbers of processors for which `stored_cycles` has nothing.

    >>> partition = early_partition(21)
    >>> partition.is_valid(), partition.processors, partition.depth
    (True, 21, 8)
    >>> early_partition(8828).depth, early_partition(8829).depth
    (20, 21)
    """
    depth = least_depth(processors)
    if depth == 0:
        return Partition(2, 0, (), 0)
    stored = stored_partition((2, depth, processors, None, None))
    if stored is not None:
        return stored
    return _grown(depth if processors <= most_in_blocks(depth) else depth + 1, processors)


def most_in_blocks(depth: int) -> int:
    """The largest number of processors for which `_grown` has a partition: 27, 44, 72, 116, ...

    From the depth 9 on it is 4 times the Lucas number of depth - 4; below 8 it is 0.

    >>> [most_in_blocks(depth) for depth in range(7, 13)]
    [0, 27, 44, 72, 116, 188]
    """
    if depth < 9:
        return 27 if depth == 8 else 0
    return 4 * (fibonacci(2, depth - 6) + fibonacci(2, depth - 4))


def _grown(depth: int, processors: int) -> Partition:
    """From f_(depth-2) to `most_in_blocks` processors; the root has 2 balls, the spare letter is b.

    The intervals of depth - 1 and depth - 2 add up to that of depth; 8, 9 and (10, 72) are stored.
    """
    stored = stored_partition((2, depth, processors, 1, 2))
    if stored is not None:
        return stored
    branch = max(fibonacci(2, depth - 4), processors - most_in_blocks(depth - 1))
    return joined(_grown(depth - 1, processors - branch), [_grown(depth - 2, branch)])


def stored_cycles(processors: int) -> tuple[Cycle, ...] | None:
    """Cycles of the least delay that are not blocks, or None if there are none or none are needed.

    They were found by `two_program`.

    >>> stored_cycles(5)[:2]
    ((2, ((4, 0), (2, 1))), (2, ((2, 1), (0, 3), (3, 0), (3, 0))))
    >>> stored_cycles(6), stored_cycles(21)
    (None, None)
    """
    line = _lines().get(processors)
    if line is None:
        return None
    depth = least_depth(processors)
    period, *walks = line
    return tuple(
        (int(period), tuple(_role(depth, word) for word in walk.split())) for walk in walks
    )


@cache
def _lines() -> dict[int, list[str]]:
    lines = files("exactsched.logp").joinpath("two_cycles.txt").read_text().splitlines()
    fields = [line.split(",") for line in lines]
    return {int(processors): rest for processors, *rest in fields}


def _role(depth: int, word: str) -> Role:
    index, children = word.split(".")
    return depth - int(index), int(children)
