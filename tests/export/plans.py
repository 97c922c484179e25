"""MSCCL plans made by hand, as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

HEAD = {
    "name": "made by hand",
    "proto": "Simple",
    "nchannels": 1,
    "nchunksperloop": 1,
    "ngpus": 1,
    "coll": "allreduce",
    "inplace": 0,
    "outofplace": 1,
    "minBytes": 0,
    "maxBytes": 0,
}


def element(tag: str, attributes: dict[str, object], parts: Iterable[str] = ()) -> str:
    written = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f"<{tag}{written}>\n{''.join(parts)}</{tag}>\n"


def algo(gpus: Sequence[str], **head: object) -> str:
    return element("algo", HEAD | {"ngpus": len(gpus)} | head, gpus)


def gpu(number: int, sizes: Sequence[int], blocks: Sequence[str]) -> str:
    names = ("i_chunks", "o_chunks", "s_chunks")
    return element("gpu", {"id": number} | dict(zip(names, sizes, strict=True)), blocks)


def block(number: int, send: int, receive: int, steps: Sequence[str], channel: int = 0) -> str:
    """Steps in the short writing `s i0 o1`: kind, source, target; then *count, <block.step, !."""
    ends: dict[str, object] = {"id": number, "send": send, "recv": receive, "chan": channel}
    return element("tb", ends, [step(index, written) for index, written in enumerate(steps)])


def step(index: int, written: str) -> str:
    kind, *words = written.split()
    found: dict[str, object] = {"s": index, "type": kind}
    found |= {"srcbuf": "i", "srcoff": -1, "dstbuf": "o", "dstoff": -1}
    found |= {"cnt": 0 if kind == "nop" else 1, "depid": -1, "deps": -1, "hasdep": 0}
    chunks = [word for word in words if word[0] in "ios"]
    for end, word in zip(("src", "dst"), chunks, strict=False):
        found |= {f"{end}buf": word[0], f"{end}off": word[1:]}
    for word in words:
        if word[0] == "*":
            found["cnt"] = word[1:]
        elif word[0] == "<":
            found["depid"], found["deps"] = word[1:].split(".")
        elif word == "!":
            found["hasdep"] = 1
    return element("step", found)


def ring_allgather(gpus: int, channels: int = 1) -> str:
    """In place; on every channel each gpu passes a chunk of every shard around the ring."""
    programs = []
    for rank in range(gpus):
        after, before = (rank + 1) % gpus, (rank - 1) % gpus
        blocks = []
        for channel in range(channels):
            sends, receptions = [], []
            for turn in range(gpus - 1):
                sent = f"o{(rank - turn) % gpus * channels + channel}"
                came = f"o{(before - turn) % gpus * channels + channel}"
                wait = f" <{2 * channel + 1}.{turn - 1}" if turn else ""
                sends.append(f"s {sent} {sent}{wait}")
                receptions.append(f"r {came} {came} !")
            blocks.append(block(2 * channel, after, -1, sends, channel))
            blocks.append(block(2 * channel + 1, -1, before, receptions, channel))
        programs.append(gpu(rank, (channels, gpus * channels, 0), blocks))
    chunks = gpus * channels
    return algo(
        programs,
        coll="allgather",
        nchannels=channels,
        nchunksperloop=chunks,
        inplace=1,
        outofplace=0,
    )
