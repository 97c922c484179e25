"""The states of a reduction with any goals, and the tasks that make them, as indices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import inf

from exactsched.exact.arguments import over_common_denominator
from exactsched.linear_programs.column_generation import quotient
from exactsched.model.problem import Reduction
from exactsched.model.resources import place_resources, resources
from exactsched.model.tasks import State, Task, duration

# Times up to 2 to this power, or its inverse, are counted in time units: floats go twice as far.
_NEAR = 512


class StateGraph:
    """The states and tasks of a reduction as indices.

    State i * n + v is interval i at node v.  `tasks` holds all that may be done inside the goals,
    transfers by interval and arc, then merges by interval, cut and processor; `possible` says
    which the processors can do.  Shorter intervals come first.
    """

    def __init__(self, problem: Reduction) -> None:
        platform, position = problem.platform, problem.platform.position
        self.problem = problem
        self.size = len(platform.nodes)
        ends = [interval for interval, _ in problem.goals]
        self.intervals = sorted(
            (i for i in problem.intervals if any(k <= i[0] and i[1] <= m for k, m in ends)),
            key=lambda interval: interval[1] - interval[0],
        )
        self.named: list[State] = [(i, node) for i in self.intervals for node in platform.nodes]
        self.index = {interval: index for index, interval in enumerate(self.intervals)}
        self.owners = [position[owner] for owner in problem.owners]
        self.goals = [self.index[goal] * self.size + position[v] for goal, v in problem.goals]
        self.able = [position[node] for node in problem.processors]
        self.arcs = len(platform.arcs)
        self._heads = [position[arc.head] for arc in platform.arcs]
        self._tails = [position[arc.tail] for arc in platform.arcs]
        self.leaving: list[list[tuple[int, int]]] = [[] for _ in range(self.size)]
        for arc, (tail, head) in enumerate(zip(self._tails, self._heads, strict=True)):
            self.leaving[tail].append((arc, head))
        self._list_tasks()
        self._measure()
        self.there = {
            index * self.size + self.owners[k]
            for index, (k, m) in enumerate(self.intervals)
            if k == m
        }

    def _list_tasks(self) -> None:
        """Sets the tasks, with what each needs and makes."""
        self.tasks: list[Task] = []
        self.possible: list[bool] = []
        self.makes: list[int] = []
        self.needs: list[tuple[int, ...]] = []
        for interval in self.intervals:
            self._add_transfers(interval)
        self.first_merge: list[int] = []
        for interval in self.intervals:
            self.first_merge.append(len(self.tasks))
            self._add_merges(interval)

    def _measure(self) -> None:
        """Sets the resources that each task uses, and for how long."""
        names = resources(self.problem)
        self.rows = len(names)
        row_of = {name: row for row, name in enumerate(names)}
        # A node that computes nothing has no resource for it.
        used = [
            tuple(row_of[name] for name in busy if name in row_of)
            for busy in place_resources(self.problem)
        ]
        self.uses = [used[task[0]] for task in self.tasks]
        times = [
            duration(self.problem, task) if possible else Fraction(0)
            for task, possible in zip(self.tasks, self.possible, strict=True)
        ]
        self.times, self.unit = over_common_denominator(times)
        # Integers may be too long for floats, and so may their ratios.
        longest = max(self.times, default=1) or 1
        near = abs(longest.bit_length() - self.unit.bit_length()) < _NEAR
        self.measure = self.unit if near else longest
        self.durations = [
            time / self.measure if possible else inf
            for time, possible in zip(self.times, self.possible, strict=True)
        ]

    def _add_transfers(self, interval: tuple[int, int]) -> None:
        row = self.index[interval] * self.size
        for arc, (tail, head) in enumerate(zip(self._tails, self._heads, strict=True)):
            self.tasks.append((arc, *interval))
            self.possible.append(True)
            self.makes.append(row + head)
            self.needs.append((row + tail,))

    def _add_merges(self, interval: tuple[int, int]) -> None:
        problem, (k, m), arcs = self.problem, interval, self.arcs
        for cut in range(k, m):
            left, right = self.index[k, cut] * self.size, self.index[cut + 1, m] * self.size
            for place in self.able:
                time = problem.time(problem.platform.nodes[place], (k, cut, m))
                self.tasks.append((arcs + place, k, cut, m))
                self.possible.append(time is not None)
                self.makes.append(self.index[interval] * self.size + place)
                self.needs.append((left + place, right + place))

    def exact_costs(self, prices: Sequence[int]) -> tuple[list[int], int]:
        """Times in 1 / `unit` times prices of the resources, and more than all of them together.

        That is also the cost of what is impossible: in `CheapestStates` the `far` of integers.
        """
        found = [
            time * sum(map(prices.__getitem__, uses))
            for time, uses in zip(self.times, self.uses, strict=True)
        ]
        far = 1 + sum(found)
        return [c if able else far for c, able in zip(found, self.possible, strict=True)], far

    def per_time_unit(self, *rates: float) -> tuple[float, ...]:
        """Rates per `measure`, for those who count in time units."""
        ratio = quotient(self.unit, self.measure)
        return tuple([rate * ratio for rate in rates])

    def costs(self, prices: Sequence[float]) -> list[float]:
        """The same for float prices, with durations in `measure`; infinite if impossible."""
        return [
            time * sum(map(prices.__getitem__, uses)) if time < inf else inf
            for time, uses in zip(self.durations, self.uses, strict=True)
        ]

    def load(self, tasks: Iterable[int]) -> dict[int, int]:
        """How long these tasks, once each, keep every resource busy."""
        busy: dict[int, int] = {}
        for task in tasks:
            for row in self.uses[task]:
                busy[row] = busy.get(row, 0) + self.times[task]
        return busy

    def inside(self, task: int, goal: int) -> bool:
        """Whether a task may be of use for a goal."""
        first, last = self.intervals[goal // self.size]
        k, m = self.intervals[self.makes[task] // self.size]
        return first <= k and m <= last

    def within(self, goal: int) -> Iterator[tuple[int, State]]:
        """The states that may be of use for a goal, as index and by name."""
        first, last = self.intervals[goal // self.size]
        for index, named in enumerate(self.named):
            (k, m), _ = named
            if first <= k and m <= last:
                yield index, named
