"""The steady state of scatters and alltoalls: optimum and routes (RR-4872, section 3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from exactsched.certificate.bounds import DistanceBound
from exactsched.exact.arguments import over_common_denominator, refuse_one_node
from exactsched.exact.collection import without_collection
from exactsched.exact.errors import InvalidInput
from exactsched.exact.search_limits import until
from exactsched.graphs.reachability import breadth_first
from exactsched.linear_programs.column_generation import Progress
from exactsched.model.parts import Demand, positive
from exactsched.model.platform import Node, Platform, refuse_no_platform
from exactsched.model.problem import Alltoall, Ports
from exactsched.model.tasks import WeightedStructure
from exactsched.steady_state.by_symmetry import solution_by_symmetry
from exactsched.steady_state.charges import Charges, distance_bound
from exactsched.steady_state.route_packing import pack_routes
from exactsched.steady_state.slots import sides
from exactsched.steady_state.solution import Solution
from exactsched.steady_state.symmetric_routes import pack_symmetric_routes


def scatter(
    platform: Platform,
    source: Node,
    targets: Iterable[Node] | Mapping[Node, object] | None = None,
    *,
    sizes: Iterable[object] | None = None,
    ports: Ports = "one-port",
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Solution:
    """The largest throughput of a series of scatters is a packing of routes to the targets.

    Every operation sends a message of its own from `source` to each of the `targets`, by default
    all other nodes that are no switches.  Sizes are those of a mapping of targets to sizes, or
    `sizes`, in the order of the targets, or 1.  The rest is as in `alltoall`.

    Raises `InvalidInput` as `alltoall` does, and if there is not one size for each target.

    Reference: Legrand, Marchal, Robert, RR-4872 (2003), section 3; proofs/steady-state-alltoall.md.

    As many operations as `alltoall`, with one source.

    >>> from exactsched.platforms.built_in import built_in
    >>> solution = scatter(built_in("scatter-toy"), "Ps", ["P0", "P1"])
    >>> solution.throughput, solution.optimal
    (Fraction(1, 2), True)
    >>> line = Platform("sab", [("s", "a", 1), ("a", "b", 1)])
    >>> scatter(line, "s", {"a": 1, "b": "1/2"}).throughput
    Fraction(2, 3)
    """
    progress = until(time_limit, progress)
    sized = _sized(platform, targets, sizes, "targets", source)
    demands = [(source, target, size) for target, size in sized]
    return alltoall(platform, demands, ports=ports, time_limit=time_limit, progress=progress)


def gather(
    platform: Platform,
    target: Node,
    sources: Iterable[Node] | Mapping[Node, object] | None = None,
    *,
    sizes: Iterable[object] | None = None,
    ports: Ports = "one-port",
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Solution:
    """The largest throughput of a series of gathers is a packing of routes from the sources.

    Every operation sends a message of its own from each of the `sources`, by default all other
    nodes that are no switches, to `target`.  The rest is as in `scatter`.

    Raises `InvalidInput` as `alltoall` does, and if there is not one size for each source.

    Reference: Legrand, Marchal, Robert, RR-4872 (2003), section 3; proofs/steady-state-alltoall.md.

    As many operations as `alltoall`, with one target.

    >>> line = Platform("abt", [("a", "b", 1), ("b", "t", 1)])
    >>> gather(line, "t").throughput, gather(line, "t", {"a": 1, "b": "1/2"}).throughput
    (Fraction(1, 2), Fraction(2, 3))
    """
    sized = _sized(platform, sources, sizes, "sources", target)
    demands = [(source, target, size) for source, size in sized]
    return alltoall(platform, demands, ports=ports, time_limit=time_limit, progress=progress)


def _sized(
    platform: Platform,
    nodes: Iterable[Node] | Mapping[Node, object] | None,
    sizes: Iterable[object] | None,
    noun: str,
    end: Node,
) -> Iterable[tuple[Node, object]]:
    """The nodes with the sizes of their messages, from or to the other end."""
    refuse_no_platform(platform)
    if nodes is None:
        nodes = (node for node in platform.nodes if node not in platform.switches and node != end)
    refuse_one_node(nodes, noun)
    listed = list(nodes)
    if isinstance(nodes, Mapping):
        if sizes is not None:
            raise InvalidInput("sizes", list(sizes), f"the mapping of {noun} has the sizes")
        sizes = nodes.values()
    amounts = [1] * len(listed) if sizes is None else list(sizes)
    if len(amounts) != len(listed):
        raise InvalidInput("sizes", amounts, f"one for each of the {len(listed)} {noun}")
    return zip(listed, amounts, strict=True)


def alltoall(
    platform: Platform,
    demands: Iterable[Demand | tuple[Any, ...]] | None = None,
    *,
    sources: Iterable[Node] | None = None,
    targets: Iterable[Node] | None = None,
    size: object = 1,
    ports: Ports = "one-port",
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Solution:
    """The largest throughput of a series of alltoalls is a packing of routes for all demands.

    Every operation sends a message for each of the `demands`, which are tuples (source, target) or
    (source, target, size); it takes the size times the cost of an arc to cross it.  Without
    `demands` each of the `sources` sends a message of `size` to each of the `targets` but itself;
    both are by default all nodes that are no switches.  `ports` is the port model: ``one-port``,
    ``link``, ``routes``, or ``half-duplex`` on a graph without odd cycles.  `time_limit` and
    `progress` are as in `broadcast`.  If some target cannot be reached, the throughput is 0, and
    the bound names the nodes that can be.

    Raises `InvalidInput` for what `Alltoall` refuses, an odd cycle under half-duplex, and sources
    or targets beside demands.

    The method is column generation (`pack_routes`), not the program SSPA2A(G) of the paper, whose
    variables are as many as demands times arcs; the optimum is that of the corrected
    program, exactly.  At most as many routes are used as there are resources and demands.  Where
    automorphisms of the platform are found that keep the demands, one source of each orbit is
    solved for (`pack_symmetric_routes`), and routes may have more images than that.

    Reference: Legrand, Marchal, Robert, RR-4872 (2003), section 3; proofs/steady-state-alltoall.md.

    Every round takes one linear program with a row for each resource and demand, and Dijkstra's
    algorithm for each source; the number of rounds has no polynomial bound, and is small in
    practice.

    >>> pair = Platform("ab", [("a", "b", 1), ("b", "a", 2)])
    >>> solution = alltoall(pair, [("a", "b"), ("b", "a")])
    >>> solution.throughput, solution.proof.prices, solution.proof.distances
    (Fraction(1, 2), {'recv:a': 1}, ((0, 0), (2, 0)))
    >>> alltoall(pair).throughput, alltoall(pair, targets="a", size=2).throughput
    (Fraction(1, 2), Fraction(1, 4))
    """
    progress = until(time_limit, progress)
    if demands is None:
        refuse_no_platform(platform)
        own = tuple(node for node in platform.nodes if node not in platform.switches)
        refuse_one_node(() if sources is None else sources, "sources")
        refuse_one_node(() if targets is None else targets, "targets")
        to = own if targets is None else tuple(targets)
        given = own if sources is None else tuple(sources)
        # As a fraction, which all demands share, it is not looked at in each of them.
        amount = positive(size, "size")
        demands = [(one, other, amount) for one in given for other in to if one != other]
    elif sources is not None or targets is not None or size != 1:
        rule = "demands have their sources, targets and sizes"
        raise InvalidInput("sources, targets, size", "given", rule)
    listed: tuple[Any, ...] = tuple(demands)
    return solve_alltoall(Alltoall(platform, listed, ports), progress)


@without_collection()
def solve_alltoall(problem: Alltoall, progress: Progress | None = None) -> Solution:
    """The optimum of a series of alltoalls; see `alltoall`."""
    platform = problem.platform
    sides(problem)  # refuses an odd cycle
    unreached = _unreached(problem)
    if unreached is not None:
        return Solution(problem, (), unreached, Fraction(0))
    place = platform.position
    charges = Charges.of(problem)
    sizes, size_unit = over_common_denominator([demand.size for demand in problem.demands])
    asked = (
        len(place),
        [(place[arc.tail], place[arc.head]) for arc in platform.arcs],
        charges.costs,
        charges.uses,
        [capacity * size_unit for capacity in charges.capacities],
        [
            (place[demand.source], place[demand.target], size)
            for demand, size in zip(problem.demands, sizes, strict=True)
        ],
        progress,
    )
    symmetric = pack_symmetric_routes(*asked)
    if symmetric is not None:
        short = solution_by_symmetry(problem, charges, symmetric)
        if short is not None:
            return short
    packing = (symmetric and symmetric.copied()) or pack_routes(*asked)
    structures = tuple(
        [
            WeightedStructure(demand, tuple([(arc, demand) for arc in route]), weight)
            for demand, route, weight in packing.routes
        ]
    )
    bound = distance_bound(charges, packing.prices, packing.distances)
    return Solution(problem, structures, bound, packing.bound, packing.rounds, packing.priced)


def _unreached(problem: Alltoall) -> DistanceBound | None:
    """Distances that cost nothing and keep some message from its target; None if all arrive."""
    platform = problem.platform
    heads: dict[Node, list[Node]] = {node: [] for node in platform.nodes}
    for arc in platform.arcs:
        heads[arc.tail].append(arc.head)
    distances: dict[Node, tuple[int, ...]] = {}
    for source in problem.sources:
        reached = breadth_first([source], heads.__getitem__)
        distances[source] = tuple(int(node not in reached) for node in platform.nodes)
    place = platform.position
    if any(distances[demand.source][place[demand.target]] for demand in problem.demands):
        return DistanceBound({}, tuple(distances.values()))
    return None
