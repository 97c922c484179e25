"""What the claims on series of all-to-alls and of reductions share: programs, any schedule, motion.

Nothing here is taken from the solvers: programs are stated row by row and their optima checked,
potentials are worked out by definition, and time passes task by task.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from math import gcd
from typing import TypeVar

from exactsched.certificate.minmax import LinearOptimum
from exactsched.check import ProvedRun, ProvedSeries, check
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import to_json
from exactsched.instances.choices import Choices
from exactsched.linear_programs.linear_program import linear_program, maximize
from exactsched.model.platform import Node
from exactsched.model.problem import Alltoall, Broadcast, Reduction
from exactsched.model.resources import place_resources
from exactsched.model.tasks import State, Task, duration, given, makes, needs, wanted
from exactsched.runs.finite_run import makespan_guarantee, run_operations
from exactsched.simulation import simulate
from exactsched.steady_state.solution import Solution
from exactsched.theorems.claim import Verdict, held, refuted

Series = Alltoall | Reduction
_Series = TypeVar("_Series", Alltoall, Reduction)
# (operation, place, item ...): a task that is done for one of the operations.
Order = tuple[tuple[int, ...], ...]
Row = Mapping[int, Fraction | int]

# Operations that are played event by event, and pieces of work in all.
_PLAYED = 12
_PIECES = 400


class ThroughputProgram:
    """Maximize TP, variable 0; the others are rates that keep resources busy, all at least 0.

    >>> from exactsched.model.platform import Platform
    >>> program = ThroughputProgram(Alltoall(Platform("ab", [("a", "b", 2)]), (("a", "b"),)))
    >>> program.equation({0: -1} | program.entering(program.flow(3), "b"))
    >>> program.value()
    Fraction(1, 6)
    """

    def __init__(self, problem: Series) -> None:
        self._problem = problem
        self._used = place_resources(problem)
        self._width = 1
        self._rows: list[Row] = []
        self._limits: list[int] = []
        self._equations: list[int] = []
        self._busy: dict[str, dict[int, Fraction]] = {}

    def rate(self, place: int | None = None, time: Fraction | int = 0) -> int:
        """A new variable: how often something is done that keeps the place busy for that time."""
        self._width += 1
        if place is not None:
            self.keeps_busy(self._width - 1, place, time)
        return self._width - 1

    def keeps_busy(self, rate: int, place: int, time: Fraction | int) -> None:
        """The same variable takes time at this place as well."""
        for name in self._used[place]:
            row = self._busy.setdefault(name, {})
            row[rate] = row.get(rate, Fraction(0)) + time

    def flow(self, size: Fraction | int) -> list[int]:
        """A variable for each arc: messages of this size on it."""
        arcs = self._problem.platform.arcs
        return [self.rate(place, arc.cost * size) for place, arc in enumerate(arcs)]

    def entering(self, flow: Sequence[int], node: Node) -> dict[int, int]:
        """The row of all that enters a node."""
        arcs = self._problem.platform.arcs
        return {x: 1 for x, arc in zip(flow, arcs, strict=True) if arc.head == node}

    def net(self, flow: Sequence[int], node: Node) -> dict[int, int]:
        """The row of what enters a node minus what leaves it."""
        arcs = self._problem.platform.arcs
        leaving = {x: -1 for x, arc in zip(flow, arcs, strict=True) if arc.tail == node}
        return self.entering(flow, node) | leaving

    def equation(self, row: Row) -> None:
        """The row is 0."""
        self._equations.append(len(self._rows))
        self.at_most(row, 0)

    def at_most(self, row: Row, limit: int) -> None:
        """The row is no more than the limit."""
        self._rows.append(row)
        self._limits.append(limit)

    def value(self) -> Fraction:
        """The maximum where no resource works more than full time, as the checker proves it."""
        rows = [*self._rows, *self._busy.values()]
        limits = self._limits + [1] * len(self._busy)
        gains = [1] + [0] * (self._width - 1)
        outcome = maximize(linear_program(gains, rows, limits, self._equations, range(self._width)))
        if not isinstance(outcome, LinearOptimum):
            raise ArithmeticError("rates are bounded by the ports, and 0 is feasible")
        value = check(outcome).value
        assert value is not None
        return Fraction(value)


def best_mixture(problem: Series, parts: Sequence[Iterable[frozenset[Task]]]) -> Fraction:
    """The most operations per time unit if each takes one of the listed ways for every part.

    >>> from exactsched.model.platform import Platform
    >>> line = Alltoall(Platform("abc", [("a", "b", 1), ("b", "c", 2)]), (("a", "c"),))
    >>> best_mixture(line, [[frozenset({(0, 0), (1, 0)})]])
    Fraction(1, 2)
    """
    program = ThroughputProgram(problem)
    for ways in parts:
        rates = []
        for tasks in ways:
            rates.append(program.rate())
            for task in tasks:
                program.keeps_busy(rates[-1], task[0], duration(problem, task))
        program.equation({0: -1} | dict.fromkeys(rates, 1))
    return program.value()


def paths(problem: Series, start: Node, end: Node, seen: frozenset[Node]) -> Iterator[list[int]]:
    """The arcs of all paths that come to no node twice, nor to one that is seen.

    >>> from exactsched.model.platform import Platform
    >>> line = Alltoall(Platform("abc", [("a", "b", 1), ("b", "c", 2)]), (("a", "c"),))
    >>> list(paths(line, "a", "c", frozenset({"a"})))
    [[0, 1]]
    """
    if start == end:
        yield []
        return
    for place, arc in enumerate(problem.platform.arcs):
        if arc.tail == start and arc.head not in seen:
            for rest in paths(problem, arc.head, end, seen | {arc.head}):
                yield [place, *rest]


# Certificates ------------------------------------------------------------------------------------


def proved(solution: Solution) -> ProvedSeries:
    """What the checker proves of a solution; raises `Rejected` for one that is not valid."""
    claim = check(solution.certificate())
    assert isinstance(claim, ProvedSeries)
    return claim


def shortcoming(solution: Solution) -> str:
    """What the checker does not accept in a solution; empty if it proves an optimum.

    >>> from dataclasses import replace
    >>> from exactsched.steady_state.alltoall import scatter
    >>> from exactsched.model.platform import Platform
    >>> best = scatter(Platform("ab", [("a", "b", 1)]), "a", ["b"])
    >>> shortcoming(best), shortcoming(replace(best, upper=Fraction(2)))
    ('', "the certificate is refused: claim.bound: '2': the bound proves 1")
    """
    try:
        claim = proved(solution)
    except Rejected as error:
        return f"the certificate is refused: {error}"
    if not claim.optimal or claim.bound != solution.throughput:
        return "schedule and bound do not agree"
    return ""


def overload(solution: Solution) -> str:
    """Which resource the structures keep busy for more than all the time; empty if none."""
    used = place_resources(solution.problem)
    busy: dict[str, Fraction] = {}
    for structure in solution.structures:
        for task in structure.tasks:
            time = structure.weight * duration(solution.problem, task)
            for name in used[task[0]]:
                busy[name] = busy.get(name, Fraction(0)) + time
    return next((name for name, time in busy.items() if time > 1), "")


# Any schedule ------------------------------------------------------------------------------------


def possible_tasks(problem: Series) -> list[Task]:
    """All that can be done in an operation, useful or not.

    >>> from exactsched.model.platform import Platform
    >>> line = Alltoall(Platform("abc", [("a", "b", 1), ("b", "c", 2)]), (("a", "c"),))
    >>> possible_tasks(line)
    [(0, 0), (1, 0)]
    """
    arcs, nodes = problem.platform.arcs, problem.platform.nodes
    if isinstance(problem, Alltoall):
        demands = range(len(problem.demands))
        return [(place, demand) for place in range(len(arcs)) for demand in demands]
    sent = [(place, k, m) for place in range(len(arcs)) for k, m in problem.intervals]
    merges = [(k, cut, m) for k, m in problem.intervals for cut in range(k, m)]
    made = [
        (len(arcs) + place, *merge)
        for place, node in enumerate(nodes)
        for merge in merges
        if problem.time(node, merge) is not None
    ]
    return [*sent, *made]


def any_scheme(
    problem: Series, goals: Sequence[State], choices: Choices, tasks: Sequence[Task], waste: int = 0
) -> list[Task] | None:
    """Random tasks after each other that make the goals, `waste` of them for nothing, or none.

    >>> from exactsched.instances.choices import Replayed
    >>> from exactsched.model.platform import Platform
    >>> line = Alltoall(Platform("abc", [("a", "b", 1), ("b", "c", 1)]), (("a", "c"),))
    >>> any_scheme(line, wanted(line), Replayed([]), possible_tasks(line))
    [(0, 0), (1, 0)]
    """
    made_of = {task: (needs(problem, task), makes(problem, task)) for task in tasks}
    known = set(given(problem))
    maker: dict[State, Task] = {}
    while not known.issuperset(goals):
        ready = [
            task
            for task, (inputs, made) in made_of.items()
            if made not in known and known.issuperset(inputs)
        ]
        if not ready:
            return None
        chosen = choices.one_of(ready)
        maker[made_of[chosen][1]] = chosen
        known.add(made_of[chosen][1])
    missing = [state for state in goals if state in maker]
    kept: set[Task] = set()
    for state in missing:  # grows while it is read
        if state in maker and maker[state] not in kept:
            kept.add(maker[state])
            missing += made_of[maker[state]][0]
    spare = [task for task in maker.values() if task not in kept]
    kept.update(choices.several_of(spare, min(waste, len(spare))))
    # What is done for nothing may lack its inputs then: a schedule leaves such tasks out.
    there = set(given(problem))
    listed = []
    for task in maker.values():
        if task in kept and there.issuperset(made_of[task][0]):
            listed.append(task)
            there.add(made_of[task][1])
    return listed


def any_order(problem: Series, choices: Choices, operations: int) -> Order:
    """Random schemes of so many operations, mixed at random; empty if there is no scheme."""
    tasks, goals = possible_tasks(problem), wanted(problem)
    listed = []
    for operation in range(operations):
        scheme = any_scheme(problem, goals, choices, tasks, choices.below(3))
        if scheme is None:
            return ()
        listed.append([(operation, *task) for task in scheme])
    order = []
    while listed:
        one = choices.one_of(listed)
        order.append(one.pop(0))
        if not one:
            listed.remove(one)
    return tuple(order)


def completions(problem: Series, order: Order) -> list[Fraction]:
    """When operations are complete, in order, if each task starts as early as it can.

    A task waits for its inputs, and for the tasks before it in the order that use a resource of
    its own.  Raises `KeyError` for a task without its inputs.

    >>> from exactsched.model.platform import Platform
    >>> line = Alltoall(Platform("abc", [("a", "b", 1), ("b", "c", 2)]), (("a", "c"),))
    >>> [int(end) for end in completions(line, ((0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)))]
    [3, 5]
    """
    used = place_resources(problem)
    free: dict[str, Fraction] = {}
    known: dict[tuple[int, State], Fraction] = {}
    for operation in {row[0] for row in order}:
        known.update({(operation, state): Fraction(0) for state in given(problem)})
    for operation, *task in order:
        done = tuple(task)
        start = max(
            *(known[operation, state] for state in needs(problem, done)),
            *(free.get(name, Fraction(0)) for name in used[done[0]]),
        )
        end = start + duration(problem, done)
        free.update(dict.fromkeys(used[done[0]], end))
        known.setdefault((operation, makes(problem, done)), end)
    return _complete(problem, known, {row[0] for row in order})


def _complete(
    problem: Series, known: Mapping[tuple[int, State], Fraction], operations: Iterable[int]
) -> list[Fraction]:
    goals = wanted(problem)
    return sorted(
        max(known[operation, state] for state in goals)
        for operation in operations
        if all((operation, state) in known for state in goals)
    )


def least_costs(problem: Series, prices: Mapping[str, Fraction | int]) -> dict[State, Fraction]:
    """What each state that can be made costs at least, by definition: until nothing is cheaper.

    >>> from exactsched.model.platform import Platform
    >>> line = Alltoall(Platform("abc", [("a", "b", 1), ("b", "c", 2)]), (("a", "c"),))
    >>> [int(cost) for cost in least_costs(line, {"send:a": 1, "recv:c": 3}).values()]
    [0, 1, 7]
    """
    used = place_resources(problem)
    steps = [
        (needs(problem, task), makes(problem, task), cost)
        for task in possible_tasks(problem)
        for cost in [sum(prices.get(n, 0) for n in used[task[0]]) * duration(problem, task)]
    ]
    least = dict.fromkeys(given(problem), Fraction(0))
    cheaper = True
    while cheaper:
        cheaper = False
        for inputs, made, cost in steps:
            if all(state in least for state in inputs):
                total = sum((least[state] for state in inputs), start=cost)
                if made not in least or total < least[made]:
                    least[made] = total
                    cheaper = True
    return least


def no_schedule_is_faster(
    problem: Series,
    order: Order,
    prices: Sequence[int],
    operations: int,
    solution: Solution,
) -> Verdict:
    """Lemma 1 for the schedule of the order and for the best run of so many operations.

    M operations within K: M P <= K Y for the prices of the resources, in the order of their names,
    P the potential of what is wanted by definition; and M <= K TP for what is proved.  With several
    goals each pays an equal part of every price.
    """
    names = sorted({name for used in place_resources(problem) for name in used})
    priced = {name: prices[at % len(prices)] for at, name in enumerate(names)}
    least = least_costs(problem, priced)
    facts = {"throughput": to_json(solution.throughput), "bound": to_json(solution.bound)}
    reachable = all(state in least for state in wanted(problem))
    if reachable != (solution.throughput > 0):
        return refuted("the throughput is 0 where, and only where, nothing can be done", **facts)
    try:
        claim = proved(solution)
    except Rejected as error:
        return refuted(f"the certificate is refused: {error}", **facts)
    if claim.bound != solution.bound:
        return refuted("the proved bound is not the stated one", **facts)
    if not reachable:
        return held(**facts, operations=0)
    shares = len(problem.goals) if isinstance(problem, Reduction) else 1
    potential = sum((least[state] for state in wanted(problem)), start=Fraction(0)) / shares
    total = sum(priced.values())
    ends = completions(problem, order)
    ran, failure = _run_ends(solution, operations)
    if failure:
        return refuted(failure, **facts)
    for end, done in chain(_counted(ends), _counted(ran)):
        if done > end * solution.bound:
            return refuted(f"{done} operations by {end}", **facts)
        if done * potential > end * total:
            return refuted(f"{done} operations cost more than {end} pays for", **facts)
    return held(
        **facts,
        operations=len(ends),
        within=to_json(ends[-1] if ends else 0),
        run=to_json(ran[-1]),
    )


def _counted(ends: Sequence[Fraction]) -> Iterator[tuple[Fraction, int]]:
    return ((end, index) for index, end in enumerate(ends, start=1))


def _run_ends(solution: Solution, operations: int) -> tuple[list[Fraction], str]:
    """When the operations of the package's own run are complete, and what is wrong with it."""
    problem = solution.problem
    run = run_operations(solution, operations)
    try:
        claim = check(run.certificate())
        assert isinstance(claim, ProvedRun)
    except Rejected as error:
        return [], f"the run is refused: {error}"
    last: dict[tuple[int, int], Fraction] = {}
    for task, operation, _, stop in run.rows:
        last[operation, task] = max(stop * run.tick, last.get((operation, task), Fraction(0)))
    known: dict[tuple[int, State], Fraction] = {}
    for (operation, task), end in last.items():
        key = operation, makes(problem, run.tasks[task])
        known[key] = min(end, known.get(key, end))
    assert not isinstance(problem, Broadcast)
    ends = _complete(problem, known, range(operations))
    guarantee = makespan_guarantee(solution, operations)
    if len(ends) != operations or ends[-1] > run.makespan or claim.makespan != run.makespan:
        return [], "the run is not complete when it says so"
    if (
        not run.makespan
        <= guarantee
        <= operations / solution.throughput + (solution.makespan_constant)
    ):
        return [], "the run takes longer than is guaranteed"
    return ends, ""


