"""All-to-all, combining and summation on a LogP machine."""

# ruff: noqa: N806  (L is the name of the latency in all of the literature)

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, takewhile
from math import ceil, floor, lcm

from exactsched.certificate.logp import LogPCollective, LogPRounds, LogPSchedule, Message
from exactsched.check import check
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import Rational, to_json
from exactsched.instances.choices import Choices
from exactsched.instances.machines import logp
from exactsched.logp.allgather_and_alltoall import allgather, allgather_bound, alltoall
from exactsched.logp.allreduce import allreduce
from exactsched.logp.counts import broadcast_time
from exactsched.logp.summation import operand_numbers, summation_of, summation_within
from exactsched.model.machine import LogP
from exactsched.oracles.logp import (
    labels_by_definition,
    least_depth,
    least_of_two,
    operands_of_all_fractional_trees,
    operands_of_all_trees,
    sequence,
)
from exactsched.simulation.logp import simulate_logp
from exactsched.theorems.claim import Bounds, Claim, Verdict, held, not_applicable, refuted

_PAPER = "Karp, Sahay, Santos and Schauser, SPAA 1993"
_PLAYED = 300  # messages of a schedule
_ALL_TREES = 5  # processors, of all trees of receptions
_LONG = 40  # ticks of such trees


@dataclass(frozen=True, slots=True)
class Exchange:
    """Everybody has `items` items for everybody, or, `personal`, for each of the others."""

    machine: LogP
    items: int
    personal: bool


@dataclass(frozen=True, slots=True)
class Sum:
    """As many operands as can be added up within `time`, in additions."""

    machine: LogP
    time: Rational


# Theorem 4.1 -------------------------------------------------------------------------------------


def _combined(machine: LogP) -> Verdict:
    P, delay = machine.P, machine.delay
    stated = allreduce(machine)
    check(stated)
    facts = {"time": to_json(stated.time), "rounds": len(stated.rounds)}
    if P == 1:
        return held(**facts) if stated.time == 0 else refuted("nothing takes time", **facts)
    # d periods p are a pace if sends and receptions never meet.
    period = stated.tick
    d = ceil(delay / period)
    if period < max(machine.g, 2 * machine.o) or (d - 1) * period > machine.L:
        return refuted("the period is too short", **facts)
    last = least_depth(d, P)
    if stated.time != (last - d) * period + delay:
        return refuted("the time is not (T - d) p + D", **facts)
    possible = [
        (least_depth(n, P) - n) * one + delay
        for n in range(1, d + 2)
        for one in [max(machine.g, 2 * machine.o, delay / n)]
        if (n - 1) * one < delay and (n - 1) * one <= machine.L
    ]
    if min(possible) != stated.time:
        return refuted("another pace is faster", **facts)
    least = broadcast_time(machine)
    if stated.time < least or stated.optimal != (stated.time == least):
        return refuted("in less than the time of a broadcast", **facts)
    if delay % machine.g == 0 and 2 * machine.o <= machine.g and not stated.optimal:
        return refuted("the time of a broadcast is not reached", **facts)
    shifts = sequence(d, last)
    # With f_T processors it is the algorithm of the paper: everybody sends all in every round.
    every = [(j, shifts[j + d - 1], 0) for j in range(last - d + 1)]
    if shifts[last] == P and list(stated.rounds) != every:
        return refuted("for f_T processors the shifts are not f_(j+d-1)", **facts)
    if len(stated.rounds) * P <= _PLAYED:
        wrong = _uncombined(stated, d)
        if wrong:
            return refuted(wrong, **facts)
        if simulate_logp(stated).time != stated.time:
            return refuted("played, it ends at another time", **facts)
    return held(**facts, pace=d)


def _uncombined(stated: LogPRounds, d: int) -> str:
    """The windows of all processors, as lists of the values in them."""
    P = stated.machine.P
    known = [[p] for p in range(P)]
    under_way: list[tuple[int, int, list[int]]] = []
    rounds = {number: (shift, item) for number, shift, item in stated.rounds}
    for number in range(max(rounds, default=0) + d + 1):
        for _, receiver, values in [row for row in under_way if row[0] == number]:
            known[receiver] = known[receiver] + values
        if number in rounds:
            shift, item = rounds[number]
            for p in range(P):
                values = [x for x in known[p] if not (item and x == p)]
                under_way.append((number + d, (p + shift) % P, values))
    for p, values in enumerate(known):
        if sorted(values) != list(range(P)):
            return f"{p} has combined {sorted(values)}"
    return ""


