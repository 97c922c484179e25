"""The colors of all pictures, and what they become on a dark screen."""

from __future__ import annotations

from collections.abc import Set

INK = "#1d2733"
SOFT_INK = "#5b6775"
PAPER = "#ffffff"
RULE = "#d5dbe3"
IDLE = "#eef1f5"
UNUSED = "#b9c1cc"
SHADED = "#dfe7f0"
FRAME = "#97a3b3"
ALARM = "#b3261e"
ALARM_PAPER = "#fbe3e0"
TINT, DEEP_TINT, PALE_BLUE, PALE_GREEN = "#dcebf5", "#41607f", "#9cc7e2", "#bfe5d8"
# From nothing to nearly all.
SHADES = (PAPER, "#e9edf2", "#d0d8e1", "#b4c0cd", "#97a7b8", "#7b8fa4", "#607890", "#486178")
# What is written on a color that stays as it is on a dark screen: not INK and PAPER, which change.
_ON_BRIGHT, _ON_DEEP = "#1d2734", "#fefefe"

# After Okabe and Ito, Color Universal Design (2008), without their yellow and black, which
# are hard to see as lines on white; the last two are wine and olive of Tol's muted scheme.
_HUES = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#882255", "#999933")
OTHER = "#8792a2"
COLORS = 3 * len(_HUES)
"""How many colors can be told from each other: every hue as it is, darker, and lighter."""
FEW_COLORS = len(_HUES)
"""How many can be told at a glance: every hue as it is."""


def color(rank: int) -> str:
    """The color of the tree (or packet) of this rank; they repeat after COLORS.

    >>> color(0), color(24) == color(0), len({color(rank) for rank in range(24)})
    ('#0072b2', True, 24)
    """
    shade, hue = divmod(rank % COLORS, len(_HUES))
    level, share = ((0, 0.0), (0, 0.4), (255, 0.5))[shade]
    return _mixed(_HUES[hue], level, share)


def dark(fill: str) -> str:
    """What a color becomes on a dark screen; colors that nobody knows stay.

    >>> dark(PAPER), dark(INK), dark("#123456")
    ('#161b22', '#e6eaf0', '#123456')
    """
    return _DARK.get(fill, fill)


def dark_rules(looks: Set[tuple[str, str]], within: str) -> str:
    """The rules of CSS that make fills and strokes dark on a dark screen, inside an element.

    Programs that know no such rules, and printers, show the colors as they are written.

    >>> dark_rules({("fill", PAPER), ("stroke", "#123456")}, "svg")
    '@media screen and (prefers-color-scheme:dark){svg [fill="#ffffff"]{fill:#161b22}}'
    """
    rules = "".join(
        f'{within} [{name}="{fill}"]{{{name}:{dark(fill)}}}'
        for name, fill in sorted(looks)
        if dark(fill) != fill
    )
    return f"@media screen and (prefers-color-scheme:dark){{{rules}}}" if rules else ""


def ink_on(fill: str) -> str:
    """Dark or white, whichever is easier to read on the color, on paper and on a dark screen."""
    if _bright(fill):
        return _ON_BRIGHT if _bright(dark(fill)) else INK
    return PAPER if _bright(dark(fill)) else _ON_DEEP


def _bright(fill: str) -> bool:
    red, green, blue = _channels(fill)
    return 299 * red + 587 * green + 114 * blue > 135_000


def _channels(written: str) -> tuple[int, int, int]:
    return int(written[1:3], 16), int(written[3:5], 16), int(written[5:7], 16)


def _mixed(fill: str, level: int, share: float) -> str:
    """The color with so much of a gray level in it."""
    mixed = (round(one + (level - one) * share) for one in _channels(fill))
    return "#" + "".join(f"{one:02x}" for one in mixed)


_DARK = {
    INK: "#e6eaf0",
    SOFT_INK: "#a3afbf",
    PAPER: "#161b22",
    RULE: "#3a4553",
    IDLE: "#232b36",
    UNUSED: "#5f6b7a",
    SHADED: "#2d3d50",
    FRAME: "#7a8799",
    ALARM: "#ff8a80",
    ALARM_PAPER: "#4a2422",
    TINT: "#1f3a50",
    DEEP_TINT: "#8fb0d0",
    PALE_BLUE: "#23506e",
    PALE_GREEN: "#1b5443",
    **{shade: _mixed("#161b22", 200, step / 9) for step, shade in enumerate(SHADES) if step},
    # A hue a little lighter, and the darker one much lighter.
    **{color(hue): _mixed(color(hue), 255, 0.2) for hue in range(len(_HUES))},
    **{color(len(_HUES) + hue): _mixed(_HUES[hue], 255, 0.65) for hue in range(len(_HUES))},
}

KNOWN = frozenset((name, fill) for fill in _DARK for name in ("fill", "stroke"))
"""All that changes on a dark screen."""
