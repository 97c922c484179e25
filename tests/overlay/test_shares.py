"""Rates as parts of a message and as trees, and the best rates on given arcs with their prices."""

from collections import Counter
from fractions import Fraction
from math import lcm

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.check import check
from exactsched.check.overlay.overlay import overlay as check_overlay
from exactsched.exact.errors import InvalidInput
from exactsched.graphs.root_cut import minimum_root_cut
from exactsched.model.machine import MultiPort
from exactsched.oracles.overlay import best_on
from exactsched.overlay.bounds import throughput_bound
from exactsched.overlay.rate import BestRates, best_rates
from exactsched.overlay.shares import excess, is_acyclic, overlay_of_rates, overlay_trees

Arc = tuple[int, int]
bandwidths = st.one_of(st.integers(0, 6), st.fractions(0, 6, max_denominator=4))


def arcs_of(size: int) -> list[Arc]:
    return [(i, j) for i in range(size) for j in range(1, size) if i != j]


@st.composite
def weighted(draw: st.DrawFn) -> tuple[int, dict[Arc, Fraction]]:
    size = draw(st.integers(2, 6))
    arcs = draw(st.lists(st.sampled_from(arcs_of(size)), unique=True, min_size=size - 1))
    return size, {arc: Fraction(draw(bandwidths)) for arc in arcs}


@st.composite
def machines_with_arcs(draw: st.DrawFn) -> tuple[MultiPort, list[Arc]]:
    size = draw(st.integers(2, 5))
    sending = draw(st.lists(bandwidths, min_size=size, max_size=size))
    incoming = draw(st.one_of(st.just([]), st.lists(bandwidths, min_size=size, max_size=size)))
    arcs = draw(st.lists(st.sampled_from(arcs_of(size)), unique=True, min_size=size - 1))
    return MultiPort(sending, [size] * size, incoming), arcs


@given(weighted(), st.fractions(0, 1, max_denominator=7))
def test_rates_carry_what_they_send_into_every_set(
    given_rates: tuple[int, dict[Arc, Fraction]], part: Fraction
) -> None:
    size, rates = given_rates
    cut = minimum_root_cut(size, 0, list(rates), list(rates.values())).value
    sent = [sum(rate for arc, rate in rates.items() if arc[0] == i) for i in range(size)]
    machine = MultiPort(sent, [size] * size)
    overlay = overlay_of_rates(machine, "any", rates, cut * part, throughput_bound(machine))
    assert check_overlay(overlay).throughput == cut * part
    share = cut * part / overlay.parts
    for i, j, pieces in overlay.arcs:
        assert 0 < share * sum(stop - start for start, stop in pieces) <= rates[i, j]
    if overlay.arcs:
        trees = overlay_trees(overlay)
        assert check(trees).value == cut * part
        assert len(trees.trees) <= len(overlay.arcs) - size + 2
        assert len({tree for _, tree in trees.trees}) == len(trees.trees)


@given(weighted())
def test_rates_cannot_carry_more(given_rates: tuple[int, dict[Arc, Fraction]]) -> None:
    size, rates = given_rates
    cut = minimum_root_cut(size, 0, list(rates), list(rates.values()))
    machine = MultiPort([9 * size] * size, [size] * size)
    with pytest.raises(InvalidInput, match="throughput") as refused:
        overlay_of_rates(machine, "any", rates, cut.value + Fraction(1, 9), 99)
    named = set(eval(str(refused.value).split("nodes ")[1].split(" the")[0]))
    inside = sum(rate for (i, j), rate in rates.items() if j in named and i not in named)
    assert inside == cut.value


@given(machines_with_arcs())
def test_best_rates_and_their_prices(instance: tuple[MultiPort, list[Arc]]) -> None:
    machine, arcs = instance
    best = best_rates(machine, arcs)
    assert best.throughput == best_on(machine, arcs)[0]
    overlay = overlay_of_rates(machine, "any", best.rates, best.throughput, machine.bandwidths[0])
    assert set(best.rates) <= set(arcs)
    for node, bandwidth in enumerate(machine.bandwidths):
        assert sum(rate for arc, rate in best.rates.items() if arc[0] == node) <= bandwidth
    assert_no_rates_are_better(machine, arcs, best)
    assert overlay.throughput == best.throughput


