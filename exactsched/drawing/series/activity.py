"""Who is busy with what, when: the schedule of a certificate as stints of work, in exact times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from exactsched.certificate.collectives import Certificate, PeriodicSchedule, Run, Series
from exactsched.exact.errors import Rejected
from exactsched.model.platform import Node
from exactsched.model.problem import (
    Allgather,
    Alltoall,
    Broadcast,
    Collective,
    Combination,
    Reduction,
)
from exactsched.model.resources import place_resources
from exactsched.model.tasks import Task, computes, duration, given, makes, needs, processor


@dataclass(frozen=True, slots=True)
class Stint:
    """A place works on a task for `stream` without a break.

    `stream` is the index of a structure (a tree, a route, a scheme), or in a run of an operation.
    `done` is how many times the task was done before, in this period (a fraction if it is
    interrupted), and `each` how long doing it once takes; both are 0 in a run.
    """

    task: Task
    stream: int
    start: Fraction
    end: Fraction
    done: Fraction = Fraction(0)
    each: Fraction = field(default=Fraction(0), compare=False)

    @property
    def place(self) -> int:
        return self.task[0]

    @property
    def length(self) -> Fraction:
        return self.end - self.start


@dataclass(slots=True)
class Lane:
    """A resource at `node` with its stints in order of time.

    `side` is send, recv, port, link or compute.
    """

    resource: str
    node: Node
    side: str
    stints: list[Stint] = field(default_factory=list)

    @property
    def busy(self) -> Fraction:
        return sum((one.length for one in self.stints), start=Fraction(0))


@dataclass(frozen=True, slots=True)
class Flow:
    """A structure of the picture: its tasks, and how many operations it serves in all.

    Those of one period, or of the run.  `part` is the index of a demand, a root or a block, else 0.
    """

    part: int
    tasks: tuple[Task, ...]
    operations: int


def principals(problem: Collective) -> tuple[Node, ...]:
    """The node that all is sent from, or to, if there is only one of the kind."""
    if isinstance(problem, Broadcast):
        return (problem.source,)
    if isinstance(problem, Alltoall):
        targets = {demand.target for demand in problem.demands}
        ends = problem.sources if len(problem.sources) == 1 else tuple(targets)
    elif isinstance(problem, Allgather):
        ends = tuple(root.node for root in problem.roots)
    elif isinstance(problem, Combination):
        ends = tuple({node for block in problem.blocks for node in block.targets})
    else:
        ends = tuple({node for _, node in problem.goals})
    return ends if len(ends) == 1 else ()


def stints(certificate: Certificate) -> list[Stint]:
    """The stints of one period, or of the whole run, ordered by start and place.

    In a period the slots of a place are cut where another task begins; the tasks of a place
    follow each other in the order of the structures (certificate format, "How it is executed").

    >>> from exactsched.certificate.bounds import CutBound
    >>> from exactsched.certificate.collectives import Slot, Structure
    >>> from exactsched.model.platform import Platform
    >>> asked = Broadcast(Platform("ab", [("a", "b", 1)]), "a")
    >>> two, slots = (Structure(1, 0, ((0,),)), Structure(2, 0, ((0,),))), ((0, 0, 2), (0, 3, 4))
    >>> schedule = PeriodicSchedule(Fraction(4), Fraction(1), two, slots, whole=True)
    >>> one = Fraction(3, 4)
    >>> series = Series(asked, one, one, True, schedule, CutBound({}, ("b",), ()))
    >>> [(stint.stream, int(stint.start), int(stint.end)) for stint in stints(series)]
    [(0, 0, 1), (1, 1, 2), (1, 3, 4)]
    """
    if isinstance(certificate, Run):
        run = certificate
        found = [
            Stint(run.tasks[task], operation, start * run.tick, end * run.tick)
            for task, operation, start, end in run.rows
        ]
    elif certificate.schedule is None:
        found = []
    else:
        found = list(_period(certificate.problem, certificate.schedule))
    return sorted(found, key=lambda one: (one.start, one.place))


def _period(problem: Collective, schedule: PeriodicSchedule) -> Iterator[Stint]:
    waiting: dict[int, list[tuple[int, Task, int]]] = {}
    for stream, structure in enumerate(schedule.structures):
        for task in structure.tasks:
            waiting.setdefault(task[0], []).append((stream, task, structure.operations))
    slots: dict[int, list[tuple[int, int]]] = {}
    for place, first, last in schedule.slots:
        slots.setdefault(place, []).append((first, last))
    slowed = _slowed(problem, schedule)
    for place, intervals in slots.items():
        batches = iter(waiting.get(place, ()))
        batch, done = next(batches, None), Fraction(0)
        for first, last in sorted(intervals):
            start, stop = first * schedule.tick, last * schedule.tick
            # A slot beyond the work of the place is empty; a checker would refuse it.
            while start < stop and batch is not None:
                stream, task, count = batch
                time = duration(problem, task) * slowed.get(place, 1)
                end = min(stop, start + (count - done) * time)
                yield Stint(task, stream, start, end, done, time)
                done += (end - start) / time
                start = end
                if done == count:
                    batch, done = next(batches, None), Fraction(0)


def _slowed(problem: Collective, schedule: PeriodicSchedule) -> dict[int, Fraction]:
    """Under routes, how many times as long as alone the tasks of an arc take: all of its slot."""
    if problem.ports != "routes":
        return {}
    alone: dict[int, Fraction] = {}
    for structure in schedule.structures:
        for task in structure.tasks:
            time = structure.operations * duration(problem, task)
            alone[task[0]] = alone.get(task[0], Fraction(0)) + time
    lasting = {place: (end - start) * schedule.tick for place, start, end in schedule.slots}
    return {place: time / alone[place] for place, time in lasting.items() if place in alone}


def lanes(problem: Collective, found: Iterable[Stint]) -> list[Lane]:
    """A lane for each resource that works at all, node by node, those of the principal first."""
    arcs, uses = problem.platform.arcs, place_resources(problem)
    if problem.ports == "routes":  # several arcs work on a link at a time
        uses = [(f"link:{place}",) for place in range(len(arcs))]
    used: dict[str, Lane] = {}
    for one in found:
        for position, resource in enumerate(uses[one.place]):
            if resource not in used:
                if one.place < len(arcs):
                    arc = arcs[one.place]
                    node = arc.head if position else arc.tail
                else:
                    node = problem.platform.nodes[one.place - len(arcs)]
                used[resource] = Lane(resource, node, resource.partition(":")[0])
            used[resource].stints.append(one)
    place = dict(problem.platform.position)
    place.update(dict.fromkeys(principals(problem), -1))
    sides = ("send", "recv", "port", "link", "compute")
    return sorted(
        used.values(),
        key=lambda lane: (place[lane.node], sides.index(lane.side), lane.stints[0].place),
    )


def flows(certificate: Certificate) -> list[Flow]:
    """The structures of a series; of a run the sets of tasks in use, in order of first use."""
    if isinstance(certificate, Series):
        schedule = certificate.schedule
        every = schedule.structures if schedule else ()
        return [Flow(one.part, one.tasks, one.operations) for one in every]
    counts: Counter[tuple[int, frozenset[Task]]] = Counter()
    ordered: dict[tuple[int, frozenset[Task]], tuple[Task, ...]] = {}
    for _, part, tasks in run_routes(certificate):
        key = part, frozenset(tasks)
        counts[key] += 1
        ordered.setdefault(key, tasks)
    return [Flow(part, ordered[part, tasks], count) for (part, tasks), count in counts.items()]


def run_routes(run: Run) -> list[tuple[int, int, tuple[Task, ...]]]:
    """(operation, part, tasks done for it), the tasks in order of their starts.

    What has no task at all is left out.
    """
    found: dict[tuple[int, int], dict[Task, None]] = {}
    parted = isinstance(run.problem, (Alltoall, Allgather, Combination))
    for index, operation, _, _ in sorted(run.rows, key=lambda row: row[2]):
        task = run.tasks[index]
        found.setdefault((operation, task[1] if parted else 0), {})[task] = None
    return [(operation, part, tuple(tasks)) for (operation, part), tasks in sorted(found.items())]


def refuse_hanging(certificate: Certificate) -> None:
    """`Rejected` if a task starts from what is not there, or where nobody can do it.

    Such a structure has no levels and is no tree: there is no picture of it.
    """
    problem = certificate.problem
    for index, flow in enumerate(flows(certificate)):
        if not flow.tasks:
            raise Rejected(f"structure {index}", [], "a structure without tasks does nothing")
        known = given(problem)
        for task in flow.tasks:
            place = f"structure {index}, task"
            if not known.issuperset(needs(problem, task)):
                rule = "a task needs what is given, or made by a task before it"
                raise Rejected(place, list(task), rule)
            known.add(makes(problem, task))
            if computes(problem, task) and isinstance(problem, Reduction):
                node, (k, cut, m) = processor(problem, task), task[1:]
                if problem.time(node, (k, cut, m)) is None:
                    raise Rejected(place, list(task), "this processor does no such task")


def arc_shares(problem: Collective, drawn: Sequence[Flow]) -> list[dict[int, Fraction]]:
    """How wide each flow is on the arcs that it takes, as a part of the widest arc.

    The messages of a broadcast as a part of them all; otherwise the time that the arc works for
    the flow as a part of the longest time that any arc works.
    """
    if isinstance(problem, Broadcast):
        total = sum(flow.operations for flow in drawn)
        return [
            {task[0]: Fraction(flow.operations, total) for task in flow.tasks} for flow in drawn
        ]
    busy: dict[int, Fraction] = {}
    times: list[dict[int, Fraction]] = []
    for flow in drawn:
        own: dict[int, Fraction] = {}
        for task in flow.tasks:
            if not computes(problem, task):
                time = flow.operations * duration(problem, task)
                own[task[0]] = own.get(task[0], Fraction(0)) + time
        times.append(own)
        for arc, time in own.items():
            busy[arc] = busy.get(arc, Fraction(0)) + time
    longest = max(busy.values(), default=Fraction(1))
    return [{arc: time / longest for arc, time in own.items()} for own in times]
