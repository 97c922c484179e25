"""The best acyclic sub-platform for a series of broadcasts, with a proof (RR-4871, section 4)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from exactsched.exact.search_limits import checked_node_limit, deadline_after
from exactsched.model.platform import Node, Platform
from exactsched.model.problem import Broadcast, Ports
from exactsched.model.tasks import WeightedStructure, tree
from exactsched.steady_state.arborescence_packing import Progress
from exactsched.steady_state.broadcast import check_series, relaxation
from exactsched.steady_state.restricted.branch_and_bound import ArcModel, Column, Search, Subproblem
from exactsched.steady_state.restricted.case_proof import branching_bound
from exactsched.steady_state.slots import sides
from exactsched.steady_state.solution import Solution


def broadcast_dag(
    platform: Platform,
    source: Node,
    *,
    ports: Ports = "one-port",
    node_limit: int | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Solution:
    """The best packing of arborescences whose arcs together have no directed cycle.

    On an acyclic platform this is the optimum of the program SSBPDAG(G) in its corrected form
    (with the receive ports), and there is nothing to search.  Otherwise the best acyclic
    sub-platform is searched for, which is NP-hard (`proofs/best-dag.md`): a branching removes, case
    by case, the arcs of a directed cycle that the best packing uses.  The optimum is exact and
    proved, and `exactsched.check` accepts the certificate.

    `node_limit` limits the subproblems bounded, `time_limit` the seconds (looked at between
    subproblems).  A limit that strikes leaves an interval: `throughput` of the best packing
    met, `upper` proved, `optimal` false.  `progress` is called with (subproblems, lower, upper)
    as floats.

    Raises `InvalidInput` as `broadcast` does, and for limits that are negative or no numbers.
    Exponential in the worst case.

    Reference: RR-4871, sections 3.1.3 and 4, theorem 2.

    >>> from exactsched.platforms.papers import legrand_fig1
    >>> best = broadcast_dag(legrand_fig1(), "Ps")
    >>> best.throughput, best.optimal
    (Fraction(4, 5), True)
    """
    problem = Broadcast(platform, source, ports, "dag")
    check_series(problem)
    sides(problem)  # refuses an odd cycle
    node_limit, deadline = checked_node_limit(node_limit), deadline_after(time_limit)
    relaxed = relaxation(problem, range(len(platform.arcs)), progress)
    model = ArcModel(problem)
    support = {arc for tree in relaxed.trees for arc in tree.arcs}
    if not shortest_cycle(model, support):
        return relaxed.solution(problem)
    restriction = _Acyclic(model)
    search = Search(model, restriction, model.priced_cuts(relaxed.leaf), deadline)
    search.run([tree.arcs for tree in relaxed.trees], node_limit, progress)
    bound, upper = branching_bound(search)
    return Solution(
        problem,
        restriction.trees,
        bound,
        upper,
        relaxed.rounds + search.rounds,
        relaxed.priced + search.priced,
    )


class _Acyclic:
    """Solutions are packings whose arcs together have no directed cycle; a cycle is a split."""

    def __init__(self, model: ArcModel) -> None:
        self._model = model
        self.incumbent = Fraction(0)
        self.trees: tuple[WeightedStructure, ...] = ()
        self._tried: set[frozenset[int]] = set()
        self._known: dict[int, Subproblem] = {}

    def rounded(self, rate: Fraction, _removed: int) -> Fraction:
        """No rounding: a packing may have any rate."""
        return rate

    def meet(self, column: Column) -> None:
        """One arborescence alone is acyclic."""
        rate = Fraction(self._model.unit, max(column.loads.values()))
        if rate > self.incumbent:
            self.incumbent = rate
            self.trees = (tree(self._model.problem, sorted(column.arcs), rate),)

    def meet_packing(self, packing: list[tuple[Column, Fraction]]) -> None:
        """All arcs forwards in an order near the packing make a solution; its own if acyclic."""
        usage: dict[int, Fraction] = {}
        for column, weight in packing:
            for arc in column.arcs:
                usage[arc] = usage.get(arc, Fraction(0)) + weight
        forwards = self._forwards(usage)
        if forwards not in self._tried:
            self._tried.add(forwards)
            relaxed = relaxation(self._model.problem, forwards)
            if relaxed.upper > self.incumbent:
                self.incumbent, self.trees = relaxed.upper, relaxed.trees

    def _forwards(self, usage: dict[int, Fraction]) -> frozenset[int]:
        """All arcs that lead forwards in an order that turns few messages away.

        The next node is the one that receives most of its messages from the nodes before it; so if
        the packing is acyclic, this is a topological order of it.
        """
        model = self._model
        leaving: list[list[int]] = [[] for _ in range(model.size)]
        for arc in model.useful:
            leaving[model.tails[arc]].append(arc)
        received = {node: Fraction(0) for node in range(model.size) if node != model.root}
        node, forwards = model.root, set[int]()
        while True:
            for arc in leaving[node]:
                if model.heads[arc] in received:
                    forwards.add(arc)
                    received[model.heads[arc]] += usage.get(arc, 0)
            if not received:
                return frozenset(forwards)
            node = max(received, key=lambda other: received[other])
            del received[node]

    def reduce(self, subproblem: Subproblem) -> Subproblem | None:
        """No simple argument is known that closes cases."""
        return subproblem

    def expand(self, subproblem: Subproblem) -> list[Subproblem]:
        """One case for every arc of a shortest cycle in use; the least used arc first."""
        cycle = shortest_cycle(self._model, subproblem.usage)
        subproblem.split = tuple(cycle)
        fresh = []
        for arc in sorted(cycle, key=lambda arc: subproblem.usage[arc]):
            removed = subproblem.removed | 1 << arc
            case = self._known.get(removed)
            if case is None:
                case = Subproblem(
                    removed, subproblem.cuts, subproblem.rate, subproblem.avoided | 1 << arc
                )
                self._known[removed] = case
                fresh.append(case)
            subproblem.cases.append((1 << arc, case))
        return fresh


def shortest_cycle(model: ArcModel, arcs: Iterable[int]) -> list[int]:
    """A shortest directed cycle among arcs, as arcs in order; empty if there is none."""
    leaving: dict[int, list[int]] = {}
    listed = sorted(arcs)
    for arc in listed:
        leaving.setdefault(model.tails[arc], []).append(arc)
    shortest: list[int] = []
    for closing in listed:
        start, goal = model.heads[closing], model.tails[closing]
        came: dict[int, int] = {start: -1}
        queue = [start]
        for node in queue:
            if node == goal:
                break
            for arc in leaving.get(node, ()):
                if model.heads[arc] not in came:
                    came[model.heads[arc]] = arc
                    queue.append(model.heads[arc])
        if goal not in came:
            continue
        path = [closing]
        node = goal
        while node != start:
            path.append(came[node])
            node = model.tails[came[node]]
        if not shortest or len(path) < len(shortest):
            shortest = path[::-1]
    return shortest
