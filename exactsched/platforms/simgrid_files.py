"""Platforms in SimGrid's XML: an arc for every ordered pair of hosts, with the links of its route.

Read are platforms of version 4: hosts, routers and links in zones, nested to any depth, with the
routing "Full", "Floyd" or "Dijkstra", and clusters without a topology.  Routers are no nodes: they
are inside of the routes.  The links of a route are a set here; their order has no meaning.

Sizes are in bytes and times in seconds, so the cost of a link is 1 / (bytes per second), and the
cost of an arc is that of its narrowest link.  By their `sharing_policy` links are

- SHARED, the default of a link: one link for both directions;
- SPLITDUPLEX, the default in a cluster, once called FULLDUPLEX: the links `id_UP` and `id_DOWN`;
- FATPIPE: a link that limits each flow alone.  Here an arc is one flow, so that every arc has a
  link of its own, `id tail->head`.

Latencies are left out: a series of long messages does not feel them.  So are `prop`, `config`, and
what hosts compute.  Everything else that is not read here is an error with its line.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, NamedTuple
from xml.parsers import expat

from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import exact
from exactsched.model.platform import Platform, SharedLink, one_line

MAX_HOSTS: Final = 2048
MAX_DEPTH: Final = 64
MAX_LINKS_OF_ROUTES: Final = 1 << 23
"""A platform of this size takes a few GB; larger ones are refused while they are read."""

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
_ZONES: Final = ("zone", "AS")
_BEGINNING: Final = 1 << 14  # long enough for the comments before the first element
_SPLIT: Final = ("SPLITDUPLEX", "FULLDUPLEX")
_POLICIES: Final = ("SHARED", "FATPIPE", *_SPLIT)
_OPPOSITE: Final = {"UP": "DOWN", "DOWN": "UP"}


def is_simgrid(written: str) -> bool:
    """Whether the outermost element of a text in XML is that of a SimGrid platform.

    >>> is_simgrid("<!-- mine --><platform version='4.1'/>"), is_simgrid("<graphml/>")
    (True, False)
    """
    tags: list[str] = []
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda tag, _: tags.append(tag)
    with suppress(expat.ExpatError):
        parser.Parse(written[:_BEGINNING].encode("utf-8", "surrogatepass"), False)
    return tags[:1] == ["platform"]


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
    document = _parsed(written)
    if document.tag != "platform":
        raise document.refused(document.tag, "SimGrid's XML is a platform element")
    version = document.read(("version",))["version"]
    if version != "4" and not version.startswith("4."):
        rule = 'version 4 is read; type simgrid_update_xml FILE, which SimGrid has, for "4.1"'
        raise document.refused(version, rule)
    tops = document.children(*_ZONES, "cluster", "config")
    tops = [part for part in tops if part.tag != "config"]
    if len(tops) != 1:
        raise document.refused(len(tops), "a platform has one outermost zone")
    reader = _Reader()
    reader.zone(tops[0], ())
    hosts = reader.hosts
    return Platform(hosts, reader.arcs())


class _Element:
    """An element with its line, which every refusal names."""

    __slots__ = ("attributes", "line", "parts", "tag")

    def __init__(self, tag: str, attributes: dict[str, str], line: int) -> None:
        self.tag = tag
        self.attributes = attributes
        self.line = line
        self.parts: list[_Element] = []

    def refused(self, value: object, rule: str) -> InvalidInput:
        return InvalidInput(f"line {self.line}, {one_line(self.tag)}", value, rule)

    def read(
        self, required: tuple[str, ...], defaults: Mapping[str, str] | None = None
    ) -> dict[str, str]:
        """The attributes; refuses those that are missing or not known."""
        known = dict(defaults or {})
        for name in required:
            if name not in self.attributes:
                raise self.refused(sorted(self.attributes), f'the attribute "{name}" is missing')
        for name in self.attributes:
            if name not in known and name not in required:
                raise self.refused(name, "this attribute is not understood")
        return known | self.attributes

    def children(self, *tags: str) -> list[_Element]:
        """The elements inside, without the properties; refuses those that are not known."""
        for part in self.parts:
            if part.tag != "prop" and part.tag not in tags:
                raise part.refused(part.tag, f"this element is not understood inside {self.tag}")
        return [part for part in self.parts if part.tag != "prop"]

    def choice(self, name: str, value: str, choices: Iterable[str]) -> str:
        if value not in choices:
            raise self.refused(value, f"{name} is {' or '.join(choices)}, others are not read")
        return value

    def link_cost(self, name: str, value: str) -> Fraction:
        match = _NUMBER_AND_UNIT.fullmatch(value.strip())
        number, unit = match.groups() if match else (value, "")
        if unit not in _UNITS:
            rule = f"{name} is a number with a unit, such as 125MBps or 1Gbps"
            raise self.refused(value, rule)
        bandwidth = exact(number, f"line {self.line}, {self.tag}, {name}")
        if bandwidth <= 0:
            raise self.refused(value, f"{name} is positive")
        return 1 / (bandwidth * _UNITS[unit])


class _Step(NamedTuple):
    """A link in a route, and the link that a symmetrical route has in its place."""

    link: str
    other_way: str

    def back(self) -> _Step:
        return _Step(self.other_way, self.link)


class _Way(NamedTuple):
    """A route between two members of a zone; a member that is a zone is left at its gateway."""

    steps: tuple[_Step, ...]
    leave: str
    enter: str

    def back(self) -> _Way:
        return _Way(tuple(step.back() for step in reversed(self.steps)), self.enter, self.leave)


# The last route to every member on its shortest way, and where that begins; None for a tie.
_Tree = dict[str, tuple[str, _Way] | None]


@dataclass
class _Zone:
    element: _Element
    routing: str
    ways: dict[tuple[str, str], _Way] = field(default_factory=dict)
    # In a cluster: the links between a host and the router.
    up: dict[str, tuple[_Step, ...]] = field(default_factory=dict)
    backbone: tuple[_Step, ...] = ()
    shortest: dict[str, _Tree] = field(default_factory=dict)


class _Reader:
    """All zones of a platform, and the routes through them."""

    def __init__(self) -> None:
        self.hosts: list[str] = []
        self.links: dict[str, tuple[str, Fraction]] = {}  # policy and cost
        self.split: set[str] = set()
        self.zones: dict[str, _Zone] = {}
        # The zones around a host, a router or a zone, from the outermost inwards.
        self.around: dict[str, tuple[str, ...]] = {}

    def zone(self, element: _Element, around: tuple[str, ...]) -> None:
        if len(around) == MAX_DEPTH:
            raise element.refused(element.tag, f"at most {MAX_DEPTH} zones are nested")
        if element.tag == "cluster":
            self._cluster(element, around)
            return
        said = element.read(("id", "routing"))
        routing = element.choice("routing", said["routing"], ("Full", "Floyd", "Dijkstra"))
        self._name(element, said["id"], around)
        zone = self.zones[said["id"]] = _Zone(element, routing)
        inside = (*around, said["id"])
        routes = []
        known = (*_ZONES, "cluster", "host", "router", "link", "route", "zoneRoute", "ASroute")
        for part in element.children(*known):
            if part.tag in (*_ZONES, "cluster"):
                self.zone(part, inside)
            elif part.tag == "link":
                self._link(part)
            elif part.tag == "host":
                part.children()
                self._host(part, part.read(("id",), dict.fromkeys(_OF_HOSTS, ""))["id"], inside)
            elif part.tag == "router":
                part.children()
                self._name(part, part.read(("id",))["id"], inside)
            else:
                routes.append(part)
        # Routes may name what stands after them.
        for part in routes:
            self._route(part, zone, inside)

    def _name(self, element: _Element, name: str, around: tuple[str, ...]) -> None:
        if not name:
            raise element.refused(name, "a name is not empty")
        if name in self.around:
            raise element.refused(name, "a host, router or zone of this name is there already")
        self.around[name] = around

    def _host(self, element: _Element, name: str, around: tuple[str, ...]) -> None:
        self._name(element, name, around)
        self.hosts.append(name)
        if len(self.hosts) > MAX_HOSTS:
            raise element.refused(name, f"at most {MAX_HOSTS} hosts are read")

    def _link(self, element: _Element) -> None:
        element.children()
        said = element.read(
            ("id", "bandwidth"), {"latency": "", "sharing_policy": "SHARED", "state": "ON"}
        )
        element.choice("state", said["state"], ("ON",))
        cost = element.link_cost("bandwidth", said["bandwidth"])
        self._add_link(element, said["id"], said["sharing_policy"], cost)

    def _add_link(self, element: _Element, name: str, policy: str, cost: Fraction) -> None:
        element.choice("sharing_policy", policy, _POLICIES)
        split = policy in _SPLIT
        if not name or name in self.split or name in self.links:
            raise element.refused(name, "a link has a name, and a name of its own")
        if split:
            self.split.add(name)
        for full in (f"{name}_UP", f"{name}_DOWN") if split else (name,):
            if full in self.links:
                raise element.refused(full, "a link has a name, and a name of its own")
            self.links[full] = policy, cost

    def _cluster(self, element: _Element, around: tuple[str, ...]) -> None:
        element.children()
        said = element.read(("id", "prefix", "suffix", "radical", "bw"), _OF_CLUSTERS)
        element.choice("topology", said["topology"], ("FLAT",))
        if said["topo_parameters"]:
            raise element.refused(said["topo_parameters"], "a FLAT cluster has no topo_parameters")
        self._name(element, said["id"], around)
        zone = self.zones[said["id"]] = _Zone(element, "cluster")
        inside = (*around, said["id"])
        cost = element.link_cost("bw", said["bw"])
        if said["bb_bw"]:
            name = f"{said['id']}_backbone"
            bandwidth = element.link_cost("bb_bw", said["bb_bw"])
            policy = element.choice("bb_sharing_policy", said["bb_sharing_policy"], _UNSPLIT)
            self._add_link(element, name, policy, bandwidth)
            zone.backbone = (_Step(name, name),)
        for number in _radical(element, said["radical"]):
            host, link = f"{said['prefix']}{number}{said['suffix']}", f"{said['id']}_link_{number}"
            self._host(element, host, inside)
            self._add_link(element, link, said["sharing_policy"], cost)
            split = said["sharing_policy"] in _SPLIT
            zone.up[host] = (_Step(f"{link}_UP", f"{link}_DOWN") if split else _Step(link, link),)
            if said["limiter_link"]:
                limit = element.link_cost("limiter_link", said["limiter_link"])
                self._add_link(element, f"{link}_limiter", "SHARED", limit)
                zone.up[host] += (_Step(f"{link}_limiter", f"{link}_limiter"),)
        router = said["router_id"] or f"{said['prefix']}{said['id']}_router{said['suffix']}"
        self._name(element, router, inside)
        zone.up[router] = ()

    def _route(self, element: _Element, zone: _Zone, inside: tuple[str, ...]) -> None:
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
        steps = tuple(self._step(part) for part in element.children("link_ctn"))
        if not steps:
            raise element.refused(list(ends), "a route has at least one link")
        way = _Way(steps, leave, enter)
        both = said["symmetrical"].upper() == "YES" and ends[0] != ends[1]
        for pair, one in ((ends, way), (ends[::-1], way.back()))[: 2 if both else 1]:
            if pair in zone.ways:
                raise element.refused(list(pair), "this route is given twice; see symmetrical")
            zone.ways[pair] = one

    def _step(self, element: _Element) -> _Step:
        element.children()
        said = element.read(("id",), {"direction": "NONE"})
        name, direction = said["id"], said["direction"]
        if name not in self.split and name not in self.links:
            raise element.refused(name, "there is no link of this name")
        split = name in self.split
        element.choice("direction", direction, ("UP", "DOWN") if split else ("NONE",))
        # One half of a link, named as `id_UP`, is that half both ways.
        if not split:
            return _Step(name, name)
        return _Step(f"{name}_{direction}", f"{name}_{_OPPOSITE[direction]}")

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
            policy, cost = self.links[name]
            full = name
            if policy == "FATPIPE":
                full = f"{name} {tail}->{head}"
                if full in self.links:
                    rule = "this link has the name of a part of a FATPIPE"
                    raise self._between(tail, head).refused(full, rule)
            if full in route:
                rule = f"the route {one_line(tail)}->{one_line(head)} uses this link twice"
                raise self._between(tail, head).refused(full, rule)
            route[full] = cost
        return tuple(SharedLink(name, cost) for name, cost in route.items())

    def _between(self, tail: str, head: str) -> _Element:
        return self.zones[self._meeting(tail, head)].element

    def _meeting(self, tail: str, head: str) -> str:
        """The innermost zone around both."""
        pairs = zip(self.around[tail], self.around[head], strict=False)
        return [one for one, other in pairs if one == other][-1]

    def _steps(self, tail: str, head: str) -> tuple[_Step, ...]:
        """The links from a host or router to another one: out of zones, across, into zones."""
        if tail == head:
            return ()
        name = self._meeting(tail, head)
        zone, depth = self.zones[name], self.around[tail].index(name) + 1
        ends = [(*self.around[end], end)[depth] for end in (tail, head)]
        way = _way(zone, ends[0], ends[1])
        if way is None:
            pair = f"{one_line(ends[0])}->{one_line(ends[1])}"
            raise zone.element.refused(pair, f"the zone {one_line(name)} has no such route")
        return self._steps(tail, way.leave) + way.steps + self._steps(way.enter, head)


_OF_HOSTS: Final = ("speed", "core", "pstate")
_UNSPLIT: Final = ("SHARED", "FATPIPE")
_OF_CLUSTERS: Final = dict.fromkeys(
    (
        *("speed", "core", "lat", "bb_bw", "bb_lat", "limiter_link", "loopback_bw"),
        *("loopback_lat", "router_id", "topo_parameters"),
    ),
    "",
) | {"topology": "FLAT", "sharing_policy": "SPLITDUPLEX", "bb_sharing_policy": "SHARED"}


def _way(zone: _Zone, tail: str, head: str) -> _Way | None:
    if zone.routing == "Full":
        return zone.ways.get((tail, head))
    if zone.routing == "cluster":
        down = tuple(step.back() for step in reversed(zone.up[head]))
        return _Way(zone.up[tail] + zone.backbone + down, tail, head)
    if tail not in zone.shortest:
        zone.shortest[tail] = _shortest(zone, tail)
    back: list[_Way] = []
    member = head
    while member != tail:
        if member not in zone.shortest[tail]:
            return None
        last = zone.shortest[tail][member]
        if last is None:
            rule = f"{zone.routing} would choose between routes with equally many links; use Full"
            raise zone.element.refused(f"{one_line(tail)}->{one_line(head)}", rule)
        member, way = last
        back.append(way)
    return _Way(tuple(step for way in reversed(back) for step in way.steps), tail, head)


def _shortest(zone: _Zone, source: str) -> _Tree:
    """The routes from a member with the fewest links, as Dijkstra finds them."""
    leaving: dict[str, list[tuple[str, _Way]]] = {}
    for (tail, head), way in zone.ways.items():
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


def _radical(element: _Element, written: str) -> list[int]:
    """The numbers in a text such as "0-3,7".

    >>> _radical(_Element("cluster", {}, 1), "0-2,7")
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


def _parsed(written: str) -> _Element:
    """The elements with their lines; entities are not declared, and there is no text."""
    top: list[_Element] = []
    around: list[_Element] = []

    def start(tag: str, attributes: dict[str, str]) -> None:
        element = _Element(tag, attributes, parser.CurrentLineNumber)
        (around[-1].parts if around else top).append(element)
        around.append(element)

    def end(_: str) -> None:
        around.pop()

    def text(data: str) -> None:
        if data.strip():
            place = f"line {parser.CurrentLineNumber}"
            raise InvalidInput(place, data, "there is no text between elements")

    def refuse(name: str, *_: object) -> None:
        rule = "entities are not expanded"
        raise InvalidInput(f"line {parser.CurrentLineNumber}, entity", name, rule)

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.EntityDeclHandler = refuse
    parser.SkippedEntityHandler = refuse
    try:
        parser.Parse(written.encode("utf-8", "surrogatepass"), True)
    except expat.ExpatError as error:
        place = f"line {error.lineno}, column {error.offset + 1}"
        reason = expat.errors.messages[error.code]
        raise InvalidInput(place, reason, "not XML, or only a part of it") from error
    return top[0]
