"""Names of nodes for tight places: without what all of them have in common, if they are long."""

from __future__ import annotations

from collections.abc import Mapping

from exactsched.drawing.lettering import printable
from exactsched.model.platform import Node, Platform

_LONG = 12
_WORTH = 4


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
        return {node: printable(node, 24) for node in platform.nodes}, ""
    before = _common(names)
    # What is left may not overlap, and is not empty: the shortest name decides.
    after = _common([name[before:][::-1] for name in names])
    before = before if before >= _WORTH else 0
    after = after if after >= _WORTH else 0
    least = min(map(len, names))
    after = min(after, max(0, least - before - 1))
    before = min(before, max(0, least - after - 1))
    shown = {
        node: printable(name[before : len(name) - after], 24)
        for node, name in zip(platform.nodes, names, strict=True)
    }
    left_out = []
    if before:
        left_out.append(f"\u201c{printable(names[0][:before], 40)}\u201d before")
    if after:
        left_out.append(f"\u201c{printable(names[0][len(names[0]) - after :], 40)}\u201d after")
    note = f"Names are written without {' and '.join(left_out)} them." if left_out else ""
    return shown, note


def _common(names: list[str]) -> int:
    """How many letters all of them begin with."""
    first, last = min(names), max(names)
    pairs = zip(first, last, strict=False)
    return next((index for index, (a, b) in enumerate(pairs) if a != b), len(first))
