"""Curves and areas over two axes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from exactsched.drawing.layout.axes import logarithm
from exactsched.drawing.lettering import text_width
from exactsched.drawing.palette import ALARM, IDLE, INK, RULE, SOFT_INK
from exactsched.drawing.renderers.svg.canvas import Fragment, group, lettered, px, tag
from exactsched.drawing.scene import Area, Axis, Curve, Number, Plot

_RIGHT = 26
_TOP = 8
_SIZE = 10.0


def plot_fragment(plot: Plot, room: float | None = None) -> Fragment:
    """The plot with names at the ticks of both axes, as wide as it should be or there is room."""
    return PlotPicture(plot, room).fragment()


class PlotPicture:
    """Where points of a plot stand, in pixels, and what is drawn there."""

    def __init__(self, plot: Plot, room: float | None = None) -> None:
        names = max((text_width(shown, _SIZE) for _, shown in plot.y.ticks), default=0)
        self.left = max(52.0 if room is None else 24.0, names + 12)
        if room is not None:
            plot = replace(plot, width=int(room - self.left - _RIGHT))
        self.plot = plot
        self.right, self.bottom = self.left + plot.width, _TOP + plot.height

    def x(self, value: Number) -> Fraction:
        return Fraction(self.left) + _share(self.plot.x, value) * self.plot.width

    def y(self, value: Number) -> Fraction:
        return _TOP + (1 - _share(self.plot.y, value)) * self.plot.height

    def fragment(self) -> Fragment:
        body = [*self._frame()]
        for shape in self.plot.shapes:
            body += self._curve(shape) if isinstance(shape, Curve) else [self._area(shape)]
        if self.plot.mark:
            at, told = self.plot.mark
            x = self.x(at)
            line = tag("line", x1=x, y1=2, x2=x, y2=self.bottom, stroke=ALARM, stroke_width=1.4)
            body.append(group(line, told))
        named = self.plot.x.name
        below = self.bottom + 31
        body.append(lettered(named, self.right, below, _SIZE, fill=SOFT_INK, anchor="end"))
        return Fragment(self.right + _RIGHT, self.bottom + 34, "".join(body))

    def _frame(self) -> Iterator[str]:
        plot = self.plot
        yield tag("rect", x=self.left, y=_TOP, width=plot.width, height=plot.height, fill=IDLE)
        for number, shown in plot.y.ticks:
            y = self.y(number)
            ink = INK if number in (plot.y.low, plot.y.high) else RULE
            yield tag("line", x1=self.left, y1=y, x2=self.right, y2=y, stroke=ink)
            yield lettered(shown, self.left - 7, y + 3.5, _SIZE, fill=SOFT_INK, anchor="end")
        free = -1e9
        for number, shown in plot.x.ticks:
            x, half = float(self.x(number)), text_width(shown, _SIZE) / 2
            yield tag("line", x1=x, y1=self.bottom, x2=x, y2=self.bottom + 4, stroke=INK)
            if x - half > free:
                free = x + half + 4
                below = self.bottom + 16
                yield lettered(shown, x, below, _SIZE, fill=SOFT_INK, anchor="middle")

    def _point(self, point: tuple[Number, Number]) -> str:
        return f"{px(self.x(point[0]))} {px(self.y(point[1]))}"

    def _area(self, area: Area) -> str:
        path = "M" + "L".join(map(self._point, area.outline)) + "Z"
        opacity = f"{area.opacity:g}" if area.opacity < 1 else None
        return tag("path", d=path, fill=area.color, fill_opacity=opacity)

    def _curve(self, curve: Curve) -> Iterator[str]:
        yield tag(
            "path",
            d="M" + "L".join(map(self._point, curve.points)),
            fill="none",
            stroke=curve.color,
            stroke_width=curve.width,
            stroke_linejoin="round",
            stroke_dasharray="5 3" if curve.dashed else None,
            stroke_opacity=f"{curve.opacity:g}" if curve.opacity < 1 else None,
        )
        for (x, y), told in zip(curve.points, curve.dots, strict=False):
            dot = tag("circle", cx=self.x(x), cy=self.y(y), r=4, fill=curve.color)
            yield group(dot, told)


def _share(axis: Axis, value: Number) -> Fraction:
    """How far along the axis a value is."""
    if axis.logarithmic:
        low, high = logarithm(axis.low), logarithm(axis.high)
        return Fraction((logarithm(value) - low) / (high - low))
    return Fraction(value - axis.low) / (axis.high - axis.low)
