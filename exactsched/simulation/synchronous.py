"""A simulator of runs in synchronous rounds: nodes forward texts, ports are free or busy.

Written from the page (`proofs/rounds-certificates.md`) and the record alone: it shares no code with
the solvers, and none with the checker, which compares numbers of steps where this looks at what
every node has and every port does.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heappop, heappush
from itertools import accumulate

from exactsched.certificate import parse
from exactsched.certificate.given import record_or_document
from exactsched.certificate.result import Result
from exactsched.certificate.synchronous import SynchronousRun
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.exact.rational import readable
from exactsched.simulation.wording import percent

MAX_TRANSFERS = 5_000_000
"""No more transfers than this are played: a quarter of a minute."""

_LISTED = 10


@readable
@dataclass(frozen=True)
class RoundsReport:
    """What happened in a run in steps, in exact numbers.

    Times are numbers of steps.  The run takes `steps` and has `transfers` transfers; `informed` is
    when every node has a packet (T_I), `first_packet` when some packet has reached every node, and
    `first_complete` when a node has everything that had not everything from the start, None if
    there is no such node (T_F is what is left then).  `completion` says when each node had
    everything.

    `busy` is for each port the part of the steps in which it worked.  A transfer keeps two ports
    at work; `mean_active` of them work in a step on average, and `most_active` at most.
    """

    size: int
    ports: str
    packets: int
    steps: int
    transfers: int
    events: int
    informed: int
    first_packet: int
    first_complete: int | None
    completion: tuple[int, ...] = field(repr=False)
    mean_active: Fraction
    most_active: int
    busy: Mapping[str, Fraction] = field(hash=False, repr=False)

    @property
    def utilization(self) -> Fraction:
        """The part of the steps in which a port works, on average over all ports."""
        return self.mean_active / len(self.busy)

    def __str__(self) -> str:
        done = "-" if self.first_complete is None else str(self.first_complete)
        mean = f"{percent(self.utilization)} of {len(self.busy)} ports"
        lines = [
            ("simulated", f"{self.size} nodes, {self.ports}, {self.events} events"),
            ("packets", f"{self.packets} of {self.packets} everywhere"),
            ("steps", str(self.steps)),
            ("transfers", f"{self.transfers}, each of them needed"),
            ("informed", f"every node has a packet after {self.informed}"),
            ("first packet", f"everywhere after {self.first_packet}"),
            ("first node", f"with everything, that had not at first, after {done}"),
            ("active ports", f"{mean} on average, {self.most_active} at most"),
        ]
        table = [f"{name:<12}  {value}" for name, value in lines]
        least = sorted(self.busy.items(), key=lambda item: item[1])
        table.append(f"{'port':<12}  busy, the least first")
        table += [f"  {name:<10}  {percent(part)}" for name, part in least[:_LISTED]]
        if len(least) > _LISTED:
            table.append(f"  ... and {len(least) - _LISTED} more")
        return "\n".join(table)


def simulate_rounds(certificate: object) -> RoundsReport:
    """Plays a run in steps event by event and reports what happened.

    `certificate` is a `SynchronousRun`, a document or a path.  Every packet is a text of its own;
    a transfer takes along what its sender has when it starts, and the receiver has it when it ends.
    What ends at a time comes before what starts then.

    At every event it is checked that the ports are free, that the sender has the packet and
    the receiver has not; in the end that every node has every packet, with the text that it
    had at its origin, after as many steps as are stated.  Raises `Rejected` with step, value
    and rule, `Malformed` for a document that is no certificate, `InvalidInput` for other
    certificates and beyond MAX_TRANSFERS.  The bound is not examined: that is `check`'s.
    O(m log m) for m transfers.

    Reference: proofs/rounds-certificates.md.

    >>> two_ways = ((0, 1, 1), (1, 2, 1), (1, 0, 1), (2, 1, 1))
    >>> sends = ((0, 0),), ((1, 0),), ((0, 1),), ((1, 1),)
    >>> run = SynchronousRun(3, two_ways, "half-duplex", ((0, 2),), sends, 4, 4, (), True, ())
    >>> report = simulate_rounds(run)
    >>> report.informed, report.first_complete, report.completion, report.busy["port:1"]
    (2, 3, (0, 3, 4), Fraction(1, 1))
    """
    given = record_or_document(certificate)
    stated = given if isinstance(given, Result) else parse(given)
    if not isinstance(stated, SynchronousRun):
        raise InvalidInput("kind", type(stated).__name__, "runs in steps are played here")
    transfers = sum(map(len, stated.sends))
    if transfers > MAX_TRANSFERS:
        raise InvalidInput("sends", transfers, f"at most {MAX_TRANSFERS} transfers are played")
    return _Graph(stated).play()


class _Packets:
    """Whose each packet is at first, and its text: made when needed, since N may be 10^18."""

    def __init__(self, origins: tuple[tuple[int, int], ...]) -> None:
        self._nodes = [node for node, _ in origins]
        self._ends = list(accumulate(number for _, number in origins))
        self.total = self._ends[-1]

    def origin(self, packet: int) -> int:
        return self._nodes[bisect_right(self._ends, packet)]

    def text(self, packet: int) -> str:
        return f"packet {packet} of node {self.origin(packet)}"

    def owned(self, node: int) -> int:
        """How many are at this node at first."""
        starts = [0, *self._ends]
        rows = zip(self._nodes, starts, self._ends, strict=False)
        return sum(end - start for owner, start, end in rows if owner == node)

    def first_missing(self, node: int, received: Mapping[int, str]) -> int:
        """Of the packets that a node neither received nor had at first; there is one."""
        packet = 0
        while True:
            if self.origin(packet) == node:
                packet = self._ends[bisect_right(self._ends, packet)]
            elif packet in received:
                packet += 1
            else:
                return packet


class _Graph:
    """The nodes with what they have received, and the ports with what they do."""

    def __init__(self, stated: SynchronousRun) -> None:
        self.stated = stated
        self.packets = _Packets(stated.origins)
        self.received: list[dict[int, str]] = [{} for _ in range(stated.size)]
        one_way = stated.ports == "one-port"
        names = ("send", "recv") if one_way else ("port", "port")
        self.sender, self.receiver = (
            [f"{name}:{node}" for node in range(stated.size)] for name in names
        )
        # What each port does, if it does something: who sends to whom.
        self.doing: dict[str, str] = {}
        self.work = dict.fromkeys((*self.sender, *self.receiver), 0)
        self.lacking = [self.packets.total] * stated.size
        for node in {node for node, _ in stated.origins}:
            self.lacking[node] -= self.packets.owned(node)
        self.copies: dict[int, int] = {}
        self.completion = [0] * stated.size
        self.informed = self.most = 0
        self.first_packet: int | None = None
        self.first_complete: int | None = None

    def play(self) -> RoundsReport:
        # What is under way: its end, a number that keeps the order, sender, receiver, packet, text.
        under_way: list[tuple[int, int, int, int, int, str]] = []
        begun = time = 0
        for step, row in enumerate(self.stated.sends):
            while under_way and under_way[0][0] <= step:
                time = self._arrive(heappop(under_way))
            for arc, packet in row:
                tail, head, duration = self.stated.arcs[arc]
                text = self._start(step, arc, packet)
                heappush(under_way, (step + duration, begun, tail, head, packet, text))
                begun += 1
            self.most = max(self.most, len(under_way))
        while under_way:
            time = self._arrive(heappop(under_way))
        self._refuse_unfinished()
        if self.stated.steps != time:
            rule = f"the last transfer ends after {time} steps"
            raise Rejected("steps", self.stated.steps, rule)
        return self._report(time, begun)

    def _start(self, step: int, arc: int, packet: int) -> str:
        """Both ports are at work from now on; returns what is sent."""
        tail, head, duration = self.stated.arcs[arc]
        place, what = f"step {step}, arc {arc}", f"node {tail} to node {head}"
        for port in (self.sender[tail], self.receiver[head]):
            if port in self.doing:
                raise Rejected(place, packet, f"{port} is at work, from {self.doing[port]}")
            self.work[port] += duration
        if self._has(head, packet):
            raise Rejected(place, packet, f"a useless transfer: node {head} has this packet")
        if not self._has(tail, packet):
            raise Rejected(place, packet, f"node {tail} does not have this packet")
        self.doing[self.sender[tail]] = self.doing[self.receiver[head]] = what
        return self.received[tail].get(packet) or self.packets.text(packet)

    def _has(self, node: int, packet: int) -> bool:
        return packet in self.received[node] or self.packets.origin(packet) == node

    def _arrive(self, transfer: tuple[int, int, int, int, int, str]) -> int:
        """The packet is there, and both ports are free; returns the time."""
        time, _, tail, head, packet, text = transfer
        del self.doing[self.sender[tail]]
        # In half-duplex the receiver's port is another node's port, never the one just freed.
        del self.doing[self.receiver[head]]
        received = self.received[head]
        if not received and self.lacking[head] == self.packets.total:
            self.informed = time
        received[packet] = text
        self.lacking[head] -= 1
        if not self.lacking[head]:
            self.completion[head] = time
            if self.first_complete is None:
                self.first_complete = time
        self.copies[packet] = self.copies.get(packet, 1) + 1
        if self.copies[packet] == self.stated.size and self.first_packet is None:
            self.first_packet = time
        return time

    def _refuse_unfinished(self) -> None:
        for node, received in enumerate(self.received):
            if self.lacking[node]:
                missing = self.packets.first_missing(node, received)
                raise Rejected(f"node {node}", missing, "this packet never arrives there")
            for packet, text in received.items():
                if text != self.packets.text(packet):
                    raise Rejected(f"node {node}", packet, f"it has another text: {text}")

    def _report(self, time: int, transfers: int) -> RoundsReport:
        active = sum(self.work.values())
        return RoundsReport(
            size=self.stated.size,
            ports=self.stated.ports,
            packets=self.packets.total,
            steps=time,
            transfers=transfers,
            events=2 * transfers,
            informed=self.informed,
            first_packet=self.first_packet or 0,
            first_complete=self.first_complete,
            completion=tuple(self.completion),
            mean_active=Fraction(active, max(time, 1)),
            most_active=2 * self.most,
            busy={port: Fraction(work, max(time, 1)) for port, work in self.work.items()},
        )
