"""The largest fractional packing of routes into resources, with its dual prices.

The structures of scatters and alltoalls: an operation takes a route for every demand, and the
cheapest ones under prices are shortest paths.  The packing itself is `pack_structures`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from math import lcm, nan
from typing import Any, TypeVar

from exactsched.exact.errors import InvalidInput
from exactsched.linear_programs.column_generation import Progress, pack_structures
from exactsched.steady_state.arc_lengths import ArcLengths

Number = TypeVar("Number", int, float)

# (demand, arcs): how long it keeps a resource busy depends on the size of the demand.
Route = tuple[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class RoutePacking:
    """Routes with weights, and prices with distances, of the same value.

    `routes` holds (demand, arc indices in order, weight); they are simple paths.  In every demand
    the weights add up to `value`, and no resource works more than its capacity.  `distances` has a
    row for each distinct source, in the order of the demands, with a number for every node: 0 at
    the source, and along no arc do they grow by more than its cost times the prices of the
    resources it uses.  `bound` is the sum of capacity times price over the sum of size times
    distance of the target.  Prices and distances are integers without a common divisor.
    `rounds` and `priced` count the linear programs and the routes computed.
    """

    value: Fraction
    routes: tuple[tuple[int, tuple[int, ...], Fraction], ...]
    prices: dict[int, int]
    distances: tuple[tuple[int, ...], ...]
    rounds: int
    priced: int
    bound: Fraction


def pack_routes(
    size: int,
    arcs: Sequence[tuple[int, int]],
    costs: Sequence[int],
    uses: Sequence[tuple[int, ...]],
    capacities: Sequence[int],
    demands: Sequence[tuple[int, int, int]],
    progress: Progress | None = None,
) -> RoutePacking:
    """The most operations per time unit equal the cheapest prices of the shortest paths.

    Every operation needs a path from source to target for each of the `demands`, (source, target,
    size).  One that contains arc k keeps each resource in `uses[k]` busy for `costs[k]` times the
    size (positive integers); resource r offers `capacities[r]` (positive integers).  At most as
    many routes get a weight as there are resources and demands together.

    Raises `InvalidInput` for other numbers, if a target cannot be reached or is its own source, and
    if some operation keeps nothing busy.

    Every round costs one linear program with a row per resource and demand, and some tens of
    searches of O(m log n) for each distinct source.

    Reference: proofs/steady-state-alltoall.md; Dijkstra 1959; Ford and Fulkerson 1958 (columns).

    >>> packing = pack_routes(  # two messages leave node 0, which sends one at a time
    ...     3, [(0, 1), (0, 2), (1, 2)], [2, 5, 1], [(0,), (0,), (1,)], [1, 1],
    ...     [(0, 1, 1), (0, 2, 1)])
    >>> packing.value, packing.routes
    (Fraction(1, 4), ((0, (0,), Fraction(1, 4)), (1, (0, 2), Fraction(1, 4))))
    >>> packing.prices, packing.distances
    ({0: 1}, ((0, 2, 2),))
    """
    for index, cost in enumerate(costs):
        if cost <= 0:
            raise InvalidInput(f"cost of arc {index}", cost, "a positive integer")
    for index, (source, target, amount) in enumerate(demands):
        if amount <= 0:
            raise InvalidInput(f"size of demand {index}", amount, "a positive integer")
        if source == target:
            raise InvalidInput(f"target of demand {index}", target, "not the source")
    pricing = _Pricing(size, arcs, costs, uses, demands)
    packing = pack_structures(pricing, capacities, progress)
    unit = lcm(*(price.denominator for price in packing.prices.values()))
    prices = {row: int(price * unit) for row, price in packing.prices.items()}
    # A common divisor of these prices would divide the distances, hence the unit, which is least.
    return RoutePacking(
        packing.value,
        tuple((demand, route, weight) for demand, (_, route), weight in packing.weights),
        prices,
        tuple(map(tuple, pricing.distances.values())),
        packing.rounds,
        packing.priced,
        packing.bound,
    )


class _Pricing:
    """Cheapest routes under prices of the resources, in floats and exactly."""

    distances: dict[int, list[int]]  # from every source, of the last routes computed exactly

    def __init__(
        self,
        size: int,
        arcs: Sequence[tuple[int, int]],
        costs: Sequence[int],
        uses: Sequence[tuple[int, ...]],
        demands: Sequence[tuple[int, int, int]],
    ) -> None:
        self.parts = len(demands)
        self._demands = demands
        self._lengths = ArcLengths(costs, uses)
        self._tails = [tail for tail, _ in arcs]
        self._leaving: list[list[tuple[int, int]]] = [[] for _ in range(size)]
        for arc, (tail, head) in enumerate(arcs):
            self._leaving[tail].append((arc, head))
        self._targets: dict[int, set[int]] = {}
        for source, target, _ in demands:
            self._targets.setdefault(source, set()).add(target)
        self._loads: dict[Route, dict[int, int]] = {}  # the same routes are met again and again

    def load(self, structure: Route) -> dict[int, int]:
        busy = self._loads.get(structure)
        if busy is None:
            demand, route = structure
            busy = self._loads[structure] = self._lengths.load(route, self._demands[demand][2])
        return busy

    def cheapest(self, prices: Sequence[float]) -> list[Route]:
        lengths = self._lengths.floats(prices)
        return self._routes(
            {source: self._tree(source, lengths, 0.0)[1] for source in self._targets}
        )

    def cheapest_exactly(self, prices: Mapping[int, int]) -> tuple[list[Route], list[int]]:
        lengths = self._lengths.exact(prices)
        self.distances = {}
        entering: dict[int, list[int]] = {}
        for source, targets in self._targets.items():
            tentative, entering[source] = self._tree(source, lengths, 0)
            # Settled are the nodes no farther than the farthest target.  Distances that are
            # truncated there still grow by at most the length of an arc.
            farthest = max([tentative[target] for target in targets])
            self.distances[source] = [min(farthest, length) for length in tentative]
        costs = [
            amount * self.distances[source][target] for source, target, amount in self._demands
        ]
        return self._routes(entering), costs

    def _tree(
        self, source: int, lengths: Sequence[Number], zero: Number
    ) -> tuple[list[Number], list[int]]:
        """Distances, and the last arcs of shortest paths, of all nodes as near as the targets.

        Distances of others are too long, or no numbers.  Raises `InvalidInput` if a target cannot
        be reached.
        """
        unmet: Any = nan  # to whatever it is compared: False
        missing = set(self._targets[source])
        distance: list[Number] = [unmet] * len(self._leaving)
        distance[source] = zero
        entering = [-1] * len(distance)
        heap = [(zero, source)]
        while heap:
            length, node = heappop(heap)
            if length > distance[node]:  # met again, and nearer
                continue
            if node in missing:
                missing.remove(node)
                if not missing:
                    return distance, entering
            for arc, head in self._leaving[node]:
                longer = length + lengths[arc]
                if not distance[head] <= longer:
                    distance[head] = longer
                    entering[head] = arc
                    heappush(heap, (longer, head))
        rule = f"cannot be reached from the source {source}"
        raise InvalidInput("target", min(missing), rule)

    def _routes(self, entering: Mapping[int, Sequence[int]]) -> list[Route]:
        """The route of every demand in the tree of its source."""
        routes: list[Route] = []
        for demand, (source, node, _) in enumerate(self._demands):
            last = entering[source]
            route = []
            while node != source:
                route.append(last[node])
                node = self._tails[last[node]]
            routes.append((demand, tuple(reversed(route))))
        return routes
