"""The parts of a certificate as plain frozen data.

They promise nothing: a solver fills them in, and `exactsched.check` believes none of it.
Slots, transfers and cuts are tuples of numbers because there may be hundreds of thousands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from exactsched.platform import Node
from exactsched.problem import Broadcast


@dataclass(frozen=True, slots=True)
class WeightedTree:
    """`messages` messages of every period travel along the arborescence made of `arcs`."""

    messages: int
    arcs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PeriodicSchedule:
    """What every period of length `period` looks like.

    `slots` holds (arc, start, end) in units of `tick` from the start of the period; `whole`
    says that no message is ever interrupted.
    """

    period: Fraction
    tick: Fraction
    trees: tuple[WeightedTree, ...]
    slots: tuple[tuple[int, int, int], ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class Leaf:
    """Prices of resources and a packing of weighted node sets into the priced arcs.

    A cut (start, stop, weight) is the node set `order[start:stop]`.  `startup_cuts` are packed
    into the priced latencies, in a run only.
    """

    prices: Mapping[str, Fraction] = field(hash=False)
    order: tuple[Node, ...]
    cuts: tuple[tuple[int, int, Fraction], ...]
    startup_cuts: tuple[tuple[int, int, Fraction], ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """One case of a branching: the bound that holds when the arcs of `without` are not used."""

    without: tuple[int, ...]
    bound: Bound


@dataclass(frozen=True, slots=True)
class EnterBranching:
    """A tree enters `node` by exactly one arc: every arc into it is kept by a case."""

    node: Node
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class CycleBranching:
    """An acyclic set misses an arc of the directed `cycle`: every arc of it is missed by a case."""

    cycle: tuple[int, ...]
    cases: tuple[Case, ...]


Bound = Leaf | EnterBranching | CycleBranching


@dataclass(frozen=True, slots=True)
class SeriesCertificate:
    """A periodic schedule of a series of broadcasts; `schedule` is None for throughput 0.

    `throughput` is what the schedule reaches, `bound_value` what `bound` proves that none passes.
    """

    problem: Broadcast
    throughput: Fraction
    bound_value: Fraction
    optimal: bool
    schedule: PeriodicSchedule | None
    bound: Bound


@dataclass(frozen=True, slots=True)
class RunCertificate:
    """A finite schedule of packets of the sizes `packets`, which ends at `makespan`.

    `transfers` holds (arc, packet, start, end) in units of `tick`; no schedule ends before
    `bound_value`.
    """

    problem: Broadcast
    packets: tuple[Fraction, ...]
    makespan: Fraction
    bound_value: Fraction
    optimal: bool
    tick: Fraction
    transfers: tuple[tuple[int, int, int, int], ...]
    bound: Leaf


Certificate = SeriesCertificate | RunCertificate


def arc_resources(problem: Broadcast) -> list[tuple[str, ...]]:
    """For every arc the names of the resources that a message on it keeps busy.

    >>> from exactsched.platform import Platform
    >>> arc_resources(Broadcast(Platform(["a", "b"], [("a", "b", 1)]), "a"))
    [('send:a', 'recv:b')]
    """
    arcs = problem.platform.arcs
    if problem.ports == "one-port":
        return [(f"send:{arc.tail}", f"recv:{arc.head}") for arc in arcs]
    if problem.ports == "half-duplex":
        return [(f"port:{arc.tail}", f"port:{arc.head}") for arc in arcs]
    return [(f"link:{index}",) for index in range(len(arcs))]


def resources(problem: Broadcast) -> list[str]:
    """The names of all resources of a problem, each of which can work full time.

    >>> from exactsched.platform import Platform
    >>> resources(Broadcast(Platform(["a", "b"], [("a", "b", 1)]), "a", "half-duplex"))
    ['port:a', 'port:b']
    """
    nodes = problem.platform.nodes
    if problem.ports == "one-port":
        return [f"{side}:{node}" for node in nodes for side in ("send", "recv")]
    if problem.ports == "half-duplex":
        return [f"port:{node}" for node in nodes]
    return [f"link:{index}" for index in range(len(problem.platform.arcs))]
