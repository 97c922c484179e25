"""Kinds `logp-schedule`, `logp-rounds`, `logp-cycles`: the proved checkers of LogP schedules.

Trusted are the functions that read the problem, `clock`, `items` and `root`, and those that compare
what is proved with what the document states.  Rounds and cycles are written out message by
message, which needs no trust: the statements say that such a schedule exists.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from heapq import heappop, heappush
from itertools import product
from math import lcm
from typing import Any, Final, NamedTuple, cast

from exactsched.certificate.budget import spend, sums
from exactsched.certificate.logp import Addition, LogPCycles, LogPRounds, LogPSchedule, Message
from exactsched.certificate.logp_messages import messages_of_rounds, unrolled
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.exact.rational import exact
from exactsched.kernel.generated import logp as _logp
from exactsched.kernel.limits import STEPS, afford, affordable
from exactsched.kernel.proved import (
    Claim,
    NotCovered,
    ProvedByKernel,
    not_accepted,
    shown,
    trusted,
)
from exactsched.kernel.runtime import listed
from exactsched.kernel.written import elements, fraction

# Its functions have no types.
logp: Any = _logp

Document = dict[str, Any]
Term = Any
Pairs = list[tuple[int, int]]  # processors and items


def clock(document: Document, more: Sequence[Fraction] = ()) -> Term:
    """`clock` of logp/Checker.v: units of 1, L, o and g; `more` are whole numbers of units, too.

    >>> clock({"machine": {"L": 2, "o": "1/2", "g": "1/3", "P": 2}})
    (6, 12, 3, 2)
    """
    times = [Fraction(exact(document["machine"][name], name)) for name in ("L", "o", "g")]
    unit = lcm(*(time.denominator for time in (*times, *more)))
    return unit, *(int(time * unit) for time in times)


def processors(document: Document) -> range:
    """All of them, by their numbers."""
    return range(int(document["machine"]["P"]))


def items(document: Document) -> tuple[Pairs, Pairs]:
    """`given` and `wanted` of logp/Definitions.v: who has what at the start, and who wants what.

    >>> asked = {"kind": "logp-schedule", "collective": "alltoall", "machine": {"P": 2}}
    >>> items(asked | {"count": 1})
    ([(0, 1), (1, 2)], [(1, 1), (0, 2)])
    """
    every, size = processors(document), len(processors(document))
    if document["kind"] == "logp-cycles":
        source, known = size - 1, range(int(document["items"]))
        return [(source, item) for item in known], list(product(every, known))
    count, collective = int(document["count"]), document["collective"]
    if collective == "broadcast":
        return [(0, item) for item in range(count)], list(product(every, range(count)))
    if collective == "allgather":
        own = [(item // count, item) for item in range(size * count)]
        return own, list(product(every, range(size * count)))
    pairs = [(p, q, (p * size + q) * count + j) for p in every for q in every for j in range(count)]
    others = [(p, q, item) for p, q, item in pairs if p != q]
    return [(p, item) for p, _, item in others], [(q, item) for _, q, item in others]


class _Run(NamedTuple):
    """A schedule message by message: untrusted."""

    messages: Sequence[Message]
    tick: Fraction


def check(document: Document, stated: LogPSchedule | LogPRounds | LogPCycles) -> ProvedByKernel:
    """What is proved about the time or the operands.  Raises `Rejected`, `NotCovered`."""
    collective = document.get("collective", "broadcast")
    if collective == "allreduce":
        return _allreduce(document, cast(LogPSchedule | LogPRounds, stated))
    if collective == "summation":
        return _summation(document, cast(LogPSchedule, stated))
    if isinstance(stated, LogPCycles) and not stated.items:
        raise NotCovered("items", 0, "an endless series has no proved checker")
    work = _work(stated)
    return _of_items(document, stated, _listed(stated), work)


def _work(stated: LogPSchedule | LogPRounds | LogPCycles) -> int:
    """About how many calls it takes.

    Raises `Rejected` for too few messages, `NotCovered` for too many items.
    """
    size = stated.machine.P
    if isinstance(stated, LogPCycles):
        sent = stated.items - len(set(stated.endgame)) + len(stated.endgame)
        needed = sent * (size - 1)
        pairs = stated.items * size
    else:
        senders = 1 if stated.collective == "broadcast" else size
        needed = stated.count * senders * (size - 1)
        owners = size if stated.collective == "allgather" else 1
        pairs = stated.count * size * (size if stated.collective == "alltoall" else owners)
    work = needed + pairs // 2 + size // 4
    with affordable():
        spend(STEPS * work, "machine")
    if isinstance(stated, LogPSchedule):
        if len(stated.messages) < needed:
            rule = "everybody receives what he needs and does not have"
            raise Rejected("messages", len(stated.messages), rule)
        return work + 2 * (len(stated.messages) - needed)
    return work


def _listed(stated: LogPSchedule | LogPRounds | LogPCycles) -> _Run:
    if isinstance(stated, LogPSchedule):
        return _Run(stated.messages, Fraction(stated.tick))
    try:
        if isinstance(stated, LogPRounds):
            with affordable():
                shifts = sum(shift < stated.machine.P for _, shift, _ in stated.rounds)
                spend(STEPS * 2 * stated.machine.P * (shifts + 1), "rounds")
            return _Run(messages_of_rounds(stated), Fraction(stated.tick))
        size = stated.machine.P  # the source is processor P - 1, and 0 where they are listed
        messages = [
            Message((sender - 1) % size, receiver - 1, item, start)
            for sender, receiver, item, start in unrolled(stated)
        ]
    except Rejected:
        raise
    except InvalidInput as error:
        raise NotCovered(error.place, error.value, "too large for the kernel") from error
    return _Run(messages, Fraction(1))


def _rows(run: _Run, unit: int) -> Term:
    """The messages in the order of their starts, in units."""
    tick = int(run.tick * unit)
    ordered = sorted(run.messages, key=lambda message: message[3])
    return listed((p, q, item, start * tick) for p, q, item, start in ordered)


def _of_items(
    document: Document, stated: LogPSchedule | LogPRounds | LogPCycles, run: _Run, work: int
) -> ProvedByKernel:
    time, bound = (Fraction(exact(document[name], name)) for name in ("time", "bound"))
    machine = clock(document, [run.tick, time])
    unit = machine[0]
    afford(work, ((*machine, int(run.tick * unit), int(time * unit)),), "messages")
    everybody = listed(processors(document))
    given, wanted = items(document)
    start, end = listed(given), listed(wanted)
    if time < 0 or not logp.check_schedule(
        machine, everybody, start, end, _rows(run, unit), int(time * unit)
    ):
        place = {LogPSchedule: "messages", LogPRounds: "rounds", LogPCycles: "cycles"}[type(stated)]
        raise not_accepted(place)
    least, theorem = _bound_of_items(document, machine, (everybody, given, wanted))
    proved = Fraction(least, unit)
    if bound > proved and theorem != _OF_BROADCAST:
        rule = f"{shown(proved)} is proved; bounds (b) and (c) have no proved checker"
        raise NotCovered("bound", document["bound"], rule)
    if bound != proved:
        raise Rejected("bound", document["bound"], f"the proved checker finds {shown(proved)}")
    optimal = time == bound
    _refuse_other(document, optimal)
    values = {"time": time, "bound": bound}
    return _proved(document, _of_time(time, bound, theorem), values, optimal)


def _of_time(time: Fraction, bound: Fraction, theorem: str) -> tuple[Claim, ...]:
    if time == bound and theorem == _OF_BROADCAST:
        says = f"the least time is {shown(time)}"
        return (Claim(says, f"least_time P {fraction(time)}", "logp.Bounds.check_broadcast_sound"),)
    done = Claim(
        f"a schedule takes the time {shown(time)}",
        f"done_within P {fraction(time)}",
        "logp.Soundness.check_schedule_sound",
    )
    says = f"none takes less than {shown(bound)}"
    return done, Claim(says, f"never_before P {fraction(bound)}", theorem)


_OF_BROADCAST: Final = "logp.Bounds.check_broadcast_bound_sound"
_OF_RECEPTIONS: Final = "logp.Bounds.check_receptions_bound_sound"
_OF_OVERHEADS: Final = "logp.OverheadBounds.check_overheads_bound_sound"


def _bound_of_items(
    document: Document, machine: Term, asked: tuple[Term, Pairs, Pairs]
) -> tuple[int, str]:
    """The bound that is proved, in units, and the theorem."""
    everybody, given, _ = asked
    size = len(processors(document))
    broadcast = document.get("collective", "broadcast") == "broadcast"
    _, latency, overhead, gap = machine
    delay, period = latency + 2 * overhead, max(gap, overhead)
    if broadcast or size == 1:
        source, known = (given or [(0, 0)])[0][0], [item for _, item in given]
        labels = _labels(delay, period, size - 1)
        needed = (size - 1) * len(known)
        least = delay + _time_for(labels, period, needed) if needed else 0
        if not logp.check_broadcast_bound(
            machine, everybody, source, listed(known), listed(labels), least
        ):
            raise NotCovered("bound", document["bound"], "the proved checker does not find it")
        return least, _OF_BROADCAST
    return _bound_of_receptions(document, machine, asked)


def _bound_of_receptions(
    document: Document, machine: Term, asked: tuple[Term, Pairs, Pairs]
) -> tuple[int, str]:
    """That of as many items as everybody lacks, if overheads keep receptions from sends or not."""
    everybody, given, wanted = asked
    _, latency, overhead, gap = machine
    own = set(given)
    lacking: list[list[int]] = [[] for _ in processors(document)]
    for pair in wanted:
        if pair not in own:
            lacking[pair[0]].append(pair[1])
    number, terms = len(lacking[0]), (listed(given), listed(wanted))
    least = latency + 2 * overhead + (number - 1) * max(gap, overhead)
    later, distance = _shift(machine, number)
    if later:
        every = number, distance, least + later
        if logp.check_overheads_bound(
            machine, everybody, *terms, listed(map(listed, lacking)), *every
        ):
            return least + later, _OF_OVERHEADS
    elif logp.check_receptions_bound(machine, *terms, 0, listed(lacking[0]), least):
        return least, _OF_RECEPTIONS
    raise NotCovered("bound", document["bound"], "the proved checker does not find it")


def _shift(machine: Term, number: int) -> tuple[int, int]:
    """How much later all is done as the first reception keeps clear of a send, and of which one."""
    _, latency, overhead, gap = cast(tuple[int, int, int, int], machine)
    arrival, period = latency + overhead, max(gap, overhead)
    shifts = [
        (min(period, overhead - abs(arrival - distance * period)), distance)
        for distance in (arrival // period, arrival // period + 1)
        if 0 < distance < number
    ]
    return max([(0, 0), *shifts])


def _labels(delay: int, period: int, count: int) -> list[tuple[int, int]]:
    """The smallest labels of this many nodes of the universal tree, with how many have each."""
    labels, left = [(0, 1)], count - 1
    sends, waiting = {0: 1}, [0]  # when sends start, and how many
    while left > 0:
        now = heappop(waiting)
        number = sends.pop(now)
        labels.append((now + delay, min(number, left)))
        left -= number
        for later in (now + period, now + delay):
            if later not in sends:
                heappush(waiting, later)
            sends[later] = sends.get(later, 0) + number
        with affordable():
            # The checker compares each label with all others.
            spend((STEPS + len(labels)) * sums(now.bit_length()), "machine")
    return labels


def _time_for(labels: Sequence[tuple[int, int]], period: int, messages: int) -> int:
    """The first time by which this many sends may have started."""
    low, high = -1, messages * period
    with affordable():
        spend(4 * len(labels) * high.bit_length() * sums(high.bit_length()), "machine")
    while high - low > 1:
        middle = (low + high) // 2
        sent = sum(
            number * ((middle - label) // period + 1) for label, number in labels if label <= middle
        )
        low, high = (middle, high) if sent < messages else (low, middle)
    return high


def _allreduce(document: Document, stated: LogPSchedule | LogPRounds) -> ProvedByKernel:
    """What is proved about the time in which every processor has the reduction of all values."""
    size = stated.machine.P
    if isinstance(stated, LogPRounds):
        number, place = len(stated.rounds) * size, "rounds"
    else:
        number, place = len(stated.messages), "messages"
    if number < size > 1:
        raise Rejected(place, number, "every processor receives something")
    with affordable():  # of every message each processor's value is looked up
        spend(STEPS // 4 * size * (number + size), place)
    run = _listed(stated)
    time, bound = (Fraction(exact(document[name], name)) for name in ("time", "bound"))
    machine, everybody = clock(document, [run.tick, time]), listed(processors(document))
    unit, latency, overhead, gap = cast(tuple[int, int, int, int], machine)
    end = int(time * unit)
    afford(number, ((*machine, int(run.tick * unit), end),), place)
    if time < 0 or not logp.check_allreduce(machine, everybody, _rows(run, unit), end):
        raise not_accepted(place)
    delay, period = latency + 2 * overhead, max(gap, overhead)
    labels = _labels(delay, period, size - 1)
    least = delay + _time_for(labels, period, size - 1) if size > 1 else 0
    terms = machine, everybody, 0, (0, ()), listed(labels)
    if not logp.check_broadcast_bound(*terms, least) or bound != Fraction(least, unit):
        raise Rejected("bound", document["bound"], f"{shown(Fraction(least, unit))} is proved")
    optimal = time == bound
    _refuse_other(document, optimal)
    if optimal:
        says, theorem = f"the least time is {shown(time)}", "check_least_allreduce_sound"
        claims = [Claim(says, f"least_allreduce M {fraction(time)}", _REDUCED + theorem)]
    else:
        says, theorem = f"a schedule takes the time {shown(time)}", "check_allreduce_sound"
        claims = [Claim(says, f"reduced_within M {fraction(time)}", _REDUCED + theorem)]
        says, theorem = f"none takes less than {shown(bound)}", "check_allreduce_bound_sound"
        claims.append(Claim(says, f"reduced_never_before M {fraction(bound)}", _REDUCED + theorem))
    return _proved(document, tuple(claims), {"time": time, "bound": bound}, optimal)


_REDUCED: Final = "logp.AllreduceSound."


def _refuse_other(document: Document, optimal: bool) -> None:
    """Raises `Rejected` unless the document says the same."""
    if document["optimal"] is not optimal:
        raise Rejected("optimal", document["optimal"], "whether time and bound are the same")


def root(document: Document) -> tuple[int, Fraction, int]:
    """The processor that gets the sum, the time, and the number of operands."""
    return 0, Fraction(exact(document["time"], "time")), int(document["count"])


def _summation(document: Document, stated: LogPSchedule) -> ProvedByKernel:
    """What is proved about the most operands that can be added within a time."""
    receiver, time, count = root(document)
    bound = Fraction(exact(document["bound"], "bound"))
    tick = Fraction(stated.tick)
    machine, coarse = clock(document, [tick, time]), clock(document)
    unit = machine[0]
    work = len(stated.messages) + len(stated.additions) + stated.machine.P // 4
    afford(2 * work, ((*machine, int(tick * unit), int(time * unit)),), "messages")
    everybody = listed(processors(document))
    rows = _rows(_Run(stated.messages, tick), unit)
    additions = _additions(stated.additions, int(tick * unit))
    end = int(time * unit)
    if not logp.check_summation(machine, everybody, receiver, rows, additions, end, count):
        raise not_accepted("messages, additions")
    # In units of the machine: no later than the time, and as late as possible before it.
    within, before = time * coarse[0] // 1, -(-time * coarse[0] // 1) - 1
    most, fewer = (_most_operands(coarse, everybody, int(until)) for until in (within, before))
    if bound > most:
        raise Rejected("bound", document["bound"], f"the proved checker finds {shown(most)}")
    if bound < most:
        rule = f"{shown(most)} is proved; times lost in gaps have no proved checker"
        raise NotCovered("bound", document["bound"], rule)
    optimal = fewer < count
    if document["optimal"] is not optimal:
        if not optimal:
            raise NotCovered("optimal", True, f"in less time {shown(fewer)} at most is proved")
        raise Rejected("optimal", False, "in less time fewer operands are added")
    values = {"count": count, "bound": bound}
    return _proved(document, _of_operands(time, count, bound, optimal), values, optimal)


def _additions(additions: Sequence[Addition], tick: int) -> Term:
    ordered = sorted(additions, key=lambda addition: addition[1])
    return listed((who, start * tick, number) for who, start, number in ordered)


def _most_operands(machine: Term, everybody: Term, until: int) -> int:
    """What is proved to be the most at any time before `until` + 1 units; nothing before 0."""
    if until < 0:
        return 0
    unit, latency, overhead, gap = cast(tuple[int, int, int, int], machine)
    size = sum(1 for _ in elements(everybody))
    labels = _labels(latency + 2 * overhead + unit, max(gap, overhead + unit), size)
    left = sum(number * max(0, until - overhead - label) for label, number in labels[1:])
    most = (unit + until + left) // unit
    if not logp.check_summation_bound(machine, everybody, listed(labels), until, most):
        raise NotCovered("bound", most, "the proved checker does not find it")
    return most


def _of_operands(time: Fraction, count: int, bound: Fraction, optimal: bool) -> tuple[Claim, ...]:
    at = fraction(time)
    theorem = "logp.SumBounds.check_summation_bound_sound"
    claims = [
        Claim(
            f"{shown(count)} operands are added within {shown(time)}",
            f"sums_within M {at} {count}",
            "logp.SumSoundness.check_summation_sound",
        ),
        Claim(f"no more than {shown(bound)} can be", f"adds_at_most M {at} {bound}", theorem),
    ]
    if optimal and time:
        says = "in less time fewer are added"
        formal = f"forall t, 0 <= t -> t < {at} -> adds_at_most M t {count - 1}"
        claims.append(Claim(says, formal, theorem))
    return tuple(claims)


def _proved(
    document: Document, claims: tuple[Claim, ...], values: dict[str, Any], optimal: bool
) -> ProvedByKernel:
    machine = document["machine"]
    collective = document.get("collective", "broadcast")
    number = document.get("count", document.get("items"))
    size = f"{collective} of {number}, {machine['P']} processors"
    return ProvedByKernel(
        kind=document["kind"],
        asked=f"{size}, L={machine['L']}, o={machine['o']}, g={machine['g']}",
        claims=claims,
        values=values,
        optimal=optimal,
        trusted=trusted("exactsched/kernel/logp.py"),
    )
