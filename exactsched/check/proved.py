"""What a checked certificate has proved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple

from exactsched.exact.rational import OneLine
from exactsched.exact.words import counted
from exactsched.exact.words import shown as shown
from exactsched.model.alltoall_among import AlltoallAmong
from exactsched.model.collective_names import collective_name
from exactsched.model.machine import LogP, MultiPort
from exactsched.model.problem import Broadcast, Collective

_NOTHING_OPTIMIZED = frozenset(
    [
        "branching-packing",
        "splitting-off",
        "unmet-demand",
        "linear-infeasibility",
        "linear-unboundedness",
    ]
)


@dataclass(frozen=True, slots=True)
class Proved(OneLine):
    """Numbers proved about a problem: what a schedule reaches, and a bound that none passes."""

    problem: Collective | AlltoallAmong
    bound: Fraction

    def _asked(self) -> str:
        problem, platform = self.problem, self.problem.platform
        size = graph_size(len(platform.nodes), platform.tails)
        asked = f"{collective_name(problem)}, {size}, {problem.ports}"
        if isinstance(problem, Broadcast) and problem.restrict != "none":
            return f"{asked}, restricted to a {problem.restrict}"
        return asked


@dataclass(frozen=True, slots=True)
class ProvedSeries(Proved):
    """Operations per time unit: a schedule reaches `throughput`, no schedule passes `bound`.

    An operation is a broadcast of one message, an alltoall, a reduction.
    """

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
class ProvedRun(Proved):
    """Time units: a schedule of the operations ends at `makespan`, none ends before `bound`.

    An operation is the broadcast of one packet, an alltoall, a reduction.
    """

    kind: ClassVar[str] = "run"
    makespan: Fraction
    operations: int

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
        noun = "packets" if isinstance(self.problem, Broadcast) else "operations"
        return f"{proved} ({self._asked()}, {noun}: {self.operations})"


@dataclass(frozen=True, slots=True)
class ProvedMinMax(OneLine):
    """What a certificate of a min-max theorem has proved.

    Where something is optimized its two sides agree on `value`, which is then `optimal`.  Other
    kinds say that something is possible or not: branchings or links meet a demand (`value`, the
    total demand), or none do; a linear program is infeasible or unbounded (`value` is None).
    Nothing is `optimal` there.
    """

    kind: str
    value: Fraction | None
    proved: str
    instance: str

    @property
    def optimal(self) -> bool:
        """Whether an optimum is proved: always, unless nothing is optimized."""
        return self.kind not in _NOTHING_OPTIMIZED

    def __str__(self) -> str:
        return f"{self.proved} ({self.instance})"


class ClassBounds(NamedTuple):
    """The least time of the schedules of a narrower class, and the bound that holds for all."""

    name: str
    bound_of_class: Fraction
    bound_of_all: Fraction


@dataclass(frozen=True, slots=True)
class ProvedLogP(OneLine):
    """What a schedule on a LogP machine does, and that no schedule does better than `bound`.

    `time` is when all is done (in an endless series, how long after an item has been sent), and
    `bound` a lower bound on it.  A summation adds `count` operands, and `bound` is an upper bound
    on what can be added in that time; it is `optimal` if less time is not enough.

    `bounds` is there if the schedule belongs to a narrower class, in which a sharper bound holds.
    Then `bound`, and with it `optimal`, is about what the certificate was asked for: for messages
    that may wait the class, and otherwise all schedules.
    """

    kind: str
    machine: LogP
    collective: str
    count: int
    time: Fraction
    bound: Fraction
    optimal: bool
    bounds: ClassBounds | None = None

    @property
    def value(self) -> Fraction:
        """What the bound is about: the time, or the number of operands of a summation."""
        return Fraction(self.count) if self.collective == "summation" else self.time

    def __str__(self) -> str:
        machine = self.machine
        asked = f"(L={shown(machine.L)}, o={shown(machine.o)}, g={shown(machine.g)})"
        done = f"{self._task()} in time {shown(self.time)}"
        if self.collective == "summation":
            return f"{done}{self._most_operands()} {asked}"
        if self.bounds is None:
            proved = _time_proved(self.time, self.bound)
        else:
            proved = self._proved_in_class(self.bounds)
        return f"{done}{proved} {asked}"

    def _most_operands(self) -> str:
        """Whether more can be added in this time, and as many in less: two questions."""
        if self.optimal and self.count == self.bound:
            return " proved optimal"
        most = f"no more than {shown(self.bound)} can be"
        if self.optimal:
            return f" proved optimal for this number, {most}"
        return f", {most}: not proved optimal"

    def _proved_in_class(self, bounds: ClassBounds) -> str:
        if self.time == bounds.bound_of_all:
            return " proved optimal"
        least, least_of_all = shown(bounds.bound_of_class), shown(bounds.bound_of_all)
        if self.bound == bounds.bound_of_all:
            reached = f", >= {least_of_all} by the bound: not proved optimal"
            return f"{reached}; {bounds.name} schedules take >= {least}"
        if self.optimal:
            reached = f" proved optimal among {bounds.name} schedules"
        else:
            reached = f", >= {least} for {bounds.name} schedules: not proved optimal"
        return f"{reached}; all schedules take >= {least_of_all}"

    def _task(self) -> str:
        processors = self.machine.P
        where = f"{processors} processor{'s' if processors > 1 else ''}"
        items = f" of {shown(self.count)} items"
        match self.collective:
            case "summation":
                operands = f"{shown(self.count)} operand{'s' if self.count > 1 else ''}"
                return f"summation of {operands} by {where}"
            case "continuous broadcast":
                return f"{self.collective} to {where}, each item"
            case "broadcast" | "buffered broadcast":
                return f"{self.collective}{items if self.count > 1 else ''} to {where}"
            case "allgather":
                return f"allgather{items if self.count > 1 else ''} among {where}"
            case "alltoall":
                return f"alltoall{items if self.count > 1 else ''} among {where}"
            case _:
                return f"{self.collective} among {where}"


@dataclass(frozen=True, slots=True)
class ProvedOverlay(OneLine):
    """What an overlay reaches, and what none of its structure within the degrees exceeds.

    The out-degrees of `above` nodes are above their bounds, by at most `excess`; the overlay is
    `optimal` if there are none, and `throughput` is the bound.
    """

    kind: str
    machine: MultiPort
    structure: str
    throughput: Fraction
    bound: Fraction
    optimal: bool
    excess: int
    above: int
    arcs: int

    @property
    def value(self) -> Fraction:
        """What the bound is about: the throughput."""
        return self.throughput

    def __str__(self) -> str:
        nouns = {"any": "overlay", "acyclic": "acyclic overlay", "tree": "tree"}
        noun, others = nouns[self.structure], self.machine.size - 1
        reached = f"{noun} to {counted(others, 'node')} at rate {shown(self.throughput)}"
        arcs = counted(self.arcs, "arc")
        if self.excess:
            above = f"out-degrees up to {self.excess} above their bounds at"
            within = f"within them no {noun} exceeds {shown(self.bound)}"
            return f"{reached}, {above} {counted(self.above, 'node')}; {within} ({arcs})"
        if self.optimal:
            return f"{reached} proved optimal ({arcs}, degrees kept)"
        gap = f"<= {shown(self.bound)} by the bound: not proved optimal"
        return f"{reached}, {gap} ({arcs}, degrees kept)"


@dataclass(frozen=True, slots=True)
class ProvedRounds(OneLine):
    """Everybody has all packets after `steps` steps, and after fewer than `bound` nobody can.

    `size` and `arcs` count the nodes and arcs of the graph, `packets` all packets.
    """

    kind: str
    size: int
    arcs: int
    ports: str
    packets: int
    steps: int
    bound: int
    optimal: bool

    @property
    def value(self) -> Fraction:
        """What the bound is about: the steps."""
        return Fraction(self.steps)

    def __str__(self) -> str:
        graph = f"({self.size} nodes, {self.arcs} arcs, {self.ports})"
        done = f"{counted(self.packets, 'packet')} to all nodes in {counted(self.steps, 'step')}"
        if self.optimal:
            return f"{done} proved optimal {graph}"
        return f"{done}, >= {self.bound} by the bound: not proved optimal {graph}"


def _time_proved(time: Fraction, bound: Fraction) -> str:
    if time == bound:
        return " proved optimal"
    return f", >= {shown(bound)} by the bound: not proved optimal"


def graph_size(nodes: int, arcs: Sequence[object], noun: str = "arc") -> str:
    """What a graph is called in a claim.

    >>> graph_size(2, [(0, 1)])
    '2 nodes, 1 arc'
    """
    return f"{counted(nodes, 'node')}, {counted(len(arcs), noun)}"
