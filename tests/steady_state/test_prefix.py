"""Parallel prefix: the bound of shared flows, schedules of schemes, and the gap between them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from math import inf
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import exactsched.steady_state.prefix as prefix_module
import exactsched.steady_state.shared_flow_bound as bounding
from exactsched import built_in
from exactsched.check import check
from exactsched.exact.errors import InvalidInput
from exactsched.model.platform import Platform, both_ways
from exactsched.model.problem import Reduction
from exactsched.model.tasks import given as there_at_first
from exactsched.model.tasks import levels, makes, needs
from exactsched.oracles.collectives import optimal_throughput_by_definition, simulate_series
from exactsched.steady_state.prefix import allreduce, prefix, solve_shared_reduction
from exactsched.steady_state.reduce import reduce, reduction_problem, solve_reduction
from exactsched.steady_state.reduction_program import optimal_rates
from exactsched.steady_state.scheme_search import SchemeSearch, cost_of
from exactsched.steady_state.shared_flow_prices import SharedFlowPrices
from exactsched.steady_state.solution import Solution
from exactsched.steady_state.state_graph import StateGraph
from exactsched.strategies import costs, reductions

TIERS = built_in("tiers-2003")
HOSTS = sorted(
    (node for node in TIERS.nodes if "index" in TIERS.node_data.get(node, {})),
    key=lambda node: TIERS.node_data[node]["index"],
)
# The smallest instance with a gap that a search over random platforms has met.
WITH_A_GAP = Platform(range(4), [(0, 1, "1/2"), (1, 2, 1), (1, 3, 1), (2, 0, "1/2"), (3, 0, "1/2")])
ABLE = dict.fromkeys((1, 2, 3), "1/2")


@st.composite
def prefixes(draw: st.DrawFn, max_nodes: int = 4, max_values: int = 4, least: int = 3) -> Reduction:
    """Problems with the goals of a prefix and sometimes one more, on platforms as for a reduce."""
    asked = draw(reductions(max_nodes=max_nodes, max_values=max_values))
    owners = list(asked.owners)
    while len(owners) < least:
        owners.append(draw(st.sampled_from(asked.platform.nodes)))
    goals = tuple(((0, index), owner) for index, owner in enumerate(owners) if index)
    count = len(owners)
    if draw(st.booleans()):
        k = draw(st.integers(0, count - 1))
        more = (k, draw(st.integers(k, count - 1))), draw(st.sampled_from(asked.platform.nodes))
        if more not in goals and more != ((k, k), owners[k]):
            goals += (more,)
    size: Any = draw(costs())
    if draw(st.booleans()):
        size = tuple((k, m, draw(costs())) for k in range(count) for m in range(k, count))
    return Reduction(asked.platform, tuple(owners), goals, size, asked.compute, asked.ports)


def flows_of_a_scheme(graph: StateGraph) -> list[Collection[int]]:
    """For every goal the tasks that make it in the quickest scheme; none where there is none."""
    search = SchemeSearch(graph)
    scheme = search.scheme(graph.durations, [])
    if scheme is None:
        return []
    return [search.needed(scheme, [goal]).values() for goal in graph.goals]


def assert_schemes(solution: Solution) -> None:
    """Every scheme makes all goals, every state once, and only states that it uses."""
    problem = solution.problem
    for structure in solution.structures:
        levels(problem, structure.tasks)  # fails where an input is missing
        made = [makes(problem, task) for task in structure.tasks]
        there = there_at_first(problem)
        assert len(set(made)) == len(made)
        assert not there.intersection(made)
        used = {state for task in structure.tasks for state in needs(problem, task)}
        assert used | set(problem.goals) >= set(made) >= set(problem.goals)  # type: ignore[union-attr]


@settings(max_examples=12)
@given(prefixes())
def test_the_bound_is_the_optimum_of_the_relaxation(problem: Reduction) -> None:
    """Restricted programs with divided prices come to the value of the whole program."""
    solution = solve_shared_reduction(problem)
    assert solution.bound == optimal_rates(problem).throughput
    assert_schemes(solution)
    claim = check(solution.certificate())
    assert (claim.throughput, claim.bound) == (solution.throughput, solution.bound)  # type: ignore[union-attr]


def test_sizes_and_times_of_every_kind_have_the_bound_of_the_relaxation() -> None:
    """Three values of one node, and times that differ from task to task: 16/37."""
    ring = Platform("abc", [("c", "a", "1/5"), ("a", "b", 1), ("b", "c", 3)])
    sizes = {(0, 0): "5/2", (0, 1): 1, (0, 2): 6, (1, 1): "5/3", (1, 2): "5/2", (2, 2): "4/3"}
    times = {
        "a": {(0, 0, 1): "3/4", (0, 0, 2): "4/3", (0, 1, 2): 4, (1, 1, 2): 1},
        "b": {(0, 0, 2): 1, (0, 1, 2): 3},
        "c": {(0, 0, 1): 1, (0, 0, 2): "3/5", (0, 1, 2): 2, (1, 1, 2): 3},
    }
    compute = {
        node: (lambda k, cut, m, known=known: known.get((k, cut, m)))
        for node, known in times.items()
    }
    solution = prefix(ring, "aaa", size=sizes, compute=compute)
    assert solution.throughput == solution.bound == Fraction(16, 37)
    assert optimal_rates(solution.problem).throughput == solution.bound  # type: ignore[arg-type]


# The first exact program divides its prices so that the trees of some goal cost nothing.
FREE_AT_FIRST = Reduction(
    Platform(range(3), [(0, 1, 1), (0, 2, 1), (1, 0, 1)]),
    (0, 0, 1),
    (((0, 1), 0), ((0, 2), 1)),
    Fraction(1),
    ((0, 1), (1, 1), (2, 1)),
)


@settings(max_examples=20)
@given(prefixes())
@example(FREE_AT_FIRST)
def test_dividing_prices_alone_finds_the_bound(problem: Reduction) -> None:
    """Without any walk, from the tasks of one scheme on; what divisions prove is checked."""
    graph = StateGraph(problem)
    flows = flows_of_a_scheme(graph)
    if not flows:
        return
    for rounds in (1, 200):
        told: list[tuple[float, float]] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(bounding, "ROUNDS", rounds)
            found = bounding.shared_flow_bound(
                problem,
                graph,
                flows,
                Fraction(1),
                lambda _, *bounds, told=told: told.append(bounds),
            )
        assert told
        assert all(lower <= upper * (1 + 1e-9) for lower, upper in told)
        claim = check(Solution(problem, (), found.bound, found.value).certificate())
        assert claim.bound == found.value  # type: ignore[union-attr]
    assert found.value == optimal_rates(problem).throughput


@settings(max_examples=15)
@given(prefixes(), st.integers(0, 300))
def test_rounded_prices_are_a_proof(problem: Reduction, work: int) -> None:
    """Float rounds that stop early, and nothing exact after them: a bound all the same."""
    graph = StateGraph(problem)
    flows = flows_of_a_scheme(graph)
    if not flows:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bounding, "WORK", work)
        found = bounding.shared_flow_bound(problem, graph, flows, Fraction(1))
        solution = solve_shared_reduction(problem)
    optimum = optimal_rates(problem).throughput
    claim = check(Solution(problem, (), found.bound, found.value).certificate())
    assert claim.bound == found.value >= optimum  # type: ignore[union-attr]
    claim = check(solution.certificate())
    assert claim.bound == solution.bound >= optimum >= solution.throughput  # type: ignore[union-attr]


@settings(max_examples=30)
@given(prefixes())
@example(FREE_AT_FIRST)
def test_a_walk_without_any_program_is_a_proof_and_near_the_optimum(problem: Reduction) -> None:
    """As on large platforms: prices of a first-order method, which are divided exactly."""
    graph = StateGraph(problem)
    if not flows_of_a_scheme(graph):
        return
    optimum = optimal_rates(problem).throughput
    told: list[tuple[float, float]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bounding, "LARGE", -1)
        patch.setattr(bounding._FlowProgram, "propose", lambda _: pytest.fail("a program"))
        patch.setattr(bounding._FlowProgram, "solve", lambda _: pytest.fail("an exact program"))
        found = bounding.shared_flow_bound(
            problem, graph, [], optimum, lambda _, *bounds: told.append(bounds)
        )
        solution = solve_shared_reduction(problem)
    assert optimum <= found.value <= optimum * Fraction(11, 10)
    assert told
    claim = check(Solution(problem, (), found.bound, found.value).certificate())
    assert claim.bound == found.value  # type: ignore[union-attr]
    claim = check(solution.certificate())
    assert claim.bound == solution.bound >= optimum >= solution.throughput  # type: ignore[union-attr]


def test_a_walk_fails_where_times_are_too_far_apart_and_programs_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bounding, "LARGE", -1)
    tried: list[object] = []
    division = SharedFlowPrices.division
    monkeypatch.setattr(SharedFlowPrices, "division", lambda walk: tried.append(division(walk)))
    arcs = [(0, 1, "1/2"), (1, 2, 10**60), (1, 3, 1), (2, 0, "1/2"), (3, 0, "1/2"), (3, 2, 1)]
    solution = prefix(Platform(range(4), arcs), (2, 3, 0), compute=ABLE, ports="link")
    assert tried == [None]
    assert solution.bound == optimal_rates(solution.problem).throughput  # type: ignore[arg-type]
    assert check(solution.certificate()).bound == solution.bound  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("arcs", "owners", "goals"),
    [
        ([], (0, 0, 0), (((0, 1), 0), ((0, 2), 0))),  # nothing is sent
        ([(0, 1, 1), (0, 2, 1)], (0,), (((0, 0), 1), ((0, 0), 2))),  # nothing is merged
    ],
)
def test_walks_where_one_kind_of_tasks_is_missing(
    arcs: list[tuple[int, int, int]], owners: tuple[int, ...], goals: Any
) -> None:
    """Two tasks of a processor or of a port for two goals: each time 1/2."""
    compute = ((0, Fraction(1)),) if len(owners) > 1 else ()
    problem = Reduction(Platform(range(3), arcs), owners, goals, Fraction(1), compute)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bounding, "LARGE", -1)
        found = bounding.shared_flow_bound(problem, StateGraph(problem), [], Fraction(1, 2))
    assert Fraction(1, 2) <= found.value <= Fraction(51, 100)
    claim = check(Solution(problem, (), found.bound, found.value).certificate())
    assert claim.bound == found.value  # type: ignore[union-attr]


def test_a_walk_ends_when_it_is_told_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """After thirty steps prices are divided all the same."""
    monkeypatch.setattr(bounding, "LARGE", -1)
    problem = prefix(WITH_A_GAP, (2, 3, 0), compute=ABLE, ports="link").problem
    asked: list[int] = []

    def enough(steps: int, lower: float, upper: float) -> bool:
        asked.append(steps)
        assert (lower, upper) == (0.75, inf)
        return steps == 30

    found = bounding.shared_flow_bound(
        problem,  # type: ignore[arg-type]
        StateGraph(problem),  # type: ignore[arg-type]
        [],
        Fraction(3, 4),
        enough,
    )
    assert asked == [10, 20, 30]
    claim = check(Solution(problem, (), found.bound, found.value).certificate())  # type: ignore[arg-type]
    assert claim.bound == found.value >= Fraction(5, 6)  # type: ignore[union-attr]


# What six nodes of random:10,40,1 reach at most if flows share tasks: exact, in 10 s.
SIX = built_in("random:10,40,1")
FLOWS_OF_SIX = Fraction(8850728878, 95808024155)


@pytest.mark.parametrize("steps", [7, 33, 360, 1200])
def test_steps_come_near_the_optimum_and_goals_pay_no_more_than_tasks_cost(steps: int) -> None:
    """Shares are positive, prices sum to 1; after 1200 steps the bound is within 5 %."""
    nodes = SIX.nodes[:6]
    goals = [((0, 5), node) for node in nodes]
    graph = StateGraph(reduction_problem(SIX, nodes, goals, 1, 1, "one-port"))
    walk = SharedFlowPrices(graph, float(FLOWS_OF_SIX * Fraction(graph.measure, graph.unit)))
    walk.walk(steps)
    divided = walk.division()
    assert divided is not None
    prices, shares = divided
    assert sum(prices) == pytest.approx(1)
    costs = graph.costs(prices)
    paid = [0.0] * len(costs)
    for row in shares:
        for task, share in row.items():
            assert share > 0
            paid[task] += share
    assert all(part <= cost * (1 + 1e-5) + 1e-12 for part, cost in zip(paid, costs, strict=True))
    if steps == 1200:
        cost = bounding._Division(graph).ascend(costs, shares, inf).cost
        bound, _ = graph.per_time_unit(1 / cost, inf)
        assert 1 - 1e-5 <= bound / float(FLOWS_OF_SIX) <= 1.05


def test_on_large_platforms_schemes_that_avoid_each_other_gain(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ten schemes pack 10/117 of an all-reduce; forty more reach more, without any pricing."""
    monkeypatch.setattr(bounding, "LARGE", -1)
    monkeypatch.setattr(bounding, "WALK", 0)
    monkeypatch.setattr(prefix_module._SchemePacking, "generate", lambda *_: 0)
    told: list[tuple[int, float, float]] = []
    platform = built_in("random:10,40,1")
    solution = allreduce(
        platform, platform.nodes[:6], compute=1, progress=lambda *row: told.append(row)
    )
    assert solution.priced == 40
    assert solution.throughput > Fraction(10, 117)
    # The last ten gain nothing, of which nobody is told.
    assert [schemes for schemes, *_ in told[:39]] == list(range(1, 40))


