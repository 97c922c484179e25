"""k items where messages may wait at their receivers: theorem 3.8."""

# ruff: noqa: N806  (L and P are the names in all of the literature)

from __future__ import annotations

from exactsched.instances.logp_items import BUFFERED_ITEMS, Items
from exactsched.logp.buffered import buffered_items
from exactsched.oracles.logp import least_depth
from exactsched.oracles.logp_schedules import postal_fault, waiting
from exactsched.simulation.logp_buffered import receptions
from exactsched.theorems.claim import Say, claim

_PLAYED = 500  # messages of a schedule


@claim(
    "karp1993.thm3.8",
    number="theorem 3.8, and its footnote",
    status="sharpened",
    instances=BUFFERED_ITEMS,
    page="logp-buffered",
    implements=("exactsched/logp/buffered.py",),
    judged="`check`; receptions one by one, by definition",
)
def buffered(asked: Items, say: Say) -> None:
    """If messages may wait at their receivers, then for all L >= 3, P >= 2 and k there is a
    single-sending schedule of k items that takes L + B(P-1) + k - 1 steps, which is optimal; none
    waits longer than a step, and at most one at a processor. For L = 1 none waits; for L = 2 none,
    and it may take a step more (whether it must is open).
    """
    L, P, k = asked.L, asked.P, asked.k
    stated = buffered_items(L, P, k)
    say.accepts(stated)
    least = L + least_depth(L, P - 1) + k - 1
    say(time=stated.time, buffer=stated.buffer, cycles=len(stated.cycles))
    right = least <= stated.time <= least + (L == 2)
    say.require(right, "the time is not L + B(P-1) + k - 1, for L = 2 perhaps one more")
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
