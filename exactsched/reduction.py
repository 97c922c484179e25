"""The steady state of a series of reductions: optimum, trees, bound (RR-4872, section 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from exactsched.certificate.nouns import StateBound, Task, place_resources, resources
from exactsched.collective import CollectiveSolution
from exactsched.errors import InvalidInput
from exactsched.inputs import over_common_denominator
from exactsched.platform import Node, Platform
from exactsched.problem import Interval, Ports, Reduction
from exactsched.reduction_tree import Number, PricedStates, ReductionStates
from exactsched.schedule import odd_cycle
from exactsched.structure_packing import Progress, pack_structures
from exactsched.tasks import Structure

# Exact numbers, as `exactsched.rational.exact` takes them.
Size = object | Callable[[int, int], object] | Mapping[Interval, object]
Time = object | Callable[[int, int, int], object | None] | None


def reduce(
    platform: Platform,
    owners: Sequence[Node],
    target: Node,
    *,
    size: Size = 1,
    compute: Mapping[Node, Time] | None = None,
    ports: Ports = "one-port",
    progress: Progress | None = None,
) -> CollectiveSolution:
    """The largest throughput of a series of reductions is a packing of reduction trees.

    `owners[i]` has v[i]; the result v[0] + ... + v[N], in this order, of an associative operator is
    wanted at `target`.  Nodes may own several values or none.

    `size` is the size of every v[k,m], a function of k and m, or a mapping of all (k, m).
    `compute` maps a node to the time of any task on it, or to a function that has the time of
    T[k,l,m], which joins v[k,l] and v[l+1,m], or None where it is impossible; without
    `compute` this time is what the platform says of the node by that name.  A node computes one
    task at a time, and communicates meanwhile.  `ports` is as in `broadcast`.

    If there is no reduction tree, the throughput is 0, and the bound names what can be known where.

    Raises `InvalidInput` for what `Reduction` refuses, and an odd cycle under half-duplex.

    The method is column generation: the linear program SSR(G) of the paper, with its
    N^2 m + N^3 n variables, is never built; the optimum is that of the corrected SSR(G), exactly.

    Reference: Legrand, Marchal, Robert, RR-4872 (2003), section 4.

    >>> from exactsched.topologies import built_in
    >>> solution = reduce(built_in("reduce-toy"), ["P0", "P1", "P2"], "P0")
    >>> solution.throughput, solution.optimal
    (Fraction(1, 1), True)
    """
    listed = tuple(owners)
    goals = [((0, len(listed) - 1), target)]
    return solve_reduction(
        reduction_problem(platform, listed, goals, size, compute, ports), progress
    )


def reduction_problem(
    platform: Platform,
    owners: Sequence[Node],
    goals: Sequence[tuple[Interval, Node]],
    size: Size,
    compute: Mapping[Node, Time] | None,
    ports: Ports,
) -> Reduction:
    """The problem with its sizes and times as rows; see `reduce`."""
    # The rest is checked first: there are rows for existing intervals only.
    asked = Reduction(platform, tuple(owners), tuple(goals), Fraction(1), (), ports)
    sizes: Any = size
    if callable(size):
        sizes = tuple((k, m, size(k, m)) for k, m in asked.intervals)
    elif isinstance(size, Mapping):
        sizes = tuple((*_interval(interval), given) for interval, given in size.items())
    if compute is None:
        data = platform.node_data
        compute = {node: data[node]["compute"] for node in data if "compute" in data[node]}
    elif not isinstance(compute, Mapping):
        raise InvalidInput("compute", compute, "a mapping of nodes to times, or None")
    return replace(asked, size=sizes, compute=tuple(_compute_rows(asked, compute)))


def _interval(given: object) -> tuple[Any, ...]:
    if not isinstance(given, tuple) or len(given) != 2:
        raise InvalidInput("size", given, "the sizes are those of intervals (k, m)")
    return given


def _compute_rows(asked: Reduction, compute: Mapping[Node, Time]) -> Iterator[tuple[Any, ...]]:
    for node, time in compute.items():
        if not callable(time):
            if time is not None:
                yield node, time
            continue
        for k, m in asked.intervals:
            for cut in range(k, m):
                single = time(k, cut, m)
                if single is not None:
                    yield node, k, cut, m, single


def solve_reduction(problem: Reduction, progress: Progress | None = None) -> CollectiveSolution:
    """The optimum of a series of reductions with a single goal; see `reduce`."""
    if len(problem.goals) != 1:
        raise InvalidInput("goals", len(problem.goals), "a reduce has one; others are a prefix")
    if problem.ports == "half-duplex":
        cycle = odd_cycle(problem.platform)
        if cycle is not None:
            shown = " - ".join(map(str, [*cycle, cycle[0]]))
            raise InvalidInput("half-duplex", shown, "an odd cycle: the graph must be bipartite")
    trees = ReductionTrees(problem)
    free = trees.priced({})
    if not free.reachable:
        return CollectiveSolution(problem, (), trees.bound({}), Fraction(0))
    packing = pack_structures(trees, [trees.unit] * trees.rows, progress)
    unit = lcm(*(price.denominator for price in packing.prices.values()))
    prices = {row: int(price * unit) for row, price in packing.prices.items()}
    structures = tuple(Structure(0, tasks, weight) for _, tasks, weight in packing.weights)
    return CollectiveSolution(
        problem, structures, trees.bound(prices), packing.value, packing.rounds, packing.priced
    )


class ReductionTrees:
    """Reduction trees as structures to pack: a tree is the tuple of its tasks.

    Row r is the resource r of `resources(problem)`.  Durations are integers in 1 / `unit` of a time
    unit.
    """

    parts = 1

    def __init__(self, problem: Reduction) -> None:
        platform, position = problem.platform, problem.platform.position
        self._problem = problem
        self._names = resources(problem)
        self.rows = len(self._names)
        index = {name: row for row, name in enumerate(self._names)}
        # The rows of every place of work; a node that computes nothing has none.
        self._uses = [
            tuple(index[name] for name in names if name in index)
            for names in place_resources(problem)
        ]
        sizes, sized = over_common_denominator(list(problem.sizes.values()))
        costs, priced = over_common_denominator([arc.cost for arc in platform.arcs])
        times, timed = over_common_denominator([row[-1] for row in problem.compute])
        self.unit = lcm(sized * priced, timed)
        self._costs = [cost * (self.unit // (sized * priced)) for cost in costs]
        every = [time * (self.unit // timed) for time in times]
        rows = [
            ((position[row[0]], *row[1:-1]), time)
            for row, time in zip(problem.compute, every, strict=True)
        ]
        ((interval, target),) = problem.goals
        self._single = {place: time for place, time in rows if len(place) == 4}
        self._states = ReductionStates(
            len(platform.nodes),
            [(position[arc.tail], position[arc.head]) for arc in platform.arcs],
            [position[owner] for owner in problem.owners],
            (interval, position[target]),
            {place[0]: time for place, time in rows if len(place) == 1},
            self._single,
            dict(zip(problem.sizes, sizes, strict=True)),
        )

    def cheapest(self, prices: Sequence[float]) -> tuple[tuple[Task, ...]]:
        """A cheapest tree under float prices of the rows."""
        return (self._under(prices).tree(),)

    def cheapest_exactly(
        self, prices: Mapping[int, int]
    ) -> tuple[tuple[tuple[Task, ...]], tuple[int]]:
        """A cheapest tree under integer prices of the rows, and its cost."""
        priced = self.priced(prices)
        return (priced.tree(),), (priced.cost,)

    def load(self, structure: tuple[Task, ...]) -> dict[int, int]:
        """How long one use of the tree keeps each row busy."""
        busy: dict[int, int] = {}
        for task in structure:
            duration = self._duration(task)
            for row in self._uses[task[0]]:
                busy[row] = busy.get(row, 0) + duration
        return busy

    def priced(self, prices: Mapping[int, int]) -> PricedStates[int]:
        """The states under integer prices of the rows; prices not given are 0."""
        return self._under([prices.get(row, 0) for row in range(self.rows)])

    def bound(self, prices: Mapping[int, int]) -> StateBound:
        """The potentials that integer prices give, everything divided by what divides all."""
        priced = self.priced(prices)
        relevant = set(self._states.intervals)
        zeros = (0,) * self._states.size
        rows = [
            priced.potentials(interval) if interval in relevant else zeros
            for interval in self._problem.intervals
        ]
        charged = {row: price * self.unit for row, price in prices.items()}
        common = gcd(*charged.values(), *(label for row in rows for label in row))
        return StateBound(
            {self._names[row]: price // common for row, price in charged.items()},
            (tuple(tuple(label // common for label in row) for row in rows),),
        )

    def _under(self, prices: Sequence[Number]) -> PricedStates[Number]:
        arcs = len(self._costs)
        lengths = [
            cost * sum(map(prices.__getitem__, rows))
            for cost, rows in zip(self._costs, self._uses, strict=False)
        ]
        processors = [sum(map(prices.__getitem__, rows)) for rows in self._uses[arcs:]]
        return PricedStates(self._states, lengths, processors)

    def _duration(self, task: Task) -> int:
        if len(task) == 3:
            return self._costs[task[0]] * self._states.sizes[task[1], task[2]]
        node = task[0] - len(self._costs)
        return self._states.times.get(node) or self._single[node, task[1], task[2], task[3]]