def _any_machine(choices: Choices, bound: int) -> LogP:
    kind = choices.below(5)
    if kind == 0:
        postal = logp(choices, max_processors=bound, postal=True)
        f = sequence(int(postal.L), 6 * bound)
        fitting = [x for x in f if x <= 4 * bound]
        return LogP(postal.L, 0, 1, choices.one_of(fitting))
    if kind == 1:  # D is a multiple of g, and 2 o <= g
        g, o = choices.between(3, 6), choices.below(2)
        return LogP(g * choices.between(1, 4) - 2 * o, o, g, choices.between(1, 2 * bound))
    if kind == 2 and choices.flip():
        few = logp(choices, max_processors=1)
        return LogP(few.L, few.o, few.g, 10 ** choices.between(3, 18) - choices.below(3))
    return logp(choices, max_processors=2 * bound)


# Lemma 5.1 ---------------------------------------------------------------------------------------


def _added(asked: Sum) -> Verdict:
    machine, time = asked.machine, Fraction(asked.time)
    if any(x.denominator > 1 for x in (machine.L, machine.o, machine.g)):
        return not_applicable("L, o and g are whole numbers")
    stated = summation_within(machine, asked.time)
    check(stated)
    steps, o = floor(time), int(machine.o)
    starts = [start * stated.tick for *_, start in stated.messages]
    facts = {"operands": stated.count, "processors": len(starts) + 1, "time": steps}
    # A lazy algorithm: the sends S_i, and what is added at each processor.
    ends = [*starts, stated.time]
    if stated.count != sum(ends) - o * (len(ends) - 1) + 1:
        return refuted("not sum S_i - o (p - 1) + 1 operands", **facts)
    if not steps - 1 < stated.time <= steps and stated.count > 1:
        return refuted("the time is not the least for so many", **facts)
    # The bound of statement 1, for floor(t): the labels of the machine (L + 1, o, max(g, o + 1)).
    gap = int(max(machine.g, machine.o + 1))
    labels = islice(labels_by_definition(int(machine.L) + 2 * o + 1, gap), 1, machine.P)
    most = 1 + steps + sum(steps - o - x for x in takewhile(lambda x: x < steps - o, labels))
    if stated.count != most or stated.bound != most:
        return refuted("not as many operands as the labels allow", most=most, **facts)
    if machine.P <= _ALL_TREES and steps <= _LONG and most != operands_of_all_trees(machine, steps):
        return refuted("a tree of receptions adds more, or none as many", **facts)
    again = summation_of(machine, stated.count)
    check(again)
    if again.time != stated.time or again.count != stated.count:
        return refuted("so many operands do not take this time at least", **facts)
    return _as_played(stated, facts)


def _as_played(stated: LogPSchedule, facts: dict[str, int]) -> Verdict:
    """The operands are those of the machine that runs the schedule, and in the order stated."""
    if stated.count > 20 * _PLAYED:
        return held(**facts)
    numbers = {
        (processor, place): number
        for processor, ranges in operand_numbers(stated).items()
        for place, number in enumerate(number for several in ranges for number in several)
    }
    played = simulate_logp(stated, values=lambda p, i: (numbers[p, i],))
    if len(played.operands) != stated.count:
        return refuted("played, it adds another number of operands", **facts)
    if played.results[0] != tuple(range(stated.count)):
        return refuted("the sum is not that of the operands in their order", **facts)
    return held(**facts)


def _lazy_as_printed(asked: Sum) -> Verdict:
    """The number of operands of a lazy algorithm of all processors, as printed: sum S_i - o P + 1.

    Its receptions start at S - (o + 1) - (k - j) g, and it is played.
    """
    machine, steps = asked.machine, floor(Fraction(asked.time))
    if any(x.denominator > 1 for x in (machine.L, machine.o, machine.g)):
        return not_applicable("L, o and g are whole numbers")
    if machine.g < machine.o + 1:
        return not_applicable("for g < o + 1 receptions overlap additions as printed")
    stated = summation_within(machine, steps)
    if len(stated.messages) + 1 < machine.P or stated.time != steps:
        return not_applicable("not all processors take part")
    ends = [*(start for *_, start in stated.messages), steps]
    printed = sum(ends) - machine.o * machine.P + 1
    added = len(simulate_logp(stated).operands)
    facts = {"operands": added, "printed": to_json(printed), "sends": sum(ends)}
    if added != printed:
        return refuted(f"it adds {added} operands, and not {printed}", **facts)
    return held(**facts)


