"""How classes of the model that are no plain records are written: as records of their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Final, NamedTuple

from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import text
from exactsched.model.platform import Node, Platform
from exactsched.model.problem import Ports, Reduction


class ArcRow(NamedTuple):
    """An arc of a platform: a message of size s takes latency + s * cost time units on it."""

    tail: Node
    head: Node
    cost: Fraction
    latency: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class PlatformDocument:
    """The nodes of a platform, and its arcs, to which indices refer; costs are positive."""

    nodes: tuple[Node, ...]
    arcs: tuple[ArcRow, ...]

    def platform(self) -> Platform:
        return Platform(self.nodes, self.arcs)

    @staticmethod
    def of(platform: Platform) -> PlatformDocument:
        arcs = [ArcRow(arc.tail, arc.head, arc.cost, arc.latency) for arc in platform.arcs]
        return PlatformDocument(platform.nodes, tuple(arcs))


class Goal(NamedTuple):
    """v[first,last] is wanted at the node."""

    first: int
    last: int
    node: Node


class Size(NamedTuple):
    """The size of v[first,last]."""

    first: int
    last: int
    size: Fraction


class NodeTime(NamedTuple):
    """The time of any task on the processor of the node."""

    node: Node
    time: Fraction


class TaskTime(NamedTuple):
    """The time of the task T[first,cut,last] on the processor of the node."""

    node: Node
    first: int
    cut: int
    last: int
    time: Fraction


@dataclass(frozen=True, slots=True)
class ReductionDocument:
    """A series of reductions; see `Reduction`.

    `size` is that of all v[k,m], or null where `sizes` has one for each interval.  `compute` has
    the nodes that do any task, `compute_tasks` the times of single tasks.
    """

    TAG: ClassVar = Reduction.TAG

    platform: Platform
    owners: tuple[Node, ...]
    goals: tuple[Goal, ...]
    size: Fraction | None
    sizes: tuple[Size, ...]
    compute: tuple[NodeTime, ...]
    compute_tasks: tuple[TaskTime, ...]
    ports: Ports

    def reduction(self) -> Reduction:
        if (self.size is None) == (not self.sizes):
            rule = "either one size of all results, or the sizes of all of them"
            raise InvalidInput("size", "null" if self.size is None else text(self.size), rule)
        goals = tuple([((goal.first, goal.last), goal.node) for goal in self.goals])
        size = self.sizes if self.size is None else self.size
        times = (*self.compute, *self.compute_tasks)
        return Reduction(self.platform, self.owners, goals, size, times, self.ports)

    @staticmethod
    def of(problem: Reduction) -> ReductionDocument:
        one = problem.size if isinstance(problem.size, Fraction) else None
        sizes = () if isinstance(problem.size, Fraction) else problem.size
        return ReductionDocument(
            problem.platform,
            problem.owners,
            tuple([Goal(*interval, node) for interval, node in problem.goals]),
            one,
            tuple([Size(*row) for row in sizes]),
            tuple([NodeTime(*row) for row in problem.compute if len(row) == 2]),
            tuple([TaskTime(*row) for row in problem.compute if len(row) == 5]),
            problem.ports,
        )


class Document(NamedTuple):
    """The record that a class is written as, and the ways from the one to the other."""

    record: type
    value: Callable[[Any], Any]
    of: Callable[[Any], Any]


DOCUMENTS: Final[dict[Any, Document]] = {
    Platform: Document(PlatformDocument, PlatformDocument.platform, PlatformDocument.of),
    Reduction: Document(ReductionDocument, ReductionDocument.reduction, ReductionDocument.of),
}
