"""Sums of a given size: allgathers backwards, schedules that are accepted, bounds that hold."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched import Platform, built_in, check, order_free_allreduce, reduce_scatter, simulate
from exactsched.certificate.bounds import TreeBound
from exactsched.exact.errors import InvalidInput
from exactsched.model.problem import Allgather
from exactsched.oracles.collectives import simulate_run
from exactsched.runs.finite_run import FiniteRun
from exactsched.runs.latency_bound import best_bound
from exactsched.runs.short_trees import ShortTrees
from exactsched.runs.sized_allgather import sized_allgather
from exactsched.runs.sized_combination import (
    _Calls,
    sized_allreduce,
    sized_reduce,
    sized_reduce_scatter,
)
from exactsched.strategies import allgathers
from tests.independent import verdict
from tests.oracles.sized_allgather import shortest_allgather_by_search
from tests.oracles.sized_combination import shortest_reduce_scatter_by_search
from tests.runs.test_sized_allgather import late, small, with_latencies


def proved(run: FiniteRun) -> FiniteRun:
    """Accepted by the checker and by the second one, played by the simulator and by the oracle."""
    document = run.certificate()
    claim = check(document)
    assert (claim.makespan, claim.bound) == (run.makespan, run.bound)
    assert simulate_run(document) == run.makespan
    assert verdict(json.dumps(document)).word == "accepted"
    assert simulate(document).makespan == run.makespan
    return run


@given(st.data())
@settings(max_examples=4)
def test_every_run_is_accepted_and_played(data: st.DataObject) -> None:
    problem = data.draw(allgathers(max_nodes=5))
    group = [node for node, _ in problem.shards]
    blocks = {node: size for node, size in problem.shards if size}
    found = reduce_scatter(problem.platform, blocks, group, ports="link")
    if len(group) < 2 or not found.structures:
        return
    numbers = data.draw(st.lists(st.integers(1, 3), min_size=1, max_size=4))
    platform = with_latencies(problem, numbers).platform
    size = data.draw(st.sampled_from([Fraction(1, 7), Fraction(1), Fraction(5)]))
    run = proved(sized_reduce_scatter(platform, size, blocks, group))
    assert run.bound <= run.makespan
    assert sum(run.sizes) * sum(blocks.values()) == size
    target = next(iter(blocks))
    proved(sized_reduce(platform, target, size, group))
    if order_free_allreduce(problem.platform, group, ports="link").structures:
        run = proved(sized_allreduce(platform, size, group))
        assert sum(run.sizes) * sum(block.size for block in run.problem.blocks) == size


@given(small(), st.sampled_from([Fraction(1, 5), Fraction(1), Fraction(6)]))
@settings(max_examples=5)
def test_backwards_is_the_same_problem(problem: Allgather, size: Fraction) -> None:
    """By trying all orders of both; the bound is no larger, and no schedule of one segment ends
    earlier."""
    platform = problem.platform
    blocks = {root.node: size * root.size for root in problem.roots}
    shortest = shortest_reduce_scatter_by_search(platform, blocks)
    turned = Allgather(platform.turned(), problem.shards)
    assert shortest == shortest_allgather_by_search(turned, [size])
    run = proved(sized_reduce_scatter(platform, sum(blocks.values()), blocks, platform.nodes))
    assert run.bound == best_bound(turned, size)[0] <= shortest
    if run.operations == 1:
        assert run.makespan >= shortest


def checked(run: FiniteRun) -> FiniteRun:
    """Accepted: for runs of many rows, which slow programs take long for."""
    claim = check(run.certificate())
    assert (claim.makespan, claim.bound) == (run.makespan, run.bound)
    return run


def test_a_reduce_scatter_over_a_switch_takes_as_long_as_the_allgather() -> None:
    """Every node receives over one arc: nothing is lost by completing a sum last."""
    machine = late(built_in("dgx-a100:1"), 1000)
    for size in (1000, 10**6):
        run = checked(sized_reduce_scatter(machine, size))
        gathered = sized_allgather(machine, size)
        assert (run.makespan, run.bound) == (gathered.makespan, gathered.bound)


def test_large_messages_come_near_the_optimum() -> None:
    ring = late(built_in("ring:4"), 1000)
    run = checked(sized_reduce_scatter(ring, 10**7))
    assert run.makespan < run.bound * Fraction(106, 100)
    run = checked(sized_allreduce(ring, 10**7))
    assert isinstance(run.proof, TreeBound)
    assert run.makespan < run.bound * Fraction(106, 100)


def test_one_sum_for_few_bytes() -> None:
    """It goes to one node and back: fewer start-ups in a row than for a block of each node."""
    machine = late(built_in("dgx-a100:1"), 1000)
    assert len(checked(sized_allreduce(machine, 1000)).problem.blocks) == 1
    assert len(checked(sized_allreduce(machine, 10**6)).problem.blocks) == 8


def test_a_bound_that_forgets_to_turn_round_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: the way is taken forwards, and the checker notices."""
    arcs = [("a", "b", 1, 1), ("b", "c", 3, 5), ("c", "a", 2, 1), ("b", "a", 1, 2)]
    platform = Platform("abc", arcs)
    proved(sized_reduce_scatter(platform, 9))
    monkeypatch.setattr(Platform, "turned", lambda self: self)
    with pytest.raises(Exception):  # noqa: B017, PT011
        check(sized_reduce_scatter(platform, 9).certificate())


def test_a_sum_completed_too_early_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: calls in the order of the allgather forwards need what is not there."""
    gather = _Calls._gather

    def forwards(self: _Calls, *arguments: object) -> None:
        gather(self, *arguments)  # type: ignore[arg-type]
        self.turn.reverse()

    monkeypatch.setattr(_Calls, "_gather", forwards)
    with pytest.raises(KeyError):
        sized_reduce_scatter(late(built_in("ring:4"), 1), 9)


def test_what_is_refused() -> None:
    ring = built_in("ring:4")
    with pytest.raises(InvalidInput, match="positive size"):
        sized_allreduce(ring, 0)
    with pytest.raises(InvalidInput, match="no path leads"):
        sized_reduce_scatter(Platform("ab", [("a", "b", 1, 1)]), 1)
    with pytest.raises(InvalidInput, match="at least two"):
        sized_allreduce(ring, 1, [0])
    with pytest.raises(InvalidInput, match="--size"):
        reduce_scatter(late(ring, 1))


def test_loads_that_cancel_leave_no_trace() -> None:
    """A load below 0 by rounding was divided by one just above: an OverflowError."""
    star = Platform(
        "abcds",
        [
            (*ends, Fraction(1, bandwidth), 3)
            for one, bandwidth in zip("abcd", (450, 3, 50, 7), strict=True)
            for ends in ((one, "s"), ("s", one))
        ],
        switches="s",
    )
    problem = Allgather(star, (("a", 1), ("b", 0), ("c", 0), ("d", 0)))  # type: ignore[arg-type]
    assert ShortTrees(problem, Fraction(1)).chosen(1, 1.0, 1)
