"""EXTRACT_TREES: rates of tasks become weighted reduction trees (RR-4872, section 4.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from exactsched.exact.arguments import over_common_denominator
from exactsched.exact.rational import Rational
from exactsched.model.problem import Reduction
from exactsched.model.tasks import State, Task, WeightedStructure, computes, given, makes, needs
from exactsched.steady_state.reduction_program import balances, refuse_unless_supplied


@dataclass(frozen=True, slots=True)
class Extraction:
    """Weighted reduction trees, a circulation and waste that add up to given rates.

    A tree lists its tasks after their inputs.  `circulation` and `waste` hold rates by task that
    deliver nothing: in the one a partial result goes round in directed cycles, the other
    leads to results that nobody uses.
    """

    problem: Reduction
    trees: tuple[WeightedStructure, ...]
    circulation: dict[Task, Fraction]
    waste: dict[Task, Fraction]

    @property
    def throughput(self) -> Fraction:
        return sum((tree.weight for tree in self.trees), start=Fraction(0))

    def rates(self) -> dict[Task, Fraction]:
        """The sum of the weighted trees, of the circulation and of the waste."""
        total = dict(self.circulation)
        for task, rate in self.waste.items():
            total[task] = total.get(task, Fraction(0)) + rate
        for tree in self.trees:
            for task in tree.tasks:
                total[task] = total.get(task, Fraction(0)) + tree.weight
        return total


def extract_trees(problem: Reduction, rates: Mapping[Task, Rational]) -> Extraction:
    """Rates of tasks are a sum of weighted reduction trees, cycles and waste (RR-4872, theorem 1).

    The rates may be any that use and send nothing that has not been made or received; loads and
    optimality do not matter.  The weights of the trees add up to what arrives at the goal, net.
    There are at most 1 + sum (a - 1) trees, where a counts the tasks that make a state, over the
    states that are made: no more than tasks.  Where every partial result is conserved, as in
    SSR(G), nothing is waste.

    Directed cycles of every partial result are canceled first; without that the greedy algorithm
    of the paper fails (proofs/tree-extraction.md).  Raises `InvalidInput` where
    `refuse_unless_supplied` does.  Takes O(A (n + t)) operations on integers over the common
    denominator of the rates, for A tasks of positive rate, n nodes and trees of at most t tasks,
    where t <= (2 N + 1) n for the values 0..N.

    Two values at a, one sum wanted at b; half of the sums is made there, and v[0,1] runs round:

    >>> from exactsched.model.platform import Platform
    >>> pair = Platform("ab", [("a", "b", 1), ("b", "a", 1)])
    >>> asked = Reduction(pair, "aa", (((0, 1), "b"),), 1, (("a", 1), ("b", 1)))
    >>> made_at_a, made_at_b = {(2, 0, 0, 1): 1}, {(3, 0, 0, 1): 1, (0, 0, 0): 1, (0, 1, 1): 1}
    >>> found = extract_trees(asked, made_at_a | made_at_b | {(0, 0, 1): 6, (1, 0, 1): 5})
    >>> [(tree.tasks, int(tree.weight)) for tree in found.trees]
    [(((2, 0, 0, 1), (0, 0, 1)), 1), (((0, 0, 0), (0, 1, 1), (3, 0, 0, 1)), 1)]
    >>> found.circulation, found.waste
    ({(0, 0, 1): Fraction(5, 1), (1, 0, 1): Fraction(5, 1)}, {})
    """
    positive = refuse_unless_supplied(problem, rates)
    numbers, unit = over_common_denominator(list(positive.values()))
    left = dict(zip(positive, numbers, strict=True))
    arriving = balances(problem, positive).get(problem.goals[0], Fraction(0))
    circulation = _cancel_cycles(problem, left)
    trees = tuple(
        WeightedStructure(0, tasks, Fraction(weight, unit))
        for tasks, weight in _peel(problem, left, int(arriving * unit))
    )
    around = {task: Fraction(rate, unit) for task, rate in circulation.items()}
    waste = {task: Fraction(rate, unit) for task, rate in left.items() if rate}
    return Extraction(problem, trees, around, waste)


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


def _peel(
    problem: Reduction, left: dict[Task, int], arriving: int
) -> list[tuple[tuple[Task, ...], int]]:
    """Reduction trees, each with the least rate of its tasks, until no more has to arrive."""
    there = given(problem)
    makers: dict[State, list[Task]] = {}
    for task, rate in left.items():
        if rate:
            makers.setdefault(makes(problem, task), []).append(task)
    found: list[tuple[tuple[Task, ...], int]] = []
    while arriving:
        tree: list[Task] = []
        wanted: list[State] = [problem.goals[0]]
        while wanted:
            state = wanted.pop()
            if state not in there:
                choice = makers[state]
                while not left[choice[-1]]:
                    choice.pop()
                tree.append(choice[-1])
                wanted.extend(needs(problem, choice[-1]))
        weight = min(arriving, *(left[task] for task in tree))
        for task in tree:
            left[task] -= weight
        arriving -= weight
        found.append((tuple(reversed(tree)), weight))
    return found
