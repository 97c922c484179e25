"""MSCCL++ plans by the definition: operations one by one in a random order, sums of symbols.

It shares no code with the package.  It does not look for races: many orders have to show them.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any


def outputs(document: dict[str, Any], seed: int) -> list[list[Counter[tuple[int, int]]]]:
    """What every gpu has in its output in the end; a chunk that was not written is empty."""
    drawn, gpus = random.Random(seed), document["gpus"]
    memory: dict[tuple[int, str, int], Counter[tuple[int, int]]] = {}
    for gpu in gpus:
        for k in range(gpu["input_chunks"]):
            memory[gpu["id"], "i", k] = Counter({(gpu["id"], k): 1})
    peers = [[p for c in gpu["channels"] for p in c["connected_to"]] for gpu in gpus]
    signals: Counter[tuple[int, int]] = Counter()
    left = {
        (gpu["id"], block["id"]): (gpu, block, list(block["ops"]))
        for gpu in gpus
        for block in gpu["threadblocks"]
    }

    def channels(block: dict[str, Any], op: dict[str, Any]) -> list[int]:
        listed = [number for entry in block["channels"] for number in entry["channel_ids"]]
        return [listed[number] for number in op.get("channel_ids", [])]

    def other_end(rank: int, channel: int) -> tuple[int, int]:
        peer = peers[rank][channel]
        turn = peers[rank][:channel].count(peer)
        back = [number for number, end in enumerate(peers[peer]) if end == rank]
        return peer, back[turn]

    def places(
        gpu: dict[str, Any], block: dict[str, Any], end: dict[str, Any]
    ) -> list[tuple[int, str, int]]:
        owner, kind = gpu["id"], end.get("type")
        if "buffer_id" in end:
            listed = [k for ref in block["remote_buffer_refs"] for k in ref["remote_buffer_ids"]]
            buffer = gpu["remote_buffers"][listed[end["buffer_id"]]]
            owner, kind = buffer["rank"], buffer["type"]
        return [(owner, str(kind), end["index"] + k) for k in range(end["size"])]

    while left := {key: value for key, value in left.items() if value[2]}:
        ready = [
            key
            for key, (gpu, block, ops) in left.items()
            if not ops[0]["name"].endswith("wait")
            or all(signals[gpu["id"], channel] for channel in channels(block, ops[0]))
        ]
        assert ready, "no operation can go on"
        gpu, block, ops = left[drawn.choice(sorted(ready))]
        op = ops.pop(0)
        for channel in channels(block, op):
            if op["name"].endswith("signal"):
                signals[other_end(gpu["id"], channel)] += 1
            if op["name"].endswith("wait"):
                signals[gpu["id"], channel] -= 1
        if op["name"] in ("put", "copy"):
            for source, target in zip(op["src_buff"], op["dst_buff"], strict=True):
                ends = zip(places(gpu, block, source), places(gpu, block, target), strict=True)
                for one, other in ends:
                    memory[other] = memory.get(one, Counter())
        if op["name"] == "rre":
            rows = [places(gpu, block, source) for source in op["src_buff"]]
            for column, target in enumerate(places(gpu, block, op["dst_buff"][0])):
                total: Counter[tuple[int, int]] = Counter()
                for row in rows:
                    total.update(memory.get(row[column], Counter()))
                memory[target] = total
    return [
        [memory.get((gpu["id"], "o", k), Counter()) for k in range(gpu["output_chunks"])]
        for gpu in gpus
    ]


def wanted(document: dict[str, Any]) -> list[list[Counter[tuple[int, int]]]]:
    """What every gpu has to have; the root of a broadcast is gpu 0."""
    gpus = document["gpus"]
    size, whole = len(gpus), max(gpus[0]["input_chunks"], gpus[0]["output_chunks"])
    each = whole // size
    sums = [Counter({(gpu, k): 1 for gpu in range(size)}) for k in range(whole)]
    match document["collective"]:
        case "allgather":
            return [[Counter({divmod(k, each): 1}) for k in range(whole)]] * size
        case "broadcast":
            return [[Counter({(0, k): 1}) for k in range(whole)]] * size
        case "allreduce":
            return [sums] * size
    return [sums[gpu * each : (gpu + 1) * each] for gpu in range(size)]
