"""MSCCL's XML by the definition: thread blocks in any order, connections that hold few messages.

It shares no code with the package, not even the reading.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import partial
from typing import Any, NamedTuple
from xml.etree import ElementTree

Chunk = tuple[str, int]
Content = Counter[tuple[int, int]]
paired = partial(zip, strict=True)
SENDS, RECEIVES = ("s", "rcs", "rrs", "rrcs"), ("r", "rcs", "rrs", "rrc", "rrcs")


class Stopped(Exception):
    """No step can go on, and some are left."""


class Wrong(Exception):
    """A chunk of an output is not what the collective wants."""


class Block(NamedTuple):
    gpu: int
    send: int
    receive: int
    channel: int
    steps: list[dict[str, Any]]


class Machine:
    """All gpus in the middle of a run; `holds` messages fit into a connection."""

    def __init__(self, written: str, in_place: bool, holds: int) -> None:
        """If they hold nothing, a send waits for its reception, and both are made at once."""
        root = ElementTree.fromstring(written)
        self.gpus, self.chunks = int(root.attrib["ngpus"]), int(root.attrib["nchunksperloop"])
        self.collective, self.in_place, self.holds = root.attrib["coll"], in_place, holds
        self.each = self.chunks // self.gpus
        self.blocks: dict[tuple[int, int], Block] = {}
        self.memory: list[dict[Chunk, Content]] = [{} for _ in range(self.gpus)]
        for gpu in root:
            rank = int(gpu.attrib["id"])
            inputs = self.each if self.collective == "allgather" else self.chunks
            for k in range(inputs):
                self.memory[rank][self.at(rank, "i", k)] = Counter({(rank, k): 1})
            for tb in gpu:
                ends = (int(tb.attrib[name]) for name in ("send", "recv", "chan"))
                steps = [{**step.attrib} for step in tb]
                self.blocks[rank, int(tb.attrib["id"])] = Block(rank, *ends, steps)
        self.next = dict.fromkeys(self.blocks, 0)
        self.told = dict.fromkeys(self.blocks, -1)
        self.queues: dict[tuple[int, int, int], list[list[Content]]] = {}
        self.reader = {
            (block.receive, block.gpu, block.channel): key
            for key, block in self.blocks.items()
            if any(step["type"] in RECEIVES for step in block.steps)
        }

    def at(self, gpu: int, buffer: str, offset: int) -> Chunk:
        if not self.in_place or buffer == "s":
            return buffer, offset
        if buffer == "i" and self.collective == "allgather":
            offset += gpu * self.each
        if buffer == "o" and self.collective == "reducescatter":
            offset += gpu * self.each
        return "io", offset

    def step(self, key: tuple[int, int]) -> dict[str, Any] | None:
        steps = self.blocks[key].steps
        return steps[self.next[key]] if self.next[key] < len(steps) else None

    def waits(self, key: tuple[int, int], step: dict[str, Any]) -> bool:
        other = int(step["depid"])
        return other >= 0 and self.told[key[0], other] < int(step["deps"])

    def can_go(self, key: tuple[int, int], *, handed: bool = False) -> bool:
        """Whether the next step can be made; `handed` says that its message is about to come."""
        step, block = self.step(key), self.blocks[key]
        if step is None or self.waits(key, step):
            return False
        if step["type"] in RECEIVES and not handed:
            incoming = self.queues.get((block.receive, block.gpu, block.channel))
            if not incoming:
                return False
        if step["type"] in SENDS:
            connection = block.gpu, block.send, block.channel
            if len(self.queues.get(connection, ())) < self.holds:
                return True
            if self.queues.get(connection):
                return False
            reader = self.reader[connection]
            taken = self.step(reader)
            takes = taken is not None and taken["type"] in RECEIVES
            return takes and self.can_go(reader, handed=True)
        return True

    def go(self, key: tuple[int, int]) -> None:
        step, block = self.step(key), self.blocks[key]
        assert step is not None
        kind, size, memory = step["type"], int(step["cnt"]), self.memory[block.gpu]
        source = [self.at(block.gpu, step["srcbuf"], int(step["srcoff"]) + k) for k in range(size)]
        target = [self.at(block.gpu, step["dstbuf"], int(step["dstoff"]) + k) for k in range(size)]
        values = [Counter[tuple[int, int]]() for _ in range(size)]
        if kind in RECEIVES:
            values = self.queues[block.receive, block.gpu, block.channel].pop(0)
        if kind in ("s", "rrs", "rrc", "rrcs", "cpy", "re"):
            values = [
                value + memory.get(at, Counter()) for value, at in zip(values, source, strict=True)
            ]
        if kind == "re":
            values = [
                value + memory.get(at, Counter()) for value, at in zip(values, target, strict=True)
            ]
        if kind in ("r", "rcs", "rrc", "rrcs", "cpy", "re"):
            memory.update(paired(target, values))
        if step["hasdep"] == "1":
            self.told[key] = self.next[key]
        self.next[key] += 1
        if kind in SENDS:
            connection = block.gpu, block.send, block.channel
            self.queues.setdefault(connection, []).append(values)
            if len(self.queues[connection]) > self.holds:
                self.go(self.reader[connection])

    def run(self, drawn: random.Random) -> None:
        while left := [key for key in self.blocks if self.step(key) is not None]:
            ready = [key for key in left if self.can_go(key)]
            if not ready:
                raise Stopped(left)
            self.go(drawn.choice(ready))

    def judge(self, root: int) -> None:
        for gpu in range(self.gpus):
            outputs = self.each if self.collective == "reducescatter" else self.chunks
            for k in range(outputs):
                wanted = self.wanted(gpu, k, root)
                held = self.memory[gpu].get(self.at(gpu, "o", k))
                if held != wanted:
                    raise Wrong(gpu, k, held, wanted)

    def wanted(self, gpu: int, k: int, root: int) -> Content:
        if self.collective == "broadcast":
            return Counter({(root, k): 1})
        if self.collective == "allgather":
            return Counter({divmod(k, self.each): 1})
        if self.collective == "alltoall":
            return Counter({(k // self.each, gpu * self.each + k % self.each): 1})
        chunk = gpu * self.each + k if self.collective == "reducescatter" else k
        return Counter({(other, chunk): 1 for other in range(self.gpus)})


def run(written: str, *, in_place: bool, holds: int, seed: int, root: int = 0) -> None:
    """One run in a random order; raises `Stopped` or `Wrong`."""
    machine = Machine(written, in_place, holds)
    machine.run(random.Random(seed))
    machine.judge(root)
