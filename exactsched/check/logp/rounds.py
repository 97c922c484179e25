"""Rounds in which everybody does the same are checked for one processor, however many there are.

The rules, and why they are enough, are those of `proofs/logp-certificates.md`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from operator import gt

from exactsched.certificate.logp import LogPRounds
from exactsched.certificate.rules import column
from exactsched.check.common_denominator import over_common_denominator, quotient
from exactsched.check.logp.bounds import least_time, proved_claim
from exactsched.check.logp.events import first_closer, sends_and_receptions
from exactsched.check.logp.ranges import (
    Combining,
    Ranges,
    turned,
    union,
    without,
)
from exactsched.check.proved import ProvedLogP, shown
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import Rational


@dataclass(frozen=True, slots=True)
class _Clock:
    """The machine in integers: this many of these units are one unit of time, or one tick."""

    unit: int
    tick: int
    latency: int
    overhead: int
    gap: int

    @property
    def arrival(self) -> int:
        return self.latency + self.overhead

    @property
    def delay(self) -> int:
        return self.latency + 2 * self.overhead

    @property
    def period(self) -> int:
        return max(self.gap, self.overhead)

    def shown(self, *times: int) -> list[str]:
        return [shown(quotient(time, self.unit)) for time in times]


def logp_rounds(stated: LogPRounds) -> ProvedLogP:
    """The time of a schedule of rounds, and the bound on all others.  Raises `Rejected`.

    With R rounds O(R log R) steps on integers, O(1) for each exchange of halves, and for combining
    those of the bound: as many as B(P) has different times.

    >>> from exactsched.model.machine import LogP
    >>> rounds = ((0, 1, 0), (1, 2, 0), (2, 4, 0))
    >>> machine = LogP(1, 0, 1, 8)
    >>> print(logp_rounds(LogPRounds(machine, "allreduce", 1, 1, (), rounds, 3, 3, True)))
    allreduce among 8 processors in time 3 proved optimal (L=1, o=0, g=1)
    """
    clock = _clock(stated)
    starts = [start * clock.tick for start in column(stated.rounds, 0)]
    received = _when_received(stated, clock, starts)
    if stated.collective == "allreduce":
        _refuse_uncombined(stated, starts, clock.delay)
    else:
        _refuse_unsent(stated)
    machine = (clock.latency, clock.overhead, clock.gap, clock.unit)
    time, bound = (
        quotient(number, clock.unit) for number in (received, least_time(stated, *machine))
    )
    if stated.time != time:
        raise Rejected("time", shown(stated.time), f"the last message is received at {shown(time)}")
    return proved_claim("logp-rounds", stated, bound, time == bound)


def _groups(stated: LogPRounds) -> Iterator[int]:
    """The size of the largest group before each halving, and of those that are left."""
    size = stated.machine.P
    yield size
    for _ in stated.halvings:
        size = (size + 1) // 2
        yield size


def _clock(stated: LogPRounds) -> _Clock:
    machine, tick = stated.machine, stated.tick
    last = max(column(stated.rounds, 0), default=0)
    numbers: list[Rational] = [machine.L, machine.o, machine.g, 1, tick, tick * last]
    # Only the times of rounds are held at a time, not those of the exchanges before them.
    (latency, overhead, gap, unit, tick_units, _), _ = over_common_denominator(
        numbers, "machine", 10 * len(stated.rounds)
    )
    return _Clock(unit, tick_units, latency, overhead, gap)


def _when_received(stated: LogPRounds, clock: _Clock, starts: list[int]) -> int:
    """When the last message has been received, 0 if there is none.

    A processor does one thing at a time, and leaves the gap between two sends or receptions: in
    each exchange of halves, among the rounds, and as each begins when all before is over.
    """
    last, free = -clock.delay, 0
    ready = max(clock.delay, clock.gap)
    for index, (halving, size) in enumerate(zip(stated.halvings, _groups(stated), strict=False)):
        start, spacing, later = [clock.tick * number for number in halving]
        if start < free:
            rule = f"the exchange before is over at {clock.shown(free)[0]}"
            raise Rejected(f"halvings[{index}]", clock.shown(start)[0], rule)
        steps = stated.count * ((size + 1) // 2)
        _refuse_collisions(clock, index, spacing, later, steps)
        last = start + (steps - 1) * spacing + later
        free = last + ready
    if starts:
        in_order = sorted(starts)
        if in_order[0] < free:
            rule = f"the exchange of halves before is over at {clock.shown(free)[0]}"
            raise Rejected("rounds", clock.shown(in_order[0])[0], rule)
        _refuse_haste(clock, in_order)
        last = in_order[-1]
    return last + clock.delay


def _refuse_haste(clock: _Clock, starts: list[int]) -> None:
    """Receptions follow the sends of the others, so they are as far apart as these."""
    _refuse_closer(clock, starts, clock.gap, "two sends start at least a gap apart")
    if clock.overhead:
        events = sorted([*starts, *[start + clock.arrival for start in starts]])
        _refuse_closer(clock, events, clock.overhead, "a processor does one overhead at a time")


def _refuse_closer(clock: _Clock, times: list[int], apart: int, rule: str) -> None:
    index = first_closer(times, apart)
    if index is not None:
        raise Rejected("rounds", clock.shown(*times[index : index + 2]), rule)


def _refuse_collisions(clock: _Clock, index: int, spacing: int, later: int, steps: int) -> None:
    """Either half sends at multiples of the spacing; what it receives is not near to any of them.

    Counted from its own sends, the receptions of the first half are shifted by L + o + later, and
    those of the second by L + o - later.
    """
    if steps > 1 and spacing < clock.period:
        rule = "two sends start at least a gap, and an overhead, apart"
        raise Rejected(f"halvings[{index}]", clock.shown(spacing)[0], rule)
    arrival, overhead = clock.arrival, clock.overhead
    for apart in (arrival + later, arrival - later):
        if overhead <= apart % spacing <= spacing - overhead:
            continue  # no multiple is near, and the two next ones need not be looked at
        for multiple in (apart // spacing, apart // spacing + 1):
            nearest = max(1 - steps, min(multiple, steps - 1))
            distance = abs(apart - nearest * spacing)
            if distance < overhead:
                rule = "a send and a reception start at least an overhead apart"
                raise Rejected(f"halvings[{index}]", clock.shown(distance)[0], rule)


def _refuse_unsent(stated: LogPRounds) -> None:
    """In the groups that are left everybody sends each item by every distance."""
    *_, size = _groups(stated)
    needed = (size - 1) * stated.count
    if len(stated.rounds) < needed:
        rule = f"at least {shown(needed)} are needed in groups of {size}"
        raise Rejected("rounds", len(stated.rounds), rule)
    sent = {(shift, item) for _, shift, item in stated.rounds}
    if len(sent) < needed:
        shift, item = next(
            (shift, item)
            for shift in range(1, size)
            for item in range(stated.count)
            if (shift, item) not in sent
        )
        raise Rejected("rounds", [shift, item], "no round has this shift and item")


def _refuse_uncombined(stated: LogPRounds, starts: list[int], delay: int) -> None:
    """Whatever is combined contains each value once, and in the end everybody has all of them.

    Processor p has combined the values of the processors p - x, for the same offsets x as all
    others.  The offsets of what comes from p - shift are those of the sender, plus the shift.
    """
    size = stated.machine.P
    if _last_window(stated, starts, delay) == size:
        return
    offsets: Ranges = ((0, 1),)
    under_way: dict[int, list[tuple[int, int]]] = {}
    combining = Combining()
    for index, arrives in sends_and_receptions(starts, delay):
        _, shift, item = stated.rounds[index]
        if not arrives:
            taken = without(offsets, 0) if item else offsets
            under_way[index] = turned(taken, shift, size)
            combining.keep(len(under_way[index]), f"rounds[{index}]")
            continue
        brought = under_way.pop(index)
        joined = union(offsets, brought)
        if joined is None:
            rule = "some of these values have been combined already"
            raise Rejected(f"rounds[{index}]", brought[:4], rule)
        combining.keep(len(joined) + len(brought), f"rounds[{index}]")
        offsets = joined
    if offsets != ((0, size),):
        rule = "in the end everybody has combined all values"
        raise Rejected("rounds", list(offsets[:4]), rule)


def _last_window(stated: LogPRounds, starts: list[int], delay: int) -> int:
    """The last w if the offsets are always a window 0..w-1, and what is brought comes next; or 0.

    So it is in the schedules of the paper; it takes a tenth of the time of sets of ranges.
    """
    if any(map(gt, starts, islice(starts, 1, None))):
        return 0
    # Before the first reception, and after each: they come in the order of the sends.
    windows, received = [1], 0
    for start, (_, shift, item) in zip(starts, stated.rounds, strict=True):
        while starts[received] + delay <= start:
            received += 1
        if shift + item != windows[-1]:
            return 0
        windows.append(windows[-1] + windows[received] - item)
    return windows[-1]
