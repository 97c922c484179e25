"""Slow oracles by definition, for certificates and small problems.

They share nothing with the solvers or with the checker: documents are read member by member,
time passes event by event, and optima come from all structures and all sets of transfers that
may run at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from exactsched.exact.rational import exact
from exactsched.model.platform import Arc, Node, Platform
from exactsched.model.problem import Broadcast
from exactsched.oracles.transfers import (
    ImpossibleError,
    compatible_sets,
    exclude_each_other,
    moment,
    refuse_collisions,
)


def problem_of(document: dict[str, Any]) -> Broadcast:
    """The problem of a certificate, read directly."""
    asked = document["problem"]
    platform = Platform(asked["platform"]["nodes"], map(tuple, asked["platform"]["arcs"]))
    return Broadcast(platform, asked["source"], asked["ports"], asked["restrict"])


def simulate_series(document: dict[str, Any], periods: int) -> int:
    """Runs a periodic schedule from an empty machine; returns the messages that everybody has.

    In every period every arc sends, in its slots, the messages of its trees in their order; the
    head of an arc at depth d of a tree receives batch r of the tree in period r + d - 1.  Raises
    `ImpossibleError` for a collision, a message sent before it is there, a slot outside of its
    period, and slots too short for the messages.
    """
    problem, schedule = problem_of(document), document["schedule"]
    if schedule is None:
        return 0
    arcs = problem.platform.arcs
    period, tick = exact(schedule["period"], "period"), exact(schedule["tick"], "tick")
    slots = [
        (exact(start, "start") * tick, exact(end, "end") * tick, arc)
        for arc, start, end in schedule["slots"]
    ]
    if any(start < 0 or start >= end or end > period for start, end, _ in slots):
        raise ImpossibleError("a slot is empty or outside of the period")
    refuse_collisions(problem.platform, problem.ports, slots)
    depths = [_depths(problem, tree["arcs"]) for tree in schedule["trees"]]
    arrival: dict[tuple[int, int, int, Node], Fraction] = {}
    departures: list[tuple[int, int, int, Node, Fraction]] = []
    for time in range(periods):
        for index, arc in enumerate(arcs):
            line = sorted((start, end) for start, end, slot_arc in slots if slot_arc == index)
            spent = Fraction(0)
            for number, tree in enumerate(schedule["trees"]):
                if index not in tree["arcs"]:
                    continue
                batch = time - depths[number][arc.head] + 1
                for message in range(int(exact(tree["messages"], "messages"))):
                    start = moment(line, spent, after=True) + time * period
                    spent += arc.cost
                    end = moment(line, spent, after=False) + time * period
                    if batch >= 0:
                        departures.append((number, batch, message, arc.tail, start))
                        arrival[number, batch, message, arc.head] = end
    for number, batch, message, tail, start in departures:
        if (
            tail != problem.source
            and arrival.get((number, batch, message, tail), start + 1) > start
        ):
            raise ImpossibleError(
                f"{tail} sends message {message} of batch {batch} before it has it"
            )
    everywhere: dict[tuple[int, int, int], int] = {}
    for (*name, _), end in arrival.items():
        if end <= periods * period:
            key = (name[0], name[1], name[2])
            everywhere[key] = everywhere.get(key, 0) + 1
    return sum(count == len(problem.platform.nodes) - 1 for count in everywhere.values())


def _depths(problem: Broadcast, tree: Sequence[int]) -> dict[Node, int]:
    """Depths in a spanning arborescence, level by level."""
    arcs = [problem.platform.arcs[index] for index in tree]
    if not is_arborescence(problem, arcs):
        raise ImpossibleError("not an arborescence")
    depths = {problem.source: 0}
    for _ in arcs:
        for arc in arcs:
            if arc.tail in depths:
                depths[arc.head] = depths[arc.tail] + 1
    return depths


def is_arborescence(problem: Broadcast, arcs: Sequence[Arc]) -> bool:
    """Whether arcs form a spanning arborescence from the source: paths to all, no spare arc."""
    reached = {problem.source}
    for _ in arcs:
        reached |= {arc.head for arc in arcs if arc.tail in reached}
    return reached == set(problem.platform.nodes) and len(arcs) == len(reached) - 1


def simulate_run(document: dict[str, Any]) -> Fraction:
    """Runs the transfers of a finite schedule; returns when everybody has everything."""
    problem = problem_of(document)
    arcs, tick = problem.platform.arcs, exact(document["run"]["tick"], "tick")
    sizes = packet_sizes(document)
    rows = [
        (exact(start, "start") * tick, exact(end, "end") * tick, arc, packet)
        for arc, packet, start, end in document["run"]["transfers"]
    ]
    refuse_collisions(
        problem.platform, problem.ports, [(start, end, arc) for start, end, arc, _ in rows]
    )
    transfers: dict[tuple[int, int], list[tuple[Fraction, Fraction]]] = {}
    for start, end, arc, packet in rows:
        if start < 0 or start >= end:
            raise ImpossibleError("a transfer of no length")
        transfers.setdefault((arc, packet), []).append((start, end))
    arrival: dict[tuple[Node, int], Fraction] = {}
    for (arc, packet), pieces in transfers.items():
        if len(pieces) > 1 and arcs[arc].latency:
            raise ImpossibleError("the start-up is paid once for several pieces")
        lasts = sum(end - start for start, end in pieces)
        if lasts != arcs[arc].latency + sizes[packet] * arcs[arc].cost:
            raise ImpossibleError(f"packet {packet} on {arcs[arc]} takes {lasts}")
        end = max(end for _, end in pieces)
        key = arcs[arc].head, packet
        arrival[key] = min(end, arrival.get(key, end))
    for (arc, packet), pieces in transfers.items():
        tail = arcs[arc].tail
        first = min(start for start, _ in pieces)
        if tail != problem.source and arrival.get((tail, packet), first + 1) > first:
            raise ImpossibleError(f"{tail} sends packet {packet} before it has it")
    for node in problem.platform.nodes:
        for packet in range(len(sizes)):
            if node != problem.source and (node, packet) not in arrival:
                raise ImpossibleError(f"{node} never receives packet {packet}")
    return max(end for _, end, _, _ in rows)


def packet_sizes(document: dict[str, Any]) -> list[Fraction]:
    packets = document["problem"]["packets"]
    if isinstance(packets, dict):
        return [Fraction(1)] * packets["count"]
    return [exact(size, "size") for size in packets]


def optimal_throughput_by_definition(problem: Broadcast) -> Fraction:
    """The optimum over all time shares of sets of transfers that may run at once.

    Maximize the total rate of all allowed arborescences, each arc getting the time that it
    needs from the compatible sets that contain it; their shares add up to at most 1.  This is
    exact for every port model, half-duplex on odd cycles included.  Exponential: up to five or
    six nodes.
    """
    trees = list(arborescences(problem))
    if problem.restrict == "tree":
        families: Iterable[list[frozenset[int]]] = ([tree] for tree in trees)
    elif problem.restrict == "dag":
        families = _acyclic_families(problem, trees)
    else:
        families = [trees]
    return max((_best_rate(problem, family) for family in families), default=Fraction(0))


def arborescences(problem: Broadcast) -> Iterator[frozenset[int]]:
    """All spanning arborescences: one arc into every other node, in all ways."""
    arcs = problem.platform.arcs
    choices = [
        [index for index, arc in enumerate(arcs) if arc.head == node]
        for node in problem.platform.nodes
        if node != problem.source
    ]
    for chosen in product(*choices):
        if is_arborescence(problem, [arcs[index] for index in chosen]):
            yield frozenset(chosen)


def _acyclic_families(
    problem: Broadcast, trees: list[frozenset[int]]
) -> Iterator[list[frozenset[int]]]:
    """For every order of the nodes the arborescences whose arcs all lead forwards."""
    seen = set()
    for order in permutations(problem.platform.nodes):
        place = {node: position for position, node in enumerate(order)}
        forward = {
            index
            for index, arc in enumerate(problem.platform.arcs)
            if place[arc.tail] < place[arc.head]
        }
        family = [tree for tree in trees if tree <= forward]
        if family and frozenset(family) not in seen:
            seen.add(frozenset(family))
            yield family


def _best_rate(problem: Broadcast, trees: list[frozenset[int]]) -> Fraction:
    if not trees:
        return Fraction(0)
    useful = sorted(frozenset().union(*trees))
    sets = compatible_sets(problem.platform, problem.ports, useful)
    costs = [problem.platform.arcs[index].cost for index in useful]
    rows = [
        [cost * (index in tree) for tree in trees] + [-Fraction(index in chosen) for chosen in sets]
        for index, cost in zip(useful, costs, strict=True)
    ]
    rows.append([Fraction(0)] * len(trees) + [Fraction(1)] * len(sets))
    limits = [Fraction(0)] * len(useful) + [Fraction(1)]
    return maximum([Fraction(1)] * len(trees) + [Fraction(0)] * len(sets), rows, limits)


def maximum(
    objective: list[Fraction], rows: list[list[Fraction]], limits: list[Fraction]
) -> Fraction:
    """max objective x subject to rows x <= limits, x >= 0, for limits >= 0: Bland's simplex."""
    count, height = len(objective), len(rows)
    table = [
        [*row, *(Fraction(k == index) for k in range(height)), limit]
        for index, (row, limit) in enumerate(zip(rows, limits, strict=True))
    ]
    top = [-value for value in objective] + [Fraction(0)] * (height + 1)
    basis = list(range(count, count + height))
    while True:
        entering = next((k for k in range(count + height) if top[k] < 0), None)
        if entering is None:
            return top[-1]
        ratios = [
            (row[-1] / row[entering], basis[index], index)
            for index, row in enumerate(table)
            if row[entering] > 0
        ]
        if not ratios:
            raise ValueError("unbounded")
        pivot = min(ratios)[2]
        basis[pivot] = entering
        scale = table[pivot][entering]
        table[pivot] = [value / scale for value in table[pivot]]
        for row in [*table, top]:
            if row is not table[pivot] and row[entering]:
                factor = row[entering]
                row[:] = [a - factor * b for a, b in zip(row, table[pivot], strict=True)]


