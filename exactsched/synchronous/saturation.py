"""Schedules in synchronous rounds that keep nearly all ports busy: a greedy pass, and retries.

Method, measurements and what did not work: `proofs/rounds-schedules.md`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from time import monotonic
from typing import cast

from exactsched.certificate.synchronous import OccupancyProof, RoundsPorts, SynchronousRun, TimedArc
from exactsched.exact.collection import without_collection
from exactsched.exact.dice import Dice
from exactsched.exact.errors import InvalidInput
from exactsched.exact.search_limits import deadline_after
from exactsched.graphs.reachability import breadth_first
from exactsched.synchronous.baselines import early_tree, tree_broadcast
from exactsched.synchronous.best_occupancy import best_occupancy
from exactsched.synchronous.bounds import rounds_bound
from exactsched.synchronous.graph import SynchronousGraph, paired
from exactsched.synchronous.packet_sets import PacketSets
from exactsched.synchronous.round_matching import LinkMatching
from exactsched.synchronous.steady_occupancy import steady_occupancy
from exactsched.synchronous.wide_search import WideSearch

MAX_TRANSFERS = 100_000_000
"""No schedule has more transfers than this: they take some 20 bytes each."""

MAX_STEPS = 10_000_000
"""No schedule is longer than this: each step is listed, and takes some 20 microseconds a pass."""

# Steps that are tried again together, and the steps at the end that are tried again as a whole.
_BLOCK = 8
_END = 16
# The end is tried this many times as often as a block.
_END_TRIES = 6
# Each packet that only one end lacks adds this to the weight of a link; links of this weight or
# more are matched first.
_HEAVY = 8
# For runs of no more transfers many states are kept side by side, this many for each retry.
_FEW = 150
_WIDTH = 2
# This number of random orders of the links is kept.
_ORDERS = 64

# What is sent in a step: arc, packet, arc, packet, ...
_Row = tuple[int, ...]
# Two nodes, the arc from the first to the second, and the arc back, or -1.
_Link = tuple[int, int, int, int]


@without_collection()
def broadcast_in_rounds(
    graph: SynchronousGraph,
    packets: int,
    ports: str = "half-duplex",
    *,
    seed: int = 0,
    effort: int = 16,
    occupancy: Sequence[OccupancyProof] = (),
    time_limit: float | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> SynchronousRun:
    """`packets` packets of every source reach all nodes, in nearly as few steps as is possible.

    Every step has a matching of links, chosen by how much more one end lacks than the other, and
    every link of it sends the packet that is rarest around its receiver.  Steps are found in
    blocks of eight, of which the best of `effort` + 1 random ones is kept; at last the end is
    tried again, until the bound of `rounds_bound` is reached or six times as often.  A run above
    its bound gets the proof of a steady broadcast (`steady_occupancy`), or the best one for a few
    nodes (`best_occupancy`), if that proves more and no `occupancy` is given; one of up to 150
    transfers is searched again (`WideSearch`).

    With an `effort` of 0 there is one pass, and no more.  The same arguments give the same
    schedule, with any `time_limit` in seconds as well, unless it passes: then all later blocks are
    found once, and nothing is searched again.  `progress` is called with the number of steps and of
    transfers so far.  Raises `InvalidInput` for arguments that are no such numbers, and beyond
    `MAX_TRANSFERS` or `MAX_STEPS`.
    For one pass O(m + n log n) operations a step, and as many on sets of packets as there are
    transfers.

    Reference: proofs/rounds-schedules.md.

    >>> from exactsched.synchronous.graph import synchronous_graph
    >>> from exactsched.platforms.built_in import grid
    >>> run = broadcast_in_rounds(synchronous_graph(grid(2, 2), 0), 3)
    >>> run.steps, run.bound, run.optimal
    (5, 5, True)
    """
    for name, value in (("seed", seed), ("effort", effort)):
        if type(value) is not int or value < 0:
            raise InvalidInput(name, value, "a whole number >= 0")
    deadline = deadline_after(time_limit)
    transfers = sum(number for _, number in graph.origins(packets)) * (graph.size - 1)
    if transfers > MAX_TRANSFERS:
        raise InvalidInput("packets", packets, f"there are at most {MAX_TRANSFERS} transfers")
    bound = rounds_bound(graph, packets, ports, occupancy).steps
    if bound > MAX_STEPS:
        raise InvalidInput("steps", bound, f"at most {MAX_STEPS} steps are listed")
    model = cast(RoundsPorts, ports)  # the bound refuses others
    search = _Search(Saturation(graph, ports, seed), deadline, progress)
    sends = search.run(PacketSets(graph, packets), effort)
    sends = search.shorten(sends, bound, _END_TRIES * effort)
    if len(sends) > bound:
        sends = _of_a_tree(graph, packets, ports, len(sends)) or sends
    if len(sends) > bound and effort and not occupancy:
        for proofs in (steady_occupancy(graph, model), best_occupancy(graph, packets, ports)):
            higher = rounds_bound(graph, packets, ports, proofs).steps
            if higher > bound:
                bound, occupancy = higher, proofs
    if effort and transfers <= _FEW:
        wide = WideSearch(graph, packets, ports, search.saturation.advance, Dice(seed))
        while len(sends) > bound:
            earlier = wide.run_until(len(sends) - 1, _WIDTH * effort, search.in_time)
            if earlier is None:
                break
            sends = earlier
    steps = len(sends)
    while sends and not sends[-1]:  # what was sent before arrives
        sends.pop()
    return SynchronousRun(
        size=graph.size,
        arcs=tuple(map(TimedArc._make, graph.arcs)),
        ports=model,
        origins=graph.origins(packets),
        sends=tuple(map(paired, sends)),
        steps=steps,
        bound=bound,
        occupancy=tuple(occupancy),
        optimal=steps == bound,
        names=graph.names,
    )


def _of_a_tree(graph: SynchronousGraph, packets: int, ports: str, steps: int) -> list[_Row]:
    """A run down one tree, if it is shorter than `steps`: on a path nothing is better."""
    one_step = all(duration == 1 for _, _, duration in graph.arcs)
    if ports != "half-duplex" or len(graph.sources) > 1 or not one_step:
        return []
    tree = early_tree(graph)
    if (packets - 1) * tree.period() + max(tree.arrivals()) >= steps:
        return []
    found = tree_broadcast(graph, packets, tree)
    return [tuple(chain.from_iterable(row)) for row in found.sends]


class _Search:
    """Runs of which each block of steps is the best of several."""

    def __init__(
        self,
        saturation: Saturation,
        deadline: float | None,
        progress: Callable[[int, int], object] | None,
    ) -> None:
        self.saturation = saturation
        self._deadline = deadline
        self._progress = progress
        # The states before the last blocks, the latest last.
        self._before: deque[PacketSets] = deque(maxlen=_END // _BLOCK + 1)

    def in_time(self) -> bool:
        return self._deadline is None or monotonic() < self._deadline

    def run(self, state: PacketSets, effort: int) -> list[_Row]:
        """The sends of all steps from this state on."""
        full = self.saturation.capacity * _BLOCK
        sends: list[_Row] = []
        transfers = 0
        while state.spreading():
            self._before.append(state)
            best, rows = self._block(state)
            for _ in range(effort):
                if state.missed() - best.missed() >= full or not self.in_time():
                    break
                other, its_rows = self._block(state)
                if self._merit(other) > self._merit(best):
                    best, rows = other, its_rows
            transfers += state.missed() - best.missed()
            state = best
            sends += rows
            if self._progress is not None:
                self._progress(len(sends), transfers)
        return sends

    def shorten(self, sends: list[_Row], bound: int, tries: int) -> list[_Row]:
        """These sends, or other ones that end earlier, if such an end is found."""
        if not self._before:
            return sends
        before = self._before[0]
        for _ in range(tries):
            if len(sends) <= bound or not self.in_time():
                break
            state, rows = before.copy(), list[_Row]()
            while state.spreading() and state.step < len(sends) - 1:
                rows.append(self.saturation.advance(state))
            if not state.spreading():
                sends = sends[: before.step] + rows
        return sends

    def _block(self, state: PacketSets) -> tuple[PacketSets, list[_Row]]:
        state, rows = state.copy(), list[_Row]()
        while state.spreading() and len(rows) < _BLOCK:
            rows.append(self.saturation.advance(state))
        return state, rows

    def _merit(self, state: PacketSets) -> tuple[int, int]:
        """Few missing packets first; then neighbors that have much to tell each other."""
        return -state.missed(), self.saturation.variety(state)


class Saturation:
    """Sends of one step after the other, with nearly all ports at work."""

    def __init__(self, graph: SynchronousGraph, ports: str, seed: int) -> None:
        self._random = Dice(seed).random
        self._links = _half_duplex_links(graph) if ports == "half-duplex" else _one_way_links(graph)
        self._both_ways = all(back >= 0 for _, _, _, back in self._links)
        self._second = second = 0 if ports == "half-duplex" else graph.size
        ends = [(tail, second + head) for tail, head, _, _ in self._links]
        self._matching = LinkMatching(graph.size + second, ends)
        self._sources = graph.sources
        self._heads: list[list[int]] = [[] for _ in range(graph.size)]
        for tail, head, _ in graph.arcs:
            self._heads[tail].append(head)
        level = _levels(self._heads, graph.sources)
        self._levels: list[list[int]] = [[] for _ in range(max(level) + 1)]
        for node in range(graph.size):
            self._levels[level[node]].append(node)
        even = [node for node in range(graph.size) if level[node] % 2 == 0]
        two_sides = all((level[tail] + level[head]) % 2 for tail, head, _, _ in self._links)
        self._roots = even if two_sides and not second else range(graph.size)
        # Sorting keeps the order of equal weights: ties are broken by one of these orders.
        self._orders = [self._shuffled(range(len(ends))) for _ in range(_ORDERS)]
        self._matching.take(range(len(ends)), [True] * len(ends), self._roots)
        self.capacity = len(set(self._matching.taken) - {-1})

    def _shuffled(self, values: Iterable[int]) -> list[int]:
        keyed = [(self._random(), value) for value in values]
        return [value for _, value in sorted(keyed)]

    def variety(self, state: PacketSets) -> int:
        """In how many packets neighbors differ, over all links."""
        have = state.have
        return sum((have[tail] ^ have[head]).bit_count() for tail, head, _, _ in self._links)

    def advance(self, state: PacketSets) -> _Row:
        """Send in this step, and let it pass."""
        have, lack, random = state.have, state.lack, self._random
        pressure = self._pressure(state)
        arcs: list[int] = []
        for link in self._matched(pressure, self._usable(state)):
            tail, head, arc, back = self._links[link]
            if back >= 0:
                gap = pressure[head] - pressure[tail] or random() - 0.5
                if gap < 0:
                    tail, head, arc, back = head, tail, back, arc
                if not have[tail] & lack[head]:
                    arc = back
            arcs.append(arc)
        return state.send(arcs, random)

    def _matched(self, pressure: Sequence[int], usable: Sequence[bool]) -> Iterator[int]:
        """Links that work together: as many of large weight as can be, then as many as can be."""
        if self._both_ways:
            weights = [abs(pressure[head] - pressure[tail]) for tail, head, _, _ in self._links]
        else:
            weights = [
                pressure[head] - pressure[tail]
                if back < 0
                else abs(pressure[head] - pressure[tail])
                for tail, head, _, back in self._links
            ]
        order = self._orders[int(self._random() * _ORDERS)]
        order = sorted(order, key=weights.__getitem__, reverse=True)
        heavy = [can and weight >= _HEAVY for can, weight in zip(usable, weights, strict=True)]
        self._matching.clear()
        self._matching.take(order, heavy, self._roots)
        self._matching.take(order, usable, self._roots)
        return (link for link in dict.fromkeys(self._matching.taken) if link >= 0)

    def _usable(self, state: PacketSets) -> list[bool]:
        """Of every link, whether its ports are free and something can be sent over it."""
        have, lack = state.have, state.lack
        if self._both_ways and not state.arriving:
            return [have[tail] != have[head] for tail, head, _, _ in self._links]
        working = chain.from_iterable(state.arriving.values())
        busy = {port for tail, head, _ in working for port in (tail, self._second + head)}
        return [
            tail not in busy
            and self._second + head not in busy
            and bool(have[tail] & lack[head] or (back >= 0 and have[head] & lack[tail]))
            for tail, head, _, back in self._links
        ]

    def _pressure(self, state: PacketSets) -> list[int]:
        """How much every node needs packets: it gives to those that need more.

        That is how many it lacks, times 8; further away from the sources it is more, if nodes
        there lack more on average.  A source counts as a little ahead of its neighbors, not as
        far ahead as it is: otherwise all of them would wait for it.
        """
        missing = state.missing
        pressure = [_HEAVY * number for number in missing]
        for source in self._sources:
            if not missing[source] and self._heads[source]:
                least = min(missing[node] for node in self._heads[source])
                pressure[source] = _HEAVY * (least - 1)
        sums = [sum(missing[node] for node in nodes) for nodes in self._levels]
        total, size = sum(sums), len(missing)
        shift = near = near_size = 0
        for nodes, before, its_sum in zip(self._levels[1:], self._levels, sums, strict=False):
            near, near_size = near + its_sum, near_size + len(before)
            far, far_size = total - near, size - near_size
            # A tenth of the difference of the means, and less than a packet.
            gap = far * near_size - near * far_size
            balance = _HEAVY * gap // (10 * near_size * far_size)
            shift += max(1 - _HEAVY, min(_HEAVY - 1, balance))
            for node in nodes:
                pressure[node] += shift
        return pressure


def _half_duplex_links(graph: SynchronousGraph) -> list[_Link]:
    place = {(tail, head): arc for arc, (tail, head, _) in enumerate(graph.arcs)}
    return [
        (tail, head, arc, place.get((head, tail), -1))
        for (tail, head), arc in place.items()
        if place.get((head, tail), -1) < arc
    ]


def _one_way_links(graph: SynchronousGraph) -> list[_Link]:
    return [(tail, head, arc, -1) for arc, (tail, head, _) in enumerate(graph.arcs)]


def _levels(heads: Sequence[Sequence[int]], sources: Sequence[int]) -> list[int]:
    """The distance of every node from the nearest source, in arcs."""
    level = breadth_first(sources, heads.__getitem__)
    return [level.get(node, -1) for node in range(len(heads))]
