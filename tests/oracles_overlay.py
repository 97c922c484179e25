"""Overlays by definition: what one is, and the best ones by trying all of them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, combinations, pairwise, permutations, product

from exactsched.certificate.overlay import Overlay
from exactsched.lp import linear_program, maximize
from exactsched.machine import MultiPort


def proved_overlay(overlay: Overlay) -> list[int]:
    """The number of receivers of each node, after a look at every part and every rate."""
    machine, parts = overlay.machine, overlay.parts
    used, out, coming = (
        [0] * machine.size,
        [Fraction(0)] * machine.size,
        [Fraction(0)] * machine.size,
    )
    known = set()
    for sender, receiver, pieces in overlay.arcs:
        assert (sender, receiver) not in known
        known.add((sender, receiver))
        assert sender != receiver != 0
        assert not machine.arcs or (sender, receiver) in machine.arcs
        assert pieces
        assert all(0 <= start < stop <= parts for start, stop in pieces)
        assert all(before[1] < after[0] for before, after in pairwise(pieces))
        rate = Fraction(sum(stop - start for start, stop in pieces), parts) * overlay.throughput
        used[sender] += 1
        out[sender] += rate
        coming[receiver] += rate
    assert all(rate <= limit for rate, limit in zip(out, machine.bandwidths, strict=True))
    if overlay.throughput:
        assert coming[1:] == [overlay.throughput] * (machine.size - 1)
        if machine.incoming:
            assert min(machine.incoming[1:]) >= overlay.throughput
        for part in _different_parts(overlay):
            _arborescence(overlay, part)
    else:
        assert not overlay.arcs
    return used


def _different_parts(overlay: Overlay) -> list[int]:
    """One part of each range that no piece cuts."""
    ends = chain.from_iterable(chain.from_iterable(row[2] for row in overlay.arcs))
    return sorted({0, *ends} - {overlay.parts})


def _arborescence(overlay: Overlay, part: int) -> None:
    parent: dict[int, int] = {}
    for sender, receiver, pieces in overlay.arcs:
        if any(start <= part < stop for start, stop in pieces):
            assert receiver not in parent, "a part is received twice"
            parent[receiver] = sender
    assert set(parent) == set(range(1, overlay.machine.size))
    reached = {0}
    for node in parent:
        path = []
        while node not in reached:
            assert node not in path, "a part comes from nowhere"
            path.append(node)
            node = parent[node]
        reached.update(path)


def acyclic(overlay: Overlay) -> bool:
    """Nodes that nobody sends to are taken away again and again, until none is left."""
    arcs = {row[:2] for row in overlay.arcs}
    while arcs:
        silent = {sender for sender, _ in arcs} - {receiver for _, receiver in arcs}
        if not silent:
            return False
        arcs = {arc for arc in arcs if arc[0] not in silent}
    return True


def best_by_supports(machine: MultiPort, structure: str) -> Fraction:
    """The best throughput within the degrees, by a linear program for every set of arcs."""
    return max(_best_rates(machine, support) for support in _supports(machine, structure))


def _supports(machine: MultiPort, structure: str) -> Iterator[list[tuple[int, int]]]:
    """Sets of arcs, as large as degrees and structure permit."""
    orders = permutations(range(1, machine.size)) if structure == "acyclic" else [None]
    for order in orders:
        choices = []
        for node in range(machine.size):
            if order is None or node == 0:
                others = [other for other in range(1, machine.size) if other != node]
            else:
                others = list(order[order.index(node) + 1 :])
            most = min(machine.degrees[node], len(others))
            choices.append(
                [[(node, other) for other in some] for some in combinations(others, most)]
            )
        for chosen in product(*choices):
            yield list(chain.from_iterable(chosen))


def _best_rates(machine: MultiPort, support: list[tuple[int, int]]) -> Fraction:
    """The largest T such that rates within the bandwidths carry T into each set of others."""
    count = len(support)
    rows, right = [], []
    for size in range(1, machine.size):
        for inside in combinations(range(1, machine.size), size):
            row = [-int(u not in inside and v in inside) for u, v in support]
            rows.append([*row, 1])
            right.append(Fraction(0))
    for node in range(machine.size):
        rows.append([*(int(u == node) for u, _ in support), 0])
        right.append(machine.bandwidths[node])
        if machine.incoming and node:
            rows.append([0] * count + [1])
            right.append(machine.incoming[node])
    gains = [0] * count + [1]
    best = maximize(linear_program(gains, rows, right, nonnegative=range(count + 1)))
    return Fraction(best.value)


def best_tree_by_parents(machine: MultiPort) -> Fraction:
    """The best throughput of a tree within the degrees, by all choices of parents."""
    best = Fraction(0)
    for parents in product(range(machine.size), repeat=machine.size - 1):
        children = [parents.count(node) for node in range(machine.size)]
        if any(have > most for have, most in zip(children, machine.degrees, strict=True)):
            continue
        if not all(_from_source(node, parents) for node in range(1, machine.size)):
            continue
        rates = [b / have for b, have in zip(machine.bandwidths, children, strict=True) if have]
        best = max(best, min([*rates, *machine.incoming[1:]]))
    return best


def _from_source(node: int, parents: tuple[int, ...]) -> bool:
    for _ in parents:
        node = parents[node - 1] if node else 0
    return node == 0


def largest_root(machine: MultiPort, silent: int | None = None) -> Fraction:
    """The largest root of sum min(b_i, T d_i) = n T, without node `silent`: all pairs of bends."""
    count = machine.size - 1
    pairs = [
        (b, d)
        for i, (b, d) in enumerate(zip(machine.bandwidths, machine.degrees, strict=True))
        if i != silent
    ]

    def surplus(rate: Fraction) -> Fraction:
        return sum((min(b, rate * d) for b, d in pairs), Fraction(0)) - count * rate

    bends = sorted({Fraction(0), *(b / d for b, d in pairs if d)})
    bends.append(sum((b for b, _ in pairs), bends[-1] + 1))  # past the last root
    roots = []
    for low, high in pairwise(bends):
        left, right = surplus(low), surplus(high)
        if right == 0:
            roots.append(high)
        elif left >= 0 > right:
            roots.append(low + (high - low) * left / (left - right))
    return max(roots, default=Fraction(0))
