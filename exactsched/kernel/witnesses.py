"""Schedules and proofs as the proved checkers take them.  Nothing here is trusted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, groupby
from math import lcm
from typing import Any, cast

from exactsched.certificate.bounds import (
    Bound,
    Cut,
    CutBound,
    DistanceBound,
    PotentialBound,
    SplitOnCycle,
    SplitOnNode,
)
from exactsched.certificate.budget import bits_of, hold, products, spend
from exactsched.certificate.collectives import PeriodicSchedule, Run
from exactsched.exact.rational import Rational
from exactsched.kernel.proved import NotCovered
from exactsched.kernel.runtime import listed
from exactsched.model.platform import Node
from exactsched.model.problem import Alltoall, Broadcast, Collective, Reduction
from exactsched.model.tasks import Task, computes, duration, processor
from exactsched.model.tasks import wanted as wanted


def tasks_of(problem: Collective) -> int:
    """How many tasks the system has, and about how many steps it takes to look up sizes."""
    arcs = len(problem.platform.arcs)
    if isinstance(problem, Broadcast):
        return arcs
    if isinstance(problem, Alltoall):
        return arcs * len(problem.demands)
    if not isinstance(problem, Reduction):
        known = "only of broadcasts, alltoalls and reductions"
        raise NotCovered("problem.collective", problem.TAG[1], f"the kernel reads problems {known}")
    intervals, count = len(problem.intervals), len(problem.owners)
    steps = sum(
        1 if len(row) == 5 else (count - 1) * count * (count + 1) // 6 for row in problem.compute
    )
    sizes = 0 if isinstance(problem.size, Fraction) else len(problem.size)
    return arcs * intervals + steps + intervals * sizes // 8


def inequalities(problem: Collective, proof: Any) -> int:
    """How many numbers are compared: an arc with every cut that holds its head, and so on."""
    arcs = problem.platform.arcs
    if isinstance(proof, DistanceBound):
        return len(arcs) * len(proof.distances)
    if isinstance(proof, PotentialBound):
        return 6 * tasks_of(problem) * len(proof.potentials)
    ends = [(arc.tail, arc.head) for arc in arcs]
    return entries(ends, proof.order, proof.cuts) + len(arcs) * len(proof.odd_sets)


def entries(ends: list[tuple[Node, Node]], order: Sequence[Node], cuts: Sequence[Cut]) -> int:
    """How many pairs there are of an arc, or a node, and a cut that holds its head."""
    change = [0] * (len(order) + 1)
    for start, stop, _ in cuts:
        change[start] += 1
        change[stop] -= 1
    deep = dict(zip(order, accumulate(change), strict=False))
    entered = sum(1 + deep.get(head, 0) for _, head in ends) + sum(deep.values())
    return int(entered)


class Numbers:
    """The numbers by which the checkers know nodes, states and tasks."""

    def __init__(self, problem: Collective) -> None:
        self.problem = problem
        self.node = problem.platform.position
        self.arcs = len(problem.platform.arcs)
        self.step: dict[Task, int] = {}
        if isinstance(problem, Reduction):
            count = len(problem.owners)
            every = [(k, c, m) for k in range(count) for m in range(k, count) for c in range(k, m)]
            whole = [(row[0], *step) for row in problem.compute if len(row) == 2 for step in every]
            single = [row[:4] for row in problem.compute if len(row) == 5]
            self.step = {
                (self.arcs + self.node[name], *step): index
                for index, (name, *step) in enumerate([*whole, *single])
            }

    def task(self, task: Task) -> int:
        """Counted from 1."""
        place, item = task[0], task[1:]
        if isinstance(self.problem, Broadcast):
            return place + 1
        if isinstance(self.problem, Alltoall):
            return item[0] * self.arcs + place + 1
        if place < self.arcs:
            return self._interval(*item) * self.arcs + place + 1
        count = len(cast(Reduction, self.problem).owners)
        # What a node cannot do has a number that no task has.
        return count * (count + 1) // 2 * self.arcs + self.step.get(task, len(self.step)) + 1

    def idle(self, place: int) -> dict[int, Fraction]:
        """Some task of a place that has slots and no task: it works in vain."""
        if place < self.arcs:
            return {place + 1: Fraction(0)}
        known = [index for (at, *_), index in self.step.items() if at == place]
        steps = known or [len(self.step)]
        count = len(self.problem.owners) if isinstance(self.problem, Reduction) else 0
        return {count * (count + 1) // 2 * self.arcs + steps[0] + 1: Fraction(0)}

    def _interval(self, k: int, m: int) -> int:
        """Its place among all intervals, by their starts and then by their ends."""
        count = len(self.problem.owners) if isinstance(self.problem, Reduction) else 0
        return k * count - k * (k - 1) // 2 + m - k

    def parts(self) -> list[list[tuple[Any, int]]]:
        """The states that every part of an operation makes."""
        problem, node = self.problem, self.node
        if isinstance(problem, Broadcast):
            return [[(("Message", 0), number) for number in range(len(node))]]
        if isinstance(problem, Alltoall):
            targets = [demand.target for demand in problem.demands]
            return [[(("Message", index), node[to])] for index, to in enumerate(targets)]
        goals = cast(Reduction, problem).goals
        return [[(("Values", k, m), node[name]) for (k, m), name in goals]]

    def resource(self, name: str) -> tuple[Any, ...]:
        """A resource by its name, such as "send:a"."""
        kind, _, which = name.partition(":")
        if kind == "link":
            arc = self.problem.platform.arcs[int(which)]
            return "Link", self.node[arc.tail], self.node[arc.head]
        known = {"send": "Sends", "recv": "Receives", "port": "Port", "compute": "Computes"}
        return known[kind], self.named[which]

    @property
    def named(self) -> dict[str, int]:
        """Nodes by their printed names."""
        return {str(name): number for name, number in self.node.items()}


def ratio(number: Rational) -> tuple[int, int]:
    return number.as_integer_ratio()


def periodic(problem: Collective, schedule: PeriodicSchedule) -> tuple[Any, ...]:
    """`periodic` of Checker.v.

    The slots of a place are divided among its tasks, in their order; the tick is as small as it
    takes.
    """
    numbers = Numbers(problem)
    parts = [
        (
            listed(targets),
            listed(
                (structure.operations, listed(map(numbers.task, structure.tasks)))
                for structure in schedule.structures
                if structure.part == part
            ),
        )
        for part, targets in enumerate(numbers.parts())
    ]
    divided, ticks = _divided(problem, schedule, numbers)
    tick = schedule.tick / ticks
    return ratio(schedule.period), ratio(tick), listed(parts), listed(divided)


def _divided(
    problem: Collective, schedule: PeriodicSchedule, numbers: Numbers
) -> tuple[list[tuple[tuple[int, int], int]], int]:
    """The slots of tasks in order of time, and into how many parts a tick is divided."""
    if isinstance(problem, Broadcast):
        slots = sorted(schedule.slots, key=lambda slot: slot.start)
        return [((place + 1, start), end) for place, start, end in slots], 1
    work = (
        (task[0], numbers.task(task), structure.operations * duration(problem, task))
        for structure in schedule.structures
        for task in structure.tasks
        if _possible(problem, task)
    )
    return divided(schedule, work, numbers.idle)


def divided(
    schedule: PeriodicSchedule,
    work: Iterable[tuple[int, int, Fraction]],
    idle: Callable[[int], dict[int, Fraction]],
) -> tuple[list[tuple[tuple[int, int], int]], int]:
    """The slots of places as slots of tasks, and into how many parts a tick is divided.

    `work` has rows of a place, the number of a task there, and how long it works in a period;
    `idle` says what works in vain at a place without a task.
    """
    needed: dict[int, dict[int, Fraction]] = {}
    for place, task, time in work:
        line = needed.setdefault(place, {})
        line[task] = line.get(task, Fraction(0)) + time / schedule.tick
    found = [
        piece
        for place, slots in groupby(sorted(schedule.slots), key=lambda slot: slot.place)
        for piece in _shared(needed.get(place) or idle(place), slots)
    ]
    found.sort(key=lambda piece: piece[1])
    ticks = common([number for _, *times in found for number in times], "schedule.slots")
    return [((task, int(a * ticks)), int(b * ticks)) for task, a, b in found], ticks


def _possible(problem: Collective, task: Task) -> bool:
    if not isinstance(problem, Reduction) or not computes(problem, task):
        return True
    return problem.time(processor(problem, task), (task[1], task[2], task[3])) is not None


def _shared(
    line: dict[int, Fraction], slots: Iterable[tuple[int, int, int]]
) -> Iterator[tuple[int, Fraction, Fraction]]:
    """The slots of a place as slots of its tasks; the last one has what is left over."""
    queue = list(reversed(line.items()))
    for _, start, end in slots:
        now = Fraction(start)
        while now < end:
            task, left = queue[-1]
            until = Fraction(end) if len(queue) == 1 else min(Fraction(end), now + left)
            yield task, now, until
            queue[-1] = task, left - (until - now)
            if len(queue) > 1 and queue[-1][1] <= 0:
                queue.pop()
            now = until


def common(numbers: Iterable[Rational], place: str) -> int:
    """The least common denominator, if it is not too long for the document."""
    denominators = {number.denominator for number in numbers}
    unit = 1
    for denominator in denominators:
        spend(products(bits_of(unit), bits_of(denominator)), place)
        unit = lcm(unit, denominator)
        hold(len(denominators) * unit.bit_length(), place)
    return unit


def scaled(numbers: Iterable[Rational], unit: int) -> list[int]:
    return [number.numerator * (unit // number.denominator) for number in numbers]


def bound(problem: Collective, proof: CutBound | DistanceBound | PotentialBound) -> tuple[Any, ...]:
    """`bound` of Checker.v: prices and weights, or distances, or potentials in one unit."""
    numbers = Numbers(problem)
    if isinstance(proof, CutBound):
        return "ByCuts", cuts(numbers, proof)
    if isinstance(proof, DistanceBound):
        return "ByDistances", distances(numbers, proof)
    return "ByPotentials", potentials(numbers, proof)


def prices(numbers: Numbers, proof: Any, unit: int) -> tuple[Any, ...]:
    named = numbers.named
    odd_sets = getattr(proof, "odd_sets", ())
    priced = zip(proof.prices, scaled(proof.prices.values(), unit), strict=True)
    odd = zip(odd_sets, scaled([price for _, price in odd_sets], unit), strict=True)
    return (
        listed((numbers.resource(name), price) for name, price in priced),
        listed(
            (listed(("Port", named[str(node)]) for node in nodes), price)
            for (nodes, _), price in odd
        ),
    )


def cuts(numbers: Numbers, proof: CutBound) -> tuple[Any, ...]:
    weights = [weight for _, _, weight in proof.cuts]
    odd = [price for _, price in proof.odd_sets]
    unit = common([*proof.prices.values(), *odd, *weights], "proof")
    rows = zip(proof.cuts, scaled(weights, unit), strict=True)
    return (
        prices(numbers, proof, unit),
        listed(numbers.node[name] for name in proof.order),
        listed(((start + 1, stop + 1), weight) for (start, stop, _), weight in rows),
    )


def distances(numbers: Numbers, proof: DistanceBound) -> tuple[Any, ...]:
    problem = cast(Alltoall, numbers.problem)
    unit = common([*proof.prices.values(), *(d for row in proof.distances for d in row)], "proof")
    sources = [numbers.node[source] for source in problem.sources]
    rows = zip(sources, proof.distances, strict=True)
    return (
        prices(numbers, proof, unit),
        common([demand.size for demand in problem.demands], "problem"),
        listed((source, listed(enumerate(scaled(row, unit)))) for source, row in rows),
    )


def potentials(numbers: Numbers, proof: PotentialBound) -> tuple[Any, ...]:
    problem = cast(Reduction, numbers.problem)
    numerators = [x for table in proof.potentials for row in table for x in row]
    unit = common([*proof.prices.values(), *numerators], "proof")
    states = [
        (("Values", k, m), node) for k, m in problem.intervals for node in range(len(numbers.node))
    ]
    columns = [scaled([x for row in table for x in row], unit) for table in proof.potentials]
    rows = zip(states, zip(*columns, strict=True), strict=True)
    return prices(numbers, proof, unit), listed((state, listed(row)) for state, row in rows)


def proof_of_cases(problem: Broadcast, proof: Bound) -> tuple[Any, ...]:
    """`proof` of RestrictedChecker.v; the reader of documents limits how deep it is."""
    if isinstance(proof, SplitOnNode):
        cases = [
            (listed(arc + 1 for arc in case.without), proof_of_cases(problem, case.proof))
            for case in proof.cases
        ]
        return "SplitOnNode", problem.platform.position[proof.node], listed(cases)
    if isinstance(proof, SplitOnCycle):
        dropped = [
            (case.without[0] + 1, proof_of_cases(problem, case.proof)) for case in proof.cases
        ]
        return "SplitOnCycle", listed(arc + 1 for arc in proof.cycle), listed(dropped)
    return "OfCuts", cuts(Numbers(problem), cast(CutBound, proof))


def leaves(proof: Bound) -> list[CutBound]:
    """The proofs by cuts in a proof by cases."""
    found, pending = [], [proof]
    while pending:
        stated = pending.pop()
        if isinstance(stated, (SplitOnNode, SplitOnCycle)):
            pending += [case.proof for case in stated.cases]
        else:
            found.append(cast(CutBound, stated))
    return found


def on_used_arcs(problem: Broadcast, schedule: PeriodicSchedule) -> tuple[Any, Any, Any]:
    """The arcs that are used, ranks that grow along them, and the schedule on these arcs."""
    used = sorted({task[0] for structure in schedule.structures for task in structure.tasks})
    place = {arc: index for index, arc in enumerate(used)}
    arcs, node = problem.platform.arcs, problem.platform.position
    tasks = [
        (
            structure.operations,
            listed(place[task[0]] + 1 for task in structure.tasks),
        )
        for structure in schedule.structures
    ]
    slots = sorted(schedule.slots, key=lambda slot: slot.start)
    rows = [((place.get(arc, len(used)) + 1, start), end) for arc, start, end in slots]
    parts = listed([(listed(Numbers(problem).parts()[0]), listed(tasks))])
    ranks = _ranks([(node[arcs[arc].tail], node[arcs[arc].head]) for arc in used], len(node))
    plan = ratio(schedule.period), ratio(schedule.tick), parts, listed(rows)
    return listed(arc + 1 for arc in used), listed(enumerate(ranks)), plan


def _ranks(arcs: list[tuple[int, int]], count: int) -> list[int]:
    """The place of each node in an order along the arcs; 0 for nodes on or behind cycles."""
    leaving: list[list[int]] = [[] for _ in range(count)]
    entering, ranks = [0] * count, [0] * count
    for tail, head in arcs:
        leaving[tail].append(head)
        entering[head] += 1
    ready = [node for node in range(count) if not entering[node]]
    for place, node in enumerate(ready):  # grows while it is read
        ranks[node] = place
        for head in leaving[node]:
            entering[head] -= 1
            if not entering[head]:
                ready.append(head)
    return ranks


def run_rows(stated: Run) -> tuple[Any, ...]:
    """`run` of RunChecker.v: the rows in order of time."""
    numbers = Numbers(stated.problem)
    known = [numbers.task(task) for task in stated.tasks]
    rows = sorted(stated.rows, key=lambda row: row.start)
    listed_rows = ((((known[i], o + 1), start), end) for i, o, start, end in rows)
    return ratio(stated.tick), listed(listed_rows)


def packet_bound(stated: Run) -> tuple[Any, ...]:
    """`packet_bound` of RunChecker.v, in one unit of prices and weights."""
    numbers, proof = Numbers(stated.problem), cast(CutBound, stated.proof)
    odd = [price for _, price in proof.odd_sets]
    weights = [[weight for _, _, weight in rows] for rows in (proof.cuts, proof.startup_cuts)]
    unit = common([*proof.prices.values(), *odd, *weights[0], *weights[1]], "proof")
    scaled_cuts = [
        listed(
            ((start + 1, stop + 1), weight)
            for (start, stop, _), weight in zip(rows, scaled(listed_weights, unit), strict=True)
        )
        for rows, listed_weights in zip((proof.cuts, proof.startup_cuts), weights, strict=True)
    ]
    order = listed(numbers.node[name] for name in proof.order)
    of_sizes = (prices(numbers, proof, unit), order, scaled_cuts[0])
    return of_sizes, scaled_cuts[1], common(stated.sizes, "sizes")
