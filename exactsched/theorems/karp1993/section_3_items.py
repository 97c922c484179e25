"""k items in the postal model: what they take at least, with and without buffers."""

# ruff: noqa: N806  (L is the name of the latency in all of the literature)

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from exactsched.certificate.logp import Cycle, LogPCycles, LogPSchedule, Role
from exactsched.check import check
from exactsched.instances.choices import Choices
from exactsched.logp.buffered import buffered_items
from exactsched.logp.items import broadcast_items, items_lower_bound, single_sending
from exactsched.model.machine import LogP
from exactsched.oracles.logp import (
    ItemNumbers,
    any_schedule,
    least_depth,
    possible,
    sequence,
    trouble,
)
from exactsched.simulation.logp import simulate_logp
from exactsched.simulation.logp_buffered import receptions
from exactsched.simulation.logp_messages import listed
from exactsched.theorems.claim import Bounds, Claim, Verdict, held, not_applicable, refuted
from exactsched.theorems.karp1993.section_3_continuous import Items, items_of, processors_of

_PAPER = "Karp, Sahay, Santos and Schauser, SPAA 1993"
_PLAYED = 500  # messages of a schedule
_ALL_SCHEDULES = 4  # receptions of tiny cases, in all schedules
_TRIED = 300  # P * k of schedules that are made at random

# For L = 2 and P = 22 (proofs/logp-items.md): the roles (delay, children) of five cycles, and which
# of the last two items the eight last copies are.
_CYCLES_OF_21 = (
    ((5, 2), (7, 0)),
    ((5, 1), (4, 3), (8, 0), (7, 0)),
    ((2, 3), (5, 0), (8, 0), (8, 0), (4, 3), (8, 0), (7, 0)),
    ((3, 2), (6, 0), (6, 1)),
    ((0, 5), (7, 0), (6, 0), (6, 0), (6, 0)),
)
_COPIES_OF_21 = (0, 1, 1, 0, 0, 1, 0, 0)


@dataclass(frozen=True, slots=True)
class Attempt:
    """k items for P processors, sent by the rule that `picks` is for `any_schedule`."""

    L: int
    P: int
    k: int
    picks: tuple[int, ...]


# Theorem 3.1 -------------------------------------------------------------------------------------


def _no_sooner(asked: Attempt) -> Verdict:
    L, P, k = asked.L, asked.P, asked.k
    numbers = ItemNumbers(L, P)
    bound = items_lower_bound(L, P, k)
    facts = {"bound": bound, "most": numbers.most}
    last = bound - L
    if not numbers.receptions(last - 1) // (P - 1) < k <= numbers.receptions(last) // (P - 1):
        return refuted("not the first step at which there are enough receptions", **facts)
    printed = numbers.depth + L + (k - 1) - numbers.most
    if bound > printed or (k > numbers.most and bound != printed):
        return refuted("not the printed bound for k > k*, or more than it", **facts)
    if single_sending(L, P, k).time < bound:
        return refuted("the source sends every item once, and it takes less", **facts)
    if P * k <= _TRIED:
        arrived: dict[int, int] = {}
        for _, _, _, start in any_schedule(L, P, k, asked.picks):
            arrived[start] = arrived.get(start, 0) + 1
        for step, count in arrived.items():
            if count > (numbers.sequence[step] if step < numbers.depth else P - 1):
                return refuted("more receptions in a step than min(f_j, P-1)", step=step, **facts)
        facts["some"] = L + max(arrived)
        if facts["some"] < bound:
            return refuted("a schedule takes less", **facts)
    if k * (P - 1) <= _ALL_SCHEDULES:
        if possible(L, P, k, bound - 1):
            return refuted("some schedule takes less", **facts)
        if not possible(L, P, k, bound):
            return refuted("no schedule of this tiny case reaches the bound", **facts)
        facts["all"] = True
    return held(**facts)


def _attempt(choices: Choices, bound: int) -> Attempt:
    L = choices.between(1, bound)
    if choices.flip(6):  # so small that all schedules are examined
        P, k = choices.one_of(((2, 1), (3, 1), (3, 2), (2, 3), (5, 1)))
        return Attempt(min(L, 3), P, k, ())
    P = processors_of(choices, L, 2 * bound)
    if choices.flip(10):
        return Attempt(L, P, 10**18 - choices.below(3), ())
    k = choices.between(1, bound)
    picks = [choices.below(12) for _ in range(choices.below(4) * P)]
    return Attempt(L, P, k, tuple(picks))


