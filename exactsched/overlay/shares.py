"""The parts of the message that each arc of an overlay carries, from its rates; and its trees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from math import gcd
from operator import itemgetter

from exactsched.certificate.graphs import ArborescenceDecomposition
from exactsched.certificate.overlay import CaseProof, Overlay, OverlayArc, Piece, Structure
from exactsched.exact.arguments import over_common_denominator
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import Rational, exact, text
from exactsched.graphs.arborescence_decomposition import decompose_into_arborescences
from exactsched.model.machine import MultiPort

Arc = tuple[int, int]


def overlay_of_rates(
    machine: MultiPort,
    structure: Structure,
    rates: Mapping[Arc, Rational],
    throughput: Rational,
    bound: Rational,
    proof: tuple[CaseProof, ...] = (),
) -> Overlay:
    """An overlay of this throughput for any rates that send as much into every set of nodes.

    The rates hold weighted arborescences of total weight `throughput` (Edmonds 1973), at most
    m - n + 1 for m arcs and n nodes besides the source: each carries a range of the parts of the
    message, as long as it is heavy.  Rates that none of them needs are not in the overlay, and
    all are scaled down if more is possible.  Bandwidths are not looked at.

    Raises `InvalidInput` for a throughput that the rates do not reach.  The cost is that of
    `exactsched.graphs.arborescence_decomposition`.

    >>> machine = MultiPort([2, 1, 1], [2, 1, 1])
    >>> rates = {(0, 1): 1, (0, 2): 1, (1, 2): 1, (2, 1): 1}
    >>> overlay = overlay_of_rates(machine, "any", rates, 2, 2)
    >>> overlay.parts, overlay.optimal
    (2, True)
    >>> overlay.arcs == ((0, 1, ((0, 1),)), (0, 2, ((1, 2),)), (1, 2, ((0, 1),)), (2, 1, ((1, 2),)))
    True
    """
    trees = _trees_of_weight(machine.size, rates, exact(throughput, "throughput"))
    weights, _ = over_common_denominator([weight for weight, _ in trees])
    unit, parts = gcd(*weights), 0
    pieces: dict[Arc, list[Piece]] = {}
    for weight, (_, tree) in zip(weights, trees, strict=True):
        start, parts = parts, parts + weight // unit
        for arc in tree:
            ranges = pieces.setdefault(arc, [])
            joined = ranges.pop()[0] if ranges and ranges[-1][1] == start else start
            ranges.append(Piece(joined, parts))
    arcs = tuple(OverlayArc(i, j, tuple(ranges)) for (i, j), ranges in sorted(pieces.items()))
    kept = structure == "any" or len(trees) == 1
    if structure == "acyclic":
        kept = is_acyclic(pieces)
    optimal = kept and throughput == bound and excess(machine, pieces) == 0
    reached, least = Fraction(throughput), Fraction(bound)
    return Overlay(machine, structure, parts or 1, arcs, reached, least, proof, optimal)


def overlay_trees(overlay: Overlay) -> ArborescenceDecomposition:
    """The rates of an overlay as weighted spanning arborescences, and a cut that shows no more.

    At most m - n + 1 of them, for m arcs and n nodes besides the source.

    >>> machine = MultiPort([2, 1, 1], [2, 1, 1])
    >>> rates = {(0, 1): 1, (0, 2): 1, (1, 2): 1, (2, 1): 1}
    >>> best = overlay_trees(overlay_of_rates(machine, "any", rates, 2, 2))
    >>> best.value, sorted([best.arcs[number] for number in tree] for _, tree in best.trees)
    (Fraction(2, 1), [[(0, 1), (1, 2)], [(0, 2), (2, 1)]])
    """
    arcs = [(i, j) for i, j, _ in overlay.arcs]
    part = Fraction(overlay.throughput) / overlay.parts
    rates = [part * sum(stop - start for start, stop in pieces) for _, _, pieces in overlay.arcs]
    return decompose_into_arborescences(overlay.machine.size, 0, arcs, rates)


def excess(machine: MultiPort, arcs: Iterable[Arc]) -> int:
    """The most by which an out-degree exceeds its bound; 0 if all degrees are kept.

    >>> excess(MultiPort([2, 1, 1], [1, 1, 1]), [(0, 1), (0, 2), (1, 2)])
    1
    """
    degrees = Counter(sender for sender, _ in arcs)
    return max([0, *(count - machine.degrees[node] for node, count in degrees.items())])


def is_acyclic(arcs: Iterable[Arc]) -> bool:
    """Whether no node sends to one from which it gets anything, directly or not.

    >>> is_acyclic([(0, 1), (0, 2), (1, 2)]), is_acyclic([(0, 1), (1, 2), (2, 1)])
    (True, False)
    """
    below: dict[int, list[int]] = {}
    for sender, receiver in arcs:
        below.setdefault(sender, []).append(receiver)
    try:
        TopologicalSorter(below).prepare()
    except CycleError:
        return False
    return True


def _trees_of_weight(
    size: int, rates: Mapping[Arc, Rational], wanted: Fraction
) -> list[tuple[Fraction, tuple[Arc, ...]]]:
    """Weighted arborescences in these rates, of this total weight or more; none for 0."""
    if not wanted:
        return []
    arcs = sorted(arc for arc, rate in rates.items() if rate)
    found = decompose_into_arborescences(size, 0, arcs, [rates[arc] for arc in arcs])
    if found.value < wanted:
        rule = f"into the nodes {list(found.cut)} the rates send {text(found.value)}"
        raise InvalidInput("throughput", text(wanted), rule)
    # Arcs of trees that are next to each other in this order are often the same.
    trees = sorted(found.trees, key=itemgetter(1))
    return [(Fraction(weight), tuple(arcs[k] for k in tree)) for weight, tree in trees]
