"""Series and runs of broadcasts, read as tasks of the machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from exactsched.certificate import PeriodicSchedule, RunCertificate, arc_resources
from exactsched.exact.errors import Rejected
from exactsched.model.platform import Node, one_line
from exactsched.model.problem import Broadcast
from exactsched.simulation.line import Line, Structure
from exactsched.simulation.machine import Goal, Job, Task, on_arc


def broadcast_task(problem: Broadcast) -> Task:
    """A message is at the source, crosses arcs, and has to reach every other node.  Job = arc."""
    jobs = [
        Job(
            name=on_arc(arc.tail, arc.head),
            busy=busy,
            inputs=(((), arc.tail),),
            output=((), arc.head),
            # In a series a latency belongs to the cost: the reader refuses it there.
            interruptible=not arc.latency,
        )
        for arc, busy in zip(problem.platform.arcs, arc_resources(problem), strict=True)
    ]
    goals = [
        Goal(node, ((), node), f"node {one_line(node)}")
        for node in problem.platform.nodes
        if node != problem.source
    ]
    return Task(
        noun="message",
        jobs=jobs,
        given=[((), problem.source)],
        goals=goals,
        definition=lambda values: [values[0]] * len(goals),
    )


def broadcast_line(problem: Broadcast, schedule: PeriodicSchedule) -> Line:
    """The arc into a node at depth d of a tree has level d.

    Raises `Rejected` if a tree leaves a node out, or leads to it twice.
    """
    arcs = problem.platform.arcs
    structures: list[Structure] = []
    for index, tree in enumerate(schedule.trees):
        depth = _depths(problem, tree.arcs)
        if len(tree.arcs) != len(problem.platform.nodes) - 1 or len(depth) <= len(tree.arcs):
            rule = "a tree leads from the source to every node on exactly one way"
            raise Rejected(f"schedule.trees[{index}].arcs", list(tree.arcs), rule)
        jobs = tuple((arc, depth[arcs[arc].head]) for arc in tree.arcs)
        structures.append(Structure(0, tree.messages, jobs))
    used = {arc for tree in schedule.trees for arc in tree.arcs}
    return Line(
        schedule.period,
        schedule.tick,
        schedule.slots,
        structures,
        {arc: arc for arc in used},
        {arc: arcs[arc].cost for arc in used},
        lambda arc: on_arc(arcs[arc].tail, arcs[arc].head),
    )


def packet_durations(stated: RunCertificate) -> Callable[[int, int], int | None]:
    """How many ticks a packet takes on an arc; None if that is not a whole number."""
    ticks = {
        size: [
            _whole((arc.latency + size * arc.cost) / stated.tick)
            for arc in stated.problem.platform.arcs
        ]
        for size in set(stated.packets)
    }
    return lambda arc, packet: ticks[stated.packets[packet]][arc]


def _whole(count: Fraction) -> int | None:
    return count.numerator if count.denominator == 1 else None


def _depths(problem: Broadcast, tree: Sequence[int]) -> dict[Node, int]:
    arcs = problem.platform.arcs
    below: dict[Node, list[Node]] = {}
    for index in tree:
        below.setdefault(arcs[index].tail, []).append(arcs[index].head)
    depth = {problem.source: 0}
    queue = [problem.source]
    for node in queue:  # grows while it is read
        for head in below.get(node, ()):
            if head not in depth:
                depth[head] = depth[node] + 1
                queue.append(head)
    return depth