def _printed_bound(asked: Items) -> Verdict:
    L, P, k = asked.L, asked.P, asked.k
    numbers = ItemNumbers(L, P)
    printed = numbers.depth + L + (k - 1) - numbers.most
    facts = {"printed": printed, "most": numbers.most}
    if items_lower_bound(L, P, k) >= printed or P * k > _TRIED:
        return held(**facts)
    messages = tuple(any_schedule(L, P, k, ()))
    time, bound = L + max(start for *_, start in messages), items_lower_bound(L, P, k)
    stated = LogPSchedule(
        LogP(L, 0, 1, P), "broadcast", k, 1, messages, (), time, bound, optimal=time == bound
    )
    check(stated)
    simulate_logp(stated)
    facts["time"] = time
    if time < printed:
        return refuted(f"a schedule takes {time}, and not {printed}", **facts)
    return held(**facts)


# Theorem 3.2 -------------------------------------------------------------------------------------


def _different_first(asked: Items) -> Verdict:
    L, P, k = asked.L, asked.P, asked.k
    numbers = ItemNumbers(L, P)
    if k < numbers.most:
        return not_applicable("fewer than k* items")
    time = numbers.depth + L + (k - 1) - numbers.most
    different = k - numbers.most
    facts = {"time": time, "different": different}
    if k * (P - 1) <= _ALL_SCHEDULES + 2:
        if different and possible(L, P, k, time, different):
            return refuted("an optimal schedule in which an early send repeats an item", **facts)
        return held(**facts, all=True)
    stated = broadcast_items(L, P, k)
    check(stated)
    facts["reached"] = stated.time == time
    if stated.time < time and different:
        return refuted("less time than theorem 3.1 has", **facts)
    if stated.time > time:
        return not_applicable("no optimal schedule is found")
    if _different_sends(stated, different) != different:
        return refuted("the first sends are not of different items", **facts)
    return held(**facts)


def _different_sends(stated: LogPCycles | LogPSchedule, steps: int) -> int:
    """How many items the source sends in so many first steps."""
    if isinstance(stated, LogPSchedule):
        early = [row for row in stated.messages if row[0] == 0 and row[3] < steps]
        return len({item for _, _, item, _ in early})
    alone = stated.items - len(set(stated.endgame))
    return min(alone, steps) + len(set(stated.endgame[: max(steps - alone, 0)]))


def _many_items(choices: Choices, bound: int) -> Items:
    if choices.flip(3):
        P, k = choices.one_of(((3, 3), (2, 4), (4, 2), (3, 2), (2, 6)))
        return Items(choices.between(1, 4), P, k)
    L = choices.between(1, 3)
    P = choices.between(3, bound)
    return Items(L, P, ItemNumbers(L, P).most + choices.between(0, bound))


# Corollary 3.2 -----------------------------------------------------------------------------------


def _as_sketched(asked: Items) -> Verdict:
    L, P, k = asked.L, asked.P, asked.k
    numbers = ItemNumbers(L, P)
    depth = numbers.depth
    if L != 2 or depth < 7 or numbers.sequence[depth] != P - 1 or k <= numbers.most:
        return not_applicable("L = 2, P - 1 = f_t, t >= 7, and k > k*")
    bound = depth + L + (k - 1) - numbers.most
    if P == 22 and k > 1:
        endgame = tuple([k - 2 + copy for copy in _COPIES_OF_21])
        cycles = tuple([Cycle(1, tuple(map(Role._make, roles))) for roles in _CYCLES_OF_21])
        time = L + 8 + k - 1 - 2
        stated: LogPCycles | LogPSchedule = LogPCycles(
            LogP(2, 0, 1, P), cycles, k, endgame, time, bound, optimal=time == bound
        )
    else:
        stated = broadcast_items(L, P, k)
    check(stated)
    facts = {"bound": bound, "time": int(stated.time)}
    if k * P <= 4 * _PLAYED:
        simulate_logp(stated)
        # Of the items that are sent once: how many are not broadcast in L + B(P-1).
        last = [0] * k
        for *_, item, start in listed(stated).messages:
            last[item] = max(last[item], start + L)
        once = range(k - numbers.most)
        facts["late"] = sum(1 for item in once if last[item] - item > L + depth)
    if stated.time == bound:
        return refuted("the bound of theorem 3.1 is reached", **facts)
    return held(**facts)


