"""The steady state of all-to-alls and reductions: structures, schedule, bound."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import Any

from exactsched.certificate.nouns import (
    CollectiveSchedule,
    CollectiveSeries,
    DistanceBound,
    PotentialBound,
)
from exactsched.certificate.writing import to_document
from exactsched.exact.rational import exact
from exactsched.model.problem import Alltoall, Reduction
from exactsched.model.tasks import Structure, levels, scheduled
from exactsched.steady_state.schedule import periodic_schedule, whole_tasks


@dataclass(frozen=True)
class CollectiveSolution:
    """A steady state of a series of all-to-alls or reductions, and a bound that no schedule passes.

    `throughput` is what the `structures` reach and `upper` what `bound` proves, in operations per
    time unit; `optimal` says whether they agree.  `rounds` and `priced` count linear programs and
    structures computed.
    """

    problem: Alltoall | Reduction
    structures: tuple[Structure, ...]
    bound: DistanceBound | PotentialBound
    upper: Fraction
    rounds: int = 0
    priced: int = 0

    @property
    def throughput(self) -> Fraction:
        first = (structure.weight for structure in self.structures if structure.part == 0)
        return sum(first, start=Fraction(0))

    @property
    def optimal(self) -> bool:
        return self.throughput == self.upper

    @cached_property
    def schedule(self) -> CollectiveSchedule | None:
        """The periodic schedule with the shortest period; None if the throughput is 0."""
        return periodic_schedule(self.problem, self.structures) if self.structures else None

    def scheduled(self, schedule: CollectiveSchedule) -> CollectiveSolution:
        """The same bound with another schedule, whose structures and throughput are taken over."""
        structures = tuple(
            Structure(part, tasks, count / schedule.period)
            for part, count, tasks in scheduled(schedule)
        )
        other = replace(self, structures=structures)
        # The cache of `schedule`: the one attribute that is not a field.
        other.__dict__["schedule"] = schedule
        return other

    def whole(self) -> CollectiveSolution:
        """The same steady state with a period so long that no task is ever interrupted."""
        if self.schedule is None:
            return self
        return self.scheduled(whole_tasks(self.problem, self.schedule))

    @cached_property
    def depth(self) -> int:
        """The largest number of tasks in a row, over all structures."""
        rows = (levels(self.problem, structure.tasks) for structure in self.structures)
        return max((max(row) for row in rows), default=0)

    @property
    def makespan_constant(self) -> Fraction:
        """C such that M operations take at most M / throughput + C, for every M.

        It is depth times period: R periods of operations take R + depth - 1 periods.
        """
        return self.depth * self.schedule.period if self.schedule else Fraction(0)

    def operations_within(self, horizon: Fraction | int | str) -> int:
        """How many operations the periodic schedule has completed by time `horizon`.

        At least `throughput * (horizon - makespan_constant)`, where no schedule completes more
        than `upper * horizon` (RR-4872, propositions 1 to 3).
        """
        if self.schedule is None:
            return 0
        periods = floor(exact(horizon, "horizon") / self.schedule.period) - self.depth + 1
        return max(0, periods) * int(self.throughput * self.schedule.period)

    def certificate(self) -> dict[str, Any]:
        """The document that `exactsched.check` accepts."""
        return to_document(
            CollectiveSeries(
                self.problem,
                self.throughput,
                self.upper,
                self.optimal,
                self.schedule,
                self.bound,
            )
        )
