"""Which plans are considered, and how many operations fit into a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.model.platform import Platform
from exactsched.model.problem import Alltoall
from exactsched.model.tasks import WeightedStructure
from exactsched.runs.time_scaling import Steady, _earliest, longest_within, plans


def routes(weights: list[Fraction], hops: list[int]) -> Steady:
    """Routes of arcs that only they use, each busy all the time."""
    nodes, arcs, structures = ["s", "t"], [], []
    for number, (weight, length) in enumerate(zip(weights, hops, strict=True)):
        between = [f"{number}.{hop}" for hop in range(length - 1)]
        nodes += between
        way = list(pairwise(["s", *between, "t"]))
        tasks = tuple((len(arcs) + hop, 0) for hop in range(length))
        arcs += [(tail, head, 1 / weight) for tail, head in way]
        structures.append(WeightedStructure(0, tasks, weight))
    asked = Alltoall(Platform(nodes, arcs), (("s", "t"),), "link")  # type: ignore[arg-type]
    return Steady(asked, structures, sorted(task for one in structures for task in one.tasks))


def test_structures_of_large_shares_are_a_plan() -> None:
    """Theorem C: three routes of two hops have 1/4 or more, five of three hops far less.

    24 messages take 8 + 1 over the three alone; over all of them, or the heavier 4, 2 or 1 of the
    eight, they take 13 or more.
    """
    steady = routes([Fraction(1)] * 3 + [Fraction(1, 10)] * 5, [2] * 3 + [3] * 5)
    assert [kept for (kept,) in steady.halved()] == [8, 4, 2, 1]
    assert [kept for (kept,) in steady.above_powers_of_two(24)] == [1, 3, 3, 3, 3]
    assert [kept for (kept,) in steady.above_powers_of_two(32)] == [1, 3, 3, 3, 3, 8]
    best = plans(steady, 24)[0]
    assert (best.structures, best.counts, best.limit) == ((0, 1, 2), (8, 8, 8), 9)


@given(
    st.lists(st.tuples(st.integers(1, 12), st.integers(0, 7)), min_size=1, max_size=4),
    st.integers(1, 6),
    st.data(),
)
def test_operations_that_end_first_are_used(
    rows: list[tuple[int, int]], slices: int, data: st.DataObject
) -> None:
    """As many as asked, none later than the first slice by which this many have ended."""
    capacities, behind = [row[0] for row in rows], [row[1] for row in rows]
    operations = data.draw(st.integers(1, sum(capacities)))

    def ended(last: int) -> list[int]:
        return [min(capacity, capacity * max(0, last - late) // slices) for capacity, late in rows]

    found = _earliest(capacities, behind, slices, operations)
    last = next(last for last in range(1, 100) if sum(ended(last)) >= operations)
    assert sum(found) == operations
    if operations < sum(capacities):
        pairs = zip(ended(last - 1), found, ended(last), strict=True)
        assert all(before <= used <= after for before, used, after in pairs)


@dataclass(frozen=True)
class Lasting:
    operations: int
    makespan: Fraction


def ending(end_of: Callable[[int], Fraction]) -> Callable[[int], Lasting]:
    return lambda operations: Lasting(operations, end_of(operations))


@given(st.integers(0, 30), st.integers(1, 9), st.integers(1, 9), st.integers(0, 120))
def test_one_operation_more_is_late(setup: int, up: int, down: int, end: int) -> None:
    """Runs of M operations take setup + M / TP: as many as fit are found, whatever TP is."""
    throughput = Fraction(up, down)
    run = ending(lambda operations: setup + operations / throughput)
    found = longest_within(run, Fraction(end), throughput, throughput)
    fit = int((end - setup) * throughput)
    assert found.operations == max(1, fit)


@pytest.mark.parametrize(
    ("ends", "end", "most"),
    [
        # Times that do not grow evenly: the first guess, late or not, is not the answer.
        ([1, 2, 3, 4, 5, 6], 4, 4),
        ([3, 4, 5, 5, 9, 9], 5, 4),
        ([5, 5, 5, 5, 5, 6], 5, 5),
        ([1, 9, 9, 9, 9, 9], 6, 1),
        ([7, 8, 9, 9, 9, 9], 6, 1),
    ],
)
def test_times_that_do_not_grow_evenly(ends: list[int], end: int, most: int) -> None:
    run = ending(lambda operations: Fraction(ends[operations - 1]))
    found = longest_within(run, Fraction(end), Fraction(1), Fraction(1))
    assert found.operations == most
