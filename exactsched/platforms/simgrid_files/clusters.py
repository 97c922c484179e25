"""The element `cluster` of SimGrid's XML: equal hosts, and the links of a topology among them.

Links have the names that SimGrid gives them, and routes are those of SimGrid's own static routing,
for pairs of different hosts; a loopback is on none of them.  In FLAT clusters a route goes over the
links of both hosts, and over the backbone if there is one.  The other topologies are in
`topologies`.

Reference: SimGrid's manual, "Describing the virtual platform", and its version 3.32.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from exactsched.exact.errors import InvalidInput
from exactsched.exact.exact_xml import Element
from exactsched.platforms.simgrid_files.links import SPLIT, Links, Step, link_cost, turned
from exactsched.platforms.simgrid_files.topologies import (
    Counters,
    Dragonfly,
    FatTree,
    Topology,
    Torus,
)

MAX_HOSTS: Final = 2048

_TOPOLOGIES: Final[dict[str, type[Topology]]] = {
    "TORUS": Torus,
    "FAT_TREE": FatTree,
    "DRAGONFLY": Dragonfly,
}
_UNSPLIT: Final = ("SHARED", "FATPIPE")
_DEFAULTS: Final = dict.fromkeys(
    (
        *("speed", "core", "lat", "bb_bw", "bb_lat", "limiter_link", "loopback_bw"),
        *("loopback_lat", "router_id", "topo_parameters", "bb_sharing_policy"),
    ),
    "",
) | {"topology": "FLAT", "sharing_policy": "SPLITDUPLEX"}


class Cluster:
    """Hosts, by name with their numbers in `radical`, a router if the cluster is FLAT, and links.

    Raises `InvalidInput` for what SimGrid refuses or does not heed, and where the topology has more
    hosts than `radical` names, or fewer.
    """

    def __init__(self, element: Element, links: Links, counters: Counters) -> None:
        element.children(ignored="prop")
        said = element.read(("id", "prefix", "suffix", "radical", "bw"), _DEFAULTS)
        topology = element.choice("topology", said["topology"], ("FLAT", *_TOPOLOGIES))
        # SimGrid itself shares the links of a cluster that asks for FATPIPE.
        element.choice("sharing_policy", said["sharing_policy"], ("SHARED", *SPLIT))
        self.element, self.links, self.said = element, links, said
        self.cost = link_cost(element, "bw", said["bw"])
        numbers = _radical(element, said["radical"])
        self.hosts = {f"{said['prefix']}{n}{said['suffix']}": n for n in numbers}
        if len(self.hosts) < len(numbers):
            raise element.refused(said["radical"], "a number stands in radical once")
        self.router = ""
        self.steps = self._flat() if topology == "FLAT" else self._with_topology(counters)

    def link(self, name: str, times: int = 1) -> Step:
        """A new link, with this multiple of the bandwidth of the cluster's links."""
        return self.links.add(self.element, name, self.said["sharing_policy"], self.cost / times)

    def limiter(self, number: int) -> tuple[Step, ...]:
        """A link that all messages of a host or switch share, or none if there are no limiters."""
        return self._own(number, "limiter", "limiter_link", "SHARED")

    def refused(self, name: str, rule: str) -> InvalidInput:
        return self.element.refused(self.said[name], rule)

    def _own(self, number: int, kind: str, attribute: str, policy: str) -> tuple[Step, ...]:
        if not self.said[attribute]:
            return ()
        cost = link_cost(self.element, attribute, self.said[attribute])
        name = f"{self.said['id']}_link_{number}_{kind}"
        return (self.links.add(self.element, name, policy, cost),)

    def _flat(self) -> Callable[[str, str], tuple[Step, ...]]:
        said = self.said
        if said["topo_parameters"]:
            raise self.refused("topo_parameters", "a FLAT cluster has no topo_parameters")
        backbone: tuple[Step, ...] = ()
        if said["bb_bw"]:
            shared = said["bb_sharing_policy"] or "SHARED"
            self.element.choice("bb_sharing_policy", shared, _UNSPLIT)
            cost = link_cost(self.element, "bb_bw", said["bb_bw"])
            backbone = (self.links.add(self.element, f"{said['id']}_backbone", shared, cost),)
        self.router = said["router_id"] or f"{said['prefix']}{said['id']}_router{said['suffix']}"
        up: dict[str, tuple[Step, ...]] = {self.router: ()}
        for host, number in self.hosts.items():
            self._own(number, "loopback", "loopback_bw", "FATPIPE")
            limiter = self.limiter(number)
            up[host] = (*limiter, self.link(f"{said['id']}_link_{number}"))
        return lambda tail, head: up[tail] + backbone + turned(up[head])

    def _with_topology(self, counters: Counters) -> Callable[[str, str], tuple[Step, ...]]:
        for name in ("bb_bw", "bb_lat", "bb_sharing_policy", "router_id"):
            if self.said[name]:
                rule = f"{name} is for FLAT clusters: a {self.said['topology']} has no such thing"
                raise self.refused(name, rule)
        for number in self.hosts.values():
            self._own(number, "loopback", "loopback_bw", "FATPIPE")
        topology = _TOPOLOGIES[self.said["topology"]](self, counters)
        position = {host: index for index, host in enumerate(self.hosts)}
        return lambda tail, head: tuple(topology.route(position[tail], position[head]))


def _radical(element: Element, written: str) -> list[int]:
    """The numbers in a text such as "0-3,7".

    >>> _radical(Element("cluster", {}, 1), "0-2,7")
    [0, 1, 2, 7]
    """
    numbers: list[int] = []
    for piece in written.split(","):
        match = re.fullmatch(r"\s*([0-9]{1,9})\s*(?:-\s*([0-9]{1,9})\s*)?", piece)
        if match is None:
            raise element.refused(written, 'radical is a list of numbers such as "0-3,7"')
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first or last - first >= MAX_HOSTS:
            rule = f"a range in radical goes upwards, and over at most {MAX_HOSTS} hosts"
            raise element.refused(piece, rule)
        numbers += range(first, last + 1)
        if len(numbers) > MAX_HOSTS:
            raise element.refused(written, f"at most {MAX_HOSTS} hosts are read")
    return numbers
