"""What can be asked, and what is refused with place, value and rule."""

from __future__ import annotations

import pickle
from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq

from exactsched.exact.errors import InvalidInput
from exactsched.model.collective_names import collective_name
from exactsched.model.parts import Demand
from exactsched.model.platform import Platform
from exactsched.model.problem import (
    MOST_STATES,
    MOST_VALUES,
    Alltoall,
    Broadcast,
    Collective,
    Reduction,
)

LINE = Platform("abc", [("a", "b", 1), ("b", "c", "1/2")])
LATE = Platform("ab", [("a", "b", 1, 2)])
WHOLE = (((0, 2), "c"),)


def reduction(**changed: Any) -> Reduction:
    """v[0..2] at a, b, b; wanted at c; every node computes in one time unit."""
    compute = (("a", 1), ("b", 1), ("c", 1))
    asked = {"owners": "abb", "goals": WHOLE, "size": 1, "compute": compute, **changed}
    return Reduction(asked.pop("platform", LINE), **asked)


@pytest.mark.parametrize(
    ("source", "ports", "restrict", "place"),
    [
        ("x", "one-port", "none", "source"),
        (True, "one-port", "none", "source"),
        ("a", "two-port", "none", "ports"),
        ("a", "one-port", "path", "restrict"),
    ],
)
def test_broadcasts_that_cannot_be(source: Any, ports: Any, restrict: Any, place: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        Broadcast(LINE, source, ports, restrict)
    assert refusal.value.place == place


def test_a_broadcast_needs_somebody_to_send_to() -> None:
    with pytest.raises(InvalidInput, match="at least two nodes"):
        Broadcast(Platform("a", []), "a")


def test_demands_are_pairs_with_a_size() -> None:
    asked = Alltoall(LINE, (("a", "b"), ("a", "c", "3/2"), Demand("b", "c"), ("c", "a", fmpq(2))))
    assert [demand.size for demand in asked.demands] == [1, Fraction(3, 2), 1, 2]
    assert asked.sources == ("a", "b", "c")
    assert str(asked.demands[0]) == "a=>b"


@pytest.mark.parametrize(
    ("demands", "place", "rule"),
    [
        ((), "demands", "at least one"),
        ((("a", "x"),), "demand 0, target", "not a node"),
        ((("x", "a"),), "demand 0, source", "not a node"),
        ((("a", True),), "demand 0, target", "not a node"),
        ((("a", "a"),), "demand 0", "there already"),
        ((("a", "b"), ("a", "b", 2)), "demand 1", "given twice"),
        ((("a", "b", 0),), "demand 0, size", "positive"),
        ((("a", "b", 0.5),), "demand 0, size", "not exact"),
        ((("a", "b", 1, 1),), "demand 0", "a demand is"),
        (("ab",), "demand 0", "a demand is"),
    ],
)
def test_alltoalls_that_cannot_be(demands: Any, place: str, rule: str) -> None:
    with pytest.raises(InvalidInput, match=rule) as refusal:
        Alltoall(LINE, demands)
    assert refusal.value.place == place


def test_series_have_no_latencies() -> None:
    with pytest.raises(InvalidInput, match="start-up") as refusal:
        Alltoall(LATE, (("a", "b"),))
    assert refusal.value.place == "arc a->b, latency"
    with pytest.raises(InvalidInput, match="start-up"):
        Reduction(LATE, ("a",), (((0, 0), "b"),), Fraction(1), ())


def test_port_models_are_known_by_name() -> None:
    with pytest.raises(InvalidInput, match="port model"):
        Alltoall(LINE, (("a", "b"),), "two-port")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="port model"):
        reduction(ports="two-port")


def test_sizes_and_times_may_depend_on_the_interval() -> None:
    sizes = [(k, m, 1 + m - k) for m in range(3) for k in range(m + 1)]
    asked = reduction(size=sizes, compute=(("b", "3/2"), ("c", 0, 0, 1, 2)))
    assert asked.intervals == ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
    assert asked.sizes == {(k, m): 1 + m - k for k, m in asked.intervals}
    assert asked.processors == ("b", "c")
    assert asked.time("b", (0, 1, 2)) == Fraction(3, 2)
    assert asked.time("c", (0, 0, 1)) == 2
    assert asked.time("c", (0, 0, 2)) is None
    assert asked.time("a", (0, 0, 1)) is None
    assert reduction().sizes == dict.fromkeys(asked.intervals, 1)


def test_problems_are_values() -> None:
    for asked in (reduction(), Alltoall(LINE, (("a", "b"),))):
        again = pickle.loads(pickle.dumps(asked))
        assert again == asked
        assert hash(again) == hash(asked)


