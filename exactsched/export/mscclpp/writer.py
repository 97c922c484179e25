"""Execution plans for MSCCL++ 0.9: on every GPU a thread block for each tree.

A node of a tree reads the sums of its children where they are, and puts what is ready into the
output of its children.  All data of a tree pass through one thread block of every GPU, so no
semaphores are needed; channels between two thread blocks of the same tree say what is ready.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from exactsched.exact.errors import InvalidInput
from exactsched.export.equal_chunks import EqualChunks, Place
from exactsched.export.mscclpp.document import (
    MAX_AT_ONCE,
    MAX_CHANNELS,
    MAX_CHUNKS,
    MAX_OPERATIONS,
)
from exactsched.export.plan import Plan, Transfer

WRITTEN: Final = ("allgather", "reduce_scatter", "allreduce", "broadcast")


def document_of(plan: Plan) -> dict[str, Any]:
    """The execution plan for one operation, out of place; gpu r is rank r.

    Raises `InvalidInput` for other collectives than `WRITTEN`, for shards or blocks of different
    sizes, for a single rank, and where a tree needs more than 64 operations of a thread block, or
    more than 16 neighbors.

    >>> from exactsched import Platform, broadcast
    >>> from exactsched.export.plan import plan
    >>> pair = Platform("ab", [("a", "b", 1), ("b", "a", 1)])
    >>> made = document_of(plan(broadcast(pair, "a").certificate()))
    >>> [[op["name"] for op in gpu["threadblocks"][0]["ops"]] for gpu in made["gpus"]][1]
    ['rlxsignal', 'rlxwait', 'nop', 'wait', 'nop']
    """
    chunks = EqualChunks(plan, WRITTEN, MAX_CHUNKS, "MSCCL++")
    gpus = [_Gpu(rank, chunks) for rank in range(len(plan.ranks))]
    trees: list[list[Transfer]] = [[] for _ in plan.chunks]
    for transfer in plan.transfers:
        trees[transfer.chunk].append(transfer)
    for chunk, transfers in enumerate(trees):
        _Tree(chunk, transfers, chunks, gpus).write()
    return {
        "name": f"exactsched {plan.operation}",
        "collective": plan.operation.replace("_", ""),
        "protocol": "Simple",
        "inplace": False,
        "reuse_resources": False,
        "num_threads_per_block": 1024,
        "use_double_scratch_buffer": False,
        "buffer_alignment": 16,
        "gpus": [gpu.document() for gpu in gpus],
    }


class _Gpu:
    """The channels, the buffers of others, and the thread blocks of one gpu."""

    def __init__(self, rank: int, chunks: EqualChunks) -> None:
        self.rank = rank
        self._chunks = chunks
        self._blocks: list[_Block] = []
        self._peers: list[int] = []
        self._buffers: dict[tuple[int, str], int] = {}
        self._scratch = 0

    def block(self) -> _Block:
        self._blocks.append(_Block(self))
        return self._blocks[-1]

    def channel(self, peer: int) -> int:
        """A new channel; the k-th to a peer is connected to its k-th to this gpu."""
        self._peers.append(peer)
        return len(self._peers) - 1

    def buffer(self, peer: int, kind: str) -> int:
        return self._buffers.setdefault((peer, kind), len(self._buffers))

    def scratch(self, size: int) -> Place:
        self._scratch += size
        return Place("s", self._scratch - size)

    def document(self) -> dict[str, Any]:
        each, whole = self._chunks.each, self._chunks.whole
        operation = self._chunks.plan.operation
        buffers = [
            {"rank": peer, "type": kind, "access_channel_types": ["memory"]}
            for peer, kind in self._buffers
        ]
        return {
            "id": self.rank,
            "input_chunks": each if operation == "allgather" else whole,
            "output_chunks": each if operation == "reduce_scatter" else whole,
            "scratch_chunks": self._scratch,
            "threadblocks": [block.document(index) for index, block in enumerate(self._blocks)],
            "channels": [{"channel_type": "memory", "connected_to": self._peers}],
            "remote_buffers": buffers,
            "semaphores": [],
        }


class _Block:
    """A thread block, while operations are added."""

    def __init__(self, gpu: _Gpu) -> None:
        self._gpu = gpu
        self._operations: list[dict[str, Any]] = []
        self._channels: dict[int, int] = {}
        self._channel_ids: list[int] = []
        self._buffers: dict[int, int] = {}

    def synchronize(self, name: str, peers: Sequence[int]) -> None:
        """Signals to peers or waits for them, eight at a time."""
        for some in _eights(peers):
            ids = [self._channel(peer) for peer in some]
            self._add(name, channel_ids=ids, channel_type="memory")

    def barrier(self) -> None:
        """All threads of the block get here before one of them goes on."""
        self._add("nop")

    def copy(self, source: Place, target: Place, size: int) -> None:
        self._add("copy", src_buff=[_local(source, size)], dst_buff=[_local(target, size)])
        self.barrier()

    def put(self, source: Place, targets: Sequence[tuple[int, Place]], size: int) -> None:
        self._add(
            "put",
            src_buff=[_local(source, size)] * len(targets),
            dst_buff=[self._remote(peer, place, size) for peer, place in targets],
            channel_ids=[self._channel(peer) for peer, _ in targets],
            channel_type="memory",
        )

    def add(
        self, source: Place, others: Sequence[tuple[int, Place]], target: Place, size: int
    ) -> None:
        read = [self._remote(peer, place, size) for peer, place in others]
        self._add(
            "rre",
            src_buff=[_local(source, size), *read],
            dst_buff=[_local(target, size)],
            channel_ids=[self._channel(peer) for peer, _ in others],
            channel_type="memory",
            reduce_op="sum",
        )

    def _add(self, name: str, **members: Any) -> None:
        self._operations.append({"name": name} | members)

    def _channel(self, peer: int) -> int:
        if peer not in self._channels:
            self._channels[peer] = len(self._channel_ids)
            self._channel_ids.append(self._gpu.channel(peer))
        return self._channels[peer]

    def _remote(self, peer: int, place: Place, size: int) -> dict[str, Any]:
        buffer = self._gpu.buffer(peer, place.buffer)
        number = self._buffers.setdefault(buffer, len(self._buffers))
        return {"buffer_id": number, "index": place.offset, "size": size}

    def document(self, index: int) -> dict[str, Any]:
        for noun, count, most in (
            ("operations", len(self._operations), MAX_OPERATIONS),
            ("channels", len(self._channel_ids), MAX_CHANNELS),
            ("remote buffers", len(self._buffers), MAX_CHANNELS),
        ):
            if count > most:
                place = f"gpu {self._gpu.rank}, tree {index}, {noun}"
                rule = f"MSCCL++ has at most {most} for one thread block, and a tree has one"
                raise InvalidInput(place, count, rule)
        refs = {"access_channel_type": "memory", "remote_buffer_ids": list(self._buffers)}
        return {
            "id": index,
            "ops": self._operations,
            "channels": [{"channel_type": "memory", "channel_ids": self._channel_ids}],
            "remote_buffer_refs": [refs] if self._buffers else [],
        }


class _Tree:
    """The transfers of one chunk: those that add, up to a root, then those that copy, down."""

    def __init__(
        self, chunk: int, transfers: Sequence[Transfer], chunks: EqualChunks, gpus: Sequence[_Gpu]
    ) -> None:
        self._chunk, self._chunks, self._gpus = chunk, chunks, gpus
        low, high = chunks.ranges[chunk]
        self._size = high - low
        self._below: dict[int, list[int]] = {}
        self._above: dict[int, int] = {}
        self._to: dict[int, list[int]] = {}
        self._from: dict[int, int] = {}
        for transfer in transfers:
            if transfer.adds:
                self._below.setdefault(transfer.receiver, []).append(transfer.sender)
                self._above[transfer.sender] = transfer.receiver
            else:
                self._to.setdefault(transfer.sender, []).append(transfer.receiver)
                self._from[transfer.receiver] = transfer.sender
        self._sums = {rank: self._sum_of(rank) for rank in self._ranks()}

    def _ranks(self) -> list[int]:
        return sorted({*self._below, *self._above, *self._to, *self._from})

    def _sum_of(self, rank: int) -> Place:
        """Where a rank has its part of the sum, or the chunk from the start."""
        if rank not in self._below:
            return self._chunks.start(self._chunk)
        return self._chunks.goal(rank, self._chunk) or self._gpus[rank].scratch(self._size)

    def write(self) -> None:
        for rank in self._ranks():
            self._write(rank, self._gpus[rank].block())

    def _write(self, rank: int, block: _Block) -> None:
        below, to = self._below.get(rank, []), self._to.get(rank, [])
        above, source = self._above.get(rank), self._from.get(rank)
        around = {*below, *to, *(peer for peer in (above, source) if peer is not None)}
        # Nobody reads or writes the buffers of a gpu that has not begun.
        block.synchronize("rlxsignal", sorted(around))
        block.synchronize("rlxwait", sorted(around))
        block.barrier()
        has = self._add_up(rank, block, below, above)
        goal = self._chunks.goal(rank, self._chunk)
        if source is not None and goal is not None:
            block.synchronize("wait", [source])
            block.barrier()
            has = goal
        elif goal is not None and not below:
            block.copy(has, goal, self._size)  # it has the chunk from the start
        for some in _eights(to):
            goals = [(peer, self._chunks.goal(peer, self._chunk)) for peer in some]
            block.put(has, [(peer, place) for peer, place in goals if place], self._size)
            block.barrier()
            block.synchronize("signal", some)
        if above is not None and source is None:
            block.synchronize("wait", [above])

    def _add_up(self, rank: int, block: _Block, below: list[int], above: int | None) -> Place:
        has, size = self._chunks.start(self._chunk), self._size
        for some in _eights(below):
            block.synchronize("wait", some)
            block.barrier()
            target = self._sums[rank]
            block.add(has, [(peer, self._sums[peer]) for peer in some], target, size)
            block.barrier()
            has = target
            # Who gets no result back waits until its sum has been read.
            block.synchronize("signal", [peer for peer in some if peer not in self._from])
        if above is not None:
            block.synchronize("signal", [above])
        return has


def _local(place: Place, size: int) -> dict[str, Any]:
    return {"type": place.buffer, "index": place.offset, "size": size}


def _eights(peers: Sequence[int]) -> Iterator[Sequence[int]]:
    return (peers[start : start + MAX_AT_ONCE] for start in range(0, len(peers), MAX_AT_ONCE))
