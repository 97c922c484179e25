"""The canvas: elements of SVG, and fragments of pictures that are put together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape

from exactsched.drawing.layout.geometry import Bend, Point
from exactsched.drawing.lettering import clipped, text_width
from exactsched.drawing.palette import INK, PAPER, SOFT_INK, dark_rules
from exactsched.drawing.paper import SCREEN, Paper

# Faces for Latin, Greek and Cyrillic, then one or two for each of the other scripts: viewers take
# each letter from the first face that has it.  Emoji are left to the viewer: where a face for them
# is named, Pango takes digits from it.
FONT = (
    "Inter,'Helvetica Neue',Helvetica,Arial,'Liberation Sans','DejaVu Sans','Noto Sans',"
    "'PingFang SC','Hiragino Sans','Microsoft YaHei','Yu Gothic','Malgun Gothic',"
    "'Noto Sans CJK SC','WenQuanYi Micro Hei','Geeza Pro','Segoe UI','Noto Sans Arabic',"
    "'Noto Sans Hebrew','Kohinoor Devanagari','Nirmala UI','Noto Sans Devanagari',sans-serif"
)
NOTE = 10.5
"""The size of small print."""

Number = int | float | Fraction
_LOOKS = re.compile(r' (fill|stroke)="(#[0-9a-f]{6})"')


@dataclass(frozen=True, slots=True)
class Fragment:
    """A part of a picture, drawn with its upper left corner at (0, 0)."""

    width: float
    height: float
    body: str

    def at(self, x: Number, y: Number) -> str:
        return f'<g transform="translate({px(x)} {px(y)})">{self.body}</g>'

    def element(self, title: str, margin: int = 0) -> str:
        """The fragment alone, as an element of a page that has the rules for dark screens."""
        return self._svg(title, margin, SCREEN, "")

    def document(self, title: str, margin: int = 0, paper: Paper = SCREEN) -> str:
        """The fragment alone, as an SVG document: white paper, which a dark screen makes dark."""
        rules = dark_rules({("fill", PAPER), *_LOOKS.findall(self.body)}, "svg")
        return self._svg(title, margin, paper, tag("style", rules))

    def _svg(self, title: str, margin: int, paper: Paper, style: str) -> str:
        width, height = self.width + 2 * margin, self.height + 2 * margin
        if paper.room is not None:
            width = paper.room
        across, down = (f"{px(paper.written(one))}{paper.unit}" for one in (width, height))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{across}" height="{down}" '
            f'viewBox="0 0 {px(width)} {px(height)}" role="img" font-family="{FONT}">'
            f"<title>{escape(title)}</title>{style}"
            f"{tag('rect', width=width, height=height, fill=PAPER)}"
            f"{self.at(margin, margin)}</svg>\n"
        )

    def narrowed(self, width: float) -> Fragment:
        """The fragment made smaller, letters and all, if it is wider than this."""
        if self.width <= width:
            return self
        factor = width / self.width
        body = f'<g transform="scale({factor:.4f})">{self.body}</g>'
        return Fragment(width, self.height * factor, body)


def px(value: Number) -> str:
    """A coordinate with at most two decimals, rounded from its exact value.

    >>> px(Fraction(2, 3)), px(2), px(0.5)
    ('0.67', '2', '0.5')
    """
    hundredths = round(value * 100)
    whole, rest = divmod(abs(hundredths), 100)
    sign = "-" if hundredths < 0 else ""
    return f"{sign}{whole}.{rest:02d}".rstrip("0").rstrip(".") if rest else f"{sign}{whole}"


def pair(point: Point) -> str:
    return f"{px(round(point.x, 1))} {px(round(point.y, 1))}"


def tag(name: str, content: str = "", /, **attributes: Number | str | None) -> str:
    """One element; `content` is markup, attributes are escaped, an underscore stands for a dash."""
    written = "".join(
        f' {key.replace("_", "-")}="{escape(value) if isinstance(value, str) else px(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def lettered(
    shown: str,
    x: Number,
    y: Number,
    size: float = 11,
    *,
    fill: str = INK,
    anchor: str | None = None,
    bold: bool = False,
) -> str:
    """Text with its baseline at y."""
    return tag(
        "text",
        escape(shown),
        x=x,
        y=y,
        font_size=size,
        fill=fill,
        text_anchor=anchor,
        font_weight="600" if bold else None,
    )


def plate(shown: str, middle: Point, size: float, fill: str) -> str:
    """Text on paper that hides the lines below it."""
    half, tall = plate_size(shown, size)
    x, y = middle.x - half, middle.y - tall - 0.5
    paper = tag("rect", x=x, y=y, width=2 * half, height=2 * tall + 1, rx=3, fill=PAPER)
    return paper + lettered(
        shown, middle.x, middle.y + size * 0.36, size, fill=fill, anchor="middle"
    )


def plate_size(shown: str, size: float) -> tuple[float, float]:
    """Half the width and half the height of such text."""
    return text_width(shown, size) / 2 + 1, size / 2


def path_of(curve: Bend) -> str:
    """The path of a curve, or in fewer letters of a straight line."""
    if not curve.bent:
        return f"M{pair(curve.start)}L{pair(curve.end)}"
    return f"M{pair(curve.start)}Q{pair(curve.control)} {pair(curve.end)}"


def stroked(d: str, stroke: str, width: float, dashes: str | None = None) -> str:
    return tag("path", d=d, fill="none", stroke=stroke, stroke_width=width, stroke_dasharray=dashes)


def arrowhead(curve: Bend, length: float, fill: str) -> str:
    return tag("polygon", points=" ".join(pair(point) for point in curve.head(length)), fill=fill)


def group(markup: str, told: str) -> str:
    """Elements that a viewer explains when the pointer rests on them."""
    return f"<g>{f'<title>{escape(told)}</title>' if told else ''}{markup}</g>"


def stacked(fragments: Iterable[Fragment], gap: float) -> Fragment:
    """Fragments one below the other."""
    width = height = 0.0
    body: list[str] = []
    for fragment in fragments:
        top = height + gap if body else 0.0
        body.append(fragment.at(0, top))
        width, height = max(width, fragment.width), top + fragment.height
    return Fragment(width, height, "".join(body))


def in_rows(fragments: Iterable[Fragment], width: float, gap: float) -> Fragment:
    """Fragments side by side, in a new row where the width would be exceeded."""
    rows: list[Fragment] = []
    row = Fragment(0, 0, "")
    for fragment in fragments:
        left = row.width + gap if row.body else 0.0
        if row.body and left + fragment.width > width:
            rows.append(row)
            row, left = Fragment(0, 0, ""), 0.0
        tall = max(row.height, fragment.height)
        row = Fragment(left + fragment.width, tall, row.body + fragment.at(left, 0))
    return stacked([*rows, row], gap)


def small_print(lines: Sequence[str], width: float) -> Fragment:
    """Each line is broken where the width ends."""
    broken = [part for line in lines for part in broken_lines(line, width, NOTE)]
    return stacked(
        (Fragment(width, 10, lettered(line, 0, 9, NOTE, fill=SOFT_INK)) for line in broken), 5
    )


def broken_lines(shown: str, width: float, size: float, most: int = 0) -> list[str]:
    """Lines of at most this width; the last one of `most` has an ellipsis if there were more."""
    lines = [""]
    for word in shown.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
        if most and len(lines) > most:
            lines[-2] += " \u2026"
            del lines[-1]
            break
    return [clipped(line, width, size) for line in lines]
