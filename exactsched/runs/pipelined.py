"""Pipelined broadcast: one large message, cut into packets, over arcs with start-up latencies.

Sending a packet of size s on an arc takes latency + s * cost.  Few packets leave the machine
empty for long, many pay the start-up often; proofs/pipelined-broadcast.md has the theorem.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from math import lcm

from exactsched.certificate.bounds import Cut, CutBound
from exactsched.exact.apportionment import mixed, shares
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import exact, readable, text
from exactsched.exact.search_limits import until
from exactsched.graphs.minimum_cost_arborescence import arborescence_and_cuts
from exactsched.model.platform import Node, Platform, refuse_no_platform
from exactsched.model.problem import Broadcast
from exactsched.model.problem import Ports as PortModel
from exactsched.model.unreachable import unreachable_in_words
from exactsched.runs.finite_run import FiniteRun, finished_run, refuse_routes
from exactsched.runs.frames import Candidate, Pattern, frame_patterns
from exactsched.runs.list_scheduling import Ports, by_priority, earliest_arrival_tree
from exactsched.steady_state.broadcast import solve_series
from exactsched.steady_state.odd_sets import offered, tolls
from exactsched.steady_state.slots import common_measure
from exactsched.steady_state.solution import Solution

# Told how many schedules have been tried, and how many there are.
Told = Callable[[int, int], object]

# Transfers of one list schedule, of which many are tried.
LIST_TRANSFERS = 5_000


@readable
@dataclass(frozen=True, slots=True)
class RatioPoint:
    """One point of the curve of `ratio_curve`: how far a schedule is from the lower bound."""

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
    time_limit: float | None = None,
    progress: Told | None = None,
) -> FiniteRun:
    """A message of size L is everywhere after L / throughput + O(sqrt(L)) (RR-4871, theorem 8).

    Number, sizes and ways of the packets are chosen here.  A packet keeps its size, is never
    interrupted and is forwarded when completely received.  The candidates are frames of the
    optimal steady state, all of them tried with two frame sizes, and list schedules of equal
    packets over one or several trees; the shortest is kept.  Its makespan is at most
    `pipelined_guarantee(...)`; `bound` holds for every way to cut the message into packets.

    The number of transfers of a candidate is at most about `frames.MAX_TRANSFERS`.  So the
    O(sqrt(L)) holds up to the size at which the best number of frames would need more; beyond, the
    number Q of frames stays, and the ratio to the bound stops near 1 + (H - 1) / Q for trees of
    depth H.

    `progress` is asked between schedules, with how many have been tried and how many there are, and
    between the rounds of the steady states before, with twice 0.  If it returns True, or after
    `time_limit` seconds, the best schedule so far is kept, of one at least, and the bound of what
    is known: an interval.

    Raises `InvalidInput` for a size that is not positive, an unknown source or port model, and
    nodes that cannot be reached.

    >>> chain = Platform("abc", [("a", "b", 1, 1), ("b", "c", 1, 1)])
    >>> run = pipelined_broadcast(chain, "a", 9)
    >>> run.operations, run.makespan, run.bound
    (3, Fraction(16, 1), Fraction(10, 1))
    """
    progress = until(time_limit, progress)
    asked = _Asked(Broadcast(platform, source, ports), _checked_size(size), progress)
    best = asked.best()
    leaf, bound = asked.lower_bound
    # The checker charges the start-up cuts to every packet.  The bound claimed here holds for
    # every number of packets, so each packet is charged its part only.
    count = len(best.packets)
    each = tuple(Cut(start, stop, weight / count) for start, stop, weight in leaf.startup_cuts)
    stated = replace(leaf, startup_cuts=each)
    tasks = tuple((arc,) for arc in range(len(platform.arcs)))
    return finished_run(
        asked.problem, count, best.packets, best.tick, tasks, best.rows, bound, stated
    )


def pipelined_guarantee(
    platform: Platform,
    source: Node,
    size: Fraction | int | str,
    *,
    ports: PortModel = "one-port",
) -> Fraction:
    """The proved makespan of the frame schedule: min over Q of (Q + H - 1) (L / (Q TP) + e).

    H is the depth of the trees, TP the throughput without latencies, and e the start-ups of one
    frame, a constant of the platform (proofs/pipelined-broadcast.md).  Q runs to the cap of
    `pipelined_broadcast`, so that its schedules keep this guarantee for every size.  Up to the
    size at which the best Q reaches the cap it is at most L / TP + 2 sqrt((H-1) e L / TP) + O(1),
    which without any cap would hold for all sizes (theorem 8).

    Raises `InvalidInput` for a size that is not positive.

    >>> chain = Platform("abc", [("a", "b", 1, 1), ("b", "c", 1, 1)])
    >>> pipelined_guarantee(chain, "a", 9)
    Fraction(16, 1)
    """
    asked = _Asked(Broadcast(platform, source, ports), _checked_size(size))
    return asked.plain_patterns[0].least_limit(asked.size)


def ratio_curve(
    platform: Platform,
    source: Node,
    sizes: Iterable[Fraction | int | str],
    *,
    ports: PortModel = "one-port",
    time_limit: float | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> list[RatioPoint]:
    """Makespan over lower bound for messages of several sizes: how close to optimal they travel.

    With about sqrt(L) frames for a message of size L the ratio would tend to 1 (RR-4871, theorem
    8).  But the transfers of a candidate are limited (`pipelined_broadcast`): beyond the size at
    which the best number of frames reaches its cap Q (without latencies: for every size) the
    ratio stops near 1 + (H - 1) / Q, H the depth of the trees.  `pipelined_guarantee` has the
    same cap, so every makespan of the curve keeps it; the formula without a cap is in
    proofs/pipelined-broadcast.md.

    Without latencies a message that is k times as large takes the same packets k times as long:
    one size is computed, and the others are its multiples.  `progress` is told, before each size
    that is computed, how many are done and how many there are; if it returns True, or `time_limit`
    seconds are over, after the first one, the curve ends there.

    Raises `InvalidInput` as `pipelined_broadcast` does; a size takes as long as it takes there, and
    the complexity is O(one size) without latencies.

    >>> chain = Platform("abc", [("a", "b", 1, 1), ("b", "c", 1, 1)])
    >>> [point.ratio for point in ratio_curve(chain, "a", [1, 9])]
    [Fraction(2, 1), Fraction(8, 5)]
    """
    progress = until(time_limit, progress)
    refuse_no_platform(platform)
    listed = [_checked_size(size) for size in sizes]
    rescaled = platform.first_late is None
    points: list[RatioPoint] = []
    for done, size in enumerate(listed):
        if points and rescaled:
            one = points[0]
            factor = size / one.size
            points.append(RatioPoint(size, one.packets, one.makespan * factor, one.bound * factor))
            continue
        if progress is not None:
            enough = progress(done, 1 if rescaled else len(listed)) is True
            if enough and points:
                break
        run = pipelined_broadcast(platform, source, size, ports=ports)
        points.append(RatioPoint(size, run.operations, run.makespan, run.bound))
    return points


def _checked_size(size: Fraction | int | str) -> Fraction:
    total = exact(size, "size")
    if total <= 0:
        raise InvalidInput("size", text(total), "a message has a positive size")
    return total


# Trees and their weights.
_Family = tuple[tuple[tuple[int, ...], ...], tuple[Fraction, ...]]


class _Asked:
    """A broadcast of a message of this size, with the steady states that its solution draws on."""

    def __init__(self, problem: Broadcast, size: Fraction, progress: Told | None = None) -> None:
        refuse_routes(problem)
        self.problem, self.size = problem, size
        self._progress, self._ended = progress, False
        self.ports = Ports(problem)

    @cached_property
    def plain(self) -> Solution:
        """The steady state without latencies: its throughput is the limit for large messages."""
        return self._steady_state([arc.cost for arc in self.problem.platform.arcs])

    @cached_property
    def plain_patterns(self) -> list[Pattern]:
        """Its frames, exact and simplified, those with the least proved makespan first."""
        patterns = frame_patterns(self.problem, self.plain)
        return sorted(patterns, key=lambda pattern: pattern.least_limit(self.size))

    @cached_property
    def others(self) -> list[Solution]:
        """Steady states that count the latencies, as if for a number of equal packets."""
        arcs = self.problem.platform.arcs
        if not any(arc.latency for arc in arcs):
            return []
        best = self.plain_patterns[0]
        solutions = []
        for packets in (1, best.best_frames(self.size) * len(best.parts)):
            if self._enough(0, 0):
                break
            times = [arc.latency + arc.cost * self.size / packets for arc in arcs]
            solutions.append(self._steady_state(times))
        return solutions

    def _steady_state(self, costs: Sequence[Fraction]) -> Solution:
        problem = _with_costs(self.problem, costs)
        solution = solve_series(problem, lambda *_: self._enough(0, 0))
        if not solution.trees:
            raise InvalidInput("source", self.problem.source, unreachable_in_words(self.problem))
        return solution

    def _enough(self, done: int, number: int) -> bool:
        """Whether to end with what there is, as the one who asked has said."""
        if self._progress is not None and self._progress(done, number) is True:
            self._ended = True
        return self._ended

    def best(self) -> Candidate:
        """The shortest of the candidates, or of those that are tried before the search is ended."""
        waiting = [*self.framed(), *self.listed()]
        best = waiting[0]()
        for done, schedule in enumerate(waiting[1:], 1):
            if self._enough(done, len(waiting)):
                break
            best = min(best, schedule(), key=lambda candidate: candidate.makespan)
        return best

    def framed(self) -> Iterator[Callable[[], Candidate]]:
        """The frames that promise most, each with the best number by the formula and with twice it.

        The formula counts every start-up as if it were on the critical path; twice as many frames
        are often better.
        """
        chosen = self.plain_patterns[:2]
        for solution in self.others[-1:]:
            patterns = frame_patterns(self.problem, solution)
            chosen.append(min(patterns, key=lambda pattern: pattern.least_limit(self.size)))
        for pattern in chosen:
            best = pattern.best_frames(self.size)
            for frames in sorted({best, min(2 * best, pattern.most_frames)}):
                yield partial(pattern.played, self.ports, self.size, frames)

    def listed(self) -> Iterator[Callable[[], Candidate]]:
        """List schedules of equal packets, over the tree families that look best by their loads."""
        most = max(1, LIST_TRANSFERS // (self.ports.node_count - 1))
        numbers = [most >> shift for shift in range(most.bit_length())]
        estimates = sorted(
            (self._estimate(family, number), index, number)
            for index, family in enumerate(self._families)
            for number in numbers
        )
        chosen: dict[int, int] = {}
        for _, index, number in estimates:
            chosen.setdefault(index, number)
        for index in list(chosen)[:4]:
            yield partial(self._descended, self._families[index], chosen[index], most)

    @cached_property
    def _families(self) -> list[_Family]:
        """Trees with weights: those of each steady state together, each alone, start-up trees."""
        families: dict[tuple[tuple[int, ...], ...], tuple[Fraction, ...]] = {}
        one = (Fraction(1),)
        for solution in (self.plain, *self.others):
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
        return common_measure(times)

    def _estimate(self, family: _Family, number: int) -> Fraction:
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
        family: _Family,
        number: int,
        most: int,
    ) -> Candidate:
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

    def _equal_packets(self, family: _Family, number: int) -> Candidate:
        trees, weights = family
        tick, durations = self._durations(self.size / number)
        order = [(tree,) for tree in mixed(shares(weights, number))]
        rows = by_priority(self.ports, trees, order, lambda arc, _: durations[arc])
        return Candidate((self.size / number,) * number, tick, rows)

    @cached_property
    def lower_bound(self) -> tuple[CutBound, Fraction]:
        """The best of the bounds (L W + W') / Y over the prices of the steady states.

        Both families of cuts have to be intervals of one order of the nodes, so the laminar family
        of one cheapest arborescence serves both; tried are those under cost, latency, and the
        time of the whole message as a single packet.
        """
        arcs = self.problem.platform.arcs
        found: list[tuple[Fraction, CutBound]] = []
        for solution in (self.plain, *self.others):
            if not isinstance(solution.proof, CutBound):
                continue
            priced = solution.proof
            at = tolls(self.problem, priced)
            costs = [arc.cost * toll for arc, toll in zip(arcs, at, strict=True)]
            startups = [arc.latency * toll for arc, toll in zip(arcs, at, strict=True)]
            both = [self.size * c + b for c, b in zip(costs, startups, strict=True)]
            for lengths in (costs, startups, both) if any(startups) else (costs,):
                order, sets = _laminar_family(self.ports, lengths)
                cuts = _packed(self.ports, order, sets, costs)
                startup_cuts = _packed(self.ports, order, sets, startups)
                work = self.size * sum(w for _, _, w in cuts) + sum(w for _, _, w in startup_cuts)
                nodes = tuple(self.problem.platform.nodes[node] for node in order)
                leaf = CutBound(priced.prices, nodes, cuts, startup_cuts, priced.odd_sets)
                found.append((work / offered(priced), leaf))
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
    cheapest = arborescence_and_cuts(
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
) -> tuple[Cut, ...]:
    """Weights for the sets, small sets first: as much as the arcs that enter one can still pay.

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
    cuts: list[Cut] = []
    for start, stop in sets:
        entering = [
            arc for tail, head, arc in arcs if start <= head < stop and not start <= tail < stop
        ]
        weight = min((left[arc] for arc in entering), default=Fraction(0))
        if weight > 0:
            cuts.append(Cut(start, stop, weight))
            for arc in entering:
                left[arc] -= weight
    return tuple(cuts)


def _with_costs(problem: Broadcast, costs: Sequence[Fraction]) -> Broadcast:
    """The same broadcast on arcs of these costs, without latencies."""
    platform = problem.platform
    arcs = [(arc.tail, arc.head, cost) for arc, cost in zip(platform.arcs, costs, strict=True)]
    return Broadcast(Platform(platform.nodes, arcs), problem.source, problem.ports)
