"""Execution plans of MSCCL++ 0.9 as records: what the interpreter plays, read strictly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from exactsched.exact.errors import Malformed
from exactsched.exact.words import counted
from exactsched.export.values import COLLECTIVES, Collective, collective_named

# Of the executor (`execution_common.hpp`).
MAX_OPERATIONS: Final = 64
MAX_CHANNELS: Final = 16
MAX_AT_ONCE: Final = 8
MAX_CHUNKS: Final = 2**16
MAX_GPUS: Final = 1024

DATA: Final = ("copy", "put", "rre")
WAITS: Final = ("wait", "rlxwait")
SIGNALS: Final = ("signal", "rlxsignal")
_NAMES: Final = ("nop", *DATA, *WAITS, *SIGNALS)


class Range(NamedTuple):
    """Chunks of a buffer of a gpu, which need not be the one that uses them."""

    gpu: int
    buffer: str
    start: int
    size: int


class Operation(NamedTuple):
    """What a thread block does next; `channels` are those of its gpu."""

    name: str
    sources: tuple[Range, ...]
    targets: tuple[Range, ...]
    channels: tuple[int, ...]


class Gpu(NamedTuple):
    """The peer of every channel, and the operations of every thread block."""

    peers: tuple[int, ...]
    blocks: tuple[tuple[Operation, ...], ...]


class ExecutionPlan(NamedTuple):
    """What every gpu does in a collective; the buffers are apart (`inplace` is false)."""

    collective: Collective
    gpus: tuple[Gpu, ...]

    def __str__(self) -> str:
        gpus = counted(len(self.gpus), "gpu")
        chunks = counted(max(self.collective.inputs, self.collective.outputs), "chunk")
        blocks = counted(sum(len(gpu.blocks) for gpu in self.gpus), "thread block")
        told = f"{self.collective.name}, {gpus}, {chunks}, {blocks}, out of place:"
        return f"{told} every output is right, no race, no deadlock"


def parse_plan(document: object) -> ExecutionPlan:
    """The plan that a JSON document describes.

    Raises `Malformed`, with place, value and rule, for members that are missing or of another type,
    for operations that are not played, for ranges outside of their buffers, for gpus without the
    same number of channels in both directions, and beyond the limits of the executor.
    """
    plan = _object(document, "plan")
    listed = _list(plan, "gpus", "plan")
    if not 1 <= len(listed) <= MAX_GPUS:
        raise Malformed("gpus", len(listed), f"from 1 to {MAX_GPUS} gpus")
    gpus = [_object(gpu, f"gpus[{number}]") for number, gpu in enumerate(listed)]
    if plan.get("inplace") is not False:
        raise Malformed("inplace", plan.get("inplace"), "only plans out of place are played")
    found = _collective(plan, gpus)
    sizes = [
        {
            "i": found.inputs,
            "o": found.outputs,
            "s": _whole(gpu, "scratch_chunks", f"gpus[{number}]", MAX_CHUNKS),
        }
        for number, gpu in enumerate(gpus)
    ]
    made = tuple(_gpu(gpu, number, sizes) for number, gpu in enumerate(gpus))
    for one, gpu in enumerate(made):
        for other in set(gpu.peers):
            back = made[other].peers.count(one)
            if gpu.peers.count(other) != back:
                rule = f"gpu {other} has {back} channels to this one, and each has two ends"
                raise Malformed(f"gpus[{one}].channels", gpu.peers.count(other), rule)
    return ExecutionPlan(found, made)


def _collective(plan: Mapping[str, Any], gpus: Sequence[Mapping[str, Any]]) -> Collective:
    name = plan.get("collective")
    if name not in COLLECTIVES:
        raise Malformed("collective", name, f"one of {', '.join(COLLECTIVES)}")
    place = "output_chunks" if name == "allgather" else "input_chunks"
    whole = _whole(gpus[0], place, "gpus[0]", MAX_CHUNKS, 1)
    found = collective_named(str(name), len(gpus), whole, f"gpus[0].{place}")
    for number, gpu in enumerate(gpus):
        if gpu.get("id") != number or type(gpu.get("id")) is not int:
            raise Malformed(f"gpus[{number}].id", gpu.get("id"), "gpus are listed in order, from 0")
        for member, chunks in (("input_chunks", found.inputs), ("output_chunks", found.outputs)):
            if gpu.get(member) != chunks:
                rule = f"{chunks}, as the collective and the first gpu have it"
                raise Malformed(f"gpus[{number}].{member}", gpu.get(member), rule)
    return found


def _gpu(gpu: Mapping[str, Any], number: int, sizes: Sequence[Mapping[str, int]]) -> Gpu:
    place = f"gpus[{number}]"
    peers: list[int] = []
    for channel in _list(gpu, "channels", place):
        channel = _object(channel, f"{place}.channels")
        _memory(channel, "channel_type", f"{place}.channels")
        for peer in _list(channel, "connected_to", f"{place}.channels"):
            if type(peer) is not int or not 0 <= peer < len(sizes) or peer == number:
                raise Malformed(f"{place}.channels", peer, "a channel leads to another gpu")
            peers.append(peer)
    buffers = []
    for buffer in _list(gpu, "remote_buffers", place):
        buffer = _object(buffer, f"{place}.remote_buffers")
        owner = _whole(buffer, "rank", f"{place}.remote_buffers", len(sizes) - 1)
        kind = buffer.get("type")
        if kind not in ("i", "o", "s"):
            raise Malformed(f"{place}.remote_buffers", kind, "a buffer is i, o or s")
        buffers.append((owner, str(kind)))
    blocks = []
    for index, block in enumerate(_list(gpu, "threadblocks", place)):
        here = f"{place}.threadblocks[{index}]"
        blocks.append(_Block(_object(block, here), here, index, number, peers, buffers, sizes))
    return Gpu(tuple(peers), tuple(block.operations for block in blocks))


class _Block:
    def __init__(
        self,
        block: Mapping[str, Any],
        place: str,
        index: int,
        gpu: int,
        peers: Sequence[int],
        buffers: Sequence[tuple[int, str]],
        sizes: Sequence[Mapping[str, int]],
    ) -> None:
        self._place, self._gpu, self._sizes = place, gpu, sizes
        if block.get("id") != index:
            raise Malformed(f"{place}.id", block.get("id"), "ids count from 0 without a gap")
        self._channels = self._ids(block, "channels", "channel_type", "channel_ids", len(peers))
        refs = self._ids(
            block,
            "remote_buffer_refs",
            "access_channel_type",
            "remote_buffer_ids",
            len(buffers),
        )
        self._buffers = [buffers[ref] for ref in refs]
        listed = _list(block, "ops", place)
        if len(listed) > MAX_OPERATIONS:
            rule = f"at most {MAX_OPERATIONS} operations for a thread block"
            raise Malformed(f"{place}.ops", len(listed), rule)
        self.operations = tuple(
            self._operation(_object(op, f"{place}.ops[{number}]"), f"{place}.ops[{number}]")
            for number, op in enumerate(listed)
        )

    def _ids(
        self, block: Mapping[str, Any], member: str, kind: str, ids: str, most: int
    ) -> list[int]:
        found: list[int] = []
        for entry in _list(block, member, self._place):
            entry = _object(entry, f"{self._place}.{member}")
            _memory(entry, kind, f"{self._place}.{member}")
            listed = _list(entry, ids, f"{self._place}.{member}")
            found += [_index(number, f"{self._place}.{member}", most) for number in listed]
        if len(found) > MAX_CHANNELS:
            rule = f"at most {MAX_CHANNELS} for a thread block"
            raise Malformed(f"{self._place}.{member}", len(found), rule)
        return found

    def _operation(self, op: Mapping[str, Any], place: str) -> Operation:
        name = op.get("name")
        if name not in _NAMES:
            raise Malformed(f"{place}.name", name, f"played are {', '.join(_NAMES)}")
        channels = tuple(
            self._channels[_index(number, f"{place}.channel_ids", len(self._channels))]
            for number in _given(op, "channel_ids", place)
        )
        if name in (*WAITS, *SIGNALS, "put", "rre"):
            _memory(op, "channel_type", place)
        ends = [
            tuple(self._range(end, f"{place}.{member}") for end in _given(op, member, place))
            for member in ("src_buff", "dst_buff")
        ]
        made = Operation(str(name), ends[0], ends[1], channels)
        _check_shape(made, place, self._gpu)
        return made

    def _range(self, end: object, place: str) -> Range:
        end = _object(end, place)
        if "buffer_id" in end:
            number = _index(end["buffer_id"], f"{place}.buffer_id", len(self._buffers))
            gpu, buffer = self._buffers[number]
        else:
            gpu, buffer = self._gpu, str(end.get("type"))
            if buffer not in ("i", "o", "s"):
                raise Malformed(f"{place}.type", buffer, "a buffer is i, o or s")
        index = _whole(end, "index", place, MAX_CHUNKS)
        size = _whole(end, "size", place, MAX_CHUNKS, 1)
        chunks = self._sizes[gpu][buffer]
        if index + size > chunks:
            rule = f"{size} chunks from here are not in a buffer {buffer} of {chunks}"
            raise Malformed(f"{place}.index", index, rule)
        return Range(gpu, buffer, index, size)


def _check_shape(op: Operation, place: str, gpu: int) -> None:
    """How many ranges an operation has, where they are, and that they have one size."""
    far = [end for end in (*op.sources, *op.targets) if end.gpu != gpu]
    match op.name:
        case "copy":
            fits = len(op.sources) == len(op.targets) == 1 and not far
        case "put":
            fits = len(op.sources) == len(op.targets) == len(far) and set(far) == set(op.targets)
            fits = fits and len({(end.buffer) for end in op.sources}) == 1
        case "rre":
            fits = len(op.targets) == 1 and tuple(far) == op.sources[1:] and len(far) >= 1
        case "nop":
            fits = not op.sources and not op.targets and not op.channels
        case _:
            fits = not op.sources and not op.targets and len(op.channels) >= 1
    sizes = {end.size for end in (*op.sources, *op.targets)}
    if not fits or len(sizes) > 1 or max(len(far), len(op.channels)) > MAX_AT_ONCE:
        rule = (
            "copy: one local source and target; put: local sources of one buffer, remote targets;"
            " rre: a local source, remote ones, a local target; all of one size, at most"
            f" {MAX_AT_ONCE} remote; signal and wait: from 1 to {MAX_AT_ONCE} channels"
        )
        raise Malformed(place, op.name, rule)


def _memory(value: Mapping[str, Any], member: str, place: str) -> None:
    if value.get(member) != "memory":
        raise Malformed(f"{place}.{member}", value.get(member), "only memory channels are played")


def _object(value: object, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Malformed(place, type(value).__name__, "an object")
    return value


def _list(value: Mapping[str, Any], member: str, place: str) -> list[Any]:
    if not isinstance(value.get(member), list):
        raise Malformed(f"{place}.{member}", type(value.get(member)).__name__, "a list")
    return list(value[member])


def _given(value: Mapping[str, Any], member: str, place: str) -> list[Any]:
    """A list, or nothing."""
    return _list(value, member, place) if member in value else []


def _whole(value: Mapping[str, Any], member: str, place: str, most: int, least: int = 0) -> int:
    number = value.get(member)
    if type(number) is not int or not least <= number <= most:
        rule = f"a whole number from {least} to {most}"
        raise Malformed(f"{place}.{member}", number, rule)
    return number


def _index(number: object, place: str, end: int) -> int:
    if type(number) is not int or not 0 <= number < end:
        raise Malformed(place, number, f"an index below {end}")
    return number
