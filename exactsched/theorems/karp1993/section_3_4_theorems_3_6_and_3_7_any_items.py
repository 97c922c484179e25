"""k items for every latency, the source sending each of them once or not: theorems 3.6 and 3.7."""

# ruff: noqa: N806  (L and P are the names in all of the literature)

from __future__ import annotations

from exactsched.certificate.logp_messages import unrolled
from exactsched.instances.logp_items import ITEMS, Items
from exactsched.logp.items import single_sending
from exactsched.oracles.logp import ItemNumbers
from exactsched.oracles.logp_schedules import cycles_fault
from exactsched.theorems.claim import Say, claim

_PLAYED = 500  # messages of a schedule


@claim(
    "karp1993.thm3.6",
    number="theorem 3.6",
    status="sharpened",
    instances=ITEMS,
    page="logp-items",
    implements=("exactsched/logp/items.py", "exactsched/logp/continuous.py"),
    judged="`check`; messages one by one, by definition",
)
def any_items(asked: Items, say: Say) -> None:
    """For all k, L and P >= 2, k items can be broadcast in B(P-1) + 2 L + k - 2 steps, which is at
    most 2 L - 1 above theorem 3.1, as k* <= L. In fact L + B(P-1) + k - 1 are enough, and for L = 2
    one more.
    """
    L, P, k = asked.L, asked.P, asked.k
    numbers, stated = ItemNumbers(L, P), single_sending(L, P, k)
    single_sending_in_time(asked, say)
    # L + t - 1 is not enough for k items, so L + t is a lower bound.
    last = stated.time - L - (2 * L - 1)
    near = last <= 0 or numbers.receptions(last - 1) < k * (P - 1)
    say.require(numbers.most <= L and near, "k* > L, or over 2 L - 1 steps above theorem 3.1")


@claim(
    "karp1993.thm3.7",
    number="theorem 3.7",
    status="sharpened",
    instances=ITEMS,
    page="logp-items",
    implements=("exactsched/logp/items.py", "exactsched/logp/continuous.py"),
    judged="`check`; messages one by one, by definition",
    corners=lambda: (
        Items(1, 2, 1),
        Items(2, 35, 10),
        Items(4, 8, 9),
        Items(5, 40, 16),  # a block of 7, as in figure 4
    ),
)
def single_sending_in_time(asked: Items, say: Say) -> None:
    """For all k, L and P >= 2 there is a single-sending schedule of k items that takes
    B(P-1) + 2 L + k - 2 steps: one takes L + B(P-1) + k - 1, the least possible, or for L = 2 one
    more.
    """
    L, P, k = asked.L, asked.P, asked.k
    stated = single_sending(L, P, k)
    say.accepts(stated)
    least = L + ItemNumbers(L, P).depth + k - 1
    say(time=stated.time, printed=least + L - 1)
    right = least <= stated.time <= least + (L == 2)
    say.require(right, "the time is not L + B(P-1) + k - 1, for L = 2 perhaps one more")
    say.require(stated.time <= least + L - 1, "more than B(P-1) + 2 L + k - 2 steps")
    say.require(not stated.endgame and stated.items == k, "an item is sent twice")
    if k * P <= _PLAYED:
        fault = cycles_fault(stated, unrolled(stated), k)
        say.require(not fault, fault)
