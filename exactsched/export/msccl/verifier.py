"""The static verifier of MSCCL's XML: what is right in every run, without a run."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final

from exactsched.exact.collection import without_collection
from exactsched.exact.words import counted
from exactsched.export.msccl.contents import collective_of, refuse_wrong_contents
from exactsched.export.msccl.document import Algorithm, parse_algorithm, read_algorithm
from exactsched.export.msccl.events import Buffers, buffers_needed, events_of, in_order


@dataclass(frozen=True, slots=True)
class Verified:
    """What is proved of an algorithm.

    - `steps`, `messages`: of all gpus, without nops
    - `buffers`: what the connections have to hold so that it ends, see `buffers_needed`
    - `root`: where a broadcast starts, else 0
    """

    algorithm: Algorithm
    steps: int
    messages: int
    buffers: Buffers
    root: int

    def __str__(self) -> str:
        plan = self.algorithm
        gpus, chunks = counted(len(plan.gpus), "gpu"), counted(plan.chunks, "chunk")
        size = f"{counted(self.steps, 'step')}, {counted(self.messages, 'message')}"
        calls = [name for name, is_for in _calls(plan) if is_for]
        told = f"{plan.collective}, {gpus}, {chunks}, {size}, {' and '.join(calls)}:"
        told += f" every output is right, no race, no deadlock, {_ENDS[self.buffers]}"
        if plan.missing:
            told += f"; msccl-executor-nccl asks for {', '.join(plan.missing)} as well"
        return told


_ENDS: Final = {
    "none": "even without buffers",
    "chunks": "with the buffers of its protocol",
    "messages": "if a message fits into one slot of the buffers",
}


def _calls(plan: Algorithm) -> tuple[tuple[str, bool], ...]:
    return ("in place", plan.in_place), ("out of place", plan.out_of_place)


def verify(path: str | os.PathLike[str]) -> Verified:
    """Proves that the algorithm in a file does what it says in every run; see `verified`."""
    with without_collection():
        return verified(read_algorithm(path))


def verify_text(written: str) -> Verified:
    """As `verify`, for the text of a file."""
    with without_collection():
        return verified(parse_algorithm(written))


def verified(algorithm: Algorithm) -> Verified:
    """Proves that every run of an algorithm ends, and that all runs end with the right outputs.

    - every send has one reception, of the same count, in the order of their connection
    - no step waits for itself, with what the connections hold under the protocol (`buffers_needed`)
    - two steps that use a chunk, of which one writes, are ordered: so all runs have one result
    - in this result every output chunk holds the chunk, or the sum, that the collective wants

    This holds for calls in place and out of place, as the file says.  Raises `Malformed` for what
    the executor cannot read (`parse_algorithm`) and for other collectives than allgather,
    reduce-scatter, allreduce, broadcast and alltoall; `Rejected` for what is wrong.

    About linear time in the chunks that all steps move.
    """
    collective_of(algorithm)
    events = events_of(algorithm)
    order = in_order(events)
    buffers = buffers_needed(events, algorithm.protocol)
    root = 0
    for in_place, is_asked in ((True, algorithm.in_place), (False, algorithm.out_of_place)):
        if is_asked:
            root = refuse_wrong_contents(algorithm, events, order, in_place=in_place)
    messages = sum(len(sends) for sends in events.connections)
    return Verified(algorithm, len(events.steps), messages, buffers, root)
