"""All reduction trees of a small problem (RR-4872, definition 1), and the best way to mix them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

from exactsched.model.platform import Node
from exactsched.model.problem import Interval, Reduction
from exactsched.model.resources import place_resources
from exactsched.model.tasks import Task, duration
from tests.oracles.throughput_program import ONE, THROUGHPUT, ThroughputProgram, optimum


def reduction_trees(problem: Reduction, most: int) -> list[tuple[Task, ...]] | None:
    """All trees with simple routes for the single goal; None if there are more than `most`."""
    ((interval, target),) = problem.goals
    listed = list(islice(_ending(problem, interval, target), most + 1))
    return listed if len(listed) <= most else None


def _ending(problem: Reduction, interval: Interval, node: Node) -> Iterator[tuple[Task, ...]]:
    """The ways to know v[k,m] at the node."""
    for start in problem.platform.nodes:
        for route in _routes(problem, start, node, {start}):
            for making in _making(problem, interval, start):
                yield making + tuple((arc, *interval) for arc in route)


def _making(problem: Reduction, interval: Interval, node: Node) -> Iterator[tuple[Task, ...]]:
    """The ways to know v[k,m] at the node without receiving it."""
    k, m = interval
    if k == m and problem.owners[k] == node:
        yield ()
    place = len(problem.platform.arcs) + problem.platform.nodes.index(node)
    for cut in range(k, m):
        if problem.time(node, (k, cut, m)) is not None:
            for left in _ending(problem, (k, cut), node):
                for right in _ending(problem, (cut + 1, m), node):
                    yield (*left, *right, (place, k, cut, m))


def _routes(
    problem: Reduction, start: Node, end: Node, seen: set[Node]
) -> Iterator[tuple[int, ...]]:
    if start == end:
        yield ()
        return
    for index, arc in enumerate(problem.platform.arcs):
        if arc.tail == start and arc.head not in seen:
            for rest in _routes(problem, arc.head, end, seen | {arc.head}):
                yield (index, *rest)


def load(problem: Reduction, tasks: tuple[Task, ...]) -> dict[str, Fraction]:
    """How long one use of the tree keeps each resource busy."""
    names = place_resources(problem)
    busy: dict[str, Fraction] = {}
    for task in tasks:
        for name in names[task[0]]:
            busy[name] = busy.get(name, Fraction(0)) + duration(problem, task)
    return busy


def best_mixture(problem: Reduction, trees: list[tuple[Task, ...]]) -> Fraction:
    """The largest total weight of trees with no resource busy for more than all the time."""
    program = ThroughputProgram()
    weights = [program.variable() for _ in trees]
    program.equation({THROUGHPUT: -ONE} | dict.fromkeys(weights, ONE))
    busy: dict[str, dict[int, Fraction]] = {}
    for weight, tree in zip(weights, trees, strict=True):
        for name, time in load(problem, tree).items():
            busy.setdefault(name, {})[weight] = time
    for row in busy.values():
        program.at_most(row, 1)
    return optimum(program.stated())
