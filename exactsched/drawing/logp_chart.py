"""The activity chart of a LogP schedule: a row for each processor, as in the paper's figure 1."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from exactsched.certificate.logp import LogPSchedule
from exactsched.drawing.canvas import (
    IDLE,
    RULE,
    SOFT_INK,
    Fragment,
    color,
    hint,
    in_rows,
    ink_on,
    lettered,
    stacked,
    tag,
)
from exactsched.drawing.gantt import ticks
from exactsched.drawing.key import notes
from exactsched.drawing.lettering import counted, short, text_width
from exactsched.drawing.logp_activity import (
    Flight,
    Work,
    additions,
    bar_length,
    end_of,
    flight,
    has_lanes,
)

MOST_ROWS = 32
MOST_MESSAGES = 2000
_LEAST_WIDTH = 760
_MOST_WIDTH = 1500
# So wide a bar holds the number of a processor.
_BAR = 13
_LANE = 16
_BETWEEN = 10
_HEAD = 30
_CROWDED = 150
_FILLS = {"send": color(0), "receive": color(1), "add": color(2)}


@dataclass(frozen=True, slots=True)
class _Shown:
    """The part of a schedule that is drawn: the first rows, up to a time."""

    rows: int
    until: Fraction
    end: Fraction
    scale: Fraction  # pixels in a time unit
    flights: list[Flight]
    added: list[Work]
    cut: bool  # whether there are too many messages before `until`


def activity_chart(schedule: LogPSchedule) -> Fragment:
    """The overheads and additions of the first processors over time, and the messages under way.

    Where sending costs no overhead, a row has two lanes, the sends above the receptions, and a bar
    is as long as the gap.  A note says what is left out.
    """
    shown = _shown(schedule)
    lanes = 2 if has_lanes(schedule) else 1
    pitch = lanes * _LANE + _BETWEEN
    left = text_width(f"P{shown.rows - 1}", 11.5) + 14
    width = shown.until * shown.scale
    height = shown.rows * pitch - _BETWEEN

    def x(time: Fraction) -> Fraction:
        return min(time, shown.until) * shown.scale

    def y(work: Work) -> int:
        lane = 1 if lanes == 2 and work.activity == "receive" else 0
        return _HEAD + work.processor * pitch + lane * _LANE

    body = _axis(shown, left, height)
    for row in range(shown.rows):
        top = _HEAD + row * pitch
        body.append(lettered(f"P{row}", 0, top + lanes * _LANE / 2 + 4, 11.5, bold=True))
        lane = tag("rect", x=left, y=top, width=width, height=lanes * _LANE, fill=IDLE)
        body.append(lane)
    # Bars over flights over rows.
    inside: list[str] = []
    opacity = "0.35" if len(shown.flights) > _CROWDED else "0.75"
    for one in shown.flights:
        inside += _flight(one, shown, y, opacity)
    works = [work for one in shown.flights for work in (one.send, one.receive)]
    for work in [*shown.added, *works]:
        if work.processor < shown.rows and work.start < shown.until:
            begin, stop = x(work.start), x(work.end)
            inside.append(_bar(work, begin, y(work), stop - begin))
    body.append(f'<g transform="translate({left:.2f} 0)">{"".join(inside)}</g>')
    whole = left + float(width)
    chart = Fragment(whole + 24, _HEAD + height + 20, "".join(body))
    key = _key(schedule, whole)
    small = _notes(schedule, shown)
    return stacked([chart, key, *([notes(small, whole)] if small else [])], 12)


def _shown(schedule: LogPSchedule) -> _Shown:
    machine = schedule.machine
    end = end_of(schedule)
    if schedule.collective == "summation":
        end = max(end, Fraction(schedule.time))
    end = end or Fraction(1)
    shortest = bar_length(schedule)
    if schedule.collective == "summation":
        shortest = min(shortest, Fraction(1))
    # Rather narrow bars than a picture that ends before anything has arrived.
    until = min(end, max(_MOST_WIDTH * shortest / _BAR, 2 * machine.delay))
    wanted = until * _BAR / shortest
    width = max(Fraction(_LEAST_WIDTH), min(Fraction(_MOST_WIDTH), wanted))
    rows = min(machine.P, MOST_ROWS)
    tick = Fraction(schedule.tick)
    latest = until / tick
    early = [
        message
        for message in schedule.messages
        if message[3] < latest and min(message[0], message[1]) < rows
    ]
    early.sort(key=lambda message: message[3])
    added = [work for work in additions(schedule) if work.processor < rows and work.start < until]
    return _Shown(
        rows,
        until,
        end,
        width / until,
        [flight(schedule, message) for message in early[:MOST_MESSAGES]],
        added[:MOST_MESSAGES],
        len(early) > MOST_MESSAGES or len(added) > MOST_MESSAGES,
    )


def _axis(shown: _Shown, left: float, height: float) -> list[str]:
    drawn = []
    last_end = -1e9
    for time in ticks(shown.until):
        x = left + float(time * shown.scale)
        name = short(time)
        half = text_width(name, 10.5) / 2
        bottom = _HEAD + height + 4
        drawn.append(tag("line", x1=x, y1=_HEAD - 4, x2=x, y2=bottom, stroke=RULE))
        if x - half > last_end:
            last_end = x + half + 6
            drawn.append(lettered(name, x, bottom + 14, 10.5, fill=SOFT_INK, anchor="middle"))
    until = "" if shown.until == shown.end else f", of {short(shown.end, 24)}"
    title = f"Activity: {short(shown.until, 24)} time units{until}"
    drawn.append(lettered(title, left, _HEAD - 12, 11.5, bold=True))
    return drawn


def _flight(one: Flight, shown: _Shown, y: Callable[[Work], int], opacity: str) -> list[str]:
    """The line of a message, as far as its ends are shown."""
    if max(one.send.processor, one.receive.processor) >= shown.rows:
        return []
    if one.departure >= shown.until:
        return []
    lasts = one.arrival - one.departure
    part = min(Fraction(1), (shown.until - one.departure) / lasts)
    top, bottom = y(one.send) + _LANE / 2, y(one.receive) + _LANE / 2
    return [
        tag(
            "line",
            x1=one.departure * shown.scale,
            y1=top,
            x2=(one.departure + part * lasts) * shown.scale,
            y2=top + (bottom - top) * float(part),
            stroke=SOFT_INK,
            stroke_width=1.1,
            stroke_opacity=opacity,
        )
    ]


def _bar(work: Work, x: Fraction, y: int, width: Fraction) -> str:
    fill = _FILLS[work.activity]
    told = f"{work.told} ({short(work.start, 24)} to {short(work.end, 24)})"
    bar = tag(
        "rect", x=x, y=y + 1, width=max(width - 1, Fraction(1)), height=_LANE - 2, rx=2, fill=fill
    )
    name = next((name for name in work.names if text_width(name, 9) <= width - 2), "")
    if name:
        bar += lettered(name, x + width / 2, y + 11.5, 9, fill=ink_on(fill), anchor="middle")
    return f"<g>{hint(told)}{bar}</g>"


def _key(schedule: LogPSchedule, width: float) -> Fragment:
    machine = schedule.machine
    if has_lanes(schedule):
        lasts = "no overhead; drawn as long as the gap" if machine.g <= machine.L else "no overhead"
    else:
        lasts = f"overhead {short(machine.o)}"
    entries = [
        (_FILLS["send"], f"sends to ({lasts})"),
        (_FILLS["receive"], f"receives from ({lasts})"),
        (SOFT_INK, f"a message under way: {short(machine.L)}"),
    ]
    if schedule.collective == "summation":
        entries.append((_FILLS["add"], "adds: own operands (+ how many), or what it received"))
    drawn = []
    for fill, name in entries:
        height, top = (11, 2) if fill != SOFT_INK else (2, 7)
        swatch = tag("rect", x=0, y=top, width=16, height=height, rx=1, fill=fill)
        drawn.append(Fragment(text_width(name, 11) + 30, 16, swatch + lettered(name, 22, 12, 11)))
    return in_rows(drawn, width, 12)


def _notes(schedule: LogPSchedule, shown: _Shown) -> list[str]:
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
    return small
