"""What messages charge to resources, in the integers that the packing kernels take."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import gcd

from exactsched.certificate.bounds import DistanceBound
from exactsched.exact.arguments import over_common_denominator
from exactsched.model.problem import Collective
from exactsched.model.resources import arc_resources, resources, size_costs


@dataclass(frozen=True, slots=True)
class Charges:
    """A unit of size on arc k takes `costs[k]` of each resource in `uses[k]`, all integers.

    Resource r is called `names[r]` and offers `capacities[r]` per time unit: `unit` of them, where
    the resource is no shared link.  A price of a kernel,
    per unit of this capacity, times the capacity is the price of a certificate, per time unit;
    the length of an arc is the same under both.

    >>> from exactsched.model.platform import Platform
    >>> from exactsched.model.problem import Broadcast
    >>> pair = Platform("ab", [("a", "b", "3/2")])
    >>> Charges.of(Broadcast(pair, "a", "link"))
    Charges(names=['link:0'], costs=[3], uses=[(0,)], capacities=[2], unit=2)
    >>> routed = Platform("ab", [("a", "b", "3/2", 0, [("up", "1/2"), ("down", "3/2")])])
    >>> Charges.of(Broadcast(routed, "a", "routes"))  # bandwidths 2 and 2/3
    Charges(names=['link:up', 'link:down'], costs=[3], uses=[(0, 1)], capacities=[6, 2], unit=3)
    """

    names: list[str]
    costs: list[int]
    uses: list[tuple[int, ...]]
    capacities: list[int]
    unit: int

    @staticmethod
    def of(problem: Collective, arcs: Sequence[int] | None = None) -> Charges:
        """The charges of these arcs of the problem, in this order, or of all."""
        listed = range(len(problem.platform.arcs)) if arcs is None else arcs
        factors, factor_of = size_costs(problem)
        costs, unit = over_common_denominator([factors[arc] for arc in listed])
        names, used = resources(problem), arc_resources(problem)
        row = {name: index for index, name in enumerate(names)}.__getitem__
        uses = [tuple(map(row, used[arc])) for arc in listed]
        if not factor_of:
            return Charges(names, costs, uses, [unit] * len(names), unit)
        capacities, scale = over_common_denominator([unit / factor_of[name] for name in names])
        scaled = [cost * scale for cost in costs]
        return Charges(names, scaled, uses, capacities, unit * scale)


def distance_bound(
    charges: Charges, prices: Mapping[int, int], distances: Iterable[Sequence[int]]
) -> DistanceBound:
    """Prices and distances of a kernel as those of a certificate, without a common divisor.

    >>> one = Charges(["link:0"], [3], [(0,)], [2], 2)
    >>> bound = distance_bound(one, {0: 5}, [(0, 10)])
    >>> bound.prices, bound.distances
    ({'link:0': 5}, ((0, 5),))
    """
    rows = list(distances)
    common = gcd(*charges.capacities, *(one for row in rows for one in row))
    return DistanceBound(
        {
            charges.names[index]: price * (charges.capacities[index] // common)
            for index, price in prices.items()
        },
        tuple([tuple([number // common for number in row]) for row in rows]),
    )
