"""The links of a platform in SimGrid's XML, and routes as steps over them.

By their `sharing_policy` links are

- SHARED, the default of a link: one link for both directions;
- SPLITDUPLEX, the default in a cluster, once called FULLDUPLEX: the links `id_UP` and `id_DOWN`;
- FATPIPE: a link that limits each flow alone.  Here an arc is one flow, so that every arc has a
  link of its own, `id tail->head`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Final, NamedTuple

from exactsched.exact.exact_xml import Element
from exactsched.exact.rational import exact

MAX_LINKS: Final = 1 << 22

SPLIT: Final = ("SPLITDUPLEX", "FULLDUPLEX")
POLICIES: Final = ("SHARED", "FATPIPE", *SPLIT)

_RATIOS: Final = {"": 1} | {
    prefix + more: base ** (power + 1)
    for more, base in (("", 1000), ("i", 1024))
    for power, prefix in enumerate("kMGTPE" if base == 1000 else "KMGTPE")
}
_UNITS: Final = {
    ratio + unit: Fraction(times, bits)
    for ratio, times in _RATIOS.items()
    for unit, bits in (("Bps", 1), ("bps", 8))
}
_NUMBER_AND_UNIT: Final = re.compile(r"(.*?)([A-Za-z]*)", re.DOTALL)
_OPPOSITE: Final = {"UP": "DOWN", "DOWN": "UP"}


class Step(NamedTuple):
    """A link in a route, and the link that a symmetrical route has in its place."""

    link: str
    other_way: str

    def back(self) -> Step:
        return Step(self.other_way, self.link)


def turned(steps: Iterable[Step]) -> tuple[Step, ...]:
    """The steps of the symmetrical route.

    >>> turned([Step("l", "l"), Step("m_UP", "m_DOWN")])
    (Step(link='m_DOWN', other_way='m_UP'), Step(link='l', other_way='l'))
    """
    return tuple([step.back() for step in steps][::-1])


class Links:
    """All links by name, with policy and cost."""

    def __init__(self) -> None:
        self.known: dict[str, tuple[str, Fraction]] = {}
        self.split: set[str] = set()

    def add(self, element: Element, name: str, policy: str, cost: Fraction) -> Step:
        """A new link, as a step over it, upwards if it is split."""
        split = policy in SPLIT
        step = Step(f"{name}_UP", f"{name}_DOWN") if split else Step(name, name)
        for full in (name, *step):
            if not full or full in self.known or full in self.split:
                raise element.refused(full, "a link has a name, and a name of its own")
        if len(self.known) >= MAX_LINKS:
            raise element.refused(name, f"at most {MAX_LINKS} links are read")
        self.split.update([name] if split else [])
        self.known |= dict.fromkeys(step, (policy, cost))
        return step

    def read(self, element: Element) -> None:
        """The link that an element `link` describes."""
        element.children(ignored="prop")
        said = element.read(
            ("id", "bandwidth"), {"latency": "", "sharing_policy": "SHARED", "state": "ON"}
        )
        element.choice("state", said["state"], ("ON",))
        element.choice("sharing_policy", said["sharing_policy"], POLICIES)
        cost = link_cost(element, "bandwidth", said["bandwidth"])
        self.add(element, said["id"], said["sharing_policy"], cost)

    def step(self, element: Element) -> Step:
        """The step that an element `link_ctn` describes."""
        element.children(ignored="prop")
        said = element.read(("id",), {"direction": "NONE"})
        name, direction = said["id"], said["direction"]
        if name not in self.split and name not in self.known:
            raise element.refused(name, "there is no link of this name")
        split = name in self.split
        element.choice("direction", direction, ("UP", "DOWN") if split else ("NONE",))
        # One half of a link, named as `id_UP`, is that half both ways.
        if not split:
            return Step(name, name)
        return Step(f"{name}_{direction}", f"{name}_{_OPPOSITE[direction]}")


def link_cost(element: Element, name: str, value: str) -> Fraction:
    """The cost of a link of a bandwidth with a unit, in seconds per byte.

    >>> link_cost(Element("link", {}, 1), "bandwidth", "8kbps")
    Fraction(1, 1000)
    """
    match = _NUMBER_AND_UNIT.fullmatch(value.strip())
    number, unit = match.groups() if match else (value, "")
    if unit not in _UNITS:
        raise element.refused(value, f"{name} is a number with a unit, such as 125MBps or 1Gbps")
    bandwidth = exact(number, f"{element.place}, {name}")
    if bandwidth <= 0:
        raise element.refused(value, f"{name} is positive")
    return 1 / (bandwidth * _UNITS[unit])
