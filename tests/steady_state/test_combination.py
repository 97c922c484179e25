"""Order-free all-reduces, reduces and reduce-scatters: optima, schedules, certificates."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

from exactsched import (
    InvalidInput,
    Platform,
    allreduce,
    built_in,
    check,
    order_free_allreduce,
    order_free_reduce,
    reduce_scatter,
    simulate,
)
from exactsched.model.parts import Block
from exactsched.model.problem import PORTS, Combination, Ports
from exactsched.oracles.collectives import (
    optimal_throughput_by_definition,
    simulate_run,
    simulate_series,
)
from exactsched.oracles.order_free import cheapest_calls
from exactsched.runs.finite_run import run_operations
from exactsched.steady_state.combination import solve_combination, two_phase_throughput
from exactsched.steady_state.fixed_period import within_period
from exactsched.steady_state.solution import Solution
from tests.independent import verdict


def checked(solution: Solution) -> Solution:
    """Both checkers, the player and the oracle agree on the certificate."""
    document = solution.certificate()
    proved = check(document)
    assert proved.optimal
    assert proved.bound == solution.throughput
    other = verdict(json.dumps(document))
    assert other.word == "accepted", other.reason
    if solution.structures:
        report = simulate(document, 5)
        assert isinstance(solution.problem, Combination)
        for (block, _), values in report.results.items():
            for value in values:
                assert len(value) == len(solution.problem.group), block
                assert set(value.values()) == {1}
    return solution


def _two_phases(platform: Platform, ports: Ports) -> Fraction:
    return two_phase_throughput(Combination(platform, (Block(Fraction(1), platform.nodes),), ports))


def random_platform(dice: Random, size: int, more: int) -> Platform:
    """A cycle and further arcs, with rational costs."""
    pairs = {(node, (node + 1) % size) for node in range(size)}
    others = sorted(set(product(range(size), repeat=2)) - pairs - {(v, v) for v in range(size)})
    pairs |= set(dice.sample(others, min(more, len(others))))
    costs = [Fraction(dice.randint(1, 6), dice.randint(1, 3)) for _ in pairs]
    arcs = [(*pair, cost) for pair, cost in zip(sorted(pairs), costs, strict=True)]
    return Platform(range(size), arcs)


@pytest.mark.parametrize(
    ("platform", "ports", "throughput", "phases"),
    [
        ("grid:2x3", "link", "7/5", "6/5"),
        ("grid:2x3", "one-port", "3/5", "3/5"),
        ("grid:2x3", "half-duplex", "3/10", "3/10"),
        ("complete:3", "half-duplex", "1/4", "1/4"),  # by an odd set
        ("complete:5", "link", "5/2", "5/2"),
        ("ring:5", "one-port", "5/8", "5/8"),
    ],
)
def test_known_optima(platform: str, ports: Ports, throughput: str, phases: str) -> None:
    asked = built_in(platform)
    assert checked(order_free_allreduce(asked, ports=ports)).throughput == Fraction(throughput)
    assert _two_phases(asked, ports) == Fraction(phases)


def test_any_order_is_faster_than_a_given_one() -> None:
    """Ordered, with computing that takes nearly no time, the 2x3 grid reaches 4/3."""
    grid = built_in("grid:2x3")
    ordered = allreduce(grid, grid.nodes, compute="1/1000", ports="link")
    assert ordered.bound <= Fraction(4, 3) < order_free_allreduce(grid, ports="link").throughput


@pytest.mark.parametrize("ports", PORTS)
@pytest.mark.parametrize(("size", "more", "count"), [(2, 0, 2), (3, 3, 8), (4, 3, 6), (5, 2, 3)])
def test_all_pairs_of_trees_reach_no_more(ports: Ports, size: int, more: int, count: int) -> None:
    dice = Random(size)
    for _ in range(count):
        platform = random_platform(dice, size, dice.randint(0, more))
        everywhere = Block(Fraction(2, 3), platform.nodes)
        single = Block(Fraction(dice.randint(1, 3)), (dice.randrange(size),))
        other = Block(Fraction(1, 2), (0,))
        for blocks in ((everywhere,), (single,), (single, other), (everywhere, single)):
            problem = Combination(platform, blocks, ports)
            solution = checked(solve_combination(problem))
            assert solution.throughput == optimal_throughput_by_definition(problem)


@pytest.mark.parametrize("size", [2, 3, 4])
def test_no_sequence_of_calls_is_cheaper_than_two_trees(size: int) -> None:
    """The theorem, by definition: cheapest calls against the prices that trees pay."""
    dice = Random(7)
    for _ in range(30 if size < 4 else 8):
        platform = random_platform(dice, size, dice.randint(0, 2 * size))
        arcs = [(arc.tail, arc.head) for arc in platform.arcs]
        costs = [dice.randint(0, 5) for _ in arcs]
        lengths = {f"link:{k}": 1 / arc.cost * costs[k] for k, arc in enumerate(platform.arcs)}
        for targets in (range(size), (0,)):
            blocks: Any = ((1, tuple(targets)),)
            trees = _pay(Combination(platform, blocks, "link"), lengths)
            assert cheapest_calls(size, arcs, costs, targets) == trees


def _pay(problem: Combination, prices: dict[str, Fraction]) -> Fraction:
    from exactsched.model.tasks import duration
    from exactsched.oracles.order_free import all_pairs_of_trees

    (ways,) = all_pairs_of_trees(problem)
    return min(sum(duration(problem, t) * prices[f"link:{t[0]}"] for t in tasks) for tasks in ways)


def test_with_helpers_that_combine_the_theorem_is_false() -> None:
    """Why all nodes take part: one sum along each arc reaches 1, where pairs of trees pay 7 of 6.

    Terminals 1 to 4 have values and want the sum, the nodes A, B, X, Y, D, E only help.
    """
    order = ["1A", "2A", "3B", "4B", "AX", "BX", "AY", "BY", "XD", "YE", "D1", "D2", "E3", "E4"]
    terminals = "1234"
    known = {node: {node} & set(terminals) for node in "1234ABXYDE"}
    for tail, head in order:
        known[head] = known[head] | known[tail]
    assert all(known[node] == set(terminals) for node in terminals)
    priced = ["1A", "2A", "3B", "4B", "XD", "YE"]
    free = [arc for arc in order if arc not in priced]

    def least(root: str, inwards: bool) -> float:
        """The fewest priced arcs with which all terminals reach the root, or it reaches them."""
        counts = [float("inf")]
        for kept in product((False, True), repeat=len(priced)):
            arcs = free + [arc for arc, keep in zip(priced, kept, strict=True) if keep]
            reached, before = {root}, 0
            while len(reached) > before:
                before = len(reached)
                for tail, head in arcs:
                    one, other = (head, tail) if inwards else (tail, head)
                    if one in reached:
                        reached.add(other)
            if set(terminals) <= reached:
                counts.append(sum(kept))
        return min(counts)

    assert min(least(root, True) + least(root, False) for root in known) == 7


def test_random_networks() -> None:
    dice = Random(3)
    for _ in range(25):
        platform = random_platform(dice, dice.randint(2, 9), dice.randint(0, 12))
        ports: Any = dice.choice(PORTS)
        whole = checked(order_free_allreduce(platform, ports=ports))
        sizes = {node: Fraction(dice.randint(1, 4), 3) for node in platform.nodes}
        checked(reduce_scatter(platform, sizes, ports=ports))
        one = checked(order_free_reduce(platform, 0, ports=ports))
        assert _two_phases(platform, ports) <= whole.throughput <= one.throughput


def test_runs_and_other_periods() -> None:
    grid = built_in("grid:2x3")
    for solution in (order_free_allreduce(grid, ports="link"), reduce_scatter(grid)):
        for count in (1, 4):
            run = run_operations(solution, count)
            document = run.certificate()
            assert check(document).makespan == simulate_run(document) == run.makespan
            assert verdict(json.dumps(document)).word == "accepted"
            assert simulate(document).operations == count
        document = solution.certificate()
        done = simulate_series(document, solution.depth + 2)
        assert done >= 3 * solution.throughput * document["schedule"]["period"]
        assert check(solution.whole().certificate()).optimal
        assert check(within_period(solution, Fraction(7)).certificate()).throughput > 0


def test_one_way_platforms_reach_nothing() -> None:
    platform = Platform("abcd", [("a", "b", 1), ("b", "a", 1), ("b", "c", 1), ("c", "d", 1)])
    for solution in (order_free_allreduce(platform), reduce_scatter(platform, "abc")):
        checked(solution)
        assert solution.throughput == 0
        assert {node for _, node in solution.unreachable} >= {"a", "b", "c"}
    assert checked(order_free_reduce(platform, "d")).throughput == 1
    assert order_free_reduce(platform, "c").unreachable == (((0,), "c"),)
    # Some blocks can be summed up, but not all of them.
    assert checked(reduce_scatter(platform, "da")).throughput == 0


@pytest.mark.parametrize(
    ("blocks", "rule"),
    [
        ((), "some block"),
        (((1, ()),), "at a single node of the group, or by the whole group"),
        (((1, ("a", "b")), (1, ("a", "c"))), "at a single node of the group, or by the whole"),
        (((1, "a"),), "at a single node of the group, or by the whole group"),
        (((1, ("a", "b", "c", "a")),), "a node is named once"),
        (((0, ("a",)),), "a positive number"),
        (((1, ("d",)),), "not a node"),
        ((1,), "a block is"),
    ],
)
def test_problems_that_are_none(blocks: Any, rule: str) -> None:
    platform = Platform("abc", [("a", "b", 1)])
    with pytest.raises(InvalidInput, match=rule):
        Combination(platform, blocks)


def test_platforms_that_combine_nothing() -> None:
    with pytest.raises(InvalidInput, match="at least two nodes"):
        order_free_allreduce(Platform("a", []))
    with pytest.raises(InvalidInput, match="latency"):
        order_free_allreduce(Platform("ab", [("a", "b", 1, 1)]))
    switched = Platform("abs", [("a", "s", 1), ("s", "b", 1)], switches="s")
    with pytest.raises(InvalidInput, match="a switch only forwards"):
        order_free_allreduce(switched, "as")
    with pytest.raises(InvalidInput, match="a switch only forwards"):
        order_free_reduce(switched, "s")
    with pytest.raises(InvalidInput, match="at least two nodes"):
        order_free_allreduce(switched, "a")
    with pytest.raises(InvalidInput, match="port model"):
        order_free_allreduce(Platform("ab", [("a", "b", 1)]), ports="ports")  # type: ignore[arg-type]
