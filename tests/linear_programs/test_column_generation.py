"""Packings of structures: equal to the definition, proved by prices, whatever the floats do."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import exp, inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched.exact.errors import InvalidInput
from exactsched.linear_programs.column_generation import Pricing, StructurePacking, pack_structures
from exactsched.linear_programs.master_program import Optimum, PackingProgram
from exactsched.linear_programs.structure_program import WALK, StructureProgram
from exactsched.oracles.linear_programs import maximum
from tests.linear_programs.wrong_floats import saboteurs, silent

Loads = list[list[list[int]]]  # of every structure of every part, by resource
Instance = tuple[Loads, list[int]]  # loads, capacities


class Listed:
    """All structures are known: structure k of a part is the number k."""

    def __init__(self, loads: Loads) -> None:
        self.loads = loads
        self.parts = len(loads)
        self.asked: list[Mapping[int, int]] = []

    def _costs(self, prices: Sequence[float]) -> list[list[float]]:
        largest = max(entry for part in self.loads for load in part for entry in load) or 1
        return [
            [
                sum(price * (entry / largest) for price, entry in zip(prices, load, strict=True))
                for load in part
            ]
            for part in self.loads
        ]

    def cheapest(self, prices: Sequence[float]) -> list[tuple[int, int]]:
        return [
            (part, min(range(len(costs)), key=costs.__getitem__))
            for part, costs in enumerate(self._costs(prices))
        ]

    def cheapest_exactly(
        self, prices: Mapping[int, int]
    ) -> tuple[list[tuple[int, int]], list[int]]:
        self.asked.append(prices)
        costs = [
            [sum(prices.get(row, 0) * entry for row, entry in enumerate(load)) for load in part]
            for part in self.loads
        ]
        chosen = [min(range(len(one)), key=one.__getitem__) for one in costs]
        return list(enumerate(chosen)), [min(one) for one in costs]

    def load(self, structure: tuple[int, int]) -> dict[int, int]:
        part, index = structure
        return {row: entry for row, entry in enumerate(self.loads[part][index]) if entry}


def optimum_by_definition(instance: Instance) -> Fraction:
    """The linear program over all structures: TP is at most the sum of the weights of a part."""
    loads, capacities = instance
    listed = [(part, load) for part, of_part in enumerate(loads) for load in of_part]
    rows = [
        [Fraction(1)] + [Fraction(-(part == index)) for part, _ in listed]
        for index in range(len(loads))
    ]
    rows += [
        [Fraction(0)] + [Fraction(load[row]) for _, load in listed]
        for row in range(len(capacities))
    ]
    limits = [Fraction(0)] * len(loads) + [Fraction(capacity) for capacity in capacities]
    return maximum([Fraction(1)] + [Fraction(0)] * len(listed), rows, limits)


def assert_proved(instance: Instance, packing: StructurePacking[tuple[int, int]]) -> None:
    """The weights fit, and the prices show that no weights of larger sums do."""
    loads, capacities = instance
    used = [Fraction(0)] * len(capacities)
    sums = [Fraction(0)] * len(loads)
    for part, (same, index), weight in packing.weights:
        assert part == same
        assert weight > 0
        sums[part] += weight
        used = [u + weight * entry for u, entry in zip(used, loads[part][index], strict=True)]
    assert sums == [packing.value] * len(loads)
    assert all(u <= capacity for u, capacity in zip(used, capacities, strict=True))
    parts = len(loads) if len(loads) > 1 else 0
    assert len({entry[:2] for entry in packing.weights}) == len(packing.weights)
    assert len(packing.weights) <= len(capacities) + parts
    assert [part for part, _, _ in packing.weights] == sorted(
        part for part, _, _ in packing.weights
    )
    assert all(price > 0 for price in packing.prices.values())
    prices = [packing.prices.get(row, Fraction(0)) for row in range(len(capacities))]
    assert set(packing.prices) <= set(range(len(capacities)))
    cheapest = [
        min(sum(p * entry for p, entry in zip(prices, load, strict=True)) for load in part)
        for part in loads
    ]
    offered = sum(p * capacity for p, capacity in zip(prices, capacities, strict=True))
    assert sum(cheapest) == 1
    assert packing.value == offered


@st.composite
def instances(draw: st.DrawFn, entries: st.SearchStrategy[int] | None = None) -> Instance:
    """Up to four parts of up to five structures on up to five resources."""
    rows = draw(st.integers(1, 5))
    one = st.integers(0, 6) if entries is None else entries
    load = st.lists(one, min_size=rows, max_size=rows).filter(any)
    loads = draw(st.lists(st.lists(load, min_size=1, max_size=5), min_size=1, max_size=4))
    return loads, draw(st.lists(st.integers(1, 5), min_size=rows, max_size=rows))


@given(instances())
def test_the_packing_is_the_largest_of_all(instance: Instance) -> None:
    pricing = Listed(instance[0])
    packing = pack_structures(pricing, instance[1])
    assert_proved(instance, packing)
    assert packing.value == optimum_by_definition(instance)
    # Whoever wants the dual object of the structures finds it under the prices asked for last.
    scales = {price / packing.prices[row] for row, price in pricing.asked[-1].items()}
    assert len(scales) == 1
    assert pricing.asked[-1].keys() == packing.prices.keys()


@given(instances(st.builds(lambda k, more: 10**k + more, st.integers(0, 60), st.integers(0, 9))))
@settings(max_examples=30)
def test_loads_over_sixty_decades(instance: Instance) -> None:
    packing = pack_structures(Listed(instance[0]), instance[1])
    assert_proved(instance, packing)
    assert packing.value == optimum_by_definition(instance)


@given(instances(st.sampled_from([1, 2, 10**300, 10**310, 10**700, 10**700 + 1])))
@settings(max_examples=30)
def test_loads_beyond_floats(instance: Instance) -> None:
    packing = pack_structures(Listed(instance[0]), instance[1])
    assert_proved(instance, packing)
    assert packing.value == optimum_by_definition(instance)


@pytest.mark.parametrize("name", sorted(saboteurs(random.Random(0))))
@given(instances(), st.randoms(use_true_random=False))
@settings(max_examples=15)
def test_wrong_float_prices_change_nothing(
    name: str, instance: Instance, dice: random.Random
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PackingProgram, "propose", saboteurs(dice)[name])
        patch.setattr(PackingProgram, "_float_basis", silent)
        packing = pack_structures(Listed(instance[0]), instance[1])
    assert_proved(instance, packing)
    assert packing.value == optimum_by_definition(instance)


@given(instances(), st.randoms(use_true_random=False))
@settings(max_examples=25)
def test_a_pricing_whose_floats_are_wrong_is_corrected(
    instance: Instance, dice: random.Random
) -> None:
    class Careless(Listed):
        def cheapest(self, prices: Sequence[float]) -> list[tuple[int, int]]:
            del prices
            return [(part, dice.randrange(len(load))) for part, load in enumerate(self.loads)]

    packing = pack_structures(Careless(instance[0]), instance[1])
    assert_proved(instance, packing)
    assert packing.value == optimum_by_definition(instance)


class Revealed(Listed):
    """Resources after the first `known` are named only when a packing overworks them."""

    def __init__(self, instance: Instance, known: int) -> None:
        loads, self.capacities = instance
        super().__init__(loads)
        self.order = list(range(known))

    def load(self, structure: tuple[int, int]) -> dict[int, int]:
        part, index = structure
        entries = [self.loads[part][index][row] for row in self.order]
        return {row: entry for row, entry in enumerate(entries) if entry}

    def _of_resources(self, prices: Sequence[float]) -> list[float]:
        given_prices = dict(zip(self.order, prices, strict=True))
        return [given_prices.get(row, 0) for row in range(len(self.capacities))]

    def cheapest(self, prices: Sequence[float]) -> list[tuple[int, int]]:
        return super().cheapest(self._of_resources(prices))

    def cheapest_exactly(
        self, prices: Mapping[int, int]
    ) -> tuple[list[tuple[int, int]], list[int]]:
        return super().cheapest_exactly({self.order[row]: price for row, price in prices.items()})

    def overworked(
        self, weights: Sequence[tuple[int, tuple[int, int], Fraction]], number: int
    ) -> list[int]:
        """The first resource that works too much, if there is one."""
        assert number == len(self.order)
        for row, capacity in enumerate(self.capacities):
            used = sum(self.loads[part][index][row] * w for part, (_, index), w in weights)
            if used > capacity:
                assert row not in self.order
                self.order.append(row)
                return [capacity]
        return []


@pytest.mark.parametrize("floats", [True, False])
@given(instances(st.integers(1, 6)))
@settings(max_examples=35)
def test_resources_that_are_named_when_they_are_needed(floats: bool, instance: Instance) -> None:
    """Cutting planes: the optimum is that of all resources, whichever join, and in which order."""
    pricing = Revealed(instance, 1)
    with pytest.MonkeyPatch.context() as patch:
        if not floats:
            patch.setattr(PackingProgram, "propose", silent)
        packing = pack_structures(pricing, instance[1][:1], None, pricing.overworked)
    prices = {pricing.order[row]: price for row, price in packing.prices.items()}
    assert_proved(instance, replace(packing, prices=prices))
    assert packing.value == optimum_by_definition(instance)


# Laws -------------------------------------------------------------------------------------------


@given(instances(), st.integers(1, 10**20))
@settings(max_examples=35)
def test_scaling(instance: Instance, factor: int) -> None:
    loads, capacities = instance
    value = pack_structures(Listed(loads), capacities).value
    slower = [[[factor * entry for entry in load] for load in part] for part in loads]
    assert pack_structures(Listed(slower), capacities).value * factor == value
    wider = [factor * capacity for capacity in capacities]
    assert pack_structures(Listed(loads), wider).value == factor * value


@given(instances())
@settings(max_examples=35)
def test_a_part_that_is_asked_for_twice(instance: Instance) -> None:
    """Two copies of every part are one operation of twice the loads."""
    loads, capacities = instance
    value = pack_structures(Listed(loads), capacities).value
    assert pack_structures(Listed(loads + loads), capacities).value * 2 == value


@given(instances(), st.lists(st.integers(1, 6), min_size=5, max_size=5))
@settings(max_examples=35)
def test_a_part_more_never_packs_more(instance: Instance, load: list[int]) -> None:
    loads, capacities = instance
    value = pack_structures(Listed(loads), capacities).value
    more = [*loads, [load[: len(capacities)]]]
    assert pack_structures(Listed(more), capacities).value < value


def test_what_a_part_has_beyond_the_value_is_taken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Machines 1 and 2 have time to spare, and an optimum may let part 1 have it."""
    solve = PackingProgram.solve
    # Column 0 is TP and column 1 the only structure of part 0.
    spare = {2: Fraction(1, 4), 3: Fraction(1, 2)}

    def generous(program: PackingProgram) -> Optimum:
        best = solve(program)
        return Optimum(best.value, best.primal | spare, best.dual)

    monkeypatch.setattr(PackingProgram, "solve", generous)
    instance: Instance = ([[[2, 0, 0]], [[0, 1, 0], [0, 0, 1]]], [1, 1, 1])
    packing = pack_structures(Listed(instance[0]), instance[1])
    assert_proved(instance, packing)
    assert len(packing.weights) == 2
    assert packing.value == Fraction(1, 2)