def test_the_second_search_for_schemes_may_do_as_much_as_the_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each makes one turn where even a single scheme is allowed no more."""
    monkeypatch.setattr(prefix_module, "EFFORT", 1)
    solution = prefix(WITH_A_GAP, (2, 3, 0), compute=ABLE, ports="link")
    assert solution.priced == 30


@pytest.mark.parametrize(("grid", "bound"), [(6, Fraction(1)), (8, Fraction(14, 15))])
def test_the_tightest_goal_is_kept_where_rounded_prices_are_worse(
    grid: int, bound: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Prices in sixths prove 12/11, in eighths 14/15; one goal alone proves 1."""
    monkeypatch.setattr(bounding, "WORK", 0)
    monkeypatch.setattr(bounding, "GRID", grid)
    monkeypatch.setattr(bounding._FlowProgram, "solve", lambda _: pytest.fail("exact"))
    solution = prefix(WITH_A_GAP, (2, 3, 0), compute=ABLE, ports="link")
    alone = bounding.tightest_goal(solution.problem)  # type: ignore[arg-type]
    assert alone.value == 1
    assert solution.bound == bound
    assert not solution.optimal
    assert check(solution.certificate()).bound == solution.bound  # type: ignore[union-attr]


@settings(max_examples=15)
@given(prefixes(max_nodes=3, max_values=3))
def test_the_schedule_is_the_best_on_tiny_platforms(problem: Reduction) -> None:
    """By enumeration of all schemes and of all sets of transfers that may run together.

    Few arcs are left, for there are too many schemes otherwise.
    """
    platform = Platform(problem.platform.nodes, problem.platform.arcs[:4])
    problem = replace(problem, platform=platform)
    solution = solve_shared_reduction(problem)
    best = optimal_throughput_by_definition(problem)
    assert solution.throughput == best <= solution.bound