def _sketched(choices: Choices, bound: int) -> Items:
    full = sequence(2, bound)[7:]
    return Items(2, choices.one_of(full) + 1, choices.between(2, 100 * bound))


def _reached(asked: Items) -> Verdict:
    L, P, k = asked.L, asked.P, asked.k
    if L != 2:
        return not_applicable("the latency is 2")
    numbers = ItemNumbers(L, P)
    stated = broadcast_items(L, P, k)
    check(stated)
    facts = {"time": int(stated.time), "most": numbers.most}
    last = facts["time"] - L
    if numbers.receptions(last - 1) >= k * (P - 1):
        return refuted("the bound is not reached", **facts)
    if k * P > _PLAYED:
        return held(**facts)
    if simulate_logp(stated).time != stated.time:
        return refuted("played, it ends at another time", **facts)
    if k > numbers.most:
        early = _most_overdue(stated, numbers, last)
        if early > numbers.over:
            return refuted("more receptions are overdue than R", **facts, overdue=early)
        facts["overdue"] = early
    return held(**facts)


def _most_overdue(stated: LogPCycles | LogPSchedule, numbers: ItemNumbers, last: int) -> int:
    """How many receptions there are at most fewer, until any step, than there might be."""
    arrived = [0] * (last + 1)
    for *_, start in listed(stated).messages:
        arrived[start] += 1
    behind = [numbers.receptions(step) - sum(arrived[: step + 1]) for step in range(last + 1)]
    return max(behind)


# Theorems 3.6 to 3.8 -----------------------------------------------------------------------------


def _single_sending(asked: Items, *, general: bool) -> Verdict:
    L, P, k = asked.L, asked.P, asked.k
    numbers = ItemNumbers(L, P)
    stated = single_sending(L, P, k)
    check(stated)
    least = L + numbers.depth + k - 1
    facts = {"time": stated.time, "printed": least + L - 1}
    if not least <= stated.time <= least + (L == 2):
        return refuted("the time is not L + B(P-1) + k - 1, for L = 2 perhaps one more", **facts)
    if stated.time > least + L - 1:
        return refuted("more than B(P-1) + 2 L + k - 2 steps", **facts)
    if general:
        # L + t - 1 is not enough for k items, so L + t is a lower bound.
        last = stated.time - L - (2 * L - 1)
        if numbers.most > L or (last > 0 and numbers.receptions(last - 1) >= k * (P - 1)):
            return refuted("k* > L, or more than 2 L - 1 steps above theorem 3.1", **facts)
    elif stated.endgame or stated.items != k:
        return refuted("an item is sent twice", **facts)
    if k * P <= _PLAYED:
        wrong = trouble(stated, k)
        if wrong:
            return refuted(wrong, **facts)
    return held(**facts)


def _any_items(asked: Items) -> Verdict:
    return _single_sending(asked, general=True)


def _sent_once(asked: Items) -> Verdict:
    return _single_sending(asked, general=False)


def _buffered(asked: Items) -> Verdict:
    L, P, k = asked.L, asked.P, asked.k
    stated = buffered_items(L, P, k)
    check(stated)
    least = L + least_depth(L, P - 1) + k - 1
    facts = {"time": stated.time, "buffer": stated.buffer, "cycles": len(stated.cycles)}
    if not least <= stated.time <= least + (L == 2):
        return refuted("the time is not L + B(P-1) + k - 1, for L = 2 perhaps one more", **facts)
    if stated.buffer > (L > 2):
        return refuted("more than one message waits, or one for L <= 2", **facts)
    if k * P > _PLAYED:
        return held(**facts)
    rows = receptions(stated)
    has = {(row.receiver, row.item): row.step for row in rows}
    once = [(row.item, row.start) for row in rows if row.sender == P - 1]
    if sorted(once) != [(item, item) for item in range(k)]:
        return refuted("the source does not send item i in step i, and only then", **facts)
    if len(has) < len(rows) or set(has) != set(product(range(P - 1), range(k))):
        return refuted("an item is received twice, or somebody lacks it", **facts)
    for seen in (
        {(row.sender, row.start) for row in rows},
        {(row.receiver, row.step) for row in rows},
    ):
        if len(seen) < len(rows):
            return refuted("two sends or two receptions of a processor in a step", **facts)
    waiting: set[tuple[int, int]] = set()
    for row in rows:
        known = row.item if row.sender == P - 1 else has[row.sender, row.item]
        if known > row.start or not row.start + L <= row.step <= row.start + L + 1:
            return refuted("sent too early, or received too early, or late by two steps", **facts)
        if row.step > row.start + L:
            if (row.receiver, row.start) in waiting:
                return refuted("two messages wait at a processor", **facts)
            waiting.add((row.receiver, row.start))
    if max(has.values()) != stated.time:
        return refuted("the last reception is at another time", **facts)
    return held(**facts, waited=len(waiting))


