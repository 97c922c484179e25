"""The best single arborescence for a series of broadcasts, with a proof (RR-4871, section 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from exactsched.exact.search_limits import checked_node_limit, deadline_after
from exactsched.model.platform import Node, Platform
from exactsched.model.problem import Broadcast, Ports
from exactsched.model.tasks import tree
from exactsched.steady_state.arborescence_packing import Progress
from exactsched.steady_state.broadcast import check_series, relaxation
from exactsched.steady_state.restricted.branch_and_bound import (
    ArcModel,
    Column,
    PricedCuts,
    Search,
    Subproblem,
    bits_of,
)
from exactsched.steady_state.restricted.case_proof import branching_bound
from exactsched.steady_state.solution import Solution

# What the integer program may take before the search goes on without: its tree is a proposal.
PROPOSAL_SECONDS = 20.0
PROPOSAL_NODES = 2_000


def broadcast_tree(
    platform: Platform,
    source: Node,
    *,
    ports: Ports = "one-port",
    node_limit: int | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Solution:
    """The best single arborescence: one over the least possible load of its busiest resource.

    A tree that keeps resource r busy for l_r time units per message carries 1 / max l_r messages
    per time unit.  The optimum is exact and proved: `bound` branches on how nodes are entered,
    down to prices and cuts, and `exactsched.check` accepts it.  Finding it is NP-hard, so there
    are limits: `node_limit` on the subproblems bounded, `time_limit` in seconds (it is looked at
    between subproblems).  A limit that strikes leaves `throughput` of the best tree met and `upper`
    below it proved: an interval, with `optimal` false.  `progress` is called with
    (subproblems, lower, upper) as floats.

    An integer program in floats proposes a tree; nothing depends on it but time.  The result is
    the same on every run unless a time limit strikes, but for the choice among trees of equal load.

    Raises `InvalidInput` as `broadcast` does, and for limits that are negative or no numbers.
    Exponential in the worst case; each subproblem costs some float linear programs
    with a row per resource and as many arborescences.

    Reference: RR-4871, section 3.2 and theorem 1.

    >>> from exactsched.platforms.papers import legrand_fig1
    >>> best = broadcast_tree(legrand_fig1(), "Ps")
    >>> best.throughput, best.optimal
    (Fraction(2, 3), True)
    """
    problem = Broadcast(platform, source, ports, "tree")
    check_series(problem)
    node_limit, deadline = checked_node_limit(node_limit), deadline_after(time_limit)
    relaxed = relaxation(problem, range(len(platform.arcs)), progress)
    if len(relaxed.trees) <= 1:
        return relaxed.solution(problem)
    model = ArcModel(problem)
    restriction = _OneTree(model)
    search = Search(model, restriction, model.priced_cuts(relaxed.leaf), deadline)
    trees: list[Sequence[int]] = [one.arcs for one in relaxed.trees]
    for arcs in trees:
        restriction.meet(model.column(arcs))
    if search.root.rate > restriction.incumbent:
        seconds = PROPOSAL_SECONDS if time_limit is None else min(PROPOSAL_SECONDS, time_limit / 4)
        trees.extend(_proposed_trees(model, seconds))
    search.run(trees, node_limit, progress)
    bound, upper = branching_bound(search)
    best = restriction.best
    assert best is not None
    return Solution(
        problem,
        (tree(problem, sorted(best.arcs), restriction.incumbent),),
        bound,
        upper,
        relaxed.rounds + search.rounds,
        relaxed.priced + search.priced,
    )


class _OneTree:
    """Solutions are single arborescences; a subproblem is split on how a node is entered."""

    def __init__(self, model: ArcModel) -> None:
        self._model = model
        self.best: Column | None = None
        self._load = 0

    @property
    def incumbent(self) -> Fraction:
        return Fraction(self._model.unit, self._load) if self._load else Fraction(0)

    def rounded(self, rate: Fraction, removed: int) -> Fraction:
        """Every load is a multiple of the common measure of the remaining costs."""
        if rate == 0:
            return rate
        unit = Fraction(self._model.measure(removed), self._model.unit)
        return 1 / (unit * -(-1 // (rate * unit)))

    def meet(self, column: Column) -> None:
        """Every arborescence is a solution."""
        load = max(column.loads.values())
        if self.best is None or load < self._load:
            self.best = _locally_best(self._model, column)
            self._load = max(self.best.loads.values())

    def meet_packing(self, packing: list[tuple[Column, Fraction]]) -> None:
        """Nothing: every arborescence was met when it was found."""

    def reduce(self, subproblem: Subproblem) -> Subproblem | None:
        """Remove the arcs that overload a resource with what it has to carry anyway, repeatedly.

        Every node costs a resource at least what the cheapest of its entering arcs does there; an
        arc that on top of that reaches the load of the best tree is in no better one.
        """
        model, current = self._model, subproblem
        while True:
            entering = self._entering(current)
            least = [self._least(arcs) for arcs in entering]
            base = [0] * len(model.names)
            for loads in least:
                for row, cost in loads.items():
                    base[row] += cost
            before = current
            for node, arcs in enumerate(entering):
                groups: dict[int, list[int]] = {}
                for arc in arcs:
                    for row in reversed(model.uses[arc]):
                        total = base[row] - least[node].get(row, 0) + model.costs[arc]
                        if total >= self._load:
                            groups.setdefault(row, []).append(arc)
                            break
                if groups:
                    closed = [
                        (group, self._forced(least, node, row, group))
                        for row, group in groups.items()
                    ]
                    rest = self._drop(current, node, arcs, closed)
                    if rest is None:
                        return None
                    current = rest
            if current is before:
                return current

    def _entering(self, subproblem: Subproblem) -> list[list[int]]:
        entering: list[list[int]] = [[] for _ in range(self._model.size)]
        for arc in self._model.remaining(subproblem.removed):
            entering[self._model.heads[arc]].append(arc)
        return entering

    def _least(self, arcs: list[int]) -> dict[int, int]:
        """What a node costs each resource at least, by whichever of the arcs it is entered."""
        if not arcs:
            return {}
        cheapest = min(self._model.costs[arc] for arc in arcs)
        shared = set(self._model.uses[arcs[0]]).intersection(
            *(self._model.uses[arc] for arc in arcs[1:])
        )
        return dict.fromkeys(shared, cheapest)

    def _forced(
        self, least: list[dict[int, int]], node: int, row: int, arcs: list[int]
    ) -> PricedCuts:
        """The load of one resource when the node is entered by one of the arcs, as cuts."""
        weights = {other: loads[row] for other, loads in enumerate(least) if row in loads}
        weights[node] = min(self._model.costs[arc] for arc in arcs)
        return PricedCuts(
            tuple(int(name == row) for name in range(len(self._model.names))),
            tuple(weights),
            tuple((place, place + 1, weight) for place, weight in enumerate(weights.values())),
        )

    def _rate(self, cuts: PricedCuts, removed: int) -> Fraction:
        return self.rounded(self._model.rate(cuts), removed)

    def _drop(
        self,
        current: Subproblem,
        node: int,
        arcs: list[int],
        closed: list[tuple[list[int], PricedCuts]],
    ) -> Subproblem | None:
        """Split on how the node is entered, all ways but one closed by cuts; that one, if any."""
        every, hopeless = bits_of(arcs), 0
        current.split = node
        for group, cuts in closed:
            hopeless |= bits_of(group)
            others = every & ~bits_of(group)
            if not others:
                current.cuts, current.rate = cuts, self._rate(cuts, current.removed)
                return None
            removed = current.removed | others
            case = Subproblem(removed, cuts, self._rate(cuts, removed))
            current.cases.append((others, case))
        if hopeless == every:
            return None
        removed = current.removed | hopeless
        rest = Subproblem(removed, current.cuts, self._rate(current.cuts, removed), current.avoided)
        current.cases.append((hopeless, rest))
        return rest

    def expand(self, subproblem: Subproblem) -> list[Subproblem]:
        """One case for every arc in use into the node, and one for all the others."""
        current = self._without_hopeless_arcs(subproblem)
        if current is None or current.rate <= self.incumbent:
            return []
        if any(current.removed >> arc & 1 for arc in subproblem.usage):
            return [current]  # the packing that tells where to split is gone
        node, parts = self._partition(current, subproblem.usage)
        every = bits_of(arc for part in parts for arc in part)
        current.split = node
        for part in parts:
            without = every & ~bits_of(part)
            removed, avoided = current.removed | without, subproblem.avoided | without
            case = Subproblem(removed, current.cuts, self._rate(current.cuts, removed), avoided)
            current.cases.append((without, case))
        return [case for _, case in current.cases]

    def _without_hopeless_arcs(self, subproblem: Subproblem) -> Subproblem | None:
        """Remove the arcs that no better tree contains, by their slack under the cuts.

        An arc with slack can be asked to pay more: alone into its node, it raises the weight of
        the node by its slack (reduced cost fixing).
        """
        model, cuts = self._model, subproblem.cuts
        slacks = model.slacks(cuts, model.remaining(subproblem.removed))
        total, prices = cuts.weight, sum(cuts.prices) * model.unit
        current: Subproblem | None = subproblem
        for node, arcs in enumerate(self._entering(subproblem)):
            if current is None:
                break
            hopeless = [
                arc
                for arc in arcs
                if slacks[arc]
                and self.rounded(Fraction(prices, total + slacks[arc]), current.removed)
                <= self.incumbent
            ]
            if hopeless:
                raised = cuts.raised(node, min(slacks[arc] for arc in hopeless))
                current = self._drop(current, node, arcs, [(hopeless, raised)])
        return current

    def _partition(
        self, subproblem: Subproblem, usage: dict[int, float]
    ) -> tuple[int, list[list[int]]]:
        """The node whose entering arcs are most mixed in the packing, by price, and the cases."""
        model, prices = self._model, subproblem.cuts.prices
        entering: dict[int, list[int]] = {}
        for arc in model.remaining(subproblem.removed):
            entering.setdefault(model.heads[arc], []).append(arc)

        paid = {
            arc: model.costs[arc] * sum(prices[row] for row in model.uses[arc])
            for arcs in entering.values()
            for arc in arcs
        }
        # Integers may be too long for floats; the leading thousand bits are enough.
        beyond = max(0, max(paid.values(), default=0).bit_length() - 1000)

        def undecided(node: int) -> tuple[float, float]:
            mixed = priced = 0.0
            for arc in entering[node]:
                share = usage.get(arc, 0.0) * (1 - usage.get(arc, 0.0))
                mixed += share
                priced += share * (paid[arc] >> beyond)
            return priced, mixed

        node = max((node for node in entering if len(entering[node]) > 1), key=undecided)
        used = [arc for arc in entering[node] if usage.get(arc, 0.0) > 0]
        parts = [[arc] for arc in sorted(used, key=lambda arc: -usage[arc])]
        rest = [arc for arc in entering[node] if arc not in used]
        return node, [*parts, rest] if rest else parts


def _locally_best(model: ArcModel, tree: Column) -> Column:
    """A tree in which no single node can be entered otherwise to relieve a busiest resource.

    Every change makes the number of resources with the largest load smaller, or that load.
    """
    parent_arc = {model.heads[arc]: arc for arc in tree.arcs}
    entering: dict[int, list[int]] = {}
    for arc in model.useful:
        entering.setdefault(model.heads[arc], []).append(arc)
    loads = dict(tree.loads)

    def above(node: int, ancestor: int) -> bool:
        while node != model.root and node != ancestor:
            node = model.tails[parent_arc[node]]
        return node == ancestor

    def relieved(largest: int) -> bool:
        for node, arc in parent_arc.items():
            if all(loads[row] < largest for row in model.uses[arc]):
                continue
            for other in entering[node]:
                after = {row: loads.get(row, 0) + model.costs[other] for row in model.uses[other]}
                for row in model.uses[arc]:
                    if row in after:
                        after[row] -= model.costs[arc]
                if max(after.values()) < largest and not above(model.tails[other], node):
                    for row in model.uses[arc]:
                        loads[row] -= model.costs[arc]
                    loads.update(after)
                    parent_arc[node] = other
                    return True
        return False

    while relieved(max(loads.values())):
        pass
    return model.column(list(parent_arc.values()))


def _proposed_trees(model: ArcModel, seconds: float) -> list[list[int]]:
    """At most one tree, of small largest load, from an integer program in floats.

    Single-commodity flow: the arcs of positive flow, one into each node, form an arborescence.
    """
    from pyscipopt import Model, quicksum

    largest = max(model.costs)
    program: Any = Model()
    program.hideOutput()
    program.setParam("limits/time", seconds)
    program.setParam("limits/nodes", PROPOSAL_NODES)
    program.setParam("parallel/maxnthreads", 1)
    load = program.addVar(lb=0.0)
    chosen = {arc: program.addVar(vtype="B") for arc in model.useful}
    flow = {arc: program.addVar(lb=0.0) for arc in model.useful}
    for arc in model.useful:
        limit = model.size - 1 if model.tails[arc] == model.root else model.size - 2
        program.addCons(flow[arc] <= limit * chosen[arc])
    for node in range(model.size):
        if node == model.root:
            continue
        entering = [arc for arc in model.useful if model.heads[arc] == node]
        leaving = [arc for arc in model.useful if model.tails[arc] == node]
        program.addCons(quicksum(chosen[arc] for arc in entering) == 1)
        program.addCons(
            quicksum(flow[arc] for arc in entering) - quicksum(flow[arc] for arc in leaving) == 1
        )
    for row in range(len(model.names)):
        busy = [arc for arc in model.useful if row in model.uses[arc]]
        if busy:
            program.addCons(
                quicksum(model.costs[arc] / largest * chosen[arc] for arc in busy) <= load
            )
    program.setObjective(load, "minimize")
    try:
        program.optimize()
        if program.getNSols() == 0:
            return []
        tree = [arc for arc in model.useful if program.getVal(chosen[arc]) > 0.5]
    except Exception:  # SCIP reports numerical trouble as a bare Exception
        return []
    return [] if len(tree) != model.size - 1 or model.unreached(tree) else [tree]
