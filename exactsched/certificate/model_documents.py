"""How classes of the model that are no plain records are written: as records of their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Annotated, Any, ClassVar, Final, NamedTuple

from exactsched.certificate.in_bulk import column_reader, many
from exactsched.certificate.rules import Index
from exactsched.exact.arguments import are_all
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import text
from exactsched.model.platform import NO_LATENCY, ArcColumns, Node, Platform, SharedLink
from exactsched.model.problem import Ports, Reduction

ValueIndex = Annotated[int, Index("value")]


class ArcRow(NamedTuple):
    """An arc from `tail` to `head`: a message of size s takes latency + s * cost time units on it.

    The cost is positive, the latency is not negative.  The links of the route have different names,
    and the cost of the arc is the largest of theirs.
    """

    tail: Node
    head: Node
    cost: Fraction
    latency: Fraction = NO_LATENCY
    route: tuple[SharedLink, ...] = ()


@dataclass(frozen=True, slots=True)
class PlatformDocument:
    """The nodes of a platform, and its arcs.

    - `nodes`: at least one; no two have the same printed form
    - `arcs`: from a node to another one, no two with the same tail and head; a link has the same
      cost in all routes
    """

    nodes: tuple[Node, ...]
    arcs: tuple[ArcRow, ...]

    def platform(self) -> Platform:
        return Platform(self.nodes, self.arcs)

    @staticmethod
    def of(platform: Platform) -> PlatformDocument:
        routes = [arc.route for arc in platform.arcs]
        columns = platform.tails, platform.heads, platform.costs, platform.latencies, routes
        # A third of the time of a call for each arc.
        rows = map(partial(tuple.__new__, ArcRow), zip(*columns, strict=True))
        return PlatformDocument(platform.nodes, tuple(rows))


class Goal(NamedTuple):
    """v[first,last] has to be known at the node in the end; it is not there from the start."""

    first: ValueIndex
    last: ValueIndex
    node: Node


class Size(NamedTuple):
    """The size of v[first,last], which is positive."""

    first: ValueIndex
    last: ValueIndex
    size: Fraction


class NodeTime(NamedTuple):
    """The node does every task T[k,l,m] in this time, which is positive."""

    node: Node
    time: Fraction


class TaskTime(NamedTuple):
    """The node does the task T[first,cut,last] in this time, which is positive."""

    node: Node
    first: ValueIndex
    cut: ValueIndex
    last: ValueIndex
    time: Fraction


@dataclass(frozen=True, slots=True)
class ReductionDocument:
    """Values v[0], ..., v[N] are reduced by an associative operator, in this order.

    The number of all v[k,m], (N+1)(N+2)/2, times the number of nodes is at most 5,000,000.

    - `platform`: no arc has a latency
    - `owners`: N + 1 nodes, from 1 to 400: node `owners[i]` has v[i,i] at the start; a node may own
      several values or none
    - `goals`: not empty, no two the same; a reduce has the goal `[0, N, target]`, a parallel prefix
      has `[0, i, owners[i]]` for each i > 0
    - `size`: the size of every v[k,m], which is positive; null if `sizes` has them
    - `sizes`: empty if `size` is a number; otherwise one row for each 0 <= k <= m <= N
    - `compute`: nodes that do every task, none twice
    - `compute_tasks`: single tasks of nodes that are not in `compute`, no task of a node twice; a
      node computes nothing else
    - `ports`: which transfers exclude each other
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


_read_arcs = column_reader(ArcRow)
_read_names = many(Node)[0]


def _platform_at_once(value: object) -> Callable[[], Platform] | None:
    """How to make the platform of a document with arcs that are all in their plainest form."""
    if type(value) is not dict or value.keys() != {"nodes", "arcs"}:
        return None
    if not are_all(list, value.values()):
        return None
    nodes, arcs = _read_names(value["nodes"]), _read_arcs(value["arcs"])
    if nodes is None or arcs is None:
        return None
    return partial(Platform, nodes, ArcColumns(*arcs))


class Document(NamedTuple):
    """The record that a class is written as, and the ways from the one to the other.

    `at_once` is for large documents: it tells how to make the value, or says nothing.
    """

    record: type
    value: Callable[[Any], Any]
    of: Callable[[Any], Any]
    at_once: Callable[[object], Callable[[], Any] | None] = lambda _value: None


DOCUMENTS: Final[dict[Any, Document]] = {
    Platform: Document(
        PlatformDocument, PlatformDocument.platform, PlatformDocument.of, _platform_at_once
    ),
    Reduction: Document(ReductionDocument, ReductionDocument.reduction, ReductionDocument.of),
}
