"""The least time of whole units, by trying all sets and all times at which an arc carries more."""

from __future__ import annotations

from fractions import Fraction
from math import floor

import pytest

from exactsched.graphs.whole_units import Units, fastest_units, whole_units
from exactsched.instances.choices import Seeded

Arcs = list[tuple[int, int]]


def least_time(size: int, arcs: Arcs, capacities: list[int], targets: list[int], units: Units):
    """The first time, of those at which an arc carries one more unit, at which no set is unmet."""

    def met(time: Fraction, inside: int) -> bool:
        entering = sum(
            floor(time * capacity / units.size)
            for (tail, head), capacity in zip(arcs, capacities, strict=True)
            if inside >> head & 1 and not inside >> tail & 1
        )
        return entering >= sum(d for v, d in enumerate(units.demands) if not inside >> v & 1)

    sets = [nodes for nodes in range(1 << size) if any(nodes >> target & 1 for target in targets)]
    demanded = sum(units.demands)
    times = {Fraction(0)} | {
        units.size * Fraction(k, capacity)
        for capacity in capacities
        if capacity
        for k in range(1, demanded + 1)
    }
    return next(time for time in sorted(times) if all(met(time, inside) for inside in sets))


@pytest.mark.parametrize("seed", range(150))
def test_least_time_of_all_sets(seed: int) -> None:
    dice = Seeded(str(seed))
    size = dice.between(2, 5)
    arcs = [(v, (v + 1) % size) for v in range(size)]
    arcs += [(dice.below(size), dice.below(size)) for _ in range(dice.below(5))]
    capacities = [dice.between(1, 6) for _ in arcs[:size]] + [dice.below(7) for _ in arcs[size:]]
    targets = sorted(dice.several_of(range(size), dice.between(1, size)))
    choices = []
    for _ in range(dice.between(1, 4)):
        unit = Fraction(dice.between(1, 5), dice.between(1, 5))
        choices.append(Units(unit, [dice.below(4) if v in targets else 0 for v in range(size)]))
    times = [least_time(size, arcs, capacities, targets, units) for units in choices]
    found = fastest_units(size, arcs, capacities, targets, choices)
    assert found == (times.index(min(times)), min(times))


def test_capacities_of_thirteen_digits() -> None:
    """Not one breakpoint after the other: 10^12 units are carried over one of the arcs."""
    wide = 10**12 + 1
    units = Units(Fraction(1), [0, 3, 10**12])
    arcs = [(1, 0), (2, 0), (0, 1), (0, 2), (2, 1)]
    choice, time = fastest_units(3, arcs, [2, wide, 1, 2, wide], [0, 1, 2], [units])
    assert (choice, time) == (0, Fraction(3, 2))
    assert whole_units([1, wide], units.size, time) == [1, (3 * wide) // 2]