@given(st.lists(st.integers(0, 50), min_size=2, max_size=5), st.data())
def test_numbers_stay_small(sending: list[int], data: st.DataObject) -> None:
    size = len(sending)
    incoming = data.draw(st.one_of(st.just([]), st.lists(st.integers(0, 50), min_size=size)))
    arcs = data.draw(st.lists(st.sampled_from(arcs_of(size)), unique=True, min_size=size - 1))
    best = best_rates(MultiPort(sending, [size] * size, incoming[:size]), arcs)
    numbers = [Fraction(number) for number in (best.throughput, *best.rates.values())]
    assert lcm(*(number.denominator for number in numbers)) <= size ** (size + 1)


def assert_no_rates_are_better(machine: MultiPort, arcs: list[Arc], best: BestRates) -> None:
    worth = Fraction(0)
    for (rule, node), price in best.prices.items():
        assert price >= 0
        worth += price * (machine.bandwidths if rule == "send" else machine.incoming)[node]
    assert worth == best.throughput
    assert sum(weight for _, weight in best.cuts) == 1
    for inside, weight in best.cuts:
        assert weight > 0
        assert inside
        assert 0 not in inside
    for i, j in arcs:
        crossed = sum(w for inside, w in best.cuts if j in inside and i not in inside)
        paid = best.prices.get(("send", i), 0) + best.prices.get(("incoming", j), 0)
        assert crossed <= paid


@pytest.mark.parametrize("arcs", [[(0, 1), (0, 1)], [(1, 1)], [(1, 0)], [(0, 3)]])
def test_arcs_that_are_none(arcs: list[Arc]) -> None:
    with pytest.raises(InvalidInput, match="arcs"):
        best_rates(MultiPort([1, 1, 1], [2, 2, 2]), arcs)


def test_neighboring_ranges_are_joined() -> None:
    machine = MultiPort([2, 1, 1], [2, 1, 1])
    overlay = overlay_of_rates(machine, "any", {(0, 1): 2, (1, 2): 1, (0, 2): 1}, 2, 2)
    assert overlay.parts == 2
    assert (0, 1, ((0, 2),)) in overlay.arcs


@pytest.mark.parametrize(
    ("structure", "rates", "optimal"),
    [
        ("tree", {(0, 1): 2, (1, 2): 2}, True),
        ("tree", {(0, 1): 2, (0, 2): 1, (1, 2): 1}, False),
        ("acyclic", {(0, 1): 2, (0, 2): 1, (1, 2): 1}, True),
        ("acyclic", {(0, 1): 1, (0, 2): 1, (1, 2): 1, (2, 1): 1}, False),
        ("any", {(0, 1): 1, (0, 2): 1, (1, 2): 1, (2, 1): 1}, True),
        ("any", {(0, 1): 2, (1, 2): 2, (1, 3): 2}, False),  # a receiver too many
    ],
)
def test_an_optimal_overlay_is_what_it_is_compared_with(
    structure: str, rates: dict[Arc, int], optimal: bool
) -> None:
    size = 1 + max(max(arc) for arc in rates)
    machine = MultiPort([4] * size, [2, 1, 1, 1][:size])
    overlay = overlay_of_rates(machine, structure, rates, 2, 2)
    assert overlay.optimal is optimal
    assert not overlay_of_rates(machine, structure, rates, 2, 3).optimal


@given(st.sets(st.tuples(st.integers(0, 4), st.integers(1, 4)).filter(lambda a: a[0] != a[1])))
def test_degrees_and_cycles_by_definition(arcs: set[Arc]) -> None:
    machine = MultiPort([1] * 5, [2, 1, 0, 1, 3])
    counts = Counter(i for i, _ in arcs)
    assert excess(machine, arcs) == max(
        max(0, counts[node] - machine.degrees[node]) for node in range(5)
    )
    reach = {(i, j) for i, j in arcs}
    for k in range(5):
        reach |= {(i, j) for i in range(5) for j in range(5) if {(i, k), (k, j)} <= reach}
    assert is_acyclic(arcs) == all((node, node) not in reach for node in range(5))
