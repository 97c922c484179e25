"""The schedule of Figure 2 of RR-4871, step by step: as printed, and as it can be."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from exactsched.platforms.papers import legrand_fig1

# In odd steps (0) or in even steps (1) an arc works.
PRINTED = {"Ps->P1": 0, "Ps->P2": 1, "P1->P2": 1, "P2->P1": 0, "P1->P3": 0, "P2->P4": 1}
CORRECTED = {"Ps->P1": 0, "Ps->P2": 1, "P1->P2": 0, "P2->P1": 1, "P1->P3": 1, "P2->P4": 0}


@dataclass(frozen=True, slots=True)
class Periods:
    """So many periods of two steps."""

    count: int


def run_steps(steps: dict[str, int], periods: int) -> tuple[str, int]:
    """The first collision, or else "", and how many messages have come everywhere.

    In step t the source sends message t.  P1 and P2 send to each other what came from the source,
    and to P3 and P4 everything, oldest first, as many messages as fit into one step; what they
    send they have had before the step.

    >>> run_steps(CORRECTED, 4)
    ('', 4)
    """
    platform = legrand_fig1()
    has: dict[object, list[int]] = {node: [] for node in platform.nodes}
    for step in range(1, 2 * periods + 1):
        has["Ps"].append(step)
        received: list[tuple[object, int]] = []
        busy: dict[tuple[str, object], tuple[Fraction, str]] = {}
        for arc in platform.arcs:
            if (step - 1) % 2 != steps[str(arc)]:
                continue
            wanted = [m for m in has[arc.tail] if m not in has[arc.head]]
            if arc.tail == "Ps":
                wanted = [step]
            elif arc.head in ("P1", "P2"):
                own = 1 if arc.tail == "P1" else 0  # odd messages come to P1 first
                wanted = [m for m in wanted if m % 2 == own]
            sent = wanted[: int(1 / arc.cost)]
            if not sent:
                continue
            for port in (("send", arc.tail), ("receive", arc.head)):
                before, other = busy.get(port, (Fraction(0), ""))
                busy[port] = before + len(sent) * arc.cost, str(arc)
                if busy[port][0] > 1:
                    does = f"{port[1]} has to {port[0]} over {other} and {arc} at once"
                    return f"in step {step} {does}", 0
            received += [(arc.head, message) for message in sent]
        for node, message in received:
            has[node].append(message)
    return "", sum(all(m in got for got in has.values()) for m in has["Ps"])
