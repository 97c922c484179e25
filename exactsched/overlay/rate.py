"""The fastest broadcast on given arcs, by a packing of arborescences into bandwidths."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from exactsched.exact.arguments import over_common_denominator, whole
from exactsched.exact.rational import Rational, readable
from exactsched.graphs.reachability import breadth_first
from exactsched.model.machine import MultiPort
from exactsched.steady_state.arborescence_packing import pack_arborescences

Arc = tuple[int, int]


@readable
@dataclass(frozen=True, slots=True)
class BestRates:
    """Rates on arcs, and prices of bandwidths with cuts that show that no others are better.

    `rates` keeps to the bandwidths, and into every set of nodes without the source at least
    `throughput` is sent.  `prices` maps ("send", node) and ("incoming", node) to a price of a unit
    of that bandwidth; all bandwidths at their prices are worth `throughput`.  `cuts` are sets of
    nodes without the source, with weights of total 1; those that an arc enters weigh at most as
    much as the prices at its two ends.
    """

    throughput: Fraction
    rates: Mapping[Arc, Rational]
    prices: Mapping[tuple[str, int], Rational]
    cuts: tuple[tuple[tuple[int, ...], Rational], ...]


def best_rates(machine: MultiPort, arcs: Iterable[Arc]) -> BestRates:
    """The most arborescences per time unit on these arcs, and as cheap prices of bandwidths.

    Degrees, and which arcs the machine allows, are not looked at.  An arborescence that is sent at
    rate 1 takes from the bandwidth of every node as often as the node sends, and enters every
    node once; so of all incoming bandwidths the least alone matters.  At most n + 1 arborescences
    are packed.  Linear programs with n + 1 rows (`exactsched.steady_state.arborescence_packing`).

    Raises `InvalidInput` for arcs that are repeated, loops, into the source, or of other nodes.

    Reference: proofs/overlay-model.md.

    >>> best = best_rates(MultiPort([1, 0, 0], [2, 0, 0]), [(0, 1), (0, 2)])
    >>> print(best.throughput, best.cuts)
    1/2 (((1,), Fraction(1, 2)), ((2,), Fraction(1, 2)))
    """
    listed = sorted(MultiPort([0] * machine.size, [0] * machine.size, arcs=arcs).arcs)
    stuck = _nothing_arrives(machine, listed)
    if stuck is not None:
        return stuck
    useful = [arc for arc in listed if machine.bandwidths[arc[0]]]
    numbers, unit = over_common_denominator([*machine.bandwidths, *machine.incoming[1:]])
    size = machine.size
    capacities = {("send", node): numbers[node] for node in {sender for sender, _ in useful}}
    if machine.incoming:
        least = min(range(1, size), key=lambda node: machine.incoming[node])
        capacities["incoming", least] = numbers[size + least - 1]
    index = {resource: number for number, resource in enumerate(sorted(capacities))}
    uses = [
        tuple(index[name] for name in (("send", i), ("incoming", j)) if name in index)
        for i, j in useful
    ]
    packing = pack_arborescences(
        size, 0, useful, [1] * len(useful), uses, [capacities[name] for name in index]
    )
    rates: dict[Arc, Fraction] = {}
    for tree, weight in packing.trees:
        for number in tree:
            rates[useful[number]] = rates.get(useful[number], Fraction(0)) + weight
    prices = {name: packing.prices.get(number, 0) for name, number in index.items()}
    return BestRates(
        packing.value / unit,
        {arc: whole(rate / unit) for arc, rate in sorted(rates.items())},
        _silent(machine) | {name: price for name, price in prices.items() if price},
        tuple((tuple(sorted(packing.order[i:j])), weight) for i, j, weight in packing.cuts),
    )


def _silent(machine: MultiPort) -> dict[tuple[str, int], Rational]:
    """The bandwidth that is not there, at a price that nobody can pay."""
    return {("send", node): 1 for node, b in enumerate(machine.bandwidths) if not b}


def _nothing_arrives(machine: MultiPort, arcs: Iterable[Arc]) -> BestRates | None:
    """The optimum 0, where that is it."""
    leaving: dict[int, list[int]] = {}
    for i, j in arcs:
        if machine.bandwidths[i]:
            leaving.setdefault(i, []).append(j)
    reached = breadth_first([0], lambda node: leaving.get(node, ()))
    missing = tuple(node for node in range(machine.size) if node not in reached)
    if missing:
        return BestRates(Fraction(0), {}, _silent(machine), ((missing, 1),))
    for node, bandwidth in enumerate(machine.incoming[1:], 1):
        if not bandwidth:
            prices = {("incoming", node): 1}
            return BestRates(Fraction(0), {}, prices, (((node,), 1),))
    return None
