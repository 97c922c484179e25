"""Allgathers in few chunks: what they cost, and that no whole chunks do better."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import pytest

from exactsched import Platform, allgather, built_in
from exactsched.check import check
from exactsched.exact.errors import InvalidInput
from exactsched.instances.choices import Seeded
from exactsched.instances.switches import allgather as random_allgather
from exactsched.model.platform import both_ways
from exactsched.model.problem import Allgather
from exactsched.oracles.switches import trees_of_paths
from exactsched.steady_state.allgather import solve_allgather
from exactsched.steady_state.chunks import chunks_per_shard
from tests.steady_state.test_allgather import STAR, refuse_wrong_trees


def best_by_definition(problem: Allgather, chunks: int) -> Fraction:
    """The largest throughput if every root has `chunks` equal chunks, by trying all their trees."""
    arcs = problem.platform.arcs
    choices = []
    for part, trees in enumerate(trees_of_paths(problem)):
        size = problem.roots[part].size / chunks
        loads = {tuple(sorted(Counter(task[0] for task in tree).items())) for tree in trees}
        choices.append(
            {
                tuple(
                    sum(dict(load).get(arc, 0) for load in several) * size * arcs[arc].cost
                    for arc in range(len(arcs))
                )
                for several in combinations_with_replacement(loads, chunks)
            }
        )
    return 1 / min(max(sum(busy) for busy in zip(*one, strict=True)) for one in product(*choices))


@pytest.mark.parametrize("seed", range(12))
def test_no_whole_chunks_of_equal_shards_are_faster(seed: int) -> None:
    """Links both ways, so that what switches receive and send is rounded alike."""
    dice = Seeded(str(seed))
    links = [("s", "a", 1), ("s", "b", 1), ("s", "c", 1), ("a", "b", 1)]
    chosen = [(u, v, Fraction(1, dice.between(1, 7))) for u, v, _ in links[: 3 + dice.below(2)]]
    platform = Platform("abcs", both_ways(chosen), None, "s")
    # A third root would make 60 times as many choices.
    shards = [("a", "2/3"), ("b", "2/3"), ("c", 0)]
    problem = Allgather(platform, shards, "link")  # type: ignore[arg-type]
    best = Fraction(0)
    for chunks in (1, 2):
        best = max(best, best_by_definition(problem, chunks))
        solution = solve_allgather(problem, chunks=chunks)
        assert solution.throughput == best
        assert chunks_per_shard(solution.structures) <= chunks


@pytest.mark.parametrize("prefer", ["shallow", "few"])
def test_random_networks(prefer: Any) -> None:
    """Unequal and empty shards, switches that rounding would leave unbalanced."""
    lossy = 0
    for seed in range(150):
        problem = random_allgather(Seeded(f"chunks {seed}"), 7)
        chunks = 1 + seed % 5
        solution = solve_allgather(problem, prefer, chunks)
        refuse_wrong_trees(solution)
        assert chunks_per_shard(solution.structures) <= chunks
        assert solution.bound == solve_allgather(problem).bound
        assert bool(solution.structures) == bool(solution.bound)
        assert solution.throughput <= solution.bound
        proved: Any = check(solution.certificate())
        assert (proved.throughput, proved.bound) == (solution.throughput, solution.bound)
        assert proved.optimal == (solution.throughput == solution.bound)
        lossy += not proved.optimal
    assert lossy > 20


@pytest.mark.parametrize("seed", range(20))
def test_the_loss_is_bounded_and_goes_to_0(seed: int) -> None:
    """T <= T* (1 + z / (K y)) + z / (K c): shards from y to z, no bandwidth below c."""
    dice = Seeded(f"loss {seed}")
    links = [(v, "s", Fraction(1, dice.between(1, 9))) for v in "abcd"]
    links += [("a", "c", Fraction(1, dice.between(1, 9)))]
    platform = Platform("abcds", both_ways(links), None, "s")
    shards = {v: Fraction(dice.between(0 if v == "d" else 1, 4), 3) for v in "abcd"}
    positive = [size for size in shards.values() if size]
    slowest = max(arc.cost for arc in platform.arcs)
    for chunks in (1, 5, 40):
        solution = allgather(platform, shards, chunks=chunks)
        grain = max(positive) / chunks
        most = (1 + grain / min(positive)) / solution.bound + grain * slowest
        assert 1 / solution.bound <= 1 / solution.throughput <= most


KNOWN = {
    ("dgx-a100:2", 1): (1, "150/7"),
    ("dgx-a100:2", 8): (7, "2100/97"),
    ("dgx-a100:2", 13): (13, "65/3"),
    ("dgx-h100:2", 1): (1, "225/7"),  # direct schedules of two hops: 3.6 % less
    ("dgx-h100:2", 2): (2, "100/3"),
    ("dgx-h100:4", 8): (1, "225/14"),
    ("mi250:2", 1): (1, "10"),
    ("mi250:2", 8): (7, "175/16"),
}


@pytest.mark.parametrize(("name", "chunks"), KNOWN)
def test_machines(name: str, chunks: int) -> None:
    used, throughput = KNOWN[name, chunks]
    solution = allgather(built_in(name), chunks=chunks)
    assert solution.throughput == Fraction(throughput)
    assert chunks_per_shard(solution.structures) == used


def test_more_chunks_than_are_compared() -> None:
    solution = allgather(built_in("dgx-h100:2"), chunks=10**9)
    assert solution.throughput > solution.bound * (1 - Fraction(1, 10**8))
    assert chunks_per_shard(solution.structures) <= 10**9


def test_out_of_reach() -> None:
    solution = allgather(Platform("ab", [("a", "b", 1)]), chunks=3)
    assert (solution.throughput, solution.optimal, solution.structures) == (0, True, ())


@pytest.mark.parametrize("chunks", [0, -1, True, "3", 2.0])
def test_refused(chunks: Any) -> None:
    with pytest.raises(InvalidInput, match="a number of chunks is an integer >= 1"):
        allgather(STAR, "ab", chunks=chunks)
