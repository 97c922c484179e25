"""The linear program of RR-4872 for reductions, corrected: rates of single tasks, no structures.

What is sent and computed per time unit is a *flow of partial results* for every goal.  With one
goal the program is SSR(G); with several the flows may share tasks, and its value is only a bound.
The program has about N^2 m + N^3 n variables for every goal, for N values on n nodes and m arcs:
it is the second route, for cross-checks; `reduction` never builds it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from exactsched.certificate.minmax import LinearOptimum
from exactsched.certificate.nouns import StateBound, Task, place_resources, resources
from exactsched.errors import InvalidInput
from exactsched.inputs import over_common_denominator
from exactsched.lp import linear_program, maximize
from exactsched.problem import Interval, Reduction
from exactsched.rational import Rational, exact
from exactsched.tasks import State, computes, duration, given, makes, needs, processor

_THROUGHPUT = 0  # the variable to maximize


@dataclass(frozen=True, slots=True)
class SteadyRates:
    """How often a steady state does each task per time unit, and a bound that shows it optimal.

    `rates` leaves out zeros.  With one goal they are feasible and `throughput` is reached; with
    several they are the maxima over the goals of the rates of their flows, and `throughput` is
    an upper bound.  `optimum` is the linear program with its two solutions.
    """

    problem: Reduction
    throughput: Fraction
    rates: dict[Task, Fraction]
    bound: StateBound
    optimum: LinearOptimum


def possible_tasks(problem: Reduction, within: Interval) -> Iterator[Task]:
    """All transfers of partial results inside the interval, and all merges that nodes can do.

    >>> from exactsched.platform import Platform
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

    >>> from exactsched.platform import Platform
    >>> pair = Platform("ab", [("a", "b", 1)])
    >>> asked = Reduction(pair, "ab", (((0, 1), "b"),), 1, (("b", 2),))
    >>> best = optimal_rates(asked)
    >>> best.throughput, best.rates
    (Fraction(1, 2), {(0, 0, 0): Fraction(1, 2), (2, 0, 0, 1): Fraction(1, 2)})
    """
    program = _Program(problem)
    return program.solution()


class _Program:
    """Maximize TP over flows x[goal, task], with u[task] >= x[goal, task] and loads of u."""

    def __init__(self, problem: Reduction) -> None:
        self.problem = problem
        self.flows: list[dict[Task, int]] = []  # of every goal: task -> variable
        self.usage: dict[Task, int] = {}
        self.states: list[dict[State, int]] = []  # of every goal: state -> row
        self.loads: dict[str, int] = {}
        self.rows: list[dict[int, Fraction | int]] = []
        self.equalities: list[int] = []
        self.width = 1
        for interval, node in problem.goals:
            self._add_flow(interval, (interval, node))
        self._share()
        self._add_loads()

    def _variable(self) -> int:
        self.width += 1
        return self.width - 1

    def _add_flow(self, within: Interval, goal: State) -> None:
        there = given(self.problem)
        flow: dict[Task, int] = {}
        balance: dict[State, dict[int, Fraction | int]] = {goal: {_THROUGHPUT: -1}}
        for task in possible_tasks(self.problem, within):
            flow[task] = self._variable()
            for state, sign in [(makes(self.problem, task), 1)] + [
                (state, -1) for state in needs(self.problem, task)
            ]:
                if state not in there:
                    balance.setdefault(state, {})[flow[task]] = sign
        self.flows.append(flow)
        self.states.append({})
        for state, row in balance.items():
            self.states[-1][state] = len(self.rows)
            self.equalities.append(len(self.rows))
            self.rows.append(row)

    def _share(self) -> None:
        users: dict[Task, list[int]] = {}
        for flow in self.flows:
            for task, variable in flow.items():
                users.setdefault(task, []).append(variable)
        for task, variables in users.items():
            if len(variables) == 1:
                self.usage[task] = variables[0]
                continue
            self.usage[task] = self._variable()
            self.rows.extend({variable: 1, self.usage[task]: -1} for variable in variables)

    def _add_loads(self) -> None:
        busy = place_resources(self.problem)
        self.first_load = len(self.rows)
        for name in resources(self.problem):
            self.loads[name] = len(self.rows)
            self.rows.append({})
        for task, variable in self.usage.items():
            time = duration(self.problem, task)
            for name in busy[task[0]]:
                self.rows[self.loads[name]][variable] = time

    def solution(self) -> SteadyRates:
        right_sides = [0] * self.first_load + [1] * len(self.loads)
        objective = [1] + [0] * (self.width - 1)
        outcome = maximize(
            linear_program(objective, self.rows, right_sides, self.equalities, range(self.width))
        )
        if not isinstance(outcome, LinearOptimum):
            raise ArithmeticError("rates are at most one over the shortest duration")
        primal = dict(outcome.primal)
        rates = {
            task: Fraction(primal[variable])
            for task, variable in self.usage.items()
            if variable in primal
        }
        bound = self._bound(dict(outcome.dual))
        return SteadyRates(self.problem, Fraction(outcome.value), rates, bound, outcome)

    def _bound(self, dual: Mapping[int, Rational]) -> StateBound:
        """The dual solution as prices and potentials, in integers.

        The potential of a state is minus the dual of its conservation.  It is cut off at 0, which
        breaks no inequality: inputs only gain.
        """
        nodes = self.problem.platform.nodes
        prices = {name: dual[row] for name, row in self.loads.items() if row in dual}
        potentials = [
            {state: -dual[row] for state, row in rows.items() if dual.get(row, 0) < 0}
            for rows in self.states
        ]
        numbers, _ = over_common_denominator(
            [*prices.values(), *(value for found in potentials for value in found.values())]
        )
        scaled = iter(numbers)
        prices = {name: next(scaled) for name in prices}
        potentials = [{state: next(scaled) for state in found} for found in potentials]
        return StateBound(
            prices,
            tuple(
                tuple(
                    tuple(found.get((interval, node), 0) for node in nodes)
                    for interval in self.problem.intervals
                )
                for found in potentials
            ),
        )


def refuse_unless_conserved(
    problem: Reduction, rates: Mapping[Task, Rational]
) -> dict[Task, Fraction]:
    """The positive rates, if they conserve every partial result; nothing is said of loads.

    What a state gains, made or received, equals what it loses, used or sent; exempt are v[i,i] at
    its owner and the goal where it is wanted.  Takes O(tasks).

    Raises `InvalidInput` for problems with several goals, tasks that do not exist or that no
    processor does, rates below 0 and the first state that is not conserved.
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
    exempt = given(problem) | set(problem.goals)
    for (item, node), excess in _balances(problem, positive).items():
        if excess and (item, node) not in exempt:
            place = f"v[{item[0]},{item[1]}] at {node}"
            raise InvalidInput(place, excess, "what is made and received is used and sent")
    return positive


