"""What to buy: the throughput without something, as it is, and with one unit more, in bars."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from exactsched.drawing.lettering import printable, short
from exactsched.drawing.palette import ALARM, COLORS, UNUSED, color
from exactsched.drawing.scene import Bar, Entry, Figure, Panels, Row, Scene, Timeline
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import text

_GREEN = 2  # among the colors
_WIDTH = 480
_MOST = 40


def advice_scene(
    asked: str, throughput: Fraction, rows: Sequence[tuple[str, Fraction, Fraction]]
) -> Scene:
    """Rows are (name, throughput without it, throughput with one more), as they are to stand.

    See `exactsched.drawing.advice_chart`.
    """
    if not rows:
        raise InvalidInput("rows", [], "there is something to buy")
    for name, without, more in rows:
        if not 0 <= without <= throughput <= more:
            rule = "less of something brings no more, and more of it no less"
            raise InvalidInput(f"rows, {name}", [text(without), text(more)], rule)
    shown = rows[:_MOST]
    end = max([more for _, _, more in shown])
    kept, lost, won = UNUSED, ALARM, color(_GREEN % COLORS)
    lines = []
    for name, without, more in shown:
        said = f"{short(without, 12)} without, {short(more, 12)} with one more"
        bars = (
            Bar(Fraction(0), without, kept, said),
            Bar(without, throughput, lost, said),
            Bar(throughput, more, won, said),
        )
        lane = tuple(bar for bar in bars if bar.end > bar.start)
        lines.append(Row(printable(name), (lane,), share=short(more, 9)))
    ticks = tuple(dict.fromkeys([Fraction(0), throughput, end]))
    mark = throughput, f"now {short(throughput, 12)}"
    timeline = Timeline(end, tuple(lines), ticks, _WIDTH, mark=mark, shares="one more")
    legend = (
        Entry(kept, "left without it"),
        Entry(lost, "lost if it fails"),
        Entry(won, "gained by one more"),
    )
    more_rows = len(rows) - len(shown)
    notes = (f"{more_rows} more are not drawn.",) if more_rows else ()
    figure = Figure("Throughput", timeline, "Throughput", legend, notes)
    result = f"throughput {short(throughput, 20)}"
    return Scene(printable(f"What to buy: {asked}"), result, (Panels("", (figure,)),))
