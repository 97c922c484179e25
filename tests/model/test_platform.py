"""The platform refuses, by name, everything that is not one; what it accepts it keeps exactly."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, replace
from fractions import Fraction
from itertools import permutations

import numpy
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from exactsched.check import check
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import exact
from exactsched.linear_programs.linear_program import linear_program, maximize
from exactsched.model.machine import MultiPort
from exactsched.model.platform import (
    NO_LATENCY,
    Arc,
    ArcColumns,
    Platform,
    SharedLink,
    both_ways,
)
from exactsched.model.problem import Alltoall
from exactsched.steady_state.broadcast import broadcast
from exactsched.strategies import platforms

LONG = 10**5000

REFUSED = [
    # nodes, arcs, node data, a piece of the place, a piece of the rule
    ([], [], {}, "nodes", "at least one node"),
    ([1.0], [], {}, "nodes", "an integer or a string"),
    ([True], [], {}, "nodes", "an integer or a string"),
    ([None], [], {}, "nodes", "an integer or a string"),
    ([(0, 1)], [], {}, "nodes", "an integer or a string"),
    ([[]], [], {}, "nodes", "an integer or a string"),
    ([2**53], [], {}, "nodes", "below 2^53"),
    ([-(2**53)], [], {}, "nodes", "below 2^53"),
    ([LONG], [], {}, "nodes", "below 2^53"),
    ([0, 0], [], {}, "nodes", "same printed name"),
    ([1, "1"], [], {}, "nodes", "same printed name"),
    ("ab", [("a", "b")], {}, "arc 0", "(tail, head, cost)"),
    ("ab", [("a", "b", 1, 0, [], 0)], {}, "arc 0", "(tail, head, cost)"),
    ("ab", [("a", "b", 1, 0, 0)], {}, "arc 0 (a->b), route", "a list of links"),
    ("ab", [("a", "b", 1, 0, [("up",)])], {}, "arc 0 (a->b), route", "(name, cost)"),
    ("ab", [("a", "b", 1, 0, [(1, 1)])], {}, "arc 0 (a->b), route", "the name is text"),
    ("ab", [("a", "b", 1, 0, [("up", 0)])], {}, "arc 0 (a->b), link up", "positive"),
    ("ab", [("a", "b", 1, 0, [("up", 1), ("up", 1)])], {}, "arc 0 (a->b), route", "once"),
    ("ab", [("a", "b", 2, 0, [("up", 1)])], {}, "arc 0 (a->b), cost", "largest cost of its links"),
    ("ab", [("a", "b", 1, 0, [("x", 1)]), ("b", "a", 2, 0, [("x", 2)])], {}, "arc 1", "same cost"),
    ("ab", ["abc"], {}, "arc 0", "(tail, head, cost)"),
    ("ab", [("a", "c", 1)], {}, "arc 0", "not a node"),
    ("ab", [("c", "a", 1)], {}, "arc 0", "not a node"),
    ([0, 1], [(0, True, 1)], {}, "arc 0", "not a node"),
    ([0, 1], [(0, 1.0, 1)], {}, "arc 0", "not a node"),
    ([0, 1], [(0, [], 1)], {}, "arc 0", "not a node"),
    ([0, 1], [(LONG, 1, 1)], {}, "arc 0", "not a node"),
    ([0, 1], [(0, True, Fraction(1), Fraction(0), ())], {}, "arc 0", "not a node"),
    ([0, 1], [(False, 1, Fraction(1), Fraction(0), ())], {}, "arc 0", "not a node"),
    ("ab", [("a", "b", 1), ("a", "a", 1)], {}, "arc 1", "loops"),
    ("ab", [("a", "b", 1), ("a", "b", 2)], {}, "arc 1", "given twice"),
    ("ab", [("a", "b", 0)], {}, "arc 0 (a->b), cost", "positive"),
    ("ab", [("a", "b", "-1/2")], {}, "arc 0 (a->b), cost", "positive"),
    ("ab", [("a", "b", 0.5)], {}, "arc 0 (a->b), cost", "float"),
    ("ab", [("a", "b", True)], {}, "arc 0 (a->b), cost", "truth value"),
    ("ab", [("a", "b", "1/0")], {}, "arc 0 (a->b), cost", "denominator is zero"),
    ("ab", [("a", "b", "fast")], {}, "arc 0 (a->b), cost", "not a number"),
    ("ab", [("a", "b", None)], {}, "arc 0 (a->b), cost", "exact number"),
    ("ab", [("a", "b", -LONG)], {}, "arc 0 (a->b), cost", "positive"),
    ("ab", [("a", "b", 1, -1)], {}, "arc 0 (a->b), latency", "not negative"),
    ("ab", [("a", "b", 1, 0.0)], {}, "arc 0 (a->b), latency", "float"),
    ("ab", [], {"c": {}}, "node data", "not a node"),
    ([0, 1], [], {True: {}}, "node data", "not a node"),
    ("ab", [], {"a": 1}, "node a", "numbers by name"),
    ("ab", [], {"a": {1: 1}}, "node a", "numbers by name"),
    ("ab", [], {"a": {"compute": 0.5}}, "node a, compute", "float"),
]


@pytest.mark.parametrize(("nodes", "arcs", "data", "place", "rule"), REFUSED)
def test_refusals_name_place_and_rule(nodes, arcs, data, place, rule):
    with pytest.raises(InvalidInput) as refusal:
        Platform(nodes, arcs, data)
    assert refusal.value.place.startswith(place)
    assert rule in refusal.value.rule
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 300


def test_a_message_about_a_name_with_a_line_break_is_one_line():
    with pytest.raises(InvalidInput) as refusal:
        Platform(["a\nb", "c"], [("a\nb", "c", 0)], {})
    assert str(refusal.value).startswith(r"arc 0 ('a\nb'->c), cost")
    with pytest.raises(InvalidInput) as refusal:
        Platform(["a\nb"], [], {"a\nb": {"x\ny": 0.5}})
    assert "\n" not in str(refusal.value)


def test_the_integers_next_to_the_limit_are_names():
    largest = 2**53 - 1
    assert Platform([largest, -largest], []).nodes == (largest, -largest)


def test_numbers_are_kept_exactly():
    platform = Platform("ab", [("a", "b", "0.1", "1e-3")], {"a": {"compute": "1/3"}})
    assert platform.arcs == (Arc("a", "b", Fraction(1, 10), Fraction(1, 1000)),)
    assert platform.node_data == {"a": {"compute": Fraction(1, 3)}}


def test_arcs_are_triples_quadruples_lists_or_arcs():
    one = Fraction(1)
    for arc in (("a", "b", 1), ("a", "b", 1, 0), ["a", "b", "1"], Arc("a", "b", one)):
        assert Platform("ab", [arc]).arcs == (Arc("a", "b", one, Fraction(0)),)
    assert str(Platform("ab", [("a", "b", 1)]).arcs[0]) == "a->b"


def test_an_arc_made_by_hand_is_checked_as_well():
    with pytest.raises(InvalidInput, match="positive"):
        Platform("ab", [Arc("a", "b", Fraction(-1))])
    with pytest.raises(InvalidInput, match="a latency is not negative"):
        Platform("ab", [Arc("b", "a", Fraction(1)), Arc("a", "b", Fraction(1), Fraction(-1, 2))])
    known = (Arc("a", "b", Fraction(1)), Arc("b", "a", Fraction(2), Fraction(3)))
    assert Platform("ab", known).arcs is known


def test_nothing_can_be_changed_afterwards():
    given_data = {"a": {"compute": 1}}
    platform = Platform(iter("ab"), iter([("a", "b", 1)]), given_data)
    with pytest.raises(FrozenInstanceError):
        platform.nodes = ()  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        platform.arcs[0].cost = Fraction(2)  # type: ignore[misc]
    with pytest.raises(TypeError):
        platform.node_data["b"] = {}  # type: ignore[index]
    with pytest.raises(TypeError):
        platform.node_data["a"]["compute"] = Fraction(2)  # type: ignore[index]
    given_data["a"]["compute"] = 2
    assert platform.node_data["a"]["compute"] == 1


def test_node_named_finds_by_the_printed_name():
    platform = Platform([0, "x", -7], [])
    assert [platform.node_named(name, "--source") for name in ("0", "x", "-7")] == [0, "x", -7]
    with pytest.raises(
        InvalidInput, match=r"--source: 'y': not a node of the platform; .* 0, x, -7"
    ):
        platform.node_named("y", "--source")
    with pytest.raises(InvalidInput, match=r"0, 1, 2, 3, 4, 5, 6, 7, \.\.\."):
        Platform(range(9), []).node_named("9", "--source")


def test_both_ways_keeps_the_order_of_the_links():
    assert both_ways([(0, 1, 5), (2, 1, 6, 7)]) == [
        (0, 1, 5),
        (1, 0, 5),
        (2, 1, 6, 7),
        (1, 2, 6, 7),
    ]


@given(platforms(min_nodes=1, latencies=True, compute=True))
def test_copies_are_equal_and_hash_alike(platform):
    rebuilt = Platform(platform.nodes, platform.arcs, platform.node_data)
    for same in (rebuilt, pickle.loads(pickle.dumps(platform)), copy.deepcopy(platform)):
        assert same == platform
        assert hash(same) == hash(platform)


@given(platforms(min_nodes=3, reachable=True, compute=True))
def test_platforms_differ_if_anything_differs(platform):
    assert platform != Platform(platform.nodes[::-1], platform.arcs, platform.node_data)
    assert platform != Platform(platform.nodes, platform.arcs[::-1], platform.node_data)
    assert platform != Platform(platform.nodes, platform.arcs[1:], platform.node_data)
    more = {**platform.node_data, platform.nodes[0]: {"other": 1}}
    assert platform != Platform(platform.nodes, platform.arcs, more)


def of_numpy(number: int) -> Fraction:
    """A fraction over integers that wrap around: four times this one, for 2^62, is 0."""
    return Fraction(numpy.int64(number), numpy.int64(1))


def test_fractions_over_integers_of_numpy_are_made_ones_of_python() -> None:
    """Wherever numbers come in, one by one or all at once."""
    large = of_numpy(2**62)
    link = ("l", large)
    one = Platform("ab", [("a", "b", large, large)])
    rows = Platform("ab", [("a", "b", large, of_numpy(0), ())])
    routed = Platform("ab", [("a", "b", large, 0, [link])])
    arcs = [*one.arcs, *rows.arcs, *routed.arcs]
    numbers = [number for arc in arcs for number in (arc.cost, arc.latency)]
    numbers.append(routed.arcs[0].route[0].cost)
    numbers += MultiPort([large, large], [1, 1]).bandwidths
    numbers += [d.size for d in Alltoall(rows, (("a", "b", large),)).demands]
    numbers.append(exact(large, "number"))
    assert {type(part) for one in numbers for part in one.as_integer_ratio()} == {int}
    assert 4 * one.arcs[0].cost == 2**64
    assert check(broadcast(rows, "a")).throughput == Fraction(1, 2**62)
    half = Fraction(numpy.int64(1), numpy.int64(2))
    spoiled = replace(linear_program([1], [[1]], [1]), right_sides=(half,))
    assert type(maximize(spoiled).program.right_sides[0].numerator) is int


def test_columns_are_those_of_arcs_and_stay_as_they_were() -> None:
    costs = [Fraction(1), Fraction(1, 2)]
    nothing: tuple[SharedLink, ...] = ()
    columns = ArcColumns(["a", "b"], ["b", "a"], costs, [NO_LATENCY] * 2, [nothing] * 2)
    platform = Platform("ab", columns)
    costs[0] = Fraction(-1)
    assert platform == Platform("ab", [("a", "b", 1), ("b", "a", "1/2")])
    assert platform.costs == (1, Fraction(1, 2))
    assert Platform("ab", ArcColumns([], [], [], [], [])).arcs == ()
    for column in range(5):
        short = [list(part)[: 1 if index == column else 2] for index, part in enumerate(columns)]
        with pytest.raises(ValueError, match="zip"):
            Platform("ab", ArcColumns(*short))


_PAIRS = st.sampled_from([*permutations(range(4), 2), (0, 0), (0, 4), (-1, 0), (True, 2)])
_COSTS = st.sampled_from([1, 2, Fraction(1, 2)])
_ANY_COSTS = st.sampled_from([1, Fraction(1, 2), "1/3", 0, -1, True, numpy.int64(2)])
_LATENCIES = st.sampled_from([0, 0, 0, Fraction(1), Fraction(2), NO_LATENCY, "1/2", -1])


@st.composite
def rows_of_arcs(draw: st.DrawFn) -> list[tuple[object, ...]]:
    """Mostly of one length and different, sometimes with something wrong."""
    width = draw(st.sampled_from([3, 3, 4, 5]))
    integers = draw(st.booleans())
    costs = st.just(1) if integers else draw(st.sampled_from([_COSTS, _COSTS, _COSTS, _ANY_COSTS]))
    rows: list[tuple[object, ...]] = []
    for tail, head in draw(st.lists(_PAIRS, max_size=4, unique=True)):
        row = (tail, head, draw(costs), draw(_LATENCIES), ())
        cut = draw(st.sampled_from([width] * 9 + [3, 2]))
        rows.append(row[:cut])
    return rows


@given(rows_of_arcs())
def test_tuples_are_read_by_columns_as_lists_are_one_by_one(rows: list[tuple[object, ...]]) -> None:
    def outcome(arcs: list[object]) -> object:
        try:
            return Platform(range(4), arcs)  # type: ignore[arg-type]
        except InvalidInput as error:
            return error.place, error.rule

    made, expected = outcome([*rows]), outcome([*map(list, rows)])
    event("refused" if isinstance(made, tuple) else "a platform")
    assert made == expected
    if isinstance(made, Platform) and isinstance(expected, Platform):
        assert (made.costs, made.latencies) == (expected.costs, expected.latencies)
        assert {type(number) for number in made.costs + made.latencies} <= {Fraction}


def test_integer_costs_without_latencies_are_columns() -> None:
    """No `Arc` is made for platforms of plain tuples until somebody asks for it."""
    for rows in ([(0, 1, 1), (1, 0, 2)], [(0, 1, Fraction(1), NO_LATENCY)]):
        platform = Platform([0, 1], rows)
        assert "arcs" not in vars(platform)
        assert [arc.cost for arc in platform.arcs] == [row[2] for row in rows]
