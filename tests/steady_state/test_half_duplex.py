"""Half-duplex broadcasts on any graph: odd sets, cuts, schedules, and values known by hand."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations, pairwise
from math import prod

import networkx as nx
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import exactsched
from exactsched.certificate import to_document
from exactsched.certificate.bounds import CutBound
from exactsched.certificate.collectives import Series
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.model.platform import Platform, both_ways
from exactsched.model.problem import Broadcast
from exactsched.oracles.broadcast import optimal_throughput_by_definition
from exactsched.oracles.collectives import simulate_series
from exactsched.platforms.built_in import built_in, grid
from exactsched.runs.finite_run import makespan_guarantee, run_operations
from exactsched.steady_state.broadcast import Solution, broadcast
from exactsched.steady_state.hamiltonian import grid_cycle, hamiltonian_optimum
from exactsched.steady_state.odd_sets import OddSets, offered, overfull_odd_sets, tolls
from exactsched.strategies import broadcasts


def half_duplex(platform: Platform, source: object = 0) -> Solution:
    return broadcast(platform, source, ports="half-duplex")  # type: ignore[arg-type]


def equal_costs(graph: nx.Graph) -> Platform:
    return Platform(list(graph), both_ways([(u, v, 1) for u, v in graph.edges]))


def dense(seed: int, size: int = 5) -> Broadcast:
    """Few costs on many arcs: odd sets of all sizes are tight."""
    dice = random.Random(seed)
    pairs = [(u, v) for u, v in combinations(range(size), 2) if dice.random() < 0.7]
    arcs = both_ways([(u, v, dice.choice([1, 1, 2, 3])) for u, v in pairs])
    kept = [arc for arc in arcs if dice.random() < 0.9]
    return Broadcast(Platform(range(size), kept), 0, "half-duplex")


# The optimum ------------------------------------------------------------------------------------


@given(
    broadcasts(ports="half-duplex", max_nodes=5)
    | st.integers(0, 2**32).map(dense)
    | st.integers(0, 2**32).map(lambda seed: dense(seed, 4))
)
@settings(max_examples=15)
def test_the_optimum_is_that_of_all_matchings_and_arborescences(problem: Broadcast) -> None:
    solution = half_duplex(problem.platform, problem.source)
    claim = exactsched.check(solution.certificate())
    assert claim.optimal
    assert claim.throughput == solution.throughput == optimal_throughput_by_definition(problem)


def test_odd_sets_of_three_and_five_nodes_are_needed() -> None:
    """Or the tests above would not say much about odd sets."""
    sizes = set()
    for seed in range(40):
        bound = half_duplex(dense(seed).platform).proof
        assert isinstance(bound, CutBound)
        sizes |= {(len(nodes), bool(bound.prices)) for nodes, _ in bound.odd_sets}
    assert {(3, True), (5, False)} <= sizes


@given(st.integers(0, 2**32).map(lambda seed: dense(seed, 7)))
@settings(max_examples=12)
def test_schedules_are_executable_and_runs_keep_their_guarantee(problem: Broadcast) -> None:
    solution = half_duplex(problem.platform)
    assume(solution.trees)
    document = solution.certificate()
    assert exactsched.check(document).optimal
    assert solution.schedule is not None
    periods = solution.depth + 1  # the first batch, and one more
    batch = sum(tree.operations for tree in solution.schedule.structures)
    assert simulate_series(document, periods) >= 2 * batch
    run = run_operations(solution, 7)
    claim = exactsched.check(run.certificate())
    assert claim.bound == 7 / solution.throughput <= claim.makespan
    assert claim.makespan <= makespan_guarantee(solution, 7)
    assert makespan_guarantee(solution, 7) <= 7 / solution.throughput + solution.makespan_constant


KNOWN = [
    ("petersen", equal_costs(nx.petersen_graph()), "5/9"),
    ("hypercube:3", built_in("hypercube:3"), "4/7"),
    ("hypercube:5", built_in("hypercube:5"), "16/31"),
    ("grid:4x4", built_in("grid:4x4"), "8/15"),
    ("grid:8x8", built_in("grid:8x8"), "32/63"),
    ("grid:3x3", built_in("grid:3x3"), "1/2"),
    ("complete:3", built_in("complete:3"), "1/2"),
    ("complete:4", built_in("complete:4"), "2/3"),
    ("complete:5", built_in("complete:5"), "1/2"),
    ("complete:6", built_in("complete:6"), "3/5"),
    ("ring:5", built_in("ring:5"), "1/2"),
    ("ring:7", built_in("ring:7"), "1/2"),
    ("ring:16", built_in("ring:16"), "8/15"),
    ("torus:3x3", built_in("torus:3x3"), "1/2"),
    ("torus:3x4", built_in("torus:3x4"), "6/11"),
    ("torus:7x7", built_in("torus:7x7"), "1/2"),
    ("dragonfly:4,1", built_in("dragonfly:4,1"), "10/19"),
    ("star:7", equal_costs(nx.star_graph(7)), "1/7"),
    ("binary tree", equal_costs(nx.balanced_tree(2, 3)), "1/3"),
    ("barbell", equal_costs(nx.barbell_graph(5, 0)), "1/2"),
]


@pytest.mark.parametrize(
    ("platform", "best"), [row[1:] for row in KNOWN], ids=[row[0] for row in KNOWN]
)
def test_known_optima(platform: Platform, best: str) -> None:
    claim = exactsched.check(half_duplex(platform).certificate())
    assert claim.optimal
    assert claim.throughput == Fraction(best)


@given(st.integers(0, 2**32).map(lambda seed: dense(seed, 7)), st.randoms(use_true_random=False))
@settings(max_examples=20)
def test_names_order_and_the_unit_of_time_do_not_matter(
    problem: Broadcast, dice: random.Random
) -> None:
    platform = problem.platform
    names = dice.sample("abcdefg", 7)
    arcs = [(names[a.tail], names[a.head], a.cost * Fraction(3, 7)) for a in platform.arcs]
    dice.shuffle(arcs)
    renamed = Platform(sorted(names), arcs)
    before = half_duplex(platform).throughput
    assert half_duplex(renamed, names[0]).throughput == before / Fraction(3, 7)
    # Ports of both kinds: half-duplex is never the better one.
    assert before <= broadcast(platform, 0).throughput


# Odd sets ---------------------------------------------------------------------------------------


def overfull_by_definition(
    size: int, edges: list[tuple[int, int]], times: list[int], period: int
) -> dict[tuple[int, ...], Fraction]:
    """By all odd sets: how much is inside beyond (|S| - 1) / 2 periods."""
    found = {}
    for number in range(3, size + 1, 2):
        for nodes in combinations(range(size), number):
            inside = sum(t for e, t in zip(edges, times, strict=True) if set(e) <= set(nodes))
            if inside > number // 2 * period:
                found[nodes] = Fraction(inside, number // 2)
    return found


@given(st.integers(3, 8), st.integers(0, 2**32))
@settings(max_examples=50)
def test_overfull_odd_sets_are_found_if_there_are_any(size: int, seed: int) -> None:
    dice = random.Random(seed)
    edges = [pair for pair in combinations(range(size), 2) if dice.random() < 0.6]
    times = [dice.randint(1, 5) for _ in edges]
    load = [sum(t for e, t in zip(edges, times, strict=True) if v in e) for v in range(size)]
    period = max(load) + dice.randint(0, 2)
    known = overfull_by_definition(size, edges, times, period)
    found = overfull_odd_sets(size, edges, times, period)
    assert set(found) <= known.keys()
    assert bool(found) == bool(known)


def test_odd_sets_are_resources_of_the_arcs_inside() -> None:
    # A triangle and a tail, in both directions; the period is 2.
    ends = [(0, 1), (1, 0), (1, 2), (2, 0), (2, 3)]
    odd = OddSets(ends, 2)
    times = {0: Fraction(1, 2), 1: Fraction(1, 3), 2: Fraction(5, 6), 3: Fraction(5, 6), 4: 0}
    assert odd.overworked({arc: time for arc, time in times.items() if time}) == [([0, 1, 2, 3], 2)]
    assert odd.found == [(0, 1, 2)]
    assert odd.overworked({0: Fraction(1, 2), 2: Fraction(1, 2), 3: Fraction(1)}) == []


def test_what_arcs_are_charged() -> None:
    platform = Platform(range(4), both_ways([(0, 1, 1), (1, 2, 1), (2, 0, 1), (2, 3, 1)]))
    leaf = CutBound({"port:3": Fraction(2)}, (), (), odd_sets=(((0, 1, 2), Fraction(5)),))
    charged = tolls(Broadcast(platform, 0, "half-duplex"), leaf)
    inside = {(a.tail, a.head): toll for a, toll in zip(platform.arcs, charged, strict=True)}
    assert inside[0, 1] == inside[2, 0] == 5
    assert inside[2, 3] == inside[3, 2] == 2
    assert offered(leaf) == 7


def test_a_bound_with_a_dearer_odd_set_is_rejected() -> None:
    document = half_duplex(built_in("complete:5")).certificate()
    document["proof"]["odd_sets"][0][1] = "1/100"
    with pytest.raises(Rejected, match="priced time"):
        exactsched.check(document)


# Hamiltonian cycles -----------------------------------------------------------------------------


@given(st.lists(st.integers(2, 5), min_size=2, max_size=4))
def test_cycles_of_grids(sides: list[int]) -> None:
    assume(prod(sides) % 2 == 0 and prod(sides) <= 120)
    cycle = grid_cycle(*sides)
    assert sorted(cycle) == list(range(prod(sides)))
    ends = {(arc.tail, arc.head) for arc in grid(*sides).arcs}
    assert all(pair in ends for pair in pairwise([*cycle, cycle[0]]))


@given(
    st.integers(3, 9),
    st.integers(0, 2**32),
    st.fractions(min_value=Fraction(1, 9), max_value=9),
)
@settings(max_examples=25)
def test_the_closed_form_is_the_optimum(size: int, seed: int, least: Fraction) -> None:
    """A planted cycle of cheapest arcs, or a path from the source, among dearer arcs."""
    dice = random.Random(seed)
    line = dice.sample(range(size), size)
    source = dice.choice(line) if size % 2 == 0 else line[0]
    costs: dict[tuple[int, int], Fraction] = {}
    for tail, head in combinations(range(size), 2):
        for ends in ((tail, head), (head, tail)):
            if dice.random() < 0.4:
                costs[ends] = least * dice.choice([1, 1, Fraction(3, 2), 2])
    if size % 2:
        costs.update(dict.fromkeys(pairwise(line), least))
    else:
        costs.update(dict.fromkeys(pairwise([*line, line[0]]), least))
        costs.update(dict.fromkeys(pairwise([line[0], *reversed(line)]), least))
    platform = Platform(range(size), [(*ends, cost) for ends, cost in costs.items()])
    best = hamiltonian_optimum(platform, source, line)
    expected = Fraction(size, 2 * (size - 1)) if size % 2 == 0 else Fraction(1, 2)
    claim = exactsched.check(best.solution().certificate())
    assert claim.optimal
    assert claim.throughput == best.throughput == expected / least
    assert half_duplex(platform, source).throughput == best.throughput


def test_the_closed_form_of_large_grids() -> None:
    best = hamiltonian_optimum(grid(32, 32), 0, grid_cycle(32, 32))
    assert best.throughput == Fraction(512, 1023)
    # Without a schedule the bound is checked all the same.
    stated = Series(best.problem, Fraction(0), best.throughput, False, None, best.proof)
    assert exactsched.check(to_document(stated)).bound == Fraction(512, 1023)


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ([0, 1, 3], "each of the 4 nodes once"),
        ([0, 1, 3, 3], "each of the 4 nodes once"),
        ([0, 1, 2, 3], "1->2.*an arc of the least cost"),
    ],
)
def test_lines_that_are_none(line: list[int], rule: str) -> None:
    with pytest.raises(InvalidInput, match=rule):
        hamiltonian_optimum(grid(2, 2), 0, line)


def test_a_cycle_is_needed_both_ways_and_a_path_from_the_source() -> None:
    one_way = Platform(range(4), [(0, 1, 1), (1, 2, 1), (2, 3, 1), (3, 0, 1)])
    with pytest.raises(InvalidInput, match="1->0"):
        hamiltonian_optimum(one_way, 0, range(4))
    open_end = Platform(range(4), both_ways([(0, 1, 1), (1, 2, 1), (2, 3, 1), (3, 0, 2)]))
    with pytest.raises(InvalidInput, match="3->0"):
        hamiltonian_optimum(open_end, 0, range(4))
    with pytest.raises(InvalidInput, match="a path starts at the source"):
        hamiltonian_optimum(grid(3), 1, [0, 1, 2])


@pytest.mark.parametrize(
    ("sides", "rule"),
    [((3, 3), "evenly many"), ((4,), "needs two"), ((1, 4), "at least 2"), ((2, True), "True")],
)
def test_grids_without_a_cycle(sides: tuple[int, ...], rule: str) -> None:
    with pytest.raises(InvalidInput, match=rule):
        grid_cycle(*sides)