def _fractional(asked: Sum) -> Verdict:
    machine, time = asked.machine, Fraction(asked.time)
    stated = summation_within(machine, asked.time)
    check(stated)
    unit = lcm(*(x.denominator for x in (machine.L, machine.o, machine.g)))
    facts: dict[str, int] = {"operands": stated.count, "bound": int(stated.bound), "unit": unit}
    if stated.time > time or stated.count > stated.bound:
        return refuted("it takes more time, or adds more than any algorithm", **facts)
    # The integral bound of statement 1, which additions that are not interrupted may not reach.
    gap = max(machine.g, machine.o + 1)
    delay = machine.L + 2 * machine.o + 1
    labels = islice(labels_by_definition(int(delay * unit), int(gap * unit)), 1, machine.P)
    end = Fraction(stated.time)  # which may be less than the time given
    last = (end - machine.o) * unit
    most = 1 + floor(end + sum(last - x for x in takewhile(lambda x: x < last, labels)) / unit)
    if stated.bound > most:
        return refuted("a bound above that of processors that are never idle", **facts)
    exact = (gap - machine.o).denominator == 1
    if exact and (stated.count < stated.bound or not stated.optimal):
        return refuted("G' - o is whole, and the bound is not reached", **facts)
    again = summation_of(machine, stated.count)
    check(again)
    if stated.time != again.time and max(stated, again, key=lambda one: one.time).optimal:
        return refuted("as many are added in less than an optimal time", **facts)
    if machine.P <= _ALL_TREES and time * unit <= _LONG:
        best = operands_of_all_fractional_trees(machine, end)
        facts["all"] = operands_of_all_fractional_trees(machine, time)
        if not stated.count <= best <= stated.bound:
            return refuted("more operands than any tree, or a bound that is too low", **facts)
        if exact and facts["all"] != stated.count:
            return refuted("G' - o is whole, and a tree adds more", **facts)
    return _as_played(stated, facts)


def _whole_sum(choices: Choices, bound: int) -> Sum:
    machine = logp(choices, max_processors=bound, whole=True)
    if choices.flip(15):
        return Sum(machine, 10**18 + choices.below(3))
    time = Fraction(choices.below(6 * bound + 1), choices.one_of((1, 1, 1, 2, 3)))
    return Sum(machine, time.numerator if time.denominator == 1 else time)


def _all_sums(choices: Choices, bound: int) -> Sum:
    unit = choices.between(2, 4)
    latency, o, g = (Fraction(choices.between(n, 3 * unit), unit) for n in (1, 0, 1))
    machine = LogP(latency, o, g, choices.between(1, bound))
    time = Fraction(choices.below(3 * bound * unit), unit)
    return Sum(machine, time.numerator if time.denominator == 1 else time)


def _printed_sum(choices: Choices, bound: int) -> Sum:
    """Gaps and times are long enough for all to take part."""
    latency, o = choices.between(1, 6), choices.below(4)
    machine = LogP(latency, o, o + choices.between(1, 4), choices.between(1, bound))
    label = list(islice(labels_by_definition(latency + 2 * o + 1, int(machine.g)), machine.P))[-1]
    return Sum(machine, label + o + 1 + choices.below(4 * bound))


# All-to-all --------------------------------------------------------------------------------------


def _exchanged(asked: Exchange) -> Verdict:
    machine, items = asked.machine, asked.items
    m = items * (machine.P - 1)
    stated = (alltoall if asked.personal else allgather)(machine, items)
    check(stated)
    facts = {"time": to_json(stated.time), "bound": to_json(stated.bound), "messages": m}
    if m == 0:
        return held(**facts) if stated.time == 0 else refuted("nothing takes time", **facts)
    arrival, gap = machine.L + machine.o, max(machine.g, machine.o)
    simple = machine.delay + (m - 1) * gap
    free = all(abs(arrival - d * gap) >= machine.o for d in range(1, m)) or machine.o == 0
    if (stated.time == simple) != free:
        return refuted("D + (m - 1) G is reached if receptions meet no sends, only then", **facts)
    if stated.bound != allgather_bound(machine, items) or stated.bound < simple:
        return refuted("the bound is less than the simple one", **facts)
    if not free and stated.bound <= simple:
        return refuted("the simple bound is not excluded where it is not reached", **facts)
    if m <= 2 and stated.time != stated.bound:
        return refuted("not optimal for two messages", **facts)
    if machine.P == 2 and m <= 2 and least_of_two(machine, m) not in (None, stated.time):
        return refuted("two processors can do better, or not so well", **facts)
    # Of n = floor(L / G) + 1 common rounds none meets another one's receptions.
    rounds = floor(machine.L / gap) + 1
    turns, within = divmod(m - 1, rounds)
    common = turns * max(machine.delay, rounds * gap) + within * gap + machine.delay
    if gap >= 2 * machine.o and stated.time > common:
        return refuted("rounds in turns are faster", **facts)
    if m * machine.P <= _PLAYED and simulate_logp(stated).time != stated.time:
        return refuted("played, it ends at another time", **facts)
    return held(**facts, simple=free)


