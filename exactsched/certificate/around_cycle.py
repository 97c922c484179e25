"""Series of broadcasts around a Hamiltonian cycle: the cycle stands for all trees and slots.

Written down, the trees have about P^2 / 2 arcs for P nodes; the cycle has P nodes.  What it stands
for is theorem C of `proofs/half-duplex.md`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import ClassVar, overload

from exactsched.certificate.bounds import Cut, CutBound, OddSet, refuse_unfit_bound
from exactsched.certificate.collectives import (
    PeriodicSchedule,
    Series,
    Slot,
    Structure,
    refuse_latencies,
)
from exactsched.certificate.compact_series import CompactSeries
from exactsched.certificate.rules import PositiveFraction
from exactsched.exact.errors import InvalidInput, Malformed
from exactsched.model.platform import Node
from exactsched.model.problem import Broadcast
from exactsched.model.tasks import Task, WeightedStructure

MOST_WRITTEN = 4096
"""On a cycle of more nodes the trees are never written down: they have P (P - 1) / 2 arcs."""


@dataclass(frozen=True, slots=True)
class ReceptionBound:
    """All nodes but the source receive every message, each from another node that sends meanwhile.

    - `cost`: no arc costs less
    """

    TAG: ClassVar = ("by", "receptions")

    cost: PositiveFraction

    def cuts(self, nodes: Sequence[Node]) -> CutBound:
        """The same by prices and cuts; the source is the first of the nodes.

        Half of the nodes send at a time: a price at every port says so, or, if their number is odd
        and not 1, one price for all of them together.
        """
        entered = tuple(Cut(index, index + 1, self.cost) for index in range(len(nodes) - 1))
        if len(nodes) % 2:
            odd = OddSet(tuple(nodes), Fraction(1))
            return CutBound({}, tuple(nodes[1:]), entered, odd_sets=(odd,))
        prices = {f"port:{node}": Fraction(1, 2) for node in nodes}
        return CutBound(prices, tuple(nodes[1:]), entered)


@dataclass(frozen=True, slots=True)
class SeriesAroundCycle(CompactSeries):
    """A periodic schedule of half-duplex broadcasts, stated by the cycle that it goes around.

    - `problem`: what is asked; `ports` is "half-duplex", `restrict` is "none", and its arcs have no
      latencies
    - `cycle`: every node of the platform once, an even number of them, the source first
    - `throughput`: what the trees around the cycle reach, in operations per time unit
    - `bound`: no schedule has a larger throughput
    - `optimal`: whether `throughput` is `bound`
    - `proof`: why the bound holds; it proves exactly this number
    """

    problem: Broadcast
    cycle: tuple[Node, ...]
    throughput: Fraction
    bound: Fraction
    optimal: bool
    proof: CutBound | ReceptionBound

    def validate(self) -> None:
        problem, nodes = self.problem, self.problem.platform.nodes
        refuse_latencies(problem)
        if problem.ports != "half-duplex":
            rule = "the schedule around a cycle is one for half-duplex ports"
            raise Malformed("problem.ports", problem.ports, rule)
        if problem.restrict != "none":
            rule = "the trees around a cycle are several, and use it in both directions"
            raise Malformed("problem.restrict", problem.restrict, rule)
        if len(self.cycle) != len(nodes) or set(self.cycle) != set(nodes):
            rule = f"each of the {len(nodes)} nodes of the platform once"
            raise Malformed("cycle", len(self.cycle), rule)
        if len(nodes) % 2:
            raise Malformed("cycle", len(nodes), "an even number of nodes")
        if self.cycle[0] != problem.source:
            raise Malformed("cycle[0]", self.cycle[0], "the source comes first")
        if isinstance(self.proof, CutBound):
            refuse_unfit_bound(problem, self.proof, run=False)

    @property
    def long(self) -> bool:
        """Whether the trees are never written down."""
        return len(self.cycle) > MOST_WRITTEN

    @property
    def tasks(self) -> int:
        size = len(self.cycle)
        return size * (size - 1) // 2

    @property
    def cost(self) -> Fraction:
        """The cost of the links of the cycle, if the document is accepted; a tick of the slots."""
        return self.problem.platform.arcs[self.ways()[0][0]].cost

    @property
    def period(self) -> Fraction:
        """P - 1 ticks, in which every one of the P / 2 trees carries one message."""
        return (len(self.cycle) - 1) * self.cost

    @property
    def structures(self) -> TreesAroundCycle:
        """The trees with their weights, one at a time.

        >>> from exactsched.platforms.built_in import built_in
        >>> from exactsched.steady_state.hamiltonian import hamiltonian_optimum
        >>> ring = hamiltonian_optimum(built_in("ring:4"), 0, range(4)).around_cycle()
        >>> [[str(ring.problem.platform.arcs[arc]) for arc in one.arcs] for one in ring.structures]
        [['0->3', '3->2', '2->1'], ['0->1', '0->3', '1->2']]
        """
        return TreesAroundCycle(self)

    def ways(self) -> tuple[list[int], list[int]]:
        """The arcs from v(i) to v(i+1), and those from v(i+1) to v(i), for i = 0, ..., P-1.

        Raises `InvalidInput` if the platform lacks one of them.
        """
        platform = self.problem.platform
        number, size = platform.position, len(platform.nodes)
        # Not pairs: whoever writes a document can make the hashes of all pairs of integers equal.
        arcs = {
            number[arc.tail] * size + number[arc.head]: index
            for index, arc in enumerate(platform.arcs)
        }
        nodes = [number[node] for node in self.cycle]
        links = list(zip(nodes, [*nodes[1:], nodes[0]], strict=True))
        try:
            return (
                [arcs[one * size + other] for one, other in links],
                [arcs[other * size + one] for one, other in links],
            )
        except KeyError:
            rule = "every node has arcs to the next one and back"
            raise InvalidInput("cycle", len(nodes), rule) from None

    def slots(self) -> Iterator[Slot]:
        """The slots of a period, in ticks of `cost`, one at a time: about two for every node.

        >>> from exactsched.platforms.built_in import built_in
        >>> from exactsched.steady_state.hamiltonian import hamiltonian_optimum
        >>> ring = hamiltonian_optimum(built_in("ring:4"), 0, range(4)).around_cycle()
        >>> [(str(ring.problem.platform.arcs[arc]), *when) for arc, *when in ring.slots()]
        [('1->2', 0, 1), ('2->1', 1, 2), ('0->3', 0, 2), ('0->1', 2, 3), ('3->2', 2, 3)]
        """
        forwards, backwards = self.ways()
        size = len(self.cycle)
        for begin, end, first in ((0, size // 2, 1), (size // 2, size - 1, 0)):
            for link in range(first, size, 2):
                turn = begin + size // 2 - 1 - link // 2
                if begin < turn:
                    yield Slot(forwards[link], begin, turn)
                if turn < end:
                    yield Slot(backwards[link], turn, end)

    def written_out(self) -> Series:
        """The ordinary certificate of the same schedule.

        Raises `InvalidInput` on cycles of more than `MOST_WRITTEN` nodes.
        """
        if self.long:
            raise self.too_long()
        structures = tuple(Structure(1, 0, one.tasks) for one in self.structures)
        schedule = PeriodicSchedule(self.period, self.cost, structures, tuple(self.slots()), True)
        proof = self.proof if isinstance(self.proof, CutBound) else self.proof.cuts(self.cycle)
        return Series(self.problem, self.throughput, self.bound, self.optimal, schedule, proof)

    def too_long(self) -> InvalidInput:
        """Why the trees are not written down."""
        size = len(self.cycle)
        rule = (
            f"the {size // 2} trees around a cycle are written down for at most {MOST_WRITTEN}"
            " nodes; the certificate has its `structures` and `slots()` one at a time"
        )
        return InvalidInput("platform, nodes", size, rule)


class TreesAroundCycle(Sequence[WeightedStructure]):
    """The trees T(0), T(2), ..., T(P-2), each made when it is asked for."""

    __slots__ = ("_backwards", "_both", "_forwards", "_weight", "stated")

    def __init__(self, stated: SeriesAroundCycle) -> None:
        forwards, backwards = stated.ways()
        self.stated = stated
        self._weight = 1 / stated.period
        self._forwards: list[Task] = [(arc,) for arc in forwards[:-1]]
        self._backwards: list[Task] = [(arc,) for arc in backwards[:0:-1]]
        # One arc of each way after the other, by the distance from the source.
        both = zip(self._forwards, self._backwards, strict=True)
        self._both = list(chain.from_iterable(both))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TreesAroundCycle) and self.stated == other.stated

    def __hash__(self) -> int:
        return hash(self.stated)

    def __len__(self) -> int:
        return len(self.stated.cycle) // 2

    @overload
    def __getitem__(self, index: int) -> WeightedStructure: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[WeightedStructure]: ...
    def __getitem__(self, index: int | slice) -> WeightedStructure | Sequence[WeightedStructure]:
        if isinstance(index, slice):
            return tuple(self[one] for one in range(*index.indices(len(self))))
        ahead = 2 * range(len(self))[index]  # as many arcs go forwards
        behind = len(self._forwards) - ahead
        near = min(ahead, behind)
        far = self._forwards[near:ahead] + self._backwards[near:behind]
        return WeightedStructure(0, (*self._both[: 2 * near], *far), self._weight)
