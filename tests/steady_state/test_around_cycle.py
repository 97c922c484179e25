"""Schedules stated by a Hamiltonian cycle: what theorem C says of them, tree by tree, slot by slot.

The rules of a series are those of the checker of `series`; it knows nothing of cycles.
"""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactsched
from exactsched import nx
from exactsched.certificate import around_cycle, budget, parse, to_document
from exactsched.certificate.around_cycle import SeriesAroundCycle
from exactsched.certificate.bounds import Cut, CutBound
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.export.plan import plan
from exactsched.kernel import NotCovered
from exactsched.model.platform import Node, Platform
from exactsched.model.problem import Broadcast
from exactsched.oracles.collectives import collective_fault
from exactsched.platforms.built_in import built_in, grid
from exactsched.runs.finite_run import (
    can_be_listed,
    makespan_guarantee,
    run_operations,
    run_within,
)
from exactsched.steady_state import broadcast as steady_state
from exactsched.steady_state import hamiltonian
from exactsched.steady_state.advice import advise
from exactsched.steady_state.around_cycle import SolutionAroundCycle
from exactsched.steady_state.fixed_period import with_period, within_period
from exactsched.steady_state.hamiltonian import hamiltonian_optimum
from exactsched.steady_state.solution import Solution, solution_of
from tests.check.mutants import mutants, refuse_accepted_lies
from tests.check.refusals.broadcasts import CORPUS, accepted


def planted(size: int, seed: int) -> tuple[Platform, list[Node], Fraction]:
    """A cycle in any order among dearer arcs, one way or both, and its cost."""
    dice = random.Random(seed)
    cycle: list[Node] = [f"v{node}" for node in dice.sample(range(size), size)]
    cost = Fraction(dice.randint(1, 9), dice.randint(1, 9))
    around = [(cycle[index - 1], cycle[index], cost) for index in range(size)]
    arcs = {(u, v): c for u, v, c in (*around, *((v, u, c) for u, v, c in around))}
    for _ in range(size):
        tail, head = dice.sample(sorted(map(str, cycle)), 2)
        arcs.setdefault((tail, head), cost * Fraction(dice.randint(10, 30), 10))
    listed = [(*ends, arcs[ends]) for ends in dice.sample(sorted(arcs), len(arcs))]
    return Platform(sorted(map(str, cycle)), listed), cycle, cost


def stated(size: int, seed: int = 0) -> SeriesAroundCycle:
    platform, cycle, _ = planted(size, seed)
    return hamiltonian_optimum(platform, cycle[seed % size], cycle).around_cycle()


# Theorem C --------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", range(2, 41, 2))
@pytest.mark.parametrize("seed", range(3))
def test_written_out_it_is_a_series(size: int, seed: int) -> None:
    """The checker of `series` proves of all trees and slots what the other one concludes."""
    platform, cycle, cost = planted(size, seed)
    source = cycle[7 * seed % size]
    short = hamiltonian_optimum(platform, source, cycle).around_cycle()
    written = short.written_out()
    assert short.cycle[0] == source
    assert written.schedule is not None
    assert written.schedule.whole
    assert len(written.schedule.structures) == size // 2
    assert written.schedule.period == (size - 1) * cost
    proved = exactsched.check(short)
    assert proved == exactsched.check(written)
    assert proved.optimal
    assert proved.throughput == Fraction(size, 2 * (size - 1)) / cost


