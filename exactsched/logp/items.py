"""Broadcast of k items in the postal model: bounds, single-sending schedules, endgames.

Section 3 of Karp, Sahay, Santos and Schauser (1993).  The source sends most items once; of the last
ones it sends several copies, and copy x, sent x steps before the last possible moment, is received
in time by those whose role has a delay of x at most.  Proofs: proofs/logp-items.md.
"""

# ruff: noqa: N803, N806  (L is the name of the latency in all of the literature)

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import islice

from exactsched.certificate.limits import MAX_ITEMS
from exactsched.certificate.logp import Cycle, LogPCycles, LogPSchedule, Message
from exactsched.exact.arguments import checked_integer
from exactsched.exact.errors import InvalidInput
from exactsched.exact.patience import Asked, EnoughError, Patience
from exactsched.exact.search_limits import until
from exactsched.logp.broadcast import broadcast
from exactsched.logp.continuous import continuous_broadcast
from exactsched.logp.counts import broadcast_time, fibonacci
from exactsched.logp.endgame_automaton import automaton
from exactsched.logp.endgame_coloring import ColoringSearch
from exactsched.logp.holdings_program import holdings_schedule
from exactsched.logp.item_program import CirculationProgram
from exactsched.model.machine import LogP

# How much deeper trees are than optimal ones, how many children a node may lack, in how many
# phases, and for how many at a time programs in integers are tried: those first that succeed most.
# Deeper trees serve where optimal ones do not fit; who waits takes one of the last copies.
_Plan = tuple[int, int, int, tuple[int, ...]]
_EASY_PLANS: tuple[_Plan, ...] = ((0, 0, 1, (1, 2)), (0, 1, 1, (1, 2)))
_PLANS: tuple[_Plan, ...] = (
    *_EASY_PLANS,
    *((0, 0, 2, (1,)), (0, 0, 3, (1,)), (1, 1, 1, (1, 2)), (0, 1, 2, (1,)), (0, 2, 1, (1, 2))),
    *((0, 0, 4, (1,)), (0, 1, 3, (1,)), (0, 1, 4, (1,)), (0, 1, 5, (1,)), (1, 2, 1, (1, 2))),
    *((0, 0, period, (1,)) for period in range(6, 13)),  # L for P = 3
)
_MAX_ARCS = 6000  # of an automaton in all its phases
_MAX_COLUMNS = 4000  # of a program in integers
_MOST_COLORINGS = 3  # of one automaton
_MOST_WORK = 8_000_000  # of one search, and
_ALL_WORK = 32_000_000  # of all at the bound, and a quarter for each step more, but at least
_LEAST_WORK = 750_000
_LITTLE_WORK = 3_000_000  # of the easy ones, before anything else
_MAX_STEPS = 100_000  # of one search for a coloring, in processors times partial colorings
_MOST_EXAMINED = 10_000_000  # receptions of the last copies, in all times that are tried
_MAX_RECEPTIONS = 4_000_000  # of the last copies, and of roles and sends: checkers refuse more
_MAX_MESSAGES = 1_000_000  # of a schedule in which the source sends everything


def items_lower_bound(L: int, P: int, k: int) -> int:
    """The least time that a broadcast of k items to P processors of the postal model may take.

    It is L + t for the least t with floor(sum over j = 0..t of min(f_j, P - 1) / (P - 1)) >= k, and
    0 for P = 1: at the time L + j at most min(f_j, P - 1) items are received.  L, P, k are positive
    integers, k <= 10^18; times are in steps.

    Raises `InvalidInput` for other arguments.  Complexity: that of `broadcast_time`.
    Reference: Karp, Sahay, Santos and Schauser 1993, theorem 3.1, as corrected in
    proofs/logp-items.md.

    >>> items_lower_bound(3, 10, 8), items_lower_bound(4, 3, 1), items_lower_bound(1, 8, 5)
    (15, 5, 7)
    """
    L, P, k = _checked(L, P, k)
    if P == 1:
        return 0
    # As long as f_t < P - 1, the sum is f_(t+L) - 1, and k (P - 1) is reached when f_(t+L) is more.
    depth = _broadcast_time(L, P - 1)
    most = (fibonacci(L, depth - 1 + L) - 1) // (P - 1)
    if k <= most:
        return _broadcast_time(L, k * (P - 1) + 1)
    return L + depth - 1 + k - most


