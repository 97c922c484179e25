"""Allgathers by trees of a limited depth: the best mixture found, often without any loss.

Method: under prices of arcs a tree grows from its root, the cheapest or the nearest node first, and
only as far as the depth lets it reach all others; an exact linear program mixes the trees.
Limits: how far a mixture is from the bound is proved, not that it is the best of its depth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count, cycle
from math import exp, inf
from operator import truediv

from exactsched.exact.arguments import over_common_denominator
from exactsched.exact.errors import InvalidInput
from exactsched.linear_programs.column_generation import Listener, Progress, quotient
from exactsched.linear_programs.master_program import PackingProgram
from exactsched.model.problem import Allgather
from exactsched.model.tasks import Task, WeightedStructure, levels

# Trees of every root in a burst; how much dearer what they use gets, at most, from one to the next.
# (mi250:2, depth 5, after 8 s: bursts of 4 reach 9.16, of 12 8.94; with averages of prices 8.82.)
BURST, HASTE = 4, 0.5
# What each arc of depth costs a tree, over the largest price: one after the other.
STEEPNESS = (0.0, 0.02, 0.1, 0.5)
# How much dearer than an idle arc the busiest one is for a balanced tree.
CROWDED = 8
# The share of prices that is spread evenly, so that no arc is for nothing.
EVENLY = 0.1
# Rounds in which at least this part of what is missing is gained, if there are to be more; how near
# the target exact numbers are asked for.
STALLED, GAIN, NEAR = 8, 0.05, 1e-9

Trees = tuple[WeightedStructure, ...]


def shallow_trees(
    problem: Allgather,
    depth: int,
    target: Fraction,
    packed: Callable[[], Trees],
    progress: Progress | None = None,
) -> Trees:
    """Trees with at most `depth` arcs in a row, of the weight `target` > 0 for every root, or less.

    There are at most as many trees as arcs and roots.  No weight above the target is possible, and
    all nodes of the group can be reached from every root.  Raises `InvalidInput` if a node of the
    group is farther from a root than the depth.  Where the target is missed, those of the `packed`
    trees are mixed in that are not too deep.
    """
    search = _Search(problem, depth)
    search.refuse_less(depth)
    trees = search.best(target, progress)
    if _weight(trees) == target:
        return trees
    for tree in packed():
        if max(levels(problem, tree.tasks)) <= depth:
            search.enter(tree.tasks)
    return search.mixture()


def balanced_trees(problem: Allgather, depth: int | None = None) -> Trees:
    """A tree for every root, chosen one after the other around arcs that are busy already.

    With at most `depth` arcs in a row, which are enough to reach all nodes.  Their weight is what
    the busiest arc has time for.  As many searches for the cheapest paths as there are roots: this
    is for when there is no time for better trees.  (mi250:2: 72 % of the optimum, dgx-a100:2 and
    mi250:8 99 and 91 %.)

    >>> from exactsched.model.platform import Platform
    >>> both = [(u, v, 1) for u, v in ("ab", "ba", "bc", "cb", "ac", "ca")]
    >>> trees = balanced_trees(Allgather(Platform("abc", both), tuple((v, 1) for v in "abc")))
    >>> [tree.weight for tree in trees]
    [Fraction(1, 1), Fraction(1, 1), Fraction(1, 1)]
    """
    search = _Search(problem, 0)
    search.refuse_less(search.least if depth is None else depth)
    search.deepen(len(search.leaving) if depth is None else depth)
    return search.balanced()


def deeper_and_deeper(
    problem: Allgather, target: Fraction, progress: Progress | None = None
) -> Iterator[tuple[int, Trees]]:
    """The same for one depth after the other, from the least one on, without an end.

    Trees that were met once are mixed in at all larger depths, so that weights do not fall.
    """
    search = _Search(problem, 0)
    for depth in count(search.least):
        search.deepen(depth)
        yield depth, search.best(target, progress)


def _weight(trees: Trees) -> Fraction:
    return sum((tree.weight for tree in trees if tree.part == 0), start=Fraction(0))


class _Search:
    """The trees met so far, in a linear program: the largest weight that all roots reach.

    Its rows are the arcs, then the roots; its first column is that weight.
    """

    def __init__(self, problem: Allgather, depth: int) -> None:
        platform = problem.platform
        position, arcs = platform.position, platform.arcs
        self.problem = problem
        self.group = {position[node] for node in problem.group}
        self.leaving: list[list[tuple[int, int]]] = [[] for _ in position]
        for index, arc in enumerate(arcs):
            self.leaving[position[arc.tail]].append((index, position[arc.head]))
        self.roots = [position[root.node] for root in problem.roots]
        self.behind = [self._behind(root) for root in self.roots]
        self.least = max(behind[root] for root, behind in zip(self.roots, self.behind, strict=True))
        self.deepen(depth)
        numbers, _ = over_common_denominator(
            [*(1 / arc.cost for arc in arcs), *(root.size for root in problem.roots)]
        )
        self.capacities, self.sizes = numbers[: len(arcs)], numbers[len(arcs) :]
        self.program = PackingProgram([*self.capacities, *(0 for _ in self.roots)])
        self.program.add_column(1, {len(arcs) + part: size for part, size in enumerate(self.sizes)})
        self.columns: dict[tuple[Task, ...], int] = {}
        self.steepness = cycle(STEEPNESS)

    def refuse_less(self, depth: int) -> None:
        if depth < self.least:
            rule = f"a node of the group is {self.least} arcs away from another one"
            raise InvalidInput("depth", depth, rule)

    def deepen(self, depth: int) -> None:
        """By when a tree has to reach a node, so that it can reach those behind it in time."""
        self.latest = [[depth - more for more in behind] for behind in self.behind]

    def _behind(self, root: int) -> list[int]:
        """How far it is from each node to the farthest node of the group behind it.

        Behind a node are those to which a breadth-first search comes through it.  From other nodes
        trees need not go on, but may: 1 to whatever comes next.
        """
        before, order = {root: root}, [root]
        for node in order:  # grows while it is read
            for _, head in self.leaving[node]:
                if head not in before:
                    before[head] = node
                    order.append(head)
        behind = [0 if node in self.group else -1 for node in range(len(self.leaving))]
        for node in reversed(order):
            if behind[node] >= 0:
                behind[before[node]] = max(behind[before[node]], behind[node] + (node != root))
        return [abs(more) for more in behind]

    def best(self, target: Fraction, progress: Progress | None) -> Trees:
        """A mixture of the target, or the best one after some rounds with little progress."""
        # Where wide and narrow arcs are alike, other trees are cheap than where they are as busy.
        hurried, walk = [1.0] * len(self.capacities), self.mixed([])
        listener = Listener(progress, target)
        self.burst(hurried, listener)
        self.burst(walk, listener)
        reached, stalled, rounds = 0.0, 0, 0
        while stalled < STALLED:
            proposal = self.program.propose()
            if proposal is None:
                break
            value = proposal.value * quotient(self.program.largest, self.program.scale)
            rounds += 1
            if progress is not None and progress(rounds, value, float(target)) is True:
                break
            if value >= target * (1 - NEAR):
                trees = self.mixture()
                if _weight(trees) == target:
                    return trees
            stalled += 1
            if value > reached + GAIN * (float(target) - reached):
                reached, stalled = value, 0
            self.burst(self.mixed(proposal.duals[: len(walk)]), listener)
            self.burst(walk if rounds % 2 else hurried, listener)
        return self.mixture()

    def mixed(self, prices: Sequence[float]) -> list[float]:
        """Prices with a share that is the same for the whole of every arc."""
        whole = max(self.capacities)
        even = [whole / capacity for capacity in self.capacities]
        paid = sum(map(truediv, prices, even))
        if not 0 < paid < inf:
            return even
        share = EVENLY / (1 - EVENLY) * paid / len(even)
        return [price + share * one for price, one in zip(prices, even, strict=True)]

    def burst(self, prices: list[float], listener: Listener) -> None:
        """Trees of all roots, again and again; what they use gets dearer in `prices`."""
        for _, steepness in zip(range(BURST), self.steepness, strict=False):
            largest = max(prices)
            prices[:] = [price / largest for price in prices]
            used: Counter[int] = Counter()
            for part, size in enumerate(self.sizes):
                tasks = self._tree(part, prices, steepness)
                for arc, *_ in tasks:
                    used[arc] += size
                self.enter(tasks)
            busy = {arc: Fraction(amount, self.capacities[arc]) for arc, amount in used.items()}
            peak = max(busy.values())
            for arc, share in busy.items():
                prices[arc] *= exp(HASTE * (share / peak))
            if listener.asked():
                break

    def balanced(self) -> Trees:
        """A tree for each root; the busier an arc is already, the dearer it gets."""
        carried = [0] * len(self.capacities)
        even = self.mixed([])
        prices = list(even)
        chosen = []
        time = Fraction(0)
        for part, size in enumerate(self.sizes):
            chosen.append(self._tree(part, prices, 0.0))
            for arc, *_ in chosen[-1]:
                carried[arc] += size
                time = max(time, Fraction(carried[arc], self.capacities[arc]))
            for arc, amount in enumerate(carried):
                if amount:
                    whole = time.numerator * self.capacities[arc]
                    share = amount * time.denominator / whole
                    prices[arc] = even[arc] * (1 + CROWDED * share * share)
        weight = 1 / time
        return tuple(WeightedStructure(part, tasks, weight) for part, tasks in enumerate(chosen))

    def enter(self, tasks: tuple[Task, ...]) -> None:
        """A tree as a column, if it is none yet."""
        if tasks not in self.columns:
            part = tasks[0][1]
            entries = {len(self.capacities) + part: -self.sizes[part]}
            for arc, *_ in tasks:
                entries[arc] = entries.get(arc, 0) + self.sizes[part]
            self.columns[tasks] = self.program.add_column(0, entries)

    def _tree(self, part: int, prices: Sequence[float], steepness: float) -> tuple[Task, ...]:
        """A tree of paths to all nodes of the group, each of them the next by price and depth."""
        latest, group, leaving = self.latest[part], self.group, self.leaving
        tasks: list[Task] = []
        reached: set[int] = set()
        # What was paid since the last node of the group, and the depth, of what came to a switch.
        known: dict[int, list[tuple[float, int]]] = {}
        waiting: list[tuple[float, int, int, tuple[int, ...], float]] = [
            (0.0, 0, self.roots[part], (), 0.0)
        ]
        while len(reached) < len(group):
            _, depth, node, path, paid = heappop(waiting)
            if node in group:
                if node in reached:
                    continue
                tasks += [(arc, part, len(reached) - 1) for arc in path]
                reached.add(node)
                path, paid = (), 0.0
            else:
                labels = known.setdefault(node, [])
                if any(less <= paid and sooner <= depth for less, sooner in labels):
                    continue
                labels.append((paid, depth))
            depth += 1
            for arc, head in leaving[node]:
                if depth <= latest[head] and head not in reached:
                    cost = paid + prices[arc]
                    key = cost + steepness * depth
                    heappush(waiting, (key, depth, head, (*path, arc), cost))
        return tuple(tasks)

    def mixture(self) -> Trees:
        """The best one of the trees met so far, in exact numbers."""
        optimum = self.program.solve()
        spare = [-optimum.value] * len(self.roots)
        weighted = []
        for tasks, column in self.columns.items():
            if column in optimum.primal:
                part, weight = tasks[0][1], optimum.primal[column]
                weighted.append((part, tasks, weight))
                spare[part] += weight
        trees = []
        for part, tasks, weight in sorted(weighted):
            less = min(weight, spare[part])
            spare[part] -= less
            if weight > less:
                trees.append(WeightedStructure(part, tasks, weight - less))
        return tuple(trees)
