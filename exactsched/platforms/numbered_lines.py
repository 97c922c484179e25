"""Links that stand in lines of a file: what is wrong with one of them names its line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from exactsched.exact.errors import InvalidInput
from exactsched.model.platform import Platform
from exactsched.platforms.attributes import Link, platform_of

Nodes = Mapping[Any, Mapping[Any, Any]]
_INDEX = re.compile(r"^arc \d+ \((.*)\)")


class Lined(NamedTuple):
    """A link, and the line that it stands in."""

    line: int
    link: Link


def platform_of_lines(nodes: Nodes, lined: Sequence[Lined]) -> Platform:
    """The platform of nodes with their attributes, and of links; ends are nodes as well.

    Raises `InvalidInput` as `platform_of` does, with the line of the link in front.

    >>> print(platform_of_lines({}, [Lined(2, Link("a", "b", False, {"cost": "1/2"}))]))
    Platform(2 nodes, 2 arcs)
    """
    ends = (end for _, link in lined for end in (link.tail, link.head))
    everyone = dict(nodes) | {end: nodes.get(end, {}) for end in ends}
    try:
        return platform_of(everyone.items(), [link for _, link in lined])
    except InvalidInput:
        _refuse_a_line(lined)
        raise


def _refuse_a_line(lined: Iterable[Lined]) -> None:
    """Raises the error of the first link that is wrong by itself, or given before."""
    before: dict[tuple[Any, Any], int] = {}
    for line, link in lined:
        try:
            platform_of([(end, {}) for end in dict.fromkeys((link.tail, link.head))], [link])
        except InvalidInput as error:
            place = _INDEX.sub(r"arc \1", error.place)
            raise InvalidInput(f"line {line}, {place}", error.value, error.rule) from None
        ways = [(link.tail, link.head), (link.head, link.tail)]
        for way in ways[: 1 if link.directed else 2]:
            if way in before:
                rule = f"this arc stands in line {before[way]} already"
                raise InvalidInput(f"line {line}", f"{way[0]}->{way[1]}", rule)
            before[way] = line
