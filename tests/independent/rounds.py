"""Certificates of runs in synchronous rounds (proofs/rounds-certificates.md)."""

import heapq
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from fractions import Fraction
from itertools import pairwise
from math import ceil, comb, gcd
from typing import Any, NamedTuple

from tests.independent.document import (
    HUGE,
    Document,
    choice,
    claim,
    each,
    index,
    integer,
    listing,
    members,
    nonnegative,
    row,
    rule,
    structure,
    text,
    truth,
)


class Graph(NamedTuple):
    size: int
    arcs: list[tuple[int, int, int]]  # tail, head, duration
    one_port: bool
    own: dict[int, int]  # how many packets start at a node, if any do
    packets: int


class Occupancy(NamedTuple):
    prices: list[Fraction]
    odd_sets: list[tuple[list[int], Fraction]]
    cuts: list[tuple[list[int], Fraction]]


def check_rounds(document: Document) -> dict[str, Any]:
    take = members(document, "size arcs ports origins sends steps bound occupancy optimal names")
    size = take("size", integer(1, 1_000_000))
    node = index(size)
    arcs = take("arcs", listing(row(node, node, integer(1, HUGE))))
    structure(all(u != v for u, v, _ in arcs), "a loop")
    ports = take("ports", choice("half-duplex", "one-port"))
    origins = take("origins", listing(row(node, integer(1))))
    packets = sum(number for _, number in origins)
    structure(1 <= packets <= HUGE, "from 1 to 10^18 packets")
    sends = take("sends", listing(listing(row(index(len(arcs)), index(packets)))))
    steps, bound = take("steps", integer()), take("bound", integer())
    structure(len(sends) <= steps, "more rows than steps")
    optimal = take("optimal", truth)
    names = take("names", listing(text, distinct=True))
    structure(len(names) in (0, size), "names are missing")

    def proof(value: Any) -> Occupancy:
        inner = members(value, "prices odd_sets cuts")
        prices = inner("prices", each(nonnegative, size if ports == "half-duplex" else 2 * size))
        sets = listing(row(listing(node, least=1, distinct=True), nonnegative))
        odd_sets, cuts = inner("odd_sets", sets), inner("cuts", sets)
        structure(all(len(nodes) % 2 for nodes, _ in odd_sets), "an odd set is even")
        structure(not odd_sets or ports == "half-duplex", "odd sets in the one-port model")
        return Occupancy(prices, odd_sets, cuts)

    occupancy = take("occupancy", listing(proof, most=2))
    if len(occupancy) == 2:
        structure(not occupancy[1].cuts, "the last step has cuts of its own")
        structure(all(d == 1 for *_, d in arcs), "a last step, and arcs of several steps")
    own: dict[int, int] = defaultdict(int)
    for v, number in origins:
        own[v] += number
    graph = Graph(size, arcs, ports == "one-port", dict(own), packets)
    claim("steps", steps, _run(graph, origins, sends))
    shown = 0
    if size > 1:
        shown = max(bounds(graph, occupancy))
        unit = gcd(*(d for *_, d in arcs))
        shown = -(-shown // unit) * unit
    claim("bound", bound, shown)
    claim("optimal", optimal, steps == bound)
    return {"steps": steps, "bound": bound, "optimal": optimal}


def _run(graph: Graph, origins: Any, sends: Any) -> int:
    """The time when the last transfer ends, by rules 1 to 4."""
    transfers = [(t, *graph.arcs[arc], p) for t, entry in enumerate(sends) for arc, p in entry]
    rule(len(transfers) == graph.packets * (graph.size - 1), "1: number of transfers")
    there: dict[tuple[int, int], int] = {}  # (node, packet): since when
    first = 0
    for v, number in origins:
        if transfers:
            there.update(((v, p), 0) for p in range(first, first + number))
        first += number
    for t, _, head, duration, p in transfers:
        rule((head, p) not in there, "2: the head has the packet, or is receiving it")
        there[head, p] = t + duration
    for t, tail, _, _, p in transfers:
        rule(there.get((tail, p), t + 1) <= t, "2: the tail does not have the packet")
    busy = defaultdict(list)
    for t, tail, head, duration, _ in transfers:
        busy["send" if graph.one_port else "port", tail].append((t, t + duration))
        busy["receive" if graph.one_port else "port", head].append((t, t + duration))
    for times in busy.values():
        times.sort()
        for (_, end), (start, _) in pairwise(times):
            rule(end <= start, "3: two transfers at a time")
    return max((t + duration for t, _, _, duration, _ in transfers), default=0)


# Bounds


def bounds(graph: Graph, occupancy: list[Occupancy]) -> Iterable[int]:
    """Bounds 1 and 3 to 5, for at least two nodes."""
    into: dict[int, int] = {}
    out: dict[int, int] = {}
    for u, v, d in graph.arcs:
        into[v] = min(d, into.get(v, d))
        out[u] = min(d, out.get(u, d))
    yield from Branches(graph).bounds()  # 1
    yield counting_bound(graph, into)  # 3
    shortest = min(d for *_, d in graph.arcs)
    for o, own in graph.own.items():  # 4
        spread = Levels(graph, {o}).all_informed()
        yield (own - 1) * out[o] + max(*_steps(graph.arcs, [o]).values(), shortest * spread)
    if occupancy:  # 5
        yield occupancy_bound(graph, *occupancy)


def _distances(starts: Collection[Any], arcs: Callable[[Any], Iterable[Any]]) -> Any:
    """Least numbers of arcs."""
    distance = dict.fromkeys(starts, 0)
    queue = list(starts)
    for u in queue:
        for v in arcs(u):
            if v not in distance:
                distance[v] = distance[u] + 1
                queue.append(v)
    return distance


def _steps(arcs: Iterable[tuple[int, int, int]], origins: Iterable[int]) -> dict[int, int]:
    """The distances from some nodes, in steps."""
    after = defaultdict(list)
    for u, v, d in arcs:
        after[u].append((v, d))
    done: dict[int, int] = {}
    queue = [(0, origin) for origin in origins]
    while queue:
        far, u = heapq.heappop(queue)
        if u not in done:
            done[u] = far
            for v, d in after[u]:
                heapq.heappush(queue, (far + d, v))
    return done


def _sides(graph: Graph) -> list[int] | None:
    """The sides of the undirected graph; None if it is not bipartite."""
    around = defaultdict(list)
    for u, v, _ in graph.arcs:
        around[u].append(v)
        around[v].append(u)
    side: dict[int, int] = {}
    for start in range(graph.size):
        if start not in side:
            distance = _distances({start}, around.__getitem__)
            side.update({v: d % 2 for v, d in distance.items()})
    if any(side[u] == side[v] for u, v, _ in graph.arcs):
        return None
    return [side[v] for v in range(graph.size)]


def _components(nodes: Collection[int], around: dict[int, set[int]]) -> list[set[int]]:
    """The sets of nodes that are connected to each other."""
    near = {v: around[v] & set(nodes) for v in nodes}
    found: list[set[int]] = []
    for v in nodes:
        if not any(v in component for component in found):
            found.append(set(_distances({v}, near.__getitem__)))
    return found


def _parts(nodes: set[int], around: dict[int, set[int]]) -> list[set[int]]:
    """The blocks of a connected graph: it is cut at a node without which it is not connected."""
    for v in nodes:
        components = _components(nodes - {v}, around)
        if len(components) > 1:
            return [part for nodes in components for part in _parts(nodes | {v}, around)]
    return [nodes]


def time_of_jobs(jobs: Iterable[tuple[int, int]]) -> int:
    """Jobs (length, tail), those with the longest tails first."""
    total = time = 0
    for length, tail in sorted(jobs, key=lambda job: -job[1]):
        if length:
            total += length
            time = max(time, total + tail)
    return time


class Branches:
    """Bound 1. A branch (v, B) is given by a node and the number of one of its parts."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        around: dict[int, set[int]] = defaultdict(set)
        for u, v, _ in graph.arcs:
            around[u].add(v)
            around[v].add(u)
        everything = set(range(graph.size))
        self.parts = _parts(everything, around)
        self.inside = [[a for a in graph.arcs if {a[0], a[1]} <= part] for part in self.parts]
        self.branch: dict[tuple[int, int], set[int]] = {}
        for v in everything:
            for nodes in _components(everything - {v}, around):
                for b, part in enumerate(self.parts):
                    if v in part and part - {v} <= nodes:
                        self.branch[v, b] = nodes
        self.known: dict[tuple[int, int], int] = {}

    def of(self, v: int) -> list[int]:
        """The parts of a node."""
        return [b for b, part in enumerate(self.parts) if v in part and len(part) > 1]

    def least(self, b: int, tail: int | None, head: int | None) -> int:
        """The least duration of the arcs of a part that leave or enter a node; 0 if none does."""
        arcs = self.inside[b]
        return min((d for u, v, d in arcs if tail in (None, u) and head in (None, v)), default=0)

    def spread(self, v: int, b: int) -> int:
        if (v, b) not in self.known:
            part, arcs, s = self.parts[b], self.inside[b], self.least(b, v, None)
            near = _steps(arcs, [v]) if len(part) * len(arcs) <= 2**12 else dict.fromkeys(part, s)
            times = [near.get(w, 0) + self.onward(w, b) for w in part if w != v]
            self.known[v, b] = max(times)
        return self.known[v, b]

    def job(self, v: int, b: int, packets: int) -> tuple[int, int]:
        """What v has to send into a branch."""
        s = self.least(b, v, None)
        return (packets * s, self.spread(v, b) - s) if packets and s else (0, 0)

    def onward(self, w: int, b: int) -> int:
        return time_of_jobs(self.job(w, other, 1) for other in self.of(w) if other != b)

    def bounds(self) -> Iterable[int]:
        graph = self.graph
        first = _steps(graph.arcs, graph.own)
        for v in range(graph.size):
            own = graph.own.get(v, 0)
            before = min((first[u] for u, head, _ in graph.arcs if head == v), default=0)
            sends, receptions = [], []
            for b in self.of(v):
                there = sum(n for u, n in graph.own.items() if u in self.branch[v, b])
                sends.append(self.job(v, b, graph.packets - there))
                receptions.append((there * self.least(b, None, v), self.onward(v, b)))
            if graph.one_port:
                yield first[v] + time_of_jobs(sends)
                if own < graph.packets:
                    yield before + time_of_jobs(receptions)
            else:
                yield time_of_jobs(sends + receptions) + (0 if own else before)


class Levels:
    """Bound 2: how many nodes of each level may be informed after j rounds."""

    def __init__(self, graph: Graph, origins: Collection[int]) -> None:
        after = defaultdict(list)
        for u, v, _ in graph.arcs:
            after[u].append(v)
        sides = _sides(graph)
        self.bipartite = sides is not None
        self.origins = len(origins)
        self.distance = _distances(origins, after.__getitem__)
        walks = _distances(
            [(o, 0) for o in origins],
            lambda state: [(v, 1 - state[1]) for v in after[state[0]]],
        )
        self.levels: dict[tuple[int, int], list[int]] = defaultdict(list)
        for v in range(graph.size):
            self.levels[self.distance[v], sides[v] if sides else 0].append(v)
        self.odd_walks = {  # for each level the sorted lengths of the walks of the other parity
            (k, s): sorted(walks[v, 1 - k % 2] for v in nodes if (v, 1 - k % 2) in walks)
            for (k, s), nodes in self.levels.items()
        }
        self.depth = max(self.distance.values())
        self.memory: dict[Any, int] = {}

    def informed(self, level: tuple[int, int], j: int) -> int:
        """n(j)."""
        if (level, j) not in self.memory:
            k, size = level[0], len(self.levels[level])
            total = 0
            for length in range(k, j + 1):
                if total >= size:
                    break
                walks = self.odd_walks[level]
                w = size if (length - k) % 2 == 0 else sum(x <= length for x in walks)
                total += min(self.origins * comb(j, length), w)
            self.memory[level, j] = min(size, total)
        return self.memory[level, j]

    def number(self, j: int, nearest: int, side: int | None = None) -> int:
        """The sum of n(j) over the levels at this distance or farther, of one side or of both."""
        return sum(
            self.informed((k, s), j) for k, s in self.levels if k >= nearest and side in (None, s)
        )

    def all_informed(self) -> int:
        """J: after how many rounds all nodes may be informed."""
        j = 0
        while any(self.informed(level, j) < len(nodes) for level, nodes in self.levels.items()):
            j += 1
        return j


def counting_bound(graph: Graph, into: dict[int, int]) -> int:
    """Bound 3."""
    levels = Levels(graph, graph.own.keys())
    shortest = min(d for *_, d in graph.arcs)
    longest = max(d for *_, d in graph.arcs)
    c = -(-longest // shortest)
    full = levels.all_informed()

    def most(distance: int, j: int) -> int:
        near = distance - 1
        choices = [levels.number(min(j, full), near), levels.number(min(j + c, full), distance)]
        if not graph.one_port and levels.bipartite:
            choices += [levels.number(min(j + c, full), near, side) for side in (0, 1)]
        elif not graph.one_port:
            choices.append(levels.number(min(j + c, full), near) // 2)
        return min(choices)

    best = 0
    stride = -(-((levels.depth + 1) ** 2) // 2**18)
    for distance in range(0, levels.depth + 1, stride):
        far = [v for v, k in levels.distance.items() if k >= distance]
        others = [(v, graph.packets - graph.own.get(v, 0)) for v in far]
        work = sum(number * into[v] for v, number in others if number)
        time = 0
        for j in range(full + 1):
            each_step = most(distance, j)
            if work <= each_step * shortest or j == full:
                time += -(-work // each_step) if work > 0 else 0
                break
            work -= each_step * shortest
            time += shortest
        best = max(best, time)
    return best


def occupancy_bound(graph: Graph, proof: Occupancy, last: Occupancy | None = None) -> int:
    """Bound 5, with the last step if it has prices of its own."""
    cuts = [(set(nodes), weight) for nodes, weight in proof.cuts]
    total = _offered(graph, proof, cuts)
    rule(total > 0, "no price is positive")
    needed = Fraction(0)
    for inside, weight in cuts:
        needed += weight * (graph.packets - sum(n for v, n in graph.own.items() if v in inside))
    if last is None:
        return ceil(needed / total)
    reached = [(s, {v for u, v, _ in graph.arcs if u not in s} & s) for s, _ in cuts]
    at_once = [cut for cut, (s, heads) in zip(cuts, reached, strict=True) if heads == s]
    return 1 + ceil((needed - _offered(graph, last, at_once)) / total)


def _offered(graph: Graph, proof: Occupancy, cuts: list[tuple[set[int], Fraction]]) -> Fraction:
    """What a step pays at most; every arc pays for the cuts that it enters."""
    sends = proof.prices[: graph.size]
    receives = proof.prices[-graph.size :]
    odd_sets = [(set(nodes), price) for nodes, price in proof.odd_sets]
    for u, v, d in graph.arcs:
        price = sends[u] + receives[v] + sum(p for s, p in odd_sets if u in s and v in s)
        crossed = sum(weight for s, weight in cuts if v in s and u not in s)
        rule(crossed <= d * price, "5: the cuts weigh more than an arc costs")
    return sum(proof.prices) + sum((p * (len(s) // 2) for s, p in odd_sets), Fraction(0))


CHECKS = {"rounds": check_rounds}
