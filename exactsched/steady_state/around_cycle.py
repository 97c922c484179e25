"""Steady states around Hamiltonian cycles that are too long for their trees to be written down."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from exactsched.certificate.around_cycle import SeriesAroundCycle, TreesAroundCycle
from exactsched.certificate.collectives import PeriodicSchedule
from exactsched.model.tasks import Tree
from exactsched.steady_state.solution import Solution


@dataclass(frozen=True)
class SolutionAroundCycle(Solution):
    """A solution whose certificate is the cycle: linear in the platform, which its trees are not.

    `structures` makes a tree when it is asked for, and `record().slots()` makes a slot.  `trees`
    and `schedule` raise `InvalidInput`, and so does what is made of them: runs, other periods,
    plans.
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
        raise self.structures.stated.too_long()

    @cached_property
    def schedule(self) -> PeriodicSchedule | None:
        raise self.structures.stated.too_long()

    def whole(self) -> Solution:
        """Itself."""
        return self