CLAIMS = (
    Claim(
        id="karp1993.thm3.1",
        statement=(
            "Postal model, m = P - 1 >= 1. At L + j at most min(f_j, m) items are received, so k"
            " items take at least L + t, for the least t with min(f_0, m) + ... + min(f_t, m) >="
            " k m. With B(m) = n + 1 and k* = floor((f_0 + ... + f_n) / m) that is B(m) + L +"
            " (k - 1) - k* for k > k*, and B(k m + 1), which is no more, for k <= k*."
        ),
        reference=f"{_PAPER}, theorem 3.1",
        status="corrected",
        page="logp-items",
        implemented=("exactsched/logp/items.py",),
        checked_by="the sum by definition; schedules by any rule; all schedules of tiny cases",
        instance_type=Attempt,
        instance=_attempt,
        check=_no_sooner,
        bounds=Bounds(5, 12, 30),
        corners=lambda: (
            Attempt(4, 3, 1, ()),
            Attempt(5, 3, 2, ()),
            Attempt(1, 2, 1, ()),
            Attempt(1, 8, 5, (1, 2, 3)),
            Attempt(3, 10, 8, (5, 4, 3, 2, 1) * 9),  # figure 2
            Attempt(6, 1000, 10**18, ()),
        ),
        corrects="karp1993.thm3.1.printed",
    ),
    Claim(
        id="karp1993.thm3.1.printed",
        statement=(
            "Postal model, f_n < P - 1 <= f_(n+1), k* = floor((f_0 + ... + f_n) / (P - 1)). Any"
            " broadcast of k items takes at least B(P-1) + L + (k - 1) - k* steps."
        ),
        reference=f"{_PAPER}, theorem 3.1",
        status="wrong as printed",
        page="logp-items",
        implemented=(),
        checked_by="a schedule that `check` accepts and `simulate_logp` plays",
        instance_type=Items,
        instance=lambda choices, bound: items_of(choices, 1, bound, 2 * bound),
        check=_printed_bound,
        bounds=Bounds(5, 8, 20),
        counterexample=lambda: Items(3, 3, 1),
    ),
    Claim(
        id="karp1993.thm3.2",
        statement=(
            "If k >= k* items are broadcast in L + t steps, t = B(P-1) + (k - 1) - k*, then the"
            " source sends different items in the first k - k* steps."
        ),
        reference=f"{_PAPER}, theorem 3.2",
        status="as printed",
        page="logp-items",
        implemented=("exactsched/logp/items.py",),
        checked_by="all schedules of tiny cases; the source's messages of optimal schedules",
        instance_type=Items,
        instance=_many_items,
        check=_different_first,
        bounds=Bounds(5, 8, 14),
        corners=lambda: (
            Items(3, 10, 8),
            Items(1, 2, 5),
            Items(2, 3, 3),
            Items(1, 4, 2),
            Items(2, 9, 10**6),
        ),
    ),
    Claim(
        id="karp1993.cor3.2.printed",
        statement=(
            "What the sketch of corollary 3.2 infers: if L = 2, P - 1 = f_t with t >= 7 and k > k*,"
            " the first k - k* items would need optimal trees, which theorem 3.4 excludes, so k"
            " items take longer than the bound of theorem 3.1. (The corollary says that this is so"
            " for some P and k; for P <= 314 and all k it is not, for larger P it is open.)"
        ),
        reference=f"{_PAPER}, corollary 3.2",
        status="wrong as printed",
        page="logp-items",
        implemented=(),
        checked_by="a schedule that `check` accepts and `simulate_logp` plays",
        instance_type=Items,
        instance=_sketched,
        check=_as_sketched,
        bounds=Bounds(7, 7, 9),
        # More items than the 1312 in a row that could have optimal trees (theorem 3.4).
        counterexample=lambda: Items(2, 22, 1400),
    ),
    Claim(
        id="karp1993.cor3.2",
        statement=(
            "For L = 2, 2 <= P <= 314 and every k the bound of theorem 3.1 is reached. For k > k*,"
            " of the receptions that are possible until a step at most R = f_0 + ... + f_n - k* m"
            " have not taken place."
        ),
        reference="proofs/logp-items.md, corollary 3.2 is not true as sketched",
        status="new",
        page="logp-items",
        implemented=("exactsched/logp/items.py", "exactsched/logp/item_program.py"),
        checked_by="`check`; `simulate_logp`; receptions counted from the messages",
        instance_type=Items,
        instance=lambda choices, bound: Items(
            2, choices.between(2, bound), choices.between(1, 2 * bound)
        ),
        check=_reached,
        bounds=Bounds(5, 8, 35),
        corners=lambda: (Items(2, 2, 1), Items(2, 22, 3), Items(2, 14, 10**18)),
        corrects="karp1993.cor3.2.printed",
    ),
    Claim(
        id="karp1993.thm3.6",
        statement=(
            "For all k, L and P >= 2, k items can be broadcast in B(P-1) + 2 L + k - 2 steps, which"
            " is at most 2 L - 1 above theorem 3.1, as k* <= L. In fact L + B(P-1) + k - 1 are"
            " enough, and for L = 2 one more."
        ),
        reference=f"{_PAPER}, theorem 3.6",
        status="sharpened",
        page="logp-items",
        implemented=("exactsched/logp/items.py", "exactsched/logp/continuous.py"),
        checked_by="`check`; messages one by one, by definition",
        instance_type=Items,
        instance=lambda choices, bound: items_of(choices, 1, bound, 3 * bound),
        check=_any_items,
        bounds=Bounds(6, 20, 60),
        corners=lambda: (
            Items(1, 2, 1),
            Items(1, 64, 5),
            Items(2, 22, 20),
            Items(5, 14, 20),
            Items(3, 42, 10**18),  # P - 1 = P(11) of figure 3
        ),
    ),
    Claim(
        id="karp1993.thm3.7",
        statement=(
            "For all k, L and P >= 2 there is a single-sending schedule of k items that takes"
            " B(P-1) + 2 L + k - 2 steps: one takes L + B(P-1) + k - 1, the least possible, or for"
            " L = 2 one more."
        ),
        reference=f"{_PAPER}, theorem 3.7",
        status="sharpened",
        page="logp-items",
        implemented=("exactsched/logp/items.py", "exactsched/logp/continuous.py"),
        checked_by="`check`; messages one by one, by definition",
        instance_type=Items,
        instance=lambda choices, bound: items_of(choices, 1, bound, 3 * bound),
        check=_sent_once,
        bounds=Bounds(6, 20, 60),
        corners=lambda: (
            Items(1, 2, 1),
            Items(2, 35, 10),
            Items(4, 8, 9),
            Items(5, 40, 16),  # a block of 7, as in figure 4
        ),
    ),
    Claim(
        id="karp1993.thm3.8",
        statement=(
            "If messages may wait at their receivers, then for all L >= 3, P >= 2 and k there is a"
            " single-sending schedule of k items that takes L + B(P-1) + k - 1 steps, which is"
            " optimal; none waits longer than a step, and at most one at a processor. For L = 1"
            " none waits; for L = 2 none, and it may take a step more (whether it must is open)."
        ),
        reference=f"{_PAPER}, theorem 3.8 and its footnote",
        status="sharpened",
        page="logp-buffered",
        implemented=("exactsched/logp/buffered.py",),
        checked_by="`check`; receptions one by one, by definition",
        instance_type=Items,
        instance=lambda choices, bound: items_of(choices, 1, bound, 5 * bound),
        check=_buffered,
        bounds=Bounds(6, 20, 60),
        corners=lambda: (
            Items(3, 14, 14),  # figure 5
            Items(1, 2, 1),
            Items(4, 8, 9),
            Items(2, 22, 9),
            Items(7, 500, 10**18),
        ),
    ),
)
