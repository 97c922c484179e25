"""Certificates of LogP schedules (proofs/logp-certificates.md)."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import lcm
from typing import Any

from tests.independent.document import (
    HUGE,
    Budget,
    Document,
    any_rational,
    choice,
    claim,
    index,
    integer,
    listing,
    members,
    nonnegative,
    positive,
    row,
    rule,
    structure,
    truth,
)
from tests.independent.logp_bounds import (
    Machine,
    broadcast_bound,
    broadcast_time,
    exchange_bound,
    summation_bound,
)


def machine_of(value: Any, most: int = 1_000_000) -> Machine:
    take = members(value, "L o g P")
    return Machine(
        take("L", positive),
        take("o", nonnegative),
        take("g", positive),
        take("P", integer(1, most)),
    )


def postal_machine(value: Any) -> Machine:
    machine = machine_of(value)
    structure(machine.o == 0 and machine.g == 1, "not a postal machine")
    structure(machine.L.denominator == 1 and machine.L <= HUGE, "L is no integer up to 10^18")
    structure(machine.P >= 2, "a processor besides the source is missing")
    return machine


def apart(times: Iterable[Fraction], gap: Fraction, what: str) -> None:
    """Times are at least a gap apart."""
    ordered = sorted(times)
    rule(all(later - earlier >= gap for earlier, later in pairwise(ordered)), what)


# Sets of processors, as lists of ranges [start, stop) that neither overlap nor touch

Ranges = list[tuple[int, int]]


def join(mine: Ranges, brought: Ranges) -> Ranges:
    """The union of two disjoint sets."""
    Budget.spend(16 * (len(mine) + len(brought)))
    joined: Ranges = []
    for start, stop in sorted(mine + brought):
        rule(not joined or joined[-1][1] <= start, "a value is added twice")
        if joined and joined[-1][1] == start:
            joined[-1] = (joined[-1][0], stop)
        else:
            joined.append((start, stop))
    return joined


def without(ranges: Ranges, value: int) -> Ranges:
    """A set without one of its members."""
    rest = []
    for start, stop in ranges:
        if start <= value < stop:
            rest += [r for r in ((start, value), (value + 1, stop)) if r[0] < r[1]]
        else:
            rest.append((start, stop))
    return rest


def rotated(ranges: Ranges, shift: int, modulus: int) -> Ranges:
    """The set with a shift added to each member, modulo some number."""
    moved: Ranges = []
    for start, stop in ranges:
        start, stop = start + shift, stop + shift
        if start >= modulus:
            moved.append((start - modulus, stop - modulus))
        elif stop > modulus:
            moved += [(start, modulus), (0, stop - modulus)]
        else:
            moved.append((start, stop))
    return sorted(moved)


# Schedules


def check_schedule(document: Document) -> dict[str, Any]:
    take = members(document, "machine collective count tick messages additions time bound optimal")
    machine = take("machine", machine_of)
    words = ("broadcast", "allgather", "alltoall", "allreduce", "summation")
    collective = take("collective", choice(*words))
    count, tick = take("count", integer(1)), take("tick", positive)
    processor = index(machine.P)
    rows = take("messages", listing(row(processor, processor, integer(0), integer(0))))
    for sender, receiver, item, _ in rows:
        structure(sender != receiver, "a message to its sender")
        structure(_is_item(item, collective, machine.P, count), "no item of the collective")
    added = take("additions", listing(row(processor, integer(0), integer(1))))
    structure(not added or collective == "summation", "additions")
    time, bound = take("time", any_rational), take("bound", any_rational)
    structure(collective != "summation" or time >= 0, "a negative time")
    optimal = take("optimal", truth)
    messages = [(s, r, item, start * tick) for s, r, item, start in rows]
    additions = [(p, start * tick, number) for p, start, number in added]
    _processors_do_one_thing(machine, collective == "summation", messages, additions)
    if collective == "summation":
        _summation(machine, count, time, messages, additions)
        shown: Any = summation_bound(machine, time)
        q = lcm(*(Fraction(x).denominator for x in (machine.L, machine.o, machine.g)))
        below = Fraction(-(-(time * q) // 1) - 1, q)
        best = summation_bound(machine, below) < count
    else:
        if collective == "allreduce":
            _allreduce(machine, messages)
            shown = broadcast_time(machine)
        else:
            _items(machine, collective, count, messages)
            exact = broadcast_bound if collective == "broadcast" else exchange_bound
            shown = exact(machine, count)
        claim("time", time, max((m[3] + machine.D for m in messages), default=Fraction(0)))
        best = time == shown
    claim("bound", bound, shown)
    claim("optimal", optimal, best)
    return {"time": time, "bound": bound, "optimal": optimal}


def _is_item(item: int, collective: str, P: int, count: int) -> bool:  # noqa: N803
    if collective == "alltoall":
        source, target = divmod(item // count, P)
        return source < P and source != target
    sizes = {"broadcast": count, "allgather": P * count, "allreduce": 2, "summation": 1}
    return item < sizes[collective]


def _processors_do_one_thing(
    machine: Machine, summation: bool, messages: Sequence[Any], additions: Sequence[Any]
) -> None:
    sends, receptions, busy = defaultdict(list), defaultdict(list), defaultdict(list)
    for sender, receiver, _, start in messages:
        sends[sender].append(start)
        there = start + machine.o + machine.L
        receptions[receiver].append(there)
        busy[sender].append((start, start + machine.o))
        busy[receiver].append((there, there + machine.o + (1 if summation else 0)))
    for p, start, number in additions:
        busy[p].append((start, start + number))
    for starts in (*sends.values(), *receptions.values()):
        apart(starts, machine.g, "1: too close")
    for intervals in busy.values():
        ordered = sorted(i for i in intervals if i[0] < i[1])
        apart_ = all(before[1] <= after[0] for before, after in pairwise(ordered))
        rule(apart_, "2: two things at a time")


def _items(machine: Machine, collective: str, count: int, messages: Sequence[Any]) -> None:
    P = machine.P  # noqa: N806
    senders = 1 if collective == "broadcast" else P
    rule(len(messages) >= count * senders * (P - 1), "4: too few messages")

    def owner(item: int) -> int:
        if collective == "broadcast":
            return 0
        return item // count if collective == "allgather" else item // count // P

    there: dict[tuple[int, int], Fraction] = {}
    for _, receiver, item, start in messages:
        end = start + machine.D
        there[receiver, item] = min(end, there.get((receiver, item), end))
    for sender, _, item, start in messages:
        has = sender == owner(item) or there.get((sender, item), start + 1) <= start
        rule(has, "5: sent without the item")
    if collective == "alltoall":
        blocks = ((p, q) for p in range(P) for q in range(P) if p != q)
        needed = ((q, (p * P + q) * count + j) for p, q in blocks for j in range(count))
    else:
        items = range(count * senders)
        needed = ((p, item) for p in range(P) for item in items if owner(item) != p)
    rule(P == 1 or all(need in there for need in needed), "6: an item is missing")


def _allreduce(machine: Machine, messages: Sequence[Any]) -> None:
    P = machine.P  # noqa: N806
    rule(P == 1 or len(messages) >= P, "4: too few messages")
    has: list[Ranges] = [[(p, p + 1)] for p in range(P)]
    events = [(start, 1, k) for k, (*_, start) in enumerate(messages)]
    events += [(start + machine.D, 0, k) for k, (*_, start) in enumerate(messages)]
    carried: dict[int, Ranges] = {}
    for _, sent, k in sorted(events):
        sender, receiver, item, _ = messages[k]
        if sent:
            carried[k] = without(has[sender], sender) if item else has[sender]
        else:
            has[receiver] = join(has[receiver], carried[k])
    rule(all(ranges == [(0, P)] for ranges in has), "6: a value is missing")


def _summation(
    machine: Machine, count: int, time: Fraction, messages: Sequence[Any], additions: Sequence[Any]
) -> None:
    sends = {sender: start for sender, _, _, start in messages}
    rule(len(sends) == len(messages) and 0 not in sends, "4: sent twice, or by processor 0")
    done = [(receiver, start + machine.D + 1) for _, receiver, _, start in messages]
    done += [(p, start + number) for p, start, number in additions]
    for p, end in done:
        rule(p == 0 or p in sends, "5: a sum is kept")
        rule(end <= (sends[p] if p else time), "5: added too late")
    claim("count", count, 1 + len(sends) + sum(n for *_, n in additions))


# Roles


def _cycles(value: Any, machine: Machine, delays: int) -> list[tuple[int, list[tuple[int, ...]]]]:
    """Cycles, whose roles have a delay, a number of children, and perhaps a wait."""
    shapes = [integer(0)] * (delays + 1)
    cycles = listing(row(integer(1), listing(row(*shapes), least=1)))(value)
    structure(all(len(roles) % shift == 0 for shift, roles in cycles), "the shift is no divisor")
    processors = sum(len(roles) // shift for shift, roles in cycles)
    structure(processors == machine.P - 1, "not one role for each processor but the source")
    return cycles


def _role_rules(machine: Machine, cycles: Sequence[Any]) -> None:
    """Rules 1 to 3, for roles (delay, wait, children)."""
    period = lcm(*(shift for shift, _ in cycles))
    parts = [(period // shift) * (len(r) + sum(c for *_, c in r)) for shift, r in cycles]
    Budget.spend(sum(parts))
    L = int(machine.L)  # noqa: N806
    for _, roles in cycles:
        l = len(roles)  # noqa: E741
        rule(len({(r - d - w) % l for r, (d, w, _) in enumerate(roles)}) == l, "1")
        parents = [r for r, (*_, c) in enumerate(roles) if c]
        for r, after in zip(parents, parents[1:] + parents[:1], strict=True):
            rule((after - r - 1) % l + 1 >= roles[r][2], "2: too many children")
    due: list[Counter[int]] = [Counter({0: 1}) for _ in range(period)]
    roles_at: list[Counter[int]] = [Counter() for _ in range(period)]
    for shift, roles in cycles:
        for r, (d, w, c) in enumerate(roles):
            for i in range((r - d - w - L) % shift, period, shift):
                roles_at[i][d] += 1
                due[i].update(range(d + w + L, d + w + L + c))
    rule(due == roles_at, "3: sends and roles differ")


def _last_copy(residue: int, shift: int, count: int) -> int:
    """The largest v < count with v = residue modulo the shift; it may be negative."""
    return count - 1 - (count - 1 - residue) % shift


def check_cycles(document: Document) -> dict[str, Any]:
    take = members(document, "machine cycles items endgame time bound optimal")
    machine = take("machine", postal_machine)
    cycles = [
        (shift, [(d, 0, c) for d, c in roles])
        for shift, roles in take("cycles", partial(_cycles, machine=machine, delays=1))
    ]
    items = take("items", integer(0, HUGE))
    endgame = take("endgame", listing(integer(0)))
    k = len(set(endgame))
    structure(set(endgame) == set(range(items - k, items)), "not the last items")
    time, bound, optimal = take("time", integer()), take("bound", integer()), take("optimal", truth)
    _role_rules(machine, cycles)
    L = int(machine.L)  # noqa: N806
    largest = max(d for _, roles in cycles for d, *_ in roles)
    if items == 0:
        claim("time", time, L + largest)
        shown: Any = L + broadcast_time(machine._replace(P=machine.P - 1))
    else:
        first = items - k  # the copies of the endgame begin here
        rule(first + len(endgame) - 1 + L <= time, "5")
        for shift, roles in cycles:
            for r, (d, *_) in enumerate(roles):
                v = _last_copy(r - d - L, shift, first)
                rule(v < 0 or v + L + d <= time, "6")
        _endgame(cycles, endgame, first, L, time, largest)
        shown = broadcast_bound(machine, items)
    claim("bound", bound, shown)
    claim("optimal", optimal, time == bound)
    return {"time": time, "bound": bound, "optimal": optimal}


def _endgame(
    cycles: Any,
    endgame: list[int],
    first: int,
    L: int,  # noqa: N803
    time: int,
    largest: int,
) -> None:
    """Rule 7."""
    copies = list(enumerate(endgame, first))
    safe = {item for v, item in copies if v + L + largest <= time}
    others = [(v, item) for v, item in copies if item not in safe]
    wanted = {item for _, item in others}
    different = {(shift, tuple(roles)) for shift, roles in cycles}
    processors = sum(len(roles) // shift for shift, roles in different)
    Budget.spend(processors * len(others))
    for shift, roles in different:
        l = len(roles)  # noqa: E741
        role = {(r - d) % l: d for r, (d, *_) in enumerate(roles)}
        for j in range(l // shift):
            got = {i for v, i in others if v + L + role[(v + L - j * shift) % l] <= time}
            rule(got == wanted, "7: an item of the endgame is missing")


def check_buffered(document: Document) -> dict[str, Any]:
    take = members(document, "machine cycles items time bound buffer optimal")
    machine = take("machine", postal_machine)
    cycles = [
        (shift, [(d, w, c) for d, c, w in roles])
        for shift, roles in take("cycles", partial(_cycles, machine=machine, delays=2))
    ]
    items = take("items", integer(1, HUGE))
    time, bound, optimal = take("time", integer()), take("bound", integer()), take("optimal", truth)
    buffer = take("buffer", integer())
    _role_rules(machine, cycles)
    L = int(machine.L)  # noqa: N806
    ends = []
    most = 0
    for shift, roles in cycles:
        l = len(roles)  # noqa: E741
        waiting = [sum(w // l for _, w, _ in roles)] * l
        for r, (d, w, _) in enumerate(roles):
            v = _last_copy(r - d - w - L, shift, items)
            if v >= 0:
                ends.append(v + L + d + w)
            for i in range(1, w % l + 1):
                waiting[(r - i) % l] += 1
        most = max(most, *waiting)
    rule(bool(ends), "4: time")
    claim("time", time, max(ends))
    claim("buffer", buffer, most)
    claim("bound", bound, L + broadcast_time(machine._replace(P=machine.P - 1)) + items - 1)
    claim("optimal", optimal, time == bound)
    return {"time": time, "bound": bound, "buffer": buffer, "optimal": optimal}


# Rounds


def check_rounds(document: Document) -> dict[str, Any]:
    take = members(document, "machine collective count tick halvings rounds time bound optimal")
    machine = take("machine", partial(machine_of, most=HUGE))
    collective = take("collective", choice("allgather", "alltoall", "allreduce"))
    count, tick = take("count", integer(1)), take("tick", positive)
    P, allreduce = machine.P, collective == "allreduce"  # noqa: N806
    levels = 0 if allreduce else (P - 1).bit_length()
    shape = row(integer(0), integer(1), integer(0))
    halvings = [
        tuple(number * tick for number in numbers)
        for numbers in take("halvings", listing(shape, most=levels))
    ]
    n = -(-P // 2 ** len(halvings))
    shape = row(integer(0), integer(1, n - 1), index(2 if allreduce else count))
    rounds = [(start * tick, shift, i) for start, shift, i in take("rounds", listing(shape))]
    time, bound = take("time", any_rational), take("bound", any_rational)
    optimal = take("optimal", truth)
    starts = [start for start, _, _ in rounds]
    last = _halvings(machine, count, halvings)
    c = machine.L + machine.o
    if rounds and last is not None:
        rule(min(starts) >= last + max(machine.D, machine.g), "1: too early")
    apart(starts, machine.g, "3: rounds too close")
    apart([*starts, *(start + c for start in starts)], machine.o, "4: overheads overlap")
    if allreduce:
        _allreduce_rounds(machine, rounds)
        shown = broadcast_time(machine)
    else:
        rule(len(rounds) >= (n - 1) * count, "5: too few rounds")
        kinds = {(shift, item) for _, shift, item in rounds}
        rule(len(kinds) == (n - 1) * count, "5: a round is missing")
        shown = exchange_bound(machine, count)
    if rounds:
        last = max(starts)
    claim("time", time, Fraction(0) if last is None else last + machine.D)
    claim("bound", bound, shown)
    claim("optimal", optimal, time == bound)
    return {"time": time, "bound": bound, "optimal": optimal}


def _halvings(machine: Machine, count: int, halvings: Sequence[Any]) -> Fraction | None:
    """Rules 1 and 2; returns the time of the last send."""
    last, n, o = None, machine.P, machine.o
    for start, spacing, later in halvings:
        b = -(-n // 2)
        steps = count * b
        if last is not None:
            rule(start >= last + max(machine.D, machine.g), "1: a halving is too early")
        rule(steps == 1 or spacing >= machine.G, "2: sends too close")
        for time in (machine.L + o + later, machine.L + o - later):
            k = min(max(round(time / spacing), 1 - steps), steps - 1)
            for multiple in (k - 1, k, k + 1):
                if abs(multiple) < steps:
                    rule(abs(time - multiple * spacing) >= o, "2: overheads overlap")
        last = start + (steps - 1) * spacing + later
        n = b
    return last


def _allreduce_rounds(machine: Machine, rounds: Sequence[Any]) -> None:
    P = machine.P  # noqa: N806
    offsets: Ranges = [(0, 1)]
    events = [(start, 1, k) for k, (start, *_) in enumerate(rounds)]
    events += [(start + machine.D, 0, k) for k, (start, *_) in enumerate(rounds)]
    carried: dict[int, Ranges] = {}
    for _, sent, k in sorted(events):
        _, shift, item = rounds[k]
        if sent:
            carried[k] = rotated(without(offsets, 0) if item else offsets, shift, P)
        else:
            offsets = join(offsets, carried[k])
    rule(offsets == [(0, P)], "7: a value is missing")


CHECKS = {
    "logp-schedule": check_schedule,
    "logp-cycles": check_cycles,
    "logp-rounds": check_rounds,
    "logp-buffered": check_buffered,
}
