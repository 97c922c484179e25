"""Alltoalls on symmetric platforms whose routes are not written down: one source of each orbit."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cached_property
from typing import Final

from exactsched.certificate.bounds import DistanceBound
from exactsched.certificate.by_symmetry import Route, SeriesBySymmetry
from exactsched.certificate.collectives import PeriodicSchedule
from exactsched.model.alltoall_among import AlltoallAmong
from exactsched.model.problem import Alltoall
from exactsched.model.tasks import WeightedStructure
from exactsched.steady_state.charges import Charges, distance_bound
from exactsched.steady_state.slots import place_slots
from exactsched.steady_state.solution import Solution, solution_of
from exactsched.steady_state.symmetric_routes import SymmetricPacking

# Up to this number of demands their routes are written down at once, in some milliseconds.
MOST_LISTED: Final = 1000


class SolutionBySymmetry(Solution):
    """A solution whose certificate has the routes of representatives: as long as the platform.

    `structures`, the routes of all demands, are made when they are asked for, and so is all that
    is made of them.
    """

    stated: SeriesBySymmetry

    def __init__(
        self, problem: Alltoall, stated: SeriesBySymmetry, rounds: int, priced: int
    ) -> None:
        members = {
            "problem": problem,
            "stated": stated,
            "bound": stated.bound,
            "rounds": rounds,
            "priced": priced,
            "planned": None,
        }
        for name, value in members.items():
            object.__setattr__(self, name, value)

    def record(self) -> SeriesBySymmetry:
        return self.stated

    @cached_property
    def structures(self) -> tuple[WeightedStructure, ...]:
        """The routes of all demands."""
        return tuple(solution_of(self.stated).structures)

    @cached_property
    def proof(self) -> DistanceBound:
        """The bound with the distances of all sources."""
        return self.stated.proof_of_all()

    @cached_property
    def throughput(self) -> Fraction:
        return self.stated.throughput

    @cached_property
    def depth(self) -> int:
        """The longest route of a representative."""
        return max(len(route.arcs) for route in self.stated.routes)

    @property
    def unreachable(self) -> tuple[()]:
        """Nothing is out of reach."""
        return ()

    def scheduled(self, schedule: PeriodicSchedule) -> Solution:
        return self.listed().scheduled(schedule)

    def listed(self) -> Solution:
        return Solution(
            self.problem, self.structures, self.proof, self.bound, self.rounds, self.priced
        )


def solution_by_symmetry(
    problem: Alltoall, charges: Charges, found: SymmetricPacking
) -> SolutionBySymmetry | None:
    """The solution of the routes of representatives, for more than `MOST_LISTED` demands.

    None where it has no short certificate: for other demands than those of a group, for shared
    links, and where the automorphisms are no group that is small enough to be listed.
    """
    if len(problem.demands) <= MOST_LISTED or not found.symmetries.whole:
        return None
    asked = AlltoallAmong.of(problem)
    if asked is None:
        return None
    packing, size = found.packing, len(problem.platform.nodes)
    routes = tuple(
        [
            Route(*problem.demands[found.kept[index]][:2], weight / packing.value, arcs)
            for index, arcs, weight in packing.routes
        ]
    )
    period = 1 / packing.value
    tick, slots = place_slots(problem, _working_times(problem, found))
    if max(end for _, _, end in slots) * tick > period:
        return None
    stated = SeriesBySymmetry(
        problem=asked,
        automorphisms=tuple([moved[:size] for moved in found.symmetries.generators]),
        routes=routes,
        period=period,
        tick=tick,
        slots=slots,
        throughput=packing.value,
        bound=packing.bound,
        optimal=packing.value == packing.bound,
        proof=distance_bound(charges, found.prices, packing.distances),
    )
    return SolutionBySymmetry(problem, stated, packing.rounds, packing.priced)


def _working_times(problem: Alltoall, found: SymmetricPacking) -> dict[int, Fraction]:
    """How long each arc works in an operation: as long as the mean of its orbit."""
    platform, size = problem.platform, len(problem.platform.nodes)
    count = len(platform.tails)
    first = found.symmetries.orbits(count, lambda moved, arc: moved[size + arc] - size)
    often: dict[int, Fraction] = {}
    for index, arcs, weight in found.packing.routes:
        source, _, _ = found.demands[found.kept[index]]
        share = weight / found.packing.value * found.lengths[source]
        for arc in arcs:
            often[first[arc]] = often.get(first[arc], Fraction(0)) + share
    alike, message = Counter(first), problem.demands[0].size
    return {
        arc: message * platform.costs[arc] * often[one] / alike[one]
        for arc, one in enumerate(first)
        if one in often
    }
