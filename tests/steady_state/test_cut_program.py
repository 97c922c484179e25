"""Shared arcs: the program with a row for each set that matters is that with rows for all sets."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from exactsched import Platform, built_in, order_free_allreduce
from exactsched.check import check
from exactsched.exact.arguments import over_common_denominator
from exactsched.instances.choices import Seeded
from exactsched.instances.switches import SwitchNetwork, switch_network
from exactsched.instances.switches import allgather as random_allgather
from exactsched.linear_programs.linear_program import linear_program, maximize
from exactsched.linear_programs.master_program import PackingProgram
from exactsched.model.problem import Combination
from exactsched.steady_state.allreduce_by_cuts import shared_links
from exactsched.steady_state.combination import _by_columns, solve_combination
from exactsched.steady_state.cut_program import CutProgram
from exactsched.steady_state.tree_pairs import TreePairs

Pairs = Sequence[tuple[int, int]]


def asked(network: SwitchNetwork) -> tuple[list[Pairs], list[int], list[int], list[dict[int, int]]]:
    """The arcs forwards and turned round, with any node that is no switch as a root."""
    capacities, _ = over_common_denominator(network.capacities)
    terminals = [node for node in range(network.size) if node not in network.switches]
    uses = [network.arcs, [(head, tail) for tail, head in network.arcs]]
    return uses, capacities, terminals, [{node: 1} for node in terminals]


def by_all_sets(network: SwitchNetwork) -> Fraction:
    uses, capacities, terminals, shapes = asked(network)
    count, first = len(capacities), len(shapes)
    rows: list[dict[int, int]] = []
    for use, ends in enumerate(uses):
        start = first + use * count
        for bits in range(1, 1 << network.size):
            inside = {node for node in range(network.size) if bits >> node & 1}
            entering = [a for a, (u, v) in enumerate(ends) if v in inside and u not in inside]
            if inside.intersection(terminals):
                row = {j: 1 for j, shape in enumerate(shapes) if not inside.intersection(shape)}
                rows.append({**row, **{start + arc: -1 for arc in entering}})
        for switch in network.switches:
            row = {start + a: 1 for a, (u, v) in enumerate(ends) if u == switch != v}
            rows.append(row | {start + a: -1 for a, (u, v) in enumerate(ends) if v == switch != u})
    shared = [{first + arc: 1, first + count + arc: 1} for arc in range(count)]
    program = linear_program(
        [1] * first + [0] * (2 * count),
        [*shared, *rows],
        [*capacities, *(0 for _ in rows)],
        nonnegative=range(first + 2 * count),
    )
    best = maximize(program)
    return Fraction(best.value)  # type: ignore[union-attr]


@pytest.mark.parametrize("floats", [True, False])
def test_all_sets_are_met_and_no_more_is_possible(
    floats: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not floats:
        monkeypatch.setattr(PackingProgram, "propose", lambda _: None)
    positive = 0
    for seed in range(40):
        network = switch_network(Seeded(f"shared {seed}"), 5)
        uses, capacities, terminals, shapes = asked(network)
        if len(terminals) < 2:
            continue
        found = CutProgram(network.size, uses, capacities, terminals, shapes).solve(None)
        assert found is not None
        assert sum(found.met) == by_all_sets(network), seed
        offered = zip(found.prices, capacities, strict=True)
        assert sum(price * capacity for price, capacity in offered) == sum(found.met)
        positive += any(found.met)
    assert positive > 10


def test_columns_find_the_same() -> None:
    """Two independent ways to the optimum, on networks with switches that may send more or less."""
    compared = 0
    for seed in range(60):
        gathered = random_allgather(Seeded(f"pairs {seed}"), 6)
        problem = Combination(
            gathered.platform, ((1, tuple(node for node, _ in gathered.shards)),), "link"
        )
        solution = solve_combination(problem)
        if solution.structures:
            assert solution.throughput == solution.bound
            assert _by_columns(problem, TreePairs(problem), None).bound == solution.bound
            compared += 1
    assert compared > 30


def slow_box() -> Platform:
    """Four boxes of 8 GPUs; the cards of one box at half speed, so that two phases waste others."""
    machine = built_in("dgx-a100:4")
    slow = set([node for node in machine.nodes if node not in machine.switches][:8])
    arcs = [
        (
            arc.tail,
            arc.head,
            arc.cost * (2 if 1 / arc.cost <= 50 and slow & {arc.tail, arc.head} else 1),
        )
        for arc in machine.arcs
    ]
    return Platform(machine.nodes, arcs, switches=machine.switches)


def test_32_gpus_in_boxes_that_are_not_alike() -> None:
    """Two phases reach 200/3.  17 rounds when this was written."""
    solution = order_free_allreduce(slow_box(), ports="link")
    assert (solution.throughput, solution.optimal) == (100, True)
    assert solution.rounds < 40
    proved: Any = check(solution.certificate())
    assert proved.optimal


def test_a_search_that_is_ended_has_no_answer_of_its_own() -> None:
    grid = built_in("grid:2x3")
    problem = Combination(grid, ((1, grid.nodes),), "link")
    told: list[float] = []

    def until(rounds: int, _: float, upper: float) -> bool:
        told.append(upper)
        return rounds == last

    last = 1
    assert shared_links(problem, until) is None
    last = 3  # the first program in exact numbers
    assert shared_links(problem, until) is None
    assert told[-1] == pytest.approx(1.4)
    ended = solve_combination(problem, until)
    assert ended.throughput <= Fraction(7, 5) <= ended.bound
