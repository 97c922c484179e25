"""Packets in steps as an integer program: are that many steps enough, and what is sent then?"""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from typing import Any

from exactsched.oracles.synchronous import Arcs, Origins


def run_within(
    steps: int, size: int, arcs: Arcs, ports: str, origins: Origins
) -> tuple[tuple[int, ...], ...] | None:
    """What starts in each step of some run that ends after `steps` or earlier, None if none does.

    x = 1 if a transfer of the packet starts on the arc in the step.  SCIP searches in floating
    point: what it proposes is a run if the checker says so, and its None is a second opinion on
    small programs with coefficients 0, 1 and -1, not a proof.
    """
    from pyscipopt import Model, quicksum  # takes half a second to load

    model = Model()
    model.hideOutput()
    whose = [node for node, number in origins for _ in range(number)]
    packets = range(len(whose))
    x = {
        (arc, packet, step): model.addVar(vtype="B")
        for arc, (_, head, duration) in enumerate(arcs)
        for packet, origin in enumerate(whose)
        for step in range(steps - duration + 1)
        if head != origin
    }
    # Of each node and packet what arrives at a time, and what leaves in a step.
    arriving: dict[tuple[int, int, int], list[Any]] = defaultdict(list)
    leaving: dict[tuple[int, int, int], list[Any]] = defaultdict(list)
    at_work: dict[tuple[str, int, int], list[Any]] = defaultdict(list)
    for (arc, packet, step), starts in x.items():
        tail, head, duration = arcs[arc]
        arriving[head, packet, step + duration].append(starts)
        leaving[tail, packet, step].append(starts)
        both = ("port", "port") if ports == "half-duplex" else ("sends", "receives")
        for under_way in range(step, step + duration):
            for port, node in zip(both, (tail, head), strict=True):
                at_work[port, node, under_way].append(starts)
    for transfers in at_work.values():
        model.addCons(quicksum(transfers) <= 1)
    for packet, origin in enumerate(whose):
        for node in set(range(size)) - {origin}:
            # Whether the node has the packet at the time 0, 1, ...: at last it has it.
            have: Any = 0
            for time in range(steps + 1):
                had, have = have, model.addVar(vtype="B", lb=int(time == steps))
                model.addCons(have == had + quicksum(arriving[node, packet, time]))
                for starts in leaving[node, packet, time]:
                    model.addCons(starts <= have)
    # Packets of one origin are alike: numbered as they leave it first.  They leave one at a time.
    for packet, following in pairwise(sorted(packets, key=whose.__getitem__)):
        origin = whose[packet]
        if origin == whose[following]:
            for step in range(steps):
                before = [leaving[origin, packet, time] for time in range(step)]
                model.addCons(
                    quicksum(leaving[origin, following, step])
                    <= quicksum(starts for transfers in before for starts in transfers)
                )
    model.optimize()
    if model.getStatus() == "infeasible":
        return None
    assert model.getStatus() == "optimal"
    rows: list[list[int]] = [[] for _ in range(steps)]
    for (arc, packet, step), starts in x.items():
        if model.getVal(starts) > 0.5:
            rows[step] += (arc, packet)
    return tuple(map(tuple, rows))
