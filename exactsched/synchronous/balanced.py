"""Broadcast by Balanced Saturation as published: balanced occupancies and cyclic frames.

From Balanced Saturation (2025), sections 2.2 and 2.3; numbers in parentheses are its equations.
What is ambiguous or wrong there, and how it is read here: `proofs/rounds-published.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from exactsched.certificate.linear_programs import LinearOptimum
from exactsched.exact.arguments import exact_numbers, over_common_denominator
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import Rational, readable
from exactsched.graphs.edge_coloring import color_edges
from exactsched.graphs.fractional_edge_coloring import color_fractionally
from exactsched.graphs.reachability import bipartition, breadth_first
from exactsched.graphs.root_cut import minimum_root_cut
from exactsched.linear_programs.linear_program import linear_program, maximize
from exactsched.synchronous.baselines import arcs_from, root_of
from exactsched.synchronous.graph import SynchronousGraph


@readable
@dataclass(frozen=True, slots=True)
class BalancedSolution:
    """An `occupancy` of every arc of a graph, by which all nodes but the root receive at `rate`."""

    graph: SynchronousGraph
    occupancy: tuple[Rational, ...]
    rate: Fraction

    def multiplicities(self) -> tuple[int, ...]:
        """The numbers of parallel edges k_ij: occupancies over their least common denominator."""
        values = [Fraction(value) for value in self.occupancy]
        common = lcm(*(value.denominator for value in values))
        return tuple(int(value * common) for value in values)


def largest_rate(graph: SynchronousGraph, arcs: Iterable[int] | None = None) -> BalancedSolution:
    """The balanced solution with the largest rate C, by the linear program (6), (7), (8), (14).

    Only the given arcs are used, all without them; none into the root, which lacks nothing and to
    which (8) does not apply.  No cut is required to be crossed, so C may be more than any broadcast
    reaches.  Raises `InvalidInput` for arcs that are not numbered as the graph's, and where no
    rate is positive.  One exact linear program with m + 1 variables.

    >>> from exactsched.synchronous.graph import synchronous_graph
    >>> from exactsched.platforms.built_in import grid
    >>> square = synchronous_graph(grid(4, 4), 0)
    >>> largest_rate(square).rate
    Fraction(8, 15)
    >>> largest_rate(square, outward_arcs(square)).rate
    Fraction(2, 5)
    """
    return _solved(graph, _usable(graph, arcs), None, ())


def balanced_solution(graph: SynchronousGraph, rate: object) -> BalancedSolution:
    """A balanced solution with the given rate in which arcs away from the root work the most.

    The paper chooses one of many without saying which.  The rate enters every set of nodes without
    the root: (8) alone is kept by packets that go in circles and never came from the root.  The
    program has the two ends of every arc and the nodes from each distance on as such sets; others
    are added until a minimum cut shows that none is entered by less.  Raises `InvalidInput` for a
    rate that is not exact, or not positive, or more than all this allows.  One exact linear program
    with m + 1 variables for each set that is added.

    >>> from exactsched.synchronous.graph import synchronous_graph
    >>> from exactsched.platforms.built_in import grid
    >>> square = balanced_solution(synchronous_graph(grid(4, 4), 0), "1/2")
    >>> square.rate, sum(square.occupancy)
    (Fraction(1, 2), Fraction(15, 2))
    """
    (wanted,) = exact_numbers([rate], "rate", 1)
    if wanted <= 0:
        raise InvalidInput("rate", rate, "a positive rate")
    arcs = _usable(graph, None)
    ends = [(tail, head) for tail, head, _ in graph.arcs]
    distance = distances(graph)
    cuts = [frozenset(pair) for pair in ends if root_of(graph) not in pair]
    cuts += [
        frozenset(node for node in range(graph.size) if distance[node] >= level)
        for level in range(2, max(distance) + 1)
    ]
    cuts = list(dict.fromkeys(cuts))
    while True:
        solution = _solved(graph, arcs, wanted, cuts)
        if graph.size == 1:
            return solution
        least = minimum_root_cut(graph.size, root_of(graph), ends, solution.occupancy)
        if least.value >= wanted:
            return solution
        cuts.append(frozenset(least.cut))


def outward_arcs(graph: SynchronousGraph) -> list[int]:
    """The arcs whose head is farther from the root than their tail.

    >>> outward_arcs(SynchronousGraph(2, ((0, 1, 1), (1, 0, 1)), (0,), ()))
    [0]
    """
    distance = distances(graph)
    return [
        arc for arc, (tail, head, _) in enumerate(graph.arcs) if distance[head] > distance[tail]
    ]


def distances(graph: SynchronousGraph) -> list[int]:
    """The distance of every node from the root, in arcs.

    >>> distances(SynchronousGraph(3, ((0, 1, 1), (1, 2, 1), (2, 0, 1)), (0,), ()))
    [0, 1, 2]
    """
    leaving = arcs_from(graph)
    distance = breadth_first([root_of(graph)], lambda node: [head for _, head in leaving[node]])
    return [distance.get(node, -1) for node in range(graph.size)]


def balanced_frames(solution: BalancedSolution) -> list[tuple[int, ...]]:
    """The frames of one cycle, in order: arcs that are matchings, all arcs in the ratio of k_ij.

    Every edge has the direction in which the occupancy uses it.  On a bipartite graph every arc is
    used k_ij times, and the frames are as many as the largest degree of the multigraph (Konig).  On
    others a fractional edge coloring says how long each matching lasts; the cycle is as long as is
    needed for whole numbers.  It takes more steps for a packet where odd sets of nodes demand it.

    The first frame is the one with the largest deficit at its heads, summed, then with the farthest
    heads; a deficit is what a node is still to receive in this cycle.

    >>> from exactsched.synchronous.graph import synchronous_graph
    >>> from exactsched.platforms.built_in import complete, grid
    >>> path = BalancedSolution(synchronous_graph(grid(3), 0), ("1/2", 0, "1/2", 0), "1/2")
    >>> balanced_frames(path)
    [(2,), (0,)]
    >>> triangle = synchronous_graph(complete(3), 0)
    >>> triangle = BalancedSolution(triangle, ("1/2", "1/2", 0, 0, 0, 0), "1/2")
    >>> balanced_frames(triangle)
    [(0,), (1,)]
    """
    graph = solution.graph
    distance = distances(graph)
    unordered = _matchings(graph, solution.multiplicities())
    deficit = [0] * graph.size
    for frame in unordered:
        for arc in frame:
            deficit[graph.arcs[arc][1]] += 1
    frames = []
    while unordered:

        def merit(index: int) -> tuple[int, int, int]:
            heads = [graph.arcs[arc][1] for arc in unordered[index]]
            lacked = sum(deficit[head] for head in heads)
            return lacked, sum(distance[head] for head in heads), -index

        frame = unordered.pop(max(range(len(unordered)), key=merit))
        for arc in frame:
            deficit[graph.arcs[arc][1]] -= 1
        frames.append(frame)
    return frames


def _matchings(graph: SynchronousGraph, copies: Sequence[int]) -> list[tuple[int, ...]]:
    """Matchings that use the arcs in the ratio of their copies."""
    used = [arc for arc, number in enumerate(copies) if number]
    ends = [graph.arcs[arc][:2] for arc in used]
    weights = [copies[arc] for arc in used]
    side = bipartition(graph.size, ends)
    classes: Sequence[tuple[Rational, tuple[int, ...]]]
    if side is None:
        classes = color_fractionally(graph.size, ends, weights).matchings
    else:
        edges = [(tail, head) if tail in side else (head, tail) for tail, head in ends]
        classes = color_edges(edges, weights).classes
    numbers, _ = over_common_denominator([number for number, _ in classes])
    return [
        tuple(used[edge] for edge in edges_of_class)
        for number, (_, edges_of_class) in zip(numbers, classes, strict=True)
        for _ in range(number)
    ]


def _usable(graph: SynchronousGraph, arcs: Iterable[int] | None) -> list[int]:
    root = root_of(graph)
    chosen = sorted(set(range(len(graph.arcs)) if arcs is None else arcs))
    for arc in chosen:
        if type(arc) is not int or not 0 <= arc < len(graph.arcs):
            raise InvalidInput("arc", arc, f"an arc is an integer from 0 to {len(graph.arcs) - 1}")
    return [arc for arc in chosen if graph.arcs[arc][1] != root]


def _solved(
    graph: SynchronousGraph, arcs: list[int], rate: Rational | None, cuts: Sequence[frozenset[int]]
) -> BalancedSolution:
    root = root_of(graph)
    into: list[list[int]] = [[] for _ in range(graph.size)]
    out_of: list[list[int]] = [[] for _ in range(graph.size)]
    for column, arc in enumerate(arcs):
        tail, head, _ = graph.arcs[arc]
        out_of[tail].append(column)
        into[head].append(column)
    last = len(arcs)  # the column of C
    rows: list[Mapping[int, int]] = [dict.fromkeys(range(last), 1)]  # (6)
    right: list[Rational] = [graph.size // 2]
    equalities = []
    for node in range(graph.size):
        rows.append(dict.fromkeys(out_of[node] + into[node], 1))  # (7)
        right.append(1)
        if node == root:
            continue
        equalities.append(len(rows))  # (8) follows: O_ij <= C, what flows into i and into j
        rows.append({last: -1, **dict.fromkeys(into[node], 1)})  # (14)
        right.append(0)
    for cut in cuts:
        ends = [graph.arcs[arc] for arc in arcs]
        entering = [c for c, (tail, head, _) in enumerate(ends) if head in cut and tail not in cut]
        rows.append({last: 1, **dict.fromkeys(entering, -1)})
        right.append(0)
    if rate is None:
        objective = [0] * last + [1]
    else:
        equalities.append(len(rows))
        rows.append({last: 1})
        right.append(rate)
        outward = set(outward_arcs(graph))
        objective = [int(arc in outward) for arc in arcs] + [0]
    program = linear_program(objective, rows, right, equalities, range(last + 1))
    outcome = maximize(program)
    if not isinstance(outcome, LinearOptimum):
        raise InvalidInput("rate", rate, "a rate that (6), (7), (8) and (14) allow")
    values = dict(outcome.primal)
    if not values.get(last):
        raise InvalidInput("arcs", len(arcs), "arcs over which every node can receive")
    occupancy: list[Rational] = [0] * len(graph.arcs)
    for column, arc in enumerate(arcs):
        occupancy[arc] = values.get(column, 0)
    return BalancedSolution(graph, tuple(occupancy), Fraction(values[last]))
