"""The largest packing of reduction trees, by a linear program over their tasks.

Trees have their parts in common, and whatever two trees do alike may be mixed: a program that
packs single tasks, and only conserves the partial results, has all mixtures in it.  It is
SSR(G) of RR-4872, corrected, restricted to the tasks of trees that were the cheapest once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, inf, lcm

from exactsched.linear_programs.basis_refinement import DEVEX, STEEPEST_EDGE
from exactsched.linear_programs.column_generation import Progress, quotient
from exactsched.linear_programs.master_program import Optimum, PackingProgram
from exactsched.model.tasks import State, Task, given, makes, needs
from exactsched.steady_state.reduction_arrays import PricedArrays
from exactsched.steady_state.reduction_pricing import ReductionTrees
from exactsched.steady_state.reduction_tree import PricedStates

# Trees from the first prices, and from each price vector of the linear program later; and how fast
# the price of a busy resource rises within such a burst.  Measured, in trees priced and seconds for
# all, on four random platforms with n=30, m=120, costs near 1 and 15 values: STEP_SIZE 0.1, as in
# `structure_packing`, 656, 3.5 s; STEP_SIZE 1 and bursts of 2, 5, 10: 312, 390 and 508, 2.1 to 2.6
# s. With whole trees as columns instead of tasks one of the four alone takes 3,448 trees and 14 s.
FIRST = 20
BATCH = 5
STEP_SIZE = 1.0
# Where the float rounds stop; the exact rounds that follow decide, whatever is left.
FLOAT_GAP = 2.0**-36


@dataclass(frozen=True, slots=True)
class TaskPacking:
    """Rates of tasks, and prices, of the same value, unless the search was ended.

    Of every partial result as much as is used is made, or more; `value` operations per time unit
    arrive, and no resource is busy for more than all the time.  Under `prices` (of rows, for a
    duration of 1) no tree costs less than 1, and `bound` is their sum times the unit of the trees.
    `rounds` and `priced` count the linear programs and the trees computed.
    """

    value: Fraction
    rates: dict[Task, Fraction]
    prices: dict[int, Fraction]
    rounds: int
    priced: int
    bound: Fraction


def pack_tasks(trees: ReductionTrees, progress: Progress | None = None) -> TaskPacking:
    """The largest throughput of reductions equals the least price of an operation (LP duality).

    There must be a reduction tree.  The rates are a basic solution: `extract_trees` makes at most
    as many trees of them as there are resources.  If `progress` returns True, the search ends with
    the best that it has.

    Reference: proofs/steady-state-reduce.md.
    """
    search = _Search(trees)
    rounds = _float_rounds(search, progress)
    return _exact_rounds(search, rounds)


class _Search:
    """The tasks met so far, in a linear program with rows for the resources and their states.

    A state row says that no more of v[k,m] is used at a node than is made there; that less is
    used, too, does not help.  Its entries are about as large as durations, so that the float solver
    sees numbers near 1.
    """

    def __init__(self, trees: ReductionTrees) -> None:
        self.trees = trees
        self.computed = 0
        self.ended = False
        self.center: list[float] = []  # the best prices met in floats
        self.tasks: dict[Task, int] = {}
        self._rows: dict[State, int] = {}
        # 30 values on 60 nodes and 240 arcs: 1.0 s, with steepest edge 2.2; 60 on 100: 11 and 19.
        # Small programs take as long either way.
        pricing = DEVEX if trees.in_arrays else STEEPEST_EDGE
        self.program = PackingProgram([trees.unit] * trees.rows, pricing)
        self._there = given(trees.problem)
        first = self.priced([1.0] * trees.rows).tree()
        self._entry = max(trees.load(first).values())
        self.program.add_column(1, {self._row(trees.problem.goals[0]): self._entry})
        self.enter(first)

    def _row(self, state: State) -> int:
        if state not in self._rows:
            self._rows[state] = self.program.add_row(0)
        return self._rows[state]

    def priced(self, prices: Sequence[float]) -> PricedStates[float] | PricedArrays:
        self.computed += 1
        return self.trees.priced_in_floats(prices)

    def enter(self, tree: Sequence[Task]) -> bool:
        """Append the tasks that are new; false if there are none."""
        before = len(self.tasks)
        for task in tree:
            if task not in self.tasks:
                column = self.trees.load((task,))
                column[self._row(makes(self.trees.problem, task))] = -self._entry
                for state in needs(self.trees.problem, task):
                    if state not in self._there:
                        column[self._row(state)] = self._entry
                self.tasks[task] = self.program.add_column(0, column)
        return len(self.tasks) > before

    def rates(self, optimum: Optimum) -> dict[Task, Fraction]:
        return {
            task: optimum.primal[column]
            for task, column in self.tasks.items()
            if column in optimum.primal
        }

    def burst(self, prices: Sequence[float], length: int) -> bool:
        """Enter trees that avoid each other (see `structure_packing`); false if no task is new."""
        total = sum(prices)
        mixed = [0.9 * price / total + 0.1 / len(prices) for price in prices]
        new = False
        for _ in range(length):
            tree = self.priced(mixed).tree()
            new |= self.enter(tree)
            busy = self.trees.load(tree)
            peak = max(busy.values())
            for row, amount in busy.items():
                mixed[row] *= exp(STEP_SIZE * (amount / peak))
        return new


def _float_rounds(search: _Search, progress: Progress | None) -> int:
    """Generate tasks with float prices until the float bounds meet; returns the rounds made.

    Prices are taken halfway between those of the linear program and the best ones met (Wentges
    1997), and if that brings nothing new, where they are.
    """
    program, trees = search.program, search.trees
    center = [1 / trees.rows] * trees.rows
    search.burst(center, FIRST)
    ceiling = inf
    rounds = 0
    while rounds < 100 * trees.rows:
        proposal = program.propose()
        rounds += 1
        if proposal is None:
            break
        prices = proposal.duals[: trees.rows]
        total = sum(prices)
        if not 0 < total < inf:
            break
        new = False
        for mix in (0.5, 0.0):
            near = [
                mix * good + (1 - mix) * price / total
                for good, price in zip(center, prices, strict=True)
            ]
            priced = search.priced(near)
            bound = sum(near) / priced.cost if priced.cost > 0 else inf
            if bound < ceiling:
                ceiling, center = bound, near
                search.center = center
            new |= search.enter(priced.tree())
        floor = proposal.value * quotient(trees.longest, program.scale)
        if progress is not None:
            ratio = quotient(trees.unit, trees.longest)
            if progress(rounds, floor * ratio, ceiling * ratio) is True:
                search.ended = True
                break
        if ceiling - floor <= FLOAT_GAP * ceiling or not (new | search.burst(near, BATCH)):
            break
    return rounds


def _exact_rounds(search: _Search, rounds: int) -> TaskPacking:
    """Generate tasks with exact prices until these prove the optimum."""
    program, trees = search.program, search.trees
    while True:
        rounds += 1
        optimum = program.solve()
        if search.ended:
            return _interval(search, optimum, rounds)
        prices = {row: price for row, price in optimum.dual.items() if row < trees.rows}
        unit = lcm(*(price.denominator for price in prices.values()))
        (tree,), (cost,) = trees.cheapest_exactly(
            {row: int(price * unit) for row, price in prices.items()}
        )
        search.computed += 1
        if cost >= unit:
            rates, value = search.rates(optimum), optimum.value
            return TaskPacking(value, rates, prices, rounds, search.computed, value)
        search.enter(tree)
        total = sum(prices.values())
        floats = [float(prices.get(row, 0) / total) for row in range(trees.rows)]
        search.burst(floats, BATCH)


def _interval(search: _Search, optimum: Optimum, rounds: int) -> TaskPacking:
    """The packing of the tasks met, and the best bound of the prices met."""
    trees = search.trees
    exactly = {row: price for row, price in optimum.dual.items() if row < trees.rows}
    floats = {row: Fraction(price) for row, price in enumerate(search.center) if price > 0}
    found: list[tuple[Fraction, dict[int, Fraction]]] = []
    for prices in (exactly, floats, dict.fromkeys(range(trees.rows), Fraction(1))):
        unit = lcm(*(price.denominator for price in prices.values()))
        whole = {row: int(price * unit) for row, price in prices.items()}
        _, (cost,) = trees.cheapest_exactly(whole)
        search.computed += 1
        if cost:
            bound = Fraction(sum(whole.values()) * trees.unit, cost)
            found.append((bound, {row: Fraction(price, cost) for row, price in whole.items()}))
    bound, best = min(found, key=lambda item: item[0])
    return TaskPacking(optimum.value, search.rates(optimum), best, rounds, search.computed, bound)
