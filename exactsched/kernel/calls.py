"""Reductions in any order as the proved checkers take them.  Nothing here is trusted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from heapq import heappop, heappush
from typing import Any, NamedTuple, cast

from exactsched.certificate.bounds import Cut, CutBound, TreeBound
from exactsched.certificate.collectives import PeriodicSchedule, Run
from exactsched.kernel.paths import NO_TASK, Path, Sides, in_one_unit, no_task, without
from exactsched.kernel.runtime import listed
from exactsched.kernel.witnesses import common, divided, ratio
from exactsched.kernel.written import elements
from exactsched.model.platform import Node
from exactsched.model.problem import Combination
from exactsched.model.resources import arc_resources
from exactsched.model.tasks import COMPLETE, SPREAD, Task, duration

# A block, the paths of the in-tree with the last call at its end, the paths of the out-tree.
Form = tuple[int, tuple[Path, ...], tuple[Path, ...]]


class _Call(NamedTuple):
    """The tasks of a call along its path, what it tells, and what the last one adds at its end."""

    tasks: tuple[Task, ...]
    told: tuple[int, ...]
    added: tuple[int, ...] = ()

    @property
    def path(self) -> Path:
        return tuple(task[0] for task in self.tasks)


class Forms:
    """The trees of a scheme, and the numbers of their tasks: those of the first form come first."""

    def __init__(self, problem: Combination) -> None:
        self.problem, self.arcs = problem, problem.platform.arcs
        self.first: dict[Form, int] = {}
        self.paths: dict[Path, int] = {}
        self.tasks = 0

    def add(self, part: int, tasks: Iterable[Task]) -> dict[Task, int]:
        """The numbers of the tasks of one structure, from 1; others have a number of no task."""
        inwards, outwards = self._calls(list(tasks))
        right = self._tells_all(inwards) and all(
            task[1] == part for call in [*inwards, *outwards] for task in call.tasks
        )
        block = part + 1 if right else NO_TASK
        form = block, tuple(c.path for c in inwards), tuple(c.path for c in outwards)
        listed_tasks = [task for call in [*inwards, *outwards] for task in call.tasks]
        if form not in self.first:
            self.first[form] = self.tasks + 1
            self.tasks += len(listed_tasks)
        numbers = dict.fromkeys(tasks, NO_TASK)
        numbers.update({task: self.first[form] + i for i, task in enumerate(listed_tasks)})
        return numbers

    def _calls(self, tasks: list[Task]) -> tuple[list[_Call], list[_Call]]:
        """The calls that gather, the one that completes at the end, and those that spread."""
        onwards = {self._name(task): task for task in tasks if not self._begins(task)}
        inwards: list[_Call] = []
        last: list[_Call] = []
        outwards: list[_Call] = []
        for task in filter(self._begins, tasks):
            way = [task]
            name = (task[2] == SPREAD, task[3] if task[2] == SPREAD and len(task) > 3 else task[0])
            while self.arcs[way[-1][0]].head not in self.problem.group:
                following = onwards.pop((*name, self.arcs[way[-1][0]].head), None)
                if following is None:
                    break
                way.append(following)
            else:
                end = way[-1]
                told = () if task[2] == SPREAD else task[3:]
                added = end[4:] if end[2] == COMPLETE and len(way) > 1 else ()
                where = outwards if task[2] == SPREAD else last if end[2] == COMPLETE else inwards
                where.append(_Call(tuple(way), told, added))
        return [*inwards, *last], outwards

    def _begins(self, task: Task) -> bool:
        return self.arcs[task[0]].tail in self.problem.group

    def _name(self, task: Task) -> tuple[bool, int, Node]:
        """Which call or copy a node sends on that only forwards."""
        return task[2] == SPREAD, task[3], self.arcs[task[0]].tail

    def _tells_all(self, inwards: list[_Call]) -> bool:
        """Whether each call tells all that has come to its start, and the last one completes."""
        come: dict[Node, list[int]] = {}
        for call in inwards:
            start, end = self.arcs[call.path[0]].tail, self.arcs[call.path[-1]].head
            there = come.pop(start, [])
            completes = call.tasks[-1][2] == COMPLETE
            if completes is not (call is inwards[-1]):
                return False
            if completes:
                adds = come.pop(end, [])
                if len(call.tasks) > 1:
                    if sorted(adds) != list(call.added):
                        return False
                elif any(self.arcs[name].head not in self.problem.group for name in adds):
                    return False
                else:
                    there = there + adds
            if sorted(there) != list(call.told):
                return False
            come.setdefault(end, []).append(call.path[0])
        return True

    def listed(self) -> tuple[Any, ...]:
        """`form`s of Schemes.v: links are counted from 1."""
        return listed(
            (block, listed(map(self._link, inwards)), listed(map(self._link, outwards)))
            for block, inwards, outwards in self.first
        )

    def _link(self, path: Path) -> int:
        """An arc, where all nodes are in the group; a path among all that are used otherwise."""
        if len(self.problem.group) == len(self.problem.platform.nodes):
            return path[0] + 1
        return self.paths.setdefault(path, len(self.paths) + 1)

    def witness(self) -> tuple[Any, ...]:
        """The forms; over nodes that forward the paths first."""
        forms = self.listed()
        if not self.paths:
            return (forms,)
        return listed(listed(arc + 1 for arc in path) for path in self.paths), forms


def plan(problem: Combination, schedule: PeriodicSchedule) -> tuple[Any, ...]:
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
    return *forms.witness(), periodic


def run_plan(stated: Run) -> tuple[Any, ...]:
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
    return *forms.witness(), (ratio(stated.tick), listed(run))


def evidence(problem: Combination, proof: CutBound | TreeBound) -> tuple[Any, ...]:
    """Prices, and of every block what it is worth: `evidence` of ReducesChecker.v.

    Over nodes that only forward a unit of tolls comes between, and how far members are from all.
    """
    everywhere = any(map(problem.everywhere, range(len(problem.blocks))))
    single = dict.fromkeys(block.targets[0] for block in problem.blocks if len(block.targets) == 1)
    pairs = _by_trees(proof) if isinstance(proof, TreeBound) else _by_cuts(problem, proof)
    roots = dict.fromkeys(problem.members if everywhere else single)
    both = [pairs(root) for root in roots]
    unit, prices, sides = in_one_unit(problem, proof, [side for pair in both for side in pair])
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
    if len(problem.group) == len(problem.platform.nodes):
        return prices, listed(found)
    return prices, *distances(problem, proof, unit), listed(found)


def distances(problem: Combination, proof: CutBound | TreeBound, unit: int) -> tuple[int, Any]:
    """The unit of tolls, and of each member how far it is to all nodes through nodes outside."""
    price = {name: price * unit for name, price in proof.prices.items()}
    odd = [(frozenset(nodes), price * unit) for nodes, price in proof.odd_sets]
    fine = common([arc.cost for arc in problem.platform.arcs], "problem.platform.arcs")
    leaving: dict[Node, list[tuple[Node, int]]] = {node: [] for node in problem.platform.nodes}
    for arc, names in zip(problem.platform.arcs, arc_resources(problem), strict=True):
        paid = sum((price.get(name, Fraction(0)) for name in names), Fraction(0))
        paid += sum(price for nodes, price in odd if arc.tail in nodes and arc.head in nodes)
        leaving[arc.tail].append((arc.head, int(paid * arc.cost * fine)))
    position = problem.platform.position
    rows = []
    for member in problem.members:
        near = _nearest(member, leaving, position, problem.group)
        beyond = max(near.values())
        rows.append(listed((place, near.get(node, beyond)) for node, place in position.items()))
    return fine, listed(rows)


def _nearest(
    start: Node,
    leaving: dict[Node, list[tuple[Node, int]]],
    position: Mapping[Node, int],
    group: frozenset[Node],
) -> dict[Node, int]:
    """Dijkstra's distances, where nodes of the group are ends only."""
    found: dict[Node, int] = {}
    heap = [(0, position[start], start)]
    while heap:
        least, _, node = heappop(heap)
        if node in found:
            continue
        found[node] = least
        if node == start or node not in group:
            for head, more in leaving[node]:
                if head not in found:
                    heappush(heap, (least + more, position[head], head))
    return found


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
    inside = [(members[start], members[stop], weight) for start, stop, weight in proof.cuts]
    useful = tuple(Cut(*cut) for cut in inside if 0 < cut[1] - cut[0] < len(problem.group))
    order = tuple(node for node in proof.order if node in problem.group)
    listed_nodes = set(order)
    everybody = (*order, *(node for node in problem.members if node not in listed_nodes))
    place = {node: index for index, node in enumerate(everybody)}

    def of_root(root: Node) -> tuple[Sides, Sides]:
        return around(place[root], everybody, useful), without(root, order, useful)

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
