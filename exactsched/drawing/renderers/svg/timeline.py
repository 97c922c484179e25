"""Rows of bars over an axis of time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil

from exactsched.drawing.lettering import clipped, clipped_apart, short, text_width
from exactsched.drawing.palette import ALARM, IDLE, PAPER, RULE, SOFT_INK, ink_on
from exactsched.drawing.renderers.svg.canvas import (
    Fragment,
    broken_lines,
    group,
    lettered,
    px,
    tag,
)
from exactsched.drawing.scene import Bar, Link, Row, Timeline

LANE = 17
_BETWEEN_SIDES = 3
_BETWEEN_GROUPS = 10
_HEAD = 14
_NAME, _SIDE = 11.5, 10.5
_CROWDED = 150
# Names are cut off earlier where there is little room; and the least width of an axis.
_NARROW = 420
_LEAST = 60.0
# Names of rows that have nothing but a name stand on several lines.
_LINE, _MOST_LINES = 13.0, 4
# How much wider bold text may be.
_BOLD = 1.15


def timeline_fragment(timeline: Timeline, room: float | None = None) -> Fragment:
    """The rows below each other, groups a little apart, over lines at the ticks.

    The axis is as wide as it should be, or as there is room.
    """
    return _Chart(timeline, room).fragment()


def _on_lines(names: Sequence[str], room: float, most: int) -> dict[str, list[str]]:
    """Names on at most `most` lines, broken at spaces and after arrows; else cut off, apart."""
    cut = clipped_apart(names, [room] * len(names), [_NAME] * len(names))
    found = {}
    for name, short_name in zip(names, cut, strict=True):
        lines = broken_lines(name.replace("->", "-> "), room, _NAME)
        whole = len(lines) <= most and not any("\u2026" in line for line in lines)
        found[name] = lines if short_name != name and whole else [short_name]
    return found


class _Chart:
    """Sizes and places first, then the layers from back to front."""

    def __init__(self, timeline: Timeline, room: float | None) -> None:
        self.timeline = timeline
        rows = timeline.rows
        narrow = room is not None and room < _NARROW
        self.most_group, self.most_side = (64, 52) if narrow else (130, 110)
        shares = max(text_width(one, _SIDE) for one in (timeline.shares, *(r.share for r in rows)))
        self.beyond = max(24.0, shares + 16 if timeline.shares else 0)
        names = list(dict.fromkeys(row.group for row in rows))
        sides = max((text_width(row.side, _SIDE) for row in rows), default=0)
        if not sides:
            self.most_group += self.most_side
        self.groups = _on_lines(names, self.most_group / 1.08, _MOST_LINES if not sides else 1)
        lines = [line for name in names for line in self.groups[name]]
        bold = 1.08 if room is None else _BOLD
        groups = max((text_width(line, _NAME) * bold for line in lines), default=0)
        self.left = min(groups, self.most_group * bold / 1.08) + (8 if narrow else 14)
        self.left += min(sides, self.most_side) + (12 if narrow else 16) if sides else 0
        self.width: float = timeline.width
        if room is not None:
            self.width = max(_LEAST, room - self.left - self.beyond)
        self.scale = Fraction(self.width) / timeline.span
        self.right = self.left + self.width
        self.tops: list[float] = []
        self.head = _HEAD if timeline.mark or timeline.shares else 4
        y = float(self.head)
        for index, row in enumerate(rows):
            if index:
                same = rows[index - 1].group == row.group
                y += _BETWEEN_SIDES if same else _BETWEEN_GROUPS
            # Bars stand in the middle of a name on several lines.
            around = max(0.0, _LINE * len(self.groups[row.group]) - LANE * len(row.lanes)) / 2
            self.tops.append(y + around)
            y += LANE * len(row.lanes) + 2 * around
        self.bottom = y + 4

    def fragment(self) -> Fragment:
        rows = self.timeline.rows
        body = list(self._axis())
        for index, row in enumerate(rows):
            body += self._row(
                row, self.tops[index], not index or rows[index - 1].group != row.group
            )
        opacity = "0.35" if len(self.timeline.links) > _CROWDED else "0.75"
        body += [self._link(link, opacity) for link in self.timeline.links]
        for row, top in zip(rows, self.tops, strict=True):
            for lane, bars in enumerate(row.lanes):
                body += [self._bar(bar, top + LANE * lane) for bar in bars]
        body += self._mark()
        return Fragment(self.right + self.beyond, self.bottom + 18, "".join(body))

    def _x(self, time: Fraction) -> Fraction:
        return Fraction(self.left) + min(time, self.timeline.span) * self.scale

    def _axis(self) -> Iterator[str]:
        """Lines at all ticks, and their names where there is room; that of the end comes first."""
        ticks = self.timeline.ticks
        room = self.right - text_width(short(ticks[-1]), _SIDE) / 2 - 6
        free = -1e9
        for time in ticks:
            x, shown = float(self._x(time)), short(time)
            half = text_width(shown, _SIDE) / 2
            yield tag("line", x1=x, y1=self.head - 4, x2=x, y2=self.bottom, stroke=RULE)
            if x - half > free and (time == ticks[-1] or x + half < room):
                free = x + half + 6
                y = self.bottom + 14
                yield lettered(shown, x, y, _SIDE, fill=SOFT_INK, anchor="middle")
        if self.timeline.shares:
            yield lettered(self.timeline.shares, self.right + 8, 4, _SIDE, fill=SOFT_INK)

    def _row(self, row: Row, top: float, first: bool) -> Iterator[str]:
        height = LANE * len(row.lanes)
        baseline = top + height / 2 + 4
        if first:
            lines = self.groups[row.group]
            for number, line in enumerate(lines):
                below = _LINE * (number - (len(lines) - 1) / 2)
                yield lettered(line, 0, baseline + below, _NAME, bold=True)
        if row.side:
            side = clipped(row.side, self.most_side, _SIDE)
            yield lettered(side, self.left - 9, baseline, _SIDE, fill=SOFT_INK, anchor="end")
        if row.marked:
            yield tag("rect", x=self.left - 5, y=top, width=3, height=height, fill=ALARM)
        yield tag("rect", x=self.left, y=top, width=self.width, height=height, fill=IDLE)
        if row.share:
            yield lettered(row.share, self.right + 8, baseline, _SIDE, fill=SOFT_INK)

    def _bar(self, bar: Bar, top: float) -> str:
        x = self._x(bar.start)
        width = float(self._x(bar.end) - x)
        # Paper between two bars, as long as there is enough of the bar.
        drawn = tag(
            "rect",
            x=x,
            y=top,
            width=max(width - (0.8 if width > 3 else 0), 0.4),
            height=LANE,
            rx=1.5 if width > 6 else None,
            fill=bar.fill,
        )
        cuts = self._cuts(bar, top)
        return group(drawn + cuts + self._name(bar, float(x), width, top, bool(cuts)), bar.told)

    def _cuts(self, bar: Bar, top: float) -> str:
        """Thin lines where a task ends and the next one begins, if they are not too close."""
        if not bar.cuts or bar.cuts[1] * self.scale < 4:
            return ""
        first, each = bar.cuts
        count = max(0, ceil((bar.end - first) / each))
        path = "".join(
            f"M{px(self._x(first + number * each))} {px(top)}v{LANE}" for number in range(count)
        )
        if not path:
            return ""
        return tag("path", d=path, stroke=PAPER, stroke_opacity="0.65", stroke_width=0.8)

    def _name(self, bar: Bar, x: float, width: float, top: float, lined: bool) -> str:
        if width < 9 or not bar.names:
            return ""
        for size, shown in [*((10, name) for name in bar.names), (8.5, bar.names[-1])]:
            wide = text_width(shown, size)
            if wide <= width - 3:
                middle = x + width / 2 - 0.4
                y, ink = top + 8.6 + 0.36 * size, ink_on(bar.fill)
                name = lettered(shown, middle, y, size, fill=ink, anchor="middle")
                if not lined:
                    return name
                # The lines stop before the name.
                room = wide + 2
                under = {"x": middle - room / 2, "y": top, "width": room, "height": LANE}
                return tag("rect", fill=bar.fill, **under) + name
        return ""

    def _link(self, link: Link, opacity: str) -> str:
        """The line of a message, as far as it is shown."""
        (row, lane), (to_row, to_lane) = link.tail, link.head
        tail = self.tops[row] + LANE * (lane + 0.5)
        head = self.tops[to_row] + LANE * (to_lane + 0.5)
        end = min(link.end, self.timeline.span)
        part = float((end - link.start) / (link.end - link.start)) if link.end > link.start else 1
        return tag(
            "line",
            x1=self._x(link.start),
            y1=tail,
            x2=self._x(end),
            y2=tail + (head - tail) * part,
            stroke=SOFT_INK,
            stroke_width=1.1,
            stroke_opacity=opacity,
        )

    def _mark(self) -> Iterator[str]:
        if not self.timeline.mark:
            return
        time, told = self.timeline.mark
        x = float(self._x(time))
        anchor, shift = ("end", -5) if x - self.left > self.width / 2 else ("start", 5)
        yield tag(
            "line",
            x1=x,
            y1=self.head - 18,
            x2=x,
            y2=self.bottom,
            stroke=ALARM,
            stroke_dasharray="5 3",
            stroke_width=1.4,
        )
        yield lettered(told, x + shift, 4, _SIDE, fill=ALARM, anchor=anchor)