def test_progress_reports_bounds_that_hold() -> None:
    # Three parts, each on either of two machines, in one time unit.
    loads = [[[7, 0], [0, 7]]] * 3
    seen: list[tuple[int, float, float]] = []
    packing = pack_structures(Listed(loads), [7, 7], lambda *row: seen.append(row))
    assert packing.value == Fraction(2, 3)
    assert [number for number, _, _ in seen] == list(range(1, len(seen) + 1))
    for _, lower, upper in seen:
        assert lower <= 2 / 3 + 1e-9
        assert upper >= 2 / 3 - 1e-9
    assert seen[-1][1:] == pytest.approx((2 / 3, 2 / 3))
    assert packing.rounds > len(seen) - 1
    assert packing.priced > 3 * packing.rounds


# Refusals ---------------------------------------------------------------------------------------


def test_a_resource_without_time_is_refused() -> None:
    with pytest.raises(InvalidInput, match="capacity of resource 1: 0: a positive integer"):
        pack_structures(Listed([[[1, 1]]]), [1, 0])


def test_loads_may_name_resources_that_are_not_used() -> None:
    class Explicit(Listed):
        def load(self, structure: tuple[int, int]) -> dict[int, int]:
            part, index = structure
            return dict(enumerate(self.loads[part][index]))

    instance: Instance = ([[[0, 3]], [[0, 0], [2, 1]]], [1, 1])
    packing = pack_structures(Explicit(instance[0]), instance[1])
    assert_proved(instance, packing)
    assert packing.value == Fraction(1, 3)
    with pytest.raises(InvalidInput, match="the gain is unbounded"):
        pack_structures(Explicit([[[0, 0]]]), [1, 1])


