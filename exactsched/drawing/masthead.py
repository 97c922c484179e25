"""What stands above every picture: what it shows, and what is claimed."""

from __future__ import annotations

from exactsched.drawing.canvas import RULE, SOFT_INK, Fragment, lettered, tag
from exactsched.drawing.lettering import clipped


def masthead(title: str, result: str, width: float) -> Fragment:
    """The title and, below it, the result, both on one line."""
    return Fragment(
        width,
        52,
        lettered(clipped(title, width, 19), 0, 18, 19, bold=True)
        + lettered(clipped(result, width, 13.5), 0, 42, 13.5, fill=SOFT_INK),
    )


def rule(width: float) -> Fragment:
    """A thin line across the picture."""
    return Fragment(width, 1, tag("line", x1=0, y1=0.5, x2=width, y2=0.5, stroke=RULE))
