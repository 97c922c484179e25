"""SimGrid's XML, from the outermost element to a platform."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from exactsched.exact.errors import InvalidInput
from exactsched.exact.exact_xml import Element, read_xml
from exactsched.model.platform import Platform, SharedLink, one_line
from exactsched.platforms.simgrid_files.clusters import MAX_HOSTS, Cluster
from exactsched.platforms.simgrid_files.links import Links, Step
from exactsched.platforms.simgrid_files.topologies import Counters
from exactsched.platforms.simgrid_files.zones import ClusterZone, Way, Zone

MAX_DEPTH: Final = 64
MAX_LINKS_OF_ROUTES: Final = 1 << 23
"""A platform of this size takes a few GB; larger ones are refused while they are read."""

_ZONES: Final = ("zone", "AS")
_OF_HOSTS: Final = ("speed", "core", "pstate")


def read_simgrid(written: str) -> Platform:
    """The platform that a text in SimGrid's XML describes; its nodes are the hosts, in order.

    Raises `InvalidInput` that names line and element: for what is not understood, for names given
    twice or not at all, for pairs of hosts without a route, for routes over no link or over one
    twice, and where "Floyd" or "Dijkstra" have to choose between routes of equal length.

    Time and memory are linear in the links of all routes, at most `MAX_LINKS_OF_ROUTES`; "Floyd"
    and "Dijkstra" take one search through their zone for each of its members.

    Reference: the manual of SimGrid, "Describing the virtual platform".

    >>> platform = read_simgrid('''<platform version="4.1"><zone id="z" routing="Full">
    ...     <host id="a" speed="1Gf"/><host id="b" speed="1Gf"/>
    ...     <link id="wire" bandwidth="8kbps" latency="1us"/>
    ...     <route src="a" dst="b"><link_ctn id="wire"/></route></zone></platform>''')
    >>> [(str(arc), arc.cost, arc.route[0].name) for arc in platform.arcs]
    [('a->b', Fraction(1, 1000), 'wire'), ('b->a', Fraction(1, 1000), 'wire')]
    """
    document = read_xml(written)
    if document.tag != "platform":
        raise document.refused(document.tag, "SimGrid's XML is a platform element")
    version = document.read(("version",))["version"]
    if version != "4" and not version.startswith("4."):
        rule = 'version 4 is read; type simgrid_update_xml FILE, which SimGrid has, for "4.1"'
        raise document.refused(version, rule)
    tops = document.children(*_ZONES, "cluster", ignored="config")
    if len(tops) != 1:
        raise document.refused(len(tops), "a platform has one outermost zone")
    reader = _Reader()
    reader.zone(tops[0], ())
    return Platform(reader.hosts, reader.arcs())


class _Reader:
    """All zones of a platform, and the routes through them."""

    def __init__(self) -> None:
        self.hosts: list[str] = []
        self.links = Links()
        self.counters = Counters()
        self.zones: dict[str, Zone] = {}
        # The zones around a host, a router or a zone, from the outermost inwards.
        self.around: dict[str, tuple[str, ...]] = {}

    def zone(self, element: Element, around: tuple[str, ...]) -> None:
        if len(around) == MAX_DEPTH:
            raise element.refused(element.tag, f"at most {MAX_DEPTH} zones are nested")
        if element.tag == "cluster":
            self._cluster(element, around)
            return
        said = element.read(("id", "routing"))
        routing = element.choice("routing", said["routing"], ("Full", "Floyd", "Dijkstra"))
        self._name(element, said["id"], around)
        zone = self.zones[said["id"]] = Zone(element, routing)
        inside = (*around, said["id"])
        routes = []
        known = (*_ZONES, "cluster", "host", "router", "link", "route", "zoneRoute", "ASroute")
        for part in element.children(*known, ignored="prop"):
            if part.tag in (*_ZONES, "cluster"):
                self.zone(part, inside)
            elif part.tag == "link":
                self.links.read(part)
            elif part.tag == "host":
                part.children(ignored="prop")
                self._host(part, part.read(("id",), dict.fromkeys(_OF_HOSTS, ""))["id"], inside)
            elif part.tag == "router":
                part.children(ignored="prop")
                self._name(part, part.read(("id",))["id"], inside)
            else:
                routes.append(part)
        # Routes may name what stands after them.
        for part in routes:
            self._route(part, zone, inside)

    def _name(self, element: Element, name: str, around: tuple[str, ...]) -> None:
        if not name:
            raise element.refused(name, "a name is not empty")
        if name in self.around:
            raise element.refused(name, "a host, router or zone of this name is there already")
        self.around[name] = around

    def _host(self, element: Element, name: str, around: tuple[str, ...]) -> None:
        self._name(element, name, around)
        self.hosts.append(name)
        if len(self.hosts) > MAX_HOSTS:
            raise element.refused(name, f"at most {MAX_HOSTS} hosts are read")

    def _cluster(self, element: Element, around: tuple[str, ...]) -> None:
        cluster = Cluster(element, self.links, self.counters)
        name = cluster.said["id"]
        self._name(element, name, around)
        self.zones[name] = ClusterZone(element, steps=cluster.steps)
        inside = (*around, name)
        for host in cluster.hosts:
            self._host(element, host, inside)
        if cluster.router:
            self._name(element, cluster.router, inside)

    def _route(self, element: Element, zone: Zone, inside: tuple[str, ...]) -> None:
        gateways = () if element.tag == "route" else ("gw_src", "gw_dst")
        said = element.read(("src", "dst", *gateways), {"symmetrical": "YES"})
        ends = said["src"], said["dst"]
        element.choice("symmetrical", said["symmetrical"], ("YES", "NO", "yes", "no"))
        for end in ends:
            if self.around.get(end) != inside:
                raise element.refused(end, f"{one_line(inside[-1])} has no member of this name")
            if (end in self.zones) != bool(gateways):
                rule = "a route connects hosts and routers, a zoneRoute zones"
                raise element.refused(end, rule)
        if gateways and zone.routing != "Full":
            raise element.refused(zone.routing, "routes between zones are read in Full zones only")
        leave, enter = (said["gw_src"], said["gw_dst"]) if gateways else ends
        for end, gateway in zip(ends, (leave, enter), strict=True):
            if gateways and (gateway in self.zones or end not in self.around.get(gateway, ())):
                raise element.refused(gateway, f"a gateway is a host or router in {one_line(end)}")
        steps = tuple(
            [self.links.step(part) for part in element.children("link_ctn", ignored="prop")]
        )
        if not steps:
            raise element.refused(list(ends), "a route has at least one link")
        way = Way(steps, leave, enter)
        both = said["symmetrical"].upper() == "YES" and ends[0] != ends[1]
        for pair, one in ((ends, way), (ends[::-1], way.back()))[: 2 if both else 1]:
            if pair in zone.ways:
                raise element.refused(list(pair), "this route is given twice; see symmetrical")
            zone.ways[pair] = one

    def arcs(self) -> Iterator[tuple[str, str, Fraction, int, tuple[SharedLink, ...]]]:
        """One for every ordered pair of hosts."""
        total = 0
        for tail in self.hosts:
            for head in self.hosts:
                if tail == head:
                    continue
                route = self._links_of(tail, head)
                total += len(route)
                if total > MAX_LINKS_OF_ROUTES:
                    rule = f"all routes together have at most {MAX_LINKS_OF_ROUTES} links"
                    raise InvalidInput("routes", total, rule)
                yield tail, head, max(link.cost for link in route), 0, route

    def _links_of(self, tail: str, head: str) -> tuple[SharedLink, ...]:
        route: dict[str, Fraction] = {}
        for name, _ in self._steps(tail, head):
            policy, cost = self.links.known[name]
            full = name
            if policy == "FATPIPE":
                full = f"{name} {tail}->{head}"
                if full in self.links.known:
                    rule = "this link has the name of a part of a FATPIPE"
                    raise self._between(tail, head).refused(full, rule)
            if full in route:
                rule = f"the route {one_line(tail)}->{one_line(head)} uses this link twice"
                raise self._between(tail, head).refused(full, rule)
            route[full] = cost
        return tuple(SharedLink(name, cost) for name, cost in route.items())

    def _between(self, tail: str, head: str) -> Element:
        return self.zones[self._meeting(tail, head)].element

    def _meeting(self, tail: str, head: str) -> str:
        """The innermost zone around both."""
        pairs = zip(self.around[tail], self.around[head], strict=False)
        return [one for one, other in pairs if one == other][-1]

    def _steps(self, tail: str, head: str) -> tuple[Step, ...]:
        """The links from a host or router to another one: out of zones, across, into zones."""
        if tail == head:
            return ()
        name = self._meeting(tail, head)
        zone, depth = self.zones[name], self.around[tail].index(name) + 1
        ends = [(*self.around[end], end)[depth] for end in (tail, head)]
        way = zone.way(ends[0], ends[1])
        if way is None:
            pair = f"{one_line(ends[0])}->{one_line(ends[1])}"
            raise zone.element.refused(pair, f"the zone {one_line(name)} has no such route")
        return self._steps(tail, way.leave) + way.steps + self._steps(way.enter, head)
