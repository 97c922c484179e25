"""Both sides of the min-max theorems on graphs, each with its instance, as plain frozen data.

Every kernel of `exactsched.graphs` solves one of these theorems and returns its record: what was
asked, a solution, and the witness that none is better.  The records promise nothing:
`exactsched.check` believes none of them and returns the value that it has proved.

Nodes are 0..size-1.  Arcs are pairs (tail, head), edges pairs of ends; parallel ones are allowed
and are told apart by their index.  What a record claims, such as its `value`, is a `Fraction`;
numbers in lists are `int` where they are whole, otherwise `Fraction`.  An arc enters a set of
nodes if its head is in it and its tail is not.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, NamedTuple

from exactsched.certificate import rules
from exactsched.certificate.result import Result
from exactsched.certificate.rules import (
    ArcIndex,
    Count,
    EdgeIndex,
    Index,
    Natural,
    NodeIndex,
    NotNegative,
    Positive,
)
from exactsched.exact.errors import Malformed
from exactsched.exact.rational import Rational, to_json


class FlowOnArc(NamedTuple):
    """An amount on an arc; arcs that are not named carry 0."""

    arc: ArcIndex
    amount: Rational


class RootSet(NamedTuple):
    """Different nodes, and the demand for branchings from them."""

    nodes: tuple[NodeIndex, ...]
    demand: NotNegative


class WeightedBranching(NamedTuple):
    """A branching from a root set, given by its index."""

    root_set: Annotated[int, Index("root set")]
    weight: Positive
    arcs: tuple[ArcIndex, ...]


class WeightedTree(NamedTuple):
    """A spanning arborescence."""

    weight: Positive
    arcs: tuple[ArcIndex, ...]


class Link(NamedTuple):
    """A path through switches, by its arcs in order, and how much of each of them it takes."""

    arcs: tuple[ArcIndex, ...]
    capacity: Positive


class WeightedCut(NamedTuple):
    """The set of nodes order[start:stop], which is not empty; sets may overlap in any way."""

    start: Natural
    stop: Count
    weight: Positive


class ColorClass(NamedTuple):
    """A matching, by its edges, and how many colors it has, each for one copy of each edge."""

    colors: Count
    edges: tuple[EdgeIndex, ...]


class TimedMatching(NamedTuple):
    """A matching, given by its edges, and how long it lasts."""

    duration: Positive
    edges: tuple[EdgeIndex, ...]


Pairs = tuple[tuple[NodeIndex, NodeIndex], ...]


@dataclass(frozen=True, slots=True)
class MaximumFlow(Result):
    """A flow and a cut of the same value (Ford and Fulkerson 1956).

    - `size`: the number of nodes
    - `arcs`: pairs (tail, head)
    - `capacities`: one for each arc
    - `source`, `sink`: two different nodes
    - `flow`: for each arc an amount between 0 and its capacity, conserved at all other nodes
    - `cut`: a set with the source and without the sink; what leaves it has capacity `value`
    - `value`: the net flow into the sink
    """

    size: Count
    arcs: Pairs
    capacities: tuple[NotNegative, ...]
    source: NodeIndex
    sink: NodeIndex
    flow: tuple[Rational, ...]
    cut: tuple[NodeIndex, ...]
    value: Fraction

    def validate(self) -> None:
        _network(self.size, self.arcs, self.capacities, "capacities")
        rules.index(self.source, self.size, "source", "node")
        rules.index(self.sink, self.size, "sink", "node")
        if self.source == self.sink:
            raise Malformed("sink", self.sink, "source and sink are two nodes")
        rules.one_each(self.flow, self.arcs, "flow", "arc")
        rules.distinct(self.cut, self.size, "cut", "node")


@dataclass(frozen=True, slots=True)
class MinimumRootCut(Result):
    """The least capacity that enters a set of nodes without the root, and why none is smaller.

    Every set without the root is entered by at least `value`: look at its first node in the order,
    and at the flow into this node.

    - `size`: the number of nodes
    - `arcs`: pairs (tail, head)
    - `capacities`: one for each arc
    - `root`: the root
    - `cut`: a set without the root, entered by capacity `value`
    - `order`: all nodes but the root, each once
    - `flows`: for each node of the order a flow of at least `value` into it, from the root and
      the nodes before it; it names no arc twice
    - `value`: the least capacity
    """

    size: Count
    arcs: Pairs
    capacities: tuple[NotNegative, ...]
    root: NodeIndex
    cut: tuple[NodeIndex, ...]
    order: tuple[NodeIndex, ...]
    flows: tuple[tuple[FlowOnArc, ...], ...]
    value: Fraction

    def validate(self) -> None:
        _network(self.size, self.arcs, self.capacities, "capacities")
        rules.index(self.root, self.size, "root", "node")
        rules.distinct(self.cut, self.size, "cut", "node")
        rules.order_without(self.root, self.order, self.size)
        rules.one_each(self.flows, self.order, "flows", "node of the order")
        for position, flow in enumerate(self.flows):
            arcs = rules.column(flow, 0)
            rules.distinct(arcs, len(self.arcs), f"flows[{position}]", "arc", "[0]")


@dataclass(frozen=True, slots=True)
class BranchingPacking(Result):
    """Branchings that share the capacities, as many from each root set as demanded.

    The arcs of a branching enter every node outside its root set exactly once, enter no node of
    it, and contain no directed cycle.

    - `size`: the number of nodes
    - `arcs`: pairs (tail, head)
    - `capacities`: one for each arc; the branchings that contain it weigh no more in total
    - `roots`: root sets, not empty
    - `branchings`: those of a root set weigh its demand in total
    """

    size: Count
    arcs: Pairs
    capacities: tuple[NotNegative, ...]
    roots: tuple[RootSet, ...]
    branchings: tuple[WeightedBranching, ...]

    def validate(self) -> None:
        _network(self.size, self.arcs, self.capacities, "capacities")
        _root_sets(self.roots, self.size)
        _branchings(self.branchings, len(self.roots), len(self.arcs))


@dataclass(frozen=True, slots=True)
class UnmetDemand(Result):
    """A set of nodes that shows that no `BranchingPacking` of these demands exists (Edmonds 1973).

    - `size`: the number of nodes
    - `arcs`: pairs (tail, head)
    - `capacities`: one for each arc
    - `roots`: root sets, not empty
    - `nodes`: a set of nodes
    - `entering`: the capacity that enters them, less than `needed`
    - `needed`: the total demand of the root sets that are disjoint from them
    """

    size: Count
    arcs: Pairs
    capacities: tuple[NotNegative, ...]
    roots: tuple[RootSet, ...]
    nodes: tuple[NodeIndex, ...]
    entering: Fraction
    needed: Fraction

    def validate(self) -> None:
        _network(self.size, self.arcs, self.capacities, "capacities")
        _root_sets(self.roots, self.size)
        rules.distinct(self.nodes, self.size, "nodes", "node")


@dataclass(frozen=True, slots=True)
class SplittingOff(Result):
    """Paths through switches that keep the capacity into every set of the other nodes.

    Every nonempty set of nodes that are no switches is entered by links of at least the demand of
    the nodes outside: look at its first node in the order, and at the flow into this node.

    - `size`: the number of nodes
    - `arcs`: pairs (tail, head)
    - `capacities`: one for each arc; the links that contain it take no more in total
    - `switches`: the nodes that only forward
    - `demands`: one for each node, 0 at a switch
    - `links`: paths of at least one arc from a node that is no switch to another one, through
      switches only, that visit no node twice
    - `order`: all nodes that are no switches, each once
    - `flows`: for each node of the order a flow of at least the total demand into it, from the
      demand where it is and from the nodes before; [i, amount] is an amount on link i, or, from
      the number of links on, of the demand of node i - that number; it names no i twice
    """

    size: Count
    arcs: Pairs
    capacities: tuple[NotNegative, ...]
    switches: tuple[NodeIndex, ...]
    demands: tuple[NotNegative, ...]
    links: tuple[Link, ...]
    order: tuple[NodeIndex, ...]
    flows: tuple[tuple[FlowOnArc, ...], ...]

    def validate(self) -> None:
        _network(self.size, self.arcs, self.capacities, "capacities")
        rules.distinct(self.switches, self.size, "switches", "node")
        rules.one_each(self.demands, range(self.size), "demands", "node")
        paths = [path for path, _ in self.links]
        for position, path in enumerate(paths):
            rules.not_empty(path, f"links[{position}][0]")
        rules.indices_of_lists(paths, len(self.arcs), "links[{}][0]", "arc")
        rules.distinct(self.order, self.size, "order", "node")
        rules.one_each(self.flows, self.order, "flows", "node of the order")
        for position, flow in enumerate(self.flows):
            entries, of = rules.column(flow, 0), len(self.links) + self.size
            rules.distinct(entries, of, f"flows[{position}]", "arc", "[0]")


@dataclass(frozen=True, slots=True)
class ConcurrentBranchingPacking(Result):
    """Branchings for the largest common multiple of all demands, and why none is larger.

    With every demand multiplied by `value` they are a `BranchingPacking` (Edmonds 1973).

    - `size`: the number of nodes
    - `arcs`: pairs (tail, head)
    - `capacities`: one for each arc
    - `roots`: root sets, not empty
    - `branchings`: those of a root set weigh `value` times its demand in total
    - `nodes`: a set, not empty
    - `value`: the capacity that enters `nodes` divided by the total demand, not 0, of the root
      sets that are disjoint from them
    """

    size: Count
    arcs: Pairs
    capacities: tuple[NotNegative, ...]
    roots: tuple[RootSet, ...]
    branchings: tuple[WeightedBranching, ...]
    nodes: tuple[NodeIndex, ...]
    value: Fraction

    def validate(self) -> None:
        _network(self.size, self.arcs, self.capacities, "capacities")
        _root_sets(self.roots, self.size)
        _branchings(self.branchings, len(self.roots), len(self.arcs))
        rules.distinct(self.nodes, self.size, "nodes", "node")


@dataclass(frozen=True, slots=True)
class ArborescenceDecomposition(Result):
    """Weighted spanning arborescences from one root, as many as the least root cut (Edmonds 1973).

    - `size`: the number of nodes
    - `arcs`: pairs (tail, head)
    - `capacities`: one for each arc; the trees that contain it weigh no more in total
    - `root`: the root of all trees
    - `trees`: arborescences, which weigh `value` in total
    - `cut`: a set without the root, not empty, entered by capacity `value`
    - `value`: the total weight
    """

    size: Count
    arcs: Pairs
    capacities: tuple[NotNegative, ...]
    root: NodeIndex
    trees: tuple[WeightedTree, ...]
    cut: tuple[NodeIndex, ...]
    value: Fraction

    def validate(self) -> None:
        _network(self.size, self.arcs, self.capacities, "capacities")
        rules.index(self.root, self.size, "root", "node")
        trees = [tree.arcs for tree in self.trees]
        rules.indices_of_lists(trees, len(self.arcs), "trees[{}][1]", "arc")
        rules.distinct(self.cut, self.size, "cut", "node")


@dataclass(frozen=True, slots=True)
class MinimumCostArborescence(Result):
    """A spanning arborescence and a packing of root cuts of the same value (Fulkerson 1974).

    - `size`: the number of nodes
    - `arcs`: pairs (tail, head)
    - `costs`: one for each arc; the cuts that it enters weigh no more in total
    - `root`: the root
    - `tree`: the arcs of the arborescence
    - `order`: nodes without the root, each at most once
    - `cuts`: parts of the order, which weigh `value` in total
    - `value`: the cost of the tree
    """

    size: Count
    arcs: Pairs
    costs: tuple[NotNegative, ...]
    root: NodeIndex
    tree: tuple[ArcIndex, ...]
    order: tuple[NodeIndex, ...]
    cuts: tuple[WeightedCut, ...]
    value: Fraction

    def validate(self) -> None:
        _network(self.size, self.arcs, self.costs, "costs")
        rules.index(self.root, self.size, "root", "node")
        rules.indices(self.tree, len(self.arcs), "tree", "arc")
        rules.order_without(self.root, self.order, self.size)
        for position, (start, stop, _) in enumerate(self.cuts):
            if not start < stop <= len(self.order):
                part = [to_json(start), to_json(stop)]
                rule = "a cut is a part of the order that is not empty"
                raise Malformed(f"cuts[{position}]", part, rule)


@dataclass(frozen=True, slots=True)
class EdgeColoring(Result):
    """A bipartite multigraph colored with as many colors as its largest degree (Konig 1916).

    - `edges`: pairs (left, right); the nodes of the two sides are numbered separately
    - `multiplicities`: one for each edge
    - `classes`: those with an edge have as many colors as it has copies
    - `colors`: the number of colors of all classes
    """

    edges: tuple[tuple[Natural, Natural], ...]
    multiplicities: tuple[Count, ...]
    classes: tuple[ColorClass, ...]
    colors: int

    def validate(self) -> None:
        rules.one_each(self.multiplicities, self.edges, "multiplicities", "edge")
        classes = [edges for _, edges in self.classes]
        rules.indices_of_lists(classes, len(self.edges), "classes[{}][1]", "edge")


@dataclass(frozen=True, slots=True)
class MatchingDecomposition(Result):
    """A weighted bipartite graph as a sum of matchings that last as long as its maximum load.

    - `edges`: pairs (left, right); the nodes of the two sides are numbered separately
    - `weights`: one for each edge
    - `matchings`: those with an edge last as long as its weight, in total
    - `value`: how long all matchings last
    """

    edges: tuple[tuple[Natural, Natural], ...]
    weights: tuple[Positive, ...]
    matchings: tuple[TimedMatching, ...]
    value: Fraction

    def validate(self) -> None:
        _matchings(self.edges, self.weights, self.matchings)


@dataclass(frozen=True, slots=True)
class FractionalEdgeColoring(Result):
    """A weighted graph as a sum of matchings, and why they cannot last less long (Edmonds 1965).

    - `size`: the number of nodes
    - `edges`: pairs of different nodes
    - `weights`: one for each edge
    - `matchings`: those with an edge last as long as its weight, in total
    - `witness`: a single node, whose load is `value`, or an odd set S of at least three nodes,
      and `value` is the weight inside S divided by (|S| - 1) / 2
    - `value`: how long all matchings last
    """

    size: Count
    edges: Pairs
    weights: tuple[Positive, ...]
    matchings: tuple[TimedMatching, ...]
    witness: tuple[NodeIndex, ...]
    value: Fraction

    def validate(self) -> None:
        rules.graph_size(self.size)
        rules.ends(self.edges, self.size, "edges")
        for position, (one, other) in enumerate(self.edges):
            if one == other:
                raise Malformed(f"edges[{position}]", one, "an edge joins two nodes")
        _matchings(self.edges, self.weights, self.matchings)
        rules.distinct(self.witness, self.size, "witness", "node")


GraphCertificate = (
    MaximumFlow
    | MinimumRootCut
    | BranchingPacking
    | UnmetDemand
    | SplittingOff
    | ConcurrentBranchingPacking
    | ArborescenceDecomposition
    | MinimumCostArborescence
    | EdgeColoring
    | MatchingDecomposition
    | FractionalEdgeColoring
)


def _network(size: int, arcs: Pairs, numbers: tuple[Rational, ...], place: str) -> None:
    rules.graph_size(size)
    rules.ends(arcs, size, "arcs")
    rules.one_each(numbers, arcs, place, "arc")


def _root_sets(roots: tuple[RootSet, ...], size: int) -> None:
    for position, (nodes, _) in enumerate(roots):
        place = f"roots[{position}][0]"
        if not nodes:
            raise Malformed(place, [], "a root set is not empty")
        rules.distinct(nodes, size, place, "node")


def _branchings(branchings: tuple[WeightedBranching, ...], roots: int, arcs: int) -> None:
    for position, branching in enumerate(branchings):
        rules.index(branching.root_set, roots, f"branchings[{position}][0]", "root set")
    packed = [branching.arcs for branching in branchings]
    rules.indices_of_lists(packed, arcs, "branchings[{}][2]", "arc")


def _matchings(
    edges: Pairs, weights: tuple[Rational, ...], matchings: tuple[TimedMatching, ...]
) -> None:
    rules.one_each(weights, edges, "weights", "edge")
    matched = [matching.edges for matching in matchings]
    rules.indices_of_lists(matched, len(edges), "matchings[{}][1]", "edge")
