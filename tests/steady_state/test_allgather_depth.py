"""Allgathers by trees of a limited depth: what they reach, and how far that is from the bound."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from exactsched import Platform, allgather, built_in
from exactsched.check import check
from exactsched.exact.errors import InvalidInput
from exactsched.instances.choices import Seeded
from exactsched.instances.switches import allgather as random_allgather
from exactsched.linear_programs.master_program import PackingProgram
from exactsched.model.problem import Allgather
from exactsched.model.tasks import levels
from exactsched.oracles.series import optimum_of_sets
from exactsched.oracles.switches import trees_of_paths
from exactsched.steady_state.allgather import depth_curve, solve_allgather
from exactsched.steady_state.solution import Solution
from tests.steady_state.test_allgather import STAR, refuse_wrong_trees


def farthest(problem: Allgather) -> int:
    """The most arcs that a shortest path from a root to a node of the group has."""
    arcs, most = problem.platform.arcs, 0
    for root in problem.roots:
        reached, steps = {root.node}, 0
        while not problem.group <= reached:
            reached |= {arc.head for arc in arcs if arc.tail in reached}
            steps += 1
        most = max(most, steps)
    return most


def refuse_too_deep(solution: Solution, depth: int) -> None:
    """Trees as they should be, not too deep or many, and a certificate that says how good."""
    problem = solution.problem
    assert isinstance(problem, Allgather)
    refuse_wrong_trees(solution)
    assert all(max(levels(problem, one.tasks)) <= depth for one in solution.structures)
    assert len(solution.structures) <= len(problem.platform.arcs) + len(problem.roots)
    proved: Any = check(solution.certificate())
    assert (proved.throughput, proved.bound) == (solution.throughput, solution.bound)


def test_random_networks() -> None:
    lossless = reachable = 0
    for seed in range(80):
        problem = random_allgather(Seeded(f"depth {seed}"), 7)
        deep = solve_allgather(problem)
        if not deep.structures:
            assert solve_allgather(problem, depth=1).throughput == 0
            continue
        least = farthest(problem)
        if least > 1:
            with pytest.raises(InvalidInput, match=f"is {least} arcs away"):
                solve_allgather(problem, depth=least - 1)
        solution = solve_allgather(problem, depth=least + seed % 3)
        refuse_too_deep(solution, least + seed % 3)
        assert solution.bound == deep.bound >= solution.throughput > 0
        reachable += 1
        wide = solve_allgather(problem, depth=len(problem.platform.nodes) ** 2)
        lossless += wide.optimal
    assert lossless >= 0.95 * reachable > 50


def test_the_best_of_a_depth_by_definition() -> None:
    """A linear program over all trees of paths of the depth: never more, mostly the same."""
    same = fewer = 0
    for seed in range(60):
        problem = random_allgather(Seeded(f"best {seed}"), 4)
        if not solve_allgather(problem).structures:
            continue
        depth = farthest(problem) + seed % 2
        trees = [
            [tree for tree in part if max(levels(problem, tree)) <= depth]
            for part in trees_of_paths(problem)
        ]
        best = optimum_of_sets(problem, trees)
        solution = solve_allgather(problem, depth=depth)
        assert solution.throughput <= best <= solution.bound
        same += solution.throughput == best
        fewer += best < solution.bound
    assert same > 40
    assert fewer > 1


KNOWN = {
    ("dgx-a100:2", 6): "65/3",
    ("dgx-h100:2", 4): "100/3",
    ("dgx-h100:4", 4): "500/31",
    ("mi250:1", 6): "150/7",
    ("mi250:2", 12): "166/15",
}


@pytest.mark.parametrize(("name", "depth"), KNOWN)
def test_machines_lose_nothing(name: str, depth: int) -> None:
    """Packed one by one, trees are two to seven times as deep."""
    solution = allgather(built_in(name), depth=depth)
    assert solution.throughput == solution.bound == Fraction(KNOWN[name, depth])
    refuse_too_deep(solution, depth)


def test_a_curve() -> None:
    machine = built_in("mi250:1")
    problem = Allgather(machine, tuple((node, 1) for node in machine.nodes), "link")  # type: ignore[arg-type]
    curve = depth_curve(problem)
    assert [solution.depth for solution in curve] == [5, 6]
    assert [solution.optimal for solution in curve] == [False, True]
    for solution in curve:
        refuse_too_deep(solution, solution.depth)
    split = Platform("ab", [("a", "b", 1)])
    assert depth_curve(Allgather(split, (("a", 1), ("b", 1)), "link")) == []  # type: ignore[arg-type]


def test_a_chain_of_switches_counts_every_arc() -> None:
    """a and b are three arcs apart, and links between them are their only trees."""
    both = [(u, v, 1) for u, v in ("as", "sa", "st", "ts", "tb", "bt")]
    chain = Platform("asbt", both, None, "st")
    assert [one.depth for one in depth_curve(Allgather(chain, (("a", 1), ("b", 2)), "link"))] == [3]  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="3 arcs away"):
        allgather(chain, depth=2)


def test_without_floats(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first trees are mixed, which are as good as any."""
    monkeypatch.setattr(PackingProgram, "propose", lambda _: None)
    solution = allgather(STAR, "abc", depth=4)
    refuse_too_deep(solution, 4)
    assert solution.throughput > 0


@pytest.mark.parametrize("depth", [0, -1, True, "3", 2.0])
def test_refused(depth: Any) -> None:
    with pytest.raises(InvalidInput, match="a number of arcs in a row is an integer >= 1"):
        allgather(STAR, "ab", depth=depth)


def test_chunks_and_depth_together_are_refused() -> None:
    with pytest.raises(InvalidInput, match="not cut into few chunks as well"):
        allgather(STAR, "ab", depth=2, chunks=2)
