"""DOT, the language of Graphviz: read by pydot, numbers as they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from typing import Any, Final

from exactsched.exact.errors import InvalidInput
from exactsched.model.platform import Platform
from exactsched.platforms.attributes import Link, platform_of

_AT = re.compile(r"\(line:(\d+), col:(\d+)\)")
_NAME = re.compile(r'("(?:[^"\\]|\\.)*"|[^":<]+)(?::.*)?', re.S)
# Statements that set attributes of what follows.
_DEFAULTS: Final = ("node", "edge")

Attributes = dict[str, str]


def from_dot(written: str) -> Platform:
    """The graph of a DOT file: arcs of a digraph are directed, edges of a graph go both ways.

    Attributes are those of other formats: cost or bandwidth, latency and route of edges, role and
    data of nodes; `edge [cost=1]` sets those of the edges that follow, also in subgraphs.  Ports
    (a:n) are ignored, names of nodes are text.

    Raises `InvalidInput`, with the line for what is not DOT; for edges between groups, {a b} -> c;
    and without pydot.  Reference: Graphviz, *DOT Language*.
    """
    try:
        import pydot
    except ImportError:
        rule = "type pip install 'exactsched[dot]', or write another format"
        raise InvalidInput("DOT", "no pydot", rule) from None
    said = StringIO()
    with redirect_stdout(said):  # pydot prints where it fails
        graphs = pydot.graph_from_dot_data(written)
    if graphs is None:
        at = _AT.search(said.getvalue())
        place = f"line {at[1]}, column {at[2]}" if at else "document"
        reason = said.getvalue().strip().rpartition("\n")[2].partition("  (at char")[0]
        raise InvalidInput(place, reason, "this is not DOT")
    if len(graphs) != 1:
        raise InvalidInput("document", len(graphs), "one graph is needed")
    nodes: dict[str, Attributes] = {}
    links: list[Link] = []
    directed = graphs[0].get_type() == "digraph"
    for ends, attributes in _statements(graphs[0], {kind: {} for kind in _DEFAULTS}, nodes):
        links.append(Link(*ends, directed, attributes))
    return platform_of(nodes.items(), links)


def _statements(
    graph: Any, defaults: dict[str, Attributes], nodes: dict[str, Attributes]
) -> Iterator[tuple[tuple[str, str], Attributes]]:
    """The edges in the order of the file; nodes are entered as they are met."""
    defaults = {kind: dict(known) for kind, known in defaults.items()}
    statements = [*graph.get_node_list(), *graph.get_edge_list(), *graph.get_subgraph_list()]
    for one in sorted(statements, key=lambda statement: statement.get_sequence()):
        given = {name: _plain(str(value)) for name, value in one.get_attributes().items()}
        if hasattr(one, "get_source"):
            ends = _end(one.get_source()), _end(one.get_destination())
            for end in ends:
                nodes.setdefault(end, dict(defaults["node"]))
            yield ends, defaults["edge"] | given
        elif hasattr(one, "get_node_list"):
            yield from _statements(one, defaults, nodes)
        elif one.get_name() in _DEFAULTS:
            defaults[one.get_name()].update(given)
        elif one.get_name() != "graph":
            nodes.setdefault(_end(one.get_name()), dict(defaults["node"])).update(given)


def _end(name: object) -> str:
    match = _NAME.fullmatch(name) if isinstance(name, str) else None
    if match is None:
        shown = name if isinstance(name, str) else "{...}"
        raise InvalidInput("edge", shown, "an edge joins two nodes with names; no groups, no HTML")
    return _plain(match[1])


def _plain(written: str) -> str:
    """A name or a value without its quotes."""
    if len(written) > 1 and written.startswith('"') and written.endswith('"'):
        return written[1:-1].replace('\\"', '"').replace("\\\n", "")
    return written
