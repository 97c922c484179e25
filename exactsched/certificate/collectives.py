"""The series and runs of all-to-alls and reductions, from their documents to their nouns."""

from __future__ import annotations

from typing import Any

from exactsched.certificate.elements import (
    read_filled,
    read_index,
    read_indices,
    read_integer,
    read_list,
    read_members,
    read_number,
    read_positive,
    read_rational,
    read_row,
    read_slots,
    read_truth,
    sketch,
)
from exactsched.certificate.limits import MAX_PACKETS
from exactsched.certificate.nouns import (
    CollectiveRun,
    CollectiveSchedule,
    CollectiveSeries,
    DistanceBound,
    PotentialBound,
    Task,
    WeightedRoute,
    WeightedScheme,
)
from exactsched.certificate.problems import read_prices
from exactsched.exact.errors import Malformed
from exactsched.exact.rational import Rational
from exactsched.model.problem import Alltoall, Reduction


def read_collective_series(
    members: dict[str, Any], problem: Alltoall | Reduction
) -> CollectiveSeries:
    claim = read_members(members["claim"], "claim", ("throughput", "bound", "optimal"))
    schedule = members["schedule"]
    return CollectiveSeries(
        problem=problem,
        throughput=read_rational(claim["throughput"], "claim.throughput"),
        bound_value=read_rational(claim["bound"], "claim.bound"),
        optimal=read_truth(claim["optimal"], "claim.optimal"),
        schedule=None if schedule is None else _schedule(schedule, problem),
        bound=_bound(members["bound"], problem),
    )


def read_collective_run(
    members: dict[str, Any], problem: Alltoall | Reduction, operations: object
) -> CollectiveRun:
    count = read_integer(operations, "problem.operations")
    if not 1 <= count <= MAX_PACKETS:
        rule = f"a run has from 1 to {MAX_PACKETS} operations"
        raise Malformed("problem.operations", sketch(count), rule)
    claim = read_members(members["claim"], "claim", ("makespan", "bound", "optimal"))
    run = read_members(members["run"], "run", ("tick", "tasks", "rows"))
    tasks = _tasks(run["tasks"], "run.tasks", problem)
    if len(set(tasks)) < len(tasks):
        raise Malformed("run.tasks", len(tasks) - len(set(tasks)), "a task is listed once")
    rows = []
    for index, row in enumerate(read_filled(run["rows"], "run.rows")):
        place = f"run.rows[{index}]"
        task, operation, start, end = read_row(row, place, "[task, operation, start, end]", 4)
        rows.append(
            (
                read_index(task, f"{place}[0]", len(tasks), "task"),
                read_index(operation, f"{place}[1]", count, "operation"),
                read_integer(start, f"{place}[2]"),
                read_integer(end, f"{place}[3]"),
            )
        )
    return CollectiveRun(
        problem=problem,
        operations=count,
        makespan=read_rational(claim["makespan"], "claim.makespan"),
        bound_value=read_rational(claim["bound"], "claim.bound"),
        optimal=read_truth(claim["optimal"], "claim.optimal"),
        tick=read_positive(run["tick"], "run.tick"),
        tasks=tasks,
        rows=tuple(rows),
        bound=_bound(members["bound"], problem),
    )


def _schedule(value: object, problem: Alltoall | Reduction) -> CollectiveSchedule:
    structures: tuple[WeightedRoute, ...] | tuple[WeightedScheme, ...]
    name = "routes" if isinstance(problem, Alltoall) else "schemes"
    given = read_members(value, "schedule", ("period", "tick", name, "slots", "whole"))
    listed = read_filled(given[name], f"schedule.{name}")
    if isinstance(problem, Alltoall):
        structures = tuple(
            _route(route, f"schedule.routes[{index}]", problem)
            for index, route in enumerate(listed)
        )
    else:
        structures = tuple(
            _scheme(scheme, f"schedule.schemes[{index}]", problem)
            for index, scheme in enumerate(listed)
        )
    places = len(problem.platform.arcs)
    if isinstance(problem, Reduction):
        places += len(problem.platform.nodes)
    return CollectiveSchedule(
        period=read_positive(given["period"], "schedule.period"),
        tick=read_positive(given["tick"], "schedule.tick"),
        structures=structures,
        slots=read_slots(given["slots"], "schedule.slots", places, "place"),
        whole=read_truth(given["whole"], "schedule.whole"),
    )


