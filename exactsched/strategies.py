"""Random problems as hypothesis strategies: for tests of this package, and of any other.

Every strategy makes the noun that the solvers and the checker take, has its corners (ties,
opposite arcs of different costs, awkward names, numbers with coprime denominators, long numbers),
and shrinks to the plainest one: few nodes, numbered, unit costs.  They need the extra
`exactsched[strategies]`.

    >>> from hypothesis import given, settings
    >>> from exactsched import broadcast, check
    >>> @settings(deadline=None)  # the first call imports the solvers
    ... @given(broadcasts(max_nodes=4))
    ... def test_a_scheduler(asked):
    ...     solution = broadcast(asked.platform, asked.source, ports=asked.ports)
    ...     assert check(solution.certificate()).optimal
    >>> test_a_scheduler()

The generators are those of the theorem campaigns (`exactsched.instances`), with their choices drawn
by hypothesis; `of_claim` makes the instances of any theorem.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Protocol, TypeVar

from hypothesis import strategies as st

from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import Rational
from exactsched.instances import graphs as random_graphs
from exactsched.instances import machines as random_machines
from exactsched.instances import platforms as random_platforms
from exactsched.instances import switches as random_switches
from exactsched.instances.choices import Choices
from exactsched.instances.graphs import Digraph, Multigraph
from exactsched.instances.instance_type import Bounds
from exactsched.model.machine import LogP, MultiPort
from exactsched.model.platform import Platform
from exactsched.model.problem import (
    Allgather,
    Alltoall,
    Broadcast,
    Ports,
    Reduction,
    Restriction,
)

T = TypeVar("T")
Generator = Callable[[Choices], T]


class _Drawn(Choices):
    """Choices that hypothesis takes, remembers, and makes smaller."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def below(self, end: int) -> int:
        return self._draw(st.integers(0, end - 1))


@st.composite
def generated(draw: st.DrawFn, generator: Generator[T]) -> T:
    """What a generator (a function of `Choices`) makes of choices drawn by hypothesis."""
    return generator(_Drawn(draw))


class Tried(Protocol):
    """Whatever has instances: a claim of `exactsched.theorems`."""

    @property
    def instance(self) -> Callable[[Choices, int], Any]: ...
    @property
    def bounds(self) -> Bounds: ...


def of_claim(claim: Tried, bound: int | None = None) -> st.SearchStrategy[Any]:
    """The instances of a claim of `exactsched.theorems`, by default of its small size.

    >>> from exactsched.theorems import claim_named
    >>> graphs = of_claim(claim_named("konig.edge-coloring"))
    """
    size = claim.bounds.small if bound is None else bound
    return generated(lambda choices: claim.instance(choices, size))


def costs() -> st.SearchStrategy[Fraction]:
    """Positive rationals; every other one is 1, so that ties and symmetries are common."""
    return generated(random_platforms.cost)


def platforms(
    *,
    min_nodes: int = 2,
    max_nodes: int = 7,
    reachable: bool | None = None,
    bipartite: bool = False,
    latencies: bool = False,
    compute: bool = False,
    cost: Generator[Fraction] = random_platforms.cost,
) -> st.SearchStrategy[Platform]:
    """Platforms with cycles, opposite arcs of different costs, sparse or nearly complete.

    `reachable` speaks of paths from the first node: to every node (True), not to every node
    (False, at least two nodes), or either (None).  `bipartite` leaves no odd undirected cycle.
    With `latencies` some arcs have one, with `compute` some nodes have that attribute.
    """
    _refuse_empty(min_nodes, max_nodes)
    return generated(
        lambda choices: random_platforms.platform(
            choices,
            min_nodes=min_nodes,
            max_nodes=max_nodes,
            reachable=reachable,
            bipartite=bipartite,
            latencies=latencies,
            compute=compute,
            cost=cost,
        )
    )


def broadcasts(
    *,
    ports: Ports | None = None,
    restrict: Restriction = "none",
    min_nodes: int = 2,
    max_nodes: int = 7,
    reachable: bool | None = True,
    bipartite: bool = False,
    latencies: bool = False,
    cost: Generator[Fraction] = random_platforms.cost,
) -> st.SearchStrategy[Broadcast]:
    """Broadcasts under the given port model, or any; the source is anywhere in the order.

    `reachable` speaks of paths from the source, as in `platforms`.
    """
    _refuse_empty(min_nodes, max_nodes)
    return generated(
        lambda choices: random_platforms.broadcast(
            choices,
            ports=ports,
            restrict=restrict,
            min_nodes=min_nodes,
            max_nodes=max_nodes,
            reachable=reachable,
            bipartite=bipartite,
            latencies=latencies,
            cost=cost,
        )
    )


