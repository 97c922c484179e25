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
    # What is narrower than a dot is said in numbers only.
    seen = max(more - throughput for _, _, more in shown) * _WIDTH >= 2 * end
    lines = []
    for name, without, more in shown:
        said = f"{short(without, 12)} without, {short(more, 12)} with one more"
        bars = (
            Bar(Fraction(0), without, kept, said),
            Bar(without, throughput, lost, said),
            Bar(throughput, more, won, said),
        )
        lane = tuple(bar for bar in bars if bar.end > bar.start)
        lines.append(Row(printable(name), (lane,), share=_gain(more - throughput)))
    ticks = tuple(dict.fromkeys([Fraction(0), throughput, end]))
    mark = throughput, f"now {short(throughput, 12)}"
    timeline = Timeline(end, tuple(lines), ticks, _WIDTH, mark=mark, shares="one more")
    fills = {bar.fill for line in lines for lane in line.lanes for bar in lane}
    fills -= set() if seen else {won}
    legend = tuple(
        Entry(fill, words)
        for fill, words in (
            (kept, "left without it"),
            (lost, "lost if it fails"),
            (won, "gained by one more"),
        )
        if fill in fills
    )
    more_rows = len(rows) - len(shown)
    notes = [f"{more_rows} more are not drawn."] * bool(more_rows)
    if end > throughput and not seen:
        notes.append("Gains by one more are too small to be seen: they stand beside the bars.")
    figure = Figure("Throughput", timeline, "Throughput", legend, tuple(notes), panel="bars")
    result = f"throughput {short(throughput, 20)}"
    return Scene(printable(f"What to buy: {asked}"), result, (Panels("", (figure,)),))


def _gain(more: Fraction) -> str:
    return f"+{short(more, 9)}" if more else "0"
