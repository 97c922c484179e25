"""Reduction trees as structures to pack: what they cost under prices of the resources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Generic

from exactsched.certificate.bounds import PotentialBound
from exactsched.exact.arguments import over_common_denominator
from exactsched.model.problem import Reduction
from exactsched.model.resources import place_resources, resources
from exactsched.model.tasks import Task
from exactsched.steady_state.reduction_arrays import ArrayStates, PricedArrays
from exactsched.steady_state.reduction_tree import Number, PricedStates, ReductionStates

# Intervals times arcs from which on arrays price a tree in less time: 15 values on 30 nodes and 120
# arcs 4.0 ms instead of 4.7, 10 on 500 and 2500 11 instead of 48, 60 on 100 and 400 50 instead of
# 600; 8 values on 20 nodes and 80 arcs 1.2 instead of 1.0.
IN_ARRAYS = 10_000


class ReductionTrees:
    """Reduction trees as structures to pack (`structure_packing.Pricing`), as tuples of tasks.

    Row r is the resource r of `resources(problem)`.  Durations are integers in 1 / `unit` of a time
    unit, the longest of which is `longest`; for floats they are divided by that.
    """

    parts = 1

    def __init__(self, problem: Reduction) -> None:
        self.problem = problem
        self._names = resources(problem)
        self.rows = len(self._names)
        index = {name: row for row, name in enumerate(self._names)}
        # The rows of every place of work; a node that computes nothing has none.
        self._uses = [
            tuple(index[name] for name in names if name in index)
            for names in place_resources(problem)
        ]
        sizes, sized = over_common_denominator(list(problem.sizes.values()))
        costs, priced = over_common_denominator([arc.cost for arc in problem.platform.arcs])
        times, timed = over_common_denominator([row[-1] for row in problem.compute])
        self.unit = lcm(sized * priced, timed)
        costs = [cost * (self.unit // (sized * priced)) for cost in costs]
        times = [time * (self.unit // timed) for time in times]
        self._exact = _Durations(problem, sizes, costs, times)
        largest = max(sizes)
        self.longest = max([cost * largest for cost in costs] + times, default=1)
        self._floats = _Durations(
            problem,
            [size / largest for size in sizes],
            [cost * largest / self.longest for cost in costs],
            [time / self.longest for time in times],
        )
        states = self._floats.states
        self.in_arrays = len(states.intervals) * len(costs) > IN_ARRAYS
        self._arrays = ArrayStates(states) if self.in_arrays else None

    def cheapest(self, prices: Sequence[float]) -> tuple[tuple[Task, ...]]:
        """A cheapest tree under float prices of the rows, or nearly so."""
        return (self.priced_in_floats(prices).tree(),)

    def cheapest_exactly(
        self, prices: Mapping[int, int]
    ) -> tuple[tuple[tuple[Task, ...]], tuple[int]]:
        """A cheapest tree under integer prices of the rows, and its cost."""
        priced = self.priced(prices)
        return (priced.tree(),), (priced.cost,)

    def load(self, structure: Sequence[Task]) -> dict[int, int]:
        """How long one use of the tree keeps each row busy."""
        busy: dict[int, int] = {}
        for task in structure:
            duration = self._exact.of(task)
            for row in self._uses[task[0]]:
                busy[row] = busy.get(row, 0) + duration
        return busy

    def priced(self, prices: Mapping[int, int]) -> PricedStates[int]:
        """The states under integer prices of the rows; prices not given are 0."""
        listed = [prices.get(row, 0) for row in range(self.rows)]
        return self._exact.under([sum(map(listed.__getitem__, rows)) for rows in self._uses])

    def priced_in_floats(self, prices: Sequence[float]) -> PricedStates[float] | PricedArrays:
        """The states under float prices of the rows, durations in parts of the longest."""
        shared = [sum(map(prices.__getitem__, rows), start=0.0) for rows in self._uses]
        if self._arrays is None:
            return self._floats.under(shared)
        return PricedArrays(self._arrays, *self._floats.lengths_and_prices(shared))

    def bound(self, prices: Mapping[int, Fraction]) -> PotentialBound:
        """The potentials that prices of the rows give, all in integers without common divisor."""
        numbers, _ = over_common_denominator(list(prices.values()))
        whole = dict(zip(prices, numbers, strict=True))
        priced = self.priced(whole)
        within = set(self._exact.states.intervals)
        zeros = (0,) * self._exact.states.size
        rows = [
            priced.potentials(interval) if interval in within else zeros
            for interval in self.problem.intervals
        ]
        charged = {row: price * self.unit for row, price in whole.items()}
        common = gcd(*charged.values(), *(label for row in rows for label in row))
        return PotentialBound(
            {self._names[row]: price // common for row, price in charged.items()},
            (tuple(tuple(label // common for label in row) for row in rows),),
        )


class _Durations(Generic[Number]):
    """Sizes of intervals, costs of arcs, times of the rows of `compute`, in some measure."""

    def __init__(
        self,
        problem: Reduction,
        sizes: Sequence[Number],
        costs: Sequence[Number],
        times: Sequence[Number],
    ) -> None:
        position = problem.platform.position
        ((interval, target),) = problem.goals
        steady: dict[int, Number] = {}
        single: dict[tuple[int, int, int, int], Number] = {}
        for row, time in zip(problem.compute, times, strict=True):
            if len(row) == 2:
                steady[position[row[0]]] = time
            else:
                single[position[row[0]], row[1], row[2], row[3]] = time
        self._costs: Sequence[Number] = costs
        self._single: Mapping[tuple[int, int, int, int], Number] = single
        self.states: ReductionStates[Number] = ReductionStates(
            len(position),
            [(position[arc.tail], position[arc.head]) for arc in problem.platform.arcs],
            [position[owner] for owner in problem.owners],
            (interval, position[target]),
            steady,
            single,
            dict(zip(problem.sizes, sizes, strict=True)),
        )

    def of(self, task: Task) -> Number:
        if len(task) == 3:
            return self._costs[task[0]] * self.states.sizes[task[1], task[2]]
        node = task[0] - len(self._costs)
        return self.states.times.get(node) or self._single[node, task[1], task[2], task[3]]

    def under(self, prices: Sequence[Number]) -> PricedStates[Number]:
        """`prices` holds one number for every place of work."""
        return PricedStates(self.states, *self.lengths_and_prices(prices))

    def lengths_and_prices(
        self, prices: Sequence[Number]
    ) -> tuple[Sequence[Number], Sequence[Number]]:
        """Of the arcs and of the nodes, as `PricedStates` takes them."""
        arcs = len(self._costs)
        lengths = [cost * price for cost, price in zip(self._costs, prices[:arcs], strict=True)]
        return lengths, prices[arcs:]
