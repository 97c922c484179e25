"""The schedule as a trace for Perfetto or Chrome (``ui.perfetto.dev``, ``chrome://tracing``).

Reference: *Trace Event Format*, the JSON format of Chrome's tracing tools.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

from exactsched.certificate.collectives import Certificate, Run, Series
from exactsched.drawing.lettering import counted, printable, short
from exactsched.drawing.roles import roles_of
from exactsched.drawing.timeline import Bar, Flow, bars, flows, principals
from exactsched.drawing.wording import (
    ARROW,
    arc_name,
    headline,
    item_name,
    operation_noun,
    structure_noun,
    task_name,
)
from exactsched.exact.rational import text
from exactsched.model.platform import Node
from exactsched.model.problem import Broadcast, Collective
from exactsched.model.tasks import Task, computes, duration, levels

MOST_TRANSFERS = 20_000
_PERIODS_AT_FULL_SPEED = 3
_LONG = 400
# Tracks of a node, from top to bottom, above that of its processor.
_TRACKS = {"one-port": ("send", "receive"), "half-duplex": ("port", "port")}


@dataclass(frozen=True, slots=True)
class _Transfer:
    """A bar at its time in the unrolled schedule; `batch` counts those of a structure from 0."""

    bar: Bar
    start: Fraction
    end: Fraction
    batch: int


def trace_document(certificate: Certificate) -> dict[str, Any]:
    """The trace: a process for each node, a track for each port and processor, slices for the work.

    A series is unrolled from its cold start: a task of level h of a structure (an arc that ends at
    depth h of a tree) begins to work for it in period h, and `_PERIODS_AT_FULL_SPEED` periods
    follow the one in which all do.  A transfer is two slices, at its sender and at its receiver,
    joined by a flow arrow; a task of a processor is one.  Times
    are rounded to whole microseconds, ends as starts, so that slices of a track never
    overlap; the exact times stand in `args`.  A time unit is a power of ten of microseconds such
    that a period (or the run) takes between one and ten seconds; slices that last nothing are left
    out.  At most MOST_TRANSFERS transfers; `otherData` says what is left out.
    """
    asked, claimed = headline(certificate)
    span, transfers = _unrolled(certificate)
    scale = time_scale(span)
    tracks = _Tracks(certificate.problem)
    events: list[dict[str, Any]] = []
    vanished = 0
    for transfer in transfers:
        start, end = round(transfer.start * scale), round(transfer.end * scale)
        if start == end:
            vanished += 1
            continue
        events += _events(certificate, tracks, transfer, start, end, len(events))
    left_out = []
    noun = "transfer" if isinstance(certificate.problem, Broadcast) else "task"
    if len(transfers) == MOST_TRANSFERS:
        left_out.append(f"only the first {MOST_TRANSFERS} {noun}s are shown")
    if vanished:
        verb = "is" if vanished == 1 else "are"
        shorter = f"{counted(vanished, noun)} {verb} shorter than a microsecond"
        left_out.append(f"{shorter} of this trace")
    told = {"asked": asked, "claimed": claimed, "microseconds per time unit": written(scale)}
    return trace_of([*tracks.names(), *events], told, left_out)


def trace_of(
    events: list[dict[str, Any]], told: Mapping[str, str], left_out: Sequence[str]
) -> dict[str, Any]:
    """The document of a trace, with what it is of, and what it does not show."""
    return {
        "traceEvents": events,
        "displayTimeUnit": "ms",
        "otherData": {**told, "left out": "; ".join(left_out) or "nothing"},
    }


def track_names(
    tracks: Mapping[tuple[int, int], str], process_name: Callable[[int], str]
) -> list[dict[str, Any]]:
    """Metadata of processes, numbered from 1 on, and their tracks: (process, thread) to a name.

    `process_name` gives the name of process k + 1, for k from 0 on.
    """
    processes = sorted({process for process, _ in tracks})
    names = [metadata("process_name", k, 0, process_name(k - 1)) for k in processes]
    return names + [metadata("thread_name", *track, name) for track, name in sorted(tracks.items())]


def _unrolled(certificate: Certificate) -> tuple[Fraction, list[_Transfer]]:
    """The length of a period (or the run), and the transfers in order of time."""
    found = bars(certificate)
    if isinstance(certificate, Run):
        every = (_Transfer(bar, bar.start, bar.end, 0) for bar in found)
        return certificate.makespan, list(islice(every, MOST_TRANSFERS))
    if certificate.schedule is None:
        return Fraction(1), []
    period = certificate.schedule.period
    # How many periods after the first one a structure begins with a task.
    delay = {
        (stream, task): level - 1
        for stream, flow in enumerate(flows(certificate))
        for task, level in _levels(certificate.problem, flow).items()
    }

    def periods() -> Iterator[_Transfer]:
        for number in range(max(delay.values()) + 1 + _PERIODS_AT_FULL_SPEED):
            shift = number * period
            for bar in found:
                batch = number - delay[bar.stream, bar.task]
                if batch >= 0:
                    yield _Transfer(bar, shift + bar.start, shift + bar.end, batch)

    return period, list(islice(periods(), MOST_TRANSFERS))


def _levels(problem: Collective, flow: Flow) -> dict[Task, int]:
    return dict(zip(flow.tasks, levels(problem, flow.tasks), strict=True))


def time_scale(span: Fraction) -> Fraction:
    """The power of ten that brings the span to one to ten million."""
    bits = span.numerator.bit_length() - span.denominator.bit_length()
    scale = Fraction(10) ** (6 - bits * 3 // 10)
    while span * scale < 10**6:
        scale *= 10
    while span * scale >= 10**7:
        scale /= 10
    return scale


class _Tracks:
    """The numbers of processes and threads; a track is named when it is first used."""

    def __init__(self, problem: Collective) -> None:
        self.problem = problem
        self.roles = roles_of(problem)
        self.first = principals(problem)
        self.process = {node: 1 + index for index, node in enumerate(problem.platform.nodes)}
        self.used: dict[tuple[int, int], str] = {}

    def of(self, place: int) -> list[dict[str, int]]:
        """Where the sender and the receiver of an arc show their work, or a processor its own."""
        arcs, nodes = self.problem.platform.arcs, self.problem.platform.nodes
        if place >= len(arcs):
            last = 1 + 2 * len(arcs) if self.problem.ports == "link" else 3
            return [self._track(nodes[place - len(arcs)], last, "compute")]
        ends = arcs[place]
        if self.problem.ports == "link":
            # Two tracks for each link, the arcs out of a node above those into it.
            below = 1 + len(arcs) + place
            return [
                self._track(ends.tail, 1 + place, f"{ARROW} {printable(ends.head, 40)}"),
                self._track(ends.head, below, f"\u2190 {printable(ends.tail, 40)}"),
            ]
        send, receive = _TRACKS[self.problem.ports]
        second = 1 if send == receive else 2
        return [self._track(ends.tail, 1, send), self._track(ends.head, second, receive)]

    def _track(self, node: Node, thread: int, name: str) -> dict[str, int]:
        process = self.process[node]
        self.used.setdefault((process, thread), name)
        return {"pid": process, "tid": thread}

    def names(self) -> list[dict[str, Any]]:
        """Metadata: every process and track in use, in the order in which they are to be shown."""
        named: list[dict[str, Any]] = []
        used = {process for process, _ in self.used}
        for node, process in self.process.items():
            if process in used:
                role = self.roles[node].told
                named.append(metadata("process_name", process, 0, printable(node, 80) + role))
                order = {"sort_index": 0 if node in self.first else process}
                named.append(
                    {
                        "ph": "M",
                        "name": "process_sort_index",
                        "pid": process,
                        "tid": 0,
                        "args": order,
                    }
                )
        for (process, thread), name in sorted(self.used.items()):
            named.append(metadata("thread_name", process, thread, name))
        return named


def metadata(kind: str, process: int, thread: int, name: str) -> dict[str, Any]:
    """The event that names a process (``process_name``) or a track (``thread_name``)."""
    return {"ph": "M", "name": kind, "pid": process, "tid": thread, "args": {"name": name}}


def _events(
    certificate: Certificate,
    tracks: _Tracks,
    transfer: _Transfer,
    start: int,
    end: int,
    number: int,
) -> list[dict[str, Any]]:
    problem, task = certificate.problem, transfer.bar.task
    stream, args = _described(certificate, transfer)
    used = tracks.of(task[0])
    slice_of = {"ph": "X", "cat": stream, "ts": start, "dur": end - start}
    if computes(problem, task):
        name = f"{item_name(problem, task)}, {stream}"
        return [{**slice_of, **used[0], "name": name, "args": args}]
    arc = problem.platform.arcs[task[0]]
    sender, receiver = used
    arrow = {"name": "transfer", "cat": "transfer", "id": number, "ts": start}
    item = "" if isinstance(problem, Broadcast) else item_name(problem, task) + " "
    to, by = f"{ARROW} {printable(arc.head, 40)}", f"\u2190 {printable(arc.tail, 40)}"
    return [
        {**slice_of, **sender, "name": f"{item}{to}, {stream}", "args": args},
        {**slice_of, **receiver, "name": f"{item}{by}, {stream}", "args": args},
        {"ph": "s", **arrow, **sender},
        {"ph": "f", "bp": "e", **arrow, **receiver},
    ]


def _described(certificate: Certificate, transfer: _Transfer) -> tuple[str, dict[str, Any]]:
    """The structure, packet or operation that is served, and all that is told of the work."""
    problem, bar = certificate.problem, transfer.bar
    args: dict[str, Any] = {"start": written(transfer.start), "end": written(transfer.end)}
    if isinstance(problem, Broadcast):
        args = {"arc": arc_name(problem.platform.arcs[bar.place])} | args
    else:
        args = {"task": task_name(problem, bar.task)} | args
    if isinstance(certificate, Series):
        noun, times = structure_noun(problem), f"{operation_noun(problem)}s"
        done = written(bar.length / duration(problem, bar.task))
        return f"{noun} {bar.stream + 1}", args | {
            noun: bar.stream + 1,
            "batch": transfer.batch,
            times: done,
        }
    noun = "packet" if isinstance(problem, Broadcast) else "operation"
    return f"{noun} {bar.stream}", args | {noun: bar.stream}


def written(value: Fraction) -> str:
    """Exact digits, or how large it is if nobody would read them."""
    size = value.numerator.bit_length() + value.denominator.bit_length()
    return text(value) if size < 4 * _LONG else short(value, _LONG)
