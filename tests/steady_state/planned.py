"""Structures of schedules, as tests write them down."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from exactsched.certificate.collectives import PeriodicSchedule, Slot, Structure
from exactsched.model.platform import Node, Platform
from exactsched.model.problem import Broadcast
from exactsched.model.tasks import Task, tree
from exactsched.steady_state.schedule import periodic_schedule
from exactsched.steady_state.slots import place_slots


def planned_tree(operations: int, arcs: tuple[int, ...]) -> Structure:
    """A broadcast tree of these arcs, each after the one into its tail."""
    return Structure(operations, 0, tuple((arc,) for arc in arcs))


def planned_route(operations: int, demand: int, arcs: tuple[int, ...]) -> Structure:
    """A way of a demand's message along these arcs."""
    return Structure(operations, demand, tuple((arc, demand) for arc in arcs))


def planned_scheme(operations: int, tasks: tuple[Task, ...]) -> Structure:
    """A reduction tree or scheme of these tasks."""
    return Structure(operations, 0, tasks)


def depths(platform: Platform, source: Node, arcs: Iterable[int]) -> dict[Node, int]:
    """How many arcs each node of an arborescence is away from the source."""
    below: dict[Node, list[Node]] = {}
    for arc in arcs:
        below.setdefault(platform.arcs[arc].tail, []).append(platform.arcs[arc].head)
    depth = {source: 0}
    queue = [source]
    for node in queue:
        for child in below.get(node, ()):
            depth[child] = depth[node] + 1
            queue.append(child)
    return depth


def batch_slots(
    problem: Broadcast, batches: Iterable[tuple[tuple[int, ...], int]]
) -> tuple[Fraction, tuple[Slot, ...]]:
    """Slots for batches of messages, each along a tree."""
    busy: dict[int, Fraction] = {}
    for arcs, count in batches:
        for arc in arcs:
            cost = problem.platform.arcs[arc].cost
            busy[arc] = busy.get(arc, Fraction(0)) + count * cost
    return place_slots(problem, busy)


def tree_schedule(
    problem: Broadcast, trees: Iterable[tuple[tuple[int, ...], Fraction]]
) -> PeriodicSchedule:
    """The periodic schedule of weighted trees, given by their arcs."""
    return periodic_schedule(problem, [tree(problem, arcs, weight) for arcs, weight in trees])