def shortest_run_by_search(problem: Broadcast, sizes: Sequence[Fraction]) -> Fraction | None:
    """The makespan of the best uninterrupted schedule: all orders, each started as early as it can.

    An upper bound of the optimum (which may interrupt), so every proved lower bound is at most
    this; None if some node cannot be reached.  Exponential: up to four or five transfers.
    """
    arcs = problem.platform.arcs
    best: Fraction | None = None
    needed = (len(problem.platform.nodes) - 1) * len(sizes)
    start_state: dict[tuple[Node, int], Fraction] = {
        (problem.source, packet): Fraction(0) for packet in range(len(sizes))
    }
    pending: list[tuple[dict[tuple[Node, int], Fraction], list[tuple[Fraction, Fraction, int]]]] = [
        (start_state, [])
    ]
    while pending:
        arrival, busy = pending.pop()
        if len(busy) == needed:
            end = max(end for _, end, _ in busy)
            best = end if best is None else min(best, end)
            continue
        for index, arc in enumerate(arcs):
            for packet, size in enumerate(sizes):
                if (arc.tail, packet) not in arrival or (arc.head, packet) in arrival:
                    continue
                clashes = [
                    end
                    for _, end, other in busy
                    if exclude_each_other(problem.ports, arc, arcs[other])
                ]
                start = max([arrival[arc.tail, packet], *clashes])
                end = start + arc.latency + size * arc.cost
                pending.append(({**arrival, (arc.head, packet): end}, [*busy, (start, end, index)]))
    return best
