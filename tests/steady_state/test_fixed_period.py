"""Periods chosen by the user: what fits, by proposition 4, by enumeration, by the certificate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import floor, prod
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import exactsched.check
from exactsched.certificate.bounds import DistanceBound, PotentialBound
from exactsched.certificate.collectives import Series
from exactsched.check.collectives.schedule import achieved_throughput
from exactsched.exact.errors import InvalidInput
from exactsched.model.platform import Platform
from exactsched.model.problem import Alltoall, Reduction
from exactsched.model.tasks import WeightedStructure
from exactsched.platforms.built_in import built_in
from exactsched.steady_state import alltoall as alltoall_module
from exactsched.steady_state import arborescence_packing, fixed_period
from exactsched.steady_state.alltoall import alltoall, scatter, solve_alltoall
from exactsched.steady_state.broadcast import broadcast
from exactsched.steady_state.fixed_period import (
    best_for_period,
    most_operations,
    period_for_loss,
    with_period,
    within_period,
)
from exactsched.steady_state.nearby_structures import nearby_structures
from exactsched.steady_state.odd_sets import OddSets
from exactsched.steady_state.reduce import reduce, solve_reduction
from exactsched.steady_state.solution import Solution
from exactsched.steady_state.structure_counts import StructureLoads
from exactsched.strategies import reductions as problems
from tests.steady_state.planted_collectives import alltoalls, reduce_toy, reductions, scatter_toy

single_goal = reductions().filter(lambda series: len(series.problem.goals) == 1)  # type: ignore[union-attr]
collectives = alltoalls() | single_goal
# In units of the time that one operation takes in the steady state.
lengths = st.builds(Fraction, st.integers(1, 60), st.sampled_from((1, 2, 3, 7)))


def solution_of(series: Series) -> Solution:
    """The planted structures, with the bound that holds for all."""
    assert series.schedule is not None
    problem = series.problem
    best = solve_alltoall(problem) if isinstance(problem, Alltoall) else solve_reduction(problem)
    structures = tuple(
        WeightedStructure(part, tasks, count / series.schedule.period)
        for part, count, tasks in [
            (one.part, one.operations, one.tasks) for one in series.schedule.structures
        ]
    )
    return replace(best, structures=structures)


def operations_of(solution: Solution) -> int:
    assert solution.schedule is not None
    number = solution.throughput * solution.schedule.period
    assert number.denominator == 1
    return int(number)


def most_in_a_part(solution: Solution) -> int:
    parts = [structure.part for structure in solution.structures]
    return max(parts.count(part) for part in parts)


@settings(max_examples=20)
@given(collectives, lengths)
def test_proposition_4_rounding_down_loses_less_than_one_operation_a_structure(
    series: Series, length: Fraction
) -> None:
    """The paper says card(Trees) / T for the throughput: all parts are counted."""
    solution = solution_of(series)
    period = length / solution.throughput
    loads = StructureLoads(solution.problem, solution.structures)
    counts = loads.rounded_down(period)
    rounded = loads.operations(counts)
    assert rounded > length - most_in_a_part(solution)
    assert max(loads.busy(counts), default=0) <= period * loads.unit
    if rounded:
        fixed = with_period(solution, period)
        assert operations_of(fixed) >= rounded
        assert fixed.schedule is not None
        assert fixed.schedule.period == period
        assert achieved_throughput(solution.problem, fixed.schedule) == fixed.throughput


@settings(max_examples=20)
@given(problems(ports="one-port"), lengths)
def test_a_period_keeps_the_bound_of_the_optimum(problem: Reduction, length: Fraction) -> None:
    solution = solve_reduction(problem)
    assume(solution.structures)
    period = length / solution.throughput
    assert most_operations(solution, period) == floor(length)
    try:
        fixed = with_period(solution, period)
    except InvalidInput:
        assert length < most_in_a_part(solution)
        return
    assert 1 <= operations_of(fixed) <= floor(length)
    assert best_for_period(fixed) == (operations_of(fixed) == floor(length))
    claim = exactsched.check(fixed.certificate())
    assert (claim.throughput, claim.bound) == (fixed.throughput, solution.throughput)


def enumerated(loads: StructureLoads, most: Sequence[int]) -> list[tuple[int, int]]:
    """The (operations, time of the busiest resource) of all counts up to these."""
    found = []
    for counts in product(*(range(number + 1) for number in most)):
        totals = {sum(counts[number] for number in part) for part in loads.parts}
        if len(totals) == 1:
            found.append((min(totals), max(loads.busy(counts))))
    return found


@settings(max_examples=25)
@given(collectives, st.integers(1, 4), st.sampled_from((0, 0, 1, -1)))
def test_no_whole_numbers_of_the_structures_are_better(
    series: Series, operations: int, step: int
) -> None:
    """Against all numbers: the shortest time for each, and the most in that time, or nearly."""
    solution = solution_of(series)
    assume(len(solution.structures) <= 5)
    loads = StructureLoads(solution.problem, solution.structures)
    known = enumerated(loads, [operations] * len(loads.weights))
    shortest = min(time for number, time in known if number == operations)
    counts = loads.least_time(operations)
    assert (loads.operations(counts), max(loads.busy(counts))) == (operations, shortest)
    capacity = shortest + step
    limits = [capacity // max(load.values()) for load in loads.loads]
    assume(prod(limit + 1 for limit in limits) <= 5000)
    most = max(number for number, time in enumerated(loads, limits) if time <= capacity)
    counts = loads.most_operations(capacity, most + step % 2)
    assert loads.operations(counts) == most
    assert max(loads.busy(counts)) <= capacity


@settings(max_examples=20)
@given(collectives, st.integers(1, 3))
def test_its_own_period_holds_the_steady_state(series: Series, times: int) -> None:
    solution = solution_of(series)
    assert solution.schedule is not None
    period = times * solution.schedule.period
    fixed = with_period(solution, period)
    assert fixed.throughput >= solution.throughput
    assert best_for_period(fixed) or not solution.optimal
    best = within_period(solution, period)
    assert best.throughput >= solution.throughput
    assert best is solution or not solution.optimal


@settings(max_examples=20)
@given(collectives, lengths)
def test_under_a_limit_it_is_never_worse_than_with_the_limit_as_period(
    series: Series, length: Fraction
) -> None:
    solution = solution_of(series)
    longest = length / solution.throughput
    try:
        fixed = with_period(solution, longest)
    except InvalidInput as refusal:
        with pytest.raises(InvalidInput, match="not one operation"):
            within_period(solution, longest)
        # The time that one operation takes is told, and it is enough.
        advised = refusal.rule.rpartition(" ")[2]
        assert operations_of(with_period(solution, advised)) >= 1
        return
    best = within_period(solution, longest)
    assert best.schedule is not None
    assert best.schedule.period <= longest
    assert achieved_throughput(solution.problem, best.schedule) == best.throughput
    assert best.throughput >= fixed.throughput
    assert best.throughput <= solution.bound


def test_the_toys() -> None:
    """The scatter does 1 operation in 2 time units, either reduction tree 1 in 1."""
    fixed = with_period(solution_of(scatter_toy()), 5)
    assert operations_of(fixed) == 2 == most_operations(fixed, 5)
    trees = solution_of(reduce_toy())
    assert [operations_of(with_period(trees, period)) for period in (1, 2, 3, 4, "17/2")] == [
        1,
        2,
        3,
        4,
        8,
    ]
    # One tree alone does it: within any period the best is one a unit of time.
    assert within_period(trees, 2).throughput == 1


def test_other_routes_of_the_same_cost_fill_the_gaps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Alltoall on a 4x4 torus: without orbits, the routes have a period of 64 at least."""
    monkeypatch.setattr(alltoall_module, "pack_symmetric_routes", lambda *_: None)
    torus = built_in("torus:4x4")
    pairs = [(one, other) for one in torus.nodes for other in torus.nodes if one != other]
    solution = alltoall(torus, pairs)
    assert 1 / solution.throughput == 32
    alone = StructureLoads(solution.problem, solution.structures)
    assert alone.operations(alone.most_operations(32 * alone.unit, 1)) == 0
    fixed = with_period(solution, 32)
    assert operations_of(fixed) == 1
    assert best_for_period(fixed)
    assert fixed.throughput == solution.throughput
    assert exactsched.check(fixed.certificate()).optimal


