"""Random series of broadcasts, with times, schedules or messages that belong to them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations

from exactsched.instances.choices import Choices
from exactsched.instances.instance_type import Bounds, Instances
from exactsched.instances.platforms import broadcast, cost, node_names
from exactsched.model.platform import Platform, both_ways
from exactsched.model.problem import Broadcast
from exactsched.platforms.papers import legrand_fig1


def reachable_broadcast(choices: Choices, bound: int) -> Broadcast:
    """One-port; every node can be reached.

    In two cases of three the source serves relays that exchange what they got and have leaves of
    their own, as in figure 1: there a single tree is often not enough.
    """
    if not choices.below(3) or bound < 4:
        return broadcast(choices, ports="one-port", max_nodes=bound)
    size = choices.between(4, bound)
    count = choices.between(2, max(2, size // 2))
    relays = range(1, count + 1)

    def near_one(most: int) -> Fraction:
        return choices.fraction(most, (2, 3, 4))

    costs = {(0, relay): near_one(4) if choices.flip() else Fraction(1) for relay in relays}
    costs |= {pair: near_one(4) for pair in permutations(relays, 2)}
    costs |= {(choices.one_of(relays), leaf): near_one(3) for leaf in range(count + 1, size)}
    others = [pair for pair in permutations(range(size), 2) if pair not in costs and pair[1]]
    costs |= {pair: cost(choices) for pair in choices.some_of(others, 8)}
    names = node_names(choices, size)
    arcs = [(names[tail], names[head], time) for (tail, head), time in costs.items()]
    return Broadcast(Platform(choices.shuffled(names), choices.shuffled(arcs)), names[0])


def small_broadcasts() -> tuple[Broadcast, ...]:
    """The example of RR-4871, a single arc, a star, ties, and long numbers."""
    third = Fraction(1, 3)
    return (
        Broadcast(legrand_fig1(), "Ps"),
        Broadcast(Platform("sa", [("s", "a", 1)]), "s"),
        Broadcast(Platform("sabc", [("s", v, third) for v in "abc"]), "s"),
        Broadcast(Platform("sab", both_ways([("s", "a", 1), ("a", "b", 1), ("b", "s", 1)])), "s"),
        Broadcast(Platform("sab", [("s", "a", 10**30), ("s", "b", 1), ("b", "a", third)]), "s"),
    )


# The program SSB(G), which is solved for many of them, has |V| |E| variables.
_PROGRAMS = Bounds(5, 8, 14)
BROADCASTS = Instances(Broadcast, reachable_broadcast, _PROGRAMS, small_broadcasts)


def _any_broadcast(choices: Choices, bound: int) -> Broadcast:
    """In one case of six any platform, where some nodes may be out of reach."""
    if choices.flip(6):
        return broadcast(choices, ports="one-port", max_nodes=bound, reachable=None)
    return reachable_broadcast(choices, bound)


def cycles_apart() -> tuple[Broadcast, ...]:
    """A cycle at the source and one elsewhere, with nothing or with a slow arc between them."""
    cycles = both_ways([("s", "a", 1), ("b", "c", 1)])
    return (
        Broadcast(Platform("sabc", cycles), "s"),
        Broadcast(Platform("sabc", [*cycles, ("a", "b", 1000)]), "s"),
    )


ANY_BROADCASTS = Instances(
    Broadcast, _any_broadcast, _PROGRAMS, lambda: (*small_broadcasts(), *cycles_apart())
)


def _dag(choices: Choices, bound: int) -> Broadcast:
    """Arcs lead forwards in a hidden order of the nodes, into every node but the source."""
    size = choices.size(2, bound)
    names = node_names(choices, size)
    one_in = choices.one_of((4, 2, 1))
    arcs = []
    for head in range(1, size):
        first = choices.below(head)
        tails = [tail for tail in range(head) if tail == first or choices.flip(one_in)]
        if head == size - 1 > 1 and len(tails) == 1 and choices.below(8):
            tails.append((first + 1) % head)  # seldom a single tree
        arcs += [(names[tail], names[head], cost(choices)) for tail in tails]
    platform = Platform(choices.shuffled(names), choices.shuffled(arcs))
    return Broadcast(platform, names[0])


def _dags() -> tuple[Broadcast, ...]:
    """One arc; the receive ports bind; figure 5; two ways of the same length; long numbers."""
    figure_5 = [(0, 1, 1), (0, 2, 1), (1, 2, 1), (1, 3, "1/2"), (2, 4, "1/2")]
    return (
        Broadcast(Platform("sa", [("s", "a", 2)]), "s"),
        Broadcast(Platform("sav", [("s", "a", "1/2"), ("s", "v", 1), ("a", "v", 1)]), "s"),
        Broadcast(Platform(range(5), figure_5), 0),
        Broadcast(Platform("sabt", [(*p, 1) for p in ("sa", "sb", "at", "bt")]), "s"),
        Broadcast(Platform("sab", [("s", "a", 10**30), ("s", "b", "1/3"), ("a", "b", 7)]), "s"),
    )


DAGS = Instances(Broadcast, _dag, Bounds(5, 12, 30), _dags)


@dataclass(frozen=True, slots=True)
class DegreeBounded:
    """Is there a spanning tree of the graph in which no node has more neighbors than `degree`?"""

    size: int
    edges: tuple[tuple[int, int], ...]
    degree: int


def _degree_bounded(choices: Choices, bound: int) -> DegreeBounded:
    """A tree and few more edges; stars and bristles among the trees, so that "no" is common.

    In one case of four the answer is "no" or close to it, and no single node shows why.
    """
    if bound >= 6 and choices.flip(4):
        return _hubs(choices, bound)
    size = choices.size(2, bound)
    reach = choices.one_of((size, 1, 2))
    edges = {(choices.below(min(v, reach)), v) for v in range(1, size)}
    others = [pair for pair in combinations(range(size), 2) if pair not in edges]
    edges |= set(choices.several_of(others, min(len(others), choices.one_of((0, 1, 1, 2, 3)))))
    degree = 3 if choices.flip(4) else 2
    return DegreeBounded(size, tuple(choices.shuffled(sorted(edges))), degree)


def _hubs(choices: Choices, bound: int) -> DegreeBounded:
    """Hubs that all other nodes need: each of these sees two hubs or more, and no other node.

    A tree in which no hub has more than K neighbors joins h hubs to at most (K - 1) h + 1 others.
    The number of others is this or one more; a few further edges may help.
    """
    degree = 3 if bound >= 8 and choices.flip() else 2
    hubs = choices.between(2, 3 if degree == 2 and bound >= 8 else 2)
    others = (degree - 1) * hubs + 1 + (not choices.flip())
    size = hubs + others
    edges = set()
    for node in range(hubs, size):
        edges |= {(hub, node) for hub in choices.several_of(range(hubs), 2)}
    edges |= set(choices.some_of(combinations(range(hubs), 2)))
    missing = [pair for pair in combinations(range(size), 2) if pair not in edges]
    edges |= set(choices.several_of(missing, choices.one_of((0, 0, 1))))
    names = choices.shuffled(range(size))
    named = {(min(names[u], names[v]), max(names[u], names[v])) for u, v in edges}
    return DegreeBounded(size, tuple(choices.shuffled(sorted(named))), degree)


DEGREE_BOUNDED = Instances(
    DegreeBounded,
    _degree_bounded,
    Bounds(6, 8, 16),
    lambda: (
        DegreeBounded(2, ((0, 1),), 2),
        DegreeBounded(3, ((0, 1),), 2),
        DegreeBounded(4, ((0, 1), (0, 2), (0, 3)), 2),
        DegreeBounded(4, ((0, 1), (1, 2), (1, 3)), 2),
        DegreeBounded(4, ((0, 1), (1, 2), (1, 3)), 3),
        DegreeBounded(5, tuple(combinations(range(5), 2)), 2),
        DegreeBounded(6, tuple((u, v) for u in range(2) for v in range(2, 6)), 2),
    ),
)


@dataclass(frozen=True, slots=True)
class Relays:
    """The source 0 serves relays, in one time unit each; only these reach the other nodes.

    `times[relay][job]` is how long a relay takes to send to one of the others.
    """

    times: tuple[tuple[int, ...], ...]

    def broadcast(self) -> Broadcast:
        """Nodes are the source, then the relays, then those that they serve."""
        relays, jobs = len(self.times), len(self.times[0])
        arcs = [(0, relay, 1) for relay in range(1, relays + 1)]
        arcs += [
            (relay, relays + 1 + job, time)
            for relay, row in enumerate(self.times, 1)
            for job, time in enumerate(row)
        ]
        return Broadcast(Platform(range(1 + relays + jobs), arcs), 0)


def _relays(choices: Choices, bound: int) -> Relays:
    """Two or three relays and more jobs; times of two digits, seldom a sum of equal halves.

    Mostly all relays take the same time for a job: then no linear program tells them apart, and
    nothing but cases closes the gap.
    """
    relays = choices.between(2, 3)
    jobs = choices.between(relays + 1, max(relays + 1, bound - 1 - relays))
    alike = tuple(choices.between(50, 99) for _ in range(jobs))
    if choices.flip(4):
        return Relays(tuple(tuple(choices.between(50, 99) for _ in alike) for _ in range(relays)))
    return Relays((alike,) * relays)


RELAYS = Instances(
    Relays,
    _relays,
    Bounds(8, 9, 10),
    lambda: (
        Relays(((1,),)),
        Relays(((3, 3, 2, 2, 2),) * 2),
        Relays(((3, 3, 3, 2, 2, 2),) * 3),
        Relays(((50, 99), (99, 50))),
    ),
)


def _ring(choices: Choices, bound: int) -> Broadcast:
    """Relays around a ring, each served by the source; the others hang on every relay.

    A message needs the whole source, one time unit.  One relay alone cannot pass on everything,
    all of them together can: so the best packing goes around the ring, and an acyclic one cannot.
    """
    size = choices.between(3, bound)
    ring = max(2, size - 1 - choices.below(3))
    relays = range(1, ring + 1)
    costs = {(0, relay): Fraction(1) for relay in relays}
    for relay in relays:
        costs[relay, relay % ring + 1] = 1 + Fraction(choices.between(1, 4), 4 * (ring - 1))
    for leaf in range(ring + 1, size):
        costs |= {(relay, leaf): choices.fraction(3, (6, 7, 8)) for relay in relays}
    others = [pair for pair in permutations(range(size), 2) if pair not in costs and pair[1]]
    costs |= {pair: 1 + choices.fraction(4, (2, 3)) for pair in choices.some_of(others, 6)}
    return Broadcast(Platform(range(size), [(*ends, time) for ends, time in costs.items()]), 0)


RINGS = Instances(Broadcast, _ring, Bounds(4, 5, 5), small_broadcasts)


@dataclass(frozen=True, slots=True)
class Busy:
    """How long every arc of the platform shall work; 0 for an arc that is not used."""

    problem: Broadcast
    times: tuple[Fraction, ...]


def _busy(choices: Choices, bound: int) -> Busy:
    reached = None if choices.flip(4) else True
    problem = broadcast(choices, ports="one-port", max_nodes=bound, reachable=reached)
    times = tuple(Fraction(0) if choices.flip(6) else cost(choices) for _ in problem.platform.arcs)
    return Busy(problem, times)


BUSY = Instances(
    Busy,
    _busy,
    Bounds(5, 14, 50),
    lambda: (
        *(Busy(one, (Fraction(1),) * len(one.platform.arcs)) for one in small_broadcasts()),
        Busy(small_broadcasts()[1], (Fraction(0),)),
    ),
    lambda asked: len(asked.times) - asked.times.count(Fraction(0)) <= 2,
)


@dataclass(frozen=True, slots=True)
class Periods:
    """A number of periods of two steps."""

    count: int


def _periods(choices: Choices, bound: int) -> Periods:
    return Periods(choices.between(1, bound))


PERIODS = Instances(
    Periods, _periods, Bounds(6, 20, 60), lambda: tuple(Periods(count) for count in (1, 2, 3))
)


@dataclass(frozen=True, slots=True)
class AnySchedule:
    """A series of `messages`, sent in any order: each of the `picks` is one possible transfer."""

    problem: Broadcast
    messages: int
    picks: tuple[int, ...]


def _any_schedule(choices: Choices, bound: int) -> AnySchedule:
    problem = reachable_broadcast(choices, bound)
    messages = choices.size(1, choices.one_of((3, bound, 3 * bound)), 2)
    count = choices.below(2 * messages * len(problem.platform.nodes))
    return AnySchedule(problem, messages, tuple(choices.below(1000) for _ in range(count)))


ANY_SCHEDULES = Instances(
    AnySchedule,
    _any_schedule,
    Bounds(4, 8, 15),
    lambda: (
        *(AnySchedule(one, 1, ()) for one in small_broadcasts()),
        AnySchedule(Broadcast(legrand_fig1(), "Ps"), 6, tuple(range(40))),
    ),
)


@dataclass(frozen=True, slots=True)
class Large:
    """One message of this size, over arcs with start-up times.

    Somebody cuts it into this many equal packets, and begins with the `picks` (`AnySchedule`).
    """

    problem: Broadcast
    size: Fraction
    packets: int
    picks: tuple[int, ...]


def _large(choices: Choices, bound: int) -> Large:
    """Every arc has a start-up time: without any, the more frames the better, up to the cap."""
    made = reachable_broadcast(choices, bound)
    arcs = [(arc.tail, arc.head, arc.cost, cost(choices)) for arc in made.platform.arcs]
    platform = Platform(made.platform.nodes, arcs)
    size, packets = choices.fraction(30, (1, 2, 7)), choices.size(1, 2 * bound, 2)
    picks = tuple(choices.below(1000) for _ in range(choices.below(2 * bound)))
    return Large(Broadcast(platform, made.source), size, packets, picks)


LARGE = Instances(
    Large,
    _large,
    Bounds(4, 5, 8),
    lambda: (
        Large(Broadcast(Platform("sa", [("s", "a", 1)]), "s"), Fraction(5), 1, ()),
        Large(
            Broadcast(Platform("abc", [("a", "b", 1, 1), ("b", "c", 1, 1)]), "a"),
            Fraction(9),
            3,
            (0, 1, 2),
        ),
        Large(Broadcast(legrand_fig1(), "Ps"), Fraction(7, 2), 2, ()),
    ),
)
