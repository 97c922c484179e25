"""Allgathers under any port model: trees of paths from every root, by column generation.

Method: a mix of messages, one from every root to the whole group.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from exactsched.certificate.bounds import TreeBound
from exactsched.linear_programs.column_generation import Progress
from exactsched.model.problem import Allgather, Combination
from exactsched.model.tasks import Task, WeightedStructure
from exactsched.steady_state.combination import solve_combination
from exactsched.steady_state.solution import Solution


def allgather_by_columns(problem: Allgather, progress: Progress | None = None) -> Solution:
    """The optimum of a series of allgathers under any port model.

    Each shard is a message from its root to the group, about which all other nodes only forward.

    >>> from exactsched.model.platform import Platform
    >>> pair = Platform("ab", [("a", "b", 1), ("b", "a", 2)])
    >>> allgather_by_columns(Allgather(pair, (("a", 1), ("b", 1)), "half-duplex")).throughput
    Fraction(1, 3)
    >>> star = Platform("abs", [("a", "s", 1), ("s", "a", 1), ("b", "s", 1), ("s", "b", 1)])
    >>> allgather_by_columns(Allgather(star, (("a", 1), ("b", 1)), "half-duplex")).throughput
    Fraction(1, 4)
    """
    found = solve_combination(as_messages(problem), progress)
    trees = tuple(_spread(one) for one in found.structures)
    proof = cast(TreeBound, found.proof)
    # Single paths are bounded for nobody.
    rows = tuple(row._replace(beyond=(), passed=()) for row in proof.roots)
    return replace(found, problem=problem, structures=trees, proof=replace(proof, roots=rows))


def as_messages(problem: Allgather) -> Combination:
    """A message to the whole group for every shard that is not empty.

    >>> from exactsched.model.platform import Platform
    >>> pair = Platform("ab", [("a", "b", 1), ("b", "a", 2)])
    >>> as_messages(Allgather(pair, (("a", 3), ("b", 0)))).blocks
    (Block(size=Fraction(3, 1), targets=('a', 'b'), source='a', group=None),)
    """
    members = tuple(node for node in problem.platform.nodes if node in problem.group)
    blocks: Any = tuple((root.size, members, root.node) for root in problem.roots)
    among = members if len(members) < len(problem.platform.nodes) else None
    return Combination(problem.platform, blocks, problem.ports, among)


def _spread(tree: WeightedStructure) -> WeightedStructure:
    """The same tree in tasks of an allgather, which number the paths of a tree."""
    number: dict[Task, int] = {}
    tasks = []
    for task in tree.tasks:
        arc, part, _, *path = task
        # A path of a single arc has no number of its own.
        copy = number.setdefault(tuple(path) or (-1, arc), len(number))
        tasks.append((arc, part, copy))
    return WeightedStructure(tree.part, tuple(tasks), tree.weight)
