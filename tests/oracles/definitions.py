"""Schedules of broadcasts, played by definition from the documents of certificates.

Nothing is shared with the solvers or with the checker: documents are read member by member, and
time passes event by event.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from exactsched.exact.rational import exact
from exactsched.model.platform import Node, Platform
from exactsched.model.problem import Broadcast
from exactsched.oracles.broadcast import exclude_each_other, is_arborescence


class ImpossibleError(Exception):
    """A schedule breaks the definition: a port is used twice, or a message is not there yet."""


def problem_of(document: dict[str, Any]) -> Broadcast:
    """The problem of a certificate, read directly."""
    asked = document["problem"]
    platform = Platform(asked["platform"]["nodes"], map(tuple, asked["platform"]["arcs"]))
    return Broadcast(platform, asked["source"], asked["ports"], asked["restrict"])


def refuse_collisions(
    platform: Platform, ports: str, busy: Sequence[tuple[Fraction, Fraction, int]]
) -> None:
    """Raises `ImpossibleError` if transfers (start, end, arc) that exclude each other overlap."""
    arcs = platform.arcs
    for (a, b, k), (c, d, other) in combinations(busy, 2):
        if max(a, c) < min(b, d) and exclude_each_other(ports, arcs[k], arcs[other]):
            raise ImpossibleError(f"{arcs[k]} and {arcs[other]} at {max(a, c)}")


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
    if not is_arborescence(problem, tree):
        raise ImpossibleError("not an arborescence")
    arcs = [problem.platform.arcs[index] for index in tree]
    depths = {problem.source: 0}
    for _ in arcs:
        for arc in arcs:
            if arc.tail in depths:
                depths[arc.head] = depths[arc.tail] + 1
    return depths


def moment(line: list[tuple[Fraction, Fraction]], spent: Fraction, after: bool) -> Fraction:
    """When a line of slots has worked for `spent`: the earliest moment, or the latest (`after`)."""
    for start, end in line:
        if spent < end - start or (spent == end - start and not after):
            return start + spent
        spent -= end - start
    raise ImpossibleError("the slots of an arc are too short for its messages")


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
