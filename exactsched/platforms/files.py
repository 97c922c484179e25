"""Platforms from outside and back: networkx graphs, and files of several formats.

All share one reading of attributes.  An arc has an attribute ``cost`` (time per unit-size message)
and may have a ``latency``; an undirected link stands for two arcs.  An attribute ``route`` lists
the shared links of the arc, pairs of a name and a cost; in GraphML it is the same list as text.
Node attributes that are exact numbers, or text that writes one, become node data; ``role`` "switch"
makes a node one that only forwards, and "compute" is what all others are.  Two options of
switches, ``multicast`` and ``reduces``, are true or false: whether they also copy, or combine, what
they receive.  Other attributes of nodes and arcs (labels, colors) have no meaning here and are left
out.  Two are errors: a ``compute`` that is not a number, and a node attribute that is a number but
not an exact one, such as a `float`.

Numbers in files are taken from their literal text, so 0.1 in a file is one tenth.  The files are
read here, not by networkx, which would turn 0.1 into a float, keep only the last of several
arcs with the same ends, and invent the nodes that an arc mentions.

SimGrid's XML and NCCL's have readings of their own, `simgrid_files` and `nccl_files`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from exactsched.exact.atomic_files import write_whole
from exactsched.exact.errors import InvalidInput
from exactsched.exact.exact_json import Decimal, file_text, parsed_json, shown_path
from exactsched.exact.rational import text, to_json
from exactsched.model.platform import Arc, Platform
from exactsched.model.tasks import Tree
from exactsched.platforms import built_in as topologies
from exactsched.platforms.attributes import (
    Link,
    check_data_names,
    options_of,
    platform_of,
    short,
    written_route,
)

MAX_BYTES = 1 << 28
"""Larger files are refused; a platform of a million arcs takes about a third of this."""


def from_networkx(graph: Any) -> Platform:
    """The platform of a networkx graph of any of its four classes.

    Arcs come in the order of `graph.edges`.  Raises `InvalidInput` for an arc without a cost (it
    is named), for parallel arcs, loops, floats, and whatever else a `Platform` refuses.

    Linear in the number of nodes and arcs. Reference: proofs/cluster-to-plan.md.

    >>> import networkx
    >>> graph = networkx.Graph()
    >>> graph.add_edge("a", "b", cost="1/2")
    >>> [str(arc) for arc in from_networkx(graph).arcs]
    ['a->b', 'b->a']
    """
    directed = graph.is_directed()
    return platform_of(
        list(graph.nodes(data=True)),
        [Link(tail, head, directed, data) for tail, head, data in graph.edges(data=True)],
    )


def to_networkx(given: Platform | Tree) -> Any:
    """The `networkx.DiGraph` of a platform or of a tree; all numbers are text in canonical digits.

    Arcs have ``cost`` and ``latency``, and ``route`` if there is one, nodes their data.
    `from_networkx` gives the platform back, with the arcs grouped by their tails.  The graph of a
    tree (of a solution or a series) has its nodes and arcs only, and the attribute ``weight``.

    No errors. Linear in the number of nodes and arcs. Reference: proofs/cluster-to-plan.md.

    >>> to_networkx(Platform(["a", "b"], [("a", "b", "0.5")])).edges["a", "b"]
    {'cost': '1/2', 'latency': '0'}
    >>> from fractions import Fraction
    >>> from exactsched.model.tasks import Tree
    >>> line = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    >>> print(to_networkx(Tree(0, ((0,),), Fraction(1), line)))
    DiGraph with 2 nodes and 1 edges
    """
    import networkx

    if isinstance(given, Tree):
        tree = to_networkx(given.platform).edge_subgraph(given.edges).copy()
        tree.graph["weight"] = text(given.weight)
        return tree
    graph = networkx.DiGraph()
    for node in given.nodes:
        data = given.node_data.get(node, {})
        graph.add_node(node)
        graph.nodes[node].update((name, text(value)) for name, value in data.items())
        if node in given.switches:
            graph.nodes[node].update({"role": "switch"} | options_of(given, node))
    for arc in given.arcs:
        graph.add_edge(arc.tail, arc.head, cost=text(arc.cost), latency=text(arc.latency))
        if arc.route:
            graph.edges[arc.tail, arc.head]["route"] = written_route(arc)
    return graph


def load_platform(name_or_path: str) -> Platform:
    """The platform that a user names: a built-in one (see `topologies.catalog`), or a file.

    A built-in name wins over a file of the same name; write ``./ring`` for the file.  Topologies
    that NCCL has dumped are joined to one platform by ``one.xml,other.xml``, and ``box.xml:4``
    stands for four equal boxes; no other files are joined.

    Raises `InvalidInput` as `built_in` and `read_platform` do. Linear in the size of the platform.
    Reference: proofs/cluster-to-plan.md.

    >>> print(load_platform("ring:6"))
    Platform(6 nodes, 12 arcs)
    """
    if topologies.is_built_in(name_or_path):
        return topologies.built_in(name_or_path)
    boxes = _boxes(name_or_path)
    if boxes:
        return _joined(name_or_path, boxes).called(Path(name_or_path).name)
    path = Path(name_or_path)
    if path.suffix.lower() in _FORMATS or path.name != name_or_path or _exists(path):
        return read_platform(name_or_path)
    try:
        return topologies.built_in(name_or_path)
    except InvalidInput as error:
        rule = f"no such file, and {error.rule}"
        raise InvalidInput(error.place, error.value, rule) from None


def read_platform(path: str | os.PathLike[str]) -> Platform:
    """The platform in a file: JSON, GraphML, a table of edges, GML, DOT, SimGrid's XML, or NCCL's.

    The suffix decides, for packed files that before ``.gz``; JSON and XML are known without one.

    - JSON, as `networkx.node_link_data` makes it: an object with ``directed``, ``nodes`` (objects
      with an ``id``) and either ``edges`` or ``links`` (objects with ``source``, ``target``,
      ``cost``).  Or the platform of a certificate: ``nodes``, ``arcs`` of [tail, head, cost], and
      ``switches``, if there are any.
    - GraphML: one graph, without hyperedges and graphs inside of nodes.  Attributes are found by
      their ``attr.name``, defaults count, ports are ignored, node names are text.
    - ``.csv``, ``.tsv``: a table with a row for each arc, see `edge_lists.from_csv`.
    - ``.mtx``, Matrix Market: a square sparse matrix of costs, see `edge_lists.from_matrix_market`.
    - ``.gml``: see `gml.from_gml`.
    - ``.dot``, ``.gv``: Graphviz, read by pydot (extra ``dot``), see `dot.from_dot`.
    - SimGrid's XML, if the outermost element is a ``platform``: see `simgrid_files`.
    - A topology that NCCL has dumped, if it is a ``system``: see `nccl_files`.

    Raises `InvalidInput` that starts with the path: for a file that cannot be read, is not UTF-8,
    is truncated, nested too deeply or something else; for members given twice and NaN; and for
    what `from_networkx` refuses.  Linear time in the size of the file, at most `MAX_BYTES`.

    Reference: proofs/cluster-to-plan.md.

    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = os.path.join(folder, "pair.json")
    ...     write_platform(Platform("ab", [("a", "b", "0.5")]), file)
    ...     [str(arc.cost) for arc in read_platform(file).arcs]
    ['1/2']
    """
    try:
        written = file_text(path, "platform", MAX_BYTES)
        return _reader(_format_of(path, written))(written).called(Path(path).name)
    except InvalidInput as error:
        raise InvalidInput(f"{shown_path(path)}: {error.place}", error.value, error.rule) from error


def _reader(known: str) -> Callable[[str], Platform]:
    """What reads a format; its module is loaded now, as all take a tenth of the start together."""
    if known == "JSON":
        return _from_json
    if known == "GraphML":
        return _from_xml
    module, name = _READERS[known]
    reader: Callable[[str], Platform] = getattr(
        import_module(f"exactsched.platforms.{module}"), name
    )
    return reader


def _from_xml(written: str) -> Platform:
    from exactsched.exact.exact_xml import outermost_tag
    from exactsched.platforms.graphml import from_graphml
    from exactsched.platforms.nccl_files import read_nccl
    from exactsched.platforms.simgrid_files.reader import read_simgrid

    tag = outermost_tag(written)
    if tag == "system":
        return read_nccl([written])
    return read_simgrid(written) if tag == "platform" else from_graphml(written)


def _boxes(name: str) -> list[str]:
    """The files of a name such as "one.xml,other.xml:4", each as often as it says.

    None if a single file is meant, that of this name or one that is not there.
    """
    pieces = [re.fullmatch(r"(.+?)(?::([0-9]{1,4}))?", piece) for piece in name.split(",")]
    found = [(match[1], int(match[2] or 1)) for match in pieces if match]
    plain = len(found) == 1 and found[0][0] == name
    if plain or len(found) < len(pieces) or _exists(Path(name)):
        return []
    if not all(_exists(Path(path)) for path, _ in found):
        return []
    if not all(times for _, times in found):
        raise InvalidInput(name, 0, "a number behind a file says how many boxes it stands for")
    return [path for path, times in found for _ in range(times)]


def _joined(name: str, paths: list[str]) -> Platform:
    from exactsched.exact.exact_xml import outermost_tag
    from exactsched.platforms.nccl_files import read_nccl

    texts = {path: file_text(path, "platform", MAX_BYTES) for path in dict.fromkeys(paths)}
    for path, written in texts.items():
        tag = outermost_tag(written)
        if tag != "system":
            rule = "only topologies that NCCL has dumped are joined; others are given alone"
            raise InvalidInput(shown_path(path), tag, rule)
    try:
        return read_nccl([texts[path] for path in paths])
    except InvalidInput as error:
        raise InvalidInput(f"{shown_path(name)}: {error.place}", error.value, error.rule) from error


def write_platform(platform: Platform, path: str | os.PathLike[str]) -> None:
    """Writes a platform as its suffix says; whoever reads sees the old file or all of the new one.

    ``.json`` is node-link JSON, which `read_platform` reads to an equal platform.  ``.graphml`` and
    ``.xml`` are GraphML, where integer names turn into text.  Raises `InvalidInput` for another
    suffix, for a name that the format cannot hold, and where the file cannot be written.

    Linear in the size of the file. Reference: proofs/cluster-to-plan.md.

    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = os.path.join(folder, "pair.graphml")
    ...     write_platform(Platform("ab", [("a", "b", "0.5")]), file)
    ...     read_platform(file) == Platform("ab", [("a", "b", "0.5")])
    True
    """
    from exactsched.platforms.graphml import to_graphml

    target = Path(path)
    suffix = target.suffix.lower()
    if suffix not in _WRITTEN:
        rule = f"a platform is written to a file that ends in {', '.join(_WRITTEN)}"
        raise InvalidInput(shown_path(path), target.suffix, rule)
    written = _to_json(platform) if suffix == ".json" else to_graphml(platform)
    try:
        write_whole(path, written)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidInput(shown_path(path), reason, "the file cannot be written") from error


_FORMATS = {
    ".json": "JSON",
    ".graphml": "GraphML",
    ".xml": "GraphML",
    ".csv": "CSV",
    ".tsv": "CSV",
    ".mtx": "Matrix Market",
    ".gml": "GML",
    ".dot": "DOT",
    ".gv": "DOT",
}
_WRITTEN = (".json", ".graphml", ".xml")


def _format_of(path: str | os.PathLike[str], written: str) -> str:
    """What the suffix says, otherwise the first character."""
    name = Path(path)
    if name.suffix.lower() == ".gz":
        name = name.with_suffix("")
    known = _FORMATS.get(name.suffix.lower())
    begun = written.lstrip()[:1]
    if known is None and begun not in ("<", "{"):
        formats = ", ".join(f"{kind} ({suffix})" for suffix, kind in _FORMATS.items())
        rule = f"neither JSON nor XML; a platform is one of {formats}"
        raise InvalidInput("file", name.suffix or "no suffix", rule)
    return known or ("GraphML" if begun == "<" else "JSON")


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name too long, or with a null character
        return False


def _from_json(written: str) -> Platform:
    document = parsed_json(written, "platform")
    if isinstance(document, dict) and "arcs" in document:
        return _from_rows(document)
    if not isinstance(document, dict) or "nodes" not in document:
        raise InvalidInput(
            "document",
            sorted(map(short, document)) if isinstance(document, dict) else type(document).__name__,
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
    return platform_of(
        nodes, [Link(edge["source"], edge["target"], directed, edge) for edge in edges]
    )


def _from_rows(document: Mapping[str, Any]) -> Platform:
    """The platform as certificates write it."""
    members: dict[str, Any] = {"nodes": [], "arcs": [], "switches": [], **document}
    for member, value in members.items():
        if member not in ("nodes", "arcs", "switches"):
            raise InvalidInput("document", member, "here the members are nodes, arcs, switches")
        if not isinstance(value, list):
            raise InvalidInput(member, value, "a list")
    for index, row in enumerate(members["arcs"]):
        if not isinstance(row, list):
            raise InvalidInput(f"arcs[{index}]", row, "a list [tail, head, cost]")
    return Platform(
        members["nodes"], [tuple(row) for row in members["arcs"]], switches=members["switches"]
    )


# Module and function.
_READERS = {
    "CSV": ("edge_lists", "from_csv"),
    "Matrix Market": ("edge_lists", "from_matrix_market"),
    "GML": ("gml", "from_gml"),
    "DOT": ("dot", "from_dot"),
}


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
                raise InvalidInput(place, sorted(map(short, item)), f'"{name}" is missing')
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
        check_data_names(node, data)
        role = {"role": "switch"} if node in platform.switches else {}
        options = options_of(platform, node)
        nodes.append(
            {"id": node} | role | options | {name: to_json(value) for name, value in data.items()}
        )
    edges = [_edge(arc) for arc in platform.arcs]
    head = '{"directed": true, "multigraph": false, "graph": {},\n'
    return f'{head}"nodes": {_rows(nodes)},\n"edges": {_rows(edges)}}}\n'


def _edge(arc: Arc) -> dict[str, object]:
    edge: dict[str, object] = {"source": arc.tail, "target": arc.head, "cost": to_json(arc.cost)}
    if arc.latency:
        edge["latency"] = to_json(arc.latency)
    return edge | {"route": written_route(arc)} if arc.route else edge


def _rows(objects: Iterable[object]) -> str:
    """A JSON list, one line each: line tools can compare two platforms."""
    return "[\n" + ",\n".join(map(json.dumps, objects)) + "\n]"
