"""How wide a picture is on paper, and how large its letters are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from exactsched.exact.errors import InvalidInput

BASE = 11
"""The size of ordinary letters in a picture, in its own units."""

NARROWEST = 180
"""The least width of a picture, in its own units."""

# CSS: a unit in pixels.
_UNITS = {
    "px": Fraction(1),
    "pt": Fraction(4, 3),
    "mm": Fraction(480, 127),
    "cm": Fraction(4800, 127),
    "in": Fraction(96),
}
_LENGTH = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,6})?) ?(px|pt|mm|cm|in)")
_LETTERS = Fraction(16, 3), Fraction(64)  # from 4 pt to 48 pt
_MOST = Fraction(20_000)


@dataclass(frozen=True, slots=True)
class Paper:
    """A width that a picture fills exactly, if there is one; and how large its own unit is.

    `unit` is written after lengths, `pixels` are the pixels of one of these, and `scale` those of a
    unit of the picture.
    """

    width: Fraction | None = None
    scale: Fraction = Fraction(1)
    unit: str = ""
    pixels: Fraction = Fraction(1)

    @property
    def room(self) -> float | None:
        """The width in units of the picture."""
        return None if self.width is None else float(self.width / self.scale)

    def written(self, length: float) -> Fraction:
        """A length in units of the picture as a length on paper."""
        return Fraction(length) * self.scale / self.pixels


SCREEN = Paper()


def paper(width: str | None = None, font_size: str | None = None) -> Paper:
    """The paper for a width such as ``84mm`` and letters of a size such as ``8pt``.

    Units are px, pt, mm, cm and in, those of CSS.  Without a font size letters have 11px; without
    a width a picture is as wide as it needs.  Raises `InvalidInput` for another text, for letters
    below 4pt or above 48pt, and for a width that has no room for these letters.

    >>> narrow = paper("84mm", "8pt")
    >>> float(narrow.scale), round(narrow.room or 0), narrow.unit
    (0.9696969696969697, 327, 'mm')
    """
    letters, unit = Fraction(BASE), "px"
    if font_size is not None:
        letters, unit = _length("font_size", font_size, "8pt")
        if not _LETTERS[0] <= letters <= _LETTERS[1]:
            raise InvalidInput("font_size", font_size, "letters have a size from 4pt to 48pt")
    scale = letters / BASE
    if width is None:
        if font_size is None:
            return SCREEN
        return Paper(None, scale, unit, _UNITS[unit])
    across, unit = _length("width", width, "84mm")
    if not NARROWEST * scale <= across <= _MOST:
        least = -(-NARROWEST * scale // _UNITS[unit])
        rule = f"with letters of {font_size or '11px'} at least {least}{unit}, at most 20000px"
        raise InvalidInput("width", width, rule)
    return Paper(across, scale, unit, _UNITS[unit])


def _length(name: str, written: object, example: str) -> tuple[Fraction, str]:
    """Pixels, and the unit in which they were written."""
    found = _LENGTH.fullmatch(written.strip()) if isinstance(written, str) else None
    if found is None:
        rule = f"a number with its unit, px, pt, mm, cm or in, such as {example}"
        raise InvalidInput(name, written, rule)
    return Fraction(found[1]) * _UNITS[found[2]], found[2]
