"""Event by event: what a certificate's schedule really does with a given number of messages.

Written from the format page (`proofs/certificate-format.md`, "How it is executed") and the nouns
alone: it shares no code with the solvers, and none with the checker, which reasons about
intervals where this plays time forwards and looks at the state of every port.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from itertools import accumulate
from math import lcm

from exactsched.certificate import (
    BroadcastCertificate,
    PeriodicSchedule,
    RunCertificate,
    SeriesCertificate,
    arc_resources,
    parse_schedule,
    read_certificate,
)
from exactsched.errors import InvalidInput, Rejected
from exactsched.platform import Node
from exactsched.problem import Broadcast
from exactsched.rational import text

# Messages times nodes that are played at most: about half a minute.
MAX_TRANSFERS = 5_000_000
DEFAULT_MESSAGES = 100


@dataclass(frozen=True)
class SimulationReport:
    """What happened in a simulation, in exact numbers.

    Every one of `messages` messages (packets, in a run) reached every node, the last at `makespan`.
    `completion` says when each node but the source had all of them, `busy` for each resource
    the part of the time until `makespan` in which it worked.  `throughput` is the size per time
    unit that the schedule delivers, period by period (a run has no period: its own `rate`),
    `constant` the C of M / throughput + C, the limit that the makespan obeys (a run: None, nothing
    is promised).  No bound of the certificate enters here, because none is examined.
    """

    problem: Broadcast
    kind: str
    messages: int
    volume: Fraction
    makespan: Fraction
    completion: Mapping[Node, Fraction] = field(hash=False)
    busy: Mapping[str, Fraction] = field(hash=False)
    throughput: Fraction
    constant: Fraction | None
    events: int

    @property
    def rate(self) -> Fraction:
        """What was delivered everywhere, by the makespan."""
        return self.volume / self.makespan

    @property
    def limit(self) -> Fraction | None:
        """M / throughput + C, which the makespan does not exceed; None in a run."""
        return None if self.constant is None else self.volume / self.throughput + self.constant

    def __str__(self) -> str:
        asked, ports = self.problem, self.problem.ports
        delivered = f"{self.messages} of {self.messages} everywhere"
        lines = [
            (
                "simulated",
                f"broadcast from {_one_line(asked.source)}, {ports}, {self.events} events",
            ),
            ("messages" if self.kind == "series" else "packets", delivered),
            ("makespan", _shown(self.makespan)),
        ]
        if self.constant is None or self.limit is None:
            lines.append(("rate", _shown(self.rate)))
        else:
            rule = f"messages / throughput + {_shown(self.constant)}"
            part = _percent(self.rate / self.throughput)
            lines += [
                ("at most", f"{_shown(self.limit)} = {rule}"),
                ("rate", f"{_shown(self.rate)} ({part} of the schedule's rate)"),
                ("throughput", _shown(self.throughput)),
            ]
        table = [f"{name:<12} {value}" for name, value in lines]
        last = sorted(self.completion.items(), key=lambda item: -item[1])
        table.append(f"{'node':<12} complete at")
        table += [f"  {_one_line(node):<10} {_shown(end)}" for node, end in last[:_LISTED]]
        if len(last) > _LISTED:
            table.append(f"  ... and {len(last) - _LISTED} nodes before that")
        most = sorted(self.busy.items(), key=lambda item: -item[1])
        table.append(f"{'resource':<12} busy")
        table += [f"  {_one_line(name):<10} {_percent(part)}" for name, part in most[:_LISTED]]
        if len(most) > _LISTED:
            table.append(f"  ... and {len(most) - _LISTED} less busy")
        return "\n".join(table)


_LISTED = 10


def simulate(certificate: object, messages: int | None = None) -> SimulationReport:
    """Plays a schedule event by event and reports what arrived where and when.

    `certificate` is a path, a document or a noun.  For a series, `messages` of them (by default
    DEFAULT_MESSAGES) are sent by the execution rule of the format page, whatever the period: whole
    batches, and of the last one the first messages of every tree in proportion.  For a run, all
    packets are played and `messages` stays None.

    At each event it is checked that a port that starts to work was free, that a node has
    completely received what it sends, that every transfer lasts exactly as long as its arc
    needs, and at the end that everybody has everything.  `Rejected` names the event, the value
    and the rule; `Malformed` a document that is no certificate; `InvalidInput` a wrong
    number of messages, and any number of them where the throughput is 0.  The bound of the
    certificate is not examined: that is `check`'s.

    The cost is O(e log e) for the e pieces of transfers of these messages; the length of the
    period only makes the numbers longer.

    >>> from exactsched import Platform, broadcast
    >>> chain = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    >>> report = simulate(broadcast(chain, "a").certificate(), 10)
    >>> report.makespan, report.limit, report.busy["send:a"]
    (Fraction(11, 1), Fraction(12, 1), Fraction(10, 11))
    """
    stated = _stated(certificate)
    if isinstance(stated, RunCertificate):
        if messages is not None:
            raise InvalidInput("messages", messages, "a run has its own packets; leave this out")
        return _played_run(stated)
    return _played_series(stated, DEFAULT_MESSAGES if messages is None else messages)


def _stated(certificate: object) -> BroadcastCertificate:
    if isinstance(certificate, (SeriesCertificate, RunCertificate)):
        return certificate
    if isinstance(certificate, (str, os.PathLike)):
        return parse_schedule(read_certificate(certificate))
    return parse_schedule(certificate)


# A piece of a transfer: arc, message, start, end.
_Piece = tuple[int, int, int, int]


def _played_run(stated: RunCertificate) -> SimulationReport:
    problem, arcs = stated.problem, stated.problem.platform.arcs
    whole = [arc.latency == 0 for arc in arcs]
    kinds = {size: [arc.latency + size * arc.cost for arc in arcs] for size in set(stated.packets)}
    ticks = {
        size: [_ticks(time, stated.tick) for time in durations] for size, durations in kinds.items()
    }
    stage = _Stage(problem, len(stated.packets), whole, stated.tick)
    stage.play(stated.transfers, lambda arc, packet: ticks[stated.packets[packet]][arc])
    if stated.makespan != stage.time:
        rule = f"the last transfer ends at {_shown(stage.time)}"
        raise Rejected("claim.makespan", text(stated.makespan), rule)
    volume = sum(stated.packets, start=Fraction(0))
    return stage.report("run", volume, volume / stage.time, None)


def _ticks(time: Fraction, tick: Fraction) -> int | None:
    """The time in ticks, None if it is not a whole number of them: no transfer lasts that."""
    count = time / tick
    return count.numerator if count.denominator == 1 else None


def _played_series(stated: SeriesCertificate, messages: int) -> SimulationReport:
    problem, schedule = stated.problem, stated.schedule
    if isinstance(messages, bool) or not isinstance(messages, int) or messages < 1:
        raise InvalidInput("messages", messages, "a whole number of messages, at least 1")
    if messages * (len(problem.platform.nodes) - 1) > MAX_TRANSFERS:
        rule = f"at most {MAX_TRANSFERS} transfers are played; ask for fewer messages"
        raise InvalidInput("messages", messages, rule)
    if schedule is None:
        if stated.throughput:
            raise Rejected("claim.throughput", text(stated.throughput), "there is no schedule")
        rule = "no message ever arrives everywhere: the throughput is 0"
        raise InvalidInput("messages", messages, rule)
    for index, tree in enumerate(schedule.trees):
        _refuse_hanging_arcs(problem, tree.arcs, index)
    line = _Line(problem, schedule)
    stage = _Stage(problem, messages, [True] * len(problem.platform.arcs), line.unit)
    stage.play(list(line.pieces(messages)), lambda arc, _: line.cost[arc])
    rate = sum(tree.messages for tree in schedule.trees) / schedule.period
    constant = max(max(depth.values()) for depth in line.depths) * schedule.period
    report = stage.report("series", Fraction(messages), rate, constant)
    if stated.throughput != rate:
        raise Rejected("claim.throughput", text(stated.throughput), f"it is {_shown(rate)}")
    if report.limit is not None and report.makespan > report.limit:
        rule = "M messages take at most M / throughput + depth * period"
        raise Rejected("makespan", text(report.makespan), rule)
    return report


def _refuse_hanging_arcs(problem: Broadcast, tree: Sequence[int], index: int) -> None:
    reached = _depths(problem, tree)
    if len(tree) != len(problem.platform.nodes) - 1 or len(reached) <= len(tree):
        rule = "a tree leads from the source to every node on exactly one way"
        raise Rejected(f"schedule.trees[{index}].arcs", list(tree), rule)


def _depths(problem: Broadcast, tree: Sequence[int]) -> dict[Node, int]:
    arcs = problem.platform.arcs
    below: dict[Node, list[Node]] = {}
    for index in tree:
        below.setdefault(arcs[index].tail, []).append(arcs[index].head)
    depth = {problem.source: 0}
    queue = [problem.source]
    for node in queue:  # grows while it is read
        for head in below.get(node, ()):
            if head not in depth:
                depth[head] = depth[node] + 1
                queue.append(head)
    return depth


class _Line:
    """The slots of every arc strung together: the line of time that its messages fill, in order."""

    def __init__(self, problem: Broadcast, schedule: PeriodicSchedule) -> None:
        self.problem, self.trees = problem, schedule.trees
        arcs = problem.platform.arcs
        used = sorted({arc for tree in schedule.trees for arc in tree.arcs})
        measured = [arcs[arc].cost / schedule.tick for arc in used]
        measured.append(schedule.period / schedule.tick)
        fine = lcm(*(value.denominator for value in measured))
        self.unit = schedule.tick / fine
        self.period = int(schedule.period / self.unit)
        self.cost = {arc: int(arcs[arc].cost / self.unit) for arc in used}
        self.depths = [_depths(problem, tree.arcs) for tree in schedule.trees]
        slots: dict[int, list[tuple[int, int]]] = {arc: [] for arc in used}
        for index, (arc, start, end) in enumerate(schedule.slots):
            if not 0 <= start < end or end * fine > self.period or arc not in slots:
                rule = "a slot has a length, lies in the period and belongs to an arc of a tree"
                raise Rejected(f"schedule.slots[{index}]", [arc, start, end], rule)
            slots[arc].append((start * fine, end * fine))
        self.slots = {arc: sorted(given) for arc, given in slots.items()}
        # Where on the line each slot begins, and where the messages of each tree begin.
        self.begins = {
            arc: [0, *accumulate(end - start for start, end in given)]
            for arc, given in self.slots.items()
        }
        self.first: list[dict[int, int]] = []
        used_up = dict.fromkeys(used, 0)
        for tree in schedule.trees:
            self.first.append({arc: used_up[arc] for arc in tree.arcs})
            for arc in tree.arcs:
                used_up[arc] += tree.messages * self.cost[arc]

    def pieces(self, messages: int) -> Iterator[_Piece]:
        """All pieces of the transfers of the first `messages` messages."""
        arcs = self.problem.platform.arcs
        for message, (tree, batch, place) in enumerate(self._stream(messages)):
            for arc in self.trees[tree].arcs:
                period = (batch + self.depths[tree][arcs[arc].head] - 1) * self.period
                position = self.first[tree][arc] + place * self.cost[arc]
                for start, end in self._cut(arc, position, position + self.cost[arc]):
                    yield arc, message, period + start, period + end

    def _stream(self, messages: int) -> Iterator[tuple[int, int, int]]:
        """(tree, batch, place in it) for each message: whole batches, and a part of one."""
        counts = [tree.messages for tree in self.trees]
        whole = sum(counts)
        for batch in range(-(-messages // whole)):
            left = min(whole, messages - batch * whole)
            # Partial sums rounded down: in proportion, and together exactly what is left.
            sums = [left * total // whole for total in accumulate(counts)]
            for tree, (before, until) in enumerate(zip([0, *sums], sums, strict=False)):
                for place in range(until - before):
                    yield tree, batch, place

    def _cut(self, arc: int, position: int, until: int) -> Iterator[tuple[int, int]]:
        """The moments of the period that lie from `position` to `until` on the line of an arc."""
        begins, slots = self.begins[arc], self.slots[arc]
        index = bisect_right(begins, position) - 1
        while position < until:
            if index >= len(slots):
                place = (
                    f"schedule.slots on arc {arc} ({_one_line(self.problem.platform.arcs[arc])})"
                )
                raise Rejected(place, until * self.unit, "the slots are shorter than the messages")
            stop = min(until, begins[index + 1])
            start = slots[index][0] + position - begins[index]
            yield start, start + stop - position
            position = stop
            index += 1


class _Stage:
    """The state of the machine while time passes: who works on what, who has what."""

    def __init__(
        self, problem: Broadcast, messages: int, splittable: Sequence[bool], unit: Fraction
    ) -> None:
        self.problem, self.messages = problem, messages
        self.splittable, self.unit = splittable, unit
        self.arcs = problem.platform.arcs
        self.uses = arc_resources(problem)
        self.working: dict[str, tuple[int, int]] = {}
        self.busy: dict[str, int] = {name: 0 for names in self.uses for name in names}
        self.sent: dict[tuple[int, int], int] = {}
        self.has: dict[Node, set[int]] = {node: set() for node in problem.platform.nodes}
        self.has[problem.source] = set(range(messages))
        self.complete: dict[Node, int] = {}
        self.events = 0
        self.now = 0

    @property
    def time(self) -> Fraction:
        return self.now * self.unit

    def play(self, pieces: Sequence[_Piece], lasts: Callable[[int, int], int | None]) -> None:
        """All starts and ends in order of time, at each moment the ends first.

        `lasts` is the duration of a message on an arc, None if no number of ticks is right.
        """
        for index, (arc, message, start, end) in enumerate(pieces):
            if not 0 <= start < end:
                raise Rejected(
                    f"transfer {index}", [arc, message, start, end], "ends after it starts"
                )
        moments = [(end, 0, index) for index, (_, _, _, end) in enumerate(pieces)]
        moments += [(start, 1, index) for index, (_, _, start, _) in enumerate(pieces)]
        moments.sort()
        self.events = len(moments)
        for self.now, starts, index in moments:
            arc, message, start, end = pieces[index]
            if starts:
                self._start(arc, message)
            else:
                self._end(arc, message, end - start, lasts(arc, message))
        for (arc, message), done in self.sent.items():
            if done != lasts(arc, message):
                self._refuse(arc, message, done, "a transfer lasts exactly as long as it takes")
        for node, received in self.has.items():
            if len(received) < self.messages:
                missing = next(m for m in range(self.messages) if m not in received)
                rule = "never receives this message"
                raise Rejected(f"node {_one_line(node)}", missing, rule)

    def _start(self, arc: int, message: int) -> None:
        for name in self.uses[arc]:
            if name in self.working:
                other = self.working[name]
                self._refuse(arc, message, [name, *other], "a port does one thing at a time")
            self.working[name] = (arc, message)
        if message not in self.has[self.arcs[arc].tail]:
            tail = self.arcs[arc].tail
            self._refuse(arc, message, tail, "a node sends what it has completely received")
        if (arc, message) in self.sent and not self.splittable[arc]:
            self._refuse(arc, message, message, "a start-up is not interrupted")

    def _end(self, arc: int, message: int, lasted: int, needed: int | None) -> None:
        for name in self.uses[arc]:
            del self.working[name]
            self.busy[name] += lasted
        done = self.sent[arc, message] = self.sent.get((arc, message), 0) + lasted
        head = self.arcs[arc].head
        if done == needed and message not in self.has[head]:
            self.has[head].add(message)
            self.complete[head] = self.now

    def _refuse(self, arc: int, message: int, value: object, rule: str) -> None:
        where = _one_line(self.arcs[arc])
        raise Rejected(f"event at {_shown(self.time)}, message {message} on {where}", value, rule)

    def report(
        self, kind: str, volume: Fraction, throughput: Fraction, constant: Fraction | None
    ) -> SimulationReport:
        return SimulationReport(
            problem=self.problem,
            kind=kind,
            messages=self.messages,
            volume=volume,
            makespan=self.time,
            completion={node: end * self.unit for node, end in self.complete.items()},
            busy={name: Fraction(time, self.now) for name, time in self.busy.items()},
            throughput=throughput,
            constant=constant,
            events=self.events,
        )


def _shown(number: Fraction) -> str:
    """A rational as a reader wants it: exact if short, else five digits after a tilde.

    >>> _shown(Fraction(22, 7)), _shown(Fraction(10**30, 7)), _shown(Fraction(1, 3 * 10**40))
    ('22/7', '~1.4286e+29', '~3.3333e-41')
    """
    exactly = text(number)
    if len(exactly) <= 20:
        return exactly
    quotient = _FIVE_DIGITS.divide(Decimal(number.numerator), Decimal(number.denominator))
    return f"~{quotient}".lower()


_FIVE_DIGITS = Context(prec=5, Emax=MAX_EMAX, Emin=MIN_EMIN)


def _one_line(name: object) -> str:
    """A name without line breaks and control characters: they are escaped.

    >>> _one_line("a\\nb"), _one_line(7)
    ('a\\\\nb', '7')
    """
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(name))


def _percent(part: Fraction) -> str:
    """A ratio in percent, rounded to tenths.

    >>> _percent(Fraction(2, 3))
    '66.7%'
    """
    tenths = round(part * 1000)
    return f"{tenths // 10}.{tenths % 10}%"