def test_an_instance_with_a_gap() -> None:
    """No schedule reaches the bound: 3/4 is the optimum, found, and 5/6 the bound."""
    solution = prefix(WITH_A_GAP, (2, 3, 0), compute=ABLE, ports="link")
    assert solution.bound == Fraction(5, 6)
    assert solution.throughput == Fraction(3, 4)
    assert not solution.optimal
    assert optimal_throughput_by_definition(solution.problem) == Fraction(3, 4)  # type: ignore[arg-type]
    claim = check(solution.certificate())
    assert (claim.throughput, claim.bound) == (Fraction(3, 4), Fraction(5, 6))  # type: ignore[union-attr]


def test_a_small_gap_under_one_port() -> None:
    """The optimum was found with an integer program for pricing; it takes a state bought first."""
    platform = Platform(
        range(5),
        [
            *[(0, 1, "6/7"), (0, 2, "9/5"), (0, 3, "1/2"), (0, 4, "8/7"), (1, 0, 1), (1, 3, 1)],
            *[(1, 4, "5/7"), (2, 0, "1/7"), (2, 1, "1/3"), (2, 3, "7/3"), (2, 4, 9), (3, 4, 2)],
            *[(4, 1, "5/2"), (4, 3, 8)],
        ],
    )
    sizes = ("1", "1", "6/5", "3/7", "5", "3/7", "1", "5/2", "2", "8/7")
    intervals = [(k, m) for k in range(4) for m in range(k, 4)]
    solution = prefix(
        platform,
        (0, 3, 2, 3),
        size=dict(zip(intervals, sizes, strict=True)),
        compute={0: "6/7", 1: "2/5", 2: 6, 3: "1/25"},
    )
    assert solution.bound == Fraction(36278, 90813)
    assert solution.throughput == Fraction(2045852, 5121597)


