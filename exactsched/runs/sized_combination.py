"""One reduce, reduce-scatter or all-reduce of a given size over arcs with latencies, in segments.

A reduce-scatter is an allgather on the turned platform, read backwards: a transfer that works from
s to e works from K - e to K - s, and what a node has sent on it has been told before.  An
all-reduce is a reduce-scatter and an allgather after it; proofs/sized-allgather.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from exactsched.certificate.bounds import Bound, LatencyBound
from exactsched.exact.errors import InvalidInput
from exactsched.exact.search_limits import until
from exactsched.model.parts import Shard
from exactsched.model.platform import Node, Platform, refuse_no_platform
from exactsched.model.problem import Allgather, Combination
from exactsched.model.tasks import COMPLETE, FORWARD, GATHER, SPREAD, Task
from exactsched.runs.finite_run import FiniteRun, finished_run
from exactsched.runs.latency_bound import best_bound, for_operations
from exactsched.runs.list_scheduling import Piece, TaskTable, by_priority, in_order
from exactsched.runs.sized_allgather import Asked, Family, checked_size
from exactsched.steady_state.combination import blocks_of, order_free_allreduce, scattered_sums
from exactsched.steady_state.slots import common_measure

Told = Callable[[int, int], object]


def sized_reduce_scatter(
    platform: Platform,
    size: Fraction | int | str,
    shards: Mapping[Node, object] | Iterable[Node] | None = None,
    group: Iterable[Node] | None = None,
    *,
    time_limit: float | None = None,
    progress: Told | None = None,
) -> FiniteRun:
    """A reduce-scatter of `size` bytes in all, with start-up latencies: when it ends, and a bound.

    The bound is that of the allgather of the same size on the turned platform, and the schedule is
    one of those, read backwards; only the last call to a node waits for the others to it, as it
    completes the sum.  `size` is that of all blocks together; `shards` and `group` are those of
    `reduce_scatter`, only the proportions of the blocks count.  A segment is a part of every block.
    Nodes outside the group only forward; the bound holds whatever they do.  `time_limit` and
    `progress` are as in `sized_allgather`.

    The port model is "link".  Raises `InvalidInput` as `sized_allgather`.
    Reference: proofs/sized-allgather.md.

    >>> arcs = [("a", "b", 1, 1), ("b", "c", 1, 1), ("c", "a", 1, 1)]
    >>> run = sized_reduce_scatter(Platform("abc", arcs), 9)
    >>> run.operations, run.makespan, run.bound
    (1, Fraction(8, 1), Fraction(8, 1))
    """
    progress = until(time_limit, progress)
    refuse_no_platform(platform)
    total = checked_size(size)
    members = None if group is None else tuple(group)
    if shards is None:
        shards = members or [node for node in platform.nodes if node not in platform.switches]
    problem = scattered_sums(platform, blocks_of(platform, shards), members, "link")
    return _summed(problem, total, progress)


def sized_reduce(
    platform: Platform,
    target: Node,
    size: Fraction | int | str,
    group: Iterable[Node] | None = None,
    *,
    time_limit: float | None = None,
    progress: Told | None = None,
) -> FiniteRun:
    """The same for a vector of `size` bytes whose sum only `target` wants, a node of the group.

    Raises `InvalidInput`, takes as long, and has the reference as `sized_reduce_scatter`:
    proofs/sized-allgather.md.

    >>> chain = Platform("abc", [("a", "b", 1, 1), ("b", "c", 1, 1)])
    >>> run = sized_reduce(chain, "c", 9)
    >>> run.operations, run.makespan, run.bound
    (3, Fraction(16, 1), Fraction(11, 1))
    """
    progress = until(time_limit, progress)
    refuse_no_platform(platform)
    blocks: Any = ((1, (target,)),)
    return _summed(scattered_sums(platform, blocks, group, "link"), checked_size(size), progress)


def sized_allreduce(
    platform: Platform,
    size: Fraction | int | str,
    group: Iterable[Node] | None = None,
    *,
    time_limit: float | None = None,
    progress: Told | None = None,
) -> FiniteRun:
    """An all-reduce of a vector of `size` bytes: a reduce-scatter, and an allgather of its blocks.

    There is a block for each node of the group, in which its sum is completed; the allgather of a
    block starts as soon as that is so, and its arcs are free.  `bound` holds for all schedules, not
    only those in two phases: it is the larger one of latencies and what has to enter a set, and of
    the size by the throughput without latencies.  Else as `sized_reduce_scatter`.

    Raises `InvalidInput` as that does, and for a group of one node.
    Reference: proofs/sized-allgather.md.

    >>> pair = Platform("ab", [("a", "b", 1, 3), ("b", "a", 1, 3)])
    >>> run = sized_allreduce(pair, 10)
    >>> run.operations, run.makespan, run.bound
    (1, Fraction(16, 1), Fraction(13, 1))
    """
    progress = until(time_limit, progress)
    refuse_no_platform(platform)
    total = checked_size(size)
    if group is None:
        group = (node for node in platform.nodes if node not in platform.switches)
    members = tuple(group)
    if len(members) < 2:
        raise InvalidInput("group", len(members), "to combine values takes at least two nodes")
    candidates = [_in_two_phases(platform, members, total, len(members), progress)]
    if len(members) > 2:
        # For few bytes latencies count, and a single sum takes the fewest transfers.
        candidates.append(_in_two_phases(platform, members, total, 1, progress))
    best = min(candidates, key=_ended)
    return best.run(*_bound_everywhere(best.problem, total, progress))


def _in_two_phases(
    platform: Platform,
    members: Sequence[Node],
    total: Fraction,
    count: int,
    progress: Told | None,
) -> _Laid:
    """The best schedule found for a number of equal blocks, each completed at another node."""
    blocks: Any = ((1, tuple(members)),) * count
    problem = Combination(platform, blocks, "link")
    part = total / count
    phases = [
        _asked(problem, one).shortest(part, progress) for one in (platform.turned(), platform)
    ]
    (_, inwards, _), (_, outwards, _) = phases
    numbers = {segments for segments, _, _ in phases}
    most = min(inwards.numbers[0], outwards.numbers[0])
    return min(
        (
            _Calls(problem, part, segments, inwards, outwards).laid_out()
            for segments in sorted(_near(numbers, most))
        ),
        key=_ended,
    )


def _near(numbers: Iterable[int], most: int) -> set[int]:
    """Numbers of segments that are tried: a sum is complete a call later, which more make short."""
    return {min(number * factor, most) for number in numbers for factor in (1, 2, 4)}


def _summed(problem: Combination, total: Fraction, progress: Told | None) -> FiniteRun:
    """Sums for single nodes: the allgather on the turned platform, backwards."""
    part = total / sum(block.size for block in problem.blocks)
    turned = _asked(problem, problem.platform.turned())
    segments, family, _ = turned.shortest(part, progress)
    bound, proof = best_bound(turned.problem, part)
    inside = frozenset(proof.nodes)
    others = tuple(node for node in problem.platform.nodes if node not in inside)
    proof = replace(proof, nodes=others, early=proof.late, late=proof.early)
    candidates = (
        _Calls(problem, part, number, family).laid_out()
        for number in sorted(_near([segments], family.numbers[0]))
    )
    return min(candidates, key=_ended).run(bound, proof)


def _asked(problem: Combination, platform: Platform) -> Asked:
    """The allgather of the blocks, each from the node where its sum is completed.

    Its roots have the numbers of the blocks.  Of blocks that the whole group wants each is
    completed at another node.
    """
    sizes = [block.size for block in problem.blocks]
    homes = [block.targets[0] for block in problem.blocks]
    if problem.everywhere(0):
        homes = list(problem.members[: len(sizes)])
    if len(set(homes)) < len(sizes):
        raise InvalidInput("shards", len(sizes), "a node has one block")
    rest = [node for node in problem.members if node not in set(homes)]
    rows = zip([*homes, *rest], [*sizes, *(Fraction(0) for _ in rest)], strict=True)
    return Asked(Allgather(platform, tuple(Shard(*row) for row in rows)))


class _Laid(NamedTuple):
    """A schedule of the calls of a combination, whose operations all have the size `part`."""

    problem: Combination
    part: Fraction
    segments: int
    tasks: tuple[Task, ...]
    tick: Fraction
    rows: list[Piece]

    def run(self, bound: Fraction, proof: Bound) -> FiniteRun:
        """The run; a proof by latencies is one for a single operation."""
        if isinstance(proof, LatencyBound):
            proof = for_operations(proof, self.segments)
        sizes = (self.part,) * self.segments
        return finished_run(
            self.problem, self.segments, sizes, self.tick, self.tasks, self.rows, bound, proof
        )


def _last(rows: Sequence[Piece]) -> int:
    return max(end for _, _, _, end in rows)


def _ended(laid: _Laid) -> tuple[Fraction, int]:
    return laid.tick * _last(laid.rows), laid.segments


class _Calls:
    """The calls of all segments: along trees of one allgather backwards, then along another's.

    `turn` lists (call, segment) in the order in which the allgathers have them, `ways` the calls of
    every segment and block, each after those that it needs.
    """

    def __init__(
        self,
        problem: Combination,
        size: Fraction,
        segments: int,
        inwards: Family,
        outwards: Family | None = None,
    ) -> None:
        self.problem, self.part, self.segments = problem, size / segments, segments
        self.number: dict[Task, int] = {}
        self.turn: list[tuple[int, int]] = []
        self.ways: list[list[tuple[int, ...]]] = [
            [() for _ in problem.blocks] for _ in range(segments)
        ]
        self._gather(inwards, inwards.scheduled(size, segments)[1])
        if outwards is not None:
            self._spread(outwards, outwards.scheduled(size, segments)[1])

    def _gather(self, family: Family, rows: Sequence[Piece]) -> None:
        """What ends last in an allgather comes first; but what completes a sum, after the rest."""
        ends = {(task, segment): end for task, segment, _, end in rows}
        turn: list[tuple[int, int, int]] = []
        known: dict[tuple[int, int], dict[int, int]] = {}
        for segment, trees in enumerate(family.order(self.segments)):
            for block, tree in enumerate(trees):
                tasks = family.trees[tree]
                paths = _paths(family, tree)
                first, when = self._last_call(family, paths, segment, ends)
                if (tree, first) not in known:
                    calls = _inward_calls(self.problem, family, paths, first)
                    known[tree, first] = {task: self._numbered(calls[task]) for task in tasks}
                named = known[tree, first]
                for task in tasks:
                    end = when if task == first else ends[task, segment]
                    turn.append((-2 * end + (task == first), segment, named[task]))
                self.ways[segment][block] += tuple(named[task] for task in reversed(tasks))
        self.turn += [(call, segment) for _, segment, call in sorted(turn)]

    def _last_call(
        self,
        family: Family,
        paths: Sequence[Sequence[int]],
        segment: int,
        ends: Mapping[tuple[int, int], int],
    ) -> tuple[int, int]:
        """Of the calls to a root the one that completes its sum, and when the last of them is.

        One that is forwarded, if there is any, as its last arc needs nothing at the tail.
        """
        arcs = self.problem.platform.arcs
        root = family.roots[family.tasks[paths[0][0]][1]]
        into = [path for path in paths if arcs[family.tasks[path[0]][0]].head == root]
        when = min(ends[path[0], segment] for path in into)
        forwarded = [path for path in into if len(path) > 1] or into
        return min((ends[path[0], segment], path[0]) for path in forwarded)[1], when

    def _spread(self, family: Family, rows: Sequence[Piece]) -> None:
        """The transfers of an allgather."""
        named: dict[int, int] = {}
        for segment, trees in enumerate(family.order(self.segments)):
            for block, tree in enumerate(trees):
                for path in _paths(family, tree):
                    for task in path:
                        arc, part, copy = family.tasks[task]
                        told = () if len(path) == 1 else (copy,)
                        named[task] = self._numbered((arc, part, SPREAD, *told))
                        self.ways[segment][block] += (named[task],)
        turn = sorted((start, segment, named[task]) for task, segment, start, _ in rows)
        self.turn += [(call, segment) for _, segment, call in turn]

    def _numbered(self, call: Task) -> int:
        return self.number.setdefault(call, len(self.number))

    def laid_out(self) -> _Laid:
        """As early as possible in turn, or by priorities, whichever ends earlier."""
        problem, tasks = self.problem, tuple(self.number)
        arcs = problem.platform.arcs
        times = [
            arcs[task[0]].latency + self.part * problem.blocks[task[1]].size * arcs[task[0]].cost
            for task in tasks
        ]
        tick, ticks = common_measure(times)
        table = TaskTable(problem, tasks)
        structures = list(dict.fromkeys(way for ways in self.ways for way in ways))
        place = {way: index for index, way in enumerate(structures)}
        chosen = [[place[way] for way in ways] for ways in self.ways]
        candidates = (
            in_order(table, ((call, segment, ticks[call]) for call, segment in self.turn)),
            by_priority(table, structures, chosen, lambda call, _: ticks[call]),
        )
        rows = min(candidates, key=_last)
        return _Laid(problem, self.part, self.segments, tasks, tick, rows)


def _paths(family: Family, tree: int) -> list[list[int]]:
    """The paths of a tree, from node to node of the group, by their tasks in their order."""
    paths: dict[int, list[int]] = {}
    for task in family.trees[tree]:
        paths.setdefault(family.tasks[task][2], []).append(task)
    return list(paths.values())


def _inward_calls(
    problem: Combination, family: Family, paths: Sequence[Sequence[int]], first: int
) -> dict[int, Task]:
    """The calls along a tree backwards, by its tasks; that over the task `first` completes the sum.

    A call has the name of its first arc, which is the last one of a path.
    """
    arcs = problem.platform.arcs
    place = {task: family.tasks[task][0] for path in paths for task in path}
    into: dict[Node, list[int]] = {}  # the calls to a node
    for path in paths:
        into.setdefault(arcs[place[path[0]]].head, []).append(place[path[-1]])
    calls: dict[int, Task] = {}
    for path in paths:
        name, part = place[path[-1]], family.tasks[path[0]][1]
        before = into.get(arcs[name].tail, [])
        calls[path[-1]] = (name, part, GATHER, *sorted(before))
        for task in path[:-1]:
            calls[task] = (place[task], part, FORWARD, name)
        if path[0] == first:
            others = [call for call in into[arcs[place[first]].head] if call != name]
            if len(path) == 1:
                calls[first] = (name, part, COMPLETE, *sorted([*others, *before]))
            else:
                calls[first] = (place[first], part, COMPLETE, name, *sorted(others))
    return calls


def _bound_everywhere(
    problem: Combination, total: Fraction, progress: Told | None
) -> tuple[Fraction, Bound]:
    """The better one of two bounds on an all-reduce, whose proofs are those for one operation.

    The vector of each node has to get everywhere, as in a broadcast; and without latencies no
    schedule is faster than the optimal throughput.
    """
    platform, count = problem.platform, len(problem.blocks)
    found: list[tuple[Fraction, Bound]] = []
    for node in problem.members:
        shards = tuple(Shard(one, Fraction(count * (one == node))) for one in problem.members)
        bound, proof = best_bound(Allgather(platform, shards), total / count)
        spread = replace(proof, roots=tuple(range(count)), startup=proof.startup / count)
        found.append((bound, spread))
    plain = platform.with_arcs((arc.tail, arc.head, arc.cost) for arc in platform.arcs)

    def told(*_: object) -> object:
        return progress(0, 0) if progress is not None else None

    steady = order_free_allreduce(plain, problem.members, ports="link", progress=told)
    found.append((total / steady.bound, steady.proof))
    return max(found, key=lambda one: one[0])