@pytest.mark.parametrize("size", range(2, 41, 2))
def test_the_solution_has_the_same_trees(size: int) -> None:
    """On few nodes its certificate lists them, with slots of a coloring, in the same period."""
    platform, cycle, _ = planted(size, size)
    best = hamiltonian_optimum(platform, cycle[0], cycle)
    solution, written = best.solution(), best.around_cycle().written_out()
    assert type(solution) is Solution
    assert solution.schedule is not None
    assert written.schedule is not None
    assert solution.schedule.structures == written.schedule.structures
    assert solution.period == written.schedule.period
    assert exactsched.check(solution) == exactsched.check(best.around_cycle())
    assert [one.weight for one in solution.structures] == [1 / solution.period] * (size // 2)


@pytest.mark.parametrize("size", range(3, 41, 2))
def test_an_odd_number_of_nodes_has_one_tree(size: int) -> None:
    """A path, whose ordinary certificate is as short as the cycle."""
    platform, cycle, cost = planted(size, size)
    best = hamiltonian_optimum(platform, cycle[0], cycle)
    solution = best.solution()
    assert len(solution.structures) == 1
    assert exactsched.check(solution).throughput == 1 / (2 * cost)
    with pytest.raises(InvalidInput, match="a cycle of an even number of nodes"):
        best.around_cycle()


def test_the_formulas() -> None:
    """Of proofs/half-duplex.md, theorem C, for eight nodes."""
    ring = hamiltonian_optimum(built_in("ring:8"), 0, range(8)).around_cycle()
    arcs = ring.problem.platform.arcs
    forwards, backwards = ring.ways()
    assert [(arcs[k].tail, arcs[k].head) for k in forwards] == [(i, (i + 1) % 8) for i in range(8)]
    assert [(arcs[k].head, arcs[k].tail) for k in backwards] == [(i, (i + 1) % 8) for i in range(8)]
    for number, tree in enumerate(ring.structures):
        j = 2 * number
        assert set(tree.arcs) == {*forwards[:j], *backwards[j + 1 :]}
    expected = []
    for i in range(8):
        start, half, stop = (0, 4, 4) if i % 2 else (4, 4, 7)
        turn = start + half - 1 - i // 2
        expected += [(forwards[i], start, turn), (backwards[i], turn, stop)]
    assert sorted(ring.slots()) == sorted(row for row in expected if row[1] < row[2])


def test_trees_are_a_sequence() -> None:
    trees = stated(12).structures
    assert len(trees) == 6
    assert list(trees) == [trees[index] for index in range(6)]
    assert trees[-1] == trees[5]
    assert list(trees[1:5:2]) == [trees[1], trees[3]]
    assert trees[2] in trees
    with pytest.raises(IndexError):
        trees[6]
    for tree, other in pairwise(trees):
        assert len(set(tree.tasks) - set(other.tasks)) == 2


@given(st.integers(1, 6), st.integers(0, 99), st.integers(1, 30))
def test_played_for_some_periods(half: int, seed: int, operations: int) -> None:
    """As fast as the solution, whose slots are others, and M operations within the guarantee."""
    platform, cycle, _ = planted(2 * half, seed)
    best = hamiltonian_optimum(platform, cycle[0], cycle)
    report = exactsched.simulate(best.around_cycle(), operations)
    other = exactsched.simulate(best.solution(), operations)
    assert report.throughput == other.throughput == best.throughput
    assert report.constant == other.constant == (2 * half - 1) * best.around_cycle().period
    assert report.makespan <= operations / best.throughput + report.constant
    assert report.results == other.results


@pytest.mark.parametrize("size", [2, 4, 6])
def test_the_oracle_plays_it(size: int) -> None:
    platform, cycle, cost = planted(size, 5)
    lean = Platform(platform.nodes, [arc for arc in platform.arcs if arc.cost == cost])
    short = hamiltonian_optimum(lean, cycle[0], cycle).around_cycle()
    assert not collective_fault(to_document(short), short.throughput)


# The checker ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        *("cycle-of-two", "cycle-not-shown-optimal", "cycle-of-six"),
        *("cycle-by-receptions", "cycle-not-shown-optimal-by-receptions"),
    ],
)
def test_any_single_change_is_refused_or_true(name: str) -> None:
    document = accepted(f"around-{name}")
    names = document["problem"]["platform"]["nodes"]
    best = Fraction(exactsched.check(document).throughput)

    def fault(changed: dict[str, Any]) -> str:
        """The schedule is played; a change of the platform may have another optimum."""
        claim = exactsched.check(changed)
        if changed["problem"] == document["problem"]:
            return collective_fault(changed, best)
        written = parse(changed).written_out()
        same = exactsched.check(written) == claim
        return "" if same else "the series that it stands for is another"

    refuse_accepted_lies(mutants(document, names), fault)


