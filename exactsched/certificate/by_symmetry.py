"""Series of alltoalls stated by symmetries: the routes of some sources stand for those of all.

Written down, an alltoall among P nodes has a route for each of P (P - 1) messages.  Automorphisms
of the platform take the routes of one source to those of others.  What this rests on is theorem S
of `proofs/steady-state-alltoall.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd
from typing import NamedTuple, TypeVar

from exactsched.certificate import rules
from exactsched.certificate.bounds import DistanceBound, refuse_unfit_bound
from exactsched.certificate.collectives import PeriodicSchedule, Series, Slot, Structure
from exactsched.certificate.compact_series import CompactSeries
from exactsched.certificate.rules import ArcIndex, PositiveFraction
from exactsched.exact.arguments import over_common_denominator
from exactsched.exact.collection import without_collection
from exactsched.exact.errors import InvalidInput, Malformed
from exactsched.exact.orbits import orbits
from exactsched.model.alltoall_among import AlltoallAmong
from exactsched.model.parts import Demand
from exactsched.model.platform import Node
from exactsched.model.problem import Alltoall

T = TypeVar("T")

MOST_TASKS = 1 << 24
"""More images of tasks than this are not written down."""

# For every node the index of its image.
Automorphism = tuple[int, ...]


class Route(NamedTuple):
    """A share of the messages from `source` to `target` takes these arcs, one after the other.

    The source is a representative, the target another node of the group, and the share positive.
    """

    source: Node
    target: Node
    share: PositiveFraction
    arcs: tuple[ArcIndex, ...]


@dataclass(frozen=True)
class SeriesBySymmetry(CompactSeries):
    """A periodic schedule of alltoalls, stated by the routes of one source of each orbit.

    - `problem`: what is asked
    - `automorphisms`: each has the index of the image of every node, in the order of `nodes`; no
      two nodes have the same image, and that of a node of the group is a node of the group
    - `routes`: at least one from each representative to each other node of the group
    - `period`: the time after which the slots repeat; it has one operation on average
    - `tick`: the unit of time of the slots
    - `slots`: when the arcs work
    - `throughput`: what the schedule reaches, in operations per time unit
    - `bound`: no schedule has a larger throughput
    - `optimal`: whether `throughput` is `bound`
    - `proof`: why the bound holds; it has a row of distances for each representative, in the order
      of `among`
    """

    problem: AlltoallAmong
    automorphisms: tuple[Automorphism, ...]
    routes: tuple[Route, ...]
    period: PositiveFraction
    tick: PositiveFraction
    slots: tuple[Slot, ...]
    throughput: Fraction
    bound: Fraction
    optimal: bool
    proof: DistanceBound

    def validate(self) -> None:
        platform = self.problem.platform
        nodes, arcs = len(platform.nodes), len(platform.tails)
        group = {platform.position[node] for node in self.problem.among}
        for index, images in enumerate(self.automorphisms):
            place = f"automorphisms[{index}]"
            rules.one_each(images, platform.nodes, place, "node")
            rules.distinct(images, nodes, place, "node")
            if not group.issuperset(map(images.__getitem__, group)):
                rule = "the image of a node of the group is a node of the group"
                raise Malformed(place, list(images[:8]), rule)
        targets = set(self.problem.among)
        for index, (source, target, _, taken) in enumerate(self.routes):
            if source not in self.representatives:
                rule = "a route is one from a representative, the first node of its orbit"
                raise Malformed(f"routes[{index}][0]", source, rule)
            if target not in targets or target == source:
                rule = "a route leads to another node of the group"
                raise Malformed(f"routes[{index}][1]", target, rule)
            rules.not_empty(taken, f"routes[{index}][3]")
            rules.indices(taken, arcs, f"routes[{index}][3]", "arc")
        # Otherwise a short document would ask for a table of all pairs of nodes.
        if len(self.routes) < len(self.representatives) * (len(self.problem.among) - 1):
            rule = "from every representative there is a route to every other node of the group"
            raise Malformed("routes", len(self.routes), rule)
        rules.indices(rules.column(self.slots, 0), arcs, "slots", "place", "[0]")
        refuse_unfit_bound(self.of_representatives, self.proof, run=False)

    @cached_property
    def representatives(self) -> Mapping[Node, int]:
        """The first node of each orbit of the group, in the order of `nodes`; their sizes.

        They stand in the order of the group.
        """
        platform = self.problem.platform
        first = orbits(len(platform.nodes), self.automorphisms)
        sizes = dict.fromkeys(first, 0)
        for one in first:
            sizes[one] += 1
        members = [(node, platform.position[node]) for node in self.problem.among]
        return {node: sizes[place] for node, place in members if first[place] == place}

    @cached_property
    def of_representatives(self) -> Alltoall:
        """The demands of the representatives, as many times as large as their orbits are.

        Prices that the automorphisms keep bound the whole alltoall as they bound this one.
        """
        sizes = {node: often * self.problem.size for node, often in self.representatives.items()}
        demands = [
            Demand(source, target, size)
            for source, size in sizes.items()
            for target in self.problem.among
            if target != source
        ]
        return Alltoall(self.problem.platform, tuple(demands), self.problem.ports)

    @property
    def elements(self) -> Sequence[Automorphism]:
        """All products of the automorphisms, the identity first.

        Raises `InvalidInput` where there are too many for their routes to be written down.
        """
        if self._elements is None:
            raise self.too_long()
        return self._elements

    @cached_property
    def _elements(self) -> Sequence[Automorphism] | None:
        identity = tuple(range(len(self.problem.platform.nodes)))
        tasks = sum(len(route.arcs) for route in self.routes)
        most = MOST_TASKS // max(len(identity) * len(self.automorphisms), tasks)
        known = {identity: None}
        queue = [identity]
        for element in queue:  # grows while it is read
            for images in self.automorphisms:
                product = tuple(map(images.__getitem__, element))
                if product not in known:
                    known[product] = None
                    queue.append(product)
            if len(queue) > most:
                return None
        return queue

    @property
    def long(self) -> bool:
        return self._elements is None

    @property
    def tasks(self) -> int:
        return len(self.elements) * sum(len(route.arcs) for route in self.routes)

    def too_long(self) -> InvalidInput:
        rule = (
            f"the images of routes are written down if they have at most {MOST_TASKS} transfers;"
            " the certificate has the `routes` of the representatives"
        )
        return InvalidInput("automorphisms", len(self.automorphisms), rule)

    @without_collection()
    def written_out(self) -> Series:
        """The ordinary certificate of the same schedule: every element moves every route.

        Raises `InvalidInput` where there are too many of them, and where an automorphism does not
        take arcs to arcs.
        """
        images, times = self._images()
        common = gcd(times, *images.values())
        structures = tuple(
            [
                Structure(often // common, part, tuple([(arc, part) for arc in taken]))
                for (part, taken), often in sorted(images.items())
            ]
        )
        # In this number of periods all routes have whole numbers of messages.
        longer = times // common
        schedule = PeriodicSchedule(
            self.period * longer, self.tick * longer, structures, self.slots, False
        )
        asked = self.problem.written_out()
        return Series(
            asked, self.throughput, self.bound, self.optimal, schedule, self.proof_of_all()
        )

    def _images(self) -> tuple[dict[tuple[int, tuple[int, ...]], int], int]:
        """How often each route, (demand, arcs), is taken in a number of periods."""
        platform, group = self.problem.platform, self.problem.among
        place = platform.position
        others = len(group) - 1
        turn = {place[node]: index for index, node in enumerate(group)}
        shares, unit = over_common_denominator([route.share for route in self.routes])
        stated = [
            (place[source], place[target], share * self.representatives[source], taken)
            for share, (source, target, _, taken) in zip(shares, self.routes, strict=True)
        ]

        def demand(source: int, target: int) -> int:
            one, other = turn[source], turn[target]
            return one * others + other - (other > one)

        elements = ((element, self.arcs_under(element)) for element in self.elements)
        return images_of_routes(elements, stated, demand), unit * len(self.elements)

    def arcs_under(self, images: Automorphism) -> list[int]:
        """The images of all arcs.  Raises `InvalidInput` if one of them is none."""
        platform = self.problem.platform
        moved = [
            self._arc_between.get(images[tail] * len(images) + images[head], -1)
            for tail, head in self._ends
        ]
        if -1 in moved:
            arc = platform.arcs[moved.index(-1)]
            ends = [platform.nodes[images[platform.position[end]]] for end in (arc.tail, arc.head)]
            rule = f"the image of an arc is an arc; that of {arc} is none"
            raise InvalidInput("automorphisms", "->".join(map(str, ends)), rule)
        return moved

    @cached_property
    def _ends(self) -> list[tuple[int, int]]:
        platform = self.problem.platform
        place = platform.position.__getitem__
        return list(zip(map(place, platform.tails), map(place, platform.heads), strict=True))

    @cached_property
    def _arc_between(self) -> dict[int, int]:
        """The arc from a node to another one, as tail * number of nodes + head.

        Not pairs: whoever writes a document can make the hashes of all pairs of integers equal.
        """
        size = len(self.problem.platform.nodes)
        return {tail * size + head: index for index, (tail, head) in enumerate(self._ends)}

    def proof_of_all(self) -> DistanceBound:
        """The distances of all sources: those of a representative, moved."""
        place = self.problem.platform.position
        sources = [place[node] for node in self.representatives]
        rows = images_of_distances(self.elements, sources, self.proof.distances)
        distances = tuple([rows[place[node]] for node in self.problem.among])
        return DistanceBound(self.proof.prices, distances)


def images_of_routes(
    elements: Iterable[tuple[Sequence[int], Sequence[int]]],
    routes: Sequence[tuple[int, int, int, Sequence[int]]],
    demand: Callable[[int, int], int],
) -> dict[tuple[int, tuple[int, ...]], int]:
    """Where permutations of nodes and of arcs take routes, with their shares, added up.

    A route is (source, target, share, arcs), its image (demand from source to target, arcs).

    >>> turn = ([1, 0], [1, 0])
    >>> images_of_routes([turn], [(0, 1, 3, [0])], lambda source, target: source)
    {(1, (1,)): 3}
    """
    often: dict[tuple[int, tuple[int, ...]], int] = {}
    for nodes, arcs in elements:
        for source, target, share, taken in routes:
            image = demand(nodes[source], nodes[target]), tuple(map(arcs.__getitem__, taken))
            often[image] = often.get(image, 0) + share
    return often


def images_of_distances(
    elements: Iterable[Sequence[int]], sources: Sequence[int], rows: Sequence[Sequence[T]]
) -> dict[int, tuple[T, ...]]:
    """The distances from all images of the sources: those of the source itself, moved.

    >>> images_of_distances([[0, 1], [1, 0]], [0], [[0, 5]])
    {0: (0, 5), 1: (5, 0)}
    """
    moved: dict[int, tuple[T, ...]] = {}
    for element in elements:
        for source, row in zip(sources, rows, strict=True):
            if element[source] not in moved:
                far = dict(zip(element, row, strict=True))
                moved[element[source]] = tuple(map(far.__getitem__, range(len(row))))
    return moved
