"""Plays an execution plan of MSCCL++ in a random order, and refuses what another order changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from exactsched.exact.dice import Dice
from exactsched.exact.errors import Rejected
from exactsched.export.mscclpp.document import (
    DATA,
    SIGNALS,
    WAITS,
    ExecutionPlan,
    Operation,
    Range,
    parse_plan,
)
from exactsched.export.values import EMPTY, Content, Value, added, told

# A thread block, and a chunk of memory: the gpu comes first.
_Block = tuple[int, int]
_Chunk = tuple[int, str, int]
# For each thread block up to which of its epochs all is done, as far as somebody knows.
_Clock = Mapping[_Block, int]


class _Use(NamedTuple):
    block: _Block
    epoch: int


def play(document: object, seed: int = 0) -> ExecutionPlan:
    """Plays a plan; every order of its operations has the same outcome, which is right.

    The order is drawn, and it does not matter: each channel has one thread block at either end, so
    the signals and the waits are matched in the same way in every run, and two uses of a chunk of
    which one writes are ordered by them.  `nop` is a barrier of the threads of a block, and what is
    between two of them may be done in any order.  A gpu uses the memory of another one only after
    this has begun and before it ends.

    Raises `Malformed` for what is not such a plan (`parse_plan`), `Rejected` for a deadlock, for
    uses that are not ordered, and for a wrong output.
    """
    plan = parse_plan(document)
    _Machine(plan, Dice(seed)).run()
    return plan


class _Machine:
    def __init__(self, plan: ExecutionPlan, dice: Dice) -> None:
        self._plan, self._dice = plan, dice
        self._blocks: dict[_Block, tuple[Operation, ...]] = {
            (rank, index): operations
            for rank, gpu in enumerate(plan.gpus)
            for index, operations in enumerate(gpu.blocks)
        }
        self._next = dict.fromkeys(self._blocks, 0)
        # What has been done before the last nop is in a closed epoch.
        self._epoch = dict.fromkeys(self._blocks, 1)
        self._known: dict[_Block, dict[_Block, int]] = {block: {} for block in self._blocks}
        self._heard: dict[_Block, dict[_Block, int]] = {block: {} for block in self._blocks}
        self._begun: dict[_Block, set[int]] = {block: {block[0]} for block in self._blocks}
        self._users: dict[tuple[int, int], _Block] = {}
        self._ends = _ends(plan)
        # Who waits for signals on a channel of a gpu.
        self._hearing: dict[tuple[int, int], set[_Block]] = {}
        for block, operations in self._blocks.items():
            for operation in operations:
                for channel in operation.channels if operation.name in WAITS else ():
                    self._hearing.setdefault((block[0], channel), set()).add(block)
        self._signals: dict[tuple[int, int], list[_Clock]] = {}
        self._memory: dict[_Chunk, Content] = {}
        self._writer: dict[_Chunk, _Use] = {}
        self._readers: dict[_Chunk, list[_Use]] = {}
        # The last epochs in which thread blocks used the memory of another gpu.
        self._remote: dict[tuple[int, _Block], int] = {}

    def run(self) -> None:
        ready = [block for block in self._blocks if self._can_go(block)]
        waiting = {*self._blocks} - {*ready}
        while ready:
            chosen = self._dice.below(len(ready))
            ready[chosen], ready[-1] = ready[-1], ready[chosen]
            block = ready.pop()
            operation = self._operation(block)
            self._go(block)
            waiting.add(block)
            told = {block}
            if operation.name in SIGNALS:
                for channel in operation.channels:
                    told |= self._hearing.get(self._ends[block[0], channel], set()) & waiting
            woken = [other for other in sorted(told) if self._can_go(other)]
            waiting -= {*woken}
            ready += woken
        left = [block for block in self._blocks if self._next[block] < len(self._blocks[block])]
        if left:
            rule = "deadlock: its channels get no signal any more"
            raise Rejected(self._place(left[0]), self._operation(left[0]).name, rule)
        self._refuse_late_uses()
        self._judge()

    def _operation(self, block: _Block) -> Operation:
        return self._blocks[block][self._next[block]]

    def _place(self, block: _Block) -> str:
        return f"gpus[{block[0]}].threadblocks[{block[1]}].ops[{self._next[block]}]"

    def _can_go(self, block: _Block) -> bool:
        if self._next[block] == len(self._blocks[block]):
            return False
        operation = self._operation(block)
        if operation.name not in WAITS:
            return True
        return all(self._signals.get((block[0], channel)) for channel in operation.channels)

    def _go(self, block: _Block) -> None:
        operation = self._operation(block)
        for channel in operation.channels:
            if self._users.setdefault((block[0], channel), block) != block:
                rule = "a channel is used by one thread block only"
                raise Rejected(self._place(block), channel, rule)
        if operation.name == "nop":
            self._close(block)
        elif operation.name in SIGNALS:
            self._signal(block, operation)
        elif operation.name in WAITS:
            self._wait(block, operation)
        elif operation.name in DATA:
            self._move(block, operation)
        self._next[block] += 1

    def _close(self, block: _Block) -> None:
        _join(self._known[block], self._heard[block])
        self._heard[block] = {}
        self._known[block][block] = self._epoch[block]
        self._epoch[block] += 1

    def _signal(self, block: _Block, operation: Operation) -> None:
        """What is done before the last nop is visible to whoever waits, if neither is relaxed."""
        known = {} if operation.name == "rlxsignal" else dict(self._known[block])
        for channel in operation.channels:
            self._signals.setdefault(self._ends[block[0], channel], []).append(known)

    def _wait(self, block: _Block, operation: Operation) -> None:
        gpu = block[0]
        for channel in operation.channels:
            clock = self._signals[gpu, channel].pop(0)
            if operation.name == "wait":
                _join(self._heard[block], clock)
            self._begun[block].add(self._plan.gpus[gpu].peers[channel])

    def _move(self, block: _Block, operation: Operation) -> None:
        values = [self._read(block, source) for source in operation.sources]
        if operation.name == "rre":
            total = values[0]
            for other in values[1:]:
                total = list(map(added, total, other))
            values = [total]
        for target, contents in zip(operation.targets, values, strict=True):
            self._write(block, target, contents)

    def _read(self, block: _Block, source: Range) -> list[Content]:
        self._enter(block, source)
        values: list[Content] = []
        for chunk in _chunks(source):
            self._refuse_race(block, chunk, self._writer.get(chunk), "writes")
            self._readers.setdefault(chunk, []).append(_Use(block, self._epoch[block]))
            values.append(self._content(chunk))
        return values

    def _write(self, block: _Block, target: Range, values: list[Content]) -> None:
        self._enter(block, target)
        use = _Use(block, self._epoch[block])
        for chunk, value in zip(_chunks(target), values, strict=True):
            self._refuse_race(block, chunk, self._writer.get(chunk), "writes")
            for reader in self._readers.pop(chunk, ()):
                # An operation may read what it overwrites: each thread has its own elements.
                if reader != use or not self._reads(block, chunk):
                    self._refuse_race(block, chunk, reader, "reads")
            self._writer[chunk] = use
            self._memory[chunk] = value

    def _reads(self, block: _Block, chunk: _Chunk) -> bool:
        return any(chunk in _chunks(source) for source in self._operation(block).sources)

    def _enter(self, block: _Block, place: Range) -> None:
        if place.gpu not in self._begun[block]:
            rule = "wait for a signal of this gpu before its memory is used: it may not have begun"
            raise Rejected(self._place(block), place.gpu, rule)
        if place.gpu != block[0]:
            self._remote[place.gpu, block] = self._epoch[block]

    def _refuse_race(self, block: _Block, chunk: _Chunk, use: _Use | None, verb: str) -> None:
        if use is None or self._known[block].get(use.block, 0) >= use.epoch:
            return
        gpu, index = use.block
        rule = f"race: thread block {index} of gpu {gpu} {verb} it too, and no signal says when"
        shown = f"chunk {chunk[2]} of buffer {chunk[1]} of gpu {chunk[0]}"
        raise Rejected(self._place(block), shown, rule)

    def _refuse_late_uses(self) -> None:
        for (gpu, block), epoch in self._remote.items():
            last = 0
            for other in self._blocks:
                if other[0] == gpu:
                    known, heard = self._known[other], self._heard[other]
                    last = max(last, known.get(block, 0), heard.get(block, 0))
            if last < epoch:
                rule = f"it uses memory of gpu {gpu}, which may have ended: it gets no signal after"
                place = f"gpus[{block[0]}].threadblocks[{block[1]}]"
                raise Rejected(place, gpu, rule)

    def _content(self, chunk: _Chunk) -> Content:
        gpu, buffer, index = chunk
        return self._memory.get(chunk, Value(index, 1 << gpu) if buffer == "i" else EMPTY)

    def _judge(self) -> None:
        found = self._plan.collective
        first = self._content((0, "o", 0))
        root = 0 if isinstance(first, str) else (first.gpus & -first.gpus).bit_length() - 1
        for gpu in range(len(self._plan.gpus)):
            for k in range(found.outputs):
                held, wanted = self._content((gpu, "o", k)), found.wanted(gpu, k, root)
                if held != wanted:
                    value = held if isinstance(held, str) else told(held)
                    place = f"gpu {gpu}, chunk {k} of the output"
                    raise Rejected(place, value, f"at the end it is {told(wanted)}")


def _ends(plan: ExecutionPlan) -> dict[tuple[int, int], tuple[int, int]]:
    """The other end of every channel: the k-th to a peer is the k-th of the peer to this gpu."""
    listed: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for rank, gpu in enumerate(plan.gpus):
        for channel, peer in enumerate(gpu.peers):
            listed.setdefault((rank, peer), []).append((rank, channel))
    return {
        end: other
        for (one, peer), ends in listed.items()
        for end, other in zip(ends, listed[peer, one], strict=True)
    }


def _chunks(place: Range) -> list[_Chunk]:
    return [(place.gpu, place.buffer, place.start + k) for k in range(place.size)]


def _join(clock: dict[_Block, int], other: _Clock) -> None:
    for block, epoch in other.items():
        if clock.get(block, 0) < epoch:
            clock[block] = epoch
