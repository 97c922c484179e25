"""One operation of a gossip or a reduction, from its definition: states, and what a task does.

A *state* is an item (a message, or v[k,m]) that is known at a node.  It is an integer here, the
number of the item times the number of nodes plus the index of the node.
"""

from __future__ import annotations

from fractions import Fraction

from exactsched.certificate import Task
from exactsched.check.common_denominator import over_common_denominator
from exactsched.problem import Gossip, Reduction


class Operation:
    """What the tasks of an operation need, make and take.

    `given` are the states that are there at the start, `wanted` those that have to be there in
    the end.  Durations are `work(task) * unit(place)`, with an integer `work`: a size or a time
    over the common denominator of all of them.
    """

    def __init__(self, problem: Gossip | Reduction) -> None:
        position = problem.platform.position
        self.problem = problem
        self._arc_count = len(problem.platform.arcs)
        self._ends = [(position[arc.tail], position[arc.head]) for arc in problem.platform.arcs]
        self._whole: dict[int, int] = {}
        self._single: dict[Task, int] = {}
        self._time_unit = 1
        self.given: set[int]
        self.wanted: list[int]
        if isinstance(problem, Gossip):
            sizes = [demand.size for demand in problem.demands]
            ends = [(position[d.source], position[d.target]) for d in problem.demands]
            self.given = {self._state(index, source) for index, (source, _) in enumerate(ends)}
            self.wanted = [self._state(index, target) for index, (_, target) in enumerate(ends)]
        else:
            sizes = list(problem.sizes.values()) if _varies(problem) else [problem.sizes[0, 0]]
            self.given = {
                self._state(self._number(i, i), position[owner])
                for i, owner in enumerate(problem.owners)
            }
            self.wanted = [
                self._state(self._number(*interval), position[node])
                for interval, node in problem.goals
            ]
            self._read_times(problem)
        self._sizes, self._size_unit = over_common_denominator(sizes, "problem, sizes")

    def needs(self, task: Task) -> tuple[int, ...]:
        """The states from which the task starts."""
        if self.computes(task):
            place, k, cut, m = task
            node = place - self._arc_count
            left, right = self._number(k, cut), self._number(cut + 1, m)
            return self._state(left, node), self._state(right, node)
        return (self._state(self._number(*task[1:]), self._ends[task[0]][0]),)

    def makes(self, task: Task) -> int:
        """The state that the task brings about."""
        if self.computes(task):
            return self._state(self._number(task[1], task[3]), task[0] - self._arc_count)
        return self._state(self._number(*task[1:]), self._ends[task[0]][1])

    def work(self, task: Task) -> int | None:
        """How long it keeps its place busy, in units of this place; None if it cannot be done."""
        if self.computes(task):
            return self._whole.get(task[0]) or self._single.get(task)
        if len(self._sizes) == 1:
            return self._sizes[0]
        if isinstance(self.problem, Gossip):
            return self._sizes[task[1]]
        k, m = task[1:]
        # Before the intervals from k on come those from every smaller start.
        return self._sizes[k * len(self.problem.owners) - k * (k - 1) // 2 + m - k]

    def unit(self, place: int) -> Fraction:
        """The time of one unit of work at a place."""
        if place < self._arc_count:
            return self.problem.platform.arcs[place].cost / self._size_unit
        return Fraction(1, self._time_unit)

    def computes(self, task: Task) -> bool:
        """Whether it is a task of a processor."""
        return task[0] >= self._arc_count

    def named(self, state: int) -> str:
        """A state for a message."""
        item, position = divmod(state, len(self.problem.platform.nodes))
        node = self.problem.platform.nodes[position]
        if isinstance(self.problem, Gossip):
            return f"message {self.problem.demands[item]} at {node}"
        k, m = divmod(item, len(self.problem.owners))
        return f"v[{k},{m}] at {node}"

    def _state(self, item: int, node: int) -> int:
        return item * len(self.problem.platform.nodes) + node

    def _number(self, first: int, last: int = 0) -> int:
        """The number of an item: a demand has one index, an interval two."""
        if isinstance(self.problem, Gossip):
            return first
        return first * len(self.problem.owners) + last

    def _read_times(self, problem: Reduction) -> None:
        times = [row[-1] for row in problem.compute]
        scaled, self._time_unit = over_common_denominator(times, "problem.compute")
        for row, time in zip(problem.compute, scaled, strict=True):
            place = self._arc_count + problem.platform.position[row[0]]
            if len(row) == 2:
                self._whole[place] = time
            else:
                self._single[place, row[1], row[2], row[3]] = time


def _varies(problem: Reduction) -> bool:
    return isinstance(problem.size, tuple)