@pytest.mark.parametrize(
    ("changed", "place", "rule"),
    [
        ({"owners": ()}, "owners", "at least one value"),
        ({"owners": "abx"}, r"owner of v[2]", "not a node"),
        ({"owners": "a" * (MOST_VALUES + 1)}, "owners", "at most"),
        ({"goals": ()}, "goals", "wanted"),
        ({"goals": (((0, 2),),)}, "goal 0", "a goal is"),
        ({"goals": ((2, "c"),)}, "goal 0", "a goal is"),
        ({"goals": (((0, 3), "c"),)}, "goal 0", "logical indices"),
        ({"goals": (((2, 1), "c"),)}, "goal 0", "logical indices"),
        ({"goals": (((0, True), "c"),)}, "goal 0", "logical indices"),
        ({"goals": (((0, 2), "x"),)}, "goal 0", "not a node"),
        ({"goals": (((1, 1), "b"),)}, "goal 0", "from the start"),
        ({"goals": WHOLE * 2}, "goal 1", "given twice"),
        ({"size": 0}, "size", "positive"),
        ({"size": 1.0}, "size", "not exact"),
        ({"size": [(0, 0)]}, "size, row 0", "a row is"),
        ({"size": [(0, 3, 1)]}, "size, row 0", "logical indices"),
        ({"size": [(0, 0, 1), (0, 0, 1)]}, "size, row 1", "given twice"),
        ({"size": [(0, 0, -1)]}, "size of v[0,0]", "positive"),
        ({"size": [(0, 0, 1)]}, "size", "every interval"),
        ({"compute": (("a", 1, 2),)}, "compute, row 0", "a row is"),
        ({"compute": (("x", 1),)}, "compute, row 0", "not a node"),
        ({"compute": (("a", Fraction(-1, 2)),)}, "compute, row 0 (a)", "-1/2: a positive"),
        ({"compute": (("a", 1), ("a", 2))}, "compute, row 1", "given twice"),
        ({"compute": (("a", 1), ("a", 0, 0, 1, 2))}, "compute, row 1", "given twice"),
        ({"compute": (("a", 0, 0, 1, 2), ("a", 0, 0, 1, 2))}, "compute, row 1", "given twice"),
        ({"compute": (("a", 0, 0, 1, 2), ("a", 1))}, "compute, row 0", "given twice"),
        ({"compute": (("a", 0, 1, 1, 2),)}, "compute, row 0", "logical indices"),
        ({"compute": (("a", 1, 0, 2, 2),)}, "compute, row 0", "logical indices"),
    ],
)
def test_reductions_that_cannot_be(changed: dict[str, Any], place: str, rule: str) -> None:
    with pytest.raises(InvalidInput, match=rule) as refusal:
        reduction(**changed)
    assert refusal.value.place == place


def test_reductions_have_a_size_that_can_be_looked_through() -> None:
    most = MOST_VALUES * (MOST_VALUES + 1) // 2
    nodes = MOST_STATES // most + 1
    with pytest.raises(InvalidInput, match="intervals times nodes"):
        Reduction(Platform(range(nodes), []), (0,) * MOST_VALUES, (((0, 1), 0),), Fraction(1), ())


NAMED = Platform("abc", [("a", "b", 1), ("b", "c", 1), ("c", "a", 1)])


def asked(owners: str, *goals: Any) -> Reduction:
    return Reduction(NAMED, tuple(owners), goals, Fraction(1), ())


@pytest.mark.parametrize(
    ("problem", "name"),
    [
        (Broadcast(NAMED, "a"), "broadcast from A"),
        (Alltoall(NAMED, (("a", "b"), ("a", "c"))), "scatter from A to 2 targets"),  # type: ignore[arg-type]
        (Alltoall(NAMED, (("a", "b"), ("c", "b"))), "gather at B from 2 sources"),  # type: ignore[arg-type]
        (
            Alltoall(NAMED, (("a", "b"), ("a", "c"), ("b", "c"))),  # type: ignore[arg-type]
            "alltoall of 3 messages from 2 sources to 2 targets",
        ),
        (asked("abc", ((0, 2), "b")), "reduction of 3 values to B"),
        (asked("abc", ((1, 2), "b")), "reduction of v[1..2] to B"),
        (asked("abc", ((0, 2), "c"), ((0, 1), "b")), "prefix of 3 values"),
        (asked("ab", ((0, 1), "b")), "reduction of 2 values to B"),
        (asked("aab", *(((0, 2), node) for node in "ba")), "all-reduce of 3 values"),
        (asked("aab", *(((0, 2), node) for node in "abc")), "reduction of 3 values to 3 goals"),
        (asked("a", ((0, 0), "b"), ((0, 0), "c")), "reduction of 1 value to 2 goals"),
    ],
)
def test_collectives_have_a_name(problem: Collective, name: str) -> None:
    assert collective_name(problem, lambda node: str(node).upper()) == name
