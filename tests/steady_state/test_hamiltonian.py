"""Hamiltonian cycles and paths: found where planted, excluded only where there are none, used."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations, pairwise, permutations
from math import prod

import networkx as nx
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import exactsched
from exactsched.exact.dice import Dice
from exactsched.exact.errors import InvalidInput
from exactsched.model.platform import Platform, both_ways
from exactsched.model.tasks import WeightedStructure
from exactsched.platforms.built_in import built_in, grid, ring
from exactsched.steady_state import broadcast as steady_state
from exactsched.steady_state import hamiltonian_search
from exactsched.steady_state.broadcast import broadcast
from exactsched.steady_state.hamiltonian import grid_path, hamiltonian_optimum
from exactsched.steady_state.hamiltonian_search import cheapest_links, hamiltonian_line, no_line
from exactsched.steady_state.solution import Solution

Neighbors = list[list[int]]


def lists(graph: nx.Graph) -> Neighbors:
    return [sorted(graph[node]) for node in sorted(graph)]


def equal_costs(graph: nx.Graph) -> Platform:
    return Platform(sorted(graph), both_ways([(u, v, 1) for u, v in graph.edges]))


def is_line(neighbors: Neighbors, line: list[int], start: int) -> bool:
    """By definition: all nodes once, links between neighbors; closed if their number is even."""
    size = len(neighbors)
    links = list(pairwise([*line, line[0]] if size % 2 == 0 else line))
    complete = sorted(line) == list(range(size)) and all(v in neighbors[u] for u, v in links)
    return complete and (size % 2 == 0 or line[0] == start)


def has_line(neighbors: Neighbors, start: int) -> bool:
    others = [node for node in range(len(neighbors)) if node != start]
    return any(is_line(neighbors, [start, *rest], start) for rest in permutations(others))


@st.composite
def graphs(draw: st.DrawFn) -> tuple[Neighbors, int]:
    size = draw(st.integers(2, 7))
    chosen = [pair for pair in combinations(range(size), 2) if draw(st.booleans())]
    graph = nx.Graph(chosen)
    graph.add_nodes_from(range(size))
    return lists(graph), draw(st.integers(0, size - 1))


# The search -------------------------------------------------------------------------------------


@given(graphs())
@settings(max_examples=200)
def test_a_reason_is_only_given_where_there_is_none(asked: tuple[Neighbors, int]) -> None:
    neighbors, start = asked
    graph = nx.Graph([(u, v) for u, near in enumerate(neighbors) for v in near])
    graph.add_nodes_from(range(len(neighbors)))
    platform = equal_costs(graph)
    exists = has_line(neighbors, start)
    if no_line(neighbors, start):
        assert not exists
    elif exists:
        # As small as this, the search finds what there is.
        line = hamiltonian_line(platform, start)
        assert line is not None
        assert is_line(neighbors, line, start)


@pytest.mark.parametrize(
    ("graph", "start", "reason"),
    [
        (nx.Graph([(0, 1), (2, 3)]), 0, "not connected"),
        (nx.empty_graph(1), 0, "not connected"),
        (nx.path_graph(4), 0, "a cut node"),
        (nx.barbell_graph(4, 0), 0, "a cut node"),
        (nx.path_graph(5), 1, "a cut node"),
        (nx.star_graph(4), 0, "a cut node"),
        # Three triangles that share a node; and three around a triangle.
        (
            nx.Graph([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2), (2, 5), (5, 6), (6, 2)]),
            0,
            "cut",
        ),
        (nx.Graph([(0, 1), (1, 2), (2, 0), (0, 3), (1, 4), (2, 5), (5, 6)]), 3, "cut"),
        (nx.complete_bipartite_graph(3, 5), 0, "bipartite"),
        (nx.complete_bipartite_graph(3, 4), 0, "bipartite"),
        # Four nodes of degree 2 between the same two; two of them, which close a cycle of four.
        (nx.Graph([(0, 1), *((u, v) for u in (0, 1) for v in (2, 3, 4, 5))]), 0, "degree 2"),
        (nx.Graph([(u, v) for u in (2, 3) for v in (0, 1, 4, 5)] + [(4, 5)]), 0, "degree 2"),
        (nx.Graph([(0, 1), (0, 2), (1, 3), (2, 3), (2, 4), (3, 5), (4, 5)]), 0, None),
        (nx.cycle_graph(6), 0, None),
        (nx.path_graph(2), 0, None),
        (nx.path_graph(5), 0, None),
        (nx.petersen_graph(), 0, None),
    ],
)
def test_reasons(graph: nx.Graph, start: int, reason: str | None) -> None:
    given_reason = no_line(lists(graph), start)
    if reason is None:
        assert given_reason is None
    else:
        assert given_reason is not None
        assert reason in given_reason
    # Whatever is said, the search agrees and never invents a line.
    if reason and len(graph) > 1:
        assert hamiltonian_line(equal_costs(graph), start) is None


@given(st.integers(2, 60), st.integers(0, 2**32))
@settings(max_examples=35)
def test_planted_lines_are_found(size: int, seed: int) -> None:
    """Rotations, among some other links and dearer ones; names and order say nothing."""
    dice = random.Random(seed)
    line = dice.sample(range(size), size)
    links = {frozenset(pair) for pair in pairwise(line)}
    if size % 2 == 0:
        links.add(frozenset((line[0], line[-1])))
    more = {frozenset(dice.sample(range(size), 2)) for _ in range(size)} - links
    dear = {pair for pair in more if dice.random() < 0.3}
    cost = Fraction(2, 3)
    platform = Platform(
        [f"n{node}" for node in range(size)],
        both_ways(
            (*(f"n{node}" for node in sorted(pair)), cost * (1 + (pair in dear)))
            for pair in sorted(links | more, key=sorted)
        ),
    )
    found = hamiltonian_line(platform, f"n{line[0]}", seed=seed)
    assert found is not None
    best = hamiltonian_optimum(platform, f"n{line[0]}", found)
    assert (
        best.throughput
        == (Fraction(size, 2 * size - 2) if size % 2 == 0 else Fraction(1, 2)) / cost
    )
    assert hamiltonian_line(platform, f"n{line[0]}", seed=seed) == found


@given(st.lists(st.integers(1, 5), min_size=1, max_size=4), st.booleans(), st.data())
@settings(max_examples=50)
def test_grids_and_tori_are_recognized(
    sides: list[int], wrapped: bool, data: st.DataObject
) -> None:
    assume(2 <= prod(sides) <= 150)
    size = prod(sides)
    name = ("torus:" if wrapped else "grid:") + "x".join(map(str, sides))
    assume(size % 2 or size == 2 or len([side for side in sides if side > 1]) > 1 or wrapped)
    axes = [prod(sides[axis + 1 :]) for axis in range(len(sides))]
    corners = [
        sum(
            turn * (side - 1) * stride
            for turn, side, stride in zip(turns, sides, axes, strict=True)
        )
        for turns in data.draw(st.just([(0,) * len(sides), (1,) * len(sides)]))
    ]
    sources = range(size) if wrapped or size % 2 == 0 else corners
    source = data.draw(st.sampled_from(sorted(set(sources))))
    neighbors = cheapest_links(built_in(name))
    lines = list(hamiltonian_search._lines_of_grids(neighbors, source))
    assert any(is_line(neighbors, line, source) for line in lines)


@given(st.lists(st.integers(1, 5), min_size=1, max_size=4))
def test_paths_of_grids(sides: list[int]) -> None:
    assume(prod(sides) > 1)
    path = grid_path(*sides)
    assert path[0] == 0
    assert sorted(path) == list(range(prod(sides)))
    ends = {(arc.tail, arc.head) for arc in grid(*sides).arcs}
    assert all(pair in ends for pair in pairwise(path))


def test_only_cheapest_links_in_both_directions_count() -> None:
    platform = Platform(range(4), [*both_ways([(0, 1, 1), (1, 2, 1), (2, 3, 2)]), (3, 0, 1)])
    assert cheapest_links(platform) == [[1], [0, 2], [1], []]
    assert hamiltonian_line(platform, 0) is None


def test_the_search_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The Petersen graph has no Hamiltonian cycle, but one without each of its nodes."""
    monkeypatch.setattr(hamiltonian_search, "MAX_MOVED", 200_000)
    petersen = nx.petersen_graph()
    assert hamiltonian_line(equal_costs(petersen), 0) is None
    petersen.remove_node(9)
    assert hamiltonian_line(equal_costs(petersen), 0) is not None


