"""Parallel prefix and other reductions with several goals: a proved bound, the best schedule found.

Reference: RR-4872, section 6, where it is an open problem; proofs/parallel-prefix.md.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm

from exactsched.certificate.nouns import place_resources, resources
from exactsched.collective import CollectiveSolution
from exactsched.errors import InvalidInput
from exactsched.packing_program import PackingProgram
from exactsched.platform import Node, Platform
from exactsched.problem import Ports, Reduction
from exactsched.reduction import Size, Time, reduction_problem
from exactsched.reduction_program import SteadyRates, optimal_rates
from exactsched.schedule import odd_cycle
from exactsched.scheme_search import Makers, SchemeSearch
from exactsched.structure_packing import Progress
from exactsched.tasks import Structure, duration

# Rounds of column generation, and how many random orders of states are tried in each.
ROUNDS = 60
ORDERS = 8
CHANCES = 30
STATES = 200
_NOISE = (0.3, 0.6, 1.0, 2.0)
# A scheme enters if it is cheaper than this, where those of the program cost 1.
_PROFITABLE = 1 - 1e-9


def prefix(
    platform: Platform,
    owners: Sequence[Node],
    *,
    size: Size = 1,
    compute: Mapping[Node, Time] | None = None,
    ports: Ports = "one-port",
    progress: Progress | None = None,
) -> CollectiveSolution:
    listed = tuple(owners)
    goals = [((0, index), owner) for index, owner in enumerate(listed) if index]
    return solve_prefix(reduction_problem(platform, listed, goals, size, compute, ports), progress)


def solve_prefix(problem: Reduction, progress: Progress | None = None) -> CollectiveSolution:
    if problem.ports == "half-duplex":
        cycle = odd_cycle(problem.platform)
        if cycle is not None:
            shown = " - ".join(map(str, [*cycle, cycle[0]]))
            raise InvalidInput("half-duplex", shown, "an odd cycle: the graph must be bipartite")
    relaxed = optimal_rates(problem)
    if not relaxed.throughput:
        return CollectiveSolution(problem, (), relaxed.bound, Fraction(0), rounds=1)
    packing = _SchemePacking(relaxed)
    rounds = packing.generate(progress)
    return CollectiveSolution(
        problem,
        packing.structures(),
        relaxed.bound,
        relaxed.throughput,
        rounds,
        len(packing.schemes),
    )


class _SchemePacking:
    """Schemes met so far in a linear program that packs them into the resources."""

    def __init__(self, relaxed: SteadyRates) -> None:
        problem = relaxed.problem
        self.relaxed = relaxed
        self.search = SchemeSearch(problem)
        names = resources(problem)
        row = {name: index for index, name in enumerate(names)}
        busy = place_resources(problem)
        times = [duration(problem, task) for task in self.search.tasks]
        self._unit = lcm(*(time.denominator for time in times))
        self._times = [int(time * self._unit) for time in times]
        self._rows = [[row[name] for name in busy[task[0]]] for task in self.search.tasks]
        self._first = [float(relaxed.bound.prices.get(name, 0)) for name in names]
        self._program = PackingProgram([self._unit] * len(names))
        self.schemes: dict[frozenset[int], Makers] = {}
        self._dice = random.Random(0)
        # The tasks that the relaxation uses: where its bound is reached, they are enough.
        self._used = [task in relaxed.rates for task in self.search.tasks]

    def generate(self, progress: Progress | None) -> int:
        """Column generation with heuristic pricing; returns the number of rounds."""
        upper = float(self.relaxed.throughput)
        peak = max(self._first)
        self._enter([price / peak for price in self._first], float("inf"))
        for rounds in range(1, ROUNDS + 1):
            proposal = self._program.propose()
            if proposal is None:
                return rounds
            lower = proposal.value * self._unit / self._program.scale
            if progress is not None:
                progress(rounds, lower, upper)
            if lower >= upper * _PROFITABLE:
                return rounds
            prices = [dual / self._program.scale for dual in proposal.duals]
            if not self._enter(prices, _PROFITABLE):
                return rounds
        return ROUNDS

    def structures(self) -> tuple[Structure, ...]:
        optimum = self._program.solve()
        listed = list(self.schemes.values())
        return tuple(
            Structure(0, self.search.ordered(listed[column]), weight)
            for column, weight in optimum.primal.items()
        )

    def _enter(self, prices: Sequence[float], limit: float) -> bool:
        """Append schemes that cost less than `limit`; false if none are found."""
        costs = [
            time * sum(prices[row] for row in rows)
            for time, rows in zip(self._times, self._rows, strict=True)
        ]
        # What costs nothing is not for free: among equals the quickest is the best.
        tie = 1e-9 * max(costs) / max(self._times)
        costs = [cost + tie * time for cost, time in zip(costs, self._times, strict=True)]
        for attempts in (self._by_order, self._by_chance, self._by_state):
            before = len(self.schemes)
            for makers in attempts(costs):
                key = frozenset(makers.values())
                if key not in self.schemes and self.search.cost(costs, makers) < limit:
                    self.schemes[key] = makers
                    self._program.add_column(1, self._load(makers))
            if len(self.schemes) > before:
                return True
        return False

    def _load(self, makers: Makers) -> dict[int, int]:
        busy: dict[int, int] = {}
        for task in makers.values():
            for row in self._rows[task]:
                busy[row] = busy.get(row, 0) + self._times[task]
        return busy

    def _by_order(self, costs: Sequence[float]) -> Iterator[Makers]:
        """The goals are bought in various orders."""
        goals = self.search.goals
        few = [cost if used else float("inf") for cost, used in zip(costs, self._used, strict=True)]
        orders = [goals, goals[::-1]]
        orders += [self._dice.sample(goals, len(goals)) for _ in range(ORDERS)]
        for order in orders:
            for allowed in (costs, few):
                yield from self._improved(costs, allowed, order)

    def _by_chance(self, costs: Sequence[float]) -> Iterator[Makers]:
        """The costs are disturbed."""
        for _ in range(CHANCES):
            noisy = [cost * self._dice.choice(_NOISE) for cost in costs]
            yield from self._improved(costs, noisy, ())

    def _by_state(self, costs: Sequence[float]) -> Iterator[Makers]:
        """Some state is bought first, although it is no goal."""
        states = self.search.makeable
        for state in self._dice.sample(states, min(len(states), STATES)):
            yield from self._improved(costs, costs, [state])

    def _improved(
        self, costs: Sequence[float], first: Sequence[float], order: Sequence[int]
    ) -> Iterator[Makers]:
        makers = self.search.scheme(first, order)
        if makers is not None:
            yield self.search.improved(costs, makers)
