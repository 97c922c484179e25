"""Reductions in any order as the proved checkers take them.  Nothing here is trusted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from exactsched.certificate.bounds import Cut, CutBound, TreeBound
from exactsched.certificate.collectives import PeriodicSchedule, Run
from exactsched.kernel.paths import NO_TASK, Sides, in_one_unit, no_task, without
from exactsched.kernel.runtime import listed
from exactsched.kernel.witnesses import divided, ratio
from exactsched.kernel.written import elements
from exactsched.model.platform import Node
from exactsched.model.problem import Combination
from exactsched.model.tasks import COMPLETE, SPREAD, Task, duration

# A block, the arcs of the in-tree with the last call at its end, the arcs of the out-tree.
Form = tuple[int, tuple[int, ...], tuple[int, ...]]


class Forms:
    """The trees of a scheme, and the numbers of their calls: those of the first form come first."""

    def __init__(self, problem: Combination) -> None:
        self.problem = problem
        self.first: dict[Form, int] = {}
        self.tasks = 0

    def add(self, part: int, tasks: Iterable[Task]) -> dict[Task, int]:
        """The numbers of the calls of one structure, from 1."""
        inwards = [task for task in tasks if task[2] != SPREAD]
        outwards = [task for task in tasks if task[2] == SPREAD]
        calls = [*inwards, *outwards]
        right = self._tells_all(inwards) and all(task[1] == part for task in calls)
        block = part + 1 if right else NO_TASK
        form = block, _places(inwards), _places(outwards)
        if form not in self.first:
            self.first[form] = self.tasks + 1
            self.tasks += len(calls)
        return {task: self.first[form] + index for index, task in enumerate(calls)}

    def _tells_all(self, inwards: list[Task]) -> bool:
        """Whether each call tells all that has come to its tail, and the last one completes."""
        arcs = self.problem.platform.arcs
        come: dict[Node, list[int]] = {}
        for task in inwards:
            place, _, does, *told = task
            there = come.pop(arcs[place].tail, [])
            if does == COMPLETE:
                there += come.pop(arcs[place].head, [])
            come.setdefault(arcs[place].head, []).append(place)
            if sorted(there) != told or (does == COMPLETE) is not (task is inwards[-1]):
                return False
        return True

    def listed(self) -> tuple[Any, ...]:
        """`form`s of Schemes.v: arcs are counted from 1."""
        return listed(
            (block, listed(arc + 1 for arc in inwards), listed(arc + 1 for arc in outwards))
            for block, inwards, outwards in self.first
        )


def _places(tasks: list[Task]) -> tuple[int, ...]:
    return tuple(task[0] for task in tasks)


def plan(problem: Combination, schedule: PeriodicSchedule) -> tuple[Any, Any]:
    """The forms, and the periodic schedule of their calls."""
    forms = Forms(problem)
    numbered = [forms.add(structure.part, structure.tasks) for structure in schedule.structures]
    position = problem.platform.position
    pairs = list(zip(schedule.structures, numbered, strict=True))
    parts = listed(
        (
            listed((("Values", part + 1, part + 1), position[node]) for node in block.targets),
            listed(
                (structure.operations, listed(number[task] for task in structure.tasks))
                for structure, number in pairs
                if structure.part == part
            ),
        )
        for part, block in enumerate(problem.blocks)
    )
    work = (
        (task[0], number[task], structure.operations * duration(problem, task))
        for structure, number in pairs
        for task in structure.tasks
    )
    slots, ticks = divided(schedule, work, no_task)
    periodic = ratio(schedule.period), ratio(schedule.tick / ticks), parts, listed(slots)
    return forms.listed(), periodic


def run_plan(stated: Run) -> tuple[Any, Any]:
    """The forms, and the rows of their calls."""
    rows = sorted(stated.rows, key=lambda row: row.start)
    # By operation and block, in the order in which the calls start.
    used: dict[tuple[int, int], dict[Task, None]] = {}
    for row in rows:
        task = stated.tasks[row.task]
        used.setdefault((row.operation, task[1]), {})[task] = None
    forms = Forms(cast(Combination, stated.problem))
    number = {(o, block): forms.add(block, tasks) for (o, block), tasks in used.items()}
    run = []
    for index, o, start, end in rows:
        task = stated.tasks[index]
        run.append((((number[o, task[1]][task], o + 1), start), end))
    return forms.listed(), (ratio(stated.tick), listed(run))


def evidence(problem: Combination, proof: CutBound | TreeBound) -> tuple[Any, Any]:
    """Prices, and of every block what it is worth: `evidence` of ReducesChecker.v."""
    everywhere = any(map(problem.everywhere, range(len(problem.blocks))))
    single = dict.fromkeys(block.targets[0] for block in problem.blocks if len(block.targets) == 1)
    pairs = _by_trees(proof) if isinstance(proof, TreeBound) else _by_cuts(problem, proof)
    roots = dict.fromkeys(problem.members if everywhere else single)
    both = [pairs(root) for root in roots]
    prices, sides = in_one_unit(problem, proof, [side for pair in both for side in pair])
    sides = list(elements(sides))
    of_root = dict(zip(roots, zip(sides[::2], sides[1::2], strict=True), strict=True))
    worth = min(_weight(outs) + _weight(ins) for outs, ins in of_root.values())
    position = problem.platform.position
    rows = listed((position[root], pair) for root, pair in of_root.items())
    found = []
    for part, block in enumerate(problem.blocks):
        if problem.everywhere(part):
            found.append(("Everywhere", worth, rows))
        else:
            root = block.targets[0]
            found.append(("AtRoot", position[root], of_root[root][0]))
    return prices, listed(found)


def _weight(side: Any) -> int:
    return sum(weight for _, weight in elements(side[1]))


def _by_trees(proof: TreeBound) -> Any:
    """Of a root the cuts that its proof names."""
    given = {
        row.root: ((row.outwards, row.left), (row.inwards, row.entered)) for row in proof.roots
    }
    nothing: Sides = ((), ())
    return lambda root: given.get(root, (nothing, nothing))


def _by_cuts(problem: Combination, proof: CutBound) -> Any:
    """Of a root: a cut that holds it is left from outside, and others are entered."""
    members = [0]
    for node in proof.order:
        members.append(members[-1] + (node in problem.group))
    useful = tuple(
        cut for cut in proof.cuts if 0 < members[cut.stop] - members[cut.start] < len(problem.group)
    )
    rest = tuple(node for node in problem.platform.nodes if node not in set(proof.order))
    everybody = (*proof.order, *rest)
    place = {node: index for index, node in enumerate(everybody)}

    def of_root(root: Node) -> tuple[Sides, Sides]:
        return around(place[root], everybody, useful), without(root, proof.order, useful)

    return of_root


def around(at: int, everybody: tuple[Node, ...], cuts: tuple[Cut, ...]) -> Sides:
    """What is outside the cuts that hold the node at this place, in the order that starts after it.

    >>> around(1, tuple("abcd"), (Cut(1, 3, 5), Cut(0, 1, 7)))
    (('c', 'd', 'a'), (Cut(start=1, stop=3, weight=5),))
    """
    turned = everybody[at + 1 :] + everybody[:at]
    before = len(everybody) - at - 1
    return turned, tuple(
        Cut(cut.stop - at - 1, before + cut.start, cut.weight)
        for cut in cuts
        if cut.start <= at < cut.stop
    )
