"""What happens before what: two steps that use one chunk are ordered, or one of them is a race."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from exactsched.export.msccl.events import Events

# Questions that one sweep over all steps answers; 4096 bits a step are 50 MB for 10^5 steps.
_AT_ONCE = 4096


class Use(NamedTuple):
    """A step that reads or writes a chunk: `later` must not begin before `earlier` is done."""

    earlier: int
    writes: bool
    later: int
    chunk: str


class Clocks:
    """Which steps of a gpu have ended when another one begins, as far as the gpu itself knows.

    `clocks[e][t]` is the last step of thread block t, by number of event, or -1.
    """

    def __init__(self, events: Events, order: Sequence[int]) -> None:
        self._events = events
        width = [0] * (max(events.gpu, default=-1) + 1)
        for gpu, block in zip(events.gpu, events.block, strict=True):
            width[gpu] = max(width[gpu], block + 1)
        nothing = [[-1] * count for count in width]
        clocks: list[list[int]] = [[]] * len(events.steps)
        gpus, blocks, waits, first = events.gpu, events.block, events.waits, events.first
        for event in order:
            clock = nothing[gpus[event]] if first[event] else clocks[event - 1]
            if waits[event]:
                clock = clock.copy()
                for other in waits[event]:
                    clock = list(map(max, clock, clocks[other]))
                    clock[blocks[other]] = max(clock[blocks[other]], other)
            clocks[event] = clock
        self._clocks = clocks

    def ended(self, earlier: int, later: int) -> bool:
        """Whether the gpu's own order says that `earlier` ends before `later` begins."""
        block = self._events.block
        if block[earlier] == block[later]:
            return earlier < later
        return self._clocks[later][block[earlier]] >= earlier


def unordered(events: Events, order: Sequence[int], uses: Sequence[Use]) -> Use | None:
    """The first use that nothing orders, not even by way of messages between gpus.

    A reader is done when what it sends has been taken on; a writer is done at its end.  A reception
    begins after its send.  Method: a bit for each earlier step is carried along the order, 4096 at
    a time.  O(uses / 4096) sweeps over all steps.
    """
    asked = iter(uses)
    while some := list(islice(asked, _AT_ONCE)):
        bits: dict[tuple[int, bool], int] = {}
        for use in some:
            bits.setdefault((use.earlier, use.writes), 1 << len(bits))
        begun = _swept(events, order, bits)
        for use in some:
            if not begun[use.later] & bits[use.earlier, use.writes]:
                return use
    return None


def _swept(
    events: Events, order: Sequence[int], bits: dict[tuple[int, bool], int]
) -> Sequence[int]:
    """The bits that have arrived when each step begins."""
    size = len(events.steps)
    begun, handed, ended = [0] * size, [0] * size, [0] * size
    sender, waits, first = events.sender, events.waits, events.first
    read = {event: bit for (event, writes), bit in bits.items() if not writes}
    written = {event: bit for (event, writes), bit in bits.items() if writes}
    for event in order:
        mask = 0 if first[event] else ended[event - 1]
        for other in waits[event]:
            mask |= ended[other]
        source = sender[event]
        if source >= 0:
            mask |= begun[source]
        begun[event] = mask
        if source >= 0:
            mask |= handed[source]
        if event in read:
            mask |= read[event]
        handed[event] = mask
        ended[event] = mask | written[event] if event in written else mask
    return begun
