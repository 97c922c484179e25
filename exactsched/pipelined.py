"""Pipelined broadcast: one large message, cut into packets, over arcs with start-up latencies.

Sending a packet of size s on an arc takes latency + s * cost.  Few packets leave the machine
empty for long, many pay the start-up often; proofs/pipelined-broadcast.md has the theorem.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import isqrt, lcm

from exactsched.arborescence import minimum_cost_arborescence
from exactsched.certificate.nouns import Leaf, arc_resources
from exactsched.errors import InvalidInput
from exactsched.finite_run import FiniteRun, finished_run, mixed, shares
from exactsched.list_scheduling import Ports, Row, by_priority, earliest_arrival_tree, in_order
from exactsched.platform import Node, Platform
from exactsched.problem import Broadcast, Ports as PortModel
from exactsched.rational import exact, text
from exactsched.schedule import common_measure, depths
from exactsched.steady_state import BroadcastSolution, solve_series

# Transfers of one candidate: a second of work.  More frames than that bring very little.
MAX_TRANSFERS = 100_000
# Transfers of one list schedule, of which many are tried.
LIST_TRANSFERS = 5_000


@dataclass(frozen=True, slots=True)
class RatioPoint:
    """One point of the curve that tends to 1: how far a schedule is from the lower bound."""

    size: Fraction
    packets: int
    makespan: Fraction
    bound: Fraction

    @property
    def ratio(self) -> Fraction:
        return self.makespan / self.bound


def pipelined_broadcast(
    platform: Platform,
    source: Node,
    size: Fraction | int | str,
    *,
    ports: PortModel = "one-port",
) -> FiniteRun:
    """A message of size L is everywhere after L / throughput + O(sqrt(L)) (RR-4871, theorem 8).

    Number, sizes and ways of the packets are chosen here.  A packet keeps its size, is never
    interrupted and is forwarded when completely received.  The candidates are frames of the
    optimal steady state, all of them tried with several frame sizes, and list schedules of equal
    packets over one or several trees; the shortest is kept.  Its makespan is at most
    `pipelined_guarantee(...)`; `bound` holds for every way to cut the message into packets.

    The number of transfers of a candidate is at most about MAX_TRANSFERS: where sqrt(L) frames
    would be more than that, the ratio to the bound stops at 1 + (depth - 1) / frames.

    Raises `InvalidInput` for a size that is not positive, an unknown source or port model, nodes
    that cannot be reached, and an odd cycle under half-duplex.

    >>> chain = Platform("abc", [("a", "b", 1, 1), ("b", "c", 1, 1)])
    >>> run = pipelined_broadcast(chain, "a", 9)
    >>> len(run.packets), run.makespan, run.bound
    (3, Fraction(16, 1), Fraction(10, 1))
    """
    asked = _Asked(Broadcast(platform, source, ports), _checked_size(size))
    candidates = [*asked.framed(), *asked.listed()]
    best = min(candidates, key=lambda candidate: candidate.makespan)
    leaf, bound = asked.lower_bound
    # The checker charges the start-up cuts to every packet.  The bound claimed here holds for
    # every number of packets, so each packet is charged its part only.
    count = len(best.packets)
    each = tuple((start, stop, weight / count) for start, stop, weight in leaf.startup_cuts)
    stated = Leaf(leaf.prices, leaf.order, leaf.cuts, each)
    return finished_run(asked.problem, best.packets, best.tick, best.rows, stated, bound)


def pipelined_guarantee(
    platform: Platform,
    source: Node,
    size: Fraction | int | str,
    *,
    ports: PortModel = "one-port",
) -> Fraction:
    """The proved makespan of the frame schedule: min over Q of (Q + H - 1) (L / (Q TP) + e).

    H is the depth of the trees, TP the throughput without latencies, and e the start-ups of one frame, a
    constant of the platform (proofs/pipelined-broadcast.md).  So it is at most
    L / TP + 2 sqrt((H-1) e L / TP) + O(1), as long as the number Q of frames is not capped.

    >>> chain = Platform("abc", [("a", "b", 1, 1), ("b", "c", 1, 1)])
    >>> pipelined_guarantee(chain, "a", 9)
    Fraction(16, 1)
    """
    asked = _Asked(Broadcast(platform, source, ports), _checked_size(size))
    return asked.patterns[0].limit(asked.size, asked.patterns[0].best_frames(asked.size))


def ratio_curve(
    platform: Platform,
    source: Node,
    sizes: Iterable[Fraction | int | str],
    *,
    ports: PortModel = "one-port",
) -> list[RatioPoint]:
    """Makespan over lower bound for messages of several sizes; it tends to 1 as they grow.

    >>> chain = Platform("abc", [("a", "b", 1, 1), ("b", "c", 1, 1)])
    >>> [point.ratio for point in ratio_curve(chain, "a", [1, 9])]
    [Fraction(2, 1), Fraction(8, 5)]
    """
    points = []
    for size in sizes:
        run = pipelined_broadcast(platform, source, size, ports=ports)
        points.append(
            RatioPoint(
                sum(run.packets, start=Fraction(0)), len(run.packets), run.makespan, run.bound
            )
        )
    return points


def _checked_size(size: Fraction | int | str) -> Fraction:
    total = exact(size, "size")
    if total <= 0:
        raise InvalidInput("size", text(total), "a message has a positive size")
    return total


@dataclass(frozen=True, slots=True)
class _Candidate:
    packets: tuple[Fraction, ...]
    tick: Fraction
    rows: list[Row]

    @property
    def makespan(self) -> Fraction:
        return self.tick * max(row[3] for row in self.rows)


class _Asked:
    """A broadcast of a message of this size, with the steady states that its solution draws on."""

    def __init__(self, problem: Broadcast, size: Fraction) -> None:
        self.problem, self.size = problem, size
        self.ports = Ports(problem)

    @cached_property
    def solutions(self) -> list[BroadcastSolution]:
        """Steady states under cost + latency / s: s infinite, one packet, and a size between."""
        plain = self._steady_state(Fraction(0))
        if not any(arc.latency for arc in self.problem.platform.arcs):
            return [plain]
        pattern = _Pattern(self.problem, plain)
        frames = pattern.best_frames(self.size)
        packets = frames * pattern.packets_per_frame
        between = {Fraction(1), Fraction(frames), Fraction(packets)}
        return [plain, *(self._steady_state(count / self.size) for count in sorted(between))]

    def _steady_state(self, packets_per_size: Fraction) -> BroadcastSolution:
        platform = self.problem.platform
        arcs = [
            (arc.tail, arc.head, arc.cost + arc.latency * packets_per_size) for arc in platform.arcs
        ]
        solution = solve_series(
            Broadcast(Platform(platform.nodes, arcs), self.problem.source, self.problem.ports)
        )
        if not solution.trees:
            raise InvalidInput(
                "source", self.problem.source, "some nodes cannot be reached from it"
            )
        return solution

    @cached_property
    def patterns(self) -> list[_Pattern]:
        return [_Pattern(self.problem, solution) for solution in self.solutions]

    def framed(self) -> Iterator[_Candidate]:
        for pattern in self.patterns:
            best = pattern.best_frames(self.size)
            for frames in sorted({best, max(1, best // 2), min(2 * best, pattern.most_frames)}):
                yield pattern.played(self.ports, self.size, frames)

    def listed(self) -> Iterator[_Candidate]:
        """List schedules of equal packets, over the tree families that look best by their loads."""
        most = max(1, LIST_TRANSFERS // (self.ports.node_count - 1))
        numbers = sorted({round_power for k in range(60) if (round_power := 2**k) <= most} | {most})
        estimates = sorted(
            (self._estimate(family, number), index, number)
            for index, family in enumerate(self._families)
            for number in numbers
        )
        chosen: dict[int, int] = {}
        for _, index, number in estimates:
            chosen.setdefault(index, number)
        for index in list(chosen)[:4]:
            yield self._descended(self._families[index], chosen[index], most)

    @cached_property
    def _families(self) -> list[tuple[tuple[tuple[int, ...], ...], tuple[Fraction, ...]]]:
        """Trees with weights: those of each steady state together, each alone, start-up trees."""
        families: dict[tuple[tuple[int, ...], ...], tuple[Fraction, ...]] = {}
        one = (Fraction(1),)
        for solution in self.solutions:
            heaviest = sorted(solution.trees, key=lambda tree: -tree.weight)
            arcs = tuple(tree.arcs for tree in heaviest)
            families.setdefault(arcs, tuple(tree.weight for tree in heaviest))
            for tree in heaviest[:4]:
                families.setdefault((tree.arcs,), one)
        for parts in (1, 4, 16):
            durations = self._durations(self.size / parts)[1]
            quick = earliest_arrival_tree(self.ports, durations)
            if quick is not None:
                families.setdefault((quick,), one)
        return list(families.items())

    def _durations(self, size: Fraction) -> tuple[Fraction, list[int]]:
        times = [arc.latency + size * arc.cost for arc in self.problem.platform.arcs]
        tick = common_measure(times)
        return tick, [int(time / tick) for time in times]

    def _estimate(
        self, family: tuple[tuple[tuple[int, ...], ...], tuple[Fraction, ...]], number: int
    ) -> Fraction:
        """The largest load plus the longest way of one packet: what a list schedule comes near."""
        trees, weights = family
        tick, durations = self._durations(self.size / number)
        load = [0] * self.ports.resource_count
        longest = 0
        for tree, count in zip(trees, shares(weights, number), strict=True):
            for arc in tree if count else ():
                for resource in self.ports.uses[arc]:
                    load[resource] += count * durations[arc]
            if count:
                longest = max(longest, _longest_way(self.ports, tree, durations))
        return (max(load) + longest) * tick

    def _descended(
        self,
        family: tuple[tuple[tuple[int, ...], ...], tuple[Fraction, ...]],
        number: int,
        most: int,
    ) -> _Candidate:
        """The best number of packets near a first guess, by steps that become smaller."""
        tried = {number: self._equal_packets(family, number)}
        best, step = number, max(1, number // 2)
        while True:
            near = [n for n in (best - step, best + step) if 1 <= n <= most and n not in tried]
            for other in near:
                tried[other] = self._equal_packets(family, other)
            better = min(tried, key=lambda n: (tried[n].makespan, n))
            if better == best:
                if step == 1:
                    return tried[best]
                step //= 2
            best = better

    def _equal_packets(
        self, family: tuple[tuple[tuple[int, ...], ...], tuple[Fraction, ...]], number: int
    ) -> _Candidate:
        trees, weights = family
        tick, durations = self._durations(self.size / number)
        order = mixed(shares(weights, number))
        rows = by_priority(self.ports, trees, order, lambda arc, _: durations[arc])
        return _Candidate((self.size / number,) * number, tick, rows)

    @cached_property
    def lower_bound(self) -> tuple[Leaf, Fraction]:
        """The best of the bounds (L W + W') / Y over the prices of the steady states.

        Both families of cuts have to be intervals of one order of the nodes, so the laminar family
        of one cheapest arborescence serves both; tried are those under cost, latency, and the
        time of the whole message as a single packet.
        """
        arcs = self.problem.platform.arcs
        found: list[tuple[Fraction, Leaf]] = []
        for prices in {tuple(sorted(s.bound.prices.items())): 0 for s in self.solutions if isinstance(s.bound, Leaf)}:
            price = dict(prices)
            at = [
                sum((price.get(name, Fraction(0)) for name in names), start=Fraction(0))
                for names in arc_resources(self.problem)
            ]
            costs = [arc.cost * toll for arc, toll in zip(arcs, at, strict=True)]
            startups = [arc.latency * toll for arc, toll in zip(arcs, at, strict=True)]
            both = [self.size * c + b for c, b in zip(costs, startups, strict=True)]
            for lengths in (costs, startups, both) if any(startups) else (costs,):
                order, sets = _laminar_family(self.ports, lengths)
                cuts = _packed(self.ports, order, sets, costs)
                startup_cuts = _packed(self.ports, order, sets, startups)
                work = self.size * sum(w for _, _, w in cuts) + sum(w for _, _, w in startup_cuts)
                nodes = tuple(self.problem.platform.nodes[node] for node in order)
                leaf = Leaf(price, nodes, cuts, startup_cuts)
                found.append((work / sum(price.values()), leaf))
        bound, leaf = max(found, key=lambda item: item[0])
        return leaf, bound


def _longest_way(ports: Ports, tree: Sequence[int], durations: Sequence[int]) -> int:
    arrival = {ports.source: 0}
    waiting = {ports.head[arc]: arc for arc in tree}
    for node in waiting:
        walk = [node]
        while walk[-1] not in arrival:
            walk.append(ports.tail[waiting[walk[-1]]])
        for head in reversed(walk[:-1]):
            arc = waiting[head]
            arrival[head] = arrival[ports.tail[arc]] + durations[arc]
    return max(arrival.values())


def _laminar_family(
    ports: Ports, lengths: Sequence[Fraction]
) -> tuple[tuple[int, ...], list[tuple[int, int]]]:
    """The sets of a largest cut packing, the single nodes and the set of all, small ones first."""
    unit = lcm(*(length.denominator for length in lengths))
    cheapest = minimum_cost_arborescence(
        ports.node_count,
        ports.source,
        ports.tail,
        ports.head,
        [int(length * unit) for length in lengths],
    )
    count = len(cheapest.order)
    sets = {(start, stop) for start, stop, _ in cheapest.cuts}
    sets |= {(index, index + 1) for index in range(count)} | {(0, count)}
    return cheapest.order, sorted(sets, key=lambda cut: (cut[1] - cut[0], cut))


def _packed(
    ports: Ports,
    order: Sequence[int],
    sets: Sequence[tuple[int, int]],
    lengths: Sequence[Fraction],
) -> tuple[tuple[int, int, Fraction], ...]:
    """Weights for the sets, each as large as the arcs that enter it can still pay, small sets first.

    For the family of the cheapest arborescence under these lengths that is its dual, hence the
    best there is; for another family it is a packing.
    """
    position = {node: index for index, node in enumerate(order)}
    position[ports.source] = -1
    arcs = [
        (position[tail], position[head], arc)
        for arc, (tail, head) in enumerate(zip(ports.tail, ports.head, strict=True))
        if head != ports.source
    ]
    left = list(lengths)
    cuts: list[tuple[int, int, Fraction]] = []
    for start, stop in sets:
        entering = [
            arc
            for tail, head, arc in arcs
            if start <= head < stop and not start <= tail < stop
        ]
        weight = min((left[arc] for arc in entering), default=Fraction(0))
        if weight > 0:
            cuts.append((start, stop, weight))
            for arc in entering:
                left[arc] -= weight
    return tuple(cuts)


class _Pattern:
    """One frame of a steady state: which arc sends which packet of which tree, in order of time.

    The volume of a frame goes through the slots of the periodic schedule, stretched to it.  A
    tree is cut where a slot of one of its arcs ends in the middle of it (the common refinement), so
    every slot sends whole packets.
    """

    def __init__(self, problem: Broadcast, solution: BroadcastSolution) -> None:
        schedule = solution.schedule
        assert schedule is not None
        self.problem, self.solution = problem, solution
        trees = schedule.trees
        total = sum(tree.messages for tree in trees)
        share = [Fraction(tree.messages, total) for tree in trees]
        costs = [arc.cost for arc in solution.problem.platform.arcs]
        # For each arc, the messages after which it goes from one tree to the next ...
        line: dict[int, list[tuple[Fraction, int]]] = {}
        for number, tree in enumerate(trees):
            for arc in tree.arcs:
                done = line[arc][-1][0] if arc in line else Fraction(0)
                line.setdefault(arc, []).append((done + share[number], number))
        # ... and its stretches: (start, arc, tree, first and last part of the tree, of 1).
        stretches: list[tuple[Fraction, int, int, Fraction, Fraction]] = []
        sent = dict.fromkeys(line, Fraction(0))
        turn = dict.fromkeys(line, 0)
        cuts: list[set[Fraction]] = [{Fraction(0), part} for part in share]
        for arc, start, end in schedule.slots:
            rate = schedule.tick / (costs[arc] * total)
            moment, left = Fraction(start), (end - start) * rate
            while left > 0:
                until, number = line[arc][turn[arc]]
                part = min(left, until - sent[arc])
                before = share[number] - (until - sent[arc])
                stretches.append((moment, arc, number, before, before + part))
                cuts[number] |= {before, before + part}
                moment += part / rate
                left -= part
                sent[arc] += part
                turn[arc] += sent[arc] == until
        ordered = [sorted(points) for points in cuts]
        self.parts = [b - a for points in ordered for a, b in pairwise(points)]
        first = [0]
        for points in ordered:
            first.append(first[-1] + len(points) - 1)
        place = [{point: index for index, point in enumerate(points)} for points in ordered]
        depth = [depths(problem.platform, problem.source, tree.arcs) for tree in trees]
        arcs = problem.platform.arcs
        self.sends: list[tuple[int, int, int]] = []  # (arc, packet of the frame, frames behind)
        startups: dict[Fraction, Fraction] = {}
        for moment, arc, number, begin, end in sorted(stretches):
            late = depth[number][arcs[arc].head] - 1
            for index in range(place[number][begin], place[number][end]):
                self.sends.append((arc, first[number] + index, late))
                since = (ordered[number][index] - begin) * costs[arc] * total / schedule.tick
                now = moment + since
                startups[now] = max(startups.get(now, Fraction(0)), arcs[arc].latency)
        self.packets_per_frame = len(self.parts)
        self.startup = sum(startups.values(), start=Fraction(0))
        self.most_frames = max(1, MAX_TRANSFERS // len(self.sends))

    def limit(self, size: Fraction, frames: int) -> Fraction:
        """The proved makespan for this many frames, if the pattern is that of the plain costs."""
        stages = frames + self.solution.depth - 1
        return stages * (size / (frames * self.solution.throughput) + self.startup)

    def best_frames(self, size: Fraction) -> int:
        """The number of frames with the least limit, among those that are not too many."""
        fill = (self.solution.depth - 1) * size / self.solution.throughput
        if fill and not self.startup:
            return self.most_frames
        root = isqrt(int(fill / self.startup)) if fill else 1
        near = {min(max(1, root + step), self.most_frames) for step in (0, 1)}
        return min(near, key=lambda frames: (self.limit(size, frames), frames))

    def played(self, ports: Ports, size: Fraction, frames: int) -> _Candidate:
        """All packets of all frames in the order of the pattern, as soon as possible."""
        arcs = self.problem.platform.arcs
        sizes = [part * size / frames for part in self.parts]
        times = {
            (arc, packet): arcs[arc].latency + sizes[packet] * arcs[arc].cost
            for arc, packet, _ in self.sends
        }
        tick = common_measure(times.values())
        ticks = {key: int(time / tick) for key, time in times.items()}
        sends = [(arc, packet, late, ticks[arc, packet]) for arc, packet, late in self.sends]
        count = len(sizes)
        pieces = (
            (arc, (stage - late) * count + packet, duration)
            for stage in range(frames + self.solution.depth - 1)
            for arc, packet, late, duration in sends
            if 0 <= stage - late < frames
        )
        return _Candidate(tuple(sizes) * frames, tick, in_order(ports, pieces))
