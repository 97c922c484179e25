"""What the kernels answer, in nodes and edges of the user's graph; each has its `proof`.

An answer is a result: `check`, `draw` and `write_certificate` take it as it is.  In its document
nodes and edges have numbers: those of the order of the graph.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Any, NamedTuple

from exactsched.certificate.claim import measure
from exactsched.certificate.result import Result
from exactsched.exact.words import counted, shown
from exactsched.model.platform import Node
from exactsched.model.unreachable import unreachable_in_words

Edge = tuple[Any, ...]


class Weighted(NamedTuple):
    """A tree, branching, path or matching: its edges, and how often or how long it is used."""

    weight: Fraction
    edges: tuple[Edge, ...]


class Branching(NamedTuple):
    """The edges by which the nodes of a root set reach all others, and how often."""

    weight: Fraction
    roots: tuple[Any, ...]
    edges: tuple[Edge, ...]


@dataclass(frozen=True)
class Answer(Result):
    """The `proof` is the record that is checked; `names` are those of its nodes, for pictures."""

    proof: Any
    names: tuple[str, ...] = field(default=(), compare=False, kw_only=True)

    def record(self) -> Any:
        return self.proof

    def __str__(self) -> str:
        return str(self.proof)

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """The members that are lists, in nodes and edges of the graph."""
        found = {}
        for member in fields(self):
            value = getattr(self, member.name)
            if isinstance(value, dict):
                found[member.name] = [{"edge": edge, "amount": value[edge]} for edge in value]
            elif isinstance(value, tuple) and value and hasattr(value[0], "_asdict"):
                found[member.name] = [part._asdict() for part in value]
        return found


@dataclass(frozen=True)
class Flow(Answer):
    """A maximum flow, by edge where it is not 0, and a minimum cut of the same value.

    `cut` has the nodes on the side of the source, `cut_edges` the edges that leave it.
    """

    value: Fraction
    flow: dict[Edge, Fraction]
    cut: tuple[Any, ...]
    cut_edges: tuple[Edge, ...]


@dataclass(frozen=True)
class RootCut(Answer):
    """The nodes that the least capacity enters, and the edges that enter them."""

    value: Fraction
    cut: tuple[Any, ...]
    cut_edges: tuple[Edge, ...]


@dataclass(frozen=True)
class Trees(Answer):
    """Arborescences that weigh `value` together, and the set of nodes that allows no more."""

    value: Fraction
    trees: tuple[Weighted, ...]
    cut: tuple[Any, ...]
    cut_edges: tuple[Edge, ...]


@dataclass(frozen=True)
class Branchings(Answer):
    """Branchings for `value` times all demands; `cut`, if any, allows no more."""

    value: Fraction
    branchings: tuple[Branching, ...]
    cut: tuple[Any, ...] = ()

    def __str__(self) -> str:
        of = f"{counted(len(self.branchings), 'edge set')}, {counted(self.proof.size, 'node')}"
        return f"value {shown(self.value)}{', optimal' if self.cut else ''} (branchings: {of})"


@dataclass(frozen=True)
class Unmet(Answer):
    """Why there is no such packing: less enters the nodes of `cut` than is needed."""

    entering: Fraction
    needed: Fraction
    cut: tuple[Any, ...]
    cut_edges: tuple[Edge, ...]

    def __str__(self) -> str:
        into = f"{shown(self.entering)} enters {self.cut!r}"
        return f"unmet demand: {into}, {shown(self.needed)} needed"

    def __bool__(self) -> bool:
        """False, as for what is not there."""
        return False


@dataclass(frozen=True)
class Arborescence(Answer):
    """The edges of a cheapest arborescence, its root, and its cost.

    Where costs are negative, the `proof` is about all costs plus a constant; where the root was
    free, about a graph with a node more, which has an edge to every node.
    """

    edges: tuple[Edge, ...]
    root: Any
    cost: Fraction

    def __str__(self) -> str:
        edges = counted(len(self.edges), "edge")
        return f"cost {shown(self.cost)}, optimal (arborescence from {self.root!r}, {edges})"


@dataclass(frozen=True)
class Coloring(Answer):
    """Matchings and how many colors each has; their number is `colors`, the largest degree."""

    colors: int
    classes: tuple[Weighted, ...]


@dataclass(frozen=True)
class Matchings(Answer):
    """Matchings that last `value` together, and the nodes that allow no less time."""

    value: Fraction
    matchings: tuple[Weighted, ...]
    witness: tuple[Any, ...]


@dataclass(frozen=True)
class Links(Answer):
    """Paths through switches, each with its capacity."""

    links: tuple[Weighted, ...]


class Structure(NamedTuple):
    """Edges that carry one part of an operation, `weight` operations per time unit.

    `part` is what is carried: the pair of an alltoall, the owner of a shard, the node that wants a
    sum; None for a broadcast.
    """

    weight: Fraction
    part: Any
    edges: tuple[Edge, ...]


@dataclass(frozen=True)
class Collective(Answer):
    """The throughput of a collective, the bound that no schedule passes, and what reaches it.

    `solution` has the schedule, in the nodes of its platform, and all that solutions can do;
    `run_operations`, `with_period` and `advise` take the answer itself.  Under ``link`` its
    platform, and so its certificate and picture, has a node more for every parallel edge but the
    cheapest, in the middle of it; `structures` and `tables` have the edge itself.
    """

    throughput: Fraction
    bound: Fraction
    optimal: bool
    structures: tuple[Structure, ...]
    solution: Any = field(repr=False)
    asked: str = field(repr=False)
    edge_of: Mapping[tuple[Node, Node], Edge] = field(repr=False)

    def record(self) -> Any:
        return self.solution.record()

    def __str__(self) -> str:
        why = "" if self.throughput else unreachable_in_words(self.solution.problem)
        return f"{measure(self)} ({self.asked}){': ' if why else ''}{why}"

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """When each edge works in a period, and the structures, in nodes and edges of the graph."""
        arcs, schedule = self.solution.problem.platform.arcs, self.solution.schedule
        slots = [] if schedule is None else schedule.slots
        worked = [
            (self.edge_of.get((arcs[place].tail, arcs[place].head)), start, end)
            for place, start, end in slots
        ]
        rows = [
            {"edge": edge, "start": start * schedule.tick, "end": end * schedule.tick}
            for edge, start, end in worked
            if edge
            is not None  # the second half of a parallel edge, which the first one stands for
        ]
        return {"schedule": rows, "structures": [one._asdict() for one in self.structures]}
