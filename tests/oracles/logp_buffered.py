"""The buffered model by its definition: message by message, step by step."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from exactsched.certificate.logp import LogPBuffered
from exactsched.logp.counts import broadcast_time
from exactsched.model.machine import LogP
from exactsched.simulation.logp_buffered import Reception, receptions

# So many items are played of longer series.
MOST = 40


def buffered_bound_by_definition(stated: LogPBuffered) -> int:
    alone = LogP(stated.machine.L, 0, 1, stated.machine.P - 1)
    return int(stated.machine.L + broadcast_time(alone) + stated.items - 1)


def played(stated: LogPBuffered) -> tuple[int, int]:
    """When all is done, and the most messages that wait at a processor; by playing every step.

    Fails unless the rules of the model are kept and everybody gets every item.
    """
    latency, source = int(stated.machine.L), stated.machine.P - 1
    rows = receptions(stated)
    sends = Counter((row.sender, row.start) for row in rows)
    assert set(sends.values()) == {1}, "two sends in a step"
    assert all(row.step >= row.start + latency for row in rows), "received before it arrives"
    has: dict[int, dict[int, int]] = {processor: {} for processor in range(source)}
    has[source] = dict.fromkeys(range(stated.items), 0)
    arriving: dict[int, list[Reception]] = {}
    for row in rows:
        arriving.setdefault(row.start + latency, []).append(row)
    waiting: dict[int, list[Reception]] = {processor: [] for processor in range(source)}
    most = 0
    end = max(row.step for row in rows)
    for step in range(end + 1):
        for row in arriving.get(step, []):
            waiting[row.receiver].append(row)
        for processor, buffer in waiting.items():
            now = [row for row in buffer if row.step == step]
            assert len(now) <= 1, "two receptions in a step"
            for row in now:
                assert row.item not in has[processor], "an item twice"
                has[processor][row.item] = step
                buffer.remove(row)
            most = max(most, len(buffer))
    assert not any(waiting.values())
    assert all(len(items) == stated.items for items in has.values()), "an item is missing"
    for row in rows:
        assert has[row.sender][row.item] <= row.start, "sent before it was received"
    once = sorted(row.item for row in rows if row.sender == source)
    assert once == list(range(stated.items)), "the source sends every item once"
    return end, most


def refuse_buffered_lies(stated: LogPBuffered) -> None:
    """Fails unless what a certificate says is true; of a long series the beginning is played."""
    fewer = min(stated.items, MOST)
    time, most = played(replace(stated, items=fewer))
    assert most <= stated.buffer
    if fewer == MOST:
        assert most == stated.buffer
    assert stated.time == time + stated.items - fewer
    assert stated.bound == buffered_bound_by_definition(stated)
    assert stated.optimal == (stated.time == stated.bound)
