"""Parallel prefix, all-reduce, any goals at once: a proved bound, the best schedule found.

Reference: RR-4872, section 6, where it is an open problem; proofs/parallel-prefix.md.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import count
from math import exp, inf

from exactsched.exact.errors import InvalidInput
from exactsched.exact.search_limits import until
from exactsched.linear_programs.column_generation import Progress, quotient
from exactsched.linear_programs.master_program import PackingProgram
from exactsched.model.platform import Node, Platform, refuse_no_platform
from exactsched.model.problem import Ports, Reduction
from exactsched.model.resources import resources
from exactsched.model.tasks import WeightedStructure
from exactsched.steady_state.cheapest_states import Makers
from exactsched.steady_state.reduce import Size, Time, reduction_problem, solve_reduction
from exactsched.steady_state.scheme_search import SchemeSearch, cost_of
from exactsched.steady_state.shared_flow_bound import (
    SharedFlowBound,
    is_large,
    shared_flow_bound,
    tightest_goal,
    unreachable_goals,
)
from exactsched.steady_state.slots import sides
from exactsched.steady_state.solution import Solution
from exactsched.steady_state.state_graph import StateGraph

# Rounds of linear programs at most, the first number while the bound is that of a single goal.
QUICK = 5
ROUNDS = 60
# Schemes at the start, which avoid each other's resources.  On large platforms as many again
# replace the quick rounds, until twice in a row they gain less than that: a prefix on 30 nodes with
# 120 arcs and 15 values gets to 98 % of the bound with 60 schemes; to 95 % with 220, if linear
# programs price all but the first 10.
FIRST = 10
GAINED = 1.005
# Schemes times tasks until no more rounds are begun: some 8 to 15 s, twice.
EFFORT = 5 * 10**6
# On large platforms in all: some 10 s.  Where schemes that avoid each other come this near to the
# bound, rounds follow as elsewhere, and often reach it.
LARGE_EFFORT = 18 * 10**5
NEAR = Fraction(98, 100)
# Attempts under each price vector, the next kind only where the last one found nothing: goals in
# random orders, disturbed costs, states that are bought first.  On random platforms with up to
# 5 nodes and 4 values orders alone missed the optimum (which an integer program for pricing
# finds) 17 times in 1,900, all together never in 2,500.
ORDERS = 8
CHANCES = 30
STATES = 200
_NOISE = (0.3, 0.6, 1.0, 2.0)
# A scheme enters if it is cheaper than this, where those of the program cost 1.
_PROFITABLE = 1 - 1e-9

# Under costs of the tasks: costs to buy with, and what to buy first.
Attempts = Callable[[list[float]], Iterator[tuple[list[float], Sequence[int]]]]


def prefix(
    platform: Platform,
    participants: Sequence[Node],
    *,
    size: Size = 1,
    compute: Mapping[Node, Time] | Time = None,
    ports: Ports = "one-port",
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Solution:
    """A series of parallel prefixes: every owner learns v[0] + ... + v[i], up to its own value.

    `participants[i]` has v[i] and wants v[0,i], for i >= 1; the other parameters are those of
    `reduce`.  The result has the best schedule found, and the bound of flows that share
    tasks (`shared_flow_bound`), which no schedule passes.  They are `optimal` where they agree,
    which is the rule; there are platforms where no schedule reaches the bound, and large ones where
    neither is sought to the end: the optimum is then between the two (proofs/parallel-prefix.md).

    Raises `InvalidInput` for what `Reduction` refuses, such as a single value, and for an odd cycle
    under half-duplex.

    Reference: the open problem of RR-4872, section 6.

    No polynomial bound is known; the search is limited, and beyond the limit the optimum is between
    the schedule and the bound.

    >>> from exactsched.model.platform import Platform
    >>> chain = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    >>> solution = prefix(chain, "abc", compute={"b": "1/2", "c": "1/2"})
    >>> solution.throughput, solution.bound
    (Fraction(1, 1), Fraction(1, 1))
    >>> solution.structures[0].tasks  # v[0,1] is used at b, and sent on
    ((0, 0, 0), (3, 0, 0, 1), (1, 0, 1), (4, 0, 1, 2))
    """
    progress = until(time_limit, progress)
    refuse_no_platform(platform)
    listed = tuple(participants)
    if len(listed) < 2:
        raise InvalidInput("participants", list(listed), "a prefix has at least two values")
    goals = [((0, index), owner) for index, owner in enumerate(listed) if index]
    problem = reduction_problem(platform, listed, goals, size, compute, ports)
    return solve_shared_reduction(problem, progress)


def allreduce(
    platform: Platform,
    participants: Sequence[Node],
    *,
    size: Size = 1,
    compute: Mapping[Node, Time] | Time = None,
    ports: Ports = "one-port",
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Solution:
    """A series of all-reduces: every owner learns v[0] + ... + v[N], the result of all values.

    The rest is as in `prefix`: the best schedule found, and a bound that no schedule passes, which
    is reached or not.

    Raises `InvalidInput` for fewer than two values, and as `prefix` does.

    Complexity and reference are those of `prefix`: no polynomial bound is known; proofs/parallel-
    prefix.md.

    >>> from exactsched.model.platform import Platform
    >>> pair = Platform("ab", [("a", "b", 1), ("b", "a", 1)], {"a": {"compute": "1/2"}})
    >>> solution = allreduce(pair, "ab")
    >>> solution.throughput, solution.optimal
    (Fraction(1, 1), True)
    >>> solution.structures[0].tasks  # v[1] comes to a, the result goes to b
    ((1, 1, 1), (2, 0, 0, 1), (0, 0, 1))
    """
    progress = until(time_limit, progress)
    refuse_no_platform(platform)
    listed = tuple(participants)
    if len(listed) < 2:
        raise InvalidInput("participants", list(listed), "an all-reduce has at least two values")
    goals = [((0, len(listed) - 1), owner) for owner in dict.fromkeys(listed)]
    problem = reduction_problem(platform, listed, goals, size, compute, ports)
    return solve_shared_reduction(problem, progress)


def solve_shared_reduction(problem: Reduction, progress: Progress | None = None) -> Solution:
    """The bound and the best schedule found for a reduction with any goals; see `prefix`.

    Where there is one goal this is `solve_reduction`, and the optimum.
    """
    if len(problem.goals) == 1:
        return solve_reduction(problem, progress)
    sides(problem)  # refuses an odd cycle
    packing = _SchemePacking(StateGraph(problem))
    if not packing.begin():
        bound = unreachable_goals(problem, packing.graph)
        return Solution(problem, (), bound, Fraction(0))
    known = tightest_goal(problem)
    rounds = known.rounds
    large = is_large(packing.graph)
    if large:
        packing.allow(LARGE_EFFORT)
        packing.spread(known, progress)
    else:
        packing.allow(EFFORT)
        rounds += packing.generate(known, packing.attempts[:1], QUICK, progress)
    structures = packing.structures()
    if _throughput(structures) < known.value:
        reached = _throughput(structures)
        shared = shared_flow_bound(problem, packing.graph, packing.flows(), reached, progress)
        # Flows that share tasks never bound less, but they may be given up before.
        known = min(shared, known, key=lambda bound: bound.value)
        if not large or reached >= NEAR * known.value:
            packing.allow(EFFORT)
        rounds += shared.rounds + packing.generate(known, packing.attempts, ROUNDS, progress)
        structures = packing.structures()
    return Solution(problem, structures, known.bound, known.value, rounds, packing.priced)


def _throughput(structures: Sequence[WeightedStructure]) -> Fraction:
    return sum((structure.weight for structure in structures), Fraction(0))


class _SchemePacking:
    """Schemes met so far in a linear program that packs them into the resources."""

    def __init__(self, graph: StateGraph) -> None:
        self.graph = graph
        self.priced = 0
        self._search = SchemeSearch(graph)
        self._schemes: list[Makers] = []
        self._known: set[frozenset[int]] = set()
        self._program = PackingProgram([graph.unit] * graph.rows)
        self._dice = random.Random(0)
        self._used: set[int] = set()
        self._spread_prices = [1.0] * graph.rows
        self._most_priced = 0
        self.attempts: list[Attempts] = [self._by_order, self._by_chance, self._by_state]

    def begin(self) -> bool:
        """Enter schemes that avoid each other's resources; false if there is no scheme at all."""
        return all(self._enter_another(self.graph.goals) for _ in range(FIRST))

    def allow(self, effort: int) -> None:
        """Let as many more schemes be priced as this effort pays for, and one at least."""
        self._most_priced = self.priced + max(1, effort // len(self.graph.tasks))

    def spread(self, relaxed: SharedFlowBound, progress: Progress | None) -> None:
        """Enter more schemes that avoid each other, as long as the packing grows by them."""
        upper = self._per_measure(relaxed.value)
        value = lower = before = 0.0
        for schemes in count(1):
            self._enter_another(self._dice.sample(self.graph.goals, len(self.graph.goals)))
            self.priced += 1
            if schemes % FIRST == 0:
                largest = max(self._spread_prices)
                self._spread_prices = [price / largest for price in self._spread_prices]
                proposal = self._program.propose()
                if proposal is None:
                    return
                value = proposal.value * quotient(self.graph.measure, self._program.scale)
                if value >= upper * _PROFITABLE or value < before * GAINED:
                    return
                before, lower = lower, value
            if progress is not None:
                between = self.graph.per_time_unit(value, upper)
                if progress(schemes, *between) is True:
                    return
            if self.priced >= self._most_priced:
                return

    def _enter_another(self, order: Sequence[int]) -> bool:
        """A scheme that is cheap where schemes kept resources less busy; false if there is none.

        Prices grow exponentially with the time, of which the busiest resource of a scheme has 1.
        """
        costs = self.graph.costs(self._spread_prices)
        makers = self._search.scheme(costs, order)
        if makers is None:
            return False
        makers = self._search.improved(costs, makers)
        self._enter(makers)
        load = self.graph.load(makers.values())
        peak = max(load.values())
        for row, busy in load.items():
            self._spread_prices[row] *= exp(busy / peak)
        return True

    def _per_measure(self, rate: Fraction) -> float:
        per_measure = rate * Fraction(self.graph.measure, self.graph.unit)
        return quotient(per_measure.numerator, per_measure.denominator)

    def flows(self) -> list[set[int]]:
        """For every goal the tasks that make it in some scheme of the best packing."""
        used = [self._schemes[column] for column in self._program.solve().primal]
        return [
            {task for makers in used for task in self._search.needed(makers, [goal]).values()}
            for goal in self.graph.goals
        ]

    def generate(
        self,
        relaxed: SharedFlowBound,
        attempts: Sequence[Attempts],
        most: int,
        progress: Progress | None,
    ) -> int:
        """Column generation with heuristic pricing; returns the number of rounds, at most `most`.

        Each kind of attempts is made where those before found nothing.
        """
        if self.priced >= self._most_priced:
            return 0
        upper = self._per_measure(relaxed.value)
        self._used = {task for task, named in enumerate(self.graph.tasks) if named in relaxed.tasks}
        known = relaxed.bound.prices
        largest = max(known.values())
        prices = [
            float(Fraction(known.get(name, 0)) / largest) for name in resources(self.graph.problem)
        ]
        self._enter_cheap(prices, inf, attempts)
        for rounds in range(1, most + 1):
            proposal = self._program.propose()
            if proposal is None:
                return rounds
            # The program counts in other units, and integers may be too long for floats.
            measure = quotient(self.graph.measure, self._program.scale)
            lower = proposal.value * measure
            if progress is not None:
                between = self.graph.per_time_unit(lower, upper)
                if progress(rounds, *between) is True:
                    return rounds
            prices = [dual * measure for dual in proposal.duals]
            if lower >= upper * _PROFITABLE or self.priced >= self._most_priced:
                return rounds
            if not self._enter_cheap(prices, _PROFITABLE, attempts):
                return rounds
        return most

    def structures(self) -> tuple[WeightedStructure, ...]:
        """The exact optimum of the packing of all schemes met."""
        return tuple(
            WeightedStructure(0, self._search.ordered(self._schemes[column]), weight)
            for column, weight in self._program.solve().primal.items()
        )

    def _enter(self, makers: Makers) -> None:
        key = frozenset(makers.values())
        if key not in self._known:
            self._known.add(key)
            self._schemes.append(makers)
            self._program.add_column(1, self.graph.load(makers.values()))

    def _enter_cheap(
        self, prices: Sequence[float], limit: float, kinds: Sequence[Attempts]
    ) -> bool:
        """Append schemes that cost less than `limit`; false if none are found."""
        costs = self.graph.costs(prices)
        # What costs nothing is not for free: among equals the quickest is the best.
        tie = 1e-9 * max(prices)
        costs = [cost + tie * time for cost, time in zip(costs, self.graph.durations, strict=True)]
        for attempts in kinds:
            before = len(self._schemes)
            for first, order in attempts(costs):
                makers = self._search.scheme(first, order)
                if makers is not None:
                    self.priced += 1
                    makers = self._search.improved(costs, makers)
                    if cost_of(costs, makers) < limit:
                        self._enter(makers)
            if len(self._schemes) > before:
                return True
        return False

    def _by_order(self, costs: list[float]) -> Iterator[tuple[list[float], Sequence[int]]]:
        """The goals are bought in various orders, also among the tasks of the relaxation only."""
        goals = self.graph.goals
        few = [cost if task in self._used else inf for task, cost in enumerate(costs)]
        orders = [goals, goals[::-1]]
        orders += [self._dice.sample(goals, len(goals)) for _ in range(ORDERS)]
        for order in orders:
            yield costs, order
            yield few, order

    def _by_chance(self, costs: list[float]) -> Iterator[tuple[list[float], Sequence[int]]]:
        """The costs are disturbed while the scheme is bought."""
        for _ in range(CHANCES):
            yield [cost * self._dice.choice(_NOISE) for cost in costs], ()

    def _by_state(self, costs: list[float]) -> Iterator[tuple[list[float], Sequence[int]]]:
        """Some state is bought first although it is no goal."""
        states = self._search.makeable
        for state in self._dice.sample(states, min(len(states), STATES)):
            yield costs, [state]