def refuse_unless_feasible(problem: Reduction, rates: Mapping[Task, Rational]) -> Fraction:
    """The throughput of rates that are feasible in the corrected SSR(G), by its definition.

    It is what arrives where the goal is wanted, made or received, minus what leaves again.  Takes
    O(tasks).  Raises `InvalidInput` as `refuse_unless_conserved` does, and for the first resource
    that works more than full time.

    >>> from exactsched.platform import Platform
    >>> pair = Platform("ab", [("a", "b", 1)])
    >>> asked = Reduction(pair, "ab", (((0, 1), "b"),), 1, (("b", 2),))
    >>> refuse_unless_feasible(asked, {(0, 0, 0): Fraction(1, 3), (2, 0, 0, 1): Fraction(1, 3)})
    Fraction(1, 3)
    """
    positive = refuse_unless_conserved(problem, rates)
    names = place_resources(problem)
    busy: dict[str, Fraction] = {}
    for task, rate in positive.items():
        for name in names[task[0]]:
            busy[name] = busy.get(name, Fraction(0)) + rate * duration(problem, task)
    for name, load in busy.items():
        if load > 1:
            raise InvalidInput(name, load, "a resource works more than full time")
    return _balances(problem, positive).get(problem.goals[0], Fraction(0))


def described(problem: Reduction, task: Task) -> str:
    """A task in the words of the paper, for messages.

    >>> from exactsched.platform import Platform
    >>> pair = Platform("ab", [("a", "b", 1)])
    >>> asked = Reduction(pair, "ab", (((0, 1), "b"),), 1, (("b", 2),))
    >>> described(asked, (0, 0, 0)), described(asked, (2, 0, 0, 1))
    ('v[0,0] on a->b', 'T[0,0,1] at b')
    """
    if computes(problem, task):
        return f"T[{task[1]},{task[2]},{task[3]}] at {processor(problem, task)}"
    return f"v[{task[1]},{task[2]}] on {problem.platform.arcs[task[0]]}"


def _balances(problem: Reduction, rates: Mapping[Task, Fraction]) -> dict[State, Fraction]:
    """What every state gains minus what it loses."""
    balances: dict[State, Fraction] = {}
    for task, rate in rates.items():
        made = makes(problem, task)
        balances[made] = balances.get(made, Fraction(0)) + rate
        for state in needs(problem, task):
            balances[state] = balances.get(state, Fraction(0)) - rate
    return balances


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
