"""The steady state of a series of operations: weighted structures, schedule, bound, certificate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import TYPE_CHECKING, Any

from exactsched.certificate.bounds import Bound
from exactsched.certificate.collectives import PeriodicSchedule, Series
from exactsched.certificate.result import Result
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import exact
from exactsched.model.problem import Collective
from exactsched.model.tasks import State, Tree, WeightedStructure, given, levels
from exactsched.model.unreachable import unreachable
from exactsched.steady_state.schedule import periodic_schedule, whole_tasks

if TYPE_CHECKING:
    from exactsched.certificate.compact_series import CompactSeries


@dataclass(frozen=True)
class Solution(Result):
    """A steady state of a series of operations, and a bound on all under the same restriction.

    `throughput` is what the `structures` reach and `bound` what `proof` shows that none passes, in
    operations per time unit; `optimal` says whether they agree.  `rounds` and `priced` count
    linear programs and structures computed.  `planned` is the schedule, where it is not the one
    with the shortest period.
    """

    problem: Collective
    structures: Sequence[WeightedStructure]
    proof: Bound
    bound: Fraction
    rounds: int = 0
    priced: int = 0
    planned: PeriodicSchedule | None = field(default=None, repr=False)

    @property
    def trees(self) -> tuple[Tree, ...]:
        """The structures with the names of their nodes.

        >>> from exactsched.model.platform import Platform
        >>> from exactsched.steady_state.broadcast import broadcast
        >>> broadcast(Platform("ab", [("a", "b", 2)]), "a").trees[0].edges
        (('a', 'b'),)
        """
        return tuple(
            Tree(one.part, one.tasks, one.weight, self.problem.platform) for one in self.structures
        )

    @cached_property
    def throughput(self) -> Fraction:
        first = (structure.weight for structure in self.structures if structure.part == 0)
        return sum(first, start=Fraction(0))

    @property
    def optimal(self) -> bool:
        return self.throughput == self.bound

    @cached_property
    def unreachable(self) -> tuple[State, ...]:
        """Why the throughput is 0: the wanted states (item, node) that no tasks bring about.

        Items are (), the index of a demand, or an interval, as in `exactsched.model.tasks`.
        Empty where the throughput is positive.

        >>> from exactsched.model.platform import Platform
        >>> from exactsched.steady_state.broadcast import broadcast
        >>> broadcast(Platform("abc", [("a", "b", 1)]), "a").unreachable
        (((), 'c'),)
        """
        return () if self.structures else unreachable(self.problem)

    @cached_property
    def schedule(self) -> PeriodicSchedule | None:
        """The periodic schedule with the shortest period, or `planned`; None for throughput 0."""
        if self.planned is not None or not self.structures:
            return self.planned
        return periodic_schedule(self.problem, self.structures)

    @property
    def period(self) -> Fraction:
        """That of the schedule; 0 for throughput 0."""
        return self.schedule.period if self.schedule else Fraction(0)

    @property
    def interrupted(self) -> bool:
        """Whether the schedule interrupts single tasks."""
        return self.schedule is not None and not self.schedule.whole

    def scheduled(self, schedule: PeriodicSchedule) -> Solution:
        """The same bound with another schedule, whose structures and throughput are taken over."""
        structures = tuple(
            WeightedStructure(one.part, one.tasks, one.operations / schedule.period)
            for one in schedule.structures
        )
        return replace(self, structures=structures, planned=schedule)

    def whole(self) -> Solution:
        """The same steady state with a period so long that no task is ever interrupted.

        >>> from exactsched.model.platform import Platform
        >>> from exactsched.steady_state.broadcast import broadcast
        >>> solution = broadcast(Platform("ab", [("a", "b", "2/3")]), "a").whole()
        >>> solution.schedule.whole, solution.throughput
        (True, Fraction(3, 2))
        """
        if self.schedule is None:
            return self
        return self.scheduled(whole_tasks(self.problem, self.schedule))

    @cached_property
    def depth(self) -> int:
        """The largest number of tasks in a row, over all structures."""
        there = given(self.problem)
        rows = (levels(self.problem, structure.tasks, there) for structure in self.structures)
        return max((max(row) for row in rows), default=0)

    @property
    def makespan_constant(self) -> Fraction:
        """C such that M operations take at most M / throughput + C, for every M.

        It is depth times period: R periods of operations take R + depth - 1 periods.
        """
        return self.depth * self.period

    def operations_within(self, horizon: Fraction | int | str) -> int:
        """How many operations the periodic schedule has completed by time `horizon`.

        At least `throughput * (horizon - makespan_constant)`, where no schedule under the
        restriction of the problem completes more than `bound * horizon`: at an optimum the loss
        does not grow with the horizon (RR-4871, theorem 7; RR-4872, propositions 1 to 3).
        """
        if not self.period:
            return 0
        periods = floor(exact(horizon, "horizon") / self.period) - self.depth + 1
        return max(0, periods) * int(self.throughput * self.period)

    def listed(self) -> Solution:
        """The same with all structures written down: itself, but where the certificate is short."""
        return self

    def record(self) -> Series | CompactSeries:
        """What the certificate says; the nodes of its platform keep their roles."""
        return Series(
            self.problem, self.throughput, self.bound, self.optimal, self.schedule, self.proof
        )


def solution_of(given: Any) -> Solution:
    """A solution itself; that of an answer on a graph of networkx; that of a series from a file.

    Where its certificate is a short one, the same solution with all structures written down.
    Raises `InvalidInput` where they are too many.

    >>> from exactsched.model.platform import Platform
    >>> from exactsched.steady_state.broadcast import broadcast
    >>> solution = broadcast(Platform("ab", [("a", "b", 1)]), "a")
    >>> solution_of(solution) is solution, solution_of(solution.record()).schedule.period
    (True, Fraction(1, 1))
    """
    # Loaded where it is asked for: most commands never do.
    from exactsched.certificate.compact_series import CompactSeries

    found = getattr(given, "solution", given)
    if isinstance(found, Solution):
        return found.listed()
    if isinstance(found, CompactSeries):
        found = found.written_out()
    if not isinstance(found, Series):
        rule = "type broadcast(platform, source), or another collective, for a solution"
        raise InvalidInput("solution", given, rule)
    listed = found.schedule.structures if found.schedule else ()
    period = found.schedule.period if found.schedule else Fraction(1)
    structures = tuple(
        WeightedStructure(one.part, one.tasks, one.operations / period) for one in listed
    )
    return Solution(found.problem, structures, found.proof, found.bound, planned=found.schedule)
