"""The makespan of a finite schedule, from the definition of its port model."""

from __future__ import annotations

from fractions import Fraction

from exactsched.certificate import RunCertificate
from exactsched.check.collectives.ports import refuse_overlaps
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import text, to_json
from exactsched.model.platform import Node


def achieved_makespan(run: RunCertificate) -> Fraction:
    """The time at which every node has received every packet and the last transfer has ended.

    The rules are those of `proofs/certificate-format.md`, kind `run`, in its order.  With k rows:
    O(k log k) steps on integers.  Raises `Rejected`.
    """
    for index, (_, _, start, end) in enumerate(run.transfers):
        if not 0 <= start < end:
            raise Rejected(
                f"run.transfers[{index}]",
                [to_json(start), to_json(end)],
                "a transfer starts at 0 or later and ends after its start",
            )
    intervals = [(arc, start, end) for arc, _, start, end in run.transfers]
    refuse_overlaps(run.problem, intervals, "run.transfers")
    _refuse_wrong_durations(run)
    received = _received(run)
    _refuse_early_sending(run, received)
    _refuse_missing_packets(run, received)
    return max(end for _, _, _, end in run.transfers) * run.tick


def _refuse_wrong_durations(run: RunCertificate) -> None:
    arcs = run.problem.platform.arcs
    ticks: dict[tuple[int, int], int] = {}
    for index, (arc, packet, start, end) in enumerate(run.transfers):
        if (arc, packet) in ticks and arcs[arc].latency:
            raise Rejected(
                f"run.transfers[{index}]",
                [arc, packet],
                "a transfer on an arc with a latency is not interrupted",
            )
        ticks[arc, packet] = ticks.get((arc, packet), 0) + end - start
    # Few sizes and arcs, many packets: every duration is worked out once.
    sizes = {size: number for number, size in enumerate(dict.fromkeys(run.packets))}
    size_of = [sizes[size] for size in run.packets]
    known: dict[tuple[int, int], Fraction] = {}
    for (arc, packet), lasted in ticks.items():
        key = arc, size_of[packet]
        if key not in known:
            duration = arcs[arc].latency + run.packets[packet] * arcs[arc].cost
            known[key] = duration / run.tick
        if lasted != known[key]:
            raise Rejected(
                f"run.transfers of packet {packet} on arc {arc} ({arcs[arc]})",
                [text(lasted * run.tick), text(known[key] * run.tick)],
                "a transfer lasts its latency and its size times the cost, exactly",
            )


def _received(run: RunCertificate) -> dict[tuple[Node, int], int]:
    """When a node has first received a packet completely, for all that it receives."""
    ends: dict[tuple[int, int], int] = {}
    for arc, packet, _, end in run.transfers:
        ends[arc, packet] = max(end, ends.get((arc, packet), end))
    received: dict[tuple[Node, int], int] = {}
    for (arc, packet), end in ends.items():
        head = run.problem.platform.arcs[arc].head
        received[head, packet] = min(end, received.get((head, packet), end))
    return received


def _refuse_early_sending(run: RunCertificate, received: dict[tuple[Node, int], int]) -> None:
    for index, (arc, packet, start, _) in enumerate(run.transfers):
        tail = run.problem.platform.arcs[arc].tail
        if tail == run.problem.source:
            continue
        if (tail, packet) not in received or start < received[tail, packet]:
            raise Rejected(
                f"run.transfers[{index}]",
                [tail, packet, to_json(start)],
                "a node sends a packet only after it has received it completely",
            )


def _refuse_missing_packets(run: RunCertificate, received: dict[tuple[Node, int], int]) -> None:
    # Stops at the first gap, and there are at most as many pairs before it as were received.
    for packet in range(len(run.packets)):
        for node in run.problem.platform.nodes:
            if node != run.problem.source and (node, packet) not in received:
                raise Rejected("run.transfers", [node, packet], "every node receives every packet")
