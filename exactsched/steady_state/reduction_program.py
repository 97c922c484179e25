"""The linear program of RR-4872 for reductions, corrected: rates of single tasks, no structures.

What is sent and computed per time unit is a *flow of partial results* for every goal.  With one
goal the program is SSR(G); with several the flows may share tasks, and its value is only a bound.
The program has about N^2 m + N^3 n variables for every goal, for N values on n nodes and m arcs:
it is the second route, for cross-checks; `reduction` never builds it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from exactsched.certificate.bounds import PotentialBound
from exactsched.certificate.linear_programs import LinearOptimum
from exactsched.exact.arguments import over_common_denominator
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import Rational, exact
from exactsched.linear_programs.linear_program import linear_program, maximize
from exactsched.model.problem import Interval, Reduction
from exactsched.model.resources import place_resources, resources
from exactsched.model.tasks import State, Task, computes, duration, given, makes, needs, processor

_THROUGHPUT = 0  # the variable to maximize


@dataclass(frozen=True, slots=True)
class SteadyRates:
    """How often a steady state does each task per time unit, and a proof that none is faster.

    `rates` leaves out zeros.  With one goal they are feasible and `throughput` is reached; with
    several they are the maxima over the goals of the rates of their flows, and `throughput` is
    an upper bound.  `proof` shows that no schedule passes `throughput`.  `optimum` is the linear
    program with its two solutions.
    """

    problem: Reduction
    throughput: Fraction
    rates: dict[Task, Fraction]
    proof: PotentialBound
    optimum: LinearOptimum


def possible_tasks(problem: Reduction, within: Interval) -> Iterator[Task]:
    """All transfers of partial results inside the interval, and all merges that nodes can do.

    >>> from exactsched.model.platform import Platform
    >>> pair = Platform("ab", [("a", "b", 1)])
    >>> asked = Reduction(pair, "ab", (((0, 1), "b"),), 1, (("b", 2),))
    >>> list(possible_tasks(asked, (0, 1)))
    [(0, 0, 0), (0, 0, 1), (0, 1, 1), (2, 0, 0, 1)]
    """
    first, last = within
    inside = [(k, m) for k, m in problem.intervals if first <= k and m <= last]
    platform = problem.platform
    for arc in range(len(platform.arcs)):
        yield from ((arc, k, m) for k, m in inside)
    for node in problem.processors:
        place = len(platform.arcs) + platform.position[node]
        for k, m in inside:
            for cut in range(k, m):
                if problem.time(node, (k, cut, m)) is not None:
                    yield place, k, cut, m


def optimal_rates(problem: Reduction) -> SteadyRates:
    """The corrected SSR(G): the largest throughput of a flow of partial results that fits.

    Conservation holds for every v[k,m] at every node but those of v[i,i] at its owner and of the
    goal where it is wanted; what arrives there, net, is the throughput.  The rates of a task are
    at most those of every goal that needs it, so with several goals the value is an upper bound
    for all schedules (proofs/parallel-prefix.md), and with one goal it is the optimum.

    One linear program; the work is that of `lp.maximize`.  Half-duplex counts the load of ports
    only, as everywhere.

    Reference: RR-4872, section 4.2, with its (11) corrected (proofs/tree-extraction.md).

    Raises no errors. Polynomial, by a linear program whose
    numbers of rows and columns grow like n^2 |V| and n^3 |V| + n^2 |E| for n values.

    >>> from exactsched.model.platform import Platform
    >>> pair = Platform("ab", [("a", "b", 1)])
    >>> asked = Reduction(pair, "ab", (((0, 1), "b"),), 1, (("b", 2),))
    >>> best = optimal_rates(asked)
    >>> best.throughput, best.rates
    (Fraction(1, 2), {(0, 0, 0): Fraction(1, 2), (2, 0, 0, 1): Fraction(1, 2)})
    """
    best = FlowProgram(
        problem, [possible_tasks(problem, interval) for interval, _ in problem.goals]
    ).solve()
    numbers, _ = over_common_denominator(
        [*best.prices.values(), *(value for found in best.potentials for value in found.values())]
    )
    scaled = iter(numbers)
    prices = {name: next(scaled) for name in best.prices}
    potentials = [{state: next(scaled) for state in found} for found in best.potentials]
    return SteadyRates(
        problem, best.throughput, best.rates, state_bound(problem, prices, potentials), best.optimum
    )


def state_bound(
    problem: Reduction,
    prices: Mapping[str, Rational],
    potentials: Sequence[Mapping[State, Rational]],
) -> PotentialBound:
    """Prices, and for every goal potentials by state, as the certificate lists them."""
    nodes = problem.platform.nodes
    rows = (
        tuple(
            tuple(found.get((interval, node), 0) for node in nodes)
            for interval in problem.intervals
        )
        for found in potentials
    )
    return PotentialBound(dict(prices), tuple(rows))


@dataclass(frozen=True, slots=True)
class FlowOptimum:
    """The optimum of a `FlowProgram`: rates by task, prices by resource, potentials by goal."""

    throughput: Fraction
    rates: dict[Task, Fraction]
    prices: dict[str, Rational]
    potentials: list[dict[State, Rational]]
    optimum: LinearOptimum


class FlowProgram:
    """Maximize TP over flows x[goal, task] that may share tasks: u[task] >= x[goal, task].

    `flows` has for every goal of the problem the tasks that its flow may use.  The resources have
    to do the tasks u.
    """

    def __init__(self, problem: Reduction, flows: Sequence[Iterable[Task]]) -> None:
        self._problem = problem
        self._rows: list[dict[int, Fraction | int]] = []
        self._width = 1
        self._states: list[dict[State, int]] = []  # of every goal: state -> its conservation
        users: dict[Task, list[int]] = {}
        for goal, tasks in zip(problem.goals, flows, strict=True):
            for task, variable in self._add_flow(goal, tasks).items():
                users.setdefault(task, []).append(variable)
        self._equalities = len(self._rows)
        # What one goal alone can use it uses alone.
        self._usage = {
            task: variables[0] if len(variables) == 1 else self._maximum(variables)
            for task, variables in users.items()
        }
        self._loads = self._add_loads()

    def _variable(self) -> int:
        self._width += 1
        return self._width - 1

    def _add_flow(self, goal: State, tasks: Iterable[Task]) -> dict[Task, int]:
        there = given(self._problem)
        flow: dict[Task, int] = {}
        balance: dict[State, dict[int, Fraction | int]] = {goal: {_THROUGHPUT: -1}}
        for task in tasks:
            flow[task] = self._variable()
            gained = [(makes(self._problem, task), 1)]
            for state, sign in gained + [(state, -1) for state in needs(self._problem, task)]:
                if state not in there:
                    balance.setdefault(state, {})[flow[task]] = sign
        self._states.append({state: len(self._rows) + at for at, state in enumerate(balance)})
        self._rows.extend(balance.values())
        return flow

    def _maximum(self, variables: Iterable[int]) -> int:
        usage = self._variable()
        self._rows.extend({variable: 1, usage: -1} for variable in variables)
        return usage

    def _add_loads(self) -> dict[str, int]:
        names = resources(self._problem)
        loads = {name: len(self._rows) + at for at, name in enumerate(names)}
        self._rows.extend({} for _ in names)
        busy = place_resources(self._problem)
        for task, variable in self._usage.items():
            time = duration(self._problem, task)
            for name in busy[task[0]]:
                self._rows[loads[name]][variable] = time
        return loads

    def solve(self) -> FlowOptimum:
        """The optimum; the potential of a state is minus the dual of its conservation."""
        limits = [0] * (len(self._rows) - len(self._loads)) + [1] * len(self._loads)
        outcome = maximize(
            linear_program(
                [1] + [0] * (self._width - 1),
                self._rows,
                limits,
                range(self._equalities),
                range(self._width),
            )
        )
        if not isinstance(outcome, LinearOptimum):
            raise ArithmeticError("rates are at most one over the shortest duration")
        primal, dual = dict(outcome.primal), dict(outcome.dual)
        return FlowOptimum(
            Fraction(outcome.value),
            {task: Fraction(primal[x]) for task, x in self._usage.items() if x in primal},
            {name: dual[row] for name, row in self._loads.items() if row in dual},
            [
                {state: -dual[row] for state, row in rows.items() if row in dual}
                for rows in self._states
            ],
            outcome,
        )


def refuse_unless_supplied(
    problem: Reduction, rates: Mapping[Task, Rational]
) -> dict[Task, Fraction]:
    """The positive rates, if they use and send nothing that is not there; loads do not matter.

    What a state loses, used or sent, is at most what it gains, made or received, except for v[i,i]
    at its owner.  Takes O(tasks).

    Raises `InvalidInput` for problems with several goals, tasks that do not exist or that no
    processor does, rates below 0 and the first state that loses too much.
    """
    if len(problem.goals) > 1:
        raise InvalidInput("goals", len(problem.goals), "a reduce has one goal")
    positive = {}
    for task, value in rates.items():
        _refuse_impossible(problem, task)
        rate = exact(value, f"rate of {described(problem, task)}")
        if rate < 0:
            raise InvalidInput(f"rate of {described(problem, task)}", value, "0 or more is needed")
        if rate:
            positive[task] = rate
    for state, excess in balances(problem, positive).items():
        if excess < 0:
            rule = "what is used and sent has been made or received"
            raise InvalidInput(_shown(state), excess, rule)
    return positive


def refuse_unless_feasible(problem: Reduction, rates: Mapping[Task, Rational]) -> Fraction:
    """The throughput of rates that are feasible in the corrected SSR(G), by its definition.

    What a state gains equals what it loses, except for v[i,i] at its owner, and for the goal where
    it is wanted: there the difference is the throughput.  Takes O(tasks).  Raises `InvalidInput`
    as `refuse_unless_supplied` does, for waste, and for the first resource that works more than
    full time.

    >>> from exactsched.model.platform import Platform
    >>> pair = Platform("ab", [("a", "b", 1)])
    >>> asked = Reduction(pair, "ab", (((0, 1), "b"),), 1, (("b", 2),))
    >>> refuse_unless_feasible(asked, {(0, 0, 0): Fraction(1, 3), (2, 0, 0, 1): Fraction(1, 3)})
    Fraction(1, 3)
    """
    positive = refuse_unless_supplied(problem, rates)
    excesses = balances(problem, positive)
    throughput = excesses.pop(problem.goals[0], Fraction(0))
    for state, excess in excesses.items():
        if excess:
            raise InvalidInput(_shown(state), excess, "what is made and received is used and sent")
    names = place_resources(problem)
    busy: dict[str, Fraction] = {}
    for task, rate in positive.items():
        for name in names[task[0]]:
            busy[name] = busy.get(name, Fraction(0)) + rate * duration(problem, task)
    for name, load in busy.items():
        if load > 1:
            raise InvalidInput(name, load, "a resource works more than full time")
    return throughput


def balances(problem: Reduction, rates: Mapping[Task, Fraction]) -> dict[State, Fraction]:
    """What every state gains minus what it loses, but for v[i,i] at its owner."""
    there = given(problem)
    found: dict[State, Fraction] = {}
    for task, rate in rates.items():
        made = makes(problem, task)
        found[made] = found.get(made, Fraction(0)) + rate
        for state in needs(problem, task):
            found[state] = found.get(state, Fraction(0)) - rate
    return {state: excess for state, excess in found.items() if state not in there}


def described(problem: Reduction, task: Task) -> str:
    """A task in the words of the paper, for messages.

    >>> from exactsched.model.platform import Platform
    >>> pair = Platform("ab", [("a", "b", 1)])
    >>> asked = Reduction(pair, "ab", (((0, 1), "b"),), 1, (("b", 2),))
    >>> described(asked, (0, 0, 0)), described(asked, (2, 0, 0, 1))
    ('v[0,0] on a->b', 'T[0,0,1] at b')
    """
    if computes(problem, task):
        return f"T[{task[1]},{task[2]},{task[3]}] at {processor(problem, task)}"
    return f"v[{task[1]},{task[2]}] on {problem.platform.arcs[task[0]]}"


def _shown(state: State) -> str:
    (k, m), node = state
    return f"v[{k},{m}] at {node}"


def _refuse_impossible(problem: Reduction, task: Task) -> None:
    arcs, nodes = len(problem.platform.arcs), len(problem.platform.nodes)
    last = len(problem.owners) - 1
    known = isinstance(task, tuple) and all(type(index) is int for index in task)
    if known and len(task) == 3 and 0 <= task[0] < arcs and 0 <= task[1] <= task[2] <= last:
        return
    if known and len(task) == 4 and arcs <= task[0] < arcs + nodes:
        _, k, cut, m = task
        if 0 <= k <= cut < m <= last:
            node = processor(problem, task)
            if problem.time(node, (k, cut, m)) is None:
                raise InvalidInput("rates", described(problem, task), "this node cannot do it")
            return
    rule = "a task is (arc, k, m), or (processor, k, l, m) with a place after the arcs"
    raise InvalidInput("rates", task, rule)
