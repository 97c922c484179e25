"""The bound for reductions with several goals: flows of partial results that may share tasks."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, gcd, lcm
from operator import mul

from exactsched.certificate.nouns import StateBound, Task, resources
from exactsched.inputs import over_common_denominator
from exactsched.problem import Reduction
from exactsched.rational import Rational
from exactsched.reduction_program import FlowOptimum, FlowProgram, state_bound
from exactsched.scheme_search import StateGraph
from exactsched.tasks import State

# Restricted programs until the best bound met so far is taken.
ROUNDS = 200
# Steps of the walk through prices before the first restricted program, and after each.  On a
# random platform (15 nodes, 60 arcs, 8 values, 12,811 variables in the whole program, which takes
# 5 s) there are 98 programs and 64 s without any walk, 6 programs and 4 s with these.
WALK = 100
BURST = 10
# How fast the price of a busy resource rises in a step.
HASTE = 0.1
# In a walk nothing is quite free: this much of the largest price, and of the price of a task.
LEAST_PRICE = 1e-6
LEAST_PART = 1e-3
# Prices are divided among up to that many goals without a remainder.
EXACT_PARTS = 12


@dataclass(frozen=True, slots=True)
class SharedFlowBound:
    """The bound with its value, and the rates of the last of `rounds` restricted programs."""

    value: Fraction
    bound: StateBound
    rates: dict[Task, Fraction]
    rounds: int


def shared_flow_bound(
    problem: Reduction, graph: StateGraph, flows: Sequence[Collection[int]]
) -> SharedFlowBound:
    """The largest throughput of flows that share tasks bounds all schedules; prices prove it.

    For every goal `flows` has tasks (indices of the graph) that make it; the program restricted to
    these is solved exactly, its prices are divided among the goals task by task, and tasks of
    cheaper reduction trees join until there are none: then the restricted optimum is that of all
    tasks, the value of `reduction_program.optimal_rates`.  Any division proves a bound, so the
    best one met is valid whenever this stops.

    Reference: proofs/parallel-prefix.md.
    """
    active = [set(tasks) for tasks in flows]
    division = _Division(problem, graph)
    division.walk([1.0] * graph.rows, division.equal(), WALK, active)
    best: tuple[Fraction, StateBound] | None = None
    rounds = 0
    while True:
        rounds += 1
        optimum = FlowProgram(
            problem, [[graph.tasks[task] for task in sorted(tasks)] for tasks in active]
        ).solve()
        prices, potentials = division.integers(optimum)
        shares = division.shares(prices, potentials, active)
        proved, trees = division.bound(prices, shares)
        if proved is not None and (best is None or proved[0] < best[0]):
            best = proved
        if best is not None and (best[0] == optimum.throughput or rounds >= ROUNDS):
            return SharedFlowBound(*best, optimum.rates, rounds)
        for tasks, tree in zip(active, trees, strict=True):
            tasks.update(tree)
        division.walk(*division.rounded(prices, shares), BURST, active)


def unreachable_goals(problem: Reduction, graph: StateGraph) -> StateBound:
    """The proof of throughput 0 where some goal cannot be made: potential 1 where nothing leads."""
    free, far = graph.exact_costs([0] * graph.rows)
    rows: list[dict[State, Rational]] = []
    for goal in graph.goals:
        labels, _ = graph.labels(free, goal, (), far)
        rows.append({named: 1 for state, named in graph.within(goal) if labels[state]})
    return state_bound(problem, {}, rows)


class _Division:
    """The price of every task divided among the goals, each of which then prices its own trees."""

    def __init__(self, problem: Reduction, graph: StateGraph) -> None:
        self._problem = problem
        self._graph = graph
        self._names = resources(problem)
        self._users = [
            [number for number, goal in enumerate(graph.goals) if graph.inside(task, goal)]
            for task in range(len(graph.tasks))
        ]
        # What is left over of a price is divided among that many without a remainder.
        self._parts = lcm(*range(1, min(len(graph.goals), EXACT_PARTS) + 1))

    def equal(self) -> list[list[float]]:
        """Every task is paid for in equal parts by the goals that might use it."""
        parts = [[0.0] * len(self._users) for _ in self._graph.goals]
        for task, users in enumerate(self._users):
            for number in users:
                parts[number][task] = 1 / len(users)
        return parts

    def walk(
        self,
        prices: list[float],
        parts: list[list[float]],
        steps: int,
        active: Sequence[set[int]],
    ) -> None:
        """Let the tasks of cheapest trees join, while what these trees use gets dearer.

        Multiplicative weights, as in `structure_packing`: the price of a resource rises with the
        load of all trees together, and who uses a task pays a larger part of it.  Changes
        `prices` and `parts` in place.
        """
        graph = self._graph
        for _ in range(steps):
            costs = graph.costs(prices)
            payers: dict[int, list[int]] = {}
            for number, goal in enumerate(graph.goals):
                paid = list(map(mul, costs, parts[number]))
                labels, via = graph.labels(paid, goal, ())
                tree = graph.way(paid, labels, via, goal, graph.there).values()
                active[number].update(tree)
                for task in tree:
                    payers.setdefault(task, []).append(number)
            load = graph.load(payers)
            peak = max(load.values())
            for row, busy in load.items():
                prices[row] *= exp(HASTE * (busy / peak))
            largest = max(prices)
            prices[:] = [price / largest for price in prices]
            for task, numbers in payers.items():
                for number in numbers:
                    parts[number][task] *= 2
                total = sum(parts[number][task] for number in self._users[task])
                for number in self._users[task]:
                    parts[number][task] /= total

    def rounded(
        self, prices: Sequence[int], shares: Sequence[Sequence[int]]
    ) -> tuple[list[float], list[list[float]]]:
        """A division in floats, where nothing is free any more."""
        largest = max(prices)
        parts = self.equal()
        costs, far = self._graph.exact_costs(prices)
        for task, cost in enumerate(costs):
            for number in self._users[task] if 0 < cost < far else ():
                parts[number][task] = max(LEAST_PART, shares[number][task] / cost)
        return [max(LEAST_PRICE, price / largest) for price in prices], parts

    def bound(
        self, prices: Sequence[int], shares: Sequence[Sequence[int]]
    ) -> tuple[tuple[Fraction, StateBound] | None, list[Collection[int]]]:
        """What a division proves, if anything, and for every goal a cheapest tree under it."""
        graph = self._graph
        potential_rows: list[dict[State, int]] = []
        trees: list[Collection[int]] = []
        gain = 0
        _, far = graph.exact_costs(prices)
        for costs, goal in zip(shares, graph.goals, strict=True):
            labels, via = graph.labels(costs, goal, (), far)
            most = labels[goal]
            trees.append(graph.way(costs, labels, via, goal, graph.there).values())
            gain += int(most)
            potential_rows.append(
                {named: int(min(labels[state], most)) for state, named in graph.within(goal)}
            )
        if not gain:
            return None, trees
        charged = [price * graph.unit for price in prices]
        common = gcd(*charged, *(value for row in potential_rows for value in row.values()))
        bound = state_bound(
            self._problem,
            {n: price // common for n, price in zip(self._names, charged, strict=True) if price},
            [{state: value // common for state, value in row.items()} for row in potential_rows],
        )
        return (Fraction(sum(charged), gain), bound), trees

    def shares(
        self,
        prices: Sequence[int],
        potentials: Sequence[Sequence[int]],
        active: Sequence[Collection[int]],
    ) -> list[list[int]]:
        """What every goal pays for every task; more than all outside the goal and where impossible.

        A goal pays what its potentials gain by a task of its own flow; what is left over is divided
        equally among the other goals that might use the task.
        """
        graph = self._graph
        prices_of_tasks, far = graph.exact_costs(prices)
        shares = [[far] * len(graph.tasks) for _ in active]
        for task, price in enumerate(prices_of_tasks):
            if not graph.possible[task]:
                continue
            rest, others = price, []
            for number in self._users[task]:
                if task in active[number]:
                    known = potentials[number]
                    gain = known[graph.makes[task]] - sum(known[s] for s in graph.needs[task])
                    shares[number][task] = max(0, gain)
                    rest -= max(0, gain)
                else:
                    others.append(number)
            for number in others:
                shares[number][task] = rest // len(others)
        return shares

    def integers(self, optimum: FlowOptimum) -> tuple[list[int], list[list[int]]]:
        """Prices by resource, and potentials by goal and state in 1 / `unit` of their measure."""
        graph = self._graph
        numbers, _ = over_common_denominator(
            [*optimum.prices.values(), *(v for row in optimum.potentials for v in row.values())]
        )
        scaled = iter(number * self._parts for number in numbers)
        prices = {name: next(scaled) for name in optimum.prices}
        rows = [{state: next(scaled) * graph.unit for state in row} for row in optimum.potentials]
        return (
            [prices.get(name, 0) for name in self._names],
            [[row.get(state, 0) for state in graph.named] for row in rows],
        )
