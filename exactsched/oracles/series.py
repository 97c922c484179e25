"""Series of alltoalls and of reductions by definition: programs, loads, any schedule, optima."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from exactsched.exact.rational import Rational
from exactsched.model.platform import Node, Platform
from exactsched.model.problem import Alltoall, Collective, Reduction
from exactsched.model.resources import place_resources
from exactsched.model.tasks import State, Task, duration, given, makes, needs, wanted
from exactsched.oracles.linear_programs import THROUGHPUT, ThroughputProgram
from exactsched.oracles.transfers import compatible_sets

Series = Alltoall | Reduction
# (operation, place, item ...): a task that is done for one of the operations.
Order = tuple[tuple[int, ...], ...]


# Programs ----------------------------------------------------------------------------------------


class SeriesProgram(ThroughputProgram):
    """Maximize TP over rates that keep no resource busy for more than full time.

    >>> program = SeriesProgram(Alltoall(Platform("ab", [("a", "b", 2)]), (("a", "b"),)))
    >>> program.equation({THROUGHPUT: -1} | program.entering(program.flow(3), "b"))
    >>> program.value()
    Fraction(1, 6)
    """

    def __init__(self, problem: Series) -> None:
        super().__init__()
        self._arcs = problem.platform.arcs
        self._used = place_resources(problem)
        self._busy: dict[str, dict[int, Rational]] = {}

    def rate(self, place: int, time: Rational) -> int:
        """A new variable: how often something is done that keeps the place busy for that time."""
        rate = self.variable()
        self.keeps_busy(rate, place, time)
        return rate

    def keeps_busy(self, rate: int, place: int, time: Rational) -> None:
        """The same variable takes time at this place as well."""
        for name in self._used[place]:
            if name not in self._busy:
                self._busy[name] = {}
                self.at_most(self._busy[name], 1)
            row = self._busy[name]
            row[rate] = row.get(rate, 0) + time

    def flow(self, size: Rational) -> list[int]:
        """A variable for each arc: messages of this size on it."""
        return [self.rate(place, arc.cost * size) for place, arc in enumerate(self._arcs)]

    def entering(self, flow: Sequence[int], node: Node) -> dict[int, int]:
        """The row of all that enters a node."""
        return {x: 1 for x, arc in zip(flow, self._arcs, strict=True) if arc.head == node}

    def net(self, flow: Sequence[int], node: Node) -> dict[int, int]:
        """The row of what enters a node minus what leaves it."""
        leaving = {x: -1 for x, arc in zip(flow, self._arcs, strict=True) if arc.tail == node}
        return self.entering(flow, node) | leaving


def best_mixture(problem: Series, parts: Iterable[Iterable[Iterable[Task]]]) -> Fraction:
    """The most operations per time unit if each takes one of the listed ways for every part.

    >>> line = Alltoall(Platform("abc", [("a", "b", 1), ("b", "c", 2)]), (("a", "c"),))
    >>> best_mixture(line, [[[(0, 0), (1, 0)]]])
    Fraction(1, 2)
    """
    program = SeriesProgram(problem)
    for ways in parts:
        row = {THROUGHPUT: -1}
        for tasks in ways:
            rate = program.variable()
            row[rate] = 1
            for task in tasks:
                program.keeps_busy(rate, task[0], duration(problem, task))
        program.equation(row)
    return program.value()


def optimum_of_sets(problem: Collective, parts: Iterable[Iterable[Iterable[Task]]]) -> Fraction:
    """The same optimum over all time shares of sets of transfers that may run at once.

    Under routes it is that of all speeds at which no link carries more than its bandwidth.

    Every arc gets its time from the compatible sets that contain it, whose shares add up to at
    most 1, and every processor works at most all the time.  It is exact for every port model, odd
    cycles in half-duplex included.  Exponential: for three or four nodes.

    >>> triangle = Platform("abc", [("a", "b", 1), ("b", "c", 1), ("c", "a", 1)])
    >>> around = Alltoall(triangle, (("a", "b"), ("b", "c"), ("c", "a")), "half-duplex")
    >>> optimum_of_sets(around, [[[(arc, arc)]] for arc in range(3)])
    Fraction(1, 3)
    """
    program, arcs = ThroughputProgram(), len(problem.platform.arcs)
    busy: dict[int, dict[int, Rational]] = {}
    for ways in parts:
        sums = {THROUGHPUT: -1}
        for tasks in ways:
            rate = program.variable()
            sums[rate] = 1
            for task in tasks:
                times = busy.setdefault(task[0], {})
                times[rate] = times.get(rate, 0) + duration(problem, task)
        program.equation(sums)
    if problem.ports == "routes":
        for name, cost in problem.platform.links.items():
            carried: dict[int, Rational] = {}
            for place, row in busy.items():
                arc = problem.platform.arcs[place]
                if name in dict(arc.route):
                    for rate, time in row.items():
                        carried[rate] = carried.get(rate, 0) + time / arc.cost * cost
            program.at_most(carried, 1)
        return program.value()
    useful = sorted(place for place in busy if place < arcs)
    sets = compatible_sets(problem.platform, problem.ports, useful)
    shares = {program.variable(): chosen for chosen in sets}
    program.at_most(dict.fromkeys(shares, 1), 1)
    for place, row in busy.items():
        offered = {share: -1 for share, chosen in shares.items() if place in chosen}
        program.at_most({**row, **offered}, 0 if place < arcs else 1)
    return program.value()


# Ways and loads ----------------------------------------------------------------------------------


def paths(
    platform: Platform, start: Node, end: Node, seen: frozenset[Node] = frozenset()
) -> Iterator[list[int]]:
    """The arcs of all paths that come to no node twice, nor to one that is seen.

    >>> list(paths(Platform("abc", [("a", "b", 1), ("b", "c", 2)]), "a", "c"))
    [[0, 1]]
    """
    if start == end:
        yield []
        return
    for place, arc in enumerate(platform.arcs):
        if arc.tail == start and arc.head not in seen:
            for rest in paths(platform, arc.head, end, seen | {start}):
                yield [place, *rest]


def possible_tasks(problem: Series) -> list[Task]:
    """All that can be done in an operation, useful or not.

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


