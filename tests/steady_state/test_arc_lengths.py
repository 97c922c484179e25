"""Lengths and loads of arcs, by definition: in floats, in integers, with arrays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.steady_state.arc_lengths import ArcLengths, LengthsInBulk

ROWS = 5
arcs = st.lists(
    st.tuples(st.integers(1, 9), st.lists(st.integers(0, ROWS - 1), unique=True, max_size=ROWS)),
    min_size=1,
    max_size=6,
)


@pytest.mark.parametrize("kind", [ArcLengths, LengthsInBulk])
@given(arcs, st.lists(st.integers(0, 8), min_size=ROWS, max_size=ROWS), st.data())
def test_lengths_are_cost_times_prices(
    kind: type[ArcLengths], given_arcs: list[tuple[int, list[int]]], prices: list[int], data: object
) -> None:
    """Prices are small integers, and in floats eighths of them."""
    assert isinstance(data, st.DataObject)
    costs, uses = [cost for cost, _ in given_arcs], [tuple(rows) for _, rows in given_arcs]
    lengths = kind(costs, uses)
    expected = [cost * sum(prices[row] for row in rows) for cost, rows in given_arcs]
    assert lengths.exact(dict(enumerate(prices))) == expected
    found = lengths.floats([price / 8 for price in prices])
    assert list(found) == pytest.approx([length / 8 / max(costs) for length in expected])
    chosen = data.draw(st.lists(st.integers(0, len(costs) - 1), max_size=9))
    loads = [sum(3 * costs[arc] for arc in chosen if row in uses[arc]) for row in range(ROWS)]
    assert lengths.load(chosen, 3) == {row: load for row, load in enumerate(loads) if load}