def test_what_shortens_the_gap_instance_closes_the_gap() -> None:
    """It takes the bottleneck that two goals share: twice as fast, and the bound is reached."""
    faster = Platform(range(4), [(0, 1, "1/4"), *WITH_A_GAP.arcs[1:]])
    assert prefix(faster, (2, 3, 0), compute=ABLE, ports="link").optimal


COMPLETE_4 = Platform(range(4), [(*pair, 1) for pair in permutations(range(4), 2)])
COMPLETE_5 = Platform(range(5), [(*pair, 1) for pair in permutations(range(5), 2)])
IRREGULAR = Platform(
    range(5),
    [
        *[(0, 1, "5/7"), (0, 2, 1), (0, 3, "1/5"), (0, 4, "3/5"), (1, 0, 5), (1, 2, "7/3")],
        *[(1, 3, "2/7"), (1, 4, "1/3"), (2, 0, "2/5"), (2, 1, 6), (2, 3, "5/3"), (2, 4, "1/7")],
        *[(3, 0, 4), (3, 1, "7/5"), (3, 2, "5/7"), (3, 4, "4/3")],
        *[(4, 0, "2/7"), (4, 2, "3/7"), (4, 3, 7)],
    ],
)


@pytest.mark.parametrize(
    ("platform", "owners", "compute", "throughput"),
    [
        (COMPLETE_4, (0, 2, 1), {0: "1/10", 3: "1/10"}, Fraction(3, 4)),
        (COMPLETE_5, (1, 2, 3, 0), {1: 1, 3: 1, 4: "1/10"}, Fraction(7, 9)),
        (IRREGULAR, (4, 0, 3, 1), {1: "2/7", 2: "1/25", 3: "8/3"}, None),
    ],
)
def test_schedules_that_are_hard_to_find(
    platform: Platform,
    owners: tuple[int, ...],
    compute: dict[int, Any],
    throughput: Fraction | None,
) -> None:
    """They take several rounds and disturbed costs: with less of a search they were missed."""
    solution = prefix(platform, owners, compute=compute)
    assert solution.optimal
    assert throughput in (solution.throughput, None)