def test_rotations_alone_find_a_cycle_in_a_grid() -> None:
    neighbors = cheapest_links(grid(10, 10))
    sets = [frozenset(near) for near in neighbors]
    found, dice = None, Dice(1)
    for _ in range(20):
        found = found or hamiltonian_search._rotated(neighbors, sets, 0, dice, 0)[0]
    assert found is not None
    assert is_line(neighbors, found, 0)


class Recorded(hamiltonian_search._Path):
    """Counts the work by its definition, and verifies the path after every change."""

    def __init__(self, neighbors: Neighbors, dice: Dice) -> None:
        super().__init__(neighbors, dice)
        self.tries, self.changed, self.reversed = 0, 0, 0
        Recorded.last = self

    def has_gone_on(self, stray: int) -> bool:
        self.tries += 1
        self.refuse_unless_path()
        return super().has_gone_on(stray)

    def arrange(self, first: int, nodes: list[int]) -> None:
        before = list(self.nodes)
        super().arrange(first, nodes)
        self.changed += len(before) - first
        self.reversed += self.nodes == before[::-1] != before
        assert sorted(self.nodes) == sorted(before)
        assert self.nodes[:first] == before[:first]
        self.refuse_unless_path()

    def refuse_unless_path(self) -> None:
        assert all(two in self._neighbors[one] for one, two in pairwise(self.nodes))
        places = {node: place for place, node in enumerate(self.nodes)}
        assert self._place == [places.get(node, -1) for node in range(len(self._neighbors))]
        free = [len([other for other in near if other not in places]) for near in self._neighbors]
        assert self._free == free


