"""EXTRACT_TREES: rates of tasks become weighted reduction trees (RR-4872, section 4.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from exactsched.certificate.nouns import Task
from exactsched.inputs import over_common_denominator
from exactsched.problem import Reduction
from exactsched.rational import Rational
from exactsched.reduction_program import refuse_unless_conserved
from exactsched.tasks import State, Structure, computes, given, makes, needs


@dataclass(frozen=True, slots=True)
class Extraction:
    """Weighted reduction trees and a superfluous circulation that add up to given rates.

    A tree lists its tasks after their inputs.  `circulation` holds the part of the rates, by task,
    in which a partial result goes round in a directed cycle: it delivers nothing.
    """

    problem: Reduction
    trees: tuple[Structure, ...]
    circulation: dict[Task, Fraction]

    @property
    def throughput(self) -> Fraction:
        return sum((tree.weight for tree in self.trees), start=Fraction(0))

    def rates(self) -> dict[Task, Fraction]:
        """The sum of the weighted trees and of the circulation."""
        total = dict(self.circulation)
        for tree in self.trees:
            for task in tree.tasks:
                total[task] = total.get(task, Fraction(0)) + tree.weight
        return total


def extract_trees(problem: Reduction, rates: Mapping[Task, Rational]) -> Extraction:
    """Conserved rates are a sum of weighted reduction trees and of cycles (RR-4872, theorem 1).

    The rates may be any for which every partial result is conserved, except v[i,i] at its owner
    and the goal where it is wanted; nothing is asked of loads or optimality.  The weights of the
    trees add up to what arrives at the goal, net.  There are at most 1 + sum (a - 1) trees, where
    a counts the tasks that make a state, over the states that are made: fewer than tasks.

    Directed cycles of every partial result are canceled first; without that the greedy algorithm
    of the paper fails (proofs/tree-extraction.md).  Raises `InvalidInput` where
    `refuse_unless_conserved` does.  Takes O(A (n + t)) operations on integers over the common
    denominator of the rates, for A tasks of positive rate, n nodes and trees of at most t tasks,
    where t <= (2 N + 1) n + N for the values 0..N.

    Two values at a, one wanted at b; half of the sums is made there, and v[0,1] runs round a, b:

    >>> from exactsched.platform import Platform
    >>> pair = Platform("ab", [("a", "b", 1), ("b", "a", 1)])
    >>> asked = Reduction(pair, "aa", (((0, 1), "b"),), 1, (("a", 1), ("b", 1)))
    >>> made_at_a, made_at_b = {(2, 0, 0, 1): 1}, {(3, 0, 0, 1): 1, (0, 0, 0): 1, (0, 1, 1): 1}
    >>> found = extract_trees(asked, made_at_a | made_at_b | {(0, 0, 1): 6, (1, 0, 1): 5})
    >>> [(tree.tasks, int(tree.weight)) for tree in found.trees]
    [(((2, 0, 0, 1), (0, 0, 1)), 1), (((0, 0, 0), (0, 1, 1), (3, 0, 0, 1)), 1)]
    >>> found.circulation
    {(0, 0, 1): Fraction(5, 1), (1, 0, 1): Fraction(5, 1)}
    """
    positive = refuse_unless_conserved(problem, rates)
    numbers, unit = over_common_denominator(list(positive.values()))
    left = dict(zip(positive, numbers, strict=True))
    circulation = _cancel_cycles(problem, left)
    trees = tuple(
        Structure(0, tasks, Fraction(weight, unit)) for tasks, weight in _peel(problem, left)
    )
    if any(left.values()):
        raise ArithmeticError("conserved rates without cycles are a sum of trees")
    return Extraction(
        problem, trees, {task: Fraction(rate, unit) for task, rate in circulation.items()}
    )


def _cancel_cycles(problem: Reduction, left: dict[Task, int]) -> dict[Task, int]:
    """Take the directed cycles of every partial result out of the rates; returns what they carry.

    A walk along positive arcs either comes back to itself, and the cycle loses its least rate, or
    ends, and the last arc is on no cycle.  Every arc is given up once, after at most n steps.
    """
    by_item: dict[tuple[int, ...], dict[object, list[Task]]] = {}
    arcs = problem.platform.arcs
    for task in left:
        if not computes(problem, task):
            by_item.setdefault(task[1:], {}).setdefault(arcs[task[0]].tail, []).append(task)
    removed: dict[Task, int] = {}
    for leaving in by_item.values():
        for start in leaving:
            path: list[Task] = []
            place = {start: 0}  # how many arcs of the path lead to a node
            node = start
            while True:
                ahead = leaving.get(node, [])
                while ahead and not left[ahead[-1]]:
                    ahead.pop()
                if not ahead:
                    if not path:
                        break
                    del place[node]
                    node = arcs[path.pop()[0]].tail
                    leaving[node].pop()
                    continue
                path.append(ahead[-1])
                node = arcs[ahead[-1][0]].head
                if node not in place:
                    place[node] = len(path)
                    continue
                cycle = path[place[node] :]
                least = min(left[task] for task in cycle)
                for task in cycle:
                    left[task] -= least
                    removed[task] = removed.get(task, 0) + least
                for task in cycle[:-1]:
                    del place[arcs[task[0]].head]
                del path[place[node] :]
    return removed


def _peel(problem: Reduction, left: dict[Task, int]) -> list[tuple[tuple[Task, ...], int]]:
    """Reduction trees, each with the least rate of its tasks, until nothing reaches the goal."""
    there = given(problem)
    makers: dict[State, list[Task]] = {}
    for task, rate in left.items():
        if rate:
            makers.setdefault(makes(problem, task), []).append(task)
    found: list[tuple[tuple[Task, ...], int]] = []
    while True:
        tree: list[Task] = []
        wanted: list[State] = [problem.goals[0]]
        while wanted:
            state = wanted.pop()
            if state in there:
                continue
            choice = makers.get(state, [])
            while choice and not left[choice[-1]]:
                choice.pop()
            if not choice:  # only ever the goal: every other state is conserved
                return found
            tree.append(choice[-1])
            wanted.extend(needs(problem, choice[-1]))
        weight = min(left[task] for task in tree)
        for task in tree:
            left[task] -= weight
        found.append((tuple(reversed(tree)), weight))