def test_prefixes_on_the_triangle_of_the_paper() -> None:
    """P1 and P2 take v0 and v[0,1] each time, one message and one task for each."""
    solution = prefix(built_in("reduce-toy"), ["P0", "P1", "P2"])
    assert solution.throughput == solution.bound == 1


def test_a_result_may_be_used_and_sent_several_times() -> None:
    """A chain a -> b -> c: v[0,1] is wanted at b and used for v[0,2] as well."""
    chain = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    solution = prefix(chain, "abc", compute={"b": "1/2", "c": "1/2"})
    assert solution.optimal
    assert solution.throughput == 1
    (scheme,) = solution.structures
    assert scheme.tasks == ((0, 0, 0), (3, 0, 0, 1), (1, 0, 1), (4, 0, 1, 2))
    assert simulate_series(solution.certificate(), 8) > 0


def test_schemes_share_and_improve() -> None:
    """v[0] is wanted at b and at c; from b to c it is not far."""
    platform = Platform("abc", [("a", "b", 3), ("b", "c", 1), ("a", "c", "7/2")])
    goals = (((0, 0), "b"), ((0, 0), "c"))
    graph = StateGraph(Reduction(platform, ("a",), goals, Fraction(1), ()))
    search = SchemeSearch(graph)
    at_b, at_c = graph.goals
    shared = search.scheme(graph.durations, [at_b, at_c])
    direct = search.scheme(graph.durations, [at_c, at_b])
    assert shared is not None
    assert direct is not None
    assert search.ordered(shared) == ((0, 0, 0), (1, 0, 0))
    assert (cost_of(graph.durations, shared), cost_of(graph.durations, direct)) == (4, 6.5)
    assert search.improved(graph.durations, direct) == shared
    assert graph.load(shared.values()) == {0: 6, 3: 6, 2: 2, 5: 2}
    assert search.scheme([inf] * 3, []) is None


