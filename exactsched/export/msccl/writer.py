"""MSCCL's XML of a certified schedule: a thread block for each peer and direction.

All thread blocks follow one order of all transfers, so the first transfer that is not done can
always be made: no buffer is needed.  Steps wait for the last writer of what they read or overwrite.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from exactsched.exact.errors import InvalidInput
from exactsched.export.equal_chunks import EqualChunks, Place
from exactsched.export.msccl.document import (
    MAX_CHANNELS,
    MAX_COUNT,
    MAX_GPUS,
    MAX_OFFSET,
    MAX_STEPS,
    Algorithm,
    Gpu,
    Kind,
    Step,
    ThreadBlock,
)
from exactsched.export.plan import Plan

# Collectives whose input and output may be one buffer.
_IN_PLACE: Final = ("allgather", "reduce_scatter", "allreduce", "broadcast")
_WRITTEN: Final = (*_IN_PLACE, "alltoall")


def algorithm_of(plan: Plan) -> Algorithm:
    """The program of every gpu for one operation of a plan; gpu r is rank r.

    The chunks of MSCCL are equal, so each one of the plan is a range of them.  Steps that would be
    more than 256 in a thread block are spread over several channels.

    Raises `InvalidInput` for reduces, scatters and gathers, for shards, blocks or messages of
    different sizes, for a single rank, and for more chunks, gpus or steps than the executor holds.

    >>> from exactsched import Platform, broadcast
    >>> from exactsched.export.plan import plan
    >>> pair = Platform("ab", [("a", "b", 1), ("b", "a", 1)])
    >>> made = algorithm_of(plan(broadcast(pair, "a").certificate()))
    >>> [[step.kind for step in block.steps] for gpu in made.gpus for block in gpu.blocks]
    [['cpy'], ['s'], ['r']]
    """
    chunks = EqualChunks(plan, _WRITTEN, MAX_OFFSET + 1, "MSCCL")
    if len(plan.ranks) > MAX_GPUS:
        raise InvalidInput("ranks", len(plan.ranks), f"MSCCL plans have at most {MAX_GPUS} gpus")
    order = _in_levels(plan)
    for channels in range(_least_channels(plan), MAX_CHANNELS + 1):
        gpus = [_Program(rank, chunks) for rank in range(len(plan.ranks))]
        for rank in range(len(plan.ranks)):
            gpus[rank].copy(chunks.own(rank))
        for index in order:
            _add(plan, index, gpus, index % channels)
        if max(gpu.longest() for gpu in gpus) <= MAX_STEPS:
            break
    else:
        rule = f"more than {MAX_STEPS} steps for each of {MAX_CHANNELS} channels of a peer"
        raise InvalidInput("transfers", len(plan.transfers), rule + "; take fewer segments")
    return Algorithm(
        f"exactsched {plan.operation}",
        "Simple",
        channels,
        chunks.whole,
        plan.operation.replace("_", ""),
        plan.operation in _IN_PLACE,
        True,
        tuple(gpu.written() for gpu in gpus),
    )


def _least_channels(plan: Plan) -> int:
    """Each transfer is a step at both ends, at least."""
    links = Counter((transfer.sender, transfer.receiver) for transfer in plan.transfers)
    return max(1, -(-max(links.values(), default=0) // MAX_STEPS))


def _in_levels(plan: Plan) -> list[int]:
    """The transfers, first those that wait for nothing, then those that wait for them, ..."""
    level: list[int] = []
    for transfer in plan.transfers:
        level.append(1 + max((level[before] for before in transfer.after), default=0))
    return sorted(range(len(level)), key=lambda index: (level[index], index))


class _Program:
    """The thread blocks of one gpu, while steps are added in the order of all transfers."""

    def __init__(self, rank: int, chunks: EqualChunks) -> None:
        self._rank = rank
        self._chunks = chunks
        self._blocks: list[tuple[int, int, int, list[Step]]] = []
        self._number: dict[tuple[int, int, int], int] = {}
        self._held: dict[int, Place] = {}
        self._scratch = 0
        # The last step that wrote to a chunk of memory.  Who has read it since was in time: what is
        # written over a chunk that was sent on is the sum that it is a part of.
        self._writer: dict[tuple[str, int], tuple[int, int]] = {}
        # For each thread block the last steps of the others that it knows to have ended.
        self._known: list[dict[int, int]] = []
        # What was known when a step began.
        self._clock: dict[tuple[int, int], dict[int, int]] = {}

    def copy(self, pairs: list[tuple[Place, Place]]) -> None:
        if not pairs:
            return
        block = self._block(-1, -1, 0)
        for low, high in _pieces(len(pairs)):
            source, target = pairs[low]
            self._append(block, Step("cpy", source, target, high - low, None, False))

    def send(self, chunk: int, peer: int, channel: int) -> None:
        block = self._block(peer, -1, channel)
        place = self._held.get(chunk) or self._chunks.start(chunk)
        for low, high in self._pieces_of(chunk):
            source = Place(place.buffer, place.offset + low)
            self._step(block, "s", source, source, high - low, reads=source, writes=None)

    def receive(self, chunk: int, peer: int, channel: int, *, adds: bool) -> None:
        block = self._block(-1, peer, channel)
        target = self._chunks.goal(self._rank, chunk) or self._passing(chunk)
        place = self._held.get(chunk) or self._chunks.start(chunk)
        for low, high in self._pieces_of(chunk):
            goal = Place(target.buffer, target.offset + low)
            source = Place(place.buffer, place.offset + low) if adds else goal
            reads = source if adds else None
            kind: Kind = "rrc" if adds else "r"
            self._step(block, kind, source, goal, high - low, reads=reads, writes=goal)
        self._held[chunk] = target

    def _passing(self, chunk: int) -> Place:
        """Scratch for what the gpu only passes on."""
        held = self._held.get(chunk)
        if held is not None:
            return held
        low, high = self._chunks.ranges[chunk]
        self._scratch += high - low
        return Place("s", self._scratch - (high - low))

    def _pieces_of(self, chunk: int) -> Iterator[tuple[int, int]]:
        low, high = self._chunks.ranges[chunk]
        return _pieces(high - low)

    def _block(self, send: int, receive: int, channel: int) -> int:
        ends = send, receive, channel
        if ends not in self._number:
            self._number[ends] = len(self._blocks)
            self._blocks.append((send, receive, channel, []))
            self._known.append({})
        return self._number[ends]

    def _step(
        self,
        block: int,
        kind: Kind,
        source: Place,
        target: Place,
        size: int,
        *,
        reads: Place | None,
        writes: Place | None,
    ) -> None:
        before: set[tuple[int, int]] = set()
        for place in filter(None, (reads, writes)):
            for chunk in self._memory(place, size):
                if chunk in self._writer:
                    before.add(self._writer[chunk])
        waits = self._waits(block, before)
        for other, step in waits[:-1]:
            self._append(block, Step("nop", ("i", -1), ("o", -1), 0, (other, step), False))
        last = waits[-1] if waits else None
        made = self._append(block, Step(kind, source, target, size, last, False))
        self._clock[made] = dict(self._known[block])
        if writes is not None:
            for chunk in self._memory(writes, size):
                self._writer[chunk] = made

    def _waits(self, block: int, before: set[tuple[int, int]]) -> list[tuple[int, int]]:
        """The steps to wait for, without those that are known to have ended."""
        known = self._known[block]
        waits: list[tuple[int, int]] = []
        # A late step knows more, so that fewer waits are left.
        for other, step in sorted(before, key=lambda pair: -len(self._clock[pair])):
            if other == block or known.get(other, -1) >= step:
                continue
            waits.append((other, step))
            for third, ended in (self._clock[other, step] | {other: step}).items():
                known[third] = max(known.get(third, -1), ended)
            steps = self._blocks[other][3]
            steps[step] = steps[step]._replace(announced=True)
        return waits

    def _memory(self, place: Place, size: int) -> Iterator[tuple[str, int]]:
        buffer, first = self._chunks.memory(self._rank, place)
        return ((buffer, offset) for offset in range(first, first + size))

    def _append(self, block: int, step: Step) -> tuple[int, int]:
        steps = self._blocks[block][3]
        steps.append(step)
        return block, len(steps) - 1

    def longest(self) -> int:
        return max((len(steps) for *_, steps in self._blocks), default=0)

    def written(self) -> Gpu:
        each, whole = self._chunks.each, self._chunks.whole
        operation = self._chunks.plan.operation
        return Gpu(
            each if operation == "allgather" else whole,
            each if operation == "reduce_scatter" else whole,
            self._scratch,
            tuple(
                ThreadBlock(send, receive, channel, tuple(steps))
                for send, receive, channel, steps in self._blocks
            ),
        )


def _add(plan: Plan, index: int, gpus: list[_Program], channel: int) -> None:
    transfer = plan.transfers[index]
    gpus[transfer.sender].send(transfer.chunk, transfer.receiver, channel)
    gpus[transfer.receiver].receive(transfer.chunk, transfer.sender, channel, adds=transfer.adds)


def _pieces(size: int) -> Iterator[tuple[int, int]]:
    """A range in pieces that one step can move."""
    return ((low, min(low + MAX_COUNT, size)) for low in range(0, size, MAX_COUNT))


def text_of(algorithm: Algorithm) -> str:
    """The XML of an algorithm, with all attributes that the executor's parser needs.

    >>> from exactsched.export.msccl.document import parse_algorithm
    >>> gpu = Gpu(1, 1, 0, (ThreadBlock(-1, -1, 0, ()),))
    >>> made = Algorithm("none", "LL", 1, 1, "allreduce", True, False, (gpu,))
    >>> parse_algorithm(text_of(made)) == made
    True
    """
    lines = [
        f'<algo name="{_escaped(algorithm.name)}" proto="{algorithm.protocol}"'
        f' nchannels="{algorithm.channels}" nchunksperloop="{algorithm.chunks}"'
        f' ngpus="{len(algorithm.gpus)}" coll="{algorithm.collective}"'
        f' inplace="{int(algorithm.in_place)}" outofplace="{int(algorithm.out_of_place)}"'
        ' minBytes="0" maxBytes="0">'
    ]
    for number, gpu in enumerate(algorithm.gpus):
        lines.append(
            f'  <gpu id="{number}" i_chunks="{gpu.inputs}" o_chunks="{gpu.outputs}"'
            f' s_chunks="{gpu.scratch}">'
        )
        for index, block in enumerate(gpu.blocks):
            lines.append(
                f'    <tb id="{index}" send="{block.send}" recv="{block.receive}"'
                f' chan="{block.channel}">'
            )
            lines += map(_step_text, range(len(block.steps)), block.steps)
            lines.append("    </tb>")
        lines.append("  </gpu>")
    return "\n".join([*lines, "</algo>", ""])


def _step_text(index: int, step: Step) -> str:
    other, awaited = step.waits or (-1, -1)
    return (
        f'      <step s="{index}" type="{step.kind}"'
        f' srcbuf="{step.source[0]}" srcoff="{step.source[1]}"'
        f' dstbuf="{step.target[0]}" dstoff="{step.target[1]}" cnt="{step.size}"'
        f' depid="{other}" deps="{awaited}" hasdep="{int(step.announced)}"/>'
    )


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
