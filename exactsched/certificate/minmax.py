"""Both sides of the classical min-max theorems, each with its instance, as plain frozen data.

Every kernel of the package solves one of these theorems and returns its noun: what was asked, a
solution, and the witness that none is better.  Like all nouns of this package they promise
nothing: `exactsched.check` believes none of it and returns the value that it has proved.

Nodes are 0..size-1.  `arcs` are pairs (tail, head), `edges` pairs of ends; parallel ones are
allowed and are told apart by their index.  Numbers are `int` where they are whole, otherwise
`Fraction`.  A set of nodes is entered by the arcs whose head is in it and whose tail is not.
"""

from __future__ import annotations

from dataclasses import dataclass

from exactsched.exact.rational import Rational

Pairs = tuple[tuple[int, int], ...]
Entries = tuple[tuple[int, Rational], ...]  # (index, number), sparse


@dataclass(frozen=True, slots=True)
class MaximumFlow:
    """A flow and a cut of the same value (Ford and Fulkerson 1956).

    `flow` is the amount on every arc, between 0 and its capacity, conserved at every node but
    source and sink.  `cut` are nodes with the source and without the sink; the capacities of the
    arcs that leave them add up to `value`, the net flow out of the source.
    """

    size: int
    arcs: Pairs
    capacities: tuple[Rational, ...]
    source: int
    sink: int
    flow: tuple[Rational, ...]
    cut: tuple[int, ...]
    value: Rational


@dataclass(frozen=True, slots=True)
class MinimumRootCut:
    """The least capacity that enters a set of nodes without the root, and why none is smaller.

    `cut` is such a set, entered by capacity `value`.  `order` lists all nodes but the root;
    `flows[i]` is a flow (arc, amount) of value at least `value` into `order[i]` from the root and
    the nodes before it.  So every set without the root is entered by at least `value`: look at
    its first node in the order.
    """

    size: int
    arcs: Pairs
    capacities: tuple[Rational, ...]
    root: int
    cut: tuple[int, ...]
    order: tuple[int, ...]
    flows: tuple[Entries, ...]
    value: Rational


