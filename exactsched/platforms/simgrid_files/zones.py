"""Zones of SimGrid's platforms with routes of their own: Full, Floyd, Dijkstra, and clusters."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from exactsched.exact.exact_xml import Element
from exactsched.model.platform import one_line
from exactsched.platforms.simgrid_files.links import Step, turned


class Way(NamedTuple):
    """A route between two members of a zone; a member that is a zone is left at its gateway."""

    steps: tuple[Step, ...]
    leave: str
    enter: str

    def back(self) -> Way:
        return Way(turned(self.steps), self.enter, self.leave)


# The last route to every member on its shortest way, and where that begins; None for a tie.
_Tree = dict[str, tuple[str, Way] | None]


@dataclass
class Zone:
    """A zone, its routing, and the routes that its element lists."""

    element: Element
    routing: str
    ways: dict[tuple[str, str], Way] = field(default_factory=dict)
    shortest: dict[str, _Tree] = field(default_factory=dict)

    def way(self, tail: str, head: str) -> Way | None:
        """The route from a member to another one, if there is one.

        Raises `InvalidInput` where "Floyd" or "Dijkstra" would have to choose.
        """
        if self.routing == "Full":
            return self.ways.get((tail, head))
        if tail not in self.shortest:
            self.shortest[tail] = _shortest(self.ways, tail)
        back: list[Way] = []
        member = head
        while member != tail:
            if member not in self.shortest[tail]:
                return None
            last = self.shortest[tail][member]
            if last is None:
                rule = "would choose between routes with equally many links; use Full"
                pair = f"{one_line(tail)}->{one_line(head)}"
                raise self.element.refused(pair, f"{self.routing} {rule}")
            member, way = last
            back.append(way)
        return Way(tuple([step for way in back[::-1] for step in way.steps]), tail, head)


@dataclass
class ClusterZone(Zone):
    """A cluster as a zone: `steps` gives the links between two hosts, or a host and the router."""

    routing: str = "cluster"
    steps: Callable[[str, str], tuple[Step, ...]] = field(kw_only=True)

    def way(self, tail: str, head: str) -> Way:
        return Way(self.steps(tail, head), tail, head)


def _shortest(ways: dict[tuple[str, str], Way], source: str) -> _Tree:
    """The routes from a member with the fewest links, as Dijkstra finds them."""
    leaving: dict[str, list[tuple[str, Way]]] = {}
    for (tail, head), way in ways.items():
        leaving.setdefault(tail, []).append((head, way))
    found: _Tree = {}
    distance = {source: 0}
    waiting = [(0, source)]
    while waiting:
        length, tail = heapq.heappop(waiting)
        if length > distance[tail]:
            continue
        for head, way in leaving.get(tail, ()):
            through = length + len(way.steps)
            if head not in distance or through < distance[head]:
                distance[head] = through
                found[head] = tail, way
                heapq.heappush(waiting, (through, head))
            elif through == distance[head]:
                found[head] = None
    return found
