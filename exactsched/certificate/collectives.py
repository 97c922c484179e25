"""Series and runs of collectives: a schedule that reaches a value, and a proof that none passes it.

Plain data that promises nothing: a solver fills it in, and `exactsched.check` believes none of it.
All collectives share these records; what a task is says `exactsched.model.tasks`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, ClassVar, NamedTuple

from exactsched.certificate.limits import MAX_BOUNDS, MAX_DEPTH, MAX_PACKETS
from exactsched.certificate.rules import (
    ArcIndex,
    Count,
    Index,
    NotNegative,
    NotNegativeFraction,
    PlaceIndex,
    PositiveFraction,
)
from exactsched.exact.errors import Malformed
from exactsched.exact.rational import Rational, readable, to_json
from exactsched.model.platform import Node
from exactsched.model.problem import Alltoall, Broadcast, Collective, Reduction
from exactsched.model.resources import resources
from exactsched.model.tasks import Task, parts


class Slot(NamedTuple):
    """The place works from `start` to `end`, in ticks from the start of the period."""

    place: PlaceIndex
    start: int
    end: int


class Row(NamedTuple):
    """The task, an index of `tasks`, works from `start` to `end`, in ticks, for one operation.

    Several rows of one task and operation are the pieces of a task that was interrupted.
    """

    task: Annotated[int, Index("task")]
    operation: Annotated[int, Index("operation")]
    start: int
    end: int


class Cut(NamedTuple):
    """The set of the nodes order[start], ..., order[stop - 1], with a weight.

    0 <= start < stop <= the length of `order`; sets may overlap in any way.
    """

    start: int
    stop: int
    weight: PositiveFraction


class OddSet(NamedTuple):
    """2k + 1 distinct nodes, k >= 1, inside which at most k arcs work at a time, with a price.

    Sets may overlap and repeat.
    """

    nodes: tuple[Node, ...]
    price: PositiveFraction


@readable
@dataclass(frozen=True, slots=True)
class Structure:
    """Tasks that carry out one part of an operation.

    They form an arborescence, a path, a reduction tree, or a scheme that shares results.

    - `operations`: of how many operations of every period the structure carries out its part
    - `part`: the demand of an alltoall, 0 for others
    - `tasks`: each is `[place, item...]`; not empty, each after the tasks that make what it needs
    """

    operations: Count
    part: Annotated[int, Index("part")]
    tasks: tuple[Task, ...]

    @property
    def arcs(self) -> tuple[int, ...]:
        """The places of the tasks: the arcs, where nothing is computed."""
        return tuple(task[0] for task in self.tasks)

    def validate(self) -> None:
        _refuse_empty(self.tasks, "tasks")


@readable
@dataclass(frozen=True, slots=True)
class PeriodicSchedule:
    """What every period of length `period` looks like: which tasks belong to it, and when.

    The tasks of a place use the time of its slots one after the other: in the order of the
    structures, and in each in the order of its tasks, every task as often as its structure has
    operations.

    - `period`: the time after which the schedule repeats
    - `tick`: the unit of time of the slots
    - `structures`: not empty
    - `slots`: when the places work
    - `whole`: true if no single task is ever interrupted; false says nothing
    """

    period: PositiveFraction
    tick: PositiveFraction
    structures: tuple[Structure, ...]
    slots: tuple[Slot, ...]
    whole: bool

    def steps(self) -> list[tuple[Fraction, tuple[int, ...]]]:
        """The period as a list of (duration, places that work at the same time), in order of time.

        The durations add up to the end of the last slot; a step without a place is an idle time.
        """
        starting: dict[int, list[int]] = {}
        ending: dict[int, list[int]] = {}
        for place, start, end in self.slots:
            starting.setdefault(start, []).append(place)
            ending.setdefault(end, []).append(place)
        moments = sorted(starting.keys() | ending.keys())
        active: set[int] = set()
        found: list[tuple[Fraction, tuple[int, ...]]] = []
        for now, then in pairwise(moments):
            active.difference_update(ending.get(now, ()))
            active.update(starting.get(now, ()))
            found.append(((then - now) * self.tick, tuple(sorted(active))))
        return found

    def validate(self) -> None:
        _refuse_empty(self.structures, "structures")


@readable
@dataclass(frozen=True, slots=True)
class CutBound:
    """Prices of resources, and weights on node sets that the priced arcs can pay (broadcasts).

    - `prices`: the price of each resource by its name; a resource that is not named has price 0
    - `order`: distinct nodes without the source; a node that is not listed is in no cut
    - `cuts`: sets that every message has to enter
    - `startup_cuts`: the same for the latencies; empty in a series
    - `odd_sets`: empty unless `ports` is "half-duplex" and `restrict` is "none"
    """

    TAG: ClassVar = ("by", "cuts")

    prices: Mapping[str, NotNegativeFraction] = field(hash=False)
    order: tuple[Node, ...]
    cuts: tuple[Cut, ...]
    startup_cuts: tuple[Cut, ...] = ()
    odd_sets: tuple[OddSet, ...] = ()

    def validate(self) -> None:
        for name, cuts in (("cuts", self.cuts), ("startup_cuts", self.startup_cuts)):
            for index, (start, stop, _) in enumerate(cuts):
                if not 0 <= start < stop <= len(self.order):
                    rule = "a cut is a part of the order that is not empty"
                    raise Malformed(f"{name}[{index}]", [to_json(start), to_json(stop)], rule)
        for index, (nodes, _) in enumerate(self.odd_sets):
            if len(set(nodes)) < len(nodes) or len(nodes) < 3 or len(nodes) % 2 == 0:
                rule = "distinct nodes, an odd number from 3 on"
                raise Malformed(f"odd_sets[{index}][0]", list(nodes[:8]), rule)


@readable
@dataclass(frozen=True, slots=True)
class DistanceBound:
    """Prices, and for each source how far its messages have to go to every node (alltoalls).

    Along an arc a distance grows by at most the cost times the prices of the resources.

    - `prices`: the price of each resource by its name; a resource that is not named has price 0
    - `distances`: a row for every node that is the source of a demand, in the order in which
      `demands` names them first; in each a number for every node, in the order of `nodes`
    """

    TAG: ClassVar = ("by", "distances")

    prices: Mapping[str, NotNegative] = field(hash=False)
    distances: tuple[tuple[Rational, ...], ...]


@readable
@dataclass(frozen=True, slots=True)
class PotentialBound:
    """Prices, and for each goal a potential of every state (reductions).

    What is given has no positive potential; what a task adds to the potentials of its inputs,
    summed over the goals, is at most its priced time.

    - `prices`: the price of each resource by its name; a resource that is not named has price 0
    - `potentials`: for each goal, in the order of `goals`, a table with a row for every v[k,m],
      0 <= k <= m <= N, ordered by k and then by m; in each row a number for every node, in the
      order of `nodes`
    """

    TAG: ClassVar = ("by", "potentials")

    prices: Mapping[str, NotNegative] = field(hash=False)
    potentials: tuple[tuple[tuple[Rational, ...], ...], ...]


@readable
@dataclass(frozen=True, slots=True)
class Case:
    """One case of a split: what holds for schedules that do not use some arcs.

    - `without`: the arcs that these schedules do not use; not empty, all of them remaining arcs
      (no split above has removed them), each once
    - `proof`: by cuts or again by cases
    """

    without: tuple[ArcIndex, ...]
    proof: Bound


@readable
@dataclass(frozen=True, slots=True)
class SplitOnNode:
    """A tree enters `node` by exactly one arc: every arc into it is kept by a case.

    - `node`: not the source
    - `cases`: not empty
    """

    TAG: ClassVar = ("by", "split-on-node")

    node: Node
    cases: tuple[Case, ...]

    def validate(self) -> None:
        _refuse_empty(self.cases, "cases")


@readable
@dataclass(frozen=True, slots=True)
class SplitOnCycle:
    """An acyclic set misses an arc of the directed `cycle`: every arc of it is missed by a case.

    - `cycle`: remaining arcs in order, each once: each starts where the one before it ends, and the
      first where the last ends; not empty
    - `cases`: not empty
    """

    TAG: ClassVar = ("by", "split-on-cycle")

    cycle: tuple[ArcIndex, ...]
    cases: tuple[Case, ...]

    def validate(self) -> None:
        _refuse_empty(self.cycle, "cycle")
        _refuse_empty(self.cases, "cases")


Bound = CutBound | DistanceBound | PotentialBound | SplitOnNode | SplitOnCycle


@readable
@dataclass(frozen=True, slots=True)
class Series:
    """A periodic schedule of a series of operations.

    - `problem`: what is asked; its arcs have no latencies
    - `throughput`: what the schedule reaches, in operations per time unit
    - `bound`: no schedule has a larger throughput
    - `optimal`: whether `throughput` is `bound`
    - `schedule`: null for throughput 0
    - `proof`: why the bound holds; it proves exactly this number
    """

    problem: Collective
    throughput: Fraction
    bound: Fraction
    optimal: bool
    schedule: PeriodicSchedule | None
    proof: Bound

    def validate(self) -> None:
        refuse_latencies(self.problem)
        if self.schedule is not None:
            refuse_unfit_schedule(self.problem, self.schedule)
        refuse_unfit_bound(self.problem, self.proof, run=False)


@readable
@dataclass(frozen=True, slots=True)
class Run:
    """A finite schedule of `operations` operations that ends at `makespan`.

    - `problem`: what is asked; a broadcast has `restrict` "none" here, and only a broadcast may
      have arcs with latencies
    - `operations`: M, how many operations are carried out, from 1 to 1,000,000
    - `sizes`: empty if all operations have size 1; otherwise, for broadcasts only, the size of the
      message of each of the M operations
    - `makespan`: the time at which the schedule ends
    - `bound`: no schedule has a smaller makespan
    - `optimal`: whether `makespan` is `bound`
    - `tick`: the unit of time of the rows
    - `tasks`: each is `[place, item...]`; none twice, the rows refer to them
    - `rows`: when the tasks work; not empty, in any order
    - `proof`: why the bound holds; it proves exactly this number
    """

    problem: Collective
    operations: int
    sizes: tuple[PositiveFraction, ...]
    makespan: Fraction
    bound: Fraction
    optimal: bool
    tick: PositiveFraction
    tasks: tuple[Task, ...]
    rows: tuple[Row, ...]
    proof: Bound

    @property
    def volume(self) -> Fraction:
        """The sizes of all operations together."""
        return sum(self.sizes, start=Fraction(0)) if self.sizes else Fraction(self.operations)

    def validate(self) -> None:
        if not 1 <= self.operations <= MAX_PACKETS:
            rule = f"a run has from 1 to {MAX_PACKETS} operations"
            raise Malformed("operations", to_json(self.operations), rule)
        if self.sizes and not isinstance(self.problem, Broadcast):
            raise Malformed("sizes", len(self.sizes), "only broadcasts differ in size")
        if self.sizes and len(self.sizes) != self.operations:
            rule = f"one for each operation is needed: {self.operations}"
            raise Malformed("sizes", len(self.sizes), rule)
        if isinstance(self.problem, Broadcast) and self.problem.restrict != "none":
            raise Malformed("problem.restrict", self.problem.restrict, "a run is not restricted")
        for index, task in enumerate(self.tasks):
            _refuse_no_task(self.problem, task, f"tasks[{index}]")
        if len(set(self.tasks)) < len(self.tasks):
            again = len(self.tasks) - len(set(self.tasks))
            raise Malformed("tasks", again, "a task is listed once")
        _refuse_empty(self.rows, "rows")
        for index, row in enumerate(self.rows):
            _refuse_no_index(row[0], f"rows[{index}][0]", len(self.tasks), "task")
            _refuse_no_index(row[1], f"rows[{index}][1]", self.operations, "operation")
        refuse_unfit_bound(self.problem, self.proof, run=True)


Certificate = Series | Run


def refuse_latencies(problem: Collective) -> None:
    """Raises `Malformed` for a problem that no series can have."""
    for index, arc in enumerate(problem.platform.arcs):
        if arc.latency:
            place = f"problem.platform.arcs[{index}]"
            raise Malformed(place, str(arc), "in a series a latency belongs to the cost")


def refuse_unfit_schedule(problem: Collective, schedule: PeriodicSchedule) -> None:
    """Raises `Malformed` unless parts, tasks and places are those of the problem."""
    count, places = len(parts(problem)), _places(problem)
    for index, structure in enumerate(schedule.structures):
        at = f"schedule.structures[{index}]"
        _refuse_no_index(structure.part, f"{at}.part", count, "part")
        for number, task in enumerate(structure.tasks):
            _refuse_no_task(problem, task, f"{at}.tasks[{number}]")
    for index, slot in enumerate(schedule.slots):
        _refuse_no_index(slot[0], f"schedule.slots[{index}][0]", places, "place")


def refuse_unfit_bound(problem: Collective, proof: Bound, run: bool) -> None:
    """Raises `Malformed` unless the proof is one for this problem; without recursion."""
    names = set(resources(problem))
    pending: list[tuple[Bound, str, int]] = [(proof, "proof", 0)]
    bounds = 1
    while pending:
        stated, place, depth = pending.pop()
        if isinstance(stated, (SplitOnNode, SplitOnCycle)):
            _refuse_unfit_split(problem, stated, place)
            if depth == MAX_DEPTH:
                raise Malformed(place, depth, f"splits are nested at most {MAX_DEPTH} deep")
            bounds += len(stated.cases)
            if bounds > MAX_BOUNDS:
                raise Malformed(place, bounds, f"a bound has at most {MAX_BOUNDS} cases in all")
            for index, case in enumerate(stated.cases):
                at = f"{place}.cases[{index}]"
                _refuse_empty(case.without, f"{at}.without")
                for number, arc in enumerate(case.without):
                    arcs = len(problem.platform.arcs)
                    _refuse_no_index(arc, f"{at}.without[{number}]", arcs, "arc")
                pending.append((case.proof, f"{at}.proof", depth + 1))
            continue
        for name in stated.prices:
            if name not in names:
                rule = "not a resource of this problem under its port model"
                raise Malformed(f"{place}.prices.{name}", name, rule)
        if isinstance(stated, CutBound):
            _refuse_unfit_cuts(problem, stated, place, run)
        elif isinstance(stated, DistanceBound):
            _refuse_unfit_distances(problem, stated, place)
        else:
            _refuse_unfit_potentials(problem, stated, place)


def _refuse_unfit_split(problem: Collective, split: SplitOnNode | SplitOnCycle, place: str) -> None:
    needed = "tree" if isinstance(split, SplitOnNode) else "dag"
    if not isinstance(problem, Broadcast) or problem.restrict != needed:
        rule = f"this split is for broadcasts with the restriction {needed} only"
        raise Malformed(place, split.TAG[1], rule)
    if isinstance(split, SplitOnNode):
        _refuse_no_node(problem, split.node, f"{place}.node")
        if split.node == problem.source:
            raise Malformed(f"{place}.node", split.node, "no tree enters the source")
    else:
        for index, arc in enumerate(split.cycle):
            arcs = len(problem.platform.arcs)
            _refuse_no_index(arc, f"{place}.cycle[{index}]", arcs, "arc")


def _refuse_unfit_cuts(problem: Collective, bound: CutBound, place: str, run: bool) -> None:
    if not isinstance(problem, Broadcast):
        raise Malformed(place, bound.TAG[1], "cuts bound broadcasts only")
    for index, node in enumerate(bound.order):
        _refuse_no_node(problem, node, f"{place}.order[{index}]")
    if len(set(bound.order)) < len(bound.order) or problem.source in bound.order:
        raise Malformed(f"{place}.order", list(bound.order[:8]), "distinct nodes, not the source")
    if bound.startup_cuts and not run:
        rule = "in a series there are no latencies to pay for cuts"
        raise Malformed(f"{place}.startup_cuts", len(bound.startup_cuts), rule)
    if bound.odd_sets and (problem.ports != "half-duplex" or problem.restrict != "none"):
        rule = "odd sets have prices under half-duplex ports and without a restriction only"
        raise Malformed(f"{place}.odd_sets", problem.ports, rule)
    for index, (nodes, _) in enumerate(bound.odd_sets):
        for number, node in enumerate(nodes):
            _refuse_no_node(problem, node, f"{place}.odd_sets[{index}][0][{number}]")


def _refuse_unfit_distances(problem: Collective, bound: DistanceBound, place: str) -> None:
    if not isinstance(problem, Alltoall):
        raise Malformed(place, bound.TAG[1], "distances bound all-to-alls only")
    _refuse_wrong_shape(
        bound.distances, f"{place}.distances", (len(problem.sources), "source"), problem
    )


def _refuse_unfit_potentials(problem: Collective, bound: PotentialBound, place: str) -> None:
    if not isinstance(problem, Reduction):
        raise Malformed(place, bound.TAG[1], "potentials bound reductions only")
    _refuse_wrong_length(bound.potentials, f"{place}.potentials", len(problem.goals), "goal")
    for index, table in enumerate(bound.potentials):
        rows = len(problem.owners) * (len(problem.owners) + 1) // 2, "interval"
        _refuse_wrong_shape(table, f"{place}.potentials[{index}]", rows, problem)


def _refuse_wrong_shape(
    table: tuple[tuple[Rational, ...], ...],
    place: str,
    rows: tuple[int, str],
    problem: Collective,
) -> None:
    _refuse_wrong_length(table, place, *rows)
    for index, row in enumerate(table):
        _refuse_wrong_length(row, f"{place}[{index}]", len(problem.platform.nodes), "node")


def _refuse_no_task(problem: Collective, task: Task, place: str) -> None:
    if not task:
        raise Malformed(place, [], "a task is [place, item...]")
    _refuse_no_index(task[0], f"{place}[0]", _places(problem), "place")
    item, arc = task[1:], task[0] < len(problem.platform.arcs)
    if isinstance(problem, Broadcast):
        fits, rule = not item, "an arc carries the message of a broadcast: [arc]"
    elif isinstance(problem, Alltoall):
        fits = len(item) == 1 and 0 <= item[0] < len(problem.demands)
        rule = f"an arc carries the message of one of the {len(problem.demands)} demands, from 0"
    else:
        count = len(problem.owners)
        increasing = (
            len(item) == 2 and item[0] <= item[1]
            if arc
            else len(item) == 3 and item[0] <= item[1] < item[2]
        )
        fits = increasing and item[0] >= 0 and item[-1] < count
        rule = (
            "an arc carries v[k,m] with k <= m, a processor does T[k,l,m] with k <= l < m,"
            f" of {count} values, from 0"
        )
    if not fits:
        raise Malformed(place, [to_json(number) for number in task[:8]], rule)


def _places(problem: Collective) -> int:
    """Arcs work, and processors where something is computed."""
    arcs = len(problem.platform.arcs)
    return arcs + len(problem.platform.nodes) if isinstance(problem, Reduction) else arcs


def _refuse_no_index(index: int, place: str, count: int, noun: str) -> None:
    if not 0 <= index < count:
        rule = f"an index of the {count} {noun}s, from 0, is needed"
        raise Malformed(place, to_json(index), rule)


def _refuse_no_node(problem: Collective, node: Node, place: str) -> None:
    if node not in problem.platform.position:
        raise Malformed(place, node, "not a node of the platform")


def _refuse_wrong_length(listed: tuple[object, ...], place: str, count: int, noun: str) -> None:
    if len(listed) != count:
        raise Malformed(place, len(listed), f"one for each {noun} is needed: {count}")


def _refuse_empty(listed: tuple[object, ...], place: str) -> None:
    if not listed:
        raise Malformed(place, [], "this list may not be empty")
