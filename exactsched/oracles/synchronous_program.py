"""Packets in steps as an integer program: are that many steps enough, and what is sent then?"""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from typing import Any

from exactsched.certificate.synchronous import Send
from exactsched.oracles.synchronous import Arcs, Origins


def run_within(
    steps: int, size: int, arcs: Arcs, ports: str, origins: Origins
) -> tuple[tuple[Send, ...], ...] | None:
    """What starts in each step of some run that ends after `steps` or earlier, None if none does.

    SCIP searches in floating point: what it proposes is a run if the checker says so, and its None
    is a second opinion on small programs with coefficients 0, 1 and -1, not a proof.
    """
    program = _Program(steps, size, arcs, origins)
    program.keep_ports(ports)
    program.keep_packets()
    program.number_packets()
    return program.run()


class _Program:
    """x = 1 if a transfer of the packet starts on the arc in the step."""

    def __init__(self, steps: int, size: int, arcs: Arcs, origins: Origins) -> None:
        from pyscipopt import Model  # takes half a second to load

        self._steps, self._size, self._arcs = steps, size, arcs
        self._model = Model()
        self._model.hideOutput()
        self._whose = [node for node, number in origins for _ in range(number)]
        self._x = {
            (arc, packet, step): self._model.addVar(vtype="B")
            for arc, (_, head, duration) in enumerate(arcs)
            for packet, origin in enumerate(self._whose)
            for step in range(steps - duration + 1)
            if head != origin
        }
        # Of each node and packet what arrives at a time, and what leaves in a step.
        self._arriving: dict[tuple[int, int, int], list[Any]] = defaultdict(list)
        self._leaving: dict[tuple[int, int, int], list[Any]] = defaultdict(list)
        for (arc, packet, step), starts in self._x.items():
            tail, head, duration = arcs[arc]
            self._arriving[head, packet, step + duration].append(starts)
            self._leaving[tail, packet, step].append(starts)

    def keep_ports(self, ports: str) -> None:
        """A port has one transfer at work in a step."""
        from pyscipopt import quicksum

        at_work: dict[tuple[str, int, int], list[Any]] = defaultdict(list)
        both = ("port", "port") if ports == "half-duplex" else ("sends", "receives")
        for (arc, _, step), starts in self._x.items():
            tail, head, duration = self._arcs[arc]
            for under_way in range(step, step + duration):
                for port, node in zip(both, (tail, head), strict=True):
                    at_work[port, node, under_way].append(starts)
        for transfers in at_work.values():
            self._model.addCons(quicksum(transfers) <= 1)

    def keep_packets(self) -> None:
        """A node sends a packet that it has, and at last it has every one."""
        from pyscipopt import quicksum

        model, steps = self._model, self._steps
        for packet, origin in enumerate(self._whose):
            for node in set(range(self._size)) - {origin}:
                # Whether the node has the packet at the time 0, 1, ...
                have: Any = 0
                for time in range(steps + 1):
                    had, have = have, model.addVar(vtype="B", lb=int(time == steps))
                    model.addCons(have == had + quicksum(self._arriving[node, packet, time]))
                    for starts in self._leaving[node, packet, time]:
                        model.addCons(starts <= have)

    def number_packets(self) -> None:
        """Packets of one origin are alike: numbered as they leave it first, one at a time."""
        from pyscipopt import quicksum

        whose, leaving = self._whose, self._leaving
        for packet, following in pairwise(sorted(range(len(whose)), key=whose.__getitem__)):
            origin = whose[packet]
            if origin == whose[following]:
                for step in range(self._steps):
                    before = [leaving[origin, packet, time] for time in range(step)]
                    self._model.addCons(
                        quicksum(leaving[origin, following, step])
                        <= quicksum(starts for transfers in before for starts in transfers)
                    )

    def run(self) -> tuple[tuple[Send, ...], ...] | None:
        """What SCIP finds, step by step; None if it says that there is nothing."""
        self._model.optimize()
        if self._model.getStatus() == "infeasible":
            return None
        assert self._model.getStatus() == "optimal"
        rows: list[list[Send]] = [[] for _ in range(self._steps)]
        for (arc, packet, step), starts in self._x.items():
            if self._model.getVal(starts) > 0.5:
                rows[step].append(Send(arc, packet))
        return tuple(map(tuple, rows))
