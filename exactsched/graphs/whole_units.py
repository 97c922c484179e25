"""The least time in which whole units of some size keep all cuts, over several sizes of units.

Method: a set that too few units enter raises the least time of every size; the size whose time is
least so far is looked at next.
Limits: for kernels: nothing is checked.  Every set that has a demand outside is entered.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from heapq import heapify, heappop, heappush, heapreplace
from typing import NamedTuple

from exactsched.exact.patience import PATIENT, Patience
from exactsched.graphs.root_connectivity import unmet_set


class Units(NamedTuple):
    """A size of units, and how many of them each node demands."""

    size: Fraction
    demands: Sequence[int]


def whole_units(capacities: Iterable[int], size: Fraction, time: Fraction) -> list[int]:
    """How many whole units of this size each arc carries in a time.

    >>> whole_units([3, 5], Fraction(2), Fraction(1))
    [1, 2]
    """
    rate = time / size
    return [capacity * rate.numerator // rate.denominator for capacity in capacities]


def fastest_units(
    size: int,
    arcs: Sequence[tuple[int, int]],
    capacities: Sequence[int],
    targets: Collection[int],
    choices: Sequence[Units],
    patience: Patience = PATIENT,
) -> tuple[int, Fraction]:
    """The first of the units that take the least time, and this time.

    Units take the least time T for which every set with a target is entered by as many whole units
    as nodes outside demand, where an arc of capacity c carries floor(T c / size of a unit).

    Each unmet set is learned once; for each size at most one search for an unmet set is made for
    every set that is learned, and one more, before which the patience is asked.

    >>> both = [(0, 1), (1, 0)]
    >>> thirds, halves = Units(Fraction(1, 3), [3, 3]), Units(Fraction(1, 2), [2, 2])
    >>> fastest_units(2, both, [4, 5], [0, 1], [thirds, halves])
    (0, Fraction(1, 4))
    >>> fastest_units(2, both, [4, 5], [0, 1], [Units(Fraction(2, 3), [2, 1])])
    (0, Fraction(1, 3))
    """
    learned: list[frozenset[int]] = []
    # The time that the first of the learned sets show, the choice, and how many these are.
    waiting = [(Fraction(0), choice, 0) for choice in range(len(choices))]
    heapify(waiting)
    while True:
        patience.ask()
        time, choice, known = heappop(waiting)
        unit, demands = choices[choice]
        for nodes in learned[known:]:
            entering = [
                capacity
                for (tail, head), capacity in zip(arcs, capacities, strict=True)
                if head in nodes and tail not in nodes and capacity
            ]
            needed = sum(demand for node, demand in enumerate(demands) if node not in nodes)
            time = max(time, unit * _least_rate(entering, needed))
        if waiting and (time, choice) > waiting[0][:2]:
            heappush(waiting, (time, choice, len(learned)))
            continue
        roots = [[([node], demand)] for node, demand in enumerate(demands) if demand]
        unmet = unmet_set(size, arcs, whole_units(capacities, unit, time), roots, targets, patience)
        if unmet is None:
            return choice, time
        known = len(learned)
        learned.append(frozenset(unmet))
        heappush(waiting, (time, choice, known))


def _least_rate(capacities: Sequence[int], needed: int) -> Fraction:
    """The least x for which the whole parts of x c add up to what is needed.

    >>> _least_rate([4, 5], 3)
    Fraction(2, 5)
    """
    if not needed:
        return Fraction(0)
    rate = Fraction(needed, sum(capacities))
    parts = [capacity * rate.numerator // rate.denominator for capacity in capacities]
    # Fewer than one part is missing for each capacity; each step adds one.
    coming = [
        (Fraction(part + 1, capacity), index)
        for index, (part, capacity) in enumerate(zip(parts, capacities, strict=True))
    ]
    heapify(coming)
    for _ in range(needed - sum(parts)):
        rate, index = coming[0]
        heapreplace(coming, (rate + Fraction(1, capacities[index]), index))
    return rate
