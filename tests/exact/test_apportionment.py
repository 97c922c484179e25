"""Whole numbers near their proportions, and sequences that mix them."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from exactsched.exact.apportionment import mixed, shares


@given(
    st.lists(st.fractions(min_value="1/50", max_value=9), min_size=1, max_size=8),
    st.integers(1, 99),
)
def test_shares_are_off_by_less_than_one(weights: list[Fraction], total: int) -> None:
    counts = shares(weights, total)
    assert sum(counts) == total
    assert all(
        abs(count - total * weight / sum(weights)) < 1
        for count, weight in zip(counts, weights, strict=True)
    )


@given(st.lists(st.integers(0, 12), min_size=1, max_size=6).filter(any))
def test_mixed_sequences_stay_near_their_proportions(counts: list[int]) -> None:
    order = mixed(counts)
    assert [order.count(index) for index in range(len(counts))] == counts
    for index, count in enumerate(counts):
        for length in range(len(order) + 1):
            due = Fraction(length * count, len(order))
            assert abs(order[:length].count(index) - due) <= Fraction(len(counts), 2) + 1
