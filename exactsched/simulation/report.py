"""What happened in a simulation, in exact numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from exactsched.exact.rational import readable
from exactsched.model.collective_names import collective_name
from exactsched.model.platform import Node, one_line
from exactsched.model.problem import (
    Allgather,
    Alltoall,
    Broadcast,
    Collective,
    Combination,
)
from exactsched.simulation.wording import percent, shown

_LISTED = 10


@readable
@dataclass(frozen=True)
class SimulationReport:
    """What happened in a simulation, in exact numbers.

    Each of the `operations` made all its wanted states, the last one at `makespan`.  `completion`
    says when each node that waits for something had all of it, `busy` for each resource the part
    of the time until `makespan` in which it worked.  `throughput` is the size per time unit that
    the schedule delivers, period by period (a run has no period: its own `rate`), `constant` the C
    of M / throughput + C, which the makespan does not exceed (None in a run, where nothing is
    promised).  The bound of the certificate is not examined, so it is not here.

    `results` holds what was really found at every goal, a value for each operation: of a
    broadcast by node, of an alltoall by `Demand`, of an allgather by (root, node), of a reduction
    by goal, ((k, m), node), of a combination by (block, node).
    """

    problem: Collective
    operations: int
    volume: Fraction
    makespan: Fraction
    completion: Mapping[Node, Fraction] = field(hash=False)
    busy: Mapping[str, Fraction] = field(hash=False)
    throughput: Fraction
    constant: Fraction | None
    events: int
    results: Mapping[Any, tuple[Any, ...]] = field(hash=False, repr=False)

    @property
    def rate(self) -> Fraction:
        """What was delivered everywhere, by the makespan."""
        return self.volume / self.makespan

    @property
    def limit(self) -> Fraction | None:
        """M / throughput + C, which the makespan does not exceed; None in a run."""
        return None if self.constant is None else self.volume / self.throughput + self.constant

    def __str__(self) -> str:
        asked = collective_name(self.problem, one_line)
        lines = [
            ("simulated", f"{asked}, {self.problem.ports}, {self.events} events"),
            ("operations", f"{self.operations} of {self.operations} {_where(self.problem)}"),
            ("makespan", shown(self.makespan)),
        ]
        if self.constant is None or self.limit is None:
            lines.append(("rate", shown(self.rate)))
        else:
            rule = f"operations / throughput + {shown(self.constant)}"
            part = percent(self.rate / self.throughput)
            lines += [
                ("at most", f"{shown(self.limit)} = {rule}"),
                ("rate", f"{shown(self.rate)} ({part} of the schedule's rate)"),
                ("throughput", shown(self.throughput)),
            ]
        table = [f"{name:<12} {value}" for name, value in lines]
        last = sorted(self.completion.items(), key=lambda item: -item[1])
        table.append(f"{'node':<12} complete at")
        table += [f"  {one_line(node):<10} {shown(end)}" for node, end in last[:_LISTED]]
        if len(last) > _LISTED:
            table.append(f"  ... and {len(last) - _LISTED} nodes before that")
        most = sorted(self.busy.items(), key=lambda item: -item[1])
        table.append(f"{'resource':<12} busy")
        table += [f"  {one_line(name):<10} {percent(part)}" for name, part in most[:_LISTED]]
        if len(most) > _LISTED:
            table.append(f"  ... and {len(most) - _LISTED} less busy")
        return "\n".join(table)


def _where(problem: Collective) -> str:
    if isinstance(problem, Broadcast):
        return "everywhere"
    if isinstance(problem, Alltoall):
        return "complete, every message at its target"
    if isinstance(problem, Allgather):
        return "complete, every shard everywhere in the group"
    if isinstance(problem, Combination):
        what = "message" if problem.mixed and len(problem.blocks) == 1 else "sum"
        return f"complete, every {what} at its targets"
    return "complete, every value as defined"
