"""Platforms from outside and back: networkx graphs, node-link JSON and GraphML files.

The three forms share one reading.  An arc has an attribute ``cost`` (time per unit-size message)
and may have a ``latency``; an undirected link stands for two arcs.  An attribute ``route`` lists
the shared links of the arc, pairs of a name and a cost; in GraphML it is the same list as text.
Node attributes that are exact numbers, or text that writes one, become node data; ``role`` "switch"
makes a node one that only forwards, and "compute" is what all others are.  Other attributes of
nodes and arcs (labels, colors) have no meaning here and are left out.  Two are errors: a
``compute`` that is not a number, and a node attribute that is a number but not an exact one, such
as a `float`.

Numbers in files are taken from their literal text, so 0.1 in a file is one tenth.  The files are
read here, not by networkx, which would turn 0.1 into a float, keep only the last of several
arcs with the same ends, and invent the nodes that an arc mentions.

SimGrid's XML has a reading of its own, `exactsched.platforms.simgrid_files`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from numbers import Number
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

from exactsched.exact.atomic_files import write_whole
from exactsched.exact.errors import InvalidInput
from exactsched.exact.exact_json import Decimal, file_text, parsed_json, shown_path
from exactsched.exact.exact_xml import outermost_tag
from exactsched.exact.rational import exact, text, to_json
from exactsched.model.platform import Arc, Node, Platform, both_ways
from exactsched.platforms import built_in as topologies
from exactsched.platforms.simgrid_files.reader import read_simgrid

MAX_BYTES = 1 << 28
"""Larger files are refused; a platform of a million arcs takes about a third of this."""

_GRAPHML = "http://graphml.graphdrawing.org/xmlns"
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class _Link(NamedTuple):
    tail: Any
    head: Any
    directed: bool
    attributes: Mapping[Any, Any]

    @property
    def route(self) -> object:
        """The attribute `route`, a list or the text of one."""
        given = self.attributes.get("route", ())
        place = f"arc {self}, route"
        route = parsed_json(given, place) if type(given) is str else given
        if not isinstance(route, (tuple, list)):
            raise InvalidInput(place, given, "a route is a list of links, [name, cost]")
        return route

    @property
    def cost(self) -> object:
        """The attribute `cost`, or 1 / `bandwidth`."""
        if "bandwidth" not in self.attributes:
            return self.attributes["cost"]
        if "cost" in self.attributes:
            rule = "an arc has a cost or a bandwidth, which is 1 / cost, not both"
            raise InvalidInput(f"arc {self}", "bandwidth", rule)
        bandwidth = exact(self.attributes["bandwidth"], f"arc {self}, bandwidth")
        if bandwidth <= 0:
            raise InvalidInput(f"arc {self}, bandwidth", text(bandwidth), "a bandwidth is positive")
        return 1 / bandwidth

    def __str__(self) -> str:
        return f"{_short(self.tail)}->{_short(self.head)}"


def from_networkx(graph: Any) -> Platform:
    """The platform of a networkx graph of any of its four classes.

    Arcs come in the order of `graph.edges`.  Raises `InvalidInput` for an arc without a cost (it
    is named), for parallel arcs, loops, floats, and whatever else a `Platform` refuses.

    >>> import networkx
    >>> graph = networkx.Graph()
    >>> graph.add_edge("a", "b", cost="1/2")
    >>> [str(arc) for arc in from_networkx(graph).arcs]
    ['a->b', 'b->a']
    """
    directed = graph.is_directed()
    return _platform(
        list(graph.nodes(data=True)),
        [_Link(tail, head, directed, data) for tail, head, data in graph.edges(data=True)],
    )


def to_networkx(platform: Platform) -> Any:
    """The `networkx.DiGraph` of a platform; all numbers are text in canonical digits.

    Arcs have ``cost`` and ``latency``, and ``route`` if there is one, nodes their data.
    `from_networkx` gives the platform back, with the arcs grouped by their tails.

    >>> to_networkx(Platform(["a", "b"], [("a", "b", "0.5")])).edges["a", "b"]
    {'cost': '1/2', 'latency': '0'}
    """
    import networkx

    graph = networkx.DiGraph()
    for node in platform.nodes:
        data = platform.node_data.get(node, {})
        graph.add_node(node)
        graph.nodes[node].update((name, text(value)) for name, value in data.items())
        if node in platform.switches:
            graph.nodes[node]["role"] = "switch"
    for arc in platform.arcs:
        graph.add_edge(arc.tail, arc.head, cost=text(arc.cost), latency=text(arc.latency))
        if arc.route:
            graph.edges[arc.tail, arc.head]["route"] = _route(arc)
    return graph


def load_platform(name_or_path: str) -> Platform:
    """The platform that a user names: a built-in one (see `topologies.catalog`), or a file.

    A built-in name wins over a file of the same name; write ``./ring`` for the file.

    >>> load_platform("ring:6")
    Platform(6 nodes, 12 arcs)
    """
    if topologies.is_built_in(name_or_path):
        return topologies.built_in(name_or_path)
    path = Path(name_or_path)
    if path.suffix.lower() in _FORMATS or path.name != name_or_path or _exists(path):
        return read_platform(name_or_path)
    try:
        return topologies.built_in(name_or_path)
    except InvalidInput as error:
        rule = f"no such file, and {error.rule}"
        raise InvalidInput(error.place, error.value, rule) from None


def read_platform(path: str | os.PathLike[str]) -> Platform:
    """The platform in a file: networkx node-link JSON, GraphML, or SimGrid's XML.

    The suffix decides (``.json``, ``.graphml``, ``.xml``), otherwise the first character.

    - JSON, as `networkx.node_link_data` makes it: an object with ``directed``, ``nodes`` (objects
      with an ``id``) and either ``edges`` or ``links`` (objects with ``source``, ``target``,
      ``cost``).
    - GraphML: one graph, without hyperedges and graphs inside of nodes.  Attributes are found by
      their ``attr.name``, defaults count, ports are ignored, node names are text.
    - SimGrid's XML, if the outermost element is a ``platform``: see `simgrid_files`.

    Raises `InvalidInput` that starts with the path: for a file that cannot be read, is not UTF-8,
    is truncated, nested too deeply or something else; for members given twice and NaN; and for
    what `from_networkx` refuses.  Linear time in the size of the file, at most `MAX_BYTES`.
    """
    try:
        written = file_text(path, "platform", MAX_BYTES)
        known = _FORMATS.get(Path(path).suffix.lower())
        guessed = "GraphML" if written.lstrip().startswith("<") else "JSON"
        if (known or guessed) == "JSON":
            return _from_json(written)
        return (
            read_simgrid(written)
            if outermost_tag(written) == "platform"
            else _from_graphml(written)
        )
    except InvalidInput as error:
        raise InvalidInput(f"{shown_path(path)}: {error.place}", error.value, error.rule) from error


def write_platform(platform: Platform, path: str | os.PathLike[str]) -> None:
    """Writes a platform as its suffix says; whoever reads sees the old file or all of the new one.

    ``.json`` is node-link JSON, which `read_platform` reads to an equal platform.  ``.graphml`` and
    ``.xml`` are GraphML, where integer names turn into text.  Raises `InvalidInput` for another
    suffix, for a name that the format cannot hold, and where the file cannot be written.
    """
    target = Path(path)
    written_as = _FORMATS.get(target.suffix.lower())
    if written_as is None:
        rule = f"a platform is written to a file that ends in {', '.join(_FORMATS)}"
        raise InvalidInput(shown_path(path), target.suffix, rule)
    written = _to_graphml(platform) if written_as == "GraphML" else _to_json(platform)
    try:
        write_whole(path, written)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidInput(shown_path(path), reason, "the file cannot be written") from error


_FORMATS = {".json": "JSON", ".graphml": "GraphML", ".xml": "GraphML"}


def _platform(nodes: Iterable[tuple[Any, Mapping[Any, Any]]], links: Iterable[_Link]) -> Platform:
    """The one reading of nodes and links with their attributes."""
    listed = list(nodes)
    arcs: list[tuple[Any, ...]] = []
    for index, link in enumerate(links):
        if "cost" not in link.attributes and "bandwidth" not in link.attributes:
            raise InvalidInput(
                f"arc {index} ({link})",
                sorted(map(_short, link.attributes)),
                'an arc needs an attribute "cost", the time per unit-size message, or "bandwidth"',
            )
        latency = link.attributes.get("latency", 0)
        arc = (link.tail, link.head, link.cost, latency, link.route)
        arcs += [arc] if link.directed else both_ways([arc])
    data = {name: _numbers(name, attributes) for name, attributes in listed}
    kept = {name: numbers for name, numbers in data.items() if numbers}
    switches = [name for name, attributes in listed if _is_switch(name, attributes)]
    return Platform([name for name, _ in listed], arcs, kept, switches)


def _is_switch(node: Node, attributes: Mapping[Any, Any]) -> bool:
    role = attributes.get("role", "compute")
    if role not in ("compute", "switch"):
        rule = 'the role of a node is "compute" or "switch"'
        raise InvalidInput(f"node {_short(node)}, role", role, rule)
    return bool(role == "switch")


def _numbers(node: Node, attributes: Mapping[Any, Any]) -> dict[str, Fraction]:
    numbers: dict[str, Fraction] = {}
    for name, value in attributes.items():
        if not isinstance(name, str) or name == "id":
            continue
        try:
            numbers[name] = exact(value, f"node {_short(node)}, {_short(name)}")
        except InvalidInput:
            # Labels are dropped; an inexact number (a float of any library) is an error.
            if name == "compute" or (isinstance(value, Number) and not isinstance(value, bool)):
                raise
    return numbers


def _short(name: object) -> str:
    """A name of any kind in a message of one line."""
    if isinstance(name, int) and name.bit_length() > 64:
        return "a long number"
    shown = name if isinstance(name, str) and name.isprintable() else repr(name)
    return shown if len(shown) <= 40 else shown[:37] + "..."


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name too long, or with a null character
        return False


def _from_json(written: str) -> Platform:
    document = parsed_json(written, "platform")
    if not isinstance(document, dict) or "nodes" not in document:
        raise InvalidInput(
            "document",
            sorted(map(_short, document))
            if isinstance(document, dict)
            else type(document).__name__,
            'node-link JSON is an object with "directed", "nodes" and "edges" or "links"',
        )
    directed = document.get("directed")
    if not isinstance(directed, bool):
        raise InvalidInput("directed", directed, "write true, or false if arcs go both ways")
    listed = [name for name in ("edges", "links") if name in document]
    if len(listed) != 1:
        raise InvalidInput("document", listed, 'exactly one of "edges" and "links" holds the arcs')
    nodes = [(node["id"], node) for node in _objects(document, "nodes", ("id",))]
    edges = _objects(document, listed[0], ("source", "target"))
    return _platform(
        nodes, [_Link(edge["source"], edge["target"], directed, edge) for edge in edges]
    )


def _objects(
    document: Mapping[str, Any], member: str, required: tuple[str, ...]
) -> Iterator[dict[str, Any]]:
    if not isinstance(document[member], list):
        raise InvalidInput(member, type(document[member]).__name__, "this is a list of objects")
    for index, item in enumerate(document[member]):
        place = f"{member}[{index}]"
        if not isinstance(item, dict):
            raise InvalidInput(place, type(item).__name__, "this is an object")
        for name in required:
            if name not in item:
                raise InvalidInput(place, sorted(map(_short, item)), f'"{name}" is missing')
            if isinstance(item[name], (Decimal, list, dict)):
                value = str(item[name]) if isinstance(item[name], str) else "brackets"
                raise InvalidInput(
                    f"{place}, {name}", value, "a node name is an integer or a string"
                )
        yield item


def _to_json(platform: Platform) -> str:
    nodes = []
    for node in platform.nodes:
        data = platform.node_data.get(node, {})
        _check_data_names(node, data)
        role = {"role": "switch"} if node in platform.switches else {}
        nodes.append({"id": node} | role | {name: to_json(value) for name, value in data.items()})
    edges = [_edge(arc) for arc in platform.arcs]
    head = '{"directed": true, "multigraph": false, "graph": {},\n'
    return f'{head}"nodes": {_rows(nodes)},\n"edges": {_rows(edges)}}}\n'


def _edge(arc: Arc) -> dict[str, object]:
    edge: dict[str, object] = {"source": arc.tail, "target": arc.head, "cost": to_json(arc.cost)}
    if arc.latency:
        edge["latency"] = to_json(arc.latency)
    return edge | {"route": _route(arc)} if arc.route else edge


def _route(arc: Arc) -> list[list[object]]:
    return [[name, to_json(cost)] for name, cost in arc.route]


def _rows(objects: Iterable[object]) -> str:
    """A JSON list, one line each: line tools can compare two platforms."""
    return "[\n" + ",\n".join(map(json.dumps, objects)) + "\n]"


def _check_data_names(node: Node, data: Mapping[str, Fraction]) -> None:
    for name, of in (("id", "name"), ("role", "role")):
        if name in data:
            rule = f"node data of this name cannot be told from the {of} of the node"
            raise InvalidInput(f"node {_short(node)}", name, rule)


def _from_graphml(written: str) -> Platform:
    # Expat limits the expansion of entities; files of platforms have no use for any.
    if "<!ENTITY" in written:
        raise InvalidInput("document", "<!ENTITY", "entities are not expanded")
    try:
        root = ElementTree.fromstring(written)
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise InvalidInput("document", str(error), "not XML, or only a part of it") from error
    graphs = _children(root, "graph")
    if _tag(root) != "graphml" or len(graphs) != 1:
        raise InvalidInput("document", _tag(root), "GraphML is a graphml element with one graph")
    graph = graphs[0]
    keys, defaults = _keys(root)
    nodes = [
        (_required(node, "id", f"node {index}"), defaults["node"] | _data(node, keys))
        for index, node in enumerate(_children(graph, "node"))
    ]
    if _children(graph, "hyperedge"):
        raise InvalidInput("graph", "hyperedge", "an arc has one tail and one head")
    if any(_children(node, "graph") for node in _children(graph, "node")):
        raise InvalidInput("node", "graph", "graphs inside of nodes are not read")
    links = []
    for index, edge in enumerate(_children(graph, "edge")):
        place = f"edge {index}"
        ends = _required(edge, "source", place), _required(edge, "target", place)
        attributes = defaults["edge"] | _data(edge, keys)
        links.append(_Link(*ends, _is_directed(edge, graph, place), attributes))
    return _platform(nodes, links)


def _keys(root: ElementTree.Element) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """The names of the attributes by key, and the defaults by name for nodes and edges."""
    keys: dict[str, str] = {}
    defaults: dict[str, dict[str, str]] = {"node": {}, "edge": {}}
    for index, key in enumerate(_children(root, "key")):
        # Editors declare keys without a name for their own drawing data.
        name = keys[_required(key, "id", f"key {index}")] = key.get("attr.name", "")
        for default in _children(key, "default"):
            for kind, by_name in defaults.items():
                if name and key.get("for", "all") in (kind, "all"):
                    by_name[name] = default.text or ""
    return keys, defaults


def _data(element: ElementTree.Element, keys: Mapping[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for data in _children(element, "data"):
        key = data.get("key", "")
        if key not in keys:
            raise InvalidInput(f"{_tag(element)}, data", key, "no key of this id is declared")
        name = keys[key]
        if name in found:
            shown = dict(element.attrib)
            raise InvalidInput(f"{_tag(element)}, {_short(name)}", shown, "this is given twice")
        if name:
            found[name] = data.text or ""
    return found


def _is_directed(edge: ElementTree.Element, graph: ElementTree.Element, place: str) -> bool:
    ways = {"true": True, "false": False, "directed": True, "undirected": False}
    way = edge.get("directed", graph.get("edgedefault"))
    if way not in ways:
        rule = 'edgedefault is "directed" or "undirected", directed is "true" or "false"'
        raise InvalidInput(place, way, rule)
    return ways[way]


def _required(element: ElementTree.Element, name: str, place: str) -> str:
    value = element.get(name)
    if value is None:
        raise InvalidInput(place, dict(element.attrib), f'the attribute "{name}" is missing')
    return value


def _tag(element: ElementTree.Element) -> str:
    """The tag without its namespace, which some writers leave out."""
    return element.tag.rpartition("}")[2]


def _children(element: ElementTree.Element, tag: str) -> list[ElementTree.Element]:
    return [child for child in element if _tag(child) == tag]


def _to_graphml(platform: Platform) -> str:
    root = ElementTree.Element("graphml", xmlns=_GRAPHML)
    names = sorted({name for data in platform.node_data.values() for name in data})
    keys = {("node", name): f"n{index}" for index, name in enumerate(names)}
    keys |= {("edge", "cost"): "cost", ("edge", "latency"): "latency"}
    if platform.links:
        keys |= {("edge", "route"): "route"}
    if platform.switches:
        keys |= {("node", "role"): "role"}
    for (kind, name), key in keys.items():
        declared = {"id": key, "for": kind, "attr.name": name, "attr.type": "string"}
        ElementTree.SubElement(root, "key", declared)
    graph = ElementTree.SubElement(root, "graph", edgedefault="directed")
    for node in platform.nodes:
        data = platform.node_data.get(node, {})
        _check_data_names(node, data)
        for name in (str(node), *data):
            if _NOT_XML.search(name):
                raise InvalidInput("GraphML", name, "XML cannot hold this name; write JSON")
        written = ElementTree.SubElement(graph, "node", id=str(node))
        _append(written, {keys["node", name]: value for name, value in data.items()})
        if node in platform.switches:
            ElementTree.SubElement(written, "data", key="role").text = "switch"
    for arc in platform.arcs:
        ends = {"source": str(arc.tail), "target": str(arc.head)}
        latency = {"latency": arc.latency} if arc.latency else {}
        written = ElementTree.SubElement(graph, "edge", ends)
        _append(written, {"cost": arc.cost} | latency)
        if arc.route:
            ElementTree.SubElement(written, "data", key="route").text = json.dumps(_route(arc))
    ElementTree.indent(root)
    document = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{document}\n'


def _append(element: ElementTree.Element, values: Mapping[str, Fraction]) -> None:
    for key, value in values.items():
        ElementTree.SubElement(element, "data", key=key).text = text(value)
