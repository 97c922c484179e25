"""Frames of a pipelined broadcast: the steady state, cut into packets that fit its slots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from math import isqrt

from exactsched.exact.apportionment import shares
from exactsched.model.problem import Broadcast, Collective
from exactsched.model.tasks import WeightedStructure, levels
from exactsched.runs.list_scheduling import Piece, Ports, in_order
from exactsched.steady_state.schedule import working_times
from exactsched.steady_state.slots import common_measure, place_slots
from exactsched.steady_state.solution import Solution

# Transfers of one schedule: a second of work.  More frames than that bring very little.
MAX_TRANSFERS = 100_000


@dataclass(frozen=True, slots=True)
class Candidate:
    """A schedule of these packets: rows (arc, packet, start, end) in ticks."""

    packets: tuple[Fraction, ...]
    tick: Fraction
    rows: list[Piece]

    @property
    def makespan(self) -> Fraction:
        return self.tick * max(row[3] for row in self.rows)


def frame_patterns(problem: Broadcast, solution: Solution) -> list[Pattern]:
    """Frames of a steady state: its exact weights, and weights rounded to fewer packets.

    Rounding costs throughput and saves packets, hence start-ups: on a 6x6 grid 3,325 transfers in
    a frame become 140.
    """
    weights = [tree.weight for tree in solution.trees]
    rounded = [common_measure(weights)[1]]
    rounded += [shares(weights, total) for total in (1, 4, 16, 64)]
    kept: dict[tuple[tuple[WeightedStructure, int], ...], None] = {}
    for counts in rounded:
        trees = zip(solution.structures, counts, strict=True)
        kept[tuple((tree, count) for tree, count in trees if count)] = None
    return [Pattern(problem, solution.problem, trees) for trees in kept]


class Pattern:
    """One frame: which arc sends which packet of which tree, in order of time.

    The trees with their whole numbers of messages are laid out on `layout`, the same platform
    with costs only, and stretched to the volume of a frame.  A tree is cut where a slot of one of
    its arcs ends in the middle of it (the common refinement), so every slot sends whole packets.
    `parts` are the packets of a frame of volume 1; `rate` is the volume per time unit, `startup`
    the sum over the moments at which packets start of the largest latency that starts there.
    """

    def __init__(
        self,
        problem: Broadcast,
        layout: Collective,
        trees: Sequence[tuple[WeightedStructure, int]],
    ) -> None:
        used = [tree for tree, _ in trees]
        counts = [count for _, count in trees]
        tick, slots = place_slots(layout, working_times(layout, used, counts))
        self.problem = problem
        total = sum(count for _, count in trees)
        share = [Fraction(count, total) for _, count in trees]
        self.rate = total / (tick * max(end for _, _, end in slots))
        # Volume per tick of the layout, and for each arc the volumes at which its trees end ...
        speed = [tick / (arc.cost * total) for arc in layout.platform.arcs]
        line: dict[int, list[tuple[Fraction, int]]] = {}
        for number, tree in enumerate(used):
            for arc in tree.arcs:
                done = line[arc][-1][0] if arc in line else Fraction(0)
                line.setdefault(arc, []).append((done + share[number], number))
        # ... and its stretches: (start, arc, tree, from and to which volume of the tree).
        stretches: list[tuple[Fraction, int, int, Fraction, Fraction]] = []
        sent = dict.fromkeys(line, Fraction(0))
        turn = dict.fromkeys(line, 0)
        cuts: list[set[Fraction]] = [{Fraction(0), part} for part in share]
        for arc, start, end in slots:
            moment, left = Fraction(start), (end - start) * speed[arc]
            while left > 0:
                until, number = line[arc][turn[arc]]
                part = min(left, until - sent[arc])
                before = share[number] - (until - sent[arc])
                stretches.append((moment, arc, number, before, before + part))
                cuts[number] |= {before, before + part}
                moment += part / speed[arc]
                left -= part
                sent[arc] += part
                turn[arc] += sent[arc] == until
        points = [sorted(volumes) for volumes in cuts]
        self.parts = [b - a for volumes in points for a, b in pairwise(volumes)]
        first = [0, *accumulate(len(volumes) - 1 for volumes in points)]
        place = [{volume: index for index, volume in enumerate(volumes)} for volumes in points]
        level = [dict(zip(one.arcs, levels(layout, one.tasks), strict=True)) for one in used]
        self.depth = max(max(numbers.values()) for numbers in level)
        self.sends: list[tuple[int, int, int]] = []  # (arc, packet of the frame, frames behind)
        startups: dict[Fraction, Fraction] = {}
        for moment, arc, number, begin, stop in sorted(stretches):
            late = level[number][arc] - 1
            for index in range(place[number][begin], place[number][stop]):
                self.sends.append((arc, first[number] + index, late))
                now = moment + (points[number][index] - begin) / speed[arc]
                latency = problem.platform.arcs[arc].latency
                startups[now] = max(startups.get(now, Fraction(0)), latency)
        self.startup = sum(startups.values(), start=Fraction(0))
        self.most_frames = max(1, MAX_TRANSFERS // len(self.sends))

    def limit(self, size: Fraction, frames: int) -> Fraction:
        """A time by which this many frames are done (theorem 8 of the page)."""
        stages = frames + self.depth - 1
        return stages * (size / (frames * self.rate) + self.startup)

    def least_limit(self, size: Fraction) -> Fraction:
        return self.limit(size, self.best_frames(size))

    def best_frames(self, size: Fraction) -> int:
        """The number of frames with the least limit, among those that are not too many."""
        fill = (self.depth - 1) * size / self.rate
        if fill and not self.startup:
            return self.most_frames
        root = isqrt(int(fill / self.startup)) if fill else 1
        near = {min(max(1, root + step), self.most_frames) for step in (0, 1)}
        return min(near, key=lambda frames: (self.limit(size, frames), frames))

    def played(self, ports: Ports, size: Fraction, frames: int) -> Candidate:
        """All packets of all frames in the order of the pattern, as soon as possible."""
        arcs = self.problem.platform.arcs
        sizes = [part * size / frames for part in self.parts]
        times = {
            (arc, packet): arcs[arc].latency + sizes[packet] * arcs[arc].cost
            for arc, packet, _ in self.sends
        }
        tick, counted = common_measure(times.values())
        ticks = dict(zip(times, counted, strict=True))
        sends = [(arc, packet, late, ticks[arc, packet]) for arc, packet, late in self.sends]
        count = len(sizes)
        pieces = (
            (arc, (stage - late) * count + packet, duration)
            for stage in range(frames + self.depth - 1)
            for arc, packet, late, duration in sends
            if 0 <= stage - late < frames
        )
        return Candidate(tuple(sizes) * frames, tick, in_order(ports, pieces))
