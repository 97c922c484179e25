"""When a periodic schedule does what: the execution rule of the format page, for all collectives.

The slots of a place (an arc, a processor) strung together are one line of time; the work of a
period fills it, in the order of the structures and of their tasks.  In period r + h - 1 the work
of batch r is done by the tasks of level h, those with h - 1 others before them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import lcm

from exactsched.exact.errors import Rejected
from exactsched.simulation.machine import Piece


@dataclass(frozen=True, slots=True)
class Structure:
    """In every period `count` operations of a part are done by these (job, level), in order.

    A broadcast or a reduction has a single part, an alltoall one for every demand.
    """

    part: int
    count: int
    jobs: tuple[tuple[int, int], ...]


class Line:
    """The lines of time of all places, with the work of one period laid out on them.

    Job j is done at `places[j]` and lasts `durations[j]`; `named` names a place in a refusal.
    """

    def __init__(
        self,
        period: Fraction,
        tick: Fraction,
        slots: Sequence[tuple[int, int, int]],
        structures: Sequence[Structure],
        places: Mapping[int, int],
        durations: Mapping[int, Fraction],
        named: Callable[[int], str],
    ) -> None:
        self.structures, self.places, self.named = structures, places, named
        measured = [duration / tick for duration in durations.values()] + [period / tick]
        fine = lcm(*(value.denominator for value in measured))
        self.unit = tick / fine
        self.period = int(period / self.unit)
        self.lasts = {job: int(duration / self.unit) for job, duration in durations.items()}
        self.slots = _by_place(slots, places.values(), fine, self.period)
        # Where on the line each slot begins, and where the work of each task begins.
        self.begins = {
            place: [0, *accumulate(end - start for start, end in given)]
            for place, given in self.slots.items()
        }
        used = dict.fromkeys(places.values(), 0)
        self.first: list[list[int]] = []
        for structure in structures:
            begins = []
            for job, _ in structure.jobs:
                begins.append(used[places[job]])
                used[places[job]] += structure.count * self.lasts[job]
            self.first.append(begins)
        self.parts: dict[int, list[int]] = {}
        for index, structure in enumerate(structures):
            self.parts.setdefault(structure.part, []).append(index)

    @property
    def batch(self) -> int:
        """How many operations a period begins."""
        return sum(self.structures[index].count for index in next(iter(self.parts.values())))

    @property
    def tasks(self) -> int:
        """How many tasks an operation has at most."""
        return sum(
            max(len(self.structures[index].jobs) for index in among)
            for among in self.parts.values()
        )

    @property
    def depth(self) -> int:
        """The largest level."""
        return max(level for structure in self.structures for _, level in structure.jobs)

    def pieces(self, operations: int) -> Iterator[Piece]:
        """All pieces of the work for the first `operations` operations."""
        for among in self.parts.values():
            for operation, (index, batch, place) in enumerate(self._dealt(among, operations)):
                begins = self.first[index]
                jobs = self.structures[index].jobs
                for (job, level), begin in zip(jobs, begins, strict=True):
                    period = (batch + level - 1) * self.period
                    position = begin + place * self.lasts[job]
                    for start, end in self._cut(job, position, position + self.lasts[job]):
                        yield job, operation, period + start, period + end

    def _dealt(self, among: Sequence[int], operations: int) -> Iterator[tuple[int, int, int]]:
        """(structure, batch, place in it) of each operation: whole batches, and a part of one."""
        counts = [self.structures[index].count for index in among]
        whole = sum(counts)
        for batch in range(-(-operations // whole)):
            left = min(whole, operations - batch * whole)
            # Partial sums rounded down: in proportion, and together exactly what is left.
            sums = [left * total // whole for total in accumulate(counts)]
            for index, before, until in zip(among, [0, *sums], sums, strict=False):
                for place in range(until - before):
                    yield index, batch, place

    def _cut(self, job: int, position: int, until: int) -> Iterator[tuple[int, int]]:
        """The moments of the period that lie from `position` to `until` on the line of a job."""
        place = self.places[job]
        begins, slots = self.begins[place], self.slots[place]
        index = bisect_right(begins, position) - 1
        while position < until:
            if index >= len(slots):
                where = f"schedule.slots {self.named(place)}"
                raise Rejected(where, until * self.unit, "the slots are shorter than the work")
            stop = min(until, begins[index + 1])
            start = slots[index][0] + position - begins[index]
            yield start, start + stop - position
            position = stop
            index += 1


def _by_place(
    slots: Sequence[tuple[int, int, int]], places: Iterable[int], fine: int, period: int
) -> Mapping[int, list[tuple[int, int]]]:
    lines: dict[int, list[tuple[int, int]]] = {place: [] for place in places}
    for index, (place, start, end) in enumerate(slots):
        if not 0 <= start < end or end * fine > period or place not in lines:
            rule = "a slot has a length, lies in the period and belongs to a place that has work"
            raise Rejected(f"schedule.slots[{index}]", [place, start, end], rule)
        lines[place].append((start * fine, end * fine))
    return {place: sorted(given) for place, given in lines.items()}