def test_prefix_on_tiers_is_optimal() -> None:
    solution = prefix(TIERS, HOSTS)
    assert solution.throughput == solution.bound == Fraction(4, 27)
    assert str(check(solution.certificate())).startswith("throughput 4/27 proved optimal")


def test_two_values_are_a_reduce() -> None:
    pair = Platform("ab", [("a", "b", "3/7"), ("b", "a", 2)])
    compute = {"a": "1/5", "b": 3}
    expected = reduce(pair, "ab", "b", compute=compute)
    found = prefix(pair, "ab", compute=compute)
    assert found.throughput == found.bound == expected.throughput


@settings(max_examples=20)
@given(reductions(max_nodes=5, max_values=4))
def test_one_goal_is_a_reduce(problem: Reduction) -> None:
    """There the bound is reached; the heuristics find the trees."""
    solution = solve_shared_reduction(problem)
    assert solution.bound == solve_reduction(problem).throughput
    assert solution.throughput == solution.bound


@settings(max_examples=10)
@given(prefixes(), st.integers(2, 9))
def test_slower_by_a_factor(problem: Reduction, factor: int) -> None:
    arcs = [(arc.tail, arc.head, factor * arc.cost) for arc in problem.platform.arcs]
    slower = Reduction(
        Platform(problem.platform.nodes, arcs),
        problem.owners,
        problem.goals,
        problem.size,
        tuple((*task, factor * time) for *task, time in problem.compute),
        problem.ports,
    )
    assert solve_shared_reduction(slower).bound == solve_shared_reduction(problem).bound / factor


@pytest.mark.parametrize(
    ("arcs", "compute"),
    [
        ([("a", "b", 1)], {"a": 1, "b": 1}),  # v[0,2] cannot come to c
        ([("a", "b", 1), ("b", "c", 1)], {"a": 1}),  # v[1,1] and v[2,2] cannot come to a
    ],
)
def test_unreachable_goals_are_proved(
    arcs: list[tuple[str, str, int]], compute: dict[str, int]
) -> None:
    solution = prefix(Platform("abc", arcs), "abc", compute=compute)
    assert solution.structures == ()
    assert solution.bound == 0
    assert solution.optimal
    claim = check(solution.certificate())
    assert (claim.throughput, claim.bound) == (0, 0)  # type: ignore[union-attr]


