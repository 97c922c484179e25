"""The best occupancy proof of a small graph, with prices of their own for the last step.

A linear program over all cuts and odd sets: bound 5 of `proofs/rounds-certificates.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations

from exactsched.certificate.linear_programs import LinearOptimum
from exactsched.certificate.synchronous import OccupancyProof, WeightedSet
from exactsched.linear_programs.linear_program import linear_program, maximize
from exactsched.synchronous.graph import SynchronousGraph

# The program has 2^n cuts: 0.1 s for 6 nodes, 0.5 s for 7.
MAX_NODES = 7

_Nodes = tuple[int, ...]


def best_occupancy(graph: SynchronousGraph, packets: int, ports: str) -> tuple[OccupancyProof, ...]:
    """The two proofs with the largest bound 1 + (W - S') / S; none for larger or slower graphs.

    In units of S = 1 the prices and weights are an optimum of a linear program: W, what all packets
    together cost, less S', what the last step pays.

    >>> from exactsched.platforms.built_in import star
    >>> from exactsched.synchronous.graph import synchronous_graph
    >>> proof, last = best_occupancy(synchronous_graph(star(3), 1), 2, "one-port")
    >>> [node for node, price in enumerate(proof.prices) if price], last.cuts  # the hub sends
    ([0], ())
    """
    if not 1 < graph.size <= MAX_NODES or any(steps > 1 for _, _, steps in graph.arcs):
        return ()
    own = [0] * graph.size
    for source, number in graph.origins(packets):
        own[source] = number
    program = _Program(graph, ports)
    costs = [sum(own) - sum(own[node] for node in nodes) for nodes in program.cuts]
    found = program.largest(costs)
    count = program.resources
    first = program.proof(found[:count], found[2 * count :])
    return first, program.proof(found[count : 2 * count], ())


class _Program:
    """Columns: prices of ports and odd sets, the same of the last step, weights of cuts."""

    def __init__(self, graph: SynchronousGraph, ports: str) -> None:
        nodes = range(graph.size)
        half_duplex = ports == "half-duplex"
        self.cuts = list(_subsets(nodes, range(1, graph.size)))
        odd = range(3, graph.size + 1, 2) if half_duplex else ()
        self.odd_sets = list(_subsets(nodes, odd))
        self.ports = graph.size if half_duplex else 2 * graph.size
        self.resources = self.ports + len(self.odd_sets)
        self._shift = 0 if half_duplex else graph.size
        self._arcs = sorted({(tail, head) for tail, head, _ in graph.arcs})

    def largest(self, costs: Sequence[int]) -> list[Fraction]:
        """The values of the columns in an optimum; `costs` say how many packets enter each cut."""
        most = [1] * self.ports + [len(nodes) // 2 for nodes in self.odd_sets]
        rows: list[dict[int, int]] = []
        steps = (0, set(self.cuts)), (self.resources, self._entered_at_once())
        for tail, head in self._arcs:
            used = [tail, self._shift + head]
            used += [
                self.ports + index
                for index, nodes in enumerate(self.odd_sets)
                if tail in nodes and head in nodes
            ]
            for begin, cuts in steps:
                row = {begin + place: -1 for place in used}
                row |= {
                    2 * self.resources + index: 1
                    for index, nodes in enumerate(self.cuts)
                    if nodes in cuts and head in nodes and tail not in nodes
                }
                rows.append(row)
        rows.append(dict(enumerate(most)))
        best = maximize(
            linear_program(
                [*[0] * self.resources, *[-number for number in most], *costs],
                rows,
                [*[0] * (len(rows) - 1), 1],
                [len(rows) - 1],
                range(2 * self.resources + len(self.cuts)),
            )
        )
        assert isinstance(best, LinearOptimum)  # no cuts are feasible, and prices limit them
        values = [Fraction(0)] * (2 * self.resources + len(self.cuts))
        for column, value in best.primal:
            values[column] = Fraction(value)
        return values

    def _entered_at_once(self) -> set[_Nodes]:
        """The cuts of which each node has an arc from outside."""
        return {
            nodes
            for nodes in self.cuts
            if {head for tail, head in self._arcs if tail not in nodes}.issuperset(nodes)
        }

    def proof(self, prices: Sequence[Fraction], weights: Sequence[Fraction]) -> OccupancyProof:
        """What the columns say, without sets of price or weight 0."""
        return OccupancyProof(
            tuple(prices[: self.ports]),
            _weighted(self.odd_sets, prices[self.ports :]),
            _weighted(self.cuts, weights) if weights else (),
        )


def _subsets(nodes: Sequence[int], sizes: Iterable[int]) -> Iterable[_Nodes]:
    return (chosen for size in sizes for chosen in combinations(nodes, size))


def _weighted(sets: Sequence[_Nodes], numbers: Sequence[Fraction]) -> tuple[WeightedSet, ...]:
    return tuple(
        WeightedSet(nodes, number) for nodes, number in zip(sets, numbers, strict=True) if number
    )
