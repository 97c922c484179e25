"""From weighted structures to a periodic schedule (RR-4871, section 5.4; RR-4872, 3.3 and 4.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from math import gcd, lcm
from operator import itemgetter

from exactsched.certificate.collectives import PeriodicSchedule, Slot, Structure
from exactsched.exact.collection import without_collection
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import text
from exactsched.model.problem import Collective, Reduction
from exactsched.model.tasks import Item, Task, WeightedStructure, duration, size
from exactsched.steady_state.slots import common_measure, place_slots


@without_collection()
def periodic_schedule(
    problem: Collective, structures: Sequence[WeightedStructure]
) -> PeriodicSchedule:
    """Any structures that overload no resource can be run together, whatever their weights.

    `structures` is not empty, weights are operations per time unit.  The period is the shortest in
    which every structure is used a whole number of times; within it every arc works for all
    its transfers together, and a weighted edge coloring lays out these times so that no two
    that share a resource overlap.  Processors start with the period and stop when their tasks
    are done.  A task may be interrupted between two slots; `whole_tasks` removes that.

    The number of slots is that of `busy_intervals`, a few per arc in use, and one per processor;
    nothing costs time proportional to the period.  Raises `InvalidInput` if a resource is
    overloaded, and for half-duplex on a graph with an odd cycle.

    Reference: RR-4871, lemma 1 and theorem 6; RR-4872, sections 3.3 and 4.3; Gonzalez and Sahni
    1976.

    >>> from exactsched.model.platform import Platform
    >>> chain = Platform("abc", [("a", "b", 1), ("b", "c", "1/2")])
    >>> from exactsched.model.problem import Alltoall
    >>> asked = Alltoall(chain, (("a", "b"), ("a", "c")))
    >>> routes = [WeightedStructure(0, ((0, 0),), Fraction(1, 2)),
    ...           WeightedStructure(1, ((0, 1), (1, 1)), Fraction(1, 2))]
    >>> schedule = periodic_schedule(asked, routes)
    >>> schedule.period, schedule.tick, [tuple(slot) for slot in schedule.slots]
    (Fraction(2, 1), Fraction(1, 2), [(1, 0, 1), (0, 0, 4)])
    """
    measure, counts = common_measure(structure.weight for structure in structures)
    return schedule_of(problem, 1 / measure, structures, counts)


def schedule_of(
    problem: Collective,
    period: Fraction,
    structures: Sequence[WeightedStructure],
    counts: Sequence[int],
) -> PeriodicSchedule:
    """The schedule of this period in which every structure is used as often as its count.

    Structures with count 0 are left out.  Raises `InvalidInput` if a resource works for longer
    than the period.

    >>> from exactsched.model.platform import Platform
    >>> from exactsched.model.problem import Alltoall
    >>> asked = Alltoall(Platform("ab", [("a", "b", 2)]), (("a", "b"),))
    >>> route = WeightedStructure(0, ((0, 0),), Fraction(1, 2))
    >>> schedule_of(asked, Fraction(7), [route], [3]).slots
    (Slot(place=0, start=0, end=1),)
    """
    used = [(one, count) for one, count in zip(structures, counts, strict=True) if count]
    tick, slots = place_slots(problem, working_times(problem, structures, counts))
    longest = max((end for _, _, end in slots), default=0) * tick
    if longest > period:
        rule = "a resource works more than full time"
        raise InvalidInput("structures", text(longest / period), rule)
    planned = tuple(Structure(count, one.part, one.tasks) for one, count in used)
    schedule = PeriodicSchedule(period, tick, planned, slots, False)
    return replace(schedule, whole=True) if _interruption(problem, schedule) == 1 else schedule


def working_times(
    problem: Collective, structures: Sequence[WeightedStructure], counts: Sequence[int]
) -> dict[int, Fraction]:
    """How long every place works if the structures are used so often.

    >>> from exactsched.model.platform import Platform
    >>> from exactsched.model.problem import Alltoall
    >>> asked = Alltoall(Platform("ab", [("a", "b", 2)]), (("a", "b"),))
    >>> working_times(asked, [WeightedStructure(0, ((0, 0),), Fraction(1, 2))], [3])
    {0: Fraction(6, 1)}
    """
    busy: dict[int, Fraction] = {}
    for task, count in _alike(problem, structures, counts):
        time = duration(problem, task) * count  # an int in front takes twice as long
        busy[task[0]] = busy[task[0]] + time if task[0] in busy else time
    return busy


def _alike(
    problem: Collective, structures: Sequence[WeightedStructure], counts: Sequence[int]
) -> Iterator[tuple[Task, int]]:
    """Tasks that stand for all those that are done at their places, and how often.

    What a structure of a part sends has one size, and so has what most parts send.
    """
    used = [(one.tasks, count) for one, count in zip(structures, counts, strict=True) if count]
    if isinstance(problem, Reduction):
        each: Counter[Task] = Counter()
        for tasks, count in used:
            for task in tasks:
                each[task] += count
        yield from each.items()
        return
    # Alltoalls have hundreds of thousands of structures: those of a size and count are one group.
    sent: dict[tuple[int, int], tuple[Item, dict[int, list[Sequence[Task]]]]] = {}
    for tasks, count in used:
        item = tasks[0][1:]
        _, listed = sent.setdefault(size(problem, item).as_integer_ratio(), (item, {}))
        listed.setdefault(count, []).append(tasks)
    for item, groups in sent.values():
        times: dict[int, int] = {}
        for count, group in groups.items():
            places = map(itemgetter(0), chain.from_iterable(group))
            for place, often in Counter(places).items():
                times[place] = times.get(place, 0) + count * often
        for place, often in times.items():
            yield (place, *item), often


def whole_tasks(problem: Collective, schedule: PeriodicSchedule) -> PeriodicSchedule:
    """The same slots in a longer period, in which no task is ever interrupted.

    The line of time of every place, its slots one after the other, is divided among the tasks in
    the order of the structures and their tasks.  The period grows by the least factor that makes
    each piece of a line, from the end of a slot or of the stretch of a task to the next, last a
    whole number of durations of its task.  Throughput and resources stay as they are.

    >>> from exactsched.model.platform import Platform
    >>> from exactsched.model.problem import Alltoall
    >>> asked = Alltoall(Platform("ab", [("a", "b", 2)]), (("a", "b"),))
    >>> split = PeriodicSchedule(Fraction(3), Fraction(1), (Structure(1, 0, ((0, 0),)),),
    ...                          ((0, 0, 1), (0, 2, 3)), False)
    >>> whole = whole_tasks(asked, split)
    >>> whole.period, whole.structures[0].operations, whole.slots == split.slots
    (Fraction(6, 1), 2, True)
    """
    factor = _interruption(problem, schedule)
    structures = tuple(
        Structure(factor * one.operations, one.part, one.tasks) for one in schedule.structures
    )
    return PeriodicSchedule(
        schedule.period * factor, schedule.tick * factor, structures, schedule.slots, True
    )


def _interruption(problem: Collective, schedule: PeriodicSchedule) -> int:
    """The least factor by which all must grow so that no slot ends inside a task; 1 if none does.

    A slot that ends x after the beginning of the stretch of tasks of duration d has to end after
    a whole number of them, x / d.  All in integers: every place has a unit of time of its own.
    """
    if problem.ports == "routes":
        return 1  # the tasks of an arc take the whole of its only slot
    # So do those of every other place with one slot.
    often = Counter(slot[0] for slot in schedule.slots)
    slots = [slot for slot in schedule.slots if often[slot[0]] > 1]
    ticks: dict[int, int] = {}
    lines: dict[int, list[tuple[int, int]]] = {}
    for place, stretches in _stretches(problem, schedule, slots).items():
        _, counted = common_measure([schedule.tick, *chain.from_iterable(stretches)])
        ticks[place], ends, times = counted[0], counted[1::2], counted[2::2]
        lines[place] = list(zip(ends, times, strict=True))
    worked, turn = dict.fromkeys(lines, 0), dict.fromkeys(lines, 0)
    factor = 1
    for place, start, end in slots:
        worked[place] += (end - start) * ticks[place]
        line = lines[place]
        while line[turn[place]][0] < worked[place]:
            turn[place] += 1
        until, time = line[turn[place]]
        # The stretch itself is whole, so what is left of it tells the same as what is done.
        factor = lcm(factor, time // gcd(time, until - worked[place]))
    return factor


def _stretches(
    problem: Collective, schedule: PeriodicSchedule, slots: Sequence[Slot]
) -> dict[int, list[tuple[Fraction, Fraction]]]:
    """The line of time of each place with slots: where stretches of tasks of a duration end."""
    lines: dict[int, list[tuple[Fraction, Fraction]]] = {}
    ticks: Counter[int] = Counter()
    for place, start, end in slots:
        ticks[place] += end - start
    items = [structure.tasks[0][1:] for structure in schedule.structures if ticks]
    # Pairs of integers, since to hash a fraction takes three times as long.
    if (
        not isinstance(problem, Reduction)
        and len({size(problem, item).as_integer_ratio() for item in items}) == 1
    ):
        # One stretch: what a structure sends has one size.
        for place, count in ticks.items():
            lines[place] = [(count * schedule.tick, duration(problem, (place, *items[0])))]
        return lines
    for structure in schedule.structures if ticks else ():
        for task in structure.tasks:
            if task[0] in ticks:
                line = lines.setdefault(task[0], [])
                time = duration(problem, task)
                begin = line[-1][0] if line else 0
                line.append((begin + structure.operations * time, time))
    return lines
