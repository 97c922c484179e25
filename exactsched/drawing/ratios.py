"""How a ratio tends to 1: a plot on a logarithmic axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil, floor, log10

from exactsched.drawing.canvas import INK, RULE, SOFT_INK, Fragment, color, hint, lettered, px, tag
from exactsched.drawing.lettering import short, text_width
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import text

_LEFT, _TOP = 88, 54
_WIDTH, _HEIGHT = 560, 260


def ratio_plot(rows: Sequence[tuple[int | Fraction, Fraction]]) -> str:
    """The SVG document with a point for every (size, ratio), sizes on a logarithmic axis.

    Meant for the makespan of M packets divided by its lower bound, which tends to 1.  Raises
    `InvalidInput` if there is no row, a size is not positive, or a ratio is below 1.

    >>> ratio_plot([(1, Fraction(3)), (10, Fraction(6, 5))]).count("<circle")
    2
    """
    if not rows:
        raise InvalidInput("rows", [], "a plot has at least one point")
    points = sorted((Fraction(size), Fraction(ratio)) for size, ratio in rows)
    for size, ratio in points:
        if size <= 0:
            raise InvalidInput("rows, size", text(size), "sizes on a logarithmic axis are positive")
        if ratio < 1:
            raise InvalidInput("rows, ratio", text(ratio), "no makespan is below its lower bound")
    first, last = _log(points[0][0]), _log(points[-1][0])
    if last - first < 0.5:
        first, last = first - 0.5, last + 0.5
    top = max(ratio for _, ratio in points)
    rise, step = _scale(top - 1)

    def x(size: Fraction) -> float:
        return _LEFT + (_log(size) - first) / (last - first) * _WIDTH

    def y(ratio: Fraction) -> float:
        return _TOP + float(1 - (ratio - 1) / rise) * _HEIGHT

    bottom = _TOP + _HEIGHT
    body = [
        lettered("Makespan divided by its lower bound", 16, 24, 15, bold=True),
        lettered(
            "size (logarithmic)", _LEFT + _WIDTH, bottom + 40, 11, fill=SOFT_INK, anchor="end"
        ),
    ]
    for index in range(int(rise / step) + 1):
        ratio = 1 + index * step
        line = INK if index == 0 else RULE
        right = _LEFT + _WIDTH
        body.append(tag("line", x1=_LEFT, y1=y(ratio), x2=right, y2=y(ratio), stroke=line))
        # Few digits, so that 1.002 is not written 501/500.
        shown = _near_one(ratio, 1)
        body.append(lettered(shown, _LEFT - 10, y(ratio) + 4, 11, fill=SOFT_INK, anchor="end"))
    body += _size_axis(points, x, bottom)
    path = "M" + "L".join(f"{px(x(size))} {px(y(ratio))}" for size, ratio in points)
    body.append(tag("path", d=path, fill="none", stroke=color(0), stroke_width=2))
    for size, ratio in points:
        told = hint(f"size {short(size, 20)}: ratio {_near_one(ratio, 20)}")
        body.append(tag("circle", told, cx=x(size), cy=y(ratio), r=4, fill=color(0)))
    end_size, end_ratio = points[-1]
    body.append(
        lettered(
            _near_one(end_ratio, 9), x(end_size), y(end_ratio) - 11, 11, anchor="middle", bold=True
        )
    )
    fragment = Fragment(_LEFT + _WIDTH + 44, bottom + 56, "".join(body))
    return fragment.document("Makespan divided by its lower bound")


def _near_one(ratio: Fraction, limit: int) -> str:
    """A ratio in about `limit` characters; below 2, if they do not suffice, as 1 and its excess.

    >>> _near_one(Fraction(6, 5), 1), _near_one(Fraction(100001, 99901), 9)
    ('1.2', '~1.0010')
    >>> _near_one(1 + Fraction(2, 10**9), 1)
    '1 + 2e-9'
    """
    shown = short(ratio, limit)
    if shown[0] == "~" and 1 + Fraction(1, 1000) <= ratio < 2:
        return f"~{float(ratio):.4f}"
    return f"1 + {short(ratio - 1, limit)}" if shown[0] == "~" and ratio < 2 else shown


def _size_axis(
    points: Sequence[tuple[Fraction, Fraction]], x: Callable[[Fraction], float], bottom: float
) -> list[str]:
    """The sizes given, or where they are crowded, powers of ten."""
    sizes = list(dict.fromkeys(size for size, _ in points))
    if len(sizes) > 12:
        low, high = floor(_log(sizes[0])), ceil(_log(sizes[-1]))
        every = -(-(high - low) // 10) or 1
        tens = [Fraction(10) ** exponent for exponent in range(low, high + 1, every)]
        sizes = [size for size in tens if sizes[0] <= size <= sizes[-1]] or [sizes[0], sizes[-1]]
    drawn = []
    free = -1.0
    for size in sizes:
        half = text_width(short(size), 11) / 2
        drawn.append(tag("line", x1=x(size), y1=bottom, x2=x(size), y2=bottom + 5, stroke=INK))
        if x(size) - half > free:
            free = x(size) + half + 6
            drawn.append(
                lettered(short(size), x(size), bottom + 20, 11, fill=SOFT_INK, anchor="middle")
            )
    return drawn


def _scale(excess: Fraction) -> tuple[Fraction, Fraction]:
    """The height of the axis above 1 and its step: 1, 2 or 5 times a power of ten, 3 to 7 steps."""
    if excess == 0:
        return Fraction(1), Fraction(1, 5)
    step = Fraction(10) ** (floor(_log(excess)) - 1)
    for factor in (2, 5, 10, 20):
        if excess / (step * factor) <= 6:
            step *= factor
            break
    return ceil(excess / step) * step, step


def _log(value: Fraction) -> float:
    return log10(value.numerator) - log10(value.denominator)
