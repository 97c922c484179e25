"""Series of reductions: the optimum, its trees and its bound."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import chain
from math import gcd
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from exactsched import built_in
from exactsched.certificate.bounds import PotentialBound
from exactsched.check import check
from exactsched.exact.errors import InvalidInput
from exactsched.linear_programs.column_generation import pack_structures
from exactsched.linear_programs.master_program import PackingProgram
from exactsched.model.platform import Node, Platform, both_ways
from exactsched.model.problem import Interval, Reduction
from exactsched.model.resources import resources
from exactsched.oracles.reduce import flow_of_results, reduction_program, trees_at_most
from exactsched.oracles.series import best_mixture, load
from exactsched.steady_state import task_packing
from exactsched.steady_state.prefix import allreduce, prefix
from exactsched.steady_state.reduce import reduce, reduction_problem, solve_reduction
from exactsched.steady_state.reduction_pricing import ReductionTrees
from exactsched.steady_state.solution import Solution
from exactsched.strategies import costs, reductions
from tests.steady_state.test_reduction_tree import refuse_unless_tree

TOY = built_in("reduce-toy")
TIERS = built_in("tiers-2003")
OWNERS = sorted(
    (node for node in TIERS.nodes if "index" in TIERS.node_data.get(node, {})),
    key=lambda node: TIERS.node_data[node]["index"],
)


def proved(problem: Reduction) -> Solution:
    """The solution, after its certificate has been checked, and its trees."""
    solution = solve_reduction(problem)
    verdict = check(solution.certificate())
    assert verdict.optimal
    assert verdict.throughput == verdict.bound == solution.throughput == solution.bound
    assert len(solution.structures) <= len(resources(problem))
    for structure in solution.structures:
        refuse_unless_tree(problem, structure.tasks)
    assert isinstance(solution.proof, PotentialBound)
    numbers = [*solution.proof.prices.values(), *chain(*solution.proof.potentials[0])]
    assert {type(number) for number in numbers} == {int}
    assert gcd(*(int(number) for number in numbers)) == 1
    return solution


@given(reductions())
def test_as_good_as_the_best_mixture_of_all_trees(problem: Reduction) -> None:
    """Every port model; sizes by interval, times by task; coprime denominators."""
    trees = trees_at_most(problem, 400)
    assume(trees is not None)
    assert trees is not None
    assert proved(problem).throughput == best_mixture(problem, [trees])


@settings(max_examples=25)
@given(reductions(ports="one-port", max_nodes=5, max_values=4, same_tasks=True))
def test_as_good_as_the_linear_program(problem: Reduction) -> None:
    """SSR(G) as it must be, in full."""
    assert proved(problem).throughput == flow_of_results(problem)


@settings(max_examples=25)
@given(reductions(max_nodes=6, max_values=5))
def test_as_good_as_packing_whole_trees(problem: Reduction) -> None:
    """The other route: reduction trees as columns, with fewer of each other's parts to mix."""
    trees = ReductionTrees(problem)
    expected = Fraction(0)
    if trees.priced({}).reachable:
        expected = pack_structures(trees, [trees.unit] * trees.rows).value
    assert proved(problem).throughput == expected


