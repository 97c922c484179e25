"""The chunks of a plan as ranges of equal chunks, and where they are in the buffers of GPUs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from math import lcm
from typing import Literal, NamedTuple

from exactsched.exact.errors import InvalidInput
from exactsched.export.plan import Plan


class Place(NamedTuple):
    """An offset in the input, the output or the scratch buffer."""

    buffer: Literal["i", "o", "s"]
    offset: int


class EqualChunks:
    """Where the chunks of a plan are in the buffers of every rank, in chunks of equal size.

    - `each`: how many equal chunks a shard, block, message or vector has
    - `whole`: how many all of them have
    - `ranges`: those of every chunk of the plan

    Raises `InvalidInput` for collectives that are not `written`, for a single rank, for shards,
    blocks or messages of different sizes, and for more than `most` chunks.  `name` is that of the
    other program.
    """

    def __init__(self, plan: Plan, written: Sequence[str], most: int, name: str) -> None:
        self.plan, self._name = plan, name
        ranks = len(plan.ranks)
        if plan.operation not in written:
            rule = f"plans for {name} are written for {', '.join(written)}"
            raise InvalidInput("collective", plan.operation, rule)
        if ranks < 2:
            raise InvalidInput("ranks", ranks, "at least two ranks")
        self._refuse_unequal()
        parts = plan.parts
        if plan.operation == "allreduce":  # its blocks are one vector
            total = sum((part.size for part in parts), start=Fraction(0))
            starts = list(accumulate((part.size for part in parts), initial=Fraction(0)))
            ends = [
                tuple(
                    (starts[chunk.part] + at * parts[chunk.part].size) / total for at in chunk[1:]
                )
                for chunk in plan.chunks
            ]
        else:
            ends = [(chunk.start, chunk.end) for chunk in plan.chunks]
        self.each = lcm(*(at.denominator for pair in ends for at in pair))
        one = plan.operation in ("allreduce", "broadcast")
        self.whole = self.each if one else self.each * ranks
        if self.whole > most:
            rule = (
                f"the weights need this number of equal chunks, and {name} has {most};"
                " take fewer --segments, or solve again with --period T, or an allgather with"
                " --chunks K"
            )
            raise InvalidInput("chunks", self.whole, rule)
        self.ranges = [(int(low * self.each), int(high * self.each)) for low, high in ends]

    def _refuse_unequal(self) -> None:
        plan, ranks = self.plan, len(self.plan.ranks)
        found = sorted((part.sources, part.targets) for part in plan.parts)
        everyone = tuple(range(ranks))
        wanted: list[tuple[tuple[int, ...], tuple[int, ...]]]
        match plan.operation:
            case "allgather":
                found = sorted((sources, ()) for sources, _ in found)
                wanted = [((rank,), ()) for rank in everyone]
                noun = "shard"
            case "reduce_scatter":
                wanted = [(everyone, (rank,)) for rank in everyone]
                noun = "block"
            case "alltoall":
                wanted = [((i,), (j,)) for i in everyone for j in everyone if i != j]
                noun = "message"
            case _:
                return
        if found != wanted or len({part.size for part in plan.parts}) > 1:
            rule = f"{self._name} moves one {noun} of the same size for each"
            sizes = sorted({str(part.size) for part in plan.parts})
            raise InvalidInput(f"{noun}s", f"{len(found)} of size {', '.join(sizes)}", rule)

    def own(self, rank: int) -> list[tuple[Place, Place]]:
        """What a rank has in its input and needs in its output, chunk by chunk."""
        each, operation = self.each, self.plan.operation
        if operation == "allgather":
            pairs = [(at, rank * each + at) for at in range(each)]
        elif operation == "broadcast" and rank in self.plan.parts[0].sources:
            pairs = [(at, at) for at in range(each)]
        elif operation == "alltoall":
            pairs = [(rank * each + at, rank * each + at) for at in range(each)]
        else:
            return []
        return [(Place("i", one), Place("o", other)) for one, other in pairs]

    def start(self, chunk: int) -> Place:
        """Where a rank that has a chunk from the start has it."""
        part = self.plan.parts[self.plan.chunks[chunk].part]
        first = self.ranges[chunk][0]
        if self.plan.operation in ("reduce_scatter", "alltoall"):
            return Place("i", part.targets[0] * self.each + first)
        return Place("i", first)

    def goal(self, rank: int, chunk: int) -> Place | None:
        """Where a rank that wants a chunk needs it; None if it only passes it on."""
        part = self.plan.parts[self.plan.chunks[chunk].part]
        first = self.ranges[chunk][0]
        if self.plan.operation in ("reduce_scatter", "alltoall") and rank not in part.targets:
            return None
        if self.plan.operation in ("allgather", "alltoall"):
            return Place("o", part.sources[0] * self.each + first)
        return Place("o", first)

    def memory(self, rank: int, place: Place) -> tuple[str, int]:
        """One name for each chunk of memory; in place, the input and the output have the same."""
        buffer, offset = place
        if buffer == "s" or self.plan.operation == "alltoall":
            return place
        if (buffer, self.plan.operation) in (("i", "allgather"), ("o", "reduce_scatter")):
            offset += rank * self.each
        return "both", offset