def single_sending_bound(L: int, P: int, k: int) -> int:
    """L + B(P - 1) + k - 1: what a broadcast takes at least in which the source repeats nothing.

    The last item leaves the source at k - 1 or later, and its receiver broadcasts it to P - 1.
    0 for P = 1.  Arguments, errors, complexity as for `items_lower_bound`.

    Reference: Karp, Sahay, Santos and Schauser 1993, section 3.4.

    >>> single_sending_bound(3, 10, 8), single_sending_bound(1, 2, 5)
    (17, 5)
    """
    L, P, k = _checked(L, P, k)
    return L + _broadcast_time(L, P - 1) + k - 1 if P > 1 else 0


def single_sending(L: int, P: int, k: int) -> LogPCycles:
    """k items in role cycles; the source sends every item once, without buffers (corollary 3.1).

    The time is that of `continuous_broadcast(L, P)` and k - 1 steps more.  Where the continuous
    broadcast is optimal, so for all L but 2, it is the bound L + B(P - 1) + k - 1, which is less
    than theorem 3.7 has (by L - 1), and as much as theorem 3.8 has with buffers.

    L, P >= 2, k are positive integers, k <= 10^18.  Raises `InvalidInput` for others.
    Complexity: that of `continuous_broadcast`, whatever k is.
    Reference: Karp, Sahay, Santos and Schauser 1993, corollary 3.1, theorems 3.7 and 3.8;
    proofs/logp-items.md.

    `bound` and `optimal` of the schedule are about all schedules; what no schedule beats that
    repeats nothing is `single_sending_bound`.

    >>> schedule = single_sending(3, 10, 8)
    >>> schedule.time, single_sending_bound(3, 10, 8), schedule.bound, schedule.optimal
    (17, 17, 15, False)
    """
    L, P, k = _checked(L, P, k)
    if P == 1:
        raise InvalidInput("P", P, "at least one processor besides the source")
    endless = continuous_broadcast(L, P)
    return _schedule(LogP(L, 0, 1, P), endless.cycles, k, (), endless.time + k - 1)


def broadcast_items(
    L: int, P: int, k: int, *, time_limit: float | None = None, asked: Asked | None = None
) -> LogPCycles | LogPSchedule:
    """k items from processor 0 or the source of role cycles to all, in the best time found.

    The bound is that of `items_lower_bound`, for all schedules, and `optimal` says whether it is
    reached.  A schedule in role cycles is as long for k = 10^18 as for k = 10.  One item is
    broadcast by `broadcast`; where L >= k (P - 1), the source sends everything itself, which
    nothing beats; for P = 1 there is nothing to do.

    Endgames are searched for in role cycles made for the purpose by integer programming.  For a few
    items (k <= 5, if the time is not long) another integer program covers all schedules, and a
    schedule that it finds lists its messages; it reached the bound for all L <= 7, P <= 16 and
    k <= 4.  Failing both, the last copies are colored in the cycles of `single_sending`.  A failure
    proves nothing.

    L, P, k are positive integers, k <= 10^18.  Raises `InvalidInput` for others.  `asked` is called
    between the steps of the searches, some times in a second; once it returns True, or after
    `time_limit` seconds, the best schedule known by then is returned, with the same bound.

    Complexity: that of `single_sending`, and searches that are cut off by counts of work, mostly
    within seconds.
    Reference: Karp, Sahay, Santos and Schauser 1993, section 3, theorems 3.1 and 3.2;
    proofs/logp-items.md.

    >>> schedule = broadcast_items(3, 10, 8)
    >>> schedule.time, schedule.bound, schedule.optimal
    (15, 15, True)
    >>> schedule.endgame  # items 6 and 7 are sent again and again
    (6, 7, 7, 6, 7, 7, 6)
    """
    L, P, k = _checked(L, P, k)
    machine = LogP(L, 0, 1, P)
    if P == 1:
        return LogPSchedule(machine, "broadcast", k, 1, (), (), Fraction(0), Fraction(0), True)
    if k == 1:
        return broadcast(machine)
    plain = single_sending(L, P, k)
    bound = items_lower_bound(L, P, k)
    if plain.time > bound and k * (P - 1) <= min(L, _MAX_MESSAGES):
        return _without_relays(machine, k)
    try:
        return _with_an_endgame(plain, bound, Patience(until(time_limit, asked))) or plain
    except EnoughError:
        return plain


