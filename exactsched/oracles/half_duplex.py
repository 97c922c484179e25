"""Half-duplex broadcasts by definition: the constraints of BBS, all odd sets, all cuts, any run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Literal

from exactsched.certificate.minmax import LinearOptimum
from exactsched.check import check
from exactsched.exact.rational import Rational
from exactsched.instances.choices import Choices
from exactsched.instances.platforms import broadcast, cost, unit_cost
from exactsched.linear_programs.linear_program import linear_program, maximize
from exactsched.model.problem import Broadcast
from exactsched.oracles.broadcast import ends_of

# Up to so many nodes all cuts and all odd sets are looked at.
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
    size, root = len(problem.platform.nodes), problem.platform.position[problem.source]
    last = len(arcs)  # the column of the rate
    rows: list[dict[int, Fraction | int]] = [dict.fromkeys(range(last), 1)]
    right: list[int] = [size // 2]
    equalities = []
    for node in range(size):
        rows.append({a: 1 for a, pair in enumerate(ends) if node in pair})
        right.append(1)
        if node == root:
            continue
        if balanced:
            equalities.append(len(rows))
        into = [a for a, (_, head) in enumerate(ends) if head == node]
        rows.append({last: 1, **{a: -1 / arcs[a].cost for a in into}})
        right.append(0)
        for a, (tail, _) in enumerate(ends):
            if tail == node:
                row = {b: -1 / arcs[b].cost if causality == "rates" else Fraction(-1) for b in into}
                rows.append({**row, a: 1 / arcs[a].cost if causality == "rates" else 1})
                right.append(0)
    return _maximum(last, rows, right, equalities)


def best_by_cuts(problem: Broadcast) -> Fraction:
    """The largest rate that enters every set without the source, with room in all odd sets.

    By Edmonds' theorems on arborescences and on matchings this is the optimum of all broadcasts.

    >>> from exactsched.platforms.built_in import complete
    >>> best_by_cuts(Broadcast(complete(3), 0, "half-duplex"))
    Fraction(1, 2)
    """
    arcs, ends = problem.platform.arcs, ends_of(problem)
    size, root = len(problem.platform.nodes), problem.platform.position[problem.source]
    last = len(arcs)
    rows: list[dict[int, Fraction | int]] = []
    right: list[int] = []
    for node in range(size):
        rows.append({a: 1 for a, pair in enumerate(ends) if node in pair})
        right.append(1)
    for members in odd_sets(size):
        rows.append({a: 1 for a, pair in enumerate(ends) if members.issuperset(pair)})
        right.append(len(members) // 2)
    others = [node for node in range(size) if node != root]
    for number in range(1, size):
        for inside in map(frozenset, combinations(others, number)):
            entering = [a for a, (t, h) in enumerate(ends) if h in inside and t not in inside]
            rows.append({last: 1, **{a: -1 / arcs[a].cost for a in entering}})
            right.append(0)
    return _maximum(last, rows, right, [])


def _maximum(
    last: int,
    rows: Sequence[dict[int, Fraction | int]],
    right: Sequence[int],
    equalities: Sequence[int],
) -> Fraction:
    """Of the last variable, as the checker proves it."""
    gains = [0] * last + [1]
    outcome = maximize(linear_program(gains, rows, right, equalities, range(last + 1)))
    check(outcome)
    assert isinstance(outcome, LinearOptimum)
    return Fraction(outcome.value)


def odd_sets(size: int) -> list[frozenset[int]]:
    """All sets of three, five, ... out of so many nodes.

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
    problem = asked.problem
    root = problem.platform.position[problem.source]
    others = [node for node in range(len(problem.platform.nodes)) if node != root]
    rated = [
        (pair, Fraction(share) / arc.cost)
        for arc, pair, share in zip(
            problem.platform.arcs, ends_of(problem), asked.shares, strict=True
        )
    ]
    return min(
        sum((rate for (t, h), rate in rated if h in inside and t not in inside), Fraction(0))
        for number in range(1, len(others) + 1)
        for inside in map(frozenset, combinations(others, number))
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


# Instances ---------------------------------------------------------------------------------------


def _few_costs(choices: Choices) -> Fraction:
    return Fraction(choices.one_of((1, 1, 2, 3)))


def half_duplex(choices: Choices, bound: int) -> Broadcast:
    """Costs that are all 1, or few, or any; in one case of four there is no odd cycle."""
    costs = choices.one_of((unit_cost, unit_cost, _few_costs, cost))
    return broadcast(
        choices,
        ports="half-duplex",
        max_nodes=bound,
        bipartite=choices.flip(4),
        cost=costs,
    )


def any_run(choices: Choices, bound: int) -> AnyRun:
    """Transfers in any order, some of them for nothing or late."""
    problem = half_duplex(choices, bound)
    messages = choices.between(1, choices.one_of((2, bound, 2 * bound)))
    count = choices.below(2 * messages * len(problem.platform.nodes))
    return AnyRun(problem, messages, tuple(choices.below(7000) for _ in range(count)))


def occupancies(choices: Choices, bound: int, causality: Causality) -> Occupancies:
    """Some that keep (6), (7), and (8) but at the source, where every node receives something."""
    problem = half_duplex(choices, bound)
    arcs, ends = problem.platform.arcs, ends_of(problem)
    size, root = len(problem.platform.nodes), problem.platform.position[problem.source]
    amounts = [choices.below(4) for _ in arcs]
    reached = {root}
    while len(reached) < size:
        arc = choices.one_of(
            [a for a, (t, h) in enumerate(ends) if t in reached and h not in reached]
        )
        amounts[arc] = max(amounts[arc], 1)
        reached.add(ends[arc][1])
    return scaled(problem, amounts, causality, choices.one_of((1, 1, 2)))


def scaled(
    problem: Broadcast, amounts: Sequence[int], causality: Causality, slack: int = 1
) -> Occupancies:
    """Amounts that are cut to what (8) allows, then all together to what (6) and (7) allow.

    >>> from exactsched.model.platform import Platform
    >>> path = Platform("abc", [("a", "b", 1), ("b", "c", 2)])
    >>> [*map(str, scaled(Broadcast(path, "a", "half-duplex"), [2, 5], "rates").shares)]
    ['1/3', '2/3']
    """
    ends = ends_of(problem)
    size, root = len(problem.platform.nodes), problem.platform.position[problem.source]
    flow, before = list(amounts), None
    while flow != before:
        before = flow
        into = [sum(x for (_, h), x in zip(ends, flow, strict=True) if h == v) for v in range(size)]
        flow = [
            x if tail == root else min(x, into[tail])
            for (tail, _), x in zip(ends, flow, strict=True)
        ]
    costs = [arc.cost if causality == "rates" else 1 for arc in problem.platform.arcs]
    shares = [x * c for x, c in zip(flow, costs, strict=True)]
    busy = [sum(s for p, s in zip(ends, shares, strict=True) if v in p) for v in range(size)]
    unit = slack * max(*busy, Fraction(sum(shares)) / (size // 2))
    return Occupancies(problem, tuple(Fraction(share) / unit for share in shares))
