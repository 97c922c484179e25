"""What an operation of each collective is."""

from __future__ import annotations

from fractions import Fraction

from exactsched.check.collectives.operation import Operation
from exactsched.check.collectives.operations_of_messages import (
    AllgatherOperation,
    AlltoallOperation,
    BroadcastOperation,
)
from exactsched.check.collectives.operations_of_sums import (
    CombinationOperation,
    ReductionOperation,
)
from exactsched.model.problem import (
    Allgather,
    Alltoall,
    Broadcast,
    Collective,
    Reduction,
)


def operation_of(problem: Collective, tick: Fraction) -> Operation:
    """One operation of the problem, with times in these ticks."""
    if isinstance(problem, Broadcast):
        return BroadcastOperation(problem, tick)
    if isinstance(problem, Alltoall):
        return AlltoallOperation(problem, tick)
    if isinstance(problem, Allgather):
        return AllgatherOperation(problem, tick)
    if isinstance(problem, Reduction):
        return ReductionOperation(problem, tick)
    return CombinationOperation(problem, tick)
