"""k items in the postal model: what they take at least (theorems 3.1 and 3.2)."""

# ruff: noqa: N806  (L and P are the names in all of the literature)

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from exactsched.certificate.logp import LogPCycles, LogPSchedule
from exactsched.instances.logp_items import ATTEMPTS, FEW_ITEMS, MANY_ITEMS, Attempt, Items
from exactsched.logp.items import broadcast_items, items_lower_bound, single_sending
from exactsched.model.machine import LogP
from exactsched.oracles.logp import ItemNumbers, any_schedule, possible
from exactsched.simulation.logp import simulate_logp
from exactsched.theorems.claim import Say, claim

_ALL_SCHEDULES = 4  # receptions of tiny cases, in all schedules
_TRIED = 300  # P * k of schedules that are made at random


@claim(
    "karp1993.thm3.1",
    number="theorem 3.1",
    status="corrected",
    instances=ATTEMPTS,
    page="logp-items",
    implements=("exactsched/logp/items.py",),
    judged="the sum by definition; schedules by any rule; all schedules of tiny cases",
    corrects="karp1993.thm3.1.printed",
)
def least_time_of_items(asked: Attempt, say: Say) -> None:
    """Postal model, m = P - 1 >= 1. At L + j at most min(f_j, m) items are received, so k items
    take at least L + t, for the least t with min(f_0, m) + ... + min(f_t, m) >= k m. With
    B(m) = n + 1 and k* = floor((f_0 + ... + f_n) / m) that is B(m) + L + (k - 1) - k* for k > k*,
    and B(k m + 1), which is no more, for k <= k*.
    """
    L, P, k = asked.L, asked.P, asked.k
    numbers, bound = ItemNumbers(L, P), items_lower_bound(L, P, k)
    say(bound=bound, most=numbers.most)
    last = bound - L
    first = numbers.receptions(last - 1) < k * (P - 1) <= numbers.receptions(last)
    say.require(first, "not the first step at which there are enough receptions")
    printed = numbers.depth + L + (k - 1) - numbers.most
    right = bound == printed if k > numbers.most else bound <= printed
    say.require(right, "not the printed bound for k > k*, or more than it")
    less = single_sending(L, P, k).time < bound
    say.require(not less, "the source sends every item once, and it takes less")
    if P * k <= _TRIED:
        arrived = Counter(start for *_, start in any_schedule(L, P, k, asked.picks))
        for step, count in arrived.items():
            most = numbers.sequence[step] if step < numbers.depth else P - 1
            say.require(count <= most, "more receptions in a step than min(f_j, P-1)")
        say(some=L + max(arrived))
        say.require(L + max(arrived) >= bound, "a schedule takes less")
    if k * (P - 1) <= _ALL_SCHEDULES:
        say.require(not possible(L, P, k, bound - 1), "some schedule takes less")
        exact = possible(L, P, k, bound)
        say.require(exact, "no schedule of this tiny case reaches the bound")
        say(all=True)


@claim(
    "karp1993.thm3.1.printed",
    number="theorem 3.1",
    instances=FEW_ITEMS,
    page="logp-items",
    judged="a schedule that `check` accepts and `simulate_logp` plays",
    counterexample=lambda: Items(3, 3, 1),
)
def least_time_of_items_as_printed(asked: Items, say: Say) -> None:
    """Postal model, f_n < P - 1 <= f_(n+1), k* = floor((f_0 + ... + f_n) / (P - 1)). Any broadcast
    of k items takes at least B(P-1) + L + (k - 1) - k* steps.
    """
    L, P, k = asked.L, asked.P, asked.k
    numbers, bound = ItemNumbers(L, P), items_lower_bound(L, P, k)
    printed = numbers.depth + L + (k - 1) - numbers.most
    say(printed=printed, most=numbers.most)
    if bound >= printed or P * k > _TRIED:
        return
    messages = tuple(any_schedule(L, P, k, ()))
    time = L + max(start for *_, start in messages)
    stated = LogPSchedule(
        LogP(L, 0, 1, P),
        "broadcast",
        k,
        1,
        messages,
        (),
        Fraction(time),
        Fraction(bound),
        time == bound,
    )
    say.accepts(stated)
    simulate_logp(stated)
    say(time=time)
    say.require(time >= printed, f"a schedule takes {time}, and not {printed}")


@claim(
    "karp1993.thm3.2",
    number="theorem 3.2",
    instances=MANY_ITEMS,
    page="logp-items",
    implements=("exactsched/logp/items.py",),
    judged="all schedules of tiny cases; the source's messages of optimal schedules",
)
def different_items_first(asked: Items, say: Say) -> None:
    """If k >= k* items are broadcast in L + t steps, t = B(P-1) + (k - 1) - k*, then the source
    sends different items in the first k - k* steps.
    """
    L, P, k = asked.L, asked.P, asked.k
    numbers = ItemNumbers(L, P)
    if k < numbers.most:
        say.not_applicable("fewer than k* items")
    time, different = numbers.depth + L + (k - 1) - numbers.most, k - numbers.most
    say(time=time, different=different)
    if k * (P - 1) <= _ALL_SCHEDULES + 2:
        repeated = different > 0 and possible(L, P, k, time, different)
        say.require(not repeated, "an optimal schedule in which an early send repeats an item")
        say(all=True)
        return
    stated = broadcast_items(L, P, k)
    say.accepts(stated)
    say(reached=stated.time == time)
    say.require(stated.time >= time or not different, "less time than theorem 3.1 has")
    if stated.time > time:
        say.not_applicable("no optimal schedule is found")
    right = _different_sends(stated, different) == different
    say.require(right, "the first sends are not of different items")


def _different_sends(stated: LogPCycles | LogPSchedule, steps: int) -> int:
    """How many different items the source sends in its first steps."""
    if isinstance(stated, LogPSchedule):
        early = [row for row in stated.messages if row[0] == 0 and row[3] < steps]
        return len({item for _, _, item, _ in early})
    alone = stated.items - len(set(stated.endgame))
    return min(alone, steps) + len(set(stated.endgame[: max(steps - alone, 0)]))
