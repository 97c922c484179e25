"""Schedules and role cycles of LogP machines as scenes and traces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from heapq import merge

from exactsched.certificate.logp import LogPBuffered, LogPCycles, LogPSchedule
from exactsched.drawing.layout.axes import round_times
from exactsched.drawing.lettering import counted, short
from exactsched.drawing.logp.activity import (
    Activity,
    Flight,
    additions,
    bar_length,
    end_of,
    flight,
    has_lanes,
)
from exactsched.drawing.logp.receptions import cycle_panels
from exactsched.drawing.logp.trees import schedule_trees
from exactsched.drawing.palette import SOFT_INK, color
from exactsched.drawing.scene import (
    Bar,
    Entry,
    Figure,
    Link,
    Panels,
    Row,
    Scene,
    Slice,
    Timeline,
    Trace,
    Words,
    Work,
)
from exactsched.drawing.words import CLOSING, WHY
from exactsched.drawing.words.logp import LogPDrawn, bound_in_words, headline

MOST_ROWS = 32
MOST_MESSAGES = 2000
_LEAST_WIDTH, _MOST_WIDTH = 760, 1500
# A bar of this width holds the number of a processor.
_BAR = 13
_FILLS = {"send": color(0), "receive": color(1), "add": color(2)}


def logp_scene(certificate: LogPDrawn) -> Scene:
    """Trees and chart of a schedule, or tree, words and receptions of cycles; and the bound."""
    if isinstance(certificate, LogPSchedule):
        trees = schedule_trees(certificate)
        panels = [trees] if trees else []
        panels.append(Panels("", (activity_chart(certificate),)))
    else:
        assert isinstance(certificate, (LogPCycles, LogPBuffered))
        panels = cycle_panels(certificate)
    why = Words(WHY, (bound_in_words(certificate),), panel="why")
    return Scene(*headline(certificate), (*panels, why, *CLOSING))


@dataclass(frozen=True, slots=True)
class _Shown:
    """The part of a schedule that is drawn: the first rows, up to a time.

    `cut` says whether there are too many messages before that.
    """

    rows: int
    until: Fraction
    end: Fraction
    width: int
    flights: list[Flight]
    added: list[Activity]
    cut: bool


def activity_chart(schedule: LogPSchedule) -> Figure:
    """The overheads and additions of the first processors over time, and the messages under way.

    Where sending costs no overhead, a row has two lanes, the sends above the receptions, and a bar
    is as long as the gap.  A note says what is left out.
    """
    shown = _shown(schedule)
    below = 1 if has_lanes(schedule) else 0
    lanes: list[list[list[Bar]]] = [[[] for _ in range(1 + below)] for _ in range(shown.rows)]
    ends = [one for message in shown.flights for one in (message.send, message.receive)]
    for one in [*shown.added, *ends]:
        if one.processor < shown.rows and one.start < shown.until:
            lane = below if one.kind == "receive" else 0
            lanes[one.processor][lane].append(_bar(one))
    links = [
        Link(one.departure, one.arrival, (one.send.processor, 0), (one.receive.processor, below))
        for one in shown.flights
        if max(one.send.processor, one.receive.processor) < shown.rows
        and one.departure < shown.until
    ]
    rows = tuple(
        Row(f"P{number}", tuple(tuple(lane) for lane in some)) for number, some in enumerate(lanes)
    )
    until = "" if shown.until == shown.end else f", of {short(shown.end, 24)}"
    title = f"Activity: {short(shown.until, 24)} time units{until}"
    ticks = round_times(shown.until)
    timeline = Timeline(shown.until, rows, ticks, shown.width, tuple(links))
    notes = _notes(schedule, shown)
    return Figure("Activity chart", timeline, title, _legend(schedule), notes, panel="gantt")


def _bar(one: Activity) -> Bar:
    told = f"{one.told} ({short(one.start, 24)} to {short(one.end, 24)})"
    return Bar(one.start, one.end, _FILLS[one.kind], told, one.names)


def _shown(schedule: LogPSchedule) -> _Shown:
    machine = schedule.machine
    end = end_of(schedule)
    shortest = bar_length(schedule)
    if schedule.collective == "summation":
        end = max(end, Fraction(schedule.time))
        shortest = min(shortest, Fraction(1))
    end = end or Fraction(1)
    # Rather narrow bars than a picture that ends before anything has arrived.
    until = min(end, max(_MOST_WIDTH * shortest / _BAR, 2 * machine.delay))
    wanted = until * _BAR / shortest
    rows = min(machine.P, MOST_ROWS)
    latest = until / Fraction(schedule.tick)
    early = [
        message
        for message in schedule.messages
        if message[3] < latest and min(message[0], message[1]) < rows
    ]
    early.sort(key=lambda message: message[3])
    added = [one for one in additions(schedule) if one.processor < rows and one.start < until]
    return _Shown(
        rows,
        until,
        end,
        round(max(Fraction(_LEAST_WIDTH), min(Fraction(_MOST_WIDTH), wanted))),
        [flight(schedule, message) for message in early[:MOST_MESSAGES]],
        added[:MOST_MESSAGES],
        len(early) > MOST_MESSAGES or len(added) > MOST_MESSAGES,
    )


def _legend(schedule: LogPSchedule) -> tuple[Entry, ...]:
    machine = schedule.machine
    if has_lanes(schedule):
        lasts = "no overhead; drawn as long as the gap" if machine.g <= machine.L else "no overhead"
    else:
        lasts = f"overhead {short(machine.o)}"
    entries = [
        Entry(_FILLS["send"], f"sends to ({lasts})"),
        Entry(_FILLS["receive"], f"receives from ({lasts})"),
        Entry(SOFT_INK, f"a message under way: {short(machine.L)}", line=True),
    ]
    if schedule.collective == "summation":
        said = "adds: own operands (+ how many), or what it received"
        entries.append(Entry(_FILLS["add"], said))
    return tuple(entries)


def _notes(schedule: LogPSchedule, shown: _Shown) -> tuple[str, ...]:
    small = []
    if schedule.collective == "allreduce" and any(item for _, _, item, _ in schedule.messages):
        small.append("\u2013 before the arrow: without the sender's own value.")
    several = schedule.count > 1 and schedule.collective != "summation"
    if several or schedule.collective == "allgather":
        small.append("The number before an arrow is that of the item, where there is room for it.")
    processors = schedule.machine.P
    if shown.rows < processors:
        hidden = counted(processors - shown.rows, "processor")
        small.append(
            f"The first {shown.rows} processors; {hidden} and the flights to and from them are"
            " left out."
        )
    if shown.until < shown.end:
        small.append(
            f"The beginning, up to {short(shown.until, 24)}, of {short(shown.end, 24)} time units."
        )
    if shown.cut:
        total = counted(len(schedule.messages), "message")
        small.append(f"Only the first {MOST_MESSAGES} activities of each kind, of {total}.")
    return tuple(small)


def logp_trace(schedule: LogPSchedule) -> Trace:
    """A slice for each send, reception and addition, an arrow for each message under way.

    A processor has one track, or, where sending costs no overhead, one for sends and additions and
    one for receptions, with slices as long as the bars of the chart.
    """
    asked, claimed = headline(schedule)
    names = ("send", "receive") if has_lanes(schedule) else ("work",)
    used = {end for message in schedule.messages for end in message[:2]}
    used.update(processor for processor, _, _ in schedule.additions)
    processes = {processor: f"processor {processor}" for processor in used}
    tracks = {(k, 1 + track): name for k in used for track, name in enumerate(names)}
    span = end_of(schedule) or schedule.machine.delay
    return Trace(asked, claimed, "time unit", span, processes, tracks, _works(schedule), "message")


def _works(schedule: LogPSchedule) -> Iterator[Work]:
    below = 2 if has_lanes(schedule) else 1

    def slice_of(one: Activity) -> Slice:
        track = below if one.kind == "receive" else 1
        return Slice(one.processor, track, f"{one.kind} {one.names[0]}", one.start, one.end)

    def sent() -> Iterator[Work]:
        for message in sorted(schedule.messages, key=lambda message: message[3]):
            one = flight(schedule, message)
            yield Work(
                "message", (slice_of(one.send), slice_of(one.receive)), {"what": one.send.told}
            )

    def added() -> Iterator[Work]:
        for one in sorted(additions(schedule), key=lambda one: one.start):
            yield Work("add", (slice_of(one),), {"what": one.told})

    return merge(sent(), added(), key=lambda work: work.slices[0].start)
