"""How a ratio tends to 1: a plot on a logarithmic axis."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor

from exactsched.drawing.layout.axes import excess_scale, logarithm
from exactsched.drawing.lettering import short
from exactsched.drawing.palette import color
from exactsched.drawing.scene import Axis, Curve, Figure, Number, Panels, Plot, Scene
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import text

_MOST_SIZES = 12


def ratio_scene(rows: Sequence[tuple[int | Fraction, Fraction]]) -> Scene:
    """A point for every (size, ratio), sizes on a logarithmic axis.

    See `exactsched.drawing.ratio_plot`.
    """
    if not rows:
        raise InvalidInput("rows", [], "a plot has at least one point")
    points = sorted((Fraction(size), Fraction(ratio)) for size, ratio in rows)
    for size, ratio in points:
        if size <= 0:
            raise InvalidInput("rows, size", text(size), "sizes on a logarithmic axis are positive")
        if ratio < 1:
            raise InvalidInput("rows, ratio", text(ratio), "no makespan is below its lower bound")
    rise, step = excess_scale(max(ratio for _, ratio in points) - 1)
    ratios = [1 + index * step for index in range(int(rise / step) + 1)]
    # Few digits, so that 1.002 is not written 501/500.
    y = Axis(1, 1 + rise, tuple((ratio, near_one(ratio, 1)) for ratio in ratios))
    dots = tuple(f"size {short(size, 20)}: ratio {near_one(ratio, 20)}" for size, ratio in points)
    curve = Curve(tuple(points), color(0), 2, dots=dots)
    plot = Plot(_size_axis(points), y, (curve,), width=560, height=260)
    result = f"{near_one(points[-1][1], 9)} at size {short(points[-1][0], 20)}"
    title = "Makespan divided by its lower bound"
    return Scene(title, result, (Panels("", (Figure(title, plot, panel="curve"),)),))


def near_one(ratio: Fraction, limit: int) -> str:
    """A ratio in about `limit` characters; below 2, if they do not suffice, as 1 and its excess.

    >>> near_one(Fraction(6, 5), 1), near_one(Fraction(100001, 99901), 9)
    ('1.2', '~1.0010')
    >>> near_one(1 + Fraction(2, 10**9), 1)
    '1 + 2e-9'
    """
    shown = short(ratio, limit)
    if shown[0] == "~" and 1 + Fraction(1, 1000) <= ratio < 2:
        return f"~{float(ratio):.4f}"
    return f"1 + {short(ratio - 1, limit)}" if shown[0] == "~" and ratio < 2 else shown


def _size_axis(points: Sequence[tuple[Fraction, Fraction]]) -> Axis:
    """The sizes given, or where they are crowded, powers of ten; at least half a power wide."""
    sizes = list(dict.fromkeys(size for size, _ in points))
    first, last = sizes[0], sizes[-1]
    low: Number = first
    high: Number = last
    if logarithm(last) - logarithm(first) < 0.5:
        low, high = first / 3, last * 3
    if len(sizes) > _MOST_SIZES:
        bottom, top = floor(logarithm(first)), ceil(logarithm(last))
        every = -(-(top - bottom) // 10) or 1
        tens = [Fraction(10) ** exponent for exponent in range(bottom, top + 1, every)]
        sizes = [size for size in tens if first <= size <= last] or [first, last]
    ticks = tuple((size, short(size)) for size in sizes)
    return Axis(low, high, ticks, "size (logarithmic)", logarithmic=True)
