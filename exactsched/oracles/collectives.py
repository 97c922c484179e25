"""Certificates of series and runs, played task by task, and optima of small problems.

Nothing is shared with the solvers or with the checker: documents are read member by member, and
optima come from all structures and all sets of transfers that may run at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, Final, TypeVar

from exactsched.certificate.documents import parse, to_document
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import exact
from exactsched.model.platform import Platform
from exactsched.model.problem import (
    Allgather,
    Alltoall,
    Broadcast,
    Collective,
    Combination,
    Reduction,
)
from exactsched.model.tasks import State, Task, duration, given, makes, needs, parts, wanted
from exactsched.oracles import broadcast
from exactsched.oracles.alltoall import routes
from exactsched.oracles.order_free import all_pairs_of_trees, wrong_sum
from exactsched.oracles.reduce import schemes
from exactsched.oracles.series import Series, optimum_of_sets, ranks
from exactsched.oracles.switches import forwarded_twice, trees_of_paths
from exactsched.oracles.transfers import ImpossibleError, moment, refuse_collisions

# Routes of a demand, or schemes: optima by definition are for small problems.
_WAYS = 100_000
# Transfers of a run whose orders are all tried.
_ALL_ORDERS: Final = 4
# The number of a structure, of a batch, and of an operation in it.
_Operation = tuple[int, int, int]
_Key = TypeVar("_Key")


def problem_of(document: dict[str, Any]) -> Collective:
    """The problem of a certificate, read directly."""
    asked = document["problem"]
    platform = Platform(asked["platform"]["nodes"], map(tuple, asked["platform"]["arcs"]))
    if asked["collective"] == "broadcast":
        return Broadcast(platform, asked["source"], asked["ports"], asked["restrict"])
    if asked["collective"] == "alltoall":
        return Alltoall(platform, asked["demands"], asked["ports"])
    if asked["collective"] == "allgather":
        shards: Any = [tuple(shard) if len(shard) > 1 else (*shard, 1) for shard in asked["shards"]]
        return Allgather(platform, shards, asked["ports"])
    if asked["collective"] == "combination":
        blocks: Any = [tuple(block) for block in asked["blocks"]]
        return Combination(
            platform, blocks, asked["ports"], asked.get("among"), asked.get("groups")
        )
    goals = tuple(((k, m), node) for k, m, node in asked["goals"])
    size = asked["sizes"] if asked["size"] is None else asked["size"]
    times = (*asked["compute"], *asked["compute_tasks"])
    return Reduction(platform, asked["owners"], goals, size, times, asked["ports"])


def _structures(schedule: dict[str, Any]) -> list[tuple[int, int, list[Task]]]:
    """The (part, count, tasks) of a period."""
    return [
        (one["part"], int(exact(one["operations"], "operations")), list(map(tuple, one["tasks"])))
        for one in schedule["structures"]
    ]


def _ranks(problem: Collective, tasks: list[Task]) -> list[int]:
    try:
        return ranks(problem, tasks)
    except KeyError as missing:
        raise ImpossibleError(f"nothing makes {missing}") from None


def depth(document: dict[str, Any]) -> int:
    """The length of the longest row of tasks of a structure."""
    problem = problem_of(document)
    listed = _structures(document["schedule"])
    return max(max(_ranks(problem, tasks), default=0) for _, _, tasks in listed)


def batch(document: dict[str, Any]) -> int:
    """How many operations a period is for: those of the part that has the fewest."""
    problem = problem_of(document)
    counts = [0] * len(parts(problem))
    for part, count, _ in _structures(document["schedule"]):
        counts[part] += count
    return min(counts)


def simulate_series(document: dict[str, Any], periods: int) -> int:
    """Runs a periodic schedule from an empty machine; returns the operations it has completed.

    In every period every place does, in its slots, the tasks of its structures in their order; a
    task of rank h does in period r the work of batch r - h + 1.  Raises `ImpossibleError` for
    a collision, a task without its inputs, a slot outside of its period, slots too short, and
    for a task that is interrupted although the schedule says that none is.
    """
    problem, schedule = problem_of(document), document["schedule"]
    if schedule is None:
        return 0
    period = exact(schedule["period"], "period")
    lines = _lines(problem, schedule, period)
    structures = _structures(schedule)
    for _, _, tasks in structures:
        _refuse_wrong_values(problem, tasks)
    slowed = _slowed(problem, structures, lines) if problem.ports == "routes" else {}
    made: dict[tuple[_Operation, State], Fraction] = {}
    needed: list[tuple[_Operation, State, Fraction]] = []
    for now in range(periods):
        spent: dict[int, Fraction] = {}
        for number, (_, count, tasks) in enumerate(structures):
            for task, rank in zip(tasks, _ranks(problem, tasks), strict=True):
                line = lines.get(task[0], [])
                time = duration(problem, task) * slowed.get(task[0], 1)
                for one in range(count):
                    before = spent.get(task[0], Fraction(0))
                    spent[task[0]] = before + time
                    start, end = moment(line, before, True), moment(line, before + time, False)
                    if schedule["whole"] and end - start != time:
                        raise ImpossibleError(f"{task} is interrupted")
                    if now < rank - 1:
                        continue
                    operation = number, now - rank + 1, one
                    key = operation, makes(problem, task)  # once more, where a route comes back
                    made[key] = min(end + now * period, made.get(key, end + now * period))
                    needed += [
                        (operation, state, start + now * period) for state in needs(problem, task)
                    ]
    _refuse_missing(problem, made, needed)
    done = [0] * len(parts(problem))
    for number, (part, count, _) in enumerate(structures):
        goals = parts(problem)[part]
        for batch_number, one in product(range(periods), range(count)):
            ends = [made.get(((number, batch_number, one), state)) for state in goals]
            done[part] += all(end is not None and end <= periods * period for end in ends)
    return min(done)


def _slowed(
    problem: Collective,
    structures: list[tuple[int, int, list[Task]]],
    lines: dict[int, list[tuple[Fraction, Fraction]]],
) -> dict[int, Fraction]:
    """Under routes, how many times as long as alone the work of each arc lasts in its slots.

    Raises `ImpossibleError` if a link carries more than its bandwidth at some moment.
    """
    alone: dict[int, Fraction] = {}
    for _, count, tasks in structures:
        for task in tasks:
            time = count * duration(problem, task)
            alone[task[0]] = alone.get(task[0], Fraction(0)) + time
    lasting = {place: sum(end - start for start, end in line) for place, line in lines.items()}
    if not alone.keys() <= lasting.keys():
        raise ImpossibleError("an arc has work and no slot")
    arcs = problem.platform.arcs
    for name, cost in problem.platform.links.items():
        using = [
            (line, alone[place] / arcs[place].cost / lasting[place])
            for place, line in lines.items()
            if place in alone and name in dict(arcs[place].route)
        ]
        for now in {start for line, _ in using for start, _ in line}:
            speeds = [
                speed for line, speed in using if any(start <= now < end for start, end in line)
            ]
            if sum(speeds) * cost > 1:
                raise ImpossibleError(f"link {name} carries too much at {now}")
    return {place: lasting[place] / time for place, time in alone.items()}


def _lines(
    problem: Collective, schedule: dict[str, Any], period: Fraction
) -> dict[int, list[tuple[Fraction, Fraction]]]:
    """The slots (start, end) of each place, in order."""
    tick = exact(schedule["tick"], "tick")
    slots = [
        (exact(start, "start") * tick, exact(end, "end") * tick, place)
        for place, start, end in schedule["slots"]
    ]
    if any(start < 0 or start >= end or end > period for start, end, _ in slots):
        raise ImpossibleError("a slot is empty or outside of the period")
    if problem.ports != "routes":
        _refuse_collisions(problem, slots)
    lines: dict[int, list[tuple[Fraction, Fraction]]] = {}
    for start, end, place in sorted(slots):
        lines.setdefault(place, []).append((start, end))
    return lines


def simulate_run(document: dict[str, Any]) -> Fraction:
    """Does the tasks of a finite schedule; returns when the last of them ends."""
    problem = problem_of(document)
    arcs, tick = problem.platform.arcs, exact(document["tick"], "tick")
    operations = int(exact(document["operations"], "operations"))
    sizes = [exact(size, "size") for size in document["sizes"]] or [Fraction(1)] * operations
    tasks = [tuple(task) for task in document["tasks"]]
    rows = [
        (exact(start, "start") * tick, exact(end, "end") * tick, task, operation)
        for task, operation, start, end in document["rows"]
    ]
    if any(not 0 <= start < end for start, end, _, _ in rows):
        raise ImpossibleError("a task takes no time")
    _refuse_collisions(problem, [(start, end, tasks[task][0]) for start, end, task, _ in rows])
    pieces: dict[tuple[int, int], list[tuple[Fraction, Fraction]]] = {}
    for start, end, task, operation in rows:
        pieces.setdefault((task, operation), []).append((start, end))
    made: dict[tuple[int, State], Fraction] = {}
    for (task, operation), done in pieces.items():
        place = tasks[task][0]
        latency = arcs[place].latency if place < len(arcs) else 0
        if latency and len(done) > 1:
            raise ImpossibleError("the start-up is paid once for several pieces")
        time = latency + sizes[operation] * duration(problem, tasks[task])
        if sum(end - start for start, end in done) != time:
            raise ImpossibleError(f"{tasks[task]} is not done completely")
        key = operation, makes(problem, tasks[task])
        end = max(end for _, end in done)
        made[key] = min(end, made.get(key, end))
    for operation in range(operations):
        _refuse_wrong_values(problem, [tasks[task] for task, other in pieces if other == operation])
    needed = [
        (operation, state, min(start for start, _ in done))
        for (task, operation), done in pieces.items()
        for state in needs(problem, tasks[task])
    ]
    _refuse_missing(problem, made, needed)
    for operation in range(operations):
        for state in wanted(problem):
            if (operation, state) not in made:
                raise ImpossibleError(f"{state} is never made in operation {operation}")
    return max(end for _, end, _, _ in rows)


def _refuse_missing(
    problem: Collective,
    made: Mapping[tuple[_Key, State], Fraction],
    needed: Iterable[tuple[_Key, State, Fraction]],
) -> None:
    """Raises `ImpossibleError` if a state is needed before it is made."""
    there = given(problem)
    for operation, state, start in needed:
        if state not in there and made.get((operation, state), start + 1) > start:
            raise ImpossibleError(f"{state} is not there in time")


def _refuse_wrong_values(problem: Collective, tasks: Iterable[Task]) -> None:
    if isinstance(problem, (Allgather, Combination)) and forwarded_twice(problem, tasks):
        raise ImpossibleError("what a node only forwards is sent twice")
    if isinstance(problem, Combination) and (wrong := wrong_sum(problem, tasks)):
        raise ImpossibleError(f"{wrong} has not every value once")


def _refuse_collisions(problem: Collective, busy: list[tuple[Fraction, Fraction, int]]) -> None:
    arcs = len(problem.platform.arcs)
    transfers = [piece for piece in busy if piece[2] < arcs]
    refuse_collisions(problem.platform, problem.ports, transfers)
    computing = sorted(piece for piece in busy if piece[2] >= arcs)
    for index, (_, end, place) in enumerate(computing):
        if any(other == place and start < end for start, _, other in computing[index + 1 :]):
            raise ImpossibleError(f"the processor {place} does two tasks at once")


def optimal_throughput_by_definition(problem: Series | Allgather | Combination) -> Fraction:
    """The optimum over all routes, trees of paths, pairs of trees, or unions of trees for goals.

    Exponential: up to three values on three or four nodes.

    >>> line = Platform("abc", [("a", "b", 1), ("b", "c", 2)])
    >>> optimal_throughput_by_definition(Alltoall(line, (("a", "c"),), "half-duplex"))
    Fraction(1, 3)
    """
    if isinstance(problem, Allgather):
        return optimum_of_sets(problem, trees_of_paths(problem))
    if isinstance(problem, Combination):
        return optimum_of_sets(problem, all_pairs_of_trees(problem))
    if isinstance(problem, Alltoall):
        if (parts := routes(problem, _WAYS)) is not None:
            return optimum_of_sets(problem, parts)
    elif (ways := schemes(problem, _WAYS)) is not None:
        return optimum_of_sets(problem, [ways])
    raise ValueError("too many ways to carry out an operation")


# What a certificate says -------------------------------------------------------------------------


def collective_fault(document: dict[str, Any], best: Fraction | None = None) -> str:
    """What is false of all that the certificate of a series or a run says; empty if nothing is.

    Its schedule is played, and the `best` throughput worked out by definition, if it is not given.
    """
    faults = _faults_of_run if "makespan" in document else _faults_of_series
    if document["kind"] in ("series-around-cycle", "series-by-symmetry"):
        try:
            document = to_document(parse(document).written_out())
        except InvalidInput as error:
            return str(error)
    try:
        return next(faults(document, best), "")
    except ImpossibleError as error:
        return str(error)


def _faults_of_series(document: dict[str, Any], best: Fraction | None) -> Iterator[str]:
    throughput, bound = exact(document["throughput"], ""), exact(document["bound"], "")
    best = _optimum(problem_of(document)) if best is None else best
    if not throughput <= best <= bound:
        yield f"the optimum is {best}"
    if document["optimal"] != (throughput == bound):
        yield "optimal means that the throughput is the bound"
    if document["schedule"] is None:
        if throughput:
            yield "without a schedule the throughput is 0"
        return
    periods, operations = depth(document) + 2, batch(document)
    if throughput * exact(document["schedule"]["period"], "") != operations:
        yield "the operations of a period are others"
    done = simulate_series(document, periods)
    if done < 3 * operations:
        yield f"{periods} periods complete {done} operations"


def _faults_of_run(document: dict[str, Any], best: Fraction | None) -> Iterator[str]:
    makespan, bound = exact(document["makespan"], ""), exact(document["bound"], "")
    ended = simulate_run(document)
    if makespan != ended:
        yield f"the run ends at {ended}"
    if bound > makespan:
        yield "the bound is above the makespan"
    if document["optimal"] != (makespan == bound):
        yield "optimal means that the makespan is the bound"
    problem, operations = problem_of(document), int(exact(document["operations"], ""))
    sizes = [exact(size, "") for size in document["sizes"]] or [Fraction(1)] * operations
    if problem.platform.first_late is None:
        # No schedule is longer at its work than it takes at the best throughput.
        best = _optimum(problem) if best is None else best
        if bound * best > sum(sizes):
            yield f"the throughput is at most {best}"
    if isinstance(problem, Broadcast):
        transfers = (len(problem.platform.nodes) - 1) * operations
        if transfers <= _ALL_ORDERS:
            least = broadcast.shortest_run_by_search(problem, sizes)
            if least is None or bound > least:
                yield f"a run takes {least}"


@cache
def _optimum(problem: Collective) -> Fraction:
    if isinstance(problem, Broadcast):
        return broadcast.optimal_throughput_by_definition(problem)
    return optimal_throughput_by_definition(problem)
