"""A LogP schedule as a trace for Perfetto or Chrome: a process for each processor."""

from __future__ import annotations

from typing import Any

from exactsched.certificate.logp import LogPSchedule
from exactsched.drawing.lettering import counted
from exactsched.drawing.logp_activity import Work, additions, end_of, flight, has_lanes
from exactsched.drawing.logp_wording import headline
from exactsched.drawing.perfetto import MOST_TRANSFERS, time_scale, trace_of, track_names, written

_THREADS = {"send": 1, "add": 1, "receive": 2}


def logp_trace(schedule: LogPSchedule) -> dict[str, Any]:
    """A slice for each send, reception and addition, an arrow for each message under way.

    A processor has one track, or, where sending costs no overhead, one for sends and additions and
    one for receptions, with slices as long as the bars of the chart.  Times are rounded to whole
    microseconds; the exact ones stand in `args`.  At most MOST_TRANSFERS messages and additions.
    """
    asked, claimed = headline(schedule)
    scale = time_scale(end_of(schedule) or schedule.machine.delay)
    early = sorted(schedule.messages, key=lambda message: message[3])[:MOST_TRANSFERS]
    lanes = has_lanes(schedule)
    tracks: dict[tuple[int, int], str] = {}
    events: list[dict[str, Any]] = []
    too_short = 0

    def add(work: Work) -> tuple[dict[str, int], bool]:
        """The track of a bar with its start, and whether the bar is long enough to be shown."""
        nonlocal too_short
        start, end = round(work.start * scale), round(work.end * scale)
        thread = _THREADS[work.activity] if lanes else 1
        where = {"pid": work.processor + 1, "tid": thread, "ts": start}
        if start == end:
            too_short += 1
            return where, False
        name = "receive" if lanes and thread == 2 else "send" if lanes else "work"
        tracks[work.processor + 1, thread] = name
        args = {"start": written(work.start), "end": written(work.end), "what": work.told}
        slice_of = {"ph": "X", "cat": work.activity, "dur": end - start, "args": args}
        events.append({**slice_of, **where, "name": f"{work.activity} {work.names[0]}"})
        return where, True

    for number, message in enumerate(early):
        one = flight(schedule, message)
        (sent, shown), (received, seen) = add(one.send), add(one.receive)
        if shown and seen:
            arrow = {"name": "message", "cat": "message", "id": number}
            events.append({"ph": "s", **arrow, **sent})
            events.append({"ph": "f", "bp": "e", **arrow, **received})
    added = sorted(additions(schedule), key=lambda work: work.start)
    for work in added[:MOST_TRANSFERS]:
        add(work)
    left_out: list[str] = []
    if max(len(schedule.messages), len(added)) > MOST_TRANSFERS:
        left_out.append(f"all but the first {counted(MOST_TRANSFERS, 'message')} and additions")
    if too_short:
        left_out.append(f"{counted(too_short, 'slice')} shorter than a microsecond")
    told = {"asked": asked, "claimed": claimed, "microseconds per time unit": written(scale)}
    return trace_of([*track_names(tracks, lambda k: f"processor {k}"), *events], told, left_out)