def test_what_is_taken_for_a_cycle_is_one() -> None:
    """An order of the nodes is accepted if all its arcs are there and alike, and only then."""
    dice, right = random.Random(1), 0
    for _ in range(600):
        arcs = {pair: dice.choice([1, 1, 1, 1, 2]) for pair in permutations(range(4), 2)}
        arcs.pop(dice.choice(sorted(arcs)))
        order = (0, *dice.sample(range(1, 4), 3))
        around = list(pairwise([*order, 0]))
        alike = {arcs.get(pair) for u, v in around for pair in ((u, v), (v, u))}
        platform = Platform(range(4), [(*pair, cost) for pair, cost in arcs.items()])
        problem = Broadcast(platform, 0, "half-duplex")
        cost = max(Fraction(cost or 1) for cost in alike)
        # Sets of weight 1: a bound with or without a cycle, of costs 1 or 2.
        proof = CutBound(
            {f"port:{node}": Fraction(1, 2) for node in range(4)},
            order[1:],
            tuple(Cut(index, index + 1, Fraction(1)) for index in range(3)),
        )
        reached, bound = Fraction(2, 3) / cost, Fraction(2, 3)
        short = SeriesAroundCycle(problem, order, reached, bound, reached == bound, proof)
        if len(alike) == 1 and None not in alike:
            assert exactsched.check(short).throughput == reached
            right += 1
        else:
            with pytest.raises(Rejected, match="arc"):
                exactsched.check(short)
    assert 20 < right < 200


def test_a_refusal_names_the_arc() -> None:
    """Around every link, forth and back, also from the last node to the source."""
    ring = built_in("ring:6")
    short = hamiltonian_optimum(ring, 0, range(6)).around_cycle()
    for index, arc in enumerate(ring.arcs):
        rest = [*ring.arcs[:index], *ring.arcs[index + 1 :]]
        for arcs, said in (
            (rest, f"cycle: '{arc}': each node has an arc to the next one"),
            ([*rest, (arc.tail, arc.head, 3)], f"cycle: '{arc} (3)': all arcs around"),
        ):
            problem = Broadcast(Platform(range(6), arcs), 0, "half-duplex")
            if (arc.tail, arc.head) == (0, 1) and arcs is not rest:
                said = "cycle: '1->0 (1)': all arcs around the cycle have the same cost, 3"
            with pytest.raises(Rejected) as refusal:
                exactsched.check(replace(short, problem=problem))
            assert str(refusal.value).startswith(said)


# Solutions --------------------------------------------------------------------------------------


def test_from_how_many_nodes_on_the_certificate_is_the_cycle() -> None:
    listed, short = (hamiltonian_optimum(*_ring(size)).solution() for size in (64, 66))
    assert type(listed) is Solution
    assert isinstance(short, SolutionAroundCycle)
    kinds = [solution.certificate()["kind"] for solution in (listed, short)]
    assert kinds == ["series", "series-around-cycle"]


def test_a_solution_of_some_hundred_nodes(tmp_path: Path) -> None:
    """Its certificate is as short as the platform, and it has trees and slots all the same."""
    solution = exactsched.broadcast(grid(15, 20), 0, ports="half-duplex")
    assert isinstance(solution, SolutionAroundCycle)
    path = tmp_path / "certificate.json"
    exactsched.write_certificate(solution, path)
    assert path.stat().st_size < 40_000
    assert exactsched.check(path) == exactsched.check(solution)
    assert exactsched.check(solution_of(solution)) == exactsched.check(path)
    assert len(solution.trees) == 150
    assert solution.schedule is not None
    assert len(solution.schedule.structures) == 150


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> SolutionAroundCycle:
    """Eight nodes, as if they were too many for a certificate that lists trees."""
    monkeypatch.setattr(hamiltonian, "MOST_LISTED", 6)
    platform, cycle, _ = planted(8, 3)
    assert type(hamiltonian_optimum(*_ring(6)).solution()) is Solution
    solution = hamiltonian_optimum(platform, cycle[0], cycle).solution()
    assert isinstance(solution, SolutionAroundCycle)
    return solution


