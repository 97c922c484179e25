"""From weighted routes or schemes to a periodic schedule (RR-4872, sections 3.3 and 4.3)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from exactsched.certificate.nouns import (
    CollectiveSchedule,
    Task,
    WeightedRoute,
    WeightedScheme,
)
from exactsched.errors import InvalidInput
from exactsched.problem import Gossip, Reduction
from exactsched.schedule import common_measure, place_slots
from exactsched.tasks import Structure, duration


def periodic_schedule(
    problem: Gossip | Reduction, structures: Sequence[Structure]
) -> CollectiveSchedule:
    """Any structures that overload no resource can be run together, whatever their weights.

    The period is the shortest in which every structure is used a whole number of times.  Raises
    `InvalidInput` if a resource is overloaded.
    """
    period = 1 / common_measure(structure.weight for structure in structures)
    counts = [int(structure.weight * period) for structure in structures]
    tick, slots = task_slots(problem, structures, counts)
    longest = max((end for _, _, end in slots), default=0) * tick
    if longest > period:
        raise InvalidInput("structures", longest / period, "a resource works more than full time")
    weighted: tuple[WeightedRoute, ...] | tuple[WeightedScheme, ...]
    if isinstance(problem, Gossip):
        weighted = tuple(
            WeightedRoute(count, structure.part, tuple(arc for arc, _ in structure.tasks))
            for structure, count in zip(structures, counts, strict=True)
        )
    else:
        weighted = tuple(
            WeightedScheme(count, structure.tasks)
            for structure, count in zip(structures, counts, strict=True)
        )
    return CollectiveSchedule(period, tick, weighted, slots, False)


def task_slots(
    problem: Gossip | Reduction, structures: Sequence[Structure], counts: Sequence[int]
) -> tuple[Fraction, tuple[tuple[int, int, int], ...]]:
    """Slots (place, start, end), in units of the returned tick, in which all the tasks fit."""
    times: dict[Task, Fraction] = {}
    busy: dict[int, Fraction] = {}
    for structure, count in zip(structures, counts, strict=True):
        for task in structure.tasks:
            if task not in times:
                times[task] = duration(problem, task)
            busy[task[0]] = busy.get(task[0], Fraction(0)) + count * times[task]
    return place_slots(problem, busy)


def whole_tasks(problem: Gossip | Reduction, schedule: CollectiveSchedule) -> CollectiveSchedule:
    """The same slots in a longer period, in which no task is ever interrupted."""
    raise NotImplementedError
