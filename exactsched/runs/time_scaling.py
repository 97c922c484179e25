"""A whole run laid out as one batch, then scaled in time: played in Q equal slices.

The period of an optimal steady state may have hundreds of digits, so unrolling it is no answer
for a million operations.  Plans and their proved ends: proofs/asymptotic-optimality.md.  One
engine for all collectives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from math import gcd, lcm
from typing import Protocol, TypeVar

from exactsched.certificate.collectives import Row
from exactsched.exact.apportionment import mixed, shares
from exactsched.exact.patience import PATIENT, Patience
from exactsched.model.problem import Collective
from exactsched.model.tasks import Task, WeightedStructure, duration, given, levels
from exactsched.runs.list_scheduling import Piece, TaskTable, by_priority, in_order
from exactsched.steady_state.slots import common_measure, least_time, place_slots

# Up to here the list schedules are tried as well, and several layouts: a second or two.
MANY_ROWS = 100_000


def halvings(number: int) -> list[int]:
    """number, number/2, number/4, ... down to 1.

    >>> halvings(6)
    [6, 3, 1]
    """
    return [number >> shift for shift in range(number.bit_length())]


class Steady:
    """Weighted structures by numbers, as a run uses them.

    `table` lists `tasks`; `tasks` of a structure are numbers of it.  `parts` holds for every part
    of an operation its structures, the heaviest first.
    """

    def __init__(
        self, problem: Collective, structures: Iterable[WeightedStructure], tasks: Sequence[Task]
    ) -> None:
        self.problem = problem
        self.listed = tuple(tasks)
        self.table = TaskTable(problem, tasks)
        number = {task: index for index, task in enumerate(tasks)}
        listed = list(structures)
        self.weights = [structure.weight for structure in listed]
        self.tasks = [tuple(number[task] for task in structure.tasks) for structure in listed]
        there = given(problem)
        self.levels = [levels(problem, structure.tasks, there) for structure in listed]
        self.depth = [max(row) for row in self.levels]
        used = sorted({task for row in self.tasks for task in row})
        self.times = {task: duration(problem, tasks[task]) for task in used}
        self.part_of = [structure.part for structure in listed]
        self.parts = self.by_part(sorted(range(len(listed)), key=lambda i: -self.weights[i]))

    def by_part(self, structures: Iterable[int]) -> list[list[int]]:
        """The structures of every part, in the order given."""
        parts: dict[int, list[int]] = {}
        for index in structures:
            parts.setdefault(self.part_of[index], []).append(index)
        return [parts[part] for part in sorted(parts)]

    def rows(self, operations: int) -> int:
        """An upper bound on the number of rows if nothing is interrupted."""
        longest = (max(len(self.tasks[index]) for index in part) for part in self.parts)
        return operations * sum(longest)

    def heaviest(self, kept: Sequence[int], operations: int) -> dict[int, int]:
        """`operations` of each part in proportion to the weights of the heaviest structures."""
        counts: dict[int, int] = {}
        for part, number in zip(self.parts, kept, strict=True):
            weights = [self.weights[index] for index in part[:number]]
            counts.update(zip(part, shares(weights, operations), strict=False))
        return {index: count for index, count in counts.items() if count}

    def halved(self) -> list[tuple[int, ...]]:
        """How many are kept: all, the heavier half of every part, of these the half, and so on."""
        most = max(len(part) for part in self.parts)
        return [
            tuple(max(1, len(part) >> shift) for part in self.parts)
            for shift in range(most.bit_length())
        ]

    def above_powers_of_two(self, operations: int) -> list[tuple[int, ...]]:
        """How many have at least the shares 1/2, 1/4, 1/8 ... (theorem C needs one of these)."""
        throughput = sum(self.weights[index] for index in self.parts[0])
        return [
            tuple(
                max(1, sum(self.weights[index] * 2**power >= throughput for index in part))
                for part in self.parts
            )
            for power in range(1, operations.bit_length() + 1)
        ]

    def busy(self, counts: dict[int, int]) -> dict[int, Fraction]:
        """How long every place works if structures are used so often."""
        uses: dict[int, int] = {}
        for index, count in counts.items():
            for task in self.tasks[index]:
                uses[task] = uses.get(task, 0) + count
        busy: dict[int, Fraction] = {}
        for task, count in uses.items():
            place = self.table.place[task]
            busy[place] = busy.get(place, Fraction(0)) + count * self.times[task]
        return busy

    def largest_load(self, counts: dict[int, int]) -> Fraction:
        """How long the busiest resource works if structures are used so often."""
        return least_time(self.problem, self.busy(counts))


@dataclass(frozen=True, slots=True)
class Plan:
    """Each of the `structures` has room for its `capacities` operations, played in `slices` slices.

    Level d of structure l works `lags[l]` slices behind level d - 1.  Of the capacity `counts` are
    used.  `limit` is when the last slice ends.
    """

    structures: tuple[int, ...]
    capacities: tuple[int, ...]
    counts: tuple[int, ...]
    slices: int
    lags: tuple[int, ...]
    limit: Fraction


def plans(steady: Steady, operations: int) -> list[Plan]:
    """Plans by increasing proved makespan: rare structures left out or not, various slices."""
    found: list[Plan] = []
    for kept in sorted({*steady.halved(), *steady.above_powers_of_two(operations)}):
        counts = steady.heaviest(kept, operations)
        # A slice interrupts every structure on every place once: with this many slices there are
        # about two pieces for each task.
        most = max(1, operations * len(steady.parts) // len(counts))
        slices = {gcd(*counts.values()), *halvings(most)}
        found += _timed(steady, counts, slices, operations)
    _, batch = common_measure(steady.weights)
    periods = -(-operations // sum(batch[index] for index in steady.parts[0]))
    capacities = {index: count * periods for index, count in enumerate(batch)}
    found += _timed(steady, capacities, {periods}, operations)
    return sorted(found, key=lambda plan: (plan.limit, plan.slices))


def _timed(
    steady: Steady, capacities: dict[int, int], slices: Iterable[int], operations: int
) -> Iterator[Plan]:
    """A plan for every number of slices."""
    load = steady.largest_load(capacities)
    for number in slices:
        lags = {index: _lag(capacity, number) for index, capacity in capacities.items()}
        behind = {index: (steady.depth[index] - 1) * lag for index, lag in lags.items()}
        counts: dict[int, int] = {}
        for chosen in steady.by_part(capacities):
            earliest = _earliest(
                [capacities[index] for index in chosen],
                [behind[index] for index in chosen],
                number,
                operations,
            )
            counts.update(zip(chosen, earliest, strict=True))
        last = max(
            -(-counts[index] * number // capacity) + behind[index]
            for index, capacity in capacities.items()
            if counts[index]
        )
        yield Plan(
            tuple(capacities),
            tuple(capacities.values()),
            tuple(counts[index] for index in capacities),
            number,
            tuple(lags.values()),
            load * last / number,
        )


def _lag(capacity: int, slices: int) -> int:
    """How many slices later the next level may work if each slice holds capacity/slices operations.

    What a slice touches must be complete before it: in lowest terms p/q operations per slice, one
    is at most (q-1)/q short of complete, which takes ceil((q-1)/p) slices more.

    >>> _lag(6, 3), _lag(3, 2), _lag(1, 5)
    (1, 2, 5)
    """
    common = gcd(capacity, slices)
    return 1 - (1 - slices // common) // (capacity // common)


def _earliest(
    capacities: Sequence[int], behind: Sequence[int], slices: int, operations: int
) -> list[int]:
    """How many operations of each structure are used: those that end in the earliest slices."""
    if sum(capacities) == operations:
        return list(capacities)

    def ended(last: int) -> list[int]:
        return [
            min(capacity, capacity * max(0, last - late) // slices)
            for capacity, late in zip(capacities, behind, strict=True)
        ]

    low, high = 0, slices + max(behind)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if sum(ended(middle)) >= operations else (middle, high)
    before, counts = ended(low), ended(high)
    surplus = sum(counts) - operations
    for index in range(len(counts)):
        less = min(surplus, counts[index] - before[index])
        counts[index] -= less
        surplus -= less
    return counts


def played(steady: Steady, plan: Plan) -> tuple[Fraction, list[Piece]]:
    """The plan laid out, and then everything moved forwards as far as it goes."""
    busy = steady.busy(dict(zip(plan.structures, plan.capacities, strict=True)))
    tick, slots = place_slots(steady.problem, busy)
    # A time is whole in units of tick / (slices * unit), a slice of a slot as well as a task.
    used = {task for index in plan.structures for task in steady.tasks[index]}
    costs = {task: steady.times[task] / tick for task in sorted(used)}
    unit = lcm(*(cost.denominator for cost in costs.values()))
    cost = {task: int(time * plan.slices * unit) for task, time in costs.items()}
    segments = _segments(steady, plan, cost, [(a, s * unit, e * unit) for a, s, e in slots])
    pieces = _pieces(plan, segments, cost, _numbering(steady, plan))
    return tick / (plan.slices * unit), in_order(steady.table, pieces)


def _numbering(steady: Steady, plan: Plan) -> list[list[int]]:
    """For every structure of the plan the operations it is used in; in each one of every part."""
    counts = dict(zip(plan.structures, plan.counts, strict=True))
    number: dict[int, list[int]] = {index: [] for index in plan.structures}
    for column in _columns(steady, counts):
        for operation, index in enumerate(column):
            number[index].append(operation)
    return list(number.values())


def _columns(steady: Steady, counts: dict[int, int]) -> list[list[int]]:
    """For every part the structure that each operation uses, all mixed by their counts."""
    return [
        [chosen[turn] for turn in mixed([counts[index] for index in chosen])]
        for chosen in steady.by_part(counts)
    ]


# (task, which of the plan, slices behind, where in the share of a slice it begins, length, share)
_Segment = tuple[int, int, int, int, int, int]


def _segments(
    steady: Steady, plan: Plan, cost: dict[int, int], slots: Sequence[tuple[int, int, int]]
) -> list[_Segment]:
    """One slice, in order of time: which task a place does when, from where to where."""
    place_of = steady.table.place
    ends: dict[int, list[tuple[int, int, int, int, int]]] = {}
    for turn, index in enumerate(plan.structures):
        for task, level in zip(steady.tasks[index], steady.levels[index], strict=True):
            share = plan.capacities[turn] * cost[task] // plan.slices
            line = ends.setdefault(place_of[task], [])
            done = line[-1][0] if line else 0
            line.append((done + share, task, turn, (level - 1) * plan.lags[turn], share))
    position = dict.fromkeys(ends, 0)
    next_on = dict.fromkeys(ends, 0)
    segments: list[tuple[int, int, _Segment]] = []
    for place, start, end in slots:
        while start < end:
            until, task, turn, late, share = ends[place][next_on[place]]
            length = min(end - start, until - position[place])
            begin = position[place] - (until - share)
            segments.append((start, place, (task, turn, late, begin, length, share)))
            start += length
            position[place] += length
            next_on[place] += position[place] == until
    return [segment for _, _, segment in sorted(segments)]


def _pieces(
    plan: Plan,
    segments: Sequence[_Segment],
    cost: dict[int, int],
    number: Sequence[Sequence[int]],
) -> Iterator[tuple[int, int, int]]:
    """All pieces (task, operation, duration), slice after slice."""
    latest = max(late for _, _, late, _, _, _ in segments)
    for now in range(plan.slices + latest):
        for task, turn, late, begin, length, share in segments:
            if not 0 <= now - late < plan.slices:
                continue
            position = share * (now - late) + begin
            end = min(position + length, plan.counts[turn] * cost[task])
            while position < end:
                message = position // cost[task]
                stop = min(end, (message + 1) * cost[task])
                yield task, number[turn][message], stop - position
                position = stop


def laid_out(
    steady: Steady, operations: int, patience: Patience = PATIENT
) -> Iterator[tuple[Fraction, list[Piece]]]:
    """The plan with the least limit in ticks and rows; for runs that are not long, others too.

    The others while the patience lasts.
    """
    affordable = MANY_ROWS // steady.rows(operations)
    # After tightening, the plan with the least limit is not always the shortest.
    tried = plans(steady, operations)[: max(1, min(affordable, 10))]
    others = _listed(steady, operations) if affordable else ()
    for candidate in chain((played(steady, plan) for plan in tried), others):
        yield candidate
        if patience.ended():
            break


def _listed(steady: Steady, operations: int) -> Iterator[tuple[Fraction, list[Piece]]]:
    """List schedules: all structures in proportion, and fewer and fewer of them."""
    tick, ticks = common_measure(steady.times.values())
    durations = dict(zip(steady.times, ticks, strict=True))
    for kept in steady.halved():
        counts = steady.heaviest(kept, operations)
        order = list(zip(*_columns(steady, counts), strict=True))
        yield tick, by_priority(steady.table, steady.tasks, order, lambda task, _: durations[task])


def shortest(candidates: Iterable[tuple[Fraction, list[Piece]]]) -> tuple[Fraction, list[Piece]]:
    """The first of the schedules that end first."""
    return min(candidates, key=lambda found: found[0] * max(row[3] for row in found[1]))


# How many more runs are laid out when it is enough, and one is in time already.
LAST = 5


class Timed(Protocol):
    """A run that ends some time."""

    @property
    def makespan(self) -> Fraction: ...


Run = TypeVar("Run", bound=Timed)


def longest_within(
    run: Callable[[int], Run],
    end: Fraction,
    throughput: Fraction,
    upper: Fraction,
    patience: Patience = PATIENT,
) -> Run:
    """The run of most operations that ends in time; that of one operation if even it is late.

    Either one more operation would be late, or `upper` excludes it, or the patience is over.
    """
    most = operations = max(1, int(end * upper))
    known: dict[int, Run] = {}
    in_time, step, left = 0, 1, LAST
    while 1 <= operations <= most and operations not in known:
        found = known[operations] = run(operations)
        late = found.makespan - end
        if late <= 0:
            in_time = max(in_time, operations)
        too_many = min((number for number in known if number > in_time), default=most + 1)
        enough = patience.ended()
        left -= enough
        if in_time and left <= 0:
            break
        if late <= 0 and not enough:
            operations = min(in_time + step, too_many - 1)
            step *= 2
        elif in_time or enough:
            operations = (in_time + too_many) // 2
        else:
            # One operation fewer ends about 1 / throughput earlier.
            fewer = operations - max(1, int(late * throughput))
            operations = max(1, fewer) if operations > 1 else 0
    return known[in_time or 1]


def coarsest(tick: Fraction, rows: Sequence[Piece]) -> tuple[Fraction, tuple[Row, ...]]:
    """The rows by start, in the coarsest tick that keeps their times whole."""
    common = gcd(*(row[2] for row in rows), *(row[3] for row in rows))
    timed = [
        Row(task, operation, start // common, end // common) for task, operation, start, end in rows
    ]
    return tick * common, tuple(sorted(timed, key=lambda row: (row[2], row[3], row[0])))
