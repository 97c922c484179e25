"""Flows without circulations: the same value, no more on any arc, no cycle of arcs that carry."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.check import check
from exactsched.exact.errors import InvalidInput
from exactsched.graphs.flow import maximum_flow, without_cycles

ARCS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=20)


def has_cycle(arcs: tuple[tuple[int, int], ...], flow: tuple[int | Fraction, ...]) -> bool:
    """By another program."""
    carrying = networkx.DiGraph(arc for arc, amount in zip(arcs, flow, strict=True) if amount)
    return not networkx.is_directed_acyclic_graph(carrying)


@given(ARCS, st.data())
def test_no_cycle_is_left(arcs: list[tuple[int, int]], data: st.DataObject) -> None:
    capacity = st.sampled_from([0, 1, 2, 7, Fraction(1, 2), Fraction(5, 3), 10**30])
    capacities = [data.draw(capacity) for _ in arcs]
    best = maximum_flow(6, 0, 5, arcs, capacities)
    # Circulations on top, as far as the capacities allow: every flow is taken, not just these.
    plain = without_cycles(best)
    assert check(plain).value == best.value == plain.value
    assert not has_cycle(plain.arcs, plain.flow)
    assert all(0 <= less <= more for less, more in zip(plain.flow, best.flow, strict=True))
    assert replace(plain, flow=best.flow) == best
    assert without_cycles(plain) == plain


@given(ARCS.filter(bool), st.data())
def test_circulations_are_removed_whatever_they_are(
    arcs: list[tuple[int, int]], data: st.DataObject
) -> None:
    """Planted: a sum of closed walks, through the source and the sink or not."""
    best = maximum_flow(6, 0, 5, arcs, [1] * len(arcs))
    closed = [*arcs, *[(head, tail) for tail, head in arcs]]
    amounts = [data.draw(st.integers(0, 3)) for _ in arcs] * 2
    both = replace(
        best,
        arcs=tuple(closed),
        capacities=(*[10] * len(arcs), *[3] * len(arcs)),
        flow=tuple(
            amount + (best.flow[arc] if arc < len(arcs) else 0)
            for arc, amount in enumerate(amounts)
        ),
    )
    plain = without_cycles(both)
    assert not has_cycle(plain.arcs, plain.flow)
    net = [0] * 6
    for (tail, head), amount in zip(plain.arcs, plain.flow, strict=True):
        net[head] += amount
        net[tail] -= amount
    assert net == [-best.value, 0, 0, 0, 0, best.value]


def test_by_hand() -> None:
    best = replace(
        maximum_flow(3, 0, 1, [(0, 1), (1, 2), (2, 0), (2, 2)], [3, 2, 2, 5]), flow=(3, 1, 1, 5)
    )
    assert without_cycles(best).flow == (2, 0, 0, 0)


def test_more_than_its_cycles_is_no_flow() -> None:
    best = maximum_flow(2, 0, 1, [(0, 1)], [1])
    with pytest.raises(InvalidInput, match="flow"):
        without_cycles(replace(best, flow=(-1,)))
