"""Broadcasts to some of the nodes: optima by all trees, intervals, schedules, certificates."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import permutations
from random import Random

import pytest

from exactsched import InvalidInput, Platform, broadcast, check, simulate
from exactsched.certificate.bounds import TargetBound
from exactsched.graphs.steiner_arborescence import ascending_cuts, nearest_targets, steiner_table
from exactsched.model.problem import PORTS, Broadcast, Combination
from exactsched.oracles.collectives import (
    optimal_throughput_by_definition,
    simulate_run,
    simulate_series,
)
from exactsched.runs.finite_run import run_operations
from exactsched.steady_state import target_trees
from exactsched.steady_state.solution import Solution
from tests.independent import verdict


def checked(solution: Solution, *, optimal: bool = True) -> Solution:
    """Both checkers and the player agree on the certificate."""
    document = solution.certificate()
    proved = check(document)
    assert proved.optimal == solution.optimal
    assert proved.optimal or not optimal
    assert proved.bound == solution.bound
    other = verdict(json.dumps(document))
    assert other.word == "accepted", other.reason
    if solution.structures:
        simulate(document, 5)
    return solution


def random_platform(dice: Random, copying: int, switches: int, links: int) -> Platform:
    nodes = [*range(copying), *(f"s{k}" for k in range(switches))]
    pairs = list(permutations(nodes, 2))
    chosen = dice.sample(pairs, min(links, len(pairs)))
    arcs = [(*pair, Fraction(dice.randint(1, 4), dice.randint(1, 2))) for pair in chosen]
    return Platform(nodes, arcs, switches=nodes[copying:])


def test_all_trees_to_the_targets_reach_no_more() -> None:
    dice = Random(7)
    positive = 0
    for turn in range(45):
        copying, switches = ((4, 0), (3, 1), (5, 0))[turn % 3]
        platform = random_platform(dice, copying, switches, 2 + 2 * copying)
        targets = dice.sample(range(1, copying), dice.randint(1, 2))
        found = checked(broadcast(platform, 0, targets, ports=PORTS[turn // 3 % 3]))
        if isinstance(found.problem, Combination):
            assert found.throughput == optimal_throughput_by_definition(found.problem)
            positive += found.throughput > 0
    assert positive > 25


def test_many_targets_are_an_interval_around_the_optimum(monkeypatch: pytest.MonkeyPatch) -> None:
    """With no table at all, cuts bound what the table shows to be optimal."""
    dice = Random(3)
    wide = 0
    for turn in range(24):
        platform = random_platform(dice, 7, turn % 2, 26)
        targets = dice.sample(range(1, 7), 3)
        ports = PORTS[turn % 3]
        exact = checked(broadcast(platform, 0, targets, ports=ports))
        monkeypatch.setattr(target_trees, "MAX_TARGETS", 0)
        found = checked(broadcast(platform, 0, targets, ports=ports), optimal=False)
        monkeypatch.undo()
        assert found.throughput <= exact.throughput <= found.bound
        wide += not found.optimal
    assert 0 < wide < 20


def test_the_cut_bound_is_not_reached_without_coding() -> None:
    """The butterfly: each target is reached at rate 2, both together at 3/2 (coding would do 2)."""
    arcs = ["sa", "sb", "at", "bu", "ac", "bc", "cd", "dt", "du"]
    butterfly = Platform("sabcdtu", [(*arc, 1) for arc in arcs])
    for target in "tu":
        assert checked(broadcast(butterfly, "s", target, ports="link")).throughput == 2
    both = checked(broadcast(butterfly, "s", "tu", ports="link"))
    assert both.throughput == Fraction(3, 2)


def test_laws() -> None:
    """More targets are no faster; all are a broadcast; a switch is no faster than a node."""
    dice = Random(11)
    for turn in range(8):
        ports = PORTS[turn % 3]
        platform = random_platform(dice, 5, 0, 12)
        best = [broadcast(platform, 0, range(1, k), ports=ports).throughput for k in range(2, 6)]
        assert best == sorted(best, reverse=True)
        everybody = broadcast(platform, 0, range(5), ports=ports)
        assert everybody.problem == Broadcast(platform, 0, ports)
        assert everybody.throughput == best[-1]
        forwarding = Platform(platform.nodes, platform.arcs, switches=[4])
        slower = checked(broadcast(forwarding, 0, [1, 2, 3], ports=ports))
        assert slower.throughput <= best[-2]
        if ports != "half-duplex":
            alone = broadcast(forwarding, 0, ports=ports)
            assert checked(alone).throughput == slower.throughput


def test_runs_and_unreachable_targets() -> None:
    fork = Platform("sabhx", [("s", "h", 1), ("h", "a", 1), ("h", "b", 1), ("s", "a", 3)])
    solution = broadcast(fork, "s", "ab", ports="link")
    document = run_operations(solution, 3).certificate()
    assert check(document).makespan == simulate_run(document)
    assert verdict(json.dumps(document)).word == "accepted"
    series = solution.certificate()
    assert simulate_series(series, solution.depth + 2) >= 3
    nothing = checked(broadcast(fork, "s", "ax"))
    assert nothing.throughput == 0
    assert nothing.unreachable == (((0,), "x"),)
    assert isinstance(nothing.proof, TargetBound)


@pytest.mark.parametrize(
    ("targets", "rule"),
    [
        ("s", "other than the source"),
        ("aa", "named once"),
        ("ab", "a switch only forwards"),
        ("ax", "not a node of the platform"),
    ],
)
def test_refused_targets(targets: str, rule: str) -> None:
    platform = Platform("sab", [("s", "a", 1), ("s", "b", 1)], switches="b")
    with pytest.raises(InvalidInput, match=rule):
        broadcast(platform, "s", targets)


def test_tables_and_cuts_bound_all_trees() -> None:
    """The table says what it costs; cuts say no more, and the heuristic no less."""
    dice = Random(2)
    for _ in range(40):
        pairs = dice.sample(list(permutations(range(6), 2)), 16)
        lengths = [dice.randint(0, 5) for _ in pairs]
        targets = dice.sample(range(1, 6), 3)
        far = 1 + sum(lengths)
        table = steiner_table(6, pairs, lengths, targets, far)
        cost = table.costs[-1][0]
        if cost == far:
            continue
        tree = table.arcs(0, 7)
        assert sum(lengths[arc] for arc in tree) == cost
        guess = nearest_targets(6, pairs, lengths, 0, targets)
        assert {*targets} <= {pairs[arc][1] for arc in guess}
        assert sum(lengths[arc] for arc in guess) >= cost
        rows = ascending_cuts(6, pairs, lengths, 0, targets)
        assert sum(row[0] for row in rows) <= cost
        for (tail, head), length in zip(pairs, lengths, strict=True):
            assert sum(max(0, row[tail] - row[head]) for row in rows) <= length
