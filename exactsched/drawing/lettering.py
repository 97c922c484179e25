"""Names and numbers as the short, printable text of a picture; estimates of how wide it is."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import floor, log10

from exactsched.exact.rational import text

_LONG = 400
_ELLIPSIS = "\u2026"
_REPLACEMENT = "\ufffd"
# First strong isolate, pop directional isolate: what stands between them, say a Hebrew name, does
# not change the direction of what stands around them.
_ISOLATE, _POP = "\u2068", "\u2069"
# Parts of words in Persian and Indic scripts, and of emoji.
_JOINERS = "\u200c\u200d"
_EMOJI = "\U0001f000"
# Widths in em of a common sans serif face, rounded up: a label that fits by this estimate fits.
_NARROW = dict.fromkeys("iljtfrI.,:;|!'()[]/ -", 0.36) | dict.fromkeys(
    "mwMW@%\u2026\u2192\u2190", 0.95
)


def printable(name: object, limit: int = 60) -> str:
    """The name of a node on one line: unprintable characters replaced, the end cut off if long.

    Right-to-left marks and the like are unprintable; right-to-left letters are kept among
    themselves.

    >>> printable("P1"), printable(""), printable("a\\u202eb"), printable("x" * 99, 4)
    ('P1', '""', 'a\ufffdb', 'xxx\u2026')
    """
    shown = str(name)
    if not shown.strip():
        shown = f'"{shown[:limit]}"'
    # Cut before anything is looked at: a hostile name may have a million characters.
    shown = shown if len(shown) <= limit else shown[: limit - 1] + _ELLIPSIS
    shown = "".join(
        letter if letter.isprintable() or letter in _JOINERS else _REPLACEMENT for letter in shown
    )
    if any(unicodedata.bidirectional(letter) in ("R", "AL", "AN") for letter in shown):
        return _ISOLATE + shown + _POP
    return shown


def clipped(shown: str, width: float, size: float) -> str:
    """The text if it fits into `width` at font size `size`; else its beginning and an ellipsis.

    >>> clipped("abcdef", 40, 10), clipped("abcdef", 25, 10), clipped("abcdef", 3, 10)
    ('abcdef', 'ab\u2026', '')
    """
    if text_width(shown, size) <= width:
        return shown
    plain = shown.strip(_ISOLATE + _POP)
    while plain and text_width(plain + _ELLIPSIS, size) > width:
        plain = plain[:-1]
    if not plain:
        return ""
    return _ISOLATE + plain + _ELLIPSIS + _POP if shown[0] == _ISOLATE else plain + _ELLIPSIS


def clipped_apart(
    names: Sequence[str], rooms: Sequence[float], sizes: Sequence[float]
) -> list[str]:
    """Names cut off where there is no room: at their ends, or inside where they would be alike.

    >>> clipped_apart(["node 12", "node 13", "host 7"], [38, 38, 31], [10, 10, 10])
    ['no\u2026 12', 'no\u2026 13', 'hos\u2026']
    """
    cut = [clipped(*each) for each in zip(names, rooms, sizes, strict=True)]
    alike = Counter(dict(zip(names, cut, strict=True)).values())
    return [
        _clipped_inside(name, room, size) if alike[short] > 1 else short
        for name, room, size, short in zip(names, rooms, sizes, cut, strict=True)
    ]


def _clipped_inside(shown: str, width: float, size: float) -> str:
    """The same as `clipped`, but its end is kept as well."""
    if text_width(shown, size) <= width:
        return shown
    plain = shown.strip(_ISOLATE + _POP)
    for kept in range(len(plain) - 1, 0, -1):
        cut = plain[: kept // 2] + _ELLIPSIS + plain[len(plain) - (kept + 1) // 2 :]
        if text_width(cut, size) <= width:
            return _ISOLATE + cut + _POP if shown[0] == _ISOLATE else cut
    return ""


def text_width(shown: str, size: float) -> float:
    """About how wide a text is in pixels at font size `size`, rather too much than too little."""
    return size * sum(_letter_width(letter) for letter in shown)


def _letter_width(letter: str) -> float:
    if letter in _NARROW:
        return _NARROW[letter]
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):  # marks, joiners, isolates
        return 0
    if letter >= _EMOJI:
        return 1.3
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.0
    return 0.7 if letter.isupper() else 0.6


def short(value: Fraction | int, limit: int = 9) -> str:
    """A rational in at most about `limit` characters: exactly, or an approximation with a tilde.

    >>> short(Fraction(2, 3)), short(Fraction(10**40, 3)), short(2 * 10**50)
    ('2/3', '~3.33e39', '2e50')
    >>> short(Fraction(1, 7), 2), short(Fraction(123456789, 100))
    ('~0.143', '~1.23e6')
    """
    value = Fraction(value)
    # The number of bits tells whether the digits are worth writing out.
    if value.numerator.bit_length() + value.denominator.bit_length() <= 4 * limit + 8:
        exactly = text(value)
        if len(exactly) <= limit:
            return exactly
    if value < 0:
        negated = short(-value, limit)
        return "~-" + negated[1:] if negated[0] == "~" else "-" + negated
    exponent = floor(log10(value.numerator) - log10(value.denominator))
    scaled = value * Fraction(10) ** (2 - exponent)
    digits = round(scaled)
    mark = "" if digits == scaled else "~"
    if digits < 100 or digits >= 1000:  # the logarithms were a little off, or 999.5 was rounded
        exponent += 1 if digits >= 1000 else -1
        digits = round(value * Fraction(10) ** (2 - exponent))
    if -3 <= exponent <= 5:
        decimal = str(digits * 10 ** max(0, exponent - 2))
        if exponent < 2:
            decimal = decimal.rjust(3 - exponent, "0")
            decimal = f"{decimal[: exponent - 2]}.{decimal[exponent - 2 :]}".rstrip("0").rstrip(".")
        return mark + decimal.rjust(1, "0")
    fraction = str(digits)[1:].rstrip("0")
    return f"{mark}{str(digits)[0]}{'.' if fraction else ''}{fraction}e{exponent}"


def written(value: Fraction) -> str:
    """Exact digits, or how large it is if nobody would read them."""
    size = value.numerator.bit_length() + value.denominator.bit_length()
    return text(value) if size < 4 * _LONG else short(value, _LONG)


def percent(share: Fraction) -> str:
    """A share of the whole, in percent; a tilde unless it is exact.

    >>> percent(Fraction(1)), percent(Fraction(2, 3)), percent(Fraction(9999, 10000))
    ('100%', '~67%', '~99.9%')
    """
    if (share * 100).denominator == 1:
        return f"{share * 100}%"
    if share > Fraction(99, 100):
        return f"~{min(floor(share * 1000), 999) / 10}%"
    return f"~{round(share * 100)}%" if share >= Fraction(1, 200) else "<1%"


def listed(names: Iterable[object], limit: int = 12) -> str:
    """Names of nodes in braces, only the first of them if they are many.

    >>> listed(["a", "b"]), listed(range(40), 3)
    ('{a, b}', '{0, 1, 2, \u2026 40 nodes}')
    """
    every = list(names)
    shown = ", ".join(printable(name, 24) for name in every[:limit])
    return f"{{{shown}}}" if len(every) <= limit else f"{{{shown}, {_ELLIPSIS} {len(every)} nodes}}"


def counted(number: int, noun: str) -> str:
    """A number and its noun, in the plural if need be.

    >>> counted(1, "tree"), counted(1200, "tree"), counted(2, "message")
    ('1 tree', '1,200 trees', '2 messages')
    """
    if number.bit_length() > 64:
        return f"{short(number)} {noun}s"
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def and_more(number: int) -> str:
    """What stands below the first rows of many.

    >>> and_more(230)
    'and 230 more'
    """
    return f"and {number:,} more"
