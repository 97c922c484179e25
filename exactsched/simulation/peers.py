"""A decentralized broadcast: random useful packets on the arcs of an overlay.

The decentralized algorithm of Massoulié, Twigg, Gkantsidis and Rodriguez (2007) for networks whose
arcs have rates, on overlays, as section VI of Beaumont, Eyraud-Dubois and Agrawal (2010) proposes.
The model, and what is measured: proofs/overlay-decentralized.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heappop, heappush
from random import Random

from exactsched.certificate.overlay import Overlay
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.exact.rational import exact, readable, text
from exactsched.simulation.limits import MAX_TRANSFERS
from exactsched.simulation.wording import percent, shown

# (start, end, sender, receiver, packet), in ticks.
Transfer = tuple[int, int, int, int, int]

# The state of all nodes is recorded this number of times while packets are injected.
MOMENTS = 10


@readable
@dataclass(frozen=True)
class PeersReport:
    """What came of a decentralized broadcast: who had how much when, in exact numbers.

    `rate` packets per time unit appear at the source, `packets` in all; the overlay can carry
    `throughput` packets per time unit.  Times are *ticks* of 1 / throughput.  A row (tick,
    received) of `history` says how many packets each node had at that time; the rows are evenly
    spread from the first packet of the source to its last.  `finished` is when each node had all.
    """

    throughput: Fraction
    rate: Fraction
    packets: int
    seed: int
    history: tuple[tuple[int, tuple[int, ...]], ...] = field(repr=False)
    finished: tuple[int, ...] = field(repr=False)

    @property
    def rates(self) -> tuple[Fraction, ...]:
        """Packets per time unit that each node received in the second half of the injection."""
        (start, before), (end, after) = self.history[len(self.history) // 2], self.history[-1]
        time = Fraction(end - start) / self.throughput
        return tuple([Fraction(b - a) / time for a, b in zip(before, after, strict=True)])

    @property
    def backlogs(self) -> tuple[int, ...]:
        """The most that a node is behind the source, in packets, at the ticks of `history`."""
        return tuple([received[0] - min(received) for _, received in self.history])

    @property
    def makespan(self) -> Fraction:
        """When everybody had everything."""
        return max(self.finished) / Fraction(self.throughput)

    def __str__(self) -> str:
        share = Fraction(self.rate) / self.throughput
        slowest = min(self.rates) / self.rate
        return (
            f"{self.packets} packets at rate {shown(Fraction(self.rate))}, {percent(share)} of the "
            f"throughput; all nodes received at {percent(slowest)} of that rate or more, were "
            f"{self.backlogs[-1]} packets behind at most when the last was injected, and had "
            f"everything at {shown(self.makespan)}"
        )


def decentralized(
    overlay: Overlay, packets: int, *, seed: int = 0, rate: object = None
) -> PeersReport:
    """Broadcasts packets on an overlay without its plan: each arc carries random useful packets.

    A packet appears at the source every 1 / `rate` time units, by default at the throughput of the
    overlay.  On each arc, at its rate, one packet at a time is sent, drawn at random from those
    that its sender has and its receiver neither has nor is being sent; an arc without such a
    packet waits.  Only the support of the overlay and its rates matter, its pieces do not.

    The draws are those of `random.Random(seed)`, and all times are exact: a report depends on
    nothing else.  Raises `InvalidInput` unless there are at least MOMENTS packets, n times their
    number is at most MAX_TRANSFERS, the seed is an integer and the rate an exact number > 0;
    `Rejected` for an overlay that sends nothing, or in which a node does not receive what amounts
    to one message or is not reached from the source.  Takes O(n packets (d + log m)) steps for m
    arcs and d arcs at a node.

    >>> from exactsched.model.machine import MultiPort
    >>> from exactsched.overlay.augmented import augmented_overlay
    >>> report = decentralized(augmented_overlay(MultiPort([2, 1, 1], [2, 1, 1])), 1000, rate="9/5")
    >>> min(report.rates) > Fraction(17, 10), max(report.backlogs) < 20
    (True, True)
    """
    _refuse_other_numbers(overlay, packets, seed)
    wanted = Fraction(overlay.throughput) if rate is None else exact(rate, "rate")
    if wanted <= 0:
        raise InvalidInput("rate", text(wanted), "packets are injected at a positive rate")
    pace = wanted / overlay.throughput
    last = _appears(packets - 1, pace)
    moments = [last * index // MOMENTS for index in range(MOMENTS + 1)]
    received = [0] * overlay.machine.size
    finished = [last] * overlay.machine.size
    history: list[tuple[int, tuple[int, ...]]] = []

    def note_until(tick: int) -> None:
        while len(history) < len(moments) and moments[len(history)] < tick:
            moment = moments[len(history)]
            received[0] = min(packets, int(moment * pace) + 1)
            history.append((moment, tuple(received)))

    for _, end, _, receiver, _ in transfers(overlay, packets, seed, pace):
        note_until(end)
        received[receiver] += 1
        finished[receiver] = end
    note_until(last + 1)
    return PeersReport(
        throughput=overlay.throughput,
        rate=wanted,
        packets=packets,
        seed=seed,
        history=tuple(history),
        finished=tuple(finished),
    )


def transfers(overlay: Overlay, packets: int, seed: int, pace: Fraction) -> Iterator[Transfer]:
    """What is sent, (start, end, sender, receiver, packet), in the order of ends.

    `pace` packets appear at the source per tick.  An arc that carries the share s of the message
    needs 1 / s ticks for a packet; what is done is seen at the next whole tick, and an arc that
    goes on with another packet at once does not lose the difference: the k-th packet since it
    waited last ends ceil(k / s) ticks after it waited.

    >>> from exactsched.model.machine import MultiPort
    >>> from exactsched.overlay.sequential import acyclic_overlay
    >>> chain = acyclic_overlay(MultiPort([1, 1, 0], [1, 1, 0]))
    >>> list(transfers(chain, 2, 0, Fraction(1)))
    [(0, 1, 0, 1, 0), (1, 2, 0, 1, 1), (1, 2, 1, 2, 0), (2, 3, 1, 2, 1)]
    """
    shares = [sum(stop - start for start, stop in pieces) for _, _, pieces in overlay.arcs]
    links = _Links(overlay, shares, seed)
    injected = 0
    now = 0
    while injected < packets or links.under_way:
        arrived: list[tuple[int, int]] = []
        while injected < packets and _appears(injected, pace) <= now:
            arrived.append((0, injected))
            injected += 1
        ended = links.ended(now)
        yield from ended
        arrived += [(receiver, packet) for _, _, _, receiver, packet in ended]
        links.offer(arrived)
        links.send(now)
        coming = [links.under_way[0][0]] if links.under_way else []
        if injected < packets:
            coming.append(_appears(injected, pace))
        now = min(coming, default=now)


class _Links:
    """The arcs of an overlay, by numbers: what each could send, and what is on its way."""

    def __init__(self, overlay: Overlay, shares: Sequence[int], seed: int) -> None:
        size = overlay.machine.size
        self._shares, self._parts, self._draw = shares, overlay.parts, Random(seed)
        self._ends = [(sender, receiver) for sender, receiver, _ in overlay.arcs]
        self._leaving, self._entering = _by_node(self._ends, size)
        _refuse_unless_one_message_reaches_everybody(overlay, shares, self._leaving)
        self._useful = [_Drawn() for _ in self._ends]
        # Packets that a node has or is being sent.
        self._claimed: list[set[int]] = [set() for _ in range(size)]
        self._began, self._done = [0] * len(shares), [0] * len(shares)
        self._waiting = [True] * len(shares)
        self._ready: set[int] = set()  # links that may send at once
        self.under_way: list[tuple[int, int, int, int]] = []  # heap of (end, link, start, packet)

    def ended(self, now: int) -> list[Transfer]:
        """The transfers that end now; their links are ready."""
        found: list[Transfer] = []
        while self.under_way and self.under_way[0][0] == now:
            end, link, start, packet = heappop(self.under_way)
            sender, receiver = self._ends[link]
            found.append((start, end, sender, receiver, packet))
            self._ready.add(link)
        return found

    def offer(self, arrived: Iterable[tuple[int, int]]) -> None:
        """Nodes have packets from now on; the idle links that can send one are ready."""
        ends, claimed, useful, waiting = self._ends, self._claimed, self._useful, self._waiting
        for node, packet in arrived:
            for link in self._leaving[node]:
                if packet not in claimed[ends[link][1]]:
                    useful[link].add(packet)
                    if waiting[link]:
                        self._ready.add(link)

    def send(self, now: int) -> None:
        """A link that is ready sends a useful packet, or waits for one."""
        useful, began, done = self._useful, self._began, self._done
        for link in sorted(self._ready):
            if not useful[link]:
                self._waiting[link] = True
                continue
            packet = self._drawn(link)
            if self._waiting[link]:
                self._waiting[link], began[link], done[link] = False, now, 0
            done[link] += 1
            end = began[link] - (-done[link] * self._parts // self._shares[link])
            heappush(self.under_way, (end, link, now, packet))
        self._ready.clear()

    def _drawn(self, link: int) -> int:
        """A random packet, which no other link sends to the same node from now on."""
        packet = self._useful[link].drawn(self._draw)
        receiver = self._ends[link][1]
        self._claimed[receiver].add(packet)
        for other in self._entering[receiver]:
            self._useful[other].discard(packet)
        return packet


class _Drawn:
    """A set of packets from which one is drawn at random in constant time."""

    __slots__ = ("_listed", "_place")

    def __init__(self) -> None:
        self._listed: list[int] = []
        self._place: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._listed)

    def add(self, packet: int) -> None:
        self._place[packet] = len(self._listed)
        self._listed.append(packet)

    def discard(self, packet: int) -> None:
        place = self._place.pop(packet, None)
        if place is not None:
            last = self._listed.pop()
            if last != packet:
                self._listed[place] = last
                self._place[last] = place

    def drawn(self, draw: Random) -> int:
        return self._listed[draw.randrange(len(self._listed))]


def _appears(packet: int, pace: Fraction) -> int:
    """The tick at which a packet is at the source."""
    return -(-packet * pace.denominator // pace.numerator)


def _by_node(
    links: Iterable[tuple[int, int]], size: int
) -> tuple[list[list[int]], list[list[int]]]:
    leaving: list[list[int]] = [[] for _ in range(size)]
    entering: list[list[int]] = [[] for _ in range(size)]
    for index, (sender, receiver) in enumerate(links):
        leaving[sender].append(index)
        entering[receiver].append(index)
    return leaving, entering


def _refuse_other_numbers(overlay: Overlay, packets: object, seed: object) -> None:
    if type(packets) is not int or packets < MOMENTS:
        raise InvalidInput("packets", packets, f"a whole number of packets, at least {MOMENTS}")
    if packets * (overlay.machine.size - 1) > MAX_TRANSFERS:
        rule = f"at most {MAX_TRANSFERS} transfers are played; ask for fewer packets"
        raise InvalidInput("packets", packets, rule)
    if type(seed) is not int:
        raise InvalidInput("seed", seed, "a seed is an integer")
    if overlay.throughput <= 0:
        raise Rejected("throughput", text(overlay.throughput), "nothing is sent at this rate")


def _refuse_unless_one_message_reaches_everybody(
    overlay: Overlay, shares: Sequence[int], leaving: Sequence[Sequence[int]]
) -> None:
    """Everybody is reached, and receives one message as a whole: so a run comes to its end."""
    received = [0] * overlay.machine.size
    for (sender, receiver, _), share in zip(overlay.arcs, shares, strict=True):
        if share <= 0:
            raise Rejected(f"arc ({sender}, {receiver})", share, "an arc carries a part")
        received[receiver] += share
    for node, parts in enumerate(received[1:], 1):
        if parts != overlay.parts:
            raise Rejected(f"received by node {node}", parts, f"it receives {overlay.parts} parts")
    reached, queue = {0}, [0]
    for node in queue:  # grows while it is read
        for link in leaving[node]:
            receiver = overlay.arcs[link][1]
            if receiver not in reached:
                reached.add(receiver)
                queue.append(receiver)
    if len(reached) < overlay.machine.size:
        lost = min(set(range(overlay.machine.size)) - reached)
        raise Rejected("arcs", lost, "no way leads from the source to this node")