def _with_an_endgame(
    plain: LogPCycles, bound: int, patience: Patience
) -> LogPCycles | LogPSchedule | None:
    """The first schedule found that ends before a single-sending one, from the bound on."""
    machine, k = plain.machine, plain.items
    different, examined = _different(plain.cycles), 0
    for time in range(bound, plain.time):
        _, copies = _copies(plain.time - machine.L.numerator - (k - 1), k, plain.time - time)
        examined += different * copies
        if examined > _MOST_EXAMINED:
            break
        made = _found_by_programs(machine, k, time, time - bound, patience)
        if made is not None:
            return made
        endgame = _endgame(plain, plain.time - time)
        if endgame is not None and different * len(endgame) <= _MAX_RECEPTIONS:
            return _schedule(machine, plain.cycles, k, endgame, time)
    return None


def _checked(L: object, P: object, k: object) -> tuple[int, int, int]:
    latency, processors, items = (
        checked_integer(value, 1, name, "a positive integer")
        for name, value in (("L", L), ("P", P), ("k", k))
    )
    if items > MAX_ITEMS:
        raise InvalidInput("k", k, f"at most {MAX_ITEMS} items")
    return latency, processors, items


def _broadcast_time(L: int, size: int) -> int:
    return broadcast_time(LogP(L, 0, 1, size)).numerator


