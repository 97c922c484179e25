"""The greedy search for one arborescence within limits: always sound, often successful."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched import broadcast, check
from exactsched.graphs import load_bounded_arborescence as kernel
from exactsched.graphs.load_bounded_arborescence import load_bounded_arborescence
from exactsched.model.problem import Broadcast
from exactsched.oracles.broadcast import arborescences
from exactsched.platforms.built_in import built_in
from exactsched.strategies import broadcasts


def _search(problem: Broadcast, limit: int) -> tuple[int, ...] | None:
    """The search under one-port rules, for unit costs and the same limit everywhere."""
    platform = problem.platform
    place = {node: index for index, node in enumerate(platform.nodes)}
    ends = [(place[arc.tail], place[arc.head]) for arc in platform.arcs]
    uses = [(tail, len(place) + head) for tail, head in ends]
    return load_bounded_arborescence(
        len(place), place[problem.source], ends, [1] * len(ends), uses, [limit] * 2 * len(place)
    )


def _largest_degree(problem: Broadcast, tree: tuple[int, ...]) -> int:
    tails = [problem.platform.arcs[arc].tail for arc in tree]
    return max(map(tails.count, tails))


@given(broadcasts(reachable=True), st.integers(1, 3))
def test_what_is_found_is_an_arborescence_within_the_limits(problem: Broadcast, limit: int) -> None:
    possible = {frozenset(tree) for tree in arborescences(problem)}
    tree = _search(problem, limit)
    if tree is None:
        return
    assert frozenset(tree) in possible
    assert _largest_degree(problem, tree) <= limit


@given(broadcasts(reachable=True))
def test_without_limits_there_is_always_one(problem: Broadcast) -> None:
    assert _search(problem, len(problem.platform.nodes)) is not None


@pytest.mark.parametrize(
    "name", ["grid:4x4", "grid:15x17", "grid:4x4x4", "torus:5x5", "hypercube:7", "complete:9"]
)
def test_hamiltonian_platforms_are_broadcast_along_a_path(name: str) -> None:
    solution = broadcast(built_in(name), 0)
    assert len(solution.trees) == 1
    assert solution.schedule is not None
    assert solution.schedule.period == 1
    assert solution.rounds == 0
    assert check(solution.certificate()).optimal


def test_the_search_is_repeatable() -> None:
    problem = Broadcast(built_in("grid:5x7"), 0)
    assert _search(problem, 1) == _search(problem, 1)


def test_large_graphs_are_tried_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of these platforms some need more than one try; one try is left, however large they are."""
    problems = [Broadcast(built_in(f"random:20,60,{seed}"), 0) for seed in range(1, 21)]
    often = [_search(problem, 2) for problem in problems]
    monkeypatch.setattr(kernel, "ARCS_TRIED", 1)
    once = [_search(problem, 2) for problem in problems]
    assert 0 < sum(tree is not None for tree in once) < sum(tree is not None for tree in often)
    assert all(tree in (None, more) for tree, more in zip(once, often, strict=True))


def test_a_try_ends_when_a_node_cannot_be_entered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Node 1 has time for one of two nodes that only it can enter; a long path is not followed."""
    path = [(node, node + 1) for node in range(4, 50)]
    arcs = [(0, 1), (1, 2), (1, 3), (0, 4), (4, 6), (4, 7), *path]
    looked: list[int] = []

    class Watched(tuple[int, ...]):
        def __iter__(self) -> Iterator[int]:
            looked.append(1)
            return super().__iter__()

    def tried() -> int:
        looked.clear()
        uses = [Watched((tail,)) for tail, _ in arcs]
        limits = [9, 1, *[9] * 49]
        assert load_bounded_arborescence(51, 0, arcs, [1] * len(arcs), uses, limits) is None
        return len(looked)

    monkeypatch.setattr(kernel, "TRIES", 1)
    often = tried()
    monkeypatch.setattr(kernel, "MANY_ARCS", len(arcs))
    assert 0 < tried() < often / 5


def _tries(size: int, arcs: list[tuple[int, int]]) -> int:
    """How many searches begin where no node has time for two, and there is no Hamiltonian path."""
    begun = 0

    class Limits(list[int]):
        def __iter__(self) -> Iterator[int]:
            nonlocal begun
            begun += 1
            return super().__iter__()

    uses = [(tail,) for tail, _ in arcs]
    limits = Limits([1] * size)
    assert load_bounded_arborescence(size, 0, arcs, [1] * len(arcs), uses, limits) is None
    return begun


@pytest.mark.parametrize(("path", "tries"), [(1, kernel.TELLING), (2, kernel.TRIES)])
def test_tries_end_early_only_if_none_reaches_half_of_the_nodes(path: int, tries: int) -> None:
    """Six nodes; the last one of a path has time for one of those that only it can enter."""
    arcs = [(node, node + 1) for node in range(path - 1)]
    assert _tries(6, arcs + [(path - 1, node) for node in range(path, 6)]) == tries


def test_the_best_of_the_first_tries_tells() -> None:
    """One of them takes the way from the root along which six of eight nodes are; the fifth not."""
    arcs = [(0, 2), (0, 1), (1, 3), (3, 4), (4, 5), (5, 6), (2, 7)]
    assert _tries(8, arcs) == kernel.TRIES
