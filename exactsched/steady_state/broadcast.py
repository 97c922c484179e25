"""The steady state of a series of broadcasts: the optimum, by a packing of arborescences."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from exactsched.certificate.bounds import Cut, CutBound, OddSet
from exactsched.exact.arguments import refuse_one_node
from exactsched.exact.collection import without_collection
from exactsched.exact.errors import InvalidInput
from exactsched.exact.search_limits import until
from exactsched.graphs.load_bounded_arborescence import load_bounded_arborescence
from exactsched.graphs.reachability import breadth_first
from exactsched.model.parts import SWITCHES
from exactsched.model.platform import Node, Platform, refuse_no_platform
from exactsched.model.problem import Allgather, Broadcast, Combination, Ports
from exactsched.model.tasks import WeightedStructure, tree
from exactsched.steady_state.arborescence_packing import (
    ArborescencePacking,
    Progress,
    pack_broadcasts,
)
from exactsched.steady_state.charges import Charges
from exactsched.steady_state.odd_sets import OddSets
from exactsched.steady_state.solution import Solution

# Half-duplex, from this many nodes on trees around a Hamiltonian cycle are preferred.
MIN_NODES_IN_LINE = 300


def broadcast(
    platform: Platform,
    source: Node,
    targets: Iterable[Node] | None = None,
    *,
    ports: Ports = "one-port",
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Solution:
    """The largest throughput of a series of broadcasts is a packing of arborescences into ports.

    The `targets` want the messages: without them all nodes that are no switches.  Every node but a
    switch may copy what it has received and send it on, target or not; a switch sends on over one
    arc what it has received on one.

    `ports` is the port model: ``one-port``, ``half-duplex``, ``link`` or ``routes``; a message
    takes the cost of an arc to cross it, and under ``routes`` the cost of every link of its route.
    After `time_limit` seconds, or when `progress`, which is called with (round, lower bound, upper
    bound) as floats, returns True, the search ends with the best that it has: an interval.  If some
    node cannot be reached, the throughput is 0 and the bound names the cut that nothing enters.

    The optimum is exact if all nodes, or all but switches, are targets, and for up to ten targets:
    then the trees are cheapest arborescences to them (Dreyfus and Wagner 1971).  For more, the
    trees are those of a heuristic, and the bound is that of cuts around the targets: `optimal` says
    whether they meet (proofs/multicast.md).  To find the best trees to some of the nodes is
    NP-hard.

    Half-duplex, a set of 2k + 1 nodes has at most k arcs at work inside it.  Where the graph has
    odd cycles such sets are resources as well, and get prices (proofs/half-duplex.md).  There,
    from 300 nodes on, a Hamiltonian cycle or path is searched for, whose optimum has a closed form
    (`hamiltonian_optimum`): packings take from three seconds to minutes, with numbers of hundreds
    of digits.  The certificate of the trees around a cycle is the cycle: kind
    `series-around-cycle`, of linear size.

    Raises `InvalidInput` for an unknown source, target or model, for targets that are switches or
    given twice, if there is no target but the source, and for arcs with a latency (in a series it
    belongs to the cost).

    The method is column generation or a program of the rates of arcs (`pack_broadcasts`), not the
    program SSB(G) of the paper, whose n*m variables it avoids; the optimum is the same and exact.

    Reference: Beaumont, Legrand, Marchal, Robert, RR-4871 (2003), theorems 4 and 5; Edmonds 1973.

    >>> two_ways = Platform("sab", [("s", "a", 1), ("s", "b", 1), ("a", "b", 1), ("b", "a", 1)])
    >>> solution = broadcast(two_ways, "s")
    >>> solution.throughput, solution.optimal
    (Fraction(1, 1), True)
    >>> fork = Platform("sabh", [("s", "h", 1), ("h", "a", 1), ("h", "b", 1), ("s", "a", 3)])
    >>> broadcast(fork, "s", "ab", ports="link").throughput
    Fraction(1, 1)
    """
    progress = until(time_limit, progress)
    refuse_no_platform(platform)
    if targets is not None or platform.switches:
        asked = multicast_problem(platform, source, targets, ports)
        if not isinstance(asked, Broadcast):
            return _solve_multicast(asked, progress)
    problem = Broadcast(platform, source, ports)
    check_series(problem)
    if ports == "half-duplex" and len(platform.nodes) >= MIN_NODES_IN_LINE:
        from exactsched.steady_state.hamiltonian import hamiltonian_optimum
        from exactsched.steady_state.hamiltonian_search import hamiltonian_line

        line = hamiltonian_line(platform, source)
        if line:
            return hamiltonian_optimum(platform, source, line).solution()
    return solve_series(problem, progress)


def multicast_problem(
    platform: Platform, source: Node, targets: Iterable[Node] | None, ports: Ports
) -> Broadcast | Combination:
    """A message from the source to the targets, among all nodes that are no switches.

    A broadcast if all nodes of the platform want it.

    >>> line = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    >>> multicast_problem(line, "a", "bc", "link") == Broadcast(line, "a", "link")
    True
    >>> multicast_problem(line, "a", "c", "link").blocks
    (Block(size=Fraction(1, 1), targets=('c',), source='a', group=None),)
    """
    members = tuple(node for node in platform.nodes if node not in platform.switches)
    refuse_one_node(() if targets is None else targets, "targets")
    wanted = members if targets is None else tuple(targets)
    if source in platform.switches:
        raise InvalidInput("source", source, f"{SWITCHES}: name another source")
    if targets is not None:
        for index, node in enumerate(wanted):
            if node in wanted[:index]:
                raise InvalidInput("targets", node, "a target is named once")
            if node not in platform.position:
                raise InvalidInput("targets", node, "not a node of the platform")
            if node in platform.switches:
                raise InvalidInput("targets", node, f"{SWITCHES}: leave it out of the targets")
    others = tuple(node for node in wanted if node != source)
    if not others:
        raise InvalidInput("targets", list(wanted), "a target other than the source is needed")
    everybody = {source, *others}.issuperset(members)
    if everybody and not platform.switches:
        return Broadcast(platform, source, ports)
    block: Any = (1, members if everybody else others, source)
    return Combination(platform, (block,), ports, members)


def _solve_multicast(problem: Combination, progress: Progress | None) -> Solution:
    """Under link ports trees to all nodes are those of an allgather with one shard."""
    source = problem.blocks[0].source
    if problem.everywhere(0) and problem.ports == "link" and source is not None:
        shards: Any = tuple((node, int(node == source)) for node in problem.members)
        gathered = Allgather(problem.platform, shards, "link")
        from exactsched.steady_state.allgather import growing, solve_allgather

        if not growing(gathered):
            return solve_allgather(gathered, progress=progress)
    from exactsched.steady_state.combination import solve_combination

    return solve_combination(problem, progress)


def solve_series(problem: Broadcast, progress: Progress | None = None) -> Solution:
    """The optimum of an unrestricted series of broadcasts; see `broadcast`."""
    check_series(problem)
    return relaxation(problem, range(len(problem.platform.arcs)), progress).solution(problem)


def check_series(problem: Broadcast) -> None:
    """Raises `InvalidInput` for what a series of broadcasts cannot have."""
    arc = problem.platform.first_late
    if arc is not None:
        raise InvalidInput(
            f"arc {arc}, latency",
            str(arc.latency),
            "in a series of unit messages the latency belongs to the cost; add them up, or give"
            " a total size to broadcast",
        )


@dataclass(frozen=True, slots=True)
class Relaxation:
    """The best packing of any arborescences: trees, prices with cuts, their common value, work."""

    trees: tuple[WeightedStructure, ...]
    leaf: CutBound
    upper: Fraction
    rounds: int = 0
    priced: int = 0

    def solution(self, problem: Broadcast) -> Solution:
        """The same as the solution of a problem whose restriction the trees happen to keep."""
        return Solution(problem, self.trees, self.leaf, self.upper, self.rounds, self.priced)


@without_collection()
def relaxation(
    problem: Broadcast, allowed: Collection[int], progress: Progress | None = None
) -> Relaxation:
    """The best packing that uses the allowed arcs only, whatever the restriction of the problem."""
    cut_off = _unreachable(problem.platform, problem.source, allowed)
    if cut_off:
        cut = Cut(0, len(cut_off), Fraction(1))
        return Relaxation((), CutBound({}, cut_off, (cut,)), Fraction(0))
    arcs = _Arcs(problem, allowed)
    # Often one resource and one cut say all: then a single tree may meet the bound at once.
    simple, load = arcs.single_price_bound()
    single = arcs.one_tree(load) if load else None
    if single:
        return Relaxation(single, simple, 1 / load)
    packing, odd = arcs.packing(progress)
    trees = tuple(arcs.tree(found, weight) for found, weight in packing.trees)
    bound = packing.bound
    if load and bound * load >= 1:
        leaf, bound = simple, 1 / load
    else:
        leaf = arcs.bound(packing, odd)
        if len(trees) > 1:
            trees = arcs.one_tree(1 / packing.value) or trees
    return Relaxation(trees, leaf, bound, packing.rounds, packing.priced)


class _Arcs:
    """The allowed arcs of a broadcast as kernels want them: numbers from 0, costs in integers."""

    def __init__(self, problem: Broadcast, allowed: Collection[int]) -> None:
        platform, place = problem.platform, problem.platform.position
        self._problem, self._nodes, self._source = problem, platform.nodes, place[problem.source]
        tails, heads = platform.tails, platform.heads
        self.numbers = [arc for arc in sorted(allowed) if heads[arc] != problem.source]
        self._ends = [(place[tails[arc]], place[heads[arc]]) for arc in self.numbers]
        charges = Charges.of(problem, self.numbers)
        self._names, self._capacities = charges.names, charges.capacities
        self._costs, self._rows, self._unit = charges.costs, charges.uses, charges.unit

    def tree(self, arcs: Sequence[int], weight: Fraction) -> WeightedStructure:
        """A tree of arcs numbered from 0 as a structure of the problem."""
        return tree(self._problem, [self.numbers[arc] for arc in arcs], weight)

    def one_tree(self, load: Fraction) -> tuple[WeightedStructure, ...] | None:
        """A single tree that keeps no resource busy for longer than `load`, if easily found."""
        over, under = load.as_integer_ratio()
        limits = [over * capacity // under for capacity in self._capacities]
        found = load_bounded_arborescence(
            len(self._nodes), self._source, self._ends, self._costs, self._rows, limits
        )
        return (self.tree(found, 1 / load),) if found else None

    def packing(self, progress: Progress | None) -> tuple[ArborescencePacking, OddSets | None]:
        """The best packing, and the odd sets that were resources with it."""
        half_duplex = self._problem.ports == "half-duplex"
        odd = OddSets(self._ends, self._unit) if half_duplex else None
        packing = pack_broadcasts(
            len(self._nodes),
            self._source,
            self._ends,
            self._costs,
            self._rows,
            self._capacities,
            progress,
            # The edges of a single tree form no odd cycle, so the nodes say all.
            odd.overworked if odd and self._problem.restrict != "tree" else None,
        )
        return packing, odd

    def single_price_bound(self) -> tuple[CutBound, Fraction]:
        """The best bound by one resource and one cut, and the least load of that resource.

        Under price 1 for a single resource an arc is as long as its cost (or that of the shared
        link) if it uses the resource and 0 if not; so a set of nodes whose entering arcs all use it
        packs with the least of their costs.  Tried are the set of all nodes but the source, and
        every single node.  Where no such set has a common resource (links only), the load is 0.
        """
        names, capacities, costs, rows = self._names, self._capacities, self._costs, self._rows
        entering: dict[int, list[int]] = {self._source: []}  # there, what leaves it
        for arc, (tail, head) in enumerate(self._ends):
            entering.setdefault(head, []).append(arc)
            if tail == self._source:
                entering[tail].append(arc)
        best, price, around = Fraction(0), "", -1
        for node, crossing in entering.items():
            shared = set(rows[crossing[0]]).intersection(*(rows[arc] for arc in crossing))
            if shared:
                row = min(shared, key=lambda one: (capacities[one], names[one]))
                least = min([costs[arc] for arc in crossing])
                if least * best.denominator > best.numerator * capacities[row]:
                    best, price, around = Fraction(least, capacities[row]), names[row], node
        if not best:
            return CutBound({}, (), ()), best
        nodes: tuple[Node, ...] = (self._nodes[around],)
        if around == self._source:
            nodes = tuple(node for node in self._nodes if node != self._nodes[around])
        return CutBound({price: Fraction(1)}, nodes, (Cut(0, len(nodes), best),)), best

    def bound(self, packing: ArborescencePacking, odd: OddSets | None) -> CutBound:
        """The prices of the packing, by names of resources and by odd sets, and its cuts."""
        prices, count = packing.prices, len(self._names)
        return CutBound(
            {
                self._names[index]: prices[index] * self._capacities[index]
                for index in prices
                if index < count
            },
            tuple(self._nodes[index] for index in packing.order),
            tuple(Cut(*cut) for cut in packing.cuts),
            odd_sets=tuple(
                OddSet(
                    tuple(self._nodes[node] for node in odd.found[index - count]),
                    price * self._unit,
                )
                for index, price in prices.items()
                if odd and index >= count
            ),
        )


def _unreachable(platform: Platform, source: Node, allowed: Collection[int]) -> tuple[Node, ...]:
    """The nodes that no path of allowed arcs reaches, in the order of the platform."""
    leaving: dict[Node, list[Node]] = {}
    for arc in allowed:
        leaving.setdefault(platform.tails[arc], []).append(platform.heads[arc])
    reached = breadth_first([source], lambda node: leaving.get(node, ()))
    return tuple(node for node in platform.nodes if node not in reached)
