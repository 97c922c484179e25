"""Routes of scatters and alltoalls on symmetric platforms: one flow for each orbit of sources.

An optimum may be averaged over the automorphisms of platform and demands.  So the routes of one
source tell those of all in its orbit, and one price those of all resources in its orbit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain

from exactsched.certificate.by_symmetry import images_of_distances, images_of_routes
from exactsched.exact.arguments import over_common_denominator
from exactsched.graphs.automorphisms import Permutation, Symmetries, symmetries
from exactsched.linear_programs.column_generation import Progress
from exactsched.steady_state.route_packing import RoutePacking, pack_routes

# Nodes, arcs and their images are not more than this in all.
MOST_IMAGES = 1 << 25


def pack_symmetric_routes(
    size: int,
    arcs: Sequence[tuple[int, int]],
    costs: Sequence[int],
    uses: Sequence[tuple[int, ...]],
    capacities: Sequence[int],
    demands: Sequence[tuple[int, int, int]],
    progress: Progress | None = None,
) -> SymmetricPacking | None:
    """The packing of `pack_routes` from a smaller program, if symmetries are found; otherwise None.

    The program has a row for each orbit of resources, which offer what they have together, and the
    demands of one source of each orbit, as many times as large as the orbit is long.  With k
    automorphisms, j of which keep that source, each of its routes is copied by all k, with 1/j of
    its weight.  What the copies keep busy is added up in the end: an error here would show.

    There are as many routes as orbits of resources and demands in the program, times k at most.
    O(k) steps for each node, arc and node of a route, besides the program.

    Reference: proofs/steady-state-alltoall.md.

    >>> ring, pairs = [(0, 1), (1, 2), (2, 0)], [(0, 1), (1, 2), (2, 0)]
    >>> found = pack_symmetric_routes(
    ...     3, ring, [2] * 3, [(0,), (1,), (2,)], [1] * 3, [(*pair, 1) for pair in pairs])
    >>> found.packing.routes, found.packing.distances
    (((0, (0,), Fraction(1, 2)),), ((0, 2, 2),))
    >>> packing = found.copied()
    >>> packing.value, packing.prices, packing.distances
    (Fraction(1, 2), {0: 1, 1: 1, 2: 1}, ((0, 2, 2), (2, 0, 2), (2, 2, 0)))
    """
    sources = list(dict.fromkeys(source for source, _, _ in demands))
    if _all_differ(sources, arcs, costs):
        return None
    platform = _Platform(size, arcs, costs, uses, capacities)
    found = platform.symmetries(demands, sources)
    if len(found.elements) == 1:
        return None
    first_of = found.orbits(size, lambda permutation, node: permutation[node])
    lengths = Counter(first_of[source] for source in sources)
    if not found.whole and len(lengths) > 1:
        return None
    row_of, offered = platform.orbits(found)
    kept = [index for index, demand in enumerate(demands) if first_of[demand[0]] == demand[0]]
    packing = pack_routes(
        size,
        arcs,
        costs,
        [tuple(row_of[resource] for resource in listed) for listed in uses],
        offered,
        [(a, b, amount * lengths[a]) for a, b, amount in map(demands.__getitem__, kept)],
        progress,
    )
    return SymmetricPacking(packing, found, platform, demands, kept, lengths, row_of)


@dataclass(frozen=True, slots=True)
class SymmetricPacking:
    """Routes of one source of each orbit, which automorphisms take to all others.

    `packing` has those of the demands `kept`, and a price for each orbit of resources, `row_of`;
    `lengths` are those of the orbits of sources.
    """

    packing: RoutePacking
    symmetries: Symmetries
    platform: _Platform
    demands: Sequence[tuple[int, int, int]]
    kept: Sequence[int]
    lengths: Mapping[int, int]
    row_of: Sequence[int]

    @property
    def prices(self) -> dict[int, int]:
        """The price of each resource that has one: that of its orbit."""
        prices = self.packing.prices
        return {index: prices[row] for index, row in enumerate(self.row_of) if row in prices}

    def copied(self) -> RoutePacking | None:
        """The routes of all demands; None if they overload a resource."""
        size, elements, kept = self.platform.size, self.symmetries.elements, self.kept
        numerators, unit = over_common_denominator([w for _, _, w in self.packing.routes])
        stated = []
        for (index, route, _), numerator in zip(self.packing.routes, numerators, strict=True):
            source, target, _ = self.demands[kept[index]]
            stated.append((source, target, numerator * self.lengths[source], route))
        number = {(source, target): k for k, (source, target, _) in enumerate(self.demands)}
        both = ((one[:size], [image - size for image in one[size:]]) for one in elements)
        routes = images_of_routes(both, stated, lambda *pair: number[pair])
        unit *= len(elements)
        if self.platform.overloaded(routes, self.demands, unit):
            return None
        weights = {share: Fraction(share, unit) for share in set(routes.values())}
        listed = [(*image, weights[share]) for image, share in sorted(routes.items())]
        ones = list(dict.fromkeys(self.demands[index][0] for index in kept))
        nodes = (one[:size] for one in elements)
        distances = images_of_distances(nodes, ones, self.packing.distances)
        sources = dict.fromkeys(source for source, _, _ in self.demands)
        return replace(
            self.packing,
            routes=tuple(listed),
            prices=self.prices,
            distances=tuple(map(distances.__getitem__, sources)),
        )


class _Platform:
    """Arcs and resources as numbers."""

    def __init__(
        self,
        size: int,
        arcs: Sequence[tuple[int, int]],
        costs: Sequence[int],
        uses: Sequence[tuple[int, ...]],
        capacities: Sequence[int],
    ) -> None:
        self.size, self.arcs, self.costs, self.uses = size, arcs, costs, uses
        self.capacities = capacities
        users: list[list[int]] = [[] for _ in capacities]
        for arc, listed in enumerate(uses):
            for resource in listed:
                users[resource].append(size + arc)
        # Resources of the same capacity that the same arcs use are not told apart.
        self._keys = [
            (frozenset(listed), capacity)
            for listed, capacity in zip(users, capacities, strict=True)
        ]
        self._alike = Counter(self._keys)
        self._first = {key: index for index, key in reversed(list(enumerate(self._keys)))}

    def symmetries(
        self, demands: Sequence[tuple[int, int, int]], sources: Sequence[int]
    ) -> Symmetries:
        """Automorphisms of arcs with costs, resources with capacities, and demands with sizes."""
        size = self.size
        asked: list[list[tuple[int, int]]] = [[] for _ in range(size)]
        for source, target, amount in demands:
            asked[source].append((0, amount))
            asked[target].append((1, amount))
        of_demands = {(source, target): amount for source, target, amount in demands}
        # All pairs of different nodes: that nodes keep their colors is enough.
        amounts = {amount for _, _, amount in demands}
        pairs = len(amounts) == 1 and len(demands) == len(sources) * (len(sources) - 1)
        pairs = pairs and set(sources).issuperset(target for _, target, _ in demands)

        def keeps(found: Permutation) -> bool:
            for key, count in self._alike.items():
                if self._alike[self._moved(found, key)] != count:
                    return False
            return pairs or all(
                of_demands.get((found[source], found[target])) == amount
                for source, target, amount in demands
            )

        widths = [
            sorted((self.capacities[resource], len(self._keys[resource][0])) for resource in listed)
            for listed in self.uses
        ]
        return symmetries(
            size,
            self.arcs,
            _numbered([tuple(sorted(listed)) for listed in asked]),
            _numbered([(cost, *map(tuple, w)) for cost, w in zip(self.costs, widths, strict=True)]),
            sources,
            keeps,
            50 + 2 * len(sources),
            MOST_IMAGES // (size + len(self.arcs)),
        )

    def image(self, found: Permutation, resource: int) -> int:
        """Where the resource is moved to, the first one of those alike."""
        return self._first[self._moved(found, self._keys[resource])]

    def _moved(
        self, found: Permutation, key: tuple[frozenset[int], int]
    ) -> tuple[frozenset[int], int]:
        return frozenset(map(found.__getitem__, key[0])), key[1]

    def orbits(self, found: Symmetries) -> tuple[list[int], list[int]]:
        """The orbit of every resource, and what each orbit offers together."""
        count = len(self.capacities)
        orbit = found.orbits(count, self.image)
        row_of = _numbered([orbit[self._first[key]] for key in self._keys])
        offered = [0] * (max(row_of) + 1)
        for row, capacity in zip(row_of, self.capacities, strict=True):
            offered[row] += capacity
        return row_of, offered

    def overloaded(
        self,
        routes: Mapping[tuple[int, tuple[int, ...]], int],
        demands: Sequence[tuple[int, int, int]],
        unit: int,
    ) -> bool:
        """Whether messages of these demands on these routes, with weights over the unit, keep a
        resource busy for longer than it can work."""
        together: dict[int, list[tuple[int, ...]]] = {}
        for (demand, route), weight in routes.items():
            together.setdefault(weight * demands[demand][2], []).append(route)
        busy = [0] * len(self.capacities)
        for volume, listed in together.items():
            for arc, count in Counter(chain.from_iterable(listed)).items():
                for resource in self.uses[arc]:
                    busy[resource] += volume * count * self.costs[arc]
        return any(map(int.__gt__, busy, [unit * capacity for capacity in self.capacities]))


def _all_differ(
    nodes: Sequence[int], arcs: Sequence[tuple[int, int]], costs: Sequence[int]
) -> bool:
    """Whether the costs of the arcs that leave them tell all nodes apart: nothing moves one then.

    It ends here on most platforms without symmetries: the search took a quarter of a scatter.
    """
    leaving: dict[int, list[int]] = {node: [] for node in nodes}
    for (tail, _), cost in zip(arcs, costs, strict=True):
        if tail in leaving:
            leaving[tail].append(cost)
    return len({tuple(sorted(listed)) for listed in leaving.values()}) == len(nodes)


def _numbered(values: Sequence[object]) -> list[int]:
    numbers: dict[object, int] = {}
    return [numbers.setdefault(value, len(numbers)) for value in values]
