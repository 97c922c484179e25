"""A schedule without a bound, a bound without a schedule: the same verdict as of both together."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched import broadcast
from exactsched.certificate import parse
from exactsched.certificate.bounds import CutBound
from exactsched.certificate.collectives import PeriodicSchedule, Series
from exactsched.check import check, judge_bound, judge_schedule
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.model.platform import Platform
from exactsched.model.problem import Broadcast
from exactsched.strategies import alltoalls, broadcasts
from tests.steady_state import planted_collectives
from tests.steady_state.planned import planned_tree

CHAIN = Broadcast(Platform("abc", [("a", "b", 1), ("b", "c", 1)]), "a")
ONE = Fraction(1)
TREE = planned_tree(1, (0, 1))
RIGHT = PeriodicSchedule(ONE, ONE, (TREE,), ((0, 0, 1), (1, 0, 1)), True)


def both(problem: Broadcast) -> Series:
    solution = broadcast(problem.platform, problem.source, ports=problem.ports)
    stated = parse(solution.certificate())
    assert isinstance(stated, Series)
    return stated


@settings(max_examples=30)
@given(broadcasts(max_nodes=5))
def test_each_side_alone_gives_the_number_of_both(problem: Broadcast) -> None:
    stated = both(problem)
    claim = check(stated)
    assert stated.schedule is not None
    assert judge_schedule(problem, stated.schedule) == claim.throughput
    assert judge_bound(problem, stated.proof) == claim.bound


@settings(max_examples=15)
@given(planted_collectives.alltoalls() | planted_collectives.reductions())
def test_alltoalls_and_reductions_too(stated: Series) -> None:
    assert stated.schedule is not None
    assert judge_schedule(stated.problem, stated.schedule) == stated.throughput
    with pytest.raises(Rejected):  # their bounds are left out: no price, no bound
        judge_bound(stated.problem, stated.proof)


@settings(max_examples=30)
@given(broadcasts(max_nodes=5, ports="one-port"), st.data())
def test_a_slot_left_out_is_found(problem: Broadcast, data: st.DataObject) -> None:
    stated = both(problem)
    assert stated.schedule is not None
    slots = stated.schedule.slots
    gone = data.draw(st.integers(0, len(slots) - 1))
    with pytest.raises(Rejected):
        judge_schedule(problem, replace(stated.schedule, slots=slots[:gone] + slots[gone + 1 :]))


@pytest.mark.parametrize(
    ("changed", "rule"),
    [
        ({"slots": ((0, 0, 1), (1, 0, 2))}, "period"),
        ({"slots": ((0, 0, 1),)}, "place 1"),
        ({"structures": (planned_tree(1, (0,)),)}, "every goal"),
        ({"structures": (planned_tree(2, (0, 1)),)}, "exactly"),
    ],
)
def test_what_is_wrong_with_a_schedule(changed: dict[str, object], rule: str) -> None:
    with pytest.raises(Rejected) as error:
        judge_schedule(CHAIN, replace(RIGHT, **changed))  # type: ignore[arg-type]
    assert str(error.value).count(": ") >= 2
    assert rule in str(error.value)


@given(alltoalls())
def test_halves_of_other_problems_are_refused(problem: object) -> None:
    for stated in (None, 3, "schedule"):
        with pytest.raises(InvalidInput, match="PeriodicSchedule"):
            judge_schedule(problem, stated)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="cuts bound broadcasts, allgathers and"):
        judge_bound(problem, CutBound({}, (), ()))  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="DistanceBound"):
        judge_bound(problem, RIGHT)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="a Broadcast"):
        judge_bound(None, CutBound({}, (), ()))  # type: ignore[arg-type]
