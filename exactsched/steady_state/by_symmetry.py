"""Alltoalls on symmetric platforms whose routes are not written down: one source of each orbit."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cached_property
from typing import Final

from exactsched.certificate.bounds import DistanceBound
from exactsched.certificate.by_symmetry import Route, SeriesBySymmetry, orbits
from exactsched.certificate.collectives import PeriodicSchedule
from exactsched.model.alltoall_among import AlltoallAmong
from exactsched.model.problem import Alltoall
from exactsched.model.tasks import WeightedStructure
from exactsched.steady_state.charges import Charges, distance_bound
from exactsched.steady_state.slots import place_slots
from exactsched.steady_state.solution import Solution
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
        schedule = self.stated.written_out().schedule
        assert schedule is not None
        return tuple(
            [
                WeightedStructure(one.part, one.tasks, one.operations / schedule.period)
                for one in schedule.structures
            ]
        )

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
        """The same with its routes, as smaller alltoalls have them."""
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
    packing = found.packing
    if asked is None or not packing.value:
        return None
    platform = problem.platform
    routes = tuple(
        [
            Route(
                problem.demands[found.kept[index]].source,
                problem.demands[found.kept[index]].target,
                weight / packing.value,
                taken,
            )
            for index, taken, weight in packing.routes
        ]
    )
    size = len(platform.nodes)
    generators = found.symmetries.generators
    first = orbits(
        len(platform.arcs), ([image - size for image in moved[size:]] for moved in generators)
    )
    alike = Counter(first)
    often: dict[int, Fraction] = {}
    lengths = {platform.nodes[place]: length for place, length in found.lengths.items()}
    for source, _, share, taken in routes:
        for arc in taken:
            often[first[arc]] = often.get(first[arc], Fraction(0)) + share * lengths[source]
    busy = {
        arc: asked.size * platform.costs[arc] * often[one] / alike[one]
        for arc, one in enumerate(first)
        if one in often
    }
    tick, slots = place_slots(problem, busy)
    period = 1 / packing.value
    if max(end for _, _, end in slots) * tick > period:
        return None
    stated = SeriesBySymmetry(
        asked,
        tuple([moved[:size] for moved in generators]),
        routes,
        period,
        tick,
        slots,
        packing.value,
        packing.bound,
        packing.value == packing.bound,
        distance_bound(charges, found.prices, packing.distances),
    )
    return SolutionBySymmetry(problem, stated, packing.rounds, packing.priced)
