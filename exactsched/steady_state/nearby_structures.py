"""Structures that are nearly as cheap as those of an optimum, found under disturbed prices."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import inf
from random import Random

from exactsched.certificate.bounds import SplitOnCycle, SplitOnNode
from exactsched.graphs.minimum_cost_arborescence import arborescence_and_cuts
from exactsched.graphs.shortest_paths import spread
from exactsched.model.problem import (
    Allgather,
    Alltoall,
    Broadcast,
    Collective,
    Combination,
    Reduction,
)
from exactsched.model.resources import place_shares, resources
from exactsched.model.tasks import Task, WeightedStructure, tree
from exactsched.steady_state.reduction_pricing import ReductionTrees
from exactsched.steady_state.solution import Solution
from exactsched.steady_state.target_trees import cheapest_structures

# Disturbances, and how much dearer than it is a resource or an arc may look.
SEARCHES = 40
NOISE = (0.1, 0.5, 2.0)
# What costs nothing gets a price too, so that structures take no detours.
_LEAST = 1e-3


def nearby_structures(solution: Solution) -> list[WeightedStructure]:
    """Further structures, of weight 0, that are cheapest if prices look a little different.

    Where whole numbers are wanted, the few structures of a basic optimum may not do: others of
    the same cost fill the gaps.  Deterministic.  None for reductions with several goals.

    >>> from exactsched import built_in
    >>> from exactsched.steady_state.alltoall import alltoall
    >>> square = built_in("grid:2x2")
    >>> solution = alltoall(square, [(0, 3)])
    >>> len(solution.structures), [one.tasks for one in nearby_structures(solution)]
    (1, [((0, 0), (4, 0))])
    """
    problem = solution.problem
    known = {(structure.part, structure.tasks) for structure in solution.structures}
    found: dict[tuple[int, tuple[Task, ...]], None] = {}
    dice = Random(0)
    # Prices and costs may be beyond the range of floats, their ratios not.
    if isinstance(solution.proof, (SplitOnNode, SplitOnCycle)):
        return []  # the structures of a restriction are no others'
    exactly = solution.proof.prices
    largest = max(exactly.values(), default=1)
    prices = {
        name: float(Fraction(exactly.get(name, 0)) / largest) + _LEAST
        for name in resources(problem)
    }
    for key in _cheapest(problem, prices, dice):
        if key not in known:
            found[key] = None
    return [WeightedStructure(part, tasks, Fraction(0)) for part, tasks in found]


def _cheapest(
    problem: Collective, prices: dict[str, float], dice: Random
) -> Iterator[tuple[int, tuple[Task, ...]]]:
    if isinstance(problem, Broadcast):
        return _arborescences(problem, prices, dice)
    if isinstance(problem, Alltoall):
        return _routes(problem, prices, dice)
    if isinstance(problem, Allgather):
        return iter(())  # paths through nodes that forward are no arborescences
    if isinstance(problem, Combination):
        return _pairs(problem, prices, dice)
    return _trees(problem, prices, dice)


def _arborescences(
    problem: Broadcast, prices: dict[str, float], dice: Random
) -> Iterator[tuple[int, tuple[Task, ...]]]:
    if problem.restrict != "none":
        return
    place, arcs = problem.platform.position, problem.platform.arcs
    tails, heads = [place[arc.tail] for arc in arcs], [place[arc.head] for arc in arcs]
    lengths = _lengths(problem, prices)
    for turn in range(SEARCHES):
        disturbed = [length * (1 + NOISE[turn % len(NOISE)] * dice.random()) for length in lengths]
        found = arborescence_and_cuts(len(place), place[problem.source], tails, heads, disturbed)
        yield 0, tree(problem, found.arcs, Fraction(0)).tasks


def _lengths(problem: Collective, prices: dict[str, float]) -> list[float]:
    """Costs of the arcs over the largest, times the prices of their resources."""
    arcs = problem.platform.arcs
    longest = max(arc.cost for arc in arcs)
    return [
        float(arc.cost / longest) * sum(prices[name] * float(share) for name, share in used)
        for arc, used in zip(arcs, place_shares(problem), strict=False)
    ]


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


def _pairs(
    problem: Combination, prices: dict[str, float], dice: Random
) -> Iterator[tuple[int, tuple[Task, ...]]]:
    pairs = cheapest_structures(problem)
    for turn in range(SEARCHES):
        disturbed = [
            price * (1 + NOISE[turn % len(NOISE)] * dice.random()) for price in prices.values()
        ]
        for part, pair in enumerate(pairs.cheapest(disturbed)):
            yield part, pairs.structure(pair, Fraction(0)).tasks


def _routes(
    problem: Alltoall, prices: dict[str, float], dice: Random
) -> Iterator[tuple[int, tuple[Task, ...]]]:
    place = problem.platform.position
    arcs = problem.platform.arcs
    leaving: list[list[tuple[int, int]]] = [[] for _ in place]
    for index, arc in enumerate(arcs):
        leaving[place[arc.tail]].append((index, place[arc.head]))
    lengths = _lengths(problem, prices)
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
