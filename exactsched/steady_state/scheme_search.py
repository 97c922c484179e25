"""Cheap schemes for several goals: heuristics, because a cheapest one is NP-hard to find.

A scheme makes every goal of a reduction and may use a partial result several times, so it is a
Steiner arborescence among the states (v[k,m] at a node), with merges for arcs of two tails.  Goals
are bought one after the other, each in the cheapest way when all that is there already is free,
and then parts of the scheme are torn out and bought anew as long as that saves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain
from math import inf
from operator import add

from exactsched.exact.arguments import over_common_denominator
from exactsched.graphs.shortest_paths import spread
from exactsched.linear_programs.column_generation import quotient
from exactsched.model.problem import Reduction
from exactsched.model.resources import place_resources, resources
from exactsched.model.tasks import State, Task, duration

# How every state that is made is made: state -> task, both as indices.
Makers = dict[int, int]
# Costs by task: integers (then all is exact) or floats, infinite for what is impossible.
Costs = Sequence[float]
# Times up to 2 to this power, or its inverse, are counted in time units: floats go twice as far.
_NEAR = 512


class StateGraph:
    """The states and tasks of a reduction as indices, and cheapest ways to make states.

    State i * n + v is interval i at node v.  `tasks` holds all that may be done inside the goals,
    transfers by interval and arc, then merges by interval, cut and processor; `possible` says
    which the processors can do.
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
        self._index = {interval: index for index, interval in enumerate(self.intervals)}
        self.owners = [position[owner] for owner in problem.owners]
        self.goals = [self._index[goal] * self.size + position[v] for goal, v in problem.goals]
        self._able = [position[node] for node in problem.processors]
        self._heads = [position[arc.head] for arc in platform.arcs]
        self._tails = [position[arc.tail] for arc in platform.arcs]
        self._leaving: list[list[tuple[int, int]]] = [[] for _ in range(self.size)]
        for arc, (tail, head) in enumerate(zip(self._tails, self._heads, strict=True)):
            self._leaving[tail].append((arc, head))
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
        self._first_merge: list[int] = []
        for interval in self.intervals:
            self._first_merge.append(len(self.tasks))
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
        row = self._index[interval] * self.size
        for arc, (tail, head) in enumerate(zip(self._tails, self._heads, strict=True)):
            self.tasks.append((arc, *interval))
            self.possible.append(True)
            self.makes.append(row + head)
            self.needs.append((row + tail,))

    def _add_merges(self, interval: tuple[int, int]) -> None:
        problem, (k, m), arcs = self.problem, interval, len(self._heads)
        for cut in range(k, m):
            left, right = self._index[k, cut] * self.size, self._index[cut + 1, m] * self.size
            for place in self._able:
                time = problem.time(problem.platform.nodes[place], (k, cut, m))
                self.tasks.append((arcs + place, k, cut, m))
                self.possible.append(time is not None)
                self.makes.append(self._index[interval] * self.size + place)
                self.needs.append((left + place, right + place))

    def exact_costs(self, prices: Sequence[int]) -> tuple[list[int], int]:
        """Times in 1 / `unit` times prices of the resources, and more than all of them together.

        That is also the cost of what is impossible, and takes the place of infinity in `labels`.
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

    def labels(
        self, costs: Costs, goal: int, free: Iterable[int], far: float = inf
    ) -> tuple[list[float], Makers]:
        """What every state inside a goal costs at least, and the last tasks on the way to it.

        Free states cost nothing; what cannot be made has the label `far`, which is more than
        anything costs.  Tasks are given for what is received, not for what is merged.  This is
        Knuth's generalization of Dijkstra's algorithm (1977), by the length of the intervals;
        O(N^2 m log n + N^3 n).
        """
        first, last = self.intervals[goal // self.size]
        size, arcs, able = self.size, len(self._heads), self._able
        width = len(able)
        labels: list[float] = [far] * (len(self.intervals) * size)
        here: dict[tuple[int, int], list[float]] = {}
        via: Makers = {}
        for state in free:
            labels[state] = 0
        for index, (k, m) in enumerate(self.intervals):
            if k < first or last < m:
                continue
            row = index * size
            label = labels[row : row + size]
            if k == m:
                label[self.owners[k]] = 0
            else:
                start = self._first_merge[index]
                sums = [
                    map(
                        add,
                        map(add, here[k, cut], here[cut + 1, m]),
                        costs[start + (cut - k) * width : start + (cut - k + 1) * width],
                    )
                    for cut in range(k, m)
                    if (k, cut) in here and (cut + 1, m) in here
                ]
                made = map(min, *sums) if len(sums) > 1 else chain(*sums)
                for node, cost in zip(able, made, strict=False):  # none, if nothing can be made
                    if cost < label[node]:
                        label[node] = cost
            sent = costs[index * arcs : (index + 1) * arcs]
            for node, arc in enumerate(spread(label, self._leaving, sent, far)):
                if arc >= 0:
                    via[row + node] = index * arcs + arc
            labels[row : row + size] = label
            at_work = [label[node] for node in able]
            if min(at_work, default=far) < far:
                here[k, m] = at_work
        return labels, via

    def cheapest(
        self, costs: Costs, goal: int, free: Collection[int], limit: float = inf
    ) -> Makers | None:
        """How to make a state at least cost where free states cost nothing.

        None if it is impossible for less than the limit.
        """
        labels, via = self.labels(costs, goal, free, limit)
        if labels[goal] >= limit:
            return None
        return self.way(costs, labels, via, goal, self.there.union(free))

    def way(
        self,
        costs: Costs,
        labels: Sequence[float],
        via: Makers,
        goal: int,
        there: Collection[int],
    ) -> Makers:
        """The makings behind the label of a state, down to what is there."""
        makers: Makers = {}
        waiting = [goal]
        while waiting:
            state = waiting.pop()
            if state not in makers and state not in there:
                makers[state] = via[state] if state in via else self._merge(labels, costs, state)
                waiting.extend(self.needs[makers[state]])
        return makers

    def _merge(self, labels: Sequence[float], costs: Costs, state: int) -> int:
        """The task that merges a state at least cost."""
        (k, m), node = self.intervals[state // self.size], state % self.size
        width = len(self._able)
        start = self._first_merge[state // self.size] + self._able.index(node)
        tasks = range(start, start + (m - k) * width, width)
        return min(
            tasks, key=lambda task: sum(labels[other] for other in self.needs[task]) + costs[task]
        )


class SchemeSearch:
    """Cheap schemes in a graph of states."""

    def __init__(self, graph: StateGraph) -> None:
        self.graph = graph
        self.makeable = sorted(set(graph.makes) - graph.there - set(graph.goals))

    def scheme(self, costs: Costs, order: Iterable[int]) -> Makers | None:
        """Buys the states in this order, then all goals; None if one cannot be made."""
        makers: Makers = {}
        for state in (*order, *self.graph.goals):
            if state not in makers:
                bought = self.graph.cheapest(costs, state, makers)
                if bought is None:
                    return None
                makers.update(bought)
        return self.needed(makers, self.graph.goals)

    def improved(self, costs: Costs, makers: Makers) -> Makers:
        """Tears out single states and buys them anew, as long as that saves."""
        least = cost_of(costs, makers)
        improving = True
        while improving:
            improving = False
            for state in list(makers):
                trial = self._without(costs, makers, state) if state in makers else None
                if trial is not None and cost_of(costs, trial) < least * (1 - 1e-9):
                    makers, least, improving = trial, cost_of(costs, trial), True
        return makers

    def _without(self, costs: Costs, makers: Makers, state: int) -> Makers | None:
        """The scheme after the makings that only this state needs are torn out and bought anew."""
        trial = self.needed(makers, self.graph.goals, state)
        saved = cost_of(costs, makers) - cost_of(costs, trial)
        above = self._above(trial, state)
        # What is bought replaces makings of states above, which are not free.
        free = [other for other in trial if other not in above]
        bought = self.graph.cheapest(costs, state, free, saved)
        return None if bought is None else self.needed(trial | bought, self.graph.goals)

    def needed(self, makers: Makers, goals: Iterable[int], without: int = -1) -> Makers:
        """The makings that the goals need, where the state `without` is not to be made."""
        needed: Makers = {}
        waiting = list(goals)
        while waiting:
            state = waiting.pop()
            if state in needed or state == without or state in self.graph.there:
                continue
            needed[state] = makers[state]
            waiting.extend(self.graph.needs[makers[state]])
        return needed

    def ordered(self, makers: Makers) -> tuple[Task, ...]:
        """The tasks of a scheme, each after its inputs."""
        listed: list[Task] = []
        done = set(self.graph.there)
        waiting = list(reversed(self.graph.goals))
        while waiting:
            state = waiting[-1]
            missing = [
                other
                for other in (() if state in done else self.graph.needs[makers[state]])
                if other not in done
            ]
            waiting.extend(missing)
            if not missing:
                waiting.pop()
                if state not in done:
                    done.add(state)
                    listed.append(self.graph.tasks[makers[state]])
        return tuple(listed)

    def _above(self, makers: Makers, state: int) -> set[int]:
        """The states that are made of a state, directly or not."""
        users: dict[int, list[int]] = {}
        for made, task in makers.items():
            for other in self.graph.needs[task]:
                users.setdefault(other, []).append(made)
        above: set[int] = set()
        waiting = [state]
        while waiting:
            for made in users.get(waiting.pop(), ()):
                if made not in above:
                    above.add(made)
                    waiting.append(made)
        return above


def cost_of(costs: Costs, makers: Makers) -> float:
    """What the tasks of a scheme cost."""
    return sum(costs[task] for task in makers.values())
