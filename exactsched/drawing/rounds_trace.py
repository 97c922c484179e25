"""A run in steps as a trace for Perfetto or Chrome: a process for each node."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from exactsched.certificate.synchronous import SynchronousRun
from exactsched.drawing.lettering import counted
from exactsched.drawing.perfetto import MOST_TRANSFERS, time_scale, trace_of, track_names, written
from exactsched.drawing.rounds_traffic import RoundTraffic
from exactsched.drawing.rounds_wording import headline
from exactsched.drawing.wording import ARROW

_BACK = "\u2190"


def rounds_trace(run: SynchronousRun) -> dict[str, Any]:
    """Two slices for each transfer, at its sender and at its receiver, joined by an arrow.

    A node has one track in half-duplex, and two, for what it sends and receives, in one-port.
    A step is a power of ten of microseconds such that the run takes between one and ten seconds;
    what is then shorter than a microsecond is left out.  At most MOST_TRANSFERS transfers.
    """
    traffic = RoundTraffic(run)
    asked, claimed = headline(traffic)
    scale = time_scale(Fraction(traffic.end or 1))
    half = run.ports == "half-duplex"
    tracks: dict[tuple[int, int], str] = {}
    events: list[dict[str, Any]] = []
    listed = too_short = 0
    for step, row in enumerate(run.sends):
        for arc, packet in row:
            if listed == MOST_TRANSFERS:
                break
            listed += 1
            tail, head, duration = run.arcs[arc]
            start, end = round(step * scale), round((step + duration) * scale)
            if start == end:
                too_short += 1
                continue
            sender = {"pid": tail + 1, "tid": 1, "ts": start}
            receiver = {"pid": head + 1, "tid": 1 if half else 2, "ts": start}
            tracks[tail + 1, 1] = "port" if half else "send"
            tracks[head + 1, receiver["tid"]] = "port" if half else "receive"
            args = {
                "arc": f"{traffic.name(tail)} {ARROW} {traffic.name(head)}",
                "packet": packet,
                "start": written(Fraction(step)),
                "end": written(Fraction(step + duration)),
            }
            what = {"ph": "X", "cat": "transfer", "dur": end - start, "args": args}
            arrow = {"name": "transfer", "cat": "transfer", "id": listed}
            to = f"{packet} {ARROW} {traffic.name(head)}"
            events += [
                {**what, **sender, "name": to},
                {**what, **receiver, "name": f"{packet} {_BACK} {traffic.name(tail)}"},
                {"ph": "s", **arrow, **sender},
                {"ph": "f", "bp": "e", **arrow, **receiver},
            ]
    left_out: list[str] = []
    if traffic.transfers > MOST_TRANSFERS:
        left_out.append(f"all but the first {counted(MOST_TRANSFERS, 'transfer')}")
    if too_short:
        left_out.append(f"{counted(too_short, 'transfer')} shorter than a microsecond")
    told = {"asked": asked, "claimed": claimed, "microseconds per step": written(scale)}
    return trace_of([*track_names(tracks, traffic.name), *events], told, left_out)
