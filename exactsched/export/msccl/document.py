"""MSCCL's XML as a record, read as strictly as the executor's own parser reads it.

The limits are those of msccl-executor-nccl (`msccl_parser.cc`, `msccl_struct.h`): what breaks them
is refused there, or overwrites memory.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from exactsched.exact.errors import Malformed
from exactsched.exact.exact_json import file_text
from exactsched.exact.exact_xml import Element, read_xml

Kind = Literal["s", "r", "rcs", "rrs", "rrc", "rrcs", "cpy", "re", "nop"]
Buffer = Literal["i", "o", "s"]

SENDS: Final = frozenset({"s", "rcs", "rrs", "rrcs"})
RECEIVES: Final = frozenset({"r", "rcs", "rrs", "rrc", "rrcs"})
# What a step reads from its source and from its target, and whether it writes to its target.
READS_SOURCE: Final = frozenset({"s", "rrs", "rrc", "rrcs", "cpy", "re"})
WRITES: Final = frozenset({"r", "rcs", "rrc", "rrcs", "cpy", "re"})
_KINDS: Final = SENDS | RECEIVES | {"cpy", "re", "nop"}

MAX_BYTES: Final = 1 << 28
MAX_GPUS: Final = 1024
MAX_CHANNELS: Final = 32
MAX_STEPS: Final = 256
MAX_COUNT: Final = 71
MAX_OFFSET: Final = 2**15 - 1
MAX_BLOCK_TO_WAIT_FOR: Final = 127
MAX_PER_CHANNEL: Final = 32
MAX_ELEMENTS: Final = 4095
MAX_TEXT: Final = 254
MAX_SCRATCH: Final = 2**31 - 1

# What msccl-executor-nccl needs and older runtimes do without.
EXECUTOR_ALONE: Final = ("outofplace", "minBytes", "maxBytes")
_WHOLE: Final = re.compile(r"-?[0-9]{1,19}\Z")
# The executor reads characters, not XML: no declaration, no tab, no single quote around a value.
_UNREAD: Final = re.compile(r"<[?]|=\s*'|\t|<!(?!--)")


class Step(NamedTuple):
    """What a thread block does next with `size` chunks.

    - `waits`: the thread block and the step of its gpu that end before this one starts
    - `announced`: whether others may wait for its end
    """

    kind: Kind
    source: tuple[Buffer, int]
    target: tuple[Buffer, int]
    size: int
    waits: tuple[int, int] | None
    announced: bool


class ThreadBlock(NamedTuple):
    """Steps one after the other, with one gpu to send to and one to receive from, or -1."""

    send: int
    receive: int
    channel: int
    steps: tuple[Step, ...]


class Gpu(NamedTuple):
    """The chunks of its three buffers that the file declares, and its thread blocks by id."""

    inputs: int
    outputs: int
    scratch: int
    blocks: tuple[ThreadBlock, ...]


class Algorithm(NamedTuple):
    """An `algo` element: a program for every gpu.

    - `chunks`: how many equal chunks the whole vector has (`nchunksperloop`)
    - `in_place`, `out_of_place`: the calls that it is for
    - `missing`: attributes that msccl-executor-nccl needs and the file has not
    """

    name: str
    protocol: str
    channels: int
    chunks: int
    collective: str
    in_place: bool
    out_of_place: bool
    gpus: tuple[Gpu, ...]
    missing: tuple[str, ...] = ()


def read_algorithm(path: str | os.PathLike[str]) -> Algorithm:
    """The algorithm in an XML file; see `parse_algorithm`.

    Raises `InvalidInput` for a file that cannot be read.
    """
    return parse_algorithm(file_text(path, "plan", MAX_BYTES))


def parse_algorithm(written: str) -> Algorithm:
    """The algorithm that a text in MSCCL's XML describes.

    Raises `Malformed`, with place, value and rule, for what is not XML, for a document type or an
    entity, for a missing attribute, and for what the executor's parser refuses or cannot hold.
    Linear time and memory.

    >>> gpu = '<gpu id="0" i_chunks="1" o_chunks="1" s_chunks="0"></gpu>'
    >>> head = '<algo name="none" proto="Simple" nchannels="1" nchunksperloop="1" ngpus="1"'
    >>> read = parse_algorithm(head + ' coll="allreduce" inplace="1">' + gpu + "</algo>")
    >>> read.collective, read.chunks, read.missing
    ('allreduce', 1, ('outofplace', 'minBytes', 'maxBytes'))
    """
    unread = _UNREAD.search(written)
    if unread:
        place = f"line {written.count(chr(10), 0, unread.start()) + 1}"
        rule = "the executor reads elements, comments and attributes in double quotes, nothing else"
        raise Malformed(place, unread.group(), rule)
    top = read_xml(written, Malformed, MAX_TEXT)
    if top.tag != "algo":
        raise top.refused(top.tag, "a plan is an algo element")
    return _algorithm(top)


def _algorithm(element: Element) -> Algorithm:
    count = _whole(element, "ngpus", "algo", 1, MAX_GPUS)
    gpus: dict[int, Gpu] = {}
    channels = _whole(element, "nchannels", "algo", 0, MAX_CHANNELS)
    for part in element.children("gpu"):
        number = _whole(part, "id", "gpu", 0, count - 1)
        if number in gpus:
            raise Malformed(f"gpu {number}", number, "this gpu is given twice")
        gpus[number] = _gpu(part, number, count, channels)
    if len(gpus) < count:
        absent = next(number for number in range(count) if number not in gpus)
        raise Malformed("algo", absent, f"there are {count} gpus, and this one is missing")
    in_place = _truth(element, "inplace", "algo")
    out_of_place = not in_place
    if "outofplace" in element.attributes:
        out_of_place = _truth(element, "outofplace", "algo")
    if not in_place and not out_of_place:
        raise Malformed("algo", "inplace, outofplace", "one of them is 1: else nothing can use it")
    for name in ("minBytes", "maxBytes"):
        if name in element.attributes:
            _whole(element, name, "algo", 0, 2**63 - 1)
    return Algorithm(
        _text(element, "name", "algo"),
        _one_of(element, "proto", "algo", ("Simple", "LL", "LL128")),
        channels,
        _whole(element, "nchunksperloop", "algo", 1, MAX_OFFSET + 1),
        _text(element, "coll", "algo"),
        in_place,
        out_of_place,
        tuple(gpus[number] for number in range(count)),
        tuple(name for name in EXECUTOR_ALONE if name not in element.attributes),
    )


def _gpu(element: Element, number: int, gpus: int, channels: int) -> Gpu:
    place = f"gpu {number}"
    elements = 1 + gpus + len(element.parts) + sum(len(part.parts) for part in element.parts)
    if elements > MAX_ELEMENTS:
        rule = f"the executor holds at most {MAX_ELEMENTS} elements for one gpu"
        raise Malformed(place, elements, rule)
    sizes = [
        _whole(element, f"{buffer}_chunks", place, 0, MAX_SCRATCH) for buffer in ("i", "o", "s")
    ]
    blocks: dict[int, ThreadBlock] = {}
    for part in element.children("tb"):
        block = _whole(part, "id", f"{place}, tb", 0, len(element.parts) - 1, _CONSECUTIVE)
        if block in blocks:
            raise Malformed(f"{place}, tb {block}", block, "this thread block is given twice")
        blocks[block] = _block(part, f"{place}, tb {block}", number, gpus, channels, sizes)
    ordered = tuple(blocks[block] for block in range(len(blocks)))
    _check_channels(ordered, place)
    _check_waits(ordered, place)
    return Gpu(sizes[0], sizes[1], sizes[2], ordered)


_CONSECUTIVE: Final = "ids count from 0 without a gap"


def _check_channels(blocks: tuple[ThreadBlock, ...], place: str) -> None:
    for does, peers in (
        ("send", [(block.channel, block.send) for block in blocks]),
        ("receive", [(block.channel, block.receive) for block in blocks]),
    ):
        counts: dict[int, int] = {}
        for channel, peer in peers:
            counts[channel] = counts.get(channel, 0) + (peer >= 0)
            if counts[channel] > MAX_PER_CHANNEL:
                rule = f"at most {MAX_PER_CHANNEL} thread blocks {does} on one channel"
                raise Malformed(f"{place}, channel {channel}", counts[channel], rule)


def _check_waits(blocks: tuple[ThreadBlock, ...], place: str) -> None:
    """What a step waits for exists and announces its end; a nop only waits, for the next step."""
    for number, block in enumerate(blocks):
        for index, step in enumerate(block.steps):
            here = f"{place}, tb {number}, step {index}"
            after_nop = index > 0 and block.steps[index - 1].kind == "nop"
            if step.waits is None:
                if step.kind == "nop" or after_nop:
                    rule = "a nop and the step behind it wait: depid and deps name what for"
                    raise Malformed(here, step.kind, rule)
                continue
            other, awaited = step.waits
            if other >= len(blocks) or awaited >= len(blocks[other].steps):
                raise Malformed(here, list(step.waits), "depid and deps name no step of this gpu")
            if other > MAX_BLOCK_TO_WAIT_FOR:
                rule = f"depid is at most {MAX_BLOCK_TO_WAIT_FOR}: the executor has 8 bits for it"
                raise Malformed(here, other, rule)
            target = blocks[other].steps[awaited]
            if not target.announced or target.kind == "nop":
                rule = (
                    'what a step waits for is no nop and has hasdep="1", else the wait is endless'
                )
                raise Malformed(here, list(step.waits), rule)


def _block(
    element: Element, place: str, gpu: int, gpus: int, channels: int, sizes: list[int]
) -> ThreadBlock:
    send = _whole(element, "send", place, -1, gpus - 1)
    receive = _whole(element, "recv", place, -1, gpus - 1)
    if gpu in (send, receive):
        raise Malformed(place, gpu, "a gpu neither sends to itself nor receives from itself")
    channel = _whole(element, "chan", place, 0, MAX_CHANNELS - 1)
    if (send >= 0 or receive >= 0) and channel >= channels:
        raise Malformed(f"{place}, chan", channel, f"the file declares {channels} channels")
    if len(element.parts) > MAX_STEPS:
        rule = f"at most {MAX_STEPS} steps"
        raise Malformed(place, len(element.parts), rule)
    steps: list[Step] = []
    bounds = dict(zip(("i", "o", "s"), sizes, strict=True))
    for index, part in enumerate(element.children("step")):
        part.children()
        here = f"{place}, step {index}"
        step = _step(part, here, index, bounds)
        for does, peer, needed in (("s", send, SENDS), ("r", receive, RECEIVES)):
            if step.kind in needed and peer < 0:
                verb = "sends" if does == "s" else "receives"
                rule = f"it {verb}, but its thread block has no gpu to do it with"
                raise Malformed(here, step.kind, rule)
        if step.kind == "re" and steps:
            _check_fusion(steps[-1], step, here)
        steps.append(step)
    return ThreadBlock(send, receive, channel, tuple(steps))


def _check_fusion(before: Step, step: Step, place: str) -> None:
    """The executor makes one reduction of those that follow each other into the same chunks."""
    fused = (
        before.kind == "re"
        and (before.source[0], before.target) == (step.source[0], step.target)
        and step.waits is None
        and not before.announced
    )
    if fused and before.size != step.size:
        rule = "the executor runs this reduction and the one before as one, so with one count"
        raise Malformed(place, step.size, rule)


def _step(element: Element, place: str, index: int, bounds: dict[str, int]) -> Step:
    written = element.attributes
    kind = written.get("type")
    if kind not in _KINDS:
        _text(element, "type", place)
        raise Malformed(f"{place}, type", kind, f"one of {', '.join(sorted(_KINDS))}")
    if _whole(element, "s", place, 0, MAX_STEPS - 1) != index:
        raise Malformed(f"{place}, s", written["s"], "steps count from 0 without a gap")
    source = _chunk(element, "src", place)
    target = _chunk(element, "dst", place)
    count = _whole(element, "cnt", place, 0, MAX_COUNT)
    other = _whole(element, "depid", place, -1, MAX_SCRATCH)
    awaited = _whole(element, "deps", place, -1 if other < 0 else 0, MAX_OFFSET)
    announced = _truth(element, "hasdep", place)
    step = Step(
        kind,  # type: ignore[arg-type]
        source,
        target,
        count,
        None if other < 0 else (other, awaited),
        announced,
    )
    if kind != "nop":
        if not count:
            raise Malformed(f"{place}, cnt", 0, "a step moves at least one chunk")
        used = [("srcoff", source)] if kind in READS_SOURCE else []
        used += [("dstoff", target)] if kind in WRITES else []
        for name, (buffer, offset) in used:
            if not 0 <= offset <= offset + count <= bounds[buffer]:
                rule = f"{count} chunks from here are not in a buffer {buffer} of {bounds[buffer]}"
                raise Malformed(f"{place}, {name}", offset, rule)
    return step


def _chunk(element: Element, end: str, place: str) -> tuple[Buffer, int]:
    buffer = _one_of(element, f"{end}buf", place, ("i", "o", "s"))
    return buffer, _whole(element, f"{end}off", place, -1, MAX_OFFSET)  # type: ignore[return-value]


def _text(element: Element, name: str, place: str) -> str:
    value = element.attributes.get(name)
    if value is None:
        given = sorted(element.attributes)
        raise Malformed(place, given, f'the attribute "{name}" is missing')
    return value


def _one_of(element: Element, name: str, place: str, allowed: tuple[str, ...]) -> str:
    value = _text(element, name, place)
    if value not in allowed:
        raise Malformed(f"{place}, {name}", value, f"one of {', '.join(allowed)}")
    return value


def _whole(element: Element, name: str, place: str, least: int, most: int, why: str = "") -> int:
    value = _text(element, name, place)
    number = _number(value)
    if number is None or not least <= number <= most:
        rule = why or f"a whole number from {least} to {most}"
        raise Malformed(f"{place}, {name}", value, rule)
    return number


@lru_cache(maxsize=1 << 16)
def _number(written: str) -> int | None:
    """A whole number, written as C's strtol reads it and we print it."""
    return int(written) if _WHOLE.match(written) else None


def _truth(element: Element, name: str, place: str) -> bool:
    return _one_of(element, name, place, ("0", "1")) == "1"
