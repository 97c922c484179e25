"""Structures that are nearly as cheap as those of an optimum, found under disturbed prices."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import inf
from random import Random

from exactsched.certificate.nouns import Task, arc_resources, resources
from exactsched.graphs.shortest_paths import spread
from exactsched.model.problem import Alltoall, Reduction
from exactsched.model.tasks import Structure
from exactsched.steady_state.reduction_pricing import ReductionTrees
from exactsched.steady_state.solution import CollectiveSolution

# Disturbances, and how much dearer than it is a resource or an arc may look.
SEARCHES = 40
NOISE = (0.1, 0.5, 2.0)
# What costs nothing gets a price too, so that structures take no detours.
_LEAST = 1e-3


def nearby_structures(solution: CollectiveSolution) -> list[Structure]:
    """Further structures, of weight 0, that are cheapest if prices look a little different.

    Where whole numbers are wanted, the few structures of a basic optimum may not do: others of
    the same cost fill the gaps.  Deterministic.  None for reductions with several goals.

    >>> from exactsched import built_in
    >>> from exactsched.steady_state.alltoall import alltoall
    >>> square = built_in("grid:2x2")
    >>> solution = alltoall(square, [(0, 3)])
    >>> len(solution.structures), [one.tasks for one in nearby_structures(solution)]
    (1, [((2, 0), (6, 0))])
    """
    problem = solution.problem
    known = {(structure.part, structure.tasks) for structure in solution.structures}
    found: dict[tuple[int, tuple[Task, ...]], None] = {}
    dice = Random(0)
    # Prices and costs may be beyond the range of floats, their ratios not.
    exactly = solution.bound.prices
    largest = max(exactly.values(), default=1)
    prices = {
        name: float(Fraction(exactly.get(name, 0)) / largest) + _LEAST
        for name in resources(problem)
    }
    if isinstance(problem, Alltoall):
        searched = _routes(problem, prices, dice)
    else:
        searched = _trees(problem, prices, dice)
    for key in searched:
        if key not in known:
            found[key] = None
    return [Structure(part, tasks, Fraction(0)) for part, tasks in found]


def _trees(
    problem: Reduction, prices: dict[str, float], dice: Random
) -> Iterator[tuple[int, tuple[Task, ...]]]:
    if len(problem.goals) > 1:
        return
    trees = ReductionTrees(problem)
    for turn in range(SEARCHES):
        disturbed = [
            price * (1 + NOISE[turn % len(NOISE)] * dice.random()) for price in prices.values()
        ]
        yield 0, trees.cheapest(disturbed)[0]


def _routes(
    problem: Alltoall, prices: dict[str, float], dice: Random
) -> Iterator[tuple[int, tuple[Task, ...]]]:
    place = problem.platform.position
    arcs = problem.platform.arcs
    leaving: list[list[tuple[int, int]]] = [[] for _ in place]
    for index, arc in enumerate(arcs):
        leaving[place[arc.tail]].append((index, place[arc.head]))
    longest = max(arc.cost for arc in arcs)
    lengths = [
        float(arc.cost / longest) * sum(prices[name] for name in names)
        for arc, names in zip(arcs, arc_resources(problem), strict=True)
    ]
    for turn in range(SEARCHES):
        disturbed = [length * (1 + NOISE[turn % len(NOISE)] * dice.random()) for length in lengths]
        entered = {}
        for source in problem.sources:
            labels = [inf] * len(place)
            labels[place[source]] = 0.0
            entered[source] = spread(labels, leaving, disturbed, inf)
        for index, demand in enumerate(problem.demands):
            route: list[Task] = []
            node = demand.target
            while node != demand.source:
                last = entered[demand.source][place[node]]
                route.append((last, index))
                node = arcs[last].tail
            yield index, tuple(reversed(route))
