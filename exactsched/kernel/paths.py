"""Allgathers as the proved checkers take them: paths of copies, cuts.  Nothing here is trusted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, cast

from exactsched.certificate.bounds import Cut, CutBound, ForwardingBound, TreeBound
from exactsched.certificate.collectives import PeriodicSchedule, Run
from exactsched.kernel.proved import NotCovered
from exactsched.kernel.runtime import listed
from exactsched.kernel.witnesses import Numbers, common, divided, prices, ratio, scaled
from exactsched.model.platform import Node
from exactsched.model.problem import Allgather, Collective
from exactsched.model.tasks import Task, duration

Path = tuple[int, ...]
# A task that no system has.
NO_TASK = 1 << 62


class Paths:
    """The paths along which copies travel, and the numbers of their tasks.

    The tasks of `forwarding` are those of the first path of the first shard, and so on.  In every
    group of tasks a copy has one path; a task of a copy that does not arrive has no number.
    """

    def __init__(self, problem: Allgather, groups: Iterable[Iterable[Task]]) -> None:
        self.problem = problem
        self.found: list[dict[Path, int]] = [{} for _ in problem.roots]
        self._steps = [self._of_group(list(tasks)) for tasks in groups]
        count = 0
        self._first: list[dict[Path, int]] = []
        for known in self.found:
            self._first.append({})
            for path in known:
                self._first[-1][path] = count + 1
                count += len(path)

    def _of_group(self, tasks: list[Task]) -> dict[Task, tuple[Path, int]]:
        """Of each task the path that it belongs to, and its place there."""
        arcs, group = self.problem.platform.arcs, self.problem.group
        onwards = {
            (task[1:], arcs[task[0]].tail): task
            for task in tasks
            if arcs[task[0]].tail not in group
        }
        steps: dict[Task, tuple[Path, int]] = {}
        for task in tasks:
            if arcs[task[0]].tail not in group:
                continue
            way, last = [task], arcs[task[0]].head
            while last not in group:
                following = onwards.pop((task[1:], last), None)
                if following is None:
                    break
                way.append(following)
                last = arcs[following[0]].head
            else:
                path = tuple(step[0] for step in way)
                self.found[task[1]].setdefault(path, 0)
                steps.update({step: (path, index) for index, step in enumerate(way)})
        return steps

    def number(self, group: int, task: Task) -> int:
        """Counted from 1; a task that leads nowhere has a number that no task has."""
        step = self._steps[group].get(task)
        if step is None:
            return NO_TASK
        path, index = step
        return self._first[task[1]][path] + index

    def rows(self) -> tuple[Any, ...]:
        """The paths of every shard, by the numbers of their arcs from 1."""
        position = self.problem.platform.position
        return listed(
            (position[root.node], listed(listed(arc + 1 for arc in path) for path in known))
            for root, known in zip(self.problem.roots, self.found, strict=True)
        )


def no_task(_: int) -> dict[int, Any]:
    """What works in vain at a place without a task: the checkers refuse it."""
    return {NO_TASK: 0}


def plan(problem: Allgather, schedule: PeriodicSchedule) -> tuple[Any, Any]:
    """Paths, and the periodic schedule of their tasks."""
    structures = schedule.structures
    paths = Paths(problem, (structure.tasks for structure in structures))
    position = problem.platform.position
    parts = listed(
        (
            listed(
                (("Message", position[root.node]), position[node]) for node, _ in problem.shards
            ),
            listed(
                (
                    structure.operations,
                    listed(paths.number(index, task) for task in structure.tasks),
                )
                for index, structure in enumerate(structures)
                if structure.part == part
            ),
        )
        for part, root in enumerate(problem.roots)
    )
    work = (
        (task[0], paths.number(index, task), structure.operations * duration(problem, task))
        for index, structure in enumerate(structures)
        for task in structure.tasks
    )
    slots, ticks = divided(schedule, work, no_task)
    periodic = ratio(schedule.period), ratio(schedule.tick / ticks), parts, listed(slots)
    return paths.rows(), periodic


def run_plan(stated: Run) -> tuple[Any, Any]:
    """Paths, and the rows of their tasks."""
    problem = cast(Allgather, stated.problem)
    used: list[dict[int, None]] = [{} for _ in range(stated.operations)]
    for row in stated.rows:
        used[row.operation][row.task] = None
    paths = Paths(problem, ([stated.tasks[index] for index in some] for some in used))
    rows = sorted(stated.rows, key=lambda row: row.start)
    run = listed(
        (((paths.number(o, stated.tasks[i]), o + 1), start), end) for i, o, start, end in rows
    )
    return paths.rows(), (ratio(stated.tick), run)


def forwarded_sets(problem: Allgather, proof: ForwardingBound) -> tuple[Any]:
    """`set_bound` of AllgatherChecker.v in one unit.

    Raises `NotCovered` for a set without a member.
    """
    for index, (nodes, _) in enumerate(proof.sets):
        if problem.group.isdisjoint(nodes):
            rule = "the kernel reads sets with a node of the group"
            raise NotCovered(f"proof.sets[{index}]", list(nodes[:8]), rule)
    numbers = Numbers(problem)
    weights = [row.weight for row in proof.sets]
    heights = [row.potential for row in proof.potentials]
    unit = common([*proof.prices.values(), *weights, *heights], "proof")
    entered = zip(proof.sets, scaled(weights, unit), strict=True)
    raised = zip(proof.potentials, scaled(heights, unit), strict=True)
    bound = (
        prices(numbers, proof, unit),
        listed((listed(map(numbers.node.get, row.nodes)), weight) for row, weight in entered),
        listed((numbers.node[row.node], height) for row, height in raised),
    )
    return (bound,)


# An order of nodes, and sets as parts of it.
Sides = tuple[tuple[Node, ...], tuple[Cut, ...]]


def shard_cuts(problem: Allgather, proof: CutBound | TreeBound) -> tuple[Any, Any]:
    """Prices, and of every shard the cuts that it has to enter, in one unit."""
    if isinstance(proof, TreeBound):
        given = {row.root: (row.inwards, row.entered) for row in proof.roots}
        sides = [given.get(root.node, ((), ())) for root in problem.roots]
    else:
        useful = tuple(cuts_with_members(problem.group, proof))
        sides = [without(root.node, proof.order, useful) for root in problem.roots]
    _, priced, cuts = in_one_unit(problem, proof, sides)
    return priced, cuts


def cuts_with_members(group: frozenset[Node], proof: CutBound) -> Iterator[Cut]:
    members = [0]
    for node in proof.order:
        members.append(members[-1] + (node in group))
    return (cut for cut in proof.cuts if members[cut.stop] > members[cut.start])


def without(root: Node, order: tuple[Node, ...], cuts: tuple[Cut, ...]) -> Sides:
    """The cuts that do not hold the root, as parts of an order that starts after it."""
    if root not in order:
        return order, cuts
    at = order.index(root)
    turned = order[at + 1 :] + order[:at]
    later = len(order) - at - 1
    kept = [
        Cut(cut.start - at - 1, cut.stop - at - 1, cut.weight)
        if cut.start > at
        else Cut(cut.start + later, cut.stop + later, cut.weight)
        for cut in cuts
        if not cut.start <= at < cut.stop
    ]
    return turned, tuple(kept)


def in_one_unit(
    problem: Collective, proof: CutBound | TreeBound, sides: Iterable[Sides]
) -> tuple[int, Any, Any]:
    """One unit, and `price_list` and sides, whose prices and weights are whole numbers of it."""
    listed_sides = list(sides)
    numbers = Numbers(problem)
    weights = [cut.weight for _, cuts in listed_sides for cut in cuts]
    odd = [price for _, price in proof.odd_sets]
    unit = common(chain(proof.prices.values(), odd, weights), "proof")
    return (
        unit,
        prices(numbers, proof, unit),
        listed(
            (
                listed(numbers.node[name] for name in order),
                listed(
                    ((start + 1, stop + 1), weight)
                    for (start, stop, _), weight in zip(
                        cuts, scaled([cut.weight for cut in cuts], unit), strict=True
                    )
                ),
            )
            for order, cuts in listed_sides
        ),
    )