@settings(max_examples=25)
@given(reductions(max_nodes=6, max_values=5))
def test_floats_only_propose(problem: Reduction) -> None:
    """No float program and no bursts: one exact tree after the other."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PackingProgram, "propose", lambda _program: None)
        patch.setattr(task_packing, "FIRST", 0)
        patch.setattr(task_packing, "BATCH", 0)
        slowly = proved(problem)
    assert slowly.throughput == proved(problem).throughput


@settings(max_examples=25)
@given(reductions(max_nodes=5, max_values=4), costs(), st.data())
def test_laws(problem: Reduction, factor: Fraction, data: st.DataObject) -> None:
    """Times scale the throughput; the order of nodes and arcs is nothing; order may be reversed."""
    value = solve_reduction(problem).throughput
    platform = problem.platform
    slower = [(arc.tail, arc.head, arc.cost * factor) for arc in platform.arcs]
    scaled = replace(
        problem,
        platform=Platform(platform.nodes, slower),
        compute=tuple((*row[:-1], row[-1] * factor) for row in problem.compute),
    )
    assert solve_reduction(scaled).throughput == value / factor
    shuffled = Platform(
        data.draw(st.permutations(platform.nodes)), data.draw(st.permutations(platform.arcs))
    )
    assert solve_reduction(replace(problem, platform=shuffled)).throughput == value
    last = len(problem.owners) - 1
    (((k, m), target),) = problem.goals
    mirrored = replace(
        problem,
        owners=problem.owners[::-1],
        goals=(((last - m, last - k), target),),
        size=tuple((last - m, last - k, size) for (k, m), size in problem.sizes.items()),
        compute=tuple(
            row
            if len(row) == 2
            else (row[0], last - row[3], last - row[2] - 1, last - row[1], row[4])
            for row in problem.compute
        ),
    )
    assert solve_reduction(mirrored).throughput == value


def test_the_example_of_figure_6() -> None:
    solution = proved(
        reduction_problem(TOY, ["P0", "P1", "P2"], [((0, 2), "P0")], 1, None, "one-port")
    )
    assert solution.throughput == 1


def test_the_trees_of_figure_7_are_an_optimum() -> None:
    """Weights 1/3 and 2/3: no resource works more than full time."""
    problem = reduce(TOY, ["P0", "P1", "P2"], "P0").problem
    assert isinstance(problem, Reduction)
    arc = {(arc.tail, arc.head): index for index, arc in enumerate(TOY.arcs)}
    first = (
        (arc["P2", "P1"], 2, 2),
        (len(arc) + 1, 1, 1, 2),
        (arc["P1", "P0"], 1, 2),
        (len(arc), 0, 0, 2),
    )
    second = (
        (arc["P1", "P2"], 1, 1),
        (len(arc) + 2, 1, 1, 2),
        (arc["P2", "P0"], 1, 2),
        (len(arc), 0, 0, 2),
    )
    refuse_unless_tree(problem, first)
    refuse_unless_tree(problem, second)
    busy = load(problem, [(first, Fraction(1, 3)), (second, Fraction(2, 3))])
    assert max(busy.values()) == 1


def test_the_example_of_figure_9() -> None:
    solution = proved(reduce(TIERS, OWNERS, 6).problem)  # type: ignore[arg-type]
    assert solution.throughput == Fraction(2, 9)


def test_progress_reports_bounds_that_meet() -> None:
    seen: list[tuple[int, float, float]] = []
    triangle = Platform("abc", both_ways([("a", "b", 1), ("b", "c", "2/3"), ("a", "c", "5/7")]))
    compute = {"a": "3/5", "b": 1, "c": "1/2"}
    solution = reduce(
        triangle,
        "abcab",
        "c",
        compute=compute,
        progress=lambda rounds, lower, upper: seen.append((rounds, lower, upper)),
    )
    value = float(solution.throughput)
    assert [rounds for rounds, _, _ in seen] == list(range(1, len(seen) + 1))
    assert all(lower <= value * (1 + 1e-9) for _, lower, _ in seen)
    assert all(value <= upper * (1 + 1e-9) for _, _, upper in seen)
    assert seen[-1][1:] == pytest.approx((value, value))


@pytest.mark.parametrize("unit", ["1e400", "1e-400", "1e0"])
@pytest.mark.parametrize("spread", ["1e-500", "1e-300", "1e300", "1e500"])
def test_times_beyond_floats(unit: str, spread: str) -> None:
    """The way by b is slow or fast, all times have hundreds of digits; progress stays calm."""
    one, other = Fraction(unit), Fraction(unit) * Fraction(spread)
    links = [("a", "b", other), ("b", "c", 2 * other), ("a", "c", 3 * one)]
    reports: list[tuple[float, float]] = []
    solution = reduce(
        Platform("abc", links),
        "aac",
        "c",
        compute={"b": other, "c": 2 * one, "a": one},
        progress=lambda _rounds, lower, upper: reports.append((lower, upper)),
    )
    assert reports
    assert check(solution.certificate()).optimal
    assert solution.throughput >= 1 / (3 * one)


def test_the_result_does_not_go_round_through_the_target() -> None:
    """Printed, SSR(G) counts v[0,1] as often as it comes back, even if nobody makes it."""
    pair = Platform("ta", both_ways([("t", "a", 1)]))
    solution = reduce(pair, ["t", "a"], "t", compute={})
    assert reduction_program(solution.problem, gross=True).value() == 1
    assert solution.throughput == 0
    assert solution.unreachable == (((0, 1), "t"),)
    fast = Platform(
        "tab", [*both_ways([("t", "a", "1/100")]), ("b", "t", 1)], {"t": {"compute": 1}}
    )
    solution = reduce(fast, ["t", "b"], "t")
    assert reduction_program(solution.problem, gross=True).value() == 100
    assert solution.throughput == 1


def test_values_pass_through_their_owners_and_the_target() -> None:
    """v[0] of a passes b, who has v[1], and the target c, to be joined at d; and comes back."""
    line = Platform("abcd", both_ways([("a", "b", 1), ("b", "c", 1), ("c", "d", 1)]))
    # The arc c->d carries both values, 2; c receives three messages.
    assert reduce(line, "ab", "c", compute={"d": "1/7"}).throughput == Fraction(1, 3)


def test_several_values_of_one_node() -> None:
    """Three values on the target: nothing is sent, two tasks are done."""
    pair = Platform("ab", both_ways([("a", "b", 1)]))
    assert reduce(pair, "aaa", "a", compute={"a": "1/2"}).throughput == 1
    able = {"a": "1/9", "b": "1/9"}
    # v[2] visits b, and v[1,3] comes back; without the way to b, v[1] and v[3] come one by one.
    assert reduce(pair, "abab", "a", compute=able).throughput == 1
    one_way = Platform("ab", [("b", "a", 1)])
    assert reduce(one_way, "abab", "a", compute=able).throughput == Fraction(1, 2)
    assert reduce(one_way, "aabb", "a", compute=able).throughput == 1


def test_one_participant() -> None:
    line = Platform("abc", [("a", "b", 2), ("b", "c", 3)])
    assert reduce(line, ["a"], "c").throughput == Fraction(1, 3)
    assert reduce(line, ["a"], "c", size="1/2").throughput == Fraction(2, 3)
    with pytest.raises(InvalidInput, match="there from the start"):
        reduce(line, ["a"], "a")


@pytest.mark.parametrize(
    ("owners", "target", "compute"),
    [
        ("ac", "a", {"a": 1}),  # v[1] cannot leave c
        ("ab", "c", {"a": 1}),  # nobody who can compute gets both
        ("ab", "b", {}),
        ("ab", "b", {"b": lambda _k, _cut, _m: None}),
        ("abb", "b", {"b": lambda k, _cut, m: 1 if (k, m) == (0, 2) else None}),
        ("c", "b", {"a": 1, "b": 1, "c": 1}),
    ],
)
def test_what_cannot_be_done(owners: str, target: Node, compute: dict[Node, Any]) -> None:
    """The bound is 0: no prices, and potential 1 where nothing can be known."""
    line = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    goals = [((0, len(owners) - 1), target)]
    problem = reduction_problem(line, owners, goals, 1, compute, "one-port")
    solution = proved(problem)
    assert solution.throughput == solution.bound == 0
    assert isinstance(solution.proof, PotentialBound)
    assert solution.proof.prices == {}
    labels = {label for row in solution.proof.potentials[0] for label in row}
    assert labels <= {0, 1}


def test_sizes_and_times_as_functions_and_mappings() -> None:
    """Each is the same as its rows; a node with no possible task has no processor."""
    line = Platform("ab", [("a", "b", 1)], {"a": {"compute": 5}})

    def problem(size: Any, compute: Any) -> Reduction:
        return reduction_problem(line, "aab", [((0, 2), "b")], size, compute, "link")

    rows = {(0, 0): 1, (0, 1): 2, (0, 2): 3, (1, 1): 1, (1, 2): 2, (2, 2): 1}
    by_function = problem(lambda k, m: m - k + 1, {"b": lambda k, cut, _m: k + cut or None})
    assert by_function == problem(
        rows, {"a": None, "b": lambda k, cut, m: {(0, 1, 2): 1, (1, 1, 2): "2/1"}.get((k, cut, m))}
    )
    assert by_function.compute == (("b", 0, 1, 2, 1), ("b", 1, 1, 2, 2))
    assert by_function.processors == ("b",)
    assert problem(1, None).compute == (("a", 5),)
    assert problem(1, {}).compute == ()


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"participants": []}, "owners"),
        ({"participants": ["a", "x"]}, "owner of v[1]"),
        ({"participants": ["a"] * 401}, "owners"),
        ({"target": "x"}, "goal 0"),
        ({"size": 0}, "size"),
        ({"size": 0.5}, "size"),
        ({"size": {(0, 1): 1}}, "size"),
        ({"size": {(0, 1): 1, 5: 1}}, "size"),
        ({"size": {(0, 2): 1}}, "size, row 0"),
        ({"size": lambda _k, _m: -1}, "size of v[0,0]"),
        ({"compute": {"x": 1}}, "compute, row 0"),
        ({"compute": {"a": 0}}, "compute, row 0 (a)"),
        ({"compute": {"a": lambda _k, _cut, _m: True}}, "compute, row 0 (a)"),
        ({"compute": [("a", 1)]}, "compute"),
        ({"compute": 0.5}, "compute"),
        ({"compute": 0}, "compute, row 0 (a)"),
        ({"compute": None}, "compute"),
        ({"ports": "two-port"}, "ports"),
        ({"ports": "half-duplex"}, "half-duplex"),
    ],
)
def test_what_is_no_question(change: dict[str, Any], place: str) -> None:
    triangle = Platform("abc", [("a", "b", 1), ("b", "c", 1), ("a", "c", 1)])
    asked: dict[str, Any] = {"participants": ["a", "b"], "target": "b", "compute": {"b": 1}}
    assert reduce(triangle, **asked).throughput == 1
    with pytest.raises(InvalidInput) as refused:
        reduce(triangle, **(asked | change))
    assert refused.value.place == place


def test_a_prefix_is_not_a_reduce() -> None:
    goals: list[tuple[Interval, Node]] = [((0, 1), "a"), ((0, 1), "b")]
    pair = Platform("ab", both_ways([("a", "b", 1)]))
    with pytest.raises(InvalidInput, match="prefix"):
        solve_reduction(reduction_problem(pair, "ab", goals, 1, {"a": 1}, "link"))


@pytest.mark.parametrize("solve", [partial(reduce, target="a"), prefix, allreduce])
def test_nobody_says_how_fast_values_are_combined(solve: Callable[..., Solution]) -> None:
    """It was the throughput 0, proved optimal: a platform without times has no processors."""
    triangle = Platform("abc", both_ways([("a", "b", 1), ("b", "c", 1), ("a", "c", 1)]))
    with pytest.raises(InvalidInput, match=r"--compute 1; in Python compute=1\)"):
        solve(triangle, ["a", "b", "c"])
    one = solve(triangle, ["a", "b", "c"], compute="1/2")
    assert one.throughput > 0
    assert one.unreachable == ()
    listed = solve(triangle, ["a", "b", "c"], compute=dict.fromkeys("abc", "1/2"))
    asked = solve(triangle, ["a", "b", "c"], compute=lambda _k, _cut, _m: "1/2")
    assert one.problem == listed.problem
    assert one.throughput == listed.throughput == asked.throughput


def test_a_single_value_is_not_combined() -> None:
    assert reduce(Platform("ab", [("a", "b", 2)]), ["a"], "b").throughput == Fraction(1, 2)
