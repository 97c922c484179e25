"""A networkx graph as the kernels have it, and their answers in its nodes and edges."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple, TypeVar

from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import Rational, exact
from exactsched.model.platform import one_line

Edge = tuple[Any, ...]
T = TypeVar("T")
# The name of an attribute, a function of (u, v, data), or None for 1 everywhere.
Attribute = str | Callable[[Any, Any, Any], object] | None

# What to type where the default name "weight" says nothing, and another attribute something.
COSTS = {"cost": 'weight="cost"'}


class Numbered:
    """The nodes and edges of a graph of any of the four classes, by number.

    An edge is (tail, head), in multigraphs with a key behind.  Of an undirected graph every edge
    stands there twice, once for each way, unless `ways` is 1.  With `inside`, only these nodes.

    >>> import networkx
    >>> graph = networkx.MultiGraph([("a", "b"), ("a", "b")])
    >>> Numbered(graph).edges
    [('a', 'b', 0), ('b', 'a', 0), ('a', 'b', 1), ('b', 'a', 1)]
    >>> Numbered(graph, ways=1).arcs
    [(0, 1), (0, 1)]
    """

    def __init__(self, graph: Any, ways: int = 2, inside: Collection[Hashable] | None = None):
        if not hasattr(graph, "is_multigraph"):
            rule = "exactsched.nx takes a graph of networkx: type networkx.DiGraph(edges), or, for"
            raise InvalidInput("graph", graph, f"{rule} a platform, the function in exactsched")
        self.nodes = [node for node in graph if inside is None or node in inside]
        self.number = {node: index for index, node in enumerate(self.nodes)}
        self.edges: list[Edge] = []
        self._data: list[Any] = []
        self._graph = graph
        listed = graph.edges(data=True, **({"keys": True} if graph.is_multigraph() else {}))
        for u, v, *key, data in listed:
            if u not in self.number or v not in self.number:
                continue
            backwards = [(v, u, *key)] if ways == 2 and not graph.is_directed() else []
            for edge in [(u, v, *key), *backwards]:
                self.edges.append(edge)
                self._data.append(data)
        self.arcs = [(self.number[edge[0]], self.number[edge[1]]) for edge in self.edges]

    @property
    def names(self) -> tuple[str, ...]:
        """What pictures write into the nodes."""
        return tuple(one_line(node) for node in self.nodes)

    @property
    def size(self) -> int:
        return len(self.nodes)

    def place(self, node: Hashable, noun: str) -> int:
        """The number of a node; raises `InvalidInput` if the graph has no such node."""
        if not isinstance(node, Hashable) or node not in self.number:
            raise InvalidInput(noun, node, "not a node of the graph")
        return self.number[node]

    def listed(self, nodes: Iterable[T], noun: str) -> list[T]:
        """Several nodes; raises `InvalidInput` for a single one, a tuple for example."""
        if not isinstance(nodes, Iterable) or (
            isinstance(nodes, Hashable) and nodes in self.number
        ):
            raise InvalidInput(noun, nodes, f"a list of nodes, such as [{nodes!r}]")
        return list(nodes)

    def numbers(
        self,
        attribute: Attribute,
        default: object = 1,
        noun: str = "weight",
        instead: Mapping[str, str] = COSTS,
    ) -> list[Fraction]:
        """An attribute of every edge, or what a function says of it, exactly; 1 for all if None.

        `noun` is the argument, and the name that it has by default: only this name may be missing
        at all edges, a weight not if they have an attribute of `instead`.
        """
        if attribute is None:
            return [Fraction(1)] * len(self.edges)
        values, name = self._values(attribute, default, noun)
        if attribute == noun == "weight" and not self._some_edge_has(noun):
            for other, typed in instead.items():
                if self._some_edge_has(other):
                    rule = f"no edge has it, but edges have {other!r}: type {typed}, or weight=None"
                    raise InvalidInput(noun, attribute, f"{rule} for 1 everywhere")
        return [
            exact(value, f"edge {edge!r}, {name}")
            for edge, value in zip(self.edges, values, strict=True)
        ]

    def _values(self, attribute: Attribute, default: object, noun: str) -> tuple[list[Any], str]:
        """What the edges have, and how messages call it."""
        if callable(attribute):
            pairs = zip(self.edges, self._data, strict=True)
            return [attribute(edge[0], edge[1], data) for edge, data in pairs], noun
        if not isinstance(attribute, str):
            rule = f'type the name of an attribute, such as {noun}="{noun}", or a function'
            raise InvalidInput(noun, attribute, f"{rule} of (u, v, data)")
        if attribute != noun and self.edges and not self._some_edge_has(attribute):
            listed = self._graph.edges(data=True)
            names = sorted({repr(name) for *_, data in listed for name in data})
            rule = f"no edge has this attribute; edges have {', '.join(names) or 'no attribute'}"
            raise InvalidInput(noun, attribute, rule)
        return [data.get(attribute, default) for data in self._data], attribute

    def _some_edge_has(self, attribute: str) -> bool:
        return any(attribute in data for *_, data in self._graph.edges(data=True))

    def capacities(self, attribute: Attribute, factor: Rational = 1) -> Capacities:
        """An attribute of every edge; where it is missing or `inf` the capacity is infinite.

        In place of an infinite one stands `factor` times more than all others together.
        """
        if attribute is None:
            return Capacities(self.numbers(None), frozenset())
        given, name = self._values(attribute, inf, "capacity")
        endless = frozenset(
            k for k, number in enumerate(given) if type(number) is float and number == inf
        )
        numbers = [
            Fraction(0) if k in endless else exact(number, f"edge {self.edges[k]!r}, {name}")
            for k, number in enumerate(given)
        ]
        large = factor * sum(map(abs, numbers), start=Fraction(1))
        filled = [large if k in endless else number for k, number in enumerate(numbers)]
        return Capacities(filled, endless)

    def edges_at(self, indices: Iterable[int]) -> tuple[Edge, ...]:
        """The edges with these numbers."""
        return tuple(self.edges[index] for index in indices)

    def nodes_at(self, indices: Iterable[int]) -> tuple[Any, ...]:
        """The nodes with these numbers."""
        return tuple(self.nodes[index] for index in indices)

    def entering(self, inside: Iterable[int]) -> list[int]:
        """The numbers of the edges that enter a set of nodes."""
        there = set(inside)
        return [k for k, (u, v) in enumerate(self.arcs) if v in there and u not in there]

    def amounts(self, values: Iterable[Rational]) -> dict[Edge, Fraction]:
        """What is not 0, by edge."""
        return {
            edge: Fraction(value) for edge, value in zip(self.edges, values, strict=True) if value
        }


class Capacities(NamedTuple):
    """A number for each edge, and which edges have no limit."""

    numbers: list[Fraction]
    endless: frozenset[int]

    def refuse_infinite(self, cut: Iterable[int]) -> None:
        """Raises `InvalidInput` if the least cut has an edge without a limit: then all have."""
        if not self.endless.isdisjoint(cut):
            rule = "a path of edges without a capacity has no limit"
            raise InvalidInput("the value", inf, rule)
