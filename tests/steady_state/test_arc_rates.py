"""Packings by rates of arcs: the same value as by trees, proved by prices, whatever floats do."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exactsched
from exactsched.exact.errors import InvalidInput
from exactsched.linear_programs.master_program import PackingProgram
from exactsched.model.platform import Platform
from exactsched.platforms.built_in import built_in
from exactsched.steady_state import arborescence_packing
from exactsched.steady_state.arborescence_packing import (
    ArborescencePacking,
    _Search,
    pack_arborescences,
    pack_broadcasts,
)
from exactsched.steady_state.arc_rates import ArcRates
from exactsched.steady_state.broadcast import broadcast
from tests.linear_programs.wrong_floats import silent
from tests.steady_state.test_arborescence_packing import (
    Instance,
    assert_proved,
    instances,
    optimum_by_definition,
)


def by_rates(instance: Instance) -> ArborescencePacking:
    search = _Search(*instance, None, None)
    found = search.by_rates(0, 0)
    assert found is not None
    return search.result(found)


@given(instances())
def test_rates_pack_as_much_as_trees(instance: Instance) -> None:
    packing = by_rates(instance)
    assert_proved(instance, packing, basic=False)
    assert packing.value == optimum_by_definition(instance)


@given(instances(st.builds(lambda k, more: 10**k + more, st.integers(0, 60), st.integers(0, 9))))
@settings(max_examples=20)
def test_costs_over_sixty_decades(instance: Instance) -> None:
    packing = by_rates(instance)
    assert_proved(instance, packing, basic=False)
    assert packing.value == optimum_by_definition(instance)


@given(instances(st.sampled_from([1, 2, 10**300, 10**310, 10**700, 10**700 + 1])))
@settings(max_examples=20)
def test_costs_beyond_floats(instance: Instance) -> None:
    packing = by_rates(instance)
    assert_proved(instance, packing, basic=False)
    assert packing.value == optimum_by_definition(instance)


@given(instances())
@settings(max_examples=20)
def test_both_ways_end_with_the_same_value(instance: Instance) -> None:
    assert pack_broadcasts(*instance).value == pack_arborescences(*instance).value


Floats = Callable[[PackingProgram], list[float] | None]


def nonsense(dice: random.Random) -> dict[str, Floats]:
    def numbers(*values: float) -> Floats:
        return lambda program: [dice.choice(values) for _ in program._form.columns]

    return {
        "silent": silent,
        "zeros": numbers(0.0),
        "at random": numbers(0.0, 0.5, 1.0, 2.0),
        "without measure": numbers(inf, 1e308, 5e-324, 1.0),
        "more than there is": numbers(1e9),
    }


@pytest.mark.parametrize("name", sorted(nonsense(random.Random(0))))
@given(instances(), st.randoms(use_true_random=False))
@settings(max_examples=20)
def test_wrong_floats_change_nothing(name: str, instance: Instance, dice: random.Random) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PackingProgram, "proposed_values", nonsense(dice)[name])
        patch.setattr(PackingProgram, "_float_basis", silent)
        packing = by_rates(instance)
    assert_proved(instance, packing, basic=False)
    assert packing.value == optimum_by_definition(instance)


def odd_cycle() -> Platform:
    dice = random.Random(1)
    built = built_in("torus:3x3")
    costs = [Fraction(dice.randint(800, 1200), 1000) for _ in built.arcs]
    arcs = [(arc.tail, arc.head, cost) for arc, cost in zip(built.arcs, costs, strict=True)]
    return Platform(built.nodes, arcs)


def test_odd_sets_join_the_rates() -> None:
    solution = broadcast(odd_cycle(), 0, ports="half-duplex")
    assert solution.proof.odd_sets  # type: ignore[union-attr]
    assert exactsched.check(solution.certificate()).optimal


@pytest.mark.parametrize("ends_at", range(1, 9))
def test_an_interval_where_the_search_is_ended(ends_at: int) -> None:
    """By rates or by trees: both ends hold, and what ended the one has ended the other."""
    seen: list[float] = []

    def progress(rounds: int, _lower: float, upper: float) -> bool:
        assert upper >= 0.999 * float(exact.throughput)
        seen.append(rounds)
        return len(seen) == ends_at

    exact = broadcast(odd_cycle(), 0, ports="half-duplex")
    found = broadcast(odd_cycle(), 0, ports="half-duplex", progress=progress)
    assert found.throughput <= exact.throughput <= found.bound
    assert len(seen) <= ends_at
    exactsched.check(found.certificate())


def test_where_columns_take_long_rates_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = random.Random(1)
    built = built_in("hypercube:5")
    costs = [Fraction(dice.randint(800, 1200), 1000) for _ in built.arcs]
    arcs = [(arc.tail, arc.head, cost) for arc, cost in zip(built.arcs, costs, strict=True)]
    platform, asked = Platform(built.nodes, arcs), []
    rates = ArcRates.solve

    def counted(*arguments: object) -> object:
        asked.append(arguments[-1])
        return rates(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(ArcRates, "solve", counted)
    monkeypatch.setattr(arborescence_packing, "PATIENCE", 1)
    solution = broadcast(platform, 0)
    assert asked == [1]
    monkeypatch.setattr(arborescence_packing, "PATIENCE", 100)
    assert broadcast(platform, 0).throughput == solution.throughput
    assert asked == [1]
    # Ended while rates are looked for: the columns met so far make a packing.
    monkeypatch.setattr(arborescence_packing, "PATIENCE", 1)
    ended = broadcast(platform, 0, progress=lambda rounds, _lower, _upper: rounds == 2)
    assert 0 < ended.throughput <= solution.throughput <= ended.bound
    assert asked == [1, 1]


def test_rates_that_disagree_with_their_prices_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ArcRates, "_prices", lambda *_: {0: Fraction(1, 1000)})
    with pytest.raises(ArithmeticError, match="disagree"):
        broadcast(odd_cycle(), 0, ports="half-duplex")


def test_refusals() -> None:
    with pytest.raises(InvalidInput, match="cost of arc 0: 0: a positive integer"):
        pack_broadcasts(2, 0, [(0, 1)], [0], [(0,)], [1])
    with pytest.raises(InvalidInput, match="cannot be reached from the root 0"):
        pack_broadcasts(3, 0, [(0, 1), (0, 1)], [1, 1], [(0,), (0,)], [1])
    with pytest.raises(InvalidInput, match="the gain is unbounded"):
        pack_broadcasts(2, 0, [(0, 1)], [1], [()], [1])
