"""The steady state of a series of broadcasts: optimum, trees, schedule, bound, certificate."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import floor, lcm
from typing import Any

from exactsched.arborescence_packing import Progress, pack_arborescences
from exactsched.certificate.nouns import (
    Bound,
    Leaf,
    PeriodicSchedule,
    SeriesCertificate,
    arc_resources,
    resources,
)
from exactsched.certificate.writing import to_document
from exactsched.errors import InvalidInput
from exactsched.light_arborescence import light_arborescence
from exactsched.odd_sets import OddSets
from exactsched.platform import Node, Platform
from exactsched.problem import Broadcast, Ports
from exactsched.rational import exact
from exactsched.schedule import depths, periodic_schedule, whole_messages


@dataclass(frozen=True, slots=True)
class Tree:
    """An arborescence that carries `weight` messages per time unit along its `arcs` (indices)."""

    arcs: tuple[int, ...]
    weight: Fraction


@dataclass(frozen=True)
class BroadcastSolution:
    """A steady state of a series of broadcasts, and a bound on all under the same restriction.

    `throughput` is what `trees` reach and `upper` what `bound` proves, in broadcasts per time
    unit; `optimal` says whether they agree.  `rounds` and `priced` count linear programs and
    arborescences computed.
    """

    problem: Broadcast
    trees: tuple[Tree, ...]
    bound: Bound
    upper: Fraction
    rounds: int = 0
    priced: int = 0

    @property
    def throughput(self) -> Fraction:
        return sum((tree.weight for tree in self.trees), start=Fraction(0))

    @property
    def optimal(self) -> bool:
        return self.throughput == self.upper

    @cached_property
    def schedule(self) -> PeriodicSchedule | None:
        """The periodic schedule with the shortest period; None if the throughput is 0."""
        if not self.trees:
            return None
        return periodic_schedule(self.problem, [(tree.arcs, tree.weight) for tree in self.trees])

    def whole(self) -> BroadcastSolution:
        """The same steady state with a period so long that no message is ever interrupted.

        >>> solution = broadcast(Platform("ab", [("a", "b", "2/3")]), "a").whole()
        >>> solution.schedule.whole, solution.throughput
        (True, Fraction(3, 2))
        """
        same = replace(self)
        if self.schedule is not None:
            # The cache of `schedule`: the one attribute that is not a field.
            same.__dict__["schedule"] = whole_messages(self.problem, self.schedule)
        return same

    @cached_property
    def depth(self) -> int:
        """The number of arcs from the source to the farthest node, over all trees."""
        return max(
            (
                max(depths(self.problem.platform, self.problem.source, tree.arcs).values())
                for tree in self.trees
            ),
            default=0,
        )

    @property
    def makespan_constant(self) -> Fraction:
        """C such that M messages take at most M / throughput + C, for every M.

        It is depth times period: R periods of messages take R + depth - 1 periods.
        """
        return self.depth * self.schedule.period if self.schedule else Fraction(0)

    def messages_within(self, horizon: Fraction | int) -> int:
        """How many messages the periodic schedule has delivered everywhere by time `horizon`.

        At least `throughput * (horizon - makespan_constant)`, where no schedule under the
        restriction of the problem delivers more than `upper * horizon`: at an optimum the loss
        does not grow with the horizon (RR-4871, theorem 7).
        """
        if self.schedule is None:
            return 0
        periods = floor(exact(horizon, "horizon") / self.schedule.period) - self.depth + 1
        return max(0, periods) * sum(tree.messages for tree in self.schedule.trees)

    def certificate(self) -> dict[str, Any]:
        """The document that `exactsched.check` accepts."""
        return to_document(
            SeriesCertificate(
                self.problem,
                self.throughput,
                self.upper,
                self.optimal,
                self.schedule,
                self.bound,
            )
        )


def broadcast(
    platform: Platform,
    source: Node,
    *,
    ports: Ports = "one-port",
    progress: Progress | None = None,
) -> BroadcastSolution:
    """The largest throughput of a series of broadcasts is a packing of arborescences into ports.

    `ports` is the port model: ``one-port``, ``half-duplex`` or ``link``; a message takes the cost
    of an arc to cross it.  `progress` is called with (round,
    lower bound, upper bound) as floats.  If some node cannot be reached, the throughput is 0 and
    the bound names the cut that nothing enters.

    Half-duplex, a set of 2k + 1 nodes has at most k arcs at work inside it.  Where the graph has
    odd cycles such sets are resources as well, and get prices (proofs/half-duplex.md).

    Raises `InvalidInput` for an unknown source or model, a platform of one node, and arcs with
    a latency (in a series it belongs to the cost).

    The method is column generation (`pack_arborescences`), not the program SSB(G) of the paper,
    whose n*m variables it avoids; the optimum is the same and exact.

    Reference: Beaumont, Legrand, Marchal, Robert, RR-4871 (2003), theorems 4 and 5; Edmonds 1973.

    >>> two_ways = Platform("sab", [("s", "a", 1), ("s", "b", 1), ("a", "b", 1), ("b", "a", 1)])
    >>> solution = broadcast(two_ways, "s")
    >>> solution.throughput, solution.optimal
    (Fraction(1, 1), True)
    """
    return solve_series(Broadcast(platform, source, ports), progress)


def solve_series(problem: Broadcast, progress: Progress | None = None) -> BroadcastSolution:
    """The optimum of an unrestricted series of broadcasts; see `broadcast`."""
    check_series(problem)
    return relaxation(problem, range(len(problem.platform.arcs)), progress).solution(problem)


def check_series(problem: Broadcast) -> None:
    """Raises `InvalidInput` for what a series of broadcasts cannot have."""
    for arc in problem.platform.arcs:
        if arc.latency:
            raise InvalidInput(
                f"arc {arc}, latency",
                str(arc.latency),
                "in a series of unit messages the latency belongs to the cost; add them up, or give"
                " a total size to broadcast",
            )


@dataclass(frozen=True, slots=True)
class Relaxation:
    """The best packing of any arborescences: trees, prices with cuts, their common value, work."""

    trees: tuple[Tree, ...]
    leaf: Leaf
    upper: Fraction
    rounds: int = 0
    priced: int = 0

    def solution(self, problem: Broadcast) -> BroadcastSolution:
        """The same as the solution of a problem whose restriction the trees happen to keep."""
        return BroadcastSolution(
            problem, self.trees, self.leaf, self.upper, self.rounds, self.priced
        )


def relaxation(
    problem: Broadcast, allowed: Collection[int], progress: Progress | None = None
) -> Relaxation:
    """The best packing that uses the allowed arcs only, whatever the restriction of the problem."""
    platform, source = problem.platform, problem.source
    cut_off = _unreachable(platform, source, allowed)
    if cut_off:
        return Relaxation((), Leaf({}, cut_off, ((0, len(cut_off), Fraction(1)),)), Fraction(0))
    place = {node: index for index, node in enumerate(platform.nodes)}
    arcs = [arc for arc in sorted(allowed) if platform.arcs[arc].head != source]
    unit = lcm(*(platform.arcs[arc].cost.denominator for arc in arcs))
    names = resources(problem)
    row = {name: index for index, name in enumerate(names)}
    uses = arc_resources(problem)
    ends = [(place[platform.arcs[arc].tail], place[platform.arcs[arc].head]) for arc in arcs]
    costs = [int(platform.arcs[arc].cost * unit) for arc in arcs]
    rows = [tuple(row[name] for name in uses[arc]) for arc in arcs]

    def one_tree(load: Fraction) -> tuple[Tree, ...] | None:
        """A single tree that keeps no resource busy for longer than `load`, if easily found."""
        limits = [int(load * unit)] * len(names)
        tree = light_arborescence(len(place), place[source], ends, costs, rows, limits)
        return (Tree(tuple(arcs[arc] for arc in tree), 1 / load),) if tree else None

    # Often one resource and one cut say all: then a single tree may meet the bound at once.
    simple, load = _single_price_bound(problem, arcs, uses)
    single = one_tree(load) if load else None
    if single:
        return Relaxation(single, simple, 1 / load)
    odd = OddSets(ends, unit) if problem.ports == "half-duplex" else None
    packing = pack_arborescences(
        len(place),
        place[source],
        ends,
        costs,
        rows,
        [unit] * len(names),
        progress,
        # The edges of a single tree form no odd cycle, so the nodes say all.
        odd.overworked if odd and problem.restrict != "tree" else None,
    )
    trees = tuple(Tree(tuple(arcs[arc] for arc in tree), weight) for tree, weight in packing.trees)
    if packing.value * load == 1:
        return Relaxation(trees, simple, packing.value, packing.rounds, packing.priced)
    if len(trees) > 1:
        trees = one_tree(1 / packing.value) or trees
    leaf = Leaf(
        {
            names[index]: price * unit
            for index, price in packing.prices.items()
            if index < len(names)
        },
        tuple(platform.nodes[index] for index in packing.order),
        packing.cuts,
        odd_sets=tuple(
            (tuple(platform.nodes[node] for node in odd.found[index - len(names)]), price * unit)
            for index, price in packing.prices.items()
            if odd and index >= len(names)
        ),
    )
    return Relaxation(trees, leaf, packing.value, packing.rounds, packing.priced)


def _single_price_bound(
    problem: Broadcast, arcs: Collection[int], uses: Sequence[tuple[str, ...]]
) -> tuple[Leaf, Fraction]:
    """The best bound by one resource and one cut, and the least load of that resource per message.

    Under price 1 for a single resource an arc is as long as its cost if it uses the resource and
    0 if not; so a set of nodes whose entering arcs all use it packs with the least of their
    costs.  Tried are the set of all nodes but the source, and every single node.  Where
    no such set has a common resource (links only), the load is 0.
    """
    platform = problem.platform
    entering: dict[tuple[Node, ...], list[int]] = {
        tuple(node for node in platform.nodes if node != problem.source): [
            arc for arc in arcs if platform.arcs[arc].tail == problem.source
        ]
    }
    for arc in arcs:
        entering.setdefault((platform.arcs[arc].head,), []).append(arc)
    best = Leaf({}, (), ()), Fraction(0)
    for nodes, crossing in entering.items():
        shared = set(uses[crossing[0]]).intersection(*(uses[arc] for arc in crossing))
        least = min(platform.arcs[arc].cost for arc in crossing)
        if shared and least > best[1]:
            best = Leaf({min(shared): Fraction(1)}, nodes, ((0, len(nodes), least),)), least
    return best


def _unreachable(platform: Platform, source: Node, allowed: Collection[int]) -> tuple[Node, ...]:
    """The nodes that no path of allowed arcs reaches, in the order of the platform."""
    leaving: dict[Node, list[Node]] = {}
    for arc in allowed:
        leaving.setdefault(platform.arcs[arc].tail, []).append(platform.arcs[arc].head)
    reached = {source}
    queue = [source]
    for node in queue:
        for head in leaving.get(node, ()):
            if head not in reached:
                reached.add(head)
                queue.append(head)
    return tuple(node for node in platform.nodes if node not in reached)