@pytest.mark.parametrize("parts", [1, 2])
def test_an_operation_that_keeps_nothing_busy_is_refused(parts: int) -> None:
    with pytest.raises(InvalidInput, match="the gain is unbounded"):
        pack_structures(Listed([[[0, 0], [1, 1]]] * parts), [1, 1])


@pytest.mark.parametrize(
    ("haste", "chosen", "ratio"),
    [
        # The first step makes resource 0 so dear that the other structure is the second one.
        (inf, [(0, 0), (0, 1)], exp(WALK / 2 * 1.5) / (4 * exp(WALK / 2))),
        (1.5, [(0, 0), (0, 0)], exp(1.5 * 2) / 4),
        (0.0, [(0, 0), (0, 0)], 1 / 4),
    ],
)
def test_a_burst_makes_dear_what_is_busy_and_no_dearer_than_it_may(
    haste: float, chosen: list[tuple[int, int]], ratio: float
) -> None:
    """One structure keeps resource 0 busy, the other one resource 1, and 0 half as long."""
    search = StructureProgram(Listed([[[2, 0], [1, 2]]]), [1, 1])
    prices = [1.0, 4.0]
    found = search.burst(prices, 2, haste)
    assert [operation.structures for operation in found] == [[one] for one in chosen]
    assert prices[0] / prices[1] == pytest.approx(ratio)
    assert max(prices) == 1


