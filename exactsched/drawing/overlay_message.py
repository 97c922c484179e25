"""The message as a bar for every receiver, cut into what different senders send."""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby

from exactsched.drawing.canvas import (
    COLORS,
    IDLE,
    OTHER,
    RULE,
    SOFT_INK,
    Fragment,
    hint,
    ink_on,
    lettered,
    stacked,
    tag,
)
from exactsched.drawing.key import notes
from exactsched.drawing.lettering import clipped, counted, short, text_width
from exactsched.drawing.overlay_traffic import Traffic, share

MOST_ROWS = 60
MOST_PIECES = 4000
ACROSS = 560
_ROW, _BAR = 26.0, 19.0
_TICKED_UP_TO = 12
_SIZE = 11.0


def message_chart(traffic: Traffic) -> Fragment:
    """A row for each node that receives: the parts of the message from 0 to 1, by their senders.

    Of more than `MOST_ROWS` nodes, or `MOST_PIECES` pieces, the first are shown; a note says so.
    """
    overlay = traffic.overlay
    if not overlay.throughput:
        return Fragment(380, 18, lettered("Nothing is sent.", 0, 13, 13, bold=True))
    rows = traffic.received()
    shown = _first_rows([len(row) for row in rows])
    names = {node: clipped(traffic.name(node), 120, _SIZE) for node in shown}
    left = max((text_width(name, _SIZE) for name in names.values()), default=0) + 12
    bars = [
        _bar(traffic, names[node], rows[node]).at(left, index * _ROW)
        for index, node in enumerate(shown)
    ]
    height = len(shown) * _ROW
    ticks = _ticks(overlay.parts, height)
    chart = Fragment(left + ACROSS + 14, ticks.height, ticks.at(left, 0) + "".join(bars))
    told = ["A share s of the message is sent at the rate of s times the throughput."]
    missing = overlay.machine.size - 1 - len(shown)
    if missing:
        told.append(f"{counted(missing, 'more node')} not shown.")
    what = "all from one" if overlay.parts == 1 else f"in {counted(overlay.parts, 'equal part')}"
    title = lettered(f"The message as everybody receives it, {what}", 0, 12, 13, bold=True)
    senders = _senders(traffic, chart.width)
    return stacked([Fragment(chart.width, 16, title), chart, senders, notes(told, chart.width)], 12)


def _first_rows(pieces: list[int]) -> list[int]:
    """Receivers from 1 on, as long as there is room for their pieces."""
    budget = MOST_PIECES
    shown = []
    for node, count in enumerate(pieces[1 : MOST_ROWS + 1], 1):
        budget -= count
        if budget < 0:
            break
        shown.append(node)
    return shown


def _bar(traffic: Traffic, name: str, row: list[tuple[int, int, int]]) -> Fragment:
    body = [lettered(name, -10, 14, _SIZE, anchor="end")]
    body.append(tag("rect", x=0, y=0, width=ACROSS, height=_BAR, fill=IDLE))
    for sender, same in groupby(row, key=lambda piece: piece[2]):
        run = list(same)
        body.append(_piece(traffic, sender, run[0][0], run[-1][1]))
    return Fragment(ACROSS, _ROW, "".join(body))


def _piece(traffic: Traffic, sender: int, start: int, stop: int) -> str:
    parts, fill = traffic.overlay.parts, traffic.color(sender)
    left, right = share(start, parts), share(stop, parts)
    x, width = ACROSS * left, ACROSS * (right - left)
    # One pixel is left free between pieces.
    drawn = tag("rect", x=x, y=0, width=max(width - 1, Fraction(1, 2)), height=_BAR, fill=fill)
    shown = clipped(traffic.name(sender), float(width) - 8, _SIZE)
    if shown:
        drawn += lettered(shown, x + width / 2, 13.5, _SIZE, fill=ink_on(fill), anchor="middle")
    range_of = f"[{short(left, 24)}, {short(right, 24)})"
    rate = short(traffic.rate(stop - start), 24)
    return f"<g>{hint(f'{range_of} from {traffic.name(sender)}, rate {rate}')}{drawn}</g>"


def _ticks(parts: int, height: float) -> Fragment:
    """Where the message begins and ends, and its parts if they are few."""
    each = parts if parts <= _TICKED_UP_TO else 2
    body = []
    for step in range(each + 1):
        x = ACROSS * Fraction(step, each)
        body.append(tag("line", x1=x, y1=-3, x2=x, y2=height, stroke=RULE))
        shown = short(Fraction(step, each))
        body.append(lettered(shown, x, height + 12, 10, fill=SOFT_INK, anchor="middle"))
    return Fragment(ACROSS, height + 16, "".join(body))


def _senders(traffic: Traffic, width: float) -> Fragment:
    """Which color is whose, in lines."""
    entries = [(traffic.color(node), traffic.name(node)) for node in traffic.senders[:COLORS]]
    rest = len(traffic.senders) - len(entries)
    if rest:
        entries.append((OTHER, counted(rest, "other")))
    body = []
    x, y = 0.0, 0.0
    for fill, name in entries:
        shown = clipped(name, 120, _SIZE)
        wide = 24 + text_width(shown, _SIZE)
        if x and x + wide > width:
            x, y = 0.0, y + 19
        body.append(tag("rect", x=x, y=y + 3, width=16, height=11, rx=2, fill=fill))
        body.append(lettered(shown, x + 22, y + 12.5, _SIZE))
        x += wide + 14
    return Fragment(width, y + 19, "".join(body))