def _rounds_as_printed(asked: Exchange) -> Verdict:
    """Processor i sends to i + 1, ..., i + P - 1 at 0, g, ..., and that `items` times."""
    machine, items = asked.machine, asked.items
    P, m = machine.P, asked.items * (asked.machine.P - 1)
    if m == 0:
        return held()
    unit = lcm(*(x.denominator for x in (machine.L, machine.o, machine.g)))
    messages: list[Message] = []
    for number in range(m):
        item, ahead = divmod(number, P - 1)
        for p in range(P):
            to = (p + ahead + 1) % P
            name = (p * P + to if asked.personal else p) * items + item
            messages.append(Message(p, to, name, number * int(machine.g * unit)))
    time = machine.delay + (m - 1) * machine.g
    kind: LogPCollective = "alltoall" if asked.personal else "allgather"
    literal = LogPSchedule(
        machine, kind, items, Fraction(1, unit), tuple(messages), (), time, time, optimal=True
    )
    facts = {"printed": to_json(time), "bound": to_json(allgather_bound(machine, items))}
    try:
        simulate_logp(literal)
    except Rejected as error:
        return refuted(f"the printed order collides: {error}", **facts)
    if time > allgather_bound(machine, items):
        return refuted("the printed order is not optimal", **facts)
    return held(**facts)


def _exchange(choices: Choices, bound: int) -> Exchange:
    if choices.flip(20):
        few = logp(choices, max_processors=2)
        return Exchange(few, choices.between(1, 10 * bound), choices.flip())
    machine = logp(choices, max_processors=bound)
    if choices.flip():  # the first reception near the start of a send
        gap = max(machine.g, machine.o)
        near = gap * choices.between(1, bound) + Fraction(choices.below(5) - 2, 2)
        latency = max(near - machine.o, Fraction(1, 2))
        machine = LogP(latency, machine.o, machine.g, machine.P)
    return Exchange(machine, choices.between(1, 3), choices.flip())


