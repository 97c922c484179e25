"""Tasks as soon as possible: in a given order, or by a list with priorities (Graham 1969).

Both work on integers: durations in ticks, operations (packets, of a broadcast) numbered from 0,
tasks and structures by index.  The caller chooses tick, operations and structures; what comes out
are rows (task, operation, start, end).  A broadcast has the arcs as its tasks, in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heappop, heappush

from exactsched.model.problem import Broadcast, Collective
from exactsched.model.resources import place_resources
from exactsched.model.tasks import State, Task, given, makes, needs

# (task, operation, start, end)
Piece = tuple[int, int, int, int]


class TaskTable:
    """Tasks by numbers: for each its place, the resources it uses, the states it needs and makes.

    `inputs` names only states that have to be made, not those that are there from the start.
    """

    def __init__(self, problem: Collective, tasks: Sequence[Task]) -> None:
        resource: dict[str, int] = {}
        state: dict[State, int] = {}
        names = place_resources(problem)
        there = given(problem)
        self.place = [task[0] for task in tasks]
        self.uses = [
            tuple(resource.setdefault(name, len(resource)) for name in names[place])
            for place in self.place
        ]
        self.resource_count = len(resource)
        self.inputs = [
            tuple(
                state.setdefault(needed, len(state))
                for needed in needs(problem, task)
                if needed not in there
            )
            for task in tasks
        ]
        self.output = [state.setdefault(makes(problem, task), len(state)) for task in tasks]


class Ports(TaskTable):
    """The arcs of a broadcast as its tasks; the only state of a node is to have the message."""

    def __init__(self, problem: Broadcast) -> None:
        arcs = problem.platform.arcs
        super().__init__(problem, [(arc,) for arc in range(len(arcs))])
        place = {node: index for index, node in enumerate(problem.platform.nodes)}
        self.node_count = len(place)
        self.source = place[problem.source]
        self.tail = [place[arc.tail] for arc in arcs]
        self.head = [place[arc.head] for arc in arcs]


def in_order(table: TaskTable, pieces: Iterable[tuple[int, int, int]]) -> list[Piece]:
    """Every piece (task, operation, duration) as early as its resources and inputs allow, in order.

    The order is kept on every resource, nothing overtakes.  If the pieces stand in the order in
    which some valid schedule starts them, then no piece starts later than it does there
    (induction over the order), so idle time disappears and nothing gets worse.  A task in
    several pieces is complete with the last of them, and every piece that makes a state comes
    before those that need it.  Adjoining pieces of one task and operation become one row.

    O(1) additions and comparisons for each piece.

    >>> from exactsched.model.platform import Platform
    >>> chain = Broadcast(Platform("abc", [("a", "b", 2), ("b", "c", 1)]), "a")
    >>> in_order(Ports(chain), [(0, 0, 2), (0, 1, 2), (1, 0, 1), (1, 1, 1)])
    [(0, 0, 0, 2), (0, 1, 2, 4), (1, 0, 2, 3), (1, 1, 4, 5)]
    """
    free = [0] * table.resource_count
    made: dict[tuple[int, int], int] = {}
    rows: list[Piece] = []
    latest: dict[int, int] = {}  # task -> its last row
    inputs, uses, output = table.inputs, table.uses, table.output
    for task, operation, duration in pieces:
        start = 0
        for state in inputs[task]:
            if made[state, operation] > start:
                start = made[state, operation]
        for resource in uses[task]:
            if free[resource] > start:
                start = free[resource]
        end = start + duration
        for resource in uses[task]:
            free[resource] = end
        made[output[task], operation] = end
        before = rows[latest[task]] if task in latest else None
        if before is not None and before[1] == operation and before[3] == start:
            rows[latest[task]] = (task, operation, before[2], end)
        else:
            latest[task] = len(rows)
            rows.append((task, operation, start, end))
    return rows


def by_priority(
    table: TaskTable,
    structures: Sequence[Sequence[int]],
    chosen: Sequence[Sequence[int]],
    duration: Callable[[int, int], int],
) -> list[Piece]:
    """List scheduling: whenever resources are free, the oldest operation waiting for them starts.

    Operation p consists of the tasks of the structures in `chosen[p]`; each takes
    `duration(task, p)` > 0 ticks, never interrupted.  Operations with lower numbers go first; for
    one operation, the task with the longest way behind it.  No resource idles while something
    waits for it that could start; the makespan has no better guarantee than that.

    O(log N) for each of the N rows and O(degree) places looked at.

    >>> from exactsched.model.platform import Platform
    >>> star = Broadcast(Platform("abc", [("a", "b", 2), ("a", "c", 1), ("b", "c", 1)]), "a")
    >>> by_priority(Ports(star), [(0, 2)], [[0], [0]], lambda arc, packet: 2 - (arc == 2))
    [(0, 0, 0, 2), (2, 0, 2, 3), (0, 1, 2, 4), (2, 1, 4, 5)]
    """
    work = _Waiting(table, structures, duration)
    for operation, parts in enumerate(chosen):
        for structure in parts:
            work.wait_at_once(operation, structure)
    places = work.places()
    rows: list[Piece] = []
    while True:
        rows += work.started(places)
        if not work.running:
            return rows
        places = work.finished()


class _Waiting:
    """The tasks that wait for resources, and those at work, at the moment `now`."""

    def __init__(
        self,
        table: TaskTable,
        structures: Sequence[Sequence[int]],
        duration: Callable[[int, int], int],
    ) -> None:
        self._table, self._duration = table, duration
        self._after, self._height = _behind(table, structures, duration)
        self._first = [[task for task in tasks if not table.inputs[task]] for tasks in structures]
        used = sorted({task for structure in structures for task in structure})
        self._uses = {table.place[task]: table.uses[task] for task in used}
        # The places that use a resource.
        self._at: list[list[int]] = [[] for _ in range(table.resource_count)]
        for place, resources in self._uses.items():
            for resource in resources:
                self._at[resource].append(place)
        # place -> heap of (operation, minus the way behind, task, structure)
        self._heaps: dict[int, list[tuple[int, int, int, int]]] = {
            place: [] for place in self._uses
        }
        # (task, operation) -> inputs not yet made, where some are
        self._missing: dict[tuple[int, int], int] = {}
        self._busy = [False] * table.resource_count
        self._now = 0
        # heap of (end, task, operation, structure)
        self.running: list[tuple[int, int, int, int]] = []

    def places(self) -> set[int]:
        """All places of tasks."""
        return set(self._heaps)

    def wait_at_once(self, operation: int, structure: int) -> None:
        """The tasks of a structure that need nothing that has to be made wait from now on."""
        for task in self._first[structure]:
            self._wait(operation, structure, task)

    def _wait(self, operation: int, structure: int, task: int) -> int:
        """A task waits from now on; returns its place."""
        place = self._table.place[task]
        entry = operation, -self._height[structure][task], task, structure
        heappush(self._heaps[place], entry)
        return place

    def started(self, places: Iterable[int]) -> Iterator[Piece]:
        """Starts what waits at these places and finds its resources free, the oldest first."""
        heaps, busy, uses = self._heaps, self._busy, self._uses
        for *_, place in sorted((*heaps[place][0], place) for place in places if heaps[place]):
            for resource in uses[place]:
                if busy[resource]:
                    break
            else:
                operation, _, task, structure = heappop(heaps[place])
                for resource in uses[place]:
                    busy[resource] = True
                end = self._now + self._duration(task, operation)
                heappush(self.running, (end, task, operation, structure))
                yield task, operation, self._now, end

    def finished(self) -> set[int]:
        """Goes on to the next end of tasks; returns the places where something may start now."""
        running, table = self.running, self._table
        self._now = running[0][0]
        places: set[int] = set()
        while running and running[0][0] == self._now:
            _, task, operation, structure = heappop(running)
            for resource in table.uses[task]:
                self._busy[resource] = False
                places.update(self._at[resource])
            for following in self._after[structure].get(table.output[task], ()):
                if self._has_all_inputs(following, operation):
                    places.add(self._wait(operation, structure, following))
        return places

    def _has_all_inputs(self, task: int, operation: int) -> bool:
        """Whether the input that was made now is the last one missing."""
        number = len(self._table.inputs[task])
        if number > 1:
            number = self._missing.get((task, operation), number)
            self._missing[task, operation] = number - 1
        return number == 1


def _behind(
    table: TaskTable, structures: Sequence[Sequence[int]], duration: Callable[[int, int], int]
) -> tuple[list[dict[int, list[int]]], list[dict[int, int]]]:
    """For every structure the tasks that need each state, and for each task the longest way.

    The ways go from the start of the task to the end of the structure and are measured with the
    durations of operation 0: a priority, nothing more.
    """
    after: list[dict[int, list[int]]] = []
    height: list[dict[int, int]] = []
    for tasks in structures:
        needed: dict[int, list[int]] = {}
        missing = {task: len(table.inputs[task]) for task in tasks}
        for task in tasks:
            for state in table.inputs[task]:
                needed.setdefault(state, []).append(task)
        order = [task for task in tasks if not missing[task]]
        for task in order:  # grows while it is read
            for other in needed.get(table.output[task], ()):
                missing[other] -= 1
                if not missing[other]:
                    order.append(other)
        longest: dict[int, int] = {}
        for task in reversed(order):
            deeper = (longest[other] for other in needed.get(table.output[task], ()))
            longest[task] = duration(task, 0) + max(deeper, default=0)
        after.append(needed)
        height.append(longest)
    return after, height


def earliest_arrival_tree(ports: Ports, durations: Sequence[int]) -> tuple[int, ...] | None:
    """One packet for everybody, greedily: always the transfer that would be complete first.

    "Earliest completing edge first" (Bhat, Raghavendra, Prasanna 1999); a good start-up tree, not
    an optimal one (the optimum is NP-hard).  None if some node cannot be reached.  O(n m).
    """
    free = [0] * ports.resource_count
    arrival = {ports.source: 0}
    chosen: list[int] = []
    useful = [arc for arc in range(len(durations)) if ports.head[arc] != ports.source]
    while len(arrival) < ports.node_count:
        useful = [arc for arc in useful if ports.head[arc] not in arrival]
        ready = [
            (
                max(arrival[ports.tail[arc]], *(free[r] for r in ports.uses[arc])) + durations[arc],
                arc,
            )
            for arc in useful
            if ports.tail[arc] in arrival
        ]
        if not ready:
            return None
        end, arc = min(ready)
        for resource in ports.uses[arc]:
            free[resource] = end
        arrival[ports.head[arc]] = end
        chosen.append(arc)
    return tuple(chosen)
