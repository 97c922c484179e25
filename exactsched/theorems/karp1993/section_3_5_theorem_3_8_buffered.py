"""k items where messages may wait at their receivers: theorem 3.8."""

# ruff: noqa: N806  (L and P are the names in all of the literature)

from __future__ import annotations

from exactsched.instances.logp_items import BUFFERED_ITEMS, Items
from exactsched.logp.buffered import buffered_items
from exactsched.oracles.logp import least_depth
from exactsched.oracles.logp_schedules import postal_fault, waiting
from exactsched.simulation.logp_buffered import receptions
from exactsched.theorems.claim import Say, claim
from exactsched.theorems.karp1993.section_3_3_theorems_3_4_and_3_5_latency_two import NOT_REACHED

_PLAYED = 500  # messages of a schedule


@claim(
    "karp1993.thm3.8",
    number="theorem 3.8, and its footnote; for L = 2 only for some P",
    status="in part",
    instances=BUFFERED_ITEMS,
    page="logp-buffered",
    implements=("exactsched/logp/buffered.py",),
    judged="`check`; receptions one by one, by definition",
)
def buffered(asked: Items, say: Say) -> None:
    """If messages may wait at their receivers, there is a single-sending schedule of k items that
    takes L + B(P-1) + k - 1 steps, and none takes less: for all L >= 3, P >= 2 and k with at most
    one message waiting at a processor, for a step; for L = 1 without waiting; for L = 2 and P <= 90
    without waiting where P - 1 is none of 21, 32 to 34, 49 to 55, 77 to 89. For these, and for
    L = 2 and larger P, a step more is enough here, and whether it is needed is open.
    """
    L, P, k = asked.L, asked.P, asked.k
    stated = buffered_items(L, P, k)
    say.accepts(stated)
    least = L + least_depth(L, P - 1) + k - 1
    say(time=stated.time, buffer=stated.buffer, cycles=len(stated.cycles))
    late = stated.time - least
    say.require(late in ((0, 1) if L == 2 else (0,)), "the time is not L + B(P-1) + k - 1")
    if L == 2 and NOT_REACHED[-1] >= P - 1:
        say.require((late == 1) == (P - 1 in NOT_REACHED), "L = 2: another P takes a step more")
    few = stated.buffer <= (L > 2)
    say.require(few, "more than one message waits, or one for L <= 2")
    if k * P > _PLAYED:
        return
    rows = receptions(stated)
    fault = postal_fault(L, range(P), P - 1, k, rows)
    say.require(not fault, fault)
    waited = waiting(L, rows)
    say(waited=len(waited))
    soon = all(row.step <= row.start + L + 1 for row in rows)
    say.require(soon, "a message is late by two steps")
    say.require(max(waited.values(), default=0) <= 1, "two messages wait at a processor")
    ended = max(row.step for row in rows) == stated.time
    say.require(ended, "the last reception is at another time")