@dataclass(frozen=True, slots=True)
class BranchingPacking:
    """Branchings that share the capacities, as many from each root set as demanded.

    `roots` are pairs (distinct nodes, demand).  `branchings` are triples (index of a root set,
    weight, arcs): the arcs enter every node outside the root set exactly once, enter no node of
    it, and contain no directed cycle.  The weights of the branchings of a root set add up to its
    demand; those of the branchings that contain an arc add up to at most its capacity.
    """

    size: int
    arcs: Pairs
    capacities: tuple[Rational, ...]
    roots: tuple[tuple[tuple[int, ...], Rational], ...]
    branchings: tuple[tuple[int, Rational, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class UnmetDemand:
    """A node set that shows that no `BranchingPacking` of these demands exists (Edmonds 1973).

    The capacity `entering` that enters `nodes` is less than `needed`, the total demand of the
    root sets that are disjoint from them.
    """

    size: int
    arcs: Pairs
    capacities: tuple[Rational, ...]
    roots: tuple[tuple[tuple[int, ...], Rational], ...]
    nodes: tuple[int, ...]
    entering: Rational
    needed: Rational


@dataclass(frozen=True, slots=True)
class ConcurrentBranchingPacking:
    """Branchings for the largest common multiple of all demands, and why none is larger.

    With every demand multiplied by `value` they are a `BranchingPacking`.  `nodes` is a set, not
    empty, and `value` the capacity that enters it divided by the total demand, not 0, of the
    root sets that are disjoint from it (Edmonds 1973).
    """

    size: int
    arcs: Pairs
    capacities: tuple[Rational, ...]
    roots: tuple[tuple[tuple[int, ...], Rational], ...]
    branchings: tuple[tuple[int, Rational, tuple[int, ...]], ...]
    nodes: tuple[int, ...]
    value: Rational


@dataclass(frozen=True, slots=True)
class ArborescenceDecomposition:
    """Weighted spanning arborescences from one root, as many as the least root cut (Edmonds 1973).

    `trees` are pairs (weight, arcs) that share the capacities and weigh `value` together; `cut`
    is a set without the root, not empty, entered by capacity `value`.
    """

    size: int
    arcs: Pairs
    capacities: tuple[Rational, ...]
    root: int
    trees: tuple[tuple[Rational, tuple[int, ...]], ...]
    cut: tuple[int, ...]
    value: Rational


@dataclass(frozen=True, slots=True)
class MinimumCostArborescence:
    """A spanning arborescence and a packing of root cuts of the same value (Fulkerson 1974).

    `order` lists all nodes but the root; each (start, stop, weight) of `cuts` is the node set
    `order[start:stop]` with a positive weight.  The weights of the sets that an arc enters add up
    to at most its cost, and all weights to `value`, the cost of `tree`.
    """

    size: int
    arcs: Pairs
    costs: tuple[Rational, ...]
    root: int
    tree: tuple[int, ...]
    order: tuple[int, ...]
    cuts: tuple[tuple[int, int, Rational], ...]
    value: Rational


@dataclass(frozen=True, slots=True)
class EdgeColoring:
    """A bipartite multigraph colored with as many colors as its largest degree (Konig 1916).

    An edge (left, right) joins node `left` of one side to node `right` of the other, which are
    numbered separately, and has a multiplicity.  `classes` are pairs (number of colors, edge
    indices): each of this many colors is given to one copy of each of these edges, a matching.
    The colors of all classes add up to `colors`, those of the classes with an edge to its
    multiplicity.
    """

    edges: Pairs
    multiplicities: tuple[int, ...]
    classes: tuple[tuple[int, tuple[int, ...]], ...]
    colors: int


@dataclass(frozen=True, slots=True)
class MatchingDecomposition:
    """A weighted bipartite graph as a sum of matchings that last as long as its maximum load.

    Edges as in `EdgeColoring`, weights positive.  `matchings` are pairs (duration, edge indices);
    the durations of those with an edge add up to its weight, all durations to `value`.
    """

    edges: Pairs
    weights: tuple[Rational, ...]
    matchings: tuple[tuple[Rational, tuple[int, ...]], ...]
    value: Rational


@dataclass(frozen=True, slots=True)
class FractionalEdgeColoring:
    """A weighted graph as a sum of matchings, and why they cannot last less long (Edmonds 1965).

    `matchings` as in `MatchingDecomposition`, in any graph without loops.  `witness` is a single
    node, whose load is `value`, or an odd set S of at least three nodes, and `value` is the weight
    inside S divided by (|S| - 1) / 2.
    """

    size: int
    edges: Pairs
    weights: tuple[Rational, ...]
    matchings: tuple[tuple[Rational, tuple[int, ...]], ...]
    witness: tuple[int, ...]
    value: Rational


@dataclass(frozen=True, slots=True)
class LinearProgram:
    """Maximize the sum of objective[j] * x[j] over A x <= b.

    `rows[i]` are the entries (column, coefficient) of row i, `right_sides[i]` is its b.  The rows
    in `equalities` hold with =, the variables in `nonnegative` are at least 0, all others free.
    """

    objective: tuple[Rational, ...]
    rows: tuple[Entries, ...]
    right_sides: tuple[Rational, ...]
    equalities: tuple[int, ...] = ()
    nonnegative: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class LinearOptimum:
    """A feasible `primal` and a feasible `dual` of the same value; zeros are left out.

    A dual y is feasible if y[i] >= 0 unless row i is an equality, and y A = objective, where
    for nonnegative variables y A >= objective is enough.
    """

    program: LinearProgram
    primal: Entries
    dual: Entries
    value: Rational


@dataclass(frozen=True, slots=True)
class LinearInfeasibility:
    """Farkas' witness that no x is feasible: multipliers of the rows that add up to 0 <= -1 or so.

    `multipliers` y: y[i] >= 0 unless row i is an equality; y A = 0, where for nonnegative
    variables y A >= 0 is enough; and y b < 0.
    """

    program: LinearProgram
    multipliers: Entries


@dataclass(frozen=True, slots=True)
class LinearUnboundedness:
    """A feasible `point` and a `ray` along which the objective grows without leaving the rows.

    A ray <= 0, = 0 in equalities, ray >= 0 on nonnegative variables, objective * ray > 0.
    """

    program: LinearProgram
    point: Entries
    ray: Entries


LinearOutcome = LinearOptimum | LinearInfeasibility | LinearUnboundedness

MinMax = (
    MaximumFlow
    | MinimumRootCut
    | BranchingPacking
    | UnmetDemand
    | ConcurrentBranchingPacking
    | ArborescenceDecomposition
    | MinimumCostArborescence
    | EdgeColoring
    | MatchingDecomposition
    | FractionalEdgeColoring
    | LinearOutcome
)