def test_numbers_beyond_floats() -> None:
    """Costs with long coprime denominators: the least common multiple has a thousand digits."""
    costs = [1 + Fraction(1, 10**110 + offset) for offset in (7, 9, 13, 27, 49, 51, 57, 63, 67)]
    nodes = range(10)
    chain = Platform(nodes, [(i, i + 1, cost) for i, cost in enumerate(costs)])
    solution = prefix(chain, (0, 5, 9), compute={5: 1, 9: 1})
    assert solution.optimal
    assert solution.throughput == 1 / max(costs)


FAR = [Fraction(10**400), Fraction(1, 10**400)]


@pytest.mark.parametrize("unit", FAR)
def test_times_far_from_the_time_unit(unit: Fraction) -> None:
    """In another unit the throughput is another multiple, whatever a float can hold."""
    ways = [("a", "b", 1), ("b", "c", 1), ("a", "c", 2)]
    told: list[tuple[float, float]] = []
    near, far = (
        prefix(
            Platform("abc", both_ways([(u, v, scale * cost) for u, v, cost in ways])),
            "abc",
            compute=dict.fromkeys("abc", scale),
            progress=lambda _, lower, upper: told.append((lower, upper)),
        )
        for scale in (Fraction(1), unit)
    )
    assert check(far.certificate()).optimal
    assert far.throughput == near.throughput / unit
    assert told


@pytest.mark.parametrize(("size", "time"), [(FAR[0], 1), (FAR[1], 1), (1, FAR[0]), (1, FAR[1])])
def test_times_far_from_each_other(size: Fraction, time: Fraction) -> None:
    """Messages or merges that take no time in comparison: whatever is slow decides."""
    ways = both_ways([("a", "b", 1), ("b", "c", 1), ("a", "c", 2)])
    solution = prefix(Platform("abc", ways), "abc", size=size, compute=dict.fromkeys("abc", time))
    claim = check(solution.certificate())
    slowest = max(Fraction(size), Fraction(time))
    assert 0 < claim.throughput * slowest <= claim.bound * slowest < 3


def test_progress_is_told() -> None:
    told: list[tuple[int, float, float]] = []
    prefix(
        WITH_A_GAP, (2, 3, 0), compute=ABLE, ports="link", progress=lambda *row: told.append(row)
    )
    assert told
    assert all(lower <= upper * (1 + 1e-9) for _, lower, upper in told)


def test_what_is_refused() -> None:
    triangle = built_in("reduce-toy")
    with pytest.raises(InvalidInput, match="at least two values"):
        prefix(triangle, ["P0"])
    with pytest.raises(InvalidInput, match="an odd cycle"):
        prefix(triangle, ["P0", "P1", "P2"], ports="half-duplex")
    with pytest.raises(InvalidInput, match="not a node"):
        prefix(triangle, ["P0", "P7"])


CHAIN = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
PREFIX_ON_A_CHAIN = reduction_problem(
    CHAIN, "abc", [((0, 1), "b"), ((0, 2), "c")], 1, {"b": "1/2", "c": "1/2"}, "one-port"
)


@settings(max_examples=25)
@example(PREFIX_ON_A_CHAIN, [1] * 20)  # who pays v[0] from a to b?
@given(prefixes(), st.lists(st.integers(1, 9), min_size=20, max_size=20))
def test_goals_that_take_turns_pay_no_task_twice(problem: Reduction, prices: list[int]) -> None:
    """Under any prices, from no shares at all: a bound each time, and never a worse one."""
    graph = StateGraph(problem)
    if not flows_of_a_scheme(graph):
        return
    listed = (prices * graph.rows)[: graph.rows]
    division = bounding._Division(graph)
    shares: bounding.Shares = [{} for _ in graph.goals]
    costs, far = graph.exact_costs(listed)
    values = []
    for _ in range(3):
        divided = division.ascend(costs, shares, far)
        values.append(Fraction(sum(listed) * graph.unit, int(divided.cost)))
        bound = division.bound(problem, listed, divided.potentials)
        claim = check(Solution(problem, (), bound, values[-1]).certificate())
        assert claim.bound == values[-1]  # type: ignore[union-attr]
    assert values == sorted(values, reverse=True)
