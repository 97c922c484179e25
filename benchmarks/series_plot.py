"""Several series over one axis, as an SVG document, drawn by the package's own modules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from exactsched.drawing.lettering import text_width
from exactsched.drawing.palette import INK, RULE, SOFT_INK, color
from exactsched.drawing.renderers.svg.canvas import Fragment, group, lettered, px, tag

LEFT, TOP, WIDTH, HEIGHT = 64, 54, 560, 320
MARKS = (1, 2, 3, 5, 7)


@dataclass(frozen=True)
class Series:
    """What one line is called, its points (x, y), its color, and whether it is dashed."""

    name: str
    points: Sequence[tuple[int, float]]
    rank: int
    dashed: bool = False


def series_plot(title: str, below: str, series: Sequence[Series], *, logarithmic: bool) -> str:
    """The document; `below` is what the x axis shows.  The y axis shows ratios in tenths."""
    sizes = sorted({x for line in series for x, _ in line.points})
    values = [y for line in series for _, y in line.points]
    low, high = floor(min(values) * 10 + 1e-9), ceil(max(values) * 10 - 1e-9)
    scale: Callable[[float], float] = log10 if logarithmic else float
    first, last = scale(sizes[0]), scale(sizes[-1])

    def x(size: float) -> float:
        return LEFT + (scale(size) - first) / (last - first) * WIDTH

    def y(ratio: float) -> float:
        return TOP + (high - ratio * 10) / (high - low) * HEIGHT

    bottom, right = TOP + HEIGHT, LEFT + WIDTH
    body = [
        lettered(title, 16, 24, 15, bold=True),
        lettered(below, right, bottom + 40, 11, fill=SOFT_INK, anchor="end"),
    ]
    for tenth in range(low, high + 1):
        ink = INK if tenth == 10 else RULE
        level = y(tenth / 10)
        body.append(tag("line", x1=LEFT, y1=level, x2=right, y2=level, stroke=ink))
        shown = f"{tenth / 10:.1f}"
        body.append(lettered(shown, LEFT - 10, level + 4, 11, fill=SOFT_INK, anchor="end"))
    ticks = [size for size in sizes if not logarithmic or int(str(size)[0]) in MARKS]
    free = 0.0
    for size in ticks:
        half = text_width(str(size), 11) / 2
        if x(size) - half < free:
            continue
        free = x(size) + half + 4
        body.append(tag("line", x1=x(size), y1=bottom, x2=x(size), y2=bottom + 5, stroke=INK))
        body.append(lettered(str(size), x(size), bottom + 20, 11, fill=SOFT_INK, anchor="middle"))
    for place, line in enumerate(series):
        path = "M" + "L".join(f"{px(x(size))} {px(y(ratio))}" for size, ratio in line.points)
        style = {"fill": "none", "stroke": color(line.rank), "stroke_width": 2}
        dashes = "6 4" if line.dashed else None
        body.append(tag("path", d=path, stroke_dasharray=dashes, **style))
        for size, ratio in line.points:
            dot = tag("circle", cx=x(size), cy=y(ratio), r=3, fill=color(line.rank))
            body.append(group(dot, f"{line.name}, {size}: {ratio:.4f}"))
        level = TOP + 8 + 20 * place
        key = f"M{px(right + 20)} {px(level)}h28"
        body.append(tag("path", d=key, stroke_dasharray=dashes, **style))
        body.append(lettered(line.name, right + 56, level + 4, 11))
    width = right + 72 + max(text_width(line.name, 11) for line in series)
    tall = max(bottom + 56, TOP + 20 * len(series) + 16)
    return Fragment(width, tall, "".join(body)).document(title)
