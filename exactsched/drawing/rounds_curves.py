"""The transfers under way, and the packets that are lacking, as curves over the steps."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from exactsched.drawing.canvas import (
    ALARM,
    IDLE,
    INK,
    PAPER,
    RULE,
    SOFT_INK,
    Fragment,
    Number,
    hint,
    lettered,
    px,
    stacked,
    tag,
)
from exactsched.drawing.key import notes
from exactsched.drawing.lettering import counted, short, text_width
from exactsched.drawing.rounds_traffic import Course, Lack, RoundTraffic

ACROSS = 620
_TALL = 170
_LEFT = 52
_RIGHT = 26
# Narrower steps are not drawn one by one.
_NARROWEST = 2
BINS = ACROSS // _NARROWEST
_ACTIVE = "#0072b2"
_BAND = "#9cc7e2"
_CAP = "#d55e00"
_LACK = "#009e73"
_LACK_BAND = "#bfe5d8"


def activity_chart(traffic: RoundTraffic, bound: int) -> Fragment:
    """Transfers under way in every step, below what fits at most, and what counting allows.

    Of long runs a column of pixels shows the fewest, the mean and the most of several steps.
    """
    chart = Chart(traffic.end, traffic.ceiling, "transfers")
    spacing = -(-traffic.end // BINS) or 1
    body = []
    entries = []
    if spacing == 1:
        steps = staircase(traffic.course, traffic.end)
        body.append(tag("path", d=chart.area(steps), fill=_BAND))
        body.append(chart.line(steps, _ACTIVE, 1.4))
        entries.append((_ACTIVE, "transfers under way in a step"))
    else:
        bins = binned(traffic.course, traffic.end, spacing)
        body.append(tag("path", d=chart.band(bins), fill=_BAND))
        middle = [(start + Fraction(stop - start, 2), mean) for start, stop, _, mean, _ in bins]
        body.append(chart.line(middle, _ACTIVE, 1.4))
        entries.append((_ACTIVE, f"transfers under way, mean of {spacing:,} steps"))
        entries.append((_BAND, "from the fewest to the most of them"))
    cap = traffic.capacity()
    if len(cap) > 1 and cap[0][1] < traffic.ceiling:
        body.append(chart.line(staircase(cap, traffic.end), _CAP, 1.6, dashes="5 3"))
        entries.append((_CAP, "what counting allows"))
    if 0 < bound <= traffic.end:
        body.append(chart.upright(bound, f"no run ends before step {bound:,}"))
        entries.append((ALARM, f"bound: {counted(bound, 'step')}"))
    why = f"{counted(traffic.run.size, 'node')} make no more pairs"
    if traffic.run.ports == "one-port":
        why = "one into each node that lacks something"
    told = [f"At most {counted(traffic.ceiling, 'transfer')} fit into a step: {why}."]
    head = lettered("Transfers under way", 0, 12, 13, bold=True)
    width = chart.width
    parts = [Fragment(width, 16, head), legend_row(entries, width), chart.fragment(body)]
    return stacked([*parts, notes(told, width)], 8)


def lack_chart(traffic: RoundTraffic) -> Fragment:
    """The fewest, the mean and the most packets that a node lacks, over time."""
    samples: list[Lack] = traffic.lacks(BINS)
    most = max((sample.most for sample in samples), default=0)
    chart = Chart(traffic.end, most, "packets")
    upper = [(Fraction(sample.time), Fraction(sample.most)) for sample in samples]
    lower = [(Fraction(sample.time), Fraction(sample.fewest)) for sample in samples]
    mean = [(Fraction(sample.time), sample.mean) for sample in samples]
    body = []
    if samples:
        outline = "M" + "L".join(chart.point(*place) for place in [*upper, *reversed(lower)]) + "Z"
        body = [tag("path", d=outline, fill=_LACK_BAND), chart.line(mean, _LACK, 1.6)]
    entries = [(_LACK, "mean"), (_LACK_BAND, "from the node that lacks the fewest to the most")]
    head = lettered("Packets that a node still lacks", 0, 12, 13, bold=True)
    parts = [Fragment(chart.width, 16, head), legend_row(entries, chart.width)]
    return stacked([*parts, chart.fragment(body)], 8)


class Chart:
    """Axes from 0 to a number of steps and to a number of things, and what is drawn between."""

    def __init__(self, steps: int, top: int, noun: str, across: int = ACROSS) -> None:
        self.steps, self.top, self.noun, self.across = max(steps, 1), max(top, 1), noun, across
        self.width = _LEFT + across + _RIGHT

    def x(self, step: Number) -> Fraction:
        return _LEFT + Fraction(step) * self.across / self.steps

    def y(self, number: Number) -> Fraction:
        return 8 + (1 - Fraction(number) / self.top) * _TALL

    def point(self, step: Number, number: Number) -> str:
        return f"{px(self.x(step))} {px(self.y(number))}"

    def line(
        self,
        points: Sequence[tuple[Number, Number]],
        stroke: str,
        width: float,
        dashes: str | None = None,
        opacity: float | None = None,
    ) -> str:
        path = "M" + "L".join(self.point(*place) for place in points)
        return tag(
            "path",
            d=path,
            fill="none",
            stroke=stroke,
            stroke_width=width,
            stroke_linejoin="round",
            stroke_dasharray=dashes,
            stroke_opacity=opacity,
        )

    def area(self, points: Sequence[tuple[Number, Number]]) -> str:
        """The path around what is below a line."""
        first, last = points[0][0], points[-1][0]
        closed = [(first, 0), *points, (last, 0)]
        return "M" + "L".join(self.point(*place) for place in closed) + "Z"

    def band(self, bins: Sequence[tuple[int, int, int, Fraction, int]]) -> str:
        """The path around all bins, from the fewest to the most."""
        above: list[str] = []
        below: list[str] = []
        for start, stop, fewest, _, most in bins:
            above += self.point(start, most), self.point(stop, most)
            below += self.point(start, fewest), self.point(stop, fewest)
        return "M" + "L".join([*above, *reversed(below)]) + "Z"

    def upright(self, step: int, told: str) -> str:
        x = self.x(step)
        line = tag("line", x1=x, y1=2, x2=x, y2=8 + _TALL, stroke=ALARM, stroke_width=1.4)
        return f"<g>{hint(told)}{line}</g>"

    def fragment(self, body: Sequence[str]) -> Fragment:
        bottom, right = 8 + _TALL, _LEFT + self.across
        frame = [tag("rect", x=_LEFT, y=8, width=self.across, height=_TALL, fill=IDLE)]
        size = 10.0
        for number in ticks(self.top, 5):
            y = self.y(number)
            line = INK if number in (0, self.top) else RULE
            frame.append(tag("line", x1=_LEFT, y1=y, x2=right, y2=y, stroke=line))
            shown = short(number, 6)
            frame.append(lettered(shown, _LEFT - 7, y + 3.5, size, fill=SOFT_INK, anchor="end"))
        for step in ticks(self.steps, 8):
            x = self.x(step)
            frame.append(tag("line", x1=x, y1=bottom, x2=x, y2=bottom + 4, stroke=INK))
            shown = short(step, 7)
            label = lettered(shown, x, bottom + 16, size, fill=SOFT_INK, anchor="middle")
            frame.append(label)
        named = lettered("steps", right, bottom + 31, size, fill=SOFT_INK, anchor="end")
        return Fragment(self.width, bottom + 34, "".join([*frame, *body, named]))


def staircase(course: Course, end: int) -> list[tuple[int, int]]:
    """The corners of a line that keeps each number until the next one, from 0 to the end."""
    corners: list[tuple[int, int]] = []
    for index, (time, number) in enumerate(course):
        if time >= end:
            break
        until = course[index + 1][0] if index + 1 < len(course) else end
        corners += (time, number), (min(until, end), number)
    return corners or [(0, 0), (end, 0)]


def binned(course: Course, end: int, spacing: int) -> list[tuple[int, int, int, Fraction, int]]:
    """(start, stop, fewest, mean, most) for so many steps at a time; the last ones may be fewer.

    >>> binned([(0, 1), (3, 5), (4, 0)], 4, 2)
    [(0, 2, 1, Fraction(1, 1), 1), (2, 4, 1, Fraction(3, 1), 5)]
    """
    found = []
    index = 0
    for start in range(0, end, spacing):
        stop = min(start + spacing, end)
        while index + 1 < len(course) and course[index + 1][0] <= start:
            index += 1
        fewest = most = course[index][1]
        total, place = 0, start
        here = index
        while True:
            until = course[here + 1][0] if here + 1 < len(course) else stop
            number = course[here][1]
            total += number * (min(until, stop) - place)
            fewest, most = min(fewest, number), max(most, number)
            if until >= stop:
                break
            here, place = here + 1, until
        found.append((start, stop, fewest, Fraction(total, stop - start), most))
    return found


def ticks(top: int, count: int) -> list[int]:
    """0, the top, and round numbers between them, which keep away from the top.

    >>> ticks(32, 5), ticks(7, 8), ticks(231, 8)
    ([0, 10, 20, 32], [0, 1, 2, 3, 4, 5, 6, 7], [0, 50, 100, 150, 231])
    """
    step = 1
    factors = (2, 5, 10)
    while top > step * count:
        size = 10 ** (len(str(step)) - 1)
        step = next(size * factor for factor in factors if size * factor > step)
    return [number for number in range(0, top, step) if 3 * (top - number) >= 2 * step] + [top]


def legend_row(entries: Sequence[tuple[str, str]], width: float) -> Fragment:
    """Which color is what, in lines."""
    body = []
    x = y = 0.0
    for fill, shown in entries:
        wide = 20 + text_width(shown, 11)
        if x and x + wide > width:
            x, y = 0.0, y + 18
        body.append(tag("rect", x=x, y=y + 2, width=14, height=10, rx=2, fill=fill, stroke=PAPER))
        body.append(lettered(shown, x + 20, y + 11, 11))
        x += wide + 16
    return Fragment(width, y + 15, "".join(body))
