"""Throughputs as NCCL's tests state them: the algorithm bandwidth and the bus bandwidth."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from exactsched.model.problem import Allgather, Alltoall, Collective, Combination


def bandwidths(problem: Collective, throughput: Fraction) -> tuple[Fraction, Fraction] | None:
    """The data of an operation in a time unit, and what of it passes the port of each node.

    With n nodes and equal parts, the bus bandwidth is (n - 1) / n of the algorithm bandwidth, of an
    all-reduce twice that.  None for other problems, and for parts of different sizes.

    - allgather: n shards; reduce-scatter: n blocks; all-reduce: one vector
    - alltoall: n messages at each node, one of which stays there

    >>> from exactsched.model.platform import Platform
    >>> pair = Platform("ab", [("a", "b", 1), ("b", "a", 1)])
    >>> bandwidths(Allgather(pair, (("a", 2), ("b", 2))), Fraction(1, 2))
    (Fraction(2, 1), Fraction(1, 1))
    >>> bandwidths(Combination(pair, ((1, ("a", "b")),)), Fraction(1))
    (Fraction(1, 1), Fraction(1, 1))
    """
    if isinstance(problem, Allgather):
        return _of_parts([size for _, size in problem.shards], throughput)
    if isinstance(problem, Alltoall):
        nodes = set(problem.sources)
        sizes = {demand.size for demand in problem.demands}
        everybody = len(problem.demands) == len(nodes) * (len(nodes) - 1) and len(sizes) == 1
        ends = {demand.target for demand in problem.demands}
        return (
            _of_parts(list(sizes) * len(nodes), throughput) if everybody and ends == nodes else None
        )
    if not isinstance(problem, Combination) or problem.mixed:
        return None
    count = len(problem.group)
    if len(problem.blocks) == 1 and problem.everywhere(0):
        whole = throughput * problem.blocks[0].size
        return whole, whole * 2 * (count - 1) / count
    wanted = {block.targets for block in problem.blocks}
    if len(wanted) < count or len(problem.blocks) > count:
        return None
    return _of_parts([block.size for block in problem.blocks], throughput)


def _of_parts(sizes: Sequence[Fraction], throughput: Fraction) -> tuple[Fraction, Fraction] | None:
    if len(set(sizes)) > 1:
        return None
    whole = throughput * sum(sizes, start=Fraction(0))
    return whole, whole * (len(sizes) - 1) / len(sizes)