# Propositions 1 to 3 -----------------------------------------------------------------------------


def asymptotically_optimal(solution: Solution) -> Verdict:
    """Propositions 1 to 3, for TP > 0: M operations within M / TP + H T, never above TP K by K."""
    problem, throughput, schedule = solution.problem, solution.throughput, solution.schedule
    assert not isinstance(problem, Broadcast)
    reason = shortcoming(solution)
    if reason or schedule is None:
        return refuted(reason or "there is no schedule")
    period, longest = schedule.period, _longest_row(problem, solution)
    facts = {
        "throughput": to_json(throughput),
        "period": to_json(period),
        "longest": longest,
    }
    counts = [one.weight * period for one in solution.structures]
    if any(count.denominator > 1 for count in counts) or gcd(*map(int, counts)) > 1:
        return refuted("it is not the shortest period in which weights are whole", **facts)
    batch = int(throughput * period)
    waste = longest * period
    if solution.depth != longest or solution.makespan_constant != waste:
        return refuted("the constant is not that of the longest row of tasks", **facts)
    played = {1, min(batch + 1, _PLAYED), min(2 * batch, _PLAYED)}
    document = solution.certificate()
    small = len(schedule.slots) * max(played) <= _PIECES
    for operations in sorted(played) if small else (1,):
        if simulate(document, operations).makespan > operations / throughput + waste:
            return refuted(f"{operations} operations take more than M / TP + H T", **facts)
    for horizon in _horizons(period, longest):
        done = solution.operations_within(horizon)
        if done < 0 or not throughput * (horizon - waste) <= done <= throughput * horizon:
            return refuted(f"{done} operations by {horizon}", **facts)
        if 0 < done <= _PLAYED and small and simulate(document, done).makespan > horizon:
            return refuted(f"{done} operations are not complete by {horizon}", **facts)
    for power in (2, 6):
        horizon = 10**power * waste
        quotient = solution.operations_within(horizon) / (throughput * horizon)
        if not 1 - Fraction(1, 10**power) <= quotient <= 1:
            return refuted("the quotient does not tend to 1", **facts)
    return held(**facts, operations=to_json(batch))


def _longest_row(problem: Series, solution: Solution) -> int:
    """The largest number of tasks in a row in a structure, each needing the one before it."""
    longest = 0
    for structure in solution.structures:
        row: dict[State, int] = dict.fromkeys(given(problem), 0)
        for task in structure.tasks:
            row[makes(problem, task)] = 1 + max(row[state] for state in needs(problem, task))
        longest = max(longest, *row.values())
    return longest


def _horizons(period: Fraction, longest: int) -> list[Fraction]:
    """Before, at and after the end of each of the first periods, and much later."""
    ends = [period * count for count in range(1, longest + 3)]
    return [end * part for end in ends for part in (Fraction(9, 10), 1)] + [1000 * ends[-1]]


def first_possible(made: Iterable[_Series]) -> _Series:
    """The first instance in which all that is wanted can be had, else the last one."""
    for instance in made:
        if set(wanted(instance)) <= set(least_costs(instance, {})):
            break
    return instance