def alltoalls(
    *,
    ports: Ports | None = None,
    max_nodes: int = 5,
    max_demands: int = 6,
    one_source: bool = False,
) -> st.SearchStrategy[Alltoall]:
    """Personalized messages between any nodes; scatters, with `one_source`.

    A demand of another source than the first node may be out of reach: then nothing is delivered.
    """
    _refuse_empty(2, max_nodes)
    return generated(
        lambda choices: random_platforms.alltoall(
            choices,
            ports=ports,
            max_nodes=max_nodes,
            max_demands=max_demands,
            one_source=one_source,
        )
    )


def allgathers(*, max_nodes: int = 7) -> st.SearchStrategy[Allgather]:
    """Allgathers over nodes that only forward, under link ports.

    No such node sends more than it receives.  Bandwidths and shards are small integers, or
    multiples of a unit that is long or a fraction; a shard may be empty, and a node out of reach.
    """
    _refuse_empty(2, max_nodes)
    return generated(lambda choices: random_switches.allgather(choices, max_nodes))


def reductions(
    *,
    ports: Ports | None = None,
    min_nodes: int = 2,
    max_nodes: int = 4,
    max_values: int = 3,
    same_tasks: bool = False,
) -> st.SearchStrategy[Reduction]:
    """Reductions with one goal: mostly the whole result, and mostly it can be had.

    A node owns any number of values.  It computes nothing, any task in the same time, or, unless
    `same_tasks`, some tasks in times of their own.
    """
    _refuse_empty(min_nodes, max_nodes)
    return generated(
        lambda choices: random_platforms.reduction(
            choices,
            ports=ports,
            min_nodes=min_nodes,
            max_nodes=max_nodes,
            max_values=max_values,
            same_tasks=same_tasks,
        )
    )


def digraphs(
    *,
    min_size: int = 1,
    max_size: int = 6,
    max_arcs: int | None = None,
    connected: bool = False,
    number: Generator[Rational] = random_graphs.number,
) -> st.SearchStrategy[Digraph]:
    """Directed multigraphs with an exact number on each arc, for flows, cuts and arborescences.

    Loops, parallel and opposite arcs included.  `connected`: node 0 reaches every node.
    """
    _refuse_empty(min_size, max_size)
    return generated(
        lambda choices: random_graphs.digraph(
            choices,
            min_size=min_size,
            max_size=max_size,
            max_arcs=max_arcs,
            connected=connected,
            number=number,
        )
    )


def multigraphs(
    *, max_size: int = 7, number: Generator[Rational] = random_graphs.positive_fraction
) -> st.SearchStrategy[Multigraph]:
    """Weighted multigraphs, for fractional edge colorings."""
    _refuse_empty(2, max_size)
    return generated(
        lambda choices: random_graphs.multigraph(choices, max_size=max_size, number=number)
    )


def bipartite_multigraphs(
    *, max_side: int = 6, number: Generator[Rational] = random_graphs.multiplicity
) -> st.SearchStrategy[Multigraph]:
    """Bipartite multigraphs with a multiplicity on each edge, for edge colorings."""
    _refuse_empty(1, max_side)
    return generated(
        lambda choices: random_graphs.bipartite_multigraph(
            choices, max_side=max_side, number=number
        )
    )


def logp_machines(
    *, max_processors: int = 12, most: int = 6, whole: bool = False, postal: bool = False
) -> st.SearchStrategy[LogP]:
    """LogP machines with L, o and g up to `most`; `postal`: o = 0 and g = 1."""
    _refuse_empty(1, max_processors)
    return generated(
        lambda choices: random_machines.logp(
            choices, max_processors=max_processors, most=most, whole=whole, postal=postal
        )
    )


def multi_port_machines(
    *, max_receivers: int = 8, max_degree: int = 4, incoming: bool = False, zeros: bool = True
) -> st.SearchStrategy[MultiPort]:
    """Bounded multi-port machines, for overlays; some with receiving bandwidths if `incoming`."""
    _refuse_empty(1, max_receivers)
    return generated(
        lambda choices: random_machines.multi_port(
            choices,
            max_receivers=max_receivers,
            max_degree=max_degree,
            incoming=incoming,
            zeros=zeros,
        )
    )


def _refuse_empty(least: int, most: int) -> None:
    if least > most:
        raise InvalidInput("largest size", most, f"at least {least}")