@pytest.mark.parametrize("size", [7, 8, 9, 16])
@pytest.mark.parametrize("seed", range(3))
def test_the_work_of_a_search_is_the_places_that_change(
    size: int, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And `_MOVE` for every change, found or not; it ends after `_MOVED_PER_PAIR` per pair."""
    monkeypatch.setattr(hamiltonian_search, "_Path", Recorded)
    neighbors = lists(nx.gnm_random_graph(size, 2 * size, seed=seed))
    sets = [frozenset(near) for near in neighbors]
    for stray in (0, 4):
        found, work = hamiltonian_search._rotated(neighbors, sets, 0, Dice(seed), stray)
        path = Recorded.last
        move, most = hamiltonian_search._MOVE, hamiltonian_search._MOVED_PER_PAIR
        # The change after the last one is charged, and not made.
        assert work - move * path.tries - path.changed in (0, move)
        limit = most * size * (size + move)
        assert work <= limit + move + size
        assert found is None or is_line(neighbors, found, found[0])


def test_a_path_that_cannot_be_closed_is_read_from_its_other_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """For a cycle only: a path for oddly many nodes keeps its start."""
    monkeypatch.setattr(hamiltonian_search, "_Path", Recorded)
    petersen = lists(nx.petersen_graph())
    sets = [frozenset(near) for near in petersen]
    assert hamiltonian_search._rotated(petersen, sets, 0, Dice(0), 0)[0] is None
    steps = Recorded.last.tries
    # Once in four of the changes that are neither extensions nor openings of a cycle.
    assert steps / 20 < Recorded.last.reversed < steps / 2
    odd = lists(nx.complete_bipartite_graph(3, 6))
    sets = [frozenset(near) for near in odd]
    assert hamiltonian_search._rotated(odd, sets, 0, Dice(0), 0)[0] is None
    assert Recorded.last.nodes[0] == 0
    assert Recorded.last.reversed == 0


@pytest.mark.parametrize(
    ("source", "seed", "rule"), [(9, 0, "not a node"), (0, -1, ">= 0"), (0, True, "whole number")]
)
def test_wrong_arguments(source: int, seed: int, rule: str) -> None:
    with pytest.raises(InvalidInput, match=rule):
        hamiltonian_line(ring(4), source, seed=seed)


# The fast path ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "trees"),
    [("grid:15x20", 150), ("ring:301", 1), ("random-regular:320,3,1", 160), ("grid:19x17", 1)],
)
def test_large_platforms_with_a_line_have_the_closed_form(name: str, trees: int) -> None:
    platform = built_in(name)
    solution = broadcast(platform, 0, ports="half-duplex")
    assert (solution.rounds, len(solution.trees)) == (0, trees)
    claim = exactsched.check(solution.certificate())
    size = len(platform.nodes)
    assert claim.optimal
    assert claim.throughput == (Fraction(size, 2 * size - 2) if size % 2 == 0 else Fraction(1, 2))


def test_the_packing_agrees_with_the_closed_form(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("grid:4x6", "cubic-16", "torus:5x5", "wrapped-butterfly:3", "dragonfly:4,1"):
        packed = broadcast(built_in(name), 0, ports="half-duplex")
        with monkeypatch.context() as patch:
            patch.setattr(steady_state, "MIN_NODES_IN_LINE", 2)
            closed = broadcast(built_in(name), 0, ports="half-duplex")
        assert exactsched.check(closed.certificate()).optimal
        assert closed.throughput == packed.throughput
        assert packed.rounds or len(packed.trees) == 1
        assert closed.rounds == 0


def test_other_ports_and_platforms_without_a_line_are_packed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(steady_state, "MIN_NODES_IN_LINE", 2)
    assert broadcast(ring(6), 0).throughput == 1
    assert broadcast(ring(6), 0, ports="link").throughput == 2
    assert broadcast(built_in("star:5"), 0, ports="half-duplex").throughput == Fraction(1, 5)
    cut = Platform(range(4), [(0, 1, 1), (1, 0, 1), (2, 3, 1), (3, 2, 1)])
    assert broadcast(cut, 0, ports="half-duplex").throughput == 0
    late = Platform(range(4), both_ways([(0, 1, 1), (1, 2, 1), (2, 3, 1), (3, 0, 1)]))
    slow = Platform(range(4), [(a.tail, a.head, a.cost, 1) for a in late.arcs])
    with pytest.raises(InvalidInput, match="latency"):
        broadcast(slow, 0, ports="half-duplex")


def test_half_as_many_trees_as_nodes_share_a_cycle() -> None:
    """On a ring fewer would not do: every node lacks an edge for 2/P of the messages."""
    trees = hamiltonian_optimum(ring(8), 3, [*range(3, 8), *range(3)]).solution().trees
    assert len(trees) == 4
    assert {tree.weight for tree in trees} == {Fraction(1, 7)}
    assert all(len(tree.arcs) == 7 for tree in trees)


def test_three_trees_of_unequal_weights_share_a_cube() -> None:
    """Four of equal weights are around its cycle: proofs/half-duplex.md."""
    cube = built_in("hypercube:3")
    optimum = hamiltonian_optimum(cube, 0, hamiltonian_line(cube, 0) or [])
    arcs = {(arc.tail, arc.head): (index,) for index, arc in enumerate(cube.arcs)}
    shares = {
        (0, 1, 0, 2, 0, 4, 1, 3, 1, 5, 2, 6, 3, 7): Fraction(1, 7),
        (0, 1, 0, 2, 1, 5, 5, 4, 4, 6, 6, 7, 7, 3): Fraction(1, 7),
        (0, 2, 2, 6, 6, 4, 4, 5, 5, 7, 7, 3, 3, 1): Fraction(2, 7),
    }
    trees = [
        WeightedStructure(
            0, tuple(arcs[ends] for ends in zip(row[::2], row[1::2], strict=True)), share
        )
        for row, share in shares.items()
    ]
    assert len(optimum.solution().trees) == 4
    solution = Solution(optimum.problem, tuple(trees), optimum.proof, optimum.throughput)
    assert exactsched.check(solution).optimal


def test_a_tree_turns_into_the_next_by_two_arcs() -> None:
    trees = hamiltonian_optimum(ring(10), 0, range(10)).solution().trees
    for turn, (tree, other) in enumerate(pairwise(trees)):
        first = 2 * turn
        assert set(other.edges) - set(tree.edges) == {(first, first + 1), (first + 1, first + 2)}
        assert set(tree.edges) - set(other.edges) == {
            (first + 3, first + 2),
            (first + 2, first + 1),
        }


def test_a_dead_end_that_few_free_neighbors_always_lead_into() -> None:
    """The only path from node 0 does not go on to the node with the fewest free neighbors."""
    graph = nx.Graph([(0, 3), (2, 3), (1, 4), (2, 4), (3, 5), (0, 6), (1, 6), (2, 6), (4, 6)])
    assert hamiltonian_line(equal_costs(graph), 0) == [0, 6, 1, 4, 2, 3, 5]
