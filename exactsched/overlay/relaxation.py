"""The linear program that an overlay faster than a bound would solve, row by row.

Its variables are the throughput T, and for every possible arc a its rate c_a and whether it is
used, y_a in {0, 1}.  Why the rows hold is proved in `proofs/overlay-exact.md`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from exactsched.exact.arguments import whole
from exactsched.exact.rational import Rational
from exactsched.model.machine import MultiPort

Arc = tuple[int, int]
RowName = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class Row:
    """The sum of `throughput` * T, rates[a] * c_a and uses[a] * y_a is at most `right`.

    With `equal` it is `right`.
    """

    throughput: int
    rates: dict[Arc, int]
    uses: dict[Arc, Rational]
    right: Rational
    equal: bool = False


@dataclass(frozen=True)
class Relaxation:
    """Overlays with a throughput above `bound` and at most `ceiling`, their arcs relaxed.

    If `places` is not empty it lists all senders: receivers are places without a name, numbered
    in the order in which these senders use them, and cuts say nothing.

    >>> machine = MultiPort([2, 1, 1], [2, 1, 1])
    >>> Relaxation(machine, 1, 2, ()).row(("link", 0, 1))
    Row(throughput=0, rates={(0, 1): 1}, uses={(0, 1): -2}, right=0, equal=False)
    >>> Relaxation(machine, 1, 2, (1, 0, 2)).arcs()
    ((0, 1), (0, 2), (1, 1), (2, 1), (2, 2))
    """

    machine: MultiPort
    bound: Rational
    ceiling: Rational
    places: tuple[int, ...]

    def arcs(self) -> tuple[Arc, ...]:
        """The arcs that can be used, by sender and receiver."""
        return self._arcs

    @cached_property
    def _arcs(self) -> tuple[Arc, ...]:
        machine = self.machine
        if self.places:
            used, arcs = 0, []
            for sender in self.places:
                used = min(used + machine.degrees[sender], machine.size - 1)
                if machine.degrees[sender]:
                    arcs += [(sender, place) for place in range(1, used + 1)]
        elif machine.arcs:
            arcs = [(i, j) for i, j in machine.arcs if machine.degrees[i]]
        else:
            size = machine.size
            arcs = [(i, j) for i in range(size) for j in range(1, size) if i != j]
            arcs = [(i, j) for i, j in arcs if machine.degrees[i]]
        return tuple(sorted(arcs))

    @cached_property
    def _leaving(self) -> dict[int, list[Arc]]:
        leaving: dict[int, list[Arc]] = defaultdict(list)
        for arc in self._arcs:
            leaving[arc[0]].append(arc)
        return leaving

    @cached_property
    def _entering(self) -> dict[int, list[Arc]]:
        entering: dict[int, list[Arc]] = defaultdict(list)
        for arc in self._arcs:
            entering[arc[1]].append(arc)
        return entering

    def capacity(self, sender: int) -> Rational:
        """The most that can be sent on one arc."""
        return whole(min(self.machine.bandwidths[sender], Fraction(self.ceiling)))

    def row(self, name: RowName, cut: tuple[int, ...] = ()) -> Row:
        """The row of this name; that of a cut needs to be told the nodes of it."""
        rule, first, second = name
        leaving, entering = self._leaving[first], self._entering[first]
        match rule:
            case "send":
                rates = dict.fromkeys(leaving, 1)
                return Row(0, rates, {}, whole(self.machine.bandwidths[first]))
            case "rate":
                rates = dict.fromkeys(leaving, 1)
                return Row(-self.machine.degrees[first], rates, {}, 0)
            case "degree":
                uses: dict[Arc, Rational] = dict.fromkeys(leaving, 1)
                return Row(0, {}, uses, self.machine.degrees[first])
            case "link":
                arc = (first, second)
                return Row(0, {arc: 1}, {arc: -self.capacity(first)}, 0)
            case "receive":
                return Row(1, dict.fromkeys(entering, -1), {}, 0, equal=True)
            case "cut":
                inside = set(cut)
                outside = [(i, j) for i, j in self._arcs if j in inside and i not in inside]
                return Row(1, dict.fromkeys(outside, -1), {}, 0)
            case "incoming":
                return Row(1, {}, {}, whole(self.machine.incoming[first]))
            case "bound":
                return Row(1, {}, {}, self.ceiling)
            case "feed":
                shares: dict[Arc, Rational] = {}
                for arc in entering:
                    shares[arc] = -self.shares(arc[0], second)
                return Row(0, {}, shares, -second)
            case _ if self.places:
                last = self.machine.size - 1
                places: dict[Arc, Rational] = {}
                for arc in self._leaving[second]:
                    places[arc] = 1 << last - arc[1]
                for arc in leaving:
                    places[arc] = -(1 << last - arc[1])
                return Row(0, {}, places, 0)
            case _:
                return Row(0, {(0, second): 1, (0, first): -1}, {}, 0)

    def shares(self, sender: int, wanted: int) -> int:
        """How many of `wanted` shares of what a node receives one sender can bring.

        A share is the bound divided by wanted - 1, and a sender brings its bandwidth in shares,
        rounded up: above the bound, fewer than `wanted` are not enough.
        """
        shares = self.machine.bandwidths[sender] * (wanted - 1) / Fraction(self.bound)
        return min(wanted, -(-shares.numerator // shares.denominator))

    def standing(self) -> list[RowName]:
        """The names of all rows but cuts and feeds, of which there are too many."""
        arcs, machine = self.arcs(), self.machine
        senders = sorted({sender for sender, _ in arcs})
        names = [("send", sender, 0) for sender in senders]
        names += [("rate", sender, 0) for sender in senders]
        names += [("degree", sender, 0) for sender in senders]
        names += [("link", *arc) for arc in arcs]
        names += [("receive", receiver, 0) for receiver in range(1, machine.size)]
        names += [("incoming", node, 0) for node in range(1, len(machine.incoming))]
        names += [("bound", 0, 0)]
        nodes = self.places or range(1, machine.size)
        if not machine.arcs and (self.places or machine.degrees[0]):
            names += [("order", *pair) for pair in alike(machine, nodes)]
        return names


def alike(machine: MultiPort, nodes: Sequence[int]) -> list[Arc]:
    """Pairs that have the same bandwidth and degree, with no such node between them.

    >>> alike(MultiPort([1, 1, 2, 1, 1], [1, 1, 1, 1, 0]), [3, 2, 1, 0, 4])
    [(3, 1), (1, 0)]
    """
    kinds: dict[tuple[Fraction, int], list[int]] = {}
    for node in nodes:
        kinds.setdefault((machine.bandwidths[node], machine.degrees[node]), []).append(node)
    return [pair for kind in kinds.values() for pair in pairwise(kind)]
