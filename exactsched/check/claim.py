"""What a checked certificate has proved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from exactsched.problem import Broadcast
from exactsched.rational import Rational, text

_LONG = 60


@dataclass(frozen=True, slots=True)
class Claim:
    """Numbers proved about a problem: what a schedule reaches, and a bound that none passes."""

    problem: Broadcast
    bound: Fraction

    def _asked(self) -> str:
        problem, platform = self.problem, self.problem.platform
        restriction = "" if problem.restrict == "none" else f", restricted to a {problem.restrict}"
        size = f"{len(platform.nodes)} nodes, {len(platform.arcs)} arcs"
        return f"broadcast from {problem.source}, {size}, {problem.ports}{restriction}"


@dataclass(frozen=True, slots=True)
class SeriesClaim(Claim):
    """Broadcasts per time unit: a schedule reaches `throughput`, no schedule passes `bound`."""

    kind: ClassVar[str] = "series"
    throughput: Fraction

    @property
    def optimal(self) -> bool:
        return self.throughput == self.bound

    def __str__(self) -> str:
        if self.optimal:
            proved = f"throughput {shown(self.throughput)} proved optimal: schedule and bound agree"
        else:
            proved = (
                f"throughput >= {shown(self.throughput)} by the schedule, "
                f"<= {shown(self.bound)} by the bound: not proved optimal"
            )
        return f"{proved} ({self._asked()})"


@dataclass(frozen=True, slots=True)
class RunClaim(Claim):
    """Time units: a schedule of the packets ends at `makespan`, none ends before `bound`."""

    kind: ClassVar[str] = "run"
    makespan: Fraction
    packet_count: int

    @property
    def optimal(self) -> bool:
        return self.makespan == self.bound

    def __str__(self) -> str:
        if self.optimal:
            proved = f"makespan {shown(self.makespan)} proved optimal: schedule and bound agree"
        else:
            proved = (
                f"makespan <= {shown(self.makespan)} by the schedule, "
                f">= {shown(self.bound)} by the bound: not proved optimal"
            )
        return f"{proved} ({self._asked()}, packets: {self.packet_count})"


@dataclass(frozen=True, slots=True)
class MinMaxClaim:
    """What a certificate of a min-max theorem has proved: that its two sides agree.

    `value` is what they agree on, None where nothing is optimized: no branchings meet a demand, a
    linear program is infeasible or unbounded.
    """

    kind: str
    value: Rational | None
    proved: str
    instance: str
    optimal: ClassVar[bool] = True  # these certificates leave no gap

    def __str__(self) -> str:
        return f"{self.proved} ({self.instance})"


def graph_size(nodes: int, arcs: Sequence[object], noun: str = "arcs") -> str:
    """What a graph is called in a claim.

    >>> graph_size(2, [(0, 1)])
    '2 nodes, 1 arcs'
    """
    return f"{nodes} nodes, {len(arcs)} {noun}"


def shown(number: Fraction | int) -> str:
    """A rational for a message: its digits, or "~" and its size when nobody would read them.

    >>> shown(Fraction(2, 3)), shown(Fraction(10**99, 7))
    ('2/3', '~1.4286e98')
    """
    digits = text(number)
    if len(digits) <= _LONG:
        return digits
    over, _, under = digits.lstrip("-").partition("/")
    exponent = len(over) - len(under or "1")
    mantissa = Fraction(number) / Fraction(10) ** exponent
    if abs(mantissa) < 1:
        mantissa, exponent = mantissa * 10, exponent - 1
    return f"~{float(mantissa):.4f}e{exponent}"
