"""The Gantt chart of a period or a run: a row for each port and processor, a bar for each task."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, lcm

from exactsched.certificate.collectives import (
    Certificate,
    CutBound,
    DistanceBound,
    PotentialBound,
    Run,
)
from exactsched.drawing.canvas import (
    ALARM,
    IDLE,
    PAPER,
    RULE,
    SOFT_INK,
    Fragment,
    hint,
    ink_on,
    lettered,
    px,
    tag,
)
from exactsched.drawing.key import Key, notes
from exactsched.drawing.lettering import clipped, counted, percent, printable, short, text_width
from exactsched.drawing.timeline import Bar, Row, bars, principals, rows
from exactsched.drawing.wording import ARROW, item_name, structure_noun, task_name
from exactsched.model.platform import Node
from exactsched.model.problem import Alltoall, Broadcast, Collective
from exactsched.model.tasks import computes, duration

MOST_ROWS = 64
MOST_BARS = 8000
_HINTED_BARS = 2500
_WIDTH = 760
_ROW = 17
_PITCH = 20
_GROUP_GAP = 7
_SIDES = {"send": "send", "recv": "receive", "port": "port", "compute": "compute"}


@dataclass(frozen=True, slots=True)
class Piece:
    """What is drawn as one bar: one `Bar`, or several that are too short to be seen apart."""

    start: Fraction
    end: Fraction
    bar: Bar
    several: bool = False


def gantt(certificate: Certificate, key: Key) -> Fragment:
    """The chart with a time axis in exact numbers; a note states everything that is left out.

    Time runs from 0 to the period, or to the makespan, over `_WIDTH` pixels.
    """
    span = _span(certificate)
    every = rows(certificate.problem, bars(certificate))
    chosen = busiest(every, principals(certificate.problem))
    pieces, least = drawable([row.bars for row in chosen], span)
    tight = _priced(certificate)
    left = _label_width(certificate.problem, key.names, chosen)
    tops = _tops(chosen)
    bottom = (tops[-1] + _ROW if tops else 0) + 4
    small = _notes(certificate.problem, every, chosen, least, span, tight)
    head = 30
    body = [*_axis(certificate, span, left, head, bottom)]
    details = sum(map(len, pieces)) <= _HINTED_BARS
    artist = _BarArtist(certificate, key, span, left, details)
    for index, row in enumerate(chosen):
        y = head + tops[index]
        first = index == 0 or chosen[index - 1].node != row.node
        body += _row_label(
            certificate.problem, key.names, row, left, y, first, row.resource in tight
        )
        body.append(tag("rect", x=left, y=y, width=_WIDTH, height=_ROW, fill=IDLE))
        body += artist.row(row, pieces[index], y)
        body.append(
            lettered(percent(row.busy / span), left + _WIDTH + 8, y + 12.5, 10.5, fill=SOFT_INK)
        )
    body += _bound_line(certificate, span, left, head, bottom)
    height = head + bottom + 22
    width = left + _WIDTH + 58
    under = notes(small, width)
    body.append(under.at(0, height + 10))
    return Fragment(width, height + 10 + under.height, "".join(body))


def busiest(every: Sequence[Row], first: Collection[Node]) -> list[Row]:
    """At most MOST_ROWS rows: of the nodes `first`, then node by node, the busiest nodes first.

    The rows chosen stay in their order.  Of a node with more rows than there is room for, the
    busiest are taken.
    """
    if len(every) <= MOST_ROWS:
        return list(every)
    load: dict[Node, Fraction] = {}
    busy = [row.busy for row in every]
    for row, time in zip(every, busy, strict=True):
        load[row.node] = load.get(row.node, Fraction(0)) + time
    order = {node: index for index, node in enumerate(load)}
    ranked = sorted(
        range(len(every)),
        key=lambda index: (
            every[index].node not in first,
            -load[every[index].node],
            order[every[index].node],
            -busy[index],
            index,
        ),
    )
    return [every[index] for index in sorted(ranked[:MOST_ROWS])]


def drawable(lines: Sequence[Sequence[Bar]], span: Fraction) -> tuple[list[list[Piece]], Fraction]:
    """At most MOST_BARS pieces, and the length below which bars were drawn with their neighbors.

    A piece that stands for several bars reaches from the start of the first to the end of the last
    and is drawn like the longest of them.  The length is 0 if every bar is drawn by itself;
    otherwise the least of span/1520, span/760, span/380, ... with which the pieces are few enough.
    """
    # In integers: a run has hundreds of thousands of bars, and each is looked at several times.
    unit = lcm(
        *{time.denominator for line in lines for bar in line for time in (bar.start, bar.end)}
    )
    timed = [
        [(_units(bar.start, unit), _units(bar.end, unit), bar) for bar in line] for line in lines
    ]
    least = Fraction(0)
    shortest = min((end - start for line in timed for start, end, _ in line), default=span * unit)
    if shortest < span * unit / (2 * _WIDTH) or sum(map(len, lines)) > MOST_BARS:
        least = span / (2 * _WIDTH)
    while True:
        pieces = [list(_merged(line, least * unit)) for line in timed]
        if sum(map(len, pieces)) <= MOST_BARS:
            return pieces, least
        least *= 2


_Timed = tuple[int, int, Bar]  # a bar after its start and its end, in a common unit


def _units(time: Fraction, unit: int) -> int:
    return time.numerator * (unit // time.denominator)


def _merged(line: Sequence[_Timed], least: Fraction) -> Iterator[Piece]:
    shortest, longest = ceil(least), floor(least)
    waiting: list[_Timed] = []
    for one in line:
        start, end, bar = one
        # Merged are short bars that end within `least` of the first one's start.
        if waiting and end - waiting[0][0] > longest:
            yield _piece(waiting)
            waiting = []
        if end - start >= shortest:
            if waiting:
                yield _piece(waiting)
                waiting = []
            yield Piece(bar.start, bar.end, bar)
        else:
            waiting.append(one)
    if waiting:
        yield _piece(waiting)


def _piece(together: list[_Timed]) -> Piece:
    longest = max(together, key=lambda one: one[1] - one[0])[2]
    return Piece(together[0][2].start, together[-1][2].end, longest, len(together) > 1)


def ticks(span: Fraction) -> list[Fraction]:
    """Times for an axis from 0 to `span`, both included: four to twelve equal steps if possible.

    >>> [str(time) for time in ticks(Fraction(9, 4))]
    ['0', '1/4', '1/2', '3/4', '1', '5/4', '3/2', '7/4', '2', '9/4']
    >>> [int(time) for time in ticks(Fraction(1725))]
    [0, 200, 400, 600, 800, 1000, 1200, 1400, 1725]
    """
    step = _step(span)
    times = [step * index for index in range(floor(span / step) + 1)]
    if times[-1] != span:
        if span - times[-1] < step * Fraction(7, 10):
            times.pop()
        times.append(span)
    return times


def _step(span: Fraction) -> Fraction:
    """A round number, a twelfth or so of the span; a unit fraction if that divides a short span."""
    # From the number of bits to a power of ten near the span, then exactly.
    bits = span.numerator.bit_length() - span.denominator.bit_length()
    power = Fraction(10) ** (bits * 3 // 10)
    while power > span:
        power /= 10
    while 10 * power <= span:
        power *= 10
    factors = (Fraction(1, 5), Fraction(1, 2), Fraction(1), Fraction(2))
    fitting = [power * factor for factor in factors if 4 <= span / (power * factor) <= 12]
    dividing = [step for step in fitting if (span / step).denominator == 1]
    for denominator in (1, 2):
        for step in dividing:
            if step.denominator == denominator:
                return step
    if span < 12:
        for parts in range(4, 13):
            if (span / parts).numerator == 1 and (span / parts).denominator <= 12:
                return span / parts
    return fitting[0]


def _time_units(span: Fraction) -> str:
    return f"{short(span, 24)} time unit{'s' if span > 1 else ''}"


def _span(certificate: Certificate) -> Fraction:
    if isinstance(certificate, Run):
        return certificate.makespan
    assert certificate.schedule is not None
    return certificate.schedule.period


def _priced(certificate: Certificate) -> set[str]:
    """The resources that the bound speaks of; those of an optimal schedule never rest."""
    bound = certificate.proof
    if isinstance(certificate, Run):
        return set()
    if not isinstance(bound, (CutBound, DistanceBound, PotentialBound)):
        return set()
    return {name for name, price in bound.prices.items() if price}


def _tops(chosen: Sequence[Row]) -> list[int]:
    tops: list[int] = []
    y = 0
    for index, row in enumerate(chosen):
        if index:
            y += _PITCH + (_GROUP_GAP if chosen[index - 1].node != row.node else 0)
        tops.append(y)
    return tops


def _side(problem: Collective, names: Mapping[Node, str], row: Row) -> str:
    if row.side == "link":
        return f"{ARROW} {names[problem.platform.arcs[row.bars[0].place].head]}"
    return _SIDES[row.side]


def _label_width(problem: Collective, names: Mapping[Node, str], chosen: Sequence[Row]) -> float:
    widest = max((text_width(names[row.node], 11.5) for row in chosen), default=0)
    sides = max((text_width(_side(problem, names, row), 10.5) for row in chosen), default=0)
    return min(widest, 130) + min(sides, 110) + 30


def _row_label(
    problem: Collective,
    names: Mapping[Node, str],
    row: Row,
    left: float,
    y: float,
    first: bool,
    tight: bool,
) -> list[str]:
    side = clipped(_side(problem, names, row), 110, 10.5)
    drawn = [lettered(side, left - 9, y + 12.5, 10.5, fill=SOFT_INK, anchor="end")]
    if tight:
        drawn.append(tag("rect", x=left - 5, y=y, width=3, height=_ROW, fill=ALARM))
    if first:
        name = clipped(names[row.node], 130, 11.5)
        drawn.append(lettered(name, 0, y + 12.5, 11.5, bold=True))
    return drawn


def _axis(
    certificate: Certificate, span: Fraction, left: float, head: float, bottom: float
) -> list[str]:
    drawn = []
    last_end = -1e9
    times = ticks(span)
    end = left + _WIDTH
    final = text_width(short(span), 10.5)
    for time in times:
        x = left + float(time / span) * _WIDTH
        shown = short(time)
        half = text_width(shown, 10.5) / 2
        drawn.append(tag("line", x1=x, y1=head - 4, x2=x, y2=head + bottom, stroke=RULE))
        if x - half > last_end and (time == span or x + half < end - final / 2 - 6):
            last_end = x + half + 6
            y = head + bottom + 14
            drawn.append(lettered(shown, x, y, 10.5, fill=SOFT_INK, anchor="middle"))
    drawn.append(lettered("busy", end + 8, head - 10, 10.5, fill=SOFT_INK))
    if not isinstance(certificate, Run):
        shown = f"One period: {_time_units(span)}"
    else:
        shown = f"The whole run: {_time_units(span)}"
    drawn.append(lettered(shown, left, head - 10, 11.5, bold=True))
    return drawn


def _bound_line(
    certificate: Certificate, span: Fraction, left: float, head: float, bottom: float
) -> list[str]:
    """When a run can have ended at the earliest, as far as is proved."""
    if not isinstance(certificate, Run) or certificate.optimal:
        return []
    if not 0 < certificate.bound <= span:
        return []
    x = left + float(certificate.bound / span) * _WIDTH
    label = f"lower bound {short(certificate.bound)}"
    anchor = "end" if x - left > 380 else "start"
    shift = -5 if anchor == "end" else 5
    line = tag(
        "line",
        x1=x,
        y1=head - 20,
        x2=x,
        y2=head + bottom,
        stroke=ALARM,
        stroke_dasharray="5 3",
        stroke_width=1.4,
    )
    return [line, lettered(label, x + shift, head - 10, 10.5, fill=ALARM, anchor=anchor)]


class _BarArtist:
    """Draws the pieces of a row with their colors, names and message boundaries."""

    def __init__(
        self,
        certificate: Certificate,
        key: Key,
        span: Fraction,
        left: float,
        details: bool,
    ) -> None:
        self.problem = certificate.problem
        self.arcs = certificate.problem.platform.arcs
        self.run = isinstance(certificate, Run)
        self.key = key
        self.scale = Fraction(_WIDTH) / span
        self.left = left
        self.details = details

    def row(self, row: Row, pieces: Sequence[Piece], y: float) -> list[str]:
        drawn = []
        for piece in pieces:
            bar = piece.bar
            fill = self.key.fill(bar)
            x = piece.start * self.scale
            width = (piece.end - piece.start) * self.scale
            content = hint(self._told(piece)) if self.details else ""
            # Paper between two bars, as long as there is enough of the bar.
            trim = Fraction(4, 5) if width > 3 else Fraction(0)
            drawn.append(
                tag(
                    "rect",
                    content,
                    x=self.left + float(x),
                    y=y,
                    width=max(float(width - trim), 0.4),
                    height=_ROW,
                    rx=1.5 if width > 6 else None,
                    fill=fill,
                )
            )
            if not piece.several:
                lines = self._boundaries(piece, y)
                drawn += lines
                drawn += self._name(row, piece, y, fill, bool(lines))
        return drawn

    def _told(self, piece: Piece) -> str:
        bar = piece.bar
        when = f"{short(piece.start, 20)} to {short(piece.end, 20)}"
        if piece.several:
            return f"several short pieces of work, {when}"
        return f"{task_name(self.problem, bar.task)}, {self._stream(bar)}, {when}"

    def _stream(self, bar: Bar) -> str:
        if not self.run:
            return f"{structure_noun(self.problem)} {bar.stream + 1}"
        packet = isinstance(self.problem, Broadcast)
        return f"{'packet' if packet else 'operation'} {bar.stream}"

    def _boundaries(self, piece: Piece, y: float) -> list[str]:
        """Thin lines where a task ends and the next begins, if there are few."""
        bar = piece.bar
        if self.run:
            return []
        cost = duration(self.problem, bar.task)
        if cost * self.scale < 4:
            return []
        first = floor(bar.sent) + 1
        last = ceil(bar.sent + bar.length / cost)
        path = "".join(
            f"M{px(self.left + float((bar.start + (count - bar.sent) * cost) * self.scale))} "
            f"{px(y)}v{_ROW}"
            for count in range(first, last)
        )
        line = tag("path", d=path, stroke=PAPER, stroke_opacity="0.65", stroke_width=0.8)
        return [line] if path else []

    def _name(self, row: Row, piece: Piece, y: float, fill: str, lined: bool) -> list[str]:
        width = float((piece.end - piece.start) * self.scale)
        if width < 9:
            return []
        choices = self._choices(row, piece.bar)
        for size, shown in [*((10, choice) for choice in choices), (8.5, choices[-1])]:
            if text_width(shown, size) <= width - 3:
                middle = self.left + float((piece.start + piece.end) / 2 * self.scale) - 0.4
                baseline = y + 8.6 + 0.36 * size
                ink = ink_on(fill)
                name = lettered(shown, middle, baseline, size, fill=ink, anchor="middle")
                if not lined:
                    return [name]
                # The lines of the messages stop before the name.
                room = text_width(shown, size) + 2
                under = tag("rect", x=middle - room / 2, y=y, width=room, height=_ROW, fill=fill)
                return [under, name]
        return []

    def _choices(self, row: Row, bar: Bar) -> list[str]:
        """What may be written on a bar, the longest first."""
        number = f"#{bar.stream} " if self.run else ""
        item = item_name(self.problem, bar.task, self.key.names)
        if computes(self.problem, bar.task):
            shortest = f"#{bar.stream}" if self.run else item[1:]
            return [number + item, number + item[1:], shortest]
        arc = self.arcs[bar.place]
        sends = arc.tail == row.node
        partner = self.key.names[arc.head if sends else arc.tail]
        arrow = ARROW if sends else "\u2190"
        if isinstance(self.problem, Broadcast):
            return self._broadcast_choices(row, bar, arrow, partner)
        shown = f"({item})" if isinstance(self.problem, Alltoall) else item
        ways = [f"{number}{shown} {arrow} {partner}", number + item]
        if isinstance(self.problem, Alltoall):
            target = self.key.names[self.problem.demands[bar.task[1]].target]
            ways += [f"{number}\u21d2 {target}", f"\u21d2{target}"]
        elif row.side == "link":
            ways = ways[1:]
        return [*ways, *([f"#{bar.stream}"] if self.run else [])]

    def _broadcast_choices(self, row: Row, bar: Bar, arrow: str, partner: str) -> list[str]:
        if self.run:
            return [f"#{bar.stream} {arrow} {partner}", f"#{bar.stream}", str(bar.stream)]
        if row.side == "link":
            return [f"tree {bar.stream + 1}", str(bar.stream + 1)]
        if row.side == "port":
            return [f"{arrow} {partner}", f"{arrow}{partner}"]
        return [partner]


def _notes(
    problem: Collective,
    every: Sequence[Row],
    chosen: Sequence[Row],
    least: Fraction,
    span: Fraction,
    tight: set[str],
) -> list[str]:
    lines = []
    if any(row.resource in tight for row in chosen):
        lines.append("A red mark stands at the rows whose work the bound counts.")
    if len(chosen) < len(every):
        left_out = counted(len(every) - len(chosen), "row")
        ends = principals(problem)
        first = f" {printable(ends[0], 24)} and of" if ends else ""
        lines.append(
            f"{left_out} of {len(every):,} left out: shown are the rows of{first} the"
            f" busiest nodes, at most {MOST_ROWS} rows."
        )
    if least:
        work = "Transfers" if isinstance(problem, Broadcast) else "Tasks"
        lines.append(
            f"{work} shorter than {short(least)} time units (1/{span / least} of the axis) are"
            " drawn together with their neighbors."
        )
    return lines
