"""Allgathers of a given size: schedules that the checker accepts, and bounds that hold."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched import Platform, allgather, allgather_curve, built_in, simulate, sized_allgather
from exactsched.certificate.bounds import LatencyBound
from exactsched.check import check
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.model.problem import Allgather
from exactsched.model.tasks import levels
from exactsched.runs.finite_run import FiniteRun
from exactsched.runs.latency_bound import best_bound, for_operations
from exactsched.strategies import allgathers
from tests.independent import verdict
from tests.oracles.sized_allgather import shortest_allgather_by_search

PAIR = Platform("ab", [("a", "b", 1, 3), ("b", "a", 2, 1)])
RING = Platform("abc", [("a", "b", 1, 1), ("b", "c", 1, 1), ("c", "a", 1, 1)])


def late(platform: Platform, latency: Fraction | int) -> Platform:
    """The platform with this latency on every arc."""
    arcs = [(arc.tail, arc.head, arc.cost, latency) for arc in platform.arcs]
    return Platform(platform.nodes, arcs, platform.node_data, platform.switches)


def with_latencies(problem: Allgather, numbers: list[int]) -> Allgather:
    """The problem with latencies in the unit of its costs, taken in turn."""
    arcs = [
        (arc.tail, arc.head, arc.cost, arc.cost * numbers[index % len(numbers)])
        for index, arc in enumerate(problem.platform.arcs)
    ]
    return Allgather(Platform(problem.platform.nodes, arcs), problem.shards, problem.ports)


def proved(run: FiniteRun) -> FiniteRun:
    """The run, after the checker has accepted it and the player has played it."""
    document = run.certificate()
    claim = check(document)
    assert (claim.makespan, claim.bound) == (run.makespan, run.bound)
    assert simulate(document).makespan == run.makespan
    return run


def test_two_nodes_by_hand() -> None:
    """Each sends its half: 3 + 4 * 1 from a, and 1 + 4 * 2 from b."""
    run = proved(sized_allgather(PAIR, 8))
    assert (run.makespan, run.bound, run.operations) == (9, 9, 1)


def test_a_ring_by_hand() -> None:
    """Every arc carries two shards of size 3, each with a latency of 1."""
    run = proved(sized_allgather(RING, 9))
    assert (run.makespan, run.bound) == (8, 8)
    assert isinstance(run.proof, LatencyBound)


def test_one_full_shard_takes_the_latencies_of_the_way() -> None:
    """A chain of three arcs: a message of size 0+ arrives after 3 latencies at the earliest."""
    arcs = [("a", "b", 1, 5), ("b", "c", 1, 6), ("c", "d", 1, 7)]
    tiny = Fraction(1, 10**9)
    run = proved(sized_allgather(Platform("abcd", arcs), tiny, {"a": 1, "b": 0, "c": 0, "d": 0}))
    assert run.bound == 18 + tiny
    assert run.makespan == 18 + 3 * tiny


def test_segments_fill_a_chain() -> None:
    """k segments of size L/k over two arcs end after (k + 1) (1 + L/k): k = 10 for L = 100."""
    arcs = [("a", "b", 1, 1), ("b", "c", 1, 1)]
    run = proved(sized_allgather(Platform("abc", arcs), 100, {"a": 1, "b": 0, "c": 0}))
    assert (run.operations, run.makespan) == (10, 121)


@given(st.data())
@settings(max_examples=20)
def test_every_run_is_accepted_and_played(data: st.DataObject) -> None:
    problem = data.draw(allgathers(max_nodes=5))
    if not allgather(problem.platform, dict(problem.shards)).structures:
        return
    numbers = data.draw(st.lists(st.integers(0, 3), min_size=1, max_size=4))
    asked = with_latencies(problem, numbers)
    size = data.draw(st.sampled_from([Fraction(1, 7), Fraction(1), Fraction(40)]))
    run = proved(sized_allgather(asked.platform, size, dict(asked.shards)))
    assert run.bound <= run.makespan
    assert sum(run.sizes) * sum(size for _, size in asked.shards) == size


@st.composite
def small(draw: st.DrawFn) -> Allgather:
    """Two or three nodes that all reach each other, small numbers."""
    nodes = "abc"[: draw(st.integers(2, 3))]
    chosen = {(u, v) for u, v in zip(nodes, nodes[1:] + nodes[:1], strict=True)}
    pairs = st.sampled_from([(u, v) for u in nodes for v in nodes if u != v])
    chosen |= draw(st.sets(pairs, max_size=2))
    number = st.integers(1, 3)
    arcs = [(u, v, draw(number), draw(st.integers(0, 4))) for u, v in sorted(chosen)]
    sizes = draw(st.lists(st.integers(0, 2), min_size=len(nodes), max_size=len(nodes)))
    if not any(sizes):
        sizes[0] = 1
    return Allgather(Platform(nodes, arcs), tuple(zip(nodes, sizes, strict=True)))


@given(small(), st.sampled_from([Fraction(1, 5), Fraction(1), Fraction(6)]))
@settings(max_examples=50)
def test_no_schedule_ends_before_the_bound(problem: Allgather, size: Fraction) -> None:
    """In one segment, by trying all orders; nor does one in two segments of different sizes."""
    bound, proof = best_bound(problem, size)
    assert for_operations(proof, 4).startup * 4 == proof.startup
    assert bound <= shortest_allgather_by_search(problem, [size])
    if len(problem.platform.nodes) == 2:
        assert bound <= shortest_allgather_by_search(problem, [size / 3, size * 2 / 3])


def test_the_bound_is_reached_by_some_orders() -> None:
    """Tight on rings and pairs: it is no bound that is true because it says little."""
    for platform in (PAIR, RING):
        problem = Allgather(platform, tuple((node, 1) for node in platform.nodes))
        for size in (Fraction(1, 9), Fraction(1), Fraction(9)):
            assert best_bound(problem, size)[0] == shortest_allgather_by_search(problem, [size])


def test_whole_shards_pay_latencies_in_proportion() -> None:
    """Into b lead arcs on which a shard of size 4 takes 5 and 7; two shards take 2 / (1/5 + 1/7).

    Sent whole, one on each arc, they take 7.
    """
    slow = [("a", "b", 1, 1), ("c", "b", 1, 3)]
    pairs = ("ab", "cb")
    quick = [(u, v, "1/100") for u in "abc" for v in "abc" if u != v and u + v not in pairs]
    problem = Allgather(Platform("abc", [*slow, *quick]), tuple((node, 4) for node in "abc"))  # type: ignore[arg-type]
    bound, proof = best_bound(problem, Fraction(1))
    assert (bound, proof.nodes) == (Fraction(35, 6), ("b",))
    assert shortest_allgather_by_search(problem, [Fraction(1)]) == 7


def shards_of_two_sizes() -> dict[str, Any]:
    """A shard of size 1 and one of size 3, sent to x at once; both arcs have the latency 4."""
    arcs = [("a", "x", 1, 4), ("b", "x", 1, 4), ("x", "a", 1, 4), ("x", "b", 1, 4)]
    arcs += [("a", "b", 1, 4), ("b", "a", 1, 4)]
    return sized_allgather(Platform("abx", arcs), 4, {"a": 1, "b": 3, "x": 0}).certificate()


def operations_of_two_sizes() -> dict[str, Any]:
    """A shard of size 1 and then one of size 3 from a to x, over an arc of the latency 4."""
    pair = Platform("ax", [("a", "x", 1, 4), ("x", "a", 1, 4)])
    document = sized_allgather(pair, 1, {"a": 1, "x": 0}).certificate()
    document |= {"operations": 2, "sizes": [1, 3], "makespan": 12, "tick": 1, "optimal": True}
    return document | {"tasks": [[0, 0, 0]], "rows": [[0, 0, 0, 5], [0, 1, 5, 12]]}


@pytest.mark.parametrize(
    ("make", "prices"),
    [
        (shards_of_two_sizes, {"link:0": 1, "link:1": 1}),
        (operations_of_two_sizes, {"link:0": 1}),
    ],
)
def test_every_size_pays_no_more_than_its_time(
    make: Callable[[], dict[str, Any]], prices: dict[str, int]
) -> None:
    """Size 1 takes 5, size 3 takes 7: weight 1 and start-up 4 pay just that."""
    for weight, startup, refusal in ((1, 4, None), (0, 6, ["6", "5"]), (2, 2, ["8", "7"])):
        document = make()
        bound = Fraction(4 * weight + 2 * startup, len(prices))
        document["bound"] = int(bound)
        document["proof"] |= {"prices": prices, "nodes": ["x"], "weight": weight}
        document["proof"] |= {"startup": startup, "roots": list(range(len(prices)))}
        nodes = document["problem"]["platform"]["nodes"]
        document["proof"] |= {"early": [0] * len(nodes), "late": [0] * len(nodes)}
        if refusal is None:
            assert check(document).bound == bound
            continue
        document["optimal"] = document["makespan"] == bound
        with pytest.raises(Rejected, match="no more than its priced time") as refused:
            check(document)
        assert refused.value.value == refusal
        assert "paid too much" in verdict(json.dumps(document)).reason


@given(st.integers(1, 9), st.integers(1, 9))
def test_time_and_size_have_units(cost: int, size: int) -> None:
    """Costs and latencies that are k times as large take k times as long."""
    arcs = [(a.tail, a.head, a.cost * cost, a.latency * cost) for a in RING.arcs]
    scaled = sized_allgather(Platform("abc", arcs), size)
    assert scaled.makespan == cost * sized_allgather(RING, size).makespan
    assert scaled.bound == cost * sized_allgather(RING, size).bound


def test_small_messages_go_directly_over_an_nvswitch() -> None:
    """Each GPU sends to the next one, then to the one after it: no link waits, no hop is wasted."""
    run = proved(sized_allgather(late(built_in("dgx-a100:1"), 1000), 1000))
    assert run.makespan / run.bound < Fraction(10001, 10000)


def test_messages_between_boxes_take_two_hops() -> None:
    """At 100 KB no tree of the schedule has more than two paths of two arcs in a row."""
    run = proved(sized_allgather(late(built_in("dgx-h100:2"), 1000), 100_000))
    used = {row.task for row in run.rows}
    for root in range(16):
        tree = [task for index, task in enumerate(run.tasks) if index in used and task[1] == root]
        order = sorted(tree, key=lambda task: _start(run, task))
        assert max(levels(run.problem, order)) <= 4


def _start(run: FiniteRun, task: tuple[int, ...]) -> int:
    return min(row.start for row in run.rows if run.tasks[row.task] == task)


def test_the_ratio_comes_down_to_1_for_large_messages() -> None:
    """Latencies no longer count, and the schedule fills the bottleneck."""
    ring = late(built_in("ring:8"), 1000)
    points = allgather_curve(ring, [10**6, 10**8])
    assert points[1].ratio < Fraction(102, 100)
    assert [point.size for point in points] == [10**6, 10**8]
    assert all(one.makespan < other.makespan for one, other in pairwise(points))


def test_numbers_that_floats_cannot_hold() -> None:
    huge = 10**400
    assert sized_allgather(PAIR, 2 * huge).makespan == 1 + 2 * huge
    for size in (huge, Fraction(1, huge)):
        run = proved(sized_allgather(RING, size))
        assert run.bound <= run.makespan


def test_what_is_refused() -> None:
    with pytest.raises(InvalidInput, match="positive size"):
        sized_allgather(RING, 0)
    with pytest.raises(InvalidInput, match="never is everywhere: no path leads from b to a"):
        sized_allgather(Platform("ab", [("a", "b", 1, 1)]), 1)
    with pytest.raises(InvalidInput, match="--size"):
        allgather(RING)
