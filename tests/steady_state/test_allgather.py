"""Allgathers over switches: the cut bound is reached, proved and delivered."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched import Platform, allgather, broadcast, built_in, simulate
from exactsched.certificate.bounds import CutBound, ForwardingBound
from exactsched.check import check, judge_bound, judge_schedule
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.graphs import lovasz, switch_pairing
from exactsched.graphs.root_connectivity import unmet_set
from exactsched.instances.choices import Seeded
from exactsched.instances.switches import allgather as random_allgather
from exactsched.model.parts import Shard
from exactsched.model.platform import both_ways
from exactsched.model.problem import Allgather, Alltoall, Broadcast, Reduction
from exactsched.model.tasks import duration
from exactsched.oracles.collectives import optimal_throughput_by_definition
from exactsched.oracles.switches import forwarded_twice, largest_multiple
from exactsched.runs.finite_run import makespan_guarantee, run_operations, run_within
from exactsched.steady_state.allgather import solve_allgather, tightest_cut
from exactsched.steady_state.allgather_any_ports import solve_any_allgather
from exactsched.steady_state.fixed_period import best_for_period, with_period, within_period
from exactsched.steady_state.solution import Solution
from exactsched.strategies import allgathers, broadcasts

STAR = Platform("abcs", [(u, v, 1) for one in "abc" for u, v in ((one, "s"), ("s", one))])


def least_ratio(problem: Allgather) -> Fraction:
    """The least bandwidth into a set, over the shards outside of it, by trying all sets."""
    position = problem.platform.position
    demands = [Fraction(0)] * len(position)
    for node, size in problem.shards:
        demands[position[node]] = size
    found = largest_multiple(
        len(position),
        [(position[arc.tail], position[arc.head]) for arc in problem.platform.arcs],
        [1 / arc.cost for arc in problem.platform.arcs],
        [position[node] for node in position if node not in problem.group],
        demands,
    )
    assert found is not None
    return found


def refuse_wrong_trees(solution: Solution) -> None:
    """Each is a tree of paths; all nodes of the group but the root are entered exactly once."""
    problem = solution.problem
    assert isinstance(problem, Allgather)
    arcs = problem.platform.arcs
    load: Counter[int] = Counter()
    carried = [Fraction(0)] * len(problem.roots)
    for part, tasks, weight in ((s.part, s.tasks, s.weight) for s in solution.structures):
        there = {(problem.roots[part].node, None)}
        for arc, root, copy in tasks:
            tail, head = arcs[arc].tail, arcs[arc].head
            assert root == part
            assert (tail, None if tail in problem.group else copy) in there
            made = (head, None if head in problem.group else copy)
            assert made not in there
            there.add(made)
            load[arc] += weight * duration(problem, (arc, root, copy))
        assert {node for node, copy in there if copy is None} == problem.group
        assert not forwarded_twice(problem, tasks)
        carried[part] += weight
    assert max(load.values(), default=Fraction(0)) <= 1
    assert set(carried) == {solution.throughput}


def test_random_networks_reach_the_least_ratio_of_all_sets() -> None:
    """Rationals, bandwidths to 10^12, unbalanced nodes of the group, empty shards, up to 8 nodes.

    Campaigns go on to larger ones.
    """
    served = 0
    for seed in range(100):
        problem = random_allgather(Seeded(str(seed)), 8)
        solution = solve_allgather(problem)
        assert solution.throughput == solution.bound == least_ratio(problem), seed
        refuse_wrong_trees(solution)
        served += bool(solution.structures)
    assert served > 80


@pytest.mark.parametrize("seed", range(4))
def test_networks_of_ten_nodes(seed: int) -> None:
    """The first ones after the seed that have ten nodes."""
    found = (random_allgather(Seeded(str(number)), 10) for number in range(1000 * seed, 10**6))
    problem = next(one for one in found if len(one.platform.nodes) == 10)
    solution = solve_allgather(problem, "few")
    assert solution.throughput == solution.bound == least_ratio(problem)
    refuse_wrong_trees(solution)


@given(allgathers(max_nodes=5))
@settings(max_examples=20)
def test_accepted_and_delivered(problem: Allgather) -> None:
    solution = solve_allgather(problem)
    document = solution.certificate()
    proved: Any = check(document)
    assert (proved.throughput, proved.optimal) == (solution.throughput, True)
    if solution.structures:
        report = simulate(document, 3)
        assert len(report.results) == len(problem.roots) * (len(problem.group) - 1)
        assert judge_schedule(problem, solution.schedule) == solution.bound  # type: ignore[arg-type]
    assert judge_bound(problem, solution.proof) == solution.bound


@given(allgathers(max_nodes=4))
@settings(max_examples=20)
def test_optimal_among_all_trees_of_paths(problem: Allgather) -> None:
    """A linear program over all of them: what the cuts say, without a word about cuts."""
    assert solve_allgather(problem).throughput == optimal_throughput_by_definition(problem)


@given(broadcasts(ports="link", max_nodes=6))
@settings(max_examples=20)
def test_one_shard_in_a_group_of_all_nodes_is_a_broadcast(asked: Any) -> None:
    sizes = dict.fromkeys(asked.platform.nodes, 0) | {asked.source: 1}
    expected = broadcast(asked.platform, asked.source, ports="link").throughput
    assert allgather(asked.platform, sizes).throughput == expected


@given(allgathers(max_nodes=6), st.integers(1, 10**9), st.data())
@settings(max_examples=20)
def test_scaled_and_renamed(problem: Allgather, factor: int, data: st.DataObject) -> None:
    rate = solve_allgather(problem).throughput
    platform = problem.platform
    slower = Platform(platform.nodes, [(a.tail, a.head, a.cost * factor) for a in platform.arcs])
    assert solve_allgather(replace(problem, platform=slower)).throughput == rate / factor
    larger = tuple(Shard(node, size * factor) for node, size in problem.shards)
    assert solve_allgather(replace(problem, shards=larger)).throughput == rate / factor
    mixed = Platform(
        data.draw(st.permutations(platform.nodes)), data.draw(st.permutations(platform.arcs))
    )
    shards = tuple(data.draw(st.permutations(problem.shards)))
    assert solve_allgather(Allgather(mixed, shards)).throughput == rate


# The table of proofs/steady-state-allgather.md.
MACHINES = {
    "dgx-a100:1": "300/7",
    "dgx-a100:2": "65/3",
    "dgx-h100:2": "100/3",
    "mi250:2": "166/15",
    "dgx-a100:4": "25/3",
    "dgx-h100:4": "500/31",
    "dgx-h100:8": "50/7",
    "dgx-h100:16": "10/3",
}


@pytest.mark.parametrize("name", MACHINES)
def test_machines(name: str) -> None:
    solution = allgather(built_in(name))
    assert solution.throughput == solution.bound == Fraction(MACHINES[name])
    if name == "dgx-a100:2":
        proved: Any = check(solution.certificate())
        assert proved.optimal


@pytest.mark.parametrize(
    ("name", "hosts", "rate"),
    [
        ("fat-tree:4", 16, Fraction(1, 15)),
        ("fat-tree:6", 54, Fraction(1, 53)),
        ("leaf-spine:4,2,3", 12, Fraction(1, 11)),
        ("leaf-spine:3,1,2", 6, Fraction(1, 5)),
    ],
)
def test_hosts_of_a_fabric(name: str, hosts: int, rate: Fraction) -> None:
    """All other shards have to enter a host over one link of bandwidth 1."""
    solution = allgather(built_in(name))
    assert (len(solution.problem.shards), solution.throughput) == (hosts, rate)
    proved: Any = check(solution.certificate())
    assert proved.optimal


# Searches for an unmet set, for links and for trees; trees; depth.  A change that makes more work
# shows here, whatever the machine is that runs it.
WORK = {
    "dgx-a100:2": (21, 34, 133, 16),
    "dgx-a100:4": (39, 5, 142, 8),
    "dgx-h100:2": (11, 23, 54, 12),
    "mi250:2": (6, 61, 185, 15),
    "fat-tree:6": (0, 0, 54, 6),
}


@pytest.mark.parametrize("name", WORK)
def test_work(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    searches: Counter[Any] = Counter()

    def counting(module: Any) -> Any:
        def counted(*arguments: Any) -> Any:
            searches[module] += 1
            return unmet_set(*arguments)

        return counted

    for module in (switch_pairing, lovasz):
        monkeypatch.setattr(module, "unmet_set", counting(module))
    solution = allgather(built_in(name))
    work = searches[switch_pairing], searches[lovasz], len(solution.structures), solution.depth
    assert work == WORK[name]


def test_few_trees_are_fewer() -> None:
    """133 and 33 when this was written."""
    shallow, few = (allgather(built_in("dgx-a100:2"), prefer=how) for how in ("shallow", "few"))
    assert few.throughput == shallow.throughput
    assert 2 * len(few.structures) < len(shallow.structures)
    assert shallow.depth < few.depth


def test_a_node_out_of_reach_is_named() -> None:
    solution = allgather(Platform("abs", [("a", "s", 1), ("s", "a", 1), ("s", "b", 1)]), "ab")
    assert (solution.throughput, solution.optimal, solution.schedule) == (0, True, None)
    assert solution.unreachable == (((1,), "a"),)
    proved: Any = check(solution.certificate())
    assert proved.bound == 0
    with pytest.raises(InvalidInput, match="no path leads from b to a"):
        run_operations(solution, 1)
    with pytest.raises(InvalidInput, match="no path leads from b to a"):
        with_period(solution, 3)


def test_all_nodes_but_switches_are_the_default_group() -> None:
    platform = Platform(STAR.nodes, STAR.arcs, None, "s")
    solution = allgather(platform)
    assert isinstance(solution.problem, Allgather)
    assert solution.problem.group == set("abc")
    assert solution.throughput == Fraction(1, 2)
    assert allgather(STAR).throughput == Fraction(1, 3)  # Now s has a shard as well.


def test_a_node_that_takes_no_part_only_forwards() -> None:
    """In the group b copies; outside it has to receive twice what it sends to c and to d."""
    platform = Platform("abcd", [("a", "b", 1), ("b", "a", 1), ("b", "c", 1), ("b", "d", 1)])
    assert allgather(platform, {"a": 1, "b": 0, "c": 0, "d": 0}).throughput == 1
    half = Platform("abcd", [("a", "b", 1), ("b", "c", 2), ("b", "d", 2)])
    assert allgather(half, {"a": 1, "c": 0, "d": 0}).throughput == Fraction(1, 2)
    assert allgather(half, {"a": 1, "c": 0}).throughput == Fraction(1, 2)
    wide = Platform("abcd", [("a", "b", "1/2"), ("b", "c", 1), ("b", "d", 1)])
    assert allgather(wide, {"a": 1, "c": 0, "d": 0}).throughput == 1


def test_runs() -> None:
    solution = allgather(STAR, {"a": 2, "b": "1/3", "c": 0})
    run = run_operations(solution, 7)
    proved: Any = check(run.certificate())
    assert run.bound == 7 / solution.throughput == proved.bound
    assert run.makespan <= makespan_guarantee(solution, 7)
    assert simulate(run.certificate()).makespan == run.makespan
    within = run_within(solution, 20)
    assert within.makespan <= 20
    assert within.operations >= 20 * solution.throughput - 5


def test_periods() -> None:
    solution = allgather(STAR, {"a": 2, "b": "1/3", "c": 0})
    assert (solution.throughput, check(solution.whole().certificate()).optimal) == (  # type: ignore[union-attr]
        Fraction(3, 7),
        True,
    )
    fixed = with_period(solution, 5)
    assert fixed.schedule is not None
    assert (fixed.schedule.period, fixed.throughput, best_for_period(fixed)) == (
        5,
        Fraction(2, 5),
        True,
    )
    proved: Any = check(fixed.certificate())
    assert proved.throughput == Fraction(2, 5)
    assert within_period(solution, 5).throughput <= solution.throughput


@given(allgathers(max_nodes=4), st.sampled_from(["one-port", "half-duplex"]))
@settings(max_examples=20)
def test_other_ports_are_optimal_among_all_trees_of_paths(problem: Allgather, ports: Any) -> None:
    asked = replace(problem, ports=ports)
    solution = solve_any_allgather(asked)
    proved: Any = check(solution.certificate())
    best = optimal_throughput_by_definition(asked)
    assert (proved.throughput, proved.optimal) == (best, True)
    for one in solution.structures:
        assert not forwarded_twice(asked, one.tasks)
    if solution.structures:
        report = simulate(solution.certificate(), 3)
        assert len(report.results) == len(asked.roots) * (len(asked.group) - 1)


def test_routes_through_a_host_that_only_forwards() -> None:
    """From a to b directly over the slow link, or through c over the two fast ones."""
    links = {"ab": (("slow", 3),), "ac": (("one", 1),), "cb": (("two", 1),)}
    arcs = [
        (tail, head, max(cost for _, cost in route), 0, route)
        for (one, other), route in links.items()
        for tail, head in ((one, other), (other, one))
    ]
    solution = allgather(Platform("abc", arcs), "ab", ports="routes")
    assert (solution.throughput, solution.optimal) == (Fraction(2, 3), True)
    assert {len(tree.tasks) for tree in solution.structures} == {1, 2}
    check(solution.certificate())


def test_on_a_path_the_arcs_pay_together() -> None:
    """A cut of the group that a path can pay, but not a bit more."""
    star = Platform(
        "abs", [(one, other, 1) for one, other in ("as", "sa", "bs", "sb")], switches="s"
    )
    solution = allgather(star, {"a": 1, "b": 0}, ports="half-duplex")
    assert (solution.throughput, solution.optimal) == (Fraction(1, 2), True)
    document = solution.certificate()
    (row,) = document["proof"]["roots"]
    cut = row[4][0]
    cut[2] = str(Fraction(cut[2]) * Fraction(9, 8))
    with pytest.raises(Rejected, match="the sets that a path crosses weigh no more"):
        check(document)


def test_more_out_of_a_switch_than_into_it() -> None:
    """Half of what cuts allow, unless s copies: that is another question, with another proof."""
    fork = Platform("asbc", [("a", "s", 1), ("s", "b", 1), ("s", "c", "2/3")])
    asked = Allgather(fork, (Shard("a"), Shard("b", Fraction(0)), Shard("c", Fraction(0))))
    solution = solve_allgather(asked)
    assert (solution.throughput, solution.optimal) == (Fraction(1, 2), True)
    assert isinstance(solution.proof, ForwardingBound)
    assert judge_bound(asked, solution.proof) == optimal_throughput_by_definition(asked)
    bound = CutBound({"link:0": 1}, ("s", "b"), ((0, 2, Fraction(1)),))  # type: ignore[arg-type]
    assert judge_bound(asked, bound) == tightest_cut(asked)[0] == 1


@pytest.mark.parametrize(
    ("shards", "words"),
    [
        ((("a", 1),), "at least two nodes"),
        ((("a", 1), ("a", 2)), "given twice"),
        ((("a", 0), ("b", 0)), "a shard that is not empty"),
        ((("a", 1), ("b", -1)), "not negative"),
        ((("a", 1), ("x", 1)), "not a node of the platform"),
        ((("a", 1), ("s", 1)), "a switch only forwards"),
        ((("a", 1), ("b",)), r"a shard is \(node, size\)"),
        ((("a", 1), ("b", 0.5)), "shard 1, size"),
    ],
)
def test_refused_shards(shards: Any, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        Allgather(Platform(STAR.nodes, STAR.arcs, None, "s"), shards)


def test_a_latency_is_refused() -> None:
    with pytest.raises(InvalidInput, match="no start-up times"):
        allgather(Platform("ab", [("a", "b", 1, 1), ("b", "a", 1)]))


def test_what_copies_refuses_switches() -> None:
    """Every node of a broadcast copies, and so do the schemes of several goals; routes do not."""
    star = Platform(STAR.nodes, STAR.arcs, None, "s")
    with pytest.raises(InvalidInput, match="an allgather with one shard"):
        Broadcast(star, "a")
    goals = (((0, 1), "a"), ((0, 1), "b"))
    with pytest.raises(InvalidInput, match="only a reduction with a single goal"):
        Reduction(star, ("a", "b"), goals, Fraction(1), (("a", 1),))
    Reduction(star, ("a", "b"), goals[:1], Fraction(1), (("a", 1),))
    Alltoall(star, (("a", "b"),))  # type: ignore[arg-type]


def test_platforms_with_links_both_ways() -> None:
    """A line of three: the end gets two shards over one link."""
    line = Platform("abc", both_ways([("a", "b", 1), ("b", "c", "1/3")]))
    assert allgather(line).throughput == Fraction(1, 2)
