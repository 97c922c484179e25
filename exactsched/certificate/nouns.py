"""The parts of a certificate as plain frozen data.

They promise nothing: a solver fills them in, and `exactsched.check` believes none of it.
Slots, transfers and cuts are tuples of numbers because there may be hundreds of thousands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from exactsched.exact.rational import Rational
from exactsched.model.platform import Node
from exactsched.model.problem import Alltoall, Broadcast, Collective, Reduction


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
class CutBound:
    """Prices of resources and a packing of weighted node sets into the priced arcs.

    A cut (start, stop, weight) is the node set `order[start:stop]`.  `startup_cuts` are packed
    into the priced latencies, in a run only.  `odd_sets` holds (nodes, price): half-duplex, at most
    k arcs inside a set of 2k + 1 nodes work at a time.
    """

    prices: Mapping[str, Fraction] = field(hash=False)
    order: tuple[Node, ...]
    cuts: tuple[tuple[int, int, Fraction], ...]
    startup_cuts: tuple[tuple[int, int, Fraction], ...] = ()
    odd_sets: tuple[tuple[tuple[Node, ...], Fraction], ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """One case of a branching: the bound that holds when the arcs of `without` are not used."""

    without: tuple[int, ...]
    bound: Bound


@dataclass(frozen=True, slots=True)
class SplitOnNode:
    """A tree enters `node` by exactly one arc: every arc into it is kept by a case."""

    node: Node
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class SplitOnCycle:
    """An acyclic set misses an arc of the directed `cycle`: every arc of it is missed by a case."""

    cycle: tuple[int, ...]
    cases: tuple[Case, ...]


Bound = CutBound | SplitOnNode | SplitOnCycle


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
    bound: CutBound


# A task is (place, item...).  A place is an arc (its index) or the processor of a node (the number
# of arcs + the index of the node).  The message of an all-to-all is the item (demand,), a transfer
# of v[k,m] has the item (k, m), the task T[k,l,m] of a processor the item (k, l, m).
Task = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WeightedRoute:
    """`messages` messages of a demand travel in every period along the path made of `arcs`."""

    messages: int
    demand: int
    arcs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WeightedScheme:
    """`operations` reductions of every period are done by `tasks`, listed after their inputs.

    Where there is a single goal the scheme of an optimum is a reduction tree (RR-4872, definition
    1); for a prefix a result may be used and sent more than once.
    """

    operations: int
    tasks: tuple[Task, ...]


@dataclass(frozen=True, slots=True)
class CollectiveSchedule:
    """What every period of length `period` looks like: the tasks that belong to it, and when.

    `structures` are routes (alltoall) or schemes (reduction).  `slots` holds (place, start, end) in
    units of `tick`; the time of the slots of a place is used by its tasks one after the other, in
    the order of the structures, and in each in the order of its tasks.  `whole` says that no
    single task is ever interrupted.
    """

    period: Fraction
    tick: Fraction
    structures: tuple[WeightedRoute, ...] | tuple[WeightedScheme, ...]
    slots: tuple[tuple[int, int, int], ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class DistanceBound:
    """Prices, and for each source the distances of the nodes that its messages must go.

    `distances` has a row for every source, in the order of `Alltoall.sources`, with a number for
    every node; along an arc it grows by at most the cost times the prices of the ports.
    """

    prices: Mapping[str, Rational] = field(hash=False)
    distances: tuple[tuple[Rational, ...], ...]


@dataclass(frozen=True, slots=True)
class PotentialBound:
    """Prices, and for each goal a potential of every state, v[k,m] being known at a node.

    `potentials` has for every goal a row for each interval, in the order of `intervals`, with a
    number for every node.  What is there from the start has no positive potential; what a task
    adds to the potentials of its inputs, summed over the goals, is at most its priced time.
    """

    prices: Mapping[str, Rational] = field(hash=False)
    potentials: tuple[tuple[tuple[Rational, ...], ...], ...]


@dataclass(frozen=True, slots=True)
class CollectiveSeries:
    """A periodic schedule of all-to-alls or reductions; `schedule` is None for throughput 0."""

    problem: Alltoall | Reduction
    throughput: Fraction
    bound_value: Fraction
    optimal: bool
    schedule: CollectiveSchedule | None
    bound: DistanceBound | PotentialBound


@dataclass(frozen=True, slots=True)
class CollectiveRun:
    """A finite schedule of so many `operations` that ends at `makespan`.

    `rows` holds (index into `tasks`, operation, start, end) in units of `tick`.
    """

    problem: Alltoall | Reduction
    operations: int
    makespan: Fraction
    bound_value: Fraction
    optimal: bool
    tick: Fraction
    tasks: tuple[Task, ...]
    rows: tuple[tuple[int, int, int, int], ...]
    bound: DistanceBound | PotentialBound


BroadcastCertificate = SeriesCertificate | RunCertificate
CollectiveCertificate = CollectiveSeries | CollectiveRun
Certificate = BroadcastCertificate | CollectiveCertificate


def arc_resources(problem: Collective) -> list[tuple[str, ...]]:
    """For every arc the names of the resources that a message on it keeps busy.

    >>> from exactsched.model.platform import Platform
    >>> arc_resources(Broadcast(Platform(["a", "b"], [("a", "b", 1)]), "a"))
    [('send:a', 'recv:b')]
    """
    arcs = problem.platform.arcs
    if problem.ports == "one-port":
        return [(f"send:{arc.tail}", f"recv:{arc.head}") for arc in arcs]
    if problem.ports == "half-duplex":
        return [(f"port:{arc.tail}", f"port:{arc.head}") for arc in arcs]
    return [(f"link:{index}",) for index in range(len(arcs))]


def place_resources(problem: Collective) -> list[tuple[str, ...]]:
    """The resources of every place of work: of the arcs, then of the processors of the nodes.

    >>> from exactsched.model.platform import Platform
    >>> place_resources(Broadcast(Platform(["a", "b"], [("a", "b", 1)]), "a"))
    [('send:a', 'recv:b'), ('compute:a',), ('compute:b',)]
    """
    processors = [(f"compute:{node}",) for node in problem.platform.nodes]
    return arc_resources(problem) + processors


def resources(problem: Collective) -> list[str]:
    """The names of all resources of a problem, each of which can work full time.

    >>> from exactsched.model.platform import Platform
    >>> resources(Broadcast(Platform(["a", "b"], [("a", "b", 1)]), "a", "half-duplex"))
    ['port:a', 'port:b']
    """
    nodes = problem.platform.nodes
    computing = problem.processors if isinstance(problem, Reduction) else ()
    processors = [f"compute:{node}" for node in computing]
    if problem.ports == "one-port":
        return [f"{side}:{node}" for node in nodes for side in ("send", "recv")] + processors
    if problem.ports == "half-duplex":
        return [f"port:{node}" for node in nodes] + processors
    return [f"link:{index}" for index in range(len(problem.platform.arcs))] + processors