def test_a_burst_adds_up_the_loads_of_all_parts() -> None:
    """Resource 0 is busy for 2 and 4, as long as resource 1."""
    search = StructureProgram(Listed([[[2, 0, 0]], [[4, 6, 3]]]), [1, 1, 1])
    prices = [1.0, 1.0, 1.0]
    search.burst(prices, 1, 1.0)
    assert prices == [1.0, 1.0, pytest.approx(exp(-0.5))]


@pytest.mark.parametrize(
    ("length", "chosen"),
    [(1, [0]), (5, [0, 1, 2, 3, 4]), (12, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])],
)
def test_the_others_of_a_burst_are_made_from_the_ones_before_them(
    length: int, chosen: list[int]
) -> None:
    """Where a pricing improves, every fifth is a cheapest one; the next one is better, here."""

    class Numbered(Listed):
        def improved(
            self, prices: Sequence[float], last: Sequence[tuple[int, int]]
        ) -> list[tuple[int, int]]:
            asked.append(prices)
            return [(part, index + 1) for part, index in last]

    asked: list[Sequence[float]] = []
    loads = [[int(row == index) for row in range(12)] for index in range(12)]
    search = StructureProgram(Numbered([loads]), [1] * 12)
    walk = [1.0] * 12
    found = search.burst(walk, length)
    assert [operation.structures for operation in found] == [[(0, index)] for index in chosen]
    assert [operation.loads for operation in found] == [[{index: 1}] for index in chosen]
    assert len(asked) == sum(1 for index in chosen if index % 5)
    assert all(prices is walk for prices in asked)
    assert search.priced == length


def test_a_pricing_that_contradicts_itself_is_refused() -> None:
    class Wrong(Listed):
        def cheapest_exactly(
            self, prices: Mapping[int, int]
        ) -> tuple[list[tuple[int, int]], list[int]]:
            structures, costs = super().cheapest_exactly(prices)
            return structures, [cost // 2 for cost in costs]

    pricing: Pricing[tuple[int, int]] = Wrong([[[2, 0], [1, 1]], [[1, 3]]])
    with pytest.raises(ArithmeticError, match="disagrees with its own loads"):
        pack_structures(pricing, [3, 4])
