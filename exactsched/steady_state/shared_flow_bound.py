"""The bound for reductions with several goals: flows of partial results that may share tasks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd, inf
from operator import sub

from exactsched.certificate.bounds import PotentialBound
from exactsched.exact.arguments import over_common_denominator
from exactsched.exact.rational import Rational
from exactsched.linear_programs.column_generation import Progress, quotient
from exactsched.linear_programs.master_program import Optimum, PackingProgram
from exactsched.model.problem import Reduction
from exactsched.model.resources import resources
from exactsched.model.tasks import State, Task
from exactsched.steady_state.cheapest_states import CheapestStates
from exactsched.steady_state.reduction_pricing import ReductionTrees
from exactsched.steady_state.reduction_program import state_bound
from exactsched.steady_state.shared_flow_prices import SharedFlowPrices
from exactsched.steady_state.state_graph import StateGraph
from exactsched.steady_state.task_packing import TaskPacking, pack_tasks

# Restricted programs in floats, and exact ones, until the best bound met so far is taken.
ROUNDS = 200
# Rows of all programs of the float rounds together, until the best prices met are rounded: a few
# rounds and some 15 s with 30 nodes, 120 arcs and 15 values; one round of 342 rows is all that the
# same takes with 20 nodes, 90 arcs and 10 values.
WORK = 60_000
# Goals times tasks, from which on no program is solved at all, but walked in: `_walk`.
LARGE = 200_000
# Goals times tasks times steps of a walk at most.  Prices are divided after the first leg, and
# whenever the steps have grown by that factor; the walk also ends where the bound is this close to
# the throughput known, or not this much better than the last one.
WALK = 12 * 10**8
FIRST_LEG, LEGS = 500, 1.4
WALKED, GAINED = 1.03, 0.995
# Steps between two questions whether to go on.
STRIDE = 10
# Units of prices that are rounded.
GRID = 2**40
# How often the goals divide the same prices anew.  An all-reduce on a random platform (10 nodes,
# 40 arcs, 6 values), 274 s when every program was exact and new, takes 10.5 s with 1, 4.6 s with
# 4, 5.2 s with 10.
DIVISIONS = 4
# Where the float rounds stop; the exact rounds that follow decide, whatever is left.
FLOAT_GAP = 2.0**-36

# What every goal pays for tasks, by task.
Shares = list[dict[int, float]]


@dataclass(frozen=True, slots=True)
class SharedFlowBound:
    """The bound with its value, and the tasks in use in the last of `rounds` programs."""

    value: Fraction
    bound: PotentialBound
    tasks: Collection[Task]
    rounds: int


def is_large(graph: StateGraph) -> bool:
    """Whether linear programs would take too long: what is found then need not be the optimum."""
    return _pairs(graph) > LARGE


def _pairs(graph: StateGraph) -> int:
    return len(graph.goals) * len(graph.tasks)


def shared_flow_bound(
    problem: Reduction,
    graph: StateGraph,
    flows: Sequence[Collection[int]],
    throughput: Fraction,
    progress: Progress | None = None,
) -> SharedFlowBound:
    """The largest throughput of flows that share tasks bounds all schedules; prices prove it.

    For every goal `flows` has tasks (indices of the graph) that make it, and `throughput` is
    reached with such tasks.  The program restricted to these divides the prices of tasks among the
    goals; every goal in turn takes what the others leave over, and tasks of its cheapest reduction
    trees join until the bound is the restricted optimum: then that is the optimum of all tasks,
    `reduction_program.optimal_rates`.  Floats find nearly all of the tasks, exact programs the
    rest.  Any division proves a bound, so the best one met is valid whenever this stops: where the
    float rounds are at the end of their `WORK`, the best float prices met are rounded and divided
    exactly, without an exact program.  So are those of a walk where the program is `LARGE`.

    `progress` is told of the restricted optimum and the bound, in floats.

    Reference: proofs/parallel-prefix.md.
    """
    program = _FlowProgram(graph)
    program.enter(flows)
    division = _Division(graph)
    rounds, ended = 0, None
    if is_large(graph):
        rounds, ended = _walk(graph, division, throughput, progress)
    if ended is None:
        rounds, ended = _float_rounds(program, division, progress)
    if ended is not None:
        prices, shares = _in_integers(graph, *ended)
        costs, far = graph.exact_costs(prices)
        divided = max(
            (division.ascend(costs, shares, far) for _ in range(DIVISIONS)), key=lambda d: d.cost
        )
        if divided.cost:
            value = Fraction(sum(prices) * graph.unit, int(divided.cost))
            bound = division.bound(problem, prices, divided.potentials)
            return SharedFlowBound(value, bound, program.tasks(), rounds)
    best: tuple[Fraction, list[int], list[list[float]]] | None = None
    extra = 0
    while True:
        extra += 1
        optimum = program.solve()
        prices, shares = program.exact_division(optimum)
        costs, far = graph.exact_costs(prices)
        joined = False
        for _ in range(DIVISIONS):
            divided = division.ascend(costs, shares, far)
            joined |= program.enter(divided.trees)
            if divided.cost:
                proved = Fraction(sum(prices) * graph.unit, int(divided.cost))
                if best is None or proved < best[0]:
                    best = proved, prices, divided.potentials
        if best is not None and (best[0] == optimum.value or extra >= ROUNDS):
            break
        if best is None and not joined:
            raise ArithmeticError("an optimum has prices under which trees cost something")
    bound = division.bound(problem, best[1], best[2])
    return SharedFlowBound(best[0], bound, program.tasks(optimum), rounds + extra)


def _float_rounds(
    program: _FlowProgram, division: _Division, progress: Progress | None
) -> tuple[int, tuple[list[float], Shares] | None]:
    """Let tasks join under float prices until the float bounds meet; returns the rounds made.

    Prices and shares are taken halfway between those of the program and the best ones met
    (Wentges 1997), and then where they are.  The best ones are returned as well where the rounds
    would take more than `WORK`: then nothing exact should be tried with the program.
    """
    center: tuple[list[float], Shares] | None = None
    ceiling = inf
    work = 0
    for rounds in range(1, ROUNDS + 1):
        work += program.rows
        if work > WORK and center is not None:
            return rounds - 1, center
        proposal = program.propose()
        if proposal is None:
            return rounds, None
        floor, prices, shares = proposal
        total = sum(prices)
        if not 0 < total < inf:
            return rounds, None
        latest = (
            [price / total for price in prices],
            [{task: share / total for task, share in row.items()} for row in shares],
        )
        new = False
        for prices, shares in [latest] if center is None else [_halfway(center, latest), latest]:
            costs = program.graph.costs(prices)
            for _ in range(DIVISIONS):
                divided = division.ascend(costs, shares, inf)
                new |= program.enter(divided.trees)
                bound = 1 / divided.cost if divided.cost > 0 else inf
                if bound < ceiling:
                    ceiling, center = bound, (prices, [dict(row) for row in shares])
        if progress is not None:
            between = program.graph.per_time_unit(floor, ceiling)
            if progress(rounds, *between) is True and center is not None:
                return rounds, center
        if ceiling - floor <= FLOAT_GAP * ceiling or not new:
            return rounds, None
    return ROUNDS, None


def _walk(
    graph: StateGraph, division: _Division, throughput: Fraction, progress: Progress | None
) -> tuple[int, tuple[list[float], Shares] | None]:
    """Prices and shares that nearly prove the optimum, without a program (`SharedFlowPrices`).

    Returns the number of divisions; no prices where the times are too far apart.
    """
    floor = throughput * Fraction(graph.measure, graph.unit)
    rate = quotient(floor.numerator, floor.denominator)
    walk = SharedFlowPrices(graph, rate)
    best: tuple[list[float], Shares] | None = None
    ceiling, legs, end = inf, 0, min(FIRST_LEG, max(1, WALK // _pairs(graph)))
    stopped = False
    while not stopped and (not legs or _pairs(graph) * end <= WALK):
        while not stopped and walk.steps < end:
            walk.walk(min(STRIDE, end - walk.steps))
            if progress is not None:
                between = graph.per_time_unit(rate, ceiling)
                stopped = progress(walk.steps, *between) is True
        legs, end = legs + 1, max(walk.steps + 1, int(LEGS * walk.steps))
        divided = walk.division()
        if divided is None:
            break
        prices, shares = divided
        cost = division.ascend(graph.costs(prices), shares, inf).cost
        last, bound = ceiling, 1 / cost if cost > 0 else inf
        if bound < ceiling or best is None:
            ceiling, best = bound, (prices, shares)
        if ceiling < WALKED * rate or GAINED * last < bound < inf:
            break
    return legs, best


def _halfway(
    one: tuple[list[float], Shares], other: tuple[list[float], Shares]
) -> tuple[list[float], Shares]:
    return (
        [(a + b) / 2 for a, b in zip(one[0], other[0], strict=True)],
        [
            {task: (a.get(task, 0.0) + b.get(task, 0.0)) / 2 for task in a | b}
            for a, b in zip(one[1], other[1], strict=True)
        ],
    )


def _in_integers(
    graph: StateGraph, prices: Sequence[float], shares: Shares
) -> tuple[list[int], Shares]:
    """In units of 1 / `GRID`, rounded down; the goals together pay no task more than it costs."""
    whole = [int(price * GRID) for price in prices]
    rest, _ = graph.exact_costs(whole)
    paid: Shares = []
    for row in shares:
        part: dict[int, float] = {}
        for task, share in row.items():
            part[task] = min(rest[task], int(Fraction(share) * GRID * graph.measure))
            rest[task] -= int(part[task])
        paid.append(part)
    return whole, paid


def tightest_goal(problem: Reduction) -> SharedFlowBound:
    """The least of the optima of all goals, each alone: none can be passed (`pack_tasks`).

    Often it is reached, and then it needs no flows that share tasks.  Every goal must have a
    reduction tree.
    """
    found: list[tuple[ReductionTrees, TaskPacking]] = []
    for goal in problem.goals:
        trees = ReductionTrees(replace(problem, goals=(goal,)))
        found.append((trees, pack_tasks(trees)))
    tightest = min(range(len(found)), key=lambda number: found[number][1].value)
    trees, packing = found[tightest]
    alone = trees.bound(packing.prices)
    nothing: tuple[tuple[Rational, ...], ...]
    nothing = tuple((0,) * len(row) for row in alone.potentials[0])
    potentials = [nothing] * len(problem.goals)
    potentials[tightest] = alone.potentials[0]
    bound = PotentialBound(alone.prices, tuple(potentials))
    rounds = sum(other.rounds for _, other in found)
    return SharedFlowBound(packing.value, bound, packing.rates.keys(), rounds)


def unreachable_goals(problem: Reduction, graph: StateGraph) -> PotentialBound:
    """The proof of throughput 0 where some goal cannot be made: potential 1 where nothing leads."""
    free, far = graph.exact_costs([0] * graph.rows)
    rows: list[dict[State, Rational]] = []
    for goal in graph.goals:
        labels = CheapestStates(graph, free, goal, far).labels()
        rows.append({named: 1 for state, named in graph.within(goal) if labels[state]})
    return state_bound(problem, {}, rows)


class _FlowProgram:
    """Maximize TP over flows x[goal, task] that may share tasks: u[task] >= x[goal, task].

    A flow uses no more of a state than it makes there; rows that say so, and entries of about the
    size of durations, so that the float solver sees numbers near 1, join with the tasks.
    """

    def __init__(self, graph: StateGraph) -> None:
        self.graph = graph
        self._program = PackingProgram([graph.unit] * graph.rows)
        self._entry = max(graph.times)
        self._states: list[dict[int, int]] = [{} for _ in graph.goals]
        arrivals = [self._row(number, goal) for number, goal in enumerate(graph.goals)]
        self._program.add_column(1, dict.fromkeys(arrivals, self._entry))
        self._usage: dict[int, int] = {}
        # Of every goal, by task, the row that keeps its rate below the usage.
        self._limits: list[dict[int, int]] = [{} for _ in graph.goals]

    @property
    def rows(self) -> int:
        """The size of the program."""
        return self.graph.rows + sum(map(len, self._states)) + sum(map(len, self._limits))

    def _row(self, number: int, state: int) -> int:
        rows = self._states[number]
        if state not in rows:
            rows[state] = self._program.add_row(0)
        return rows[state]

    def enter(self, flows: Iterable[Iterable[int]]) -> bool:
        """Let every goal use these tasks; false if they could use all of them before."""
        before = sum(map(len, self._limits))
        for number, tasks in enumerate(flows):
            for task in tasks:
                if task not in self._limits[number]:
                    self._enter(number, task)
        return sum(map(len, self._limits)) > before

    def _enter(self, number: int, task: int) -> None:
        entry = self._entry
        if task not in self._usage:
            self._usage[task] = self._program.add_column(0, self.graph.load([task]))
        limit = self._program.add_row(0, {self._usage[task]: -entry})
        column = {limit: entry, self._row(number, self.graph.makes[task]): -entry}
        for state in self.graph.needs[task]:
            if state not in self.graph.there:
                column[self._row(number, state)] = entry
        self._program.add_column(0, column)
        self._limits[number][task] = limit

    def propose(self) -> tuple[float, list[float], Shares] | None:
        """In floats the optimum, prices, and what every goal pays for its tasks."""
        proposal = self._program.propose()
        if proposal is None:
            return None
        duals = proposal.duals
        entry = quotient(self._entry, self.graph.measure)
        measure = quotient(self.graph.measure, self._program.scale)
        if max(entry, measure) == inf:
            return None
        return (
            proposal.value * measure,
            duals[: self.graph.rows],
            [{task: duals[row] * entry for task, row in rows.items()} for rows in self._limits],
        )

    def solve(self) -> Optimum:
        return self._program.solve()

    def exact_division(self, optimum: Optimum) -> tuple[list[int], Shares]:
        """The same prices and shares in integers, up to a common factor."""
        numbers, _ = over_common_denominator(list(optimum.dual.values()))
        dual = dict(zip(optimum.dual, numbers, strict=True))
        shares: Shares = [
            {task: dual[row] * self._entry for task, row in rows.items() if row in dual}
            for rows in self._limits
        ]
        return [dual.get(row, 0) for row in range(self.graph.rows)], shares

    def tasks(self, optimum: Optimum | None = None) -> set[Task]:
        """The tasks that are done in an optimum; else all that may be done."""
        return {
            self.graph.tasks[task]
            for task, column in self._usage.items()
            if optimum is None or column in optimum.primal
        }


@dataclass(frozen=True, slots=True)
class _Divided:
    """What the goals cost altogether, and for each the potentials and a cheapest tree."""

    cost: float
    potentials: list[list[float]]
    trees: list[Collection[int]]


class _Division:
    """The price of every task divided among the goals, each of which then prices its own trees."""

    def __init__(self, graph: StateGraph) -> None:
        self._graph = graph
        self._first = 0
        # For every goal the possible tasks inside, what they make, and their one or two needs.
        self._inside: list[tuple[list[int], list[int], list[int], list[int]]] = []
        nothing = len(graph.named)
        possible = [task for task, able in enumerate(graph.possible) if able]
        for goal in graph.goals:
            tasks = [task for task in possible if graph.inside(task, goal)]
            needs = [(*graph.needs[task], nothing) for task in tasks]
            self._inside.append(
                (
                    tasks,
                    [graph.makes[task] for task in tasks],
                    [states[0] for states in needs],
                    [states[1] for states in needs],
                )
            )

    def ascend(self, costs: Sequence[float], shares: Shares, far: float) -> _Divided:
        """Let every goal in turn take what is left over, and give back what gains it nothing.

        Changes `shares` in place.  Nothing gets cheaper by that, so the bound never gets worse
        under the same prices.  Costs and shares are integers, or floats with `far` infinite; each
        call begins with another goal.
        """
        graph = self._graph
        rest = list(costs)
        for row in shares:
            for task, share in row.items():
                rest[task] -= share
        rest = [max(0, left) for left in rest]
        count = len(graph.goals)
        potentials: list[list[float]] = [[]] * count
        trees: list[Collection[int]] = [()] * count
        total: float = 0
        self._first = (self._first + 1) % count
        for number in [*range(self._first, count), *range(self._first)]:
            goal = graph.goals[number]
            for task, share in shares[number].items():
                rest[task] += share
            states = CheapestStates(graph, rest, goal, far)
            tree = states.cheapest(goal)
            assert tree is not None  # a packing of schemes, which make it, comes before
            trees[number] = tree.values()
            labels = states.labels()
            cost = labels[goal]
            total += cost
            potentials[number] = [min(label, cost) for label in labels]
            at = [*potentials[number], 0].__getitem__
            tasks, made, first, second = self._inside[number]
            gains = map(sub, map(sub, map(at, made), map(at, first)), map(at, second))
            shares[number] = {
                task: gain for task, gain in zip(tasks, gains, strict=True) if gain > 0
            }
            for task, gain in shares[number].items():
                rest[task] = max(0, rest[task] - gain)
        return _Divided(total, potentials, trees)

    def bound(
        self, problem: Reduction, prices: Sequence[int], potentials: Sequence[Sequence[float]]
    ) -> PotentialBound:
        """The certificate of a division in integers, without common divisor."""
        graph = self._graph
        rows = [
            {named: int(known[state]) for state, named in graph.within(goal)}
            for known, goal in zip(potentials, graph.goals, strict=True)
        ]
        charged = [price * graph.unit for price in prices]
        common = gcd(*charged, *(value for row in rows for value in row.values()))
        names = resources(problem)
        return state_bound(
            problem,
            {n: price // common for n, price in zip(names, charged, strict=True) if price},
            [{state: value // common for state, value in row.items()} for row in rows],
        )
