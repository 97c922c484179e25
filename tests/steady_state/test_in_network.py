"""All-reduces with switches that combine: bounds by all sets, schedules that are checked."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import chain, combinations
from pathlib import Path
from random import Random

import pytest

from exactsched import (
    Platform,
    allgather,
    check,
    in_network_allreduce,
    mix,
    order_free_allreduce,
    order_free_reduce,
    reduce,
    sized_allgather,
    write_platform,
)
from exactsched.cli import main
from exactsched.exact.errors import InvalidInput
from exactsched.model.platform import Arc, Node, both_ways
from exactsched.model.problem import Combination
from exactsched.platforms.machines import leaf_spine
from exactsched.steady_state import in_network
from exactsched.steady_state.solution import Solution


def able(platform: Platform, multicast: bool = True, reduces: bool = True) -> Platform:
    """All switches with these options."""
    switches = platform.switches
    options = switches if multicast else (), switches if reduces else ()
    return Platform(platform.nodes, platform.arcs, None, switches, *options)


def star(size: int) -> Platform:
    arcs = both_ways((node, "s", 1) for node in range(size))
    return able(Platform([*range(size), "s"], arcs, None, "s"))


def least_cut_by_definition(platform: Platform) -> Fraction:
    """The least capacity into a set with some nodes that compute, but not all."""
    group = {node for node in platform.nodes if node not in platform.switches}
    sets = chain.from_iterable(
        combinations(platform.nodes, size) for size in range(1, len(platform.nodes))
    )
    return min(
        sum((1 / arc.cost for arc in _entering(platform, inside)), Fraction(0))
        for inside in map(set, sets)
        if group & inside and not group <= inside
    )


def _entering(platform: Platform, inside: set[Node]) -> list[Arc]:
    return [arc for arc in platform.arcs if arc.head in inside and arc.tail not in inside]


def checked(solution: Solution) -> Solution:
    proved = check(solution.certificate())
    assert (proved.throughput, proved.bound) == (solution.throughput, solution.bound)
    return solution


def joined(solution: Solution, platform: Platform) -> list[Node]:
    assert isinstance(solution.problem, Combination)
    return [node for node in solution.problem.members if node in platform.switches]


@pytest.mark.parametrize("size", [2, 3, 5])
def test_trees_rooted_at_a_switch_meet_the_bound(size: int) -> None:
    platform = star(size)
    forwarding = order_free_allreduce(platform.with_switches("s"), ports="link")
    assert forwarding.throughput == Fraction(size, 2 * (size - 1))
    solution = checked(in_network_allreduce(platform, ports="link"))
    assert solution.throughput == 1
    assert solution.optimal
    assert joined(solution, platform) == (["s"] if size > 2 else [])


def test_two_levels_of_switches_meet_the_bound() -> None:
    platform = able(leaf_spine(2, 2, 3))
    solution = checked(in_network_allreduce(platform, ports="link"))
    assert solution.throughput == 1
    assert solution.optimal
    assert order_free_allreduce(leaf_spine(2, 2, 3), ports="link").throughput < 1


@pytest.mark.parametrize("options", [(True, False), (False, True)])
def test_a_switch_with_one_option_only_forwards(options: tuple[bool, bool]) -> None:
    platform = able(star(3), *options)
    solution = checked(in_network_allreduce(platform, ports="link"))
    assert joined(solution, platform) == []
    assert (solution.throughput, solution.bound, solution.optimal) == (Fraction(3, 4), 1, False)


def test_helpers_that_trees_do_not_make_the_most_of() -> None:
    """Switches that combine reach the rate 1 here, pairs of trees at most 6/7 (the page)."""
    pairs = ["1A", "2A", "3B", "4B", "AX", "BX", "AY", "BY", "XD", "D1", "D2", "YE", "E3", "E4"]
    platform = able(Platform("1234ABXYDE", [(*pair, 1) for pair in pairs], None, "ABXYDE"))
    solution = checked(in_network_allreduce(platform, ports="link"))
    assert solution.bound == least_cut_by_definition(platform) == 1
    assert Fraction(1, 3) <= solution.throughput <= Fraction(6, 7)


def test_random_networks_between_forwarding_and_the_least_cut() -> None:
    better, optimal = 0, 0
    for seed in range(31):
        dice = Random(seed)
        group, switches = dice.choice([(3, 1), (3, 2), (4, 2), (4, 3)])
        nodes = [*range(group), *(f"s{k}" for k in range(switches))]
        links = [(nodes[k], nodes[-1 - k % switches]) for k in range(group)]
        pairs = [pair for pair in combinations(nodes, 2) if pair not in links]
        links += [pair for pair in pairs if not dice.randrange(3)]
        costs = [Fraction(dice.randint(1, 3), dice.randint(1, 2)) for _ in links]
        arcs = both_ways((*pair, cost) for pair, cost in zip(links, costs, strict=True))
        platform = able(Platform(nodes, arcs, None, nodes[group:]))
        forwarding = order_free_allreduce(platform.with_switches(platform.switches), ports="link")
        solution = checked(in_network_allreduce(platform, ports="link"))
        assert forwarding.throughput <= solution.throughput <= solution.bound
        assert solution.bound == least_cut_by_definition(platform)
        better += forwarding.throughput < solution.throughput
        optimal += solution.optimal
    assert better > 3
    assert 20 < optimal < 31


@pytest.mark.parametrize("ports", ["one-port", "half-duplex"])
def test_other_ports_have_the_bound_of_a_port(ports: str) -> None:
    solution = checked(in_network_allreduce(star(3), size=2, ports=ports))  # type: ignore[arg-type]
    both = 1 if ports == "one-port" else 2
    # Through one switch it all goes one by one: forwarding is as good.
    assert solution.bound == Fraction(1, 2 * both)
    assert 0 < solution.throughput <= solution.bound


def test_the_number_of_tries_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_network, "MAX_TRIES", 0)
    assert joined(in_network_allreduce(star(3), ports="link"), star(3)) == []


def test_switches_that_are_in_the_way_are_left_out() -> None:
    """Switches that nobody reaches cannot join; the other one does."""
    arcs = [*both_ways((node, "s", 1) for node in "abc"), ("t", "a", 1), ("u", "a", 1)]
    platform = able(Platform("abcstu", arcs, None, "stu"))
    solution = checked(in_network_allreduce(platform, ports="link"))
    assert (joined(solution, platform), solution.throughput) == (["s"], 1)


def test_what_cannot_be_reached_is_named() -> None:
    platform = able(Platform("abs", [("a", "s", 1), ("s", "b", 1)], None, "s"))
    solution = checked(in_network_allreduce(platform, ports="link"))
    assert solution.throughput == 0
    assert solution.unreachable


def test_an_allgather_is_not_faster_with_switches_that_copy() -> None:
    assert checked(allgather(star(3))).throughput == Fraction(1, 2)
    assert allgather(star(3)).optimal


@pytest.mark.parametrize(
    "asked",
    [
        lambda platform: order_free_allreduce(platform, ports="link"),
        lambda platform: order_free_reduce(platform, 0),
        lambda platform: reduce(platform, [0, 1], 0, compute=1),
        lambda platform: sized_allgather(platform, 9),
        lambda platform: mix(platform, [{"collective": "allreduce"}], ports="link"),
    ],
)
def test_other_solvers_refuse_the_options_with_a_reason(asked) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InvalidInput, match=r"only forward|a switch has no value"):
        asked(star(3))


@pytest.mark.parametrize(
    ("group", "rule"), [([0], "at least two nodes"), ([0, "s"], "those that combine join it")]
)
def test_groups_that_are_refused(group: list[Node], rule: str) -> None:
    with pytest.raises(InvalidInput, match=rule):
        in_network_allreduce(star(3), group, ports="link")


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, certificate = tmp_path / "star.json", tmp_path / "sum.json"
    write_platform(star(3), path)
    assert main(["allreduce", str(path), "--ports", "link", "-o", str(certificate)]) == 0
    assert main(["check", str(certificate)]) == 0
    out = capsys.readouterr().out
    assert out.count("throughput 1 proved optimal") == 2
    assert "in-network reduction: bound, whatever switches do, and best found; these combine" in out
    # What is found is the optimum of no class of schedules.
    assert main(["allreduce", str(path), "--ports", "link", "--participants", "0,1"]) == 0
    assert "is the optimum if" not in capsys.readouterr().out
    write_platform(able(star(3), reduces=False), path)
    assert main(["allreduce", str(path), "--ports", "link"]) == 0
    assert "best found; all switches only forward" in capsys.readouterr().out
    assert main(["allreduce", str(path), "--ports", "link", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["throughput"], answer["bound"], answer["optimal"]) == ("3/4", 1, False)
