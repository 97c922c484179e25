"""Slow oracles by definition, for certificates of all-to-alls and reductions.

They share nothing with the solvers or with the checker: documents are read member by member, time
passes task by task, and optima come from all structures and all sets of transfers that may run
at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from exactsched.exact.rational import exact
from exactsched.model.platform import Node, Platform
from exactsched.model.problem import Alltoall, Reduction
from exactsched.oracles.broadcast import compatible_sets
from exactsched.oracles.linear_programs import maximum
from tests.oracles.definitions import ImpossibleError, moment, refuse_collisions

Task = tuple[int, ...]
State = tuple[tuple[int, ...], Node]


def problem_of(document: dict[str, Any]) -> Alltoall | Reduction:
    """The problem of a certificate, read directly."""
    asked = document["problem"]
    platform = Platform(asked["platform"]["nodes"], map(tuple, asked["platform"]["arcs"]))
    if asked["collective"] == "alltoall":
        return Alltoall(platform, asked["demands"], asked["ports"])
    goals = tuple(((k, m), node) for k, m, node in asked["goals"])
    return Reduction(
        platform, asked["owners"], goals, asked["size"], asked["compute"], asked["ports"]
    )


def inputs(problem: Alltoall | Reduction, task: Task) -> list[State]:
    place, *item = task
    arcs = problem.platform.arcs
    if place < len(arcs):
        return [(tuple(item), arcs[place].tail)]
    k, cut, m = item
    node = problem.platform.nodes[place - len(arcs)]
    return [((k, cut), node), ((cut + 1, m), node)]


def output(problem: Alltoall | Reduction, task: Task) -> State:
    place, *item = task
    arcs = problem.platform.arcs
    if place < len(arcs):
        return tuple(item), arcs[place].head
    return (item[0], item[2]), problem.platform.nodes[place - len(arcs)]


def lasts(problem: Alltoall | Reduction, task: Task) -> Fraction:
    place, *item = task
    arcs = problem.platform.arcs
    if isinstance(problem, Alltoall):
        return arcs[place].cost * problem.demands[item[0]].size
    if place < len(arcs):
        sizes = problem.size
        if isinstance(sizes, Fraction):
            return arcs[place].cost * sizes
        return next(arcs[place].cost * size for k, m, size in sizes if [k, m] == item)
    node = problem.platform.nodes[place - len(arcs)]
    for row in problem.compute:
        if row[0] == node and (len(row) == 2 or list(row[1:4]) == item):
            time: Fraction = row[-1]
            return time
    raise ImpossibleError(f"{node} cannot do {item}")


def tasks(problem: Reduction) -> list[Task]:
    """All that can be done in a reduction."""
    arcs, nodes = len(problem.platform.arcs), problem.platform.nodes
    count = len(problem.owners)
    intervals = [(k, m) for k in range(count) for m in range(k, count)]
    sent = [(arc, k, m) for arc in range(arcs) for k, m in intervals]
    made = [
        (arcs + index, k, cut, m)
        for index, node in enumerate(nodes)
        for k, m in intervals
        for cut in range(k, m)
        if problem.time(node, (k, cut, m)) is not None
    ]
    return [*sent, *made]


def given(problem: Alltoall | Reduction) -> set[State]:
    if isinstance(problem, Alltoall):
        return {((index,), demand.source) for index, demand in enumerate(problem.demands)}
    return {((index, index), owner) for index, owner in enumerate(problem.owners)}


def _wanted(problem: Alltoall | Reduction) -> list[State]:
    if isinstance(problem, Alltoall):
        return [((index,), demand.target) for index, demand in enumerate(problem.demands)]
    return list(problem.goals)


def _structures(
    problem: Alltoall | Reduction, schedule: dict[str, Any]
) -> list[tuple[int, int, list[Task]]]:
    """The (part, count, tasks) of a period."""
    if isinstance(problem, Alltoall):
        return [
            (
                route["demand"],
                int(exact(route["messages"], "messages")),
                [(arc, route["demand"]) for arc in route["arcs"]],
            )
            for route in schedule["routes"]
        ]
    return [
        (0, int(exact(scheme["operations"], "operations")), list(map(tuple, scheme["tasks"])))
        for scheme in schedule["schemes"]
    ]


def _levels(problem: Alltoall | Reduction, tasks: list[Task]) -> list[int]:
    """The length of the longest line of tasks that ends with each of them."""
    level = dict.fromkeys(given(problem), 0)
    levels = []
    for task in tasks:
        missing = [state for state in inputs(problem, task) if state not in level]
        if missing:
            raise ImpossibleError(f"{task} has no {missing[0]}")
        levels.append(1 + max(level[state] for state in inputs(problem, task)))
        level[output(problem, task)] = levels[-1]
    return levels


def depth(document: dict[str, Any]) -> int:
    """The largest level of all tasks."""
    problem = problem_of(document)
    listed = _structures(problem, document["schedule"])
    return max(max(_levels(problem, tasks), default=0) for _, _, tasks in listed)


def batch(document: dict[str, Any]) -> int:
    """How many operations a period is for: those of the part that has the fewest."""
    problem = problem_of(document)
    parts = len(problem.demands) if isinstance(problem, Alltoall) else 1
    counts = [0] * parts
    for part, count, _ in _structures(problem, document["schedule"]):
        counts[part] += count
    return min(counts)


def simulate_series(document: dict[str, Any], periods: int) -> int:
    """Runs a periodic schedule from an empty machine; returns the operations it has completed.

    In every period every place does, in its slots, the tasks of its structures in their order; a
    task of level h does in period r the work of batch r - h + 1.  Raises `ImpossibleError` for
    a collision, a task without its inputs, a slot outside of its period, slots too short, and
    for a task that is interrupted although the schedule says that none is.
    """
    problem, schedule = problem_of(document), document["schedule"]
    if schedule is None:
        return 0
    period, tick = exact(schedule["period"], "period"), exact(schedule["tick"], "tick")
    slots = [
        (exact(start, "start") * tick, exact(end, "end") * tick, place)
        for place, start, end in schedule["slots"]
    ]
    if any(start < 0 or start >= end or end > period for start, end, _ in slots):
        raise ImpossibleError("a slot is empty or outside of the period")
    _refuse_collisions(problem, slots)
    listed = _structures(problem, schedule)
    levels = [_levels(problem, tasks) for _, _, tasks in listed]
    lines: dict[int, list[tuple[Fraction, Fraction]]] = {}
    for start, end, place in sorted(slots):
        lines.setdefault(place, []).append((start, end))
    made: dict[tuple[int, int, int, State], Fraction] = {}
    needed: list[tuple[int, int, int, State, Fraction]] = []
    for time in range(periods):
        spent = dict.fromkeys(lines, Fraction(0))
        for number, (_, count, tasks) in enumerate(listed):
            for task, level in zip(tasks, levels[number], strict=True):
                place, time_of_task = task[0], lasts(problem, task)
                line = lines.get(place, [])
                for one in range(count):
                    before = spent.get(place, Fraction(0))
                    start, end = (
                        moment(line, before, True),
                        moment(line, before + time_of_task, False),
                    )
                    spent[place] = before + time_of_task
                    if schedule["whole"] and end - start != time_of_task:
                        raise ImpossibleError(f"{task} is interrupted")
                    if time < level - 1:
                        continue
                    key = number, time - level + 1, one
                    there = (*key, output(problem, task))  # once more, where a route comes back
                    made[there] = min(end + time * period, made.get(there, end + time * period))
                    needed += [
                        (*key, state, start + time * period) for state in inputs(problem, task)
                    ]
    there = given(problem)
    for number, time, one, state, start in needed:
        if state not in there and made.get((number, time, one, state), start + 1) > start:
            raise ImpossibleError(f"{state} is not there in time")
    done: dict[int, int] = {}
    for number, (part, count, _) in enumerate(listed):
        wanted = [_wanted(problem)[part]] if isinstance(problem, Alltoall) else _wanted(problem)
        ends = [
            [made.get((number, time, one, state)) for state in wanted]
            for time in range(periods)
            for one in range(count)
        ]
        complete = sum(all(end is not None and end <= periods * period for end in e) for e in ends)
        done[part] = done.get(part, 0) + complete
    parts = range(len(problem.demands)) if isinstance(problem, Alltoall) else range(1)
    return min(done.get(part, 0) for part in parts)


def simulate_run(document: dict[str, Any]) -> Fraction:
    """Does the tasks of a finite schedule; returns when the last of them ends."""
    problem, run = problem_of(document), document["run"]
    tick = exact(run["tick"], "tick")
    tasks = [tuple(task) for task in run["tasks"]]
    rows = [
        (exact(start, "start") * tick, exact(end, "end") * tick, task, operation)
        for task, operation, start, end in run["rows"]
    ]
    if any(not 0 <= start < end for start, end, _, _ in rows):
        raise ImpossibleError("a task of no length")
    _refuse_collisions(problem, [(start, end, tasks[task][0]) for start, end, task, _ in rows])
    pieces: dict[tuple[int, int], list[tuple[Fraction, Fraction]]] = {}
    for start, end, task, operation in rows:
        pieces.setdefault((task, operation), []).append((start, end))
    made: dict[tuple[int, State], Fraction] = {}
    for (task, operation), parts in pieces.items():
        if sum(end - start for start, end in parts) != lasts(problem, tasks[task]):
            raise ImpossibleError(f"{tasks[task]} is not done completely")
        key = operation, output(problem, tasks[task])
        end = max(end for _, end in parts)
        made[key] = min(end, made.get(key, end))
    there = given(problem)
    for (task, operation), parts in pieces.items():
        first = min(start for start, _ in parts)
        for state in inputs(problem, tasks[task]):
            if state not in there and made.get((operation, state), first + 1) > first:
                raise ImpossibleError(f"{state} is not there in time")
    for operation in range(int(exact(document["problem"]["operations"], "operations"))):
        for state in _wanted(problem):
            if (operation, state) not in made:
                raise ImpossibleError(f"{state} is never made in operation {operation}")
    return max(end for _, end, _, _ in rows)


def _refuse_collisions(
    problem: Alltoall | Reduction, busy: list[tuple[Fraction, Fraction, int]]
) -> None:
    arcs = len(problem.platform.arcs)
    transfers = [piece for piece in busy if piece[2] < arcs]
    refuse_collisions(problem.platform, problem.ports, transfers)
    computing = sorted(piece for piece in busy if piece[2] >= arcs)
    for index, (_, end, place) in enumerate(computing):
        if any(other == place and start < end for start, _, other in computing[index + 1 :]):
            raise ImpossibleError(f"the processor {place} does two tasks at once")


def optimal_throughput_by_definition(problem: Alltoall | Reduction) -> Fraction:
    """The optimum over all time shares of sets of transfers that may run at once.

    Maximize the rate at which operations are done by all routes, or reduction trees, or unions of
    a tree for each goal; every arc gets its time from the compatible sets that contain it, whose
    shares add up to at most 1, and every processor works at most all the time.  Exponential: up
    to three values on three or four nodes.
    """
    arcs = len(problem.platform.arcs)
    parts = list(_parts(problem))
    if not all(parts):
        return Fraction(0)
    listed = [(part, tasks) for part, ways in enumerate(parts) for tasks in ways]
    loads = [_load(problem, tasks) for _, tasks in listed]
    places = sorted(set().union(*loads))
    useful = [place for place in places if place < arcs]
    sets = compatible_sets(problem.platform, problem.ports, useful)
    none = [Fraction(0)] * len(sets)
    rows = [
        [Fraction(1)] + [Fraction(-(part == index)) for part, _ in listed] + none
        for index in range(len(parts))
    ]
    limits = [Fraction(0)] * len(parts)
    for place in places:
        shares = [-Fraction(place in chosen) for chosen in sets] if place < arcs else none
        rows.append([Fraction(0)] + [load.get(place, Fraction(0)) for load in loads] + shares)
        limits.append(Fraction(place >= arcs))
    rows.append([Fraction(0)] * (1 + len(listed)) + [Fraction(1)] * len(sets))
    limits.append(Fraction(1))
    objective = [Fraction(1)] + [Fraction(0)] * (len(listed) + len(sets))
    return maximum(objective, rows, limits)


def _load(problem: Alltoall | Reduction, tasks: frozenset[Task]) -> dict[int, Fraction]:
    load: dict[int, Fraction] = {}
    for task in tasks:
        load[task[0]] = load.get(task[0], Fraction(0)) + lasts(problem, task)
    return load


def _parts(problem: Alltoall | Reduction) -> Iterator[list[frozenset[Task]]]:
    """For every part of an operation all the ways to do it, as sets of tasks."""
    if isinstance(problem, Alltoall):
        for index, demand in enumerate(problem.demands):
            routes = _routes(problem.platform, demand.source, demand.target, ())
            yield [frozenset((arc, index) for arc in route) for route in routes]
        return
    ways = [sorted(_trees(problem, *goal), key=sorted) for goal in problem.goals]
    yield sorted({frozenset().union(*trees) for trees in product(*ways)}, key=sorted)


def _routes(
    platform: Platform, start: Node, end: Node, before: tuple[Node, ...]
) -> Iterator[tuple[int, ...]]:
    """All paths that come to no node twice."""
    if start == end:
        yield ()
        return
    for index, arc in enumerate(platform.arcs):
        if arc.tail == start and arc.head not in before:
            for rest in _routes(platform, arc.head, end, (*before, start)):
                yield (index, *rest)


def _trees(problem: Reduction, interval: tuple[int, int], node: Node) -> set[frozenset[Task]]:
    """All ways to have v[k,m] at the node: made or given somewhere, then sent along a path."""
    (k, m), nodes = interval, problem.platform.nodes
    found = set()
    for index, maker in enumerate(nodes):
        place = len(problem.platform.arcs) + index
        made: set[frozenset[Task]] = set()
        if k == m and problem.owners[k] == maker:
            made.add(frozenset())
        for cut in range(k, m):
            task = (place, k, cut, m)
            if problem.time(maker, (k, cut, m)) is None:
                continue
            lefts, rights = (_trees(problem, part, maker) for part in ((k, cut), (cut + 1, m)))
            made |= {left | right | {task} for left in lefts for right in rights}
        for route in _routes(problem.platform, maker, node, ()):
            sent = frozenset((arc, k, m) for arc in route)
            found |= {tree | sent for tree in made}
    return found
