"""Traces for Perfetto or Chrome (``ui.perfetto.dev``, ``chrome://tracing``).

Reference: *Trace Event Format*, the JSON format of Chrome's tracing tools.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from exactsched.drawing.layout.axes import power_of_ten
from exactsched.drawing.lettering import counted, written
from exactsched.drawing.scene import Trace

MOST_WORKS = 20_000


def trace_document(trace: Trace) -> dict[str, Any]:
    """A process for each node, a track for each port, slices for the work, arrows between slices.

    Times are rounded to whole microseconds, ends as starts, so that slices of a track never
    overlap; the exact times stand in `args`.  A unit of time is a power of ten of microseconds such
    that the span takes between one and ten seconds; slices that last nothing are left out.  At most
    `MOST_WORKS` pieces of work; `otherData` says what is left out.
    """
    scale = 10**6 / power_of_ten(trace.span)
    events: list[dict[str, Any]] = []
    used: set[tuple[int, int]] = set()
    vanished = 0
    left_out = []
    for number, work in enumerate(trace.works):
        if number == MOST_WORKS:
            left_out.append(f"all but the first {counted(MOST_WORKS, trace.noun)}")
            break
        seen: list[dict[str, int]] = []
        for one in work.slices:
            start, end = round(one.start * scale), round(one.end * scale)
            if start == end:
                vanished += 1
                continue
            used.add((one.process, one.track))
            seen.append({"pid": one.process + 1, "tid": one.track, "ts": start})
            args = work.args | {"start": written(one.start), "end": written(one.end)}
            what = {"ph": "X", "cat": work.category, "name": one.name, "dur": end - start}
            events.append({**what, **seen[-1], "args": args})
        if len(seen) == 2:
            arrow = {"name": trace.noun, "cat": trace.noun, "id": number}
            events.append({"ph": "s", **arrow, **seen[0]})
            events.append({"ph": "f", "bp": "e", **arrow, **seen[1]})
    if vanished:
        left_out.append(f"{counted(vanished, 'slice')} shorter than a microsecond")
    return {
        "traceEvents": [*_names(trace, used), *events],
        "displayTimeUnit": "ms",
        "otherData": {
            "asked": trace.asked,
            "claimed": trace.claimed,
            f"microseconds per {trace.unit}": written(scale),
            "left out": "; ".join(left_out) or "nothing",
        },
    }


def _names(trace: Trace, used: Iterable[tuple[int, int]]) -> list[dict[str, Any]]:
    """Metadata: the processes and tracks in use, and in which order they are to be shown."""
    tracks = sorted(used)
    named = []
    for process in sorted({process for process, _ in tracks}):
        name = {"name": trace.processes[process]}
        order = {"sort_index": 0 if process in trace.first else process + 1}
        named.append(_metadata("process_name", process, 0, name))
        named.append(_metadata("process_sort_index", process, 0, order))
    for process, track in tracks:
        named.append(
            _metadata("thread_name", process, track, {"name": trace.tracks[process, track]})
        )
    return named


def _metadata(kind: str, process: int, track: int, args: dict[str, Any]) -> dict[str, Any]:
    return {"ph": "M", "name": kind, "pid": process + 1, "tid": track, "args": args}
