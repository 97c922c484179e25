"""Exact branch and bound over the arcs that may be used, which ends as a certificate.

A subproblem is a set of arcs that are removed.  Its bound is Lagrangian: any prices of the
resources, together with the cheapest arborescence under them, bound the throughput.  So floats
may propose the prices, which are rounded to integers, and one exact arborescence decides; an
exact linear program is needed only where the bound has to be tight.  What distinguishes the best
tree from the best DAG (how to split, when a solution is met, how to round) is a `Restriction`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heappop, heappush
from math import gcd, inf, lcm
from time import monotonic
from typing import Protocol

from exactsched.certificate.bounds import Cut, CutBound
from exactsched.certificate.limits import MAX_BOUNDS
from exactsched.graphs.minimum_cost_arborescence import arborescence_and_cuts
from exactsched.graphs.reachability import breadth_first
from exactsched.linear_programs.column_generation import quotient
from exactsched.linear_programs.master_program import PackingProgram
from exactsched.model.problem import Broadcast
from exactsched.model.resources import arc_resources, resources
from exactsched.steady_state.arborescence_packing import Progress

# Float prices become integers of this many bits, and of the second number where that is enough:
# the leaves of a certificate are then a third as long.
FINE_BITS, COARSE_BITS = 30, 8
# How close (relatively) the float optimum must be to the incumbent for the exact program to decide.
DOUBT = 1e-6
# A subproblem starts with at most this many arborescences of its parent.
INHERITED = 200


@dataclass(frozen=True, slots=True)
class PricedCuts:
    """A leaf in integers: node sets that pack into the arcs, each as long as cost times prices.

    `prices` has an entry per resource, `order` holds nodes by index, and a cut (start, stop,
    weight) is the set `order[start:stop]`; smaller sets come before the larger that contain them.
    """

    prices: tuple[int, ...]
    order: tuple[int, ...]
    cuts: tuple[tuple[int, int, int], ...]

    @property
    def weight(self) -> int:
        return sum(weight for _, _, weight in self.cuts)

    def raised(self, node: int, amount: int) -> PricedCuts:
        """The same cuts with that much more weight on the single node."""
        place = self.order.index(node)
        single = (place, place + 1)
        others = tuple(cut for cut in self.cuts if cut[:2] != single)
        present = sum(weight for *ends, weight in self.cuts if tuple(ends) == single)
        return PricedCuts(self.prices, self.order, ((*single, present + amount), *others))


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """An arborescence: its arcs, the same as a bit set, and how long each resource works for it."""

    arcs: tuple[int, ...]
    bits: int
    loads: dict[int, int]


@dataclass(eq=False, slots=True)
class Subproblem:
    """What is left when the arcs of the bit set `removed` may not be used, and what is known of it.

    `rate` is the bound that `cuts` prove.  The linear program avoids only the arcs `avoided`, not
    those of which it need not know that they are removed: what a proof does not use, it need not
    justify.  After a split, `cases` holds (removed arcs, subproblem) and `split` what was split
    on: a node, or a cycle of arcs.  `columns` and `usage` tell how to go on.
    """

    removed: int
    cuts: PricedCuts
    rate: Fraction
    avoided: int = 0
    columns: list[Column] = field(default_factory=list)
    usage: dict[int, float] = field(default_factory=dict)
    split: int | tuple[int, ...] | None = None
    cases: list[tuple[int, Subproblem]] = field(default_factory=list)


class Restriction(Protocol):
    """What the search has to know about a restriction of the arcs."""

    @property
    def incumbent(self) -> Fraction:
        """The best throughput met so far."""

    def rounded(self, rate: Fraction, removed: int, /) -> Fraction:
        """The largest throughput up to `rate` that the remaining arcs can have."""

    def meet(self, column: Column) -> None:
        """An arborescence was found, which may be a better solution."""

    def meet_packing(self, packing: list[tuple[Column, Fraction]]) -> None:
        """A subproblem has this optimal packing, which may be a better solution or near one."""

    def reduce(self, subproblem: Subproblem) -> Subproblem | None:
        """The subproblem below which this one is not closed by simple arguments; None if it is."""

    def expand(self, subproblem: Subproblem) -> list[Subproblem]:
        """Split the subproblem, improve the incumbent, or both; returns the new open cases."""


class ArcModel:
    """A problem in integers: nodes by index, costs as multiples of 1/`unit`, resources as rows."""

    def __init__(self, problem: Broadcast) -> None:
        platform = problem.platform
        place = {node: index for index, node in enumerate(platform.nodes)}
        self.problem = problem
        self.size, self.root = len(place), place[problem.source]
        self.tails = [place[arc.tail] for arc in platform.arcs]
        self.heads = [place[arc.head] for arc in platform.arcs]
        self.unit = lcm(*(arc.cost.denominator for arc in platform.arcs))
        self.costs = [int(arc.cost * self.unit) for arc in platform.arcs]
        self.names = resources(problem)
        row = {name: index for index, name in enumerate(self.names)}
        self.uses = [tuple(row[name] for name in names) for names in arc_resources(problem)]
        self.useful = [arc for arc, head in enumerate(self.heads) if head != self.root]

    def remaining(self, removed: int) -> list[int]:
        """The arcs that an arborescence could use."""
        return [arc for arc in self.useful if not removed >> arc & 1]

    def column(self, arcs: Sequence[int]) -> Column:
        loads: dict[int, int] = {}
        bits = 0
        for arc in arcs:
            bits |= 1 << arc
            for row in self.uses[arc]:
                loads[row] = loads.get(row, 0) + self.costs[arc]
        return Column(tuple(arcs), bits, loads)

    def cheapest(self, arcs: list[int], prices: Sequence[int]) -> tuple[Column, PricedCuts]:
        """The cheapest arborescence under integer prices and the cuts that prove it."""
        costs, uses = self.costs, self.uses
        best = arborescence_and_cuts(
            self.size,
            self.root,
            [self.tails[arc] for arc in arcs],
            [self.heads[arc] for arc in arcs],
            [costs[arc] * sum([prices[row] for row in uses[arc]]) for arc in arcs],
        )
        return self.column([arcs[arc] for arc in best.arcs]), PricedCuts(
            tuple(prices), best.order, best.cuts
        )

    def rate(self, cuts: PricedCuts) -> Fraction:
        """The bound Y / W; 0 if nothing enters the sets."""
        return Fraction(sum(cuts.prices) * self.unit, cuts.weight)

    def unreached(self, arcs: Iterable[int]) -> list[int]:
        """The nodes to which no path leads."""
        leaving: list[list[int]] = [[] for _ in range(self.size)]
        for arc in arcs:
            leaving[self.tails[arc]].append(self.heads[arc])
        reached = breadth_first([self.root], leaving.__getitem__)
        return [node for node in range(self.size) if node not in reached]

    def slacks(self, cuts: PricedCuts, arcs: Iterable[int]) -> dict[int, int]:
        """The length of each arc minus the weight of the sets that it enters; may be negative."""
        position = [-1] * self.size
        for index, node in enumerate(cuts.order):
            position[node] = index
        chains: list[list[tuple[int, int, int]]] = [[] for _ in cuts.order]
        for cut in cuts.cuts:
            for index in range(cut[0], cut[1]):
                chains[index].append(cut)
        prices = cuts.prices or (0,) * len(self.names)
        slacks = {}
        for arc in arcs:
            slack = self.costs[arc] * sum([prices[row] for row in self.uses[arc]])
            head, tail = position[self.heads[arc]], position[self.tails[arc]]
            if head >= 0:
                for start, stop, weight in chains[head]:
                    if start <= tail < stop:
                        break
                    slack -= weight
            slacks[arc] = slack
        return slacks

    def measure(self, removed: int) -> int:
        """The greatest common divisor of the costs of the arcs that are not removed."""
        return gcd(*(cost for arc, cost in enumerate(self.costs) if not removed >> arc & 1))

    def priced_cuts(self, leaf: CutBound) -> PricedCuts:
        """The inverse of `leaf`, with all nodes but the root in the order."""
        weights = [weight * self.unit for _, _, weight in leaf.cuts]
        common = lcm(*(number.denominator for number in (*leaf.prices.values(), *weights)))
        nodes = self.problem.platform.nodes
        place = {node: index for index, node in enumerate(nodes)}
        listed = [place[node] for node in leaf.order]
        missing = set(range(self.size)).difference(listed, (self.root,))
        return PricedCuts(
            tuple(int(leaf.prices.get(name, Fraction(0)) * common) for name in self.names),
            (*listed, *sorted(missing)),
            tuple(
                (start, stop, int(weight * common))
                for (start, stop, _), weight in zip(leaf.cuts, weights, strict=True)
            ),
        )

    def leaf(self, cuts: PricedCuts) -> CutBound:
        """The record that states the cuts; lengths lose the factor `unit`."""
        nodes = self.problem.platform.nodes
        common = gcd(*cuts.prices, *(weight for _, _, weight in cuts.cuts))
        return CutBound(
            {
                name: Fraction(price, common)
                for name, price in zip(self.names, cuts.prices, strict=False)
                if price
            },
            tuple(nodes[node] for node in cuts.order),
            tuple(Cut(a, b, Fraction(weight, common * self.unit)) for a, b, weight in cuts.cuts),
        )


def bits_of(arcs: Iterable[int]) -> int:
    """A set of arcs as the bits of one integer.

    >>> bits_of([0, 3])
    9
    """
    bits = 0
    for arc in arcs:
        bits |= 1 << arc
    return bits


class Search:
    """Best-first branch and bound; every subproblem keeps the cuts that prove its bound.

    `root` is the unrestricted problem, bounded by the given cuts.  `run` splits the open
    subproblem with the largest bound until none exceeds the incumbent or a limit is reached
    (`deadline` is a time of `monotonic`); what is open then still has its bound.
    """

    def __init__(
        self,
        model: ArcModel,
        restriction: Restriction,
        cuts: PricedCuts,
        deadline: float | None = None,
    ) -> None:
        self.model, self.restriction = model, restriction
        self._deadline = deadline
        self.solved = 0
        self.rounds = 0
        self.priced = 0
        self.listed = 1
        self._closing: dict[int, PricedCuts] = {}
        self._waiting: list[tuple[Fraction, int, Subproblem]] = []
        self.root = Subproblem(0, cuts, restriction.rounded(model.rate(cuts), 0))

    def run(
        self,
        trees: Iterable[Sequence[int]],
        node_limit: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Search to the end of the proof, `node_limit` bounds, or the deadline; trees help."""
        columns = [self.model.column(tree) for tree in trees]
        for column in columns:
            self.restriction.meet(column)
        restriction = self.restriction
        self._push(self.root, columns)
        waiting = self._waiting
        while waiting and waiting[0][2].rate > restriction.incumbent:
            if node_limit is not None and self.solved >= node_limit:
                return
            if self._late():
                return
            if self.listed > MAX_BOUNDS:
                return
            subproblem = heappop(waiting)[2]
            if progress is not None:
                bounds = restriction.incumbent, subproblem.rate
                if progress(self.solved, *map(_as_float, bounds)) is True:
                    heappush(waiting, (-subproblem.rate, -self.solved, subproblem))
                    return
            for case in reversed(restriction.expand(subproblem)):
                self._push(case, subproblem.columns)
            subproblem.columns, subproblem.usage = [], {}

    def _late(self) -> bool:
        return self._deadline is not None and monotonic() > self._deadline

    def _push(self, case: Subproblem, columns: Sequence[Column]) -> None:
        self.listed += 1
        avoided = case.avoided
        rest = self.restriction.reduce(case)
        while case is not rest and case.cases:
            self.listed += len(case.cases)
            case = case.cases[-1][1]
        if rest is None or rest.rate <= self.restriction.incumbent:
            return
        rest.avoided = avoided
        self.bound(rest, columns)
        if rest.rate > self.restriction.incumbent:
            heappush(self._waiting, (-rest.rate, -self.solved, rest))

    def bound(self, subproblem: Subproblem, columns: Sequence[Column]) -> None:
        """Improve the bound of a subproblem until it is closed or as good as prices can prove."""
        removed = subproblem.removed
        self.solved += 1
        model = self.model
        for needed, cuts in self._closing.items():
            if needed & ~removed == 0 and self._improve(subproblem, cuts):
                return
        unreached = model.unreached(model.remaining(removed))
        if unreached:
            cuts = PricedCuts((), tuple(unreached), ((0, len(unreached), 1),))
            self._improve(subproblem, cuts)
            return
        # Those that carry messages come first, then the latest.
        columns = [column for column in columns if not column.bits & removed][:INHERITED]
        while True:
            master = _Master(model, model.remaining(subproblem.avoided))
            for column in columns:
                if not column.bits & subproblem.avoided:
                    master.enter(column)
            if self._converge(subproblem, master) or self._late():
                return
            packing = master.packing()
            carrying = [column for column, _ in packing]
            columns = list(dict.fromkeys([*carrying, *reversed(master.columns)]))
            usage = _usage(packing)
            forbidden = {model.heads[arc] for arc in usage if removed >> arc & 1}
            if forbidden:
                subproblem.avoided |= removed & bits_of(
                    arc for arc in model.useful if model.heads[arc] in forbidden
                )
                continue
            self.restriction.meet_packing(packing)
            rate = sum(weight for _, weight in packing)
            if rate > self.restriction.incumbent:
                subproblem.columns, subproblem.usage = columns, usage
                return
            if self._decide(subproblem, master) or self._late():
                return
            columns = master.columns

    def _converge(self, subproblem: Subproblem, master: _Master) -> bool:
        """Generate columns until the subproblem is closed (true) or no column helps (false)."""
        model, restriction = self.model, self.restriction
        center: Sequence[float] = [1.0] * len(model.names)
        best: Fraction | None = None
        if not master.columns:
            self._price(subproblem, master, center)
        while not self._late():
            proposal = master.propose()
            self.rounds += 1
            if proposal is None:
                return self._decide(subproblem, master)
            value, duals = proposal
            entered = False
            for mix in (0.5, 0.0):
                total, middle = sum(duals), sum(center)
                prices = [
                    mix * old / middle + (1 - mix) * new / total
                    for old, new in zip(center, duals, strict=True)
                ]
                rate, new_column = self._price(subproblem, master, prices)
                if subproblem.rate <= restriction.incumbent:
                    self._shorten(subproblem, master, prices)
                    return True
                if rate is not None and (best is None or rate < best):
                    best, center = rate, prices
                entered = entered or new_column
            if not entered or (best is not None and _as_float(best) <= value * (1 + 1e-9)):
                low = restriction.rounded(Fraction(value * (1 - DOUBT)), subproblem.removed)
                return low <= restriction.incumbent and self._decide(subproblem, master)
        return False

    def _price(
        self, subproblem: Subproblem, master: _Master, prices: Sequence[float]
    ) -> tuple[Fraction | None, bool]:
        """The bound by the prices (None: nothing is bounded), and whether its column is new."""
        column, cuts = self._cheapest(master, prices, FINE_BITS)
        self.restriction.meet(column)
        new = master.enter(column)
        if not cuts.cuts:
            return None, new
        self._improve(subproblem, cuts)
        return self.model.rate(cuts), new

    def _cheapest(
        self, master: _Master, prices: Sequence[float], bits: int
    ) -> tuple[Column, PricedCuts]:
        """The cheapest arborescence when the largest price is rounded to this many bits."""
        self.priced += 1
        scale = (1 << bits) / max(prices)
        return self.model.cheapest(master.arcs, [int(price * scale + 0.5) for price in prices])

    def _shorten(self, subproblem: Subproblem, master: _Master, prices: Sequence[float]) -> None:
        """Prefer prices of few digits where they close the subproblem as well."""
        _, cuts = self._cheapest(master, prices, COARSE_BITS)
        if cuts.cuts:
            rate = self.restriction.rounded(self.model.rate(cuts), subproblem.removed)
            if rate <= self.restriction.incumbent:
                subproblem.cuts, subproblem.rate = cuts, rate
        self._remember(subproblem)

    def _decide(self, subproblem: Subproblem, master: _Master) -> bool:
        """Solve the linear program of the subproblem exactly; whether that closes it."""
        while not self._late():
            prices = master.exact_prices()
            column, cuts = self.model.cheapest(master.arcs, prices)
            self.priced += 1
            self.restriction.meet(column)
            if cuts.cuts and self._improve(subproblem, cuts):
                self._remember(subproblem)
                return True
            if not master.enter(column):
                return False
        return False

    def _improve(self, subproblem: Subproblem, cuts: PricedCuts) -> bool:
        """Take the cuts if they prove more; whether the subproblem is closed."""
        rate = self.restriction.rounded(self.model.rate(cuts), subproblem.removed)
        if rate < subproblem.rate:
            subproblem.rate, subproblem.cuts = rate, cuts
        return subproblem.rate <= self.restriction.incumbent

    def _remember(self, subproblem: Subproblem) -> None:
        """Cuts that close a subproblem may close others: any where the arcs they need are gone."""
        self._closing[self.needs(subproblem)] = subproblem.cuts

    def needs(self, subproblem: Subproblem) -> int:
        """The removed arcs without which the cuts of the subproblem would not prove its bound."""
        model, removed = self.model, subproblem.removed
        gone = [arc for arc in range(len(model.costs)) if removed >> arc & 1]
        slacks = model.slacks(subproblem.cuts, gone)
        needed = bits_of(arc for arc in gone if slacks[arc] < 0)
        raw = model.rate(subproblem.cuts)
        if raw > max(subproblem.rate, self.restriction.incumbent):
            unit = model.measure(removed)
            needed |= bits_of(arc for arc in gone if model.costs[arc] % unit)
        return needed


