"""Sums for single nodes as allgathers on the turned platform, read from back to front.

Limits: link ports, one group, and nodes that only forward which send as much as they receive.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby

from exactsched.certificate.bounds import Cut, CutBound
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import text
from exactsched.graphs.lovasz import Preference
from exactsched.linear_programs.column_generation import Progress
from exactsched.model.parts import Shard
from exactsched.model.platform import one_line
from exactsched.model.problem import Allgather, Combination
from exactsched.model.tasks import calls
from exactsched.steady_state.allgather import depth_curve, growing, solve_allgather
from exactsched.steady_state.solution import Solution


def turned_allgather(problem: Combination) -> Allgather | None:
    """The allgather whose trees, backwards, are those of the sums; None if there is no such.

    >>> from exactsched.model.platform import Platform
    >>> chain = Platform("ab", [("a", "b", 1)])
    >>> turned_allgather(Combination(chain, ((2, ("b",)),), "link")).roots
    (Shard(node='b', size=Fraction(2, 1)),)
    """
    sums = all(block.source is None and len(block.targets) == 1 for block in problem.blocks)
    wanted = {block.targets[0]: block.size for block in problem.blocks}
    if problem.ports != "link" or not sums or len(wanted) < len(problem.blocks) or problem.mixed:
        return None
    shards = tuple(Shard(node, wanted.get(node, Fraction(0))) for node in problem.members)
    return Allgather(problem.platform.turned(), shards)


def backwards(problem: Combination, gathered: Solution) -> Solution:
    """The trees of the allgather and the set that bounds it, for the sums."""
    turned, proof = gathered.problem, gathered.proof
    assert isinstance(turned, Allgather)
    assert isinstance(proof, CutBound)
    order = tuple(node for node in problem.platform.nodes if node not in proof.order)
    part = {block.targets: index for index, block in enumerate(problem.blocks)}
    trees = []
    for one in gathered.structures:
        copies = groupby(one.tasks, lambda task: task[2])
        paths = [tuple(task[0] for task in path)[::-1] for _, path in copies]
        block = part[turned.roots[one.part].node,]
        trees.append(calls(problem, block, paths, (), one.weight))
    cut = Cut(0, len(order), Fraction(1))
    return Solution(problem, tuple(trees), CutBound(proof.prices, order, (cut,)), gathered.bound)


def limited_sums(
    problem: Combination,
    prefer: Preference,
    chunks: int | None,
    depth: int | None,
    progress: Progress | None = None,
) -> Solution:
    """The best found with blocks in few chunks, or with trees of a depth; everything is reached."""
    turned = _balanced(problem, "depth" if chunks is None else "chunks", chunks or depth)
    return backwards(problem, solve_allgather(turned, prefer, chunks, depth, progress))


def sums_curve(problem: Combination, progress: Progress | None = None) -> list[Solution]:
    """The best found of every depth; see `depth_curve`."""
    turned = _balanced(problem, "depth", "curve")
    return [backwards(problem, one) for one in depth_curve(turned, progress)]


def _balanced(problem: Combination, name: str, given: object) -> Allgather:
    """Raises `InvalidInput` where limits are not known."""
    turned = turned_allgather(problem)
    if turned is None:
        rule = 'this is for link ports only: --ports link, in Python ports="link"'
        raise InvalidInput(name, given, rule)
    for node, more in growing(turned).items():
        rule = f"this is for nodes that send as much as they receive: {text(more)} less is sent"
        raise InvalidInput(f"{name}, node {one_line(node)}", given, rule)
    return turned