def test_a_solution_does_what_all_solutions_do(short: SolutionAroundCycle, tmp_path: Path) -> None:
    """Whatever needs trees or slots finds them, and they are those of the written series."""
    written = short.record().written_out()
    ordinary = solution_of(written)
    assert type(solution_of(short)) is type(ordinary) is Solution
    assert solution_of(short) == ordinary
    assert short.schedule == written.schedule
    assert short.trees == ordinary.trees == written.trees
    assert tuple(short.structures) == ordinary.structures
    period = 2 * short.period
    for asked in (
        lambda given: run_operations(given, 5),
        lambda given: run_within(given, 9 * short.period),
        lambda given: makespan_guarantee(given, 5),
        lambda given: with_period(given, period),
        lambda given: within_period(given, short.period / 2),
        lambda given: within_period(given, period).schedule,
        lambda given: given.scheduled(with_period(given, period).schedule),
        lambda given: can_be_listed(given, 5),
        lambda given: can_be_listed(given, 10**6),
        lambda given: given.operations_within(9 * period),
        lambda given: given.tables()["structures"],
        plan,
        exactsched.simulate,
        exactsched.draw,
        exactsched.check,
        lambda given: exactsched.check(given, kernel=True).values,
        lambda given: given.whole().trees,
        lambda given: given.makespan_constant,
        lambda given: (given.optimal, given.unreachable, given.interrupted),
    ):
        assert asked(short) == asked(ordinary)
    traces = [tmp_path / name for name in ("short.json", "ordinary.json")]
    for solution, path in zip((short, ordinary), traces, strict=True):
        exactsched.draw(solution, path)
    assert traces[0].read_bytes() == traces[1].read_bytes()
    assert list(short.tables()) == ["schedule", "structures", "cycle"]
    assert short.tables()["schedule"] == ordinary.tables()["schedule"]


def test_an_answer_on_a_graph_has_the_cycle_and_lists_the_trees(
    short: SolutionAroundCycle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steady_state, "MIN_NODES_IN_LINE", 2)
    graph = networkx.cycle_graph(8)
    answer = nx.broadcast(graph, 0, weight=None, ports="half-duplex")
    assert answer.certificate()["kind"] == short.certificate()["kind"] == "series-around-cycle"
    assert [len(one.edges) for one in answer.structures] == [7] * 4
    assert all(graph.has_edge(*edge) for one in answer.structures for edge in one.edges)
    tables = answer.tables()
    assert len(tables["schedule"]) == len(list(answer.record().slots()))
    assert len(tables["structures"]) == 4
    assert run_operations(answer, 3) == run_operations(answer.solution, 3)
    assert advise(answer).throughput == answer.throughput


# Beyond the limit -------------------------------------------------------------------------------


def test_a_large_grid_has_a_certificate(tmp_path: Path) -> None:
    solution = exactsched.broadcast(grid(100, 100), 0, ports="half-duplex")
    assert isinstance(solution, SolutionAroundCycle)
    assert solution.throughput == Fraction(5000, 9999)
    assert (len(solution.structures), solution.depth, solution.period) == (5000, 9999, 9999)
    path = tmp_path / "certificate.json"
    exactsched.write_certificate(solution, path)
    assert path.stat().st_size < 1_500_000
    assert exactsched.check(path).optimal
    assert exactsched.read(path) == solution.record()
    assert str(solution).startswith("throughput 5000/9999, optimal (broadcast from 0, 10000 nodes")
    # A slot and a tree at a time.
    slots = solution.record().slots()
    assert next(slots).end == 4999
    assert 19_990 < sum(1 for _ in slots) < 20_000
    assert len(solution.structures[2500].tasks) == 9999
    # A single path is never too long.
    assert type(exactsched.broadcast(grid(101, 33), 0, ports="half-duplex")) is Solution


@pytest.fixture
def long(short: SolutionAroundCycle, monkeypatch: pytest.MonkeyPatch) -> SolutionAroundCycle:
    """Eight nodes, where trees are written down for six at most."""
    monkeypatch.setattr(around_cycle, "MOST_WRITTEN", 6)
    return short


def _ring(size: int) -> tuple[Platform, Node, list[Node]]:
    return built_in(f"ring:{size}"), 0, list(range(size))


