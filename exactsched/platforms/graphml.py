"""GraphML: one graph, whose attributes are found by their `attr.name`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from fractions import Fraction
from xml.etree import ElementTree

from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import text
from exactsched.model.platform import Platform
from exactsched.platforms.attributes import (
    OPTIONS,
    Link,
    check_data_names,
    options_of,
    platform_of,
    short,
    written_route,
)

_GRAPHML = "http://graphml.graphdrawing.org/xmlns"
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def from_graphml(written: str) -> Platform:
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
        links.append(Link(*ends, _is_directed(edge, graph, place), attributes))
    return platform_of(nodes, links)


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
            raise InvalidInput(f"{_tag(element)}, {short(name)}", shown, "this is given twice")
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


def to_graphml(platform: Platform) -> str:
    root = ElementTree.Element("graphml", xmlns=_GRAPHML)
    names = sorted({name for data in platform.node_data.values() for name in data})
    keys = {("node", name): f"n{index}" for index, name in enumerate(names)}
    keys |= {("edge", "cost"): "cost", ("edge", "latency"): "latency"}
    if platform.links:
        keys |= {("edge", "route"): "route"}
    if platform.switches:
        keys |= {("node", name): name for name in ("role", *OPTIONS)}
    for (kind, name), key in keys.items():
        declared = {"id": key, "for": kind, "attr.name": name, "attr.type": "string"}
        ElementTree.SubElement(root, "key", declared)
    graph = ElementTree.SubElement(root, "graph", edgedefault="directed")
    for node in platform.nodes:
        data = platform.node_data.get(node, {})
        check_data_names(node, data)
        for name in (str(node), *data):
            if _NOT_XML.search(name):
                raise InvalidInput("GraphML", name, "XML cannot hold this name; write JSON")
        written = ElementTree.SubElement(graph, "node", id=str(node))
        _append(written, {keys["node", name]: value for name, value in data.items()})
        if node in platform.switches:
            ElementTree.SubElement(written, "data", key="role").text = "switch"
        for option in options_of(platform, node):
            ElementTree.SubElement(written, "data", key=option).text = "true"
    for arc in platform.arcs:
        ends = {"source": str(arc.tail), "target": str(arc.head)}
        latency = {"latency": arc.latency} if arc.latency else {}
        written = ElementTree.SubElement(graph, "edge", ends)
        _append(written, {"cost": arc.cost} | latency)
        if arc.route:
            ElementTree.SubElement(written, "data", key="route").text = json.dumps(
                written_route(arc)
            )
    ElementTree.indent(root)
    document = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{document}\n'


def _append(element: ElementTree.Element, values: Mapping[str, Fraction]) -> None:
    for key, value in values.items():
        ElementTree.SubElement(element, "data", key=key).text = text(value)