CLAIMS = (
    Claim(
        id="karp1993.thm4.1",
        statement=(
            "D = L + 2 o; d >= 1 and p are a pace if p >= max(g, 2 o), (d-1) p < D <= d p and"
            " L >= (d-1) p. Then all P values are combined everywhere at (T-d) p + D, T the least"
            " index with f_T >= P for f_i = f_(i-1) + f_(i-d). If g divides D and 2 o <= g, so in"
            " the postal model, that is B(P), and optimal. For P = f_T the shifts are f_(j+d-1)."
        ),
        reference=f"{_PAPER}, theorem 4.1 (postal model, P = f_T)",
        status="sharpened",
        page="logp-allreduce",
        implemented=("exactsched/logp/allreduce.py",),
        checked_by="`check`; windows as lists of values; `simulate_logp`; all paces",
        instance_type=LogP,
        instance=_any_machine,
        check=_combined,
        bounds=Bounds(8, 30, 400),
        corners=lambda: (
            LogP(1, 0, 1, 1),
            LogP(3, 0, 1, 9),
            LogP(6, 2, 4, 8),  # figure 1's machine: one more than the bound
            LogP(1, 1, 1, 3),
            LogP(1, 0, 5, 40),
            LogP(Fraction(7, 3), Fraction(1, 2), Fraction(3, 4), 10**18),
        ),
    ),
    Claim(
        id="karp1993.lemma5.1",
        statement=(
            "L, o, g whole, D' = L + 2 o + 1, G' = max(g, o + 1). Of the universal tree with first"
            " children D' and siblings G' later, l_1 <= l_2 <= ... are the labels. The most"
            " operands that are added within t are S_1 + ... + S_p - o (p-1) + 1, where"
            " S_i = floor(t) - l_i, and the first p processors take part, those with S_i > o. They"
            " are added in their order."
        ),
        reference=f"{_PAPER}, lemma 5.1",
        status="corrected",
        page="logp-summation",
        implemented=("exactsched/logp/summation.py",),
        checked_by=(
            "`check`; `simulate_logp`, in order; labels one by one; all trees of 5 processors or"
            " fewer"
        ),
        instance_type=Sum,
        instance=_whole_sum,
        check=_added,
        bounds=Bounds(6, 20, 300),
        corners=lambda: (
            Sum(LogP(5, 2, 4, 8), 28),  # figure 6: 79
            Sum(LogP(1, 1, 1, 1), 5),
            Sum(LogP(1, 0, 1, 1), 0),
            Sum(LogP(5, 2, 4, 3), 15),  # the third would add 1 and cost 2
            Sum(LogP(3, 4, 1, 5), Fraction(81, 2)),
            Sum(LogP(2, 1, 1, 10**4), 30),
        ),
        corrects="karp1993.lemma5.1.printed",
    ),
    Claim(
        id="karp1993.lemma5.1.printed",
        statement=(
            "A lazy summation algorithm whose P processors send at S_1 <= ... <= S_P = t adds"
            " S_1 + ... + S_P - o P + 1 operands."
        ),
        reference=f"{_PAPER}, lemma 5.1",
        status="wrong as printed",
        page="logp-summation",
        implemented=(),
        checked_by="`simulate_logp` counts the operands of a lazy algorithm",
        instance_type=Sum,
        instance=_printed_sum,
        check=_lazy_as_printed,
        bounds=Bounds(6, 12, 30),
        counterexample=lambda: Sum(LogP(1, 1, 2, 1), 1),
    ),
    Claim(
        id="karp1993.lemma5.1.fractions",
        statement=(
            "For rational L, o, g and t no algorithm adds more operands within t than n*(t), the"
            " least over whole prices z of 1 + z (P-1) + V(z), V(z) the most additions in a tree of"
            " receptions less z for every message. If max(g, o + 1) - o is whole, as many are"
            " added, in the least time."
        ),
        reference="proofs/logp-summation.md, statements 1 and 5 to 8",
        status="new",
        page="logp-summation",
        implemented=("exactsched/logp/summation.py", "exactsched/logp/lagrangian_receptions.py"),
        checked_by="`check`; `simulate_logp`, in order; all trees of at most 5 processors",
        instance_type=Sum,
        instance=_all_sums,
        check=_fractional,
        bounds=Bounds(5, 10, 60),
        corners=lambda: (
            Sum(LogP(1, Fraction(1, 2), 1, 4), 10),
            Sum(LogP(Fraction(1, 3), 0, Fraction(3, 2), 5), 7),
            Sum(LogP(Fraction(1, 2), 0, 1, 1), 0),
            # One tree adds 20 operands, 19 are found, in less time.
            Sum(LogP(Fraction(7, 4), Fraction(1, 2), Fraction(9, 4), 5), Fraction(39, 4)),
            Sum(LogP(Fraction(5, 2), Fraction(1, 2), Fraction(7, 2), 12), 20),
        ),
    ),
    Claim(
        id="karp1993.alltoall",
        statement=(
            "P processors have k items each for all, or for each of the others; m = k (P-1) > 0,"
            " D = L + 2 o, G = max(g, o). It takes D + (m-1) G at least, which is reached if and"
            " only if o = 0 or |L + o - d G| >= o for 0 < d < m. For m <= 2 the schedule is"
            " optimal; if G >= 2 o, turns of floor(L/G) + 1 rounds are always possible."
        ),
        reference=f"{_PAPER}, section 4.1",
        status="corrected",
        page="logp-alltoall",
        implemented=("exactsched/logp/allgather_and_alltoall.py",),
        checked_by="`check`; `simulate_logp`; the condition for every d",
        instance_type=Exchange,
        instance=_exchange,
        check=_exchanged,
        bounds=Bounds(5, 8, 60),
        corners=lambda: (
            Exchange(LogP(6, 2, 4, 4), 1, personal=False),
            Exchange(LogP(1, 1, 2, 3), 1, personal=True),
            Exchange(LogP(1, 0, 1, 1), 3, personal=False),
            Exchange(LogP(1, 2, 1, 2), 4, personal=False),
            Exchange(LogP(7, 2, 3, 5), 1, personal=False),
            Exchange(LogP(6, 2, 4, 1000), 1, personal=False),
        ),
        corrects="karp1993.alltoall.printed",
    ),
    Claim(
        id="karp1993.alltoall.printed",
        statement=(
            "If everybody sends to the processors 1, ..., P - 1 places further on at 0, g, ...,"
            " (P-2) g, k times over, all is done at L + 2 o + g (k (P-1) - 1), which is optimal."
        ),
        reference=f"{_PAPER}, section 4.1",
        status="wrong as printed",
        page="logp-alltoall",
        implemented=(),
        checked_by="`simulate_logp` plays the printed order",
        instance_type=Exchange,
        instance=_exchange,
        check=_rounds_as_printed,
        bounds=Bounds(5, 8, 12),
        counterexample=lambda: Exchange(LogP(1, 1, 2, 3), 1, personal=False),
    ),
)
