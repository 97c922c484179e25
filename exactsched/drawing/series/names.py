"""Names of nodes for tight places: without what all of them have in common, if they are long."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from exactsched.drawing.lettering import printable
from exactsched.model.platform import Node, Platform

_LONG = 12
_WORTH = 4
_MOST = 24


def short_names(platform: Platform) -> tuple[Mapping[Node, str], str]:
    """A short printable name for every node, and a note that says what was left out, if anything.

    Names of up to 12 characters stay as they are.

    >>> hosts = Platform(["host-a.example.org", "host-b.example.org"], [])
    >>> short_names(hosts)[0]["host-b.example.org"]
    'b'
    >>> short_names(Platform(["a", "b"], []))
    ({'a': 'a', 'b': 'b'}, '')
    """
    names = [str(node)[:4000] for node in platform.nodes]
    if len(names) < 2 or max(map(len, names)) <= _LONG:
        return dict(zip(platform.nodes, _cut(names), strict=True)), ""
    before = _common(names)
    # What is left may not overlap, and is not empty: the shortest name decides.
    after = _common([name[before:][::-1] for name in names])
    before = before if before >= _WORTH else 0
    after = after if after >= _WORTH else 0
    least = min(map(len, names))
    after = min(after, max(0, least - before - 1))
    before = min(before, max(0, least - after - 1))
    rest = _cut([name[before : len(name) - after] for name in names])
    shown = dict(zip(platform.nodes, rest, strict=True))
    left_out = []
    if before:
        left_out.append(f"\u201c{printable(names[0][:before], 40)}\u201d before")
    if after:
        left_out.append(f"\u201c{printable(names[0][len(names[0]) - after :], 40)}\u201d after")
    note = f"Names are written without {' and '.join(left_out)} them." if left_out else ""
    return shown, note


def _cut(names: list[str]) -> list[str]:
    """Printable names of at most 24 letters; those that would be alike keep their ends."""
    cut = [printable(name, _MOST) for name in names]
    alike = Counter(cut)
    return [
        printable(f"{name[:11]}\u2026{name[-12:]}", _MOST)
        if alike[short] > 1 and len(name) > _MOST
        else short
        for name, short in zip(names, cut, strict=True)
    ]


def _common(names: list[str]) -> int:
    """How many letters all of them begin with."""
    first, last = min(names), max(names)
    pairs = zip(first, last, strict=False)
    return next((index for index, (a, b) in enumerate(pairs) if a != b), len(first))
