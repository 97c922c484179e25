"""Counterexamples of campaigns as scenes: graph or platform, all other fields, what is violated.

A counterexample is taken as its document, and what is no graph in it is a field like others.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from exactsched.certificate.codec import read
from exactsched.certificate.elements import (
    read_choice,
    read_integer,
    read_member,
    read_object,
    read_text,
)
from exactsched.drawing.layout.stress import node_places, side_places
from exactsched.drawing.lettering import printable
from exactsched.drawing.palette import SOFT_INK
from exactsched.drawing.scene import Edge, Figure, Graph, Node, Panels, Scene, Table, Words
from exactsched.drawing.series.colors import empty_key
from exactsched.drawing.series.graph import platform_figure
from exactsched.exact.errors import Malformed
from exactsched.model.problem import Collective

_MOST_NODES = 200
_MOST_LINKS = 600
# Members of a problem that its graph shows.
_SHOWN = ("platform", "collective")
_PROVISO = "\u201cexactsched verify --replay FILE\u201d checks the claim on this instance again."
_FAILURES = {
    "refuted": "a counterexample",
    "raised": "the check raised an exception",
    "unmade": "the check got no instance",
    "died": "the check killed its process",
    "hung": "the check did not come to an end",
}
# What is random comes in sizes; other instances are named by where they stand.
_SIZES = ("small", "medium", "large")


def counterexample_scene(document: Mapping[str, Any]) -> Scene:
    """What fails, the instance as a graph (if it has one), its fields, and the facts.

    Raises `Malformed` where the document has no such members.

    >>> text = dict.fromkeys(("statement", "package"), "")
    >>> one = {"claim": "a.b", "size": "small", "reason": "too large", "failure": "refuted"}
    >>> rest = {"seed": 0, "number": 7, "facts": {"rate": "1/3"}, "instance": {"limit": 5}}
    >>> scene = counterexample_scene(text | one | rest)
    >>> scene.title, scene.result, scene.parts[0].rows
    ('a.b: a counterexample', 'too large', (('limit', '5'),))
    """
    stated = dict(document)
    texts = {
        name: read_text(read_member(stated, name), name)
        for name in ("claim", "statement", "reason", "size", "package", "failure")
    }
    instance = read_object(read_member(stated, "instance"), "instance")
    failure = read_choice(texts["failure"], "failure", tuple(_FAILURES))
    figures = _figures(instance, "bipartite" in texts["statement"].lower())
    facts = stated.get("facts")
    fields = {name: value for name, value in instance.items() if name not in _SHOWN}
    tables = _table("Instance", fields), _table("Facts", facts if isinstance(facts, dict) else {})
    words = printable(texts["statement"], 2000), _origin(stated, texts), _PROVISO
    return Scene(
        f"{printable(texts['claim'])}: {_FAILURES[failure]}",
        printable(texts["reason"], 400),
        (
            *([Panels("", tuple(figures))] if figures else []),
            *(table for table in tables if table.rows),
            Words("What was claimed", tuple(line for line in words if line), panel="claim"),
        ),
    )


def _origin(stated: dict[str, Any], texts: dict[str, str]) -> str:
    number = read_integer(read_member(stated, "number"), "number")
    package = f"exactsched {printable(texts['package'])}"
    if texts["size"] not in _SIZES:
        return f"Number {number} of the {printable(texts['size'])}, {package}."
    seed = read_integer(read_member(stated, "seed"), "seed")
    return f"Made smaller from {texts['size']} instance {number} of seed {seed}, {package}."


def _table(title: str, fields: Mapping[str, Any]) -> Table:
    rows = tuple(
        (printable(name), printable(_written(value), 20_000)) for name, value in fields.items()
    )
    return Table(title, ("", ""), rows, where="everywhere", panel=title.lower())


def _written(value: object) -> str:
    return value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)


def _figures(instance: dict[str, Any], bipartite: bool) -> list[Figure]:
    """The instance itself, or those of its fields that have a graph."""
    whole = _figure("instance", instance, bipartite)
    if whole:
        return [whole]
    found = (_figure(name, value, bipartite) for name, value in instance.items())
    return [figure for figure in found if figure]


def _figure(name: str, value: object, bipartite: bool) -> Figure | None:
    if is_numbered_graph(value):
        return numbered_graph(value, bipartite)
    problem = _problem(name, value)
    return platform_figure(problem, empty_key(problem)) if problem else None


def _problem(name: str, value: object) -> Collective | None:
    """The problem of a document, if it is one."""
    if not isinstance(value, dict) or "platform" not in value:
        return None
    try:
        problem: Collective = read(Collective, value, name)
    except Malformed:  # an instance of another kind: its fields are shown
        return None
    return problem


def is_numbered_graph(value: object) -> bool:
    """Whether a document has a size, arcs or edges between nodes below it, and their numbers.

    >>> is_numbered_graph({"size": 2, "arcs": [[0, 1]], "numbers": ["1/2"]})
    True
    >>> is_numbered_graph({"size": 1, "arcs": [[0, 1]], "numbers": [1]})
    False
    """
    if not isinstance(value, dict) or not {"size", "numbers"} <= set(value):
        return False
    links, size, numbers = value.get("arcs", value.get("edges")), value["size"], value["numbers"]
    if type(size) is not int or not isinstance(numbers, list) or not isinstance(links, list):
        return False
    if not 0 < size <= _MOST_NODES or not len(links) == len(numbers) <= _MOST_LINKS:
        return False
    return all(
        isinstance(link, list)
        and len(link) == 2
        and all(type(end) is int and 0 <= end < size for end in link)
        for link in links
    )


def numbered_graph(value: Any, bipartite: bool) -> Figure:
    """The graph of such a document; `arcs` have arrowheads, `edges` have none.

    `bipartite`: edges go from the nodes on the left to those on the right, numbered alike.

    >>> figure = numbered_graph({"size": 2, "edges": [[0, 0], [0, 0]], "numbers": [7, 8]}, True)
    >>> [(edge.tail, edge.head, edge.label) for edge in figure.drawing.edges]
    [(0, 2, '7'), (0, 2, '8')]
    """
    size, directed = value["size"], "arcs" in value
    links = [tuple(link) for link in (value["arcs"] if directed else value["edges"])]
    if bipartite and not directed:
        links = [(left, size + right) for left, right in links]
        names = [f"{side}{node}" for side in "uv" for node in range(size)]
        places = side_places(size)
    else:
        names = [str(node) for node in range(size)]
        places = node_places(size, links, 0)
    strands = ((SOFT_INK, Fraction(1)),)
    edges = []
    for (tail, head), number in zip(links, value["numbers"], strict=True):
        told = f"{names[tail]}, {names[head]}: {printable(number)}"
        edges.append(Edge(tail, head, printable(number, 16), told, strands))
    nodes = tuple(Node(name) for name in names)
    graph = Graph(nodes, tuple(edges), places, directed, label_noun="number", width=1.3)
    return Figure("Graph", graph, panel="graph")
