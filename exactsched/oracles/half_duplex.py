"""Half-duplex broadcasts by definition: the constraints of BBS, all odd sets, all cuts, any run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Literal

from exactsched.exact.rational import Rational
from exactsched.model.problem import Broadcast
from exactsched.oracles.broadcast import ends_of
from exactsched.oracles.linear_programs import THROUGHPUT, Row, ThroughputProgram

# Up to this many nodes all cuts and all odd sets are looked at.
ALL_SETS = 7

Causality = Literal["rates", "printed"]


@dataclass(frozen=True, slots=True)
class Occupancies:
    """Of every arc the share of the time in which it works."""

    problem: Broadcast
    shares: tuple[Rational, ...]


@dataclass(frozen=True, slots=True)
class AnyRun:
    """Each of the `picks` is a possible transfer and a pause before it; what lacks comes after."""

    problem: Broadcast
    messages: int
    picks: tuple[int, ...]


# The constraints ---------------------------------------------------------------------------------


def received(asked: Occupancies) -> list[Fraction]:
    """At which rate every node receives: sum of O / c over the arcs into it.

    >>> from exactsched.model.platform import Platform
    >>> line = Broadcast(Platform("ab", [("a", "b", 2)]), "a", "half-duplex")
    >>> received(Occupancies(line, (1,)))
    [Fraction(0, 1), Fraction(1, 2)]
    """
    rates = [Fraction(0)] * len(asked.problem.platform.nodes)
    for arc, (_, head), share in zip(
        asked.problem.platform.arcs, ends_of(asked.problem), asked.shares, strict=True
    ):
        rates[head] += Fraction(share) / arc.cost
    return rates


def least_received(asked: Occupancies) -> Fraction:
    """The least rate at which a node other than the source receives.

    >>> from exactsched.model.platform import Platform
    >>> path = Platform("abc", [("a", "b", 1), ("b", "c", 2)])
    >>> least_received(Occupancies(Broadcast(path, "a", "half-duplex"), (Fraction(1, 3), 1)))
    Fraction(1, 3)
    """
    root = asked.problem.platform.position[asked.problem.source]
    return min(rate for node, rate in enumerate(received(asked)) if node != root)


def lost(asked: Occupancies, causality: Causality = "rates", *, at_root: bool = False) -> str:
    """Which of (6), (7) and (8) does not hold; empty if all do.

    (8) says that over no arc more is sent, as messages or, `printed`, in time, than its tail
    receives; `at_root` says that the source is no exception.

    >>> from exactsched.model.platform import Platform
    >>> path = Platform("abc", [("a", "b", 1), ("b", "c", 2)])
    >>> stated = Occupancies(Broadcast(path, "a", "half-duplex"), (Fraction(1, 3), Fraction(2, 3)))
    >>> lost(stated), lost(stated, "printed")
    ('', '(8): b->c carries more than its tail receives')
    """
    problem, shares = asked.problem, [Fraction(share) for share in asked.shares]
    size, root = len(problem.platform.nodes), problem.platform.position[problem.source]
    busy, into = [Fraction(0)] * size, [Fraction(0)] * size
    for (tail, head), share in zip(ends_of(problem), shares, strict=True):
        busy[tail] += share
        busy[head] += share
        into[head] += share
    if min(shares, default=0) < 0:
        return "an arc works for less than no time"
    if sum(shares) > size // 2:
        return "(6): more than floor(P / 2) transfers at a time"
    if max(busy) > 1:
        return "(7): a node works more than full time"
    if causality == "rates":
        into = received(asked)
    for arc, (tail, _), share in zip(problem.platform.arcs, ends_of(problem), shares, strict=True):
        sent = share / arc.cost if causality == "rates" else share
        if sent > into[tail] and (at_root or tail != root):
            return f"(8): {arc} carries more than its tail receives"
    return ""


def best_rate(problem: Broadcast, causality: Causality, *, balanced: bool) -> Fraction:
    """The largest least rate of all occupancies with (6), (7) and (8), the source exempt from (8).

    `balanced`: with (14), so that all nodes but the source receive at this rate.

    On a path of a fast and a slow arc balance excludes all, if (8) is read as printed:

    >>> from exactsched.model.platform import Platform
    >>> path = Platform("abc", [("a", "b", 1), ("b", "c", 2)])
    >>> asked = Broadcast(path, "a", "half-duplex")
    >>> best_rate(asked, "printed", balanced=False), best_rate(asked, "printed", balanced=True)
    (Fraction(1, 4), Fraction(0, 1))
    >>> best_rate(asked, "rates", balanced=True)
    Fraction(1, 3)
    """
    arcs, ends = problem.platform.arcs, ends_of(problem)
    program, shares = _ports_program(problem)
    program.at_most(dict.fromkeys(shares, 1), len(problem.platform.nodes) // 2)
    for node, name in enumerate(problem.platform.nodes):
        if name == problem.source:
            continue
        into = [a for a, (_, head) in enumerate(ends) if head == node]
        rate: Row = {THROUGHPUT: 1, **{shares[a]: -1 / arcs[a].cost for a in into}}
        if balanced:
            program.equation(rate)
        else:
            program.at_most(rate, 0)
        for a, (tail, _) in enumerate(ends):
            if tail == node and causality == "rates":
                entering = {shares[b]: -1 / arcs[b].cost for b in into}
                program.at_most({**entering, shares[a]: 1 / arcs[a].cost}, 0)
            elif tail == node:
                program.at_most({**{shares[b]: -1 for b in into}, shares[a]: 1}, 0)
    return program.value()


def best_by_cuts(problem: Broadcast) -> Fraction:
    """The largest rate that enters every set without the source, with room in all odd sets.

    By Edmonds' theorems on arborescences and on matchings this is the optimum of all broadcasts.

    >>> from exactsched.model.platform import Platform
    >>> pairs = [(tail, head, 1) for tail in "abc" for head in "abc" if tail != head]
    >>> best_by_cuts(Broadcast(Platform("abc", pairs), "a", "half-duplex"))
    Fraction(1, 2)
    """
    arcs, ends = problem.platform.arcs, ends_of(problem)
    program, shares = _ports_program(problem)
    for members in odd_sets(len(problem.platform.nodes)):
        inside = [a for a, pair in enumerate(ends) if members.issuperset(pair)]
        program.at_most({shares[a]: 1 for a in inside}, len(members) // 2)
    for without_source in sets_without_source(problem):
        entering = _entering(ends, without_source)
        program.at_most({THROUGHPUT: 1, **{shares[a]: -1 / arcs[a].cost for a in entering}}, 0)
    return program.value()


def _ports_program(problem: Broadcast) -> tuple[ThroughputProgram, list[int]]:
    """A variable for the share of each arc; (7): no node works more than full time."""
    program, ends = ThroughputProgram(), ends_of(problem)
    shares = [program.variable() for _ in ends]
    for node in range(len(problem.platform.nodes)):
        program.at_most({shares[a]: 1 for a, pair in enumerate(ends) if node in pair}, 1)
    return program, shares


def sets_without_source(problem: Broadcast) -> Iterator[frozenset[int]]:
    """All sets of nodes, as positions, that are not empty and lack the source."""
    root, size = problem.platform.position[problem.source], len(problem.platform.nodes)
    others = [node for node in range(size) if node != root]
    for number in range(1, size):
        yield from map(frozenset, combinations(others, number))


def _entering(ends: Sequence[tuple[int, int]], inside: frozenset[int]) -> list[int]:
    return [a for a, (tail, head) in enumerate(ends) if head in inside and tail not in inside]


def odd_sets(size: int) -> list[frozenset[int]]:
    """All sets of three, five, ... of nodes 0..size-1.

    >>> odd_sets(3)
    [frozenset({0, 1, 2})]
    """
    return [
        frozenset(members)
        for number in range(3, size + 1, 2)
        for members in combinations(range(size), number)
    ]


def overfull(asked: Occupancies) -> str:
    """An odd set of 2 k + 1 nodes that has more than k inside; empty if there is none.

    >>> from exactsched.model.platform import Platform
    >>> triangle = Platform("abc", [("a", "b", 1), ("b", "c", 1), ("c", "a", 1)])
    >>> overfull(Occupancies(Broadcast(triangle, "a", "half-duplex"), (Fraction(1, 2),) * 3))
    'the odd set [0, 1, 2] works for 3/2'
    """
    pairs = list(zip(ends_of(asked.problem), asked.shares, strict=True))
    for members in odd_sets(len(asked.problem.platform.nodes)):
        inside = sum(Fraction(share) for pair, share in pairs if members.issuperset(pair))
        if inside > len(members) // 2:
            return f"the odd set {sorted(members)} works for {inside}"
    return ""


def least_entering(asked: Occupancies) -> Fraction:
    """The least rate at which a set of nodes without the source receives from outside.

    >>> from exactsched.model.platform import Platform
    >>> path = Platform("abc", [("a", "b", 1), ("b", "c", 2)])
    >>> least_entering(Occupancies(Broadcast(path, "a", "half-duplex"), (Fraction(1, 2), 1)))
    Fraction(1, 2)
    """
    arcs, ends = asked.problem.platform.arcs, ends_of(asked.problem)
    rates = [Fraction(x) / arc.cost for x, arc in zip(asked.shares, arcs, strict=True)]
    return min(
        sum((rates[a] for a in _entering(ends, inside)), Fraction(0))
        for inside in sets_without_source(asked.problem)
    )


# Runs --------------------------------------------------------------------------------------------


def run_of(asked: AnyRun) -> tuple[Fraction, list[int]]:
    """When the run ends, and how many messages every arc has carried; none carries one twice.

    >>> from exactsched.model.platform import Platform
    >>> line = Platform("abc", [("a", "b", 1), ("b", "c", 2), ("a", "c", 9)])
    >>> run_of(AnyRun(Broadcast(line, "a", "half-duplex"), 2, ()))
    (Fraction(6, 1), [2, 2, 0])
    """
    problem, ends = asked.problem, ends_of(asked.problem)
    arcs, root = problem.platform.arcs, problem.platform.position[problem.source]
    size = len(problem.platform.nodes)
    arrival = {(root, message): Fraction(0) for message in range(asked.messages)}
    free = [Fraction(0)] * size
    carried: set[tuple[int, int]] = set()

    def send(arc: int, message: int, pause: Fraction) -> None:
        tail, head = ends[arc]
        start = max(free[tail], free[head], arrival[tail, message]) + pause
        free[tail] = free[head] = end = start + arcs[arc].cost
        arrival[head, message] = min(end, arrival.get((head, message), end))
        carried.add((arc, message))

    for pick in asked.picks:
        possible = [
            (arc, message)
            for arc, (tail, _) in enumerate(ends)
            for message in range(asked.messages)
            if (tail, message) in arrival and (arc, message) not in carried
        ]
        if possible:
            pause = Fraction(1, 2) if pick % 7 == 6 else Fraction(0)
            send(*possible[pick // 7 % len(possible)], pause)
    progress = True
    while progress:
        progress = False
        for message in range(asked.messages):
            for arc, (tail, head) in enumerate(ends):
                if (tail, message) in arrival and (head, message) not in arrival:
                    send(arc, message, Fraction(0))
                    progress = True
    counts = [sum(arc == place for arc, _ in carried) for place in range(len(arcs))]
    return max(free), counts
