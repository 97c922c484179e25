"""SVG elements as text, and the colors of all pictures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from html import escape

INK = "#1d2733"
SOFT_INK = "#5b6775"
PAPER = "#ffffff"
RULE = "#d5dbe3"
IDLE = "#eef1f5"
UNUSED = "#b9c1cc"
ALARM = "#b3261e"
ALARM_PAPER = "#fbe3e0"
FONT = "'Inter','Helvetica Neue',Helvetica,Arial,'DejaVu Sans','Liberation Sans',sans-serif"

# After Okabe and Ito, Color Universal Design (2008), without their yellow and black, which
# are hard to see as lines on white; the last two are wine and olive of Tol's muted scheme.
_HUES = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#882255", "#999933")
OTHER = "#8792a2"
COLORS = 3 * len(_HUES)
"""How many colors can be told from each other: every hue as it is, darker, and lighter."""

Number = int | float | Fraction


@dataclass(frozen=True, slots=True)
class Fragment:
    """A part of a picture, drawn with its upper left corner at (0, 0)."""

    width: float
    height: float
    body: str

    def at(self, x: Number, y: Number) -> str:
        return f'<g transform="translate({px(x)} {px(y)})">{self.body}</g>'

    def document(self, title: str, margin: int = 0) -> str:
        """The fragment alone, as an SVG document (or an element of an HTML page) on white paper."""
        width, height = self.width + 2 * margin, self.height + 2 * margin
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{px(width)}" height="{px(height)}" '
            f'viewBox="0 0 {px(width)} {px(height)}" role="img" font-family="{FONT}">'
            f"<title>{escape(title)}</title>"
            f"{tag('rect', width=width, height=height, fill=PAPER)}"
            f"{self.at(margin, margin)}</svg>\n"
        )


def px(value: Number) -> str:
    """A coordinate with at most two decimals, rounded from its exact value.

    >>> px(Fraction(2, 3)), px(2), px(0.5)
    ('0.67', '2', '0.5')
    """
    hundredths = round(value * 100)
    whole, rest = divmod(abs(hundredths), 100)
    sign = "-" if hundredths < 0 else ""
    return f"{sign}{whole}.{rest:02d}".rstrip("0").rstrip(".") if rest else f"{sign}{whole}"


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


def hint(shown: str) -> str:
    """What a viewer shows when the pointer rests on the element around it."""
    return f"<title>{escape(shown)}</title>"


def color(rank: int) -> str:
    """The color of the tree (or packet) of this rank; they repeat after COLORS.

    >>> color(0), color(24) == color(0), len({color(rank) for rank in range(24)})
    ('#0072b2', True, 24)
    """
    shade, hue = divmod(rank % COLORS, len(_HUES))
    return _mixed(_HUES[hue], *((0, 0), (0, 0.4), (255, 0.5))[shade])


def ink_on(fill: str) -> str:
    """Dark or white, whichever is easier to read on the color."""
    red, green, blue = _channels(fill)
    return INK if 299 * red + 587 * green + 114 * blue > 135_000 else PAPER


def _mixed(one: str, level: int, share: float) -> str:
    return "#" + "".join(f"{round(c + (level - c) * share):02x}" for c in _channels(one))


def _channels(written: str) -> tuple[int, int, int]:
    return int(written[1:3], 16), int(written[3:5], 16), int(written[5:7], 16)


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
