"""The schedule as a trace for Perfetto or Chrome (``ui.perfetto.dev``, ``chrome://tracing``).

Reference: *Trace Event Format*, the JSON format of Chrome's tracing tools.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

from exactsched.certificate import BroadcastCertificate, SeriesCertificate
from exactsched.drawing.lettering import counted, printable, short
from exactsched.drawing.picture import headline
from exactsched.drawing.platform_graph import arc_name
from exactsched.drawing.timeline import Bar, bars
from exactsched.platform import Node
from exactsched.problem import Broadcast
from exactsched.rational import text
from exactsched.schedule import depths

MOST_TRANSFERS = 20_000
_PERIODS_AT_FULL_SPEED = 3
_LONG = 400
# Tracks of a node, from top to bottom.
_TRACKS = {"one-port": ("send", "receive"), "half-duplex": ("port", "port")}


@dataclass(frozen=True, slots=True)
class _Transfer:
    """A bar at its time in the unrolled schedule; `batch` counts batches of a tree from 0."""

    bar: Bar
    start: Fraction
    end: Fraction
    batch: int


def trace_document(certificate: BroadcastCertificate) -> dict[str, Any]:
    """The trace: a process for each node, a track for each port, a slice for each transfer.

    A series is unrolled from its cold start: an arc that ends at depth d of a tree begins to
    work for it in period d, and `_PERIODS_AT_FULL_SPEED` periods follow the one in which all do.
    A transfer is two slices, at its sender and at its receiver, joined by a flow arrow.  Times
    are rounded to whole microseconds, ends as starts, so that slices of a track never
    overlap; the exact times stand in `args`.  A time unit is a power of ten of microseconds such
    that a period (or the run) takes between one and ten seconds; slices that last nothing are left
    out.  At most MOST_TRANSFERS transfers; `otherData` says what is left out.
    """
    asked, claimed = headline(certificate)
    span, transfers = _unrolled(certificate)
    scale = _scale(span)
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
    if len(transfers) == MOST_TRANSFERS:
        left_out.append(f"only the first {MOST_TRANSFERS} transfers are shown")
    if vanished:
        verb = "is" if vanished == 1 else "are"
        shorter = f"{counted(vanished, 'transfer')} {verb} shorter than a microsecond"
        left_out.append(f"{shorter} of this trace")
    return {
        "traceEvents": [*tracks.names(), *events],
        "displayTimeUnit": "ms",
        "otherData": {
            "asked": asked,
            "claimed": claimed,
            "microseconds per time unit": _written(scale),
            "left out": "; ".join(left_out) or "nothing",
        },
    }


def _unrolled(certificate: BroadcastCertificate) -> tuple[Fraction, list[_Transfer]]:
    """The length of a period (or the run), and the transfers in order of time."""
    found = bars(certificate)
    if not isinstance(certificate, SeriesCertificate):
        every = (_Transfer(bar, bar.start, bar.end, 0) for bar in found)
        return certificate.makespan, list(islice(every, MOST_TRANSFERS))
    if certificate.schedule is None:
        return Fraction(1), []
    period = certificate.schedule.period
    problem = certificate.problem
    # When a tree first uses an arc: the depth of its tail, in periods.
    delay: dict[tuple[int, int], int] = {}
    for stream, tree in enumerate(certificate.schedule.trees):
        depth = depths(problem.platform, problem.source, tree.arcs)
        for arc in tree.arcs:
            delay[stream, arc] = depth[problem.platform.arcs[arc].tail]

    def periods() -> Iterator[_Transfer]:
        for number in range(max(delay.values()) + 1 + _PERIODS_AT_FULL_SPEED):
            shift = number * period
            for bar in found:
                batch = number - delay[bar.stream, bar.arc]
                if batch >= 0:
                    yield _Transfer(bar, shift + bar.start, shift + bar.end, batch)

    return period, list(islice(periods(), MOST_TRANSFERS))


def _scale(span: Fraction) -> Fraction:
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

    def __init__(self, problem: Broadcast) -> None:
        self.problem = problem
        self.process = {node: 1 + index for index, node in enumerate(problem.platform.nodes)}
        self.used: dict[tuple[int, int], str] = {}

    def of(self, arc: int) -> tuple[dict[str, int], dict[str, int]]:
        """Where the sender and the receiver of an arc show their work."""
        ends = self.problem.platform.arcs[arc]
        if self.problem.ports == "link":
            # Two tracks for each link, the arcs out of a node above those into it.
            count = len(self.problem.platform.arcs)
            sends = self._track(ends.tail, 1 + arc, f"\u2192 {printable(ends.head, 40)}")
            return sends, self._track(
                ends.head, 1 + count + arc, f"\u2190 {printable(ends.tail, 40)}"
            )
        send, receive = _TRACKS[self.problem.ports]
        second = 1 if send == receive else 2
        return self._track(ends.tail, 1, send), self._track(ends.head, second, receive)

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
                role = " (source)" if node == self.problem.source else ""
                named.append(_name("process_name", process, 0, printable(node, 80) + role))
                order = {"sort_index": 0 if role else process}
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
            named.append(_name("thread_name", process, thread, name))
        return named


def _name(kind: str, process: int, thread: int, name: str) -> dict[str, Any]:
    return {"ph": "M", "name": kind, "pid": process, "tid": thread, "args": {"name": name}}


def _events(
    certificate: BroadcastCertificate,
    tracks: _Tracks,
    transfer: _Transfer,
    start: int,
    end: int,
    number: int,
) -> list[dict[str, Any]]:
    bar = transfer.bar
    arc = certificate.problem.platform.arcs[bar.arc]
    args: dict[str, Any] = {
        "arc": arc_name(arc),
        "start": _written(transfer.start),
        "end": _written(transfer.end),
    }
    if isinstance(certificate, SeriesCertificate):
        stream = f"tree {bar.stream + 1}"
        args |= {
            "tree": bar.stream + 1,
            "batch": transfer.batch,
            "messages": _written(bar.length / arc.cost),
        }
    else:
        stream = f"packet {bar.stream}"
        args["packet"] = bar.stream
    sender, receiver = tracks.of(bar.arc)
    slice_of = {"ph": "X", "cat": stream, "ts": start, "dur": end - start}
    arrow = {"name": "transfer", "cat": "transfer", "id": number, "ts": start}
    to, by = f"\u2192 {printable(arc.head, 40)}", f"\u2190 {printable(arc.tail, 40)}"
    return [
        {**slice_of, **sender, "name": f"{to}, {stream}", "args": args},
        {**slice_of, **receiver, "name": f"{by}, {stream}", "args": args},
        {"ph": "s", **arrow, **sender},
        {"ph": "f", "bp": "e", **arrow, **receiver},
    ]


def _written(value: Fraction) -> str:
    """Exact digits, or how large it is if nobody would read them."""
    size = value.numerator.bit_length() + value.denominator.bit_length()
    return text(value) if size < 4 * _LONG else short(value, _LONG)