def two_ways() -> Solution:
    """Two routes on links of their own, of which the weights prefer the first without reason."""
    square = Platform("sabt", [("s", "a", 1), ("a", "t", 1), ("s", "b", 1), ("b", "t", 1)])
    best = scatter(square, "s", ["t"], ports="link")
    routes = (
        WeightedStructure(0, ((0, 0), (1, 0)), Fraction(9, 10)),
        WeightedStructure(0, ((2, 0), (3, 0)), Fraction(1, 10)),
    )
    return replace(best, structures=routes)


def test_whole_numbers_need_not_follow_the_weights() -> None:
    loads = StructureLoads(two_ways().problem, two_ways().structures)
    assert loads.apportioned(4) == (4, 0)
    assert loads.least_time(4) == (2, 2)
    assert loads.most_operations(2, 4) == (2, 2)


def test_integer_programs_improve_on_rounding(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here neither the whole numbers for the longest time nor rounded ones are the best."""
    platform = built_in("random:6,14,1")
    nodes = platform.nodes
    solution = alltoall(platform, [(s, t) for s in nodes[:3] for t in nodes[-3:]])
    longest = Fraction(33, 10) / solution.throughput
    improved = within_period(solution, longest)
    assert improved.schedule is not None
    assert improved.schedule.period <= longest
    exactsched.check(improved.certificate())
    monkeypatch.setattr(fixed_period, "PROGRAMS", 0)
    assert within_period(solution, longest).throughput < improved.throughput


@given(st.lists(st.integers(0, 9), min_size=5, max_size=5))
def test_what_parts_have_too_much_is_taken_off(counts: list[int]) -> None:
    """Two demands, with three and two routes: as many operations of both as of the scarcer one."""
    square = Platform("sabct", [(u, v, 1) for u, v in ("sa", "at", "sb", "bt", "sc", "ct")])
    asked = Alltoall(square, (("s", "t"), ("s", "b")), "link")  # type: ignore[arg-type]
    routes = [(0, ((0, 0), (1, 0))), (0, ((2, 0), (3, 0))), (0, ((4, 0), (5, 0)))]
    routes += [(1, ((2, 1),)), (1, ((2, 1),))]
    loads = StructureLoads(asked, [WeightedStructure(p, t, Fraction(1)) for p, t in routes])
    kept = loads._trimmed(counts)
    assert sum(kept[:3]) == sum(kept[3:]) == loads.operations(counts) == loads.operations(kept)
    assert all(0 <= some <= count for some, count in zip(kept, counts, strict=True))


def test_many_numbers_of_operations_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without integer programs the best of the rounded ones remains."""
    monkeypatch.setattr(fixed_period, "PROGRAMS", 0)
    platform = built_in("random:10,30,1")
    nodes = platform.nodes
    solution = alltoall(platform, [(s, t) for s in nodes[:3] for t in nodes[-5:]])
    loads = StructureLoads(solution.problem, solution.structures)
    longest = 50 / solution.throughput
    rounded = [
        (operations, Fraction(max(loads.busy(loads.apportioned(operations))), loads.unit))
        for operations in range(1, 51)
    ]
    best = max(operations / time for operations, time in rounded if time <= longest)
    fixed = with_period(solution, longest)
    assert fixed.schedule is not None
    done = max(end for _, _, end in fixed.schedule.slots) * fixed.schedule.tick
    assert operations_of(fixed) / done < best == within_period(solution, longest).throughput


def test_nearby_structures_are_structures() -> None:
    grid = built_in("grid:3x3")
    for solution in (
        alltoall(grid, [(0, 8), (8, 0), (2, 6, 3)]),
        reduce(grid, [0, 2, 6, 8], 4, compute=dict.fromkeys(grid.nodes, 1)),
    ):
        nearby = nearby_structures(solution)
        assert nearby
        assert not {(one.part, one.tasks) for one in nearby} & {
            (one.part, one.tasks) for one in solution.structures
        }
        for one in nearby:
            others = [
                WeightedStructure(two.part, two.tasks, Fraction(1, 10**6))
                for two in solution.structures
                if two.part != one.part
            ]
            parts = {two.part: two for two in others}
            parts[one.part] = WeightedStructure(one.part, one.tasks, Fraction(1, 10**6))
            single = Solution(
                solution.problem, tuple(parts.values()), solution.proof, solution.bound
            )
            assert achieved_throughput(solution.problem, single.schedule) == Fraction(1, 10**6)


def test_numbers_of_any_length() -> None:
    """Weights with denominators of 150 digits, periods of 100 and of 300."""
    asked = Alltoall(Platform("ab", [("a", "b", 1)]), (("a", "b"),))  # type: ignore[arg-type]
    weight = Fraction(10**150, 10**150 + 1)
    solution = Solution(
        asked,
        (WeightedStructure(0, ((0, 0),), weight),),
        DistanceBound({"send:a": 1}, ()),
        Fraction(1),
    )
    assert operations_of(with_period(solution, 10**100)) == 10**100
    fixed = with_period(solution, 10**300 + Fraction(1, 2))
    assert 0 <= 10**300 - operations_of(fixed) <= 10**150
    assert within_period(solution, 10**100).throughput == 1


@pytest.mark.parametrize("period", [0, -1, "-7/2", "1/1000"])
def test_periods_in_which_nothing_fits_are_refused(period: int | str) -> None:
    solution = scatter(built_in("scatter-toy"), "Ps", ["P0", "P1"])
    for refused in (with_period, within_period):
        with pytest.raises(InvalidInput, match="not one operation is found that fits") as refusal:
            refused(solution, period)
        assert refusal.value.value == str(Fraction(period))
        assert refusal.value.rule.endswith("one takes 2")


@pytest.mark.parametrize("period", [1.5, True, "soon", None])
def test_periods_are_exact_numbers(period: object) -> None:
    solution = scatter(built_in("scatter-toy"), "Ps", ["P0", "P1"])
    for refused in (with_period, within_period, most_operations):
        with pytest.raises(InvalidInput, match="period"):
            refused(solution, period)  # type: ignore[arg-type]


def test_where_the_throughput_is_0_no_period_is_long_enough() -> None:
    asked = Reduction(Platform("ab", []), ("a", "b"), (((0, 1), "a"),), Fraction(1), ())
    solution = Solution(asked, (), PotentialBound({}, ()), Fraction(0))
    for refused in (with_period, within_period):
        with pytest.raises(InvalidInput, match="throughput is 0"):
            refused(solution, 100)
    assert most_operations(solution, 100) == 0
    assert best_for_period(solution)


@pytest.mark.parametrize("unit", [Fraction(10**400), Fraction(1, 10**400)])
def test_prices_and_costs_may_be_beyond_floats(unit: Fraction) -> None:
    arcs = [("a", "b", unit), ("b", "a", 1), ("b", "c", unit), ("c", "a", 1), ("a", "c", "7/3")]
    ring = Platform("abc", arcs, {"a": {"compute": 1}, "b": {"compute": unit}})
    for solution in (
        alltoall(ring, [("a", "b"), ("b", "c"), ("c", "a")]),
        scatter(ring, "a", {"b": 1, "c": unit}),
        reduce(ring, "abc", "a", size=unit),
    ):
        others = {structure.tasks for structure in nearby_structures(solution)}
        assert others.isdisjoint(structure.tasks for structure in solution.structures)
        fixed = with_period(solution, Fraction(5, 2) / solution.throughput)
        assert operations_of(fixed) == 2


# Half-duplex: odd sets of nodes have room for whole structures, too.


@pytest.mark.parametrize(
    ("name", "period"),
    [("random-regular:6,3,2", 10), ("complete:7", 7), ("torus:3x5", 11)],
)
def test_half_duplex_periods_leave_room_in_odd_sets(
    name: str, period: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of them is chosen again, because the first choice overworks an odd set: of columns."""
    monkeypatch.setattr(arborescence_packing, "PATIENCE_IF_HARD", 100)
    costs = Random(1)
    built = built_in(name)
    arcs = [(arc.tail, arc.head, Fraction(costs.randint(800, 1200), 1000)) for arc in built.arcs]
    best = broadcast(Platform(built.nodes, arcs), 0, ports="half-duplex")
    overworked = []

    def noted(self: OddSets, working: Mapping[int, Fraction]) -> list[tuple[list[int], int]]:
        found = OVERWORKED(self, working)
        overworked.append(len(found))
        return found

    monkeypatch.setattr(OddSets, "overworked", noted)
    for solve in (with_period, within_period):
        overworked.clear()
        fixed = solve(best, period)
        assert fixed.throughput * period > best.throughput * period - len(best.structures)
        assert exactsched.check(fixed.certificate()).throughput == fixed.throughput
        assert sum(overworked) or solve is within_period


OVERWORKED = OddSets.overworked


@pytest.mark.parametrize("unit", [1, Fraction(1, 10**6), 10**6])
@pytest.mark.parametrize("loss", ["1/10", "1/1000"])
def test_short_periods_lose_what_they_say(unit: Fraction, loss: str) -> None:
    built = built_in("legrand-fig1")
    arcs = [(arc.tail, arc.head, arc.cost * unit) for arc in built.arcs]
    best = broadcast(Platform(built.nodes, arcs), "Ps")
    assert len(best.structures) > 1
    period = period_for_loss(best, loss)
    assert period.numerator == 1 or period.denominator == 1
    assert with_period(best, period).throughput >= best.throughput * (1 - Fraction(loss))


def test_a_loss_is_positive() -> None:
    with pytest.raises(InvalidInput, match="loss: '0': a share of the throughput is positive"):
        period_for_loss(broadcast(built_in("legrand-fig1"), "Ps"), 0)
