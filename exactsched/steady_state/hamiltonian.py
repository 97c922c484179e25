"""Half-duplex broadcasts around a Hamiltonian cycle: the optimum in closed form, for any size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import prod

from exactsched.certificate.around_cycle import ReceptionBound, SeriesAroundCycle
from exactsched.certificate.bounds import CutBound
from exactsched.exact.arguments import checked_size
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import text
from exactsched.model.platform import Node, Platform
from exactsched.model.problem import Broadcast
from exactsched.model.tasks import WeightedStructure
from exactsched.steady_state.around_cycle import SolutionAroundCycle
from exactsched.steady_state.odd_sets import offered
from exactsched.steady_state.solution import Solution

MOST_LISTED = 64
"""On a cycle of more nodes the certificate of a solution is the cycle; else it lists the trees.

Then it has at most 24 kilobytes, is checked in 3 ms, and does not rest on theorem C.
"""


@dataclass(frozen=True, slots=True)
class HamiltonianOptimum:
    """The optimum of a half-duplex broadcast, from the nodes `line` one after the other.

    They start at the source; if their number is even, the last one closes a cycle with it.  No arc
    costs less than `cost`.  `proof` shows that nothing has more than `throughput`, in messages per
    time unit, and the trees of `solution` have as much.
    """

    problem: Broadcast
    line: tuple[Node, ...]
    cost: Fraction
    throughput: Fraction
    proof: CutBound

    def around_cycle(self) -> SeriesAroundCycle:
        """The certificate of the P / 2 trees around the cycle, which lists its nodes only.

        Raises `InvalidInput` for an odd number of nodes, whose only tree is a path.
        """
        if len(self.line) % 2:
            raise InvalidInput("line", len(self.line), "a cycle of an even number of nodes")
        best, proof = self.throughput, ReceptionBound(self.cost)
        return SeriesAroundCycle(self.problem, self.line, best, best, True, proof)

    def solution(self) -> Solution:
        """With the trees: the path, or those around the cycle, P^2 / 2 arcs.

        On cycles of more than 64 nodes its certificate is the cycle, and trees are written down
        when they are asked for, up to 4096 nodes (`SolutionAroundCycle`).
        """
        if len(self.line) % 2:
            task = {(arc.tail, arc.head): (k,) for k, arc in enumerate(self.problem.platform.arcs)}
            path = tuple(task[ends] for ends in pairwise(self.line))
            tree = WeightedStructure(0, path, self.throughput)
            return Solution(self.problem, (tree,), self.proof, self.throughput)
        stated = self.around_cycle()
        if len(self.line) > MOST_LISTED:
            return SolutionAroundCycle(self.problem, stated.structures, self.proof, self.throughput)
        return Solution(self.problem, tuple(stated.structures), self.proof, self.throughput)


def hamiltonian_optimum(
    platform: Platform, source: Node, line: Sequence[Node]
) -> HamiltonianOptimum:
    """On P nodes in a Hamiltonian cycle the throughput is P / (2 (P - 1) c), if P is even.

    If P is odd and at least 3 it is 1 / (2 c), and a Hamiltonian path from the source is enough.
    Here c is the least cost of an arc, and `line` lists all nodes such that there are arcs of cost
    c from each to the next: both ways, and around the end, if P is even.  A cycle may be given
    from any node on.

    O(n + m) steps for n nodes and m arcs.  Raises `InvalidInput` for lines that are not as said.

    Reference: proofs/half-duplex.md.

    >>> from exactsched.platforms.built_in import grid
    >>> hamiltonian_optimum(grid(4, 4), 0, grid_cycle(4, 4)).throughput
    Fraction(8, 15)
    >>> hamiltonian_optimum(grid(3), 0, [0, 1, 2]).throughput
    Fraction(1, 2)
    """
    problem = Broadcast(platform, source, "half-duplex")
    nodes, size = list(line), len(platform.nodes)
    if len(nodes) != size or set(nodes) != set(platform.nodes):
        raise InvalidInput("line", len(nodes), f"each of the {size} nodes once")
    if size % 2 == 0:
        start = nodes.index(source)
        nodes = nodes[start:] + nodes[:start]
    elif nodes[0] != source:
        raise InvalidInput("line", nodes[0], f"a path starts at the source {source}")
    _refuse_missing(platform, nodes)
    least = min(arc.cost for arc in platform.arcs)
    proof = ReceptionBound(least).cuts(nodes)
    throughput = offered(proof) / ((size - 1) * least)
    return HamiltonianOptimum(problem, tuple(nodes), least, throughput, proof)


def _refuse_missing(platform: Platform, nodes: Sequence[Node]) -> None:
    """Raises `InvalidInput` unless cheapest arcs lead from each node to the next."""
    least = min(arc.cost for arc in platform.arcs)
    cheapest = {(arc.tail, arc.head) for arc in platform.arcs if arc.cost == least}
    needed = list(pairwise(nodes))
    if len(nodes) % 2 == 0:
        needed.append((nodes[-1], nodes[0]))
        needed += [(head, tail) for tail, head in needed]
    for tail, head in needed:
        if (tail, head) not in cheapest:
            rule = f"an arc of the least cost, {text(least)}, is needed here"
            raise InvalidInput("line", f"{tail}->{head}", rule)


def grid_cycle(*sides: int) -> list[int]:
    """A Hamiltonian cycle of `topologies.grid`, of two or more sides, with evenly many nodes.

    Tori and hypercubes (sides of 2) contain the grid with the same numbers of nodes.  One even side
    becomes the rows of a grid in the plane, whose columns are a path through all other sides:
    up and down in the first column, through the others by turns.

    Raises `InvalidInput` for sides that are not integers from 2 on, fewer than two of them, and an
    odd number of nodes.

    Linear in the number of nodes. Reference: proofs/half-duplex.md.

    >>> grid_cycle(4, 3)
    [0, 1, 2, 5, 4, 7, 8, 11, 10, 9, 6, 3]
    """
    for side in sides:
        if checked_size(side) < 2:
            raise InvalidInput("side", side, "a side has at least 2 nodes")
    if len(sides) < 2:
        raise InvalidInput("sides", len(sides), "a cycle in a grid needs two of them")
    if prod(sides) % 2:
        raise InvalidInput("sides", sides, "a bipartite graph with a cycle has evenly many nodes")
    even = next(axis for axis, side in enumerate(sides) if side % 2 == 0)
    strides = [prod(sides[axis + 1 :]) for axis in range(len(sides))]
    axes = list(zip(sides, strides, strict=True))
    columns = _snake([*axes[:even], *axes[even + 1 :]])
    step = strides[even]
    cycle = []
    for row in range(sides[even]):
        inner = columns[1:] if row % 2 == 0 else columns[:0:-1]
        cycle += [row * step + column for column in inner]
    first = [row * step + columns[0] for row in reversed(range(1, sides[even]))]
    return [columns[0], *cycle, *first]


def grid_path(*sides: int) -> list[int]:
    """A Hamiltonian path of `topologies.grid` from node 0, along its last axis by turns.

    Raises `InvalidInput` for sides that are not positive integers.

    >>> grid_path(2, 3)
    [0, 1, 2, 5, 4, 3]
    """
    for side in sides:
        checked_size(side)
    return _snake([(side, prod(sides[axis + 1 :])) for axis, side in enumerate(sides)])


def _snake(axes: Sequence[tuple[int, int]]) -> list[int]:
    """From 0 through all sums of multiples of the strides of the axes (side, stride), by turns."""
    line = [0]
    for side, stride in axes:
        line = [
            at + stride * place
            for turn, at in enumerate(line)
            for place in (range(side) if turn % 2 == 0 else reversed(range(side)))
        ]
    return line
