"""The colors of all pictures."""

from __future__ import annotations

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

# After Okabe and Ito, Color Universal Design (2008), without their yellow and black, which
# are hard to see as lines on white; the last two are wine and olive of Tol's muted scheme.
_HUES = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#882255", "#999933")
OTHER = "#8792a2"
COLORS = 3 * len(_HUES)
"""How many colors can be told from each other: every hue as it is, darker, and lighter."""


def color(rank: int) -> str:
    """The color of the tree (or packet) of this rank; they repeat after COLORS.

    >>> color(0), color(24) == color(0), len({color(rank) for rank in range(24)})
    ('#0072b2', True, 24)
    """
    shade, hue = divmod(rank % COLORS, len(_HUES))
    level, share = ((0, 0.0), (0, 0.4), (255, 0.5))[shade]
    mixed = (round(one + (level - one) * share) for one in _channels(_HUES[hue]))
    return "#" + "".join(f"{one:02x}" for one in mixed)


def ink_on(fill: str) -> str:
    """Dark or white, whichever is easier to read on the color."""
    red, green, blue = _channels(fill)
    return INK if 299 * red + 587 * green + 114 * blue > 135_000 else PAPER


def _channels(written: str) -> tuple[int, int, int]:
    return int(written[1:3], 16), int(written[3:5], 16), int(written[5:7], 16)
