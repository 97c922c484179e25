"""Formulas that pages write as plain text, typeset: `x_i`, `|V|^3`, `a <= b`, single letters.

The source stays readable in a terminal, and a reader's browser needs no script.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_SIGNS = {"<=": "≤", ">=": "≥", "!=": "≠", "<->": "↔", "->": "→"}
_INDEX = r"(?:\{[^{}]+\}|\([^()]+\)|-?\w+(?:\*(?!\w))?|\*)"
_FORMULA = re.compile(
    rf"(?P<base>(?<![\w-])(?:[A-Za-zα-ωΑ-Ω]|TP|(?=_))\'?)_(?P<low>{_INDEX})"
    rf"|(?<=[\w)|\]])\^(?P<high>{_INDEX})"
    r"|(?P<sign><->|<=|>=|!=|->)"
    r"|(?P<end>(?<=\s)\[\]$)"
    # Not the article, the pronoun, initials of names, nor what is part of a word.
    r"|(?P<letter>(?<![A-Za-z_'’.-])(?<![^\d)]/)(?<!heorem )"
    r"(?:(?<!\d)[B-HJ-Zb-zα-ωΑ-Ω]|(?<=\d)[a-z]|(?<=\()a(?=[,)])|(?<=[a-zA-Z,∩&|-] )A)"
    r"(?![\w'’]|/[^\d(]|-[A-Za-z]|\+\+|\.\s[A-Z]\w))"
)


def pieces(text: str, *, letters: bool) -> Iterator[tuple[str, str]]:
    """The text in pieces: `""` plain, `"sub"`, `"sup"`, or `"var"` for a single letter.

    >>> list(pieces("x_i <= |V|^3", letters=True))
    [('var', 'x'), ('sub', 'i'), ('', ' ≤ |'), ('var', 'V'), ('', '|'), ('sup', '3')]
    >>> list(pieces("the least k, see reduce_scatter", letters=False))
    [('', 'the least k, see reduce_scatter')]
    """
    plain, done = "", 0
    for found in _FORMULA.finditer(text):
        styled = list(_styled(found, letters))
        plain += text[done : found.start()]
        done = found.end()
        for style, piece in styled:
            if not style:
                plain += piece
                continue
            if plain:
                yield "", plain
            plain = ""
            yield style, piece
    if plain + text[done:]:
        yield "", plain + text[done:]


def _styled(found: re.Match[str], letters: bool) -> Iterator[tuple[str, str]]:
    groups = found.groupdict()
    if groups["low"]:
        yield "var" if letters else "", groups["base"]
        yield "sub", _bare(groups["low"])
    elif groups["high"]:
        yield "sup", _bare(groups["high"])
    elif groups["sign"]:
        yield "", _SIGNS[groups["sign"]]
    elif groups["end"]:
        yield "", "∎"
    else:
        yield "var" if letters else "", groups["letter"]


def _bare(index: str) -> str:
    """An index without the braces that hold it together; signs in it are typeset too."""
    if index[0] in "{(":
        index = index[1:-1]
    return re.sub("<->|<=|>=|!=|->", lambda sign: _SIGNS[sign[0]], index).replace("-", "−")
