"""A solved series of broadcasts: weighted trees, their schedule, the bound, the certificate."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import Any

from exactsched.certificate.nouns import Bound, PeriodicSchedule, SeriesCertificate
from exactsched.certificate.writing import to_document
from exactsched.exact.rational import exact
from exactsched.model.problem import Broadcast
from exactsched.steady_state.broadcast_schedule import depths, periodic_schedule, whole_messages


@dataclass(frozen=True, slots=True)
class Tree:
    """An arborescence that carries `weight` messages per time unit along its `arcs` (indices)."""

    arcs: tuple[int, ...]
    weight: Fraction


@dataclass(frozen=True)
class BroadcastSolution:
    """A steady state of a series of broadcasts, and a bound on all under the same restriction.

    `throughput` is what `trees` reach and `upper` what `bound` proves, in broadcasts per time
    unit; `optimal` says whether they agree.  `rounds` and `priced` count linear programs and
    arborescences computed.
    """

    problem: Broadcast
    trees: tuple[Tree, ...]
    bound: Bound
    upper: Fraction
    rounds: int = 0
    priced: int = 0

    @property
    def throughput(self) -> Fraction:
        return sum((tree.weight for tree in self.trees), start=Fraction(0))

    @property
    def optimal(self) -> bool:
        return self.throughput == self.upper

    @cached_property
    def schedule(self) -> PeriodicSchedule | None:
        """The periodic schedule with the shortest period; None if the throughput is 0."""
        if not self.trees:
            return None
        return periodic_schedule(self.problem, [(tree.arcs, tree.weight) for tree in self.trees])

    def whole(self) -> BroadcastSolution:
        """The same steady state with a period so long that no message is ever interrupted.

        >>> from exactsched.model.platform import Platform
        >>> from exactsched.steady_state.broadcast import broadcast
        >>> solution = broadcast(Platform("ab", [("a", "b", "2/3")]), "a").whole()
        >>> solution.schedule.whole, solution.throughput
        (True, Fraction(3, 2))
        """
        same = replace(self)
        if self.schedule is not None:
            # The cache of `schedule`: the one attribute that is not a field.
            same.__dict__["schedule"] = whole_messages(self.problem, self.schedule)
        return same

    @cached_property
    def depth(self) -> int:
        """The number of arcs from the source to the farthest node, over all trees."""
        return max(
            (
                max(depths(self.problem.platform, self.problem.source, tree.arcs).values())
                for tree in self.trees
            ),
            default=0,
        )

    @property
    def makespan_constant(self) -> Fraction:
        """C such that M messages take at most M / throughput + C, for every M.

        It is depth times period: R periods of messages take R + depth - 1 periods.
        """
        return self.depth * self.schedule.period if self.schedule else Fraction(0)

    def messages_within(self, horizon: Fraction | int) -> int:
        """How many messages the periodic schedule has delivered everywhere by time `horizon`.

        At least `throughput * (horizon - makespan_constant)`, where no schedule under the
        restriction of the problem delivers more than `upper * horizon`: at an optimum the loss
        does not grow with the horizon (RR-4871, theorem 7).
        """
        if self.schedule is None:
            return 0
        periods = floor(exact(horizon, "horizon") / self.schedule.period) - self.depth + 1
        return max(0, periods) * sum(tree.messages for tree in self.schedule.trees)

    def certificate(self) -> dict[str, Any]:
        """The document that `exactsched.check` accepts."""
        return to_document(
            SeriesCertificate(
                self.problem,
                self.throughput,
                self.upper,
                self.optimal,
                self.schedule,
                self.bound,
            )
        )
