"""Who is busy with what, when: the schedule of a certificate as bars on rows, in exact times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from exactsched.certificate import (
    BroadcastCertificate,
    PeriodicSchedule,
    RunCertificate,
    SeriesCertificate,
    arc_resources,
)
from exactsched.platform import Node
from exactsched.problem import Broadcast


@dataclass(frozen=True, slots=True)
class Bar:
    """Arc `arc` works for `stream` (the index of a tree, or of a packet in a run) without a break.

    `sent` is how many messages of the tree went over the arc before, in this period (a fraction if
    one is interrupted); 0 in a run.
    """

    arc: int
    stream: int
    start: Fraction
    end: Fraction
    sent: Fraction = Fraction(0)

    @property
    def length(self) -> Fraction:
        return self.end - self.start


@dataclass(slots=True)
class Row:
    """A resource at `node` with its bars in order of time; `side` is send, recv, port or link."""

    resource: str
    node: Node
    side: str
    bars: list[Bar] = field(default_factory=list)

    @property
    def busy(self) -> Fraction:
        return sum((bar.length for bar in self.bars), start=Fraction(0))


@dataclass(frozen=True, slots=True)
class Flow:
    """A tree of the picture: its arcs, the messages (packets) on it and its share of them all."""

    arcs: tuple[int, ...]
    messages: int
    share: Fraction


def bars(certificate: BroadcastCertificate) -> list[Bar]:
    """The bars of one period, or of the whole run, ordered by start and arc.

    In a period the slots of an arc are cut where the messages of the next tree begin; the
    messages of its trees follow each other in the order of `trees` (certificate format, "How it
    is executed").

    >>> from exactsched.certificate import read_certificate, parse
    >>> from exactsched.certificate import Leaf, WeightedTree
    >>> from exactsched.platform import Platform
    >>> asked = Broadcast(Platform("ab", [("a", "b", 1)]), "a")
    >>> two = (WeightedTree(1, (0,)), WeightedTree(2, (0,)))
    >>> schedule = PeriodicSchedule(Fraction(4), Fraction(1), two, ((0, 0, 2), (0, 3, 4)), True)
    >>> one = Fraction(3, 4)
    >>> series = SeriesCertificate(asked, one, one, True, schedule, Leaf({}, ("b",), ()))
    >>> [(bar.stream, int(bar.start), int(bar.end)) for bar in bars(series)]
    [(0, 0, 1), (1, 1, 2), (1, 3, 4)]
    """
    if isinstance(certificate, RunCertificate):
        tick = certificate.tick
        found = [
            Bar(arc, packet, start * tick, end * tick)
            for arc, packet, start, end in certificate.transfers
        ]
    elif certificate.schedule is None:
        found = []
    else:
        found = list(_period(certificate.problem, certificate.schedule))
    return sorted(found, key=lambda bar: (bar.start, bar.arc))


def _period(problem: Broadcast, schedule: PeriodicSchedule) -> Iterator[Bar]:
    waiting: dict[int, list[tuple[int, int]]] = {}
    for stream, tree in enumerate(schedule.trees):
        for arc in tree.arcs:
            waiting.setdefault(arc, []).append((stream, tree.messages))
    slots: dict[int, list[tuple[int, int]]] = {}
    for arc, first, last in schedule.slots:
        slots.setdefault(arc, []).append((first, last))
    for arc, intervals in slots.items():
        cost = problem.platform.arcs[arc].cost
        batches = iter(waiting.get(arc, ()))
        stream, messages, sent = -1, 0, Fraction(0)
        for first, last in sorted(intervals):
            start = first * schedule.tick
            stop = last * schedule.tick
            while start < stop:
                while sent == messages:
                    # A slot beyond the work of the arc is empty; a checker would refuse it.
                    stream, messages, sent = *next(batches, (-1, -1)), Fraction(0)
                if stream < 0:
                    break
                end = min(stop, start + (messages - sent) * cost)
                yield Bar(arc, stream, start, end, sent)
                sent += (end - start) / cost
                start = end


def rows(problem: Broadcast, found: Iterable[Bar]) -> list[Row]:
    """A row for each resource that works at all: those of the source first, then node by node."""
    arcs, uses = problem.platform.arcs, arc_resources(problem)
    used: dict[str, Row] = {}
    for bar in found:
        for position, resource in enumerate(uses[bar.arc]):
            if resource not in used:
                arc = arcs[bar.arc]
                node = arc.head if position else arc.tail
                used[resource] = Row(resource, node, resource.partition(":")[0])
            used[resource].bars.append(bar)
    place = {node: index for index, node in enumerate(problem.platform.nodes)}
    place[problem.source] = -1
    sides = ("send", "recv", "port", "link")
    return sorted(
        used.values(),
        key=lambda row: (place[row.node], sides.index(row.side), row.bars[0].arc),
    )


def flows(certificate: BroadcastCertificate) -> list[Flow]:
    """The trees of a series; of a run the sets of arcs that packets take, in order of first use."""
    if isinstance(certificate, SeriesCertificate):
        trees = certificate.schedule.trees if certificate.schedule else ()
        total = sum(tree.messages for tree in trees)
        return [Flow(tree.arcs, tree.messages, Fraction(tree.messages, total)) for tree in trees]
    counts = Counter(packet_routes(certificate))
    total = len(certificate.packets)
    return [Flow(arcs, count, Fraction(count, total)) for arcs, count in counts.items()]


def packet_routes(run: RunCertificate) -> list[tuple[int, ...]]:
    """The arcs that each packet takes, sorted."""
    routes: list[set[int]] = [set() for _ in run.packets]
    for arc, packet, _, _ in run.transfers:
        routes[packet].add(arc)
    return [tuple(sorted(route)) for route in routes]
