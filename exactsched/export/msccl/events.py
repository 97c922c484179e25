"""The steps of all gpus in one list, matched as the connections between them match them."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, cast

from exactsched.exact.errors import Rejected
from exactsched.exact.words import counted
from exactsched.export.msccl.document import RECEIVES, SENDS, Algorithm, Step

# What a connection of the executor holds: 8 slots, of which Simple takes 4 at a time.  A message
# fits into one of these if its chunks are small; a chunk always does, piece by piece.
SLOTS: Final = {"Simple": 2, "LL": 8, "LL128": 8}


@dataclass(frozen=True, slots=True)
class Events:
    """All steps that do something, numbered by gpu, thread block, and position.

    - `steps`, `gpu`, `block`, `position`: of every step; the position counts nops as well
    - `first`: whether it is the first of its thread block
    - `waits`: the steps of its gpu that it waits for, also by nops
    - `sender`, `receiver`: the other end of what it receives or sends, or -1
    - `connections`: the sends of every connection, in order
    """

    steps: Sequence[Step]
    gpu: Sequence[int]
    block: Sequence[int]
    position: Sequence[int]
    first: Sequence[bool]
    waits: Sequence[tuple[int, ...]]
    sender: Sequence[int]
    receiver: Sequence[int]
    connections: Sequence[Sequence[int]]

    def place(self, event: int) -> str:
        return f"gpu {self.gpu[event]}, tb {self.block[event]}, step {self.position[event]}"

    def before(self, event: int) -> list[int]:
        """What must have ended, or for a sender begun, before this step begins."""
        listed = list(self.waits[event])
        if not self.first[event]:
            listed.append(event - 1)
        if self.sender[event] >= 0:
            listed.append(self.sender[event])
        return listed


def events_of(algorithm: Algorithm) -> Events:
    """The events of an algorithm; connections deliver in the order of the sends.

    Raises `Rejected` where two thread blocks use one end of a connection, and where the sends and
    the receptions of a connection differ in number or in their counts.
    """
    steps: list[Step] = []
    gpu: list[int] = []
    block: list[int] = []
    position: list[int] = []
    first: list[bool] = []
    number: dict[tuple[int, int, int], int] = {}
    ends: tuple[dict[tuple[int, int, int], list[int]], ...] = ({}, {})
    for rank, program in enumerate(algorithm.gpus):
        for which, thread_block in enumerate(program.blocks):
            fresh = True
            for index, step in enumerate(thread_block.steps):
                if step.kind == "nop":
                    continue
                event = len(steps)
                number[rank, which, index] = event
                steps.append(step)
                gpu.append(rank)
                block.append(which)
                position.append(index)
                first.append(fresh)
                fresh = False
                channel = thread_block.channel
                if step.kind in SENDS:
                    ends[0].setdefault((rank, thread_block.send, channel), []).append(event)
                if step.kind in RECEIVES:
                    ends[1].setdefault((thread_block.receive, rank, channel), []).append(event)
    sender, receiver = [-1] * len(steps), [-1] * len(steps)
    waits = _waits(algorithm, number)
    events = Events(steps, gpu, block, position, first, waits, sender, receiver, [])
    connections = []
    for connection in sorted(ends[0].keys() | ends[1].keys()):
        sends, receptions = (end.get(connection, []) for end in ends)
        _match(events, connection, sends, receptions)
        for one, other in zip(sends, receptions, strict=True):
            receiver[one], sender[other] = other, one
        connections.append(sends)
    return Events(steps, gpu, block, position, first, waits, sender, receiver, connections)


def _waits(algorithm: Algorithm, number: dict[tuple[int, int, int], int]) -> list[tuple[int, ...]]:
    waits: list[tuple[int, ...]] = []
    for rank, program in enumerate(algorithm.gpus):
        for thread_block in program.blocks:
            held: list[int] = []
            for step in thread_block.steps:
                if step.waits is not None:
                    held.append(number[rank, step.waits[0], step.waits[1]])
                if step.kind != "nop":
                    waits.append(tuple(held))
                    held = []
    return waits


def _match(
    events: Events, connection: tuple[int, int, int], sends: list[int], receptions: list[int]
) -> None:
    tail, head, channel = connection
    place = f"connection from gpu {tail} to gpu {head} on channel {channel}"
    for verb, listed in (("sends", sends), ("receives", receptions)):
        blocks = sorted({events.block[event] for event in listed})
        if len(blocks) > 1:
            raise Rejected(place, blocks, f"only one thread block {verb} on a connection")
    if len(sends) != len(receptions):
        counts = f"{len(sends)} sends, {len(receptions)} receptions"
        raise Rejected(place, counts, "every send has one reception")
    for index, (one, other) in enumerate(zip(sends, receptions, strict=True)):
        given, taken = events.steps[one].size, events.steps[other].size
        if given != taken:
            rule = f"message {index} is sent with one count and received with another"
            raise Rejected(place, [given, taken], rule)


def in_order(events: Events) -> list[int]:
    """All events, each after those it waits for; raises `Rejected` for a deadlock.

    A step begins after the steps before it in its thread block and those it waits for have ended,
    and a reception after its send has begun; so a circle never begins, whatever is buffered.
    """
    befores = [events.before(event) for event in range(len(events.steps))]
    order, stuck = sorted_topologically(befores)
    if stuck:
        raise Rejected(_first(events, befores, stuck), *_deadlock(events, befores, stuck))
    return order


Buffers = Literal["none", "chunks", "messages"]


def buffers_needed(events: Events, protocol: str) -> Buffers:
    """What the connections have to hold so that every step ends.

    - "none": nothing; every send may wait for its reception
    - "chunks": as many chunks as the executor has slots, so it ends whatever their size
    - "messages": as many messages, so it ends if each of them fits into a slot

    A send ends when what its connection does not hold has been taken; a step that sends on what it
    receives takes nothing that it cannot hand on.  Every thread block reads and writes in a fixed
    order, so whether all of them end does not depend on their speed (Kahn 1974).

    Raises `Rejected` if there are too few slots even for messages.
    """
    counts = [step.size for step in events.steps]
    ones = [1] * len(counts)
    slots = SLOTS[protocol]
    for need, sizes, holds in (("none", ones, 0), ("chunks", counts, slots)):
        if not _stuck(events, sizes, holds):
            return cast("Buffers", need)
    stuck = _stuck(events, ones, slots)
    if not stuck:
        return "messages"
    rule = f"deadlock: it never ends, for under {protocol} a connection holds {slots} messages"
    raise Rejected(events.place(stuck[0]), events.steps[stuck[0]].kind, rule)


def _stuck(events: Events, sizes: Sequence[int], holds: int) -> list[int]:
    """The steps that never end.

    Event i starts at 2i and ends at 2i + 1 in a graph of moments.  A flow is the moment from which
    a reception takes all that comes: its start, or a moment of its own if it sends on.
    """
    befores: list[list[int]] = []
    waits, first = events.waits, events.first
    flow: dict[int, int] = {}
    for event, (sender, receiver) in enumerate(zip(events.sender, events.receiver, strict=True)):
        start = [2 * other + 1 for other in waits[event]]
        if not first[event]:
            start.append(2 * event - 1)
        befores.append(start)
        befores.append([2 * event] if sender < 0 else [2 * event, 2 * sender + 1])
        if sender >= 0 and receiver >= 0:
            flow[event] = 2 * len(sizes) + len(flow)
    for event in flow:
        receiver = events.receiver[event]
        befores.append([2 * event, flow.get(receiver, 2 * receiver)])
    for sends in events.connections:
        held = taken = 0
        for event in sends:
            held += sizes[event]
            if sizes[event] > holds:
                # What was sent before is taken before this is.
                receiver = events.receiver[event]
                befores[2 * event + 1].append(flow.get(receiver, 2 * receiver))
                continue
            last = -1
            while held > holds:
                last = sends[taken]
                held -= sizes[last]
                taken += 1
            if last >= 0:
                befores[2 * event + 1].append(2 * events.receiver[last] + 1)
    stuck = sorted_topologically(befores)[1]
    return [moment // 2 for moment in stuck if moment < 2 * len(sizes)]


def sorted_topologically(befores: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
    """Numbers in an order in which each follows all that is before it, and those with none.

    >>> sorted_topologically([[1], [], [2]])
    ([1, 0], [2])
    """
    behind: list[list[int]] = [[] for _ in befores]
    left = [0] * len(befores)
    for number, listed in enumerate(befores):
        left[number] = len(listed)
        for other in listed:
            behind[other].append(number)
    order = []
    free = deque(number for number, count in enumerate(left) if not count)
    while free:
        number = free.popleft()
        order.append(number)
        for other in behind[number]:
            left[other] -= 1
            if not left[other]:
                free.append(other)
    return order, [number for number, count in enumerate(left) if count]


def _cycle(befores: Sequence[Sequence[int]], stuck: list[int]) -> list[int]:
    """A circle among those that never begin, each before the one in front of it."""
    within = set(stuck)
    path: dict[int, None] = {}
    number = stuck[0]
    while number not in path:
        path[number] = None
        number = next(other for other in befores[number] if other in within)
    listed = list(path)
    return listed[listed.index(number) :]


def _first(events: Events, befores: Sequence[Sequence[int]], stuck: list[int]) -> str:
    return events.place(_cycle(befores, stuck)[0])


def _deadlock(
    events: Events, befores: Sequence[Sequence[int]], stuck: list[int]
) -> tuple[str, str]:
    circle = _cycle(befores, stuck)
    rule = "deadlock: it waits for itself"
    if len(circle) > 1:
        rule += f", by way of {'; '.join(map(events.place, circle[1:3]))}"
    return counted(len(circle), "step"), rule