class _Master:
    """The linear program over the arborescences met in a subproblem."""

    def __init__(self, model: ArcModel, arcs: list[int]) -> None:
        self._model, self.arcs = model, arcs
        self._program = PackingProgram([model.unit] * len(model.names))
        self._known: set[int] = set()
        self.columns: list[Column] = []

    def enter(self, column: Column) -> bool:
        """Append an arborescence; false if it is there already."""
        if column.bits in self._known:
            return False
        self._known.add(column.bits)
        self.columns.append(column)
        self._program.add_column(1, column.loads)
        return True

    def propose(self) -> tuple[float, list[float]] | None:
        """The float optimum (throughput) and its prices up to a factor."""
        proposal = self._program.propose()
        measure = quotient(self._model.unit, self._program.scale)
        if proposal is None or not any(proposal.duals) or measure == inf:
            return None
        return proposal.value * measure, proposal.duals

    def exact_prices(self) -> list[int]:
        """Optimal prices of the columns so far, as integers without a common factor."""
        dual = self._program.solve().dual
        denominator = lcm(*(price.denominator for price in dual.values()))
        return [int(dual.get(row, 0) * denominator) for row in range(len(self._model.names))]

    def packing(self) -> list[tuple[Column, Fraction]]:
        """An optimal packing of the columns: each with the messages it carries per time unit."""
        primal = self._program.solve().primal
        return [(self.columns[index], weight) for index, weight in primal.items()]


def _usage(packing: list[tuple[Column, Fraction]]) -> dict[int, float]:
    """The share of the throughput that each arc carries."""
    total = sum(weight for _, weight in packing)
    shares: dict[int, float] = {}
    for column, weight in packing:
        for arc in column.arcs:
            shares[arc] = shares.get(arc, 0.0) + float(weight / total)
    return shares


def _as_float(rate: Fraction) -> float:
    return quotient(rate.numerator, rate.denominator)