def test_numbers_of_a_long_cycle(
    long: SolutionAroundCycle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    written = solution_of(long.record())
    assert written.schedule is not None
    assert (long.depth, long.period, long.throughput) == (
        written.depth,
        written.period,
        written.throughput,
    )
    assert (long.makespan_constant, long.optimal) == (written.makespan_constant, True)
    for periods in (0, 5, 7, 8, 20):
        horizon = periods * long.period
        assert long.operations_within(horizon) == written.operations_within(horizon)
    assert long.whole() is long
    assert long.interrupted is written.interrupted is False
    assert long.unreachable == ()


def test_what_needs_all_trees_is_refused(long: SolutionAroundCycle) -> None:
    schedule = hamiltonian_optimum(*_ring(6)).solution().schedule
    assert schedule is not None
    rule = "the 4 trees around a cycle are written down for at most 6 nodes"
    for refused in (
        lambda: long.trees,
        lambda: long.schedule,
        lambda: solution_of(long),
        lambda: long.scheduled(schedule),
        lambda: run_operations(long, 3),
        lambda: with_period(long, 10),
        lambda: plan(long),
        lambda: exactsched.simulate(long, 3),
        lambda: exactsched.draw(long, "cycle.json"),
        lambda: long.record().written_out(),
    ):
        with pytest.raises(InvalidInput, match=rule) as refusal:
            refused()
        assert "\n" not in str(refusal.value)
    assert not can_be_listed(long, 1)
    with pytest.raises(NotCovered, match="at most 6 nodes"):
        exactsched.check(long, kernel=True)


def test_an_answer_on_a_graph_lists_its_trees(
    long: SolutionAroundCycle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So it is refused as well."""
    monkeypatch.setattr(steady_state, "MIN_NODES_IN_LINE", 2)
    assert (
        len(nx.broadcast(networkx.cycle_graph(6), 0, weight=None, ports="half-duplex").structures)
        == 3
    )
    with pytest.raises(InvalidInput, match="the 4 trees around a cycle"):
        nx.broadcast(networkx.cycle_graph(8), 0, weight=None, ports="half-duplex")
    assert long.optimal


def test_what_needs_no_trees(long: SolutionAroundCycle) -> None:
    """A picture of the platform, and tables."""
    assert "throughput" in exactsched.draw(long)
    tables = long.tables()
    assert list(tables) == ["schedule", "cycle"]
    assert [row["node"] for row in tables["cycle"]] == list(long.record().cycle)
    assert len(tables["schedule"]) == len(list(long.record().slots()))
    assert max(row["end"] for row in tables["schedule"]) == long.period


# Other layers -----------------------------------------------------------------------------------


def test_what_is_made_of_a_short_cycle() -> None:
    """By way of the series: pictures, plans, runs, and the proved checkers."""
    short = stated(8)
    written = short.written_out()
    assert exactsched.draw(short) == exactsched.draw(written)
    assert plan(short) == plan(written)
    assert run_operations(solution_of(short), 3) == run_operations(solution_of(written), 3)
    mine = exactsched.check(short, kernel=True)
    assert mine.values == exactsched.check(written, kernel=True).values
    assert mine.kind == "series-around-cycle"


def test_the_kernel_may_take_more_time_for_a_longer_document(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So a cycle that is too long for its own document is covered by that of the series."""
    monkeypatch.setattr(budget, "FREE_STEPS", 0)
    best = hamiltonian_optimum(*_ring(66))
    with pytest.raises(NotCovered, match=r"too large for the kernel.*`written_out\(\)` makes"):
        exactsched.check(best.solution(), kernel=True)
    proved = exactsched.check(best.around_cycle().written_out(), kernel=True)
    assert proved.values["throughput"] == best.throughput


def test_the_kernel_refuses_what_is_no_cycle() -> None:
    for name in ("without-an-arc", "of-two-costs", "throughput-overstated"):
        path = CORPUS / "rejected" / f"around-cycle-{name}.json"
        with pytest.raises(Rejected):
            exactsched.check(path, kernel=True)


def test_solutions_of_one_cycle_are_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    """As ordinary solutions are, though their trees are made when they are asked for."""
    monkeypatch.setattr(hamiltonian, "MOST_LISTED", 4)
    platform, cycle, _ = planted(6, 0)
    one, other = (hamiltonian_optimum(platform, cycle[0], cycle).solution() for _ in range(2))
    assert isinstance(one, SolutionAroundCycle)
    assert one == other
    assert one.structures != hamiltonian_optimum(platform, cycle[1], cycle).solution().structures
    assert one.structures != tuple(one.structures)