def _without_relays(machine: LogP, k: int) -> LogPSchedule:
    """The source sends every item to everybody; L >= k (P - 1), so nobody else could be of help."""
    others = machine.P - 1
    messages = tuple(
        Message(0, 1 + start % others, start // others, start) for start in range(k * others)
    )
    time = machine.L.numerator + k * others - 1
    ended = Fraction(time)
    return LogPSchedule(machine, "broadcast", k, 1, messages, (), ended, ended, True)


def _schedule(
    machine: LogP, cycles: tuple[Cycle, ...], k: int, endgame: tuple[int, ...], time: int
) -> LogPCycles:
    bound = items_lower_bound(machine.L.numerator, machine.P, k)
    return LogPCycles(machine, cycles, k, endgame, time, bound, time == bound)


def _copies(depth: int, k: int, saved: int) -> tuple[int, int]:
    """How many items are sent at last in several copies, and how many copies there are of all.

    To end `saved` steps before depth + k - 1 + L, the last `saved` items have several copies.
    If k is smaller, all k items have, but fewer of them.
    """
    items = min(saved, k)
    return items, depth - saved + items


def _found_by_programs(
    machine: LogP, k: int, time: int, above: int, patience: Patience
) -> LogPCycles | LogPSchedule | None:
    """A schedule that ends `above` steps after the bound: in cycles, or of a few items any one.

    What cycles reach with little work is as long for all k, so it comes first.
    """
    made = _made_for_the_endgame(machine, k, time, _EASY_PLANS, _LITTLE_WORK >> above, patience)
    if made is not None:
        return made
    messages = holdings_schedule(machine.L.numerator, machine.P - 1, k, time, patience)
    if messages is not None:
        ended, bound = Fraction(time), Fraction(time - above)
        return LogPSchedule(
            machine, "broadcast", k, 1, messages, (), ended, bound, optimal=not above
        )
    limit = max(_ALL_WORK >> 2 * above, _LEAST_WORK)
    return _made_for_the_endgame(machine, k, time, _PLANS, limit, patience)


def _made_for_the_endgame(
    machine: LogP,
    k: int,
    time: int,
    plans: tuple[_Plan, ...],
    limit: int,
    patience: Patience,
) -> LogPCycles | None:
    """A schedule with cycles of its own, or None if none is found with this much work."""
    L, others, late = machine.L.numerator, machine.P - 1, time - k
    # Of more items the last ones alone have several copies, in trees of any plan.
    deepest = _broadcast_time(L, others) + max(later for later, *_ in plans)
    several = min(k, max(L + deepest - 1 - late, 1))
    made = _searched(L, others, several, late, plans, limit, patience)
    if made is None:
        return None
    cycles, items, colors = made
    endgame = tuple([k - items + color for color in colors])
    return _schedule(machine, _turned(cycles, time + 1), k, endgame, time)


@lru_cache(maxsize=256)
def _searched(
    L: int,
    others: int,
    k: int,
    late: int,
    plans: tuple[_Plan, ...],
    limit: int,
    patience: Patience,
) -> tuple[tuple[Cycle, ...], int, tuple[int, ...]] | None:
    """Cycles, how many items have several copies, and the colors of these in the order of sending.

    The time is `late` + k; cycles for enough items serve any larger number, `late` steps later.
    """
    least = _broadcast_time(L, others)
    all_sizes = [min(fibonacci(L, x), others) for x in range(least + 1)]
    for later, lost, period, repeats in plans:
        depth = least + later
        items, copies = _copies(depth, k, L + depth - 1 - late)
        if not 0 < items <= copies or 2 * others * period * max(repeats) > _MAX_RECEPTIONS:
            continue
        sizes = all_sizes[:depth]
        balls = max(items, sum(sizes) // others - later)
        patience.ask()
        arcs = automaton(L, depth, range(balls, balls + 2 + later), lost, _MAX_ARCS // period)
        if arcs is None:
            continue
        allowed = min(limit, _MOST_WORK)
        search = ColoringSearch(
            L, others, depth, [arcs] * period, sizes[:copies], items, allowed, patience
        )
        work = 0
        for color in islice(search.found(), _MOST_COLORINGS):
            for repeat in repeats:
                steps = [True] * repeat if period == 1 else [True] + [False] * (period - 1)
                program = CirculationProgram(L, others, depth, search.restricted(color, steps))
                if len(program.columns) > _MAX_COLUMNS:
                    break
                cycles = program.cycles(patience)
                work += program.work
                if cycles is not None and _different(cycles) * copies <= _MAX_RECEPTIONS:
                    return cycles, items, tuple([color[x] for x in reversed(range(copies))])
            if work > allowed or len(program.columns) > _MAX_COLUMNS:
                break
        limit -= work + search.work
        if limit <= 0:
            break
    return None


def _different(cycles: tuple[Cycle, ...]) -> int:
    """The number of processors without those of equal cycles, which receive the same."""
    return sum(len(roles) // shift for shift, roles in set(cycles))


def _turned(cycles: tuple[Cycle, ...], step: int) -> tuple[Cycle, ...]:
    """Cycles that are at their beginning in a step, instead of step 0."""
    turned = []
    for shift, roles in cycles:
        first = -step % shift
        turned.append(Cycle(shift, (*roles[first:], *roles[:first])))
    return tuple(turned)


def _endgame(plain: LogPCycles, saved: int) -> tuple[int, ...] | None:
    """An endgame for the cycles of a single-sending schedule, to end `saved` steps earlier."""
    L, k = plain.machine.L.numerator, plain.items
    depth = plain.time - L - (k - 1)
    items, copies = _copies(depth, k, saved)
    if items > copies:
        return None
    received = _received(plain.cycles, plain.time - saved, copies)
    color = _rainbow(received, items, copies)
    if color is None:
        return None
    return tuple([k - items + color[x] for x in reversed(range(copies))])


def _received(cycles: tuple[Cycle, ...], time: int, copies: int) -> list[tuple[int, ...]]:
    """The different sets of copies that processors have received at `time`.

    In step `time` - x a processor may be in a role of the delay d; what arrives is the copy d + x.
    """
    found = set()
    for shift, roles in set(cycles):
        length = len(roles)
        for start in range(0, length, shift):
            row = [x + roles[(time - start - x) % length][0] for x in range(copies)]
            found.add(frozenset([copy for copy in row if copy < copies]))
    return [tuple(sorted(row)) for row in sorted(found, key=sorted)]


def _rainbow(rows: list[tuple[int, ...]], colors: int, copies: int) -> Mapping[int, int] | None:
    """A coloring of the copies such that every row has all colors, by backtracking; or None."""
    rows_of: list[list[int]] = [[] for _ in range(copies)]
    for index, row in enumerate(rows):
        for copy in row:
            rows_of[copy].append(index)
    if any(len(row) < colors for row in rows):
        return None
    left = [len(row) for row in rows]
    seen = [[0] * colors for _ in rows]
    missing = [colors] * len(rows)
    order = sorted(range(copies), key=lambda copy: (-len(rows_of[copy]), copy))
    color: dict[int, int] = {}
    steps = 0

    def extended(position: int) -> bool:
        nonlocal steps
        if position == copies:
            return True
        copy = order[position]
        steps += len(rows_of[copy]) + 1
        used = max(color.values(), default=-1) + 1
        for choice in range(min(used + 1, colors)):
            color[copy] = choice
            possible = True
            for row in rows_of[copy]:
                left[row] -= 1
                missing[row] -= seen[row][choice] == 0
                seen[row][choice] += 1
                possible = possible and missing[row] <= left[row]
            if possible and steps <= _MAX_STEPS and extended(position + 1):
                return True
            for row in rows_of[copy]:
                left[row] += 1
                seen[row][choice] -= 1
                missing[row] += seen[row][choice] == 0
            del color[copy]
        return False

    return color if extended(0) else None
