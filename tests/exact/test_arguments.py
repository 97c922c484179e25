"""Kernels refuse at the door what is no graph or no exact number, and say where it stands."""

from __future__ import annotations

from fractions import Fraction

import flint
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.exact.arguments import (
    checked_arcs,
    checked_node,
    checked_size,
    divided,
    exact_numbers,
    not_negative,
    over_common_denominator,
    whole,
)
from exactsched.exact.errors import InvalidInput

RATIONALS = st.fractions() | st.integers(-(10**40), 10**40)


@pytest.mark.parametrize("size", [0, -1, True, 2.0, "3", None, Fraction(2)])
def test_a_size_is_a_positive_integer(size: object) -> None:
    with pytest.raises(InvalidInput, match=r"size: .*: the number of nodes is a positive integer"):
        checked_size(size)


@pytest.mark.parametrize("node", [3, -1, True, 0.0, "0", None])
def test_a_node_is_one_of_the_graph(node: object) -> None:
    with pytest.raises(InvalidInput, match=r"root: .*: a node is an integer from 0 to 2"):
        checked_node(node, 3, "root")


@pytest.mark.parametrize(
    ("arc", "rule"),
    [
        ((0,), "an arc is a pair of nodes"),
        ((0, 1, 2), "an arc is a pair of nodes"),
        ("01", "an arc is a pair of nodes"),
        (5, "an arc is a pair of nodes"),
        ((0, 3), "integers from 0 to 2"),
        ((-1, 0), "integers from 0 to 2"),
        ((0, True), "integers from 0 to 2"),
        ((1.0, 0), "integers from 0 to 2"),
        (("0", 1), "integers from 0 to 2"),
    ],
)
def test_the_bad_arc_is_named(arc: object, rule: str) -> None:
    with pytest.raises(InvalidInput, match=rf"^arc 1: .*{rule}"):
        checked_arcs(3, [(0, 1), arc, (1, 2)])  # type: ignore[list-item]


def test_pairs_are_pairs_not_only_on_average() -> None:
    with pytest.raises(InvalidInput, match=r"^arc 0: .*an arc is a pair of nodes"):
        checked_arcs(3, [(0,), (0, 1, 2)])  # type: ignore[list-item]


def test_arcs_may_be_lists_parallel_and_loops() -> None:
    assert checked_arcs(2, [[0, 1], (0, 1), (1, 1)]) == ((0, 1), (0, 1), (1, 1))  # type: ignore[list-item]
    assert checked_arcs(1, []) == ()


@pytest.mark.parametrize("bad", [0.5, True, "one", "1/0", None, float("nan"), [1]])
def test_the_bad_number_is_named(bad: object) -> None:
    with pytest.raises(InvalidInput, match=r"^cost of arc 2: "):
        exact_numbers([1, "1/2", bad], "cost of arc", 3)


def test_numbers_come_one_for_each() -> None:
    with pytest.raises(InvalidInput, match=r"3 are needed"):
        exact_numbers([1, 2], "cost of arc", 3)


def test_numbers_of_every_exact_kind() -> None:
    given_numbers = [2, Fraction(6, 3), "0.5", flint.fmpq(1, 2), flint.fmpz(7)]
    numbers = exact_numbers(given_numbers, "weight", 5)
    assert numbers == (2, 2, Fraction(1, 2), Fraction(1, 2), 7)
    assert [type(number) for number in numbers] == [int, int, Fraction, Fraction, int]


def test_the_first_negative_number_is_named() -> None:
    with pytest.raises(InvalidInput, match=r"^demand 1: -1/2: 0 or more"):
        not_negative([0, Fraction(-1, 2), -3], "demand")
    not_negative([], "demand")


@given(st.lists(RATIONALS))
def test_a_common_denominator_is_the_least(values: list[Fraction | int]) -> None:
    numerators, denominator = over_common_denominator(values)
    assert [Fraction(top, denominator) for top in numerators] == values
    smaller = [d for d in range(1, min(denominator, 50)) if denominator % d == 0]
    assert all(any(value * d % 1 for value in values) for d in smaller)


@given(RATIONALS, st.integers(1, 10**20))
def test_whole_numbers_are_integers(value: Fraction | int, denominator: int) -> None:
    number = divided(Fraction(value).numerator, denominator)
    assert number == Fraction(Fraction(value).numerator, denominator)
    assert (type(number) is int) == (number % 1 == 0)
    assert whole(Fraction(value)) == value