def load(
    problem: Collective, weighted: Iterable[tuple[Iterable[Task], Rational]]
) -> dict[str, Fraction]:
    """How long weighted sets of tasks keep each resource busy.

    >>> line = Alltoall(Platform("ab", [("a", "b", 3)]), (("a", "b"),))
    >>> load(line, [([(0, 0)], Fraction(1, 2))])
    {'send:a': Fraction(3, 2), 'recv:b': Fraction(3, 2)}
    """
    used = place_resources(problem)
    busy: dict[str, Fraction] = {}
    for tasks, weight in weighted:
        for task in tasks:
            for name in used[task[0]]:
                time = weight * duration(problem, task)
                busy[name] = busy.get(name, Fraction(0)) + time
    return busy


def ranks(problem: Collective, tasks: Iterable[Task]) -> list[int]:
    """Of each task the length of the longest row of tasks that ends with it.

    Each task of a row needs the one before it.  Raises `KeyError` for a task without its inputs.

    >>> line = Alltoall(Platform("abc", [("a", "b", 1), ("b", "c", 2)]), (("a", "c"),))
    >>> ranks(line, [(0, 0), (1, 0)])
    [1, 2]
    """
    row = dict.fromkeys(given(problem), 0)
    found = []
    for task in tasks:
        found.append(1 + max(row[state] for state in needs(problem, task)))
        row[makes(problem, task)] = found[-1]
    return found


# Any schedule ------------------------------------------------------------------------------------


def completions(problem: Series, order: Order) -> list[Fraction]:
    """When operations are complete, in order, if each task starts as early as it can.

    A task waits for its inputs, and for the tasks before it in the order that use a resource of
    its own.  Raises `KeyError` for a task without its inputs.

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
    return complete(problem, known)


def complete(problem: Collective, known: Mapping[tuple[int, State], Fraction]) -> list[Fraction]:
    """When operations are complete, in order, if (operation, state) is known from these times on.

    >>> line = Alltoall(Platform("ab", [("a", "b", 1)]), (("a", "b"),))
    >>> complete(line, {(0, ((0,), "b")): Fraction(2), (1, ((0,), "a")): Fraction(0)})
    [Fraction(2, 1)]
    """
    goals, operations = wanted(problem), {operation for operation, _ in known}
    return sorted(
        max(known[operation, state] for state in goals)
        for operation in operations
        if all((operation, state) in known for state in goals)
    )


def least_costs(problem: Series, prices: Mapping[str, Rational]) -> dict[State, Fraction]:
    """What each state that can be made costs at least: tasks are tried until nothing is cheaper.

    >>> line = Alltoall(Platform("abc", [("a", "b", 1), ("b", "c", 2)]), (("a", "c"),))
    >>> [int(cost) for cost in least_costs(line, {"send:a": 1, "recv:c": 3}).values()]
    [0, 1, 7]
    """
    used = place_resources(problem)
    priced = [
        (needs(problem, task), makes(problem, task), cost)
        for task in possible_tasks(problem)
        for cost in [sum(prices.get(n, 0) for n in used[task[0]]) * duration(problem, task)]
    ]
    least = dict.fromkeys(given(problem), Fraction(0))
    cheaper = True
    while cheaper:
        cheaper = False
        for inputs, made, cost in priced:
            if all(state in least for state in inputs):
                total = sum((least[state] for state in inputs), start=cost)
                if made not in least or total < least[made]:
                    least[made] = total
                    cheaper = True
    return least
