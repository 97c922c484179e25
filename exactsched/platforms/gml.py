"""GML: nodes and edges with attributes, numbers as they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any, Final, NamedTuple

from exactsched.exact.errors import InvalidInput
from exactsched.exact.exact_json import Decimal
from exactsched.model.platform import Platform
from exactsched.platforms.attributes import Link
from exactsched.platforms.numbered_lines import Lined, platform_of_lines

MAX_DEPTH: Final = 50
_TOKEN = re.compile(
    r'(?P<space>\s+|\#[^\n]*)|(?P<text>"[^"]*")|(?P<open>\[)|(?P<close>\])'
    r"|(?P<number>[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)(?=[\s\]\[]|$)"
    r"|(?P<key>[A-Za-z][A-Za-z0-9_]*)"
)


class Pair(NamedTuple):
    """A key, its value (a number, text, or a list of pairs), and the line of the key."""

    key: str
    value: Any
    line: int


def from_gml(written: str) -> Platform:
    """The graph of a GML file: `graph [ directed 1 node [ ... ] edge [ ... ] ]`.

    A node is named by its label, if every node has one of its own, otherwise by its id.  Edges have
    the attributes of other formats: cost or bandwidth, latency, route.

    Raises `InvalidInput`, with the line.  Reference: Himsolt, *GML: a portable graph file format*.

    >>> print(from_gml("graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 cost .1 ] ]"))
    Platform(2 nodes, 2 arcs)
    """
    graphs = [pair for pair in _pairs(written) if pair.key == "graph"]
    if len(graphs) != 1 or not isinstance(graphs[0].value, list):
        raise InvalidInput("document", len(graphs), "one list graph [ ... ] is needed")
    members: list[Pair] = graphs[0].value
    directed = _once(members, "directed", graphs[0], "0")
    if directed not in ("0", "1"):
        raise InvalidInput(f"line {graphs[0].line}, directed", directed, "write 0 or 1")
    listed = [pair for pair in members if pair.key == "node"]
    ids = [str(_once(_members(node), "id", node)) for node in listed]
    _refuse_doubles(listed, ids)
    labels = [_once(_members(node), "label", node, "") for node in listed]
    named = labels if all(labels) and len(set(map(str, labels))) == len(ids) else ids
    names = dict(zip(ids, map(str, named), strict=True))
    nodes = {
        names[key]: {pair.key: pair.value for pair in _members(node) if pair.key != "label"}
        for key, node in zip(ids, listed, strict=True)
    }
    lined = []
    for edge in (pair for pair in members if pair.key == "edge"):
        ends = []
        for end in ("source", "target"):
            key = str(_once(_members(edge), end, edge))
            if key not in names:
                raise InvalidInput(f"line {edge.line}, {end}", key, "no node has this id")
            ends.append(names[key])
        for name in ("cost", "bandwidth", "latency", "route"):
            _once(_members(edge), name, edge, "")
        attributes = {pair.key: pair.value for pair in _members(edge)}
        lined.append(Lined(edge.line, Link(ends[0], ends[1], directed == "1", attributes)))
    return platform_of_lines(nodes, lined)


def _members(pair: Pair) -> list[Pair]:
    if not isinstance(pair.value, list):
        raise InvalidInput(f"line {pair.line}, {pair.key}", pair.value, "a list [ ... ] is needed")
    return pair.value


def _once(members: list[Pair], key: str, of: Pair, default: str | None = None) -> Any:
    """The value of a key that is given once, or not at all if there is a default."""
    found = [pair for pair in members if pair.key == key]
    if len(found) > 1:
        raise InvalidInput(f"line {found[1].line}, {key}", found[1].value, "this is given twice")
    if not found and default is None:
        raise InvalidInput(f"line {of.line}, {of.key}", "[...]", f"{key} is missing")
    value = found[0].value if found else default
    if isinstance(value, list):
        raise InvalidInput(f"line {found[0].line}, {key}", "[...]", "no list is allowed here")
    return value


def _refuse_doubles(listed: list[Pair], ids: list[str]) -> None:
    before: dict[str, int] = {}
    for node, key in zip(listed, ids, strict=True):
        if key in before:
            rule = f"the node in line {before[key]} has this id already"
            raise InvalidInput(f"line {node.line}, id", key, rule)
        before[key] = node.line


def _pairs(written: str) -> list[Pair]:
    """The pairs of the document, lists inside of lists up to a depth."""
    outermost: list[Pair] = []
    stack = [outermost]
    opened: list[int] = []
    key, at, line = "", 0, 1
    for kind, token, line in _tokens(written):
        if kind == "key" and not key:
            key, at = token, line
        elif kind == "close" and not key and opened:
            stack.pop()
            opened.pop()
        elif not key or kind in ("key", "close"):
            raise InvalidInput(f"line {line}", token[:40], "GML has keys, each with a value behind")
        elif kind == "open":
            if len(stack) > MAX_DEPTH:
                raise InvalidInput(f"line {line}", "brackets", "nested too deeply for a platform")
            inner: list[Pair] = []
            stack[-1].append(Pair(key, inner, at))
            stack.append(inner)
            opened.append(at)
            key = ""
        else:
            value = Decimal(token) if kind == "number" else unescape(token[1:-1])
            stack[-1].append(Pair(key, value, at))
            key = ""
    if key:
        raise InvalidInput(f"line {line}", key, "the file ends where a value is needed")
    if opened:
        raise InvalidInput(f"line {line}", "the end", f"the bracket of line {opened[-1]} is open")
    return outermost


def _tokens(written: str) -> Iterator[tuple[str, str, int]]:
    position, line = 0, 1
    while position < len(written):
        match = _TOKEN.match(written, position)
        if match is None:
            rest = written[position : position + 20].partition("\n")[0]
            raise InvalidInput(f"line {line}", rest, "this is not GML")
        if match.lastgroup != "space":
            yield str(match.lastgroup), match[0], line
        line += match[0].count("\n")
        position = match.end()
