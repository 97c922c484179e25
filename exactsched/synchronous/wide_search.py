"""Runs that end by a given time, from many states side by side: for a few hundred transfers.

Method and measurements: `proofs/rounds-schedules.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain

from exactsched.exact.dice import Dice
from exactsched.graphs.reachability import breadth_first
from exactsched.synchronous.branches import parts_around, steps_from
from exactsched.synchronous.graph import SynchronousGraph
from exactsched.synchronous.packet_sets import PacketSets

# What is sent in a step: arc, packet, arc, packet, ...
_Row = tuple[int, ...]
# The rows of a run, the last one first.
_Rows = tuple[_Row, "_Rows"] | None

# Each state is continued this many times, in each of two ways; more often if there are few.
_TRIES = 4


class WideSearch:
    """Many states of each step side by side, of which the best are continued."""

    def __init__(
        self,
        graph: SynchronousGraph,
        packets: int,
        ports: str,
        advance: Callable[[PacketSets], _Row],
        dice: Dice,
    ) -> None:
        self._first = PacketSets(graph, packets)
        self._outlook = Outlook(graph, ports)
        self._ways = advance, _RandomMoves(graph, ports, dice).advance
        self._dice = dice

    def run_until(self, end: int, width: int, in_time: Callable[[], bool]) -> list[_Row] | None:
        """The sends of a run that ends at this time or earlier; None if it is not found.

        Of each step it keeps the `width` states in which the fewest packets are missing, without
        those that certainly end later.
        """
        states: list[tuple[PacketSets, _Rows]] = [(self._first, None)]
        while states and in_time():
            found: dict[object, tuple[tuple[int, float], PacketSets, _Rows]] = {}
            tries = _TRIES * width // len(states)  # as many in each step
            for state, rows in states:
                for way in self._ways * tries:
                    later = state.copy()
                    row = way(later)
                    if not later.spreading():
                        return _in_order((row, rows))
                    if self._outlook.allows(later, end):
                        merit = later.missed(), self._dice.random()
                        found.setdefault(later.alike(), (merit, later, (row, rows)))
            best = sorted(found.values(), key=lambda kept: kept[0])[:width]
            states = [(state, rows) for _, state, rows in best]
        return None


def _in_order(rows: _Rows) -> list[_Row]:
    ordered: list[_Row] = []
    while rows is not None:
        row, rows = rows
        ordered.append(row)
    return ordered[::-1]


class _RandomMoves:
    """Sends of a step that are drawn: arcs in any order until no more fit, and any packet."""

    def __init__(self, graph: SynchronousGraph, ports: str, dice: Dice) -> None:
        self._arcs, self._dice = graph.arcs, dice
        self._second = 0 if ports == "half-duplex" else graph.size

    def advance(self, state: PacketSets) -> _Row:
        """Send in this step, and let it pass."""
        have, lack, second = state.have, state.lack, self._second
        working = chain.from_iterable(state.arriving.values())
        busy = {port for tail, head, _ in working for port in (tail, second + head)}
        arcs: list[int] = []
        for arc in sorted(range(len(self._arcs)), key=lambda _: self._dice.random()):
            tail, head, _ = self._arcs[arc]
            if tail not in busy and second + head not in busy and have[tail] & lack[head]:
                busy |= {tail, second + head}
                arcs.append(arc)
        return state.send(arcs, self._dice.random, picky=False)


class Outlook:
    """Which ends a state excludes, by what each node still has to receive and to send."""

    def __init__(self, graph: SynchronousGraph, ports: str) -> None:
        self._half_duplex = ports == "half-duplex"
        entering: dict[int, list[tuple[int, int]]] = {node: [] for node in range(graph.size)}
        self._into = [0] * graph.size
        for tail, head, steps in graph.arcs:
            entering[head].append((tail, steps))
            self._into[head] = min(self._into[head] or steps, steps)
        # For each node the others by the distance from them, the nearest first.
        self._rings: list[list[tuple[int, list[int]]]] = []
        for node in range(graph.size):
            rings: dict[int, list[int]] = {}
            for other, steps in steps_from((node,), entering).items():
                if steps:
                    rings.setdefault(steps, []).append(other)
            self._rings.append(sorted(rings.items()))
        self._branches = _branches(graph)

    def allows(self, state: PacketSets, end: int) -> bool:
        """False only if no run from here on ends at this time or earlier.

        From a number of packets that no node nearer than d steps has, one reaches the node after d
        steps, and the others follow one by one.  What nobody in a branch has is sent there.
        """
        if state.arriving and max(state.arriving) > end:
            return False
        rest, lack = end - state.step, state.lack
        for node, rings in enumerate(self._rings):
            absent, into = lack[node], self._into[node]
            receiving = absent.bit_count() * into
            for steps, others in rings:
                if not absent:
                    break
                if steps + (absent.bit_count() - 1) * into > rest:
                    return False
                for other in others:
                    absent &= lack[other]
            work = receiving if self._half_duplex else 0
            for tail, steps, members in self._branches[node]:
                absent = lack[members[0]]
                for other in members:
                    absent &= lack[other]
                if absent:
                    work += absent.bit_count() * steps
                    if work + tail > rest:
                        return False
            if work > rest:
                return False
        return True


def _branches(graph: SynchronousGraph) -> list[list[tuple[int, int, list[int]]]]:
    """For each node its branches: the steps after a packet was sent there, and to send it; nodes.

    Those after which most is to be done come first.
    """
    near: list[list[int]] = [[] for _ in range(graph.size)]
    for tail, head, _ in graph.arcs:
        near[tail].append(head)
        near[head].append(tail)
    found = []
    for node, parts in enumerate(parts_around(graph, [1] * graph.size)):
        branches = []
        for part in parts:
            tail, steps = part.sending(node)
            entry = next(other for other in part.nodes if other != node)
            branches.append((tail, steps, _without(near, node, entry)))
        found.append(sorted(branches, reverse=True))
    return found


def _without(near: Sequence[Sequence[int]], node: int, entry: int) -> list[int]:
    """The nodes that are connected to the entry if the node is missing."""
    return [*breadth_first([entry], lambda one: [other for other in near[one] if other != node])]
