"""Order-free all-reduces of a group, through nodes that only forward."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations, permutations
from random import Random
from typing import Any

import pytest

from exactsched import Platform, allgather, built_in, check, mix, order_free_allreduce, simulate
from exactsched.exact.errors import InvalidInput
from exactsched.model.problem import PORTS, Combination
from exactsched.oracles.collectives import (
    optimal_throughput_by_definition,
    simulate_run,
    simulate_series,
)
from exactsched.runs.finite_run import run_operations
from exactsched.steady_state.combination import (
    TreePairs,
    _by_columns,
    _by_two_phases,
    reduce_scatter,
    solve_combination,
    two_phase_throughput,
)
from exactsched.steady_state.combination_cuts import whatever_others_do
from exactsched.steady_state.fixed_period import within_period
from tests.independent import verdict
from tests.steady_state.test_combination import checked


def random_network(dice: Random, group: int, switches: int, links: int) -> Combination:
    """Links both ways, of any costs, between nodes of a group and switches."""
    nodes = [*range(group), *(f"s{k}" for k in range(switches))]
    pairs = list(permutations(nodes, 2))
    chosen = dice.sample(pairs, min(links, len(pairs)))
    arcs = [(*pair, Fraction(dice.randint(1, 4), dice.randint(1, 2))) for pair in chosen]
    platform = Platform(nodes, arcs, switches=nodes[group:])
    return Combination(platform, ((1, tuple(range(group))),), dice.choice(PORTS))  # type: ignore[arg-type]


def test_all_pairs_of_trees_of_paths_reach_no_more() -> None:
    dice = Random(18)
    positive = 0
    for _ in range(40):
        size, switches = dice.choice([(2, 1), (2, 2), (3, 1)])
        problem = random_network(dice, size, switches, 4 + 2 * size)
        solution = checked(solve_combination(problem))
        assert solution.throughput == optimal_throughput_by_definition(problem)
        positive += solution.throughput > 0
    assert positive > 20


@pytest.mark.parametrize(
    ("machine", "throughput"),
    [("dgx-a100:2", "520/3"), ("dgx-h100:2", "800/3"), ("mi250:2", "2656/15")],
)
def test_machines(machine: str, throughput: str) -> None:
    """Two phases are optimal there: half the rate of an allgather of the same size."""
    solution = order_free_allreduce(built_in(machine), ports="link")
    assert check(solution.certificate()).optimal
    assert solution.throughput == Fraction(throughput)
    assert isinstance(solution.problem, Combination)
    assert two_phase_throughput(solution.problem) == solution.throughput


def test_two_phases_and_columns_agree() -> None:
    """Where bottlenecks prove two phases to be optimal, columns find the same."""
    dice = Random(4)
    shown = beaten = 0
    for _ in range(60):
        group, switches = dice.randint(2, 5), dice.randint(0, 2)
        nodes: list[Any] = [*range(group), *(f"s{k}" for k in range(switches))]
        links = [(nodes[k], nodes[dice.randrange(k)]) for k in range(1, len(nodes))]
        links += [tuple(dice.sample(nodes, 2)) for _ in range(dice.randint(0, 4))]
        costs = {frozenset(link): Fraction(1, dice.randint(1, 3)) for link in links}
        arcs = [(*ends, cost) for pair, cost in costs.items() for ends in permutations(pair)]
        platform = Platform(nodes, arcs, switches=nodes[group:])
        problem = Combination(platform, ((Fraction(1, 2), tuple(range(group))),), "link")  # type: ignore[arg-type]
        best = checked(_by_columns(problem, TreePairs(problem), None)).throughput
        known = _by_two_phases(problem, TreePairs(problem), "few")
        phases = two_phase_throughput(problem)
        assert phases <= best
        beaten += phases < best
        if known:
            shown += 1
            assert checked(known).throughput == best == phases
    assert shown > 10
    assert beaten > 5


def test_scattering_first_is_slower_where_one_node_is_faster() -> None:
    """A star: b and c send to a, and a to them, at rate 1; equal blocks of three reach 3/4."""
    links = [("a", "s", 2), ("b", "s", 1), ("c", "s", 1)]
    arcs = [(*ends, Fraction(1, speed)) for *pair, speed in links for ends in permutations(pair)]
    solution = checked(order_free_allreduce(Platform("abcs", arcs, switches="s"), ports="link"))
    assert isinstance(solution.problem, Combination)
    assert solution.throughput == 1
    assert two_phase_throughput(solution.problem) == Fraction(3, 4)


def test_a_switch_that_sends_more_than_it_receives() -> None:
    """It copies nothing: what comes in at rate 1 leaves at rate 1."""
    arcs = [("a", "s", 1), *(("s", node, 1) for node in "bc")]
    arcs += [("b", "a", "1/9"), ("c", "a", "1/9")]
    solution = checked(order_free_allreduce(Platform("abcs", arcs, switches="s"), ports="link"))
    assert solution.throughput == Fraction(1, 2)
    assert isinstance(solution.problem, Combination)
    assert two_phase_throughput(solution.problem) == 0  # not known


def test_runs_periods_and_shallow_trees() -> None:
    machine = built_in("dgx-a100:1")
    few = order_free_allreduce(machine, ports="link")
    shallow = checked(order_free_allreduce(machine, ports="link", prefer="shallow"))
    assert shallow.depth == 5 < few.depth  # the last call waits at the switch for the others
    run = run_operations(shallow, 2)
    document = run.certificate()
    assert check(document).makespan == simulate_run(document) == run.makespan
    series = shallow.certificate()
    done = simulate_series(series, shallow.depth + 2)
    period = Fraction(series["schedule"]["period"])
    assert done >= 3 * shallow.throughput * period
    assert check(within_period(few, Fraction(1, 20)).certificate()).throughput > 0


HELPED = ["1A", "2A", "3B", "4B", "AX", "BX", "AY", "BY", "XD", "YE", "D1", "D2", "E3", "E4"]


def test_helpers_that_combine_reach_what_the_interval_contains() -> None:
    """A to E combine and reach 1, each arc carrying one sum (`test_combination`); trees do not."""
    platform = Platform("1234ABXYDE", [(*arc, 1) for arc in HELPED])
    forwarding = checked(order_free_allreduce(platform, "1234", ports="link"))
    assert forwarding.throughput == Fraction(1, 3)
    known = whatever_others_do(forwarding)
    document = known.certificate()
    proved = check(document)
    assert (proved.bound, proved.optimal) == (1, False)
    assert verdict(json.dumps(document)).word == "accepted"
    assert run_operations(known, 2).bound == 2


def test_no_cut_between_nodes_of_the_group_is_smaller() -> None:
    dice = Random(6)
    for _ in range(60):
        problem = random_network(dice, dice.randint(2, 3), dice.randint(0, 2), 14)
        solution = solve_combination(problem)
        known = whatever_others_do(solution)
        document = known.certificate()
        assert check(document).bound == known.bound >= solution.throughput
        assert verdict(json.dumps(document)).word == "accepted"
        if problem.ports == "link" and solution.structures:
            nodes, arcs = problem.platform.nodes, problem.platform.arcs
            sets = [frozenset(k for k in nodes if dice.random() < 0.5) for _ in range(50)]
            sets += [frozenset([node]) for node in problem.members]
            for inside in sets:
                if 0 < len(inside & problem.group) < len(problem.group):
                    into = [a for a in arcs if a.head in inside and a.tail not in inside]
                    assert sum(1 / arc.cost for arc in into) >= known.bound


def test_bounds_on_sums_hold_whatever_helpers_do() -> None:
    """By definition, as the least over all sets; helpers that take part reach no more."""
    dice = Random(11)
    wider = 0
    for _ in range(60):
        network = random_network(dice, dice.randint(2, 3), dice.randint(1, 2), 9)
        platform, group, ports = network.platform.with_switches(()), network.members, network.ports
        wanted = {node: dice.randint(1, 3) for node in group[: dice.randint(1, len(group))]}
        found = reduce_scatter(platform, wanted, group, ports=ports)
        known = whatever_others_do(found)
        document = known.certificate()
        assert check(document).bound == known.bound >= found.throughput
        assert verdict(json.dumps(document)).word == "accepted"
        wider += known.bound > found.throughput
        everybody = reduce_scatter(platform, wanted, ports=ports)
        assert everybody.throughput <= known.bound
        if ports == "link" and found.structures:
            rates = [
                sum(
                    1 / arc.cost
                    for arc in platform.arcs
                    if {arc.tail, arc.head} - inside == {arc.tail}
                )
                / sum(size for node, size in wanted.items() if node in inside)
                for count in range(1, len(platform.nodes))
                for inside in map(frozenset, combinations(platform.nodes, count))
                if inside & set(wanted) and not inside.issuperset(group)
            ]
            assert known.bound == min(rates)
    assert wider > 3


def test_reduce_scatters_in_few_chunks_and_of_a_depth_are_allgathers_backwards() -> None:
    fabric = built_in("dgx-a100:2")
    for limit in ({"chunks": 3}, {"chunks": 8}, {"depth": 7}):
        one = reduce_scatter(fabric, ports="link", **limit)  # type: ignore[arg-type]
        other = allgather(fabric.turned(), **limit)  # type: ignore[arg-type]
        proved: Any = check(one.certificate())
        assert (proved.throughput, proved.bound) == (other.throughput, other.bound)
        assert len(simulate(one.certificate(), 2).results) == 16
    assert checked(reduce_scatter(built_in("ring:3"), ports="link", chunks=1)).throughput == 1
    with pytest.raises(InvalidInput, match="for link ports only"):
        reduce_scatter(fabric, chunks=3)
    fork = Platform("abs", [("a", "s", 1), ("s", "b", "1/3"), ("s", "a", 1)], switches="s")
    with pytest.raises(InvalidInput, match=r"node s: .*send as much as they receive"):
        reduce_scatter(fork.turned(), {"a": 1}, ports="link", depth=3)


def test_the_attribute_shard_is_the_size_of_a_block() -> None:
    """Of a reduce-scatter, of one in a mix, and of an allgather in a mix; 0 is none."""
    arcs = [(one, other, 1) for one, other in permutations("abc", 2)]
    data = {"a": {"shard": 2}, "b": {"shard": 0}}
    platform = Platform("abc", arcs, data)
    scattered = reduce_scatter(platform, ports="link")
    assert (
        scattered.throughput == reduce_scatter(platform, {"a": 2, "c": 1}, ports="link").throughput
    )
    for name, one in (("reduce-scatter", scattered), ("allgather", allgather(platform))):
        mixed = mix(platform, [{"collective": name}], ports="link")
        assert mixed.throughput == one.throughput
        doubled = mix(platform, [{"collective": name, "size": 2}], ports="link")
        assert doubled.throughput == one.throughput / 2
