"""A run in rounds as numbers over time: transfers under way, packets that are lacking, and limits.

Nothing is checked.  Everything takes near-linear time in the list of transfers, however long a
transfer takes and however many packets are claimed: both are short numbers in a certificate.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from heapq import heappop, heappush
from itertools import accumulate
from math import comb

from exactsched.certificate.synchronous import Send, SynchronousRun
from exactsched.drawing.lettering import printable

# A number that holds from a time on: (time, number).
Course = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Moment:
    """A step: how many packets every node has at its start, and the transfers under way in it.

    `transfers` are (arc, packet, copies, earlier): `copies` nodes have the packet at the start of
    the step, and the transfer did or did not begin in an earlier step.
    """

    step: int
    have: tuple[int, ...]
    transfers: tuple[tuple[int, int, int, bool], ...]


@dataclass(frozen=True, slots=True)
class Lack:
    """After this many steps: the fewest, the mean and the most packets that a node lacks."""

    time: int
    fewest: int
    mean: Fraction
    most: int


class RoundTraffic:
    """What can be said of a run without any solver.

    `end` is when the last transfer ends, `work` the sum of the durations of all transfers, `own`
    what the nodes have from the start, and `ceiling` the most transfers that fit into a step:
    floor(P / 2) of P nodes in half-duplex, one for each node that lacks something in one-port.
    """

    def __init__(self, run: SynchronousRun) -> None:
        self.run = run
        self.durations = [duration for _, _, duration in run.arcs]
        self.unit = all(duration == 1 for duration in self.durations)
        self.packets = sum(number for _, number in run.origins)
        self.own = [0] * run.size
        for node, number in run.origins:
            self.own[node] += number
        self.origins = [node for node, number in enumerate(self.own) if number]
        self.receivers = [node for node in range(run.size) if self.own[node] < self.packets]
        half = run.ports == "half-duplex"
        self.ceiling = run.size // 2 if half else len(self.receivers)
        self.transfers = sum(map(len, run.sends))
        used: Counter[int] = Counter()
        for row in run.sends:
            used.update(arc for arc, _ in row)
        self.work = sum(self.durations[arc] * number for arc, number in used.items())
        self.course = self._course()
        self.end = self.course[-1][0]

    def name(self, node: int) -> str:
        names = self.run.names
        return printable(names[node]) if names else str(node)

    def called(self, node: int) -> str:
        """The name in a sentence: 7 alone could be anything."""
        return f"node {self.name(node)}"

    def mean(self) -> Fraction:
        """Transfers under way in a step, on average."""
        return Fraction(self.work, self.end) if self.end else Fraction(0)

    def _course(self) -> Course:
        changes: dict[int, int] = {0: 0}
        for start, row in enumerate(self.run.sends):
            changes[start] = changes.get(start, 0) + len(row)
            if self.unit:
                changes[start + 1] = changes.get(start + 1, 0) - len(row)
            else:
                for arc, _ in row:
                    end = start + self.durations[arc]
                    changes[end] = changes.get(end, 0) - 1
        # Empty rows after the last transfer are no part of the run.
        times = sorted(time for time, change in changes.items() if change or not time)
        return list(zip(times, accumulate(changes[time] for time in times), strict=True))

    def under_way(self, step: int) -> int:
        """How many transfers are under way in a step; O(log) of the number of changes."""
        return self.course[bisect_right(self.course, step, key=lambda pair: pair[0]) - 1][1]

    def arrivals(self) -> Iterator[tuple[int, Sequence[Send]]]:
        """For every time at which something arrives: the time, and what arrives."""
        if self.unit:
            for start, row in enumerate(self.run.sends):
                if row:
                    yield start + 1, row
            return
        arriving: dict[int, list[Send]] = {}
        times: list[int] = []
        for start, row in enumerate(self.run.sends):
            while times and times[0] <= start:
                time = heappop(times)
                yield time, arriving.pop(time)
            for arc, packet in row:
                end = start + self.durations[arc]
                if end not in arriving:
                    arriving[end] = []
                    heappush(times, end)
                arriving[end].append(Send(arc, packet))
        while times:
            time = heappop(times)
            yield time, arriving.pop(time)

    def lacks(self, samples: int) -> list[Lack]:
        """What nodes lack, of those that lack something: at most at `samples` times, and at first.

        Each sample is exact: what has arrived by then and nothing else.
        """
        lack = [self.packets - own for own in self.own]
        levels = Counter(lack[node] for node in self.receivers)
        if not levels:
            return []
        fewest, most, total = min(levels), max(levels), sum(k * n for k, n in levels.items())
        receivers = len(self.receivers)
        found = [Lack(0, fewest, Fraction(total, receivers), most)]
        spacing = -(-self.end // samples) or 1
        last = 0
        for time, arrived in self.arrivals():
            # The samples since the arrivals before these are alike: the first and the last.
            for due in (-(-last // spacing) * spacing, (time - 1) // spacing * spacing):
                if found[-1].time < due < time:
                    found.append(Lack(due, fewest, Fraction(total, receivers), most))
            last = time
            for arc, _ in arrived:
                head = self.run.arcs[arc][1]
                before = lack[head]
                lack[head] = before - 1
                levels[before] -= 1
                levels[before - 1] += 1
                total -= 1
                fewest = min(fewest, before - 1)
                if before == most and not levels[before]:
                    most -= 1
        found.append(Lack(self.end, fewest, Fraction(total, receivers), most))
        return found

    def moments(self, steps: Sequence[int]) -> list[Moment]:
        """The given steps, which are in ascending order."""
        wanted = set(steps)
        under_way: dict[int, list[tuple[int, int, bool]]] = {step: [] for step in steps}
        for start, row in enumerate(self.run.sends):
            if self.unit and start not in wanted:
                continue
            for arc, packet in row:
                end = start + self.durations[arc]
                if start in wanted:
                    under_way[start].append((arc, packet, False))
                if not self.unit:
                    for step in steps:
                        if start < step < end:
                            under_way[step].append((arc, packet, True))
        have = self.own.copy()
        copies: Counter[int] = Counter()
        found: list[Moment] = []

        def capture(before: float) -> None:
            while len(found) < len(steps) and steps[len(found)] < before:
                step = steps[len(found)]
                rows = under_way[step]
                transfers = [(arc, p, 1 + copies[p], earlier) for arc, p, earlier in rows]
                found.append(Moment(step, tuple(have), tuple(transfers)))

        for time, arrived in self.arrivals():
            capture(time)
            for arc, _ in arrived:
                have[self.run.arcs[arc][1]] += 1
            copies.update(packet for _, packet in arrived)
        capture(float("inf"))
        return found

    def stages(self) -> tuple[int, int]:
        """When every node has a packet, and when the first one that lacked something has all."""
        have = self.own.copy()
        without = sum(not own for own in have)
        informed, full = self.end if without else 0, self.end
        for time, arrived in self.arrivals():
            for arc, _ in arrived:
                head = self.run.arcs[arc][1]
                have[head] += 1
                if have[head] == 1:
                    without -= 1
                    if not without:
                        informed = time
                if have[head] == self.packets:
                    full = min(full, time)
        return informed, full

    def capacity(self, distance: int | None = None) -> Course:
        """The most transfers to far nodes that counting allows in the steps from each time on.

        These are the m(j) of `proofs/rounds-certificates.md`, bound 3: from few nodes that have a
        packet only few can be sent.  Far are the nodes at the given distance from the origins, or
        farther; if none is given, all that lack something.  Here walks of either parity may lead
        to all nodes, unless the graph is bipartite, so this may be a little more than there.
        """
        if not self.durations or not self.receivers:
            return [(0, self.ceiling)]
        fastest, delay = min(self.durations), -(-max(self.durations) // min(self.durations))
        last = max(rounds for _, _, rounds in self._gains)
        near, far = [[0] * (last + 1), [0] * (last + 1)], [0] * (last + 1)
        for (apart, side, rounds), number in self._gains.items():
            if distance is None or apart >= distance - 1:
                near[side][rounds] += number
            if distance is None or apart >= distance:
                far[rounds] += number
        sides = [list(accumulate(side)) for side in near]
        receivers = list(accumulate(far))
        # Origins that have everything are no receivers.
        full = self.run.size - len(self.receivers) if distance is None else 0
        half = self.run.ports == "half-duplex"
        course: Course = []
        for now in range(last + 1):
            then = min(now + delay, last)
            most = min(sides[0][now] + sides[1][now], receivers[then] - full, self.ceiling)
            if half:
                one, other = sides[0][then], sides[1][then]
                most = min(most, min(one, other) if self._sides else (one + other) // 2)
            if not course or course[-1][1] != most:
                course.append((now * fastest, most))
        return course

    @cached_property
    def _sides(self) -> list[int]:
        """The side of every node, if the graph without directions is connected and bipartite."""
        near: list[list[int]] = [[] for _ in range(self.run.size)]
        for tail, head, _ in self.run.arcs:
            near[tail].append(head)
            near[head].append(tail)
        sides = [-1] * self.run.size
        sides[0] = 0
        queue = [0]
        for node in queue:  # grows while it is read
            for other in near[node]:
                if sides[other] < 0:
                    sides[other] = 1 - sides[node]
                    queue.append(other)
                elif sides[other] == sides[node]:
                    return []
        return sides if len(queue) == self.run.size else []

    def farthest(self, origin: int) -> int:
        """How many steps away the farthest node is that can be reached (Dijkstra 1959)."""
        leaving: list[list[tuple[int, int]]] = [[] for _ in range(self.run.size)]
        for tail, head, duration in self.run.arcs:
            leaving[tail].append((head, duration))
        settled = [False] * self.run.size
        queue, last = [(0, origin)], 0
        while queue:
            distance, node = heappop(queue)
            if not settled[node]:
                settled[node], last = True, distance
                for head, duration in leaving[node]:
                    heappush(queue, (distance + duration, head))
        return last

    @cached_property
    def distances(self) -> list[int]:
        """From the nearest origin, in arcs; -1 where no way leads."""
        heads: list[list[int]] = [[] for _ in range(self.run.size)]
        for tail, head, _ in self.run.arcs:
            heads[tail].append(head)
        distance = [-1] * self.run.size
        for origin in self.origins:
            distance[origin] = 0
        queue = self.origins.copy()
        for node in queue:  # grows while it is read
            for head in heads[node]:
                if distance[head] < 0:
                    distance[head] = distance[node] + 1
                    queue.append(head)
        return distance

    @cached_property
    def _gains(self) -> Counter[tuple[int, int, int]]:
        """How many more nodes at a distance, on a side, may have a packet after how many rounds."""
        # Only if all packets start on one side do all walks to a node have the same parity.
        sides = self._sides
        parity = 2 if sides and len({sides[node] for node in self.origins}) == 1 else 1
        levels: Counter[tuple[int, int]] = Counter()
        for node, distance in enumerate(self.distances):
            if distance >= 0:
                levels[distance, sides[node] if sides else 0] += 1
        gains: Counter[tuple[int, int, int]] = Counter()
        for (distance, side), size in levels.items():
            rounds, before = distance, 0
            while before < size:
                chains = sum(comb(rounds, k) for k in range(distance, rounds + 1, parity))
                number = min(size, len(self.origins) * chains)
                gains[distance, side, rounds] += number - before
                rounds, before = rounds + 1, number
        return gains
