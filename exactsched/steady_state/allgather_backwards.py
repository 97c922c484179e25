"""Allgathers among all nodes: arborescences from every root, by column generation.

Limits: no node only forwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from exactsched.certificate.bounds import RootCuts, TreeBound
from exactsched.exact.errors import InvalidInput
from exactsched.linear_programs.column_generation import Progress
from exactsched.model.platform import one_line
from exactsched.model.problem import Allgather, Combination
from exactsched.model.tasks import Task, WeightedStructure
from exactsched.steady_state.combination import solve_combination
from exactsched.steady_state.solution import Solution


def allgather_backwards(problem: Allgather, progress: Progress | None = None) -> Solution:
    """The optimum of a series of allgathers among all nodes, under any port model.

    It is a reduce-scatter on the turned platform, with a block for every root.  Raises
    `InvalidInput` for nodes outside of the group.

    >>> from exactsched.model.platform import Platform
    >>> pair = Platform("ab", [("a", "b", 1), ("b", "a", 2)])
    >>> allgather_backwards(Allgather(pair, (("a", 1), ("b", 1)), "half-duplex")).throughput
    Fraction(1, 3)
    """
    platform = problem.platform
    for node in platform.nodes:
        if node not in problem.group:
            rule = "where nodes only forward, allgathers are solved under link ports: --ports link"
            raise InvalidInput(f"node {one_line(node)}", problem.ports, rule)
    blocks: Any = tuple((root.size, (root.node,)) for root in problem.roots)
    backwards = solve_combination(Combination(platform.turned(), blocks, problem.ports), progress)
    proof = cast(TreeBound, backwards.proof)
    prices = {_forwards(name): price for name, price in proof.prices.items()}
    rows = tuple(RootCuts(row.root, (), (), row.outwards, row.left) for row in proof.roots)
    return Solution(
        problem,
        tuple(
            WeightedStructure(one.part, _spread(one.part, one.arcs), one.weight)
            for one in backwards.structures
        ),
        TreeBound(prices, rows, proof.odd_sets),
        backwards.bound,
        backwards.rounds,
        backwards.priced,
    )


_OTHER_SIDE = {"send": "recv", "recv": "send"}


def _forwards(name: str) -> str:
    """A resource of the turned platform as it is called without turning: ports change sides."""
    side, _, rest = name.partition(":")
    return f"{_OTHER_SIDE.get(side, side)}:{rest}"


def _spread(part: int, arcs: Sequence[int]) -> tuple[Task, ...]:
    """The arcs of an in-tree of the turned platform, from its root on."""
    return tuple((arc, part, copy) for copy, arc in enumerate(reversed(arcs)))
