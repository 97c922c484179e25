"""One allgather of a given size over arcs with latencies, in segments, beside a lower bound.

Sending a segment of size s on an arc takes latency + s * cost.  Many segments fill the machine
early, few pay few latencies; proofs/sized-allgather.md has the bound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cached_property

from exactsched.exact.apportionment import mixed, shares
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import exact, text
from exactsched.exact.search_limits import until
from exactsched.model.platform import Node, Platform, refuse_no_platform
from exactsched.model.problem import Allgather
from exactsched.model.tasks import Task
from exactsched.model.unreachable import unreachable_in_words
from exactsched.runs.finite_run import FiniteRun, finished_run
from exactsched.runs.latency_bound import best_bound, for_operations
from exactsched.runs.list_scheduling import Piece, TaskTable, by_priority
from exactsched.runs.pipelined import RatioPoint
from exactsched.runs.short_trees import ShortTrees
from exactsched.steady_state.allgather import allgather_problem, solve_allgather
from exactsched.steady_state.slots import common_measure

# Transfers of one schedule, of which many are tried: a quarter of a second.
TRANSFERS = 15_000
# How many families of trees are tried, those that promise most, and how many are improved.
_FAMILIES, _IMPROVED = 10, 3
# Short trees: how many hops, and how much it counts that nodes are reached early; every second one
# only for groups of more nodes than this, for which each takes seconds.
_SHORT = ((1, 1.0), (3, 0.5), (2, 0.5), (2, 0.1), (1 << 20, 1.0), (1 << 20, 0.5), (2, 1.0))
_MANY = 24

# For every root trees with weights.
_Trees = tuple[tuple[tuple[Fraction, tuple[Task, ...]], ...], ...]
# A tick, and rows in it.
Schedule = tuple[Fraction, list[Piece]]


def sized_allgather(
    platform: Platform,
    size: Fraction | int | str,
    shards: Iterable[Node] | Mapping[Node, object] | None = None,
    *,
    time_limit: float | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> FiniteRun:
    """An allgather of `size` bytes in all, with start-up latencies: when it ends, and a bound.

    `size` is that of all shards together, in the unit of the costs; `shards` are those of
    `allgather`, of which only the proportions count.  A segment is a part of every shard, an
    operation of the run; number and ways of the segments are chosen here.  A segment keeps its
    size, is never interrupted, and is forwarded when completely received, also by switches.  The
    candidates are list schedules of equal segments over the trees of the optimal steady state, and
    over short trees: direct ones, of two hops, and longer ones.  The shortest is kept.

    `bound` holds for every way to cut shards into parts and to send them, if a transfer carries
    parts of one shard only.  The port model is "link".  Raises `InvalidInput` as `allgather`, and
    for a size that is not positive.  `progress` is told how many schedules have been tried, of how
    many at most; if it returns True, or after `time_limit` seconds, the best one found by then is
    returned.

    Reference: proofs/sized-allgather.md.

    >>> arcs = [("a", "b", 1, 1), ("b", "c", 1, 1), ("c", "a", 1, 1)]
    >>> run = sized_allgather(Platform("abc", arcs), 9)
    >>> run.operations, run.makespan, run.bound
    (1, Fraction(8, 1), Fraction(8, 1))
    """
    progress = until(time_limit, progress)
    refuse_no_platform(platform)
    return Asked(allgather_problem(platform, shards)).run(checked_size(size), progress)


def allgather_curve(
    platform: Platform,
    sizes: Iterable[Fraction | int | str],
    shards: Iterable[Node] | Mapping[Node, object] | None = None,
    *,
    time_limit: float | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> list[RatioPoint]:
    """Makespan over lower bound of an allgather for several sizes; see `sized_allgather`.

    `packets` of a point is the number of segments.  `progress` is told, before each size, how many
    are done and how many there are; if it returns True, or `time_limit` seconds are
    over, after the first one, the curve ends there.

    Raises `InvalidInput` as `sized_allgather` does; every size takes as long as it takes there.
    Reference: proofs/sized-allgather.md.

    >>> arcs = [("a", "b", 1, 1), ("b", "c", 1, 1), ("c", "a", 1, 1)]
    >>> [point.ratio for point in allgather_curve(Platform("abc", arcs), [9, 900])]
    [Fraction(1, 1), Fraction(1, 1)]
    """
    progress = until(time_limit, progress)
    listed = [checked_size(size) for size in sizes]
    asked = Asked(allgather_problem(platform, shards))
    points: list[RatioPoint] = []
    for done, size in enumerate(listed):
        if progress is not None and progress(done, len(listed)) is True and points:
            break
        run = asked.run(size)
        points.append(RatioPoint(size, run.operations, run.makespan, run.bound))
    return points


def checked_size(size: Fraction | int | str) -> Fraction:
    total = exact(size, "size")
    if total <= 0:
        raise InvalidInput("size", text(total), "all shards together have a positive size")
    return total


class Asked:
    """An allgather, with what does not depend on its size."""

    def __init__(self, problem: Allgather) -> None:
        rule = "bounds with latencies are for switches that only forward; leave the option out"
        problem.platform.refuse_options(rule)
        self.problem = problem
        self.volume = sum((size for _, size in problem.shards), start=Fraction(0))

    @cached_property
    def steady(self) -> list[Family]:
        """The trees of the optimal steady states without latencies; none if there is no way."""
        platform = self.problem.platform
        arcs = [(arc.tail, arc.head, arc.cost) for arc in platform.arcs]
        plain = Platform(platform.nodes, arcs, None, platform.switches)
        asked = Allgather(plain, self.problem.shards, self.problem.ports)
        families: list[Family] = []
        for prefer in ("few", "shallow"):
            solution = solve_allgather(asked, prefer)
            trees: list[list[tuple[Fraction, tuple[Task, ...]]]] = [[] for _ in asked.roots]
            for one in solution.structures:
                trees[one.part].append((one.weight, one.tasks))
            if solution.structures:
                families.append(Family(self.problem, tuple(map(tuple, trees))))
        return families

    def families(self, size: Fraction) -> list[Family]:
        """All that are tried for shards of `size` times their proportions."""
        many = len(self.problem.shards) > _MANY
        found: dict[_Trees, None] = {}
        for parts in (1,) if many else (1, 16):
            short = ShortTrees(self.problem, size / parts)
            for hops, pull in _SHORT[:6:2] if many else _SHORT:
                for number in (1,) if many else (1, 4):
                    trees = short.chosen(hops, pull, number)
                    if trees is not None:
                        found[tuple(_counted(row) for row in trees)] = None
        return [*self.steady, *(Family(self.problem, trees) for trees in found)]

    def run(
        self, total: Fraction, progress: Callable[[int, int], object] | None = None
    ) -> FiniteRun:
        """The best schedule found for this size of all shards together, and the best bound."""
        size = total / self.volume
        segments, family, (tick, rows) = self.shortest(size, progress)
        bound, proof = best_bound(self.problem, size)
        return finished_run(
            self.problem,
            segments,
            (size / segments,) * segments,
            tick,
            family.tasks,
            rows,
            bound,
            for_operations(proof, segments),
        )

    def shortest(
        self, size: Fraction, progress: Callable[[int, int], object] | None = None
    ) -> tuple[int, Family, Schedule]:
        """The best schedule found, for shards `size` times their proportions."""
        if not self.steady:
            rule = f"it never is everywhere: {unreachable_in_words(self.problem)}"
            raise InvalidInput("size", text(size * self.volume), rule)
        done, most = 0, _FAMILIES + _IMPROVED

        def enough() -> bool:
            return progress is not None and progress(done, most) is True

        families = self.steady if enough() else self.families(size)
        arcs, shards = self.problem.platform.arcs, self.problem.shards
        largest = size * max(shard.size for shard in shards)
        unit = max(arc.latency + largest * arc.cost for arc in arcs)
        estimates = sorted(
            (family.estimate(size, segments, unit), index, segments)
            for index, family in enumerate(families)
            for segments in family.numbers
        )
        guess: dict[int, int] = {}
        for _, index, segments in estimates:
            guess.setdefault(index, segments)
        tried: dict[int, Schedule] = {}
        for index in list(guess)[:_FAMILIES]:
            if tried and enough():
                break
            tried[index] = families[index].scheduled(size, guess[index])
            done += 1
        best = [(_end(found), index, guess[index], found) for index, found in tried.items()]
        for _, index, segments, found in sorted(best, key=lambda item: item[:3])[:_IMPROVED]:
            if enough():
                break
            better, shorter = families[index].best(size, segments, found)
            best.append((_end(shorter), index, better, shorter))
            done += 1
        _, index, segments, found = min(best, key=lambda item: item[:3])
        return segments, families[index], found


class Family:
    """Trees with weights for every root, by the numbers of their tasks."""

    def __init__(self, problem: Allgather, trees: _Trees) -> None:
        self.roots = [root.node for root in problem.roots]
        self.tasks = _in_turn(problem, {task: None for row in trees for _, t in row for task in t})
        self.table = TaskTable(problem, self.tasks)
        number = {task: index for index, task in enumerate(self.tasks)}
        self.trees = [tuple(number[task] for task in tree) for row in trees for _, tree in row]
        self.weights = [[weight for weight, _ in row] for row in trees]
        arcs = [problem.platform.arcs[task[0]] for task in self.tasks]
        sizes = [problem.roots[task[1]].size for task in self.tasks]
        self.costs = [size * arc.cost for size, arc in zip(sizes, arcs, strict=True)]
        self.latencies = [arc.latency for arc in arcs]
        longest = (max(len(tree) for _, tree in row) for row in trees)
        most = max(1, TRANSFERS // sum(longest))
        self.numbers = [most >> shift for shift in range(most.bit_length())]
        shared = [weight / sum(row) for row in self.weights for weight in row]
        self._uses = [float(weight) for weight in shared]

    def estimate(self, size: Fraction, segments: int, unit: Fraction) -> float:
        """The largest load plus the longest way of a segment: what a list schedule comes near.

        In this unit, as the times themselves may be too long for floats.
        """
        part = size / segments
        times = [
            float((late + part * cost) / unit)
            for late, cost in zip(self.latencies, self.costs, strict=True)
        ]
        load = [0.0] * self.table.resource_count
        longest = 0.0
        for tree, use in zip(self.trees, self._uses, strict=True):
            there: dict[int, float] = {}
            for task in tree:
                start = max([there[state] for state in self.table.inputs[task]], default=0.0)
                end = there[self.table.output[task]] = start + times[task]
                longest = max(longest, end)
                for resource in self.table.uses[task]:
                    load[resource] += use * times[task]
        return segments * max(load) + longest

    def best(self, size: Fraction, number: int, known: Schedule) -> tuple[int, Schedule]:
        """The best number of segments near a first guess, by steps that become smaller."""
        tried = {number: known}
        best, step = number, max(1, number // 2)
        while True:
            for other in (best - step, best + step):
                if 1 <= other <= self.numbers[0] and other not in tried:
                    tried[other] = self.scheduled(size, other)
            better = min(tried, key=lambda n: (_end(tried[n]), n))
            if better == best:
                if step <= 1 + best // 8:
                    return best, tried[best]
                step //= 2
            best = better

    def scheduled(self, size: Fraction, segments: int) -> Schedule:
        """All segments, equally large, as soon as possible, the oldest first."""
        part = size / segments
        times = [late + part * cost for late, cost in zip(self.latencies, self.costs, strict=True)]
        tick, ticks = common_measure(times)
        order = self.order(segments)
        return tick, by_priority(self.table, self.trees, order, lambda task, _: ticks[task])

    def order(self, segments: int) -> list[tuple[int, ...]]:
        """For every segment the numbers of its trees, one for each root."""
        columns: list[list[int]] = []
        first = 0
        for row in self.weights:
            columns.append([first + turn for turn in mixed(shares(row, segments))])
            first += len(row)
        return list(zip(*columns, strict=True))


def _in_turn(problem: Allgather, tasks: Iterable[Task]) -> tuple[Task, ...]:
    """The tasks in the order in which they go first where nothing else decides.

    Every root begins with the next node of the group after it, so that not all send to the first.
    """
    arcs, turn = problem.platform.arcs, {node: i for i, (node, _) in enumerate(problem.shards)}
    listed = list(tasks)
    # Several trees of a root may use a number for links to several nodes: the last one counts.
    goal = {task[1:]: arcs[task[0]].head for task in listed if arcs[task[0]].head in turn}

    def key(task: Task) -> tuple[int, Task]:
        root = problem.roots[task[1]].node
        return (turn[goal[task[1:]]] - turn[root]) % len(turn), task

    return tuple(sorted(listed, key=key))


def _counted(trees: Iterable[tuple[Task, ...]]) -> tuple[tuple[Fraction, tuple[Task, ...]], ...]:
    """The trees, each once, with the number of times it is there as its weight."""
    return tuple((Fraction(times), tree) for tree, times in Counter(trees).items())


def _end(schedule: Schedule) -> Fraction:
    tick, rows = schedule
    return tick * max(row[3] for row in rows)
