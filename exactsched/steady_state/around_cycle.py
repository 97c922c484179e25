"""Steady states around Hamiltonian cycles, whose trees are written down for those who ask."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from exactsched.certificate.around_cycle import SeriesAroundCycle, TreesAroundCycle
from exactsched.certificate.collectives import PeriodicSchedule
from exactsched.model.tasks import Tree
from exactsched.steady_state.solution import Solution, solution_of


@dataclass(frozen=True)
class SolutionAroundCycle(Solution):
    """A solution whose certificate is the cycle: linear in the platform, which its trees are not.

    `structures` makes a tree when it is asked for, and `record().slots()` makes a slot.  For what
    needs all of them they are written down: `trees`, `schedule`, and what is made of these, as
    runs, other periods, plans.  On cycles of more than 4096 nodes that raises `InvalidInput`.
    """

    structures: TreesAroundCycle

    def record(self) -> SeriesAroundCycle:
        return self.structures.stated

    @cached_property
    def throughput(self) -> Fraction:
        return self.structures.stated.throughput

    @property
    def period(self) -> Fraction:
        return self.structures.stated.period

    @property
    def interrupted(self) -> bool:
        return False

    @cached_property
    def depth(self) -> int:
        """That of the first tree, which is a path."""
        return len(self.structures.stated.cycle) - 1

    @property
    def trees(self) -> tuple[Tree, ...]:
        return self.listed().trees

    @cached_property
    def schedule(self) -> PeriodicSchedule | None:
        """Its slots are those of `record()`."""
        return self.listed().schedule

    def scheduled(self, schedule: PeriodicSchedule) -> Solution:
        return self.listed().scheduled(schedule)

    def listed(self) -> Solution:
        return solution_of(self.record())

    def whole(self) -> Solution:
        """Itself."""
        return self
