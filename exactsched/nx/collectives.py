"""Collectives on networkx graphs: a node sends to others over edges that cost time.

All of them take the same options.  `weight` names the attribute with the time per unit-size
message over an edge, 1 where it is missing; with None every edge has 1.  `bandwidth` names one with
its inverse instead.  Both may be functions of (u, v, data).  `ports` is the port model,
``one-port``, ``half-duplex`` or ``link``.  Nodes whose attribute `role` is "switch" only forward.
Of parallel edges the cheapest is used, and under ``link`` all of them.  Loops carry nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from exactsched.exact.errors import InvalidInput
from exactsched.exact.words import counted
from exactsched.model.collective_names import collective_name
from exactsched.model.platform import Node, Platform, one_line
from exactsched.model.problem import Allgather, Alltoall, Combination
from exactsched.nx.answers import Collective, Edge, Structure
from exactsched.nx.graph import COSTS, Attribute, Numbered

if TYPE_CHECKING:
    from exactsched.model.problem import Ports
    from exactsched.steady_state.solution import Solution

# What to type if no edge has a weight.
_INSTEAD = COSTS | {"bandwidth": 'bandwidth="bandwidth"'}

Sizes = Iterable[Hashable] | Mapping[Any, object]


def broadcast(
    graph: Any,
    source: Hashable,
    targets: Iterable[Hashable] | None = None,
    *,
    weight: Attribute = "weight",
    bandwidth: Attribute = None,
    ports: Ports = "one-port",
    time_limit: float | None = None,
) -> Collective:
    """The largest throughput of broadcasts is a packing of arborescences into ports.

    The targets are all nodes that are no switches, or those that are given.  After `time_limit`
    seconds the answer is the best that is known, an interval.

    Raises `InvalidInput` for unknown nodes and numbers that are not exact and positive.
    Reference, limits and cost: `exactsched.broadcast`.

    >>> import networkx
    >>> best = broadcast(networkx.path_graph(3), 1)
    >>> best.throughput, best.structures[0].edges
    (Fraction(1, 2), ((1, 0), (1, 2)))
    """
    from exactsched.steady_state.broadcast import broadcast as solve

    given = _Given(graph, weight, bandwidth, ports, time_limit)
    wanted = None if targets is None else given.named(targets, "targets")
    best = solve(given.platform, given.name(source, "source"), wanted, **given.options)
    return given.answer(best, parts=False)


def scatter(
    graph: Any,
    source: Hashable,
    targets: Sizes | None = None,
    *,
    weight: Attribute = "weight",
    bandwidth: Attribute = None,
    ports: Ports = "one-port",
    time_limit: float | None = None,
) -> Collective:
    """The largest throughput of scatters is a packing of paths to the targets.

    Every target gets a message of its own, of the size that a mapping says, otherwise 1; without
    targets all nodes do that are no switches.  Errors are those of `broadcast`.

    Reference and cost: `exactsched.scatter`.

    >>> import networkx
    >>> best = scatter(networkx.path_graph(3), 0)
    >>> best.throughput, [(one.part, one.edges) for one in best.structures]
    (Fraction(1, 2), [((0, 1), ((0, 1),)), ((0, 2), ((0, 1), (1, 2)))])
    """
    given = _Given(graph, weight, bandwidth, ports, time_limit)
    others = given.sizes(targets, "targets", without=source)
    return given.pairs([(source, node, size) for node, size in others.items()])


def gather(
    graph: Any,
    target: Hashable,
    sources: Sizes | None = None,
    *,
    weight: Attribute = "weight",
    bandwidth: Attribute = None,
    ports: Ports = "one-port",
    time_limit: float | None = None,
) -> Collective:
    """The largest throughput of gathers: every source sends a message of its own to the target.

    The rest is as in `scatter`.

    >>> import networkx
    >>> gather(networkx.path_graph(3), 0, {2: "1/2"}).throughput
    Fraction(2, 1)
    """
    given = _Given(graph, weight, bandwidth, ports, time_limit)
    others = given.sizes(sources, "sources", without=target)
    return given.pairs([(node, target, size) for node, size in others.items()])


def alltoall(
    graph: Any,
    pairs: Iterable[tuple[Any, ...]] | None = None,
    *,
    weight: Attribute = "weight",
    bandwidth: Attribute = None,
    ports: Ports = "one-port",
    time_limit: float | None = None,
) -> Collective:
    """The largest throughput of alltoalls is a packing of paths for all pairs.

    `pairs` are tuples (source, target) or (source, target, size); without them, all pairs of
    nodes that are no switches, with size 1.  Errors are those of `broadcast`.

    Reference and cost: `exactsched.alltoall`.

    >>> import networkx
    >>> alltoall(networkx.cycle_graph(3)).throughput
    Fraction(1, 2)
    """
    given = _Given(graph, weight, bandwidth, ports, time_limit)
    if pairs is None:
        pairs = [(u, v) for u in given.hosts for v in given.hosts if u != v]
    return given.pairs(pairs)


def allgather(
    graph: Any,
    shards: Sizes | None = None,
    *,
    weight: Attribute = "weight",
    bandwidth: Attribute = None,
    ports: Ports = "link",
    time_limit: float | None = None,
) -> Collective:
    """The largest throughput of allgathers is that of the tightest set of nodes.

    `shards` are the nodes of the group, or a mapping of them to the sizes of their shards; without
    them all nodes that are no switches, with size 1.  Errors are those of `broadcast`.

    Reference, limits and cost: `exactsched.allgather`.

    >>> import networkx
    >>> best = allgather(networkx.cycle_graph(4))
    >>> best.throughput, best.structures[0].part
    (Fraction(2, 3), 0)
    """
    from exactsched.steady_state.allgather_any_ports import allgather as solve

    given = _Given(graph, weight, bandwidth, ports, time_limit)
    return given.answer(solve(given.platform, given.named_sizes(shards), **given.options))


def reduce(
    graph: Any,
    target: Hashable,
    group: Iterable[Hashable] | None = None,
    *,
    weight: Attribute = "weight",
    bandwidth: Attribute = None,
    ports: Ports = "one-port",
    time_limit: float | None = None,
) -> Collective:
    """The largest throughput of reduces in any order is a packing of trees to the target.

    The group, all nodes that are no switches without it, adds its values up; the target is in it.
    Errors are those of `broadcast`.  Reference and cost: `exactsched.order_free_reduce`.

    >>> import networkx
    >>> reduce(networkx.path_graph(3), 1).throughput
    Fraction(1, 2)
    """
    from exactsched.steady_state.combination import order_free_reduce as solve

    given = _Given(graph, weight, bandwidth, ports, time_limit)
    among = None if group is None else given.named(group, "group")
    return given.answer(solve(given.platform, given.name(target, "target"), among, **given.options))


def reduce_scatter(
    graph: Any,
    shards: Sizes | None = None,
    *,
    weight: Attribute = "weight",
    bandwidth: Attribute = None,
    ports: Ports = "one-port",
    time_limit: float | None = None,
) -> Collective:
    """The largest throughput of reduce-scatters is a packing of trees to every node.

    Every node of `shards` wants its part of the sum over all nodes that are no switches; the rest
    is as in `allgather`.  Reference and cost: `exactsched.reduce_scatter`.

    >>> import networkx
    >>> reduce_scatter(networkx.cycle_graph(4), ports="link").throughput
    Fraction(2, 3)
    """
    from exactsched.steady_state.combination import reduce_scatter as solve

    given = _Given(graph, weight, bandwidth, ports, time_limit)
    return given.answer(solve(given.platform, given.named_sizes(shards), **given.options))


def allreduce(
    graph: Any,
    group: Iterable[Hashable] | None = None,
    *,
    weight: Attribute = "weight",
    bandwidth: Attribute = None,
    ports: Ports = "one-port",
    time_limit: float | None = None,
) -> Collective:
    """The largest throughput of all-reduces in any order is a packing of trees in and trees out.

    The group, all nodes that are no switches without it, adds its values up, and wants the sum.
    Errors are those of `broadcast`.  Reference and cost: `exactsched.order_free_allreduce`.

    >>> import networkx
    >>> allreduce(networkx.cycle_graph(3), ports="link").throughput
    Fraction(3, 2)
    """
    from exactsched.steady_state.combination import order_free_allreduce as solve

    given = _Given(graph, weight, bandwidth, ports, time_limit)
    among = None if group is None else given.named(group, "group")
    return given.answer(solve(given.platform, among, **given.options))


class _Given:
    """The platform of a graph, and its nodes and arcs in the words of the graph."""

    def __init__(
        self,
        graph: Any,
        weight: Attribute,
        bandwidth: Attribute,
        ports: Ports,
        time_limit: float | None,
    ) -> None:
        self.options: dict[str, Any] = {"ports": ports, "time_limit": time_limit}
        if ports == "routes":
            rule = "routes are those of a platform: take exactsched.from_networkx"
            raise InvalidInput("ports", ports, rule)
        self._given = given = Numbered(graph)
        self._edges = graph.number_of_edges()
        names = _names(given.nodes)
        self._name: dict[Any, Node] = dict(zip(given.nodes, names, strict=True))
        self._node: dict[Node, Any] = dict(zip(names, given.nodes, strict=True))
        switches = [node for node in given.nodes if _is_switch(graph, node)]
        self.hosts = [node for node in given.nodes if node not in set(switches)]
        self._edge: dict[tuple[Node, Node], Edge] = {}
        costs = _costs(given, weight, bandwidth)
        arcs, inner = self._arcs(costs, parallel=ports == "link")
        forwarding = [*(self._name[node] for node in switches), *inner]
        self.platform = Platform([*names, *inner], arcs, switches=forwarding)

    def _arcs(
        self, costs: list[Fraction], parallel: bool
    ) -> tuple[list[tuple[Node, Node, Fraction]], list[str]]:
        """The arcs, and the nodes inside of parallel edges: each but the cheapest has one.

        A message over such an edge is forwarded by that node, without loss: both halves of the
        edge cost as much as it does, and under link ports they work at the same time.
        """
        arcs: list[tuple[Node, Node, Fraction]] = []
        inner: list[str] = []
        for index in sorted(range(len(costs)), key=lambda index: costs[index]):
            edge, cost = self._given.edges[index], costs[index]
            ends = self._name[edge[0]], self._name[edge[1]]
            if ends[0] == ends[1]:
                continue
            if ends not in self._edge:
                self._edge[ends] = edge
                arcs.append((*ends, cost))
            elif parallel:
                between = f"{ends[0]}->{ends[1]}, key {edge[2]}"
                inner.append(between)
                self._edge[ends[0], between] = edge
                arcs += [(ends[0], between, cost), (between, ends[1], cost)]
        return arcs, inner

    def name(self, node: Hashable, noun: str) -> Node:
        """What the platform calls a node of the graph."""
        self._given.place(node, noun)
        return self._name[node]

    def named(self, nodes: Iterable[Hashable], noun: str) -> list[Node]:
        return [self.name(node, noun) for node in self._given.listed(nodes, noun)]

    def named_sizes(self, shards: Sizes | None) -> list[Node] | dict[Node, object] | None:
        """Nodes, or sizes by node, as the platform calls them."""
        if isinstance(shards, Mapping):
            return {self.name(node, "shard"): size for node, size in shards.items()}
        return None if shards is None else self.named(shards, "shards")

    def sizes(self, nodes: Sizes | None, noun: str, without: Hashable) -> Mapping[Any, object]:
        """The size of the message of each node, 1 unless it is given."""
        if isinstance(nodes, Mapping):
            return nodes
        if nodes is None:
            return dict.fromkeys([node for node in self.hosts if node != without], 1)
        return dict.fromkeys(self._given.listed(nodes, noun), 1)

    def pairs(self, pairs: Iterable[tuple[Any, ...]]) -> Collective:
        """The answer for messages from sources to targets."""
        from exactsched.steady_state.alltoall import alltoall as solve

        listed = list(pairs) if isinstance(pairs, Iterable) else [pairs]
        for pair in listed:
            if not isinstance(pair, tuple) or len(pair) not in (2, 3):
                rule = "a list of tuples (source, target) or (source, target, size)"
                raise InvalidInput("pairs", pair, rule)
        demands = [
            (self.name(pair[0], "source"), self.name(pair[1], "target"), *pair[2:])
            for pair in listed
        ]
        return self.answer(solve(self.platform, demands, **self.options))

    def answer(self, solution: Solution, parts: bool = True) -> Collective:
        """The solution in nodes and edges of the graph; a broadcast has no parts."""
        from exactsched.steady_state.solution import solution_of

        problem = solution.problem
        arcs = problem.platform.arcs
        part = self._parts(problem) if parts else lambda _: None
        structures = []
        for one in solution_of(solution).structures:
            ends = [(arcs[place].tail, arcs[place].head) for place in one.arcs if place < len(arcs)]
            edges = tuple(self._edge[pair] for pair in ends if pair in self._edge)
            structures.append(Structure(one.weight, part(one.part), edges))
        throughput, bound = solution.throughput, solution.bound
        sizes = f"{counted(self._given.size, 'node')}, {counted(self._edges, 'edge')}"
        name = collective_name(problem, self._shown)
        asked = f"{name}, {sizes}, {problem.ports}"
        found = throughput, bound, solution.optimal, tuple(structures)
        return Collective(solution, *found, solution, asked, self._edge)

    def _shown(self, node: Any) -> str:
        return one_line(self._node[node])

    def _parts(self, problem: Any) -> Callable[[int], Any]:
        """What a part of an operation is: a pair, the owner of a shard, or who wants a sum."""
        if isinstance(problem, Alltoall):
            demands = [(self._node[one.source], self._node[one.target]) for one in problem.demands]
            return demands.__getitem__
        if isinstance(problem, Allgather):
            return [self._node[root.node] for root in problem.roots].__getitem__
        if isinstance(problem, Combination):
            wanted = [tuple(self._node[node] for node in one.targets) for one in problem.blocks]
            return lambda part: wanted[part][0] if len(wanted[part]) == 1 else wanted[part]
        return lambda _: None


def _names(nodes: list[Any]) -> list[Node]:
    """Themselves, if a platform takes them; else their `str`, `repr`, or numbers."""
    if all(type(node) in (int, str) for node in nodes) and _distinct(map(str, nodes)):
        return nodes
    for written in (str, repr):
        texts: list[Node] = [written(node) for node in nodes]
        if _distinct(texts):
            return texts
    return list(range(len(nodes)))


def _distinct(names: Iterable[object]) -> bool:
    listed = list(names)
    return len(set(listed)) == len(listed)


def _is_switch(graph: Any, node: Hashable) -> bool:
    role = graph.nodes[node].get("role", "compute")
    if role not in ("compute", "switch"):
        raise InvalidInput(f"node {node!r}, role", role, 'it is "compute" or "switch"')
    return bool(role == "switch")


def _costs(given: Numbered, weight: Attribute, bandwidth: Attribute) -> list[Fraction]:
    if bandwidth is None:
        return given.numbers(weight, instead=_INSTEAD)
    widths = given.numbers(bandwidth, 0, noun="bandwidth")
    for edge, width in zip(given.edges, widths, strict=True):
        if width <= 0:
            rule = "a bandwidth is positive; 0 is that of an edge without one"
            raise InvalidInput(f"edge {edge!r}, bandwidth", str(width), rule)
    return [1 / width for width in widths]
