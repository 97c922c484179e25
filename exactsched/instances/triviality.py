"""Which instances are trivial: too small for anything to go wrong.

A trivial instance still counts, and the corners of an instance type are trivial on purpose.  But a
generator should make few of them: `exactsched.campaign.triviality` counts how many.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any, Final

from exactsched.certificate.linear_programs import LinearProgram
from exactsched.model.machine import MultiPort
from exactsched.model.problem import Allgather, Alltoall, Broadcast, Combination, Reduction

# The least value of a field of this name with which an instance is not trivial: two nodes,
# processors or values, and a single message, leave no choice.
_LEAST: Final = {
    "P": 3,
    "size": 3,
    "processors": 3,
    "k": 2,
    "messages": 2,
    "packets": 2,
    "steps": 2,
    "length": 2,
}


def is_trivial(instance: Any) -> bool:
    """Whether a record has at most two nodes, a single tree, a single message, or no choice.

    - A broadcast is trivial if some node is out of reach by a look at single arcs, or if only one
      arc enters every other node: then there is at most one tree.
    - An allgather is trivial if no arc enters a node that needs a shard, or with two nodes.
    - An alltoall, a combination, a reduction, or a machine is trivial with at most two nodes,
      values or processors; a linear program with one row or one column.
    - Another record is trivial if one of its fields is, or is below the number in `_LEAST`.

    >>> from exactsched.model.machine import LogP
    >>> is_trivial(LogP(1, 0, 1, 2)), is_trivial(LogP(1, 0, 1, 3))
    (True, False)
    >>> from exactsched.model.platform import Platform
    >>> is_trivial(Broadcast(Platform("sab", [("s", "a", 1), ("a", "b", 1)]), "s"))
    True
    """
    if isinstance(instance, Broadcast):
        nodes, arcs = instance.platform.nodes, instance.platform.arcs
        entered = [arc.head for arc in arcs if arc.head != instance.source]
        return len(nodes) <= 2 or len(entered) == len(set(entered))
    if isinstance(instance, (Alltoall, Combination)):
        return len(instance.platform.nodes) <= 2
    if isinstance(instance, Allgather):
        served = {arc.head for arc in instance.platform.arcs}
        if len(instance.roots) == 1:
            served.add(instance.roots[0].node)
        return len(instance.platform.nodes) <= 2 or not instance.group <= served
    if isinstance(instance, Reduction):
        return len(instance.platform.nodes) <= 2 or len(instance.owners) <= 1
    if isinstance(instance, MultiPort):
        return len(instance.bandwidths) <= 2
    if isinstance(instance, LinearProgram):
        return len(instance.objective) <= 1 or len(instance.rows) <= 1
    if not is_dataclass(instance):
        return False
    return any(
        _few(one.name, value) if isinstance(value, int) else is_trivial(value)
        for one in fields(instance)
        for value in [getattr(instance, one.name)]
    )


def _few(name: str, value: int) -> bool:
    return value < _LEAST.get(name, value)