def _route(value: object, place: str, problem: Alltoall) -> WeightedRoute:
    route = read_members(value, place, ("messages", "demand", "arcs"))
    return WeightedRoute(
        _count(route["messages"], f"{place}.messages"),
        read_index(route["demand"], f"{place}.demand", len(problem.demands), "demand"),
        read_indices(route["arcs"], f"{place}.arcs", len(problem.platform.arcs), "arc"),
    )


def _scheme(value: object, place: str, problem: Reduction) -> WeightedScheme:
    scheme = read_members(value, place, ("operations", "tasks"))
    return WeightedScheme(
        _count(scheme["operations"], f"{place}.operations"),
        _tasks(scheme["tasks"], f"{place}.tasks", problem),
    )


def _count(value: object, place: str) -> int:
    count = read_integer(value, place)
    if count < 1:
        raise Malformed(place, sketch(count), "a structure is used at least once in a period")
    return count


def _tasks(value: object, place: str, problem: Alltoall | Reduction) -> tuple[Task, ...]:
    read = _transfer if isinstance(problem, Alltoall) else _reduction_task
    return tuple(
        read(row, f"{place}[{index}]", problem)  # type: ignore[arg-type]
        for index, row in enumerate(read_filled(value, place))
    )


def _transfer(row: object, place: str, problem: Alltoall) -> Task:
    arc, demand = read_row(row, place, "[arc, demand]", 2)
    return (
        read_index(arc, f"{place}[0]", len(problem.platform.arcs), "arc"),
        read_index(demand, f"{place}[1]", len(problem.demands), "demand"),
    )


def _reduction_task(row: object, place: str, problem: Reduction) -> Task:
    arcs, count = len(problem.platform.arcs), len(problem.owners)
    where, *item = read_row(row, place, "[arc, k, m] or [processor, k, l, m]", 3, 4)
    noun = "place"
    where = read_index(where, f"{place}[0]", arcs + len(problem.platform.nodes), noun)
    task = where, *(read_index(i, f"{place}[{k + 1}]", count, "value") for k, i in enumerate(item))
    if len(task) == 3 and where < arcs and task[1] <= task[2]:
        return task
    if len(task) == 4 and where >= arcs and task[1] <= task[2] < task[3]:
        return task
    rule = "an arc carries v[k,m] with k <= m, a processor does T[k,l,m] with k <= l < m"
    raise Malformed(place, list(task), rule)


def _bound(value: object, problem: Alltoall | Reduction) -> DistanceBound | PotentialBound:
    nodes = len(problem.platform.nodes)
    if isinstance(problem, Alltoall):
        given = read_members(value, "bound", ("prices", "distances"))
        prices = read_prices(given["prices"], "bound.prices", problem)
        place = "bound.distances"
        rows = _one_each(given["distances"], place, len(problem.sources), "source")
        return DistanceBound(prices, _numbers(rows, place, nodes))
    given = read_members(value, "bound", ("prices", "potentials"))
    prices = read_prices(given["prices"], "bound.prices", problem)
    count = len(problem.owners)
    tables = []
    goals = _one_each(given["potentials"], "bound.potentials", len(problem.goals), "goal")
    for index, table in enumerate(goals):
        place = f"bound.potentials[{index}]"
        rows = _one_each(table, place, count * (count + 1) // 2, "interval")
        tables.append(_numbers(rows, place, nodes))
    return PotentialBound(prices, tuple(tables))


def _numbers(rows: list[Any], place: str, nodes: int) -> tuple[tuple[Rational, ...], ...]:
    table = []
    for index, row in enumerate(rows):
        at = f"{place}[{index}]"
        listed = _one_each(row, at, nodes, "node")
        table.append(tuple([read_number(number, f"{at}[{k}]") for k, number in enumerate(listed)]))
    return tuple(table)


def _one_each(value: object, place: str, count: int, noun: str) -> list[Any]:
    listed = read_list(value, place)
    if len(listed) != count:
        raise Malformed(place, len(listed), f"one for each {noun} is needed: {count}")
    return listed
